//! Conditions: "if I haven't met with Amir in the past two days", "unless I'm busy".

use super::compared::{compared, number_of};
use super::condition_mail::mailed;
use super::elapsed::{elapsed, since};
use super::table::phrases;

use super::ask;
use super::attribute::attribute;
use super::clause::{Parse, Unread};
use super::cursor::Cursor;
use super::lexicon::{Noun, State, VERBS};
use super::model::{Cond, Det, Sel, Test, Who};
use super::noun::{self, Rules};
use super::people::{self, Place};

/// Words that open a condition.
pub(super) const OPENERS: &[&str] = &[
    "if",
    "unless",
    "in case",
    "provided that",
    "provided",
    "as long as",
    "only if",
    "assuming",
    "assuming that",
    "given that",
    "in the event that",
    "check if",
    "check whether",
    "whether",
];

/// What a condition is read into, step by step.
pub(super) struct Half {
    pub sel: Sel,
    pub test: Test,
    pub within: Option<i64>,
}

/// Reads a condition where one begins.
pub(super) fn read<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
) -> Result<Option<Cond>, Unread> {
    let start = cursor.at;
    let mut ahead = *cursor;
    let unless = ahead.sees(&["unless"]).is_some();
    // "When I have nothing on Friday at 3, book …": a condition in the form of a time.
    let when = ahead
        .sees_any(phrases!(
            "when i have nothing | when i have no | when there is nothing | when there are no | when nothing is | \
            when i do not have | whenever i have no | whenever i have nothing"
        ))
        .is_some();
    let when = when || denies(cursor);
    if !(when && ahead.eat(&["when", "whenever"]) || ahead.eat(OPENERS) || should(&mut ahead)) {
        return Ok(None);
    }
    ahead.eat_any(phrases!(
        "it turns out | it happens that | that | for some reason | and only if"
    ));
    let half = social(parse, &mut ahead)
        .or_else(|| elapsed(parse, &mut ahead))
        .or_else(|| mailed(parse, &mut ahead))
        .or_else(|| free(&mut ahead))
        .or_else(|| has(parse, &mut ahead))
        .or_else(|| attribute(&mut ahead));
    let half = half.filter(|_| {
        !when || matches!(ahead.word(0), "," | "then") || ahead.sees_in(&VERBS).is_some()
    });
    let Some(half) = half else {
        if when {
            return Ok(None);
        }
        return Err(parse.words(cursor));
    };
    for who in [&half.sel.with, &half.sel.from, &half.sel.to]
        .into_iter()
        .flatten()
    {
        parse.people.push(who.clone());
    }
    let mut cond = Cond {
        sel: half.sel,
        test: half.test,
        negated: unless,
        within_minutes: half.within,
        span: parse.said.span(&(start..ahead.at)),
    };
    cond.sel.span = start..ahead.at;
    *cursor = ahead;
    Ok(Some(cond))
}

/// "When Omar has not mailed in 3 days": a condition in the form of a time.
fn denies(cursor: &Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    ahead.eat(&["when", "whenever"])
        && people::one(&mut ahead, Place::Known).is_some()
        && ahead.eat(&["has not", "have not", "did not", "does not", "has never"])
}

/// "Should Nadia have mailed me …": a condition without its "if".
fn should(cursor: &mut Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    if !ahead.eat(&["should", "had"]) {
        return false;
    }
    let begins = ahead;
    let who = ahead.eat(&["i", "there"]) || people::one(&mut ahead, Place::Known).is_some();
    let goes_on = ahead.eat(&["have", "not", "be"]) || begins.word(0) == "there";
    if who && goes_on {
        *cursor = begins;
    }
    who && goes_on
}

pub(super) fn me(cursor: &mut Cursor<'_, '_>) -> bool {
    cursor.eat(&["i", "we"])
}

/// Reads "have not", "did not", "never" and the like; whether it was denied.
pub(super) fn auxiliary(cursor: &mut Cursor<'_, '_>) -> Option<bool> {
    if cursor.eat_any(phrases!("have not | has not | had not | did not | have never | never | do not | does not | \
        have still not | still have not | still has not | have yet to | has yet to | has never | have no")) {
        cursor.eat_any(phrases!("yet | already | actually | even | ever | just | recently"));
        return Some(true);
    }
    if cursor.eat_any(phrases!(
        "have | has | had | did | do | does | have already | has already"
    )) {
        cursor.eat(&["already", "actually", "just", "recently"]);
        return Some(false);
    }
    None
}

