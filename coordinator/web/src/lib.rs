//! The census over HTTP: pages for people, the same for programs, health and metrics.
//!
//! - [`page`]: the census as web pages (`templates/`, `assets/`)
//! - `api`: the same as JSON, with its description (`openapi.json`)
//! - [`http`]: what a coordinator at work serves: the pages, health and metrics
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod api;
pub mod http;
pub mod page;
