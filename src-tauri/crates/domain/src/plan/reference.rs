//! References inside arguments: `{"$from": key, "path": pointer}` and, within `each`, `{"$item": pointer}`. Next to it,
//! `"shift_minutes": -15` moves a time, here to a quarter of an hour earlier, and `"at": "18:00"` with
//! `"zone": "Europe/Paris"` then sets its time of day.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Span};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ids::StepKey;
use crate::moment::Moment;

/// A reference to a value in the result of an earlier step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// Key of the step.
    #[serde(rename = "$from")]
    pub from: StepKey,
    /// JSON pointer (RFC 6901) into its output; empty for the whole output.
    #[serde(default)]
    pub path: String,
}

impl Reference {
    /// Returns the reference in the form it has in arguments.
    #[must_use]
    pub fn to_value(&self) -> Value {
        serde_json::json!({ "$from": self.from, "path": self.path })
    }
}

/// Error: a reference points at nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nothing at {path} in the result of step {from}")]
pub struct UnresolvedReference {
    /// The step, or `$item`.
    pub from: String,
    /// The pointer.
    pub path: String,
}

/// Outputs of completed steps, by key.
pub type Outputs = BTreeMap<StepKey, Value>;

/// Replaces every reference in `args`. `item` is the element of an `each`.
///
/// # Errors
/// Returns [`UnresolvedReference`] if a reference points at nothing or `shift_minutes` does not apply to the value.
pub fn resolve(
    args: &Value,
    outputs: &Outputs,
    item: Option<&Value>,
) -> Result<Value, UnresolvedReference> {
    match args {
        Value::Object(map) => {
            if let Some(Value::String(path)) = map.get("$item") {
                let found = item.and_then(|item| item.pointer(path));
                let found = found.ok_or_else(|| UnresolvedReference {
                    from: "$item".into(),
                    path: path.clone(),
                })?;
                return shifted(found, map);
            }
            if let Some(reference) = as_reference(args) {
                return shifted(look_up(&reference, outputs)?, map);
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

/// Moves the referenced value by `shift_minutes` and sets its time of day to `at`, where they are given. A day moved by
/// whole days stays a day.
fn shifted(found: &Value, reference: &Map<String, Value>) -> Result<Value, UnresolvedReference> {
    let minutes = reference.get("shift_minutes").and_then(Value::as_i64);
    let text = |field: &str| reference.get(field).and_then(Value::as_str);
    let clock = text("at").zip(text("zone"));
    if minutes.is_none() && clock.is_none() {
        return Ok(found.clone());
    }
    let minutes = minutes.unwrap_or(0);
    let moment = found.as_str().and_then(|text| text.parse::<Moment>().ok());
    let moved = moment.and_then(|moment| match clock {
        Some((at, zone)) => at_clock(moment, minutes, at, zone),
        None => moved(moment, minutes),
    });
    moved
        .map(|moment| serde_json::json!(moment))
        .ok_or_else(|| UnresolvedReference {
            from: "shift_minutes".into(),
            path: found.to_string(),
        })
}

/// Minutes of a day.
const DAY: i64 = 24 * 60;

fn moved(moment: Moment, minutes: i64) -> Option<Moment> {
    match moment {
        Moment::Day(day) if minutes % DAY == 0 => {
            let days = Span::new().try_days(minutes / DAY).ok()?;
            day.checked_add(days).ok().map(Moment::Day)
        }
        Moment::Day(_) => None,
        Moment::At(at) => {
            let length = SignedDuration::from_mins(minutes);
            at.checked_add(length).ok().map(Moment::At)
        }
    }
}

/// The time of day `at` in a zone, on the day to which a moment is moved. A part of a day counts as a whole day where
/// only a day is known.
fn at_clock(moment: Moment, minutes: i64, at: &str, zone: &str) -> Option<Moment> {
    let day = match moment {
        Moment::Day(day) => {
            let part = i64::from(minutes % DAY > 0);
            let days = Span::new().try_days(minutes / DAY + part).ok()?;
            day.checked_add(days).ok()?
        }
        Moment::At(at) => {
            let length = SignedDuration::from_mins(minutes);
            let there = at.in_tz(zone).ok()?;
            there.checked_add(length).ok()?.date()
        }
    };
    let clock: jiff::civil::Time = at.parse().ok()?;
    day.to_datetime(clock).in_tz(zone).ok().map(Moment::At)
}

/// Parses `{"$from": …, "path": …}`, or returns `None` for any other value.
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

/// Returns the value a reference points at.
///
/// # Errors
/// Returns [`UnresolvedReference`] if it points at nothing.
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

/// Returns the keys of all steps `args` refers to, and whether `$item` occurs.
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

    #[test]
    fn times_are_moved_from_where_a_reference_leads() {
        let item =
            json!({"at": "2026-03-13T15:00:00-04:00[America/New_York]", "day": "2026-03-01"});
        let moved = |path: &str, minutes: i64| {
            let args = json!({"$item": path, "shift_minutes": minutes});
            resolve(&args, &Outputs::new(), Some(&item))
        };
        assert_eq!(
            moved("/at", -15),
            Ok(json!("2026-03-13T14:45:00-04:00[America/New_York]"))
        );
        assert_eq!(moved("/day", -1440), Ok(json!("2026-02-28")));
        assert!(moved("/day", 30).is_err(), "a day has no half hours");
        assert!(moved("", 30).is_err(), "an object is no time");
    }

    #[test]
    fn a_time_of_day_is_set_on_the_day_a_reference_leads_to() {
        let item =
            json!({"at": "2026-03-13T15:00:00-04:00[America/New_York]", "day": "2026-03-01"});
        let set = |path: &str, minutes: i64| {
            let args = json!({"$item": path, "shift_minutes": minutes, "at": "18:00", "zone": "America/New_York"});
            resolve(&args, &Outputs::new(), Some(&item))
        };
        assert_eq!(
            set("/at", -1440),
            Ok(json!("2026-03-12T18:00:00-04:00[America/New_York]"))
        );
        assert_eq!(
            set("/day", -1440),
            Ok(json!("2026-02-28T18:00:00-05:00[America/New_York]"))
        );
        assert_eq!(
            set("/day", 360),
            Ok(json!("2026-03-02T18:00:00-05:00[America/New_York]"))
        );
    }
}
