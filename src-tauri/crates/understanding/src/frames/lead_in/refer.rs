//! Puts the words of a statement in place of what refers to them in the request after it.

use std::ops::Range;

use adjutant_text::{stem, words};
use jiff::Zoned;

use super::super::lattice::{Filler, Lattice, PersonMention, times as time_words};
use crate::time::{TimeExpression, Value as Time};

/// Words after which "her" and "his" stand alone: "call her back", unlike "call her mother".
const BEHIND: &[&str] = &[
    "about", "again", "and", "at", "back", "before", "by", "for", "from", "if", "in", "on", "that",
    "the", "to", "up", "when", "with", "a", "an", "it", "this", "",
];

/// Words that end a thing named after an article: "my vitamins **every** day", "the proposal **with** it".
const AFTER_THING: &[&str] = &[
    "is", "are", "was", "were", "will", "has", "have", "had", "can", "could", "on", "at", "for",
    "to", "from", "until", "till", "that", "which", "and", "but", "with", "in", "by", "again",
    "every", "now", "yet", "because", "when", "this", "next", "last", "today", "tomorrow", "would",
    "needs", "need", "does", "did", "do", "off", "up", "out", "before", "after",
];

/// What a statement mentions, as it was said.
struct StatementDetails {
    /// The only point or range of time.
    when: Option<StatementTime>,
    /// The only people, and whether they are one person.
    who: Option<(String, bool)>,
    /// The thing that it is about.
    thing: Option<String>,
    /// What the person says has to be done.
    deed: Option<String>,
    /// All of it.
    whole: String,
}

/// A time that a statement mentions.
struct StatementTime {
    words: String,
    /// Where it begins, if it says a time of day.
    from: Option<Zoned>,
    /// Where it begins.
    begins: Option<Zoned>,
    /// The words for its day.
    day: Option<String>,
}

/// Returns the texts that the tokens from `rest` on may stand for: with references replaced, and with what the
/// statement adds. Empty if nothing refers to the statement.
pub(super) fn texts(lattice: &Lattice<'_>, told: Range<usize>, rest: usize) -> Vec<String> {
    let told = StatementDetails {
        when: only_time(lattice, told.clone()),
        who: only_people(lattice, told.clone()),
        thing: thing(lattice, told.clone()),
        deed: deed(lattice, told.clone()),
        whole: lattice.slice(told).to_owned(),
    };
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
    if let (Some((name, _)), Some((at, end))) = (
        &told.who,
        (rest..lattice.len()).find_map(|at| Some((at, lattice.phrase("all_of_those", at)?))),
    ) {
        texts.push(text(&[(at..end, format!("all mails from {name}"))]));
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

/// Iterates over the points and ranges of time within tokens, each with its tokens; of overlapping ones, the longest.
pub(super) fn times<'a>(
    lattice: &'a Lattice<'_>,
    tokens: Range<usize>,
) -> impl Iterator<Item = Range<usize>> + 'a {
    let mut from = tokens.start;
    std::iter::from_fn(move || {
        while from < tokens.end {
            let at = from;
            let edges = lattice.edges(at).iter();
            let time = edges.filter(|edge| matches!(edge.filler, Filler::Time(_)));
            let end = time.map(|edge| edge.end).filter(|end| *end <= tokens.end);
            match end.max() {
                Some(end) => {
                    from = end;
                    return Some(at..end);
                }
                None => from += 1,
            }
        }
        None
    })
}

fn only_time(lattice: &Lattice<'_>, tokens: Range<usize>) -> Option<StatementTime> {
    let mut times = times(lattice, tokens);
    let (tokens, None) = (times.next()?, times.next()) else {
        return None;
    };
    let mut edges = lattice.edges(tokens.start).iter();
    let found = edges.find_map(|edge| match edge.filler {
        Filler::Time(time) if edge.end == tokens.end => lattice.times.get(time),
        _ => None,
    });
    let begins = found.and_then(|found| found.value.stretch(lattice.said.now));
    let begins = begins.map(|(begins, _)| begins);
    let clock = found.is_some_and(|found| found.clock.is_some());
    Some(StatementTime {
        words: lattice.slice(tokens.clone()).to_owned(),
        from: begins.clone().filter(|_| clock),
        begins,
        day: time_words::day_within(lattice, &tokens).map(|(_, day)| lattice.slice(day).to_owned()),
    })
}

/// Returns the only people whom tokens name, apart from the person.
fn only_people(lattice: &Lattice<'_>, tokens: Range<usize>) -> Option<(String, bool)> {
    let mut found: Vec<(Range<usize>, usize)> = Vec::new();
    let mut at = tokens.start;
    while at < tokens.end {
        let named = lattice
            .edges(at)
            .iter()
            .filter_map(|edge| match &edge.filler {
                Filler::People(who) if edge.end <= tokens.end && who.iter().all(is_named) => {
                    Some((edge.end, who.len()))
                }
                _ => None,
            });
        match named.max() {
            Some((end, count)) => {
                found.push((at..end, count));
                at = end;
            }
            None => at += 1,
        }
    }
    let [(tokens, count)] = found.as_slice() else {
        return None;
    };
    Some((lattice.slice(tokens.clone()).to_owned(), *count == 1))
}

