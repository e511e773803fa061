//! Take-and-break rules beyond the digits 0 to F: more heaps, constraints on them, endless codes.
//!
//! In Nim any number of beans may be taken, so its code `0.333…` has no end: it is written `0.[3]`.
//! In `0.08!` a move takes two beans and leaves three heaps no two of which are equal. The codes of
//! this file are those that CGSuite's `TakeAndBreak` reads (Siegel); the grammar is in the book
//! (docs/rules.md).
//!
//! A digit says for every number of heaps whether a move may leave that many, and under which
//! [`Constraint`]. A constraint applies to two or more heaps only. The digits from some place on
//! may repeat for ever. Each game here is written in one way: the block that repeats is as short as
//! possible and begins as early as possible. A game that finitely many digits 0 to F can express is
//! not of this kind but a [`Code`](super::Code) of digits.

use std::fmt;
use std::ops::RangeInclusive;

use super::heap_option::{HeapOption, MAX_PARTS};

/// The digits, from 0 on.
pub(super) const DIGITS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUV";

/// A condition on the heaps that a move leaves, if it leaves two or more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Constraint {
    /// No condition.
    #[default]
    None,
    /// No two heaps are equal: `!`.
    Unequal,
    /// Not all heaps are equal: `?`.
    NotAllEqual,
    /// All heaps are equal: `=`.
    Equal,
}

impl Constraint {
    const ALL: [Self; 4] = [Self::None, Self::Unequal, Self::NotAllEqual, Self::Equal];

    /// Returns the character that denotes the constraint after a digit or a number of heaps.
    pub(super) fn mark(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Unequal => "!",
            Self::NotAllEqual => "?",
            Self::Equal => "=",
        }
    }

    /// Returns the constraint that a character denotes.
    pub(super) fn of(mark: char) -> Option<Self> {
        let stands = |constraint: &Self| constraint.mark().chars().eq([mark]);
        Self::ALL.into_iter().find(stands)
    }

    /// Returns the least number of beans that can make `heaps` heaps.
    fn least_beans(self, heaps: u32) -> u32 {
        match self {
            Self::None | Self::Equal => heaps,
            Self::Unequal => heaps * (heaps + 1) / 2,
            Self::NotAllEqual => heaps + 1,
        }
    }

    /// Reports whether `heaps` heaps can be made of `beans` beans.
    fn allows(self, beans: u32, heaps: u32) -> bool {
        beans >= self.least_beans(heaps) && (self != Self::Equal || beans.is_multiple_of(heaps))
    }
}

/// A digit of a general code.
///
/// It says for every number of heaps whether a move may leave that many, and under which
/// constraint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digit([Option<Constraint>; MAX_PARTS + 1]);

impl Digit {
    /// Returns the digit that allows the numbers of heaps given, each under its constraint.
    ///
    /// Returns `None` if a number is greater than [`MAX_PARTS`].
    #[must_use]
    pub fn new(allowed: &[(usize, Constraint)]) -> Option<Self> {
        let mut digit = Self::default();
        for &(heaps, constraint) in allowed {
            // A constraint applies to two or more heaps only.
            let constraint = if heaps < 2 {
                Constraint::None
            } else {
                constraint
            };
            *digit.0.get_mut(heaps)? = Some(constraint);
        }
        Some(digit)
    }

    /// Returns the digit whose bits are those of a number, all under one constraint.
    pub(super) fn of_bits(bits: u64, constraint: Constraint) -> Option<Self> {
        let allowed = (0..u64::BITS).filter(|heaps| bits >> heaps & 1 != 0);
        let allowed: Vec<_> = allowed.map(|heaps| (heaps as usize, constraint)).collect();
        Self::new(&allowed)
    }

    /// Returns the constraint under which a move may leave `heaps` heaps; `None` if no move may.
    #[must_use]
    pub fn constraint(self, heaps: usize) -> Option<Constraint> {
        self.0.get(heaps).copied().flatten()
    }

    /// Returns the numbers of heaps that a move may leave, ascending, each with its constraint.
    pub fn allowed(self) -> impl Iterator<Item = (u32, Constraint)> {
        let heaps = (0..).zip(self.0);
        heaps.filter_map(|(heaps, constraint)| Some((heaps, constraint?)))
    }

