//! The seconds that the nim-values of a game take, and those that a check of them takes.
//!
//! `cargo run --release -p misere-engine --example normal_play -- 0.16 1000000` prints the sparse
//! space of the game, the period if one is proved, and the seconds that the computation and the
//! check took.

use std::time::Instant;

use misere_check::normal_period::{check, check_values};
use misere_engine::normal::far::{Far, StopReason};
use misere_game::control::Control;
use misere_game::solution::NormalValues;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let code = arguments
        .next()
        .unwrap_or_else(|| "0.16".to_owned())
        .parse()?;
    let heaps = arguments
        .next()
        .map_or(Ok(1_000_000), |text| text.parse())?;
    let mut far = Far::new(&code)?;
    let (started, mut control) = (Instant::now(), Control::unlimited());
    let ended = far.run_until(heaps, |_, _| {}, &mut control);
    let seconds = started.elapsed().as_secs_f64();
    let (greatest, at) = far.values().greatest();
    println!(
        "{code}: heap {}, {seconds:.2} s, {:.0} ns a heap, {} fuel; mask {:b}, parity {}, {} rare \
         heaps, the last {:?}; greatest nim-value {greatest} at heap {at}",
        far.heap(),
        seconds * 1e9 / f64::from(far.heap()),
        control.fuel_spent(),
        far.space().mask,
        far.space().parity,
        far.rare().len(),
        far.rare().last(),
    );
    if let StopReason::Periodic(claim) = ended {
        let started = Instant::now();
        let checked = check(&claim, &mut Control::unlimited());
        println!(
            "period {} from heap {} on, by heaps to {}; checked in {:.2} s: {checked:?}",
            claim.period,
            claim.preperiod,
            claim.heaps,
            started.elapsed().as_secs_f64(),
        );
        return Ok(());
    }
    let claim = NormalValues {
        code: far.code().clone(),
        heaps: far.heap(),
        mask: far.space().mask,
        parity: far.space().parity,
        rare: Some(far.rare().to_vec()),
        marks: Vec::new(),
    };
    let (started, mut control) = (Instant::now(), Control::unlimited());
    let checked = check_values(&claim, &mut control).map(|right| right.last);
    println!(
        "no period; checked in {:.2} s, {} fuel: {checked:?}",
        started.elapsed().as_secs_f64(),
        control.fuel_spent(),
    );
    Ok(())
}
