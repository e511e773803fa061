//! The directory of the pages, which appears whole, and the hashes of its files.
//!
//! The files are written into `NAME.part` beside it. A list of hashes grows with them, so that a
//! later call reuses the files that are there. When all are there, `NAME.part` gets the name; pages
//! of an earlier census that have the name until then are removed last.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use misere_census::input_file;
use misere_report::completeness::Completeness;
use misere_store::Store;
use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};

use super::{CopyError, CopySummary};
use crate::view::browser_solver::BrowserSolver;
use crate::view::extra_data::ExtraData;

/// The file that names the census of the pages.
const FACTS: &str = "census.json";

/// The file with the hashes, which `sha256sum --check` reads.
const SUMS: &str = "SHA256SUMS";

/// The facts on which the content of every page depends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Facts {
    schema: u32,
    pub(super) digest: String,
    /// The digest of the certificates, which the pages offer.
    certificates: String,
    plan: String,
    space: String,
    records: u64,
    /// The build of the program.
    program: String,
    normal_heaps: u32,
    /// The digest of the normal play that was computed beforehand, if there is any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    normal: Option<String>,
    /// The hash of the atlas, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    atlas: Option<String>,
    /// The hash of the solver for browsers, if it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    browser_solver: Option<String>,
    /// The hash of the program's parts that its version does not cover: templates, script, style.
    form: String,
}

/// The pages that were there before the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExistingPages {
    /// Nothing.
    Nothing,
    /// A part of the same pages.
    Part,
    /// All of the same pages.
    All,
}

/// A new or resumed directory, or a finished one.
pub(super) enum CopyStart {
    Directory(Directory),
    IsThere(CopySummary),
}

/// A directory that is being written.
#[derive(Debug)]
pub(super) struct Directory {
    place: PathBuf,
    part: PathBuf,
    written: Mutex<Sums>,
    kept: ExistingPages,
}

/// The hashes of the files that are there.
#[derive(Debug)]
struct Sums {
    files: BTreeMap<String, (String, u64)>,
    list: File,
}

impl Facts {
    pub(super) fn of(
        store: &Store,
        normal_heaps: u32,
        beside: &ExtraData,
    ) -> Result<Self, CopyError> {
        let about = Completeness::of(store)?;
        Ok(Self {
            schema: 1,
            digest: about.digest_text().to_owned(),
            certificates: store.certificates_digest()?.to_string(),
            plan: about.plan.id.clone(),
            space: about.plan.space.clone(),
            records: about.records,
            program: about.engine,
            normal_heaps,
            normal: (!beside.normal.is_empty()).then(|| beside.normal.digest().to_owned()),
            atlas: beside.atlas.as_ref().map(|atlas| atlas.hash().to_owned()),
            browser_solver: beside.browser_solver.as_ref().map(BrowserSolver::hash),
            form: form(),
        })
    }

    fn text(&self) -> Result<String, CopyError> {
        let text = serde_json::to_string_pretty(self);
        let text = text.map_err(|cause| super::page_failed(FACTS, &cause))?;
        Ok(text + "\n")
    }

    fn read(directory: &Path) -> Option<Self> {
        let bytes = input_file::read(&directory.join(FACTS), input_file::MIDDLE).ok()?;
        serde_json::from_slice(&bytes).ok()
    }
}

