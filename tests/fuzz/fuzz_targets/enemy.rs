//! False claims that bytes choose: the enemy of `tests/checker/tests/enemy` throws the bytes as
//! dice. A claim that the checker accepts and the judge finds false ends the run.
#![no_main]

#[path = "../../../tests/checker/tests/enemy/mod.rs"]
#[allow(dead_code, unused_imports, reason = "its tests are not built here")]
mod enemy;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| enemy::by_dice(bytes));
