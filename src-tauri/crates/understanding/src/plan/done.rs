//! Sentences that tell what was done, or what is to be kept.

use super::clause::Parse;
use super::cursor::Cursor;
use super::filler;
use super::lexicon::Noun;
use super::model::{Act, Request, Sel, Who};
use super::noun::{self, Rules};
use super::people::{self, Place};
use super::table::phrases;

/// "I've finished the report", "the tax return is done": tick it off.
pub(super) fn finished<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    if ahead.eat_any(phrases!("i have finished | i finished | i have completed | i completed | i am done with | i have done | \
        done with | i did | i am finished with | i just finished | i have just finished | \
        i just completed | finished with | i have just completed | i already did | \
        i have already done | i got done with")) {
        if let Some(sel) = super::shift::doing(&mut ahead)
            && filler::only_closers(&ahead)
        {
            parse.push(Request::new(Act::Complete, sel));
            *cursor = ahead;
            return true;
        }
        if let Some(sel) = noun::phrase(&mut ahead, Some(Noun::Task), Rules::default())
            && (matches!(sel.noun, Some(Noun::Task | Noun::Reminder)) || sel.pron.is_some())
            && (sel.title.is_some() || sel.pron.is_some() || sel.is_narrowed())
            && (filler::only_closers(&ahead) || ahead.word(0) == "and" || ahead.word(0) == ",")
        {
            let mut sel = sel;
            // "Buying milk" is the task "Buy milk": the noun finds it.
            if let Some(words) = sel.title.as_mut().filter(|words| !words.quoted)
                && let Some((first, rest)) = words.text.split_once(' ')
                && first.ends_with("ing")
            {
                words.text = rest.to_owned();
            }
            parse.push(Request::new(Act::Complete, sel));
            *cursor = ahead;
            return true;
        }
        return false;
    }
    if did(parse, &mut ahead) {
        *cursor = ahead;
        return true;
    }
    // "The report's finished".
    let short = (ahead.at + 2..ahead.end.saturating_sub(1)).find(|at| {
        let piece = &ahead.said.pieces[*at];
        matches!(piece.word.as_str(), "'s" | "\u{2019}s")
            && ahead.said.pieces.get(at + 1).is_some_and(|next| {
                matches!(
                    next.word.as_str(),
                    "done" | "finished" | "complete" | "completed"
                )
            })
    });
    let end = ahead.end;
    ahead.end = short.unwrap_or(end);
    let Some(sel) = noun::phrase(
        &mut ahead,
        Some(Noun::Task),
        Rules {
            states_are_values: true,
            ..Rules::default()
        },
    ) else {
        return false;
    };
    ahead.end = end;
    if matches!(sel.noun, Some(Noun::Task | Noun::Reminder))
        && ahead.eat_any(phrases!("is done | is finished | is completed | is complete | are done | is all done | has been done | \
        are finished | are completed | is taken care of | has been completed | 's done | 's finished | 's complete"))
        && {
            // "…, tick it off": that is what follows from it.
            ahead.eat(&[", and", ", so", ",", "so", "and", "-"]);
            ahead.eat_any(phrases!("please | can you | could you"));
            ahead.eat_any(phrases!(
                "tick it off | check it off | cross it off | mark it as done | mark it done | mark it as complete | mark it complete | \
                mark it as finished | tick that off | check that off | mark that as done | mark that done | tick it | cross that off | \
                close it | complete it | take it off my list | tick that off my list | tick it off my list | cross it off my list"
            ));
            filler::only_closers(&ahead)
        }
    {
        parse.push(Request::new(Act::Complete, sel));
        *cursor = ahead;
        return true;
    }
    false
}

