//! Threshold laws: games that grow, decided for all heaps.
//!
//! The laws are compared with the definition of misère play, with the formulas that Allemang found
//! by hand, and with themselves under other codes. The hypotheses A1 to A6 of the theorem each have
//! a claim that only the line which checks it refuses, and every law that differs from a true one
//! in a single number is refused unless it is true, too.

use std::sync::LazyLock;

use misere_check::{CheckError, check, check_within, law_shows_infinite};
use misere_engine::quotient::{Limits, Strategy, renumbered, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::ruleset::Code;
use misere_game::solution::document::Document;
use misere_game::solution::{HeapLaw, Solution, SolvedBy, ThresholdLaw};

fn solved(code: &str, heaps: u32) -> Solution {
    let limits = Limits {
        max_heap: heaps,
        ..Limits::default()
    };
    let code = code.parse().unwrap();
    solve(&code, &limits, Strategy::Exact, &mut Control::unlimited())
}

/// Returns 0.26 to heap 60, which grows from heap 11 on with period 4.
fn good() -> Solution {
    static GOOD: LazyLock<Solution> = LazyLock::new(|| solved("0.26", 60));
    GOOD.clone()
}

/// Returns 4.7 to heap 34.
fn short() -> Solution {
    static SHORT: LazyLock<Solution> = LazyLock::new(|| solved("4.7", 34));
    SHORT.clone()
}

fn law(solution: &mut Solution) -> &mut ThresholdLaw {
    match solution.growth.as_mut().unwrap().solved_by.as_mut() {
        Some(SolvedBy::Law(law)) => law,
        other => panic!("no law, but {other:?}"),
    }
}

/// Returns all sums of at most `heaps` heaps of at most `greatest` beans, as lists of heaps.
fn sums(heaps: usize, greatest: u32) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..heaps {
        let longer = |sum: &Vec<u32>| {
            let from = sum.last().copied().unwrap_or(1);
            let sum = sum.clone();
            (from..=greatest).map(move |heap| [sum.as_slice(), &[heap]].concat())
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.iter().cloned());
    }
    all
}

fn by_law(law: &ThresholdLaw, sum: &[u32]) -> Outcome {
    law.outcome(sum.iter().map(|&heap| (heap.into(), 1)))
        .unwrap()
}

/// Returns the first sum about which a law and the rules do not agree.
fn disagreement(code: &Code, law: &ThresholdLaw, heaps: usize, greatest: u32) -> Option<Vec<u32>> {
    let mut rules = Oracle::new(code, Convention::Misere);
    sums(heaps, greatest).into_iter().find(|sum| {
        let by_rules = rules.outcome(sum, &mut Control::unlimited()).unwrap();
        by_law(law, sum) != by_rules
    })
}

#[test]
fn laws_agree_with_the_rules() {
    for (code, heaps, greatest) in [
        ("0.26", 60, 15),
        ("4.7", 34, 12),
        ("0.57", 70, 13),
        ("0.734", 70, 11),
        ("0.756", 110, 12),
        ("4.16", 70, 12),
    ] {
        let solution = solved(code, heaps);
        assert_eq!(check(&solution), Ok(()), "{code}");
        let law = solution
            .law()
            .unwrap_or_else(|| panic!("{code} has no law"));
        assert_eq!(
            disagreement(&solution.code, law, 4, greatest),
            None,
            "{code}"
        );
    }
}

/// Reports whether a position of 0.26 or 4.7 is a P-position by Allemang's conditions.
///
/// Source: Plambeck and Siegel, supplement, Facts B.1 and B.4.
fn is_p_by_hand(
    sum: &[u32],
    weight: impl Fn(u32) -> u32,
    threshold: impl Fn(u32) -> u32,
    nim_value: impl Fn(u32) -> u32,
    free: u32,
) -> bool {
    let Some((&greatest, others)) = sum.split_last() else {
        return false;
    };
    let of_others: u32 = others.iter().map(|&heap| weight(heap)).sum();
    let total = of_others + weight(greatest);
    let nim_sum = sum.iter().fold(0, |sum, &heap| sum ^ nim_value(heap));
    match total {
        0 => nim_sum == 1,
        _ if threshold(greatest) <= of_others => nim_sum == 0,
        _ => threshold(greatest) >= of_others + 2 && nim_sum == free,
    }
}

