//! Do the pages work in a real browser?
//!
//! Headless Chromium, driven over the DevTools protocol. What was seen is kept as pictures in
//! `target/tmp/screenshots`. With `MISERE_CENSUS=DIR` the census in DIR is shown (it is only read),
//! otherwise one of three digits with little fuel is made first.
#![cfg(unix)]

mod chromium;
mod files;
mod pages;
