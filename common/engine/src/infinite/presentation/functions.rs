//! The numbering of the functions that positions leave.
//!
//! The function of a position `u` is `z ↦ V(u + z)`. It is stored as a diagram over the automaton,
//! in a form in which equal functions are equal: a partition is refined to find equal functions of
//! the digits, a node has the least index and the least period, and a node whose children are all
//! the same is left out.

use rustc_hash::FxHashMap;

use misere_game::control::{Control, Stop};
use misere_game::outcome::Outcome;
use misere_game::solution::diagram::DiagramFamily;

/// The number of a function.
pub(super) type Function = u32;

/// The parts that a function is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Form {
    /// A function of the digits alone: its functions after each choice of binary digits.
    Digits(Vec<Function>),
    /// A function of the count of a letter, which is not a digit, and of smaller letters.
    ///
    /// It has the letter, the index, and a function for each count.
    Letter(usize, u32, Vec<Function>),
}

/// All functions found so far.
pub(super) struct Functions {
    digits: Vec<usize>,
    /// For each state its successors.
    next: Vec<Vec<u32>>,
    forms: Vec<Form>,
    numbers: FxHashMap<Form, Function>,
    /// A state with counts added that has the function, for functions of the digits.
    states: Vec<(u32, Vec<u32>)>,
    by_state: FxHashMap<(u32, Vec<u32>), Function>,
    with_letter: FxHashMap<(Function, usize), Function>,
    root: Function,
}

impl Functions {
    /// Builds the functions of the diagram's places. The diagram has to be well formed.
    pub(super) fn new(family: &DiagramFamily, control: &mut Control) -> Result<Self, Stop> {
        let place = |heap: &u32| family.letters.binary_search(heap).unwrap_or(0);
        let mut functions = Self {
            digits: family.digits.iter().map(place).collect(),
            next: family.states.iter().map(|s| s.next.clone()).collect(),
            forms: Vec::new(),
            numbers: FxHashMap::default(),
            states: Vec::new(),
            by_state: FxHashMap::default(),
            with_letter: FxHashMap::default(),
            root: 0,
        };
        let outcomes: Vec<Option<Outcome>> = family.states.iter().map(|s| s.outcome).collect();
        functions.number_small_rests(&outcomes, control)?;
        let mut places: Vec<Function> = Vec::new();
        let nothing = vec![0; functions.digits.len()];
        for state in 0..family.states.len() as u32 {
            places.push(functions.of_state(state, &nothing, control)?);
        }
        for node in &family.nodes {
            control.spend(50 + 20 * node.children.len() as u64)?;
            let children = node.children.iter().map(|&child| places[child as usize]);
            let children = children.collect();
            places.push(functions.letter(place(&node.letter), node.index, children));
        }
        functions.root = places[family.root as usize];
        Ok(functions)
    }

    /// Returns the function of the empty position.
    pub(super) fn root(&self) -> Function {
        self.root
    }

    /// Numbers the functions of the states with at most one more copy of each digit.
    ///
    /// They lead to one another, so refining a partition separates them.
    fn number_small_rests(
        &mut self,
        outcomes: &[Option<Outcome>],
        control: &mut Control,
    ) -> Result<(), Stop> {
        let all = 1 << self.digits.len();
        let rest = |bits: usize| -> Vec<u32> {
            let digits = 0..self.digits.len();
            digits.map(|digit| (bits >> digit & 1) as u32).collect()
        };
        let small: Vec<(u32, Vec<u32>)> = (0..self.next.len() as u32)
            .flat_map(|state| (0..all).map(move |bits| (state, bits)))
            .map(|(state, bits)| (state, rest(bits)))
            .collect();
        let mut class: Vec<u32> = small
            .iter()
            .map(|(state, added)| {
                let bits = bits_of(added);
                let after = if bits == 0 {
                    *state
                } else {
                    self.next[*state as usize][bits]
                };
                match outcomes[after as usize] {
                    None => 0,
                    Some(Outcome::P) => 1,
                    Some(Outcome::N) => 2,
                }
            })
            .collect();
        let mut next: Vec<usize> = Vec::with_capacity(small.len() * all);
        for (state, added) in &small {
            control.spend(100 * all as u64)?;
            for bits in 0..all {
                let (state, carry) = self.after(*state, added, bits);
                next.push(state as usize * all + bits_of(&carry));
            }
        }
        let mut classes = 0;
        loop {
            let mut numbers: FxHashMap<(u32, Vec<u32>), u32> = FxHashMap::default();
            let mut refined = Vec::with_capacity(class.len());
            for (own, next) in class.iter().zip(next.chunks_exact(all)) {
                control.spend(50 + 10 * all as u64)?;
                let key = (*own, next.iter().map(|&to| class[to]).collect());
                let fresh = numbers.len() as u32;
                refined.push(*numbers.entry(key).or_insert(fresh));
            }
            class = refined;
            if numbers.len() == classes {
                break;
            }
            classes = numbers.len();
        }
        for (at, (state, &own)) in small.into_iter().zip(&class).enumerate() {
            if own as usize == self.forms.len() {
                let next = &next[at * all..(at + 1) * all];
                let form = Form::Digits(next.iter().map(|&to| class[to]).collect());
                self.numbers.insert(form.clone(), own);
                self.forms.push(form);
                self.states.push(state.clone());
            }
            self.by_state.insert(state, own);
        }
        Ok(())
    }

