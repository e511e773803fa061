//! The tasks of a plan that are known from the start.
//!
//! Every code of the space is in exactly one task, as its representative or as an alias: codes of
//! the same [`Signature`] are the same game, and the least of them (without `d_0` if it has such a
//! code, then fewest digits) is the representative. Planning twice gives the same tasks in the same
//! order.
//!
//! The tasks that classify the misère quotients of a plan are made level by level, from the results
//! of the level before (module `levels` of the store).

use crate::{GameTask, Plan, Task};
use misere_game::ruleset::{Code, Signature};
use rayon::prelude::*;

/// Returns the tasks of a plan that are known from the start, in the order of granting.
///
/// Games in which a heap can be split come first: almost every long computation is among them, and
/// a long task at the very end would leave all workers but one idle. Within both halves tasks come
/// in ascending order of their codes.
///
/// Cost: one signature per code of the space, on all cores, and two sorts. This is the only place
/// where a whole space is held in memory: 28 bytes a code, half a GiB for eight digits. Tasks are
/// made one by one on demand.
///
/// ```
/// use misere_census::{Budget, Plan, Space};
/// let plan = Plan::new(Space::Octal { digits: 2 }, Budget::default())?;
/// let tasks = misere_census::plan::tasks(&plan);
/// assert_eq!(tasks.len(), 46);
/// let codes: usize = tasks.map(|task| task.as_game().map_or(0, |game| 1 + game.aliases.len())).sum();
/// assert_eq!(codes, 71);
/// # Ok::<(), misere_census::PlanError>(())
/// ```
#[must_use]
pub fn tasks(plan: &Plan) -> Tasks {
    let members = members(plan);
    let same_game = |one: &Member, other: &Member| one.game() == other.game();
    Tasks {
        left: members.chunk_by(same_game).count(),
        plan: plan.clone(),
        members: members.into_iter().peekable(),
    }
}

/// The tasks of a plan, one after the other.
///
/// Tasks that `skip` and `step_by` leave out are not made.
#[derive(Clone, Debug)]
pub struct Tasks {
    plan: Plan,
    members: std::iter::Peekable<std::vec::IntoIter<Member>>,
    left: usize,
}

impl Tasks {
    /// Returns the representative code of the next game; its other codes go to `aliases`.
    fn next_game(&mut self, mut aliases: impl FnMut(Member)) -> Option<Member> {
        let first = self.members.next()?;
        while let Some(other) = self.members.next_if(|member| member.game() == first.game()) {
            aliases(other);
        }
        self.left = self.left.saturating_sub(1);
        Some(first)
    }
}

impl Iterator for Tasks {
    type Item = Task;

    fn next(&mut self) -> Option<Task> {
        let mut others = Vec::new();
        let first = self.next_game(|other| others.push(other))?;
        // Places are positions of codes in the space.
        let listing = self.plan.space().listing();
        let code = listing.code(first.place())?;
        let aliases = others
            .iter()
            .filter_map(|other| listing.code(other.place()));
        let aliases = aliases.collect();
        Some(Task::Game(GameTask {
            code,
            aliases,
            budget: self.plan.budget(),
        }))
    }

