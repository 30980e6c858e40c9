//! Numbers and addresses of people: "change Lena's email to …", "save Ben's number as …".

use super::cursor::Cursor;
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
    let start = ahead.at;
    while ahead.peek(0).is_some_and(|piece| match piece.form {
        Form::Address => !phone,
        Form::Number => phone,
        Form::Mark => phone && matches!(piece.word.as_str(), "+" | "-" | "(" | ")" | "/" | "."),
        _ => false,
    }) {
        ahead.at += 1;
    }
    let value = ahead.words(start..ahead.at)?;
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
    request.vals.details = vec![value.text.trim_end_matches('.').to_owned()];
    *cursor = ahead;
    Some(request)
}

/// "Lena's email", "the number of Ben": whose, and whether it is a telephone number.
fn whose(cursor: &mut Cursor<'_, '_>) -> Option<(Who, bool)> {
    let kind = |cursor: &mut Cursor<'_, '_>| {
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
    };
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
