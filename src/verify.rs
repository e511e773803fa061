//! `misere verify`: the check of certificates.
//!
//! A certificate is the JSON document of `misere solve`, `misere present` or `misere automaton`, or
//! the list of `misere classify` (see `verify_list.rs`). The independent checker, which imports
//! nothing of the solvers (invariant A-1), verifies its claim. Redundant fields for readers
//! (`tame`, `p_size`, `words`, `presentation`, names of generators) are computed again from the
//! claim and compared.

mod claim_kind;
mod derived;
mod line;
mod normal_play;

use std::path::{Path, PathBuf};

use claim_kind::ClaimKind;
use derived::{as_it_follows, first_difference};
use misere_census::certificate;
use misere_census::input_file;
use misere_census::quantity::fuel;
use misere_check::CheckError;
use misere_check::automaton::{self, AutomatonCheckError};
use misere_check::infinite::FamilyCheckError;
use misere_check::infinite::whole::PresentationCheckError;
use misere_check::normal_period::NormalPeriodCheckError;
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::presented::PresentedError;
use misere_game::solution::{
    AutomatonDocument, AutomatonDocumentError, DiagramFamily, Document, DocumentError,
    PresentedDocument, SemilinearDocument, Solution,
};
use normal_play::normal_play;
use serde::Serialize;
use serde_json::Value;

use crate::exit::{CommandError, Exit, Failure};
use crate::json_words::{in_words, kind};
use crate::present;
use crate::terminal;
use crate::verify_list::{self, QuotientListError};
use crate::watch::{Guards, Watch};

