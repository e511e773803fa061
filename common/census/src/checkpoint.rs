//! The binary form of a checkpoint.
//!
//! A [`Checkpoint`] behind a version byte, with the game and the limits it belongs to: under other
//! limits the computation would have taken another course. (Fuel is not among them. A computation
//! with more fuel does the same for longer.)
//!
//! It is preceded by `SEALED` and a checksum of the rest, the first eight bytes of BLAKE3: a
//! damaged checkpoint is refused, not resumed from. Checkpoints of older releases have no checksum
//! and are still read.

use misere_engine::quotient::{Checkpoint, Divergence, Limits};
use misere_game::ruleset::Code;
use serde::{Deserialize, Serialize};

use crate::encoding::{self, EncodingError};

/// The greatest length of a checkpoint that is sent or stored, in bytes.
///
/// An order of 60,000 with 100 generators reaches it.
pub const MAX_CHECKPOINT_BYTES: usize = 64 << 20;

/// The version of the form, and of the engine's behaviour.
///
/// It changes whenever a computation would resume differently.
pub const CHECKPOINT_VERSION: u8 = 1;

/// The version of the form of a checkpoint at the end of a computation that diverges.
const DIVERGED_VERSION: u8 = 2;

/// The first byte of a checkpoint with a checksum.
const SEALED: u8 = 0xc5;
/// The length of the checksum.
const CHECKSUM_BYTES: usize = 8;

/// The reason why bytes are not a checkpoint of a computation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// The bytes do not state a checkpoint.
    #[error("unreadable checkpoint: {0}")]
    Encoding(#[from] EncodingError),
    /// The bytes were changed after they were written.
    #[error("the checkpoint is damaged: it does not have its checksum")]
    Damaged,
    /// The checkpoint belongs to another game.
    #[error("the checkpoint is one of {found}")]
    Code {
        /// That game.
        found: Code,
    },
    /// The checkpoint has more than [`MAX_CHECKPOINT_BYTES`].
    #[error("a checkpoint of {0} bytes is more than the {MAX_CHECKPOINT_BYTES} allowed")]
    TooLong(usize),
    /// The checkpoint belongs to other limits.
    #[error("the checkpoint belongs to other limits (greatest heap, order, copies, evidence)")]
    Limits,
}

#[derive(Serialize, Deserialize)]
struct StoredCheckpoint {
    code: Code,
    limits: Limits,
    checkpoint: Checkpoint,
}

#[derive(Serialize, Deserialize)]
struct StoredDivergence {
    kept: StoredCheckpoint,
    diverged: Divergence,
}

/// Returns the bytes of a checkpoint.
///
/// Cost: time and memory proportional to the bytes.
///
/// # Errors
/// [`CheckpointError::Encoding`] if it cannot be written, which does not happen.
pub fn encode(
    code: &Code,
    limits: &Limits,
    checkpoint: &Checkpoint,
) -> Result<Vec<u8>, CheckpointError> {
    let kept = StoredCheckpoint {
        code: code.clone(),
        limits: *limits,
        checkpoint: checkpoint.clone(),
    };
    let bytes = match checkpoint.diverged().cloned() {
        None => encoding::encode(CHECKPOINT_VERSION, &kept)?,
        Some(diverged) => encoding::encode(DIVERGED_VERSION, &StoredDivergence { kept, diverged })?,
    };
    Ok([&[SEALED], &checksum(&bytes)[..], &bytes].concat())
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let mut short = [0; CHECKSUM_BYTES];
    short.copy_from_slice(&blake3::hash(bytes).as_bytes()[..CHECKSUM_BYTES]);
    short
}

/// Returns the bytes behind a valid checksum, or all bytes if there is no checksum.
fn opened(bytes: &[u8]) -> Result<&[u8], CheckpointError> {
    let Some((&SEALED, rest)) = bytes.split_first() else {
        return Ok(bytes);
    };
    match rest.split_at_checked(CHECKSUM_BYTES) {
        Some((sum, bytes)) if sum == checksum(bytes) => Ok(bytes),
        _ => Err(CheckpointError::Damaged),
    }
}

