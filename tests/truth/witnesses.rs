//! The truth about a code.
//!
//! There are two witnesses, neither of which is the census: the rules ([`crate::truth::rules`]),
//! and the solution of this very code, computed here. The first surface compares the second witness
//! with the first.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use misere_algebra::forms::classes::HeapClasses;
use misere_census::Budget;
use misere_engine::quotient::solve;
use misere_game::bipartite::families::tame;
use misere_game::bipartite::multiplication::Multiplication;
use misere_game::bipartite::{BipartiteMonoid, ClassKey, Element};
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::{Partial, Solution, Verdict};

use crate::support::process::document;
use crate::truth::compared::Surface;
use crate::truth::plan::Census;
use crate::truth::rules;

/// The numbers of heaps whose nim-values are computed by the recurrence: for games whose heaps
/// split in two, and in three.
const NIM_HEAPS: [u32; 2] = [700, 60];

/// The greatest heap whose misère nim-value is computed by the definition.
pub(crate) const MISERE_HEAPS: u32 = 12;

/// The greatest heap whose genus is computed, enough for the heap numbers of every surface.
const GENUS_HEAPS: u32 = 21;

/// Fuel for these genera: enough for all but games whose heaps split in three.
const GENUS_FUEL: u64 = 2_000_000;

/// Codes for which the command itself is run.
const RUN: [&str; 8] = [
    "0.77", "4.4", "0.074", "0.041", "0.07", "4.44", "0.337", "0.3F",
];

/// A code with the truth about it.
pub(crate) struct Truth {
    pub(crate) code: Code,
    pub(crate) solution: Solution,
    /// The small positions, with whether each is a P-position: from the rules.
    pub(crate) positions: Vec<(Vec<u32>, bool)>,
    /// Nim-values by the recurrence.
    pub(crate) nim_values: Vec<u32>,
    /// The first heap to [`MISERE_HEAPS`] that is not tame, by the definitions.
    pub(crate) first_not_tame: Option<u32>,
    /// The classes of the heaps of this code by their genera.
    pub(crate) classes: HeapClasses,
    /// The fuel that the plan allowed.
    fuel: u64,
}

impl Truth {
    /// Solves a code within the budget of the plan; a little more fuel makes up for other heap
    /// numbers.
    pub(crate) fn of(code: &Code, budget: Budget) -> Self {
        let mut control = Control::new(budget.fuel + budget.fuel / 10, Interrupt::default());
        let heaps = NIM_HEAPS[usize::from(code.max_parts() > 2)];
        Self {
            solution: solve(code, &budget.limits, budget.strategy, &mut control),
            positions: rules::outcomes(code),
            nim_values: rules::nim_values(code, heaps),
            first_not_tame: rules::first_not_tame(code, MISERE_HEAPS),
            classes: HeapClasses::of(
                code,
                GENUS_HEAPS,
                &mut Control::new(GENUS_FUEL, Interrupt::default()),
            ),
            code: code.clone(),
            fuel: budget.fuel,
        }
    }

    pub(crate) fn heaps(&self) -> u32 {
        self.solution.heaps()
    }

    /// Returns period and preperiod.
    pub(crate) fn period(&self) -> Option<(u32, u32)> {
        match self.solution.verdict {
            Verdict::Solved { period, preperiod } => Some((period, preperiod)),
            _ => None,
        }
    }

    pub(crate) fn diverges_at(&self) -> Option<u32> {
        match self.solution.verdict {
            Verdict::Diverges { heap, .. } => Some(heap),
            _ => None,
        }
    }

    pub(crate) fn tame_relative(&self) -> Option<u32> {
        match self.solution.verdict {
            Verdict::TameRelative { heap } => Some(heap),
            _ => None,
        }
    }

    /// Returns the heap from which on partial quotients grow in a pattern, and its period.
    pub(crate) fn growth(&self) -> Option<(u32, u32)> {
        match self.solution.verdict {
            Verdict::Grows { start, period } => Some((start, period)),
            _ => None,
        }
    }

    /// Returns the number of heaps after which the law of the game repeats.
    pub(crate) fn law_period(&self) -> Option<u32> {
        self.solution.law().map(|law| law.period)
    }

