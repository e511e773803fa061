//! Traps among files: FIFOs and endless devices where a small file is expected, a settings file
//! that is a trap, paths that are not UTF-8. Every command ends soon, with a message.
#![cfg(unix)]

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::support::census::{address, argument};
use crate::support::process::{Process, command, done, text};

const PATIENCE: Duration = Duration::from_secs(60);

/// Runs a process that may take two gigabytes; returns its exit code and standard error.
fn bounded(args: &[&OsStr], settings: Option<&Path>) -> (Option<i32>, String) {
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -v 4000000 && exec \"$@\"", "sh"])
        .arg(env!("CARGO_BIN_EXE_misere"))
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    if let Some(settings) = settings {
        command.env("MISERE_SETTINGS", settings);
    }
    let mut child = command.spawn().unwrap();
    let errors = child.stderr.take().unwrap();
    let code = Process(child).ended(PATIENCE);
    (code, std::io::read_to_string(errors).unwrap())
}

fn fifo(place: &Path) {
    let made = Command::new("mkfifo").arg(place).status().unwrap();
    assert!(made.success());
}

/// Makes a file that is a trap of this kind.
fn set(trap: &str, place: &Path) {
    let _ = fs::remove_file(place);
    match trap {
        "a FIFO" => fifo(place),
        _ => symlink("/dev/zero", place).unwrap(),
    }
}

#[test]
fn a_trap_in_a_census_ends_no_command_late() {
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole");
    done(&[
        "census",
        "run",
        "--codes",
        "0.3,0.77",
        "--data",
        argument(&whole),
    ]);
    let files = [
        "lock",
        "endpoint",
        "checked",
        "digest",
        "db/commits",
        "db/CURRENT",
        "db/IDENTITY",
        "db/plan",
    ];
    for (file, trap) in files
        .into_iter()
        .flat_map(|file| ["a FIFO", "a device"].map(|trap| (file, trap)))
    {
        let data = dir.path().join(format!("{file} {trap}").replace('/', " "));
        let copied = Command::new("cp").arg("-r").args([&whole, &data]).status();
        assert!(copied.unwrap().success());
        set(trap, &data.join(file));
        for verb in ["status", "digest", "check", "run"] {
            let args = ["census", verb, "--data", argument(&data)].map(OsStr::new);
            let (code, said) = bounded(&args, None);
            let silent = code != Some(0) && said.is_empty();
            assert!(
                matches!(code, Some(0 | 1 | 5)),
                "{file}, {trap}, {verb}: {said}"
            );
            assert!(!silent, "{file}, {trap}, {verb}");
        }
    }
}

#[test]
fn a_list_of_jobs_is_believed_within_bounds() {
    let dir = tempfile::tempdir().unwrap();
    let data = argument(dir.path());
    let submit = [
        "census",
        "submit",
        "--to",
        "slurm",
        "--dry-run",
        "--codes",
        "0.3,0.77",
        "--data",
        data,
    ];
    done(&submit);
    let file = dir.path().join("submit/jobs.json");
    let sound: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let array = |number: u64| serde_json::json!([{"number": number, "parts": [0], "memory_mib": 1, "id": null}]);
    for (field, value) in [
        ("parts", Value::from(u64::MAX)),
        ("parts", Value::from(0)),
        ("failures", serde_json::json!({"0": u32::MAX})),
        ("arrays", array(u64::MAX)),
    ] {
        let mut changed = sound.clone();
        changed[field] = value;
        fs::write(&file, changed.to_string()).unwrap();
        let (code, said) = bounded(&submit.map(OsStr::new), None);
        assert_eq!(code, Some(1), "{field}: {said}");
        assert!(said.contains("jobs.json` names more"), "{field}: {said}");
    }
    for trap in ["a FIFO", "a device"] {
        set(trap, &file);
        let (code, said) = bounded(&submit.map(OsStr::new), None);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains(trap), "{said}");
    }
}

#[test]
fn a_trap_that_is_named_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole");
    let data = argument(&whole);
    done(&["census", "run", "--codes", "0.3", "--data", data]);
    for trap in ["a FIFO", "a device"] {
        let place = dir.path().join("trap");
        set(trap, &place);
        let file = argument(&place);
        let rules = format!("@{file}");
        let tls = ["--cert", file, "--key", file, "--ca", file];
        let worker = [
            &["worker", "--coordinator", "https://127.0.0.1:1"][..],
            &tls,
        ]
        .concat();
        for args in [
            &["verify", file][..],
            &["solve", &rules],
            &["identify", file],
            &["outcome", "0.77", "3", "--certificate", file],
            &["solve", "0.07", "--checkpoint", file],
            &["report", "table1", "--list", file],
            &[
                "serve",
                "--data",
                data,
                "--listen",
                "127.0.0.1:0",
                "--atlas",
                file,
            ],
            &["census", "merge", "--data", data, file],
            &worker,
        ] {
            let words: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
            let (code, said) = bounded(&words, None);
            assert!(matches!(code, Some(1 | 2)), "{args:?}: {code:?} {said}");
            assert!(!said.is_empty(), "{args:?}");
        }
        let (code, said) = bounded(&["solve", "0.77"].map(OsStr::new), Some(&place));
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(trap), "{said}");
    }
    // The shell's `<(…)` and an empty file are not traps.
    let script = "\"$0\" solve 0.77 --json | \"$0\" verify /dev/stdin && MISERE_SETTINGS=/dev/null \"$0\" solve 0.3";
    let shell = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_misere")])
        .output()
        .unwrap();
    assert!(shell.status.success(), "{}", text(&shell.stderr));
}

