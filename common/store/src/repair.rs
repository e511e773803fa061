//! How is a damaged census made anew from what is left of it?
//!
//! A census follows from its plan and its certificates, so no damaged entry has to be mended. A new
//! database is laid down beside the old one, in `repair/`, by the same plan. Every certificate that
//! can still be read is judged as if it had just come, and what follows from it is committed; a
//! task whose certificate is lost, or is refused, is to be done again. Quarantine, events,
//! checkpoints and the workers that are believed no more are taken over as far as they can be read.
//! At the end the databases change places, and the old one stays in `damaged/` for whoever wants to
//! look at it.
//!
//! Broken off anywhere, the repair goes on when it is begun again; until the databases change
//! places nothing of the old one is touched. Between their two renames there is no `db/`: whoever
//! opens the census for writing then does the second.

use std::path::Path;

use misere_census::admission::{Refused, judge};
use misere_census::frozen::code_key;
use misere_census::{Plan, Task, TaskId, WorkerIdentity, encoding};
use misere_theory::control::Interrupt;
use rayon::prelude::*;
use rocksdb::{DB, DBRecoveryMode, IteratorMode, Options};

use super::checkpoints::CheckpointWrite;
use super::disk::{
    CHECKED, CURRENT, DAMAGED, DATABASE, REPAIR, SALVAGE, open_database_read_only, take_directory,
};
use super::keys::{Kind, Meta, body_key, number_of, task_key};
use super::value::{CheckpointHead, Event, Quarantine, StoredTask, TaskState};
use super::{Commit, Finished, Marked, QuarantineWrite, Store, StoreError, meta_of, migrate};

/// So many certificates are judged and committed together.
const TOGETHER: usize = 256;

/// How the log of a damaged database is read: past whatever is damaged in it, since what comes out
/// is judged.
const SALVAGED: DBRecoveryMode = DBRecoveryMode::SkipAnyCorruptedRecord;

/// What a repair has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    /// Records that are there again, each proved.
    pub records: u64,
    /// Tasks that were finished and are to be done again, by name; the first thousand.
    pub again: Vec<String>,
    /// How many those are.
    pub again_count: u64,
    /// Tasks that are to be done, those among them.
    pub pending: u64,
}

/// Why a census could not be made anew.
#[derive(Debug, thiserror::Error)]
pub enum RepairError {
    /// The disk fails, or the directory is in use.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The plan cannot be read.
    #[error(
        "the plan of the census cannot be read, so nothing says what belongs to it: {0}; restore the last copy that `misere census backup` made"
    )]
    NoPlan(String),
    /// What an earlier repair put aside is still there.
    #[error("{} holds what an earlier repair put aside; move it away or delete it first", .0.display())]
    PutAside(std::path::PathBuf),
    /// Somebody stopped it.
    #[error("interrupted; the census is as it was, and the same command goes on")]
    Stopped,
}

/// The database that is damaged.
struct Old {
    db: DB,
}

impl Old {
    /// Opens what can be opened of it.
    fn open(dir: &Path) -> Result<Self, StoreError> {
        let db = match open_database_read_only(dir, SALVAGED) {
            Ok(db) => db,
            Err(error) => {
                tracing::warn!(%error, "the database does not open; its tables are put together anew, in a copy");
                salvage(dir)?;
                open_database_read_only(&dir.join(SALVAGE), SALVAGED)?
            }
        };
        Ok(Self { db })
    }

    fn bytes(&self, kind: Kind, key: &[u8]) -> Option<Vec<u8>> {
        let family = self.db.cf_handle(kind.family())?;
        self.db.get_cf(family, key).ok().flatten()
    }

