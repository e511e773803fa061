//! Decision trees that describe the outcomes of some counts.

use misere_game::solution::semilinear::{Cell, Condition};

/// The greatest sum of the absolute coefficients of a linear form, by the set of questions.
///
/// The first is for the first questions, the others are for all questions, with few and with many
/// digits.
const MAX_FIRST_COEFFICIENT: i64 = 2;
const MAX_COEFFICIENT_FEW_DIGITS: i64 = 4;
const MAX_COEFFICIENT_MANY_DIGITS: i64 = 3;
/// The greatest depth of a tree.
const MAX_DEPTH: usize = 60;
/// The least improvement for which a question is preferred to an earlier, simpler one.
///
/// The impurity that it leaves must be less by this amount.
const MIN_IMPROVEMENT: f64 = 1e-3;

/// A number that is queried.
///
/// A form is compared with a bound; a remainder has a branch for each of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// The value of a linear form.
    Form(Vec<i64>),
    /// The remainder of a count.
    Remainder { digit: usize, modulus: i64 },
}

impl Question {
    /// Returns sets of questions about `digits` digits, simple ones first.
    pub(super) fn of_digits(digits: usize) -> Vec<Vec<Self>> {
        let remainders = |moduli: &[i64]| -> Vec<Self> {
            let of_modulus =
                |&modulus: &i64| (0..digits).map(move |digit| Self::Remainder { digit, modulus });
            moduli.iter().flat_map(of_modulus).collect()
        };
        let forms = |most| forms(digits, most).into_iter().map(Self::Form);
        let most = if digits <= 3 {
            MAX_COEFFICIENT_FEW_DIGITS
        } else {
            MAX_COEFFICIENT_MANY_DIGITS
        };
        let sets = [
            (&[2][..], MAX_FIRST_COEFFICIENT),
            (&[2], most),
            (&[4], most),
            (&[2, 3], most),
        ];
        let set = |(moduli, most)| remainders(moduli).into_iter().chain(forms(most)).collect();
        sets.map(set).to_vec()
    }

    fn answer(&self, counts: &[i64]) -> i64 {
        match self {
            Self::Form(form) => form.iter().zip(counts).map(|(x, y)| x * y).sum(),
            Self::Remainder { digit, modulus } => counts[*digit] % modulus,
        }
    }
}

/// Returns the linear forms with a sum of absolute coefficients of at most `limit`, in order of it.
///
/// Their first coefficient is positive, and their coefficients have no common divisor.
fn forms(digits: usize, limit: i64) -> Vec<Vec<i64>> {
    let coefficients: Vec<i64> = (-limit..=limit).collect();
    let size = |form: &Vec<i64>| form.iter().map(|x| x.abs()).sum::<i64>();
    let wanted = |form: &Vec<i64>| {
        let first = form.iter().find(|&&x| x != 0);
        let divisor = form
            .iter()
            .fold(0, |x, y| greatest_common_divisor(x, y.abs()));
        first.is_some_and(|&x| x > 0) && divisor == 1 && size(form) <= limit
    };
    let mut forms = super::products(&coefficients, digits);
    forms.retain(wanted);
    forms.sort_by_key(|form| (size(form), form.iter().filter(|&&x| x != 0).count()));
    forms
}

fn greatest_common_divisor(mut x: i64, mut y: i64) -> i64 {
    while y > 0 {
        (x, y) = (y, x % y);
    }
    x
}

/// A tree that assigns an outcome to all counts.
pub(super) enum Tree {
    Outcome(bool),
    /// A question, given by its place in the set, with a branch for each possible answer.
    Ask {
        question: usize,
        branches: Vec<(Answer, Tree)>,
    },
}

/// An answer that leads along a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Below(i64),
    AtLeast(i64),
    Is(i64),
}

impl Answer {
    fn holds_of(self, number: i64) -> bool {
        match self {
            Self::Below(bound) => number < bound,
            Self::AtLeast(bound) => number >= bound,
            Self::Is(value) => number == value,
        }
    }
}

/// Grows a tree of the outcomes; `None` if the questions do not separate them.
pub(super) fn grow(counts: &[Vec<i64>], is_p: &[bool], questions: &[Question]) -> Option<Tree> {
    let answers = |question: &Question| -> Vec<i64> {
        counts
            .iter()
            .map(|counts| question.answer(counts))
            .collect()
    };
    let grower = Grower {
        questions,
        answers: questions.iter().map(answers).collect(),
        is_p,
    };
    grower.grow((0..counts.len()).collect(), MAX_DEPTH)
}

struct Grower<'a> {
    questions: &'a [Question],
    /// The answers to each question.
    answers: Vec<Vec<i64>>,
    is_p: &'a [bool],
}

