//! A solution in words: quotient, P-portion and pretending function.

use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::monoid::readable::Readable;
use misere_game::monoid::word::lex_least_words;
use misere_game::solution::{Solution, Stages};

/// A solution in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolvedGame {
    /// The order of the quotient.
    pub order: u32,
    /// The number of elements in its P-portion.
    pub p_size: u32,
    /// The names of its generators.
    pub generators: Vec<String>,
    /// The relations of its reduced confluent presentation.
    pub relations: Vec<String>,
    /// The P-portion.
    pub p_portion: Vec<String>,
    /// The pretending function: words of heaps 1, 2, …, to the end of the first full period or to
    /// the last heap stored.
    pub values: Vec<String>,
    /// The period of the pretending function; `None` for a game that is tame relative to a heap.
    pub period: Option<u32>,
    /// The heap from which on the values repeat.
    pub preperiod: u32,
    /// The continuation of the values, if they do not simply repeat.
    pub note: Option<String>,
    /// The isomorphism class of the quotient.
    pub class: ClassKey,
    /// Its name, if it has one.
    pub name: Option<String>,
}

impl SolvedGame {
    /// Writes a solution in words.
    ///
    /// Cost: words and presentation, `O(n · g²)` for order `n` and `g` generators.
    #[must_use]
    pub fn of(solution: &Solution) -> Self {
        let readable = Readable::of(&solution.quotient);
        let quotient = on(&solution.quotient, &readable.generators);
        let words = lex_least_words(&quotient);
        let (period, periodic_from) = solution.verdict.period().unzip();
        let tame_from = solution.verdict.tame_from();
        let preperiod = (periodic_from.or(tame_from)).unwrap_or_else(|| solution.heaps());
        let last = match period {
            Some(period) => preperiod.max(1) + period - 1,
            None => preperiod + SHOWN_BEYOND,
        };
        let values = solution.phi.iter().skip(1).take(last as usize);
        Self {
            order: quotient.order() as u32,
            p_size: quotient.p_size() as u32,
            generators: readable.names(),
            relations: readable.relations.iter().map(ToString::to_string).collect(),
            p_portion: readable.p_portion.iter().map(ToString::to_string).collect(),
            values: values.map(|&x| words[x as usize].to_string()).collect(),
            period,
            preperiod,
            note: tame_from.map(|heap| beyond_heap(solution, heap)),
            class: solution.class(),
            name: quotient.known_name(),
        }
    }
}

/// Presents the monoid on some of its generators if they generate it, otherwise on all.
fn on(monoid: &BipartiteMonoid, generators: &[usize]) -> BipartiteMonoid {
    let rows = generators.iter().map(|&g| monoid.row(g).to_vec());
    BipartiteMonoid::new(monoid.order(), rows.collect(), monoid.p_portion().iter())
        .unwrap_or_else(|_| monoid.clone())
}

/// The number of heaps shown beyond the heap to which a game is tame.
const SHOWN_BEYOND: u32 = 24;

fn beyond_heap(solution: &Solution, heap: u32) -> String {
    let mut note =
        format!("tame relative to heap {heap}: from there on misère play is normal play");
    if let Some(tail) = solution.tail {
        if let Some(nim) = tail.nim_period {
            note.push_str(&format!(
                ", whose nim-values have period {} from heap {} on (proved)",
                nim.period, nim.preperiod
            ));
        }
        note.push_str(&match tail.stages {
            Stages::Known(0) => "; the quotient is that of the whole game".to_owned(),
            Stages::Known(k) => {
                format!("; the quotient of the whole game is the tame extension T^{k}(Q)")
            }
            Stages::AtLeast(k) => {
                format!("; the quotient of the whole game is T^k(Q) with k at least {k}, open")
            }
        });
    }
    note
}
