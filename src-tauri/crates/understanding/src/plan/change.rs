//! Requests that change or take away what there is.

use super::after;
use super::clause::{Parse, Read, Unread, Why, value_of};
use super::cursor::Cursor;
use super::filler;
use super::lexicon::{Noun, STATES, State, Verb};
use super::model::{Act, Det, Request, Sel, Who};
use super::noun::{self, Rules, command_at, phrase};
use super::people::{self, Place};
use super::said::Form;
use super::table::phrases;
use crate::time::{Relation, Value};

/// Things of one list ("cancel A, B and C").
const LIST_MAX: usize = 20;

pub(super) fn missing(what: &'static str) -> Unread {
    Unread {
        span: None,
        why: Why::What(what),
    }
}

/// Reads what the verb applies to, or what was spoken of before.
fn target(
    parse: &Parse<'_, '_>,
    cursor: &mut Cursor<'_, '_>,
    default: Option<Noun>,
    rules: Rules,
) -> Result<Sel, Unread> {
    phrase(cursor, default, rules).ok_or_else(|| {
        if cursor.is_done() {
            missing("what")
        } else {
            parse.words(cursor)
        }
    })
}

/// Delete, cancel, remove.
pub(super) fn delete<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    verb: Verb,
) -> Read {
    // "Drop Kim a line" deletes nothing.
    let mut line = *cursor;
    if !people::list(&mut line, Place::Maybe).is_empty() && line.eat(super::mail::MAILS) {
        return super::mail::send(parse, cursor, Verb::Send);
    }
    if remove_guest(parse, cursor) || remove_mark(parse, cursor)? || clear_time(parse, cursor) {
        return Ok(());
    }
    let default = (verb == Verb::Cancel).then_some(Noun::Event);
    cursor.eat(&["of"]);
    let mut kind = default;
    let mut said = false;
    let mut before = *cursor;
    for _ in 0..LIST_MAX {
        let mut sel = target(parse, cursor, kind, Rules::default())?;
        if sel.noun.is_none() {
            sel.noun = guess_kind(parse, &sel);
        }
        // A further thing without a kind of its own is no further thing ("from Ana and the universe").
        if said && !sel.said && sel.pron.is_none() {
            *cursor = before;
            return Ok(());
        }
        // "Cancel the standup and the review tomorrow": the day holds for both.
        if !sel.when.is_empty()
            && said
            && let Some(last) = parse.requests.last_mut().filter(|last| last.act == Act::Delete && last.sel.when.is_empty())
        {
            last.sel.when.clone_from(&sel.when);
        }
        said = sel.said;
        kind = sel.noun.or(kind);
        parse.push(Request::new(Act::Delete, sel));
        let mut ahead = *cursor;
        if !ahead.eat_any(phrases!(", and | , | and | and also | as well as | plus"))
            || command_at(cursor, ahead.at - cursor.at)
            || filler::only_closers(&ahead)
        {
            break;
        }
        if ahead
            .sees_any(phrases!("then | if | tell | let | send | notify"))
            .is_some()
            || phrase(&mut { ahead }, kind, Rules::default()).is_none()
        {
            break;
        }
        before = *cursor;
        *cursor = ahead;
    }
    Ok(())
}

/// The kind of a thing named without a noun, from what the message is about.
fn guess_kind(parse: &Parse<'_, '_>, sel: &Sel) -> Option<Noun> {
    use adjutant_domain::route::Domain;
    if sel.pron.is_some() {
        return None;
    }
    if !sel.from.is_empty() || !sel.to.is_empty() || sel.folder.is_some() {
        return Some(Noun::Mail);
    }
    if !sel.with.is_empty() {
        return Some(Noun::Event);
    }
    match parse.domains {
        [Domain::Task] => Some(Noun::Task),
        [Domain::Calendar] => Some(Noun::Event),
        [Domain::Note] => Some(Noun::Note),
        [Domain::Email] => Some(Noun::Mail),
        _ => None,
    }
}

