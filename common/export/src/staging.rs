//! A directory that appears all at once.
//!
//! Its files are written into a directory of another name beside it, which is renamed when all are
//! there and on disk. Any failure before that, such as a full disk or an interrupt, removes the
//! unfinished directory. Only a killed process leaves it, under a name that begins with a dot and
//! ends in `.part`. No later export uses that name, because names are drawn at random.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use misere_census::output_file::{CleanupGuard, directory_of};
use tempfile::TempDir;

use super::ExportError;
use super::manifest::FileEntry;

/// A directory that is not there yet.
#[derive(Debug)]
pub struct Staging {
    place: PathBuf,
    part: TempDir,
    listed: CleanupGuard,
    names: Vec<String>,
}

impl Staging {
    /// Begins a directory that will appear at `place`.
    ///
    /// # Errors
    /// [`ExportError`] if the place exists already, or nothing can be written beside it.
    pub fn begin(place: &Path) -> Result<Self, ExportError> {
        // A place that cannot be read is reported when it is written.
        if fs::symlink_metadata(place).is_ok() {
            return Err(ExportError::Exists(place.to_owned()));
        }
        if place.file_name().is_none() {
            return Err(ExportError::NoName(place.to_owned()));
        }
        let usual = fs::Permissions::from_mode(0o777);
        let begun = CleanupGuard::begin(usual, |name| name.tempdir_in(directory_of(place)));
        let (part, listed) = begun.map_err(|cause| failed(place, cause))?;
        Ok(Self {
            place: place.to_owned(),
            part,
            listed,
            names: Vec::new(),
        })
    }

    /// Returns a path for a file that other code writes; it counts as one of the export's files.
    pub fn path(&mut self, name: &str) -> PathBuf {
        self.names.push(name.to_owned());
        self.part.path().join(name)
    }

    /// Removes a file that is no longer needed.
    ///
    /// # Errors
    /// [`ExportError::Write`] if the disk fails.
    pub fn remove(&mut self, name: &str) -> Result<(), ExportError> {
        self.names.retain(|known| known != name);
        let path = self.part.path().join(name);
        fs::remove_file(&path).map_err(|cause| failed(&path, cause))
    }

    /// Opens a file to be written.
    ///
    /// # Errors
    /// [`ExportError::Write`] if it cannot be made.
    pub fn create(&mut self, name: &str) -> Result<Output, ExportError> {
        let path = self.path(name);
        match File::create_new(&path) {
            Ok(file) => Ok(Output {
                to: BufWriter::new(file),
                path,
            }),
            Err(cause) => Err(failed(&path, cause)),
        }
    }

    /// Writes a whole file.
    ///
    /// # Errors
    /// [`ExportError::Write`] if it cannot be written.
    pub fn write(&mut self, name: &str, text: &str) -> Result<(), ExportError> {
        let mut output = self.create(name)?;
        output.text(text)?;
        output.close()
    }

    /// Returns the files with lengths and hashes, in the order of their names.
    ///
    /// All must be closed.
    ///
    /// # Errors
    /// [`ExportError::Write`] if one cannot be read back or written to disk.
    pub fn files(&self) -> Result<Vec<FileEntry>, ExportError> {
        let mut names = self.names.clone();
        names.sort_unstable();
        let entries = names.iter().map(|name| {
            let path = self.part.path().join(name);
            let entry = File::open(&path).and_then(|file| {
                file.sync_all()?;
                FileEntry::of(name, file)
            });
            entry.map_err(|cause| failed(&path, cause))
        });
        entries.collect()
    }

    /// Renames the directory to its final name.
    ///
    /// # Errors
    /// [`ExportError`] if another process has created something there meanwhile, or the disk fails.
    pub fn finish(self) -> Result<(), ExportError> {
        let sync = |path: &Path| {
            let synced = File::open(path).and_then(|directory| directory.sync_all());
            synced.map_err(|cause| failed(path, cause))
        };
        let Self {
            place,
            mut part,
            listed,
            ..
        } = self;
        sync(part.path())?;
        if fs::symlink_metadata(&place).is_ok() {
            return Err(ExportError::Exists(place));
        }
        let named = listed.finish(|| fs::rename(part.path(), &place));
        named.map_err(|cause| failed(&place, cause))?;
        // Nothing is left under the old name.
        part.disable_cleanup(true);
        sync(directory_of(&place))
    }
}

/// A file being written.
#[derive(Debug)]
pub struct Output {
    to: BufWriter<File>,
    path: PathBuf,
}

impl Output {
    /// Writes some text.
    ///
    /// # Errors
    /// [`ExportError::Write`] if the disk fails.
    pub fn text(&mut self, text: &str) -> Result<(), ExportError> {
        let written = self.to.write_all(text.as_bytes());
        written.map_err(|cause| failed(&self.path, cause))
    }

    /// Closes the file; all of it is on disk then.
    ///
    /// # Errors
    /// [`ExportError::Write`] if the disk fails.
    pub fn close(mut self) -> Result<(), ExportError> {
        let flushed = self.to.flush().and_then(|()| self.to.get_ref().sync_all());
        flushed.map_err(|cause| failed(&self.path, cause))
    }
}

fn failed(path: &Path, cause: std::io::Error) -> ExportError {
    ExportError::Write {
        path: path.to_owned(),
        cause,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(dir: &Path) -> Vec<String> {
        let names = fs::read_dir(dir).unwrap();
        let mut names: Vec<String> = names
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_directory_appears_only_when_complete() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("out");
        let mut staging = Staging::begin(&place).unwrap();
        staging.write("b", "two").unwrap();
        staging.write("a", "one").unwrap();
        assert!(!place.exists());
        let files = staging.files().unwrap();
        assert_eq!((files[0].name.as_str(), files[0].bytes), ("a", 3));
        assert_eq!(files[1].blake3, blake3::hash(b"two").to_string());
        staging.finish().unwrap();
        assert_eq!(entries(dir.path()), ["out"]);
        assert_eq!(entries(&place), ["a", "b"]);
    }

    #[test]
    fn an_unfinished_directory_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("out");
        let mut staging = Staging::begin(&place).unwrap();
        staging.write("a", "one").unwrap();
        drop(staging);
        assert!(entries(dir.path()).is_empty());
    }

    #[test]
    fn an_existing_directory_is_not_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("out");
        fs::write(&place, "mine").unwrap();
        assert!(matches!(
            Staging::begin(&place),
            Err(ExportError::Exists(_))
        ));
        fs::remove_file(&place).unwrap();
        let staging = Staging::begin(&place).unwrap();
        fs::create_dir(&place).unwrap();
        assert!(matches!(staging.finish(), Err(ExportError::Exists(_))));
        assert_eq!(entries(dir.path()), ["out"]);
    }
}
