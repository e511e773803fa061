//! The whole answer about a position: outcome, ground, winning moves and, if wanted, why.

use misere_game::bipartite::Element;
use misere_game::control::{Control, Stop};
use misere_game::position::Position;
use misere_game::ruleset::Code;
use misere_game::solution::Solution;
use serde::Serialize;

use crate::decider::{Decider, extended_evidence};
use crate::effort::Effort;
use crate::explanation::{Explanation, letter};
use crate::ground::{Decision, Ground};
use crate::moves::{Copies, WinningMove, WinningMoves, listed};

/// The answer about a position, which is also the JSON document of `misere outcome`.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    schema: u32,
    /// The game.
    pub code: Code,
    convention: &'static str,
    /// The heaps one by one; `None` where there are too many.
    pub position: Option<Vec<u32>>,
    /// Each size of heaps with the number of copies, where the heaps are not listed one by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copies: Option<Copies>,
    /// `N` or `P`.
    pub outcome: char,
    /// The ground that decides the position.
    pub method: Ground,
    /// The order of the quotient in which [`element`](Self::element) lies.
    pub order: Option<usize>,
    /// The element of the position in the quotient, if it is known.
    pub element: Option<Element>,
    /// The lex-least word of this element.
    pub word: Option<String>,
    /// All winning moves; `None` where there are too many moves to list, or some lead to positions
    /// that are not decided.
    pub winning_moves: Option<Vec<WinningMove>>,
    /// One of them, where not all are listed and one is easily found.
    pub winning_move: Option<WinningMove>,
    /// Why the position has its outcome, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
    /// The position.
    #[serde(skip)]
    pub sum: Position,
    /// The greatest heap of the quotient that decides.
    #[serde(skip)]
    pub heaps: u32,
}

/// Decides a position from a proved solution of its game, and continues with the decider and the
/// decision; `None` if the solution does not decide the position.
///
/// Evidence of infinity is extended last, because that takes longest.
///
/// # Errors
/// [`Stop`] if `control` is interrupted or has nothing left, and those of `then`.
pub fn decided<T>(
    solution: &Solution,
    position: &Position,
    effort: Effort,
    control: &mut Control,
    then: impl FnOnce(&mut Decider<'_>, Decision, &mut Control) -> Result<T, Stop>,
) -> Result<Option<T>, Stop> {
    let mut decider = Decider::new(solution, solution.evidence.as_ref(), effort);
    if let Some(decision) = decider.decide(position, control)? {
        return then(&mut decider, decision, control).map(Some);
    }
    let Some(evidence) = extended_evidence(solution, position.largest(), effort, control)? else {
        return Ok(None);
    };
    let mut decider = Decider::new(solution, Some(&evidence), effort);
    match decider.decide(position, control)? {
        Some(decision) => then(&mut decider, decision, control).map(Some),
        None => Ok(None),
    }
}

impl Answer {
    /// Answers about a position from a proved solution of its game, with an explanation of at most
    /// `explained` moves if one is wanted. `None` if the solution does not decide the position.
    ///
    /// # Errors
    /// [`Stop`] if `control` is interrupted or has nothing left.
    pub fn new(
        solution: &Solution,
        position: &Position,
        effort: Effort,
        explained: Option<usize>,
        control: &mut Control,
    ) -> Result<Option<Self>, Stop> {
        decided(
            solution,
            position,
            effort,
            control,
            |decider, decision, control| Self::of(decider, position, decision, explained, control),
        )
    }

    /// Completes a decision to an answer.
    fn of(
        decider: &mut Decider<'_>,
        position: &Position,
        decision: Decision,
        explained: Option<usize>,
        control: &mut Control,
    ) -> Result<Self, Stop> {
        let Decision {
            outcome, ground, ..
        } = decision;
        let element = match ground {
            Ground::NormalPlay => decider
                .kernel()
                .and_then(|kernel| decider.kernel_element(&kernel, position)),
            _ => decision.element,
        };
        let moves = decider.winning_moves(position, outcome, ground, control)?;
        let (winning_moves, winning_move) = match moves {
            WinningMoves::All(all) => (Some(all), None),
            WinningMoves::One(one) => (None, one),
        };
        let explanation = match explained {
            Some(limit) => Some(decider.explain(position, ground, limit, control)?),
            None => None,
        };
        let (listed, copies) = listed(position);
        Ok(Self {
            schema: 1,
            code: decider.code().clone(),
            convention: "misere",
            position: listed,
            copies,
            outcome: letter(outcome),
            method: ground,
            order: element.map(|_| decider.quotient().order()),
            element,
            word: element.map(|element| decider.word(element)),
            winning_moves,
            winning_move,
            explanation,
            sum: position.clone(),
            heaps: position.largest(),
        })
    }
}
