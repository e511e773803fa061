//! The moves of a position, as the board offers them.

use std::cmp::Reverse;

use misere_answers::Decider;
use misere_answers::moves::{heap_name, move_in_words};
use misere_game::control::Control;
use misere_game::outcome::Outcome;
use misere_game::position::Position;
use misere_game::ruleset::{Code, HeapOption};

use super::position::{heaps, written};

/// The beans of a heap in one row of its picture.
const PER_ROW: u32 = 10;

/// The distance of two beans in the picture.
const APART: u32 = 20;

/// A heap with its picture and its moves.
pub(super) struct HeapOnBoard {
    /// The name of the heap: its beans, or of a finite game the follower.
    pub(super) name: String,
    /// The description of the heap in words.
    pub(super) says: String,
    /// The places of the beans in the picture; none for a follower of a finite game.
    pub(super) beans: Vec<(u32, u32)>,
    /// The size of the picture.
    pub(super) width: u32,
    pub(super) height: u32,
    /// The moves, in groups that take the same number of beans.
    pub(super) groups: Vec<Group>,
    /// The number of moves.
    pub(super) moves: usize,
}

/// The moves that take the same number of beans.
pub(super) struct Group {
    /// The number of beans, in words.
    pub(super) says: String,
    pub(super) moves: Vec<MoveOnBoard>,
}

/// A move that the board offers.
pub(super) struct MoveOnBoard {
    /// The heaps that the move leaves, for people.
    pub(super) leaves: String,
    /// The whole move in words.
    pub(super) says: String,
    /// The sizes of the heaps that the move leaves, for the script.
    pub(super) parts: String,
    /// The position after the move.
    pub(super) after: String,
    /// Whether the move wins; nothing without hints, or if that is not known.
    pub(super) wins: Option<bool>,
}

/// A move that was made.
pub(super) struct Made {
    /// The move in words.
    pub(super) says: String,
    /// The position after the move.
    pub(super) after: Position,
    /// Whether the move wins; nothing if that is not known.
    pub(super) wins: Option<bool>,
}

/// Returns the heaps of a position with their moves and, with hints, which moves win.
pub(super) fn heaps_on_board(
    code: &Code,
    position: &Position,
    mut hints: Option<&mut Decider<'_>>,
) -> Vec<HeapOnBoard> {
    let mut boards: Vec<HeapOnBoard> = Vec::new();
    for heap in heaps(position).into_iter().rev() {
        let mut groups: Vec<(Option<u32>, Group)> = Vec::new();
        let mut options = code.options(heap);
        options.sort_by_key(|&option| (taken(code, heap, option), Reverse(option.0)));
        let moves = options.len();
        for option in options {
            let after = position.without(heap).with(option);
            let outcome = hints
                .as_deref_mut()
                .and_then(|decider| outcome(decider, &after));
            let taken = taken(code, heap, option);
            let offered = MoveOnBoard {
                leaves: leaves(code, option),
                says: in_words(code, heap, option),
                parts: parts(option),
                after: written(code, &after),
                wins: outcome.map(|outcome| outcome == Outcome::P),
            };
            match groups.last_mut().filter(|(of, _)| *of == taken) {
                Some((_, group)) => group.moves.push(offered),
                None => {
                    let group = Group {
                        says: group_says(code, taken),
                        moves: vec![offered],
                    };
                    groups.push((taken, group));
                }
            }
        }
        boards.push(on_board(code, heap, groups, moves));
    }
    boards
}

fn on_board(
    code: &Code,
    heap: u32,
    groups: Vec<(Option<u32>, Group)>,
    moves: usize,
) -> HeapOnBoard {
    let beans = match code.finite_game() {
        Some(_) => 0,
        None => heap,
    };
    let place = |bean: u32| (bean % PER_ROW * APART, bean / PER_ROW * APART);
    let middle = |(x, y): (u32, u32)| (x + APART / 2, y + APART / 2);
    let name = heap_name(code, heap);
    HeapOnBoard {
        says: match (code.finite_game(), heap) {
            (Some(_), _) => format!("the game {name}"),
            (None, _) if code.heap_list().is_some() => format!("the heap {name}"),
            (None, 1) => "a heap of 1 bean".to_owned(),
            (None, heap) => format!("a heap of {heap} beans"),
        },
        beans: (0..beans).map(place).map(middle).collect(),
        width: beans.clamp(1, PER_ROW) * APART,
        height: beans.div_ceil(PER_ROW).max(1) * APART,
        groups: groups.into_iter().map(|(_, group)| group).collect(),
        moves,
        name,
    }
}

