//! Puts the words of a statement in place of what refers to them in the request after it.

use std::ops::Range;

use super::super::lattice::{Filler, Lattice};
use super::details::StatementDetails;
use crate::time::{TimeExpression, Value as Time};

/// Words after which "her" and "his" stand alone: "call her back", unlike "call her mother".
const BEHIND: &[&str] = &[
    "about", "again", "and", "at", "back", "before", "by", "for", "from", "if", "in", "on", "that",
    "the", "to", "up", "when", "with", "a", "an", "it", "this", "",
];

/// Returns the texts that the tokens from `rest` on may stand for: with references replaced, and with what the
/// statement adds. Empty if nothing refers to the statement.
pub(super) fn texts(lattice: &Lattice<'_>, told: Range<usize>, rest: usize) -> Vec<String> {
    let told = StatementDetails::of(lattice, told);
    let replaced = replaced(lattice, rest, &told);
    let text = |parts: &[(Range<usize>, String)]| put(lattice, rest, parts);
    let mut texts = Vec::new();
    if let Some(end) = lattice.phrase("remember_that", rest)
        && (closes(lattice, end)
            || matches!(lattice.word(end), "for" | "when" | "please" | "about"))
    {
        return vec![format!("remember that {}", told.whole)];
    }
    if let Some(day) = missing_day(lattice, rest, &told) {
        let whole = text(&replaced);
        return vec![format!("{} {day}", whole.trim_end_matches(['.', '!', '?']))];
    }
    if !replaced.is_empty() {
        texts.push(text(&replaced));
    }
    if let Some(thing) = &told.thing
        && let Some(part) = (rest..lattice.len()).find_map(|at| part_of_thing(lattice, at))
    {
        let mut parts = replaced;
        parts.push((part..part, format!(" of {thing}")));
        parts.sort_by_key(|(tokens, _)| tokens.start);
        texts.push(text(&parts));
    }
    let reminds = (rest..lattice.len()).find_map(|at| lattice.phrase("remind", at));
    let says = |at: usize| matches!(lattice.word(at), "to" | "about" | "of" | "that");
    if let (Some(deed), Some(end)) = (&told.deed, reminds)
        && !(end..lattice.len()).any(says)
    {
        let whole = text(&[]);
        texts.push(format!(
            "{} to {deed}",
            whole.trim_end_matches(['.', '!', '?'])
        ));
    }
    texts
}

/// Returns the day that the statement says, if the request says a time of day and no day: "I leave early on Friday, so
/// remind me at four to pack up".
fn missing_day<'a>(
    lattice: &Lattice<'_>,
    rest: usize,
    told: &'a StatementDetails,
) -> Option<&'a str> {
    let told = told.when.as_ref().filter(|when| when.from.is_none())?;
    let day = told.day.as_deref()?;
    let mut founds = (rest..lattice.len()).flat_map(|at| {
        let edges = lattice.edges(at).iter();
        edges.filter_map(|edge| match edge.filler {
            Filler::Time(time) => lattice.times.get(time),
            _ => None,
        })
    });
    let first = founds.next()?;
    let clock = |found: &TimeExpression| found.clock.is_some() && !found.has_day;
    (clock(first) && founds.all(clock)).then_some(day)
}

/// Returns the tokens that refer to the statement, with what they stand for.
fn replaced(
    lattice: &Lattice<'_>,
    rest: usize,
    told: &StatementDetails,
) -> Vec<(Range<usize>, String)> {
    let mut parts = Vec::new();
    let mut at = rest;
    while at < lattice.len() {
        let quoted = lattice.text.tokens[at].quote.is_some();
        match stands_for(lattice, at, told).filter(|_| !quoted) {
            Some((end, words)) => {
                parts.push((at..end, words));
                // "Tell her she'll have it": what she is told stays as it was said.
                if is_whom_told(lattice, rest, at) && !closes(lattice, end) {
                    break;
                }
                at = end;
            }
            None => at += 1,
        }
    }
    parts
}

/// Reports whether a verb of telling stands directly before a token.
fn is_whom_told(lattice: &Lattice<'_>, rest: usize, at: usize) -> bool {
    (rest..at).any(|from| lattice.phrase("tells", from) == Some(at))
}

