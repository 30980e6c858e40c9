//! Sentences that ask for nothing by themselves: who or what they speak about helps to read the others.

use super::clause::{Parse, Unread};
use super::command;
use super::cursor::Cursor;
use super::done::{finished, to_calendar, told_to_remember};
use super::filler;
use super::lexicon::Noun;
use super::model::{Act, Det, Request, Sel, Who};
use super::noun::{self, Rules};
use super::people::{self, Place};
pub(super) use super::remark::reason;
use super::remark::{background, request_behind};
use super::table::phrases;

/// Reads a statement; whether it was one.
pub(super) fn read<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
) -> Result<bool, Unread> {
    Ok(to_see(parse, cursor)
        || super::detail::said(parse, cursor)
        || to_calendar(parse, cursor)
        || told_to_remember(parse, cursor)
        || finished(parse, cursor)
        || super::ought::read(parse, cursor)
        || needs(parse, cursor)
        || fell_through(parse, cursor)
        || sent_me(parse, cursor)
        || long_ago(parse, cursor)
        || no_more(parse, cursor)
        || background(parse, cursor))
}

/// "I need to see Maria before Friday; …": of whom the request behind speaks.
fn to_see<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    // The opener "I need to see" took the verb along.
    let seen = cursor
        .at
        .checked_sub(1)
        .is_some_and(|at| cursor.said.pieces[at].word == "see");
    if !seen
        && (!parse.duty
            || !ahead.eat(&[
                "see",
                "meet",
                "meet with",
                "talk to",
                "speak to",
                "speak with",
                "talk with",
                "catch up with",
            ]))
    {
        return false;
    }
    let Some(who @ Who::Named { known: true, .. }) = people::one(&mut ahead, Place::Known) else {
        return false;
    };
    let behind = (ahead.at..cursor.end)
        .find(|at| {
            matches!(
                cursor.said.pieces[*at].word.as_str(),
                ";" | "," | "so" | "-" | "."
            )
        })
        .filter(|at| {
            let mut next = Cursor {
                at: at + 1,
                ..*cursor
            };
            next.eat(&["so", "and"]);
            filler::open(&mut next);
            command::command_at(&next, 0)
        });
    let Some(at) = behind else {
        return false;
    };
    parse.people.push(who);
    cursor.at = at;
    true
}

/// "Amir needs the latest email about X": to be passed on to Amir.
pub(super) fn needs<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    ahead.eat(&[
        "can",
        "could",
        "may",
        "make sure that",
        "make sure",
        "ensure that",
        "ensure",
        "see to it that",
        "see that",
    ]);
    let Some(who) = people::one(&mut ahead, Place::Sure) else {
        return false;
    };
    if !matches!(who, Who::Named { .. } | Who::Address(_) | Who::GuestsOf(_)) {
        return false;
    }
    if told(parse, &mut ahead, &who) {
        *cursor = ahead;
        return true;
    }
    let asked = matches!(cursor.word(0), "can" | "could" | "may");
    ahead.eat(&["please"]);
    let given = asked && ahead.eat(&["get", "have", "see", "be sent", "receive"]);
    if !given && !ahead.eat_any(phrases!("gets | receives | sees | reads | has to get | needs | wants | is asking for | asked for | requested | would like | should get | should have | \
        should see | needs to see | wants to see | is looking for | has asked for | asked me for | \
        has requested | could use | needs to have | has to see | asked to see | would like to see | \
        is requesting | is waiting for | wants me to forward | wants a copy of | needs a copy of | \
        asked me to forward | asked me to send | wants me to send | needs me to forward | \
        needs me to send | asked for a copy of | wants to read | needs to read | should read | \
        asked if i could forward | did not get | has not seen | did not receive | missed | never got")) {
        return false;
    }
    ahead.eat(&["them", "him", "her"]);
    let Some(sel) = noun::phrase(
        &mut ahead,
        Some(Noun::Mail),
        Rules {
            to_is_value: true,
            ..Rules::default()
        },
    ) else {
        return false;
    };
    if sel.noun != Some(Noun::Mail)
        || sel.pron.is_some()
        || !filler::only_closers(&ahead) && !joint(&ahead)
    {
        return false;
    }
    let mut request = Request::new(Act::Forward, sel.clone());
    request.vals.people = vec![who.clone()];
    request.vals.question = Some("implied");
    parse.people.push(who);
    parse.mentioned.push(sel);
    parse.requests.push(request);
    *cursor = ahead;
    true
}

