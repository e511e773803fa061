//! `misere verify` accepts true certificates, and refuses everything else by name.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::cli::command::{json, misere, text};
use serde_json::{Value, json as value};
use tempfile::TempDir;

fn solved(code: &str) -> Value {
    json(&["solve", code, "--json"]).1
}

fn written(directory: &TempDir, name: &str, document: &Value) -> String {
    let file = directory.path().join(name);
    std::fs::write(&file, document.to_string()).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn true_certificates_are_verified() {
    let directory = TempDir::new().unwrap();
    let mut files = Vec::new();
    for code in ["0.123", "0.77", "0.07", "0.1", "0"] {
        let file = directory.path().join(format!("{code}.json"));
        let file = file.to_str().unwrap().to_owned();
        let solve = ["solve", code, "--evidence", "0", "--out", &file];
        assert_eq!(text(&solve).0, 0);
        files.push(file);
    }
    let mut arguments = vec!["verify"];
    arguments.extend(files.iter().map(String::as_str));
    let (exit, said) = text(&arguments);
    assert_eq!(exit, 0, "{said}");
    assert_eq!(
        said.lines().filter(|line| line.starts_with("ok ")).count(),
        5,
        "{said}"
    );
    assert!(
        said.contains("0.07 diverges at heap 34, order 638, heaps 0 to 33"),
        "{said}"
    );
    assert!(!Path::new(&format!("{}.part", files[0])).exists());
}

#[test]
fn a_certificate_can_come_through_a_pipe() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_misere"))
        .args(["verify", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(solved("0.123").to_string().as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .starts_with("ok    -: 0.123 solved")
    );
}

/// An interrupted or exhausted result is a certificate of its own claims.
#[test]
fn partial_results_are_certificates_too() {
    let directory = TempDir::new().unwrap();
    let file = written(
        &directory,
        "partial.json",
        &json(&["solve", "0.77", "--max-heap", "30", "--json"]).1,
    );
    assert_eq!(text(&["verify", &file]).0, 0);
}

/// The reason for which a computation stopped is not a claim: `solve` writes it, and no other field
/// does.
#[test]
fn an_interrupted_result_may_name_the_cause() {
    let directory = TempDir::new().unwrap();
    let mut document = json(&["solve", "0.77", "--max-heap", "30", "--json"]).1;
    document["status"] = value!("interrupted");
    for limit in ["time-limit", "memory-limit", "signal"] {
        document["limit"] = value!(limit);
        let file = written(&directory, "interrupted.json", &document);
        let (exit, said) = text(&["verify", &file]);
        assert_eq!(exit, 0, "{said}");
    }
}

/// A file that is called verified has no other claims, and no fields that cannot be compared.
#[test]
fn fields_that_would_not_be_checked_are_refused() {
    let directory = TempDir::new().unwrap();
    let kayles = solved("0.77");
    let list = json(&["classify", "--order", "8", "--json"]).1;
    let with = |document: &Value, claims: &Value| {
        let mut both = claims.clone();
        let fields = document.as_object().unwrap().clone();
        both.as_object_mut().unwrap().extend(fields);
        both
    };
    let mut nameless = kayles.clone();
    let fields = [
        "order",
        "p_size",
        "class",
        "identity",
        "generators",
        "action",
        "p_portion",
        "words",
        "presentation",
    ];
    nameless["quotient"] = fields.map(|field| kayles["quotient"][field].clone()).into();
    nameless["quotient"][1] = value!(77);
    let mut nameless_of_list = list.clone();
    nameless_of_list["quotients"][0] = value!([1, 2]);
    let automaton = json(&["automaton", "0.54", "--json"]).1;
    let claims = "claims of different kinds";
    for (name, document, reason) in [
        ("list and game", with(&list, &kayles), claims),
        (
            "automaton and phi",
            with(&automaton, &value!({ "phi": [0] })),
            claims,
        ),
        (
            "nameless",
            nameless,
            "`quotient` is a list, and should be an object",
        ),
        (
            "nameless of a list",
            nameless_of_list,
            "is not a list of quotients",
        ),
    ] {
        let file = written(&directory, "refused.json", &document);
        let output = misere(&["verify", &file]);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{name}: {errors}");
        assert!(errors.contains(reason), "{name}: {errors}");
    }
}

/// Every way of tampering is refused, and the checker names the flaw.
#[test]
fn tampered_certificates_are_refuted() {
    type Tampering = fn(&mut Value);
    let tamperings: [(&str, Tampering); 18] = [
        ("an action entry", |d| {
            d["quotient"]["action"][1][3] = value!(0)
        }),
        ("an action entry to another element", |d| {
            let x = d["quotient"]["action"][0][5].as_u64().unwrap();
            d["quotient"]["action"][0][5] = value!((x + 1) % 40);
        }),
        ("an element outside the monoid", |d| {
            d["quotient"]["action"][0][0] = value!(40)
        }),
        ("a P bit less", |d| {
            d["quotient"]["p_portion"].as_array_mut().unwrap().pop();
        }),
        ("a P bit more", |d| {
            d["quotient"]["p_portion"]
                .as_array_mut()
                .unwrap()
                .push(value!(0))
        }),
        ("a value of phi", |d| d["phi"][20] = value!(0)),
        ("the last value of phi", |d| {
            let last = d["phi"].as_array().unwrap().len() - 1;
            d["phi"][last] = d["phi"][last - 1].clone();
        }),
        ("a period too small", |d| d["period"] = value!(6)),
        ("a period that is a multiple", |d| d["period"] = value!(24)),
        ("no period", |d| d["period"] = value!(0)),
        ("a preperiod too small", |d| d["preperiod"] = value!(70)),
        ("a preperiod too large", |d| d["preperiod"] = value!(72)),
        ("fewer heaps than the period's proof needs", |d| {
            d["heaps"] = value!(100);
            d["phi"].as_array_mut().unwrap().truncate(101);
        }),
        ("another game", |d| d["code"] = value!("0.75")),
        ("the order", |d| d["quotient"]["order"] = value!(41)),
        ("the class", |d| {
            let class = value!("00".repeat(32));
            d["quotient"]["class"] = class.clone();
            let last = d["partials"].as_array().unwrap().len() - 1;
            d["partials"][last]["class"] = class;
        }),
        ("a partial quotient's order", |d| {
            d["partials"][0]["order"] = value!(4)
        }),
        ("heaps", |d| d["heaps"] = value!(3)),
    ];
    let original = solved("0.77");
    let directory = TempDir::new().unwrap();
    for (what, tamper) in tamperings {
        let mut document = original.clone();
        tamper(&mut document);
        assert_ne!(document, original, "{what}");
        let (exit, said) = text(&["verify", &written(&directory, "tampered.json", &document)]);
        assert_eq!(exit, 5, "{what}: {said}");
        assert!(
            said.starts_with("flaw  ") && said.lines().count() == 1,
            "{what}: {said}"
        );
    }
}

/// The known false certificates, each with its reason; and one that cannot be mistaken for a true
/// one.
#[test]
fn forged_certificates_are_refuted() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/forged/infinite-0.333.json"
    );
    let (exit, said) = text(&["verify", file]);
    assert_eq!(exit, 5, "{said}");
    assert_eq!(
        said,
        format!(
            "flaw  {file}: claims 0.333 infinite at heap 3, order 6, heaps 0 to 2; refuted: the evidence for an infinite quotient does not hold: \
             the word of heap 2 contains heap 3; the letters of a word have to be smaller than its heap\n"
        )
    );
}