/// Returns the hash of the parts of the program that form the pages.
fn form() -> String {
    let mut hasher = blake3::Hasher::new();
    for part in [
        include_str!("../../templates/base.html"),
        include_str!("../../templates/atlas.html"),
        include_str!("../../templates/chart.html"),
        include_str!("../../templates/game.html"),
        include_str!("../../templates/solve.html"),
        include_str!("../../templates/class.html"),
        include_str!("../../templates/games.html"),
        include_str!("../../templates/quotients.html"),
        include_str!("../../templates/open.html"),
        include_str!("../../templates/about.html"),
        include_str!("../../templates/glossary.html"),
        include_str!("../../templates/copy_search.html"),
        include_str!("../../templates/copy_data.html"),
        include_str!("../../assets/search.js"),
        include_str!("../../assets/style.css"),
    ] {
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

fn failed(place: &Path) -> impl Fn(std::io::Error) -> CopyError {
    |cause| CopyError::File {
        place: place.to_owned(),
        cause,
    }
}

fn sha256(content: &[u8]) -> String {
    let hash = digest(&SHA256, content);
    hash.as_ref()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Returns the path with an ending behind its name.
fn beside(place: &Path, ending: &str) -> Option<PathBuf> {
    let mut name = OsString::from(place.file_name()?);
    name.push(ending);
    Some(place.with_file_name(name))
}

fn is_empty(directory: &Path) -> bool {
    fs::read_dir(directory).is_ok_and(|mut files| files.next().is_none())
}

impl Directory {
    /// Begins the directory of pages at `place`, or resumes it.
    pub(super) fn begin(place: &Path, facts: &Facts) -> Result<CopyStart, CopyError> {
        let no_name = || CopyError::NoName(place.to_owned());
        let part = beside(place, ".part").ok_or_else(no_name)?;
        let old = beside(place, ".old").ok_or_else(no_name)?;
        if fs::symlink_metadata(place).is_err() && Facts::read(&old).is_some() {
            // The process was killed between the two renamings.
            fs::rename(&old, place).map_err(failed(place))?;
        }
        match fs::symlink_metadata(place) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(cause) => return Err(failed(place)(cause)),
            Ok(about) if about.is_dir() && is_empty(place) => {}
            Ok(_) => match Facts::read(place) {
                None => return Err(CopyError::Foreign(place.to_owned())),
                Some(there) if there == *facts => {
                    if let Some(written) = whole(place) {
                        return Ok(CopyStart::IsThere(written));
                    }
                }
                Some(_) => {}
            },
        }
        let goes_on = Facts::read(&part).as_ref() == Some(facts);
        if !goes_on && fs::symlink_metadata(&part).is_ok() {
            if Facts::read(&part).is_none() && !is_empty(&part) {
                return Err(CopyError::Foreign(part));
            }
            fs::remove_dir_all(&part).map_err(failed(&part))?;
        }
        fs::create_dir_all(&part).map_err(failed(&part))?;
        if !goes_on {
            let file = part.join(FACTS);
            fs::write(&file, facts.text()?).map_err(failed(&file))?;
        }
        let list = part.join(SUMS);
        let files = sound(
            &part,
            &input_file::read_text(&list, input_file::LARGE).unwrap_or_default(),
        );
        let kept = match files.is_empty() {
            true => ExistingPages::Nothing,
            false => ExistingPages::Part,
        };
        // The last line may be cut off.
        fs::write(&list, lines(&files)).map_err(failed(&list))?;
        let opened = File::options().append(true).open(&list);
        let written = Sums {
            files,
            list: opened.map_err(failed(&list))?,
        };
        Ok(CopyStart::Directory(Self {
            place: place.to_owned(),
            part,
            written: Mutex::new(written),
            kept,
        }))
    }

    fn written(&self) -> MutexGuard<'_, Sums> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports whether a file is there.
    pub(super) fn has(&self, file: &str) -> bool {
        self.written().files.contains_key(file)
    }

    /// Writes a file.
    pub(super) fn put(&self, file: &str, content: &[u8]) -> Result<(), CopyError> {
        let path = self.part.join(file);
        if let Some(above) = path.parent() {
            fs::create_dir_all(above).map_err(failed(above))?;
        }
        fs::write(&path, content).map_err(failed(&path))?;
        let (hash, length) = (sha256(content), content.len() as u64);
        let mut written = self.written();
        let line = format!("{hash}  {file}\n");
        let added = written.list.write_all(line.as_bytes());
        added.map_err(failed(&self.part.join(SUMS)))?;
        written.files.insert(file.to_owned(), (hash, length));
        Ok(())
    }

    /// Renames the directory to its final name.
    pub(super) fn finish(&self, facts: &Facts, pages: u64) -> Result<CopySummary, CopyError> {
        self.put(FACTS, facts.text()?.as_bytes())?;
        let written = self.written();
        let list = self.part.join(SUMS);
        let put =
            fs::write(&list, lines(&written.files)).and_then(|()| File::open(&list)?.sync_all());
        put.map_err(failed(&list))?;
        let (place, old) = (&self.place, beside(&self.place, ".old"));
        let replaced = old.filter(|_| fs::symlink_metadata(place).is_ok());
        if let Some(old) = &replaced {
            if fs::symlink_metadata(old).is_ok() && Facts::read(old).is_none() {
                return Err(CopyError::Foreign(old.clone()));
            }
            let _ = fs::remove_dir_all(old);
            fs::rename(place, old).map_err(failed(old))?;
        }
        fs::rename(&self.part, place).map_err(failed(place))?;
        if let Some(old) = &replaced {
            fs::remove_dir_all(old).map_err(failed(old))?;
        }
        Ok(of(facts, &written.files, pages, self.kept))
    }
}

fn of(
    facts: &Facts,
    files: &BTreeMap<String, (String, u64)>,
    pages: u64,
    kept: ExistingPages,
) -> CopySummary {
    CopySummary {
        digest: facts.digest.clone(),
        pages,
        files: files.len() as u64,
        bytes: files.values().map(|(_, length)| length).sum(),
        kept,
    }
}

fn lines(files: &BTreeMap<String, (String, u64)>) -> String {
    let lines = files
        .iter()
        .map(|(file, (hash, _))| format!("{hash}  {file}\n"));
    lines.collect()
}

/// Returns the files of a list whose content matches the list.
fn sound(directory: &Path, list: &str) -> BTreeMap<String, (String, u64)> {
    let files = list.lines().filter_map(|line| {
        let (hash, file) = line.split_once("  ")?;
        let content = input_file::read(&directory.join(file), input_file::LARGE).ok()?;
        let is_sound = sha256(&content) == hash;
        is_sound.then(|| (file.to_owned(), (hash.to_owned(), content.len() as u64)))
    });
    files.collect()
}

/// Returns the pages at a place, if all are as they were written.
fn whole(place: &Path) -> Option<CopySummary> {
    let list = input_file::read_text(&place.join(SUMS), input_file::LARGE).ok()?;
    let files = sound(place, &list);
    let is_whole = files.len() == list.lines().count() && files.contains_key(FACTS);
    let pages = files.keys().filter(|file| file.ends_with(".html")).count() as u64;
    let facts = Facts::read(place)?;
    is_whole.then(|| of(&facts, &files, pages, ExistingPages::All))
}
