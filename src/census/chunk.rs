//! `misere census chunk`: a part of a census, as a job of a queue system computes it.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use misere_census::chunk::{self, ChunkError, Form, Header, Reader, TaskResult};
use misere_census::input_file;
use misere_census::quantity::duration;
use misere_census::{Task, TaskId, output_file};
use misere_game::control::Interrupt;
use misere_worker::pool::{ComputationResult, Place, Pool, Solver};
use serde_json::json;
use tokio::sync::watch;

use super::check_part::{self, CheckPartArgs};
use super::part_checkpoints::PartCheckpoints;
use super::plan::PlanArgs;
use crate::census_error::CensusError;
use crate::exit::{Exit, Failure};
use crate::isolation::IsolationArgs;
use crate::logging::LogArgs;
use crate::serving;
use crate::terminal::{self, counted};

/// The interval of the lines of progress.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// The interval at which the signals are checked.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// The number of tasks that wait for a thread or are computed; it bounds memory.
const AHEAD: usize = 4096;

/// The arguments of `misere census chunk`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census chunk --digits 3 --res 0 --mod 50 --out part-0
      the first of fifty parts
  misere census chunk --digits 3 --res $PART --mod 50 --out part-$PART
  misere census chunk --out part-0           go on with a part that was begun
  misere census merge --data census part-*   all parts, as they are finished
  misere census chunk --check part-0 --out part-0.checked
      check a part, so that the merge need not; with MISERE_CA, MISERE_CERT
      and MISERE_KEY set

A part needs no network and no directory of a census. The same command goes on
where its file ends, however the last job ended, and goes on within a long game
from its last checkpoint. Without plan options, --res and --mod the command
computes the part that the file names; the files that `misere census submit`
lays out are of this kind. All parts need the same plan and the same engine.

With --check the command computes nothing. It checks every certificate of a
part, leaves out what is refused, and seals the file with the key of a checker;
`misere census merge` with --ca then takes its word. With --sealed it does so
with its own part, once that is whole.

Exit codes: 0 done, 1 failed, 2 usage, 4 interrupted, 5 something was refused
or damaged.")]
pub struct ChunkArgs {
    #[command(flatten)]
    plan: PlanArgs,
    /// The number of the part, counted from 0 [default: as the file says]
    #[arg(
        long = "res",
        value_name = "R",
        requires = "modulus",
        help_heading = "Part"
    )]
    residue: Option<u64>,
    /// The number of parts [default: as the file says]
    #[arg(long = "mod", value_name = "M", requires = "residue", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Part")]
    modulus: Option<u64>,
    /// The file of the part; continued if it exists
    #[arg(short, long, value_name = "FILE", help_heading = "Part")]
    out: PathBuf,
    /// The number of games computed or checked at once [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Running")]
    workers: Option<u16>,
    /// The least time between checkpoints of a long game; a stop keeps one more
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s", help_heading = "Running")]
    checkpoint_every: Duration,
    /// Print JSON instead of text
    #[arg(long, help_heading = "Running")]
    json: bool,
    #[command(flatten)]
    check: CheckPartArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
    #[command(flatten)]
    log: LogArgs,
}

/// Runs `misere census chunk`.
///
/// # Errors
/// A [`Failure`] that says what to do.
pub fn run(args: &ChunkArgs) -> Result<Exit, Failure> {
    args.log.start("warn");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.workers.map_or(cores, usize::from);
    if let Some((part, credentials)) = args.check.checked()? {
        return check_part::run(part, &args.out, &credentials, (threads, args.json));
    }
    let sealed = args.check.sealed()?;
    let mut part = Part::open(&args.out, args.header()?)?;
    let checkpoints = PartCheckpoints::beside(&args.out, args.checkpoint_every);
    let isolation = args.isolation.resolve(threads, None);
    let isolation = isolation.map_err(CensusError::Start)?;
    let place = match isolation.applies(0) {
        true => Place::Child,
        false => Place::Here,
    };
    let pool = Pool::new(threads, Solver::Engine, &isolation);
    let pool = pool.map_err(CensusError::Start)?;
    let runtime = serving::runtime().map_err(CensusError::Start)?;
    let stop = runtime.block_on(async { serving::stop_signals() });
    let progress = part.compute(
        &pool,
        place,
        checkpoints,
        &stop.map_err(CensusError::Start)?,
    )?;
    runtime.block_on(pool.close(CHECK_INTERVAL));
    let exit = progress.conclude(&args.out, args.json)?;
    match sealed {
        Some((sealed, credentials)) if exit == Exit::Done => {
            check_part::run(&args.out, sealed, &credentials, (threads, args.json))
        }
        _ => Ok(exit),
    }
}

