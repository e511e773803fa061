//! The pages of a census as files, for any web server or none.
//!
//! The pages are those of [`crate::page`], with addresses that lead from file to file. Features
//! that need a server are left out (the live view, the API), or replaced by a script with an index
//! of all games (the search).
//!
//! - `address`: which file holds the page at an address
//! - `rewriting`: the addresses within a page
//! - `index`: the games and classes, as the script of the search reads them
//! - `directory`: the writing of the files, and their hashes

mod address;
mod directory;
mod index;
mod rewriting;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use askama::Template;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use misere_game::control::Interrupt;
use misere_query::Query;
use misere_store::{Store, StoreError};
use tokio::task::JoinSet;
use tower::ServiceExt;

use crate::page::pages::Pages;
use crate::page::shell::Shell;
use crate::page::{assets, routes};
use crate::view::atlas;
use crate::view::census::Census;
use crate::view::error::RequestError;
use crate::view::extra_data::ExtraData;
use crate::view::site::Site;
use address::Places;
use directory::{Directory, Facts};

pub use directory::ExistingPages;

/// The number of pages that are made at once.
const AT_ONCE: usize = 4;

/// The number of games on a page of the list.
const GAMES_ON_A_PAGE: u64 = 1_000;

/// The reason why the pages were not written.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The census cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The directory contains something other than pages of a census.
    #[error(
        "`{}` holds something else than the pages of a census; choose an empty or new directory",
        .0.display()
    )]
    Foreign(PathBuf),
    /// The place has no name of its own.
    #[error("`{}` has no name of its own; name a new directory", .0.display())]
    NoName(PathBuf),
    /// The system's error about a file or directory.
    #[error("cannot write `{}`: {cause}", .place.display())]
    File {
        /// The file or directory.
        place: PathBuf,
        /// The error of the system.
        cause: std::io::Error,
    },
    /// A page cannot be made.
    #[error("the page {address} cannot be made: {cause}")]
    Page {
        /// The address of the page.
        address: String,
        /// The reason.
        cause: String,
    },
    /// A signal came first.
    #[error("interrupted after {done} of {pages} pages; the same command goes on from there")]
    Interrupted {
        /// The number of pages that are there.
        done: u64,
        /// The number of all pages.
        pages: u64,
    },
}

/// The pages that were written.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct CopySummary {
    /// The digest of the census.
    pub digest: String,
    /// The number of pages.
    pub pages: u64,
    /// The number of all files.
    pub files: u64,
    /// The length of all files together.
    pub bytes: u64,
    /// The pages that were there before.
    pub kept: ExistingPages,
}

/// The progress of a copy: the number of pages that are there, and of all pages.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    pages: AtomicU64,
}

impl Progress {
    /// Returns the number of finished pages, and of all pages; (0, 0) before they are counted.
    pub fn now(&self) -> (u64, u64) {
        let [done, pages] = [&self.done, &self.pages].map(|n| n.load(Ordering::Relaxed));
        (done, pages)
    }
}

/// Writes the pages of a census into a directory, which appears when all of them are there.
///
/// Pages that an earlier call wrote for the same census before it was stopped are reused. The
/// normal play of the games comes from `beside`, or is computed to heap `normal_heaps`.
///
/// # Errors
/// [`CopyError`] if the census cannot be read, a file cannot be written, or `interrupt` is raised.
pub async fn write(
    store: Store,
    place: &Path,
    (normal_heaps, beside): (u32, ExtraData),
    interrupt: &Interrupt,
    progress: &Progress,
) -> Result<CopySummary, CopyError> {
    let facts = Facts::of(&store, normal_heaps, &beside)?;
    let directory = match Directory::begin(place, &facts)? {
        directory::CopyStart::Directory(directory) => Arc::new(directory),
        directory::CopyStart::IsThere(written) => return Ok(written),
    };
    let places = Arc::new(Places::of(&store, &beside)?);
    let store = Arc::new(store);
    let site = Site::new(
        Census::still(Arc::clone(&store)),
        Some(normal_heaps),
        beside,
    );
    site.set_digest(&facts.digest);
    let pages = pages(&places);
    progress.pages.store(pages.len() as u64, Ordering::Relaxed);
    if places.has_games() {
        let (site, stop) = (site.clone(), interrupt.clone());
        let settled =
            tokio::task::spawn_blocking(move || site.charts().settle(normal_heaps, &stop)).await;
        if interrupt.is_raised() {
            return Err(CopyError::Interrupted {
                done: 0,
                pages: pages.len() as u64,
            });
        }
        settled
            .unwrap_or(Err(RequestError::Internal))
            .map_err(|cause| page_failed("/", &cause))?;
    }
    let maker = Arc::new(Maker {
        router: routes().with_state(Pages::new(site.clone())),
        site,
        places,
        directory: Arc::clone(&directory),
    });
    maker.search(&store)?;
    maker.data(&store, &facts)?;
    maker.lists().await?;
    let mut working = JoinSet::new();
    let mut waiting = pages.iter().cloned();
    let mut done = 0;
    loop {
        while working.len() < AT_ONCE
            && !interrupt.is_raised()
            && let Some(address) = waiting.next()
        {
            let maker = Arc::clone(&maker);
            working.spawn(async move { maker.page(&address).await });
        }
        let Some(made) = working.join_next().await else {
            break;
        };
        made.unwrap_or_else(|_| Err(page_failed("/", &RequestError::Internal)))?;
        done += 1;
        progress.done.store(done, Ordering::Relaxed);
    }
    let all = pages.len() as u64;
    if done < all {
        return Err(CopyError::Interrupted { done, pages: all });
    }
    drop(maker);
    directory.finish(&facts, all)
}

