//! Names of the person's records and collections that a message may mention.

use crate::account::CollectionKind;
use crate::ids::{CollectionId, RecordId};
use crate::moment::Moment;
use crate::record::Kind;
use crate::source::Taint;

/// A named record or collection of which a message mentions at least part of the name.
#[derive(Clone, Debug, PartialEq)]
pub struct MentionedName {
    /// What bears the name.
    pub of: NameOf,
    /// The name as shown: title, subject, or name of a person or calendar.
    pub label: String,
    /// When an event (of a series, the first) starts, a task is due, a mail was sent or a note was changed.
    pub when: Option<Moment>,
    /// Whether somebody else may have chosen the name.
    pub taint: Taint,
}

/// A record or collection that bears a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameOf {
    /// A record.
    Record {
        /// Its kind.
        kind: Kind,
        /// Its id.
        id: RecordId,
    },
    /// A calendar, mailbox, task list or address book.
    Collection {
        /// Its kind.
        kind: CollectionKind,
        /// Its id.
        id: CollectionId,
    },
}

impl MentionedName {
    /// Returns kind and id of the record, or `None` for a collection.
    #[must_use]
    pub fn record(&self) -> Option<(Kind, &RecordId)> {
        match &self.of {
            NameOf::Record { kind, id } => Some((*kind, id)),
            NameOf::Collection { .. } => None,
        }
    }
}
