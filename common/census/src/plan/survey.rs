//! The surveys of the games born by day 5, as lists of codes.
//!
//! A survey has the games other than 0 with at most `late` options born on day 4 that are above
//! none of the known sets with an infinite quotient, and one game for each of these sets. With 13
//! options these are 1,394,786 games. A plan states only the number of options. The list is made
//! once in a process, and takes four bytes a game.

use std::sync::OnceLock;

use misere_game::ruleset::Code;
use misere_game::ruleset::day_five::{DayFive, GameSet, MAX_LATE};
use rayon::prelude::*;

/// The games of a survey, as sets of options, in the order of their codes.
#[derive(Debug)]
pub struct Survey {
    day: DayFive,
    sets: Vec<GameSet>,
}

impl Survey {
    /// Returns the survey of the games with at most `late` options born on day 4.
    ///
    /// Cost: [`DayFive::survey`] and a sort of the codes, once in a process.
    pub(super) fn of(late: u8) -> &'static Self {
        static SURVEYS: [OnceLock<Survey>; MAX_LATE as usize + 1] =
            [const { OnceLock::new() }; MAX_LATE as usize + 1];
        let at = usize::from(late).min(SURVEYS.len() - 1);
        SURVEYS[at].get_or_init(|| Self::listed(late))
    }

    fn listed(late: u8) -> Self {
        let day = DayFive::new();
        let sets = day.survey(late.into());
        let named = sets.into_par_iter().filter_map(|set| {
            let code = Code::from(day.game(set)?);
            code.has_moves().then(|| (code.to_string(), set))
        });
        let mut named: Vec<(String, GameSet)> = named.collect();
        // Codes of finite games ascend by length, and codes of one length as texts.
        named.par_sort_unstable_by(|(one, _), (two, _)| (one.len(), one).cmp(&(two.len(), two)));
        let sets = named.into_iter().map(|(_, set)| set).collect();
        Self { day, sets }
    }

    /// Returns the number of games.
    pub(super) fn count(&self) -> u64 {
        self.sets.len() as u64
    }

    /// Returns the code of the game at a place.
    pub(super) fn code(&self, place: u64) -> Option<Code> {
        let set = self.sets.get(usize::try_from(place).ok()?)?;
        self.day.game(*set).map(Code::from)
    }
}
