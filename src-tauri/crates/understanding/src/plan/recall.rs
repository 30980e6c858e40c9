//! Questions about what was told: facts, codes, preferences, where something was put.

use super::ask::{Part, QUESTION};
use super::clause::Parse;
use super::cursor::Cursor;
use super::filler;
use super::lexicon::Noun;
use super::model::{Act, Ask, Request, Sel, Who};
use super::noun::phrase;
use super::people::{self, Place};
use super::said::Form;
use super::table::phrases;

/// "What do you know about my car", "what is my wifi password".
pub(super) fn remembered<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    let mut sel = Sel::of(Noun::Memory);
    if cursor.eat_any(phrases!(
        "what do i need to remember about | what do you remember about | what do you know about | what did i tell you about | \
        what have i told you about | what did i say about | do you remember | do you know | \
        what do you recall about | recall | what do you have on | \
        what did i ask you to remember about | did i tell you about | did i mention | \
        have i told you about | what have you saved about | where did i say i | when did i say i | what did i say my | what did i tell you my | \
        where did i tell you i | who did i say | which did i say"
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
        "what do my notes say about | what does my note say about | what do i have in my notes about | what is in my notes about | \
        is there anything in my notes about | do my notes say anything about | do my notes mention | do i have anything in my notes about | \
        what do my notes have on | do i have a note on | do i have notes on | what have i got in my notes about"
    )) {
        cursor.eat(&["my", "the"]);
        let Some(words) = super::change::rest(cursor) else {
            return Ok(false);
        };
        parse.push(Request::new(
            Act::Query(Ask::List),
            Sel {
                about: Some(words),
                ..Sel::of(Noun::Note)
            },
        ));
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
    if preferred(parse, cursor)? {
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
    // "Where is my 2pm" is an event, "what is my busiest day next week" is asked of the calendar.
    let dated = (cursor.at..cursor.end).any(|at| match cursor.said.pieces[at].form {
        Form::Time(index) => cursor
            .said
            .times
            .get(index)
            .is_some_and(|found| found.has_day),
        _ => false,
    });
    if cursor.sees_time().is_some() || dated {
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

/// "Which seat do I prefer on planes", "what size of shoes do I wear": what the person said of themselves.
pub(super) fn preferred<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    let mut ahead = *cursor;
    if !ahead.eat(&[
        "which",
        "what",
        "what kind of",
        "which kind of",
        "what sort of",
    ]) {
        return Ok(false);
    }
    let mut said = ahead;
    let told = (ahead.at + 1..ahead.end.min(ahead.at + 5)).any(|at| {
        said.at = at;
        said.sees_any(phrases!(
            "do i prefer | do i like | do i usually | do i normally | do i wear | do i drink | do i want | am i allergic to | do i usually drink | \
            do i usually eat | do i love | do i hate | do i use | do i take | did i say i | did i tell you"
        ))
        .is_some()
    });
    let kept = (ahead.at..ahead.end).any(|at| {
        matches!(cursor.said.pieces[at].form, Form::Time(_))
            || super::lexicon::NOUNS
                .at(&cursor.said.pieces[..cursor.end], at)
                .is_some()
    });
    if !told || kept {
        return Ok(false);
    }
    *cursor = ahead;
    recall(parse, cursor)
}

pub(super) fn birthday(cursor: &Cursor<'_, '_>) -> bool {
    (cursor.at..cursor.end).any(|at| {
        matches!(
            cursor.said.pieces[at].word.as_str(),
            "birthday" | "anniversary"
        )
    })
}

/// "What's the alarm code", "what is the draft beer brand": a noun of ours that only tells which code or brand is meant.
pub(super) fn compound<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    if !cursor.eat_any(phrases!(
        "what is the | what was the | what 's the | what are the"
    )) && !cursor.eat_any(phrases!("what is our | what was our | what are our"))
    {
        return Ok(false);
    }
    let start = *cursor;
    let mut run = 0;
    while run < 4 && cursor.is_content(run) {
        run += 1;
    }
    let mut behind = *cursor;
    behind.at += run;
    let mut last = *cursor;
    last.at += run.saturating_sub(1);
    let mut first = *cursor;
    let tells = first
        .take(&super::lexicon::NOUNS)
        .is_some_and(|(_, used)| used == super::lexicon::Use::Plain)
        && first.at < behind.at;
    if run < 2
        || !tells
        || last.sees_in(&super::lexicon::NOUNS).is_some()
        || !last.peek(0).is_some_and(|piece| is_kept(&piece.base))
        || !filler::only_closers(&behind)
    {
        *cursor = start;
        return Ok(false);
    }
    super::noted::look_up_rest(parse, cursor)
}

/// What is remembered about the rest.
pub(super) fn recall<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    let Some(about) = super::change::rest(cursor) else {
        return Ok(false);
    };
    parse.push(Request::new(
        Act::Recall,
        Sel {
            about: Some(about),
            ..Sel::of(Noun::Memory)
        },
    ));
    Ok(true)
}

