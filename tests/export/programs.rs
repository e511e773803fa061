//! GAP and Python rebuild the monoids and give the outcomes.

use crate::export::made::{codes_of_names, done, export, export_of, lines, names, read};
use misere_game::bipartite::multiplication::Multiplication;
use misere_game::solution::Document;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Returns the expected output of GAP or Python for each monoid.
fn expected(out: &Path, file: &str) -> String {
    let text = read(out, "rulesets.jsonl");
    let mut documents: BTreeMap<String, Vec<Document>> = BTreeMap::new();
    for (it, line) in lines(&text) {
        let class = it["quotient"]["class"].as_str().unwrap().to_owned();
        documents
            .entry(class)
            .or_default()
            .push(serde_json::from_str(line).unwrap());
    }
    let mut shown: Vec<Document> = documents
        .into_values()
        .map(|mut all| all.remove(0))
        .collect();
    shown.sort_by(|one, other| one.code.cmp(&other.code));
    let mut expected = String::new();
    for document in &shown {
        let solution = document.clone().into_solution().unwrap();
        let quotient = &solution.quotient;
        let squares = Multiplication::new(quotient).powers(2);
        let idempotents = (0_u32..)
            .zip(squares)
            .filter(|(x, square)| x == square)
            .count();
        expected.push_str(&format!(
            "{} order {} idempotents {idempotents} P-portion {}\n",
            document.code,
            quotient.order(),
            quotient.p_size(),
        ));
    }
    assert!(!shown.is_empty(), "{file}");
    expected + &format!("monoids checked: {}\n", shown.len())
}

/// The Python source needs nothing of Sage; Python checks what Sage would.
#[test]
#[ignore = "slow: needs Python, which `make test-slow` installs"]
fn python_rebuilds_the_monoids() {
    let dir = tempfile::tempdir().unwrap();
    let (documents, _) = export(dir.path(), "jsonl", &["--format", "jsonl"]);
    let (out, _) = export(dir.path(), "sage", &["--format", "sage"]);
    let script = "import monoids\nmonoids.check_all()\nq = monoids.find('0.77')\nprint(''.join(q.outcome([n]) for n in range(1, 22)))\nq.p_portion.pop()\ntry: q.check()\nexcept ValueError as error: print(error)";
    let said = python(&out, script);
    let games = "10 codes of 9 games agree with their rules in ";
    let said = without_positions(&said, games);
    let more = "PNNPNNNNPNNPNNNNNNNPN\nmisere quotient of 0.77: it is not reduced\n";
    assert_eq!(said, expected(&documents, "monoids.py") + games + more);
}

/// Sage itself reads the file: the numbers of a session are Sage's, and the Cayley graph is one of
/// its graphs.
#[test]
#[ignore = "needs Sage, which `make test-sage` installs"]
fn sage_rebuilds_the_monoids() {
    let dir = tempfile::tempdir().unwrap();
    let (documents, _) = export(dir.path(), "jsonl", &["--format", "jsonl"]);
    let (out, _) = export(dir.path(), "sage", &["--format", "sage"]);
    let script = "load('monoids.py')\ncheck_all()\nq = find('0.77')\nprint(''.join(q.outcome([n]) for n in range(1, 22)), \
                  q.outcome([10^12, 3]))\ngraph = DiGraph(find('0.123').cayley_graph())\nprint(graph.order(), \
                  [len(part) for part in graph.strongly_connected_components()])\n";
    std::fs::write(out.join("ask.sage"), script).unwrap();
    let sage = Command::new("sage")
        .arg("ask.sage")
        .current_dir(&out)
        .output()
        .expect("Sage is needed: apt-get install sagemath, as `make test-sage` does");
    let errors = String::from_utf8(sage.stderr).unwrap();
    assert!(sage.status.success(), "{errors}");
    let said = String::from_utf8(sage.stdout).unwrap();
    let games = "10 codes of 9 games agree with their rules in ";
    let said = without_positions(&said, games);
    let more = "PNNPNNNNPNNPNNNNNNNPN N\n20 [4, 4, 4, 4, 4]\n";
    assert_eq!(said, expected(&documents, "monoids.py") + games + more);
}

/// Runs a Python script beside an export and returns its output.
fn python(out: &Path, script: &str) -> String {
    let python = Command::new("python3")
        .args(["-B", "-c", script])
        .current_dir(out)
        .output()
        .expect("Python is needed: apt-get install python3, as `make test-slow` does");
    let errors = String::from_utf8(python.stderr).unwrap();
    assert!(errors.is_empty(), "{errors}");
    String::from_utf8(python.stdout).unwrap()
}

