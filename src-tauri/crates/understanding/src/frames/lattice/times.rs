//! Finds all readings of times and lengths of time.

use std::ops::Range;

use super::{Edge, Filler, Lattice};
use adjutant_text::message::TokenKind;

use crate::frames::grammar::GRAMMAR;
use crate::time::{self, Policy, Relation, TimeExpression, Value};

/// Maximum number of start tokens, and of end tokens, that are tried for one expression.
const PARTS_MAX: usize = 9;
/// What each word of a time adds to the score of a reading that uses it as a time.
const SCORE_PER_WORD: f32 = 0.7;

/// Adds every time that the message could mention: each expression as found, and its shorter parts, because words at
/// its edges may belong elsewhere ("the Monday report", "call Bob at 9 for an hour").
pub(super) fn add(lattice: &mut Lattice<'_>) {
    let source = lattice.text.source;
    let policy = Policy::of(lattice.said.settings);
    let now = lattice.said.now;
    let mut found = time::find(source, now, &policy);
    // "On December 4 by 1.5 hours" is a day and a length.
    for at in 1..lattice.len() {
        let number = lattice.text.tokens.get(at + 1).map(|token| token.kind);
        if lattice.word(at) == "by" && number == Some(TokenKind::Number) {
            let (end, start) = (
                lattice.text.tokens[at].span.start,
                lattice.text.tokens[at].span.end,
            );
            found.extend(time::find(&source[..end], now, &policy));
            let behind = time::find(&source[start..], now, &policy);
            found.extend(behind.into_iter().map(|found| moved(found, start)));
        }
    }
    let hours = blocked(lattice, &found);
    found.extend(hours);
    found.extend(months(lattice));
    found.extend(my_part(lattice));
    for found in found {
        let (from, to) = (
            lattice.token_from(found.span.start),
            lattice.token_to(found.span.end),
        );
        let tokens = lattice.text.tokens.get(from..to).unwrap_or_default();
        if tokens.iter().any(|token| token.quote.is_some()) {
            continue;
        }
        let whole = found.span.clone();
        let starts = (from..to).take(PARTS_MAX);
        for start in starts {
            if belongs_to_noun(lattice, start) || leads_noun(lattice, start) {
                continue;
            }
            if start + 1 == to && belongs_to_name(lattice, &found, start) {
                continue;
            }
            for end in (start + 1..=to).rev().take(PARTS_MAX) {
                let Some(span) = lattice.text.span(start..end) else {
                    continue;
                };
                let part = if span == whole {
                    Some(found.clone())
                } else {
                    exactly(&source[span.clone()], lattice).map(|part| moved(part, span.start))
                };
                match part {
                    // A preposition inside: "night on Saturday" contains "on Saturday".
                    Some(part) if lattice.token_from(part.span.start) > start => {
                        note(lattice, part, start, end);
                    }
                    Some(part) => push(lattice, part, start, end),
                    None => {}
                }
            }
        }
    }
}

/// Reads "my afternoon" at the end of the message as this afternoon: "clear my afternoon".
fn my_part(lattice: &Lattice<'_>) -> Vec<TimeExpression> {
    let last = lattice.len().saturating_sub(1);
    let part = matches!(lattice.word(last), "morning" | "afternoon" | "evening");
    let own = last > 0 && part && lattice.word(last - 1) == "my";
    let span = own.then(|| lattice.text.tokens[last].span.clone());
    let read = |span: Range<usize>| led(lattice, "this ", span, lattice.said.now);
    span.and_then(read).into_iter().collect()
}

/// Reads a month next to another month, even if its name could be another word: "in April and May".
fn months(lattice: &Lattice<'_>) -> Vec<TimeExpression> {
    let is_month = |at: usize| lattice.phrase("months", at) == Some(at + 1);
    let beside = (2..lattice.len()).filter(|at| {
        let joined = matches!(lattice.word(at - 1), "and" | "or");
        is_month(*at) && joined && is_month(at - 2)
    });
    let read = |at: usize| {
        let span = lattice.text.tokens[at].span.clone();
        led(lattice, "in ", span, lattice.said.now)
    };
    beside.filter_map(read).collect()
}

/// Reads the time at the beginning of a stretch of the message as if `lead` stood before it.
fn led(
    lattice: &Lattice<'_>,
    lead: &str,
    span: Range<usize>,
    now: &jiff::Zoned,
) -> Option<TimeExpression> {
    let start = span.start;
    let said = format!("{lead}{}", lattice.text.source.get(span)?);
    let policy = Policy::of(lattice.said.settings);
    let first = time::find(&said, now, &policy).into_iter().next()?;
    let whole = first.cut().start == 0;
    whole.then(|| TimeExpression {
        span: start..first.span.end - lead.len() + start,
        lead: None,
        ..first
    })
}

