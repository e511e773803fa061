//! A census that is submitted in parts is the census that one machine computes, whichever process
//! ends in the middle. (Tests that need a queue system are in `tests/queues`.)
#![cfg(unix)]

use std::fs;
use std::io::BufReader;
use std::path::PathBuf;
use std::time::Duration;

use misere_census::certificate;
use misere_census::chunk::{self, Form, Reader};

use crate::support::census::{digest, undisturbed};
use crate::support::process::{Process, assert_refused, document, output, text};
use crate::support::waiting::until;

const PLAN: [&str; 4] = ["--digits", "2", "--fuel", "2k"];

fn submit<'a>(to: &'a str, data: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let head = [
        "census", "submit", "--to", to, "--data", data, "--poll", "100ms",
    ];
    [&head[..], &PLAN, more].concat()
}

fn lab() -> (tempfile::TempDir, String) {
    let lab = tempfile::tempdir().unwrap();
    let data = lab.path().join("census").to_str().unwrap().to_owned();
    (lab, data)
}

fn part(data: &str, number: u64) -> PathBuf {
    PathBuf::from(format!("{data}/submit/parts/part-{number}"))
}

#[test]
fn processes_compute_the_census_and_a_second_time_nothing() {
    let (_lab, data) = lab();
    let command = submit("local", &data, &["--parts", "3"]);
    let first = output(&command);
    assert!(first.status.success(), "{}", text(&first.stderr));
    assert_eq!(digest(&data), undisturbed(&PLAN));
    let again = output(&command);
    assert!(again.status.success() && again.stderr.is_empty());
    assert_eq!(again.stdout, first.stdout);
}

#[test]
fn a_command_that_is_killed_goes_on_and_submits_nothing_twice() {
    let (_lab, data) = lab();
    let command = submit("local", &data, &["--parts", "3"]);
    let job = Process::spawn(&command);
    until("results", Duration::from_secs(60), || {
        fs::metadata(part(&data, 0)).is_ok_and(|file| file.len() > 2_000)
    });
    drop(job);
    let again = output(&command);
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert_eq!(digest(&data), undisturbed(&PLAN));
}

/// A part that is damaged, cut short, emptied or removed is computed again, and reported.
#[test]
fn a_part_that_is_no_good_is_computed_again() {
    let (_lab, data) = lab();
    let dry = submit("slurm", &data, &["--parts", "4", "--dry-run"]);
    assert!(output(&dry).status.success());
    let whole = fs::read(part(&data, 0)).unwrap();
    let mut header = whole.clone();
    header[40] ^= 1;
    fs::write(part(&data, 0), header).unwrap();
    fs::write(part(&data, 1), &fs::read(part(&data, 1)).unwrap()[..20]).unwrap();
    fs::write(part(&data, 2), "").unwrap();
    fs::remove_file(part(&data, 3)).unwrap();
    let computed = output(&submit("local", &data, &[]));
    let said = text(&computed.stderr);
    assert_eq!(computed.status.code(), Some(5), "{said}");
    assert!(
        said.contains("refused: ") && said.contains("refused-0.1"),
        "{said}"
    );
    assert_eq!(digest(&data), undisturbed(&PLAN));
}

/// The files of every queue name the parts, and are the same each time.
#[test]
fn a_dry_run_writes_the_files_and_submits_nothing() {
    for (to, ending) in [
        ("slurm", "slurm"),
        ("sge", "sge"),
        ("hyperqueue", "hq"),
        ("htcondor", "submit"),
        ("kubernetes", "json"),
        ("snakemake", "snakefile"),
    ] {
        let (_lab, data) = lab();
        let command = submit(to, &data, &["--parts", "3", "--dry-run", "--json"]);
        let commands = document(&command);
        assert_eq!(commands, document(&command), "{to}");
        let file = format!("{data}/submit/array-1.{ending}");
        let line = commands["commands"][0].as_str().unwrap();
        assert!(line.contains(&file), "{line}");
        let text = fs::read_to_string(&file).unwrap();
        assert!(
            text.contains("census chunk") || text.contains("array-1.sh"),
            "{text}"
        );
        // A workflow of Snakemake has no name, and its processes are found by its file.
        assert!(to == "snakemake" || text.contains("misere-"), "{text}");
        let parts = fs::read_to_string(format!("{data}/submit/array-1.parts")).unwrap();
        assert_eq!(parts, "0\n1\n2\n");
    }
}

