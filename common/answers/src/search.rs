//! The search for games by the beginning of a sequence.

use misere_algebra::forms::sequence::genera;
use misere_engine::normal::nim_values;
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Stop};
use misere_game::outcome::Outcome;
use misere_game::ruleset::Code;
use misere_game::solution::{Limit, Solution, Verdict};

/// The most digits of a number that stands alone: every sequence begins with small numbers.
const MAX_DIGITS: usize = 3;

/// The genus of the game without moves.
const GENUS_OF_0: &str = "0^120";

/// The most entries of a sequence.
pub const MAX_ENTRIES: usize = 1_000;

/// The beginnings of sequences that a game is to have; `None` is an entry that may be anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beginnings {
    /// The nim-values of the heaps 0, 1, 2, … in normal play.
    pub nim_values: Vec<Option<u32>>,
    /// The outcomes of the heaps 1, 2, … in misère play.
    pub outcomes: Vec<Option<Outcome>>,
    /// The genera of the heaps 0, 1, 2, …, as they are written: `1^031`.
    pub genera: Vec<Option<String>>,
    /// The orders of the partial quotients to the heaps 0, 1, 2, …
    pub orders: Vec<Option<u32>>,
}

/// A text that is not the beginning of a sequence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BeginningError {
    /// An entry is not one of the sequence.
    #[error("`{0}` is not {1}; write ? for an entry that may be anything")]
    BadEntry(String, &'static str),
    /// The entries are not separated.
    #[error("`{0}` is one entry: separate the entries by commas, as in 0,1,2")]
    OneEntry(String),
    /// There are too many entries.
    #[error("there are {0} entries; at most {MAX_ENTRIES} are compared")]
    TooMany(usize),
}

impl Beginnings {
    /// Reports whether nothing is asked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }

    /// Returns the number of entries of the longest sequence.
    #[must_use]
    pub fn entries(&self) -> usize {
        let numbers = self.nim_values.len().max(self.orders.len());
        numbers.max(self.outcomes.len()).max(self.genera.len())
    }

    /// Returns the sequence whose entry for heap 0 no game has, with that entry as all games have it.
    ///
    /// A sequence copied from a paper may begin with heap 1.
    ///
    /// ```
    /// use misere_answers::search::{Beginnings, numbers};
    /// let asked = Beginnings { nim_values: numbers("1,2,3,1,4")?, ..Beginnings::default() };
    /// assert_eq!(asked.wrong_at_heap_0(), Some(("nim-values", "0")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn wrong_at_heap_0(&self) -> Option<(&'static str, &'static str)> {
        let differs = |first: Option<&Option<u32>>, value| matches!(first, Some(&Some(first)) if first != value);
        if differs(self.nim_values.first(), 0) {
            return Some(("nim-values", "0"));
        }
        if differs(self.orders.first(), 1) {
            return Some(("orders", "1"));
        }
        match self.genera.first() {
            Some(Some(first)) if first != GENUS_OF_0 => Some(("genera", GENUS_OF_0)),
            _ => None,
        }
    }

    /// Reports whether the sequences of a game begin so.
    ///
    /// Of a game that is tame relative to a heap, only the orders to that heap are compared.
    ///
    /// Cost: that of the nim-values, the simplest forms and the partial quotients of the heaps
    /// compared.
    ///
    /// ```
    /// use misere_answers::search::{Beginnings, numbers};
    /// use misere_game::control::Control;
    /// let asked = Beginnings { nim_values: numbers("0,1,2,?,1,4")?, ..Beginnings::default() };
    /// assert!(asked.fit(&"0.77".parse()?, &mut Control::unlimited())?);
    /// assert!(!asked.fit(&"0.07".parse()?, &mut Control::unlimited())?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends the computation.
    pub fn fit(&self, code: &Code, control: &mut Control) -> Result<bool, Stop> {
        if let Some(last) = last(self.nim_values.len()) {
            let found = nim_values(code, last, control)?;
            if !agree(&self.nim_values, &found) {
                return Ok(false);
            }
        }
        if !self.fit_orders(code, control)? {
            return Ok(false);
        }
        let heaps = self.genera.len().max(match self.outcomes.len() {
            0 => 0,
            outcomes => outcomes + 1,
        });
        let Some(last) = last(heaps) else {
            return Ok(true);
        };
        let found = genera(code, last, control);
        if let Some(stop) = found.stopped {
            return Err(stop);
        }
        let outcomes = found.heaps.iter().skip(1).map(|heap| heap.genus.outcome());
        let outcomes: Vec<Outcome> = outcomes.collect();
        let written = found.heaps.iter().map(|heap| heap.genus.to_string());
        let written: Vec<String> = written.collect();
        Ok(agree(&self.outcomes, &outcomes) && agree(&self.genera, &written))
    }
}

