//! Questions over own data: what, when, who, where, how many, is there, am I free.

use super::after;
use super::clause::{Parse, Read, Unread, Why};
use super::condition::resolve_they;
use super::cursor::Cursor;
use super::filler;
use super::keep;
use super::lexicon::{ABOUT, Noun, State, Verb};
use super::model::{Act, Ask, Det, Pick, Request, Sel, Who};
use super::noun::{self, Rules, phrase};
use super::people::{self, Place};
use super::said::Form;
use super::table::phrases;
use crate::time::Value;

const QUESTION: Rules = Rules {
    question: true,
    to_is_value: false,
    for_is_value: false,
    times_are_values: false,
    with_is_value: false,
    from_is_value: false,
    states_are_values: false,
};

/// Reads a question; whether it was one.
pub(super) fn read<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
) -> Result<bool, Unread> {
    let start = *cursor;
    for part in [
        free, agenda, details, remembered, said_by, count, when, who, where_, have, what, fact,
    ] {
        if part(parse, cursor)? {
            return Ok(true);
        }
        *cursor = start;
    }
    Ok(false)
}

type Part = Result<bool, Unread>;

/// Reads times that follow one another.
pub(super) fn times_into(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) {
    for _ in 0..4 {
        let mut ahead = *cursor;
        ahead.eat_any(phrases!(", | sometime | at some point | any time | anytime | for | at any point | during | in | on | \
        then | either | or"));
        if let Some(index) = cursor.time().or_else(|| {
            let time = ahead.time();
            if time.is_some() {
                *cursor = ahead;
            }
            time
        }) {
            sel.when.push(index);
        } else {
            return;
        }
    }
}

/// "Am I free on Friday", "when am I free", "find me a free slot of an hour".
fn free<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    let mut sel = Sel::of(Noun::Slot);
    let yes_no = cursor.eat_any(phrases!("am i free | am i available | are we free | do i have time | do i have free time | \
        do i have any free time | do i have any time | is my calendar free | is my calendar clear | \
        is my schedule clear | am i open | is my calendar open | am i still free | have i got time | \
        am i clear | is my day free | am i completely free | am i available for a meeting | \
        am i free for a meeting | have i any time | have i got any time | is there time"));
    let busy = !yes_no
        && cursor.eat_any(phrases!(
            "am i busy | am i booked | am i double booked | am i occupied | am i tied up | \
        is my calendar full"
        ));
    if yes_no || busy {
        free_rest(parse, cursor, &mut sel);
        parse.push(Request::new(Act::IsFree, sel));
        return Ok(true);
    }
    if cursor.eat_any(phrases!("when am i free | when am i available | when do i have time | when do i have free time | \
        what is my availability | when am i next free | when are my free slots | \
        what are my free slots | when do i have a free slot | what free slots do i have | \
        what times am i free | what time am i free | at what time am i free | \
        what are my available times | which slots are free | what slots are free | \
        what times are free | where do i have gaps | when is my next free slot | when can i meet | \
        when could i meet | when am i not busy | when do i have an opening | when do i have a gap | \
        what days am i free | which days am i free | when do i have nothing | \
        when is my calendar free | when am i first free | what free time do i have | \
        when might i have time | what open slots do i have | how much free time do i have | \
        when will i be free | when can i schedule | when is the first free slot | \
        what is my first free slot | what is my next free slot | when is my first free slot")) {
        free_rest(parse, cursor, &mut sel);
        let mut request = Request::new(Act::Free, sel);
        lift_minutes(parse, &mut request);
        parse.push(request);
        return Ok(true);
    }
    // Somebody else's calendar is not here.
    let mut other = *cursor;
    if other.eat_any(phrases!("is | are | when is | when are | when will"))
        && let Some(Who::Named { said, .. }) = people::one(&mut other, Place::Maybe)
        && other.eat(&["free", "available", "busy", "be free"])
    {
        return Err(Unread {
            span: parse.said.span(&(cursor.at..cursor.end)),
            why: Why::CanNot(format!(
                "Adjutant sees only your own calendar, so it cannot tell when {said} is free."
            )),
        });
    }
    Ok(false)
}

fn free_rest<'s, 'a>(_parse: &Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>, sel: &mut Sel) {
    let mut who = *cursor;
    if !people::list(&mut who, Place::Maybe).is_empty() {
        *cursor = who;
    }
    for _ in 0..8 {
        let before = cursor.at;
        times_into(cursor, sel);
        cursor.eat_any(phrases!("to meet | for a meeting | for a call | for lunch | to talk | for coffee | for a chat | \
        for dinner | to catch up | for an appointment | in my calendar | on my calendar | still | \
        for a quick call | for a meeting of | of | lasting | long | at all | right now | \
        in my schedule | do i have | have i got | for drinks | to get lunch | for breakfast"));
        let mut with = *cursor;
        if with.eat_any(phrases!("with | to meet with | to meet | to see | for")) {
            let who = people::list(&mut with, Place::Known);
            if !who.is_empty() {
                *cursor = with;
            }
        }
        if cursor.at == before {
            return;
        }
    }
}

/// A length among the times is how long the slot must be.
fn lift_minutes(parse: &Parse<'_, '_>, request: &mut Request) {
    let times = &parse.said.times;
    request
        .sel
        .when
        .retain(|index| match times.get(*index).map(|found| &found.value) {
            Some(Value::Duration(length)) => {
                request.vals.minutes = noun::minutes(length.seconds);
                false
            }
            _ => true,
        });
}

