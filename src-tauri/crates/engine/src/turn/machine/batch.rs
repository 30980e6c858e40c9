//! Merges several calls of one step: all or nothing, one output, one text.

use adjutant_domain::outcome::{Answer, Stop};
use serde_json::{Value, json};

/// Lines that a batch contributes to the answer; the rest is counted.
const BATCH_LINES_MAX: usize = 20;

pub(super) fn all<T>(results: Vec<Result<T, Stop>>) -> Result<Vec<T>, Stop> {
    results.into_iter().collect()
}

pub(super) fn one_or_list(mut values: Vec<Value>) -> Value {
    if values.len() == 1 {
        values.remove(0)
    } else {
        Value::Array(values)
    }
}

/// Merges the answers of a batch: outputs as a list, one line of text each, and everything it touched.
pub(super) fn merge(mut answers: Vec<Answer>) -> Answer {
    if answers.len() == 1 {
        return answers.remove(0);
    }
    let count = answers.len();
    let mut merged = Answer::default();
    let mut items = Vec::with_capacity(count);
    let mut lines = Vec::new();
    for answer in answers {
        items.push(answer.output);
        lines.push(answer.say);
        merged.referents.extend(answer.referents);
        merged.taint = merged.taint.join(answer.taint);
        merged.used_memories.extend(answer.used_memories);
    }
    if count > BATCH_LINES_MAX {
        lines.truncate(BATCH_LINES_MAX);
        lines.push(format!("And {} more.", count - BATCH_LINES_MAX));
    }
    merged.say = lines.join("\n");
    merged.output = json!({ "items": items, "count": count });
    merged
}
