//! The result of a check, and the form in which a checker states it to the coordinator.

use misere_algebra::classify::batch::BatchResult;
use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::solution::Reason;
use serde::{Deserialize, Serialize};

use crate::{
    AllHeapsFacts, AutomatonFacts, EncodingError, Finish, GameTask, LawFacts, Record, Task,
    encoding,
};

/// The version of the form of a stated result.
const VERSION: u8 = 3;

/// A certificate that may enter the census.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VerifiedResult {
    /// The way in which the task is finished.
    pub finish: Finish,
    /// Whether only the worker's word says that no more was found.
    pub unproved: bool,
    /// The finding that the census keeps.
    pub finding: Finding,
}

impl VerifiedResult {
    /// Returns the fuel that the certificate states, if its claim is not proved.
    ///
    /// Such a claim is that a limit was reached, that no period was found, or that the game goes on
    /// for ever. A claim about construction schemes is proved except for omissions, and its test
    /// costs too much.
    #[must_use]
    pub fn unproved_fuel(&self) -> Option<u64> {
        match &self.finding {
            Finding::Game { record, .. } => (!record.verdict.is_periodic()).then_some(record.fuel),
            Finding::Schemes(_) => None,
        }
    }
}

/// The finding that the census keeps of a certificate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Finding {
    /// Of a game.
    Game {
        /// The record.
        record: Box<Record>,
        /// The canonical form of the quotient.
        quotient: BipartiteMonoid,
    },
    /// Of a batch of construction schemes.
    Schemes(SchemesFinding),
}

/// The finding that the census keeps of a batch of construction schemes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SchemesFinding {
    /// The result; nothing if a scheme took more than its budget.
    pub settled: Option<BatchResult>,
    /// The canonical forms of the quotients found, in their order, with their classes.
    pub quotients: Vec<(ClassKey, BipartiteMonoid)>,
}

