//! The checker of claims about the whole of an infinite quotient.
//!
//! If the evidence states the outcome of *every* position of its heaps, this module decides which
//! positions have equal value ([`TotalEvidence::difference`]), and proves a presentation of the
//! quotient ([`TotalEvidence::check`]). The theorems T5 to T8 and the hypotheses W1 to W7 are in
//! `docs/presentations.md`.
//!
//! - `least`: the least context in which two positions differ
//! - `families`: the words that no relation shortens
//! - `functions`: what positions of digits leave, numbered
//! - `apart`: whether different words of these families have different values
//! - `portion`: the normal words that are P-positions
//! - `regions`: the P-positions as linear conditions

mod apart;
mod families;
mod functions;
mod least;
mod portion;
mod regions;
#[cfg(test)]
mod tests;

use misere_game::control::{Control, Stop};
use misere_game::monoid::word::Word;
use misere_game::ruleset::Code;
use misere_game::solution::diagram::DiagramFamily;
use misere_game::solution::presentation::{Presentation, Reach, compare, degree};
use misere_game::solution::semilinear::{Cell, Region};

use super::diagram::reading::Reading;
use super::diagram::{check_letters, check_words, multiples_differ};
use super::{FamilyCheckError, listed, too_large};
pub use families::{Family, normal_families};
use least::{SearchGoal, least, outcome_of};
pub use portion::{Portion, Progression};

/// The greatest count of a letter in a position that is compared.
const MAX_COUNT: u64 = 1 << 62;
/// The most relations that are judged.
const MAX_RELATIONS: usize = 20_000;
/// The greatest exponent in a relation.
const MAX_EXPONENT: u32 = 10_000;
/// The greatest heap to which a quotient may be claimed: each heap up to it is examined.
const MAX_HEAP: u32 = 100_000;
/// The most words that are distinguished one by one.
const MAX_NORMAL_WORDS: usize = 100_000;

/// The first thing found wrong with a claim about the whole of a quotient.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PresentationCheckError {
    /// Evidence that does not prove its claim.
    #[error(transparent)]
    Evidence(#[from] FamilyCheckError),
    /// A position without a claimed outcome.
    #[error("the evidence says nothing of {}", listed(position))]
    Silent {
        /// The heaps of the position, all letters, with their counts.
        position: Vec<(u32, u64)>,
    },
    /// A relation whose sides are not words, or whose left side is not the greater one.
    #[error("relation number {number} (counted from 0) does not lead from a word to a lesser one")]
    NotShorter {
        /// The place of the relation in the list.
        number: usize,
    },
    /// A relation whose sides have different values.
    #[error(
        "the sides of relation number {number} (counted from 0) differ with {}",
        beside(context)
    )]
    Unequal {
        /// The place of the relation in the list.
        number: usize,
        /// Letters with which the two sides have different outcomes.
        context: Vec<(u32, u64)>,
    },
    /// A relation with a side that another relation shortens.
    #[error("relation number {number} (counted from 0) can be shortened by another one")]
    NotReduced {
        /// The place of the relation in the list.
        number: usize,
    },
    /// Two words of equal value that the relations do not make equal.
    #[error("the words {} and {} have equal value, which no relation says", words[0], words[1])]
    Missing {
        /// The words.
        words: [Word; 2],
    },
    /// A malformed region.
    ///
    /// It has no states or states that do not ascend, it has a state at which the digits never
    /// begin or that another region has, or it has a condition that is not about the digits.
    #[error("region number {number} (counted from 0) is malformed")]
    Region {
        /// The place of the region in the list.
        number: usize,
    },
    /// A state at which the digits begin that is in no region.
    #[error("no region speaks of state {state}")]
    NoRegion {
        /// The state.
        state: u32,
    },
    /// Counts of the digits for which the conditions and the evidence disagree.
    #[error(
        "from state {state} the conditions do not say the outcome of {}",
        beside(counts)
    )]
    Misplaced {
        /// The state at which the digits begin.
        state: u32,
        /// The digits with their counts.
        counts: Vec<(u32, u64)>,
    },
}

impl From<Stop> for PresentationCheckError {
    fn from(stop: Stop) -> Self {
        Self::Evidence(stop.into())
    }
}

fn beside(context: &[(u32, u64)]) -> String {
    match context {
        [] => "nothing else".to_owned(),
        _ => listed(context),
    }
}

/// The proved outcomes of all positions of some heaps.
pub struct TotalEvidence<'a> {
    family: &'a DiagramFamily,
    reading: Reading<'a>,
}

