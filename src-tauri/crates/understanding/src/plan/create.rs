//! Requests that make something new: events, tasks, reminders.

use super::table::phrases;
use std::ops::Range;

use super::after;
use super::change::{self, add_guest, free_slot, missing};
use super::clause::{Parse, Read, Unread, Why};
use super::cursor::Cursor;
use super::filler;
use super::lexicon::{ABOUT, NOUNS, Noun, STATES, State, TITLED, Use, Verb};
use super::model::{Act, Request, Sel, Value, Who, Words};
use super::noun::{self, command_at};
use super::people::{self, Place};
use super::said::Form;
use super::{keep, mail};
use crate::time::{Grain, Relation, Value as Time};

/// Parts of one new thing.
const PARTS_MAX: usize = 24;

/// Where new things go; says what they are.
const CALENDARS: &[&str] = &[
    "my calendar",
    "the calendar",
    "calendar",
    "my schedule",
    "my diary",
    "my agenda",
    "our calendar",
    "my planner",
    "the schedule",
    "the agenda",
    "my work calendar",
    "my personal calendar",
];
const LISTS: &[&str] = &[
    "my to do list",
    "my task list",
    "my tasks",
    "my list",
    "the to do list",
    "my to do",
    "my list of tasks",
    "the task list",
    "my tasks list",
    "to do list",
    "the list",
    "my to dos",
    "to do",
    "task list",
    "tasks",
    "my reminders",
    "my to do s",
    "my list of things to do",
    "my checklist",
];

/// Add, create, schedule, book.
pub(super) fn create<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    verb: Verb,
) -> Read {
    if verb == Verb::Create && add_guest(parse, cursor) {
        return Ok(());
    }
    cursor.eat(&["me", "myself", "down", "in"]);
    if let Some((end, kind, after)) = destination(cursor) {
        return put(parse, cursor, end, kind, after);
    }
    let mut request = Request::new(Act::CreateEvent, Sel::default());
    if verb == Verb::Meet {
        return meet(parse, cursor, request);
    }
    let start = cursor.at;
    front(cursor, &mut request);
    if free_slot(cursor) {
        request.vals.free_slot = true;
    }
    let quoted = cursor.quote();
    let run = run(cursor);
    let head = run.as_ref().and_then(|run| head(cursor, run));
    match head.map(|(noun, ..)| noun) {
        Some(Noun::Task | Noun::Reminder) if quoted.is_none() => {
            let (noun, _, at, len) = head.unwrap_or((Noun::Task, Use::Plain, cursor.at, 0));
            return task_after(parse, cursor, request, noun, run, at, len);
        }
        Some(Noun::Note) => {
            cursor.at = start;
            return keep::note(parse, cursor, Verb::Create);
        }
        Some(Noun::Mail) => {
            cursor.at = start;
            return mail::send(parse, cursor, Verb::Draft);
        }
        Some(Noun::Contact) => {
            cursor.at = start;
            return keep::contact(parse, cursor);
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
                request.sel.about = cursor.words(run);
            }
        } else {
            request.sel.title = joined;
        }
    }
    parts(parse, cursor, &mut request)?;
    let clock = request.vals.times.iter().any(|index| {
        parse
            .said
            .times
            .get(*index)
            .is_some_and(|found| found.clock.is_some() || found.has_day)
    });
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
    if request.sel.title.is_none()
        && request.sel.about.is_none()
        && request.vals.title.is_none()
        && kind.is_none()
        && request.vals.times.is_empty()
        && !request.vals.free_slot
    {
        return Err(parse.words(cursor));
    }
    parse.push(request);
    Ok(())
}

