//! The repair of a damaged census from its certificates.
//!
//! A census follows from its plan and its certificates, so no damaged entry has to be repaired in
//! place. A new database is written beside the old one, in `repair/`, by the same plan. Every
//! certificate that can still be read is judged as if it had just arrived, and its consequences are
//! committed. A task whose certificate is lost, or is refused, is to be computed again. Quarantine,
//! events, checkpoints, distrusted workers, and who computed which result are copied as far as they
//! can be read. At the end the databases are swapped, and the old one stays in `damaged/` for
//! inspection.
//!
//! If the repair is interrupted anywhere, the next one continues it; until the databases are
//! swapped the old one is not changed. Between the two renames there is no `db/`: the next process
//! that opens the census for writing then does the second one.

use std::path::Path;

use misere_census::admission::{VerificationError, verify};
use misere_census::frozen::code_key;
use misere_census::{Plan, Task, TaskId, WorkerIdentity, encoding};
use misere_game::control::Interrupt;
use rayon::prelude::*;
use rocksdb::IteratorMode;

use super::commit::CheckpointWrite;
use super::directory::{CHECKED, DAMAGED, DATABASE, REPAIR, SALVAGE};
use super::disk::take_directory;
use super::keys::{Kind, Meta, body_key, number_of, task_key, word_of};
use super::salvage::SalvagedDatabase;
use super::value::{CheckpointHead, Event, Quarantine, StoredTask, TaskState};
use super::{Commit, Finished, Marked, QuarantineWrite, Store, StoreError, migrate, plan_file};

/// The number of certificates that are checked and committed together.
const TOGETHER: usize = 256;

/// The number of entries that are copied in one batch.
const COPIED_TOGETHER: usize = 16_384;

/// The result of a repair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepairSummary {
    /// The number of records that were restored, each proved.
    pub records: u64,
    /// The names of finished tasks that are to be computed again; the first thousand.
    pub again: Vec<String>,
    /// The number of finished tasks that are to be computed again.
    pub again_count: u64,
    /// The number of all unfinished tasks.
    pub pending: u64,
}

/// The reason why a census could not be repaired.
#[derive(Debug, thiserror::Error)]
pub enum RepairError {
    /// The disk fails, or the directory is in use.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The plan of the damaged census cannot be read.
    #[error(
        "the plan of the census cannot be read, so nothing says what belongs to it: {0}; restore \
         the last copy that `misere census backup` made; nothing was changed"
    )]
    NoPlan(String),
    /// The database that an earlier repair put aside is still in the directory.
    #[error(
        "the directory {} holds the database that an earlier repair put aside; move it away first",
        .0.display()
    )]
    PutAside(std::path::PathBuf),
    /// The repair was stopped.
    #[error("interrupted; the census is as it was, and the same command goes on")]
    Stopped,
}

/// The damaged database.
struct DamagedStore(SalvagedDatabase);

impl DamagedStore {
    fn value<T: serde::de::DeserializeOwned>(&self, kind: Kind, key: &[u8]) -> Option<T> {
        self.0.value(kind, key)
    }

    fn bytes(&self, kind: Kind, key: &[u8]) -> Option<Vec<u8>> {
        self.0.bytes(kind, key)
    }

    fn meta<T: serde::de::DeserializeOwned>(&self, meta: Meta) -> Option<T> {
        self.value(Kind::Meta, meta.key())
    }

    /// Returns the plan of the census: from the database, or otherwise from the copy beside it.
    fn plan(&self, dir: &Path) -> Result<Plan, RepairError> {
        let mut why = None;
        for part in self.0.parts() {
            match migrate::read_plan(part, dir) {
                Ok(Some(plan)) => return Ok(plan),
                Ok(None) => {}
                Err(error) => why = Some(error),
            }
        }
        plan_file::read(dir).ok_or_else(|| match why {
            // A census of such a format has no copy of its plan. With one, the format is damaged.
            Some(error @ StoreError::EarlierFormat { .. }) => RepairError::Store(error),
            Some(error) => RepairError::NoPlan(error.to_string()),
            None => RepairError::NoPlan("it is not there".to_owned()),
        })
    }

    fn certificate(&self, id: TaskId, task: &Task) -> Option<Vec<u8>> {
        match task {
            Task::Game(game) => self.bytes(Kind::Certificate, &code_key(&game.code)),
            Task::Schemes(_) => self.bytes(Kind::Settled, &task_key(id)),
        }
    }

