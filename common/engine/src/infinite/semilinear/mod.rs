//! The search for linear conditions that describe the P-positions of an infinite quotient.
//!
//! For each state at which the digits begin, some counts of the digits are examined. A decision
//! tree over linear forms and remainders is grown (`tree`) that describes their outcomes; its
//! leaves are the cells, whose conditions are dropped as far as the outcomes allow (`cells`). The
//! checker then proves the cells, or names counts for which they are wrong
//! ([`TotalEvidence::misplaced`]); these counts are added to the sample, and a new tree is grown.

mod cells;
mod tree;

use misere_check::infinite::FamilyCheckError;
use misere_check::infinite::whole::TotalEvidence;
use misere_game::control::{Control, Stop};
use misere_game::outcome::Outcome;
use misere_game::solution::diagram::DiagramFamily;
use misere_game::solution::semilinear::{Cell, Region};
use tree::Question;

/// The number of trees that are grown for one state with one set of questions.
const MAX_TREES: usize = 24;
/// The greatest number of cells of one state.
const MAX_CELLS: usize = 2_000;
/// The greatest difference between counts for which the cells were wrong and others examined.
const NEAR: i64 = 1;
/// All counts below this number are examined for two digits at a time.
const WIDE: i64 = 20;
/// The greatest number of small counts that are examined.
const MAX_SMALL_COUNTS: usize = 40_000;

/// Searches for cells of counts that describe the P-positions, for all states of the digits.
///
/// These are the states at which the digits begin.
///
/// The result is `None` if none were found for some state.
///
/// The result is a guess until [`TotalEvidence::check_regions`] has proved it, although every
/// region was proved once on the way.
///
/// Cost: states times trees; a tree costs examined counts times questions times its depth.
///
/// ```
/// use misere_game::control::Control;
/// use misere_engine::infinite::semilinear::find;
/// use misere_engine::quotient::{Limits, Strategy, solve};
/// use misere_check::infinite::whole::TotalEvidence;
/// let (code, control) = ("0.31011".parse()?, &mut Control::unlimited());
/// let solution = solve(&code, &Limits::default(), Strategy::Exact, control);
/// let diagram = solution.evidence.ok_or("no evidence")?.as_diagram();
/// let whole = TotalEvidence::new(&code, 5, &diagram, control)?;
/// let regions = find(&whole, control)?.ok_or("no conditions")?;
/// assert_eq!(whole.check_regions(&regions, control), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub fn find(whole: &TotalEvidence<'_>, control: &mut Control) -> Result<Option<Vec<Region>>, Stop> {
    let family = whole.evidence();
    let questions = Question::of_digits(family.digits.len());
    let mut regions: Vec<Region> = Vec::new();
    'states: for state in whole.starts() {
        for region in &mut regions {
            if proved(whole, state, &region.cells, control)? == Answer::Proved {
                region.states.push(state);
                continue 'states;
            }
        }
        let Some(cells) = cells_of(whole, state, &questions, control)? else {
            return Ok(None);
        };
        regions.push(Region {
            states: vec![state],
            cells,
        });
    }
    Ok(Some(regions))
}

/// Returns the cells of one state, tried with more and more questions.
fn cells_of(
    whole: &TotalEvidence<'_>,
    state: u32,
    questions: &[Vec<Question>],
    control: &mut Control,
) -> Result<Option<Vec<Cell>>, Stop> {
    let family = whole.evidence();
    let mut sample = Sample::new(family.digits.len());
    for questions in questions {
        for _ in 0..MAX_TREES {
            let looked_at = sample.counts();
            let costs = looked_at.len() * questions.len() / 4;
            control.spend(costs as u64)?;
            let outcomes: Vec<bool> = looked_at
                .iter()
                .map(|counts| is_p(family, state, counts))
                .collect();
            let Some(tree) = tree::grow(&looked_at, &outcomes, questions) else {
                break;
            };
            let cells = cells::general(&tree.cells(questions), &looked_at, &outcomes);
            if cells.len() > MAX_CELLS {
                break;
            }
            match proved(whole, state, &cells, control)? {
                Answer::Proved => return Ok(Some(cells)),
                Answer::Wrong(counts) => sample.widen(&counts),
                Answer::TooLarge => break,
            }
        }
    }
    Ok(None)
}

#[derive(PartialEq, Eq)]
enum Answer {
    Proved,
    Wrong(Vec<u64>),
    TooLarge,
}

