//! Sentences that tell what was done, or what is to be kept.

use super::clause::Parse;
use super::cursor::Cursor;
use super::filler;
use super::lexicon::Noun;
use super::model::{Act, Request, Sel};
use super::noun::{self, Rules};
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
    if matches!(sel.noun, Some(Noun::Task | Noun::Reminder))
        && ahead.eat_any(phrases!("is done | is finished | is completed | is complete | are done | is all done | has been done | \
        are finished | are completed | is taken care of | has been completed"))
        && filler::only_closers(&ahead)
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
        "i am | we are | there is | i will be | we have | there will be | my"
    ));
    if starts.is_none() {
        return false;
    }
    let Some(at) = (cursor.at + 2..cursor.end).find(|at| {
        let mut here = *cursor;
        here.at = *at;
        here.eat(&[","]);
        here.eat(&["and", "so"]);
        here.eat(&["please", "can you", "could you"]);
        here.eat(&["put", "add", "enter", "note", "save", "write"])
            && here.eat(&["that", "it", "this"])
            && here.eat_any(phrases!(
                "in my calendar | to my calendar | on my calendar | into my calendar | in the calendar | to the calendar | \
                on the calendar | into the calendar | in my diary | in the diary"
            ))
            && filler::only_closers(&here)
    }) else {
        return false;
    };
    let mut fact = *cursor;
    fact.eat(&["i will be", "there will be"]);
    if super::keep::calendar_fact(parse, &mut fact, at).is_err() {
        return false;
    }
    cursor.at = cursor.end;
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
