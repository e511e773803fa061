//! Benchmarks of each layer of the engine, and of the growth of its cost with heap and order.
//!
//! Two games whose quotients grow with every heap, each at several heaps. `benches/README.md` has
//! the table.
#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use misere_check::check;
use misere_engine::quotient::layers::Layers;
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::Control;
use misere_game::ruleset::Code;

const STAGES: [(&str, &[u32]); 2] = [("0.26", &[40, 80, 160]), ("0.142", &[20, 40, 60])];

type Layer = (&'static str, fn(&Layers<'_>) -> usize);

const LAYERS: [Layer; 5] = [
    ("gather", |layers| layers.gather()),
    ("reduction", |layers| layers.reduction()),
    ("kernel", |layers| layers.kernel()),
    ("verification", |layers| layers.verification()),
    ("extension", |layers| layers.extension()),
];

fn layers(criterion: &mut Criterion) {
    for (game, heaps) in STAGES {
        let code: Code = game.parse().unwrap();
        for &heap in heaps {
            let stage = Layers::at(&code, heap).unwrap();
            let at = format!(
                "{game} heap {heap} order {} levels {}",
                stage.order(),
                stage.levels()
            );
            for (layer, run) in LAYERS {
                let mut group = criterion.benchmark_group(layer);
                group.sample_size(10);
                group.bench_function(BenchmarkId::from_parameter(&at), |bencher| {
                    bencher.iter(|| run(black_box(&stage)));
                });
            }
            let limits = Limits {
                max_heap: heap,
                ..Limits::default()
            };
            let whole = || solve(&code, &limits, Strategy::Exact, &mut Control::unlimited());
            let mut group = criterion.benchmark_group("game");
            group.sample_size(10);
            group.bench_function(BenchmarkId::from_parameter(&at), |bencher| {
                bencher.iter(|| black_box(whole()));
            });
            group.finish();
            let solution = whole();
            let mut group = criterion.benchmark_group("check");
            group.sample_size(10);
            group.bench_function(BenchmarkId::from_parameter(&at), |bencher| {
                bencher.iter(|| check(black_box(&solution)));
            });
        }
    }
}

criterion_group!(benches, layers);
criterion_main!(benches);
