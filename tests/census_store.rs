//! The census directory in the hands of an operator: copies, quarantine, earlier formats, disks
//! that are full or cannot be written. Real processes.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::support::census::{digest, status};
use crate::support::process::{Process, command, document as facts, done, output as misere, text};
use crate::support::waiting::until;

/// Runs a census until it is killed, once it has a record.
fn at_work(data: &str, codes: &str) -> Process {
    let run = [
        "census", "run", "--data", data, "--codes", codes, "--fuel", "1G",
    ];
    // Two games at a time, on one core, too.
    let running = Process::spawn(&[&run[..], &["--workers", "2"]].concat());
    until("a record", Duration::from_secs(60), || {
        let status = status(data);
        status["running"] == true && status["done"].as_u64() > Some(0)
    });
    running
}

#[test]
fn a_closed_census_is_copied_and_restored() {
    let dir = tempfile::tempdir().unwrap();
    let (data, copy) = (dir.path().join("census"), dir.path().join("copy"));
    let (data, copy) = (data.to_str().unwrap(), copy.to_str().unwrap());
    let missing = misere(&["census", "backup", "--data", data, "--to", copy]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stderr).contains("no census in"));
    done(&["census", "run", "--data", data, "--codes", "0.3,0.77,0.123"]);
    let digest = digest(data);
    let copied = facts(&["census", "backup", "--data", data, "--to", copy, "--json"]);
    assert_eq!(copied["digest"], digest.trim());
    assert_eq!(
        (&copied["records"], &copied["running"]),
        (&3.into(), &false.into())
    );
    let again = misere(&["census", "backup", "--data", data, "--to", copy]);
    assert_eq!(again.status.code(), Some(1));
    assert!(text(&again.stderr).contains("is not empty"));
    assert!(done(&["census", "run", "--data", copy]).contains(digest.trim()));
}

#[test]
fn a_running_census_is_copied_between_two_commits() {
    let dir = tempfile::tempdir().unwrap();
    let (data, copy) = (dir.path().join("census"), dir.path().join("copy"));
    let (data, copy) = (data.to_str().unwrap(), copy.to_str().unwrap());
    let running = at_work(data, "0.3,0.7,0.374");
    let copied = facts(&["census", "backup", "--data", data, "--to", copy, "--json"]);
    assert_eq!(copied["running"], true);
    assert!(copied["records"].as_u64().unwrap() > 0);
    assert_eq!(copied["complete"], false);
    let digest = digest(copy);
    assert_eq!(copied["digest"], digest.trim());
    // It goes on as before.
    let status = facts(&["census", "status", "--json", "--data", data]);
    assert_eq!(status["state"], "running");
    drop(running);
    let status = done(&["census", "status", "--data", data]);
    assert!(status.contains("not running"), "{status}");
}

/// The machine is lost in the middle of a census. Work since the last backup is lost, no more.
#[test]
fn a_lost_census_is_restored_from_a_backup() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (data, whole) = (at("census"), at("whole"));
    let backups: Vec<String> = (0..3)
        .map(|number| at(&format!("backup-{number}")))
        .collect();
    let plan = ["--digits", "2", "--fuel", "400k", "--workers", "2"];
    done(&[&["census", "run", "--data", &whole], &plan[..]].concat());

    let running = Process::spawn(&[&["census", "run", "--data", &data], &plan[..]].concat());
    let records = |data: &str| status(data)["done"].as_u64().unwrap_or(0);
    for (number, copy) in backups.iter().enumerate() {
        until("more records", Duration::from_secs(60), || {
            records(&data) > 2 * number as u64
        });
        done(&["census", "backup", "--data", &data, "--to", copy]);
    }
    // It is killed.
    drop(running);
    std::fs::remove_dir_all(&data).unwrap();

    let last = backups.last().unwrap();
    let restored = records(last);
    assert!(restored > 4, "{restored}");
    done(&["census", "check", "--data", last]);
    std::fs::rename(last, &data).unwrap();
    done(&[&["census", "run", "--data", &data], &plan[..]].concat());
    assert_eq!(digest(&data), digest(&whole));
    // An earlier backup leads to the same census.
    done(&[&["census", "run", "--data", &backups[0]], &plan[..]].concat());
    assert_eq!(digest(&backups[0]), digest(&whole));
}

