//! Nim-values of many heaps, compared with the definition, and their periods with published ones.

use misere_check::normal_period::check;
use misere_engine::normal::NimValues;
use misere_engine::normal::far::{Far, FarCheckpointError, StopReason};
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::{NormalDocument, NormalPeriod};
use proptest::prelude::*;

/// Codes, preperiods, periods, and the number of rare heaps beside heap 0 with the last of them,
/// where it is published: `SolvedGames.md` of tczajka/octal-games, which names Kenyon 1967, Austin
/// 1976, Gangolli and Plambeck 1989, and Flammenkamp 2002.
const PUBLISHED: [(&str, u32, u32, usize, u32); 9] = [
    ("0.45", 498, 20, 10, 198),
    ("0.156", 3479, 349, 14, 357),
    ("0.356", 7315, 142, 6, 43),
    ("0.644", 3256, 442, 30, 511),
    ("0.16", 105_351, 149_459, 52, 13_935),
    ("0.56", 326_640, 144, 45, 1795),
    ("0.127", 46_578, 4, 693, 27_106),
    ("0.376", 2_268_248, 4, 509, 1_140_540),
    ("0.354", 10_061_916, 1180, 131, 3227),
];

fn run(code: &str, heaps: u32) -> (Far, StopReason) {
    let mut far = Far::new(&code.parse().unwrap()).unwrap();
    let ended = far.run_until(heaps, |_, _| {}, &mut Control::unlimited());
    (far, ended)
}

fn is_as_published((code, preperiod, period, rare, last_rare): (&str, u32, u32, usize, u32)) {
    let (far, StopReason::Periodic(claim)) = run(code, 2 * (preperiod + period)) else {
        panic!("{code} has a period");
    };
    assert_eq!(
        (claim.period, claim.preperiod),
        (period, preperiod),
        "{code}"
    );
    assert_eq!(claim.rare.last(), Some(&last_rare), "{code}");
    assert_eq!(claim.rare.len(), rare, "{code}");
    let guy_smith = far.code().heaps_to_prove(preperiod, period);
    assert!(
        u64::from(claim.heaps) < guy_smith,
        "{code}: fewer heaps will do"
    );
    assert_eq!(check(&claim, &mut Control::unlimited()), Ok(()), "{code}");
}

/// What `UnsolvedGames.md` of tczajka/octal-games says of the heaps to a power of two: the code,
/// the power, the greatest nim-value with its first heap, the mask, the number of rare heaps with
/// heap 0 among them, and the last of them.
const UNSOLVED: [(&str, u32, u32, u32, u32, usize, u32); 4] = [
    ("0.04", 17, 1024, 109_363, 0x7b8, 18_860, 131_003),
    ("0.06", 17, 1045, 127_083, 0x5a0, 52_923, 131_070),
    ("grundy", 21, 231, 763_622, 0xfe, 1274, 82_860),
    ("0.6", 21, 319, 1_274_955, 0x1ee, 1584, 20_627),
];

#[test]
#[ignore = "slow: ten seconds"]
fn published_rare_heaps_of_open_games() {
    for (code, power, greatest, at, mask, rare, last_rare) in UNSOLVED {
        let (far, ended) = run(code, 1 << power);
        assert_eq!(ended, StopReason::MaxHeap, "{code}");
        assert_eq!(far.values().greatest(), (greatest, at), "{code}");
        assert_eq!(far.space().mask, mask, "{code}");
        assert_eq!(far.rare().len() + 1, rare, "{code}");
        assert_eq!(far.rare().last(), Some(&last_rare), "{code}");
    }
}

#[test]
fn published_periods() {
    PUBLISHED.into_iter().take(4).for_each(is_as_published);
}

#[test]
#[ignore = "slow: two minutes"]
fn published_periods_of_long_sequences() {
    PUBLISHED.into_iter().skip(4).for_each(is_as_published);
}

/// Games whose first 63 heaps, where a mask is chosen, have the nim-value 0 only, and games in
/// which no move splits a heap.
#[test]
fn periods_where_little_is_seen_at_first() {
    let late = |digit: char| format!("0.{}{digit}", "0".repeat(64));
    for (code, preperiod, period) in [
        (late('1'), 66, 1),
        (late('2'), 1, 130),
        (late('3'), 0, 130),
        ("0.(3)^63".to_owned(), 0, 64),
        ("0.(3)^100".to_owned(), 0, 101),
        ("0.(30)^60".to_owned(), 0, 2),
    ] {
        let (_, StopReason::Periodic(claim)) = run(&code, 1_000) else {
            panic!("{code} has a period");
        };
        assert_eq!(
            (claim.preperiod, claim.period),
            (preperiod, period),
            "{code}"
        );
        assert_eq!(check(&claim, &mut Control::unlimited()), Ok(()), "{code}");
    }
}

fn values(far: &Far) -> Vec<u32> {
    (0..=far.heap() as usize)
        .map(|heap| far.values().get(heap).unwrap())
        .collect()
}

fn by_the_plain_recurrence(code: &Code, heaps: u32) -> Vec<u32> {
    let mut plain = NimValues::new(code);
    let mut control = Control::unlimited();
    (0..heaps).for_each(|_| {
        plain.next(&mut control).unwrap();
    });
    plain.into_values()
}

