//! The front and the name of something new.

use super::command::command_at;
use super::create::PARTS_MAX;
use super::cursor::Cursor;
use super::lexicon::{NOUNS, Noun, STATES, State, Use};
use super::model::Request;
use super::noun::{self};
use super::said::Form;
use super::table::phrases;
use crate::time::{Grain, Value as Time};
use std::ops::Range;

/// Articles, lengths, times and adjectives before the noun of something new.
pub(super) fn front(cursor: &mut Cursor<'_, '_>, request: &mut Request) {
    for _ in 0..PARTS_MAX {
        if cursor.eat_any(phrases!(
            "a | an | the | another | new | my | some | quick | short | brief | one"
        )) {
            continue;
        }
        if cursor.eat(&["the whole of", "all of", "the whole", "whole of", "whole"])
            && cursor.sees_time().is_some()
        {
            request.vals.all_day = true;
        }
        if let Some((index, len)) = cursor.sees_time()
            && len == 1
            && let Some(found) = cursor.said.times.get(index)
        {
            let whole = cursor.said.is_whole_day(&found.span);
            match &found.value {
                _ if whole => {
                    request.vals.all_day = true;
                    cursor.at += 1;
                    continue;
                }
                Time::Duration(length) => {
                    request.vals.minutes = noun::minutes(length.seconds);
                    cursor.at += 1;
                    cursor.eat(&["long", "-"]);
                    if cursor.sees(&["of"]).is_some() && cursor.word(1) != "my" {
                        cursor.at += 1;
                    }
                    continue;
                }
                // "A monthly budget check on the 5th": how often it is, where a time says when it is.
                Time::Set { .. }
                    if cursor.at > 0
                        && matches!(cursor.said.pieces[cursor.at - 1].word.as_str(), "a" | "an" | "my" | "our" | "the" | "new")
                        && cursor.is_content(1)
                        && (cursor.at + 1..cursor.end).any(|at| {
                            matches!(cursor.said.pieces[at].form, Form::Time(other) if other != index
                                && cursor.said.times.get(other).is_some_and(|found| found.clock.is_some()))
                        }) =>
                {
                    request.vals.times.push(index);
                    cursor.at += 1;
                    continue;
                }
                Time::Set { .. } if NOUNS.at(&cursor.said.pieces, cursor.at + 1).is_some() => {
                    request.vals.times.push(index);
                    cursor.at += 1;
                    continue;
                }
                Time::Set { .. } => {}
                _ if !matches!(found.grain, Grain::Quarter | Grain::Year | Grain::Month) => {
                    request.vals.times.push(index);
                    cursor.at += 1;
                    cursor.eat(&["'s", "for"]);
                    continue;
                }
                _ => {}
            }
        }
        if let Some((state, len)) = cursor.sees_in(&STATES)
            && matches!(
                state,
                State::High | State::Low | State::Medium | State::Recurring | State::AllDay
            )
            && (cursor.is_content(len)
                || cursor
                    .peek(len)
                    .is_some_and(|next| matches!(next.form, Form::Time(_))))
        {
            cursor.at += len;
            match state {
                State::AllDay => request.vals.all_day = true,
                State::Recurring => {}
                other => request.vals.priority = Some(other),
            }
            continue;
        }
        break;
    }
}

/// The run of words that names a new thing.
pub(super) fn run(cursor: &Cursor<'_, '_>) -> Option<Range<usize>> {
    let mut end = cursor.at;
    while end < cursor.end {
        let piece = &cursor.said.pieces[end];
        let ahead = end - cursor.at;
        if let Some((_, len)) = NOUNS.at(&cursor.said.pieces[..cursor.end], end)
            && len > 1
            && piece.leads.is_none()
            && !(end > cursor.at && cursor.said.pieces[end - 1].ends)
        {
            end += len;
            continue;
        }
        // "A debrief right after the call": when it is.
        if end > cursor.at
            && matches!(
                piece.word.as_str(),
                "right" | "straight" | "directly" | "immediately" | "just" | "shortly"
            )
            && cursor
                .said
                .pieces
                .get(end + 1)
                .is_some_and(|next| matches!(next.word.as_str(), "after" | "before"))
        {
            break;
        }
        let fits = match piece.form {
            Form::Word | Form::Number | Form::Ordinal => {
                piece.leads.is_none()
                    && (cursor.is_content(ahead)
                        || matches!(piece.word.as_str(), "of" | "'s" | "my" | "up")
                            && ahead > 0
                            && cursor.is_content(ahead + 1)
                        || piece.word == "and"
                            && ahead > 0
                            && cursor.is_content(ahead + 1)
                            && !command_at(cursor, ahead + 1))
                    && !matches!(
                        piece.word.as_str(),
                        "called"
                            | "named"
                            | "titled"
                            | "entitled"
                            | "regarding"
                            | "starting"
                            | "lasting"
                            | "beginning"
                            | "saying"
                            | "inviting"
                            | "between"
                            | "via"
                            | "due"
                            | "about"
                            | "please"
                            | "including"
                            | "concerning"
                    )
            }
            // "The kids' recital".
            Form::Mark
                if ahead > 0
                    && matches!(piece.word.as_str(), "'" | "\u{2019}")
                    && cursor.said.pieces[end - 1].span.end == piece.span.start
                    && cursor.is_content(ahead + 1) =>
            {
                true
            }
            Form::Mark => {
                matches!(piece.word.as_str(), "&" | "-" | "/" | "+")
                    && ahead > 0
                    && cursor.is_content(ahead + 1)
            }
            Form::Time(index) => {
                let namelike = cursor.said.times.get(index).is_some_and(|found| {
                    // "Weekly summary" is a name, "every Monday from 6 to 7" is not.
                    let named = cursor
                        .said
                        .source
                        .get(found.span.clone())
                        .is_some_and(|text| !text.contains(' '));
                    matches!(found.value, Time::Set { .. }) && named
                        || matches!(found.grain, Grain::Quarter | Grain::Year)
                });
                namelike && cursor.is_content(ahead + 1)
            }
            _ => false,
        };
        if !fits || end > cursor.at && cursor.said.pieces[end - 1].ends {
            break;
        }
        end += 1;
    }
    (end > cursor.at).then_some(cursor.at..end)
}

pub(super) fn head(
    cursor: &Cursor<'_, '_>,
    run: &Range<usize>,
) -> Option<(Noun, Use, usize, usize)> {
    let mut found = None;
    let mut at = run.start;
    while at < run.end {
        match NOUNS.at(&cursor.said.pieces[..run.end], at) {
            Some(((noun, used), len)) => {
                let begins = at == run.start
                    && matches!(
                        noun,
                        Noun::Task | Noun::Reminder | Noun::Note | Noun::Contact | Noun::Event
                    );
                if found.is_none() || at + len == run.end {
                    found = Some((noun, used, at, len));
                }
                // "A task call mom": the first noun decides.
                let announced = noun != Noun::Event
                    || cursor
                        .said
                        .pieces
                        .get(at)
                        .is_some_and(|piece| piece.base == "event")
                    || cursor
                        .said
                        .pieces
                        .get(at + len)
                        .is_some_and(|next| next.capital);
                if begins
                    && announced
                    && used == Use::Plain
                    && at + len < run.end
                    && cursor
                        .said
                        .pieces
                        .get(at + len)
                        .is_some_and(|next| next.form == Form::Word)
                {
                    return Some((noun, used, at, len));
                }
                at += len;
            }
            None => at += 1,
        }
    }
    found
}
