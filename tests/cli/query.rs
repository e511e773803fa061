//! Queries of a small census, and classes named from it; and of one that is running.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cli::command::{error_line, json, misere, text};
use crate::support::process::{Process, command};

const CODES: &str = "0.77,4.4,4.6,0.3,0.07,0.71,0.241,0.243,0.75,0.15,0.005,0.123,0.37,0.142";

/// Makes a census of a few games.
fn census(dir: &Path) -> String {
    let data = dir.join("census").to_str().unwrap().to_owned();
    let run = misere(&[
        "census", "run", "--codes", CODES, "--fuel", "40k", "--data", &data,
    ]);
    assert!(run.status.success(), "{run:?}");
    data
}

/// Returns the codes that a query finds.
fn found(data: &str, conditions: &[&str]) -> Vec<String> {
    let arguments = [&["query", "--data", data, "--jsonl"], conditions].concat();
    let (exit, lines) = text(&arguments);
    assert_eq!(exit, 0, "{arguments:?}");
    let code = |line: &str| {
        let record: Value = serde_json::from_str(line).unwrap();
        record["code"].as_str().unwrap().to_owned()
    };
    lines.lines().map(code).collect()
}

/// A table with tabs agrees with the documents, and a missing field is an empty cell.
#[test]
fn columns_are_those_of_the_documents() {
    let dir = tempfile::tempdir().unwrap();
    let data = census(dir.path());
    let (exit, table) = text(&["query", "--data", &data, "--tsv"]);
    assert_eq!(exit, 0);
    let (exit, documents) = text(&["query", "--data", &data, "--jsonl"]);
    assert_eq!(exit, 0);
    let mut lines = table
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let column = |name: &str| names.iter().position(|column| *column == name).unwrap();
    let (code, order, period) = (column("code"), column("quotient_order"), column("period"));
    let (genus, wild) = (column("genus_class"), column("wild_from"));
    let mut games = 0;
    for (line, document) in lines.zip(documents.lines()) {
        let record: Value = serde_json::from_str(document).unwrap();
        assert_eq!(line.len(), names.len(), "{line:?}");
        assert_eq!(line[code], record["code"]);
        for (cell, field) in [(order, "order"), (period, "period"), (wild, "wild_from")] {
            let number = record[field].as_u64();
            assert_eq!(
                line[cell],
                number.map_or(String::new(), |number| number.to_string())
            );
        }
        let classes = record["genus"].as_array().unwrap().iter();
        let classes: Vec<&str> = classes.map(|class| class.as_str().unwrap()).collect();
        assert_eq!(line[genus], classes.join(" "));
        games += 1;
    }
    assert_eq!(games, found(&data, &[]).len());
    assert_eq!(table.lines().count(), games + 1);
}

/// The classes of Conway: 0.123 has the genera of Plambeck's Figure 2, where heap 8 is the first
/// that is not tame and no heap is wild; Kayles has the heap of 5 with an alias one heap further.
#[test]
fn genera_are_conditions_and_orders() {
    let dir = tempfile::tempdir().unwrap();
    let data = census(dir.path());
    let data = data.as_str();
    let found = |conditions: &[&str]| found(data, conditions);

    assert_eq!(found(&["--genus", "tame"]), ["0.3"]);
    let restless = found(&["--genus", "restless", "--first-not-tame", "8"]);
    assert!(restless.contains(&"0.123".to_owned()), "{restless:?}");
    assert!(!found(&["--genus", "wild"]).contains(&"0.123".to_owned()));
    assert_eq!(
        found(&["--code", "0.77", "--first-not-tame", "5"]),
        ["0.77"]
    );
    assert_eq!(found(&["--code", "4.4", "--first-not-tame", "6"]), ["4.4"]);
    assert!(found(&["--code", "4.4", "--first-not-tame", "5"]).is_empty());
    // Games without such a heap come last, in either direction.
    for direction in [&[][..], &["--descending"]] {
        let sorted = found(&[&["--sort", "first-not-tame"], direction].concat());
        assert_eq!(sorted.len(), found(&[]).len());
        assert_eq!(sorted.last().unwrap(), "0.3");
    }
    let of_twenty = found(&["--any-order", "20"]);
    assert!(of_twenty.contains(&"0.123".to_owned()), "{of_twenty:?}");
    assert!(!of_twenty.contains(&"0.3".to_owned()));
    let (_, answer) = json(&["query", "--data", data, "--code", "0.123", "--json"]);
    let record = &answer["records"][0];
    assert_eq!(record["genus"], serde_json::json!(["restive", "restless"]));
    assert_eq!(
        (&record["first_not_tame"], &record["first_wild"]),
        (&8.into(), &Value::Null)
    );
    let misnamed = error_line(&["query", "--data", data, "--genus", "mild"], 2);
    assert!(misnamed.contains("half-tame, wild, open"), "{misnamed}");

    for _ in 0..8 {
        let drawn = found(&["--wild", "--random"]);
        assert!(drawn.len() == 1 && drawn[0] != "0.3", "{drawn:?}");
    }
    assert!(found(&["--period", "1000..", "--random"]).is_empty());
}

