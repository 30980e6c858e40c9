//! Who wrote a row. A header, a folder or a missing organizer proves nothing; only the way the row arrived counts.

use serde::{Deserialize, Serialize};

use crate::ids::TurnId;
use crate::record::Kind;
use crate::source::Taint;

/// Maximum number of characters kept of a file name.
const FILE_CHARS_MAX: usize = 255;

/// How a row arrived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Author {
    /// The person wrote it here.
    Person,
    /// Adjutant wrote it on request.
    Adjutant {
        /// Turn of the request.
        turn: TurnId,
    },
    /// Imported from a file that the person chose.
    Import {
        /// Name of the file, without its folders.
        file: String,
    },
    /// Read from an account.
    Account {
        /// Id of the account.
        id: String,
    },
    /// Supplied by a tool server.
    Server {
        /// Id of the server.
        id: String,
    },
}

/// Who wrote a row, and whether foreign text went into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// How it arrived.
    #[serde(flatten)]
    pub author: Author,
    /// Whether foreign text went into it, whoever wrote it.
    pub taint: Taint,
}

impl Provenance {
    /// Creates the provenance of a row without foreign text.
    #[must_use]
    pub fn clean(author: Author) -> Self {
        Self {
            author,
            taint: Taint::Clean,
        }
    }

    /// Returns the provenance of a row imported from `file`.
    ///
    /// An export carries `claims` about each row. They can make the row foreign but never the person's own: a mail or
    /// event stays foreign even if the file calls it the person's, and a note made from a mail stays tainted.
    #[must_use]
    pub fn imported(file: &str, kind: Kind, claims: Option<&Self>) -> Self {
        let came_from = match claims.map(|claimed| &claimed.author) {
            Some(Author::Import { file }) if !file.is_empty() => file,
            _ => file,
        };
        let foreign = claims.is_some_and(|claimed| claimed.is_foreign(kind));
        Self {
            author: Author::Import {
                file: came_from.chars().take(FILE_CHARS_MAX).collect(),
            },
            taint: if foreign && !is_others(kind) {
                Taint::Tainted
            } else {
                claims.map_or(Taint::Clean, |claimed| claimed.taint)
            },
        }
    }

    /// Returns whether a row of this kind is foreign. Mail and events from files and accounts are; tasks, notes and
    /// contacts from a file or address book the person chose are the person's own. Memories from a file are foreign,
    /// because a planner reads memories.
    #[must_use]
    pub fn is_foreign(&self, kind: Kind) -> bool {
        if self.taint == Taint::Tainted {
            return true;
        }
        match self.author {
            Author::Person | Author::Adjutant { .. } => false,
            Author::Import { .. } => is_others(kind) || kind == Kind::Memory,
            Author::Account { .. } => is_others(kind),
            Author::Server { .. } => true,
        }
    }
}

/// Returns whether other people write rows of this kind, so that one of unknown provenance counts as foreign.
#[must_use]
pub fn is_others(kind: Kind) -> bool {
    matches!(kind, Kind::Mail | Kind::Event)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_claim_of_a_file_makes_anything_the_persons_own() {
        let import = |file: &str| Author::Import {
            file: file.to_owned(),
        };
        let authors = [
            Author::Person,
            Author::Adjutant { turn: "t".into() },
            import("team.ics"),
            Author::Account { id: "a".to_owned() },
            Author::Server { id: "s".to_owned() },
        ];
        for kind in Kind::ALL {
            let unclaimed = Provenance::imported("folder", kind, None);
            assert_eq!(unclaimed, Provenance::clean(import("folder")));
            for author in &authors {
                for taint in [Taint::Clean, Taint::Tainted] {
                    let claimed = Provenance {
                        author: author.clone(),
                        taint,
                    };
                    let now = Provenance::imported("folder", kind, Some(&claimed));
                    let foreign = claimed.is_foreign(kind) || unclaimed.is_foreign(kind);
                    assert_eq!(now.is_foreign(kind), foreign, "{claimed:?} {kind:?}");
                    assert!(matches!(now.author, Author::Import { .. }), "{now:?}");
                }
            }
        }
        let long = Provenance::clean(import(&"x".repeat(9_000)));
        let now = Provenance::imported("folder", Kind::Event, Some(&long));
        assert!(matches!(now.author, Author::Import { file } if file.len() == FILE_CHARS_MAX));
    }

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
            (import(), Kind::Memory, true),
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
