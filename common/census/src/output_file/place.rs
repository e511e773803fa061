//! The classification of what exists at the path of an output file.

use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::OutputError;

/// The names of standard output. A file called `-` is written as `./-`.
const STANDARD_OUTPUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// More symbolic links in a row than any system follows.
const MAX_LINKS: u32 = 40;

/// A place, and the way of writing to it.
#[derive(Debug)]
pub(super) enum Place {
    /// The output of the process itself.
    StandardOutput,
    /// A device, a FIFO, a socket, or a file that is open already (`/dev/fd/3`).
    ///
    /// It is written through, at its end.
    Stream(PathBuf),
    /// No file exists, so one is made. Symbolic links have been followed.
    Nothing(PathBuf),
    /// A regular file that may be replaced. Symbolic links have been followed.
    File(PathBuf, Metadata),
}

impl Place {
    /// Classifies what exists at a path.
    ///
    /// # Errors
    /// [`OutputError`] if nothing can be written there: the place is a directory or a read-only
    /// file, or there is no directory to hold it.
    pub(super) fn of(named: &Path) -> Result<Self, OutputError> {
        if is_standard_output(named) {
            return Ok(Self::StandardOutput);
        }
        let failed = |cause| OutputError::file(named, cause);
        match fs::metadata(named) {
            Ok(there) if there.is_dir() => Err(OutputError::Directory(named.to_owned())),
            Ok(there) if !there.is_file() => Ok(Self::Stream(named.to_owned())),
            Ok(there) => match followed(named).map_err(failed)? {
                None => Ok(Self::Stream(named.to_owned())),
                Some(file) => {
                    refuse_read_only(named, &there)?;
                    Ok(Self::File(file, there))
                }
            },
            Err(missing) if missing.kind() == ErrorKind::NotFound => {
                // A link that leads to nothing is followed, too.
                let file = followed(named).map_err(failed)?;
                let file = file.unwrap_or_else(|| named.to_owned());
                let directory = match names_a_directory(&file) {
                    true => &file,
                    false => directory_of(&file),
                };
                match fs::metadata(directory) {
                    Ok(there) if there.is_dir() => Ok(Self::Nothing(file)),
                    _ => Err(OutputError::NoDirectory {
                        file: named.to_owned(),
                        directory: directory.to_owned(),
                    }),
                }
            }
            Err(cause) => Err(failed(cause)),
        }
    }
}

/// Reports whether a person means standard output by this name.
///
/// ```
/// use std::path::Path;
/// use misere_census::output_file::is_standard_output;
/// assert!(is_standard_output(Path::new("-")) && is_standard_output(Path::new("/dev/stdout")));
/// assert!(!is_standard_output(Path::new("census.json")));
/// ```
#[must_use]
pub fn is_standard_output(named: &Path) -> bool {
    STANDARD_OUTPUT
        .iter()
        .any(|&name| named.as_os_str() == name)
}

/// Returns the directory that holds a file.
///
/// ```
/// use std::path::Path;
/// use misere_census::output_file::directory_of;
/// assert_eq!(directory_of(Path::new("results/0.77.json")), Path::new("results"));
/// assert_eq!(directory_of(Path::new("0.77.json")), Path::new("."));
/// ```
#[must_use]
pub fn directory_of(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Returns the place to which symbolic links lead; `None` for a file that is open already.
///
/// The links of `/proc`, to which `/dev/fd` leads, only look like names of files.
fn followed(named: &Path) -> io::Result<Option<PathBuf>> {
    let mut at = named.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&at) {
            Ok(_) if is_of_proc(&at) => return Ok(None),
            // An absolute target replaces the whole path.
            Ok(to) => at = directory_of(&at).join(to),
            Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::NotFound) => {
                return Ok(Some(at));
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("there are too many symbolic links"))
}

/// Reports whether a path can only name a directory because it ends in a slash.
fn names_a_directory(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

fn is_of_proc(link: &Path) -> bool {
    let directory = fs::canonicalize(directory_of(link));
    directory.is_ok_and(|directory| directory.starts_with("/proc"))
}

/// Refuses a file that this process may not write, though it may rename another one over it.
///
/// The permissions of a file bind the superuser, too: removing them shows that the file is to stay.
fn refuse_read_only(named: &Path, there: &Metadata) -> Result<(), OutputError> {
    if there.permissions().mode() & 0o222 == 0 {
        return Err(OutputError::ReadOnly(named.to_owned()));
    }
    match OpenOptions::new().write(true).open(named) {
        Ok(_) => Ok(()),
        Err(refused) if refused.kind() == ErrorKind::PermissionDenied => {
            Err(OutputError::ReadOnly(named.to_owned()))
        }
        Err(cause) => Err(OutputError::file(named, cause)),
    }
}
