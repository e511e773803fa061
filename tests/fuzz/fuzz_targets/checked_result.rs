#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| misere_untrusted::checked::result(bytes));
