//! Search engines and the pages, files and records they lead to, as research and the tools `web.*` read them.
//!
//! # Credits
//!
//! Each search sent to an outside engine costs one credit, whatever it finds. Searches on this computer and opening
//! pages are free. The caller reserves the credit before [`SearchEngine::search`] and releases it after a fault for
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

/// Maximum number of characters in a query; a longer one is refused with [`SourceFault::Refused`].
pub const QUERY_CHARS_MAX: usize = 400;
/// Maximum number of results of one search.
pub const FOUND_MAX: usize = 20;
/// Maximum size of a snapshot's text, in bytes. A longer text is cut at a character boundary and marked as cut.
pub const SNAPSHOT_BYTES_MAX: usize = 1024 * 1024;

/// Something that can be opened. Its text form is an address: `https://…`, `record:note/note_1` or `file:/home/…`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum SourceAddress {
    /// A page of the web.
    Page {
        /// Its address, `http` or `https`.
        url: String,
    },
    /// A record of the person.
    Record {
        /// Its kind.
        kind: Kind,
        /// Its id.
        id: RecordId,
    },
    /// A file in a folder the person has opened.
    File {
        /// Its absolute path.
        path: String,
    },
}

impl SourceAddress {
    /// Returns whether it is on this computer, so that opening it sends nothing out.
    #[must_use]
    pub fn is_here(&self) -> bool {
        !matches!(self, Self::Page { .. })
    }
}

impl fmt::Display for SourceAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Page { url } => f.write_str(url),
            Self::Record { kind, id } => write!(f, "record:{}/{}", kind_name(*kind), id.0),
            Self::File { path } => write!(f, "file:{path}"),
        }
    }
}

/// Error: the text is not an address that can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not an address that can be opened")]
pub struct NotASourceAddress;

impl FromStr for SourceAddress {
    type Err = NotASourceAddress;

    fn from_str(text: &str) -> Result<Self, NotASourceAddress> {
        if let Some(path) = text.strip_prefix("file:") {
            let path = path.to_owned();
            return if path.is_empty() {
                Err(NotASourceAddress)
            } else {
                Ok(Self::File { path })
            };
        }
        if let Some(record) = text.strip_prefix("record:") {
            let (kind, id) = record.split_once('/').ok_or(NotASourceAddress)?;
            let kind = Kind::ALL.into_iter().find(|one| kind_name(*one) == kind);
            let kind = kind.filter(|_| !id.is_empty()).ok_or(NotASourceAddress)?;
            let id = RecordId(id.to_owned());
            return Ok(Self::Record { kind, id });
        }
        let scheme = text.split_once("://").map(|(scheme, _)| scheme);
        let web = ["http", "https"];
        match scheme.is_some_and(|scheme| web.iter().any(|web| scheme.eq_ignore_ascii_case(web))) {
            true => Ok(Self::Page {
                url: text.to_owned(),
            }),
            false => Err(NotASourceAddress),
        }
    }
}

impl TryFrom<String> for SourceAddress {
    type Error = NotASourceAddress;

    fn try_from(text: String) -> Result<Self, NotASourceAddress> {
        text.parse()
    }
}

impl From<SourceAddress> for String {
    fn from(place: SourceAddress) -> Self {
        place.to_string()
    }
}

/// Returns the name of a kind in an address.
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

/// Destination of a query's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reach", rename_all = "snake_case")]
pub enum Reach {
    /// A server. One that runs on this computer counts too, because it may ask others in turn.
    Outside {
        /// Its host, with the port unless it is the default one; for a tool of a server, the server's name.
        host: String,
    },
    /// Nowhere: the words stay on this computer.
    Here,
}

/// One result of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchResult {
    /// Title on one line, truncated.
    pub title: String,
    /// Place of the result.
    pub at: SourceAddress,
    /// Excerpt of the text as the engine shows it, without markup and truncated. For a result on this computer, it
    /// occurs verbatim in the snapshot's text; an outside engine gives no such guarantee.
    pub snippet: String,
    /// Whether it is foreign text: everything from outside is, a note of the person is not.
    pub taint: Taint,
}

