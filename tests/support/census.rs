//! Small censuses: made in one process, queried for their status, compared by their digests.

use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::process::{done, output};
use super::waiting::soon;

/// The time that a coordinator may take to note its address, on a busy machine.
const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

/// Returns a path as an argument.
pub(crate) fn argument(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Returns the digest of a census.
pub(crate) fn digest(data: &str) -> String {
    done(&["census", "digest", "--data", data])
}

/// Returns the digest of a plan, computed in one undisturbed process.
pub(crate) fn undisturbed(plan: &[&str]) -> String {
    let dir = tempfile::tempdir().unwrap();
    let data = argument(dir.path());
    done(&[&["census", "run", "--data", data][..], plan].concat());
    digest(data)
}

/// Returns the status of a census; null while there is none.
pub(crate) fn status(data: &str) -> Value {
    let asked = output(&["census", "status", "--json", "--data", data]);
    serde_json::from_slice(&asked.stdout).unwrap_or_default()
}

/// Returns the number of records in a census, at work or not.
pub(crate) fn records(data: &str) -> u64 {
    let status = status(data);
    status["done"].as_u64().unwrap_or(0) + status["exhausted"].as_u64().unwrap_or(0)
}

/// Returns the address that a coordinator has noted in its directory.
pub(crate) fn address(data: &str) -> String {
    soon("an address", WAIT_TIMEOUT, || {
        let address = std::fs::read_to_string(Path::new(data).join("endpoint")).ok();
        address.filter(|address| !address.is_empty())
    })
}

/// Returns an address on this machine that is free now.
///
/// As far as one can know, no other process takes it within a test.
pub(crate) fn free_address() -> String {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    free.local_addr().unwrap().to_string()
}
