//! Workers, an unreliable network, and a coordinator that commits in groups.
//!
//! The network loses, repeats and reorders messages.

mod crew;
mod ending;
mod messages;

use std::collections::{BTreeMap, BTreeSet};

use misere_census::{Claim, Misconduct, Statement, TaskId, WorkerIdentity};

use super::super::Effect;
use super::super::transcript::{Command, Event};
use super::super::{Ledger, Millis, WindowTask};
use super::levels::{self, LevelChange, batch_of};
use super::oracle::{Oracle, ensure};
use super::scenario::{Character, Nature, Scenario};
use super::store::{Change, Checkpoint, Store};
use crew::Worker;
use messages::{Certificate, Check, Message};

/// The number of tasks up to which the ledger's window is filled.
const WINDOW: u64 = 5;

/// The number of results taken back in one group.
const TAKEN_BACK_TOGETHER: usize = 2;

/// An action of a schedule.
///
/// Numbers are taken modulo the number of choices; an action that is not possible does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Tenths of a second pass.
    Pass(u16),
    /// The next command has a stamp this many tenths of a second old: two threads have crossed.
    Skew(u8),
    /// The clock of the coordinator ticks.
    Tick,
    /// The changes become durable, and the answers leave.
    Sync,
    /// A worker looks at its clock.
    Wake(u8),
    /// A thread of a worker starts a task.
    Start(u8),
    /// A worker ends a task.
    ///
    /// It ends by its result, or (in one case of several) because of a guard or of the worker's
    /// death.
    End(u8, u8),
    /// A computation of a worker writes a checkpoint.
    Checkpoint(u8),
    /// A worker treats unanswered letters as lost, and sends them again.
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
    /// A worker is told to stop; when it has ended, another takes its place.
    Drain(u8),
    /// The coordinator dies; its store is kept.
    KillCoordinator,
    /// An operator asks that a task be stopped.
    Stop(u8),
    /// All goes well for one worker, for a moment.
    Work(u8),
    /// An operator refuses a worker.
    Ban(u8),
    /// An operator pardons a worker.
    Pardon(u8),
    /// The numbers of this generation are used up.
    Renew,
}

pub(super) struct World {
    scenario: Scenario,
    now: u64,
    skew: u64,
    natures: Natures,
    pub(super) store: Store,
    ledger: Ledger,
    oracle: Oracle,
    cursor: usize,
    uncommitted: Vec<Change>,
    answers: Vec<Message>,
    checks: Vec<Check>,
    network: Vec<Message>,
    /// The number of letters ever sent.
    letters: u64,
    workers: Vec<Worker>,
    /// The checkpoints that the coordinator knows of, durable or not.
    kept: BTreeMap<TaskId, Checkpoint>,
    quiet: bool,
    /// The workers that submitted the result of a spoilt checkpoint, or that made a checkpoint from
    /// which a liar went on: which of the two spoilt the result is not known.
    misled: BTreeSet<WorkerIdentity>,
    /// The workers whose processes died through no fault of the task.
    crashed: BTreeSet<WorkerIdentity>,
    /// The number of times that each thing happened while faults were possible.
    pub(super) seen: EventCounts,
}

/// The nature of each task.
struct Natures {
    games: BTreeMap<TaskId, Nature>,
}

impl Natures {
    fn of_games(natures: &[Nature]) -> Self {
        let games = natures.iter().zip(1..);
        let games = games.map(|(&nature, n)| (TaskId([n; 32]), nature));
        Self {
            games: games.collect(),
        }
    }

    fn of(&self, task: TaskId) -> Nature {
        match batch_of(task) {
            Some((level, candidates)) => levels::nature(level, candidates),
            None => self.games.get(&task).copied().unwrap_or(Nature::Fine),
        }
    }
}

/// The counts of the events of the ledger and of the outputs of sessions, by name.
pub(super) type EventCounts = BTreeMap<&'static str, u64>;

impl World {
    pub(super) fn new(scenario: Scenario) -> Result<Self, String> {
        let mut store = Store::default();
        store.levels.planned = scenario.levels;
        let natures = Natures::of_games(&scenario.games);
        natures.games.keys().for_each(|&game| store.add(game));
        let now = 1_000;
        let workers = scenario.crew.iter();
        let workers = workers.map(|crew| Worker::new(crew, 0, now)).collect();
        let mut world = Self {
            now,
            skew: 0,
            natures,
            ledger: Ledger::new(scenario.config, 0),
            oracle: Oracle::default(),
            store,
            cursor: 0,
            uncommitted: Vec::new(),
            answers: Vec::new(),
            checks: Vec::new(),
            network: Vec::new(),
            letters: 0,
            workers,
            kept: BTreeMap::new(),
            scenario,
            quiet: false,
            misled: BTreeSet::new(),
            crashed: BTreeSet::new(),
            seen: EventCounts::new(),
        };
        world.open()?;
        if world.scenario.strict {
            (0..world.workers.len()).try_for_each(|w| world.wake(w))?;
            world.deliver_all()?;
        }
        Ok(world)
    }