    fn was_finished(&self, id: TaskId) -> bool {
        let stored = self.value::<StoredTask>(Kind::Task, &task_key(id));
        stored.is_none_or(|stored| !stored.state.is_pending())
    }

    /// Returns the workers that reported the failures of a quarantined task; none if not stored.
    fn reporters(&self, key: &[u8]) -> Vec<WorkerIdentity> {
        let stored = self.value::<StoredTask>(Kind::Task, key);
        match stored.map(|stored| stored.state) {
            Some(TaskState::QuarantinedFor { by }) => by,
            _ => Vec::new(),
        }
    }

    /// Returns the events that can be read, the oldest first.
    fn events(&self) -> Vec<(u64, Event)> {
        let mut events = std::collections::BTreeMap::new();
        for part in self.0.parts() {
            let Some(family) = part.cf_handle(Kind::Event.family()) else {
                continue;
            };
            let entries = part.iterator_cf(family, IteratorMode::Start);
            for (key, value) in entries.map_while(Result::ok) {
                let event = encoding::decode(Kind::Event.version(), &value);
                if let (Some(number), Ok(event)) = (number_of(&key), event) {
                    events.entry(number).or_insert(event);
                }
            }
        }
        events.into_iter().collect()
    }
}

/// Rebuilds a damaged census.
///
/// `tasks` lists the tasks of a plan; `progress` is called with the number of tasks processed and
/// the number of all tasks.
///
/// Cost: the check of every certificate that can be read, and the writing of a new database.
///
/// # Errors
/// [`RepairError`] if the directory is in use, the disk fails, or the plan is unknown; the census
/// is unchanged then.
pub fn repair<T: IntoIterator<Item = Task>>(
    dir: &Path,
    tasks: impl FnOnce(&Plan) -> T,
    interrupt: &Interrupt,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<RepairSummary, RepairError> {
    let lock = take_directory(dir)?;
    let aside = dir.join(DAMAGED);
    if aside.exists() {
        return Err(RepairError::PutAside(aside));
    }
    let old = DamagedStore(SalvagedDatabase::open(dir)?);
    let plan = old.plan(dir)?;
    let mut new = Store::open(&dir.join(REPAIR), &plan, || tasks(&plan))?;
    new.take_over(&old)?;
    let mut repaired = RepairSummary::default();
    let mut seen = new.counters().records();
    loop {
        let before = new.counters().records();
        // Unfinished tasks are processed again below each level.
        (repaired.again_count, repaired.again) = (0, Vec::new());
        let mut from = 0;
        loop {
            let group = new.pending(from, TOGETHER)?;
            let Some((_, last)) = group.last() else {
                break;
            };
            from = last.position + 1;
            if interrupt.is_raised() {
                return Err(RepairError::Stopped);
            }
            seen += group.len() as u64;
            new.settle_from(&old, group, interrupt, &mut repaired)?;
            progress(seen.min(new.counters().tasks), new.counters().tasks);
        }
        new.advance()?;
        // A complete level has caused the next to be written.
        if new.counters().records() == before {
            break;
        }
    }
    (repaired.records, repaired.pending) = (new.counters().records(), new.counters().pending());
    drop((new, old));
    change_places(dir).map_err(|source| StoreError::directory(dir.to_owned(), source))?;
    drop(lock);
    Ok(repaired)
}

/// Puts the old database aside and the new one in its place.
fn change_places(dir: &Path) -> std::io::Result<()> {
    std::fs::rename(dir.join(DATABASE), dir.join(DAMAGED))?;
    std::fs::rename(dir.join(REPAIR).join(DATABASE), dir.join(DATABASE))?;
    std::fs::File::open(dir)?.sync_all()?;
    // Leaving these directories loses nothing.
    let _ = std::fs::remove_dir_all(dir.join(REPAIR));
    let _ = std::fs::remove_dir_all(dir.join(SALVAGE));
    let _ = std::fs::remove_file(dir.join(CHECKED));
    Ok(())
}

impl Store {
    /// Copies entries that follow from no certificate into the new database.
    ///
    /// Repeating this changes nothing.
    fn take_over(&mut self, old: &DamagedStore) -> Result<(), StoreError> {
        // Numbers of leases must never be issued twice. No minute has two openings.
        let minutes = u32::try_from(super::unix_ms() / 60_000).unwrap_or(u32::MAX);
        let generation = old.meta::<u32>(Meta::Generation);
        let generation = generation.unwrap_or(minutes).saturating_add(1);
        let generation = generation.max(self.generation);
        let mut batch = rocksdb::WriteBatch::default();
        let meta = Kind::Meta;
        self.put(&mut batch, meta, Meta::Generation.key(), &generation)?;
        if let Some(distrusted) = old.meta::<Vec<WorkerIdentity>>(Meta::Distrusted) {
            self.put(&mut batch, meta, Meta::Distrusted.key(), &distrusted)?;
        }
        if let Some(marked) = old.meta::<Vec<Marked>>(Meta::Marked) {
            self.put(&mut batch, meta, Meta::Marked.key(), &marked)?;
        }
        for (number, event) in old.events() {
            let key = super::keys::number_key(number);
            self.put(&mut batch, Kind::Event, &key, &event)?;
        }
        self.write(batch)?;
        self.take_over_backers(old)?;
        self.generation = generation;
        self.next_event = self.last_event()?.map_or(0, |last| last + 1);
        Ok(())
    }

    /// Copies the entries about the workers on whose word results rest.
    fn take_over_backers(&self, old: &DamagedStore) -> Result<(), StoreError> {
        let mut batch = rocksdb::WriteBatch::default();
        for part in old.0.parts() {
            let Some(family) = part.cf_handle(Kind::Backer.family()) else {
                continue;
            };
            let entries = part.iterator_cf(family, IteratorMode::Start);
            for (key, value) in entries.map_while(Result::ok) {
                let confirmed_by =
                    encoding::decode::<Option<WorkerIdentity>>(Kind::Backer.version(), &value);
                if let (Some(_), Ok(confirmed_by)) = (word_of(&key), confirmed_by) {
                    self.put(&mut batch, Kind::Backer, &key, &confirmed_by)?;
                }
                if batch.len() >= COPIED_TOGETHER {
                    self.write(std::mem::take(&mut batch))?;
                }
            }
        }
        self.write(batch)
    }

    /// Checks the certificates in the old database for some tasks, and commits the valid ones.
    fn settle_from(
        &mut self,
        old: &DamagedStore,
        group: Vec<(TaskId, StoredTask)>,
        interrupt: &Interrupt,
        repaired: &mut RepairSummary,
    ) -> Result<(), RepairError> {
        let judged = group.into_par_iter().map(|(id, stored)| {
            let certificate = old.certificate(id, &stored.task);
            let judged = certificate
                .map(|bytes| verify(&stored.task, &bytes, interrupt.clone()).map(|it| (bytes, it)));
            (id, stored, judged)
        });
        let mut commit = Commit::default();
        let mut given_up = Vec::new();
        for (id, stored, judged) in judged.collect::<Vec<_>>() {
            match judged {
                Some(Ok((certificate, judged))) => {
                    commit.finished.push(Finished {
                        task: id,
                        finish: judged.finish,
                        certificate,
                        finding: judged.finding,
                        checked_by: None,
                    });
                    continue;
                }
                Some(Err(VerificationError::Stopped)) => return Err(RepairError::Stopped),
                Some(Err(_)) | None => {}
            }
            let key = task_key(id);
            if let Some(why) = old.value::<Quarantine>(Kind::Quarantine, &key) {
                if why.dropped {
                    given_up.push(id);
                }
                commit.quarantined.push(QuarantineWrite {
                    task: id,
                    failures: why.failures,
                    failure: why.failure,
                    by: old.reporters(&key),
                    at_ms: why.at_ms,
                });
                continue;
            }
            if let (Some(head), Some(checkpoint)) = (
                old.value::<CheckpointHead>(Kind::Checkpoint, &key),
                old.bytes(Kind::Checkpoint, &body_key(id)),
            ) && head.bytes == checkpoint.len() as u64
            {
                commit.kept.push(CheckpointWrite {
                    task: id,
                    head,
                    checkpoint,
                });
            }
            if old.was_finished(id) {
                repaired.again_count += 1;
                if repaired.again.len() < 1000 {
                    repaired.again.push(stored.task.to_string());
                }
            }
        }
        self.commit(&commit)?;
        self.give_up(&given_up)?;
        Ok(())
    }
}
