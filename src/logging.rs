//! The log of a long run: its destination and its format.
//!
//! The log goes to standard error, that of a run in one process to a file beside the census. It has
//! the messages that `RUST_LOG` selects, or else the command's default. The format is text for people, or one JSON document a line for programs
//! (`--log json`, or `RUST_LOG_FORMAT=json` in the environment).

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use misere_coordinator::rpc::tls::REFUSED;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::writer::BoxMakeWriter;

/// The form of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// For people
    Text,
    /// One document per line
    Json,
}

/// The options for the log of a long-running command.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct LogArgs {
    /// The form of messages on standard error
    #[arg(
        long,
        value_enum,
        value_name = "FORM",
        default_value = "text",
        env = "RUST_LOG_FORMAT",
        help_heading = "Log"
    )]
    log: LogFormat,
    /// Log what is done, not only what goes wrong, as RUST_LOG=info does
    #[arg(short, long, help_heading = "Log")]
    verbose: bool,
}

/// The file in the directory of a census to which a run in one process logs.
pub const RUN_LOG: &str = "run.log";

impl LogArgs {
    /// Starts the log on standard error, with the filter of `RUST_LOG`, or `otherwise` without it.
    pub fn start(self, otherwise: &str) {
        self.start_on(None, otherwise);
    }

    /// Starts the log of a person's own run: warnings are appended to [`RUN_LOG`] in the directory
    /// of the census, unless more is asked for, which goes to standard error.
    pub fn start_of_run(self, data: &Path) {
        let asks_for_more =
            self.verbose || self.log == LogFormat::Json || std::env::var_os("RUST_LOG").is_some();
        self.start_on((!asks_for_more).then(|| data.join(RUN_LOG)), "warn");
    }

    /// Starts the log in a file, or on standard error.
    fn start_on(self, file: Option<PathBuf>, otherwise: &str) {
        let coloured = file.is_none() && console::colors_enabled_stderr();
        let writer = match file {
            None => BoxMakeWriter::new(io::stderr),
            Some(file) => BoxMakeWriter::new(move || appended(&file)),
        };
        let otherwise = if self.verbose { "info" } else { otherwise };
        let filter =
            EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(otherwise));
        // Refusals are logged regardless of the filter.
        let filter = match format!("{REFUSED}=warn").parse() {
            Ok(always) => filter.add_directive(always),
            // The text is always a valid directive.
            Err(_) => filter,
        };
        let subscriber = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(writer)
            // A log that cannot be written is lost. Reporting that would panic, since the report
            // goes to the same standard error.
            .log_internal_errors(false);
        // Initialization fails only if a subscriber is set already.
        let _ = match self.log {
            LogFormat::Json => subscriber.json().try_init(),
            LogFormat::Text => subscriber.with_ansi(coloured).try_init(),
        };
    }
}

/// Opens a log at its end for one message; standard error if it cannot be opened.
///
/// Only a regular file is opened: a FIFO would wait for its reader.
fn appended(file: &Path) -> Box<dyn Write> {
    if std::fs::metadata(file).is_ok_and(|there| !there.is_file()) {
        return Box::new(io::stderr());
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    match options.open(file) {
        Ok(file) => Box::new(file),
        Err(_) => Box::new(io::stderr()),
    }
}
