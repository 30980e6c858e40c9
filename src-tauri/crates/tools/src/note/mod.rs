//! Notes.

mod append;
mod create;
mod delete;
mod find;
mod lines;
mod list;
mod read;
mod search;
mod update;

#[cfg(test)]
mod contract;

use adjutant_domain::focus::Referent;
use adjutant_domain::gate::Item;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Kind, Note, Record};
use adjutant_domain::tool::{AnyTool, Target};
use async_trait::async_trait;
use serde_json::{Value, json};
use std::sync::Arc;

pub use find::NoteFilter;

use crate::registry::{Acts, Reads, any};
use crate::select::{AsTarget, Row, Said, record};
use crate::words;

/// Maximum characters of a note's text.
pub(crate) const BODY_CHARS_MAX: usize = 500_000;
/// Maximum characters of a title.
pub(crate) const TITLE_CHARS_MAX: usize = 200;
/// Maximum characters of the text that a row shows.
const PREVIEW_CHARS_MAX: usize = 120;

/// Returns the tools of this family.
pub fn tools() -> Vec<Arc<dyn AnyTool>> {
    vec![
        any(Acts(create::Create)),
        any(Reads(list::List)),
        any(Acts(append::Append)),
        any(Acts(update::Update)),
        any(Reads(search::Search)),
        any(Reads(read::Read)),
        any(Acts(delete::Delete)),
    ]
}

impl AsTarget for Note {
    fn target(&self) -> Target {
        Target {
            kind: Kind::Note,
            id: self.id.clone(),
            version: self.version,
            label: self.title.clone(),
        }
    }
}

#[async_trait]
impl Row for Note {
    const NOUN: &'static str = "note";

    fn ref_id(&self) -> String {
        self.id.0.clone()
    }

    fn referent(&self) -> Option<Referent> {
        Some(self.referred())
    }

    fn said(&self) -> Said {
        Said {
            title: format!("{} {}", self.title, self.tags.join(" ")),
            more: self.body.clone(),
            ..Said::default()
        }
    }

    fn value(&self, cx: &Cx) -> Value {
        json!({
            "id": self.id, "title": self.title, "tags": self.tags, "preview": preview(self),
            "chars": self.body.chars().count(),
            "created": self.created.to_zoned(cx.zone()).to_string(),
            "updated": self.updated.to_zoned(cx.zone()).to_string(),
        })
    }

    fn line(&self, cx: &Cx) -> String {
        let mut line = format!(
            "{} · {}",
            words::inline(&self.title),
            words::instant(self.updated, cx)
        );
        if !self.tags.is_empty() {
            line.push_str(&format!(" · {}", words::inline(&self.tags.join(", "))));
        }
        line
    }

    fn item(&self, cx: &Cx) -> Item {
        Item {
            id: self.ref_id(),
            label: self.title.clone(),
            detail: Some(format!(
                "changed {} · {}",
                words::instant(self.updated, cx),
                preview(self)
            )),
            ..Item::default()
        }
    }

    async fn load(id: &str, cx: &Cx) -> Result<Option<Self>, Stop> {
        Ok(match record(Kind::Note, id, cx).await? {
            Some(Record::Note(note)) => Some(note),
            _ => None,
        })
    }
}

fn preview(note: &Note) -> String {
    let body = note.body.trim();
    let rest = body.strip_prefix(note.title.trim()).unwrap_or(body);
    let line = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    words::cut(&line, PREVIEW_CHARS_MAX)
}

/// Returns the first line of a text as a title.
fn title_of(body: &str) -> String {
    let line = body
        .lines()
        .map(|line| line.trim().trim_start_matches(['#', '-', '*', '>']).trim())
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    words::cut(line, 80)
}