/// Things people keep in mind about something.
pub(super) fn is_kept(word: &str) -> bool {
    matches!(
        word,
        "code"
            | "password"
            | "pin"
            | "number"
            | "combination"
            | "key"
            | "name"
            | "brand"
            | "size"
            | "colour"
            | "color"
            | "passphrase"
            | "id"
            | "serial"
            | "passcode"
            | "model"
            | "provider"
            | "rate"
            | "fee"
    )
}

/// "What is my sister's name", "when does Ana's visa end": nothing of the calendar or mail, so perhaps remembered.
pub(super) fn fact<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    // "Do you know when my contract ends".
    let mut told = *cursor;
    if parse.wonders
        && told.eat(&["when", "where", "what", "who", "which"])
        && told.eat(&["my", "our"])
        && super::after::sees_noun(&told).is_none_or(|noun| noun == Noun::Memory)
        && !(told.at..told.end).any(|at| matches!(told.said.pieces[at].form, Form::Time(_)))
    {
        *cursor = told;
        return recall(parse, cursor);
    }
    if !cursor.eat_any(phrases!("what is | what are | who is | who are | where is | where are | when is | when are | what was | where was | where did | where does | what does | when does | what did | how old is | how tall is | which is | how do i | what do | what am | where do | where am | who do | how tall am | how old am | when did | who does")) {
        return Ok(false);
    }
    // "What's the name of Grace's daughter".
    let mut named_of = *cursor;
    if named_of.eat(&[
        "the name of",
        "the names of",
        "the birthday of",
        "the age of",
        "the colour of",
        "the color of",
        "the size of",
    ]) && (named_of.sees(&["my", "our"]).is_some()
        || people::one(&mut { named_of }, Place::Known)
            .is_some_and(|who| matches!(who, Who::Named { known: true, .. })))
    {
        return super::noted::look_up_rest(parse, cursor);
    }
    let mut owned = *cursor;
    let mine = owned.eat(&["my", "our", "i"]);
    let named = !mine
        && people::one(&mut owned, Place::Maybe)
            .is_some_and(|who| matches!(who, Who::Named { .. }))
        && (people::possessive(&owned)
            || owned
                .sees(&[
                    "like", "prefer", "live", "work", "want", "love", "hate", "drink", "eat",
                    "need", "allergic", "into", "called", "from", "born", "named", "afraid",
                    "married", "do for", "drive", "play", "wear", "use",
                ])
                .is_some());
    // "Who does Messi play for", "where is Pelé from": of whom the person does not know, the world does.
    let of_the_world = (cursor.at >= 2
        && cursor.said.pieces[cursor.at - 2].word == "who"
        && cursor.said.pieces[cursor.at - 1].word == "does"
        || owned.sees(&["from"]).is_some())
        && !super::noted::is_acquainted(cursor);
    let named = !of_the_world && (named || !mine && super::noted::bare_name(cursor));
    let mut told = *cursor;
    let known = !mine
        && !named
        && parse
            .domains
            .contains(&adjutant_domain::route::Domain::Memory)
        && told.eat(&["the"])
        && told.is_content(0);
    if known {
        owned.at = told.at;
    }
    if !mine && !named && !known {
        return Ok(false);
    }
    if mine || known {
        cursor.at = owned.at;
    }
    // What a day holds is not remembered but entered.
    let dated = (cursor.at..cursor.end).any(|at| match cursor.said.pieces[at].form {
        Form::Time(index) => cursor
            .said
            .times
            .get(index)
            .is_some_and(|found| found.has_day),
        _ => false,
    });
    if dated {
        return Ok(false);
    }
    if named || known {
        return super::noted::look_up_rest(parse, cursor);
    }
    recall(parse, cursor)
}
