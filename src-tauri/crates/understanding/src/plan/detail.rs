//! Numbers and addresses of people: "change Lena's email to …", "save Ben's number as …".

use super::clause::Parse;
use super::cursor::Cursor;
use super::filler;
use super::lexicon::Noun;
use super::model::{Act, Request, Sel, Value, Who, Words};
use super::people::{self, Place};
use super::said::Form;
use super::table::phrases;

/// Reads whose detail it is and what it is from now on.
pub(super) fn detail_of(cursor: &mut Cursor<'_, '_>) -> Option<Request> {
    let mut ahead = *cursor;
    let (who, phone) = whose(&mut ahead)?;
    if !ahead.eat(&["to be", "to", "as", "is", "=", ":"]) {
        return None;
    }
    let value = value(&mut ahead, phone)?;
    let Who::Named { name, known, said } = who else {
        return None;
    };
    let mut request = Request::new(
        if known {
            Act::UpdateContact
        } else {
            Act::CreateContact
        },
        Sel::of(Noun::Contact),
    );
    request.vals.title = Some(Value::Words(Words {
        text: if known { name } else { said },
        span: None,
        quoted: false,
    }));
    request.vals.details = vec![value];
    *cursor = ahead;
    Some(request)
}

/// "Dave's new number is 555-3030", "Nadia has a new email, it's nadia@corp.com": what is from now on.
pub(super) fn said<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    let request = detail_of(&mut ahead).or_else(|| {
        ahead = *cursor;
        has_new(&mut ahead)
    });
    ahead.eat(&["now", "from now on"]);
    match request {
        Some(request) if request.act == Act::UpdateContact && filler::only_closers(&ahead) => {
            parse.push(request);
            *cursor = ahead;
            true
        }
        _ => false,
    }
}

/// "Nadia has a new email, it's nadia@corp.com".
fn has_new(cursor: &mut Cursor<'_, '_>) -> Option<Request> {
    let Some(Who::Named {
        name, known: true, ..
    }) = people::one(cursor, Place::Known)
    else {
        return None;
    };
    cursor.eat(&["has", "got", "has got"]).then_some(())?;
    cursor.eat(&["a", "another"]);
    cursor.eat(&["new", "different"]).then_some(())?;
    let phone = kind(cursor)?;
    cursor.skip_marks();
    cursor.eat(&["it is", "which is", "it s", "namely"]);
    cursor.skip_marks();
    let value = value(cursor, phone)?;
    let mut request = Request::new(Act::UpdateContact, Sel::of(Noun::Contact));
    request.vals.title = Some(Value::Words(Words {
        text: name,
        span: None,
        quoted: false,
    }));
    request.vals.details = vec![value];
    Some(request)
}

/// An address, or a telephone number.
fn value(cursor: &mut Cursor<'_, '_>, phone: bool) -> Option<String> {
    let dialled = |piece: &super::said::Piece| {
        cursor
            .said
            .source
            .get(piece.span.clone())
            .is_some_and(|text| {
                text.chars()
                    .all(|ch| ch.is_ascii_digit() || "-+()./ ".contains(ch))
            })
    };
    let len = (0..)
        .take_while(|ahead| {
            cursor.peek(*ahead).is_some_and(|piece| match piece.form {
                Form::Address => !phone,
                _ => phone && dialled(piece),
            })
        })
        .count();
    let words = cursor.words(cursor.at..cursor.at + len)?;
    cursor.at += len;
    Some(words.text.trim_end_matches('.').to_owned())
}

/// What kind of detail: whether it is a telephone number.
fn kind(cursor: &mut Cursor<'_, '_>) -> Option<bool> {
    cursor.eat_any(phrases!("new | work | home | mobile | cell | private"));
    if cursor.eat_any(phrases!(
        "email address | mail address | email | mail | address"
    )) {
        Some(false)
    } else if cursor.eat_any(phrases!(
        "phone number | mobile number | cell number | number | phone | mobile | cell"
    )) {
        Some(true)
    } else {
        None
    }
}

/// "Lena's email", "the number of Ben": whose, and whether it is a telephone number.
fn whose(cursor: &mut Cursor<'_, '_>) -> Option<(Who, bool)> {
    let mut front = *cursor;
    front.eat(&["the"]);
    if let Some(phone) = kind(&mut front)
        && front.eat(&["of", "for"])
        && let Some(who) = people::one(&mut front, Place::Sure)
    {
        *cursor = front;
        return Some((who, phone));
    }
    let who = people::one(cursor, Place::Sure)?;
    cursor.eat(&["'s", "'"]).then_some(())?;
    let phone = kind(cursor)?;
    Some((who, phone))
}
