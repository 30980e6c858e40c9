//! What a selection leaves out.

use super::after::{MODIFIERS_MAX, modifiers, one};
use super::command::command_at;
use super::cursor::Cursor;
use super::lexicon::{Noun, STATES, State};
use super::model::Sel;
use super::noun::{Rules, phrase};
use super::table::phrases;

pub(super) fn except(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> bool {
    let mut ahead = *cursor;
    ahead.eat(&[","]);
    if ahead.eat_any(phrases!("without | that have no | with no | that do not have | which have no | having no | that has no | that does not have | with neither")) {
        ahead.eat(&["any", "an"]);
        if ahead.eat(&["attachments", "attachment", "files attached"]) {
            sel.not.push(State::Attachment);
            *cursor = ahead;
            return true;
        }
        ahead = *cursor;
    }
    // "That don't include Tom", "without Tom".
    let mut people = ahead;
    if sel.noun == Some(Noun::Event)
        && people.eat_any(phrases!("that do not include | which do not include | that does not include | without | not with | \
        that are not with | not including | that do not involve | not involving"))
    {
        let with = super::people::list(&mut people, super::people::Place::Known);
        if !with.is_empty() {
            for who in with {
                sel.except.push(Sel {
                    with: vec![who],
                    ..Sel::of(Noun::Event)
                });
            }
            *cursor = people;
            return true;
        }
    }
    ahead.eat(&[","]);
    if !ahead.eat_any(phrases!("except for | except | but not | other than | apart from | excluding | aside from | besides | \
        with the exception of | not counting | unless they are | unless it is | but keep | but leave | \
        and not | minus | save for | not including | that are not | that is not | which are not | not | \
        but")) {
        return false;
    }
    let mut found = false;
    for _ in 0..MODIFIERS_MAX {
        if !left_out(&mut ahead, sel) {
            break;
        }
        found = true;
        *cursor = ahead;
        // "Except the standup and the review": both stay.
        if !ahead.eat_any(phrases!(
            "and | or | , and | , | nor | and not | as well as"
        )) || command_at(cursor, ahead.at - cursor.at)
        {
            break;
        }
    }
    found
}

/// One thing that is left out.
pub(super) fn left_out(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> bool {
    let start = cursor.at;
    if let Some((state, len)) = cursor.sees_in(&STATES)
        && !cursor.is_content(len)
    {
        cursor.at += len;
        sel.not.push(state);
        return true;
    }
    let mut left = Sel {
        noun: sel.noun,
        ..Sel::default()
    };
    cursor.eat_any(phrases!(
        "those | the ones | ones | anything | any | those that are | the ones that are | everything"
    ));
    // "Move all of Friday's except the review to Monday": that is where the others go.
    let rules = Rules {
        to_is_value: matches!(sel.noun, Some(Noun::Event | Noun::Task)),
        ..Rules::default()
    };
    if one(cursor, &mut left, rules) {
        modifiers(cursor, &mut left, rules);
    } else {
        cursor.at = start;
        match phrase(cursor, sel.noun, rules) {
            Some(found) => left = found,
            None => return false,
        }
    }
    if left.noun.is_none() || left.noun == Some(Noun::Any) {
        left.noun = sel.noun;
    }
    left.pron = None;
    sel.except.push(left);
    true
}
