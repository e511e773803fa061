//! Lies about infinity: evidence with few letters and few states, true outcomes that tell nothing
//! apart, the evidence of one game under another code.
//!
//! A small piece of evidence is a table: for each column and each class of a [`Reader`] it says P,
//! N or nothing. All tables with few entries are tried. Larger tables are made of the outcomes by
//! the rules, with some entries changed, or found by climbing: an entry is changed, and the change
//! is kept if the checker gets no less far.

use misere_check::infinite::{FamilyCheckError, check, check_outcomes, diagram};
use misere_game::control::{Control, Interrupt};
use misere_game::outcome::Outcome;
use misere_game::ruleset::Code;
use misere_game::solution::evidence::{Column, Count, Letter, State, Word};
use misere_game::solution::{DiagramFamily, Evidence, InfiniteFamily, Solution, Verdict};

use super::borrowed;
use super::claims::Values;
use super::diagrams;
use super::dice::Dice;
use super::families::outcomes_are_right;
use super::known::GAMES;
use super::readers::Reader;
use super::{Enemy, FUEL, tells};

/// The greatest number of entries for which all tables are tried.
const MAX_ENTRIES: usize = 5;
/// The entries that a table can have.
pub(crate) const SAYINGS: [Option<Outcome>; 3] = [None, Some(Outcome::N), Some(Outcome::P)];

/// A game, its greatest heap, and how counts are read; the outcomes are added later.
struct Shape {
    code: Code,
    heap: u32,
    letters: Vec<Letter>,
    words: Vec<Word>,
    columns: Vec<Vec<u32>>,
    reader: Reader,
}

impl Shape {
    fn entries(&self) -> usize {
        self.columns.len() * self.reader.classes
    }

    /// Returns the evidence with these outcomes, by column and class.
    ///
    /// The evidence claims that all multiples of every digit differ.
    fn family(&self, table: &[Option<Outcome>]) -> InfiniteFamily {
        let size = self.reader.next.len() as u32;
        let mut states = Vec::new();
        for sayings in table.chunks(self.reader.classes) {
            let begin = states.len() as u32;
            states.extend(
                self.reader
                    .next
                    .iter()
                    .zip(&self.reader.class)
                    .map(|(next, &class)| State {
                        outcome: sayings[class],
                        next: next.iter().map(|to| begin + to).collect(),
                    }),
            );
        }
        let columns = (0..).zip(&self.columns);
        let columns = columns.map(|(at, counts)| Column {
            counts: counts.clone(),
            state: at * size,
        });
        let is_digit = |letter: &&Letter| letter.count == Count::Digits;
        InfiniteFamily {
            distinct_multiples: self
                .letters
                .iter()
                .filter(is_digit)
                .map(|l| l.heap)
                .collect(),
            letters: self.letters.clone(),
            words: self.words.clone(),
            columns: columns.collect(),
            states,
            all_heaps: None,
        }
    }

    /// Returns the outcomes by the rules.
    ///
    /// An entry has none if its positions have different outcomes, or none of its positions has few
    /// heaps.
    fn truth(&self, enemy: &mut Enemy) -> Vec<Option<Outcome>> {
        let rules = enemy.judge.rules(&self.code.to_string());
        let mut seen = vec![[false; 2]; self.entries()];
        let mut open = vec![(Vec::new(), 0)];
        while let Some((position, from)) = open.pop() {
            if let Some(entry) = self.entry(&position) {
                seen[entry][usize::from(rules.is_p(&position))] = true;
            }
            if position.len() < 5 && position.iter().sum::<u32>() < 18 {
                for at in from..self.letters.len() {
                    let mut longer = position.clone();
                    longer.push(self.letters[at].heap);
                    open.push((longer, at));
                }
            }
        }
        let saying = |seen: [bool; 2]| match seen {
            [true, false] => Some(Outcome::N),
            [false, true] => Some(Outcome::P),
            _ => None,
        };
        seen.into_iter().map(saying).collect()
    }

