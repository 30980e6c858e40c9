//! What stands behind a noun: with whom, from whom, when, about what, except which.

use super::company::{company, location, relative};
use super::except::except;
use super::joints::{ABOUT, TITLED};
use super::places::{GLUE, PLACES};
use super::table::phrases;
use super::value::text;

use super::command::command_at;
use super::cursor::Cursor;
use super::describe;
use super::lexicon::{NOUNS, Noun, STATES, State};
use super::model::{Sel, Words};
use super::noun::{self, Rules};
use super::parts::day_before;
use super::said::Form;
use crate::time::{Relation, Value};

/// Modifiers of one phrase.
pub(super) const MODIFIERS_MAX: usize = 24;

/// Reads everything behind the noun that narrows it.
pub(super) fn modifiers(cursor: &mut Cursor<'_, '_>, sel: &mut Sel, rules: Rules) {
    for _ in 0..MODIFIERS_MAX {
        let at = cursor.at;
        if cursor.is_done()
            || (at > 0
                && at != sel.span.start
                && cursor.said.pieces.get(at - 1).is_some_and(|last| last.ends))
        {
            return;
        }
        if one(cursor, sel, rules) {
            continue;
        }
        cursor.at = at;
        // "…, from last week": a comma or "and" between two modifiers.
        let mut ahead = *cursor;
        if (ahead.eat_any(phrases!(", | and | - | which | that")))
            && !command_at(cursor, 1)
            && one(&mut ahead, sel, rules)
        {
            *cursor = ahead;
            continue;
        }
        cursor.at = at;
        return;
    }
}

pub(super) fn one(cursor: &mut Cursor<'_, '_>, sel: &mut Sel, rules: Rules) -> bool {
    places(cursor, sel)
        || describe::one(cursor, sel)
        || ages(cursor, sel)
        || times(cursor, sel, rules)
        || !rules.states_are_values && lengths(cursor, sel)
        || !(rules.titled_is_value && sel.is_narrowed()) && titles(cursor, sel)
        || task_words(cursor, sel, rules)
        || abouts(cursor, sel)
        || except(cursor, sel)
        || !rules.states_are_values && states(cursor, sel)
        || relative(cursor, sel, rules)
        || company(cursor, sel, rules)
        || (cursor.sees_in(&GLUE).is_some_and(|(_, len)| {
            let ends = cursor.at + len >= cursor.end;
            let fits = rules.question
                || ends
                || len > 1
                || matches!(
                    cursor.word(0),
                    "scheduled"
                        | "planned"
                        | "booked"
                        | "sent"
                        | "received"
                        | "dated"
                        | "starting"
                        | "beginning"
                        | "happening"
                        | "held"
                        | "arrived"
                );
            if fits {
                cursor.at += len;
            }
            fits
        }))
        || location(cursor, sel, rules)
}

