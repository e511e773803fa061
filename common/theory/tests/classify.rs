//! The misère quotients of small order: against what was published, by both paths, and the same
//! however they are computed.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};

use misere_theory::bipartite::{BipartiteMonoid, ClassKey, Element};
use misere_theory::classify::comparison::Comparison;
use misere_theory::classify::digest::ListDigest;
use misere_theory::classify::facts::{Summary, facts};
use misere_theory::classify::one_stage_extensions::{RandomStages, confirms};
use misere_theory::classify::smallest::{as_one_game, in_papers_notation};
use misere_theory::classify::{BadState, Classifier, published};
use misere_theory::control::{Control, Interrupt, Stop};
use misere_theory::monoid::finitely_presented::FinitePresentation;
use misere_theory::monoid::word::Word;
use misere_theory::quotient::{Limits, Strategy, solve};
use misere_theory::ruleset::Code;
use misere_theory::solution::Construction;
use misere_theory::solution::construction::ConstructionDocument;
use misere_theory::verify::construction::{ConstructionFlaw, check};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::Value;

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
    finite: Vec<Printed>,
}

#[derive(Deserialize)]
struct Printed {
    id: String,
    generators: Vec<String>,
    relations: Vec<String>,
    #[serde(rename = "P")]
    p_portion: Vec<String>,
    order: usize,
}

#[derive(Deserialize)]
struct Tables {
    table1_counts_by_order: Table1,
}

#[derive(Deserialize)]
struct Table1 {
    counts: BTreeMap<usize, usize>,
}

fn classified(most: usize) -> Classifier {
    let mut classifier = Classifier::new(most);
    while classifier
        .next_order(&mut Control::unlimited())
        .unwrap()
        .is_some()
    {}
    classifier
}

fn constructions(classifier: &Classifier) -> Vec<Construction> {
    let quotients = classifier
        .complete()
        .iter()
        .flat_map(|level| &level.quotients);
    quotients
        .map(|quotient| quotient.construction(&mut Control::unlimited()).unwrap())
        .collect()
}

fn counts(classifier: &Classifier) -> BTreeMap<usize, usize> {
    let levels = classifier.complete().iter();
    levels
        .map(|level| (level.order, level.quotients.len()))
        .collect()
}

fn keys(classifier: &Classifier, order: usize) -> BTreeSet<ClassKey> {
    let levels = classifier.complete().iter();
    levels
        .filter(|level| level.order == order)
        .flat_map(|level| &level.quotients)
        .map(|quotient| quotient.class())
        .collect()
}

/// Orders 2 to 12 are as published (Siegel 2015, Theorem 6.1 and Tables 1 and 2).
#[test]
fn orders_to_12_are_as_published() {
    let tables: Tables = serde_json::from_str(TABLES).unwrap();
    assert_eq!(
        BTreeMap::from(published::TABLE_1),
        tables.table1_counts_by_order.counts
    );
    let classifier = classified(12);
    for (order, count) in counts(&classifier) {
        assert_eq!(
            count, tables.table1_counts_by_order.counts[&order],
            "order {order}"
        );
    }
    let quotients: Quotients = serde_json::from_str(QUOTIENTS).unwrap();
    let printed: BTreeSet<ClassKey> = quotients
        .finite
        .iter()
        .filter(|printed| printed.id.starts_with("order12_"))
        .map(class)
        .collect();
    assert_eq!(printed.len(), 6);
    assert_eq!(keys(&classifier, 12), printed);
    let names: Vec<Option<String>> = constructions(&classifier)
        .iter()
        .filter(|construction| construction.quotient.order() <= 10)
        .map(|construction| construction.quotient.known_name())
        .collect();
    let right = ["T_1", "T_2", "R_8", "T_3"].map(|name| Some(name.to_owned()));
    assert_eq!(names, right);
}

fn class(printed: &Printed) -> ClassKey {
    let presentation =
        FinitePresentation::from_lists(&printed.generators, &printed.relations).unwrap();
    presentation
        .bipartite_monoid_of(&printed.p_portion, 100)
        .unwrap()
        .class_key()
}

