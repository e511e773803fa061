//! The tables in CSV and SQLite agree with the documents, under every code.

use crate::export::made::{
    codes_of_names, export, export_of, lines, misere, misere_json, names, read,
};
use std::collections::{BTreeMap, BTreeSet};

use misere_census::Space;
use misere_export::table::TABLES;
use misere_game::bipartite::BipartiteMonoid;
use misere_game::control::Control;
use misere_game::outcome::{Convention, Oracle};
use misere_game::ruleset::Code;
use misere_game::solution::Document;
use serde_json::Value;

/// Reads a CSV file (RFC 4180): its heading, and the fields of each row.
fn csv(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut rows = vec![vec![String::new()]];
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let row = rows.last_mut().unwrap();
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                row.last_mut().unwrap().push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(String::new()),
            '\r' if !quoted => {
                assert_eq!(chars.next(), Some('\n'));
                rows.push(vec![String::new()]);
            }
            c => row.last_mut().unwrap().push(c),
        }
    }
    assert!(!quoted);
    assert_eq!(rows.pop().unwrap(), [""]);
    let heading = rows.remove(0);
    assert!(rows.iter().all(|row| row.len() == heading.len()));
    (heading, rows)
}

/// The description of the tables fits them: columns, types, keys, references.
#[test]
fn the_data_package_describes_the_tables() {
    let dir = tempfile::tempdir().unwrap();
    let (tables, manifest) = export(dir.path(), "csv", &["--format", "csv"]);
    let package: Value = serde_json::from_str(&read(&tables, "datapackage.json")).unwrap();
    let resources = package["resources"].as_array().unwrap();
    assert_eq!(
        resources.len(),
        manifest["counts"].as_object().unwrap().len()
    );
    let mut keys: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut referring = Vec::new();
    for resource in resources {
        let (name, schema) = (resource["name"].as_str().unwrap(), &resource["schema"]);
        let (heading, rows) = csv(&read(&tables, resource["path"].as_str().unwrap()));
        let fields = schema["fields"].as_array().unwrap();
        assert!(
            fields
                .iter()
                .map(|field| field["name"].as_str().unwrap())
                .eq(&heading)
        );
        for (at, field) in fields.iter().enumerate() {
            let is_required = field["constraints"]["required"] == true;
            for row in &rows {
                let cell = &row[at];
                let fits = match field["type"].as_str().unwrap() {
                    _ if cell.is_empty() => !is_required || field["type"] == "string",
                    "integer" => cell.parse::<i64>().is_ok(),
                    "boolean" => cell == "0" || cell == "1",
                    "string" => true,
                    other => panic!("{other}"),
                };
                assert!(fits, "{name}: {field}: {cell:?}");
            }
        }
        let column = |called: &str| heading.iter().position(|one| one == called).unwrap();
        let key = schema["primaryKey"].as_array().unwrap();
        let key: Vec<usize> = key
            .iter()
            .map(|one| column(one.as_str().unwrap()))
            .collect();
        let found: BTreeSet<String> = rows
            .iter()
            .map(|row| {
                key.iter()
                    .map(|&at| row[at].as_str())
                    .collect::<Vec<_>>()
                    .join(",")
            })
            .collect();
        assert_eq!(found.len(), rows.len(), "{name}");
        keys.insert(name, found);
        for foreign in schema["foreignKeys"].as_array().into_iter().flatten() {
            let at = column(foreign["fields"].as_str().unwrap());
            let other = foreign["reference"]["resource"].as_str().unwrap();
            let cells: BTreeSet<String> = rows.iter().map(|row| row[at].clone()).collect();
            referring.push((name, other, cells));
        }
    }
    assert!(referring.len() > 3);
    for (name, other, cells) in referring {
        assert!(cells.is_subset(&keys[other]), "{name} refers to {other}");
    }
}

