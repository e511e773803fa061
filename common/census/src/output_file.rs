//! Output files that appear whole or not at all.
//!
//! Every file that a command writes for a person or a program is written here. What exists at its
//! path decides how:
//!
//! | at the path | effect |
//! |---|---|
//! | nothing, or a regular file | the bytes go to a temporary file beside it, which is synced and renamed |
//! | a symbolic link | the target of the link is written; the link stays |
//! | a device, a FIFO, a socket, a file that is open already (`/dev/fd/3`) | the bytes are written through |
//! | a directory, or a file that may not be written | [`write()`] refuses it |
//! | `-` or `/dev/stdout` | the bytes go to standard output |
//!
//! A file that is replaced keeps its owner and its permissions. If the writing fails or a signal
//! stops the process ([`abandon`]), the old file stays and no temporary file is left.

mod place;
#[cfg(test)]
mod tests;
mod unfinished;

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::input_file;
use place::Place;

pub use place::{directory_of, is_standard_output};
pub use unfinished::{CleanupGuard, CleanupLock, abandon};

/// The permissions of a new file, before the umask is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// The permissions that files usually have.
    Everybody,
    /// Reading and writing for the owner alone: for secrets.
    Owner,
}

impl Readers {
    fn permissions(self) -> Permissions {
        Permissions::from_mode(match self {
            Self::Everybody => 0o666,
            Self::Owner => 0o600,
        })
    }
}

/// The reason why a file was not written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The place is a directory.
    #[error("cannot write `{}`: it is a directory; name a file in it", .0.display())]
    Directory(PathBuf),
    /// The file may not be written.
    #[error("cannot write `{}`: it is read-only and stays as it is; name another file", .0.display())]
    ReadOnly(PathBuf),
    /// The directory of the file does not exist.
    #[error("cannot write `{}`: there is no directory `{}`", .file.display(), .directory.display())]
    NoDirectory {
        /// The file as the person named it.
        file: PathBuf,
        /// The directory that is missing.
        directory: PathBuf,
    },
    /// A file with this name exists and must not be replaced.
    #[error("`{}` exists, and is never overwritten; name another file, or move it away", .0.display())]
    Exists(PathBuf),
    /// A file other than a regular one, although its content is read again.
    #[error("cannot use `{}`: what is written there is read again, so it must be a regular file", .0.display())]
    NotRegular(PathBuf),
    /// The system refuses it.
    #[error("cannot write `{}`: {cause}", .file.display())]
    File {
        /// The file as the person named it.
        file: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    StandardOutput(io::Error),
}

impl OutputError {
    fn file(file: &Path, cause: io::Error) -> Self {
        Self::File {
            file: file.to_owned(),
            cause,
        }
    }
}

/// Writes a file, as a whole.
///
/// Cost: the bytes are written once and synced, with the directory.
///
/// ```
/// use misere_census::output_file::{OutputError, write};
/// let directory = tempfile::tempdir()?;
/// let file = directory.path().join("0.77.json");
/// write(&file, b"{}")?;
/// assert_eq!(std::fs::read(&file)?, b"{}");
/// assert!(matches!(write(directory.path(), b"{}"), Err(OutputError::Directory(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`OutputError`]; a regular file at the place is then unchanged, and a missing file is still
/// missing.
pub fn write(place: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let failed = |cause| OutputError::file(place, cause);
    match Place::of(place)? {
        Place::StandardOutput => {
            let mut stdout = io::stdout().lock();
            let written = stdout.write_all(bytes).and_then(|()| stdout.flush());
            written.map_err(OutputError::StandardOutput)
        }
        Place::Stream(stream) => {
            // No other position makes sense with several writers; existing content stays.
            let open = OpenOptions::new().append(true).open(stream);
            open.and_then(|mut stream| stream.write_all(bytes))
                .map_err(failed)
        }
        Place::Nothing(file) => put(&file, None, bytes).map_err(failed),
        Place::File(file, there) => put(&file, Some(&there), bytes).map_err(failed),
    }
}

