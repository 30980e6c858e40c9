//! Requests that move things in time, or make them longer or shorter.

use super::change::{missing, target};
use super::clause::{Parse, Read, Unread, Why};
use super::cursor::Cursor;
use super::lexicon::{Noun, State, Verb};
use super::model::{Act, Request, Sel};
pub(super) use super::moved_to::{direction, free_slot, values};
use super::noun::{self, Rules};
use super::table::phrases;
use super::{amend, value};
use crate::time::{Relation, Value};

/// Move, reschedule, postpone, bring forward.
pub(super) fn shift<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    verb: Verb,
) -> Read {
    let mut sign = match verb {
        Verb::Advance => Some(-1),
        Verb::Delay => Some(1),
        _ => None,
    };
    sign = direction(cursor).or(sign);
    let rules = Rules {
        to_is_value: true,
        for_is_value: true,
        ..Rules::default()
    };
    // "Push the deadline of the audit task".
    cursor.eat_any(phrases!(
        "the deadline of | the deadline for | the due date of | the due date for | the date of | the time of | the start of | \
        the start time of"
    ));
    if let Some((sel, at)) = mail_to_folder(cursor) {
        cursor.at = at;
        return move_mail(parse, cursor, sel);
    }
    let due = super::alter::speaks_of_due(parse, cursor.at.saturating_sub(4)..cursor.at);
    let kind = if due { Noun::Task } else { Noun::Event };
    let sel = match doing(cursor) {
        Some(sel) => sel,
        None => target(parse, cursor, Some(kind), rules)?,
    };
    // "Push 'Renew passport' by two weeks": a name alone is of what the message is about.
    let mut sel = sel;
    let quoted = sel.exact && !sel.said && sel.pron.is_none() && !due;
    if quoted && sel.noun == Some(Noun::Event) {
        sel.noun = quoted_kind(parse, cursor, &sel);
    }
    if sel.noun == Some(Noun::Mail) {
        return move_mail(parse, cursor, sel);
    }
    if let Some(state) = priority(cursor)
        && (sel.exact
            || matches!(sel.noun, Some(Noun::Task | Noun::Reminder))
            || !sel.said && sel.title.is_some())
        && sel.when.is_empty()
    {
        sel.noun = Some(Noun::Task);
        let mut request = Request::new(Act::SetPriority, sel);
        request.vals.priority = Some(state);
        parse.push(request);
        return Ok(());
    }
    let open = quoted && sel.noun.is_none();
    let mut request = Request::new(Act::Move, sel);
    values(parse, cursor, &mut request, &mut sign)?;
    if open {
        return Err(missing("kind"));
    }
    request.sel.moved_from = !request.vals.times.is_empty();
    // "Move standup 10:15": the time left out its "to".
    if request.act == Act::Move
        && verb == Verb::Move
        && request.vals == Default::default()
        && let [index] = request.sel.when.as_slice()
        && cursor.said.times.get(*index).is_some_and(|found| {
            found.clock.is_some() && found.relation == Relation::At && found.lead.is_none()
        })
        && (request.sel.title.is_some() || !request.sel.with.is_empty())
    {
        request.vals.times.append(&mut request.sel.when);
    }
    // "Move it by an hour" has come to mean later.
    let sign = sign.unwrap_or(1);
    request.vals.shift = request.vals.shift.map(|minutes| minutes * sign);
    request.vals.shift_months = request.vals.shift_months.map(|months| months * sign);
    which_day(parse, &mut request);
    parse.push(request);
    Ok(())
}

/// "Tom's mail about the tender to the archive": the mail, and where the folder begins.
fn mail_to_folder(cursor: &Cursor<'_, '_>) -> Option<(Sel, usize)> {
    let at = (cursor.at + 1..cursor.end).find(|at| {
        let mut here = Cursor { at: *at, ..*cursor };
        here.eat(&["back", "over"]);
        here.eat(&["to", "into", "in"]) && {
            here.eat(&["the", "my"]);
            here.sees(&[
                "archive",
                "archives",
                "inbox",
                "junk",
                "spam",
                "trash",
                "bin",
                "deleted items",
            ])
            .is_some()
        }
    })?;
    let mut inner = Cursor { end: at, ..*cursor };
    let sel = noun::phrase(&mut inner, Some(Noun::Mail), Rules::default())?;
    (sel.noun == Some(Noun::Mail) && sel.said && inner.at == at).then_some((sel, at))
}

/// "… to high priority": what was bumped or pushed is how urgent it is.
fn priority(cursor: &mut Cursor<'_, '_>) -> Option<State> {
    let mut ahead = *cursor;
    ahead.eat(&["up", "down"]);
    ahead.eat(&["to"]).then_some(())?;
    let state = ahead
        .take(&super::lexicon::STATES)
        .filter(|state| matches!(state, State::High | State::Medium | State::Low))?;
    ahead.eat(&["priority"]);
    super::filler::only_closers(&ahead).then(|| *cursor = ahead)?;
    Some(state)
}

