//! How does the coordinator decide what workers do not agree on?
//!
//! It computes the task itself, on a thread of its own, and settles it as it settles what a worker hands in. That is rare: two
//! certificates of one task that both pass the checker differ, and no third worker is around.

use std::panic::{AssertUnwindSafe, catch_unwind};

use misere_census::{Epoch, Task, WorkerId};
use misere_theory::control::Interrupt;
use tokio::sync::{mpsc, oneshot};

use super::handle::{Clock, Message, Request, Settlement};
use crate::computing::certificate_of;
use crate::judge::{Judged, Refused, judge};

/// Computes tasks for the driver.
pub(super) struct Arbiter {
    /// Weak: the driver ends when nobody else can ask it.
    driver: mpsc::WeakSender<Message>,
    clock: Clock,
    stop: Interrupt,
}

impl Arbiter {
    pub(super) fn new(driver: mpsc::WeakSender<Message>, clock: Clock) -> Self {
        let stop = Interrupt::default();
        Self {
            driver,
            clock,
            stop,
        }
    }

    /// Computes a task, and asks the driver to settle it under this epoch.
    pub(super) fn decide(&self, task: Task, epoch: Epoch) {
        let (driver, clock, stop) = (self.driver.clone(), self.clock, self.stop.clone());
        std::thread::spawn(move || {
            let computed = catch_unwind(AssertUnwindSafe(|| compute(&task, &stop)));
            let (judged, certificate) =
                computed.unwrap_or_else(|_| (Err(Refused::CheckerFailed), Vec::new()));
            let request = Request::Settle {
                worker: WorkerId(0),
                settlements: vec![Settlement {
                    task: task.id(),
                    epoch,
                    judged,
                    certificate,
                }],
                // Nobody waits for the answer.
                reply: oneshot::channel().0,
            };
            if let Some(driver) = driver.upgrade() {
                let stamp = clock.stamp();
                // The driver is gone only if the coordinator stops.
                let _ = driver.blocking_send(Message { stamp, request });
            }
        });
    }
}

impl Drop for Arbiter {
    fn drop(&mut self) {
        self.stop.raise();
    }
}

fn compute(task: &Task, stop: &Interrupt) -> (Result<Judged, Refused>, Vec<u8>) {
    match certificate_of(task, stop) {
        Some(Ok(bytes)) => (judge(task, &bytes, stop.clone()), bytes),
        Some(Err(_)) => (Err(Refused::CheckerFailed), Vec::new()),
        None => (Err(Refused::Stopped), Vec::new()),
    }
}
