//! The embedded researcher, which works if no model is connected or a model's reply fails its check.
//!
//! It has no knowledge of the world. It reads the names in the question and what is asked about them, searches the
//! names it has found together with the words still uncovered, opens the results that match both best, and writes with
//! sentences of its sources.

mod answer;
mod brain;
mod doubt;
mod leads;
mod orders;
mod own;
mod pages;
mod query;
mod rarity;
mod reflect;
mod relations;
mod sentence;
mod topic;
mod write;

pub use brain::{evaluate, kickoff};
pub use pages::choose_pages;
pub use query::{next_query, query_key};
pub use reflect::reflect;
pub use write::{complete, complete_notes, document, passages, report, summary};

use std::collections::BTreeSet;

use crate::document::{Hit, PageRef, Reflection};

/// Everything the researcher of a question knows: its question and its own searches.
#[derive(Debug)]
pub struct View<'a> {
    /// What the whole run is to find out.
    pub objective: &'a str,
    /// The question.
    pub question: &'a str,
    /// What the researcher looks for.
    pub goal: &'a str,
    /// Searches of this question, oldest first.
    pub searches: Vec<Search<'a>>,
    /// Addresses that could not be opened.
    pub closed: Vec<&'a str>,
    /// Keys of all queries of the run; no query is repeated.
    pub taken: &'a BTreeSet<String>,
    /// Maximum pages this question may open.
    pub pages_max: usize,
    /// Minimum searches of this question.
    pub searches_min: usize,
}

/// One search of a researcher.
#[derive(Debug)]
pub struct Search<'a> {
    /// The query.
    pub query: &'a str,
    /// Results, best first.
    pub hits: &'a [Hit],
    /// Pages opened after this search.
    pub sheets: Vec<Sheet<'a>>,
    /// Why the search failed; `None` if it did not.
    pub fault: Option<&'a str>,
    /// What the researcher thought of the search.
    pub reflection: Option<&'a Reflection>,
}

/// An opened page with its text.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// The page, as the brain document keeps it.
    pub page: &'a PageRef,
    /// Text of the page.
    pub text: &'a str,
}

impl Sheet<'_> {
    /// Returns whether the page is from the web rather than a document or a record of the person.
    fn is_of_the_web(&self) -> bool {
        self.page.address.starts_with("http")
    }
}

impl<'a> View<'a> {
    /// Returns the opened pages, oldest first, each once.
    pub fn sheets(&self) -> impl Iterator<Item = &Sheet<'a>> {
        let mut seen = BTreeSet::new();
        self.searches
            .iter()
            .flat_map(|search| &search.sheets)
            .filter(move |sheet| seen.insert(sheet.page.address.as_str()))
    }

    /// Returns whether a page was opened or could not be opened.
    fn tried(&self, address: &str) -> bool {
        self.closed.contains(&address) || self.sheets().any(|sheet| sheet.page.address == address)
    }

    /// Returns how many more pages may be opened.
    fn pages_left(&self) -> usize {
        self.pages_max
            .saturating_sub(self.sheets().count() + self.closed.len())
    }
}
