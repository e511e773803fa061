//! The handling of requests: their limits, and the form of answers.
//!
//! Requests must not slow down the coordinator: a fixed number of them read the store at once, each
//! for a limited time, on threads that may block. Answers carry headers that keep a browser from
//! fetching or running anything but our own files, and are not sent again to clients that have
//! them.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use askama::Template;
use axum::body::Body;
use axum::extract::{Query, Request};
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;

use misere_census::atlas::Atlas;
use misere_store::Store;
use misere_store::descriptors::Shares;

use super::cache::Cache;
use super::census::Census;
use super::chart::Charts;
use super::error::PageError;
use super::extra_data::ExtraData;
use super::live::Latest;
use super::math;
use super::nim::NimView;
use super::occurring::{OccurrenceCache, Occurrences};
use super::shell::Shell;
use super::structure::StructureTexts;

/// The number of requests that read the store at once.
const READERS: usize = 4;

/// The number of viewers of the live view at once, where there are connections for them.
const VIEWERS: usize = 64;

/// The time that a request may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(15);

/// The content policy of pages: no inline scripts or styles, no requests to others, no frames.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The content policy of pictures, which contain their own style and nothing else.
const PICTURE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The state that all pages share.
#[derive(Clone, Debug)]
pub(crate) struct Site(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    census: Census,
    readers: Arc<Semaphore>,
    viewers: Arc<Semaphore>,
    thinking: Arc<Semaphore>,
    charts: Charts,
    atlas: Option<Atlas>,
    latest: Latest,
    counted: OccurrenceCache,
    structures: Cache<Option<Arc<StructureTexts>>>,
    nim_views: Cache<NimView>,
    /// The digest of a census that stays as it is.
    digest: OnceLock<String>,
}

impl Site {
    /// Creates the state of the pages of a census.
    ///
    /// Unknown nim-values are computed to heap `normal_heaps`, where there is time for it.
    pub(crate) fn new(census: Census, normal_heaps: Option<u32>, beside: ExtraData) -> Self {
        Self(Arc::new(Shared {
            census,
            readers: Arc::new(Semaphore::new(READERS)),
            viewers: Arc::new(Semaphore::new(VIEWERS.min(Shares::now().pages / 4))),
            thinking: Arc::new(Semaphore::new(1)),
            charts: Charts::new(normal_heaps, beside.normal),
            atlas: beside.atlas,
            latest: Latest::default(),
            counted: OccurrenceCache::default(),
            structures: Cache::default(),
            nim_views: Cache::default(),
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

    pub(super) fn latest(&self) -> &Latest {
        &self.0.latest
    }

    /// Returns the structures of quotients that were shown.
    pub(super) fn structures(&self) -> &Cache<Option<Arc<StructureTexts>>> {
        &self.0.structures
    }

    /// Returns the genera and the normal play of games that were shown.
    pub(super) fn nim_views(&self) -> &Cache<NimView> {
        &self.0.nim_views
    }

    /// Sets the digest of a census that stays as it is.
    pub(crate) fn set_digest(&self, digest: &str) {
        // A second call changes nothing.
        let _ = self.0.digest.set(digest.to_owned());
    }

    /// Returns the digest of the census, unless it would have to be computed.
    pub(super) fn digest(&self, store: &Store) -> Option<String> {
        let told = self.0.digest.get().cloned();
        told.or_else(|| Some(store.known_digest()?.to_string()))
    }

    /// Returns the classes that occur in the census. May block.
    pub(crate) fn occurrences(&self) -> Result<Arc<Occurrences>, PageError> {
        self.0.counted.of(&*self.census().store()?)
    }

    pub(super) fn viewers(&self) -> Arc<Semaphore> {
        Arc::clone(&self.0.viewers)
    }

    /// Returns the permits to compute with a presentation that a person wrote.
    pub(super) fn thinking(&self) -> Arc<Semaphore> {
        Arc::clone(&self.0.thinking)
    }

    /// Calls a function that may block, on a thread for blocking work.
    pub(crate) async fn block<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Site) -> Result<T, PageError> + Send + 'static,
    ) -> Result<T, PageError> {
        let readers = Arc::clone(&self.0.readers);
        let permit = readers.acquire_owned().await.map_err(|_| PageError::Busy)?;
        let site = self.clone();
        let done = tokio::task::spawn_blocking(move || {
            let done = work(&site);
            // Released when the work is done, whether or not the caller still waits for it.
            drop(permit);
            done
        });
        done.await.map_err(|error| {
            tracing::error!(%error, "a page failed");
            PageError::Internal
        })?
    }

    /// Calls a function that reads the census, on a thread for blocking work.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, PageError> + Send + 'static,
    ) -> Result<T, PageError> {
        self.block(move |site| work(&*site.census().store()?)).await
    }
}

/// A page as HTML.
pub(super) struct Page(String);

impl Page {
    /// Renders a page. May take a while where there is much to set.
    pub(super) fn set(template: &impl Template) -> Result<Self, PageError> {
        Ok(Self(template.render()?))
    }
}

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        answer("text/html; charset=utf-8", self.0)
    }
}