/// Evidence beyond the limits of the checker is neither proved nor refuted.
#[test]
fn evidence_too_large_to_be_checked_is_not_refuted() {
    let true_one = include_str!("../../common/game/tests/data/0.31011.json");
    let mut certificate: Value = serde_json::from_str(true_one).unwrap();
    for letter in certificate["evidence"]["letters"].as_array_mut().unwrap() {
        letter["count"] = value!("digits");
    }
    let directory = TempDir::new().unwrap();
    let file = written(&directory, "digits.json", &certificate);
    let run = misere(&["verify", &file]);
    assert_eq!(run.status.code(), Some(1));
    let said = String::from_utf8(run.stderr).unwrap();
    let fault = "cannot be checked: it has 5 digits, more than the 4 that are read";
    assert!(said.contains(fault), "{said}");
}

/// A code of 129 digits or more lets a whole heap be taken when the checker sorts nim-values by a
/// mask.
#[test]
fn codes_of_all_lengths_are_solved_and_verified() {
    let directory = TempDir::new().unwrap();
    for length in [128, 129, 130, 255] {
        let code = format!("0.(7)^{length}");
        let file = directory.path().join("certificate.json");
        let file = file.to_str().unwrap();
        let (exit, said) = text(&["solve", &code, "--fuel", "3M", "--out", file]);
        assert_eq!(exit, 0, "{said}");
        let (exit, said) = text(&["verify", file]);
        assert_eq!(exit, 0, "{said}");
        assert!(said.contains(" tame-relative, "), "{said}");
    }
}

