//! The position up to which the certificates of a census were verified again.

use std::path::{Path, PathBuf};

use misere_census::{TaskId, input_file};
use serde::{Deserialize, Serialize};

use super::findings::Fault;
use super::tasks::ExpectedEntries;
use crate::Store;
use crate::directory::CHECKED;

/// The version of the file.
const SCHEMA: u32 = 1;

/// The position of the verification of certificates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Position {
    schema: u32,
    plan: String,
    /// The sequence number of the store; if it differs, the census has changed since.
    sequence: u64,
    engine: String,
    /// The last task, in the order of names, up to which every certificate was verified.
    pub(super) to: Option<TaskId>,
    /// The number of verified certificates.
    pub(super) proofs: u64,
    /// The faults found so far.
    pub(super) faults: Vec<Fault>,
}

impl Position {
    /// Returns the stored position of this very census, or the beginning.
    pub(super) fn of(dir: &Path, store: &Store) -> Self {
        let beginning = Self {
            schema: SCHEMA,
            plan: store.plan().id().to_string(),
            sequence: store.db.latest_sequence_number(),
            engine: misere_census::engine_fingerprint(),
            ..Self::default()
        };
        let kept = input_file::read(&file(dir), input_file::MIDDLE).ok();
        let kept = kept.and_then(|text| serde_json::from_slice::<Self>(&text).ok());
        let is_of_this = |kept: &Self| {
            (kept.schema, &kept.plan, kept.sequence, &kept.engine)
                == (
                    SCHEMA,
                    &beginning.plan,
                    beginning.sequence,
                    &beginning.engine,
                )
        };
        kept.filter(is_of_this).unwrap_or(beginning)
    }

    /// Advances the position to a task, and stores it.
    pub(super) fn advance(&mut self, dir: &Path, to: Option<TaskId>, found: &ExpectedEntries) {
        self.to = to.or(self.to);
        self.proofs += found.proofs;
        self.faults.extend(found.faults.iter().cloned());
        let written = serde_json::to_vec(self).map_err(std::io::Error::other);
        let unfinished = file(dir).with_extension("part");
        let written = written
            .and_then(|text| std::fs::write(&unfinished, text))
            .and_then(|()| std::fs::rename(&unfinished, file(dir)));
        if let Err(error) = written {
            tracing::debug!(%error, "cannot keep how far the audit has come");
        }
    }

    /// Deletes the stored position, since every certificate was verified.
    pub(super) fn forget(dir: &Path) {
        // It may never have been stored.
        let _ = std::fs::remove_file(file(dir));
    }
}

fn file(dir: &Path) -> PathBuf {
    dir.join(CHECKED)
}
