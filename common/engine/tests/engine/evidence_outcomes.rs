//! Outcomes read from evidence, with words for more heaps, against the definition of outcomes.

use misere_check::infinite::check;
use misere_engine::infinite::{diagram, extend};
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::ruleset::Code;
use misere_game::solution::{Evidence, EvidenceOutcomes};

fn evidence(code: &Code) -> Evidence {
    let control = &mut Control::new(20_000_000, Interrupt::default());
    let solution = solve(code, &Limits::default(), Strategy::Exact, control);
    solution.evidence.expect("evidence")
}

/// Returns the outcome claimed of a position, without its dead heaps.
fn claimed(code: &Code, told: &EvidenceOutcomes<'_>, position: &[(u32, u64)]) -> Option<Outcome> {
    let live = position.iter().copied();
    told.outcome(live.filter(|&(heap, _)| code.is_live(heap)))
}

/// Compares the claims with the definition on all positions of at most `limit` covered heaps to
/// `to`.
///
/// Returns the number of positions.
fn compare(code: &Code, told: &EvidenceOutcomes<'_>, to: u32, limit: usize) -> usize {
    let heaps: Vec<u32> = (0..=to).filter(|&heap| told.covers(heap)).collect();
    let mut oracle = Oracle::new(code, Convention::Misere);
    let control = &mut Control::unlimited();
    let mut compared = 0;
    let mut open = vec![(Vec::new(), 0)];
    while let Some((position, from)) = open.pop() {
        let copies: Vec<(u32, u64)> = position.iter().map(|&heap| (heap, 1)).collect();
        if let Some(outcome) = told.outcome(copies) {
            let right = oracle.outcome(&position, control).unwrap();
            assert_eq!(outcome, right, "{code} {position:?}");
            compared += 1;
        }
        for (at, &heap) in heaps.iter().enumerate().skip(from) {
            if position.len() < limit {
                let mut greater = position.clone();
                greater.push(heap);
                open.push((greater, at));
            }
        }
    }
    compared
}

/// All live heaps to the one at which the quotient becomes infinite have words, but heap 15 of
/// 0.017.
#[test]
fn words_for_more_heaps_agree_with_the_definition() {
    for (code, heap, to, most, positions, without_word) in [
        ("0.005", 18, 19, 4, 3_000, &[][..]),
        ("0.404", 12, 12, 4, 1_000, &[]),
        ("0.017", 16, 16, 4, 3_000, &[15]),
        ("0.31011", 5, 5, 8, 1_000, &[]),
    ] {
        let code: Code = code.parse().unwrap();
        let found = evidence(&code);
        let control = &mut Control::new(20_000_000, Interrupt::default());
        let extended = extend(&code, &found, to, control).unwrap();
        let told = EvidenceOutcomes::new(&extended);
        let silent: Vec<u32> = (0..=heap)
            .filter(|&heap| code.is_live(heap) && !told.covers(heap))
            .collect();
        assert_eq!(silent, without_word, "{code}");
        let compared = compare(&code, &told, to, most);
        assert!(compared > positions, "{code}: {compared}");
        // The checker accepts all of it.
        let family = extended.columns().unwrap();
        assert_eq!(check(&code, to, family, &mut Control::unlimited()), Ok(()));
    }
}

/// Any number of copies: the outcome of a position with many heaps follows from those of its
/// options, whichever they are.
#[test]
fn many_copies_are_read_as_the_rules_ask() {
    let code: Code = "0.005".parse().unwrap();
    let found = evidence(&code);
    let control = &mut Control::new(20_000_000, Interrupt::default());
    let extended = extend(&code, &found, 18, control).unwrap();
    let told = EvidenceOutcomes::new(&extended);
    let mut random = 12_345_u64;
    let mut decided = [0, 0];
    for _ in 0..3_000 {
        let mut position = Vec::new();
        for heap in 1..=18 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let copies = (random >> 33) >> (random >> 20 & 31);
            if copies > 0 && random >> 40 & 3 == 0 {
                position.push((heap, copies));
            }
        }
        let Some(outcome) = claimed(&code, &told, &position) else {
            continue;
        };
        let mut winning = false;
        let mut all_known = true;
        let mut has_moves = false;
        for at in 0..position.len() {
            for option in code.options(position[at].0) {
                has_moves = true;
                let mut after = position.clone();
                after[at].1 -= 1;
                after.extend(option.parts().map(|part| (part, 1)));
                match claimed(&code, &told, &after) {
                    Some(of_option) => winning |= of_option == Outcome::P,
                    None => all_known = false,
                }
            }
        }
        match outcome {
            Outcome::P => assert!(has_moves && all_known && !winning, "{position:?}"),
            Outcome::N => assert!(!has_moves || winning, "{position:?}"),
        }
        decided[usize::from(outcome == Outcome::P)] += 1;
    }
    assert!(decided[0] > 1_000 && decided[1] > 50, "{decided:?}");
}

/// Copies are counted, not unrolled: equal heaps may be given together or one by one.
#[test]
fn copies_may_be_given_together() {
    let code: Code = "0.3122".parse().unwrap();
    let found = evidence(&code);
    let told = EvidenceOutcomes::new(&found);
    for heap in 1..=7 {
        for other in 1..=7 {
            for copies in 0..40 {
                let together = told.outcome([(heap, copies), (other, 3)]);
                let one_by_one = (0..copies).map(|_| (heap, 1));
                assert_eq!(together, told.outcome(one_by_one.chain([(other, 3)])));
            }
        }
    }
    assert_eq!(told.outcome([(8, 1)]), None);
}

/// Both forms of evidence are read alike, and as the definition requires.
#[test]
fn diagrams_are_read_as_columns_are() {
    for (code, heaps, most, positions) in [("0.31011", 5, 8, 1_000), ("0.3122", 7, 6, 1_500)] {
        let code: Code = code.parse().unwrap();
        let letters: Vec<u32> = (1..=heaps).collect();
        let words: Vec<_> = (0..=heaps).map(|heap| vec![(heap, 1)]).collect();
        let control = &mut Control::new(20_000_000, Interrupt::default());
        let family = diagram::find(&code, &letters, &words, control).unwrap();
        let by_diagram = Evidence::Diagram(family);
        let by_columns = evidence(&code);
        assert!(by_columns.columns().is_some());
        let (told, other) = (
            EvidenceOutcomes::new(&by_diagram),
            EvidenceOutcomes::new(&by_columns),
        );
        let compared = compare(&code, &told, heaps, most);
        assert!(compared > positions, "{code}: {compared}");
        let mut random = 99_u64;
        for _ in 0..2_000 {
            let position: Vec<(u32, u64)> = (1..=heaps)
                .map(|heap| {
                    random = random
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    (heap, (random >> 33) >> (random >> 20 & 31))
                })
                .collect();
            let outcome = told.outcome(position.iter().copied());
            assert!(outcome.is_some());
            if let Some(right) = other.outcome(position.iter().copied()) {
                assert_eq!(outcome, Some(right), "{code} {position:?}");
            }
        }
    }
}
