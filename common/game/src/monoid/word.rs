//! Words for the elements of a monoid.
//!
//! Generators are named `a, b, …, z, a_1, b_1, …` in order. A word is written as in the papers,
//! `ab^2c`; the identity is `1`. The *lex-least* word of an element compares the exponents of the
//! last generator first (engine notation: the count of the largest heap in which two positions
//! differ).

use crate::bipartite::{BipartiteMonoid, Element};
use crate::control::{Control, Stop};

/// Returns the name of the generator with index `g`.
///
/// ```
/// use misere_game::monoid::word::generator_name;
/// assert_eq!((generator_name(0), generator_name(27)), ("a".to_owned(), "b_1".to_owned()));
/// ```
#[must_use]
pub fn generator_name(g: usize) -> String {
    let letter = char::from(b'a' + (g % 26) as u8);
    match g / 26 {
        0 => letter.to_string(),
        round => format!("{letter}_{round}"),
    }
}

/// A word as exponents, one per generator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Word(pub Vec<u32>);

impl Word {
    /// Returns the word as text, in generators with the given names.
    ///
    /// Cost: linear in the generators.
    ///
    /// ```
    /// use misere_game::monoid::word::Word;
    /// let names = ["x", "z"].map(str::to_owned);
    /// assert_eq!(Word(vec![1, 2]).with_names(&names), "xz^2");
    /// assert_eq!(Word(vec![0, 0]).with_names(&names), "1");
    /// ```
    #[must_use]
    pub fn with_names(&self, names: &[String]) -> String {
        let mut text = String::new();
        for (name, &exponent) in names.iter().zip(&self.0) {
            match exponent {
                0 => {}
                1 => text.push_str(name),
                _ => text.push_str(&format!("{name}^{exponent}")),
            }
        }
        if text.is_empty() {
            text.push('1');
        }
        text
    }
}

impl std::fmt::Display for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.iter().all(|&exponent| exponent == 0) {
            return write!(f, "1");
        }
        for (g, &exponent) in self
            .0
            .iter()
            .enumerate()
            .filter(|&(_, &exponent)| exponent > 0)
        {
            write!(f, "{}", generator_name(g))?;
            if exponent > 1 {
                write!(f, "^{exponent}")?;
            }
        }
        Ok(())
    }
}

/// Returns for every element the last letter of its lex-least word.
///
/// Each entry has the element before it and the generator that leads on from there.
///
/// The identity leads to itself.
///
/// Cost: `O(n · g)` steps.
#[must_use]
pub fn lex_least_tree(monoid: &BipartiteMonoid) -> Vec<(Element, usize)> {
    let mut before: Vec<Option<(Element, usize)>> = vec![None; monoid.order()];
    let mut reached: Vec<Element> = vec![0];
    before[0] = Some((0, 0));
    // With the first g generators closed in lex order, multiples by generator g come in lex order
    // block by block: all words with one more g are greater than those with fewer, and keep the
    // order of the block before.
    for g in 0..monoid.generators() {
        let mut block = reached.clone();
        while !block.is_empty() {
            let mut next = Vec::new();
            for &x in &block {
                let y = monoid.act(x, g);
                if before[y as usize].is_none() {
                    before[y as usize] = Some((x, g));
                    next.push(y);
                }
            }
            reached.extend_from_slice(&next);
            block = next;
        }
    }
    before
        .into_iter()
        .map(|step| step.unwrap_or((0, 0)))
        .collect()
}

/// Returns the lex-least word of every element.
///
/// It is least in the exponent of the last generator, then of the one before, and so on.
///
/// Cost: `O(n · g)` steps and `n · g` numbers of memory.
///
/// ```
/// use misere_game::bipartite::families::tame;
/// use misere_game::monoid::word::lex_least_words;
/// let words = lex_least_words(&tame(2));
/// let mut words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
/// words.sort();
/// assert_eq!(words, ["1", "a", "ab", "ab^2", "b", "b^2"]);
/// ```
#[must_use]
pub fn lex_least_words(monoid: &BipartiteMonoid) -> Vec<Word> {
    Control::without_limit(|control| lex_least_words_within(monoid, control))
}

/// Returns the [`lex_least_words`], with a way to stop the work.
///
/// Cost: as without a limit; a tick for each number.
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub fn lex_least_words_within(
    monoid: &BipartiteMonoid,
    control: &mut Control,
) -> Result<Vec<Word>, Stop> {
    let generators = monoid.generators();
    control.spend((monoid.order() * (generators + 1)) as u64)?;
    let tree = lex_least_tree(monoid);
    let mut words: Vec<Option<Word>> = vec![None; monoid.order()];
    words[0] = Some(Word(vec![0; generators]));
    let mut open = Vec::new();
    for x in 0..monoid.order() as Element {
        // Go up to a word that is known, and down again, adding a letter at each step.
        let mut at = x;
        while words[at as usize].is_none() {
            open.push(at);
            at = tree[at as usize].0;
        }
        while let Some(next) = open.pop() {
            control.spend(generators as u64)?;
            let (before, g) = tree[next as usize];
            let mut word = words[before as usize].clone();
            if let Some(word) = &mut word {
                word.0[g] += 1;
            }
            words[next as usize] = word;
        }
    }
    Ok(words.into_iter().flatten().collect())
}

/// Returns the word of one element, read off a [`lex_least_tree`].
///
/// Cost: the number of letters of the word.
///
/// ```
/// use misere_game::bipartite::families::tame;
/// use misere_game::monoid::word::{Word, lex_least_tree, word_in_tree};
/// let t2 = tame(2);
/// let tree = lex_least_tree(&t2);
/// assert_eq!(word_in_tree(&tree, t2.product([(0, 1), (1, 4)]), 2), Word(vec![1, 2]));
/// ```
#[must_use]
pub fn word_in_tree(tree: &[(Element, usize)], mut x: Element, generators: usize) -> Word {
    let mut word = vec![0; generators];
    while x != 0 {
        let (before, g) = tree[x as usize];
        word[g] += 1;
        x = before;
    }
    Word(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_r8() {
        // ⟨a,b,c | a²=1, b³=b, bc=ab, c²=b²⟩ (Plambeck–Siegel, Figure 10), elements 1 a b ab b² ab²
        // c ac.
        let a = vec![1, 0, 3, 2, 5, 4, 7, 6];
        let b = vec![2, 3, 4, 5, 2, 3, 3, 2];
        let c = vec![6, 7, 3, 2, 5, 4, 4, 5];
        let r8 = BipartiteMonoid::new(8, vec![a, b, c], [1, 4]).unwrap();
        let words: Vec<String> = lex_least_words(&r8)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(words, ["1", "a", "b", "ab", "b^2", "ab^2", "c", "ac"]);
        assert!(r8.is_reduced());
    }
}