/// A reason why bytes do not state a result for a task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StatementError {
    /// The bytes state no result.
    #[error("unreadable result: {0}")]
    Encoding(#[from] EncodingError),
    /// The parts of the result do not agree with each other, or with the task.
    #[error("the result does not belong to its task: {0}")]
    Foreign(&'static str),
}

impl VerifiedResult {
    /// Returns the bytes that state this result.
    ///
    /// Cost: linear in the bytes.
    ///
    /// # Errors
    /// [`EncodingError`] if it cannot be written, which no result of a check does.
    pub fn state(&self) -> Result<Vec<u8>, EncodingError> {
        encoding::encode(VERSION, &(self, Beside::of(&self.finding)))
    }

    /// Returns the result that bytes state about a certificate of this task.
    ///
    /// Whether it is true is not examined, only that its parts agree: the task with the record, the
    /// class with the tables of the quotient, and the finish with the verdict.
    ///
    /// Cost: linear in the bytes, and the reading of the quotients.
    ///
    /// ```
    /// use misere_census::admission::{VerifiedResult, verify};
    /// use misere_census::{Budget, GameTask, Task, certificate};
    /// use misere_engine::quotient::solve;
    /// use misere_game::control::{Control, Interrupt};
    /// let budget = Budget::default();
    /// let task = Task::game("0.123".parse()?, Vec::new(), budget);
    /// let control = &mut Control::unlimited();
    /// let solution = solve(&"0.123".parse()?, &budget.limits, budget.strategy, control);
    /// let verified = verify(&task, &certificate::encode(&solution)?, Interrupt::default())?;
    /// assert_eq!(VerifiedResult::stated(&task, &verified.state()?)?, verified);
    /// let other = Task::game("0.77".parse()?, Vec::new(), budget);
    /// assert!(VerifiedResult::stated(&other, &verified.state()?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`StatementError`] if they state no result, or one that cannot be of this task.
    pub fn stated(task: &Task, bytes: &[u8]) -> Result<Self, StatementError> {
        let (mut stated, beside): (Self, Option<Beside>) = encoding::decode(VERSION, bytes)?;
        if let Some(beside) = beside {
            beside.restore(&mut stated.finding);
        }
        let flaw = match (&stated.finding, task) {
            (Finding::Game { record, quotient }, Task::Game(game)) => {
                flaw_of_game(game, record, quotient, stated.finish)
            }
            (Finding::Schemes(finding), Task::Schemes(_)) => {
                flaw_of_schemes(finding, stated.finish)
            }
            _ => Some("it is about another kind of task"),
        };
        flaw.map_or(Ok(stated), |flaw| Err(StatementError::Foreign(flaw)))
    }
}

/// The parts of a record and its aliases that are not in their own bytes, which are those of earlier
/// releases.
#[derive(Serialize, Deserialize)]
struct Beside {
    reason: Option<Reason>,
    law: Option<LawFacts>,
    automaton: Option<AutomatonFacts>,
    all_heaps: Option<AllHeapsFacts>,
    infinite_later: Option<u32>,
    aliases: Vec<(Option<AutomatonFacts>, Option<AllHeapsFacts>)>,
}

impl Beside {
    /// Returns these parts of the record of a game; of schemes there are none.
    fn of(finding: &Finding) -> Option<Self> {
        let Finding::Game { record, .. } = finding else {
            return None;
        };
        let aliases = record.aliases.iter();
        Some(Self {
            aliases: aliases
                .map(|alias| (alias.automaton, alias.all_heaps))
                .collect(),
            reason: record.reason,
            law: record.law,
            automaton: record.automaton,
            all_heaps: record.all_heaps,
            infinite_later: record.infinite_later,
        })
    }

    /// Puts these parts into the record.
    fn restore(self, finding: &mut Finding) {
        if let Finding::Game { record, .. } = finding {
            record.reason = self.reason;
            record.law = self.law;
            record.automaton = self.automaton;
            record.all_heaps = self.all_heaps;
            record.infinite_later = self.infinite_later;
            for (alias, beside) in record.aliases.iter_mut().zip(self.aliases) {
                (alias.automaton, alias.all_heaps) = beside;
            }
        }
    }
}

fn flaw_of_game(
    game: &GameTask,
    record: &Record,
    quotient: &BipartiteMonoid,
    finish: Finish,
) -> Option<&'static str> {
    let aliases = record.aliases.iter().map(|alias| &alias.code);
    let ends_at_limit = record.verdict.limit().is_some();
    let shape = (quotient.order() as u32, quotient.p_size() as u32);
    match () {
        () if record.code != game.code => Some("its record is of another game"),
        () if !aliases.eq(&game.aliases) => Some("its record has other aliases"),
        () if shape != (record.order, record.p_size) => Some("its quotient has another order"),
        () if quotient.key_as_numbered() != record.class => Some("its quotient has another class"),
        () if ends_at_limit != (finish == Finish::Exhausted) => Some("it ends in another way"),
        () => None,
    }
}

