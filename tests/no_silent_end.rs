//! Every command ends in words: a long one reacts to SIGTERM and the guards in time, and no exit
//! code but 0 comes without a line on standard error.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::census::argument;
use crate::support::process::{Process, command, done, signal};
use rustix::process::Signal;

/// The time until a computation is in its longest stretch.
const UNDER_WAY: Duration = Duration::from_millis(1500);

/// The longest time in which a command may react to a stop, and the limit for the median one.
const MAX_WAIT: Duration = Duration::from_secs(1);
const MIDDLE: Duration = Duration::from_millis(100);

/// The time that a process may take on a machine that others use, too.
const PATIENCE: Duration = Duration::from_secs(60);

/// Commands that work or wait until they are stopped; `$D` is a directory for output, with a small
/// census in `$D/census`. Those with a time limit obey it.
const LONG: [&str; 25] = [
    "solve 0.07 --max-heap 100k --fuel 100G --max-order 60000 --time-limit $T",
    "solve 0.4 --strategy classical --max-heap 100k --fuel 100G --max-order 60000 --time-limit $T",
    "solve 0.6 --normal --max-heap 1G --fuel 1000G --time-limit $T",
    "solve 0.2048 --normal --max-heap 1M --fuel 1000G --time-limit $T",
    "outcome 0.07 400 500 --fuel 100G --time-limit $T",
    "solve 4.7 --max-heap 300 --fuel 100G",
    "genus 0.07 --max-heap 100k --fuel 100G --time-limit $T",
    "genus 0.07 500+501 --fuel 100G --time-limit $T",
    "form 0.07:400 --fuel 100G --time-limit $T",
    "compare 0.07:400 0.07:401 --fuel 100G --time-limit $T",
    "show 0.07 --fuel 100G --evidence 100G --time-limit $T",
    "present 0.07 --fuel 100G --time-limit $T",
    "automaton 0.07 --fuel 100G --time-limit $T",
    "play 0.07 400 500 --fuel 100G --time-limit $T",
    "normal run 0.6 0.07 --heaps 2^30 --data $D/normal --time-limit $T",
    "identify <a|a^65536=1>P={a} --fuel 100G --time-limit $T",
    "analyze <a|a^65536=1>P={a} --fuel 100G --time-limit $T",
    "classify --order 24 --time-limit $T",
    "classify --order 24 --faithful --facts --list --time-limit $T",
    "census run --codes 0.07 --fuel 100G --max-heap 100k --data $D/running",
    "census chunk --codes 0.07 --fuel 100G --max-heap 100k --res 0 --mod 1 --out $D/part",
    "census plan --digits 8",
    "coordinator --codes 0.07,0.77 --data $D/served --listen 127.0.0.1:0",
    "worker --coordinator http://127.0.0.1:9 --name waiting",
    "serve --data $D/census --listen 127.0.0.1:0",
];

/// Commands that are over in a moment here, or fail in one.
const SHORT: [&str; 54] = [
    "solve 0.07 --fuel 1k",
    "solve 0.7x",
    "outcome 0.07 40 50 --fuel 1k",
    "genus 0.07 --max-heap 100 --fuel 1k",
    "form 0.07:40 --fuel 1k",
    "compare 0.07:40 0.07:41 --fuel 1k",
    "present 0.07 --fuel 1k",
    "automaton 0.07 --fuel 1k",
    "play 0.07 40 --fuel 1k",
    "normal list --data $D/none",
    "classify --order 20 --fuel 1k",
    "verify $D/none",
    "verify /dev/null",
    "census plan --digits 1",
    "census status --data $D/none",
    "census status --data $D/census",
    "census pause --data $D/none",
    "census resume --data $D/none",
    "census drain --worker 1 --data $D/none",
    "census workers --data $D/none",
    "census evict a --data $D/none",
    "census ban a --data $D/none",
    "census pardon a --data $D/none",
    "census stop-task 0.3 --data $D/none",
    "census cancel --data $D/none",
    "census digest --data $D/none",
    "census digest --data $D/census",
    "census check --data $D/none",
    "census check --data $D/census",
    "census submit --to slurm --dry-run --data $D/none",
    "census merge --data $D/none $D/none",
    "census backup --data $D/none --to $D/copy",
    "census quarantine list --data $D/none",
    "coordinator certs --dir /dev/null",
    "worker --coordinator nowhere",
    "query --data $D/none",
    "query --data $D/census --count",
    "report cayley nothing",
    "report summary --data $D/none",
    "report table1 --list $D/none",
    "report figure1 --data $D/none",
    "report infinite --data $D/none",
    "export --format csv --data $D/none --out $D/csv",
    "export --check $D/none",
    "cite --data $D/none",
    "serve --data $D/none",
    "page --data $D/none --static $D/pages",
    "page --data $D/census --static $D/pages",
    "completions bash",
    "completions wash",
    "man slove",
    "health tcp://127.0.0.1:9",
    "slove",
    "solve",
];

/// The command without an entry above.
const LEFT_OUT: [&str; 1] = ["help"];

fn words(line: &str, dir: &str, limit: &str) -> Vec<String> {
    let set = |word: &str| word.replace("$D", dir).replace("$T", limit);
    line.split(' ').map(set).collect()
}

