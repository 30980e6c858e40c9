//! The stored form of the brain document: its changes from version to version, and its summary for lists.

use adjutant_research::{Entry, QuestionState, Run};
use serde_json::{Map, Value, json};

/// Maximum changes of one version that are stored one by one; a version with more is stored without them.
const CHANGES_MAX: usize = 500;

/// Returns a document as text and as JSON, with its differences from `known`; `None` if it cannot be serialised.
pub(super) fn changed(run: &Run, known: &Value) -> Option<(String, Value, Value)> {
    let text = run.to_json().ok()?;
    let whole: Value = serde_json::from_str(&text).ok()?;
    let mut changes = Map::new();
    compare(known, &whole, &mut String::new(), &mut changes);
    if changes.len() > CHANGES_MAX {
        changes = Map::new();
    }
    Some((text, whole, Value::Object(changes)))
}

/// Records, by JSON pointer, where `new` differs from `old`; a removed value is recorded as null.
fn compare(old: &Value, new: &Value, at: &mut String, changes: &mut Map<String, Value>) {
    match (old, new) {
        (Value::Object(before), Value::Object(after)) => {
            for (key, value) in after {
                let known = before.get(key).unwrap_or(&Value::Null);
                below(at, key, |at| compare(known, value, at, changes));
            }
            for key in before.keys().filter(|key| !after.contains_key(*key)) {
                below(at, key, |at| {
                    changes.insert(at.clone(), Value::Null);
                });
            }
        }
        (Value::Array(before), Value::Array(after)) if after.len() >= before.len() => {
            for (index, value) in after.iter().enumerate() {
                let known = before.get(index).unwrap_or(&Value::Null);
                below(at, &index.to_string(), |at| {
                    compare(known, value, at, changes);
                });
            }
        }
        _ if old == new => {}
        _ => {
            changes.insert(at.clone(), new.clone());
        }
    }
}

fn below(at: &mut String, key: &str, then: impl FnOnce(&mut String)) {
    let length = at.len();
    at.push('/');
    at.push_str(&key.replace('~', "~0").replace('/', "~1"));
    then(at);
    at.truncate(length);
}

/// Returns what lists show of a run.
pub(super) fn summary(run: &Run) -> Value {
    let questions = run.questions();
    let entries = || questions.iter().flat_map(|question| &question.memory);
    let count = |of: fn(&Entry) -> bool| entries().filter(|entry| of(entry)).count();
    let spending = run.spending();
    let report = run.report();
    json!({
        "round": run.round(),
        "questions": questions.len(),
        "answered": questions.iter().filter(|one| one.state == QuestionState::Done).count(),
        "searches": count(|entry| matches!(entry, Entry::Search { .. })),
        "pages": count(|entry| matches!(entry, Entry::Page { .. })),
        "credits": spending.spent.saturating_add(spending.reserved),
        "credits_max": run.limits().credits,
        "running_ms": spending.running_ms,
        "running_ms_max": run.limits().running_ms,
        "answer": report.and_then(|report| report.answer.as_ref()).map(|answer| answer.text.clone()),
        "confidence": report.map(|report| report.confidence),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_otherwise_is_noted() {
        let old = json!({ "a": 1, "b": { "c/d": [1, 2] }, "gone": true });
        let new = json!({ "a": 1, "b": { "c/d": [1, 3, 4] }, "new": "x" });
        let mut changes = Map::new();
        compare(&old, &new, &mut String::new(), &mut changes);
        let expected = json!({ "/b/c~1d/1": 3, "/b/c~1d/2": 4, "/gone": null, "/new": "x" });
        assert_eq!(Value::Object(changes), expected);
    }
}
