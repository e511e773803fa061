//! Counts of the connections that were turned away, by reason.
//!
//! All are counted. Of consecutive ones with the same reason, one is logged every ten seconds, with
//! their number.

use std::fmt;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The least time between two lines of the log with one reason.
const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// The reason why a connection was closed or refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The client sent no request in time.
    Silent,
    /// The connection was the oldest waiting one when others came.
    Yielded,
    /// Too many connections are busy.
    Full,
    /// Too many connections of the same address are busy.
    Share,
    /// The certificate had most of the busy connections when another came.
    Certificate,
    /// The certificate is revoked.
    Revoked,
    /// The peer does not read what is sent.
    Slow,
    /// The system gave no descriptor for the connection.
    Accept,
}

impl Reason {
    /// All reasons, in the order of their declaration.
    pub const ALL: [Self; 8] = [
        Self::Silent,
        Self::Yielded,
        Self::Full,
        Self::Share,
        Self::Certificate,
        Self::Revoked,
        Self::Slow,
        Self::Accept,
    ];

    /// Returns the name of the reason for machines.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Silent => "silent",
            Self::Yielded => "yielded",
            Self::Full => "full",
            Self::Share => "share",
            Self::Certificate => "certificate",
            Self::Revoked => "revoked",
            Self::Slow => "slow",
            Self::Accept => "accept",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Silent => "no request came in time",
            Self::Yielded => "it waited for longest when others came",
            Self::Full => "too many connections are at work",
            Self::Share => "too many connections of its address are at work",
            Self::Certificate => "its certificate had most of the connections when another came",
            Self::Revoked => "its certificate is revoked",
            Self::Slow => "it does not read what is sent",
            Self::Accept => "the system has no descriptor for it",
        })
    }
}

/// Counts of the connections of a port that were turned away.
#[derive(Debug, Default)]
pub struct Rejections {
    counts: [AtomicU64; Reason::ALL.len()],
    logged: Mutex<[Option<LastLog>; Reason::ALL.len()]>,
}

#[derive(Clone, Copy, Debug)]
struct LastLog {
    at: Instant,
    /// The number of connections counted at that time.
    count: u64,
}

impl Rejections {
    /// Returns the number of connections turned away with a reason.
    #[must_use]
    pub fn count(&self, reason: Reason) -> u64 {
        self.counts[reason as usize].load(Ordering::Relaxed)
    }

    pub(super) fn note(&self, port: &str, peer: Option<SocketAddr>, reason: Reason) {
        let count = self.counts[reason as usize].fetch_add(1, Ordering::Relaxed) + 1;
        let now = Instant::now();
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        let last = &mut logged[reason as usize];
        if last.is_some_and(|last| now - last.at < LOG_INTERVAL) {
            return;
        }
        let before = last.map_or(0, |last| last.count);
        *last = Some(LastLog { at: now, count });
        drop(logged);
        let peer = peer.map(tracing::field::display);
        tracing::warn!(port, peer, %reason, count = count.saturating_sub(before), "connection turned away");
    }
}
