//! What a statement mentions: a time, people, a thing, and what has to be done.

use std::ops::Range;

use adjutant_text::{stem, words};
use jiff::Zoned;

use super::super::lattice::{Filler, Lattice, PersonMention, times as time_words};

/// Words that end a thing named after an article: "my vitamins **every** day", "the proposal **with** it".
const AFTER_THING: &[&str] = &[
    "is", "are", "was", "were", "will", "has", "have", "had", "can", "could", "on", "at", "for",
    "to", "from", "until", "till", "that", "which", "and", "but", "with", "in", "by", "again",
    "every", "now", "yet", "because", "when", "this", "next", "last", "today", "tomorrow", "would",
    "needs", "need", "does", "did", "do", "off", "up", "out", "before", "after",
];

/// What a statement mentions, as it was said.
pub(super) struct StatementDetails {
    /// The only point or range of time.
    pub when: Option<StatementTime>,
    /// The only people, and whether they are one person.
    pub who: Option<(String, bool)>,
    /// The thing that it is about.
    pub thing: Option<String>,
    /// What the person says has to be done.
    pub deed: Option<String>,
    /// All of it.
    pub whole: String,
}

/// A time that a statement mentions.
pub(super) struct StatementTime {
    /// Its words.
    pub words: String,
    /// Where it begins, if it says a time of day.
    pub from: Option<Zoned>,
    /// Where it begins.
    pub begins: Option<Zoned>,
    /// The words for its day.
    pub day: Option<String>,
}

impl StatementDetails {
    /// Returns what the tokens of a statement mention.
    pub fn of(lattice: &Lattice<'_>, told: Range<usize>) -> Self {
        Self {
            when: only_time(lattice, told.clone()),
            who: only_people(lattice, told.clone()),
            thing: thing(lattice, told.clone()),
            deed: deed(lattice, told.clone()),
            whole: lattice.slice(told).to_owned(),
        }
    }
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
        // "Before the weekend" names a time.
        let timed = lattice.phrase("weekend", at + 1).is_some();
        article && known && !timed || owner
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
