//! What may be said about a new event, before and behind its name.

use super::amend::value_of;
use super::clause::{Parse, Read};
use super::command::command_at;
use super::create::PARTS_MAX;
use super::cursor::Cursor;
use super::joints::{ABOUT, TITLED};
use super::model::{Act, Beside, Request, Value, Who};
pub(super) use super::new_name::{front, head, run};
use super::noun::{self};
use super::people::{self, Place};
use super::said::Form;
use super::shift::free_slot;
use super::table::phrases;
use super::value;
use crate::time::{Relation, Value as Time};

/// Everything that may follow a new event.
pub(super) fn parts<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    request: &mut Request,
) -> Read {
    for _ in 0..PARTS_MAX {
        if cursor.is_done() || !part(parse, cursor, request) {
            let mut ahead = *cursor;
            if ahead.eat(&[", and", ",", "and", "-"])
                && !command_at(cursor, ahead.at - cursor.at)
                && part(parse, &mut ahead, request)
            {
                *cursor = ahead;
                continue;
            }
            // "At noon, or at 1": which of the two is not decided here.
            let mut other = *cursor;
            other.eat(&[","]);
            if other.eat(&["or"]) && (other.sees_time().is_some() || other.word(0) == "if") {
                let unless = (other.at..other.end).any(|at| parse.said.pieces[at].word == "if");
                if unless && other.word(0) != "if" {
                    return Ok(());
                }
                return Err(parse.words(cursor));
            }
            return Ok(());
        }
    }
    Ok(())
}

