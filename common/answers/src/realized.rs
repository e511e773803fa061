//! The decision whether a bipartite monoid is a misère quotient, with the way in which it is known.
//!
//! Not every reduced bipartite monoid is the misère quotient of some games. A quotient that a
//! census has found is one, as its certificate proves; a quotient with a name is one by the
//! literature. Any other of small order is decided ([`misere_algebra::classify::decision`]); beyond
//! that the answer is [`Realization::Open`].

use std::fmt;

use misere_algebra::classify::decision::{Decision, Reason, decide};
use misere_game::control::{Control, Stop};
use misere_game::monoid::word::generator_name;
use misere_game::ruleset::Code;
use misere_game::solution::Construction;
use serde_json::{Value, json};

use crate::identity::Identity;

/// Whether games have this quotient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Realization {
    /// The literature has games with this quotient, which has a name.
    ByName(String),
    /// A game of the census has it, for the heaps up to this one.
    InCensus(Code, u32),
    /// These games have it; the checker has proved it.
    ByGames(Box<Construction>),
    /// No games have it.
    ByNone(Reason),
    /// Not known: it is too large for the search, or the search took too long.
    Open,
}

/// Decides whether games have the identified quotient, or its reduction if it was not reduced.
///
/// `in_census` is the least game of a census that has it, with the heap, if one is known.
///
/// Cost: that of [`decide`], for a quotient that has no name and is in no census.
///
/// # Errors
/// [`Stop::Interrupted`] if the search is interrupted. Running out of fuel is not an error.
pub fn realized(
    identity: &Identity,
    in_census: Option<(Code, u32)>,
    control: &mut Control,
) -> Result<Realization, Stop> {
    if let Some(name) = &identity.name {
        return Ok(Realization::ByName(name.clone()));
    }
    if let Some((code, heap)) = in_census {
        return Ok(Realization::InCensus(code, heap));
    }
    match decide(&identity.monoid, control) {
        Ok(Decision::Quotient(games)) => Ok(Realization::ByGames(games)),
        Ok(Decision::NotOne(reason)) => Ok(Realization::ByNone(reason)),
        Ok(Decision::Open) | Err(Stop::FuelSpent) => Ok(Realization::Open),
        Err(stop @ Stop::Interrupted) => Err(stop),
    }
}

impl Realization {
    /// Reports whether it is a misère quotient, if that is known.
    #[must_use]
    pub fn is_quotient(&self) -> Option<bool> {
        match self {
            Self::ByName(_) | Self::InCensus(..) | Self::ByGames(_) => Some(true),
            Self::ByNone(_) => Some(false),
            Self::Open => None,
        }
    }

    /// Returns the document for machines.
    #[must_use]
    pub fn document(&self) -> Value {
        json!({ "known": self.is_quotient(), "why": self.to_string() })
    }
}

impl fmt::Display for Realization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ByName(name) => write!(f, "It is a misère quotient: the literature calls it {name}."),
            Self::InCensus(code, heap) => write!(
                f,
                "It is a misère quotient: that of the heaps to {heap} of {code}, in this census."
            ),
            Self::ByGames(construction) => {
                f.write_str("It is a misère quotient: games with it are ")?;
                games(construction, f)?;
                f.write_str(", each written by its options.")
            }
            Self::ByNone(reason) => write!(f, "It is not a misère quotient: {reason}."),
            Self::Open => f.write_str(
                "Whether it is a misère quotient is not known: no census given here has it, and the search that decides it goes to \
                 order 32.",
            ),
        }
    }
}

fn games(construction: &Construction, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (game, options) in construction.options.iter().enumerate() {
        if game > 0 {
            f.write_str(", ")?;
        }
        // A word is a sum of games: the empty one is the end, 0.
        let options = options
            .iter()
            .map(|option| match option.to_string().as_str() {
                "1" => "0".to_owned(),
                sum => sum.to_owned(),
            });
        let options: Vec<String> = options.collect();
        write!(f, "{} = {{{}}}", generator_name(game), options.join(", "))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use misere_game::monoid::readable::WrittenPresentation;

    use super::*;
    use crate::identity::identify;

    fn of(text: &str) -> Realization {
        let written: WrittenPresentation = text.parse().unwrap();
        let monoid = written.bipartite_monoid(1_000).unwrap();
        let control = &mut Control::unlimited();
        let identity = identify(&monoid, control).unwrap();
        realized(&identity, None, control).unwrap()
    }

    #[test]
    fn every_answer_has_a_document() {
        for (text, is, said) in [
            ("<a,b | a^2=1, b^3=b> P={a,b^2}", Some(true), "calls it T_2"),
            (
                "<a,b | a^2=1, b^2=1> P={a}",
                Some(false),
                "not a misère quotient: no set of games has it",
            ),
            (
                "<a | a^3=1> P={a}",
                Some(false),
                "no element can be the value of *",
            ),
            ("<a | a^40=1> P={a}", None, "is not known"),
            // Not reduced: its reduction is a quotient.
            (
                "<a,b,c | a^2=1, b^4=b^2, bc=b, c^2=1> P={a,b^2,ac}",
                Some(true),
                "calls it T_2",
            ),
        ] {
            let found = of(text);
            assert_eq!(found.is_quotient(), is, "{text}: {found}");
            assert!(found.to_string().contains(said), "{text}: {found}");
        }
    }
}
