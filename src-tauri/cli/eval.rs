//! `eval`: predictions for a file of cases. Needs no profile.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;

use adjutant::model_reply;
use adjutant::profile::ProfileLocation;
use adjutant::sentences::Sentences;
use adjutant_api::Fault;
use adjutant_domain::faults::io_reason;
use adjutant_understanding::{confirm, route, time};
use serde_json::{Value, json};

use crate::args::{Common, Suite};
use crate::{End, print};

/// Maximum size of a case in bytes.
const CASE_BYTES_MAX: usize = 1024 * 1024;

/// Reads cases, writes predictions in the same order, and prints a summary. With `sentences`, compares messages with
/// the examples if phrases alone do not decide their route.
pub(crate) fn run(
    suite: Suite,
    input: &Path,
    output: &Path,
    sentences: Option<&Sentences>,
    as_json: bool,
) -> Result<End, Fault> {
    // Open the cases first, so that existing predictions are kept if there are none.
    let cases = cases(input)?;
    let mut out = created(output)?;
    let mut summary = Summary::default();
    for case in cases {
        let case = case?;
        let prediction = predict(suite, &case, sentences, &mut summary);
        write(&mut out, output, &case, prediction)?;
    }
    out.flush().map_err(|error| io_fault(output, &error))?;
    summary.print(as_json);
    Ok(End::Finished)
}

/// Reads the cases in a file.
pub(super) fn cases(input: &Path) -> Result<impl Iterator<Item = Result<Value, Fault>>, Fault> {
    let file = File::open(input).map_err(|error| io_fault(input, &error))?;
    let lines = BufReader::new(file).lines().enumerate();
    Ok(lines.filter_map(|(number, line)| {
        let line = match line.map_err(|error| io_fault(input, &error)) {
            Ok(line) if line.trim().is_empty() => return None,
            Ok(line) => line,
            Err(fault) => return Some(Err(fault)),
        };
        let case = (line.len() <= CASE_BYTES_MAX)
            .then(|| serde_json::from_str(&line).ok())
            .flatten()
            .filter(|case: &Value| case.get("id").is_some())
            .ok_or_else(|| Fault {
                code: "usage".into(),
                message: format!(
                    "Line {} of {} is not a case: it must be a JSON object with an id.",
                    number + 1,
                    input.display()
                ),
                hint: "Correct that line and run it again.".into(),
            });
        Some(case)
    }))
}

/// Checks that the predictions file can be written, without changing its content yet.
pub(super) fn may_be_written(output: &Path) -> Result<(), Fault> {
    let mut file = File::options();
    let opened = file.append(true).create(true).open(output);
    opened.map(drop).map_err(|error| io_fault(output, &error))
}

/// Creates the predictions file.
pub(super) fn created(output: &Path) -> Result<BufWriter<File>, Fault> {
    let file = File::create(output).map_err(|error| io_fault(output, &error))?;
    Ok(BufWriter::new(file))
}

/// Writes the prediction for a case.
pub(super) fn write(
    out: &mut BufWriter<File>,
    output: &Path,
    case: &Value,
    mut prediction: Value,
) -> Result<(), Fault> {
    if let Some(object) = prediction.as_object_mut() {
        object.insert("id".into(), case["id"].clone());
    }
    writeln!(out, "{prediction}").map_err(|error| io_fault(output, &error))
}

/// Returns the messages before that of a `route` case.
pub(super) fn said_before(case: &Value) -> Vec<route::EarlierMessage<'_>> {
    let said = case["history"].as_array().into_iter().flatten();
    said.map(|said| route::EarlierMessage {
        by_person: said["role"] == "user",
        text: said["text"].as_str().unwrap_or_default(),
    })
    .collect()
}

/// Returns the embedded engine's route for a case.
pub(super) fn embedded_route(case: &Value, sentences: Option<&Sentences>) -> route::Route {
    let text = case["text"].as_str().unwrap_or_default();
    let before = said_before(case);
    match sentences {
        Some(sentences) => route::route_with(text, &before, &sentences.patient()).route,
        None => route::route(text, &before).route,
    }
}

/// Returns the label under which a route is counted.
pub(super) fn route_label(domains: &[route::Domain]) -> String {
    if domains.is_empty() {
        return "chat".to_owned();
    }
    let words: Vec<&str> = domains.iter().map(|domain| domain.as_str()).collect();
    words.join("+")
}

/// Loads the installed sentence-embedding model.
pub(crate) fn sentences(common: &Common) -> Result<Sentences, Fault> {
    let place =
        ProfileLocation::find(common.options().home.as_deref(), None).map_err(|fault| Fault {
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
        hint: "Run scripts/sentence-model, or leave out --sentences.".into(),
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
            let (route, micros) = timed(|| embedded_route(case, sentences));
            let label = route_label(&route.domains);
            let prediction = route::Prediction::from(route);
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
            // A case may name the class of an effect instead of a yes or no.
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
        // This suite reads no file.
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
pub(super) fn timed<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let start = std::time::Instant::now();
    let result = work();
    (
        result,
        u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX),
    )
}

/// Like `timed`, for a future.
#[expect(
    clippy::disallowed_methods,
    reason = "this command measures how long predictions take"
)]
pub(super) async fn timed_while<T>(work: impl Future<Output = T>) -> (T, u64) {
    let start = std::time::Instant::now();
    let result = work.await;
    (
        result,
        u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX),
    )
}

/// The summary printed at the end.
#[derive(Default)]
pub(super) struct Summary {
    labels: BTreeMap<String, usize>,
    pub(super) micros: Vec<u64>,
}

impl Summary {
    pub(super) fn count(&mut self, label: &str) {
        *self.labels.entry(label.to_owned()).or_default() += 1;
    }

    pub(super) fn print(&mut self, as_json: bool) {
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

pub(super) fn io_fault(path: &Path, error: &std::io::Error) -> Fault {
    Fault {
        code: "file".into(),
        message: format!("{} cannot be used: {}.", path.display(), io_reason(error)),
        hint: "Check the path and its permissions.".into(),
    }
}
