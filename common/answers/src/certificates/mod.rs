//! Certificates as JSON documents, and whether they are true.
//!
//! A certificate is the JSON document of `misere solve`, `misere present` or `misere automaton`, or
//! the list of `misere classify`. The independent checker verifies its claim. Redundant fields for
//! readers (`tame`, `p_size`, `words`, `presentation`, names of generators) are computed again from
//! the claim and compared.

mod claim_kind;
mod derived;
mod error;
mod json_words;
pub mod normal_play;
pub mod presentation;
pub mod quotient_list;
pub mod regions;

use claim_kind::ClaimKind;
use derived::{as_it_follows, first_difference};
pub use error::{ClaimError, Finding};
use json_words::kind;
use misere_check::automaton;
use misere_game::control::Control;
use misere_game::ruleset::Code;
use misere_game::solution::{
    AutomatonDocument, DiagramFamily, Document, DocumentError, PresentedDocument,
    SemilinearDocument, Solution,
};
use serde::Serialize;
use serde_json::Value;

use crate::conclusion::InfiniteHeap;

/// The contents of a document, as far as it was read.
///
/// The fields are in the order of the document of `misere verify --json`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ClaimSummary {
    /// The game.
    pub code: Option<String>,
    /// The status that the document claims.
    pub status: Option<String>,
    /// The heap at which the game diverges, and that to which its quotient is said to be infinite,
    /// if the status is about them.
    #[serde(skip)]
    pub infinite: Option<InfiniteHeap>,
    /// The greatest heap.
    pub heaps: Option<u32>,
    /// The order of the quotient, or the greatest order of a list.
    pub order: Option<usize>,
    /// The number of quotients in a list of `misere classify`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quotients: Option<usize>,
    /// The degree to which the relations of a presentation reach.
    ///
    /// It is `None` if they present the quotient.
    #[serde(skip)]
    pub reach: Option<u32>,
    /// The number of heaps that a document does not cover.
    #[serde(skip)]
    pub silent: usize,
    /// The number of relations of a presentation of an infinite quotient.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relations: Option<usize>,
    /// The number of regions of the P-positions of an infinite quotient.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regions: Option<usize>,
    /// The number of states of an automaton.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<usize>,
}

/// A document whose every claim was proved.
#[derive(Clone, Debug)]
pub enum Proved {
    /// The solution of a game.
    Game(Box<Solution>),
    /// Nim-values of normal play, in a document of this length.
    NormalPlay {
        /// The length of the document in bytes.
        bytes: usize,
    },
    /// A list of quotients, or a claim about an infinite quotient or an automaton.
    Other,
}

/// Proves every claim of a document, and notes in `summary` what it claims as far as it is read.
///
/// ```
/// use misere_answers::certificates::{ClaimSummary, Finding, check};
/// use misere_engine::quotient::{Limits, Strategy, solve};
/// use misere_game::control::Control;
/// use misere_game::solution::Document;
/// let control = &mut Control::unlimited();
/// let solution = solve(&"0.123".parse()?, &Limits::default(), Strategy::Exact, control);
/// let text = serde_json::to_string(&Document::new(&solution))?;
/// let mut summary = ClaimSummary::default();
/// check(&text, &mut summary, control)?;
/// assert_eq!(summary.order, Some(20));
/// let forged = text.replace("\"period\":5", "\"period\":10");
/// let refused = check(&forged, &mut ClaimSummary::default(), control).unwrap_err();
/// assert_eq!(refused.finding(), Finding::Refuted);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Cost: as much as the claim takes to prove, which `control` bounds, and memory in proportion to
/// the text.
///
/// # Errors
/// The first [`ClaimError`].
pub fn check(
    text: &str,
    summary: &mut ClaimSummary,
    control: &mut Control,
) -> Result<Proved, ClaimError> {
    let written: Value = serde_json::from_str(text)?;
    if !written.is_object() {
        return Err(ClaimError::NoObject(kind(&written)));
    }
    match ClaimKind::of(&written)? {
        ClaimKind::List => {
            let list = quotient_list::check(written, control)?;
            // A list that was broken off names a greater order than it has.
            summary.order = Some(list.counts.keys().next_back().copied().unwrap_or_default());
            summary.quotients = Some(list.constructions.len());
        }
        ClaimKind::Presentation => {
            of_presentation(text, &written, summary, control)?;
        }
        ClaimKind::Regions => {
            of_regions(text, &written, summary, control)?;
        }
        ClaimKind::Automaton => of_automaton(text, &written, summary, control)?,
        ClaimKind::NormalPlay => {
            normal_play::check(text, &written, summary, control)?;
            let bytes = text.trim_end().len();
            return Ok(Proved::NormalPlay { bytes });
        }
        ClaimKind::Game => {
            let solution = of_game(text, &written, summary, control)?;
            return Ok(Proved::Game(Box::new(solution)));
        }
    }
    Ok(Proved::Other)
}

