//! Requests that alter a part of a thing: its name, place, time, text.

use super::amend::value_of;
use super::change::{missing, rest, target};
pub(super) use super::changed::changed;
use super::clause::{Parse, Read};
use super::cursor::Cursor;
use super::detail::detail_of;
use super::filler;
use super::lexicon::{Noun, STATES, State, Verb};
use super::mark::priority;
use super::model::{Act, Request, Sel};
use super::noun::Rules;
use super::said::Form;
use super::table::phrases;
use crate::time::Value;
use adjutant_domain::route::Domain;

/// Rename X to Y.
pub(super) fn rename<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    let rules = Rules {
        to_is_value: true,
        ..Rules::default()
    };
    if of_no_kind(parse, cursor) {
        return Err(missing("kind"));
    }
    let sel = match worded(cursor) {
        Some(sel) => sel,
        None => target(parse, cursor, Some(kind_of_domain(parse)), rules)?,
    };
    named(parse, cursor, sel)
}

/// The kind of what is renamed without a noun, from what the message is about.
fn kind_of_domain(parse: &Parse<'_, '_>) -> Noun {
    match parse.domains {
        [Domain::Task] => Noun::Task,
        [Domain::Note] => Noun::Note,
        _ => Noun::Event,
    }
}

/// "Change 'buy gift' to …": a quoted name and nothing that says of what kind it is.
fn of_no_kind(parse: &Parse<'_, '_>, cursor: &Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    ahead.eat(&["the title of", "the name of"]);
    let said = matches!(
        parse.domains,
        [Domain::Task] | [Domain::Note] | [Domain::Calendar]
    );
    ahead.quote().is_some() && ahead.sees(&["to", "as", "into"]).is_some() && !said
}

/// "Update my licence plate to …": a fact that is known by that name.
pub(super) fn fact<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    sel: &Sel,
) -> Result<bool, super::clause::Unread> {
    let named = Sel {
        title: None,
        ..sel.clone()
    };
    let own = sel.det == super::model::Det::My && !sel.said && !sel.exact && !named.is_narrowed();
    if !own || parse.domains.contains(&Domain::Calendar) || parse.domains.contains(&Domain::Task) {
        return Ok(false);
    }
    let (Some(key), Some(value)) = (sel.title.clone(), {
        cursor.eat(&["to"]);
        rest(cursor)
    }) else {
        return Err(parse.words(cursor));
    };
    let mut request = Request::new(Act::Store, Sel::of(Noun::Memory));
    request.vals.body = Some(super::model::Words {
        text: format!("{} is {}", key.text, value.text),
        ..key.clone()
    });
    request.vals.key = Some(key.text);
    request.vals.details = vec![value.text];
    parse.push(request);
    Ok(true)
}

/// "The task fix the bike to …": a name of several words with small words inside, up to the only "to".
fn worded(cursor: &mut Cursor<'_, '_>) -> Option<Sel> {
    let mut ahead = *cursor;
    ahead.eat(&["the", "my"]).then_some(())?;
    let ((noun, _), len) = ahead.sees_in(&super::lexicon::NOUNS)?;
    if !matches!(noun, Noun::Task | Noun::Note | Noun::Reminder) {
        return None;
    }
    ahead.at += len;
    let mut tos = (ahead.at + 1..ahead.end).filter(|at| ahead.said.pieces[*at].word == "to");
    let (to, more) = (tos.next()?, tos.next());
    let inside = ahead.said.pieces[ahead.at..to]
        .iter()
        .any(|piece| matches!(piece.word.as_str(), "the" | "a" | "an" | "my"));
    let described = ahead
        .sees_any(phrases!(
            "about | with | from | titled | called | named | for | on | that | due"
        ))
        .is_some();
    if more.is_some() || !inside || described {
        return None;
    }
    let title = ahead.words(ahead.at..to)?;
    let span = cursor.at..to;
    cursor.at = to;
    Some(Sel {
        title: Some(title),
        said: true,
        span,
        ..Sel::of(if noun == Noun::Note {
            Noun::Note
        } else {
            Noun::Task
        })
    })
}

