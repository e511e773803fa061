//! Are the walls between the rooms where ARCHITECTURE.md says they are?

use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below `directory` with this ending.
fn files(directory: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path
            .extension()
            .is_some_and(|extension| extension == ending)
        {
            found.push(path);
        }
    }
    found
}

/// The lines of a source file that are code.
fn code(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(str::to_owned)
        .collect()
}

/// Invariant A-1: the mathematics needs no process, network, disk or clock, so it depends on no
/// crate that has them.
#[test]
fn the_theory_depends_on_nothing_that_acts() {
    let manifest = std::fs::read_to_string(root().join("common/theory/Cargo.toml")).unwrap();
    let (_, dependencies) = manifest.split_once("\n[dependencies]\n").unwrap();
    let (dependencies, _) = dependencies.split_once("\n[").unwrap();
    // rayon only lends cores: what is computed on them is the same on any number.
    let allowed = [
        "blake3",
        "hashbrown",
        "rayon",
        "rustc-hash",
        "serde",
        "thiserror",
    ];
    for line in dependencies.lines().filter(|line| !line.is_empty()) {
        let name = line.split(['.', ' ', '=']).next().unwrap();
        assert!(allowed.contains(&name), "misere-theory depends on {name}");
    }
    let acting = [
        "std::fs",
        "std::net",
        "std::process",
        "std::env",
        "std::time",
        "std::thread",
    ];
    for file in files(&root().join("common/theory/src"), "rs") {
        for line in code(&file) {
            let found = acting.iter().find(|module| line.contains(*module));
            assert_eq!(found, None, "{}: {line}", file.display());
        }
    }
}

/// Pictures are functions of mathematics alone: the same quotient gives the same bytes.
#[test]
fn pictures_depend_on_the_theory_alone() {
    let manifest = std::fs::read_to_string(root().join("common/pictures/Cargo.toml")).unwrap();
    let (_, dependencies) = manifest.split_once("\n[dependencies]\n").unwrap();
    let (dependencies, _) = dependencies.split_once("\n[").unwrap();
    assert_eq!(dependencies.trim(), "misere-theory.workspace = true");
    for file in files(&root().join("common/pictures/src"), "rs") {
        for line in code(&file) {
            for module in ["std::fs", "std::env", "std::time", "HashMap"] {
                assert!(!line.contains(module), "{}: {line}", file.display());
            }
        }
    }
}

/// Invariant A-1: the checker imports nothing of the solvers, and of the rest only the modules that
/// ARCHITECTURE.md lists under "Trust".
#[test]
fn the_checker_knows_nothing_of_the_solvers() {
    let checker = files(&root().join("common/theory/src/verify"), "rs");
    assert!(!checker.is_empty());
    let shared = [
        "bipartite::",
        "control::",
        "monoid::word::",
        "outcome::Outcome;",
        "ruleset::Code;",
        "ruleset::{Code, Renumbering};",
        "solution::",
    ];
    for file in checker {
        let text = std::fs::read_to_string(&file).unwrap();
        // A checker's own tests may take solutions from the solver.
        let (program, _) = text.split_once("#[cfg(test)]").unwrap_or((&text, ""));
        for line in program
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            for (at, _) in line.match_indices("crate::") {
                let path = &line[at + "crate::".len()..];
                let found = shared.iter().any(|module| path.starts_with(module));
                assert!(found, "{}: {line}", file.display());
            }
        }
    }
}

/// Only the store names RocksDB.
#[test]
fn only_the_store_names_rocksdb() {
    for room in ["src", "proto", "common", "coordinator/src", "worker/src"] {
        for file in files(&root().join(room), "rs") {
            if file.starts_with(root().join("coordinator/src/store")) {
                continue;
            }
            for line in code(&file) {
                assert!(!line.contains("rocksdb"), "{}: {line}", file.display());
            }
        }
    }
}

/// Only exports name SQLite.
#[test]
fn only_exports_name_sqlite() {
    for room in ["src", "proto", "common", "coordinator/src", "worker/src"] {
        for file in files(&root().join(room), "rs") {
            if file.starts_with(root().join("coordinator/src/export")) {
                continue;
            }
            for line in code(&file) {
                assert!(!line.contains("rusqlite"), "{}: {line}", file.display());
            }
        }
    }
}
