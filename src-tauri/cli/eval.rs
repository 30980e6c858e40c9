//! `eval`: predictions for a file of cases. Needs no profile.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;

use adjutant::model_reply;
use adjutant::profile::Place;
use adjutant::sentences::Sentences;
use adjutant_api::Fault;
use adjutant_understanding::{confirm, route, time};
use serde_json::{Value, json};

use crate::args::{Common, Suite};
use crate::{End, print};

/// Longest case in bytes.
const CASE_BYTES_MAX: usize = 1024 * 1024;

/// Reads cases, writes predictions in the same order, prints a summary.
/// With `sentences`, routes that the phrases leave open are compared with the examples.
pub(crate) fn run(
    suite: Suite,
    input: &Path,
    output: &Path,
    sentences: Option<&Sentences>,
    as_json: bool,
) -> Result<End, Fault> {
    let cases = BufReader::new(File::open(input).map_err(|error| io_fault(input, &error))?);
    let mut out = BufWriter::new(File::create(output).map_err(|error| io_fault(output, &error))?);
    let mut summary = Summary::default();
    for (number, line) in cases.lines().enumerate() {
        let line = line.map_err(|error| io_fault(input, &error))?;
        if line.trim().is_empty() {
            continue;
        }
        let case: Value = (line.len() <= CASE_BYTES_MAX)
            .then(|| serde_json::from_str(&line).ok())
            .flatten()
            .filter(|case: &Value| case.get("id").is_some())
            .ok_or_else(|| Fault {
                code: "usage".into(),
                message: format!(
                    "Line {} of {} is not a case (a JSON object with an id).",
                    number + 1,
                    input.display()
                ),
                hint: "Correct that line and run it again.".into(),
            })?;
        let mut prediction = predict(suite, &case, sentences, &mut summary);
        if let Some(object) = prediction.as_object_mut() {
            object.insert("id".into(), case["id"].clone());
        }
        writeln!(out, "{prediction}").map_err(|error| io_fault(output, &error))?;
    }
    out.flush().map_err(|error| io_fault(output, &error))?;
    summary.print(as_json);
    Ok(End::Finished)
}

/// The installed sentence-embedding model.
pub(crate) fn sentences(common: &Common) -> Result<Sentences, Fault> {
    let place = Place::find(common.options().home.as_deref(), None).map_err(|fault| Fault {
        code: "usage".into(),
        message: format!("{fault}."),
        hint: "Choose a folder with --home.".into(),
    })?;
    let sentences = Sentences::of(place.home());
    if sentences.stay() {
        return Ok(sentences);
    }
    Err(Fault {
        code: "no_sentences".into(),
        message: "The sentence-embedding model is not installed.".into(),
        hint: "Run scripts/sentence-model, or leave --sentences out.".into(),
    })
}

fn predict(
    suite: Suite,
    case: &Value,
    sentences: Option<&Sentences>,
    summary: &mut Summary,
) -> Value {
    let text = case["text"].as_str().unwrap_or_default();
    let (mut value, label, micros) = match suite {
        Suite::Route => {
            let history: Vec<route::Said<'_>> = case["history"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|said| route::Said {
                    by_person: said["role"] == "user",
                    text: said["text"].as_str().unwrap_or_default(),
                })
                .collect();
            let (prediction, micros) = timed(|| match sentences {
                Some(sentences) => route::route_with(text, &history, &sentences.patient())
                    .route
                    .into(),
                None => route::predict(text, &history),
            });
            let label = if prediction.domains.is_empty() {
                "chat".to_owned()
            } else {
                prediction
                    .domains
                    .iter()
                    .map(|domain| domain.as_str())
                    .collect::<Vec<_>>()
                    .join("+")
            };
            (json!(prediction), label, micros)
        }
        Suite::When => {
            let (reference, zone) = (
                case["ref"].as_str().unwrap_or_default(),
                case["tz"].as_str().unwrap_or("UTC"),
            );
            let (prediction, micros) = timed(|| time::eval::predict(text, reference, zone));
            (json!(prediction), prediction.kind.to_owned(), micros)
        }
        Suite::Confirm => {
            let (prediction, micros) = timed(|| confirm::predict(text, case["prompt"].as_str()));
            let value = json!(prediction);
            let label = value["label"].as_str().unwrap_or_default().to_owned();
            (value, label, micros)
        }
        Suite::Repair => {
            // An effect's class may be named instead of a plain yes.
            let effect = match &case["effect"] {
                Value::Bool(effect) => *effect,
                Value::String(class) => class != "read",
                _ => false,
            };
            let input = case["input"].as_str().unwrap_or_default();
            let (read, _) = timed(|| model_reply::read(input, effect));
            return match read {
                Ok(value) => {
                    summary.count("value");
                    json!({ "value": value })
                }
                Err(reason) => {
                    summary.count("reject");
                    json!({ "reject": reason })
                }
            };
        }
        // Its cases come from no file.
        Suite::Own => return json!({}),
    };
    summary.count(&label);
    summary.micros.push(micros);
    value["micros"] = micros.into();
    value
}

#[expect(
    clippy::disallowed_methods,
    reason = "this command measures how long predictions take"
)]
fn timed<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let start = std::time::Instant::now();
    let result = work();
    (
        result,
        u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX),
    )
}

#[derive(Default)]
struct Summary {
    labels: BTreeMap<String, usize>,
    micros: Vec<u64>,
}

impl Summary {
    fn count(&mut self, label: &str) {
        *self.labels.entry(label.to_owned()).or_default() += 1;
    }

    fn print(&mut self, as_json: bool) {
        self.micros.sort_unstable();
        let at = |share: usize| self.micros.get(self.micros.len() * share / 100).copied();
        let (p50, p95) = (at(50), at(95));
        if as_json {
            print::json(&json!({ "labels": self.labels, "micros_p50": p50, "micros_p95": p95 }));
            return;
        }
        for (label, count) in &self.labels {
            print::line(&format!("{label:<24} {count:>6}"));
        }
        if let (Some(p50), Some(p95)) = (p50, p95) {
            print::line(&format!("p50 {p50} µs, p95 {p95} µs"));
        }
    }
}

fn io_fault(path: &Path, error: &std::io::Error) -> Fault {
    Fault {
        code: "file".into(),
        message: format!("{} cannot be used: {error}.", path.display()),
        hint: "Check the path and its permissions.".into(),
    }
}