#[test]
fn impossible_submissions_are_refused_in_one_line() {
    let (_lab, data) = lab();
    assert_refused(&submit("ssh", &data, &[]), 2, "--hosts");
    let sealed = ["--mode", "sealed"];
    assert_refused(&submit("kubernetes", &data, &sealed), 2, "--mode sealed");
    let many = [&sealed[..], &["--parts", "1001"]].concat();
    assert_refused(&submit("slurm", &data, &many), 2, "1000 parts");
    assert_refused(&submit("local", &data, &["--hosts", "a"]), 2, "--to ssh");
    let injected = ["--hosts", "-oProxyCommand=x"];
    assert_refused(&submit("ssh", &data, &injected), 2, "host");
    let lines = ["--directive", "--a\nrm -r ~"];
    assert_refused(&submit("slurm", &data, &lines), 2, "line ends");
    assert!(
        output(&submit("slurm", &data, &["--parts", "3", "--dry-run"]))
            .status
            .success()
    );
    assert_refused(&submit("slurm", &data, &["--parts", "4"]), 2, "3 parts");
    fs::write(format!("{data}/submit/jobs.json"), "{}").unwrap();
    assert_refused(&submit("slurm", &data, &[]), 1, "jobs.json");
}

/// Parts that no job can continue are given up after some jobs, and the others are computed.
#[test]
fn a_part_that_no_job_can_compute_is_given_up() {
    let (_lab, data) = lab();
    let no_program = ["--parts", "2", "--program", "/bin/false", "--attempts", "2"];
    let output = output(&submit("local", &data, &no_program));
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("parts that 2 jobs in succession could not go on with: 0, 1"));
    // The next jobs had twice the memory.
    let jobs = fs::read_to_string(format!("{data}/submit/jobs.json")).unwrap();
    assert!(jobs.contains("2048") && jobs.contains("4096"), "{jobs}");
}

/// A coordinator on this machine and workers as jobs; the command is killed, and the coordinator
/// with its workers goes on.
/// With `--mode sealed` the command checks one in 32 results, and has the same census.
#[test]
fn jobs_that_seal_their_parts_spare_the_command_the_checks() {
    let (_lab, data) = lab();
    let command = submit("local", &data, &["--mode", "sealed", "--parts", "3"]);
    let first = output(&command);
    let said = text(&first.stderr);
    assert!(first.status.success(), "{said}");
    let line = (said.lines()).find(|line| line.ends_with("results were checked by jobs"));
    let counts = line.unwrap_or_else(|| panic!("{said}"));
    let counts: Vec<u64> = counts.split(' ').filter_map(|n| n.parse().ok()).collect();
    let [believed, all] = counts[..] else {
        panic!("{said}")
    };
    // The share is drawn at random.
    assert!(believed <= all && 2 * believed > all, "{said}");
    assert_eq!(digest(&data), undisturbed(&PLAN));
    let again = output(&command);
    assert!(again.status.success());
    assert_eq!(again.stdout, first.stdout);

    // A census that was begun in the other way goes on in this one.
    let (_lab, data) = lab();
    let dry = submit("slurm", &data, &["--parts", "2", "--dry-run"]);
    assert!(output(&dry).status.success());
    let part = part(&data, 0);
    assert!(
        output(&["census", "chunk", "--out", part.to_str().unwrap()])
            .status
            .success()
    );
    assert!(
        output(&submit("local", &data, &["--mode", "sealed"]))
            .status
            .success()
    );
    assert_eq!(digest(&data), undisturbed(&PLAN));
}

/// What a checker refuses is missing in the sealed file, so that the part is computed again.
#[test]
fn a_part_with_a_false_result_is_refused_by_its_job_and_computed_again() {
    let (_lab, data) = lab();
    let dry = submit(
        "slurm",
        &data,
        &["--mode", "sealed", "--parts", "2", "--dry-run"],
    );
    assert!(output(&dry).status.success());
    let file = part(&data, 0);
    assert!(
        output(&["census", "chunk", "--out", file.to_str().unwrap()])
            .status
            .success()
    );
    let whole = BufReader::new(fs::File::open(&file).unwrap());
    let mut reader = Reader::open(whole).unwrap().unwrap();
    let mut bytes = Vec::new();
    chunk::begin(&mut bytes, Form::Checked, &reader.header().clone()).unwrap();
    let mut lies = 0;
    while let Some(mut found) = reader.next_found().unwrap() {
        let mut solution = certificate::decode(&found.certificate).unwrap();
        let order = u32::try_from(solution.quotient.order()).unwrap();
        if lies == 0 && order > 1 {
            lies += 1;
            let last = solution.phi.len() - 1;
            solution.phi[last] = (solution.phi[last] + 1) % order;
            found.certificate = certificate::encode(&solution).unwrap();
        }
        chunk::add(&mut bytes, Form::Checked, &found).unwrap();
    }
    assert_eq!(lies, 1);
    fs::write(&file, bytes).unwrap();
    let computed = output(&submit("local", &data, &["--mode", "sealed"]));
    let said = text(&computed.stderr);
    assert_eq!(computed.status.code(), Some(5), "{said}");
    assert!(said.contains("part 0 is computed again"), "{said}");
    assert_eq!(digest(&data), undisturbed(&PLAN));
}