    /// Starts a coordinator: only the store is left of the previous one.
    fn open(&mut self) -> Result<(), String> {
        self.store.generation += 1;
        self.ledger =
            Ledger::new(self.scenario.config, self.store.generation).with_key(self.scenario.key);
        let config = &self.scenario.config;
        self.oracle = Oracle::new(config, self.oracle.last_epoch());
        self.uncommitted.clear();
        self.answers.clear();
        self.checks.clear();
        self.kept = self.store.checkpoints.clone();
        self.cursor = 0;
        for identity in self.store.distrusted.clone() {
            self.apply(Command::Distrust(identity, Misconduct::CaughtBefore))?;
        }
        self.advance()?;
        self.refill()
    }

    /// Opens the next level if the one before is complete.
    ///
    /// Tasks that are no longer in a level that was written again are withdrawn.
    fn advance(&mut self) -> Result<(), String> {
        let LevelChange { added, withdrawn } = self.store.advance();
        let added = added.iter().filter_map(|&task| self.store.pending(task));
        let added = added.collect();
        self.admit(added)?;
        if !withdrawn.is_empty() {
            self.saw("level laid down anew");
            self.apply(Command::Withdraw(withdrawn))?;
        }
        Ok(())
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

    fn admit(&mut self, admitted: Vec<WindowTask>) -> Result<(), String> {
        let tasks: Vec<TaskId> = admitted.iter().map(|admitted| admitted.task).collect();
        self.apply(Command::Admit(admitted))?;
        for task in tasks {
            if let Some(entry) = self.ledger.entry(task) {
                self.oracle.admitted(task, entry);
            }
        }
        Ok(())
    }

    /// Gives a command to the ledger and compares the events with the oracle.
    ///
    /// Changes to be committed are recorded.
    fn apply(&mut self, command: Command) -> Result<Vec<Event>, String> {
        let now = Millis(self.now - std::mem::take(&mut self.skew).min(self.now));
        let effects = self.ledger.apply(command.clone(), now);
        self.ledger
            .check_invariants()
            .map_err(|broken| broken.to_string())?;
        self.oracle.judge(&command, &effects, &self.ledger, now)?;
        for effect in &effects {
            self.saw(name(effect));
            self.store_event(effect)?;
        }
        Ok(effects)
    }

    /// Counts something that happened while faults were possible.
    fn saw(&mut self, what: &'static str) {
        if !self.quiet {
            *self.seen.entry(what).or_default() += 1;
        }
    }

    fn store_event(&mut self, effect: &Event) -> Result<(), String> {
        let change = match effect {
            Event::Follows(Effect::Retry { task, attempts, .. }) => {
                let claims = self.ledger.entry(*task).map(|entry| entry.claims.clone());
                Change::Note(*task, *attempts, claims.unwrap_or_default())
            }
            Event::Follows(Effect::ClaimsChanged { task, claims }) => {
                let helped_a_lie = claims.iter().filter(|claim| {
                    matches!(claim.statement, Statement::Helped(digest) if digest.0[0] != 0)
                });
                self.misled.extend(helped_a_lie.map(|claim| claim.by));
                let attempts = self.ledger.entry(*task).map(|entry| entry.attempts);
                Change::Note(*task, attempts.unwrap_or_default(), claims.clone())
            }
            Event::Follows(Effect::Undone {
                task,
                attempts,
                claims,
            }) => Change::Note(*task, *attempts, claims.clone()),
            Event::Follows(Effect::Advanced { task, attempts }) => {
                let claims = self.ledger.entry(*task).map(|entry| entry.claims.clone());
                Change::Note(*task, *attempts, claims.unwrap_or_default())
            }
            Event::Pardoned(identity) => Change::Pardon(*identity),
            Event::Follows(Effect::Quarantined { task, by, .. }) => {
                Change::Quarantine(*task, by.clone())
            }
            Event::Follows(Effect::Dropped(task)) => {
                ensure!(
                    self.kept.remove(task).is_some(),
                    "{task} has no checkpoint to be dropped"
                );
                Change::Drop(*task)
            }
            Event::Granted { task, resumed, .. } => {
                // A worker that does it again resumes from no checkpoint of a worker that made a
                // claim about it.
                let claims = self.ledger.entry(*task).map(|entry| entry.claims.clone());
                let claims = claims.unwrap_or_default();
                let good = self.kept.get(task).is_some_and(|checkpoint| {
                    let contributors = &checkpoint.kept.contributors;
                    let mut certified = claims.iter().filter(|claim| claim.is_doubt());
                    certified.all(|claim| !contributors.contains(&claim.by))
                });
                ensure!(
                    *resumed == good,
                    "{task} goes on from a checkpoint: {resumed}"
                );
                return Ok(());
            }
            Event::Follows(Effect::Finished { task, .. }) => {
                self.kept.remove(task);
                return Ok(());
            }
            Event::Follows(Effect::Distrusted { identity, why }) => {
                let crew = self.scenario.crew.iter();
                let mut caught = crew.filter(|crew| crew.identity == *identity);
                // A worker that has a part in false results again and again is taken for one that
                // spoils them.
                ensure!(
                    caught.all(|crew| crew.character != Character::Honest)
                        || *why == Misconduct::RefusedTooOften && self.misled.contains(identity)
                        // A process of it died again and again: to others it looks broken.
                        || *why == Misconduct::FailedTooOften && self.crashed.contains(identity)
                        // Caught for that before the coordinator was started.
                        || *why == Misconduct::CaughtBefore
                            && (self.misled.contains(identity) || self.crashed.contains(identity)),
                    "an honest worker is distrusted: {why:?}"
                );
                Change::Distrust(*identity)
            }
            Event::Follows(Effect::Arbitrate {
                task,
                epoch,
                within,
            }) => {
                // A lie about the fuel is found before the true result is known.
                let said = self.ledger.entry(*task).map(|entry| entry.claims.clone());
                let is_lie = |claim: &Claim| match claim.statement {
                    Statement::Certificate(digest) | Statement::Resumed(digest) => digest.0[0] != 0,
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
            Action::Pass(tenths) => self.now += 100 * u64::from(tenths),
            Action::Skew(tenths) => self.skew = 100 * u64::from(tenths),
            Action::Tick => {
                self.apply(Command::Tick)?;
            }
            Action::Sync => self.sync()?,
            Action::Wake(n) => self.wake(worker(n))?,
            Action::Start(n) => self.start(worker(n))?,
            Action::End(n, how) => self.end(worker(n), how)?,
            Action::Checkpoint(n) => self.write_checkpoint(worker(n))?,
            Action::Repeat(n) => self.repeat_since(worker(n), 0)?,
            Action::Deliver(n) => self.deliver(n, false)?,
            Action::Duplicate(n) => self.deliver(n, true)?,
            Action::Lose(n) => {
                if !self.network.is_empty() {
                    self.network
                        .swap_remove(usize::from(n) % self.network.len());
                }
            }
            Action::Judge(n) => self.judge(n)?,
            Action::KillWorker(n) => self.restart(worker(n))?,
            Action::Drain(n) => {
                if !self.scenario.strict {
                    self.drain(worker(n))?;
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
                    self.apply(Command::Distrust(crew.identity, Misconduct::Banned))?;
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
                self.wake(w)?;
                self.deliver_all()?;
                self.start(w)?;
                self.deliver_all()?;
                self.end(w, n % 8)?;
                self.deliver_all()?;
            }
        }
        Ok(())
    }

    fn sync(&mut self) -> Result<(), String> {
        let changes = std::mem::take(&mut self.uncommitted);
        for change in changes {
            self.store.commit(change)?;
        }
        self.network.append(&mut self.answers);
        let reopened = self.store.take_back(TAKEN_BACK_TOGETHER);
        for &task in &reopened {
            self.saw("reopened");
            if batch_of(task).is_some() {
                self.saw("batch reopened");
            }
        }
        let reopened = reopened.iter().filter_map(|&task| self.store.pending(task));
        let reopened = reopened.collect();
        self.admit(reopened)?;
        if std::mem::take(&mut self.store.released) {
            self.cursor = 0;
        }
        self.advance()?;
        self.refill()
    }
}

fn name(effect: &Event) -> &'static str {
    match effect {
        Event::Registered(_) => "registered",
        Event::UnknownWorker(_) => "unknown worker",
        Event::Follows(Effect::Left(_)) => "left",
        Event::Granted { .. } => "granted",
        Event::Lost { .. } => "lost",
        Event::StopAsked { .. } => "stop asked",
        Event::Claimed { .. } => "claimed",
        Event::Stale(_) => "stale",
        Event::Follows(Effect::Finished { .. }) => "finished",
        Event::Kept { .. } => "checkpoint kept",
        Event::Follows(Effect::Dropped(_)) => "checkpoint dropped",
        Event::Follows(Effect::ClaimsChanged { .. }) => "claims changed",
        Event::Follows(Effect::Arbitrate { .. }) => "arbitrated",
        Event::Follows(Effect::Distrusted { .. }) => "distrusted",
        Event::Follows(Effect::Retry { .. }) => "tried again",
        Event::Follows(Effect::Quarantined { .. }) => "quarantined",
        Event::Follows(Effect::Undone { .. }) => "undone",
        Event::Follows(Effect::Advanced { .. }) => "advanced",
        Event::Follows(Effect::HeldBack { .. }) => "held back",
        Event::Pardoned(_) => "pardoned",
        Event::Spent => "spent",
    }
}
