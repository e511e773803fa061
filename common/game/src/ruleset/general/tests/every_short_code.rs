//! Every code of at most two digits, over all characters and marks, compared with the definition.
//!
//! The definition is read from the text: the value of a character is its place in the alphabet, the
//! bit `k` of the value allows `k` heaps, and a mark follows its character. It does not use the
//! parser, [`Digit`] or the generators of options.

use crate::ruleset::{Code, CodeErrorKind};
use std::collections::{BTreeMap, BTreeSet};

const ALPHABET: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
const MARKS: [&str; 4] = ["", "!", "?", "="];
const MAX_HEAP: usize = 8;

/// A character with its mark, and what a move under it leaves of each number of beans.
///
/// Each possible list of heaps is a bit.
struct MarkedCharacter {
    text: String,
    value: usize,
    left: Vec<u128>,
}

/// All characters with all marks.
struct Alphabet {
    written: Vec<MarkedCharacter>,
    /// The bit of each list of heaps, descending.
    bits: BTreeMap<Vec<u32>, u128>,
}

/// Returns all lists of heaps, descending, that have `beans` beans together.
fn lists(beans: u32) -> BTreeSet<Vec<u32>> {
    let mut all = BTreeSet::new();
    if beans == 0 {
        all.insert(Vec::new());
    }
    for first in 1..=beans {
        for rest in lists(beans - first) {
            let mut list = [vec![first], rest].concat();
            list.sort_by(|one, other| other.cmp(one));
            all.insert(list);
        }
    }
    all
}

fn allowed(value: usize, mark: &str, list: &[u32]) -> bool {
    let different: BTreeSet<&u32> = list.iter().collect();
    let (all, different) = (list.len(), different.len());
    let marked = match mark {
        "!" => different == all,
        "?" => different > 1,
        "=" => different == 1,
        _ => true,
    };
    (value >> all) & 1 == 1 && (all < 2 || marked)
}

impl Alphabet {
    fn new() -> Self {
        let all: Vec<BTreeSet<Vec<u32>>> =
            (0..=MAX_HEAP).map(|beans| lists(beans as u32)).collect();
        let numbered = all
            .iter()
            .flatten()
            .cloned()
            .zip((0..).map(|place| 1 << place));
        let bits: BTreeMap<Vec<u32>, u128> = numbered.collect();
        let mut written = Vec::new();
        for (value, c) in ALPHABET.chars().enumerate() {
            for mark in MARKS {
                let left = all.iter().map(|lists| {
                    let lists = lists.iter().filter(|list| allowed(value, mark, list));
                    lists.map(|list| bits[list]).sum()
                });
                let (text, left) = (format!("{c}{mark}"), left.collect());
                written.push(MarkedCharacter { text, value, left });
            }
        }
        Self { written, bits }
    }

    fn zero(&self) -> &MarkedCharacter {
        &self.written[0]
    }

    /// Compares a code with its digits, the first of them being `d_0`.
    fn compare(&self, text: &str, digits: &[&MarkedCharacter]) {
        let code: Code = text
            .parse()
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(code.to_string().parse().as_ref(), Ok(&code), "{text}");
        for heap in 0..=MAX_HEAP {
            let moves = digits.iter().enumerate().take(heap + 1);
            let wanted = moves.fold(0, |all, (taken, digit)| all | digit.left[heap - taken]);
            let options = code.options(heap as u32).into_iter();
            // Different bits add up to their union, equal ones do not.
            let found = options.map(|option| self.bits[&option.parts().collect::<Vec<_>>()]);
            assert_eq!(found.sum::<u128>(), wanted, "{text} heap {heap}");
            assert_eq!(code.is_live(heap as u32), wanted != 0, "{text} heap {heap}");
        }
    }
}

#[test]
fn codes_with_two_digits_after_the_point() {
    let alphabet = Alphabet::new();
    for one in &alphabet.written {
        for two in &alphabet.written {
            let text = format!("0.{}{}", one.text, two.text);
            alphabet.compare(&text, &[alphabet.zero(), one, two]);
        }
    }
}

#[test]
fn codes_with_a_digit_before_the_point() {
    let alphabet = Alphabet::new();
    for zero in &alphabet.written {
        for one in &alphabet.written {
            let text = format!("{}.{}", zero.text, one.text);
            // A move that takes nothing must leave at least two heaps.
            if zero.value & 3 == 0 {
                alphabet.compare(&text, &[zero, one]);
                continue;
            }
            let fault = text.parse::<Code>().map_err(|error| error.reason);
            let refused = matches!(
                fault,
                Err(CodeErrorKind::StandsStill | CodeErrorKind::IllFounded(_))
            );
            assert!(refused, "{text}");
        }
    }
}

#[test]
fn codes_without_end() {
    let alphabet = Alphabet::new();
    let zero = alphabet.zero();
    for one in &alphabet.written {
        for two in &alphabet.written {
            let text = format!("0.[{}{}]", one.text, two.text);
            let digits = [zero, one, two, one, two, one, two, one, two];
            alphabet.compare(&text, &digits);
            let text = format!("0.{}[{}]", one.text, two.text);
            let digits = [zero, one, two, two, two, two, two, two, two];
            alphabet.compare(&text, &digits);
        }
    }
}

/// A digit has one text for its value as a number and one for its numbers of heaps.
#[test]
fn a_digit_written_in_other_ways() {
    for (value, c) in ALPHABET.chars().enumerate() {
        for mark in MARKS {
            let code: Code = format!("0.{c}{mark}").parse().unwrap();
            let number: Code = format!("0.&{value};{mark}").parse().unwrap();
            assert_eq!(number, code);
            let heaps = (0..5).filter(|heaps| value >> heaps & 1 == 1);
            let heaps: Vec<String> = heaps.map(|heaps| heaps.to_string()).collect();
            if !heaps.is_empty() {
                let braces: Code = format!("0.{{{}}}{mark}", heaps.join(",")).parse().unwrap();
                assert_eq!(braces, code);
            }
        }
    }
}

#[test]
fn unreadable_codes_are_refused_with_a_reason() {
    let said = |text: &str| text.parse::<Code>().unwrap_err().reason;
    for text in ["0.&32;", "0.&32;!", "0.{5}", "0.{0,63=}", "0.[&33;]"] {
        assert_eq!(said(text), CodeErrorKind::TooManyHeaps, "{text}");
    }
    for c in ['W', 'X', 'Y', 'Z', 'w', '@', '/'] {
        assert_eq!(said(&format!("0.3{c}!")), CodeErrorKind::NotADigit(c));
    }
    for text in ["0.*", "0.{2+}", "*!.0"] {
        assert_eq!(said(text), CodeErrorKind::AnyNumber, "{text}");
    }
    for text in ["80!.7", "4G.0"] {
        assert_eq!(said(text), CodeErrorKind::AddsBeans, "{text}");
    }
}
