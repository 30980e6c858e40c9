//! Questions with a question word: how many, when, who, where, which.

use super::after;
use super::ask::{Part, QUESTION, push_contact, times_into};
use super::clause::Parse;
use super::condition::resolve_they;
use super::cursor::Cursor;
use super::filler;
use super::free::lift_minutes;
pub(super) use super::how_many::count;
use super::keep;
use super::lexicon::{Noun, State};
use super::model::{Act, Ask, Pick, Request, Sel, Who};
use super::noun::phrase;
use super::people::{self, Place};
use super::table::phrases;

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
    if let Some(sel) = clashing(cursor) {
        parse.push(Request::new(Act::Query(Ask::Any), sel));
        return Ok(true);
    }
    let start = cursor.at;
    // "Move the stand-up to 10, I have to see the dentist": told, and nothing asked.
    let told = matches!(cursor.word(0), "i" | "we") && cursor.word(1) == "have";
    if told
        && !parse.requests.is_empty()
        && !cursor.said.pieces[cursor.at..]
            .iter()
            .any(|piece| piece.word == "?")
    {
        return Ok(false);
    }
    if !cursor.eat_any(phrases!("have i already got | have we already got | have i already | do we already have | have you got | do i have | do we have | have i got | have i | are there | is there | did i get | \
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
    // "Do I have more than two meetings tomorrow": how many there are answers it.
    let mut compared = *cursor;
    if super::compared::compared(&mut compared).is_some()
        && let Some(sel) = phrase(&mut compared, None, QUESTION)
        && matches!(sel.noun, Some(Noun::Event | Noun::Mail | Noun::Task))
        && sel.said
    {
        parse.push(Request::new(
            Act::Query(Ask::Count),
            Sel {
                plural: true,
                ..sel
            },
        ));
        *cursor = compared;
        return Ok(true);
    }
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

/// "Do any of my meetings on Thursday overlap", "does anything clash tomorrow".
fn clashing(cursor: &mut Cursor<'_, '_>) -> Option<Sel> {
    let mut ahead = *cursor;
    ahead
        .eat(&["do", "does", "did", "will", "are", "is"])
        .then_some(())?;
    let mut sel = phrase(&mut ahead, Some(Noun::Event), QUESTION)?;
    if !sel.states.contains(&State::Clashing) {
        ahead
            .eat(&[
                "overlap",
                "clash",
                "conflict",
                "collide",
                "overlapping",
                "clashing",
                "in conflict",
                "conflicting",
            ])
            .then_some(())?;
        sel.states.push(State::Clashing);
    }
    ahead.eat(&["with each other", "with one another", "each other"]);
    after::modifiers(&mut ahead, &mut sel, QUESTION);
    if !matches!(sel.noun, Some(Noun::Event | Noun::Any)) {
        return None;
    }
    sel.noun = Some(Noun::Event);
    sel.plural = true;
    *cursor = ahead;
    Some(sel)
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
    let mut inside = *cursor;
    if be
        && inside.eat_any(phrases!(
            "in | inside | the content of | the contents of | written in | the text of"
        ))
        && let Some(sel) = phrase(&mut inside, None, QUESTION)
        && matches!(sel.noun, Some(Noun::Note | Noun::File | Noun::Mail))
    {
        *cursor = inside;
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
    if be
        && let Some(((noun, folder), len)) = cursor.sees_in(&super::places::PLACES)
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
    // "What did I write in my note on the garden".
    let mut wrote = *cursor;
    if !be
        && wrote.eat_any(phrases!(
            "did i write in | did i write down in | did i put in | did i note in | did i jot down in | have i written in | have i put in | \
            have i got in | do i have in | is written in | did i say in"
        ))
        && let Some(sel) = phrase(&mut wrote, None, QUESTION)
        && sel.noun == Some(Noun::Note)
        && sel.is_narrowed()
        && !sel.plural
    {
        parse.push(Request::new(Act::Read, sel));
        *cursor = wrote;
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
    still(cursor, &mut sel);
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

/// "Which mails are still unread from last week": their state, and what else is said behind it.
fn still(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) {
    let mut ahead = *cursor;
    if !ahead.eat_any(phrases!("are still | is still | are currently | are | is")) {
        return;
    }
    let Some(state) = ahead.take(&super::lexicon::STATES) else {
        return;
    };
    let mut more = sel.clone();
    more.states.push(state);
    super::after::modifiers(&mut ahead, &mut more, QUESTION);
    if filler::only_closers(&ahead) {
        *sel = more;
        *cursor = ahead;
    }
}
