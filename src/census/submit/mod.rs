//! `misere census submit`: censuses computed by a queue system, other machines or processes here.
//!
//! | module | contents |
//! |---|---|
//! | [`certificates`] | the certificates of workers and of jobs that check |
//! | [`coordinated`] | a coordinator here, and workers as jobs |
//! | [`folder`] | the parts, the files of the jobs and the list of the arrays |
//! | [`job`] | an array of jobs, and what the jobs of a census share |
//! | [`launch`] | the loop: merge finished parts, submit missing ones |
//! | [`queue`] | the kinds of queues, and how their clients are queried |
//! | the others | one kind of queue each |

mod certificates;
mod client;
mod coordinated;
mod folder;
mod htcondor;
mod hyperqueue;
mod job;
mod kubernetes;
mod launch;
mod processes;
mod queue;
mod sge;
mod slurm;
mod snakemake;

use std::path::PathBuf;
use std::time::Duration;

use misere_census::Plan;
use misere_census::chunk::{ChunkError, Header};
use misere_census::output_file::OutputError;
use misere_census::quantity::{bytes, duration};
use misere_coordinator::authority::CertificateFileError;
use misere_store::Store;
use serde_json::json;

use super::plan::PlanArgs;
use super::{StopReason, conclude, merge};
use crate::census_error::CensusError;
use crate::exit::{CommandError, Exit, Failure};
use crate::logging::LogArgs;
use crate::serving;
use crate::terminal::{self, counted};
pub use client::QueueError;
use folder::Jobs;
use job::JobSpec;
use launch::{Launch, Outcome};
use processes::Processes;
use queue::{Kind, Queue};

/// The core seconds of a part of the default size if every game takes all its fuel.
///
/// Most games take far less.
const SECONDS_OF_A_PART: u64 = 900;

/// The number of parts that every queue accepts as one array.
const MAX_PARTS: u64 = 1000;

/// The reason why a census could not be submitted.
#[derive(Debug, thiserror::Error)]
pub enum SubmitError {
    /// The command line is at fault.
    #[error("{0}")]
    Usage(String),
    /// A file or folder of the jobs cannot be read or written.
    #[error("cannot use `{}`: {cause}", .file.display())]
    Folder {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        cause: std::io::Error,
    },
    /// A file of the jobs cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The list of the jobs belongs to another census or is invalid.
    #[error(
        "`{}` is not a list of the jobs of this census; move its folder away",
        .0.display()
    )]
    OtherJobs(PathBuf),
    /// The list of the jobs has impossible numbers.
    #[error(
        "`{}` names more parts, arrays or failures than there can be, or no part; it was changed or is \
         damaged; move its folder away",
        .0.display()
    )]
    Unbounded(PathBuf),
    /// The list of the jobs cannot be written as JSON.
    #[error("cannot write the list of the jobs: {0}")]
    Json(serde_json::Error),
    /// The beginning of a part cannot be written.
    #[error("cannot begin a part: {0}")]
    Part(ChunkError),
    /// The queue did not do what it was asked.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// The client is not installed here.
    #[error(
        "`{client}` is not on this machine; where it is, submit with: {command}; then give this \
         command again to merge what was computed"
    )]
    NoClient {
        /// The program.
        client: &'static str,
        /// The command line for the first array.
        command: String,
    },
    /// A certificate of the coordinator or of a worker cannot be made.
    #[error(transparent)]
    Certificates(#[from] CertificateFileError),
    /// The coordinator repeatedly ends early.
    #[error("the coordinator ended without a new result, again and again; {} says why", .0.display())]
    Coordinator(PathBuf),
    /// The workers repeatedly end early.
    #[error(
        "workers ended {0} times in succession without a new result; their logs say why, in the \
         folder `submit/logs` of the census"
    )]
    Fruitless(u32),
    /// Parts that no job could finish.
    #[error(
        "parts that {0} jobs in succession could not go on with: {1}; the logs say why; \
         `misere census run --data {2}` computes the missing games here"
    )]
    GivenUp(u32, String, String),
}

impl CommandError for SubmitError {
    fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            _ => Exit::Failed,
        }
    }
}

/// The arguments of `misere census submit`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census submit --to slurm --digits 3 --data census
      as arrays of jobs of Slurm
  misere census submit --to slurm --digits 3 --data census --dry-run
      write the files, and show how to submit them
  misere census submit --to slurm --data census --directive=--partition=short
  misere census submit --to ssh --hosts lab1,lab2 --digits 3 --data /home/census
  misere census submit --to local --digits 2 --data census
      processes on this machine
  misere census submit --to slurm --mode coordinator --parts 20 --data c
      a coordinator on this machine, and 20 workers as jobs

