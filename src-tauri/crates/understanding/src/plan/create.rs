//! Requests that make something new: events, tasks, reminders.

use super::destination::{destination, put};
use super::parts::{front, head, parts, run};
use super::table::phrases;
use super::task::{task_after, task_parts, task_text};
use super::{contact, todo};

use super::change::{add_guest, missing};
use super::clause::{Parse, Read, Unread, Why};
use super::cursor::Cursor;
use super::lexicon::{Noun, Use, Verb};
use super::model::{Act, Request, Sel, Value, Who, Words};
use super::people::{self, Place};
use super::said::Form;
use super::shift::free_slot;
use super::{keep, mail, noun, shift};

/// Parts of one new thing.
pub(super) const PARTS_MAX: usize = 24;

/// Add, create, schedule, book.
pub(super) fn create<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    verb: Verb,
) -> Read {
    if verb == Verb::Create
        && (todo::several(parse, cursor)
            || super::mark::put_label(parse, cursor)
            || super::change::put_on(parse, cursor)
            || super::further::deadline(parse, cursor)
            || add_guest(parse, cursor))
    {
        return Ok(());
    }
    if let Some(read) = super::task::from_thing(parse, cursor) {
        return read;
    }
    let begins = cursor
        .at
        .checked_sub(1)
        .and_then(|at| parse.said.pieces.get(at))
        .is_some_and(|verb| verb.base == "start");
    if begins && shift::starts(parse, cursor) {
        return Ok(());
    }
    // "Put me down for the blood drive on 2 April at 14:30".
    if !cursor.eat(&[
        "me down for",
        "myself down for",
        "us down for",
        "me in for",
        "us in for",
    ]) {
        cursor.eat(&["me", "myself", "down", "in"]);
    }
    if let Some(read) = filed(parse, cursor, verb) {
        return read;
    }
    if verb == Verb::Create && super::destination::leading(parse, cursor) {
        return Ok(());
    }
    if let Some((end, kind, after)) = destination(cursor) {
        return put(parse, cursor, end, kind, after);
    }
    // "Add John Smith (john@smith.org) as a contact".
    if verb == Verb::Create && as_contact(cursor) {
        return contact::contact_of(parse, cursor);
    }
    let mut request = Request::new(Act::CreateEvent, Sel::default());
    if verb == Verb::Meet {
        return meet(parse, cursor, request);
    }
    // "Book Tom for half an hour on Monday".
    let mut booked = *cursor;
    if verb == Verb::Book
        && matches!(
            people::list(&mut booked, Place::Known).as_slice(),
            [Who::Named { known: true, .. } | Who::Address(_), ..]
        )
        && (booked.sees_time().is_some() || booked.word(0) == "for")
    {
        return meet(parse, cursor, request);
    }
    let start = cursor.at;
    front(cursor, &mut request);
    let slot_at = cursor.at;
    if free_slot(cursor) {
        request.vals.free_slot = true;
        let length = (slot_at..cursor.at).find_map(|at| match parse.said.pieces[at].form {
            Form::Time(index) => match &parse.said.times.get(index)?.value {
                crate::time::Value::Duration(length) => noun::minutes(length.seconds),
                _ => None,
            },
            _ => None,
        });
        request.vals.minutes = length
            .or_else(|| super::free::hour(cursor, slot_at..cursor.at))
            .or(request.vals.minutes);
        cursor.eat(&["for"]);
        front(cursor, &mut request);
    }
    // "Book 30 minutes right after my call with Kim".
    if request.vals.minutes.is_some()
        && request.vals.times.is_empty()
        && let Some(beside) = super::beside::read(cursor, true)
    {
        request.vals.beside = Some(beside);
        cursor.eat(&["for", "to"]);
    }
    // "Find the first free hour tomorrow and book it for paperwork".
    let mut found = *cursor;
    if let Some(free) = parse.requests.last().filter(|last| last.act == Act::Free)
        && found.eat(&[
            "it",
            "that",
            "that one",
            "that slot",
            "the first one",
            "the first",
        ])
        && found.eat(&["for", "as"])
    {
        request.vals.free_slot = true;
        request.vals.times.clone_from(&free.sel.when);
        request.vals.minutes = request.vals.minutes.or(free.vals.minutes);
        *cursor = found;
        front(cursor, &mut request);
    }
    let quoted = cursor.quote();
    // "Add 'Sharpen knives' as a low priority task".
    if let Some(words) = quoted.clone()
        && let Some((noun, priority, at)) = as_kind(cursor)
    {
        cursor.at = at;
        let mut request = Request::new(Act::CreateTask, Sel::of(Noun::Task));
        request.vals.title = Some(Value::Words(words));
        request.vals.priority = priority;
        request.vals.reminder = noun == Noun::Reminder;
        super::task::task_parts(parse, cursor, &mut request)?;
        parse.push(request);
        return Ok(());
    }
    let run = run(cursor);
    let head = run
        .as_ref()
        .and_then(|run| head(cursor, run))
        .map(|found| of_condition(parse, cursor, found));
    // "If I have no tasks tomorrow, add one called …": no event.
    let of_other_kind = parse
        .cond
        .and_then(|(index, _)| parse.conds.get(index))
        .is_some_and(|cond| matches!(cond.sel.noun, Some(Noun::Task | Noun::Note)));
    if of_other_kind && head.is_none() && quoted.is_none() && run.is_none() {
        return Err(parse.words(cursor));
    }
    // "Three meetings": which of them is when was not said.
    if let (Some((Noun::Event, _, at, len)), Some(run)) = (head, &run)
        && let Some(first) = parse.said.pieces.get(run.start)
        && super::compared::number_word(&first.word).is_some_and(|n| n > 1)
        && parse
            .said
            .pieces
            .get(at + len - 1)
            .is_some_and(|noun| noun.word != noun.base)
    {
        return Err(Unread {
            span: parse.said.span(run),
            why: Why::CanNot(
                "Please ask for one event at a time, each with its day and time.".to_owned(),
            ),
        });
    }
    match head.map(|(noun, ..)| noun) {
        Some(Noun::Task | Noun::Reminder) if quoted.is_none() => {
            let (noun, _, at, len) = head.unwrap_or((Noun::Task, Use::Plain, cursor.at, 0));
            return task_after(parse, cursor, request, noun, run, at, len);
        }
        Some(Noun::Note) if verb != Verb::Book => {
            cursor.at = start;
            return keep::note(parse, cursor, Verb::Create);
        }
        Some(Noun::Mail) if verb == Verb::Book => {
            return Err(Unread {
                span: parse.said.span(&(start..cursor.end)),
                why: Why::CanNot(
                    "Mail cannot be sent at a later time by itself. Adjutant can draft it now, and remind you to send it."
                        .to_owned(),
                ),
            });
        }
        Some(Noun::Mail) => {
            cursor.at = start;
            return mail::send(parse, cursor, Verb::Draft);
        }
        Some(Noun::Contact) => {
            cursor.at = start;
            return contact::contact(parse, cursor);
        }
        Some(Noun::File) => {
            return Err(Unread {
                span: parse.said.span(&(start..cursor.end)),
                why: Why::CanNot(
                    "Adjutant reads files and does not write them; it can make a note instead."
                        .to_owned(),
                ),
            });
        }
        _ => {}
    }
    if let Some(words) = quoted {
        request.vals.title = Some(Value::Words(words));
        if let Some((_, _, at, len)) = head {
            cursor.at = at + len;
        }
    } else if let Some(run) = run.clone() {
        let plain = head.is_some_and(|(_, used, at, len)| {
            used == Use::Plain && at == run.start && at + len == run.end
        });
        let joined = cursor.words(run.clone());
        cursor.at = run.end;
        if let Some((noun, used, at, len)) = head {
            request.sel.noun = Some(noun);
            request.sel.title = (!plain).then(|| joined.clone()).flatten();
            // "An event lunch with Ana": the noun only announces the title.
            if used == Use::Plain && at == run.start && at + len < run.end {
                request.sel.title = cursor.words(at + len..run.end);
            }
            if plain {
                // "An event 'Launch' on …".
                match cursor.quote() {
                    Some(words) => request.vals.title = Some(Value::Words(words)),
                    None => request.sel.about = cursor.words(run),
                }
            }
        } else {
            request.sel.title = joined;
        }
    }
    parts(parse, cursor, &mut request)?;
    // "With everyone from the review tomorrow at 4": when it is, not which review.
    if request.vals.times.is_empty()
        && !request.vals.free_slot
        && let [Who::GuestsOf(sel)] = request.vals.people.as_mut_slice()
    {
        request.vals.times.append(&mut sel.when);
    }
    let clock = request.vals.times.iter().any(|index| {
        parse.said.times.get(*index).is_some_and(|found| {
            found.clock.is_some()
                || found.has_day
                || matches!(found.value, crate::time::Value::Set { .. })
        })
    }) || request.vals.all_day
        || request.vals.beside.is_some();
    // "Block Bob" makes no event.
    let person = request.vals.times.is_empty()
        && !request.vals.free_slot
        && head.is_none()
        && request.vals.title.is_none()
        && people::one(
            &mut Cursor {
                at: start,
                ..*cursor
            },
            Place::Known,
        )
        .is_some();
    if person {
        return Err(parse.words(&Cursor {
            at: start,
            ..*cursor
        }));
    }
    let kind = head
        .map(|(noun, ..)| noun)
        .filter(|noun| *noun != Noun::Any);
    if kind.is_none()
        && verb == Verb::Create
        && !(clock || request.vals.title.is_some() && !request.vals.people.is_empty())
    {
        // "Add buy milk": a task where the message is about tasks, else a question would be a guess.
        cursor.at = start;
        if request.sel.title.is_none()
            || !matches!(parse.domains, [adjutant_domain::route::Domain::Task])
        {
            return Err(missing("kind"));
        }
        return task_text(
            parse,
            cursor,
            Request::new(Act::CreateTask, Sel::of(Noun::Task)),
        );
    }
    // "If I'm free on Friday at 2, schedule 45 minutes with Dave": then.
    let then = parse
        .cond
        .and_then(|(index, yes)| parse.conds.get(index).filter(|cond| yes && !cond.negated))
        .is_some_and(|cond| matches!(cond.test, super::model::Test::Free(true)))
        && request.vals.minutes.is_some()
        && !request.vals.people.is_empty();
    if !then
        && request.sel.title.is_none()
        && request.sel.about.is_none()
        && request.vals.title.is_none()
        && kind.is_none()
        && request.vals.times.is_empty()
        && request.vals.beside.is_none()
        && !request.vals.free_slot
    {
        return Err(parse.words(cursor));
    }
    parse.push(request);
    Ok(())
}

