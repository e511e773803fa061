//! Kubernetes: an indexed job, whose containers share a volume.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use super::client::{QueueError, said};
use super::job::{Array, JobSpec, indices, part_of};
use crate::shell::line;

/// The place of the volume in a container.
const MOUNT: &str = "/census";

/// Returns the file of an array, and the command that submits it. JSON is YAML, too.
pub(super) fn file(means: &JobSpec, array: &Array) -> (&'static str, String, Vec<String>) {
    let file = means.file(array, "json").display().to_string();
    // The volume is the folder of the jobs.
    let list: Vec<String> = array.parts.iter().map(ToString::to_string).collect();
    let script = format!(
        "set -- {}; shift \"$JOB_COMPLETION_INDEX\"; exec {}",
        list.join(" "),
        means.command_in(Path::new(MOUNT), array, "$1")
    );
    let memory = format!("{}Mi", means.memory_of(array));
    let document = json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {
            "name": means.name_of(array.number),
            "labels": {
                "app.kubernetes.io/name": "misere-census",
                "app.kubernetes.io/instance": means.name,
            },
            "annotations": { "misere-census/plan": means.about },
        },
        "spec": {
            "completionMode": "Indexed",
            "completions": array.parts.len(),
            "parallelism": array.parts.len(),
            "backoffLimitPerIndex": 2,
            "maxFailedIndexes": array.parts.len(),
            "activeDeadlineSeconds": means.time.as_secs().saturating_mul(1 + array.parts.len() as u64),
            // The eviction of a container by its node is not a failure of the part.
            "podFailurePolicy": { "rules": [{
                "action": "Ignore",
                "onPodConditions": [{ "type": "DisruptionTarget", "status": "True" }],
            }] },
            "template": {
                "metadata": { "labels": { "app.kubernetes.io/instance": means.name } },
                "spec": {
                    "restartPolicy": "Never",
                    "activeDeadlineSeconds": means.time.as_secs(),
                    "terminationGracePeriodSeconds": 60,
                    "automountServiceAccountToken": false,
                    "securityContext": {
                        "runAsNonRoot": true, "runAsUser": 10001, "runAsGroup": 10001,
                        "fsGroup": 10001,
                        "seccompProfile": { "type": "RuntimeDefault" },
                    },
                    "containers": [{
                        "name": "part",
                        "image": means.image,
                        "command": ["/bin/sh", "-c", script],
                        "resources": {
                            "requests": { "cpu": means.cores.to_string(), "memory": memory },
                            "limits": { "memory": memory },
                        },
                        "securityContext": {
                            "allowPrivilegeEscalation": false,
                            "readOnlyRootFilesystem": true,
                            "capabilities": { "drop": ["ALL"] },
                        },
                        "volumeMounts": [{ "name": "census", "mountPath": MOUNT }],
                    }],
                    "volumes": [{
                        "name": "census",
                        "persistentVolumeClaim": { "claimName": means.claim },
                    }],
                },
            },
        },
    });
    let text = serde_json::to_string_pretty(&document).unwrap_or_default() + "\n";
    let mut submit: Vec<String> = ["kubectl", "apply", "--filename", &file, "--output=name"]
        .map(str::to_owned)
        .to_vec();
    submit.extend(means.directives.iter().cloned());
    ("json", text, submit)
}

/// Returns the parts whose index has neither completed nor failed.
pub(super) fn alive(means: &JobSpec, arrays: &[Array]) -> Result<BTreeSet<u64>, QueueError> {
    let mut alive = BTreeSet::new();
    let mut command = vec![
        "kubectl".to_owned(),
        "get".to_owned(),
        "jobs".to_owned(),
        format!("--selector=app.kubernetes.io/instance={}", means.name),
        "--output=json".to_owned(),
    ];
    command.extend(means.directives.iter().cloned());
    let jobs: Value =
        serde_json::from_str(&said(&command)?).map_err(|_| QueueError::Unreadable {
            command: line(&command),
        })?;
    for job in jobs["items"].as_array().into_iter().flatten() {
        let name = job["metadata"]["name"].as_str().unwrap_or_default();
        let Some(array) = arrays.iter().find(|a| means.name_of(a.number) == name) else {
            continue;
        };
        let status = &job["status"];
        let conditions = status["conditions"].as_array().into_iter().flatten();
        let is_over = conditions.into_iter().any(|condition| {
            matches!(condition["type"].as_str(), Some("Complete" | "Failed"))
                && condition["status"] == "True"
        });
        if is_over {
            continue;
        }
        let over = ["completedIndexes", "failedIndexes"];
        let over = over.iter().filter_map(|field| status[*field].as_str());
        let over: BTreeSet<u64> = over.flat_map(indices).collect();
        // Kubernetes counts from 0.
        let left = (0..array.parts.len() as u64).filter(|index| !over.contains(index));
        alive.extend(left.filter_map(|index| part_of(array, index + 1)));
    }
    Ok(alive)
}
