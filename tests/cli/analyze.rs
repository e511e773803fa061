//! The structure of quotients on the command line: one command prints everything that Plambeck's
//! paper of 2005 says of 0.123 and of Kayles.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json as value};

use crate::cli::command::{error_line, json, text};

/// The statements of the paper, `tests/data/structure_2005.json`.
const PUBLISHED: &str = include_str!("../data/structure_2005.json");

/// The elements of an analysis with the action of the generators.
struct Elements<'a> {
    by_word: BTreeMap<&'a str, &'a Value>,
    /// The generator for each letter of the paper.
    letters: BTreeMap<char, usize>,
}

impl<'a> Elements<'a> {
    fn new(analysis: &'a Value, published: &Value) -> Self {
        let elements = analysis["elements"].as_array().unwrap();
        let generators = analysis["generators"].as_array().unwrap();
        let place = |heap: &Value| generators.iter().position(|it| it["heap"] == *heap);
        let letters = published["letters"].as_object().unwrap().iter();
        Self {
            by_word: elements
                .iter()
                .map(|it| (it["word"].as_str().unwrap(), it))
                .collect(),
            letters: letters
                .map(|(letter, heap)| (letter.chars().next().unwrap(), place(heap).unwrap()))
                .collect(),
        }
    }

    /// Returns the program's word for a word of the paper, such as `xz2`.
    fn word(&self, printed: &str) -> &'a str {
        let mut at = "1";
        let mut chars = printed.chars().filter(|&c| c != 'e').peekable();
        while let Some(letter) = chars.next() {
            let exponent = chars.peek().and_then(|c| c.to_digit(10));
            if exponent.is_some() {
                chars.next();
            }
            for _ in 0..exponent.unwrap_or(1) {
                at = self.by_word[at]["action"][self.letters[&letter]]
                    .as_str()
                    .unwrap();
            }
        }
        at
    }

    fn set(&self, printed: &Value) -> BTreeSet<&'a str> {
        let words = printed.as_array().unwrap().iter();
        words
            .map(|word| self.word(word.as_str().unwrap()))
            .collect()
    }
}

fn words(list: &Value) -> BTreeSet<&str> {
    let words = list.as_array().unwrap().iter();
    words.map(|word| word.as_str().unwrap()).collect()
}

#[test]
fn all_that_the_paper_says_of_two_games() {
    let published: Value = serde_json::from_str(PUBLISHED).unwrap();
    for game in published["games"].as_array().unwrap() {
        let code = game["code"].as_str().unwrap();
        let (exit, found) = json(&["analyze", code, "--json"]);
        assert_eq!(exit, 0);
        let elements = Elements::new(&found, game);
        assert_eq!(found["order"], game["order"], "{code}");
        // Sections 4.1 and 11.5: elements, relations, P-portion, pretending function.
        let printed = elements.set(&game["elements"]);
        assert_eq!(printed.len() as u64, game["order"].as_u64().unwrap());
        for relation in game["relations"].as_array().unwrap() {
            let (left, right) = relation.as_str().unwrap().split_once('=').unwrap();
            assert_eq!(elements.word(left), elements.word(right), "{relation}");
        }
        assert_eq!(
            words(&found["presentation"]["p_portion"]),
            elements.set(&game["p_portion"])
        );
        let function = &found["pretending_function"];
        assert_eq!(function["period"], game["period"]);
        for (heap, word) in (1..).zip(game["pretending_function"].as_array().unwrap()) {
            let value = &function["values"][heap];
            assert_eq!(value, elements.word(word.as_str().unwrap()), "heap {heap}");
        }
        the_elements_are_those_of_figure_4(&elements, game);
        // Section 8.1, Figure 26: the idempotents in their order.
        let idempotents: BTreeSet<&str> = found["idempotents"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["word"].as_str().unwrap())
            .collect();
        assert_eq!(idempotents, elements.set(&game["idempotents"]));
        let covers = found["idempotent_covers"].as_array().unwrap().iter();
        let covers: BTreeSet<Vec<&str>> = covers
            .map(|pair| [0, 1].map(|at| pair[at].as_str().unwrap()).to_vec())
            .collect();
        let expected = game["covers"].as_array().unwrap().iter();
        let expected: BTreeSet<Vec<&str>> = expected
            .map(|pair| {
                [0, 1]
                    .map(|at| elements.word(pair[at].as_str().unwrap()))
                    .to_vec()
            })
            .collect();
        assert_eq!(covers, expected);
        // Section 8.2, Figures 27 and 28: maximal subgroups, all elementary abelian.
        for (e, group) in game["groups"].as_object().unwrap() {
            let word = elements.word(e);
            let listed = found["idempotents"].as_array().unwrap();
            let it = listed.iter().find(|it| it["word"] == word).unwrap();
            assert_eq!(words(&it["group"]), elements.set(group), "I({e})");
            let factors = it["cyclic_factors"].as_array().unwrap();
            assert!(factors.iter().all(|order| *order == 2));
            assert_eq!(1 << factors.len(), group.as_array().unwrap().len());
        }
        assert_eq!(
            words(&found["kernel"]["elements"]),
            elements.set(&game["kernel"])
        );
        assert_eq!(found["kernel"]["normal"], true);
        let normal = &found["normal_play"];
        assert_eq!(normal["faithfully_normal"], true);
        assert_eq!(normal["heaps"], Value::Null, "for all heaps");
        assert_eq!(normal["order"], game["normal_order"]);
        if let Some(of_nim) = game["figure_28"].as_array() {
            for (nim_value, word) in of_nim.iter().enumerate() {
                let word = elements.word(word.as_str().unwrap());
                assert_eq!(normal["kernel"][nim_value], value!([nim_value, word]));
            }
        }
        if game["series"].is_array() {
            the_series_is_the_printed_one(&found, &elements, game);
        }
    }
}

