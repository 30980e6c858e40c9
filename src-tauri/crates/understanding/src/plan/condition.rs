//! Conditions: "if I haven't met with Amir in the past two days", "unless I'm busy".

use super::joints::ABOUT;
use super::table::phrases;
use std::cmp::Ordering;

use super::ask;
use super::attribute::attribute;
use super::clause::{Parse, Unread};
use super::cursor::Cursor;
use super::lexicon::{Noun, State, VERBS};
use super::model::{Cond, Det, Sel, Test, Who};
use super::noun::{self, Rules};
use super::people::{self, Place};
use crate::time::Value;

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

fn me(cursor: &mut Cursor<'_, '_>) -> bool {
    cursor.eat(&["i", "we"])
}

/// Reads "have not", "did not", "never" and the like; whether it was denied.
fn auxiliary(cursor: &mut Cursor<'_, '_>) -> Option<bool> {
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

/// "It's been longer than 2 days (since I met with Nia)".
fn elapsed(parse: &Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> Option<Half> {
    let mut ahead = *cursor;
    let last = last_time(parse, &mut ahead);
    if last.is_none() && !ahead.eat_any(phrases!("it has been | it is been | it is | it was | that is | that has been | that was | it has | \
        been | the last time was | our last meeting was | the last meeting was | the last one was | \
        it s been | more | we last met")) {
        return None;
    }
    let less = ahead.eat_any(phrases!(
        "less than | under | within | at most | fewer than | no more than | not more than | \
        not longer than | no longer than"
    ));
    let _ = less || ahead.eat_any(phrases!("longer than | more than | over | at least | greater than | upwards of | about | above | than | \
        in excess of"));
    let minutes = length(&mut ahead)?;
    ahead.eat_any(phrases!("ago | or more | or longer | now | already"));
    let mut sel = last.or_else(|| {
        parse
            .mentioned
            .iter()
            .rev()
            .find(|sel| !sel.with.is_empty() || !sel.from.is_empty() || !sel.to.is_empty())
            .cloned()
    });
    if ahead.eat(&["since"]) {
        ahead.eat_any(phrases!("i | we | my | our | the"));
        ahead.eat(&["have", "had", "last", "actually"]);
        ahead.eat(&["last"]);
        if ahead.eat_any(phrases!("met with | met up with | met | saw | seen | spoke to | spoke with | talked to | meeting with | \
        meeting | time i met with | time i met | time i saw | caught up with | heard from | \
        time we met | time i spoke to | time i spoke with | met up | call with | spoken to | spoken with")) {
            let mut found = Sel::of(Noun::Event);
            found.with = people::list(&mut ahead, Place::Sure);
            resolve_they(parse, &mut found.with);
            if !found.with.is_empty() {
                sel = Some(found);
            }
        }
    }
    // "When was my last mail from Priya? If it was over a week ago …".
    let asked = parse.requests.last().filter(|last| {
        matches!(last.act, super::model::Act::Query(_))
            && (!last.sel.with.is_empty() || !last.sel.from.is_empty() || !last.sel.to.is_empty())
    });
    let sel = sel.or_else(|| {
        asked.map(|last| Sel {
            pick: None,
            ..last.sel.clone()
        })
    });
    let mut sel = sel.or_else(|| {
        let who = parse
            .people
            .iter()
            .rev()
            .find(|who| super::clause::is_name(who))?;
        Some(Sel {
            with: vec![who.clone()],
            ..Sel::of(Noun::Event)
        })
    })?;
    sel.when.clear();
    *cursor = ahead;
    Some(Half {
        sel,
        test: Test::Exists(less),
        within: Some(minutes),
    })
}

/// "The last time I met with Dave was …": of which meetings.
fn last_time(parse: &Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> Option<Sel> {
    let mut ahead = *cursor;
    ahead
        .eat(&["the last time", "last time", "the last time that"])
        .then_some(())?;
    let me = ahead.eat(&["i", "we"]);
    let mut sel;
    if me {
        ahead
            .eat_any(phrases!(
                "met with | met up with | met | saw | spoke to | spoke with | talked to | talked with | caught up with | had a meeting with | had a call with | heard from"
            ))
            .then_some(())?;
        let mail = ahead.said.pieces[..ahead.at]
            .last()
            .is_some_and(|last| last.word == "from");
        let who = people::list(&mut ahead, Place::Sure);
        sel = Sel::of(if mail { Noun::Mail } else { Noun::Event });
        if mail {
            sel.from = who;
        } else {
            sel.with = who;
        }
    } else {
        let who = people::one(&mut ahead, Place::Sure)?;
        ahead
            .eat_any(phrases!("emailed me | emailed | wrote to me | wrote me | wrote | mailed me | messaged me | sent me an email"))
            .then_some(())?;
        sel = Sel::of(Noun::Mail);
        sel.from = vec![who];
    }
    resolve_they(parse, &mut sel.with);
    resolve_they(parse, &mut sel.from);
    (ahead.eat(&["was", "is"]) && (!sel.with.is_empty() || !sel.from.is_empty())).then(|| {
        *cursor = ahead;
        sel
    })
}

fn length(cursor: &mut Cursor<'_, '_>) -> Option<i64> {
    let (index, len) = cursor.sees_time()?;
    let found = cursor.said.times.get(index)?;
    let minutes = match &found.value {
        Value::Duration(length) => noun::minutes(length.seconds)?,
        // "2 days ago" is a point that far back.
        Value::Date(_) | Value::Instant(_) | Value::Interval { .. } => {
            let now = cursor.said.utterance.now;
            let (start, _) = cursor.said.time(index, true)?.value.stretch(now)?;
            let seconds = now.timestamp().as_second() - start.timestamp().as_second();
            (seconds > 0).then_some(seconds / 60)?
        }
        Value::Set { .. } => return None,
    };
    cursor.at += len;
    Some(minutes)
}

/// "In the past two days", "for 3 weeks", "since Monday": a stretch that ends now.
fn since(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> Option<i64> {
    let mut within = None;
    for _ in 0..3 {
        cursor.eat_any(phrases!("again | yet | at all | in | for | over | within | during | at any point | at least once | \
        any time | anytime | the | more than | at any time"));
        let Some((index, len)) = cursor.sees_time() else {
            break;
        };
        let Some(found) = cursor.said.times.get(index) else {
            break;
        };
        let now = cursor.said.utterance.now;
        let ahead = found
            .value
            .stretch(now)
            .map(|(start, _)| start)
            .filter(|start| {
                let text = cursor.said.source.get(found.span.clone()).unwrap_or("");
                start > now
                    // "In 3 days", and not "on Friday".
                    && ["day", "week", "month", "hour", "year"].iter().any(|unit| {
                        text.split_whitespace()
                            .next_back()
                            .is_some_and(|last| last.trim_end_matches('s') == *unit)
                    })
                    && !text.starts_with("next")
                    && !text.starts_with("this")
            });
        match &found.value {
            Value::Duration(length) => within = noun::minutes(length.seconds),
            // "Has not answered in 3 days": as long as that, looking back.
            Value::Date(_) | Value::Instant(_) if ahead.is_some() => {
                let seconds = ahead.map_or(0, |start| {
                    start.timestamp().as_second() - now.timestamp().as_second()
                });
                within = noun::minutes(seconds as f64);
            }
            _ => sel.when.push(index),
        }
        cursor.at += len;
    }
    cursor.eat(&["yet", "again", "at all"]);
    within
}

/// "Nadia hasn't emailed me since Monday", "I haven't heard from Ana in a week", "I haven't replied to Bob".
fn mailed(parse: &Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> Option<Half> {
    let mut ahead = *cursor;
    let mut sel = Sel::of(Noun::Mail);
    let mut open = false;
    let denied;
    if me(&mut ahead) {
        denied = auxiliary(&mut ahead).unwrap_or(false);
        if ahead.eat_any(phrases!("heard from | heard back from | received an email from | received any emails from | \
        received anything from | received a reply from | received a response from | \
        gotten an email from | got an email from | get an email from | received a message from | \
        gotten a reply from | got a reply from | hear from | hear back from | received emails from | \
        had an email from | had any emails from | received mail from | got any emails from | \
        gotten any emails from")) {
            sel.from = people::list(&mut ahead, Place::Sure);
        } else if got_mail(&mut ahead) {
            sel.from = people::list(&mut ahead, Place::Sure);
        } else if ahead.eat_any(phrases!("emailed | written to | sent an email to | sent any emails to | sent anything to | contacted | \
        messaged | sent a message to | mailed | reached out to | replied to | written | answered | \
        responded to")) {
            sel.to = people::list(&mut ahead, Place::Sure);
            sel.mine = true;
        } else {
            return None;
        }
    } else {
        let nobody = ahead.eat(&["nobody", "no one", "noone"]);
        let anybody = !nobody && ahead.eat(&["anyone", "anybody", "someone", "somebody"]);
        let who = if nobody || anybody {
            None
        } else {
            Some(people::one(&mut ahead, Place::Sure)?)
        };
        denied = auxiliary(&mut ahead).unwrap_or(false) || nobody;
        if !ahead.eat_any(phrases!("emailed me | mailed me | mailed | mail me | texted me | emailed | written to me | written | written back | replied to me | replied | \
        responded | sent me an email | sent me anything | sent me any emails | sent me a message | \
        messaged me | contacted me | answered | responded to me | answered me | gotten back to me | \
        got back to me | sent an email | been in touch | sent anything | sent a reply | \
        sent me a reply | email me | reply | respond | send me an email | wrote to me | wrote me | \
        get back to me | reached out | sent me any email | answer"))
            && !sent_me(&mut ahead)
        {
            return None;
        }
        // Of anybody only what they write about or when narrows it; without that it would be any mail there is.
        if who.is_none() && ahead.sees_any(&ABOUT).is_none() && ahead.sees_time().is_none() {
            return None;
        }
        open = who.is_none();
        sel.from = who.into_iter().collect();
    }
    if sel.from.is_empty() && sel.to.is_empty() && !open {
        return None;
    }
    resolve_they(parse, &mut sel.from);
    resolve_they(parse, &mut sel.to);
    if sel.mine || !sel.from.is_empty() {
        let mut mail = ahead;
        mail.eat(&["to"]);
        if mail.eat(&["my", "the", "our"]) {
            mail.eat(&["last", "latest", "first"]);
            if mail.eat_any(phrases!(
                "email | mail | message | question | note | emails | mails | messages"
            )) {
                ahead = mail;
            }
        }
    }
    if ahead.sees_any(&ABOUT).is_some() {
        super::after::modifiers(
            &mut ahead,
            &mut sel,
            Rules {
                times_are_values: true,
                ..Rules::default()
            },
        );
    }
    let within = since(&mut ahead, &mut sel);
    *cursor = ahead;
    Some(Half {
        sel,
        test: Test::Exists(!denied),
        within,
    })
}

/// "Sent me any mail", "dropped me a new message", "send over an update".
fn sent_me(cursor: &mut Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    if !ahead.eat(&[
        "sent", "send", "sends", "written", "wrote", "dropped", "shot", "left",
    ]) {
        return false;
    }
    ahead.eat(&["me", "us", "over"]);
    if !a_mail(&mut ahead) {
        return false;
    }
    ahead.eat(&["to me", "over", "back"]);
    *cursor = ahead;
    true
}

/// "Had any new mail from", "gotten a single message from".
fn got_mail(cursor: &mut Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    let got = ahead.eat(&[
        "received", "gotten", "got", "get", "had", "receive", "have", "seen",
    ]) && a_mail(&mut ahead)
        && ahead.eat(&["from", "back from", "by"]);
    if got {
        *cursor = ahead;
    }
    got
}

/// "Any new mail", "a reply", "anything".
fn a_mail(cursor: &mut Cursor<'_, '_>) -> bool {
    cursor.eat(&["an", "a", "any", "some", "another", "even one", "one", "no"]);
    cursor.eat(&["single", "new", "further", "more"]);
    cursor.eat_any(phrases!(
        "email | mail | message | e mail | reply | response | answer | note | anything | something | update"
    ))
}

/// "I'm free tomorrow at 3", "my calendar is clear on Friday".
fn free(cursor: &mut Cursor<'_, '_>) -> Option<Half> {
    let mut ahead = *cursor;
    let mut sel = Sel::of(Noun::Slot);
    let early = ahead.eat(&[
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
        ahead.eat_any(phrases!("am | are | will be | have | is"));
    }
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
        if !denied && !ahead.eat_any(phrases!("have got | already have | have | got | had | receive | received | get | have received | \
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

/// "More than three", "at least 2": how a number of things compares.
fn compared(cursor: &mut Cursor<'_, '_>) -> Option<Test> {
    for (words, order, add) in [
        (
            &[
                "more than",
                "over",
                "greater than",
                "above",
                "higher than",
                "in excess of",
            ][..],
            Ordering::Greater,
            0,
        ),
        (
            &["at least", "no fewer than", "no less than", "a minimum of"][..],
            Ordering::Greater,
            -1,
        ),
        (
            &[
                "fewer than",
                "less than",
                "under",
                "below",
                "lower than",
                "smaller than",
            ][..],
            Ordering::Less,
            0,
        ),
        (
            &["at most", "no more than", "not more than", "a maximum of"][..],
            Ordering::Less,
            1,
        ),
        (
            &["exactly", "equal to", "precisely"][..],
            Ordering::Equal,
            0,
        ),
    ] {
        let mut number = *cursor;
        if number.eat(words)
            && let Some(n) = number_word(number.word(0))
        {
            number.at += 1;
            *cursor = number;
            return Some(Test::Count(order, n + add));
        }
    }
    // "Three or more meetings".
    let mut number = *cursor;
    let n = number_word(number.word(0))?;
    number.at += 1;
    let test = if number.eat(&["or more", "or above", "plus"]) {
        Test::Count(Ordering::Greater, n - 1)
    } else if number.eat(&["or fewer", "or less"]) {
        Test::Count(Ordering::Less, n + 1)
    } else {
        return None;
    };
    *cursor = number;
    Some(test)
}

/// "The number of meetings I have on Monday is over four", "my unread mails number more than ten".
fn number_of(parse: &Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> Option<Half> {
    let mut ahead = *cursor;
    if !ahead.eat(&["the number of", "the count of", "the total number of"]) {
        return None;
    }
    let mut sel = noun::phrase(
        &mut ahead,
        Some(Noun::Event),
        Rules {
            question: true,
            ..Rules::default()
        },
    )?;
    ahead.eat(&["is", "was", "are", "exceeds"]).then_some(())?;
    let exceeds = ahead
        .said
        .pieces
        .get(ahead.at.checked_sub(1)?)
        .is_some_and(|verb| verb.word == "exceeds");
    let test = if exceeds {
        let n = number_word(ahead.word(0))?;
        ahead.at += 1;
        Test::Count(Ordering::Greater, n)
    } else {
        compared(&mut ahead).or_else(|| {
            let n = number_word(ahead.word(0))?;
            ahead.at += 1;
            Some(Test::Count(Ordering::Equal, n))
        })?
    };
    sel.plural = true;
    resolve_they(parse, &mut sel.with);
    resolve_they(parse, &mut sel.from);
    *cursor = ahead;
    Some(Half {
        sel,
        test,
        within: None,
    })
}

pub(super) fn number_word(word: &str) -> Option<i64> {
    const WORDS: [&str; 11] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    word.parse().ok().or_else(|| {
        WORDS
            .iter()
            .position(|known| *known == word)
            .and_then(|at| i64::try_from(at).ok())
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
