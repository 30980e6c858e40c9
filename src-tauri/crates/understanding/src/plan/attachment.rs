//! What hangs on a mail: "save the attachment of Ana's last mail".

use super::change::target;
use super::clause::{Parse, Read};
use super::cursor::Cursor;
use super::lexicon::{Noun, State};
use super::model::{Act, Pron, Request, Sel};
use super::noun::Rules;
use super::table::phrases;

/// Save, download.
pub(super) fn save<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    let start = *cursor;
    cursor.eat(&["all"]);
    cursor.eat(&["the", "my", "its"]);
    if !cursor.eat_any(phrases!(
        "attachment | attachments | attached file | attached files | file attached | files attached | attached document"
    )) {
        *cursor = start;
        return super::keep::save(parse, cursor);
    }
    let mut sel = if cursor.eat(&["of", "from", "in", "on", "to", "with"]) {
        target(parse, cursor, Some(Noun::Mail), Rules::default())?
    } else {
        Sel {
            pron: Some(Pron::It),
            ..Sel::of(Noun::Mail)
        }
    };
    // "From Ana": of her latest mail that has one.
    if sel.noun != Some(Noun::Mail) {
        return Err(parse.words(&start));
    }
    sel.states.retain(|state| *state != State::Attachment);
    parse.push(Request::new(Act::Attachment, sel));
    Ok(())
}
