//! Checks whether a reply has the requested shape.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use adjutant_domain::model::{ModelEvent, ReplyShape, StopReason};
use jsonschema::Validator;
use serde_json::Value;

/// Longest JSON reply, in bytes. Plans and extractions have a few kilobytes.
pub const JSON_BYTES_MAX: usize = 1024 * 1024;
/// Longest explanation of a mismatch, in bytes.
const WHY_BYTES_MAX: usize = 400;

/// Parses the JSON of a reply: the whole text, or the contents of the one fenced block it consists of, which models
/// without a JSON mode write. Repairs nothing.
///
/// # Errors
/// What is wrong with the reply, without quoting it.
pub fn read_json(text: &str) -> Result<Value, String> {
    if text.len() > JSON_BYTES_MAX {
        return Err(format!("it is longer than {JSON_BYTES_MAX} bytes"));
    }
    let text = text.trim();
    if text.is_empty() {
        return Err("it is empty".into());
    }
    serde_json::from_str(inside_fence(text).unwrap_or(text))
        .map_err(|error| format!("it is not JSON: {error}"))
}

/// Returns the contents of a text that is exactly one fenced block.
fn inside_fence(text: &str) -> Option<&str> {
    let inside = text.strip_prefix("```")?.strip_suffix("```")?;
    let (language, body) = inside.split_once('\n')?;
    matches!(language.trim(), "" | "json" | "JSON").then_some(body)
}

/// A reply as it arrives. Its text is kept only if its shape must be checked.
pub(super) struct Reply {
    schema: Option<Value>,
    text: String,
    tools: bool,
}

impl Reply {
    pub(super) fn new(shape: &ReplyShape) -> Self {
        Self {
            schema: match shape {
                ReplyShape::Text => None,
                ReplyShape::Json { schema } => Some(schema.clone()),
            },
            text: String::new(),
            tools: false,
        }
    }

    /// Forgets the output so far, which is void.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.tools = false;
    }

    pub(super) fn add(&mut self, event: &ModelEvent) {
        match event {
            // One byte more than allowed is enough to detect the excess.
            ModelEvent::Token { text }
                if self.schema.is_some() && self.text.len() <= JSON_BYTES_MAX =>
            {
                self.text.push_str(text);
            }
            ModelEvent::ToolCall { .. } => self.tools = true,
            _ => {}
        }
    }

    /// Checks the complete reply. Tool calls are exempt: whoever reads them checks them.
    pub(super) fn check(&self, stop: StopReason) -> Result<(), String> {
        let Some(schema) = self.schema.as_ref().filter(|_| !self.tools) else {
            return Ok(());
        };
        let value = read_json(&self.text).map_err(|why| match stop {
            StopReason::Length => "it was too long and is cut".to_owned(),
            StopReason::Refused => "the model would not answer".to_owned(),
            StopReason::Complete | StopReason::Tools => why,
        })?;
        fits(schema, &value)
    }
}

/// Highest number of compiled schemas kept: more than there are stages that request structure. Schemas requested less
/// often are compiled again.
const READY_MAX: usize = 16;

/// Recently used schemas, the latest last. Compiling a schema takes longer than everything else done with a reply.
static READY: Mutex<VecDeque<(Value, Arc<Validator>)>> = Mutex::new(VecDeque::new());

/// Returns a compiled schema, or `None` if it is invalid.
fn ready(schema: &Value) -> Option<Arc<Validator>> {
    let kept = || READY.lock().unwrap_or_else(PoisonError::into_inner);
    {
        let mut kept = kept();
        if let Some(at) = kept.iter().position(|(of, _)| of == schema) {
            let found = kept.remove(at)?;
            let validator = found.1.clone();
            kept.push_back(found);
            return Some(validator);
        }
    }
    // The lock is released while compiling, so that others need not wait.
    let validator = match jsonschema::validator_for(schema) {
        Ok(validator) => Arc::new(validator),
        Err(error) => {
            // A schema may come from a third-party tool; if it is invalid, the reply is not at fault.
            tracing::warn!(%error, "a schema is none; the reply is not checked against it");
            return None;
        }
    };
    let mut kept = kept();
    kept.push_back((schema.clone(), validator.clone()));
    if kept.len() > READY_MAX {
        kept.pop_front();
    }
    Some(validator)
}

