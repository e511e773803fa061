//! Games and numbers for certificates.

use misere_game::ruleset::Code;
use proptest::prelude::*;

/// Generates any number that a field of 32 bits can hold; most are small or at one of the ends.
pub(crate) fn number() -> impl Strategy<Value = u32> {
    prop_oneof![
        6 => 0_u32..8,
        4 => 0_u32..40,
        2 => 100_u32..400,
        1 => Just(u32::MAX),
        1 => Just(u32::MAX - 1),
        1 => Just(1 << 31),
        1 => any::<u32>(),
    ]
}

/// Generates a number of digits.
///
/// The number is small, medium, as many as heaps before the checker chooses its mask, or the
/// greatest there can be.
fn length() -> impl Strategy<Value = usize> {
    prop_oneof![
        6 => 1_usize..5,
        2 => 5_usize..100,
        3 => 120_usize..140,
        1 => 140_usize..250,
        2 => 250_usize..256,
    ]
}

/// Generates one digit repeated, one at the end, a few here and there, or all digits at random.
fn digits(limit: u8) -> impl Strategy<Value = Vec<u8>> {
    let digit = 0..=limit;
    (length(), digit.clone(), 0_u8..4).prop_flat_map(move |(length, one, pattern)| match pattern {
        0 => Just(vec![one; length]).boxed(),
        1 => {
            let mut digits = vec![0; length];
            digits[length - 1] = one;
            Just(digits).boxed()
        }
        2 => prop::collection::vec(prop_oneof![20 => Just(0), 1 => digit.clone()], length).boxed(),
        _ => prop::collection::vec(digit.clone(), length).boxed(),
    })
}

/// Generates take-and-break codes of 1 to 255 digits, octal or hexadecimal, with every `d_0`.
pub(crate) fn codes() -> impl Strategy<Value = Code> {
    let octal = (prop::sample::select(vec![0, 4]), digits(7));
    let hexadecimal = (prop::sample::select(vec![0, 4, 8, 12]), digits(15));
    prop_oneof![3 => octal, 2 => hexadecimal]
        .prop_map(|(d0, digits)| Code::new(d0, &digits).unwrap())
}

/// Generates codes, and now and then a game without digits.
pub(crate) fn games() -> impl Strategy<Value = Code> {
    let others = prop::sample::select(vec![
        "grundy",
        "*3",
        "{*2,0}",
        "{{*2,0},*3}",
        "{}",
        "0",
        "4",
        "8",
        "C",
    ]);
    prop_oneof![8 => codes(), 1 => others.prop_map(|text| text.parse().unwrap())]
}
