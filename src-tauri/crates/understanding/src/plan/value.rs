//! Text values: quotations, and words up to where something else begins.

use super::command::command_at;
use super::cursor::Cursor;
use super::joints::SAYING;
use super::lexicon::STATES;
use super::model::{Who, Words};
use super::people::{self, Place};
use super::places::PLACES;
use super::said::Form;
use super::table::phrases;

/// A text value: a quotation, or words up to the next time, person, joint or end of the sentence.
pub(super) fn text(cursor: &mut Cursor<'_, '_>, stops: &[&str]) -> Option<Words> {
    cursor.eat(&[":"]);
    // "About the 'Boiler'".
    if matches!(cursor.peek(1).map(|next| next.form), Some(Form::Quote(_))) {
        cursor.eat(&["the", "a", "an", "my", "our"]);
    }
    if let Some(words) = cursor.quote() {
        return Some(words);
    }
    let start = cursor.at;
    if cursor.peek(0).is_some_and(|piece| piece.leads.is_some()) {
        return None;
    }
    while let Some(piece) = cursor.peek(0) {
        let first = cursor.at == start;
        if !first && (stops.contains(&piece.word.as_str()) && piece.is_plain() || ends_text(cursor))
        {
            break;
        }
        if matches!(piece.form, Form::Quote(_)) {
            break;
        }
        // "Parents evening on 20 January": a part of the day in a name, where the time comes behind it.
        if let Form::Time(index) = piece.form
            && !first
            && piece.leads.is_none()
            && cursor.said.pieces[cursor.at - 1].capital
            && cursor.said.times.get(index).is_some_and(|found| {
                found.grain == crate::time::Grain::Part && !found.has_day && found.lead.is_none()
            })
            && cursor
                .peek(1)
                .is_some_and(|next| next.leads.is_some_and(|leads| leads != index))
        {
            cursor.at += 1;
            continue;
        }
        if matches!(piece.form, Form::Time(_)) && (first || !cursor.is_content(1)) {
            // A time that ends the words says when; inside them it belongs to the name.
            break;
        }
        if piece.leads.is_some()
            && cursor
                .sees_time()
                .is_some_and(|(_, len)| !cursor.is_content(len))
            && !first
        {
            break;
        }
        if piece.leads.is_some() && first {
            break;
        }
        let last = piece.ends;
        // "…: what to say", but "Re: the budget".
        let colon = piece.word == ":"
            && !first
            && !matches!(
                cursor.said.pieces[cursor.at - 1].word.as_str(),
                "re" | "fwd" | "fw" | "aw"
            );
        if last && piece.form == Form::Mark || colon {
            break;
        }
        cursor.at += 1;
        if last {
            break;
        }
    }
    let words = cursor.words(trim(cursor, start));
    if words.is_none() {
        cursor.at = start;
    }
    words
}

/// Leaves out an article at the beginning.
pub(super) fn trim(cursor: &Cursor<'_, '_>, start: usize) -> std::ops::Range<usize> {
    let skip = usize::from(
        cursor.at > start + 1
            && cursor.said.pieces.get(start).is_some_and(|piece| {
                matches!(piece.word.as_str(), "the" | "a" | "an" | "my" | "our") && !piece.capital
            }),
    );
    start + skip..cursor.at
}

/// Where the words of a text end: a preposition with a person or time, another part of the request, another request.
pub(super) fn ends_text(cursor: &Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    let word = ahead.word(0);
    let comma = word == ",";
    if comma || word == "and" || word == "then" {
        ahead.at += 1;
        if ahead.word(0) == "and" || ahead.word(0) == "then" {
            ahead.at += 1;
        }
        if command_at(cursor, ahead.at - cursor.at)
            || ahead.sees_any(&SAYING).is_some_and(|len| len > 1 || comma)
            || cursor.sees_any(&SAYING).is_some()
            || (comma
                && ahead
                    .sees_any(phrases!(
                        "if | from | to | with | please | thanks | can you | could you"
                    ))
                    .is_some())
        {
            return true;
        }
        return ahead.sees_any(phrases!("invite | title it | call it | name it | make it | keep | body | the body | the message | \
        the text | it should | it will | it needs to | it takes | it starts | it lasts | use")).is_some();
    }
    if matches!(word, "in" | "at" | "for" | "during") && super::shift::free_slot(&mut { *cursor }) {
        return true;
    }
    if matches!(word, "from" | "to" | "with" | "for" | "by" | "cc" | "bcc") {
        ahead.at += 1;
        if matches!(ahead.peek(0).map(|piece| piece.form), Some(Form::Quote(_))) {
            return true;
        }
        let mut who = ahead;
        if people::one(&mut who, Place::Known).is_some()
            || matches!(ahead.word(0), "me" | "him" | "her" | "them" | "everyone")
        {
            return true;
        }
        // "The priority of the tasks about the lease to high".
        let mut rank = ahead;
        if word == "to"
            && rank.eat(&["high", "low", "medium", "normal", "urgent"])
            && super::filler::only_closers(&rank)
        {
            return true;
        }
        if ahead.sees_in(&STATES).is_some_and(|(_, len)| len > 1)
            || cursor.sees_in(&STATES).is_some_and(|(_, len)| len > 1)
        {
            return true;
        }
        if matches!(word, "from" | "to" | "with")
            && ahead.peek(0).is_some_and(|next| {
                next.capital
                    && next.form == Form::Word
                    && matches!(
                        people::one(&mut { ahead }, Place::Maybe),
                        Some(Who::Named { .. })
                    )
            })
        {
            return true;
        }
        return ahead
            .peek(0)
            .is_some_and(|next| matches!(next.form, Form::Time(_) | Form::Address));
    }
    // "Tom's mail about the boat back to the inbox".
    if word == "back" && matches!(cursor.word(1), "to" | "into" | "in" | "by") {
        return true;
    }
    if cursor.sees_in(&PLACES).is_some()
        || super::filler::only_closers(cursor)
            && !word.is_empty()
            && (!matches!(word, "off" | "away" | "right" | "ok" | "too" | "yet")
                || word == "yet" && cursor.word(1) == "?")
    {
        return true;
    }
    if cursor.sees_any(phrases!("saying | that says | that say | which says | telling him | telling her | telling them | \
        asking | titled | entitled | with the subject | with subject | with the title | with the body | \
        with body | except | but not | other than | apart from | with the message | with attachments | \
        with an attachment | that i | which i | need to be | needs to be | should be | has to be | \
        have to be | must be | is done | as done | as complete | as completed | as finished | as read | \
        as unread | need deleting | with high priority | with a note | with the note | sent by | \
        received | is finished | is complete | are due | and invite | if i | if there | if you | \
        unless | because | in my inbox | called | named | due by | due on | that came | that are | \
        that is | to him | to her | to them | to me")).is_some() {
        return true;
    }
    // "The report that Ana sent".
    if matches!(word, "that" | "which") {
        ahead.at += 1;
        return people::one(&mut { ahead }, Place::Maybe).is_some()
            || ahead
                .sees_any(phrases!(
                    "i | we | they | he | she | the | my | our | it | there | you | is | are | was | were | has | have"
                ))
                .is_some();
    }
    // "Make the tasks about onboarding due on Monday".
    if word == "due"
        && ahead
            .peek(1)
            .is_some_and(|next| matches!(next.form, Form::Time(_)) || next.leads.is_some())
    {
        return true;
    }
    if !word.is_empty()
        && people::one(&mut ahead, Place::Known).is_some()
        && ahead
            .sees_any(phrases!("sent me | sent | wrote | emailed | forwarded"))
            .is_some()
    {
        return true;
    }
    false
}
