//! The jobs that compute parts, and the texts that describe them to queue systems.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::shell::quoted;
use serde::{Deserialize, Serialize};

/// The memory of a job besides the memory of its games.
const OVERHEAD_MIB: u64 = 256;

/// The time before the end of a job at which it is asked to stop.
pub(super) const NOTICE_SECONDS: u64 = 60;

/// The jobs that are submitted together: one for each part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Array {
    /// The number of the array, counted from 1.
    pub(super) number: u64,
    /// The parts; the job with index i, counted from 1, computes the i-th.
    pub(super) parts: Vec<u64>,
    /// The memory of each game, in MiB.
    pub(super) memory_mib: u64,
    /// The name that the queue gave the array; `None` until the queue has answered.
    pub(super) id: Option<String>,
}

/// The properties that all jobs of a census share.
#[derive(Clone, Debug)]
pub(super) struct JobSpec {
    /// The folder of the jobs, as an absolute path.
    pub(super) folder: PathBuf,
    /// The beginning of the names of the arrays, which differs from census to census.
    pub(super) name: String,
    /// The sentence that describes the census in the files.
    pub(super) about: String,
    /// The program on the machines of the queue.
    pub(super) program: String,
    /// The number of cores of a job.
    pub(super) cores: u16,
    /// The time of a job.
    pub(super) time: Duration,
    /// The lines that are passed to the queue unchanged.
    pub(super) directives: Vec<String>,
    /// The hosts, for processes.
    pub(super) hosts: Vec<String>,
    /// The image of the containers.
    pub(super) image: String,
    /// The volume claim of the containers.
    pub(super) claim: String,
    /// The host and port of the coordinator whose workers the jobs are.
    ///
    /// It is `None` if each job computes a part.
    pub(super) coordinator: Option<String>,
    /// Whether each job checks its part and seals it.
    pub(super) seals: bool,
}

impl JobSpec {
    /// Returns the name of an array in the queue.
    pub(super) fn name_of(&self, array: u64) -> String {
        format!("{}-{array}", self.name)
    }

    /// Returns a file of the folder that belongs to an array.
    pub(super) fn file(&self, array: &Array, ending: &str) -> PathBuf {
        self.folder.join(format!("array-{}.{ending}", array.number))
    }

    /// Returns the file of a part.
    pub(super) fn part(&self, part: u64) -> PathBuf {
        self.parts().join(format!("part-{part}"))
    }

    /// Returns the file of a part that its job has checked and sealed.
    pub(super) fn sealed(&self, part: u64) -> PathBuf {
        self.parts().join(format!("sealed-{part}"))
    }

    /// Returns the folder of the parts.
    pub(super) fn parts(&self) -> PathBuf {
        self.folder.join("parts")
    }

    /// Returns the folder of the output of jobs.
    pub(super) fn logs(&self) -> PathBuf {
        self.folder.join("logs")
    }

    /// Returns the memory of a job, in MiB.
    pub(super) fn memory_of(&self, array: &Array) -> u64 {
        array
            .memory_mib
            .saturating_mul(u64::from(self.cores))
            .saturating_add(OVERHEAD_MIB)
    }

    /// Formats the time of a job as hours, minutes and seconds.
    pub(super) fn clock(&self) -> String {
        let seconds = self.time.as_secs();
        format!(
            "{:02}:{:02}:{:02}",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        )
    }

    /// Returns the file that a worker touches while it is alive.
    pub(super) fn sign_of_life(&self, worker: u64) -> PathBuf {
        self.parts().join(format!("alive-{worker}"))
    }

    /// Returns the command of the worker whose number a shell variable has.
    fn worker(&self, address: &str, memory_mib: u64, number: &str) -> String {
        let word = |name: &str| quoted(&self.folder.join(name).display().to_string());
        let own = word("certs/worker-");
        format!(
            "{} worker --coordinator https://{address} --ca {} --cert {own}\"{number}\".pem --key \
             {own}\"{number}\".key --slots {} --isolate always --memory-per-task {memory_mib}MiB \
             --give-up-after 5m --sign-of-life {}\"{number}\"",
            quoted(&self.program),
            word("certs/ca.pem"),
            self.cores,
            word("parts/alive-"),
        )
    }

    /// Returns the command of the part, or worker, whose number a shell variable has.
    pub(super) fn command(&self, array: &Array, part: &str) -> String {
        if let Some(address) = &self.coordinator {
            return self.worker(address, array.memory_mib, part);
        }
        self.command_in(&self.folder, array, part)
    }

    /// Returns the [`command`](Self::command) for machines that mount the folder elsewhere.
    pub(super) fn command_in(&self, folder: &Path, array: &Array, part: &str) -> String {
        let word = |name: &str| quoted(&folder.join(name).display().to_string());
        let mut command = format!(
            "{} census chunk --out {}\"{part}\" --workers {} --isolate always --memory-per-task {}MiB",
            quoted(&self.program),
            word("parts/part-"),
            self.cores,
            array.memory_mib
        );
        if self.seals {
            let own = word("certs/checker-");
            command.push_str(&format!(
                " --sealed {}\"{part}\" --ca {} --cert {own}\"{part}\".pem --key {own}\"{part}\".key",
                word("parts/sealed-"),
                word("certs/ca.pem"),
            ));
        }
        command
    }

    /// Returns the beginning of every script, which describes it.
    pub(super) fn head(&self, array: &Array, submit: &str) -> String {
        format!(
            "#!/bin/sh\n# Array {} of a census: {}.\n# Made by `misere census submit`; submitted \
             with: {submit}\n",
            array.number, self.about
        )
    }

    /// Returns the lines that set `part` to the part of the job whose index a shell variable has.
    pub(super) fn choose_part(&self, array: &Array, index: &str) -> String {
        let list = self.file(array, "parts").display().to_string();
        format!("part=$(sed -n \"${{{index}}}p\" {})\n", quoted(&list))
    }

    /// Returns a script that computes the part given as its only argument.
    pub(super) fn script(&self, array: &Array) -> String {
        format!(
            "{}exec {}\n",
            self.head(array, "sh FILE PART"),
            self.command(array, "$1")
        )
    }
}

/// Returns the part of an array whose job has an index, counted from 1.
pub(super) fn part_of(array: &Array, index: u64) -> Option<u64> {
    let place = usize::try_from(index.checked_sub(1)?).ok()?;
    array.parts.get(place).copied()
}

/// Parses the indices in a text such as `1-4,7,9-13:2`.
///
/// `%4`, a limit of the running jobs, is skipped. Unreadable parts give no indices.
pub(super) fn indices(text: &str) -> Vec<u64> {
    let text = text.split('%').next().unwrap_or_default();
    let mut all = Vec::new();
    for range in text.trim_matches(['[', ']']).split(',') {
        let (range, step) = range.split_once(':').unwrap_or((range, "1"));
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let read = |text: &str| text.trim().parse::<u64>().ok();
        if let (Some(first), Some(last), Some(step @ 1..)) = (read(first), read(last), read(step)) {
            let step = usize::try_from(step).unwrap_or(usize::MAX);
            all.extend((first..=last.min(first.saturating_add(1 << 20))).step_by(step));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_queues_write_them() {
        assert_eq!(indices("1-4,7,9-13:2"), [1, 2, 3, 4, 7, 9, 11, 13]);
        assert_eq!(indices("[3-5%2]"), [3, 4, 5]);
        assert!(indices("N/A").is_empty());
        assert!(indices("").is_empty());
        assert!(indices("1-3:0").is_empty());
    }
}