/// Every published quotient of order at most 16 is in the list.
#[test]
fn published_quotients_are_found() {
    let classifier = classified(16);
    let quotients: Quotients = serde_json::from_str(QUOTIENTS).unwrap();
    let mut met = 0;
    for printed in quotients
        .finite
        .iter()
        .filter(|printed| (2..=16).contains(&printed.order))
    {
        assert!(
            keys(&classifier, printed.order).contains(&class(printed)),
            "{}",
            printed.id
        );
        met += 1;
    }
    assert!(met >= 12);
}

/// Twelve of order 14, where nine were published: each with games, by the checker and by exact
/// kernels, and no two isomorphic by trying all maps.
#[test]
fn there_are_twelve_of_order_14() {
    let classifier = classified(14);
    let all = constructions(&classifier);
    for construction in &all {
        assert_eq!(check(construction, &mut Control::unlimited()), Ok(()));
        assert_eq!(confirms(construction, &mut Control::unlimited()), Ok(true));
    }
    let last: Vec<&BipartiteMonoid> = all
        .iter()
        .map(|construction| &construction.quotient)
        .filter(|quotient| quotient.order() == 14)
        .collect();
    assert_eq!(last.len(), 12);
    for (at, one) in last.iter().enumerate() {
        assert!(is_isomorphic(one, one));
        for other in &last[..at] {
            assert!(!is_isomorphic(one, other));
        }
    }
}

/// Whether some images of the generators extend to an isomorphism.
fn is_isomorphic(one: &BipartiteMonoid, other: &BipartiteMonoid) -> bool {
    fn images(
        one: &BipartiteMonoid,
        other: &BipartiteMonoid,
        chosen: &mut Vec<(Element, Element)>,
    ) -> bool {
        let g = chosen.len();
        if g == one.generators() {
            return one
                .isomorphism_extending(other, chosen.iter().copied())
                .is_some();
        }
        let x = one.act(0, g);
        for y in 0..other.order() as Element {
            if one.in_p(x) == other.in_p(y) && chosen.iter().all(|&(_, taken)| taken != y) {
                chosen.push((x, y));
                if images(one, other, chosen) {
                    return true;
                }
                chosen.pop();
            }
        }
        false
    }
    one.p_size() == other.p_size() && images(one, other, &mut Vec::new())
}

/// What the program has of Tables 2 and 3 is what the data of the scan say, as repaired there.
#[test]
fn the_tables_are_those_of_the_data() {
    let tables: Value = serde_json::from_str(TABLES).unwrap();
    let rows = tables["table3"]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), published::TABLE_3.rows.len());
    for (row, right) in published::TABLE_3.rows.iter().zip(rows) {
        assert_eq!(row.game, right["reading"].as_str());
        assert_eq!(row.scan, right["ocr"].as_str());
    }
    for (table, right) in [
        (&published::TABLE_2, &tables["table2"]),
        (&published::TABLE_3, &tables["table3"]["abbreviations"]),
    ] {
        for (letter, game) in table.abbreviations {
            assert_eq!(right[letter.to_string()], *game, "{letter}");
        }
    }
    let quotients: Value = serde_json::from_str(QUOTIENTS).unwrap();
    let list = quotients["finite"].as_array().unwrap();
    for (number, row) in (1..).zip(published::TABLE_2.rows) {
        let id = format!("order12_{number}");
        let right = list.iter().find(|printed| printed["id"] == *id).unwrap();
        let texts = |field: &str| -> Vec<&str> {
            let items = right[field].as_array().unwrap();
            items.iter().map(|item| item.as_str().unwrap()).collect()
        };
        let printed = row.quotient.as_ref().unwrap();
        assert_eq!(row.game, right["game"].as_str());
        assert_eq!(printed.p_portion, texts("P"));
        let presentation = format!(
            "⟨{} | {}⟩",
            texts("generators").join(","),
            texts("relations").join(", ")
        );
        assert_eq!(printed.presentation, presentation);
    }
}