/// Checks Figure 4, and with it Figures 7 to 10: outcomes, nim-values, action of the generators.
fn the_elements_are_those_of_figure_4(elements: &Elements, game: &Value) {
    let Some(outcomes) = game["outcomes"].as_str() else {
        return;
    };
    let printed = game["elements"].as_array().unwrap();
    let word_of = |number: &Value| {
        let place = number.as_u64().unwrap() as usize - 1;
        elements.word(printed[place].as_str().unwrap())
    };
    for (at, (word, outcome)) in printed.iter().zip(outcomes.chars()).enumerate() {
        let it = elements.by_word[elements.word(word.as_str().unwrap())];
        assert_eq!(it["outcome"], outcome.to_string(), "{word}");
        assert_eq!(it["nim_value"], game["nim_values"][at], "{word}");
        for (letter, images) in game["action"].as_object().unwrap() {
            let generator = elements.letters[&letter.chars().next().unwrap()];
            assert_eq!(
                it["action"][generator],
                word_of(&images[at]),
                "{word}·{letter}"
            );
        }
    }
}

/// Checks section 7.3, Figures 11 and 12.
fn the_series_is_the_printed_one(found: &Value, elements: &Elements, game: &Value) {
    let series = found["series"].as_array().unwrap();
    let printed = game["series"].as_array().unwrap();
    assert_eq!(series.len(), printed.len());
    let is_listed = |list: &Value, number: usize| {
        let numbers = list.as_array().unwrap();
        numbers.iter().any(|it| *it == number)
    };
    for (number, (class, printed)) in (1..).zip(series.iter().zip(printed)) {
        assert_eq!(
            words(&class["elements"]),
            elements.set(printed),
            "D_{number}"
        );
        let kind = match (is_listed(&game["null"], number), number == series.len()) {
            (true, _) => "null",
            (false, true) => "group",
            (false, false) => "group with zero",
        };
        assert_eq!(class["factor"], kind, "D_{number}");
        let is_normal_play = is_listed(&game["normal_play"], number);
        assert_eq!(class["is_normal_play"], is_normal_play, "D_{number}");
    }
    let (_, shown) = text(&["analyze", game["code"].as_str().unwrap(), "--tables"]);
    let lines: Vec<Vec<&str>> = shown
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    for row in game["figure_11"].as_array().unwrap() {
        let row = row.as_array().unwrap().iter();
        let row: Vec<&str> = row
            .map(|word| elements.word(word.as_str().unwrap()))
            .collect();
        // The columns are in the order of our words, so the row is compared as a set, with its head
        // and the product with zero.
        let holds = |line: &&Vec<&str>| {
            line.len() == 6
                && line[1] == "0"
                && line[2..].iter().collect::<BTreeSet<_>>() == row.iter().collect()
        };
        assert!(lines.iter().any(|line| holds(&line)), "{row:?}\n{shown}");
    }
    let nulls = lines.iter().filter(|line| {
        line.len() == 6 && line[0] != "0" && line[1..].iter().all(|product| *product == "0")
    });
    assert_eq!(
        nulls.count(),
        8,
        "the two null factors, Figure 12:\n{shown}"
    );
}

