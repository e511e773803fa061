//! May this certificate enter the census?
//!
//! A worker may lie. A certificate is taken only if it reads, answers the task that was
//! leased, says what an honest worker could say within the task's budget ([`plausible`]), and is
//! proved by the independent checker. Checks run on a pool of their own; nothing here waits on a
//! socket.
//!
//! No certificate costs more than its size and its task allow: reading takes time proportional to
//! the bytes and six bytes of memory for each of them; everything else is metered ([`check_fuel`]),
//! and ended when it takes too long all the same ([`deadline`]). Of certificates of more than
//! [`LARGE_BYTES`] one is judged at a time. One that exceeds what its check may cost is refused
//! like a false one.

mod deadline;
mod lane;
mod plausible;
#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use misere_census::schemes::{self, Outcome};
use misere_census::{CertificateError, Game, NotTheSameGame, Record, Schemes, Task, certificate};
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

/// At most so many certificates are judged as one piece of work. Tiny ones would else cost less
/// than to hand them over.
const MOST_TOGETHER: usize = 64;

/// Fuel for the check of one certificate: checking is cheaper than solving, and a checker must not
/// be kept busy for ever.
const CHECK_FUEL_PER_FUEL: u64 = 20;
const CHECK_FUEL_AT_LEAST: u64 = 50_000_000;

/// Certificates of more bytes than this are judged one at a time, since they take memory.
const LARGE_BYTES: usize = 8 << 20;

/// The time that a check may take: thrice what its fuel takes on a usual machine, and a minute
/// more.
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
    /// The fuel that the certificate tells of, if what it says is not proved: that a limit was met,
    /// that no period was found, or that the game goes on for ever. What is said of construction
    /// schemes is proved but for what was left out, and costs too much.
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
pub(crate) struct Case {
    /// Its place among those handed in together.
    pub(crate) at: usize,
    /// The task it is for.
    pub(crate) task: Task,
    /// The certificate.
    pub(crate) certificate: Vec<u8>,
}

/// What came of it.
pub(crate) type Verdicts = Vec<(Case, Result<Judged, Refused>)>;

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

    /// Judges certificates on the pool; hands them back in groups, as they are judged, each with
    /// the judgement.
    ///
    /// What is not handed back was not judged: the coordinator is going down.
    #[must_use]
    pub(crate) fn judge(&self, cases: Vec<Case>) -> mpsc::UnboundedReceiver<Verdicts> {
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

    /// Computes tasks on the pool; hands each back with its certificate, none where it could not be
    /// computed.
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

/// Judges what came of a batch of schemes: the quotients are proved by their games, what was
/// reached is seen to be made of the batch. That nothing was left out, or that the budget does not
/// suffice, is the worker's word, as with every claim of exhaustion: a share of the batches is
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
