//! `misere page`: the pages of a census as files.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use misere_game::control::Interrupt;
use misere_store::Store;
use misere_web::copy::{CopyError, CopySummary, ExistingPages, Progress, write};
use misere_web::page::ExtraData;

use crate::census_error::CensusError;
use crate::exit::{CommandError, Exit, Failure};
use crate::logging::LogArgs;
use crate::serving::{self, PageFileArgs};
use crate::terminal;
use crate::watch::{Guards, Watch};

/// The time between two lines on the progress of the pages.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(5);

/// The arguments of `misere page`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere page --static site --data census   then open site/index.html
  misere page --static site --data census --json
      the same, with its summary as JSON
  misere page --static site --data census --normal normal-3
      with nim-values of many heaps
  misere page --static site --data census --atlas atlas.json
      with the least games of small quotients
  misere page --static site --data census --browser-solver target/browser
      with a page that solves games in the browser
  (cd site && sha256sum --check --quiet SHA256SUMS)

The pages are those of `misere serve`, as files: they need no server, work at
any address, and search with a script and an index. The directory appears when
all pages are there. If the command is stopped, the same command goes on where
it was; if the pages of the same census are there already, nothing is written;
pages of another census are replaced. docs/static.md says more.

Exit codes: 0 done, 1 failed, 2 usage, 4 interrupted.")]
pub struct PageArgs {
    /// The directory to write the pages into
    #[arg(long = "static", value_name = "DIR")]
    place: PathBuf,
    /// The directory of the census
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA")]
    data: PathBuf,
    /// The greatest heap for normal play of unsolved games
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    normal_heaps: u32,
    #[command(flatten)]
    files: PageFileArgs,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    log: LogArgs,
}

/// Runs `misere page`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read or the pages cannot be written.
pub fn run(args: &PageArgs) -> Result<Exit, Failure> {
    args.log.start("error");
    let beside = args.files.read()?;
    let store = Store::open_read_only(&args.data).map_err(CensusError::from)?;
    let interrupt = Interrupt::default();
    let runtime = serving::runtime().map_err(CensusError::Start)?;
    let watch = Watch::start(
        format!("pages in {}", args.place.display()),
        &interrupt,
        Guards::default(),
    )?;
    let written = runtime.block_on(written(args, (store, beside), &interrupt));
    watch.finish();
    runtime.shutdown_background();
    let written = written?;
    if args.json {
        terminal::print_json(&written)?;
        return Ok(Exit::Done);
    }
    let CopySummary {
        digest,
        pages,
        files,
        bytes,
        kept,
    } = &written;
    let place = args.place.display();
    terminal::print(&match kept {
        ExistingPages::All => {
            format!("{files} files in {place} are those of census {digest} already\n")
        }
        ExistingPages::Nothing | ExistingPages::Part => {
            format!("{pages} pages, {files} files, {bytes} bytes, in {place}; census {digest}\n")
        }
    })?;
    Ok(Exit::Done)
}

/// Writes the pages, and reports progress on standard error from time to time.
async fn written(
    args: &PageArgs,
    (store, beside): (Store, ExtraData),
    interrupt: &Interrupt,
) -> Result<CopySummary, CopyError> {
    let progress = Arc::new(Progress::default());
    let told = Arc::clone(&progress);
    let telling = tokio::spawn(async move {
        let mut ticks = tokio::time::interval(PROGRESS_INTERVAL);
        ticks.tick().await;
        loop {
            ticks.tick().await;
            if let (done, pages @ 1..) = told.now() {
                notice!("{done} of {pages} pages");
            }
        }
    });
    let beside = (args.normal_heaps, beside);
    let written = write(store, &args.place, beside, interrupt, &progress).await;
    telling.abort();
    written
}

/// The reason why the pages of a census are not written.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct PageError(CopyError);

impl CommandError for PageError {
    fn exit(&self) -> Exit {
        match self.0 {
            CopyError::Interrupted { .. } => Exit::Interrupted,
            _ => Exit::Failed,
        }
    }
}

impl From<CopyError> for Failure {
    fn from(error: CopyError) -> Self {
        match error {
            CopyError::Store(error) => CensusError::from(error).into(),
            other => PageError(other).into(),
        }
    }
}
