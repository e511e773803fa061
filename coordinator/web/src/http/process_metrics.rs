//! The metrics of the process, under the names that Prometheus gives them.
//!
//! They are read from `/proc`; on other systems only the build is known.

use super::metrics::Page;

/// Writes the version of the program, and what the process has of the machine.
pub(super) fn process(page: &mut Page) {
    page.family(
        "misere_build_info",
        "gauge",
        "The version of the program; always 1.",
    );
    page.line(
        &format!(
            "misere_build_info{{version=\"{}\"}}",
            env!("CARGO_PKG_VERSION")
        ),
        1,
    );
    #[cfg(target_os = "linux")]
    if let Err(error) = of_linux(page) {
        tracing::debug!(%error, "the process cannot be measured");
    }
}

#[cfg(target_os = "linux")]
fn of_linux(page: &mut Page) -> procfs::ProcResult<()> {
    let process = procfs::process::Process::myself()?;
    let stat = process.stat()?;
    let ticks = procfs::ticks_per_second() as f64;
    let booted = procfs::boot_time_secs()? as f64;
    let limit = process.limits()?.max_open_files.soft_limit;
    let descriptors = match limit {
        procfs::process::LimitValue::Unlimited => f64::INFINITY,
        procfs::process::LimitValue::Value(most) => most as f64,
    };
    for (name, kind, help, value) in [
        (
            "process_cpu_seconds_total",
            "counter",
            "Processor time in seconds.",
            (stat.utime + stat.stime) as f64 / ticks,
        ),
        (
            "process_resident_memory_bytes",
            "gauge",
            "Memory in use, in bytes.",
            (stat.rss * procfs::page_size()) as f64,
        ),
        (
            "process_virtual_memory_bytes",
            "gauge",
            "Address space in use, in bytes.",
            stat.vsize as f64,
        ),
        (
            "process_threads",
            "gauge",
            "Threads of the process.",
            stat.num_threads as f64,
        ),
        (
            "process_open_fds",
            "gauge",
            "Open file descriptors.",
            process.fd_count()? as f64,
        ),
        (
            "process_max_fds",
            "gauge",
            "The most file descriptors that may be open.",
            descriptors,
        ),
        (
            "process_start_time_seconds",
            "gauge",
            "The Unix time at which the process was started.",
            booted + stat.starttime as f64 / ticks,
        ),
    ] {
        page.family(name, kind, help);
        page.line(name, value);
    }
    Ok(())
}
