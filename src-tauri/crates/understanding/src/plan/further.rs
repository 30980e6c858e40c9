//! What a clause adds to the request before it: another thing of its kind, its approval, another time if it does not suit.

use super::clause::Parse;
use super::cursor::Cursor;
use super::filler;
use super::lexicon::{NOUNS, Noun, STATES, State, Verb};
use super::model::{Act, Ask, Request, Sel, Test};
use super::table::phrases;
use super::{condition, create};

/// "Please set it up", "book it": what was just asked for, asked for again.
pub(super) fn affirms(parse: &Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> bool {
    if !parse
        .requests
        .last()
        .is_some_and(|last| last.act == Act::CreateEvent)
    {
        return false;
    }
    let mut ahead = *cursor;
    if ahead.eat_any(phrases!(
        "set it up | set that up | set this up | book it | book that | schedule it | schedule that | arrange it | arrange that | \
        put it in my calendar | put that in my calendar | put it on my calendar | put that on my calendar | add it to my calendar | \
        add that to my calendar | organise it | organize it | organise that | organize that | create it | create that | make that happen | \
        set one up | book one"
    )) && filler::only_closers(&ahead)
    {
        *cursor = ahead;
        return true;
    }
    false
}

/// "… and one with Bob on Tuesday at 4", "… and a call with Kim at 5": another event, with a time of its own.
pub(super) fn another<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let after = parse
        .requests
        .last()
        .is_some_and(|last| last.act == Act::CreateEvent);
    let last = |words: &[&str]| {
        cursor
            .at
            .checked_sub(1)
            .and_then(|at| parse.said.pieces.get(at))
            .is_some_and(|last| words.contains(&last.word.as_str()))
    };
    let joined = after && last(&["and", "also", ",", "plus", "then"]);
    // "I'd like a 90-minute event on Friday at 11".
    let wished = parse.requests.is_empty() && last(&["like", "want", "need", "love"]);
    let mut ahead = *cursor;
    // "I'd like to have coffee with Grace on Saturday at eleven".
    let shared = (parse.requests.is_empty()
        && last(&["to", "we", "i", "about"])
        && (last(&["about"]) || ahead.eat(&["have", "grab", "get", "do", "hold"]))
        && {
            let mut noun = ahead;
            noun.eat(&["a", "an", "some", "our", "quick", "a quick", "a short"]);
            NOUNS
                .at(&parse.said.pieces[..cursor.end], noun.at)
                .is_some_and(|((noun, _), _)| noun == Noun::Event)
        })
    .then_some(ahead.at);
    ahead.at = cursor.at;
    if shared.is_none()
        && (!(joined || wished)
            || cursor
                .sees(&["one", "another", "a", "an", "a second", "another one"])
                .is_none())
    {
        return false;
    }
    if let Some(at) = shared {
        ahead.at = at;
    }
    ahead.eat(&["another one", "one more", "another", "a second one"]);
    let made = parse.requests.len();
    let read = create::create(parse, &mut ahead, Verb::Book);
    let timed = parse.requests.get(made).is_some_and(|request| {
        request.act == Act::CreateEvent
            && (request.vals.all_day
                || request.vals.free_slot
                || request.vals.times.iter().any(|index| {
                    parse
                        .said
                        .times
                        .get(*index)
                        .is_some_and(|found| found.clock.is_some())
                }))
    });
    if read.is_err() || !timed || parse.requests.len() != made + 1 {
        parse.requests.truncate(made);
        return false;
    }
    if let Some(request) = parse.requests.last_mut() {
        request.sel.noun.get_or_insert(Noun::Event);
    }
    *cursor = ahead;
    true
}

/// "… at noon, or at 1 if I'm busy": the same at another time, where the first does not suit.
pub(super) fn alternative<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    ahead.skip_marks();
    if !ahead.eat(&["or", "or else"]) {
        return false;
    }
    let Some(request) = parse
        .requests
        .last()
        .filter(|last| last.act == Act::CreateEvent && last.cond.is_none())
        .cloned()
    else {
        return false;
    };
    let Some(other) = at_another_time(parse, &mut ahead, &request) else {
        return false;
    };
    ahead.skip_marks();
    let Ok(Some(cond)) = condition::read(parse, &mut ahead) else {
        return false;
    };
    // Only being busy then is a reason that the first time does not suit.
    if !matches!(cond.test, Test::Free(false)) || cond.negated || !filler::only_closers(&ahead) {
        return false;
    }
    parse.conds.push(cond);
    let index = parse.conds.len() - 1;
    if let Some(last) = parse.requests.last_mut() {
        last.cond = Some((index, false));
    }
    let mut other = other;
    other.cond = Some((index, true));
    parse.requests.push(other);
    *cursor = ahead;
    true
}