fn fits(schema: &Value, value: &Value) -> Result<(), String> {
    let Some(validator) = ready(schema) else {
        return Ok(());
    };
    let Err(error) = validator.validate(value) else {
        return Ok(());
    };
    let path = error.instance_path().to_string();
    let place = if path.is_empty() { "the whole" } else { &path };
    // Values are masked, because the text goes into logs and ledgers.
    let mut why = format!("{place} does not fit: {}", error.masked());
    why.truncate(why.floor_char_boundary(WHY_BYTES_MAX));
    Err(why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(schema: Value, text: &str, stop: StopReason) -> Result<(), String> {
        let mut reply = Reply::new(&ReplyShape::Json { schema });
        reply.add(&ModelEvent::Token { text: text.into() });
        reply.check(stop)
    }

    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": { "steps": { "type": "array", "items": { "type": "string" } } },
            "required": ["steps"],
            "additionalProperties": false,
        })
    }

    #[test]
    fn json_is_taken_bare_or_in_one_fence_and_never_repaired() {
        for (text, good) in [
            (r#"{"steps":["a"]}"#, true),
            ("  \n{\"steps\":[]}\n ", true),
            ("```json\n{\"steps\":[]}\n```", true),
            ("```\n{\"steps\":[]}\n```\n", true),
            ("Here it is:\n```json\n{\"steps\":[]}\n```", false),
            (r#"{"steps":["a",]}"#, false),
            (r#"{"steps":["a"]"#, false),
            (r#"{"steps":["a"]} and so on"#, false),
            ("{'steps':[]}", false),
            ("", false),
            ("   ", false),
            (r#"{"steps":[1]}"#, false),
            (r#"{"stages":[]}"#, false),
            ("null", false),
        ] {
            assert_eq!(
                check(schema(), text, StopReason::Complete).is_ok(),
                good,
                "{text}"
            );
        }
    }

    #[test]
    fn what_does_not_fit_is_named_and_not_quoted() {
        let why = check(schema(), r#"{"steps":["a", 4071]}"#, StopReason::Complete)
            .expect_err("a number");
        assert!(why.contains("/steps/1") && why.contains("string"), "{why}");
        assert!(!why.contains("4071"), "{why}");
        let long = format!(r#"{{"{}":1}}"#, "é".repeat(5_000));
        let why = check(schema(), &long, StopReason::Complete).expect_err("another key");
        assert!(why.len() <= WHY_BYTES_MAX, "{}", why.len());
    }

    #[test]
    fn a_cut_reply_says_that_it_is_cut() {
        let why = check(schema(), r#"{"steps":["#, StopReason::Length).expect_err("cut");
        assert!(why.contains("too long"), "{why}");
        // Whole by luck.
        assert!(check(schema(), r#"{"steps":[]}"#, StopReason::Length).is_ok());
    }

    #[test]
    fn a_schema_that_is_none_or_wants_the_network_holds_nobody_up() {
        for schema in [
            json!({ "type": 7 }),
            json!({ "$ref": "https://schemas.example/plan.json" }),
            json!({ "pattern": "(" }),
        ] {
            assert!(check(schema, "{}", StopReason::Complete).is_ok());
        }
    }

    #[test]
    fn a_schema_is_made_ready_once_and_those_kept_are_few() {
        let schema = |number: usize| json!({ "required": [format!("kept-{number}")] });
        let first = ready(&schema(0)).expect("a schema");
        let again = ready(&schema(0)).expect("a schema");
        assert!(Arc::ptr_eq(&first, &again));
        for number in 1..=READY_MAX {
            ready(&schema(number)).expect("a schema");
        }
        let later = ready(&schema(0)).expect("a schema");
        assert!(!Arc::ptr_eq(&first, &later), "it was let go");
        assert!(READY.lock().expect("no panic").len() <= READY_MAX);
        // Each is used for its own schema and no other.
        assert!(fits(&schema(1), &json!({ "kept-1": 1 })).is_ok());
        assert!(fits(&schema(2), &json!({ "kept-1": 1 })).is_err());
    }

    #[test]
    fn a_flood_is_refused() {
        let mut reply = Reply::new(&ReplyShape::Json { schema: json!({}) });
        for _ in 0..64 {
            reply.add(&ModelEvent::Token {
                text: " ".repeat(JSON_BYTES_MAX / 2),
            });
        }
        assert!(reply.text.len() <= 2 * JSON_BYTES_MAX);
        assert!(reply.check(StopReason::Complete).is_err());
    }
}
