//! The automaton of a game that grows, for people.

use misere_game::outcome::Outcome;
use misere_game::ruleset::Code;
use misere_game::solution::PositionAutomaton;
use misere_game::solution::automaton_words::HOW_IT_READS;

use crate::terminal::{flow, table};

/// The number of states shown of the automaton of a solution.
const FIRST: usize = 12;

/// Formats the first states of an automaton, and says which command prints the others.
pub(crate) fn first_states(code: &Code, automaton: &PositionAutomaton, width: usize) -> String {
    let mut text = states(automaton, FIRST, width);
    let more = automaton.heap.len().saturating_sub(FIRST);
    if more > 0 {
        text.push_str(&format!(
            "and {more} more states; `misere automaton {code} --states` prints all\n"
        ));
    }
    text
}

/// Formats at most `limit` states of an automaton as a table.
///
/// Each has a shortest position that leads to it.
pub(crate) fn states(automaton: &PositionAutomaton, limit: usize, width: usize) -> String {
    let head = [
        "state",
        "after the heaps",
        "at size",
        "after a heap",
        "after a step",
        "outcome",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for line in automaton.lines().into_iter().take(limit) {
        rows.push(vec![
            line.state.to_string(),
            line.heaps,
            line.size.to_string(),
            line.heap.to_string(),
            line.step.to_string(),
            match line.outcome {
                Outcome::P => "P".to_owned(),
                Outcome::N => "N".to_owned(),
            },
        ]);
    }
    format!(
        "{}\n{}",
        flow(HOW_IT_READS.split_whitespace(), 0, width),
        table(&rows)
    )
}
