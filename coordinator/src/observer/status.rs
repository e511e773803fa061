//! State of a census: one word for programs, and one phrase for people, on every surface.
//!
//! The command line, the pages, their interface for programs and gRPC all report the same
//! [`CensusStatus`], and none of them computes the state of a census itself.

use std::fmt;

use misere_census::Plan;
use serde::{Deserialize, Serialize};

use misere_store::{Counters, Level, Store};

use super::{LiveStatus, Waits};

/// The state of a census.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CensusState {
    /// Every task has its record, and every level of the misère quotients is complete.
    #[serde(rename = "finished")]
    Finished,
    /// No task is left to do, and some tasks, in quarantine or dropped, have no record.
    #[serde(rename = "at its end, but not complete")]
    NotComplete,
    /// No task is left to do, and a level of the misère quotients is not complete.
    ///
    /// The levels above it cannot begin.
    #[serde(rename = "ended before a level of its quotients was complete")]
    LevelNotComplete,
    /// An operator has paused the census.
    #[serde(rename = "paused")]
    Paused,
    /// A coordinator is at work without any worker.
    #[serde(rename = "waiting for workers")]
    WaitingForWorkers,
    /// The tasks left need more memory than any connected worker offers.
    #[serde(rename = "waiting for a worker with more memory")]
    WaitingForMemory,
    /// A coordinator is at work with workers.
    #[serde(rename = "running")]
    Running,
    /// A process has the census open and does not answer.
    #[serde(rename = "not answering")]
    NotAnswering,
    /// No process has the census open for writing.
    #[serde(rename = "not running")]
    NotRunning,
}

impl CensusState {
    /// All states, in the order of their declaration.
    pub const ALL: [Self; 9] = [
        Self::Finished,
        Self::NotComplete,
        Self::LevelNotComplete,
        Self::Paused,
        Self::WaitingForWorkers,
        Self::WaitingForMemory,
        Self::Running,
        Self::NotAnswering,
        Self::NotRunning,
    ];

    /// Returns the advice for the command line, if there is any.
    #[must_use]
    pub fn advice(self) -> Option<&'static str> {
        match self {
            Self::Paused => Some("`misere census resume` goes on"),
            Self::NotRunning => Some("`misere census run` resumes it"),
            Self::Finished
            | Self::NotComplete
            | Self::LevelNotComplete
            | Self::WaitingForWorkers
            | Self::WaitingForMemory
            | Self::Running
            | Self::NotAnswering => None,
        }
    }
}

/// The phrase of the state for people.
impl fmt::Display for CensusState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Finished => "finished",
            Self::NotComplete => "at its end, but not complete",
            Self::LevelNotComplete => "ended before a level of its quotients was complete",
            Self::Paused => "paused",
            Self::WaitingForWorkers => "waiting for workers",
            Self::WaitingForMemory => "waiting for a worker with more memory",
            Self::Running => "running",
            Self::NotAnswering => "running; its coordinator does not answer",
            Self::NotRunning => "not running",
        })
    }
}

/// The status of a census, whether a coordinator is at work or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CensusStatus {
    /// The plan of the census.
    pub plan: Plan,
    /// The state of the census.
    pub state: CensusState,
    /// The numbers of tasks by state.
    pub counters: Counters,
    /// The levels of the misère quotients, by their order.
    pub levels: Vec<Level>,
    /// The state that the coordinator reports, if one answers.
    pub live: Option<LiveStatus>,
    /// Whether an operator has paused the census.
    pub paused: bool,
}

