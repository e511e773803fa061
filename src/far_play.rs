//! `misere solve --normal` to many heaps.
//!
//! It computes nim-values in the sparse space of the game, keeps checkpoints, and writes a
//! certificate of their period.

use std::path::Path;
use std::time::Instant;

use misere_check::normal_period::{NormalPeriodCheckError, check};
use misere_engine::normal::far::{Far, StopReason};
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::normal_period::MAX_HEAPS;
use misere_game::solution::{NormalDocument, NormalPeriod};
use serde_json::{Value, json};

use misere_census::quantity::write_fuel;

use crate::checkpoint_file::{self, CheckpointFileError};
use crate::exit::{CommandError, Exit, Failure};
use crate::result_file::OutArgs;
use crate::terminal;
use crate::watch::{Guards, StoppedBy, Watch, stopped};

/// The limit on heaps whose nim-values are printed one by one.
pub const LISTED_HEAPS: u32 = 1_000_000;

/// The arguments of the computation: how far it goes, and where results are written.
pub struct Question<'a> {
    /// The game.
    pub code: &'a Code,
    /// The greatest heap to compute.
    pub max_heap: u32,
    /// The fuel to spend, including the fuel of the checkpoint.
    pub fuel: u64,
    /// The guards that may stop the computation.
    pub guards: Guards,
    /// The file of checkpoints.
    pub checkpoint: Option<&'a Path>,
    /// The file of the certificate.
    pub out: &'a OutArgs,
    /// Whether a JSON document is printed.
    pub json: bool,
}

/// The answer.
struct Answer {
    far: Far,
    ended: StopReason,
    stopped_by: Option<StoppedBy>,
    fuel: u64,
    elapsed_s: f64,
}

/// The reason why normal play is not computed to many heaps, or not listed.
#[derive(Debug, thiserror::Error)]
pub enum NormalPlayError {
    /// The game cannot be computed in the way requested.
    #[error(
        "--normal keeps no checkpoint and no certificate of this game, so leave out --checkpoint and --out: {0}"
    )]
    NotKept(String),
    /// The normal play of many games cannot be computed or listed as requested.
    #[error("{0}")]
    Refused(String),
    /// The checker refuted the period: either the period or the checker is wrong.
    #[error("the checker refutes the period of {code}: {flaw}; please report this as a bug")]
    RefutedPeriod {
        /// The game.
        code: String,
        /// The first thing wrong.
        flaw: NormalPeriodCheckError,
    },
}

impl CommandError for NormalPlayError {
    fn exit(&self) -> Exit {
        match self {
            Self::NotKept(_) => Exit::Usage,
            Self::Refused(_) => Exit::Failed,
            Self::RefutedPeriod { .. } => Exit::Refuted,
        }
    }
}

/// Computes nim-values, checks a period that is found, and prints the answer.
///
/// # Errors
/// A [`Failure`] if the game is not of this kind, the checkpoint belongs to another game, a
/// claim is refuted, or the answer cannot be written.
pub fn run(question: &Question<'_>) -> Result<Exit, Failure> {
    question.out.check_writable()?;
    let answer = compute(question)?;
    if let StopReason::Periodic(claim) = &answer.ended {
        prove(claim, question.guards)?;
    }
    let document = document(&answer)?;
    let written = question.out.write(&format!("{document}\n"));
    if question.json || question.out.is_standard_output() {
        terminal::print_json(&document)?;
    } else {
        terminal::print(&describe(&answer))?;
    }
    written?;
    Ok(match answer.ended {
        StopReason::Periodic(_) => Exit::Done,
        StopReason::Interrupted => Exit::Interrupted,
        StopReason::MaxHeap | StopReason::Fuel | StopReason::TooGreat => Exit::Exhausted,
    })
}

/// Refuses a heap beyond the range of the checker, where results could not be proved.
///
/// # Errors
/// [`NormalPlayError::Refused`].
fn within_reach(max_heap: u32) -> Result<(), NormalPlayError> {
    match max_heap > MAX_HEAPS {
        true => Err(NormalPlayError::Refused(format!(
            "claims about nim-values are checked to heap {MAX_HEAPS}, so a --max-heap of {max_heap} \
             is refused"
        ))),
        false => Ok(()),
    }
}

fn compute(question: &Question<'_>) -> Result<Answer, Failure> {
    within_reach(question.max_heap)?;
    let (mut far, spent) = start(question)?;
    let interrupt = Interrupt::default();
    let title = format!("{}: normal play", question.code);
    let watch = Watch::start(title, &interrupt, question.guards)?;
    let started = Instant::now();
    let mut control = Control::new(question.fuel.saturating_sub(spent), interrupt);
    let mut keep = |far: &Far, control: &Control| {
        if let Some(file) = question.checkpoint {
            checkpoint_file::replace(file, &far.to_bytes(spent + control.fuel_spent()));
        }
    };
    let ended = far.run_until(question.max_heap, &mut keep, &mut control);
    keep(&far, &control);
    Ok(Answer {
        stopped_by: watch.finish(),
        elapsed_s: started.elapsed().as_secs_f64(),
        fuel: spent + control.fuel_spent(),
        far,
        ended,
    })
}