#[test]
fn tables_say_the_same_in_csv_and_in_sqlite_as_the_documents() {
    let dir = tempfile::tempdir().unwrap();
    let (tables, _) = export(dir.path(), "csv", &["--format", "csv"]);
    let (database, manifest) = export(dir.path(), "sqlite", &["--format", "sqlite"]);
    let (documents, _) = export(dir.path(), "jsonl", &["--format", "jsonl"]);
    let connection = rusqlite::Connection::open(database.join("census.sqlite")).unwrap();
    let number = |sql: &str| {
        connection
            .query_row(sql, [], |row| row.get::<_, i64>(0))
            .unwrap()
    };
    assert_eq!(number("PRAGMA user_version"), 2);
    assert_eq!(number("PRAGMA application_id"), 0x4D69_7351);
    assert_eq!(number("SELECT count(*) FROM pragma_foreign_key_check"), 0);
    let text = connection.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0));
    assert_eq!(text.unwrap(), "ok");

    for (table, count) in manifest["counts"].as_object().unwrap() {
        let (heading, rows) = csv(&read(&tables, &format!("{table}.csv")));
        assert_eq!(rows.len() as u64, count.as_u64().unwrap(), "{table}");
        let mut select = connection
            .prepare(&format!("SELECT * FROM {table}"))
            .unwrap();
        assert!(select.column_names().eq(heading.iter().map(String::as_str)));
        let stored = select.query_map([], |row| {
            (0..heading.len())
                .map(|at| {
                    Ok(match row.get_ref(at)? {
                        rusqlite::types::ValueRef::Null => String::new(),
                        rusqlite::types::ValueRef::Integer(number) => number.to_string(),
                        other => other.as_str().unwrap().to_owned(),
                    })
                })
                .collect::<Result<Vec<String>, _>>()
        });
        let mut stored: Vec<Vec<String>> = stored.unwrap().map(Result::unwrap).collect();
        let mut rows = rows;
        stored.sort();
        rows.sort();
        assert!(stored == rows, "{table}");
    }

    let text = read(&documents, "rulesets.jsonl");
    for (document, line) in lines(&text) {
        let code = document["code"].as_str().unwrap();
        let solution = serde_json::from_str::<Document>(line)
            .unwrap()
            .into_solution()
            .unwrap();
        let mut select = connection
            .prepare("SELECT element FROM phi WHERE code = ? ORDER BY heap")
            .unwrap();
        let phi = select.query_map([code], |row| row.get(0)).unwrap();
        assert_eq!(
            phi.map(Result::unwrap).collect::<Vec<u32>>(),
            solution.phi,
            "{code}"
        );
        let mut action = vec![vec![0; solution.quotient.order()]; solution.quotient.generators()];
        let mut select = connection
            .prepare("SELECT generator, element, product FROM action WHERE code = ?")
            .unwrap();
        let mut rows = select.query([code]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let at = |column| row.get::<_, u32>(column).unwrap() as usize;
            action[at(0)][at(1)] = at(2) as u32;
        }
        let mut select = connection
            .prepare("SELECT element FROM elements WHERE code = ? AND in_p = 1")
            .unwrap();
        let p_portion = select
            .query_map([code], |row| row.get::<_, u32>(0))
            .unwrap();
        let p_portion = p_portion.map(Result::unwrap).collect::<Vec<_>>();
        let rebuilt = BipartiteMonoid::new(solution.quotient.order(), action, p_portion).unwrap();
        assert!(rebuilt == solution.quotient, "{code}");
        let mut select = connection
            .prepare("SELECT left_word || ' = ' || right_word FROM relations WHERE code = ? ORDER BY position")
            .unwrap();
        let relations = select
            .query_map([code], |row| row.get::<_, String>(0))
            .unwrap();
        let relations: Vec<Value> = relations.map(|it| Value::from(it.unwrap())).collect();
        assert_eq!(
            &relations,
            document["quotient"]["presentation"].as_array().unwrap()
        );
    }

    // The views answer the queries that they are made for.
    let texts = |sql: &str| {
        let mut select = connection.prepare(sql).unwrap();
        let rows = select.query_map([], |row| row.get::<_, String>(0)).unwrap();
        rows.map(Result::unwrap).collect::<Vec<_>>()
    };
    assert_eq!(
        texts("SELECT code FROM wild_solved ORDER BY code"),
        ["0.123", "0.241", "0.71", "0.75", "0.77"]
    );
    assert_eq!(
        texts("SELECT name FROM wild_solved WHERE code = '0.75'"),
        ["R_8"]
    );
    assert_eq!(
        texts("SELECT ruleset FROM games WHERE code = '4.4'"),
        ["0.77"]
    );
    assert_eq!(
        texts(
            "SELECT code FROM occurrences WHERE last_heap IS NULL AND class = (SELECT class FROM rulesets WHERE code = '0.71')"
        ),
        ["0.241", "0.71"]
    );
    assert_eq!(
        texts(
            "SELECT heap || '' FROM outcomes WHERE code = '0.77' AND outcome = 'P' AND heap < 40"
        ),
        ["1", "4", "9", "12", "20"]
    );
    assert_eq!(number("SELECT sum(codes) FROM knowledge"), 10);
}

#[test]
fn tables_without_quotients_are_the_others() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, _) = export(dir.path(), "whole", &["--format", "csv"]);
    let without = ["--format", "csv", "--without-quotients"];
    let (small, manifest) = export(dir.path(), "small", &without);
    for table in [
        "phi",
        "alias_phi",
        "generators",
        "elements",
        "action",
        "relations",
    ] {
        let (_, rows) = csv(&read(&small, &format!("{table}.csv")));
        assert!(rows.is_empty() && manifest["counts"][table].is_null());
    }
    for table in [
        "rulesets",
        "aliases",
        "partials",
        "alias_partials",
        "classes",
    ] {
        let file = format!("{table}.csv");
        assert_eq!(read(&small, &file), read(&whole, &file));
    }
    assert!(read(&small, "meta.csv").contains("\r\nquotients,0\r\n"));
}

