//! `misere solve --normal`: nim-values and their period.
//!
//! The checker proves a period before it is printed. The document, with `--json` or `--out`, is a
//! certificate.

mod text;

use std::path::Path;
use std::time::Instant;

use misere_answers::nim_values::{self, Document, NimValues, NimValuesCheckError};
use misere_engine::normal::Ending;
use misere_engine::normal::far::Far;
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::normal_period::MAX_HEAPS;
use misere_game::solution::normal_values::LISTED_HEAPS;

use crate::checkpoint_file::{self, CheckpointFileError};
use crate::exit::{CommandError, Exit, Failure};
use crate::result_file::OutArgs;
use crate::terminal::{self, Page};
use crate::watch::{Guards, StoppedBy, Watch, stopped};

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
    found: NimValues,
    /// Whether all nim-values are listed.
    lists: bool,
    stopped_by: Option<StoppedBy>,
    fuel: u64,
    elapsed_s: f64,
}

/// The reason why normal play is not computed as asked, or not printed.
#[derive(Debug, thiserror::Error)]
pub enum NormalPlayError {
    /// The computation of the game has no checkpoints.
    #[error("--normal keeps no checkpoint of this game, so leave out --checkpoint: {0}")]
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
        flaw: NimValuesCheckError,
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
/// A [`Failure`] if the checkpoint belongs to another game or cannot be kept, a claim is refuted,
/// or the answer cannot be written.
pub fn run(question: &Question<'_>) -> Result<Exit, Failure> {
    question.out.check_writable()?;
    let answer = compute(question)?;
    prove(&answer.found, question.guards)?;
    let written = match question.out.is_named() {
        true => question
            .out
            .write(&terminal::json_line(&answer.document())?),
        false => Ok(()),
    };
    if question.json || question.out.is_standard_output() {
        terminal::print_json(&answer.document())?;
    } else {
        terminal::print(&text::describe(&answer, Page::of_stdout()))?;
    }
    written?;
    Ok(match answer.found.ending() {
        Some(Ending::Periodic(_) | Ending::Arithmetic(_)) => Exit::Done,
        Some(Ending::Exhausted(_)) | None => Exit::Exhausted,
        Some(Ending::Interrupted) => Exit::Interrupted,
    })
}

impl Answer {
    fn document(&self) -> Document<'_> {
        let by = self.stopped_by.map(StoppedBy::name);
        Document {
            fuel: Some(self.fuel),
            elapsed_s: Some(self.elapsed_s),
            ..self.found.document(self.lists, by)
        }
    }
}

fn compute(question: &Question<'_>) -> Result<Answer, Failure> {
    within_reach(question)?;
    let from = question.checkpoint.map(|file| start(file, question.code));
    let from = from.transpose()?;
    let spent = from.as_ref().map_or(0, |&(_, spent)| spent);
    let interrupt = Interrupt::default();
    let title = format!("{}: normal play", question.code);
    let watch = Watch::start(title, &interrupt, question.guards)?;
    let started = Instant::now();
    let control = &mut Control::new(question.fuel.saturating_sub(spent), interrupt);
    let found = match (from, question.checkpoint) {
        (Some((far, _)), Some(file)) => {
            let keep = |far: &Far, control: &Control| {
                checkpoint_file::replace(file, &far.to_bytes(spent + control.fuel_spent()));
            };
            let found = nim_values::in_blocks(far, question.max_heap, keep, control);
            if let NimValues::InBlocks(far, _) = &found {
                keep(far, control);
            }
            found
        }
        _ => nim_values::solve(question.code, question.max_heap, control),
    };
    Ok(Answer {
        found,
        lists: question.max_heap <= LISTED_HEAPS,
        stopped_by: watch.finish(),
        elapsed_s: started.elapsed().as_secs_f64(),
        fuel: spent + control.fuel_spent(),
    })
}

/// Refuses a heap beyond the range of the checker, where results could not be proved.
fn within_reach(question: &Question<'_>) -> Result<(), NormalPlayError> {
    let limit = match Far::new(question.code) {
        Ok(_) => MAX_HEAPS,
        Err(_) => LISTED_HEAPS,
    };
    match question.max_heap > limit {
        true => Err(NormalPlayError::Refused(format!(
            "claims about nim-values of this game are checked to heap {limit}, so a --max-heap of {} \
             is refused",
            question.max_heap
        ))),
        false => Ok(()),
    }
}

/// Returns the computation to continue, and the fuel it has spent.
fn start(file: &Path, code: &Code) -> Result<(Far, u64), Failure> {
    let new = || Far::new(code).map_err(|error| NormalPlayError::NotKept(error.to_string()));
    let Some(bytes) = checkpoint_file::bytes(file)? else {
        return Ok((new()?, 0));
    };
    let (far, fuel) =
        Far::from_bytes(&bytes, code).map_err(|cause| CheckpointFileError::new(file, cause))?;
    notice!("going on from heap {} ({fuel} fuel spent)", far.heap());
    Ok((far, fuel))
}

fn prove(found: &NimValues, guards: Guards) -> Result<(), Failure> {
    let interrupt = Interrupt::default();
    let title = format!("{}: checking the period", found.code());
    let watch = Watch::start(title, &interrupt, guards.of_the_check())?;
    let checked = found.prove(&mut Control::new(u64::MAX, interrupt));
    let by = watch.finish();
    match checked {
        Ok(()) => Ok(()),
        Err(flaw) if flaw.is_unchecked() => {
            Err(stopped(by, "the period was checked, so the period is not printed").into())
        }
        Err(flaw) if flaw.is_too_large() => Err(NormalPlayError::Refused(format!(
            "the period was not checked, so it is not printed: {flaw}"
        ))
        .into()),
        Err(flaw) => Err(NormalPlayError::RefutedPeriod {
            code: found.code().to_string(),
            flaw,
        }
        .into()),
    }
}