fn proved(
    whole: &TotalEvidence<'_>,
    state: u32,
    cells: &[Cell],
    control: &mut Control,
) -> Result<Answer, Stop> {
    match whole.misplaced(state, cells, control) {
        Ok(None) => Ok(Answer::Proved),
        Ok(Some(counts)) => Ok(Answer::Wrong(counts)),
        Err(FamilyCheckError::Unchecked(stop)) => Err(stop),
        Err(_) => Ok(Answer::TooLarge),
    }
}

/// Reports whether counts are a P-position, read from a state.
fn is_p(family: &DiagramFamily, state: u32, counts: &[i64]) -> bool {
    let mut state = &family.states[state as usize];
    let mut rest = counts.to_vec();
    while rest.iter().any(|&count| count > 0) {
        let bits = rest.iter().enumerate();
        let bits: usize = bits.map(|(digit, x)| ((x & 1) as usize) << digit).sum();
        state = &family.states[state.next[bits] as usize];
        rest.iter_mut().for_each(|count| *count >>= 1);
    }
    state.outcome == Some(Outcome::P)
}

/// The counts that are examined: all small ones, and some greater ones.
struct Sample {
    digits: usize,
    /// All counts below this number are examined.
    small: i64,
    others: Vec<Vec<i64>>,
}

impl Sample {
    fn new(digits: usize) -> Self {
        let small = match digits {
            0 => 1,
            1 => 64,
            2 => 28,
            3 => 13,
            4 => 8,
            _ => 4,
        };
        let steps = match digits {
            0..=2 => [0, 1, 2, 17, 30, 31, 40, 63].as_slice(),
            3 | 4 => &[0, 1, 17, 40],
            _ => &[0, 17],
        };
        let mut others = products(steps, digits);
        others.extend(near_planes(digits));
        Self {
            digits,
            small,
            others,
        }
    }

    fn counts(&self) -> Vec<Vec<i64>> {
        let mut counts = products(&(0..self.small).collect::<Vec<_>>(), self.digits);
        counts.extend(self.others.iter().cloned());
        counts.sort_unstable();
        counts.dedup();
        counts
    }

    /// Adds counts to the sample for which the cells were wrong.
    ///
    /// It also adds the counts near them, some multiples, and the next small ones.
    fn widen(&mut self, counts: &[u64]) {
        let at: Vec<i64> = counts
            .iter()
            .map(|&count| count.min(1 << 40) as i64)
            .collect();
        let near: Vec<i64> = (-NEAR..=NEAR).collect();
        for shift in products(&near, at.len()) {
            let shifted: Vec<i64> = at.iter().zip(&shift).map(|(x, y)| x + y).collect();
            if shifted.iter().all(|&count| count >= 0) {
                self.others.push(shifted);
            }
        }
        let multiples = (2..5).map(|times| at.iter().map(|count| count * times).collect());
        self.others.extend(multiples);
        let next = usize::try_from(self.small + 1).unwrap_or(usize::MAX);
        if next.saturating_pow(self.digits as u32) <= MAX_SMALL_COUNTS {
            self.small += 1;
        }
    }
}

/// Returns counts of three or more digits, all but two of them very small.
fn near_planes(digits: usize) -> Vec<Vec<i64>> {
    let mut near = Vec::new();
    if digits < 3 {
        return near;
    }
    let pairs = products(&(0..WIDE).collect::<Vec<_>>(), 2);
    for (one, other) in (0..digits).flat_map(|one| (0..one).map(move |other| (one, other))) {
        for rest in products(&[0, 1], digits - 2) {
            for pair in &pairs {
                let mut counts = rest.clone();
                counts.insert(other, pair[0]);
                counts.insert(one, pair[1]);
                near.push(counts);
            }
        }
    }
    near
}

/// Returns all lists of `length` numbers of a set.
fn products(set: &[i64], length: usize) -> Vec<Vec<i64>> {
    (0..length).fold(vec![Vec::new()], |lists, _| {
        let longer = |list: &Vec<i64>| {
            let list = list.clone();
            set.iter()
                .map(move |&number| [list.clone(), vec![number]].concat())
        };
        lists.iter().flat_map(longer).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_hold_small_and_great_counts() {
        assert_eq!(Sample::new(0).counts(), vec![Vec::<i64>::new()]);
        let mut sample = Sample::new(3);
        let counts = sample.counts();
        assert!(counts.contains(&vec![12, 0, 12]) && counts.contains(&vec![40, 17, 1]));
        assert!(!counts.contains(&vec![13, 5, 2]) && !counts.contains(&vec![70, 1, 29]));
        sample.widen(&[71, 0, 30]);
        let counts = sample.counts();
        assert!(counts.contains(&vec![13, 5, 2]) && counts.contains(&vec![70, 1, 29]));
    }
}
