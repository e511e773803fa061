//! `misere solve --normal` prints nim-values and their period, and writes certificates.

use serde_json::{Value, json as value};

use crate::cli::command::{error_line, json, misere, text};

#[test]
fn normal_play() {
    let (exit, play) = json(&["solve", "0.77", "--normal", "--json"]);
    assert_eq!(exit, 0);
    assert_eq!(
        (&play["convention"], &play["status"]),
        (&value!("normal"), &value!("solved"))
    );
    assert_eq!(
        (&play["period"], &play["preperiod"], &play["heaps"]),
        (&value!(12), &value!(71), &value!(154))
    );
    let (exit, play) = json(&["solve", "nim", "--normal", "--max-heap", "50", "--json"]);
    assert_eq!((exit, &play["status"]), (0, &value!("solved")));
    assert_eq!(play["period"], Value::Null);
    let grows = &play["arithmetic_period"];
    assert_eq!(
        (&grows["period"], &grows["saltus"]),
        (&value!(1), &value!(1))
    );
    assert_eq!(play["nim_values"].as_array().unwrap().len(), 51);
    let (exit, play) = json(&["solve", "0.007", "--normal", "--max-heap", "200", "--json"]);
    assert_eq!((exit, &play["limit"]), (3, &value!("max-heap")));
    assert_eq!(play["nim_values"].as_array().unwrap().len(), 201);
}

#[test]
fn normal_play_of_many_heaps() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str| dir.path().join(name).display().to_string();
    let (certificate, checkpoint) = (file("156.json"), file("156.state"));
    let solve = ["solve", "0.156", "--normal", "--checkpoint", &checkpoint];
    // Too little fuel, and then the rest.
    let few: Vec<&str> = solve
        .iter()
        .copied()
        .chain(["--max-heap", "2000", "--json"])
        .collect();
    let (exit, play) = json(&few);
    assert_eq!((exit, &play["limit"]), (3, &value!("max-heap")));
    assert_eq!(play["heaps"], 2000);
    // Values known to a heap are verified, too.
    let short = file("short.json");
    std::fs::write(&short, play.to_string()).unwrap();
    let (exit, said) = text(&["verify", &short]);
    assert_eq!(exit, 0, "{said}");
    assert!(said.contains("0.156 exhausted in normal play"), "{said}");
    assert_eq!(play["nim_values"].as_array().unwrap().len(), 2001);
    let rest = ["--max-heap", "9000", "--json", "--out", &certificate];
    let all: Vec<&str> = solve.iter().copied().chain(rest).collect();
    let output = misere(&all);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("going on from heap 2000"), "{told}");
    let play: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&play["period"], &play["preperiod"], &play["heaps"]),
        (&value!(349), &value!(3479), &value!(4187))
    );
    let (exit, said) = text(&["verify", &certificate]);
    assert_eq!(exit, 0, "{said}");
    assert!(said.contains("0.156 solved in normal play"), "{said}");
    let forged = std::fs::read_to_string(&certificate).unwrap();
    let forged = forged.replace("\"period\":349", "\"period\":348");
    std::fs::write(&certificate, forged).unwrap();
    let (exit, said) = text(&["verify", &certificate]);
    assert_eq!(exit, 5, "{said}");
    // Moves that leave three heaps have no sparse space.
    let three = ["solve", "0.8", "--normal", "--checkpoint", &file("three")];
    error_line(&three, 2);
    error_line(&["solve", "0.8", "--normal", "--max-heap", "2000000"], 1);
    let three = ["solve", "0.8", "--normal", "--out", &certificate, "--force"];
    let (exit, said) = text(&three);
    assert!(exit == 0 && said.contains("arithmetic period 3"), "{said}");
    let (exit, said) = text(&["verify", &certificate]);
    assert_eq!(exit, 0, "{said}");
    let forged = std::fs::read_to_string(&certificate).unwrap();
    let forged = forged.replace("\"saltus\":1", "\"saltus\":2");
    std::fs::write(&certificate, forged).unwrap();
    let (exit, said) = text(&["verify", &certificate]);
    assert_eq!(exit, 5, "{said}");
    error_line(
        &["solve", "0.77", "--normal", "--checkpoint", &checkpoint],
        1,
    );
}