#[test]
fn conditions_order_and_limit() {
    let dir = tempfile::tempdir().unwrap();
    let data = census(dir.path());
    let data = data.as_str();
    let found = |conditions: &[&str]| found(data, conditions);

    assert_eq!(
        found(&["--status", "solved", "--wild", "--period", "2"]),
        ["0.75"]
    );
    assert_eq!(found(&["--status", "solved", "--tame"]), ["0.3"]);
    assert_eq!(found(&["--code", "4.4"]), ["4.4"]);
    assert_eq!(found(&["--code", "4.?"]), ["4.4"]);
    assert_eq!(found(&["--code", "0.7?"]), ["0.71", "0.75", "0.77"]);
    assert_eq!(
        found(&["--code", "0.1*", "--descending"]),
        ["0.142", "0.123", "0.15"]
    );
    assert_eq!(found(&["--class", "R_8"]), ["0.75"]);
    // A game represents its class, under any of its codes.
    assert_eq!(found(&["--class", "0.75"]), ["0.75"]);
    assert_eq!(found(&["--class", "4.4"]), ["0.77"]);
    assert!(found(&["--any-class", "0.75"]).contains(&"0.15".to_owned()));
    let unknown = ["query", "--data", data, "--class", "0.7531"];
    assert!(error_line(&unknown, 1).contains("0.7531 is not a game of this census"));
    assert_eq!(found(&["--any-class", "R_8", "--order", "8"]), ["0.75"]);
    assert!(found(&["--any-class", "R_8"]).contains(&"0.15".to_owned()));
    assert_eq!(
        found(&["--status", "infinite", "--diverges-at", "..20"])[0],
        "0.005"
    );
    assert_eq!(found(&["--wild-from", "5", "--period", "12"]), ["0.77"]);
    assert_eq!(
        found(&["--order", "36..40", "--sort", "order"]),
        ["0.71", "0.241", "0.77"]
    );
    let by_order = ["--status", "solved", "--sort", "order", "--descending"];
    let largest = found(&[&by_order[..], &["--limit", "4"]].concat());
    assert_eq!(largest, ["0.15", "0.77", "0.241", "0.71"]);
    let second = found(&[&by_order[..], &["--offset", "1", "--limit", "1"]].concat());
    assert_eq!(second, ["0.77"]);
    assert!(found(&["--period", "1000.."]).is_empty());

    let (exit, table) = text(&["query", "--data", data, "--code", "4.4"]);
    assert_eq!(exit, 0);
    let line = table.lines().nth(1).unwrap();
    let cells: Vec<_> = line.split_whitespace().collect();
    let expected = "4.4 Kayles 0.77 (-1) and 1 solved wild 40 9 12 72";
    assert_eq!(cells[..12].join(" "), expected);
    assert!(table.ends_with("1 game\n"), "{table}");
    let (exit, nothing) = text(&["query", "--data", data, "--order", "7"]);
    assert_eq!((exit, nothing.as_str()), (0, "no game matches\n"));
    let end = |arguments: &[&str]| {
        let (_, table) = text(&[&["query", "--data", data], arguments].concat());
        table.lines().last().map(str::to_owned)
    };
    // The message does not deny results that a limit or an offset leaves out.
    let cut = "2 games, the most that --limit 2 lets pass; --count counts all";
    assert_eq!(end(&["--limit", "2"]).as_deref(), Some(cut));
    let nothing = "no game, the most that --limit 0 lets pass; --count counts all";
    assert_eq!(end(&["--limit", "0"]).as_deref(), Some(nothing));
    let passed_over = "no game after the first 1000; --count counts all";
    assert_eq!(end(&["--offset", "1000"]).as_deref(), Some(passed_over));
    assert_eq!(end(&["--random"]).as_deref(), Some("1 game"));
    assert_eq!(found(&["--sort", "spent"]), found(&["--sort", "fuel"]));
    let (_, count) = text(&["query", "--data", data, "--count", "--code", "0.7?"]);
    assert_eq!(count, "3\n");

    let (_, document) = json(&[
        "query",
        "--data",
        data,
        "--json",
        "--explain",
        "--code",
        "0.77",
    ]);
    assert_eq!(document["found"], 1);
    assert_eq!(document["tasks"], document["known"]);
    assert_eq!(document["way"], "the code, looked up");
    let kayles = &document["records"][0];
    assert_eq!(kayles["code"], "0.77");
    assert_eq!(kayles["aliases"], serde_json::json!(["4.4", "4.6"]));
    assert_eq!(kayles["period"], 12);
    assert_eq!(
        (&kayles["preperiod"], &kayles["representative"]),
        (&71.into(), &"0.77".into())
    );
    // Dawson's Kayles alone in the census is listed under its own code; conditions on heaps refer
    // to that code.
    assert_eq!(found(&["--code", "4.4", "--preperiod", "72"]), ["4.4"]);
    assert!(found(&["--code", "4.4", "--preperiod", "71"]).is_empty());
    assert_eq!(found(&["--preperiod", "72"]), ["4.4"]);
    assert_eq!(found(&["--preperiod", "71"]), ["0.77"]);
    assert_eq!(kayles["partials"][1]["heap"], 2);
    let (_, document) = json(&["query", "--data", data, "--json", "--status", "infinite"]);
    let heaps = &document["records"][0]["distinct_multiples"];
    assert!(!heaps.as_array().unwrap().is_empty());
}

