//! Google Keep notes as Google Takeout exports them: one JSON file per note.

use std::io::Read as _;
use std::path::Path;

use adjutant_domain::record::{Kind, Note, Record};
use jiff::Timestamp;
use serde::Deserialize;

use super::{Incoming, Item, Items, NOTE_BYTES_MAX, Refused, Seed, line, open_file};

/// Number of bytes at the beginning of a file that are searched for the mark of a Keep note.
const HEAD_BYTES: u64 = 64 * 1024;
/// Highest number kept of list items, and of attached files.
const LIST_MAX: usize = 10_000;
/// Highest number kept of a note's labels.
const LABELS_MAX: usize = 50;
/// Tag given to a pinned note.
const PINNED: &str = "pinned";
/// Tag given to an archived note.
const ARCHIVED: &str = "archived";

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct KeepNote {
    title: String,
    text_content: String,
    list_content: Vec<ListItem>,
    labels: Vec<Label>,
    attachments: Vec<File>,
    is_pinned: bool,
    is_archived: bool,
    /// Present in every Keep note.
    is_trashed: Option<bool>,
    /// Microseconds since 1970.
    created_timestamp_usec: i64,
    user_edited_timestamp_usec: i64,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ListItem {
    text: String,
    is_checked: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Label {
    name: String,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct File {
    file_path: String,
}

/// Whether a JSON file looks like a note; a folder may contain any other JSON.
pub(super) fn is_note(path: &Path) -> bool {
    let mut head = Vec::new();
    let Ok(file) = open_file(path) else {
        // Reading the file later reports why it cannot be opened.
        return true;
    };
    let read = file.take(HEAD_BYTES).read_to_end(&mut head);
    read.is_err() || String::from_utf8_lossy(&head).contains("\"isTrashed\"")
}

pub(super) fn read(text: &str, path: &Path, seed: &Seed) -> Items {
    Box::new(std::iter::once(item(text, path, seed)))
}

fn item(text: &str, path: &Path, seed: &Seed) -> Item {
    let refuse = |item: &str, reason: &str| Refused {
        file: path.display().to_string(),
        item: item.to_owned(),
        reason: reason.to_owned(),
    };
    let kept: KeepNote = serde_json::from_str(text).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        refuse("note", &format!("is not a note of Google Keep ({place})"))
    })?;
    let title = line(&kept.title, 200);
    match kept.is_trashed {
        None => return Err(refuse("note", "is not a note of Google Keep")),
        Some(true) => return Err(refuse(&title, "is in the trash of Google Keep")),
        Some(false) => {}
    }
    let body = body(&kept);
    if title.is_empty() && body.is_empty() {
        return Err(refuse("note", "is empty"));
    }
    let created = at(kept.created_timestamp_usec);
    let updated = at(kept.user_edited_timestamp_usec);
    let note = Note {
        id: seed.id(Kind::Note),
        title,
        body,
        tags: tags(&kept),
        created: created.or(updated).unwrap_or_else(|| seed.at()),
        updated: updated.or(created).unwrap_or_else(|| seed.at()),
        version: 0,
    };
    Ok(Incoming {
        record: Record::Note(note),
        raw: None,
        provenance: None,
    })
}

fn at(micros: i64) -> Option<Timestamp> {
    let is_told = micros > 0;
    is_told
        .then(|| Timestamp::from_microsecond(micros).ok())
        .flatten()
}

/// Returns the text with its list, as Markdown. Pictures and recordings are only named, because
/// they are not imported.
fn body(kept: &KeepNote) -> String {
    let clean = |text: &str| text.replace("\r\n", "\n").replace('\0', "");
    let mut parts = vec![clean(&kept.text_content).trim().to_owned()];
    let items = kept.list_content.iter().take(LIST_MAX).map(|item| {
        let mark = if item.is_checked { 'x' } else { ' ' };
        format!("- [{mark}] {}", line(&item.text, NOTE_BYTES_MAX as usize))
    });
    parts.push(items.collect::<Vec<_>>().join("\n"));
    let files = kept.attachments.iter().take(LIST_MAX);
    let files =
        files.map(|file| format!("Attached in Google Keep: {}", line(&file.file_path, 255)));
    parts.push(files.collect::<Vec<_>>().join("\n"));
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

fn tags(kept: &KeepNote) -> Vec<String> {
    let labels = kept.labels.iter().map(|label| line(&label.name, 60));
    let marks = [(kept.is_pinned, PINNED), (kept.is_archived, ARCHIVED)];
    let marks = marks.into_iter().filter(|(is_set, _)| *is_set);
    let mut tags: Vec<String> = labels
        .filter(|name| !name.is_empty())
        .take(LABELS_MAX)
        .collect();
    for (_, mark) in marks {
        if !tags.iter().any(|tag| tag == mark) {
            tags.push(mark.to_owned());
        }
    }
    tags
}
