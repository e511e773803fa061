//! The normal play of one game: how `misere solve --normal` and the page Solve answer.

use std::borrow::Cow;

use misere_check::arithmetic_period::{self, ArithmeticPeriodCheckError};
use misere_check::nim_values::{nim_values, proved_period};
use misere_check::normal_period::{self, NormalPeriodCheckError};
use misere_engine::normal::far::{Far, StopReason};
use misere_engine::normal::{Ending, NormalPlay, solve as solve_by_heaps};
use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::normal_period::CONVENTION;
use misere_game::solution::normal_values::LISTED_HEAPS;
use misere_game::solution::{ArithmeticPeriod, Limit, Mark};
use serde::Serialize;

/// The nim-values of a game, as far as they were computed.
#[derive(Clone, Debug)]
pub enum NimValues {
    /// In blocks of heaps, with the sparse space of the game.
    InBlocks(Box<Far>, StopReason),
    /// Heap by heap, where a game has no sparse space.
    ByHeaps(NormalPlay),
}

/// The fault of an answer that its check found, or the reason why there was no check.
#[derive(Debug, thiserror::Error)]
pub enum NimValuesCheckError {
    /// The checker refutes a period.
    #[error("{0}")]
    Normal(#[from] NormalPeriodCheckError),
    /// The checker refutes an arithmetic period.
    #[error("{0}")]
    Arithmetic(#[from] ArithmeticPeriodCheckError),
    /// The nim-values that the checker computes prove another period, or none.
    #[error("the checker proves {0:?}")]
    Period(Option<(u32, u32)>),
    /// The check was stopped.
    #[error("not checked to the end: {0}")]
    Stopped(#[from] Stop),
}

impl NimValuesCheckError {
    /// Reports whether the check was stopped, so that nothing is decided.
    #[must_use]
    pub fn is_unchecked(&self) -> bool {
        matches!(
            self,
            Self::Stopped(_)
                | Self::Normal(NormalPeriodCheckError::Unchecked(_))
                | Self::Arithmetic(ArithmeticPeriodCheckError::Unchecked(_))
        )
    }

    /// Reports whether the claim is too large to be checked.
    #[must_use]
    pub fn is_too_large(&self) -> bool {
        matches!(self, Self::Normal(flaw) if flaw.is_too_large())
    }
}

/// Computes nim-values to a period, or as far as heap `max_heap` and the fuel allow.
///
/// Cost: that of [`Far::run_until`], or else of [`misere_engine::normal::solve`].
///
/// ```
/// use misere_answers::nim_values::solve;
/// use misere_game::control::Control;
/// let control = &mut Control::unlimited();
/// let found = solve(&"0.77".parse()?, 1_000, control);
/// found.prove(control)?;
/// assert_eq!(found.document(true, None).period, Some(12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn solve(code: &Code, max_heap: u32, control: &mut Control) -> NimValues {
    if let Ok(far) = Far::new(code) {
        let found = in_blocks(far, max_heap, |_, _| {}, control);
        // Greater nim-values are computed heap by heap.
        if !matches!(found, NimValues::InBlocks(_, StopReason::TooGreat)) || max_heap > LISTED_HEAPS
        {
            return found;
        }
    }
    NimValues::ByHeaps(solve_by_heaps(code, max_heap, control))
}

/// Continues a computation in blocks like [`solve`]; `keep` is called for checkpoints.
#[must_use]
pub fn in_blocks(
    mut far: Far,
    max_heap: u32,
    keep: impl FnMut(&Far, &Control),
    control: &mut Control,
) -> NimValues {
    let ended = far.run_until(max_heap, keep, control);
    NimValues::InBlocks(Box::new(far), ended)
}

impl NimValues {
    /// Returns the game.
    #[must_use]
    pub fn code(&self) -> &Code {
        match self {
            Self::InBlocks(far, _) => far.code(),
            Self::ByHeaps(play) => &play.code,
        }
    }

    /// Returns the last heap of the answer: if a period is proved, that of its proof.
    #[must_use]
    pub fn heaps(&self) -> u32 {
        match self {
            Self::InBlocks(_, StopReason::Periodic(claim)) => claim.heaps,
            Self::InBlocks(far, _) => far.heap(),
            Self::ByHeaps(play) => play.nim_values.len() as u32 - 1,
        }
    }

    /// Returns why the computation ended; `None` if the next nim-value does not fit into two bytes.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        match self {
            Self::InBlocks(_, ended) => Ending::of(ended),
            Self::ByHeaps(play) => Some(play.ending),
        }
    }

    /// Returns the nim-values of the heaps from 0 to [`heaps`](Self::heaps).
    #[must_use]
    pub fn values(&self) -> Vec<u32> {
        match self {
            Self::InBlocks(far, _) => {
                let mut values = far.values().to_vec();
                values.truncate(self.heaps() as usize + 1);
                values
            }
            Self::ByHeaps(play) => play.nim_values.clone(),
        }
    }