/// What people say they did, and the verb of the task it was.
pub(super) const DID: &[(&str, &str)] = &[
    ("called", "call"),
    ("phoned", "phone"),
    ("rang", "ring"),
    ("paid", "pay"),
    ("bought", "buy"),
    ("cleaned", "clean"),
    ("fixed", "fix"),
    ("repaired", "repair"),
    ("submitted", "submit"),
    ("watered", "water"),
    ("renewed", "renew"),
    ("signed", "sign"),
    ("ordered", "order"),
    ("returned", "return"),
    ("washed", "wash"),
    ("packed", "pack"),
    ("printed", "print"),
    ("booked", "book"),
    ("picked up", "pick up"),
    ("dropped off", "drop off"),
    ("fed", "feed"),
    ("mowed", "mow"),
    ("vacuumed", "vacuum"),
    ("filed", "file"),
    ("posted", "post"),
];

/// "I already paid the rent": the task "Pay the rent" is done; its verb and its thing must both be there.
pub(super) fn did<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    if !ahead.eat_any(phrases!(
        "i have already | i have just | i have | i already | i just | i finally | i have finally | i"
    )) {
        return false;
    }
    let Some((_, verb)) = DID.iter().find(|(said, _)| ahead.eat(&[said])) else {
        return false;
    };
    let start = ahead.at;
    while !ahead.is_done()
        && ahead.sees_time().is_none()
        && !matches!(ahead.word(0), "and" | "," | "." | "!" | "so")
    {
        ahead.at += 1;
    }
    let thing = ahead.words(start..ahead.at);
    while ahead.time().is_some() {}
    let Some(thing) =
        thing.filter(|_| filler::only_closers(&ahead) || matches!(ahead.word(0), "and" | ","))
    else {
        return false;
    };
    let request = Request::new(
        Act::Complete,
        Sel {
            title: Some(super::model::Words {
                text: format!("{verb} {}", thing.text),
                ..thing
            }),
            said: true,
            span: start..ahead.at,
            ..Sel::of(Noun::Task)
        },
    );
    parse.push(request);
    *cursor = ahead;
    true
}

/// "I'm out of office from 13 to 17 April, put that in my calendar".
pub(super) fn to_calendar<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let starts = cursor.sees_any(phrases!(
        "i am | we are | there is | i will be | we have | i have | i have got | we will be | we will have | there will be | my | \
        the | our"
    ));
    let with = people::one(&mut { *cursor }, Place::Known);
    // "Flight to Lisbon on the 22nd at 6, put it in my calendar".
    let named = starts.is_none()
        && cursor.is_content(0)
        && cursor.sees_in(&super::lexicon::VERBS).is_none();
    if starts.is_none() && !named && !matches!(with, Some(Who::Named { known: true, .. })) {
        return false;
    }
    let Some(at) = (cursor.at + 2..cursor.end).find(|at| {
        let mut here = *cursor;
        here.at = *at;
        here.eat(&[",", "."]);
        here.eat(&["and", "so"]);
        here.eat(&["please", "can you", "could you"]);
        here.eat(&[
            "put", "add", "enter", "note", "save", "write", "pop", "stick", "log", "block", "schedule", "book",
        ]) && here.eat(&["that", "it", "this"])
            && {
                here.eat_any(phrases!(
                    "in my calendar | to my calendar | on my calendar | into my calendar | in the calendar | to the calendar | \
                    on the calendar | into the calendar | in my diary | in the diary | in | down | out | on my schedule"
                ));
                filler::only_closers(&here)
            }
    }) else {
        return false;
    };
    let calendar = (at..cursor.end).any(|at| {
        matches!(
            cursor.said.pieces[at].word.as_str(),
            "calendar" | "diary" | "schedule"
        )
    });
    if named && !calendar {
        return false;
    }
    if together(parse, cursor, at) {
        cursor.at = cursor.end;
        return true;
    }
    let mut fact = *cursor;
    fact.eat(&["i will be", "there will be"]);
    if super::keep::calendar_fact(parse, &mut fact, at).is_err() {
        return false;
    }
    cursor.at = cursor.end;
    true
}

