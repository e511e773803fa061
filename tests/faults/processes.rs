//! A coordinator and its workers: started, watched and killed.

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use crate::support::census::{
    argument as path, digest, free_address, records, status, undisturbed,
};
use crate::support::process::Process;
use crate::support::waiting::until;

/// Seconds of work, in many small tasks and some larger ones.
const PLAN: [&str; 4] = ["--digits", "3", "--fuel", "20k"];

/// A time within which everything is over on any machine.
pub(crate) const WAIT_TIMEOUT: Duration = Duration::from_secs(180);

/// A census of the plan under test, in fresh directories one after the other, always on the same
/// port.
pub(crate) struct Census {
    dir: tempfile::TempDir,
    port: u16,
    number: Cell<u32>,
}

impl Census {
    pub(crate) fn new() -> Self {
        let address = free_address();
        let (_, port) = address.rsplit_once(':').unwrap();
        Self {
            dir: tempfile::tempdir().unwrap(),
            port: port.parse().unwrap(),
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

    /// Begins another census of the same plan.
    pub(crate) fn begin_again(&self) {
        self.number.set(self.number.get() + 1);
    }

    pub(crate) fn is_finished(&self) -> bool {
        status(path(&self.data()))["pending"] == 0
    }

    /// Ends a census whose work is done, and begins another with new workers.
    ///
    /// A new coordinator ends by itself, and so do the workers that have lost the one before.
    pub(crate) fn end_and_begin_again(&self, workers: &mut [Process]) {
        let mut coordinator = self.coordinator();
        assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(0));
        self.assert_digest();
        self.begin_again();
        for worker in workers {
            assert_eq!(worker.ended(WAIT_TIMEOUT), Some(0));
            *worker = self.worker("again");
        }
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
        let log = self.dir.path().join("coordinator.log");
        Process::logging(&[&args[..], &PLAN].concat(), "info", &log)
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
        Process::logging(&args, "info", &self.dir.path().join("workers.log"))
    }

    /// Starts a checker on the socket of the owner of the directory.
    pub(crate) fn checker(&self, name: &str) -> Process {
        let socket = format!("unix:{}", path(&self.data().join("rpc")));
        let args = [
            "worker",
            "--check",
            "--coordinator",
            &socket,
            "--slots",
            "1",
            "--name",
            name,
        ];
        Process::logging(&args, "info", &self.dir.path().join("checkers.log"))
    }

    pub(crate) fn wait_for_records(&self, count: u64) {
        until("records", WAIT_TIMEOUT, || {
            records(path(&self.data())) >= count
        });
    }

    pub(crate) fn wait_until_finished(&self) {
        until("the end", WAIT_TIMEOUT, || self.is_finished());
    }

    /// Checks that the census is the one that comes out without faults.
    pub(crate) fn assert_digest(&self) {
        static EXPECTED: OnceLock<String> = OnceLock::new();
        let expected = EXPECTED.get_or_init(|| undisturbed(&PLAN));
        let log =
            || std::fs::read_to_string(self.dir.path().join("coordinator.log")).unwrap_or_default();
        assert_eq!(&digest(path(&self.data())), expected, "{}", log());
    }
}

/// Random numbers, the same in every run.
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
