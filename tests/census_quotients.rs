//! The classification of the misère quotients is the same for any processes and any kills. Real
//! processes, really killed.
#![cfg(unix)]

use std::path::Path;
use std::time::Duration;

use misere_store::Store;
use rustix::process::Signal;

use crate::support::census::{argument as path, free_address};
use crate::support::process::{Process, assert_refused, output, text};
use crate::support::waiting::until;

const WAIT_TIMEOUT: Duration = Duration::from_secs(200);

/// The result of a census: its digest, and the canonical codes by order.
#[derive(Debug, PartialEq, Eq)]
struct TaskResult {
    digest: String,
    codes: Vec<(u8, Vec<Vec<u8>>)>,
}

impl TaskResult {
    fn of(data: &Path) -> Self {
        let store = Store::open_read_only(data).unwrap();
        assert!(store.is_complete());
        let levels = store.levels();
        let codes = levels.map(|level| {
            let quotients = store.quotients(level.order).unwrap();
            let codes = quotients.into_iter().map(|quotient| quotient.code);
            (level.order, codes.collect())
        });
        Self {
            digest: store.digest().unwrap().to_string(),
            codes: codes.collect(),
        }
    }

    fn counts(&self) -> Vec<usize> {
        self.codes.iter().map(|(_, codes)| codes.len()).collect()
    }
}

/// Runs a census in one process with this number of threads.
fn in_one_process(order: &str, threads: &str) -> TaskResult {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("census");
    let run = output(&[
        "census",
        "run",
        "--space",
        "quotients",
        "--order",
        order,
        "--workers",
        threads,
        "--data",
        path(&data),
    ]);
    assert!(run.status.success(), "{run:?}");
    TaskResult::of(&data)
}

/// A coordinator and workers, on a port of their own.
struct Crew {
    dir: tempfile::TempDir,
    order: &'static str,
    address: String,
}

impl Crew {
    fn new(order: &'static str) -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
            order,
            address: free_address(),
        }
    }

    fn data(&self) -> std::path::PathBuf {
        self.dir.path().join("census")
    }

    fn coordinator(&self) -> Process {
        let data = self.data();
        let args = [
            "coordinator",
            "--data",
            path(&data),
            "--listen",
            &self.address,
            "--lease",
            "1s",
            "--space",
            "quotients",
            "--order",
            self.order,
        ];
        Process::spawn(&args)
    }

    fn worker(&self, name: &str) -> Process {
        let url = format!("http://{}", self.address);
        let args = [
            "worker",
            "--coordinator",
            &url,
            "--slots",
            "1",
            "--name",
            name,
        ];
        Process::spawn(&args)
    }

    /// Waits until this many tasks are done, as the directory says, or all.
    fn wait_for(&self, tasks: u64, coordinator: &mut Process) {
        until("more tasks done", WAIT_TIMEOUT, || {
            done(&self.data()) >= tasks || coordinator.has_ended()
        });
    }
}

/// Returns the number of tasks done in a census, at work or not.
fn done(data: &Path) -> u64 {
    Store::open_read_only(data).map_or(0, |store| store.counters().records())
}

/// Runs two workers; one is killed and comes again under another name.
fn with_a_worker_killed(order: &'static str) -> TaskResult {
    let crew = Crew::new(order);
    let mut coordinator = crew.coordinator();
    let doomed = crew.worker("doomed");
    let _other = crew.worker("other");
    crew.wait_for(4, &mut coordinator);
    doomed.signal(Signal::KILL);
    drop(doomed);
    let _again = crew.worker("again");
    assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(0));
    TaskResult::of(&crew.data())
}

/// Runs two workers whose coordinator is killed again and again.
fn with_the_coordinator_killed(order: &'static str, kills: u64) -> TaskResult {
    let crew = Crew::new(order);
    let _workers = [crew.worker("one"), crew.worker("two")];
    for kill in 0..kills {
        let mut coordinator = crew.coordinator();
        crew.wait_for(done(&crew.data()) + 1 + kill, &mut coordinator);
        // Dropped, it is killed.
    }
    let mut coordinator = crew.coordinator();
    assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(0));
    TaskResult::of(&crew.data())
}

#[test]
fn the_same_quotients_whatever_happens() {
    let expected = in_one_process("14", "1");
    assert_eq!(expected.counts(), [1, 0, 1, 1, 1, 6, 12]);
    assert_eq!(in_one_process("14", "3"), expected);
    assert_eq!(with_a_worker_killed("14"), expected);
    assert_eq!(with_the_coordinator_killed("14", 3), expected);
}

#[test]
#[ignore = "slow: half a minute"]
fn order_18_whatever_happens() {
    let expected = in_one_process("18", "1");
    assert_eq!(expected.counts(), [1, 0, 1, 1, 1, 6, 12, 67, 226]);
    assert_eq!(in_one_process("18", "2"), expected);
    assert_eq!(with_a_worker_killed("18"), expected);
    assert_eq!(with_the_coordinator_killed("18", 8), expected);
}

#[test]
fn games_and_quotients_share_their_classes() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("census");
    // Nim heaps to 1 and to 2, and a wild game.
    let run = output(&[
        "census",
        "run",
        "--codes",
        "0.123,0.3,0.33",
        "--space",
        "quotients",
        "--order",
        "12",
        "--json",
        "--data",
        path(&data),
    ]);
    assert!(run.status.success(), "{run:?}");
    let summary: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(summary["solved"]["rulesets"], 3);
    let levels = summary["quotients"].as_array().unwrap();
    assert_eq!(levels[0]["realised_by_games"], 1, "0.3 has T_1");
    assert_eq!(levels[2]["realised_by_games"], 1, "0.33 has T_2");
    let store = Store::open_read_only(&data).unwrap();
    let quotients = store.quotients(6).unwrap();
    let names: Vec<String> = quotients[0]
        .games
        .iter()
        .map(|(code, _)| code.to_string())
        .collect();
    assert!(names.contains(&"0.33".to_owned()), "{names:?}");
    let class = store.class(&quotients[0].class).unwrap().unwrap();
    assert_eq!(class.construction, Some(quotients[0].code.clone()));
    assert!(class.witness.is_some() && class.quotient.is_some());
}

#[test]
fn impossible_plans_are_refused_and_open_orders_are_reported() {
    let code = |args: &[&str]| output(args).status.code();
    let quotients = ["--space", "quotients"];
    assert_eq!(
        code(&[&["census", "plan"], &quotients[..]].concat()),
        Some(2)
    );
    assert_eq!(code(&["census", "plan", "--order", "12"]), Some(2));
    assert_eq!(
        code(&["census", "plan", "--space", "quotients", "--order", "99"]),
        Some(2)
    );
    let dir = tempfile::tempdir().unwrap();
    let part = dir.path().join("part");
    let chunk = [
        "census",
        "chunk",
        "--space",
        "quotients",
        "--order",
        "12",
        "--res",
        "0",
        "--mod",
        "2",
        "--out",
        path(&part),
    ];
    assert_refused(&chunk, 2, "level by level");
    let data = dir.path().join("census");
    let run = output(&[
        "census",
        "run",
        "--space",
        "quotients",
        "--order",
        "14",
        "--fuel",
        "500",
        "--data",
        path(&data),
    ]);
    assert_eq!(run.status.code(), Some(3), "{run:?}");
    let said = text(&run.stderr);
    assert!(said.contains("is not complete"), "{said}");
    assert!(!Store::open_read_only(&data).unwrap().is_complete());
}
