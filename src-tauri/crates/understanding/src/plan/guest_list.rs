//! Guests of an event that is there: put on its list, taken off.

use super::change::target;
use super::clause::{Parse, Read};
use super::cursor::Cursor;
use super::filler;
use super::lexicon::{Noun, Verb};
use super::model::{Act, Det, Request, Sel, Who};
use super::noun::{Rules, phrase};
use super::people::{self, Place};
use super::said::Form;
use super::table::phrases;

/// "… and put Grace on instead", behind guests that were taken off.
pub(super) fn put_on<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let Some(last) = parse
        .requests
        .last()
        .filter(|last| last.act == Act::RemovePeople)
    else {
        return false;
    };
    let sel = last.sel.clone();
    let mut ahead = *cursor;
    let who = people::list(&mut ahead, Place::Known);
    ahead.eat(&["on it", "on", "in it", "in", "to it"]);
    ahead.eat(&["instead", "in his place", "in her place", "in their place"]);
    if who.is_empty() || !filler::only_closers(&ahead) {
        return false;
    }
    let mut request = Request::new(Act::AddPeople, sel);
    request.vals.people = who;
    parse.push(request);
    *cursor = ahead;
    true
}

/// "Add Tom to Friday's workshop, and remove Dave": from the same event.
pub(super) fn taken_off<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let Some(last) = parse
        .requests
        .last()
        .filter(|last| matches!(last.act, Act::AddPeople | Act::RemovePeople))
    else {
        return false;
    };
    let sel = last.sel.clone();
    let mut ahead = *cursor;
    let who = people::list(&mut ahead, Place::Known);
    let known = !who.is_empty()
        && who
            .iter()
            .all(|who| matches!(who, Who::Named { known: true, .. } | Who::Address(_)));
    ahead.eat(&["from it", "from that", "off it", "off that", "off"]);
    if !known || !(filler::only_closers(&ahead) || matches!(ahead.word(0), "," | "and")) {
        return false;
    }
    let mut request = Request::new(Act::RemovePeople, sel);
    request.vals.people = who;
    parse.push(request);
    *cursor = ahead;
    true
}

/// "Remove Bob from the budget meeting".
pub(super) fn remove_guest<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    let who = people::list(&mut ahead, Place::Sure);
    if who.is_empty() || who.iter().any(|who| matches!(who, Who::Group(_))) {
        return false;
    }
    // "Take Grace off the planning": whom one knows is a guest of what it is.
    let known = who
        .iter()
        .all(|who| matches!(who, Who::Named { known: true, .. }));
    let off = known && ahead.eat(&["off"]);
    if !off && !ahead.eat(&["from", "off", "out of"]) {
        return false;
    }
    // "Remove the dentist from my calendar": an event, and nobody's guest.
    if ahead
        .sees_any(phrases!(
            "my calendar | the calendar | my schedule | my diary | my agenda | the schedule"
        ))
        .is_some()
    {
        return false;
    }
    let list = ahead.eat_any(phrases!(
        "the invite for | the invitation for | the invite to | the invitation to | the guest list of | the guest list for | \
        the list for | the attendees of | the guests of"
    ));
    let Some(mut sel) = phrase(
        &mut ahead,
        (list || off).then_some(Noun::Event),
        Rules::default(),
    ) else {
        return false;
    };
    // "Will can't come to the review, take him off it".
    if sel.noun.is_none() && sel.pron.is_some() && who == [Who::They] {
        sel.noun = Some(Noun::Event);
    }
    if sel.noun != Some(Noun::Event) || (!sel.is_narrowed() && sel.pron.is_none()) {
        return false;
    }
    let mut request = Request::new(Act::RemovePeople, sel);
    request.vals.people = who;
    parse.push(request);
    *cursor = ahead;
    true
}

/// "Invite Ana to the budget meeting".
pub(super) fn invite<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    add: bool,
) -> Read {
    cursor.eat(&["also"]);
    let who = people::list(cursor, Place::Sure);
    if who.is_empty() {
        return Err(parse.words(cursor));
    }
    if !cursor.eat_any(phrases!("to attend | to join | to | in | on | from | for")) {
        // "…and invite Ana": a guest of the event that is being made.
        if let Some(last) = parse
            .requests
            .last_mut()
            .filter(|last| last.act == Act::CreateEvent)
        {
            last.vals.people.extend(who);
            return Ok(());
        }
        if !filler::only_closers(cursor) {
            return Err(parse.words(cursor));
        }
        let mut request = Request::new(
            Act::AddPeople,
            Sel {
                pron: Some(super::model::Pron::That),
                ..Sel::of(Noun::Event)
            },
        );
        request.vals.people = who;
        parse.push(request);
        return Ok(());
    }
    let mut creates = *cursor;
    // "Invite Grace to lunch at 12:30": a new one, as nothing says which one it would be.
    let titled = matches!(
        creates.sees_in(&super::lexicon::NOUNS),
        Some(((Noun::Event, super::lexicon::Use::Titled), _))
    ) && (creates.at..creates.end)
        .any(|at| matches!(creates.said.pieces[at].form, Form::Time(_)));
    if add && (titled || creates.eat(&["a", "an", "a new"])) {
        let before = parse.requests.len();
        super::create::create(parse, cursor, Verb::Book)?;
        if let Some(made) = parse.requests.get_mut(before) {
            made.vals.people.extend(who);
        }
        return Ok(());
    }
    let sel = target(parse, cursor, Some(Noun::Event), Rules::default())?;
    let mut request = Request::new(
        if add {
            Act::AddPeople
        } else {
            Act::RemovePeople
        },
        sel,
    );
    request.vals.people = who;
    parse.push(request);
    Ok(())
}

/// "Add Bob to the budget meeting", read before anything new is made.
pub(super) fn add_guest<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    let who = people::list(&mut ahead, Place::Sure);
    // "Drop Grace from the retro and add Will instead": to what was just spoken of.
    if let Some(last) = parse.requests.last().filter(|last| {
        matches!(last.act, Act::RemovePeople | Act::AddPeople)
            && !who.is_empty()
            && who.iter().all(super::clause::is_name)
    }) {
        let mut behind = ahead;
        behind.eat(&[
            "instead",
            "to it",
            "in his place",
            "in her place",
            "in their place",
            "to the list",
            "to that",
            "to the invite",
        ]);
        if filler::only_closers(&behind) {
            let mut request = Request::new(Act::AddPeople, last.sel.clone());
            request.vals.people = who;
            parse.push(request);
            *cursor = behind;
            return true;
        }
    }
    if who.is_empty()
        || who.iter().any(|who| matches!(who, Who::Me | Who::Group(_)))
        || !ahead.eat(&[
            "to",
            "as guests to",
            "as attendees to",
            "as participants to",
            "as a guest to",
            "as an attendee to",
            "as a participant to",
        ])
    {
        return false;
    }
    let Some(sel) = phrase(&mut ahead, None, Rules::default()) else {
        return false;
    };
    let mut sel = sel;
    if sel.noun.is_none() && sel.pron.is_some() {
        sel.noun = Some(Noun::Event);
    }
    let calendar = sel.det != Det::A
        && sel.noun == Some(Noun::Event)
        && (sel.is_narrowed() || sel.pron.is_some())
        && cursor.said.pieces[sel.span.clone()]
            .iter()
            .all(|piece| piece.base != "calendar");
    if !calendar {
        return false;
    }
    let mut request = Request::new(Act::AddPeople, sel);
    request.vals.people = who;
    parse.push(request);
    *cursor = ahead;
    true
}