/// Runs a GAP script beside an export, whose functions are read, and returns its output.
fn gap(out: &Path, script: &str) -> String {
    gap_with(out, &format!("Read(\"monoids.g\");\n{script}"), 7)
}

/// Runs a GAP script beside an export and returns its output. A script that comes to its end ends
/// with 7.
fn gap_with(out: &Path, script: &str, code: i32) -> String {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("ask.g");
    let script = format!("{script}\nQUIT_GAP(7);\n");
    std::fs::write(&file, script).unwrap();
    let gap = Command::new("gap")
        .args(["-q", "-A", "-r", file.to_str().unwrap()])
        .current_dir(out)
        .stdin(std::process::Stdio::null())
        .output()
        .expect("GAP is needed: apt-get install gap-core, as `make test-slow` does");
    let said = String::from_utf8(gap.stdout).unwrap();
    assert_eq!(gap.status.code(), Some(code), "{said}");
    said
}

/// Returns the text without the number of positions compared, which must not be small.
fn without_positions(said: &str, games: &str) -> String {
    let (before, after) = said.split_once(games).unwrap_or_else(|| panic!("{said}"));
    let (count, after) = after.split_once(" positions\n").unwrap();
    let codes: u32 = games.split(' ').next().unwrap().parse().unwrap();
    assert!(count.parse::<u32>().unwrap() > 10 * codes, "{said}");
    format!("{before}{games}{after}")
}

/// Games of one class with other pretending functions, shifted heaps, periods, the kernel: the
/// source gives outcomes of any heap of any code, and its own check compares them with the rules.
#[test]
#[ignore = "slow: needs Python and GAP, which `make test-slow` installs"]
fn python_and_gap_tell_outcomes_under_every_code() {
    let dir = tempfile::tempdir().unwrap();
    let (sage, manifest) = export_of(names(), dir.path(), "sage", &["--format", "sage"]);
    let (of_gap, _) = export_of(names(), dir.path(), "gap", &["--format", "gap"]);
    let counts = &manifest["counts"];
    let count = |what: &str| counts[what].as_u64().unwrap();
    let games = format!(
        "{} codes of {} games agree with their rules in ",
        count("games") + count("aliases"),
        count("games")
    );
    assert_eq!(
        count("games") + count("aliases"),
        codes_of_names().len() as u64
    );
    without_positions(&python(&sage, "from monoids import *\ncheck_all()"), &games);
    without_positions(&gap(&of_gap, "MisereCheckAll();"), &games);

    let positions: [(&str, &[u32]); 12] = [
        ("4.4", &[1000, 28]),
        ("4.4", &[1000, 5]),
        ("4.63", &[1, 100_000, 34]),
        ("0.7", &[1_000_000, 4, 3]),
        ("0.137", &[20, 3, 11]),
        ("0.07", &[30, 5]),
        ("0.101", &[3, 400, 2]),
        ("0.777", &[120, 9]),
        ("0.777", &[120, 14]),
        ("4.44", &[121, 15]),
        ("0.9092", &[60, 1, 31]),
        ("{*2,0}", &[1, 1, 1]),
    ];
    for (code, heaps) in positions {
        let heaps: Vec<String> = heaps.iter().map(ToString::to_string).collect();
        let mut asked = vec!["outcome", code, "--json"];
        asked.extend(heaps.iter().map(String::as_str));
        let told: Value = serde_json::from_str(&done(&asked)).unwrap();
        let told = told["outcome"].as_str().unwrap();
        let heaps = heaps.join(", ");
        let asked = format!("from monoids import *\nprint(find('{code}').outcome([{heaps}]))");
        assert_eq!(python(&sage, &asked).trim(), told, "{code} {heaps}");
        let asked = format!("Print(MisereOutcome(MisereFind(\"{code}\"), [{heaps}]), \"\\n\");");
        assert_eq!(gap(&of_gap, &asked).trim(), told, "{code} {heaps}");
    }

    // An unknown outcome is reported, with the reason and the heap to which outcomes are known.
    let asked = "from monoids import *\nfor what in [lambda: find('0.07').outcome([500]), lambda: find('0.777').value([5000]), \
        lambda: find('0.77').outcome([-1]), lambda: find('0.999')]:\n  try: what()\n  except (ValueError, KeyError) as error: print(error)";
    let said = python(&sage, asked);
    let said: Vec<&str> = said.lines().collect();
    assert_eq!(said.len(), 4, "{said:?}");
    assert_eq!(
        said[0],
        "heap 500 of 0.07 is not known: the game is not solved, and phi is known to heap 33"
    );
    assert!(said[1].contains("tame relative to a heap"), "{said:?}");
    assert!(said[2].contains("whole numbers"), "{said:?}");
    assert!(said[3].contains("0.999"), "{said:?}");

    // A value that is wrong, an alias with the heap numbers of another, a false period: each is
    // found.
    for spoiled in [
        "find('0.7').values[2] ^= 1",
        "find('4.4').live = ['all but', []]",
        "find('0.07').rules = [0, 0, 3]",
        "find('0.77').kept.preperiod = 20",
        "find('0.777').tame_from = 3",
    ] {
        let asked = format!(
            "from monoids import *\n{spoiled}\ntry: check_all()\nexcept (ValueError, IndexError) as error: print('found:', error)"
        );
        assert!(python(&sage, &asked).contains("found: "), "{spoiled}");
    }
}

