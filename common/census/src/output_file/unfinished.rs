//! The temporary files and directories that this process has at the moment.
//!
//! Each is removed when its writing fails. A signal that ends the process runs no such code: its
//! handler calls [`abandon`], which removes them all. Only a killed process leaves one, under a
//! name that begins with a dot and ends in `.part`. No later run finds it again, because names are
//! drawn at random.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary files and directories of this process.
static UNFINISHED: UnfinishedPaths = UnfinishedPaths(Mutex::new(BTreeSet::new()));

/// The paths that are removed if the process ends before they have their final names.
#[derive(Debug)]
struct UnfinishedPaths(Mutex<BTreeSet<PathBuf>>);

impl UnfinishedPaths {
    fn lock(&self) -> MutexGuard<'_, BTreeSet<PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes everything; while the answer is kept, no file can be begun or finished.
    fn abandon(&self) -> MutexGuard<'_, BTreeSet<PathBuf>> {
        let mut paths = self.lock();
        for path in std::mem::take(&mut *paths) {
            // If removal fails the file keeps its temporary name, which no reader uses.
            let _ = match path.is_dir() {
                true => fs::remove_dir_all(&path),
                false => fs::remove_file(&path),
            };
        }
        paths
    }
}

/// A temporary file or directory that is listed until this is dropped.
#[derive(Debug)]
pub struct CleanupGuard(PathBuf);

impl CleanupGuard {
    /// Makes a temporary file or directory, and lists it in the same moment.
    ///
    /// The builder draws the name.
    ///
    /// # Errors
    /// As `make` fails.
    pub fn begin<T: AsRef<Path>>(
        permissions: Permissions,
        make: impl FnOnce(&tempfile::Builder<'_, '_>) -> io::Result<T>,
    ) -> io::Result<(T, Self)> {
        let mut builder = tempfile::Builder::new();
        // The name does not contain the file's own, which may be as long as a name can be.
        builder.prefix(".misere-").suffix(".part").rand_bytes(12);
        builder.permissions(permissions);
        let mut paths = UNFINISHED.lock();
        let made = make(&builder)?;
        paths.insert(made.as_ref().to_owned());
        let listed = Self(made.as_ref().to_owned());
        Ok((made, listed))
    }

    /// Gives the listed file its name. A signal comes before that or after, never in between.
    ///
    /// # Errors
    /// As `give_name` fails.
    pub fn finish<T, E>(self, give_name: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let mut paths = UNFINISHED.lock();
        let given = give_name();
        if given.is_ok() {
            paths.remove(&self.0);
        }
        given
    }
}

impl Drop for CleanupGuard {
    fn drop(&mut self) {
        UNFINISHED.lock().remove(&self.0);
    }
}

/// Removes the temporary files and directories of this process, which must end now.
///
/// No other file is begun while the returned value exists. This is for handlers of signals that run
/// in a thread of their own.
#[must_use]
pub fn abandon() -> CleanupLock {
    CleanupLock(UNFINISHED.abandon())
}

/// The list of unfinished files, locked so that none is added.
#[derive(Debug)]
pub struct CleanupLock(
    #[allow(dead_code, reason = "it is held")] MutexGuard<'static, BTreeSet<PathBuf>>,
);

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn begin(directory: &Path) -> io::Result<(tempfile::NamedTempFile, CleanupGuard)> {
        let usual = Permissions::from_mode(0o666);
        CleanupGuard::begin(usual, |builder| builder.tempfile_in(directory))
    }

    #[test]
    fn unfinished_files_are_removed() {
        let directory = tempfile::tempdir().unwrap();
        let (file, tree) = (directory.path().join("file"), directory.path().join("tree"));
        fs::write(&file, "half").unwrap();
        fs::create_dir(&tree).unwrap();
        fs::write(tree.join("file"), "half").unwrap();
        let unfinished = UnfinishedPaths(Mutex::new(BTreeSet::from([file, tree])));
        let kept = unfinished.abandon();
        assert!(kept.is_empty());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_file_with_its_final_name_stays() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("place");
        let (made, listed) = begin(directory.path()).unwrap();
        let from = made.path().to_owned();
        assert!(UNFINISHED.lock().contains(&from));
        listed.finish(|| made.persist(&place)).unwrap();
        assert!(!UNFINISHED.lock().contains(&from));
        assert!(place.exists());
    }

    #[test]
    fn a_failed_file_is_no_longer_listed() {
        assert!(begin(Path::new("no/such/directory")).is_err());
        let directory = tempfile::tempdir().unwrap();
        let (made, listed) = begin(directory.path()).unwrap();
        let path = made.path().to_owned();
        assert!(listed.finish(|| made.persist("no/such/place")).is_err());
        assert!(!UNFINISHED.lock().contains(&path) && !path.exists());
    }
}
