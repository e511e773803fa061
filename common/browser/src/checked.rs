//! Solutions that the checker has accepted, and the other documents.
//!
//! Nothing here knows JavaScript, so that native tests run it.

use misere_algebra::forms::sequence;
use misere_answers::certificates::{self, Claim, ClaimSummary, Finding};
use misere_answers::effort::{GENERA_HEAP, SOLVE_FUEL};
use misere_answers::genera::Genera;
use misere_answers::{
    Answer, Conclusion, Effort, RefutedError, UndecidedError, nim_values as values,
};
use misere_engine::quotient::{self, Limits, Strategy};
use misere_game::control::{Control, Interrupt};
use misere_game::position::Position;
use misere_game::ruleset::Code;
use misere_game::solution::{Document, Solution};
use serde::Serialize;

use crate::{BrowserError, Budget, progress};

/// The most bytes of a game or of a position.
pub(crate) const MAX_NAME: usize = 1 << 20;

/// The most bytes of a certificate.
const MAX_CERTIFICATE: usize = 64 << 20;

/// The most moves that an explanation lists, as in the command's document.
const MAX_EXPLAINED: usize = 1_000;

/// A solution that the checker has accepted, with the fuel that answers from it may cost.
#[derive(Clone, Debug)]
pub struct Checked {
    solution: Solution,
    fuel: u64,
    /// The largest heap that counts as known is that of the solution, since nothing was computed.
    is_read: bool,
}

impl Checked {
    /// Solves a game within a [`Budget`], and checks the result.
    ///
    /// ```
    /// use misere_browser::Checked;
    /// let kayles = Checked::solve("kayles", "{\"fuel\": 60000000}")?;
    /// assert!(kayles.document()?.contains("\"order\":40"));
    /// # Ok::<(), misere_browser::BrowserError>(())
    /// ```
    ///
    /// Cost: the budget, and the check, which takes about as long.
    ///
    /// # Errors
    /// [`BrowserError`] if the code or the budget is not understood, or the checker refutes the
    /// result, which is an error of the program.
    pub fn solve(code: &str, budget: &str) -> Result<Self, BrowserError> {
        let (code, budget) = (game(code)?, Budget::parse(budget)?);
        let fuel = budget.fuel.unwrap_or(SOLVE_FUEL);
        let mut control = Control::new(fuel, progress::handle());
        let limits = budget.limits();
        let solution = quotient::solve(&code, &limits, Strategy::Exact, &mut control);
        misere_check::check(&solution).map_err(|flaw| RefutedError {
            code: code.to_string(),
            flaw,
        })?;
        Ok(Self {
            solution,
            fuel,
            is_read: false,
        })
    }

    /// Reads and checks a certificate of `misere solve`.
    ///
    /// Cost: memory in proportion to the text, and the time that the claim takes to prove.
    ///
    /// # Errors
    /// [`BrowserError`] if it is too long, not a certificate, or false.
    pub fn read(certificate: &str) -> Result<Self, BrowserError> {
        bounded("a certificate", certificate, MAX_CERTIFICATE)?;
        match certificates::claim(certificate, &mut Control::unlimited())? {
            Claim::Game(solution) => Ok(Self {
                solution: *solution,
                fuel: SOLVE_FUEL,
                is_read: true,
            }),
            Claim::Quotient { .. } => Err(BrowserError::NoGame),
        }
    }

    /// Returns the certificate, as JSON.
    ///
    /// # Errors
    /// [`BrowserError::Unwritable`].
    pub fn document(&self) -> Result<String, BrowserError> {
        let mut document = Document::new(&self.solution);
        document.engine = env!("CARGO_PKG_VERSION").to_owned();
        Ok(serde_json::to_string(&document)?)
    }