The command lays out the parts of the census in DIR/submit, submits a job for
each, merges the parts as they arrive, submits again what is missing, and ends
with the summary and the digest. However it ends, the same command goes on; jobs
that still wait or run are not submitted again. The machines of the queue need
the directory under the same path, and a release with the same engine.

With --mode sealed each job checks its part and seals it, and the command checks
one in 32 results itself; otherwise it checks all of them.

With --mode coordinator the command starts a coordinator on this machine, and
the jobs are its workers, which reach it by --address over TLS. A worker that
ends early is submitted again.

A job that ended without a new result is given twice the memory the next time.

Exit codes: 0 done, 1 failed, 2 usage, 4 interrupted, 5 something was refused,
in dispute or damaged.")]
pub struct SubmitArgs {
    /// The queue
    #[arg(long, value_name = "QUEUE", value_enum)]
    to: Kind,
    /// The directory of the census; made if it does not exist
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA")]
    data: PathBuf,
    #[command(flatten)]
    plan: PlanArgs,
    /// What each job does
    #[arg(long, value_enum, default_value_t = Mode::Chunks, help_heading = "Jobs")]
    mode: Mode,
    /// The name or address of this machine, for the workers of --mode coordinator [default: its
    /// name; 127.0.0.1 for --to local]
    #[arg(long, value_name = "HOST", value_parser = host, help_heading = "Jobs")]
    address: Option<String>,
    /// The number of parts, or of workers [default: such that a part takes minutes; 10 workers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=folder::MAX_FOLDER_TASKS), help_heading = "Jobs")]
    parts: Option<u64>,
    /// The number of cores of a job
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Jobs")]
    cores: u16,
    /// The memory of each game; a job has it for each of its cores
    #[arg(long, value_name = "BYTES", default_value = "2GiB", value_parser = memory, help_heading = "Jobs")]
    memory: u64,
    /// The time of a job
    #[arg(long, value_name = "TIME", default_value = "4h", value_parser = duration, help_heading = "Jobs")]
    time: Duration,
    /// The number of jobs in succession that may end without a new result of a part
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100), help_heading = "Jobs")]
    attempts: u32,
    /// A line for the queue, such as --partition=short; an option of ssh or kubectl; may be
    /// repeated
    #[arg(
        long = "directive",
        value_name = "TEXT",
        allow_hyphen_values = true,
        help_heading = "Jobs"
    )]
    directives: Vec<String>,
    /// The program on the machines of the queue [default: this one]
    #[arg(long, value_name = "FILE", help_heading = "Jobs")]
    program: Option<String>,
    /// The hosts of --to ssh, separated by commas; a host named twice gets two jobs at once
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "Jobs"
    )]
    hosts: Vec<String>,
    /// The image of the containers of --to kubernetes
    #[arg(
        long,
        value_name = "NAME",
        default_value = "misere-census",
        help_heading = "Jobs"
    )]
    image: String,
    /// The volume claim of --to kubernetes whose volume is DIR/submit
    #[arg(
        long,
        value_name = "NAME",
        default_value = "misere-census",
        help_heading = "Jobs"
    )]
    claim: String,
    /// Write the files and show how to submit them, but submit nothing
    #[arg(long, help_heading = "Running")]
    dry_run: bool,
    /// The interval at which the queue is asked
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration, help_heading = "Running")]
    poll: Duration,
    /// Print the summary as JSON
    #[arg(long, help_heading = "Running")]
    json: bool,
    #[command(flatten)]
    log: LogArgs,
}

/// The kinds of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Mode {
    /// Computes a part, and writes a file
    Chunks,
    /// Computes a part, checks it, and seals the file, so that this command checks few results
    Sealed,
    /// Works for a coordinator on this machine
    Coordinator,
}

/// The number of workers unless chosen otherwise.
const WORKERS: u64 = 10;

/// Checks the name of a host, as it is in an address.
fn host(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-.".contains(c);
    match !text.is_empty() && !text.starts_with('-') && text.chars().all(is_plain) {
        true => Ok(text.to_owned()),
        false => Err("a host is a name or an address of IPv4, without a port".to_owned()),
    }
}

fn memory(text: &str) -> Result<u64, String> {
    match bytes(text) {
        Ok(bytes) if bytes < 64 << 20 => Err("a game needs at least 64MiB".to_owned()),
        read => read.map_err(|error| error.to_string()),
    }
}

