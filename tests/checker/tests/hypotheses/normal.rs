//! N: the nim-values of a game repeat for ever, and with the least period.

use misere_check::normal_period::{NormalPeriodCheckError, check, check_values};
use misere_engine::normal::far::{Far, StopReason};
use misere_game::control::{Control, Interrupt, Stop};
use misere_game::solution::normal_period::MAX_HEAPS;
use misere_game::solution::{Mark, NormalPeriod, NormalValues};

use crate::enemy::rules::Rules;

/// Returns the true claim about a code.
fn found(code: &str) -> NormalPeriod {
    let mut far = Far::new(&code.parse().unwrap()).unwrap();
    let ended = far.run_until(100_000, |_, _| {}, &mut Control::unlimited());
    let StopReason::Periodic(claim) = ended else {
        panic!("{code}: {ended:?}");
    };
    assert_eq!(checked(&claim), Ok(()), "{code}");
    claim
}

fn checked(claim: &NormalPeriod) -> Result<(), NormalPeriodCheckError> {
    check(claim, &mut Control::unlimited())
}

/// Returns 0.156: period 349 from heap 3479 on, by fewer heaps than Guy and Smith ask for.
fn good() -> NormalPeriod {
    let claim = found("0.156");
    assert_eq!((claim.period, claim.preperiod), (349, 3479));
    assert_eq!(claim.heaps, 3479 + 349 + 3 + 357 - 1);
    claim
}

fn flaw(change: impl FnOnce(&mut NormalPeriod)) -> NormalPeriodCheckError {
    let mut claim = good();
    change(&mut claim);
    checked(&claim).unwrap_err()
}

/// Corrects the rare heaps of a claim about more heaps or under another mask.
fn exact(mut claim: NormalPeriod) -> NormalPeriod {
    loop {
        match checked(&claim) {
            Err(NormalPeriodCheckError::Rare {
                heap, rare: true, ..
            }) => {
                let at = claim.rare.partition_point(|&other| other < heap);
                claim.rare.insert(at, heap);
            }
            Err(NormalPeriodCheckError::Rare { heap, .. }) => {
                claim.rare.retain(|&other| other != heap)
            }
            _ => return claim,
        }
    }
}

#[test]
fn n1_the_claim_is_in_form() {
    for code in ["0.[3]", "0.f", "0.8!", "{*2,0}"] {
        assert_eq!(
            flaw(|c| c.code = code.parse().unwrap()),
            NormalPeriodCheckError::NotOctal
        );
    }
    let form = |change: fn(&mut NormalPeriod)| {
        assert!(matches!(flaw(change), NormalPeriodCheckError::Form(_)))
    };
    form(|c| c.period = 0);
    form(|c| c.heaps = 3000);
    form(|c| c.preperiod = u32::MAX);
    form(|c| c.mask = 0);
    form(|c| c.mask = 1 << 16);
    form(|c| c.rare.reverse());
    form(|c| c.rare.insert(0, 0));
    form(|c| c.rare.insert(0, c.rare[0]));
    form(|c| c.rare.extend(c.rare.last().copied()));
    form(|c| c.rare.push(c.heaps + 1));
    // By parity alone every number is rare for every other heap. In 0.07 each move that splits a
    // heap takes two beans.
    let mut by_parity = found("0.07");
    (by_parity.mask, by_parity.parity) = (0, true);
    assert!(matches!(
        checked(&by_parity),
        Err(NormalPeriodCheckError::Form(_))
    ));
    // 0.156 splits heaps by taking two beans, and by taking three.
    form(|c| c.parity = true);
}

/// The memory that a claim may take is bounded by its heaps, which is seen before anything is
/// computed.
#[test]
fn n1_the_claim_is_not_too_large() {
    for heaps in [MAX_HEAPS + 1, u32::MAX - 1, u32::MAX] {
        assert_eq!(
            flaw(|c| c.heaps = heaps),
            NormalPeriodCheckError::TooManyHeaps(heaps)
        );
        let values = NormalValues {
            code: "0.3".parse().unwrap(),
            heaps,
            mask: 1,
            parity: false,
            rare: None,
            marks: Vec::new(),
        };
        let control = &mut Control::new(0, Interrupt::default());
        let checked = check_values(&values, control).map(drop);
        assert_eq!(checked, Err(NormalPeriodCheckError::TooManyHeaps(heaps)));
        assert!(NormalPeriodCheckError::TooManyHeaps(heaps).is_too_large());
    }
}

#[test]
fn n2_the_rare_heaps_are_those_listed() {
    let last = good().rare.last().copied().unwrap();
    assert!(matches!(
        flaw(|c| { c.rare.pop(); }),
        NormalPeriodCheckError::Rare { heap, rare: true, .. } if heap == last
    ));
    assert!(matches!(
        flaw(|c| c.rare.push(1000)),
        NormalPeriodCheckError::Rare {
            heap: 1000,
            rare: false,
            ..
        }
    ));
    assert!(matches!(
        flaw(|c| c.mask = 1),
        NormalPeriodCheckError::Rare { .. }
    ));
}