/// The tables of a list are filled sorted, those of all codes of some digits in the order of the
/// codes.
#[test]
fn a_list_of_all_codes_has_the_tables_of_the_digits() {
    let dir = tempfile::tempdir().unwrap();
    let codes = Space::Octal { digits: 2 }.codes();
    let codes: Vec<String> = codes.iter().map(ToString::to_string).collect();
    let codes = codes.join(",");
    let mut files = Vec::new();
    for (name, plan) in [("list", ["--codes", &codes]), ("digits", ["--digits", "2"])] {
        let census = dir.path().join(name).to_str().unwrap().to_owned();
        let run = ["census", "run", "--data", &census, "--fuel", "20k"];
        let run = misere(&[&run[..], &plan[..]].concat());
        assert!(run.status.success(), "{run:?}");
        let (out, _) = export_of(
            &census,
            dir.path(),
            &format!("{name}-out"),
            &["--format", "sqlite"],
        );
        files.push(out.join("census.sqlite").to_str().unwrap().to_owned());
    }
    let connection = rusqlite::Connection::open(&files[0]).unwrap();
    connection
        .execute("ATTACH ? AS digits", [&files[1]])
        .unwrap();
    for table in TABLES.iter().map(|table| table.name) {
        let number = |sql: &str| {
            let number = connection.query_row(sql, [], |row| row.get::<_, i64>(0));
            number.unwrap()
        };
        let [list, digits] = ["main", "digits"].map(|of| {
            let rows = number(&format!("SELECT count(*) FROM {of}.{table}"));
            assert!(rows > 0, "{of}.{table}");
            rows
        });
        assert_eq!(list, digits, "{table}");
        let only = format!("SELECT * FROM main.{table} EXCEPT SELECT * FROM digits.{table}");
        let others = number(&format!("SELECT count(*) FROM ({only})"));
        // The censuses have different plans, so only the table `meta` may differ.
        assert!(others == 0 || table == "meta", "{table}: {others}");
    }
}

/// Every view has every code, each with its own heap numbers.
#[test]
fn tables_tell_of_every_code() {
    let dir = tempfile::tempdir().unwrap();
    let (database, _) = export_of(names(), dir.path(), "sqlite", &["--format", "sqlite"]);
    let connection = rusqlite::Connection::open(database.join("census.sqlite")).unwrap();
    let mut shifted = 0;
    for name in codes_of_names() {
        let code: Code = name.parse().unwrap();
        let mut oracle = Oracle::new(&code, Convention::Misere);
        let mut select = connection
            .prepare(
                "SELECT heap, outcome FROM outcomes WHERE code = ? AND heap < 20 ORDER BY heap",
            )
            .unwrap();
        let told = select.query_map([&name], |row| Ok((row.get(0)?, row.get(1)?)));
        let told: Vec<(u32, String)> = told.unwrap().map(Result::unwrap).collect();
        assert!(!told.is_empty(), "{name}");
        for (at, (heap, outcome)) in (0..).zip(&told) {
            let true_one = oracle.outcome(&[*heap], &mut Control::unlimited()).unwrap();
            assert_eq!((at, outcome), (*heap, &true_one.to_string()), "{name}");
        }
        // The program's own answer for this very code.
        let solved: Value =
            serde_json::from_str(&misere_json(&["solve", &name, "--fuel", "60k", "--json"]))
                .unwrap();
        let row = connection.query_row(
            "SELECT g.status, g.heaps, g.period, g.preperiod, g.diverges_at, g.tame_from, g.ruleset, a.shift
             FROM games g LEFT JOIN aliases a ON a.alias = g.code WHERE g.code = ?",
            [&name],
            |row| {
                let number = |at| row.get::<_, Option<i64>>(at);
                let numbers: Vec<Option<i64>> =
                    (1..6).map(number).collect::<Result<_, _>>()?;
                Ok((row.get::<_, String>(0)?, numbers, row.get::<_, String>(6)?, number(7)?))
            },
        );
        let (status, numbers, ruleset, shift) = row.unwrap();
        let number = |value: &Value| value.as_i64();
        let count = connection.query_row(
            "SELECT count(*) FROM outcomes WHERE code = ?",
            [&name],
            |row| row.get::<_, i64>(0),
        );
        let heaps = numbers[0].unwrap();
        // A game that a law or an automaton solves has no period.
        let listed = if status == "solved" && numbers[1].is_some() {
            heaps.max(999)
        } else {
            heaps
        };
        assert_eq!(count.unwrap(), listed + 1, "{name}");
        shifted += i32::from(shift.is_some_and(|shift| shift != 0));
        assert_eq!(
            shift.is_none() && ruleset != name,
            ruleset != name && code.max_parts() == 0,
            "{name}"
        );
        // Fuel ends at another heap where there are other dead heaps.
        if solved["status"] != status.as_str() || status == "exhausted" {
            continue;
        }
        let expected = [
            number(&solved["heaps"]),
            number(&solved["period"]),
            number(&solved["preperiod"]),
            number(&solved["diverges_at"]["heap"]).or(number(&solved["diverges_at"])),
            number(&solved["tame_relative"]["heap"]),
        ];
        let compared = if status == "tame-relative" { 4 } else { 0 };
        assert_eq!(
            numbers[compared..],
            expected[compared..],
            "{name}: {solved}"
        );
    }
    assert!(shifted > 8);
}
