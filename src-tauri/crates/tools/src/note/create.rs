//! `note.create`

use adjutant_domain::change::Change;
use adjutant_domain::gate::{Assessment, Risk};
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Kind, Note, Record};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BODY_CHARS_MAX, TITLE_CHARS_MAX, title_of};
use crate::effect::{CardDraft, FactDraft, Prepared, local};
use crate::registry::{Acting, spec};
use crate::select::{answer, bad};
use crate::{labels, words};

/// The tool `note.create`: creates a note.
pub(super) struct Create;

/// Arguments of `note.create`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Title; the first line of the text when left out.
    title: Option<String>,
    /// Text, Markdown.
    body: Option<String>,
    /// Labels.
    tags: Option<Vec<String>>,
}

#[async_trait]
impl Acting for Create {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "note.create",
            Domain::Note,
            Risk::LocalReversible,
            "Writes a new note.",
            &[
                "take a note",
                "make a note",
                "write down",
                "note that",
                "jot down",
                "new note",
                "save a note",
                "create a note called",
                "start a list",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let note = new_note(
            args.title.as_deref(),
            args.body.as_deref().unwrap_or_default(),
            args.tags.as_deref().unwrap_or_default(),
            cx,
        )?;
        Ok(prepared(note, cx))
    }
}

/// Returns a new note that is not stored yet.
pub(super) fn new_note(
    title: Option<&str>,
    body: &str,
    tags: &[String],
    cx: &Cx,
) -> Result<Note, Stop> {
    let body = body.trim_end();
    let title = match title.map(str::trim).filter(|title| !title.is_empty()) {
        Some(title) => title.to_owned(),
        None => title_of(body),
    };
    if title.is_empty() {
        return Err(bad("A note needs a title or some text."));
    }
    if title.chars().count() > TITLE_CHARS_MAX || body.chars().count() > BODY_CHARS_MAX {
        return Err(bad(format!(
            "A note has at most {TITLE_CHARS_MAX} characters of title and {BODY_CHARS_MAX} of text."
        )));
    }
    let mut kept = Vec::new();
    labels::add(&mut kept, tags)?;
    let now = cx.now.timestamp();
    Ok(Note {
        id: cx.new_id(Kind::Note),
        title,
        body: body.to_owned(),
        tags: kept,
        created: now,
        updated: now,
        version: 0,
    })
}

/// Prepares the creation of a note.
pub(super) fn prepared(note: Note, cx: &Cx) -> Prepared {
    let mut sketch = CardDraft::new(
        "Write a note",
        "Save",
        "Can be undone: it is removed again.",
    );
    sketch
        .facts
        .push(FactDraft::from_arg("Title", &note.title, "/title"));
    sketch.body = Some(note.body.clone()).filter(|body| !body.is_empty());
    let say = format!("Noted: {}.", words::quoted(&note.title));
    Prepared {
        targets: Vec::new(),
        answer: answer(std::slice::from_ref(&note), 1, say, cx),
        operations: local(Change::add(Record::Note(note))),
        assessment: Assessment::reversible(),
        sketch,
    }
}
