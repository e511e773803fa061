//! Genera, compared with the definition, with publications and with the genera of sums.

use std::collections::BTreeMap;

use misere_algebra::forms::Forms;
use misere_algebra::forms::heaps::HeapForms;
use misere_algebra::forms::notation::GameText;
use misere_algebra::forms::sequence::{GenusSequence, genera};
use misere_algebra::genus::{Class, Genus};
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::bipartite::ClassKey;
use misere_game::bipartite::families::tame;
use misere_game::control::{Control, Stop};
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::ruleset::Code;
use misere_game::solution::NimPeriod;
use proptest::prelude::*;
use serde_json::Value;

const PUBLISHED: &str = include_str!("../../../../tests/data/genus.csv");
const TABLES: &str = include_str!("../../../report/data/tables.json");

fn sequence(code: &str, max_heap: u32) -> GenusSequence {
    genera(&code.parse().unwrap(), max_heap, &mut Control::unlimited())
}

/// A genus as it was printed: its nim-value and the printed numbers of the superscript.
struct Printed {
    nim_value: u32,
    superscript: Vec<u32>,
}

impl Printed {
    /// Reads `2^1420`, `8^8(10)`, `8^8[10]`, `6^(1,9,10,8)` and `2`, which is a nim-heap.
    fn read(text: &str) -> Self {
        let (nim_value, above) = text.split_once('^').unwrap_or((text, ""));
        let mut superscript = Vec::new();
        let mut rest = above.chars();
        while let Some(c) = rest.next() {
            if let Some(digit) = c.to_digit(10) {
                superscript.push(digit);
            } else if c == '(' || c == '[' {
                let inside: String = rest.by_ref().take_while(|c| !")]".contains(*c)).collect();
                superscript.extend(
                    inside
                        .split(',')
                        .map(|number| number.parse::<u32>().unwrap()),
                );
            }
        }
        Self {
            nim_value: nim_value.parse().unwrap(),
            superscript,
        }
    }

    fn is_of(&self, genus: &Genus) -> bool {
        let mut printed = self.superscript.iter().enumerate();
        self.nim_value == genus.nim_value() && printed.all(|(k, &value)| genus.at(k) == value)
    }
}

/// Returns the lines of the published table, some of whose cells have commas.
fn published() -> Vec<[String; 4]> {
    PUBLISHED
        .lines()
        .skip(1)
        .map(|line| {
            let mut cells = vec![String::new()];
            let mut quoted = false;
            for c in line.chars() {
                match c {
                    '"' => quoted = !quoted,
                    ',' if !quoted => cells.push(String::new()),
                    c => cells.last_mut().unwrap().push(c),
                }
            }
            let [game, heap, genus, misere, _source] = cells.try_into().unwrap();
            [game, heap, genus, misere]
        })
        .collect()
}

/// The genera of Plambeck (2005), of the tests of CGSuite and of plambeck.org.
#[test]
fn published_genera() {
    let mut known: BTreeMap<String, GenusSequence> = BTreeMap::new();
    let mut nim_heaps = 0;
    for [game, heap, genus, misere] in published() {
        let code = game.split(' ').next().unwrap().replace("4!.0", "grundy");
        let found = known
            .entry(code.clone())
            .or_insert_with(|| sequence(&code, if code == "0.77" { 32 } else { 20 }));
        let heap: usize = heap.parse().unwrap();
        // A sequence ends where its period is proved.
        let heap = match found.period {
            Some(NimPeriod { period, preperiod }) if heap >= found.heaps.len() => {
                let (period, preperiod) = (period as usize, preperiod as usize);
                preperiod + (heap - preperiod) % period
            }
            _ => heap,
        };
        let found = &found.heaps[heap];
        let printed = Printed::read(&genus);
        assert!(
            printed.is_of(&found.genus),
            "{game} {heap}: {genus}, {}",
            found.genus
        );
        if let Ok(misere) = misere.parse::<u32>() {
            assert_eq!(found.genus.misere_nim_value(), misere, "{game} {heap}");
            // CGSuite writes the number alone for a nim-heap and for no other game.
            assert_eq!(
                found.class == Class::NimHeap,
                !genus.contains('^'),
                "{game} {heap}"
            );
            nim_heaps += 1;
        }
    }
    assert!(nim_heaps > 80, "{nim_heaps}");
}