    fn value<T: serde::de::DeserializeOwned>(&self, kind: Kind, key: &[u8]) -> Option<T> {
        encoding::decode(kind.version(), &self.bytes(kind, key)?).ok()
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

    /// Those who say that a task in quarantine fails; nobody if that was not kept.
    fn who_says_so(&self, key: &[u8]) -> Vec<WorkerIdentity> {
        let stored = self.value::<StoredTask>(Kind::Task, key);
        match stored.map(|stored| stored.state) {
            Some(TaskState::QuarantinedFor { by }) => by,
            _ => Vec::new(),
        }
    }

    /// Events as far as they can be read, the oldest first.
    fn events(&self) -> Vec<(u64, Event)> {
        let Some(family) = self.db.cf_handle(Kind::Event.family()) else {
            return Vec::new();
        };
        let entries = self.db.iterator_cf(family, IteratorMode::Start);
        let entries = entries.map_while(Result::ok);
        let decoded = entries.filter_map(|(key, value)| {
            let event = encoding::decode(Kind::Event.version(), &value).ok()?;
            Some((number_of(&key)?, event))
        });
        decoded.collect()
    }
}

/// Makes a database that opens, in a copy that shares the tables: by naming its newest manifest, if
/// only that is not said; else RocksDB puts the tables together anew, and what stood in the log
/// alone is lost.
fn salvage(dir: &Path) -> Result<(), StoreError> {
    let copy = dir.join(SALVAGE).join(DATABASE);
    let cannot = |source| StoreError::directory(copy.clone(), source);
    let copied = || -> std::io::Result<()> {
        if copy.exists() {
            std::fs::remove_dir_all(&copy)?;
        }
        std::fs::create_dir_all(&copy)?;
        for entry in std::fs::read_dir(dir.join(DATABASE))? {
            let entry = entry?;
            let to = copy.join(entry.file_name());
            let is_table = entry.path().extension().is_some_and(|kind| kind == "sst");
            // Tables never change; whatever else is there may be written by RocksDB.
            if !is_table || std::fs::hard_link(entry.path(), &to).is_err() {
                std::fs::copy(entry.path(), &to)?;
            }
        }
        Ok(())
    };
    copied().map_err(cannot)?;
    if let Some(manifest) = newest_manifest(&copy) {
        std::fs::write(copy.join(CURRENT), format!("{manifest}\n")).map_err(cannot)?;
        if open_database_read_only(&dir.join(SALVAGE), SALVAGED).is_ok() {
            return Ok(());
        }
    }
    DB::repair(&Options::default(), &copy)?;
    Ok(())
}

/// The name of the file that says last which tables there are.
fn newest_manifest(database: &Path) -> Option<String> {
    let entries = std::fs::read_dir(database).ok()?.flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    // Their numbers have leading zeros.
    names.filter(|name| name.starts_with("MANIFEST-")).max()
}

/// Makes a damaged census anew. `tasks` lists those of a plan; `progress` is told how many tasks of
/// how many were looked at.
///
/// # Errors
/// [`RepairError`] if the directory is in use, the disk fails, or nobody knows the plan; the census
/// is then as it was.
pub fn repair<T: IntoIterator<Item = Task>>(
    dir: &Path,
    tasks: impl FnOnce(&Plan) -> T,
    interrupt: &Interrupt,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Repaired, RepairError> {
    let lock = take_directory(dir)?;
    let aside = dir.join(DAMAGED);
    if aside.exists() {
        return Err(RepairError::PutAside(aside));
    }
    let old = Old::open(dir)?;
    let plan = migrate::read_plan(&old.db, dir);
    let plan = plan.map_err(|error| RepairError::NoPlan(error.to_string()))?;
    let plan = plan.ok_or_else(|| RepairError::NoPlan("it is not there".to_owned()))?;
    let mut new = Store::open(&dir.join(REPAIR), &plan, || tasks(&plan))?;
    new.take_over(&old)?;
    let mut repaired = Repaired::default();
    let mut seen = new.counters().records();
    loop {
        let before = new.counters().records();
        // What is still to be done is gone through again below each level.
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
        // A level that is complete has laid down the next.
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
    // Nothing is lost if these stay.
    let _ = std::fs::remove_dir_all(dir.join(REPAIR));
    let _ = std::fs::remove_dir_all(dir.join(SALVAGE));
    let _ = std::fs::remove_file(dir.join(CHECKED));
    Ok(())
}

impl Store {
    /// Takes over what follows from no certificate. Doing so again changes nothing.
    fn take_over(&mut self, old: &Old) -> Result<(), StoreError> {
        // Numbers of leases must never be issued twice. A minute has no two openings.
        let minutes = u32::try_from(super::unix_ms() / 60_000).unwrap_or(u32::MAX);
        let generation = meta_of::<u32>(&old.db, Meta::Generation).ok().flatten();
        let generation = generation.unwrap_or(minutes).saturating_add(1);
        let generation = generation.max(self.generation);
        let mut batch = rocksdb::WriteBatch::default();
        let meta = Kind::Meta;
        self.put(&mut batch, meta, Meta::Generation.key(), &generation)?;
        if let Ok(Some(distrusted)) = meta_of::<Vec<WorkerIdentity>>(&old.db, Meta::Distrusted) {
            self.put(&mut batch, meta, Meta::Distrusted.key(), &distrusted)?;
        }
        if let Ok(Some(marked)) = meta_of::<Vec<Marked>>(&old.db, Meta::Marked) {
            self.put(&mut batch, meta, Meta::Marked.key(), &marked)?;
        }
        for (number, event) in old.events() {
            let key = super::keys::number_key(number);
            self.put(&mut batch, Kind::Event, &key, &event)?;
        }
        self.write(batch)?;
        self.generation = generation;
        self.next_event = self.last_event()?.map_or(0, |last| last + 1);
        Ok(())
    }

    /// Judges what the old database has of some tasks, and commits what may enter.
    fn settle_from(
        &mut self,
        old: &Old,
        group: Vec<(TaskId, StoredTask)>,
        interrupt: &Interrupt,
        repaired: &mut Repaired,
    ) -> Result<(), RepairError> {
        let judged = group.into_par_iter().map(|(id, stored)| {
            let certificate = old.certificate(id, &stored.task);
            let judged = certificate
                .map(|bytes| judge(&stored.task, &bytes, interrupt.clone()).map(|it| (bytes, it)));
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
                    });
                    continue;
                }
                Some(Err(Refused::Stopped)) => return Err(RepairError::Stopped),
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
                    by: old.who_says_so(&key),
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
