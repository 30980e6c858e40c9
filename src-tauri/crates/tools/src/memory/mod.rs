//! What Adjutant remembers. Memories from foreign text are set aside until the person keeps them.

mod find;
mod forget;
mod kind;
mod search;
mod store;
mod update;

#[cfg(test)]
mod contract;

use adjutant_domain::focus::Referent;
use adjutant_domain::gate::Item;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Kind, Memory, MemorySource, Record};
use adjutant_domain::source::Taint;
use adjutant_domain::tool::{AnyTool, Target};
use async_trait::async_trait;
use serde_json::{Value, json};
use std::sync::Arc;

pub use find::MemoryFilter;

use crate::registry::{Acts, Reads, any};
use crate::select::{self, AsTarget, Row, Said, record};
use crate::words;

/// Maximum characters of a remembered value.
pub(crate) const VALUE_CHARS_MAX: usize = 10_000;
/// Maximum characters of a key.
pub(crate) const KEY_CHARS_MAX: usize = 200;

/// Returns the tools of this family.
pub fn tools() -> Vec<Arc<dyn AnyTool>> {
    vec![
        any(Acts(store::Store)),
        any(Reads(search::Search)),
        any(Acts(update::Update)),
        any(Acts(forget::Forget)),
    ]
}

impl AsTarget for Memory {
    fn target(&self) -> Target {
        Target {
            kind: Kind::Memory,
            id: self.id.clone(),
            version: self.version,
            label: self.key.clone(),
        }
    }
}

#[async_trait]
impl Row for Memory {
    const NOUN: &'static str = "memory";

    fn ref_id(&self) -> String {
        self.id.0.clone()
    }

    fn referent(&self) -> Option<Referent> {
        Some(self.referred())
    }

    fn said(&self) -> Said {
        Said {
            title: format!("{} {}", self.key, self.category),
            more: self.value.clone(),
            ..Said::default()
        }
    }

    fn value(&self, cx: &Cx) -> Value {
        json!({
            "id": self.id, "category": self.category, "key": self.key, "value": self.value,
            "source": self.source,
            "valid_from": self.valid_from.to_zoned(cx.zone()).to_string(),
            "valid_to": self.valid_to.map(|at| at.to_zoned(cx.zone()).to_string()),
            "uses": self.uses, "confidence": self.confidence,
        })
    }

    fn line(&self, cx: &Cx) -> String {
        let mut line = words::inline(&self.statement());
        if let Some(at) = self.valid_to {
            line.push_str(&format!(" (until {})", words::instant(at, cx)));
        }
        line
    }

    fn item(&self, cx: &Cx) -> Item {
        let source = match self.source {
            MemorySource::Said => "you said",
            MemorySource::Inferred => "worked out",
            MemorySource::Read => "read elsewhere",
        };
        Item {
            id: self.ref_id(),
            label: self.statement(),
            detail: Some(format!(
                "{source} {}{}",
                words::instant(self.valid_from, cx),
                if self.valid_to.is_some() {
                    " · no longer holds"
                } else {
                    ""
                }
            )),
            ..Item::default()
        }
    }

    async fn load(id: &str, cx: &Cx) -> Result<Option<Self>, Stop> {
        Ok(match record(Kind::Memory, id, cx).await? {
            Some(Record::Memory(memory)) => Some(memory),
            _ => None,
        })
    }
}

/// Returns an answer about memories; those from foreign text taint it.
fn answer(rows: &[Memory], total: usize, say: String, cx: &Cx) -> Answer {
    let read = rows.iter().any(|row| row.source == MemorySource::Read);
    Answer {
        taint: if read { Taint::Tainted } else { Taint::Clean },
        ..select::answer(rows, total, say, cx)
    }
}