/// Returns the addresses of all pages.
fn pages(places: &Places) -> Vec<String> {
    let mut pages: Vec<String> = ["/quotients", "/glossary", "/about"]
        .map(str::to_owned)
        .into();
    if places.solves() {
        pages.push("/solve".to_owned());
    }
    if places.has_games() {
        pages.extend(["/", "/open"].map(str::to_owned));
        let lists = places.records().div_ceil(GAMES_ON_A_PAGE).max(1);
        pages.extend((0..lists).map(|list| {
            let offset = list * GAMES_ON_A_PAGE;
            format!("/games?limit={GAMES_ON_A_PAGE}&offset={offset}")
        }));
    }
    pages.extend(places.atlas().flat_map(|(path, listed)| {
        let offsets = (0..listed.max(1)).step_by(atlas::ON_A_PAGE);
        offsets.map(move |offset| atlas::at(&path, offset))
    }));
    pages.extend(places.orders().map(|order| format!("/quotients/{order}")));
    pages.extend(places.games().map(Places::game));
    pages.extend(places.classes().map(|(name, _)| format!("/class/{name}")));
    pages
}

fn page_failed(address: &str, cause: &dyn std::fmt::Display) -> CopyError {
    CopyError::Page {
        address: address.to_owned(),
        cause: cause.to_string(),
    }
}

/// The page of the search, which a script fills.
#[derive(Template)]
#[template(path = "copy_search.html")]
struct SearchPage {
    shell: Shell,
    index: String,
    script: String,
    /// Codes to search for, all of games in the census.
    codes: Vec<String>,
    /// Names of games to search for, all of games in the census.
    names: Vec<&'static str>,
}

/// The page about the files.
#[derive(Template)]
#[template(path = "copy_data.html")]
struct DataPage {
    shell: Shell,
    digest: String,
    version: &'static str,
    has_games: bool,
}

/// The maker of pages.
struct Maker {
    router: Router,
    site: Site,
    places: Arc<Places>,
    directory: Arc<Directory>,
}

impl Maker {
    /// Requests an address as a browser would.
    async fn ask(&self, address: &str) -> Result<Vec<u8>, CopyError> {
        let request = Request::get(address)
            .body(Body::empty())
            .map_err(|error| page_failed(address, &error))?;
        let response = match self.router.clone().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        if let Some(failure) = response.extensions().get::<RequestError>() {
            return Err(page_failed(address, failure));
        }
        if !response.status().is_success() {
            return Err(page_failed(address, &response.status()));
        }
        let body = to_bytes(response.into_body(), usize::MAX).await;
        Ok(body.map_err(|error| page_failed(address, &error))?.into())
    }

    /// Writes a page with the pictures and documents that belong to it.
    async fn page(&self, address: &str) -> Result<(), CopyError> {
        let Some(file) = self.places.file(address) else {
            return Err(page_failed(address, &RequestError::NoPage));
        };
        if self.directory.has(&file) {
            return Ok(());
        }
        let html = String::from_utf8(self.ask(address).await?)
            .map_err(|error| page_failed(address, &error))?;
        let (html, belonging) = rewriting::rewritten(&html, address, &file, &self.places);
        for address in belonging {
            let Some(file) = self.places.file(&address) else {
                return Err(page_failed(&address, &RequestError::NoPage));
            };
            if !self.directory.has(&file) {
                self.directory.put(&file, &self.ask(&address).await?)?;
            }
        }
        // Written last, so that a page that is there has everything that belongs to it.
        self.directory.put(&file, html.as_bytes())?;
        if address == "/quotients" && !self.places.has_games() {
            self.directory.put("index.html", html.as_bytes())?;
        }
        Ok(())
    }