    /// Returns the column and class of a sum of letters.
    fn entry(&self, position: &[u32]) -> Option<usize> {
        let copies =
            |letter: &Letter| position.iter().filter(|&&heap| heap == letter.heap).count() as u32;
        let (mut column, mut digits) = (Vec::new(), Vec::new());
        for letter in &self.letters {
            let count = copies(letter);
            match letter.count {
                Count::Digits => digits.push(count),
                Count::Cycle { index, period } if count < index + period => column.push(count),
                Count::Cycle { period: 0, .. } => return None,
                Count::Cycle { index, period } => column.push(index + (count - index) % period),
            }
        }
        let at = self.columns.iter().position(|counts| *counts == column)?;
        let mut state = 0;
        while digits.iter().any(|&x| x > 0) {
            let bits: usize = digits
                .iter()
                .enumerate()
                .map(|(d, x)| ((x & 1) as usize) << d)
                .sum();
            state = self.reader.next[state][bits] as usize;
            digits.iter_mut().for_each(|x| *x /= 2);
        }
        Some(at * self.reader.classes + self.reader.class[state])
    }
}

/// Draws a game with a few live heaps, each a digit, a letter with a cycle or a heap with a word.
fn shape(dice: &mut Dice) -> Option<Shape> {
    let code = dice.pick(&GAMES).code.clone();
    let live: Vec<u32> = (0..12).filter(|&heap| code.is_live(heap)).collect();
    let mut heaps: Vec<u32> = live.into_iter().take(1 + dice.below(4)).collect();
    let mut heap = *heaps.last()?;
    match dice.below(24) {
        // Not closed under moves, a dead heap, or a heap too large: the checker has to see all of
        // these.
        0 => drop(heaps.remove(dice.below(heaps.len()))),
        1 => heaps.push(heap + 1),
        2 => heap = heap.saturating_sub(1),
        _ => {}
    }
    let (mut letters, mut words) = (Vec::new(), Vec::new());
    for &heap in &heaps {
        // Heaps after the first are often read as sums of others.
        match dice.below(if letters.is_empty() { 5 } else { 9 }) {
            0 | 1 => letters.push(Letter {
                heap,
                count: Count::Digits,
            }),
            2 | 3 => letters.push(Letter {
                heap,
                count: Count::Cycle {
                    index: dice.below(6).min(2) as u32,
                    period: dice.below(3) as u32,
                },
            }),
            _ => words.push(Word {
                heap,
                word: Vec::new(),
            }),
        }
    }
    let digits = letters
        .iter()
        .filter(|letter| letter.count == Count::Digits)
        .count();
    if digits == 0 || digits > 2 {
        return None;
    }
    for Word { heap, word } in &mut words {
        let is_wild = dice.below(6) == 0;
        for letter in letters
            .iter()
            .filter(|letter| is_wild || letter.heap < *heap)
        {
            let count = dice.below(4).saturating_sub(1) as u32;
            if count > 0 {
                word.push((letter.heap, count));
            }
        }
    }
    let reader = match (dice.below(6), digits) {
        (0 | 1, _) => Reader::zero(digits),
        (2 | 3, _) => Reader::parity(digits),
        (4, 2) => Reader::diagonal(),
        (4, _) => Reader::highest(digits),
        _ => Reader::ones(digits),
    };
    let mut columns: Vec<Vec<u32>> = vec![Vec::new()];
    for letter in &letters {
        if let Count::Cycle { index, period } = letter.count {
            let counts = 0..index + period;
            columns = counts
                .flat_map(|x| {
                    columns
                        .iter()
                        .map(move |column| [&column[..], &[x]].concat())
                })
                .collect();
        }
    }
    if dice.below(10) == 0 {
        columns.truncate(1 + dice.below(columns.len()));
    }
    let shape = Shape {
        code,
        heap,
        letters,
        words,
        columns,
        reader,
    };
    (shape.entries() <= 60).then_some(shape)
}

