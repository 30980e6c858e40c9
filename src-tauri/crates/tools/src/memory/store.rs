//! `memory.store`

use adjutant_domain::change::{Change, Expect, RowOp};
use adjutant_domain::filter::{Filter, Test};
use adjutant_domain::gate::{Assessment, Call, Risk};
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Kind, Memory, MemorySource, Record};
use adjutant_domain::route::Domain;
use adjutant_domain::source::{Source, source_at};
use adjutant_domain::tool::ToolSpec;
use adjutant_text::same;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::kind::kind_of;
use super::{KEY_CHARS_MAX, VALUE_CHARS_MAX, answer};
use crate::effect::{CardDraft, FactDraft, Prepared, failed, local};
use crate::registry::{Acting, spec};
use crate::select::{AsTarget, bad, check_length};
use crate::words;

/// The tool `memory.store`: remembers something.
pub(super) struct Store;

/// Arguments of `memory.store`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What it is about: "wifi password", "mom's birthday".
    key: String,
    /// The fact, in the person's words.
    value: String,
    /// Kind of fact: `fact`, `preference`, `person`, `place`, …
    category: Option<String>,
    /// What is known under the key stays: somebody likes more than one thing.
    adds: Option<bool>,
}

#[async_trait]
impl Acting for Store {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "memory.store",
            Domain::Memory,
            Risk::LocalReversible,
            "Remembers a fact; the same key replaces what was known.",
            &[
                "remember that",
                "keep in mind that",
                "my … is",
                "don’t forget that",
                "for future reference",
                "save that my",
                "I prefer",
                "note for you",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let key = normal_key(&args.key);
        let value = args.value.trim();
        if key.is_empty() || value.is_empty() {
            return Err(bad("Say what to remember."));
        }
        if key.chars().count() > KEY_CHARS_MAX || value.chars().count() > VALUE_CHARS_MAX {
            return Err(bad(format!(
                "A memory has at most {VALUE_CHARS_MAX} characters; longer text belongs into a note."
            )));
        }
        let category = args.category.as_deref().unwrap_or_default();
        check_length("A category", category, KEY_CHARS_MAX)?;
        let mut old = known(&key, cx).await?;
        if let Some(same) = old.iter().find(|row| same(&row.value, value))
            && same.source == MemorySource::Said
        {
            return Ok(unchanged(same, cx));
        }
        if args.adds == Some(true) {
            old.clear();
        }
        let now = cx.now.timestamp();
        let new = Memory {
            id: cx.new_id(Kind::Memory),
            category: match category.trim() {
                "" => kind_of(&key, value, cx).await?.to_owned(),
                given => given.to_owned(),
            },
            key: key.clone(),
            value: value.to_owned(),
            source: MemorySource::Said,
            origin: String::new(),
            confidence: 1.0,
            valid_from: now,
            valid_to: None,
            uses: 0,
            last_used: None,
            created: now,
            updated: now,
            version: 0,
        };
        let mut sketch = CardDraft::new("Remember something", "Remember", "Can be undone.");
        let mut fact = FactDraft::from_arg(&key, value, "/value");
        if let Some(before) = old.first() {
            fact = fact.was(before.value.clone());
        }
        sketch.facts.push(fact);
        let say = remembered(&new, old.first());
        let mut change = Change::default();
        for mut row in old.clone() {
            row.valid_to = Some(now);
            row.updated = now;
            change = change.and_replace(Record::Memory(row));
        }
        Ok(Prepared {
            targets: old.iter().map(AsTarget::target).collect(),
            operations: local(change.and_add(Record::Memory(new.clone()))),
            answer: answer(&[new], 1, say, cx),
            assessment: Assessment::reversible(),
            sketch,
        })
    }

    fn settle(&self, change: Change, answer: Answer, call: &Call, _: &Cx) -> (Change, Answer) {
        set_aside(change, answer, call)
    }
}