#[test]
fn a_period_of_0_is_called_that() {
    let directory = TempDir::new().unwrap();
    let mut document = solved("0.123");
    document["period"] = value!(0);
    let (exit, said) = text(&["verify", &written(&directory, "tampered.json", &document)]);
    assert_eq!(exit, 5, "{said}");
    assert!(
        said.ends_with(": claims 0.123 solved, order 20, heaps 0 to 22; refuted: the period is said to be 0; a period is at least 1\n"),
        "{said}"
    );
}

/// A file that is not a certificate is reported without the names of the program's types.
#[test]
fn files_of_another_form_are_reported_in_words() {
    let directory = TempDir::new().unwrap();
    let mut negative = solved("0.123");
    negative["heaps"] = value!(-1);
    for (document, reason) in [
        (
            value!(null),
            "it holds null, and a certificate is a JSON object",
        ),
        (
            value!([]),
            "it holds a list, and a certificate is a JSON object",
        ),
        (
            value!(7),
            "it holds a number, and a certificate is a JSON object",
        ),
        (
            value!({}),
            "line 1, column 2: the field `schema` is missing",
        ),
        (
            negative,
            "found the number -1 where a whole number from 0 to 4294967295 is expected",
        ),
        (
            value!({ "quotients": null }),
            "is not a list of quotients: found null where a list is expected",
        ),
    ] {
        let output = misere(&["verify", &written(&directory, "other.json", &document)]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.ends_with(&format!("{reason}\n")), "{said}");
        assert!(!said.contains("struct") && !said.contains("u32"), "{said}");
    }
}

/// Fields that repeat the claim for readers must agree with it, and may be missing.
#[test]
fn fields_for_readers_are_compared() {
    let directory = TempDir::new().unwrap();
    let original = solved("0.123");
    let tamperings = [
        ("/tame", value!(true), "`tame`"),
        ("/quotient/p_size", value!(6), "`quotient.p_size`"),
        ("/quotient/words/1", value!("b"), "`quotient.words.1`"),
        (
            "/quotient/presentation/0",
            value!("a^2 = a"),
            "`quotient.presentation.0`",
        ),
        (
            "/quotient/generators/0/name",
            value!("x"),
            "`quotient.generators.0`",
        ),
    ];
    for (field, wrong, named) in tamperings {
        let mut document = original.clone();
        *document.pointer_mut(field).unwrap() = wrong;
        let (exit, said) = text(&["verify", &written(&directory, "tampered.json", &document)]);
        assert_eq!(exit, 5, "{field}: {said}");
        assert!(said.contains(named), "{field}: {said}");
    }
    let mut bare = original;
    for field in ["words", "presentation", "p_size"] {
        bare["quotient"].as_object_mut().unwrap().remove(field);
    }
    for field in ["elapsed_s", "engine", "fuel"] {
        bare.as_object_mut().unwrap().remove(field);
    }
    assert_eq!(
        text(&["verify", &written(&directory, "bare.json", &bare)]).0,
        0
    );
}