/// Lists the commands in a help text.
fn commands(help: &str) -> Vec<String> {
    let listed = help
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"));
    let listed = listed.skip(1).take_while(|line| !line.is_empty());
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

#[test]
fn every_command_is_in_a_list() {
    let listed = |called: &str| {
        let mut all = LONG.iter().chain(&SHORT);
        all.any(|line| line.starts_with(&format!("{called} ")) || *line == called)
    };
    let missing: BTreeSet<String> = commands(&done(&["--help"]))
        .into_iter()
        .filter(|name| !LEFT_OUT.contains(&name.as_str()))
        .flat_map(|name| {
            // Its reports are one command to this test, which has one of each kind.
            let below = match name.as_str() {
                "report" => Vec::new(),
                _ => commands(&done(&[&name, "--help"])),
            };
            let below = below.into_iter().filter(|verb| verb != "help");
            let below: Vec<String> = below.map(|verb| format!("{name} {verb}")).collect();
            if below.is_empty() { vec![name] } else { below }
        })
        .filter(|called| !listed(called))
        .collect();
    assert!(missing.is_empty(), "no line has {missing:?}");
}

/// Returns the processor time that a process has used, in hundredths of a second.
fn used(process: &Process) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.0.id())).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<u64> = fields
        .split_whitespace()
        .map(|field| field.parse().unwrap_or_default())
        .collect();
    Some(fields.get(11)? + fields.get(12)?)
}

/// Waits for the end of a process. Returns its code, and the time that it took.
///
/// The time is that of the clock, or of the processor if other processes took most of it.
fn end(process: &mut Process, what: &str) -> (Option<i32>, Duration) {
    let (since, before) = (Instant::now(), used(process));
    let mut last = before;
    loop {
        if let Some(status) = process.0.try_wait().unwrap() {
            let by_processor = last.zip(before).map(|(last, before)| (last - before) * 10);
            let by_processor = by_processor.map(Duration::from_millis);
            let taken = since.elapsed();
            return (
                status.code(),
                by_processor.map_or(taken, |own| own.min(taken)),
            );
        }
        last = used(process).or(last);
        assert!(since.elapsed() < PATIENCE, "does not end: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn start(line: &str, dir: &Path, limit: &str) -> Process {
    let words = words(line, argument(dir), limit);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let child = command(&words).stderr(Stdio::piped()).spawn();
    Process(child.unwrap())
}

fn said(process: &mut Process) -> String {
    let mut said = String::new();
    let errors = process.0.stderr.as_mut().unwrap();
    errors.read_to_string(&mut said).unwrap();
    said
}

/// Asserts that a process has ended by an exit code, and with a line unless it is 0.
fn assert_no_silence(line: &str, code: Option<i32>, said: &str) {
    assert!(code.is_some(), "ended by a signal: {line}: {said}");
    assert!(
        code == Some(0) || !said.trim().is_empty(),
        "silent end {code:?}: {line}"
    );
    assert_ne!(code, Some(101), "{line}: {said}");
}

fn census(dir: &Path) {
    let data = dir.join("census");
    done(&[
        "census",
        "run",
        "--codes",
        "0.3,0.77",
        "--data",
        argument(&data),
    ]);
}

/// Asserts that all times are short, and that the median is very short.
fn assert_soon(mut times: Vec<(Duration, &str)>) {
    times.sort_unstable();
    let late: Vec<_> = times.iter().filter(|(time, _)| *time > MAX_WAIT).collect();
    assert!(late.is_empty(), "too late: {late:?}");
    let (middle, _) = times[times.len() / 2];
    assert!(middle <= MIDDLE, "{times:?}");
}

#[test]
fn long_commands_stop_when_they_are_signalled() {
    let dir = tempfile::tempdir().unwrap();
    census(dir.path());
    let mut times = Vec::new();
    for line in LONG {
        let mut process = start(line, dir.path(), "1h");
        std::thread::sleep(UNDER_WAY);
        if process.has_ended() {
            let said = said(&mut process);
            panic!("over before it could be stopped: {line}: {said}");
        }
        signal(&process.0, Signal::TERM);
        let (code, time) = end(&mut process, line);
        println!("{time:?} {code:?} {line}");
        let said = said(&mut process);
        assert_no_silence(line, code, &said);
        let serves = line.starts_with("serve ");
        assert!(code == Some(4) || serves, "{line}: {code:?}: {said}");
        times.push((time, line));
    }
    assert_soon(times);
}

#[test]
fn long_commands_obey_their_time_limit() {
    let dir = tempfile::tempdir().unwrap();
    let mut times = Vec::new();
    for line in LONG.iter().filter(|line| line.contains("$T")) {
        let mut process = start(line, dir.path(), "1s");
        std::thread::sleep(Duration::from_secs(1));
        let (code, time) = end(&mut process, line);
        println!("{time:?} {code:?} {line}");
        let said = said(&mut process);
        assert_no_silence(line, code, &said);
        assert_eq!(code, Some(4), "{line}: {said}");
        times.push((time, *line));
    }
    // The limit begins when the computation does, some moments after the process.
    for (time, _) in &mut times {
        *time = time.saturating_sub(Duration::from_millis(100));
    }
    assert_soon(times);
}

#[test]
fn no_failure_is_silent() {
    let dir = tempfile::tempdir().unwrap();
    census(dir.path());
    for line in SHORT {
        let mut process = start(line, dir.path(), "1h");
        let (code, _) = end(&mut process, line);
        let said = said(&mut process);
        println!(
            "{code:?} {line}: {}",
            said.lines().next().unwrap_or_default()
        );
        assert_no_silence(line, code, &said);
    }
}