/// Proves the claim of a document about one game or an infinite quotient, and returns it.
///
/// ```
/// use misere_answers::certificates::claim;
/// use misere_game::control::Control;
/// let refused = claim("[]", &mut Control::unlimited()).unwrap_err();
/// assert!(refused.to_string().starts_with("is not a certificate"));
/// ```
///
/// Cost: as [`check`].
///
/// # Errors
/// The first [`ClaimError`]; a document of another kind is refused.
pub fn claim(text: &str, control: &mut Control) -> Result<Claim, ClaimError> {
    let written: Value = serde_json::from_str(text)?;
    let summary = &mut ClaimSummary::default();
    match ClaimKind::of(&written)? {
        ClaimKind::Presentation => Ok(of_presentation(text, &written, summary, control)?.into()),
        ClaimKind::Regions => Ok(of_regions(text, &written, summary, control)?.into()),
        ClaimKind::Automaton => Err(ClaimError::NoQuotient),
        ClaimKind::List | ClaimKind::NormalPlay | ClaimKind::Game => {
            let solution = of_game(text, &written, summary, control)?;
            Ok(Claim::Game(Box::new(solution)))
        }
    }
}

/// A claim that was checked.
#[derive(Clone, Debug)]
pub enum Claim {
    /// The solution of a game.
    Game(Box<Solution>),
    /// An infinite quotient: a presentation of it, or its P-positions.
    Quotient {
        /// The game.
        code: Code,
        /// The greatest heap of the quotient.
        heaps: u32,
        /// The proof that it is infinite, which decides its positions.
        diagram: Box<DiagramFamily>,
    },
}

impl From<PresentedDocument> for Claim {
    fn from(document: PresentedDocument) -> Self {
        Self::Quotient {
            code: document.code,
            heaps: document.heaps,
            diagram: Box::new(document.diagram),
        }
    }
}

impl From<SemilinearDocument> for Claim {
    fn from(document: SemilinearDocument) -> Self {
        Self::Quotient {
            code: document.code,
            heaps: document.heaps,
            diagram: Box::new(document.diagram),
        }
    }
}

/// Checks a presentation of an infinite quotient, and the redundant fields of its document.
fn of_presentation(
    text: &str,
    written: &Value,
    checked: &mut ClaimSummary,
    control: &mut Control,
) -> Result<PresentedDocument, ClaimError> {
    let document: PresentedDocument = serde_json::from_str(text)?;
    checked.code = Some(document.code.to_string());
    checked.status = Some(document.status.clone());
    checked.heaps = Some(document.heaps);
    checked.relations = Some(document.relations.len());
    checked.reach = (!document.complete).then_some(document.degree);
    checked.silent = document.silent_heaps.len();
    let presentation = document.presentation()?;
    let right = presentation::check(&document, &presentation, control)?;
    as_it_follows(written, &serde_json::to_value(right)?)?;
    Ok(document)
}

/// Checks the P-positions of an infinite quotient, as linear conditions.
fn of_regions(
    text: &str,
    written: &Value,
    checked: &mut ClaimSummary,
    control: &mut Control,
) -> Result<SemilinearDocument, ClaimError> {
    let document: SemilinearDocument = serde_json::from_str(text)?;
    checked.code = Some(document.code.to_string());
    checked.status = Some(document.status.clone());
    checked.heaps = Some(document.heaps);
    checked.regions = Some(document.regions.len());
    checked.silent = document.silent_heaps.len();
    document.check_version()?;
    let right = regions::check(&document, control)?;
    as_it_follows(written, &serde_json::to_value(right)?)?;
    Ok(document)
}

/// Checks an automaton that decides a game.
fn of_automaton(
    text: &str,
    written: &Value,
    checked: &mut ClaimSummary,
    control: &mut Control,
) -> Result<(), ClaimError> {
    let document: AutomatonDocument = serde_json::from_str(text)?;
    checked.code = Some(document.code.to_string());
    checked.status = Some(document.status.clone());
    checked.states = Some(document.automaton.heap.len());
    document.check_version()?;
    let (code, machine) = (document.code, document.automaton);
    automaton::check(&code, &machine, control)?;
    let infinite = automaton::shows_infinite(&code, &machine);
    let right = AutomatonDocument::new(code, machine, infinite);
    as_it_follows(written, &serde_json::to_value(right)?)
}

/// Returns the solution that a certificate of one game claims, after checking it.
fn of_game(
    text: &str,
    written: &Value,
    checked: &mut ClaimSummary,
    control: &mut Control,
) -> Result<Solution, ClaimError> {
    let document: Document = serde_json::from_str(text)?;
    // The parser would also accept the fields of the quotient in their order, without names; then
    // the redundant fields for readers could not be compared.
    if let Some(quotient) = written.get("quotient").filter(|value| !value.is_object()) {
        return Err(ClaimError::QuotientNoObject(kind(quotient)));
    }
    checked.code = Some(document.code.to_string());
    checked.status = Some(document.status.clone());
    checked.heaps = Some(document.heaps);
    checked.order = Some(document.quotient.order);
    if document.all_heaps.is_none() {
        checked.infinite = document
            .diverges_at
            .map(|heap| InfiniteHeap::new(heap, document.infinite_to.unwrap_or(heap)));
    }
    let solution = document.into_solution().map_err(|error| match error {
        DocumentError::Schema(_) | DocumentError::Convention(_) => ClaimError::Version(error),
        _ => ClaimError::Contradiction(error),
    })?;
    misere_check::check_within(&solution, control)?;
    let derived = serde_json::to_value(Document::new(&solution))?;
    match first_difference(written, &derived) {
        Some(fault) => Err(fault),
        None => Ok(solution),
    }
}
