//! The search for a presentation of an infinite quotient.
//!
//! A finder of [`Presentation`]s. The elements of the quotient are the functions that positions
//! leave: `F_u(z) = V(u + z)`. Equal functions get one number (`functions`), so that words are
//! compared at once. Words are examined in degree-lexicographic order; a word whose function is the
//! function of a lesser word gives a relation, if all its divisors are normal. The checker then
//! says whether the relations suffice ([`TotalEvidence::first_missing`]), or names two words of
//! equal value whose equality does not follow from them.

mod functions;

use std::collections::HashMap;

use rustc_hash::FxHashMap;

use functions::{Function, Functions};
use misere_check::infinite::FamilyCheckError;
use misere_check::infinite::whole::{PresentationCheckError, TotalEvidence};
use misere_game::control::{Control, Stop};
use misere_game::monoid::word::Word;
use misere_game::solution::diagram::DiagramFamily;
use misere_game::solution::presentation::{Presentation, Reach, Relation, compare, degree};

/// The greatest number of normal words that are kept.
const MAX_WORDS: usize = 100_000;
/// The number of degrees without a new relation before the checker is queried.
///
/// The checker decides whether the relations suffice.
const QUIET: u32 = 2;

/// Searches for relations between the letters of some evidence that present the quotient.
///
/// The relations are between words of at most `max_letters` letters.
///
/// If the relations are not known to suffice, the presentation is valid up to the degree to which
/// all words were examined. The result is a guess until [`TotalEvidence::check`] has proved it.
/// `share` is the fuel for each query whether the relations suffice.
///
/// Cost: normal words times letters, and the queries of the checker.
///
/// ```
/// use misere_game::control::Control;
/// use misere_engine::infinite::presentation::find;
/// use misere_engine::quotient::{Limits, Strategy, solve};
/// use misere_game::solution::presentation::Reach;
/// use misere_check::infinite::whole::TotalEvidence;
/// let (code, control) = ("0.31011".parse()?, &mut Control::unlimited());
/// let solution = solve(&code, &Limits::default(), Strategy::Exact, control);
/// let diagram = solution.evidence.ok_or("no evidence")?.as_diagram();
/// let whole = TotalEvidence::new(&code, 5, &diagram, control)?;
/// let found = find(&whole, 40, 50_000_000, control)?;
/// assert_eq!((found.relations.len(), found.reach), (17, Reach::All));
/// assert_eq!(whole.check(&found, control), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Stop`] if `control` ends it before words of one letter were examined.
pub fn find(
    whole: &TotalEvidence<'_>,
    max_letters: u32,
    share: u64,
    control: &mut Control,
) -> Result<Presentation, Stop> {
    let mut words = Words::new(whole.evidence(), control)?;
    let mut reached = 0;
    let mut wanted = 1;
    let mut quiet = 0;
    // The number of relations for which the checker could not decide whether they suffice.
    let mut undecided = None;
    while reached < max_letters && words.list.len() < MAX_WORDS {
        let before = words.relations.len();
        match words.longer(control) {
            Ok(()) => {}
            Err(stop) if reached == 0 => return Err(stop),
            Err(_) => {
                words.relations.truncate(before);
                break;
            }
        }
        reached += 1;
        quiet = match words.relations.len() > before {
            true => 0,
            false => quiet + 1,
        };
        let asked = undecided == Some(words.relations.len());
        if reached < wanted || quiet < QUIET || asked {
            continue;
        }
        let guess = words.presentation(Reach::All);
        match ask(whole, &guess, share, control)? {
            Answer::Enough => return Ok(guess),
            // The missing relations have at most this many letters.
            Answer::Missing(degree) => wanted = degree,
            Answer::Undecided => undecided = Some(words.relations.len()),
        }
    }
    Ok(words.presentation(Reach::Degree(reached)))
}

/// The answer of the checker whether relations suffice.
enum Answer {
    Enough,
    /// Two words of at most this many letters whose equality does not follow from the relations.
    Missing(u32),
    /// The check is too large.
    Undecided,
}

fn ask(
    whole: &TotalEvidence<'_>,
    guess: &Presentation,
    share: u64,
    control: &mut Control,
) -> Result<Answer, Stop> {
    match control.within(share, |control| whole.first_missing(guess, control)) {
        Ok(None) => Ok(Answer::Enough),
        Ok(Some(words)) => {
            let longest = words.iter().map(degree).max().unwrap_or(0);
            Ok(Answer::Missing(u32::try_from(longest).unwrap_or(u32::MAX)))
        }
        Err(PresentationCheckError::Evidence(FamilyCheckError::Unchecked(Stop::Interrupted))) => {
            Err(Stop::Interrupted)
        }
        Err(_) => Ok(Answer::Undecided),
    }
}

/// The normal words so far, with the functions that they leave.
struct Words {
    functions: Functions,
    letters: usize,
    list: Vec<(Word, Function)>,
    /// The place in the list where the words of the greatest degree begin.
    longest: usize,
    by_function: FxHashMap<Function, usize>,
    by_word: HashMap<Word, usize>,
    relations: Vec<Relation>,
}

impl Words {
    fn new(family: &DiagramFamily, control: &mut Control) -> Result<Self, Stop> {
        let functions = Functions::new(family, control)?;
        let letters = family.letters.len();
        let empty = Word(vec![0; letters]);
        let root = functions.root();
        Ok(Self {
            functions,
            letters,
            list: vec![(empty.clone(), root)],
            longest: 0,
            by_function: FxHashMap::from_iter([(root, 0)]),
            by_word: HashMap::from([(empty, 0)]),
            relations: Vec::new(),
        })
    }

    fn presentation(&self, reach: Reach) -> Presentation {
        Presentation {
            relations: self.relations.clone(),
            reach,
        }
    }

    /// Examines all words with one letter more.
    fn longer(&mut self, control: &mut Control) -> Result<(), Stop> {
        let mut minimal: Vec<(Word, usize, usize)> = Vec::new();
        for at in self.longest..self.list.len() {
            let word = &self.list[at].0;
            let last = word.0.iter().rposition(|&count| count > 0).unwrap_or(0);
            for letter in last..self.letters {
                control.spend(200 + 100 * self.letters as u64)?;
                let mut longer = word.clone();
                longer.0[letter] += 1;
                if self.divisors_are_normal(&longer) {
                    minimal.push((longer, at, letter));
                }
            }
        }
        minimal.sort_unstable_by(|(one, ..), (other, ..)| compare(one, other));
        self.longest = self.list.len();
        for (word, at, letter) in minimal {
            let function = self
                .functions
                .with_letter(self.list[at].1, letter, control)?;
            match self.by_function.get(&function) {
                Some(&lesser) => self.relations.push(Relation {
                    left: word,
                    right: self.list[lesser].0.clone(),
                }),
                None => {
                    self.by_function.insert(function, self.list.len());
                    self.by_word.insert(word.clone(), self.list.len());
                    self.list.push((word, function));
                }
            }
        }
        Ok(())
    }

    fn divisors_are_normal(&self, word: &Word) -> bool {
        let mut divisor = word.clone();
        (0..self.letters).all(|letter| {
            if divisor.0[letter] == 0 {
                return true;
            }
            divisor.0[letter] -= 1;
            let normal = self.by_word.contains_key(&divisor);
            divisor.0[letter] += 1;
            normal
        })
    }
}
