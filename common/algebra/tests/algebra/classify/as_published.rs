//! Published results on small orders, compared with what the classification finds.

use super::*;

/// Orders 2 to 12 are as published (Siegel 2015, Theorem 6.1 and Tables 1 and 2).
#[test]
fn orders_to_12_are_as_published() {
    let tables: Tables = serde_json::from_str(TABLES).unwrap();
    assert_eq!(
        BTreeMap::from(published_tables::TABLE_1),
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

/// There are twelve quotients of order 14, where nine were published. Each has games, by the
/// checker and by exact kernels, and trying all maps shows that no two are isomorphic.
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

/// Reports whether some images of the generators extend to an isomorphism.
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

/// The program's copies of Tables 2 and 3 agree with the data of the scan, as repaired there.
#[test]
fn the_tables_are_those_of_the_data() {
    let tables: Value = serde_json::from_str(TABLES).unwrap();
    let rows = tables["table3"]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), published_tables::TABLE_3.rows.len());
    for (row, right) in published_tables::TABLE_3.rows.iter().zip(rows) {
        assert_eq!(row.game, right["reading"].as_str());
        assert_eq!(row.scan, right["ocr"].as_str());
    }
    for (table, right) in [
        (&published_tables::TABLE_2, &tables["table2"]),
        (
            &published_tables::TABLE_3,
            &tables["table3"]["abbreviations"],
        ),
    ] {
        for (letter, game) in table.abbreviations {
            assert_eq!(right[letter.to_string()], *game, "{letter}");
        }
    }
    let quotients: Value = serde_json::from_str(QUOTIENTS).unwrap();
    let list = quotients["finite"].as_array().unwrap();
    for (number, row) in (1..).zip(published_tables::TABLE_2.rows) {
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

/// All of Table 2 is found, each game with the quotient printed beside it. The eight legible rows
/// of Table 3 are eight of the twelve.
#[test]
fn the_published_tables_are_found() {
    let list = constructions(&classified(14));
    let control = &mut Control::unlimited();
    let table_2 = Comparison::of(&list, &published_tables::TABLE_2, control).unwrap();
    assert!(table_2.is_contained());
    assert_eq!((table_2.illegible(), table_2.unpublished.len()), (0, 0));
    for row in &table_2.rows {
        assert_eq!(row.game_has_the_quotient(), Some(true));
    }
    let table_3 = Comparison::of(&list, &published_tables::TABLE_3, control).unwrap();
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
    // Every claimed isomorphism is one.
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
    let lacking = Comparison::of(&shorter, &published_tables::TABLE_3, control).unwrap();
    assert!(!lacking.is_contained());
    assert_eq!(lacking.rows[0].ours, None);
}
