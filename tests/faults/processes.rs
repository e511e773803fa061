//! How are a coordinator and its workers started, watched and killed?

use std::cell::Cell;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Seconds of work, in many small tasks and some larger ones.
const PLAN: [&str; 4] = ["--digits", "3", "--fuel", "20k"];
const PATIENCE: Duration = Duration::from_secs(180);

/// A process that dies with the test.
pub(crate) struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    fn spawn(args: &[&str], log: &Path) -> Self {
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(log)
            .unwrap();
        Self(command(args).stderr(log).spawn().unwrap())
    }

    /// Sends a signal by name, as `-KILL`.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.0.id().to_string();
        assert!(
            Command::new("kill")
                .args([name, &id])
                .status()
                .unwrap()
                .success()
        );
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }

    pub(crate) fn wait(&mut self) {
        self.0.wait().unwrap();
    }

    /// The exit code, once it has ended by itself.
    pub(crate) fn exit_code(&mut self) -> Option<i32> {
        let since = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status.code();
            }
            assert!(since.elapsed() < PATIENCE, "does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// A census of the plan under test, one after the other in fresh directories, always on the same
/// port.
pub(crate) struct Census {
    dir: tempfile::TempDir,
    port: u16,
    number: Cell<u32>,
}

impl Census {
    pub(crate) fn new() -> Self {
        // Free now; nobody else on loopback takes it within the test, as far as one can know.
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        Self {
            dir: tempfile::tempdir().unwrap(),
            port,
            number: Cell::new(0),
        }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.dir
            .path()
            .join(format!("census-{}", self.number.get()))
    }

    /// From now on another census of the same plan.
    pub(crate) fn begin_again(&self) {
        self.number.set(self.number.get() + 1);
    }

    pub(crate) fn coordinator(&self) -> Process {
        let (data, listen) = (self.data(), format!("127.0.0.1:{}", self.port));
        let args = [
            "coordinator",
            "--data",
            path(&data),
            "--listen",
            &listen,
            "--lease",
            "1s",
        ];
        Process::spawn(
            &[&args[..], &PLAN].concat(),
            &self.dir.path().join("coordinator.log"),
        )
    }

    pub(crate) fn worker(&self, name: &str) -> Process {
        self.worker_at(name, self.port)
    }

    pub(crate) fn worker_at(&self, name: &str, port: u16) -> Process {
        let url = format!("http://127.0.0.1:{port}");
        let args = [
            "worker",
            "--coordinator",
            &url,
            "--slots",
            "1",
            "--name",
            name,
        ];
        Process::spawn(&args, &self.dir.path().join("workers.log"))
    }

    pub(crate) fn wait_for_records(&self, count: u64) {
        self.wait("records", || records(&self.data()) >= count);
    }

    pub(crate) fn wait_until_finished(&self) {
        self.wait("the end", || {
            status(&self.data()).is_some_and(|status| status["pending"] == 0)
        });
    }

    fn wait(&self, what: &str, reached: impl Fn() -> bool) {
        let since = Instant::now();
        while !reached() {
            let log = || {
                std::fs::read_to_string(self.dir.path().join("coordinator.log")).unwrap_or_default()
            };
            assert!(
                since.elapsed() < PATIENCE,
                "{what} does not come: {}",
                log()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The census is the one that comes out without faults.
    pub(crate) fn assert_digest(&self) {
        static EXPECTED: OnceLock<String> = OnceLock::new();
        let expected = EXPECTED.get_or_init(|| {
            let whole = tempfile::tempdir().unwrap();
            let run = [&["census", "run", "--data", path(whole.path())][..], &PLAN].concat();
            assert!(output(&run).status.success());
            digest(whole.path())
        });
        let log =
            || std::fs::read_to_string(self.dir.path().join("coordinator.log")).unwrap_or_default();
        assert_eq!(&digest(&self.data()), expected, "{}", log());
    }
}

/// Numbers by chance, the same in every run.
#[derive(Debug)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % bound
    }
}

/// Records in a census, running or not.
pub(crate) fn records(data: &Path) -> u64 {
    let count = |status: serde_json::Value| {
        status["done"].as_u64().unwrap_or(0) + status["exhausted"].as_u64().unwrap_or(0)
    };
    status(data).map_or(0, count)
}

fn status(data: &Path) -> Option<serde_json::Value> {
    let output = output(&["census", "status", "--json", "--data", path(data)]);
    serde_json::from_slice(&output.stdout).ok()
}

fn digest(data: &Path) -> String {
    let digest = output(&["census", "digest", "--data", path(data)]);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    assert!(digest.status.success(), "{}", text(digest.stderr));
    text(digest.stdout)
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_misere"));
    command
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn output(args: &[&str]) -> Output {
    command(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .unwrap()
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}