/// Table 2 is found whole, each game with the quotient printed beside it; of Table 3 the eight rows
/// that can be read are eight of the twelve.
#[test]
fn the_published_tables_are_found() {
    let list = constructions(&classified(14));
    let control = &mut Control::unlimited();
    let table_2 = Comparison::of(&list, &published::TABLE_2, control).unwrap();
    assert!(table_2.is_contained());
    assert_eq!((table_2.illegible(), table_2.unpublished.len()), (0, 0));
    for row in &table_2.rows {
        assert_eq!(row.game_has_the_quotient(), Some(true));
    }
    let table_3 = Comparison::of(&list, &published::TABLE_3, control).unwrap();
    assert!(table_3.is_contained());
    assert_eq!((table_3.illegible(), table_3.unpublished.len()), (1, 4));
    let places: BTreeSet<usize> = table_3
        .rows
        .iter()
        .filter_map(|row| Some(row.ours.as_ref()?.place))
        .collect();
    assert_eq!(places.len(), 8);
    assert!(
        places
            .iter()
            .all(|place| !table_3.unpublished.contains(place))
    );
    // What is said to be an isomorphism is one.
    for row in table_2.rows.iter().chain(&table_3.rows) {
        let (Some(quotient), Some(ours)) = (row.quotient(), &row.ours) else {
            continue;
        };
        let target = &list[ours.place].quotient;
        let pairs = (0..quotient.generators()).map(|g| {
            let word = Word::read(&ours.images[g], target.generators()).unwrap();
            (
                quotient.act(0, g),
                target.product(word.0.into_iter().enumerate()),
            )
        });
        assert!(quotient.isomorphism_extending(target, pairs).is_some());
    }
    // With a quotient missing in the list, its row has no match.
    let shorter: Vec<Construction> = list
        .iter()
        .filter(|construction| construction.quotient.known_name().as_deref() != Some("R_14"))
        .cloned()
        .collect();
    let lacking = Comparison::of(&shorter, &published::TABLE_3, control).unwrap();
    assert!(!lacking.is_contained());
    assert_eq!(lacking.rows[0].ours, None);
}

/// The digest of a list depends on its classes alone, and on every one.
#[test]
fn the_digest_is_of_the_classes() {
    let list = constructions(&classified(12));
    let digest = ListDigest::of(&list).to_string();
    let classes = list
        .iter()
        .map(|item| (item.quotient.order(), item.quotient.class_key()));
    let lines: BTreeSet<String> = classes
        .map(|(order, class)| format!("{order:02} {class}"))
        .collect();
    let text: String = lines
        .iter()
        .map(|line| format!("{}\n", line.trim_start_matches('0')))
        .collect();
    assert_eq!(digest, blake3::hash(text.as_bytes()).to_hex().to_string());
    assert_eq!(ListDigest::of(list.iter().rev()).to_string(), digest);
    assert_ne!(ListDigest::of(&list[1..]).to_string(), digest);
}

/// What is left out because it cannot be told apart any more never is a quotient: a greater order
/// finds the same of a smaller one.
#[test]
fn the_greatest_order_does_not_matter() {
    let whole = classified(16);
    for most in [2, 4, 6, 8, 10, 12, 14] {
        let part = classified(most);
        for level in part.complete() {
            assert_eq!(
                keys(&part, level.order),
                keys(&whole, level.order),
                "{} of {most}",
                level.order
            );
        }
    }
    assert_eq!(counts(&whole)[&16], 67);
}

#[test]
fn threads_do_not_matter() {
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let mut classifier = Classifier::new(14);
            let mut control = Control::new(200_000, Interrupt::default());
            while classifier.next_order(&mut control).unwrap().is_some() {}
            (classifier.to_bytes(), control.ticks_spent())
        })
    };
    let one = with_threads(1);
    assert_eq!(one, with_threads(2));
    assert_eq!(one, with_threads(3));
}

#[test]
fn fuel_and_interruption_stop_it_between_orders() {
    let spent: Vec<u64> = classified(12)
        .complete()
        .iter()
        .map(|level| level.fuel)
        .collect();
    let mut classifier = Classifier::new(12);
    let mut control = Control::new(spent[0] + spent[1], Interrupt::default());
    assert!(classifier.next_order(&mut control).unwrap().is_some());
    assert!(classifier.next_order(&mut control).unwrap().is_some());
    assert_eq!(
        classifier.next_order(&mut control).unwrap_err(),
        Stop::FuelSpent
    );
    assert_eq!(classifier.complete().len(), 2);
    let interrupt = Interrupt::default();
    interrupt.raise();
    let stopped = classifier.next_order(&mut Control::new(u64::MAX, interrupt));
    assert_eq!(stopped.unwrap_err(), Stop::Interrupted);
    // It goes on as if nothing had happened.
    while classifier
        .next_order(&mut Control::unlimited())
        .unwrap()
        .is_some()
    {}
    assert_eq!(classifier.to_bytes(), classified(12).to_bytes());
}

