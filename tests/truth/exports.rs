//! The tables and documents of an export, judged for each code that they name.

use std::collections::BTreeMap;
use std::path::PathBuf;

use misere_game::bipartite::Element;
use rusqlite::Connection;
use serde_json::Value;

use crate::support::process::done;
use crate::truth::certificates::judge_document;
use crate::truth::compared::Surface;
use crate::truth::plan::Census;
use crate::truth::record;
use crate::truth::rules;
use crate::truth::witnesses::Truth;
use crate::truth::words::csv;

pub(crate) fn judge(census: &Census) -> Vec<Surface> {
    vec![json_lines(census), tables(census), database(census)]
}

/// Writes an export, and returns its path.
pub(crate) fn export(census: &Census, form: &str) -> PathBuf {
    let out = census.scratch.path().join(form);
    let place = out.to_str().unwrap();
    let data = &census.data;
    done(&["export", "--format", form, "--data", data, "--out", place]);
    out
}

/// Judges each line as a solution of the code that it names.
fn json_lines(census: &Census) -> Surface {
    let mut surface = Surface::new("export --format jsonl", 14);
    let out = export(census, "jsonl");
    let lines = std::fs::read_to_string(out.join("rulesets.jsonl")).unwrap();
    for line in lines.lines() {
        let said: Value = serde_json::from_str(line).unwrap();
        let truth = census.truth(said["code"].as_str().unwrap()).unwrap();
        record::judge_heaps(&mut surface, truth, &said);
        record::judge_same_game(&mut surface, &truth.code, &said);
        judge_document(&mut surface, truth, said);
    }
    surface
}

/// Numbers of a code in one row of a table, `None` where the cell is empty.
type Cells = BTreeMap<String, String>;

fn cell(row: &Cells, name: &str) -> Option<u32> {
    row.get(name)?.parse().ok()
}

/// Judges every cell of a row whose heaps are those of the code.
fn judge_row(surface: &mut Surface, truth: &Truth, row: &Cells) {
    let code = &truth.code;
    let all = truth.period().is_some() || truth.tame_relative().is_some();
    let heaps = cell(row, "heaps").unwrap_or(u32::MAX);
    surface.holds(code, "heaps", all || heaps <= truth.heaps(), || heaps);
    let period = cell(row, "period").zip(cell(row, "preperiod"));
    surface.same(code, "period", period, truth.period());
    if truth.is_settled() {
        let at = cell(row, "diverges_at");
        surface.same(code, "diverges at", at, truth.diverges_at());
    }
    let from = cell(row, "tame_from");
    surface.same(code, "tame from", from, truth.tame_relative());
    let wild = cell(row, "wild_from");
    surface.same(code, "wild from", wild, truth.wild_from(heaps));
    if row.contains_key("first_wild") {
        let (not_tame, wild) = (cell(row, "first_not_tame"), cell(row, "first_wild"));
        record::judge_genus(surface, truth, not_tame, wild);
    }
    if let (Some(start), Some((from, _))) = (cell(row, "growth_start"), truth.growth()) {
        surface.holds(code, "grows from", start >= from, || start);
    }
    let nim = cell(row, "nim_period").zip(cell(row, "nim_preperiod"));
    let tail = truth.solution.tail.and_then(|tail| tail.nim_period);
    let true_nim = tail.map(|nim| (nim.period, nim.preperiod));
    surface.same(code, "nim period", nim, true_nim);
    if let Some(status) = row.get("status") {
        surface.holds(code, "status", truth.is_status(status), || status);
    }
    if let Some(order) = cell(row, "quotient_order") {
        let sizes = truth.sizes_at(if all { u32::MAX } else { heaps });
        surface.same(
            code,
            "order and |P|",
            Some(order).zip(cell(row, "p_size")),
            Some(sizes),
        );
    }
}

/// Judges the changes of partial quotients: heap, order, size of P.
fn judge_changes(surface: &mut Surface, truth: &Truth, said: &[(u32, u32, u32)], heaps: u32) {
    let all = truth.period().is_some() || truth.tame_relative().is_some();
    let known = if all { u32::MAX } else { heaps };
    let true_ones = truth.partials_to(known).into_iter();
    let true_ones: Vec<_> = true_ones.map(|at| (at.heap, at.order, at.p_size)).collect();
    surface.same(&truth.code, "partial quotients", said, &true_ones[..]);
}

