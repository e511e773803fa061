//! `misere solve` prints the published results, in the promised form.

use insta::assert_snapshot;
use rustix::process::Signal;

use crate::cli::command::{error_line, json, letters, misere, text};
use crate::cli::report_forms::typesets;
use crate::support::transcript::transcript;
use serde_json::{Value, json as value};

/// Code, order, |P|, period: Plambeck 2005, sections 4 and 11; Plambeck–Siegel 2007, Figures 3
/// to 7.
const PUBLISHED: [(&str, u64, u64, u64); 7] = [
    ("0.123", 20, 5, 5),
    ("0.77", 40, 9, 12),
    ("0.115", 42, 12, 14),
    ("0.152", 34, 6, 48),
    ("0.53", 16, 3, 9),
    ("0.72", 24, 5, 4),
    ("0.144", 30, 5, 10),
];

#[test]
fn published_quotients() {
    for (code, order, p_size, period) in PUBLISHED {
        let (exit, document) = json(&["solve", code, "--json"]);
        assert_eq!(exit, 0, "{code}");
        assert_eq!(document["status"], "solved", "{code}");
        assert_eq!(document["tame"], false, "{code}");
        assert_eq!(document["quotient"]["order"], order, "{code}");
        assert_eq!(document["quotient"]["p_size"], p_size, "{code}");
        assert_eq!(document["period"], period, "{code}");
        // The published values of the preperiods of the two games that Plambeck 2005 and the
        // supplement spell out.
        match code {
            "0.123" => assert_eq!(document["preperiod"], 5),
            "0.77" => assert_eq!(document["preperiod"], 71),
            _ => {}
        }
    }
}

#[test]
fn published_pretending_function() {
    // Φ of 0.123 (Plambeck–Siegel, Figure 3): a 1 b b a d^2 1 c d, then with period 5.
    let (_, document) = json(&["solve", "0.123", "--json"]);
    let phi: Vec<u64> = document["phi"]
        .as_array()
        .unwrap()
        .iter()
        .map(|x| x.as_u64().unwrap())
        .collect();
    assert_eq!(phi[0], 0);
    assert_eq!([phi[2], phi[7]], [0, 0]);
    assert_eq!(phi[3], phi[4]);
    assert_eq!(phi[1], phi[5]);
    let d_squared = product(&document, &[9, 9]);
    assert_eq!(phi[6], d_squared);
    assert_eq!(product(&document, &[1, 1]), 0);
    assert_eq!(product(&document, &[8, 8]), 0);
    for heap in 5..phi.len() - 5 {
        assert_eq!(phi[heap], phi[heap + 5], "heap {heap}");
    }
}

/// The presentations of the supplement's Figures 3 and 7, letter for letter.
#[test]
fn published_presentations() {
    let published = [
        (
            "0.123",
            "a^2 = 1, b^4 = b^2, b^2c = b^3, c^2 = 1, b^2d = d, cd = bd, d^3 = ad^2",
            "a, b^2, ac, bd, d^2",
        ),
        (
            "0.77",
            "a^2 = 1, b^3 = b, bc^2 = b, c^3 = c, bd = bc, cd = b^2, d^3 = d, be = bc, ce = b^2, e^2 = de, bf = ab, \
             cf = ab^2c, d^2f = f, f^2 = b^2, b^2g = g, c^2g = g, dg = cg, eg = cg, fg = ag, g^2 = b^2",
            "a, b^2, ac, ac^2, d, ad^2, e, ade, adf",
        ),
    ];
    for (code, relations, p_portion) in published {
        let (_, document) = json(&["solve", code, "--json"]);
        let found: Vec<&str> = document["quotient"]["presentation"]
            .as_array()
            .unwrap()
            .iter()
            .map(|relation| relation.as_str().unwrap())
            .collect();
        assert_eq!(found.join(", "), relations);
        let (_, shown) = text(&["solve", code]);
        let wanted = format!("P             {{{p_portion}}}\n");
        assert!(shown.contains(&wanted), "{shown}");
    }
}