#[test]
fn the_quarantine_is_looked_at_tried_again_and_given_up() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    let quarantine = |args: &[&str]| {
        let mut all = vec!["census", "quarantine"];
        all.extend(args);
        all.extend(["--data", data]);
        misere(&all)
    };
    let run = [
        "census",
        "run",
        "--data",
        data,
        "--codes",
        "0.3,0.374",
        "--fuel",
        "1G",
    ];
    let mut hasty = run.to_vec();
    hasty.extend(["--time-limit", "40ms"]);
    let ran = misere(&hasty);
    assert_eq!(ran.status.code(), Some(1));
    assert!(text(&ran.stderr).contains("census quarantine list"));
    let listed = text(&quarantine(&["list"]).stdout);
    assert!(
        listed.starts_with("0.374 ") && listed.contains("3 failures"),
        "{listed}"
    );
    let shown: Value =
        serde_json::from_slice(&quarantine(&["show", "0.374", "--json"]).stdout).unwrap();
    let attempts = shown["quarantine"][0]["attempts"].as_array().unwrap();
    assert_eq!(attempts.len(), 3);
    assert!(
        attempts
            .iter()
            .all(|attempt| attempt["failure"] == "time limit reached")
    );
    let shown = text(&quarantine(&["show", "--all"]).stdout);
    assert_eq!(shown.matches("time limit reached").count(), 3, "{shown}");
    for (args, code, says) in [
        (&["show", "0.3"][..], 1, "not in quarantine"),
        (&["retry", "0.9x"], 1, "not in quarantine"),
        (&["retry"], 2, "required"),
        (&["drop"], 2, "required"),
    ] {
        let refused = quarantine(args);
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(code), "{said}");
        assert!(said.starts_with("error: ") && said.contains(says), "{said}");
    }
    assert_eq!(text(&quarantine(&["drop", "0.374"]).stdout), "1 dropped\n");
    assert!(text(&quarantine(&["list"]).stdout).contains("given up"));
    // The census ends without it, and says that it is not complete.
    let ended = misere(&run);
    assert_eq!(ended.status.code(), Some(0), "{}", text(&ended.stderr));
    assert!(text(&ended.stdout).contains("given up"));
    let digest = facts(&["census", "digest", "--json", "--data", data]);
    assert_eq!(digest["complete"], false);
    assert_eq!(text(&quarantine(&["retry", "0.374"]).stdout), "1 retried\n");
    assert_eq!(
        text(&quarantine(&["list"]).stdout),
        "nothing is in quarantine\n"
    );
    let status = facts(&["census", "status", "--json", "--data", data]);
    assert_eq!(
        (&status["pending"], &status["dropped"]),
        (&1.into(), &0.into())
    );
}

#[test]
fn a_running_coordinator_resumes_games_that_are_retried() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    let codes = "0.3,0.374,0.164";
    let run = [
        "census", "run", "--data", data, "--codes", codes, "--fuel", "1G",
    ];
    let mut hasty = run.to_vec();
    hasty.extend(["--time-limit", "40ms"]);
    let retry = |game| misere(&["census", "quarantine", "retry", "--data", data, game]);
    assert_eq!(misere(&hasty).status.code(), Some(1));
    while status(data)["done"] == 0 {
        // On a busy machine 40 ms may pass before the short game is begun.
        assert_eq!(text(&retry("0.3").stdout), "1 retried\n");
        assert_eq!(misere(&hasty).status.code(), Some(1));
    }
    assert_eq!(text(&retry("0.164").stdout), "1 retried\n");
    let running = at_work(data, codes);
    assert_eq!(text(&retry("0.374").stdout), "1 retried\n");
    let refused = retry("0.374");
    assert_eq!(refused.status.code(), Some(1), "it is not there any more");
    let standing = status(data);
    assert_eq!(
        (&standing["quarantined"], &standing["pending"]),
        (&0.into(), &2.into())
    );
    until(
        "the game, without a restart",
        Duration::from_secs(60),
        || done(&["census", "status", "--data", data]).contains("  0.374: heap"),
    );
    drop(running);
}

/// Unpacks a census of format 7, which has 10 tasks, 8 of them finished.
///
/// `common/store/src/tests/formats.rs` describes its origin.
fn of_format_7(dir: &Path) -> PathBuf {
    let fixture =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("common/store/tests/data/format-7.tar.gz");
    let unpacked = Command::new("tar")
        .arg("-xzf")
        .arg(fixture)
        .arg("-C")
        .arg(dir)
        .status();
    assert!(unpacked.unwrap().success());
    dir.join("format-7")
}

/// Tests that the same command completes a migration after a kill at any moment.
#[test]
fn an_earlier_format_is_migrated_however_often_it_is_killed() {
    let dir = tempfile::tempdir().unwrap();
    let data = of_format_7(dir.path());
    let data = data.to_str().unwrap();
    // A census of this format can be read as it is.
    let before = status(data);
    assert_eq!(
        (&before["done"], &before["pending"]),
        (&7.into(), &2.into())
    );
    for ms in [0, 2, 5, 10, 15, 20, 30, 40, 60] {
        let mut child = command(&["census", "run", "--data", data]);
        let mut child = child.stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(ms));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let ended = misere(&["census", "run", "--data", data]);
    assert!(ended.status.success(), "{}", text(&ended.stderr));
    let log = std::fs::read_to_string(Path::new(data).join("run.log")).unwrap();
    assert!(log.contains("is brought from format 7"), "{log}");
    let fresh = dir.path().join("fresh");
    let fresh = fresh.to_str().unwrap();
    let codes = "0.3,0.7,0.77,4.6,0.123,0.07,0.137,0.26,0.37,0.15,0.2,0.6,0.31011,0.1210002";
    done(&[
        "census",
        "run",
        "--data",
        fresh,
        "--codes",
        codes,
        "--fuel",
        "200k",
        "--max-heap",
        "3000",
    ]);
    assert_eq!(digest(data), digest(fresh));
}

