//! Tests of codes with marks and without end: one text for each game, and the liveness of heaps.

use super::*;
use crate::ruleset::{Code, LiveHeaps};
use proptest::prelude::*;
use std::collections::BTreeSet;

mod every_short_code;

fn code(text: &str) -> Code {
    text.parse().unwrap()
}

fn written(text: &str) -> String {
    code(text).to_string()
}

#[test]
fn every_game_is_written_in_one_way() {
    for (text, same) in [
        ("0.[3]", "0.[3]"),
        (".[3]", "0.[3]"),
        ("0.3[3]", "0.[3]"),
        ("0.[33]", "0.[3]"),
        ("0.0303[03]", "0.[03]"),
        ("0.13[2313]", "0.[1323]"),
        ("0.(33)^20[3333]", "0.[3]"),
        ("0.7[0]", "0.7"),
        ("0.7[00]", "0.7"),
        ("4.[0]", "4"),
        ("4!.0", "grundy"),
        ("4!", "grundy"),
        ("{2!}.", "grundy"),
        ("4=", "4=.0"),
        ("0.3!", "0.3"),
        ("0.{0,1}", "0.3"),
        ("0.{0,1,2}", "0.7"),
        ("0.{1,0}!", "0.3"),
        ("0.{2,1,0}!", "0.7!"),
        ("0.{0!,1?,2=}", "0.7="),
        ("0.{2!,3=}", "0.{2!,3=}"),
        ("0.{2!,3!}", "0.C!"),
        ("0.{2,3?}", "0.{2,3?}"),
        ("0.&7;", "0.7"),
        ("0.&12;!3", "0.C!3"),
        ("0.c!", "0.C!"),
        ("0.g", "0.G"),
        ("0.{0,1,2,3,4}", "0.V"),
        ("0.&31;?", "0.V?"),
        ("G!", "G!.0"),
        ("0.{2!,4=}", "0.{2!,4=}"),
        ("0.0030?[1=]", "0.0030[1]"),
        ("0.0031?[1=]", "0.003[1]"),
        ("subtract(1,2,5)", "0.33003"),
        ("subtract(2,3,7)", "0.0330003"),
        ("subtract(allbut 2,3,7)", "0.3003330[3]"),
        ("subtract( allbut 1-3 )", "0.000[3]"),
        ("S(1,3,4)", "0.3033"),
        ("splittles(1-2)", "0.77"),
        ("splittles(allbut 2)", "0.70[7]"),
        ("heaps( 0 ; 1,0 ; )", "heaps(0;1,0)"),
        ("nim", "0.[3]"),
        ("Lasker's Nim", "4.[3]"),
        ("couples are forever", "0.6"),
    ] {
        assert_eq!(written(text), same, "{text}");
        assert_eq!(written(same), same);
    }
}

