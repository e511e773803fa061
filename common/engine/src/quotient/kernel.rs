//! The exact outcome function of finitely many heaps, and the quotient that it gives.
//!
//! For a set `E` of positions of the first `t` levels ("already won, by leaving for elsewhere") let
//! `K_t(E)` be the unique set `f` with `Y ∈ f` iff `Y ∉ E` and no option of `Y` is in `f`. Then
//! `K_0(E)` is the complement of `E`, and the restrictions of `K_t(E)` to `c` copies of the `t`-th
//! heap are
//!
//! ```text
//! g_0 = K_{t-1}(E_0)        g_c = K_{t-1}( E_c ∪ ⋃ { shift_o(g_{c-1}) : o an option of the t-th heap } )
//! ```
//!
//! The place of `c` in the lasso of `E` and `g_{c-1}` together determine everything from `g_c` on,
//! so the first repetition of that pair closes the sequence exactly: no period is guessed. The
//! P-positions of misère play are `K_m({0})`; the quotient is the set of its shifts, since two
//! positions are indistinguishable iff the outcome function shifted by them is the same, and equal
//! sets are equal nodes.
//!
//! If some sequence does not repeat within the allowed copies, the quotient of these heaps is
//! infinite as far as can be seen. It can then be **truncated**: outcomes beyond that many copies
//! of a heap are unknown, and so is every outcome that depends on them; the outcomes that are known
//! are exact.

pub(super) mod scarce;

use rustc_hash::FxHashMap;

use misere_game::bipartite::{BipartiteMonoid, Element, ElementSet};
use misere_game::control::{Control, Stop};

use super::rho::{EMPTY, FULL, Pool, Set, UNKNOWN};

/// A game on finitely many heaps.
///
/// Each level has its options as multisets of lower levels (1-based, ascending).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LevelGame {
    pub(super) options: Vec<Vec<Vec<u32>>>,
}

/// The reason why no quotient was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuotientError {
    Stopped(Stop),
    /// The sequence of some level did not repeat within the allowed copies.
    Diverges {
        copies: u32,
    },
    /// There are more elements than allowed.
    TooLarge,
}

impl From<Stop> for QuotientError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// Kernels of a growing game.
///
/// Results for the lower levels are kept while only higher levels are added.
#[derive(Clone)]
pub(super) struct KernelBuilder {
    pool: Pool,
    game: LevelGame,
    /// The option words of each level as a tree, so that shifts by common beginnings are made once.
    trees: Vec<Tree>,
    known: FxHashMap<(u32, Set), Set>,
    /// Truncated kernels that are known, while one is being computed.
    known_truncated: FxHashMap<(u32, Set), Set>,
    /// The most copies after which a sequence of a finite quotient has repeated so far.
    longest: u32,
    /// The most copies after which a sequence of the quotient that is being computed has repeated.
    longest_now: u32,
    /// The treatment of a sequence that does not repeat within the copies allowed.
    unrepeated: Unrepeated,
    /// The copies of each level after which its sequences are closed by force.
    ///
    /// The next field is the most nodes while that is done.
    closed_after: Vec<u32>,
    most_nodes: usize,
    /// Whether no sequence has been closed by force.
    is_exact: bool,
}

/// The treatment of a sequence that does not repeat within the copies allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unrepeated {
    /// Call the quotient divergent.
    Divergent,
    /// Keep this many copies; everything beyond is unknown.
    Truncated(u32),
    /// Repeat the last two entries, which is a guess. Each level has its own number of copies.
    Closed,
}

/// Returns the copies within which a sequence is expected to repeat.
///
/// `longest` is the most copies that were needed so far.
pub(super) fn copies_expected(longest: u32) -> u32 {
    longest.saturating_mul(2).saturating_add(14)
}

/// The quotient of a truncated outcome function. All three values distinguish elements.
pub(super) struct TruncatedQuotient {
    pub(super) monoid: BipartiteMonoid,
    /// The elements whose outcome is unknown.
    pub(super) unknown: ElementSet,
}

