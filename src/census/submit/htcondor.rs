//! HTCondor: a cluster of jobs in the vanilla universe, on a file system that all machines share.

use std::collections::BTreeSet;
use std::path::Path;

use super::client::{QueueError, said};
use super::job::{Array, JobSpec, part_of};

/// Returns the file of an array, and the command that submits it.
///
/// The script beside the file is the executable.
pub(super) fn file(means: &JobSpec, array: &Array) -> (&'static str, String, Vec<String>) {
    let file = means.file(array, "submit").display().to_string();
    let script = literal(&means.file(array, "sh"));
    let logs = literal(&means.logs().join(format!("array-{}", array.number)));
    let mut text = format!(
        "# Array {} of a census: {}.\n# Made by `misere census submit`; submitted with: \
         condor_submit FILE\n",
        array.number, means.about
    );
    let commands = [
        "universe = vanilla".to_owned(),
        "executable = /bin/sh".to_owned(),
        "transfer_executable = false".to_owned(),
        "should_transfer_files = NO".to_owned(),
        format!("arguments = \"'{script}' $(part)\""),
        format!("batch_name = {}", means.name_of(array.number)),
        format!("request_cpus = {}", means.cores),
        format!("request_memory = {}M", means.memory_of(array)),
        "kill_sig = SIGTERM".to_owned(),
        format!("allowed_job_duration = {}", means.time.as_secs()),
        "max_retries = 2".to_owned(),
        format!("output = {logs}.$(part).log"),
        format!("error = {logs}.$(part).err"),
        format!("log = {logs}.events"),
    ];
    for command in commands.iter().chain(&means.directives) {
        text.push_str(command);
        text.push('\n');
    }
    let list = literal(&means.file(array, "parts"));
    text.push_str(&format!("queue part from {list}\n"));
    let submit = ["condor_submit", "-terse", &file];
    ("submit", text, submit.map(str::to_owned).to_vec())
}

/// Writes a path for the file, where HTCondor expands names after a dollar sign.
fn literal(file: &Path) -> String {
    file.display().to_string().replace('$', "$(DOLLAR)")
}

/// Returns the parts with a waiting or running job.
pub(super) fn alive(means: &JobSpec, arrays: &[Array]) -> Result<BTreeSet<u64>, QueueError> {
    let mut alive = BTreeSet::new();
    for array in arrays {
        let name = means.name_of(array.number);
        let of_array = format!("JobBatchName == \"{name}\"");
        // A held job (state 5) waits for an operator; it counts until it is removed.
        let jobs = said(&["condor_q", "-constraint", &of_array, "-af", "ProcId"])?;
        let places = jobs
            .lines()
            .filter_map(|line| line.trim().parse::<u64>().ok());
        alive.extend(places.filter_map(|place| part_of(array, place.saturating_add(1))));
    }
    Ok(alive)
}
