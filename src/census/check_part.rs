//! `misere census chunk` with --check or --sealed: a part, checked and sealed.

use std::collections::HashMap;
use std::fs::{File, Permissions};
use std::io::{BufReader, BufWriter, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use misere_census::admission::{VerificationError, verify};
use misere_census::chunk::{self, ChunkError, Form, Header, MAX_STATED_BYTES, Reader, TaskResult};
use misere_census::output_file::{self, CleanupGuard, directory_of};
use misere_census::{Task, TaskId, input_file};
use misere_coordinator::merge::MergeError;
use misere_coordinator::seal::{hash_of, seal};
use misere_game::control::Interrupt;
use misere_proto::{CredentialFiles, Credentials};
use rayon::prelude::*;
use serde_json::json;

use crate::census_error::CensusError;
use crate::exit::{Exit, Failure};
use crate::terminal::{self, counted};
use crate::watch::{Guards, Watch};

/// The interval of the lines of progress.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// The number of results, and of their bytes, that are checked together.
const TOGETHER: usize = 1024;
const TOGETHER_BYTES: usize = 64 << 20;

/// The options of the check of a part.
#[derive(Debug, clap::Args)]
pub(super) struct CheckPartArgs {
    /// Check the part in this file, and write it to --out, sealed with what it proves
    #[arg(long, value_name = "PART", conflicts_with_all = ["PlanArgs", "residue", "modulus", "checkpoint_every", "IsolationArgs"], help_heading = "Check")]
    check: Option<PathBuf>,
    /// Check the part when it is whole, and write it to this file, sealed with what it proves
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "json"], help_heading = "Check")]
    sealed: Option<PathBuf>,
    /// The certificate of the authority, in PEM
    #[arg(long, value_name = "FILE", env = "MISERE_CA", help_heading = "Check")]
    ca: Option<PathBuf>,
    /// The certificate of the checker, in PEM: `misere coordinator certs --role checker` makes it
    #[arg(long, value_name = "FILE", env = "MISERE_CERT", help_heading = "Check")]
    cert: Option<PathBuf>,
    /// The key of the certificate, in PEM
    #[arg(long, value_name = "FILE", env = "MISERE_KEY", help_heading = "Check")]
    key: Option<PathBuf>,
}

impl CheckPartArgs {
    /// Returns the part to be checked and the credentials of the checker; `None` for no check.
    pub(super) fn checked(&self) -> Result<Option<(&Path, Credentials)>, CensusError> {
        self.with_credentials(self.check.as_deref())
    }

    /// Returns the file to be sealed when the part is whole, and the credentials of the checker.
    pub(super) fn sealed(&self) -> Result<Option<(&Path, Credentials)>, CensusError> {
        self.with_credentials(self.sealed.as_deref())
    }

    fn with_credentials<'a>(
        &self,
        file: Option<&'a Path>,
    ) -> Result<Option<(&'a Path, Credentials)>, CensusError> {
        let Some(file) = file else {
            return Ok(None);
        };
        let (Some(ca), Some(cert), Some(key)) = (&self.ca, &self.cert, &self.key) else {
            return Err(CensusError::NoSeal);
        };
        let files = CredentialFiles {
            authority: ca.clone(),
            certificate: cert.clone(),
            key: key.clone(),
            revoked: None,
        };
        Ok(Some((file, files.read()?)))
    }
}

/// Checks a part and writes the sealed file.
pub(super) fn run(
    part: &Path,
    out: &Path,
    credentials: &Credentials,
    (threads, json): (usize, bool),
) -> Result<Exit, Failure> {
    output_file::check_writable(out).map_err(CensusError::from)?;
    // Credentials that seal nothing are reported before the checks.
    let cannot_seal = |cause| CensusError::Seal(Box::new(cause));
    seal(&[0; 32], credentials).map_err(cannot_seal)?;
    let interrupt = Interrupt::default();
    let what = format!("checking {}", part.display());
    let watch = Watch::start(what, &interrupt, Guards::default())?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| CensusError::Start(std::io::Error::other(error)))?;
    let checked = pool.install(|| write(part, out, credentials, &interrupt));
    watch.finish();
    let counts = match checked {
        Err(CensusError::Merge { cause, .. }) if matches!(*cause, MergeError::Stopped) => {
            notice!("interrupted: nothing is written; run the same command again");
            return Ok(Exit::Interrupted);
        }
        checked => checked?,
    };
    counts.print(part, out, json)?;
    Ok(match counts.refused + counts.damaged {
        0 => Exit::Done,
        _ => Exit::Refuted,
    })
}

/// The results of a part, by what the check found.
#[derive(Default)]
struct Counts {
    proved: u64,
    refused: u64,
    /// The results that are left to the one who merges: their statement would be too long.
    left: u64,
    damaged: u64,
}

impl Counts {
    fn print(&self, part: &Path, out: &Path, json: bool) -> Result<(), Failure> {
        let &Self {
            proved,
            refused,
            left,
            damaged,
        } = self;
        if damaged > 0 {
            let (part, places) = (part.display(), counted(damaged, "place"));
            notice!(
                "damaged: {part}: at {places}; what stood there is lost, and is to be done again"
            );
        }
        if json {
            let file = out.display().to_string();
            terminal::print_json(
                &json!({ "schema": 1, "file": file, "proved": proved, "refused": refused, "left": left, "damaged": damaged }),
            )?;
            return Ok(());
        }
        let proved = counted(proved, "result");
        let left = match left {
            0 => String::new(),
            left => format!(", {left} left to the merge"),
        };
        let out = out.display();
        terminal::print(&format!(
            "{out}: {proved} proved, {refused} refused{left}\n"
        ))?;
        Ok(())
    }
}

