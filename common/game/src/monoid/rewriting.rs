//! Rewriting of words modulo relations.
//!
//! A [`RewritingSystem`] holds rules `left → right` between commutative words with `left > right`,
//! in the order that compares total degrees first and then, from the last generator on, exponents.
//! [`RewritingSystem::complete`] adds rules until any two ways of rewriting a word end alike
//! (Buchberger's algorithm for binomials, which is Knuth–Bendix completion for commutative
//! monoids). It always ends, by Dickson's lemma, but may take long, so its work is bounded.

use std::cmp::Ordering;

use super::word::Word;
use crate::control::{Control, Stop};

/// The greatest number of rules a completion may produce.
const MAX_RULES: usize = 4_000;
/// The greatest degree of a word in a completion: far from the limits of `u32`.
const MAX_DEGREE: u64 = 1 << 28;

/// The reason why a completion was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompletionError {
    /// The system has too many rules.
    #[error("the relations lead to more than {MAX_RULES} rules")]
    TooManyRules,
    /// Words of too high degree.
    #[error("the relations lead to words with more than {MAX_DEGREE} letters")]
    DegreeTooHigh,
    /// The completion was stopped.
    #[error("the relations were not completed: {0}")]
    Stopped(#[from] Stop),
}

/// Rules on words in a fixed number of generators.
#[derive(Clone, Debug)]
pub struct RewritingSystem {
    generators: usize,
    rules: Vec<(Word, Word)>,
}

impl RewritingSystem {
    /// Returns the confluent reduced system for the congruence that the given pairs generate.
    ///
    /// Cost: every pair of rules gives at most one critical pair, which is brought to normal form.
    ///
    /// ```
    /// use misere_game::monoid::rewriting::RewritingSystem;
    /// use misere_game::monoid::word::Word;
    /// // a² = 1 and ab = b²: then ab² = b³ and b = a²b = ab² as well.
    /// let [one, aa] = [vec![0, 0], vec![2, 0]].map(Word);
    /// let [ab, bb] = [vec![1, 1], vec![0, 2]].map(Word);
    /// let system = RewritingSystem::complete(2, [(aa, one), (ab.clone(), bb.clone())])?;
    /// assert_eq!(system.normal_form(ab), system.normal_form(bb));
    /// # Ok::<(), misere_game::monoid::rewriting::CompletionError>(())
    /// ```
    ///
    /// # Errors
    /// [`CompletionError`] if that takes too many rules or too long words.
    pub fn complete(
        generators: usize,
        relations: impl IntoIterator<Item = (Word, Word)>,
    ) -> Result<Self, CompletionError> {
        Self::complete_within(generators, relations, &mut Control::unlimited())
    }

    /// Returns the system, as [`complete`](Self::complete) does, with a limit on its work.
    ///
    /// Cost: a tick for each letter of each rule that is compared with a word.
    ///
    /// # Errors
    /// [`CompletionError`]; [`CompletionError::Stopped`] if `control` ends it.
    pub fn complete_within(
        generators: usize,
        relations: impl IntoIterator<Item = (Word, Word)>,
        control: &mut Control,
    ) -> Result<Self, CompletionError> {
        let mut system = Self {
            generators,
            rules: Vec::new(),
        };
        let mut pending: Vec<(Word, Word)> = relations.into_iter().collect();
        // Small equations first: they simplify the rest.
        pending.sort_by_key(|(one, other)| std::cmp::Reverse(degree(one).max(degree(other))));
        while let Some((one, other)) = pending.pop() {
            let one = system.normal_form_within(one, control)?;
            let other = system.normal_form_within(other, control)?;
            let (left, right) = match compare(&one, &other) {
                Ordering::Equal => continue,
                Ordering::Greater => (one, other),
                Ordering::Less => (other, one),
            };
            control.spend(system.price())?;
            system.add(left, right, &mut pending)?;
        }
        system.reduce_right_sides(control)?;
        Ok(system)
    }

    /// Returns the rules; no left side divides another, and no rule applies to a right side.
    #[must_use]
    pub fn rules(&self) -> &[(Word, Word)] {
        &self.rules
    }

    /// Returns the word to which no rule applies any more. It is the same for equal elements.
    ///
    /// Each rule is applied as often as it fits at once, so the cost does not grow with exponents,
    /// such as in `a^1000000`.
    ///
    /// ```
    /// use misere_game::monoid::rewriting::RewritingSystem;
    /// use misere_game::monoid::word::Word;
    /// // ⟨a | a³ = a⟩
    /// let system = RewritingSystem::complete(1, [(Word(vec![3]), Word(vec![1]))])?;
    /// assert_eq!(system.normal_form(Word(vec![1_000_001])), Word(vec![1]));
    /// assert!(system.is_normal(&Word(vec![2])));
    /// # Ok::<(), misere_game::monoid::rewriting::CompletionError>(())
    /// ```
    #[must_use]
    pub fn normal_form(&self, word: Word) -> Word {
        Control::without_limit(|control| self.normal_form_within(word.clone(), control))
    }

