//! Requests that move things in time, or make them longer or shorter.

use super::change::{missing, target};
use super::clause::{Parse, Read, Unread, Why};
use super::cursor::Cursor;
use super::lexicon::{Noun, State, Verb};
use super::model::{Act, Request, Sel};
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
    let to_do = words.next().is_some_and(amend::is_to_do);
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

/// The calendar months of a length that is nothing but months and years.
fn months(length: &crate::time::Length) -> Option<i64> {
    let span = &length.span;
    let months = i64::from(span.get_months()) + 12 * i64::from(span.get_years());
    let rest = span.get_weeks() != 0
        || span.get_days() != 0
        || span.get_hours() != 0
        || span.get_minutes() != 0
        || span.get_seconds() != 0;
    (months != 0 && !rest).then_some(months)
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

/// "Back", "forward", "earlier": which way.
pub(super) fn direction(cursor: &mut Cursor<'_, '_>) -> Option<i64> {
    if cursor.eat_any(phrases!(
        "earlier | sooner | ahead | forwards | to an earlier time | to earlier | up"
    )) {
        return Some(-1);
    }
    if cursor.eat_any(phrases!(
        "later | back | out | to a later time | off | to later"
    )) {
        return Some(1);
    }
    cursor.eat(&["over", "along", "around"]);
    None
}

/// The new time, the shift, the new place.
pub(super) fn values<'s, 'a>(
    parse: &Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    request: &mut Request,
    sign: &mut Option<i64>,
) -> Read {
    for _ in 0..8 {
        if cursor.eat(&[
            "at the same time",
            "same time",
            "the same time",
            ", same time",
            ", at the same time",
            "same hour",
            ", same hour",
            "at the same hour",
        ]) {
            continue;
        }
        // "To the same time on Thursday".
        let mut same = *cursor;
        if same.eat(&["to the same time", "to the same hour", "to the same slot"])
            && same.sees_time().is_some()
        {
            *cursor = same;
            continue;
        }
        if let Some(way) = direction(cursor) {
            *sign = Some(way);
            continue;
        }
        if cursor.sees(&["forward"]).is_some() {
            cursor.at += 1;
            if sign.is_none() {
                request.vals.question = Some("forward");
            }
            continue;
        }
        let mut ahead = *cursor;
        ahead.eat_any(phrases!("to be | to | by | until | till | for | it to | at | on | so that it starts | so it starts | \
        to start | to begin | starting | start at | begin at | start | begin"));
        if request.vals.beside.is_none()
            && request.vals.times.is_empty()
            && let Some(beside) = super::beside::read(&mut ahead, false)
        {
            request.vals.beside = Some(beside);
            *cursor = ahead;
            continue;
        }
        if free_slot(&mut ahead) {
            request.vals.free_slot = true;
            while let Some(index) = ahead.time() {
                request.vals.times.push(index);
            }
            *cursor = ahead;
            continue;
        }
        let timed = cursor
            .sees_time()
            .map(|seen| (seen, *cursor))
            .or_else(|| ahead.sees_time().map(|seen| (seen, ahead)));
        if let Some(((index, len), mut at)) = timed
            && let Some(found) = cursor.said.times.get(index)
        {
            at.at += len;
            match &found.value {
                Value::Duration(length) if months(length).is_some() => {
                    request.vals.shift_months = months(length);
                }
                Value::Duration(length) => {
                    let Some(minutes) = noun::minutes(length.seconds) else {
                        return Err(parse.words(cursor));
                    };
                    request.vals.shift = Some(minutes);
                }
                _ => request.vals.times.push(index),
            }
            *cursor = at;
            continue;
        }
        // "… at 11 instead of 10": which hour it is now needs no saying.
        let mut old = *cursor;
        if !request.vals.times.is_empty()
            && old.eat(&["instead of", "rather than", "and not", "not"])
        {
            old.eat(&["at"]);
            let timed = match old.time() {
                Some(index) => {
                    request.sel.when.push(index);
                    true
                }
                None => false,
            };
            if timed
                || old
                    .peek(0)
                    .is_some_and(|piece| piece.form == super::said::Form::Number)
            {
                old.at += usize::from(!timed);
                *cursor = old;
                continue;
            }
        }
        let mut to = *cursor;
        if to.eat(&["to", "into", "in"])
            && request.vals.place.is_none()
            && request.vals.times.is_empty()
            && request.sel.noun == Some(Noun::Event)
            && request.sel.said
            && let Some(words) = value::text(&mut to, &["at", "on"])
            && !is_part_of_day(&words.text)
            // "Turn lunch into a dinner".
            && cursor.sees(&["into a", "into an"]).is_none()
        {
            request.vals.place = Some(words);
            *cursor = to;
            continue;
        }
        break;
    }
    if request.vals.place.is_some()
        && request.vals.times.is_empty()
        && request.vals.shift.is_none()
        && request.vals.shift_months.is_none()
    {
        request.act = Act::Relocate;
    }
    Ok(())
}

/// "To the afternoon" is no place.
fn is_part_of_day(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        matches!(
            word.to_lowercase().as_str(),
            "morning"
                | "afternoon"
                | "evening"
                | "night"
                | "noon"
                | "day"
                | "week"
                | "month"
                | "time"
                | "slot"
        )
    })
}

