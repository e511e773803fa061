//! `misere query`, judged for each code: as text, as JSON, and for numbers.

use serde_json::Value;

use crate::truth::compared::Surface;
use crate::truth::plan::Census;
use crate::truth::record;
use crate::truth::rules;
use crate::truth::witnesses::Truth;
use crate::truth::words::number_after;

const STATUSES: [&str; 6] = [
    "solved",
    "tame-relative",
    "infinite",
    "diverges",
    "grows",
    "exhausted",
];

pub(crate) fn judge(census: &Census) -> Vec<Surface> {
    let mut documents = Surface::new("query --code X --json", 17);
    let mut lines = Surface::new("query --code X", 8);
    let mut conditions = Surface::new("query, by the numbers of X", 2);
    for truth in &census.truths {
        let code = truth.code.to_string();
        let said = census.json(&["query", "--json", "--code", &code]);
        documents.same(&truth.code, "games found", records(&said).len(), 1);
        if let [record] = records(&said) {
            record::judge(&mut documents, truth, record);
            judge_conditions(&mut conditions, census, truth, record);
        }
        judge_line(&mut lines, truth, &census.text(&["query", "--code", &code]));
    }
    let json_lines = all_as_json_lines(census);
    vec![documents, lines, conditions, json_lines]
}

fn records(said: &Value) -> &[Value] {
    said["records"].as_array().unwrap()
}

/// Judges all games at once, each as the census keeps it.
fn all_as_json_lines(census: &Census) -> Surface {
    let mut surface = Surface::new("query --jsonl", 15);
    for line in census.text(&["query", "--jsonl"]).lines() {
        let said: Value = serde_json::from_str(line).unwrap();
        let truth = census.truth(said["code"].as_str().unwrap()).unwrap();
        record::judge(&mut surface, truth, &said);
    }
    surface
}

/// Checks that a query for a code's own numbers finds it, and a query for others does not.
fn judge_conditions(surface: &mut Surface, census: &Census, truth: &Truth, record: &Value) {
    let code = truth.code.to_string();
    let known = record::number(&record["heaps"]).unwrap();
    let status = record["status"].as_str().unwrap();
    let diverges = truth
        .diverges_at()
        .filter(|_| status.starts_with(['d', 'i']));
    let (period, preperiod) = truth.period().unzip();
    let relative = truth.tame_relative().filter(|_| status == "tame-relative");
    let changes = truth.partials_to(known).last().map(|at| at.heap);
    let numbers = [
        ("--period", period),
        ("--preperiod", preperiod),
        ("--diverges-at", diverges),
        ("--wild-from", truth.wild_from(known)),
        ("--tame-relative-from", relative),
        ("--changes-at", changes),
        ("--first-not-tame", truth.first_not_tame),
    ];
    let mut asked = vec![
        "query".to_owned(),
        "--count".to_owned(),
        "--code".to_owned(),
    ];
    asked.push(code);
    let found = |more: &[String]| {
        let args: Vec<&str> = asked.iter().chain(more).map(String::as_str).collect();
        census.text(&args).trim().to_owned()
    };
    let has = |name: &str, number: u32| [name.to_owned(), number.to_string()];
    let given = numbers.iter();
    let given: Vec<(&str, u32)> = given.filter_map(|&(name, it)| Some((name, it?))).collect();
    let all: Vec<String> = given.iter().flat_map(|&(name, it)| has(name, it)).collect();
    surface.same(
        &truth.code,
        &format!("found by {all:?}"),
        found(&all),
        "1".to_owned(),
    );
    // The numbers of its neighbours are those that another numbering would give.
    let fixed = ["--period"];
    for &(name, it) in given
        .iter()
        .filter(|(name, _)| !fixed.contains(name))
        .take(1)
    {
        let changes = truth.partials_to(known);
        let is_true = |it: u32| name == "--changes-at" && changes.iter().any(|at| at.heap == it);
        let neighbours = [it + 1, it.saturating_sub(1)];
        let most = if census.is_large() { 1 } else { 2 };
        for other in neighbours.into_iter().take(most) {
            if other != it && !is_true(other) {
                let what = has(name, other);
                let said = found(&what);
                surface.same(
                    &truth.code,
                    &format!("found by {what:?}"),
                    said,
                    "0".to_owned(),
                );
            }
        }
    }
}