/// The published algorithm finds the same quotient, in its own way.
#[test]
fn both_strategies_agree() {
    for code in ["0.123", "0.77", "0.144"] {
        let (_, exact) = json(&["solve", code, "--json"]);
        let (exit, classical) = json(&["solve", code, "--strategy", "classical", "--json"]);
        assert_eq!(exit, 0, "{code}");
        for field in ["/quotient/class", "/period", "/preperiod", "/partials"] {
            assert_eq!(
                exact.pointer(field),
                classical.pointer(field),
                "{code} {field}"
            );
        }
    }
}

#[test]
fn a_diverging_game() {
    let (exit, document) = json(&["solve", "0.07", "--json"]);
    assert_eq!(exit, 0);
    assert_eq!(document["status"], "diverges");
    assert_eq!(document["diverges_at"], 34);
    assert_eq!(document["heaps"], 33);
    assert_eq!(document["period"], Value::Null);
    assert_eq!(document["preperiod"], Value::Null);
    assert_eq!(document["quotient"]["order"], 638);
    assert_eq!(
        document["partials"].as_array().unwrap().last().unwrap()["order"],
        638
    );

    let (exit, shown) = text(&["solve", "0.07", "--evidence", "0"]);
    assert_eq!(exit, 0);
    assert!(shown.contains("diverges at heap 34"), "{shown}");
}

#[test]
fn the_document_has_the_promised_form() {
    let (_, document) = json(&["solve", "0.77", "--json"]);
    assert_eq!(document["schema"], 1);
    assert_eq!(document["code"], "0.77");
    assert_eq!(document["convention"], "misere");
    assert_eq!(document["diverges_at"], Value::Null);
    assert!(document["elapsed_s"].as_f64().unwrap() >= 0.0);
    assert_eq!(document["engine"], env!("CARGO_PKG_VERSION"));
    let heaps = document["heaps"].as_u64().unwrap() as usize;
    assert_eq!(document["phi"].as_array().unwrap().len(), heaps + 1);

    let quotient = &document["quotient"];
    let order = quotient["order"].as_u64().unwrap() as usize;
    let generators = quotient["generators"].as_array().unwrap();
    let action = quotient["action"].as_array().unwrap();
    assert_eq!(quotient["identity"], 0);
    assert_eq!(quotient["words"].as_array().unwrap().len(), order);
    assert_eq!(quotient["words"][0], "1");
    assert_eq!(quotient["class"].as_str().unwrap().len(), 64);
    assert_eq!(action.len(), generators.len());
    for (generator, row) in generators.iter().zip(action) {
        assert_eq!(row.as_array().unwrap().len(), order);
        assert_eq!(row[0], generator["element"]);
        assert_eq!(
            document["phi"][generator["heap"].as_u64().unwrap() as usize],
            generator["element"]
        );
    }
    assert_eq!(generators[0]["name"], "a");
    assert_eq!(generators[0]["heap"], 1);
    assert!(
        quotient["presentation"]
            .as_array()
            .unwrap()
            .contains(&Value::from("a^2 = 1"))
    );
    assert_eq!(quotient["p_portion"].as_array().unwrap().len(), 9);
    assert_eq!(
        quotient["class"],
        document["partials"].as_array().unwrap().last().unwrap()["class"]
    );
}

#[test]
fn the_text_says_it_in_words() {
    let shown = transcript(&[&["solve", "0.77"]], &[]);
    // Piped: no colour, and nothing cut short.
    assert!(!shown.contains('\u{1b}'), "{shown}");
    assert_snapshot!(shown);
}

/// The LaTeX form has the presentation of Figure 4 and its pretending function, and is set by LaTeX
/// where there is LaTeX. For a game without a period it has the last partial quotient.
#[test]
fn solutions_are_set_for_papers() {
    let dir = tempfile::tempdir().unwrap();
    let (exit, latex) = text(&["solve", "0.123", "--latex"]);
    assert_eq!(exit, 0);
    for said in [
        "\\subsubsection*{0.123}",
        "solved: period 5 from heap 5 on; wild; order 20, $|P| = 5$",
        "$a^{2} = 1,$ $b^{4} = b^{2},$",
        "\\overline",
    ] {
        assert!(latex.contains(said), "{said} in {latex}");
    }
    typesets(dir.path(), &latex);
    let (exit, latex) = text(&["solve", "0.07", "--max-heap", "33", "--latex"]);
    assert_eq!(exit, 3);
    assert!(
        latex.contains("exhausted: the greatest heap was reached"),
        "{latex}"
    );
    typesets(dir.path(), &latex);
    error_line(&["solve", "0.123", "--latex", "--json"], 2);
    error_line(&["solve", "0.123", "--latex", "--normal"], 2);
}

