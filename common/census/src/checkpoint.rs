//! How is it written down where a long computation stands?
//!
//! A [`Checkpoint`] behind a version byte, with the game and the limits it belongs to: under other limits the computation would have
//! gone another way. (Fuel is not among them. A computation that is given more of it does the same for longer.)

use misere_theory::quotient::{Checkpoint, Limits};
use misere_theory::ruleset::Code;
use serde::{Deserialize, Serialize};

use crate::encoding::{self, EncodingError};

/// The greatest checkpoint that is sent over a wire or kept in a census: that of an order of 60,000 with 100 generators.
pub const MAX_CHECKPOINT_BYTES: usize = 64 << 20;

/// The version of the form, and of the engine's ways: it changes whenever a computation would go on differently.
pub const CHECKPOINT_VERSION: u8 = 1;

/// Why bytes are no checkpoint of a computation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// The bytes state no checkpoint.
    #[error("unreadable checkpoint: {0}")]
    Encoding(#[from] EncodingError),
    /// It belongs to another game.
    #[error("the checkpoint is one of {found}")]
    Code {
        /// That game.
        found: Code,
    },
    /// More than [`MAX_CHECKPOINT_BYTES`].
    #[error("a checkpoint of {0} bytes is more than the {MAX_CHECKPOINT_BYTES} allowed")]
    TooLong(usize),
    /// It belongs to other limits.
    #[error("the checkpoint belongs to other limits (greatest heap, order, copies, evidence)")]
    Limits,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    code: Code,
    limits: Limits,
    checkpoint: Checkpoint,
}

/// The bytes of a checkpoint.
///
/// # Errors
/// [`CheckpointError::Encoding`] if it cannot be written, which does not happen.
pub fn encode(
    code: &Code,
    limits: &Limits,
    checkpoint: &Checkpoint,
) -> Result<Vec<u8>, CheckpointError> {
    let kept = Kept {
        code: code.clone(),
        limits: *limits,
        checkpoint: checkpoint.clone(),
    };
    Ok(encoding::encode(CHECKPOINT_VERSION, &kept)?)
}

/// The checkpoint of this computation that bytes state. Whether it is any good is seen when it is taken up.
///
/// # Errors
/// [`CheckpointError`] if they state none, or another's.
pub fn decode(bytes: &[u8], code: &Code, limits: &Limits) -> Result<Checkpoint, CheckpointError> {
    let kept: Kept = encoding::decode(CHECKPOINT_VERSION, bytes)?;
    if kept.code != *code {
        return Err(CheckpointError::Code { found: kept.code });
    }
    if kept.limits != *limits {
        return Err(CheckpointError::Limits);
    }
    Ok(kept.checkpoint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use misere_theory::control::Control;
    use misere_theory::quotient::{Strategy, solve_spaced};

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
        for cut in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            assert!(decode(&bytes[..cut], &code, &limits).is_err());
        }
    }
}
