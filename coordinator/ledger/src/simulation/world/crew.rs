//! The shell of a worker's session: threads, and letters that are sent until they are answered.
//!
//! Every worker follows the real session. The characters differ in the results of their
//! computations, and in the checkpoints that they write.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use misere_census::{Failure, InterruptCause, Lease, MemoryClass, WorkerId};
use misere_session::{
    Call, ComputationEnd, GrantedLease, Holdings, Input, Output, Session, Timestamp,
};

use super::super::super::{HeldLease, Report};
use super::super::oracle::ensure;
use super::super::scenario::{Character, Crew, Nature};
use super::World;
use super::messages::{Answer, Certificate, Letter, Message, Outcome};

/// The time in milliseconds after which an unanswered call has failed.
///
/// Reports and checkpoints are sent again after it.
const REQUEST_TIMEOUT_MS: u64 = 5_000;

/// The pause after a call that failed.
const PAUSE: Duration = Duration::from_millis(500);

/// A worker between its start and its end.
pub(super) struct Worker {
    /// The number of processes before it.
    pub(super) incarnation: u32,
    session: Session,
    jobs: BTreeMap<Lease, Job>,
    /// The tasks given to threads that have not begun them.
    at_threads: Vec<Lease>,
    running: Vec<Lease>,
    /// The letters that were not answered.
    under_way: BTreeMap<u64, LetterInFlight>,
}

/// A letter that was not answered, and the time at which it was last sent.
struct LetterInFlight {
    letter: Letter,
    sent: u64,
}

/// All data about a lease that the session does not read.
struct Job {
    worker: WorkerId,
    class: MemoryClass,
    is_interrupted: bool,
    /// The liar that spoilt the checkpoint with which the computation began.
    spoilt: Option<u8>,
    /// The fuel of the latest checkpoint, and the liar that spoilt it.
    latest: Option<(u64, Option<u8>)>,
    outcome: Option<Outcome>,
}

impl Worker {
    pub(super) fn new(crew: &Crew, incarnation: u32, now: u64) -> Self {
        Self {
            incarnation,
            session: Session::new(crew.config(), timestamp(now)),
            jobs: BTreeMap::new(),
            at_threads: Vec::new(),
            running: Vec::new(),
            under_way: BTreeMap::new(),
        }
    }
}

fn timestamp(ms: u64) -> Timestamp {
    Timestamp(Duration::from_millis(ms))
}

impl World {
    fn input(&mut self, w: usize, input: Input) {
        self.workers[w].session.input(input, timestamp(self.now));
    }

    fn send(&mut self, w: usize, letter: Letter) {
        self.letters += 1;
        let worker = &mut self.workers[w];
        let (number, sent) = (self.letters, self.now);
        let message = Message::Up(w, worker.incarnation, number, letter.clone());
        worker
            .under_way
            .insert(number, LetterInFlight { letter, sent });
        self.network.push(message);
    }

    /// Starts another process in place of a worker.
    pub(super) fn restart(&mut self, w: usize) -> Result<(), String> {
        let incarnation = self.workers[w].incarnation + 1;
        self.workers[w] = Worker::new(&self.scenario.crew[w], incarnation, self.now);
        self.step(w)
    }

    /// Lets a worker look at its clock.
    ///
    /// Calls that were not answered fail, and other unanswered letters are sent again.
    pub(super) fn wake(&mut self, w: usize) -> Result<(), String> {
        self.repeat_since(w, REQUEST_TIMEOUT_MS)?;
        self.step(w)
    }

    /// Sends again the letters of a worker that were not answered for `ms` milliseconds.
    pub(super) fn repeat_since(&mut self, w: usize, ms: u64) -> Result<(), String> {
        let now = self.now;
        let late = |(_, under_way): &(&u64, &LetterInFlight)| under_way.sent + ms <= now;
        let late = self.workers[w].under_way.iter().filter(late);
        let late: Vec<(u64, Letter)> = late
            .map(|(&number, under_way)| (number, under_way.letter.clone()))
            .collect();
        for (number, letter) in late {
            let worker = &mut self.workers[w];
            if letter.is_call() {
                worker.under_way.remove(&number);
                self.input(w, Input::Unanswered { pause: PAUSE });
            } else {
                let message = Message::Up(w, worker.incarnation, number, letter);
                worker
                    .under_way
                    .entry(number)
                    .and_modify(|at| at.sent = now);
                self.network.push(message);
            }
        }
        self.step(w)
    }