/// Reads "block 9 to 11" as if "from" preceded the hours. They are working hours: today's if they are still ahead,
/// otherwise tomorrow's.
fn blocked(lattice: &Lattice<'_>, read: &[TimeExpression]) -> Vec<TimeExpression> {
    let now = lattice.said.now;
    let behind = (0..lattice.len()).filter_map(|at| lattice.phrase("block", at));
    let numbers = behind.filter_map(|at| {
        let token = lattice.text.tokens.get(at)?;
        let start = token.span.start;
        let known = read.iter().any(|one| one.span.contains(&start));
        (token.kind == TokenKind::Number && !known).then_some(start)
    });
    let hours = numbers.filter_map(|start| {
        let span = start..lattice.text.source.len();
        let today = now.start_of_day().ok()?;
        let of = |day: &jiff::Zoned| led(lattice, "from ", span.clone(), day);
        let ahead =
            |one: &TimeExpression| one.value.stretch(now).is_some_and(|(from, _)| from > *now);
        let found = of(&today)
            .filter(ahead)
            .or_else(|| of(&today.tomorrow().ok()?));
        found.filter(|one| one.clock.is_some())
    });
    hours.collect()
}

/// Reports whether a recurrence is part of a name: of one of the person's records ("the quarterly tech review"), of a
/// sender, or of anything else with capitals.
fn belongs_to_name(lattice: &Lattice<'_>, found: &TimeExpression, at: usize) -> bool {
    let said = [lattice.word(at), lattice.word(at + 1)];
    let known = || {
        let mut names = lattice.said.names.iter();
        names.any(|name| {
            let words = adjutant_text::words(&name.label);
            words.windows(2).any(|two| two == said)
        })
    };
    let before = at.checked_sub(1);
    // "The mails from Product Weekly", "everything from daily deals".
    let sender = before.is_some_and(|before| matches!(lattice.word(before), "from" | "by"))
        && lattice
            .text
            .tokens
            .get(at + 1)
            .is_some_and(|next| next.kind == TokenKind::Word)
        && !matches!(
            lattice.word(at + 1),
            "to" | "until" | "till" | "and" | "or" | "on"
        )
        && is_noun(lattice, at + 1);
    let capital = |at: usize| {
        let first = lattice.slice(at..at + 1).chars().next();
        first.is_some_and(char::is_uppercase)
    };
    let proper = before.is_some_and(|before| before > 0 && capital(before) && capital(at));
    matches!(found.value, Value::Set { .. }) && (sender || proper || known())
}

/// Reports whether a token is a part of the day that ends a noun phrase, such as "night" in "game night this Saturday".
fn belongs_to_noun(lattice: &Lattice<'_>, at: usize) -> bool {
    const PARTS: &[&str] = &[
        "night",
        "morning",
        "evening",
        "afternoon",
        "lunch",
        "breakfast",
    ];
    let before = at
        .checked_sub(1)
        .and_then(|before| lattice.text.tokens.get(before));
    if !PARTS.contains(&lattice.word(at)) {
        return false;
    }
    // "Game night" is the name of an evening.
    let evening = GRAMMAR.class("evening_thing");
    if at > 0
        && evening.is_some_and(|class| {
            let hits = lattice.phrases_at(class, at - 1).iter();
            hits.map(|hit| hit.end).any(|end| end == at + 1)
        })
    {
        return true;
    }
    before.is_some_and(|before| {
        before.kind == TokenKind::Word
            && before.word.len() > 2
            && is_noun(lattice, at - 1)
            && lattice
                .edges(at - 1)
                .iter()
                .all(|edge| !is_time(&edge.filler))
            && exactly(&before.word, lattice).is_none()
    })
}

/// Reports whether a token is a quarter in front of its noun, as in "the Q1 figures".
fn leads_noun(lattice: &Lattice<'_>, at: usize) -> bool {
    const QUARTERS: &[&str] = &["q1", "q2", "q3", "q4"];
    let bound = at.checked_sub(1).map_or("", |before| lattice.word(before));
    let word = |at: usize| {
        lattice
            .text
            .tokens
            .get(at)
            .is_some_and(|one| one.kind == TokenKind::Word)
    };
    QUARTERS.contains(&lattice.word(at))
        && !matches!(
            bound,
            "in" | "for" | "by" | "during" | "from" | "this" | "next" | "last"
        )
        && word(at + 1)
        && is_noun(lattice, at + 1)
        && exactly(lattice.word(at + 1), lattice).is_none()
}