/// An outcome function whose sequences were closed by force if they did not repeat.
pub(super) struct ClosedOutcomes {
    /// The diagrams that contain the function.
    pub(super) pool: Pool,
    pub(super) root: Set,
    /// Whether no sequence was closed by force, so that the function is right for all counts.
    pub(super) is_exact: bool,
}

/// A set of words: whether the empty word is in it, and what follows each first letter.
#[derive(Clone, Default)]
struct Tree {
    ends: bool,
    branches: Vec<(u32, Tree)>,
}

/// The number of nodes above which nothing is kept for the next game.
const MAX_NODES_KEPT: usize = 4 << 20;
/// The price of listing an element, for each level.
///
/// One level adds at most one more element. So a listing of more than `n` elements has paid for at
/// least `n`.
pub const LISTING_TICKS: u64 = 20;
/// The most elements of a truncated quotient.
const MAX_TRUNCATED: usize = 20_000;

impl KernelBuilder {
    pub(super) fn new() -> Self {
        Self {
            pool: Pool::new(),
            game: LevelGame::default(),
            trees: Vec::new(),
            known: FxHashMap::default(),
            known_truncated: FxHashMap::default(),
            longest: 0,
            longest_now: 0,
            unrepeated: Unrepeated::Divergent,
            closed_after: Vec::new(),
            most_nodes: 0,
            is_exact: true,
        }
    }

    /// Returns an empty store of kernels, given the copies within which sequences have repeated.
    pub(super) fn after(longest: u32) -> Self {
        Self {
            longest,
            ..Self::new()
        }
    }

    /// Returns the most copies after which a sequence has repeated so far.
    pub(super) fn longest(&self) -> u32 {
        self.longest
    }

    /// Returns the copies within which almost every repeating sequence repeats.
    pub(super) fn copies_usual(&self) -> u32 {
        6 + self.longest
    }

    /// Returns the copies within which a sequence is expected to repeat.
    ///
    /// They are twice the most needed so far, plus some.
    ///
    /// In games whose quotients do not grow for ever, ten have always been enough.
    pub(super) fn copies_expected(&self) -> u32 {
        copies_expected(self.longest)
    }

    /// Returns the misère quotient of the game with the given levels.
    ///
    /// Its `t`-th generator is the value of level `t + 1`.
    ///
    /// Cost: the number of distinct restrictions, times options; fuel is spent throughout.
    pub(super) fn quotient(
        &mut self,
        game: &LevelGame,
        max_copies: u32,
        max_order: usize,
        control: &mut Control,
    ) -> Result<BipartiteMonoid, QuotientError> {
        self.become_game(game);
        self.longest_now = 0;
        let root = self.outcomes(max_copies, control)?;
        let quotient = self.shifts_of(root, max_order, control)?;
        self.longest = self.longest.max(self.longest_now);
        Ok(quotient.monoid)
    }

    /// Returns the truncated quotient, if it has at most [`MAX_TRUNCATED`] elements.
    ///
    /// It is decided by at most `copies` copies of the heaps whose sequence does not repeat within
    /// `max_copies`. Known kernels are used as they are, with any number of copies.
    pub(super) fn truncated_quotient(
        &mut self,
        game: &LevelGame,
        copies: u32,
        max_copies: u32,
        control: &mut Control,
    ) -> Result<TruncatedQuotient, QuotientError> {
        self.become_game(game);
        self.unrepeated = Unrepeated::Truncated(copies);
        let quotient = self
            .outcomes(max_copies, control)
            .and_then(|root| self.shifts_of(root, MAX_TRUNCATED, control));
        self.unrepeated = Unrepeated::Divergent;
        self.known_truncated.clear();
        quotient
    }

    /// Returns the outcome function with non-repeating sequences closed by force.
    ///
    /// Every sequence that does not repeat within the copies given for its level is continued with
    /// its last two entries: right for few copies, a guess for many.
    pub(super) fn closed_outcomes(
        mut self,
        game: &LevelGame,
        copies: &[u32],
        most_nodes: usize,
        control: &mut Control,
    ) -> Result<ClosedOutcomes, QuotientError> {
        self.close_after(game, copies, most_nodes);
        let root = self.outcomes(0, control)?;
        Ok(self.closed(root))
    }