/// Returns the token after a reference, and what it stands for.
fn stands_for(
    lattice: &Lattice<'_>,
    at: usize,
    told: &StatementDetails,
) -> Option<(usize, String)> {
    if let Some(end) = lattice
        .phrase("that_time", at)
        .or_else(|| lattice.phrase("that_day", at))
        && (lattice.word(at) != "then" || closes(lattice, end))
    {
        return Some((end, told.when.as_ref()?.words.clone()));
    }
    if let Some(end) = lattice.phrase("beyond_that", at) {
        let when = told.when.as_ref()?;
        return Some((end, format!("{} {}", lattice.word(at), bare(&when.words))));
    }
    if lattice.word(at) == "why" && closes(lattice, at + 1) {
        return Some((at + 1, format!("that {}", told.whole)));
    }
    if let Some((end, moment)) = beside_it(lattice, at, told) {
        return Some((end, moment));
    }
    if let Some((name, one)) = &told.who {
        let next = lattice.word(at + 1);
        let owner = !BEHIND.contains(&next) && !lattice.is_mark(at + 1);
        let person = match lattice.word(at) {
            "his" | "her" | "their" if owner => Some(format!("{name}'s")),
            "he" | "she" | "him" | "her" if *one => Some(name.clone()),
            "they" | "them" if told.thing.is_none() => Some(name.clone()),
            _ => None,
        };
        if let Some(words) = person {
            return Some((at + 1, words));
        }
    }
    let end = lattice.phrase("that_thing", at)?;
    let states = matches!(lattice.word(end), "is" | "'s" | "was" | "will" | "has");
    let alone = lattice.word(at) == "it" && !states
        || end > at + 1
        || closes(lattice, end)
        || BEHIND.contains(&lattice.word(end));
    Some((end, told.thing.clone().filter(|_| alone)?))
}

/// Reads "half an hour **before**" where nothing says before what: returns the token after it and the time that it means.
fn beside_it(lattice: &Lattice<'_>, at: usize, told: &StatementDetails) -> Option<(usize, String)> {
    let mut lengths = lattice
        .edges(at)
        .iter()
        .filter_map(|edge| match edge.filler {
            Filler::Length(time) => Some((edge.end, lattice.times.get(time)?)),
            _ => None,
        });
    let (side, length) = lengths.find(|(end, _)| {
        matches!(
            lattice.word(*end),
            "before" | "after" | "beforehand" | "afterwards"
        )
    })?;
    let end = match lattice.word(side + 1) {
        "it" | "that" | "then" => side + 2,
        _ => side + 1,
    };
    if !closes(lattice, end) && !matches!(lattice.word(end), "to" | "please") {
        return None;
    }
    let when = told.when.as_ref()?;
    let Time::Duration(length) = &length.value else {
        return None;
    };
    if when.from.is_none() && length.seconds < 86_400.0 {
        return None;
    }
    let from = when.from.as_ref().or(when.begins.as_ref())?;
    let meant = match lattice.word(side) {
        "before" | "beforehand" => from.checked_sub(length.span),
        _ => from.checked_add(length.span),
    };
    let form = match when.from {
        Some(_) => "on %Y-%m-%d at %H:%M",
        None => "on %Y-%m-%d",
    };
    Some((end, meant.ok()?.strftime(form).to_string()))
}

/// Returns a time without the preposition before it: "by 5 today" becomes "5 today".
fn bare(time: &str) -> &str {
    let prepositions = [
        "at ", "on ", "by ", "from ", "until ", "till ", "in ", "around ", "for ",
    ];
    let stripped = prepositions.iter().find_map(|one| time.strip_prefix(one));
    stripped.unwrap_or(time)
}

/// Reports whether nothing but marks follows in the sentence.
fn closes(lattice: &Lattice<'_>, at: usize) -> bool {
    at == lattice.len() || lattice.is_mark(at)
}

/// Returns the token after a part whose thing is not said: "change **the place** to the canteen".
fn part_of_thing(lattice: &Lattice<'_>, at: usize) -> Option<usize> {
    let end = lattice.phrase("its_part", at)?;
    (!matches!(lattice.word(end), "of" | "for")).then_some(end)
}

/// Returns the text of the tokens from `rest` on with parts of it replaced.
fn put(lattice: &Lattice<'_>, rest: usize, parts: &[(Range<usize>, String)]) -> String {
    let mut text = String::new();
    let mut from = rest;
    for (tokens, words) in parts {
        let before = lattice.slice(from..tokens.start);
        text.push_str(before);
        if !before.is_empty() && !words.starts_with(' ') {
            text.push(' ');
        }
        text.push_str(words);
        from = tokens.end;
        if from < lattice.len() && !lattice.is_mark(from) && lattice.word(from) != "'s" {
            text.push(' ');
        }
    }
    text.push_str(lattice.slice(from..lattice.len()));
    text
}
