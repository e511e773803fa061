//! Another code of the same game, with its own heap numbers.
//!
//! Dawson's Kayles is computed as `0.4`, the least code of the game. Its own code `0.07` is an
//! alias: every heap is one smaller, so a fact about the heap of 35 in `0.4` holds for the heap of
//! 34 in `0.07`. An alias keeps the renumbering, and the facts that the renumbering alone does not
//! give.

use std::fmt;

use misere_check::same_game::{Difference, Original};
use misere_engine::quotient::renumbered_by;
use misere_game::ruleset::{Code, Renumbering};
use misere_game::solution::{Partial, Solution, Tail, Verdict};
use serde::{Deserialize, Serialize};

use crate::{AllHeapsFacts, AutomatonFacts, Record};

/// A further code of a game, with the facts that depend on how its heaps are numbered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alias {
    /// The code.
    pub code: Code,
    /// The correspondence from the heaps of the representative code to the heaps of this one.
    pub renumbering: Renumbering,
    /// The claim beyond the heaps listed, in the heap numbers of this code.
    pub verdict: Verdict,
    /// The greatest heap of this code to which the pretending function is proved.
    pub heaps: u32,
    /// The continuation of a game that is tame relative to a heap, in this code's heap numbers.
    pub tail: Option<Tail>,
    /// The numbers of the automaton that reads the heaps of this code.
    ///
    /// On disk it comes after the record, as the record's own automaton does.
    #[serde(skip)]
    pub automaton: Option<AutomatonFacts>,
    /// The repetition of the words of all heaps, in the heap numbers of this code.
    ///
    /// On disk it comes after the record, as the record's own repetition does.
    #[serde(skip)]
    pub all_heaps: Option<AllHeapsFacts>,
}

/// A code that was named as an alias of another and is not shown to be the same game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{alias} is not shown to be the same game as {code}, so it cannot be its alias")]
pub struct AliasError {
    /// The representative code of the game.
    pub code: Code,
    /// The code that was named as an alias.
    pub alias: Code,
    /// The difference that the checker found.
    #[source]
    pub difference: Difference,
}

impl Alias {
    /// Returns the aliases of a game that has this solution, one for each further code.
    ///
    /// Cost: linear in the heaps of the solution, and the cost of [`Original::check`], for each of
    /// them; the heaps of the first code are listed once.
    ///
    /// ```
    /// use misere_census::Alias;
    /// use misere_game::control::Control;
    /// use misere_engine::quotient::{Limits, Strategy, solve};
    /// // Dawson's Kayles 0.07 is 0.4 with every heap one smaller. To heap 20 both are finite.
    /// let limits = Limits { max_heap: 20, ..Limits::default() };
    /// let solution = solve(&"0.4".parse()?, &limits, Strategy::Exact, &mut Control::unlimited());
    /// let alias = &Alias::each(&solution, &["0.07".parse()?])?[0];
    /// assert_eq!((alias.to_string().as_str(), alias.heaps), ("0.07 (-1)", 19));
    /// assert!(Alias::each(&solution, &["0.77".parse()?]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`AliasError`] for the first code with a difference that the checker finds.
    pub fn each(solution: &Solution, codes: &[Code]) -> Result<Vec<Self>, AliasError> {
        let mut original = Original::new(&solution.code);
        let aliases = codes.iter();
        aliases
            .map(|code| Self::of(&mut original, solution, code))
            .collect()
    }

    /// Creates an alias with the heaps of the first code at hand.
    ///
    /// The checker proves that the codes are the same game ([`Original`]): no code becomes an alias
    /// only because a plan merged codes by their signatures.
    fn of(
        original: &mut Original<'_>,
        solution: &Solution,
        code: &Code,
    ) -> Result<Self, AliasError> {
        let renumbering = Renumbering::by_rank(&solution.code, code);
        let checked = original.check(code, &renumbering);
        checked.map_err(|difference| AliasError {
            code: solution.code.clone(),
            alias: code.clone(),
            difference,
        })?;
        let renumbered = renumbered_by(solution, code, renumbering.clone());
        Ok(Self {
            code: code.clone(),
            renumbering,
            verdict: renumbered.verdict,
            heaps: renumbered.heaps(),
            tail: renumbered.tail,
            automaton: AutomatonFacts::of(&renumbered),
            all_heaps: AllHeapsFacts::of(&renumbered),
        })
    }
}

/// The form with the mark of the renumbering after the code: `4.4 (+1)`.
impl fmt::Display for Alias {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.renumbering.mark() {
            Some(mark) => write!(f, "{} ({mark})", self.code),
            None => self.code.fmt(f),
        }
    }
}

