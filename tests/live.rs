//! One coordinator, workers that come and go, all real processes: the census is the same (A-5,
//!
#![cfg(unix)]

use std::sync::OnceLock;
use std::time::Duration;

use crate::support::census::{address, digest, free_address, records, status, undisturbed};
use crate::support::process::{Process, assert_refused as refused, output, text};
use crate::support::waiting::until;
use rustix::process::Signal;

const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

/// Over in a moment.
const SHORT: [&str; 4] = ["--digits", "2", "--fuel", "5k"];

/// Takes one slot of a fast machine two seconds, so that something can happen meanwhile.
const LONG: [&str; 4] = ["--digits", "3", "--fuel", "8k"];

/// Returns the digest of the long plan, once for all tests.
fn expected() -> &'static str {
    static EXPECTED: OnceLock<String> = OnceLock::new();
    EXPECTED.get_or_init(|| undisturbed(&LONG))
}

/// Waits until some of the census is finished, but not all of it.
fn until_under_way(data: &str) {
    until("a record", WAIT_TIMEOUT, || {
        status(data)["done"].as_u64() > Some(0)
    });
    let status = status(data);
    let pending = status["pending"].as_u64();
    assert!(
        pending > Some(0),
        "over before anything could happen: {status}"
    );
}

#[test]
fn workers_that_die_or_leave_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    let listen = [
        "coordinator",
        "--data",
        data,
        "--listen",
        "127.0.0.1:0",
        "--lease",
        "1s",
    ];
    let mut coordinator = Process::spawn(&[&listen[..], &LONG].concat());
    let url = format!("http://{}", address(data));
    let worker = |name| {
        let args = ["worker", "--coordinator", &url, "--slots", "1"];
        Process::spawn(&[&args[..], &["--name", name]].concat())
    };
    let doomed = worker("doomed");
    until_under_way(data);
    doomed.signal(Signal::KILL);
    let mut leaving = worker("leaving");
    // A process that has only just started would be ended by the signal.
    until("a game of the worker that leaves", WAIT_TIMEOUT, || {
        let status = status(data);
        let mut workers = status["workers"].as_array().into_iter().flatten();
        workers.any(|worker| worker["name"] == "leaving" && worker["held"].as_u64() > Some(0))
    });
    leaving.signal(Signal::TERM);
    assert_eq!(leaving.ended(WAIT_TIMEOUT), Some(4));
    let mut staying = worker("staying");
    assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(0));
    assert_eq!(staying.ended(WAIT_TIMEOUT), Some(0));
    assert_eq!(digest(data), expected());
}

#[test]
fn a_worker_waits_for_a_coordinator_that_is_away() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    let listen = [
        "coordinator",
        "--data",
        data,
        "--listen",
        "127.0.0.1:0",
        "--lease",
        "1s",
    ];
    let mut first = Process::spawn(&[&listen[..], &LONG].concat());
    let address = address(data);
    let url = format!("http://{address}");
    let mut worker = Process::spawn(&["worker", "--coordinator", &url, "--slots", "1"]);
    until("a record", WAIT_TIMEOUT, || records(data) > 0);
    first.signal(Signal::KILL);
    assert_eq!(first.ended(WAIT_TIMEOUT), None);
    // The worker cannot have heard that the census is complete; it would end at that.
    until_under_way(data);
    std::thread::sleep(Duration::from_millis(300));
    let ended = worker.0.try_wait().unwrap();
    assert!(ended.is_none(), "{ended:?}: {}", status(data));
    let mut second = Process::spawn(&[
        "coordinator",
        "--data",
        data,
        "--listen",
        &address,
        "--lease",
        "1s",
    ]);
    assert_eq!(second.ended(WAIT_TIMEOUT), Some(0));
    assert_eq!(worker.ended(WAIT_TIMEOUT), Some(0));
    assert_eq!(digest(data), expected());
}

#[test]
fn another_machine_sees_the_same_census() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    let listen = ["coordinator", "--data", data, "--listen", "127.0.0.1:0"];
    let _coordinator = Process::spawn(&[&listen[..], &SHORT].concat());
    let url = format!("http://{}", address(data));
    let remote = ["census", "status", "--json", "--coordinator", &url];
    let told = output(&remote);
    assert!(told.status.success(), "{}", text(&told.stderr));
    let told: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    assert_eq!(told["state"], "waiting for workers");
    assert_eq!(told, status(data));
    // In words too, with what is complete.
    let words = |args: &[&str]| text(&output(&[&["census", "status"][..], args].concat()).stdout);
    let said = words(&["--coordinator", &url]);
    assert_eq!(said, words(&["--data", data]));
    assert!(said.contains("waiting for workers\n"), "{said}");
}