/// Returns the number of beans that a move takes.
///
/// Returns nothing for finite games and lists, whose numbers are names, and where heaps grow.
fn taken(code: &Code, heap: u32, option: HeapOption) -> Option<u32> {
    if code.finite_game().is_some() || code.heap_list().is_some() {
        return None;
    }
    let left: u64 = option.parts().map(u64::from).sum();
    u64::from(heap)
        .checked_sub(left)
        .and_then(|taken| u32::try_from(taken).ok())
}

fn group_says(code: &Code, taken: Option<u32>) -> String {
    match (code.finite_game(), taken) {
        (Some(_), _) => "Move to".to_owned(),
        (None, None) => "Change the heap to".to_owned(),
        (None, Some(0)) => "Split the heap into".to_owned(),
        (None, Some(taken)) => format!("Take {taken}, leaving"),
    }
}

fn leaves(code: &Code, option: HeapOption) -> String {
    let parts: Vec<String> = option.parts().map(|part| heap_name(code, part)).collect();
    match (parts.is_empty(), code.finite_game()) {
        (true, Some(_)) => "0".to_owned(),
        (true, None) => "nothing".to_owned(),
        (false, _) => parts.join(" + "),
    }
}

fn parts(option: HeapOption) -> String {
    let parts: Vec<String> = option.parts().map(|part| part.to_string()).collect();
    parts.join(" ")
}

fn in_words(code: &Code, heap: u32, option: HeapOption) -> String {
    let leaves: Vec<u32> = option.parts().collect();
    move_in_words(code, heap, &leaves)
}

/// Returns the outcome of a position, if a page has the means to decide it.
pub(super) fn outcome(decider: &mut Decider<'_>, position: &Position) -> Option<Outcome> {
    // Nothing interrupts a page, and its effort is bounded.
    let decided = decider.decide(position, &mut Control::unlimited());
    Some(decided.ok()??.outcome)
}

/// The answer of the computer: a winning move if one is known, else the move in the largest heap
/// that takes the fewest beans, so that the person has to go on finding winning moves. Nothing if
/// there is no move.
pub(super) fn answer(code: &Code, position: &Position, decider: &mut Decider<'_>) -> Option<Made> {
    let is_lost = outcome(decider, position) == Some(Outcome::P);
    let mut least: Option<(u64, Made)> = None;
    for heap in position.sizes().rev() {
        for option in code.options(heap) {
            let after = position.without(heap).with(option);
            let decided = match is_lost {
                true => None,
                false => outcome(decider, &after),
            };
            let made = |wins| Made {
                says: in_words(code, heap, option),
                after: after.clone(),
                wins,
            };
            if decided == Some(Outcome::P) {
                return Some(made(Some(true)));
            }
            let left: u64 = option.parts().map(u64::from).sum();
            let taken = u64::from(heap).saturating_sub(left);
            if least.as_ref().is_none_or(|(fewest, _)| taken < *fewest) {
                least = Some((taken, made(is_lost.then_some(false))));
            }
        }
    }
    least.map(|(_, made)| made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_grouped_by_the_beans_that_they_take() {
        let beans =
            |code: &str, heap, option| taken(&code.parse().unwrap(), heap, HeapOption(option));
        assert_eq!(beans("0.77", 8, [6, 0, 0, 0]), Some(2));
        assert_eq!(beans("0.77", 2, [2, 2, 0, 0]), None);
        assert_eq!(beans("heaps(0;1;2,1+1;0,1)", 4, [1, 0, 0, 0]), None);
    }

    #[test]
    fn every_move_is_offered_once() {
        let kayles: Code = "0.77".parse().unwrap();
        let position = Position::from_iter([7_u32, 3, 3]);
        let boards = heaps_on_board(&kayles, &position, None);
        let sizes: Vec<&str> = boards.iter().map(|heap| heap.name.as_str()).collect();
        assert_eq!(sizes, ["7", "3", "3"]);
        assert_eq!((boards[0].moves, boards[0].beans.len()), (7, 7));
        let groups: Vec<(&str, usize)> = boards[0]
            .groups
            .iter()
            .map(|group| (group.says.as_str(), group.moves.len()))
            .collect();
        assert_eq!(groups, [("Take 1, leaving", 4), ("Take 2, leaving", 3)]);
        assert_eq!(boards[1].groups[0].moves[0].after, "2 3 7");
    }
}
