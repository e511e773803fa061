//! Facts at powers of two, compared with the nim-values; the checker refuses others.

use misere_check::normal_period::{NormalPeriodCheckError, check_values, check_with};
use misere_engine::normal::NimValues;
use misere_engine::normal::far::{Far, StopReason};
use misere_game::control::Control;
use misere_game::ruleset::Code;
use misere_game::solution::normal_values::marked;
use misere_game::solution::{Mark, NormalValues};
use proptest::prelude::*;

/// Returns the nim-values of heaps 0 to `heaps` by the plain recurrence.
fn nim_values(code: &Code, heaps: u32) -> Vec<u32> {
    let mut values = NimValues::new(code);
    for _ in 0..=heaps {
        values.next(&mut Control::unlimited()).unwrap();
    }
    values.values()[..=heaps as usize].to_vec()
}

/// Returns the mark at a heap, by the definition.
fn by_definition(values: &[u32], far: &Far, heaps: u32) -> Mark {
    let known = || (1..=heaps).map(|heap| (heap, values[heap as usize]));
    let is_rare = |&(heap, value): &(u32, u32)| far.space().is_rare(value as usize, heap as usize);
    let greatest = known().map(|(_, value)| value).max().unwrap();
    let times = |number: u32| known().filter(|&(_, value)| value == number).count() as u32;
    let most = (0..=greatest).map(times).max().unwrap();
    Mark {
        heaps,
        rare: known().filter(is_rare).count() as u32,
        last_rare: known().rfind(is_rare).map_or(0, |(heap, _)| heap),
        max_nim_value: greatest,
        max_nim_value_heap: match greatest {
            0 => 0,
            _ => known().find(|&(_, value)| value == greatest).unwrap().0,
        },
        most_frequent: (0..=greatest).find(|&n| times(n) == most).unwrap(),
        frequency: most,
    }
}

