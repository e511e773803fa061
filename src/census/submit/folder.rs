//! The folder `submit` of a census: the parts, the files of the jobs and the list of the arrays.
//!
//! An array is recorded before it is submitted, so that it is never submitted twice: queues are
//! queried by names that follow from its number.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use misere_census::chunk::{self, Form, Header};
use misere_census::input_file;
use misere_census::output_file;
use serde::{Deserialize, Serialize};

use super::SubmitError;
use super::job::{Array, JobSpec};
use super::queue::Kind;

/// The version of the list.
const SCHEMA: u32 = 1;

/// The greatest number of parts of a census; each is a file.
pub(super) const MAX_FOLDER_TASKS: u64 = 1_000_000;

/// The limit on array numbers and failure counts in a list that is read.
///
/// Real ones stay below it.
const MAX_ARRAYS: u64 = 1 << 40;
const MAX_FAILURES: u32 = 1 << 20;

/// The list of the arrays, `jobs.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Jobs {
    schema: u32,
    /// The name of the plan.
    plan: String,
    /// The kind of queue.
    pub(super) to: String,
    /// The number of parts.
    pub(super) parts: u64,
    /// The arrays, in the order of their numbers.
    pub(super) arrays: Vec<Array>,
    /// The number of jobs of each part that ended without a new result.
    pub(super) failures: BTreeMap<u64, u32>,
}

impl Jobs {
    /// Opens the list of a folder, or begins an empty one.
    ///
    /// # Errors
    /// [`SubmitError`] if it cannot be read, or belongs to other parts.
    pub(super) fn open(
        folder: &Path,
        plan: &str,
        kind: Kind,
        parts: Option<u64>,
        otherwise: u64,
    ) -> Result<Self, SubmitError> {
        let file = place(folder);
        let bytes = match input_file::read(&file, input_file::MIDDLE) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(Self {
                    schema: SCHEMA,
                    plan: plan.to_owned(),
                    to: kind.name().to_owned(),
                    parts: parts.unwrap_or(otherwise),
                    arrays: Vec::new(),
                    failures: BTreeMap::new(),
                });
            }
            Err(cause) => return Err(SubmitError::Folder { file, cause }),
        };
        let read: Option<Self> = serde_json::from_slice(input_file::without_mark(&bytes)).ok();
        let Some(mut jobs) = read.filter(|jobs| jobs.schema == SCHEMA && jobs.plan == plan) else {
            return Err(SubmitError::OtherJobs(file));
        };
        let numbers = jobs.arrays.iter().map(|array| array.number);
        let is_bounded = (1..=MAX_FOLDER_TASKS).contains(&jobs.parts)
            && numbers.into_iter().all(|number| number <= MAX_ARRAYS)
            && jobs
                .failures
                .values()
                .all(|&failures| failures < MAX_FAILURES);
        if !is_bounded {
            return Err(SubmitError::Unbounded(file));
        }
        if parts.is_some_and(|parts| parts != jobs.parts) {
            let there = jobs.parts;
            return Err(SubmitError::Usage(format!(
                "the census was submitted in {there} parts; leave --parts away, or move {} away",
                folder.display()
            )));
        }
        if jobs.to != kind.name() {
            let (was, now) = (&jobs.to, kind.name());
            notice!(
                "note: the census was submitted to {was}; jobs that still run there keep their \
                 parts, and what {now} computes of them fails until they end"
            );
            jobs.to = now.to_owned();
            jobs.arrays.iter_mut().for_each(|array| array.id = None);
        }
        Ok(jobs)
    }

    /// Replaces the list in the folder.
    pub(super) fn keep(&self, folder: &Path) -> Result<(), SubmitError> {
        let text = serde_json::to_vec_pretty(self).map_err(SubmitError::Json)?;
        Ok(output_file::write(&place(folder), &text)?)
    }
}

fn place(folder: &Path) -> PathBuf {
    folder.join("jobs.json")
}

/// Makes the folders, and the missing files of the parts.
///
/// A part names its plan, so that the job needs nothing else.
pub(super) fn lay_out(means: &JobSpec, header: &Header) -> Result<(), SubmitError> {
    for folder in [means.parts(), means.logs()] {
        let made = fs::create_dir_all(&folder);
        made.map_err(|cause| SubmitError::Folder {
            file: folder,
            cause,
        })?;
    }
    for residue in 0..header.modulus {
        let file = means.part(residue);
        if !fs::metadata(&file).is_ok_and(|data| data.len() > 0) {
            begin(&file, header, residue)?;
        }
    }
    Ok(())
}

/// Writes the beginning of a part.
pub(super) fn begin(file: &Path, header: &Header, residue: u64) -> Result<(), SubmitError> {
    Ok(output_file::write(file, &beginning(header, residue)?)?)
}

/// Returns the beginning of a part, which identifies it.
pub(super) fn beginning(header: &Header, residue: u64) -> Result<Vec<u8>, SubmitError> {
    let mut bytes = Vec::new();
    let header = Header {
        residue,
        ..header.clone()
    };
    chunk::begin(&mut bytes, Form::Checked, &header).map_err(SubmitError::Part)?;
    Ok(bytes)
}

/// Moves an unusable part aside, and begins it again.
pub(super) fn set_aside_result(
    means: &JobSpec,
    header: &Header,
    part: u64,
) -> Result<(), SubmitError> {
    let file = means.part(part);
    let aside = (1..).map(|n| means.folder.join(format!("refused-{part}.{n}")));
    if let Some(aside) = aside.into_iter().find(|file| !file.exists()) {
        fs::rename(&file, &aside).map_err(|cause| SubmitError::Folder {
            file: aside.clone(),
            cause,
        })?;
        notice!(
            "note: part {part} is computed again; the refused file is {}",
            aside.display()
        );
    }
    let sealed = means.sealed(part);
    match fs::remove_file(&sealed) {
        Err(cause) if cause.kind() != ErrorKind::NotFound => Err(SubmitError::Folder {
            file: sealed,
            cause,
        }),
        _ => begin(&file, header, part),
    }
}

/// Writes the files of an array; returns the command that submits it.
pub(super) fn write_array(
    kind: Kind,
    means: &JobSpec,
    array: &Array,
) -> Result<Vec<String>, SubmitError> {
    let list: String = array.parts.iter().map(|part| format!("{part}\n")).collect();
    output_file::write(&means.file(array, "parts"), list.as_bytes())?;
    output_file::write(&means.file(array, "sh"), means.script(array).as_bytes())?;
    let (ending, text, command) = kind.file(means, array);
    output_file::write(&means.file(array, ending), text.as_bytes())?;
    Ok(command)
}