pub(super) fn named<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    sel: Sel,
) -> Read {
    let mut request = Request::new(Act::Rename, sel);
    cursor.skip_marks();
    if cursor.eat_any(phrases!("to be called | to be named | to be titled | to be | so that it is called | so it is called | \
        so it says | to say | to read | to | as | into | be")) || matches!(cursor.peek(0).map(|piece| piece.form), Some(Form::Quote(_))) {
        cursor.eat(&["just", "simply", "the name", "the title"]);
        request.vals.title = if matches!(cursor.peek(0).map(|piece| piece.form), Some(Form::Quote(_))) {
            value_of(parse, cursor)
        } else {
            rest(cursor).map(super::model::Value::Words)
        };
    }
    parse.push(request);
    Ok(())
}

/// Where people meet without a place.
pub(super) const ONLINE: &[&str] = &[
    "zoom",
    "teams",
    "google meet",
    "skype",
    "microsoft teams",
    "slack",
    "webex",
    "facetime",
    "a zoom call",
    "a video call",
];

/// What of a thing is changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Time,
    Title,
    Place,
    Length,
    Priority,
    Text,
}

/// Change, update, set, make.
pub(super) fn change<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    let rules = Rules {
        to_is_value: true,
        for_is_value: true,
        states_are_values: true,
        ..Rules::default()
    };
    if let Some(request) = detail_of(cursor) {
        parse.push(request);
        return Ok(());
    }
    let at = cursor.at;
    if let Some(part) = part(cursor, true) {
        let of_task = part == Part::Priority || speaks_of_due(parse, at..cursor.at);
        let kind = if of_task { Noun::Task } else { Noun::Event };
        let sel = target(parse, cursor, Some(kind), rules)?;
        return changed(parse, cursor, sel, Some(part));
    }
    // "Change the location to Room 5": of what was spoken of.
    let mut alone = *cursor;
    if let Some(part) = part(&mut alone, false)
        && alone.sees(&["to", "by", "from"]).is_some()
    {
        *cursor = alone;
        let sel = Sel {
            pron: Some(super::model::Pron::It),
            guess: Some(if part == Part::Priority {
                Noun::Task
            } else {
                Noun::Event
            }),
            ..Sel::default()
        };
        return changed(parse, cursor, sel, Some(part));
    }
    // "The meeting's title": the thing stands in front of its part.
    if let Some((end, part, len)) = owned_part(cursor) {
        let mut inner = *cursor;
        inner.end = end;
        let sel = target(parse, &mut inner, Some(Noun::Event), rules)?;
        if inner.at == end {
            cursor.at = end + len;
            return changed(parse, cursor, sel, Some(part));
        }
    }
    if cursor.sees(&["a", "an"]).is_some() {
        return super::create::create(parse, cursor, Verb::Create);
    }
    if let Some(sel) = ranked(cursor) {
        return priority(parse, cursor, sel);
    }
    if of_no_kind(parse, cursor) {
        return Err(missing("kind"));
    }
    let kind = match parse.domains {
        // A quoted name of something that is to be done.
        [Domain::Task]
            if matches!(cursor.peek(0).map(|piece| piece.form), Some(Form::Quote(_))) =>
        {
            Noun::Task
        }
        _ => Noun::Event,
    };
    let sel = target(parse, cursor, Some(kind), rules)?;
    if cursor.eat_any(phrases!(
        "into a task | into a to do | into a todo | into a to do item | into a reminder | into an action item"
    )) {
        return super::task::of_thing(parse, cursor, sel);
    }
    changed(parse, cursor, sel, None)
}

