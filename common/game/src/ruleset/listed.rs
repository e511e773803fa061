//! Games whose options are listed, heap by heap.
//!
//! To invent a game, one writes the options of heap 1, of heap 2, and so on to the last heap. The
//! game has exactly these heaps: a greater one is dead, as is heap 0. An option is a sum of smaller
//! heaps, so every play ends.
//!
//! A game of this kind is written `heaps(0;1,0;2,1+1)`: heap 1 has the empty position for its
//! option, heap 2 has heap 1 and the empty position, heap 3 has heap 2 and two heaps of 1. A file
//! of rules has a line for each heap instead ([`HeapList::of_file`]).

use std::fmt;

use super::finite::MAX_TEXT;
use super::heap_option::{HeapOption, MAX_PARTS};

/// The most heaps that a list may have.
pub const MAX_HEAPS: usize = 255;

/// The most characters of a file of rules.
pub const MAX_FILE: usize = 1 << 20;

/// A list of options, heap by heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HeapList {
    /// The options of heap 1, of heap 2, …, each list descending and without repetitions.
    options: Vec<Vec<HeapOption>>,
}

/// The reason why a list of options is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionListError {
    /// The list has no heap.
    #[error("no heap is listed")]
    NoHeaps,
    /// The list has more than [`MAX_HEAPS`] heaps.
    #[error("more than {MAX_HEAPS} heaps are listed")]
    TooManyHeaps,
    /// The text of the list would have more than [`MAX_TEXT`] characters.
    #[error("the list of options is too long: its text has more than {MAX_TEXT} characters")]
    TooLong,
    /// A text that is not a number of beans.
    #[error(
        "heap {heap}: `{found}` is not an option (an option is 0 or smaller heaps, such as 2 or 2+1)"
    )]
    NotAnOption {
        /// The heap whose options are read.
        heap: usize,
        /// The text that was found.
        found: String,
    },
    /// An option with a heap that is not smaller, so that a play might never end.
    #[error("heap {heap}: the option {found} has a heap that is not smaller than {heap}")]
    NotSmaller {
        /// The heap whose options are read.
        heap: usize,
        /// The option.
        found: String,
    },
    /// An option with more than [`MAX_PARTS`] heaps.
    #[error("heap {heap}: the option {found} has more than {MAX_PARTS} heaps")]
    TooManyParts {
        /// The heap whose options are read.
        heap: usize,
        /// The option.
        found: String,
    },
    /// A line of a file that is not a list of the options of the next heap.
    #[error(
        "line {line}: the options of heap {heap} are expected (write `{heap}: 0` if it may be taken as a whole, `{heap}:` if it has no option)"
    )]
    NotALine {
        /// The line, counted from 1.
        line: usize,
        /// The heap that is expected.
        heap: usize,
    },
    /// A file with more than [`MAX_FILE`] characters.
    #[error("the file has more than {MAX_FILE} characters")]
    LongFile,
}

impl HeapList {
    /// Returns the list with these options of heap 1, of heap 2, and so on.
    ///
    /// # Errors
    /// [`OptionListError`] if there is no heap, or the list is too long.
    fn new(mut options: Vec<Vec<HeapOption>>) -> Result<Self, OptionListError> {
        // A heap without options after all others is not a heap of the game.
        let last = options.iter().rposition(|options| !options.is_empty());
        options.truncate(last.map_or(0, |last| last + 1));
        if options.is_empty() {
            return Err(OptionListError::NoHeaps);
        }
        let list = Self { options };
        match list.to_string().len() > MAX_TEXT {
            true => Err(OptionListError::TooLong),
            false => Ok(list),
        }
    }

    /// Reads the text between the parentheses of `heaps(…)`.
    pub(super) fn of_text(text: &str) -> Result<Self, OptionListError> {
        if text.len() > MAX_TEXT {
            return Err(OptionListError::TooLong);
        }
        let heaps = text.split(';').enumerate();
        let options = heaps.map(|(place, options)| read_options(place + 1, options));
        Self::new(options.collect::<Result<_, _>>()?)
    }

