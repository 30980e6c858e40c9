//! Reads any text as a message: routing, reading and finding its times never panic.
#![no_main]

use adjutant_understanding::{confirm, route, time};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let now = "2026-03-29T01:59:00+01:00[Europe/Paris]"
        .parse()
        .expect("a time");
    for found in time::find(text, &now, &time::Policy::default()) {
        assert!(
            text.get(found.span.clone()).is_some(),
            "a span cuts a character"
        );
    }
    let _ = route::predict(text, &[]);
    let _ = confirm::predict(text, Some("Delete the budget review?"));
});
