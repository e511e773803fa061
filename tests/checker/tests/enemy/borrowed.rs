//! Evidence of infinity that was made for another game: true evidence of some games, and known
//! forgeries.

use std::sync::LazyLock;

use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::{Document, InfiniteFamily};

use super::dice::Dice;
use super::infinite::SAYINGS;
use super::known::GAMES;

/// Evidence that is true of some game, and the evidence in `tests/data/forged`, which is true of
/// none.
static BORROWED: LazyLock<Vec<(Code, u32, InfiniteFamily)>> = LazyLock::new(|| {
    let infinite = |text: &&str| {
        let code: Code = text.parse().unwrap();
        let control = &mut Control::new(1_000_000, Interrupt::default());
        let solution = solve(&code, &Limits::default(), Strategy::Exact, control);
        Some((
            code,
            solution.heaps() + 1,
            solution.evidence?.columns()?.clone(),
        ))
    };
    let games = ["0.31011", "0.3122", "0.005"];
    let mut borrowed: Vec<_> = games.iter().filter_map(infinite).collect();
    let forged = include_str!("../../../../tests/data/forged/infinite-0.333.json");
    let document: Document = serde_json::from_str(forged).unwrap();
    let forged = document.into_solution().unwrap();
    let heap = forged.heaps() + 1;
    let columns = forged
        .evidence
        .as_ref()
        .and_then(|evidence| evidence.columns());
    borrowed.extend(columns.map(|family| (forged.code, heap, family.clone())));
    borrowed
});

/// Returns the code with one digit changed, or any code.
fn another_code(code: &Code, dice: &mut Dice) -> Code {
    if code.length() == 0 || dice.below(4) == 0 {
        return dice.pick(&GAMES).code.clone();
    }
    let mut digits: Vec<u8> = (1..=code.length()).map(|at| code.digit(at)).collect();
    let at = dice.below(digits.len());
    digits[at] = dice.below(8) as u8;
    Code::new(code.digit(0), &digits).unwrap()
}

/// Returns the evidence of one game as a claim about another, to another heap, or with a change.
pub(crate) fn lie(dice: &mut Dice) -> (Code, u32, InfiniteFamily) {
    let (mut code, mut heap, mut family) = dice.pick(&BORROWED).clone();
    for _ in 0..=dice.below(2) {
        let state = dice.below(family.states.len());
        match dice.below(10) {
            0..=2 => code = another_code(&code, dice),
            3 => heap = heap.saturating_sub(1 + dice.below(3) as u32),
            4 if family.columns.len() > 1 => {
                family.columns.remove(dice.below(family.columns.len()));
            }
            5 => family.states[state].outcome = *dice.pick(&SAYINGS),
            6 => {
                let bits = dice.below(family.states[state].next.len());
                family.states[state].next[bits] = dice.below(family.states.len()) as u32;
            }
            7 => {
                let digits: Vec<u32> = family.digits().collect();
                family.distinct_multiples = vec![*dice.pick(&digits)];
            }
            8 if !family.words.is_empty() => {
                let at = dice.below(family.words.len());
                let letter = dice.pick(&family.letters).heap;
                let word = &mut family.words[at].word;
                match dice.below(2) {
                    0 => word.clear(),
                    _ => word.push((letter, 1)),
                }
            }
            _ => {
                let at = dice.below(family.columns.len());
                family.columns[at].state = state as u32;
            }
        }
    }
    (code, heap, family)
}