    /// Returns the number of states of the automaton that decides the game.
    pub(crate) fn automaton_states(&self) -> Option<u32> {
        let automaton = self.solution.automaton();
        automaton.map(|automaton| automaton.heap.len() as u32)
    }

    /// Returns the period with which the words of all heaps of the game repeat.
    pub(crate) fn all_heaps_period(&self) -> Option<u32> {
        self.solution.all_heaps().map(|all| all.period)
    }

    /// Returns the heaps that are proved to have only distinct multiples.
    pub(crate) fn distinct_multiples(&self) -> Vec<u32> {
        let evidence = self.solution.evidence.as_ref();
        evidence.map_or_else(Vec::new, |evidence| evidence.distinct_multiples().to_vec())
    }

    pub(crate) fn status(&self) -> &'static str {
        match self.solution.verdict {
            Verdict::Solved { .. } => "solved",
            Verdict::TameRelative { .. } => "tame-relative",
            Verdict::Diverges { .. } if self.solution.all_heaps().is_some() => "solved",
            Verdict::Diverges { .. } if self.solution.evidence.is_some() => "infinite",
            Verdict::Diverges { .. } => "diverges",
            Verdict::Grows { .. } if self.solution.solved_by().is_some() => "solved",
            Verdict::Grows { .. } => "grows",
            Verdict::Exhausted(_) => "exhausted",
            Verdict::Interrupted => "interrupted",
        }
    }

    /// Reports whether a census may give a code this status.
    ///
    /// It is the true one, or less was found with all of the fuel.
    pub(crate) fn is_status(&self, said: &str) -> bool {
        let spent = self.solution.fuel >= self.fuel - self.fuel / 10;
        match (said, self.status()) {
            (said, truth) if said == truth => true,
            ("exhausted" | "grows", "exhausted" | "grows" | "diverges" | "tame-relative") => spent,
            // With less fuel fewer heaps are known, on which a law or an automaton may not be seen.
            ("exhausted" | "grows", "solved") => spent && self.solution.solved_by().is_some(),
            ("diverges", "infinite") => spent,
            _ => false,
        }
    }

    /// Reports whether the census has to know exactly as many heaps.
    pub(crate) fn is_settled(&self) -> bool {
        let goes_on = matches!(self.solution.verdict, Verdict::Grows { .. });
        !goes_on && self.status() != "exhausted"
    }

    /// Returns the changes of the partial quotient to a heap.
    pub(crate) fn partials_to(&self, heap: u32) -> Vec<Partial> {
        let partials = self.solution.partials.iter();
        partials.filter(|at| at.heap <= heap).copied().collect()
    }

    /// Returns order and size of the P-portion of the partial quotient to a heap.
    pub(crate) fn sizes_at(&self, heap: u32) -> (u32, u32) {
        let last = self.partials_to(heap).pop();
        last.map_or((1, 0), |at| (at.order, at.p_size))
    }

    /// Returns the first heap with a wild partial quotient: none of `T_0`, `T_1`, `T_2`, …
    pub(crate) fn wild_from(&self, to: u32) -> Option<u32> {
        static TAME: OnceLock<Vec<ClassKey>> = OnceLock::new();
        let tame = TAME.get_or_init(|| (0..9).map(|n| tame(n).class_key()).collect());
        let partials = self.partials_to(to);
        let first = partials.iter().find(|at| !tame.contains(&at.class));
        first.map(|at| at.heap)
    }

    /// Returns the value of a heap, as far as it is known.
    pub(crate) fn value(&self, heap: u32) -> Option<Element> {
        value(&self.solution, heap)
    }

    /// Reports whether a heap alone is a P-position, as far as that is known.
    pub(crate) fn is_p(&self, heap: u32) -> Option<bool> {
        let value = self.value(heap)?;
        Some(self.solution.quotient.in_p(value))
    }
}

/// Returns the value of a heap in a solution, as far as it is known.
pub(crate) fn value(solution: &Solution, heap: u32) -> Option<Element> {
    let at = match solution.verdict {
        Verdict::Solved { period, preperiod } if heap as usize >= solution.phi.len() => {
            preperiod + (heap - preperiod) % period
        }
        _ => heap,
    };
    solution.phi.get(at as usize).copied()
}

