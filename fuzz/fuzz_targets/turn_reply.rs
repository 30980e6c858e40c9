//! Reads any text as a model's reply to a stage of a turn: only one strict JSON object leads to effects, and the reader
//! that extracts an object from surrounding text never changes a bare object.
#![no_main]

// Includes the source file itself, so that this needs none of the engine around it.
#[path = "../../src-tauri/crates/engine/src/stages/read.rs"]
mod read;

use read::{REPLY_BYTES_MAX, lenient, strict};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let freed = lenient(text);
    if let Ok(value) = strict(text) {
        assert!(text.trim().len() <= REPLY_BYTES_MAX);
        assert!(value.is_object());
        assert_eq!(freed.as_ref(), Ok(&value), "freeing changed what was right");
        assert!(strict(&value.to_string()).is_ok(), "what was read is not read again");
    }
    if let Ok(value) = freed {
        assert!(value.is_object());
    }
});