    /// Reports whether the digit allows no move.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self == Self::default()
    }

    /// Returns the number whose bits are the digit without its constraints.
    fn bits(self) -> u32 {
        self.allowed().map(|(heaps, _)| 1 << heaps).sum()
    }

    /// Returns the one constraint of all numbers of heaps from two on; `None` if they have several.
    fn common_constraint(self) -> Option<Constraint> {
        let mut constraints = self.allowed().filter(|&(heaps, _)| heaps > 1);
        let first = constraints
            .next()
            .map_or(Constraint::None, |(_, first)| first);
        constraints
            .all(|(_, other)| other == first)
            .then_some(first)
    }

    /// Returns the equivalent digit from 0 to 15, if there is one.
    fn plain(self) -> Option<u8> {
        let bits = u8::try_from(self.bits()).ok().filter(|&bits| bits < 16)?;
        (self.common_constraint()? == Constraint::None).then_some(bits)
    }
}

/// Writes a digit as one character with the constraint that all numbers of heaps share.
///
/// If they do not share one, it writes the numbers in braces.
impl fmt::Display for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let single = DIGITS.chars().nth(self.bits() as usize);
        if let (Some(single), Some(constraint)) = (single, self.common_constraint()) {
            return write!(f, "{single}{}", constraint.mark());
        }
        for (place, (heaps, constraint)) in self.allowed().enumerate() {
            let before = if place == 0 { "{" } else { "," };
            write!(f, "{before}{heaps}{}", constraint.mark())?;
        }
        write!(f, "}}")
    }
}

/// A take-and-break code with constraints, more than three heaps, or no end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct General {
    /// `d_0`, `d_1`, … up to the block that repeats, or to the last digit that is not zero.
    digits: Vec<Digit>,
    /// The digits that repeat for ever.
    block: Vec<Digit>,
}

/// The digits of a code that needs none of the general rules.
pub(super) struct Plain {
    pub(super) d0: u8,
    pub(super) digits: Vec<u8>,
}

impl General {
    /// Returns the code with these digits, from `d_0` on, and a block that repeats for ever.
    ///
    /// Returns the digits alone as an error if an ordinary code has the same meaning.
    pub(super) fn new(mut digits: Vec<Digit>, mut block: Vec<Digit>) -> Result<Self, Plain> {
        if block.iter().all(|digit| digit.is_zero()) {
            block.clear();
        }
        if digits.is_empty() {
            digits.push(Digit::default());
        }
        let repeats = |length: &usize| {
            block.len().is_multiple_of(*length) && block[*length..] == block[..block.len() - length]
        };
        let shortest = (1..block.len()).find(repeats);
        block.truncate(shortest.unwrap_or(block.len()));
        // d_0 is not one of the repeating digits.
        while digits.len() > 1 && !block.is_empty() && digits.last() == block.last() {
            digits.pop();
            block.rotate_right(1);
        }
        if block.is_empty() {
            let last = digits.iter().rposition(|digit| !digit.is_zero());
            digits.truncate(last.unwrap_or(0) + 1);
            let plain: Option<Vec<u8>> = digits.iter().map(|digit| digit.plain()).collect();
            if let Some((&d0, digits)) = plain.as_deref().and_then(<[u8]>::split_first) {
                let digits = digits.to_vec();
                return Err(Plain { d0, digits });
            }
        }
        Ok(Self { digits, block })
    }

    /// Reports whether this is Grundy's game, `4!`.
    pub(super) fn is_grundy(&self) -> bool {
        let split = Digit::new(&[(2, Constraint::Unequal)]);
        self.block.is_empty() && self.digits.len() == 1 && self.digits.first().copied() == split
    }

    /// Returns the digit `d_taken`: the numbers of heaps that a move of `taken` beans may leave.
    #[must_use]
    pub fn digit(&self, taken: u32) -> Digit {
        let taken = taken as usize;
        let place = taken.checked_sub(self.digits.len());
        let repeated = || {
            let place = place?.checked_rem(self.block.len())?;
            self.block.get(place)
        };
        let digit = self.digits.get(taken).or_else(repeated);
        digit.copied().unwrap_or_default()
    }

