//! Approval cards. Our own code renders them from the bytes that will run.

use serde::{Deserialize, Serialize};

use crate::source::Source;
use crate::spec::Icon;

/// An approval card. Every text in it has passed [`super::escape::visible`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// Verb and object: "Send a mail to 2 people".
    pub title: String,
    /// The verb on the button: "Send".
    pub verb: String,
    /// Icon beside the title: the tool's.
    #[serde(default, skip_serializing_if = "Icon::is_usual")]
    pub icon: Icon,
    /// Account the action is for, if any.
    #[serde(default)]
    pub account: Option<String>,
    /// Notes at the head of the card.
    #[serde(default)]
    pub notes: Vec<CardNote>,
    /// Facts with label, value and origin.
    pub facts: Vec<Fact>,
    /// Everything a batch touches.
    #[serde(default)]
    pub items: Vec<Item>,
    /// The text itself, unabridged.
    #[serde(default)]
    pub body: Option<String>,
    /// Attached files.
    #[serde(default)]
    pub attachments: Vec<ShownAttachment>,
    /// Whether and how the action can be undone.
    pub undo: String,
    /// The line "What you see is exactly what is sent".
    pub digest_line: String,
}

/// A note at the head of a card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CardNote {
    /// Kind of note.
    pub kind: NoteKind,
    /// Text of the note.
    pub text: String,
}

/// Kind of note, which decides how it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// A value was found in foreign text.
    Untrusted,
    /// Worth knowing.
    Info,
    /// Needs attention.
    Warn,
}

/// One fact of a card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// "To", "Subject", "When".
    pub label: String,
    /// The new value.
    pub value: String,
    /// The present value, if the action changes it.
    #[serde(default)]
    pub before: Option<String>,
    /// Where the value comes from, if known.
    #[serde(default)]
    pub source: Option<CardSource>,
}

/// Origin of a shown value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardSource {
    /// `person`, `data`, `address_book`, `step`, `derived`, `settings` or `found`.
    pub kind: String,
    /// Details in words, for example what the person said or the mail the value was found in.
    #[serde(default)]
    pub detail: Option<String>,
}

impl From<&Source> for CardSource {
    fn from(source: &Source) -> Self {
        let (kind, detail) = match source {
            Source::Person { words } => ("person", words.clone()),
            Source::OwnData { what } => ("data", Some(what.clone())),
            Source::AddressBook => ("address_book", None),
            Source::Step { key } => ("step", Some(key.0.clone())),
            Source::Derived => ("derived", None),
            Source::Settings => ("settings", None),
            Source::Untrusted { origin } => ("found", Some(origin.clone())),
        };
        Self {
            kind: kind.into(),
            detail: detail.map(|text| super::escape::visible(&text)),
        }
    }
}

/// One thing a batch touches, with everything the card of its call alone would show.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Record id, or empty.
    pub id: String,
    /// Name of the thing, for the person.
    pub label: String,
    /// Sender and date, time and place, or the like.
    #[serde(default)]
    pub detail: Option<String>,
    /// Notes about this item only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<CardNote>,
    /// Facts of the item's call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// Text of the item's call, unabridged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Files attached to the item's call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<ShownAttachment>,
}

/// An attached file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownAttachment {
    /// File name.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// SHA-256, hexadecimal.
    pub sha256: String,
}

impl Fact {
    /// Creates a fact, escaping invisible and confusable characters in the value.
    #[must_use]
    pub fn new(label: &str, value: &str, source: Option<&Source>) -> Self {
        Self {
            label: label.into(),
            value: super::escape::visible(value),
            before: None,
            source: source.map(CardSource::from),
        }
    }

    /// Creates a fact with the present value and the new one, both escaped.
    #[must_use]
    pub fn changed(label: &str, before: &str, value: &str, source: Option<&Source>) -> Self {
        Self {
            before: Some(super::escape::visible(before)),
            ..Self::new(label, value, source)
        }
    }
}