impl Grower<'_> {
    fn grow(&self, some: Vec<usize>, deep: usize) -> Option<Tree> {
        let p = some.iter().filter(|&&number| self.is_p[number]).count();
        if p == 0 || p == some.len() {
            return Some(Tree::Outcome(p > 0));
        }
        let (question, answers) = self.best(&some, p).filter(|_| deep > 0)?;
        let branch = |answer: Answer| {
            let of_answer = |number: &&usize| answer.holds_of(self.answers[question][**number]);
            let some = some.iter().filter(of_answer).copied().collect();
            Some((answer, self.grow(some, deep - 1)?))
        };
        Some(Tree::Ask {
            question,
            branches: answers.into_iter().map(branch).collect::<Option<_>>()?,
        })
    }

    /// Returns the best question for some counts.
    ///
    /// It is a remainder that differs among them; otherwise the form with the bound that leaves the
    /// least (Gini) impurity.
    ///
    /// Remainders come first because the outcomes of the known games repeat along every line;
    /// between equal remainders few bounds are enough.
    fn best(&self, some: &[usize], p: usize) -> Option<(usize, Vec<Answer>)> {
        let mut best: Option<(f64, usize, i64)> = None;
        for (number, question) in self.questions.iter().enumerate() {
            match question {
                Question::Remainder { modulus, .. } => {
                    let answers = &self.answers[number];
                    if some.iter().any(|&other| answers[other] != answers[some[0]]) {
                        return Some((number, (0..*modulus).map(Answer::Is).collect()));
                    }
                }
                Question::Form(_) => {
                    if let Some((rest, bound)) = self.best_bound(number, some, p) {
                        let rest = rest / some.len() as f64;
                        if best.is_none_or(|(least, _, _)| rest + MIN_IMPROVEMENT < least) {
                            best = Some((rest, number, bound));
                        }
                    }
                }
            }
        }
        best.map(|(_, question, bound)| {
            (question, vec![Answer::Below(bound), Answer::AtLeast(bound)])
        })
    }

    fn best_bound(&self, question: usize, some: &[usize], p: usize) -> Option<(f64, i64)> {
        let answers = &self.answers[question];
        let mut sorted: Vec<(i64, bool)> = some
            .iter()
            .map(|&number| (answers[number], self.is_p[number]))
            .collect();
        sorted.sort_unstable();
        let mut best: Option<(f64, i64)> = None;
        let mut p_below = 0;
        for (below, pair) in sorted.windows(2).enumerate() {
            p_below += usize::from(pair[0].1);
            if pair[0].0 == pair[1].0 {
                continue;
            }
            let rest = impurity(below + 1, p_below) + impurity(some.len() - below - 1, p - p_below);
            if best.is_none_or(|(least, _)| rest < least) {
                best = Some((rest, pair[1].0));
            }
        }
        best
    }
}

fn impurity(all: usize, p: usize) -> f64 {
    (p * (all - p)) as f64 / all as f64
}

impl Tree {
    /// Returns the leaves of P-positions, with the conditions on the way to each.
    pub(super) fn cells(&self, questions: &[Question]) -> Vec<Cell> {
        let mut cells = Vec::new();
        self.collect(questions, &mut Vec::new(), &mut cells);
        cells
    }

    fn collect(
        &self,
        questions: &[Question],
        way: &mut Vec<(usize, Answer)>,
        cells: &mut Vec<Cell>,
    ) {
        match self {
            Self::Outcome(false) => {}
            Self::Outcome(true) => cells.push(conditions(way, questions)),
            Self::Ask { question, branches } => {
                for (answer, branch) in branches {
                    way.push((*question, *answer));
                    branch.collect(questions, way, cells);
                    way.pop();
                }
            }
        }
    }
}

/// Returns the conjunction of the answers on a way, as conditions.
fn conditions(way: &[(usize, Answer)], questions: &[Question]) -> Cell {
    let mut cell = Vec::new();
    for (number, question) in questions.iter().enumerate() {
        let answers = || {
            way.iter()
                .filter(|asked| asked.0 == number)
                .map(|asked| asked.1)
        };
        let at_least = answers().filter_map(|answer| match answer {
            Answer::AtLeast(bound) => Some(bound),
            _ => None,
        });
        let below = answers().filter_map(|answer| match answer {
            Answer::Below(bound) => Some(bound),
            _ => None,
        });
        match question {
            Question::Form(form) => {
                cell.extend(at_least.max().map(|at_least| Condition::AtLeast {
                    form: form.clone(),
                    at_least,
                }));
                cell.extend(below.min().map(|below| Condition::AtLeast {
                    form: form.iter().map(|x| -x).collect(),
                    at_least: 1 - below,
                }));
            }
            &Question::Remainder { digit, modulus } => {
                cell.extend(answers().find_map(|answer| match answer {
                    Answer::Is(remainder) => Some(Condition::Remainder {
                        digit: digit as u32,
                        remainder: remainder as u32,
                        modulus: modulus as u32,
                    }),
                    _ => None,
                }));
            }
        }
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_simple_first() {
        let forms = forms(2, 2);
        assert_eq!(
            forms,
            [[0, 1], [1, 0], [1, -1], [1, 1]].map(|form| form.to_vec())
        );
        assert!(super::forms(2, 4).contains(&vec![1, -2]));
        assert!(!super::forms(2, 4).contains(&vec![2, -2]));
    }

    /// A tree gives the outcomes it was grown from, and follows the same rule elsewhere.
    #[test]
    fn trees_reproduce_outcomes() {
        let rule = |x: i64, y: i64| (x - y >= 3 && x % 2 == 0) || y == 1;
        let counts = super::super::products(&(0..20).collect::<Vec<_>>(), 2);
        let is_p: Vec<bool> = counts.iter().map(|xy| rule(xy[0], xy[1])).collect();
        let questions = &Question::of_digits(2)[0];
        let cells = grow(&counts, &is_p, questions).unwrap().cells(questions);
        for (x, y) in [(100, 1), (100, 97), (101, 2), (100, 98), (7, 50)] {
            let said = cells
                .iter()
                .any(|cell| cell.iter().all(|asked| asked.holds(&[x, y])));
            assert_eq!(said, rule(x, y), "{x}, {y}: {cells:?}");
        }
    }

    #[test]
    fn inseparable_outcomes_have_no_tree() {
        let counts = vec![vec![0], vec![8]];
        let only_even = [Question::Remainder {
            digit: 0,
            modulus: 2,
        }];
        assert!(grow(&counts, &[true, false], &only_even).is_none());
    }
}