pub(super) fn part<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    request: &mut Request,
) -> bool {
    let start = *cursor;
    if super::further::in_found_time(parse, cursor, request) {
        return true;
    }
    // "… to Thursday, right after my meeting with Ana": the day is that meeting's.
    let days = request.vals.times.iter().all(|index| {
        parse.said.times.get(*index).is_some_and(|found| {
            found.has_day && found.clock.is_none() && matches!(found.value, Time::Date(_))
        })
    });
    let close = request.vals.times.is_empty()
        || cursor
            .sees(&[
                "right after",
                "right before",
                "directly after",
                "straight after",
                "just after",
                "just before",
                "immediately after",
            ])
            .is_some();
    // "Right after the stand-up", "before my meeting with Ana": when it is.
    if request.act == Act::CreateEvent
        && request.vals.beside.is_none()
        && days
        && close
        && !request.vals.free_slot
        && let Some(mut beside) = super::beside::read(cursor, true)
    {
        if beside.of.when.is_empty() {
            beside.of.when.append(&mut request.vals.times);
        }
        if !request.vals.times.is_empty() {
            *cursor = start;
            return false;
        }
        // "Travel time of 30 minutes before the offsite": its length.
        let own = start.at > 0 && parse.said.pieces[start.at - 1].word == "of";
        request.vals.beside = Some(if own && request.vals.minutes.is_none() {
            request.vals.minutes = Some(beside.minutes);
            Beside {
                minutes: 0,
                ..beside
            }
        } else {
            beside
        });
        return true;
    }
    // "Block next Friday as vacation".
    if request.act == Act::CreateEvent
        && request.vals.title.is_none()
        && request.sel.title.is_none()
        && request.sel.about.is_none()
        && cursor.eat(&["as"])
    {
        cursor.eat(&["a", "an", "my"]);
        if let Some(words) = value::text(cursor, &["with", "for", "at", "on"]) {
            request.sel.title = Some(words);
            return true;
        }
        *cursor = start;
    }
    let vals = &mut request.vals;
    if free_slot(cursor) {
        vals.free_slot = true;
        return true;
    }
    if cursor.eat_any(phrases!(
        "to my calendar | on my calendar | in my calendar | to the calendar | on the calendar | \
        into my calendar | in the calendar | on my schedule | to my schedule | as an event | in | \
        that is | which is | starting | beginning | that starts | to start | scheduled | set | \
        taking place | to take place | that lasts | lasting | which lasts | to last | \
        with a duration of | that will last | of | it should last | it should take | it will take | it takes | it will last | which takes | should take | should last | will take | will last | should only take | should not take more than | taking | which will take | long | that will be | to be | \
        happening | for a duration of | which should last | that should last | with a length of | \
        that begins | around | sometime"
    )) {
        if cursor.sees_time().is_some()
            || cursor.at - start.at > 2 && matches!(start.word(1), "my" | "the" | "an")
            || start.word(0) == "long"
        {
            return true;
        }
        *cursor = start;
    }
    // "At 1pm that day": the one spoken of before.
    let mut same = *cursor;
    if same.eat(&[
        "that day",
        "on that day",
        "the same day",
        "on the same day",
        "that same day",
    ]) && let Some(index) = day_before(cursor, cursor.at)
    {
        vals.times.insert(0, index);
        *cursor = same;
        return true;
    }
    if let Some((index, len)) = cursor.sees_time()
        && let Some(found) = cursor.said.times.get(index)
    {
        cursor.at += len;
        cursor.eat(&["long", "in length"]);
        let whole = cursor.said.is_whole_day(&found.span);
        match (&found.value, found.relation) {
            (Time::Duration(_), _) if whole => vals.all_day = true,
            (Time::Duration(length), _) => {
                if let Some(minutes) = noun::minutes(length.seconds) {
                    vals.minutes = Some(minutes);
                }
            }
            (_, Relation::Until) if !vals.times.is_empty() => vals.until = Some(index),
            (_, Relation::To) if !vals.times.is_empty() => vals.until = Some(index),
            _ => vals.times.push(index),
        }
        return true;
    }
    if cursor.eat_any(phrases!(
        "all day | for the whole day | the whole day | as an all day event | for the entire day"
    )) {
        vals.all_day = true;
        return true;
    }
    if cursor.word(0) == "as" && cursor.eat(&["as"]) {
        if let Some(words) = cursor.quote().filter(|_| vals.title.is_none()) {
            vals.title = Some(Value::Words(words));
            return true;
        }
        cursor.eat(&["an", "a"]);
        let whole = super::before::whole_day(cursor);
        if whole {
            cursor.at += 1;
            cursor.eat(&["event", "entry", "thing", "appointment", "one"]);
            vals.all_day = true;
            return true;
        }
        *cursor = start;
    }
    // "Put the recital in for the 28th", "… down for Friday".
    if matches!(cursor.word(0), "in" | "down")
        && cursor.peek(0).is_some_and(|piece| piece.leads.is_none())
        && matches!(cursor.word(1), "for" | "on" | "at")
        && cursor.peek(1).is_some_and(|piece| piece.leads.is_some())
    {
        cursor.at += 1;
        return true;
    }
    // "Put lunch with Maria in": the calendar goes without saying.
    if cursor.word(0) == "in" && cursor.at + 1 >= cursor.end {
        cursor.at += 1;
        return true;
    }
    if vals.title.is_none()
        && let Some(value) = super::letter::as_title(parse, cursor)
    {
        vals.title = Some(value);
        return true;
    }
    if cursor.eat_any(&TITLED) {
        cursor.skip_marks();
        if let Some(value @ Value::TitleOf(_)) = value_of(parse, &mut { *cursor }) {
            value_of(parse, cursor);
            vals.title = Some(value);
            return true;
        }
        if let Some(words) = value::text(cursor, &["with", "at"]) {
            vals.title = Some(Value::Words(words));
            return true;
        }
        *cursor = start;
    }
    if cursor.eat_any(phrases!("with the description | with description | with the notes | with the agenda | description | \
        with a description of | with the note | and the description")) {
        cursor.skip_marks();
        if let Some(words) = value::text(cursor, &[]) {
            vals.body = Some(words);
            return true;
        }
        *cursor = start;
    }
    if cursor.eat_any(phrases!("and invite | inviting | invite | and include | and add | with | between me and | between | \
        for me and | together with | including | alongside | and | also invite | for | against")) {
        let word = start.word(0);
        let place = if matches!(word, "for" | "and") { Place::Known } else { Place::Sure };
        let who = people::list(cursor, place);
        if !who.is_empty() {
            for one in who {
                match one {
                    Who::Me => {}
                    other => vals.people.push(other),
                }
            }
            return true;
        }
        *cursor = start;
    }
    if request.sel.label.is_none()
        && request.vals.title.is_none()
        && cursor.eat(&[":"])
        && let Some(words) = value::text(cursor, &[])
    {
        request.vals.title = Some(Value::Words(words));
        return true;
    }
    *cursor = start;
    if request
        .sel
        .about
        .as_ref()
        .is_none_or(|words| words.text.len() < 20)
        && request.vals.body.is_none()
        && (cursor.eat_any(&ABOUT) || cursor.eat(&["for", "to"]))
        && let Some(words) = value::text(cursor, &["with", "at", "in"])
    {
        if start.word(0) == "to" && request.sel.about.is_none() && request.sel.title.is_none() {
            *cursor = start;
            return false;
        }
        // "A flight to Rome", "a trip to the lake".
        if start.word(0) == "to"
            && start.sees_any(&ABOUT).is_none()
            && let Some(title) = request.sel.title.as_mut()
        {
            title.text = format!("{} to {}", title.text, words.text);
            return true;
        }
        // "To discuss it": what it is was said before.
        if !matches!(
            words.text.as_str(),
            "it" | "that" | "this" | "them" | "things"
        ) {
            request.sel.label = Some(words);
        }
        return true;
    }
    *cursor = start;
    place(parse, cursor, request)
}

