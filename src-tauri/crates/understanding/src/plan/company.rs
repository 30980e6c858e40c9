//! With whom, from whom and where a thing is: what stands behind its noun about people and places.

use super::joints::TITLED;
use super::table::phrases;
use super::value::text;

use super::cursor::Cursor;
use super::lexicon::Noun;
use super::model::{Sel, Who};
use super::noun::Rules;
use super::people::{self, Place};

/// "That Nadia sent me", "I have with Bob", "I sent to Ana", "Bob and I have".
pub(super) fn relative(cursor: &mut Cursor<'_, '_>, sel: &mut Sel, _rules: Rules) -> bool {
    let mut ahead = *cursor;
    ahead.eat_any(phrases!("that | which | who | where | did | has | have"));
    let mut mine = ahead;
    if mine.eat_any(phrases!(
        "i have sent | i sent | i wrote | i have written | i emailed | i just sent | have i sent | \
        did i send | i send | i had sent | i forwarded"
    )) {
        sel.mine = true;
        mine.eat(&["out"]);
        mine.eat(&["to"]);
        sel.to.extend(people::list(&mut mine, Place::Sure));
        *cursor = mine;
        return true;
    }
    let mut who_at = ahead;
    let who = people::one(&mut who_at, Place::Sure);
    if let Some(who) = who
        && !matches!(who, Who::Me | Who::GuestsOf(_))
    {
        if who_at.eat_any(phrases!(
            "sent to me | sent me | just sent me | just sent | sent | has sent me | have sent me | \
        has sent | emailed me | wrote me | wrote to me | wrote | forwarded me | forwarded to me | \
        forwarded | send me | gave me | send | messaged me | email me"
        )) {
            who_at.eat(&["to me", "over"]);
            sel.from.push(who);
            if matches!(sel.noun, None | Some(Noun::Any)) {
                sel.noun = Some(Noun::Mail);
            }
            *cursor = who_at;
            return true;
        }
        if who_at.eat_any(phrases!("and i have | and i had | is attending | is in | is invited to | is part of | will attend | \
        attends | attended | is going to | joined | and me have | and i are having | invited me to | \
        organized | organised | set up | scheduled | is at | is on | will be at")) {
            sel.with.push(who);
            *cursor = who_at;
            return true;
        }
    }
    false
}

pub(super) fn company(cursor: &mut Cursor<'_, '_>, sel: &mut Sel, rules: Rules) -> bool {
    let mut ahead = *cursor;
    if ahead.peek(0).is_some_and(|piece| piece.leads.is_some()) {
        return false;
    }
    if ahead.eat_any(phrases!("sent by | written by | received from | coming from | from | by | authored by | i got from | \
        i have from | i received from | that i got from | that came from | which came from | \
        that are from | that is from | which are from | come from | came from | sent from | \
        organized by | organised by")) {
        if rules.from_is_value {
            return false;
        }
        let who = people::list(&mut ahead, Place::Sure);
        if who.is_empty() {
            return false;
        }
        match sel.noun {
            Some(Noun::Event) => sel.with.extend(who),
            _ => sel.from.extend(who),
        }
        *cursor = ahead;
        return true;
    }
    if held(cursor, sel) {
        return true;
    }
    // "That have Dave in them".
    let mut inside = ahead;
    if matches!(sel.noun, Some(Noun::Event))
        && inside.eat_any(phrases!(
            "that have | which have | that has | having | have"
        ))
    {
        let who = people::list(&mut inside, Place::Sure);
        if !who.is_empty() && inside.eat(&["in it", "in them", "on it", "invited", "attending"]) {
            sel.with.extend(who);
            *cursor = inside;
            return true;
        }
    }
    if ahead.eat_any(phrases!("are with | is with | with | involving | including | i have with | between me and | attended by | that include | \
        that includes | which include | that involve | where i meet | i am having with | \
        that i have with | alongside | together with")) {
        if rules.with_is_value || cursor.sees_any(&TITLED).is_some() {
            return false;
        }
        if ahead.eat(&["anyone", "anybody", "someone", "somebody"]) {
            *cursor = ahead;
            return true;
        }
        // "Mails with invoices": what is in them, and nobody.
        let thing = sel.noun == Some(Noun::Mail)
            && sel.about.is_none()
            && ahead.peek(0).is_some_and(|piece| {
                !piece.capital && piece.form == super::said::Form::Word && piece.word.ends_with('s')
            })
            && people::list(&mut { ahead }, Place::Known).is_empty();
        if thing {
            let Some(words) = text(&mut ahead, &["from", "since", "in", "of"]) else {
                return false;
            };
            sel.about = Some(words);
            *cursor = ahead;
            return true;
        }
        let who = people::list(&mut ahead, Place::Sure);
        if who.is_empty() {
            return false;
        }
        sel.with.extend(who);
        ahead.eat(&["in it", "in them", "on it"]);
        *cursor = ahead;
        return true;
    }
    if !rules.to_is_value
        && matches!(sel.noun, Some(Noun::Mail) | None)
        && ahead.eat_any(phrases!(
            "sent to | addressed to | to | i sent to | that went to | going to"
        ))
    {
        let who = people::list(&mut ahead, Place::Sure);
        if who.is_empty() {
            return false;
        }
        if who != [Who::Me] {
            sel.to.extend(who);
        }
        *cursor = ahead;
        return true;
    }
    if !rules.for_is_value && ahead.eat(&["of"]) && sel.noun == Some(Noun::Event) {
        let who = people::list(&mut ahead, Place::Known);
        if !who.is_empty() {
            sel.with.extend(who);
            *cursor = ahead;
            return true;
        }
    }
    false
}

/// "The mail with the flight confirmation in it", "the note that has the booking code": what stands in it.
fn held(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> bool {
    if !matches!(sel.noun, Some(Noun::Mail | Noun::Note)) || sel.about.is_some() {
        return false;
    }
    let mut ahead = *cursor;
    let has = ahead.eat(&[
        "that has",
        "which has",
        "that had",
        "that have",
        "which have",
    ]);
    if !has && !ahead.eat(&["with"]) {
        return false;
    }
    // "That has an attachment" is a state, "that has not been answered" another.
    if ahead
        .sees(&["not", "been", "no", "attachments", "an attachment", "any"])
        .is_some()
    {
        return false;
    }
    let article = ahead.eat(&["the", "my", "our", "a", "an"]);
    let Some(words) = text(&mut ahead, &["in", "inside"]) else {
        return false;
    };
    let inside = ahead.eat(&["in it", "in them", "inside it", "inside", "in there"]);
    if !(inside || has && article && super::filler::only_closers(&ahead)) {
        return false;
    }
    sel.about = Some(words);
    *cursor = ahead;
    true
}

/// "In room 4", "at the office": where an event is.
pub(super) fn location(cursor: &mut Cursor<'_, '_>, sel: &mut Sel, rules: Rules) -> bool {
    if !matches!(sel.noun, Some(Noun::Event | Noun::File))
        || sel.place.is_some()
        || rules.times_are_values
    {
        return false;
    }
    let mut ahead = *cursor;
    if ahead.peek(0).is_some_and(|piece| piece.leads.is_some())
        || !ahead.eat_any(phrases!(
            "in | at | are in | located at | located in | that are in | held in | held at | taking place in | taking place at"
        ))
    {
        return false;
    }
    if matches!(
        ahead.word(0),
        "it" | "them" | "there" | "him" | "her" | "which" | "that"
    ) {
        return false;
    }
    let Some(words) = text(&mut ahead, &["to", "by", "and", "with"]) else {
        return false;
    };
    sel.place = Some(words);
    *cursor = ahead;
    true
}
