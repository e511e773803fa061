//! The sequences of numbers that belong to a game.
//!
//! Only sequences whose definition involves no choice of ours are listed: no numbering of elements,
//! no names. Each sequence states the meaning of its terms, its offset, and how far it is proved;
//! it ends where knowledge ends.

use std::fmt;
use std::str::FromStr;

use misere_census::Record;
use misere_engine::normal;
use misere_game::bipartite::Element;
use misere_game::bipartite::multiplication::Multiplication;
use misere_game::control::{Control, Interrupt};
use misere_game::outcome::Outcome;
use misere_game::ruleset::Code;
use misere_game::solution::{EvidenceOutcomes, Solution, SolvedBy};

use super::ExportError;

/// The greatest number of terms whose counts of partitions fit in 128 bits.
///
/// There are about 10^37.7 partitions of 1400.
const MAX_PARTITIONED: u32 = 1400;

/// The greatest number of counts kept at a time.
const MAX_COUNTS: u64 = 1 << 24;

/// A sequence that every game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// `a(n)` is the nim-value of heap `n` in normal play.
    NimValues,
    /// `a(n) = 1` if heap `n` alone is a P-position in misère play, else 0.
    Outcomes,
    /// The heaps that are P-positions in misère play, ascending.
    PHeaps,
    /// `a(n)` is the order of the misère quotient of heaps 0 to `n`.
    QuotientOrders,
    /// `a(n)` is the size of the P-portion of that quotient.
    PSizes,
    /// `a(n)` is the number of partitions of `n` that are P-positions in misère play.
    ///
    /// The parts are heaps.
    PPartitions,
}

/// The error of a text that is not a sequence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a sequence (there are {names})", names = Sequence::ALL.map(Sequence::name).join(", "))]
pub struct SequenceError(String);

impl Sequence {
    /// All sequences, in the order of their declaration.
    pub const ALL: [Self; 6] = [
        Self::NimValues,
        Self::Outcomes,
        Self::PHeaps,
        Self::QuotientOrders,
        Self::PSizes,
        Self::PPartitions,
    ];

    /// Returns its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NimValues => "nim-values",
            Self::Outcomes => "outcomes",
            Self::PHeaps => "p-heaps",
            Self::QuotientOrders => "quotient-orders",
            Self::PSizes => "p-sizes",
            Self::PPartitions => "p-partitions",
        }
    }

    /// Returns the meaning of the terms.
    #[must_use]
    pub fn says(self) -> &'static str {
        match self {
            Self::NimValues => "a(n) is the nim-value of a heap of n, in normal play",
            Self::Outcomes => {
                "a(n) = 1 if a heap of n alone is a P-position in misere play, else 0"
            }
            Self::PHeaps => "a(n) is the n-th heap size that alone is a P-position in misere play",
            Self::QuotientOrders => "a(n) is the order of the misere quotient of the heaps 0 to n",
            Self::PSizes => {
                "a(n) is the number of elements of the P-portion of the misere quotient of the heaps 0 to n"
            }
            Self::PPartitions => {
                "a(n) is the number of partitions of n that are P-positions in misere play, each part being a heap"
            }
        }
    }

    /// Returns the index of its first term.
    #[must_use]
    pub fn offset(self) -> u32 {
        match self {
            Self::PHeaps => 1,
            _ => 0,
        }
    }

    /// Reports whether the sequence of a game is proved to end with the given terms.
    ///
    /// The heaps that are P-positions may be finitely many.
    #[must_use]
    pub fn ends_with(self, record: &Record, solution: &Solution, terms: &[u128]) -> bool {
        let heaps = Heaps::new(record, solution);
        let all = |end: u32| (0..end).filter(|&n| heaps.is_p(n)).count() == terms.len();
        self == Self::PHeaps && heaps.ends_at().is_some_and(all)
    }

    /// Returns the first terms of the sequence of a game, at most `terms`.
    ///
    /// There are fewer where no more is known.
    ///
    /// Cost: for nim-values see [`normal::nim_values()`]; for partitions a step per heap, number and
    /// element.
    ///
    /// # Errors
    /// [`ExportError::Interrupted`]; [`ExportError::TooLong`] if counting partitions would need too
    /// much memory.
    pub fn terms(
        self,
        record: &Record,
        solution: &Solution,
        terms: u32,
        interrupt: &Interrupt,
    ) -> Result<Vec<u128>, ExportError> {
        let heaps = Heaps::new(record, solution);
        let known = 0..terms.min(heaps.known());
        let decided = 0..terms.min(heaps.decided());
        Ok(match self {
            Self::NimValues => nim_values(&record.code, terms, interrupt)?,
            Self::Outcomes => decided.map(|n| u128::from(heaps.is_p(n))).collect(),
            Self::PHeaps => {
                let p = (0..heaps.looked_at()).filter(|&n| heaps.is_p(n));
                p.map(u128::from).take(terms as usize).collect()
            }
            Self::QuotientOrders => known.map(|n| heaps.partial(n).0.into()).collect(),
            Self::PSizes => known.map(|n| heaps.partial(n).1.into()).collect(),
            Self::PPartitions => p_partitions(&heaps, known.end, interrupt)?,
        })
    }
}

