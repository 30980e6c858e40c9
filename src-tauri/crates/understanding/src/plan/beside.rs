//! Times told by another event: "an hour before my dentist appointment", "right after the stand-up", "20 minutes before it".

use super::clause::Parse;
use super::cursor::Cursor;
use super::filler;
use super::joints::ABOUT;
use super::lexicon::Noun;
use super::model::{Act, Beside, Det, Pron, Request, Sel, Value};
use super::noun::{self, Rules};
use super::said::Form;
use super::table::phrases;
use super::task::clause_end;
use crate::time::Value as Time;

/// Minutes of a day.
const DAY_MINUTES: i64 = 24 * 60;

/// Reads "an hour before my dentist appointment", "right after lunch with Ana"; without a length or a word such as "right"
/// only where `bare` words are enough.
pub(super) fn read(cursor: &mut Cursor<'_, '_>, bare: bool) -> Option<Beside> {
    let mut ahead = *cursor;
    let length = length(&mut ahead);
    let close = length.is_none()
        && ahead.eat(&[
            "right",
            "just",
            "directly",
            "immediately",
            "straight",
            "shortly",
            "soon",
            "as soon as",
            "at",
        ]);
    let at = close && ahead.said.pieces[ahead.at - 1].word == "at";
    let after = if at {
        // "At the end of the review", "at the start of it".
        ahead
            .eat(&["the end of", "the start of", "the beginning of"])
            .then(|| ahead.said.pieces[ahead.at - 2].word == "end")?
    } else if ahead.eat(&["before", "prior to", "ahead of", "in advance of"]) {
        false
    } else {
        ahead.eat(&["after", "following"]).then_some(true)?
    };
    if !close && length.is_none() && !bare {
        return None;
    }
    let of = event(&mut ahead)?;
    ahead.eat_any(phrases!(
        "starts | begins | is over | ends | start | begin | has ended | finishes | is done | happens | takes place"
    ));
    // "Shortly before" rings a little earlier.
    let minutes = length.unwrap_or(0);
    *cursor = ahead;
    Some(Beside { of, minutes, after })
}

/// A length, or a day in words.
fn length(cursor: &mut Cursor<'_, '_>) -> Option<i64> {
    if cursor.eat(&["the day", "a day", "one day"])
        && cursor.sees(&["before", "after", "ahead of"]).is_some()
    {
        return Some(DAY_MINUTES);
    }
    if cursor
        .sees(&[
            "a week before",
            "one week before",
            "a week ahead",
            "a week in advance",
        ])
        .is_some()
    {
        cursor.at += 2;
        return Some(7 * DAY_MINUTES);
    }
    let mut ahead = *cursor;
    let index = ahead.time()?;
    let Time::Duration(length) = &ahead.said.times.get(index)?.value else {
        return None;
    };
    let minutes = noun::minutes(length.seconds)?;
    *cursor = ahead;
    Some(minutes)
}

/// One event of the calendar, or the one spoken of.
fn event(cursor: &mut Cursor<'_, '_>) -> Option<Sel> {
    let mut ahead = *cursor;
    let rules = Rules {
        to_is_value: true,
        for_is_value: true,
        titled_is_value: true,
        ..Rules::default()
    };
    let mut sel = noun::phrase(&mut ahead, Some(Noun::Event), rules)?;
    let spoken_of = matches!(sel.pron, Some(Pron::It | Pron::That));
    let definite = matches!(sel.det, Det::The | Det::My | Det::That)
        || !sel.with.is_empty()
        || sel.pick.is_some()
        || sel.exact
        // "Ana's birthday".
        || sel.said && sel.title.as_ref().is_some_and(|words| words.text.contains("'s ") || words.text.contains("\u{2019}s "));
    if sel.plural
        || sel.all
        || !sel.except.is_empty()
        || !(spoken_of || definite && sel.noun == Some(Noun::Event))
    {
        return None;
    }
    sel.noun = Some(Noun::Event);
    *cursor = ahead;
    Some(sel)
}

/// "Remind me an hour before my dentist appointment to leave", "… to leave an hour before it", "… of the demo 20 minutes before".
pub(super) fn reminder<'s, 'a>(
    parse: &Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    request: &mut Request,
) -> bool {
    let mut ahead = *cursor;
    let read = in_front(parse, &mut ahead, request)
        || of_event(parse, &mut ahead, request)
        || behind(&mut ahead, request);
    if read {
        *cursor = ahead;
    }
    read
}

