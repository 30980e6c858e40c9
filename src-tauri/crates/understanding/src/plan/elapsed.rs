//! Conditions on how long ago something was: "it's been longer than 2 days", "in the past two weeks".

use super::condition::{Half, resolve_they};
use super::table::phrases;

use super::clause::Parse;
use super::cursor::Cursor;
use super::lexicon::Noun;
use super::model::{Sel, Test};
use super::noun::{self};
use super::people::{self, Place};
use crate::time::{Relation, Value};

/// "It's been longer than 2 days (since I met with Nia)".
pub(super) fn elapsed(parse: &Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> Option<Half> {
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
pub(super) fn last_time(parse: &Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> Option<Sel> {
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

pub(super) fn length(cursor: &mut Cursor<'_, '_>) -> Option<i64> {
    let (index, len) = cursor.sees_time()?;
    let found = cursor.said.times.get(index)?;
    let minutes = match &found.value {
        Value::Duration(length) => noun::minutes(length.seconds)?,
        // "2 days ago" is a point that far back.
        // "If it's before noon" is no length.
        Value::Date(_) | Value::Instant(_) | Value::Interval { .. }
            if found.clock.is_none()
                && !matches!(
                    found.relation,
                    Relation::Before | Relation::After | Relation::By | Relation::Until
                ) =>
        {
            let now = cursor.said.utterance.now;
            let (start, _) = cursor.said.time(index, true)?.value.stretch(now)?;
            let seconds = now.timestamp().as_second() - start.timestamp().as_second();
            (seconds > 0).then_some(seconds / 60)?
        }
        _ => return None,
    };
    cursor.at += len;
    Some(minutes)
}

/// "In the past two days", "for 3 weeks", "since Monday": a stretch that ends now.
pub(super) fn since(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> Option<i64> {
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
