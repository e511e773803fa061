//! The search for replies that leave a small part (D5).
//!
//! A position that the automaton calls N, and in which there is a move, must have an option that it
//! calls P. A move with a *small part* takes `t` beans from a heap and leaves a part `a` of a
//! bounded size, or none, and one other heap `b ≥ a`. So the heap that is split has `a + t` beans
//! more than `b`: soon after `b` was read, the heap itself must be read, too.
//!
//! A *situation* is what a reader of the position has to remember at one size: the state of the
//! automaton; the states it would be in with one heap `a` more; the states of options whose part
//! `b` was read and whose heap must be read a known number of steps later; and the states of the
//! options that are complete. There are finitely many situations, and all that can be reached are
//! examined, with any number of heaps at every size. Two things keep them few:
//!
//! - A situation is dropped if some option is P whenever the position is N, whatever follows.
//! - An option is forgotten if another is P whenever it is.
//!
//! If in a situation the position is N, has a move, and has no option of this kind that is P, then
//! it is *open*. [`super::splits`] finds replies for these.

use std::collections::HashMap;

use misere_game::control::Control;

use super::situation::{Edge, MAX_SITUATIONS, Situation};
use super::splits::Splits;
use super::{AutomatonCheckError, Machine, Pairs};

/// The most states that all situations remember.
const MAX_REMEMBERED: usize = 40_000_000;
/// The most open endings of positions.
const MAX_OPEN: usize = 2_000;
/// The mark of a missing state.
const NONE: u16 = u16::MAX;

/// Tries small parts up to the period, and then up to twice the period.
pub(super) fn check(
    machine: &Machine<'_>,
    control: &mut Control,
) -> Result<(), AutomatonCheckError> {
    let mut last = AutomatonCheckError::TooLarge("300,000 situations");
    for greatest_part in [machine.period + 1, 2 * machine.period + 1] {
        let mut search = Search::new(machine, greatest_part, control)?;
        search.run(control)?;
        match search.open_position {
            None => return Ok(()),
            Some(ref position) => {
                last = AutomatonCheckError::NWithoutP {
                    position: position.clone(),
                };
            }
        }
        if Splits::new(machine, &search.situations, &search.edges).decide_all(control)? {
            return Ok(());
        }
    }
    Err(last)
}

/// A kind of move that leaves a small part.
struct Kind {
    /// The small part, as an index into the states with one heap more.
    part: usize,
    taken: usize,
    /// The place of its options in the list of all pending ones.
    first: usize,
}

struct Search<'a> {
    machine: &'a Machine<'a>,
    kinds: Vec<Kind>,
    /// The size from which on all sizes are alike.
    settled: usize,
    /// The pairs of a position and an option such that, whatever follows, both may be N.
    both_n: Pairs,
    /// The pairs whose first state may be N while the second is P, for some continuation.
    only_second_p: Pairs,
    /// The states from which some end is P.
    hopeful: Vec<bool>,
    situations: Vec<Situation>,
    edges: Vec<Vec<Edge>>,
    /// The situation from which each one was reached first, and the number of heaps read there.
    reached_from: Vec<(usize, usize)>,
    known: HashMap<Situation, usize>,
    /// The states that all situations remember.
    remembered: usize,
    open: usize,
    open_position: Option<String>,
}

impl<'a> Search<'a> {
    fn new(
        machine: &'a Machine<'a>,
        greatest_part: usize,
        control: &mut Control,
    ) -> Result<Self, AutomatonCheckError> {
        let length = machine.code.length();
        let mut kinds = Vec::new();
        let mut window = 0;
        if greatest_part * greatest_part > MAX_REMEMBERED {
            return Err(AutomatonCheckError::TooLarge(
                "40,000,000 states to remember",
            ));
        }
        for part in 0..=greatest_part {
            let wanted = if part == 0 { 2 } else { 4 };
            for taken in 0..=length {
                if machine.code.digit(taken) & wanted != 0 && part + taken > 0 {
                    kinds.push(Kind {
                        part,
                        taken,
                        first: window,
                    });
                    window += part + taken;
                }
            }
        }
        if window > MAX_REMEMBERED / 1_000 {
            return Err(AutomatonCheckError::TooLarge(
                "40,000 options that are begun",
            ));
        }
        let in_p = &machine.in_p;
        let same_p = machine.pairs_leading_to(|a, b| a == b && in_p[a], control)?;
        let first = Situation {
            state: 0,
            has_move: false,
            size: 1,
            with_part: vec![NONE; greatest_part + 1],
            pending: vec![NONE; window],
            options: Vec::new(),
        };
        Ok(Self {
            machine,
            kinds,
            settled: greatest_part.max(length + 3) + 2,
            both_n: machine.pairs_leading_to(|a, b| !in_p[a] && !in_p[b], control)?,
            only_second_p: machine.pairs_leading_to(|a, b| !in_p[a] && in_p[b], control)?,
            hopeful: (0..machine.states())
                .map(|state| same_p.contains(state, state))
                .collect(),
            known: HashMap::from([(first.clone(), 0)]),
            situations: vec![first],
            edges: Vec::new(),
            reached_from: vec![(0, 0)],
            remembered: 0,
            open: 0,
            open_position: None,
        })
    }

