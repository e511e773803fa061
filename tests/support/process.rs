//! The command under test: started, signalled, waited for, and its output.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::waiting::until;

/// The time that a process may take to start on a machine that others use, too.
#[cfg(target_os = "linux")]
const PATIENCE: Duration = Duration::from_secs(60);

/// A process that dies with the test.
pub(crate) struct Process(pub(crate) Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    /// Starts the command, with its output discarded.
    pub(crate) fn spawn(args: &[&str]) -> Self {
        Self(command(args).spawn().unwrap())
    }

    /// Starts the command, which appends its log to a file.
    pub(crate) fn logging(args: &[&str], filter: &str, log: &Path) -> Self {
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(log)
            .unwrap();
        let mut command = command(args);
        let child = command.env("RUST_LOG", filter).stderr(log).spawn();
        Self(child.unwrap())
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, sent: Signal) {
        signal(&self.0, sent);
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }

    /// Waits for the end, however long it takes.
    pub(crate) fn wait(&mut self) {
        self.0.wait().unwrap();
    }

    /// Returns the exit code of the process, which must end by itself within `patience`.
    pub(crate) fn ended(&mut self, patience: Duration) -> Option<i32> {
        let since = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status.code();
            }
            assert!(since.elapsed() < patience, "does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Sends a signal to a process that the test waits for itself.
pub(crate) fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// Waits until a process computes under guards: it has a thread that watches them, and a signal
/// ends the computation rather than the process.
#[cfg(target_os = "linux")]
pub(crate) fn wait_until_it_computes(child: &Child) {
    let threads = format!("/proc/{}/task", child.id());
    until("a watched computation", PATIENCE, || {
        let threads = std::fs::read_dir(&threads).unwrap();
        threads.flatten().any(|thread| {
            let name = std::fs::read_to_string(thread.path().join("comm"));
            name.is_ok_and(|name| name == "watch\n")
        })
    });
}

/// Returns the command under test: the one built with the tests, or the file `MISERE_BINARY`.
fn binary() -> OsString {
    std::env::var_os("MISERE_BINARY").unwrap_or_else(|| env!("CARGO_BIN_EXE_misere").into())
}

/// Copies the command into a directory, so that users who may enter that one can run it.
///
/// Another process writes the copy. If this one did, a process that another test starts meanwhile
/// would inherit the open file for a moment, and the copy could not be run ("Text file busy").
pub(crate) fn copy_to(directory: &Path) -> PathBuf {
    let copy = directory.join("misere");
    if !copy.exists() {
        let copied = Command::new("cp").arg(binary()).arg(&copy).status();
        assert!(copied.unwrap().success());
    }
    copy
}

/// Returns the command, with no input and its output discarded.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Returns the command, in a process that may have `files` files open.
pub(crate) fn command_with_files(files: u32, args: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -n \"$0\" && exec \"$@\"", &files.to_string()])
        .arg(binary())
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Returns the command in a process that ends when its standard input closes, for any reason.
///
/// All tests of a run share such a process, and none of them ends it.
pub(crate) fn command_that_ends_with_us(args: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command
        .args([
            "-c",
            "\"$@\" & served=$!; cat >/dev/null; kill $served",
            "sh",
        ])
        .arg(binary())
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Returns the output of the command.
pub(crate) fn output(args: &[&str]) -> Output {
    command(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .unwrap()
}

/// Decodes bytes as a text, with a mark for each invalid byte.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the output of a command that has to succeed.
pub(crate) fn done(args: &[&str]) -> String {
    let output = output(args);
    let said = text(&output.stderr);
    assert!(output.status.success(), "{args:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the JSON document that a command prints, which has to succeed.
pub(crate) fn document(args: &[&str]) -> Value {
    let said = done(args);
    serde_json::from_str(&said).unwrap_or_else(|error| panic!("{args:?}: {error}: {said}"))
}

/// Asserts that a command fails with this exit code and one line that says this.
pub(crate) fn assert_refused(args: &[&str], code: i32, says: &str) {
    let output = output(args);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
    let is_one_line = said.starts_with("error: ") && said.lines().count() == 1;
    assert!(is_one_line && said.contains(says), "{args:?}: {said}");
}
