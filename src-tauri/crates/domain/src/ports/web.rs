//! Search engines and the pages, files and records they lead to: what research and the tools `web.*` read.
//!
//! # What counts as a credit
//!
//! One search that is sent to an engine outside is one credit, whatever it finds. Searches on this computer and pages
//! cost nothing. Whoever searches reserves the credit before [`SearchEngine::search`] and gives it back after a fault of
//! which [`SourceFault::was_sent`] is false.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::source_fault::SourceFault;
use crate::ids::RecordId;
use crate::record::Kind;
use crate::source::Taint;

/// Characters a query may have; what is longer is refused as [`SourceFault::Refused`].
pub const QUERY_CHARS_MAX: usize = 400;
/// Results one search gives at most.
pub const FOUND_MAX: usize = 20;
/// Bytes of the text of a snapshot at most; a longer text is cut at a character and says so.
pub const SNAPSHOT_BYTES_MAX: usize = 1024 * 1024;

/// Where something stands that can be opened. As text it is an address: `https://…`, `record:note/note_1` or
/// `file:/home/…`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Place {
    /// A page of the web.
    Page {
        /// Its address, `http` or `https`.
        url: String,
    },
    /// A record of the person.
    Record {
        /// Its kind.
        kind: Kind,
        /// Which.
        id: RecordId,
    },
    /// A file in a folder the person has opened.
    File {
        /// Its absolute path.
        path: String,
    },
}

impl Place {
    /// Whether it is on this computer: to open it, nothing leaves.
    #[must_use]
    pub fn is_here(&self) -> bool {
        !matches!(self, Self::Page { .. })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Page { url } => f.write_str(url),
            Self::Record { kind, id } => write!(f, "record:{}/{}", kind_name(*kind), id.0),
            Self::File { path } => write!(f, "file:{path}"),
        }
    }
}

/// A text is no address that can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not an address that can be opened")]
pub struct NotAPlace;

impl FromStr for Place {
    type Err = NotAPlace;

    fn from_str(text: &str) -> Result<Self, NotAPlace> {
        if let Some(path) = text.strip_prefix("file:") {
            let path = path.to_owned();
            return if path.is_empty() {
                Err(NotAPlace)
            } else {
                Ok(Self::File { path })
            };
        }
        if let Some(record) = text.strip_prefix("record:") {
            let (kind, id) = record.split_once('/').ok_or(NotAPlace)?;
            let kind = Kind::ALL.into_iter().find(|one| kind_name(*one) == kind);
            let kind = kind.filter(|_| !id.is_empty()).ok_or(NotAPlace)?;
            let id = RecordId(id.to_owned());
            return Ok(Self::Record { kind, id });
        }
        let scheme = text.split_once("://").map(|(scheme, _)| scheme);
        let web = ["http", "https"];
        match scheme.is_some_and(|scheme| web.iter().any(|web| scheme.eq_ignore_ascii_case(web))) {
            true => Ok(Self::Page {
                url: text.to_owned(),
            }),
            false => Err(NotAPlace),
        }
    }
}

impl TryFrom<String> for Place {
    type Error = NotAPlace;

    fn try_from(text: String) -> Result<Self, NotAPlace> {
        text.parse()
    }
}

impl From<Place> for String {
    fn from(place: Place) -> Self {
        place.to_string()
    }
}

/// The name of a kind inside an address.
fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Task => "task",
        Kind::Event => "event",
        Kind::Note => "note",
        Kind::Contact => "contact",
        Kind::Mail => "mail",
        Kind::Outbox => "outbox",
        Kind::Memory => "memory",
    }
}

/// Where the words of a query go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reach", rename_all = "snake_case")]
pub enum Reach {
    /// To a server. Also where that runs on this computer: what it asks in turn is its own matter.
    Outside {
        /// Its host, with the port where it is not the usual one; of a tool of a server, the server's name.
        host: String,
    },
    /// Nowhere: they stay on this computer.
    Here,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Title, of one line and bounded.
    pub title: String,
    /// Where it stands.
    pub at: Place,
    /// A piece of its text as the engine shows it, without markup and bounded. What is found on this computer stands so,
    /// word for word, in the text of the snapshot; of an engine outside nothing of the sort is promised.
    pub snippet: String,
    /// Whether it is text of others: everything from outside is, a note of the person is not.
    pub taint: Taint,
}

/// One way to search.
#[async_trait]
pub trait SearchEngine: Send + Sync {
    /// Its name as a person knows it: "SearXNG", "Your documents".
    fn name(&self) -> &str;

    /// Where the words of a query go.
    fn reach(&self) -> Reach;