/// The kind of what is named by a quotation alone and moved. `None`: it may be an event as well as a task.
fn quoted_kind(parse: &Parse<'_, '_>, cursor: &Cursor<'_, '_>, sel: &Sel) -> Option<Noun> {
    use adjutant_domain::route::Domain;
    let title = sel.title.as_ref()?;
    let mut words = title.text.split_whitespace();
    let to_do = words
        .next()
        .is_some_and(|first| amend::is_to_do(first) || first.eq_ignore_ascii_case("call"))
        && words.next().is_some_and(|next| next != "with");
    let event = title
        .text
        .split_whitespace()
        .next_back()
        .is_some_and(|last| {
            matches!(
                super::lexicon::NOUNS.single(&last.to_lowercase()),
                Some((Noun::Event, _))
            )
        });
    // Only what is in the calendar is sure to have an hour.
    let clock = (cursor.at..cursor.end).any(|at| match cursor.said.pieces[at].form {
        super::said::Form::Time(index) => cursor
            .said
            .times
            .get(index)
            .is_some_and(|found| found.clock.is_some()),
        _ => false,
    });
    match (parse.domains, to_do, event) {
        ([Domain::Task], _, _) | (_, true, false) => Some(Noun::Task),
        ([Domain::Calendar], _, _) | (_, false, true) => Some(Noun::Event),
        _ => clock.then_some(Noun::Event),
    }
}

/// "End the retro half an hour earlier", "end it at 5".
pub(super) fn ends<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    let sel = target(
        parse,
        cursor,
        Some(Noun::Event),
        Rules {
            to_is_value: true,
            for_is_value: true,
            times_are_values: true,
            ..Rules::default()
        },
    )?;
    let mut request = Request::new(Act::Resize, sel);
    for _ in 0..2 {
        let Some((index, len)) = cursor.sees_time() else {
            break;
        };
        let Some(found) = cursor.said.times.get(index) else {
            break;
        };
        cursor.at += len;
        match &found.value {
            Value::Duration(length) => {
                let way = direction(cursor).ok_or_else(|| parse.words(cursor))?;
                request.vals.extend = noun::minutes(length.seconds).map(|minutes| minutes * way);
            }
            _ if found.clock.is_some() => request.vals.until = Some(index),
            _ => request.sel.when.push(index),
        }
    }
    if request.vals.extend.is_none() && request.vals.until.is_none() {
        return Err(parse.words(cursor));
    }
    parse.push(request);
    Ok(())
}

/// "Start the all hands 10 minutes later", "start the demo at 4": whether an event that is there was meant.
pub(super) fn starts<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    if !ahead.eat(&["the", "my", "our"]) {
        return false;
    }
    ahead.at = cursor.at;
    let rules = Rules {
        to_is_value: true,
        for_is_value: true,
        times_are_values: true,
        ..Rules::default()
    };
    let Some(sel) = noun::phrase(&mut ahead, Some(Noun::Event), rules) else {
        return false;
    };
    let mut request = Request::new(Act::Move, sel);
    let mut sign = None;
    if request.sel.noun != Some(Noun::Event)
        || values(parse, &mut ahead, &mut request, &mut sign).is_err()
        || request.vals.times.is_empty() && (sign.is_none() || request.vals.shift.is_none())
    {
        return false;
    }
    request.vals.shift = request
        .vals
        .shift
        .map(|minutes| minutes * sign.unwrap_or(1));
    which_day(parse, &mut request);
    parse.push(request);
    *cursor = ahead;
    true
}

/// "Start my first meeting on Monday 15 minutes later": where it is moved by a length, a day says which one it is.
pub(super) fn which_day(parse: &Parse<'_, '_>, request: &mut Request) {
    let days = request.vals.times.iter().all(|index| {
        parse.said.times.get(*index).is_some_and(|found| {
            found.relation == Relation::At && (found.has_day || found.clock.is_some())
        })
    });
    let by = request.vals.shift.is_some() || request.vals.shift_months.is_some();
    if by
        && days
        && !request.vals.times.is_empty()
        && request.sel.when.is_empty()
        && request.sel.pron.is_none()
    {
        request.sel.when.append(&mut request.vals.times);
    }
}

/// "Postpone buying the paint": a task named by what is to be done.
pub(super) fn doing(cursor: &mut Cursor<'_, '_>) -> Option<Sel> {
    let word = cursor.word(0);
    let gerund = word.len() > 5
        && word.ends_with("ing")
        && matches!(cursor.word(1), "the" | "my" | "a" | "an" | "our")
        && cursor.is_content(2)
        && word != "meeting";
    if !gerund {
        return None;
    }
    let mut ahead = *cursor;
    ahead.at += 2;
    let start = ahead.at;
    let words = value::text(&mut ahead, &["to", "until", "till", "by", "for"])?;
    *cursor = ahead;
    Some(Sel {
        title: Some(words),
        said: true,
        span: start..ahead.at,
        ..Sel::of(Noun::Task)
    })
}

pub(super) fn move_mail<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    sel: Sel,
) -> Read {
    cursor.eat(&["back", "over", "out"]);
    if !cursor.eat(&["to", "into", "in"]) {
        return Err(missing("where"));
    }
    cursor.eat(&["the", "my"]);
    let act = if cursor.eat(&["archive", "archives", "archive folder"]) {
        Act::File("archive")
    } else if cursor.eat(&["inbox", "inbox folder"]) {
        Act::File("inbox")
    } else if cursor.eat(&["junk", "spam", "junk folder", "spam folder"]) {
        Act::File("junk")
    } else if cursor.eat_any(phrases!(
        "trash | bin | trash folder | deleted items | garbage"
    )) {
        Act::Delete
    } else {
        return Err(Unread {
            span: parse.said.span(&(cursor.at..cursor.end)),
            why: Why::CanNot("Mail can be moved to the inbox, the archive, junk or the trash, and it can be given a label.".to_owned()),
        });
    };
    parse.push(Request::new(act, sel));
    Ok(())
}
