//! People and times in free words: "write to Kim that it will be done by noon", "make that three o'clock".

use std::ops::Range;

use super::super::lattice::{Filler, Lattice};
use super::put::{Edit, pieces};

/// Returns the byte ranges of the times among tokens, each as long as possible.
pub(super) fn times_in(lattice: &Lattice<'_>, tokens: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = tokens.start;
    while at < tokens.end {
        let edges = lattice.edges(at).iter();
        let times = edges.filter(|edge| matches!(edge.filler, Filler::Time(_)));
        let ends = times.map(|edge| edge.end).filter(|end| *end <= tokens.end);
        let end = ends.max();
        found.extend(end.and_then(|end| lattice.text.span(at..end)));
        at = end.unwrap_or(at + 1);
    }
    found
}

/// Returns the edit that replaces the only time of the same kind. Empty if there are several, because it is unclear
/// which is meant.
pub(super) fn times(
    lattice: &Lattice<'_>,
    told: &[Range<usize>],
    words: &str,
    (day, clock): (bool, bool),
) -> Vec<Edit> {
    let like = |old: &Range<usize>| {
        let inside = pieces(lattice, old).into_iter();
        let like = inside.filter(|found| match (day, clock) {
            (true, true) => true,
            (true, false) => found.clock.is_none(),
            _ => !found.has_day && found.clock.is_some(),
        });
        like.max_by_key(|found| found.span.len())
    };
    let mut found = told.iter().filter_map(like);
    match (found.next(), found.next()) {
        (Some(only), None) => {
            let said = lattice.text.source.get(only.span.clone()).unwrap_or("");
            let half = ["am", "pm"].into_iter().find(|half| {
                let bare = words.bytes().all(|letter| letter.is_ascii_digit());
                bare && said.to_lowercase().ends_with(half)
            });
            let words = format!("{words}{}", half.unwrap_or(""));
            vec![Edit::Replace(only.span, words)]
        }
        _ => Vec::new(),
    }
}

/// Returns the people named in free words, as token and byte ranges: "call Bob".
pub(super) fn people_in(
    lattice: &Lattice<'_>,
    tokens: Range<usize>,
) -> Vec<(Range<usize>, Range<usize>)> {
    let named = tokens.clone().flat_map(|at| {
        let edges = lattice.edges(at).iter();
        let named = edges.filter(|edge| matches!(edge.filler, Filler::People(_)));
        named.map(move |edge| at..edge.end)
    });
    let inside = named.filter(|named| named.end <= tokens.end);
    inside
        .filter_map(|named| Some((named.clone(), lattice.text.span(named)?)))
        .collect()
}
