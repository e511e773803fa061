//! Positions behind the elements: context that distinguishes two, and why one is in P.
//!
//! The positions are sums of heaps of the game, or of games found for a quotient that is given
//! without a game. If there are neither, the words of the elements represent them.

use std::collections::BTreeSet;

use misere_algebra::classify::decision::{Decision, decide};
use misere_game::bipartite::Element;
use misere_game::control::{Control, Stop};
use misere_game::monoid::word::generator_name;
use misere_game::ruleset::Code;
use misere_game::solution::Construction;
use misere_game::structure::least_sums::{LeastSums, Summand};
use serde::Serialize;

use super::quotient::{NamedElement, Quotient};

/// Fuel for finding games of a quotient that is given without a game.
const GAMES_FUEL: u64 = 5_000_000;

/// The summands of positions, which determine the moves.
enum Rules {
    /// The heaps of a game.
    Heaps(Code),
    /// Games found for the quotient.
    Games(Box<Construction>),
    /// The generators, without moves.
    None,
}

/// The summands of positions, with their values.
pub(super) struct Sums<'a> {
    quotient: &'a Quotient,
    rules: Rules,
    summands: Vec<Summand>,
    least: LeastSums<'a>,
}

/// Two elements with the least context that distinguishes them.
#[derive(Debug, Serialize)]
pub(super) struct Distinction {
    pub(super) elements: [Side; 2],
    /// The least context; `null` if the elements are the same.
    pub(super) context: Option<Context>,
}

/// An element that is distinguished from another.
#[derive(Debug, Serialize)]
pub(super) struct Side {
    /// The element as the user named it.
    pub(super) given: String,
    pub(super) value: String,
    pub(super) outcome: char,
    /// The value in the context.
    pub(super) together: Option<String>,
    pub(super) together_outcome: Option<char>,
}

/// A context: a position beside another one.
#[derive(Debug, Serialize)]
pub(super) struct Context {
    /// The position, in words.
    pub(super) position: String,
    pub(super) value: String,
}

/// The reason why an element is in P or not.
#[derive(Debug, Serialize)]
pub(super) struct ElementExplanation {
    pub(super) given: String,
    pub(super) value: String,
    pub(super) outcome: char,
    /// The kind of positions examined: `heaps`, `games`, or `None` if no moves are known.
    pub(super) positions: Option<&'static str>,
    /// The games, each with its options, if the summands are not heaps of a game.
    pub(super) games: Vec<String>,
    /// The least position with the value.
    pub(super) position: Option<String>,
    /// The moves from that position, without duplicates: all from a P-position, the winning ones
    /// from an N-position.
    pub(super) moves: Vec<Move>,
}

/// A move from a position.
#[derive(Debug, Serialize)]
pub(super) struct Move {
    /// The summand in which the move is made.
    pub(super) from: String,
    /// The rest of the summand that the move leaves.
    pub(super) to: String,
    pub(super) value: String,
    pub(super) outcome: char,
}