/// "What's on tomorrow", "what does my day look like", "what do I need to do today".
fn agenda<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    let first = cursor.at;
    let mut sel = Sel::of(Noun::Event);
    sel.plural = true;
    let tasks = cursor.eat_any(phrases!("what do i need to do | what do i have to do | what should i do | what needs doing | \
        what needs to be done | what is left to do | what is on my to do list | \
        what is on my task list | what is on my list | what is due | \
        what is there to do | what must i do | what have i got to do | what do i still need to do | \
        what do i still have to do | what are my to dos | what is overdue | what is still open | \
        what am i supposed to do | what am i behind on | what should i be working on | \
        what should i work on | what is on the to do list | what is left on my list | \
        what is left on my to do list | what is still on my list | what is still on my to do list | \
        anything due | is anything due | is anything overdue | anything overdue | \
        do i have anything due | do i have anything overdue | what am i late with | \
        what did i forget to do | what did i complete | what did i finish | what have i finished | what have i completed | what did i get done | what have i done | what have i forgotten to do | anything on my to do list | \
        what do i have due | what do i have left to do"));
    if tasks {
        let said = cursor
            .said
            .slice(cursor.at.saturating_sub(3)..cursor.at)
            .to_lowercase();
        sel = Sel::of(Noun::Task);
        sel.plural = true;
        if said.contains("overdue") || said.contains("behind on") || said.contains("late with") {
            sel.states.push(State::Overdue);
        }
        if ["complete", "finish", "done"].iter().any(|word| said.contains(word)) && !said.contains("to be done") {
            sel.states.push(State::Done);
        }
        after::modifiers(cursor, &mut sel, QUESTION);
        parse.push(Request::new(Act::Query(Ask::List), sel));
        return Ok(true);
    }
    let any = cursor.eat_any(phrases!("is there anything | do i have anything | have i got anything | anything | is anything | \
        do i have something | is there something | have i anything | do i have any plans | any plans | \
        do i have plans | have i got any plans | do we have anything | do i already have anything | \
        do i have stuff"));
    let list = !any && cursor.eat_any(phrases!("what is on my calendar | what is on my schedule | what is on my agenda | \
        what is in my calendar | what is in my diary | what is in my schedule | \
        what is on the calendar | what is on the agenda | what is on my plate | what is on | what is up | what is happening | \
        what is going on | what is coming up | what is next | what do i have on | \
        what do i have going on | what do i have planned | what do i have scheduled | what do i have | \
        what have i got on | what have i got planned | what have i got | what am i doing | \
        what have i planned | what is planned | what is scheduled | what is my schedule | \
        what is my agenda | what is my day | what does my day look like | \
        what does my schedule look like | what does my calendar look like | \
        what does my week look like | what does my agenda look like | how does my day look | \
        how does my calendar look | how does my schedule look | how does my week look | how is my day | \
        how is my day looking | how is my schedule | how is my schedule looking | \
        how is my calendar looking | what are my plans | what is the plan | what is my plan | \
        what did i do | what did i have | what was on my calendar | what was on my schedule | \
        what was on | how busy am i | how full is my calendar | what do we have | what does | \
        how does | what is my calendar | what will i be doing | what was i doing | what did i have on | \
        what is ahead | what awaits me | what is my day like | what is my week like | \
        what are my appointments | what are my meetings | brief me on | run me through | \
        how packed is my day | what else do i have | what else is on my calendar | how does it look | \
        what is the rest of"));
    if !any && !list {
        return Ok(false);
    }
    let said = cursor.at;
    let bare = matches!(
        cursor
            .said
            .slice(said.saturating_sub(2)..said)
            .to_lowercase()
            .as_str(),
        "what does" | "how does"
    );
    let next = cursor
        .said
        .pieces
        .get(said.wrapping_sub(1))
        .is_some_and(|piece| piece.word == "next");
    if next {
        sel.pick = Some(Pick::Next(1));
    }
    // "What is on the second page", "what does HTTP mean": only a calendar question when nothing else remains.
    let kinds = after::sees_noun(cursor);
    if kinds.is_some_and(|kind| kind != Noun::Event) && !bare {
        return Ok(false);
    }
    let start = *cursor;
    for _ in 0..6 {
        let before = cursor.at;
        after::modifiers(cursor, &mut sel, QUESTION);
        times_into(cursor, &mut sel);
        cursor.eat_any(phrases!("look like | looking | look | have in store | for | like | on my calendar | on my agenda | \
        going on | planned | scheduled | 's calendar | 's schedule | 's agenda | else | my calendar | \
        my schedule | my day | my week | lined up | the day | calendar wise | coming up | happening | \
        in my calendar | calendar | schedule | agenda | on | to do | my agenda | 's | of | my evening | \
        my morning | my afternoon | is | up"));
        if cursor.at == before {
            break;
        }
    }
    if !end_of_clause(cursor) || bare && sel.when.is_empty() {
        *cursor = start;
        return Ok(false);
    }
    // A day is its events and what is due, unless only the calendar was asked about.
    let only_events = (first..cursor.at).any(|at| {
        let word = parse.said.pieces[at].base.as_str();
        matches!(word, "calendar" | "schedule" | "agenda" | "diary" | "meeting" | "appointment" | "event" | "did" | "was" | "next" | "book" | "with")
    });
    let tasks = (!only_events && !any && !sel.when.is_empty() && sel.with.is_empty() && sel.place.is_none()).then(|| Sel {
        plural: true,
        when: sel.when.clone(),
        span: sel.span.clone(),
        ..Sel::of(Noun::Task)
    });
    parse.push(Request::new(
        Act::Query(if any { Ask::Any } else { Ask::List }),
        sel,
    ));
    if let Some(tasks) = tasks {
        parse.push(Request::new(Act::Query(Ask::List), tasks));
    }
    Ok(true)
}

