//! Evidence that a quotient is infinite, of any code and to any heap.

use misere_game::outcome::Outcome;
use misere_game::ruleset::Code;
use misere_game::solution::InfiniteFamily;
use misere_game::solution::evidence::{Column, Count, Letter, State, Word};
use proptest::prelude::*;

use super::games::{games, number};

/// A game, its greatest heap, and the evidence.
pub(crate) type Case = (Code, u32, InfiniteFamily);

/// A draw of numbers that are used one after the other.
#[derive(Clone, Debug)]
struct Draw(Vec<u32>, usize);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.1 += 1;
        self.0[self.1 % self.0.len()] as usize % bound.max(1)
    }
}

/// Claims about how counts are read, about single words, and about outcomes.
#[derive(Clone, Debug)]
enum Says {
    /// Only the claim that the end is an N-position.
    Nothing,
    /// The truth where there is one live heap.
    Parity,
    /// The outcomes of a small automaton that is drawn.
    Anything,
}

pub(crate) fn families() -> impl Strategy<Value = Case> {
    let says = prop_oneof![
        1 => Just(Says::Nothing),
        2 => Just(Says::Parity),
        3 => Just(Says::Anything),
    ];
    let draw = prop::collection::vec(any::<u32>(), 1..200).prop_map(|list| Draw(list, 0));
    let oddity = prop::option::weighted(0.2, (0_usize..9, number(), number()));
    (games(), 0_usize..7, 0_usize..6, says, draw, oddity).prop_map(
        |(code, live, letters, says, mut draw, oddity)| {
            let all: Vec<u32> = (0..600)
                .filter(|&heap| code.is_live(heap))
                .take(live)
                .collect();
            let heaps = all.last().copied().unwrap_or(1);
            let mut family = written(&all, letters, &says, &mut draw);
            if let Some((which, one, other)) = oddity {
                change(&mut family, which, one, other);
            }
            (code, heaps, family)
        },
    )
}

fn written(heaps: &[u32], letters: usize, says: &Says, draw: &mut Draw) -> InfiniteFamily {
    let (of_letters, of_words) = heaps.split_at(letters.min(heaps.len()));
    let letters: Vec<Letter> = of_letters
        .iter()
        .enumerate()
        .map(|(at, &heap)| Letter {
            heap,
            count: if at == 0 || draw.below(3) == 0 {
                Count::Digits
            } else {
                Count::Cycle {
                    index: 1 + draw.below(3) as u32,
                    period: draw.below(4) as u32,
                }
            },
        })
        .collect();
    let words = of_words.iter().map(|&heap| Word {
        heap,
        word: of_letters
            .iter()
            .filter_map(|&letter| {
                let count = draw.below(4) as u32;
                (count > 0).then_some((letter, count))
            })
            .collect(),
    });
    let words = words.collect();
    let digits: Vec<usize> = (0..letters.len())
        .filter(|&at| letters[at].count == Count::Digits)
        .collect();
    let states = states(digits.len(), says, draw);
    InfiniteFamily {
        distinct_multiples: digits
            .iter()
            .take(1 + draw.below(2))
            .map(|&at| letters[at].heap)
            .collect(),
        columns: columns(&letters, states.len(), draw),
        letters,
        words,
        states,
        all_heaps: None,
    }
}

/// Lists column after column of the cycles, at most a hundred.
fn columns(letters: &[Letter], states: usize, draw: &mut Draw) -> Vec<Column> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for letter in letters {
        if let Count::Cycle { index, period } = letter.count {
            let counts = 0..index + period;
            all = counts
                .flat_map(|x| all.iter().map(move |column| [&column[..], &[x]].concat()))
                .take(100)
                .collect();
        }
    }
    let column = |(at, counts): (usize, Vec<u32>)| Column {
        counts,
        state: if at == 0 {
            0
        } else {
            draw.below(states) as u32
        },
    };
    all.into_iter().enumerate().map(column).collect()
}

fn states(digits: usize, says: &Says, draw: &mut Draw) -> Vec<State> {
    let ways = 1 << digits.min(8);
    let state = |outcome, next: &mut dyn FnMut(usize) -> u32| State {
        outcome,
        next: (0..ways).map(next).collect(),
    };
    let (n, p) = (Some(Outcome::N), Some(Outcome::P));
    match says {
        Says::Nothing => vec![
            state(n, &mut |bits| u32::from(bits != 0)),
            state(None, &mut |_| 1),
        ],
        // No copy, an odd number of copies and no other heap, an even number; and other heaps.
        Says::Parity => vec![
            state(n, &mut |bits| [1, 2].get(bits).copied().unwrap_or(3)),
            state(n, &mut |bits| if bits < 2 { 1 } else { 3 }),
            state(p, &mut |bits| if bits < 2 { 2 } else { 3 }),
            state(None, &mut |_| 3),
        ],
        Says::Anything => {
            let size = 1 + draw.below(9);
            (0..size)
                .map(|at| {
                    let outcome = match draw.below(4) {
                        _ if at == 0 => n,
                        0 => n,
                        1 => p,
                        _ => None,
                    };
                    // A further zero changes nothing.
                    state(outcome, &mut |bits| match bits {
                        0 => at as u32,
                        _ => draw.below(size) as u32,
                    })
                })
                .collect()
        }
    }
}

/// Makes one change that the form does not allow, or only just.
fn change(family: &mut InfiniteFamily, which: usize, one: u32, other: u32) {
    let place = |length: usize| (one as usize).checked_rem(length);
    match which {
        0 => family.distinct_multiples.push(one),
        1 => {
            if let Some(at) = place(family.letters.len()) {
                family.letters[at].heap = other;
            }
        }
        2 => {
            if let Some(at) = place(family.letters.len()) {
                family.letters[at].count = Count::Cycle {
                    index: other,
                    period: one,
                };
            }
        }
        3 => {
            if let Some(at) = place(family.words.len()) {
                let itself = family.words[at].heap;
                family.words[at].word.push((itself, other));
            }
        }
        4 => {
            if let Some(at) = place(family.words.len()) {
                family.words[at].word.push((other, one));
            }
        }
        5 => {
            if let Some(at) = place(family.columns.len()) {
                family.columns[at].state = other;
            }
        }
        6 => {
            if let Some(at) = place(family.states.len()) {
                family.states[at].next.push(other);
            }
        }
        7 => {
            if let Some(at) = place(family.words.len()) {
                drop(family.words.remove(at));
            }
        }
        _ => {
            if let Some(at) = place(family.columns.len()) {
                family.columns[at].counts.push(other);
            }
        }
    }
}