/// "Otherwise leave it", "if not, do nothing": what happens anyway.
pub(super) fn leaves_alone(parse: &Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    let alone = ahead.eat_any(phrases!(
        "leave it as it is | leave it as is | leave it alone | leave it be | leave it there | leave it | leave them | leave them as they are | \
        leave them alone | leave everything as it is | leave everything as is | leave things as they are | do nothing | nothing | \
        do not do anything | do not bother | do not change anything | keep it as it is | keep it as is | keep it | keep them | ignore it | \
        ignore this | skip it | just leave it | forget it | forget about it | never mind | no action needed | no need to do anything"
    ));
    if !alone || parse.cond.is_none() || parse.requests.is_empty() || !filler::only_closers(&ahead)
    {
        return false;
    }
    *cursor = ahead;
    true
}

/// "Otherwise book it at 1", "otherwise at 1": what was asked for under the condition, at another time without it.
pub(super) fn otherwise(parse: &mut Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> bool {
    let Some((index, false)) = parse.cond else {
        return false;
    };
    let Some(request) = parse
        .requests
        .last()
        .filter(|last| {
            matches!(last.act, Act::CreateEvent | Act::Move) && last.cond == Some((index, true))
        })
        .cloned()
    else {
        return false;
    };
    let mut ahead = *cursor;
    ahead.eat_any(phrases!(
        "book it | make it | schedule it | put it | set it | do it | move it | have it | plan it | book | schedule | try"
    ));
    let Some(mut other) = at_another_time(parse, &mut ahead, &request) else {
        return false;
    };
    if !filler::only_closers(&ahead) {
        return false;
    }
    other.cond = Some((index, false));
    parse.requests.push(other);
    *cursor = ahead;
    true
}

/// The request with the time that stands here; a time of day alone is one of the same day.
fn at_another_time(
    parse: &Parse<'_, '_>,
    cursor: &mut Cursor<'_, '_>,
    request: &Request,
) -> Option<Request> {
    cursor.eat(&["for", "to"]);
    let index = cursor.time()?;
    let found = parse.said.times.get(index)?;
    let mut other = request.clone();
    match (found.has_day, found.clock.is_some()) {
        (true, true) => other.vals.times = vec![index],
        (false, true) => other.vals.times.push(index),
        _ => return None,
    }
    other.vals.until = None;
    Some(other)
}

/// "A deadline of May 3 to the invoice task": when it is due.
pub(super) fn deadline<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    ahead.eat(&["a", "the", "new", "a new", "an"]);
    if !ahead.eat(&["deadline", "due date", "due time"]) {
        return false;
    }
    ahead.eat(&["of", "for", "on", "at", "by"]);
    let early = ahead.time();
    if !ahead.eat(&["to", "for", "on", "of"]) {
        return false;
    }
    let rules = super::noun::Rules {
        to_is_value: true,
        times_are_values: early.is_none(),
        ..super::noun::Rules::default()
    };
    let Some(sel) = super::noun::phrase(&mut ahead, Some(Noun::Task), rules) else {
        return false;
    };
    let Sel { noun, .. } = sel;
    let time = early.or_else(|| {
        ahead.eat(&["of", "to", "as"]);
        ahead.time()
    });
    let (Some(index), Some(Noun::Task | Noun::Reminder) | None) = (time, noun) else {
        return false;
    };
    let mut request = Request::new(Act::Move, sel);
    request.vals.times.push(index);
    parse.push(request);
    *cursor = ahead;
    true
}

