//! How the computation of a game ended, in one enum and one sentence.
//!
//! A [`Verdict`] alone does not say whether a game is solved: a proof beside it may decide every
//! position although the quotient diverges or grows. [`Conclusion`] takes both together.

use std::fmt;

use misere_check::automaton::shows_infinite;
use misere_check::law_shows_infinite;
use misere_game::ruleset::{Code, FiniteGame};
use misere_game::solution::{Limit, NimPeriod, Reason, Solution, SolvedBy, Verdict};

use crate::ending::Ending;
use crate::status::Status;

/// How the computation of a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// Solved: the game is finite.
    FiniteGame {
        /// The day on which it is born.
        birthday: u32,
        /// The number of its followers besides 0.
        followers: u32,
    },
    /// Solved by a finite quotient and a period.
    Periodic {
        /// The least period of the pretending function.
        period: u32,
        /// The least heap from which on it holds.
        preperiod: u32,
    },
    /// Solved by a law; the partial quotients grow.
    Law {
        /// The number of heaps after which the law repeats.
        period: u32,
        /// Whether the law shows that the quotient is infinite.
        infinite: bool,
    },
    /// Solved by an automaton; the partial quotients grow.
    Automaton {
        /// The number of states of the automaton that reads the heaps of the code.
        states: u32,
        /// Whether the automaton shows that the quotient is infinite.
        infinite: bool,
    },
    /// Solved past an infinite quotient, by words of all heaps that repeat.
    PastInfinite {
        /// The heap at which the game diverges, and to which the quotient is proved infinite.
        heap: InfiniteHeap,
        /// The heap from which on the words repeat.
        preperiod: u32,
        /// The period of the words.
        period: u32,
    },
    /// Normal play from a heap on (Siegel, *Structure and classification*, Theorem 3.9).
    TameRelative {
        /// The least such heap.
        heap: u32,
        /// The period of the nim-values, if one is proved: then the game is known for all heaps.
        nim_period: Option<NimPeriod>,
    },
    /// The partial quotient to a heap is proved infinite.
    Infinite {
        /// The heap at which the game diverges, and to which the quotient is proved infinite.
        heap: InfiniteHeap,
    },
    /// The partial quotient to this heap is not finite as far as seen.
    Diverges {
        /// The heap.
        heap: u32,
        /// The number of copies of some heap that were tried without a repetition.
        copies: u32,
        /// The reason why no proof of infinity was found.
        reason: Option<Reason>,
    },
    /// Partial quotients grow in a pattern: a conjecture.
    Grows {
        /// The heap from which on the pattern holds.
        start: u32,
        /// Its period.
        period: u32,
    },
    /// A limit was reached.
    Exhausted(Limit),
    /// The computation was stopped: no verdict.
    Interrupted,
}

/// The heaps of a divergence whose quotient is proved infinite.
///
/// The text is `at heap 18`, or `to heap 24, diverging at heap 17`: the evidence may have
/// letters greater than the heap of the divergence. Then nothing is proved of the partial quotients
/// between.
///
/// ```
/// use misere_answers::InfiniteHeap;
/// assert_eq!(InfiniteHeap::new(18, 18).to_string(), "at heap 18");
/// let later = InfiniteHeap::new(17, 24);
/// assert_eq!(later.to_string(), "to heap 24, diverging at heap 17");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InfiniteHeap {
    /// The heap at which the game diverges. The quotient before it is finite.
    pub diverges_at: u32,
    /// The heap to which the quotient is proved infinite.
    pub proved: u32,
}

impl InfiniteHeap {
    /// Creates the pair of a heap and one that is at least as great.
    #[must_use]
    pub fn new(diverges_at: u32, proved: u32) -> Self {
        Self {
            diverges_at,
            proved: proved.max(diverges_at),
        }
    }

    /// Reports whether the quotient is proved infinite at the heap where the game diverges.
    #[must_use]
    pub fn is_at_divergence(self) -> bool {
        self.proved == self.diverges_at
    }
}

