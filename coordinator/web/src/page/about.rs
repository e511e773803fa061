//! The page about the census itself: its completeness, its citation, and the sources of its data.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use misere_census::CensusDigest;

use misere_report::citation::Reference;
use misere_report::completeness::Completeness;

use super::shell::Shell;
use super::template::Page;
use crate::view::error::RequestError;
use crate::view::site::Site;

#[derive(Template)]
#[template(path = "about.html")]
struct About {
    shell: Shell,
    completeness: Arc<Completeness>,
    has_games: bool,
    reference: Reference,
}

/// Serves the page about the census.
pub(super) async fn page(State(site): State<Site>) -> Result<Page, RequestError> {
    site.block(|site| {
        let store = site.census().store()?;
        let digest: CensusDigest = store.digest()?;
        Page::set(&About {
            shell: Shell::of(site, &store, "/about", "About this census"),
            completeness: site.charts().latest()?.completeness,
            has_games: store.plan().space().has_games(),
            reference: Reference::census(&store.plan().space().to_string(), &digest.to_string()),
        })
    })
    .await
}
