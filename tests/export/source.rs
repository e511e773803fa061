//! The source for GAP and Sage gives the outcomes by the rules.

use crate::export::made::{codes_of_names, export_of, names, read};
use misere_game::bipartite::BipartiteMonoid;
use misere_game::bipartite::multiplication::Multiplication;
use misere_game::control::Control;
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::ruleset::Code;
use serde_json::Value;
use std::collections::BTreeMap;

/// Returns the data of a source file: its monoids, games and aliases in their order.
///
/// Each entry has its kind and its fields.
fn data(text: &str) -> Vec<(&'static str, BTreeMap<String, String>)> {
    let mut found: Vec<(&'static str, BTreeMap<String, String>)> = Vec::new();
    let mut open: Option<String> = None;
    for line in text.lines() {
        let kind = match line {
            "MONOIDS.append(MisereQuotient(" | "Add(MisereMonoids, rec(" => Some("monoid"),
            "add_game(" | "MisereAddGame(rec(" => Some("game"),
            "add_alias(" | "MisereAddAlias(rec(" => Some("alias"),
            _ => None,
        };
        if let Some(kind) = kind {
            found.push((kind, BTreeMap::new()));
            open = Some(String::new());
        } else if line.starts_with(')') {
            open = None;
        } else if let (Some(name), Some((_, fields))) = (&mut open, found.last_mut()) {
            let field = line.split_once(" := ").or_else(|| line.split_once('='));
            match field.filter(|_| !line.starts_with("    [")) {
                Some((field, value))
                    if field.trim().chars().all(|c| c.is_alphabetic() || c == '_') =>
                {
                    *name = field.trim().to_owned();
                    fields.insert(name.clone(), value.to_owned());
                }
                _ => fields.get_mut(name).unwrap().push_str(line),
            }
        }
    }
    found
}

/// Reads a value as both languages write it.
fn value(fields: &BTreeMap<String, String>, name: &str) -> Value {
    let text = fields[name].trim_end_matches(',');
    match text {
        "None" | "fail" => Value::Null,
        text => {
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"))
        }
    }
}

fn numbers(value: &Value) -> Vec<u32> {
    serde_json::from_value(value.clone()).unwrap()
}

/// Returns the live heap of `to` that has the place of a live heap of `from`; none for a dead heap.
fn same_heap(from: &Value, to: &Value, heap: u32) -> Option<u32> {
    let (listed, other) = (numbers(&from[1]), numbers(&to[1]));
    let is_listed = listed.contains(&heap);
    let before = |heaps: &[u32], heap: u32| heaps.iter().filter(|&&it| it < heap).count() as u32;
    let place = match from[0].as_str().unwrap() {
        "only" => is_listed.then(|| before(&listed, heap)),
        _ => (heap > 0 && !is_listed).then(|| heap - 1 - before(&listed, heap)),
    }?;
    match to[0].as_str().unwrap() {
        "only" => other.get(place as usize).copied(),
        _ => (1..)
            .filter(|heap| !other.contains(heap))
            .nth(place as usize),
    }
}

/// The GAP and Sage source of every code, against the definition of outcomes.
#[test]
fn source_tells_the_outcomes_of_every_code() {
    let dir = tempfile::tempdir().unwrap();
    let mut statuses = std::collections::BTreeSet::new();
    for (format, file, first) in [("sage", "monoids.py", 0), ("gap", "monoids.g", 1)] {
        let (out, _) = export_of(names(), dir.path(), format, &["--format", format]);
        let text = read(&out, file);
        let mut codes = Vec::new();
        let mut monoid = None;
        let mut games: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        let (mut compared, mut periodic) = (0, 0);
        for (kind, fields) in data(&text) {
            if kind == "monoid" {
                let action = value(&fields, "action");
                let rows = action.as_array().unwrap().iter();
                let less = |row: Vec<u32>| row.into_iter().map(|x| x - first).collect();
                let action = rows.map(|row| less(numbers(row))).collect();
                let in_p = if format == "gap" {
                    "pPortion"
                } else {
                    "p_portion"
                };
                let in_p: Vec<u32> = less(numbers(&value(&fields, in_p)));
                let order = value(&fields, "order").as_u64().unwrap() as usize;
                let quotient = BipartiteMonoid::new(order, action, in_p).unwrap();
                monoid = Some(quotient);
                continue;
            }
            let code = value(&fields, "code").as_str().unwrap().to_owned();
            let kept = match kind {
                "game" => code.clone(),
                _ => {
                    let name = if format == "gap" { "kept" } else { "of" };
                    value(&fields, name).as_str().unwrap().to_owned()
                }
            };
            if kind == "game" {
                statuses.insert(value(&fields, "status").as_str().unwrap().to_owned());
                games.insert(code.clone(), fields.clone());
            }
            let game = &games[&kept];
            let quotient = monoid.as_ref().unwrap();
            let times = Multiplication::new(quotient);
            let phi = numbers(&value(game, "phi"));
            let (live, kept_live) = (value(&fields, "live"), value(game, "live"));
            let repeats = value(game, "period").as_u64().map(|period| {
                let preperiod = value(game, "preperiod").as_u64().unwrap();
                (preperiod as u32, period as u32)
            });
            let element = |heap: u32| {
                let Some(heap) = same_heap(&live, &kept_live, heap) else {
                    return Some(0);
                };
                let heap = match repeats {
                    Some((from, period)) if heap >= from => from + (heap - from) % period,
                    _ => heap,
                };
                phi.get(heap as usize).map(|x| x - first)
            };
            let known = value(&fields, "heaps").as_u64().unwrap() as u32;
            assert!((0..=known).all(|heap| element(heap).is_some()), "{code}");
            let code: Code = code.parse().unwrap();
            let mut oracle = Oracle::new(&code, Convention::Misere);
            for position in positions(14) {
                let values: Option<Vec<u32>> = position.iter().map(|&heap| element(heap)).collect();
                let Some(values) = values else { continue };
                let product = values.iter().fold(0, |x, &y| times.row(x)[y as usize]);
                let told = if quotient.in_p(product) {
                    Outcome::P
                } else {
                    Outcome::N
                };
                let outcome = oracle
                    .outcome(&position, &mut Control::unlimited())
                    .unwrap();
                assert_eq!(told, outcome, "{code} {position:?}");
                compared += 1;
            }
            // Under an alias the preperiod is that of the alias.
            if let (Some((_, period)), Some(preperiod)) =
                (repeats, value(&fields, "preperiod").as_u64())
            {
                let preperiod = preperiod as u32;
                assert!((preperiod..preperiod + 100).all(|n| element(n) == element(n + period)));
                assert!(
                    preperiod == 0 || element(preperiod - 1) != element(preperiod - 1 + period),
                    "{code}"
                );
                periodic += 1;
            }
            codes.push(code.to_string());
        }
        codes.sort();
        let mut asked = codes_of_names();
        asked.sort();
        assert_eq!(codes, asked);
        assert!(compared > 4000 && periodic > 20, "{compared} {periodic}");
    }
    assert!(statuses.len() >= 4, "{statuses:?}");
}

/// Returns positions of at most three heaps with at most `beans` beans, and some larger single
/// heaps.
fn positions(beans: u32) -> Vec<Vec<u32>> {
    let mut positions: Vec<Vec<u32>> = (beans..20).map(|heap| vec![heap]).collect();
    for one in 0..=beans {
        for two in 0..=one.min(beans - one) {
            for three in 0..=two.min(beans - one - two) {
                positions.push(vec![one, two, three]);
            }
        }
    }
    positions
}