fn claim_of(far: &Far) -> NormalValues {
    NormalValues {
        code: far.code().clone(),
        heaps: far.heap(),
        mask: far.space().mask,
        parity: far.space().parity,
        rare: Some(far.rare().to_vec()),
        marks: far.marks(far.heap()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn marks_are_those_of_the_definition(
        digits in prop::collection::vec(0_u8..8, 1..5),
        heaps in 1_u32..3_000,
    ) {
        let code = Code::new(0, &digits).unwrap();
        let mut far = Far::new(&code).unwrap();
        if let StopReason::Periodic(_) = far.run_until(heaps, |_, _| {}, &mut Control::unlimited()) {
            // The heaps known are fewer or as many.
            prop_assert!(far.heap() <= heaps);
        }
        let heaps = far.heap();
        let values = nim_values(&code, heaps);
        let marks = far.marks(heaps);
        let right: Vec<Mark> =
            marked(heaps).map(|heap| by_definition(&values, &far, heap)).collect();
        prop_assert_eq!(&marks, &right);
        let last = check_values(&claim_of(&far), &mut Control::unlimited()).unwrap().last;
        prop_assert_eq!(Some(&last), marks.last());
    }
}

/// Returns a claim about 0.6 to heap 3000.
fn good() -> NormalValues {
    let mut far = Far::new(&"0.6".parse().unwrap()).unwrap();
    let ended = far.run_until(3_000, |_, _| {}, &mut Control::unlimited());
    assert_eq!(ended, StopReason::MaxHeap);
    let claim = claim_of(&far);
    assert_eq!(claim.marks.len(), 3);
    claim
}

fn flaw(change: impl FnOnce(&mut NormalValues)) -> NormalPeriodCheckError {
    let mut claim = good();
    change(&mut claim);
    check_values(&claim, &mut Control::unlimited()).unwrap_err()
}

#[test]
fn every_number_of_a_mark_is_checked() {
    let changes: [fn(&mut Mark); 7] = [
        |mark| mark.heaps += 1,
        |mark| mark.rare += 1,
        |mark| mark.last_rare -= 1,
        |mark| mark.max_nim_value += 1,
        |mark| mark.max_nim_value_heap += 1,
        |mark| mark.most_frequent += 1,
        |mark| mark.frequency -= 1,
    ];
    for place in 0..3 {
        for change in changes {
            let found = flaw(|claim| change(&mut claim.marks[place]));
            assert!(
                matches!(found, NormalPeriodCheckError::Mark { .. }),
                "{found:?}"
            );
        }
    }
    let twice = flaw(|claim| claim.marks.push(claim.marks[2]));
    assert!(
        matches!(twice, NormalPeriodCheckError::Form(_)),
        "{twice:?}"
    );
}

#[test]
fn the_list_of_rare_heaps_is_checked_if_it_is_there() {
    let found = flaw(|claim| {
        claim.rare.as_mut().unwrap().pop();
    });
    assert!(matches!(
        found,
        NormalPeriodCheckError::Rare { rare: true, .. }
    ));
    let found = flaw(|claim| claim.rare.as_mut().unwrap().push(3_000));
    assert!(matches!(
        found,
        NormalPeriodCheckError::Rare {
            heap: 3_000,
            rare: false,
            ..
        }
    ));
    let unlisted = NormalValues {
        rare: None,
        ..good()
    };
    assert!(check_values(&unlisted, &mut Control::unlimited()).is_ok());
    assert!(matches!(
        flaw(|claim| claim.mask = 0),
        NormalPeriodCheckError::Form(_)
    ));
    assert_eq!(
        flaw(|claim| claim.code = "0.8!".parse().unwrap()),
        NormalPeriodCheckError::NotOctal
    );
}

#[test]
fn marks_beside_a_period_are_checked() {
    let mut far = Far::new(&"0.156".parse().unwrap()).unwrap();
    let ended = far.run_until(10_000, |_, _| {}, &mut Control::unlimited());
    let StopReason::Periodic(claim) = ended else {
        panic!("{ended:?}");
    };
    let marks = far.marks(claim.heaps);
    let last = check_with(&claim, &marks, &mut Control::unlimited())
        .unwrap()
        .last;
    assert_eq!(Some(&last), marks.last());
    let mut wrong = marks;
    wrong[0].frequency += 1;
    let found = check_with(&claim, &wrong, &mut Control::unlimited());
    assert!(matches!(
        found,
        Err(NormalPeriodCheckError::Mark { heaps: 1_024, .. })
    ));
}

/// Games whose heaps are split by one move or by several, by even and odd ones, with constraints,
/// with few rare heaps and with many. The checker takes hundreds of heaps at once, unless too many
/// of them are rare.
const GAMES: [&str; 14] = [
    "0.6",
    "0.127",
    "0.16",
    "0.364",
    "0.776",
    "0.324",
    "0.143",
    "0.172",
    "0.06",
    "4.2",
    "grundy",
    "4!.6",
    "0.37!",
    "0.0000000004",
];

#[test]
fn many_heaps_are_judged_as_they_are() {
    for code in GAMES {
        let mut far = Far::new(&code.parse().unwrap()).unwrap();
        far.run_until(16_000, |_, _| {}, &mut Control::unlimited());
        let claim = claim_of(&far);
        let judged = |claim: &NormalValues| {
            check_values(claim, &mut Control::unlimited()).map(|right| right.last)
        };
        let last = judged(&claim).unwrap();
        assert_eq!(Some(&last), claim.marks.last(), "{code}");
        // Another mask makes other heaps rare, and no other nim-values.
        for mask in [1, 6, claim.mask ^ 4] {
            let (rare, marks) = (None, Vec::new());
            let (code, heaps) = (claim.code.clone(), claim.heaps);
            let other = judged(&NormalValues {
                code,
                heaps,
                mask,
                parity: false,
                rare,
                marks,
            });
            let other = other.unwrap();
            assert_eq!(
                (other.max_nim_value, other.max_nim_value_heap),
                (last.max_nim_value, last.max_nim_value_heap)
            );
            assert_eq!(
                (other.most_frequent, other.frequency),
                (last.most_frequent, last.frequency)
            );
        }
    }
}

#[test]
fn a_false_list_is_refused_among_many_heaps() {
    let mut far = Far::new(&"0.6".parse().unwrap()).unwrap();
    far.run_until(25_000, |_, _| {}, &mut Control::unlimited());
    let claim = claim_of(&far);
    let rare = claim.rare.clone().unwrap();
    // The last rare heap is 20,627.
    let last = *rare.last().unwrap();
    let flaw = |list: Vec<u32>| {
        let rare = Some(list);
        let claim = NormalValues {
            rare,
            ..claim.clone()
        };
        check_values(&claim, &mut Control::unlimited()).unwrap_err()
    };
    let shorter = flaw(rare[..rare.len() - 1].to_vec());
    assert!(
        matches!(shorter, NormalPeriodCheckError::Rare { heap, rare: true, .. } if heap == last),
        "{shorter:?}"
    );
    for heap in [last + 1, 24_321, 25_000] {
        let longer = flaw([&rare[..], &[heap]].concat());
        assert!(
            matches!(longer, NormalPeriodCheckError::Rare { heap: at, rare: false, .. } if at == heap),
            "{longer:?}"
        );
    }
}
