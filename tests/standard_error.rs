//! A process goes on, and ends with the right code, with a standard error that cannot be written,
//! signals that are ignored, and threads that are refused.
#![cfg(unix)]

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::census::{address, argument, digest, undisturbed};
use crate::support::process::{Process, command, copy_to, output, signal, text};
use crate::support::waiting::until;
use rustix::process::Signal;

const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

const PLAN: [&str; 2] = ["--codes", "0.3,0.77,0.123"];

/// Returns standard errors that take nothing: a pipe without a reader, and a disk without room.
fn broken() -> [(&'static str, Stdio); 2] {
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let full = File::options().write(true).open("/dev/full").unwrap();
    [
        ("a pipe without a reader", writer.into()),
        ("a full disk", full.into()),
    ]
}

/// Starts the command, which logs everything to a standard error that takes nothing.
fn unheard(args: &[&str], errors: Stdio) -> Process {
    let mut command = command(args);
    Process(
        command
            .env("RUST_LOG", "trace")
            .stderr(errors)
            .spawn()
            .unwrap(),
    )
}

#[test]
fn an_error_ends_with_its_own_code() {
    let none = "/no/such/file";
    for (args, code) in [
        (&["solve", "0.7x"][..], 2),
        (&["verify", none], 1),
        (&["solve"], 2),
        (&["man", "slove"], 2),
        (&["solve", "0.07", "--fuel", "1k"], 3),
        (&["census", "status", "--data", none], 1),
    ] {
        for (how, errors) in broken() {
            let mut process = unheard(args, errors);
            assert_eq!(process.ended(WAIT_TIMEOUT), Some(code), "{args:?}: {how}");
        }
    }
}

#[test]
fn a_census_goes_on_without_standard_error() {
    let expected = undisturbed(&PLAN);
    for (how, errors) in broken() {
        let dir = tempfile::tempdir().unwrap();
        let data = argument(dir.path());
        let run = [&["census", "run", "--data", data][..], &PLAN].concat();
        let mut run = unheard(&run, errors);
        assert_eq!(run.ended(WAIT_TIMEOUT), Some(0), "{how}");
        assert_eq!(digest(data), expected, "{how}");
    }
    for ((how, errors), (_, workers)) in broken().into_iter().zip(broken()) {
        let dir = tempfile::tempdir().unwrap();
        let data = argument(dir.path());
        let serve = ["coordinator", "--data", data, "--listen", "127.0.0.1:0"];
        let mut coordinator = unheard(&[&serve[..], &PLAN].concat(), errors);
        let url = format!("http://{}", address(data));
        let worker = ["worker", "--coordinator", &url, "--slots", "1"];
        let mut worker = unheard(&worker, workers);
        assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(0), "{how}");
        assert_eq!(worker.ended(WAIT_TIMEOUT), Some(0), "{how}");
        assert_eq!(digest(data), expected, "{how}");
    }
}

/// Starts a process that ignores a signal.
///
/// It ignores no other one, even if these tests run in the background of a script, which ignores
/// SIGINT.
fn ignoring(ignored: Signal, args: &[&str]) -> Process {
    let mut command = Command::new("env");
    let child = command
        .arg("--default-signal=HUP,INT")
        .arg(format!("--ignore-signal={}", ignored.as_raw()))
        .arg(env!("CARGO_BIN_EXE_misere"))
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    Process(child.unwrap())
}

/// Reports whether a process handles SIGTERM.
fn listens(child: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    caught.is_some_and(|set| u64::from_str_radix(set.trim(), 16).unwrap() >> 14 & 1 == 1)
}