    fn closed(self, root: Set) -> ClosedOutcomes {
        ClosedOutcomes {
            pool: self.pool,
            root,
            is_exact: self.is_exact,
        }
    }

    /// Prepares for a game whose sequences end with a guess after the copies given for each level.
    fn close_after(&mut self, game: &LevelGame, copies: &[u32], most_nodes: usize) {
        self.become_game(game);
        self.unrepeated = Unrepeated::Closed;
        self.closed_after = copies.to_vec();
        self.is_exact = true;
        self.most_nodes = most_nodes;
    }

    /// Returns the set of P-positions in misère play: `K_m({0})`.
    fn outcomes(&mut self, max_copies: u32, control: &mut Control) -> Result<Set, QuotientError> {
        let levels = self.game.options.len() as u32;
        let mut zero = FULL;
        for level in 1..=levels {
            zero = self.pool.sequence(level, &[zero, EMPTY], 1, control)?;
        }
        self.kernel(levels, zero, max_copies, control)
    }

    /// Changes to another game and keeps the kernels of the lowest levels that both games share.
    ///
    /// Diagrams do not depend on the game at all.
    fn become_game(&mut self, game: &LevelGame) {
        if *game != self.game && self.pool.len() > MAX_NODES_KEPT {
            *self = Self {
                longest: self.longest,
                ..Self::new()
            };
        }
        let (new, old) = (&game.options, &self.game.options);
        let same = new.iter().zip(old).take_while(|(new, old)| new == old);
        let same = same.count();
        if same < old.len() {
            self.trees.truncate(same);
            self.known.retain(|&(level, _), _| level as usize <= same);
        }
        for options in &game.options[same..] {
            let mut tree = Tree::default();
            options.iter().for_each(|word| tree.insert(word));
            self.trees.push(tree);
        }
        self.game = game.clone();
    }

    fn kernel(
        &mut self,
        level: u32,
        won: Set,
        max_copies: u32,
        control: &mut Control,
    ) -> Result<Set, QuotientError> {
        if self.unrepeated == Unrepeated::Closed && self.pool.len() > self.most_nodes {
            return Err(QuotientError::TooLarge);
        }
        if level == 0 {
            return Ok(match won {
                EMPTY => FULL,
                FULL => EMPTY,
                _ => UNKNOWN,
            });
        }
        let known = self.known.get(&(level, won));
        if let Some(&known) = known.or_else(|| self.known_truncated.get(&(level, won))) {
            return Ok(known);
        }
        let of_level = self.closed_after.get(level as usize - 1).copied();
        let most_here = of_level.unwrap_or(max_copies);
        // The positions already won with at least `count` copies.
        let mut won_from = won;
        let mut sequence =
            vec![self.kernel(level - 1, self.pool.none(won, level), max_copies, control)?];
        let mut first_seen = FxHashMap::default();
        let start = loop {
            let count = sequence.len() as u32;
            let previous = sequence[count as usize - 1];
            won_from = self.pool.next(won_from, level);
            if let Some(earlier) = first_seen.insert((won_from, previous), count) {
                self.longest_now = self.longest_now.max(count);
                break earlier as usize;
            }
            if count > most_here {
                match self.unrepeated {
                    Unrepeated::Divergent => {
                        return Err(QuotientError::Diverges { copies: max_copies });
                    }
                    Unrepeated::Truncated(copies) => {
                        sequence.truncate(copies as usize + 1);
                        sequence.push(UNKNOWN);
                        break sequence.len() - 1;
                    }
                    Unrepeated::Closed => {
                        self.is_exact = false;
                        break sequence.len().saturating_sub(2);
                    }
                }
            }
            let left = self.leave(level, previous, control)?;
            let won_here = self
                .pool
                .union(self.pool.none(won_from, level), left, control)?;
            sequence.push(self.kernel(level - 1, won_here, max_copies, control)?);
        };
        let kernel = self.pool.sequence(level, &sequence, start, control)?;
        match self.unrepeated {
            Unrepeated::Divergent => self.known.insert((level, won), kernel),
            _ => self.known_truncated.insert((level, won), kernel),
        };
        Ok(kernel)
    }