/// "Find an hour on Tuesday and book 'Admin' then": the time that was looked for.
pub(super) fn in_found_time(
    parse: &Parse<'_, '_>,
    cursor: &mut Cursor<'_, '_>,
    request: &mut Request,
) -> bool {
    let Some(free) = parse
        .requests
        .last()
        .filter(|last| last.act == Act::Free && request.act == Act::CreateEvent)
    else {
        return false;
    };
    let mut ahead = *cursor;
    if !ahead.eat_any(phrases!(
        "then | there | at that time | in that slot | in it | in the slot | at this time | in there | for then | in that time | \
        in that gap | in the first one | in the first of them | at the first one"
    )) || !filler::only_closers(&ahead)
    {
        return false;
    }
    request.vals.free_slot = true;
    request.vals.times.clone_from(&free.sel.when);
    request.vals.minutes = request.vals.minutes.or(free.vals.minutes);
    *cursor = ahead;
    true
}

/// "Take Maria out of the reviews": fewer guests.
pub(super) fn takes_out<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    use super::people::{self, Place};
    let mut ahead = *cursor;
    if !ahead.eat(&["take", "leave"]) {
        return false;
    }
    let mut who = ahead;
    if people::list(&mut who, Place::Known).is_empty() || !who.eat(&["out of", "off", "off of"]) {
        return false;
    }
    let made = parse.requests.len();
    let read = super::change::delete(parse, &mut ahead, Verb::Delete);
    let fits = parse
        .requests
        .get(made)
        .is_some_and(|request| request.act == Act::RemovePeople);
    if read.is_err() || !fits {
        parse.requests.truncate(made);
        return false;
    }
    *cursor = ahead;
    true
}

/// "Call my next meeting with Tom 'Contract talk'": another name.
pub(super) fn calls(parse: &mut Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    if !ahead.eat(&["call", "name", "title"]) || ahead.sees(&["my", "the", "that", "our"]).is_none()
    {
        return false;
    }
    let rules = super::noun::Rules {
        titled_is_value: true,
        ..super::noun::Rules::default()
    };
    let Some(sel) = super::noun::phrase(&mut ahead, Some(Noun::Event), rules) else {
        return false;
    };
    let Some(words) = ahead.quote() else {
        return false;
    };
    if sel.noun != Some(Noun::Event) || !sel.said || !filler::only_closers(&ahead) {
        return false;
    }
    let mut request = Request::new(Act::Rename, sel);
    request.vals.title = Some(super::model::Value::Words(words));
    parse.push(request);
    *cursor = ahead;
    true
}

/// "I want the name of my first event to be X", "give my first event the name X".
pub(super) fn named_so<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    ahead.eat(&[
        "i want",
        "i would like",
        "i need",
        "i would prefer",
        "please have",
    ]);
    let gives = ahead.eat(&["give"]);
    let wants = !gives && ahead.eat(&["the name of", "the title of"]);
    if !gives && !wants {
        return false;
    }
    let rules = super::noun::Rules {
        to_is_value: true,
        titled_is_value: true,
        ..super::noun::Rules::default()
    };
    let Some(sel) = super::noun::phrase(&mut ahead, Some(Noun::Event), rules) else {
        return false;
    };
    let joined = if gives {
        ahead.eat(&[
            "the name",
            "the title",
            "a new name",
            "the new name",
            "a new title",
            "the new title",
        ])
    } else {
        ahead.eat_any(phrases!("to be | to read | to say | to become | should be | should read | must be | has to be | needs to be"))
    };
    if !joined || sel.noun != Some(Noun::Event) || !(sel.said || sel.exact) {
        return false;
    }
    ahead.eat(&[":", "of"]);
    let Some(words) = super::change::rest(&mut ahead) else {
        return false;
    };
    let mut request = Request::new(Act::Rename, sel);
    request.vals.title = Some(super::model::Value::Words(words));
    parse.push(request);
    *cursor = ahead;
    true
}

/// "Unread?", "overdue": a state that only one kind of thing has.
pub(super) fn state_alone(parse: &mut Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    let Some(state) = ahead.take(&STATES) else {
        return false;
    };
    let noun = match state {
        State::Unread | State::Unanswered => Noun::Mail,
        State::Overdue => Noun::Task,
        _ => return false,
    };
    if !parse.requests.is_empty() || !filler::only_closers(&ahead) {
        return false;
    }
    let sel = Sel {
        plural: true,
        states: vec![state],
        ..Sel::of(noun)
    };
    let mut request = Request::new(Act::Query(Ask::List), sel);
    request.span = usize::MAX..usize::MAX;
    parse.requests.push(request);
    *cursor = ahead;
    true
}