    fn run(&mut self, control: &mut Control) -> Result<(), AutomatonCheckError> {
        while self.edges.len() < self.situations.len() {
            let at = self.edges.len();
            let situation = self.situations[at].clone();
            self.edges.push(Vec::new());
            for heaps in 0..=self.machine.copies {
                let options = situation.options.len() + self.kinds.len();
                control.spend((situation.pending.len() + options * options + 8) as u64)?;
                let (next, is_open, is_done) = self.read(&situation, heaps);
                if is_open {
                    self.open += 1;
                    if self.open_position.is_none() {
                        self.open_position = Some(self.position(at, heaps));
                    }
                    if self.open > MAX_OPEN {
                        return Err(AutomatonCheckError::NWithoutP {
                            position: self.open_position.take().unwrap_or_default(),
                        });
                    }
                }
                let to = if is_done {
                    None
                } else {
                    Some(self.number(next, at, heaps)?)
                };
                self.edges[at].push(Edge { heaps, to, is_open });
            }
        }
        Ok(())
    }

    /// Returns the number of a situation, which is reached from another with `heaps` heaps.
    fn number(
        &mut self,
        situation: Situation,
        from: usize,
        heaps: usize,
    ) -> Result<usize, AutomatonCheckError> {
        if let Some(&known) = self.known.get(&situation) {
            return Ok(known);
        }
        let fresh = self.situations.len();
        if fresh == MAX_SITUATIONS {
            return Err(AutomatonCheckError::TooLarge("300,000 situations"));
        }
        let all = &situation;
        self.remembered += all.pending.len() + all.with_part.len() + all.options.len();
        if self.remembered > MAX_REMEMBERED {
            return Err(AutomatonCheckError::TooLarge(
                "40,000,000 states to remember",
            ));
        }
        self.known.insert(situation.clone(), fresh);
        self.situations.push(situation);
        self.reached_from.push((from, heaps));
        Ok(fresh)
    }

    /// Returns the situation after `heaps` heaps of the present size and a step.
    ///
    /// Also returns whether a position that ends with these heaps is open, and whether no position
    /// that follows can be open.
    fn read(&self, before: &Situation, heaps: usize) -> (Situation, bool, bool) {
        let machine = self.machine;
        let size = usize::from(before.size);
        let after = |state: u16, heaps: usize| match state {
            NONE => NONE,
            state => machine.after_heaps(state.into(), heaps) as u16,
        };
        let mut next = before.clone();
        next.state = after(before.state, heaps);
        // A part of the present size is read now.
        let with_part = |part: usize, heaps: usize| match part {
            0 => after(before.state, heaps),
            part if part == size => after(before.state, heaps + 1),
            part => after(before.with_part[part], heaps),
        };
        for (part, state) in next.with_part.iter_mut().enumerate() {
            *state = with_part(part, heaps);
        }
        let mut options: Vec<u16> = before
            .options
            .iter()
            .map(|&state| after(state, heaps))
            .collect();
        for kind in &self.kinds {
            let steps = kind.part + kind.taken;
            let due = before.pending[kind.first];
            if heaps > 0 && due != NONE {
                options.push(after(due, heaps - 1));
            }
            for left in 1..steps {
                next.pending[kind.first + left - 1] =
                    after(before.pending[kind.first + left], heaps);
            }
            // The other part is not smaller.
            next.pending[kind.first + steps - 1] = match kind.part <= size {
                true => with_part(kind.part, heaps + 1),
                false => NONE,
            };
        }
        let code = machine.code;
        if heaps > 0 {
            if size <= code.length() && code.digit(size) & 1 != 0 {
                options.push(after(before.state, heaps - 1));
            }
            next.has_move |= code.is_live(before.size.into());
        }
        let in_p = |state: u16| machine.in_p[usize::from(state)];
        let is_open =
            next.has_move && !in_p(next.state) && !options.iter().any(|&option| in_p(option));
        let step = |state: &mut u16| {
            if *state != NONE {
                *state = machine.step[usize::from(*state)] as u16;
            }
        };
        step(&mut next.state);
        next.with_part.iter_mut().for_each(step);
        next.pending.iter_mut().for_each(step);
        options.iter_mut().for_each(step);
        let is_done = options
            .iter()
            .any(|&option| !self.both_n.contains(next.state.into(), option.into()));
        next.options = self.that_matter(options);
        next.size = (size + 1).min(self.settled) as u16;
        (next, is_open, is_done)
    }

    /// Returns the options that are P at some end at which no other option is.
    fn that_matter(&self, mut options: Vec<u16>) -> Vec<u16> {
        options.sort_unstable();
        options.dedup();
        options.retain(|&option| self.hopeful[usize::from(option)]);
        let is_needless = |option: u16| {
            options.iter().any(|&other| {
                let covers = |a: u16, b: u16| !self.only_second_p.contains(a.into(), b.into());
                other != option
                    && covers(other, option)
                    && (!covers(option, other) || other < option)
            })
        };
        options
            .iter()
            .copied()
            .filter(|&option| !is_needless(option))
            .collect()
    }

    /// Returns a position that leads to a situation and ends with `heaps` heaps of its size.
    fn position(&self, situation: usize, heaps: usize) -> String {
        let (mut counts, mut at) = (vec![heaps], situation);
        while at != 0 {
            let (from, heaps) = self.reached_from[at];
            counts.push(heaps);
            at = from;
        }
        let heaps: Vec<String> = (1..)
            .zip(counts.into_iter().rev())
            .flat_map(|(size, heaps): (usize, usize)| vec![size.to_string(); heaps])
            .collect();
        heaps.join(" + ")
    }
}
