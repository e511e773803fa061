//! Certificates: claims about games, in both forms, and the evidence in them.

use std::sync::LazyLock;

use misere_census::certificate;
use misere_check::automaton;
use misere_check::check_within;
use misere_check::infinite::whole::TotalEvidence;
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::solution::{
    AutomatonDocument, DiagramFamily, Document, Evidence, InfiniteFamily, PresentedDocument,
    SemilinearDocument, Solution,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Fuel for the check of one claim: a fraction of a second.
const FUEL: u64 = 100_000;

/// Has the checker judge a claim.
///
/// Whether a claim that it accepts is true is tested in `tests/checker/tests/enemy`.
fn judge(claim: &Solution) {
    let _ = check_within(claim, &mut Control::new(FUEL, Interrupt::default()));
}

/// Reads a certificate as it travels and is stored.
///
/// What can be read can be written and is read as the same claim; the bytes are the same exactly if
/// the strict reader takes them.
pub fn binary(bytes: &[u8]) {
    let Ok(claim) = certificate::decode(bytes) else {
        assert!(certificate::decode_canonical(bytes).is_err());
        return;
    };
    let written = certificate::encode(&claim).unwrap();
    assert_eq!(certificate::decode(&written).as_ref(), Ok(&claim));
    let strict = certificate::decode_canonical(bytes);
    assert_eq!(strict.is_ok(), written == bytes);
    judge(&claim);
}

/// Reads a certificate as a JSON document.
///
/// A claim that can be read is written as a document of the same claim, which is written again as
/// the same bytes.
pub fn json(bytes: &[u8]) {
    let Ok(document) = serde_json::from_slice::<Document>(bytes) else {
        return;
    };
    let Ok(claim) = document.into_solution() else {
        return;
    };
    let written = serde_json::to_vec(&Document::new(&claim)).unwrap();
    let again: Document = serde_json::from_slice(&written).unwrap();
    let again = again.into_solution().unwrap();
    assert_eq!(again, claim);
    let twice = serde_json::to_vec(&Document::new(&again)).unwrap();
    assert_eq!(written, twice);
    judge(&claim);
}

/// Reads an automaton that decides a game, as a JSON document.
///
/// What can be read is written as the same document, and the checker judges it.
pub fn automaton(bytes: &[u8]) {
    let Ok(document) = serde_json::from_slice::<AutomatonDocument>(bytes) else {
        return;
    };
    let written = serde_json::to_vec(&document).unwrap();
    let again: AutomatonDocument = serde_json::from_slice(&written).unwrap();
    assert_eq!(again, document);
    let control = &mut Control::new(FUEL, Interrupt::default());
    let _ = automaton::check(&document.code, &document.automaton, control);
    let _ = document.automaton.outcome([(1, 3), (u64::MAX, u64::MAX)]);
}

/// Reads a presentation of an infinite quotient as a JSON document.
///
/// What can be read is written as the same document, and the checker judges it.
pub fn presented(bytes: &[u8]) {
    let Ok(document) = serde_json::from_slice::<PresentedDocument>(bytes) else {
        return;
    };
    let written = serde_json::to_vec(&document).unwrap();
    let again: PresentedDocument = serde_json::from_slice(&written).unwrap();
    assert_eq!(again, document);
    let Ok(presentation) = document.presentation() else {
        return;
    };
    let control = &mut Control::new(FUEL, Interrupt::default());
    let whole = TotalEvidence::new(&document.code, document.heaps, &document.diagram, control);
    let Ok(whole) = whole else {
        return;
    };
    if whole.check(&presentation, control).is_ok() {
        let families = whole.families(&presentation, control);
        let _ = families.and_then(|families| whole.portion(&families, control));
    }
}

/// Reads the P-positions of an infinite quotient, by linear conditions, as a JSON document.
///
/// What can be read is written as the same document, and the checker judges it.
pub fn semilinear(bytes: &[u8]) {
    let Ok(document) = serde_json::from_slice::<SemilinearDocument>(bytes) else {
        return;
    };
    let written = serde_json::to_vec(&document).unwrap();
    let again: SemilinearDocument = serde_json::from_slice(&written).unwrap();
    assert_eq!(again, document);
    let control = &mut Control::new(FUEL, Interrupt::default());
    let whole = TotalEvidence::new(&document.code, document.heaps, &document.diagram, control);
    if let Ok(whole) = whole {
        let control = &mut Control::new(FUEL, Interrupt::default());
        let _ = whole.check_regions(&document.regions, control);
    }
}

/// The solution of 0.005, whose quotient is infinite, below the heap where it diverges.
static DIVERGENT: LazyLock<Solution> = LazyLock::new(|| {
    let limits = Limits {
        max_evidence: 0,
        ..Limits::default()
    };
    let control = &mut Control::unlimited();
    solve(&"0.005".parse().unwrap(), &limits, Strategy::Exact, control)
});

/// Reads evidence that a quotient is infinite, in the form that a certificate contains.
pub fn evidence(bytes: &[u8]) {
    offered::<InfiniteFamily>(bytes, Evidence::Columns);
    offered::<DiagramFamily>(bytes, Evidence::Diagram);
}

/// Reads one form of evidence, writes it again, and offers it to the checker.
fn offered<F>(bytes: &[u8], form: fn(F) -> Evidence)
where
    F: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let Ok((family, _)) = postcard::take_from_bytes::<F>(bytes) else {
        return;
    };
    let written = postcard::to_stdvec(&family).unwrap();
    assert_eq!(postcard::from_bytes(&written).as_ref(), Ok(&family));
    let claim = Solution {
        evidence: Some(form(family)),
        ..DIVERGENT.clone()
    };
    judge(&claim);
    binary(&certificate::encode(&claim).unwrap());
}