#[test]
fn n3_the_values_repeat() {
    assert!(matches!(
        flaw(|c| c.period = 348),
        NormalPeriodCheckError::NotPeriodic {
            heap: 3479..,
            period: 348,
            ..
        }
    ));
    assert!(matches!(
        flaw(|c| c.preperiod = 3478),
        NormalPeriodCheckError::NotPeriodic {
            heap: 3478,
            period: 349,
            ..
        }
    ));
}

#[test]
fn n3_the_last_value_repeats() {
    let mut rules = Rules::of("0.156");
    let right = rules.nim_values(3478 + 349);
    let mut too_early = good();
    (too_early.preperiod, too_early.heaps) = (3478, 3478 + 349);
    assert_eq!(
        checked(&exact(too_early)),
        Err(NormalPeriodCheckError::NotPeriodic {
            heap: 3478,
            period: 349,
            one: right[3478],
            other: right[3478 + 349],
        })
    );
}

#[test]
fn n3_the_values_repeat_from_heap_0_on() {
    let mut wrong = found("0.3");
    assert_eq!((wrong.period, wrong.preperiod), (2, 0));
    (wrong.period, wrong.heaps) = (3, 20);
    assert!(matches!(
        checked(&exact(wrong)),
        Err(NormalPeriodCheckError::NotPeriodic { heap: 0, .. })
    ));
}

#[test]
fn n4_the_classes_of_the_heaps_repeat() {
    // The nim-values of 0.1 are 0, 1, 0, 0, …
    let ones = NormalPeriod {
        code: "0.1".parse().unwrap(),
        period: 1,
        preperiod: 2,
        heaps: 3,
        mask: 1,
        parity: true,
        rare: Vec::new(),
    };
    // By parity odd heaps beyond the first are common; heaps enough for the one theorem only if
    // the classes repeated.
    let ones = exact(ones);
    assert_eq!(
        checked(&ones),
        Err(NormalPeriodCheckError::TooFewHeaps {
            found: 3,
            needed: 6
        })
    );
}

/// In the game `4.` the nim-values are 0, 1, 0, 1, … from heap 1 on.
///
/// Those of heaps 0 and 9 are equal, and no heap is rare by this mask and the parity.
#[test]
fn n4_the_classes_repeat_with_no_odd_period() {
    let nine = NormalPeriod {
        code: "4.".parse().unwrap(),
        period: 9,
        preperiod: 0,
        heaps: 9,
        mask: 5,
        parity: true,
        rare: Vec::new(),
    };
    let flaw = NormalPeriodCheckError::TooFewHeaps {
        found: 9,
        needed: 19,
    };
    assert_eq!(checked(&nine), Err(flaw));
}

/// The nim-values of heaps 1 and 2 are 1, and no heap is rare.
#[test]
fn n5_a_game_with_two_equal_heaps_needs_the_values_of_its_own_theorem() {
    let ones = NormalPeriod {
        code: "0.137=3".parse().unwrap(),
        period: 1,
        preperiod: 1,
        heaps: 2,
        mask: 1,
        parity: false,
        rare: Vec::new(),
    };
    let flaw = NormalPeriodCheckError::TooFewHeaps {
        found: 2,
        needed: 9,
    };
    assert_eq!(checked(&ones), Err(flaw));
}

#[test]
fn n5_there_are_values_enough() {
    let needed = good().heaps.into();
    let found = good().heaps - 1;
    assert_eq!(
        flaw(|c| c.heaps -= 1),
        NormalPeriodCheckError::TooFewHeaps { found, needed }
    );
}

#[test]
fn n6_rare_numbers_stay_those_of_options() {
    // 0.73537 takes an odd number of beans where it splits a heap. To heap 27 its nim-values seem
    // to have the period 12 from heap 7 on; but some rare number below the value of heap 16 is
    // found only at options whose heaps have fewer than seven beans.
    let claim = exact(NormalPeriod {
        code: "0.73537".parse().unwrap(),
        period: 12,
        preperiod: 7,
        heaps: 27,
        mask: 5,
        parity: true,
        rare: Vec::new(),
    });
    assert_eq!(claim.rare.last(), Some(&4));
    let start = 7 + 12 + 5 + 4 - 1;
    assert!(claim.heaps >= start, "N5 holds");
    assert!(matches!(
        checked(&claim),
        Err(NormalPeriodCheckError::RareNumber { heap: 16.., .. })
    ));
}

#[test]
fn n7_no_smaller_period_will_do() {
    let mut twice = good();
    (twice.period, twice.heaps) = (698, good().heaps + 349);
    assert_eq!(
        checked(&exact(twice)),
        Err(NormalPeriodCheckError::SmallerPeriod(349))
    );
}

#[test]
fn n8_no_smaller_preperiod_will_do() {
    let mut later = good();
    (later.preperiod, later.heaps) = (3480, good().heaps + 1);
    assert_eq!(
        checked(&exact(later)),
        Err(NormalPeriodCheckError::SmallerPreperiod(3479))
    );
}

