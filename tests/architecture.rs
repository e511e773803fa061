//! The boundaries that ARCHITECTURE.md names, as far as the compiler does not enforce them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Lists all files below `directory` with this ending.
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

/// Returns the lines of a source file that are code.
fn code(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(str::to_owned)
        .collect()
}

/// Returns the crates that a build of the crate in this folder needs.
fn needed(of: &str) -> BTreeSet<String> {
    let manifest = std::fs::read_to_string(root().join(of).join("Cargo.toml")).unwrap();
    dependencies(&manifest).0
}

/// The crates of mathematics, and the crates of this project that each may depend on.
const MATHEMATICS: [(&str, &[&str]); 4] = [
    ("common/game", &[]),
    ("common/check", &["misere-game"]),
    ("common/engine", &["misere-game", "misere-check"]),
    (
        "common/algebra",
        &["misere-game", "misere-check", "misere-engine"],
    ),
];

/// Invariant A-1: the mathematics needs no process, network, disk or clock, so it depends on no
/// crate that provides them. The checker depends on the ground alone, and on nothing of the solvers.
#[test]
fn mathematics_depends_on_nothing_that_acts_and_the_checker_on_the_ground_alone() {
    // rayon only provides cores: results are the same on any number of them. And prefetch-index
    // only requests memory that will be read.
    let allowed = [
        "blake3",
        "prefetch-index",
        "rayon",
        "rustc-hash",
        "serde",
        "thiserror",
    ];
    let acting = [
        "std::fs",
        "std::env",
        "std::net",
        "std::process",
        "std::time",
        "std::thread",
    ];
    // A thread that waits for another one names a length of time, and reads no clock.
    let length_of_time = "use std::time::Duration;";
    for (of, below) in MATHEMATICS {
        for name in needed(of) {
            let known = allowed.contains(&name.as_str()) || below.contains(&name.as_str());
            assert!(known, "{of} depends on {name}");
        }
        let sources = files(&root().join(of).join("src"), "rs");
        for file in sources.iter().filter(|file| !file.ends_with("tests.rs")) {
            let text = code(file);
            let program = text
                .iter()
                .take_while(|line| !line.starts_with("#[cfg(test)]"));
            for line in program.filter(|line| *line != length_of_time) {
                let found = acting.iter().find(|module| line.contains(*module));
                assert_eq!(found, None, "{}: {line}", file.display());
            }
        }
    }
}

/// Pictures are functions of mathematics alone: the same quotient gives the same bytes.
#[test]
fn pictures_depend_on_the_ground_alone() {
    assert!(needed("common/pictures").iter().eq(["misere-game"]));
    for file in files(&root().join("common/pictures/src"), "rs") {
        for line in code(&file) {
            for module in ["std::fs", "std::env", "std::time", "HashMap"] {
                assert!(!line.contains(module), "{}: {line}", file.display());
            }
        }
    }
}

/// Pages and API show the same facts: both read `view`, which knows neither, and not each other.
#[test]
fn pages_and_api_share_nothing_but_views_and_requests() {
    let web = root().join("coordinator/web/src");
    for (layer, others) in [
        (
            "view",
            ["crate::page", "crate::api", "crate::request"].as_slice(),
        ),
        ("request", &["crate::page", "crate::api"]),
        ("api", &["crate::page"]),
        ("page", &["crate::api"]),
    ] {
        for file in files(&web.join(layer), "rs") {
            // It merges the routes of both.
            if file.ends_with("page/mod.rs") {
                continue;
            }
            for line in code(&file) {
                let found = others.iter().find(|other| line.contains(**other));
                assert_eq!(found, None, "{}: {line}", file.display());
            }
        }
    }
}

/// Invariant A-2: results come in by the intake only.
#[test]
fn only_the_intake_claims_verifies_and_settles() {
    let coordinator = root().join("coordinator/src");
    let owners = ["intake", "driver", "check_threads.rs", "check_threads"];
    let owners = owners.map(|owner| coordinator.join(owner));
    let rooms = [
        coordinator.clone(),
        root().join("src"),
        root().join("worker/src"),
    ];
    for file in rooms.iter().flat_map(|room| files(room, "rs")) {
        if owners.iter().any(|owner| file.starts_with(owner)) {
            continue;
        }
        for line in code(&file) {
            for call in ["driver.claim(", "driver.settle(", "verifier.verify("] {
                assert!(!line.contains(call), "{}: {line}", file.display());
            }
        }
    }
}

/// Returns the names of the packages that `cargo tree` lists for these arguments.
///
/// Cargo reads the manifests and the lock file; nothing is built.
fn below(arguments: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--prefix", "none"])
        .args(["--format", "{p}"])
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let lines = String::from_utf8(output.stdout).unwrap();
    let names = lines.lines().filter_map(|line| line.split(' ').next());
    names.map(str::to_owned).collect()
}

