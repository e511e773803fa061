//! True atlases are read as they were written, and atlases that contradict themselves are refused.

use std::path::Path;

use misere_algebra::classify::digest::ListDigest;
use misere_game::bipartite::families::by_name;
use serde_json::{Value, json};

use super::{Answer, Atlas, AtlasError, AtlasPlace};

/// Returns an atlas of T_1, T_2, R_8 and S_12 in two censuses.
///
/// They are the octal codes of two digits, one of them without a record, and the games born by day
/// 4.
fn sample() -> Value {
    let named = |name: &str, answers: Value| {
        let quotient = by_name(name).unwrap();
        json!({
            "order": quotient.order(),
            "p_size": quotient.p_size(),
            "name": name,
            "class": quotient.class_key(),
            "answers": answers,
        })
    };
    let whole = |code: &str| json!({ "answer": "whole", "code": code });
    let partial =
        |code: &str, heap: u32| json!({ "answer": "partial", "code": code, "heap": heap });
    let open = |open: u64| json!({ "answer": "open", "open": open });
    let listed = [("T_1", 2), ("T_2", 6), ("R_8", 8), ("S_12", 12)];
    let classes = listed.map(|(name, order)| (order, by_name(name).unwrap().class_key()));
    let digest = "60173f0a351008e0009ad72a0be101e0ae9c005ebed49841e127a34eef5566cf";
    json!({
        "schema": 1,
        "report": "atlas",
        "digest": ListDigest::of_classes(classes).to_string(),
        "complete_orders": { "2": 1, "4": 0, "6": 1, "8": 1 },
        "censuses": [
            {
                "directory": "two",
                "bounds": { "games": "octal", "digits": 2 },
                "completeness": { "tasks": 71, "records": 70, "digest": digest },
            },
            {
                "directory": "day-4",
                "bounds": { "games": "born-by", "day": 4 },
                "completeness": { "tasks": 21, "records": 21, "digest": digest },
            },
        ],
        "entries": [
            named("T_1", json!([whole("0.1"), whole("*")])),
            named("T_2", json!([whole("0.22"), whole("*2")])),
            named("R_8", json!([open(3), { "answer": "none" }])),
            named("S_12", json!([partial("0.26", 11), whole("{{*2},*}")])),
        ],
    })
}

fn read(document: &Value) -> Result<Atlas, AtlasError> {
    let bytes = serde_json::to_vec(document).unwrap();
    Atlas::of_bytes(Path::new("atlas.json"), &bytes)
}

#[test]
fn a_true_atlas_is_read_and_written_alike() {
    let document = sample();
    let atlas = read(&document).unwrap();
    assert_eq!(serde_json::to_value(&atlas).unwrap(), document);
    assert_eq!(atlas.extent(), "4 misère quotients of order 2 to 12");
    assert_eq!(atlas.of_order(8).len(), 1);
    assert_eq!(atlas.of_order(10), []);
    let by = |name: &str| by_name(name).unwrap();
    let look_up = |name: &str| atlas.look_up(&by(name).class_key(), Some(by(name).order()));
    let AtlasPlace::Entry(restive) = look_up("R_8") else {
        panic!("R_8 is listed");
    };
    assert_eq!(restive.answers[1], Answer::None);
    assert!(!restive.is_met());
    assert_eq!(
        atlas.sentences(look_up("R_8")),
        [
            "octal codes of at most 2 digits: open, since 3 of 71 games may have it",
            "finite games born by day 4: none within these bounds",
        ]
    );
    assert_eq!(
        atlas.sentences(look_up("S_12")),
        [
            "octal codes of at most 2 digits: 0.26 to heap 11, and no whole game is known",
            "finite games born by day 4: {{*2},*}",
        ]
    );
    assert_eq!(look_up("T_0"), AtlasPlace::Trivial);
    assert_eq!(look_up("T_3"), AtlasPlace::Beyond);
    // Order 4 is complete, and no quotient has it.
    let unknown = by("T_3").class_key();
    assert_eq!(atlas.look_up(&unknown, Some(4)), AtlasPlace::NoQuotient);
    assert_eq!(atlas.look_up(&unknown, None), AtlasPlace::Beyond);
}

