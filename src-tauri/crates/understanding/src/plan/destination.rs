//! Where something new goes, which says what it is: "add X to my list", "put it in my calendar".

use super::change::{self, missing};
use super::clause::{Parse, Read};
use super::cursor::Cursor;
use super::lexicon::{Noun, Use};
use super::model::{Act, Request, Sel, Value, Who};
use super::parts::{front, head, parts, run};
use super::said::Form;
use super::table::phrases;
use super::task::{task_parts, task_title};
use super::{contact, filler, noun};

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

/// "… to my list", "… on my calendar": where the words before it end, what kind it is, where it ends.
pub(super) fn destination(cursor: &Cursor<'_, '_>) -> Option<(usize, Noun, usize)> {
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
        // "On tomorrow's list".
        let mut dated = here;
        if let Some((_, 1)) = dated.sees_time() {
            dated.at += 1;
            dated.eat(&["'s", "s"]);
            if dated.eat(&[
                "list",
                "to do list",
                "tasks",
                "to dos",
                "task list",
                "todo list",
            ]) && !dated.is_content(0)
            {
                found = Some((at, Noun::Task, dated.at));
            }
        }
        // "To my packing note", "to the note Holiday".
        let mut noted = here;
        if noted.sees(&["my", "the", "our"]).is_some()
            && let Some(sel) = noun::phrase(&mut noted, Some(Noun::Note), noun::Rules::default())
            && sel.noun == Some(Noun::Note)
            && sel.said
            && !sel.plural
            && sel.is_narrowed()
            && filler::only_closers(&noted)
        {
            found = Some((at, Noun::Note, noted.at));
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
pub(super) fn put<'s, 'a>(
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
            if inner.is_done()
                || matches!(inner.word(0), "it" | "that" | "this") && inner.at + 1 == inner.end =>
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
            // "… to the calendar: 14 April, 9am to 1pm".
            let colon = cursor.word(0) == ":"
                && (cursor.peek(1).is_some_and(|next| {
                    next.leads.is_some() || matches!(next.form, Form::Time(_))
                }));
            cursor.at += usize::from(colon);
            parts(parse, cursor, &mut request)?;
            parse.push(request);
        }
        // "I need to buy stamps, add it to my list": that is what was just said.
        Noun::Task
            if matches!(inner.word(0), "it" | "that" | "this") && inner.at + 1 == inner.end =>
        {
            if !matches!(
                parse.requests.last().map(|last| last.act),
                Some(Act::CreateTask)
            ) {
                return Err(missing("referent"));
            }
            cursor.at = after;
        }
        Noun::Task => {
            let mut request = Request::new(Act::CreateTask, Sel::of(Noun::Task));
            inner.eat_any(phrases!(
                "a task to | a task | an item to | an item | task | a reminder to | the task"
            ));
            let said = inner.at..end;
            task_title(&mut inner, &mut request, said);
            let day = (end..after).find_map(|at| match parse.said.pieces[at].form {
                Form::Time(index) => Some(index),
                _ => None,
            });
            request.vals.times.extend(day);
            cursor.at = after;
            task_parts(parse, cursor, &mut request)?;
            parse.push(request);
        }
        Noun::Contact => {
            cursor.at = after;
            contact::contact_of(parse, &mut inner)?;
            contact::more(parse, cursor);
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
                let mut named = *cursor;
                named.at = end + 1;
                named.end = after;
                match noun::phrase(&mut named, Some(Noun::Note), noun::Rules::default()) {
                    Some(sel) if sel.is_narrowed() => request.sel = sel,
                    _ => request.act = Act::CreateNote,
                }
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

/// "Add to my note 'Paint codes': bath 6019", "add to the shopping list: milk": where it goes stands in front.
pub(super) fn leading<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    if !ahead.eat(&["to", "on", "onto"]) || ahead.sees(&["my", "the", "our"]).is_none() {
        return false;
    }
    let Some(colon) = (ahead.at..ahead.end).find(|at| {
        let piece = &ahead.said.pieces[*at];
        piece.form == Form::Mark && piece.word == ":"
    }) else {
        return false;
    };
    let mut place = Cursor {
        end: colon,
        ..ahead
    };
    let listed = place.end > place.at + 1
        && parse.said.pieces[place.end - 1].word == "list"
        && !LISTS
            .iter()
            .any(|list| place.sees(&[list]) == Some(place.end - place.at));
    let mut sel = if listed {
        let named = place.at + 1..place.end;
        place.at = place.end;
        let Some(title) = cursor.words(named) else {
            return false;
        };
        Sel {
            title: Some(title),
            ..Sel::of(Noun::Note)
        }
    } else {
        match noun::phrase(&mut place, Some(Noun::Note), noun::Rules::default()) {
            Some(sel) if sel.noun == Some(Noun::Note) && sel.said && sel.is_narrowed() => sel,
            _ => return false,
        }
    };
    let mut text = Cursor {
        at: colon + 1,
        ..*cursor
    };
    let Some(body) = change::rest(&mut text).filter(|_| place.at == colon) else {
        return false;
    };
    sel.det = super::model::Det::None;
    let mut request = Request::new(Act::AppendNote, sel);
    request.vals.body = Some(body);
    parse.push(request);
    *cursor = text;
    true
}