/// Tests whether a file could be written, before its content is computed.
///
/// Cost: an empty file is made beside the place and removed.
///
/// ```
/// use misere_census::output_file::{OutputError, check_writable};
/// let directory = tempfile::tempdir()?;
/// assert!(check_writable(&directory.path().join("0.77.json")).is_ok());
/// let nowhere = check_writable(&directory.path().join("missing/0.77.json"));
/// assert!(matches!(nowhere, Err(OutputError::NoDirectory { .. })));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// [`OutputError`] if [`write()`] would fail at this moment. A full disk is not detected.
pub fn check_writable(place: &Path) -> Result<(), OutputError> {
    match Place::of(place)? {
        Place::Nothing(file) | Place::File(file, _) => {
            let probe = Temporary::beside(&file, Readers::Owner);
            probe
                .map(drop)
                .map_err(|cause| OutputError::file(place, cause))
        }
        Place::StandardOutput | Place::Stream(_) => Ok(()),
    }
}

/// Returns the regular file that [`write()`] would replace, if there is one.
///
/// ```
/// use std::path::Path;
/// use misere_census::output_file::replaced;
/// assert_eq!(replaced(Path::new("/dev/null"))?, None);
/// # Ok::<(), misere_census::output_file::OutputError>(())
/// ```
///
/// # Errors
/// [`OutputError`] if the place could not be written.
pub fn replaced(place: &Path) -> Result<Option<PathBuf>, OutputError> {
    Ok(match Place::of(place)? {
        Place::File(file, _) => Some(file),
        Place::StandardOutput | Place::Stream(_) | Place::Nothing(_) => None,
    })
}

/// Writes files that must not exist yet: all of them, or none.
///
/// Cost: the bytes are written once and synced, with the directories.
///
/// ```
/// use misere_census::output_file::{OutputError, Readers, write_new};
/// let directory = tempfile::tempdir()?;
/// let file = directory.path().join("key.pem");
/// write_new(&[(&file, b"secret", Readers::Owner)])?;
/// let again = write_new(&[(&file, b"other", Readers::Owner)]);
/// assert!(matches!(again, Err(OutputError::Exists(_))));
/// assert_eq!(std::fs::read(&file)?, b"secret");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`OutputError::Exists`] if one exists; otherwise as [`write()`].
pub fn write_new(files: &[(&Path, &[u8], Readers)]) -> Result<(), OutputError> {
    let mut unnamed = Vec::new();
    for &(file, bytes, readers) in files {
        if fs::symlink_metadata(file).is_ok() {
            return Err(OutputError::Exists(file.to_owned()));
        }
        let failed = |cause| OutputError::file(file, cause);
        let mut temporary = Temporary::beside(file, readers).map_err(failed)?;
        temporary.fill(bytes).map_err(failed)?;
        unnamed.push((temporary, file));
    }
    let mut named: Vec<&Path> = Vec::new();
    for (temporary, file) in unnamed {
        match temporary.name_new(file) {
            Ok(()) => named.push(file),
            Err(error) => {
                for file in named {
                    // Ignore the failed cleanup; the original error matters more.
                    let _ = fs::remove_file(file);
                }
                return Err(error);
            }
        }
    }
    for (file, ..) in files {
        sync_directory(directory_of(file)).map_err(|cause| OutputError::file(file, cause))?;
    }
    Ok(())
}

/// Opens a file that grows in steps and is continued later.
///
/// The file is opened for reading and writing, at its beginning.
///
/// # Errors
/// [`OutputError::NotRegular`] for anything but a regular file; otherwise as [`write()`].
pub fn open_growing(place: &Path) -> Result<File, OutputError> {
    let failed = |cause| OutputError::file(place, cause);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    match Place::of(place)? {
        Place::StandardOutput | Place::Stream(_) => Err(OutputError::NotRegular(place.to_owned())),
        Place::File(file, _) => options.open(file).map_err(failed),
        Place::Nothing(file) => {
            let opened = options.open(&file).map_err(failed)?;
            sync_directory(directory_of(&file)).map_err(failed)?;
            Ok(opened)
        }
    }
}