    /// Reads a file of rules: a line for each heap from 1 on, with its options separated by commas.
    ///
    /// A line is, for example, `3: 2, 1+1`. Empty lines, and the text after `#`, are ignored.
    ///
    /// Cost: linear in the text.
    ///
    /// ```
    /// use misere_game::ruleset::{Code, HeapList};
    /// let kayles = HeapList::of_file("# to heap 3\n1: 0\n2: 1, 0\n3: 2, 1, 1+1\n")?;
    /// assert_eq!(Code::from(kayles).to_string(), "heaps(0;1,0;2,1+1,1)");
    /// # Ok::<(), misere_game::ruleset::OptionListError>(())
    /// ```
    ///
    /// # Errors
    /// [`OptionListError`] with the line or the heap that cannot be read.
    pub fn of_file(text: &str) -> Result<Self, OptionListError> {
        if text.len() > MAX_FILE {
            return Err(OptionListError::LongFile);
        }
        let mut options = Vec::new();
        for (line, content) in (1..).zip(text.lines()) {
            let content = content.split('#').next().unwrap_or("").trim();
            if content.is_empty() {
                continue;
            }
            let heap = options.len() + 1;
            let named = content.split_once(':');
            let (number, listed) = named.ok_or(OptionListError::NotALine { line, heap })?;
            if number.trim().parse() != Ok(heap) {
                return Err(OptionListError::NotALine { line, heap });
            }
            options.push(read_options(heap, listed)?);
        }
        Self::new(options)
    }

    /// Returns the number of heaps; greater ones are dead.
    ///
    /// ```
    /// use misere_game::ruleset::HeapList;
    /// assert_eq!(HeapList::of_file("1: 0\n2: 1\n")?.heaps(), 2);
    /// # Ok::<(), misere_game::ruleset::OptionListError>(())
    /// ```
    #[must_use]
    pub fn heaps(&self) -> u32 {
        self.options.len() as u32
    }

    /// Returns the options of a heap, greatest first; none beyond the last heap.
    #[must_use]
    pub fn options(&self, heap: u32) -> &[HeapOption] {
        let place = (heap as usize).checked_sub(1);
        let options = place.and_then(|place| self.options.get(place));
        options.map_or(&[], Vec::as_slice)
    }

    /// Returns the most heaps that a move leaves.
    pub(super) fn max_parts(&self) -> u32 {
        let options = self.options.iter().flatten();
        let most = options.map(|option| option.parts().count()).max();
        most.unwrap_or(0) as u32
    }
}

/// Reads the options of a heap, separated by commas.
fn read_options(heap: usize, text: &str) -> Result<Vec<HeapOption>, OptionListError> {
    if heap > MAX_HEAPS {
        return Err(OptionListError::TooManyHeaps);
    }
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let options = text
        .split(',')
        .map(|option| read_option(heap, option.trim()));
    let mut options = options.collect::<Result<Vec<_>, _>>()?;
    options.sort_unstable_by(|one, other| other.cmp(one));
    options.dedup();
    Ok(options)
}

fn read_option(heap: usize, text: &str) -> Result<HeapOption, OptionListError> {
    let found = || text.chars().take(40).collect::<String>();
    let mut parts = Vec::new();
    for part in text.split('+').map(str::trim) {
        let is_number = !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
        if !is_number {
            let found = found();
            return Err(OptionListError::NotAnOption { heap, found });
        }
        // A number that does not fit is not smaller than the heap.
        let part = part.parse::<u32>().unwrap_or(u32::MAX);
        if part as usize >= heap {
            let found = found();
            return Err(OptionListError::NotSmaller { heap, found });
        }
        parts.extend(Some(part).filter(|&part| part > 0));
    }
    let mut option = HeapOption([0; MAX_PARTS]);
    if parts.len() > MAX_PARTS {
        let found = found();
        return Err(OptionListError::TooManyParts { heap, found });
    }
    parts.sort_unstable_by(|one, other| other.cmp(one));
    for (place, part) in option.0.iter_mut().zip(parts) {
        *place = part;
    }
    Ok(option)
}