    fn nth(&mut self, passed_over: usize) -> Option<Task> {
        for _ in 0..passed_over {
            self.next_game(|_| ())?;
        }
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Tasks {}

/// A code of the space with its game, in one number.
///
/// The number ascends in the order of tasks, and within a task in the order of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Member(u64);

/// The bit that is set in members of games in which no heap can be split.
const LATE: u64 = 1 << 63;

impl Member {
    /// Returns the code at `place`, of the game whose least code is at `least`.
    ///
    /// Both are less than 2^31.
    fn new(is_late: bool, least: u32, place: u32) -> Self {
        let late = if is_late { LATE } else { 0 };
        Self(late | u64::from(least) << 32 | u64::from(place))
    }

    fn game(self) -> u64 {
        self.0 >> 32
    }

    fn place(self) -> u64 {
        self.0 & u64::from(u32::MAX)
    }
}

/// Returns the codes of the space, with the codes of a game side by side and the least first.
fn members(plan: &Plan) -> Vec<Member> {
    let listing = plan.space().listing();
    // No space has 2^31 codes.
    let count = u32::try_from(listing.count()).unwrap_or(u32::MAX);
    let code = |place: u32| listing.code(place.into());
    let named = (0..count).into_par_iter().map(|place| {
        let signature = code(place).map(|code| beginning(&code.signature()));
        let [a, b, c, d] = signature.unwrap_or_default();
        [a, b, c, d, place]
    });
    let mut named: Vec<[u32; 5]> = named.collect();
    named.par_sort_unstable();
    let mut members: Vec<Member> = Vec::with_capacity(named.len());
    for game in named.chunk_by(|one, other| one[..4] == other[..4]) {
        let Some(&[.., least]) = game.first() else {
            continue;
        };
        let is_late = code(least).is_some_and(|code: Code| code.max_parts() < 2);
        let places = game.iter().map(|&[.., place]| place);
        members.extend(places.map(|place| Member::new(is_late, least, place)));
    }
    drop(named);
    members.par_sort_unstable();
    members
}

/// Returns the first half of a signature.
///
/// Among 2^25 codes two that differ agree in 128 bits by a chance of 2^-79.
fn beginning(signature: &Signature) -> [u32; 4] {
    let (words, _) = signature.0.as_chunks::<4>();
    let mut beginning = [0; 4];
    for (to, word) in beginning.iter_mut().zip(words) {
        *to = u32::from_be_bytes(*word);
    }
    beginning
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Space};
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn tasks_are_disjoint_and_cover_the_space() {
        let octal = (1..=3).map(|digits| Space::Octal { digits });
        let hexadecimal = (1..=2).map(|digits| Space::Hexadecimal { digits });
        let others = hexadecimal.chain([
            Space::Subtraction { most: 6 },
            Space::Quaternary { digits: 4 },
            Space::BornByFive { late: 2 },
        ]);
        for space in octal.chain(others) {
            let plan = Plan::new(space, Budget::default()).unwrap();
            let tasks: Vec<Task> = tasks(&plan).collect();
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
            assert_eq!(tasks.len(), super::tasks(&plan).len());
            for step in [1, 3, tasks.len(), tasks.len() + 1] {
                let some = super::tasks(&plan).skip(1).step_by(step);
                assert!(some.eq(tasks.iter().skip(1).step_by(step).cloned()));
            }
            assert!(tasks.into_iter().eq(super::tasks(&plan)));
        }
    }

    /// Returns the tasks by their definition, with a whole signature and every code in memory.
    fn plainly(plan: &Plan) -> Vec<Task> {
        let mut games: BTreeMap<Signature, Vec<Code>> = BTreeMap::new();
        for code in plan.space().codes() {
            games.entry(code.signature()).or_default().push(code);
        }
        let mut games: Vec<Vec<Code>> = games.into_values().collect();
        games.sort_by_key(|codes| (codes[0].max_parts() < 2, codes[0].clone()));
        let tasks = games.into_iter().map(|mut codes| {
            let code = codes.remove(0);
            Task::game(code, codes, plan.budget())
        });
        tasks.collect()
    }

    /// A census is named by its tasks and their order, so both must stay as they are.
    #[test]
    fn tasks_made_one_by_one_agree_with_the_definition() {
        for digits in 1..=4 {
            let plan = Plan::new(Space::Octal { digits }, Budget::default()).unwrap();
            assert!(plainly(&plan).into_iter().eq(tasks(&plan)));
        }
    }

    /// The names of all tasks, in their order, equal those of earlier releases.
    #[test]
    fn names_of_tasks_are_frozen() {
        let named = |space| {
            let plan = Plan::new(space, Budget::default()).unwrap();
            let mut names = blake3::Hasher::new();
            tasks(&plan).for_each(|task| {
                names.update(&task.id().0);
            });
            names.finalize().to_hex()[..16].to_owned()
        };
        assert_eq!(named(Space::Octal { digits: 4 }), "0635714b8ff432e6");
    }

    #[test]
    fn the_simplest_code_represents_the_game() {
        let codes = ["0.137", "0.07", "0.77"].map(|code| code.parse().unwrap());
        let plan = Plan::new(Space::Codes(codes.to_vec()), Budget::default()).unwrap();
        let tasks: Vec<Task> = tasks(&plan).collect();
        assert_eq!(tasks.len(), 2);
        let first = tasks[0].as_game().unwrap();
        assert_eq!(first.code.to_string(), "0.07");
        assert_eq!(first.aliases[0].to_string(), "0.137");
    }
}
