//! The leases that workers get and renew.

use misere_census::WorkerId;

use super::{Entry, HeldLease, Leases, Ledger, Millis, Renewal, UnknownWorkerError};

impl Ledger {
    /// Grants a worker up to `idle` tasks to start now and up to `room` more to queue.
    ///
    /// Renews the leases that it reports.
    ///
    /// # Errors
    /// [`UnknownWorkerError`] if the worker is not known.
    pub fn lease(
        &mut self,
        worker: WorkerId,
        held: &[HeldLease],
        idle: u32,
        room: u32,
        now: Millis,
    ) -> Result<Leases, UnknownWorkerError> {
        let now = self.note_sign_of_life(worker, now)?;
        self.takes_part(worker, now);
        let renewed = self.renew_held(worker, held, now);
        let granted = self.grant(worker, idle, room, now);
        Ok(Leases { renewed, granted })
    }

    /// Renews the leases that a worker reports.
    ///
    /// # Errors
    /// [`UnknownWorkerError`] if the worker is not known.
    pub fn renew(
        &mut self,
        worker: WorkerId,
        held: &[HeldLease],
        now: Millis,
    ) -> Result<Renewal, UnknownWorkerError> {
        let now = self.note_sign_of_life(worker, now)?;
        Ok(self.renew_held(worker, held, now))
    }

    /// Renews the leases the worker reports and returns those it has lost and those it must stop.
    fn renew_held(&mut self, worker: WorkerId, held: &[HeldLease], now: Millis) -> Renewal {
        let deadline = now.after(self.config.duration_ms);
        let mut renewed = Renewal::default();
        // Two per thread: a finished task still counts as running until its report arrives.
        let slots = self.workers.get(&worker).map_or(0, |known| known.slots);
        let mut may_begin = (2 * slots as usize).saturating_sub(self.window.running_at(worker));
        let mut computes = false;
        for &lease in held {
            let HeldLease { task, epoch, .. } = lease;
            // Lost or submitted leases do not count against the running limit.
            let begins = lease.running
                && self.is_held(worker, task, epoch)
                && !self.window.get(task).is_some_and(Entry::is_running);
            let running = lease.running && (!begins || may_begin > 0);
            may_begin -= usize::from(begins && running);
            let lease = HeldLease { running, ..lease };
            if !self.window.renew(worker, lease, deadline, now) {
                renewed.lost.push((task, epoch));
                continue;
            }
            computes |= running;
            if self.window.get(task).is_some_and(|entry| entry.stop) {
                renewed.stop.push((task, epoch));
            }
        }
        if computes {
            self.takes_part(worker, now);
        }
        renewed
    }
}
