//! What a worker and the coordinator write to each other, and how a message arrives.

use std::collections::{BTreeMap, BTreeSet};

use misere_census::{
    CertificateDigest, Epoch, Failure, Finish, MemoryClass, Statement, TaskId, WorkerId,
    WorkerIdentity,
};

use super::super::super::transcript::{Command, Effect};
use super::super::super::{HeldLease, Kept, Report};
use super::super::scenario::Character;
use super::super::store::{Change, Checkpoint, Record};
use super::World;

/// A certificate, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Certificate {
    True,
    Refusable,
    False(u8),
    /// It takes more fuel than was said.
    Unfounded,
}

#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Certificate(Certificate),
    NoCertificate(Report),
}

#[derive(Clone, Debug)]
pub(super) enum Letter {
    Register,
    Ask(WorkerId, Vec<HeldLease>, u32, u32),
    Beat(WorkerId, Vec<HeldLease>),
    Report(WorkerId, TaskId, Epoch, Outcome),
    Keep(WorkerId, TaskId, Epoch, u64, Option<u8>),
    Leave(WorkerId),
}

#[derive(Clone, Debug)]
pub(super) enum Answer {
    Welcome(WorkerId),
    Unknown,
    Leases(Vec<Effect>),
    Taken(TaskId, Epoch),
}

#[derive(Clone, Debug)]
pub(super) enum Message {
    Up(usize, u32, Letter),
    Down(usize, u32, Answer),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Worker {
    pub(super) incarnation: u32,
    pub(super) id: Option<WorkerId>,
    pub(super) waiting: Vec<(TaskId, Epoch, MemoryClass)>,
    pub(super) running: Vec<(TaskId, Epoch, MemoryClass)>,
    pub(super) unanswered: Vec<(TaskId, Epoch, Outcome)>,
    pub(super) stop: BTreeSet<TaskId>,
    /// Leases that go on from a checkpoint that a liar spoilt.
    pub(super) spoilt: BTreeMap<Epoch, u8>,
}

pub(super) struct Check {
    pub(super) task: TaskId,
    pub(super) epoch: Epoch,
    pub(super) certificate: Certificate,
    pub(super) by: Option<usize>,
    pub(super) answer: Option<(usize, u32)>,
}

impl World {
    pub(super) fn deliver(&mut self, n: u8, again: bool) -> Result<(), String> {
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
                    self.note_contact(w, answer);
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

    /// A worker reads an answer.
    pub(super) fn note_contact(&mut self, w: usize, answer: Answer) {
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
    pub(super) fn judge(&mut self, n: u8) -> Result<(), String> {
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
        let is_unopposed = self.is_left_to_liars(task);
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
                is_unopposed,
            };
            // Before whatever else follows: what is finished first may be reopened by the same
            // command.
            self.uncommitted
                .insert(before, Change::Finish(task, record));
        }
        if let Some((w, incarnation)) = answer {
            self.answers
                .push(Message::Down(w, incarnation, Answer::Taken(task, epoch)));
        }
        Ok(())
    }

    /// Whether no honest worker can do a task, as far as the ledger has been told.
    fn is_left_to_liars(&self, task: TaskId) -> bool {
        self.ledger.entry(task).is_some_and(|entry| {
            let is_unable = |identity: WorkerIdentity| {
                let mut claims = entry.claims.iter();
                claims.any(|claim| claim.by == identity && claim.statement == Statement::Unable)
            };
            let crew = self.scenario.crew.iter();
            let mut honest = crew.filter(|crew| crew.character == Character::Honest);
            honest.all(|crew| crew.class < entry.attempts.class || is_unable(crew.identity))
        })
    }

    pub(super) fn deliver_all(&mut self) -> Result<(), String> {
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
}

fn leases(effects: Vec<Effect>) -> Answer {
    match effects[..] {
        [Effect::UnknownWorker(_)] => Answer::Unknown,
        _ => Answer::Leases(effects),
    }
}
