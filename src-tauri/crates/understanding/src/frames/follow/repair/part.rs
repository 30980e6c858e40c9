//! One of several things that is left out, or alone remains: "… no, leave the training alone", "… no, only the first".

use std::ops::Range;

use super::super::super::lattice::{Filler, Lattice};
use super::{Break, clause, is_pause, joined, unmarked};

/// Words that say nothing about which thing is meant.
const GENERAL: &[&str] = &[
    "the", "a", "an", "my", "our", "one", "ones", "'s", "that", "this", "of", "from", "for", "with",
];

/// Words that belong to a verb.
const PARTICLES: &[&str] = &["off", "up", "out", "down", "back"];

/// Returns the texts without what is left out, the likeliest first, or `None` if the repair leaves nothing out.
pub(super) fn left(lattice: &Lattice<'_>, at: Break) -> Option<Vec<String>> {
    let from = clause::last(lattice, at.before);
    let things = things(lattice, from, at.before);
    if things.len() < 2 {
        return None;
    }
    let mut rest = at.after;
    let mut kept: Option<usize> = None;
    if let Some((named, end)) = left_out(lattice, at.after) {
        let gone = only_match(lattice, &things, named)?;
        let mut others = (0..things.len()).filter(|at| *at != gone);
        kept = Some(others.next()?).filter(|_| others.next().is_none());
        rest = joint(lattice, end);
    }
    if let Some(end) = lattice.phrase("repair_only", rest) {
        let close = thing_end(lattice, end);
        let meant = only_match(lattice, &things, end..close)?;
        if kept.is_some_and(|kept| kept != meant) {
            return Some(Vec::new());
        }
        kept = Some(meant);
        rest = close;
    }
    let kept = kept?;
    let noun = clause::noun(lattice, from, things[kept].end).or_else(|| {
        let mut all = things.iter();
        all.find_map(|thing| clause::noun(lattice, from, thing.end))
    });
    let plain = lattice.slice(rest..lattice.len());
    let named = noun.and_then(|noun| clause::with_noun(lattice, rest, noun));
    let mut texts = Vec::new();
    for thing in alone(lattice, from, &things, kept, noun) {
        for rest in named.iter().map(String::as_str).chain([plain]) {
            texts.push(joined(&[lattice.slice(0..from), &thing, unmarked(rest)]));
        }
    }
    Some(texts)
}

/// Returns the words of a request with one of its things alone: with the time at its end, and without it.
fn alone(
    lattice: &Lattice<'_>,
    from: usize,
    things: &[Range<usize>],
    kept: usize,
    noun: Option<&str>,
) -> Vec<String> {
    let words = |thing: Range<usize>| {
        let whole = lattice.slice(thing.clone());
        match noun.filter(|_| matches!(lattice.word(thing.end - 1), "one" | "ones")) {
            Some(noun) => joined(&[lattice.slice(thing.start..thing.end - 1), noun]),
            None => whole.to_owned(),
        }
    };
    let first = &things[0];
    let head = match kept {
        0 => words(from..first.end),
        _ => joined(&[
            lattice.slice(from..first.start),
            &words(things[kept].clone()),
        ]),
    };
    let last = &things[things.len() - 1];
    let timed = (things[kept].clone()).any(|at| time_end(lattice, at).is_some());
    let has = |word: &str| things[kept].clone().any(|at| lattice.word(at) == word);
    let tail = last.clone().find(|at| {
        let word = lattice.word(*at);
        let led = ["to", "until", "till", "on", "at", "by", "for"].contains(&word);
        // "Eggs and milk **to the list**": both of them.
        let placed = ["to", "into", "onto", "on", "in"].contains(&word)
            && lattice.phrase("det", at + 1).is_some()
            && !has(word);
        placed || time_end(lattice, at + usize::from(led)).is_some()
    });
    let tail = tail.filter(|tail| !timed && kept + 1 < things.len() && *tail > last.start);
    let shared = tail.map(|tail| joined(&[&head, lattice.slice(tail..last.end)]));
    shared.into_iter().chain([head.clone()]).collect()
}

