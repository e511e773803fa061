//! Which census of three digits do the pages' commands read?
//!
//! A page that speaks of `census-3` is given one. In `make test` all its games have little fuel:
//! that is enough for the games that are solved, of which the quick sessions speak. In
//! `make test-slow` it is the census of `make census`, or the one in the directory that
//! MISERE_CENSUS names.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The name under which the pages know the census.
pub(crate) const NAME: &str = "census-3";

/// Fuel for each game of the quick census: it takes seconds, and solves nearly all that the whole
/// budget solves.
const LITTLE_FUEL: &str = "20k";

/// A census of three digits, in a directory below this one.
pub(crate) fn make(within: &Path, slow: bool) -> PathBuf {
    if !slow {
        let quick = within.join(NAME);
        run(&["--fuel", LITTLE_FUEL], &quick);
        return quick;
    }
    if let Some(named) = std::env::var_os("MISERE_CENSUS") {
        return PathBuf::from(named);
    }
    // Kept from one run to the next; a census that is finished is only looked at.
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

/// A copy of the census for the commands of one page.
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