/// Reads a file that is replaced from time to time; `None` if it does not exist yet.
///
/// Cost: the file is read whole.
///
/// ```
/// use misere_census::output_file::{read_replaced, write};
/// let directory = tempfile::tempdir()?;
/// let file = directory.path().join("checkpoint");
/// assert_eq!(read_replaced(&file)?, None);
/// write(&file, b"state")?;
/// assert_eq!(read_replaced(&file)?.as_deref(), Some(&b"state"[..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`OutputError::NotRegular`] for anything but a regular file; [`OutputError`] if it cannot be
/// read or replaced.
pub fn read_replaced(place: &Path) -> Result<Option<Vec<u8>>, OutputError> {
    check_writable(place)?;
    match Place::of(place)? {
        Place::StandardOutput | Place::Stream(_) => Err(OutputError::NotRegular(place.to_owned())),
        Place::Nothing(_) => Ok(None),
        Place::File(file, _) => {
            let bytes = input_file::read(&file, input_file::LARGE);
            bytes
                .map(Some)
                .map_err(|cause| OutputError::file(place, cause))
        }
    }
}

/// A file under a temporary name, beside the one it will replace.
struct Temporary {
    file: NamedTempFile,
    listed: CleanupGuard,
}

impl Temporary {
    fn beside(file: &Path, readers: Readers) -> io::Result<Self> {
        let beside = directory_of(file);
        let begun = CleanupGuard::begin(readers.permissions(), |name| name.tempfile_in(beside));
        let (file, listed) = begun.map_err(|cause| {
            let said = format!("no temporary file can be made beside it: {cause}");
            io::Error::new(cause.kind(), said)
        })?;
        Ok(Self { file, listed })
    }

    /// Syncs the bytes to disk.
    fn fill(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.file.as_file().sync_all()
    }

    /// Renames the file to another, which it replaces.
    fn name(self, file: &Path) -> io::Result<()> {
        let Self { file: from, listed } = self;
        listed.finish(|| from.persist(file))?;
        Ok(())
    }

    /// Renames the file to one that must not exist.
    fn name_new(self, file: &Path) -> Result<(), OutputError> {
        let Self { file: from, listed } = self;
        let named = listed.finish(|| from.persist_noclobber(file));
        named.map(drop).map_err(|refused| match refused.error {
            cause if cause.kind() == ErrorKind::AlreadyExists => {
                OutputError::Exists(file.to_owned())
            }
            cause => OutputError::file(file, cause),
        })
    }
}

/// Writes bytes to a path with nothing or a regular file.
fn put(file: &Path, there: Option<&Metadata>, bytes: &[u8]) -> io::Result<()> {
    let readers = match there {
        None => Readers::Everybody,
        // A user that could not read the old bytes must not read the new ones.
        Some(_) => Readers::Owner,
    };
    let mut temporary = Temporary::beside(file, readers)?;
    temporary.file.write_all(bytes)?;
    if let Some(there) = there {
        keep_owner_and_permissions(temporary.file.as_file(), there)?;
    }
    temporary.file.as_file().sync_all()?;
    temporary.name(file)?;
    sync_directory(directory_of(file))
}

/// Gives a new file the owner, group and permissions of the one it replaces, if the system allows.
fn keep_owner_and_permissions(new: &File, old: &Metadata) -> io::Result<()> {
    let made = new.metadata()?;
    let mut mode = old.permissions().mode() & 0o777;
    if (made.uid(), made.gid()) != (old.uid(), old.gid()) {
        let both = fchown(new, Some(old.uid()), Some(old.gid()));
        let group = both.or_else(|_| fchown(new, None, Some(old.gid())));
        if group.is_err() {
            // Another group gets no more than other users have.
            mode &= 0o707 | ((mode & 0o007) << 3);
        }
    }
    new.set_permissions(Permissions::from_mode(mode))
}

/// Makes the names in a directory durable.
fn sync_directory(directory: &Path) -> io::Result<()> {
    // A directory may be written without being readable, and not every file system syncs
    // directories.
    let Ok(opened) = File::open(directory) else {
        return Ok(());
    };
    match opened.sync_all() {
        Err(error)
            if !matches!(
                error.kind(),
                ErrorKind::InvalidInput | ErrorKind::Unsupported
            ) =>
        {
            Err(error)
        }
        _ => Ok(()),
    }
}