/// Plambeck (2005), Figures 2, 4 and 21 and section 11.2.
#[test]
fn genera_of_plambeck() {
    let tables: Value = serde_json::from_str(TABLES).unwrap();
    let found = sequence("0.123", 30);
    let period = NimPeriod {
        period: 5,
        preperiod: 5,
    };
    assert_eq!(found.period, Some(period));
    for (at, printed) in tables["taming_figure2"]["genus"]
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
    {
        let printed = printed.as_str().unwrap();
        let heap = &found.heaps[at + 1];
        match printed.contains('^') {
            true => assert_eq!(heap.genus.to_string(), printed),
            false => {
                assert_eq!(heap.class, Class::NimHeap);
                assert_eq!(heap.genus.nim_value().to_string(), printed);
            }
        }
    }
    // "Unlike h_6, the latter two positions are wild", that is, not tame.
    let classes = [6, 7, 8, 9].map(|heap: usize| found.heaps[heap].class);
    assert_eq!(
        classes,
        [Class::Tame, Class::NimHeap, Class::Restless, Class::Restive]
    );

    let found = sequence("0.77", 32);
    for (at, printed) in tables["taming_figure21"]["genus"]
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
    {
        let printed = printed
            .as_str()
            .unwrap()
            .replace('[', "(")
            .replace(']', ")");
        assert_eq!(
            found.heaps[at + 1].genus.to_string(),
            printed,
            "heap {}",
            at + 1
        );
    }
    assert_eq!(found.first(|heap| !heap.class.is_tame()), Some(5));

    let code: Code = "0.123".parse().unwrap();
    let (mut forms, mut heaps) = (Forms::new(), HeapForms::new(&code));
    let heap_of = [('x', 1), ('z', 3), ('a', 8), ('b', 9)];
    for row in tables["taming_figure4"]["rows"].as_array().unwrap() {
        let mut position = Vec::new();
        let word = row["element"].as_str().unwrap();
        for (at, c) in word.char_indices() {
            if let Some(&(_, heap)) = heap_of.iter().find(|(name, _)| *name == c) {
                let power = word[at + 1..].strip_prefix('^');
                let power = power.map_or(1, |rest| rest[..1].parse().unwrap());
                position.extend(std::iter::repeat_n(heap, power));
            }
        }
        let form = heaps
            .position(&position, &mut forms, &mut Control::unlimited())
            .unwrap();
        assert_eq!(forms.genus(form).to_string(), row["genus"], "{word}");
        assert_eq!(forms.outcome(form).to_string(), row["outcome"], "{word}");
    }

    let mut genus = |text: &str| {
        let game: GameText = text.parse().unwrap();
        let form = game.form(&mut forms, &mut Control::unlimited()).unwrap();
        forms.genus(form).to_string()
    };
    let context = "(2+3)(2+20)31";
    for (text, right) in [
        (context.to_owned(), "0^20"),
        (format!("0.123:6 + {context}"), "0^20"),
        (format!("0.123:11 + {context}"), "0^0520"),
        ("0.123:3+3".to_owned(), "0^02"),
        ("0.123:6+5+9".to_owned(), "0^02"),
        ("0.123:3+3+5+9".to_owned(), "0^31"),
    ] {
        assert_eq!(genus(&text), right, "{text}");
    }
}

/// The misère nim-value of `G` with heaps of two is the n for which a heap of n more makes a
/// P-position, and the nim-value is the same in normal play. The outcomes are those of the
/// definition, for a game that has the heaps of the code beside heaps of Nim.
#[test]
fn genera_are_those_of_the_definition() {
    for text in [
        "0.123", "0.77", "0.07", "0.15", "4.7", "0.3F", "0.26", "grundy",
    ] {
        let code: Code = text.parse().unwrap();
        let (mut forms, mut heaps) = (Forms::new(), HeapForms::new(&code));
        let mut misere = Beside::new(&code, Outcome::N);
        let mut normal = Beside::new(&code, Outcome::P);
        for position in [
            vec![5],
            vec![6],
            vec![8],
            vec![9],
            vec![3, 5],
            vec![2, 3, 6],
        ] {
            let form = heaps
                .position(&position, &mut forms, &mut Control::unlimited())
                .unwrap();
            let genus = forms.genus(form);
            let nim_value = (0..).find(|&n| normal.is_p(&position, &[n])).unwrap();
            assert_eq!(genus.nim_value(), nim_value, "{text} {position:?}");
            for twos in 0..4 {
                let value = (0..).find(|&n| {
                    let mut nim = vec![2; twos];
                    nim.push(n);
                    misere.is_p(&position, &nim)
                });
                assert_eq!(Some(genus.at(twos)), value, "{text} {position:?} {twos}");
            }
        }
    }
}

/// Heaps of a code beside heaps of Nim.
struct Beside<'a> {
    code: &'a Code,
    /// The outcome of the position without moves.
    end: Outcome,
    known: BTreeMap<(Vec<u32>, Vec<u32>), bool>,
}

impl<'a> Beside<'a> {
    fn new(code: &'a Code, end: Outcome) -> Self {
        let known = BTreeMap::new();
        Self { code, end, known }
    }

