//! Which results are worth opening.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_text::{stem, words};

use super::View;
use super::leads::{Lead, leads};
use super::topic::Topic;
use crate::document::Hit;
use crate::lexicon::name_key;

/// Pages opened after one search at most.
const PAGES_A_SEARCH_MAX: usize = 3;
/// What a result scores at least to be opened.
const SCORE_MIN: f32 = 1.2;

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
    let room = view.pages_left().min(PAGES_A_SEARCH_MAX);
    ranked
        .into_iter()
        .filter(|(_, (score, _))| *score >= SCORE_MIN)
        .take(room)
        .map(|(address, _)| address.to_owned())
        .collect()
}

fn score(hit: &Hit, rank: usize, topic: &Topic, leads: &[Lead]) -> f32 {
    let title = name_key(&hit.title);
    let shown: BTreeSet<String> = words(&format!("{} {}", hit.title, hit.snippet))
        .iter()
        .map(|word| stem(word))
        .collect();
    let covered = topic
        .stems
        .iter()
        .filter(|stem| shown.contains(*stem))
        .count();
    #[expect(clippy::cast_precision_loss, reason = "a few dozen words")]
    let coverage = covered as f32 / topic.stems.len().max(1) as f32;
    #[expect(clippy::cast_precision_loss, reason = "at most twenty results")]
    let mut score = coverage * 2.0 + 0.5 / (1.0 + rank as f32);
    if topic.keys.contains(&title) {
        score += 3.0;
    } else if !title.is_empty() && topic.words.contains(&format!(" {title} ")) {
        score += 1.0;
    }
    if let Some(lead) = leads.iter().find(|lead| lead.key == title) {
        score += lead.score.min(3.0);
    }
    score
}