#[test]
fn a_state_goes_on_to_the_same_end() {
    let whole = classified(14).to_bytes();
    for orders in 0..=7 {
        let mut classifier = Classifier::new(14);
        for _ in 0..orders {
            classifier.next_order(&mut Control::unlimited()).unwrap();
        }
        let mut read = Classifier::from_bytes(&classifier.to_bytes()).unwrap();
        while read
            .next_order(&mut Control::unlimited())
            .unwrap()
            .is_some()
        {}
        assert_eq!(read.to_bytes(), whole);
    }
}

fn with_hash(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 32;
    let hash = blake3::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(hash.as_bytes());
    bytes
}

#[test]
fn bad_states_are_refused() {
    let mut classifier = Classifier::new(12);
    for _ in 0..4 {
        classifier.next_order(&mut Control::unlimited()).unwrap();
    }
    let bytes = classifier.to_bytes();
    assert_eq!(Classifier::from_bytes(b"").unwrap_err(), BadState::Foreign);
    assert_eq!(
        Classifier::from_bytes(&bytes[..40]).unwrap_err(),
        BadState::Damaged
    );
    let mut changed = bytes.clone();
    changed[60] ^= 1;
    assert_eq!(
        Classifier::from_bytes(&changed).unwrap_err(),
        BadState::Damaged
    );
    // With the hash put right again, what is said must still be possible: no panic, and if it is
    // read it is written the same.
    for at in (24..200).chain((200..bytes.len() - 32).step_by(31)) {
        let mut changed = bytes.clone();
        changed[at] ^= [1, 2, 0x80, 0xff][at % 4];
        let changed = with_hash(changed);
        if let Ok(read) = Classifier::from_bytes(&changed) {
            assert_eq!(read.to_bytes().len(), changed.len());
        }
    }
}

/// Changes to a certificate that make it untrue are found.
#[test]
fn tampered_constructions_are_refused() {
    let all = constructions(&classified(14));
    let control = &mut Control::unlimited();
    let mut refused = 0;
    for good in &all {
        assert_eq!(check(good, control), Ok(()));
        let document = ConstructionDocument::new(good);
        let text = serde_json::to_string(&document).unwrap();
        let read: ConstructionDocument = serde_json::from_str(&text).unwrap();
        assert_eq!(read.to_construction().unwrap(), *good);
        let order = good.quotient.order();
        // Another P-portion.
        for x in 0..order as Element {
            let flipped: Vec<Element> = (0..order as Element)
                .filter(|&y| good.quotient.in_p(y) != (x == y))
                .collect();
            let quotient =
                BipartiteMonoid::new(order, good.quotient.action().to_vec(), flipped).unwrap();
            let bad = Construction {
                quotient,
                ..good.clone()
            };
            assert!(check(&bad, control).is_err());
        }
        // No option can be spared, by construction of the list.
        for game in 0..good.options.len() {
            for option in 0..good.options[game].len() {
                let mut bad = good.clone();
                bad.options[game].remove(option);
                assert!(check(&bad, control).is_err());
                refused += 1;
            }
            let mut bad = good.clone();
            let mut own = vec![0; good.options.len()];
            own[game] = 1;
            bad.options[game].push(Word(own));
            let flaw = check(&bad, control).unwrap_err();
            assert!(matches!(flaw, ConstructionFlaw::NotEarlier { .. }));
        }
        let mut bad = good.clone();
        bad.options.pop();
        assert!(matches!(
            check(&bad, control),
            Err(ConstructionFlaw::GameCount { .. })
        ));
        let mut bad = good.clone();
        bad.rank.pop();
        assert_eq!(check(&bad, control), Err(ConstructionFlaw::RankForm));
        let mut bad = good.clone();
        bad.rank[1] = 0;
        assert!(matches!(
            check(&bad, control),
            Err(ConstructionFlaw::Rank(_))
        ));
    }
    assert!(refused > 100);
}

