//! The log of a long run: its place and its form.
//!
//! To standard error: what `RUST_LOG` asks for, else what the command finds worth a line. As text
//! for people, or as one JSON document a line for programs (`--log json`, or `RUST_LOG_FORMAT=json`
//! in the environment).

use misere_coordinator::rpc::tls::REFUSED;
use tracing_subscriber::EnvFilter;

/// The form of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// Lines for people
    Text,
    /// One JSON document per line
    Json,
}

/// The options for the log of a long-running command.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct LogArgs {
    /// The form of messages on standard error; RUST_LOG=info shows more of them [default: text, or
    /// RUST_LOG_FORMAT]
    #[arg(long, value_enum, value_name = "FORM", help_heading = "Running")]
    log: Option<LogFormat>,
}

impl LogArgs {
    /// Starts the log with the filter of `RUST_LOG`, or `otherwise` without it.
    pub fn start(self, otherwise: &str) {
        let filter =
            EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(otherwise));
        // Who was refused, and why, is told whatever else is wanted.
        let filter = match format!("{REFUSED}=warn").parse() {
            Ok(always) => filter.add_directive(always),
            // It is a directive.
            Err(_) => filter,
        };
        let json_by_default = std::env::var("RUST_LOG_FORMAT").is_ok_and(|form| form == "json");
        let subscriber = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(std::io::stderr)
            // A log that cannot be written is lost. To say so on standard error would be to panic:
            // it is standard error that fails.
            .log_internal_errors(false);
        // A second subscriber is refused; then there is one already.
        let _ = match self.log {
            Some(LogFormat::Json) => subscriber.json().try_init(),
            None if json_by_default => subscriber.json().try_init(),
            _ => subscriber
                .with_ansi(console::colors_enabled_stderr())
                .try_init(),
        };
    }
}