fn end_of_clause(cursor: &Cursor<'_, '_>) -> bool {
    filler::only_closers(cursor)
        || cursor.peek(0).is_some_and(|piece| piece.form == Form::Mark)
        || cursor.sees(&["and", "if", "then", "unless"]).is_some()
        || noun::command_at(cursor, 0)
}

/// "What is Ana's phone number", "how do I reach Bob", "who is Kim".
fn details<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    if cursor.eat_any(phrases!(
        "how do i reach | how can i reach | how can i contact | how do i contact | \
        how do i get in touch with | how can i get hold of"
    )) {
        let who = people::list(cursor, Place::Sure);
        if who.is_empty() {
            return Ok(false);
        }
        push_contact(parse, who, Ask::List);
        return Ok(true);
    }
    let opened = cursor.eat_any(phrases!("what is | what are | do i have | do you have | what was | is there | have i got | what 's | \
        which is"));
    if opened && let Some((who, ask)) = keep::detail(cursor) {
        push_contact(parse, vec![who], ask);
        return Ok(true);
    }
    Ok(false)
}

fn push_contact<'s, 'a>(parse: &mut Parse<'s, 'a>, mut who: Vec<Who>, ask: Ask) {
    resolve_they(parse, &mut who);
    let mut request = Request::new(Act::Query(ask), Sel::of(Noun::Contact));
    request.vals.people = who;
    parse.push(request);
}

/// "What do you know about my car", "what is my wifi password".
fn remembered<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    let mut sel = Sel::of(Noun::Memory);
    if cursor.eat_any(phrases!(
        "what do you remember about | what do you know about | what did i tell you about | \
        what have i told you about | what did i say about | do you remember | do you know | \
        what do you recall about | recall | what do you have on | \
        what did i ask you to remember about | did i tell you about | did i mention | \
        have i told you about | what have you saved about"
    )) {
        cursor.eat(&["what", "where", "when", "who"]);
        cursor.eat(&["my", "the"]);
        let Some(words) = super::change::rest(cursor) else {
            return Ok(false);
        };
        // "About me" is everything.
        if !matches!(words.text.to_lowercase().as_str(), "me" | "myself") {
            sel.about = Some(words);
        }
        parse.push(Request::new(Act::Recall, sel));
        return Ok(true);
    }
    if cursor.eat_any(phrases!(
        "what do you remember | what do you know | what have you remembered | \
        what have i asked you to remember | what did i ask you to remember | what have i told you"
    )) && filler::only_closers(cursor)
    {
        parse.push(Request::new(Act::Recall, sel));
        return Ok(true);
    }
    if !cursor.eat_any(phrases!(
        "what is my | what was my | what are my | who is my | where is my | when is my | \
        where did i put my | where did i put the | where did i leave my | where did i park | \
        where are my | what is the name of my | what is our | who are my | where did i leave the | \
        what size | which is my | where did i put | where do i keep my | where do i keep the"
    )) {
        return Ok(false);
    }
    // Anything that has a place of its own is looked for there.
    let start = *cursor;
    let mut ahead = *cursor;
    if let Some(found) = phrase(&mut ahead, None, QUESTION)
        && (found.pick.is_some()
            || matches!(found.noun, Some(noun) if noun != Noun::Any && noun != Noun::Memory)
                && !birthday(cursor))
    {
        *cursor = start;
        return Ok(false);
    }
    let Some(words) = super::change::rest(cursor) else {
        return Ok(false);
    };
    sel.about = Some(words);
    parse.push(Request::new(Act::Recall, sel));
    Ok(true)
}

fn birthday(cursor: &Cursor<'_, '_>) -> bool {
    (cursor.at..cursor.end).any(|at| {
        matches!(
            cursor.said.pieces[at].word.as_str(),
            "birthday" | "anniversary"
        )
    })
}