/// "… an hour before the call with Kim (to print the slides)".
fn in_front<'s, 'a>(
    parse: &Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    request: &mut Request,
) -> bool {
    let mut ahead = *cursor;
    ahead.eat_any(phrases!(
        "about it | of it | about that | of that | about this"
    ));
    let bare = matches!(ahead.word(0), "before" | "after");
    let beside = read(&mut ahead, bare).or_else(|| implied(parse, &mut ahead));
    let Some(beside) = beside else {
        return false;
    };
    if ends(&ahead) {
        // Nothing else is to be reminded of: the event itself.
        request.vals.title = Some(title_of(parse, &beside.of));
        request.vals.beside = Some(beside);
        *cursor = ahead;
        return true;
    }
    if ahead.word(0) == "of"
        && matches!(
            ahead.peek(1).map(|next| next.form),
            Some(super::said::Form::Quote(_))
        )
    {
        return false;
    }
    if !ahead.eat(&[
        "to",
        "that i need to",
        "that i have to",
        "about",
        "that",
        "of",
    ]) {
        return false;
    }
    let end = clause_end(&ahead);
    if timed(&ahead, end) {
        return false;
    }
    let Some(words) = ahead.words(ahead.at..end) else {
        return false;
    };
    ahead.at = end;
    request.vals.title = Some(Value::Words(words));
    request.vals.beside = Some(beside);
    *cursor = ahead;
    true
}

/// "… about my call with Kim 30 minutes before (it starts)".
fn of_event<'s, 'a>(
    parse: &Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    request: &mut Request,
) -> bool {
    let mut ahead = *cursor;
    if !ahead.eat_any(&ABOUT) && !ahead.eat(&["of"]) {
        return false;
    }
    let Some(of) = event(&mut ahead) else {
        return false;
    };
    let Some(minutes) = length(&mut ahead) else {
        return false;
    };
    if !ahead.eat(&[
        "before it",
        "before that",
        "before",
        "in advance",
        "ahead",
        "beforehand",
        "ahead of it",
        "prior",
        "earlier",
    ]) {
        return false;
    }
    ahead.eat(&["starts", "begins", "hand", "of time"]);
    if !ends(&ahead) {
        return false;
    }
    request.vals.title = Some(title_of(parse, &of));
    request.vals.beside = Some(Beside {
        of,
        minutes,
        after: false,
    });
    *cursor = ahead;
    true
}

/// "… to print the slides an hour before the demo".
fn behind(cursor: &mut Cursor<'_, '_>, request: &mut Request) -> bool {
    let mut text = *cursor;
    if !text.eat(&["to", "that i need to", "that i have to", "about", "that"]) {
        return false;
    }
    let end = clause_end(&text);
    for at in text.at + 1..end {
        let mut ahead = Cursor { at, ..*cursor };
        // "After my meeting with Bob": only what is clearly mine stands in the calendar.
        let bare = ahead.sees(&["after my", "after our"]).is_some();
        let Some(beside) = read(&mut ahead, bare) else {
            continue;
        };
        if !ends(&ahead) || timed(&text, at) || bare && !beside.of.said {
            return false;
        }
        let Some(words) = text.words(text.at..at) else {
            return false;
        };
        request.vals.title = Some(Value::Words(words));
        request.vals.beside = Some(beside);
        *cursor = ahead;
        return true;
    }
    false
}

/// "… an hour before", "… 10 minutes ahead", behind the event that was just made.
fn implied<'s, 'a>(parse: &Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Option<Beside> {
    parse
        .requests
        .last()
        .filter(|last| matches!(last.act, Act::CreateEvent | Act::Move))?;
    let mut ahead = *cursor;
    let minutes = length(&mut ahead)?;
    ahead
        .eat(&[
            "before",
            "beforehand",
            "in advance",
            "ahead",
            "earlier",
            "prior",
            "ahead of time",
            "before that",
            "before it",
        ])
        .then_some(())?;
    ahead.eat(&["starts", "begins"]);
    if !ends(&ahead) {
        return None;
    }
    *cursor = ahead;
    Some(Beside {
        of: Sel {
            pron: Some(Pron::It),
            ..Sel::of(Noun::Event)
        },
        minutes,
        after: false,
    })
}

/// What a reminder is called that only says of which event.
fn title_of(parse: &Parse<'_, '_>, of: &Sel) -> Value {
    let made = parse
        .requests
        .last()
        .filter(|last| of.pron.is_some() && last.act == Act::CreateEvent);
    let words = made.and_then(|last| match &last.vals.title {
        Some(Value::Words(words)) => Some(words.clone()),
        _ => last.sel.title.clone().or_else(|| last.sel.about.clone()),
    });
    words.map_or_else(|| Value::TitleOf(Box::new(of.clone())), Value::Words)
}

fn ends(cursor: &Cursor<'_, '_>) -> bool {
    filler::only_closers(cursor)
        || matches!(cursor.word(0), "," | "and")
            && (super::command::command_at(cursor, 1)
                || cursor.word(1) == "and" && super::command::command_at(cursor, 2))
}

/// Whether a time stands before `end`: another time than the one told by the event.
fn timed(cursor: &Cursor<'_, '_>, end: usize) -> bool {
    (cursor.at..end).any(|at| matches!(cursor.said.pieces[at].form, Form::Time(_)))
}
