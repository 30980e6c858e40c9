//! Requests to show, find, read and open.

use super::after;
use super::ask::{Part, QUESTION, push_contact, read};
use super::clause::{Parse, Read};
use super::contact;
use super::cursor::Cursor;
use super::filler;
use super::free::{lift_minutes, slots};
use super::joints::ABOUT;
use super::keep;
use super::lexicon::{Noun, Verb};
use super::model::{Act, Ask, Pick, Request, Sel, Who};
use super::noun::phrase;
use super::said::Form;
use super::table::phrases;
use super::value;
use super::which::sent_by_me;
use crate::time::Value;

/// Show, list, find, read, open, count.
pub(super) fn show<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    verb: Verb,
) -> Read {
    // "How about a call with Bob tomorrow at 3?" proposes one; none is there to be shown.
    if proposes(cursor) {
        return super::create::create(parse, cursor, Verb::Book);
    }
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
    if let Some((who, ask)) = contact::detail(cursor) {
        push_contact(parse, vec![who], ask);
        return Ok(());
    }
    if wrote(parse, cursor) || searched(parse, cursor)? {
        return Ok(());
    }
    let within = cursor.at > 0
        && matches!(
            cursor.said.pieces[cursor.at - 1].word.as_str(),
            "in" | "inside"
        );
    let first = *cursor;
    let Some(mut sel) = phrase(cursor, None, QUESTION) else {
        return Err(parse.words(cursor));
    };
    // "Look in the garage" is for somebody with legs.
    if within && !sel.said {
        return Err(parse.words(&first));
    }
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

/// Whether something new with a time stands behind "how about".
fn proposes(cursor: &Cursor<'_, '_>) -> bool {
    let about = cursor.at.checked_sub(2).is_some_and(|at| {
        let said = &cursor.said.pieces[at..cursor.at];
        matches!(said[0].word.as_str(), "how" | "what") && said[1].word == "about"
    });
    about
        && matches!(cursor.word(0), "a" | "an")
        && cursor.said.pieces[cursor.at..cursor.end]
            .iter()
            .any(|piece| match piece.form {
                Form::Time(index) => cursor
                    .said
                    .times
                    .get(index)
                    .is_some_and(|found| !matches!(found.value, Value::Duration(_))),
                _ => false,
            })
}

/// "Show me what I sent to Priya yesterday", "everything Lena sent me".
fn wrote<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    if !ahead.eat(&[
        "what",
        "everything",
        "everything that",
        "all that",
        "anything",
    ]) {
        return false;
    }
    let mut sel = Sel {
        plural: true,
        ..Sel::of(Noun::Mail)
    };
    let start = ahead.at;
    after::modifiers(&mut ahead, &mut sel, QUESTION);
    if ahead.at == start || !sel.mine && sel.from.is_empty() {
        return false;
    }
    parse.push(Request::new(Act::Query(Ask::List), sel));
    *cursor = ahead;
    true
}

/// "Search my emails for the contract", "look through my notes for X".
pub(super) fn searched<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
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
        "anything | everything | something | messages | emails | all | the word | the words | the phrase | the term | the name | the text"
    ));
    if !ahead.eat_any(&ABOUT)
        && after::sees_noun(&ahead).is_none()
        && ahead.sees(&["from", "with"]).is_some()
    {
        after::modifiers(&mut ahead, &mut sel, QUESTION);
    } else {
        sel.about = value::text(&mut ahead, &[]);
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