impl Enemy {
    /// Makes the claim that the outcomes are right, and returns how far the checker gets.
    fn says(&mut self, seed: u64, shape: &Shape, table: &[Option<Outcome>]) -> usize {
        let family = shape.family(table);
        let control = &mut Control::new(FUEL, Interrupt::default());
        let answer = check_outcomes(&shape.code, shape.heap, &family, control);
        self.note(&answer);
        self.agrees_with_the_diagram(seed, shape, &family, &answer);
        if answer.is_ok() {
            let rules = self.judge.rules(&shape.code.to_string());
            if let Err(reason) = outcomes_are_right(rules, &family) {
                let evidence = serde_json::to_string(&family).unwrap();
                panic!(
                    "seed {seed}: outcomes of {} accepted, although {reason}\n{evidence}",
                    shape.code
                );
            }
            self.distinguishes(seed, &shape.code, shape.heap, &family);
        }
        how_far(&answer, &shape.columns)
    }

    /// Checks that the same outcomes as a diagram are right or wrong too.
    fn agrees_with_the_diagram(
        &mut self,
        seed: u64,
        shape: &Shape,
        family: &InfiniteFamily,
        columns: &Result<(), FamilyCheckError>,
    ) {
        // A cycle has to begin later in columns than in a node.
        if let Err(FamilyCheckError::Malformed { .. } | FamilyCheckError::TooLarge { .. }) = columns
        {
            return;
        }
        let told = diagrams::told_anew(family);
        let control = &mut Control::new(FUEL, Interrupt::default());
        let answer = diagram::check_letters(&shape.code, shape.heap, &told, control)
            .and_then(|()| diagram::check_words(&shape.code, shape.heap, &told, control));
        self.note(&answer);
        if answer.is_ok() != columns.is_ok() {
            let evidence = serde_json::to_string(family).unwrap();
            panic!(
                "seed {seed}: {} in columns: {columns:?}, as a diagram: {answer:?}\n{evidence}",
                shape.code
            );
        }
    }

    /// Makes the claim, by a diagram, that the quotient to a heap is infinite.
    fn diagram_tells_apart(&mut self, seed: u64, code: &Code, heap: u32, family: &DiagramFamily) {
        let control = &mut Control::new(FUEL, Interrupt::default());
        let answer = diagram::check(code, heap, family, control);
        self.note(&answer);
        if answer.is_err() {
            return;
        }
        let right = diagrams::outcomes_are_right(self.judge.rules(&code.to_string()), family);
        let claim = Values {
            monoid: misere_game::bipartite::BipartiteMonoid::trivial(),
            phi: vec![0],
        };
        let is_finite = self.judge.is_finite(&claim.claimed_of(code, true), heap);
        if is_finite || right.is_err() {
            let evidence = serde_json::to_string(family).unwrap();
            panic!(
                "seed {seed}: {code} to heap {heap} accepted as infinite: finite {is_finite}, {right:?}\n{evidence}"
            );
        }
    }

    /// Makes the claim that the quotient to a heap is infinite.
    fn distinguishes(
        &mut self,
        seed: u64,
        code: &Code,
        heap: u32,
        family: &InfiniteFamily,
    ) -> bool {
        let control = &mut Control::new(FUEL, Interrupt::default());
        let answer = check(code, heap, family, control);
        self.note(&answer);
        if answer.is_err() {
            return false;
        }
        let rules = self.judge.rules(&code.to_string());
        let right = outcomes_are_right(rules, family);
        // A claim to be filed, so that the judge can look up what is known of the game.
        let claim = Values {
            monoid: misere_game::bipartite::BipartiteMonoid::trivial(),
            phi: vec![0],
        };
        let is_finite = self.judge.is_finite(&claim.claimed_of(code, true), heap);
        if is_finite || right.is_err() {
            let evidence = serde_json::to_string(family).unwrap();
            panic!(
                "seed {seed}: {code} to heap {heap} accepted as infinite: finite {is_finite}, {right:?}\n{evidence}"
            );
        }
        true
    }
}

/// Returns how far the checker got: the number of the hypothesis, and of the column.
fn how_far(answer: &Result<(), FamilyCheckError>, columns: &[Vec<u32>]) -> usize {
    match answer {
        Err(FamilyCheckError::Outcome { column }) => {
            2 + columns.iter().filter(|other| *other < column).count()
        }
        Err(FamilyCheckError::Word { .. }) => 10_000,
        Ok(()) => 20_000,
        Err(FamilyCheckError::End) => 1,
        Err(_) => 0,
    }
}

