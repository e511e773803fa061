//! The manifest says what is complete, and how sure it is.

use crate::export::made::{census, done, export, misere};
use serde_json::Value;
use std::collections::BTreeMap;

#[test]
fn status_and_manifest_say_what_is_complete_and_how_sure() {
    let dir = tempfile::tempdir().unwrap();
    let status: Value =
        serde_json::from_str(&done(&["census", "status", "--json", "--data", census()])).unwrap();
    let stated = &status["completeness"];
    assert_eq!(stated["complete"], true);
    assert_eq!(stated["plan"]["fuel"], 40_000);
    let known: BTreeMap<&str, (&str, u64)> = (stated["statuses"].as_array().unwrap().iter())
        .map(|it| {
            let text = |name: &str| it[name].as_str().unwrap();
            (
                text("status"),
                (text("knowledge"), it["rulesets"].as_u64().unwrap()),
            )
        })
        .collect();
    assert_eq!(known["solved"], ("proved", 7));
    assert_eq!(known["infinite"], ("proved", 1));
    assert_eq!(known.values().map(|(_, count)| count).sum::<u64>(), 9);

    let text = done(&["census", "status", "--data", census()]);
    for part in [
        "Plan ",
        "Finished: all 9 rulesets",
        "Proved, each by a certificate",
        "Digest ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (_, manifest) = export(dir.path(), "out", &["--format", "gap"]);
    assert_eq!(&manifest["completeness"], stated);
    assert_eq!(manifest["digest"], stated["digest"]);
    assert_eq!(manifest["plan"], stated["plan"]["id"]);
}

/// A census of misère quotients: complete orders are reported as complete, and no others.
#[test]
fn status_says_which_orders_are_complete() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("census");
    let data = data.to_str().unwrap();
    let plan = ["--space", "quotients", "--order", "10"];
    let run = misere(&[&["census", "run", "--data", data], &plan[..]].concat());
    assert!(run.status.success(), "{run:?}");
    let status: Value =
        serde_json::from_str(&done(&["census", "status", "--json", "--data", data])).unwrap();
    let stated = &status["completeness"];
    assert_eq!(
        (&stated["complete"], &stated["tasks"]),
        (&true.into(), &0.into())
    );
    assert_eq!(stated["greatest_order"], 10);
    let orders = stated["orders"].as_array().unwrap().iter();
    let quotients: Vec<_> = orders
        .map(|it| {
            (
                it["order"].as_u64().unwrap(),
                it["quotients"].as_u64().unwrap(),
            )
        })
        .collect();
    // Siegel, Structure and classification, Table 1.
    assert_eq!(quotients, [(2, 1), (4, 0), (6, 1), (8, 1), (10, 1)]);
    let text = done(&["census", "status", "--data", data]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("complete to order 10, 4 of order 2 to 10"),
        "{text}"
    );
    assert!(!text.contains("rulesets of the plan"), "{text}");
}
