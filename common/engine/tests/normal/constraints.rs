//! Nim-values of games with constraints on two heaps, compared with the definition.

use misere_check::normal_period::{NormalPeriodCheckError, check, check_values};
use misere_engine::normal::far::{Far, StopReason};
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::{NormalPeriod, NormalValues};
use serde::Deserialize;

/// Grundy's game; splits under each of the marks, beside other moves, and by several digits.
const CODES: [&str; 16] = [
    "grundy", "4?.0", "4=.0", "4!.3", "4=.3", "0.7!", "0.07!", "0.7=", "0.77!", "0.7!7", "0.37!3",
    "0.7=7", "4!.07=", "0.17=5!", "4=.7!", "0.05!6=1",
];

/// Returns the nim-values by the definition: the least number that no option has.
fn by_definition(code: &Code, heaps: u32) -> Vec<u32> {
    let mut values: Vec<u32> = Vec::new();
    for heap in 0..=heaps {
        let mut met = vec![false; 1024];
        code.for_each_option(heap, |option| {
            let number = option
                .parts()
                .fold(0, |sum, part| sum ^ values[part as usize]);
            met[number as usize] = true;
        });
        values.push(met.iter().position(|&met| !met).unwrap() as u32);
    }
    values
}

fn far(code: &str, heaps: u32) -> (Far, StopReason) {
    let mut far = Far::new(&code.parse().unwrap()).unwrap();
    let ended = far.run_until(heaps, |_, _| {}, &mut Control::unlimited());
    (far, ended)
}

fn compare(code: &str, heaps: u32) {
    let (far, ended) = far(code, heaps);
    let right = by_definition(far.code(), far.heap());
    let found: Vec<u32> = (0..=far.heap())
        .map(|heap| far.values().get(heap as usize).unwrap())
        .collect();
    assert_eq!(found, right, "{code}");
    if let StopReason::Periodic(claim) = ended {
        assert_eq!(check(&claim, &mut Control::unlimited()), Ok(()), "{code}");
        let repeats = claim.preperiod..=far.heap() - claim.period;
        let (period, value) = (claim.period as usize, |heap: u32| right[heap as usize]);
        assert!(
            repeats
                .into_iter()
                .all(|heap| value(heap) == right[heap as usize + period])
        );
    }
}

#[test]
fn grundys_game_to_heap_5000() {
    compare("grundy", 5_000);
}

#[test]
fn games_with_constraints() {
    CODES
        .into_iter()
        .skip(1)
        .for_each(|code| compare(code, 1_300));
}

/// The values of Grundy's game in CGSuite's own tests.
#[test]
fn published_nim_values() {
    #[derive(Deserialize)]
    struct Published {
        code: String,
        nim_values: Vec<u32>,
    }
    let games = include_str!("../data/cgsuite.json");
    let games: Vec<Published> = serde_json::from_str(games).unwrap();
    let grundy = games.iter().find(|game| game.code == "4!.0").unwrap();
    let (far, _) = far("4!.0", 20);
    for (heap, &value) in grundy.nim_values.iter().enumerate() {
        assert_eq!(far.values().get(heap), Some(value), "{heap}");
    }
}

/// The checker judges nim-values to a heap, and refutes each that is changed.
#[test]
fn the_checker_computes_the_same() {
    for code in CODES {
        let (far, _) = far(code, 1_100);
        let heaps = far.heap();
        let claim = NormalValues {
            code: far.code().clone(),
            heaps,
            mask: far.space().mask,
            parity: far.space().parity,
            rare: Some(far.rare().to_vec()),
            marks: far.marks(heaps),
        };
        let judged = |claim: &NormalValues| {
            check_values(claim, &mut Control::unlimited()).map(|right| right.last)
        };
        assert_eq!(judged(&claim).as_ref().ok(), claim.marks.last(), "{code}");
        let mut without = claim.clone();
        match without.rare.as_mut().unwrap().pop() {
            Some(_) => {}
            None => without.rare = Some(vec![heaps]),
        }
        let refuted = judged(&without);
        assert!(
            matches!(refuted, Err(NormalPeriodCheckError::Rare { .. })),
            "{code}: {refuted:?}"
        );
        // The same list is not that of the game without the mark.
        let plain: Code = code
            .replace(['!', '?', '='], "")
            .replace("grundy", "4")
            .parse()
            .unwrap();
        let other = NormalValues {
            code: plain,
            marks: Vec::new(),
            ..claim
        };
        if far_values(&other.code, heaps) != far_values(far.code(), heaps) {
            assert_ne!(
                judged(&other).ok().as_ref(),
                far.marks(heaps).last(),
                "{code}"
            );
        }
    }
}

fn far_values(code: &Code, heaps: u32) -> Vec<u32> {
    by_definition(code, heaps.min(300))
}

/// For a game with a constraint only the plain theorem proves a period, and needs all of its heaps.
#[test]
fn periods_need_the_heaps_of_the_plain_theorem() {
    let mut proved = 0;
    for code in CODES {
        let (_, StopReason::Periodic(claim)) = far(code, 3_000) else {
            continue;
        };
        proved += 1;
        let judged = |claim: &NormalPeriod| check(claim, &mut Control::unlimited());
        let plain = claim.code.heaps_to_prove(claim.preperiod, claim.period);
        assert!(u64::from(claim.heaps) >= plain, "{code}");
        let heaps = plain as u32 - 1;
        let rare = claim
            .rare
            .iter()
            .copied()
            .filter(|&heap| heap <= heaps)
            .collect();
        let fewer = NormalPeriod {
            heaps,
            rare,
            ..claim.clone()
        };
        assert!(
            matches!(
                judged(&fewer),
                Err(NormalPeriodCheckError::TooFewHeaps { .. })
            ),
            "{code}"
        );
        let mut greater = NormalPeriod {
            period: 2 * claim.period,
            ..claim.clone()
        };
        greater.heaps = greater.heaps.max(greater.preperiod + greater.period);
        assert!(judged(&greater).is_err(), "{code}");
    }
    assert!(proved >= 5, "{proved}");
}

/// A computation that is broken off goes on as if it had not been.
#[test]
fn broken_off_and_gone_on_with() {
    for code in ["grundy", "0.7!7", "4!.07="] {
        let (whole, _) = far(code, 2_500);
        let mut part = Far::new(whole.code()).unwrap();
        let mut fuel = 0;
        while part.heap() < whole.heap() {
            let control = &mut Control::new(20_000, Interrupt::default());
            let ended = part.run_until(2_500, |_, _| {}, control);
            fuel += control.fuel_spent();
            let bytes = part.to_bytes(fuel);
            assert_eq!(
                Far::from_bytes(&bytes, whole.code()),
                Ok((part.clone(), fuel))
            );
            if !matches!(ended, StopReason::Fuel) {
                break;
            }
        }
        assert_eq!(part.values(), whole.values(), "{code}");
    }
}

#[test]
fn games_with_more_heaps_or_without_end_are_refused() {
    for code in ["8!.0", "0.7=F!", "0.[3]", "0.G", "*2", "heaps(0;1)"] {
        assert!(Far::new(&code.parse().unwrap()).is_err(), "{code}");
    }
}