    /// Returns the state after binary digits, and the carry.
    fn after(&self, state: u32, added: &[u32], bits: usize) -> (u32, Vec<u32>) {
        let mut read = 0;
        let carry = added.iter().enumerate().map(|(digit, &added)| {
            let sum = added + (bits >> digit & 1) as u32;
            read |= ((sum & 1) as usize) << digit;
            sum >> 1
        });
        let carry = carry.collect();
        (self.next[state as usize][read], carry)
    }

    /// Returns the function of a state with counts added to the counts of the digits.
    fn of_state(
        &mut self,
        state: u32,
        added: &[u32],
        control: &mut Control,
    ) -> Result<Function, Stop> {
        let key = (state, added.to_vec());
        if let Some(&known) = self.by_state.get(&key) {
            return Ok(known);
        }
        let all = 1 << self.digits.len();
        control.spend(200 * all as u64)?;
        let mut next = Vec::with_capacity(all);
        // If more than 1 is added, the carry is less than what was added, so this terminates.
        for bits in 0..all {
            let (state, carry) = self.after(state, added, bits);
            next.push(self.of_state(state, &carry, control)?);
        }
        let function = self.number(Form::Digits(next), Some(key.clone()));
        self.by_state.insert(key, function);
        Ok(function)
    }

    fn number(&mut self, form: Form, state: Option<(u32, Vec<u32>)>) -> Function {
        if let Some(&known) = self.numbers.get(&form) {
            return known;
        }
        let fresh = self.forms.len() as Function;
        self.numbers.insert(form.clone(), fresh);
        self.forms.push(form);
        self.states.push(state.unwrap_or_default());
        fresh
    }

    /// Returns the function of the count of a letter.
    ///
    /// Counts from the number of children on are read as if the number of children from the index
    /// on were taken away.
    fn letter(&mut self, letter: usize, index: u32, mut children: Vec<Function>) -> Function {
        let mut index = index as usize;
        let cycle = &children[index..];
        let length = cycle.len();
        let repeats = |&period: &usize| {
            length.is_multiple_of(period)
                && (period..length).all(|at| cycle[at] == cycle[at - period])
        };
        let period = (1..length).find(repeats).unwrap_or(length);
        children.truncate(index + period);
        while index > 0 && children[index - 1] == children[index + period - 1] {
            children.pop();
            index -= 1;
        }
        match (index, children.as_slice()) {
            (0, [only]) => *only,
            _ => self.number(Form::Letter(letter, index as u32, children), None),
        }
    }

    /// Returns the function with one more copy of a letter.
    pub(super) fn with_letter(
        &mut self,
        function: Function,
        letter: usize,
        control: &mut Control,
    ) -> Result<Function, Stop> {
        if let Some(&known) = self.with_letter.get(&(function, letter)) {
            return Ok(known);
        }
        control.spend(200)?;
        let more = match self.forms[function as usize].clone() {
            Form::Digits(_) => match self.digits.iter().position(|&digit| digit == letter) {
                None => function,
                Some(digit) => {
                    let (state, mut added) = self.states[function as usize].clone();
                    added[digit] += 1;
                    self.of_state(state, &added, control)?
                }
            },
            Form::Letter(own, index, mut children) if own == letter => {
                if index == 0 {
                    children.rotate_left(1);
                    self.letter(own, 0, children)
                } else {
                    children.remove(0);
                    self.letter(own, index - 1, children)
                }
            }
            // Letters that are not digits are read from the greatest down.
            Form::Letter(own, ..) if own < letter && !self.digits.contains(&letter) => function,
            Form::Letter(own, index, children) => {
                control.spend(50 * children.len() as u64)?;
                let mut with = Vec::with_capacity(children.len());
                for child in children {
                    with.push(self.with_letter(child, letter, control)?);
                }
                self.letter(own, index, with)
            }
        };
        self.with_letter.insert((function, letter), more);
        Ok(more)
    }
}

/// Returns counts of 0 and 1 as binary digits.
fn bits_of(counts: &[u32]) -> usize {
    let bits = counts.iter().enumerate();
    bits.map(|(digit, &count)| (count as usize) << digit).sum()
}
