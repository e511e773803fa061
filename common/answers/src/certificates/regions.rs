//! The document of the P-positions as linear conditions, and its check.

use misere_check::infinite::whole::{PresentationCheckError, TotalEvidence};
use misere_game::control::Control;
use misere_game::monoid::word::generator_name;
use misere_game::ruleset::Code;
use misere_game::solution::SemilinearDocument;
use misere_game::solution::presented::GeneratorHeap;
use misere_game::solution::semilinear::Region;

use super::presentation::silent_heaps;

/// Makes the document of regions that were checked.
pub fn document(
    code: &Code,
    heaps: u32,
    whole: &TotalEvidence<'_>,
    regions: Vec<Region>,
) -> SemilinearDocument {
    let family = whole.evidence();
    let letters = whole.letters().iter().enumerate();
    let digits = letters.filter(|(_, heap)| family.digits.contains(heap));
    SemilinearDocument {
        schema: 1,
        code: code.clone(),
        convention: "misere".to_owned(),
        status: "infinite".to_owned(),
        heaps,
        silent_heaps: silent_heaps(code, heaps, whole),
        digits: digits
            .map(|(letter, &heap)| GeneratorHeap {
                name: generator_name(letter),
                heap,
            })
            .collect(),
        regions,
        diagram: family.clone(),
    }
}

/// Proves the claims of a document: the evidence, and that its regions are the P-positions.
///
/// Returns the document that follows from the claim.
///
/// # Errors
/// The first [`PresentationCheckError`].
pub fn check(
    written: &SemilinearDocument,
    control: &mut Control,
) -> Result<SemilinearDocument, PresentationCheckError> {
    let whole = TotalEvidence::new(&written.code, written.heaps, &written.diagram, control)?;
    whole.check_regions(&written.regions, control)?;
    let regions = written.regions.clone();
    Ok(document(&written.code, written.heaps, &whole, regions))
}
