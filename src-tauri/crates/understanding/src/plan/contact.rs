//! New contacts, and whose number or address is asked for.

use super::change::missing;
use super::clause::{Parse, Read};
use super::cursor::Cursor;
use super::filler;
use super::lexicon::Noun;
use super::model::{Act, Request, Sel, Value, Who, Words};
use super::people::{self, Place};
use super::said::Form;
use super::table::phrases;

/// "Add Maria Silva, maria@example.org, to my contacts" without the last words.
pub(super) fn contact_of<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    let mut request = Request::new(Act::CreateContact, Sel::of(Noun::Contact));
    let mut name: Option<Words> = None;
    while !cursor.is_done() {
        cursor.skip_marks();
        let Some(piece) = cursor.peek(0) else { break };
        match piece.form {
            Form::Address => {
                request.vals.details.push(cursor.said.slice(cursor.at..cursor.at + 1).to_lowercase());
                cursor.at += 1;
            }
            Form::Number => phone(cursor, &mut request),
            _ if cursor.eat_any(phrases!("( | ) | as new contact | as a friend | with the email address | with email address | with the email | with email | email address | \
        email | with the number | with number | with phone number | with the phone number | \
        phone number | phone | number | and | his email is | her email is | their email is | at | is | \
        with | as a contact | as a new contact | as contact | a new contact | a contact | new contact | \
        for | called | named | the contact | contact | whose email is | whose number is | \
        his number is | her number is")) => {}
            _ if name.is_none() => {
                let start = cursor.at;
                while cursor.peek(0).is_some_and(|piece| piece.form == Form::Word && !matches!(piece.word.as_str(), "with" | "email" | "at" | "phone" | "and" | "whose" | "his" | "her" | "as" | "number")) {
                    cursor.at += 1;
                }
                name = cursor.words(start..cursor.at);
                if cursor.at == start {
                    return Err(parse.words(cursor));
                }
            }
            _ => return Err(parse.words(cursor)),
        }
    }
    let Some(name) = name else {
        return Err(missing("who"));
    };
    request.vals.title = Some(Value::Words(name));
    parse.push(request);
    Ok(())
}

pub(super) fn phone(cursor: &mut Cursor<'_, '_>, request: &mut Request) {
    let start = cursor.at;
    while cursor.peek(0).is_some_and(|piece| {
        piece.form == Form::Number
            || matches!(piece.word.as_str(), "-" | "(" | ")" | "+" | "/" | ".")
    }) {
        cursor.at += 1;
    }
    let text = cursor
        .said
        .slice(start..cursor.at)
        .trim_end_matches(['.', ' ', '-'])
        .to_owned();
    request.vals.details.push(text);
}

/// "Create a contact for Maria Silva with …".
pub(super) fn contact<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    cursor.eat(&["a", "the", "new"]);
    cursor.eat(&["new"]);
    cursor.eat(&["contact"]);
    contact_of(parse, cursor)
}

/// Whose number, address, birthday: "what is Ana's phone number".
pub(super) fn detail<'s, 'a>(cursor: &mut Cursor<'s, 'a>) -> Option<(Who, super::model::Ask)> {
    let mut ahead = *cursor;
    ahead.eat(&["the"]);
    let ask = |cursor: &mut Cursor<'_, '_>| {
        cursor.eat_any(phrases!("work | home | personal | mobile | cell"));
        if cursor.eat_any(phrases!("email address | email | mail address | address | e mail | mail | emails | contact details | \
        contact info | contact information | details | contact")) {
            Some(super::model::Ask::Email)
        } else if cursor.eat_any(phrases!("phone number | number | phone | telephone number | telephone | mobile number | mobile | \
        cell number | cell phone number | cell")) {
            Some(super::model::Ask::Phone)
        } else {
            None
        }
    };
    let mut front = ahead;
    if let Some(kind) = ask(&mut front)
        && front.eat(&["of", "for"])
        && let Some(who) = people::one(&mut front, Place::Sure)
    {
        *cursor = front;
        return Some((who, kind));
    }
    let who = people::one(&mut ahead, Place::Sure)?;
    if !ahead.eat(&["'s", "'"]) {
        return None;
    }
    let kind = ask(&mut ahead)?;
    // "Ana's email about the budget" is a mail.
    if !filler::only_closers(&ahead) && !matches!(ahead.word(0), "?" | "and" | "in") {
        return None;
    }
    *cursor = ahead;
    Some((who, kind))
}

/// "…, his number is +49 170 1234567": what else is known of somebody just added.
pub(super) fn more<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) {
    let Some(mut request) = parse.requests.pop_if(|last| last.act == Act::CreateContact) else {
        return;
    };
    for _ in 0..DETAILS_MAX {
        let mut ahead = *cursor;
        ahead.skip_marks();
        ahead.eat(&["and"]);
        ahead.eat_any(phrases!(
            "his | her | their | the | with the | with | with his | with her | whose | at"
        ));
        ahead.eat_any(phrases!("work | home | mobile | cell"));
        let named = ahead.eat_any(phrases!(
            "phone number | number | phone | telephone number | telephone | email address | email | mail address | mail | e mail | address | mobile | cell"
        ));
        ahead.eat(&["is", ":"]);
        let before = request.vals.details.len();
        match ahead.peek(0).map(|piece| piece.form) {
            Some(Form::Address) => {
                let text = ahead.said.slice(ahead.at..ahead.at + 1).to_lowercase();
                request.vals.details.push(text);
                ahead.at += 1;
            }
            Some(Form::Number) if named => phone(&mut ahead, &mut request),
            Some(Form::Mark) if named && matches!(ahead.word(0), "+" | "(") => {
                phone(&mut ahead, &mut request);
            }
            _ => {}
        }
        if request.vals.details.len() == before {
            break;
        }
        *cursor = ahead;
    }
    parse.requests.push(request);
}

/// Numbers and addresses said of one person.
const DETAILS_MAX: usize = 6;