fn write(
    part: &Path,
    out: &Path,
    credentials: &Credentials,
    interrupt: &Interrupt,
) -> Result<Counts, CensusError> {
    let cannot = |cause| CensusError::part(part, cause);
    let cannot_write = |error: std::io::Error| CensusError::part(out, error.into());
    let file = input_file::open(part).map_err(|error| cannot(error.into()))?;
    let reader = Reader::open(BufReader::new(file)).map_err(cannot)?;
    let Some(mut reader) = reader else {
        return Err(CensusError::PartWithoutPlan(part.to_owned()));
    };
    let (found, here) = (
        reader.header().engine.clone(),
        misere_census::engine_fingerprint(),
    );
    if found != here {
        let cause = Box::new(MergeError::OtherEngine { found, here });
        let file = part.to_owned();
        return Err(CensusError::Merge { file, cause });
    }
    let tasks: HashMap<TaskId, Task> = reader.header().tasks().map(|it| (it.id(), it)).collect();
    let usual = Permissions::from_mode(0o666);
    let begun = CleanupGuard::begin(usual, |name| name.tempfile_in(directory_of(out)));
    let (mut unfinished, guard) = begun.map_err(cannot_write)?;
    let counts = {
        let mut to = BufWriter::new(unfinished.as_file_mut());
        let counts = seal_into(&mut to, &mut reader, (&tasks, part), interrupt)?;
        to.flush().map_err(cannot_write)?;
        counts
    };
    let file = unfinished.as_file_mut();
    let bytes = file.stream_position().map_err(cannot_write)?;
    file.rewind().map_err(cannot_write)?;
    let hash = hash_of(&mut *file, bytes).map_err(cannot_write)?;
    let made = seal(&hash, credentials).map_err(|cause| CensusError::Seal(Box::new(cause)))?;
    chunk::close(file, &made).map_err(|cause| CensusError::part(out, cause))?;
    file.sync_all().map_err(cannot_write)?;
    let named = guard.finish(|| unfinished.persist(out).map_err(|error| error.error));
    named.map_err(cannot_write)?;
    Ok(counts)
}

/// Checks the results of a part in groups, and writes them with what they prove.
fn seal_into(
    to: &mut BufWriter<&mut File>,
    reader: &mut Reader<BufReader<File>>,
    (tasks, part): (&HashMap<TaskId, Task>, &Path),
    interrupt: &Interrupt,
) -> Result<Counts, CensusError> {
    let cannot = |cause| CensusError::part(part, cause);
    let header: Header = reader.header().clone();
    chunk::begin(to, Form::Sealed, &header).map_err(cannot)?;
    let mut counts = Counts::default();
    let mut last_line = Instant::now();
    loop {
        let group = next_group(reader).map_err(cannot)?;
        if group.is_empty() {
            counts.damaged = reader.damaged();
            return Ok(counts);
        }
        let checked: Vec<_> = group
            .into_par_iter()
            .map(|found| {
                let verified = tasks
                    .get(&found.task)
                    .map(|task| verify(task, &found.certificate, interrupt.clone()));
                (found, verified)
            })
            .collect();
        for (found, verified) in checked {
            let stated = match verified {
                Some(Ok(verified)) => {
                    let stated = verified.state().map_err(|error| cannot(error.into()))?;
                    Some(stated).filter(|stated| stated.len() <= MAX_STATED_BYTES)
                }
                Some(Err(VerificationError::Stopped)) => {
                    let (file, cause) = (part.to_owned(), Box::new(MergeError::Stopped));
                    return Err(CensusError::Merge { file, cause });
                }
                Some(Err(refused)) => {
                    counts.refused += 1;
                    notice!(
                        "refused: {}: task {}: {refused}",
                        part.display(),
                        found.task
                    );
                    continue;
                }
                None => {
                    counts.refused += 1;
                    let (part, task) = (part.display(), found.task);
                    notice!("refused: {part}: task {task}: the part has no such task");
                    continue;
                }
            };
            match stated {
                Some(_) => counts.proved += 1,
                None => counts.left += 1,
            }
            let found = TaskResult { stated, ..found };
            chunk::add(to, Form::Sealed, &found).map_err(cannot)?;
        }
        if last_line.elapsed() >= LINE_INTERVAL {
            last_line = Instant::now();
            let all = counted(tasks.len() as u64, "game");
            notice!(
                "{} of {all} checked",
                counts.proved + counts.refused + counts.left
            );
        }
    }
}

/// Returns the next results of a part; none at its end.
fn next_group(reader: &mut Reader<BufReader<File>>) -> Result<Vec<TaskResult>, ChunkError> {
    let (mut group, mut bytes) = (Vec::new(), 0);
    while group.len() < TOGETHER && bytes < TOGETHER_BYTES {
        let Some(found) = reader.next_found()? else {
            break;
        };
        bytes += found.certificate.len();
        group.push(found);
    }
    Ok(group)
}