#[test]
fn finite_games_and_games_by_name() {
    let (exit, document) = json(&["solve", "*[2/320]", "--json"]);
    assert_eq!(
        (exit, document["code"].as_str()),
        (0, Some("{*3,{*2},*2,0}"))
    );
    assert_eq!(document["quotient"]["order"], 8);
    let (exit, shown) = text(&["outcome", "{*2,0}", "3", "1", "2"]);
    assert_eq!(exit, 0, "{shown}");
    let (exit, document) = json(&["solve", "Grundy", "--max-heap", "20", "--json"]);
    assert_eq!((exit, document["code"].as_str()), (3, Some("grundy")));
    assert_eq!(document["quotient"]["order"], 48);
    let texts: [&[&str]; 3] = [
        &["solve", "{*3,{*2},*2,0}"],
        &["solve", "kayels"],
        &["solve", "{*2,x}"],
    ];
    assert_snapshot!(transcript(&texts, &[]));
}

/// The names of the literature are read, and printed.
#[test]
fn games_are_known_by_name() {
    for (name, code, called) in [
        ("kayles", "0.77", "Kayles"),
        ("Dawson's Kayles", "0.07", "Dawson's Kayles"),
        ("dawsons-chess", "0.137", "Dawson's Chess"),
        ("TREBLECROSS", "0.007", "Treblecross"),
        ("officers", "0.6", "Officers"),
        ("guiles", "0.15", "Guiles"),
    ] {
        let (_, document) = json(&["solve", name, "--fuel", "1k", "--json"]);
        assert_eq!(document["code"], code, "{name}");
        let (_, shown) = text(&["solve", code, "--fuel", "1k"]);
        let first = shown.lines().next().unwrap();
        assert_eq!(first, format!("{code}  {called}"));
    }
    let (exit, document) = json(&["solve", "Kayles", "--json"]);
    assert_eq!((exit, &document["period"]), (0, &value!(12)));
    for (name, code) in [("nim", "0.[3]"), ("lasker's nim", "4.[3]")] {
        let (exit, document) = json(&["solve", name, "--json"]);
        assert_eq!((exit, &document["code"]), (0, &value!(code)));
        assert_eq!(document["status"], "tame-relative", "{name}");
        assert_eq!(document["quotient"]["order"], 6, "{name}");
    }
    let said = error_line(&["solve", "dawson"], 2);
    assert!(
        said.contains("Dawson's Kayles (0.07), Dawson's Chess (0.137)"),
        "{said}"
    );
}

#[test]
fn what_may_have_been_meant_is_said() {
    let given = ["77", "1", "2", "0,77", "", "*32#0"].map(|code| ["solve", code]);
    let commands = given.each_ref().map(<[&str; 2]>::as_slice);
    for command in commands {
        error_line(command, 2);
    }
    assert_snapshot!(transcript(&commands, &[]));
    let (_, spaced) = json(&["solve", " 0.3 ", "--json"]);
    assert_eq!(spaced["code"], "0.3");
    // As Figure 11 of the papers prints it.
    let (exit, printed) = json(&["solve", "*2#320", "--json"]);
    assert_eq!((exit, &printed["code"]), (0, &value!("{*3,{*2},*2,0}")));
}

/// Not every finite game has a finite quotient.
#[test]
fn a_finite_game_with_an_infinite_quotient() {
    let (exit, document) = json(&["solve", "{{{*2},0},0}", "--json"]);
    assert_eq!((exit, &document["status"]), (0, &value!("infinite")));
    let (_, one) = text(&["solve", "*"]);
    assert!(
        one.contains("one follower besides 0, the game itself"),
        "{one}"
    );
}

#[test]
fn games_at_the_edge() {
    let (exit, document) = json(&["solve", "0", "--json"]);
    assert_eq!((exit, &document["quotient"]["order"]), (0, &Value::from(1)));
    assert_eq!(document["tame"], true);
    let (exit, document) = json(&["solve", "0.1", "--json"]);
    assert_eq!((exit, &document["quotient"]["order"]), (0, &Value::from(2)));
    assert_eq!(text(&["solve", "0"]).0, 0);
    let (_, one) = json(&["solve", ".770", "--json"]);
    assert_eq!(one["code"], "0.77");
}

