//! The class of a bipartite monoid.

use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::control::{Control, Stop};
use misere_game::monoid::readable::Readable;
use serde_json::{Value, json};

use crate::realized::Realization;

/// The greatest order of a monoid that is presented by a person.
pub const MAX_PRESENTED: usize = 65_536;

/// The name of a monoid that is presented by a person.
pub const PRESENTED: &str = "the monoid presented";

/// The identity of a bipartite monoid up to isomorphism.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The order of the monoid given.
    pub given_order: usize,
    /// Whether it was reduced; if not, the other fields describe its reduction.
    pub was_reduced: bool,
    /// The order.
    pub order: usize,
    /// The size of the P-portion.
    pub p_size: usize,
    /// The class.
    pub class: ClassKey,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The presentation on the generators given, without those that the others generate.
    pub as_given: Readable,
    /// The presentation of the class, the same for all its members; see [`Readable::of_class`].
    pub canonical: Readable,
    /// The canonical form.
    pub monoid: BipartiteMonoid,
    /// The reduction, on the generators given.
    pub reduced: BipartiteMonoid,
}

/// Names the class of a bipartite monoid, or of its reduction if it is not reduced.
///
/// Cost: a reduction, a canonical form, and two presentations.
///
/// # Errors
/// [`Stop`] if `control` stops the work.
pub fn identify(given: &BipartiteMonoid, control: &mut Control) -> Result<Identity, Stop> {
    let given_order = given.order();
    let reduced = given.reduce_within(control)?.monoid;
    let form = reduced.canonical_form_within(control)?;
    Ok(Identity {
        given_order,
        was_reduced: reduced.order() == given_order,
        order: reduced.order(),
        p_size: reduced.p_size(),
        class: form.key,
        name: reduced.known_name(),
        as_given: Readable::of_within(&reduced, control)?,
        canonical: Readable::of_class_within(&form.monoid, control)?,
        monoid: form.monoid,
        reduced,
    })
}

/// What is known of the class of a quotient, without a census.
#[derive(Clone, Copy, Debug)]
pub struct IdentifiedClass<'a> {
    /// The quotient as it was given.
    pub given: &'a str,
    /// The names of its generators in the text given.
    pub names: &'a [String],
    /// The heap whose value each generator is, if it is the quotient of a game.
    pub heaps: &'a [u32],
    /// The class.
    pub class: &'a ClassKey,
    /// The identity, unless only the class is known.
    pub identity: Option<&'a Identity>,
    /// Whether games have it, if that was asked.
    pub realized: Option<&'a Realization>,
}

impl IdentifiedClass<'_> {
    /// Returns the document of `misere identify --json`, without a census and an atlas.
    #[must_use]
    pub fn document(&self) -> Value {
        let readable = |readable: &Readable| {
            let relations = readable.relations.iter().map(ToString::to_string);
            let p_portion = readable.p_portion.iter().map(ToString::to_string);
            json!({
                "text": readable.to_string(),
                "generators": readable.names(),
                "relations": relations.collect::<Vec<_>>(),
                "p_portion": p_portion.collect::<Vec<_>>(),
            })
        };
        let identity = self.identity;
        let heaps = identity.map(|identity| {
            let generators = identity.as_given.generators.iter();
            let heaps = generators.filter_map(|&g| self.heaps.get(g));
            heaps.collect::<Vec<_>>()
        });
        json!({
            "schema": 1,
            "given": self.given,
            "class": self.class,
            "label": self.class.label().map(|label| label.to_string()),
            "name": identity.and_then(|identity| identity.name.clone()),
            "order": identity.map(|identity| identity.order),
            "p_size": identity.map(|identity| identity.p_size),
            "given_order": identity.map(|identity| identity.given_order),
            "reduced": identity.map(|identity| identity.was_reduced),
            "presentation": identity.map(|identity| readable(&identity.as_given)),
            "generator_heaps": heaps,
            "given_names": self.names,
            "canonical": identity.map(|identity| readable(&identity.canonical)),
            "quotient": identity.map(|identity| &identity.monoid),
            "misere_quotient": self.realized.map(Realization::document),
            "smallest_finite_game": Value::Null,
            "atlas": Value::Null,
            "census": Value::Null,
        })
    }
}
