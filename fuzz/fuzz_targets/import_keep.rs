//! Any bytes as a .json file of Google Keep: records or refusals, no panic.
#![no_main]

mod import;

libfuzzer_sys::fuzz_target!(|data: &[u8]| import::read("json", data));