/// "Put all of Will's mails in the archive": what is there already, and where it goes.
fn filed<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    verb: Verb,
) -> Option<Read> {
    let put = cursor
        .at
        .checked_sub(1)
        .and_then(|at| parse.said.pieces.get(at))
        .is_some_and(|piece| matches!(piece.word.as_str(), "put" | "stick"));
    let at = (cursor.at + 1..cursor.end)
        .find(|at| {
            let mut here = Cursor { at: *at, ..*cursor };
            here.eat(&["in", "into", "to"]) && {
                here.eat(&["the", "my"]);
                here.sees(&["archive", "trash", "bin", "junk", "spam", "inbox"])
                    .is_some()
            }
        })
        .filter(|_| put && verb == Verb::Create)?;
    let mut inner = Cursor { end: at, ..*cursor };
    let sel = noun::phrase(&mut inner, Some(Noun::Mail), noun::Rules::default()).filter(|sel| {
        sel.noun == Some(Noun::Mail) && inner.at == at && sel.det != super::model::Det::A
    })?;
    cursor.at = at;
    let before = parse.requests.len();
    let read = shift::move_mail(parse, cursor, sel);
    if let Some(made) = parse.requests.get_mut(before) {
        cursor.eat(&["folder"]);
        super::except::except(cursor, &mut made.sel);
    }
    Some(read)
}

