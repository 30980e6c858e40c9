//! `memory.update`

use adjutant_domain::change::Change;
use adjutant_domain::gate::{Assessment, Call, Risk};
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Kind, Memory, MemorySource, Record};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::find::MemoryFilter;
use super::store::set_aside;
use super::{KEY_CHARS_MAX, VALUE_CHARS_MAX, answer};
use crate::effect::{CardDraft, FactDraft, Prepared, local};
use crate::registry::{Acting, spec};
use crate::select::{AsTarget, Ids, bad, check_length, target_one};
use crate::words;

/// The tool `memory.update`: corrects something that is remembered.
pub(super) struct Update;

/// Arguments of `memory.update`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The memory.
    id: Option<Ids>,
    /// Or: which memory, by description.
    target: Option<MemoryFilter>,
    /// The fact as it is now.
    value: String,
    /// Its kind, if that changes too.
    category: Option<String>,
}

#[async_trait]
impl Acting for Update {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "memory.update",
            Domain::Memory,
            Risk::LocalReversible,
            "Corrects something that is remembered; the old value stays as past.",
            &[
                "my … is now",
                "that has changed",
                "update what you know about",
                "correct that",
                "it is no longer",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let value = args.value.trim();
        if value.is_empty() || value.chars().count() > VALUE_CHARS_MAX {
            return Err(bad(format!(
                "A memory has 1 to {VALUE_CHARS_MAX} characters."
            )));
        }
        let category = args.category.as_deref().unwrap_or_default();
        check_length("A category", category, KEY_CHARS_MAX)?;
        let old = target_one(args.id.as_ref(), args.target.as_ref(), cx).await?;
        let now = cx.now.timestamp();
        let mut past = old.clone();
        past.valid_to = Some(now);
        past.updated = now;
        let new = Memory {
            id: cx.new_id(Kind::Memory),
            value: value.to_owned(),
            category: args
                .category
                .clone()
                .unwrap_or_else(|| old.category.clone()),
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
            key: old.key.clone(),
        };
        let mut sketch = CardDraft::new("Correct a memory", "Change", "Can be undone.");
        sketch
            .facts
            .push(FactDraft::from_arg(&old.key, value, "/value").was(old.value.clone()));
        let say = format!(
            "Remembered: {} is {}. It was {}.",
            words::inline(&old.key),
            words::inline(value),
            words::inline(&old.value)
        );
        Ok(Prepared {
            targets: vec![old.target()],
            operations: local(
                Change::replace(Record::Memory(past)).and_add(Record::Memory(new.clone())),
            ),
            answer: answer(&[new], 1, say, cx),
            assessment: Assessment::reversible(),
            sketch,
        })
    }

    fn settle(&self, change: Change, answer: Answer, call: &Call, _: &Cx) -> (Change, Answer) {
        set_aside(change, answer, call)
    }
}
