//! The segments of a message between its marks and joining words: those that say what is wanted, and those that only
//! tell something.

use std::ops::Range;

use adjutant_text::message::TokenKind;

use super::grammar::REQUESTS;
use super::lattice::{Filler, Lattice};
use super::lead_in;
use super::side_remark::SUBJECTS;

/// Words that begin a segment without being part of it.
const JOINTS: &[&str] = &["so", "because", "cause", "cuz", "since"];
/// Words that begin a segment if a request or a subject follows.
const LINKS: &[&str] = &["and", "but", "then"];
/// The segments of a message, in order.
pub(super) struct Segments(Vec<Range<usize>>);

impl Segments {
    /// Splits a message at its marks, except those inside times, and at words that begin a reason or another request.
    pub fn of(lattice: &Lattice<'_>) -> Self {
        let mut inside = vec![false; lattice.len()];
        for at in 0..lattice.len() {
            let whole = |filler: &Filler| matches!(filler, Filler::Time(_) | Filler::People(_));
            let edges = lattice.edges(at).iter();
            for edge in edges.filter(|edge| whole(&edge.filler)) {
                inside[at + 1..edge.end].fill(true);
            }
        }
        let mut segments = Vec::new();
        let mut from = 0;
        // "1:1" is one word to a reader.
        let number = |at: usize| lattice.text.tokens[at].kind == TokenKind::Number;
        let pairs = |at: usize| {
            let between = at > 0 && at + 1 < lattice.len() && lattice.is_mark(at);
            between && number(at - 1) && number(at + 1)
        };
        for (at, inside) in inside.iter().enumerate() {
            let inside = *inside || pairs(at);
            let next = at + 1;
            let parts = lattice.is_mark(at) || JOINTS.contains(&lattice.word(at));
            let links = LINKS.contains(&lattice.word(at))
                && (is_pronoun(lattice, next) || requests(lattice, next));
            if !inside && (parts || links) {
                segments.push(from..at);
                from = next;
            }
        }
        segments.push(from..lattice.len());
        segments.retain(|segment| !segment.is_empty());
        Self(segments)
    }

    /// Returns the segments that hold a cue and the name it is about: the one with the cue, and those with words of the
    /// name, unless that one has them all.
    pub fn with(&self, cue: &Range<usize>, name: &[usize], words: usize) -> Vec<Range<usize>> {
        let held = |segment: &Range<usize>| name.iter().filter(|at| segment.contains(at)).count();
        let cued = |segment: &Range<usize>| {
            segment.contains(&cue.start) || segment.contains(&(cue.end - 1))
        };
        let whole = self
            .0
            .iter()
            .filter(|segment| cued(segment))
            .map(held)
            .sum::<usize>()
            >= words;
        let wanted = |segment: &&Range<usize>| cued(segment) || !whole && held(segment) > 0;
        self.0.iter().filter(wanted).cloned().collect()
    }

    /// Returns all segments.
    pub fn all(&self) -> &[Range<usize>] {
        &self.0
    }

    /// Returns the segments that are not among some of them.
    pub fn others<'a>(
        &'a self,
        some: &'a [Range<usize>],
    ) -> impl Iterator<Item = &'a Range<usize>> {
        self.0.iter().filter(|segment| !some.contains(segment))
    }
}

/// Reports whether a segment only tells something: it orders and asks nothing, and limits nothing but which instance of a
/// series is meant.
pub(super) fn is_aside(lattice: &Lattice<'_>, segment: &Range<usize>) -> bool {
    let first = (segment.start..segment.end)
        .find(|at| !lattice.is_mark(*at))
        .unwrap_or(segment.end);
    let opens = |class: &str| {
        lattice
            .phrase(class, first)
            .filter(|end| *end <= segment.end)
    };
    if opens("gist_scope").is_some() || opens("filler") == Some(segment.end) {
        return true;
    }
    let doubts = |at: usize| lattice.phrase("gist_doubt", at).is_some();
    let limits = |at: usize| lattice.phrase("limits", at).is_some();
    let quoted = |at: usize| lattice.text.tokens[at].quote.is_some();
    states(lattice, first..segment.end)
        && lead_in::tells(lattice, segment.clone(), segment.end)
        && !segment
            .clone()
            .any(|at| doubts(at) || limits(at) || quoted(at))
}

/// Reports whether words begin with a subject. Without one, they may order something by a verb that no rule knows.
fn states(lattice: &Lattice<'_>, tokens: Range<usize>) -> bool {
    let first = lattice
        .phrase("filler", tokens.start)
        .unwrap_or(tokens.start);
    let verb = |at: usize| {
        let word = lattice.word(at);
        at < tokens.end && (lattice.phrase("states", at).is_some() || word.ends_with("ed"))
    };
    // "HR closes the window": what follows a verb in the third person is no plural.
    let third = |at: usize| {
        at + 1 < tokens.end
            && lattice.word(at).ends_with('s')
            && lattice.phrase("det", at + 1).is_some()
    };
    let mut people = lattice.edges(first).iter();
    SUBJECTS.contains(&lattice.word(first))
        || lattice.phrase("det", first).is_some()
        || people.any(|edge| matches!(edge.filler, Filler::People(_)) && verb(edge.end))
        || verb(first + 1)
        || third(first + 1)
}

/// Reports whether a subject stands for somebody or something: "and she is away", unlike "and the minutes".
fn is_pronoun(lattice: &Lattice<'_>, at: usize) -> bool {
    SUBJECTS.contains(&lattice.word(at)) && lattice.phrase("det", at).is_none()
}

fn requests(lattice: &Lattice<'_>, at: usize) -> bool {
    REQUESTS
        .iter()
        .any(|class| lattice.phrase(class, at).is_some())
}