/// The greatest heap that is searched for P-positions.
const MAX_LOOKED_AT: u32 = 1_000_000;

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Sequence {
    type Err = SequenceError;
    fn from_str(text: &str) -> Result<Self, SequenceError> {
        let found = Self::ALL.into_iter().find(|one| one.name() == text);
        found.ok_or_else(|| SequenceError(text.to_owned()))
    }
}

/// The knowledge on single heaps.
struct Heaps<'a> {
    record: &'a Record,
    solution: &'a Solution,
    /// The reader of the words of all heaps, if they solve the game.
    told: Option<EvidenceOutcomes<'a>>,
}

impl<'a> Heaps<'a> {
    fn new(record: &'a Record, solution: &'a Solution) -> Self {
        let evidence = solution.evidence.as_ref();
        let evidence = evidence.filter(|evidence| evidence.all_heaps().is_some());
        Self {
            record,
            solution,
            told: evidence.map(EvidenceOutcomes::new),
        }
    }

    /// Returns the number of heaps that are known, from 0 on.
    fn known(&self) -> u32 {
        if self.solution.verdict.is_periodic() {
            return u32::MAX;
        }
        self.solution.phi.len() as u32
    }

    /// Returns the number of heaps whose outcomes are known, from 0 on.
    fn decided(&self) -> u32 {
        match self.told.is_some() || self.solution.solved_by().is_some() {
            true => u32::MAX,
            false => self.known(),
        }
    }

    /// Returns the number of heaps that are searched for P-positions.
    ///
    /// Where no heap of a period is a P-position, no later heap is.
    fn looked_at(&self) -> u32 {
        match self.ends_at() {
            Some(end) => end,
            None => self.decided().min(MAX_LOOKED_AT),
        }
    }

    /// Returns the end of the P-positions among the heaps, if it is proved that they end.
    fn ends_at(&self) -> Option<u32> {
        let words = self.solution.all_heaps();
        let of_words = words.map(|all| (all.period, all.preperiod));
        let (period, preperiod) = self.solution.verdict.period().or(of_words)?;
        let mut one_period = preperiod..preperiod.saturating_add(period);
        one_period.all(|n| !self.is_p(n)).then_some(preperiod)
    }

    /// Returns the value of a heap that is known.
    fn value(&self, heap: u32) -> Element {
        self.solution.value(heap).unwrap_or(0)
    }

    fn is_p(&self, heap: u32) -> bool {
        if heap < self.known() {
            return self.solution.quotient.in_p(self.value(heap));
        }
        let heaps = [(heap, 1)];
        let live = heaps.into_iter().filter(|_| self.record.code.is_live(heap));
        let alone = [(heap.into(), 1)];
        let outcome = match (&self.told, self.solution.solved_by()) {
            (Some(told), _) => told.outcome(live),
            (None, Some(SolvedBy::Law(law))) => law.outcome(alone),
            (None, Some(SolvedBy::Automaton(automaton))) => automaton.outcome(alone),
            (None, None) => None,
        };
        outcome == Some(Outcome::P)
    }

    /// Returns order and size of the P-portion of the partial quotient to a heap.
    ///
    /// Before the first change there is only the empty position.
    fn partial(&self, heap: u32) -> (u32, u32) {
        let partials = &self.record.partials;
        let past = partials.partition_point(|partial| partial.heap <= heap);
        past.checked_sub(1)
            .and_then(|at| partials.get(at))
            .map_or((1, 0), |partial| (partial.order, partial.p_size))
    }
}

fn nim_values(code: &Code, terms: u32, interrupt: &Interrupt) -> Result<Vec<u128>, ExportError> {
    let mut control = Control::new(u64::MAX, interrupt.clone());
    let values = normal::nim_values(code, terms.saturating_sub(1), &mut control)
        .map_err(|_| ExportError::Interrupted)?;
    let values = values.into_iter();
    Ok(values.take(terms as usize).map(u128::from).collect())
}

/// Counts the partitions of each number by the value of their heaps.
///
/// It adds one size of heap after the other.
fn p_partitions(
    heaps: &Heaps<'_>,
    terms: u32,
    interrupt: &Interrupt,
) -> Result<Vec<u128>, ExportError> {
    let terms = terms.min(MAX_PARTITIONED);
    let quotient = &heaps.solution.quotient;
    let order = quotient.order();
    if u64::from(terms) * order as u64 > MAX_COUNTS {
        return Err(ExportError::TooLong {
            terms,
            order,
            at_most: MAX_COUNTS / order as u64,
        });
    }
    let multiplication = Multiplication::new(quotient);
    let mut counts = vec![vec![0_u128; order]; terms as usize];
    if let Some(empty) = counts.first_mut() {
        empty[0] = 1;
    }
    for heap in 1..terms {
        if interrupt.is_raised() {
            return Err(ExportError::Interrupted);
        }
        let times = multiplication.row(heaps.value(heap));
        for n in heap as usize..terms as usize {
            let (less, more) = counts.split_at_mut(n);
            for (&count, &product) in less[n - heap as usize].iter().zip(&times) {
                more[0][product as usize] += count;
            }
        }
    }
    let sum = |counts: &Vec<u128>| {
        quotient
            .p_portion()
            .iter()
            .map(|x| counts[x as usize])
            .sum()
    };
    Ok(counts.iter().map(sum).collect())
}

