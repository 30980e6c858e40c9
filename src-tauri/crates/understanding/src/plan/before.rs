//! What stands before a noun: ordinals, numbers, states, times, owners.

use super::cursor::Cursor;
use super::lexicon::{NOUNS, Noun, STATES, State};
use super::model::{Det, Pick, Sel};
use super::noun::{Rules, minutes};
use super::people::{self, Place};
use super::said::Form;
use super::table::Table;
use super::table::phrases;
use super::title::{head_of, title_range};
use crate::time::{Grain, Value};
use std::sync::LazyLock;

pub(super) static ORDINALS: LazyLock<Table<Pick>> = LazyLock::new(|| {
    Table::new(&[
        (
            "first | earliest | very first | soonest | oldest | 1st | earlier of",
            Pick::First(1),
        ),
        ("second", Pick::Nth(2)),
        ("third", Pick::Nth(3)),
        ("fourth", Pick::Nth(4)),
        ("fifth", Pick::Nth(5)),
        ("sixth", Pick::Nth(6)),
        ("seventh", Pick::Nth(7)),
        ("eighth", Pick::Nth(8)),
        ("ninth", Pick::Nth(9)),
        ("tenth", Pick::Nth(10)),
        ("last | final | very last | later of", Pick::Last(1)),
        (
            "second to last | second last | penultimate | last but one",
            Pick::Nth(-2),
        ),
        (
            "latest | most recent | newest | most recently received | very latest",
            Pick::Latest(1),
        ),
        ("next | very next | next upcoming", Pick::Next(1)),
        ("longest | biggest", Pick::Longest),
        ("shortest", Pick::Shortest),
    ])
});

pub(super) static COUNTS: LazyLock<Table<usize>> = LazyLock::new(|| {
    Table::new(&[
        ("one", 1),
        ("two | couple of | couple", 2),
        ("three | few", 3),
        ("four", 4),
        ("five", 5),
        ("six", 6),
        ("seven", 7),
        ("eight", 8),
        ("nine", 9),
        ("ten", 10),
    ])
});

/// Ordinals, numbers, states, times and owners before the noun.
pub(super) fn before(
    cursor: &mut Cursor<'_, '_>,
    sel: &mut Sel,
    default: Option<Noun>,
    rules: Rules,
) {
    let mut said = None;
    for _ in 0..BEFORE_MAX {
        if let Some((pick, len)) = ordinal(cursor) {
            let oldest = cursor.word(0) == "oldest";
            cursor.at += len;
            sel.pick = Some(pick);
            // "The last 3 mails" and "the three latest mails".
            if let Some(count) = counted(cursor).or(said) {
                sel.pick = Some(many(pick, count));
            } else if sel.det == Det::The
                && let Some(count) = bare_count(cursor)
            {
                // "… decline the last two": of those spoken of.
                sel.pick = Some(many(pick, count));
                sel.noun = Some(Noun::Any);
                sel.plural = true;
                break;
            }
            if oldest && matches!(task_noun(cursor).or(default), Some(Noun::Task)) {
                sel.order = Some("created");
            }
            if cursor.eat(&["occurrence of", "instance of", "session of"]) {
                cursor.eat(&["the", "my", "our"]);
            }
            // "The later of my two meetings": the number is how many there are.
            if cursor.eat(&["of my", "of the", "of our", "of those", "of these"])
                || cursor.at > 0
                    && cursor.said.pieces[cursor.at - 1].word == "of"
                    && cursor.eat(&["my", "the", "our", "those", "these"])
            {
                counted(cursor);
            } else {
                cursor.eat(&["of"]);
            }
            continue;
        }
        if let Some(n) = counted(cursor) {
            said = Some(n);
            sel.pick = Some(many(sel.pick.unwrap_or(Pick::First(1)), n));
            if sel.det == Det::None && !sel.all {
                sel.det = Det::Any;
            }
            continue;
        }
        // "My top three tasks".
        if cursor.word(0) == "top" && default_task(cursor, default) {
            let mut ahead = *cursor;
            ahead.at += 1;
            if let Some(n) = counted(&mut ahead) {
                sel.pick = Some(Pick::First(n));
                sel.order = Some("-priority");
                *cursor = ahead;
                continue;
            }
        }
        // "My most urgent task": the first by urgency; several are those that are urgent.
        if let Some(len) = cursor.sees(&[
            "most urgent",
            "most important",
            "highest priority",
            "top priority",
        ]) && single_task(cursor, len, default)
        {
            cursor.at += len;
            sel.pick = Some(Pick::First(1));
            sel.order = Some("-priority");
            continue;
        }
        // "Archive read mails".
        if cursor.word(0) == "read"
            && matches!(default, None | Some(Noun::Mail | Noun::Any))
            && (sel.all || sel.det != Det::None || default == Some(Noun::Mail))
            && NOUNS
                .at(&cursor.said.pieces[..cursor.end], cursor.at + 1)
                .is_some_and(|((noun, _), _)| noun == Noun::Mail)
        {
            cursor.at += 1;
            sel.states.push(State::Read);
            continue;
        }
        // An adjective that ends the phrase would be the title itself ("the task done").
        if let Some((state, len)) = cursor.sees_in(&STATES)
            && (cursor.is_content(len)
                || cursor
                    .peek(len)
                    .is_some_and(|next| matches!(next.form, Form::Time(_) | Form::Quote(_))))
            && cursor.peek(0).is_some_and(|piece| {
                !(piece.capital
                    && cursor.at > 0
                    && !cursor.said.pieces[cursor.at - 1].ends
                    && cursor.peek(len).is_some_and(|next| next.capital))
            })
        {
            cursor.at += len;
            sel.states.push(state);
            cursor.eat(&[",", "and"]);
            continue;
        }
        if cursor.word(0) == "new" && default == Some(Noun::Mail)
            || cursor.word(0) == "new"
                && NOUNS
                    .at(&cursor.said.pieces, cursor.at + 1)
                    .is_some_and(|((noun, _), _)| noun == Noun::Mail)
        {
            cursor.at += 1;
            sel.states.push(State::Unread);
            continue;
        }
        if let Some((index, len)) = cursor.sees_time()
            && time_before(cursor, sel, index, len, rules)
        {
            continue;
        }
        if owner(cursor, sel, default) {
            continue;
        }
        if cursor.eat_any(phrases!(
            "other | single | actual | entire | current | missed"
        )) {
            continue;
        }
        break;
    }
}