/// "Everyone in the review should get a mail saying …", "Ana needs to know that …".
pub(super) fn told<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    who: &Who,
) -> bool {
    use super::lexicon::Verb;
    /// Parts of one mail.
    const PARTS_MAX: usize = 6;
    let mut ahead = *cursor;
    let mut request = Request::new(Act::Send, Sel::of(Noun::Mail));
    request.vals.people = vec![who.clone()];
    request.span = cursor.at..cursor.end;
    if ahead.eat_any(phrases!(
        "needs to know | need to know | should know | must know | has to know | have to know | should be told | must be told | needs to be told | need to be told"
    )) {
        let Some((body, derived)) = super::speech::clause(&mut ahead, Verb::Tell, false) else {
            return false;
        };
        request.vals.body = Some(body);
        request.vals.body_derived = derived;
    } else if ahead.eat_any(phrases!(
        "should get | should receive | needs to get | need to get | must get | has to get | have to get | should be sent | must be sent"
    )) && ahead.eat(super::mail::MAILS)
    {
        for _ in 0..PARTS_MAX {
            ahead.eat(&["and", ","]);
            if !super::letter::part(parse, &mut ahead, &mut request) {
                break;
            }
        }
    } else {
        return false;
    }
    // "…, mail them titled …" is another request.
    let more = (cursor.at..ahead.at).any(|at| {
        matches!(cursor.said.pieces[at].word.as_str(), "," | "so" | "and")
            && command::command_at(
                &Cursor {
                    at: at + 1,
                    ..*cursor
                },
                0,
            )
    });
    if more || !filler::only_closers(&ahead) {
        return false;
    }
    parse.push(request);
    *cursor = ahead;
    true
}

fn joint(cursor: &Cursor<'_, '_>) -> bool {
    matches!(cursor.word(0), "," | "and" | "so" | "-") && (command::command_at(cursor, 1) || cursor.sees_any(phrases!(", can you | , could you | so can you | , please | and can you | , so | so please | - can you | \
        so could you | and please")).is_some())
}

/// "Nadia just sent me an email that I need to delete."
fn sent_me<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    let Some(who) = people::one(&mut ahead, Place::Sure) else {
        return false;
    };
    if !matches!(who, Who::Named { .. } | Who::Address(_)) {
        return false;
    }
    ahead.eat(&["has", "have", "had"]);
    ahead.eat_any(phrases!("just | recently | keeps | keep | already"));
    if !ahead.eat_any(phrases!(
        "sent me | emailed me | wrote me | wrote to me | sending me | emailing me | sends me | \
        messaged me | forwarded me | sent"
    )) {
        return false;
    }
    let mut sel = noun::phrase(&mut ahead, Some(Noun::Mail), Rules::default())
        .unwrap_or_else(|| Sel::of(Noun::Mail));
    sel.from.push(who.clone());
    sel.det = Det::None;
    parse.people.push(who);
    parse.mentioned.push(sel);
    cursor.at = request_behind(parse, &ahead).unwrap_or(cursor.end);
    true
}

/// "I haven't met with Amir in a while", "I can't remember the last time I met with Nia".
fn long_ago<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    ahead.eat_any(phrases!(
        "i can not remember | can not remember | i do not remember | i can not recall | \
        do not remember | i forgot | i have lost track of | not sure | i am not sure | no idea | \
        i do not know"
    ));
    let last_time = ahead.eat_any(phrases!(
        "the last time i | the last time we | when i last | when the last time i | \
        when was the last time i | when we last | when i have last | last time i | \
        how long it has been since i | when was the last time we"
    ));
    if !last_time && !ahead.eat_any(phrases!("i have not | i did not | we have not | i have never | it has been a while since i | \
        it has been ages since i | it is been a while since i | it has been a long time since i | \
        it has been some time since i | it is a while since i | it has been too long since i | \
        i feel like i have not | i think i have not | i do not think i have | it feels like i have not")) {
        return false;
    }
    ahead.eat_any(phrases!("had | have | last | actually | really"));
    let mut sel = if ahead.eat_any(phrases!(
        "met with | met up with | met | seen | saw | caught up with | spoken with | spoken to | \
        talked to | talked with | had a meeting with | a meeting with | spoke to | spoke with | \
        sat down with | chatted with | catch up with | had a call with"
    )) {
        Sel::of(Noun::Event)
    } else if ahead.eat(&["heard from", "heard back from"]) {
        Sel::of(Noun::Mail)
    } else if ahead.eat_any(phrases!(
        "emailed | written to | contacted | wrote to | messaged | reached out to"
    )) {
        Sel {
            mine: true,
            ..Sel::of(Noun::Mail)
        }
    } else {
        return false;
    };
    let who = people::list(&mut ahead, Place::Sure);
    if who.is_empty() {
        return false;
    }
    let vague = ahead.eat_any(phrases!(
        "in a while | for a while | recently | lately | in ages | for ages | in a long time | \
        for a long time | in some time | for some time | in forever | much recently | in a bit | \
        for quite some time | in quite a while | for quite a while | for so long | in so long | \
        in quite some time | was | in a good while | was exactly"
    ));
    // "I haven't heard from Omar in the past week.": said as a fact.
    if !vague {
        ahead.eat(&["in", "for", "over"]);
        while ahead.time().is_some() {}
    }
    if !vague && !filler::only_closers(&ahead) {
        return false;
    }
    match (sel.noun, sel.mine) {
        (Some(Noun::Mail), true) => sel.to = who.clone(),
        (Some(Noun::Mail), false) => sel.from = who.clone(),
        _ => sel.with = who.clone(),
    }
    parse.people.extend(who);
    parse.mentioned.push(sel);
    *cursor = ahead;
    true
}