impl Beginnings {
    fn fit_orders(&self, code: &Code, control: &mut Control) -> Result<bool, Stop> {
        let known = self.orders.iter().rposition(Option::is_some);
        let asked = &self.orders[..known.map_or(0, |last| last + 1)];
        let Some(last) = last(asked.len()) else {
            return Ok(true);
        };
        // Orders do not decrease, so a greater one than all that are asked ends the comparison.
        let limits = Limits {
            max_heap: last,
            max_order: asked.iter().flatten().copied().max().unwrap_or(1),
            max_evidence: 0,
            ..Limits::default()
        };
        let solution = solve(code, &limits, Strategy::default(), control);
        match solution.verdict {
            Verdict::Exhausted(Limit::Fuel) => return Err(Stop::FuelSpent),
            Verdict::Interrupted => return Err(Stop::Interrupted),
            _ => {}
        }
        let heaps = match solution.verdict {
            Verdict::Solved { .. } => last,
            _ => solution.heaps().min(last),
        };
        let found: Vec<u32> = (0..=heaps).map(|heap| order_to(&solution, heap)).collect();
        Ok(match solution.verdict {
            Verdict::TameRelative { .. } => agree(&asked[..found.len()], &found),
            _ => agree(asked, &found),
        })
    }
}

/// Returns the order of the partial quotient to a heap.
fn order_to(solution: &Solution, heap: u32) -> u32 {
    let partials = solution.partials.iter();
    let before = partials.take_while(|partial| partial.heap <= heap).last();
    before.map_or(1, |partial| partial.order)
}

/// Returns the last heap of a sequence that begins with heap 0.
fn last(entries: usize) -> Option<u32> {
    u32::try_from(entries).ok()?.checked_sub(1)
}

/// Reports whether a sequence begins with the entries that are given.
fn agree<T: PartialEq>(asked: &[Option<T>], found: &[T]) -> bool {
    asked.len() <= found.len()
        && asked
            .iter()
            .zip(found)
            .all(|(asked, found)| asked.as_ref().is_none_or(|asked| asked == found))
}

/// Parses numbers: `0,1,2,?,1` or `0 1 2 ? 1`.
///
/// # Errors
/// [`BeginningError`] with the entry that is not a number.
pub fn numbers(text: &str) -> Result<Vec<Option<u32>>, BeginningError> {
    entries(text, |entry| entry.parse().ok(), "a number")
}

/// Parses genera as they are written: `0^120,1^031`.
///
/// # Errors
/// [`BeginningError`] with the entry that is not a genus.
pub fn written_genera(text: &str) -> Result<Vec<Option<String>>, BeginningError> {
    let genus = |entry: &str| entry.contains('^').then(|| entry.to_owned());
    entries(text, genus, "a genus, such as 1^031")
}

/// Parses outcomes, which may stand without a blank: `PNN?N`.
///
/// # Errors
/// [`BeginningError`] with the letter that is not an outcome.
pub fn outcomes(text: &str) -> Result<Vec<Option<Outcome>>, BeginningError> {
    let letters = text.chars().filter(|letter| !is_between(*letter));
    let apart: Vec<String> = letters.map(String::from).collect();
    let outcome = |entry: &str| match entry {
        "P" | "p" => Some(Outcome::P),
        "N" | "n" => Some(Outcome::N),
        _ => None,
    };
    entries(&apart.join(" "), outcome, "an outcome, P or N")
}

fn is_between(letter: char) -> bool {
    letter.is_whitespace() || letter == ','
}

