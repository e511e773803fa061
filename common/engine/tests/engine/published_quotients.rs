//! The quotients printed in the papers, read from their presentations.

use std::collections::BTreeMap;

use misere_game::bipartite::families::{restive, tame};
use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::monoid::finitely_presented::FinitePresentation;
use misere_game::monoid::presentation::presentation;
use misere_game::monoid::word::lex_least_words;
use serde::Deserialize;

const QUOTIENTS: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../common/report/data/quotients.json"
));
const TABLES: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../common/report/data/tables.json"
));

#[derive(Deserialize)]
struct Quotients {
    finite: Vec<Finite>,
    families: Vec<Family>,
}

#[derive(Deserialize)]
struct Finite {
    id: String,
    #[serde(default)]
    elements: Vec<String>,
    #[serde(default)]
    idempotents: Vec<String>,
    #[serde(flatten)]
    printed: Printed,
}

/// A presentation with the order it should have.
#[derive(Deserialize)]
struct Printed {
    generators: Vec<String>,
    relations: Vec<String>,
    #[serde(rename = "P")]
    p_portion: Vec<String>,
    order: usize,
}

impl Printed {
    fn presentation(&self) -> FinitePresentation {
        FinitePresentation::from_lists(&self.generators, &self.relations).unwrap()
    }

    fn monoid(&self) -> BipartiteMonoid {
        self.presentation()
            .bipartite_monoid_of(&self.p_portion, 1_000)
            .unwrap()
    }
}

#[derive(Deserialize)]
struct Family {
    id: String,
    instances: Vec<Instance>,
}

#[derive(Deserialize)]
struct Instance {
    n: u32,
    #[serde(flatten)]
    printed: Printed,
}

#[derive(Deserialize)]
struct Tables {
    figure10: Figure10,
}

#[derive(Deserialize)]
struct Figure10 {
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    name: String,
    #[serde(flatten)]
    printed: Printed,
}

fn quotients() -> Quotients {
    serde_json::from_str(QUOTIENTS).unwrap()
}

fn element(presentation: &FinitePresentation, monoid: &BipartiteMonoid, word: &str) -> u32 {
    monoid.product(presentation.word(word).unwrap().0.into_iter().enumerate())
}

#[test]
fn every_printed_presentation_has_its_order_and_is_reduced() {
    let finite = quotients().finite;
    assert_eq!(finite.len(), 30);
    for entry in finite {
        let monoid = entry.printed.monoid();
        assert_eq!(monoid.order(), entry.printed.order, "{}", entry.id);
        assert_eq!(
            monoid.p_size(),
            entry.printed.p_portion.len(),
            "{}",
            entry.id
        );
        assert!(monoid.is_reduced(), "{}", entry.id);
    }
}

#[test]
fn printed_elements_are_all_elements() {
    for entry in quotients().finite {
        let (presentation, monoid) = (entry.printed.presentation(), entry.printed.monoid());
        let mut elements: Vec<u32> = entry
            .elements
            .iter()
            .map(|word| element(&presentation, &monoid, word))
            .collect();
        elements.sort_unstable();
        assert!(
            elements.into_iter().eq(0..monoid.order() as u32),
            "{}",
            entry.id
        );

        let words = lex_least_words(&monoid);
        let is_idempotent = |x: &u32| {
            let word = words[*x as usize].0.iter().map(|&exponent| 2 * exponent);
            monoid.product(word.enumerate()) == *x
        };
        let mut idempotents: Vec<u32> = entry
            .idempotents
            .iter()
            .map(|word| element(&presentation, &monoid, word))
            .collect();
        idempotents.sort_unstable();
        assert!(
            idempotents
                .into_iter()
                .eq((0..monoid.order() as u32).filter(is_idempotent)),
            "{}",
            entry.id
        );
    }
}

/// Our presentation of a printed quotient is a presentation of it.
#[test]
fn our_presentations_present_the_same_quotients() {
    for entry in quotients().finite {
        let monoid = entry.printed.monoid();
        let relations: Vec<String> = presentation(&monoid, &lex_least_words(&monoid))
            .iter()
            .map(ToString::to_string)
            .collect();
        let names: Vec<String> = (0..monoid.generators())
            .map(misere_game::monoid::word::generator_name)
            .collect();
        let again = FinitePresentation::from_lists(&names, &relations)
            .unwrap()
            .bipartite_monoid(&[], 1_000)
            .unwrap();
        let bare = BipartiteMonoid::new(monoid.order(), monoid.action().to_vec(), []).unwrap();
        let pairs = (0..monoid.generators()).map(|g| (again.act(0, g), bare.act(0, g)));
        assert!(
            again.isomorphism_extending(&bare, pairs).is_some(),
            "{}",
            entry.id
        );
    }
}

#[test]
fn families_are_those_of_the_structure_paper() {
    let mut seen = 0;
    for family in quotients().families {
        for Instance { n, printed } in family.instances {
            let monoid = printed.monoid();
            assert_eq!(monoid.order(), printed.order);
            let (ours, name) = match family.id.as_str() {
                "T_n" => (tame(n), format!("T_{n}")),
                _ => (restive(n).unwrap(), format!("R_{}", printed.order)),
            };
            assert!(monoid.isomorphism(&ours).is_some(), "{} {n}", family.id);
            assert_eq!(monoid.class_key(), ours.class_key());
            assert_eq!(monoid.known_name(), Some(name));
            assert_eq!(monoid.is_tame(), family.id == "T_n");
            seen += 1;
        }
    }
    assert_eq!(seen, 12);
}

#[test]
fn figure_10_lists_different_quotients_by_name() {
    let tables: Tables = serde_json::from_str(TABLES).unwrap();
    let mut name_of: BTreeMap<ClassKey, String> = BTreeMap::new();
    for row in tables.figure10.rows {
        let monoid = row.printed.monoid();
        assert_eq!(monoid.order(), row.printed.order);
        assert_eq!(monoid.known_name().as_ref(), Some(&row.name));
        assert_eq!(name_of.insert(monoid.class_key(), row.name), None);
    }
    assert_eq!(name_of.len(), 8);
}

/// Entries from different papers, or different rows of Table 2, are isomorphic exactly if they name
/// the same quotient.
#[test]
fn coincidences_between_the_papers() {
    let mut classes: BTreeMap<ClassKey, Vec<String>> = BTreeMap::new();
    for entry in quotients().finite {
        classes
            .entry(entry.printed.monoid().class_key())
            .or_default()
            .push(entry.id);
    }
    let mut shared: Vec<Vec<String>> = classes.into_values().filter(|ids| ids.len() > 1).collect();
    shared.sort();
    assert_eq!(
        shared,
        [
            vec!["Q_0.123", "Q_0.123_taming", "Q_0.123_rewriting"],
            vec!["Q_0.77", "Q_0.77_taming"],
            vec!["S12", "order12_1", "0.3122_Q4"],
            vec!["S12'", "order12_2"],
            vec!["T1", "0.3122_Q1"],
            vec!["T2", "0.3122_Q2"],
        ]
    );
}
