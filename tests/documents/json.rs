//! The pages name every field of every JSON document, and no others.
//!
//! Documents of all kinds are made here by real commands. A document that takes longer than a
//! minute, such as one of a game that waits for a worker with more memory, is made from the types
//! that the program writes.

use std::time::{Duration, Instant};

use misere_coordinator::observer::{Caught, CheckpointStatus, Running, Trust, Waits, Worker};
use misere_coordinator::rpc::SharedCertificate;
use serde_json::{Value, json};

use crate::documents::fields::{DocumentPaths, MatchedRows, Promises};
use crate::documents::markdown::book;
use crate::documents::running::Directory;

/// The preparations that the commands below need.
const PREPARATION: &[&str] = &[
    "misere census run --codes 0.123,0.3,0.71,0.06,0.31011,0.776,0.26,0.204 --fuel 200k \
     --space quotients --order 14 --data both",
    "misere census run --digits 2 --fuel 20k --data small",
    "misere census run --codes 0.26,0.27,0.35,0.54,0.542 --max-heap 125 --data growing",
    "misere census run --codes 0.123,0.1023 --data quaternary",
    "misere census run --codes 0.204,0.35 --time-limit 30ms --workers 1 --data failed",
    "misere census run --born-by 4 --data day-4",
    "misere census run --space subtraction --digits 3 --data beans",
    "misere census run --codes '{{*2},0},{{{*2},*2,*},{{*2},0}}' --data day-5",
    "misere census run --codes '0.(3310)^1,0.(3310)^2' --data 3310",
    "misere solve 0.123 --out 123.json",
    "sed 's/\"period\":5/\"period\":10/' 123.json > wrong.json",
    "echo nothing > nothing.json",
    "misere classify --order 14 --json > 14.json",
    // To heap 4 it leaves quotients open.
    "misere census run --codes 0.26 --max-heap 4 --data open",
    "misere report atlas --list 14.json --data both --data day-4 --data small --data open --json \
     > atlas.json",
    "misere present 0.005 --out 5.json",
    "misere present 0.005 --semilinear --out regions.json",
    "misere automaton 0.54 --out automaton.json",
    "misere export --format jsonl --data both --out exported",
    "misere export --format jsonl --data both --out changed; echo >> changed/rulesets.jsonl",
    "misere census chunk --codes 0.123,0.3 --res 0 --mod 1 --out part",
    "misere census run --codes 0.77,0.6 --fuel 20k --data list",
    "misere normal run --digits 2 --heaps 2000 --data normal-2",
];

