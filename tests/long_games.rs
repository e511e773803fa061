//! A long game that is interrupted again and again, in every way: the next worker resumes it from
//! its checkpoint, and the result is the same to the byte. All real processes.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use misere_game::ruleset::Code;
use misere_store::{Ruleset, Store};
use rustix::process::Signal;

use crate::support::census::{address, status};
use crate::support::process::{Process, output};
use crate::support::waiting;

/// A game that has a checkpoint when 10.5 million units of fuel are spent, at heap 50, and goes on
/// for very long.
const GAME: &str = "0.316";
const PLAN: [&str; 4] = ["--codes", GAME, "--fuel", "12M"];

/// Messages in the logs.
const RESUMED: &str = "task resumed from its checkpoint";
const HANDED_IN: &str = "checkpoint handed in";

const WAIT_TIMEOUT: Duration = Duration::from_secs(400);

/// Returns the fuel of the game's stored checkpoint, 0 before the first.
fn fuel_kept(data: &str) -> u64 {
    let status = status(data);
    let workers = status["workers"].as_array();
    let running = workers
        .into_iter()
        .flatten()
        .filter_map(|worker| worker["running"].as_array())
        .flatten();
    running
        .filter_map(|task| task["checkpoint"]["fuel"].as_u64())
        .max()
        .unwrap_or(0)
}

fn until(holds: impl Fn() -> bool) {
    waiting::until("the next event of the game", WAIT_TIMEOUT, holds);
}

/// Starts the command with a log of its work.
fn start(args: &[&str], log: &Path) -> Process {
    Process::logging(args, "info", log)
}

/// Returns what the census knows of the game: record, certificate, digest.
fn found(data: &Path) -> (Option<Ruleset>, Option<Vec<u8>>, String) {
    let store = Store::open_read_only(data).unwrap();
    let code: Code = GAME.parse().unwrap();
    assert_eq!(store.checkpoints().unwrap(), []);
    (
        store.ruleset(&code).unwrap(),
        store.certificate(&code).unwrap(),
        store.digest().unwrap().to_string(),
    )
}

fn times(log: &Path, said: &str) -> usize {
    std::fs::read_to_string(log).unwrap().matches(said).count()
}

struct Place {
    _dir: tempfile::TempDir,
    data: PathBuf,
    log: PathBuf,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (data, log) = (dir.path().join("census"), dir.path().join("log"));
        Self {
            _dir: dir,
            data,
            log,
        }
    }

    fn data(&self) -> &str {
        self.data.to_str().unwrap()
    }
}

/// Computes the game without interruption.
fn undisturbed() -> (Option<Ruleset>, Option<Vec<u8>>, String) {
    let place = Place::new();
    let args = [&["census", "run", "--data", place.data()][..], &PLAN].concat();
    assert_eq!(start(&args, &place.log).ended(WAIT_TIMEOUT), Some(0));
    assert_eq!(times(&place.log, RESUMED), 0);
    found(&place.data)
}

#[test]
#[ignore = "slow: a game of half a minute, three times"]
fn a_long_game_survives_its_workers_and_its_coordinator() {
    let expected = undisturbed();

    // One process, killed and started again.
    let place = Place::new();
    let (data, log) = (place.data(), &place.log);
    let run = ["census", "run", "--data", data, "--checkpoint-every", "0s"];
    let run = [&run[..], &PLAN].concat();
    let process = start(&run, log);
    until(|| fuel_kept(data) > 0);
    drop(process);
    let process = start(&run, log);
    until(|| times(log, RESUMED) == 1);
    drop(process);
    assert_eq!(start(&run, log).ended(WAIT_TIMEOUT), Some(0));
    assert_eq!(times(log, RESUMED), 2);
    assert!(found(&place.data) == expected);

    let place = Place::new();
    let (data, log) = (place.data(), &place.log);
    let serve = |address: &str| {
        let args = [
            "coordinator",
            "--data",
            data,
            "--listen",
            address,
            "--lease",
            "2s",
        ];
        start(&[&args[..], &PLAN].concat(), log)
    };
    let coordinator = serve("127.0.0.1:0");
    let address = address(place.data());
    let url = format!("http://{address}");
    let worker = |name, more: &[&str]| {
        let args = [
            "worker",
            "--coordinator",
            &url,
            "--slots",
            "1",
            "--name",
            name,
        ];
        start(&[&args[..], more].concat(), log)
    };
    // A worker that is drained submits at the last moment the checkpoint that it would otherwise
    // have kept for an hour, and the progress of a process of its own.
    let hourly = [
        "--checkpoint-every",
        "1h",
        "--grace",
        "0s",
        "--isolate",
        "always",
    ];
    let mut drained = worker("drained", &hourly);
    until(|| times(log, "checkpoint reached") == 1);
    assert_eq!(times(log, HANDED_IN), 0);
    drained.signal(Signal::TERM);
    assert_eq!(drained.ended(WAIT_TIMEOUT), Some(4));
    assert_eq!(times(log, HANDED_IN), 1);
    // One that goes on from there is killed, and so is the coordinator.
    let killed = worker("killed", &[]);
    until(|| times(log, RESUMED) == 1);
    drop(killed);
    drop(coordinator);
    let mut coordinator = serve(&address);
    // One that goes on in a process of its own is told to stop, and then gets the game again.
    let mut told = worker("told", &["--isolate", "always"]);
    until(|| times(log, RESUMED) == 2);
    until(|| {
        output(&["census", "stop-task", GAME, "--data", data])
            .status
            .success()
    });
    assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(0));
    assert_eq!(told.ended(WAIT_TIMEOUT), Some(0));
    assert_eq!(times(log, "asked to stop this task"), 1);
    assert!(times(log, RESUMED) >= 3);
    assert!(found(&place.data) == expected);
}