/// Decides by the source of the value: a memory from foreign text is set aside and replaces nothing.
pub(super) fn set_aside(mut change: Change, mut answer: Answer, call: &Call) -> (Change, Answer) {
    let source_at = |pointer: &str| source_at(&call.sources, &call.args, pointer);
    let found = ["/value", "/key"]
        .into_iter()
        .find_map(|pointer| source_at(pointer).filter(|source| source.is_untrusted()));
    let words = match source_at("/value") {
        Some(Source::Person { words }) => words.clone().unwrap_or_default(),
        _ => String::new(),
    };
    if let Some(Source::Untrusted { origin }) = found {
        change
            .ops
            .retain(|op| matches!(op, RowOp::Put { expect, .. } if *expect == Expect::Absent));
        answer.taint = adjutant_domain::source::Taint::Tainted;
        if change.ops.is_empty() {
            // The person said the same before, so it is known; foreign text does not confirm it.
            return (change, answer);
        }
        for op in &mut change.ops {
            if let RowOp::Put { record, .. } = op
                && let Record::Memory(memory) = record.as_mut()
            {
                memory.source = MemorySource::Read;
                memory.origin.clone_from(origin);
                memory.confidence = 0.5;
            }
        }
        answer.say = format!(
            "Set aside until you decide: this comes from {}, not from you.",
            words::inline(origin)
        );
        return (change, answer);
    }
    for op in &mut change.ops {
        if let RowOp::Put { record, .. } = op
            && let Record::Memory(memory) = record.as_mut()
            && memory.valid_to.is_none()
        {
            memory.origin.clone_from(&words);
        }
    }
    if let Some((new, old)) = stored(&change) {
        answer.say = remembered(new, old);
    }
    (change, answer)
}

/// Returns the memory that a change adds, and the one it replaces.
fn stored(change: &Change) -> Option<(&Memory, Option<&Memory>)> {
    let mut new = None;
    let mut old = None;
    for op in &change.ops {
        if let RowOp::Put { record, expect } = op
            && let Record::Memory(memory) = record.as_ref()
        {
            if *expect == Expect::Absent {
                new = Some(memory);
            } else {
                old = old.or(Some(memory));
            }
        }
    }
    new.map(|new| (new, old))
}

/// Returns what was stored, in the person's own words if they are kept.
fn remembered(new: &Memory, old: Option<&Memory>) -> String {
    let what = new.own_words().map_or_else(
        || {
            let value = new.value.trim_end_matches('.');
            format!("{} is {}", words::inline(&new.key), words::inline(value))
        },
        words::inline,
    );
    match old {
        Some(before) => format!(
            "Remembered: {what}. It was {}.",
            words::inline(&before.value)
        ),
        None => format!("Remembered: {what}."),
    }
}

/// Returns the key for "my wifi password": "wifi password". Names keep their capitals; comparisons of keys ignore case.
pub(super) fn normal_key(key: &str) -> String {
    let words: Vec<&str> = key.split_whitespace().collect();
    let skip = words
        .iter()
        .take_while(|word| {
            matches!(
                word.to_lowercase().as_str(),
                "my" | "the" | "our" | "that" | "a" | "an"
            )
        })
        .count();
    let rest = if skip < words.len() {
        &words[skip..]
    } else {
        &words[..]
    };
    rest.join(" ").trim_end_matches([':', '.', '=']).to_owned()
}

/// Returns what currently holds under a key, without memories that are set aside.
async fn known(key: &str, cx: &Cx) -> Result<Vec<Memory>, Stop> {
    let now_known = Filter::used_memories().and(Test::Called(key.to_owned()));
    let found = cx.records.memories(&now_known).await.map_err(failed)?;
    Ok(found
        .into_iter()
        .filter(|row| same(&row.key, key) && row.valid_to.is_none())
        .collect())
}

/// Prepares a memory that is already known: writes the row again as confirmed now, so that there is an effect to show.
fn unchanged(row: &Memory, cx: &Cx) -> Prepared {
    let mut again = row.clone();
    again.updated = cx.now.timestamp();
    again.confidence = 1.0;
    let say = format!(
        "Already known: {} is {}.",
        words::inline(&row.key),
        words::inline(&row.value)
    );
    let mut sketch = CardDraft::new("Remember something", "Remember", "Can be undone.");
    sketch
        .facts
        .push(FactDraft::from_arg(&row.key, &row.value, "/value"));
    Prepared {
        targets: vec![row.target()],
        answer: answer(std::slice::from_ref(&again), 1, say, cx),
        operations: local(Change::replace(Record::Memory(again))),
        assessment: Assessment::reversible(),
        sketch,
    }
}
