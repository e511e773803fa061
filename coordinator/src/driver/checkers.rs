//! The checkers of other machines, and the withdrawal of results of distrusted identities.

use misere_census::worker_name::certified;
use misere_census::{Backer, Misconduct, TaskId, WorkerIdentity};
use misere_store::{StoreError, VouchedTask};

use super::answer::RegistrationError;
use super::workers::Introduction;
use super::{Driver, Stamp};

impl Driver {
    /// Admits a checker, unless an operator or its conduct keeps it out.
    pub(super) fn admit_checker(
        &mut self,
        introduction: &Introduction,
    ) -> Result<(), RegistrationError> {
        let Introduction {
            identity,
            name,
            fingerprint,
            ..
        } = introduction;
        if self.workers.is_banned(introduction) {
            tracing::warn!(name, fingerprint, "checker refused: an operator banned it");
            return Err(RegistrationError::Banned);
        }
        if self.ledger.is_distrusted(*identity) {
            tracing::warn!(name, fingerprint, "checker refused: it is not trusted");
            return Err(RegistrationError::Distrusted);
        }
        let shown = (certified(name).to_owned(), fingerprint.clone());
        self.workers.known.insert(*identity, shown);
        Ok(())
    }

    /// Distrusts a checker that erred at a task.
    pub(super) fn distrust_checker(
        &mut self,
        stamp: Stamp,
        identity: WorkerIdentity,
        task: TaskId,
    ) {
        self.apply(stamp, |ledger, now| {
            ledger.distrust(identity, Misconduct::OtherVerdict(task), now)
        });
    }

    /// Returns up to `most` tasks whose certificates this checker alone has checked.
    pub(super) fn vouched(
        &self,
        checker: WorkerIdentity,
        most: usize,
    ) -> Result<Vec<VouchedTask>, StoreError> {
        self.store.vouched_tasks(checker, most)
    }

    /// Records which certificates of a checker are proved here, and takes back the others.
    pub(super) fn rechecked(
        &mut self,
        _: Stamp,
        checker: WorkerIdentity,
        proved: Vec<TaskId>,
        refused: Vec<TaskId>,
    ) {
        for &task in &refused {
            tracing::error!(%task, "a certificate that a checker accepted is not proved: the task is done again");
            self.reopen(task);
        }
        let done = proved.into_iter().chain(refused);
        self.commit
            .confirmed
            .extend(done.map(|task| (checker, task)));
    }

    /// Takes back up to `most` results that rest on the word of a distrusted worker alone, from the
    /// task `from` on.
    ///
    /// A result that another worker confirmed rests on the word of that one from now on. Returns the
    /// tasks in their order, none if none are left. To begin each time with the first would be to
    /// pass over all entries that were deleted before.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails.
    pub(super) fn take_back(
        &mut self,
        worker: WorkerIdentity,
        from: TaskId,
        most: usize,
    ) -> Result<Vec<TaskId>, StoreError> {
        let backed = self.store.backed_by(worker, from, most)?;
        let tasks = backed.iter().map(|&(task, _)| task).collect();
        for (task, Backer { confirmed_by, .. }) in backed {
            self.commit.unbacked.push((worker, task));
            match confirmed_by {
                Some(other) if !self.ledger.is_distrusted(other) => {
                    let backer = Backer {
                        worker: other,
                        confirmed_by: None,
                    };
                    self.commit.backed.push((task, backer));
                }
                other => {
                    let others = other.map(|other| (other, task));
                    self.commit.unbacked.extend(others);
                    self.reopen(task);
                }
            }
        }
        Ok(tasks)
    }

    /// Has everything looked at again that rests on the word of a distrusted checker or worker.
    ///
    /// The group with their verdicts must be durable.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails.
    pub(super) fn send_rechecks(&mut self) -> Result<(), StoreError> {
        for checker in std::mem::take(&mut self.rechecks) {
            if self.store.rests_on(checker)? {
                self.rechecking.insert(checker);
            }
            // The receiver is gone only if the coordinator is stopping.
            let _ = self.recheck.send(checker);
        }
        Ok(())
    }

    /// Records that nothing rests on the word of a distrusted checker or worker any more.
    ///
    /// What was settled on its word since then follows: it has been sent once more.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails.
    pub(super) fn recheck_done(&mut self, checker: WorkerIdentity) -> Result<(), StoreError> {
        if !self.store.rests_on(checker)? {
            self.rechecking.remove(&checker);
            self.published = None;
        }
        Ok(())
    }
}
