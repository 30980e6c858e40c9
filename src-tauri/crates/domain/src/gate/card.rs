//! What the person sees before approving. Rendered by our own code from the bytes that will run.

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
    /// The picture beside the title: that of the tool.
    #[serde(default, skip_serializing_if = "Icon::is_usual")]
    pub icon: Icon,
    /// Account it acts for, where there is one.
    #[serde(default)]
    pub account: Option<String>,
    /// Notes at the head.
    #[serde(default)]
    pub notes: Vec<CardNote>,
    /// Label, value, origin.
    pub facts: Vec<Fact>,
    /// Every thing a batch touches.
    #[serde(default)]
    pub items: Vec<Item>,
    /// The text itself, unabridged.
    #[serde(default)]
    pub body: Option<String>,
    /// Attached files.
    #[serde(default)]
    pub attachments: Vec<ShownAttachment>,
    /// Whether and how it can be undone.
    pub undo: String,
    /// "What you see is exactly what is sent".
    pub digest_line: String,
}

/// A note at the head of a card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CardNote {
    /// What kind.
    pub kind: NoteKind,
    /// What it says.
    pub text: String,
}

/// Why a note stands on a card, which decides how it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// A value was found in text of others.
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
    /// The value as it will be.
    pub value: String,
    /// The value as it is now, for changes.
    #[serde(default)]
    pub before: Option<String>,
    /// Where it comes from.
    #[serde(default)]
    pub source: Option<CardSource>,
}

/// Where a shown value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardSource {
    /// `person`, `data`, `address_book`, `step`, `derived`, `settings` or `found`.
    pub kind: String,
    /// Details in words, for example the quoted words or the mail it was found in.
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

/// One thing of a batch. What the card of its call alone would say stands under it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Record id.
    pub id: String,
    /// What a person calls it.
    pub label: String,
    /// Sender and date, time and place, …
    #[serde(default)]
    pub detail: Option<String>,
    /// Notes about this one alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<CardNote>,
    /// Facts of its call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// The text of its call, unabridged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Files attached to its call.
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
    /// A fact; the value is made visible.
    #[must_use]
    pub fn new(label: &str, value: &str, source: Option<&Source>) -> Self {
        Self {
            label: label.into(),
            value: super::escape::visible(value),
            before: None,
            source: source.map(CardSource::from),
        }
    }

    /// A changed fact.
    #[must_use]
    pub fn changed(label: &str, before: &str, value: &str, source: Option<&Source>) -> Self {
        Self {
            before: Some(super::escape::visible(before)),
            ..Self::new(label, value, source)
        }
    }
}
