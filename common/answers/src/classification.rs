//! The list of all misère quotients of small order, each checked from its games.

use std::collections::BTreeMap;

use misere_algebra::classify::{Classifier, one_stage_extensions, published_tables};
use misere_check::construction::check;
use misere_game::control::Control;
use misere_game::solution::Construction;
use misere_game::solution::construction::{ClassificationDocument, ConstructionDocument, SCHEMA};

/// The checker or the kernels refute a quotient of the classification.
///
/// This is a bug of the program.
#[derive(Debug, thiserror::Error)]
#[error(
    "a quotient of order {order} that was found is refuted: {reason}; nothing is printed, please \
     report this"
)]
pub struct RefutedQuotientError {
    /// The order of the quotient.
    pub order: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// Returns games for every quotient of the complete orders, each checked by [`checked`].
///
/// ```
/// use misere_algebra::classify::Classifier;
/// use misere_answers::classification::constructions;
/// use misere_game::control::Control;
/// let mut classifier = Classifier::new(8);
/// while classifier.next_order(&mut Control::unlimited())?.is_some() {}
/// assert_eq!(constructions(&classifier)?.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Cost: microseconds for each quotient, which no interruption ends.
///
/// # Errors
/// [`RefutedQuotientError`].
pub fn constructions(classifier: &Classifier) -> Result<Vec<Construction>, RefutedQuotientError> {
    let quotients = classifier.complete().iter();
    let quotients = quotients.flat_map(|level| &level.quotients);
    quotients
        .map(|quotient| {
            let construction = Control::without_limit(|control| quotient.construction(control));
            checked(&construction)?;
            Ok(construction)
        })
        .collect()
}

/// Checks games by the checker and by exact kernels.
///
/// # Errors
/// [`RefutedQuotientError`].
pub fn checked(construction: &Construction) -> Result<(), RefutedQuotientError> {
    let refuted = |reason| RefutedQuotientError {
        order: construction.quotient.order(),
        reason,
    };
    check(construction, &mut Control::unlimited()).map_err(|flaw| refuted(flaw.to_string()))?;
    match one_stage_extensions::confirms(construction, &mut Control::unlimited()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(refuted("its games have another quotient".to_owned())),
        Err(error) => Err(refuted(error.to_string())),
    }
}

/// Returns the document of `misere classify --json` without what `--facts` and `--faithful` add.
#[must_use]
pub fn document(
    classifier: &Classifier,
    max_order: usize,
    constructions: &[Construction],
    status: &str,
) -> ClassificationDocument {
    ClassificationDocument {
        schema: SCHEMA,
        max_order,
        status: status.to_owned(),
        counts: classifier
            .complete()
            .iter()
            .map(|level| (level.order, level.quotients.len()))
            .collect(),
        published: BTreeMap::from(published_tables::TABLE_1),
        quotients: constructions
            .iter()
            .map(ConstructionDocument::new)
            .collect(),
    }
}