impl ChunkArgs {
    /// Returns the part that the options describe, or the one that the file names.
    fn header(&self) -> Result<Header, CensusError> {
        let engine = misere_census::engine_fingerprint();
        let (Some(residue), Some(modulus)) = (self.residue, self.modulus) else {
            if self.plan.is_given() {
                return Err(CensusError::PartWithoutNumber);
            }
            let cannot = |cause| CensusError::part(&self.out, cause);
            let file = input_file::open(&self.out).map_err(|error| cannot(error.into()))?;
            let reader = Reader::open(BufReader::new(file)).map_err(cannot)?;
            let Some(reader) = reader else {
                return Err(CensusError::PartWithoutPlan(self.out.clone()));
            };
            // The plan determines the number of tasks of a part, so it must be of this engine.
            return Ok(Header {
                engine,
                ..reader.header().clone()
            });
        };
        if residue >= modulus {
            return Err(CensusError::Part { residue, modulus });
        }
        let plan = self.plan.resolve(None)?;
        if plan.space().max_quotient_order().is_some() {
            return Err(CensusError::PartOfLevels);
        }
        Ok(Header {
            plan,
            engine,
            residue,
            modulus,
        })
    }
}

/// A part of a census, and its file.
struct Part<'a> {
    path: &'a Path,
    file: File,
    form: Form,
    header: Header,
    /// The tasks whose results are in the file.
    there: BTreeSet<TaskId>,
}

impl<'a> Part<'a> {
    /// Opens the file of a part, or begins it.
    ///
    /// Results that it has are not computed again.
    fn open(path: &'a Path, header: Header) -> Result<Self, CensusError> {
        let cannot = |cause| CensusError::part(path, cause);
        let mut file = output_file::open_growing(path)?;
        // Two jobs of the same part would overwrite each other's results.
        file.try_lock()
            .map_err(|_| CensusError::PartInUse(path.to_owned()))?;
        let mut there = BTreeSet::new();
        let (whole, form) = match Reader::open(BufReader::new(&mut file)).map_err(cannot)? {
            None => (0, Form::Checked),
            Some(reader) if reader.form() == Form::Sealed => {
                return Err(CensusError::SealedPart(path.to_owned()));
            }
            Some(reader) if *reader.header() != header => {
                return Err(CensusError::OtherPart(path.to_owned()));
            }
            Some(mut reader) => {
                while let Some(found) = reader.next_found().map_err(cannot)? {
                    there.insert(found.task);
                }
                if reader.damaged() > 0 {
                    let file = path.display();
                    notice!("note: {file}: what is damaged is computed again");
                }
                (reader.whole(), reader.form())
            }
        };
        let begun = || -> Result<(), ChunkError> {
            file.set_len(whole)?;
            file.seek(SeekFrom::Start(whole))?;
            if whole == 0 {
                chunk::begin(&mut file, form, &header)?;
            }
            Ok(())
        }();
        begun.map_err(cannot)?;
        Ok(Self {
            path,
            file,
            form,
            header,
            there,
        })
    }

