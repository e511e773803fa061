//! What is shown of a census, as data: read from the store, neither JSON nor HTML.
//!
//! [`crate::api`] writes it as JSON and [`crate::page`] as HTML, so that both say the same.
//!
//! - [`census`]: the census that is shown; [`extra_data`]: the files that are shown beside it
//! - [`site`]: the shared state; [`threads`]: the threads on which the store is read
//! - [`chart`], [`game`], [`games`], [`class`], [`identity`], [`occurring`], [`atlas`], [`live`]:
//!   the facts, by subject
//! - [`calculation`]: positions, products and comparisons
//! - [`description`]: the description of the API; [`schema`]: the forms of foreign documents in it
//! - [`error`]: the reason why there is nothing to show
//! - [`examples`]: the texts that can be searched for

pub(crate) mod atlas;
pub(crate) mod browser_solver;
pub(crate) mod calculation;
pub(crate) mod census;
pub(crate) mod chart;
pub(crate) mod class;
pub(crate) mod description;
pub(crate) mod error;
pub(crate) mod examples;
pub(crate) mod extra_data;
pub(crate) mod game;
pub(crate) mod games;
pub(crate) mod identity;
pub(crate) mod live;
pub(crate) mod occurring;
mod schema;
pub(crate) mod site;
mod threads;
