//! The places where a census has a class. A program without the census has none.

#[cfg(feature = "census")]
pub use with_census::{CensusLookup, occurrences};
#[cfg(not(feature = "census"))]
pub use without_census::CensusLookup;

#[cfg(feature = "census")]
mod with_census {
    use misere_game::bipartite::ClassKey;
    use misere_game::ruleset::Code;
    use misere_report::whereabouts::{ClassLocations, Exclusion, whereabouts};
    use serde_json::{Value, json};

    use crate::census_error::CensusError;
    use crate::exit::Failure;
    use crate::known::Store;

    /// The places of a class in a census, and what it excludes if there are none.
    pub struct CensusLookup {
        found: ClassLocations,
        excluded: Option<Exclusion>,
    }

    impl CensusLookup {
        /// Finds the places of a class whose quotient has this order, at most `limit` games.
        ///
        /// # Errors
        /// A [`Failure`] if the census cannot be read.
        pub fn new(
            store: &Store,
            class: &ClassKey,
            order: Option<usize>,
            limit: usize,
        ) -> Result<Self, Failure> {
            let found = whereabouts(store, class, limit).map_err(CensusError::from)?;
            let excluded = (!found.is_somewhere()).then(|| Exclusion::of(store, order));
            Ok(Self { found, excluded })
        }

        /// Returns the least code of the census that has the class, and its least heap.
        pub fn smallest(&self) -> Option<(Code, u32)> {
            self.found.smallest.clone()
        }

        /// Formats the places as text.
        pub fn text(&self) -> String {
            let excluded = self.excluded.iter().flat_map(Exclusion::sentences);
            let lines = excluded.map(|sentence| format!("{sentence}\n"));
            [occurrences(&self.found)]
                .into_iter()
                .chain(lines)
                .collect()
        }

        /// Returns the places as JSON.
        pub fn document(&self) -> Value {
            let found = &self.found;
            let place = |(code, heap): &(Code, u32)| json!({ "code": code, "heap": heap });
            json!({
                "constructed": found.constructed,
                "games": found.games,
                "whole_games": found.whole_games,
                "smallest": found.smallest.as_ref().map(place),
                "earliest": found.earliest.as_ref().map(place),
                "occurrences": found.occurrences,
                "excluded": self.excluded,
            })
        }
    }

    /// Lists the places of a class in a census.
    pub fn occurrences(found: &ClassLocations) -> String {
        let constructed = match found.constructed {
            true => "the census of misère quotients has a construction of it\n",
            false => "",
        };
        let Some((code, heap)) = &found.smallest else {
            return format!(
                "{constructed}no game of the census has it as quotient or partial quotient\n"
            );
        };
        let earliest = match &found.earliest {
            Some((earliest, at)) if earliest != code => {
                format!("earliest: {earliest}, from heap {at} on\n")
            }
            _ => String::new(),
        };
        let mut text = format!(
            "{constructed}least code with it: {code}, from heap {heap} on\n{earliest}in the census {} {} it as quotient or partial quotient, {} as the quotient of the whole game\n",
            games(found.games),
            if found.games == 1 { "has" } else { "have" },
            found.whole_games
        );
        for occurrence in &found.occurrences {
            let ranges: Vec<String> = (occurrence.ranges.iter().enumerate())
                .map(|(at, &(first, last))| {
                    let is_last = at + 1 == occurrence.ranges.len();
                    match (first, last) {
                        _ if is_last && occurrence.forever => format!("{first} on, for ever"),
                        (first, last) if first == last => first.to_string(),
                        (first, last) => format!("{first}–{last}"),
                    }
                })
                .collect();
            let also = match occurrence.renumberings.as_slice() {
                [] => String::new(),
                [one] => format!(" = {one}"),
                [one, rest @ ..] => format!(" = {one} and {} more codes", rest.len()),
            };
            let status = occurrence.status.map_or("", |status| status.name());
            text.push_str(&format!(
                "  {:<12}  {status:<13}  heaps {}{}\n",
                occurrence.code.to_string(),
                ranges.join(", "),
                also
            ));
        }
        let left = found.games - found.occurrences.len() as u64;
        if left > 0 {
            text.push_str(&format!("  and {left} more; --limit lists them\n"));
        }
        text
    }

    fn games(number: u64) -> String {
        match number {
            1 => "1 game".to_owned(),
            number => format!("{number} games"),
        }
    }
}

#[cfg(not(feature = "census"))]
mod without_census {
    use misere_game::bipartite::ClassKey;
    use misere_game::ruleset::Code;
    use serde_json::Value;

    use crate::exit::Failure;
    use crate::known::Store;

    /// The places of a class in a census, which this program cannot have.
    pub enum CensusLookup {}

    impl CensusLookup {
        /// Cannot be called, since [`Store`] has no values.
        pub fn new(
            store: &Store,
            _: &ClassKey,
            _: Option<usize>,
            _: usize,
        ) -> Result<Self, Failure> {
            match *store {}
        }

        /// Cannot be called, since [`Store`] has no values.
        pub fn smallest(&self) -> Option<(Code, u32)> {
            match *self {}
        }

        /// Cannot be called, since [`Store`] has no values.
        pub fn text(&self) -> String {
            match *self {}
        }

        /// Cannot be called, since [`Store`] has no values.
        pub fn document(&self) -> Value {
            match *self {}
        }
    }
}