/// "What did Nadia send me", "has Bob replied", "did I hear from Ana".
fn said_by<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    let what = cursor.eat(&["what did", "what has", "what was"]);
    let any = !what && cursor.eat_any(phrases!("has | did | have | does | was"));
    if !what && !any {
        return Ok(false);
    }
    let mut sel = Sel::of(Noun::Mail);
    if any && cursor.eat(&["i", "we"]) {
        cursor.eat(&["already", "ever", "yet"]);
        if cursor.eat_any(phrases!("heard from | hear from | hear back from | heard back from | get anything from | \
        get an answer from | get a reply from | got a reply from | received anything from | \
        receive anything from | get a response from")) {
            sel.from = people::list(cursor, Place::Sure);
        } else if cursor.eat_any(phrases!("email | emailed | write to | written to | wrote to | reply to | replied to | answered | \
        answer | sent an email to | send an email to | respond to | responded to | send anything to | \
        message | contacted | contact")) {
            sel.to = people::list(cursor, Place::Sure);
            sel.mine = true;
        } else if cursor.eat_any(phrases!("met with | met | meet with | meet | see | seen | talk to | talked to | speak to | spoken to | \
        speak with | spoken with | catch up with | caught up with | have a meeting with | \
        had a meeting with | have any meetings with | had any meetings with")) {
            sel = Sel::of(Noun::Event);
            sel.with = people::list(cursor, Place::Sure);
            sel.mine = true;
        } else {
            return Ok(false);
        }
        if sel.from.is_empty() && sel.to.is_empty() && sel.with.is_empty() {
            return Ok(false);
        }
    } else {
        let Some(who) = people::one(cursor, Place::Sure)
            .filter(|who| matches!(who, Who::Named { .. } | Who::They | Who::Address(_)))
        else {
            return Ok(false);
        };
        cursor.eat(&["already", "ever", "yet"]);
        if !cursor.eat_any(phrases!("send me | send | sent me | sent | write me | write to me | write | written to me | written | \
        wrote | email me | email | emailed me | emailed | reply to me | reply | replied to me | \
        replied | say | said | respond | responded | want | answer | answered | get back to me | \
        gotten back to me | written back | message me | tell me")) {
            return Ok(false);
        }
        cursor.eat_any(phrases!("anything | any emails | an email | to me | back | to my email | in the last email | \
        in the latest email | in their last email | a message | something | any email | any messages"));
        sel.from = vec![who];
    }
    for list in [&mut sel.from, &mut sel.to, &mut sel.with] {
        resolve_they(parse, list);
    }
    after::modifiers(cursor, &mut sel, QUESTION);
    parse.push(Request::new(
        Act::Query(if what { Ask::List } else { Ask::Any }),
        sel,
    ));
    Ok(true)
}

/// How many, how long altogether.
fn count<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    if cursor.eat_any(phrases!("how much time do i spend in | how much time will i spend in | how many hours do i have of | \
        how many hours of | how many hours am i in | how long am i in | how much time am i in | \
        how many hours do i spend in | how much time did i spend in | how many hours did i spend in | \
        how much of my time is in | how many hours will i spend in | how much time have i spent in | \
        how many hours have i spent in | how many minutes of | how much time is taken up by | \
        how many hours are taken up by | how much time do i have in | how many hours do i have in | \
        how many hours is")) {
        let Some(sel) = phrase(cursor, Some(Noun::Event), QUESTION) else {
            return Ok(false);
        };
        parse.push(Request::new(Act::Query(Ask::Total), sel));
        return Ok(true);
    }
    if cursor.eat_any(phrases!(
        "how long is | how long will | how long was | how long does | what is the length of | \
        what is the duration of | how long are"
    )) {
        let Some(sel) = phrase(cursor, Some(Noun::Event), QUESTION) else {
            return Ok(false);
        };
        if !matches!(sel.noun, Some(Noun::Event))
            || sel.title.is_some()
                && sel.det == Det::None
                && sel.with.is_empty()
                && !parse
                    .domains
                    .contains(&adjutant_domain::route::Domain::Calendar)
        {
            return Ok(false);
        }
        cursor.eat(&["last", "take", "go on", "be"]);
        parse.push(Request::new(Act::Query(Ask::Total), sel));
        return Ok(true);
    }
    if !cursor.eat_any(phrases!(
        "how many | what is the number of | what number of | the number of | how many of"
    )) {
        return Ok(false);
    }
    let Some(mut sel) = phrase(cursor, None, QUESTION) else {
        return Ok(false);
    };
    if matches!(sel.noun, None | Some(Noun::Any | Noun::Slot)) {
        return Ok(false);
    }
    sel.plural = true;
    sent_by_me(cursor, &mut sel);
    received_from(parse, cursor, &mut sel);
    parse.push(Request::new(Act::Query(Ask::Count), sel));
    Ok(true)
}

fn sent_by_me(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) {
    if sel.noun == Some(Noun::Mail)
        && cursor.eat(&["did i send", "have i sent", "did i write", "i sent"])
    {
        sel.mine = true;
        cursor.eat(&["to"]);
        sel.to.extend(people::list(cursor, Place::Sure));
        after::modifiers(cursor, sel, QUESTION);
    }
}

fn received_from(parse: &Parse<'_, '_>, cursor: &mut Cursor<'_, '_>, sel: &mut Sel) {
    let mut ahead = *cursor;
    if ahead.eat(&["did", "has", "have"])
        && sel.noun == Some(Noun::Mail)
        && let Some(who) = people::one(&mut ahead, Place::Sure)
        && ahead.eat_any(phrases!(
            "send me | sent me | send | sent | write | written"
        ))
    {
        let mut list = vec![who];
        resolve_they(parse, &mut list);
        sel.from.extend(list);
        *cursor = ahead;
        after::modifiers(cursor, sel, QUESTION);
    }
}