/// The day that was said last before a piece.
pub(super) fn day_before(cursor: &Cursor<'_, '_>, at: usize) -> Option<usize> {
    (0..at)
        .rev()
        .find_map(|at| match cursor.said.pieces[at].form {
            Form::Time(index) => cursor
                .said
                .times
                .get(index)
                .filter(|found| found.has_day)
                .map(|_| index),
            _ => None,
        })
}

/// Words of the name of a place that stands alone.
const PLACE_WORDS_MAX: usize = 4;

/// What names of places end with.
const ROOMS: &str = "room hall cafe café office restaurant library park hotel studio clinic school church station museum theatre \
    theater garden centre center gallery house bar pub gym arena auditorium lounge terrace";

/// "At the office", "in room 4", "on Zoom".
pub(super) fn place<'s, 'a>(
    _parse: &Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    request: &mut Request,
) -> bool {
    if request.vals.place.is_some() || cursor.peek(0).is_some_and(|piece| piece.leads.is_some()) {
        return false;
    }
    let start = *cursor;
    // "…, Harbour Room", "…, school hall".
    if start.at > 0 && cursor.said.pieces[start.at - 1].word == "," && cursor.is_content(0) {
        let mut named = *cursor;
        while named.at < start.at + PLACE_WORDS_MAX
            && (named.is_content(0) || named.word(0) == "'s" && named.at > start.at)
            && named
                .peek(0)
                .is_some_and(|piece| piece.form == Form::Word && piece.leads.is_none())
        {
            named.at += 1;
        }
        let last = named
            .at
            .checked_sub(1)
            .map_or("", |at| cursor.said.pieces[at].word.as_str());
        if ROOMS.split_whitespace().any(|room| room == last)
            && (super::filler::only_closers(&named) || named.word(0) == ",")
            && let Some(words) = cursor.words(start.at..named.at)
        {
            request.vals.place = Some(words);
            *cursor = named;
            return true;
        }
    }
    // "…, room 4".
    if cursor.word(0) == "room" && cursor.peek(1).is_some() {
        request.vals.place = value::text(cursor, &["with", "for", "and", "at", "on"]);
        return request.vals.place.is_some();
    }
    let online = cursor.eat(&["on", "over", "via", "using"]) && cursor.sees_any(phrases!("zoom | teams | google meet | skype | microsoft teams | slack | webex | phone | the phone | \
        facetime | meet | google hangouts | video | whatsapp")).is_some();
    if !online {
        *cursor = start;
        if !cursor.eat_any(phrases!(
            "at | in | located at | @ | location | with the location | held at | held in | to"
        )) || start.word(0) == "to"
            && !matches!(
                request
                    .sel
                    .title
                    .as_ref()
                    .map(|words| words.text.to_lowercase())
                    .as_deref(),
                Some("flight" | "trip" | "train")
            )
        {
            *cursor = start;
            return false;
        }
        cursor.skip_marks();
    }
    match value::text(cursor, &["with", "for", "and", "at", "on"]) {
        Some(words) => {
            request.vals.place = Some(words);
            true
        }
        None => {
            *cursor = start;
            false
        }
    }
}