#[test]
fn faults_point_at_the_character() {
    use crate::ruleset::CodeErrorKind as ErrorKind;
    let fault = |text: &str| {
        let error = text.parse::<Code>().unwrap_err();
        (error.at, error.reason)
    };
    assert_eq!(fault("3!.0"), (0, ErrorKind::StandsStill));
    assert_eq!(fault("{1,2}!.0"), (0, ErrorKind::StandsStill));
    assert_eq!(fault("0.[3"), (4, ErrorKind::BadBlock));
    assert_eq!(fault("0.[3]3"), (2, ErrorKind::BadBlock));
    assert_eq!(fault("0.[]"), (2, ErrorKind::BadBlock));
    assert_eq!(fault("0.[3[3]]"), (4, ErrorKind::BadBlock));
    assert_eq!(fault("0.3]"), (3, ErrorKind::NotADigit(']')));
    assert_eq!(fault("0.!3"), (2, ErrorKind::NotADigit('!')));
    assert_eq!(fault("0.3!!"), (4, ErrorKind::NotADigit('!')));
    assert_eq!(fault("04!.3"), (1, ErrorKind::AddsBeans));
    assert_eq!(fault("0!3"), (2, ErrorKind::NoPoint('3')));
    assert_eq!(fault("0.{2"), (4, ErrorKind::BadDigit));
    assert_eq!(fault("0.{}"), (3, ErrorKind::BadDigit));
    assert_eq!(fault("0.{2,2}"), (5, ErrorKind::BadDigit));
    assert_eq!(fault("0.{2!}="), (6, ErrorKind::BadDigit));
    assert_eq!(fault("0.{2+}"), (4, ErrorKind::AnyNumber));
    assert_eq!(fault("0.*"), (2, ErrorKind::AnyNumber));
    assert_eq!(fault("*.0"), (0, ErrorKind::AnyNumber));
    assert_eq!(fault("0.&7"), (4, ErrorKind::BadDigit));
    assert_eq!(
        fault("0.&99999999999999999999999;"),
        (2, ErrorKind::TooManyHeaps)
    );
    assert_eq!(fault("0.{9}"), (3, ErrorKind::TooManyHeaps));
    assert_eq!(
        fault("0.{99999999999999999999999}"),
        (3, ErrorKind::TooManyHeaps)
    );
    assert_eq!(fault("0.&32;"), (2, ErrorKind::TooManyHeaps));
    assert_eq!(fault("0.3{0,5!}"), (6, ErrorKind::TooManyHeaps));
    assert_eq!(fault("0.[(3)^999999999999]"), (3, ErrorKind::TooLong));
    assert_eq!(
        fault(&format!("0.[{}]", "31".repeat(200))).1,
        ErrorKind::TooLong
    );
    assert_eq!(fault("subtract(0)"), (0, ErrorKind::BadSet("0".to_owned())));
    assert_eq!(fault("subtract()"), (0, ErrorKind::BadSet(String::new())));
    assert_eq!(
        fault("subtract(5-2)"),
        (0, ErrorKind::BadSet("5-2".to_owned()))
    );
    assert_eq!(
        fault("subtract(256)"),
        (0, ErrorKind::BadSet("256".to_owned()))
    );
    assert!(matches!(fault("heaps()"), (0, ErrorKind::List(_))));
    assert!(matches!(fault("heaps(1)"), (0, ErrorKind::List(_))));
}

/// Returns the definition: all ways to make heaps of the rest, smallest last, under the constraint.
fn by_definition(code: &Code, heap: u32) -> BTreeSet<Vec<u32>> {
    fn heaps_of(beans: u32, heaps: u32) -> Vec<Vec<u32>> {
        if heaps == 0 {
            return if beans == 0 {
                vec![Vec::new()]
            } else {
                Vec::new()
            };
        }
        let with = |first: u32| {
            let rest = heaps_of(beans - first, heaps - 1);
            rest.into_iter()
                .map(move |rest| [vec![first], rest].concat())
        };
        (1..=beans).flat_map(with).collect()
    }
    let digits = code.general().unwrap();
    let mut found = BTreeSet::new();
    for taken in 0..=heap {
        for (heaps, constraint) in digits.digit(taken).allowed() {
            for mut left in heaps_of(heap - taken, heaps) {
                left.sort_unstable_by(|one, other| other.cmp(one));
                let pairs = || left.windows(2);
                let holds = left.len() < 2
                    || match constraint {
                        Constraint::None => true,
                        Constraint::Unequal => pairs().all(|pair| pair[0] != pair[1]),
                        Constraint::NotAllEqual => pairs().any(|pair| pair[0] != pair[1]),
                        Constraint::Equal => pairs().all(|pair| pair[0] == pair[1]),
                    };
                if holds && (taken > 0 || heap == 0 || heaps > 1) {
                    found.insert(left);
                }
            }
        }
    }
    found
}

fn check_options(code: &Code) {
    let live = LiveHeaps::of(code);
    let mut rank = 0;
    for heap in 0..=24 {
        let options: BTreeSet<Vec<u32>> = code
            .options(heap)
            .into_iter()
            .map(|option| option.parts().collect())
            .collect();
        if heap <= 16 {
            assert_eq!(options, by_definition(code, heap), "{code} heap {heap}");
        }
        assert_eq!(code.options(heap).len(), options.len());
        assert!(
            options.len() as u64 <= code.most_options(heap),
            "{code} heap {heap}"
        );
        assert_eq!(
            code.is_live(heap),
            !options.is_empty(),
            "{code} heap {heap}"
        );
    }
    for heap in 1..=200 {
        rank += u32::from(code.is_live(heap));
        assert_eq!(
            live.contains(heap),
            code.is_live(heap),
            "{code} heap {heap}"
        );
        assert_eq!(live.to(heap), rank, "{code} heap {heap}");
        if code.is_live(heap) {
            assert_eq!(live.of_rank(rank), Some(heap), "{code}");
        }
    }
}

