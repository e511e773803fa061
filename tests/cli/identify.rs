//! Classes named from codes, files and presentations, with and without a census.

use rustix::process::Signal;
use serde_json::{Value, json as value};

use insta::assert_snapshot;

use crate::cli::command::{error_line, json, misere, text};
use crate::support::transcript::transcript;

const R8: &str = "⟨a,b,c | a²=1, b³=b, bc=ab, c²=b²⟩  P = {a, b²}";

fn name_of(what: &str) -> Value {
    let (exit, document) = json(&["identify", what, "--json"]);
    assert_eq!(exit, 0);
    document["name"].clone()
}

#[test]
fn the_same_class_by_whatever_way() {
    let dir = tempfile::tempdir().unwrap();
    let (_, given) = json(&["identify", R8, "--json"]);
    assert_eq!(given["name"], "R_8");
    assert_eq!(
        (&given["order"], &given["p_size"]),
        (&value!(8), &value!(2))
    );
    assert_eq!(given["reduced"], true);
    let written = "⟨a,b,c | a^2 = 1, b^3 = b, bc = ab, c^2 = b^2⟩  P = {a, b^2}";
    assert_eq!(given["presentation"]["text"], written);
    assert_eq!(given["census"], Value::Null);

    // The canonical form is of the same class.
    let canonical = given["canonical"]["text"].as_str().unwrap();
    let (_, again) = json(&["identify", canonical, "--json"]);
    assert_eq!(again["class"], given["class"]);
    assert_eq!(again["quotient"], given["quotient"]);

    let presented = dir.path().join("r8.txt");
    std::fs::write(&presented, format!("{R8}\n")).unwrap();
    let certificate = dir.path().join("0.75.json");
    let certificate = certificate.to_str().unwrap();
    let solved = misere(&["solve", "0.75", "--out", certificate]);
    assert!(solved.status.success());
    let tables = dir.path().join("tables.json");
    std::fs::write(&tables, given["quotient"].to_string()).unwrap();
    let ways = [
        "0.75",
        "R_8",
        "{*3,{*2},*2,0}",
        certificate,
        presented.to_str().unwrap(),
        tables.to_str().unwrap(),
    ];
    for way in ways {
        let (_, document) = json(&["identify", way, "--json"]);
        assert_eq!(document["class"], given["class"], "{way}");
    }
    let (_, of_game) = json(&["identify", "0.75", "--json"]);
    assert_eq!(of_game["generator_heaps"], value!([1, 2, 5]));
    // To a heap before the last change it is another class.
    for way in ["0.75", certificate] {
        let (_, partial) = json(&["identify", way, "--heap", "4", "--json"]);
        assert_eq!(partial["name"], "T_2", "{way}");
    }
}

#[test]
fn names_of_the_papers() {
    for name in ["T_0", "T_3", "R_12", "S_12", "S'_12", "R_14"] {
        assert_eq!(name_of(name), name);
    }
    assert_eq!(name_of("S_12'"), "S'_12");
    assert_eq!(name_of("0.3"), "T_1");
    assert_eq!(name_of("0.312"), "S_12");
    assert_eq!(name_of("0.123"), Value::Null);
}

#[test]
fn monoids_that_are_not_reduced_are_reported() {
    let (_, told) = json(&["identify", "<a | a^4=1> P={a,a^3}", "--json"]);
    assert_eq!(
        (&told["reduced"], &told["given_order"]),
        (&value!(false), &value!(4))
    );
    assert_eq!(told["name"], "T_1");
    let (_, told) = text(&["identify", "<a | a^4=1> P={a,a^3}"]);
    assert!(told.contains("not reduced"), "{told}");
}

#[test]
fn a_list_is_named_quotient_by_quotient() {
    let dir = tempfile::tempdir().unwrap();
    let list = dir.path().join("12.json");
    let classified = misere(&["classify", "--order", "12", "--json"]);
    std::fs::write(&list, classified.stdout).unwrap();
    let (_, lines) = text(&["identify", list.to_str().unwrap(), "--json"]);
    let names: Vec<String> = lines
        .lines()
        .filter_map(|line| {
            let document: Value = serde_json::from_str(line).unwrap();
            Some(document["name"].as_str()?.to_owned())
        })
        .collect();
    for name in ["T_2", "R_8", "T_3", "R_12", "S_12", "S'_12"] {
        assert!(names.contains(&name.to_owned()), "{names:?}");
    }
}