#[test]
fn n8_the_preperiod_may_be_0() {
    let mut later = found("0.3");
    assert_eq!((later.period, later.preperiod), (2, 0));
    (later.preperiod, later.heaps) = (1, later.heaps + 2);
    assert_eq!(
        checked(&exact(later)),
        Err(NormalPeriodCheckError::SmallerPreperiod(0))
    );
}

/// Returns the marks that the nim-values have by definition, under a mask and perhaps with parity.
fn marks_by_definition(values: &[u32], is_rare: impl Fn(u32, usize) -> bool) -> Vec<Mark> {
    let last = values.len() - 1;
    let powers = (10..).map(|k| 1 << k).take_while(|&heap| heap < last);
    let mark = |heaps: usize| {
        let rare = (1..=heaps).filter(|&heap| is_rare(values[heap], heap));
        let greatest = values[1..=heaps].iter().copied().max().unwrap();
        let first = (1..=heaps).find(|&heap| values[heap] == greatest);
        let times = |value| values[1..=heaps].iter().filter(|&&v| v == value).count();
        let often = (0..=greatest).map(times).max().unwrap();
        Mark {
            heaps: heaps as u32,
            rare: rare.clone().count() as u32,
            last_rare: rare.last().unwrap_or(0) as u32,
            max_nim_value: greatest,
            max_nim_value_heap: first.unwrap() as u32,
            most_frequent: (0..=greatest).find(|&v| times(v) == often).unwrap(),
            frequency: often as u32,
        }
    };
    powers.chain([last]).map(mark).collect()
}

type Field = fn(&mut Mark) -> &mut u32;

#[test]
fn marks_are_those_of_the_definition() {
    // 0.156 has no parity, and 0.127 takes three beans where it splits a heap; 0.07 has a period. In
    // 0.3 the values 0 and 1 occur as often in an even number of heaps.
    for (code, mask, parity) in [
        ("0.156", 0b111, false),
        ("0.127", 1, true),
        ("0.07", 5, true),
        ("0.3", 1, false),
    ] {
        let mut rules = Rules::of(code);
        let values = rules.nim_values(2_500);
        let by_parity = |heap: usize| match (parity, code) {
            (false, _) => 0,
            (true, "0.127") => heap as u32 + 1,
            (true, _) => heap as u32,
        };
        let is_rare =
            |value: u32, heap| ((value & mask).count_ones() + by_parity(heap)).is_multiple_of(2);
        let marks = marks_by_definition(values, is_rare);
        assert_eq!(marks.len(), 3);
        let claim = |marks| NormalValues {
            code: code.parse().unwrap(),
            heaps: 2_500,
            mask,
            parity,
            rare: None,
            marks,
        };
        let check = |marks| {
            let checked = check_values(&claim(marks), &mut Control::unlimited());
            checked.map(|right| right.last)
        };
        assert_eq!(check(marks.clone()), Ok(marks[2]), "{code}");
        assert_eq!(check(Vec::new()), Ok(marks[2]), "{code}");
        let fields: [(&str, Field); 7] = [
            ("heap of the mark", |mark| &mut mark.heaps),
            ("number of rare heaps", |mark| &mut mark.rare),
            ("last rare heap", |mark| &mut mark.last_rare),
            ("greatest nim-value", |mark| &mut mark.max_nim_value),
            ("first heap with the greatest nim-value", |mark| {
                &mut mark.max_nim_value_heap
            }),
            ("most frequent nim-value", |mark| &mut mark.most_frequent),
            ("frequency of the most frequent nim-value", |mark| {
                &mut mark.frequency
            }),
        ];
        for (at, (name, field)) in (0..3).flat_map(|at| fields.map(|field| (at, field))) {
            let mut wrong = marks.clone();
            *field(&mut wrong[at]) += 1;
            let right = *field(&mut marks.clone()[at]);
            let expected = NormalPeriodCheckError::Mark {
                heaps: marks[at].heaps,
                field: name,
                found: right + 1,
                right,
            };
            assert_eq!(check(wrong), Err(expected), "{code}");
        }
        let mut more = marks.clone();
        more.push(marks[2]);
        assert!(matches!(check(more), Err(NormalPeriodCheckError::Form(_))));
    }
}

/// In 0.3 heap 1 has the nim-value 1, and no other heap counts.
#[test]
fn the_mark_of_one_heap_has_its_value() {
    let mark = Mark {
        heaps: 1,
        rare: 0,
        last_rare: 0,
        max_nim_value: 1,
        max_nim_value_heap: 1,
        most_frequent: 1,
        frequency: 1,
    };
    let claim = NormalValues {
        code: "0.3".parse().unwrap(),
        heaps: 1,
        mask: 1,
        parity: false,
        rare: None,
        marks: vec![mark],
    };
    let checked = check_values(&claim, &mut Control::unlimited());
    assert_eq!(checked.map(|right| right.last), Ok(mark));
}

#[test]
fn without_fuel_nothing_is_decided() {
    let checked = check(&good(), &mut Control::new(1, Interrupt::default()));
    assert_eq!(
        checked,
        Err(NormalPeriodCheckError::Unchecked(Stop::FuelSpent))
    );
}