/// Runs `misere census submit`.
///
/// # Errors
/// A [`Failure`] that says what to do.
pub fn run(args: &SubmitArgs) -> Result<Exit, Failure> {
    args.log.start("warn");
    let plan = args.plan.resolve(Some(&args.data))?;
    if plan.space().max_quotient_order().is_some() {
        return Err(CensusError::PartOfLevels.into());
    }
    args.check()?;
    // A coordinator started by an earlier run of this command may be running.
    let is_served = args.mode == Mode::Coordinator && misere_store::is_in_use(&args.data);
    let store = match is_served {
        true => Store::open_read_only(&args.data),
        false => Store::open(&args.data, &plan, || misere_census::plan::tasks(&plan)),
    };
    let store = store.map_err(CensusError::from)?;
    let mut means = args.means(&plan)?;
    let tasks = store.counters().tasks;
    let mut name = plan.id().to_string();
    let sized = match args.mode {
        Mode::Chunks | Mode::Sealed => args.sized(tasks, plan.budget().fuel),
        Mode::Coordinator => {
            name.push_str(" by a coordinator");
            args.workers()
        }
    };
    let jobs = Jobs::open(&means.folder, &name, args.to, args.parts, sized)?;
    let header = Header {
        plan,
        engine: misere_census::engine_fingerprint(),
        residue: 0,
        modulus: jobs.parts,
    };
    match args.mode {
        Mode::Chunks => folder::lay_out(&means, &header),
        Mode::Sealed => folder::lay_out(&means, &header)
            .and_then(|()| Ok(certificates::of_checkers(&means.folder, jobs.parts)?)),
        Mode::Coordinator => args.prepare(&mut means, jobs.parts, is_served),
    }?;
    let authority = match means.seals {
        true => Some(merge::read_authority(&certificates::authority_in(
            &means.folder,
        ))?),
        false => None,
    };
    let runtime = serving::runtime().map_err(CensusError::Start)?;
    let stop = runtime.block_on(async { serving::stop_signals() });
    let launch = Launch {
        kind: args.to,
        queue: match args.to {
            Kind::Local => {
                let cores = std::thread::available_parallelism().map_or(1, usize::from);
                Queue::Processes(Processes::here(cores / usize::from(args.cores), args.poll))
            }
            Kind::Ssh => Queue::Processes(Processes::by_ssh(&means.hosts, args.poll)),
            kind => Queue::System(kind),
        },
        memory_mib: args.memory >> 20,
        attempts: args.attempts,
        poll: args.poll,
        dry_run: args.dry_run,
        data: args.data.clone(),
        means,
        header,
        jobs,
        tasks,
        authority,
        believed: 0,
        stop: stop.map_err(CensusError::Start)?,
    };
    let outcome = match launch.means.coordinator.clone() {
        None => launch.run(&runtime, store)?,
        Some(address) => {
            // The coordinator writes the store.
            drop(store);
            launch.run_coordinated(&runtime, &address)?
        }
    };
    match outcome {
        Outcome::Written(commands) => args.show(&commands),
        Outcome::Stopped { merged, arrays } => {
            notice!(
                "interrupted: {merged} of {} are merged; the jobs go on ({arrays}), and the same \
                 command merges what they find",
                counted(tasks, "game")
            );
            Ok(Exit::Interrupted)
        }
        Outcome::Complete { is_clean } => {
            let ended = conclude(&args.data, StopReason::Finished, "", args.json)?;
            Ok(if is_clean { ended } else { Exit::Refuted })
        }
    }
}

impl SubmitArgs {
    /// Checks that the options fit together.
    fn check(&self) -> Result<(), SubmitError> {
        let usage = |text: &str| Err(SubmitError::Usage(text.to_owned()));
        let lines = self.directives.iter().chain(&self.hosts);
        if lines
            .into_iter()
            .any(|text| text.contains(char::is_control))
        {
            return usage("--directive and --hosts take no line ends");
        }
        if self
            .hosts
            .iter()
            .any(|host| host.is_empty() || host.starts_with('-'))
        {
            return usage("a host of --hosts has no name, or begins with a hyphen");
        }
        if self.mode != Mode::Coordinator && self.address.is_some() {
            return usage("--address belongs to --mode coordinator");
        }
        if self.mode == Mode::Sealed {
            if self.to == Kind::Kubernetes {
                return usage(
                    "--mode sealed does not go to kubernetes, whose pods cannot read the keys",
                );
            }
            if self.parts.is_some_and(|parts| parts > MAX_PARTS) {
                return usage("--mode sealed takes at most 1000 parts");
            }
        }
        if self.mode == Mode::Coordinator {
            if self.to == Kind::Kubernetes {
                return usage(
                    "--mode coordinator does not go to kubernetes; the folder deploy/kubernetes of \
                     the sources has a coordinator and workers for it",
                );
            }
            if self.parts.is_some_and(|workers| workers > MAX_PARTS) {
                return usage("--mode coordinator takes at most 1000 workers");
            }
        }
        match (self.to, self.hosts.is_empty()) {
            (Kind::Ssh, true) => usage("--to ssh needs --hosts LIST"),
            (Kind::Ssh, false) | (_, true) => Ok(()),
            (_, false) => usage("--hosts belongs to --to ssh"),
        }
    }