/// Section 11.2: 6 and 11 have one value, and 6 differs from 3 + 3.
#[test]
fn the_least_context_tells_positions_apart() {
    let (_, told) = json(&["analyze", "0.123", "--tell", "3+3", "h6", "--json"]);
    let told = &told["tell"];
    // A single heap does not do, and 1 + 9 is lighter than the 5 + 9 of the paper.
    assert_eq!(told["context"]["position"], "1 + 9");
    let outcomes = [0, 1].map(|at| told["elements"][at]["together_outcome"].clone());
    assert_eq!(outcomes, [value!("N"), value!("P")]);
    let (_, same) = text(&["analyze", "0.123", "--tell", "h11", "h6"]);
    assert!(same.contains("have the same value d^2"), "{same}");
    let (_, words) = text(&["analyze", "T_2", "--tell", "1", "b^2"]);
    assert!(words.contains("no context is needed"), "{words}");
}

#[test]
fn why_an_element_is_in_p_is_shown_by_moves() {
    let (_, won) = json(&["analyze", "0.123", "--why", "bd^2", "--json"]);
    let why = &won["why"];
    assert_eq!(
        (&why["outcome"], &why["positions"]),
        (&value!("N"), &value!("heaps"))
    );
    let moves = why["moves"].as_array().unwrap();
    assert!(!moves.is_empty() && moves.iter().all(|it| it["outcome"] == "P"));
    let (_, lost) = json(&["analyze", "0.123", "--why", "ac", "--json"]);
    let moves = lost["why"]["moves"].as_array().unwrap();
    assert!(!moves.is_empty() && moves.iter().all(|it| it["outcome"] == "N"));
    let (_, end) = text(&["analyze", "0.123", "--why", "1"]);
    assert!(end.contains("the empty position"), "{end}");
    // Games are found for a quotient that is given without any.
    let (_, games) = json(&["analyze", "R_8", "--why", "b^2", "--json"]);
    assert_eq!(games["why"]["positions"], "games");
    assert_eq!(games["why"]["games"].as_array().unwrap().len(), 3);
    // There are no games to show where there are none.
    let (_, none) = text(&["analyze", "<a,b | a^2=1, b^2=1> P={a}", "--why", "a"]);
    assert!(none.contains("so says the P-portion"), "{none}");
}

#[test]
fn presentations_are_typed_in_many_ways() {
    for typed in [
        "a^2=1, b^3=b ; P = {a, b^2}",
        "a²=1, b³=b, P={a,b²}",
        r"a^{2}=1, b^{3}=b; P=\{a,b^{2}\}",
        "aa=1; b*b*b=b; {a; b*b}",
        "(a)^2 -> 1, b(b)^2 -> b, P={a, (b)^2}",
        "<a,b | a^2=1, b^3=b> P={a,b^2}",
    ] {
        for command in ["analyze", "identify"] {
            let (_, found) = json(&[command, typed, "--json"]);
            assert_eq!(found["name"], "T_2", "{command} {typed}");
        }
    }
    // Elements have the letters that were typed.
    let (_, typed) = json(&["analyze", "x^2=1, z^3=z ; P={x, z^2}", "--json"]);
    assert_eq!(typed["kernel"]["identity"], "z^2");
    assert_eq!(
        typed["presentation"]["text"],
        "⟨x,z | x^2 = 1, z^3 = z⟩  P = {x, z^2}"
    );
    let missing = error_line(&["analyze", "a^2=1, b^3=b"], 1);
    assert!(missing.contains("P = {a, b^2}"), "{missing}");
    let large = error_line(&["identify", "a^40=1"], 1);
    assert!(large.contains("the P-portion is missing"), "{large}");
    let infinite = error_line(&["analyze", "a^2=1, ab=b ; P={a}"], 1);
    assert!(
        infinite.contains("infinite: all powers of `b` differ"),
        "{infinite}"
    );
    let fault = error_line(&["analyze", "a^2=1, b^3= ; P={a}"], 1);
    assert!(fault.contains("at character"), "{fault}");
}

