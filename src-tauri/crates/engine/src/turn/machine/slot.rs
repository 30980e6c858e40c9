//! Puts an answer into the arguments of a step.

use serde_json::{Map, Value};

/// Maximum number of elements of a list that an answer extends.
const LIST_MAX: usize = 1_000;

/// Sets the value at a JSON pointer (RFC 6901), creating missing objects on the way. `-` or the length of a list
/// appends. Returns whether the value could be set.
pub(super) fn set(args: &mut Value, pointer: &str, value: Value) -> bool {
    if pointer.is_empty() {
        *args = value;
        return true;
    }
    let Some(path) = pointer.strip_prefix('/') else {
        return false;
    };
    let mut at = args;
    for part in path.split('/') {
        let part = part.replace("~1", "/").replace("~0", "~");
        if at.is_null() {
            *at = Value::Object(Map::new());
        }
        at = match at {
            Value::Object(map) => map.entry(part).or_insert(Value::Null),
            Value::Array(list) => {
                let index = if part == "-" {
                    list.len()
                } else {
                    match part.parse::<usize>() {
                        Ok(index) if index <= list.len() && index < LIST_MAX => index,
                        _ => return false,
                    }
                };
                if index == list.len() {
                    list.push(Value::Null);
                }
                &mut list[index]
            }
            _ => return false,
        };
    }
    *at = value;
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(args: Value, pointer: &str, expect: Option<Value>) {
        let mut changed = args.clone();
        let done = set(&mut changed, pointer, json!("x"));
        assert_eq!(done.then_some(changed), expect, "{args} {pointer}");
    }

    #[test]
    fn answers_land_where_the_question_said() {
        check(json!({"a": 1}), "/b", Some(json!({"a": 1, "b": "x"})));
        check(
            json!({"a": {"c": 2}}),
            "/a/c",
            Some(json!({"a": {"c": "x"}})),
        );
        check(json!({}), "/a/b", Some(json!({"a": {"b": "x"}})));
        check(
            json!({"to": ["k"]}),
            "/to/1",
            Some(json!({"to": ["k", "x"]})),
        );
        check(
            json!({"to": ["k"]}),
            "/to/-",
            Some(json!({"to": ["k", "x"]})),
        );
        check(json!({"a/b": 1}), "/a~1b", Some(json!({"a/b": "x"})));
        check(json!({"a": 1}), "", Some(json!("x")));
        check(json!({"to": []}), "/to/7", None);
        check(json!({"a": 1}), "/a/b", None);
        check(json!({"a": 1}), "a", None);
    }
}