impl CensusStatus {
    /// Returns the status of a census, with the state that its coordinator reports, if one answers.
    ///
    /// `in_use` says whether a process has the census open for writing. The coordinator's report
    /// counts more than a store that was read a moment before.
    #[must_use]
    pub fn of(store: &Store, live: Option<LiveStatus>, in_use: bool) -> Self {
        let plan = store.plan().clone();
        let (counters, levels) = match &live {
            Some(live) => (live.counters, live.levels.clone()),
            None => (store.counters(), store.levels().copied().collect()),
        };
        let levels_are = Levels::of(&levels, plan.space().max_quotient_order());
        let is_doubted = match &live {
            Some(live) => live.rechecking,
            // A damaged entry is reported by what reads it for a decision.
            None => store.is_doubted().unwrap_or_default(),
        };
        Self {
            state: state(counters, levels_are, live.as_ref(), (in_use, is_doubted)),
            plan,
            counters,
            levels,
            // A damaged entry is reported by what reads it for a decision.
            paused: live
                .as_ref()
                .map_or_else(|| store.is_paused().unwrap_or_default(), |live| live.paused),
            live,
        }
    }

    /// Returns what a census lacks that has no task left to do, as `1 in quarantine`.
    ///
    /// Returns `None` if the census is in another state.
    #[must_use]
    pub fn lacks(&self) -> Option<String> {
        let lacking = [
            (self.counters.quarantined, "in quarantine"),
            (self.counters.dropped, "given up"),
        ];
        let lacking = lacking.into_iter().filter(|&(count, _)| count > 0);
        let lacking: Vec<String> = lacking
            .map(|(count, how)| format!("{count} {how}"))
            .collect();
        (self.state == CensusState::NotComplete).then(|| lacking.join(", "))
    }
}

/// The progress of the levels of the misère quotients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Levels {
    /// The plan has no levels, or all of them are complete.
    Complete,
    /// A level is at work or cannot be completed.
    Open,
    /// All levels so far are complete, and more are to come.
    Between,
}

impl Levels {
    fn of(levels: &[Level], top: Option<u8>) -> Self {
        let is_closed = |order: u8| levels.iter().any(|at| at.order == order && at.closed);
        if levels.iter().any(|level| !level.closed) {
            Self::Open
        } else if top.is_none_or(is_closed) {
            Self::Complete
        } else {
            Self::Between
        }
    }
}

