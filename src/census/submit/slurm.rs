//! Slurm: an array of jobs, which get a signal a minute before their end to save their results.

use std::collections::BTreeSet;

use super::client::{QueueError, said};
use super::job::{Array, JobSpec, NOTICE_SECONDS, indices, part_of};

/// Returns the file of an array, and the command that submits it.
pub(super) fn file(means: &JobSpec, array: &Array) -> (&'static str, String, Vec<String>) {
    let file = means.file(array, "slurm").display().to_string();
    // Slurm expands a percent sign with the letter after it; two percent signs are one.
    let logs = means.logs().join(format!("array-{}.", array.number));
    let logs = format!("{}%a.log", logs.display().to_string().replace('%', "%%"));
    let mut text = means.head(array, "sbatch FILE");
    let directives = [
        format!("--job-name={}", means.name_of(array.number)),
        format!("--array=1-{}", array.parts.len()),
        "--ntasks=1".to_owned(),
        format!("--cpus-per-task={}", means.cores),
        format!("--mem={}M", means.memory_of(array)),
        format!("--time={}", means.clock()),
        "--requeue".to_owned(),
        // The program replaces the shell, and so gets the signal of the end of its time itself.
        format!("--signal=B:TERM@{NOTICE_SECONDS}"),
        "--open-mode=append".to_owned(),
        format!("--output=\"{logs}\""),
    ];
    for directive in directives.iter().chain(&means.directives) {
        text.push_str(&format!("#SBATCH {directive}\n"));
    }
    text.push_str(&means.choose_part(array, "SLURM_ARRAY_TASK_ID"));
    text.push_str(&format!("exec {}\n", means.command(array, "$part")));
    let submit = ["sbatch", "--parsable", &file].map(str::to_owned).to_vec();
    ("slurm", text, submit)
}

/// Returns the parts with a waiting or running job.
pub(super) fn alive(means: &JobSpec, arrays: &[Array]) -> Result<BTreeSet<u64>, QueueError> {
    let names: Vec<String> = arrays.iter().map(|a| means.name_of(a.number)).collect();
    if names.is_empty() {
        return Ok(BTreeSet::new());
    }
    // Queried by name, so that an array is found even if its name in the queue was never recorded.
    let jobs = said(&[
        "squeue",
        "--noheader",
        "--array",
        "--states=all",
        "--format=%j %K %T",
        &format!("--name={}", names.join(",")),
    ])?;
    let mut alive = BTreeSet::new();
    for line in jobs.lines() {
        let mut words = line.split_whitespace();
        let (Some(name), Some(index), Some(state)) = (words.next(), words.next(), words.next())
        else {
            continue;
        };
        let is_over = [
            "COMPLETED",
            "FAILED",
            "TIMEOUT",
            "CANCELLED",
            "OUT_OF_MEMORY",
            "BOOT_FAIL",
            "DEADLINE",
            "NODE_FAIL",
            "REVOKED",
        ];
        if is_over.contains(&state) {
            continue;
        }
        let array = arrays.iter().find(|a| means.name_of(a.number) == name);
        if let Some(array) = array {
            let indices = indices(index).into_iter();
            alive.extend(indices.filter_map(|index| part_of(array, index)));
        }
    }
    Ok(alive)
}

/// Cancels the jobs that are left.
pub(super) fn withdraw(means: &JobSpec, arrays: &[Array]) -> Result<(), QueueError> {
    // scancel takes one name, and finds no job for a list of names; squeue takes a list.
    for array in arrays {
        let name = format!("--name={}", means.name_of(array.number));
        said(&["scancel", &name])?;
    }
    Ok(())
}
