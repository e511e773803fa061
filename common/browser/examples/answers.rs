//! Writes what the native program answers about each game of a list, a JSON object on each line.
//!
//! `tests/agreement.mjs` compares with it what the module answers.
//!
//!     cat tests/games.txt tests/questions.txt | cargo run --release --example answers
//!
//! A line of `questions.txt` begins with the name of a function.

#![allow(clippy::print_stdout, reason = "an example prints")]

use std::io::{BufRead, stdin};
use std::time::Instant;

use misere_browser::{
    BrowserError, Checked, classified, compared, genera, identified, multiplied, nim_values,
    simplest_form, verified,
};
use serde_json::{Value, json};

/// Returns a document, or the name and the sentence of the error.
fn answer(document: Result<String, BrowserError>) -> Value {
    match document {
        Ok(document) => Value::String(document),
        Err(error) => json!({ "name": error.name(), "message": error.to_string() }),
    }
}

fn main() -> std::io::Result<()> {
    for line in stdin().lock().lines() {
        let line = line?;
        // A game, a tab, a position, a tab, and the budget as JSON.
        let mut fields = line.split('\t');
        let mut field = || fields.next().unwrap_or_default();
        let (code, position, budget) = (field(), field(), field());
        let answered = match code {
            "identify" => Some(identified(position, "")),
            "classify" => Some(classified(position.parse().unwrap_or(0), "")),
            "form" => Some(simplest_form(position, "")),
            "multiply" => Some(multiplied(position, budget, "")),
            "compare" => Some(compared(position, budget, "")),
            _ => None,
        };
        if let Some(answered) = answered {
            println!("{}", json!({ "answer": answer(answered) }));
            continue;
        }
        let started = Instant::now();
        let solved = Checked::solve(code, budget);
        let elapsed_ms = started.elapsed().as_secs_f64() * 1_000.0;
        let (certificate, outcome, sentence) = match solved {
            Ok(solved) => (
                solved.document(),
                answer(solved.outcome(position, true)),
                solved.sentence(),
            ),
            Err(error) => (Err(error), Value::Null, String::new()),
        };
        let verified = certificate
            .as_ref()
            .ok()
            .map(|it| answer(verified(it, None)));
        let small = "{\"max_heap\": 20, \"fuel\": 300000}";
        println!(
            "{}",
            json!({
                "certificate": answer(certificate),
                "sentence": sentence,
                "outcome": outcome,
                "verified": verified,
                "nimValues": answer(nim_values(code, small)),
                "genera": answer(genera(code, small)),
                "elapsed_ms": elapsed_ms,
            })
        );
    }
    Ok(())
}
