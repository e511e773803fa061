//! May this certificate enter the census?
//!
//! A worker may lie. A certificate is taken only if it reads, answers the task that was leased, keeps to the task's
//! budget, and is proved by the independent checker. Checks run on a pool of their own; nothing here waits on a socket.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use misere_census::schemes::{self, Outcome};
use misere_census::{
    CertificateError, Epoch, Game, NotTheSameGame, Record, Schemes, Task, TaskId, certificate,
};
use misere_theory::bipartite::{BipartiteMonoid, ClassKey};
use misere_theory::classify::batch::{BadScheme, Settled};
use misere_theory::control::{Control, Interrupt, Stop};
use misere_theory::quotient::{Limits, NIM_FUEL, NIM_HEAPS_PER_HEAP};
use misere_theory::ruleset::Code;
use misere_theory::solution::{Limit, Solution, Stages, Verdict};
use misere_theory::verify::construction::ConstructionFlaw;
use misere_theory::verify::{self, Flaw};
use tokio::sync::mpsc;

use crate::ledger::Finish;

/// At most so many certificates are judged as one piece of work. Tiny ones would else cost less than to hand them over.
const MOST_TOGETHER: usize = 64;

/// Fuel for the check of one certificate: checking is cheaper than solving, and a checker must not be kept busy for ever.
const CHECK_FUEL_PER_FUEL: u64 = 20;
const CHECK_FUEL_AT_LEAST: u64 = 1_000_000_000;

/// A certificate that may enter the census.
#[derive(Debug)]
pub struct Judged {
    /// How the task is finished.
    pub finish: Finish,
    /// What the census keeps of it.
    pub finding: Finding,
}

impl Judged {
    /// The fuel that the certificate tells of, if what it says is not proved: that a limit was met, that no period was found, or that
    /// the game goes on for ever. What is said of construction schemes is proved but for what was left out, and costs too much.
    #[must_use]
    pub fn unproved_fuel(&self) -> Option<u64> {
        match &self.finding {
            Finding::Game { record, .. } => match record.verdict {
                Verdict::Solved { .. } => None,
                _ => Some(record.fuel),
            },
            Finding::Schemes(_) => None,
        }
    }
}

/// What the census keeps of a certificate.
#[derive(Debug)]
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

/// What the census keeps of a batch of construction schemes.
#[derive(Debug, Default)]
pub struct SchemesFinding {
    /// What was found; nothing if a scheme took more than its budget.
    pub settled: Option<Settled>,
    /// The canonical forms of the quotients found, in their order, with their classes.
    pub quotients: Vec<(ClassKey, BipartiteMonoid)>,
}

