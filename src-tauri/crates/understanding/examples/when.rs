//! Reads JSON lines with `id`, `text`, `ref` and `tz` on standard input and writes what the time grammar finds.

use adjutant_understanding::time::eval::predict;
use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::time::Instant;

#[expect(
    clippy::disallowed_methods,
    reason = "measuring is what this program is for"
)]
fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let Ok(case) = serde_json::from_str::<Value>(&line) else {
            continue;
        };
        let field = |name: &str| case[name].as_str().unwrap_or_default();
        let start = Instant::now();
        let found = predict(field("text"), field("ref"), field("tz"));
        let micros = start.elapsed().as_nanos() as f64 / 1000.0;
        let mut answer = json!({"id": case["id"], "kind": found.kind, "micros": micros});
        if let Some(span) = found.span {
            answer["span"] = json!([span.start, span.end]);
        }
        for (name, value) in [
            ("start", found.start),
            ("end", found.end),
            ("rrule", found.rrule),
        ] {
            if let Some(value) = value {
                answer[name] = json!(value);
            }
        }
        if let Some(seconds) = found.seconds {
            answer["seconds"] = json!(seconds);
        }
        writeln!(out, "{answer}")?;
    }
    Ok(())
}