/// Returns the checkpoint of this computation that bytes state.
///
/// Whether its content is sound is seen on resuming.
///
/// Cost: time proportional to the bytes, and at most six bytes of memory for each of them beside a
/// few megabytes.
///
/// ```
/// use misere_census::checkpoint::{CheckpointError, decode};
/// use misere_engine::quotient::Limits;
/// let (kayles, limits) = ("0.77".parse()?, Limits::default());
/// let found = decode(&[], &kayles, &limits);
/// assert!(matches!(found, Err(CheckpointError::Encoding(_))));
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
///
/// # Errors
/// [`CheckpointError`] if they state none, or one of another computation.
pub fn decode(bytes: &[u8], code: &Code, limits: &Limits) -> Result<Checkpoint, CheckpointError> {
    if bytes.len() > MAX_CHECKPOINT_BYTES {
        return Err(CheckpointError::TooLong(bytes.len()));
    }
    let opened = opened(bytes)?;
    let (kept, diverged) = match opened.first() {
        Some(&DIVERGED_VERSION) => {
            let read: StoredDivergence = encoding::decode(DIVERGED_VERSION, opened)?;
            (read.kept, Some(read.diverged))
        }
        _ => (
            encoding::decode::<StoredCheckpoint>(CHECKPOINT_VERSION, opened)?,
            None,
        ),
    };
    if kept.code != *code {
        return Err(CheckpointError::Code { found: kept.code });
    }
    if kept.limits != *limits {
        return Err(CheckpointError::Limits);
    }
    let checkpoint = kept.checkpoint;
    Ok(match diverged {
        Some(diverged) => checkpoint.with_diverged(diverged),
        None => checkpoint,
    })
}

#[cfg(test)]
mod tests {
    use misere_engine::quotient::{Strategy, solve_spaced};
    use misere_game::control::{Control, Interrupt};

    use super::*;

    #[test]
    fn only_of_the_same_computation() {
        let code: Code = "0.142".parse().unwrap();
        let limits = Limits {
            max_heap: 30,
            ..Limits::default()
        };
        let mut kept = None;
        let mut keep = |at: &Checkpoint| kept = Some(at.clone());
        let (exact, control) = (Strategy::Exact, &mut Control::unlimited());
        let _ = solve_spaced(&code, &limits, exact, None, &mut keep, 2_000_000, control);
        let kept = kept.unwrap();
        let bytes = encode(&code, &limits, &kept).unwrap();
        assert_eq!(decode(&bytes, &code, &limits).unwrap(), kept);
        let other: Code = "0.26".parse().unwrap();
        let found = code.clone();
        assert_eq!(
            decode(&bytes, &other, &limits),
            Err(CheckpointError::Code { found })
        );
        let further = Limits {
            max_heap: 101,
            ..limits
        };
        assert_eq!(
            decode(&bytes, &code, &further),
            Err(CheckpointError::Limits)
        );
        // The form of an older release.
        assert_eq!(
            decode(&bytes[1 + CHECKSUM_BYTES..], &code, &limits).unwrap(),
            kept
        );
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            assert!(decode(&flipped, &code, &limits).is_err(), "{at}");
        }
        for cut in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            assert!(decode(&bytes[..cut], &code, &limits).is_err());
        }
    }

    /// An interrupted search for evidence resumes with the engine's findings so far.
    #[test]
    fn the_search_for_evidence_resumes() {
        for (code, at_heap) in [("0.31011", 4), ("0.06", 16)] {
            let code: Code = code.parse().unwrap();
            let limits = Limits {
                max_evidence: 200_000,
                ..Limits::default()
            };
            let run = |from: Option<&Checkpoint>| {
                let mut kept = Vec::new();
                let mut keep = |at: &Checkpoint| kept.push(encode(&code, &limits, at).unwrap());
                let control = &mut Control::new(6_000_000, Interrupt::default());
                let exact = Strategy::Exact;
                let solution = solve_spaced(&code, &limits, exact, from, &mut keep, 100, control);
                (solution, kept)
            };
            let (whole, kept) = run(None);
            let last = decode(kept.last().unwrap(), &code, &limits).unwrap();
            assert!(last.diverged().is_some(), "{code}");
            assert_eq!((last.heap(), whole.heaps()), (at_heap, at_heap), "{code}");
            assert_eq!(run(Some(&last)), (whole, Vec::new()), "{code}");
        }
    }
}
