//! References inside arguments: `{"$from": key, "path": pointer}` and, inside `each`, `{"$item": pointer}`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::StepKey;

/// A reference to a value in the result of an earlier step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// Which step.
    #[serde(rename = "$from")]
    pub from: StepKey,
    /// JSON pointer (RFC 6901) into its output; empty for all of it.
    #[serde(default)]
    pub path: String,
}

impl Reference {
    /// A reference as it stands in arguments.
    #[must_use]
    pub fn to_value(&self) -> Value {
        serde_json::json!({ "$from": self.from, "path": self.path })
    }
}

/// A reference leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nothing at {path} in the result of step {from}")]
pub struct UnresolvedReference {
    /// The step, or `$item`.
    pub from: String,
    /// The pointer.
    pub path: String,
}

/// Outputs of the steps that ended, by key.
pub type Outputs = BTreeMap<StepKey, Value>;

/// Replaces every reference in `args`. `item` is the element of an `each`.
///
/// # Errors
/// When a reference leads nowhere.
pub fn resolve(
    args: &Value,
    outputs: &Outputs,
    item: Option<&Value>,
) -> Result<Value, UnresolvedReference> {
    match args {
        Value::Object(map) => {
            if let Some(Value::String(path)) = map.get("$item") {
                return item
                    .and_then(|item| item.pointer(path))
                    .cloned()
                    .ok_or_else(|| UnresolvedReference {
                        from: "$item".into(),
                        path: path.clone(),
                    });
            }
            if let Some(reference) = as_reference(args) {
                return look_up(&reference, outputs).cloned();
            }
            map.iter()
                .map(|(key, value)| Ok((key.clone(), resolve(value, outputs, item)?)))
                .collect::<Result<serde_json::Map<_, _>, _>>()
                .map(Value::Object)
        }
        Value::Array(list) => list
            .iter()
            .map(|value| resolve(value, outputs, item))
            .collect::<Result<Vec<_>, _>>()
            .map(Value::Array),
        other => Ok(other.clone()),
    }
}

/// Reads `{"$from": …, "path": …}`.
#[must_use]
pub fn as_reference(value: &Value) -> Option<Reference> {
    let map = value.as_object()?;
    let from = map.get("$from")?.as_str()?;
    let path = map.get("path").and_then(Value::as_str).unwrap_or("");
    Some(Reference {
        from: from.into(),
        path: path.to_owned(),
    })
}

/// The value a reference points at.
///
/// # Errors
/// When it leads nowhere.
pub fn look_up<'a>(
    reference: &Reference,
    outputs: &'a Outputs,
) -> Result<&'a Value, UnresolvedReference> {
    outputs
        .get(&reference.from)
        .and_then(|output| output.pointer(&reference.path))
        .ok_or_else(|| UnresolvedReference {
            from: reference.from.0.clone(),
            path: reference.path.clone(),
        })
}

/// The keys of all steps that `args` refers to, and whether `$item` occurs.
#[must_use]
pub fn uses(args: &Value) -> (Vec<StepKey>, bool) {
    let mut keys = Vec::new();
    let mut item = false;
    let mut todo = vec![args];
    while let Some(value) = todo.pop() {
        match value {
            Value::Object(map) => {
                item |= map.contains_key("$item");
                if let Some(reference) = as_reference(value) {
                    keys.push(reference.from);
                } else {
                    todo.extend(map.values());
                }
            }
            Value::Array(list) => todo.extend(list),
            _ => {}
        }
    }
    keys.sort();
    keys.dedup();
    (keys, item)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn references_are_replaced_at_any_depth() {
        let outputs = Outputs::from([("s1".into(), json!({"mails": [{"id": "a"}, {"id": "b"}]}))]);
        let args = json!({"id": {"$from": "s1", "path": "/mails/1/id"}, "list": [{"$item": "/x"}]});
        assert_eq!(
            resolve(&args, &outputs, Some(&json!({"x": 7}))),
            Ok(json!({"id": "b", "list": [7]}))
        );
        assert!(resolve(&args, &outputs, None).is_err());
        assert!(resolve(&json!({"$from": "s9"}), &outputs, None).is_err());
        assert_eq!(uses(&args), (vec!["s1".into()], true));
    }
}
