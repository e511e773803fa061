//! Workers, a network that loses, repeats and reorders, and a coordinator that commits in groups; and what can happen to them.

use std::collections::{BTreeMap, BTreeSet};

use misere_census::{
    CertificateDigest, Epoch, Failure, InterruptCause, MemoryClass, TaskId, WorkerId,
    WorkerIdentity,
};

use super::super::{
    Admitted, Claim, Command, Effect, Finish, HeldLease, Kept, Ledger, Misdeed, Moment, Report,
    Said,
};
use super::oracle::{Oracle, ensure};
use super::scenario::{Character, Nature, Scenario};
use super::store::{Change, Checkpoint, Record, State, Store, Units};

/// The ledger's window is filled up to so many tasks.
const WINDOW: u64 = 5;

/// What can happen. Numbers are taken modulo what there is; what cannot happen does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Milliseconds pass.
    Pass(u16),
    /// The next command bears a stamp so many milliseconds old: two threads have crossed.
    Skew(u8),
    /// The coordinator's clock tells it that time passes.
    Tick,
    /// What was decided becomes durable, and the answers leave.
    Sync,
    /// A worker asks for tasks (or introduces itself).
    Ask(u8),
    /// A worker renews its leases.
    Beat(u8),
    /// A worker starts a task that waits.
    Start(u8),
    /// A worker ends a task: as it comes, or (in one case of several) because of a guard or of its own end.
    End(u8, u8),
    /// A worker hands in a checkpoint of what it computes.
    Keep(u8),
    /// A worker says again what was not answered.
    Repeat(u8),
    /// A message arrives.
    Deliver(u8),
    /// A message arrives, and will again.
    Duplicate(u8),
    /// A message is lost.
    Lose(u8),
    /// A certificate is checked.
    Judge(u8),
    /// A worker dies.
    KillWorker(u8),
    /// A worker goes in order.
    Leave(u8),
    /// The coordinator dies; its store is kept.
    KillCoordinator,
    /// Somebody asks that a task be stopped.
    Stop(u8),
    /// For a moment everything goes well, for one worker.
    Work(u8),
    /// An operator refuses a worker.
    Ban(u8),
    /// An operator has a worker believed again.
    Pardon(u8),
    /// The numbers of this generation are used up.
    Renew,
}

/// A certificate, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Certificate {
    True,
    Refusable,
    False(u8),
    /// It takes more fuel than was said.
    Unfounded,
}

#[derive(Clone, Debug)]
enum Outcome {
    Certificate(Certificate),
    NoCertificate(Report),
    Split,
}

#[derive(Clone, Debug)]
enum Letter {
    Register,
    Ask(WorkerId, Vec<HeldLease>, u32, u32),
    Beat(WorkerId, Vec<HeldLease>),
    Report(WorkerId, TaskId, Epoch, Outcome),
    Keep(WorkerId, TaskId, Epoch, u64, Option<u8>),
    Leave(WorkerId),
}

#[derive(Clone, Debug)]
enum Answer {
    Welcome(WorkerId),
    Unknown,
    Leases(Vec<Effect>),
    Taken(TaskId, Epoch),
}

#[derive(Clone, Debug)]
enum Message {
    Up(usize, u32, Letter),
    Down(usize, u32, Answer),
}

#[derive(Clone, Debug, Default)]
struct Worker {
    incarnation: u32,
    id: Option<WorkerId>,
    waiting: Vec<(TaskId, Epoch, MemoryClass)>,
    running: Vec<(TaskId, Epoch, MemoryClass)>,
    unanswered: Vec<(TaskId, Epoch, Outcome)>,
    stop: BTreeSet<TaskId>,
    /// Leases that go on from a checkpoint that a liar spoilt.
    spoilt: BTreeMap<Epoch, u8>,
}

struct Check {
    task: TaskId,
    epoch: Epoch,
    certificate: Certificate,
    by: Option<usize>,
    answer: Option<(usize, u32)>,
}

