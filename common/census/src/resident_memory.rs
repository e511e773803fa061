//! The resident memory of a process, for guards that stop processes above a limit.
//!
//! Only Linux reports it, in `/proc/PROCESS/statm`, counted in pages. A page is 4 KiB on most
//! machines and 16 or 64 KiB on some with aarch64, so its size is queried.

/// Returns the resident memory in bytes of the process with this id, or of this one (`self`).
///
/// Returns `None` if the system does not report it, or the process is gone.
///
/// ```
/// # #[cfg(target_os = "linux")]
/// assert!(misere_census::resident_memory::resident_bytes("self") > Some(0));
/// ```
#[must_use]
pub fn resident_bytes(process: &str) -> Option<u64> {
    let statm = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    let page = u64::try_from(rustix::param::page_size()).ok()?;
    Some(pages.saturating_mul(page))
}