    /// Proves the period, if one is claimed, by the checker.
    ///
    /// Cost: about that of the computation.
    ///
    /// # Errors
    /// [`NimValuesCheckError`].
    pub fn prove(&self, control: &mut Control) -> Result<(), NimValuesCheckError> {
        match self {
            Self::InBlocks(_, StopReason::Periodic(claim)) => {
                normal_period::check(claim, control)?;
            }
            Self::InBlocks(..) => {}
            Self::ByHeaps(play) => match play.ending {
                Ending::Periodic(found) => {
                    let values = nim_values(&play.code, self.heaps(), control)?;
                    let proved = proved_period(&values, &play.code, control)?;
                    if proved != Some((found.period, found.preperiod)) {
                        return Err(NimValuesCheckError::Period(proved));
                    }
                }
                Ending::Arithmetic(found) => {
                    arithmetic_period::check(&play.code, &found, control)?;
                }
                Ending::Exhausted(_) | Ending::Interrupted => {}
            },
        }
        Ok(())
    }

    /// Returns the document, which `misere verify` reads.
    ///
    /// The nim-values of a game with a sparse space are listed if `lists` is true. `stopped_by` is
    /// the cause of an interruption, if it is known.
    #[must_use]
    pub fn document<'a>(&'a self, lists: bool, stopped_by: Option<&'a str>) -> Document<'a> {
        let (status, limit) = match self.ending() {
            Some(Ending::Periodic(_) | Ending::Arithmetic(_)) => ("solved", None),
            Some(Ending::Exhausted(Limit::Fuel)) => ("exhausted", Some("fuel")),
            Some(Ending::Exhausted(_)) => ("exhausted", Some("max-heap")),
            Some(Ending::Interrupted) => ("interrupted", stopped_by),
            None => ("exhausted", Some("nim-value")),
        };
        let claim = match self {
            Self::InBlocks(far, ended) => Document::of_blocks(far, ended, status),
            Self::ByHeaps(play) => Document::of_heaps(play, self.heaps(), status),
        };
        let lists = lists || matches!(self, Self::ByHeaps(_));
        Document {
            limit,
            nim_values: lists.then(|| self.values()),
            engine: Some(env!("CARGO_PKG_VERSION")),
            ..claim
        }
    }
}

/// A document of normal play: schema 1, convention "normal".
#[derive(Clone, Debug, Serialize)]
#[allow(
    missing_docs,
    reason = "the field names are the contract; their meaning is in docs/reference"
)]
pub struct Document<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aliases: Option<&'a [Code]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arithmetic_period: Option<ArithmeticPeriod>,
    pub code: &'a Code,
    pub convention: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fuel: Option<u64>,
    pub heaps: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marks: Option<Vec<Mark>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mask: Option<u32>,
    pub max_nim_value: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nim_values: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parity: Option<bool>,
    pub period: Option<u32>,
    pub preperiod: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_heaps: Option<Cow<'a, [u32]>>,
    pub schema: u32,
    pub status: &'a str,
}

impl<'a> Document<'a> {
    fn new(code: &'a Code, heaps: u32, status: &'a str) -> Self {
        Self {
            aliases: None,
            arithmetic_period: None,
            code,
            convention: CONVENTION,
            elapsed_s: None,
            engine: None,
            fuel: None,
            heaps,
            limit: None,
            marks: None,
            mask: None,
            max_nim_value: None,
            nim_values: None,
            parity: None,
            period: None,
            preperiod: None,
            rare_heaps: None,
            schema: 1,
            status,
        }
    }

    /// Returns the claim of nim-values in blocks: the period with its proof, or the values to a
    /// heap.
    ///
    /// `status` is that of a claim without a period.
    #[must_use]
    pub fn of_blocks(far: &'a Far, ended: &'a StopReason, status: &'a str) -> Self {
        let claim = match ended {
            StopReason::Periodic(claim) => Self {
                mask: Some(claim.mask),
                parity: Some(claim.parity),
                period: Some(claim.period),
                preperiod: Some(claim.preperiod),
                rare_heaps: Some(Cow::Borrowed(&claim.rare)),
                ..Self::new(far.code(), claim.heaps, "solved")
            },
            _ => Self {
                mask: Some(far.space().mask),
                parity: Some(far.space().parity),
                rare_heaps: Some(Cow::Borrowed(far.rare())),
                ..Self::new(far.code(), far.heap(), status)
            },
        };
        let marks = far.marks(claim.heaps);
        Self {
            max_nim_value: marks.last().map(|mark| mark.max_nim_value),
            marks: Some(marks),
            ..claim
        }
    }

    fn of_heaps(play: &'a NormalPlay, heaps: u32, status: &'a str) -> Self {
        let claim = Self {
            max_nim_value: play.nim_values.iter().copied().max(),
            ..Self::new(&play.code, heaps, status)
        };
        match play.ending {
            Ending::Periodic(found) => Self {
                period: Some(found.period),
                preperiod: Some(found.preperiod),
                ..claim
            },
            Ending::Arithmetic(found) => Self {
                arithmetic_period: Some(found),
                ..claim
            },
            Ending::Exhausted(_) | Ending::Interrupted => claim,
        }
    }
}
