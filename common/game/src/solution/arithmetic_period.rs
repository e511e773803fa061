//! The claim that the nim-values of a game grow for ever by the same amount from period to period.

use serde::{Deserialize, Serialize};

/// The claim that `G(h_{n + period}) = G(h_n) + saltus` for all `n ≥ preperiod`, with the data of
/// its proof.
///
/// Period and preperiod are the least. The theorem is in `docs/normal-play.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArithmeticPeriod {
    /// The least period.
    pub period: u32,
    /// The amount by which the nim-values grow in each period, at least 1.
    pub saltus: u32,
    /// The least heap from which on this holds, heaps counted from 0.
    pub preperiod: u32,
    /// The even multiple of the period by which heaps of options are made larger in the proof.
    pub step: u32,
    /// The heap to which nim-values must be computed for the proof.
    pub heaps: u32,
}
