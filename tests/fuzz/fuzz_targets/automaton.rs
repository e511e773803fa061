#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| misere_untrusted::certificates::automaton(bytes));
