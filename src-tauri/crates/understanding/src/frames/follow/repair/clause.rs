//! Whole requests that replace the request before them: "how many mails … or rather: how many unread ones from Ana?".

use adjutant_domain::reading::Utterance;

use super::super::super::clauses;
use super::super::super::lattice::{Filler, Lattice};
use super::{Break, PAUSES, joined};

/// Classes of words with which a request begins.
const BEGINS: &[&str] = &[
    "imperative",
    "request",
    "question",
    "enter",
    "move",
    "delete",
    "remind",
    "show",
];
/// Words that join two requests.
const JOINTS: &[&str] = &["and", "then", "also", "plus", "but"];
/// Words for more of the same: what they begin comes to the request before it.
const MORE: &[&str] = &["also", "and", "plus"];

/// Returns the texts in which what follows the repair takes the place of the last request before it. Empty if it is no
/// request.
pub(super) fn texts(lattice: &Lattice<'_>, at: Break, said: &Utterance<'_>) -> Vec<String> {
    let mut first = at.after;
    while let Some(end) = lattice.phrase("filler", first).filter(|end| *end > first) {
        first = end;
    }
    let adds = MORE.contains(&lattice.word(at.after));
    if adds || !begins(lattice, first) {
        return Vec::new();
    }
    let from = last(lattice, at.before);
    let kept = lattice.slice(0..from);
    let new = lattice.slice(at.after..lattice.len());
    let old = lattice.slice(from..at.before);
    let mut texts = Vec::new();
    for reference in ["it", "that"] {
        texts.extend(named(lattice, (at, reference), old, said));
    }
    if let Some(noun) = noun(lattice, from, at.before) {
        texts.extend(with_noun(lattice, at.after, noun));
    }
    let refers = ["it", "them", "one", "ones"];
    let open = (at.after..lattice.len()).any(|at| refers.contains(&lattice.word(at)));
    if !open || texts.is_empty() {
        texts.push(new.to_owned());
    }
    // Where the earlier request is read, the rules themselves find what the new one refers to.
    texts.insert(0, format!("{old}. Scratch that, {new}"));
    let whole = |text: String| match kept.is_empty() {
        true => text,
        false => joined(&[kept, "and", &text]),
    };
    if !kept.is_empty() {
        texts.remove(0);
    }
    texts.into_iter().map(whole).collect()
}

/// Returns the first token of the last request before a token.
pub(super) fn last(lattice: &Lattice<'_>, end: usize) -> usize {
    let joint =
        |at: usize| JOINTS.contains(&lattice.word(at)) || PAUSES.contains(&lattice.word(at));
    let starts = (1..end).rev();
    let mut starts = starts.filter(|at| joint(at - 1) && orders(lattice, *at));
    starts.next().unwrap_or(0)
}

fn begins(lattice: &Lattice<'_>, at: usize) -> bool {
    BEGINS
        .iter()
        .any(|class| lattice.phrase(class, at).is_some())
}

fn orders(lattice: &Lattice<'_>, at: usize) -> bool {
    let classes = ["imperative", "request"];
    classes
        .iter()
        .any(|class| lattice.phrase(class, at).is_some())
}

/// Returns the new request with the thing of the old one in place of the word that refers to it.
fn named(
    lattice: &Lattice<'_>,
    (at, reference): (Break, &str),
    old: &str,
    said: &Utterance<'_>,
) -> Option<String> {
    let it = (at.after..lattice.len()).find(|at| lattice.word(*at) == reference)?;
    let before = Lattice::read(old, said)?;
    let asked = clauses::sequences(&before).into_iter().next()?;
    let [one] = asked.requests.as_slice() else {
        return None;
    };
    let thing = one.frame.inner("target")?.span.clone();
    Some(joined(&[
        lattice.slice(at.after..it),
        before.slice(thing),
        lattice.slice(it + 1..lattice.len()),
    ]))
}

/// Returns the last word of a stretch that may be a noun.
pub(super) fn noun<'m>(lattice: &Lattice<'m>, from: usize, end: usize) -> Option<&'m str> {
    let at = end.checked_sub(1).filter(|at| *at > from)?;
    let named = !lattice.is_mark(at) && lattice.phrase("small", at).is_none();
    let bare = !matches!(lattice.word(at), "one" | "ones" | "'s");
    let value = (from..=at).any(|start| {
        let mut edges = lattice.edges(start).iter();
        edges
            .any(|edge| edge.end > at && matches!(edge.filler, Filler::People(_) | Filler::Time(_)))
    });
    (named && bare && !value).then(|| lattice.slice(at..at + 1))
}

/// Returns the words from a token on with a noun in place of "one" and behind an owner without a thing: "the unread
/// ones", "Ana's".
pub(super) fn with_noun(lattice: &Lattice<'_>, from: usize, noun: &str) -> Option<String> {
    let stands = |at: usize| {
        let alone = matches!(lattice.word(at), "one" | "ones") && at > from;
        let apart = !matches!(
            lattice.word(at - usize::from(at > 0)),
            "which" | "this" | "that"
        );
        alone && apart
    };
    let owner = |at: usize| {
        let end = at + 1;
        let closes = end >= lattice.len() || lattice.is_mark(end) || lattice.word(end) == "and";
        lattice.word(at) == "'s" && closes
    };
    let mut parts: Vec<&str> = Vec::new();
    let mut start = from;
    for at in from..lattice.len() {
        if stands(at) {
            parts.extend([lattice.slice(start..at), noun]);
            start = at + 1;
        } else if owner(at) {
            parts.extend([lattice.slice(start..at + 1), noun]);
            start = at + 1;
        }
    }
    if parts.is_empty() {
        return None;
    }
    parts.push(lattice.slice(start..lattice.len()));
    Some(joined(&parts))
}