/// "Remove Bob from the budget meeting".
fn remove_guest<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    let who = people::list(&mut ahead, Place::Sure);
    if who.is_empty()
        || who.iter().any(|who| matches!(who, Who::Group(_)))
        || !ahead.eat(&["from", "off"])
    {
        return false;
    }
    let Some(sel) = phrase(&mut ahead, None, Rules::default()) else {
        return false;
    };
    if sel.noun != Some(Noun::Event) || (!sel.is_narrowed() && sel.pron.is_none()) {
        return false;
    }
    let mut request = Request::new(Act::RemovePeople, sel);
    request.vals.people = who;
    parse.push(request);
    *cursor = ahead;
    true
}

/// "Remove the star from …", "remove the label X from …", "remove the due date from …".
fn remove_mark<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
) -> Result<bool, Unread> {
    let mut ahead = *cursor;
    if ahead.eat(&["the star from", "the flag from", "star from", "stars from"]) {
        let sel = target(parse, &mut ahead, Some(Noun::Mail), Rules::default())?;
        parse.push(Request::new(Act::Star(false), sel));
        *cursor = ahead;
        return Ok(true);
    }
    if ahead.eat(&["the label", "the tag", "label", "tag"])
        && let Some(label) = after::text(&mut ahead, &["from"])
        && ahead.eat(&["from", "label from", "tag from"])
    {
        let sel = target(parse, &mut ahead, Some(Noun::Mail), Rules::default())?;
        let mut request = Request::new(Act::Unlabel, sel);
        request.vals.details = vec![label.text];
        parse.push(request);
        *cursor = ahead;
        return Ok(true);
    }
    Ok(false)
}

/// "Clear my calendar tomorrow", "clear my afternoon".
fn clear_time<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    let inbox = ahead.eat_any(phrases!(
        "my inbox | the inbox | out my inbox | my entire inbox | my whole inbox"
    ));
    if !inbox
        && !ahead.eat_any(phrases!(
            "my calendar | my schedule | the calendar | my agenda | my diary | my whole calendar | \
        my entire calendar | my entire schedule | my whole schedule"
        ))
    {
        let mut time = *cursor;
        time.eat(&["my", "all of", "the whole of", "out"]);
        let whole_day = time
            .sees_time()
            .and_then(|(index, _)| time.said.times.get(index))
            .is_some_and(|found| !matches!(found.value, Value::Instant(_) | Value::Duration(_)));
        let said = cursor
            .at
            .checked_sub(1)
            .and_then(|at| cursor.said.pieces.get(at))
            .is_some_and(|verb| matches!(verb.word.as_str(), "clear" | "out" | "wipe"));
        if !(whole_day && said && noun_free(&time)) {
            return false;
        }
        ahead = time;
    }
    let mut sel = Sel::of(if inbox { Noun::Mail } else { Noun::Event });
    if inbox {
        sel.folder = Some("inbox");
    }
    sel.all = true;
    sel.plural = true;
    ahead.eat(&["for", "on"]);
    after::modifiers(&mut ahead, &mut sel, Rules::default());
    parse.push(Request::new(Act::Delete, sel));
    *cursor = ahead;
    true
}

/// Whether nothing but the time is said.
fn noun_free(cursor: &Cursor<'_, '_>) -> bool {
    let mut rest = *cursor;
    rest.time();
    !rest.is_content(0)
}

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
    let sel = target(parse, cursor, Some(Noun::Event), rules)?;
    if sel.noun == Some(Noun::Mail) {
        return move_mail(parse, cursor, sel);
    }
    let mut request = Request::new(Act::Move, sel);
    values(parse, cursor, &mut request, &mut sign)?;
    if let Some(minutes) = request.vals.shift {
        match sign {
            Some(sign) => request.vals.shift = Some(minutes * sign),
            // "Move it by an hour" has come to mean later.
            None => request.vals.shift = Some(minutes),
        }
    }
    parse.push(request);
    Ok(())
}

