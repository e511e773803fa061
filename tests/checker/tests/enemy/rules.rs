//! Outcomes by a second reading of the rules.
//!
//! The moves are read from the text of a code, and outcomes are found by the definition. This
//! module uses nothing of `ruleset/` and `outcome.rs`, which the checker and the engine share.

use std::collections::{BTreeSet, HashMap};

/// A sum of heaps: live heaps only, ascending.
pub(crate) type Position = Vec<u32>;

/// The rules of one game, with the outcomes computed so far.
pub(crate) struct Rules {
    moves: Moves,
    options: Vec<Vec<Position>>,
    is_p: HashMap<Position, bool>,
    nim: Vec<u32>,
}

enum Moves {
    /// The digits, `d_0` first.
    Digits(Vec<u32>),
    Grundy,
    /// The options of each follower, which are smaller followers.
    Finite(Vec<Vec<u32>>),
}

impl Rules {
    /// Returns the rules that the text of a code states.
    pub(crate) fn of(text: &str) -> Self {
        let moves = if text == "grundy" {
            Moves::Grundy
        } else if text.starts_with(['*', '{']) {
            Moves::Finite(followers(text))
        } else {
            let digits = text.chars().filter(|&c| c != '.');
            Moves::Digits(digits.map(|c| c.to_digit(16).unwrap()).collect())
        };
        Self {
            moves,
            options: Vec::new(),
            is_p: HashMap::new(),
            nim: Vec::new(),
        }
    }

    /// Returns the options of a heap: the heaps left by each move, with dead ones, each option
    /// once.
    pub(crate) fn options(&mut self, heap: u32) -> &[Position] {
        for next in self.options.len() as u32..=heap {
            let found = self.moves.of_heap(next);
            self.options.push(found.into_iter().collect());
        }
        &self.options[heap as usize]
    }

    pub(crate) fn is_live(&mut self, heap: u32) -> bool {
        !self.options(heap).is_empty()
    }

    /// Reports whether the player who has just moved wins, in misère play.
    pub(crate) fn is_p(&mut self, heaps: &[u32]) -> bool {
        let mut position: Position = heaps.to_vec();
        position.retain(|&heap| self.is_live(heap));
        position.sort_unstable();
        self.outcome(position)
    }

    /// Returns the nim-values of the heaps to this one, by their definition.
    pub(crate) fn nim_values(&mut self, heaps: u32) -> &[u32] {
        for heap in self.nim.len() as u32..=heaps {
            let mut seen = vec![false; 8];
            self.moves.visit(heap, |option| {
                let value = option
                    .iter()
                    .fold(0, |sum, &part| sum ^ self.nim[part as usize])
                    as usize;
                if value >= seen.len() {
                    seen.resize(2 * value, false);
                }
                seen[value] = true;
            });
            let least = seen.iter().position(|seen| !seen);
            self.nim.push(least.unwrap_or(seen.len()) as u32);
        }
        &self.nim[..=heaps as usize]
    }

    fn outcome(&mut self, position: Position) -> bool {
        if let Some(&known) = self.is_p.get(&position) {
            return known;
        }
        // A player who cannot move wins, so a position without moves is not a P-position.
        let mut is_p = !position.is_empty();
        'moves: for at in 0..position.len() {
            if at > 0 && position[at] == position[at - 1] {
                continue;
            }
            for option in self.options(position[at]).to_vec() {
                let mut left = position.clone();
                left.remove(at);
                left.extend(option);
                if self.is_p(&left) {
                    is_p = false;
                    break 'moves;
                }
            }
        }
        self.is_p.insert(position, is_p);
        is_p
    }
}

impl Moves {
    fn of_heap(&self, heap: u32) -> BTreeSet<Position> {
        let mut found = BTreeSet::new();
        self.visit(heap, |option| {
            let mut position = option.to_vec();
            position.sort_unstable();
            found.insert(position);
        });
        found
    }

