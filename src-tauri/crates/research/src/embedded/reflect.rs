//! Judges what the last search brought, by how much of the question is covered.

use std::collections::BTreeSet;

use adjutant_text::{stem, words};

use super::View;
use super::query::next_query;
use super::topic::Topic;
use crate::document::{Delta, Reflection};

/// Searches after which the embedded researcher writes, whatever is still open: more searches rarely find anything.
const SEARCHES_MAX: usize = 10;

/// Reflects on the last search and returns whether the question is done.
pub fn reflect(view: &View<'_>) -> (Reflection, bool) {
    let topic = Topic::seen(view);
    let last = view.searches.last();
    let new: Vec<&str> = last.map_or_else(Vec::new, |search| {
        search
            .sheets
            .iter()
            .map(|sheet| sheet.page.title.as_str())
            .collect()
    });
    let found = last.is_some_and(|search| !search.hits.is_empty());
    let covered: BTreeSet<String> = view
        .sheets()
        .flat_map(|sheet| words(&format!("{} {}", sheet.page.title, sheet.text)))
        .map(|word| stem(&word))
        .collect();
    let open: Vec<&str> = topic
        .stems
        .iter()
        .map(|(stem, _)| stem.as_str())
        .filter(|stem| !covered.contains(*stem))
        .collect();
    let delta = match (found, new.is_empty()) {
        (false, _) => Delta::DeadEnd,
        (true, true) => Delta::NoChange,
        (true, false) => Delta::Progress,
    };
    let mut thought = match delta {
        Delta::DeadEnd => "The search found nothing.".to_owned(),
        Delta::NoChange => "The search found nothing new that is worth opening.".to_owned(),
        Delta::Progress => format!("Opened {}.", new.join(", ")),
    };
    if open.is_empty() {
        thought.push_str(" Every word of the question is covered.");
    } else {
        thought.push_str(&format!(" Still uncovered: {}.", open.join(", ")));
    }
    let through = view.searches.len() >= SEARCHES_MAX || view.pages_left() == 0;
    let done = view.searches.len() >= view.searches_min && (through || next_query(view).is_none());
    (Reflection { thought, delta }, done)
}