/// "… as a (low priority) task", behind a quoted name: the kind, the priority, and where that ends.
fn as_kind(cursor: &Cursor<'_, '_>) -> Option<(Noun, Option<super::lexicon::State>, usize)> {
    use super::lexicon::State;
    let mut ahead = *cursor;
    (ahead.eat(&["as"]) && ahead.eat(&["a new", "a", "an", "my"])).then_some(())?;
    let mut priority = None;
    while let Some((state @ (State::High | State::Low | State::Medium), len)) =
        ahead.sees_in(&super::lexicon::STATES)
    {
        priority = Some(state);
        ahead.at += len;
    }
    let (noun, _) = ahead.take(&super::lexicon::NOUNS)?;
    matches!(noun, Noun::Task | Noun::Reminder).then_some((noun, priority, ahead.at))
}

/// "… as a (new) contact", behind a name.
fn as_contact(cursor: &Cursor<'_, '_>) -> bool {
    cursor.is_content(0)
        && (cursor.at + 1..cursor.end).any(|at| {
            Cursor { at, ..*cursor }
                .sees(&["as a contact", "as a new contact", "as contact"])
                .is_some()
        })
}

/// "If I have no task for tomorrow, add one": of the kind that the condition is about.
fn of_condition(
    parse: &Parse<'_, '_>,
    cursor: &Cursor<'_, '_>,
    (noun, used, at, len): (Noun, Use, usize, usize),
) -> (Noun, Use, usize, usize) {
    let kind = parse
        .cond
        .and_then(|(index, _)| parse.conds.get(index))
        .and_then(|cond| cond.sel.noun)
        .filter(|kind| matches!(kind, Noun::Task | Noun::Event | Noun::Note));
    let one =
        noun == Noun::Any && matches!(cursor.said.pieces[at].word.as_str(), "one" | "another");
    match kind {
        Some(kind) if one => (kind, used, at, len),
        _ => (noun, used, at, len),
    }
}

