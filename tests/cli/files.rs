//! Files that commands write appear whole or not at all, and the rest of the system stays as it is.

use std::fs::{self, Permissions};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::process::Process;

/// The ways in which a file is written as a whole, each up to the name of the file.
const WRITERS: [&[&str]; 2] = [
    &["solve", "0.77", "--out"],
    &["report", "cayley", "R_8", "--json", "--out"],
];

/// Returns the arguments that write a file in one of the ways.
fn writer(index: usize, file: &str) -> Vec<String> {
    let arguments = WRITERS[index].iter().chain([&file]);
    arguments.map(|argument| (*argument).to_owned()).collect()
}

/// Returns the command, in a directory.
fn command(directory: &Path, arguments: &[impl AsRef<std::ffi::OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_misere"));
    command.current_dir(directory).args(arguments);
    command
}

fn run(directory: &Path, arguments: &[impl AsRef<std::ffi::OsStr>]) -> Output {
    command(directory, arguments).output().unwrap()
}

/// Runs the command by a shell that first does something to itself.
fn run_after(preparation: &str, directory: &Path, arguments: &[String]) -> Output {
    Command::new("sh")
        .current_dir(directory)
        .args(["-c", &format!("{preparation}; exec \"$@\""), "sh"])
        .arg(env!("CARGO_BIN_EXE_misere"))
        .args(arguments)
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Returns the names in a directory, in order.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn mode(file: &Path) -> u32 {
    fs::symlink_metadata(file).unwrap().permissions().mode() & 0o7777
}

/// Returns the document in a file, which must be whole.
fn document(text: &[u8]) -> Value {
    assert_eq!(text.last(), Some(&b'\n'), "a file ends with a line end");
    serde_json::from_slice(text).unwrap()
}

fn make_fifo(place: &Path) {
    assert!(
        Command::new("mkfifo")
            .arg(place)
            .status()
            .unwrap()
            .success()
    );
}

/// Runs a check for every way to write a file, each in a directory of its own.
fn for_each_writer(check: impl Fn(usize, &Path)) {
    for index in 0..WRITERS.len() {
        check(index, TempDir::new().unwrap().path());
    }
}

#[test]
fn a_new_file_has_the_usual_permissions() {
    for_each_writer(|index, directory| {
        for (umask, expected) in [("022", 0o644), ("077", 0o600), ("007", 0o660)] {
            let name = format!("out-{umask}");
            let output = run_after(&format!("umask {umask}"), directory, &writer(index, &name));
            assert!(output.status.success(), "{}", said(&output));
            assert_eq!(mode(&directory.join(&name)), expected);
        }
        assert_eq!(names(directory), ["out-007", "out-022", "out-077"]);
    });
}

#[test]
fn a_replaced_file_keeps_its_permissions() {
    for_each_writer(|index, directory| {
        let file = directory.join("out");
        for kept in [0o640, 0o600, 0o666, 0o755] {
            fs::write(&file, "{}").unwrap();
            fs::set_permissions(&file, Permissions::from_mode(kept)).unwrap();
            let output = run_after("umask 022", directory, &writer(index, "out"));
            assert!(output.status.success(), "{}", said(&output));
            assert_eq!(mode(&file), kept);
            document(&fs::read(&file).unwrap());
        }
        assert_eq!(names(directory), ["out"]);
    });
}

#[test]
fn a_read_only_file_stays() {
    for_each_writer(|index, directory| {
        let file = directory.join("out");
        fs::write(&file, "precious").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
        let output = run(directory, &writer(index, "out"));
        assert_eq!(output.status.code(), Some(1));
        let said = said(&output);
        assert!(
            said.starts_with("error: cannot write `out`: it is read-only"),
            "{said}"
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
        assert_eq!(
            (mode(&file), names(directory)),
            (0o444, vec!["out".to_owned()])
        );
    });
}

/// Tests that a file of another kind is kept, unless `--force` is given.
#[test]
fn a_file_of_another_kind_stays() {
    for_each_writer(|index, directory| {
        let file = directory.join("thesis.tex");
        fs::write(&file, "\\documentclass{book}").unwrap();
        let output = run(directory, &writer(index, "thesis.tex"));
        assert_eq!(output.status.code(), Some(1));
        let expected = "error: `thesis.tex` exists, and it does not begin as this result does; \
                        name another file, or replace it with --force\n";
        assert_eq!(said(&output), expected);
        assert_eq!(fs::read_to_string(&file).unwrap(), "\\documentclass{book}");
        let mut forced = writer(index, "thesis.tex");
        forced.push("--force".to_owned());
        // The second run replaces what the first one wrote.
        for arguments in [forced, writer(index, "thesis.tex")] {
            let output = run(directory, &arguments);
            assert!(output.status.success(), "{}", said(&output));
            document(&fs::read(&file).unwrap());
        }
    });
}

#[test]
fn a_link_is_followed_and_stays() {
    for_each_writer(|index, directory| {
        fs::create_dir(directory.join("far")).unwrap();
        fs::write(directory.join("far/target"), "{}").unwrap();
        symlink("far/target", directory.join("near")).unwrap();
        symlink("near", directory.join("link")).unwrap();
        symlink("far/new", directory.join("to-nothing")).unwrap();
        for (link, target) in [("link", "far/target"), ("to-nothing", "far/new")] {
            let output = run(directory, &writer(index, link));
            assert!(output.status.success(), "{}", said(&output));
            assert!(directory.join(link).is_symlink());
            document(&fs::read(directory.join(target)).unwrap());
        }
        assert!(directory.join("near").is_symlink());
        assert_eq!(names(directory), ["far", "link", "near", "to-nothing"]);
        assert_eq!(names(&directory.join("far")), ["new", "target"]);

        symlink("round", directory.join("round")).unwrap();
        let output = run(directory, &writer(index, "round"));
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(directory.join("round").is_symlink());
    });
}

/// The devices are reached by links, so that a command that replaces its target replaces a link.
#[test]
fn devices_are_written_through() {
    for_each_writer(|index, directory| {
        let (full, null) = (directory.join("full"), directory.join("null"));
        symlink("/dev/full", &full).unwrap();
        symlink("/dev/null", &null).unwrap();
        let output = run(directory, &writer(index, "full"));
        assert_eq!(output.status.code(), Some(1));
        let said = said(&output);
        assert!(said.contains("No space left on device"), "{said}");
        assert!(run(directory, &writer(index, "null")).status.success());
        assert!(full.is_symlink() && null.is_symlink());
        assert_eq!(names(directory), ["full", "null"]);
    });
}

#[test]
fn a_fifo_is_written_through() {
    for_each_writer(|index, directory| {
        let fifo = directory.join("fifo");
        make_fifo(&fifo);
        let reader = Command::new("timeout")
            .args(["20", "cat"])
            .arg(&fifo)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = run(directory, &writer(index, "fifo"));
        let read = reader.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        document(&read.stdout);
        let kind = fs::symlink_metadata(&fifo).unwrap().file_type();
        assert!(kind.is_fifo());
        assert_eq!(names(directory), ["fifo"]);
    });
}

/// Reports whether the first thread of a process waits for something.
///
/// It waits while it opens a FIFO, and does not while it computes.
#[cfg(target_os = "linux")]
fn sleeps(process: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/task/{process}/stat")).unwrap();
    let (_, state) = stat.rsplit_once(") ").unwrap();
    state.starts_with('S')
}

/// A FIFO has no reader: the first signal ends the command that waits for one.
#[test]
#[cfg(target_os = "linux")]
fn a_command_that_waits_for_a_reader_can_be_stopped() {
    for_each_writer(|index, directory| {
        make_fifo(&directory.join("fifo"));
        for signal in [Signal::TERM, Signal::INT] {
            let child = command(directory, &writer(index, "fifo"))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let mut process = Process(child);
            let mut asleep = 0;
            while asleep < 10 {
                asleep = if sleeps(process.0.id()) {
                    asleep + 1
                } else {
                    0
                };
                std::thread::sleep(Duration::from_millis(20));
            }
            process.signal(signal);
            assert_eq!(
                process.ended(Duration::from_secs(20)),
                Some(4),
                "{signal:?}"
            );
        }
        assert_eq!(names(directory), ["fifo"]);
    });
}

#[test]
fn a_hyphen_is_standard_output() {
    for_each_writer(|index, directory| {
        let output = run(directory, &writer(index, "-"));
        assert!(output.status.success(), "{}", said(&output));
        document(&output.stdout);
        assert!(names(directory).is_empty(), "{:?}", names(directory));
        let output = run(directory, &writer(index, "./-"));
        assert!(output.status.success(), "{}", said(&output));
        document(&fs::read(directory.join("-")).unwrap());
    });
    // One document, not two.
    let directory = TempDir::new().unwrap();
    let output = run(directory.path(), &["solve", "0.3", "--json", "--out", "-"]);
    assert_eq!(document(&output.stdout)["code"], "0.3");
}

/// Dangerous where the command replaces devices: it would replace `/dev/stdout` of this machine.
#[test]
fn files_that_are_open_already_are_written_through() {
    for_each_writer(|index, directory| {
        let output = run(directory, &writer(index, "/dev/stdout"));
        assert!(output.status.success(), "{}", said(&output));
        document(&output.stdout);
        let output = run_after("exec 3>&1", directory, &writer(index, "/dev/fd/3"));
        assert!(output.status.success(), "{}", said(&output));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("\"order\":"), "{text}");
        // A file that is open for appending keeps what it holds.
        fs::write(directory.join("log"), "first\n").unwrap();
        let output = run_after("exec 3>>log", directory, &writer(index, "/dev/fd/3"));
        assert!(output.status.success(), "{}", said(&output));
        let log = fs::read(directory.join("log")).unwrap();
        document(log.strip_prefix(b"first\n").unwrap());
        assert_eq!(names(directory), ["log"]);
    });
    for device in ["/dev/stdout", "/dev/null", "/dev/full"] {
        let kind = fs::metadata(device).unwrap().file_type();
        assert!(!kind.is_file() || device == "/dev/stdout", "{device}");
    }
    assert!(fs::symlink_metadata("/dev/stdout").unwrap().is_symlink());
}

#[test]
fn a_directory_is_refused() {
    for_each_writer(|index, directory| {
        fs::create_dir(directory.join("there")).unwrap();
        for (place, reason) in [
            ("there", "it is a directory; name a file in it"),
            ("nowhere/out", "there is no directory `nowhere`"),
            ("new/", "there is no directory `new/`"),
        ] {
            let output = run(directory, &writer(index, place));
            assert_eq!(output.status.code(), Some(1));
            let said = said(&output);
            assert_eq!(said, format!("error: cannot write `{place}`: {reason}\n"));
        }
        assert_eq!(names(directory), ["there"]);
        assert!(names(&directory.join("there")).is_empty());
    });
}

/// A file that cannot be written is detected before a long computation, not after it.
#[test]
fn a_file_that_cannot_be_written_is_reported_before_the_work() {
    let directory = TempDir::new().unwrap();
    let long = ["solve", "0.26", "--fuel", "100G", "--max-order", "60000"];
    for option in ["--out", "--checkpoint"] {
        let arguments = [&long[..], &[option, "nowhere/out"]].concat();
        let child = command(directory.path(), &arguments)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        assert_eq!(Process(child).ended(Duration::from_secs(20)), Some(1));
    }
}

/// The result is printed, though the file could not be written.
#[test]
fn a_result_is_printed_though_its_file_fails() {
    let directory = TempDir::new().unwrap();
    symlink("/dev/full", directory.path().join("full")).unwrap();
    let output = run(directory.path(), &["solve", "0.77", "--out", "full"]);
    assert_eq!(output.status.code(), Some(1));
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("period 12 from heap 71"), "{shown}");
}

/// A limit on the size of files ends in an error as a full disk does, not in a signal.
#[test]
fn a_file_that_grows_too_large_leaves_nothing() {
    for_each_writer(|index, directory| {
        let output = run_after("ulimit -f 0", directory, &writer(index, "new"));
        assert_eq!(output.status.code(), Some(1), "{:?}", output.status);
        assert!(
            said(&output).contains("File too large"),
            "{}",
            said(&output)
        );
        assert!(names(directory).is_empty(), "{:?}", names(directory));
        fs::write(directory.join("old"), "{\"precious\":1}").unwrap();
        let output = run_after("ulimit -f 0", directory, &writer(index, "old"));
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(names(directory), ["old"]);
        let old = fs::read_to_string(directory.join("old")).unwrap();
        assert_eq!(old, "{\"precious\":1}");
    });
}

/// Stopped at any moment, a command leaves the old file or the new one.
#[test]
fn a_stopped_command_leaves_no_part() {
    for_each_writer(|index, directory| {
        let file = directory.join("out");
        for turn in 0..60_u64 {
            fs::write(&file, "{\"old\":true}\n").unwrap();
            let child = command(directory, &writer(index, "out"))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let mut process = Process(child);
            std::thread::sleep(Duration::from_micros(turn * 300));
            process.signal(Signal::TERM);
            process.ended(Duration::from_secs(20));
            document(&fs::read(&file).unwrap());
            assert_eq!(names(directory), ["out"], "turn {turn}");
        }
    });
}

/// The remains of a killed command do not hinder a later one.
#[test]
fn a_killed_command_leaves_no_obstacle() {
    for_each_writer(|index, directory| {
        let file = directory.join("out");
        for turn in 0..60_u64 {
            fs::write(&file, "{\"old\":true}\n").unwrap();
            let child = command(directory, &writer(index, "out"))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let mut process = Process(child);
            std::thread::sleep(Duration::from_micros(turn * 300));
            process.signal(Signal::KILL);
            process.ended(Duration::from_secs(20));
            document(&fs::read(&file).unwrap());
            let is_known = |name: &String| {
                name == "out" || (name.starts_with(".misere-") && name.ends_with(".part"))
            };
            let names = names(directory);
            assert!(names.iter().all(is_known), "{names:?}");
        }
        assert!(run(directory, &writer(index, "out")).status.success());
        document(&fs::read(&file).unwrap());
    });
}

/// The last one of several concurrent writers wins, and no reader ever sees half a file.
#[test]
fn two_writers_at_once_leave_whole_files() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("out");
    let codes = ["0.3", "0.77", "0.123", "0.71"];
    fs::write(&file, "{\"code\":\"0.3\"}\n").unwrap();
    for _ in 0..10 {
        let mut writers: Vec<Process> = codes
            .iter()
            .map(|code| {
                let arguments = ["solve", code, "--out", "out"];
                let mut command = command(directory.path(), &arguments);
                Process(command.stdout(Stdio::null()).spawn().unwrap())
            })
            .collect();
        while writers
            .iter_mut()
            .any(|writer| writer.0.try_wait().unwrap().is_none())
        {
            let code = document(&fs::read(&file).unwrap())["code"].clone();
            assert!(codes.contains(&code.as_str().unwrap()));
        }
        for mut writer in writers {
            assert_eq!(writer.ended(Duration::from_secs(20)), Some(0));
        }
    }
    assert_eq!(names(directory.path()), ["out"]);
}

