//! Predicts a file of `route` cases: `cargo run --release --example route -- IN OUT [--explain]`.

use std::error::Error;
use std::io::{BufRead as _, Write as _};

use adjutant_understanding::route::{self, EarlierMessage};
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (input, output) = (args.next().ok_or("IN")?, args.next().ok_or("OUT")?);
    let explain = args.next().is_some();
    let mut out = std::io::BufWriter::new(std::fs::File::create(output)?);
    for line in std::io::BufReader::new(std::fs::File::open(input)?).lines() {
        let case: Value = serde_json::from_str(&line?)?;
        let text = case["text"].as_str().unwrap_or_default();
        let history: Vec<EarlierMessage<'_>> = case["history"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|earlier| EarlierMessage {
                by_person: earlier["role"] == "user",
                text: earlier["text"].as_str().unwrap_or_default(),
            })
            .collect();
        #[expect(
            clippy::disallowed_methods,
            reason = "an example measures; the library has no clock"
        )]
        let start = std::time::Instant::now();
        let prediction = route::predict(text, &history);
        let micros = start.elapsed().as_micros();
        let mut value = serde_json::to_value(prediction)?;
        value["id"] = case["id"].clone();
        value["micros"] = Value::from(u64::try_from(micros)?);
        if explain {
            let reading = route::route(text, &history);
            value["evidence"] = serde_json::to_value(reading.evidence)?;
        }
        writeln!(out, "{value}")?;
    }
    out.flush()?;
    Ok(())
}
