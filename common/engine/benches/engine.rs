//! Benchmarks of the games of the engine's design table.
//!
//! Whole games through the public entry point, and the checker on their results.
//! `benches/README.md` compares the figures with those of the prototype and of MisereSolver.
#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use misere_check::check;
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::solution::Solution;

/// The code and the greatest heap of each game.
const GAMES: [(&str, u32); 10] = [
    ("0.123", 3_000),
    ("0.77", 3_000),
    ("0.115", 3_000),
    ("0.152", 3_000),
    ("0.644", 3_000),
    ("0.07", 3_000),
    ("0.37", 3_000),
    ("0.16", 3_000),
    ("0.004", 3_000),
    ("0.26", 120),
];

fn solved(code: &str, max_heap: u32, strategy: Strategy) -> Solution {
    let limits = Limits {
        max_heap,
        // The prototype proved no quotient infinite.
        max_evidence: 0,
        ..Limits::default()
    };
    solve(
        &code.parse().unwrap(),
        &limits,
        strategy,
        &mut Control::new(u64::MAX, Interrupt::default()),
    )
}

fn games(criterion: &mut Criterion) {
    let mut exact = criterion.benchmark_group("exact");
    exact.sample_size(10);
    for (code, max_heap) in GAMES {
        exact.bench_function(code, |bencher| {
            bencher.iter(|| solved(black_box(code), max_heap, Strategy::Exact))
        });
    }
    exact.finish();
    let mut classical = criterion.benchmark_group("classical");
    classical.sample_size(10);
    for (code, max_heap) in &GAMES[..5] {
        classical.bench_function(*code, |bencher| {
            bencher.iter(|| solved(black_box(code), *max_heap, Strategy::Classical));
        });
    }
    classical.finish();
    let mut checks = criterion.benchmark_group("check");
    checks.sample_size(10);
    for (code, max_heap) in GAMES {
        let solution = solved(code, max_heap, Strategy::Exact);
        checks.bench_function(code, |bencher| {
            bencher.iter(|| check(black_box(&solution)).unwrap())
        });
    }
    checks.finish();
}

criterion_group!(benches, games);
criterion_main!(benches);
