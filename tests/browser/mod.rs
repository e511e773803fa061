//! Tests of the pages in a real browser.
//!
//! Headless Chromium is driven over the DevTools protocol. Pictures of the pages are kept in
//! `target/tmp/screenshots`. With `MISERE_CENSUS=DIR` the census in DIR is shown (it is only read),
//! otherwise one of three digits with little fuel is made first.
#![cfg(unix)]

pub(crate) mod chromium;
mod files;
mod pages;