/// The words of a stranger's document stay on their line, without escapes.
#[test]
fn the_words_of_a_document_forge_no_line() {
    let dir = tempfile::tempdir().unwrap();
    let mut document = solved("0.77");
    document["status"] = "\u{1b}[31mX\nok    forged.json: 0.77 solved".into();
    let file = written(&dir, "kayles.json", &document);
    let (exit, said) = text(&["verify", &file]);
    assert_eq!(exit, 5, "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.starts_with("flaw") && !said.contains('\u{1b}'),
        "{said}"
    );
}

#[test]
fn other_files_are_still_checked() {
    let directory = TempDir::new().unwrap();
    let good = written(&directory, "good.json", &solved("0.123"));
    let malformed = written(&directory, "malformed.json", &value!({ "schema": 1 }));
    let mut newer = solved("0.123");
    newer["schema"] = value!(2);
    let newer = written(&directory, "newer.json", &newer);
    let absent = directory
        .path()
        .join("absent.json")
        .to_str()
        .unwrap()
        .to_owned();

    let output = misere(&["verify", &malformed, &absent, &newer, &good]);
    assert_eq!(output.status.code(), Some(1));
    let (said, errors) = (
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    );
    assert!(
        said.starts_with("ok ") && said.lines().count() == 1,
        "{said}"
    );
    assert_eq!(
        errors
            .lines()
            .filter(|line| line.starts_with("error: `"))
            .count(),
        3,
        "{errors}"
    );
    assert!(errors.contains("schema 2 is not known"), "{errors}");

    let mut tampered = solved("0.123");
    tampered["period"] = value!(1);
    let tampered = written(&directory, "tampered.json", &tampered);
    let (exit, report) = json(&["verify", "--json", &malformed, &tampered, &good]);
    assert_eq!(exit, 5, "a wrong claim weighs more than an unreadable file");
    assert_eq!(
        (
            &report["verified"],
            &report["refuted"],
            &report["unreadable"]
        ),
        (&value!(1), &value!(1), &value!(1))
    );
    assert_eq!(report["files"][1]["result"], "refuted");
    assert_eq!(report["files"][2]["result"], "verified");
    assert_eq!(report["files"][2]["code"], "0.123");
}

/// A claim of a few bytes about four thousand million heaps takes no memory, and none about more
/// rare heaps than are kept. Neither is called wrong.
#[test]
fn claims_that_are_too_large_are_not_checked() {
    let directory = tempfile::tempdir().unwrap();
    let claim = |heaps: u64| {
        value!({
            "schema": 1, "code": "0.3", "convention": "normal", "status": "exhausted",
            "heaps": heaps, "mask": 1, "parity": false, "marks": [],
        })
    };
    let many = written(&directory, "many.json", &claim(4_294_967_294));
    let few = written(&directory, "few.json", &claim(1_000));
    let output = misere(&["verify", &many, &few]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("to heap 4294967294; such claims are checked to heap 1073741824"),
        "{said}"
    );
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("few.json: 0.3 exhausted"), "{said}");
}

/// Fuel, time and memory end a check, with a line that says which of them and what to do.
#[test]
fn a_check_ends_by_its_limits() {
    let directory = tempfile::tempdir().unwrap();
    let long = value!({
        "schema": 1, "code": "0.3", "convention": "normal", "status": "exhausted",
        "heaps": 1_000_000_000, "mask": 1, "parity": false, "marks": [],
    });
    let long = written(&directory, "long.json", &long);
    let mut limits = vec![
        (["--fuel", "1k"], 3, "its fuel was spent"),
        (
            ["--time-limit", "300ms"],
            4,
            "it was stopped after the time",
        ),
    ];
    if cfg!(target_os = "linux") {
        limits.push((
            ["--memory-limit", "1KiB"],
            4,
            "it was stopped at the memory",
        ));
    }
    for ([option, limit], code, by) in limits {
        let started = std::time::Instant::now();
        let output = misere(&["verify", &long, &long, option, limit]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains("2 files are not judged"), "{said}");
        assert!(
            said.contains(by) && said.contains(&format!("raise {option}")),
            "{said}"
        );
        assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
    }
}
