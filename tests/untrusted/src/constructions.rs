//! Results of the classification of misère quotients: a worker's result for a batch, and the state
//! from which `misere classify` resumes.

use misere_algebra::classify::Classifier;
use misere_algebra::classify::batch::{Batch, Scheme};
use misere_census::schemes::{Outcome, decode, decode_canonical, encode};
use misere_check::construction;
use misere_game::control::{Control, Interrupt};

/// Fuel for the check of the games of one quotient.
const FUEL: u64 = 100_000;

/// Reads the result of a batch of construction schemes.
///
/// What can be read can be written and is read as the same result; the bytes are the same exactly
/// if the strict reader takes them.
pub fn schemes(bytes: &[u8]) {
    let Ok(outcome) = decode(bytes) else {
        assert!(decode_canonical(bytes).is_err());
        return;
    };
    let written = encode(&outcome).unwrap();
    assert_eq!(decode(&written).as_ref(), Ok(&outcome));
    assert_eq!(decode_canonical(bytes).is_ok(), written == bytes);
    let Outcome::Settled(settled) = outcome else {
        return;
    };
    let batch = Batch {
        most: 8,
        order: 2,
        schemes: vec![Scheme::first()],
    };
    for found in settled.constructions(&batch).into_iter().flatten() {
        let control = &mut Control::new(FUEL, Interrupt::default());
        let _ = construction::check(&found, control);
    }
}

/// Reads the state of a classification.
///
/// Its hash is appended here, so that an invented state passes that test. A state that can be read
/// is written and read as the same state.
pub fn classification(bytes: &[u8]) {
    let sealed = [bytes, blake3::hash(bytes).as_bytes()].concat();
    let Ok(classifier) = Classifier::from_bytes(&sealed) else {
        return;
    };
    let written = classifier.to_bytes();
    let again = Classifier::from_bytes(&written).unwrap();
    assert_eq!(again.to_bytes(), written);
}
