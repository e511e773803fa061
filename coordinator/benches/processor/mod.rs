//! Processor time of this process.

/// Returns the processor seconds of this process, by the kernel's count.
pub(crate) fn processor_seconds() -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name may contain parentheses, so the fields are counted from the last closing one. User
    // and system ticks are fields 14 and 15.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2);
    let ticks: u64 = ticks.filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    ticks as f64 / TICKS_PER_SECOND
}