/// Writes `heaps(…)`, with the options of heap 1, of heap 2, … between semicolons.
impl fmt::Display for HeapList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "heaps(")?;
        for (place, options) in self.options.iter().enumerate() {
            if place > 0 {
                write!(f, ";")?;
            }
            for (place, option) in options.iter().enumerate() {
                if place > 0 {
                    write!(f, ",")?;
                }
                let parts: Vec<String> = option.parts().map(|part| part.to_string()).collect();
                let empty = parts.is_empty().then_some("0");
                write!(f, "{}{}", parts.join("+"), empty.unwrap_or(""))?;
            }
        }
        write!(f, ")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Code;
    use proptest::prelude::*;

    fn fault(text: &str) -> OptionListError {
        HeapList::of_file(text).unwrap_err()
    }

    #[test]
    fn a_file_is_a_line_for_each_heap() {
        let list = HeapList::of_file("\n# a game\n1 : 0 # all\n\n2:\n3: 2 , 1+ 1,2\n4:").unwrap();
        assert_eq!(list.to_string(), "heaps(0;;2,1+1)");
        assert_eq!((list.heaps(), list.max_parts()), (3, 2));
        assert_eq!(
            list.options(3),
            [HeapOption([2, 0, 0, 0]), HeapOption([1, 1, 0, 0])]
        );
        assert!(list.options(2).is_empty() && list.options(0).is_empty());
        assert!(list.options(4).is_empty() && list.options(u32::MAX).is_empty());
    }

    #[test]
    fn faults_say_where() {
        let not_a_line = |line, heap| OptionListError::NotALine { line, heap };
        assert_eq!(fault(""), OptionListError::NoHeaps);
        assert_eq!(fault("1:\n2:"), OptionListError::NoHeaps);
        assert_eq!(fault("1: 0\n\n3: 1"), not_a_line(3, 2));
        assert_eq!(fault("0"), not_a_line(1, 1));
        assert_eq!(fault("-1: 0"), not_a_line(1, 1));
        let found = "1".to_owned();
        assert_eq!(
            fault("1: 1"),
            OptionListError::NotSmaller { heap: 1, found }
        );
        let found = "99999999999999999999".to_owned();
        let wide = format!("1: {found}");
        assert_eq!(fault(&wide), OptionListError::NotSmaller { heap: 1, found });
        for option in ["", "x", "-1", "1+", "0,"] {
            let text = format!("1: 0\n2: 0,{option}");
            assert!(
                matches!(fault(&text), OptionListError::NotAnOption { heap: 2, .. }),
                "{text}"
            );
        }
        let many = format!("1: 0\n2: {}", ["1"; MAX_PARTS + 1].join("+"));
        assert!(matches!(
            fault(&many),
            OptionListError::TooManyParts { heap: 2, .. }
        ));
        let lines = |heaps: usize| {
            (1..=heaps)
                .map(|heap| format!("{heap}: 0\n"))
                .collect::<String>()
        };
        assert_eq!(HeapList::of_file(&lines(MAX_HEAPS)).unwrap().heaps(), 255);
        assert_eq!(fault(&lines(MAX_HEAPS + 1)), OptionListError::TooManyHeaps);
        let all = |heap: usize| {
            (0..heap)
                .map(|part| part.to_string())
                .collect::<Vec<_>>()
                .join(",")
        };
        let nim: String = (1..=200)
            .map(|heap| format!("{heap}: {}\n", all(heap)))
            .collect();
        assert_eq!(fault(&nim), OptionListError::TooLong);
        assert_eq!(fault(&" ".repeat(MAX_FILE + 1)), OptionListError::LongFile);
    }

    proptest! {
        #[test]
        fn printing_and_reading_agree(
            heaps in prop::collection::vec(prop::collection::vec(prop::collection::vec(0_u32..20, 1..4), 0..5), 1..20)
        ) {
            let lines = (1..).zip(&heaps).map(|(heap, options)| {
                let option = |parts: &Vec<u32>| {
                    let parts: Vec<String> = parts.iter().map(|part| (part % heap).to_string()).collect();
                    parts.join("+")
                };
                let options: Vec<String> = options.iter().map(option).collect();
                format!("{heap}: {}\n", options.join(", "))
            });
            if let Ok(list) = HeapList::of_file(&lines.collect::<String>()) {
                let code = Code::from(list);
                prop_assert_eq!(code.to_string().parse::<Code>().unwrap(), code);
            }
        }

        #[test]
        fn any_file_is_read_or_refused(text in "[0-9:,+;# \n]{0,60}") {
            let _ = HeapList::of_file(&text);
        }
    }
}