/// Articles, lengths, times and adjectives before the noun of something new.
fn front(cursor: &mut Cursor<'_, '_>, request: &mut Request) {
    for _ in 0..PARTS_MAX {
        if cursor.eat_any(phrases!(
            "a | an | the | another | new | my | some | quick | short | brief | one"
        )) {
            continue;
        }
        if let Some((index, len)) = cursor.sees_time()
            && len == 1
            && let Some(found) = cursor.said.times.get(index)
        {
            let whole = cursor
                .said
                .source
                .get(found.span.clone())
                .is_some_and(|text| {
                    matches!(
                        text.to_lowercase().replace('-', " ").as_str(),
                        "all day" | "full day" | "whole day"
                    )
                });
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
fn run(cursor: &Cursor<'_, '_>) -> Option<Range<usize>> {
    let mut end = cursor.at;
    while end < cursor.end {
        let piece = &cursor.said.pieces[end];
        let ahead = end - cursor.at;
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
            Form::Mark => {
                matches!(piece.word.as_str(), "&" | "-" | "/" | "+")
                    && ahead > 0
                    && cursor.is_content(ahead + 1)
            }
            Form::Time(index) => {
                let namelike = cursor.said.times.get(index).is_some_and(|found| {
                    matches!(found.value, Time::Set { .. })
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

fn head(cursor: &Cursor<'_, '_>, run: &Range<usize>) -> Option<(Noun, Use, usize, usize)> {
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

/// "… to my list", "… on my calendar": where the words before it end, what kind it is, where it ends.
fn destination(cursor: &Cursor<'_, '_>) -> Option<(usize, Noun, usize)> {
    let mut found = None;
    for at in cursor.at..cursor.end {
        let mut here = *cursor;
        here.at = at;
        if here.peek(0).is_some_and(|piece| piece.form != Form::Word)
            || !here.eat_any(phrases!("to | on | onto | in | into"))
        {
            continue;
        }
        for (phrases, kind) in [
            (CALENDARS, Noun::Event),
            (LISTS, Noun::Task),
            (&["my notes", "the notes"][..], Noun::Note),
            (
                &[
                    "my contacts",
                    "my address book",
                    "contacts",
                    "the address book",
                ][..],
                Noun::Contact,
            ),
        ] {
            let mut place = here;
            if place.eat(phrases) && !place.is_content(0) {
                found = Some((at, kind, place.at));
            }
        }
        // "My shopping list": a note of that name.
        let mut named = here;
        if named.eat(&["my", "the", "our"]) {
            let start = named.at;
            while named.is_content(0) && named.at - start < 4 && named.word(0) != "list" {
                named.at += 1;
            }
            if named.at > start
                && named.eat(&["list"])
                && found.is_none_or(|(place, ..)| place != at)
            {
                found = Some((at, Noun::Memory, named.at));
            }
        }
    }
    found
}

/// "Add X to my list": what X is follows from where it goes.
fn put<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    end: usize,
    kind: Noun,
    after: usize,
) -> Read {
    let mut inner = *cursor;
    inner.end = end;
    match kind {
        Noun::Event
            if matches!(inner.word(0), "it" | "that" | "this") && inner.at + 1 == inner.end =>
        {
            cursor.at = after;
            return spoken_of(parse, cursor);
        }
        Noun::Event => {
            let mut request = Request::new(Act::CreateEvent, Sel::default());
            front(&mut inner, &mut request);
            if let Some(words) = inner.quote() {
                request.vals.title = Some(Value::Words(words));
            } else if let Some(run) = run(&inner) {
                let head = head(&inner, &run);
                let words = inner.words(run.clone());
                let plain = head.is_some_and(|(noun, used, at, len)| {
                    noun == Noun::Event
                        && used == Use::Plain
                        && at == run.start
                        && at + len == run.end
                });
                if plain {
                    request.sel.about = words;
                } else {
                    request.sel.title = words;
                }
                inner.at = run.end;
            }
            parts(parse, &mut inner, &mut request)?;
            if !inner.is_done() && !filler::only_closers(&inner) {
                // The rest belongs to the title: "pick up the kids from school".
                if request.vals.times.is_empty() && request.vals.people.is_empty() {
                    request.sel.title = cursor.words(cursor.at..end);
                } else {
                    return Err(parse.words(&inner));
                }
            }
            cursor.at = after;
            parts(parse, cursor, &mut request)?;
            parse.push(request);
        }
        Noun::Task => {
            let mut request = Request::new(Act::CreateTask, Sel::of(Noun::Task));
            inner.eat_any(phrases!(
                "a task to | a task | an item to | an item | task | a reminder to | the task"
            ));
            let said = inner.at..end;
            task_title(&mut inner, &mut request, said);
            cursor.at = after;
            task_parts(parse, cursor, &mut request)?;
            parse.push(request);
        }
        Noun::Contact => {
            cursor.at = after;
            keep::contact_of(parse, &mut inner)?;
        }
        _ => {
            cursor.at = after;
            let mut request = Request::new(Act::AppendNote, Sel::of(Noun::Note));
            request.vals.body = change::rest(&mut inner);
            if kind == Noun::Memory {
                let name_start = (end..after)
                    .find(|at| matches!(parse.said.pieces[*at].word.as_str(), "my" | "the" | "our"))
                    .map_or(end, |at| at + 1);
                request.sel.title = cursor.words(name_start..after);
            } else {
                request.act = Act::CreateNote;
            }
            parse.push(request);
        }
    }
    Ok(())
}

/// "I have a dentist appointment on Friday at 9, add it to my calendar": what was said to be is made.
fn spoken_of<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    use super::model::Ask;
    let told = matches!(
        parse.requests.last().map(|last| (last.act, last.sel.noun)),
        Some((Act::Query(Ask::Any | Ask::List), Some(Noun::Event)))
    );
    let Some(before) = parse.requests.pop_if(|_| told) else {
        return Err(missing("referent"));
    };
    let mut request = Request::new(Act::CreateEvent, Sel::of(Noun::Event));
    let named = before.sel.span.start
        ..before
            .sel
            .span
            .clone()
            .find(|at| {
                let piece = &parse.said.pieces[*at];
                piece.leads.is_some()
                    || matches!(piece.form, Form::Time(_))
                    || matches!(piece.word.as_str(), "with" | "at" | "in")
            })
            .unwrap_or(before.sel.span.end);
    let skip = usize::from(matches!(
        parse
            .said
            .pieces
            .get(named.start)
            .map(|piece| piece.word.as_str()),
        Some("a" | "an" | "the" | "my")
    ));
    request.sel.title = cursor.words(named.start + skip..named.end);
    request.vals.times = before.sel.when;
    request.vals.people = before
        .sel
        .with
        .into_iter()
        .filter(|who| matches!(who, Who::Named { known: true, .. } | Who::Address(_)))
        .collect();
    request.vals.place = before.sel.place;
    parts(parse, cursor, &mut request)?;
    parse.push(request);
    Ok(())
}

/// "Meet Ana tomorrow at 3".
fn meet<'s, 'a>(
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

/// Everything that may follow a new event.
pub(super) fn parts<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    request: &mut Request,
) -> Read {
    for _ in 0..PARTS_MAX {
        if cursor.is_done() || !part(parse, cursor, request) {
            let mut ahead = *cursor;
            if ahead.eat(&[", and", ",", "and", "-"])
                && !command_at(cursor, ahead.at - cursor.at)
                && part(parse, &mut ahead, request)
            {
                *cursor = ahead;
                continue;
            }
            return Ok(());
        }
    }
    Ok(())
}

fn part<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    request: &mut Request,
) -> bool {
    let start = *cursor;
    let vals = &mut request.vals;
    if free_slot(cursor) {
        vals.free_slot = true;
        return true;
    }
    if cursor.eat_any(phrases!(
        "to my calendar | on my calendar | in my calendar | to the calendar | on the calendar | \
        into my calendar | in the calendar | on my schedule | to my schedule | as an event | in | \
        that is | which is | starting | beginning | that starts | to start | scheduled | set | \
        taking place | to take place | that lasts | lasting | which lasts | to last | \
        with a duration of | that will last | of | it should last | long | that will be | to be | \
        happening | for a duration of | which should last | that should last | with a length of | \
        that begins | around | sometime"
    )) {
        if cursor.sees_time().is_some()
            || cursor.at - start.at > 2 && matches!(start.word(1), "my" | "the" | "an")
            || start.word(0) == "long"
        {
            return true;
        }
        *cursor = start;
    }
    if let Some((index, len)) = cursor.sees_time()
        && let Some(found) = cursor.said.times.get(index)
    {
        cursor.at += len;
        cursor.eat(&["long", "in length"]);
        match (&found.value, found.relation) {
            (Time::Duration(length), _) => {
                if let Some(minutes) = noun::minutes(length.seconds) {
                    vals.minutes = Some(minutes);
                }
            }
            (_, Relation::Until) if !vals.times.is_empty() => vals.until = Some(index),
            (_, Relation::To) if !vals.times.is_empty() => vals.until = Some(index),
            _ => vals.times.push(index),
        }
        return true;
    }
    if cursor.eat_any(phrases!(
        "all day | for the whole day | the whole day | as an all day event | for the entire day"
    )) {
        vals.all_day = true;
        return true;
    }
    if cursor.eat(TITLED) {
        cursor.skip_marks();
        if let Some(words) = after::text(cursor, &["with", "at"]) {
            vals.title = Some(Value::Words(words));
            return true;
        }
        *cursor = start;
    }
    if cursor.eat_any(phrases!("with the description | with description | with the notes | with the agenda | description | \
        with a description of | with the note | and the description")) {
        cursor.skip_marks();
        if let Some(words) = after::text(cursor, &[]) {
            vals.body = Some(words);
            return true;
        }
        *cursor = start;
    }
    if cursor.eat_any(phrases!("and invite | inviting | invite | and include | and add | with | between me and | between | \
        for me and | together with | including | alongside | and | also invite | for | against")) {
        let word = start.word(0);
        let place = if matches!(word, "for" | "and") { Place::Known } else { Place::Sure };
        let who = people::list(cursor, place);
        if !who.is_empty() {
            for one in who {
                match one {
                    Who::Me => {}
                    other => vals.people.push(other),
                }
            }
            return true;
        }
        *cursor = start;
    }
    if request.sel.label.is_none()
        && request.vals.title.is_none()
        && cursor.eat(&[":"])
        && let Some(words) = after::text(cursor, &[])
    {
        request.vals.title = Some(Value::Words(words));
        return true;
    }
    *cursor = start;
    if request
        .sel
        .about
        .as_ref()
        .is_none_or(|words| words.text.len() < 20)
        && request.vals.body.is_none()
        && (cursor.eat(ABOUT) || cursor.eat(&["for", "to"]))
        && let Some(words) = after::text(cursor, &["with", "at", "in"])
    {
        if start.word(0) == "to" && request.sel.about.is_none() && request.sel.title.is_none() {
            *cursor = start;
            return false;
        }
        // "A flight to Rome", "a trip to the lake".
        if start.word(0) == "to"
            && start.sees(ABOUT).is_none()
            && let Some(title) = request.sel.title.as_mut()
        {
            title.text = format!("{} to {}", title.text, words.text);
            return true;
        }
        request.sel.label = Some(words);
        return true;
    }
    *cursor = start;
    place(parse, cursor, request)
}

/// "At the office", "in room 4", "on Zoom".
fn place<'s, 'a>(
    _parse: &Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    request: &mut Request,
) -> bool {
    if request.vals.place.is_some() || cursor.peek(0).is_some_and(|piece| piece.leads.is_some()) {
        return false;
    }
    let start = *cursor;
    let online = cursor.eat(&["on", "over", "via", "using"]) && cursor.sees_any(phrases!("zoom | teams | google meet | skype | microsoft teams | slack | webex | phone | the phone | \
        facetime | meet | google hangouts | video | whatsapp")).is_some();
    if !online {
        *cursor = start;
        if !cursor.eat_any(phrases!(
            "at | in | located at | @ | location | with the location | held at | held in | to"
        )) || start.word(0) == "to"
            && !matches!(
                request
                    .sel
                    .title
                    .as_ref()
                    .map(|words| words.text.to_lowercase())
                    .as_deref(),
                Some("flight" | "trip" | "train")
            )
        {
            *cursor = start;
            return false;
        }
        cursor.skip_marks();
    }
    match after::text(cursor, &["with", "for", "and", "at", "on"]) {
        Some(words) => {
            request.vals.place = Some(words);
            true
        }
        None => {
            *cursor = start;
            false
        }
    }
}

/// A new task or reminder whose noun was said: "a task to …", "a reminder for …".
fn task_after<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    mut request: Request,
    noun: Noun,
    run: Option<Range<usize>>,
    at: usize,
    len: usize,
) -> Read {
    request.act = Act::CreateTask;
    request.sel = Sel::of(Noun::Task);
    request.vals.reminder = noun == Noun::Reminder;
    let before = run.as_ref().map_or(at..at, |run| run.start..at);
    cursor.at = at + len;
    if before.end > before.start {
        request.vals.title = cursor.words(before).map(Value::Words);
    }
    task_text(parse, cursor, request)
}

/// The text of a task and what else is said about it.
fn task_text<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    mut request: Request,
) -> Read {
    while let Some((index, len)) = cursor.sees_time() {
        if parse
            .said
            .times
            .get(index)
            .is_some_and(|found| matches!(found.value, Time::Duration(_)))
        {
            break;
        }
        request.vals.times.push(index);
        cursor.at += len;
        cursor.eat(&[","]);
    }
    loop {
        let before = cursor.at;
        cursor.skip_marks();
        cursor.eat_any(phrases!(
            "for me | on my list | to my list | to my to do list | in my to do list | for myself"
        ));
        while let Some((state, len)) = cursor.sees_in(&STATES).filter(|(state, len)| {
            matches!(state, State::High | State::Low | State::Medium) && !cursor.is_content(*len)
        }) {
            request.vals.priority = Some(state);
            cursor.at += len;
        }
        if cursor.at == before {
            break;
        }
    }
    if request.vals.title.is_none() {
        cursor.eat(TITLED);
        cursor.eat_any(phrases!(
            "to | that says | saying | that i need to | that i have to | about | for | that | of | \
        regarding | i need to | because i need to"
        ));
        cursor.skip_marks();
        let end = clause_end(cursor);
        let range = cursor.at..end;
        task_title(cursor, &mut request, range);
    }
    task_parts(parse, cursor, &mut request)?;
    parse.push(request);
    Ok(())
}

/// Where the words of a task end: at the next request, or at the end of the sentence.
pub(super) fn clause_end(cursor: &Cursor<'_, '_>) -> usize {
    for at in cursor.at..cursor.end {
        let mut here = *cursor;
        here.at = at;
        let joint = matches!(here.word(0), "and" | "then" | ",");
        if at > cursor.at && filler::only_closers(&here) {
            return at;
        }
        if joint && at > cursor.at {
            let mut next = here;
            next.eat_any(phrases!(
                ", and then | and then | and also | , and | , then | and | then | ,"
            ));
            if own_command(&next) {
                return at;
            }
        }
        if cursor.said.pieces[at].ends {
            return if cursor.said.pieces[at].form == Form::Mark {
                at
            } else {
                at + 1
            };
        }
    }
    cursor.end
}

/// A request of its own behind free words: only what clearly speaks to Adjutant.
pub(super) fn own_command(cursor: &Cursor<'_, '_>) -> bool {
    if !command_at(cursor, 0) {
        return false;
    }
    let mut verb = *cursor;
    let Some(verb_said) = verb.take(&super::lexicon::VERBS) else {
        return false;
    };
    let mut after = verb;
    after.eat_any(phrases!("a | an | the | my | all | our | all my | all the | both | every"));
    let given = verb.at < after.at || verb.sees_time().is_some();
    let noun = (after.at..after.end.min(after.at + 6))
        .any(|at| NOUNS.at(&after.said.pieces[..after.end], at).is_some());
    match verb_said {
        Verb::Remind => true,
        Verb::Cancel
        | Verb::Move
        | Verb::Delay
        | Verb::Book
        | Verb::Create
        | Verb::Delete
        | Verb::Rename
        | Verb::Archive
        | Verb::Complete
        | Verb::Mark
        | Verb::Show
        | Verb::Note => given && noun,
        _ => false,
    }
}

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
        timed.eat_any(phrases!("due by | due on | due | that is due | by | before | starting | deadline | with a deadline of | \
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
        let mut rank = inner;
        if rank.eat_any(phrases!("with high priority | as high priority | with top priority | high priority | urgent priority | \
        as urgent | priority high | marked as urgent | marked as high priority | with a high priority | \
        as important | as a high priority")) && rank.at >= range.end {
            request.vals.priority = Some(State::High);
        } else if rank.at == inner.at && rank.eat_any(phrases!("with low priority | as low priority | low priority | priority low | with a low priority")) && rank.at >= range.end {
            request.vals.priority = Some(State::Low);
        } else {
            inner.at += 1;
            continue;
        }
        if inner.at > from {
            kept.push(from..inner.at);
        }
        inner.at = range.end;
        from = range.end;
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
fn taken_out(cursor: &Cursor<'_, '_>, index: usize, len: usize, start: usize) -> bool {
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

fn task_parts<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    request: &mut Request,
) -> Read {
    for _ in 0..PARTS_MAX {
        let start = *cursor;
        cursor.eat(&[",", "and", "which is", "that is"]);
        cursor.eat_any(phrases!("due by | due on | due | with a due date of | with a deadline of | with due date | for | by | \
        with the due date | and make it due | set for"));
        if let Some((index, len)) = cursor.sees_time() {
            cursor.at += len;
            request.vals.times.push(index);
            continue;
        }
        cursor.at = start.at;
        cursor.eat(&[",", "and"]);
        cursor.eat_any(phrases!(
            "with a | with | as a | as | make it | mark it as | at | it is | set the | set"
        ));
        if cursor.eat_any(phrases!("high priority | urgent | important | top priority | priority high | priority to high | \
        priority of high")) {
            request.vals.priority = Some(State::High);
            continue;
        }
        if cursor.eat(&["low priority", "priority low", "priority to low"]) {
            request.vals.priority = Some(State::Low);
            continue;
        }
        if cursor.eat(&["medium priority", "normal priority"]) {
            request.vals.priority = Some(State::Medium);
            continue;
        }
        cursor.at = start.at;
        if cursor.eat(&["and remind me", "remind me"]) {
            request.vals.reminder = true;
            continue;
        }
        if cursor.eat_any(phrases!("with the notes | with the note | with notes | notes | with the description | with description")) {
            cursor.skip_marks();
            if let Some(words) = after::text(cursor, &[]) {
                request.vals.body = Some(words);
                continue;
            }
        }
        cursor.at = start.at;
        return Ok(());
    }
    let _ = parse;
    Ok(())
}

/// Remind me …
pub(super) fn remind<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    let mut other = *cursor;
    if people::one(&mut other, Place::Maybe).is_some_and(|who| who != Who::Me)
        && other.sees(&["to", "about", "that", "of"]).is_some()
    {
        return mail::send(parse, cursor, Verb::Tell);
    }
    let verb = cursor.said.pieces[..cursor.at].iter().rev().take(4).map(|piece| piece.word.as_str());
    let rings = verb.clone().any(|word| word == "wake").then_some("Wake up").or_else(|| verb.clone().any(|word| word == "alarm").then_some("Alarm"));
    cursor.eat(&["me", "us", "up"]);
    cursor.eat(&["up"]);
    cursor.eat(&["please"]);
    let mut request = Request::new(Act::CreateTask, Sel::of(Noun::Task));
    request.vals.reminder = true;
    let before = parse.requests.len();
    task_text(parse, cursor, request)?;
    // "Wake me at 7" needs no further words.
    if let (Some(title), Some(made)) = (rings, parse.requests.get_mut(before))
        && made.vals.title.is_none()
    {
        made.vals.title = Some(Value::Words(Words { text: title.to_owned(), span: None, quoted: false }));
    }
    Ok(())
}

/// "Task: call mom", "todo buy milk": a noun and a colon instead of a verb.
pub(super) fn list_form<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
) -> Result<bool, Unread> {
    let mut ahead = *cursor;
    ahead.eat(&["new"]);
    let Some(((noun, _), len)) = ahead.sees_in(&NOUNS) else {
        return Ok(false);
    };
    ahead.at += len;
    let colon = ahead.eat(&[":", "-"]);
    if !colon
        && !(noun == Noun::Task
            && cursor.word(0) == "to"
            && cursor.word(1) == "do"
            && ahead.is_content(0)
            && !ahead.sees(&["list"]).is_some())
    {
        return Ok(false);
    }
    *cursor = ahead;
    match noun {
        Noun::Task | Noun::Reminder => {
            let mut request = Request::new(Act::CreateTask, Sel::of(Noun::Task));
            request.vals.reminder = noun == Noun::Reminder;
            task_text(parse, cursor, request)?;
        }
        Noun::Note => keep::note(parse, cursor, Verb::Note)?,
        _ => return Err(parse.words(cursor)),
    }
    Ok(true)
}

/// "I need to call mom tomorrow": something to do, where nothing here can do it.
pub(super) fn duty<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    let mut request = Request::new(Act::CreateTask, Sel::of(Noun::Task));
    let end = clause_end(cursor);
    let range = cursor.at..end;
    task_title(cursor, &mut request, range);
    if request.vals.title.is_none()
        || request.vals.times.is_empty()
            && !matches!(parse.domains, [adjutant_domain::route::Domain::Task])
    {
        return Err(parse.words(cursor));
    }
    parse.push(request);
    Ok(())
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