/// Returns an answer that is not sent again to clients that have it.
pub(crate) fn answer(kind: &'static str, content: impl Into<Vec<u8>>) -> Response {
    let content = content.into();
    let hash = blake3::hash(&content).to_hex();
    let tag = format!("\"{}\"", &hash[..24]);
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::ETAG, tag),
    ];
    (headers, content).into_response()
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage {
    shell: Shell,
    status: u16,
    message: String,
    /// The advice, as HTML.
    advice: String,
}

/// Handles a request, and gives its answer the right form.
pub(super) async fn handle_request(request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let sought = sought(request.uri());
    let has = request.headers().get(header::IF_NONE_MATCH).cloned();
    let asked = tokio::time::timeout(REQUEST_TIMEOUT, next.run(request)).await;
    let mut response = asked.unwrap_or_else(|_| PageError::Busy.into_response());
    if let Some(failure) = response.extensions().get::<PageError>() {
        response = match is_api {
            true => crate::api::failure(failure),
            false => failure_page(failure, sought),
        };
    } else if has.is_some() && response.headers().get(header::ETAG) == has.as_ref() {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(header::CONTENT_LENGTH);
    }
    protect(&mut response);
    if is_api {
        // Pages of other sites may read public data; nothing can be changed here, and no cookie
        // identifies the visitor.
        let anybody = HeaderValue::from_static("*");
        response
            .headers_mut()
            .insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, anybody);
    }
    response
}

/// Returns the text that was written into the search box, so that it can be corrected.
fn sought(address: &Uri) -> String {
    let asked = Query::<Vec<(String, String)>>::try_from_uri(address);
    let asked = asked.map_or_else(|_| Vec::new(), |Query(asked)| asked);
    let sought = asked.into_iter().find(|(name, _)| name == "q");
    let text = sought.map_or_else(String::new, |(_, text)| text);
    text.chars()
        .filter(|c| !c.is_control())
        .take(4_000)
        .collect()
}

fn failure_page(failure: &PageError, sought: String) -> Response {
    let message = failure.to_string();
    let mut letters = message.chars().map(|c| match c.is_control() {
        true => char::REPLACEMENT_CHARACTER,
        false => c,
    });
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    let page = ErrorPage {
        shell: Shell {
            query: sought,
            ..Shell::bare("Nothing to show")
        },
        status: failure.status().as_u16(),
        message: first.into_iter().chain(letters.map(String::from)).collect(),
        advice: math::with_code(failure.advice()),
    };
    let mut response = match page.render() {
        Ok(html) => answer("text/html; charset=utf-8", html),
        Err(_) => failure.to_string().into_response(),
    };
    *response.status_mut() = failure.status();
    response
}

fn protect(response: &mut Response) {
    let headers = response.headers_mut();
    let is_picture = headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"image/svg"));
    let policy = if is_picture { PICTURE_POLICY } else { POLICY };
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
