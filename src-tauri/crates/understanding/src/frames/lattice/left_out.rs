//! Words that a loose reading may leave out, and what each costs.
//!
//! Where no rule reads every word of a message, it is read once more without this constraint. What would change the meaning
//! always has to be read: negations, conditions, numbers, times, people, quotations, and verbs that change something.

use std::collections::HashSet;

use adjutant_text::message::Kind;
use adjutant_text::stem;

use super::super::weights::weights;
use super::{Lattice, known_words};
use crate::frames::grammar::GRAMMAR;

/// Classes of phrases whose words always have to be read.
const KEPT: &[&str] = &["never_left_out", "imperative", "joint", "only_if"];

/// What each token costs when it is left out; `None`: it has to be read.
pub(super) fn costs(lattice: &Lattice<'_>) -> Vec<Option<f32>> {
    let known = known_words(lattice.said);
    let mut kept = HashSet::new();
    for class in KEPT.iter().filter_map(|class| GRAMMAR.class(class)) {
        let hits = lattice.phrases_from(class, 0).iter();
        kept.extend(hits.flat_map(|hit| hit.start..hit.end));
    }
    // "… nails, sorry, screws": what corrects the rest is all of what is meant.
    let corrects = |at: &usize| {
        *at > 0 && lattice.is_mark(at - 1) && lattice.phrase("may_take_back", *at).is_some()
    };
    let corrected = (0..lattice.len()).find(corrects);
    let cost = |at: usize| {
        if corrected.is_some_and(|from| at >= from) {
            return None;
        }
        let token = lattice.text.tokens.get(at)?;
        let says = matches!(token.kind, Kind::Word);
        if !says || token.quote.is_some() || kept.contains(&at) || !lattice.edges(at).is_empty() {
            return None;
        }
        Some(match () {
            () if lattice.worth(at) < 1.0 => weights().left_small,
            () if known.contains(&stem(&token.word)) => weights().left_known,
            () => weights().left_word,
        })
    };
    (0..lattice.len()).map(cost).collect()
}
