//! Any text as a model's reply to a stage of a turn: what leads to effects is one strict JSON object, and a reader that
//! frees an object from the words around it never changes one that needed no freeing.
#![no_main]

// The file itself, so that this needs none of the engine around it.
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
