//! Questions with a question word: how many, when, who, where, which.

use super::after;
use super::ask::{Part, QUESTION, birthday, end_of_clause, push_contact, times_into};
use super::clause::Parse;
use super::condition::resolve_they;
use super::cursor::Cursor;
use super::free::lift_minutes;
use super::keep;
use super::lexicon::{Noun, State};
use super::model::{Act, Ask, Det, Pick, Request, Sel, Who};
use super::noun::phrase;
use super::people::{self, Place};
use super::table::phrases;

/// How many, how long altogether.
pub(super) fn count<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
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

pub(super) fn sent_by_me(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) {
    if sel.noun == Some(Noun::Mail)
        && cursor.eat(&["did i send", "have i sent", "did i write", "i sent"])
    {
        sel.mine = true;
        cursor.eat(&["to"]);
        sel.to.extend(people::list(cursor, Place::Sure));
        after::modifiers(cursor, sel, QUESTION);
    }
}

pub(super) fn received_from(parse: &Parse<'_, '_>, cursor: &mut Cursor<'_, '_>, sel: &mut Sel) {
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
        "is the next time i see | is the next time i meet with | is the next time i meet | is the next time we meet with | do i meet | am i meeting with | am i meeting | do i see | am i seeing | do i next meet | \
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
fn day_bounds<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
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
fn without_verb(sel: &mut Sel) {
    if let Some(words) = sel.title.as_mut().filter(|words| !words.quoted)
        && let Some((title, "start" | "begin" | "end" | "finish" | "happen")) =
            words.text.rsplit_once(' ')
    {
        words.text = title.to_owned();
    }
}

/// Who is attending, who emailed me, who is Kim.
pub(super) fn who<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    if !cursor.eat(&["who", "whom", "with whom"]) {
        return Ok(false);
    }
    if cursor.eat_any(phrases!(
        "works at | works for | do i know at | works in | is at the company | is employed at | do i have at"
    )) {
        let Some(place) = super::change::rest(cursor) else {
            return Ok(false);
        };
        let mut request = Request::new(
            Act::Query(Ask::List),
            Sel {
                place: Some(place),
                ..Sel::of(Noun::Contact)
            },
        );
        request.span = cursor.at..cursor.end;
        parse.push(request);
        return Ok(true);
    }
    if cursor.eat_any(phrases!("emails me the most | writes to me the most | sends me the most emails | emails me most | writes me the most | \
        sends me most emails | sends me the most mail | writes to me most | emailed me the most | emailed me | has emailed me | sent me emails | sent me an email | sent me email | wrote to me | \
        wrote me | has written to me | messaged me | sent me a message | sent me mail | \
        sent me messages | has sent me emails | has sent me an email")) {
        let mut sel = Sel::of(Noun::Mail);
        sel.plural = true;
        after::modifiers(cursor, &mut sel, QUESTION);
        parse.push(Request::new(Act::Query(Ask::Who), sel));
        return Ok(true);
    }
    let mut about = *cursor;
    if about.eat_any(phrases!(
        "wrote to me | wrote me | wrote | emailed me | emailed | has written | mailed me | sent me something | sent something"
    )) && about.sees_any(&super::joints::ABOUT).is_some()
    {
        let mut sel = Sel {
            plural: true,
            ..Sel::of(Noun::Mail)
        };
        after::modifiers(&mut about, &mut sel, QUESTION);
        parse.push(Request::new(Act::Query(Ask::Who), sel));
        *cursor = about;
        return Ok(true);
    }
    if cursor.eat_any(phrases!(
        "sent me | sent | wrote | is it from | has sent me"
    )) && let Some(sel) = phrase(cursor, Some(Noun::Mail), QUESTION)
    {
        parse.push(Request::new(Act::Query(Ask::Who), sel));
        return Ok(true);
    }
    if cursor.eat_any(phrases!("have i got meetings with | have i got a meeting with | am i meeting with | am i meeting | did i meet with | did i meet | do i meet with | do i meet | \
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
pub(super) fn where_<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
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
    let mut sel = sel;
    if sel.noun.is_none() && !sel.when.is_empty() {
        sel.noun = Some(Noun::Event);
    }
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
pub(super) fn have<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    let mut seeing = *cursor;
    if seeing.eat_any(phrases!(
        "am i seeing | am i meeting with | am i meeting | do i see | do i meet with | do i meet | will i see | will i meet | \
        am i having a meeting with"
    )) {
        let mut with = people::list(&mut seeing, Place::Sure);
        if !with.is_empty() {
            resolve_they(parse, &mut with);
            let mut sel = Sel {
                with,
                plural: true,
                ..Sel::of(Noun::Event)
            };
            after::modifiers(&mut seeing, &mut sel, QUESTION);
            parse.push(Request::new(Act::Query(Ask::Any), sel));
            *cursor = seeing;
            return Ok(true);
        }
    }
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
        let mut who = sel.with.clone();
        who.extend(sel.title.take().map(|words| Who::Named {
            name: words.text.clone(),
            said: words.text,
            known: false,
        }));
        push_contact(parse, who, Ask::Any);
        return Ok(true);
    }
    parse.push(Request::new(Act::Query(Ask::Any), sel));
    Ok(true)
}

/// What, which: everything else with a noun of its own.
pub(super) fn what<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    if !cursor.eat(&["what", "which", "what kind of"]) {
        return Ok(false);
    }
    // "What does my packing note say".
    let mut says = *cursor;
    if says.eat(&["does", "do", "did"])
        && let Some(sel) = phrase(&mut says, None, QUESTION)
        && matches!(sel.noun, Some(Noun::Note | Noun::Mail | Noun::File))
        && says.eat(&["say", "contain", "hold", "read", "include"])
    {
        parse.push(Request::new(Act::Read, sel));
        *cursor = says;
        return Ok(true);
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
            parse.push(Request::new(
                Act::Read,
                Sel {
                    title,
                    span: start..list.at,
                    ..Sel::of(Noun::Note)
                },
            ));
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
    // "What's in my drafts".
    if be && let Some(((noun, folder), len)) = cursor.sees_in(&after::PLACES)
        && folder.is_some()
    {
        cursor.at += len;
        let mut sel = Sel {
            noun,
            folder,
            plural: true,
            ..Sel::default()
        };
        after::modifiers(cursor, &mut sel, QUESTION);
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