/// A file that is read again must be a regular file, and one that may be replaced.
#[test]
fn checkpoints_and_parts_are_regular_files() {
    let directory = TempDir::new().unwrap();
    let at = |name: &str| directory.path().join(name);
    make_fifo(&at("fifo"));
    fs::create_dir(at("directory")).unwrap();
    fs::write(at("read-only"), "").unwrap();
    fs::set_permissions(at("read-only"), Permissions::from_mode(0o444)).unwrap();
    let before = names(directory.path());
    let commands: [&[&str]; 3] = [
        &["solve", "0.3", "--checkpoint"],
        &["classify", "--order", "6", "--checkpoint"],
        &[
            "census", "chunk", "--codes", "0.3", "--res", "0", "--mod", "1", "--out",
        ],
    ];
    for arguments in commands {
        for place in ["-", "fifo", "directory", "read-only", "nowhere/file"] {
            let arguments = [arguments, &[place]].concat();
            let child = command(directory.path(), &arguments)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let exit = Process(child).ended(Duration::from_secs(20));
            assert_eq!(exit, Some(1), "{arguments:?}");
            assert_eq!(names(directory.path()), before, "{arguments:?}");
        }
    }
    assert!(fs::read(at("read-only")).unwrap().is_empty());
}

#[test]
fn a_checkpoint_keeps_its_permissions_and_its_link() {
    let directory = TempDir::new().unwrap();
    let at = |name: &str| directory.path().join(name);
    symlink("state", at("link")).unwrap();
    let to_order = |order| ["classify", "--order", order, "--checkpoint", "link"];
    assert!(run(directory.path(), &to_order("8")).status.success());
    assert!(at("link").is_symlink());
    fs::set_permissions(at("state"), Permissions::from_mode(0o640)).unwrap();
    assert!(run(directory.path(), &to_order("8")).status.success());
    assert_eq!(mode(&at("state")), 0o640);
    assert_eq!(names(directory.path()), ["link", "state"]);
}

/// A certificate and its key are made together, or neither is.
#[test]
fn certificates_and_keys_come_in_pairs() {
    let directory = TempDir::new().unwrap();
    let certs = directory.path().join("certs");
    let make = |name: &str| {
        let arguments = ["coordinator", "certs", "--dir", "certs", "--name", name];
        let arguments: Vec<String> = arguments.map(str::to_owned).to_vec();
        run_after("umask 027", directory.path(), &arguments)
    };
    assert!(make("host-a").status.success());
    let there = ["ca.key", "ca.pem", "host-a.key", "host-a.pem"];
    assert_eq!(names(&certs), there);
    for (file, expected) in [
        ("host-a.key", 0o600),
        ("ca.key", 0o600),
        ("host-a.pem", 0o640),
    ] {
        assert_eq!(mode(&certs.join(file)), expected, "{file}");
    }
    // A link that leads to nothing exists, too.
    symlink("elsewhere", certs.join("host-b.pem")).unwrap();
    let refused = make("host-b");
    assert_eq!(refused.status.code(), Some(1));
    assert!(said(&refused).contains("exists"), "{}", said(&refused));
    fs::remove_file(certs.join("host-b.pem")).unwrap();
    assert_eq!(names(&certs), there);
}