/// When is, when did I last, what time.
fn when<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    if !cursor.eat_any(phrases!("when | what time | at what time | what day | on what day | which day | what date | on which day")) {
        return Ok(false);
    }
    let last = |cursor: &mut Cursor<'_, '_>| cursor.eat(&["last"]);
    if cursor.eat_any(phrases!(
        "did i | have i | was the last time i | did we | was the last time we | had i | \
        was the last time that i"
    )) {
        let was_last = last(cursor) || cursor.at > 0;
        let mut sel = if cursor.eat_any(phrases!("meet with | meet | met with | met | see | saw | speak with | speak to | talk to | \
        catch up with | have a meeting with | had a meeting with | spoke with | spoke to | talked to | \
        met up with")) {
            Sel::of(Noun::Event)
        } else if cursor.eat_any(phrases!("hear from | heard from | get an email from | got an email from | hear back from | \
        receive an email from")) {
            Sel { noun: Some(Noun::Mail), ..Sel::default() }
        } else if cursor.eat_any(phrases!("email | emailed | write to | wrote to | contact | contacted | message | send an email to | \
        sent an email to")) {
            Sel { mine: true, ..Sel::of(Noun::Mail) }
        } else {
            return Ok(false);
        };
        let mut who = people::list(cursor, Place::Sure);
        if who.is_empty() {
            return Ok(false);
        }
        resolve_they(parse, &mut who);
        match (sel.noun, sel.mine) {
            (Some(Noun::Event), _) => sel.with = who,
            (_, true) => sel.to = who,
            _ => sel.from = who,
        }
        cursor.eat(&["last", "the last time"]);
        if was_last {
            sel.pick = Some(Pick::Latest(1));
            if sel.noun == Some(Noun::Event) {
                sel.states.push(State::Past);
            }
        }
        after::modifiers(cursor, &mut sel, QUESTION);
        parse.push(Request::new(Act::Query(Ask::When), sel));
        return Ok(true);
    }
    if cursor.eat_any(phrases!(
        "do i meet | am i meeting with | am i meeting | do i see | am i seeing | do i next meet | \
        am i next meeting | will i meet | will i see | do i have a meeting with | do we meet"
    )) {
        cursor.eat(&["with"]);
        let mut who = people::list(cursor, Place::Sure);
        if who.is_empty() {
            return Ok(false);
        }
        resolve_they(parse, &mut who);
        let mut sel = Sel {
            with: who,
            pick: Some(Pick::Next(1)),
            ..Sel::of(Noun::Event)
        };
        cursor.eat(&["next"]);
        after::modifiers(cursor, &mut sel, QUESTION);
        parse.push(Request::new(Act::Query(Ask::When), sel));
        return Ok(true);
    }
    cursor.eat_any(phrases!("is | are | was | were | does | do | will | did"));
    cursor.eat(&["i have", "i", "there"]);
    if birthday(cursor) {
        // A birthday may be remembered or stand in the calendar.
        let mut ahead = *cursor;
        ahead.eat(&["my", "the"]);
        if let Some(about) = super::change::rest(&mut ahead) {
            parse.push(Request::new(Act::Recall, Sel { about: Some(about), ..Sel::of(Noun::Memory) }));
        }
    }
    let Some(mut sel) = phrase(cursor, None, QUESTION) else {
        return Ok(false);
    };
    cursor.eat_any(phrases!("start | begin | happen | take place | end | finish | be | due | again | supposed to start | \
        supposed to be | scheduled for | scheduled | happening | taking place | set for | on"));
    after::modifiers(cursor, &mut sel, QUESTION);
    if sel.noun.is_none() {
        // "When is the budget review": a title; memories hold the rest ("when is my mother's birthday").
        if sel.title.is_none()
            || !parse
                .domains
                .contains(&adjutant_domain::route::Domain::Calendar)
        {
            return Ok(false);
        }
        sel.noun = Some(Noun::Event);
    }
    if !end_of_clause(cursor) {
        return Ok(false);
    }
    if matches!(
        sel.noun,
        Some(Noun::Slot | Noun::Contact | Noun::File | Noun::Memory)
    ) {
        return Ok(false);
    }
    if sel.noun == Some(Noun::Any) {
        sel.noun = Some(Noun::Event);
    }
    if sel.noun == Some(Noun::Event) && !sel.plural && sel.pick.is_none() && sel.pron.is_none() {
        sel.pick = Some(Pick::Next(1));
    }
    parse.push(Request::new(Act::Query(Ask::When), sel));
    Ok(true)
}

