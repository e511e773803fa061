//! May this certificate enter the census?
//!
//! A worker may lie. A certificate is taken only if it reads, answers the task that was leased, says what an honest worker could
//! say within the task's budget ([`plausible`]), and is proved by the independent checker. Checks run on a pool of their own; nothing
//! here waits on a socket.
//!
//! No certificate costs more than its size and its task allow: reading takes time proportional to the bytes and six bytes of memory
//! for each of them; everything else is metered ([`check_fuel`]), and ended when it takes too long all the same ([`deadline`]). Of
//! certificates of more than [`LARGE_BYTES`] one is judged at a time. One that exceeds what its check may cost is refused like a false one.

mod deadline;
mod lane;
mod plausible;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use misere_census::schemes::{self, Outcome};
use misere_census::{
    CertificateError, Epoch, Game, NotTheSameGame, Record, Schemes, Task, TaskId, certificate,
};
use misere_theory::bipartite::{BipartiteMonoid, ClassKey};
use misere_theory::classify::batch::{BadScheme, Settled};
use misere_theory::control::{Control, Interrupt, Stop};
use misere_theory::ruleset::Code;
use misere_theory::solution::Verdict;
use misere_theory::verify::construction::ConstructionFlaw;
use misere_theory::verify::{self, Flaw};
use tokio::sync::mpsc;

use crate::computing::{Computed, compute};
use crate::ledger::Finish;
use deadline::Deadlines;
use lane::Lane;
use plausible::{batch_begins_so, begins_so, is_unproved, keeps_to_budget};

/// At most so many certificates are judged as one piece of work. Tiny ones would else cost less than to hand them over.
const MOST_TOGETHER: usize = 64;

/// Fuel for the check of one certificate: checking is cheaper than solving, and a checker must not be kept busy for ever.
const CHECK_FUEL_PER_FUEL: u64 = 20;
const CHECK_FUEL_AT_LEAST: u64 = 50_000_000;

/// Certificates of more bytes than this are judged one at a time, since they take memory.
const LARGE_BYTES: usize = 8 << 20;

/// The time that a check may take: thrice what its fuel takes on a usual machine, and a minute more.
const TIME_AT_LEAST: Duration = Duration::from_secs(60);
const TIME_PER_FUEL: Duration = Duration::from_micros(3);

/// A certificate that may enter the census.
#[derive(Debug)]
pub struct Judged {
    /// How the task is finished.
    pub finish: Finish,
    /// Whether that no more was found is the worker's word.
    pub unproved: bool,
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
    /// Its check took too long.
    #[error("its check took longer than the {} seconds allowed", .0.as_secs())]
    TooLong(Duration),
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
    /// Where large certificates wait for one another.
    lane: Arc<Lane>,
    deadlines: Arc<Deadlines>,
}