/// "The first free slot", "my next available time": the calendar decides.
pub(super) fn free_slot(cursor: &mut Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    ahead.eat_any(phrases!("in | at | for | on | during | to"));
    ahead.eat(&["my", "the", "our", "a"]);
    let first = ahead.eat_any(phrases!(
        "first | next | earliest | soonest | very first | 1st | very next"
    ));
    let free = ahead.eat_any(phrases!("free | available | open | possible | empty"));
    ahead.eat(&["half hour", "30 minute", "one hour"]);
    // "The first time I'm free".
    if first
        && ahead.eat(&[
            "time i am free",
            "time that i am free",
            "time i am available",
            "time i have free",
        ])
    {
        *cursor = ahead;
        return true;
    }
    if let Some((index, len)) = ahead.sees_time()
        && (first || free)
        && ahead
            .said
            .times
            .get(index)
            .is_some_and(|found| matches!(found.value, Value::Duration(_)))
    {
        ahead.at += len;
    }
    let noun = ahead.eat_any(phrases!("slot | time slot | time | opening | gap | window | opportunity | availability | \
        available slot | available time | free slot | spot | moment | half hour | hour | free time | \
        open slot | block"));
    // "The next available 45 minutes".
    let mine = ahead
        .sees(&[
            "i am free",
            "i am available",
            "when i am free",
            "that i am free",
            "i have free",
        ])
        .is_some();
    let length = first
        && (free || mine)
        && ahead
            .at
            .checked_sub(1)
            .and_then(|at| ahead.said.pieces.get(at))
            .is_some_and(|piece| matches!(piece.form, super::said::Form::Time(_)));
    if !(noun && (first || free)) && !length {
        let mut when = *cursor;
        if when.eat_any(phrases!("when i am free | whenever i am free | when i am available | whenever i am available | \
        when i am next free | as soon as i am free | when i have time | wherever there is space | \
        whenever i have time | whenever there is a free slot | as early as possible | \
        as soon as possible | whenever i am first free | when i am first free | when we are both free | \
        as soon as i have time | when i have a free slot | first thing available | \
        as soon as i am available")) {
            *cursor = when;
            return true;
        }
        return false;
    }
    ahead.eat_any(phrases!(
        "i am available | i am next free | i have | in my calendar | available | on my calendar | that i have | that is free | \
        that is available | in my schedule | i have available | i have got | that works | \
        that i am free | i have free | where i am free | i am free | possible"
    ));
    ahead.eat(&["starting", "from", "beginning", "start"]);
    *cursor = ahead;
    true
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