pub(super) struct World {
    scenario: Scenario,
    now: u64,
    skew: u64,
    natures: BTreeMap<TaskId, Nature>,
    pub(super) store: Store,
    ledger: Ledger,
    oracle: Oracle,
    cursor: usize,
    uncommitted: Vec<Change>,
    answers: Vec<Message>,
    checks: Vec<Check>,
    network: Vec<Message>,
    workers: Vec<Worker>,
    /// The checkpoints that the coordinator knows of, durable or not.
    kept: BTreeMap<TaskId, Checkpoint>,
    quiet: bool,
    /// Who handed in what came of a spoilt checkpoint.
    misled: BTreeSet<WorkerIdentity>,
    /// Whose processes died for no fault of the task.
    crashed: BTreeSet<WorkerIdentity>,
    /// How often each effect followed while everything could happen.
    pub(super) seen: Seen,
}

/// Effects by name.
pub(super) type Seen = BTreeMap<&'static str, u64>;

impl World {
    pub(super) fn new(scenario: Scenario) -> Result<Self, String> {
        let mut store = Store::default();
        let mut natures = BTreeMap::new();
        let mut next = 0;
        for (n, &(nature, units)) in scenario.tasks.iter().enumerate() {
            let task = TaskId([n as u8 + 1; 32]);
            natures.insert(task, nature);
            store.add(task, next..next + units);
            next += units;
        }
        let workers = vec![Worker::default(); scenario.crew.len()];
        let mut world = Self {
            now: 1_000,
            skew: 0,
            natures,
            ledger: Ledger::new(scenario.terms, 0),
            oracle: Oracle::default(),
            store,
            cursor: 0,
            uncommitted: Vec::new(),
            answers: Vec::new(),
            checks: Vec::new(),
            network: Vec::new(),
            workers,
            kept: BTreeMap::new(),
            scenario,
            quiet: false,
            misled: BTreeSet::new(),
            crashed: BTreeSet::new(),
            seen: Seen::new(),
        };
        world.open()?;
        if world.scenario.strict {
            (0..world.workers.len()).for_each(|w| world.ask(w));
            world.deliver_all()?;
        }
        Ok(world)
    }

    /// A coordinator begins: nothing is left of the one before but the store.
    fn open(&mut self) -> Result<(), String> {
        self.store.generation += 1;
        self.ledger =
            Ledger::new(self.scenario.terms, self.store.generation).with_key(self.scenario.key);
        let terms = &self.scenario.terms;
        self.oracle = Oracle::new(terms, self.oracle.last_epoch());
        self.uncommitted.clear();
        self.answers.clear();
        self.checks.clear();
        self.kept = self.store.checkpoints.clone();
        self.cursor = 0;
        for identity in self.store.distrusted.clone().into_keys() {
            self.apply(Command::Distrust(identity, Misdeed::Told))?;
        }
        self.refill()
    }

    fn refill(&mut self) -> Result<(), String> {
        let mut admitted = Vec::new();
        while self.ledger.counts().ready + (admitted.len() as u64) < WINDOW
            && let Some(&task) = self.store.positions.get(self.cursor)
        {
            self.cursor += 1;
            admitted.extend(self.store.pending(task));
        }
        self.admit(admitted)
    }

    fn admit(&mut self, admitted: Vec<Admitted>) -> Result<(), String> {
        let tasks: Vec<TaskId> = admitted.iter().map(|admitted| admitted.task).collect();
        self.apply(Command::Admit(admitted))?;
        for task in tasks {
            if let Some(entry) = self.ledger.entry(task) {
                self.oracle.admitted(task, entry);
            }
        }
        Ok(())
    }

    /// Gives a command to the ledger, compares what follows with the oracle, and takes down what is to be committed.
    fn apply(&mut self, command: Command) -> Result<Vec<Effect>, String> {
        let now = Moment(self.now - std::mem::take(&mut self.skew).min(self.now));
        let effects = self.ledger.apply(command.clone(), now);
        self.ledger
            .check_invariants()
            .map_err(|broken| broken.to_string())?;
        self.oracle.judge(&command, &effects, &self.ledger, now)?;
        for effect in &effects {
            if !self.quiet {
                *self.seen.entry(name(effect)).or_default() += 1;
            }
            self.take_down(effect)?;
        }
        Ok(effects)
    }

