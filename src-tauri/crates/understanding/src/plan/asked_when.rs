//! Questions that ask when.

use super::after;
use super::ask::{Part, QUESTION, birthday, end_of_clause};
use super::clause::Parse;
use super::condition::resolve_they;
use super::cursor::Cursor;
use super::lexicon::{Noun, State};
use super::model::{Act, Ask, Pick, Request, Sel, Who};
use super::noun::phrase;
use super::people::{self, Place};
use super::table::phrases;

/// When is, when did I last, what time.
pub(super) fn when<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    if !cursor.eat_any(phrases!("when | what time | at what time | what day | on what day | which day | what date | on which day")) {
        return Ok(false);
    }
    // "When did Nadia last write to me".
    let mut other = *cursor;
    if other.eat(&["did", "was the last time", "has"])
        && let Some(who) = people::one(&mut other, Place::Sure)
            .filter(|who| matches!(who, Who::Named { .. } | Who::They | Who::Address(_)))
    {
        other.eat(&["last", "ever"]);
        if other.eat_any(phrases!("write to me | wrote to me | email me | emailed me | write me | wrote me | write | email | \
            contact me | contacted me | send me an email | sent me an email | send me a mail | reply to me | replied to me | \
            message me | get in touch"))
        {
            let mut from = vec![who];
            resolve_they(parse, &mut from);
            let mut sel = Sel {
                from,
                pick: Some(Pick::Latest(1)),
                ..Sel::of(Noun::Mail)
            };
            other.eat(&["last", "the last time"]);
            *cursor = other;
            after::modifiers(cursor, &mut sel, QUESTION);
            parse.push(Request::new(Act::Query(Ask::When), sel));
            return Ok(true);
        }
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
        "is the next time i am seeing | is the next time i am meeting with | is the next time i am meeting | is the next time i will see | is the next time we see | is the next time i see | is the next time i meet with | is the next time i meet | is the next time we meet with | do i meet | am i meeting with | am i meeting | do i see | am i seeing | do i next meet | \
        am i next meeting with | am i next meeting | am i next seeing | will i next see | will i next meet | will i next meet with | do i next see | do i next have a meeting with | do i next meet with | am i going to see | am i going to meet | is my next meeting with | will i meet | will i see | do i have a meeting with | do we meet"
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
    if day_bounds(parse, cursor) {
        return Ok(true);
    }
    cursor.eat_any(phrases!("is | are | was | were | does | do | will | did"));
    cursor.eat(&["i have", "i", "there"]);
    if birthday(cursor) {
        // A birthday may be remembered or stand in the calendar.
        let mut ahead = *cursor;
        ahead.eat(&["my", "the"]);
        if let Some(about) = super::change::rest(&mut ahead) {
            parse.push(Request::new(
                Act::Recall,
                Sel {
                    about: Some(about),
                    ..Sel::of(Noun::Memory)
                },
            ));
        }
    }
    let Some(mut sel) = phrase(cursor, None, QUESTION) else {
        return Ok(false);
    };
    // "Find out when the next board meeting is".
    cursor.eat_any(phrases!("is | are | was | were | will be"));
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
    without_verb(&mut sel);
    parse.push(Request::new(Act::Query(Ask::When), sel));
    Ok(true)
}

/// "When does my day start", "when will I be done tomorrow": the first and the last event of it.
pub(super) fn day_bounds<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    // "My day" is a time of its own.
    let mut day = *cursor;
    if day.eat(&["does", "will"])
        && day.sees_time().is_some_and(|(_, len)| {
            cursor
                .said
                .slice(day.at..day.at + len)
                .eq_ignore_ascii_case("my day")
        })
    {
        day.time();
        let first = day.eat(&["start", "begin"]);
        if first || day.eat(&["end", "finish"]) {
            *cursor = day;
            return bounds(parse, cursor, first);
        }
    }
    let first = cursor.eat_any(phrases!(
        "does my day start | does my day begin | do i start | is my day starting | do i have to start | does work start"
    ));
    if !first
        && !cursor.eat_any(phrases!(
            "will i be done | am i done | does my day end | do i finish | will i be finished | am i finished | do i get off"
        ))
    {
        return false;
    }
    bounds(parse, cursor, first)
}

/// The first or the last event of a day.
fn bounds<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>, first: bool) -> bool {
    let mut sel = Sel {
        pick: Some(if first { Pick::First(1) } else { Pick::Last(1) }),
        today: true,
        ..Sel::of(Noun::Event)
    };
    after::modifiers(cursor, &mut sel, QUESTION);
    parse.push(Request::new(Act::Query(Ask::When), sel));
    true
}

/// "The offsite end": the verb of the question is no part of the title.
pub(super) fn without_verb(sel: &mut Sel) {
    let verb = |text: &str| matches!(text, "start" | "begin" | "end" | "finish" | "happen");
    if sel
        .title
        .as_ref()
        .is_some_and(|words| !words.quoted && verb(&words.text))
    {
        sel.title = None;
    }
    if let Some(words) = sel.title.as_mut().filter(|words| !words.quoted)
        && let Some((title, last)) = words.text.rsplit_once(' ')
        && verb(last)
    {
        words.text = title.to_owned();
    }
}