/// The kind that the noun behind here says.
pub(super) fn task_noun(cursor: &Cursor<'_, '_>) -> Option<Noun> {
    title_range(cursor)
        .and_then(|range| head_of(cursor, &range))
        .map(|(noun, ..)| noun)
}

/// Whether the phrase from here on is about tasks.
pub(super) fn default_task(cursor: &Cursor<'_, '_>, default: Option<Noun>) -> bool {
    task_noun(cursor).or(default) == Some(Noun::Task)
}

/// Whether one task is meant behind `len` words.
pub(super) fn single_task(cursor: &Cursor<'_, '_>, len: usize, default: Option<Noun>) -> bool {
    let mut ahead = *cursor;
    ahead.at += len;
    match title_range(&ahead).and_then(|range| head_of(&ahead, &range)) {
        Some((noun, _, at, noun_len)) => {
            let plural = ahead
                .said
                .pieces
                .get(at + noun_len - 1)
                .is_some_and(|piece| piece.word != piece.base);
            noun == Noun::Task && !plural
        }
        None => default == Some(Noun::Task),
    }
}

pub(super) fn ordinal(cursor: &Cursor<'_, '_>) -> Option<(Pick, usize)> {
    if let Some(piece) = cursor.peek(0)
        && piece.form == Form::Ordinal
    {
        let n: i64 = piece
            .word
            .trim_end_matches(char::is_alphabetic)
            .parse()
            .ok()?;
        return (1..=100).contains(&n).then_some((Pick::Nth(n), 1));
    }
    if cursor.peek(0)?.leads.is_some() {
        return None;
    }
    cursor.sees_in(&ORDINALS)
}

pub(super) fn count(cursor: &mut Cursor<'_, '_>) -> Option<usize> {
    if let Some(n) = cursor.take(&COUNTS) {
        return Some(n);
    }
    let piece = cursor.peek(0).filter(|piece| piece.form == Form::Number)?;
    let n = piece.word.parse().ok().filter(|n| (1..=500).contains(n))?;
    cursor.at += 1;
    Some(n)
}

/// A number before a noun or an adjective ("3 emails", "two unread mails").
pub(super) fn counted(cursor: &mut Cursor<'_, '_>) -> Option<usize> {
    let mut ahead = *cursor;
    let n = count(&mut ahead)?;
    let noun = ahead.sees_in(&NOUNS).is_some()
        || ahead.sees_in(&STATES).is_some()
        || ordinal(&ahead).is_some()
        || ahead.is_content(0)
            && (ahead.at..ahead.end.min(ahead.at + 6))
                .any(|at| NOUNS.at(&ahead.said.pieces[..ahead.end], at).is_some());
    noun.then(|| {
        *cursor = ahead;
        n
    })
}