/// "We've decided we don't need any more risk forum meetings."
fn no_more<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    ahead.eat_any(phrases!("we have decided | we have decided that | i have decided | i have decided that | it turns out | \
        we decided | we decided that | i decided | i decided that | turns out | i think | \
        it looks like | looks like | we agreed | we agreed that | we have agreed that | it seems"));
    if !ahead.eat_any(phrases!("we do not need | i do not need | we no longer need | i no longer need | we do not want | \
        i do not want | i am not interested in | we are done with | i am done with | i no longer want | \
        we no longer want | i can not make | i can not attend | i will not be able to make it to | \
        i will not be able to make | i will not be able to attend | i am not able to attend | \
        i am unable to attend | i am not going to make it to | i can not come to | we can not make | \
        i have to skip | i have to miss | i am going to miss | i will miss | i will have to miss | \
        i will not make it to | we are not doing | we are no longer doing | there is no need for | \
        no need for | i will not be attending | we are stopping | we are ending | we will not need | \
        i will not need | i can not do | i can not go to | i can not come to | we are going to stop | we are discontinuing | we are scrapping | \
        i can not make it to | we are not having | i do not have time for")) {
        return false;
    }
    let _ = ahead.eat(&["to have", "to keep", "to attend", "to do"]);
    let mut timed = ahead;
    timed.eat(&["my", "the"]);
    // "My 4 o'clock" is what is there at 4.
    let kind = timed.sees_time().is_some().then_some(Noun::Event);
    let Some(mut sel) = noun::phrase(&mut ahead, kind, Rules::default()) else {
        return false;
    };
    ahead.eat(&["to happen", "to be there", "in my calendar"]);
    ahead.eat(&["any more", "anymore", "any longer"]);
    if !matches!(
        sel.noun,
        Some(Noun::Event | Noun::Task | Noun::Mail | Noun::Note | Noun::Reminder)
    ) || !filler::only_closers(&ahead) && !joint(&ahead)
    {
        return false;
    }
    sel.det = Det::None;
    let mut request = Request::new(Act::Delete, sel.clone());
    request.vals.question = Some("implied");
    parse.mentioned.push(sel);
    parse.requests.push(request);
    *cursor = ahead;
    true
}

/// "My meeting with Ana got cancelled, please remove it": what is off, as a remark; alone, it asks whether to take it out.
fn fell_through<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let off = |at: &usize| {
        Cursor { at: *at, ..*cursor }
            .sees_any(phrases!(
                "got cancelled | got canceled | was cancelled | was canceled | has been cancelled | has been canceled | \
                is cancelled | is canceled | were cancelled | were canceled | got called off | was called off | has been called off | \
                is called off | is not happening anymore | is not happening any more | is not happening | fell through | \
                has fallen through | is no longer happening | is not needed any more | is not needed anymore | is no longer needed | is no longer on | \
                is not needed | is not on any more | is not on anymore | are not needed any more | are no longer needed | is off | are off | are cancelled | are canceled | \
                have been cancelled | have been canceled"
            ))
            .map(|len| (*at, len))
    };
    let Some((at, len)) = (cursor.at + 1..cursor.end).find_map(|at| off(&at)) else {
        return false;
    };
    let mut thing = Cursor { end: at, ..*cursor };
    let mut timed = thing;
    timed.eat(&["my", "the"]);
    let kind = timed.sees_time().is_some().then_some(Noun::Event);
    let Some(mut sel) = noun::phrase(&mut thing, kind, Rules::default()) else {
        return false;
    };
    let ahead = Cursor {
        at: at + len,
        ..*cursor
    };
    let behind = Cursor {
        end: cursor.end,
        ..ahead
    };
    if thing.at != at
        || sel.noun != Some(Noun::Event)
        || sel.pron.is_some()
        || !matches!(sel.det, Det::The | Det::My | Det::That)
            && sel.when.is_empty()
            && sel.with.is_empty()
        || !filler::only_closers(&behind) && !joint(&behind)
    {
        return false;
    }
    sel.det = Det::None;
    let mut request = Request::new(Act::Delete, sel.clone());
    request.vals.question = Some("implied");
    parse.mentioned.push(sel);
    parse.requests.push(request);
    *cursor = ahead;
    true
}
