//! The loop of a submitted census: merge finished parts, submit missing ones, until none is left.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use misere_census::chunk::{ChunkError, Header};
use misere_coordinator::CoordinatorError;
use misere_coordinator::check_threads::CertificateVerifier;
use misere_coordinator::merge::Terms;
use misere_store::Store;
use tokio::runtime::Runtime;
use tokio::sync::watch;

use super::folder::{self, Jobs};
use super::job::{Array, JobSpec};
use super::queue::{Kind, Queue};
use super::{MAX_PARTS, SubmitError};
use crate::census::merge;
use crate::census_error::CensusError;
use crate::exit::Failure;
use crate::terminal::counted;

/// The least time between two merges of a part whose job is running.
const MERGE_INTERVAL: Duration = Duration::from_secs(60);

/// The interval of the lines of progress.
pub(super) const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// The interval at which the processes of this machine are polled, which costs no call.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The limit on the doublings of the memory.
const MAX_DOUBLINGS: u32 = 6;

/// The limit on successive refusals of an array by a queue.
pub(super) const MAX_REFUSALS: u32 = 5;

/// A census that is being submitted.
pub(super) struct Launch {
    pub(super) kind: Kind,
    pub(super) queue: Queue,
    /// The memory of each game in the first job of a part, in MiB.
    pub(super) memory_mib: u64,
    pub(super) attempts: u32,
    pub(super) poll: Duration,
    pub(super) dry_run: bool,
    pub(super) data: PathBuf,
    pub(super) means: JobSpec,
    pub(super) header: Header,
    pub(super) jobs: Jobs,
    pub(super) tasks: u64,
    /// The certificate of the authority, in PEM, if the jobs seal their parts.
    pub(super) authority: Option<Vec<u8>>,
    /// The number of results whose checks by jobs were believed.
    pub(super) believed: u64,
    pub(super) stop: watch::Receiver<bool>,
}

/// The result of the loop.
pub(super) enum Outcome {
    /// The files are written; these commands submit them.
    Written(Vec<String>),
    /// A signal came.
    Stopped {
        /// The number of merged results.
        merged: u64,
        /// The names of the arrays that wait or run.
        arrays: String,
    },
    /// Every part is merged.
    Complete {
        /// Whether nothing was refused, damaged or in dispute.
        is_clean: bool,
    },
}

/// The state of the file of a part at the last inspection.
#[derive(Clone, Copy, Debug, Default)]
struct PartState {
    /// The length of the file at the last merge.
    bytes: u64,
    merged_at: Option<Instant>,
    /// The number of its results in the census.
    results: u64,
    /// The number of results when a job of the part was last submitted.
    before: Option<u64>,
}