#[test]
fn budgets_are_verdicts_with_their_own_exit_code() {
    let (exit, document) = json(&["solve", "0.77", "--max-heap", "20", "--json"]);
    assert_eq!(exit, 3);
    assert_eq!(
        (&document["status"], &document["limit"]),
        (&Value::from("exhausted"), &Value::from("max-heap"))
    );
    assert_eq!(document["heaps"], 20);

    let (exit, document) = json(&["solve", "0.77", "--max-order", "12", "--json"]);
    assert_eq!((exit, &document["limit"]), (3, &Value::from("max-order")));
    assert!(document["quotient"]["order"].as_u64().unwrap() <= 12);

    let (exit, document) = json(&["solve", "0.07", "--fuel", "1k", "--json"]);
    assert_eq!((exit, &document["limit"]), (3, &Value::from("fuel")));
    let (_, again) = json(&["solve", "0.07", "--fuel", "1k", "--json"]);
    assert_eq!(document["heaps"], again["heaps"], "fuel is deterministic");
    let (_, shown) = text(&["solve", "0.07", "--fuel", "1k"]);
    assert!(
        shown.contains("exhausted: the fuel was spent (raise --fuel)\nΦ known to heap"),
        "{shown}"
    );
}

#[test]
fn guards_interrupt() {
    // 0.26 grows for ever; no machine finishes it within this fuel in these limits.
    let long = [
        "solve",
        "0.26",
        "--fuel",
        "100G",
        "--max-order",
        "60000",
        "--json",
    ];
    let (exit, document) = json(&[&long[..], &["--time-limit", "50ms"]].concat());
    assert_eq!(exit, 4);
    assert_eq!(document["status"], "interrupted");
    assert_eq!(document["limit"], "time-limit");
    if cfg!(target_os = "linux") {
        let (exit, document) = json(&[&long[..], &["--memory-limit", "1KiB"]].concat());
        assert_eq!(
            (exit, &document["limit"]),
            (4, &Value::from("memory-limit"))
        );
    }
}

/// Ctrl-C returns the results known by then.
#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_stops_cleanly() {
    for signal in [Signal::INT, Signal::TERM] {
        let child = std::process::Command::new(env!("CARGO_BIN_EXE_misere"))
            .args([
                "solve",
                "0.26",
                "--fuel",
                "100G",
                "--max-order",
                "60000",
                "--json",
            ])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        crate::support::process::wait_until_it_computes(&child);
        crate::support::process::signal(&child, signal);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{signal:?}");
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (&document["status"], &document["limit"]),
            (&Value::from("interrupted"), &Value::from("signal"))
        );
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said, "interrupted: stopped by a signal\n");
    }
}

#[test]
fn bad_command_lines_say_what_to_do() {
    let commands: [&[&str]; 7] = [
        &["solve", "0.7x7"],
        &["solve"],
        &["solve", "0.77", "--fuel", "3X"],
        &["slove", "0.77"],
        &["solve", "0.77", "--max-order", "0"],
        &["man", "nothing"],
        &["solve", "0.1", "--out", "/nowhere/at/all.json"],
    ];
    for command in &commands[..6] {
        error_line(command, 2);
    }
    error_line(commands[6], 1);
    assert_snapshot!(transcript(&commands, &[]));
}

#[test]
fn help_explains_itself() {
    for command in ["solve", "outcome", "verify", "completions", "man"] {
        let (exit, help) = text(&[command, "--help"]);
        assert_eq!(exit, 0, "{command}");
        assert!(help.contains("Example"), "{command}");
    }
    let (exit, help) = text(&["--help"]);
    assert_eq!(exit, 0);
    for code in [
        "0  done",
        "1  failed",
        "2  ",
        "3  a budget",
        "4  interrupted",
        "5  verification failed",
    ] {
        assert!(help.contains(code), "{help}");
    }
    assert!(text(&["completions", "bash"]).1.contains("misere"));
    assert!(text(&["man", "solve"]).1.contains(".TH"));
}