fn flaw_of_schemes(finding: &SchemesFinding, finish: Finish) -> Option<&'static str> {
    let found = finding
        .settled
        .as_ref()
        .map(|settled| settled.quotients.len());
    let mut quotients = finding.quotients.iter();
    match () {
        () if found.is_some() != (finish == Finish::Done) => Some("it ends in another way"),
        () if found.unwrap_or(0) != finding.quotients.len() => Some("it has other quotients"),
        () if quotients.any(|(class, form)| form.key_as_numbered() != *class) => {
            Some("a quotient has another class")
        }
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use misere_algebra::classify::batch::{Batch, Scheme};
    use misere_engine::quotient::solve;
    use misere_game::bipartite::families::tame;
    use misere_game::control::{Control, Interrupt};
    use misere_game::solution::{Limit, Verdict};

    use super::super::verify;
    use super::*;
    use crate::{Budget, certificate, schemes};

    fn game(code: &str) -> Task {
        Task::game(code.parse().unwrap(), Vec::new(), Budget::default())
    }

    fn verified(task: &Task) -> VerifiedResult {
        let budget = task.budget();
        let code = &task.as_game().unwrap().code;
        let mut control = Control::new(budget.fuel, Interrupt::default());
        let solution = solve(code, &budget.limits, budget.strategy, &mut control);
        let bytes = certificate::encode(&solution).unwrap();
        verify(task, &bytes, Interrupt::default()).unwrap()
    }

    /// A record has parts beside its own bytes; they count for the digest of the census.
    #[test]
    fn every_part_of_a_record_is_stated() {
        let has = |code: &str, part: fn(&Record) -> bool| {
            let task = game(code);
            let mut result = verified(&task);
            let (noted, _) = record(&mut result);
            assert!(part(noted), "{code}");
            (noted.reason, noted.infinite_later) = (Some(Reason::Fuel), Some(99));
            let stated = VerifiedResult::stated(&task, &result.state().unwrap());
            assert_eq!(stated.unwrap(), result, "{code}");
        };
        has("0.26", |record| record.law.is_some());
        has("0.54", |record| record.automaton.is_some());
        has("0.31011", |record| record.all_heaps.is_some());
    }

    #[test]
    fn every_part_of_an_alias_is_stated() {
        let mut past_infinite = verified(&game("0.31011"));
        let all_heaps = record(&mut past_infinite).0.all_heaps;
        let code = "0.54".parse().unwrap();
        let task = Task::game(code, vec!["0.542".parse().unwrap()], Budget::default());
        let mut result = verified(&task);
        let alias = &mut record(&mut result).0.aliases[0];
        assert!(alias.automaton.is_some() && all_heaps.is_some());
        alias.all_heaps = all_heaps;
        let stated = VerifiedResult::stated(&task, &result.state().unwrap());
        assert_eq!(stated.unwrap(), result);
    }

    /// Returns the flaw that is found in a result of 0.123 that was changed.
    fn flaw(change: impl FnOnce(&mut VerifiedResult)) -> String {
        let task = game("0.123");
        let mut result = verified(&task);
        change(&mut result);
        let stated = VerifiedResult::stated(&task, &result.state().unwrap());
        stated.unwrap_err().to_string()
    }

    fn record(result: &mut VerifiedResult) -> (&mut Record, &mut BipartiteMonoid) {
        match &mut result.finding {
            Finding::Game { record, quotient } => (record, quotient),
            Finding::Schemes(_) => unreachable!("it is of a game"),
        }
    }

    #[test]
    fn parts_that_do_not_belong_together_are_refused() {
        let other = verified(&game("0.77"));
        assert!(flaw(|it| *it = other).contains("of another game"));
        let alias = verified(&game("0.77"));
        let alias = match alias.finding {
            Finding::Game { record, .. } => record.code,
            Finding::Schemes(_) => unreachable!("it is of a game"),
        };
        let with_alias = Task::game("0.123".parse().unwrap(), vec![alias], Budget::default());
        let result = verified(&game("0.123")).state().unwrap();
        let error = VerifiedResult::stated(&with_alias, &result).unwrap_err();
        assert!(error.to_string().contains("other aliases"));
        assert!(flaw(|it| record(it).0.order += 1).contains("another order"));
        assert!(flaw(|it| record(it).0.p_size += 1).contains("another order"));
        assert!(flaw(|it| record(it).0.class = tame(1).class_key()).contains("another class"));
        assert!(flaw(|it| it.finish = Finish::Exhausted).contains("ends in another way"));
        let spent = Verdict::Exhausted(Limit::Fuel);
        assert!(flaw(|it| record(it).0.verdict = spent).contains("ends in another way"));
        let schemes = Finding::Schemes(SchemesFinding::default());
        assert!(flaw(|it| it.finding = schemes).contains("another kind"));
    }

    #[test]
    fn results_of_schemes_have_their_quotients() {
        let batch = Batch {
            most: 8,
            order: 2,
            schemes: vec![Scheme::first()],
        };
        let task = Task::schemes(batch, Budget::default());
        let mut control = Control::unlimited();
        let outcome = schemes::settle(task.as_schemes().unwrap(), &mut control).unwrap();
        let bytes = schemes::encode(&outcome).unwrap();
        let result = verify(&task, &bytes, Interrupt::default()).unwrap();
        let stated = |result: &VerifiedResult| {
            VerifiedResult::stated(&task, &result.state().unwrap())
                .map_err(|error| error.to_string())
        };
        assert_eq!(stated(&result), Ok(result.clone()));
        let changed = |change: &dyn Fn(&mut SchemesFinding)| {
            let mut result = result.clone();
            if let Finding::Schemes(finding) = &mut result.finding {
                change(finding);
            }
            stated(&result).unwrap_err()
        };
        assert!(changed(&|it| it.settled = None).contains("ends in another way"));
        assert!(changed(&|it| it.quotients.clear()).contains("other quotients"));
        assert!(changed(&|it| it.quotients[0].0 = ClassKey([0; 32])).contains("another class"));
    }
}