/// Returns the small positions whose outcome a monoid and values of heaps get wrong.
///
/// Only positions whose heaps have values are tried.
pub(crate) fn refuted(
    truth: &Truth,
    monoid: &BipartiteMonoid,
    value: impl Fn(u32) -> Option<Element>,
) -> (usize, Vec<Vec<u32>>) {
    let products = Multiplication::new(monoid);
    let mut rows: BTreeMap<Element, Vec<Element>> = BTreeMap::new();
    let mut tried = 0;
    let mut wrong = Vec::new();
    for (position, is_p) in &truth.positions {
        let values: Option<Vec<Element>> = position.iter().map(|&heap| value(heap)).collect();
        let Some(values) = values else { continue };
        let product = values.into_iter().fold(0, |x, y| {
            let row = rows.entry(y).or_insert_with(|| products.row(y));
            row[x as usize]
        });
        tried += 1;
        if monoid.in_p(product) != *is_p {
            wrong.push(position.clone());
        }
    }
    (tried, wrong)
}

/// Compares a solution claimed for a code with the truth about it: outcomes, and Φ up to
/// isomorphism.
pub(crate) fn judge_solution(surface: &mut Surface, truth: &Truth, said: &Solution) {
    let code = &truth.code;
    surface.same(code, "whose solution", &said.code, code);
    let (tried, wrong) = refuted(truth, &said.quotient, |heap| value(said, heap));
    surface.holds(
        code,
        "outcomes of sums",
        wrong.is_empty() && tried > 0,
        || {
            format!(
                "{} of {tried} are wrong, such as {:?}",
                wrong.len(),
                wrong.first()
            )
        },
    );
    let known = said.heaps().min(truth.heaps());
    if said.quotient.order() == truth.solution.quotient.order() {
        let why = different(said, &truth.solution, known);
        surface.holds(code, "Φ up to isomorphism", why.is_none(), || {
            why.unwrap_or_default()
        });
    }
}

/// Returns why two pretending functions to a heap differ, even up to isomorphism, if they do.
fn different(said: &Solution, truth: &Solution, known: u32) -> Option<String> {
    let products = Multiplication::new(&said.quotient);
    let rows: Vec<Vec<Element>> = truth
        .generator_heaps
        .iter()
        .map(|&heap| Some(products.row(value(said, heap)?)))
        .collect::<Option<_>>()?;
    let mut image: Vec<Option<Element>> = vec![None; truth.quotient.order()];
    image[0] = Some(0);
    let mut open: Vec<Element> = vec![0];
    while let Some(x) = open.pop() {
        let at = image[x as usize]?;
        if truth.quotient.in_p(x) != said.quotient.in_p(at) {
            return Some("an element is in P and its image is not".to_owned());
        }
        for (g, row) in rows.iter().enumerate() {
            let (y, to) = (truth.quotient.act(x, g), row[at as usize]);
            match image[y as usize] {
                None => {
                    image[y as usize] = Some(to);
                    open.push(y);
                }
                Some(other) if other != to => return Some("products differ".to_owned()),
                Some(_) => {}
            }
        }
    }
    let wrong = (0..=known).find(|&heap| {
        let true_value = value(truth, heap).and_then(|x| image[x as usize]);
        true_value != value(said, heap)
    });
    wrong.map(|heap| format!("heap {heap} has another value"))
}

/// Judges the solutions themselves by the rules, and for some codes the command.
pub(crate) fn judge(census: &Census) -> Vec<Surface> {
    let mut solved = Surface::new("the solutions, by the rules", 3);
    for truth in &census.truths {
        judge_solution(&mut solved, truth, &truth.solution);
    }
    let mut command = Surface::new("misere solve CODE", 5);
    let (fuel, evidence) = (census.budget.fuel, census.budget.limits.max_evidence);
    let (fuel, evidence) = ((fuel + fuel / 10).to_string(), evidence.to_string());
    for truth in RUN.iter().filter_map(|code| census.truth(code)) {
        let text = truth.code.to_string();
        let args = [
            "solve",
            &text,
            "--json",
            "--fuel",
            &fuel,
            "--evidence",
            &evidence,
        ];
        let said = match truth.status() {
            "exhausted" => continue,
            _ => document(&args),
        };
        crate::truth::record::judge_heaps(&mut command, truth, &said);
        crate::truth::certificates::judge_document(&mut command, truth, said);
    }
    vec![solved, command]
}