    fn take_down(&mut self, effect: &Effect) -> Result<(), String> {
        let change = match effect {
            Effect::Retry { task, attempts, .. } => {
                let claims = self.ledger.entry(*task).map(|entry| entry.claims.clone());
                Change::Note(*task, *attempts, claims.unwrap_or_default())
            }
            Effect::Doubted { task, claims } => {
                let attempts = self.ledger.entry(*task).map(|entry| entry.attempts);
                Change::Note(*task, attempts.unwrap_or_default(), claims.clone())
            }
            Effect::Undone {
                task,
                attempts,
                claims,
            } => Change::Note(*task, *attempts, claims.clone()),
            Effect::Advanced { task, attempts } => {
                let claims = self.ledger.entry(*task).map(|entry| entry.claims.clone());
                Change::Note(*task, *attempts, claims.unwrap_or_default())
            }
            Effect::Pardoned(identity) => Change::Pardon(*identity),
            Effect::Quarantined { task, by, .. } => Change::Quarantine(*task, by.clone()),
            Effect::Dropped(task) => {
                ensure!(
                    self.kept.remove(task).is_some(),
                    "{task} has no checkpoint to be dropped"
                );
                Change::Drop(*task)
            }
            Effect::Granted { task, resumed, .. } => {
                // Whoever does it again goes on from nothing that those had a part in who spoke of it.
                let claims = self.ledger.entry(*task).map(|entry| entry.claims.clone());
                let claims = claims.unwrap_or_default();
                let good = self.kept.get(task).is_some_and(|checkpoint| {
                    let makers = &checkpoint.kept.makers;
                    let mut certified = claims.iter().filter(|claim| claim.is_doubt());
                    certified.all(|claim| !makers.contains(&claim.by))
                });
                ensure!(
                    *resumed == good,
                    "{task} goes on from a checkpoint: {resumed}"
                );
                return Ok(());
            }
            Effect::Finished { task, .. } | Effect::Split { task, .. } => {
                self.kept.remove(task);
                return Ok(());
            }
            Effect::Reopened(task) => Change::Reopen(*task),
            Effect::Distrusted { identity, why } => {
                let crew = self.scenario.crew.iter();
                let mut caught = crew.filter(|crew| crew.identity == *identity);
                // Who goes on from spoilt checkpoints again and again is taken for one who spoils them.
                ensure!(
                    caught.all(|crew| crew.character != Character::Honest)
                        || *why == Misdeed::RefusedTooOften && self.misled.contains(identity)
                        // A process of it died again and again: as far as others see it is broken.
                        || *why == Misdeed::FailedTooOften && self.crashed.contains(identity)
                        // Caught for that before the coordinator was started.
                        || *why == Misdeed::Told
                            && (self.misled.contains(identity) || self.crashed.contains(identity)),
                    "an honest worker is distrusted: {why:?}"
                );
                Change::Distrust(*identity)
            }
            Effect::Arbitrate {
                task,
                epoch,
                within,
            } => {
                // A lie about the fuel is found out before it is known what is so.
                let said = self.ledger.entry(*task).map(|entry| entry.claims.clone());
                let is_lie = |claim: &Claim| match claim.said {
                    Said::Certificate(digest) | Said::Resumed(digest) => digest.0[0] != 0,
                    _ => false,
                };
                let lie = said.unwrap_or_default().iter().any(is_lie);
                self.checks.push(Check {
                    task: *task,
                    epoch: *epoch,
                    certificate: match within {
                        Some(_) if lie && task.0[0].is_multiple_of(2) => Certificate::Unfounded,
                        _ => Certificate::True,
                    },
                    by: None,
                    answer: None,
                });
                return Ok(());
            }
            _ => return Ok(()),
        };
        self.uncommitted.push(change);
        Ok(())
    }

