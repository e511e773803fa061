//! How does the coordinator find out what is so?
//!
//! It computes the task itself, and settles it as it settles what a worker hands in. Where two
//! certificates of one task that both pass the checker differ, and no third worker is around, on a
//! thread of its own: that is rare. What cannot be proved it computes again for a small share of
//! the tasks, one after the other on one thread, and with no more fuel than was said to be enough:
//! an honest computation takes exactly as much, so that whatever takes more is no honest one.

use std::panic::{AssertUnwindSafe, catch_unwind};

use misere_census::{
    Epoch, Task, WorkerId,
    admission::{Judged, Refused, judge},
};
use misere_theory::control::Interrupt;
use tokio::sync::{mpsc, oneshot};

use super::handle::{Clock, Message, Request, Settlement};
use crate::computing::{Computed, compute};

/// Computes tasks for the driver.
pub(super) struct Arbiter {
    desk: Desk,
    /// Tasks to be computed one after the other, once there was one.
    waiting: Option<std::sync::mpsc::Sender<Case>>,
}

/// What a thread needs that computes for the driver.
#[derive(Clone)]
struct Desk {
    /// Weak: the driver ends when nobody else can ask it.
    driver: mpsc::WeakSender<Message>,
    clock: Clock,
    stop: Interrupt,
}

/// A task to be computed.
struct Case {
    task: Task,
    epoch: Epoch,
    /// The fuel that was said to be enough, if that is put to the test.
    within: Option<u64>,
}

impl Arbiter {
    pub(super) fn new(driver: mpsc::WeakSender<Message>, clock: Clock) -> Self {
        let stop = Interrupt::default();
        let desk = Desk {
            driver,
            clock,
            stop,
        };
        Self {
            desk,
            waiting: None,
        }
    }

    /// Computes a task, and asks the driver to settle it under this epoch; within so much fuel, if
    /// that was said to be enough.
    pub(super) fn decide(&mut self, task: Task, epoch: Epoch, within: Option<u64>) {
        let case = Case {
            task,
            epoch,
            within,
        };
        let desk = self.desk.clone();
        if case.within.is_none() {
            std::thread::spawn(move || desk.decide(case));
            return;
        }
        let waiting = self.waiting.get_or_insert_with(|| {
            let (waiting, cases) = std::sync::mpsc::channel::<Case>();
            std::thread::spawn(move || cases.into_iter().for_each(|case| desk.decide(case)));
            waiting
        });
        // The thread ends only with this end of the channel.
        let _ = waiting.send(case);
    }
}

impl Desk {
    fn decide(&self, case: Case) {
        let Case {
            task,
            epoch,
            within,
        } = case;
        let computed = catch_unwind(AssertUnwindSafe(|| judged_here(&task, within, &self.stop)));
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
        if let Some(driver) = self.driver.upgrade() {
            let stamp = self.clock.stamp();
            // The driver is gone only if the coordinator stops.
            let _ = driver.blocking_send(Message { stamp, request });
        }
    }
}

impl Drop for Arbiter {
    fn drop(&mut self) {
        self.desk.stop.raise();
    }
}

/// Computes a task, and judges what comes of it as if a worker had handed it in.
fn judged_here(
    task: &Task,
    within: Option<u64>,
    stop: &Interrupt,
) -> (Result<Judged, Refused>, Vec<u8>) {
    match compute(task, within, stop) {
        Computed::Certificate(bytes) => (judge(task, &bytes, stop.clone()), bytes),
        Computed::TakesMore => (Err(Refused::Contradicted), Vec::new()),
        Computed::CannotBeWritten => (Err(Refused::CheckerFailed), Vec::new()),
        Computed::Stopped => (Err(Refused::Stopped), Vec::new()),
    }
}
