//! Games in simplest form.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use misere_algebra::forms::contexts::ContextGoal;
use misere_algebra::forms::heaps::HeapForms;
use misere_algebra::forms::notation::{GameText, table_string};
use misere_algebra::forms::{Form, Forms};
use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;
use pyo3::prelude::*;

use crate::errors::PackageError;
use crate::watched::{self, Bounds};

/// A nim-value, a genus, and a class.
pub(crate) type Genus = (u32, String, String);

/// A context of two games: the form, whether it is the least, and the genera of the two sums.
type Context = (SimplestForm, bool, Genus, Genus);

/// A shelf of forms, shared by those that were made together.
type Shelf = Arc<Mutex<Forms>>;

/// Returns the genus of a form, and its class.
pub(crate) fn genus_of(forms: &Forms, form: Form) -> Genus {
    let genus = forms.genus(form);
    let class = forms.class(form).to_string();
    (genus.nim_value(), genus.to_string(), class)
}

/// A game in simplest form.
#[pyclass(frozen, module = "misere._misere")]
#[derive(Debug)]
pub(crate) struct SimplestForm {
    shelf: Shelf,
    form: Form,
}

#[pymethods]
impl SimplestForm {
    /// Parses a form: a heap of a code, a finite game, a string of the tables, or a sum.
    #[staticmethod]
    #[pyo3(signature = (text, fuel, seconds))]
    fn of_text(py: Python<'_>, text: &str, fuel: u64, seconds: Option<f64>) -> PyResult<Self> {
        let text: GameText = text
            .parse()
            .map_err(|error| PackageError::BadCode.says(error))?;
        Self::on_a_new_shelf(py, bounds(fuel, seconds), |forms, control| {
            text.form(forms, control)
        })
    }

    /// Returns the form in braces, if it has few enough followers and characters.
    fn written(&self) -> Option<String> {
        self.shelf()
            .game(self.form)
            .ok()
            .map(|game| game.to_string())
    }

    /// Returns the form in the notation of the papers' tables, if they have one for it.
    fn table_string(&self) -> Option<String> {
        let game = self.shelf().game(self.form).ok();
        game.as_ref().and_then(table_string)
    }

    fn birthday(&self) -> u32 {
        self.shelf().birthday(self.form)
    }

    fn genus(&self) -> Genus {
        genus_of(&self.shelf(), self.form)
    }

    fn outcome(&self) -> String {
        self.shelf().outcome(self.form).to_string()
    }

    fn options(&self) -> Vec<Self> {
        let shelf = self.shelf();
        let options = shelf.options(self.form).iter().rev();
        options.map(|&form| self.beside(form)).collect()
    }

    /// Returns the number of followers, including the game itself.
    fn followers(&self, py: Python<'_>) -> PyResult<usize> {
        let unlimited = bounds(u64::MAX, None);
        self.computed(py, unlimited, |forms, form, control| {
            forms.followers(&[form], control).map(|found| found.len())
        })
    }

    /// Reports whether two games are equal in misère play.
    fn equals(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        if self.genus() != other.genus() || self.birthday() != other.birthday() {
            return Ok(false);
        }
        let unlimited = bounds(u64::MAX, None);
        let (_, [one, other]) = self.together(py, other, unlimited, |_, forms, _| Ok(forms))?;
        Ok(one == other)
    }

    #[pyo3(signature = (other, fuel, seconds))]
    fn sum(&self, py: Python<'_>, other: &Self, fuel: u64, seconds: Option<f64>) -> PyResult<Self> {
        let bounds = bounds(fuel, seconds);
        let (shelf, form) = self.together(py, other, bounds, |forms, [one, other], control| {
            forms.sum(one, other, control)
        })?;
        Ok(Self { shelf, form })
    }

    /// Returns Conway's mate of the game.
    #[pyo3(signature = (fuel, seconds))]
    fn mate(&self, py: Python<'_>, fuel: u64, seconds: Option<f64>) -> PyResult<Self> {
        let mate = self.computed(py, bounds(fuel, seconds), Forms::mate)?;
        Ok(self.beside(mate))
    }

    /// Returns the pairs of games whose sum, or sum with `*`, is this one.
    #[pyo3(signature = (fuel, seconds))]
    fn parts(
        &self,
        py: Python<'_>,
        fuel: u64,
        seconds: Option<f64>,
    ) -> PyResult<Vec<(Self, Self)>> {
        let parts = self.computed(py, bounds(fuel, seconds), Forms::parts)?;
        let pair = |(one, other)| (self.beside(one), self.beside(other));
        Ok(parts.into_iter().map(pair).collect())
    }