    /// Tells a worker to stop.
    pub(super) fn drain(&mut self, w: usize) -> Result<(), String> {
        self.input(w, Input::Drain);
        self.step(w)
    }

    /// Carries out the outputs of a worker's session.
    fn step(&mut self, w: usize) -> Result<(), String> {
        loop {
            let now = timestamp(self.now);
            let outputs = self.workers[w].session.step(now);
            if outputs.is_empty() {
                break;
            }
            for output in outputs {
                self.saw(name(&output));
                if let Output::End { worker } = output {
                    worker
                        .into_iter()
                        .for_each(|id| self.send(w, Letter::Leave(id)));
                    return self.restart(w);
                }
                self.execute(w, output)?;
            }
        }
        let worker = &self.workers[w];
        let known: BTreeSet<Lease> = worker.session.leases().collect();
        let jobs: BTreeSet<Lease> = worker.jobs.keys().copied().collect();
        ensure!(
            known == jobs,
            "worker {w} holds {jobs:?}, its session {known:?}"
        );
        Ok(())
    }

    fn execute(&mut self, w: usize, output: Output) -> Result<(), String> {
        let worker = &mut self.workers[w];
        match output {
            Output::Call(call) => {
                let is_call = |under_way: &LetterInFlight| under_way.letter.is_call();
                ensure!(
                    !worker.under_way.values().any(is_call),
                    "worker {w} makes two calls at once"
                );
                self.send(w, called(call));
            }
            Output::Fetch(lease) => {
                let letter = Letter::Fetch(worker.job(lease)?.worker, lease);
                self.send(w, letter);
            }
            Output::Start(lease) => {
                worker.job(lease)?;
                worker.at_threads.push(lease);
            }
            Output::Interrupt(lease, _) => worker.job(lease)?.is_interrupted = true,
            Output::HandIn(lease) => {
                let job = worker.job(lease)?;
                let Some((fuel, spoilt)) = job.latest else {
                    return Err(format!("{lease:?} has no checkpoint to be handed in"));
                };
                let letter = Letter::Keep(job.worker, lease, fuel, spoilt);
                self.send(w, letter);
            }
            Output::Report(lease, cause) => {
                let job = worker.job(lease)?;
                let stopped = Outcome::NoCertificate(Report::Interrupted(cause));
                let outcome = job.outcome.take().unwrap_or(stopped);
                let letter = Letter::Report(job.worker, lease, outcome);
                self.send(w, letter);
            }
            Output::Abandon(lease) => {
                worker.job(lease)?.is_interrupted = true;
                self.drop_letters_about(w, lease);
            }
            Output::Forget(lease) => {
                let forgotten = worker.jobs.remove(&lease);
                ensure!(forgotten.is_some(), "{lease:?} is forgotten twice");
            }
            Output::Draining { .. } | Output::End { .. } => {}
            Output::GiveUp { .. } => return Err(format!("worker {w} gives up")),
        }
        Ok(())
    }

    /// Drops the letters of a worker about a lease that is lost.
    fn drop_letters_about(&mut self, w: usize, lease: Lease) {
        let worker = &mut self.workers[w];
        let about = |letter: &Letter| letter.lease() == Some(lease);
        let under_way = std::mem::take(&mut worker.under_way).into_iter();
        let (dropped, kept): (BTreeMap<u64, LetterInFlight>, _) =
            under_way.partition(|(_, at)| about(&at.letter));
        worker.under_way = kept;
        let dropped: Vec<Letter> = dropped.into_values().map(|at| at.letter).collect();
        for letter in dropped {
            let input = match letter {
                Letter::Report(..) => Input::Delivered(vec![lease]),
                Letter::Keep(_, _, fuel, _) => Input::HandedIn { lease, fuel },
                _ => Input::Fetched(lease),
            };
            self.input(w, input);
        }
    }