    /// Returns the most beans of a move before the digits repeat.
    ///
    /// The repetition begins with the next number.
    #[must_use]
    pub fn last_before_block(&self) -> u32 {
        self.digits.len() as u32 - 1
    }

    /// Returns the length of the block that repeats; `None` if the code has an end.
    #[must_use]
    pub fn block_length(&self) -> Option<u32> {
        (!self.block.is_empty()).then_some(self.block.len() as u32)
    }

    /// Returns the greatest number of beans that a move can take from a heap.
    #[must_use]
    pub fn most_taken(&self, heap: u32) -> u32 {
        match self.block_length() {
            Some(_) => heap,
            None => self.last_before_block().min(heap),
        }
    }

    fn all_digits(&self) -> impl Iterator<Item = Digit> {
        self.digits.iter().chain(&self.block).copied()
    }

    /// Returns the most heaps that a move leaves.
    #[must_use]
    pub fn max_parts(&self) -> u32 {
        let most = self.all_digits().flat_map(Digit::allowed);
        most.map(|(heaps, _)| heaps).max().unwrap_or(0)
    }

    /// Reports whether some move has this constraint.
    #[must_use]
    pub fn has(&self, constraint: Constraint) -> bool {
        let mut allowed = self.all_digits().flat_map(Digit::allowed);
        allowed.any(|(_, other)| other == constraint)
    }

    /// Returns the least common multiple of the numbers of equal heaps that moves leave.
    ///
    /// Returns 1 if no move does.
    #[must_use]
    pub fn equal_heaps(&self) -> u32 {
        let allowed = self.all_digits().flat_map(Digit::allowed);
        let equal = allowed.filter(|&(_, constraint)| constraint == Constraint::Equal);
        equal.fold(1, |multiple, (heaps, _)| {
            least_common_multiple(multiple, heaps)
        })
    }

    /// Returns a number of beans from which on the liveness of heaps repeats, and its period.
    ///
    /// A move to at least one heap, with heaps that need not be equal, makes all large heaps live.
    /// Without one, the heaps with a move have finitely many residues: modulo `j` for moves to `j`
    /// equal heaps, modulo the length of the block for moves that take the whole heap.
    pub(super) fn liveness(&self) -> (u32, u32) {
        let block = self.block_length().unwrap_or(1);
        let period = least_common_multiple(block, self.equal_heaps());
        let parts = MAX_PARTS as u32;
        let room = Constraint::Unequal.least_beans(parts) + parts;
        (self.last_before_block() + 2 * period + room, period)
    }

    /// Reports whether a heap has a move.
    pub(super) fn is_live(&self, heap: u32) -> bool {
        if heap > 0 && self.digit(heap).constraint(0).is_some() {
            return true;
        }
        // Of two moves with the same digit, and with rests that are congruent modulo the numbers of
        // equal heaps, the one that takes less is possible if the other is.
        let last = self.most_taken(heap).min(self.liveness().0);
        (0..=last).any(|taken| {
            let mut allowed = self.digit(taken).allowed().filter(|&(heaps, _)| heaps > 0);
            allowed.any(|(heaps, constraint)| constraint.allows(heap - taken, heaps))
        })
    }

    /// Calls `visit` with every option of a heap.
    pub(super) fn for_each_option(&self, heap: u32, mut visit: impl FnMut(HeapOption)) {
        self.for_each_of(0..=self.most_taken(heap), heap, u32::MAX, &mut visit);
    }

    /// Calls `visit` with the options of the moves that belong to the repeating block.
    pub fn for_each_repeated_option(&self, heap: u32, mut visit: impl FnMut(HeapOption)) {
        let first = self.last_before_block() + 1;
        self.for_each_of(first..=self.most_taken(heap), heap, u32::MAX, &mut visit);
    }

    /// Calls `visit` with the options of a heap whose parts but the greatest are at most `small`.
    ///
    /// For a code without end, only moves that take or that leave few beans count, since all would
    /// be too many.
    pub(super) fn for_each_small_option(
        &self,
        heap: u32,
        small: u32,
        mut visit: impl FnMut(HeapOption),
    ) {
        let few = small.saturating_mul(2).saturating_add(self.liveness().0);
        let most_taken = self.most_taken(heap);
        let first = most_taken.min(few);
        let last = heap.saturating_sub(few).max(first.saturating_add(1));
        self.for_each_of(0..=first, heap, small, &mut visit);
        self.for_each_of(last..=most_taken, heap, small, &mut visit);
    }

