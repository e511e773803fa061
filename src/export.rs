//! `misere export`: a census in formats of other programs.

use std::path::PathBuf;

use misere_export::manifest::FileError;
use misere_export::{ExportError, Manifest, ManifestError, Sequence, Tables, export};
use misere_game::control::Interrupt;
use misere_store::Store;
use serde_json::json;

use crate::census_error::CensusError;
use crate::exit::{CommandError, Exit, Failure};
use crate::query::{Conditions, class_of};
use crate::terminal::{self, counted};
use crate::watch::{Guards, Watch};

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A line for each ruleset, and for each class
    Jsonl,
    /// A file for each table
    Csv,
    /// The tables in a database, with views
    Sqlite,
    /// Source that rebuilds and checks quotients and games
    Gap,
    /// Python source that does the same, with or without Sage
    Sage,
    /// A sequence of one game, for the OEIS
    Bfile,
}

/// The arguments of `misere export`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere export --format sqlite --data census --out census-sqlite
  misere export --format sqlite --without-quotients --data c --out small
  sqlite3 census-sqlite/census.sqlite 'SELECT * FROM wild_solved'
  misere export --format jsonl --data census --status solved --out solved
  misere export --format csv --data census --wild --order ..100 --out tables
  misere export --format gap --data census --code 0.123 --out gap-0.123
  misere export --format bfile --sequence nim-values --code 4.4 --data c --out k
  misere export --check census-sqlite

An export is a directory that appears when it is complete: files and
manifest.json, which names plan, budgets, digest and the hash of each file, and
says what is proved and what is not. Equal censuses give equal exports.
docs/exports.md has the schema.

Exit codes: 0 done, 1 failed, 2 usage, 4 interrupted, 5 --check found a file
that is not what was written.")]
pub struct ExportArgs {
    /// The form of the export
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The directory of the census
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA")]
    data: Option<PathBuf>,
    /// The directory to make
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// csv, sqlite: without the tables of elements, products and values, which take nearly all of
    /// the space
    #[arg(long)]
    without_quotients: bool,
    /// bfile: nim-values, outcomes, p-heaps, quotient-orders, p-sizes or p-partitions
    #[arg(long, value_name = "NAME")]
    sequence: Option<Sequence>,
    /// bfile: at most N terms; fewer where no more is known
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    terms: u32,
    /// Check an export against its manifest instead
    #[arg(long, value_name = "DIR", conflicts_with_all = ["format", "data", "out", "Conditions", "sequence"])]
    check: Option<PathBuf>,
    /// Print JSON: the manifest, or the result of the check
    #[arg(long)]
    json: bool,
    #[command(
        flatten,
        next_help_heading = "Conditions on the games (as in `misere query`)"
    )]
    conditions: Conditions,
}

/// Runs `misere export`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read or the export cannot be written.
pub fn run(args: &ExportArgs) -> Result<Exit, Failure> {
    if let Some(dir) = &args.check {
        return check(dir, args.json);
    }
    let (Some(format), Some(data), Some(out)) = (args.format, &args.data, &args.out) else {
        let message = "give --format, --data and --out, or --check";
        return Err(ExportCommandError::Option(message).into());
    };
    args.belongs_to(format)?;
    let store = Store::open_read_only(data).map_err(CensusError::from)?;
    let filter = args.conditions.filter(|game| class_of(&store, game))?;
    let interrupt = Interrupt::default();
    let watch = Watch::start(
        format!("export to {}", out.display()),
        &interrupt,
        Guards::default(),
    )?;
    let written = export(&store, &filter, args.format_of(format), out, &interrupt);
    watch.finish();
    let manifest = written?;
    if args.json {
        terminal::print_json(&manifest)?;
        return Ok(Exit::Done);
    }
    let counts = manifest.counts.iter();
    let counts = counts.map(|(things, count)| format!("{things}: {count}"));
    let bytes: u64 = manifest.files.iter().map(|file| file.bytes).sum();
    terminal::print(&format!(
        "{}\n{}, {bytes} bytes, in {}\n",
        counts.collect::<Vec<_>>().join(", "),
        counted(manifest.files.len() as u64, "file"),
        out.display(),
    ))?;
    Ok(Exit::Done)
}

impl ExportArgs {
    /// Checks that the options fit the format of the export.
    fn belongs_to(&self, format: Format) -> Result<(), ExportCommandError> {
        if self.without_quotients && !matches!(format, Format::Csv | Format::Sqlite) {
            return Err(ExportCommandError::Option(
                "--without-quotients belongs to --format csv and --format sqlite",
            ));
        }
        if self.sequence.is_none() && format == Format::Bfile {
            return Err(ExportCommandError::Option(
                "--format bfile needs --sequence NAME",
            ));
        }
        if self.sequence.is_some() && format != Format::Bfile {
            return Err(ExportCommandError::Option(
                "--sequence belongs to --format bfile",
            ));
        }
        Ok(())
    }

    fn tables(&self) -> Tables {
        match self.without_quotients {
            true => Tables::WithoutQuotients,
            false => Tables::All,
        }
    }

    fn format_of(&self, format: Format) -> misere_export::Format {
        use misere_export::Format as To;
        match (format, self.sequence) {
            (Format::Jsonl, _) => To::JsonLines,
            (Format::Csv, _) => To::Csv(self.tables()),
            (Format::Sqlite, _) => To::Sqlite(self.tables()),
            (Format::Gap, _) => To::Gap,
            (Format::Sage, _) => To::Sage,
            (Format::Bfile, sequence) => To::BFile {
                // The sequence was required.
                sequence: sequence.unwrap_or(Sequence::NimValues),
                terms: self.terms,
            },
        }
    }
}

/// Compares an export with its manifest.
fn check(dir: &std::path::Path, json: bool) -> Result<Exit, Failure> {
    let manifest = Manifest::read(dir)?;
    let faults = manifest.faults(dir)?;
    if json {
        let faults: Vec<String> = faults.iter().map(FileError::to_string).collect();
        terminal::print_json(&json!({
            "schema": 1,
            "export": dir,
            "digest": manifest.digest,
            "files": manifest.files.len(),
            "as_written": faults.is_empty(),
            "faults": faults,
        }))?;
    } else if faults.is_empty() {
        terminal::print(&format!(
            "{} as written; census {}\n",
            counted(manifest.files.len() as u64, "file"),
            manifest.digest
        ))?;
    } else {
        let lines: String = faults.iter().map(|fault| format!("{fault}\n")).collect();
        terminal::print(&lines)?;
    }
    Ok(match faults.is_empty() {
        true => Exit::Done,
        false => Exit::Refuted,
    })
}

/// The reason why a census is not exported, or an export not checked.
#[derive(Debug, thiserror::Error)]
pub enum ExportCommandError {
    /// An option does not fit the format of the export.
    #[error("{0}")]
    Option(&'static str),
    /// The census could not be exported.
    #[error(transparent)]
    Export(ExportError),
    /// An export could not be checked.
    #[error(transparent)]
    Check(ManifestError),
}

impl CommandError for ExportCommandError {
    fn exit(&self) -> Exit {
        match self {
            Self::Option(_) | Self::Export(ExportError::NotOneCode) => Exit::Usage,
            Self::Export(ExportError::Interrupted) => Exit::Interrupted,
            Self::Export(_) | Self::Check(_) => Exit::Failed,
        }
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Store(error) => CensusError::from(error).into(),
            other => ExportCommandError::Export(other).into(),
        }
    }
}

impl From<ManifestError> for Failure {
    fn from(error: ManifestError) -> Self {
        ExportCommandError::Check(error).into()
    }
}