/// A number that stands for the things themselves ("the last two").
fn bare_count(cursor: &mut Cursor<'_, '_>) -> Option<usize> {
    let mut ahead = *cursor;
    let n = count(&mut ahead).filter(|n| *n > 1)?;
    let ends = super::filler::only_closers(&ahead)
        || matches!(ahead.word(0), "and" | "," | "if" | "to" | "by" | "as");
    ends.then(|| {
        *cursor = ahead;
        n
    })
}

pub(super) fn many(pick: Pick, n: usize) -> Pick {
    match pick {
        Pick::First(_) => Pick::First(n),
        Pick::Last(_) => Pick::Last(n),
        Pick::Next(_) => Pick::Next(n),
        Pick::Latest(_) => Pick::Latest(n),
        other => other,
    }
}

/// A time before the noun narrows it ("my Friday meeting"), unless it is the first word of a name ("weekly summary").
pub(super) fn time_before(
    cursor: &mut Cursor<'_, '_>,
    sel: &mut Sel,
    index: usize,
    len: usize,
    rules: Rules,
) -> bool {
    let Some(found) = cursor.said.times.get(index) else {
        return false;
    };
    if len > 1 {
        return false;
    }
    let noun_follows = NOUNS.at(&cursor.said.pieces, cursor.at + len).is_some();
    // "Every Friday meeting": all of those days.
    let said = cursor.said.source.get(found.span.clone()).unwrap_or("");
    if noun_follows
        && !rules.times_are_values
        && matches!(found.value, Value::Set { .. })
        && ["every ", "each ", "Every ", "Each "]
            .iter()
            .any(|word| said.starts_with(word))
    {
        sel.when.push(index);
        sel.all = true;
        cursor.at += len;
        return true;
    }
    // "Yesterday's and today's mails".
    let mut further = *cursor;
    further.at += len;
    further.eat(&["'s", "s"]);
    if matches!(found.value, Value::Date(_))
        && further.eat(&["and", "&"])
        && !rules.times_are_values
        && let Some((other, 1)) = further.sees_time()
        && further
            .said
            .times
            .get(other)
            .is_some_and(|found| matches!(found.value, Value::Date(_)))
    {
        further.at += 1;
        further.eat(&["'s", "s"]);
        if further.sees_in(&NOUNS).is_some() || further.is_content(0) {
            sel.when.push(index);
            sel.when.push(other);
            *cursor = further;
            return true;
        }
    }
    let name = match found.value {
        Value::Set { .. } => true,
        Value::Duration(_) if noun_follows && whole_day(cursor) => {
            sel.states.push(State::AllDay);
            cursor.at += len;
            return true;
        }
        Value::Duration(ref length) => {
            if noun_follows || cursor.word(len) == "long" && !rules.states_are_values {
                let minutes = minutes(length.seconds);
                sel.minutes_min = minutes;
                sel.minutes_max = minutes;
                cursor.at += len;
                cursor.eat(&["long"]);
                return true;
            }
            true
        }
        _ => {
            matches!(
                found.grain,
                Grain::Quarter | Grain::Year | Grain::Decade | Grain::Month
            ) && !noun_follows
        }
    };
    if name || rules.times_are_values {
        return false;
    }
    sel.when.push(index);
    cursor.at += len;
    cursor.eat(&["'s", "s"]);
    true
}

/// "All-day", which is how long but not so many minutes: whether that stands next.
pub(super) fn whole_day(cursor: &Cursor<'_, '_>) -> bool {
    cursor
        .peek(0)
        .is_some_and(|piece| cursor.said.is_whole_day(&piece.span))
}

/// "Kofi's", "my boss's".
pub(super) fn owner(cursor: &mut Cursor<'_, '_>, sel: &mut Sel, default: Option<Noun>) -> bool {
    let mut ahead = *cursor;
    let who = if ahead.eat(&["his", "her", "their"]) {
        if !ahead.is_content(0) {
            return false;
        }
        super::model::Who::They
    } else {
        let Some(who) = people::one(&mut ahead, Place::Sure) else {
            return false;
        };
        if !ahead.eat(&["'s", "'"]) {
            return false;
        }
        who
    };
    if matches!(who, super::model::Who::Me) {
        return false;
    }
    let noun = title_range(&ahead)
        .and_then(|range| head_of(&ahead, &range))
        .map(|(noun, ..)| noun);
    match noun.or(default) {
        Some(Noun::Mail) => sel.from.push(who),
        Some(Noun::Event) => {
            // "Ana's birthday" is a title, not a guest.
            if ahead.sees_any(phrases!("birthday | anniversary | wedding | party | graduation | concert | game | match | funeral")).is_some() {
                return false;
            }
            sel.with.push(who);
        }
        _ => return false,
    }
    *cursor = ahead;
    true
}

/// Words before a noun that are looked at.
pub(super) const BEFORE_MAX: usize = 24;