/// The documents, by the names of their tables, and commands that print them.
const DOCUMENTS: &[(&str, &[&str])] = &[
    (
        "solution",
        &[
            "misere solve 0.123 --json",
            "misere solve 0.123 --max-heap 3 --json",
            "misere solve 0.104 --json",
            "misere solve 0.06 --evidence 0 --json",
            "misere solve 0.31011 --json",
            "misere solve 0.005 --json",
            "misere solve 0.776 --fuel 100k --json",
            "misere solve 0.26 --json",
            "misere solve 0.54 --json",
        ],
    ),
    (
        "normal play",
        &[
            "misere solve 0.07 --normal --json",
            "misere solve 0.07 --normal --max-heap 9 --json",
            "misere solve nim --normal --max-heap 20 --json",
            "misere solve 0.156 --normal --max-heap 2000000 --json",
            "misere solve 0.007 --normal --max-heap 2000000 --fuel 1 --json",
        ],
    ),
    (
        "normal run",
        &["misere normal run --digits 1 --heaps 2000 --data normal-1 --json"],
    ),
    (
        "outcome",
        &[
            "misere outcome 0.77 3 5 7 --json",
            "misere outcome 0.77 3+5+7 --explain --json",
            "misere outcome 0.07 35+2 --evidence 0 --explain --json",
            "misere outcome 0.31011 5 7 --json",
            "misere outcome 0.005 18^2001 --json",
        ],
    ),
    (
        "genus",
        &[
            "misere genus 0.123 --json",
            "misere genus 0.77 --max-heap 9 --json",
            "misere genus 0.77 --time-limit 1ms --max-heap 200 --fuel 1G --json",
        ],
    ),
    (
        "search",
        &[
            "misere search --nim 0,1,2,3,1,4 --digits 2 --json",
            "misere search --outcomes PNN --digits 1 --json",
        ],
    ),
    (
        "explain",
        &["misere explain 0.123 --json", "misere explain 0.26 --json"],
    ),
    ("genus of a position", &["misere genus 0.77 3+5 --json"]),
    (
        "form",
        &[
            "misere form 2_2 --json",
            "misere form 0.77:17 --fuel 300k --json",
        ],
    ),
    ("born", &["misere form --born-by 4 --json"]),
    (
        "compare",
        &[
            "misere compare 0.123:6 0.123:11 --json",
            "misere compare 1 0 --json",
        ],
    ),
    (
        "present",
        &[
            "misere present 0.005 --json",
            "misere present 0.404 --degree 3 --json",
            "misere present 0.017 --json",
        ],
    ),
    (
        "present semilinear",
        &[
            "misere present 0.005 --semilinear --json",
            "misere present 0.017 --semilinear --json",
        ],
    ),
    (
        "present compare",
        &[
            "misere present 0.005 --compare 3 5 --json",
            "misere present 0.005 --compare 3 18^2 --json",
        ],
    ),
    ("automaton", &["misere automaton 0.54 --json"]),
    (
        "verify",
        &[
            "misere verify 123.json wrong.json nothing.json 14.json 5.json regions.json \
             automaton.json --json",
        ],
    ),
    (
        "list",
        &[
            "misere classify --order 14 --json",
            "misere classify --order 12 --facts --json",
            "misere classify --order 12 --faithful --json",
        ],
    ),
    (
        "identify",
        &[
            "misere identify 0.123 --data both --json",
            "misere identify '<a | a^2=1> P={a}' --finite --json",
            "misere identify '<a,b | a^2=1, b^2=1> P={a}' --data both --json",
            "misere identify R_8 --data both --json",
            "misere identify 0.123 --heap 4 --atlas atlas.json --json",
            "misere identify 14.json --atlas atlas.json --json",
        ],
    ),
    (
        "analyze",
        &[
            "misere analyze 0.123 --tell 3+3 h6 --json",
            "misere analyze 0.123 --why ac --json",
            "misere analyze T_4 --json",
            "misere analyze R_8 --why b^2 --tell a a --json",
            "misere analyze '<a,b | a^2=1, b^2=1> P={a}' --why a --json",
        ],
    ),
    (
        "plan",
        &[
            "misere census plan --digits 3 --json",
            "misere census plan --codes 0.77,0.07 --json",
            "misere census plan --born-by 5 --late 4 --json",
            "misere census plan --space quotients --order 18 --json",
            "misere census plan --codes 0.77 --space quotients --order 8 --json",
        ],
    ),
    (
        "summary",
        &[
            "misere census run --data both --json",
            "misere census run --data failed --json",
            "misere coordinator --data small --listen 127.0.0.1:0 --json",
        ],
    ),
    (
        "status",
        &[
            "misere census status --data both --json",
            "misere census status --data failed --json",
            "misere census status --data growing --json",
        ],
    ),
    ("digest", &["misere census digest --data both --json"]),
    (
        "backup",
        &["misere census backup --data both --to copy --json"],
    ),
    (
        "quarantine",
        &[
            "misere census quarantine list --data failed --json",
            "misere census quarantine show --data failed 0.204 --json",
        ],
    ),
    (
        "changed",
        &[
            "misere census quarantine drop --data failed 0.204 --json",
            "misere census quarantine retry --data failed 0.204 --json",
        ],
    ),
    (
        "chunk",
        &["misere census chunk --codes 0.123,0.3 --res 0 --mod 1 --out part --json"],
    ),
    (
        "merge",
        &[
            "misere census merge --data merged part --json",
            "misere census merge --data whole --digits 2 --fuel 20k list --json",
        ],
    ),
    (
        "submitted",
        &["misere census submit --to slurm --codes 0.123 --data submitted --dry-run --json"],
    ),
    ("workers", &["misere census workers --data both --json"]),
    (
        "check",
        &[
            "misere census check --data both --json",
            "misere census check --proofs --data both --json",
            "misere census check --data small --json",
            "cp -r small broken && rm broken/db/CURRENT && misere census check --repair --data broken --json",
        ],
    ),
    (
        "certificates",
        &[
            "misere coordinator certs --dir certs --role coordinator --host localhost --json",
            "misere coordinator certs --dir certs --name host-a --json",
            "misere coordinator certs --dir certs --count 1 --json",
            "misere coordinator certs --dir certs --count 1 --json",
            "misere coordinator certs --dir certs --name check-1 --role checker --json",
        ],
    ),
    (
        "checked_part",
        &[
            "misere census chunk --check part --out sealed --ca certs/ca.pem --cert certs/check-1.pem --key certs/check-1.key --json",
        ],
    ),
    (
        "query",
        &[
            "misere query --data both --json",
            "misere query --data both --order 2.. --json --explain",
            "misere query --data both --count --json",
        ],
    ),
    (
        "record",
        &[
            "misere query --data both --jsonl",
            "misere query --data small --jsonl",
            "misere query --data growing --jsonl",
        ],
    ),
    (
        "report summary",
        &[
            "misere report summary --data both --json",
            "misere report summary --data growing --json",
        ],
    ),
    ("report laws", &["misere report laws --data growing --json"]),
    ("report genus", &["misere report genus --data both --json"]),
    (
        "report infinite",
        &[
            "misere report infinite --data both --json",
            "misere report infinite --data both --describe --fuel 2M --json",
        ],
    ),
    (
        "figure1",
        &[
            "misere report figure1 --data small --normal-heaps 500 --json",
            "misere report figure1 --data small --normal normal-2 --json",
        ],
    ),
    (
        "figure2",
        &[
            "misere report figure2 --data both --json",
            "misere report figure3 --data quaternary --json",
            "misere report figure7 --data small --json",
        ],
    ),
    (
        "figure10",
        &[
            "misere report figure10 --data day-4 --json",
            "misere report figure10 --data both --json",
        ],
    ),
    ("day5", &["misere report day5 --data day-5 --json"]),
    (
        "atlas",
        &[
            "cat atlas.json",
            "misere report atlas --list 14.json --data growing --data beans --json",
        ],
    ),
    (
        "figure11",
        &[
            "misere report figure11 --data day-4 --json",
            "misere report figure11 --data both --json",
        ],
    ),
    ("table3310", &["misere report table3310 --data 3310 --json"]),
    (
        "cayley",
        &[
            "misere report cayley 0.123 --format json",
            "misere report cayley R_8 --format json",
        ],
    ),
    (
        "idempotents",
        &["misere report idempotents 0.123 --data both --format json"],
    ),
    (
        "growth report",
        &["misere report growth 0.123 --format json"],
    ),
    (
        "table1",
        &[
            "misere report table1 --list 14.json --format json",
            "misere report table1 --data both --format json",
        ],
    ),
    (
        "table2",
        &[
            "misere report table2 --list 14.json --format json",
            "misere report table3 --data both --format json",
        ],
    ),
    (
        "facts report",
        &["misere report facts --list 14.json --format json"],
    ),
    (
        "page",
        &["misere page --static site --data quaternary --normal-heaps 100 --json"],
    ),
    (
        "cite",
        &[
            "misere cite --json",
            "misere cite 0.123 --data quaternary --json",
        ],
    ),
    (
        "manifest",
        &[
            "cat exported/manifest.json",
            "misere export --format bfile --sequence outcomes --code 0.123 --data both --out b --json",
            "misere export --format csv --wild --order ..100 --data both --out csv --json",
        ],
    ),
    (
        "export check",
        &[
            "misere export --check exported --json",
            "misere export --check changed --json",
        ],
    ),
    ("rulesets.jsonl", &["cat exported/rulesets.jsonl"]),
    ("classes.jsonl", &["cat exported/classes.jsonl"]),
];

