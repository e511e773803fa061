//! The answer about a position, for people.

use misere_theory::ruleset::Code;

use super::explained;
use super::moves::WinningMove;
use super::position::Position;
use super::{Answer, MAX_OPTIONS, Method};
use crate::terminal::flow;

/// The most heaps that are written one by one.
const MAX_IN_A_SUM: u64 = 100;

/// The whole text for an answer.
pub(super) fn describe(answer: &Answer, width: usize, rows: usize) -> String {
    let mut text = format!(
        "{}  {}\n",
        console::style(&answer.code).bold(),
        written(&answer.sum)
    );
    match (&answer.word, answer.order) {
        (Some(word), Some(order)) => {
            text.push_str(&format!(
                "element        {word}  (in the quotient of order {order} of heaps to {})\n",
                answer.heaps
            ));
        }
        _ if answer.method == Method::NormalPlay => {
            text.push_str("element        in the kernel; decided by its nim-value\n");
        }
        _ if answer.method == Method::Evidence => {
            text.push_str("element        in an infinite quotient; decided by the proof of that\n");
        }
        _ if answer.method == Method::Law => {
            text.push_str(
                "element        in an infinite quotient; decided by the law of the game\n",
            );
        }
        _ if answer.method == Method::Automaton => {
            text.push_str("element        unknown; decided by the automaton of the game\n");
        }
        _ => text.push_str("element        unknown; decided by the rules alone\n"),
    }
    let has_moves = answer.sum.sizes().any(|heap| answer.code.is_live(heap));
    let who = match (answer.outcome, has_moves) {
        ('P', _) => "the previous player wins",
        (_, true) => "the next player wins",
        (_, false) => "the next player has no move and wins",
    };
    text.push_str(&format!(
        "outcome        {}: {who}\n",
        console::style(answer.outcome).bold()
    ));
    if let Some(explanation) = &answer.explanation {
        text.push_str(&explained::describe(answer, explanation, width, rows));
        if answer.winning_moves.is_some() {
            return text;
        }
    }
    match &answer.winning_moves {
        None => {
            let found = answer.winning_move.as_slice();
            let one = match found {
                [] => "none was found that leaves small heaps beside a large one",
                _ => "one of them",
            };
            let options = answer
                .sum
                .sizes()
                .map(|heap| answer.code.most_options(heap));
            let reason = match options.fold(0, u64::saturating_add) > MAX_OPTIONS {
                true => format!("there are more than {MAX_OPTIONS} moves"),
                false => "some lead to positions that are not decided".to_owned(),
            };
            text.push_str(&format!(
                "winning moves  not all listed, since {reason}; {one}\n"
            ));
            text.push_str(&list(&answer.code, found, width, rows));
        }
        Some(moves) if moves.is_empty() => text.push_str("winning moves  none\n"),
        Some(moves) => {
            let many = match moves.len() > rows {
                true => format!("  {} moves", moves.len()),
                false => String::new(),
            };
            text.push_str(&format!("winning moves{many}\n"));
            text.push_str(&list(&answer.code, moves, width, rows));
        }
    }
    text
}

fn list(code: &Code, moves: &[WinningMove], width: usize, rows: usize) -> String {
    let said: Vec<String> = moves
        .iter()
        .take(rows)
        .map(|winning| say(code, winning))
        .collect();
    let widest = said.iter().map(String::len).max().unwrap_or(0);
    let mut text = String::new();
    for (winning, said) in moves.iter().zip(&said) {
        let position = flow([written(&winning.sum).as_str()], 0, width);
        let word = winning
            .word
            .as_ref()
            .map_or_else(String::new, |word| format!("  {word}"));
        text.push_str(&format!("  {said:<widest$}  to {position}{word}\n"));
    }
    if moves.len() > rows {
        text.push_str(&format!(
            "  … and {} more (--all lists them)\n",
            moves.len() - rows
        ));
    }
    text
}

/// A move in words.
pub fn say(code: &Code, winning: &WinningMove) -> String {
    let heap = winning.heap;
    if let Some(game) = code.finite_game() {
        let to = winning.leaves.first().map(|&to| game.follower(to));
        return format!(
            "move from {} to {}",
            game.follower(heap),
            to.map_or_else(|| "0".to_owned(), |to| to.to_string())
        );
    }
    // The heaps of a list are named by numbers, which count no beans.
    if code.heap_list().is_some() {
        return match winning.leaves.as_slice() {
            [] => format!("take the whole heap {heap}"),
            [part] => format!("change heap {heap} to heap {part}"),
            parts => format!("change heap {heap} to heaps {}", sum(parts)),
        };
    }
    let taken = heap - winning.leaves.iter().sum::<u32>();
    match (taken, winning.leaves.as_slice()) {
        (_, []) => format!("take the whole heap of {heap}"),
        (0, parts) => format!("split the heap of {heap} into {}", sum(parts)),
        (_, [part]) => format!("take {taken} from the heap of {heap}, leaving {part}"),
        (_, parts) => format!(
            "take {taken} from the heap of {heap}, splitting it into {}",
            sum(parts)
        ),
    }
}

/// A position as a sum: heap by heap, or, of many heaps, how many there are of each.
pub fn written(position: &Position) -> String {
    match position.one_by_one(MAX_IN_A_SUM) {
        Some(heaps) => sum(&heaps),
        None => {
            let heaps = position.heaps().map(|(heap, copies)| match copies {
                1 => heap.to_string(),
                _ => format!("{copies}·{heap}"),
            });
            heaps.collect::<Vec<_>>().join(" + ")
        }
    }
}

fn sum(heaps: &[u32]) -> String {
    if heaps.is_empty() {
        return "the empty position".to_owned();
    }
    heaps
        .iter()
        .map(u32::to_string)
        .collect::<Vec<_>>()
        .join(" + ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use misere_theory::ruleset::HeapOption;

    #[test]
    fn moves_in_words() {
        let code = "0.77".parse().unwrap();
        let said = |heap, parts| {
            say(
                &code,
                &WinningMove::new(heap, HeapOption(parts), &Position::default()),
            )
        };
        assert_eq!(said(3, [0, 0, 0, 0]), "take the whole heap of 3");
        assert_eq!(
            said(8, [5, 0, 0, 0]),
            "take 3 from the heap of 8, leaving 5"
        );
        assert_eq!(
            said(4, [2, 1, 0, 0]),
            "take 1 from the heap of 4, splitting it into 2 + 1"
        );
        assert_eq!(said(4, [2, 2, 0, 0]), "split the heap of 4 into 2 + 2");
        let code = "heaps(0;1;2,1+1;0,1)".parse().unwrap();
        let said = |heap, parts| {
            say(
                &code,
                &WinningMove::new(heap, HeapOption(parts), &Position::default()),
            )
        };
        assert_eq!(said(1, [0, 0, 0, 0]), "take the whole heap 1");
        assert_eq!(said(4, [1, 0, 0, 0]), "change heap 4 to heap 1");
        assert_eq!(said(3, [1, 1, 0, 0]), "change heap 3 to heaps 1 + 1");
        let code = "{*2,0}".parse().unwrap();
        let said = |heap, parts| {
            say(
                &code,
                &WinningMove::new(heap, HeapOption(parts), &Position::default()),
            )
        };
        assert_eq!(said(3, [2, 0, 0, 0]), "move from {*2,0} to *2");
        assert_eq!(said(1, [0, 0, 0, 0]), "move from * to 0");
    }
}
