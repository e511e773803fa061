//! The file descriptors of the process, and the shares of those who need them.
//!
//! A connection takes a file descriptor of the process, and so does a table of the store. A store
//! that cannot open a file ends the census, so the store has its share before any connection is
//! taken, and connections are bounded by what is left.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Descriptors of everything that is neither a table nor a connection: the logs of the store, its
/// directories, listeners, sockets of the owner, a backup, the runtime.
const OWN: usize = 64;

/// The most tables that the store keeps open.
const STORE: usize = 256;

/// The most connections of the port for calls.
const CALLS: usize = 4_096;

/// The most connections of the port for pages.
const PAGES: usize = 320;

/// The shares of the file descriptors of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// Tables that the store keeps open.
    pub store: usize,
    /// Connections for calls: those of workers, readers and operators.
    pub calls: usize,
    /// Connections for pages and probes.
    pub pages: usize,
}

impl Shares {
    /// The shares of a process that may have `limit` descriptors.
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

    /// The shares of this process under its present limit.
    ///
    /// Cost: one call of the system.
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

/// The greatest number of descriptors that this process may have now.
fn limit() -> usize {
    let soft = getrlimit(Resource::Nofile).current;
    soft.map_or(usize::MAX, |soft| {
        usize::try_from(soft).unwrap_or(usize::MAX)
    })
}

/// Raises the limit of this process as far as the system lets it, and returns the shares that
/// follow. A login shell gives 1,024 descriptors and lets a process have many more.
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
