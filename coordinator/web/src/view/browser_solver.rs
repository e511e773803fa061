//! The solver for browsers, which the pages offer if the operator has built it.

use std::path::{Path, PathBuf};

use misere_census::input_file;

/// The page of the solver. Its element `main` is shown within the frame of the other pages.
const PAGE: &str = "solve.html";

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The files that the page loads, with their types.
const FILES: [(&str, &str); 7] = [
    ("calculator.js", SCRIPT),
    ("link.js", SCRIPT),
    ("solve.js", SCRIPT),
    ("solve_worker.js", SCRIPT),
    ("verify.js", SCRIPT),
    ("misere_browser.js", SCRIPT),
    ("misere.wasm", "application/wasm"),
];

/// The reason why a solver for browsers cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BrowserSolverError {
    /// A file cannot be read.
    #[error("cannot read `{}`, which `make browser-solver` makes: {cause}", .file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        cause: std::io::Error,
    },
    /// The page is not that of the solver.
    #[error("`{}` has no element `main`: it is not the page that `make browser-solver` makes", .0.display())]
    Page(PathBuf),
}

/// The solver for browsers: a part of a page, and the files that it loads.
#[derive(Clone, Debug)]
pub struct BrowserSolver {
    main: String,
    files: Vec<(&'static str, &'static str, Vec<u8>)>,
}

impl BrowserSolver {
    /// Reads the files that `make browser-solver` makes in a directory.
    ///
    /// # Errors
    /// [`BrowserSolverError`] if one of them cannot be read.
    pub fn read(directory: &Path) -> Result<Self, BrowserSolverError> {
        let at = |name: &str| directory.join(name);
        let failed = |name| {
            move |cause| BrowserSolverError::File {
                file: at(name),
                cause,
            }
        };
        let page = input_file::read_text(&at(PAGE), input_file::SMALL).map_err(failed(PAGE))?;
        let main = main_of(&page).ok_or_else(|| BrowserSolverError::Page(at(PAGE)))?;
        let files = FILES.iter().map(|&(name, kind)| {
            let content = input_file::read(&at(name), input_file::MIDDLE).map_err(failed(name))?;
            Ok((name, kind, content))
        });
        Ok(Self {
            main: main.to_owned(),
            files: files.collect::<Result<_, BrowserSolverError>>()?,
        })
    }

    /// Returns the part of the page within its frame, as HTML.
    pub(crate) fn main(&self) -> &str {
        &self.main
    }

    /// Returns the type and the content of a file.
    pub(crate) fn file(&self, name: &str) -> Option<(&'static str, &[u8])> {
        let file = self.files.iter().find(|(known, ..)| *known == name);
        file.map(|(_, kind, content)| (*kind, content.as_slice()))
    }

    /// Returns the names and the contents of all files.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
        let files = self.files.iter();
        files.map(|(name, _, content)| (*name, content.as_slice()))
    }

    /// Returns the hash of everything that is shown and loaded.
    pub(crate) fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.main.as_bytes());
        for (_, content) in self.files() {
            hasher.update(blake3::hash(content).as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }
}

/// Returns the content of the element `main` of a page.
fn main_of(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("<main ")?;
    let (_, rest) = rest.split_once('>')?;
    let (main, _) = rest.split_once("</main>")?;
    Some(main.trim())
}