    fn is_p(&mut self, heaps: &[u32], nim: &[u32]) -> bool {
        let mut heaps: Vec<u32> = heaps.to_vec();
        heaps.retain(|&heap| self.code.is_live(heap));
        heaps.sort_unstable();
        let mut nim: Vec<u32> = nim.iter().copied().filter(|&heap| heap > 0).collect();
        nim.sort_unstable();
        let key = (heaps.clone(), nim.clone());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let is_end = heaps.is_empty() && nim.is_empty();
        let mut is_p = !is_end || self.end == Outcome::P;
        for at in 0..heaps.len() {
            for option in self.code.options(heaps[at]) {
                let mut after = heaps.clone();
                after.remove(at);
                after.extend(option.parts());
                is_p &= !self.is_p(&after, &nim);
            }
        }
        for at in 0..nim.len() {
            for less in 0..nim[at] {
                let mut after = nim.clone();
                after[at] = less;
                is_p &= !self.is_p(&heaps, &after);
            }
        }
        self.known.insert(key, is_p);
        is_p
    }
}

/// If all heaps are tame, then so is the quotient (Siegel). The first wild partial quotient is not
/// before the first heap that is not tame.
#[test]
fn tame_heaps_have_tame_quotients() {
    let tame_classes: Vec<ClassKey> = (0..6).map(|n| tame(n).class_key()).collect();
    let mut at_once = 0;
    let mut wild = 0;
    for digits in 0..512 {
        let code = format!("0.{digits:03o}");
        let found = sequence(&code, 9);
        let limits = Limits {
            max_heap: 9,
            max_evidence: 0,
            ..Limits::default()
        };
        let code: Code = code.parse().unwrap();
        let control = &mut Control::new(300_000, Default::default());
        let solution = solve(&code, &limits, Strategy::Exact, control);
        let mut partials = solution.partials.iter();
        let first = partials.find(|partial| !tame_classes.contains(&partial.class));
        let heap = found.first(|heap| !heap.class.is_tame());
        let Some(first) = first else {
            let is_beyond = |heap: u32| heap as usize >= solution.phi.len();
            assert!(heap.is_none_or(is_beyond), "{code}: {heap:?}");
            continue;
        };
        wild += 1;
        assert!(
            heap.is_some_and(|heap| heap <= first.heap),
            "{code}: {heap:?} {}",
            first.heap
        );
        at_once += usize::from(heap == Some(first.heap));
    }
    assert!(wild > 100, "{wild}");
    assert_eq!(at_once, wild);
}

/// The genera of a game whose moves do not split heaps are proved to repeat, or do not repeat.
#[test]
fn periods_hold_further_on() {
    for code in ["0.123", "0.3103", "0.312", "0.3", "0.102", "0.2102"] {
        let found = sequence(code, 2_000);
        let Some(NimPeriod { period, preperiod }) = found.period else {
            continue;
        };
        let game: Code = code.parse().unwrap();
        let (mut forms, mut heaps) = (Forms::new(), HeapForms::new(&game));
        for heap in preperiod..preperiod + 3 * period + 20 {
            let genus = |forms: &mut Forms, heaps: &mut HeapForms<'_>, heap| {
                let form = heaps.heap(heap, forms, &mut Control::unlimited()).unwrap();
                forms.genus(form).clone()
            };
            let one = genus(&mut forms, &mut heaps, heap);
            let other = genus(&mut forms, &mut heaps, heap + period);
            assert_eq!(one, other, "{code} {heap}");
        }
    }
}

#[test]
fn known_genera_are_kept_when_the_fuel_is_spent() {
    let code: Code = "0.77".parse().unwrap();
    let found = genera(
        &code,
        u32::MAX,
        &mut Control::new(3_000, Default::default()),
    );
    assert_eq!(found.stopped, Some(Stop::FuelSpent));
    let longer = sequence("0.77", 20);
    assert!(found.heaps.len() > 5);
    assert_eq!(found.heaps[..], longer.heaps[..found.heaps.len()]);
    let none = genera(&code, 5, &mut Control::new(0, Default::default()));
    // Heap 0 is given.
    assert_eq!((none.heaps.len(), none.stopped), (1, Some(Stop::FuelSpent)));
}

proptest! {
    /// In any game the outcome read from the genus is that of the definition.
    #[test]
    fn outcomes_of_any_game(d0 in 0_u8..2, digits in prop::collection::vec(0_u8..16, 1..5), heap in 0_u32..9) {
        let code = Code::new(4 * d0, &digits).unwrap();
        let found = genera(&code, heap, &mut Control::unlimited());
        let mut oracle = Oracle::new(&code, Convention::Misere);
        for (heap, found) in found.heaps.iter().enumerate() {
            let right = oracle.outcome(&[heap as u32], &mut Control::unlimited()).unwrap();
            prop_assert_eq!(found.genus.outcome(), right);
        }
    }
}
