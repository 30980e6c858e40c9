//! Any bytes as a .mbox file: records or refusals, no panic.
#![no_main]

mod import;

libfuzzer_sys::fuzz_target!(|data: &[u8]| import::read("mbox", data));