/// Returns the computation to continue, and the fuel it has spent.
fn start(question: &Question<'_>) -> Result<(Far, u64), Failure> {
    let new =
        || Far::new(question.code).map_err(|error| NormalPlayError::NotKept(error.to_string()));
    let Some(file) = question.checkpoint else {
        return Ok((new()?, 0));
    };
    let Some(bytes) = checkpoint_file::bytes(file)? else {
        return Ok((new()?, 0));
    };
    let (far, fuel) = Far::from_bytes(&bytes, question.code)
        .map_err(|cause| CheckpointFileError::new(file, cause))?;
    notice!("going on from heap {} ({fuel} fuel spent)", far.heap());
    Ok((far, fuel))
}

fn prove(claim: &NormalPeriod, guards: Guards) -> Result<(), Failure> {
    let interrupt = Interrupt::default();
    let title = format!("{}: checking the period", claim.code);
    let watch = Watch::start(title, &interrupt, guards.of_the_check())?;
    let checked = check(claim, &mut Control::new(u64::MAX, interrupt));
    let by = watch.finish();
    match checked {
        Ok(()) => Ok(()),
        Err(NormalPeriodCheckError::Unchecked(_)) => {
            Err(stopped(by, "the period was checked, so the period is not printed").into())
        }
        Err(flaw) if flaw.is_too_large() => Err(NormalPlayError::Refused(format!(
            "the period was not checked, so it is not printed: {flaw}"
        ))
        .into()),
        Err(flaw) => Err(NormalPlayError::RefutedPeriod {
            code: claim.code.to_string(),
            flaw,
        }
        .into()),
    }
}

/// Returns the document: the certificate if the period is proved.
fn document(answer: &Answer) -> Result<Value, Failure> {
    let far = &answer.far;
    let limit = match answer.ended {
        StopReason::Periodic(_) => None,
        StopReason::MaxHeap => Some("max-heap"),
        StopReason::Fuel => Some("fuel"),
        StopReason::TooGreat => Some("nim-value"),
        StopReason::Interrupted => answer.stopped_by.map(StoppedBy::name),
    };
    let status = match answer.ended {
        StopReason::Interrupted => "interrupted",
        _ => "exhausted",
    };
    let mut document = claimed(far, &answer.ended, status)?;
    if let Some(limit) = limit {
        document["limit"] = limit.into();
    }
    document["fuel"] = answer.fuel.into();
    document["elapsed_s"] = answer.elapsed_s.into();
    document["engine"] = env!("CARGO_PKG_VERSION").into();
    Ok(document)
}

/// Returns the claim about normal play: the period with its proof, or the nim-values to a heap.
///
/// # Errors
/// Only if a document could not be made, which does not happen.
pub fn claimed(far: &Far, ended: &StopReason, status: &str) -> Result<Value, Failure> {
    let mut document = match ended {
        StopReason::Periodic(claim) => serde_json::to_value(NormalDocument::new(claim))?,
        _ => json!({
            "schema": 1,
            "code": far.code(),
            "convention": "normal",
            "status": status,
            "heaps": far.heap(),
            "period": null,
            "preperiod": null,
            "mask": far.space().mask,
            "parity": far.space().parity,
            "rare_heaps": far.rare(),
        }),
    };
    let heaps = match ended {
        StopReason::Periodic(claim) => claim.heaps,
        _ => far.heap(),
    };
    let marks = far.marks(heaps);
    document["max_nim_value"] = marks.last().map(|mark| mark.max_nim_value).into();
    document["marks"] = serde_json::to_value(marks)?;
    Ok(document)
}

fn describe(answer: &Answer) -> String {
    let far = &answer.far;
    let known = format!("nim-values known to heap {}", far.heap());
    let status = match &answer.ended {
        StopReason::Periodic(claim) => format!(
            "solved: period {} from heap {} on, proved by the heaps to {}",
            claim.period, claim.preperiod, claim.heaps
        ),
        StopReason::MaxHeap => format!("exhausted: greatest heap (raise --max-heap); {known}"),
        StopReason::Fuel => format!("exhausted: fuel (raise --fuel); {known}"),
        StopReason::TooGreat => format!("exhausted: the next nim-value is 65536 or more; {known}"),
        StopReason::Interrupted => {
            let by = (answer.stopped_by).map_or_else(String::new, |by| format!(" {by}"));
            format!("interrupted{by}: no verdict; {known}")
        }
    };
    let space = far.space();
    let counted = if space.parity {
        "the ones under the mask and the number of the heap"
    } else {
        "the ones under the mask"
    };
    let (greatest, at) = far.values().greatest();
    let rare = match far.rare().last() {
        None => "no heap is rare".to_owned(),
        Some(last) => format!("rare heaps {}, the last is heap {last}", far.rare().len()),
    };
    format!(
        "{}, normal play\n{status}\n\nlargest nim-value {greatest}, first of heap {at}; spent {} \
         fuel, {:.3} s\nsparse space: mask {:b} ({counted} tell rare from common); {rare}\n",
        console::style(far.code()).bold(),
        write_fuel(answer.fuel),
        answer.elapsed_s,
        space.mask,
    )
}
