//! Results of normal play, which pages show: files of a directory that may come from strangers.

use std::path::Path;

use misere_census::normal_results::{NormalResult, NormalResults};
use misere_check::normal_period::check_values;
use misere_game::control::{Control, Interrupt};

/// Fuel for the check of one claim: a fraction of a second.
const FUEL: u64 = 100_000;

/// Reads a result as `misere normal run` writes it.
///
/// What can be read is written and read as the same result, and the checker judges the nim-values
/// that it claims.
pub fn result(bytes: &[u8]) {
    let path = Path::new("result.json");
    let Ok(result) = NormalResult::of_bytes(path, bytes) else {
        return;
    };
    let written = serde_json::to_vec(&result).unwrap();
    assert_eq!(NormalResult::of_bytes(path, &written).unwrap(), result);
    // A page shows only what is in the result itself.
    assert!(result.last_mark().is_some());
    assert_eq!(result.is_solved(), result.period.is_some());
    let claim = result.values.into_claim().unwrap();
    let control = &mut Control::new(FUEL, Interrupt::default());
    let _ = check_values(&claim, control);
    // No directory has been read.
    assert!(NormalResults::default().of(&claim.code).is_none());
}
