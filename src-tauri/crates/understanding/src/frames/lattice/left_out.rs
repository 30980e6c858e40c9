//! Words that a loose reading may leave out, with their weights.
//!
//! If no rule reads every word of a message, the message is read again without that requirement. Words that would
//! change the meaning must always be read: negations, conditions, numbers, times, people, quotations, and verbs that
//! change something.

use std::collections::HashSet;

use adjutant_text::message::TokenKind;
use adjutant_text::stem;

use super::super::weights::weights;
use super::{Lattice, known_words};
use crate::frames::grammar::{GRAMMAR, REQUESTS};

/// Classes of phrases whose words must always be read.
const KEPT: &[&str] = &["never_left_out", "joint", "only_if"];

/// Returns the weight for leaving out each token, or `None` if it must be read.
pub(super) fn costs(lattice: &Lattice<'_>) -> Vec<Option<f32>> {
    let known = known_words(lattice.said);
    let mut kept = HashSet::new();
    for class in KEPT
        .iter()
        .chain(REQUESTS)
        .filter_map(|class| GRAMMAR.class(class))
    {
        let hits = lattice.phrases_from(class, 0).iter();
        kept.extend(hits.flat_map(|hit| hit.start..hit.end));
    }
    // "… nails, sorry, screws": every word of a correction counts.
    let corrects = |at: &usize| {
        *at > 0 && lattice.is_mark(at - 1) && lattice.phrase("may_take_back", *at).is_some()
    };
    let corrected = (0..lattice.len()).find(corrects);
    let cost = |at: usize| {
        if corrected.is_some_and(|from| at >= from) {
            return None;
        }
        let token = lattice.text.tokens.get(at)?;
        let says = matches!(token.kind, TokenKind::Word);
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