/// "I haven't met with Amir in the past two days".
fn social(parse: &Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> Option<Half> {
    let mut ahead = *cursor;
    if !me(&mut ahead) {
        return None;
    }
    let perfect = ahead
        .sees_any(phrases!(
            "have | had | did | never | still have | have never"
        ))
        .is_some();
    let denied = auxiliary(&mut ahead).unwrap_or(false);
    let perfect = perfect && ahead.sees(&["a", "any"]).is_none()
        || matches!(ahead.word(0), "met" | "saw" | "spoke" | "talked" | "caught");
    if !ahead.eat_any(phrases!("met with | met up with | met | seen | meet with | meet | saw | see | caught up with | \
        catch up with | had a meeting with | have a meeting with | had any meetings with | \
        had a call with | spoken with | spoken to | talked to | talked with | speak to | speak with | \
        sat down with | had meetings with | connected with | scheduled a meeting with | \
        had a catch up with | had an event with | chatted with")) {
        return None;
    }
    let mut sel = Sel::of(Noun::Event);
    sel.with = people::list(&mut ahead, Place::Sure);
    // "… Bob …, if we haven't met in the past 10 days": with him.
    if sel.with.is_empty()
        && cursor.word(0) == "we"
        && let Some(who) = parse
            .people
            .iter()
            .rev()
            .find(|who| super::clause::is_name(who))
    {
        sel.with.push(who.clone());
    }
    if sel.with.is_empty() {
        return None;
    }
    resolve_they(parse, &mut sel.with);
    let within = since(&mut ahead, &mut sel);
    // "Haven't met this month": what is still to come has not been.
    if perfect && within.is_none() && !sel.when.is_empty() {
        sel.states.push(State::Past);
    }
    *cursor = ahead;
    Some(Half {
        sel,
        test: Test::Exists(!denied),
        within,
    })
}

/// "I'm free tomorrow at 3", "my calendar is clear on Friday".
fn free(cursor: &mut Cursor<'_, '_>) -> Option<Half> {
    let mut ahead = *cursor;
    let mut sel = Sel::of(Noun::Slot);
    // "My calendar on Friday afternoon is free".
    let mut dated = ahead;
    if dated.eat(&["my calendar", "my schedule"]) && dated.sees_time().is_some() {
        ask::times_into(&mut dated, &mut sel);
        if dated.word(0) == "is" {
            ahead = dated;
            ahead.at += 1;
        } else {
            sel.when.clear();
        }
    }
    let early = !sel.when.is_empty() && ahead.at > cursor.at
        || ahead.eat(&[
            "my calendar is",
            "my schedule is",
            "my day is",
            "my calendar",
        ]);
    if !early {
        let mut timed = ahead;
        if timed.eat(&["my", "the"]) && timed.sees_time().is_some() {
            ahead = timed;
        }
        if ahead.sees_time().is_some() {
            ask::times_into(&mut ahead, &mut sel);
            ahead.eat(&["is"]);
        } else if !me(&mut ahead) {
            return None;
        }
        ahead.eat_any(phrases!("am | are | will be | have got | have | is | got"));
    }
    ahead.eat(&["already", "still"]);
    let not = ahead.eat(&["not"]);
    if ahead.eat(&["double booked", "overbooked", "double - booked"]) {
        let mut sel = Sel {
            plural: true,
            states: vec![super::lexicon::State::Clashing],
            ..Sel::of(Noun::Event)
        };
        ask::times_into(&mut ahead, &mut sel);
        *cursor = ahead;
        return Some(Half {
            sel,
            test: Test::Exists(!not),
            within: None,
        });
    }
    if ahead
        .sees(&[
            "nothing with",
            "nothing scheduled with",
            "nothing planned with",
            "nothing from",
        ])
        .is_some()
    {
        return None;
    }
    let free = if ahead.eat_any(phrases!(
        "free | available | open | clear | empty | not busy | time | free time | unbooked | \
        nothing scheduled | nothing planned | nothing on | nothing"
    )) {
        true
    } else if ahead.eat_any(phrases!(
        "busy | booked | occupied | unavailable | tied up | full | double booked"
    )) {
        false
    } else {
        return None;
    };
    ask::times_into(&mut ahead, &mut sel);
    ahead.eat(&["then"]);
    *cursor = ahead;
    Some(Half {
        sel,
        test: Test::Free(free != not),
        within: None,
    })
}

/// "I have (no|any|more than two) meetings on Friday", "there is nothing on Friday".
fn has(parse: &Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> Option<Half> {
    if let Some(half) = number_of(parse, cursor) {
        return Some(half);
    }
    let mut ahead = *cursor;
    let mut denied;
    // "If Lena and I don't have anything this week".
    let mut pair = ahead;
    let both = people::one(&mut pair, Place::Known)
        .filter(|who| super::clause::is_name(who) && pair.eat(&["and i", "and me"]));
    if both.is_some() {
        ahead = pair;
        ahead.at -= 1;
        // What follows is said of the person speaking.
    }
    if ahead
        .sees(&["nothing is", "nothing else is", "nothing"])
        .is_some()
    {
        // "Nothing is planned for Saturday": read below.
        denied = false;
    } else if me(&mut ahead) || both.is_some() && ahead.eat(&["me"]) {
        denied = ahead.eat_any(phrases!("do not have | have not got | do not already have | have not | did not have | did not get | \
        did not receive | have not received | do not yet have | do not currently have"));
        if !denied && !ahead.eat_any(phrases!("have already got | already got | have already | have got | already have | have | got | had | receive | received | get | have received | \
        already had")) {
            return None;
        }
        ahead.eat(&["already", "yet", "currently"]);
    } else if ahead.eat_any(phrases!(
        "there is | there are | there will be | there were | there was"
    )) {
        denied = ahead.eat(&["not"]);
    } else {
        return None;
    }
    let test = compared(&mut ahead);
    if ahead.eat(&["nothing", "no one", "none"]) {
        denied = !denied;
        let mut sel = Sel::of(Noun::Event);
        ahead.eat(&["else"]);
        ahead.eat(&["is"]);
        ahead.eat_any(phrases!(
            "else | scheduled | planned | booked | going on | on | happening | in my calendar | on my calendar"
        ));
        super::after::modifiers(
            &mut ahead,
            &mut sel,
            Rules {
                question: true,
                ..Rules::default()
            },
        );
        *cursor = ahead;
        return Some(Half {
            sel,
            test: Test::Exists(!denied),
            within: None,
        });
    }
    let from =
        matches!(ahead.word(0), "anything" | "something" | "nothing") && ahead.word(1) == "from";
    let mut sel = noun::phrase(
        &mut ahead,
        Some(if from { Noun::Mail } else { Noun::Event }),
        Rules {
            question: true,
            ..Rules::default()
        },
    )?;
    if sel.noun == Some(Noun::Any) || !sel.said && !sel.from.is_empty() {
        // "Anything from Lena" is mail.
        sel.noun = Some(if sel.from.is_empty() {
            Noun::Event
        } else {
            Noun::Mail
        });
    }
    if let Some(who) = both
        && sel.noun == Some(Noun::Event)
    {
        sel.with.push(who);
    }
    if sel.det == Det::No {
        denied = !denied;
        sel.det = Det::Any;
    }
    resolve_they(parse, &mut sel.with);
    resolve_they(parse, &mut sel.from);
    let within = since(&mut ahead, &mut sel);
    // "No meetings with Ana in 3 days" looks back; "for 3 days" has no direction and was read by the caller as a length.
    *cursor = ahead;
    Some(Half {
        sel,
        test: test.unwrap_or(Test::Exists(!denied)),
        within,
    })
}

/// Puts the person mentioned last in the place of "them".
pub(super) fn resolve_they(parse: &Parse<'_, '_>, list: &mut [Who]) {
    for who in list {
        if *who == Who::They
            && let Some(named) = parse
                .people
                .iter()
                .rev()
                .find(|who| super::clause::is_name(who))
        {
            *who = named.clone();
        }
    }
}
