//! The rules of a game in words.

use misere_game::ruleset::Code;
use misere_game::ruleset::general::Constraint;

/// The numbers of beans that a move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    /// From the first to the last of these numbers.
    Range(u32, u32),
    /// This number or more.
    AtLeast(u32),
    /// This number, and each one that is a multiple of the step greater.
    Every { first: u32, step: u32 },
}

/// A move that takes nothing.
const NOTHING: Taken = Taken::Range(0, 0);

/// The numbers of heaps that a move may leave, ascending, each with its constraint.
type Left = Vec<(u32, Constraint)>;

/// Returns the rules of a game, a sentence for each kind of move.
///
/// Cost: linear in the length of the code.
///
/// ```
/// use misere_answers::rules::in_words;
/// let dawsons_chess = in_words(&"0.137".parse()?);
/// assert_eq!(
///     dawsons_chess,
///     "Take a whole heap of one bean. Take two beans. \
///      Take three beans, and split what is left into two heaps if you like."
/// );
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn in_words(code: &Code) -> String {
    if code.finite_game().is_some() {
        return "A move goes from a game to one of its options.".to_owned();
    }
    if code.heap_list().is_some() {
        return "A move replaces a heap by one of its options, which are listed.".to_owned();
    }
    if *code == Code::grundy() {
        return "Split a heap into two unequal heaps.".to_owned();
    }
    if !code.has_moves() {
        return "There are no moves.".to_owned();
    }
    let sentences: Vec<String> = kinds(code)
        .iter()
        .map(|(left, taken)| sentence(left, taken))
        .collect();
    sentences.join(" ")
}

/// Returns the kinds of moves of a code, by the least number of beans that they take.
fn kinds(code: &Code) -> Vec<(Left, Vec<Taken>)> {
    let mut kinds: Vec<(Left, Vec<Taken>)> = Vec::new();
    let mut add = |left: Left, taken: Taken| {
        if left.is_empty() {
            return;
        }
        // A move that takes nothing has a sentence of its own.
        let takes = |(_, all): &(Left, Vec<Taken>)| all[0] != NOTHING;
        let known = kinds.iter_mut().find(|kind| kind.0 == left && takes(kind));
        match (known, taken) {
            (None, _) => kinds.push((left, vec![taken])),
            (Some((_, all)), Taken::Range(number, _)) => match all.last_mut() {
                Some(Taken::Range(_, last)) if *last + 1 == number => *last = number,
                _ => all.push(taken),
            },
            (Some((_, all)), _) => all.push(taken),
        }
    };
    let Some(general) = code.general() else {
        for taken in 0..=code.length() {
            let digit = code.digit(taken);
            let left = (0..4).filter(|heaps| digit >> heaps & 1 != 0);
            let left = left.map(|heaps| (heaps, Constraint::None)).collect();
            let taken = u32::try_from(taken).unwrap_or(u32::MAX);
            add(left, Taken::Range(taken, taken));
        }
        return kinds;
    };
    for taken in 0..=general.last_before_block() {
        let left = general.digit(taken).allowed().collect();
        add(left, Taken::Range(taken, taken));
    }
    for place in 1..=general.block_length().unwrap_or(0) {
        let first = general.last_before_block() + place;
        let left = general.digit(first).allowed().collect();
        let taken = match general.block_length() {
            Some(step) if step > 1 => Taken::Every { first, step },
            _ => Taken::AtLeast(first),
        };
        add(left, taken);
    }
    kinds
}

/// Describes the moves that may leave these numbers of heaps.
fn sentence(left: &Left, taken: &[Taken]) -> String {
    let leaves = |heaps: u32| left.iter().any(|&(allowed, _)| allowed == heaps);
    let splits = splits(left);
    if taken == [NOTHING] {
        return format!("Split a heap into {splits}.");
    }
    let beans = beans(taken);
    match (leaves(0), leaves(1), splits.is_empty()) {
        (true, false, true) => format!("Take a whole heap of {beans}."),
        (false, true, true) => format!("Take {beans} from a larger heap."),
        (true, true, true) => format!("Take {beans}."),
        (true, true, false) => {
            format!("Take {beans}, and split what is left into {splits} if you like.")
        }
        (false, true, false) => format!(
            "Take {beans} from a larger heap, and split what is left into {splits} if you like."
        ),
        (true, false, false) => format!(
            "Take a whole heap of {beans}, or take {beans} and split what is left into {splits}."
        ),
        (false, false, _) => format!("Take {beans} and split what is left into {splits}."),
    }
}

