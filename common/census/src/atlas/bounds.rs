//! The games of a plan, as an atlas states them: a family of codes and its bound.

use std::collections::BTreeSet;
use std::fmt;

use misere_game::ruleset::{Code, games_born_by};
use serde::{Deserialize, Serialize};

use crate::plan::{Listing, Space};

/// The games of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "games", rename_all = "kebab-case")]
pub enum Bounds {
    /// Octal codes.
    Octal {
        /// The most digits.
        digits: u8,
    },
    /// Hexadecimal codes.
    Hexadecimal {
        /// The most digits.
        digits: u8,
    },
    /// Quaternary codes.
    Quaternary {
        /// The most digits.
        digits: u8,
    },
    /// Subtraction games.
    Subtraction {
        /// The most beans.
        most: u8,
    },
    /// The finite games in simplest form born by a day, except the game without moves.
    BornBy {
        /// The day.
        day: u32,
    },
    /// Other games.
    Listed {
        /// The number of these games.
        codes: u64,
    },
}

impl Bounds {
    /// Returns the bounds of a space; if it has quotients too, the bounds of its games.
    ///
    /// ```
    /// use misere_census::Space;
    /// use misere_census::atlas::Bounds;
    /// use misere_game::ruleset::{Code, games_born_by};
    /// assert_eq!(Bounds::of(&Space::Octal { digits: 5 }), Bounds::Octal { digits: 5 });
    /// // Without the first game, which has no moves.
    /// let games = games_born_by(3).into_iter().skip(1).map(Code::from);
    /// let born = Bounds::of(&Space::Codes(games.collect()));
    /// assert_eq!(born.to_string(), "finite games born by day 3");
    /// ```
    #[must_use]
    pub fn of(space: &Space) -> Self {
        match space.listing() {
            Listing::Octal { digits } => Self::Octal { digits },
            Listing::Hexadecimal { digits } => Self::Hexadecimal { digits },
            Listing::Quaternary { digits } => Self::Quaternary { digits },
            Listing::Subtraction { most } => Self::Subtraction { most },
            Listing::Codes(codes) => of_codes(codes),
            Listing::BornByFive(_) => Self::Listed {
                codes: space.listing().count(),
            },
        }
    }

    /// Reports whether a game lies within the bounds, as far as they determine it.
    ///
    /// ```
    /// use misere_census::atlas::Bounds;
    /// let octal = Bounds::Octal { digits: 2 };
    /// assert!(octal.has(&"4.7".parse()?));
    /// assert!(!octal.has(&"4.07".parse()?));
    /// assert!(!octal.has(&"0.8".parse()?));
    /// assert!(Bounds::BornBy { day: 2 }.has(&"*2".parse()?));
    /// assert!(!Bounds::BornBy { day: 2 }.has(&"*3".parse()?));
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn has(&self, code: &Code) -> bool {
        let is_in = |most: u8, first: &[u8], digits: &dyn Fn(u8) -> bool| {
            let d0 = code.digit(0);
            let most = usize::from(most) - usize::from(d0 != 0 && most > 0);
            code.is_take_and_break()
                && first.contains(&d0)
                && code.length() <= most
                && (1..=code.length()).all(|at| digits(code.digit(at)))
        };
        match *self {
            Self::Octal { digits } => is_in(digits, &[0, 4], &|digit| digit < 8),
            Self::Hexadecimal { digits } => is_in(digits, &[0, 4, 8, 12], &|digit| digit < 16),
            Self::Quaternary { digits } => is_in(digits, &[0], &|digit| digit < 4),
            Self::Subtraction { most } => is_in(most, &[0], &|digit| matches!(digit, 0 | 3)),
            Self::BornBy { day } => code
                .finite_game()
                .is_some_and(|game| game.birthday() <= day),
            Self::Listed { .. } => true,
        }
    }
}

/// Returns the bounds of listed codes: all games born by a day, or others.
fn of_codes(codes: &[Code]) -> Bounds {
    let listed = Bounds::Listed {
        codes: codes.len() as u64,
    };
    let birthdays = codes.iter().map(|code| code.finite_game());
    let birthdays: Option<Vec<u32>> = birthdays.map(|game| Some(game?.birthday())).collect();
    let Some(day) = birthdays.and_then(|days| days.into_iter().max()) else {
        return listed;
    };
    let born: BTreeSet<Code> = games_born_by(day).into_iter().map(Code::from).collect();
    let born = born.iter().filter(|code| code.has_moves());
    match born.eq(codes.iter().collect::<BTreeSet<_>>()) {
        true => Bounds::BornBy { day },
        false => listed,
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Octal { digits } => Space::Octal { digits }.fmt(f),
            Self::Hexadecimal { digits } => Space::Hexadecimal { digits }.fmt(f),
            Self::Quaternary { digits } => Space::Quaternary { digits }.fmt(f),
            Self::Subtraction { most } => Space::Subtraction { most }.fmt(f),
            Self::BornBy { day } => write!(f, "finite games born by day {day}"),
            Self::Listed { codes: 1 } => write!(f, "one game"),
            Self::Listed { codes } => write!(f, "{codes} listed games"),
        }
    }
}