fn places(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> bool {
    let mut ahead = *cursor;
    // "How many mails are in my inbox".
    ahead.eat_any(phrases!(
        "are | is | were | was | that are | that is | which are | which is | do i have | i have | are left | still | waiting"
    ));
    let Some(((noun, folder), len)) = ahead.sees_in(&PLACES) else {
        return false;
    };
    cursor.at = ahead.at + len;
    if matches!(sel.noun, None | Some(Noun::Any))
        || (noun == Some(Noun::Task) && sel.noun != Some(Noun::Reminder))
    {
        sel.noun = noun.or(sel.noun);
    }
    sel.folder = folder.or(sel.folder);
    if noun == Some(Noun::Mail) && sel.noun == noun {
        super::folder::like(sel);
    }
    true
}

fn times(cursor: &mut Cursor<'_, '_>, sel: &mut Sel, rules: Rules) -> bool {
    let start = cursor.at;
    // "… that day": the one that was spoken of before.
    if !rules.times_are_values
        && cursor.eat(&[
            "that day",
            "on that day",
            "the same day",
            "on the same day",
            "that same day",
            "on that same day",
        ])
    {
        if let Some(index) = day_before(cursor, start) {
            sel.when.push(index);
            return true;
        }
        cursor.at = start;
    }
    // "Mails about Q2" are not mails of those months.
    if cursor.word(0) == "about" && matches!(sel.noun, Some(Noun::Mail | Noun::Note | Noun::Task)) {
        return false;
    }
    let due = cursor.eat_any(phrases!(
        "due | that are due | that is due | which are due | are due | is due | due by | due on | \
        with a deadline of | with a due date of | that need to be done | with due date"
    ));
    if due {
        sel.due = true;
    }
    let strict = cursor.eat_any(phrases!(
        "that start | that starts | starting | that begin | beginning | that ends | happening | \
        scheduled | planned | which starts | that is | that are | set"
    ));
    let _ = strict;
    if let Some((index, len)) = cursor.sees_time()
        && let Some(found) = cursor.said.times.get(index)
    {
        let mut behind = *cursor;
        behind.at += len;
        let value = rules.times_are_values
            // "Make it due on Friday", but "change the tasks due on Friday to …".
            || due && rules.states_are_values && super::filler::only_closers(&behind)
            || (rules.to_is_value
                && (matches!(found.relation, Relation::To | Relation::Until)
                    || cursor.word(0) == "to"))
            || (rules.for_is_value && (found.relation == Relation::For || cursor.word(0) == "for"))
            || (rules.from_is_value && found.relation == Relation::From)
            || matches!(found.value, Value::Duration(_));
        if value {
            cursor.at = start;
            return false;
        }
        sel.when.push(index);
        let opens = matches!(found.relation, Relation::From | Relation::Since);
        cursor.at += len;
        cursor.eat_any(phrases!(
            "or later | or after | onwards | onward | or earlier"
        ));
        // "From now on", "from Monday on".
        if opens
            && !cursor.is_content(1)
            && cursor.peek(0).is_some_and(|piece| piece.leads.is_none())
        {
            cursor.eat(&["on"]);
        }
        return true;
    }
    if due {
        return true;
    }
    cursor.at = start;
    false
}

/// "Older than 3 months": a length as a distance from now.
fn ages(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> bool {
    let start = cursor.at;
    cursor.eat(&["that are", "which are", "that is", "which is"]);
    let older = cursor.eat(&["older than", "more than", "over"]);
    let newer = !older && cursor.eat(&["newer than", "younger than", "less than"]);
    if (older || newer)
        && let Some((index, len)) = cursor.sees_time()
    {
        let said = cursor.said.slice(start..cursor.at + len).to_lowercase();
        cursor.at += len;
        let behind = cursor.eat(&["old", "ago"]);
        if behind || said.contains("er than") || said.ends_with("old") || said.ends_with("ago") {
            sel.age = Some((index, older));
            return true;
        }
    }
    cursor.at = start;
    false
}

/// "Longer than an hour", "over 30 minutes", "shorter than …".
fn lengths(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> bool {
    let start = cursor.at;
    cursor.eat_any(phrases!(
        "that are | that is | which are | that last | that lasts | lasting | that take | which last | are | is | last"
    ));
    let more = cursor.eat_any(phrases!(
        "longer than | more than | over | at least | exceeding"
    ));
    let less = !more
        && cursor.eat_any(phrases!(
            "shorter than | less than | under | at most | no longer than"
        ));
    if (more || less)
        && let Some(Form::Time(index)) = cursor.peek(0).map(|piece| piece.form)
        && let Some(found) = cursor.said.times.get(index)
        && let Value::Duration(length) = &found.value
        && let Some(minutes) = noun::minutes(length.seconds)
    {
        cursor.at += 1;
        cursor.eat(&["long"]);
        if more {
            sel.minutes_min = Some(minutes + 1);
        } else {
            sel.minutes_max = Some(minutes - 1);
        }
        return true;
    }
    cursor.at = start;
    false
}

fn titles(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> bool {
    let mut ahead = *cursor;
    // "With 'invoice' in the subject".
    if sel.title.is_none()
        && ahead.eat(&[
            "with",
            "that have",
            "that has",
            "having",
            "which have",
            "containing",
        ])
        && {
            ahead.eat(&["the word", "the words"]);
            true
        }
        && let Some(words) = text(&mut ahead, &["in"])
        && ahead.eat(&[
            "in the subject line",
            "in the subject",
            "in the title",
            "in their subject",
            "in their title",
            "in its title",
            "in its subject",
            "in the name",
            "in their name",
        ])
    {
        sel.title = Some(Words {
            quoted: true,
            ..words
        });
        *cursor = ahead;
        return true;
    }
    ahead = *cursor;
    if !ahead.eat_any(&TITLED) || sel.title.is_some() {
        return false;
    }
    ahead.skip_marks();
    let Some(words) = text(&mut ahead, &[]) else {
        return false;
    };
    sel.exact = words.quoted;
    sel.title = Some(words);
    *cursor = ahead;
    true
}

/// "The task to buy milk", "the reminder to call mom": what is to be done names it.
fn task_words(cursor: &mut Cursor<'_, '_>, sel: &mut Sel, rules: Rules) -> bool {
    if !matches!(sel.noun, Some(Noun::Task | Noun::Reminder))
        || !sel.said
        || sel.title.is_some()
        || cursor.word(0) != "to"
        || !cursor.is_content(1)
    {
        return false;
    }
    // "Move the task to buy milk to Friday": only the last "to" is the verb's.
    let last = (cursor.at + 1..cursor.end).any(|at| cursor.said.pieces[at].word == "to");
    if cursor.peek(0).is_some_and(|piece| piece.leads.is_some()) || rules.to_is_value && !last {
        return false;
    }
    let mut ahead = *cursor;
    ahead.at += 1;
    let Some(words) = text(&mut ahead, if rules.to_is_value { &["to"] } else { &[] }) else {
        return false;
    };
    sel.title = Some(words);
    *cursor = ahead;
    true
}

fn abouts(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> bool {
    let mut ahead = *cursor;
    let about = ahead.eat_any(&ABOUT);
    // "For the budget review" is what a mail or note is about; "for tomorrow" is a time and read before.
    let for_it = !about
        && matches!(
            sel.noun,
            Some(Noun::Mail | Noun::Note | Noun::Task | Noun::Reminder)
        )
        && ahead.eat(&["for", "on"]);
    if (!about && !for_it) || sel.about.is_some() {
        return false;
    }
    let mut named = ahead;
    // "The pdf about pension in Documents": where it lies is no part of what it is about.
    let end = ahead.end;
    if sel.noun == Some(Noun::File)
        && let Some(folder) = (ahead.at + 1..end).find(|at| in_folder(&Cursor { at: *at, ..ahead }))
    {
        ahead.end = folder;
    }
    let words = text(&mut ahead, &[]);
    ahead.end = end;
    let words = match words {
        Some(words) => words,
        // "About Q2", "about 2025".
        None if about && named.sees_time().is_some() => {
            named.at += 1;
            let Some(words) = cursor.words(named.at - 1..named.at) else {
                return false;
            };
            ahead = named;
            words
        }
        None => return false,
    };
    sel.about = Some(words);
    *cursor = ahead;
    true
}

/// "In Documents", "in my downloads folder".
fn in_folder(cursor: &Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    let led = ahead.eat(&["in", "from", "on"]);
    ahead.eat(&["my", "the"]);
    let named = ahead.eat(&[
        "documents",
        "downloads",
        "desktop",
        "pictures",
        "music",
        "videos",
        "movies",
        "photos",
    ]);
    let mut folder = *cursor;
    let said = folder.eat(&["in", "from"]) && {
        folder.eat(&["my", "the"]);
        folder.is_content(0) && folder.word(1) == "folder"
    };
    led && named || said
}

fn states(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> bool {
    let mut ahead = *cursor;
    // "The mails from Will sent last week": theirs, and not those in the folder of that name.
    if sel.noun == Some(Noun::Mail)
        && !sel.from.is_empty()
        && ahead.eat(&["that were sent", "which were sent", "that was sent", "sent"])
    {
        ahead.eat(&["to me"]);
        if ahead.sees_time().is_some() || ahead.at - cursor.at > 1 {
            *cursor = ahead;
            return true;
        }
    }
    ahead = *cursor;
    if let Some((state @ (State::Attachment | State::Clashing | State::Undated), len)) =
        ahead.sees_in(&STATES)
    {
        cursor.at += len;
        sel.states.push(state);
        return true;
    }
    let lead = ahead.eat_any(phrases!(
        "that are | that is | which are | which is | are | is | have | has | having | marked as | marked | flagged as | \
        that i have | i have | with | still | have i | do i have | i"
    ));
    if ahead.eat_any(phrases!(
        "not been read | not read | not read yet | not opened | have not read | have not been read"
    )) {
        sel.states.push(State::Unread);
        *cursor = ahead;
        return true;
    }
    if matches!(sel.noun, Some(Noun::Task | Noun::Reminder))
        && cursor.eat_any(phrases!(
            "did i complete | have i completed | i completed | i have completed | did i finish | have i finished | i finished | \
            i have finished | did i get done | have i done | i got done | did i tick off | did i check off"
        ))
    {
        sel.states.push(State::Done);
        return true;
    }
    if ahead.eat_any(phrases!("not replied to | not answered | not responded to | have not replied to | have not answered | \
        have not responded to | need to reply to | need to answer | still need to answer")) {
        sel.states.push(State::Unanswered);
        *cursor = ahead;
        return true;
    }
    let Some((state, len)) = ahead.sees_in(&STATES) else {
        return false;
    };
    if lead && cursor.word(0) == "i"
        || (!lead
            && ahead.is_content(len)
            && state != State::Clashing
            && state != State::Attachment)
    {
        return false;
    }
    ahead.at += len;
    ahead.eat_any(phrases!(
        "priority | with each other | with one another | tasks | each other"
    ));
    sel.states.push(state);
    *cursor = ahead;
    true
}

/// Whether a noun of the calendar, the mail … stands here.
pub(super) fn sees_noun(cursor: &Cursor<'_, '_>) -> Option<Noun> {
    cursor.sees_in(&NOUNS).map(|((noun, _), _)| noun)
}
