//! Who wrote a row. A header, a folder or a missing organizer proves nothing: what counts is how the row came here.

use serde::{Deserialize, Serialize};

use crate::ids::TurnId;
use crate::record::Kind;
use crate::source::Taint;

/// How a row came here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Author {
    /// The person wrote it here.
    Person,
    /// Adjutant wrote it for a request.
    Adjutant {
        /// The turn of the request.
        turn: TurnId,
    },
    /// It was read from a file that the person chose.
    Import {
        /// Name of the file, without the folders above it.
        file: String,
    },
    /// It came from an account.
    Account {
        /// Which.
        id: String,
    },
    /// A server of tools gave it.
    Server {
        /// Which.
        id: String,
    },
}

/// Who wrote a row, and whether text of others went into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// How it came here.
    #[serde(flatten)]
    pub author: Author,
    /// Whether text of others went into it, whoever wrote it.
    pub taint: Taint,
}

impl Provenance {
    /// A row without text of others.
    #[must_use]
    pub fn clean(author: Author) -> Self {
        Self {
            author,
            taint: Taint::Clean,
        }
    }

    /// Whether a row of this kind is text of others. Mail and events of files and accounts are; tasks, notes and contacts
    /// of a file or an address book the person chose are the person's own.
    #[must_use]
    pub fn is_foreign(&self, kind: Kind) -> bool {
        if self.taint == Taint::Tainted {
            return true;
        }
        match self.author {
            Author::Person | Author::Adjutant { .. } => false,
            Author::Import { .. } | Author::Account { .. } => is_others(kind),
            Author::Server { .. } => true,
        }
    }
}

/// Whether others write rows of this kind, so that one of which nothing is known counts as theirs.
#[must_use]
pub fn is_others(kind: Kind) -> bool {
    matches!(kind, Kind::Mail | Kind::Event)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_from_outside_is_foreign_and_what_was_chosen_is_not() {
        let import = || Author::Import {
            file: "a".to_owned(),
        };
        for (author, kind, foreign) in [
            (import(), Kind::Event, true),
            (import(), Kind::Mail, true),
            (import(), Kind::Task, false),
            (import(), Kind::Contact, false),
            (Author::Person, Kind::Event, false),
            (Author::Adjutant { turn: "t".into() }, Kind::Event, false),
            (Author::Server { id: "s".to_owned() }, Kind::Note, true),
        ] {
            let clean = Provenance::clean(author);
            assert_eq!(clean.is_foreign(kind), foreign, "{clean:?} {kind:?}");
            let tainted = Provenance {
                taint: Taint::Tainted,
                ..clean
            };
            assert!(tainted.is_foreign(kind), "{tainted:?}");
        }
    }
}