    /// Returns the number of parts such that each takes minutes.
    fn sized(&self, tasks: u64, fuel: u64) -> u64 {
        let seconds = tasks.saturating_mul(fuel) / 1_000_000;
        let each = SECONDS_OF_A_PART.saturating_mul(u64::from(self.cores));
        let at_once = self.hosts.len().max(1) as u64;
        let parts = seconds.div_ceil(each).max(2 * at_once);
        parts.min(MAX_PARTS).min(tasks).max(1)
    }

    /// Returns the number of workers if it was not chosen.
    fn workers(&self) -> u64 {
        match self.to {
            Kind::Local => {
                let cores = std::thread::available_parallelism().map_or(1, usize::from);
                (cores / usize::from(self.cores)).max(1) as u64
            }
            Kind::Ssh => self.hosts.len() as u64,
            _ => WORKERS,
        }
    }

    /// Makes what a coordinator and its workers need: folders, an address, certificates.
    fn prepare(
        &self,
        means: &mut JobSpec,
        workers: u64,
        is_served: bool,
    ) -> Result<(), SubmitError> {
        for folder in [means.parts(), means.logs()] {
            let made = std::fs::create_dir_all(&folder);
            made.map_err(|cause| SubmitError::Folder {
                file: folder,
                cause,
            })?;
        }
        let before = coordinated::written(&means.folder).map(|(host, _)| host);
        let host = match (&self.address, self.to, &before) {
            (Some(address), ..) => address.clone(),
            (None, Kind::Local, _) => coordinated::LOOPBACK.to_owned(),
            // The name that was given when the census was submitted.
            (None, _, Some(host)) if host != coordinated::LOOPBACK => host.clone(),
            (None, ..) => {
                let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
                host(name.trim()).map_err(|_| {
                    SubmitError::Usage(
                        "say with --address under which name the workers reach this machine"
                            .to_owned(),
                    )
                })?
            }
        };
        if let Some(before) = before.filter(|before| *before != host) {
            if is_served {
                return Err(SubmitError::Usage(format!(
                    "the coordinator at work is reached as {before}, and not as {host}; submit \
                     the census as before, or end the coordinator first: misere census cancel \
                     --data {}",
                    self.data.display()
                )));
            }
            coordinated::remove_certificate(&means.folder)?;
        }
        certificates::of_coordinator(&means.folder, &host, workers)?;
        means.coordinator = Some(coordinated::address(
            &means.folder,
            &host,
            self.to.is_local(),
        )?);
        Ok(())
    }

    fn means(&self, plan: &Plan) -> Result<JobSpec, SubmitError> {
        let cannot = |file: PathBuf| move |cause| SubmitError::Folder { file, cause };
        let data = self
            .data
            .canonicalize()
            .map_err(cannot(self.data.clone()))?;
        let folder = data.join(misere_store::SUBMIT);
        if folder
            .to_str()
            .is_none_or(|name| name.contains(['\n', '\r', '"', '\'']))
        {
            return Err(SubmitError::Usage(format!(
                "the name of {} has quotation marks, line ends or bytes that are not text; queues \
                 do not take it",
                data.display()
            )));
        }
        std::fs::create_dir_all(&folder).map_err(cannot(folder.clone()))?;
        let program = match &self.program {
            Some(program) => program.clone(),
            None if self.to == Kind::Kubernetes => "misere".to_owned(),
            None => {
                let here = std::env::current_exe();
                let here = here.map_err(cannot(PathBuf::from("misere")))?;
                here.display().to_string()
            }
        };
        let about = plan.space().to_string().replace(['\n', '\r'], " ");
        let place = short_name(&format!("{}{}", folder.display(), plan.id()));
        Ok(JobSpec {
            folder,
            name: format!("misere-{place}"),
            about: about.chars().take(200).collect(),
            program,
            cores: self.cores,
            time: self.time,
            directives: self.directives.clone(),
            hosts: self.hosts.clone(),
            image: self.image.clone(),
            claim: self.claim.clone(),
            coordinator: None,
            seals: self.mode == Mode::Sealed,
        })
    }

    /// Prints how to submit the arrays that were only written.
    fn show(&self, commands: &[String]) -> Result<Exit, Failure> {
        if self.json {
            terminal::print_json(&json!({ "schema": 1, "commands": commands }))?;
        } else {
            let lines: String = commands.iter().map(|line| format!("{line}\n")).collect();
            terminal::print(&lines)?;
        }
        Ok(Exit::Done)
    }
}

/// Returns the first digits of the hash of a text.
fn short_name(text: &str) -> String {
    let hash = misere_census::CertificateDigest::of(text.as_bytes()).to_string();
    hash.chars().take(8).collect()
}