/// Whether the words of a range are about when something is due, which only tasks are.
pub(super) fn speaks_of_due(parse: &Parse<'_, '_>, range: std::ops::Range<usize>) -> bool {
    parse.said.pieces.get(range).is_some_and(|pieces| {
        pieces
            .iter()
            .any(|piece| matches!(piece.word.as_str(), "due" | "deadline"))
    })
}

/// "Make booking the train high priority": a task named by what is to be done.
fn ranked(cursor: &mut Cursor<'_, '_>) -> Option<Sel> {
    let end = (cursor.at + 2..cursor.end).find(|at| {
        let mut here = *cursor;
        here.at = *at;
        here.sees_in(&STATES).is_some_and(|(state, len)| {
            here.at += len;
            matches!(state, State::High | State::Low | State::Medium) && filler::only_closers(&here)
        })
    })?;
    let mut inner = *cursor;
    inner.end = end;
    let sel = super::shift::doing(&mut inner)?;
    (inner.at == end).then(|| {
        cursor.at = end;
        sel
    })
}

pub(super) fn part(cursor: &mut Cursor<'_, '_>, of: bool) -> Option<Part> {
    let mut ahead = *cursor;
    ahead.eat(&["the", "its"]);
    let part = if ahead.eat_any(phrases!("time | date | start time | start | day | due date | deadline | starting time | date and time | \
        time and date | start date | due time")) {
        Part::Time
    } else if ahead.eat_any(phrases!("title | name | subject | summary | wording")) {
        Part::Title
    } else if ahead.eat_any(phrases!("location | place | room | venue | address")) {
        Part::Place
    } else if ahead.eat(&["duration", "length", "end time", "end"]) {
        Part::Length
    } else if ahead.eat(&["priority", "priority level", "urgency", "importance"]) {
        Part::Priority
    } else if ahead.eat_any(phrases!("description | notes | text | content | body | details | agenda")) {
        Part::Text
    } else {
        return None;
    };
    if of && !ahead.eat(&["of", "for", "on"]) {
        return None;
    }
    *cursor = ahead;
    Some(part)
}

/// "… 's title": where the owner ends, which part, and how many pieces the part takes.
pub(super) fn owned_part(cursor: &Cursor<'_, '_>) -> Option<(usize, Part, usize)> {
    for at in cursor.at + 1..cursor.end.min(cursor.at + 24) {
        if cursor.said.pieces[at].word == "'s" || cursor.said.pieces[at].word == "'" {
            let mut ahead = *cursor;
            ahead.at = at + 1;
            if let Some(part) = part(&mut ahead, false)
                && (ahead
                    .sees_any(phrases!("to | from | by | as | is"))
                    .is_some()
                    || ahead.peek(0).is_none_or(|piece| piece.form != Form::Word))
            {
                return Some((at, part, ahead.at - at));
            }
        }
    }
    None
}

/// "Repeat the team call every two weeks": how often it is from now on.
pub(super) fn repeat<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    let made = ahead.word(0) == "make";
    if !ahead.eat(&["repeat", "make"])
        || ahead.sees(&["the", "my", "our", "this", "that"]).is_none()
    {
        return false;
    }
    let rules = Rules {
        times_are_values: true,
        ..Rules::default()
    };
    let Some(sel) = super::noun::phrase(&mut ahead, Some(Noun::Event), rules) else {
        return false;
    };
    let set = ahead.sees_time().filter(|(index, _)| {
        parse
            .said
            .times
            .get(*index)
            .is_some_and(|found| matches!(found.value, Value::Set { .. }))
    });
    let Some((index, len)) = set.filter(|_| matches!(sel.noun, Some(Noun::Event | Noun::Task)))
    else {
        return false;
    };
    ahead.at += len;
    if made && !filler::only_closers(&ahead) {
        return false;
    }
    let mut request = Request::new(Act::Repeat, sel);
    request.vals.times.push(index);
    parse.push(request);
    *cursor = ahead;
    true
}
