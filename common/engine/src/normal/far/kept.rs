//! The checkpoint format of a computation of nim-values.
//!
//! The bytes are `b"misere normal 1\n"`, the BLAKE3 of the rest, then the length of the code and
//! its text, the fuel spent, the place of the row length, the mask, the parity, the heaps at which
//! to choose a space and to search for a period again, and the nim-values, a byte or two for each.
//! Numbers have eight bytes, the least first.

use misere_game::ruleset::Code;

use super::{Far, ROWS, UnsupportedGameError, Values};

const HEAD: &[u8] = b"misere normal 1\n";
const HASH_BYTES: usize = 32;

/// The reason why bytes are not a checkpoint of the computation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FarCheckpointError {
    /// The bytes do not begin like a checkpoint of normal play.
    #[error("it holds no checkpoint of normal play")]
    NoCheckpoint,
    /// The bytes were changed since they were written.
    #[error("the checkpoint is damaged: it does not have its checksum")]
    Damaged,
    /// The checkpoint belongs to another game.
    #[error("the checkpoint is one of {0}")]
    Code(String),
    /// The game cannot be computed in this way.
    #[error(transparent)]
    NotOctal(#[from] UnsupportedGameError),
}

impl Far {
    /// Returns the bytes from which [`from_bytes`](Self::from_bytes) resumes.
    ///
    /// `fuel` is the fuel spent in total.
    ///
    /// Cost: a byte or two for each heap.
    #[must_use]
    pub fn to_bytes(&self, fuel: u64) -> Vec<u8> {
        let text = self.code.to_string();
        let mut bytes = [HEAD, &[0; HASH_BYTES]].concat();
        bytes.extend((text.len() as u64).to_le_bytes());
        bytes.extend(text.as_bytes());
        let space = self.standing.space;
        let numbers = [
            fuel,
            self.room as u64,
            space.mask.into(),
            space.parity.into(),
            self.next_choice as u64,
            self.next_look as u64,
        ];
        bytes.extend(numbers.into_iter().flat_map(u64::to_le_bytes));
        match &self.values {
            Values::Narrow(values) => bytes.extend(values),
            Values::Wide(values) => bytes.extend(values.iter().flat_map(|v| v.to_le_bytes())),
        }
        let (head, rest) = bytes.split_at_mut(HEAD.len() + HASH_BYTES);
        head[HEAD.len()..].copy_from_slice(blake3::hash(rest).as_bytes());
        bytes
    }

    /// Reads a computation from bytes, and the fuel it had spent.
    ///
    /// The nim-values are trusted as they were written; the checker, which computes them again,
    /// judges the claims about them.
    ///
    /// Cost: time and memory proportional to the bytes.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_engine::normal::far::Far;
    /// let code = "0.16".parse()?;
    /// let mut far = Far::new(&code)?;
    /// far.run_until(1_000, |_, _| {}, &mut Control::unlimited());
    /// assert_eq!(Far::from_bytes(&far.to_bytes(7), &code)?, (far, 7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FarCheckpointError`] if the bytes are not a checkpoint of this game.
    pub fn from_bytes(bytes: &[u8], code: &Code) -> Result<(Self, u64), FarCheckpointError> {
        let rest = bytes
            .strip_prefix(HEAD)
            .ok_or(FarCheckpointError::NoCheckpoint)?;
        let (hash, rest) =
            (rest.split_at_checked(HASH_BYTES)).ok_or(FarCheckpointError::Damaged)?;
        if blake3::hash(rest).as_bytes() != hash {
            return Err(FarCheckpointError::Damaged);
        }
        let mut rest = rest;
        let text = number(&mut rest)?;
        let (text, after) = (rest.split_at_checked(text)).ok_or(FarCheckpointError::Damaged)?;
        rest = after;
        if text != code.to_string().as_bytes() {
            return Err(FarCheckpointError::Code(
                String::from_utf8_lossy(text).into_owned(),
            ));
        }
        let mut far = Self::new(code)?;
        let fuel = number(&mut rest)? as u64;
        far.room = number(&mut rest)?;
        far.standing.space.mask = number(&mut rest)? as u32;
        far.standing.space.parity = number(&mut rest)? == 1;
        far.next_choice = number(&mut rest)?;
        far.next_look = number(&mut rest)?;
        let length = *ROWS.get(far.room).ok_or(FarCheckpointError::Damaged)?;
        far.values = if length <= 256 {
            Values::Narrow(rest.to_vec())
        } else {
            let pairs = rest.as_chunks::<2>().0;
            Values::Wide(pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect())
        };
        let space = far.standing.space;
        let (greatest, known) = (far.values.greatest().0 as usize, far.values.len());
        let both = !far.moves.splits_have_one_parity();
        let sound = far.values.get(0) == Some(0)
            && greatest < length
            && known < u32::MAX as usize
            && space.mask != 0
            && !(space.parity && both)
            && far.next_choice > 0
            && far.next_look > 0;
        if !sound {
            return Err(FarCheckpointError::Damaged);
        }
        far.standing.rare = match &far.values {
            Values::Narrow(values) => space.rare_heaps(values),
            Values::Wide(values) => space.rare_heaps(values),
        };
        Ok((far, fuel))
    }
}

fn number(bytes: &mut &[u8]) -> Result<usize, FarCheckpointError> {
    let (number, rest) = (bytes.split_first_chunk()).ok_or(FarCheckpointError::Damaged)?;
    *bytes = rest;
    Ok(u64::from_le_bytes(*number) as usize)
}