#[test]
fn the_laws_of_0_26_and_4_7_are_those_found_by_hand() {
    let (mut long, mut short) = (good(), short());
    let (law_26, law_47) = (law(&mut long).clone(), law(&mut short).clone());
    let weight_26 = |k: u32| match k {
        1 | 2 => 0,
        3 | 4 => 1,
        _ => (k - 5) / 2,
    };
    let threshold_26 = |k: u32| match k {
        ..=8 => 0,
        9 | 10 => 1,
        k if k % 2 == 1 => (k - 7) / 2,
        k => (k - 12) / 2,
    };
    let weight_47 = |k: u32| match k {
        1 => 0,
        2 => 1,
        k => k - 3,
    };
    let threshold_47 = |k: u32| match k {
        ..=4 => 0,
        5 => 1,
        k => k - 6,
    };
    let mut p_positions = [0, 0];
    for sum in sums(3, 45).into_iter().skip(1) {
        // The same sums with much larger heaps, of the same residues.
        for more in [0, 4_000] {
            let sum: Vec<u32> = sum
                .iter()
                .map(|&k| if k > 30 { k + more } else { k })
                .collect();
            let by_hand = is_p_by_hand(&sum, weight_26, threshold_26, |k| (k - 1) % 4, 2);
            assert_eq!(
                by_law(&law_26, &sum) == Outcome::P,
                by_hand,
                "0.26: {sum:?}"
            );
            p_positions[0] += usize::from(by_hand);
            let by_hand = is_p_by_hand(&sum, weight_47, threshold_47, |k| 2 - k % 2, 3);
            assert_eq!(by_law(&law_47, &sum) == Outcome::P, by_hand, "4.7: {sum:?}");
            p_positions[1] += usize::from(by_hand);
        }
    }
    assert!(
        p_positions.iter().all(|&count| count > 1_000),
        "{p_positions:?}"
    );
}

#[test]
fn a_law_holds_under_every_code_of_the_game() {
    let solution = good();
    for alias in ["0.27", "0.261", "0.337"] {
        let alias: Code = alias.parse().unwrap();
        let renumbered = renumbered(&solution, &alias).unwrap();
        let law = renumbered
            .law()
            .unwrap_or_else(|| panic!("{alias} has no law"));
        assert_eq!(check(&renumbered), Ok(()), "{alias}");
        assert_eq!(disagreement(&alias, law, 3, 20), None, "{alias}");
    }
}

#[test]
fn a_law_is_written_and_read() {
    let solution = good();
    assert!(solution.law().is_some());
    let text = serde_json::to_string(&Document::new(&solution)).unwrap();
    let read: Document = serde_json::from_str(&text).unwrap();
    assert_eq!(read.into_solution().unwrap(), solution);
}

/// Returns the flaw of a solution whose law is changed.
fn changed(solution: &Solution, change: impl FnOnce(&mut ThresholdLaw)) -> CheckError {
    let mut solution = solution.clone();
    change(law(&mut solution));
    check(&solution).expect_err("the law is false")
}

#[test]
fn a1_the_law_is_in_form() {
    let good = good();
    let malformed: [fn(&mut ThresholdLaw); 16] = [
        |law| law.bits = 5,
        |law| law.modulus = 0,
        |law| law.modulus = 4,
        |law| law.totals.push(0),
        |law| law.totals[0] = 4,
        |law| law.first_totals[0] = 4,
        |law| law.first_totals = vec![2; 17],
        |law| law.heaps[3].unit = 2,
        |law| law.heaps[3].weight = 1_001,
        |law| law.heaps[3].alone = vec![0, 0],
        |law| law.heaps[12].alone = vec![0],
        |law| law.heaps[12].alone[0] = 4,
        |law| law.period = 0,
        |law| law.period = 17,
        |law| law.slope = 3,
        |law| law.slope = 0,
    ];
    for (number, change) in malformed.into_iter().enumerate() {
        assert_eq!(changed(&good, change), CheckError::LawForm, "{number}");
    }
    let many = |law: &mut ThresholdLaw| {
        let heaps: Vec<HeapLaw> = (1..=201).map(|heap| law.of_heap(heap).unwrap()).collect();
        law.heaps = heaps;
    };
    assert_eq!(changed(&good, many), CheckError::LawForm);
    let great = |law: &mut ThresholdLaw| law.slope = 18;
    assert_eq!(changed(&good, great), CheckError::LawForm);
}

#[test]
fn a2_no_threshold_is_above_its_weight() {
    let flaw = changed(&good(), |law| law.heaps[12].threshold = 5);
    assert_eq!(flaw, CheckError::LawWeight { heap: 13 });
}

#[test]
fn a3_heaps_without_options_do_not_count() {
    let flaw = changed(&good(), |law| law.heaps[0].unit = 1);
    assert_eq!(flaw, CheckError::LawOfDeadHeap { heap: 1 });
    let flaw = changed(&good(), |law| law.heaps[0].weight = 2);
    assert_eq!(flaw, CheckError::LawOfDeadHeap { heap: 1 });
}

#[test]
fn a4_the_empty_position_is_an_n_position() {
    let flaw = changed(&good(), |law| law.first_totals[0] = 3);
    assert_eq!(flaw, CheckError::IdentityInP);
}

