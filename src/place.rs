//! The census that a command is about: its directory, or its running coordinator.

use std::path::PathBuf;

/// The options that name a census.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub struct PlaceArgs {
    /// The census, on the coordinator's machine if it is running
    #[arg(
        short,
        long,
        value_name = "DIR",
        env = "MISERE_DATA",
        help_heading = "Census"
    )]
    pub data: Option<PathBuf>,
    /// The coordinator of a running census, from another machine
    #[arg(
        long,
        value_name = "URL",
        env = "MISERE_COORDINATOR",
        help_heading = "Census"
    )]
    pub coordinator: Option<String>,
}