#[test]
fn a_coordinator_and_workers_compute_the_census() {
    let (_lab, data) = lab();
    let mode = ["--mode", "coordinator", "--parts", "2"];
    let command = submit("local", &data, &mode);
    let mut job = Process::spawn(&command);
    until("a coordinator at work", Duration::from_secs(60), || {
        fs::metadata(format!("{data}/endpoint")).is_ok() || job.has_ended()
    });
    drop(job);
    let ended = output(&command);
    assert!(ended.status.success(), "{}", text(&ended.stderr));
    assert_eq!(digest(&data), undisturbed(&PLAN));
    let again = output(&command);
    assert!(again.status.success() && again.stderr.is_empty());
}

#[test]
fn the_jobs_of_a_coordinator_are_workers_with_certificates_of_their_own() {
    let (_lab, data) = lab();
    let mode = ["--mode", "coordinator", "--parts", "3", "--dry-run"];
    let command = submit(
        "slurm",
        &data,
        &[&mode[..], &["--address", "lab.example"]].concat(),
    );
    let shown = output(&command);
    assert!(shown.status.success(), "{}", text(&shown.stderr));
    assert!(text(&shown.stdout).contains(" coordinator --data "));
    let address = fs::read_to_string(format!("{data}/submit/address")).unwrap();
    let address = address.trim();
    assert!(address.starts_with("lab.example:"), "{address}");
    let file = fs::read_to_string(format!("{data}/submit/array-1.slurm")).unwrap();
    assert!(
        file.contains(&format!("worker --coordinator https://{address} ")),
        "{file}"
    );
    assert!(file.contains("certs/worker-\"$part\".key"), "{file}");
    for worker in 1..=3 {
        let key = fs::metadata(format!("{data}/submit/certs/worker-{worker}.key")).unwrap();
        assert_eq!(
            std::os::unix::fs::PermissionsExt::mode(&key.permissions()) & 0o077,
            0
        );
    }
    // The address stays, until another one is given; then the certificate is of that one.
    let certificate = || fs::read(format!("{data}/submit/certs/coordinator.pem")).unwrap();
    let (before, again) = (certificate(), output(&submit("slurm", &data, &mode)));
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert_eq!(certificate(), before);
    let other = [&mode[..], &["--address", "other.example"]].concat();
    let again = output(&submit("slurm", &data, &other));
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert_ne!(certificate(), before);
    let address = fs::read_to_string(format!("{data}/submit/address")).unwrap();
    assert!(address.starts_with("other.example:"), "{address}");
    let parts = ["--parts", "3"];
    assert_refused(&submit("slurm", &data, &parts), 1, "jobs.json");
    let mode = ["--mode", "coordinator"];
    assert_refused(&submit("kubernetes", &data, &mode), 2, "deploy/kubernetes");
    assert_refused(&submit("local", &data, &["--address", "a"]), 2, "--mode");
    let lines = ["--mode", "coordinator", "--address", "a b"];
    assert_refused(&submit("slurm", &data, &lines), 2, "a host is");
}

/// A person who pastes a line into a shell gets the intended command, for any name of the
/// directory.
#[test]
fn lines_to_paste_are_quoted() {
    for (to, more) in [
        ("slurm", &[][..]),
        ("sge", &[]),
        ("hyperqueue", &[]),
        ("htcondor", &[]),
        ("kubernetes", &[]),
        ("snakemake", &[]),
        ("local", &[]),
        (
            "slurm",
            &["--mode", "coordinator", "--address", "localhost"],
        ),
    ] {
        let lab = tempfile::tempdir().unwrap();
        let data = lab.path().join("a#b;c dol$HOME");
        let data = data.to_str().unwrap();
        let command = submit(
            to,
            data,
            &[&["--parts", "2", "--dry-run", "--json"][..], more].concat(),
        );
        let commands = document(&command);
        for line in commands["commands"].as_array().unwrap() {
            let line = line.as_str().unwrap();
            let words = shlex::split(line).unwrap();
            let named = words.iter().filter(|word| word.contains("dol"));
            let named: Vec<_> = named.collect();
            assert!(!named.is_empty(), "{line}");
            assert!(named.iter().all(|word| word.contains(data)), "{line}");
        }
        // Where a file names the directory, a queue reads it as it is.
        let file = |ending: &str| fs::read_to_string(format!("{data}/submit/array-1.{ending}"));
        for (ending, mark) in [("sge", "#$ "), ("hq", "#HQ ")] {
            for line in file(ending).unwrap_or_default().lines() {
                if let Some(directive) = line.strip_prefix(mark)
                    && directive.contains("dol")
                {
                    assert_eq!(shlex::split(directive).unwrap().len(), 1, "{line}");
                    assert!(ending == "hq", "{line}");
                }
            }
        }
        if let Ok(text) = file("submit") {
            assert!(text.contains("dol$(DOLLAR)HOME"), "{text}");
            assert!(!text.contains("dol$HOME"), "{text}");
        }
    }
}