/// "Back", "forward", "earlier": which way.
fn direction(cursor: &mut Cursor<'_, '_>) -> Option<i64> {
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
fn values<'s, 'a>(
    parse: &Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    request: &mut Request,
    sign: &mut Option<i64>,
) -> Read {
    for _ in 0..8 {
        if cursor.eat(&["at the same time", "same time", "the same time"]) {
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
        to start | to begin | starting"));
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
        let mut to = *cursor;
        if to.eat(&["to", "into", "in"])
            && request.vals.place.is_none()
            && request.vals.times.is_empty()
            && request.sel.noun == Some(Noun::Event)
            && request.sel.said
            && let Some(words) = after::text(&mut to, &["at", "on"])
        {
            request.vals.place = Some(words);
            *cursor = to;
            continue;
        }
        break;
    }
    if request.vals.place.is_some() && request.vals.times.is_empty() && request.vals.shift.is_none()
    {
        request.act = Act::Relocate;
    }
    Ok(())
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
    if !(noun && (first || free)) && !(first && free && noun) {
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
        "i have | in my calendar | available | on my calendar | that i have | that is free | \
        that is available | in my schedule | i have available | i have got | that works | \
        that i am free | i have free | where i am free | i am free | possible"
    ));
    ahead.eat(&["starting", "from", "beginning", "start"]);
    *cursor = ahead;
    true
}

fn move_mail<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>, sel: Sel) -> Read {
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

/// Rename X to Y.
pub(super) fn rename<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    let rules = Rules {
        to_is_value: true,
        ..Rules::default()
    };
    let sel = target(parse, cursor, Some(Noun::Event), rules)?;
    named(parse, cursor, sel)
}

fn named<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>, sel: Sel) -> Read {
    let mut request = Request::new(Act::Rename, sel);
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

/// The rest of the clause, word for word, without politeness.
pub(super) fn rest(cursor: &mut Cursor<'_, '_>) -> Option<super::model::Words> {
    cursor.eat(&[":"]);
    if let Some(words) = cursor.quote() {
        return Some(words);
    }
    let start = cursor.at;
    while let Some(piece) = cursor.peek(0) {
        let first = cursor.at == start;
        if !first && filler::only_closers(cursor) {
            break;
        }
        if !first
            && (matches!(piece.word.as_str(), "and" | "then") || piece.word == ",")
            && (command_at(cursor, 1)
                || cursor.word(0) == ","
                    && cursor.sees(&[", if", ", and then", ", then"]).is_some())
        {
            break;
        }
        let last = piece.ends;
        if last && piece.form == Form::Mark {
            break;
        }
        cursor.at += 1;
        if last {
            break;
        }
    }
    cursor.words(start..cursor.at)
}

/// What of a thing is changed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
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
    if let Some(part) = part(cursor, true) {
        let sel = target(
            parse,
            cursor,
            (part == Part::Priority)
                .then_some(Noun::Task)
                .or(Some(Noun::Event)),
            rules,
        )?;
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
    let sel = target(parse, cursor, Some(Noun::Event), rules)?;
    changed(parse, cursor, sel, None)
}

fn part(cursor: &mut Cursor<'_, '_>, of: bool) -> Option<Part> {
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
fn owned_part(cursor: &Cursor<'_, '_>) -> Option<(usize, Part, usize)> {
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

fn changed<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    sel: Sel,
    part: Option<Part>,
) -> Read {
    match part {
        Some(Part::Title) => return named(parse, cursor, sel),
        Some(Part::Place) => {
            cursor.eat(&["to be", "to", "as"]);
            let mut request = Request::new(Act::Relocate, sel);
            request.vals.place = rest(cursor);
            parse.push(request);
            return Ok(());
        }
        Some(Part::Text) => {
            cursor.eat(&["to say", "to", "as"]);
            let mut request = Request::new(Act::Describe, sel);
            request.vals.body = rest(cursor);
            parse.push(request);
            return Ok(());
        }
        Some(Part::Priority) => return priority(parse, cursor, sel),
        Some(Part::Length) => return length(parse, cursor, sel, None),
        Some(Part::Time) | None => {}
    }
    if sel.noun == Some(Noun::Mail) && part.is_none() {
        return mark_as(parse, cursor, sel);
    }
    let mut ahead = *cursor;
    ahead.eat_any(phrases!("to be | to | as | a | an | be"));
    if part.is_none() {
        if ahead
            .sees_in(&STATES)
            .is_some_and(|(state, _)| matches!(state, State::High | State::Medium | State::Low))
            || ahead
                .sees_any(phrases!("high | low | medium | urgent | important"))
                .is_some()
        {
            return priority(parse, cursor, sel);
        }
        if ahead
            .sees(&["done", "complete", "completed", "finished"])
            .is_some()
        {
            return mark_as(parse, cursor, sel);
        }
        if let Some((index, len)) = ahead.sees_time() {
            match ahead.said.times.get(index).map(|found| &found.value) {
                Some(Value::Set { .. }) => {
                    ahead.at += len;
                    let mut request = Request::new(Act::Repeat, sel);
                    request.vals.times.push(index);
                    parse.push(request);
                    *cursor = ahead;
                    return Ok(());
                }
                Some(Value::Duration(_)) => return length(parse, cursor, sel, None),
                _ => {}
            }
        } else if ahead.sees(&["longer", "shorter"]).is_some() {
            return length(parse, cursor, sel, None);
        } else if sel.pron.is_none() && cursor.eat(&["to"]) {
            cursor.at -= 1;
            return named(parse, cursor, sel);
        }
    }
    let mut request = Request::new(Act::Move, sel);
    let mut sign = None;
    values(parse, cursor, &mut request, &mut sign)?;
    if let (Some(minutes), Some(sign)) = (request.vals.shift, sign) {
        request.vals.shift = Some(minutes * sign);
    }
    if request.vals.times.is_empty()
        && request.vals.shift.is_none()
        && request.vals.place.is_none()
        && !request.vals.free_slot
        && !cursor.is_done()
        && !filler::only_closers(cursor)
    {
        return Err(parse.words(cursor));
    }
    parse.push(request);
    Ok(())
}

/// Extend or shorten.
pub(super) fn resize<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    longer: bool,
) -> Read {
    let rules = Rules {
        to_is_value: true,
        for_is_value: true,
        ..Rules::default()
    };
    let sel = target(parse, cursor, Some(Noun::Event), rules)?;
    length(parse, cursor, sel, Some(longer))
}

fn length<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    sel: Sel,
    longer: Option<bool>,
) -> Read {
    let mut request = Request::new(Act::Resize, sel);
    let by = cursor.eat(&["by"]);
    let to = !by
        && cursor.eat_any(phrases!(
            "to be | to last | to | so it ends | so that it ends | be | last"
        ));
    let Some((index, len)) = cursor.sees_time() else {
        cursor.eat(&["longer", "shorter"]);
        if filler::only_closers(cursor) {
            request.vals.question = Some("length");
            parse.push(request);
            return Ok(());
        }
        return Err(parse.words(cursor));
    };
    let Some(found) = cursor.said.times.get(index) else {
        return Err(parse.words(cursor));
    };
    let relative = by || found.relation == Relation::By;
    let absolute = to || matches!(found.relation, Relation::To | Relation::Until);
    cursor.at += len;
    match &found.value {
        Value::Duration(said) => {
            let Some(minutes) = noun::minutes(said.seconds) else {
                return Err(parse.words(cursor));
            };
            let longer = if cursor.eat(&["longer", "more"]) {
                Some(true)
            } else if cursor.eat(&["shorter", "less"]) {
                Some(false)
            } else {
                longer
            };
            cursor.eat(&["long", "instead"]);
            match longer {
                Some(true) if !absolute => request.vals.extend = Some(minutes),
                Some(false) if !absolute || relative => request.vals.extend = Some(-minutes),
                _ => request.vals.minutes = Some(minutes),
            }
        }
        _ => request.vals.until = Some(index),
    }
    parse.push(request);
    Ok(())
}

