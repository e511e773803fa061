#!/bin/sh
# Prints how fast the engine is on the games of Figure 1 and how far it gets in games whose
# quotients grow: processor seconds of one thread and peak memory. It takes some minutes. FUEL
# bounds each game of the chart.
# Further measurements: `frontier guard CODE HEAP TIMES` is how long it takes to stop, and
# `frontier check CODE HEAP` how long it takes to check.
set -eu
cd "$(dirname "$0")/.."
FUEL=${FUEL:-10000000}
target=${CARGO_TARGET_DIR:-target}
"${CARGO:-cargo}" build --release --locked --quiet -p misere-engine --example frontier
frontier=$target/release/examples/frontier
export RAYON_NUM_THREADS=1

echo "Games solved, diverging, … of Figure 1 (fuel $FUEL each):"
"$frontier" chart "$FUEL" common/report/data/figure1_2007.csv

echo "Growing quotients:"
for game in "0.26 200" "4.7 150" "0.35 150" "0.54 300" "0.142 60"; do
    # shellcheck disable=SC2086
    "$frontier" reach $game
done
