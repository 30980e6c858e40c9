//! Who wrote a row. A header, a folder or a missing organizer proves nothing: what counts is how the row came here.

use serde::{Deserialize, Serialize};

use crate::ids::TurnId;
use crate::record::Kind;
use crate::source::Taint;

/// Characters that are kept of the name of a file.
const FILE_CHARS_MAX: usize = 255;

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

    /// That of a row which `file` brings. What the file `claims` about it, as an export does, can make the row text of others
    /// and never the person's own: a mail or an event that it calls the person's stays text of others, and a note that was
    /// made from a mail stays marked.
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

    /// Whether a row of this kind is text of others. Mail and events of files and accounts are; tasks, notes and contacts
    /// of a file or an address book the person chose are the person's own. Memories of a file are not: a planner reads
    /// memories.
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

/// Whether others write rows of this kind, so that one of which nothing is known counts as theirs.
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
