//! Questions that ask who and where.

use super::after;
use super::ask::{Part, QUESTION, end_of_clause, push_contact};
use super::clause::Parse;
use super::cursor::Cursor;
use super::keep;
use super::lexicon::Noun;
use super::model::{Act, Ask, Pick, Request, Sel, Who};
use super::noun::phrase;
use super::people::{self, Place};
use super::table::phrases;

/// "Is Bob invited to the budget review", "do Will and I have anything next week": whether somebody takes part.
pub(super) fn takes_part<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    let mut ahead = *cursor;
    if !ahead.eat(&["is", "are", "was", "were", "will", "do", "does", "have"]) {
        return Ok(false);
    }
    let mut who = people::list(&mut ahead, Place::Known);
    if who.is_empty() {
        return Ok(false);
    }
    let both = ahead.eat(&["and i have", "and i got", "and me have"]);
    let mut sel = if both {
        ahead.eat(&["got"]);
        let Some(sel) = phrase(&mut ahead, Some(Noun::Event), QUESTION) else {
            return Ok(false);
        };
        ahead.eat(&["together", "with each other", "in common"]);
        let together = |words: &super::model::Words| words.text.eq_ignore_ascii_case("together");
        Sel {
            plural: true,
            title: sel.title.filter(|words| !together(words)),
            ..sel
        }
    } else if ahead.eat_any(phrases!(
        "invited to | attending | coming to | in | part of | going to | on the invite for | on the invite to | a guest at | expected at | \
        on the list for | taking part in | joining"
    )) {
        match phrase(&mut ahead, Some(Noun::Event), QUESTION) {
            Some(sel) if sel.is_narrowed() || sel.pron.is_some() => sel,
            _ => return Ok(false),
        }
    } else {
        return Ok(false);
    };
    after::modifiers(&mut ahead, &mut sel, QUESTION);
    if !matches!(sel.noun, Some(Noun::Event | Noun::Any)) || !end_of_clause(&ahead) {
        return Ok(false);
    }
    sel.noun = Some(Noun::Event);
    sel.with.append(&mut who);
    parse.push(Request::new(Act::Query(Ask::Any), sel));
    *cursor = ahead;
    Ok(true)
}

/// Who is attending, who emailed me, who is Kim.
pub(super) fn who<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    if !cursor.eat(&["who else", "who", "whom", "with whom"]) {
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
    // "Who am I having lunch with tomorrow".
    let mut meal = *cursor;
    if meal.eat(&[
        "am i having",
        "are we having",
        "am i going to",
        "am i getting",
        "did i have",
    ]) && let Some(((Noun::Event, super::lexicon::Use::Titled), len)) =
        meal.sees_in(&super::lexicon::NOUNS)
    {
        let title = meal.words(meal.at..meal.at + len);
        meal.at += len;
        if meal.eat(&["with"]) {
            let mut sel = Sel {
                title,
                ..Sel::of(Noun::Event)
            };
            after::modifiers(&mut meal, &mut sel, QUESTION);
            parse.push(Request::new(Act::Query(Ask::Who), sel));
            *cursor = meal;
            return Ok(true);
        }
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
        // Who somebody is to the person stands in no address book, but may have been told.
        let told = cursor
            .peek(0)
            .is_some_and(|piece| piece.form == super::said::Form::Word);
        let name = *cursor;
        let who = people::list(cursor, Place::Sure);
        if !who.is_empty()
            && !who.contains(&Who::Me)
            && end_of_clause(cursor)
            && matches!(
                who.first(),
                Some(Who::Named { known: true, .. } | Who::Address(_) | Who::They)
            )
        {
            // Shown last, as "call her" speaks of the contact.
            if told
                && let [Who::Named { .. }] = who.as_slice()
                && let Some(about) = name.words(name.at..cursor.at)
            {
                super::noted::remembered(parse, about);
            }
            push_contact(parse, who, Ask::List);
            return Ok(true);
        }
        *cursor = name;
        if super::noted::given_name(cursor) {
            return super::noted::look_up_rest(parse, cursor);
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