#[test]
#[ignore = "slow: needs GAP, which `make test-slow` installs"]
fn gap_rebuilds_the_monoids() {
    let dir = tempfile::tempdir().unwrap();
    let (documents, _) = export(dir.path(), "jsonl", &["--format", "jsonl"]);
    let (out, _) = export(dir.path(), "gap", &["--format", "gap"]);
    let asks = "MisereCheckAll();\nm := MisereFind(\"0.77\");;\nPrint(List([1 .. 21], n -> MisereOutcome(m, [n])[1]), \"\\n\");";
    let games = "10 codes of 9 games agree with their rules in ";
    let said = without_positions(&gap(&out, asks), games);
    let more = "PNNPNNNNPNNPNNNNNNNPN\n";
    assert_eq!(said, expected(&documents, "monoids.g") + games + more);
}

/// The export is a package of GAP: it is valid and loads, its objects agree with the records, and
/// its manual can be built.
#[test]
#[ignore = "slow: needs GAP, which `make test-slow` installs"]
fn gap_loads_the_export_as_a_package() {
    let dir = tempfile::tempdir().unwrap();
    let (out, _) = export(dir.path(), "gap", &["--format", "gap"]);
    let place = out.display();
    let loaded = format!("SetPackagePath(\"misere\", \"{place}\");\nLoadPackage(\"misere\");\n");
    let lines = [
        loaded.as_str(),
        "k := MisereGame(\"Kayles\");; q := MisereQuotient(\"kayles\");; phi := PretendingFunction(k);;",
        "View(k); Print(\"\\n\"); View(q); Print(\"\\n\");",
        "Print(IsIdenticalObj(q, MisereQuotient(k)), \" \", Length(PPortion(q)), \" \", PeriodOfGame(k), \"\\n\");",
        "Print(Outcome(k, [5, 9]), \" \", Outcome(k, [1000000, 3]), \" \", NimValue(k, 20), \"\\n\");",
        "iso := IsomorphismFpMonoid(q);;",
        "Print(ForAll(q, x -> PreImagesRepresentative(iso, Image(iso, x)) = x), \" \", Size(Range(iso)), \"\\n\");",
        "Print(WordOfElement(q, phi(1) * phi(2) * phi(2)), \"\\n\");",
        "Display(MisereQuotient(\"T_2\"));",
    ];
    let said = gap_with(&out, &lines.join("\n"), 7);
    let expected = "<game 0.77: solved, quotient of order 40, period 12 from heap 71>\n\
        <misere quotient of 0.77 (and 1 more), order 40, P-portion of 9>\n\
        true 9 [ 71, 12 ]\nP N 1\ntrue 40\na*b^2\n\
        <misere quotient T_2";
    assert!(said.starts_with(expected), "{said}");
    assert!(said.contains("a^2 = 1\nb^3 = b\nP: a, b^2\n"), "{said}");

    let said = gap_with(&out, &format!("{loaded}TestPackage(\"misere\");"), 0);
    assert!(said.contains("No errors detected while testing"), "{said}");
    let asked =
        "BreakOnError := false;\nPrint(CALL_WITH_CATCH(MisereGame, [\"0.999\"])[1], \"\\n\");";
    assert_eq!(gap_with(&out, &format!("{loaded}{asked}"), 7), "false\n");

    let made = Command::new("gap")
        .args(["-q", "-A", "makedoc.g"])
        .current_dir(&out)
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&made.stdout).into_owned();
    assert!(
        made.status.success(),
        "AutoDoc is needed: apt-get install gap-autodoc: {said}"
    );
    let manual = read(&out, "doc/chap1.txt");
    for function in ["MisereGame", "PretendingFunction", "WordOfElement"] {
        assert!(manual.contains(function), "{manual}");
    }
}
