//! The checkpoints of the games of a part, in files beside it.
//!
//! A part grows at its end only, and a checkpoint replaces the one before, so checkpoints have
//! files of their own: `.PART.TASK.checkpoint`, with a dot so that `part-*` does not mean them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use misere_census::{MAX_CHECKPOINT_BYTES, TaskId, input_file, output_file};
use misere_worker::CheckpointIo;

/// The number of digits of a task in the name of a file.
const DIGITS: usize = 16;

/// The checkpoints of a part.
pub(super) struct PartCheckpoints {
    folder: PathBuf,
    part: OsString,
    every: Duration,
    /// The names of the files that lay beside the part when it was opened. Without them each of
    /// many small tasks would cost a search for a file that is not there.
    found: BTreeSet<OsString>,
    /// The tasks that are computed, with their checkpoints that are not written yet.
    open: BTreeMap<TaskId, Arc<Mutex<Latest>>>,
}

/// The latest checkpoint of a task.
struct Latest {
    file: PathBuf,
    /// Whether the file was there, or may have been written.
    may_be_there: bool,
    /// The checkpoint, if it is not written yet.
    unwritten: Option<Vec<u8>>,
    written_at: Instant,
}

impl Latest {
    /// Writes the checkpoint. A failure costs nothing but the checkpoint.
    fn write(&mut self) {
        self.written_at = Instant::now();
        let Some(bytes) = self.unwritten.take() else {
            return;
        };
        self.may_be_there = true;
        if let Err(error) = output_file::write(&self.file, &bytes) {
            notice!("warning: no checkpoint is kept: {error}");
        }
    }
}

impl PartCheckpoints {
    /// The checkpoints beside the file of a part, written at most so often for each game.
    pub(super) fn beside(part: &Path, every: Duration) -> Self {
        let folder = match part.parent() {
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let mut checkpoints = Self {
            folder,
            part: part.file_name().unwrap_or_default().to_owned(),
            every,
            found: BTreeSet::new(),
            open: BTreeMap::new(),
        };
        // A folder that cannot be listed costs nothing but the checkpoints in it.
        let listed = std::fs::read_dir(&checkpoints.folder).into_iter().flatten();
        let names = listed.filter_map(|entry| Some(entry.ok()?.file_name()));
        let head = checkpoints.name("");
        let is_one = |name: &OsString| name.as_encoded_bytes().starts_with(head.as_encoded_bytes());
        checkpoints.found = names.filter(is_one).collect();
        checkpoints
    }

    /// The name of a file that belongs to the part.
    fn name(&self, rest: &str) -> OsString {
        let mut name = OsString::from(".");
        name.push(&self.part);
        name.push(".");
        name.push(rest);
        name
    }

    /// The name of the file with the checkpoint of a task.
    fn name_of(&self, task: TaskId) -> OsString {
        let task = task.to_string();
        let short = task.get(..DIGITS).unwrap_or(&task);
        self.name(&format!("{short}.checkpoint"))
    }

    /// The checkpoint from which a task goes on, and the place of those to come.
    pub(super) fn of(&mut self, task: TaskId) -> CheckpointIo {
        let name = self.name_of(task);
        let may_be_there = self.found.contains(&name);
        let file = self.folder.join(name);
        // A checkpoint that cannot be read, or is none, costs nothing but itself.
        let from = match may_be_there {
            true => input_file::read(&file, MAX_CHECKPOINT_BYTES as u64).ok(),
            false => None,
        };
        let latest = Arc::new(Mutex::new(Latest {
            file,
            may_be_there,
            unwritten: None,
            written_at: Instant::now(),
        }));
        self.open.insert(task, Arc::clone(&latest));
        let every = self.every;
        CheckpointIo::new(
            from,
            Arc::new(move |written| {
                let mut latest = latest.lock().unwrap_or_else(PoisonError::into_inner);
                latest.unwritten = Some(written.bytes);
                if latest.written_at.elapsed() >= every {
                    latest.write();
                }
            }),
        )
    }

    /// Forgets the checkpoints of a task that is found, and writes the last one of any other.
    pub(super) fn ended(&mut self, task: TaskId, is_found: bool) {
        let Some(latest) = self.open.remove(&task) else {
            return;
        };
        let mut latest = latest.lock().unwrap_or_else(PoisonError::into_inner);
        if is_found {
            latest.unwritten = None;
            if latest.may_be_there {
                // Where none was written there is nothing to remove.
                let _ = std::fs::remove_file(&latest.file);
            }
        } else {
            latest.write();
        }
    }
}
