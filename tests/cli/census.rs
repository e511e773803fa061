//! The messages of `misere census` about the games that it is given.

use crate::cli::command::{error_line, json, misere, text};

#[test]
fn a_plan_needs_games() {
    for command in [
        &["census", "plan"][..],
        &[
            "census", "chunk", "--res", "0", "--mod", "1", "--out", "part",
        ],
    ] {
        let said = error_line(command, 2);
        assert!(
            said.ends_with("error: say which games: --digits N, --codes LIST or --born-by DAY, or which quotients: --space quotients --order N"),
            "{said}"
        );
    }
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().to_str().unwrap();
    let said = error_line(&["census", "run", "--data", data], 2);
    assert!(
        said.ends_with(&format!("(there is no census in {data} to resume)")),
        "{said}"
    );
}

/// A command that reads advises to name a census; only a command that makes one advises to choose
/// an empty directory.
#[test]
fn advice_fits_the_command() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("thesis.tex"), "x").unwrap();
    let data = directory.path().to_str().unwrap();
    for reader in [
        &["query", "--data", data][..],
        &["census", "status", "--data", data],
        &["census", "digest", "--data", data],
        &["report", "summary", "--data", data],
        &["export", "--format", "csv", "--out", "out", "--data", data],
    ] {
        let said = error_line(reader, 1);
        assert!(
            said.contains("there is no census in")
                && said.ends_with("name the directory of a census"),
            "{said}"
        );
    }
    for writer in [
        &["census", "run", "--data", data][..],
        &["census", "run", "--codes", "0.3", "--data", data],
    ] {
        let said = error_line(writer, 1);
        assert!(said.ends_with("choose an empty or new directory"), "{said}");
    }
}

#[test]
fn one_code_is_not_called_codes() {
    let (exit, one) = text(&["census", "plan", "--codes", "0.3"]);
    assert_eq!(exit, 0);
    assert!(
        one.contains("\n1 code, 1 different ruleset; at most 10.0M fuel"),
        "{one}"
    );
    let (_, two) = text(&["census", "plan", "--codes", "0.3,0.77,4.4"]);
    assert!(two.contains("\n3 codes, 2 different rulesets;"), "{two}");
}

/// Day 5 has too many games for one list; `--late` says which of them are meant.
#[test]
fn a_plan_of_day_five_names_its_games() {
    for (late, tasks) in [("0", "44 codes"), ("1", "468 codes"), ("4", "88886 codes")] {
        let (exit, said) = text(&["census", "plan", "--born-by", "5", "--late", late]);
        assert_eq!(exit, 0);
        assert!(said.contains(tasks), "{said}");
    }
    let earlier = error_line(&["census", "plan", "--born-by", "4", "--late", "1"], 2);
    assert!(
        earlier.ends_with(
            "--late belongs to --born-by 5; all games born by an earlier day are listed"
        )
    );
    for wrong in [
        &["census", "plan", "--born-by", "6"][..],
        &["census", "plan", "--born-by", "5", "--late", "14"],
        &["census", "plan", "--late", "1"],
    ] {
        assert_eq!(misere(wrong).status.code(), Some(2), "{wrong:?}");
    }
}

/// A family of codes is a space of its own, is named by its plan, and is run like any other.
#[test]
fn families_of_codes() {
    let directory = tempfile::tempdir().unwrap();
    for (family, digits, count) in [
        ("hexadecimal", "1", 18),
        ("quaternary", "2", 15),
        ("subtraction", "4", 15),
    ] {
        let args = [
            "census", "plan", "--space", family, "--digits", digits, "--json",
        ];
        let (exit, plan) = json(&args);
        assert_eq!(exit, 0);
        assert_eq!(plan["space"]["kind"], family);
        let data = directory.path().join(family);
        let data = data.to_str().unwrap();
        let run = [
            "census", "run", "--space", family, "--digits", digits, "--fuel", "20k", "--data",
            data, "--json",
        ];
        let output = misere(&run);
        assert!(output.status.success(), "{output:?}");
        let ended: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(ended["codes"], count, "{ended}");
    }
    let said = error_line(
        &["census", "plan", "--space", "quaternary", "--digits", "13"],
        2,
    );
    assert!(said.contains("1 to 12 for quaternary codes"), "{said}");
    let said = error_line(&["census", "plan", "--space", "quaternary"], 2);
    assert!(said.contains("need --digits N"), "{said}");
}

/// Every named game, and an example of every kind of rules, enters a census.
#[test]
fn every_kind_of_game_enters_a_census() {
    let directory = tempfile::tempdir().unwrap();
    let rules = directory.path().join("rules.txt");
    std::fs::write(&rules, "1: 0\n2: 1\n3: 2\n4: 3, 2+2\n5:\n6: 1+1+1, 5\n").unwrap();
    let codes = format!(
        "kayles,dawsonskayles,dawsonschess,treblecross,officers,guiles,grundysgame,nim,laskersnim,\
         0.G,0.3F,4?.0,4=.3,8!.0,0.{{0,1,2!}},0.&12;!,0.003[30],0.[3310],0.(3310)^3,\
         subtract(1,2,5),subtract(1-4),subtract(allbut 2),splittles(1,3),splittles(allbut 2),\
         *2#320,{{*2,0}},@{}",
        rules.display()
    );
    let data = directory.path().join("census");
    let data = data.to_str().unwrap();
    let run = [
        "census",
        "run",
        "--codes",
        &codes,
        "--fuel",
        "20k",
        "--max-heap",
        "60",
        "--data",
        data,
        "--json",
    ];
    let output = misere(&run);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    let (_, summary) = json(&["census", "status", "--data", data, "--json"]);
    assert_eq!(summary["quarantined"], 0, "{summary}");
}