    /// Returns the positions from which a move in one heap of `level` leads into `target`.
    fn leave(&mut self, level: u32, target: Set, control: &mut Control) -> Result<Set, Stop> {
        union_of_shifts(
            &mut self.pool,
            &self.trees[level as usize - 1],
            target,
            control,
        )
    }

    /// Returns the monoid of shifts of the root, numbered breadth first.
    fn shifts_of(
        &mut self,
        root: Set,
        max_order: usize,
        control: &mut Control,
    ) -> Result<TruncatedQuotient, QuotientError> {
        let levels = self.game.options.len() as u32;
        let mut number: FxHashMap<Set, Element> = FxHashMap::default();
        let mut elements = vec![root];
        let mut words = Words::default();
        let mut action: Vec<Vec<Element>> = vec![Vec::new(); levels as usize];
        number.insert(root, 0);
        let mut next = 0;
        while next < elements.len() {
            control.spend(LISTING_TICKS * u64::from(levels))?;
            for level in 1..=levels {
                let element = match words.product(next as Element, level, &action) {
                    Some(known) => known,
                    None => {
                        let shifted = self.pool.shift(elements[next], level, control)?;
                        *number.entry(shifted).or_insert_with(|| {
                            elements.push(shifted);
                            words.push(next as Element, level, &action);
                            elements.len() as Element - 1
                        })
                    }
                };
                action[level as usize - 1].push(element);
            }
            if elements.len() > max_order {
                return Err(QuotientError::TooLarge);
            }
            next += 1;
        }
        control.spend(20 + 2 * elements.len() as u64 * u64::from(levels))?;
        let outcomes = self.pool.at_zero(&elements);
        let with_outcome = |outcome: Set| {
            ElementSet::where_true(outcomes.len(), |x| outcomes[x as usize] == outcome)
        };
        Ok(TruncatedQuotient {
            monoid: BipartiteMonoid::by_construction(action, with_outcome(FULL)),
            unknown: with_outcome(UNKNOWN),
        })
    }
}

/// The least words of a commutative monoid that is being listed.
///
/// Words are ordered by length, then lexicographically.
///
/// The listing is breadth first. A word is stored as the elements that remain when one of its
/// letters is removed.
///
/// It makes most products unnecessary (after Froidure and Pin 1997, for commutative monoids): if
/// `k` is a letter of the word of `x` and `w = (x/k)·h` is an element whose row is complete,
/// `x·h = w·k` is already in the table. One product remains to be computed for each element and for
/// each relation of the reduced confluent presentation.
#[derive(Default)]
struct Words {
    /// For each element but the identity the letters `k` of its word, each with the element `x/k`.
    without: Vec<(u32, Element)>,
    /// The index of the first letter of each element `x`.
    ///
    /// Its letters end where those of `x + 1` begin.
    first: Vec<u32>,
}

impl Words {
    /// Returns the letters of the word of `x`, each with the element that remains without it.
    fn letters(&self, x: Element) -> &[(u32, Element)] {
        match x as usize {
            0 => &[],
            x => {
                let end = self
                    .first
                    .get(x)
                    .map_or(self.without.len(), |&end| end as usize);
                &self.without[self.first[x - 1] as usize..end]
            }
        }
    }

    /// Adds the next element, which is `x` times `letter`.
    fn push(&mut self, x: Element, letter: u32, action: &[Vec<Element>]) {
        let letters = self.letters(x).to_vec();
        self.first.push(self.without.len() as u32);
        self.without.push((letter, x));
        for (other, rest) in letters {
            if other != letter {
                self.without
                    .push((other, action[letter as usize - 1][rest as usize]));
            }
        }
    }