impl<'a> TotalEvidence<'a> {
    /// Proves that the claimed outcomes are right (W1) and cover every position of the heaps (W2).
    ///
    /// Cost: as for the check of the evidence. All of it is spent from `control`.
    ///
    /// # Errors
    /// The first [`PresentationCheckError`]; [`FamilyCheckError::TooLarge`] if `heaps` is more than
    /// 100,000.
    pub fn new(
        code: &Code,
        heaps: u32,
        family: &'a DiagramFamily,
        control: &mut Control,
    ) -> Result<Self, PresentationCheckError> {
        if heaps > MAX_HEAP {
            return Err(too_large("heaps", heaps as usize, MAX_HEAP as usize).into());
        }
        check_letters(code, heaps, family, control)?;
        check_words(code, heaps, family, control)?;
        let reading = Reading::new(code, heaps, family, control)?;
        let nothing = vec![0; reading.letters.len()];
        let silent = least(&reading, [&nothing; 2], SearchGoal::Silent, control)?;
        match silent {
            None => Ok(Self { family, reading }),
            Some(counts) => Err(PresentationCheckError::Silent {
                position: position(&reading, &counts),
            }),
        }
    }

    /// Returns the evidence.
    #[must_use]
    pub fn evidence(&self) -> &'a DiagramFamily {
        self.family
    }

    /// Returns the heaps that are letters, ascending.
    #[must_use]
    pub fn letters(&self) -> &'a [u32] {
        self.reading.letters
    }

    /// Returns the heaps that the result covers, ascending.
    #[must_use]
    pub fn heaps(&self) -> Vec<u32> {
        self.family.heaps()
    }

    /// Returns the counts of the letters that represent a position.
    ///
    /// The position is given by its heaps with their numbers of copies.
    ///
    /// Returns `None` if a heap is not covered. Dead heaps have to be left out.
    ///
    /// # Errors
    /// [`FamilyCheckError::TooLarge`] if a count is too great.
    pub fn counts(
        &self,
        position: impl IntoIterator<Item = (u32, u64)>,
    ) -> Result<Option<Vec<u64>>, PresentationCheckError> {
        let mut counts = vec![0_u64; self.reading.letters.len()];
        let number = |heap: u32| self.reading.letters.binary_search(&heap).ok();
        for (heap, copies) in position {
            let itself = [(heap, 1)];
            let word = match number(heap) {
                Some(_) => itself.as_slice(),
                None => {
                    let words = &self.family.words;
                    match words.binary_search_by_key(&heap, |other| other.heap) {
                        Ok(at) => words[at].word.as_slice(),
                        Err(_) => return Ok(None),
                    }
                }
            };
            for &(letter, count) in word {
                let Some(letter) = number(letter) else {
                    return Ok(None);
                };
                let more = copies.saturating_mul(u64::from(count));
                counts[letter] = counts[letter].saturating_add(more);
            }
        }
        self.bounded(&counts)?;
        Ok(Some(counts))
    }

    /// Returns the least context in which two positions of letters have different outcomes.
    ///
    /// The order is degree-lexicographic. Returns `None` if the positions have equal value (T5).
    /// All are given as counts of the letters.
    ///
    /// Cost: pairs of places times counts, and pairs of states times binary digits.
    ///
    /// # Errors
    /// [`FamilyCheckError::Unchecked`] if `control` ends the search, [`FamilyCheckError::TooLarge`]
    /// if the search or the counts are too large.
    pub fn difference(
        &self,
        one: &[u64],
        other: &[u64],
        control: &mut Control,
    ) -> Result<Option<Vec<u64>>, PresentationCheckError> {
        self.bounded(one)?;
        self.bounded(other)?;
        let found = least(&self.reading, [one, other], SearchGoal::Different, control)?;
        Ok(found)
    }

    fn bounded(&self, counts: &[u64]) -> Result<(), PresentationCheckError> {
        if counts.len() != self.reading.letters.len() {
            let (found, most) = (counts.len(), self.reading.letters.len());
            return Err(too_large("counts of letters", found, most).into());
        }
        match counts.iter().find(|&&count| count > MAX_COUNT) {
            None => Ok(()),
            Some(&count) => {
                let found = usize::try_from(count).unwrap_or(usize::MAX);
                Err(too_large("copies of a letter", found, MAX_COUNT as usize).into())
            }
        }
    }

    /// Proves a presentation (W3 to W6), and that the quotient is infinite (W7).
    ///
    /// The relations hold, are reduced, and any two words that none of them shortens have different
    /// values, as far as the presentation claims to reach.
    ///
    /// Cost: [`Self::difference`] for each relation, [`Self::first_missing`], and the sets of pairs
    /// of states that multiples of a heap can reach.
    ///
    /// # Errors
    /// The first [`PresentationCheckError`].
    pub fn check(
        &self,
        presentation: &Presentation,
        control: &mut Control,
    ) -> Result<(), PresentationCheckError> {
        self.check_form(presentation, control)?;
        multiples_differ(&self.reading, control)?;
        for (number, relation) in presentation.relations.iter().enumerate() {
            let [left, right] = [&relation.left, &relation.right].map(counts_of);
            if let Some(counts) = self.difference(&left, &right, control)? {
                return Err(PresentationCheckError::Unequal {
                    number,
                    context: position(&self.reading, &counts),
                });
            }
        }
        let missing = match presentation.reach {
            Reach::All => self.first_missing(presentation, control)?,
            Reach::Degree(degree) => self.first_missing_to(presentation, degree, control)?,
        };
        match missing {
            None => Ok(()),
            Some(words) => Err(PresentationCheckError::Missing { words }),
        }
    }

    /// Checks W3 and W5: both sides are words, the left one greater.
    ///
    /// No left side divides a side of another relation, nor the right side of its own.
    fn check_form(
        &self,
        presentation: &Presentation,
        control: &mut Control,
    ) -> Result<(), PresentationCheckError> {
        let relations = &presentation.relations;
        if relations.len() > MAX_RELATIONS {
            return Err(too_large("relations", relations.len(), MAX_RELATIONS).into());
        }
        let is_word = |word: &Word| {
            let small = word.0.iter().all(|&count| count <= MAX_EXPONENT);
            small && word.0.len() == self.reading.letters.len()
        };
        for (number, relation) in relations.iter().enumerate() {
            let words = is_word(&relation.left) && is_word(&relation.right);
            if !words || compare(&relation.right, &relation.left).is_ge() {
                return Err(PresentationCheckError::NotShorter { number });
            }
        }
        for (number, relation) in relations.iter().enumerate() {
            control.spend(20 * (relations.len() * self.reading.letters.len()) as u64)?;
            let shortens = |(other, left): (usize, &Word)| {
                divides(left, &relation.right) || (other != number && divides(left, &relation.left))
            };
            let lefts = relations.iter().map(|relation| &relation.left);
            if lefts.enumerate().any(shortens) {
                return Err(PresentationCheckError::NotReduced { number });
            }
        }
        Ok(())
    }

    /// Returns two words of equal value that no relation shortens (W6, T7).
    ///
    /// Returns `None` if there are none.
    ///
    /// Both sides of all relations have to be words in the letters.
    ///
    /// Cost: pairs of families times sets of pairs of states. All of it is spent from `control`.
    ///
    /// # Errors
    /// [`FamilyCheckError::Unchecked`] if `control` ends the search, [`FamilyCheckError::TooLarge`]
    /// if the search is too large.
    pub fn first_missing(
        &self,
        presentation: &Presentation,
        control: &mut Control,
    ) -> Result<Option<[Word; 2]>, PresentationCheckError> {
        let families = self.families(presentation, control)?;
        Ok(apart::equal_words(&self.reading, &families, control)?)
    }

    /// Returns the families of the words that no relation shortens.
    ///
    /// # Errors
    /// As [`normal_families`].
    pub fn families(
        &self,
        presentation: &Presentation,
        control: &mut Control,
    ) -> Result<Vec<Family>, PresentationCheckError> {
        let lefts = presentation.relations.iter().map(|r| r.left.clone());
        let lefts: Vec<Word> = lefts.collect();
        Ok(normal_families(
            self.reading.letters.len(),
            &lefts,
            control,
        )?)
    }

    /// Returns the normal words that are P-positions (T8).
    ///
    /// Returns `None` if no description by progressions in one letter is found.
    ///
    /// Cost: families times pairs of states.
    ///
    /// # Errors
    /// [`FamilyCheckError::Unchecked`] if `control` ends the search, [`FamilyCheckError::TooLarge`]
    /// if the search is too large.
    pub fn portion(
        &self,
        families: &[Family],
        control: &mut Control,
    ) -> Result<Option<Portion>, PresentationCheckError> {
        Ok(portion::portion(&self.reading, families, control)?)
    }

    /// Returns the states at which reading the counts of the digits may begin, ascending.
    #[must_use]
    pub fn starts(&self) -> Vec<u32> {
        self.reading.starts()
    }

    /// Proves that the conditions of the regions describe exactly the P-positions (T10).
    ///
    /// The hypotheses are S1 to S3 of `docs/semilinear.md`.
    ///
    /// Also proves that the quotient is infinite (W7).
    ///
    /// Cost: pairs of a state and cells, times choices of binary digits, times conditions, and the
    /// sets of pairs of states that multiples of a heap can reach. All of it is spent from
    /// `control`.
    ///
    /// # Errors
    /// The first [`PresentationCheckError`].
    pub fn check_regions(
        &self,
        regions: &[Region],
        control: &mut Control,
    ) -> Result<(), PresentationCheckError> {
        regions::check_form(&self.reading, regions)?;
        multiples_differ(&self.reading, control)?;
        for region in regions {
            for &state in &region.states {
                if let Some(counts) = self.misplaced(state, &region.cells, control)? {
                    let heaps = self.reading.digits.iter();
                    let heaps = heaps.map(|&digit| self.reading.letters[digit]);
                    let counts = heaps.zip(counts).filter(|&(_, count)| count > 0);
                    return Err(PresentationCheckError::Misplaced {
                        state,
                        counts: counts.collect(),
                    });
                }
            }
        }
        Ok(())
    }

    /// Returns digit counts for which the cells and the automaton from a state disagree.
    ///
    /// Returns `None` if there are none. The conditions have to be about the digits. A count of
    /// 2^64 or more is given as 2^64 - 1.
    ///
    /// # Errors
    /// [`FamilyCheckError::Unchecked`] if `control` ends the search, [`FamilyCheckError::TooLarge`]
    /// if the search is too large.
    pub fn misplaced(
        &self,
        state: u32,
        cells: &[Cell],
        control: &mut Control,
    ) -> Result<Option<Vec<u64>>, FamilyCheckError> {
        regions::misplaced(&self.reading, state, cells, control)
    }

    /// Returns two words of equal value, of at most `degree` letters, that no relation shortens.
    ///
    /// Returns `None` if there are none.
    ///
    /// One context at a time distinguishes the words: [`Self::difference`] finds a context for two
    /// words of a group, and this context divides the group.
    fn first_missing_to(
        &self,
        presentation: &Presentation,
        max_letters: u32,
        control: &mut Control,
    ) -> Result<Option<[Word; 2]>, PresentationCheckError> {
        let words = self.normal_words(presentation, max_letters, control)?;
        let mut groups = vec![words];
        while let Some(group) = groups.pop() {
            let [one, other, ..] = group.as_slice() else {
                continue;
            };
            let [x, y] = [one, other].map(counts_of);
            let Some(context) = self.difference(&x, &y, control)? else {
                return Ok(Some([one.clone(), other.clone()]));
            };
            control.spend(500 * group.len() as u64)?;
            let is_p = |word: &Word| {
                let counts = counts_of(word).into_iter().zip(&context);
                let sum: Vec<u64> = counts.map(|(x, y)| x.saturating_add(*y)).collect();
                outcome_of(&self.reading, &sum)
            };
            let (first, second) = group.iter().cloned().partition(|w| is_p(w) == is_p(one));
            groups.extend([first, second]);
        }
        Ok(None)
    }

    /// Returns the words of at most `degree` letters that no relation shortens.
    ///
    /// They are in degree-lexicographic order.
    ///
    /// Cost: words times letters times relations.
    ///
    /// # Errors
    /// [`FamilyCheckError::TooLarge`] if there are too many, [`FamilyCheckError::Unchecked`] if
    /// `control` ends the search.
    pub fn normal_words(
        &self,
        presentation: &Presentation,
        max_letters: u32,
        control: &mut Control,
    ) -> Result<Vec<Word>, PresentationCheckError> {
        let letters = self.reading.letters.len();
        let mut words = vec![Word(vec![0; letters])];
        let relations = &presentation.relations;
        if relations.iter().any(|relation| degree(&relation.left) == 0) {
            return Ok(Vec::new());
        }
        let mut from = 0;
        for _ in 0..max_letters {
            let mut longer = Vec::new();
            for word in &words[from..] {
                let last = word.0.iter().rposition(|&count| count > 0).unwrap_or(0);
                for letter in last..letters {
                    control.spend(50 + 10 * (relations.len() * letters) as u64)?;
                    let mut word = word.clone();
                    word.0[letter] += 1;
                    if !relations.iter().any(|r| divides(&r.left, &word)) {
                        longer.push(word);
                    }
                }
                let found = words.len() + longer.len();
                if found > MAX_NORMAL_WORDS {
                    return Err(too_large("words", found, MAX_NORMAL_WORDS).into());
                }
            }
            if longer.is_empty() {
                break;
            }
            longer.sort_unstable_by(compare);
            from = words.len();
            words.extend(longer);
        }
        Ok(words)
    }
}

fn counts_of(word: &Word) -> Vec<u64> {
    word.0.iter().map(|&count| u64::from(count)).collect()
}

fn divides(one: &Word, other: &Word) -> bool {
    one.0.iter().zip(&other.0).all(|(x, y)| x <= y)
}

/// Returns the letters with a positive count, with their counts.
fn position(reading: &Reading<'_>, counts: &[u64]) -> Vec<(u32, u64)> {
    let heaps = reading.letters.iter().copied().zip(counts.iter().copied());
    heaps.filter(|&(_, count)| count > 0).collect()
}
