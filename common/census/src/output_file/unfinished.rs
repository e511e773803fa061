//! Which temporary files and directories does this process have at the moment?
//!
//! Each is taken away when its writing fails. A signal that ends the process runs no such code: whoever handles it calls
//! [`abandon_and_exit`], which takes them all away. Only a process that is killed leaves one, under a name that begins with
//! a dot and ends in `.part`; no later run meets it, because names are drawn at random.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary files and directories of this process.
static UNFINISHED: Unfinished = Unfinished(Mutex::new(BTreeSet::new()));

/// Paths that are taken away if the process ends before they have their names.
#[derive(Debug)]
struct Unfinished(Mutex<BTreeSet<PathBuf>>);

impl Unfinished {
    fn lock(&self) -> MutexGuard<'_, BTreeSet<PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes everything away. Nothing can be begun or finished as long as the answer is kept.
    fn abandon(&self) -> MutexGuard<'_, BTreeSet<PathBuf>> {
        let mut paths = self.lock();
        for path in std::mem::take(&mut *paths) {
            // What cannot be taken away stays under its own name, where it misleads nobody.
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
pub struct Listed(PathBuf);

impl Listed {
    /// Makes a temporary file or directory, and lists it in the same moment.
    ///
    /// # Errors
    /// As `make` fails.
    pub fn begin<T: AsRef<Path>>(make: impl FnOnce() -> io::Result<T>) -> io::Result<(T, Self)> {
        let mut paths = UNFINISHED.lock();
        let made = make()?;
        paths.insert(made.as_ref().to_owned());
        let listed = Self(made.as_ref().to_owned());
        Ok((made, listed))
    }

    /// Gives what is listed its name. A signal comes before that or after, never in between.
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

impl Drop for Listed {
    fn drop(&mut self) {
        UNFINISHED.lock().remove(&self.0);
    }
}

/// Ends the process, and takes away the temporary files and directories that it has. For handlers of signals that run in a
/// thread of their own.
pub fn abandon_and_exit(code: i32) -> ! {
    let _nothing_more = UNFINISHED.abandon();
    std::process::exit(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unfinished_is_taken_away() {
        let directory = tempfile::tempdir().unwrap();
        let (file, tree) = (directory.path().join("file"), directory.path().join("tree"));
        fs::write(&file, "half").unwrap();
        fs::create_dir(&tree).unwrap();
        fs::write(tree.join("file"), "half").unwrap();
        let unfinished = Unfinished(Mutex::new(BTreeSet::from([file, tree])));
        let kept = unfinished.abandon();
        assert!(kept.is_empty());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_has_its_name_stays() {
        let directory = tempfile::tempdir().unwrap();
        let (from, to) = (directory.path().join("from"), directory.path().join("to"));
        let make = || fs::write(&from, "whole").map(|()| from.clone());
        let (_, listed) = Listed::begin(make).unwrap();
        assert!(UNFINISHED.lock().contains(&from));
        listed.finish(|| fs::rename(&from, &to)).unwrap();
        assert!(!UNFINISHED.lock().contains(&from));
        assert_eq!(fs::read_to_string(&to).unwrap(), "whole");
    }

    #[test]
    fn what_has_failed_is_forgotten() {
        let gone = Listed::begin(|| Err::<PathBuf, _>(io::Error::other("no room")));
        assert!(gone.is_err());
        let (path, listed) = Listed::begin(|| Ok(PathBuf::from("no/such/file"))).unwrap();
        assert!(listed.finish(|| fs::rename(&path, "elsewhere")).is_err());
        assert!(!UNFINISHED.lock().contains(&path));
    }
}
