//! The embedded researcher: what is done where no model is connected, or where its reply does not hold.
//!
//! It knows no world. It reads the question for names and for what is asked of them, searches names it has met together
//! with what is still uncovered, opens the results that speak most of both, and writes with sentences of its sources.

mod answer;
mod brain;
mod leads;
mod pages;
mod query;
mod rarity;
mod reflect;
mod relations;
mod sentence;
mod told;
mod topic;
mod write;

pub use brain::{evaluate, kickoff};
pub use pages::choose_pages;
pub use query::{next_query, query_key};
pub use reflect::reflect;
pub use write::{complete, document, passages, report};

use std::collections::BTreeSet;

use crate::document::{Hit, PageRef, Reflection};

/// What the researcher of a question knows: its question, and its own searches.
#[derive(Debug)]
pub struct View<'a> {
    /// What is to be found out in the end.
    pub objective: &'a str,
    /// The question.
    pub question: &'a str,
    /// What is looked for.
    pub goal: &'a str,
    /// Its searches, the first one first.
    pub searches: Vec<Search<'a>>,
    /// Addresses that could not be opened.
    pub closed: Vec<&'a str>,
    /// Keys of all queries of the run: none may come again.
    pub taken: &'a BTreeSet<String>,
    /// Pages it may open.
    pub pages_max: usize,
    /// Searches it makes at least.
    pub searches_min: usize,
}

/// One search of a researcher.
#[derive(Debug)]
pub struct Search<'a> {
    /// The query.
    pub query: &'a str,
    /// Results, best first.
    pub hits: &'a [Hit],
    /// Pages that were opened after it.
    pub sheets: Vec<Sheet<'a>>,
    /// Why it failed, where it did.
    pub fault: Option<&'a str>,
    /// What was thought of it.
    pub reflection: Option<&'a Reflection>,
}

/// An opened page with its text.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// The page.
    pub page: &'a PageRef,
    /// Its text.
    pub text: &'a str,
}

impl<'a> View<'a> {
    /// Every opened page, the first one first, none twice.
    pub fn sheets(&self) -> impl Iterator<Item = &Sheet<'a>> {
        let mut seen = BTreeSet::new();
        self.searches
            .iter()
            .flat_map(|search| &search.sheets)
            .filter(move |sheet| seen.insert(sheet.page.address.as_str()))
    }

    /// Whether a page was opened, or could not be.
    fn tried(&self, address: &str) -> bool {
        self.closed.contains(&address) || self.sheets().any(|sheet| sheet.page.address == address)
    }

    /// Pages that may still be opened.
    fn pages_left(&self) -> usize {
        self.pages_max
            .saturating_sub(self.sheets().count() + self.closed.len())
    }
}
