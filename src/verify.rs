//! `misere verify`: the check of certificates.
//!
//! [`misere_answers::certificates`] decides; the command reads files and says what was found.

mod line;

use std::path::{Path, PathBuf};

use misere_answers::certificates::{self, Claim, ClaimError, ClaimSummary, Finding, Proved};
use misere_census::certificate;
use misere_census::input_file::{self, InputError};
use misere_census::quantity::fuel;
use misere_game::control::{Control, Interrupt};
use misere_game::solution::Solution;
use serde::Serialize;

use crate::exit::{CommandError, Exit, Failure};
use crate::terminal;
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
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    /// The most fuel for all files together, such as 60M or 5min; without it there is no limit
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
    #[serde(flatten)]
    claim: ClaimSummary,
    /// The size of the certificate in a census.
    certificate_bytes: Option<usize>,
    /// The first fault.
    reason: Option<String>,
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

fn check_file(file: &Path, control: &mut Control) -> CheckedFile {
    let mut checked = CheckedFile {
        file: file.display().to_string(),
        result: Finding::Verified,
        claim: ClaimSummary::default(),
        certificate_bytes: None,
        reason: None,
    };
    let text = match read(file) {
        Ok(text) => text,
        Err(error) => {
            checked.result = Finding::Unreadable;
            checked.reason = Some(unreadable(&error));
            return checked;
        }
    };
    match certificates::check(&text, &mut checked.claim, control) {
        Ok(proved) => checked.certificate_bytes = certificate_bytes(&proved),
        Err(fault) => {
            checked.result = fault.finding();
            checked.reason = Some(fault.to_string());
        }
    }
    checked
}

/// Returns the size of the certificate in a census, of a document that has one.
fn certificate_bytes(proved: &Proved) -> Option<usize> {
    match proved {
        Proved::Game(solution) => certificate::encode(solution).ok().map(|bytes| bytes.len()),
        Proved::NormalPlay { bytes } => Some(*bytes),
        Proved::Other => None,
    }
}

fn unreadable(error: &std::io::Error) -> String {
    let fault = error.get_ref().and_then(|fault| fault.downcast_ref());
    let advice = match fault {
        Some(InputError::ZeroByte(_)) => {
            "; if this is the binary form of a certificate, give its JSON form"
        }
        _ => "",
    };
    format!("cannot be read: {error}{advice}")
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

/// Reads and checks the claim of a certificate of a game or of an infinite quotient.
///
/// # Errors
/// [`CertificateError`] if the file cannot be read, holds neither, or is refuted.
pub fn checked_claim(file: &Path, guards: Guards) -> Result<Claim, Failure> {
    let name = file.display().to_string();
    let interrupt = Interrupt::default();
    let watch = Watch::start(format!("checking {name}"), &interrupt, guards)?;
    let control = &mut Control::new(u64::MAX, interrupt);
    let found = read(file).map(|text| certificates::claim(&text, control));
    watch.finish();
    let failed = |exit, reason| CertificateError {
        file: name,
        exit,
        reason,
    };
    match found {
        Ok(Ok(claim)) => Ok(claim),
        Ok(Err(fault)) => Err(failed(exit(&fault), fault.to_string()).into()),
        Err(error) => Err(failed(Exit::Failed, unreadable(&error)).into()),
    }
}

fn exit(fault: &ClaimError) -> Exit {
    match fault.finding() {
        Finding::Refuted => Exit::Refuted,
        Finding::Unchecked => Exit::Interrupted,
        Finding::Unreadable | Finding::Verified => Exit::Failed,
    }
}

fn read(file: &Path) -> std::io::Result<String> {
    if file == Path::new("-") {
        input_file::text_of(std::io::stdin().lock(), input_file::LARGE)
    } else {
        input_file::read_text(file, input_file::LARGE)
    }
}