impl Launch {
    /// Runs until the census is complete, or a signal comes.
    pub(super) fn run(mut self, runtime: &Runtime, store: Store) -> Result<Outcome, Failure> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let verifier = CertificateVerifier::new(cores)
            .map_err(CoordinatorError::from)
            .map_err(CensusError::from)?;
        let mut store = Some(store);
        let mut parts: BTreeMap<u64, PartState> = (0..self.jobs.parts)
            .map(|part| (part, PartState::default()))
            .collect();
        let mut is_clean = true;
        let mut last_line = Instant::now();
        let (mut silent, mut refusals) = (false, 0);
        loop {
            if store.as_ref().is_some_and(Store::is_complete) {
                if self.authority.is_some() {
                    let believed = self.believed;
                    notice!("{believed} of {} results were checked by jobs", self.tasks);
                }
                return Ok(Outcome::Complete { is_clean });
            }
            // A part is merged after the queue was queried: a result still missing then has no job.
            let alive = match self.dry_run {
                true => Ok(BTreeSet::new()),
                false => self.ask(),
            };
            for (&part, seen) in &mut parts {
                let is_alive = alive.as_ref().map_or(true, |alive| alive.contains(&part));
                let merging = self.merge(runtime, &verifier, &mut store, part, seen, is_alive);
                is_clean &= merging?;
                if *self.stop.borrow() {
                    break;
                }
            }
            let merged = parts.values().map(|seen| seen.results).sum();
            if *self.stop.borrow() {
                let arrays = self
                    .jobs
                    .arrays
                    .iter()
                    .filter_map(|array| array.id.as_deref());
                let arrays = arrays.collect::<Vec<_>>().join(", ");
                return Ok(Outcome::Stopped { merged, arrays });
            }
            if store.as_ref().is_some_and(Store::is_complete) {
                continue;
            }
            match alive {
                Ok(alive) => {
                    silent = false;
                    let missing = self.missing(&mut parts, &alive);
                    if self.dry_run {
                        return Ok(Outcome::Written(self.write(&missing)?));
                    }
                    match self.submit(&missing) {
                        Ok(()) => refusals = 0,
                        Err(SubmitError::Queue(error)) if refusals < MAX_REFUSALS => {
                            refusals += 1;
                            notice!("note: {error}; tried again");
                        }
                        Err(error) => return Err(error.into()),
                    }
                    if missing.is_empty() && alive.is_empty() {
                        return Err(self.given_up(&parts).into());
                    }
                }
                Err(error) => {
                    // A queue that is restarted keeps its jobs.
                    if !silent {
                        notice!("note: {error}; asked again until it answers");
                    }
                    silent = true;
                }
            }
            if last_line.elapsed() >= LINE_INTERVAL {
                last_line = Instant::now();
                let whole = parts
                    .iter()
                    .filter(|&(&part, seen)| self.is_whole(part, seen));
                notice!(
                    "{merged} of {} games there, {} of {} parts complete",
                    self.tasks,
                    whole.count(),
                    self.jobs.parts
                );
            }
            self.wait(runtime);
        }
    }

    /// Returns the parts with a waiting or running job.
    pub(super) fn ask(&mut self) -> Result<BTreeSet<u64>, SubmitError> {
        match self.jobs.arrays.is_empty() {
            true => Ok(BTreeSet::new()),
            false => Ok(self.queue.alive(&self.means, &self.jobs.arrays)?),
        }
    }

    /// Waits until the queue is to be queried again.
    ///
    /// It returns at once if a process can be started here, so that no core waits for the interval.
    pub(super) fn wait(&mut self, runtime: &Runtime) {
        let mut stop = self.stop.clone();
        let mut left = self.poll;
        while !left.is_zero() && !self.queue.can_start() {
            let step = left.min(POLL_INTERVAL);
            left -= step;
            let stopped = runtime.block_on(async {
                // The signals are available as long as the program runs.
                tokio::time::timeout(step, stop.wait_for(|stop| *stop))
                    .await
                    .is_ok()
            });
            if stopped {
                return;
            }
        }
    }

    /// Returns the number of tasks of a part.
    fn tasks_of(&self, part: u64) -> u64 {
        self.tasks.saturating_sub(part).div_ceil(self.jobs.parts)
    }

    fn is_whole(&self, part: u64, seen: &PartState) -> bool {
        seen.results >= self.tasks_of(part)
    }

    /// Merges a part if its file has grown; returns whether nothing was wrong.
    ///
    /// The part of a job that seals is merged when it is sealed, or when the job has ended.
    fn merge(
        &mut self,
        runtime: &Runtime,
        verifier: &CertificateVerifier,
        store: &mut Option<Store>,
        part: u64,
        seen: &mut PartState,
        is_alive: bool,
    ) -> Result<bool, Failure> {
        let size_of = |file: &Path| fs::metadata(file).map_or(0, |data| data.len());
        let mut file = self.means.part(part);
        let mut bytes = size_of(&file);
        // A job cannot identify a part whose file ends within its beginning.
        let beginning = folder::beginning(&self.header, part)?;
        if !is_alive && bytes < beginning.len() as u64 {
            folder::begin(&file, &self.header, part)?;
            return Ok(true);
        }
        let mut is_sealed = false;
        if self.authority.is_some() {
            let sealed = self.means.sealed(part);
            match size_of(&sealed) {
                0 if is_alive => return Ok(true),
                0 => {}
                long => (file, bytes, is_sealed) = (sealed, long, true),
            }
        }
        let is_early = |at: Instant| is_alive && at.elapsed() < MERGE_INTERVAL;
        if bytes == seen.bytes || seen.merged_at.is_some_and(is_early) {
            if bytes == 0 {
                folder::begin(&file, &self.header, part)?;
            }
            return Ok(true);
        }
        let terms = Terms::default();
        let authority = self.authority.as_deref();
        let folded = merge::fold_in(&self.data, store, verifier, &file, (terms, authority));
        let merged = match runtime.block_on(folded) {
            Ok(merged) => merged,
            Err(CensusError::PartFile { cause, .. })
                if !matches!(*cause, ChunkError::Io(_)) && !is_alive =>
            {
                notice!("refused: {}: {cause}", file.display());
                folder::set_aside_result(&self.means, &self.header, part)?;
                *seen = PartState::default();
                return Ok(false);
            }
            Err(error) => return Err(error.into()),
        };
        merge::print_merged(&file, &merged);
        seen.bytes = bytes;
        seen.merged_at = Some(Instant::now());
        seen.results = merged.new + merged.known;
        self.believed += merged.believed;
        // A file is sealed when its part is whole: what it lacks, its checker has refused.
        let is_bad = !merged.refused.is_empty()
            || !merged.disagreements.is_empty()
            || (is_sealed && !self.is_whole(part, seen));
        if is_bad && !is_alive {
            folder::set_aside_result(&self.means, &self.header, part)?;
            *seen = PartState::default();
        }
        Ok(merged.is_clean())
    }

    /// Returns the incomplete parts that no job computes, except those given up.
    fn missing(&mut self, parts: &mut BTreeMap<u64, PartState>, alive: &BTreeSet<u64>) -> Vec<u64> {
        let mut missing = Vec::new();
        for part in 0..self.jobs.parts {
            let Some(seen) = parts.get_mut(&part) else {
                continue;
            };
            if alive.contains(&part) || seen.results >= self.tasks_of(part) {
                continue;
            }
            match seen.before {
                Some(before) if before >= seen.results => {
                    *self.jobs.failures.entry(part).or_default() += 1;
                }
                Some(_) => {
                    self.jobs.failures.remove(&part);
                }
                None => {}
            }
            seen.before = Some(seen.results);
            if self.failures(part) < self.attempts {
                missing.push(part);
            }
        }
        missing
    }

    fn failures(&self, part: u64) -> u32 {
        self.jobs.failures.get(&part).copied().unwrap_or(0)
    }

    /// Groups parts into arrays by their number of failures, since these get equal memory.
    fn arrays(&self, missing: &[u64]) -> Vec<Array> {
        let mut alike: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for &part in missing {
            let doublings = self.failures(part).min(MAX_DOUBLINGS);
            alike.entry(doublings).or_default().push(part);
        }
        let most = usize::try_from(MAX_PARTS).unwrap_or(usize::MAX);
        let groups = alike.iter().flat_map(|(&doublings, parts)| {
            parts
                .chunks(most)
                .map(move |parts| (doublings, parts.to_vec()))
        });
        let last = self.jobs.arrays.last().map_or(0, |array| array.number);
        groups
            .zip(last + 1..)
            .map(|((doublings, parts), number)| Array {
                number,
                parts,
                memory_mib: self.memory_mib.saturating_mul(1 << doublings),
                id: None,
            })
            .collect()
    }

    /// Writes the files for these parts; returns the commands that submit them.
    ///
    /// The arrays are recorded, since the user may submit them.
    pub(super) fn write(&mut self, missing: &[u64]) -> Result<Vec<String>, SubmitError> {
        self.jobs.arrays.retain(|array| array.id.is_some());
        let arrays = self.arrays(missing);
        let written = arrays.iter().map(|array| {
            let command = folder::write_array(self.kind, &self.means, array)?;
            Ok(self.kind.line(&command))
        });
        let commands = written.collect::<Result<_, SubmitError>>()?;
        self.jobs.arrays.extend(arrays);
        self.jobs.keep(&self.means.folder)?;
        Ok(commands)
    }

    /// Submits the parts.
    ///
    /// An array is recorded before it is submitted, and its name in the queue afterwards.
    pub(super) fn submit(&mut self, missing: &[u64]) -> Result<(), SubmitError> {
        if let Some(client) = self.kind.client().filter(|client| !is_program(client))
            && !missing.is_empty()
        {
            let command = self.write(missing)?.join("; ");
            return Err(SubmitError::NoClient { client, command });
        }
        for mut array in self.arrays(missing) {
            folder::write_array(self.kind, &self.means, &array)?;
            self.jobs.arrays.push(array.clone());
            self.jobs.keep(&self.means.folder)?;
            let submitted = self.queue.submit(&self.means, &array);
            let id = submitted.map_err(SubmitError::from)?;
            let (jobs, number) = (array.parts.len() as u64, array.number);
            notice!(
                "submitted: array {number} with {}, as {id}",
                counted(jobs, "job")
            );
            array.id = Some(id);
            self.jobs.arrays.pop();
            self.jobs.arrays.push(array);
            self.jobs.keep(&self.means.folder)?;
        }
        Ok(())
    }

    fn given_up(&self, parts: &BTreeMap<u64, PartState>) -> SubmitError {
        let left = parts
            .iter()
            .filter(|&(&part, seen)| !self.is_whole(part, seen));
        let left: Vec<String> = left.map(|(part, _)| part.to_string()).collect();
        SubmitError::GivenUp(
            self.attempts,
            left.join(", "),
            self.data.display().to_string(),
        )
    }
}

/// Reports whether there is a program of this name.
fn is_program(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}