    /// Returns how the game ended, in one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        Conclusion::of(&self.solution).sentence()
    }

    /// Decides a position, and returns the document of `misere outcome --json`.
    ///
    /// ```
    /// use misere_browser::Checked;
    /// let answer = Checked::solve("0.77", "")?.outcome("1000000 + 999999", false)?;
    /// assert!(answer.contains("\"outcome\":\"N\""));
    /// # Ok::<(), misere_browser::BrowserError>(())
    /// ```
    ///
    /// Cost: seconds at most ([`Effort::within`]), but for nim-values, which may take the fuel of
    /// the solution.
    ///
    /// # Errors
    /// [`BrowserError`] if the text is not a position, or is not decided.
    pub fn outcome(&self, position: &str, explain: bool) -> Result<String, BrowserError> {
        bounded("a position", position, MAX_NAME)?;
        let position = Position::parse(&self.solution.code, position)?;
        let effort = Effort::within(self.fuel);
        let explained = explain.then_some(MAX_EXPLAINED);
        let control = &mut Control::unlimited();
        let answer = Answer::new(&self.solution, &position, effort, explained, control)?;
        let largest = position.largest();
        let mut answer = answer.ok_or_else(|| UndecidedError::new(&self.solution, largest, ""))?;
        if self.is_read {
            answer.heaps = largest.max(self.solution.heaps());
        }
        Ok(serde_json::to_string(&answer)?)
    }
}

/// What `misere verify --json` says of one document.
#[derive(Debug, Serialize)]
struct Verified {
    result: Finding,
    #[serde(flatten)]
    claim: ClaimSummary,
    reason: Option<String>,
}

/// Checks a certificate of any kind, and returns the finding as JSON.
///
/// ```
/// use misere_browser::{Checked, verified};
/// let certificate = Checked::solve("0.123", "")?.document()?;
/// assert!(verified(&certificate, None)?.starts_with("{\"result\":\"verified\""));
/// # Ok::<(), misere_browser::BrowserError>(())
/// ```
///
/// Cost: memory in proportion to the text, and the time that the claim takes to prove, or `fuel`.
///
/// # Errors
/// [`BrowserError::TooLarge`]; a certificate that is false or not understood is a finding.
pub fn verified(certificate: &str, fuel: Option<f64>) -> Result<String, BrowserError> {
    bounded("a certificate", certificate, MAX_CERTIFICATE)?;
    // A number of JavaScript; a negative one cannot be fuel.
    let fuel = fuel.map_or(u64::MAX, |fuel| fuel as u64);
    let mut control = Control::new(fuel, Interrupt::default());
    let mut claim = ClaimSummary::default();
    let fault = certificates::check(certificate, &mut claim, &mut control).err();
    Ok(serde_json::to_string(&Verified {
        result: fault.as_ref().map_or(Finding::Verified, |it| it.finding()),
        claim,
        reason: fault.map(|it| it.to_string()),
    })?)
}

/// Returns the document of `misere solve CODE --normal --json`.
///
/// Cost: the budget, and 4 bytes for each heap.
///
/// # Errors
/// [`BrowserError`] if the code or the budget is not understood.
pub fn nim_values(code: &str, budget: &str) -> Result<String, BrowserError> {
    let (code, budget) = (game(code)?, Budget::parse(budget)?);
    let fuel = budget.fuel.unwrap_or(SOLVE_FUEL);
    let max_heap = budget.max_heap.unwrap_or(Limits::default().max_heap);
    let mut control = Control::new(fuel, progress::handle());
    let found = values::solve(&code, max_heap, &mut control);
    let document = values::Document {
        fuel: Some(control.fuel_spent()),
        elapsed_s: Some(0.0),
        ..found.document(true, None)
    };
    // The page prints no period that the checker refutes.
    found.prove(&mut Control::new(u64::MAX, progress::handle()))?;
    Ok(serde_json::to_string(&document)?)
}

/// Returns the document of `misere genus CODE --json`.
///
/// Cost: the budget.
///
/// # Errors
/// [`BrowserError`] if the code or the budget is not understood.
pub fn genera(code: &str, budget: &str) -> Result<String, BrowserError> {
    let (code, budget) = (game(code)?, Budget::parse(budget)?);
    let fuel = budget.fuel.unwrap_or(SOLVE_FUEL);
    let max_heap = budget.max_heap.unwrap_or(GENERA_HEAP);
    let mut control = Control::new(fuel, progress::handle());
    let found = sequence::genera(&code, max_heap, &mut control);
    let document = Genera::new(&code, &found, None, control.fuel_spent(), 0.0);
    Ok(serde_json::to_string(&document)?)
}

/// Reads a game: a code, a name, a finite game, or the options of each heap.
pub(crate) fn game(text: &str) -> Result<Code, BrowserError> {
    bounded("a game", text, MAX_NAME)?;
    Ok(text.parse()?)
}

pub(crate) fn bounded(what: &'static str, text: &str, limit: usize) -> Result<(), BrowserError> {
    match text.len() > limit {
        true => Err(BrowserError::TooLarge { what, limit }),
        false => Ok(()),
    }
}
