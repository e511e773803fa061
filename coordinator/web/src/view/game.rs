//! A game of the census: its record, its solution and its certificate.

use std::ops::ControlFlow;

use misere_game::ruleset::Code;
use misere_game::ruleset::renumbering::Renumbering;
use misere_game::solution::{Document, Solution};

use misere_query::{KnownGame, Query};
use misere_store::Store;

use super::error::RequestError;

/// The greatest length of a code that is read: no census has a longer one.
const MAX_CODE_LENGTH: usize = 4_096;

/// Parses the code that a person wrote.
pub(crate) fn code(text: &str) -> Result<Code, RequestError> {
    let text = text.trim();
    let advice = || {
        "A code looks like 0.77 or 4.04; finite games like {*2,0} and grundy are understood too."
            .to_owned()
    };
    if text.len() > MAX_CODE_LENGTH {
        return Err(RequestError::Input {
            message: "that is too long for a code".to_owned(),
            advice: advice(),
        });
    }
    text.parse().map_err(|error| RequestError::Input {
        message: format!("`{text}` is not a code of a game: {error}"),
        advice: advice(),
    })
}

/// Returns the game of the census, in the heap numbers of the code given.
pub(crate) fn known(store: &Store, code: &Code) -> Result<KnownGame, RequestError> {
    store.game(code)?.ok_or_else(|| {
        let counters = store.counters();
        let pending = match counters.pending() {
            0 => String::new(),
            pending => format!(" {pending} of its games are not done yet; it may be one of them."),
        };
        let same = same_game(store, code).ok().flatten();
        let same = same.map_or_else(String::new, |same| {
            format!(" It is the same game as {same}, with other heap numbers.")
        });
        RequestError::NotHere {
            message: format!("this census has no record of {code}"),
            advice: format!(
                "It covers {}.{same}{pending} `misere solve '{code}'` tries to solve it.",
                store.plan().space()
            ),
        }
    })
}

/// The greatest number of records that are compared with one game.
pub(crate) const MAX_COMPARED: u64 = 5_000;

/// Finds a game of the census that is the same as a code outside its plan, heap for heap.
///
/// A census of more than 5,000 records is not searched.
pub(crate) fn same_game(store: &Store, code: &Code) -> Result<Option<Code>, RequestError> {
    if store.counters().records() > MAX_COMPARED {
        return Ok(None);
    }
    let mut same = None;
    misere_store::answers::visit(store, &Query::default(), &mut |game| {
        let is_same = Renumbering::between(&game.representative, code).is_some();
        same = is_same.then_some(game.representative);
        match is_same {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    Ok(same)
}

/// Returns the claims of the certificate of a game.
///
/// Heaps are numbered as in the code under which the game is shown.
pub(crate) fn solution(store: &Store, game: &KnownGame) -> Result<Solution, RequestError> {
    store.solution(game).map_err(|error| {
        let code = &game.representative;
        tracing::error!(%code, %error, "a certificate of the census cannot be read");
        RequestError::Internal
    })
}

/// Returns the certificate of a game under the requested code.
///
/// It is the one that was checked, or a new encoding with the heap numbers of an alias.
pub(crate) fn certificate(store: &Store, game: &KnownGame) -> Result<Vec<u8>, RequestError> {
    if game.record.code != game.representative {
        return misere_census::certificate::encode(&solution(store, game)?).map_err(|error| {
            tracing::error!(code = %game.record.code, %error, "a certificate cannot be written");
            RequestError::Internal
        });
    }
    let code = &game.representative;
    store
        .certificate(code)?
        .ok_or_else(|| RequestError::NotHere {
            message: format!("there is no certificate of {code}"),
            advice: String::new(),
        })
}

/// Returns the document of the solution of a game.
pub(crate) fn document(store: &Store, code: &Code) -> Result<Document, RequestError> {
    Ok(Document::new(&solution(store, &known(store, code)?)?))
}
