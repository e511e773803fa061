//! Tests of spaces and plans: the codes of a space, and the name of a plan.

use super::*;

#[test]
fn octal_spaces_are_complete() {
    for (digits, count) in [(1, 8), (2, 71), (3, 575), (4, 4607)] {
        let codes = Space::Octal { digits }.codes();
        assert_eq!(codes.len(), count);
        assert!(codes.windows(2).all(|pair| pair[0] < pair[1]));
    }
    let one: Vec<String> = Space::Octal { digits: 1 }
        .codes()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(one, ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "4"]);
}

/// The listing agrees with the definition in the order of codes.
#[test]
fn octal_spaces_are_listed_in_order() {
    for digits in 1..=4_u8 {
        let numbers = |length: u32| 0..8_u32.pow(length);
        let code = |d0, length: u32, number: u32| {
            let digits = (0..length).rev().map(|at| (number >> (3 * at) & 7) as u8);
            Code::new(d0, &digits.collect::<Vec<u8>>()).unwrap()
        };
        let length = u32::from(digits);
        let mut codes: Vec<Code> = numbers(length)
            .map(|number| code(0, length, number))
            .chain(numbers(length - 1).map(|number| code(4, length - 1, number)))
            .filter(Code::has_moves)
            .collect();
        codes.sort();
        assert_eq!(Space::Octal { digits }.codes(), codes);
    }
}

/// The listings agree with the definition in the order of codes.
#[test]
fn other_spaces_are_listed_in_order() {
    let all = |space: Space, d0s: &[u8], bits: u32, step: u8, digits: u32| {
        let numbers = |length: u32| 0..1_u32 << (bits * length);
        let code = |d0, length: u32, number: u32| {
            let digit = |at| (number >> (bits * at) & ((1 << bits) - 1)) as u8 * step;
            Code::new(d0, &(0..length).rev().map(digit).collect::<Vec<u8>>()).unwrap()
        };
        let plain = numbers(digits).map(|number| code(0, digits, number));
        let split = d0s
            .iter()
            .flat_map(|&d0| numbers(digits - 1).map(move |number| code(d0, digits - 1, number)));
        let mut codes: Vec<Code> = plain.chain(split).filter(Code::has_moves).collect();
        codes.sort();
        assert_eq!(space.codes(), codes);
        codes.len()
    };
    let hexadecimal = |digits| Space::Hexadecimal { digits };
    assert_eq!(all(hexadecimal(1), &[4, 8, 12], 4, 1, 1), 18);
    assert_eq!(all(hexadecimal(2), &[4, 8, 12], 4, 1, 2), 303);
    assert_eq!(all(hexadecimal(3), &[4, 8, 12], 4, 1, 3), 4863);
    for most in 1..=8 {
        let count = all(Space::Subtraction { most }, &[], 1, 3, most.into());
        assert_eq!(count, (1 << most) - 1);
    }
    let quaternary = |digits| Space::Quaternary { digits };
    for digits in 1..=5 {
        let count = all(quaternary(digits), &[], 2, 1, digits.into());
        assert_eq!(count, (1 << (2 * digits)) - 1);
    }
    let plan = |space| Plan::new(space, Budget::default());
    assert_eq!(plan(quaternary(13)), Err(PlanError::QuaternaryDigits(13)));
    assert_eq!(plan(quaternary(0)), Err(PlanError::QuaternaryDigits(0)));
    assert_eq!(plan(hexadecimal(6)), Err(PlanError::HexadecimalDigits(6)));
    assert_eq!(plan(hexadecimal(0)), Err(PlanError::HexadecimalDigits(0)));
    let subtraction = |most| plan(Space::Subtraction { most });
    assert_eq!(subtraction(25), Err(PlanError::Subtraction(25)));
    assert_eq!(subtraction(0), Err(PlanError::Subtraction(0)));
    let names = [
        plan(hexadecimal(2)),
        plan(hexadecimal(3)),
        subtraction(2),
        subtraction(3),
        plan(quaternary(2)),
        plan(quaternary(3)),
    ];
    let names: std::collections::BTreeSet<_> = names.map(|plan| plan.unwrap().id()).into();
    assert_eq!(names.len(), 6);
}

