//! New tasks and reminders.

use super::clause::{Parse, Read};
use super::command::command_at;
use super::create::PARTS_MAX;
use super::cursor::Cursor;
use super::filler;
use super::joints::TITLED;
use super::lexicon::{NOUNS, Noun, STATES, State, Verb};
use super::model::{Act, Request, Sel, Value, Words};
pub(super) use super::remind::remind;
use super::said::Form;
use super::table::phrases;
pub(super) use super::task_title::task_title;
use super::value;
use crate::time::Value as Time;
use std::ops::Range;

/// A new task or reminder whose noun was said: "a task to …", "a reminder for …".
pub(super) fn task_after<'s, 'a>(
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
    let rings = cursor
        .said
        .pieces
        .get(at)
        .is_some_and(|piece| matches!(piece.base.as_str(), "alarm" | "timer"));
    let timer = rings && cursor.said.pieces[at].base == "timer";
    cursor.at = at + len;
    if before.end > before.start {
        request.vals.title = cursor.words(before).map(Value::Words);
    }
    let made = parse.requests.len();
    task_text(parse, cursor, request)?;
    // "A daily alarm at 6".
    if rings
        && let Some(made) = parse.requests.get_mut(made)
        && made.vals.title.is_none()
    {
        let text = if timer { "Timer" } else { "Alarm" };
        made.vals.title = Some(Value::Words(Words {
            text: text.to_owned(),
            span: None,
            quoted: false,
        }));
    }
    Ok(())
}

/// "Turn Tom's last mail into a task": called like the thing it came from.
pub(super) fn of_thing<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    sel: Sel,
) -> Read {
    if !matches!(sel.noun, Some(Noun::Mail | Noun::Event)) || sel.plural || sel.all {
        return Err(parse.words(cursor));
    }
    let mut request = Request::new(Act::CreateTask, Sel::of(Noun::Task));
    request.vals.title = Some(Value::TitleOf(Box::new(sel)));
    task_parts(parse, cursor, &mut request)?;
    parse.push(request);
    Ok(())
}

/// "A task from Tom's last mail", "a to-do out of it".
pub(super) fn from_thing<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
) -> Option<Read> {
    let mut ahead = *cursor;
    ahead.eat(&["a", "an", "me a", "new", "a new"]);
    ahead
        .eat(&["task", "to do", "todo", "to do item", "action item"])
        .then_some(())?;
    ahead
        .eat(&["from", "out of", "based on", "of"])
        .then_some(())?;
    let rules = super::noun::Rules {
        states_are_values: true,
        ..super::noun::Rules::default()
    };
    let mut sel = super::noun::phrase(&mut ahead, None, rules)?;
    // "Find Bob's latest mail and make a task out of it".
    if sel.pron.is_some() && sel.noun.is_none() {
        sel.noun = parse.requests.last().and_then(|last| last.sel.noun);
    }
    if !matches!(sel.noun, Some(Noun::Mail | Noun::Event)) || !(sel.said || sel.pron.is_some()) {
        return None;
    }
    *cursor = ahead;
    Some(of_thing(parse, cursor, sel))
}

/// The text of a task and what else is said about it.
pub(super) fn task_text<'s, 'a>(
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
        // "On Tuesday and Thursday at 6 to train".
        let mut further = *cursor;
        if further.eat(&["and", "and on"]) && further.sees_time().is_some() {
            *cursor = further;
        }
    }
    loop {
        let before = cursor.at;
        cursor.skip_marks();
        cursor.eat_any(phrases!(
            "for me | in my calendar | on my calendar | to my calendar | into my calendar | on my list | to my list | to my to do list | in my to do list | for myself"
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
    // "Remind me 2 call mom".
    if request.vals.reminder
        && cursor.word(0) == "2"
        && cursor
            .peek(1)
            .is_some_and(|next| next.form == Form::Word && !next.word.ends_with('s'))
    {
        cursor.at += 1;
    }
    if request.vals.title.is_none() {
        cursor.eat_any(&TITLED);
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
        let joint = matches!(here.word(0), "and" | "then" | "," | "-" | ";" | "–" | "—");
        if at > cursor.at && filler::only_closers(&here) {
            return at;
        }
        if joint && at > cursor.at {
            let mut next = here;
            next.eat_any(phrases!(
                ", and then | and then | and also | , and | , then | and | then | , | - | ; | – | —"
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
    after.eat_any(phrases!(
        "a | an | the | my | all | our | all my | all the | both | every | it | them | this | that"
    ));
    // "… cancel everything after that" speaks to Adjutant.
    if verb
        .sees(&["everything", "anything", "all meetings", "all my"])
        .is_some()
        && matches!(
            verb_said,
            Verb::Cancel | Verb::Delete | Verb::Move | Verb::Show
        )
    {
        return true;
    }
    let given = verb.at < after.at || verb.sees_time().is_some();
    let noun = (after.at..after.end.min(after.at + 6)).any(|at| {
        NOUNS.at(&after.said.pieces[..after.end], at).is_some()
            || matches!(
                after.said.pieces[at].base.as_str(),
                "list" | "diary" | "agenda"
            )
    });
    match verb_said {
        Verb::Remind => true,
        Verb::Thank => matches!(verb.word(0), "him" | "her" | "them"),
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

pub(super) fn task_parts<'s, 'a>(
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
            if let Some(words) = value::text(cursor, &[]) {
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
