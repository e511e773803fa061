//! Reports agree with the census in every format, and are well formed.

use serde_json::Value;

use insta::assert_snapshot;

use crate::cli::command::{error_line, json, misere};
use crate::cli::report_forms::{
    census, document, in_every_format, records, report, typesets, well_formed,
};
use crate::support::transcript::transcript;

#[test]
fn solutions_beside_those_printed() {
    let dir = tempfile::tempdir().unwrap();
    let data = census(
        dir.path(),
        &["--codes", "0.77,4.4,0.123,0.71,0.241,0.75,0.552,0.153,0.07"],
    );
    in_every_format(
        dir.path(),
        "figure2",
        &data,
        &["0.512", "misere census run --codes"],
    );
    in_every_format(dir.path(), "figure7", &data, &[]);

    let two = document("figure2", &data);
    let game = |document: &Value, code: &str| {
        let games = document["games"].as_array().unwrap();
        let found = games.iter().find(|game| game["code"] == code);
        found
            .unwrap_or_else(|| panic!("{code}: {document}"))
            .clone()
    };
    let listed = game(&two, "0.75");
    assert_eq!(listed["comparison"]["same"], true);
    assert_eq!(listed["solution"]["name"], "R_8");
    assert_eq!(listed["in_figure"], true);
    // The period and P of 0.75 as the figure prints them.
    assert_eq!(listed["solution"]["period"], 2);
    assert_eq!(
        listed["solution"]["p_portion"],
        serde_json::json!(["a", "b^2"])
    );
    let beyond = game(&two, "0.552");
    assert_eq!(beyond["in_figure"], false);
    assert_eq!(beyond["solution"]["name"], "R_8");
    assert!(two["missing"].as_array().unwrap().contains(&"0.34".into()));
    // CSV says the same.
    let lines = records(&report("figure2", &data, "csv"));
    let line = lines.iter().find(|line| line["code"] == "0.75").unwrap();
    assert_eq!(
        (
            line["order"].as_str(),
            line["as_printed"].as_str(),
            line["status"].as_str()
        ),
        ("8", "yes", "proved")
    );
    let texts: [&[&str]; 2] = [
        &["report", "figure2", "--data", &data],
        &["report", "summary", "--data", &data],
    ];
    assert_snapshot!(transcript(&texts, &[&data]));

    let three = document("figure3", &data);
    assert_eq!(game(&three, "0.123")["comparison"]["same"], true);
    let four = document("figure4", &data);
    let of_71 = game(&four, "0.241");
    assert_eq!(
        of_71["solution"]["class"],
        game(&four, "0.71")["solution"]["class"]
    );
    assert_eq!(game(&four, "0.153")["in_figure"], false);
    let seven = document("figure7", &data);
    let kayles = game(&seven, "0.77");
    assert_eq!(kayles["comparison"]["heaps"], 94);
    assert_eq!(kayles["aliases"], serde_json::json!(["4.4"]));
    let latex = report("figure7", &data, "latex");
    assert!(latex.contains("\\overline{b^{2}c}"), "{latex}");
    assert!(report("figure7", &data, "html").contains("class=\"period\" title=\"heap 71\""));
}

