//! What a new task is called, and the time and urgency that stand in its words.

use super::cursor::Cursor;
use super::lexicon::State;
use super::model::{Request, Value, Words};
use super::table::phrases;
use crate::time::{Grain, Value as Time};
use std::ops::Range;

/// Takes the due time out of the words of a task; the rest is its title.
pub(super) fn task_title(cursor: &mut Cursor<'_, '_>, request: &mut Request, range: Range<usize>) {
    let mut inner = *cursor;
    inner.at = range.start;
    inner.end = range.end;
    if let Some(words) = inner.quote() {
        request.vals.title = Some(Value::Words(words));
        cursor.at = inner.at;
        return;
    }
    let mut kept: Vec<Range<usize>> = Vec::new();
    let mut from = range.start;
    while inner.at < range.end {
        // "Due", "by" and the like go with the time.
        let at = inner.at;
        let mut timed = inner;
        timed.eat_any(phrases!("first thing on | first thing in | first thing | sometime on | sometime | some time | at some point on | at some point | due by | due on | due | that is due | by | before | starting | deadline | with a deadline of | \
        with due date"));
        let seen = timed.sees_time().or_else(|| {
            timed = inner;
            timed.sees_time()
        });
        if let Some((index, len)) = seen
            && taken_out(&timed, index, len, range.start)
        {
            if at > from {
                kept.push(from..at);
            }
            request.vals.times.push(index);
            inner.at = timed.at + len;
            inner.eat(&[","]);
            from = inner.at;
            continue;
        }
        // "Book MOT, high priority, due on Wednesday".
        let apart = inner.at > range.start && cursor.said.pieces[inner.at - 1].word == ",";
        let ends = |rank: &Cursor<'_, '_>| {
            rank.at >= range.end || apart && matches!(rank.word(0), "," | "-" | "due" | "by")
        };
        let mut rank = inner;
        if apart && rank.eat(&["urgent", "important"]) && !ends(&rank) {
            rank = inner;
        } else if rank.at > inner.at {
            request.vals.priority = Some(State::High);
        }
        let told = rank.at > inner.at;
        if !told && rank.eat_any(phrases!("with high priority | as high priority | with top priority | high priority | urgent priority | \
        as urgent | priority high | marked as urgent | marked as high priority | with a high priority | \
        as important | as a high priority")) && ends(&rank) {
            request.vals.priority = Some(State::High);
        } else if !told && rank.at == inner.at && rank.eat_any(phrases!("with low priority | as low priority | low priority | priority low | with a low priority")) && ends(&rank) {
            request.vals.priority = Some(State::Low);
        } else if !told {
            inner.at += 1;
            continue;
        }
        if inner.at > from {
            kept.push(from..inner.at);
        }
        inner.at = rank.at;
        inner.eat(&[","]);
        from = inner.at;
    }
    if range.end > from {
        kept.push(from..range.end);
    }
    let parts: Vec<Words> = kept
        .into_iter()
        .filter_map(|part| inner.words(part))
        .collect();
    let text = parts
        .iter()
        .map(|words| words.text.as_str())
        .collect::<Vec<_>>()
        .join(" ");
    let text = text
        .trim()
        .trim_end_matches(['.', '!', ',', ' '])
        .trim_start_matches(['-', ',', ' ']);
    let text = text.strip_prefix("to ").unwrap_or(text);
    if !text.is_empty() {
        let span = parts
            .first()
            .and_then(|first| first.span)
            .zip(parts.last().and_then(|last| last.span))
            .map(|(first, last)| (first.0, last.1));
        request.vals.title = Some(Value::Words(Words {
            text: text.to_owned(),
            span,
            quoted: false,
        }));
    }
    cursor.at = range.end;
}

/// Whether a time says when it is due, and is no part of what is to be done.
pub(super) fn taken_out(cursor: &Cursor<'_, '_>, index: usize, len: usize, start: usize) -> bool {
    let Some(found) = cursor.said.times.get(index) else {
        return false;
    };
    let content_follows = cursor.is_content(len) || matches!(cursor.word(len), "'s");
    let led = len > 1
        || cursor
            .at
            .checked_sub(1)
            .is_some_and(|before| before < start)
        || cursor.at == start;
    match found.value {
        Time::Duration(_) => false,
        Time::Set { .. } => !content_follows || cursor.at == start,
        _ if matches!(found.grain, Grain::Quarter | Grain::Year | Grain::Decade) => {
            len > 1 && !content_follows
        }
        _ => {
            let article_before = cursor
                .at
                .checked_sub(1)
                .and_then(|before| cursor.said.pieces.get(before))
                .is_some_and(|before| {
                    cursor.at > start
                        && matches!(
                            before.word.as_str(),
                            "the" | "my" | "our" | "this" | "for" | "of" | "a"
                        )
                });
            !(article_before && len == 1) && (!content_follows || led)
        }
    }
}
