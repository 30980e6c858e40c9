//! Chooses the next query.

use std::collections::BTreeSet;

use adjutant_text::words;

use super::View;
use super::leads::leads;
use super::topic::Topic;
use crate::lexicon::{name_key, tells};

/// Maximum words of a query.
const QUERY_WORDS_MAX: usize = 24;
/// Minimum score of a lead to be searched before the question's own names are searched again. Weaker leads come last.
const LEAD_MIN: f32 = 0.4;

/// Returns the form in which queries are compared: queries with the same words in any order are equal.
pub fn query_key(query: &str) -> String {
    words(query)
        .into_iter()
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the next query of a researcher; `None` if nothing new is left to search.
pub fn next_query(view: &View<'_>) -> Option<String> {
    candidates(view).into_iter().find(|query| {
        let key = query_key(query);
        !key.is_empty() && !view.taken.contains(&key)
    })
}

/// Returns the queries worth making, best first.
fn candidates(view: &View<'_>) -> Vec<String> {
    let topic = Topic::seen(view);
    let telling: Vec<String> = words(view.question)
        .into_iter()
        .filter(|word| tells(word))
        .collect();
    let mut found = vec![cut(&telling.join(" "))];
    let titled = |key: &str| {
        view.searches
            .iter()
            .flat_map(|search| search.hits)
            .any(|hit| name_key(&hit.title) == key)
    };
    for (name, key) in topic.names.iter().zip(&topic.keys) {
        if !titled(key) {
            found.push(cut(name));
        }
    }
    let asked: Vec<&str> = topic.asked.iter().map(|one| one.word.as_str()).collect();
    let asked = asked.join(" ");
    let (mut followed, mut weak) = (Vec::new(), Vec::new());
    for lead in leads(view, &topic) {
        let searched = view
            .searches
            .iter()
            .any(|search| has_name(search.query, &lead.name));
        if searched {
            continue;
        }
        let query = cut(&format!("{} {}", lead.name, lead.residual.join(" ")));
        // The page of this lead is among the results already and can be opened without a search, so its query comes
        // late.
        if view
            .searches
            .iter()
            .flat_map(|search| search.hits)
            .any(|hit| name_key(&hit.title) == lead.key)
        {
            followed.push(query);
        } else if lead.score < LEAD_MIN {
            weak.push(query);
        } else {
            found.push(query);
        }
    }
    for name in &topic.names {
        found.push(cut(&format!("{name} {asked}")));
        found.push(cut(name));
    }
    found.append(&mut followed);
    found.push(cut(&asked));
    found.append(&mut weak);
    found
}

/// Returns whether a query contains every word of a name.
fn has_name(query: &str, name: &str) -> bool {
    let query = words(query);
    words(name).iter().all(|word| query.contains(word))
}

fn cut(query: &str) -> String {
    query
        .split_whitespace()
        .take(QUERY_WORDS_MAX)
        .collect::<Vec<_>>()
        .join(" ")
}
