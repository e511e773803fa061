//! Is a census the same when its tasks are computed in processes of their own, and are those gone
//! when it is over?
#![cfg(feature = "census")]
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PLAN: [&str; 4] = ["--digits", "2", "--fuel", "100k"];

/// A process that dies with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn misere() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_misere"));
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// A coordinator on a free port, and its address.
fn coordinator(data: &str, plan: &[&str]) -> (Process, String) {
    let mut coordinator = misere()
        .args(["coordinator", "--listen", "127.0.0.1:0", "--data", data])
        .args(plan)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(coordinator.stderr.take().unwrap()).lines();
    let address = said
        .find_map(|line| Some(line.unwrap().strip_prefix("listening on ")?.to_owned()))
        .unwrap();
    // What is said later has to go somewhere.
    std::thread::spawn(move || said.for_each(drop));
    (Process(coordinator), format!("http://{address}"))
}

fn worker(address: &str, more: &[&str]) -> Process {
    let worker = misere()
        .args(["worker", "--slots", "2", "--coordinator", address])
        .args(more)
        .spawn();
    Process(worker.unwrap())
}

fn digest(data: &str) -> Vec<u8> {
    let mut digest = misere();
    let digest = digest
        .args(["census", "digest", "--data", data])
        .stdout(Stdio::piped());
    let digest = digest.output().unwrap();
    assert!(digest.status.success());
    digest.stdout
}

/// The children of a process that are alive.
fn children(parent: u32) -> Vec<u32> {
    let listed = |entry: std::fs::DirEntry| {
        let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        let mut fields = stat.rsplit_once(") ")?.1.split(' ');
        let alive = fields.next()? != "Z";
        (alive && fields.next()?.parse() == Ok(parent)).then_some(pid)
    };
    let processes = std::fs::read_dir("/proc").unwrap();
    processes
        .filter_map(|entry| listed(entry.unwrap()))
        .collect()
}

fn soon<T>(what: &str, patience: Duration, mut found: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(begun.elapsed() < patience, "not soon: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn is_alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ")
        .is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

#[test]
fn processes_of_their_own_change_no_result() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (plain, isolated) = (path("plain"), path("isolated"));
    for (data, isolate) in [(&plain, "never"), (&isolated, "always")] {
        let run = misere()
            .args(["census", "run", "--data", data, "--isolate", isolate])
            .args(PLAN)
            .status();
        assert!(run.unwrap().success());
    }
    assert_eq!(digest(&plain), digest(&isolated));
}

/// A task that takes minutes is under way: killed, its worker takes the child along; told to stop,
/// it leaves none either.
#[test]
fn children_go_with_their_worker_however_it_goes() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("long").to_str().unwrap().to_owned();
    let (_coordinator, address) =
        coordinator(&data, &["--codes", "0.3103,0.644", "--fuel", "600M"]);
    let patience = Duration::from_secs(30);
    for signal in ["-KILL", "-TERM"] {
        let mut worker = worker(&address, &["--isolate", "always", "--grace", "0s"]);
        let id = worker.0.id();
        let found = soon("children", patience, || {
            Some(children(id)).filter(|found| !found.is_empty())
        });
        let sent = Command::new("kill")
            .args([signal, &id.to_string()])
            .status();
        assert!(sent.unwrap().success());
        soon("the worker ends", patience, || worker.0.try_wait().unwrap());
        soon("its children end", Duration::from_secs(2), || {
            (!found.iter().any(|&child| is_alive(child))).then_some(())
        });
    }
}

#[test]
fn nobody_calls_the_child_by_hand() {
    let child = misere().arg("worker-child").stderr(Stdio::piped()).output();
    let child = child.unwrap();
    assert_eq!(child.status.code(), Some(1));
    let said = String::from_utf8(child.stderr).unwrap();
    assert!(
        said.starts_with("error: this command is started by `misere worker`"),
        "{said}"
    );
    let help = misere()
        .arg("--help")
        .stdout(Stdio::piped())
        .output()
        .unwrap();
    assert!(
        !String::from_utf8(help.stdout)
            .unwrap()
            .contains("worker-child")
    );
}
