//! A census is the same when its tasks are computed in processes of their own, and these end with
//! it.
#![cfg(target_os = "linux")]

use std::time::Duration;

use crate::support::census::{address, digest};
use crate::support::process::{Process, assert_refused, done};
use crate::support::waiting::soon;
use rustix::process::Signal;

const PLAN: [&str; 4] = ["--digits", "2", "--fuel", "100k"];

/// Starts a coordinator on a free port, and returns its address, too.
fn coordinator(data: &str, plan: &[&str]) -> (Process, String) {
    let serve = ["coordinator", "--listen", "127.0.0.1:0", "--data", data];
    let coordinator = Process::spawn(&[&serve[..], plan].concat());
    let url = format!("http://{}", address(data));
    (coordinator, url)
}

fn worker(address: &str, more: &[&str]) -> Process {
    let worker = ["worker", "--slots", "2", "--coordinator", address];
    Process::spawn(&[&worker[..], more].concat())
}

/// Lists the children of a process that are alive.
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

fn is_alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ")
        .is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

#[test]
fn isolated_processes_change_no_result() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (plain, isolated) = (path("plain"), path("isolated"));
    for (data, isolate) in [(&plain, "never"), (&isolated, "always")] {
        let run = ["census", "run", "--data", data, "--isolate", isolate];
        done(&[&run[..], &PLAN].concat());
    }
    assert_eq!(digest(&plain), digest(&isolated));
}

/// A task that takes minutes is running. A worker that is killed takes the child along; one that is
/// told to stop leaves no child either.
#[test]
fn children_go_with_their_worker_however_it_goes() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("long").to_str().unwrap().to_owned();
    let (_coordinator, address) =
        coordinator(&data, &["--codes", "0.3103,0.644", "--fuel", "600M"]);
    let patience = Duration::from_secs(30);
    for signal in [Signal::KILL, Signal::TERM] {
        let mut worker = worker(&address, &["--isolate", "always", "--grace", "0s"]);
        let id = worker.0.id();
        let found = soon("children", patience, || {
            Some(children(id)).filter(|found| !found.is_empty())
        });
        worker.signal(signal);
        soon("the worker ends", patience, || worker.0.try_wait().unwrap());
        soon("its children end", Duration::from_secs(2), || {
            (!found.iter().any(|&child| is_alive(child))).then_some(())
        });
    }
}

#[test]
fn the_child_refuses_to_be_called_by_hand() {
    assert_refused(
        &["worker-child"],
        1,
        "this command is started by `misere worker`",
    );
    assert!(!done(&["--help"]).contains("worker-child"));
}