    /// The best matches, best first, no place twice, at most `limit` and [`FOUND_MAX`]. Ends within the given time.
    /// Nothing found is an empty list. Dropping the future ends the search.
    ///
    /// # Errors
    /// When there is no answer that can be trusted to be one.
    async fn search(
        &self,
        query: &str,
        limit: usize,
        within: Duration,
    ) -> Result<Vec<Found>, SourceFault>;
}

/// What stood at a place when it was opened. A claim cites this, not the place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The place that was asked for.
    pub address: Place,
    /// The place that answered, after redirects.
    pub final_address: Place,
    /// Title, of one line and bounded; empty where it has none.
    pub title: String,
    /// Its main text as plain text, paragraphs apart by an empty line; at most [`SNAPSHOT_BYTES_MAX`] bytes.
    pub text: String,
    /// When it was read.
    pub fetched_at: Timestamp,
    /// SHA-256 of [`Snapshot::text`] in hexadecimal: what a snapshot is stored under.
    pub sha256: String,
    /// The media type it was read as, for example `text/html`.
    pub media: String,
    /// Whether the end is missing, because it was too long.
    pub cut: bool,
    /// Whether it is text of others.
    pub taint: Taint,
}

/// Opens what was found.
#[async_trait]
pub trait Pages: Send + Sync {
    /// Reads what stands at a place, politely: as `robots.txt` allows, and one request at a time to a host. The time for
    /// waiting its turn counts. Dropping the future ends the reading.
    ///
    /// # Errors
    /// When there is no text to be had, with the reason.
    async fn open(&self, address: &Place, within: Duration) -> Result<Snapshot, SourceFault>;
}

/// Where things can be looked up, by the settings as they are at this moment.
pub trait Lookup: Send + Sync {
    /// The engine outside that the person chose.
    ///
    /// # Errors
    /// [`SourceFault::NotConfigured`] where there is none.
    fn outside(&self) -> Result<Arc<dyn SearchEngine>, SourceFault>;

    /// What is on this computer: documents in opened folders, notes, mail and memory.
    fn own(&self) -> Arc<dyn SearchEngine>;

    /// Opens pages, and what [`Lookup::own`] found.
    fn pages(&self) -> Arc<dyn Pages>;
}

/// Nothing can be looked up: for programs and tests without a network and documents.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLookup;

impl Lookup for NoLookup {
    fn outside(&self) -> Result<Arc<dyn SearchEngine>, SourceFault> {
        Err(SourceFault::NotConfigured {
            what: "No search engine for the web is chosen.".into(),
        })
    }

    fn own(&self) -> Arc<dyn SearchEngine> {
        Arc::new(Self)
    }

    fn pages(&self) -> Arc<dyn Pages> {
        Arc::new(Self)
    }
}

#[async_trait]
impl SearchEngine for NoLookup {
    fn name(&self) -> &str {
        "Nothing"
    }

    fn reach(&self) -> Reach {
        Reach::Here
    }

    async fn search(&self, _: &str, _: usize, _: Duration) -> Result<Vec<Found>, SourceFault> {
        Ok(Vec::new())
    }
}

#[async_trait]
impl Pages for NoLookup {
    async fn open(&self, address: &Place, _: Duration) -> Result<Snapshot, SourceFault> {
        Err(SourceFault::Gone {
            what: address.to_string(),
        })
    }
}

/// A tool of a server of others that searches, as its client offers it to the adapter that makes a [`SearchEngine`] of it.
#[async_trait]
pub trait SearchTool: Send + Sync {
    /// What the person calls the server.
    fn server(&self) -> &str;

    /// Calls the tool with these words. Gives what the server answered: its structured content where there is some, else
    /// its text.
    ///
    /// # Errors
    /// When the server did not answer, or called its answer an error.
    async fn call(
        &self,
        query: &str,
        limit: usize,
        within: Duration,
    ) -> Result<serde_json::Value, SourceFault>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_reads_back_as_it_was_written() {
        for text in [
            "https://example.org/a?b=c#d",
            "HTTP://example.org/",
            "record:note/note_1",
            "record:mail/mail_a/b",
            "file:/home/kim/Reports/a b.pdf",
        ] {
            let place: Place = text.parse().expect(text);
            assert_eq!(place.to_string(), text);
            let json = serde_json::to_string(&place).expect("written");
            assert_eq!(serde_json::from_str::<Place>(&json).expect("read"), place);
        }
        for text in [
            "",
            "example.org",
            "javascript:alert(1)",
            "ftp://example.org/",
            "record:note",
            "record:note/",
            "record:nothing/note_1",
            "file:",
            "data:text/html,hello",
        ] {
            assert_eq!(text.parse::<Place>(), Err(NotAPlace), "{text}");
        }
    }
}