#[test]
fn sources_of_all_kinds_are_analysed() {
    let dir = tempfile::tempdir().unwrap();
    let certificate = dir.path().join("kayles.json");
    let certificate = certificate.to_str().unwrap();
    text(&["solve", "0.77", "--out", certificate]);
    let (_, of_file) = json(&["analyze", certificate, "--json"]);
    let (_, of_code) = json(&["analyze", "0.77", "--json"]);
    assert_eq!(of_file, of_code);
    // A claim that is wrong is not analysed.
    let wrong = dir.path().join("wrong.json");
    let text_of = std::fs::read_to_string(certificate).unwrap();
    let changed = text_of.replacen("\"period\":12", "\"period\":6", 1);
    assert_ne!(changed, text_of);
    std::fs::write(&wrong, changed).unwrap();
    let refused = error_line(&["analyze", wrong.to_str().unwrap()], 5);
    assert!(refused.contains("is refuted"), "{refused}");
    let (_, partial) = json(&["analyze", "0.77", "--heap", "9", "--json"]);
    assert_eq!(
        partial["class"],
        json(&["identify", "0.77", "--heap", "9", "--json"]).1["class"]
    );
    let (_, of_game) = json(&["analyze", "{*3,{*2},*2,0}", "--json"]);
    assert_eq!(of_game["name"], "R_8");
    assert_eq!(of_game["normal_play"]["heaps"], Value::Null);
    // T³ of the base with four elements; T² of T_2.
    let (_, t4) = json(&["analyze", "T_4", "--json"]);
    assert_eq!(t4["tame_extension"]["stages"], 3);
    assert_eq!(t4["tame_extension"]["of_quotient"]["name"], "T_2");
    let (_, product) = json(&["analyze", "S'_12", "--json"]);
    let orders = product["direct_factors"].as_array().unwrap().iter();
    let orders: Vec<u64> = orders.map(|it| it["order"].as_u64().unwrap()).collect();
    assert_eq!(orders, [2, 2, 3]);
    let (_, unreduced) = json(&["analyze", "<a | a^4=1> P={a,a^3}", "--json"]);
    assert_eq!(
        (&unreduced["reduced"], &unreduced["order"]),
        (&value!(false), &value!(2))
    );
}

#[test]
fn pictures_are_written() {
    let dir = tempfile::tempdir().unwrap();
    let pictures = dir.path().join("new");
    text(&["analyze", "0.123", "--svg", pictures.to_str().unwrap()]);
    for name in ["classes", "idempotents", "cayley", "pretending"] {
        let picture = std::fs::read_to_string(pictures.join(format!("{name}.svg"))).unwrap();
        assert!(
            picture.starts_with("<svg") && picture.contains("0.123"),
            "{name}"
        );
    }
    text(&[
        "analyze",
        "R_8",
        "--svg",
        pictures.join("r8").to_str().unwrap(),
    ]);
    assert!(!pictures.join("r8/pretending.svg").exists());
}

#[test]
fn elements_that_are_none_are_refused() {
    for (arguments, said) in [
        (["0.123", "--why", "q"], "is not an element"),
        (["R_8", "--why", "1+2"], "no game is given here"),
        (["0.123", "--why", "a^"], "is not an element"),
        (["nosuch", "--why", "a"], "is not a game"),
    ] {
        let all = [["analyze"].as_slice(), &arguments].concat();
        let line = error_line(&all, 1);
        assert!(line.contains(said), "{line}");
    }
    let far = error_line(&["analyze", "0.123", "--heap", "4", "--why", "h999"], 1);
    assert!(far.contains("is not known here"), "{far}");
}

/// GAP finds the same idempotents, classes, groups, kernel and number of automorphisms from the
/// table of products alone.
#[test]
#[ignore = "slow: needs GAP, which `make test-slow` installs"]
fn gap_finds_the_same_structure() {
    for source in [
        "0.123", "0.77", "0.312", "R_14", "S'_12", "T_4", "R_20", "0.0052",
    ] {
        let (exit, found) = json(&["analyze", source, "--json"]);
        assert_eq!(exit, 0, "{source}");
        let table = Products::new(&found);
        let mut expected = String::new();
        let idempotents = found["idempotents"].as_array().unwrap();
        expected.push_str(&format!("idempotents {}\n", idempotents.len()));
        let mut classes: Vec<(usize, bool)> = found["series"]
            .as_array()
            .unwrap()
            .iter()
            .map(|class| {
                (
                    class["elements"].as_array().unwrap().len(),
                    class["idempotent"].is_string(),
                )
            })
            .collect();
        classes.sort_unstable();
        for (size, is_group) in classes {
            expected.push_str(&format!("class {size} {is_group}\n"));
        }
        let kernel = found["kernel"]["elements"].as_array().unwrap().len();
        expected.push_str(&format!("kernel {kernel}\n"));
        let factors = found["kernel"]["cyclic_factors"].as_array().unwrap();
        assert_eq!(
            factors
                .iter()
                .map(|it| it.as_u64().unwrap())
                .product::<u64>(),
            kernel as u64
        );
        let automorphisms = found["automorphisms"]["order"].as_str().unwrap();
        expected.push_str(&format!("automorphisms {automorphisms}\n"));
        assert_eq!(gap(&table.script(&found)), expected, "{source}");
    }
}