    /// Writes all games as one CSV file and as one file of JSON lines.
    async fn lists(&self) -> Result<(), CopyError> {
        if !self.places.has_games() {
            return Ok(());
        }
        let (mut csv, mut lines) = (Vec::new(), Vec::new());
        for list in 0..self.places.records().div_ceil(GAMES_ON_A_PAGE).max(1) {
            let asked = format!("limit={GAMES_ON_A_PAGE}&offset={}", list * GAMES_ON_A_PAGE);
            let part = self.ask(&format!("/games.csv?{asked}")).await?;
            let head = match list {
                0 => 0,
                _ => part
                    .iter()
                    .position(|&byte| byte == b'\n')
                    .map_or(0, |end| end + 1),
            };
            csv.extend_from_slice(&part[head..]);
            let address = format!("/api/v1/games?{asked}");
            let part = self.ask(&address).await?;
            let part: BTreeMap<String, serde_json::Value> =
                serde_json::from_slice(&part).map_err(|error| page_failed(&address, &error))?;
            for game in part
                .get("games")
                .and_then(|games| games.as_array())
                .into_iter()
                .flatten()
            {
                lines.extend_from_slice(game.to_string().as_bytes());
                lines.push(b'\n');
            }
        }
        self.directory.put("games.csv", &csv)?;
        self.directory.put("games.jsonl", &lines)
    }

    /// Writes the page of the search, its script and its index, and the files of every page.
    fn search(&self, store: &Store) -> Result<(), CopyError> {
        for (address, content) in assets::all() {
            let file = address.trim_start_matches('/');
            self.directory.put(file, content.as_bytes())?;
        }
        let solver = self.site.browser_solver();
        for (name, content) in solver.iter().flat_map(|solver| solver.files()) {
            self.directory.put(&format!("solver/{name}"), content)?;
        }
        let index =
            index::text(store, &self.places).map_err(|error| page_failed("/search", &error))?;
        let script = include_str!("../../assets/search.js");
        let named = |name: &str, content: &str| {
            let hash = blake3::hash(content.as_bytes()).to_hex();
            format!("/assets/{name}.{}.js", &hash[..12])
        };
        let page = SearchPage {
            shell: Shell::of(&self.site, store, "", "Search"),
            index: named("index", &index),
            script: named("search", script),
            codes: self.codes_to_search_for(),
            names: self.names_to_search_for(),
        };
        for (address, content) in [(&page.index, index.as_str()), (&page.script, script)] {
            self.directory
                .put(address.trim_start_matches('/'), content.as_bytes())?;
        }
        self.own("/search", &page)
    }

    fn codes_to_search_for(&self) -> Vec<String> {
        let codes = self.places.examples(&["0.77", "4.4"]);
        codes.into_iter().map(str::to_owned).collect()
    }

    fn names_to_search_for(&self) -> Vec<&'static str> {
        let named = [("kayles", "0.77"), ("Dawson's Kayles", "0.07")];
        let is_there = |code: &str| self.places.games().any(|game| game == code);
        let there = named.into_iter().filter(|&(_, code)| is_there(code));
        there.map(|(name, _)| name).collect()
    }

    /// Writes the page about the files.
    fn data(&self, store: &Store, facts: &Facts) -> Result<(), CopyError> {
        let page = DataPage {
            shell: Shell::of(&self.site, store, address::DATA, "Data"),
            digest: facts.digest.clone(),
            version: env!("CARGO_PKG_VERSION"),
            has_games: self.places.has_games(),
        };
        self.own(address::DATA, &page)
    }

    /// Writes a page that is not on a server.
    fn own(&self, address: &str, page: &impl Template) -> Result<(), CopyError> {
        let file = self
            .places
            .file(address)
            .ok_or_else(|| page_failed(address, &RequestError::NoPage))?;
        let html = page
            .render()
            .map_err(|error| page_failed(address, &error))?;
        let (html, _) = rewriting::rewritten(&html, address, &file, &self.places);
        self.directory.put(&file, html.as_bytes())
    }
}

/// Calls a function with each record of the census.
fn each_record(
    store: &Store,
    mut with: impl FnMut(misere_query::KnownGame) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut failed = Ok(());
    misere_store::answers::visit(store, &Query::default(), &mut |game| match with(game) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failed = Err(error);
            ControlFlow::Break(())
        }
    })?;
    failed
}
