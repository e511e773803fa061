//! The GAP and the Python source of an export give the outcomes of each code that they name.
//!
//! Their data is read as text here, with the quotient, Φ, the period and the live heaps of each
//! code, and the outcomes that follow are compared with the rules. The programs themselves run in
//! the slow suite.

use std::collections::BTreeMap;
use std::process::Command;

use misere_game::bipartite::{BipartiteMonoid, Element};
use serde_json::Value;

use crate::truth::compared::Surface;
use crate::truth::exports::export;
use crate::truth::plan::Census;
use crate::truth::witnesses::{Truth, refuted};

/// The fields of a monoid, a game or an alias.
type Fields = BTreeMap<String, Value>;

pub(crate) fn judge(census: &Census) -> Vec<Surface> {
    let mut surfaces = Vec::new();
    for (name, form, file, first) in [
        ("export --format sage, its data", "sage", "monoids.py", 0),
        ("export --format gap, its data", "gap", "monoids.g", 1),
    ] {
        let mut surface = Surface::new(name, 2);
        let out = export(census, form);
        let source = std::fs::read_to_string(out.join(file)).unwrap();
        let mut told = 0;
        let mut monoid = None;
        let mut games: BTreeMap<String, Fields> = BTreeMap::new();
        for (kind, fields) in data(&source) {
            match kind {
                "monoid" => {
                    let quotient = quotient(&fields, first);
                    // Older exports had the values of one game for all games of a class.
                    for code in fields
                        .get("codes")
                        .and_then(Value::as_array)
                        .into_iter()
                        .flatten()
                    {
                        if fields.contains_key("phi") {
                            let truth = census.truth(code.as_str().unwrap()).unwrap();
                            judge_code(&mut surface, truth, &quotient, &fields, &fields, first);
                            told += 1;
                        }
                    }
                    monoid = Some(quotient);
                }
                _ => {
                    let code = fields["code"].as_str().unwrap().to_owned();
                    let kept = fields.get("of").or(fields.get("kept"));
                    let kept = kept.and_then(Value::as_str).unwrap_or(&code).to_owned();
                    if kind == "game" {
                        games.insert(code.clone(), fields.clone());
                    }
                    let truth = census.truth(&code).unwrap();
                    let quotient = monoid.as_ref().unwrap();
                    judge_code(&mut surface, truth, quotient, &fields, &games[&kept], first);
                    told += 1;
                }
            }
        }
        let code = &census.truths[0].code;
        surface.same(code, "codes listed", told, census.truths.len());
        surfaces.push(surface);
    }
    surfaces
}

/// Returns the data of a source file, in its order: monoids, games, aliases.
fn data(source: &str) -> Vec<(&'static str, Fields)> {
    let mut found = Vec::new();
    let mut open: Option<(&'static str, String)> = None;
    for line in source.lines() {
        let kind = match line {
            "MONOIDS.append(MisereQuotient(" | "Add(MisereMonoids, rec(" => "monoid",
            "add_game(" | "MisereAddGame(rec(" => "game",
            "add_alias(" | "MisereAddAlias(rec(" => "alias",
            _ => "",
        };
        if !kind.is_empty() {
            open = Some((kind, String::new()));
        } else if line.starts_with(')') {
            found.extend(open.take().map(|(kind, text)| (kind, fields(&text))));
        } else if let Some((_, text)) = &mut open {
            text.push_str(line);
            text.push('\n');
        }
    }
    found
}

/// Reads fields as `name=value,` or `name := value,`, whose values may go on in further lines.
fn fields(text: &str) -> Fields {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        let parts = line.split_once(" := ").or_else(|| line.split_once('='));
        let is_name = |name: &str| name.trim().chars().all(|c| c.is_alphabetic() || c == '_');
        match (parts, fields.last_mut()) {
            (Some((name, value)), _) if is_name(name) => {
                fields.push((name.trim().to_owned(), value.to_owned()));
            }
            (_, Some((_, value))) => value.push_str(line),
            _ => {}
        }
    }
    let read = |text: &str| {
        let text = text.trim().trim_end_matches(',');
        let text = with_brackets(text);
        let text = match text.as_str() {
            "None" | "fail" => "null",
            "True" => "true",
            "False" => "false",
            text => text,
        };
        serde_json::from_str(text).unwrap_or(Value::Null)
    };
    let fields = fields.into_iter();
    fields.map(|(name, value)| (name, read(&value))).collect()
}

/// Returns a value with its tuples as lists; texts stay as they are.
fn with_brackets(text: &str) -> String {
    let pieces = text.split('"').enumerate();
    let pieces = pieces.map(|(at, piece)| match at % 2 {
        0 => piece.replace('(', "[").replace(')', "]"),
        _ => piece.to_owned(),
    });
    pieces.collect::<Vec<_>>().join("\"")
}

fn numbers(value: Option<&Value>) -> Vec<u32> {
    let list = value.and_then(Value::as_array);
    let numbers = list.into_iter().flatten().filter_map(Value::as_u64);
    numbers.map(|number| number as u32).collect()
}