#[test]
fn a_census_tells_where_a_class_occurs() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("census");
    let data = data.to_str().unwrap();
    let codes = "0.71,0.241,0.243,0.75,0.15,0.77";
    let run = misere(&[
        "census", "run", "--codes", codes, "--fuel", "40k", "--data", data,
    ]);
    assert!(run.status.success());
    let (_, told) = json(&["identify", "0.241", "--data", data, "--json"]);
    let census = &told["census"];
    assert_eq!(
        (&census["games"], &census["whole_games"]),
        (&value!(2), &value!(2))
    );
    assert_eq!(census["smallest"], value!({ "code": "0.71", "heap": 8 }));
    assert_eq!(census["occurrences"][0]["code"], "0.71");
    assert_eq!(census["occurrences"][1]["code"], "0.241");
    assert_eq!(census["occurrences"][1]["aliases"], value!(["0.243"]));
    assert_eq!(census["occurrences"][1]["ranges"][0][0], 13);
    // An alias, and the first digits of the key, lead to the same.
    let key = told["class"].as_str().unwrap();
    for way in ["0.243", &key[..10]] {
        let (_, other) = json(&["identify", way, "--data", data, "--json"]);
        assert_eq!(other["class"], told["class"]);
        assert_eq!(other["census"], told["census"]);
        assert_eq!(other["quotient"], told["quotient"]);
    }
    // A partial quotient that no game ends with, found again by its key.
    let (_, partial) = json(&["identify", "0.77", "--heap", "9", "--data", data, "--json"]);
    assert_eq!(partial["order"], 18);
    assert_eq!(
        partial["census"]["occurrences"][0]["ranges"],
        value!([[9, 11]])
    );
    let key = partial["class"].as_str().unwrap();
    let (_, again) = json(&["identify", &key[..12], "--data", data, "--json"]);
    assert_eq!(again["quotient"], partial["quotient"]);

    let commands: [&[&str]; 3] = [
        &["identify", R8, "--data", data],
        &["identify", "T_9", "--data", data],
        &["identify", "00000000", "--data", data],
    ];
    error_line(commands[2], 1);
    assert_snapshot!(transcript(&commands, &[data]));
}

#[test]
fn texts_that_name_nothing_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let empty = file("empty.txt", "");
    let list = file("list.json", "{\"schema\":1}");
    let broken = file(
        "broken.json",
        "{\"order\":2,\"action\":[[0,0]],\"p_portion\":[]}",
    );
    let torn = file("torn.json", "{\"order\":2,");
    for (what, said) in [
        ("<a,b | a^2=1> P={a}", "infinite"),
        ("<a | a^2=1>", "the P-portion"),
        ("<a | a^2=b> P={}", "`b` is not a generator"),
        ("<a | a^100000=1> P={}", "more than"),
        ("nowhere/file.json", "cannot read"),
        (
            "what?",
            "is not a game, a name of a quotient, a class or a presentation",
        ),
        ("T_40", "T_40 has more than 2^16"),
        ("R_9", "no misère quotient is called R_9"),
        (
            "077",
            "can be read as the game 0.077, which is written with a point; or the game 0.77",
        ),
        ("0.[1-3]", "misere query --code '0.[1-3]'"),
        ("1f00a3b2", "--data"),
        (&empty, "neither JSON nor a presentation"),
        (&list, "is not a quotient"),
        (&broken, "is not a bipartite monoid"),
        (&torn, "neither JSON nor a presentation"),
    ] {
        let line = error_line(&["identify", what], 1);
        assert!(line.contains(said), "{what}: {line}");
    }
}

/// Text is read in the notations of papers, of LaTeX and of keyboards. Renamed generators are
/// reported.
#[test]
fn presentations_in_other_notations() {
    for typed in [
        r"\langle a,b,c \mid a^{2}=1,\ b^{3}=b,\ bc=ab,\ c^{2}=b^{2}\rangle \quad \mathcal{P}=\{a,b^{2}\}",
        "(a1,a2,a3 : a1**2=e; a2**3=a2; a2a3=a1a2; a3**2=a2**2) P=(a1,a2**2)",
        "[α,β,γ | α²=1, β³=β, βγ=αβ, γ²=β²] P={α,β²}",
    ] {
        assert_eq!(name_of(typed), "R_8", "{typed}");
    }
    let (_, told) = text(&["identify", "<x,z | x^2=1, z^3=z> P={x,z^2}"]);
    assert!(
        told.contains("generators renamed: x is a, z is b\n"),
        "{told}"
    );
    let (_, told) = text(&["identify", R8]);
    assert!(!told.contains("renamed"), "{told}");
}

