//! Censuses computed by workers of a coordinator, which the queue starts as jobs.
//!
//! The coordinator is a separate process on this machine, so that it continues if this command
//! ends. The workers are an array: job i shows the certificate of worker i. A worker that ends
//! early is submitted again, and another one continues its games.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use misere_census::input_file;
use misere_store::Store;
use tokio::runtime::Runtime;

use super::SubmitError;
use super::client::QueueError;
use super::launch::{LINE_INTERVAL, Launch, MAX_REFUSALS, Outcome};
use crate::census_error::CensusError;
use crate::exit::Failure;
use crate::shell::line;

/// The limit on successive coordinators that end without a new result.
const MAX_STARTS: u32 = 3;

/// The file that names the host and the port of the coordinator.
const ADDRESS: &str = "address";

/// The address of this machine for the workers on it.
pub(super) const LOOPBACK: &str = "127.0.0.1";

/// Reads the host and the port that are on record, if any.
pub(super) fn written(folder: &Path) -> Option<(String, u16)> {
    let there = input_file::read_text(&folder.join(ADDRESS), input_file::SMALL).ok()?;
    let (host, port) = there.trim().split_once(':')?;
    Some((host.to_owned(), port.parse().ok()?))
}

/// Removes the coordinator's certificate, which names the host of the coordinator's old address.
pub(super) fn remove_certificate(folder: &Path) -> Result<(), SubmitError> {
    for name in ["coordinator.pem", "coordinator.key"] {
        let file = folder.join("certs").join(name);
        match fs::remove_file(&file) {
            Err(cause) if cause.kind() != ErrorKind::NotFound => {
                return Err(SubmitError::Folder { file, cause });
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns the host and the port of the coordinator, and records them.
///
/// With the record, running workers find a coordinator that is started again.
pub(super) fn address(folder: &Path, host: &str, is_local: bool) -> Result<String, SubmitError> {
    let file = folder.join(ADDRESS);
    let cannot = |cause| SubmitError::Folder {
        file: file.clone(),
        cause,
    };
    if let Some((name, port)) = written(folder)
        && name == host
    {
        return Ok(format!("{host}:{port}"));
    }
    let interface = if is_local { LOOPBACK } else { "0.0.0.0" };
    let free = TcpListener::bind((interface, 0)).and_then(|free| free.local_addr());
    let address = format!("{host}:{}", free.map_err(cannot)?.port());
    misere_census::output_file::write(&file, format!("{address}\n").as_bytes())?;
    Ok(address)
}

impl Launch {
    /// Returns the command line of the coordinator.
    fn coordinator(&self, port: &str) -> Vec<String> {
        let certs = self.means.folder.join("certs");
        let file = |name: &str| certs.join(name).display().to_string();
        let interface = match self.kind.is_local() {
            true => LOOPBACK,
            false => "0.0.0.0",
        };
        let data = self.data.display().to_string();
        [
            "coordinator",
            "--data",
            &data,
            "--listen",
            &format!("{interface}:{port}"),
            "--ca",
            &file("ca.pem"),
            "--cert",
            &file("coordinator.pem"),
            "--key",
            &file("coordinator.key"),
        ]
        .map(str::to_owned)
        .to_vec()
    }

    /// Starts the coordinator, in its own process group.
    fn start_coordinator(&self, port: &str) -> Result<Child, SubmitError> {
        let log = self.means.logs().join("coordinator.log");
        let cannot = |cause| SubmitError::Folder {
            file: log.clone(),
            cause,
        };
        let output = File::options().create(true).append(true).open(&log);
        let output = output.map_err(cannot)?;
        let errors = output.try_clone().map_err(cannot)?;
        let program = std::env::current_exe().map_err(cannot)?;
        Command::new(&program)
            .args(self.coordinator(port))
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors)
            .process_group(0)
            .spawn()
            .map_err(|cause| {
                let program = program.display().to_string();
                QueueError::Start { program, cause }.into()
            })
    }

    /// Keeps a coordinator and workers running until every game has its result, or until a signal.
    pub(super) fn run_coordinated(
        mut self,
        runtime: &Runtime,
        address: &str,
    ) -> Result<Outcome, Failure> {
        let port = address.rsplit(':').next().unwrap_or_default().to_owned();
        let workers: BTreeSet<u64> = (1..=self.jobs.parts).collect();
        if self.dry_run {
            let missing: Vec<u64> = workers.into_iter().collect();
            let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("misere"));
            let mut words = vec![program.display().to_string()];
            words.extend(self.coordinator(&port));
            let mut commands = vec![line(&words)];
            commands.extend(self.write(&missing)?);
            return Ok(Outcome::Written(commands));
        }
        let mut coordinator: Option<Child> = None;
        let (mut starts, mut refusals, mut fruitless) = (0, 0, 0);
        let (mut started_with, mut submitted_with) = (0, None);
        let mut last_line = Instant::now();
        let (mut silent, mut was_served) = (false, false);
        loop {
            if let Some(child) = &mut coordinator
                && matches!(child.try_wait(), Ok(Some(_)))
            {
                coordinator = None;
            }
            // The running coordinator may have been started by an earlier run of this command.
            let is_served = coordinator.is_some() || misere_store::is_in_use(&self.data);
            was_served |= is_served;
            let counters = Store::open_read_only(&self.data)
                .map_err(CensusError::from)?
                .counters();
            let records = counters.records();
            if !is_served && counters.pending() == 0 {
                // Workers that still wait, or lost the connection before the end, find no
                // coordinator any more.
                if was_served
                    && let Err(error) = self.queue.withdraw(&self.means, &self.jobs.arrays)
                {
                    notice!("note: {error}; the workers that are left end by themselves");
                }
                return Ok(Outcome::Complete { is_clean: true });
            }
            if *self.stop.borrow() {
                return Ok(Outcome::Stopped {
                    merged: records,
                    arrays: format!("the coordinator at {address} and its workers"),
                });
            }
            if !is_served {
                starts = if records > started_with {
                    1
                } else {
                    starts + 1
                };
                started_with = records;
                if starts > MAX_STARTS {
                    let log = self.means.logs().join("coordinator.log");
                    return Err(SubmitError::Coordinator(log).into());
                }
                coordinator = Some(self.start_coordinator(&port)?);
                // It may be done before the census is examined again.
                was_served = true;
                notice!("started: a coordinator at {address}");
            }
            match self.ask() {
                Ok(alive) => {
                    silent = false;
                    let wanted = usize::try_from(counters.pending()).unwrap_or(usize::MAX);
                    let missing = workers.difference(&alive).copied();
                    let missing: Vec<u64> =
                        missing.take(wanted.saturating_sub(alive.len())).collect();
                    if !missing.is_empty() {
                        fruitless = match submitted_with {
                            Some(before) if before == records => fruitless + 1,
                            _ => 0,
                        };
                        submitted_with = Some(records);
                        if fruitless >= self.attempts {
                            return Err(SubmitError::Fruitless(self.attempts).into());
                        }
                    }
                    match self.submit(&missing) {
                        Ok(()) => refusals = 0,
                        Err(SubmitError::Queue(error)) if refusals < MAX_REFUSALS => {
                            refusals += 1;
                            notice!("note: {error}; tried again");
                        }
                        Err(error) => return Err(error.into()),
                    }
                }
                Err(error) => {
                    if !silent {
                        notice!("note: {error}; asked again until it answers");
                    }
                    silent = true;
                }
            }
            if last_line.elapsed() >= LINE_INTERVAL {
                last_line = Instant::now();
                notice!("{records} of {} games there", self.tasks);
            }
            self.wait(runtime);
        }
    }
}