    /// Returns the [`normal_form`](Self::normal_form), with a limit on its work.
    ///
    /// `control` can stop it.
    ///
    /// Cost: a tick for each letter of each rule, whenever one is applied and once more.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn normal_form_within(&self, mut word: Word, control: &mut Control) -> Result<Word, Stop> {
        word.0.resize(self.generators, 0);
        loop {
            control.spend(self.price())?;
            let mut rules = self.rules.iter();
            let Some((left, right)) = rules.find(|(left, _)| divides(left, &word)) else {
                return Ok(word);
            };
            let times = left
                .0
                .iter()
                .zip(&word.0)
                .filter(|&(&l, _)| l > 0)
                .map(|(&l, &w)| w / l)
                .min()
                .unwrap_or(0);
            for (exponent, (&l, &r)) in word.0.iter_mut().zip(left.0.iter().zip(&right.0)) {
                *exponent = *exponent - times * l + times * r;
            }
        }
    }

    /// Returns the price of examining every rule.
    fn price(&self) -> u64 {
        10 + (self.rules.len() * (1 + self.generators)) as u64
    }

    /// Reports whether no rule applies to the word.
    ///
    /// Cost: one comparison of words for each rule.
    #[must_use]
    pub fn is_normal(&self, word: &Word) -> bool {
        !self.rules.iter().any(|(left, _)| divides(left, word))
    }

    /// Adds a rule and the critical pairs with the others.
    ///
    /// Rules whose left sides it rewrites become equations again. These and the critical pairs are
    /// added to `pending`.
    fn add(
        &mut self,
        left: Word,
        right: Word,
        pending: &mut Vec<(Word, Word)>,
    ) -> Result<(), CompletionError> {
        let (kept, rewritten) = std::mem::take(&mut self.rules)
            .into_iter()
            .partition(|(other, _)| !divides(&left, other));
        self.rules = kept;
        let rewritten: Vec<(Word, Word)> = rewritten;
        for (other_left, other_right) in &self.rules {
            // Coprime left sides give nothing new.
            if left
                .0
                .iter()
                .zip(&other_left.0)
                .all(|(&one, &other)| one == 0 || other == 0)
            {
                continue;
            }
            let join = Word(
                left.0
                    .iter()
                    .zip(&other_left.0)
                    .map(|(&one, &other)| one.max(other))
                    .collect(),
            );
            if degree(&join) > MAX_DEGREE {
                return Err(CompletionError::DegreeTooHigh);
            }
            pending.push((
                exchange(&join, &left, &right),
                exchange(&join, other_left, other_right),
            ));
        }
        self.rules.push((left, right));
        pending.extend(rewritten);
        if self.rules.len() > MAX_RULES {
            Err(CompletionError::TooManyRules)
        } else {
            Ok(())
        }
    }

    fn reduce_right_sides(&mut self, control: &mut Control) -> Result<(), Stop> {
        for at in 0..self.rules.len() {
            let right = self.normal_form_within(self.rules[at].1.clone(), control)?;
            self.rules[at].1 = right;
        }
        Ok(())
    }
}

/// Returns the number of letters of a word.
///
/// ```
/// use misere_game::monoid::{rewriting::degree, word::Word};
/// assert_eq!(degree(&Word(vec![1, 2])), 3); // ab²
/// ```
#[must_use]
pub fn degree(word: &Word) -> u64 {
    word.0.iter().map(|&exponent| u64::from(exponent)).sum()
}

/// Compares words by degree first, then by exponents from the last generator on.
fn compare(one: &Word, other: &Word) -> Ordering {
    degree(one)
        .cmp(&degree(other))
        .then_with(|| one.0.iter().rev().cmp(other.0.iter().rev()))
}

fn divides(divisor: &Word, word: &Word) -> bool {
    divisor.0.iter().zip(&word.0).all(|(d, w)| d <= w)
}

/// Returns `word` with its divisor `left` replaced by `right`.
fn exchange(word: &Word, left: &Word, right: &Word) -> Word {
    Word(
        word.0
            .iter()
            .zip(left.0.iter().zip(&right.0))
            .map(|(&w, (&l, &r))| w - l + r)
            .collect(),
    )
}