/// A mark of byte order, which some editors put before a text, is skipped wherever a text is read.
#[test]
fn a_mark_of_byte_order_is_skipped() {
    let dir = tempfile::tempdir().unwrap();
    let marked = |name: &str, text: &str| {
        let file = dir.path().join(name);
        fs::write(&file, format!("\u{feff}{text}")).unwrap();
        argument(&file).to_owned()
    };
    let rules = format!("@{}", marked("rules", "1: 0\n2: 1, 0\n"));
    let certificate = marked("certificate", &done(&["solve", "0.77", "--json"]));
    let list = marked("list", &done(&["classify", "--order", "8", "--json"]));
    let settings = marked("settings", "[solve]\njson = true\n");
    done(&["solve", &rules]);
    done(&["verify", &certificate]);
    done(&["outcome", "0.77", "3", "5", "--certificate", &certificate]);
    done(&["verify", &list]);
    done(&["report", "table1", "--list", &list]);
    let solved = command(&["solve", "0.77"])
        .env("MISERE_SETTINGS", settings)
        .stdout(Stdio::piped())
        .output()
        .unwrap();
    assert!(solved.stdout.starts_with(b"{"), "{}", text(&solved.stdout));
}

#[test]
fn broken_settings_break_no_help() {
    let dir = tempfile::tempdir().unwrap();
    let wrong = dir.path().join("wrong");
    fs::write(&wrong, "[solve\n").unwrap();
    let value = dir.path().join("value");
    fs::write(&value, "[solve]\nfuel = \"plenty\"\n").unwrap();
    let none = dir.path().join("none");
    let circle = dir.path().join("circle");
    symlink(&circle, &circle).unwrap();
    let with = |settings: &Path, args: &[&str]| {
        let mut command = command(args);
        command.env("MISERE_SETTINGS", settings);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.output().unwrap()
    };
    for settings in [&wrong, &value, &none, &circle] {
        for args in [
            &["--help"][..],
            &["--version"],
            &["solve", "--help"],
            &["help", "solve"],
        ] {
            let said = with(settings, args);
            assert_eq!(said.status.code(), Some(0), "{}", text(&said.stderr));
            assert!(!said.stdout.is_empty());
        }
        let said = with(settings, &["solve", "0.3"]);
        assert_eq!(said.status.code(), Some(2), "{}", text(&said.stderr));
        assert!(!said.stderr.is_empty());
    }
    // The usual file, as a link that leads in a circle, and a directory that is not absolute.
    let usual = dir.path().join("misere");
    fs::create_dir(&usual).unwrap();
    symlink("settings.toml", usual.join("settings.toml")).unwrap();
    let in_directory = |xdg: &OsStr| {
        let mut command = command(&["solve", "0.3"]);
        command
            .env_remove("MISERE_SETTINGS")
            .env("XDG_CONFIG_HOME", xdg);
        command.env("HOME", "/nonexistent").current_dir(dir.path());
        command.output().unwrap().status.code()
    };
    assert_eq!(in_directory(dir.path().as_os_str()), Some(2));
    assert_eq!(in_directory(OsStr::new(".")), Some(0));
}

#[test]
fn a_path_that_is_not_utf8_is_printed() {
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole");
    let data = argument(&whole);
    done(&["census", "run", "--codes", "0.3", "--data", data]);
    let named = |name: &[u8]| -> OsString { dir.path().join(OsStr::from_bytes(name)).into() };
    let json = |args: &[&OsStr]| -> Value {
        let output = Command::new(env!("CARGO_BIN_EXE_misere"))
            .args(args)
            .arg("--json")
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{args:?}: {}",
            text(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let (copy, again, part, certs) = (
        named(b"c\xffpy"),
        named(b"\xff again"),
        named(b"p\xffrt"),
        named(b"\xff"),
    );
    let backup = [
        OsStr::new("census"),
        "backup".as_ref(),
        "--data".as_ref(),
        data.as_ref(),
        "--to".as_ref(),
    ];
    let made = json(&[&backup[..], &[&copy]].concat());
    assert!(
        made["to"].as_str().unwrap().ends_with("c\u{fffd}py"),
        "{made}"
    );
    let chunk = [
        "census", "chunk", "--codes", "0.3", "--res", "0", "--mod", "1", "--out",
    ]
    .map(OsStr::new);
    let chunk = [&chunk[..], &[&part]].concat();
    assert_eq!(json(&chunk)["missing"], 0);
    let merge = [
        OsStr::new("census"),
        "merge".as_ref(),
        "--data".as_ref(),
        data.as_ref(),
        &part,
    ];
    assert_eq!(json(&merge)["known"], 1);
    let made = json(&[
        OsStr::new("coordinator"),
        "certs".as_ref(),
        "--dir".as_ref(),
        &certs,
    ]);
    assert!(made["made"]["key"].is_string(), "{made}");
    // A coordinator at work gets such a path, too.
    let serve = [
        "coordinator",
        "--data",
        data,
        "--listen",
        "127.0.0.1:0",
        "--keep-serving",
    ];
    let _coordinator = Process::spawn(&serve);
    address(data);
    let made = json(&[&backup[..], &[&again]].concat());
    assert_eq!(made["running"], true, "{made}");
    assert!(Path::new(&again).join("db").is_dir());
}
