//! Values that replace the nearest value of their type: "star John's, I mean Rachel's mail", "for 3 people, no, 4 people".

use std::mem::discriminant;
use std::ops::Range;

use super::super::super::lattice::{Edge, Filler, Lattice};
use super::{Break, clause, joined, unmarked};

/// Words that may stand in front of a value.
const LEADS: &[&str] = &[
    "at", "on", "to", "with", "from", "for", "by", "in", "about", "until", "till", "of",
];

/// Words with which a statement to somebody may begin again: "tell Ana I can come … no, I can't".
const SUBJECTS: &[&str] = &["i", "we", "it", "he", "she", "they", "that"];

/// Returns the texts in which what follows the repair takes the place of a value before it.
pub(super) fn texts(lattice: &Lattice<'_>, at: Break) -> Vec<String> {
    let mut texts = Vec::new();
    for start in starts(lattice, at) {
        for new in longest_first(lattice, start) {
            for old in alike(lattice, at, new) {
                texts.extend(replaced(lattice, at, (&old, &(start..new.end)), new));
            }
        }
    }
    texts.extend(ending(lattice, at));
    texts.extend(retraced(lattice, at));
    texts
}

/// Returns the tokens at which the new value may begin: behind "it is" or "make that", a preposition, or a statement
/// before "so".
fn starts(lattice: &Lattice<'_>, at: Break) -> Vec<usize> {
    let so = (at.after + 1..lattice.len())
        .filter(|at| lattice.word(*at) == "so" && lattice.word(at - 1) == ",")
        .map(|at| at + 1);
    let mut starts = Vec::new();
    for mut from in [at.after].into_iter().chain(so) {
        starts.push(from);
        if let Some(end) = lattice.phrase("repair_value", from) {
            from = end;
            starts.push(from);
        }
        if LEADS.contains(&lattice.word(from)) {
            starts.push(from + 1);
        }
    }
    starts
}

/// Returns the message with a word in place of one that the rules take for the same: "as read … no, unread".
pub(super) fn of_one_class(lattice: &Lattice<'_>, at: Break) -> Vec<String> {
    let lead = usize::from(matches!(lattice.word(at.after), "as" | "to"));
    let new = at.after + lead;
    let replaced = |class: &&str| {
        let end = lattice.phrase(class, new)?;
        let mut before = (0..at.before).rev();
        let old = before.find_map(|from| {
            let end = lattice
                .phrase(class, from)
                .filter(|end| *end <= at.before)?;
            Some(from..end)
        })?;
        Some(joined(&[
            lattice.slice(0..old.start),
            lattice.slice(new..end),
            lattice.slice(old.end..at.before),
            unmarked(lattice.slice(end..lattice.len())),
        ]))
    };
    ["state", "priority", "freq", "pick"]
        .iter()
        .filter_map(replaced)
        .collect()
}

fn longest_first<'l>(lattice: &'l Lattice<'_>, at: usize) -> Vec<&'l Edge> {
    let mut edges: Vec<&Edge> = lattice.edges(at).iter().collect();
    edges.sort_by_key(|edge| std::cmp::Reverse(edge.end));
    edges
}

/// Returns the values before the repair that are like a new one, the nearest first.
fn alike(lattice: &Lattice<'_>, at: Break, new: &Edge) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for start in 0..at.before {
        let edges = longest_first(lattice, start).into_iter();
        let mut like = edges.filter(|old| old.end <= at.before && is_like(lattice, old, new));
        let inside = |end: usize| found.iter().any(|one| start >= one.start && end <= one.end);
        if let Some(old) = like.next().filter(|old| !inside(old.end)) {
            found.push(start..old.end);
        }
    }
    found.reverse();
    found
}

/// Reports whether two values are of one type; times also have to say a day, a time of day, or both.
fn is_like(lattice: &Lattice<'_>, old: &Edge, new: &Edge) -> bool {
    match (&old.filler, &new.filler) {
        (Filler::Time(old), Filler::Time(new)) => {
            let shape = |at: &usize| {
                let time = lattice.times.get(*at);
                time.map(|time| (time.has_day, time.clock.is_some()))
            };
            shape(old) == shape(new)
        }
        (old, new) => discriminant(old) == discriminant(new),
    }
}

/// Returns the message with one value in place of another.
fn replaced(
    lattice: &Lattice<'_>,
    at: Break,
    (old, new): (&Range<usize>, &Range<usize>),
    value: &Edge,
) -> Option<String> {
    let behind = old.end..at.before;
    let again = behind.len() <= lattice.len() - new.end
        && (0..behind.len()).all(|n| lattice.word(behind.start + n) == lattice.word(new.end + n));
    // A bare number replaces another only with the same unit, or one whose unit was not said yet.
    let number = matches!(value.filler, Filler::Number(_) | Filler::Ordinal(_));
    if number && !again {
        return None;
    }
    let owner = lattice.word(new.end) == "'s";
    // "John's, I mean Rachel's mail": the thing is named only once.
    if owner && lattice.word(old.end) != "'s" {
        return None;
    }
    let rest = match owner {
        true => lattice.slice(new.start..lattice.len()),
        false => lattice.slice(new.end..lattice.len()),
    };
    let head = lattice.slice(0..old.start);
    let words = lattice.slice(new.clone());
    if owner {
        let only = behind.len() == 1 || again;
        return only.then(|| joined(&[head, rest]));
    }
    let behind = if again { "" } else { lattice.slice(behind) };
    Some(joined(&[head, words, behind, unmarked(rest)]))
}

/// Returns the message with other digits at the end of its number: "… 0142 - no, it ends in 0143".
fn ending(lattice: &Lattice<'_>, at: Break) -> Option<String> {
    let end = lattice.phrase("ends_in", at.after)?;
    let digits = lattice.slice(end..end + 1);
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let old = (0..at.before).rev().find_map(|start| {
        let phone = |edge: &&Edge| matches!(edge.filler, Filler::Phone(_)) && edge.end <= at.before;
        let edge = lattice.edges(start).iter().find(phone)?;
        Some(start..edge.end)
    })?;
    let written = lattice.slice(old.clone());
    let kept = written
        .len()
        .checked_sub(digits.len())
        .filter(|_| is_number)?;
    let tail = written.get(kept..)?;
    let new = format!("{}{digits}", written.get(..kept)?);
    let alike = tail.bytes().all(|digit| digit.is_ascii_digit());
    let rest = unmarked(lattice.slice(end + 1..lattice.len()));
    let behind = lattice.slice(old.end..at.before);
    alike.then(|| joined(&[lattice.slice(0..old.start), &new, behind, rest]))
}

/// Returns the message as if the speaker had begun again at the word that the repair repeats: "with Tom … no, with Ana".
fn retraced(lattice: &Lattice<'_>, at: Break) -> Option<String> {
    let word = lattice.word(at.after);
    let det = lattice.phrase("det", at.after).is_some();
    if !LEADS.contains(&word) && !SUBJECTS.contains(&word) && !det {
        return None;
    }
    let mut again = (1..at.before).rev();
    let from = again.find(|before| lattice.word(*before) == word)?;
    let noun = clause::noun(lattice, from, at.before);
    let new = noun.and_then(|noun| clause::with_noun(lattice, at.after, noun));
    let plain = lattice.slice(at.after..lattice.len());
    Some(joined(&[
        lattice.slice(0..from),
        new.as_deref().unwrap_or(plain),
    ]))
}
