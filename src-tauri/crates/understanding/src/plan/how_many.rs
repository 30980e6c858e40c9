//! How many there are, how long they take altogether, how often somebody wrote.

use super::after;
use super::ask::{Part, QUESTION};
use super::clause::Parse;
use super::condition::resolve_they;
use super::cursor::Cursor;
use super::lexicon::{Noun, State};
use super::model::{Act, Ask, Det, Pick, Request, Sel};
use super::noun::phrase;
use super::people::{self, Place};
use super::table::phrases;
use super::which::{received_from, sent_by_me};

/// How many, how long altogether.
pub(super) fn count<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    if cursor.eat_any(phrases!("how much time do i spend in | how much time will i spend in | how many hours do i have of | \
        how many hours of | how many hours am i in | how long am i in | how much time am i in | \
        how many hours do i spend in | how much time did i spend in | how many hours did i spend in | \
        how much of my time is in | how many hours will i spend in | how much time have i spent in | \
        how many hours have i spent in | how many minutes of | what is the total time of | what is the total length of | what is the total duration of | \
        what was the total time of | how much time is taken up by | \
        how many hours are taken up by | how much time do i have in | how many hours do i have in | \
        how many hours is")) {
        let Some(sel) = phrase(cursor, Some(Noun::Event), QUESTION) else {
            return Ok(false);
        };
        parse.push(Request::new(Act::Query(Ask::Total), sel));
        return Ok(true);
    }
    // "How much time will I spend with Dave this week".
    if cursor.eat_any(phrases!(
        "how much time will i spend with | how much time did i spend with | how much time do i spend with | how much time have i spent with | \
        how many hours will i spend with | how many hours did i spend with | how many hours have i spent with"
    )) {
        let mut with = people::list(cursor, Place::Sure);
        if with.is_empty() {
            return Ok(false);
        }
        resolve_they(parse, &mut with);
        let mut sel = Sel {
            with,
            plural: true,
            ..Sel::of(Noun::Event)
        };
        after::modifiers(cursor, &mut sel, QUESTION);
        parse.push(Request::new(Act::Query(Ask::Total), sel));
        return Ok(true);
    }
    if cursor.eat_any(phrases!(
        "how long is | how long will | how long was | how long does | what is the length of | \
        what is the duration of | how long are"
    )) {
        let Some(mut sel) = phrase(cursor, Some(Noun::Event), QUESTION) else {
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
        // "How long is my meeting with Kofi": the next one, which is told with its times.
        if !sel.plural
            && !sel.all
            && sel.pick.is_none()
            && sel.pron.is_none()
            && sel.when.is_empty()
        {
            sel.pick = Some(Pick::Next(1));
            parse.push(Request::new(Act::Query(Ask::When), sel));
            return Ok(true);
        }
        parse.push(Request::new(Act::Query(Ask::Total), sel));
        return Ok(true);
    }
    if cursor.eat_any(phrases!(
        "how many times have i met with | how many times have i met | how many times did i meet with | how many times did i meet | \
        how many times do i meet with | how many times do i meet | how often have i met | how often did i meet | \
        how many times am i meeting | how many times have i seen | how many times did i see | how often do i meet"
    )) {
        cursor.eat(&["with"]);
        let mut who = people::list(cursor, Place::Sure);
        if who.is_empty() {
            return Ok(false);
        }
        resolve_they(parse, &mut who);
        let mut sel = Sel {
            with: who,
            plural: true,
            ..Sel::of(Noun::Event)
        };
        after::modifiers(cursor, &mut sel, QUESTION);
        parse.push(Request::new(Act::Query(Ask::Count), sel));
        return Ok(true);
    }
    // "How often did Tom write to me in February".
    let mut often = *cursor;
    if often.eat_any(phrases!(
        "how often did | how often has | how many times did | how many times has"
    )) {
        let from = people::list(&mut often, Place::Sure);
        let wrote = often.eat_any(phrases!(
            "write to me | write me | email me | mail me | message me | written to me | emailed me | mailed me | write | contact me | \
            contacted me | send me an email | send me a mail | sent me an email | get in touch"
        ));
        if !from.is_empty() && wrote {
            let mut sel = Sel {
                from,
                plural: true,
                ..Sel::of(Noun::Mail)
            };
            after::modifiers(&mut often, &mut sel, QUESTION);
            *cursor = often;
            parse.push(Request::new(Act::Query(Ask::Count), sel));
            return Ok(true);
        }
    }
    if cursor.eat_any(phrases!(
        "how many things did i finish | how many things did i complete | how many things have i finished | how many things did i get done | \
        how many things have i completed | how many things have i done | how much did i get done | how many things did i do"
    )) {
        let mut sel = Sel {
            plural: true,
            states: vec![State::Done],
            ..Sel::of(Noun::Task)
        };
        after::modifiers(cursor, &mut sel, QUESTION);
        parse.push(Request::new(Act::Query(Ask::Count), sel));
        return Ok(true);
    }
    if cursor.eat_any(phrases!(
        "how long until | how long till | how long before | how long is it until | how much time do i have until | how much time do i have before | \
        how much time until | how long do i have until | how long do i have before | how much time is left until | how many minutes until"
    )) {
        let Some(mut sel) = phrase(cursor, Some(Noun::Event), QUESTION) else {
            return Ok(false);
        };
        if sel.noun != Some(Noun::Event) || !sel.said || sel.plural {
            return Ok(false);
        }
        if sel.pick.is_none() {
            sel.pick = Some(Pick::Next(1));
        }
        parse.push(Request::new(Act::Query(Ask::When), sel));
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