/// Runs a shell script where it may mount; `None` if the system lets no one do that.
fn in_a_namespace(script: &str, dir: &Path) -> Option<Output> {
    let mut shell = Command::new("unshare");
    shell.args(["--user", "--map-root-user", "--mount", "--kill-child"]);
    let may = shell
        .args(["--fork", "sh", "-c", "mount -t tmpfs none /mnt"])
        .status();
    if !may.is_ok_and(|status| status.success()) {
        eprintln!("no user namespaces here: nothing was tested");
        return None;
    }
    let output = Command::new("unshare")
        .args([
            "--user",
            "--map-root-user",
            "--mount",
            "--kill-child",
            "--fork",
        ])
        .args(["sh", "-c", script])
        .env("MISERE", env!("CARGO_BIN_EXE_misere"))
        .current_dir(dir)
        .output();
    Some(output.unwrap())
}

/// The disk fills up in the middle of a census; with more room the same command completes it.
#[test]
#[ignore = "slow: fills a disk twice over"]
fn a_full_disk_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("disk")).unwrap();
    let plan = "--digits 2 --fuel 300k";
    let script = format!(
        "mount -t tmpfs -o size=700k none disk || exit 9
         $MISERE census run --data disk/census {plan} >/dev/null 2>said; echo $? > code
         $MISERE census status --data disk/census --json > status
         mount -o remount,size=512m disk
         $MISERE census run --data disk/census {plan} >/dev/null || exit 8
         $MISERE census digest --data disk/census > digest"
    );
    let Some(output) = in_a_namespace(&script, dir.path()) else {
        return;
    };
    assert!(output.status.success(), "{}", text(&output.stderr));
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    let said = read("said");
    assert_eq!(read("code").trim(), "1", "{said}");
    let last = said.lines().last().unwrap();
    assert!(
        last.starts_with("error: no room is left for the census"),
        "{said}"
    );
    let status: Value = serde_json::from_str(&read("status")).unwrap();
    let kept = status["done"].as_u64().unwrap() + status["exhausted"].as_u64().unwrap();
    assert!(
        kept > 0 && status["pending"].as_u64().unwrap() > 0,
        "{status}"
    );
    let whole = dir.path().join("whole");
    let mut run = vec!["census", "run", "--data", whole.to_str().unwrap()];
    run.extend(plan.split(' '));
    done(&run);
    assert_eq!(
        read("digest"),
        done(&["census", "digest", "--data", whole.to_str().unwrap()])
    );
}

#[test]
fn an_export_onto_a_full_disk_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("disk")).unwrap();
    let script = "$MISERE census run --data census --codes 0.77,0.123,0.115 >/dev/null || exit 8
         mount -t tmpfs -o size=8k none disk || exit 9
         for format in jsonl csv sqlite gap sage; do
           $MISERE export --format $format --data census --out disk/out >/dev/null 2>>said; echo $? >> codes
           ls -A disk >> left
         done";
    let Some(output) = in_a_namespace(script, dir.path()) else {
        return;
    };
    assert!(output.status.success(), "{}", text(&output.stderr));
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    let said = read("said");
    assert_eq!(read("codes"), "1\n".repeat(5), "{said}");
    assert_eq!(read("left"), "", "{said}");
    assert_eq!(said.lines().count(), 5, "{said}");
    assert!(
        said.lines()
            .all(|line| line.starts_with("error: cannot write ")),
        "{said}"
    );
}

#[test]
fn a_census_that_cannot_be_written_says_so_and_is_read() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("disk")).unwrap();
    let script = "mount -t tmpfs none disk || exit 9
         $MISERE census run --data disk/census --codes 0.3,0.77 >/dev/null || exit 8
         mount -o remount,ro disk || exit 7
         $MISERE census run --data disk/census 2>said-census; echo $? > code-census
         $MISERE census run --data disk/new --codes 0.3 2>said-new; echo $? > code-new
         $MISERE census digest --data disk/census > digest || exit 6
         $MISERE census status --data disk/census > status || exit 5";
    let Some(output) = in_a_namespace(script, dir.path()) else {
        return;
    };
    assert!(
        output.status.success(),
        "{}: {}",
        output.status,
        text(&output.stderr)
    );
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    for which in ["census", "new"] {
        let said = read(&format!("said-{which}"));
        assert_eq!(read(&format!("code-{which}")).trim(), "1", "{said}");
        assert!(
            said.starts_with("error: the census cannot be written"),
            "{said}"
        );
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    assert_eq!(read("digest").trim().len(), 64);
    assert!(read("status").contains("finished"));
}
