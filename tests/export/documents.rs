//! The lines of a JSON Lines export are certificates under the code requested.

use crate::export::made::{done, export, export_of, lines, names, read};
use misere_game::bipartite::BipartiteMonoid;
use misere_game::solution::Document;
use serde_json::Value;
use std::collections::BTreeMap;

#[test]
fn json_lines_are_certificates() {
    let dir = tempfile::tempdir().unwrap();
    let (out, manifest) = export(dir.path(), "out", &["--format", "jsonl"]);
    let text = read(&out, "rulesets.jsonl");
    let rulesets = lines(&text);
    assert_eq!(rulesets.len(), 9);
    assert_eq!(manifest["counts"]["rulesets"], 9);
    for (at, (document, line)) in rulesets.iter().enumerate() {
        let file = dir.path().join(format!("{at}.json"));
        std::fs::write(&file, line).unwrap();
        done(&["verify", file.to_str().unwrap()]);
        let solution: Document = serde_json::from_str(line).unwrap();
        solution.into_solution().unwrap();
        let aliases = document["aliases"].as_array().unwrap();
        assert_eq!(aliases.is_empty(), document["code"] != "0.77", "{line}");
    }
    let text = read(&out, "classes.jsonl");
    let classes = lines(&text);
    let class_of = |code: &str| {
        let (document, _) = rulesets.iter().find(|(it, _)| it["code"] == code).unwrap();
        document["quotient"]["class"].clone()
    };
    assert_eq!(class_of("0.71"), class_of("0.241"));
    let (shared, _) = classes
        .iter()
        .find(|(it, _)| it["class"] == class_of("0.71"))
        .unwrap();
    let quotient = &shared["quotient"];
    let action = serde_json::from_value(quotient["action"].clone()).unwrap();
    let p_portion: Vec<u32> = serde_json::from_value(quotient["p_portion"].clone()).unwrap();
    let rebuilt = BipartiteMonoid::new(36, action, p_portion).unwrap();
    assert_eq!(rebuilt.class_key().to_string(), shared["class"]);
    let members = shared["members"].as_array().unwrap();
    let members: Vec<&Value> = members.iter().map(|it| &it["code"]).collect();
    assert_eq!(members, ["0.71", "0.241"]);
    // T_3 is a partial quotient only, so the census keeps its key, which determines its name.
    let (tame, _) = classes.iter().find(|(it, _)| it["order"] == 10).unwrap();
    assert!(tame["quotient"].is_null());
    assert_eq!(tame["name"], "T_3");
    // Every partial quotient's class is there, and nothing else.
    let mut met: Vec<&Value> = (rulesets.iter())
        .flat_map(|(it, _)| it["partials"].as_array().unwrap())
        .map(|partial| &partial["class"])
        .collect();
    met.sort_by_key(|class| class.as_str().unwrap());
    met.dedup();
    assert_eq!(
        met,
        classes
            .iter()
            .map(|(it, _)| &it["class"])
            .collect::<Vec<_>>()
    );
}

/// A game that is requested under an alias is written under that code where one line is one code.
#[test]
fn json_lines_are_under_the_code_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let (out, _) = export_of(
        names(),
        dir.path(),
        "out",
        &["--format", "jsonl", "--code", "4.*"],
    );
    let text = read(&out, "rulesets.jsonl");
    let rulesets = lines(&text);
    assert!(rulesets.len() >= 4);
    for (document, line) in &rulesets {
        let code = document["code"].as_str().unwrap();
        assert!(code.starts_with('4'), "{code}");
        let file = dir.path().join(format!("{code}.json"));
        std::fs::write(&file, line).unwrap();
        done(&["verify", file.to_str().unwrap()]);
        let renumberings = document["renumberings"].as_array().unwrap().iter();
        let aliases: Vec<&Value> = renumberings.map(|it| &it["code"]).collect();
        assert!(
            aliases.iter().eq(document["aliases"]
                .as_array()
                .unwrap()
                .iter()
                .collect::<Vec<_>>()
                .iter())
        );
        assert!(aliases.iter().all(|alias| *alias != code));
    }
    let (kayles, _) = rulesets.iter().find(|(it, _)| it["code"] == "4.4").unwrap();
    assert_eq!(
        (&kayles["period"], &kayles["preperiod"]),
        (&12.into(), &72.into())
    );
    let text = read(&out, "classes.jsonl");
    let mut last = BTreeMap::new();
    for (class, _) in lines(&text) {
        for member in class["members"].as_array().unwrap() {
            let range = member["heaps"].as_array().unwrap().last().unwrap().clone();
            last.insert(member["code"].to_string(), range);
        }
    }
    assert!(last.keys().all(|code| code.starts_with("\"4")));
}
