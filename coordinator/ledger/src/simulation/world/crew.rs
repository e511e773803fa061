//! What a worker does, whether it is honest, sloppy, broken or a liar.

use misere_census::{Epoch, Failure, InterruptCause, MemoryClass, TaskId};

use super::super::super::{HeldLease, Report};
use super::super::scenario::{Character, Nature};
use super::World;
use super::messages::{Certificate, Letter, Message, Outcome};

impl World {
    pub(super) fn send(&mut self, w: usize, letter: Letter) {
        let incarnation = self.workers[w].incarnation;
        self.network.push(Message::Up(w, incarnation, letter));
    }

    pub(super) fn held(&self, w: usize) -> Vec<HeldLease> {
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

    pub(super) fn ask(&mut self, w: usize) {
        let Some(id) = self.workers[w].id else {
            return self.send(w, Letter::Register);
        };
        let slots = self.scenario.crew[w].slots;
        let worker = &self.workers[w];
        let busy = (worker.running.len() + worker.waiting.len()) as u32;
        let letter = Letter::Ask(id, self.held(w), slots.saturating_sub(busy), 2 * slots);
        self.send(w, letter);
    }

    pub(super) fn beat(&mut self, w: usize) {
        if let Some(id) = self.workers[w].id {
            let letter = Letter::Beat(id, self.held(w));
            self.send(w, letter);
        }
    }

    pub(super) fn start(&mut self, w: usize) {
        let slots = self.scenario.crew[w].slots as usize;
        let worker = &mut self.workers[w];
        if worker.running.len() < slots && !worker.waiting.is_empty() {
            let lease = worker.waiting.remove(0);
            worker.running.push(lease);
        }
    }

    pub(super) fn end(&mut self, w: usize, how: u8) {
        let worker = &mut self.workers[w];
        if worker.running.is_empty() {
            return;
        }
        let at = usize::from(how) % worker.running.len();
        let (task, epoch, class) = worker.running.swap_remove(at);
        let nature = self.natures.get(&task).copied().unwrap_or(Nature::Fine);
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
            _ if stop => Outcome::NoCertificate(Report::Interrupted(InterruptCause::Shutdown)),
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

    /// A liar's checkpoint makes a liar of whoever goes on from it. Two of whom one may be a liar
    /// cannot find that out, so where no lie may remain there are no such checkpoints.
    pub(super) fn keep(&mut self, w: usize) {
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

    pub(super) fn repeat(&mut self, w: usize) {
        if let Some(id) = self.workers[w].id {
            for (task, epoch, outcome) in self.workers[w].unanswered.clone() {
                self.send(w, Letter::Report(id, task, epoch, outcome));
            }
        }
    }
}