fn entries<T>(
    text: &str,
    read: impl Fn(&str) -> Option<T>,
    what: &'static str,
) -> Result<Vec<Option<T>>, BeginningError> {
    let entries = text.split(is_between).filter(|entry| !entry.is_empty());
    let entries: Vec<&str> = entries.collect();
    if let [one] = entries[..]
        && one.len() > MAX_DIGITS
        && one.bytes().all(|byte| byte.is_ascii_digit())
    {
        return Err(BeginningError::OneEntry(one.to_owned()));
    }
    if entries.len() > MAX_ENTRIES {
        return Err(BeginningError::TooMany(entries.len()));
    }
    let read = |entry: &str| match entry {
        "?" => Ok(None),
        _ => match read(entry) {
            Some(read) => Ok(Some(read)),
            None => Err(BeginningError::BadEntry(entry.to_owned(), what)),
        },
    };
    entries.into_iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_found_by_outcomes_and_genera() {
        let control = &mut Control::unlimited();
        let quaternary: Code = "0.123".parse().unwrap();
        let found = genera(&quaternary, 12, control);
        let written: Vec<String> = found
            .heaps
            .iter()
            .map(|heap| heap.genus.to_string())
            .collect();
        let letters: String = found.heaps[1..]
            .iter()
            .map(|heap| heap.genus.outcome().to_string())
            .collect();
        let asked = Beginnings {
            outcomes: outcomes(&letters).unwrap(),
            genera: written_genera(&written.join(", ")).unwrap(),
            ..Beginnings::default()
        };
        assert!(asked.fit(&quaternary, control).unwrap());
        assert!(!asked.fit(&"0.124".parse().unwrap(), control).unwrap());
        let any = Beginnings {
            outcomes: outcomes("??????").unwrap(),
            ..Beginnings::default()
        };
        assert!(any.fit(&"0.77".parse().unwrap(), control).unwrap());
        assert!(Beginnings::default().is_empty() && !any.is_empty());
    }

    #[test]
    fn games_are_found_by_the_orders_of_partial_quotients() {
        let control = &mut Control::unlimited();
        let fit = |orders: &str, code: &str, control: &mut Control| {
            let asked = Beginnings {
                orders: numbers(orders).unwrap(),
                ..Beginnings::default()
            };
            asked.fit(&code.parse().unwrap(), control)
        };
        // The partial quotients of 0.123 change at the heaps 1, 3, 8 and 9.
        let orders = "1 2 2 6 6 6 6 6 12 20";
        assert_eq!(fit(orders, "0.123", control), Ok(true));
        assert_eq!(fit("? ? ? ? 6 ? ? ? ? 20 ? ?", "0.123", control), Ok(true));
        // Known for all heaps, since the values repeat.
        let far = format!("{orders}{}", " 20".repeat(500));
        assert_eq!(fit(&far, "0.123", control), Ok(true));
        assert_eq!(fit("1 2 2 6 6 6 6 6 12 18", "0.123", control), Ok(false));
        assert_eq!(fit("1 2 2 6 6 6 6 6 12 21", "0.123", control), Ok(false));
        // 0.07 diverges at heap 34, after order 638.
        let last = format!("{}638", "? ".repeat(33));
        assert_eq!(fit(&last, "0.07", control), Ok(true));
        assert_eq!(fit(&format!("{last} 65536"), "0.07", control), Ok(false));
        // 0.56 is tame relative to heap 7.
        assert_eq!(
            fit(&format!("1 2{}", " ?".repeat(5)), "0.56", control),
            Ok(true)
        );
        let spent = fit(orders, "0.123", &mut Control::new(1, Default::default()));
        assert_eq!(spent, Err(Stop::FuelSpent));
    }

    #[test]
    fn what_is_no_entry_is_named() {
        for (error, entry) in [
            (numbers("0,x").unwrap_err(), "`x`"),
            (numbers("0,-1").unwrap_err(), "`-1`"),
            (numbers("0123143214").unwrap_err(), "as in 0,1,2"),
            (outcomes("PNQ").unwrap_err(), "`Q`"),
            (written_genera("3").unwrap_err(), "`3`"),
            (numbers(&"1 ".repeat(1_001)).unwrap_err(), "1001"),
        ] {
            assert!(error.to_string().contains(entry), "{error}");
        }
        assert_eq!(numbers(" ").unwrap(), []);
    }
}