/// Whether a remark about somebody's plans begins at `start`, and the sentence from `next` on says to enter it.
pub(super) fn goes_in(said: &super::said::Said<'_>, start: usize, next: usize) -> bool {
    let end = (next..said.pieces.len())
        .find(|at| said.pieces[*at].ends)
        .map_or(said.pieces.len(), |at| at + 1);
    let tail = Cursor::new(said, next..end);
    let mut asked = tail;
    asked.eat(&["please", "can you", "could you", "so"]);
    let enters = asked.eat(&[
        "put", "add", "enter", "note", "save", "pop", "stick", "log", "block",
    ]) && asked.eat(&["that", "it", "this"])
        && {
            asked.eat_any(phrases!(
                "in my calendar | to my calendar | on my calendar | into my calendar | in the calendar | to the calendar | \
                on the calendar | into the calendar | in my diary | in the diary"
            )) && filler::only_closers(&asked)
        };
    let mut fact = Cursor::new(said, start..next);
    filler::open(&mut fact);
    let people = people::list(&mut fact, Place::Known);
    let _ = people;
    enters
        && fact
            .sees_any(phrases!(
                "i am meeting | we are meeting | i am seeing | we are having | i am having | and i are having | and i are meeting | \
                and i will | we are getting | i am flying | we are flying | i am on | i am out | i will be"
            ))
            .is_some()
        && (start..next).any(|at| matches!(said.pieces[at].form, super::said::Form::Time(_)))
}

/// "Kofi and I are having lunch on Wednesday at noon": an event with Kofi.
fn together<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &Cursor<'s, 'a>, end: usize) -> bool {
    let mut inner = Cursor { end, ..*cursor };
    let guests = people::list(&mut inner, Place::Known);
    let i = inner.eat(&["and i", "and me", "i", "we"]);
    if !i {
        return false;
    }
    if !inner.eat_any(phrases!(
        "are having | am having | are getting | are grabbing | am grabbing | are going for | have got | have | will have | \
        will be having | are doing | got | are meeting for"
    )) {
        let meets = inner.eat_any(phrases!("are meeting | am meeting | are seeing | am seeing | will meet | are meeting up"));
        let guests = if meets && guests.is_empty() {
            people::list(&mut inner, Place::Sure)
        } else {
            guests
        };
        if !meets || guests.is_empty() {
            return false;
        }
        let before = parse.requests.len();
        let meeting = Request::new(
            Act::CreateEvent,
            Sel {
                about: Some(super::model::Words {
                    text: "Meeting".to_owned(),
                    span: None,
                    quoted: false,
                }),
                ..Sel::of(Noun::Event)
            },
        );
        parse.requests.push(meeting);
        let read = super::create::rest_of(parse, &mut inner, guests);
        if !read {
            parse.requests.truncate(before);
        }
        return read;
    }
    let before = parse.requests.len();
    let read = super::create::create(parse, &mut inner, super::lexicon::Verb::Book).is_ok()
        && parse.requests.len() == before + 1
        && (inner.is_done() || filler::only_closers(&inner));
    let timed = parse
        .requests
        .last()
        .is_some_and(|made| made.act == Act::CreateEvent && !made.vals.times.is_empty());
    if !read || !timed {
        parse.requests.truncate(before);
        return false;
    }
    if let Some(made) = parse.requests.last_mut() {
        made.vals.people.extend(guests);
    }
    true
}

/// "My shoe size is 43, remember that".
pub(super) fn told_to_remember<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
) -> bool {
    let Some(at) = (cursor.at + 2..cursor.end).find(|at| {
        let mut here = *cursor;
        here.at = *at;
        here.eat(&[",", "-"]);
        here.eat(&["and", "so"]);
        here.eat(&["please", "can you", "could you"]);
        here.eat_any(phrases!(
            "remember that | remember it | remember this | keep that in mind | keep it in mind | bear that in mind | \
            memorize that | memorise that | do not forget that | note that for later"
        )) && filler::only_closers(&here)
    }) else {
        return false;
    };
    let mut fact = *cursor;
    fact.end = at;
    if super::keep::remember(parse, &mut fact).is_err() {
        return false;
    }
    cursor.at = cursor.end;
    true
}
