//! Requests for several things of a kind in a row: "add three tasks: call Bob, buy milk and pay the rent".

use std::ops::Range;

use super::super::binding::{Binding, Value};
use super::super::lattice::{Filler, Lattice};
use super::{Unfit, words};

/// Maximum number of things that one request makes.
const MOST: usize = 20;

/// Returns a frame for each entry of a role, with the entry as its title.
pub(super) fn parts(
    lattice: &Lattice<'_>,
    frame: &Binding,
    role: &'static str,
) -> Result<Vec<Binding>, Unfit> {
    let Some(Value::Text(stretches)) = frame.get(role) else {
        return Err(Unfit("no entries"));
    };
    let [tokens] = stretches.as_slice() else {
        return Err(Unfit("entries with gaps"));
    };
    let told = frame.all("count").find_map(|value| match value {
        Value::Filler(Filler::Number(count), _) => usize::try_from(*count).ok(),
        _ => None,
    });
    let entries = entries(lattice, tokens.clone(), told);
    if entries.len() > MOST || told.is_some_and(|told| told != entries.len()) {
        return Err(Unfit("another number of entries"));
    }
    // "To do: buy milk, eggs and bread" is a single task.
    let is_deed = |entry: &Range<usize>| {
        let begins = |class| lattice.phrase(class, entry.start).is_some();
        ["chore", "imperative", "deed"].into_iter().any(begins)
    };
    if frame.has("deeds") && (entries.len() < 2 || !entries.iter().all(is_deed)) {
        return Err(Unfit("one thing"));
    }
    let others = frame.roles.iter().filter(|(name, _)| *name != role);
    let others: Vec<(&'static str, Value)> = others.cloned().collect();
    let part = |entry: Range<usize>| {
        let (title, when) = dated(lattice, entry);
        let is_time = |at: usize| words::begins_with(lattice, at, "time_word");
        if title.clone().any(is_time) || when.is_some() && frame.has("when") {
            return Err(Unfit("a time in the title"));
        }
        let mut roles = others.clone();
        roles.push(("title", Value::Text(vec![title])));
        roles.extend(when.map(|when| ("when", when)));
        Ok(Binding {
            roles,
            ..frame.clone()
        })
    };
    entries.into_iter().map(part).collect()
}

/// Splits an entry into its title and the time at its end: "call Bob tomorrow".
fn dated(lattice: &Lattice<'_>, entry: Range<usize>) -> (Range<usize>, Option<Value>) {
    for at in entry.start + 1..entry.end {
        let mut edges = lattice.edges(at).iter();
        let time =
            edges.find(|edge| edge.end == entry.end && matches!(edge.filler, Filler::Time(_)));
        if let Some(edge) = time {
            let when = Value::Filler(edge.filler.clone(), at..edge.end);
            return (entry.start..at, Some(when));
        }
    }
    (entry, None)
}

/// Splits entries at marks, and the last one at "and", unless that would exceed the number that was said.
fn entries(lattice: &Lattice<'_>, tokens: Range<usize>, told: Option<usize>) -> Vec<Range<usize>> {
    let plain = |at: usize| {
        let token = lattice.text.tokens.get(at);
        token.is_some_and(|token| token.quote.is_none())
    };
    let mark = |at: usize| plain(at) && matches!(lattice.word(at), "," | ";");
    let and = |at: usize| plain(at) && lattice.word(at) == "and";
    let mut entries = split(tokens, &mark);
    for entry in &mut entries {
        if entry.len() > 1 && and(entry.start) {
            entry.start += 1;
        }
    }
    if told != Some(entries.len())
        && let Some(last) = entries.pop()
    {
        entries.extend(split(last, &and));
    }
    entries
}

fn split(tokens: Range<usize>, parts: &impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = tokens.start;
    for at in tokens.clone() {
        if parts(at) {
            found.push(start..at);
            start = at + 1;
        }
    }
    found.push(start..tokens.end);
    found.retain(|entry| !entry.is_empty());
    found
}