    pub(super) fn act(&mut self, action: Action) -> Result<(), String> {
        let worker = |n: u8| usize::from(n) % self.workers.len();
        match action {
            Action::Pass(ms) => self.now += u64::from(ms),
            Action::Skew(ms) => self.skew = u64::from(ms),
            Action::Tick => {
                self.apply(Command::Tick)?;
            }
            Action::Sync => self.sync()?,
            Action::Ask(n) => self.ask(worker(n)),
            Action::Beat(n) => self.beat(worker(n)),
            Action::Start(n) => self.start(worker(n)),
            Action::End(n, how) => self.end(worker(n), how),
            Action::Keep(n) => self.keep(worker(n)),
            Action::Repeat(n) => self.repeat(worker(n)),
            Action::Deliver(n) => self.deliver(n, false)?,
            Action::Duplicate(n) => self.deliver(n, true)?,
            Action::Lose(n) => {
                if !self.network.is_empty() {
                    self.network
                        .swap_remove(usize::from(n) % self.network.len());
                }
            }
            Action::Judge(n) => self.judge(n)?,
            Action::KillWorker(n) => {
                let w = worker(n);
                self.workers[w] = Worker {
                    incarnation: self.workers[w].incarnation + 1,
                    ..Worker::default()
                };
            }
            Action::Leave(n) => {
                let w = worker(n);
                if let Some(id) = self.workers[w].id.filter(|_| !self.scenario.strict) {
                    self.send(w, Letter::Leave(id));
                    let incarnation = self.workers[w].incarnation + 1;
                    self.workers[w] = Worker {
                        incarnation,
                        ..Worker::default()
                    };
                }
            }
            Action::KillCoordinator => {
                if !self.scenario.strict {
                    self.open()?;
                }
            }
            Action::Stop(n) => {
                let at = usize::from(n) % self.store.positions.len();
                self.apply(Command::Stop(self.store.positions[at]))?;
            }
            Action::Ban(n) => {
                let crew = &self.scenario.crew[worker(n)];
                // Not all of them may be sent away.
                if crew.character != Character::Honest {
                    self.apply(Command::Distrust(crew.identity, Misdeed::Banned))?;
                }
            }
            Action::Pardon(n) => {
                let identity = self.scenario.crew[worker(n)].identity;
                if !self.scenario.strict {
                    self.apply(Command::Pardon(identity))?;
                }
            }
            Action::Renew => {
                self.store.generation += 1;
                self.apply(Command::Begin(self.store.generation))?;
            }
            Action::Work(n) => {
                let w = worker(n);
                self.ask(w);
                self.deliver_all()?;
                self.start(w);
                self.beat(w);
                self.deliver_all()?;
                self.end(w, n % 8);
                self.deliver_all()?;
            }
        }
        Ok(())
    }

    fn sync(&mut self) -> Result<(), String> {
        let changes = std::mem::take(&mut self.uncommitted);
        let reopened: Vec<TaskId> = changes
            .iter()
            .filter_map(|change| match change {
                Change::Reopen(task) => Some(*task),
                _ => None,
            })
            .collect();
        for change in changes {
            self.store.commit(change)?;
        }
        self.network.append(&mut self.answers);
        let reopened = reopened.iter().filter_map(|&task| self.store.pending(task));
        let reopened = reopened.collect();
        self.admit(reopened)?;
        if std::mem::take(&mut self.store.released) {
            self.cursor = 0;
        }
        self.refill()
    }

    fn send(&mut self, w: usize, letter: Letter) {
        let incarnation = self.workers[w].incarnation;
        self.network.push(Message::Up(w, incarnation, letter));
    }

    fn held(&self, w: usize) -> Vec<HeldLease> {
        let held = |running| {
            move |&(task, epoch, _): &(TaskId, Epoch, MemoryClass)| HeldLease {
                task,
                epoch,
                running,
            }
        };
        let worker = &self.workers[w];
        let reporting = worker.unanswered.iter().map(|&(task, epoch, _)| HeldLease {
            task,
            epoch,
            running: true,
        });
        let waiting = worker.waiting.iter().map(held(false));
        waiting
            .chain(worker.running.iter().map(held(true)))
            .chain(reporting)
            .collect()
    }

    fn ask(&mut self, w: usize) {
        let Some(id) = self.workers[w].id else {
            return self.send(w, Letter::Register);
        };
        let slots = self.scenario.crew[w].slots;
        let worker = &self.workers[w];
        let busy = (worker.running.len() + worker.waiting.len()) as u32;
        let letter = Letter::Ask(id, self.held(w), slots.saturating_sub(busy), 2 * slots);
        self.send(w, letter);
    }