#[test]
fn every_field_is_named() {
    let promises = Promises::of(&book());
    promises.must_have(DOCUMENTS.iter().map(|&(document, _)| document));
    let all = tempfile::tempdir().unwrap();
    let mut directory = Directory::new(all.path().to_owned(), false);
    for command in PREPARATION {
        directory.shell(command);
    }
    let mut met = MatchedRows::new();
    let mut faults = Vec::new();
    for &(document, commands) in DOCUMENTS {
        let mut seen = DocumentPaths::default();
        for command in commands {
            let printed = documents(&mut directory, command);
            assert!(!printed.is_empty(), "`{command}` prints no JSON document");
            printed.iter().for_each(|document| seen.see(document));
        }
        if document == "status" {
            seen.see(&at_work(&mut directory));
            seen.see(&rare());
        }
        faults.extend(promises.faults(document, &seen, &mut met));
    }
    faults.extend(promises.unmet(&met));
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Returns the JSON documents that a command prints.
fn documents(directory: &mut Directory, command: &str) -> Vec<Value> {
    let answer = directory.shell(command);
    let lines = answer.printed.iter().filter(|line| line.starts_with('{'));
    let document = |line: &String| {
        serde_json::from_str(line).unwrap_or_else(|error| panic!("`{command}`: {error}: {line}"))
    };
    if answer.printed.first().is_some_and(|line| line == "{") {
        return vec![document(&answer.printed.join("\n"))];
    }
    lines.map(document).collect()
}

/// Returns the status of a census at work, as soon as the time left can be given.
///
/// The time is given after ten seconds; with 2 million units a game one worker needs minutes, on
/// any machine.
fn at_work(directory: &mut Directory) -> Value {
    directory.start(
        "misere coordinator --digits 3 --fuel 2M --data working --listen 127.0.0.1:7117",
        &[],
    );
    directory.start(
        "misere worker --coordinator http://127.0.0.1:7117 --slots 1",
        &[],
    );
    let since = Instant::now();
    loop {
        let status = documents(directory, "misere census status --data working --json").pop();
        match status {
            Some(status) if !status["remaining"].is_null() => return status,
            _ => assert!(since.elapsed() < Duration::from_secs(600), "{status:?}"),
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Returns parts of a status that take a long game, or more memory than there is.
fn rare() -> Value {
    let running = Running {
        code: "0.35".to_owned(),
        heap: 99,
        order: 5494,
        running_ms: 60_000,
        checkpoint: Some(CheckpointStatus {
            heap: 90,
            fuel: 50_000_000,
        }),
    };
    let worker = Worker {
        worker: "1.1".to_owned(),
        name: "host-a".to_owned(),
        threads: 1,
        memory_class: 0,
        identity: "65fb262b0f2c5d11".to_owned(),
        fingerprint: Some("5c0f94d1a27be638".to_owned()),
        held: 2,
        silent_ms: 300,
        draining: false,
        trust: Trust {
            state: "held back".to_owned(),
            why: Some("it fails at whatever it is given".to_owned()),
            ..Trust::default()
        },
        running: vec![running],
    };
    let caught = Caught {
        name: "host-b".to_owned(),
        identity: "1f2c5d1165fb262b".to_owned(),
        fingerprint: Some("a27be6385c0f94d1".to_owned()),
        misdeed: "spot_check".to_owned(),
        why: "its claim is not what the coordinator found".to_owned(),
        game: Some("0.35".to_owned()),
        at_ms: 1_700_000_000_000,
        banned: true,
    };
    let shared = SharedCertificate {
        name: "lab".to_owned(),
        fingerprint: "5c0f94d1a27be638".to_owned(),
        workers: vec!["1.1".to_owned(), "1.2".to_owned()],
        hosts: vec!["10.0.0.5".to_owned()],
    };
    let waits = Waits::Memory {
        class: 1,
        tasks: 2,
        example: "0.35".to_owned(),
    };
    json!({
        "workers": [worker],
        "waiting": [waits],
        "caught": [caught],
        "shared_certificates": [shared],
    })
}
