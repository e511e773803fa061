//! The class of a presentation that a person writes, and the reading of what people search for.

use misere_census::atlas::{Atlas, ClassDocument};
use misere_game::bipartite::ClassKey;
use misere_game::control::{Control, Interrupt};
use misere_game::monoid::readable::WrittenPresentation;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use misere_answers::identity::{Identity, identify};
use misere_answers::realized::{Realization, realized};
use misere_query::naming::{NamingError, Reading, Readings, readings};
use misere_report::whereabouts::{Exclusion, smallest};
use misere_store::Store;

use super::class::{MAX_ORDER, QuotientView};
use super::error::RequestError;
use super::examples::advice;
use super::schema;
use super::site::Site;

/// The greatest length of a text that is read, in bytes.
const MAX_QUERY_LENGTH: usize = 4_000;

/// The greatest numbers of generators and relations of a presentation.
///
/// The time of its completion grows steeply with both.
const MAX_WRITTEN: (usize, usize) = (16, 150);

/// The fuel for a canonical form and for the search for games that have it: some seconds.
const FUEL: u64 = 5_000_000;

const PRESENTATIONS: &str = "A presentation with its P-portion looks like \
                             `⟨a,b | a^2=1, b^3=b⟩ P={a,b^2}`; `<…>` and LaTeX will do as well. \
                             What the P-portion is has to be said: the same monoid can be the \
                             quotient of other games with another one.";

/// Reads a text that may name anything that can be searched for.
pub(crate) fn read(text: &str) -> Result<Readings, RequestError> {
    if text.len() > MAX_QUERY_LENGTH {
        return Err(RequestError::input("that is too long", advice()));
    }
    let found = readings(text).map_err(|error| match error {
        NamingError::Presentation(_) => RequestError::input(error.to_string(), PRESENTATIONS),
        NamingError::Quotient(_) => RequestError::input(
            error.to_string(),
            "Names are those of the papers: T_3, R_8, S_12, S'_12, R_14.",
        ),
        NamingError::Nothing { as_code, .. } => RequestError::input(
            format!(
                "`{text}` is no code, no name, no class, no presentation and no condition; as a \
                 code: {as_code}"
            ),
            advice(),
        ),
    })?;
    let written = found.exact.iter().find_map(|reading| match reading {
        Reading::Presentation(written) => Some(&written.presentation),
        _ => None,
    });
    if let Some(given) = written {
        let (generators, relations) = MAX_WRITTEN;
        if given.generators().len() > generators || given.relations().len() > relations {
            let message =
                format!("at most {generators} generators and {relations} relations are taken here");
            return Err(RequestError::input(
                message,
                "`misere identify` takes more.",
            ));
        }
    }
    Ok(found)
}

/// The identification of a presentation that a person wrote.
pub(crate) struct WrittenClass {
    pub(crate) identity: Identity,
    pub(crate) realized: Realization,
}

/// Returns the class of a presentation that a person wrote, and whether games have it.
pub(crate) async fn class_of(
    site: &Site,
    written: WrittenPresentation,
) -> Result<WrittenClass, RequestError> {
    site.compute(move |site| {
        let control = &mut Control::new(FUEL, Interrupt::default());
        let monoid = written
            .bipartite_monoid_within(MAX_ORDER, control)
            .map_err(|error| RequestError::input(error.to_string(), PRESENTATIONS))?;
        let control = &mut Control::new(FUEL, Interrupt::default());
        let identity = identify(&monoid, control).map_err(|_| {
            RequestError::input(
                "its canonical form takes longer than a page may",
                "`misere identify` takes its time.",
            )
        })?;
        let control = &mut Control::new(FUEL, Interrupt::default());
        let store = site.census().store()?;
        let known = smallest(&store, &identity.class)?;
        let realized = realized(&identity, known, control).map_err(|_| RequestError::Busy)?;
        Ok(WrittenClass { identity, realized })
    })
    .await
}

/// Parses the presentation that a person wrote.
pub(crate) fn presentation(text: &str) -> Result<WrittenPresentation, RequestError> {
    let no_presentation = || {
        RequestError::input(
            format!("`{}` is not a presentation", text.trim()),
            PRESENTATIONS,
        )
    };
    let found = read(text.trim()).map_err(|failure| match failure {
        RequestError::Input { advice, .. } if advice != PRESENTATIONS => no_presentation(),
        failure => failure,
    })?;
    match found.exact.into_iter().next() {
        Some(Reading::Presentation(written)) => Ok(*written),
        _ => Err(no_presentation()),
    }
}

/// The class of a presentation.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Identity")]
pub(crate) struct IdentityView<'a> {
    #[schemars(with = "schema::ClassKey")]
    class: ClassKey,
    /// The label of the class, such as `40.9.2`, if it has one.
    label: Option<String>,
    /// The name of the class in the literature, if it has one.
    name: Option<&'a str>,
    /// The order of what was written.
    given_order: usize,
    /// Whether what was written is reduced; if not, the class is that of its reduction.
    was_reduced: bool,
    order: usize,
    p_size: usize,
    quotient: QuotientView<'a>,
    #[schemars(with = "schema::MisereQuotient")]
    misere_quotient: Value,
    /// Whether a game of the census has it for quotient or partial quotient.
    in_census: bool,
    /// What the census excludes by not having the quotient; null if it has it.
    #[schemars(with = "Option<schema::Exclusion>")]
    excluded: Option<Exclusion>,
    #[schemars(with = "Option<schema::AtlasOfClass>")]
    atlas: Option<ClassDocument<'a>>,
}

impl<'a> IdentityView<'a> {
    /// Returns the identification of a presentation that a person wrote.
    pub(crate) fn of(
        store: &Store,
        atlas: Option<&'a Atlas>,
        found: &'a WrittenClass,
    ) -> Result<Self, RequestError> {
        let WrittenClass { identity, realized } = found;
        let in_census = store.class(&identity.class)?.is_some();
        Ok(Self {
            class: identity.class,
            label: identity.class.label().map(|label| label.to_string()),
            name: identity.name.as_deref(),
            given_order: identity.given_order,
            was_reduced: identity.was_reduced,
            order: identity.order,
            p_size: identity.p_size,
            quotient: QuotientView::of(&identity.monoid),
            misere_quotient: realized.document(),
            in_census,
            excluded: (!in_census).then(|| Exclusion::of(store, Some(identity.order))),
            atlas: atlas.map(|atlas| atlas.document(&identity.class, Some(identity.order))),
        })
    }
}
