//! Attempts made ahead of their turn change neither the result nor the fuel.

use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::Solution;

/// Solves a game with this number of threads, and returns the fuel with the solution.
fn solved(code: &Code, limits: &Limits, fuel: u64, threads: usize) -> (Solution, u64) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap().install(|| {
        let mut control = Control::new(fuel, Interrupt::default()).with_idle_threads();
        let solution = solve(code, limits, Strategy::Exact, &mut control);
        (solution, control.ticks_spent())
    })
}

/// The games end in each of the searches, or in none.
#[test]
fn the_number_of_threads_changes_nothing() {
    for (code, evidence, is_proved) in [
        ("0.31011", 1_000_000, true),
        ("0.143", 300_000, true),
        ("0.344", 500_000, true),
        ("0.344", 150_000, false),
    ] {
        let code: Code = code.parse().unwrap();
        let limits = Limits {
            max_evidence: evidence,
            ..Limits::default()
        };
        let whole = solved(&code, &limits, 100_000_000, 1);
        let proved = whole.0.evidence.is_some();
        assert_eq!(proved, is_proved, "{code}");
        for threads in [2, 5] {
            let same = solved(&code, &limits, 100_000_000, threads);
            assert_eq!(same, whole, "{code}, {threads} threads");
        }
    }
}

/// Where the fuel ends in the middle of a search, it ends at the same place.
#[test]
fn the_fuel_ends_at_the_same_place() {
    let code: Code = "0.344".parse().unwrap();
    let limits = Limits {
        max_evidence: 150_000,
        ..Limits::default()
    };
    let (_, ticks) = solved(&code, &limits, 100_000_000, 1);
    for part in 1..8 {
        let fuel = ticks / 1_000 * part / 8;
        let alone = solved(&code, &limits, fuel, 1);
        let same = solved(&code, &limits, fuel, 3);
        assert_eq!(same, alone, "{fuel}");
    }
}
