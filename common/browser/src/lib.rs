//! The solver and the checker in a browser.
//!
//! The module exports functions and the class [`Solution`] to JavaScript. They take and return
//! texts: the documents are those that the command prints with `--json`, made by the same functions
//! (`elapsed_s` is 0, since the module reads no clock). An error is an exception whose message is
//! the sentence of the command, and whose `name` is that of [`BrowserError::name`]. A computation
//! blocks its thread, so a page runs it in a worker and ends the worker to stop it.
//!
//! - `budget`: what a computation may cost
//! - `checked`: solutions that the checker has accepted
//! - `error`: the exceptions
//! - `forms`: simplest forms, and whether two games are equal
//! - `quotients`: quotients given by a name or a presentation, and the list of the small ones
//! - `progress`: the function that watches a computation

#![deny(
    unsafe_code,
    reason = "forbidding it would also forbid what the macros of wasm-bindgen write"
)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod budget;
mod checked;
mod error;
mod forms;
mod progress;
mod quotients;

pub use budget::Budget;
pub use checked::{Checked, genera, nim_values, verified};
pub use error::BrowserError;
pub use forms::{compared, simplest_form};
use js_sys::Function;
pub use quotients::{classified, identified, multiplied};
use wasm_bindgen::prelude::*;

/// A solution of a game that the checker has accepted.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Solution(Checked);

#[wasm_bindgen]
impl Solution {
    /// Solves a game as `misere solve CODE` does, and checks the result.
    ///
    /// `budget` is the JSON of a [`Budget`]; fields that are left out have the values of the
    /// command. `watcher` is called with the heap and the order at every step.
    ///
    /// # Errors
    /// A [`BrowserError`].
    pub fn solve(code: &str, budget: &str, watcher: Option<Function>) -> Result<Self, JsValue> {
        let solved = progress::watched(watcher, || Checked::solve(code, budget));
        Ok(Self(solved?))
    }

    /// Reads a certificate of `misere solve`, and checks it.
    ///
    /// # Errors
    /// A [`BrowserError`].
    pub fn read(certificate: &str) -> Result<Self, JsValue> {
        Ok(Self(Checked::read(certificate)?))
    }

    /// Returns the document of `misere solve --json`, which is the certificate.
    ///
    /// # Errors
    /// A [`BrowserError`].
    pub fn document(&self) -> Result<String, JsValue> {
        Ok(self.0.document()?)
    }

    /// Returns how the game ended, in one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        self.0.sentence()
    }

    /// Returns the document of `misere outcome --json` about a position, such as `3+5+1000000`.
    ///
    /// # Errors
    /// A [`BrowserError`].
    pub fn outcome(&self, position: &str, explain: bool) -> Result<String, JsValue> {
        Ok(self.0.outcome(position, explain)?)
    }
}

/// Checks a certificate of any kind, as `misere verify` does.
///
/// Returns the entry of `files` in the document of `misere verify --json`, without the name of a
/// file and the size of the binary form. `fuel` limits the check, if it is given.
///
/// # Errors
/// A [`BrowserError`] if the text is too long to be read; a false certificate is a result.
#[wasm_bindgen]
pub fn verify(certificate: &str, fuel: Option<f64>) -> Result<String, JsValue> {
    Ok(verified(certificate, fuel)?)
}

/// Returns the document of `misere solve CODE --normal --json`.
///
/// # Errors
/// A [`BrowserError`].
#[wasm_bindgen(js_name = nimValues)]
pub fn nim_values_in_browser(
    code: &str,
    budget: &str,
    watcher: Option<Function>,
) -> Result<String, JsValue> {
    Ok(progress::watched(watcher, || nim_values(code, budget))?)
}

/// Returns the document of `misere genus CODE --json`.
///
/// # Errors
/// A [`BrowserError`].
#[wasm_bindgen(js_name = genera)]
pub fn genera_in_browser(
    code: &str,
    budget: &str,
    watcher: Option<Function>,
) -> Result<String, JsValue> {
    Ok(progress::watched(watcher, || genera(code, budget))?)
}

/// Returns the rules of a game in words.
///
/// # Errors
/// A [`BrowserError`].
#[wasm_bindgen]
pub fn rules(code: &str) -> Result<String, JsValue> {
    Ok(misere_answers::rules::in_words(&checked::game(code)?))
}

/// Returns the document of `misere identify --json` about a name or a presentation.
///
/// # Errors
/// A [`BrowserError`].
#[wasm_bindgen]
pub fn identify(text: &str, budget: &str) -> Result<String, JsValue> {
    Ok(identified(text, budget)?)
}

/// Multiplies generators of a quotient, given by a name or a presentation.
///
/// # Errors
/// A [`BrowserError`].
#[wasm_bindgen]
pub fn multiply(quotient: &str, product: &str, budget: &str) -> Result<String, JsValue> {
    Ok(multiplied(quotient, product, budget)?)
}

/// Returns the document of `misere classify --order N --json`.
///
/// # Errors
/// A [`BrowserError`].
#[wasm_bindgen]
pub fn classify(order: u32, budget: &str) -> Result<String, JsValue> {
    Ok(classified(order, budget)?)
}

/// Returns the document of `misere form --json`.
///
/// # Errors
/// A [`BrowserError`].
#[wasm_bindgen]
pub fn form(game: &str, budget: &str) -> Result<String, JsValue> {
    Ok(simplest_form(game, budget)?)
}

/// Returns the document of `misere compare --json`.
///
/// # Errors
/// A [`BrowserError`].
#[wasm_bindgen]
pub fn compare(game: &str, other: &str, budget: &str) -> Result<String, JsValue> {
    Ok(compared(game, other, budget)?)
}
