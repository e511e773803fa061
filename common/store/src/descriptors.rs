//! The file descriptors of the process, and their shares among its users.
//!
//! A connection takes a file descriptor of the process, and so does a table of the store. A store
//! that cannot open a file ends the census, so the store gets its share before any connection is
//! accepted, and connections are limited to the rest.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The descriptors of everything that is neither a table nor a connection.
///
/// These are the logs of the store, its directories, listeners, sockets of the owner, a backup, the
/// runtime.
const OWN: usize = 64;

/// The most tables that the store keeps open.
const STORE: usize = 256;

/// The most connections of the port for calls.
const CALLS: usize = 12_288;

/// The most connections of the port for pages.
const PAGES: usize = 320;

/// The shares of the file descriptors of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// The tables that the store keeps open.
    pub store: usize,
    /// The connections for calls of workers, readers and operators.
    pub calls: usize,
    /// The connections for pages and probes.
    pub pages: usize,
}

impl Shares {
    /// Returns the shares of a process that may have `limit` descriptors.
    ///
    /// Cost: none.
    ///
    /// ```
    /// use misere_store::descriptors::Shares;
    ///
    /// let shares = Shares::of(1_024);
    /// assert!(shares.store + shares.calls + shares.pages < 1_024);
    /// ```
    #[must_use]
    pub fn of(limit: usize) -> Self {
        let left = limit.saturating_sub(OWN);
        let store = (left / 3).clamp(16, STORE);
        let left = left.saturating_sub(store);
        let pages = (left / 4).clamp(12, PAGES);
        let calls = left.saturating_sub(pages).clamp(16, CALLS);
        Self {
            store,
            calls,
            pages,
        }
    }

    /// Returns the shares of this process under its present limit.
    ///
    /// Cost: one system call.
    ///
    /// ```
    /// use misere_store::descriptors::Shares;
    ///
    /// assert!(Shares::now().store > 0);
    /// ```
    #[must_use]
    pub fn now() -> Self {
        Self::of(limit())
    }
}

/// Returns the greatest number of descriptors that this process may have now.
fn limit() -> usize {
    let soft = getrlimit(Resource::Nofile).current;
    soft.map_or(usize::MAX, |soft| {
        usize::try_from(soft).unwrap_or(usize::MAX)
    })
}

/// Raises the limit of this process as far as the system allows, and returns the resulting shares.
///
/// A login shell gives 1,024 descriptors and lets a process have many more.
pub fn raise() -> Shares {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum {
        let raised = Rlimit {
            current: maximum,
            maximum,
        };
        if let Err(error) = setrlimit(Resource::Nofile, raised) {
            tracing::warn!(%error, soft = current, hard = maximum, "cannot raise the limit of open files");
        }
    }
    let shares = Shares::now();
    let Shares {
        store,
        calls,
        pages,
    } = shares;
    tracing::debug!(limit = limit(), store, calls, pages, "open files");
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_never_exceed_the_limit() {
        for limit in [128, 256, 512, 1_024, 4_096, 65_536, usize::MAX] {
            let Shares {
                store,
                calls,
                pages,
            } = Shares::of(limit);
            assert!(store + calls + pages + OWN <= limit, "{limit}");
            assert!(store >= 16 && calls >= 16 && pages >= 12, "{limit}");
        }
        let plenty = Shares::of(usize::MAX);
        assert_eq!(
            (plenty.store, plenty.calls, plenty.pages),
            (STORE, CALLS, PAGES)
        );
    }
}