/// Who is attending, who emailed me, who is Kim.
fn who<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    if !cursor.eat(&["who", "whom", "with whom"]) {
        return Ok(false);
    }
    if cursor.eat_any(phrases!("emailed me | has emailed me | sent me emails | sent me an email | sent me email | wrote to me | \
        wrote me | has written to me | messaged me | sent me a message | sent me mail | \
        sent me messages | has sent me emails | has sent me an email")) {
        let mut sel = Sel::of(Noun::Mail);
        sel.plural = true;
        after::modifiers(cursor, &mut sel, QUESTION);
        parse.push(Request::new(Act::Query(Ask::Who), sel));
        return Ok(true);
    }
    if cursor.eat_any(phrases!(
        "sent me | sent | wrote | is it from | has sent me"
    )) && let Some(sel) = phrase(cursor, Some(Noun::Mail), QUESTION)
    {
        parse.push(Request::new(Act::Query(Ask::Who), sel));
        return Ok(true);
    }
    if cursor.eat_any(phrases!("am i meeting with | am i meeting | did i meet with | did i meet | do i meet with | do i meet | \
        am i seeing | did i see | will i meet | do i have meetings with | do i have a meeting with | \
        have i met | have i met with | am i having lunch with | am i supposed to meet | do i see | \
        is my next meeting with | is my first meeting with | is my last meeting with | \
        am i having a meeting with | are my meetings with | is my meeting with")) {
        let said = cursor.said.slice(cursor.at.saturating_sub(4)..cursor.at).to_lowercase();
        let mut sel = Sel::of(Noun::Event);
        sel.plural = true;
        if said.contains("next") {
            sel.pick = Some(Pick::Next(1));
        } else if said.contains("first") {
            sel.pick = Some(Pick::First(1));
        } else if said.contains("last") {
            sel.pick = Some(Pick::Last(1));
        }
        cursor.eat(&["with", "next"]);
        after::modifiers(cursor, &mut sel, QUESTION);
        parse.push(Request::new(Act::Query(Ask::Who), sel));
        return Ok(true);
    }
    if cursor.eat_any(phrases!(
        "is attending | is coming to | is invited to | is in | is at | is going to | will be at | \
        will attend | attends | is joining | was at | was in | attended | are the attendees of | \
        is part of | will be in | is on | are the guests of | are the participants of | \
        is going to be at | will be attending | did i invite to | have i invited to"
    )) && let Some(sel) = phrase(cursor, Some(Noun::Event), QUESTION)
    {
        parse.push(Request::new(Act::Query(Ask::Who), sel));
        return Ok(true);
    }
    if cursor.eat(&["is", "'s"]) {
        let who = people::list(cursor, Place::Sure);
        if !who.is_empty()
            && !who.contains(&Who::Me)
            && end_of_clause(cursor)
            && matches!(
                who.first(),
                Some(Who::Named { known: true, .. } | Who::Address(_) | Who::They)
            )
        {
            push_contact(parse, who, Ask::List);
            return Ok(true);
        }
    }
    Ok(false)
}

/// Where is my next meeting.
fn where_<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    if !cursor.eat_any(phrases!("where is | where are | where do i have | in which room is | what room is | which room is | \
        where will | where was | where is the location of | what is the location of | in what room is | \
        where does | where do i have to be for | where do i need to be for")) {
        return Ok(false);
    }
    let Some(sel) = phrase(cursor, None, QUESTION) else {
        return Ok(false);
    };
    cursor.eat_any(phrases!(
        "take place | happen | be | held | being held | taking place | in | happening"
    ));
    match sel.noun {
        Some(Noun::Event) => {
            parse.push(Request::new(Act::Query(Ask::Where), sel));
            Ok(true)
        }
        Some(Noun::File) => {
            keep::file(parse, sel, false);
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Do I have, are there, did I get.
fn have<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    let start = cursor.at;
    if !cursor.eat_any(phrases!("do i have | do we have | have i got | have i | are there | is there | did i get | \
        did i receive | did i have | have we got | were there | was there | will there be | \
        have i received | have i gotten | got | do i still have | do i already have | has there been | \
        do i currently have | will i have | have i had | any | am i in | do i get | have there been | \
        i have")) {
        return Ok(false);
    }
    if cursor
        .said
        .pieces
        .get(start)
        .is_some_and(|piece| piece.word == "any")
    {
        cursor.at = start;
    }
    cursor.eat_any(phrases!("already | still | currently | got | yet"));
    let Some(mut sel) = phrase(cursor, None, QUESTION) else {
        return Ok(false);
    };
    if sel.noun == Some(Noun::Slot) {
        times_into(cursor, &mut sel);
        let mut request = Request::new(Act::Free, sel);
        lift_minutes(parse, &mut request);
        parse.push(request);
        return Ok(true);
    }
    if matches!(sel.noun, None | Some(Noun::Any)) {
        if !sel.from.is_empty() {
            sel.noun = Some(Noun::Mail);
        } else if sel.states.contains(&State::Overdue) || sel.due {
            sel.noun = Some(Noun::Task);
        } else if parse
            .domains
            .contains(&adjutant_domain::route::Domain::Calendar)
            || !sel.when.is_empty() && sel.title.is_none()
        {
            sel.noun = Some(Noun::Event);
        } else {
            return Ok(false);
        }
    }
    let mut tail = *cursor;
    if tail.eat_any(phrases!(
        "left | remaining | going on | waiting | to do | pending | open | planned | scheduled | \
        coming up | booked"
    )) {
        *cursor = tail;
        after::modifiers(cursor, &mut sel, QUESTION);
    }
    if sel.noun == Some(Noun::Contact) {
        push_contact(parse, sel.with.clone(), Ask::Any);
        return Ok(true);
    }
    parse.push(Request::new(Act::Query(Ask::Any), sel));
    Ok(true)
}

/// What, which: everything else with a noun of its own.
fn what<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    if !cursor.eat(&["what", "which", "what kind of"]) {
        return Ok(false);
    }
    let be = cursor.eat_any(phrases!("is | are | was | were | 's"));
    // "What's on my shopping list": the note of that name.
    let mut list = *cursor;
    if be && list.eat(&["on my", "on the", "in my", "on our"]) {
        let start = list.at;
        while list.is_content(0) && list.at - start < 4 && list.word(0) != "list" {
            list.at += 1;
        }
        if list.at > start && list.eat(&["list"]) {
            let title = list.words(start..list.at);
            parse.push(Request::new(Act::Read, Sel { title, span: start..list.at, ..Sel::of(Noun::Note) }));
            *cursor = list;
            return Ok(true);
        }
    }
    if be
        && cursor.eat_any(phrases!(
            "in | inside | the content of | the contents of | written in | the text of"
        ))
        && let Some(sel) = phrase(cursor, None, QUESTION)
        && matches!(sel.noun, Some(Noun::Note | Noun::File | Noun::Mail))
    {
        let inbox = sel.noun == Some(Noun::Mail) && sel.plural;
        parse.push(Request::new(
            if inbox {
                Act::Query(Ask::List)
            } else {
                Act::Read
            },
            sel,
        ));
        return Ok(true);
    }
    if be
        && cursor.eat_any(phrases!(
            "new in my inbox | in my inbox | new in my email | in my mailbox | in my email | \
        new in my mail | in the inbox"
        ))
    {
        let mut sel = Sel::of(Noun::Mail);
        sel.folder = Some("inbox");
        if cursor.said.pieces[cursor.at.saturating_sub(4)..cursor.at]
            .iter()
            .any(|piece| piece.word == "new")
        {
            sel.states.push(State::Unread);
        }
        sel.plural = true;
        parse.push(Request::new(Act::Query(Ask::List), sel));
        return Ok(true);
    }
    // "What did I note about X".
    if !be && cursor.eat_any(phrases!("did i note about | did i note down about | did i write down about | did i jot down about | \
        did i write about | notes do i have about | have i written about")) {
        let Some(words) = super::change::rest(cursor) else { return Ok(false) };
        parse.push(Request::new(Act::Query(Ask::List), Sel { about: Some(words), ..Sel::of(Noun::Note) }));
        return Ok(true);
    }
    cursor.eat(&["of", "are all"]);
    let Some(mut sel) = phrase(cursor, None, QUESTION) else {
        return Ok(false);
    };
    if matches!(sel.noun, None | Some(Noun::Any | Noun::Memory)) {
        return Ok(false);
    }
    sent_by_me(cursor, &mut sel);
    received_from(parse, cursor, &mut sel);
    let ask = match sel.pick {
        Some(Pick::Longest) => Ask::Longest,
        Some(Pick::Shortest) => Ask::Shortest,
        _ => Ask::List,
    };
    if cursor.eat(&["about", "say", "says"]) && sel.noun == Some(Noun::Mail) {
        parse.push(Request::new(Act::Read, sel));
        return Ok(true);
    }
    match sel.noun {
        Some(Noun::File) => keep::file(parse, sel, false),
        Some(Noun::Slot) => {
            let mut request = Request::new(Act::Free, sel);
            lift_minutes(parse, &mut request);
            parse.push(request);
        }
        _ => parse.push(Request::new(Act::Query(ask), sel)),
    }
    Ok(true)
}

