//! The conversion of guessed columns and states to evidence.

use misere_game::outcome::Outcome;
use misere_game::solution::evidence::{Column, Count, InfiniteFamily, Letter, State, Word};

use super::learn::Automaton;
use super::reading::Reading;
use super::system::System;
use super::table::{N, P, Table};

/// Returns the evidence, with all digits as heaps whose multiples differ.
pub(super) fn write(system: &System, table: &Table, automaton: &Automaton) -> InfiniteFamily {
    let letters = system.levels.iter().zip(&table.readings);
    InfiniteFamily {
        distinct_multiples: table.digits.iter().map(|&d| system.levels[d]).collect(),
        letters: letters
            .map(|(&heap, reading)| Letter {
                heap,
                count: match *reading {
                    Reading::Digits => Count::Digits,
                    Reading::Cycle { index, period } => Count::Cycle {
                        index: index as u32,
                        period: period as u32,
                    },
                },
            })
            .collect(),
        words: system
            .others
            .iter()
            .map(|other| Word {
                heap: other.heap,
                word: system.word(other.heap),
            })
            .collect(),
        columns: columns(table, automaton),
        states: automaton
            .outcomes
            .iter()
            .zip(&automaton.next)
            .map(|(&outcome, next)| State {
                outcome: match outcome {
                    N => Some(Outcome::N),
                    P => Some(Outcome::P),
                    _ => None,
                },
                next: next.clone(),
            })
            .collect(),
        all_heaps: None,
    }
}

fn columns(table: &Table, automaton: &Automaton) -> Vec<Column> {
    let counted = |counts: &[i32]| {
        let letters = counts.iter().zip(&table.readings);
        let counted = letters.filter(|(_, reading)| **reading != Reading::Digits);
        counted.map(|(&x, _)| x as u32).collect()
    };
    let all = table.columns.iter().zip(&automaton.starts);
    all.map(|(counts, &state)| Column {
        counts: counted(counts),
        state,
    })
    .collect()
}