/// `nohup misere …` outlives the terminal, and `misere … &` of a script outlives Ctrl-C.
#[test]
fn a_signal_that_is_ignored_at_the_start_stays_ignored() {
    let dir = tempfile::tempdir().unwrap();
    let data = argument(dir.path());
    let solve = [
        "solve",
        "0.07",
        "--max-heap",
        "100k",
        "--fuel",
        "100G",
        "--max-order",
        "60000",
    ];
    let census = [
        "census",
        "run",
        "--data",
        data,
        "--codes",
        "0.07",
        "--fuel",
        "100G",
        "--max-heap",
        "100k",
    ];
    for args in [&solve[..], &census] {
        for (ignored, heard) in [(Signal::HUP, Signal::INT), (Signal::INT, Signal::HUP)] {
            let mut process = ignoring(ignored, args);
            until("a listener", WAIT_TIMEOUT, || listens(&process.0));
            std::thread::sleep(Duration::from_millis(500));
            signal(&process.0, ignored);
            std::thread::sleep(Duration::from_millis(500));
            assert!(!process.has_ended(), "{args:?}: {ignored:?}");
            signal(&process.0, heard);
            assert_eq!(process.ended(WAIT_TIMEOUT), Some(4), "{args:?}: {heard:?}");
        }
    }
}

/// Limits on the number of processes do not bind root, so another user runs the command.
#[test]
fn few_threads_are_an_error_that_says_so() {
    const ANOTHER: &str = "61234";
    let may = Command::new("setpriv")
        .args([
            "--reuid",
            ANOTHER,
            "--clear-groups",
            "prlimit",
            "--nproc=9",
            "true",
        ])
        .stderr(Stdio::null())
        .status();
    if !may.is_ok_and(|status| status.success()) {
        println!("skipped: this user cannot become another one");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), Permissions::from_mode(0o777)).unwrap();
    let program = copy_to(dir.path());
    let (mut refused, mut done) = (0, 0);
    for most in (1..=12).chain([14, 16, 20, 24, 28, 32, 48, 200]) {
        let data = dir.path().join(format!("census-{most}"));
        let run = [
            "census",
            "run",
            "--codes",
            "0.3,0.77",
            "--data",
            argument(&data),
        ];
        for args in [&["solve", "0.77"][..], &run] {
            let mut child = Command::new("setpriv")
                .args(["--reuid", ANOTHER, "--clear-groups", "prlimit"])
                .arg(format!("--nproc={most}"))
                .arg(&program)
                .args(args)
                .current_dir(dir.path())
                .env_remove("XDG_CONFIG_HOME")
                .env("HOME", dir.path())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let errors = child.stderr.take().unwrap();
            let code = Process(child).ended(WAIT_TIMEOUT);
            let said = io::read_to_string(errors).unwrap();
            match code {
                Some(0) => done += 1,
                _ => {
                    assert_eq!(code, Some(1), "{most}: {args:?}: {said}");
                    assert!(said.contains("refuses this process"), "{most}: {said}");
                    assert!(
                        said.lines().all(|line| !line.contains("panicked")),
                        "{said}"
                    );
                    refused += 1;
                }
            }
        }
    }
    assert!(refused >= 10 && done >= 2, "{refused} refused, {done} done");
}

#[test]
fn a_usage_error_is_short_and_shows_what_cannot_be_seen() {
    let long = "7".repeat(100_000);
    for args in [
        &["solve", &long][..],
        &["solve", "0.77", &format!("--fuel={long}")],
        &["solve", "0.77", &format!("--{long}")],
        &["solve", "0.77", "--out", "c", &long],
        &[&long],
        &["man", &long],
        &["verify", &long],
        &["census", "run", "--data", "d", "--codes", &long],
    ] {
        let output = output(args);
        let said = text(&output.stderr);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{said}");
        assert!(said.len() < 2_000, "{} bytes", said.len());
        assert!(
            said.contains("… (") && said.contains(" characters)"),
            "{said}"
        );
    }
    for hidden in [
        "\u{200b}", "\u{2060}", "\u{202e}", "\u{feff}", "\u{1b}", "\u{7}",
    ] {
        let name = format!("<U+{:04X}>", u32::from(hidden.chars().next().unwrap()));
        for args in [
            &["solve", &format!("0.7{hidden}7")][..],
            &["verify", &format!("no{hidden}")],
        ] {
            let said = text(&output(args).stderr);
            assert!(said.contains(&name) && !said.contains(hidden), "{said}");
        }
    }
}