impl fmt::Display for InfiniteHeap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            diverges_at,
            proved,
        } = self;
        match self.is_at_divergence() {
            true => write!(f, "at heap {proved}"),
            false => write!(f, "to heap {proved}, diverging at heap {diverges_at}"),
        }
    }
}

/// What is proved of a game beside its verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proofs {
    /// The period of the law that decides every position, and whether it shows an infinite quotient.
    pub law: Option<(u32, bool)>,
    /// The number of states of the automaton that decides every position, and whether it shows an
    /// infinite quotient.
    pub automaton: Option<(u32, bool)>,
    /// Preperiod and period of the words of all heaps.
    pub all_heaps: Option<(u32, u32)>,
    /// The period of the nim-values of a game that is tame relative to a heap.
    pub nim_period: Option<NimPeriod>,
    /// The heap to which the quotient is proved infinite.
    pub infinite_to: Option<u32>,
    /// The reason why it is not. It is not proved.
    pub reason: Option<Reason>,
}

impl Conclusion {
    /// Returns the conclusion of a solution that the checker accepted.
    ///
    /// ```
    /// use misere_answers::{Conclusion, Status};
    /// use misere_game::control::Control;
    /// use misere_engine::quotient::{Limits, Strategy, solve};
    /// let (code, control) = ("0.123".parse()?, &mut Control::unlimited());
    /// let solution = solve(&code, &Limits::default(), Strategy::Exact, control);
    /// let conclusion = Conclusion::of(&solution);
    /// assert_eq!(conclusion, Conclusion::Periodic { period: 5, preperiod: 5 });
    /// assert_eq!(conclusion.status(), Some(Status::Solved));
    /// assert_eq!(conclusion.sentence(), "solved: period 5 from heap 5 on");
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn of(solution: &Solution) -> Self {
        let proofs = Proofs {
            law: solution
                .law()
                .map(|law| (law.period, law_shows_infinite(law))),
            automaton: match solution.solved_by() {
                Some(SolvedBy::Automaton(found)) => {
                    let infinite = shows_infinite(&solution.code, found);
                    Some((found.heap.len() as u32, infinite))
                }
                _ => None,
            },
            all_heaps: solution.all_heaps().map(|all| (all.preperiod, all.period)),
            nim_period: solution.tail.and_then(|tail| tail.nim_period),
            infinite_to: solution.infinite_to(),
            reason: solution.reason,
        };
        Self::new(&solution.code, solution.verdict, proofs)
    }

    /// Returns the conclusion from a verdict and what is proved beside it.
    #[must_use]
    pub fn new(code: &Code, verdict: Verdict, proofs: Proofs) -> Self {
        match verdict {
            Verdict::Solved { period, preperiod } => match code.finite_game() {
                Some(game) => Self::FiniteGame {
                    birthday: FiniteGame::birthday(game),
                    followers: game.heaps(),
                },
                None => Self::Periodic { period, preperiod },
            },
            Verdict::TameRelative { heap } => Self::TameRelative {
                heap,
                nim_period: proofs.nim_period,
            },
            Verdict::Diverges { heap, copies } => match (proofs.all_heaps, proofs.infinite_to) {
                (Some((preperiod, period)), infinite_to) => Self::PastInfinite {
                    heap: InfiniteHeap::new(heap, infinite_to.unwrap_or(heap)),
                    preperiod,
                    period,
                },
                (None, Some(infinite_to)) => Self::Infinite {
                    heap: InfiniteHeap::new(heap, infinite_to),
                },
                (None, None) => Self::Diverges {
                    heap,
                    copies,
                    reason: proofs.reason,
                },
            },
            Verdict::Grows { start, period } => match (proofs.law, proofs.automaton) {
                (Some((period, infinite)), _) => Self::Law { period, infinite },
                (None, Some((states, infinite))) => Self::Automaton { states, infinite },
                (None, None) => Self::Grows { start, period },
            },
            Verdict::Exhausted(limit) => Self::Exhausted(limit),
            Verdict::Interrupted => Self::Interrupted,
        }
    }