    /// Calls `see` with the heaps that each move leaves, in any order and possibly more than once.
    fn visit(&self, heap: u32, mut see: impl FnMut(&[u32])) {
        match self {
            Self::Finite(followers) => {
                let options = followers.get(heap as usize).into_iter().flatten();
                options.for_each(|&to| if to > 0 { see(&[to]) } else { see(&[]) });
            }
            Self::Grundy => (1..heap)
                .filter(|&one| one < heap - one)
                .for_each(|one| see(&[one, heap - one])),
            Self::Digits(digits) => {
                for (&digit, taken) in digits.iter().zip(0..=heap) {
                    let rest = heap - taken;
                    // Bit k of a digit: exactly k heaps are left, none of them empty. A move that
                    // takes nothing has to split.
                    if digit & 1 != 0 && rest == 0 && taken > 0 {
                        see(&[]);
                    }
                    if digit & 2 != 0 && rest > 0 {
                        see(&[rest]);
                    }
                    if digit & 4 != 0 {
                        (1..=rest / 2).for_each(|one| see(&[one, rest - one]));
                    }
                    if digit & 8 != 0 {
                        for one in 1..=rest / 3 {
                            let left = rest - one;
                            (one..=left / 2).for_each(|two| see(&[one, two, left - two]));
                        }
                    }
                }
            }
        }
    }
}

/// A finite game: the set of its options.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Game(BTreeSet<Game>);

/// Returns the options of all followers of the game in a text of nimbers `*n` and braces.
///
/// The followers are numbered by birthday; those of one birthday by the numbers of their options,
/// greatest first.
fn followers(text: &str) -> Vec<Vec<u32>> {
    let mut letters = text.chars().filter(|c| !c.is_whitespace()).peekable();
    let root = read(&mut letters);
    assert_eq!(letters.next(), None, "{text}");
    let mut all = BTreeSet::new();
    let mut open = vec![root];
    while let Some(game) = open.pop() {
        if all.insert(game.clone()) {
            open.extend(game.0);
        }
    }
    let mut left: Vec<Game> = all.into_iter().collect();
    let mut numbered: Vec<Game> = Vec::new();
    let mut options: Vec<Vec<u32>> = Vec::new();
    while !left.is_empty() {
        let number = |game: &Game| numbered.iter().position(|known| known == game);
        let born: Vec<(Vec<u32>, Game)> = left
            .iter()
            .filter_map(|game| {
                let numbers = game.0.iter().map(|to| number(to).map(|n| n as u32));
                let mut numbers: Vec<u32> = numbers.collect::<Option<_>>()?;
                numbers.sort_unstable_by(|a, b| b.cmp(a));
                Some((numbers, game.clone()))
            })
            .collect();
        let mut born = born;
        born.sort();
        left.retain(|game| born.iter().all(|(_, other)| other != game));
        for (mut numbers, game) in born {
            numbers.sort_unstable();
            options.push(numbers);
            numbered.push(game);
        }
    }
    options
}

fn read(letters: &mut std::iter::Peekable<impl Iterator<Item = char>>) -> Game {
    match letters.next() {
        Some('0') => Game(BTreeSet::new()),
        Some('*') => {
            let mut size = 0_u32;
            let mut is_written = false;
            while let Some(digit) = letters.peek().and_then(|c| c.to_digit(10)) {
                size = 10 * size + digit;
                is_written = true;
                letters.next();
            }
            nimber(if is_written { size } else { 1 })
        }
        Some('{') => {
            let mut options = BTreeSet::new();
            while letters.peek() != Some(&'}') {
                options.insert(read(letters));
                if letters.peek() == Some(&',') {
                    letters.next();
                }
            }
            letters.next();
            Game(options)
        }
        other => panic!("a finite game does not begin with {other:?}"),
    }
}

fn nimber(size: u32) -> Game {
    Game((0..size).map(nimber).collect())
}

/// The two readings of the rules agree, as far as both apply.
#[test]
fn as_the_program_reads_them() {
    for text in [
        "0.77",
        "0.123",
        "4.7",
        "4",
        "8",
        "0.9092",
        "C.5",
        "grundy",
        "*4",
        "{{*2},*3,0}",
        "{{{*2},0},0}",
        "{{*2,0},{*2},*}",
    ] {
        let code: misere_game::ruleset::Code = text.parse().unwrap();
        let mut rules = Rules::of(&code.to_string());
        for heap in 0..30 {
            let theirs: BTreeSet<Position> = code
                .options(heap)
                .iter()
                .map(|option| {
                    let mut heaps: Position = option.parts().collect();
                    heaps.sort_unstable();
                    heaps
                })
                .collect();
            let ours: BTreeSet<Position> = rules.options(heap).iter().cloned().collect();
            assert_eq!(ours, theirs, "{text} heap {heap}");
        }
    }
}
