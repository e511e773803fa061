//! The census over HTTP: pages for people, an API for programs, health and metrics.
//!
//! - `view`: what is shown of a census, as data; `api` and `page` import it, and not each other's
//!   files
//! - [`page`]: the census as web pages (`templates/`, `assets/`)
//! - `api`: the census as JSON
//! - `request`: requests and answers over HTTP, for both
//! - [`copy`]: the pages as files, for any web server or none
//! - [`http`]: the HTTP server of a coordinator: pages, health and metrics
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod api;
pub mod copy;
pub mod http;
pub mod page;
mod request;
mod view;
