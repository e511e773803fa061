//! The messages between workers and the coordinator, and the coordinator's handling of them.

use misere_census::{
    CertificateDigest, Epoch, Failure, Finish, Lease, MemoryClass, Statement, TaskId, WorkerId,
    WorkerIdentity,
};
use misere_session::Renewal;

use super::super::super::Effect;
use super::super::super::transcript::{Command, Event};
use super::super::super::{CheckpointInfo, HeldLease, Report};
use super::super::levels::{batch_of, falsely_reached, reached};
use super::super::scenario::Character;
use super::super::store::{Change, Checkpoint, Record};
use super::World;

/// A certificate, reduced to what matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Certificate {
    True,
    Refusable,
    False(u8),
    /// The computation takes more fuel than was claimed.
    Unfounded,
}

#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Certificate(Certificate),
    NoCertificate(Report),
}

/// A message of a worker to the coordinator.
#[derive(Clone, Debug)]
pub(super) enum Letter {
    Register,
    Ask(WorkerId, Vec<HeldLease>, u32, u32),
    Beat(WorkerId, Vec<HeldLease>),
    Report(WorkerId, Lease, Outcome),
    /// A checkpoint with its fuel, and the liar that spoilt it.
    Keep(WorkerId, Lease, u64, Option<u8>),
    Fetch(WorkerId, Lease),
    Leave(WorkerId),
}

impl Letter {
    /// Reports whether the letter is a call, which a worker sends one at a time.
    pub(super) fn is_call(&self) -> bool {
        matches!(self, Self::Register | Self::Ask(..) | Self::Beat(..))
    }

    /// Returns the lease that the letter is about, if it is about one.
    pub(super) fn lease(&self) -> Option<Lease> {
        match self {
            Self::Report(_, lease, _) | Self::Keep(_, lease, ..) | Self::Fetch(_, lease) => {
                Some(*lease)
            }
            Self::Register | Self::Ask(..) | Self::Beat(..) | Self::Leave(_) => None,
        }
    }
}

/// The tasks that a worker gets, and the state of those that it held.
#[derive(Clone, Debug, Default)]
pub(super) struct Leases {
    pub(super) granted: Vec<(Lease, MemoryClass, bool)>,
    pub(super) renewed: Renewal,
}

#[derive(Clone, Debug)]
pub(super) enum Answer {
    Welcome(WorkerId),
    Unknown,
    /// The leases, with the milliseconds after which to ask again.
    Leases(Leases, u64),
    Taken,
    /// The liar that spoilt the checkpoint, if there is a checkpoint and it is spoilt.
    Fetched(Option<u8>),
}

/// A message under way, with the worker, its process, and the number of the letter.
#[derive(Clone, Debug)]
pub(super) enum Message {
    Up(usize, u32, u64, Letter),
    Down(usize, u32, u64, Answer),
}