#[test]
fn impossible_queries_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let nowhere = dir.path().join("nowhere");
    let nowhere = nowhere.to_str().unwrap();
    let missing = error_line(&["query", "--data", nowhere], 1);
    assert!(missing.contains("there is no census"), "{missing}");
    for (arguments, said) in [
        (&["--code", "0.7x?"][..], "`x` is not a digit"),
        (&["--order", "9..3"], "is not a range"),
        (&["--status", "unsolved"], "is not a status"),
        (&["--class", "T_"], "is not a class"),
        (&["--sort", "taste"], "cannot sort by"),
        (&["--tame", "--wild"], "cannot be used with"),
    ] {
        let all = [&["query", "--data", nowhere], arguments].concat();
        let line = error_line(&all, 2);
        assert!(line.contains(said), "{line}");
    }
    let line = error_line(&["query"], 2);
    assert!(line.contains("--data"), "{line}");
    let away = ["query", "--coordinator", "http://127.0.0.1:9"];
    let line = error_line(&away, 1);
    assert!(line.contains("no coordinator answers: "), "{line}");
    for command in ["pause", "resume", "cancel", "status", "workers"] {
        let line = error_line(
            &["census", command, "--coordinator", "http://127.0.0.1:9"],
            1,
        );
        assert!(line.contains("no coordinator answers: "), "{line}");
        assert!(!line.contains("refuses"), "{line}");
        let line = error_line(
            &["census", command, "--coordinator", "http://127.0.0.1:99999"],
            2,
        );
        assert!(line.contains("not an address of a coordinator"), "{line}");
    }
}