#[test]
fn games_born_by_day_four_beside_those_printed() {
    let dir = tempfile::tempdir().unwrap();
    let data = census(dir.path(), &["--born-by", "4"]);
    in_every_format(dir.path(), "figure10", &data, &[]);
    in_every_format(dir.path(), "figure11", &data, &[]);
    let games = document("figure11", &data);
    let listed = games["games"].as_array().unwrap();
    assert_eq!(listed.len(), 22);
    assert!(listed.iter().all(|game| game["as_printed"] == true));
    assert_eq!(games["differences"].as_array().unwrap().len(), 0);
    let quotients = document("figure10", &data);
    let names: Vec<&str> = quotients["quotients"]
        .as_array()
        .unwrap()
        .iter()
        .map(|quotient| quotient["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["T_0", "T_1", "T_2", "R_8", "T_3", "S_12", "S'_12", "R_14"]
    );
    for quotient in quotients["quotients"].as_array().unwrap() {
        assert_eq!(
            quotient["solution"]["order"], quotient["printed_order"],
            "{quotient}"
        );
    }
    // A census of other games says what it lacks.
    let other = tempfile::tempdir().unwrap();
    let data = census(other.path(), &["--codes", "0.(3310)^1,0.(3310)^3,0.3"]);
    let text = report("figure11", &data, "text");
    assert!(text.contains("--born-by 4"), "{text}");
    in_every_format(other.path(), "table3310", &data, &["0.(3310)^2"]);
    let rows = document("table3310", &data);
    let rows = rows["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 5);
    assert_eq!(
        (&rows[2]["order"], &rows[2]["period"]),
        (&226.into(), &11.into())
    );
    let agree: Vec<&Value> = rows.iter().map(|row| &row["as_printed"]).collect();
    assert_eq!(
        agree,
        [
            &true.into(),
            &Value::Null,
            &true.into(),
            &Value::Null,
            &Value::Null
        ]
    );
}

/// One certificate about six games of day 4 decides every game that is above them; games that were
/// not computed are counted as such.
#[test]
fn games_born_by_day_five_above_one_set() {
    let dir = tempfile::tempdir().unwrap();
    let games = "{{*2},0},{{{*2},*2,*},{{*2},0}},{{{*2}},*},0.3";
    let data = census(dir.path(), &["--codes", games]);
    in_every_format(dir.path(), "day5", &data, &[]);
    let born = document("day5", &data);
    let all = &born["all"];
    assert_eq!(all["games"], 4_171_780);
    assert_eq!(all["infinite_by_followers"], 1_044_480);
    let solved = all["finite"].as_u64().unwrap() + all["infinite_by_itself"].as_u64().unwrap();
    let computed = solved + all["open"].as_u64().unwrap();
    assert_eq!(computed, 3, "{all}");
    assert_eq!(all["not_computed"], 4_171_780 - 1_044_480 - 3);
    let sets = born["infinite_sets"].as_array().unwrap();
    assert_eq!(sets.len(), 1);
    assert_eq!(sets[0]["game"], "{{{*2},*2,*},{{*2},0}}");
    assert_eq!(
        (&sets[0]["size"], &sets[0]["above"]),
        (&6.into(), &1_044_480.into())
    );
    let quotients = born["quotients"].as_array().unwrap();
    let restive = quotients.iter().find(|one| one["name"] == "R_14").unwrap();
    assert_eq!(
        (&restive["least"], &restive["p_size"]),
        (&"{{*2},0}".into(), &4.into())
    );
    assert_eq!(restive["normal"], true);
    // Without any finite game only the quotient of 0 is known.
    let other = tempfile::tempdir().unwrap();
    let data = census(other.path(), &["--codes", "0.3"]);
    let all = &document("day5", &data)["all"];
    assert_eq!(
        (&all["finite"], &all["not_computed"]),
        (&1.into(), &4_171_779.into())
    );
}

/// A game that one census leaves open and another one proves is proved; one that both prove counts
/// once.
#[test]
fn games_born_by_day_five_in_two_censuses() {
    let dir = tempfile::tempdir().unwrap();
    let set = "{{{*2},*2,*},{{*2},0}}";
    let made = |name: &str, games: &[&str]| census(&dir.path().join(name), games);
    let games = format!("{{{{*2}},0}},{{{{*2}},*}},{set}");
    let few = made(
        "few",
        &["--codes", &games, "--fuel", "10k", "--evidence", "0"],
    );
    let many = made("many", &["--codes", &format!("{{{{*2}},0}},{set}")]);
    let together = |data: &[&str]| {
        let mut args = vec!["report", "day5", "--json"];
        data.iter().for_each(|data| args.extend(["--data", data]));
        json(&args).1
    };
    let alone = &together(&[&few])["all"];
    assert_eq!((&alone["open"], &alone["finite"]), (&1.into(), &3.into()));
    let both = together(&[&few, &many]);
    let all = &both["all"];
    assert_eq!((&all["open"], &all["finite"]), (&0.into(), &3.into()));
    assert_eq!(all["infinite_by_followers"], 1_044_480);
    let quotients = both["quotients"].as_array().unwrap();
    assert!(
        quotients.iter().all(|one| one["games"] == 1),
        "{quotients:?}"
    );
    let sentences = both["provenance"]["sentences"].to_string();
    let (_, other) = json(&["census", "digest", "--data", &many, "--json"]);
    assert!(sentences.contains(other["digest"].as_str().unwrap()));
    assert_eq!(together(&[&many, &few])["all"], *all);
}

/// The atlas names the games that a query finds, and says "none" only where every game excludes the
/// quotient.
#[test]
fn least_games_of_small_quotients() {
    let dir = tempfile::tempdir().unwrap();
    let list = dir.path().join("14.json");
    let classified = misere(&["classify", "--order", "14", "--json"]);
    std::fs::write(&list, classified.stdout).unwrap();
    let list = list.to_str().unwrap();
    // Tame games alone: all are solved, and none has a wild quotient.
    let tame = tempfile::tempdir().unwrap();
    let tame = census(tame.path(), &["--codes", "0.3,0.33,0.137"]);
    // 0.26 grows: quotients that its partial quotients do not show are open, up to their greatest
    // order.
    let wild = census(
        dir.path(),
        &["--codes", "0.75,0.26,0.123", "--max-heap", "60"],
    );
    let atlas = |data: &[&str]| {
        let mut args = vec!["report", "atlas", "--list", list, "--json"];
        data.iter().for_each(|data| args.extend(["--data", data]));
        let (exit, document) = json(&args);
        assert_eq!(exit, 0, "{document}");
        document
    };
    let both = atlas(&[&tame, &wild]);
    let entries = both["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 22);
    for entry in entries {
        for (data, answer) in [&tame, &wild]
            .into_iter()
            .zip(entry["answers"].as_array().unwrap())
        {
            let class = entry["class"].as_str().unwrap();
            let (_, found) = json(&[
                "query", "--data", data, "--class", class, "--status", "solved", "--json",
            ]);
            let first = found["records"].get(0).map(|game| game["code"].clone());
            match answer["answer"].as_str().unwrap() {
                "whole" => assert_eq!(Some(answer["code"].clone()), first),
                _ => assert_eq!(first, None, "{entry}"),
            }
        }
    }
    let of = |name: &str| entries.iter().find(|one| one["name"] == name).unwrap();
    assert_eq!(of("T_1")["answers"][0]["code"], "0.3");
    assert_eq!(of("R_8")["answers"][0]["answer"], "none");
    assert_eq!(of("R_8")["answers"][1]["code"], "0.75");
    // 0.26 goes past order 14 before heap 60 and excludes R_14. To heap 4 it excludes nothing.
    assert_eq!(of("R_14")["answers"][1]["answer"], "none");
    let open = tempfile::tempdir().unwrap();
    let open = census(open.path(), &["--codes", "0.26", "--max-heap", "4"]);
    // The partial quotient of order 12 before the infinite one is the last finite one.
    let infinite = tempfile::tempdir().unwrap();
    let infinite = census(infinite.path(), &["--codes", "0.310012"]);
    let both = atlas(&[&open, &infinite]);
    let entries = both["entries"].as_array().unwrap();
    let restive = entries.iter().find(|one| one["name"] == "R_14").unwrap();
    assert_eq!(restive["answers"][0]["open"], 1, "{restive}");
    assert_eq!(restive["answers"][1]["answer"], "none", "{restive}");
    let last = entries.iter().find(|one| one["name"] == "S_12").unwrap();
    assert_eq!(last["answers"][1]["answer"], "partial", "{last}");
    assert_eq!(last["answers"][1]["code"], "0.310012");
}

/// The later partial quotients of a game that is tame relative to a heap are tame extensions, so
/// all other quotients are excluded.
#[test]
fn tame_extensions_exclude_other_quotients() {
    let dir = tempfile::tempdir().unwrap();
    let list = dir.path().join("18.json");
    let classified = misere(&["classify", "--order", "18", "--json"]);
    std::fs::write(&list, classified.stdout).unwrap();
    let open_of_order = |codes: &str| {
        let data = tempfile::tempdir().unwrap();
        let data = census(data.path(), &["--codes", codes, "--max-heap", "300"]);
        let list = list.to_str().unwrap();
        let (exit, document) =
            json(&["report", "atlas", "--list", list, "--json", "--data", &data]);
        assert_eq!(exit, 0, "{document}");
        let mut open = std::collections::BTreeMap::new();
        for entry in document["entries"].as_array().unwrap() {
            let is_open = entry["answers"][0]["answer"] == "open";
            *open.entry(entry["order"].as_u64().unwrap()).or_insert(0) += u32::from(is_open);
        }
        open
    };
    // After T_3, of order 10, the game 0.56 has T_4, of order 18, at a heap that is not listed.
    let alone = open_of_order("0.56");
    assert_eq!((alone[&12], alone[&14], alone[&16]), (0, 0, 0));
    assert_eq!(alone[&18], 226);
    // 0.7107 is solved and has T_4, so the other quotients of order 18 are excluded for both games.
    assert!(open_of_order("0.56,0.7107").values().all(|&open| open == 0));
}

#[test]
fn the_summary_counts() {
    let dir = tempfile::tempdir().unwrap();
    let data = census(dir.path(), &["--codes", "0.77,0.3,0.005,0.26,0.123,0.1231"]);
    in_every_format(dir.path(), "summary", &data, &[]);
    let summary = document("summary", &data);
    assert_eq!(summary["infinite"]["rulesets"], 1);
    assert_eq!(summary["by_law"]["rulesets"], 1);
    assert_eq!(summary["law_games"][0]["code"], "0.26");
    assert_eq!(
        summary["orders"],
        serde_json::json!([
            { "order": 2, "rulesets": 1, "classes": 1 },
            { "order": 20, "rulesets": summary["wild"]["rulesets"].as_u64().unwrap() - 1, "classes": 1 },
            { "order": 40, "rulesets": 1, "classes": 1 },
        ])
    );
    let budgets = summary["budgets"].as_array().unwrap();
    let last = budgets.last().unwrap();
    assert_eq!(last["fuel"], 3_000_000);
    assert_eq!(last["solved"], summary["solved"]["rulesets"]);
    let lines = records(&report("summary", &data, "csv"));
    let of = |table: &str, of: &str, counted: &str| {
        let is_meant = |line: &&std::collections::BTreeMap<String, String>| {
            line["table"] == table && line["of"] == of && line["counted"] == counted
        };
        lines.iter().find(is_meant).unwrap()["number"].clone()
    };
    assert_eq!(
        of("status", "solved", "rulesets"),
        summary["solved"]["rulesets"].to_string()
    );
    assert_eq!(of("order of solved games", "40", "classes"), "1");
    let text = report("summary", &data, "text");
    assert!(text.contains("Wild games solved"), "{text}");
}

#[test]
fn infinite_quotients_and_why_others_are_not_proved() {
    let dir = tempfile::tempdir().unwrap();
    let data = census(dir.path(), &["--codes", "0.005,0.31011,0.07,0.77,0.61"]);
    in_every_format(dir.path(), "infinite", &data, &[]);
    let document = document("infinite", &data);
    assert_eq!(document["infinite"]["all"]["rulesets"], 2);
    assert_eq!(document["diverging"]["all"]["rulesets"], 2);
    let games = document["infinite"]["games"].as_array().unwrap();
    assert_eq!(games[0]["code"], "0.005");
    assert_eq!(games[0]["letters"], serde_json::json!([3, 7, 13, 17, 18]));
    assert_eq!(games[0]["digits"], serde_json::json!([13, 18]));
    assert_eq!(
        (&games[0]["columns"], &games[0]["states"]),
        (&36.into(), &19.into())
    );
    let lines = records(&report("infinite", &data, "csv"));
    let unproved: Vec<(&str, &str)> = lines
        .iter()
        .filter(|line| line["status"] == "diverges")
        .map(|line| (line["code"].as_str(), line["reason"].as_str()))
        .collect();
    let said = document["diverging"]["games"].as_array().unwrap().iter();
    let said: Vec<(&str, &str)> = said
        .map(|game| {
            (
                game["code"].as_str().unwrap(),
                game["reason"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(unproved, said);
    assert_snapshot!(transcript(
        &[&["report", "infinite", "--data", &data]],
        &[&data]
    ));
    // A query finds the games by the reason.
    for (code, reason) in said {
        let (_, found) = json(&["query", "--data", &data, "--reason", reason, "--json"]);
        let found = found["records"].as_array().unwrap();
        assert!(found.iter().any(|record| record["code"] == code), "{code}");
        assert!(found.iter().all(|record| record["reason"] == reason));
    }
    let misnamed = misere(&["query", "--data", &data, "--reason", "letter"]);
    assert_eq!(misnamed.status.code(), Some(2));
}

#[test]
fn laws_and_why_there_is_none() {
    let dir = tempfile::tempdir().unwrap();
    let games = "0.26,0.27,0.35,0.54,0.123";
    let games = ["--codes", games, "--max-heap", "125", "--fuel", "10M"];
    let data = census(dir.path(), &games);
    in_every_format(dir.path(), "laws", &data, &[]);
    let laws = document("laws", &data);
    let of_026 = &laws["solved"][0];
    assert_eq!(
        (&of_026["code"], &of_026["infinite"]),
        (&"0.26".into(), &true.into())
    );
    assert_eq!(
        (&of_026["repeats_from"], &of_026["period"]),
        (&13.into(), &4.into())
    );
    assert_eq!(of_026["law"]["heaps"][12]["threshold"], 3);
    let of_054 = &laws["automata"][0];
    assert_eq!(
        (&of_054["code"], &of_054["infinite"], &of_054["states"]),
        (&"0.54".into(), &true.into(), &253.into())
    );
    assert_eq!(of_054["automaton"]["heap"].as_array().unwrap().len(), 253);
    let unsolved = &laws["unsolved"][0];
    assert_eq!(unsolved["code"], "0.35");
    let why = unsolved["why"].as_str().unwrap();
    assert!(why.contains("more than 512 states"), "{why}");
    let csv = records(&report("laws", &data, "csv"));
    assert_eq!(csv.len(), of_026["law"]["heaps"].as_array().unwrap().len());
    let found = |conditions: &[&str]| {
        let (exit, lines) = crate::cli::command::text(
            &[&["query", "--data", &data, "--jsonl"], conditions].concat(),
        );
        assert_eq!(exit, 0);
        lines.lines().count()
    };
    assert_eq!(found(&["--status", "solved"]), 3);
    assert_eq!(found(&["--automaton", "7"]), 1);
    assert_eq!((found(&["--law", "1.."]), found(&["--law", "5.."])), (1, 0));
    assert_eq!(found(&["--status", "grows"]), 1);
    // Games without a law, and no games at all.
    let none = census(&dir.path().join("none"), &["--codes", "0.123"]);
    let text = report("laws", &none, "text");
    assert!(text.contains("No game is solved by a law."), "{text}");
}

#[test]
fn genera_beside_those_published() {
    let dir = tempfile::tempdir().unwrap();
    let data = census(dir.path(), &["--codes", "0.77,0.123,0.3,{*2,0}"]);
    in_every_format(dir.path(), "genus", &data, &[]);
    let genera = document("genus", &data);
    let game = |code: &str| {
        let mut games = genera["games"].as_array().unwrap().iter();
        games.find(|game| game["code"] == code).unwrap()
    };
    assert_eq!(game("0.123")["first_not_tame"], 8);
    assert_eq!(game("0.123")["class_of_first"], "restless");
    assert_eq!(game("0.123")["genera"][8], "2^1420");
    assert_eq!(game("0.77")["first_not_tame"], 5);
    assert_eq!(game("0.77")["genera"].as_array().unwrap().len(), 33);
    assert_eq!(game("0.3")["first_not_tame"], Value::Null);
    assert!(genera["published"]["compared"].as_u64() > Some(60));
    assert_eq!(genera["published"]["different"], serde_json::json!([]));
    let csv = records(&report("genus", &data, "csv"));
    let eight = csv
        .iter()
        .find(|line| line["code"] == "0.123" && line["heap"] == "8");
    let eight = eight.unwrap();
    assert_eq!(
        (&*eight["genus"], &*eight["published"]),
        ("2^1420", "2^1420")
    );
    let text = report("genus", &data, "text");
    assert!(
        text.contains("published genera of these games agree."),
        "{text}"
    );
}

#[test]
fn pictures_of_quotients_and_of_growth() {
    let dir = tempfile::tempdir().unwrap();
    let data = census(dir.path(), &["--codes", "0.123,0.26"]);
    let picture = |arguments: &[&str]| {
        let output = misere(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        let svg = String::from_utf8(output.stdout).unwrap();
        roxmltree::Document::parse(&svg).unwrap();
        svg
    };
    let solved = picture(&["report", "cayley", "0.123"]);
    let stored = picture(&["report", "cayley", "0.123", "--data", &data]);
    // The same picture; only its source is stated differently.
    let drawn = |svg: &str| svg.split("-->").last().unwrap().to_owned();
    assert_eq!(drawn(&solved), drawn(&stored));
    assert!(solved.contains("No census") && stored.contains("Digest"));
    assert!(picture(&["report", "idempotents", "R_8"]).contains("ℤ₂²"));
    let (_, table) = json(&["report", "cayley", "0.123", "--data", &data, "--json"]);
    assert_eq!((&table["order"], &table["p_size"]), (&20.into(), &5.into()));
    let (_, key) = json(&["report", "growth", "0.123", "--data", &data, "--json"]);
    let class = key["partials"].as_array().unwrap().last().unwrap()["class"]
        .as_str()
        .unwrap()
        .to_owned();
    let by_class = picture(&["report", "cayley", &class, "--data", &data]);
    assert!(by_class.contains("order 20, 5 in P"));
    let csv = misere(&["report", "cayley", "0.123", "--format", "csv"]);
    let lines = records(&String::from_utf8(csv.stdout).unwrap());
    assert_eq!(lines.len(), 20 * 4);
    let action = table["action"].as_array().unwrap();
    for line in &lines {
        let (x, y): (usize, u64) = (
            line["element"].parse().unwrap(),
            line["leads_to"].parse().unwrap(),
        );
        let g = usize::from(line["generator"].as_bytes()[0] - b'a');
        assert_eq!(action[g][x], y);
    }
    let growing = picture(&["report", "growth", "0.26", "--data", &data]);
    assert!(growing.contains("solved by a law (proved)"), "{growing}");
    for format in ["text", "html", "latex"] {
        let output = misere(&[
            "report", "growth", "0.26", "--data", &data, "--format", format,
        ]);
        let text = String::from_utf8(output.stdout).unwrap();
        match format {
            "html" => well_formed(&text),
            "latex" => typesets(dir.path(), &text),
            _ => assert!(text.contains("heap")),
        }
    }

    let file = dir.path().join("r8.svg");
    let out = misere(&["report", "cayley", "R_8", "--out", file.to_str().unwrap()]);
    assert!(out.status.success() && out.stdout.is_empty());
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("<svg"));

    error_line(&["report", "cayley", &class], 1);
    error_line(&["report", "cayley", "0.77", "--data", &data], 1);
    error_line(&["report", "cayley", "no game"], 2);
    // Everything that `identify` accepts: all names, the digits of a key that tables print,
    // presentations.
    for what in [
        "R_14",
        "S_12",
        "t3",
        "<a,b | a^2=1, b^3=b> P={a,b^2}",
        &class[..8],
    ] {
        let drawn = picture(&["report", "cayley", what, "--data", &data]);
        assert!(drawn.contains("<svg"), "{what}");
    }
}
