//! Small censuses: made in one process, asked how they stand, compared by their digests.

use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::process::{done, output};
use super::waiting::soon;

/// How long a coordinator may take to note its address, on a machine that is busy.
const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

/// A path as an argument.
pub(crate) fn argument(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The digest of a census.
pub(crate) fn digest(data: &str) -> String {
    done(&["census", "digest", "--data", data])
}

/// The digest of a plan, computed in one process that nobody disturbs.
pub(crate) fn undisturbed(plan: &[&str]) -> String {
    let dir = tempfile::tempdir().unwrap();
    let data = argument(dir.path());
    done(&[&["census", "run", "--data", data][..], plan].concat());
    digest(data)
}

/// How a census stands; null while there is none.
pub(crate) fn status(data: &str) -> Value {
    let asked = output(&["census", "status", "--json", "--data", data]);
    serde_json::from_slice(&asked.stdout).unwrap_or_default()
}

/// The number of records in a census, at work or not.
pub(crate) fn records(data: &str) -> u64 {
    let status = status(data);
    status["done"].as_u64().unwrap_or(0) + status["exhausted"].as_u64().unwrap_or(0)
}

/// The address that a coordinator has noted in its directory.
pub(crate) fn address(data: &str) -> String {
    soon("an address", WAIT_TIMEOUT, || {
        let address = std::fs::read_to_string(Path::new(data).join("endpoint")).ok();
        address.filter(|address| !address.is_empty())
    })
}

/// An address on this machine that is free now; nobody else takes it within a test, as far as one
/// can know.
pub(crate) fn free_address() -> String {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    free.local_addr().unwrap().to_string()
}
