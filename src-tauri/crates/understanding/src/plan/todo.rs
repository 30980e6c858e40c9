//! Several tasks at once, lists with a colon, and what the person has to do.

use super::clause::{Parse, Read, Unread};
use super::create::PARTS_MAX;
use super::cursor::Cursor;
use super::keep;
use super::lexicon::{NOUNS, Noun, Verb};
use super::model::{Act, Request, Sel};
use super::said::Form;
use super::table::phrases;
use super::task::{clause_end, task_parts, task_text, task_title};

/// "Three tasks: buy paint, rent ladder": one task for each.
pub(super) fn several<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    ahead.eat_any(phrases!(
        "a | the | these | those | following | some | new | two | three | four | five | six | several | a few | the following"
    ));
    if ahead
        .peek(0)
        .is_some_and(|piece| piece.form == Form::Number)
    {
        ahead.at += 1;
    }
    ahead.eat(&["new"]);
    // "Three things to my to-do list: …".
    let mut things = ahead;
    if things.eat(&["things", "items", "entries"]) && matches!(things.word(0), "to" | "on") {
        ahead = things;
    }
    let many = ahead.eat(&[
        "tasks",
        "to dos",
        "reminders",
        "to do items",
        "things to do",
    ]);
    let list = !many
        && ahead.eat(&[
            "to my list",
            "to my to do list",
            "to my task list",
            "to my tasks",
            "on my list",
            "on my to do list",
            "to the list",
            "to the to do list",
        ]);
    let counted = many && ahead.word(0) == "," && !cursor.is_content(0);
    if !(many || list) || ahead.word(0) != ":" && !counted {
        return false;
    }
    ahead.at += 1;
    let mut made = Vec::new();
    while !ahead.is_done() && made.len() < PARTS_MAX {
        let start = ahead.at;
        while !ahead.is_done() && !matches!(ahead.word(0), "," | ";") {
            let last = ahead.word(0) == "and" && !made.is_empty();
            if last || ahead.peek(0).is_some_and(|piece| piece.ends) {
                break;
            }
            ahead.at += 1;
        }
        // The piece that ends the sentence belongs to the item unless it is a mark.
        if ahead
            .peek(0)
            .is_some_and(|piece| piece.ends && piece.form != Form::Mark)
        {
            ahead.at += 1;
        }
        if ahead.at > start {
            let mut request = Request::new(Act::CreateTask, Sel::of(Noun::Task));
            let mut inner = ahead;
            task_title(&mut inner, &mut request, start..ahead.at);
            if request.vals.title.is_none() {
                return false;
            }
            made.push(request);
        }
        let ends = ahead.peek(0).is_none_or(|piece| piece.ends);
        ahead.eat(&[", and", ",", ";", "and"]);
        if ends {
            ahead.skip_marks();
            break;
        }
    }
    if made.len() < 2 {
        return false;
    }
    for request in made {
        parse.push(request);
    }
    *cursor = ahead;
    true
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
    // "Task for tomorrow morning: …".
    let mut timed = ahead;
    timed.eat(&["for"]);
    let due = timed
        .time()
        .filter(|_| noun == Noun::Task && timed.sees(&[":"]).is_some());
    if due.is_some() {
        ahead = timed;
    }
    let colon = ahead.eat(&[":", "-"]);
    // "To do buy milk".
    let bare = noun == Noun::Task
        && cursor.word(0) == "to"
        && cursor.word(1) == "do"
        && ahead.is_content(0)
        && ahead.sees(&["list"]).is_none();
    if !(colon || bare) {
        return Ok(false);
    }
    *cursor = ahead;
    match noun {
        Noun::Task | Noun::Reminder => {
            let mut request = Request::new(Act::CreateTask, Sel::of(Noun::Task));
            request.vals.reminder = noun == Noun::Reminder;
            request.vals.times.extend(due);
            task_text(parse, cursor, request)?;
        }
        Noun::Note => keep::note(parse, cursor, Verb::Note)?,
        Noun::Event => super::create::create(parse, cursor, Verb::Book)?,
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
    task_parts(parse, cursor, &mut request)?;
    if request.vals.title.is_none()
        || request.vals.times.is_empty()
            && !matches!(parse.domains, [adjutant_domain::route::Domain::Task])
    {
        return Err(parse.words(cursor));
    }
    parse.push(request);
    Ok(())
}
