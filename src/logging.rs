//! The log of a long run: its destination and its format.
//!
//! The log goes to standard error. It has the messages that `RUST_LOG` selects, or else the
//! command's default. The format is text for people, or one JSON document a line for programs
//! (`--log json`, or `RUST_LOG_FORMAT=json` in the environment).

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
    /// The form of messages on standard error; RUST_LOG=info shows more of them
    #[arg(
        long,
        value_enum,
        value_name = "FORM",
        default_value = "text",
        env = "RUST_LOG_FORMAT",
        help_heading = "Running"
    )]
    log: LogFormat,
}

impl LogArgs {
    /// Starts the log with the filter of `RUST_LOG`, or `otherwise` without it.
    pub fn start(self, otherwise: &str) {
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
            .with_writer(std::io::stderr)
            // A log that cannot be written is lost. Reporting that would panic, since the report
            // goes to the same standard error.
            .log_internal_errors(false);
        // Initialization fails only if a subscriber is set already.
        let _ = match self.log {
            LogFormat::Json => subscriber.json().try_init(),
            LogFormat::Text => subscriber
                .with_ansi(console::colors_enabled_stderr())
                .try_init(),
        };
    }
}
