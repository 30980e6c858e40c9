//! Chooses the search results worth opening.

use std::collections::{BTreeMap, BTreeSet};

use super::View;
use super::leads::{Lead, leads};
use super::rarity::Rarity;
use super::topic::{Topic, same_name, stem_set};
use crate::document::Hit;
use crate::lexicon::name_key;

/// Maximum pages opened after the first search, which finds what the question names, and after each later search.
const PAGES_FIRST_MAX: usize = 3;
const PAGES_A_SEARCH_MAX: usize = 2;
/// Factor on the score of a title for each opened page of the same title.
const AGAIN: f32 = 0.5;
/// Minimum score of a result to be opened.
const SCORE_MIN: f32 = 1.2;
/// Minimum score of each further result of one choice: pages are scarce, and later searches need some.
const SCORE_STRONG: f32 = 1.7;
/// Score of a result whose snippet contains a name of the question word for word: the page may be the one asked for.
const NAMED_IN_SNIPPET: f32 = 0.8;
/// Minimum score of a result after [`LATE_SEARCHES`] searches, when there is nothing better to spend the pages on.
const SCORE_MIN_LATE: f32 = 0.6;
const LATE_SEARCHES: usize = 4;

/// Returns the addresses to open after the last search, best first. Results of earlier searches count as well: names
/// found since then may have made them worth opening.
pub fn choose_pages(view: &View<'_>) -> Vec<String> {
    let topic = Topic::seen(view);
    let leads = leads(view, &topic);
    let opened: Vec<String> = view
        .sheets()
        .map(|sheet| name_key(&sheet.page.title))
        .collect();
    let rarity = Rarity::of(view);
    let mut best: BTreeMap<&str, (f32, usize, &Hit)> = BTreeMap::new();
    for (back, search) in view.searches.iter().rev().enumerate() {
        for (rank, hit) in search.hits.iter().enumerate() {
            if view.tried(&hit.address) {
                continue;
            }
            let score = score(hit, rank, &topic, &rarity, &leads, &opened);
            let place = back * 100 + rank;
            let entry = best.entry(&hit.address).or_insert((score, place, hit));
            if score > entry.0 {
                *entry = (score, place, hit);
            }
        }
    }
    let mut ranked: Vec<(f32, usize, &Hit)> = best.into_values().collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let late = view.searches.len() >= LATE_SEARCHES;
    let least = if late { SCORE_MIN_LATE } else { SCORE_MIN };
    let first = view.searches.len() <= 1;
    let most = if first {
        PAGES_FIRST_MAX
    } else {
        PAGES_A_SEARCH_MAX
    };
    let room = view.pages_left().min(most);
    // Opens at most one page of each title at a time: the first may make the others unnecessary.
    let mut titles = BTreeSet::new();
    ranked
        .into_iter()
        .filter(|(score, _, hit)| *score >= least && titles.insert(name_key(&hit.title)))
        .enumerate()
        .take_while(|(at, (score, _, _))| *at == 0 || late || *score >= SCORE_STRONG)
        .take(room)
        .map(|(_, (_, _, hit))| hit.address.clone())
        .collect()
}

fn score(
    hit: &Hit,
    rank: usize,
    topic: &Topic,
    rarity: &Rarity,
    leads: &[Lead],
    opened: &[String],
) -> f32 {
    let title = name_key(&hit.title);
    let shown = stem_set(&format!("{} {}", hit.title, hit.snippet));
    #[expect(clippy::cast_precision_loss, reason = "at most twenty results")]
    let words = rarity.coverage(topic, &shown) * 2.0 + 0.5 / (1.0 + rank as f32);
    let again = opened.iter().filter(|one| **one == title).count();
    let mut named = 0.0;
    if topic.keys.contains(&title) {
        named += 3.0;
    } else if topic.keys.iter().any(|key| same_name(key, &title))
        || topic.words.contains(&format!(" {title} "))
    {
        named += 1.0;
    }
    let snippet = format!(" {} ", adjutant_text::words(&hit.snippet).join(" "));
    let names_one = |key: &String| snippet.contains(&format!(" {key} "));
    if topic.keys.iter().any(names_one) {
        named += NAMED_IN_SNIPPET;
    }
    let lead = leads.iter().filter_map(|lead| {
        if lead.key == title {
            Some(lead.score)
        } else if same_name(&lead.key, &title) {
            Some(lead.score * 0.8)
        } else {
            None
        }
    });
    named += lead.fold(0.0, f32::max).min(4.0);
    words + named * AGAIN.powi(i32::try_from(again).unwrap_or(i32::MAX))
}