/// Why a certificate may not enter the census.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It does not read.
    #[error(transparent)]
    Unreadable(#[from] CertificateError),
    /// It is about another game.
    #[error("it is about {found}, but the task is {wanted}")]
    OtherCode {
        /// The code of the certificate.
        found: Code,
        /// The code of the task.
        wanted: Code,
    },
    /// It has no verdict.
    #[error("it carries no verdict")]
    NoVerdict,
    /// It does not keep to the task's budget.
    #[error("it does not keep to the budget: {0}")]
    Budget(&'static str),
    /// It is false.
    #[error(transparent)]
    False(Flaw),
    /// The task names an alias that is not the same game.
    #[error(transparent)]
    Alias(#[from] NotTheSameGame),
    /// It is no result of these schemes.
    #[error("it is no result of its schemes: {0}")]
    Schemes(#[from] BadScheme),
    /// One of its quotients has not the games said.
    #[error("the games of quotient {place} do not have it: {flaw}")]
    Construction {
        /// Its place in the batch.
        place: u32,
        /// What is wrong.
        flaw: ConstructionFlaw,
    },
    /// Its class is not that of its quotient.
    #[error("its class is not that of its quotient")]
    Class,
    /// The checker failed on it.
    #[error("the checker failed on it")]
    CheckerFailed,
    /// The coordinator computed the game itself, and it takes more fuel than the certificate says.
    #[error("the game takes more fuel than the certificate says")]
    Contradicted,
    /// The coordinator is stopping; nothing is said about the certificate.
    #[error("the check was stopped")]
    Stopped,
}

/// A certificate on its way into the census.
#[derive(Debug)]
pub struct Case {
    /// Its place among those handed in together.
    pub at: usize,
    /// The lease under which it was handed in.
    pub lease: (TaskId, Epoch),
    /// The task it is for.
    pub task: Task,
    /// The certificate.
    pub certificate: Vec<u8>,
}

/// What came of it.
pub type Verdicts = Vec<(Case, Result<Judged, Refused>)>;

/// The checkers at work.
#[derive(Clone, Debug)]
pub struct Judge {
    pool: Arc<rayon::ThreadPool>,
    stop: Interrupt,
}

/// The threads for checking could not be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start the threads that check certificates: {0}")]
pub struct NoThreads(#[from] rayon::ThreadPoolBuildError);

impl Judge {
    /// A judge with so many threads.
    ///
    /// # Errors
    /// [`NoThreads`] if the system refuses them.
    pub fn new(threads: usize) -> Result<Self, NoThreads> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|n| format!("check-{n}"))
            .build()?;
        Ok(Self {
            pool: Arc::new(pool),
            stop: Interrupt::default(),
        })
    }

    /// Stops all checks; what they were about is then undecided.
    pub fn stop(&self) {
        self.stop.raise();
    }

    /// Judges certificates on the pool; hands them back in groups, as they are judged, each with the judgement.
    ///
    /// What is not handed back was not judged: the coordinator is going down.
    #[must_use]
    pub fn judge(&self, mut cases: Vec<Case>) -> mpsc::UnboundedReceiver<Verdicts> {
        let (reply, verdicts) = mpsc::unbounded_channel();
        let each = cases.len().div_ceil(self.pool.current_num_threads());
        let each = each.clamp(1, MOST_TOGETHER);
        while !cases.is_empty() {
            let group = cases.split_off(cases.len().saturating_sub(each));
            let (reply, stop) = (reply.clone(), self.stop.clone());
            self.pool.spawn(move || {
                let judged = group.into_iter().map(|case| {
                    let Case {
                        task, certificate, ..
                    } = &case;
                    let stop = stop.clone();
                    let judged = catch_unwind(AssertUnwindSafe(|| judge(task, certificate, stop)));
                    (case, judged.unwrap_or(Err(Refused::CheckerFailed)))
                });
                // Nobody waits any more only if the coordinator is going down.
                let _ = reply.send(judged.collect());
            });
        }
        verdicts
    }
}

/// Judges a certificate.
///
/// Cost: that of [`verify::check_within`] and of one canonical form.
///
/// # Errors
/// [`Refused`] if it may not enter the census.
pub fn judge(task: &Task, certificate: &[u8], stop: Interrupt) -> Result<Judged, Refused> {
    match task {
        Task::Game(game) => judge_game(game, certificate, stop),
        Task::Schemes(schemes) => judge_schemes(schemes, certificate, stop),
    }
}

/// Fuel for the check of something that had so much to be computed.
fn check_fuel(fuel: u64) -> u64 {
    fuel.saturating_mul(CHECK_FUEL_PER_FUEL)
        .max(CHECK_FUEL_AT_LEAST)
}

/// Judges what came of a batch of schemes: the quotients are proved by their games, what was reached is seen to be made of the batch. That
/// nothing was left out, or that the budget does not suffice, is the worker's word, as with every claim of exhaustion: a share of the batches is
/// computed by a second worker.
fn judge_schemes(task: &Schemes, certificate: &[u8], stop: Interrupt) -> Result<Judged, Refused> {
    let settled = match schemes::decode(certificate)? {
        Outcome::Settled(settled) => settled,
        Outcome::Exhausted => {
            return Ok(Judged {
                finish: Finish::Exhausted,
                finding: Finding::Schemes(SchemesFinding::default()),
            });
        }
    };
    let fuel = task
        .budget
        .fuel
        .saturating_mul(task.batch.schemes.len() as u64);
    if settled.fuel > fuel {
        return Err(Refused::Budget("more fuel was spent than there is"));
    }
    let constructions = settled.constructions(&task.batch)?;
    let mut control = Control::new(check_fuel(fuel), stop);
    let mut quotients = Vec::with_capacity(constructions.len());
    for (found, construction) in settled.quotients.iter().zip(constructions) {
        let place = found.place;
        match verify::construction::check(&construction, &mut control) {
            Ok(()) => {}
            Err(ConstructionFlaw::Unchecked(Stop::Interrupted)) => return Err(Refused::Stopped),
            Err(flaw) => return Err(Refused::Construction { place, flaw }),
        }
        let form = construction.quotient.canonical_form();
        quotients.push((form.key, form.monoid));
    }
    Ok(Judged {
        finish: Finish::Done,
        finding: Finding::Schemes(SchemesFinding {
            settled: Some(settled),
            quotients,
        }),
    })
}

fn judge_game(task: &Game, certificate: &[u8], stop: Interrupt) -> Result<Judged, Refused> {
    let solution = certificate::decode(certificate)?;
    if solution.code != task.code {
        return Err(Refused::OtherCode {
            found: solution.code,
            wanted: task.code.clone(),
        });
    }
    keeps_to_budget(task, &solution)?;
    let fuel = check_fuel(task.budget.fuel);
    match verify::check_within(&solution, &mut Control::new(fuel, stop)) {
        Ok(()) => {}
        Err(Flaw::Unchecked(Stop::Interrupted)) => return Err(Refused::Stopped),
        Err(flaw) => return Err(Refused::False(flaw)),
    }
    let form = solution.quotient.canonical_form();
    if form.key != solution.class() {
        return Err(Refused::Class);
    }
    let finish = match solution.verdict {
        Verdict::Solved { .. }
        | Verdict::TameRelative { .. }
        | Verdict::Diverges { .. }
        | Verdict::Grows { .. } => Finish::Done,
        Verdict::Exhausted(_) => Finish::Exhausted,
        Verdict::Interrupted => return Err(Refused::NoVerdict),
    };
    Ok(Judged {
        finish,
        finding: Finding::Game {
            record: Box::new(Record::new(task, &solution)?),
            quotient: form.monoid,
        },
    })
}

/// Whether what the solution says about limits fits the task's: nobody may give up early, or go further than the plan.
fn keeps_to_budget(task: &Game, solution: &Solution) -> Result<(), Refused> {
    let limits = &task.budget.limits;
    if solution.fuel > task.budget.fuel {
        return Err(Refused::Budget("more fuel was spent than there is"));
    }
    if solution.heaps() > limits.max_heap {
        return Err(Refused::Budget("it goes beyond the greatest heap"));
    }
    let order = solution
        .partials
        .iter()
        .map(|partial| partial.order as usize)
        .max();
    if order.unwrap_or(1).max(solution.quotient.order()) > limits.max_order.max(1) as usize {
        return Err(Refused::Budget("it goes beyond the greatest order"));
    }
    let nim_heaps = solution.tail.map_or(0, |tail| tail.nim_heaps);
    let nim_heaps_allowed = limits.max_heap.saturating_mul(NIM_HEAPS_PER_HEAP);
    // The search for a period of nim-values ends with one, at the greatest heap, or when its fuel is gone.
    let gives_up = solution
        .tail
        .is_some_and(|tail| tail.nim_period.is_none() && tail.nim_heaps < nim_heaps_allowed)
        && solution.fuel < task.budget.fuel.min(NIM_FUEL);
    // No limit was met that ends a computation for a pattern tested less long.
    let may_go_on = solution.heaps() < limits.max_heap && solution.fuel < task.budget.fuel;
    let worth_ending_for = solution
        .growth
        .as_ref()
        .is_some_and(|growth| growth.is_worth_ending_for(solution.heaps(), limits.max_heap));
    match solution.verdict {
        Verdict::Interrupted => Err(Refused::NoVerdict),
        Verdict::Exhausted(Limit::Fuel) if solution.fuel < task.budget.fuel => Err(
            Refused::Budget("fuel is said to be spent, but some is left"),
        ),
        Verdict::Exhausted(Limit::MaxHeap) if solution.heaps() < limits.max_heap => Err(
            Refused::Budget("the greatest heap is said to be reached, but it is not"),
        ),
        Verdict::Diverges { copies, .. } if copies > limits.max_copies.max(1) => {
            Err(Refused::Budget("it tries more copies than allowed"))
        }
        Verdict::TameRelative { .. } if nim_heaps_allowed < nim_heaps => Err(Refused::Budget(
            "it computes nim-values of more heaps than allowed",
        )),
        Verdict::TameRelative { .. } if gives_up => Err(Refused::Budget(
            "it ends the search for a period of nim-values before its limits",
        )),
        Verdict::TameRelative { heap } if may_go_on && is_solvable(solution, heap, limits) => Err(
            Refused::Budget("its period could have been proved within the greatest heap"),
        ),
        Verdict::Grows { .. } if may_go_on && !worth_ending_for => Err(Refused::Budget(
            "it ends for a pattern of growth that has not been tested long enough",
        )),
        Verdict::Solved { .. }
        | Verdict::TameRelative { .. }
        | Verdict::Diverges { .. }
        | Verdict::Grows { .. }
        | Verdict::Exhausted(_) => Ok(()),
    }
}

/// Whether a game that is tame relative to a heap has a period of `Φ` that the heaps and the order allowed would have proved:
/// from that heap on `Φ` repeats with the nim-values.
fn is_solvable(solution: &Solution, heap: u32, limits: &Limits) -> bool {
    let Some(tail) = solution.tail else {
        return false;
    };
    let (Some(nim), Stages::Known(stages)) = (tail.nim_period, tail.stages) else {
        return false;
    };
    let proved_by = solution
        .code
        .heaps_to_prove(nim.preperiod.max(heap), nim.period);
    // Each tame extension adds a kernel, and doubles it.
    let order = (solution.quotient.order() as u64).checked_shl(stages);
    proved_by <= u64::from(limits.max_heap)
        && order.is_some_and(|order| order <= u64::from(limits.max_order))
}

#[cfg(test)]
mod tests {
    use super::*;
    use misere_census::Budget;
    use misere_theory::quotient::solve;

    fn task(code: &str) -> Game {
        Game {
            code: code.parse().unwrap(),
            aliases: vec![],
            budget: Budget::default(),
        }
    }

    fn judge(task: &Game, certificate: &[u8], stop: Interrupt) -> Result<Judged, Refused> {
        super::judge(&Task::Game(task.clone()), certificate, stop)
    }

    fn solved(task: &Game) -> Solution {
        let Budget {
            fuel,
            limits,
            strategy,
        } = task.budget;
        solve(
            &task.code,
            &limits,
            strategy,
            &mut Control::new(fuel, Interrupt::default()),
        )
    }

    fn refused(task: &Game, change: impl FnOnce(&mut Solution)) -> Refused {
        let mut solution = solved(task);
        change(&mut solution);
        judge(
            task,
            &certificate::encode(&solution).unwrap(),
            Interrupt::default(),
        )
        .unwrap_err()
    }

    #[test]
    fn the_truth_is_taken() {
        for code in ["0.3", "0.123", "0.77"] {
            takes(&task(code));
        }
    }

    /// A code with more digits than there are heaps when the checker first sorts nim-values.
    #[test]
    fn a_long_code_is_judged() {
        let mut task = task("0.(7)^129");
        task.budget.fuel = 200_000;
        takes(&task);
    }

    fn takes(task: &Game) {
        let bytes = certificate::encode(&solved(task)).unwrap();
        let judged = judge(task, &bytes, Interrupt::default()).unwrap();
        assert_eq!(judged.finish, Finish::Done);
        let Finding::Game { record, quotient } = judged.finding else {
            panic!()
        };
        assert_eq!(record.code, task.code);
        assert_eq!(quotient.class_key(), record.class);
    }

    #[test]
    fn lies_are_refused() {
        let task = task("0.123");
        assert!(matches!(
            refused(&task, |s| s.phi[8] = 0),
            Refused::False(_)
        ));
        assert!(matches!(
            refused(&task, |s| s.partials[1].order += 1),
            Refused::False(_)
        ));
        assert!(matches!(
            refused(&task, |s| s.code = "0.77".parse().unwrap()),
            Refused::OtherCode { .. }
        ));
        assert_eq!(
            refused(&task, |s| s.verdict = Verdict::Interrupted),
            Refused::NoVerdict
        );
        // Giving up early.
        for limit in [Limit::Fuel, Limit::MaxHeap] {
            let lazy = refused(&task, |s| s.verdict = Verdict::Exhausted(limit));
            assert!(matches!(lazy, Refused::Budget(_)), "{lazy:?}");
        }
        assert!(matches!(
            refused(&task, |s| s.fuel = u64::MAX),
            Refused::Budget(_)
        ));
        let nothing = judge(&task, &[], Interrupt::default()).unwrap_err();
        assert!(matches!(nothing, Refused::Unreadable(_)));
        let mut bytes = certificate::encode(&solved(&task)).unwrap();
        bytes.truncate(bytes.len() / 2);
        assert!(matches!(
            judge(&task, &bytes, Interrupt::default()).unwrap_err(),
            Refused::Unreadable(_)
        ));
    }
    fn within(code: &str, fuel: u64, max_heap: u32) -> Game {
        let mut task = task(code);
        task.budget.fuel = fuel;
        task.budget.limits.max_heap = max_heap;
        task
    }

    fn judged(task: &Game, solution: &Solution) -> Result<Judged, Refused> {
        let bytes = certificate::encode(solution).unwrap();
        judge(task, &bytes, Interrupt::default())
    }

    #[test]
    fn tails_keep_to_the_budget_and_do_not_give_up_early() {
        let task = within("0.414", 200_000, 1_000);
        let solution = solved(&task);
        assert!(matches!(solution.verdict, Verdict::TameRelative { .. }));
        assert_eq!(judged(&task, &solution).unwrap().finish, Finish::Done);
        let mut lazy = solution.clone();
        lazy.fuel = 100_000;
        let early = judged(&task, &lazy).unwrap_err();
        assert!(matches!(early, Refused::Budget(_)), "{early:?}");
        let few = within("0.414", 200_000, 50);
        let far = judged(&few, &solution).unwrap_err();
        assert!(matches!(far, Refused::Budget(_)), "{far:?}");
        // 0.52 is tame relative to a heap too, but its period is proved by heap 21.
        let short = (3..21)
            .map(|heaps| solved(&within("0.52", 1_000_000, heaps)))
            .find(|solution| matches!(solution.verdict, Verdict::TameRelative { .. }))
            .unwrap();
        let task = within("0.52", 1_000_000, 10_000);
        let lazy = judged(&task, &short).unwrap_err();
        assert!(matches!(lazy, Refused::Budget(_)), "{lazy:?}");
    }

    #[test]
    fn nobody_ends_early_for_a_pattern() {
        let task = within("0.26", 2_000_000, 10_000);
        assert!(judged(&task, &solved(&task)).is_ok());
        // Tested on fewer heaps than a computation may be ended for.
        let short = solved(&within("0.26", 2_000_000, 80));
        assert!(matches!(short.verdict, Verdict::Grows { .. }));
        let lazy = judged(&task, &short).unwrap_err();
        assert!(matches!(lazy, Refused::Budget(_)), "{lazy:?}");
    }
}