#[cfg(test)]
mod tests {
    use misere_census::{Budget, GameTask};
    use misere_engine::quotient::solve;
    use misere_game::outcome::{Convention, Oracle};

    use super::*;

    fn terms(code: &str, sequence: Sequence, count: u32) -> Vec<u128> {
        let task = GameTask {
            code: code.parse().unwrap(),
            aliases: Vec::new(),
            budget: Budget::default(),
        };
        let Budget {
            limits, strategy, ..
        } = task.budget;
        let solution = solve(&task.code, &limits, strategy, &mut Control::unlimited());
        let record = Record::new(&task, &solution).unwrap();
        sequence
            .terms(&record, &solution, count, &Interrupt::default())
            .unwrap()
    }

    #[test]
    fn sequences_are_read_as_they_are_written() {
        for sequence in Sequence::ALL {
            assert_eq!(sequence.name().parse(), Ok(sequence));
        }
        assert!("phi".parse::<Sequence>().is_err());
    }

    /// Compares Kayles with OEIS A002186.
    #[test]
    fn nim_values_of_kayles() {
        let values = terms("0.77", Sequence::NimValues, 13);
        assert_eq!(values, [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]);
    }

    /// Returns the partitions of a number into parts of at most `limit`, parts descending.
    fn partitions(number: u32, limit: u32) -> Vec<Vec<u32>> {
        if number == 0 {
            return vec![Vec::new()];
        }
        let with_first = |part| {
            let mut found = partitions(number - part, part);
            found.iter_mut().for_each(|rest| rest.insert(0, part));
            found
        };
        (1..=limit.min(number)).flat_map(with_first).collect()
    }

    /// Compares outcomes and counts with the definition of outcomes alone.
    #[test]
    fn outcomes_and_counts_are_those_of_the_rules() {
        for text in ["0.77", "0.123", "0.3", "0.75"] {
            let code: Code = text.parse().unwrap();
            let mut oracle = Oracle::new(&code, Convention::Misere);
            let mut is_p = |heaps: &[u32]| {
                let outcome = oracle.outcome(heaps, &mut Control::unlimited());
                outcome.unwrap() == Outcome::P
            };
            let single: Vec<u128> = (0..10).map(|n| u128::from(is_p(&[n]))).collect();
            let counts: Vec<u128> = (0..10)
                .map(|n| partitions(n, n).iter().filter(|heaps| is_p(heaps)).count() as u128)
                .collect();
            assert_eq!(terms(text, Sequence::Outcomes, 10), single, "{text}");
            assert_eq!(terms(text, Sequence::PPartitions, 10), counts, "{text}");
        }
    }

    /// Compares single heaps of games without a finite quotient, far beyond the heaps with a value.
    #[test]
    fn outcomes_without_a_finite_quotient_are_those_of_the_rules() {
        for text in ["0.31011", "0.1210002", "4.7"] {
            let code: Code = text.parse().unwrap();
            let mut oracle = Oracle::new(&code, Convention::Misere);
            let mut is_p = |heap: u32| {
                let outcome = oracle.outcome(&[heap], &mut Control::unlimited());
                outcome.unwrap() == Outcome::P
            };
            let single: Vec<u128> = (0..40).map(|n| u128::from(is_p(n))).collect();
            assert_eq!(terms(text, Sequence::Outcomes, 40), single, "{text}");
            let few = terms(text, Sequence::PPartitions, 40);
            let known = terms(text, Sequence::QuotientOrders, 40);
            assert_eq!(few.len(), known.len(), "{text}");
        }
        let outcomes = terms("0.31011", Sequence::Outcomes, 1000);
        assert_eq!(
            (outcomes.len(), &outcomes[6..506]),
            (1000, &outcomes[8..508])
        );
    }

    #[test]
    fn values_go_on_with_the_period() {
        let outcomes = terms("0.123", Sequence::Outcomes, 500);
        assert_eq!(outcomes.len(), 500);
        assert_eq!(outcomes[5..400], outcomes[10..405]);
        let heaps = terms("0.123", Sequence::PHeaps, 20);
        assert!(heaps.iter().all(|&n| outcomes[n as usize] == 1));
        // Winning Ways, chapter 13.
        assert_eq!(terms("0.77", Sequence::PHeaps, 20), [1, 4, 9, 12, 20]);
        let orders = terms("0.123", Sequence::QuotientOrders, 30);
        assert_eq!((orders[0], orders[29]), (1, 20));
        assert_eq!(terms("0.123", Sequence::PSizes, 30)[29], 5);
    }
}