    fn beat(&mut self, w: usize) {
        if let Some(id) = self.workers[w].id {
            let letter = Letter::Beat(id, self.held(w));
            self.send(w, letter);
        }
    }

    fn start(&mut self, w: usize) {
        let slots = self.scenario.crew[w].slots as usize;
        let worker = &mut self.workers[w];
        if worker.running.len() < slots && !worker.waiting.is_empty() {
            let lease = worker.waiting.remove(0);
            worker.running.push(lease);
        }
    }

    fn end(&mut self, w: usize, how: u8) {
        let worker = &mut self.workers[w];
        if worker.running.is_empty() {
            return;
        }
        let at = usize::from(how) % worker.running.len();
        let (task, epoch, class) = worker.running.swap_remove(at);
        let nature = self.natures.get(&task).copied().unwrap_or(Nature::Fine);
        let units = self.store.units(task).len();
        let stop = self.workers[w].stop.remove(&task);
        let spoilt = self.workers[w].spoilt.remove(&epoch);
        let failed = |failure| Outcome::NoCertificate(Report::Failed(failure));
        let outcome = match (how / 8 % 8, nature) {
            (1, _) if !self.quiet => {
                Outcome::NoCertificate(Report::Interrupted(InterruptCause::Shutdown))
            }
            (2, _) if !self.quiet => {
                Outcome::NoCertificate(Report::Interrupted(InterruptCause::TimeGuard))
            }
            (3, _) if !self.quiet => {
                self.crashed.insert(self.scenario.crew[w].identity);
                failed(Failure::crashed("killed", ""))
            }
            _ if self.scenario.crew[w].character == Character::Broken => {
                failed(Failure::computation("broken"))
            }
            (_, Nature::Poison) => failed(Failure::computation("panicked")),
            (_, Nature::Insatiable) => failed(Failure::OutOfMemory { limit: None }),
            (_, Nature::Hungry) if class == MemoryClass::LEAST => {
                Outcome::NoCertificate(Report::Interrupted(InterruptCause::MemoryGuard))
            }
            _ if stop && units > 1 => Outcome::Split,
            _ => Outcome::Certificate(match self.scenario.crew[w].character {
                Character::Honest if spoilt.is_some() => {
                    self.misled.insert(self.scenario.crew[w].identity);
                    Certificate::False(spoilt.unwrap_or_default())
                }
                Character::Honest => Certificate::True,
                Character::Sloppy | Character::Broken => Certificate::Refusable,
                Character::Liar => Certificate::False(w as u8),
            }),
        };
        self.workers[w]
            .unanswered
            .push((task, epoch, outcome.clone()));
        if let Some(id) = self.workers[w].id {
            self.send(w, Letter::Report(id, task, epoch, outcome));
        }
    }

    /// A liar's checkpoint makes a liar of whoever goes on from it. Two of whom one may be a liar cannot find that out, so where no lie
    /// may remain there are no such checkpoints.
    fn keep(&mut self, w: usize) {
        let worker = &self.workers[w];
        let (Some(id), Some(&(task, epoch, _))) = (worker.id, worker.running.first()) else {
            return;
        };
        let spoilt = match self.scenario.crew[w].character {
            Character::Liar if self.scenario.strict => return,
            Character::Liar => Some(w as u8),
            Character::Honest | Character::Sloppy | Character::Broken => {
                worker.spoilt.get(&epoch).copied()
            }
        };
        self.send(w, Letter::Keep(id, task, epoch, self.now, spoilt));
    }

    fn repeat(&mut self, w: usize) {
        if let Some(id) = self.workers[w].id {
            for (task, epoch, outcome) in self.workers[w].unanswered.clone() {
                self.send(w, Letter::Report(id, task, epoch, outcome));
            }
        }
    }

    fn deliver(&mut self, n: u8, again: bool) -> Result<(), String> {
        if self.network.is_empty() {
            return Ok(());
        }
        let at = usize::from(n) % self.network.len();
        let message = if again {
            self.network[at].clone()
        } else {
            self.network.swap_remove(at)
        };
        match message {
            Message::Up(w, incarnation, letter) => self.receive(w, incarnation, letter),
            Message::Down(w, incarnation, answer) => {
                if self.workers[w].incarnation == incarnation {
                    self.hear(w, answer);
                }
                Ok(())
            }
        }
    }