/// Tries all tables of a shape with few entries, or as many as are left to be made.
fn all_tables(enemy: &mut Enemy, seed: u64, shape: &Shape, end: u64) {
    let Some(of_end) = shape.entry(&[]) else {
        return;
    };
    for number in 0..3_usize.pow(shape.entries() as u32) {
        if enemy.told >= end {
            return;
        }
        let saying = |entry| SAYINGS[number / 3_usize.pow(entry) % 3];
        let table: Vec<_> = (0..shape.entries() as u32).map(saying).collect();
        // Where the end is not said to be N, one table is like another.
        if table[of_end] == Some(Outcome::N) || number < 3 {
            enemy.says(seed, shape, &table);
        }
    }
}

/// Changes entry after entry of a table as long as the checker gets no less far.
fn climb(enemy: &mut Enemy, seed: u64, shape: &Shape, mut table: Vec<Option<Outcome>>, end: u64) {
    let dice = &mut Dice(seed);
    let mut far = enemy.says(seed, shape, &table);
    for _ in 0..40 {
        if enemy.told >= end {
            return;
        }
        let mut other = table.clone();
        for _ in 0..=dice.below(2) {
            other[dice.below(shape.entries())] = *dice.pick(&SAYINGS);
        }
        let as_far = enemy.says(seed, shape, &other);
        if as_far >= far {
            (table, far) = (other, as_far);
        }
    }
}

/// Makes a whole certificate: true to a heap, with evidence that the next quotient is infinite.
fn certificate(enemy: &mut Enemy, seed: u64, shape: &Shape, table: &[Option<Outcome>]) {
    let game = GAMES.iter().find(|game| game.code == shape.code).unwrap();
    let dice = &mut Dice(seed);
    let heaps = match dice.below(3) {
        0 => game.heaps().min(6),
        _ => shape.heap.saturating_sub(1).min(game.heaps()),
    };
    let mut claim: Solution = Values::of(game)
        .to(heaps as usize)
        .claimed_of(&game.code, true);
    if dice.below(4) > 0 {
        let heap = heaps + [1, 1, 1, 1, 1, 2, 0][dice.below(7)];
        claim.verdict = Verdict::Diverges { heap, copies: 20 };
    }
    claim.evidence = (dice.below(4) > 0).then(|| Evidence::Columns(shape.family(table)));
    enemy.claims(seed, &claim);
}

pub(crate) fn attack(enemy: &mut Enemy, claims: u64, seed: u64) {
    let end = enemy.told + claims;
    let mut number = seed;
    while enemy.told < end {
        number += 1;
        let dice = &mut Dice(number);
        if dice.below(8) == 0 {
            let (code, heap, family) = borrowed::lie(dice);
            enemy.distinguishes(number, &code, heap, &family);
            continue;
        }
        if dice.below(7) == 0 {
            let (code, heap, family) = diagrams::lie(dice);
            enemy.diagram_tells_apart(number, &code, heap, &family);
            continue;
        }
        let Some(shape) = shape(dice) else {
            continue;
        };
        if shape.entries() <= MAX_ENTRIES {
            all_tables(enemy, number, &shape, end);
            continue;
        }
        let truth = shape.truth(enemy);
        match dice.below(5) {
            0 | 1 => certificate(enemy, number, &shape, &truth),
            2 => {
                let mut any: Vec<_> = (0..shape.entries()).map(|_| *dice.pick(&SAYINGS)).collect();
                if let Some(of_end) = shape.entry(&[]) {
                    any[of_end] = Some(Outcome::N);
                }
                climb(enemy, number, &shape, any, end);
            }
            _ => climb(enemy, number, &shape, truth, end),
        }
    }
}

#[test]
fn evidence_of_infinity() {
    tells(
        attack,
        3_000,
        &[
            "Ok",
            "End",
            "DivergesElsewhere",
            "Evidence(Outcome",
            "GreaterLetter",
            "Heap",
            "Malformed",
            "Multiples",
            "NotClosed",
            "Outcome",
            "Position",
            "Word",
        ],
    );
}