/// The threads for checking could not be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start the threads that check certificates: {0}")]
pub struct NoThreads(#[source] Box<dyn std::error::Error + Send + Sync>);

impl Judge {
    /// A judge with so many threads.
    ///
    /// # Errors
    /// [`NoThreads`] if the system refuses them.
    pub fn new(threads: usize) -> Result<Self, NoThreads> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|n| format!("check-{n}"))
            .build()
            .map_err(|error| NoThreads(error.into()))?;
        let pool = Arc::new(pool);
        let deadlines = Deadlines::new().map_err(|error| NoThreads(error.into()))?;
        Ok(Self {
            lane: Arc::new(Lane::new(Arc::clone(&pool))),
            pool,
            deadlines,
        })
    }

    /// Stops all checks; what they were about is then undecided.
    pub fn stop(&self) {
        self.deadlines.stop();
    }

    /// Judges certificates on the pool; hands them back in groups, as they are judged, each with the judgement.
    ///
    /// What is not handed back was not judged: the coordinator is going down.
    #[must_use]
    pub fn judge(&self, cases: Vec<Case>) -> mpsc::UnboundedReceiver<Verdicts> {
        let (reply, verdicts) = mpsc::unbounded_channel();
        let is_large = |case: &Case| case.certificate.len() > LARGE_BYTES;
        let (large, mut cases): (Vec<Case>, Vec<Case>) = cases.into_iter().partition(is_large);
        let each = cases.len().div_ceil(self.pool.current_num_threads());
        let each = each.clamp(1, MOST_TOGETHER);
        while !cases.is_empty() {
            let group = cases.split_off(cases.len().saturating_sub(each));
            self.pool.spawn(self.work(group, reply.clone()));
        }
        for case in large {
            let work = self.work(vec![case], reply.clone());
            self.lane.submit(Box::new(work));
        }
        verdicts
    }

    /// Computes tasks on the pool; hands each back with its certificate, none where it could not be computed.
    ///
    /// What is not handed back was not computed: the coordinator is going down.
    #[must_use]
    pub fn compute(&self, tasks: Vec<Task>) -> mpsc::UnboundedReceiver<(Task, Option<Vec<u8>>)> {
        let (reply, computed) = mpsc::unbounded_channel();
        for task in tasks {
            let reply = reply.clone();
            let watched = self.deadlines.watch(Duration::MAX);
            self.pool.spawn(move || {
                let stop = watched.interrupt();
                let computed = catch_unwind(AssertUnwindSafe(|| compute(&task, None, &stop)));
                let certificate = match computed.unwrap_or(Computed::CannotBeWritten) {
                    Computed::Certificate(bytes) => Some(bytes),
                    Computed::TakesMore | Computed::CannotBeWritten => None,
                    Computed::Stopped => return,
                };
                // As above.
                let _ = reply.send((task, certificate));
            });
        }
        computed
    }

    /// The work of judging a group of certificates.
    fn work(
        &self,
        group: Vec<Case>,
        reply: mpsc::UnboundedSender<Verdicts>,
    ) -> impl FnOnce() + Send + 'static {
        let deadlines = Arc::clone(&self.deadlines);
        move || {
            let judged = group.into_iter().map(|case| {
                let judged = judge_in_time(&case, &deadlines);
                (case, judged)
            });
            // Nobody waits any more only if the coordinator is going down.
            let _ = reply.send(judged.collect());
        }
    }
}

fn judge_in_time(case: &Case, deadlines: &Arc<Deadlines>) -> Result<Judged, Refused> {
    let time = deadline(&case.task);
    let watched = deadlines.watch(time);
    let stop = watched.interrupt();
    let judged = || judge(&case.task, &case.certificate, stop.clone());
    let judged = catch_unwind(AssertUnwindSafe(judged));
    match judged.unwrap_or(Err(Refused::CheckerFailed)) {
        Err(Refused::Stopped) if watched.is_overdue() => Err(Refused::TooLong(time)),
        judged => judged,
    }
}

/// The time that the check of a certificate of a task may take.
fn deadline(task: &Task) -> Duration {
    let fuel = match task {
        Task::Game(game) => check_fuel(game.budget.fuel),
        Task::Schemes(schemes) => check_fuel(fuel_of_batch(schemes)),
    };
    let fuel = u32::try_from(fuel).unwrap_or(u32::MAX);
    TIME_AT_LEAST + TIME_PER_FUEL * fuel
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
    let settled = match schemes::decode_canonical(certificate)? {
        Outcome::Settled(settled) => settled,
        Outcome::Exhausted => {
            batch_begins_so(task, None, &stop)?;
            return Ok(Judged {
                finish: Finish::Exhausted,
                unproved: true,
                finding: Finding::Schemes(SchemesFinding::default()),
            });
        }
    };
    let fuel = fuel_of_batch(task);
    if settled.fuel > fuel {
        return Err(Refused::Budget("more fuel was spent than there is"));
    }
    batch_begins_so(task, Some(&settled), &stop)?;
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
        let form = within(construction.quotient.canonical_form_within(&mut control))?;
        quotients.push((form.key, form.monoid));
    }
    Ok(Judged {
        finish: Finish::Done,
        unproved: true,
        finding: Finding::Schemes(SchemesFinding {
            settled: Some(settled),
            quotients,
        }),
    })
}