fn state(
    counters: Counters,
    levels: Levels,
    live: Option<&LiveStatus>,
    (in_use, is_doubted): (bool, bool),
) -> CensusState {
    if counters.pending() == 0 && !is_doubted {
        match levels {
            Levels::Open => return CensusState::LevelNotComplete,
            Levels::Complete if counters.is_complete() => return CensusState::Finished,
            Levels::Complete => return CensusState::NotComplete,
            // The next level is about to be written.
            Levels::Between => {}
        }
    }
    let Some(live) = live else {
        return match in_use {
            true => CensusState::NotAnswering,
            false => CensusState::NotRunning,
        };
    };
    let waits_for_memory = |waits: &Waits| matches!(waits, Waits::Memory { .. });
    if live.paused {
        CensusState::Paused
    } else if live.waiting.contains(&Waits::Workers) {
        CensusState::WaitingForWorkers
    } else if live.leased + live.checking == 0 && live.waiting.iter().any(waits_for_memory) {
        CensusState::WaitingForMemory
    } else {
        CensusState::Running
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observer::{CheckersStatus, Remaining};

    fn counters(done: u64, quarantined: u64, dropped: u64) -> Counters {
        Counters {
            tasks: 10,
            codes: 10,
            done,
            exhausted: 0,
            quarantined,
            dropped,
        }
    }

    fn level(order: u8, closed: bool) -> Level {
        Level {
            order,
            closed,
            ..Level::default()
        }
    }

    fn live() -> LiveStatus {
        LiveStatus {
            counters: counters(3, 0, 0),
            levels: Vec::new(),
            ready: 7,
            leased: 0,
            checking: 0,
            paused: false,
            workers: Vec::new(),
            per_second: None,
            remaining: Remaining::Unknown,
            waiting: Vec::new(),
            shared_certificates: Vec::new(),
            caught: Vec::new(),
            evicted: 0,
            certificate_expires_ms: None,
            checkers: CheckersStatus::default(),
            rechecking: false,
        }
    }

    fn memory() -> Waits {
        Waits::Memory {
            class: 1,
            tasks: 2,
            example: "0.142".to_owned(),
        }
    }

    /// Returns the state of a census at work.
    fn at_work(live: &LiveStatus) -> CensusState {
        state(
            counters(3, 0, 0),
            Levels::Complete,
            Some(live),
            (true, false),
        )
    }

    #[test]
    fn a_census_is_finished_if_everything_has_its_record() {
        let end = |counters, live: Option<&LiveStatus>| {
            state(counters, Levels::Complete, live, (live.is_some(), false))
        };
        for live in [None, Some(&live())] {
            assert_eq!(end(counters(10, 0, 0), live), CensusState::Finished);
            assert_eq!(end(counters(8, 2, 0), live), CensusState::NotComplete);
            assert_eq!(end(counters(9, 0, 1), live), CensusState::NotComplete);
        }
    }

    #[test]
    fn a_census_is_not_finished_while_certificates_are_in_doubt() {
        let end = |live, in_use| state(counters(10, 0, 0), Levels::Complete, live, (in_use, true));
        let live = live();
        assert_eq!(end(Some(&live), true), CensusState::Running);
        assert_eq!(end(None, true), CensusState::NotAnswering);
        assert_eq!(end(None, false), CensusState::NotRunning);
    }

    #[test]
    fn a_census_whose_level_is_open_has_not_finished() {
        let end = |counters, levels: &[Level], live: Option<&LiveStatus>| {
            let levels = Levels::of(levels, Some(12));
            state(counters, levels, live, (live.is_some(), false))
        };
        let open = [level(8, true), level(9, false)];
        for counters in [counters(10, 0, 0), counters(9, 1, 0)] {
            for live in [None, Some(&live())] {
                let ended = end(counters, &open, live);
                assert_eq!(ended, CensusState::LevelNotComplete);
            }
        }
        let closed = [level(8, true), level(12, true)];
        assert_eq!(
            end(counters(10, 0, 0), &closed, None),
            CensusState::Finished
        );
        // Between two levels there is nothing to do either.
        let between = [level(8, true)];
        let done = counters(10, 0, 0);
        assert_eq!(end(done, &between, Some(&live())), CensusState::Running);
        assert_eq!(end(done, &between, None), CensusState::NotRunning);
    }

    #[test]
    fn an_unserved_census_is_not_running_or_not_answering() {
        let left = |in_use| state(counters(3, 0, 0), Levels::Complete, None, (in_use, false));
        assert_eq!(left(false), CensusState::NotRunning);
        assert_eq!(left(true), CensusState::NotAnswering);
    }

    #[test]
    fn a_running_census_states_its_reason_for_waiting() {
        assert_eq!(at_work(&live()), CensusState::Running);
        let paused = LiveStatus {
            paused: true,
            waiting: vec![Waits::Workers],
            ..live()
        };
        assert_eq!(at_work(&paused), CensusState::Paused);
        let alone = LiveStatus {
            waiting: vec![Waits::Workers],
            ..live()
        };
        assert_eq!(at_work(&alone), CensusState::WaitingForWorkers);
        let hungry = LiveStatus {
            waiting: vec![memory()],
            ..live()
        };
        assert_eq!(at_work(&hungry), CensusState::WaitingForMemory);
        // As long as others go on it does not wait.
        for (leased, checking) in [(1, 0), (0, 1)] {
            let busy = LiveStatus {
                leased,
                checking,
                ..hungry.clone()
            };
            assert_eq!(at_work(&busy), CensusState::Running);
        }
    }

    #[test]
    fn each_state_has_a_word_and_a_phrase_of_its_own() {
        let words = CensusState::ALL.map(|state| serde_json::to_string(&state).unwrap());
        let phrases = CensusState::ALL.map(|state| state.to_string());
        for (at, state) in CensusState::ALL.into_iter().enumerate() {
            let read: CensusState = serde_json::from_str(&words[at]).unwrap();
            assert_eq!(read, state);
            assert!(!words[at].contains(';'));
            assert!(words[..at].iter().all(|other| *other != words[at]));
            assert!(phrases[..at].iter().all(|other| *other != phrases[at]));
        }
    }
}
