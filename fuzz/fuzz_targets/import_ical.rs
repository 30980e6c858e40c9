//! Reads any bytes as a .ics file: it yields records or refusals and never panics.
#![no_main]

mod import;

libfuzzer_sys::fuzz_target!(|data: &[u8]| import::read("ics", data));
