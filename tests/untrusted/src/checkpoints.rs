//! Checkpoints: the state of a long computation, kept by the coordinator for another worker.

use misere_census::checkpoint::{decode, encode};
use misere_engine::normal::far::Far;
use misere_engine::quotient::{Limits, Strategy, solve_spaced};
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;

/// Fuel for resuming from a checkpoint: a fraction of a second.
const FUEL: u64 = 50_000;

/// Ticks to the next checkpoint: more than that fuel has.
const NEVER: u64 = 1 << 40;

/// Returns the game of the checkpoints that are read.
#[must_use]
pub fn game() -> Code {
    "0.142".parse().unwrap()
}

/// Returns the limits of the checkpoints that are read.
#[must_use]
pub fn limits() -> Limits {
    Limits {
        max_heap: 30,
        max_evidence: 0,
        ..Limits::default()
    }
}

/// Reads a checkpoint of 0.142, sealed or in the older form without a seal.
///
/// The bytes of the older form are easier to invent. What can be read is written as the same
/// checkpoint, and a computation resumes from it or ignores it.
pub fn checkpoint(bytes: &[u8]) {
    let (game, limits) = (game(), limits());
    let Ok(checkpoint) = decode(bytes, &game, &limits) else {
        return;
    };
    let written = encode(&game, &limits, &checkpoint).unwrap();
    assert_eq!(decode(&written, &game, &limits).as_ref(), Ok(&checkpoint));
    let control = &mut Control::new(FUEL, Interrupt::default());
    let keep = &mut |_: &_| ();
    let _ = solve_spaced(
        &game,
        &limits,
        Strategy::Exact,
        Some(&checkpoint),
        keep,
        NEVER,
        control,
    );
}

/// Returns the game of the checkpoints of normal play that are read.
#[must_use]
pub fn far_game() -> Code {
    "0.16".parse().unwrap()
}

/// Reads a checkpoint of the normal play of 0.16.
///
/// What can be read is written as the same checkpoint, and a computation resumes from it.
pub fn normal(bytes: &[u8]) {
    let game = far_game();
    let Ok((mut far, fuel)) = Far::from_bytes(bytes, &game) else {
        return;
    };
    let written = far.to_bytes(fuel);
    assert_eq!(
        Far::from_bytes(&written, &game).as_ref(),
        Ok(&(far.clone(), fuel))
    );
    let heap = far.heap();
    let control = &mut Control::new(FUEL, Interrupt::default());
    far.run_until(heap.saturating_add(100), |_, _| {}, control);
    assert!(far.heap() >= heap);
}