/// `misere … | head` ends without a word when the reader goes away.
#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_misere"))
        .args(["solve", "0.07", "--evidence", "0", "--json"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Returns the element of a sum of heaps, from the document's tables alone.
fn product(document: &Value, heaps: &[usize]) -> u64 {
    let quotient = &document["quotient"];
    let names: Vec<&str> = quotient["generators"]
        .as_array()
        .unwrap()
        .iter()
        .map(|g| g["name"].as_str().unwrap())
        .collect();
    heaps.iter().fold(0, |x, &heap| {
        let word = quotient["words"][document["phi"][heap].as_u64().unwrap() as usize]
            .as_str()
            .unwrap();
        letters(word, &names).iter().fold(x, |x, &g| {
            quotient["action"][g][x as usize].as_u64().unwrap()
        })
    })
}

#[test]
fn nothing_but_facts_is_printed() {
    let output = misere(&["solve", "0.123"]);
    assert!(output.stderr.is_empty());
}

#[test]
fn games_that_go_on_without_a_period() {
    let (exit, relative) = json(&["solve", "0.414", "--max-heap", "200", "--json"]);
    assert_eq!((exit, &relative["status"]), (0, &value!("tame-relative")));
    assert_eq!(relative["tame_relative"]["heap"], 19);
    let (exit, grows) = json(&["solve", "0.26", "--json"]);
    // A law is proved, so that every position is decided; there is no period.
    assert_eq!((exit, &grows["status"]), (0, &value!("solved")));
    assert_eq!(
        (&grows["period"], &grows["preperiod"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(grows["growth"]["period"], 4);
    assert_eq!(
        (&grows["law"]["period"], &grows["law"]["slope"]),
        (&value!(4), &value!(2))
    );
    let (_, shown) = text(&["solve", "0.26"]);
    assert!(shown.contains("solved by a law"), "{shown}");
    assert!(shown.contains("the quotient is infinite"), "{shown}");
    assert!(shown.contains("a conjecture"), "{shown}");
}

/// A result found within the time limit is printed, although its check takes longer. So more time
/// never gives less.
#[test]
fn a_result_found_in_time_is_printed() {
    let (_, whole) = json(&["solve", "0.26", "--json"]);
    let needed = whole["elapsed_s"].as_f64().unwrap();
    for share in [0.5, 1.0, 1.02, 1.05, 1.1, 1.2] {
        let limit = format!("{}ms", (needed * share * 1000.0).ceil());
        let output = misere(&["solve", "0.26", "--json", "--time-limit", &limit]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said.is_empty(), output.status.success(), "{limit}: {said}");
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        match output.status.code() {
            Some(0) => assert_eq!(found["status"], "solved", "{limit}"),
            exit => assert_eq!((exit, &found["limit"]), (Some(4), &value!("time-limit"))),
        }
    }
    let (exit, shown) = text(&["solve", "0.26", "--time-limit", "30ms"]);
    assert_eq!(exit, 4, "{shown}");
    assert!(shown.contains("after the time limit of 30ms"), "{shown}");
}

/// The letters O, I and l are digits of their own, and easily typed for 0 and 1.
#[test]
fn letters_that_look_like_digits_are_remarked() {
    for (code, meant) in [("O.77", "0.77"), ("0.7l", "0.71"), ("0.I", "0.1")] {
        let output = misere(&["solve", code, "--max-heap", "5"]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.starts_with("note: the letter "), "{said}");
        assert!(said.contains(&format!("the code is `{meant}`")), "{said}");
    }
    let output = misere(&["compare", "O.77:3", "*1"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.matches("note: ").count(), 1, "{said}");
}

/// Tests that a proof is the same from a computation and from a certificate, and that it is LaTeX.
#[test]
fn a_proof_is_printed_to_be_read() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("077.json");
    let file = file.to_str().unwrap();
    assert_eq!(text(&["solve", "0.77", "--out", file]).0, 0);
    let (exit, proof) = text(&["explain", "0.77", "--certificate", file]);
    assert_eq!(exit, 0);
    assert!(
        proof.contains("Φ(n + 12) = Φ(n) holds for 71 ≤ n ≤ 155"),
        "{proof}"
    );
    assert_eq!(text(&["explain", "kayles"]), (0, proof));
    let (exit, latex) = text(&["explain", "0.77", "--latex"]);
    assert_eq!(exit, 0);
    assert!(latex.contains("\\Phi") && !latex.contains('Φ'), "{latex}");
    error_line(&["explain", "0.123", "--certificate", file], 1);
}