/// A search engine.
#[async_trait]
pub trait SearchEngine: Send + Sync {
    /// Returns the name the person knows it by: "SearXNG", "Your documents".
    fn name(&self) -> &str;

    /// Returns where the words of a query go.
    fn reach(&self) -> Reach;

    /// Returns the best matches, best first, without duplicate places, at most `limit` and [`FOUND_MAX`]; an empty list
    /// if nothing matches. Finishes within the given time. Dropping the future cancels the search.
    ///
    /// # Errors
    /// Returns a [`SourceFault`] if there is no reliable answer.
    async fn search(
        &self,
        query: &str,
        limit: usize,
        within: Duration,
    ) -> Result<Vec<SearchResult>, SourceFault>;
}

/// Content of a place when it was opened. Claims cite the snapshot, not the place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Place that was requested.
    pub address: SourceAddress,
    /// Place that answered, after redirects.
    pub final_address: SourceAddress,
    /// Title on one line, truncated; empty if it has none.
    pub title: String,
    /// Main text as plain text, paragraphs separated by an empty line; at most [`SNAPSHOT_BYTES_MAX`] bytes.
    pub text: String,
    /// When it was fetched.
    pub fetched_at: Timestamp,
    /// SHA-256 of [`Snapshot::text`], hexadecimal. Storage keeps a snapshot under this digest.
    pub sha256: String,
    /// Media type it was parsed as, for example `text/html`.
    pub media: String,
    /// Whether the text was cut because it was too long.
    pub cut: bool,
    /// Whether it is foreign text.
    pub taint: Taint,
}

/// Opens the results of a search.
#[async_trait]
pub trait Pages: Send + Sync {
    /// Reads a place, as `robots.txt` allows and with one request at a time per host. The time limit includes waiting
    /// for that turn. Dropping the future cancels the reading.
    ///
    /// # Errors
    /// Returns a [`SourceFault`] with the reason if no text can be obtained.
    async fn open(
        &self,
        address: &SourceAddress,
        within: Duration,
    ) -> Result<Snapshot, SourceFault>;
}

/// Gives access to searching and reading, according to the present settings.
pub trait Lookup: Send + Sync {
    /// Returns the outside engine that the person chose.
    ///
    /// # Errors
    /// Returns [`SourceFault::NotConfigured`] if none is chosen.
    fn outside(&self) -> Result<Arc<dyn SearchEngine>, SourceFault>;

    /// Returns the engine for this computer: documents in opened folders, notes, mail and memory.
    fn own(&self) -> Arc<dyn SearchEngine>;

    /// Returns the reader for pages and for the results of [`Lookup::own`].
    fn pages(&self) -> Arc<dyn Pages>;
}

/// A lookup that finds nothing, for programs and tests without network and documents.
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

    async fn search(
        &self,
        _: &str,
        _: usize,
        _: Duration,
    ) -> Result<Vec<SearchResult>, SourceFault> {
        Ok(Vec::new())
    }
}

#[async_trait]
impl Pages for NoLookup {
    async fn open(&self, address: &SourceAddress, _: Duration) -> Result<Snapshot, SourceFault> {
        Err(SourceFault::Gone {
            what: address.to_string(),
        })
    }
}

/// A search tool of a foreign server. Its client offers it to the adapter that turns it into a [`SearchEngine`].
#[async_trait]
pub trait SearchTool: Send + Sync {
    /// Returns the person's name for the server.
    fn server(&self) -> &str;

    /// Calls the tool with these words and returns the server's structured content if there is any, otherwise its text.
    ///
    /// # Errors
    /// Returns a [`SourceFault`] if the server did not answer or reported an error.
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
            let place: SourceAddress = text.parse().expect(text);
            assert_eq!(place.to_string(), text);
            let json = serde_json::to_string(&place).expect("written");
            assert_eq!(
                serde_json::from_str::<SourceAddress>(&json).expect("read"),
                place
            );
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
            assert_eq!(
                text.parse::<SourceAddress>(),
                Err(NotASourceAddress),
                "{text}"
            );
        }
    }
}
