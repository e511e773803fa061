//! Speed and memory of the store, and its recovery time after kill -9.
//!
//! `cargo bench -p misere-coordinator --bench store` prints a table. Commits are synced, on the
//! disk of the temporary directory (`TMPDIR`); the records are those of Kayles (order 40) under
//! many names. The store of a million tasks is filled by a process that is then really killed, and
//! opened by another, whose clock runs from its start to the first lease.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a bench"
)]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use misere_census::admission::verify;
use misere_census::{Budget, Finding, GameTask, MemoryClass, Plan, Space, Task, certificate};
use misere_coordinator::driver::{self, Clock, Introduction};
use misere_engine::quotient::solve;
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_ledger::{LeaseConfig, Ledger};
use misere_store::{Commit, Finished, Store};

const MILLION: usize = 1_000_000;
const GROUPS: [usize; 4] = [1, 16, 128, 1024];

fn main() {
    let args: Vec<String> = std::env::args().collect();
    match &args[1..] {
        [mode, dir, done] if mode == "fill" => fill(Path::new(dir), done.parse().unwrap()),
        [mode, dir] if mode == "resume" => resume(Path::new(dir)),
        _ => report(),
    }
}

fn report() {
    commits();
    println!("\na store of {MILLION} tasks, after kill -9:");
    println!(
        "{:>10} {:>14} {:>16} {:>12} {:>12}",
        "finished", "planned in s", "first lease ms", "RSS MiB", "most MiB"
    );
    for done in [0, 500_000, 990_000] {
        let dir = tempfile::tempdir().unwrap();
        let planned = killed(dir.path(), done);
        let resumed = child(&["resume", dir.path().to_str().unwrap()])
            .output()
            .unwrap();
        let resumed = String::from_utf8(resumed.stdout).unwrap();
        let [ms, now, most] = resumed.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("the second process says nothing")
        };
        println!("{done:>10} {planned:>14.1} {ms:>16} {now:>12} {most:>12}");
    }
}

fn commits() {
    println!("synced commits of Kayles's record and certificate:");
    println!(
        "{:>8} {:>12} {:>12} {:>14} {:>14}",
        "group", "commits/s", "records/s", "bytes/record", "on disk"
    );
    for group in GROUPS {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path(), &plan(), || tasks(200_000)).unwrap();
        let (statistics, tasks, template) = (store.statistics(), tasks(200_000), template());
        let (before, disk) = (statistics.bytes(), size(dir.path()));
        let start = Instant::now();
        let (mut commits, mut records) = (0, 0);
        for chunk in tasks.chunks(group) {
            store.commit(&commit(chunk, &template)).unwrap();
            commits += 1;
            records += chunk.len();
            if start.elapsed() > Duration::from_secs(2) {
                break;
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        let bytes = (statistics.bytes() - before) as f64 / records as f64;
        drop(store);
        let disk = size(dir.path()).saturating_sub(disk) as f64 / records as f64;
        println!(
            "{group:>8} {:>12.0} {:>12.0} {bytes:>14.0} {disk:>14.0}",
            f64::from(commits) / seconds,
            records as f64 / seconds,
        );
    }
}

/// Fills a store in another process and kills it; returns the seconds that writing the plan took.
fn killed(dir: &Path, done: usize) -> f64 {
    let mut child = child(&["fill", dir.to_str().unwrap(), &done.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let planned = lines.next().unwrap().unwrap().parse().unwrap();
    lines.next().unwrap().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    planned
}

fn child(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(args);
    command
}

fn fill(dir: &Path, done: usize) {
    let start = Instant::now();
    let mut store = Store::open(dir, &plan(), || tasks(MILLION)).unwrap();
    println!("{:.1}", start.elapsed().as_secs_f64());
    let (tasks, template) = (tasks(MILLION), template());
    for chunk in tasks[..done].chunks(1024) {
        store.commit(&commit(chunk, &template)).unwrap();
    }
    println!("filled");
    // Keep the process busy until it is killed.
    for chunk in tasks[done..].chunks(64) {
        store.commit(&commit(chunk, &template)).unwrap();
    }
}

fn resume(dir: &Path) {
    let start = Instant::now();
    let store = Store::open(dir, &plan(), || -> Vec<Task> { panic!("it is laid down") }).unwrap();
    let ledger = Ledger::new(LeaseConfig::default(), store.generation());
    let started = driver::start(store, ledger, Clock::default()).unwrap();
    let driver = started.driver;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        let introduction = Introduction::named("bench".to_owned(), 1, MemoryClass::TOP);
        let worker = driver.introduce(introduction).await.unwrap().unwrap();
        let answer = driver
            .lease(worker, Vec::new(), 1, 0)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(answer.granted.len(), 1);
    });
    println!(
        "{} {} {}",
        start.elapsed().as_millis(),
        memory("VmRSS:"),
        memory("VmHWM:")
    );
    std::process::exit(0);
}

fn plan() -> Plan {
    Plan::new(
        Space::Codes(vec!["0.77".parse().unwrap()]),
        Budget::default(),
    )
    .unwrap()
}

/// Returns tasks named by octal codes, which the store does not examine.
fn tasks(number: usize) -> Vec<Task> {
    let digits = |n: usize| -> Vec<u8> { (0..8).map(|at| (n >> (3 * at) & 7) as u8).collect() };
    (1..)
        .filter_map(|n| Code::new(0, &digits(n)))
        .take(number)
        .map(|code| Task::game(code, Vec::new(), Budget::default()))
        .collect()
}

fn template() -> impl Fn(&Task) -> Finished {
    let task = GameTask {
        code: "0.77".parse().unwrap(),
        aliases: Vec::new(),
        budget: Budget::default(),
    };
    let Budget {
        fuel,
        limits,
        strategy,
    } = task.budget;
    let mut control = Control::new(fuel, Interrupt::default());
    let certificate =
        certificate::encode(&solve(&task.code, &limits, strategy, &mut control)).unwrap();
    let judged = verify(&Task::Game(task), &certificate, Interrupt::default()).unwrap();
    let Finding::Game { record, quotient } = judged.finding else {
        unreachable!("a game was judged");
    };
    move |task| {
        let mut record = record.clone();
        if let Some(game) = task.as_game() {
            record.code = game.code.clone();
        }
        Finished {
            task: task.id(),
            finish: judged.finish,
            certificate: certificate.clone(),
            finding: Finding::Game {
                record,
                quotient: quotient.clone(),
            },
            checked_by: None,
        }
    }
}

fn commit(tasks: &[Task], template: &impl Fn(&Task) -> Finished) -> Commit {
    Commit {
        finished: tasks.iter().map(template).collect(),
        ..Commit::default()
    }
}

/// Returns a memory figure of this process in mebibytes, by the kernel's count.
fn memory(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(field));
    let kib: u64 = line
        .and_then(|line| line.split_whitespace().nth(1)?.parse().ok())
        .unwrap_or(0);
    kib / 1024
}

fn size(dir: &Path) -> u64 {
    let entries = std::fs::read_dir(dir.join("db")).unwrap().flatten();
    entries
        .filter_map(|entry| Some(entry.metadata().ok()?.len()))
        .sum()
}