fn quotient(fields: &Fields, first: u32) -> BipartiteMonoid {
    let less = |row: Vec<u32>| row.into_iter().map(|x| x - first).collect::<Vec<_>>();
    let rows = fields["action"].as_array().unwrap().iter();
    let action = rows.map(|row| less(numbers(Some(row)))).collect();
    let in_p = fields.get("p_portion").or(fields.get("pPortion"));
    let order = fields["order"].as_u64().unwrap() as usize;
    BipartiteMonoid::new(order, action, less(numbers(in_p))).unwrap()
}

/// Judges the outcomes that follow for a code from its fields, and from the fields of the game that
/// has the values.
fn judge_code(
    surface: &mut Surface,
    truth: &Truth,
    monoid: &BipartiteMonoid,
    fields: &Fields,
    game: &Fields,
    first: u32,
) {
    let phi = numbers(game.get("phi"));
    let number = |fields: &Fields, name: &str| {
        let number = fields.get(name).and_then(Value::as_u64);
        number.map(|number| number as u32)
    };
    let period = number(game, "period").zip(number(game, "preperiod"));
    let element = |heap: u32| -> Option<Element> {
        let heap = match (fields.get("live"), game.get("live")) {
            (Some(live), Some(kept)) => match same_heap(live, kept, heap) {
                Some(heap) => heap,
                None => return Some(0),
            },
            _ => heap,
        };
        let heap = match period {
            Some((period, from)) if heap >= from => from + (heap - from) % period,
            _ => heap,
        };
        phi.get(heap as usize).map(|x| x - first)
    };
    let (tried, wrong) = refuted(truth, monoid, element);
    surface.holds(
        &truth.code,
        "outcomes",
        wrong.is_empty() && tried > 0,
        || {
            format!(
                "{} of {tried} are wrong, such as {:?}",
                wrong.len(),
                wrong.first()
            )
        },
    );
    let preperiod = number(fields, "preperiod");
    if preperiod.is_some() {
        let true_one = truth.period().map(|(_, preperiod)| preperiod);
        surface.same(&truth.code, "preperiod", preperiod, true_one);
    }
    let heaps = number(fields, "heaps").unwrap_or(u32::MAX);
    let all = truth.period().is_some() || truth.tame_relative().is_some();
    surface.holds(&truth.code, "heaps", all || heaps <= truth.heaps(), || {
        heaps
    });
}

/// Returns the live heap of `to` that has the place of a live heap of `from`; none for a dead heap.
fn same_heap(from: &Value, to: &Value, heap: u32) -> Option<u32> {
    let (listed, other) = (numbers(from.get(1)), numbers(to.get(1)));
    let before = listed.iter().filter(|&&it| it < heap).count();
    let place = match from[0].as_str()? {
        "only" => listed.contains(&heap).then_some(before),
        _ => (heap > 0 && !listed.contains(&heap)).then(|| heap as usize - 1 - before),
    }?;
    match to[0].as_str()? {
        "only" => other.get(place).copied(),
        _ => (1..).filter(|heap| !other.contains(heap)).nth(place),
    }
}

/// Judges a program that queries the exported library for outcomes.
///
/// It prints one a line, in the order of the positions.
pub(crate) fn judge_programs(census: &Census) -> Vec<Surface> {
    let mut surfaces = Vec::new();
    for (name, form, program) in [
        ("export --format sage, under Python", "sage-run", "python3"),
        ("export --format gap, under GAP", "gap-run", "gap"),
    ] {
        let mut surface = Surface::new(name, 3);
        let out = census.scratch.path().join(form);
        let format = form.trim_end_matches("-run");
        let place = out.to_str().unwrap();
        let data = &census.data;
        crate::support::process::done(&[
            "export", "--format", format, "--data", data, "--out", place,
        ]);
        let known = |truth: &Truth, heaps: &[u32]| {
            heaps
                .iter()
                .all(|&heap| truth.period().is_some() || heap <= truth.heaps().min(8))
        };
        let mut asked = Vec::new();
        for truth in &census.truths {
            let positions = truth.positions.iter();
            let positions = positions.filter(|(heaps, _)| known(truth, heaps)).take(40);
            asked.extend(positions.map(|(heaps, is_p)| (truth, heaps, *is_p)));
        }
        let mut script = match format {
            "sage" => "from monoids import *\n".to_owned(),
            _ => "Read(\"monoids.g\");\n".to_owned(),
        };
        for (truth, heaps, _) in &asked {
            let code = &truth.code;
            script.push_str(&match format {
                "sage" => format!("print(find(\"{code}\").outcome({heaps:?}))\n"),
                _ => format!("Print(MisereOutcome(MisereFind(\"{code}\"), {heaps:?}), \"\\n\");\n"),
            });
        }
        let file = if format == "sage" { "ask.py" } else { "ask.g" };
        std::fs::write(out.join(file), script).unwrap();
        let mut command = Command::new(program);
        match format {
            "sage" => command.arg(file),
            _ => command.args(["-q", "--quitonbreak", file, "-c", "QUIT;"]),
        };
        let said = command.current_dir(&out).output().unwrap();
        let said = String::from_utf8(said.stdout).unwrap();
        let mut said = said.lines();
        for (truth, heaps, is_p) in asked {
            let outcome = if is_p { "P" } else { "N" };
            let line = said.next().unwrap_or("nothing");
            surface.same(&truth.code, &format!("outcome of {heaps:?}"), line, outcome);
        }
        surfaces.push(surface);
    }
    surfaces
}
