//! Quotients that are given by a name or a presentation, and the list of the small ones.

use misere_algebra::classify::{Classifier, MAX_ORDER};
use misere_answers::classification;
use misere_answers::effort::SOLVE_FUEL;
use misere_answers::identity::{IdentifiedClass, MAX_PRESENTED, PRESENTED, identify};
use misere_answers::product::Product;
use misere_answers::realized::realized;
use misere_game::bipartite::BipartiteMonoid;
use misere_game::bipartite::families::{by_name, printed_name};
use misere_game::control::Control;
use misere_game::monoid::readable::WrittenPresentation;

use crate::checked::{MAX_NAME, bounded};
use crate::{BrowserError, Budget, progress};

/// A quotient that is given by a name or a presentation.
struct Quotient {
    given: String,
    /// The names of the generators of a presentation.
    names: Vec<String>,
    monoid: BipartiteMonoid,
}

impl Quotient {
    fn read(text: &str, control: &mut Control) -> Result<Self, BrowserError> {
        bounded("a presentation", text, MAX_NAME)?;
        if let Some(given) = printed_name(text.trim()) {
            let monoid = by_name(&given)?;
            return Ok(Self {
                given,
                names: Vec::new(),
                monoid,
            });
        }
        let written: WrittenPresentation = text.parse()?;
        Ok(Self {
            given: PRESENTED.to_owned(),
            names: written.presentation.generators().to_vec(),
            monoid: written.bipartite_monoid_within(MAX_PRESENTED, control)?,
        })
    }
}

/// Returns the document of `misere identify --json` about a name or a presentation.
///
/// ```
/// use misere_browser::identified;
/// let document = identified("<a,b | a^2=1, b^3=b> P={a,b^2}", "")?;
/// assert!(document.contains("\"name\":\"T_2\""));
/// # Ok::<(), misere_browser::BrowserError>(())
/// ```
///
/// Cost: the fuel of the budget, three times.
///
/// # Errors
/// [`BrowserError`] if the text is neither, or the fuel is spent.
pub fn identified(text: &str, budget: &str) -> Result<String, BrowserError> {
    let fuel = Budget::parse(budget)?.fuel.unwrap_or(SOLVE_FUEL);
    let control = || Control::new(fuel, progress::handle());
    let Quotient {
        given,
        names,
        monoid,
    } = Quotient::read(text, &mut control())?;
    let identity = identify(&monoid, &mut control())?;
    let realized = realized(&identity, None, &mut control())?;
    let found = IdentifiedClass {
        given: &given,
        names: &names,
        heaps: &[],
        class: &identity.class,
        identity: Some(&identity),
        realized: Some(&realized),
    };
    Ok(serde_json::to_string(&found.document())?)
}

/// Multiplies generators of a quotient, and returns the product as JSON.
///
/// The generators have the names of the presentation, or `a`, `b`, … in a quotient with a name.
///
/// ```
/// use misere_browser::multiplied;
/// let document = multiplied("R_8", "b·c·c", "")?;
/// assert!(document.contains("\"word\":\"b\",\"outcome\":\"N\""));
/// # Ok::<(), misere_browser::BrowserError>(())
/// ```
///
/// Cost: the fuel of the budget, twice.
///
/// # Errors
/// [`BrowserError`] if the quotient or the product is not understood, or the fuel is spent.
pub fn multiplied(text: &str, product: &str, budget: &str) -> Result<String, BrowserError> {
    bounded("a product", product, MAX_NAME)?;
    let fuel = Budget::parse(budget)?.fuel.unwrap_or(SOLVE_FUEL);
    let control = || Control::new(fuel, progress::handle());
    let quotient = Quotient::read(text, &mut control())?;
    let product = match quotient.names.as_slice() {
        [] => Product::on_readable(&quotient.monoid, product, &mut control())?,
        names => Product::new(&quotient.monoid, names, product, &mut control())?,
    };
    Ok(serde_json::to_string(&product)?)
}

/// Returns the document of `misere classify --order N --json`.
///
/// ```
/// use misere_browser::classified;
/// assert!(classified(8, "")?.contains("\"counts\":{\"2\":1,\"4\":0,\"6\":1,\"8\":1}"));
/// # Ok::<(), misere_browser::BrowserError>(())
/// ```
///
/// Cost: the fuel of the budget, without a limit if it has none; order 12 takes a moment.
///
/// # Errors
/// [`BrowserError`] if the order is too great.
pub fn classified(order: u32, budget: &str) -> Result<String, BrowserError> {
    let order = order as usize;
    if !(2..=MAX_ORDER).contains(&order) {
        return Err(BrowserError::TooLarge {
            what: "the order, 2 at least,",
            limit: MAX_ORDER,
        });
    }
    let fuel = Budget::parse(budget)?.fuel.unwrap_or(u64::MAX);
    let mut control = Control::new(fuel, progress::handle());
    let mut classifier = Classifier::new(order & !1);
    let status = loop {
        match classifier.next_order(&mut control) {
            Ok(Some(_)) => {}
            Ok(None) => break "complete",
            Err(_) => break "exhausted",
        }
    };
    let constructions = classification::constructions(&classifier)?;
    let document = classification::document(&classifier, order, &constructions, status);
    Ok(serde_json::to_string(&document)?)
}