/// "Invite Ana to the budget meeting".
pub(super) fn invite<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    add: bool,
) -> Read {
    cursor.eat(&["also"]);
    let who = people::list(cursor, Place::Sure);
    if who.is_empty() {
        return Err(parse.words(cursor));
    }
    if !cursor.eat_any(phrases!("to attend | to join | to | in | on | from | for")) {
        // "…and invite Ana": a guest of the event that is being made.
        if let Some(last) = parse
            .requests
            .last_mut()
            .filter(|last| last.act == Act::CreateEvent)
        {
            last.vals.people.extend(who);
            return Ok(());
        }
        if !filler::only_closers(cursor) {
            return Err(parse.words(cursor));
        }
        let mut request = Request::new(
            Act::AddPeople,
            Sel {
                pron: Some(super::model::Pron::That),
                ..Sel::of(Noun::Event)
            },
        );
        request.vals.people = who;
        parse.push(request);
        return Ok(());
    }
    let mut creates = *cursor;
    if add && creates.eat(&["a", "an", "a new"]) {
        let before = parse.requests.len();
        super::create::create(parse, cursor, Verb::Book)?;
        if let Some(made) = parse.requests.get_mut(before) {
            made.vals.people.extend(who);
        }
        return Ok(());
    }
    let sel = target(parse, cursor, Some(Noun::Event), Rules::default())?;
    let mut request = Request::new(
        if add {
            Act::AddPeople
        } else {
            Act::RemovePeople
        },
        sel,
    );
    request.vals.people = who;
    parse.push(request);
    Ok(())
}