/// "Meet Ana tomorrow at 3".
pub(super) fn meet<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    mut request: Request,
) -> Read {
    request.vals.people = people::list(cursor, Place::Sure);
    if request.vals.people.is_empty() {
        return Err(parse.words(cursor));
    }
    request.sel.noun = Some(Noun::Event);
    request.sel.about = Some(Words {
        text: "Meeting".to_owned(),
        span: None,
        quoted: false,
    });
    parts(parse, cursor, &mut request)?;
    if request.vals.times.is_empty() && !request.vals.free_slot {
        return Err(parse.words(cursor));
    }
    parse.push(request);
    Ok(())
}

/// Who comes to the event made last, and what else is said about it; whether that was all and said when it is.
pub(super) fn rest_of<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    guests: Vec<Who>,
) -> bool {
    let Some(mut request) = parse.requests.pop() else {
        return false;
    };
    request.vals.people = guests;
    let read = parts(parse, cursor, &mut request).is_ok();
    let timed = !request.vals.times.is_empty();
    parse.requests.push(request);
    read && timed && (cursor.is_done() || super::filler::only_closers(cursor))
}

/// "Make it 30 minutes", "invite Ana", "set it for 3pm": more about the thing just made.
pub(super) fn more<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
) -> Result<bool, Unread> {
    let mut ahead = *cursor;
    if !ahead.eat_any(phrases!("make it | set it for | set it to | set it | it should be | it should last for | \
        it should last | it will last | it is | put it | have it | it starts | it should start | \
        it lasts | it will be | let it be | make that | it needs to be | schedule it for | \
        schedule it | it has to be | the meeting should be | the meeting should last | \
        the duration is | the duration should be | the location is | invite | and invite | due | for | \
        with | at")) {
        return Ok(false);
    }
    let Some(mut request) = parse.requests.pop() else {
        return Ok(false);
    };
    if matches!(cursor.word(0), "invite" | "and" | "with") {
        ahead.at = cursor.at;
    }
    let before = ahead.at;
    let read = match request.act {
        Act::CreateTask => task_parts(parse, &mut ahead, &mut request),
        _ => parts(parse, &mut ahead, &mut request),
    };
    parse.requests.push(request);
    read?;
    if ahead.at == before {
        return Ok(false);
    }
    *cursor = ahead;
    Ok(true)
}
