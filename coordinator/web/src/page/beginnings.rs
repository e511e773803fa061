//! The search for games by the beginning of a sequence: nim-values, orders, outcomes or genera.

use std::ops::ControlFlow;

use misere_answers::search::{Beginnings, numbers, outcomes, written_genera};
use misere_game::control::{Control, Interrupt, Stop};
use misere_game::ruleset::Code;
use misere_query::Query;
use misere_store::{Store, StoreError};

/// The least number of entries that are read as a sequence.
const MIN_ENTRIES: usize = 4;

/// The fuel for the comparison of all games with one sequence: some seconds of one core.
const FUEL: u64 = 4_000_000;

/// The games of a census whose sequences begin as given.
pub(super) struct Beginning {
    /// What is compared, such as `nim-values of the heaps 0, 1, 2, …`.
    pub(super) what: String,
    /// The codes of the games, aliases included.
    pub(super) codes: Vec<Code>,
    /// The number of codes that were compared.
    pub(super) compared: u64,
    /// Whether the fuel was spent before all codes were compared.
    pub(super) is_cut: bool,
}

/// Returns the sequences whose beginning a text can be, each with its name.
///
/// A list whose first entry no game has at heap 0 begins with heap 1.
pub(super) fn beginnings(text: &str) -> Vec<(String, Beginnings)> {
    let none = Beginnings::default;
    let mut found = if let Ok(entries) = numbers(text) {
        let nim_values = Beginnings {
            nim_values: entries.clone(),
            ..none()
        };
        let orders = Beginnings {
            orders: entries,
            ..none()
        };
        vec![
            ("nim-values", nim_values),
            ("orders of the partial quotients to the heaps", orders),
        ]
    } else if let Ok(outcomes) = outcomes(text) {
        let asked = Beginnings { outcomes, ..none() };
        vec![("outcomes", asked)]
    } else if let Ok(genera) = written_genera(text) {
        let asked = Beginnings { genera, ..none() };
        vec![("genera", asked)]
    } else {
        Vec::new()
    };
    found.retain(|(_, asked)| asked.entries() >= MIN_ENTRIES);
    found
        .into_iter()
        .map(|(what, asked)| named(what, asked))
        .collect()
}

/// Names a sequence, and completes one that begins with heap 1.
fn named(what: &str, mut asked: Beginnings) -> (String, Beginnings) {
    let begins_at_1 = !asked.outcomes.is_empty() || asked.wrong_at_heap_0().is_some();
    if asked.wrong_at_heap_0().is_some() {
        let of_any_game = |entries: &mut Vec<_>| {
            if !entries.is_empty() {
                entries.insert(0, None);
            }
        };
        of_any_game(&mut asked.nim_values);
        of_any_game(&mut asked.orders);
        if !asked.genera.is_empty() {
            asked.genera.insert(0, None);
        }
    }
    let heaps = if begins_at_1 {
        "1, 2, 3, …"
    } else {
        "0, 1, 2, …"
    };
    let of = if what.ends_with("heaps") {
        ""
    } else {
        " of the heaps"
    };
    (format!("{what}{of} {heaps}"), asked)
}

impl Beginning {
    /// Compares all games of a census. May block for some seconds.
    pub(super) fn of(store: &Store, what: &str, asked: &Beginnings) -> Result<Self, StoreError> {
        let mut control = Control::new(FUEL, Interrupt::default());
        let mut found = Self {
            what: what.to_owned(),
            codes: Vec::new(),
            compared: 0,
            is_cut: false,
        };
        misere_store::answers::visit(store, &Query::default(), &mut |game| {
            for code in game.record.codes() {
                match asked.fit(code, &mut control) {
                    Ok(false) => {}
                    Ok(true) => found.codes.push(code.clone()),
                    Err(Stop::FuelSpent | Stop::Interrupted) => {
                        found.is_cut = true;
                        return ControlFlow::Break(());
                    }
                }
                found.compared += 1;
            }
            ControlFlow::Continue(())
        })?;
        found.codes.sort();
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_may_begin_with_heap_1() {
        let named = |text: &str| beginnings(text).into_iter().map(|(what, _)| what).collect();
        let found: Vec<String> = named("1,2,3,1,4,3");
        let orders = "orders of the partial quotients to the heaps 0, 1, 2, …";
        assert_eq!(found, ["nim-values of the heaps 1, 2, 3, …", orders]);
        let found: Vec<String> = named("2 2 6 6");
        let orders = "orders of the partial quotients to the heaps 1, 2, 3, …";
        assert_eq!(found, ["nim-values of the heaps 1, 2, 3, …", orders]);
        assert_eq!(
            beginnings("1,2,3,1")
                .first()
                .map(|(_, asked)| asked.entries()),
            Some(5)
        );
    }

    #[test]
    fn only_lists_are_read_as_sequences() {
        let names = |text: &str| beginnings(text).len();
        assert_eq!(names("0,1,2,3,1,4"), 2);
        assert_eq!(names("1 2 2 6 ?"), 2);
        assert_eq!(names("PNNPNN"), 1);
        assert_eq!(names("0^120 1^031 2^20 0^120"), 1);
        for other in [
            "0.77", "077", "0,1,2", "wild", "order 20", "NPN", "*2", "3+5+7", "kayles",
        ] {
            assert_eq!(names(other), 0, "{other}");
        }
    }
}
