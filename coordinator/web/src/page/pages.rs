//! The state of the pages: what they share with the API, and the facts that were computed for them.

use std::sync::Arc;

use axum::extract::FromRef;

use super::cache::Cache;
use super::nim::NimView;
use super::structure::StructureTexts;
use crate::view::error::RequestError;
use crate::view::site::Site;

/// The state of the pages.
#[derive(Clone, Debug)]
pub(crate) struct Pages {
    pub(super) site: Site,
    /// The structures of quotients that were shown.
    pub(super) structures: Arc<Cache<Option<Arc<StructureTexts>>>>,
    /// The genera and the normal play of games that were shown.
    pub(super) nim_views: Arc<Cache<NimView>>,
}

impl Pages {
    pub(crate) fn new(site: Site) -> Self {
        Self {
            site,
            structures: Arc::default(),
            nim_views: Arc::default(),
        }
    }

    /// Calls a function that may block, on a thread for blocking work.
    pub(super) async fn block<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        let pages = self.clone();
        self.site.block(move |_| work(&pages)).await
    }

    /// Calls a function that may compute for seconds, as [`Site::compute`] does.
    pub(super) async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        let pages = self.clone();
        self.site.compute(move |_| work(&pages)).await
    }
}

impl FromRef<Pages> for Site {
    fn from_ref(pages: &Pages) -> Self {
        pages.site.clone()
    }
}
