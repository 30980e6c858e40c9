//! Tracks where resolved values come from: what foreign text may fill in, and what it may never decide.

use adjutant_domain::ids::StepKey;
use adjutant_domain::moment::Moment;
use adjutant_domain::plan::condition::{Condition, Op, Operand};
use adjutant_domain::plan::reference::{Outputs, as_reference, look_up};
use adjutant_domain::plan::{Plan, StepDraft};
use adjutant_domain::record::Kind;
use adjutant_domain::source::{Source, Sources, Taint};
use serde_json::Value;

/// Returns the sources of a step's arguments once its references are resolved.
///
/// A reference into a clean result keeps [`Source::Step`]. A reference into a tainted result becomes
/// [`Source::Untrusted`], except for typed values (identifiers, dates, numbers), which cannot carry a sentence. An
/// address from a mail header is untrusted too: it is neither the person's word nor from the address book.
pub(super) fn sources(
    draft: &StepDraft,
    item: Option<&Value>,
    plan: &Plan,
    outputs: &Outputs,
) -> Sources {
    let mut sources = draft.sources.clone();
    walk(&draft.args, String::new(), &mut |pointer, value| {
        let (from, resolved) = if let Some(path) = item_path(value) {
            let Some(each) = &draft.each else { return };
            (
                each.from.clone(),
                item.and_then(|item| item.pointer(path)).cloned(),
            )
        } else if let Some(reference) = as_reference(value) {
            let resolved = look_up(&reference, outputs).ok().cloned();
            (reference.from, resolved)
        } else {
            return;
        };
        let source = of_step(&from, resolved.as_ref(), plan);
        sources.insert(pointer.to_owned(), source);
    });
    sources
}

fn of_step(key: &StepKey, value: Option<&Value>, plan: &Plan) -> Source {
    let step = plan.steps.iter().find(|step| step.draft.key == *key);
    let tainted = step.is_some_and(|step| {
        step.result
            .as_ref()
            .is_some_and(|result| result.taint == Taint::Tainted)
    });
    if !tainted || value.is_some_and(is_typed) {
        return Source::Step { key: key.clone() };
    }
    Source::Untrusted {
        origin: step.map_or_else(String::new, |step| step.draft.say.clone()),
    }
}

/// Whether steps that read foreign text determine if or how often `draft` runs.
pub(super) fn is_steered_by_others(draft: &StepDraft, plan: &Plan) -> bool {
    let mut read: Vec<StepKey> = draft.when.iter().flat_map(|when| when.uses()).collect();
    read.extend(draft.each.iter().map(|each| each.from.clone()));
    plan.steps.iter().any(|step| {
        read.contains(&step.draft.key)
            && step
                .result
                .as_ref()
                .is_some_and(|result| result.taint == Taint::Tainted)
    })
}

/// Whether a condition compares free foreign text. Testing whether something is empty is always allowed.
pub(super) fn reads_free_text(condition: &Condition, plan: &Plan, outputs: &Outputs) -> bool {
    let any_length = matches!(condition.op, Op::Empty | Op::NotEmpty);
    condition.args.iter().any(|operand| match operand {
        Operand::Condition(inner) => reads_free_text(inner, plan, outputs),
        Operand::Value(value) => as_reference(value).is_some_and(|reference| {
            let found = look_up(&reference, outputs).ok();
            !any_length
                && of_step(&reference.from, found, plan).is_untrusted()
                && !found.and_then(Value::as_str).is_some_and(is_address)
        }),
    })
}

/// Whether a value is a number, boolean, identifier, date or time, or a list or object of only these.
fn is_typed(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
        Value::String(text) => is_record_id(text) || text.parse::<Moment>().is_ok(),
        Value::Array(list) => list.iter().all(is_typed),
        Value::Object(map) => map.values().all(is_typed),
    }
}

/// Whether a text is a record id such as `mail_0123456789ab`: one of our prefixes and characters of our alphabet.
fn is_record_id(text: &str) -> bool {
    text.split_once('_').is_some_and(|(prefix, rest)| {
        Kind::ALL.iter().any(|kind| kind.prefix() == prefix)
            && rest.len() == adjutant_domain::ids::ID_CHARS
            && rest
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    })
}

/// Whether a text is exactly one mail address.
fn is_address(text: &str) -> bool {
    text.split_once('@').is_some_and(|(local, host)| {
        !local.is_empty()
            && host.contains('.')
            && !text
                .chars()
                .any(|char| char.is_whitespace() || char.is_control() || "<>,;\"".contains(char))
    })
}

fn item_path(value: &Value) -> Option<&str> {
    value.as_object()?.get("$item")?.as_str()
}

/// Calls `seen` for every value inside `value` with its pointer, without descending into references.
fn walk(value: &Value, pointer: String, seen: &mut impl FnMut(&str, &Value)) {
    seen(&pointer, value);
    match value {
        Value::Object(map) if !map.contains_key("$from") && !map.contains_key("$item") => {
            for (key, inner) in map {
                let key = key.replace('~', "~0").replace('/', "~1");
                walk(inner, format!("{pointer}/{key}"), seen);
            }
        }
        Value::Array(list) => {
            for (index, inner) in list.iter().enumerate() {
                walk(inner, format!("{pointer}/{index}"), seen);
            }
        }
        _ => {}
    }
}
