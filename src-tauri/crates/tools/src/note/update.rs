//! `note.update`

use adjutant_domain::change::Change;
use adjutant_domain::gate::{Assessment, Risk};
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Note, Record};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::find::NoteFilter;
use super::lines::{Edit, edited};
use super::{BODY_CHARS_MAX, TITLE_CHARS_MAX};
use crate::effect::{CardDraft, FactDraft, Prepared, local};
use crate::registry::{Acting, spec};
use crate::select::{AsTarget, Ids, answer, bad, target_one};
use crate::{labels, words};

/// The tool `note.update`: changes a note.
pub(super) struct Update;

/// Arguments of `note.update`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The note.
    id: Option<Ids>,
    /// Or: which note, by description.
    target: Option<NoteFilter>,
    /// What changes.
    changes: Changes,
}

/// What changes in a note; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Changes {
    /// New title.
    title: Option<String>,
    /// New text, replacing the old.
    body: Option<String>,
    /// Entries of a list that go, by their words.
    remove_lines: Option<Vec<String>>,
    /// Entries of a list that are ticked off.
    check: Option<Vec<String>>,
    /// Entries of a list that are open again.
    uncheck: Option<Vec<String>>,
    /// Labels to put on.
    add_tags: Option<Vec<String>>,
    /// Labels to take off.
    remove_tags: Option<Vec<String>>,
}

#[async_trait]
impl Acting for Update {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "note.update",
            Domain::Note,
            Risk::LocalReversible,
            "Changes title, text or labels of a note.",
            &[
                "change the note",
                "rename the note",
                "rewrite my note",
                "replace the text of the note",
                "tag the note",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        if args.changes == Changes::default() {
            return Err(bad("Say what should change."));
        }
        let note = target_one(args.id.as_ref(), args.target.as_ref(), cx).await?;
        let new = apply(&note, &args.changes)?;
        let mut parts = Vec::new();
        if new.title != note.title {
            parts.push(format!("is now {}", words::quoted(&new.title)));
        }
        let lines = [
            ("no longer has", &args.changes.remove_lines),
            ("has ticked off:", &args.changes.check),
            ("has unticked:", &args.changes.uncheck),
        ];
        for (what, entries) in lines {
            if let Some(entries) = entries.as_ref().filter(|_| new.body != note.body) {
                parts.push(format!("{what} {}", words::inline(&words::join(entries))));
            }
        }
        if new.body != note.body && parts.is_empty() {
            parts.push("has new text".into());
        }
        if new.tags != note.tags {
            parts.push(if new.tags.is_empty() {
                "has no labels".into()
            } else {
                format!("is labelled {}", words::inline(&new.tags.join(", ")))
            });
        }
        if parts.is_empty() {
            return Err(bad("It already is that way; there is nothing to change."));
        }
        let say = format!("{} {}.", words::quoted(&note.title), words::join(&parts));
        Ok(changed(&note, new, say, "/changes/body", cx))
    }
}

fn apply(note: &Note, changes: &Changes) -> Result<Note, Stop> {
    let mut new = note.clone();
    if let Some(title) = changes.title.as_deref().map(str::trim) {
        if title.is_empty() || title.chars().count() > TITLE_CHARS_MAX {
            return Err(bad(format!(
                "A title has 1 to {TITLE_CHARS_MAX} characters."
            )));
        }
        new.title = title.to_owned();
    }
    if let Some(body) = &changes.body {
        if body.chars().count() > BODY_CHARS_MAX {
            return Err(bad(format!(
                "A note has at most {BODY_CHARS_MAX} characters."
            )));
        }
        new.body = body.trim_end().to_owned();
    }
    for (entries, edit) in [
        (&changes.remove_lines, Edit::Remove),
        (&changes.check, Edit::Check),
        (&changes.uncheck, Edit::Uncheck),
    ] {
        let entries = entries.as_deref().unwrap_or_default();
        if !entries.is_empty() {
            new.body = edited(&new.body, &note.title, entries, edit)?;
        }
    }
    labels::remove(
        &mut new.tags,
        changes.remove_tags.as_deref().unwrap_or_default(),
    );
    labels::add(
        &mut new.tags,
        changes.add_tags.as_deref().unwrap_or_default(),
    )?;
    Ok(new)
}

/// Prepares the change of a note. `pointer` is the JSON pointer of the argument that gave its new text.
pub(super) fn changed(note: &Note, mut new: Note, say: String, pointer: &str, cx: &Cx) -> Prepared {
    new.updated = cx.now.timestamp();
    let mut sketch = CardDraft::new(
        format!("Change the note {}", words::quoted(&note.title)),
        "Change",
        "Can be undone.",
    );
    if new.title != note.title {
        sketch.facts.push(
            FactDraft::from_arg("Title", &new.title, "/changes/title").was(note.title.clone()),
        );
    }
    if new.body != note.body {
        sketch
            .facts
            .push(FactDraft::from_arg("Text", &new.body, pointer).was(note.body.clone()));
    }
    if new.tags != note.tags {
        sketch.facts.push(
            FactDraft::from_arg("Labels", new.tags.join(", "), "/changes/add_tags")
                .was(note.tags.join(", ")),
        );
    }
    Prepared {
        targets: vec![note.target()],
        answer: answer(std::slice::from_ref(&new), 1, say, cx),
        operations: local(Change::replace(Record::Note(new))),
        assessment: Assessment::reversible(),
        sketch,
    }
}
