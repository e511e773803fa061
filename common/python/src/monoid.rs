//! Bipartite monoids: their tables, words, isomorphisms and structure.

use std::sync::OnceLock;

use misere_game::bipartite::families::by_name;
use misere_game::bipartite::idempotents::Idempotents;
use misere_game::bipartite::multiplication::Multiplication;
use misere_game::bipartite::{BipartiteMonoid, CanonicalForm, Element};
use misere_game::control::{Control, Stop};
use misere_game::monoid::finitely_presented::PresentationError;
use misere_game::monoid::presentation::presentation;
use misere_game::monoid::readable::{Readable, WrittenPresentation};
use misere_game::monoid::word::{Word, generator_name, lex_least_words};
use misere_game::structure::MAX_TABLE;
use misere_game::structure::automorphisms::Automorphisms;
use misere_game::structure::kernel::Kernel;
use misere_game::structure::powers::Powers;
use misere_game::structure::principal_series::{Factor, PrincipalSeries};
use misere_game::structure::product::direct_factors;
use misere_pictures::{
    PretendingFunction, cayley_graph, class_diagram, idempotent_order, pretending_strip,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::PackageError;
use crate::watched::{self, Bounds};

/// The greatest order of a bipartite monoid that is made from a presentation.
const MAX_PRESENTED: usize = 1 << 20;

/// Pairs of equal words.
type Relations = Vec<(String, String)>;

/// A finite bipartite monoid, as a Cayley graph.
#[pyclass(frozen, module = "misere._misere")]
#[derive(Debug)]
pub(crate) struct Monoid {
    monoid: BipartiteMonoid,
    words: OnceLock<Vec<Word>>,
    canonical: OnceLock<CanonicalForm>,
}

impl Monoid {
    /// Returns a monoid whose tables are known to be right.
    pub(crate) fn new_checked(monoid: BipartiteMonoid) -> Self {
        Self {
            monoid,
            words: OnceLock::new(),
            canonical: OnceLock::new(),
        }
    }

    fn lex_least(&self) -> &[Word] {
        self.words.get_or_init(|| lex_least_words(&self.monoid))
    }

    fn canonical(&self, py: Python<'_>) -> PyResult<&CanonicalForm> {
        if let Some(known) = self.canonical.get() {
            return Ok(known);
        }
        let find = |control: &mut Control| self.monoid.canonical_form_within(control);
        let found = watched::finish(py, Bounds::fuel(u64::MAX), find)?;
        Ok(self.canonical.get_or_init(|| found))
    }

    fn check(&self, x: Element) -> PyResult<()> {
        match (x as usize) < self.monoid.order() {
            true => Ok(()),
            false => Err(PackageError::BadQuotient.says(format!(
                "{x} is not an element of a monoid of order {}",
                self.monoid.order()
            ))),
        }
    }
}

#[pymethods]
impl Monoid {
    #[new]
    fn new(
        py: Python<'_>,
        order: usize,
        action: Vec<Vec<Element>>,
        p_portion: Vec<Element>,
    ) -> PyResult<Self> {
        let monoid = py.detach(|| BipartiteMonoid::new(order, action, p_portion));
        let monoid = monoid.map_err(|error| PackageError::BadQuotient.says(error))?;
        Ok(Self::new_checked(monoid))
    }

    /// Returns the bipartite monoid with a name of the literature.
    #[staticmethod]
    fn by_name(py: Python<'_>, name: &str) -> PyResult<Self> {
        let monoid = py.detach(|| by_name(name));
        let monoid = monoid.map_err(|error| PackageError::BadQuotient.says(error))?;
        Ok(Self::new_checked(monoid))
    }

    /// Returns the bipartite monoid of a presentation with its P-portion.
    #[staticmethod]
    fn presented(py: Python<'_>, text: &str) -> PyResult<Self> {
        let read = || -> Result<_, PresentationError> {
            let written: WrittenPresentation = text.parse()?;
            written.bipartite_monoid(MAX_PRESENTED)
        };
        let monoid = py.detach(read);
        let monoid = monoid.map_err(|error| PackageError::BadQuotient.says(error))?;
        Ok(Self::new_checked(monoid))
    }

    fn order(&self) -> usize {
        self.monoid.order()
    }

    fn action(&self) -> Vec<Vec<Element>> {
        self.monoid.action().to_vec()
    }

    fn p_portion(&self) -> Vec<Element> {
        self.monoid.p_portion().iter().collect()
    }

    fn in_p(&self, x: Element) -> PyResult<bool> {
        self.check(x)?;
        Ok(self.monoid.in_p(x))
    }

    /// Returns the product of two elements.
    fn times(&self, x: Element, y: Element) -> PyResult<Element> {
        self.check(x)?;
        self.check(y)?;
        let word = &self.lex_least()[y as usize];
        Ok(self
            .monoid
            .product_from(x, word.0.iter().copied().enumerate()))
    }

    /// Returns the row `y ↦ x·y` of the multiplication table.
    fn row(&self, x: Element) -> PyResult<Vec<Element>> {
        self.check(x)?;
        Ok(Multiplication::new(&self.monoid).row(x))
    }

    /// Returns the lex-least words of the elements.
    fn words(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| self.lex_least().iter().map(ToString::to_string).collect())
    }

    /// Returns the exponents of the lex-least words of the elements.
    fn exponents(&self, py: Python<'_>) -> Vec<Vec<u32>> {
        py.detach(|| self.lex_least().iter().map(|word| word.0.clone()).collect())
    }

    /// Returns the element of a word, such as `ab^2`.
    fn element(&self, text: &str) -> PyResult<Element> {
        let word = Word::read(text, self.monoid.generators());
        let word = word.map_err(|error| PackageError::BadQuotient.says(error))?;
        let powers = word.0.iter().enumerate();
        Ok(powers.fold(0, |x, (g, &exponent)| {
            // The powers repeat after at most as many steps as there are elements.
            let order = self.monoid.order() as u32;
            let steps = reduced(exponent, order, &self.monoid, x, g);
            self.monoid.product_from(x, [(g, steps)])
        }))
    }

    fn generator_names(&self) -> Vec<String> {
        (0..self.monoid.generators()).map(generator_name).collect()
    }

    /// Returns the reduced confluent relations on the generators, as pairs of words.
    fn relations(&self, py: Python<'_>) -> Relations {
        let found = py.detach(|| presentation(&self.monoid, self.lex_least()));
        let written = found.iter();
        written
            .map(|relation| (relation.left.to_string(), relation.right.to_string()))
            .collect()
    }

    /// Returns the presentation in the form of the papers.
    ///
    /// It consists of the places of the necessary generators, the relations and the words of the
    /// P-portion.
    fn readable(&self, py: Python<'_>) -> (Vec<usize>, Relations, Vec<String>, String) {
        let readable = py.detach(|| Readable::of(&self.monoid));
        let relations = readable.relations.iter();
        let relations =
            relations.map(|relation| (relation.left.to_string(), relation.right.to_string()));
        (
            readable.generators.clone(),
            relations.collect(),
            readable.p_portion.iter().map(ToString::to_string).collect(),
            readable.to_string(),
        )
    }

    fn is_tame(&self) -> bool {
        self.monoid.is_tame()
    }

    fn known_name(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| self.monoid.known_name())
    }

    /// Returns the order of the reduction of the bipartite monoid.
    fn reduced_order(&self, py: Python<'_>) -> PyResult<usize> {
        let find = |control: &mut Control| self.monoid.reduced_order_within(control);
        watched::finish(py, Bounds::fuel(u64::MAX), find)
    }

    /// Returns the key of the isomorphism class.
    fn class_key(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.canonical(py)?.key.to_string())
    }

    /// Returns the canonical form, with the canonical number of every element.
    fn canonical_form(&self, py: Python<'_>) -> PyResult<(Self, Vec<Element>)> {
        let found = self.canonical(py)?;
        Ok((
            Self::new_checked(found.monoid.clone()),
            found.relabelling.clone(),
        ))
    }

    /// Returns an isomorphism to another bipartite monoid: the image of every element.
    fn isomorphism(&self, py: Python<'_>, other: &Self) -> Option<Vec<Element>> {
        py.detach(|| self.monoid.isomorphism(&other.monoid))
    }

    /// Returns idempotents, components, maximal subgroups, covers and the kernel.
    fn idempotents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (found, kernel, invariants) = py.detach(|| {
            let found = Idempotents::new(&self.monoid);
            let kernel = Kernel::new(&self.monoid, &found);
            let places = 0..found.elements.len();
            let invariants: Vec<_> = places
                .map(|at| found.invariants(&self.monoid, at))
                .collect();
            (found, kernel, invariants)
        });
        let facts = PyDict::new(py);
        facts.set_item("elements", &found.elements)?;
        facts.set_item("component", &found.component)?;
        facts.set_item("groups", &found.groups)?;
        facts.set_item("invariants", invariants)?;
        facts.set_item("covers", &found.covers)?;
        facts.set_item("is_regular", kernel.is_regular())?;
        facts.set_item("is_normal", kernel.is_normal())?;
        facts.set_item("kernel", kernel.elements)?;
        facts.set_item("kernel_identity", kernel.identity)?;
        facts.set_item("kernel_invariants", kernel.invariants)?;
        Ok(facts)
    }

    /// Returns generators and orbits of the automorphism group, and factors of its order.
    #[pyo3(signature = (fuel, seconds))]
    #[allow(clippy::type_complexity, reason = "plain data for Python")]
    fn automorphisms(
        &self,
        py: Python<'_>,
        fuel: u64,
        seconds: Option<f64>,
    ) -> PyResult<(Vec<Vec<Element>>, Vec<Vec<Element>>, Vec<u64>)> {
        let find = |control: &mut Control| Automorphisms::new(&self.monoid, control);
        let found = watched::finish(py, bounds(fuel, seconds), find)?;
        let found = found.ok_or_else(|| self.too_large())?;
        Ok((found.generators, found.orbits, found.factors))
    }

    /// Returns the principal series, and the covers of its classes.
    ///
    /// Each class has its elements, depth and idempotent, and the kind of its factor.
    #[pyo3(signature = (fuel, seconds))]
    #[allow(clippy::type_complexity, reason = "plain data for Python")]
    fn principal_series(
        &self,
        py: Python<'_>,
        fuel: u64,
        seconds: Option<f64>,
    ) -> PyResult<(
        Vec<(Vec<Element>, u32, Option<Element>, &'static str)>,
        Vec<(u32, u32)>,
    )> {
        let find = |control: &mut Control| PrincipalSeries::new(&self.monoid, control);
        let found = watched::finish(py, bounds(fuel, seconds), find)?;
        let classes = found.classes.iter().enumerate();
        let classes = classes.map(|(at, class)| {
            let factor = match found.factor(at) {
                Factor::Group => "group",
                Factor::GroupWithZero => "group with zero",
                Factor::Null => "null",
            };
            (
                class.elements.clone(),
                class.depth,
                class.idempotent,
                factor,
            )
        });
        Ok((classes.collect(), found.covers.clone()))
    }

    /// Returns the index and the period of every element.
    #[pyo3(signature = (fuel, seconds))]
    fn powers(
        &self,
        py: Python<'_>,
        fuel: u64,
        seconds: Option<f64>,
    ) -> PyResult<(Vec<u32>, Vec<u32>)> {
        let find = |control: &mut Control| Powers::new(&self.monoid, control);
        let found = watched::finish(py, bounds(fuel, seconds), find)?;
        Ok((found.index, found.period))
    }

    /// Returns the elements of the direct factors.
    #[pyo3(signature = (fuel, seconds))]
    fn direct_factors(
        &self,
        py: Python<'_>,
        fuel: u64,
        seconds: Option<f64>,
    ) -> PyResult<Vec<Vec<Element>>> {
        let find =
            |control: &mut Control| -> Result<_, Stop> { direct_factors(&self.monoid, control) };
        let found = watched::finish(py, bounds(fuel, seconds), find)?;
        let found = found.ok_or_else(|| self.too_large())?;
        Ok(found.into_iter().map(|factor| factor.elements).collect())
    }

    /// Draws a picture as SVG: `cayley`, `classes` or `idempotents`.
    fn picture(&self, py: Python<'_>, kind: &str, of: &str) -> PyResult<String> {
        let names = self.words(py);
        py.detach(|| match kind {
            "cayley" => Ok(cayley_graph(of, &self.monoid, &names)),
            "classes" => Ok(class_diagram(of, &self.monoid, &names)),
            "idempotents" => Ok(idempotent_order(of, &self.monoid, &names)),
            _ => Err(PackageError::BadQuotient.says(format!(
                "there is no picture `{kind}`; pictures are cayley, classes, idempotents"
            ))),
        })
    }

    /// Draws the picture of a pretending function into this quotient.
    #[pyo3(signature = (of, phi, repeats))]
    fn strip(
        &self,
        py: Python<'_>,
        of: &str,
        phi: Vec<Element>,
        repeats: Option<(u32, u32)>,
    ) -> PyResult<String> {
        phi.iter().try_for_each(|&x| self.check(x))?;
        let names = self.words(py);
        let function = PretendingFunction {
            values: &phi,
            repeats,
        };
        Ok(py.detach(|| pretending_strip(of, &self.monoid, &names, function)))
    }
}

impl Monoid {
    fn too_large(&self) -> PyErr {
        PackageError::TooLarge.says(format!(
            "a quotient of order {} is too large for this; at most {MAX_TABLE} elements are \
             examined",
            self.monoid.order()
        ))
    }
}

fn bounds(fuel: u64, seconds: Option<f64>) -> Bounds {
    Bounds {
        seconds,
        ..Bounds::fuel(fuel)
    }
}

/// Reduces an exponent: steps by one generator repeat within the order of the monoid.
fn reduced(exponent: u32, order: u32, monoid: &BipartiteMonoid, x: Element, g: usize) -> u32 {
    if exponent <= order {
        return exponent;
    }
    let start = monoid.product_from(x, [(g, order)]);
    let mut period = 1;
    let mut y = monoid.act(start, g);
    while y != start {
        y = monoid.act(y, g);
        period += 1;
    }
    order + (exponent - order) % period
}
