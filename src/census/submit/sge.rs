//! Grid Engine: an array of jobs.

use std::collections::BTreeSet;

use super::client::{QueueError, said};
use super::job::{Array, JobSpec, NOTICE_SECONDS, indices, part_of};
use crate::shell::{line, quoted};

/// Returns the file of an array, and the command that submits it.
pub(super) fn file(means: &JobSpec, array: &Array) -> (&'static str, String, Vec<String>) {
    let file = means.file(array, "sge").display().to_string();
    let mut text = means.head(array, "qsub FILE");
    let soft = means.time.as_secs().saturating_sub(NOTICE_SECONDS).max(1);
    let mut directives = vec![
        format!("-N {}", means.name_of(array.number)),
        format!("-t 1-{}", array.parts.len()),
        "-S /bin/sh".to_owned(),
        "-r yes".to_owned(),
        "-notify".to_owned(),
        format!("-l s_rt={soft},h_rt={}", means.time.as_secs()),
        "-j yes".to_owned(),
        // Grid Engine gives blanks, colons and names such as $HOME in a path a meaning of its own.
        "-o /dev/null".to_owned(),
    ];
    if means.cores > 1 {
        directives.push(format!("-pe smp {}", means.cores));
    }
    for directive in directives.iter().chain(&means.directives) {
        text.push_str(&format!("#$ {directive}\n"));
    }
    let logs = means.logs().join(format!("array-{}.", array.number));
    let logs = quoted(&logs.display().to_string());
    text.push_str(&format!("exec >>{logs}\"$SGE_TASK_ID\".log 2>&1\n"));
    text.push_str(&means.choose_part(array, "SGE_TASK_ID"));
    // Grid Engine signals the coming end to the whole process group with USR1 and USR2.
    text.push_str(&format!(
        "trap 'kill -TERM $job' USR1 USR2 TERM\n( trap '' USR1 USR2; exec {} ) &\njob=$!\n\
         wait $job\nstatus=$?\nwhile kill -0 $job 2>/dev/null; do wait $job; status=$?; done\n\
         exit $status\n",
        means.command(array, "$part")
    ));
    let submit = ["qsub", "-terse", &file].map(str::to_owned).to_vec();
    ("sge", text, submit)
}

/// Returns the parts with a waiting or running job.
pub(super) fn alive(means: &JobSpec, arrays: &[Array]) -> Result<BTreeSet<u64>, QueueError> {
    let command = ["qstat", "-xml", "-u", "*"];
    let document = said(&command)?;
    if !document.contains("<job_info") {
        let command = line(&command);
        return Err(QueueError::Unreadable { command });
    }
    let mut alive = BTreeSet::new();
    for job in document.split("<job_list").skip(1) {
        let (Some(name), Some(state)) = (field(job, "JB_name"), field(job, "state")) else {
            continue;
        };
        let Some(array) = arrays.iter().find(|a| means.name_of(a.number) == name) else {
            continue;
        };
        if state.contains('E') {
            // A job in error waits for ever until an operator clears it, so it is deleted.
            if let (Some(job), Some(tasks)) = (field(job, "JB_job_number"), field(job, "tasks")) {
                said(&["qdel", job, "-t", tasks])?;
            }
            continue;
        }
        let indices = indices(field(job, "tasks").unwrap_or("1")).into_iter();
        alive.extend(indices.filter_map(|index| part_of(array, index)));
    }
    Ok(alive)
}

/// Deletes the jobs that are left.
pub(super) fn withdraw(means: &JobSpec, arrays: &[Array]) -> Result<(), QueueError> {
    if alive(means, arrays)?.is_empty() {
        return Ok(());
    }
    for array in arrays {
        match said(&["qdel", &means.name_of(array.number)]) {
            // A refusal means that the array has ended.
            Ok(_) | Err(QueueError::Refused { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Returns the text of an element without attributes.
fn field<'a>(job: &'a str, name: &str) -> Option<&'a str> {
    let begin = job.split_once(&format!("<{name}>"))?.1;
    Some(begin.split_once("</")?.0.trim())
}
