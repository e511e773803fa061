//! How do tests run the real command, signal it, and wait for its end?

use std::ffi::OsString;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A process that dies with the test.
pub(crate) struct Process(pub(crate) Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    pub(crate) fn signal(&self, name: &str) {
        let id = self.0.id().to_string();
        let sent = Command::new("kill").args([name, &id]).status().unwrap();
        assert!(sent.success());
    }

    /// The exit code, once it has ended by itself, which must not take longer than this.
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

/// The command under test: the one that was built with the tests, or the file that `MISERE_BINARY`
/// names.
fn binary() -> OsString {
    std::env::var_os("MISERE_BINARY").unwrap_or_else(|| env!("CARGO_BIN_EXE_misere").into())
}

/// The command, with nothing to read and nobody to read it.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// The command, in a process that may have so many files open.
#[allow(dead_code, reason = "not all tests count files")]
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

/// The command, which ends when whoever holds its standard input does, however that ends: for what
/// all tests of a run share, and none of them ends.
#[allow(dead_code, reason = "not all tests share something")]
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

/// What the command says.
pub(crate) fn output(args: &[&str]) -> Output {
    command(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .unwrap()
}