    /// The coordinator reads a letter.
    fn receive(&mut self, w: usize, incarnation: u32, letter: Letter) -> Result<(), String> {
        let crew = &self.scenario.crew[w];
        let (identity, slots, class) = (crew.identity, crew.slots, crew.class);
        let answer = match letter {
            Letter::Register => {
                let register = Command::Register {
                    identity,
                    slots,
                    class,
                };
                match self.apply(register)?[..] {
                    [Effect::Registered(id)] => Answer::Welcome(id),
                    ref other => return Err(format!("{other:?}")),
                }
            }
            Letter::Ask(worker, held, idle, room) => leases(self.apply(Command::Lease {
                worker,
                held,
                idle,
                room,
            })?),
            Letter::Beat(worker, held) => leases(self.apply(Command::Renew { worker, held })?),
            Letter::Leave(worker) => {
                self.apply(Command::Leave { worker })?;
                return Ok(());
            }
            Letter::Keep(worker, task, epoch, fuel, spoilt) => {
                let keep = Command::Keep {
                    worker,
                    task,
                    epoch,
                    fuel,
                };
                if let [Effect::Kept { task, makers }, ..] = &self.apply(keep)?[..] {
                    let makers = makers.clone();
                    let kept = Kept { makers, fuel };
                    let checkpoint = Checkpoint { kept, spoilt };
                    self.kept.insert(*task, checkpoint.clone());
                    self.uncommitted.push(Change::Keep(*task, checkpoint));
                }
                return Ok(());
            }
            Letter::Report(worker, task, epoch, outcome) => {
                let effects = match outcome {
                    Outcome::Certificate(certificate) => {
                        let claim = Command::Claim {
                            worker,
                            task,
                            epoch,
                        };
                        let effects = self.apply(claim)?;
                        if let [Effect::Claimed { .. }] = effects[..] {
                            self.checks.push(Check {
                                task,
                                epoch,
                                certificate,
                                by: Some(w),
                                answer: Some((w, incarnation)),
                            });
                            return Ok(());
                        }
                        effects
                    }
                    Outcome::NoCertificate(report) => self.apply(Command::GiveUp {
                        worker,
                        task,
                        epoch,
                        report,
                    })?,
                    Outcome::Split => {
                        let parts = self.parts(task);
                        let children = parts.iter().map(|(child, _)| *child).collect();
                        let effects = self.apply(Command::Split {
                            worker,
                            task,
                            epoch,
                            children,
                        })?;
                        if let [Effect::Split { .. }] = effects[..] {
                            self.uncommitted.push(Change::Split(task, parts));
                        }
                        effects
                    }
                };
                if let [Effect::UnknownWorker(_)] = effects[..] {
                    Answer::Unknown
                } else {
                    Answer::Taken(task, epoch)
                }
            }
        };
        self.answers.push(Message::Down(w, incarnation, answer));
        Ok(())
    }

    /// Two halves of a task.
    fn parts(&mut self, task: TaskId) -> Vec<(TaskId, Units)> {
        let units = self.store.units(task);
        let middle = units.start + units.len() as u32 / 2;
        let nature = self.natures.get(&task).copied().unwrap_or(Nature::Fine);
        let halves = [units.start..middle, middle..units.end];
        let child = |half: Units| {
            let mut id = task.0;
            id[30..].copy_from_slice(&[half.start as u8, half.end as u8 | 0x80]);
            (TaskId(id), half)
        };
        let parts: Vec<_> = halves.into_iter().map(child).collect();
        for (child, _) in &parts {
            self.natures.insert(*child, nature);
        }
        parts
    }

