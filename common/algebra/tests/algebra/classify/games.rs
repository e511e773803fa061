//! The games of the quotients: certificates, explicit games at random, the notation.

use super::*;

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
            assert!(matches!(flaw, ConstructionCheckError::NotEarlier { .. }));
        }
        let mut bad = good.clone();
        bad.options.pop();
        assert!(matches!(
            check(&bad, control),
            Err(ConstructionCheckError::GameCount { .. })
        ));
        let mut bad = good.clone();
        bad.rank.pop();
        assert_eq!(check(&bad, control), Err(ConstructionCheckError::RankForm));
        let mut bad = good.clone();
        bad.rank[1] = 0;
        assert!(matches!(
            check(&bad, control),
            Err(ConstructionCheckError::Rank(_))
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

/// Checks that explicit random games have only quotients that are in the list; returns their
/// number.
fn random_games(seed: u64, tries: u64, limit: usize) -> usize {
    let classifier = classified(limit);
    let mut walk = RandomStages::new(seed, limit);
    while walk.tried() < tries {
        walk.step(&mut Control::unlimited()).unwrap();
    }
    let known: BTreeSet<ClassKey> = (2..=limit)
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

    /// A document with any content is read or refused.
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
                .map(|(g, options)| misere_game::solution::construction::GameDocument {
                    name: misere_game::monoid::word::generator_name(g),
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

/// The games printed for a quotient have that quotient: the papers' notation is read back and
/// solved by the engine.
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