#[test]
fn behind_certificates_the_census_is_the_same_and_takes_orders() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (data, certs) = (file("census"), file("certs"));
    for more in [
        &["--role", "coordinator", "--host", "127.0.0.1"][..],
        &["--name", "host-a"],
        &["--role", "operator"],
    ] {
        let made = output(&[&["coordinator", "certs", "--dir", &certs][..], more].concat());
        assert!(made.status.success(), "{}", text(&made.stderr));
    }
    let again = output(&["coordinator", "certs", "--dir", &certs, "--name", "host-a"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(text(&again.stderr).contains("never overwritten"));

    let identity = |name: &str| {
        let (cert, key) = (format!("certs/{name}.pem"), format!("certs/{name}.key"));
        [
            "--ca",
            &file("certs/ca.pem"),
            "--cert",
            &file(&cert),
            "--key",
            &file(&key),
        ]
        .map(str::to_owned)
    };
    let spawn = |args: &[&str], name: &str| {
        let identity = identity(name);
        let identity = identity.iter().map(String::as_str);
        Process::spawn(&args.iter().copied().chain(identity).collect::<Vec<_>>())
    };
    let listen = free_address();
    let serve = [
        "coordinator",
        "--data",
        &data,
        "--listen",
        &listen,
        "--lease",
        "1s",
    ];
    let mut coordinator = spawn(&[&serve[..], &SHORT].concat(), "coordinator");
    // There is no other port.
    assert_eq!(address(&data), listen);
    let order = |what: &str| {
        let given = output(&["census", what, "--data", &data]);
        assert!(given.status.success(), "{}", text(&given.stderr));
    };
    order("pause");
    let url = format!("https://{listen}");
    let mut worker = spawn(
        &["worker", "--coordinator", &url, "--name", "host-a"],
        "host-a",
    );
    until("a worker", WAIT_TIMEOUT, || {
        let status = status(&data);
        status["workers"]
            .as_array()
            .is_some_and(|workers| !workers.is_empty())
    });
    let paused = status(&data);
    assert_eq!(paused["paused"], true);
    assert_eq!(paused["leased"], 0);
    assert_eq!(paused["workers"][0]["name"], "host-a");
    // A worker may not give the order; an operator may, from anywhere.
    let resume = |name: &str| {
        let identity = identity(name);
        let identity = identity.iter().map(String::as_str);
        let args = ["census", "resume", "--coordinator", &url];
        output(&args.into_iter().chain(identity).collect::<Vec<_>>())
    };
    let refused = resume("host-a");
    assert_eq!(refused.status.code(), Some(1));
    let said = text(&refused.stderr);
    assert!(said.contains("needs the role operator"), "{said}");
    assert!(resume("operator").status.success());
    assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(0));
    assert_eq!(worker.ended(WAIT_TIMEOUT), Some(0));
    assert_eq!(digest(&data), undisturbed(&SHORT));
}

#[test]
fn a_cancelled_census_ends_and_can_be_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    let listen = [
        "coordinator",
        "--data",
        data,
        "--listen",
        "127.0.0.1:0",
        "--lease",
        "1s",
    ];
    // Enough fuel that it cannot be over before it is cancelled.
    let plan = ["--digits", "2", "--fuel", "100M"];
    let mut coordinator = Process::spawn(&[&listen[..], &plan].concat());
    let url = format!("http://{}", address(data));
    let mut worker = Process::spawn(&["worker", "--coordinator", &url]);
    until_under_way(data);
    assert!(
        output(&["census", "cancel", "--data", data])
            .status
            .success()
    );
    assert_eq!(worker.ended(WAIT_TIMEOUT), Some(0));
    assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(4));
    assert_eq!(status(data)["running"], false);
    assert!(status(data)["done"].as_u64() > Some(0));
    let nobody = output(&["census", "cancel", "--data", data]);
    assert_eq!(nobody.status.code(), Some(1));
    assert!(text(&nobody.stderr).contains("no coordinator is at work"));
    // A pause is for the next coordinator, and a run on this machine ends it.
    let paused = output(&["census", "pause", "--data", data]);
    assert_eq!(
        text(&paused.stdout),
        "paused, for the next coordinator: none is at work\n"
    );
    assert_eq!(status(data)["paused"], true);
    let mut coordinator = Process::spawn(&[&listen[..], &plan].concat());
    until("a coordinator", WAIT_TIMEOUT, || {
        status(data)["state"] == "paused"
    });
    coordinator.signal(Signal::TERM);
    assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(4));
    let mut run = Process::spawn(&["census", "run", "--data", data]);
    until("a census that goes on", WAIT_TIMEOUT, || {
        status(data)["paused"] == false
    });
    run.signal(Signal::TERM);
    assert_eq!(run.ended(WAIT_TIMEOUT), Some(4));
}

#[test]
fn impossible_services_are_refused_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    refused(&["worker"], 2, "--coordinator");
    refused(&["worker", "--coordinator", "::"], 2, "not an address");
    refused(&["coordinator", "--data", data], 2, "--digits N");
    let listen = ["coordinator", "--data", data, "--listen", "nowhere"];
    refused(&listen, 2, "invalid");
    let wide = [
        "coordinator",
        "--data",
        data,
        "--codes",
        "0.3",
        "--listen",
        "0.0.0.0:0",
    ];
    refused(&wide, 2, "--insecure");
    refused(
        &["worker", "--coordinator", "http://10.0.0.1:1"],
        2,
        "--insecure",
    );
    refused(
        &["worker", "--coordinator", "https://10.0.0.1:1"],
        2,
        "--ca, --cert",
    );
    let half = [
        "worker",
        "--coordinator",
        "https://10.0.0.1:1",
        "--ca",
        "ca.pem",
    ];
    refused(&half, 2, "--key");
    refused(
        &["coordinator", "certs", "--dir", data, "--role", "root"],
        2,
        "is not a role",
    );
    let serving = [
        "coordinator",
        "certs",
        "--dir",
        data,
        "--role",
        "coordinator",
    ];
    refused(&serving, 1, "--host");
    refused(&["census", "drain", "--data", data], 2, "<WORKER>...");
    refused(
        &["census", "drain", "3.7", "--data", data],
        1,
        "no coordinator is at work",
    );
}
