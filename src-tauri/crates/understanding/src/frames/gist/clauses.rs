//! The clauses of a message that is guessed at: those that say what is wanted, and those that only tell something.

use std::ops::Range;

use adjutant_text::message::TokenKind;

use super::super::grammar::REQUESTS;
use super::super::lattice::{Filler, Lattice};
use super::super::lead_in;

/// Words that begin a clause without being part of it.
const JOINTS: &[&str] = &["so", "because", "cause", "cuz", "since"];
/// Words that begin a clause if a request or a subject follows.
const LINKS: &[&str] = &["and", "but", "then"];
/// Subjects of a clause.
const SUBJECTS: &[&str] = &[
    "i", "we", "he", "she", "it", "they", "you", "that", "this", "there",
];

/// The clauses of a message, in order.
pub(super) struct Clauses(Vec<Range<usize>>);

impl Clauses {
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
        let mut clauses = Vec::new();
        let mut from = 0;
        // "1:1" is one word to a reader.
        let number = |at: usize| lattice.text.tokens[at].kind == TokenKind::Number;
        for at in 1..lattice.len().saturating_sub(1) {
            inside[at] |= lattice.is_mark(at) && number(at - 1) && number(at + 1);
        }
        for at in 0..lattice.len() {
            let next = at + 1;
            let parts = lattice.is_mark(at) || JOINTS.contains(&lattice.word(at));
            let links = LINKS.contains(&lattice.word(at))
                && (SUBJECTS.contains(&lattice.word(next)) || requests(lattice, next));
            if !inside[at] && (parts || links) {
                clauses.push(from..at);
                from = next;
            }
        }
        clauses.push(from..lattice.len());
        clauses.retain(|clause| !clause.is_empty());
        Self(clauses)
    }

    /// Returns the clauses that hold a cue and the name it is about: the one with the cue, and those with words of the
    /// name, unless that one has them all.
    pub fn with(&self, cue: &Range<usize>, name: &[usize], words: usize) -> Vec<Range<usize>> {
        let held = |clause: &Range<usize>| name.iter().filter(|at| clause.contains(at)).count();
        let cued = |clause: &Range<usize>| clause.contains(&cue.start) || clause.contains(&(cue.end - 1));
        let whole = self.0.iter().filter(|clause| cued(clause)).map(held).sum::<usize>() >= words;
        let wanted = |clause: &&Range<usize>| cued(clause) || !whole && held(clause) > 0;
        self.0.iter().filter(wanted).cloned().collect()
    }

    /// Returns the clauses that are not among some of them.
    pub fn others<'a>(&'a self, some: &'a [Range<usize>]) -> impl Iterator<Item = &'a Range<usize>> {
        self.0.iter().filter(|clause| !some.contains(clause))
    }
}

/// Reports whether a clause only tells something: it orders and asks nothing, and limits nothing but which instance of a
/// series is meant.
pub(super) fn is_aside(lattice: &Lattice<'_>, clause: &Range<usize>) -> bool {
    let first = (clause.start..clause.end)
        .find(|at| !lattice.is_mark(*at))
        .unwrap_or(clause.end);
    let opens = |class: &str| lattice.phrase(class, first).filter(|end| *end <= clause.end);
    if opens("gist_scope").is_some() || opens("filler") == Some(clause.end) {
        return true;
    }
    let doubts = |at: usize| lattice.phrase("gist_doubt", at).is_some();
    let limits = |at: usize| lattice.phrase("limits", at).is_some();
    let quoted = |at: usize| lattice.text.tokens[at].quote.is_some();
    lead_in::tells(lattice, clause.clone(), clause.end)
        && !clause.clone().any(|at| doubts(at) || limits(at) || quoted(at))
}

fn requests(lattice: &Lattice<'_>, at: usize) -> bool {
    REQUESTS.iter().any(|class| lattice.phrase(class, at).is_some())
}