/// The arguments of `misere verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere solve 0.77 --out kayles.json && misere verify kayles.json
  misere solve 0.123 --json | misere verify -
  misere verify certificates/*.json --json
  misere classify --order 14 --json | misere verify -
      every quotient of the list, with its games
  misere verify strangers/*.json --time-limit 10min --memory-limit 2GiB

The command prints one line for each file. The fields `elapsed_s`, `engine` and
`fuel` are no claims and are not checked.

Exit codes: 0 all are right, 1 a file is unreadable, no certificate or too large
to be checked, 2 usage, 3 the fuel was spent, 4 interrupted, 5 a claim is wrong.")]
pub struct VerifyArgs {
    /// Certificates (JSON documents of `misere solve`, `misere present`, `misere automaton` or
    /// `misere classify`); `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
    /// The most fuel to spend for all files together (suffixes k, M, G); one unit is about a
    /// microsecond of one core. Without it there is no limit
    #[arg(long, value_name = "N", value_parser = fuel)]
    fuel: Option<u64>,
    #[command(flatten)]
    guards: Guards,
}

/// The findings about all files.
#[derive(Debug, Serialize)]
struct Report {
    schema: u32,
    verified: usize,
    refuted: usize,
    unreadable: usize,
    files: Vec<CheckedFile>,
}

/// The finding about one file.
#[derive(Debug, Serialize)]
struct CheckedFile {
    file: String,
    result: Finding,
    code: Option<String>,
    status: Option<String>,
    heaps: Option<u32>,
    order: Option<usize>,
    /// The number of quotients in a list of `misere classify`.
    #[serde(skip_serializing_if = "Option::is_none")]
    quotients: Option<usize>,
    /// The degree to which the relations of a presentation reach.
    ///
    /// It is `None` if they present the quotient.
    #[serde(skip)]
    reach: Option<u32>,
    /// The number of heaps that a document does not cover.
    #[serde(skip)]
    silent: usize,
    /// The number of relations of a presentation of an infinite quotient.
    #[serde(skip_serializing_if = "Option::is_none")]
    relations: Option<usize>,
    /// The number of regions of the P-positions of an infinite quotient.
    #[serde(skip_serializing_if = "Option::is_none")]
    regions: Option<usize>,
    /// The number of states of an automaton.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<usize>,
    /// The size of the certificate in a census.
    certificate_bytes: Option<usize>,
    /// The first fault.
    reason: Option<String>,
}

/// The verdict on one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Finding {
    Verified,
    Refuted,
    Unreadable,
    /// The check was stopped before it was decided.
    Unchecked,
}

/// The reason why a file is not a true certificate.
#[derive(Debug, thiserror::Error)]
enum FileError {
    #[error("cannot be read: {0}")]
    Read(#[from] std::io::Error),
    #[error("is not a certificate: {}", in_words(.0))]
    Form(#[from] serde_json::Error),
    #[error("is not a certificate: it holds {0}, and a certificate is a JSON object")]
    NoObject(&'static str),
    #[error("is not a certificate: `quotient` is {0}, and should be an object")]
    QuotientNoObject(&'static str),
    #[error(
        "is not a certificate: it has both `{0}` and `{1}`, which are claims of different kinds"
    )]
    TwoClaims(&'static str, &'static str),
    #[error("is not a certificate: {0}")]
    Version(DocumentError),
    #[error("{0}")]
    Contradiction(DocumentError),
    #[error("{0}")]
    Flaw(#[from] CheckError),
    #[error(
        "is not a certificate: it is the list of nim-values that `misere solve CODE --normal --json` \
         prints; a certificate of them is written by `misere solve CODE --normal --out FILE`"
    )]
    NimValues,
    #[error("{0}")]
    Normal(NormalPeriodCheckError),
    #[error("cannot be checked: {0}")]
    TooLarge(NormalPeriodCheckError),
    #[error("`aliases` names {0}, which is not a code of the same game")]
    Alias(Code),
    #[error("{0}")]
    List(#[from] QuotientListError),
    #[error("{0}")]
    Presented(#[from] PresentedError),
    #[error("{0}")]
    Whole(#[from] PresentationCheckError),
    #[error(
        "is not a certificate of a quotient: it holds an automaton, which `misere verify` reads; give a \
         certificate of `misere solve`"
    )]
    NoQuotient,
    #[error("{0}")]
    AutomatonForm(#[from] AutomatonDocumentError),
    #[error("{0}")]
    Automaton(#[from] AutomatonCheckError),
    #[error("`{field}` is not what the rest of the document says: {found} instead of {right}")]
    Derived {
        field: String,
        found: Value,
        right: Value,
    },
}

impl From<NormalPeriodCheckError> for FileError {
    fn from(error: NormalPeriodCheckError) -> Self {
        match error.is_too_large() {
            true => Self::TooLarge(error),
            false => Self::Normal(error),
        }
    }
}

impl FileError {
    /// Returns the kind of finding.
    ///
    /// Either a claim was read and is wrong, or no claim was found, or nothing was decided.
    fn finding(&self) -> Finding {
        match self {
            Self::Read(_)
            | Self::Form(_)
            | Self::NoObject(_)
            | Self::QuotientNoObject(_)
            | Self::TwoClaims(..)
            | Self::NimValues
            | Self::NoQuotient
            | Self::TooLarge(_)
            | Self::Version(_) => Finding::Unreadable,
            Self::Flaw(CheckError::Unchecked(_))
            | Self::Normal(NormalPeriodCheckError::Unchecked(_)) => Finding::Unchecked,
            Self::Whole(PresentationCheckError::Evidence(FamilyCheckError::Unchecked(_))) => {
                Finding::Unchecked
            }
            Self::Presented(PresentedError::Schema(_) | PresentedError::Convention(_)) => {
                Finding::Unreadable
            }
            Self::Automaton(AutomatonCheckError::Unchecked(_)) => Finding::Unchecked,
            Self::AutomatonForm(
                AutomatonDocumentError::Schema(_) | AutomatonDocumentError::Convention(_),
            ) => Finding::Unreadable,
            Self::List(fault) if fault.is_stop() => Finding::Unchecked,
            Self::List(fault) if fault.is_unreadable() => Finding::Unreadable,
            _ => Finding::Refuted,
        }
    }
}

/// Runs `misere verify`.
///
/// # Errors
/// Only if the report cannot be written; faults of the files are part of the report.
pub fn run(args: &VerifyArgs) -> Result<Exit, Failure> {
    let interrupt = Interrupt::default();
    let watch = Watch::start("checking".to_owned(), &interrupt, args.guards)?;
    let mut control = Control::new(args.fuel.unwrap_or(u64::MAX), interrupt.clone());
    let mut files = Vec::new();
    for file in &args.files {
        let checked = check_file(file, &mut control);
        let is_stopped = checked.result == Finding::Unchecked;
        // The cause of a stop is known only after the watch has ended.
        if !args.json && !is_stopped {
            line::say(&checked)?;
        }
        files.push(checked);
        if is_stopped || interrupt.is_raised() {
            break;
        }
    }
    let by = watch.finish();
    let judged = files
        .iter()
        .filter(|it| it.result != Finding::Unchecked)
        .count();
    let unjudged = args.files.len() - judged;
    if unjudged > 0 {
        line::say_stopped(files.get(judged), unjudged, by);
    }
    let count = |result| files.iter().filter(|file| file.result == result).count();
    let (verified, refuted, unreadable) = (
        count(Finding::Verified),
        count(Finding::Refuted),
        count(Finding::Unreadable),
    );
    if args.json {
        terminal::print_json(&Report {
            schema: 1,
            verified,
            refuted,
            unreadable,
            files,
        })?;
    }
    Ok(match by {
        _ if refuted > 0 => Exit::Refuted,
        None if unjudged > 0 => Exit::Exhausted,
        Some(_) if unjudged > 0 => Exit::Interrupted,
        _ if unreadable > 0 => Exit::Failed,
        _ => Exit::Done,
    })
}

impl CheckedFile {
    /// Begins the finding about a file.
    fn of(file: &Path) -> Self {
        Self {
            file: file.display().to_string(),
            result: Finding::Verified,
            code: None,
            status: None,
            heaps: None,
            order: None,
            quotients: None,
            reach: None,
            silent: 0,
            relations: None,
            regions: None,
            states: None,
            certificate_bytes: None,
            reason: None,
        }
    }
}

fn check_file(file: &Path, control: &mut Control) -> CheckedFile {
    let mut checked = CheckedFile::of(file);
    if let Err(fault) = check(file, &mut checked, control) {
        checked.result = fault.finding();
        checked.reason = Some(fault.to_string());
    }
    checked
}

fn check(file: &Path, checked: &mut CheckedFile, control: &mut Control) -> Result<(), FileError> {
    let text = read(file)?;
    let written: Value = serde_json::from_str(&text)?;
    if !written.is_object() {
        return Err(FileError::NoObject(kind(&written)));
    }
    match ClaimKind::of(&written)? {
        ClaimKind::List => {
            let list = verify_list::check(written, control)?;
            // A list that was broken off names a greater order than it has.
            checked.order = Some(list.counts.keys().next_back().copied().unwrap_or_default());
            checked.quotients = Some(list.constructions.len());
        }
        ClaimKind::Presentation => presentation(&text, &written, checked, control)?,
        ClaimKind::Regions => regions(&text, &written, checked, control)?,
        ClaimKind::Automaton => states(&text, &written, checked, control)?,
        ClaimKind::NormalPlay => normal_play(&text, &written, checked, control)?,
        ClaimKind::Game => {
            let solution = solution(&text, &written, checked, control)?;
            let encoded = certificate::encode(&solution).ok();
            checked.certificate_bytes = encoded.map(|bytes| bytes.len());
        }
    }
    Ok(())
}

/// Checks a presentation of an infinite quotient, and the redundant fields of its document.
fn presentation(
    text: &str,
    written: &Value,
    checked: &mut CheckedFile,
    control: &mut Control,
) -> Result<(), FileError> {
    let document: PresentedDocument = serde_json::from_str(text)?;
    checked.code = Some(document.code.to_string());
    checked.status = Some(document.status.clone());
    checked.heaps = Some(document.heaps);
    checked.relations = Some(document.relations.len());
    checked.reach = (!document.complete).then_some(document.degree);
    checked.silent = document.silent_heaps.len();
    let presentation = document.presentation()?;
    let right = present::check(&document, &presentation, control)?;
    as_it_follows(written, &serde_json::to_value(right)?)
}

/// Checks the P-positions of an infinite quotient, as linear conditions.
fn regions(
    text: &str,
    written: &Value,
    checked: &mut CheckedFile,
    control: &mut Control,
) -> Result<(), FileError> {
    let document: SemilinearDocument = serde_json::from_str(text)?;
    checked.code = Some(document.code.to_string());
    checked.status = Some(document.status.clone());
    checked.heaps = Some(document.heaps);
    checked.regions = Some(document.regions.len());
    checked.silent = document.silent_heaps.len();
    document.check_version()?;
    let right = present::check_regions(&document, control)?;
    as_it_follows(written, &serde_json::to_value(right)?)
}

/// Checks an automaton that decides a game.
fn states(
    text: &str,
    written: &Value,
    checked: &mut CheckedFile,
    control: &mut Control,
) -> Result<(), FileError> {
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
fn solution(
    text: &str,
    written: &Value,
    checked: &mut CheckedFile,
    control: &mut Control,
) -> Result<Solution, FileError> {
    let document: Document = serde_json::from_str(text)?;
    // The parser would also accept the fields of the quotient in their order, without names; then
    // the redundant fields for readers could not be compared.
    if let Some(quotient) = written.get("quotient").filter(|value| !value.is_object()) {
        return Err(FileError::QuotientNoObject(kind(quotient)));
    }
    checked.code = Some(document.code.to_string());
    checked.status = Some(document.status.clone());
    checked.heaps = Some(document.heaps);
    checked.order = Some(document.quotient.order);
    let solution = document.into_solution().map_err(|error| match error {
        DocumentError::Schema(_) | DocumentError::Convention(_) => FileError::Version(error),
        _ => FileError::Contradiction(error),
    })?;
    misere_check::check_within(&solution, control)?;
    let derived = serde_json::to_value(Document::new(&solution))?;
    match first_difference(written, &derived) {
        Some(fault) => Err(fault),
        None => Ok(solution),
    }
}

/// A certificate that was to be used cannot be read, or is false.
#[derive(Debug, thiserror::Error)]
#[error("`{file}` {reason}; nothing is printed")]
pub struct CertificateError {
    /// The file as the user named it.
    pub file: String,
    /// The exit code of the command.
    pub exit: Exit,
    /// The first thing wrong.
    pub reason: String,
}

impl CommandError for CertificateError {
    fn exit(&self) -> Exit {
        self.exit
    }
}

/// Reads and checks the solution in a certificate.
///
/// # Errors
/// [`CertificateError`] if the file does not hold a true certificate of one game.
pub fn checked_solution(file: &Path, guards: Guards) -> Result<Solution, Failure> {
    match checked_claim(file, guards)? {
        Claim::Game(solution) => Ok(*solution),
        Claim::Quotient { .. } => Err(CertificateError {
            file: file.display().to_string(),
            exit: Exit::Failed,
            reason: "holds a claim about an infinite quotient, which `misere verify` and \
                     `misere present --certificate FILE` read; give a certificate of `misere solve`"
                .to_owned(),
        }
        .into()),
    }
}

/// A claim that was checked.
pub enum Claim {
    /// The solution of a game.
    Game(Box<Solution>),
    /// An infinite quotient: a presentation of it, or its P-positions.
    Quotient {
        code: Code,
        heaps: u32,
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

/// Reads and checks the claim of a certificate of a game or of an infinite quotient.
///
/// # Errors
/// [`CertificateError`] if the file cannot be read, holds neither, or is refuted.
pub fn checked_claim(file: &Path, guards: Guards) -> Result<Claim, Failure> {
    let name = file.display().to_string();
    let interrupt = Interrupt::default();
    let watch = Watch::start(format!("checking {name}"), &interrupt, guards)?;
    let mut checked = CheckedFile::of(file);
    let control = &mut Control::new(u64::MAX, interrupt);
    let found = read(file).map_err(FileError::from).and_then(|text| {
        let written: Value = serde_json::from_str(&text)?;
        match ClaimKind::of(&written)? {
            ClaimKind::Presentation => {
                presentation(&text, &written, &mut checked, control)?;
                Ok(serde_json::from_str::<PresentedDocument>(&text)?.into())
            }
            ClaimKind::Regions => {
                regions(&text, &written, &mut checked, control)?;
                Ok(serde_json::from_str::<SemilinearDocument>(&text)?.into())
            }
            ClaimKind::Automaton => Err(FileError::NoQuotient),
            ClaimKind::List | ClaimKind::NormalPlay | ClaimKind::Game => {
                let solution = solution(&text, &written, &mut checked, control)?;
                Ok(Claim::Game(Box::new(solution)))
            }
        }
    });
    watch.finish();
    let claim = found.map_err(|fault| CertificateError {
        file: name,
        exit: match fault.finding() {
            Finding::Refuted => Exit::Refuted,
            Finding::Unchecked => Exit::Interrupted,
            Finding::Unreadable | Finding::Verified => Exit::Failed,
        },
        reason: fault.to_string(),
    })?;
    Ok(claim)
}

fn read(file: &Path) -> std::io::Result<String> {
    if file == Path::new("-") {
        input_file::text_of(std::io::stdin().lock(), input_file::LARGE)
    } else {
        input_file::read_text(file, input_file::LARGE)
    }
}