/// Values of 256 and more, some of them two bytes long.
#[test]
fn great_values() {
    for (code, heaps) in [
        ("0.37", 3000),
        ("0.007", 3000),
        (
            "0.3333333333333333333333333333333333333333333333333333333333333333333",
            300,
        ),
        ("4.3777", 2000),
    ] {
        let (far, _) = run(code, heaps);
        let plain = by_the_plain_recurrence(far.code(), far.heap());
        assert_eq!(values(&far), plain, "{code}");
    }
}

fn octal_code() -> impl Strategy<Value = Code> {
    (0_u8..2, prop::collection::vec(0_u8..8, 1..5))
        .prop_map(|(d0, digits)| Code::new(4 * d0, &digits).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    /// The plain recurrence is judged by the definition in its own tests.
    #[test]
    fn values_by_the_plain_recurrence(code in octal_code()) {
        let (far, ended) = run(&code.to_string(), 1500);
        prop_assert_eq!(values(&far), by_the_plain_recurrence(&code, far.heap()));
        if let StopReason::Periodic(claim) = ended {
            prop_assert_eq!(check(&claim, &mut Control::unlimited()), Ok(()));
            let heaps = 3 * claim.heaps;
            let plain = by_the_plain_recurrence(&code, heaps);
            let later = (claim.preperiod..=heaps - claim.period).map(|heap| heap as usize);
            prop_assert!(later.into_iter().all(|n| plain[n] == plain[n + claim.period as usize]));
        }
    }

    /// Interrupted anywhere, written, read and resumed, it has the same result and the same cost.
    #[test]
    fn checkpoints(code in octal_code(), fuel in 1_u64..2_000) {
        let mut whole = Far::new(&code).unwrap();
        let mut control = Control::unlimited();
        let ended = whole.run_until(2000, |_, _| {}, &mut control);
        let mut far = Far::new(&code).unwrap();
        let mut first = Control::new(fuel, Interrupt::default());
        far.run_until(2000, |_, _| {}, &mut first);
        let (mut again, _) = Far::from_bytes(&far.to_bytes(fuel), &code).unwrap();
        prop_assert_eq!(&again, &far);
        prop_assert_eq!(again.run_until(2000, |_, _| {}, &mut Control::unlimited()), ended);
        prop_assert_eq!(values(&again), values(&whole));
    }

    #[test]
    fn damaged_checkpoints(at in 0_usize..400, bit in 0..8) {
        let (far, _) = run("0.16", 300);
        let mut bytes = far.to_bytes(5);
        let at = at % bytes.len();
        bytes[at] ^= 1_u8 << bit;
        prop_assert!(Far::from_bytes(&bytes, far.code()).is_err());
        prop_assert!(Far::from_bytes(&bytes[..at], far.code()).is_err());
    }

    /// A certificate whose bytes were changed is not a certificate, is refused, or states what is
    /// true.
    #[test]
    fn mutated_certificates(changes in prop::collection::vec((0_usize..10_000, any::<u8>()), 1..4)) {
        let (_, StopReason::Periodic(good)) = run("0.77", 1000) else { panic!("Kayles has a period") };
        let mut bytes = serde_json::to_vec(&NormalDocument::new(&good)).unwrap();
        for (at, byte) in changes {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        let Ok(document) = serde_json::from_slice::<NormalDocument>(&bytes) else { return Ok(()) };
        let Ok(claim) = document.into_claim() else { return Ok(()) };
        if check(&claim, &mut Control::new(1_000_000, Interrupt::default())).is_ok() {
            let heaps = 3 * claim.heaps.min(1000);
            let plain = by_the_plain_recurrence(&claim.code, heaps);
            let (period, from) = (claim.period as usize, claim.preperiod as usize);
            prop_assert!((from..=heaps as usize - period).all(|n| plain[n] == plain[n + period]));
        }
    }

    /// A claim with any numbers is refused, or true.
    #[test]
    fn false_claims(period in 0_u32..70, preperiod in 0_u32..200, heaps in 0_u32..400, mask in 0_u32..16, parity: bool) {
        let code: Code = "0.77".parse().unwrap();
        let (_, StopReason::Periodic(good)) = run("0.77", 1000) else { panic!("Kayles has a period") };
        let claim = NormalPeriod { code, period, preperiod, heaps, mask, parity, rare: good.rare };
        let checked = check(&claim, &mut Control::unlimited());
        prop_assert!(checked.is_err() || (period, preperiod) == (12, 71));
    }
}

#[test]
fn checkpoints_of_other_games() {
    let (far, _) = run("0.16", 300);
    let other: Code = "0.56".parse().unwrap();
    assert_eq!(
        Far::from_bytes(&far.to_bytes(0), &other),
        Err(FarCheckpointError::Code("0.16".to_owned()))
    );
    assert_eq!(
        Far::from_bytes(&[], &other),
        Err(FarCheckpointError::NoCheckpoint)
    );
}

#[test]
fn the_document_states_the_claim() {
    let (_, StopReason::Periodic(claim)) = run("0.156", 10_000) else {
        panic!("0.156 has a period");
    };
    let text = serde_json::to_string(&NormalDocument::new(&claim)).unwrap();
    let document: NormalDocument = serde_json::from_str(&text).unwrap();
    assert_eq!(document.clone().into_claim().unwrap(), claim);
    for changed in [
        NormalDocument {
            schema: 2,
            ..document.clone()
        },
        NormalDocument {
            convention: "misere".to_owned(),
            ..document.clone()
        },
        NormalDocument {
            status: "exhausted".to_owned(),
            ..document
        },
    ] {
        assert!(changed.into_claim().is_err());
    }
}