impl Record {
    /// Returns the record with the heap numbers of one of its codes; `None` if it lacks the code.
    ///
    /// Every heap number of the result is one of the game under that name. Its aliases are the
    /// other codes, each with the renumbering from this name to it.
    ///
    /// Cost: a copy of the record.
    ///
    /// ```
    /// use misere_census::{Budget, Record, Task};
    /// use misere_game::control::Control;
    /// use misere_engine::quotient::{Limits, Strategy, solve};
    /// let limits = Limits { max_heap: 20, ..Limits::default() };
    /// let solution = solve(&"0.4".parse()?, &limits, Strategy::Exact, &mut Control::unlimited());
    /// let task = Task::game("0.4".parse()?, vec!["0.07".parse()?], Budget::default());
    /// let record = Record::new(task.as_game().ok_or("a game")?, &solution)?;
    /// let named = record.under(&"0.07".parse()?).ok_or("an alias")?;
    /// assert_eq!((record.heaps, named.heaps), (20, 19));
    /// assert_eq!(record.under(&"0.77".parse()?), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn under(&self, name: &Code) -> Option<Self> {
        if *name == self.code {
            return Some(self.clone());
        }
        let named = self.aliases.iter().find(|alias| alias.code == *name)?;
        let back = named.renumbering.inverse();
        let others = self.aliases.iter().filter(|alias| alias.code != *name);
        let others = others.map(|alias| Alias {
            renumbering: back.then(&alias.renumbering),
            ..alias.clone()
        });
        let first = self.as_alias(back.clone());
        let aliases = std::iter::once(first).chain(others).collect();
        Some(Self {
            aliases,
            ..self.renumbered(named)
        })
    }

    /// Returns the record under each of its aliases in turn.
    ///
    /// The representative code is the only other code of each of them.
    ///
    /// Cost: a copy of the record without aliases for each of them. Calling [`under`](Self::under)
    /// for each code would take time with the square of their number.
    ///
    /// ```
    /// use misere_census::{Budget, Record, Task};
    /// use misere_game::control::Control;
    /// use misere_engine::quotient::{Limits, Strategy, solve};
    /// let limits = Limits { max_heap: 20, ..Limits::default() };
    /// let solution = solve(&"0.4".parse()?, &limits, Strategy::Exact, &mut Control::unlimited());
    /// let task = Task::game("0.4".parse()?, vec!["0.07".parse()?], Budget::default());
    /// let record = Record::new(task.as_game().ok_or("a game")?, &solution)?;
    /// let each: Vec<Record> = record.under_aliases().collect();
    /// assert_eq!(each, [record.under(&"0.07".parse()?).ok_or("an alias")?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn under_aliases(&self) -> impl Iterator<Item = Self> {
        self.aliases.iter().map(|named| Self {
            aliases: vec![self.as_alias(named.renumbering.inverse())],
            ..self.renumbered(named)
        })
    }

    /// Returns the record under some of its aliases in turn, without the other codes as aliases.
    ///
    /// Cost: a copy of the record without aliases for each of them.
    pub fn under_some<'a>(
        &self,
        some: impl Iterator<Item = &'a Alias>,
    ) -> impl Iterator<Item = Self> {
        some.map(|named| self.renumbered(named))
    }

    /// Returns the representative code as an alias of another code, to which `renumbering` leads.
    fn as_alias(&self, renumbering: Renumbering) -> Alias {
        Alias {
            code: self.code.clone(),
            renumbering,
            verdict: self.verdict,
            heaps: self.heaps,
            tail: self.tail,
            automaton: self.automaton,
            all_heaps: self.all_heaps,
        }
    }

    /// Returns the record with the code and the heap numbers of an alias, without other aliases.
    fn renumbered(&self, named: &Alias) -> Self {
        let partial = |partial: &Partial| {
            let heap = named.renumbering.heap(partial.heap)?;
            Some(Partial { heap, ..*partial })
        };
        let distinct = self.distinct_multiples.iter();
        Self {
            code: named.code.clone(),
            aliases: Vec::new(),
            verdict: named.verdict,
            heaps: named.heaps,
            tail: named.tail,
            automaton: named.automaton,
            all_heaps: named.all_heaps,
            // The heap is a letter of the evidence, so every code has it.
            infinite_later: self
                .infinite_later
                .and_then(|heap| named.renumbering.heap(heap)),
            partials: self.partials.iter().filter_map(partial).collect(),
            distinct_multiples: distinct
                .filter_map(|&heap| named.renumbering.heap(heap))
                .collect(),
            ..*self
        }
    }
}
