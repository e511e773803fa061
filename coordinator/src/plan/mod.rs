//! Which tasks make up a plan?
//!
//! Every code of the space stands in exactly one task, as its representative or as an alias: codes of the same
//! [`Signature`] are the same game, and the least of them (without `d_0` if it has such a code, then fewest digits) stands for all. Planning twice gives the
//! same tasks in the same order.
//!
//! The tasks that classify the misère quotients of a plan are made level by level, from what came of the level before
//! ([`crate::store::levels`]).

use misere_census::{Game, Plan, Task};
use misere_theory::ruleset::{Code, Signature};
use rayon::prelude::*;

/// The tasks of a plan that are known from the start, in the order in which they are to be handed out.
///
/// Games in which a heap can be split come first: almost every long computation is among them, and a long task at the
/// very end would leave all workers but one idle. Within both halves tasks come in ascending order of their codes.
///
/// Cost: one signature per code of the space, on all cores; this is the only place where a whole space is held in memory (a
/// code and a hash each).
///
/// ```
/// use misere_census::{Budget, Plan, Space};
/// let plan = Plan::new(Space::Octal { digits: 2 }, Budget::default())?;
/// let tasks = misere_coordinator::plan::tasks(&plan);
/// let games = tasks.iter().filter_map(|task| task.as_game());
/// let codes: usize = games.map(|game| 1 + game.aliases.len()).sum();
/// assert_eq!(codes, 71);
/// # Ok::<(), misere_census::PlanError>(())
/// ```
#[must_use]
pub fn tasks(plan: &Plan) -> Vec<Task> {
    let codes = plan.space().codes().into_par_iter();
    let mut codes: Vec<(Signature, Code)> = codes.map(|code| (code.signature(), code)).collect();
    codes.par_sort_unstable();
    let mut games: Vec<Game> = codes
        .chunk_by(|one, other| one.0 == other.0)
        .filter_map(|game| {
            let mut codes = game.iter().map(|(_, code)| code.clone());
            let code = codes.next()?;
            Some(Game {
                code,
                aliases: codes.collect(),
                budget: plan.budget(),
            })
        })
        .collect();
    games.sort_by(|one, other| {
        let order = |game: &Game| game.code.max_parts() < 2;
        order(one)
            .cmp(&order(other))
            .then_with(|| one.code.cmp(&other.code))
    });
    games.into_iter().map(Task::Game).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use misere_census::{Budget, Space};
    use std::collections::BTreeSet;

    #[test]
    fn tasks_are_disjoint_and_cover_the_space() {
        for digits in 1..=3 {
            let plan = Plan::new(Space::Octal { digits }, Budget::default()).unwrap();
            let tasks = tasks(&plan);
            let mut seen = BTreeSet::new();
            for task in tasks.iter().filter_map(Task::as_game) {
                for code in std::iter::once(&task.code).chain(&task.aliases) {
                    assert!(seen.insert(code.clone()), "{code} twice");
                    assert_eq!(code.signature(), task.code.signature());
                }
                assert!(task.aliases.iter().all(|alias| *alias > task.code));
            }
            assert_eq!(seen.into_iter().collect::<Vec<_>>(), plan.space().codes());
            let names: BTreeSet<_> = tasks.iter().map(Task::id).collect();
            assert_eq!(names.len(), tasks.len());
            assert_eq!(tasks, super::tasks(&plan));
        }
    }

    #[test]
    fn the_simplest_code_stands_for_the_game() {
        let codes = ["0.137", "0.07", "0.77"].map(|code| code.parse().unwrap());
        let plan = Plan::new(Space::Codes(codes.to_vec()), Budget::default()).unwrap();
        let tasks = tasks(&plan);
        assert_eq!(tasks.len(), 2);
        let first = tasks[0].as_game().unwrap();
        assert_eq!(first.code.to_string(), "0.07");
        assert_eq!(first.aliases[0].to_string(), "0.137");
    }
}
