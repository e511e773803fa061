//! Snakemake: a workflow with one rule, which computes a part.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use misere_census::input_file;

use super::client::QueueError;
use super::job::{Array, JobSpec};

/// The placeholder of the number of a part in a command.
///
/// No path has this character, since no queue accepts a path with line ends.
const PART: &str = "\n";

/// Returns the workflow of an array, and the command that runs it.
pub(super) fn file(means: &JobSpec, array: &Array) -> (&'static str, String, Vec<String>) {
    let file = means.file(array, "snakefile").display().to_string();
    let parts: Vec<String> = array.parts.iter().map(ToString::to_string).collect();
    // In a rule braces are syntax of Snakemake.
    let command = means
        .command(array, PART)
        .replace('{', "{{")
        .replace('}', "}}");
    let command = command.replace(PART, "{wildcards.part}");
    let text = format!(
        "# Array {number} of a census: {about}.\n\
         # Made by `misere census submit`; run with: snakemake --snakefile FILE --cores all \
         --keep-going\n\
         parts = [{parts}]\n\n\
         rule all:\n    input: expand(\"array-{number}/part-{{part}}.done\", part=parts)\n\n\
         # The file of a part is no output: Snakemake would delete it when a job fails.\n\
         rule part:\n    output: touch(\"array-{number}/part-{{part}}.done\")\n    threads: {cores}\n    \
         resources: mem_mb={memory}, runtime={minutes}\n    retries: 2\n    \
         log: \"logs/array-{number}.{{part}}.log\"\n    shell: {shell}\n",
        number = array.number,
        about = means.about,
        parts = parts.join(", "),
        cores = means.cores,
        memory = means.memory_of(array),
        minutes = means.time.as_secs().div_ceil(60).max(1),
        shell = python(&format!("{command} >> {{log}} 2>&1")),
    );
    let folder = means.folder.display().to_string();
    let mut run: Vec<String> = [
        "snakemake",
        "--snakefile",
        &file,
        "--directory",
        &folder,
        "--keep-going",
        "--nolock",
        "--rerun-incomplete",
        "--quiet",
        "all",
    ]
    .map(str::to_owned)
    .to_vec();
    match means.directives.is_empty() {
        true => run.extend(["--cores".to_owned(), "all".to_owned()]),
        false => run.extend(means.directives.iter().cloned()),
    }
    ("snakefile", text, run)
}

/// Formats a text as a literal of Python.
fn python(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Starts Snakemake, which continues if this program ends; returns the number of its process.
pub(super) fn start(
    means: &JobSpec,
    array: &Array,
    command: &[String],
) -> Result<String, QueueError> {
    let (program, arguments) = command.split_first().ok_or(QueueError::Unreadable {
        command: String::new(),
    })?;
    let failed = |cause| QueueError::Start {
        program: program.clone(),
        cause,
    };
    let log = means
        .logs()
        .join(format!("array-{}.snakemake.log", array.number));
    let log = input_file::open_or_make(&log).map_err(failed)?;
    log.set_len(0).map_err(failed)?;
    let errors = log.try_clone().map_err(failed)?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(log)
        .stderr(errors)
        .process_group(0)
        .spawn()
        .map_err(failed)?;
    let id = child.id().to_string();
    // The process has to be waited for, or it stays in the process table. Without a thread the
    // child stays as a zombie until this process ends.
    drop(std::thread::Builder::new().spawn(move || child.wait()));
    Ok(id)
}

/// Returns all parts of the running workflows.
pub(super) fn alive(means: &JobSpec, arrays: &[Array]) -> BTreeSet<u64> {
    let runs = |array: &&Array| {
        let Some(id) = &array.id else {
            return false;
        };
        // The number may now belong to another process, which does not name the workflow.
        let file = means.file(array, "snakefile").display().to_string();
        let words = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&words).contains(&file)
    };
    let running = arrays.iter().filter(runs);
    running.flat_map(|array| array.parts.clone()).collect()
}
