//! Which results are worth opening.

use std::collections::BTreeMap;

use super::View;
use super::leads::{Lead, leads};
use super::topic::{Topic, same_name, stem_set};
use crate::document::Hit;
use crate::lexicon::name_key;

/// Pages opened after one search at most.
const PAGES_A_SEARCH_MAX: usize = 3;
/// What a result scores at least to be opened.
const SCORE_MIN: f32 = 1.2;
/// ... and after so many searches, when there is nothing better to spend the pages on.
const SCORE_MIN_LATE: f32 = 0.6;
const LATE_SEARCHES: usize = 6;

/// The addresses to open after the last search, the best one first. Results of earlier searches count as well: what was
/// met since may have made them worth it.
pub fn choose_pages(view: &View<'_>) -> Vec<String> {
    let topic = Topic::of(view.question);
    let leads = leads(view, &topic);
    let mut best: BTreeMap<&str, (f32, usize)> = BTreeMap::new();
    for (back, search) in view.searches.iter().rev().enumerate() {
        for (rank, hit) in search.hits.iter().enumerate() {
            if view.tried(&hit.address) {
                continue;
            }
            let score = score(hit, rank, &topic, &leads);
            let place = back * 100 + rank;
            let entry = best.entry(&hit.address).or_insert((score, place));
            if score > entry.0 {
                *entry = (score, place);
            }
        }
    }
    let mut ranked: Vec<(&str, (f32, usize))> = best.into_iter().collect();
    ranked.sort_by(|one, other| other.1.0.total_cmp(&one.1.0).then(one.1.1.cmp(&other.1.1)));
    let late = view.searches.len() >= LATE_SEARCHES;
    let least = if late { SCORE_MIN_LATE } else { SCORE_MIN };
    let room = view.pages_left().min(PAGES_A_SEARCH_MAX);
    ranked
        .into_iter()
        .filter(|(_, (score, _))| *score >= least)
        .take(room)
        .map(|(address, _)| address.to_owned())
        .collect()
}

fn score(hit: &Hit, rank: usize, topic: &Topic, leads: &[Lead]) -> f32 {
    let title = name_key(&hit.title);
    let shown = stem_set(&format!("{} {}", hit.title, hit.snippet));
    #[expect(clippy::cast_precision_loss, reason = "at most twenty results")]
    let mut score = topic.coverage(&shown) * 2.0 + 0.5 / (1.0 + rank as f32);
    if topic.keys.contains(&title) {
        score += 3.0;
    } else if topic.keys.iter().any(|key| same_name(key, &title))
        || topic.words.contains(&format!(" {title} "))
    {
        score += 1.0;
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
    score + lead.fold(0.0, f32::max).min(4.0)
}
