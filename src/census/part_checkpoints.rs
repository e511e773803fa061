//! The checkpoints of the games of a part, in files beside it.
//!
//! A part is only ever appended to, but a checkpoint replaces the one before, so checkpoints have
//! their own files: `.PART.TASK.checkpoint`, with a dot so that `part-*` does not match them.

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
    /// The names of the files that were beside the part when it was opened.
    ///
    /// Without them each of many small tasks would cost a search for a missing file.
    found: BTreeSet<OsString>,
    /// The tasks that are being computed, with their unwritten checkpoints.
    open: BTreeMap<TaskId, Arc<Mutex<Latest>>>,
}

/// The latest checkpoint of a task.
struct Latest {
    file: PathBuf,
    /// Whether the file existed, or may have been written.
    may_be_there: bool,
    /// The checkpoint, if it is not written yet.
    unwritten: Option<Vec<u8>>,
    written_at: Instant,
}

impl Latest {
    /// Writes the checkpoint. A failure loses only the checkpoint.
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
    /// Opens the checkpoints beside the file of a part.
    ///
    /// For each game at most one is written in the time `every`.
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
        // If a folder cannot be listed only the checkpoints in it are lost.
        let listed = std::fs::read_dir(&checkpoints.folder).into_iter().flatten();
        let names = listed.filter_map(|entry| Some(entry.ok()?.file_name()));
        let head = checkpoints.name("");
        let is_one = |name: &OsString| name.as_encoded_bytes().starts_with(head.as_encoded_bytes());
        checkpoints.found = names.filter(is_one).collect();
        checkpoints
    }

    /// Returns the name of a file that belongs to the part.
    fn name(&self, rest: &str) -> OsString {
        let mut name = OsString::from(".");
        name.push(&self.part);
        name.push(".");
        name.push(rest);
        name
    }

    /// Returns the name of the file with the checkpoint of a task.
    fn name_of(&self, task: TaskId) -> OsString {
        let task = task.to_string();
        let short = task.get(..DIGITS).unwrap_or(&task);
        self.name(&format!("{short}.checkpoint"))
    }

    /// Returns the checkpoint at which a task resumes, and the sink of its next checkpoints.
    pub(super) fn of(&mut self, task: TaskId) -> CheckpointIo {
        let name = self.name_of(task);
        let may_be_there = self.found.contains(&name);
        let file = self.folder.join(name);
        // If a checkpoint cannot be read or is invalid, only its progress is lost.
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

    /// Removes the checkpoints of a finished task, and writes the last one of an unfinished task.
    pub(super) fn ended(&mut self, task: TaskId, is_found: bool) {
        let Some(latest) = self.open.remove(&task) else {
            return;
        };
        let mut latest = latest.lock().unwrap_or_else(PoisonError::into_inner);
        if is_found {
            latest.unwritten = None;
            if latest.may_be_there {
                // If none was written there is nothing to remove.
                let _ = std::fs::remove_file(&latest.file);
            }
        } else {
            latest.write();
        }
    }
}