    /// Returns `x·letter` for the element whose row is being made, if earlier rows determine it.
    fn product(&self, x: Element, letter: u32, action: &[Vec<Element>]) -> Option<Element> {
        self.letters(x).iter().find_map(|&(other, rest)| {
            let reached = action[letter as usize - 1][rest as usize];
            (reached < x).then(|| action[other as usize - 1][reached as usize])
        })
    }
}

/// Returns the union of the shifts of `target` by all words of the tree.
fn union_of_shifts(
    pool: &mut Pool,
    tree: &Tree,
    target: Set,
    control: &mut Control,
) -> Result<Set, Stop> {
    let mut union = if tree.ends { target } else { EMPTY };
    for (level, rest) in &tree.branches {
        let shifted = pool.shift(target, *level, control)?;
        let part = union_of_shifts(pool, rest, shifted, control)?;
        union = pool.union(union, part, control)?;
    }
    Ok(union)
}

impl Tree {
    fn insert(&mut self, word: &[u32]) {
        let Some((&first, rest)) = word.split_first() else {
            self.ends = true;
            return;
        };
        let at = match self
            .branches
            .iter()
            .position(|&(letter, _)| letter == first)
        {
            Some(at) => at,
            None => {
                self.branches.push((first, Self::default()));
                self.branches.len() - 1
            }
        };
        self.branches[at].1.insert(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quotient(options: &[&[&[u32]]]) -> Result<BipartiteMonoid, QuotientError> {
        let options = options
            .iter()
            .map(|level| level.iter().map(|word| word.to_vec()).collect())
            .collect();
        KernelBuilder::new().quotient(
            &LevelGame { options },
            200,
            1_000,
            &mut Control::unlimited(),
        )
    }

    #[test]
    fn nim_heaps_are_tame() {
        // *1, *2, *3 and *4: T_1, T_2, T_2, T_3.
        assert_eq!(quotient(&[&[&[]]]).unwrap().order(), 2);
        assert_eq!(quotient(&[&[&[]], &[&[], &[1]]]).unwrap().order(), 6);
        assert_eq!(
            quotient(&[&[&[]], &[&[], &[1]], &[&[], &[1], &[2]]])
                .unwrap()
                .order(),
            6
        );
        let four = quotient(&[
            &[&[]],
            &[&[], &[1]],
            &[&[], &[1], &[2]],
            &[&[], &[1], &[2], &[3]],
        ])
        .unwrap();
        assert_eq!((four.order(), four.p_size()), (10, 2));
        assert!(four.is_reduced());
    }

    #[test]
    fn a_quotient_that_is_too_large_is_reported() {
        let game = LevelGame {
            options: vec![vec![vec![]], vec![vec![], vec![1]]],
        };
        let outcome = KernelBuilder::new().quotient(&game, 200, 5, &mut Control::unlimited());
        assert_eq!(outcome, Err(QuotientError::TooLarge));
    }

    /// A truncated outcome function knows less than the whole, and nothing else.
    #[test]
    fn truncation_only_forgets() {
        let game = LevelGame {
            options: vec![
                vec![vec![]],
                vec![vec![], vec![1]],
                vec![vec![2], vec![1, 1]],
            ],
        };
        let control = &mut Control::unlimited();
        let whole = KernelBuilder::new()
            .quotient(&game, 200, 1_000, control)
            .unwrap();
        for copies in 1..4 {
            let truncated = KernelBuilder::new()
                .truncated_quotient(&game, copies, copies, control)
                .unwrap();
            let mut known = 0;
            for counts in (0..512_u32).map(|n| [n & 7, n >> 3 & 7, n >> 6 & 7]) {
                let word = || counts.into_iter().enumerate();
                let (x, y) = (whole.product(word()), truncated.monoid.product(word()));
                if !truncated.unknown.contains(y) {
                    known += 1;
                    assert_eq!(
                        whole.in_p(x),
                        truncated.monoid.in_p(y),
                        "{counts:?} to {copies}"
                    );
                }
            }
            assert!(known > 0);
        }
    }
}