#[test]
fn a5_no_p_position_has_an_option_that_is_one() {
    let flaw = changed(&good(), |law| law.totals[1] = 3);
    assert!(matches!(flaw, CheckError::LawPToP { .. }), "{flaw}");
    // Only a position with a large heap beside the one that is moved in shows this one.
    let flaw = changed(&good(), |law| law.heaps[12].alone[1] = 1);
    assert!(matches!(flaw, CheckError::LawPToP { .. }), "{flaw}");
}

#[test]
fn a6_every_other_position_with_a_move_has_one_to_a_p_position() {
    let flaw = changed(&good(), |law| law.totals = vec![0, 0]);
    assert!(matches!(flaw, CheckError::LawNWithoutP { .. }), "{flaw}");
    let flaw = changed(&good(), |law| law.heaps[12].alone = vec![0, 0]);
    assert!(matches!(flaw, CheckError::LawNWithoutP { .. }), "{flaw}");
}

/// Every law that differs in one number is refused, or agrees with the rules.
#[test]
fn laws_changed_in_one_number_are_refused_unless_they_are_true() {
    let short = short();
    let original = short.law().unwrap().clone();
    let mut changes: Vec<ThresholdLaw> = Vec::new();
    let mut with = |change: &dyn Fn(&mut ThresholdLaw)| {
        let mut law = original.clone();
        change(&mut law);
        changes.push(law);
    };
    for set in 0..4 {
        with(&|law| law.first_totals[0] = set);
        with(&|law| law.totals[0] = set);
        with(&|law| law.totals[1] = set);
    }
    with(&|law| law.first_totals.clear());
    with(&|law| law.slope = 4);
    with(&|law| law.period = 1);
    for heap in 0..original.heaps.len() {
        with(&|law| law.heaps[heap].unit ^= 1);
        with(&|law| law.heaps[heap].weight += 1);
        with(&|law| law.heaps[heap].weight += 2);
        with(&|law| law.heaps[heap].weight = law.heaps[heap].weight.saturating_sub(1));
        for threshold in 0..5 {
            with(&|law| {
                let heap = &mut law.heaps[heap];
                heap.threshold = threshold;
                heap.alone.resize(if threshold == 0 { 0 } else { 2 }, 0);
            });
        }
        for residue in 0..original.heaps[heap].alone.len() {
            for set in 0..4 {
                with(&|law| law.heaps[heap].alone[residue] = set);
            }
        }
    }
    let (mut accepted, mut refused) = (0, 0);
    for changed in changes {
        let mut solution = short.clone();
        *law(&mut solution) = changed.clone();
        if check(&solution).is_ok() {
            let wrong = disagreement(&solution.code, &changed, 4, 11);
            assert_eq!(wrong, None, "{changed:?}");
            accepted += 1;
        } else {
            refused += 1;
        }
    }
    assert!(refused > 80 && accepted > 5, "{refused}, {accepted}");
}

#[test]
fn the_check_of_a_law_ends_when_it_is_stopped() {
    let mut control = Control::new(1, Interrupt::default());
    assert!(matches!(
        check_within(&good(), &mut control),
        Err(CheckError::Unchecked(_))
    ));
}

/// The laws of games that grow show that the quotient is infinite; and the multiples of a heap are
/// told apart, as the proof says, by a sum of a large heap and a small one.
#[test]
fn laws_show_that_quotients_are_infinite() {
    for (code, heaps) in [("0.26", 60), ("4.7", 34), ("0.57", 70), ("0.734", 70)] {
        let solution = solved(code, heaps);
        let law = solution.law().unwrap();
        assert!(law_shows_infinite(law), "{code}");
        let y = law.repeats_from() + u64::from(law.period);
        assert!(law.heap(y).unwrap().1 > 0);
        for (few, many) in (0..8).flat_map(|few| (few + 1..9).map(move |many| (few, many))) {
            let told_apart = (0..20 * y).any(|large| {
                (0..5).any(|small| {
                    let beside = |copies| law.outcome([(y, copies), (large, 1), (small, 1)]);
                    // A heap that is named twice is two heaps.
                    large != y && small != y && beside(few) != beside(many)
                })
            });
            assert!(told_apart, "{code}: {few} and {many} heaps of {y}");
        }
    }
}

/// A law that is not in form shows nothing, and takes no time.
#[test]
fn a_law_out_of_form_shows_nothing() {
    let solution = good();
    let law = solution.law().unwrap();
    let edits: [fn(&mut ThresholdLaw); 7] = [
        |law| law.modulus = u32::MAX,
        |law| law.modulus = 0,
        |law| law.bits = u32::MAX,
        |law| law.heaps.iter_mut().for_each(|heap| heap.unit = u32::MAX),
        |law| law.heaps.iter_mut().for_each(|heap| heap.alone.clear()),
        |law| law.totals.clear(),
        |law| law.period = 0,
    ];
    assert!(law_shows_infinite(law));
    for edit in edits {
        let mut law = law.clone();
        edit(&mut law);
        assert!(!law_shows_infinite(&law), "{law:?}");
    }
}