/// Judges the CSV tables: the rulesets and the aliases, each with its changes and values.
fn tables(census: &Census) -> Surface {
    let mut surface = Surface::new("export --format csv", 8);
    let out = export(census, "csv");
    let table = |name: &str| {
        let text = std::fs::read_to_string(out.join(format!("{name}.csv")));
        text.map(|text| csv(&text)).unwrap_or_default()
    };
    for (rows, changes, values, code) in [
        ("rulesets", "partials", "phi", "code"),
        ("aliases", "alias_partials", "alias_phi", "alias"),
    ] {
        let mut changed: BTreeMap<String, Vec<(u32, u32, u32)>> = BTreeMap::new();
        for row in table(changes) {
            let numbers =
                ["heap", "quotient_order", "p_size"].map(|name| cell(&row, name).unwrap());
            let of_code = changed.entry(row[code].clone()).or_default();
            of_code.push((numbers[0], numbers[1], numbers[2]));
        }
        let mut phi: BTreeMap<String, Vec<Element>> = BTreeMap::new();
        for row in table(values) {
            let of_code = phi.entry(row[code].clone()).or_default();
            of_code.push(cell(&row, "element").unwrap());
        }
        for row in table(rows) {
            let truth = census.truth(&row[code]).unwrap();
            judge_row(&mut surface, truth, &row);
            let heaps = cell(&row, "heaps").unwrap_or(0);
            let name = &row[code];
            let said = changed.get(name).map_or(&[][..], Vec::as_slice);
            judge_changes(&mut surface, truth, said, heaps);
            let said = phi.get(name).map_or(&[][..], Vec::as_slice);
            judge_values(&mut surface, truth, said);
            if let Some(sentence) = row.get("sentence") {
                let kept = row["code"].parse().unwrap();
                let same = rules::same_heaps(&kept, &truth.code).unwrap_or_default();
                record::judge_sentence(&mut surface, &kept, &truth.code, &same, sentence);
            }
        }
    }
    surface
}

/// Judges the values of the heaps from 0 on: equal numbers of elements where the true ones are.
fn judge_values(surface: &mut Surface, truth: &Truth, said: &[Element]) {
    // Heaps that are equal to some heap need not be equal to a greater one.
    if !truth.is_settled() && said.len() != truth.heaps() as usize + 1 {
        return;
    }
    let mut seen: Vec<(Element, Element)> = Vec::new();
    let wrong = (0..).zip(said).find(|&(heap, &element)| {
        let Some(value) = truth.value(heap) else {
            return false;
        };
        let known = seen
            .iter()
            .find(|(one, other)| *one == element || *other == value);
        let differs = known.is_some_and(|&pair| pair != (element, value));
        seen.push((element, value));
        differs
    });
    let why = || format!("{} values, the first wrong one {wrong:?}", said.len());
    let is_true = wrong.is_none() && !said.is_empty();
    surface.holds(&truth.code, "values that are equal", is_true, why);
}

/// Judges SQLite: the views that have every code.
fn database(census: &Census) -> Surface {
    let mut surface = Surface::new("export --format sqlite", 9);
    let out = export(census, "sqlite");
    let connection = Connection::open(out.join("census.sqlite")).unwrap();
    for truth in &census.truths {
        let code = truth.code.to_string();
        surface.asked(&truth.code);
        match row(&connection, "SELECT * FROM games WHERE code = ?", &code) {
            Ok(Some(row)) => {
                judge_row(&mut surface, truth, &row);
                let select =
                    "SELECT heap, quotient_order, p_size FROM changes WHERE code = ? ORDER BY heap";
                let said = numbers(&connection, select, &code).unwrap_or_default();
                judge_changes(&mut surface, truth, &said, cell(&row, "heaps").unwrap_or(0));
            }
            other => surface.holds(&truth.code, "game", false, || format!("{other:?}")),
        }
        let select = "SELECT heap, outcome = 'P', 0 FROM outcomes WHERE code = ? AND heap > 0";
        let said = numbers(&connection, select, &code).unwrap_or_default();
        let wrong = said.iter().find(|&&(heap, is_p, _)| {
            let rules_say = truth.positions.iter().find(|(heaps, _)| *heaps == [heap]);
            let solved = truth.is_p(heap);
            let is_p = is_p == 1;
            rules_say.is_some_and(|&(_, it)| it != is_p) || solved.is_some_and(|it| it != is_p)
        });
        surface.holds(
            &truth.code,
            "outcomes",
            wrong.is_none() && !said.is_empty(),
            || format!("{} heaps, the first wrong one {wrong:?}", said.len()),
        );
    }
    surface
}

/// Returns the first row of an answer, its cells as text.
fn row(connection: &Connection, select: &str, code: &str) -> rusqlite::Result<Option<Cells>> {
    let mut select = connection.prepare(select)?;
    let names: Vec<String> = select.column_names().map(str::to_owned).collect();
    let mut rows = select.query([code])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let mut cells = Cells::new();
    for (at, name) in names.into_iter().enumerate() {
        let text = match row.get_ref(at)? {
            rusqlite::types::ValueRef::Integer(number) => number.to_string(),
            rusqlite::types::ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
            _ => continue,
        };
        cells.insert(name, text);
    }
    Ok(Some(cells))
}

fn numbers(
    connection: &Connection,
    select: &str,
    code: &str,
) -> rusqlite::Result<Vec<(u32, u32, u32)>> {
    let mut select = connection.prepare(select)?;
    let rows = select.query_map([code], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    rows.collect()
}
