//! Reads any text as a model's reply: an effect requires strict JSON, and whatever is accepted is valid.
#![no_main]

// Includes the source file itself, so that this needs none of the app around it.
#[path = "../../src-tauri/model_reply.rs"]
mod model_reply;

use model_reply::read;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let strict = read(text, true);
    let lenient = read(text, false);
    if let Ok(value) = strict {
        assert_eq!(
            lenient.as_ref(),
            Ok(&value),
            "mending changed what was right"
        );
    }
});