/// "Add Bob to the budget meeting", read before anything new is made.
pub(super) fn add_guest<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    let who = people::list(&mut ahead, Place::Sure);
    if who.is_empty()
        || who.iter().any(|who| matches!(who, Who::Me | Who::Group(_)))
        || !ahead.eat(&[
            "to",
            "as a guest to",
            "as an attendee to",
            "as a participant to",
        ])
    {
        return false;
    }
    let Some(sel) = phrase(&mut ahead, None, Rules::default()) else {
        return false;
    };
    let mut sel = sel;
    if sel.noun.is_none() && sel.pron.is_some() {
        sel.noun = Some(Noun::Event);
    }
    let calendar = sel.det != Det::A
        && sel.noun == Some(Noun::Event)
        && (sel.is_narrowed() || sel.pron.is_some())
        && cursor.said.pieces[sel.span.clone()]
            .iter()
            .all(|piece| piece.base != "calendar");
    if !calendar {
        return false;
    }
    let mut request = Request::new(Act::AddPeople, sel);
    request.vals.people = who;
    parse.push(request);
    *cursor = ahead;
    true
}

/// Accept or decline.
pub(super) fn respond<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    response: &'static str,
) -> Read {
    let sel = target(parse, cursor, Some(Noun::Event), Rules::default())?;
    parse.push(Request::new(Act::Respond(response), sel));
    Ok(())
}

/// A verb whose object is all there is to say.
pub(super) fn simple<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    act: Act,
    noun: Noun,
) -> Read {
    let sel = target(parse, cursor, Some(noun), Rules::default())?;
    cursor.eat(&["as important", "as a favorite"]);
    parse.push(Request::new(act, sel));
    Ok(())
}

/// Complete, finish, check off.
pub(super) fn complete<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    let start = *cursor;
    let checks = cursor.at > 0 && cursor.said.pieces[cursor.at - 1].word == "check";
    let mut sel = target(parse, cursor, Some(Noun::Task), Rules::default())?;
    // "Check my calendar" looks, "check the milk task" ticks off.
    if checks && !matches!(sel.noun, Some(Noun::Task | Noun::Reminder)) {
        *cursor = start;
        return super::ask::show(parse, cursor, Verb::Show);
    }
    if !matches!(sel.noun, Some(Noun::Task | Noun::Reminder | Noun::Any)) && sel.pron.is_none() {
        return Err(parse.words(cursor));
    }
    if sel.noun == Some(Noun::Reminder) {
        sel.noun = Some(Noun::Task);
    }
    parse.push(Request::new(Act::Complete, sel));
    Ok(())
}

/// Mark … as something.
pub(super) fn mark<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    // The kind follows from what it is marked as; read that first, from the right.
    let ends = [
        "as done",
        "as complete",
        "as completed",
        "as finished",
        "done",
        "complete",
        "completed",
        "finished",
        "off",
    ];
    let as_task = (cursor.at..cursor.end).any(|at| {
        let mut here = *cursor;
        here.at = at;
        here.sees(&ends).is_some_and(|len| {
            here.at += len;
            filler::only_closers(&here)
        })
    });
    let default = if as_task { Noun::Task } else { Noun::Mail };
    let mut ahead = *cursor;
    if ahead.eat(&["as"]) {
        // "Mark as read all mails from Bob".
        let state = ahead;
        ahead.take(&STATES);
        if ahead.at > state.at {
            let sel = target(parse, &mut ahead, Some(default), Rules::default())?;
            let mut what = state;
            what.end = ahead.at;
            *cursor = ahead;
            return mark_as(parse, &mut what, sel);
        }
    }
    let sel = mark_target(parse, cursor, default, as_task)?;
    mark_as(parse, cursor, sel)
}