fn a_digit() -> impl Strategy<Value = String> {
    let mark = prop::sample::select(vec!["", "", "!", "?", "="]);
    let single = (0_usize..32, mark.clone()).prop_map(|(at, mark)| {
        let digit: String = DIGITS.chars().skip(at).take(1).collect();
        format!("{digit}{mark}")
    });
    let listed = (mark.clone(), mark).prop_map(|(two, three)| format!("{{1,2{two},3{three}}}"));
    prop_oneof![4 => Just("0".to_owned()), 4 => single, 1 => listed]
}

fn a_code() -> impl Strategy<Value = Code> {
    let d0 = prop::sample::select(vec!["0", "0", "0", "4!", "8?", "C=", "G!", "{2!,3=}"]);
    let digits = || prop::collection::vec(a_digit(), 0..4);
    (d0, digits(), digits()).prop_filter_map("has moves and is general", |(d0, digits, block)| {
        let block = if block.is_empty() {
            String::new()
        } else {
            format!("[{}]", block.concat())
        };
        let code: Code = format!("{d0}.{}{block}", digits.concat()).parse().ok()?;
        code.general().is_some().then_some(code)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn printing_and_reading_agree(code in a_code()) {
        prop_assert_eq!(code.to_string().parse::<Code>().unwrap(), code);
    }

    #[test]
    fn options_and_live_heaps_are_those_of_the_definition(code in a_code()) {
        check_options(&code);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[0-4.A-HV{},!?=\\[\\]()^&;*+]{0,16}") {
        if let Ok(code) = text.parse::<Code>() {
            prop_assert_eq!(code.to_string().parse::<Code>().unwrap(), code);
        }
    }

    /// The theorem's exchanges, tried on colourings instead of values: if colours repeat from one
    /// heap on, the colours of options do from the bound on.
    #[test]
    fn options_repeat_where_values_do(code in a_code(), preperiod in 1_u32..4, period in 1_u32..4) {
        let digits = code.general().unwrap();
        let colour = |heap: u32| if heap < preperiod { heap + 100 } else { (heap - preperiod) % period };
        let image = |heap: u32| -> BTreeSet<Vec<u32>> {
            let options = code.options(heap).into_iter();
            options.map(|option| {
                let mut colours: Vec<u32> = option.parts().map(colour).collect();
                colours.sort_unstable();
                colours
            }).collect()
        };
        let bound = code.heaps_to_prove(preperiod, period) + 1;
        let block = digits.block_length().unwrap_or(1);
        let step = u64::from(least_common_multiple(period, block) * digits.equal_heaps());
        prop_assume!(bound + step < 90);
        for heap in bound..bound + step {
            let earlier = heap - step;
            prop_assert_eq!(image(heap as u32), image(earlier as u32), "{} {}", &code, heap);
        }
    }
}

#[test]
fn live_heaps_without_end() {
    let live = |text: &str| LiveHeaps::of(&code(text));
    assert_eq!(live("0.[3]"), LiveHeaps::AllBut(Vec::new()));
    assert_eq!(live("0.00[3]"), LiveHeaps::AllBut(vec![1, 2]));
    assert!(matches!(live("4=.0"), LiveHeaps::Repeating { .. }));
    assert!(matches!(live("0.[01]"), LiveHeaps::Repeating { .. }));
    assert_eq!(live("0.[1]"), LiveHeaps::AllBut(Vec::new()));
    // Three divides the greatest number, and does not divide the one before.
    assert!(live("8=.0").contains(u32::MAX) && !live("8=.0").contains(u32::MAX - 1));
    check_options(&code("4=.0"));
    check_options(&code("0.[01]"));
}

/// A heap too great to list its options.
#[test]
fn options_with_small_parts_are_few() {
    let code = code("0.7[3]");
    let options = code.options_with_small_parts(u32::MAX, 2);
    assert!(options.len() < 100 && options.contains(&HeapOption([u32::MAX - 2, 1, 0, 0])));
    assert!(code.most_options(u32::MAX) > 1 << 32);
    assert!(code.is_live(u32::MAX));
}