/// Fuel for all schemes of a batch.
fn fuel_of_batch(task: &Schemes) -> u64 {
    let schemes = task.batch.schemes.len() as u64;
    task.budget.fuel.saturating_mul(schemes)
}

/// What was computed of a certificate, or why not.
fn within<T>(computed: Result<T, Stop>) -> Result<T, Refused> {
    computed.map_err(|stop| match stop {
        Stop::Interrupted => Refused::Stopped,
        Stop::FuelSpent => Refused::False(Flaw::Unchecked(stop)),
    })
}

fn judge_game(task: &Game, certificate: &[u8], stop: Interrupt) -> Result<Judged, Refused> {
    let solution = certificate::decode_canonical(certificate)?;
    if solution.code != task.code {
        return Err(Refused::OtherCode {
            found: solution.code,
            wanted: task.code.clone(),
        });
    }
    keeps_to_budget(task, &solution)?;
    begins_so(task, &solution, &stop)?;
    let mut control = Control::new(check_fuel(task.budget.fuel), stop);
    match verify::check_within(&solution, &mut control) {
        Ok(()) => {}
        Err(Flaw::Unchecked(Stop::Interrupted)) => return Err(Refused::Stopped),
        Err(flaw) => return Err(Refused::False(flaw)),
    }
    let form = within(solution.quotient.canonical_form_within(&mut control))?;
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
        unproved: is_unproved(&solution),
        finding: Finding::Game {
            record: Box::new(Record::new(task, &solution)?),
            quotient: form.monoid,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use misere_census::Budget;
    use misere_theory::quotient::solve;
    use misere_theory::solution::{Limit, Solution};

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

    /// M7: verdicts without proof that no honest worker comes to.
    #[test]
    fn verdicts_that_no_plan_brings_are_refused() {
        let empty = |task: &Game| {
            let mut nothing = solved(&within(&task.code.to_string(), 0, 10_000));
            assert_eq!((nothing.heaps(), nothing.fuel), (0, 0));
            nothing.verdict = Verdict::Exhausted(Limit::MaxOrder);
            nothing
        };
        let refused = |task: &Game, solution: &Solution, reason: &str| {
            let refused = judged(task, solution).unwrap_err();
            let Refused::Budget(why) = refused else {
                panic!("{refused:?}");
            };
            assert!(why.contains(reason), "{why}");
        };
        let task = task("0.77");
        refused(&task, &empty(&task), "6 elements at most");
        let diverges = |copies, fuel, solution: Solution| Solution {
            verdict: Verdict::Diverges {
                heap: solution.heaps() + 1,
                copies,
            },
            fuel,
            ..solution
        };
        refused(&task, &diverges(1, 0, empty(&task)), "so many copies");
        refused(
            &task,
            &diverges(42, 0, empty(&task)),
            "heaps 1 and 2 is finite",
        );
        refused(
            &task,
            &diverges(200, 9_000_000, empty(&task)),
            "heaps 1 and 2 is finite",
        );
        // Some heaps are done, and the next is said to be too much.
        let some = |heaps| {
            solved(&{
                let mut fewer = task.clone();
                fewer.budget.limits.max_heap = heaps;
                fewer
            })
        };
        let large = |fuel| Solution {
            verdict: Verdict::Exhausted(Limit::MaxOrder),
            fuel,
            ..some(4)
        };
        refused(&task, &large(100), "so little fuel");
        refused(&task, &large(5_000_000), "another end");
        refused(&task, &diverges(42, 5_000_000, some(4)), "another end");
        // A game that is not solved with the small part of the fuel.
        let long = self::task("0.316");
        let started = |heaps| {
            solved(&{
                let mut fewer = long.clone();
                fewer.budget.limits.max_heap = heaps;
                fewer
            })
        };
        refused(&long, &diverges(42, 5_000_000, started(4)), "before a heap");
        // Nor is fuel gone at heap 0.
        let gone = Solution {
            verdict: Verdict::Exhausted(Limit::Fuel),
            fuel: long.budget.fuel,
            ..started(4)
        };
        refused(&long, &gone, "before a heap");
    }

    /// What honest workers say of small plans with all kinds of limits is plausible.
    #[test]
    fn honest_verdicts_are_taken_whatever_the_limits() {
        let mut kinds = std::collections::BTreeSet::new();
        for code in [
            "0.3", "0.77", "0.07", "0.26", "0.31", "0.52", "4.7", "0.142", "0.316", "0.414",
            "0.0137",
        ] {
            for fuel in [0, 1, 20, 100, 1_000, 20_000, 60_000] {
                for (max_heap, max_order, max_copies) in [
                    (10_000, 65_536, 200),
                    (8, 65_536, 200),
                    (10_000, 1, 200),
                    (10_000, 7, 200),
                    (10_000, 100, 20),
                    (10_000, 65_536, 1),
                ] {
                    let mut task = within(code, fuel, max_heap);
                    task.budget.limits.max_order = max_order;
                    task.budget.limits.max_copies = max_copies;
                    let solution = solved(&task);
                    let judged = judged(&task, &solution);
                    assert!(
                        judged.is_ok(),
                        "{code} {:?}: {:?} {judged:?}",
                        task.budget,
                        solution.verdict
                    );
                    kinds.insert(misere_theory::solution::document::status_names(
                        solution.verdict,
                    ));
                }
            }
        }
        assert!(kinds.len() >= 6, "{kinds:?}");
    }

    /// L8: one solution has one certificate.
    #[test]
    fn other_spellings_of_a_certificate_are_refused() {
        let task = task("0.123");
        let bytes = certificate::encode(&solved(&task)).unwrap();
        let respelled = |from: &[u8], to: &[u8]| {
            let at = bytes
                .windows(from.len())
                .position(|part| part == from)
                .unwrap();
            [&bytes[..at], to, &bytes[at + from.len()..]].concat()
        };
        let key = solved(&task).class().to_string();
        let capitals = respelled(key.as_bytes(), key.to_uppercase().as_bytes());
        assert_eq!(certificate::decode(&capitals), certificate::decode(&bytes));
        let refused = judge(&task, &capitals, Interrupt::default()).unwrap_err();
        assert_eq!(refused, Refused::Unreadable(CertificateError::Spelling));
    }

    /// A check that takes too long is refused, and said to have been; one that is stopped is not.
    #[test]
    fn checks_end_in_time() {
        let judge = Judge::new(1).unwrap();
        let watched = judge.deadlines.watch(Duration::from_millis(1));
        let stop = watched.interrupt();
        while !stop.is_raised() {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(watched.is_overdue());
        let other = judge.deadlines.watch(Duration::from_secs(1_000));
        judge.stop();
        assert!(other.interrupt().is_raised() && !other.is_overdue());
        let late = judge.deadlines.watch(Duration::from_secs(1_000));
        assert!(late.interrupt().is_raised() && !late.is_overdue());
    }

    #[test]
    fn large_certificates_are_judged_one_after_the_other_and_all() {
        let judge = Judge::new(2).unwrap();
        let cases = (0..6).map(|at| Case {
            at,
            lease: (TaskId([at as u8; 32]), Epoch(1)),
            task: Task::Game(task("0.3")),
            certificate: vec![0; if at % 2 == 0 { LARGE_BYTES + 1 } else { 1 }],
        });
        let mut verdicts = judge.judge(cases.collect());
        let mut seen = std::collections::BTreeSet::new();
        while let Some(group) = verdicts.blocking_recv() {
            for (case, judged) in group {
                assert!(matches!(judged, Err(Refused::Unreadable(_))));
                seen.insert(case.at);
            }
        }
        assert_eq!(seen.len(), 6);
    }
}