/// A census with one long game is queried while it runs: by its directory, and by its coordinator's
/// address.
#[test]
fn a_running_census_is_asked_through_its_coordinator() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("census");
    let data = data.to_str().unwrap();
    let codes = "0.77,4.4,0.75,0.3,4.7,0.56,0.142,0.06";
    let mut coordinator = command(&[
        "coordinator",
        "--listen",
        "127.0.0.1:0",
        "--codes",
        codes,
        "--fuel",
        "100G",
        "--data",
        data,
    ]);
    let _coordinator = Process(coordinator.stdout(Stdio::null()).spawn().unwrap());
    let noted = Path::new(data).join("endpoint");
    let address = loop {
        match std::fs::read_to_string(&noted) {
            Ok(address) if !address.is_empty() => break address,
            _ => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let url = format!("http://{address}");
    let mut worker = command(&["worker", "--coordinator", &url, "--slots", "2"]);
    let _worker = Process(worker.stdout(Stdio::null()).spawn().unwrap());
    let since = Instant::now();
    let asked = [
        "query",
        "--json",
        "--explain",
        "--wild",
        "--status",
        "solved",
    ];
    let document = loop {
        assert!(
            since.elapsed() < Duration::from_secs(60),
            "nothing is found"
        );
        std::thread::sleep(Duration::from_millis(100));
        let output = misere(&[&asked[..], &["--data", data]].concat());
        let Ok(document) = serde_json::from_slice::<Value>(&output.stdout) else {
            continue;
        };
        if document["found"] == 2 {
            break document;
        }
    };
    assert_eq!(document["records"][0]["code"], "0.75");
    assert_eq!(document["records"][0]["name"], "R_8");
    assert_eq!(document["records"][1]["aliases"][0], "4.4");
    assert!(document["known"].as_u64() < document["tasks"].as_u64());

    let (_, told) = json(&[&asked[..], &["--coordinator", &url]].concat());
    assert_eq!(told["records"], document["records"]);
    let (_, count) = text(&["query", "--coordinator", &url, "--code", "0.7?", "--count"]);
    assert_eq!(count, "2\n");
    let (_, lines) = text(&["query", "--coordinator", &url, "--jsonl", "--limit", "1"]);
    assert_eq!(lines.lines().count(), 1);
}

/// A star alone is a game and may have been meant as a pattern; for brackets it is the other way
/// round.
#[test]
fn ambiguous_codes_are_remarked() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("census");
    let data = data.to_str().unwrap();
    let run = [
        "census", "run", "--codes", "0.3,0.7", "--fuel", "1k", "--data", data,
    ];
    assert!(misere(&run).status.success());
    let output = misere(&["query", "--data", data, "--code", "*", "--count"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("the pattern of all codes is `*.*`"), "{said}");
    let output = misere(&["query", "--data", data, "--code", "0.3[03]", "--count"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("0.30[30] for 0.3[03]"), "{said}");
    assert!(
        output.stdout.starts_with(b"1"),
        "0.3, with a zero behind it"
    );
    let (_, counted) = text(&["query", "--data", data, "--code", "*.*", "--count"]);
    assert!(counted.starts_with('2'), "{counted}");
}

/// A census that has a game under another code only names that code.
#[test]
fn a_game_under_another_code_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let data = census(directory.path());
    let output = misere(&["query", "0.137", "--data", &data]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        said,
        "note: 0.137 is the same game as 0.07, which this census has\n"
    );
    let cited = error_line(&["cite", "0.137", "--data", &data], 1);
    assert!(
        cited.ends_with("it has 0.07, the same game: cite that"),
        "{cited}"
    );
    let (_, none) = text(&["query", "0.777", "--data", &data]);
    assert_eq!(none, "no game matches\n");
}

/// The page of a game joins its solution, its other codes, its class and its reference.
#[test]
fn a_game_and_a_class_are_shown_on_one_page() {
    let dir = tempfile::tempdir().unwrap();
    let data = census(dir.path());
    let (exit, shown) = text(&["show", "kayles", "--data", &data]);
    assert_eq!(exit, 0);
    let (_, solved) = text(&["solve", "0.77"]);
    let head: Vec<&str> = solved.lines().take(3).collect();
    assert!(shown.starts_with(&head.join("\n")), "{shown}");
    let (_, digest) = text(&["census", "digest", "--data", &data]);
    for part in [
        "\n  4.4 is 0.77 with every heap one larger\n",
        "\nthe class 40.9.2 in this census\n",
        digest.split_whitespace().next().unwrap(),
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    // Without a census the game is solved, and nothing is said of one.
    let (exit, shown) = text(&["show", "0.77"]);
    assert_eq!(exit, 0);
    assert!(!shown.contains("census"), "{shown}");
    // A game that a budget ended is shown as the census knows it.
    let (exit, shown) = text(&["show", "0.07", "--data", &data, "--fuel", "1"]);
    assert!([0, 3].contains(&exit), "{shown}");
    assert!(shown.contains("to cite it"), "{shown}");

    let (exit, class) = text(&["show", "R_8", "--data", &data]);
    assert_eq!(exit, 0);
    let (_, identified) = text(&["identify", "R_8", "--data", &data]);
    let (_, cited) = text(&["cite", "R_8", "--data", &data, "--format", "text"]);
    assert!(class.starts_with(&identified), "{class}");
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert!(words(&class).ends_with(&words(&cited)), "{class}");
    error_line(&["show", "R_9", "--data", &data], 2);
}
