//! All readings of times and lengths of time.

use super::{Edge, Filler, Lattice};
use adjutant_text::message::Kind;

use crate::frames::grammar::GRAMMAR;
use crate::plan::policy;
use crate::time::{self, Found, Value};

/// Tokens of one expression that are tried shorter and later as well.
const PARTS_MAX: usize = 9;
/// What every word of a time adds to the score of a reading that uses it as one.
const SCORE_PER_WORD: f32 = 0.7;

/// Adds every time the message may speak of: each expression as found, and the shorter ones it begins and ends with, since
/// words at its edges may belong elsewhere ("the Monday report", "call Bob at 9 for an hour").
pub(super) fn add(lattice: &mut Lattice<'_>) {
    let source = lattice.text.source;
    let policy = policy(lattice.said.settings);
    let now = lattice.said.now;
    for found in time::find(source, now, &policy) {
        let (from, to) = (
            lattice.token_from(found.span.start),
            lattice.token_to(found.span.end),
        );
        if lattice.text.tokens[from..to]
            .iter()
            .any(|token| token.quote.is_some())
        {
            continue;
        }
        let whole = found.span.clone();
        let starts = (from..to).take(PARTS_MAX);
        for start in starts {
            if belongs_to_noun(lattice, start) {
                continue;
            }
            for end in (start + 1..=to).rev().take(PARTS_MAX) {
                let Some(span) = lattice.text.span(start..end) else {
                    continue;
                };
                let part = if span == whole {
                    Some(found.clone())
                } else {
                    exactly(&source[span.clone()], lattice).map(|mut part| {
                        part.span = span.clone();
                        part.lead = None;
                        part
                    })
                };
                if let Some(part) = part {
                    push(lattice, part, start, end);
                }
            }
        }
    }
}

/// "Game night this Saturday": a part of the day right behind a noun is the end of its name.
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
    PARTS.contains(&lattice.word(at))
        && before.is_some_and(|before| {
            before.kind == Kind::Word
                && before.word.len() > 2
                && GRAMMAR.word(&before.word).is_none()
                && lattice
                    .edges(at - 1)
                    .iter()
                    .all(|edge| !is_time(&edge.filler))
                && exactly(&before.word, lattice).is_none()
        })
}

fn is_time(filler: &Filler) -> bool {
    matches!(filler, Filler::Time(_) | Filler::Length(_))
}

/// A time read as what was: "on Monday" is the one before today.
pub(in super::super) fn as_past(lattice: &Lattice<'_>, found: &Found) -> Found {
    let policy = time::Policy {
        prefer: time::Prefer::Past,
        ..policy(lattice.said.settings)
    };
    let source = lattice.text.source;
    let text = source.get(found.span.clone()).unwrap_or("");
    let mut past = time::find(text, lattice.said.now, &policy).into_iter();
    past.next()
        .filter(|past| past.span == (0..text.len()))
        .map_or_else(
            || found.clone(),
            |past| Found {
                value: past.value,
                ..found.clone()
            },
        )
}

/// The time that a text is, if all of it is one.
fn exactly(text: &str, lattice: &Lattice<'_>) -> Option<Found> {
    let policy = policy(lattice.said.settings);
    let mut found = time::find(text, lattice.said.now, &policy).into_iter();
    let whole = found.next().filter(|found| found.span == (0..text.len()))?;
    // The beginning of "every second Friday" is no repetition of its own.
    let hasty =
        matches!(&whole.value, Value::Set { rrule, .. } if rrule.starts_with("FREQ=SECONDLY"));
    (!hasty).then_some(whole)
}

/// Notes a time with and without the preposition in front of it.
fn push(lattice: &mut Lattice<'_>, found: Found, start: usize, end: usize) {
    let number = lattice.times.len();
    let is_length = matches!(found.value, Value::Duration(_));
    let led = found
        .lead
        .as_ref()
        .map(|lead| lattice.token_from(lead.start));
    let filler = |number| match is_length {
        true => Filler::Length(number),
        false => Filler::Time(number),
    };
    let score = |from: usize| SCORE_PER_WORD * words(end - from);
    if let Some(from) = led.filter(|from| *from < start) {
        let edge = Edge {
            end,
            filler: filler(number),
            score: score(from),
        };
        lattice.add(from, edge);
        lattice.times.push(found.clone());
    }
    // Without its preposition it is bound by whatever stands before it.
    let bare = Found {
        lead: None,
        relation: time::Relation::At,
        ..found
    };
    let edge = Edge {
        end,
        filler: filler(lattice.times.len()),
        score: score(start),
    };
    lattice.add(start, edge);
    lattice.times.push(bare);
}

/// A number of words for a score.
#[expect(clippy::cast_precision_loss, reason = "a message has few words")]
pub(in super::super) fn words(count: usize) -> f32 {
    count as f32
}