/// The tests of these crates need no C++ compiler: RocksDB takes a quarter of an hour to build, and
/// a change of a query, the protocol, the ledger or the mathematics should not wait for it.
#[test]
fn these_crates_are_tested_without_rocksdb() {
    let packages = [
        "ledger", "session", "query", "proto", "game", "check", "engine", "algebra", "answers",
        "census", "pictures",
    ];
    for package in packages {
        let package = format!("misere-{package}");
        let below = below(&["--package", &package, "--edges", "normal,build,dev"]);
        assert!(below.contains(&package), "{package}");
        for native in ["librocksdb-sys", "libsqlite3-sys"] {
            assert!(!below.contains(native), "{package} depends on {native}");
        }
    }
}

/// The tests of the checker compile no solver.
#[test]
fn the_checker_is_tested_without_the_solvers() {
    let below = below(&["--package", "misere-check", "--edges", "normal,build,dev"]);
    assert!(below.contains("misere-game"));
    for solver in ["misere-engine", "misere-algebra"] {
        assert!(!below.contains(solver), "the checker depends on {solver}");
    }
}

/// The ledger and the session of a worker use no clock and no sockets: they depend on no runtime.
#[test]
fn the_ledger_and_the_session_depend_on_no_runtime() {
    for package in ["misere-ledger", "misere-session"] {
        let below = below(&["--package", package, "--edges", "normal"]);
        assert!(below.contains("misere-census"), "{package}");
        for acting in ["tokio", "tonic", "rocksdb", "misere-store", "misere-proto"] {
            assert!(!below.contains(acting), "{package} depends on {acting}");
        }
    }
}

/// Only the store names RocksDB, and only exports name SQLite.
#[test]
fn each_database_has_one_crate() {
    for (database, crate_of) in [("rocksdb", "misere-store"), ("rusqlite", "misere-export")] {
        let edges = [
            "--workspace",
            "--edges",
            "normal",
            "--depth",
            "1",
            "--invert",
        ];
        let users = below(&[&edges[..], &[database]].concat());
        let ours = users.iter().filter(|name| name.starts_with("misere"));
        assert_eq!(ours.collect::<Vec<_>>(), [crate_of], "{database}");
    }
}

/// A build of the solver alone, as the Python package has it, has no database, no network and no
/// cryptography of connections.
#[test]
fn the_solver_alone_depends_on_no_census() {
    let solver = ["--package", "misere", "--no-default-features"];
    let below = below(&[&solver[..], &["--edges", "normal,build"]].concat());
    assert!(below.contains("misere-engine"));
    for needed_by_a_census in ["rocksdb", "rusqlite", "tokio", "tonic", "rustls", "ring"] {
        let found = below.contains(needed_by_a_census);
        assert!(!found, "the solver depends on {needed_by_a_census}");
    }
}

/// Returns the names in a manifest's tables of dependencies: those that a build needs, and all.
fn dependencies(manifest: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut needed, mut all) = (BTreeSet::new(), BTreeSet::new());
    let mut table = "";
    for line in manifest.lines() {
        if let Some(header) = line.strip_prefix('[') {
            table = header.trim_end_matches(']');
        } else if table.ends_with("dependencies")
            && let Some((name, value)) = line.split_once('=')
        {
            let name = name.trim().split('.').next().unwrap().to_owned();
            if table == "dependencies" && !value.contains("optional = true") {
                needed.insert(name.clone());
            }
            all.insert(name);
        }
    }
    (needed, all)
}

/// The workspaces beside the main one are built with `--locked`, by commands that not every change
/// runs. Their lock files have to know the dependencies of the crates that they share.
#[test]
fn the_locks_of_the_other_workspaces_are_up_to_date() {
    let crates = [
        "common",
        "proto",
        "coordinator",
        "worker",
        "tests/untrusted",
    ];
    let manifests = crates
        .iter()
        .flat_map(|below| files(&root().join(below), "toml"));
    let manifests: Vec<String> = manifests
        .filter(|file| file.ends_with("Cargo.toml"))
        .chain(["Cargo.toml", "tests/fuzz/Cargo.toml"].map(|file| root().join(file)))
        .map(|file| std::fs::read_to_string(file).unwrap())
        .collect();
    for workspace in ["common/browser", "common/python", "tests/fuzz"] {
        let lock = std::fs::read_to_string(root().join(workspace).join("Cargo.lock")).unwrap();
        let mut seen = 0;
        for package in lock.split("[[package]]").skip(1) {
            if package.contains("\nsource = ") {
                continue;
            }
            let named = package.lines().find(|line| line.starts_with("name = "));
            let named = named.unwrap();
            let manifest = manifests
                .iter()
                .find(|manifest| manifest.lines().any(|line| line == named));
            let (needed, all) = dependencies(manifest.unwrap_or_else(|| panic!("{named}")));
            let locked = package.split_once("dependencies = [");
            let locked: BTreeSet<String> = locked
                .map_or("", |(_, names)| names)
                .split('"')
                .skip(1)
                .step_by(2)
                .map(|name| name.split(' ').next().unwrap().to_owned())
                .collect();
            assert!(
                needed.is_subset(&locked) && locked.is_subset(&all),
                "{workspace}/Cargo.lock is behind on {named}; run `cargo metadata` in {workspace}"
            );
            seen += 1;
        }
        assert!(seen > 2, "{workspace}");
    }
}