/// The table of products of an analysis, computed from the action of the generators.
struct Products {
    table: Vec<Vec<usize>>,
    /// For each element but the first the element and generator before it.
    before: Vec<Option<(usize, usize)>>,
    /// The elements in the order in which they are reached from 1.
    met: Vec<usize>,
    number: BTreeMap<String, usize>,
    action: Vec<Vec<usize>>,
}

impl Products {
    fn new(found: &Value) -> Self {
        let elements = found["elements"].as_array().unwrap();
        let word = |it: &Value| it.as_str().unwrap().to_owned();
        let number: BTreeMap<String, usize> = elements
            .iter()
            .enumerate()
            .map(|(x, it)| (word(&it["word"]), x))
            .collect();
        let action: Vec<Vec<usize>> = elements
            .iter()
            .map(|it| {
                let images = it["action"].as_array().unwrap().iter();
                images.map(|image| number[&word(image)]).collect()
            })
            .collect();
        let mut before = vec![None; elements.len()];
        let mut met = vec![0];
        let mut at = 0;
        while at < met.len() {
            let x = met[at];
            for (g, &y) in action[x].iter().enumerate() {
                if y != 0 && before[y].is_none() {
                    before[y] = Some((x, g));
                    met.push(y);
                }
            }
            at += 1;
        }
        assert_eq!(met.len(), elements.len());
        let rows = (0..elements.len()).map(|x| {
            let mut row = vec![x; elements.len()];
            for &y in &met[1..] {
                let (z, g) = before[y].unwrap();
                row[y] = action[row[z]][g];
            }
            row
        });
        let table = rows.collect();
        Self {
            table,
            before,
            met,
            number,
            action,
        }
    }

    /// Returns an automorphism as a permutation, from the images of the generators.
    fn permutation(&self, images: &Value) -> Vec<usize> {
        let images = images.as_array().unwrap().iter();
        let images: Vec<usize> = images.map(|it| self.number[it.as_str().unwrap()]).collect();
        assert_eq!(images.len(), self.action[0].len());
        let mut map = vec![0; self.table.len()];
        for &y in &self.met[1..] {
            let (z, g) = self.before[y].unwrap();
            map[y] = self.table[map[z]][images[g]];
        }
        map
    }

    fn script(&self, found: &Value) -> String {
        let from_1 = |row: &Vec<usize>| row.iter().map(|x| x + 1).collect::<Vec<_>>();
        let rows: Vec<Vec<usize>> = self.table.iter().map(from_1).collect();
        let maps = found["automorphisms"]["generators"].as_array().unwrap();
        let maps: Vec<Vec<usize>> = maps
            .iter()
            .map(|it| from_1(&self.permutation(it)))
            .collect();
        format!(
            "t := {rows:?};\n\
             s := SemigroupByMultiplicationTable(t);\n\
             Print(\"idempotents \", Length(Idempotents(s)), \"\\n\");\n\
             c := GreensJClasses(s);\n\
             l := SortedList(List(c, x -> [Size(x), ForAny(AsList(x), y -> y*y = y)]));\n\
             Sort(l, function(a, b) return a[1] < b[1] or (a[1] = b[1] and not a[2] and b[2]); end);\n\
             for x in l do Print(\"class \", x[1], \" \", x[2], \"\\n\"); od;\n\
             z := Product(Idempotents(s));\n\
             Print(\"kernel \", Size(First(c, x -> z in x)), \"\\n\");\n\
             g := Group(List({maps:?}, PermList), ());\n\
             for p in GeneratorsOfGroup(g) do for i in [1..Length(t)] do for j in [1..Length(t)] do\n\
             if t[i][j]^p <> t[i^p][j^p] then Print(\"no automorphism\\n\"); fi; od; od; od;\n\
             Print(\"automorphisms \", Size(g), \"\\n\");\n"
        )
    }
}

/// Returns the output of GAP for a script.
fn gap(script: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("ask.g");
    std::fs::write(&file, format!("{script}QUIT_GAP(7);\n")).unwrap();
    let gap = std::process::Command::new("gap")
        .args(["-q", "-A", "-r", file.to_str().unwrap()])
        .stdin(std::process::Stdio::null())
        .output()
        .expect("GAP is needed: apt-get install gap-core, as `make test-slow` does");
    let said = String::from_utf8(gap.stdout).unwrap();
    assert_eq!(gap.status.code(), Some(7), "{said}");
    said
}