    /// Returns the ending without its numbers.
    ///
    /// No record of a census is interrupted; nothing is claimed of such a game.
    #[must_use]
    pub fn ending(self) -> Ending {
        match self {
            Self::FiniteGame { .. } | Self::Periodic { .. } => Ending::Solved,
            Self::Law { .. } => Ending::Law,
            Self::Automaton { .. } => Ending::Automaton,
            Self::PastInfinite { .. } => Ending::PastInfinite,
            Self::TameRelative {
                nim_period: Some(_),
                ..
            } => Ending::TameRelativePeriodic,
            Self::TameRelative { .. } => Ending::TameRelative,
            Self::Infinite { .. } => Ending::Infinite,
            Self::Diverges { .. } => Ending::Diverges,
            Self::Grows { .. } => Ending::Grows,
            Self::Exhausted(limit) => Ending::Exhausted(limit),
            Self::Interrupted => Ending::Exhausted(Limit::Fuel),
        }
    }

    /// Returns the option of `misere solve` that may bring an open game further.
    ///
    /// ```
    /// use misere_answers::Conclusion;
    /// use misere_game::solution::Limit;
    /// let conclusion = Conclusion::Exhausted(Limit::Fuel);
    /// assert_eq!(conclusion.option_that_may_help(), Some("--fuel"));
    /// ```
    #[must_use]
    pub fn option_that_may_help(self) -> Option<&'static str> {
        match self {
            Self::Exhausted(Limit::Fuel) => Some("--fuel"),
            Self::Exhausted(Limit::MaxHeap) => Some("--max-heap"),
            Self::Exhausted(Limit::MaxOrder) => Some("--max-order"),
            Self::Diverges {
                reason: Some(Reason::Fuel | Reason::NotSought),
                ..
            } => Some("--evidence"),
            _ => None,
        }
    }

    /// Returns the status of the contract; `None` if the computation was interrupted.
    #[must_use]
    pub fn status(self) -> Option<Status> {
        match self {
            Self::Interrupted => None,
            other => Some(other.ending().status()),
        }
    }

    /// Returns one sentence that says how the game ended, without a full stop.
    #[must_use]
    pub fn sentence(self) -> String {
        match self {
            Self::FiniteGame {
                birthday,
                followers,
            } => {
                let followers = match followers {
                    0 => "no follower".to_owned(),
                    1 => "one follower besides 0, the game itself".to_owned(),
                    _ => format!("{followers} followers besides 0"),
                };
                format!("solved: a finite game born on day {birthday}, {followers}")
            }
            Self::Periodic { period, preperiod } => {
                format!("solved: period {period} from heap {preperiod} on")
            }
            Self::Law { period, infinite } => {
                solved_by(&format!("a law of period {period}"), infinite)
            }
            Self::Automaton { states, infinite } => {
                solved_by(&format!("an automaton of {states} states"), infinite)
            }
            Self::PastInfinite {
                heap,
                preperiod,
                period,
            } => format!(
                "solved, with an infinite quotient ({heap}) and period {period} from heap \
                 {preperiod} on"
            ),
            Self::TameRelative { heap, nim_period } => {
                let normal = match nim_period {
                    Some(NimPeriod { period, preperiod }) => {
                        format!(", which has period {period} from heap {preperiod} on")
                    }
                    None => "; no period of normal play is proved".to_owned(),
                };
                format!(
                    "tame relative to heap {heap}: from there on misère play is normal play{normal}"
                )
            }
            Self::Infinite { heap } => format!("proved infinite {heap}"),
            Self::Diverges {
                heap,
                copies,
                reason,
            } => {
                let reason = reason.map_or_else(String::new, |reason| {
                    format!("; no proof of infinity was found: {}", reason.words())
                });
                format!(
                    "diverges at heap {heap} (no repetition within {copies} copies of a \
                     heap){reason}"
                )
            }
            Self::Grows { start, period } => format!(
                "grows with period {period} from heap {start} on, as far as seen (a conjecture)"
            ),
            Self::Exhausted(Limit::Fuel) => "exhausted: the fuel was spent".to_owned(),
            Self::Exhausted(Limit::MaxHeap) => {
                "exhausted: the greatest heap was reached".to_owned()
            }
            Self::Exhausted(Limit::MaxOrder) => {
                "exhausted: the next partial quotient has more elements than the greatest order"
                    .to_owned()
            }
            Self::Interrupted => "interrupted: no verdict".to_owned(),
        }
    }

    /// Returns the sentence with whether the game is tame, as far as that is known.
    #[must_use]
    pub fn sentence_with(self, tame: Option<bool>) -> String {
        let sentence = self.sentence();
        match tame {
            Some(true) => format!("{sentence}; tame"),
            Some(false) => format!("{sentence}; wild"),
            // A solved game has no property only "so far".
            None if matches!(self, Self::PastInfinite { .. }) => sentence,
            None => format!("{sentence}; tame so far"),
        }
    }
}

