//! Predictions for the evaluation suite `when`.

use super::{Policy, Value, find_main};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use std::ops::Range;

/// One prediction; times are local and in ISO 8601 without a zone.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
pub struct Prediction {
    /// One of `instant`, `date`, `interval`, `duration`, `set` or `none`.
    pub kind: &'static str,
    /// Bytes of the expression.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "pair")]
    pub span: Option<Range<usize>>,
    /// First moment; for a duration, its end if it begins now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// End of an interval, exclusive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// Length of a duration, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The RRULE of a set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rrule: Option<String>,
}

/// Serializes a span as `[start, end]`.
fn pair<S: serde::Serializer>(span: &Option<Range<usize>>, out: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&span.as_ref().map(|span| [span.start, span.end]), out)
}

/// Reads `text` at the local time `reference` (ISO 8601) in the zone `tz` (IANA name) and predicts its most specific
/// expression. The kind is also `none` if `reference` or `tz` cannot be read.
pub fn predict(text: &str, reference: &str, tz: &str) -> Prediction {
    let none = Prediction {
        kind: "none",
        ..Prediction::default()
    };
    let (Ok(at), Ok(zone)) = (reference.parse::<DateTime>(), TimeZone::get(tz)) else {
        return none;
    };
    let Ok(now) = at.to_zoned(zone) else {
        return none;
    };
    let Some(found) = find_main(text, &now, &Policy::default()) else {
        return none;
    };
    let local = |at: DateTime| Some(at.strftime("%Y-%m-%dT%H:%M:%S").to_string());
    let mut answer = Prediction {
        span: Some(found.span),
        ..none
    };
    match found.value {
        Value::Instant(at) => (answer.kind, answer.start) = ("instant", local(at.datetime())),
        Value::Date(day) => {
            (answer.kind, answer.start) = ("date", Some(day.strftime("%Y-%m-%d").to_string()))
        }
        Value::Interval { start, end } => {
            answer.kind = "interval";
            (answer.start, answer.end) = (local(start.datetime()), local(end.datetime()));
        }
        Value::Duration(length) => {
            (answer.kind, answer.seconds) = ("duration", Some(length.seconds));
            // The suite asks for a time, so a length alone counts from now.
            answer.start = now
                .checked_add(length.span)
                .ok()
                .and_then(|at| local(at.datetime()));
        }
        Value::Set { rrule, first, .. } => {
            answer.kind = "set";
            answer.start = first.and_then(|at| local(at.datetime()));
            answer.rrule = Some(rrule);
        }
    }
    answer
}