/// "What is my sister's name", "when does Ana's visa end": nothing of the calendar or mail, so perhaps remembered.
fn fact<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    if !cursor.eat_any(phrases!("what is | what are | who is | who are | where is | where are | when is | when are | what was | where was | where did | where does | what does | when does | what did | how old is | how tall is | which is | how do i | what do")) {
        return Ok(false);
    }
    let mut owned = *cursor;
    let mine = owned.eat(&["my", "our", "i"]);
    let named = !mine
        && people::one(&mut owned, Place::Maybe).is_some_and(|who| matches!(who, Who::Named { .. }))
        && (people::possessive(&owned) || owned.sees(&["like", "prefer", "live", "work", "want", "love", "hate", "drink", "eat", "need"]).is_some());
    if !mine && !named {
        return Ok(false);
    }
    if mine {
        cursor.at = owned.at;
    }
    let Some(about) = super::change::rest(cursor) else {
        return Ok(false);
    };
    parse.push(Request::new(Act::Recall, Sel { about: Some(about), ..Sel::of(Noun::Memory) }));
    Ok(true)
}

/// Show, list, find, read, open, count.
pub(super) fn show<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    verb: Verb,
) -> Read {
    cursor.eat_any(phrases!("me | out | up | for me | us | through | over"));
    cursor.eat_any(phrases!(
        "a list of | the list of | an overview of | a summary of | a rundown of"
    ));
    let mut inner = *cursor;
    filler::open(&mut inner);
    if read(parse, &mut inner)? {
        *cursor = inner;
        return Ok(());
    }
    if verb == Verb::Count {
        let mut sel = phrase(cursor, None, QUESTION).ok_or_else(|| parse.words(cursor))?;
        sel.plural = true;
        parse.push(Request::new(Act::Query(Ask::Count), sel));
        return Ok(());
    }
    if slots(parse, cursor) {
        return Ok(());
    }
    if let Some((who, ask)) = keep::detail(cursor) {
        push_contact(parse, vec![who], ask);
        return Ok(());
    }
    if searched(parse, cursor)? {
        return Ok(());
    }
    let Some(mut sel) = phrase(cursor, None, QUESTION) else {
        return Err(parse.words(cursor));
    };
    sent_by_me(cursor, &mut sel);
    if sel.noun == Some(Noun::Any) && !sel.from.is_empty() {
        sel.noun = Some(Noun::Mail);
    }
    let open = verb == Verb::Read && !sel.plural;
    let act = match sel.noun {
        Some(Noun::Slot) => {
            let mut request = Request::new(Act::Free, sel);
            lift_minutes(parse, &mut request);
            parse.push(request);
            return Ok(());
        }
        Some(Noun::File) => {
            keep::file(parse, sel, open || verb == Verb::Show && !cursor.is_done());
            return Ok(());
        }
        Some(Noun::Contact) => {
            let mut who = sel.with.clone();
            if let Some(words) = sel.title.clone().or_else(|| sel.about.clone()) {
                who.push(Who::Named {
                    name: words.text.clone(),
                    said: words.text,
                    known: false,
                });
            }
            push_contact(parse, who, Ask::List);
            return Ok(());
        }
        Some(Noun::Memory) => Act::Recall,
        None | Some(Noun::Any) if sel.pron.is_none() => {
            let domain = parse.domains;
            sel.noun = match domain {
                [adjutant_domain::route::Domain::Note] => Some(Noun::Note),
                [adjutant_domain::route::Domain::Email] => Some(Noun::Mail),
                [adjutant_domain::route::Domain::Calendar] => Some(Noun::Event),
                [adjutant_domain::route::Domain::Task] => Some(Noun::Task),
                _ => {
                    return Err(parse.words(&Cursor {
                        at: sel.span.start,
                        ..*cursor
                    }));
                }
            };
            if open {
                Act::Read
            } else {
                Act::Query(Ask::List)
            }
        }
        _ if open || sel.pron.is_some() => Act::Read,
        _ => Act::Query(match sel.pick {
            Some(Pick::Longest) => Ask::Longest,
            Some(Pick::Shortest) => Ask::Shortest,
            _ => Ask::List,
        }),
    };
    parse.push(Request::new(act, sel));
    Ok(())
}