/// Reports whether a word could be a noun: no class marks it as something else.
fn is_noun(lattice: &Lattice<'_>, at: usize) -> bool {
    const OTHERS: &[&str] = &[
        "request",
        "imperative",
        "det",
        "adverb",
        "filler",
        "aside",
        "pick",
        "state",
        "coming",
        "every",
        "kind",
        "kinds",
        "small",
        "add",
        "schedule",
        "enter",
        "move",
        "delete",
        "show",
        "remind",
        "never_left_out",
    ];
    let mut others = OTHERS.iter().filter_map(|class| GRAMMAR.class(class));
    let ends = |class: usize, from: usize| {
        let mut hits = lattice.phrases_at(class, from).iter();
        hits.any(|hit| hit.end == at + 1)
    };
    // A phrase that ends with the word begins at most three tokens before it.
    !others.any(|class| (at.saturating_sub(3)..=at).any(|from| ends(class, from)))
}

fn is_time(filler: &Filler) -> bool {
    matches!(filler, Filler::Time(_) | Filler::Length(_))
}

/// Reads a time again as past: "on Monday" becomes the latest Monday before today.
pub(in super::super) fn as_past(lattice: &Lattice<'_>, found: &TimeExpression) -> TimeExpression {
    let policy = Policy {
        prefer: time::Direction::Past,
        ..Policy::of(lattice.said.settings)
    };
    let source = lattice.text.source;
    // Keep the preposition: "over the weekend" is recognised by it.
    let lead = found.lead.as_ref().map(|lead| lead.start);
    let start = lead.map_or(found.span.start, |lead| lead.min(found.span.start));
    let text = source.get(start..found.span.end).unwrap_or("");
    let span = found.span.start - start..text.len();
    let mut past = time::find(text, lattice.said.now, &policy).into_iter();
    past.next().filter(|past| past.span == span).map_or_else(
        || found.clone(),
        |past| TimeExpression {
            value: past.value,
            ..found.clone()
        },
    )
}

/// Returns the time that a text is, if it is one from beginning to end.
fn exactly(text: &str, lattice: &Lattice<'_>) -> Option<TimeExpression> {
    let policy = Policy::of(lattice.said.settings);
    let mut found = time::find(text, lattice.said.now, &policy).into_iter();
    let whole = found
        .next()
        .filter(|found| found.cut() == (0..text.len()))?;
    // "Every second", the beginning of "every second Friday", is not a recurrence of its own.
    let hasty =
        matches!(&whole.value, Value::Set { rrule, .. } if rrule.starts_with("FREQ=SECONDLY"));
    (!hasty).then_some(whole)
}

/// Shifts a time that was found in a part of the message to its byte position in the message.
fn moved(mut part: TimeExpression, by: usize) -> TimeExpression {
    part.span = part.span.start + by..part.span.end + by;
    part.lead = part.lead.map(|lead| lead.start + by..lead.end + by);
    part
}

/// Adds a time with and without the preposition before it.
fn push(lattice: &mut Lattice<'_>, found: TimeExpression, start: usize, end: usize) {
    let led = found.lead.as_ref();
    let led = led.map(|lead| lattice.token_from(lead.start));
    if let Some(from) = led.filter(|from| *from < start) {
        note(lattice, found.clone(), from, end);
    }
    // Without its preposition it takes its relation from the words before it.
    let bare = TimeExpression {
        lead: None,
        relation: time::Relation::At,
        ..found
    };
    note(lattice, bare, start, end);
}

/// Adds a time over a range of tokens.
fn note(lattice: &mut Lattice<'_>, found: TimeExpression, start: usize, end: usize) {
    let number = lattice.times.len();
    let filler = match found.value {
        Value::Duration(_) => Filler::Length(number),
        _ => Filler::Time(number),
    };
    let score = SCORE_PER_WORD * words(end - start);
    lattice.add(start, Edge { end, filler, score });
    lattice.times.push(found);
}

/// Converts a number of words for a score.
#[expect(clippy::cast_precision_loss, reason = "a message has few words")]
pub(in super::super) fn words(count: usize) -> f32 {
    count as f32
}

/// Returns the longest date without a time of day that is said within a range of tokens.
pub fn day_within(lattice: &Lattice<'_>, tokens: &Range<usize>) -> Option<(Filler, Range<usize>)> {
    let is_day = |found: &TimeExpression| {
        found.has_day
            && found.clock.is_none()
            && found.relation == Relation::At
            && matches!(found.value, Value::Date(_))
    };
    let edges = tokens.clone().flat_map(|at| {
        let edges = lattice.edges(at).iter();
        edges.map(move |edge| (at, edge))
    });
    let days = edges.filter_map(|(at, edge)| match edge.filler {
        Filler::Time(time) if edge.end <= tokens.end && is_day(lattice.times.get(time)?) => {
            Some((edge.filler.clone(), at..edge.end))
        }
        _ => None,
    });
    days.max_by_key(|(_, tokens)| tokens.len())
}
