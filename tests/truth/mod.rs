//! Everything that the program says of a game is true, on every surface and under every name of the
//! game.
//!
//! A census is made (or given), and each surface (commands, pages, the interface for programs,
//! exports) is queried for every code and every alias. The answers are compared with the rules of
//! the game, executed literally, and with the solution of that very code, computed here and not
//! taken from the census. Each surface counts the facts compared, and has to compare a number of
//! facts of each code that it cannot lose without notice.
//!
//! `MISERE_BINARY` names another command to be judged, `MISERE_TRUTH_CENSUS` the directory of an
//! existing census. The table of facts compared is printed with `--nocapture`.
#![cfg(unix)]

mod api;
mod atlas;
mod certificates;
mod compared;
mod decisions;
mod exports;
mod figure1;
mod identify;
mod monoids;
mod pages;
mod plan;
mod query;
mod record;
mod remote;
mod reports;
mod rules;
mod sequences;
mod witnesses;
mod words;

use std::panic::{AssertUnwindSafe, catch_unwind};

use compared::{Expected, Surface, conclude};
use plan::Census;

/// A function that queries surfaces for every code of a census.
type Ask = fn(&Census) -> Vec<Surface>;

/// The queries, surface by surface.
const SURFACES: [(&str, Ask); 14] = [
    ("truth", witnesses::judge),
    ("query", query::judge),
    ("identify", identify::judge),
    ("reports", reports::judge),
    ("atlas", atlas::judge),
    ("figure1", figure1::judge),
    ("api", api::judge),
    ("certificates", certificates::judge),
    ("pages", pages::judge),
    ("decisions", decisions::judge),
    ("exports", exports::judge),
    ("monoids", monoids::judge),
    ("sequences", sequences::judge),
    ("remote", remote::judge),
];

/// Queries all surfaces, two at a time.
fn judge_all(census: &Census, expected: Expected) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let judged = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some((name, ask)) = SURFACES.get(at) else {
                        break;
                    };
                    // A surface that fails altogether must not hide the findings of the others.
                    let asked = catch_unwind(AssertUnwindSafe(|| ask(census)));
                    let surfaces = asked.unwrap_or_else(|_| vec![Surface::fallen(name)]);
                    // A large census takes an hour: show the progress.
                    for surface in &surfaces {
                        eprintln!("{surface}");
                    }
                    judged.lock().unwrap().push((at, surfaces));
                }
            });
        }
    });
    let mut judged = judged.into_inner().unwrap();
    judged.sort_by_key(|(at, _)| *at);
    let surfaces = judged.into_iter().flat_map(|(_, surfaces)| surfaces);
    conclude(surfaces, expected);
}

/// The programs that read an export, which `make other-programs` installs.
#[test]
#[ignore = "needs Python and GAP"]
fn what_python_and_gap_say_of_a_hundred_codes_is_true() {
    let surfaces = monoids::judge_programs(&Census::small());
    conclude(surfaces.into_iter(), Expected::All);
}

/// A hundred codes with all kinds of renumbering and all kinds of ending.
#[test]
fn everything_said_of_a_hundred_codes_is_true() {
    judge_all(&Census::small(), Expected::All);
}

/// Dawson's Kayles under three names, with fuel enough to see it diverge.
#[test]
fn everything_said_of_dawsons_kayles_is_true() {
    judge_all(&Census::dawson(), Expected::Some);
}

/// All octal games of three digits, from the census of `MISERE_TRUTH_CENSUS`, or one made here with
/// less fuel.
#[test]
#[ignore = "minutes; an hour with a census of the default plan"]
fn everything_said_of_all_octal_games_of_three_digits_is_true() {
    judge_all(&Census::three_digits(), Expected::Some);
}
