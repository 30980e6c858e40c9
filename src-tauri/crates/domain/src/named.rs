//! Names of what the person has, as a message may mention them.

use crate::account::CollectionKind;
use crate::ids::{CollectionId, RecordId};
use crate::moment::Moment;
use crate::record::Kind;
use crate::source::Taint;

/// Something that has a name of which a message says at least a part.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// Whose name it is.
    pub of: NameOf,
    /// The name, as it is shown: a title, a subject, what somebody or a calendar is called.
    pub label: String,
    /// When an event starts (a series: for the first time), a task is due, a mail was sent or a note was changed.
    pub when: Option<Moment>,
    /// Whether others may have given the name.
    pub taint: Taint,
}

/// What has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameOf {
    /// A record.
    Record {
        /// Its kind.
        kind: Kind,
        /// Which.
        id: RecordId,
    },
    /// A calendar, mailbox, task list or address book.
    Collection {
        /// Its kind.
        kind: CollectionKind,
        /// Which.
        id: CollectionId,
    },
}

impl Named {
    /// The record of this name, where it is one.
    #[must_use]
    pub fn record(&self) -> Option<(Kind, &RecordId)> {
        match &self.of {
            NameOf::Record { kind, id } => Some((*kind, id)),
            NameOf::Collection { .. } => None,
        }
    }
}
