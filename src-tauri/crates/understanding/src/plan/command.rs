//! Where another request begins.

use super::cursor::Cursor;
use super::lexicon::{NOUNS, VERBS, Verb};
use super::people::{self, Place};
use super::said::Form;
use super::table::phrases;

/// Whether another request begins `ahead` places on ("… and cancel my …").
pub(super) fn command_at(cursor: &Cursor<'_, '_>, ahead: usize) -> bool {
    let mut at = *cursor;
    at.at += ahead;
    at.eat_any(phrases!(
        "then | also | please | after that | afterwards | finally | just"
    ));
    at.eat_any(phrases!(
        "can you | could you | please | i need to | i want to"
    ));
    let Some(first) = at.peek(0).filter(|piece| piece.form == Form::Word) else {
        return false;
    };
    if matches!(
        first.word.as_str(),
        "if" | "when" | "what" | "who" | "where" | "how"
    ) && at.at > cursor.at + ahead
    {
        return true;
    }
    if first.word != first.base {
        return false;
    }
    let Some((verb, len)) = at.sees_in(&VERBS) else {
        return false;
    };
    if verb == Verb::Remind && matches!(at.word(len - 1), "me" | "reminder") {
        return true;
    }
    let Some(next) = at.peek(len) else {
        return verb == Verb::Reply;
    };
    let given = matches!(
        next.form,
        Form::Quote(_) | Form::Time(_) | Form::Address | Form::File
    ) || matches!(
        next.word.as_str(),
        "the"
            | "a"
            | "an"
            | "my"
            | "our"
            | "all"
            | "every"
            | "it"
            | "them"
            | "this"
            | "that"
            | "those"
            | "these"
            | "me"
            | "him"
            | "her"
            | "any"
            | "both"
            | "his"
            | "their"
    ) || {
        let mut who = at;
        who.at += len;
        people::one(&mut who, Place::Known).is_some()
    };
    let noun_too = NOUNS.at(&at.said.pieces, at.at).is_some()
        || matches!(
            first.word.as_str(),
            "book"
                | "plan"
                | "note"
                | "text"
                | "review"
                | "list"
                | "label"
                | "share"
                | "update"
                | "change"
                | "answer"
                | "reply"
                | "cut"
                | "draft"
                | "check"
                | "set"
                | "mark"
                | "search"
                | "move"
                | "block"
                | "schedule"
                | "contact"
                | "get"
                | "see"
                | "start"
                | "log"
                | "open"
                | "read"
                | "ask"
                | "hold"
                | "close"
        );
    given
        || (!noun_too && next.form == Form::Word && at.is_content(len))
        || (verb == Verb::Reply
            && matches!(
                next.word.as_str(),
                "to" | "saying" | "with" | "that" | "back"
            ))
        || (next.capital && next.form == Form::Word)
}
