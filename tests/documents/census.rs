//! The census of three digits that the pages' commands read.
//!
//! A page that mentions `census-3` is given one. In `make test` all its games have little fuel:
//! that is enough for the games that are solved, which the quick sessions use. In `make test-slow`
//! it is the census of `make census`, or the one in the directory that MISERE_CENSUS names.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The name under which the pages know the census.
pub(crate) const NAME: &str = "census-3";

/// Fuel for each game of the quick census: it takes seconds, and solves nearly all that the whole
/// budget solves.
const LITTLE_FUEL: &str = "20k";

/// Makes a census of three digits in a directory below this one.
pub(crate) fn make(within: &Path, slow: bool) -> PathBuf {
    if !slow {
        let quick = within.join(NAME);
        run(&["--fuel", LITTLE_FUEL], &quick);
        return quick;
    }
    if let Some(named) = std::env::var_os("MISERE_CENSUS") {
        return PathBuf::from(named);
    }
    // Kept from one run to the next; a finished census is only opened.
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(NAME);
    run(&[], &kept);
    kept
}

fn run(budget: &[&str], data: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_misere"));
    command
        .args(["census", "run", "--digits", "3"])
        .args(budget);
    let output = command.arg("--data").arg(data).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{budget:?} {}: {said}",
        data.display()
    );
}

/// Copies the census for the commands of one page.
pub(crate) fn copy(census: &Path, directory: &Path) {
    let copied = Command::new("cp")
        .arg("-r")
        .args([census, &directory.join(NAME)])
        .status();
    assert!(
        copied.unwrap().success(),
        "cannot copy {}",
        census.display()
    );
}