#[test]
fn plans_are_named_by_content() {
    let codes =
        |texts: &[&str]| Space::Codes(texts.iter().map(|text| text.parse().unwrap()).collect());
    let plan = |space| Plan::new(space, Budget::default());
    assert_eq!(
        plan(codes(&["0.7", "0.3", "0.7"])).unwrap().id(),
        plan(codes(&["0.3", "0.7"])).unwrap().id()
    );
    assert_ne!(
        plan(codes(&["0.3"])).unwrap().id(),
        plan(codes(&["0.7"])).unwrap().id()
    );
    let dearer = Budget {
        fuel: DEFAULT + 1,
        ..Budget::default()
    };
    assert_ne!(
        plan(codes(&["0.3"])).unwrap().id(),
        Plan::new(codes(&["0.3"]), dearer).unwrap().id()
    );
    assert_eq!(plan(codes(&[])), Err(PlanError::NoCodes));
    assert!(matches!(plan(codes(&["0"])), Err(PlanError::NoMoves(_))));
    assert_eq!(plan(Space::Octal { digits: 0 }), Err(PlanError::Digits(0)));
    let quotients = |order| plan(Space::Quotients { order });
    assert_eq!(quotients(13).unwrap().id(), quotients(12).unwrap().id());
    assert_ne!(quotients(14).unwrap().id(), quotients(12).unwrap().id());
    assert_eq!(quotients(1), Err(PlanError::Order(1)));
    assert_eq!(quotients(40), Err(PlanError::Order(40)));
    let both = codes(&["0.3"]).with_quotients(12).unwrap();
    assert_eq!(both.clone().with_quotients(12), Err(PlanError::Twice));
    assert_ne!(
        plan(both).unwrap().id(),
        plan(codes(&["0.3"])).unwrap().id()
    );
}

/// Names of plans are in digests that people compare over releases.
#[test]
fn names_of_plans_are_frozen() {
    let three = Plan::new(Space::Octal { digits: 3 }, Budget::default()).unwrap();
    assert!(three.id().to_string().starts_with("22a17b90f8f613d9"));
    let named = |space| {
        Plan::new(space, Budget::default())
            .unwrap()
            .id()
            .to_string()
    };
    assert!(named(Space::Hexadecimal { digits: 2 }).starts_with("7b1befccc06b2153"));
    assert!(named(Space::Subtraction { most: 5 }).starts_with("b15b86b3ec574247"));
    assert!(named(Space::BornByFive { late: 4 }).starts_with("beeccbbf5d55d876"));
}

const DEFAULT: u64 = crate::DEFAULT_FUEL;

/// A survey of day 5 is the list of its games, in any form of the plan.
#[test]
fn surveys_of_day_five_are_listed_in_order() {
    let day = misere_game::ruleset::day_five::DayFive::new();
    let sets = day.survey(2).into_iter();
    let mut codes: Vec<Code> = sets.map(|set| day.game(set).unwrap().into()).collect();
    codes.sort();
    assert_eq!(codes.len(), 4_278);
    let survey = Space::BornByFive { late: 2 };
    assert_eq!(survey.codes(), codes);
    assert_eq!(survey.listing().code(4_278), None);
    let plan = |late| Plan::new(Space::BornByFive { late }, Budget::default());
    assert_eq!(plan(14), Err(PlanError::Late(14)));
    assert_ne!(plan(2).unwrap().id(), plan(3).unwrap().id());
    let both = survey.with_quotients(14).unwrap();
    assert_eq!(both.listing().count(), 4_278);
    assert!(
        both.to_string()
            .starts_with("games born by day 5 with at most 2 options")
    );
}