    /// A worker reads an answer.
    fn hear(&mut self, w: usize, answer: Answer) {
        let kept = &self.kept;
        let worker = &mut self.workers[w];
        match answer {
            Answer::Welcome(id) if worker.id.is_none() => worker.id = Some(id),
            Answer::Welcome(_) => {}
            Answer::Unknown => {
                *worker = Worker {
                    incarnation: worker.incarnation + 1,
                    ..Worker::default()
                };
            }
            Answer::Taken(task, epoch) => worker
                .unanswered
                .retain(|(told, under, _)| (*told, *under) != (task, epoch)),
            Answer::Leases(effects) => {
                for effect in effects {
                    match effect {
                        Effect::Granted {
                            task,
                            epoch,
                            class,
                            resumed,
                        } => {
                            let from = kept.get(&task).filter(|_| resumed);
                            if let Some(liar) = from.and_then(|from| from.spoilt) {
                                worker.spoilt.insert(epoch, liar);
                            }
                            worker.waiting.push((task, epoch, class));
                        }
                        Effect::StopAsked { task, .. } => {
                            worker.stop.insert(task);
                        }
                        Effect::Lost { task, epoch } => {
                            let others = |lease: &(TaskId, Epoch, MemoryClass)| {
                                (lease.0, lease.1) != (task, epoch)
                            };
                            worker.waiting.retain(others);
                            worker.running.retain(others);
                            worker
                                .unanswered
                                .retain(|(told, under, _)| (*told, *under) != (task, epoch));
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    /// A check ends.
    fn judge(&mut self, n: u8) -> Result<(), String> {
        if self.checks.is_empty() {
            return Ok(());
        }
        let at = usize::from(n) % self.checks.len();
        let Check {
            task,
            epoch,
            certificate,
            by,
            answer,
        } = self.checks.swap_remove(at);
        // Of some nothing more can be proved.
        let finished = |n: u8| {
            let digest = CertificateDigest([n; 32]);
            match task.0[0].is_multiple_of(3) {
                true => Report::Finished(Finish::Done, digest),
                false => Report::Unproved(Finish::Exhausted, digest, u64::from(task.0[0]) << 22),
            }
        };
        let report = match certificate {
            Certificate::True => finished(0),
            Certificate::False(by) => finished(by + 1),
            Certificate::Refusable => Report::Failed(Failure::Refused("no".to_owned())),
            Certificate::Unfounded => Report::Contradicted,
        };
        let before = self.uncommitted.len();
        let effects = self.apply(Command::Settle {
            task,
            epoch,
            report,
        })?;
        if let Some(Effect::Finished { .. }) = effects.first() {
            // Whoever handed it in may only have gone on from a liar's checkpoint.
            let author = match certificate {
                Certificate::False(liar) => Some(usize::from(liar)),
                Certificate::True | Certificate::Refusable | Certificate::Unfounded => by,
            };
            let record = Record {
                is_true: certificate == Certificate::True,
                by: author.map(|w| self.scenario.crew[w].identity),
                generation: self.store.generation,
            };
            // Before whatever else follows: what is finished first may be reopened by the same command.
            self.uncommitted
                .insert(before, Change::Finish(task, record));
        }
        if let Some((w, incarnation)) = answer {
            self.answers
                .push(Message::Down(w, incarnation, Answer::Taken(task, epoch)));
        }
        Ok(())
    }

    fn deliver_all(&mut self) -> Result<(), String> {
        // Answers bring forth no letters, so this ends.
        for _ in 0..3 {
            while !self.network.is_empty() {
                self.deliver(0, false)?;
            }
            while !self.checks.is_empty() {
                self.judge(0)?;
            }
            self.sync()?;
        }
        Ok(())
    }

    /// Nothing bad happens any more; the census must end. The operator tries again what was put aside because of what happened before,
    /// without those who fail at everything: a task that runs out of memory below the top class has few failures left for them.
    pub(super) fn settle_down(&mut self) -> Result<(), String> {
        self.quiet = true;
        self.pardon_the_honest()?;
        for _ in 0..4 {
            let mut rounds = 0;
            while !self.store.is_finished() {
                rounds += 1;
                ensure!(
                    rounds < 50_000,
                    "the census does not end: {:?}",
                    self.store.tasks
                );
                for w in 0..self.workers.len() {
                    self.ask(w);
                    self.repeat(w);
                    self.deliver_all()?;
                    for _ in 0..8 {
                        self.start(w);
                        self.end(w, 0);
                    }
                    self.deliver_all()?;
                }
                self.now += 7;
                self.apply(Command::Tick)?;
            }
            if self.innocents_in_quarantine() == 0 {
                return Ok(());
            }
            self.store.release();
            self.open()?;
            self.ban_the_broken()?;
        }
        Err("innocent tasks end in quarantine again and again".to_owned())
    }

    /// An operator takes back what was held against honest workers whose processes died, or who went on from spoilt checkpoints.
    fn ban_the_broken(&mut self) -> Result<(), String> {
        let crew = self.scenario.crew.clone();
        for crew in crew
            .iter()
            .filter(|crew| crew.character == Character::Broken)
        {
            self.apply(Command::Distrust(crew.identity, Misdeed::Banned))?;
        }
        self.sync()
    }

    fn pardon_the_honest(&mut self) -> Result<(), String> {
        let crew = self.scenario.crew.clone();
        for crew in crew
            .iter()
            .filter(|crew| crew.character == Character::Honest)
        {
            self.apply(Command::Pardon(crew.identity))?;
        }
        self.sync()
    }

    fn in_quarantine(&self) -> impl Iterator<Item = Nature> {
        let quarantined = self
            .store
            .tasks
            .iter()
            .filter(|(_, (_, state))| matches!(state, State::Quarantined(_)));
        quarantined.filter_map(|(task, _)| self.natures.get(task).copied())
    }

    fn innocents_in_quarantine(&self) -> usize {
        let innocent = |nature: &Nature| matches!(nature, Nature::Fine | Nature::Hungry);
        self.in_quarantine().filter(innocent).count()
    }

    /// Compares the census with the one that nothing ever happened to.
    pub(super) fn check_census(&self) -> Result<(), String> {
        let mut unit = 0;
        for &(nature, units) in &self.scenario.tasks {
            let wanted = matches!(nature, Nature::Fine | Nature::Hungry);
            for unit in unit..unit + units {
                let record = self.store.records.get(&unit);
                ensure!(
                    record.is_some() == wanted,
                    "unit {unit} of a {nature:?} task has {record:?}"
                );
                let Some(record) = record.filter(|record| !record.is_true) else {
                    continue;
                };
                // A lie that the checker accepts stays only where its author was not caught by the same coordinator.
                let caught = record.by.and_then(|by| self.store.distrusted.get(&by));
                ensure!(
                    !self.scenario.strict && caught != Some(&record.generation),
                    "unit {unit} is a lie: {record:?}"
                );
            }
            unit += units;
        }
        Ok(())
    }

    /// Whether the ledger holds no task.
    pub(super) fn is_empty(&self) -> bool {
        self.ledger.entries().next().is_none()
    }
}

fn name(effect: &Effect) -> &'static str {
    match effect {
        Effect::Registered(_) => "registered",
        Effect::UnknownWorker(_) => "unknown worker",
        Effect::Left(_) => "left",
        Effect::Granted { .. } => "granted",
        Effect::Lost { .. } => "lost",
        Effect::StopAsked { .. } => "stop asked",
        Effect::Claimed { .. } => "claimed",
        Effect::Stale(_) => "stale",
        Effect::Finished { .. } => "finished",
        Effect::Split { .. } => "split",
        Effect::Kept { .. } => "checkpoint kept",
        Effect::Dropped(_) => "checkpoint dropped",
        Effect::Doubted { .. } => "doubted",
        Effect::Arbitrate { .. } => "arbitrated",
        Effect::Distrusted { .. } => "distrusted",
        Effect::Reopened(_) => "reopened",
        Effect::Retry { .. } => "tried again",
        Effect::Quarantined { .. } => "quarantined",
        Effect::Undone { .. } => "undone",
        Effect::Advanced { .. } => "advanced",
        Effect::HeldBack { .. } => "held back",
        Effect::Pardoned(_) => "pardoned",
        Effect::Spent => "spent",
    }
}

fn leases(effects: Vec<Effect>) -> Answer {
    match effects[..] {
        [Effect::UnknownWorker(_)] => Answer::Unknown,
        _ => Answer::Leases(effects),
    }
}
