//! The comparison of our solution of a game with the one that was printed.
//!
//! Presentations and words depend on generators, so quotients are compared up to isomorphism of
//! bipartite monoids *with* their pretending functions: there must be an isomorphism that maps our
//! value of every heap to the printed one. If there is none, the comparison searches for what
//! differs: the order, the size of P, the class, the period, or the values of single heaps.

use misere_game::bipartite::Element;
use misere_game::monoid::word::{Word, generator_name, lex_least_words};
use misere_game::solution::Solution;

use super::published_figures::Game;

/// The result of the comparison with the print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Every difference, with its reason; empty if the solutions are the same.
    pub differences: Vec<String>,
    /// The print's letters for our generators, if an isomorphism maps our solution to the print.
    pub letters: Option<Vec<(String, String)>>,
    /// The number of heaps that were printed and compared.
    pub heaps: u32,
}

impl Comparison {
    /// Compares a solution with the printed one.
    ///
    /// Cost: two canonical forms at most, and `O(n)` for every heap printed; where they differ,
    /// `O(n²)` for every pair of heaps.
    #[must_use]
    pub fn of(printed: &Game, ours: &Solution) -> Self {
        let mut differences = Vec::new();
        let (one, other) = (&ours.quotient, &printed.quotient);
        if let Some((period, _)) = ours.verdict.period() {
            if let Some(found) = printed.period.filter(|&printed| printed != period) {
                let reason = match found.is_multiple_of(period) {
                    true => "a multiple of ours, which is the least",
                    false => "ours is proved by a certificate",
                };
                differences.push(format!("period {found} printed, {period} here: {reason}"));
            }
        } else {
            differences.push("printed as solved; this census has no solution of it".to_owned());
        }
        let values = printed_values(printed);
        let pairs: Vec<(Element, Element)> = (1..)
            .zip(&values)
            .filter_map(|(heap, &theirs)| Some((ours.value(heap)?, theirs)))
            .collect();
        let map = one.isomorphism_extending(other, pairs.iter().copied());
        let heaps = pairs.len() as u32;
        if let Some(map) = map {
            let words = words(printed);
            let letters = (0..one.generators()).map(|g| {
                let image = map[one.act(0, g) as usize];
                (generator_name(g), words[image as usize].clone())
            });
            return Self {
                differences,
                letters: Some(letters.collect()),
                heaps,
            };
        }
        differences.extend(find_differences(printed, ours, &pairs));
        Self {
            differences,
            letters: None,
            heaps,
        }
    }
}

fn find_differences(printed: &Game, ours: &Solution, pairs: &[(Element, Element)]) -> Vec<String> {
    let (one, other) = (&ours.quotient, &printed.quotient);
    let mut differences = Vec::new();
    if one.order() != other.order() {
        differences.push(format!(
            "order {} printed, {} here (certificate)",
            other.order(),
            one.order()
        ));
    }
    if one.p_size() != other.p_size() {
        differences.push(format!(
            "{} elements of P printed, {} here (certificate)",
            other.p_size(),
            one.p_size()
        ));
    }
    if !differences.is_empty() {
        return differences;
    }
    // Perhaps a single heap is misprinted: with another value there an isomorphism exists, and such
    // values are reported as the correct ones.
    let words = words(printed);
    for (heap, &(here, there)) in pairs.iter().enumerate() {
        let fits = |value: Element| {
            let others = pairs.iter().enumerate().filter(|&(at, _)| at != heap);
            let pairs = others.map(|(_, &pair)| pair).chain([(here, value)]);
            one.isomorphism_extending(other, pairs).is_some()
        };
        let fitting = (0..other.order() as Element).filter(|&value| fits(value));
        let fitting: Vec<&str> = fitting
            .map(|value| words[value as usize].as_str())
            .collect();
        if !fitting.is_empty() {
            differences.push(format!(
                "at heap {} the print has {}; with all other heaps as printed it must be {}",
                heap + 1,
                words[there as usize],
                fitting.join(" or ")
            ));
        }
    }
    if differences.is_empty() {
        differences.push(match one.isomorphism(other) {
            None => "the quotients have the same order but are not isomorphic (ours by certificate)".to_owned(),
            Some(_) => "the quotients are isomorphic, but by no map that takes one pretending function to the other".to_owned(),
        });
    }
    differences
}

/// Returns the printed values as elements, up to the first that is not a word.
fn printed_values(printed: &Game) -> Vec<Element> {
    let elements = printed.values.iter().map_while(|text| {
        let word = printed.presentation.word(text).ok()?;
        Some(printed.quotient.product(word.0.iter().copied().enumerate()))
    });
    elements.collect()
}

/// Returns the elements of the printed quotient in its letters.
fn words(printed: &Game) -> Vec<String> {
    let names = printed.presentation.generators();
    let in_letters = |word: &Word| {
        let letters: String = names
            .iter()
            .zip(&word.0)
            .filter(|&(_, &count)| count > 0)
            .map(|(name, &count)| match count {
                1 => name.clone(),
                count => format!("{name}^{count}"),
            })
            .collect();
        if letters.is_empty() {
            "1".to_owned()
        } else {
            letters
        }
    };
    lex_least_words(&printed.quotient)
        .iter()
        .map(in_letters)
        .collect()
}

#[cfg(test)]
mod tests {
    use misere_engine::quotient::{Limits, Strategy, solve};
    use misere_game::control::Control;

    use super::*;
    use crate::facts::solutions::Library;

    fn solved(code: &str) -> Solution {
        let mut control = Control::new(20_000_000, Default::default());
        solve(
            &code.parse().unwrap(),
            &Limits::default(),
            Strategy::Exact,
            &mut control,
        )
    }

    fn printed(code: &str) -> Game {
        let library = Library::read().unwrap();
        let mut all = (2..=7).flat_map(|number| library.figure(number));
        all.find(|game| game.code.to_string() == code)
            .unwrap()
            .clone()
    }

    #[test]
    fn every_printed_solution_agrees_with_ours() {
        let library = Library::read().unwrap();
        for game in (2..=7).flat_map(|number| library.figure(number)) {
            let comparison = Comparison::of(game, &solved(&game.code.to_string()));
            assert_eq!(comparison.differences, [] as [&str; 0], "{}", game.code);
            assert_eq!(
                comparison.heaps as usize,
                game.values.len(),
                "{}",
                game.code
            );
        }
    }

    #[test]
    fn misprints_are_found() {
        let ours = solved("0.712");
        let mut print = printed("0.712");
        // As the scan has it.
        print.values[1] = "b".to_owned();
        let differences = Comparison::of(&print, &ours).differences;
        assert_eq!(differences.len(), 1, "{differences:?}");
        assert!(
            differences[0].starts_with("at heap 2 the print has b;")
                && differences[0].ends_with("must be ab")
        );

        let mut print = printed("0.712");
        print.period = Some(12);
        assert!(Comparison::of(&print, &ours).differences[0].contains("a multiple of ours"));
        let wrong = Comparison::of(&printed("0.34"), &ours).differences;
        assert!(
            wrong
                .iter()
                .any(|why| why.contains("order 12 printed, 14 here"))
        );
    }
}