    #[pyo3(signature = (fuel, seconds))]
    fn is_half_tame(&self, py: Python<'_>, fuel: u64, seconds: Option<f64>) -> PyResult<bool> {
        self.computed(py, bounds(fuel, seconds), Forms::is_half_tame)
    }

    /// Reports whether the two are linked, with a game that distinguishes and one that links them.
    #[pyo3(signature = (other, fuel, seconds))]
    fn compared(
        &self,
        py: Python<'_>,
        other: &Self,
        fuel: u64,
        seconds: Option<f64>,
    ) -> PyResult<(bool, Option<Context>, Option<Context>)> {
        let compare = |forms: &mut Forms, [g, h]: [Form; 2], control: &mut Control| {
            let are_linked = forms.are_linked(g, h);
            let mut context = |wanted, is_sought: bool| {
                let found = match is_sought {
                    true => forms.context(g, h, wanted, control)?,
                    false => None,
                };
                let Some((found, least)) = found else {
                    return Ok(None);
                };
                let sums = [forms.sum(g, found, control)?, forms.sum(h, found, control)?];
                let [one, other] = sums.map(|sum| genus_of(forms, sum));
                Ok(Some((found, least, one, other)))
            };
            let apart = context(ContextGoal::ToTellApart, g != h)?;
            let link = context(ContextGoal::ToLink, are_linked)?;
            Ok((are_linked, apart, link))
        };
        let bounds = bounds(fuel, seconds);
        let (shelf, (are_linked, apart, link)) = self.together(py, other, bounds, compare)?;
        let on_shelf = |(form, least, one, other)| {
            let shelf = Arc::clone(&shelf);
            (Self { shelf, form }, least, one, other)
        };
        Ok((are_linked, apart.map(on_shelf), link.map(on_shelf)))
    }
}

impl SimplestForm {
    /// Returns the form of a position of a code.
    pub(crate) fn of_position(
        py: Python<'_>,
        code: &Code,
        heaps: &[u32],
        bounds: Bounds,
    ) -> PyResult<Self> {
        Self::on_a_new_shelf(py, bounds, |forms, control| {
            HeapForms::new(code).position(heaps, forms, control)
        })
    }

    fn on_a_new_shelf(
        py: Python<'_>,
        bounds: Bounds,
        make: impl FnOnce(&mut Forms, &mut Control) -> Result<Form, Stop> + Send,
    ) -> PyResult<Self> {
        let (forms, form) = watched::finish(py, bounds, |control| {
            let mut forms = Forms::new();
            let form = make(&mut forms, control)?;
            Ok((forms, form))
        })?;
        let shelf = Arc::new(Mutex::new(forms));
        Ok(Self { shelf, form })
    }

    /// Returns another form of the same shelf.
    fn beside(&self, form: Form) -> Self {
        let shelf = Arc::clone(&self.shelf);
        Self { shelf, form }
    }

    /// Locks the shelf; forms that a failed computation has left there are still correct.
    fn shelf(&self) -> MutexGuard<'_, Forms> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Computes something from the form on its own shelf.
    fn computed<T: Send>(
        &self,
        py: Python<'_>,
        bounds: Bounds,
        work: impl FnOnce(&mut Forms, Form, &mut Control) -> Result<T, Stop> + Send,
    ) -> PyResult<T> {
        watched::finish(py, bounds, |control| {
            work(&mut self.shelf(), self.form, control)
        })
    }

    /// Computes something from two forms, on a new shelf.
    ///
    /// No two shelves are locked at once, so that threads that compare the same forms do not wait
    /// for one another.
    fn together<T: Send>(
        &self,
        py: Python<'_>,
        other: &Self,
        bounds: Bounds,
        work: impl FnOnce(&mut Forms, [Form; 2], &mut Control) -> Result<T, Stop> + Send,
    ) -> PyResult<(Shelf, T)> {
        let (forms, result) = watched::finish(py, bounds, |control| {
            let mut forms = Forms::new();
            let one = self.shelf().copied(self.form, &mut forms, control)?;
            let other = other.shelf().copied(other.form, &mut forms, control)?;
            let result = work(&mut forms, [one, other], control)?;
            Ok((forms, result))
        })?;
        Ok((Arc::new(Mutex::new(forms)), result))
    }
}

fn bounds(fuel: u64, seconds: Option<f64>) -> Bounds {
    Bounds {
        seconds,
        ..Bounds::fuel(fuel)
    }
}
