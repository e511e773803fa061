//! What is wrong with a presentation without a P-portion.

use misere_algebra::classify::p_portions::{PPortions, p_portions};
use misere_answers::identity::MAX_PRESENTED;
use misere_game::bipartite::BipartiteMonoid;
use misere_game::control::{Control, Stop};
use misere_game::monoid::finitely_presented::{FinitePresentation, PresentationError};
use misere_game::monoid::notation::NotationError;
use misere_game::monoid::readable::PresentationInput;
use misere_game::monoid::word::lex_least_words;

use super::{QuotientSourceError, Source};
use crate::exit::Failure;

/// The fuel for trying the subsets of a monoid that is given without a P-portion.
const P_PORTIONS_FUEL: u64 = 10_000_000;

impl Source<'_> {
    /// Returns the failure for an unusable presentation.
    ///
    /// If only the P-portion is missing, it lists the P-portions that would do; otherwise it has
    /// `error`.
    pub(super) fn no_p_portion(&self, text: &str, error: &NotationError) -> Failure {
        let what = "the monoid presented";
        let why = self.watched(what, |control| no_p_portion(text, error, control));
        match why {
            Ok(Ok(why)) => QuotientSourceError::NotAQuotient(why).into(),
            Ok(Err(_)) => self.out_of_fuel(),
            Err(failure) => failure,
        }
    }
}

/// Describes the fault of a presentation without a P-portion.
///
/// If only the P-portion is missing, it lists those that would do; otherwise it has `error`.
///
/// # Errors
/// [`Stop`] if `control` ends it.
fn no_p_portion(text: &str, error: &NotationError, control: &mut Control) -> Result<String, Stop> {
    let typed: PresentationInput = match text.parse() {
        Ok(PresentationInput {
            presentation,
            p_portion: None,
        }) => PresentationInput {
            presentation,
            p_portion: None,
        },
        _ => return Ok(error.to_string()),
    };
    let presentation = typed.presentation;
    let monoid = match presentation.bipartite_monoid_within(&[], MAX_PRESENTED, control) {
        Ok(monoid) => monoid,
        Err(PresentationError::Stopped(stop)) => return Err(stop),
        Err(error) => return Ok(format!("{error}; besides, the P-portion is missing")),
    };
    let order = monoid.order();
    let found = control.within(P_PORTIONS_FUEL, |part| p_portions(&monoid, part));
    let choice = match found {
        Ok(Some(found)) => p_portions_in_words(&monoid, &presentation, &found),
        Ok(None) => format!("the monoid has {order} elements, too many to try all subsets"),
        Err(_) => format!("the monoid has {order} elements, and not all subsets could be tried"),
    };
    Ok(format!(
        "the P-portion is missing; write behind the presentation which elements are in P, as `P = {{a, b^2}}`: {choice}"
    ))
}

fn p_portions_in_words(
    monoid: &BipartiteMonoid,
    presentation: &FinitePresentation,
    found: &PPortions,
) -> String {
    /// The limit on the P-portions listed.
    const LISTED: usize = 6;
    let words = lex_least_words(monoid);
    let sets = found.quotients.iter().take(LISTED).map(|p_portion| {
        let words = p_portion
            .iter()
            .map(|&x| words[x as usize].with_names(presentation.generators()));
        format!("P = {{{}}}", words.collect::<Vec<_>>().join(", "))
    });
    let sets: Vec<String> = sets.collect();
    let of_them = match found.quotients.len() {
        0 => "and none of these is a misère quotient".to_owned(),
        1 => format!("and one of these is a misère quotient: {}", sets.join("")),
        number => format!(
            "and {number} of these, no two isomorphic, are misère quotients: {}{}",
            sets.join("; "),
            if number > LISTED { "; …" } else { "" }
        ),
    };
    format!(
        "the monoid has {} elements, {} of its subsets make it a reduced bipartite monoid, {of_them}",
        monoid.order(),
        found.reduced
    )
}