    /// Computes the remaining tasks, or until a signal.
    fn compute(
        &mut self,
        pool: &Pool,
        place: Place,
        mut checkpoints: PartCheckpoints,
        stop: &watch::Receiver<bool>,
    ) -> Result<Progress, CensusError> {
        let tasks = self.header.tasks();
        let mut progress = Progress {
            all: tasks.len(),
            there: match self.there.is_empty() {
                true => 0,
                // The file may name tasks of other parts, too.
                false => tasks.clone().filter(|task| self.has(task)).count(),
            },
            is_stopped: false,
        };
        let before = progress.there;
        let there = std::mem::take(&mut self.there);
        let named = tasks.map(|task| (task.id(), task));
        let mut left = named.filter(|(id, _)| !there.contains(id));
        let (sender, receiver) = mpsc::channel();
        let interrupt = Interrupt::default();
        let mut under_way = 0;
        let mut last_line = Instant::now();
        loop {
            if *stop.borrow() {
                progress.is_stopped = true;
                interrupt.raise();
            }
            while under_way < AHEAD && !progress.is_stopped {
                let Some((id, task)) = left.next() else {
                    break;
                };
                let (sender, code) = (sender.clone(), task.to_string());
                let ended = move |computed| {
                    // The receiver is gone only if this computation has failed.
                    let _ = sender.send((id, code, computed));
                };
                let io = checkpoints.of(id);
                pool.spawn_resumable(task, place, interrupt.clone(), || (), io, ended);
                under_way += 1;
            }
            if under_way == 0 {
                break;
            }
            if last_line.elapsed() >= LINE_INTERVAL {
                last_line = Instant::now();
                let all = counted(progress.all as u64, "game");
                notice!("{} of {all} there", progress.there);
            }
            match receiver.recv_timeout(CHECK_INTERVAL) {
                Ok((id, code, computed)) => {
                    under_way -= 1;
                    let is_found = self.take(id, code, computed)?;
                    progress.there += usize::from(is_found);
                    checkpoints.ended(id, is_found);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(CensusError::Panicked),
            }
        }
        let synced = self.file.sync_all();
        synced.map_err(|error| CensusError::part(self.path, error.into()))?;
        tracing::info!(before, all = progress.all, "the part is written");
        Ok(progress)
    }

    fn has(&self, task: &Task) -> bool {
        self.there.contains(&task.id())
    }

    /// Adds the result of a task to the file; returns whether there was a result.
    fn take(
        &mut self,
        task: TaskId,
        code: String,
        computed: ComputationResult,
    ) -> Result<bool, CensusError> {
        match computed {
            ComputationResult::Certificate(certificate) => {
                let found = TaskResult {
                    task,
                    certificate,
                    stated: None,
                };
                let added = chunk::add(&mut self.file, self.form, &found);
                added.map_err(|cause| CensusError::part(self.path, cause))?;
                return Ok(true);
            }
            ComputationResult::Failed(failure) => notice!("note: {code}: {failure}"),
            ComputationResult::Stopped => {}
        }
        Ok(false)
    }
}

/// The state of a part.
struct Progress {
    /// The number of tasks of the part.
    all: usize,
    /// The number of tasks whose results are in the file.
    there: usize,
    /// Whether a signal stopped the computation.
    is_stopped: bool,
}

impl Progress {
    fn conclude(&self, file: &Path, json: bool) -> Result<Exit, Failure> {
        let Self { all, there, .. } = *self;
        let missing = all - there;
        if json {
            let document = json!({ "schema": 1, "file": file.display().to_string(), "tasks": all, "there": there, "missing": missing });
            terminal::print_json(&document)?;
        } else {
            let all = counted(all as u64, "game");
            terminal::print(&format!("{}: {there} of {all}\n", file.display()))?;
        }
        if self.is_stopped {
            notice!("interrupted: what is there is kept; the same command goes on");
            return Ok(Exit::Interrupted);
        }
        match missing {
            0 => Ok(Exit::Done),
            missing => Err(CensusError::PartMissing(missing).into()),
        }
    }
}
