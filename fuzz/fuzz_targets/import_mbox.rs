//! Reads any bytes as a .mbox file: it yields records or refusals and never panics.
#![no_main]

mod import;

libfuzzer_sys::fuzz_target!(|data: &[u8]| import::read("mbox", data));
