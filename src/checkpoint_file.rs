//! Where does a long computation stand, for the next run of the same command?
//!
//! A file that is replaced as a whole: whatever happens, it holds a checkpoint or is not there.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use misere_census::checkpoint;
use misere_theory::quotient::{Checkpoint, Limits};
use misere_theory::ruleset::Code;

use crate::exit::Failure;

/// The checkpoint in a file, if the file is there.
///
/// # Errors
/// [`Failure::Checkpoint`] if it cannot be read, or holds anything but a checkpoint of this computation.
pub fn read(file: &Path, code: &Code, limits: &Limits) -> Result<Option<Checkpoint>, Failure> {
    let bad = |cause: Box<dyn std::error::Error + Send + Sync>| Failure::Checkpoint {
        file: file.display().to_string(),
        cause,
    };
    match fs::read(file) {
        Ok(bytes) => {
            let at = checkpoint::decode(&bytes, code, limits).map_err(|cause| bad(cause.into()))?;
            eprintln!(
                "going on from heap {} ({} fuel spent)",
                at.heap(),
                at.fuel()
            );
            Ok(Some(at))
        }
        Err(missing) if missing.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(bad(cause.into())),
    }
}

/// Replaces what is in the file. A failure is said and costs nothing but the checkpoint.
pub fn write(file: &Path, code: &Code, limits: &Limits, at: &Checkpoint) {
    let written = checkpoint::encode(code, limits, at)
        .map_err(io::Error::other)
        .and_then(|bytes| replace(file, &bytes));
    if let Err(cause) = written {
        eprintln!(
            "warning: cannot keep a checkpoint in {}: {cause}",
            file.display()
        );
    }
}

/// Replaces what is in a file, as a whole.
///
/// # Errors
/// What the system says; the file is then as it was.
pub fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = match file.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let mut new = tempfile::NamedTempFile::new_in(directory)?;
    new.write_all(bytes)?;
    new.as_file().sync_all()?;
    new.persist(file)?;
    Ok(())
}
