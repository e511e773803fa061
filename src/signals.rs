//! The signals that end a computation: Ctrl-C, SIGTERM and SIGHUP, unless they are ignored.
//!
//! `nohup` has SIGHUP ignored, and a shell without job control has SIGINT ignored in its background
//! processes. A signal that was ignored when this process started stays ignored, as the user or the
//! shell intends.

use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use misere_census::output_file::abandon;

use crate::exit::Exit;
use crate::threads::ThreadsError;

/// The signals that end a computation.
const ENDING: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// The signals that were ignored at the start; bit n represents signal n + 1.
static IGNORED: OnceLock<u64> = OnceLock::new();

/// Whether a hang-up is a request, and does not end the process.
static HANGUP_IS_ORDER: AtomicBool = AtomicBool::new(false);

/// Makes SIGHUP a request to its listeners, which does not end the process any more.
#[cfg(feature = "census")]
pub fn take_hangups_for_orders() {
    HANGUP_IS_ORDER.store(true, Ordering::SeqCst);
}

/// Records which signals are ignored, before this process listens to any.
pub fn note_ignored() {
    let _ = is_ignored(SIGHUP);
}

/// Reports whether a signal was ignored when this process started.
///
/// If the system does not report it (elsewhere than on Linux) no signal was.
pub fn is_ignored(signal: i32) -> bool {
    let ignored = IGNORED.get_or_init(|| {
        let status = std::fs::read_to_string("/proc/self/status");
        ignored_in(&status.unwrap_or_default())
    });
    let bit = u32::try_from(signal - 1).ok();
    bit.and_then(|bit| ignored.checked_shr(bit))
        .is_some_and(|from| from & 1 == 1)
}

/// Parses the set of ignored signals in a status of `/proc`.
fn ignored_in(status: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|set| u64::from_str_radix(set.trim(), 16).ok())
        .unwrap_or_default()
}

/// Starts a thread that calls `heard` at each signal that ends a computation.
///
/// # Errors
/// An error if the system refuses the handlers or the thread.
pub fn listen(mut heard: impl FnMut() + Send + 'static) -> io::Result<()> {
    let listened: Vec<i32> = ENDING
        .into_iter()
        .filter(|&signal| !is_ignored(signal))
        .collect();
    let mut signals = Signals::new(listened)?;
    let thread = std::thread::Builder::new().name("signals".to_owned());
    let spawned = thread.spawn(move || {
        for signal in signals.forever() {
            if signal != SIGHUP || !HANGUP_IS_ORDER.load(Ordering::SeqCst) {
                heard();
            }
        }
    });
    match spawned {
        Ok(_) => Ok(()),
        Err(cause) => Err(ThreadsError::of(&cause).into()),
    }
}

/// Ends the process at once, with a line that says so, and removes temporary files.
///
/// No destructors run: the destructors of a database at work could end this process by a signal.
pub fn end_at_once() -> ! {
    let _nothing_more = abandon();
    crate::notice::last_line("interrupted by a signal");
    low_level::exit(Exit::Interrupted as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ignored_signals_are_read() {
        let status = "Name:\tmisere\nSigCgt:\t0000000000000002\nSigIgn:\t0000000000001003\n";
        assert_eq!(ignored_in(status), 0x1003);
        for unreadable in ["", "SigIgn:\n", "SigIgn:\tx\n"] {
            assert_eq!(ignored_in(unreadable), 0);
        }
        assert!(!is_ignored(0));
        assert!(!is_ignored(1000));
    }
}
