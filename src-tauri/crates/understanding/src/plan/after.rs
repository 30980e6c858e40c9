//! What stands behind a noun: with whom, from whom, when, about what, except which.

use super::except::except;
use super::joints::{ABOUT, TITLED};
use super::table::phrases;
use super::value::text;
use std::sync::LazyLock;

use super::command::command_at;
use super::cursor::Cursor;
use super::describe;
use super::lexicon::{NOUNS, Noun, STATES, State};
use super::model::{Sel, Who};
use super::noun::{self, Rules};
use super::people::{self, Place};
use super::said::Form;
use super::table::Table;
use crate::time::{Relation, Value};

/// Modifiers of one phrase.
pub(super) const MODIFIERS_MAX: usize = 24;

/// Words between a thing and what is said about it that say nothing themselves.
static GLUE: LazyLock<Table<()>> = LazyLock::new(|| {
    Table::new(&[(
        "do i have | did i have | will i have | have i got | have i | i have | i have got | i got | we have | are there | is there | was there | were there | there are | there is | do we have | did i get | did i receive | have i received | have i had | i received | i get | that i have | that i got | that i received | which i have | which i received | that i had | i had | that i have received | i have received | that are | that is | which are | which is | that were | that was | which was | which were | who is | that have been | that has been | which have been | that have | do i need to do | i need to do | to do | do i have to do | i have to do | have to do | in total | altogether | of mine | in all | all together | that i need to do | that i still have | do i still have | still | so | set up | i have set up | i set up | that i have set up | going on | coming up | up | lined up | that are on | on the agenda | on my agenda | scheduled | planned | booked | that are scheduled | that is scheduled | which are scheduled | that i scheduled | i scheduled | i have scheduled | that is happening | that are happening | happening | taking place | that take place | that takes place | received | that were received | that came | that came in | that arrived | which came in | came in | arrived | come in | i can attend | occurring | that i am attending | i am attending | am i attending | i am in | left | are left | is left | are left for | remaining | are remaining | that i am in | that start | that starts | which start | which starts | starting | that begin | beginning | that occur | that is set | that are set | waiting | waiting for me | was sent | were sent | that were sent | that was sent | sent | dated | which was sent | that have come in | i have coming up | do i have coming up | do i have scheduled | do i have planned | i have planned | i have on | do i have on | on today s agenda | are on | is on | are in | is in | will be | that i missed | did i miss | i missed | that will be | did i change | have i changed | i changed | did i edit | i edited | have i edited | did i modify | i modified | did i work on | i worked on | were changed | that changed | changed | that were changed | held | falling | that fall | that falls | which fall",
        (),
    )])
});