impl<'a> Sums<'a> {
    /// Finds the positions of a quotient: of its game, or of games found for it.
    ///
    /// Games are searched only if `finds_games` is set.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub(super) fn new(
        quotient: &'a Quotient,
        finds_games: bool,
        control: &mut Control,
    ) -> Result<Self, Stop> {
        let (rules, summands) = match &quotient.game {
            Some(game) => {
                let heaps = game.values.iter().zip(0..);
                let summands = heaps.map(|(&value, beans)| Summand { value, beans });
                (Rules::Heaps(game.code.clone()), summands.collect())
            }
            None => match found(quotient, finds_games, control)? {
                Some((games, values)) => {
                    let numbered = values.into_iter().zip(1..);
                    let summands = numbered.map(|(value, beans)| Summand { value, beans });
                    (Rules::Games(games), summands.collect())
                }
                None => {
                    let generators = (0..quotient.monoid.generators()).map(|g| Summand {
                        value: quotient.monoid.act(0, g),
                        beans: 0,
                    });
                    (Rules::None, generators.collect())
                }
            },
        };
        let summands: Vec<Summand> = summands;
        let least = LeastSums::new(&quotient.monoid, &summands, control)?;
        Ok(Self {
            quotient,
            rules,
            summands,
            least,
        })
    }

    /// Returns the least context that distinguishes two elements.
    pub(super) fn tell(&self, one: &NamedElement, other: &NamedElement) -> Distinction {
        let context = self.least.telling(one.element, other.element);
        let side = |named: &NamedElement| {
            let together = context.map(|z| self.quotient.times(named.element, z));
            Side {
                given: named.text.clone(),
                value: self.quotient.word(named.element),
                outcome: self.outcome(named.element),
                together: together.map(|x| self.quotient.word(x)),
                together_outcome: together.map(|x| self.outcome(x)),
            }
        };
        Distinction {
            elements: [side(one), side(other)],
            context: context.map(|z| Context {
                position: self.least_position(z),
                value: self.quotient.word(z),
            }),
        }
    }

    /// Explains why an element is in P or not.
    pub(super) fn why(&self, named: &NamedElement) -> ElementExplanation {
        let x = named.element;
        let outcome = self.outcome(x);
        let places = self.least.of(x).unwrap_or_default();
        let mut met: BTreeSet<(usize, Element)> = BTreeSet::new();
        let mut moves = Vec::new();
        for (at, &place) in places.iter().enumerate() {
            let others = places.iter().enumerate().filter(|&(other, _)| other != at);
            let rest = others.fold(0, |sum, (_, &place)| {
                self.quotient.times(sum, self.summands[place].value)
            });
            for option in self.options(place) {
                let after = option.iter().fold(rest, |sum, &part| {
                    self.quotient.times(sum, self.summands[part].value)
                });
                let wins = self.quotient.monoid.in_p(after);
                if (outcome == 'P' || wins) && met.insert((place, after)) {
                    moves.push(Move {
                        from: self.name(place),
                        to: self.position(&option),
                        value: self.quotient.word(after),
                        outcome: self.outcome(after),
                    });
                }
            }
        }
        let (positions, games) = match &self.rules {
            Rules::Heaps(_) => (Some("heaps"), Vec::new()),
            Rules::Games(games) => {
                let all = (0..games.options.len()).map(|game| self.game(game));
                (Some("games"), all.collect())
            }
            Rules::None => (None, Vec::new()),
        };
        ElementExplanation {
            given: named.text.clone(),
            value: self.quotient.word(x),
            outcome,
            position: positions.map(|_| self.position(&places)),
            positions,
            games,
            moves,
        }
    }

    fn outcome(&self, x: Element) -> char {
        if self.quotient.monoid.in_p(x) {
            'P'
        } else {
            'N'
        }
    }

    /// Writes the least position with a value, or the word if there are no positions.
    fn least_position(&self, x: Element) -> String {
        match &self.rules {
            Rules::None => self.quotient.word(x),
            Rules::Heaps(_) | Rules::Games(_) => {
                self.position(&self.least.of(x).unwrap_or_default())
            }
        }
    }

    fn name(&self, place: usize) -> String {
        match &self.rules {
            Rules::Heaps(_) => place.to_string(),
            Rules::Games(_) => game_name(place),
            Rules::None => self.quotient.names.get(place).cloned().unwrap_or_default(),
        }
    }

    fn position(&self, places: &[usize]) -> String {
        if places.is_empty() {
            return "the empty position".to_owned();
        }
        let names: Vec<String> = places.iter().map(|&place| self.name(place)).collect();
        names.join(" + ")
    }

    /// Returns the sums that moves in a summand leave.
    fn options(&self, place: usize) -> Vec<Vec<usize>> {
        match &self.rules {
            Rules::Heaps(code) => {
                let options = code.options(place as u32).into_iter();
                let parts = options.map(|option| option.parts().map(|part| part as usize));
                parts.map(Iterator::collect).collect()
            }
            Rules::Games(games) => {
                let options = games.options[place].iter();
                let parts = options.map(|word| {
                    let counted = word.0.iter().enumerate();
                    let parts = counted
                        .flat_map(|(game, &count)| std::iter::repeat_n(game, count as usize));
                    parts.collect()
                });
                parts.collect()
            }
            Rules::None => Vec::new(),
        }
    }

    /// Writes a game by its options.
    fn game(&self, place: usize) -> String {
        let options = self.options(place).into_iter();
        let options = options.map(|option| match option.is_empty() {
            true => "0".to_owned(),
            false => self.position(&option).replace(' ', ""),
        });
        let options: Vec<String> = options.collect();
        format!("{} = {{{}}}", game_name(place), options.join(", "))
    }
}

/// Returns the name of a game found: an upper-case letter, so that it is not a generator.
fn game_name(place: usize) -> String {
    match generator_name(place).split_once('_') {
        Some((letter, round)) => format!("{}_{round}", letter.to_uppercase()),
        None => generator_name(place).to_uppercase(),
    }
}

/// Games with a quotient, and the value of each.
type Games = (Box<Construction>, Vec<Element>);

/// Finds games with a quotient; returns `None` if it finds none or `finds_games` is not set.
fn found(
    quotient: &Quotient,
    finds_games: bool,
    control: &mut Control,
) -> Result<Option<Games>, Stop> {
    if !finds_games {
        return Ok(None);
    }
    let decided = control.within(GAMES_FUEL, |control| decide(&quotient.monoid, control));
    let games = match decided {
        Ok(Decision::Quotient(games)) => games,
        Ok(Decision::NotOne(_) | Decision::Open) | Err(Stop::FuelSpent) => return Ok(None),
        Err(stop @ Stop::Interrupted) => return Err(stop),
    };
    let Some(map) = games.quotient.isomorphism(&quotient.monoid) else {
        return Ok(None);
    };
    let values = (0..games.quotient.generators()).map(|g| map[games.quotient.act(0, g) as usize]);
    let values = values.collect();
    Ok(Some((games, values)))
}