/// Judges the line of the table.
fn judge_line(surface: &mut Surface, truth: &Truth, text: &str) {
    let code = &truth.code;
    let (lines, name): (Vec<&str>, _) = (text.lines().collect(), code.to_string());
    let line = lines.get(1).copied().unwrap_or("");
    // The name of the game, in 15 columns after the code, may have several words.
    let width = name.chars().count().max(12) + 2;
    let (before, after): (String, String) = (
        line.chars().take(width).collect(),
        line.chars().skip(width + 15).collect(),
    );
    let line = before + &after;
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some(at) = words.iter().position(|word| STATUSES.contains(word)) else {
        surface.holds(code, "status", false, || text.to_owned());
        return;
    };
    surface.same(code, "code", words[0], name.as_str());
    if let Some(other) = words[1..at].first() {
        let heaps = rules::same_heaps(code, &other.parse().unwrap());
        surface.holds(code, "same game", heaps.is_some(), || other);
        let shifts: Vec<i64> = rules::shifts(&heaps.unwrap_or_default())
            .into_iter()
            .collect();
        let mark = match shifts[..] {
            [0] => None,
            [shift] => Some(format!("({shift:+})")),
            _ => Some("(renumbered)".to_owned()),
        };
        let said = words[1..at].get(1).filter(|word| word.starts_with('('));
        surface.same(code, "mark", said.map(|word| (*word).to_owned()), mark);
    }
    let status = words[at];
    surface.holds(code, "status", truth.is_status(status), || {
        format!("said {status}, true {}", truth.status())
    });
    let said = |offset: usize| {
        words
            .get(at + offset)
            .and_then(|word| word.trim_end_matches('*').parse::<u32>().ok())
    };
    let heaps = said(6).unwrap_or(u32::MAX);
    let (order, p_size) = match truth.is_settled() {
        true => truth.sizes_at(u32::MAX),
        false => truth.sizes_at(heaps),
    };
    surface.same(
        code,
        "order and |P|",
        said(2).zip(said(3)),
        Some((order, p_size)),
    );
    surface.same(code, "period", said(4).zip(said(5)), truth.period());
    let all = truth.period().is_some() || truth.tame_relative().is_some();
    surface.holds(code, "heaps", all || heaps <= truth.heaps(), || heaps);
    let play = match truth.solution.tame() {
        Some(true) => "tame",
        Some(false) => "wild",
        None => "?",
    };
    surface.same(code, "play", words.get(at + 1).copied(), Some(play));
    let class = truth.partials_to(heaps).pop();
    let class = class.map(|at| at.class.brief());
    surface.same(
        code,
        "class",
        words.get(at + 7).map(|&word| word.to_owned()),
        class,
    );
    judge_happening(surface, truth, status, &line);
}

/// Judges the last column: the heap at which something happens.
fn judge_happening(surface: &mut Surface, truth: &Truth, status: &str, line: &str) {
    let code = &truth.code;
    match status {
        "infinite" | "diverges" => {
            let words = ["infinite at ", "diverges at "][usize::from(status == "diverges")];
            surface.same(code, words, number_after(line, words), truth.diverges_at());
        }
        "tame-relative" => {
            let said = number_after(line, "normal play from ");
            surface.same(code, "normal play from", said, truth.tame_relative());
        }
        "grows" => {
            let (said, truth) = (number_after(line, "grows from "), truth.growth());
            let holds = truth.is_none_or(|(start, _)| said.is_some_and(|said| said >= start));
            surface.holds(code, "grows from", holds, || {
                format!("{said:?}, true {truth:?}")
            });
        }
        _ => {}
    }
}