    /// Lets a worker read an answer.
    pub(super) fn read_answer(
        &mut self,
        w: usize,
        number: u64,
        answer: Answer,
    ) -> Result<(), String> {
        let worker = &mut self.workers[w];
        let Some(LetterInFlight { letter, sent }) = worker.under_way.remove(&number) else {
            return Ok(());
        };
        let input = match (letter, answer) {
            (Letter::Report(_, lease, _), _) => Input::Delivered(vec![lease]),
            (Letter::Keep(_, lease, fuel, _), _) => Input::HandedIn { lease, fuel },
            (Letter::Fetch(_, lease), answer) => {
                if let Answer::Fetched(spoilt) = answer {
                    worker.job(lease)?.spoilt = spoilt;
                }
                Input::Fetched(lease)
            }
            (_, Answer::Welcome(worker)) => Input::Registered {
                worker,
                lease: Duration::from_millis(self.scenario.config.duration_ms),
            },
            (Letter::Ask(id, ..), Answer::Leases(leases, retry)) => {
                let mut granted = Vec::new();
                for (lease, class, resumed) in leases.granted {
                    worker.jobs.insert(lease, Job::new(id, class));
                    granted.push(GrantedLease { lease, resumed });
                }
                Input::Leased {
                    granted,
                    renewed: leases.renewed,
                    finished: false,
                    retry: Duration::from_millis(retry),
                }
            }
            (_, Answer::Leases(leases, _)) => Input::Renewed(leases.renewed),
            (_, Answer::Unknown) => Input::UnknownWorker,
            (letter, answer) => {
                // No worker waits for the answer to a goodbye, and other answers do not come.
                worker
                    .under_way
                    .insert(number, LetterInFlight { letter, sent });
                return Err(format!("worker {w} is answered {answer:?}"));
            }
        };
        self.input(w, input);
        self.step(w)
    }

    /// Lets a thread of a worker start a task.
    pub(super) fn start(&mut self, w: usize) -> Result<(), String> {
        let slots = self.scenario.crew[w].slots as usize;
        let worker = &mut self.workers[w];
        if worker.running.len() >= slots || worker.at_threads.is_empty() {
            return Ok(());
        }
        let lease = worker.at_threads.remove(0);
        if worker.job(lease)?.is_interrupted {
            self.input(w, Input::Ended(lease, ComputationEnd::NoCertificate));
        } else {
            worker.running.push(lease);
            self.input(w, Input::Begun(lease));
        }
        self.step(w)
    }

    /// Lets a worker end a computation.
    ///
    /// It ends by its result, or in one case of several because of a guard, or of a process that
    /// dies.
    pub(super) fn end(&mut self, w: usize, how: u8) -> Result<(), String> {
        let worker = &mut self.workers[w];
        if worker.running.is_empty() {
            return Ok(());
        }
        let lease = worker
            .running
            .swap_remove(usize::from(how) % worker.running.len());
        let nature = self.natures.of(lease.task);
        let job = worker.job(lease)?;
        let (class, spoilt) = (job.class, job.spoilt);
        let identity = self.scenario.crew[w].identity;
        let failed = |failure| Ok(Outcome::NoCertificate(Report::Failed(failure)));
        let outcome: Result<Outcome, InterruptCause> = match (how / 8 % 8, nature) {
            // Some notice too late that they were interrupted.
            _ if job.is_interrupted && how / 64 < 3 => Err(InterruptCause::Shutdown),
            (2, _) if !self.quiet => Err(InterruptCause::TimeGuard),
            (3, _) if !self.quiet => {
                self.crashed.insert(identity);
                failed(Failure::crashed("killed", ""))
            }
            _ if self.scenario.crew[w].character == Character::Broken => {
                failed(Failure::computation("broken"))
            }
            (_, Nature::Poison) => failed(Failure::computation("panicked")),
            (_, Nature::Insatiable) => failed(Failure::OutOfMemory { limit: None }),
            (_, Nature::Hungry) if class == MemoryClass::FIRST => Err(InterruptCause::MemoryGuard),
            _ => Ok(Outcome::Certificate(
                match self.scenario.crew[w].character {
                    Character::Honest if spoilt.is_some() => {
                        self.misled.insert(identity);
                        Certificate::False(spoilt.unwrap_or_default())
                    }
                    Character::Honest => Certificate::True,
                    Character::Sloppy | Character::Broken => Certificate::Refusable,
                    // All liars tell one lie.
                    Character::Liar => Certificate::False(1),
                },
            )),
        };
        let ended = match &outcome {
            Ok(Outcome::Certificate(_)) => ComputationEnd::Certificate,
            _ => ComputationEnd::NoCertificate,
        };
        match outcome {
            Ok(outcome) => self.workers[w].job(lease)?.outcome = Some(outcome),
            // Unless it was interrupted before, for another cause.
            Err(cause) => self.input(w, Input::Guarded(lease, cause)),
        }
        self.input(w, Input::Ended(lease, ended));
        self.step(w)
    }