/// Where things are kept; says the kind and sometimes the folder.
pub(super) static PLACES: LazyLock<Table<(Option<Noun>, Option<&'static str>)>> = LazyLock::new(
    || {
        Table::new(&[
            (
                "on my calendar | in my calendar | from my calendar | off my calendar | on the calendar | in the calendar | from the calendar | off the calendar | to my calendar | to the calendar | on my schedule | in my schedule | from my schedule | off my schedule | from my diary | in my diary | on my diary | to my diary | to my schedule | to my agenda | from my agenda | into my calendar | in our calendar | from calendar | on calendar | in my planner | off my plate",
                (Some(Noun::Event), None),
            ),
            (
                "on my to do list | from my to do list | in my to do list | off my to do list | on my task list | from my task list | in my task list | off my task list | on my list | from my list | off my list | in my list | on the list | from the list | off the list | on my tasks | in my tasks | from my tasks | on the to do list | from the to do list | on my to do | from my to do | on my plate | off my tasks | from the task list | on the task list | from my list of tasks | in the list",
                (Some(Noun::Task), None),
            ),
            (
                "in my inbox | from my inbox | in the inbox | from the inbox | in inbox | inside my inbox | within my inbox",
                (Some(Noun::Mail), Some("inbox")),
            ),
            (
                "in my sent folder | in sent | from my sent folder | in my sent mail | in my sent items | from sent | in the sent folder | in my sent emails",
                (Some(Noun::Mail), Some("sent")),
            ),
            (
                "in my archive | in the archive | from the archive | from my archive | in archive | among the archived",
                (Some(Noun::Mail), Some("archive")),
            ),
            (
                "in my trash | in the trash | from the trash | in the bin | from trash | in trash | in my deleted items | from my trash",
                (Some(Noun::Mail), Some("trash")),
            ),
            (
                "in my spam | in spam | from spam | in the spam folder | in my spam folder | in my junk | in junk | in the junk folder | from my spam folder | from the spam folder | in my junk folder",
                (Some(Noun::Mail), Some("junk")),
            ),
            (
                "in my drafts | in drafts | from my drafts | in the drafts folder | in my drafts folder | from drafts",
                (Some(Noun::Mail), Some("drafts")),
            ),
            (
                "in my outbox | in the outbox",
                (Some(Noun::Mail), Some("outbox")),
            ),
            (
                "in my mailbox | from my mailbox | in my mail | in my email | in my emails | from my email | in the mail",
                (Some(Noun::Mail), None),
            ),
            (
                "in my notes | from my notes | in the notes | in notes",
                (Some(Noun::Note), None),
            ),
            (
                "in my contacts | from my contacts | in my address book | from my address book | in the address book | in contacts",
                (Some(Noun::Contact), None),
            ),
            (
                "in my files | in my folder | in my folders | in my documents | on my computer | on my disk | in my documents folder | in files",
                (Some(Noun::File), None),
            ),
        ])
    },
);

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
    let Some(((noun, folder), len)) = cursor.sees_in(&PLACES) else {
        return false;
    };
    cursor.at += len;
    if matches!(sel.noun, None | Some(Noun::Any))
        || (noun == Some(Noun::Task) && sel.noun != Some(Noun::Reminder))
    {
        sel.noun = noun.or(sel.noun);
    }
    sel.folder = folder.or(sel.folder);
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
        let before = (0..start)
            .rev()
            .find_map(|at| match cursor.said.pieces[at].form {
                Form::Time(index) => cursor
                    .said
                    .times
                    .get(index)
                    .filter(|found| found.has_day)
                    .map(|_| index),
                _ => None,
            });
        if let Some(index) = before {
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
    let words = match text(&mut ahead, &[]) {
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

fn states(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> bool {
    let mut ahead = *cursor;
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

/// "That Nadia sent me", "I have with Bob", "I sent to Ana", "Bob and I have".
fn relative(cursor: &mut Cursor<'_, '_>, sel: &mut Sel, _rules: Rules) -> bool {
    let mut ahead = *cursor;
    ahead.eat_any(phrases!("that | which | who | where | did | has | have"));
    let mut mine = ahead;
    if mine.eat_any(phrases!(
        "i have sent | i sent | i wrote | i have written | i emailed | i just sent | have i sent | \
        did i send | i send | i had sent | i forwarded"
    )) {
        sel.mine = true;
        mine.eat(&["out"]);
        mine.eat(&["to"]);
        sel.to.extend(people::list(&mut mine, Place::Sure));
        *cursor = mine;
        return true;
    }
    let mut who_at = ahead;
    let who = people::one(&mut who_at, Place::Sure);
    if let Some(who) = who
        && !matches!(who, Who::Me | Who::GuestsOf(_))
    {
        if who_at.eat_any(phrases!(
            "sent to me | sent me | just sent me | just sent | sent | has sent me | have sent me | \
        has sent | emailed me | wrote me | wrote to me | wrote | forwarded me | forwarded to me | \
        forwarded | send me | gave me | send | messaged me | email me"
        )) {
            who_at.eat(&["to me", "over"]);
            sel.from.push(who);
            if matches!(sel.noun, None | Some(Noun::Any)) {
                sel.noun = Some(Noun::Mail);
            }
            *cursor = who_at;
            return true;
        }
        if who_at.eat_any(phrases!("and i have | and i had | is attending | is in | is invited to | is part of | will attend | \
        attends | attended | is going to | joined | and me have | and i are having | invited me to | \
        organized | organised | set up | scheduled | is at | is on | will be at")) {
            sel.with.push(who);
            *cursor = who_at;
            return true;
        }
    }
    false
}

fn company(cursor: &mut Cursor<'_, '_>, sel: &mut Sel, rules: Rules) -> bool {
    let mut ahead = *cursor;
    if ahead.peek(0).is_some_and(|piece| piece.leads.is_some()) {
        return false;
    }
    if ahead.eat_any(phrases!("sent by | written by | received from | coming from | from | by | authored by | i got from | \
        i have from | i received from | that i got from | that came from | which came from | \
        that are from | that is from | which are from | come from | came from | sent from | \
        organized by | organised by")) {
        if rules.from_is_value {
            return false;
        }
        let who = people::list(&mut ahead, Place::Sure);
        if who.is_empty() {
            return false;
        }
        match sel.noun {
            Some(Noun::Event) => sel.with.extend(who),
            _ => sel.from.extend(who),
        }
        *cursor = ahead;
        return true;
    }
    // "That have Dave in them".
    let mut inside = ahead;
    if matches!(sel.noun, Some(Noun::Event))
        && inside.eat_any(phrases!(
            "that have | which have | that has | having | have"
        ))
    {
        let who = people::list(&mut inside, Place::Sure);
        if !who.is_empty() && inside.eat(&["in it", "in them", "on it", "invited", "attending"]) {
            sel.with.extend(who);
            *cursor = inside;
            return true;
        }
    }
    if ahead.eat_any(phrases!("with | involving | including | i have with | between me and | attended by | that include | \
        that includes | which include | that involve | where i meet | i am having with | \
        that i have with | alongside | together with")) {
        if rules.with_is_value || cursor.sees_any(&TITLED).is_some() {
            return false;
        }
        if ahead.eat(&["anyone", "anybody", "someone", "somebody"]) {
            *cursor = ahead;
            return true;
        }
        let who = people::list(&mut ahead, Place::Sure);
        if who.is_empty() {
            return false;
        }
        sel.with.extend(who);
        ahead.eat(&["in it", "in them", "on it"]);
        *cursor = ahead;
        return true;
    }
    if !rules.to_is_value
        && matches!(sel.noun, Some(Noun::Mail) | None)
        && ahead.eat_any(phrases!(
            "sent to | addressed to | to | i sent to | that went to | going to"
        ))
    {
        let who = people::list(&mut ahead, Place::Sure);
        if who.is_empty() {
            return false;
        }
        if who != [Who::Me] {
            sel.to.extend(who);
        }
        *cursor = ahead;
        return true;
    }
    if !rules.for_is_value && ahead.eat(&["of"]) && sel.noun == Some(Noun::Event) {
        let who = people::list(&mut ahead, Place::Known);
        if !who.is_empty() {
            sel.with.extend(who);
            *cursor = ahead;
            return true;
        }
    }
    false
}

/// "In room 4", "at the office": where an event is.
fn location(cursor: &mut Cursor<'_, '_>, sel: &mut Sel, rules: Rules) -> bool {
    if !matches!(sel.noun, Some(Noun::Event | Noun::File))
        || sel.place.is_some()
        || rules.times_are_values
    {
        return false;
    }
    let mut ahead = *cursor;
    if ahead.peek(0).is_some_and(|piece| piece.leads.is_some())
        || !ahead.eat_any(phrases!(
            "in | at | located at | located in | that are in | held in | held at | taking place in | taking place at"
        ))
    {
        return false;
    }
    if matches!(
        ahead.word(0),
        "it" | "them" | "there" | "him" | "her" | "which" | "that"
    ) {
        return false;
    }
    let Some(words) = text(&mut ahead, &["to", "by", "and", "with"]) else {
        return false;
    };
    sel.place = Some(words);
    *cursor = ahead;
    true
}

/// Whether a noun of the calendar, the mail … stands here.
pub(super) fn sees_noun(cursor: &Cursor<'_, '_>) -> Option<Noun> {
    cursor.sees_in(&NOUNS).map(|((noun, _), _)| noun)
}