/// Describes the heaps into which the rest is split: "two or three heaps"; empty if there are none.
fn splits(left: &Left) -> String {
    let several = left.iter().filter(|(heaps, _)| *heaps > 1);
    let several: Vec<(u32, Constraint)> = several.copied().collect();
    let is_free = |&(_, constraint): &(u32, Constraint)| constraint == Constraint::None;
    if several.len() > 1 && several.iter().all(is_free) {
        let numbers: Vec<String> = several.iter().map(|&(heaps, _)| number(heaps)).collect();
        return format!("{} heaps", joined(&numbers));
    }
    let each = several
        .iter()
        .map(|&(heaps, constraint)| split(heaps, constraint));
    joined(&each.collect::<Vec<_>>())
}

/// Describes a number of heaps under a constraint: "two equal heaps".
fn split(heaps: u32, constraint: Constraint) -> String {
    let number = number(heaps);
    match (constraint, heaps) {
        (Constraint::None, _) => format!("{number} heaps"),
        (Constraint::Equal, _) => format!("{number} equal heaps"),
        (Constraint::Unequal | Constraint::NotAllEqual, 2) => "two unequal heaps".to_owned(),
        (Constraint::Unequal, _) => format!("{number} heaps, no two of them equal"),
        (Constraint::NotAllEqual, _) => format!("{number} heaps that are not all equal"),
    }
}

/// Describes numbers of beans: "one, two or three beans".
fn beans(taken: &[Taken]) -> String {
    match taken {
        [Taken::Range(1, 1)] => return "one bean".to_owned(),
        [Taken::AtLeast(1)] => return "any number of beans".to_owned(),
        _ => {}
    }
    let mut numbers: Vec<String> = Vec::new();
    for &taken in taken {
        match taken {
            Taken::Range(first, last) if last - first > 2 => {
                numbers.push(format!("{} to {}", number(first), number(last)));
            }
            Taken::Range(first, last) => numbers.extend((first..=last).map(number)),
            Taken::AtLeast(first) => numbers.push(format!("{} or more", number(first))),
            Taken::Every { first, step } => {
                let next = |times| u64::from(first) + times * u64::from(step);
                numbers.push(format!("{first}, {}, {}, …", next(1), next(2)));
            }
        }
    }
    format!("{} beans", joined(&numbers))
}

/// Joins phrases: "one, two or three".
fn joined(phrases: &[String]) -> String {
    match phrases {
        [] => String::new(),
        [only] => only.clone(),
        [before @ .., last] => format!("{} or {last}", before.join(", ")),
    }
}

/// Returns a number in words, if it is small.
fn number(number: u32) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let word = WORDS.get(number as usize);
    word.map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_in_words() {
        for (code, words) in [
            (
                "0.77",
                "Take one or two beans, and split what is left into two heaps if you like.",
            ),
            (
                "0.123",
                "Take a whole heap of one bean. Take two beans from a larger heap. Take three beans.",
            ),
            (
                "4.7",
                "Split a heap into two heaps. \
                 Take one bean, and split what is left into two heaps if you like.",
            ),
            (
                "0.056",
                "Take a whole heap of two beans, or take two beans and split what is left into two \
                 heaps. Take three beans from a larger heap, and split what is left into two heaps \
                 if you like.",
            ),
            ("0.33333", "Take one to five beans."),
            ("0.3033", "Take one, three or four beans."),
            ("0.[3]", "Take any number of beans."),
            ("0.0[3]", "Take two or more beans."),
            ("0.[30]", "Take 1, 3, 5, … beans."),
            (
                "0.8C",
                "Take one bean and split what is left into three heaps. \
                      Take two beans and split what is left into two or three heaps.",
            ),
            ("grundy", "Split a heap into two unequal heaps."),
            ("4=.3", "Split a heap into two equal heaps. Take one bean."),
            (
                "0.08!",
                "Take two beans and split what is left into three heaps, no two of them equal.",
            ),
            ("0", "There are no moves."),
            ("{*2,0}", "A move goes from a game to one of its options."),
            (
                "heaps(0;1)",
                "A move replaces a heap by one of its options, which are listed.",
            ),
        ] {
            assert_eq!(in_words(&code.parse().unwrap()), words, "{code}");
        }
    }

    /// Tests that the words of a code say exactly what its digits allow: different codes of up to
    /// two digits have different rules, but for those that differ only in digits that allow no move.
    #[test]
    fn codes_of_different_rules_have_different_words() {
        let mut known = std::collections::BTreeMap::new();
        for d0 in [0, 4, 8, 12] {
            for first in 0..16 {
                for second in 0..16 {
                    let code = Code::new(d0, &[first, second]).unwrap();
                    let before = known.insert(in_words(&code), code.clone());
                    assert_eq!(before, None, "{code}");
                }
            }
        }
    }
}