fn time_end(lattice: &Lattice<'_>, at: usize) -> Option<usize> {
    let edges = lattice.edges(at).iter();
    let times = edges.filter(|edge| matches!(edge.filler, Filler::Time(_)));
    times.map(|edge| edge.end).max()
}

/// Returns the things of a request that "and" or a comma joins. The first one begins behind the verb.
fn things(lattice: &Lattice<'_>, from: usize, end: usize) -> Vec<Range<usize>> {
    let verb = ["imperative", "request", "move", "delete"];
    let verbs = verb.iter().filter_map(|class| lattice.phrase(class, from));
    let mut articles = from..end;
    let article = articles.find(|at| lattice.phrase("det", *at).is_some());
    let mut first = verbs.min().or(article).unwrap_or(from);
    while PARTICLES.contains(&lattice.word(first)) {
        first += 1;
    }
    let mut things = Vec::new();
    let mut start = first;
    for at in first..end {
        if matches!(lattice.word(at), "and" | "&" | ",") {
            if at > start {
                things.push(start..at);
            }
            start = at + 1;
        }
    }
    if end > start {
        things.push(start..end);
    }
    things
}

/// Returns the tokens of the thing that is left out from a token on, and the token after it.
fn left_out(lattice: &Lattice<'_>, at: usize) -> Option<(Range<usize>, usize)> {
    let start = lattice.phrase("leave_out", at)?;
    let close = thing_end(lattice, start);
    let left = (start..close).find_map(|at| {
        let end = lattice.phrase("left_alone", at)?;
        (end == close).then_some(at)
    });
    match left {
        Some(left) if left > start => Some((start..left, close)),
        // "Leave the room" is no repair.
        _ if lattice.word(at) == "leave" && start == at + 1 => None,
        _ => (close > start).then_some((start..close, close)),
    }
}

/// Returns the end of the words for a thing: a mark, or a word that joins something else.
fn thing_end(lattice: &Lattice<'_>, from: usize) -> usize {
    let ends = |at: &usize| {
        is_pause(lattice, *at)
            || matches!(lattice.word(*at), "and" | "but" | "then")
            || lattice.phrase("repair_only", *at).is_some()
    };
    (from..lattice.len()).find(ends).unwrap_or(lattice.len())
}

/// Returns the token after the marks and joining words at a token.
fn joint(lattice: &Lattice<'_>, from: usize) -> usize {
    let joins =
        |at: &usize| is_pause(lattice, *at) || matches!(lattice.word(*at), "but" | "and" | "so");
    let joints = (from..lattice.len()).take_while(joins).count();
    // "… and star the other" goes on with its "and".
    match lattice.phrase("repair_only", from + joints) {
        Some(_) => from + joints,
        None => from,
    }
}

/// Returns the only thing that contains all telling words of `named`, or stands at the place that it says.
fn only_match(
    lattice: &Lattice<'_>,
    things: &[Range<usize>],
    named: Range<usize>,
) -> Option<usize> {
    let words: Vec<&str> = named
        .map(|at| lattice.word(at))
        .filter(|word| !GENERAL.contains(word))
        .collect();
    match words.as_slice() {
        [] => return None,
        ["first" | "former"] => return Some(0),
        ["second"] => return (things.len() > 1).then_some(1),
        ["last" | "latter"] => return things.len().checked_sub(1),
        _ => {}
    }
    let has = |thing: &Range<usize>, word: &str| thing.clone().any(|at| lattice.word(at) == word);
    let fits = |thing: &Range<usize>| words.iter().all(|word| has(thing, word));
    let mut fitting = (0..things.len()).filter(|at| fits(&things[*at]));
    let first = fitting.next()?;
    fitting.next().is_none().then_some(first)
}