#[test]
fn facts_of_the_list() {
    let all = constructions(&classified(14));
    let mut summary = Summary::default();
    for construction in &all {
        summary.add(&facts(construction));
    }
    // Siegel, Theorem 3.8.
    assert!(summary.two_in_p_neither_tame_nor_restive.is_empty());
    assert_eq!(summary.counts[&12], 6);
    let names: Vec<&String> = summary.names.values().flatten().collect();
    for name in ["T_1", "T_2", "R_8", "T_3", "R_12", "S_12", "S'_12", "R_14"] {
        assert_eq!(
            names.iter().filter(|&&met| met == name).count(),
            1,
            "{name}"
        );
    }
    let r8 = facts(&all[2]);
    assert_eq!(
        (r8.order, r8.p_size, r8.idempotents, r8.kernel),
        (8, 2, 2, 4)
    );
    assert!(r8.regular && r8.normal && r8.faithful);
    assert_eq!((r8.index, r8.period), (2, 2));
}

/// Explicit games at random meet nothing that is not in the list.
fn random_games(seed: u64, tries: u64, most: usize) -> usize {
    let classifier = classified(most);
    let mut walk = RandomStages::new(seed, most);
    while walk.tried() < tries {
        walk.step(&mut Control::unlimited()).unwrap();
    }
    let known: BTreeSet<ClassKey> = (2..=most)
        .flat_map(|order| keys(&classifier, order))
        .collect();
    for (class, met) in walk.met() {
        assert!(
            known.contains(class),
            "order {}: {:?}",
            met.quotient.order(),
            met.games
        );
    }
    walk.met().len()
}

#[test]
fn random_games_meet_nothing_new() {
    assert!(random_games(1, 3_000, 14) >= 12);
}

#[test]
#[ignore = "slow: two hundred thousand games"]
fn many_random_games_meet_nothing_new() {
    for seed in 2..6 {
        let met = random_games(seed, 50_000, 18);
        println!("seed {seed}: {met} quotients met");
        assert!(met >= 40);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A document of any content is read or refused, never more.
    #[test]
    fn documents_are_read_totally(
        order in 0_usize..6,
        rows in prop::collection::vec(prop::collection::vec(0_u32..7, 0..6), 0..4),
        p_portion in prop::collection::vec(0_u32..7, 0..4),
        rank in prop::collection::vec(0_u32..9, 0..7),
        options in prop::collection::vec(prop::collection::vec("[abc1^_ 0-9]{0,6}", 0..3), 0..4),
    ) {
        let document = ConstructionDocument {
            order,
            p_size: 0,
            class: ClassKey([0; 32]),
            name: None,
            generators: options
                .into_iter()
                .enumerate()
                .map(|(g, options)| misere_theory::solution::construction::GameDocument {
                    name: misere_theory::monoid::word::generator_name(g),
                    element: rows.get(g).and_then(|row| row.first()).copied().unwrap_or(0),
                    options,
                })
                .collect(),
            action: rows,
            p_portion,
            rank,
            words: Vec::new(),
            presentation: Vec::new(),
        };
        if let Ok(construction) = document.to_construction() {
            let control = &mut Control::new(1_000_000, Interrupt::default());
            if check(&construction, control).is_ok() {
                prop_assert_eq!(confirms(&construction, control), Ok(true));
            }
        }
    }
}

/// The games printed for a quotient have it: what the papers write is read back and solved by the
/// engine.
#[test]
fn games_in_the_papers_notation_have_their_quotients() {
    let control = &mut Control::unlimited();
    let all = constructions(&classified(14));
    let mut told = 0;
    for construction in &all {
        let Some(game) = as_one_game(construction, control).unwrap() else {
            continue;
        };
        let code: Code = in_papers_notation(&game).parse().unwrap();
        assert_eq!(code.finite_game(), Some(&game));
        let solution = solve(&code, &Limits::default(), Strategy::Exact, control);
        assert_eq!(solution.class(), construction.quotient.class_key());
        told += 1;
    }
    assert!(told >= 21, "{told} of {}", all.len());
}
