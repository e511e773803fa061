//! The answer about a position, for people.

use misere_answers::moves::{MAX_OPTIONS, most_options};
use misere_answers::{Answer, Ground, WinningMove};
use misere_game::ruleset::Code;

use super::explanation_text;
use crate::terminal::flow;

/// Writes the whole text for an answer.
pub(super) fn describe(answer: &Answer, width: usize, rows: usize) -> String {
    let mut text = format!("{}  {}\n", console::style(&answer.code).bold(), answer.sum);
    match (&answer.word, answer.order) {
        (Some(word), Some(order)) => {
            text.push_str(&format!(
                "element        {word}  (in the quotient of order {order} of heaps to {})\n",
                answer.heaps
            ));
        }
        _ if answer.method == Ground::NormalPlay => {
            text.push_str("element        in the kernel; decided by its nim-value\n");
        }
        _ if answer.method == Ground::Evidence => {
            text.push_str("element        in an infinite quotient; decided by the proof of that\n");
        }
        _ if answer.method == Ground::Law => {
            text.push_str(
                "element        in an infinite quotient; decided by the law of the game\n",
            );
        }
        _ if answer.method == Ground::Automaton => {
            text.push_str("element        unknown; decided by the automaton of the game\n");
        }
        _ => text.push_str("element        unknown; decided by the rules alone\n"),
    }
    let has_moves = answer.sum.has_moves(&answer.code);
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
        text.push_str(&explanation_text::describe(
            answer,
            explanation,
            width,
            rows,
        ));
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
            let reason = match most_options(&answer.code, &answer.sum) > MAX_OPTIONS {
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
        .map(|winning| winning.in_words(code))
        .collect();
    let widest = said.iter().map(String::len).max().unwrap_or(0);
    let mut text = String::new();
    for (winning, said) in moves.iter().zip(&said) {
        let position = flow([winning.sum.to_string().as_str()], 0, width);
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