    fn for_each_of(
        &self,
        moves: RangeInclusive<u32>,
        heap: u32,
        limit: u32,
        visit: &mut impl FnMut(HeapOption),
    ) {
        for taken in moves {
            let rest = heap - taken;
            for (heaps, constraint) in self.digit(taken).allowed() {
                match heaps {
                    0 if rest == 0 && taken > 0 => visit(HeapOption([0; MAX_PARTS])),
                    0 => {}
                    _ => Split {
                        constraint,
                        limit,
                        parts: [0; MAX_PARTS],
                    }
                    .for_each(rest, heaps as usize, visit),
                }
            }
        }
    }

    /// Returns a bound on the number of options of a heap.
    pub fn most_options(&self, heap: u32) -> u64 {
        let moves = u64::from(self.most_taken(heap)) + 1;
        let heap = u64::from(heap);
        // Partitions into this many parts, and into fewer.
        let (two, three, four) = (
            heap / 2 + 1,
            heap.saturating_mul(heap) / 12 + 1,
            heap.saturating_pow(3) / 144 + heap.saturating_mul(heap) / 12 + heap,
        );
        let per_move = [1, 2, two + 2, three + two + 2]
            .get(self.max_parts() as usize)
            .copied()
            .unwrap_or(four.saturating_add(three + two + 2));
        moves.saturating_mul(per_move)
    }
}

/// The heaps of one option, chosen from the smallest on.
struct Split {
    constraint: Constraint,
    limit: u32,
    parts: [u32; MAX_PARTS],
}

impl Split {
    /// Calls `visit` with every way to make `heaps` heaps of `rest` beans.
    fn for_each(&mut self, rest: u32, heaps: usize, visit: &mut impl FnMut(HeapOption)) {
        if !self.constraint.allows(rest, heaps as u32) {
            return;
        }
        match self.constraint {
            Constraint::Equal if heaps > 1 => {
                let part = rest / heaps as u32;
                if part <= self.limit {
                    self.parts[..heaps].fill(part);
                    visit(HeapOption(self.parts));
                }
            }
            _ => self.choose(rest, heaps - 1, 1, visit),
        }
    }

    /// Chooses the heap at `place`, of at least `least` beans, and those before.
    ///
    /// Places count from the greatest heap.
    fn choose(&mut self, rest: u32, place: usize, least: u32, visit: &mut impl FnMut(HeapOption)) {
        if place == 0 {
            self.parts[0] = rest;
            let smallest = self.parts.iter().rev().find(|&&part| part > 0);
            if self.constraint != Constraint::NotAllEqual || smallest != self.parts.first() {
                visit(HeapOption(self.parts));
            }
            return;
        }
        let next = u32::from(self.constraint == Constraint::Unequal);
        let others = place as u32;
        // The parts that follow are at least as great, or each is greater than the one before.
        let greatest = (rest - next * others * (others + 1) / 2) / (others + 1);
        for part in least..=greatest.min(self.limit) {
            self.parts[place] = part;
            self.choose(rest - part, place - 1, part + next, visit);
        }
    }
}

/// Writes a code: `d_0`, the point, the digits, and in brackets the block that repeats.
impl fmt::Display for General {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, digit) in self.digits.iter().enumerate() {
            let point = if place == 1 { "." } else { "" };
            write!(f, "{point}{digit}")?;
        }
        if self.digits.len() == 1 {
            write!(f, ".")?;
        }
        match self.block.is_empty() {
            true if self.digits.len() == 1 => write!(f, "0"),
            true => Ok(()),
            false => {
                write!(f, "[")?;
                self.block.iter().try_for_each(|digit| digit.fmt(f))?;
                write!(f, "]")
            }
        }
    }
}

fn least_common_multiple(one: u32, other: u32) -> u32 {
    let (mut greater, mut lesser) = (one, other);
    while lesser > 0 {
        (greater, lesser) = (lesser, greater % lesser);
    }
    one / greater.max(1) * other
}

#[cfg(test)]
mod tests;
