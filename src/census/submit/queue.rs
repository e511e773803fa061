//! The queues to which a census can be submitted.

use std::collections::BTreeSet;

use super::client::{QueueError, said};
use super::job::{Array, JobSpec};
use super::processes::Processes;
use super::{htcondor, hyperqueue, kubernetes, sge, slurm, snakemake};
use crate::shell::{line, quoted};

/// The kinds of queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Kind {
    /// An array of jobs
    Slurm,
    /// An array of tasks
    Hyperqueue,
    /// Grid Engine: an array of jobs
    Sge,
    /// A cluster of jobs
    Htcondor,
    /// An indexed job
    Kubernetes,
    /// A workflow with a rule for the parts
    Snakemake,
    /// The machines of --hosts
    Ssh,
    /// Processes on this machine
    Local,
}

impl Kind {
    /// Returns the name on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Slurm => "slurm",
            Self::Hyperqueue => "hyperqueue",
            Self::Sge => "sge",
            Self::Htcondor => "htcondor",
            Self::Kubernetes => "kubernetes",
            Self::Snakemake => "snakemake",
            Self::Ssh => "ssh",
            Self::Local => "local",
        }
    }

    /// Returns the program that submits jobs; `None` if this program starts them itself.
    pub(super) fn client(self) -> Option<&'static str> {
        Some(match self {
            Self::Slurm => "sbatch",
            Self::Hyperqueue => "hq",
            Self::Sge => "qsub",
            Self::Htcondor => "condor_submit",
            Self::Kubernetes => "kubectl",
            Self::Snakemake => "snakemake",
            Self::Ssh => "ssh",
            Self::Local => return None,
        })
    }

    /// Reports whether the jobs are processes of this machine.
    pub(super) fn is_local(self) -> bool {
        matches!(self, Self::Local)
    }

    /// Returns the ending of the file of an array, its text, and the command that submits it.
    pub(super) fn file(
        self,
        means: &JobSpec,
        array: &Array,
    ) -> (&'static str, String, Vec<String>) {
        match self {
            Self::Slurm => slurm::file(means, array),
            Self::Hyperqueue => hyperqueue::file(means, array),
            Self::Sge => sge::file(means, array),
            Self::Htcondor => htcondor::file(means, array),
            Self::Kubernetes => kubernetes::file(means, array),
            Self::Snakemake => snakemake::file(means, array),
            Self::Ssh | Self::Local => {
                let script = means.file(array, "sh").display().to_string();
                let list = means.file(array, "parts").display().to_string();
                let (script, list) = (quoted(&script), quoted(&list));
                let command = format!("xargs -n 1 sh {script} < {list}");
                ("sh", means.script(array), vec![command])
            }
        }
    }

    /// Formats the command that submits an array as a line of a shell.
    pub(super) fn line(self, command: &[String]) -> String {
        match self {
            // The command is a line already, which has a redirection.
            Self::Ssh | Self::Local => command.join(" "),
            _ => line(command),
        }
    }
}

/// A queue in use.
pub(super) enum Queue {
    /// A queue system, which is queried through its client.
    System(Kind),
    /// Processes that this program starts.
    Processes(Processes),
}

impl Queue {
    /// Submits an array whose file is written; returns the name that the queue gives it.
    pub(super) fn submit(&mut self, means: &JobSpec, array: &Array) -> Result<String, QueueError> {
        match self {
            Self::Processes(processes) => {
                processes.submit(array);
                Ok("processes".to_owned())
            }
            Self::System(kind) => {
                let (_, _, command) = kind.file(means, array);
                match kind {
                    Kind::Snakemake => snakemake::start(means, array, &command),
                    Kind::Hyperqueue => hyperqueue::id(&said(&command)?),
                    _ => Ok(first_word(&said(&command)?)),
                }
            }
        }
    }

    /// Reports whether a process that this program starts has ended, or can be started now.
    pub(super) fn can_start(&mut self) -> bool {
        match self {
            Self::Processes(processes) => processes.can_start(),
            Self::System(_) => false,
        }
    }

    /// Returns the parts with a waiting or running job.
    pub(super) fn alive(
        &mut self,
        means: &JobSpec,
        arrays: &[Array],
    ) -> Result<BTreeSet<u64>, QueueError> {
        match self {
            Self::Processes(processes) => Ok(processes.alive(means, arrays)),
            Self::System(kind) => match kind {
                Kind::Slurm => slurm::alive(means, arrays),
                Kind::Hyperqueue => hyperqueue::alive(means, arrays),
                Kind::Sge => sge::alive(means, arrays),
                Kind::Htcondor => htcondor::alive(means, arrays),
                Kind::Kubernetes => kubernetes::alive(means, arrays),
                _ => Ok(snakemake::alive(means, arrays)),
            },
        }
    }

    /// Cancels the jobs that are left when the census is complete.
    ///
    /// In queues other than these such jobs end by themselves.
    pub(super) fn withdraw(&mut self, means: &JobSpec, arrays: &[Array]) -> Result<(), QueueError> {
        let Self::System(kind) = self else {
            return Ok(());
        };
        match kind {
            Kind::Slurm => slurm::withdraw(means, arrays),
            Kind::Sge => sge::withdraw(means, arrays),
            _ => Ok(()),
        }
    }
}

/// Returns the name of an accepted array, the first word of the client's answer.
fn first_word(said: &str) -> String {
    // Slurm adds the cluster after a semicolon; Grid Engine the indices after a point; HTCondor the
    // jobs after a space.
    let name = said.split([';', '.', ' ', '\n']).next().unwrap_or_default();
    name.trim().to_owned()
}