/// Each change makes an atlas that contradicts itself; the error names the place.
#[test]
fn an_atlas_that_contradicts_itself_is_refused() {
    let other = by_name("R_12").unwrap().class_key();
    let changes: [(&str, Value, &str); 24] = [
        ("/schema", json!(2), "version 2"),
        ("/report", json!("table1"), "report `table1`"),
        ("/censuses", json!([]), "no census"),
        (
            "/censuses/0/completeness/records",
            json!(72),
            "extent of census two",
        ),
        (
            "/censuses/0/completeness/digest",
            json!("60173f0a"),
            "extent of census two",
        ),
        ("/entries/0/order", json!(3), "order and size of P"),
        (
            "/entries/0/order",
            json!(4_000_000_000_u32),
            "order and size of P",
        ),
        ("/entries/0/p_size", json!(0), "order and size of P"),
        ("/entries/0/p_size", json!(2), "order and size of P"),
        ("/entries/1/order", json!(14), "another name"),
        ("/entries/3/order", json!(6), "do not ascend"),
        (
            "/entries/3/class",
            sample()["entries"][0]["class"].clone(),
            "listed twice",
        ),
        ("/entries/2/name", json!("T_2"), "another name"),
        ("/entries/2/name", Value::Null, "another name"),
        (
            "/entries/2/answers",
            json!([{ "answer": "none" }]),
            "one answer of each census",
        ),
        (
            "/complete_orders/4",
            json!(1),
            "states 1 quotients of order 4 and lists 0",
        ),
        ("/digest", json!(other), "another list"),
        (
            "/entries/0/answers/0/code",
            json!("0.123"),
            "none of the octal codes",
        ),
        (
            "/entries/0/answers/1/code",
            json!("0.1"),
            "none of the finite games",
        ),
        (
            "/entries/1/answers/0/code",
            json!("0.1"),
            "quotients of 0.1 contradict",
        ),
        (
            "/entries/1/answers/0/code",
            json!("0.26"),
            "quotients of 0.26 contradict",
        ),
        (
            "/entries/2/answers/0/open",
            json!(0),
            "open games of census two",
        ),
        (
            "/entries/2/answers/0/open",
            json!(72),
            "open games of census two",
        ),
        (
            "/entries/2/answers/0",
            json!({ "answer": "none" }),
            "open games of census two",
        ),
    ];
    for (place, value, reason) in changes {
        let mut document = sample();
        *document.pointer_mut(place).unwrap() = value.clone();
        let error = read(&document).unwrap_err();
        assert!(matches!(error, AtlasError::Fault { .. }), "{error}");
        let says = error.to_string();
        assert!(says.contains(reason), "{place} = {value}: {says}");
    }
    // Fewer games are open at a greater order.
    let mut document = sample();
    document["entries"][3]["answers"][0] = json!({ "answer": "open", "open": 2 });
    let says = read(&document).unwrap_err().to_string();
    assert!(says.contains("at order 12"), "{says}");
}

#[test]
fn other_files_are_refused() {
    for (place, value) in [
        ("/entries/0/class", json!("d6a0dbd5")),
        ("/entries/0/answers/0/code", json!("no code")),
        ("/entries/0/answers/0/answer", json!("perhaps")),
        ("/entries/3/answers/0/heap", json!(-1)),
        ("/censuses/0/bounds/games", json!("octopus")),
    ] {
        let mut document = sample();
        *document.pointer_mut(place).unwrap() = value;
        let error = read(&document).unwrap_err();
        assert!(matches!(error, AtlasError::Form { .. }), "{place}: {error}");
    }
    let error = Atlas::of_bytes(Path::new("14.json"), b"{}").unwrap_err();
    assert!(
        error.to_string().contains("`14.json` is not an atlas"),
        "{error}"
    );
}