/// "Find a slot of an hour with Ana", "find time for a call".
fn slots<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    ahead.eat_any(phrases!("a | an | some | my | all | any | the"));
    let mut sel = Sel::of(Noun::Slot);
    let mut request_minutes = None;
    if let Some((index, len)) = ahead.sees_time()
        && let Some(Value::Duration(length)) = ahead.said.times.get(index).map(|found| &found.value)
    {
        request_minutes = noun::minutes(length.seconds);
        ahead.at += len;
        ahead.eat(&["of"]);
    }
    if super::change::free_slot(cursor) {
        sel.pick = Some(Pick::First(1));
        ahead = *cursor;
    } else if !ahead.eat_any(phrases!("free slots | free slot | open slots | available slots | available times | slots | slot | \
        time slots | time slot | free time | open times | time | availability | openings | opening | \
        gaps | gap | free times | window")) {
        return false;
    }
    ahead.eat(&["in my calendar", "on my calendar", "of"]);
    free_rest(parse, &mut ahead, &mut sel);
    let mut request = Request::new(Act::Free, sel);
    lift_minutes(parse, &mut request);
    request.vals.minutes = request.vals.minutes.or(request_minutes);
    parse.push(request);
    *cursor = ahead;
    true
}

/// "Search my emails for the contract", "look through my notes for X".
fn searched<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    let mut ahead = *cursor;
    ahead.eat(&["in", "through", "inside"]);
    ahead.eat(&["all of", "all"]);
    ahead.eat(&["my", "the"]);
    let noun = if ahead.eat_any(phrases!(
        "emails | email | mails | mail | inbox | mailbox | messages"
    )) {
        Noun::Mail
    } else if ahead.eat(&["notes", "note"]) {
        Noun::Note
    } else if ahead.eat_any(phrases!(
        "files | documents | folder | folders | file | docs"
    )) {
        Noun::File
    } else if ahead.eat(&["calendar", "events", "meetings", "schedule"]) {
        Noun::Event
    } else if ahead.eat(&["tasks", "to do list", "task list"]) {
        Noun::Task
    } else if ahead.eat(&["contacts", "address book"]) {
        Noun::Contact
    } else {
        return Ok(false);
    };
    let mut sel = Sel {
        plural: true,
        ..Sel::of(noun)
    };
    if !ahead.eat(&["for", "to find"]) {
        return Ok(false);
    }
    ahead.eat_any(phrases!(
        "anything | everything | something | messages | emails | all"
    ));
    if !ahead.eat(ABOUT)
        && after::sees_noun(&ahead).is_none()
        && ahead.sees(&["from", "with"]).is_some()
    {
        after::modifiers(&mut ahead, &mut sel, QUESTION);
    } else {
        sel.about = after::text(&mut ahead, &[]);
        after::modifiers(&mut ahead, &mut sel, QUESTION);
    }
    *cursor = ahead;
    if noun == Noun::Contact {
        let who = sel.about.map(|words| Who::Named {
            name: words.text.clone(),
            said: words.text,
            known: false,
        });
        push_contact(parse, who.into_iter().collect(), Ask::List);
    } else if noun == Noun::File {
        keep::file(parse, sel, false);
    } else {
        parse.push(Request::new(Act::Query(Ask::List), sel));
    }
    Ok(true)
}