fn solved_by(rule: &str, infinite: bool) -> String {
    let quotient = match infinite {
        true => "quotient is infinite",
        false => "partial quotients grow",
    };
    format!("solved by {rule}, which decides every position; the {quotient}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the conclusion of 0.3 with a verdict and proofs that do not belong to it.
    fn conclusion(verdict: Verdict, proofs: Proofs) -> Conclusion {
        Conclusion::new(&"0.3".parse().unwrap(), verdict, proofs)
    }

    #[test]
    fn a_proof_beside_the_verdict_solves_the_game() {
        let diverges = Verdict::Diverges {
            heap: 18,
            copies: 200,
        };
        let grows = Verdict::Grows {
            start: 11,
            period: 4,
        };
        let infinite = Proofs {
            infinite_to: Some(18),
            ..Proofs::default()
        };
        let all_heaps = Proofs {
            all_heaps: Some((6, 2)),
            ..infinite
        };
        let law = Proofs {
            law: Some((4, true)),
            ..Proofs::default()
        };
        let automaton = Proofs {
            automaton: Some((9, false)),
            ..Proofs::default()
        };
        for (verdict, proofs, ending, status) in [
            (
                diverges,
                Proofs::default(),
                Ending::Diverges,
                Status::Diverges,
            ),
            (diverges, infinite, Ending::Infinite, Status::Infinite),
            (diverges, all_heaps, Ending::PastInfinite, Status::Solved),
            (grows, Proofs::default(), Ending::Grows, Status::Grows),
            (grows, law, Ending::Law, Status::Solved),
            (grows, automaton, Ending::Automaton, Status::Solved),
        ] {
            let conclusion = conclusion(verdict, proofs);
            assert_eq!(
                (conclusion.ending(), conclusion.status()),
                (ending, Some(status))
            );
        }
        let interrupted = conclusion(Verdict::Interrupted, Proofs::default());
        assert_eq!(interrupted.status(), None);
    }

    #[test]
    fn a_quotient_may_be_proved_infinite_at_a_later_heap() {
        let diverges = Verdict::Diverges {
            heap: 17,
            copies: 200,
        };
        let sentence = |heap| {
            let proofs = Proofs {
                infinite_to: Some(heap),
                ..Proofs::default()
            };
            conclusion(diverges, proofs).sentence()
        };
        assert_eq!(sentence(17), "proved infinite at heap 17");
        assert_eq!(
            sentence(24),
            "proved infinite to heap 24, diverging at heap 17"
        );
    }

    #[test]
    fn a_finite_game_has_no_period() {
        let star2 = "*2".parse().unwrap();
        let solved = Verdict::Solved {
            period: 1,
            preperiod: 3,
        };
        let conclusion = Conclusion::new(&star2, solved, Proofs::default());
        assert_eq!(
            conclusion.sentence_with(Some(true)),
            "solved: a finite game born on day 2, 2 followers besides 0; tame"
        );
    }
}