fn is_named(who: &PersonMention) -> bool {
    !matches!(who, PersonMention::Me | PersonMention::They)
}

/// Returns the thing that a statement is about: the record that it names in full, or else its last noun with an article
/// or an owner.
fn thing(lattice: &Lattice<'_>, tokens: Range<usize>) -> Option<String> {
    let record = record(lattice, tokens.clone());
    // "Rachel's contract mail" says more than the name "contract" in it.
    let around = record.as_ref().and_then(|record| {
        let noun = noun(lattice, tokens.start..record.end)?;
        let whole = noun_from(lattice, noun.start, tokens.end)?;
        (whole.start <= record.start && whole.end >= record.end).then_some(whole)
    });
    let named = || name(lattice, tokens.clone());
    around
        .or(record)
        .or_else(|| noun(lattice, tokens.clone()))
        .or_else(named)
        .map(|tokens| lattice.slice(tokens).to_owned())
}

/// Returns the tokens of the last name with capital letters that is nobody known: "Hannah recommends **Middlemarch**".
fn name(lattice: &Lattice<'_>, tokens: Range<usize>) -> Option<Range<usize>> {
    let known = |at: usize| {
        let mut edges = lattice.edges(at).iter();
        edges.any(|edge| match &edge.filler {
            Filler::People(who) => who
                .iter()
                .all(|who| !matches!(who, PersonMention::Named(_, false))),
            Filler::Time(_) => true,
            _ => false,
        })
    };
    let capital = |at: &usize| {
        let token = &lattice.text.tokens[*at];
        token.capital && token.word != "i" && *at > tokens.start && !known(*at)
    };
    let last = tokens.clone().rev().find(capital)?;
    let first = last + 1 - (tokens.start..=last).rev().take_while(capital).count();
    Some(first..last + 1)
}

/// Returns the tokens of the longest name of a record that tokens contain; of equally long ones, the first.
fn record(lattice: &Lattice<'_>, tokens: Range<usize>) -> Option<Range<usize>> {
    let said: Vec<(usize, String)> = tokens
        .filter(|at| !lattice.is_mark(*at))
        .map(|at| (at, stem(lattice.word(at))))
        .collect();
    let covers = |label: &str| {
        let label: Vec<String> = words(label).iter().map(|word| stem(word)).collect();
        let at = (0..said.len()).find(|from| {
            !label.is_empty()
                && said.len() - from >= label.len()
                && label
                    .iter()
                    .zip(&said[*from..])
                    .all(|(one, (_, word))| one == word)
        })?;
        Some((label.len(), said[at].0..said[at + label.len() - 1].0 + 1))
    };
    let named = lattice.said.names.iter();
    let mut found: Vec<(usize, Range<usize>)> = named
        .filter(|name| name.record().is_some())
        .filter_map(|name| covers(&name.label))
        .collect();
    found.sort_by_key(|(length, tokens)| (std::cmp::Reverse(*length), tokens.start));
    let (_, tokens) = found.into_iter().next()?;
    let article = tokens.start.checked_sub(1);
    let article = article.filter(|at| lattice.phrase("det", *at) == Some(tokens.start));
    Some(article.unwrap_or(tokens.start)..tokens.end)
}

/// Returns the tokens of the last noun with an article or an owner.
fn noun(lattice: &Lattice<'_>, tokens: Range<usize>) -> Option<Range<usize>> {
    let begins = |at: &usize| {
        let article = lattice.phrase("det", *at).is_some();
        let owner = lattice.word(at + 1) == "'s" && lattice.text.tokens[*at].capital;
        let known = matches!(lattice.word(*at), "the" | "my" | "our");
        article && known || owner
    };
    let start = tokens.clone().rev().find(begins)?;
    noun_from(lattice, start, tokens.end)
}

/// Returns the tokens of the noun that begins with an article or an owner at `start`.
fn noun_from(lattice: &Lattice<'_>, start: usize, end: usize) -> Option<Range<usize>> {
    let head = match lattice.word(start + 1) {
        "'s" => start + 2,
        _ => start + 1,
    };
    let within = |at: &usize| {
        let word = lattice.word(*at);
        let timed = lattice.edges(*at).iter();
        let timed = timed
            .into_iter()
            .any(|edge| matches!(edge.filler, Filler::Time(_)));
        !lattice.is_mark(*at) && !AFTER_THING.contains(&word) && !timed
    };
    let end = head + (head..end).take_while(within).count();
    (end > head).then_some(start..end)
}

/// Returns what the person says has to be done: "I promised to **ring Mom about the cookies**".
fn deed(lattice: &Lattice<'_>, tokens: Range<usize>) -> Option<String> {
    let mut ends = tokens.clone().filter_map(|at| lattice.phrase("owed", at));
    let start = ends.next().filter(|start| *start < tokens.end)?;
    Some(lattice.slice(start..tokens.end).to_owned())
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
                if at > rest && tells(lattice, rest, at) && !closes(lattice, end) {
                    break;
                }
                at = end;
            }
            None => at += 1,
        }
    }
    parts
}

/// Reports whether the verb before a token tells somebody something.
fn tells(lattice: &Lattice<'_>, rest: usize, at: usize) -> bool {
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
            "our" if *one && owner => Some(format!("{name}'s")),
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