/// R_8 has one presentation, the printed one, for every command.
#[test]
fn a_quotient_with_a_name_is_presented_as_it_is_printed() {
    let printed = "⟨a,b,c | a^2 = 1, b^3 = b, bc = ab, c^2 = b^2⟩  P = {a, b^2}";
    for way in ["R_8", "r8", R8, "0.75", "{*3,{*2},*2,0}"] {
        let (_, told) = json(&["identify", way, "--json"]);
        assert_eq!(told["canonical"]["text"], printed, "{way}");
    }
    let (_, told) = text(&["identify", "R_8"]);
    assert!(told.contains(&format!("{printed}\n")), "{told}");
    assert!(!told.contains("canonical: "), "{told}");
    // Its name is there once, in the first line.
    assert!(told.starts_with("R_8, order 8, 2 in P\n"), "{told}");
    let (_, analyzed) = text(&["analyze", "R_8"]);
    assert!(analyzed.starts_with("R_8, order 8, 2 in P\n"), "{analyzed}");
}

#[test]
fn misere_quotients_are_distinguished_from_other_monoids() {
    for (what, known, said) in [
        (
            "<a,b | a^2=1, b^2=1> P={a}",
            value!(false),
            "It is not a misère quotient: no set of games has it",
        ),
        (
            "<a | a^3=1> P={a}",
            value!(false),
            "no element can be the value of *",
        ),
        ("R_8", value!(true), "the literature calls it R_8"),
        (
            // The quotient of 0.123, which has no name.
            "<a,b,c,d | a^2=1, b^4=b^2, b^2c=b^3, c^2=1, d^2=b^2> P={a,b^2,ac}",
            Value::Null,
            "",
        ),
    ] {
        let (_, told) = json(&["identify", what, "--json"]);
        if known == Value::Null {
            // The order is small, so it is decided.
            assert!(told["misere_quotient"]["known"].is_boolean(), "{told}");
        } else {
            assert_eq!(told["misere_quotient"]["known"], known, "{what}");
        }
        let (_, told) = text(&["identify", what]);
        assert!(told.contains(said), "{told}");
    }
    let (_, game) = json(&["identify", "0.75", "--json"]);
    assert_eq!(game["misere_quotient"], Value::Null);
}

#[test]
fn no_option_is_passed_over_in_silence() {
    let line = error_line(&["identify", "R_8", "--heap", "3"], 1);
    assert!(
        line.contains("--heap asks for a partial quotient of a game"),
        "{line}"
    );
    let line = error_line(&["identify", R8, "--heap", "3"], 1);
    assert!(
        line.contains("--heap asks for a partial quotient of a game"),
        "{line}"
    );
    let (_, told) = text(&["identify", "0.75", "--heap", "99999"]);
    assert!(
        told.starts_with(
            "the partial quotient of 0.75 to heap 99999, which is the quotient of 0.75\n"
        ),
        "{told}"
    );
    for (what, said) in [
        ("T_8", "smallest finite game found: *128\n"),
        ("T_1", "smallest finite game found: *\n"),
        ("R_8", "smallest finite game found: *[2#320]\n"),
        (
            "0.77",
            "no finite game was looked for: the order 40 is above 32\n",
        ),
    ] {
        let (_, told) = text(&["identify", what, "--finite"]);
        assert!(told.contains(said), "{told}");
    }
}

/// A text that is a code and the beginning of a key is never read as one of them without a remark.
#[test]
fn ambiguous_texts_are_reported() {
    let said = misere(&["identify", "4"]);
    let note = String::from_utf8(said.stderr).unwrap();
    assert!(
        note.contains("note: `4` is taken for the game 4; it could also be the game 0.4, which is written with a point; or a class"),
        "{note}"
    );
}

/// A typed monoid may have 65,536 elements, which take minutes: time, fuel and a signal end the
/// work soon, and are named.
#[test]
fn work_on_a_typed_monoid_ends_at_its_limits() {
    let typed = "<a | a^65536=1> P={a}";
    for command in ["identify", "analyze"] {
        let started = std::time::Instant::now();
        let said = error_line(&[command, typed, "--time-limit", "300ms"], 4);
        assert!(said.contains("raise --time-limit"), "{said}");
        assert!(started.elapsed().as_secs() < 6, "{:?}", started.elapsed());
        let said = error_line(&[command, typed, "--fuel", "10"], 3);
        assert!(said.contains("--fuel"), "{said}");
        // Without a P-portion it is completed and enumerated as well.
        let bare = "<a | a^65536=1>";
        error_line(&[command, bare, "--fuel", "10"], 3);
    }
    #[cfg(target_os = "linux")]
    for command in ["identify", "analyze"] {
        let child = std::process::Command::new(env!("CARGO_BIN_EXE_misere"))
            .args([command, typed, "--fuel", "100G"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        crate::support::process::wait_until_it_computes(&child);
        crate::support::process::signal(&child, Signal::TERM);
        let started = std::time::Instant::now();
        let output = child.wait_with_output().unwrap();
        assert!(started.elapsed().as_secs() < 6, "{:?}", started.elapsed());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(4), "{said}");
        assert!(said.contains("by a signal"), "{said}");
    }
}
