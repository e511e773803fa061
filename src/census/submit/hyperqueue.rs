//! HyperQueue: an array of tasks.

use std::collections::BTreeSet;

use serde_json::Value;

use super::client::{QueueError, said};
use super::job::{Array, JobSpec, part_of};
use crate::shell::line;

/// Returns the file of an array, and the command that submits it.
pub(super) fn file(means: &JobSpec, array: &Array) -> (&'static str, String, Vec<String>) {
    let file = means.file(array, "hq").display().to_string();
    let logs = means.logs().join(format!("array-{}", array.number));
    let logs = logs.display();
    let mut text = means.head(array, "hq submit --directives=file FILE");
    let directives = [
        format!("--name={}", means.name_of(array.number)),
        format!("--array=1-{}", array.parts.len()),
        format!("--cpus={}", means.cores),
        format!("--resource=mem={}", means.memory_of(array)),
        format!("--time-limit={}s", means.time.as_secs()),
        // A task that loses its worker so often causes it; the next array gives it more memory.
        "--crash-limit=3".to_owned(),
        // HyperQueue splits a line at blanks outside quotation marks.
        format!("--stdout=\"{logs}.%{{TASK_ID}}.log\""),
        format!("--stderr=\"{logs}.%{{TASK_ID}}.err\""),
    ];
    for directive in directives.iter().chain(&means.directives) {
        text.push_str(&format!("#HQ {directive}\n"));
    }
    text.push_str(&means.choose_part(array, "HQ_TASK_ID"));
    text.push_str(&format!("exec {}\n", means.command(array, "$part")));
    let submit = [
        "hq",
        "--output-mode=json",
        "submit",
        "--directives=file",
        &file,
    ];
    ("hq", text, submit.map(str::to_owned).to_vec())
}

/// Parses the name of a submitted job.
pub(super) fn id(said: &str) -> Result<String, QueueError> {
    let read: Option<Value> = serde_json::from_str(said).ok();
    let id = read.as_ref().and_then(|read| read["id"].as_u64());
    id.map(|id| id.to_string())
        .ok_or_else(|| QueueError::Unreadable {
            command: "hq submit".to_owned(),
        })
}

/// Returns the parts with a waiting or running task.
pub(super) fn alive(means: &JobSpec, arrays: &[Array]) -> Result<BTreeSet<u64>, QueueError> {
    let mut alive = BTreeSet::new();
    let jobs = json(&["hq", "--output-mode=json", "job", "list", "--all"])?;
    for job in jobs.as_array().into_iter().flatten() {
        let name = job["name"].as_str().unwrap_or_default();
        let Some(array) = arrays.iter().find(|a| means.name_of(a.number) == name) else {
            continue;
        };
        let stats = &job["task_stats"];
        let left = [&stats["running"], &stats["waiting"]];
        if left.iter().all(|count| count.as_u64() == Some(0)) {
            continue;
        }
        let id = job["id"].as_u64().unwrap_or_default().to_string();
        let tasks = json(&["hq", "--output-mode=json", "task", "list", &id])?;
        let tasks = tasks.get(&id).unwrap_or(&tasks);
        for task in tasks.as_array().into_iter().flatten() {
            let is_left = matches!(task["state"].as_str(), Some("waiting" | "running"));
            if let Some(index) = task["id"].as_u64().filter(|_| is_left) {
                alive.extend(part_of(array, index));
            }
        }
    }
    Ok(alive)
}

fn json(command: &[&str]) -> Result<Value, QueueError> {
    serde_json::from_str(&said(command)?).map_err(|_| QueueError::Unreadable {
        command: line(command),
    })
}
