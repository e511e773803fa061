//! The document of a presentation, and its check.

use misere_check::infinite::whole::{Family, Portion, PresentationCheckError, TotalEvidence};
use misere_game::control::Control;
use misere_game::monoid::word::generator_name;
use misere_game::ruleset::Code;
use misere_game::solution::presentation::{Presentation, Reach, compare, degree};
use misere_game::solution::presented::{
    GeneratorHeap, PortionDocument, PresentedDocument, ProgressionDocument,
};

/// The limit on the degrees whose numbers of words are listed.
const MAX_DEGREES: u64 = 2_000;

/// Makes the document of a checked presentation.
///
/// `normal_degree` is the greatest degree of the words listed.
///
/// # Errors
/// A [`PresentationCheckError`] if the facts for readers are too large to be computed, or the
/// computation is stopped.
pub fn document(
    code: &Code,
    heaps: u32,
    whole: &TotalEvidence<'_>,
    presentation: &Presentation,
    normal_degree: u32,
    control: &mut Control,
) -> Result<PresentedDocument, PresentationCheckError> {
    let families = whole.families(presentation, control)?;
    let complete = presentation.reach == Reach::All;
    let longest = presentation.relations.iter().map(|r| degree(&r.left)).max();
    let to = match presentation.reach {
        Reach::All => u32::try_from(longest.unwrap_or(0)).unwrap_or(u32::MAX),
        Reach::Degree(to) => to,
    };
    let normal_degree = match presentation.reach {
        Reach::All => normal_degree,
        Reach::Degree(to) => normal_degree.min(to),
    };
    let dimension = families.iter().map(Family::dimension).max();
    // From this degree on a family either always has words or never has any.
    let polynomial_from = families.iter().map(|family| {
        let base = degree(&family.base);
        base + u64::from(family.dimension() == 0)
    });
    let polynomial_from = polynomial_from.max().unwrap_or(0);
    let listed = match complete {
        true => polynomial_from,
        false => u64::from(to),
    };
    let listed = listed.min(MAX_DEGREES);
    let words = |degree: u64| {
        let all = families.iter().map(|family| family.words(degree));
        let all = all.fold(0_u128, u128::saturating_add);
        u64::try_from(all).unwrap_or(u64::MAX)
    };
    let letters = whole.letters().iter().enumerate();
    let p_portion = match complete {
        true => whole.portion(&families, control)?.map(|p| written(&p)),
        false => None,
    };
    let normal_words = whole.normal_words(presentation, normal_degree, control)?;
    Ok(PresentedDocument {
        schema: 1,
        code: code.clone(),
        convention: "misere".to_owned(),
        status: "infinite".to_owned(),
        heaps,
        silent_heaps: silent_heaps(code, heaps, whole),
        generators: letters
            .map(|(letter, &heap)| GeneratorHeap {
                name: generator_name(letter),
                heap,
            })
            .collect(),
        complete,
        degree: to,
        relations: ascending(presentation),
        hilbert: (0..=listed).map(words).collect(),
        dimension: dimension.filter(|_| complete).map(|d| d as u32),
        // Only if the number for this degree is listed.
        polynomial_from: u32::try_from(polynomial_from)
            .ok()
            .filter(|_| complete && polynomial_from <= MAX_DEGREES),
        normal_degree,
        normal_words: normal_words.iter().map(ToString::to_string).collect(),
        p_portion,
        diagram: whole.evidence().clone(),
    })
}

/// Returns the live heaps of the quotient that the claim does not cover.
pub(super) fn silent_heaps(code: &Code, heaps: u32, whole: &TotalEvidence<'_>) -> Vec<u32> {
    let spoken_of = whole.heaps();
    let silent = (0..=heaps).filter(|heap| code.is_live(*heap) && !spoken_of.contains(heap));
    silent.collect()
}

fn written(portion: &Portion) -> PortionDocument {
    let progressions = portion.progressions.iter();
    PortionDocument {
        words: portion.words.iter().map(ToString::to_string).collect(),
        progressions: progressions
            .map(|progression| ProgressionDocument {
                first: progression.first.to_string(),
                step: progression.step.to_string(),
            })
            .collect(),
    }
}

/// Sorts the relations by their left sides.
fn ascending(presentation: &Presentation) -> Vec<String> {
    let mut relations: Vec<_> = presentation.relations.iter().collect();
    relations.sort_by(|one, other| compare(&one.left, &other.left));
    relations.iter().map(ToString::to_string).collect()
}

/// Proves the claims of a document: the evidence, the relations and how far they reach.
///
/// Returns the document that follows from the claim.
///
/// # Errors
/// The first [`PresentationCheckError`].
pub fn check(
    written: &PresentedDocument,
    presentation: &Presentation,
    control: &mut Control,
) -> Result<PresentedDocument, PresentationCheckError> {
    let whole = TotalEvidence::new(&written.code, written.heaps, &written.diagram, control)?;
    whole.check(presentation, control)?;
    document(
        &written.code,
        written.heaps,
        &whole,
        presentation,
        written.normal_degree,
        control,
    )
}
