//! The state that all answers share.

use std::sync::{Arc, OnceLock};

use tokio::sync::Semaphore;

use misere_census::atlas::Atlas;
use misere_store::Store;
use misere_store::descriptors::Shares;

use super::browser_solver::BrowserSolver;
use super::census::Census;
use super::chart::Charts;
use super::error::RequestError;
use super::extra_data::ExtraData;
use super::live::{Latest, Live};
use super::occurring::{OccurrenceCache, Occurrences};
use super::threads::Threads;

/// The number of viewers of the live view at once, where there are connections for them.
const VIEWERS: usize = 64;

/// The state that all answers share.
#[derive(Clone, Debug)]
pub(crate) struct Site(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    census: Census,
    threads: Threads,
    viewers: Arc<Semaphore>,
    charts: Charts,
    atlas: Option<Atlas>,
    browser_solver: Option<BrowserSolver>,
    latest: Latest,
    counted: OccurrenceCache,
    /// The digest of a census that stays as it is.
    digest: OnceLock<String>,
}

impl Site {
    /// Creates the state of a census that is shown.
    ///
    /// Unknown nim-values are computed to heap `normal_heaps`, where there is time for it.
    pub(crate) fn new(census: Census, normal_heaps: Option<u32>, beside: ExtraData) -> Self {
        Self(Arc::new(Shared {
            charts: Charts::new(census.clone(), normal_heaps, beside.normal),
            census,
            threads: Threads::new(),
            viewers: Arc::new(Semaphore::new(VIEWERS.min(Shares::now().pages / 4))),
            atlas: beside.atlas,
            browser_solver: beside.browser_solver,
            latest: Latest::default(),
            counted: OccurrenceCache::default(),
            digest: OnceLock::new(),
        }))
    }

    pub(crate) fn census(&self) -> &Census {
        &self.0.census
    }

    pub(crate) fn charts(&self) -> &Charts {
        &self.0.charts
    }

    /// Returns the atlas that is shown beside the census.
    pub(crate) fn atlas(&self) -> Option<&Atlas> {
        self.0.atlas.as_ref()
    }

    /// Returns the solver for browsers that the pages offer.
    pub(crate) fn browser_solver(&self) -> Option<&BrowserSolver> {
        self.0.browser_solver.as_ref()
    }

    /// Returns the state of the census, as read within the last second.
    pub(crate) async fn live(&self) -> Result<Arc<Live>, RequestError> {
        let read = self.block(|site| Live::of(site.census()));
        self.0.latest.or_read(read).await
    }

    /// Sets the digest of a census that stays as it is.
    pub(crate) fn set_digest(&self, digest: &str) {
        // A second call changes nothing.
        let _ = self.0.digest.set(digest.to_owned());
    }

    /// Returns the digest of the census, unless it would have to be computed.
    pub(crate) fn digest(&self, store: &Store) -> Option<String> {
        let told = self.0.digest.get().cloned();
        told.or_else(|| Some(store.known_digest()?.to_string()))
    }

    /// Returns the classes that occur in the census. May block.
    pub(crate) fn occurrences(&self) -> Result<Arc<Occurrences>, RequestError> {
        self.0.counted.of(&*self.census().store()?)
    }

    pub(crate) fn viewers(&self) -> Arc<Semaphore> {
        Arc::clone(&self.0.viewers)
    }

    /// Calls a function that may block, on a thread for blocking work.
    pub(crate) async fn block<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Site) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        let site = self.clone();
        self.0.threads.block(move || work(&site)).await
    }

    /// Calls a function that may compute for seconds, on a thread for blocking work.
    ///
    /// # Errors
    /// As the function, or [`RequestError::Busy`] if other computations take too long.
    pub(crate) async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Site) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        let site = self.clone();
        self.0.threads.compute(move || work(&site)).await
    }

    /// Calls a function that reads the census, on a thread for blocking work.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        self.block(move |site| work(&*site.census().store()?)).await
    }
}