/// The object of "mark": everything up to "as …", so that no adjective is taken from it.
fn mark_target<'s, 'a>(
    parse: &Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    default: Noun,
    task: bool,
) -> Result<Sel, Unread> {
    let end = (cursor.at..cursor.end).rev().find(|at| {
        let word = cursor.said.pieces[*at].word.as_str();
        word == "as"
            || task
                && matches!(word, "done" | "complete" | "completed" | "finished" | "off")
                && cursor
                    .said
                    .pieces
                    .get(at.wrapping_sub(1))
                    .is_none_or(|before| before.word != "as")
    });
    let mut inner = *cursor;
    inner.end = end.unwrap_or(cursor.end);
    let sel = target(parse, &mut inner, Some(default), Rules::default())?;
    if end.is_some() && inner.at != inner.end {
        return Err(parse.words(&inner));
    }
    cursor.at = inner.at;
    Ok(sel)
}

fn mark_as<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>, mut sel: Sel) -> Read {
    cursor.eat(&["as", "to", "be"]);
    cursor.eat(&["being", "a"]);
    let act = if cursor.eat(&["unread", "not read", "new"]) {
        Act::MarkRead(false)
    } else if cursor.eat(&["read", "seen", "already read"]) {
        Act::MarkRead(true)
    } else if cursor.eat_any(phrases!("starred | important | a favorite | favorite | flagged")) && sel.noun == Some(Noun::Mail) {
        Act::Star(true)
    } else if cursor.eat(&["not starred", "unstarred", "not important", "unimportant"]) && sel.noun == Some(Noun::Mail) {
        Act::Star(false)
    } else if cursor.eat(&["spam", "junk"]) {
        Act::File("junk")
    } else if cursor.eat_any(phrases!("not done | incomplete | not complete | not completed | open | undone | unfinished | pending | \
        not finished")) {
        Act::Reopen
    } else if cursor.eat_any(phrases!("done | complete | completed | finished | off | closed")) {
        Act::Complete
    } else if matches!(sel.noun, Some(Noun::Task | Noun::Reminder)) {
        return priority(parse, cursor, sel);
    } else if sel.noun == Some(Noun::Mail) && sel.pron.is_none() && sel.title.is_some() && cursor.sees(&["urgent", "high", "low", "important"]).is_some() {
        sel.noun = Some(Noun::Task);
        return priority(parse, cursor, sel);
    } else {
        return Err(parse.words(cursor));
    };
    if matches!(act, Act::Complete | Act::Reopen) && !matches!(sel.noun, Some(Noun::Task)) {
        sel.noun = Some(Noun::Task);
    }
    parse.push(Request::new(act, sel));
    Ok(())
}

fn priority<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>, mut sel: Sel) -> Read {
    cursor.eat(&["to be", "to", "as", "be"]);
    cursor.eat(&["a", "the"]);
    let priority = if cursor.eat_any(phrases!(
        "high priority | high | urgent | important | top priority | highest | the highest | top | \
        critical"
    )) {
        State::High
    } else if cursor.eat_any(phrases!(
        "low priority | low | lowest | unimportant | not urgent"
    )) {
        State::Low
    } else if cursor.eat_any(phrases!(
        "medium priority | normal priority | medium | normal | regular"
    )) {
        State::Medium
    } else {
        return Err(parse.words(cursor));
    };
    cursor.eat(&["priority", "task"]);
    sel.noun = Some(Noun::Task);
    let mut request = Request::new(Act::SetPriority, sel);
    request.vals.priority = Some(priority);
    parse.push(request);
    Ok(())
}

/// "Prioritise the tax task".
pub(super) fn prioritise<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    let sel = target(parse, cursor, Some(Noun::Task), Rules::default())?;
    let mut request = Request::new(Act::SetPriority, sel);
    request.vals.priority = Some(State::High);
    parse.push(request);
    Ok(())
}

/// "Label emails from Bob as travel", "tag it with travel".
pub(super) fn label<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    let sel = target(
        parse,
        cursor,
        Some(Noun::Mail),
        Rules {
            with_is_value: true,
            ..Rules::default()
        },
    )?;
    cursor.eat_any(phrases!("as | with | with the label | with the tag | :"));
    let Some(words) = rest(cursor) else {
        return Err(missing("label"));
    };
    let mut request = Request::new(Act::Label, sel);
    request.vals.details = vec![words.text];
    parse.push(request);
    Ok(())
}