pub(super) struct Check {
    pub(super) task: TaskId,
    pub(super) epoch: Epoch,
    pub(super) certificate: Certificate,
    pub(super) by: Option<usize>,
    pub(super) answer: Option<(usize, u32, u64)>,
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
            Message::Up(w, incarnation, number, letter) => {
                self.receive((w, incarnation, number), letter)
            }
            Message::Down(w, incarnation, number, answer) => {
                match self.workers[w].incarnation == incarnation {
                    true => self.read_answer(w, number, answer),
                    false => Ok(()),
                }
            }
        }
    }

    /// Lets the coordinator read a letter.
    fn receive(&mut self, from: (usize, u32, u64), letter: Letter) -> Result<(), String> {
        let crew = &self.scenario.crew[from.0];
        let (identity, slots, class) = (crew.identity, crew.slots, crew.class);
        let answer = match letter {
            Letter::Register => {
                let register = Command::Register {
                    identity,
                    slots,
                    class,
                };
                match self.apply(register)?[..] {
                    [Event::Registered(id)] => Answer::Welcome(id),
                    ref other => return Err(format!("{other:?}")),
                }
            }
            Letter::Ask(worker, held, idle, room) => {
                let effects = self.apply(Command::Lease {
                    worker,
                    held,
                    idle,
                    room,
                })?;
                leases(effects, self.ledger.retry_ms(worker))
            }
            Letter::Beat(worker, held) => leases(self.apply(Command::Renew { worker, held })?, 0),
            Letter::Leave(worker) => {
                self.apply(Command::Leave { worker })?;
                return Ok(());
            }
            Letter::Keep(worker, lease, fuel, spoilt) => {
                self.keep(worker, lease, fuel, spoilt)?;
                Answer::Taken
            }
            Letter::Fetch(worker, Lease { task, epoch }) => {
                let is_held = self.ledger.is_held(worker, task, epoch);
                let kept = self.kept.get(&task).filter(|_| is_held);
                Answer::Fetched(kept.and_then(|kept| kept.spoilt))
            }
            Letter::Report(worker, lease, outcome) => {
                match self.take_report(from, worker, lease, outcome)? {
                    Some(answer) => answer,
                    None => return Ok(()),
                }
            }
        };
        self.answer(from, answer);
        Ok(())
    }

    /// Keeps an answer, which leaves once the decision is durable.
    fn answer(&mut self, (w, incarnation, number): (usize, u32, u64), answer: Answer) {
        let down = Message::Down(w, incarnation, number, answer);
        self.answers.push(down);
    }

    fn keep(
        &mut self,
        worker: WorkerId,
        Lease { task, epoch }: Lease,
        fuel: u64,
        spoilt: Option<u8>,
    ) -> Result<(), String> {
        let keep = Command::Keep {
            worker,
            task,
            epoch,
            fuel,
        };
        if let [Event::Kept { task, contributors }, ..] = &self.apply(keep)?[..] {
            let contributors = contributors.clone();
            let kept = CheckpointInfo { contributors, fuel };
            let checkpoint = Checkpoint { kept, spoilt };
            self.kept.insert(*task, checkpoint.clone());
            self.uncommitted.push(Change::Keep(*task, checkpoint));
        }
        Ok(())
    }

    /// Takes a report; it is answered at once unless there is a certificate to be checked.
    fn take_report(
        &mut self,
        from: (usize, u32, u64),
        worker: WorkerId,
        Lease { task, epoch }: Lease,
        outcome: Outcome,
    ) -> Result<Option<Answer>, String> {
        let effects = match outcome {
            Outcome::Certificate(certificate) => {
                let effects = self.apply(Command::Claim {
                    worker,
                    task,
                    epoch,
                })?;
                if let [Event::Claimed { .. }] = effects[..] {
                    self.checks.push(Check {
                        task,
                        epoch,
                        certificate,
                        by: Some(from.0),
                        answer: Some(from),
                    });
                    return Ok(None);
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
        Ok(Some(match effects[..] {
            [Event::UnknownWorker(_)] => Answer::Unknown,
            _ => Answer::Taken,
        }))
    }

    /// Ends a check.
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
        // For some of them nothing more can be proved.
        let finished = |n: u8| {
            let digest = CertificateDigest([n; 32]);
            match batch_of(task).is_some() || task.0[0].is_multiple_of(3) {
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
        let liars = self.liars_behind(task, certificate, by);
        let effects = self.apply(Command::Settle {
            task,
            epoch,
            report,
        })?;
        if let Some(Event::Follows(Effect::Finished { backers, .. })) = effects.first() {
            let (_, candidates) = batch_of(task).unwrap_or_default();
            let record = Record {
                is_true: certificate == Certificate::True,
                reached: match certificate {
                    Certificate::False(liar) => falsely_reached(candidates, liar),
                    _ => reached(candidates),
                },
                liars,
                is_unopposed,
            };
            // The result comes before all other consequences: the same command may first finish a
            // task and then reopen it.
            self.uncommitted
                .insert(before, Change::Finish(task, record, backers.clone()));
        }
        if let Some(from) = answer {
            self.answer(from, Answer::Taken);
        }
        Ok(())
    }

    /// Returns the liars that claim this certificate of a task.
    ///
    /// An honest worker that claims it has resumed from the checkpoint of the liar whose lie it is.
    fn liars_behind(
        &self,
        task: TaskId,
        certificate: Certificate,
        by: Option<usize>,
    ) -> Vec<WorkerIdentity> {
        let Certificate::False(liar) = certificate else {
            return Vec::new();
        };
        let same = CertificateDigest([liar + 1; 32]);
        let claims = self.ledger.entry(task).map(|entry| &entry.claims[..]);
        let before = claims.unwrap_or_default().iter().filter_map(|claim| {
            let (Statement::Certificate(digest) | Statement::Resumed(digest)) = claim.statement
            else {
                return None;
            };
            (digest == same).then_some(claim.by)
        });
        let crew = &self.scenario.crew;
        let is_liar = |who: WorkerIdentity| {
            let mut liars = crew.iter().filter(|one| one.character == Character::Liar);
            liars.any(|one| one.identity == who)
        };
        before
            .chain(by.map(|w| crew[w].identity))
            .map(|who| match is_liar(who) {
                true => who,
                false => crew[usize::from(liar)].identity,
            })
            .collect()
    }

    /// Reports whether no honest worker can do a task, as far as the ledger knows.
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
        // Answers cause letters, but only as many as there are tasks to be had.
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

fn leases(effects: Vec<Event>, retry: u64) -> Answer {
    if let [Event::UnknownWorker(_)] = effects[..] {
        return Answer::Unknown;
    }
    let mut leases = Leases::default();
    for effect in effects {
        match effect {
            Event::Granted {
                task,
                epoch,
                class,
                resumed,
            } => leases.granted.push((Lease { task, epoch }, class, resumed)),
            Event::StopAsked { task, epoch } => leases.renewed.stop.push(Lease { task, epoch }),
            Event::Lost { task, epoch } => leases.renewed.lost.push(Lease { task, epoch }),
            _ => {}
        }
    }
    Answer::Leases(leases, retry)
}
