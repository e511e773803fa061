//! Tests that certificates have the bytes that `docs/certificate.md` describes.
//!
//! Mangled certificates are read or refused.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use misere_census::certificate::{self, CERTIFICATE_VERSION};
use misere_check::check_within;
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::solution::{DiagramFamily, Evidence, Reason, Solution};
use serde::Serialize;

/// Tests that a reason is in the place of evidence, under a number of its own.
///
/// It changes nothing else of a certificate.
#[test]
fn a_reason_has_a_number_of_its_own() {
    let limits = Limits {
        max_evidence: 0,
        ..Limits::default()
    };
    let (code, control) = ("4.77".parse().unwrap(), &mut Control::unlimited());
    let mut solution = solve(&code, &limits, Strategy::Exact, control);
    assert_eq!(solution.reason, Some(Reason::NotSought));
    solution.reason = None;
    let without = certificate::encode(&solution).unwrap();
    for (number, reason) in (0_u8..).zip(Reason::ALL) {
        solution.reason = Some(reason);
        let with = certificate::encode(&solution).unwrap();
        let evidence = with.len() - 2 - postcard::to_stdvec(&solution.fuel).unwrap().len();
        let (before, after) = without.split_at(evidence);
        assert_eq!(with, [before, &[6, number], &after[1..]].concat());
        assert_eq!(after[0], 0);
        assert_eq!(certificate::decode_canonical(&with).unwrap(), solution);
    }
}

fn solution(code: &str) -> Solution {
    solve(
        &code.parse().unwrap(),
        &Limits::default(),
        Strategy::Exact,
        &mut Control::unlimited(),
    )
}

/// Returns the bytes of a certificate field by field: offset, bytes, field.
fn dump(solution: &Solution) -> String {
    fn bytes<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
        postcard::to_stdvec(value).unwrap()
    }
    let quotient = &solution.quotient;
    let p_portion: Vec<u32> = quotient.p_portion().iter().collect();
    let fields = [
        ("version", vec![CERTIFICATE_VERSION]),
        ("code", bytes(&solution.code)),
        ("verdict", bytes(&solution.verdict)),
        ("quotient: order", bytes(&quotient.order())),
        ("quotient: action", bytes(quotient.action())),
        ("quotient: P-portion", bytes(&p_portion)),
        ("generator heaps", bytes(&solution.generator_heaps)),
        ("phi", bytes(&solution.phi)),
        ("partials", bytes(&solution.partials)),
        ("tail", bytes(&solution.tail)),
        ("growth", bytes(&solution.growth)),
        // Evidence in columns has the number of an option that is present.
        (
            "evidence",
            bytes(&solution.evidence.as_ref().and_then(Evidence::columns)),
        ),
        ("fuel", bytes(&solution.fuel)),
    ];
    let all: Vec<u8> = fields.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
    assert_eq!(
        all,
        certificate::encode(solution).unwrap(),
        "a field is missing here"
    );
    let (mut text, mut offset) = (String::new(), 0);
    for (field, bytes) in fields {
        for (at, line) in bytes.chunks(16).enumerate() {
            let hex: Vec<String> = line.iter().map(|byte| format!("{byte:02x}")).collect();
            let name = if at == 0 { field } else { "" };
            text += format!("{offset:04x}  {:<48} {name}", hex.join(" ")).trim_end();
            text.push('\n');
            offset += line.len();
        }
    }
    text
}

#[test]
fn the_dump_in_the_document_is_true() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/certificate.md");
    let document = std::fs::read_to_string(path).unwrap();
    let mut solution = solution("0.3");
    // The fuel that the engine spends may change without the form changing.
    solution.fuel = 1_000;
    let dump = dump(&solution);
    assert!(
        document.contains(&dump),
        "docs/certificate.md lacks this dump of 0.3:\n{dump}"
    );
}

/// A diagram without an order has the bytes that diagrams had before there were orders.
///
/// One with an order has another number, and the order at its end.
#[test]
fn diagrams_with_and_without_an_order() {
    let mut solution = solution("0.3");
    let bytes = certificate::encode(&solution).unwrap();
    let fuel = postcard::to_stdvec(&solution.fuel).unwrap();
    let before = &bytes[..bytes.len() - fuel.len() - 1];
    let mut family = DiagramFamily {
        distinct_multiples: vec![5],
        letters: vec![4, 5],
        digits: vec![5],
        words: Vec::new(),
        states: Vec::new(),
        nodes: Vec::new(),
        root: 9,
        order: Vec::new(),
        all_heaps: None,
    };
    for (order, expected) in [
        (vec![], [2, 1, 5, 2, 4, 5, 1, 5, 0, 0, 0, 9].as_slice()),
        (vec![5, 4], &[3, 1, 5, 2, 4, 5, 1, 5, 0, 0, 0, 9, 2, 5, 4]),
    ] {
        family.order = order;
        solution.evidence = Some(Evidence::Diagram(family.clone()));
        let bytes = certificate::encode(&solution).unwrap();
        assert_eq!(bytes, [before, expected, &fuel].concat());
        let read = certificate::decode(&bytes).unwrap();
        assert_eq!(read.evidence, solution.evidence);
    }
}

/// Pseudo-random numbers (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }
}

/// Changes bytes: flips bits, cuts, copies pieces, and inserts.
///
/// Among others, varints of absurd numbers are inserted.
fn changed(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let at = dice.below(bytes.len());
    match dice.below(8) {
        0 => bytes.truncate(at),
        1 => drop(bytes.remove(at)),
        2 => bytes.insert(at, dice.below(256) as u8),
        3 => drop(bytes.splice(
            at..at,
            [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
        )),
        4 => {
            let end = (at + dice.below(20)).min(bytes.len());
            let piece = bytes[at..end].to_vec();
            let to = dice.below(bytes.len());
            drop(bytes.splice(to..to, piece));
        }
        _ => bytes[at] ^= 1 << dice.below(8),
    }
}

fn mangled(cases: u64) {
    let originals = ["0.3", "0.123", "0.53", "0.77", "0.15", "0.404"].map(solution);
    for seed in 0..cases {
        let dice = &mut Dice(seed);
        let original = &originals[dice.below(originals.len())];
        let mut bytes = certificate::encode(original).unwrap();
        for _ in 0..=dice.below(2) {
            if !bytes.is_empty() {
                changed(&mut bytes, dice);
            }
        }
        let Ok(read) = certificate::decode(&bytes) else {
            continue;
        };
        // Readable bytes are a certificate, and state the value read from them.
        let again = certificate::encode(&read).unwrap();
        assert_eq!(
            certificate::decode(&again).as_ref(),
            Ok(&read),
            "seed {seed}"
        );
        let mut control = Control::new(1_000_000, Interrupt::default());
        if check_within(&read, &mut control).is_ok() && read.code == original.code {
            // It is the same game, perhaps to other heaps: the quotient of fewer heaps is no
            // larger.
            let shared = read.partials.len().min(original.partials.len());
            assert_eq!(
                read.partials[..shared],
                original.partials[..shared],
                "seed {seed}"
            );
        }
    }
}

#[test]
fn mangled_certificates_are_read_or_refused() {
    mangled(20_000);
}

#[test]
#[ignore = "slow: two million mangled certificates"]
fn many_mangled_certificates() {
    mangled(2_000_000);
}