    /// Lets a computation write a checkpoint.
    ///
    /// A liar's checkpoint makes a liar of every worker that resumes from it. Two workers, one of
    /// them perhaps a liar, cannot find that out, so where no lie may remain there are no such
    /// checkpoints.
    pub(super) fn write_checkpoint(&mut self, w: usize) -> Result<(), String> {
        let worker = &mut self.workers[w];
        let games = |lease: &&Lease| super::batch_of(lease.task).is_none();
        let Some(&lease) = worker.running.iter().find(games) else {
            return Ok(());
        };
        let fuel = self.now;
        let job = worker.job(lease)?;
        let spoilt = match self.scenario.crew[w].character {
            Character::Liar if self.scenario.strict => return Ok(()),
            Character::Liar => Some(w as u8),
            Character::Honest | Character::Sloppy | Character::Broken => job.spoilt,
        };
        job.latest = Some((fuel, spoilt));
        self.input(w, Input::Checkpoint { lease, fuel });
        self.step(w)
    }
}

impl Worker {
    fn job(&mut self, lease: Lease) -> Result<&mut Job, String> {
        let job = self.jobs.get_mut(&lease);
        job.ok_or_else(|| format!("{lease:?} is not held"))
    }
}

impl Job {
    fn new(worker: WorkerId, class: MemoryClass) -> Self {
        Self {
            worker,
            class,
            is_interrupted: false,
            spoilt: None,
            latest: None,
            outcome: None,
        }
    }
}

fn called(call: Call) -> Letter {
    match call {
        Call::Register => Letter::Register,
        Call::Lease {
            worker,
            holdings,
            idle,
            room,
        } => Letter::Ask(worker, held(holdings), idle, room),
        Call::Heartbeat { worker, holdings } => Letter::Beat(worker, held(holdings)),
    }
}

fn held(holdings: Holdings) -> Vec<HeldLease> {
    let held = |running| {
        move |Lease { task, epoch }| HeldLease {
            task,
            epoch,
            running,
        }
    };
    let Holdings { running, queued } = holdings;
    let running = running.into_iter().map(held(true));
    running.chain(queued.into_iter().map(held(false))).collect()
}

fn name(output: &Output) -> &'static str {
    match output {
        Output::Call(Call::Register) => "session registers",
        Output::Call(Call::Lease { .. }) => "session asks",
        Output::Call(Call::Heartbeat { .. }) => "session renews",
        Output::Fetch(_) => "session fetches",
        Output::Start(_) => "session starts",
        Output::Interrupt(..) => "session interrupts",
        Output::HandIn(_) => "session hands in",
        Output::Report(..) => "session reports",
        Output::Abandon(_) => "session abandons",
        Output::Forget(_) => "session forgets",
        Output::Draining { .. } => "session drains",
        Output::End { .. } => "session ends",
        Output::GiveUp { .. } => "session gives up",
    }
}
