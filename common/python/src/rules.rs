//! Games: their moves, and the results computed from the moves alone.

use std::fmt::Write as _;

use misere_algebra::forms::Forms;
use misere_algebra::forms::heaps::HeapForms;
use misere_algebra::forms::sequence::genera;
use misere_engine::normal::{self, Ending};
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Stop};
use misere_game::outcome::{Convention, Move, Oracle};
use misere_game::position::Position;
use misere_game::ruleset::{Code, HeapList, digits_for_letters};
use pyo3::prelude::*;

use crate::errors::PackageError;
use crate::proved::{Claim, Origin};
use crate::simplest::{Genus, SimplestForm, genus_of};
use crate::watched::{self, Bounds};

/// The greatest number of options of a heap that are listed.
const MAX_OPTIONS: u64 = 1_000_000;
/// The greatest number of heaps of a position that is decided by the rules alone.
const MAX_HEAPS: u64 = 10_000;

/// A move: the size of a heap, and the heaps that replace it.
pub(crate) type WinningMove = (u32, Vec<u32>);

/// The period and the preperiod, if they are proved.
type Repeats = Option<(u32, u32)>;

/// The rules of a game.
#[pyclass(frozen, module = "misere._misere")]
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) code: Code,
}

#[pymethods]
impl Rules {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        let code = text
            .parse()
            .map_err(|error| PackageError::BadCode.says(error))?;
        Ok(Self { code })
    }

    /// Returns a letter of a code that looks like the digit 0 or 1, and the code with the digit.
    #[staticmethod]
    fn digits_for_letters(text: &str) -> Option<(char, String)> {
        let (letter, meant) = digits_for_letters(text)?;
        Some((letter, meant.to_string()))
    }

    /// Parses a text that lists the options of every heap.
    #[staticmethod]
    fn of_list(text: &str) -> PyResult<Self> {
        let list = HeapList::of_file(text).map_err(|error| PackageError::BadCode.says(error))?;
        Ok(Self { code: list.into() })
    }

    /// Returns the code as text.
    fn code(&self) -> String {
        self.code.to_string()
    }

    /// Returns the name in the literature.
    fn name(&self) -> Option<&'static str> {
        self.code.name()
    }

    /// Returns the rules in words.
    fn in_words(&self) -> String {
        misere_answers::rules::in_words(&self.code)
    }

    /// Returns the hash that codes of the same game share, as far as their digits show it.
    fn signature(&self, py: Python<'_>) -> String {
        let hash = py.detach(|| self.code.signature());
        hash.0.iter().fold(String::new(), |mut text, byte| {
            // Writing to a string does not fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    }

    /// Returns the number of the last heap of a finite game or a list.
    ///
    /// For a finite game it is the number of followers other than 0, for a list the last heap
    /// listed.
    fn last_heap(&self) -> Option<u32> {
        let finite = self.code.finite_game().map(|game| game.heaps());
        finite.or_else(|| self.code.heap_list().map(HeapList::heaps))
    }

    fn is_finite_game(&self) -> bool {
        self.code.finite_game().is_some()
    }

    /// Returns the follower of a finite game with this number.
    fn follower(&self, number: u32) -> PyResult<Option<String>> {
        let Some(game) = self.code.finite_game() else {
            return Ok(None);
        };
        self.check(number)?;
        Ok(Some(game.follower(number).to_string()))
    }

    fn is_live(&self, heap: u32) -> bool {
        self.code.is_live(heap)
    }

    /// Returns the options of a heap, each as the heaps that are left.
    fn options(&self, heap: u32) -> PyResult<Vec<Vec<u32>>> {
        self.check(heap)?;
        let most = self.code.most_options(heap);
        if most > MAX_OPTIONS {
            return Err(PackageError::TooLarge.says(format!(
                "the heap {heap} may have {most} options; at most {MAX_OPTIONS} are listed"
            )));
        }
        let options = self.code.options(heap);
        Ok(options
            .iter()
            .map(|option| option.parts().collect())
            .collect())
    }

    /// Returns the result of the engine, proved by the checker, and the guard that stopped it.
    #[pyo3(signature = (max_heap, max_order, evidence, classical, fuel, seconds, memory))]
    #[allow(clippy::too_many_arguments, reason = "they are the keywords of Python")]
    fn solve(
        &self,
        py: Python<'_>,
        max_heap: u32,
        max_order: u32,
        evidence: u64,
        classical: bool,
        fuel: u64,
        seconds: Option<f64>,
        memory: Option<u64>,
    ) -> PyResult<(Claim, Option<String>)> {
        let limits = Limits {
            max_heap,
            max_order,
            max_evidence: evidence,
            ..Limits::default()
        };
        let strategy = match classical {
            true => Strategy::Classical,
            false => Strategy::Exact,
        };
        let bounds = Bounds {
            fuel,
            seconds,
            memory,
        };
        let found = |control: &mut Control| solve(&self.code, &limits, strategy, control);
        let (solution, stopped_by) = watched::run(py, bounds, found)?;
        // Check without guards: an interrupted result is all there is.
        let unbounded = Bounds::fuel(u64::MAX);
        let claim = Claim::check(py, solution, Origin::Engine, unbounded)?;
        Ok((claim, stopped_by))
    }

    /// Returns the heaps of a written position, ascending, with the number of each.
    fn position(&self, text: &str) -> PyResult<Vec<(u32, u64)>> {
        let position = Position::parse(&self.code, text);
        let position = position.map_err(|error| PackageError::BadHeap.says(error))?;
        Ok(position.heaps().collect())
    }

    /// Returns the outcome of a position by the definition alone.
    #[pyo3(signature = (heaps, normal, fuel, seconds))]
    fn outcome(
        &self,
        py: Python<'_>,
        heaps: Vec<(u32, u64)>,
        normal: bool,
        fuel: u64,
        seconds: Option<f64>,
    ) -> PyResult<String> {
        let heaps = self.one_by_one(&heaps)?;
        let bounds = Bounds {
            seconds,
            ..Bounds::fuel(fuel)
        };
        let outcome = watched::finish(py, bounds, |control| {
            Oracle::new(&self.code, convention(normal)).outcome(&heaps, control)
        })?;
        Ok(outcome.to_string())
    }

    /// Returns all winning moves of a position by the definition alone.
    #[pyo3(signature = (heaps, normal, fuel, seconds))]
    fn winning_moves(
        &self,
        py: Python<'_>,
        heaps: Vec<(u32, u64)>,
        normal: bool,
        fuel: u64,
        seconds: Option<f64>,
    ) -> PyResult<Vec<WinningMove>> {
        let heaps = self.one_by_one(&heaps)?;
        let bounds = Bounds {
            seconds,
            ..Bounds::fuel(fuel)
        };
        let moves = watched::finish(py, bounds, |control| {
            Oracle::new(&self.code, convention(normal)).winning_moves(&heaps, control)
        })?;
        let plain = |Move { heap, option }: &Move| (*heap, option.parts().collect());
        Ok(moves.iter().map(plain).collect())
    }

    /// Returns nim-values from heap 0 on, with period and preperiod if they are proved.
    #[pyo3(signature = (max_heap, fuel, seconds))]
    fn nim_values(
        &self,
        py: Python<'_>,
        max_heap: u32,
        fuel: u64,
        seconds: Option<f64>,
    ) -> PyResult<(Vec<u32>, Repeats)> {
        let bounds = Bounds {
            seconds,
            ..Bounds::fuel(fuel)
        };
        let solve = |control: &mut Control| normal::solve(&self.code, max_heap, control);
        let (play, stopped_by) = watched::run(py, bounds, solve)?;
        match play.ending {
            Ending::Periodic(found) => Ok((play.nim_values, Some((found.period, found.preperiod)))),
            Ending::Exhausted(misere_game::solution::Limit::Fuel) => {
                Err(watched::fault(Stop::FuelSpent, bounds, None))
            }
            Ending::Exhausted(_) | Ending::Arithmetic(_) => Ok((play.nim_values, None)),
            Ending::Interrupted => Err(watched::fault(Stop::Interrupted, bounds, stopped_by)),
        }
    }

    /// Returns the genera of the heaps from 0 on, with period and preperiod if they are proved.
    #[pyo3(signature = (max_heap, fuel, seconds))]
    fn genera(
        &self,
        py: Python<'_>,
        max_heap: u32,
        fuel: u64,
        seconds: Option<f64>,
    ) -> PyResult<(Vec<Genus>, Repeats)> {
        let bounds = Bounds {
            seconds,
            ..Bounds::fuel(fuel)
        };
        let find = |control: &mut Control| genera(&self.code, max_heap, control);
        let (found, stopped_by) = watched::run(py, bounds, find)?;
        if let Some(stop) = found.stopped {
            return Err(watched::fault(stop, bounds, stopped_by));
        }
        let plain = found.heaps.iter().map(|heap| {
            let genus = &heap.genus;
            (genus.nim_value(), genus.to_string(), heap.class.to_string())
        });
        let period = found.period.map(|found| (found.period, found.preperiod));
        Ok((plain.collect(), period))
    }

    /// Returns the genus of a position.
    #[pyo3(signature = (heaps, fuel, seconds))]
    fn genus(
        &self,
        py: Python<'_>,
        heaps: Vec<(u32, u64)>,
        fuel: u64,
        seconds: Option<f64>,
    ) -> PyResult<Genus> {
        let heaps = self.one_by_one(&heaps)?;
        let bounds = Bounds {
            seconds,
            ..Bounds::fuel(fuel)
        };
        watched::finish(py, bounds, |control| {
            let mut forms = Forms::new();
            let form = HeapForms::new(&self.code).position(&heaps, &mut forms, control)?;
            Ok(genus_of(&forms, form))
        })
    }

    /// Returns the simplest form of a position.
    #[pyo3(signature = (heaps, fuel, seconds))]
    fn form(
        &self,
        py: Python<'_>,
        heaps: Vec<(u32, u64)>,
        fuel: u64,
        seconds: Option<f64>,
    ) -> PyResult<SimplestForm> {
        let heaps = self.one_by_one(&heaps)?;
        let bounds = Bounds {
            seconds,
            ..Bounds::fuel(fuel)
        };
        SimplestForm::of_position(py, &self.code, &heaps, bounds)
    }
}

impl Rules {
    /// Checks that the game has a heap.
    ///
    /// A finite game has its followers; a list has any heap, since a heap beyond the list is dead.
    pub(crate) fn check(&self, heap: u32) -> PyResult<()> {
        match self.code.finite_game().map(|game| game.heaps()) {
            Some(last) if heap > last => Err(PackageError::BadHeap.says(format!(
                "{} has no heap {heap}: its heaps have the numbers 0 to {last}",
                self.code
            ))),
            _ => Ok(()),
        }
    }

    fn one_by_one(&self, heaps: &[(u32, u64)]) -> PyResult<Vec<u32>> {
        let counts = heaps.iter().map(|&(_, copies)| copies);
        let count = counts.fold(0, u64::saturating_add);
        if count > MAX_HEAPS {
            return Err(PackageError::TooLarge.says(format!(
                "a position of {count} heaps is too large for the definition; at most {MAX_HEAPS} \
                 heaps are looked at"
            )));
        }
        let mut listed = Vec::new();
        for &(heap, copies) in heaps {
            self.check(heap)?;
            listed.extend((0..copies).map(|_| heap));
        }
        Ok(listed)
    }
}

fn convention(normal: bool) -> Convention {
    match normal {
        true => Convention::Normal,
        false => Convention::Misere,
    }
}
