//! Questions over own data: what, when, who, where, how many, is there, am I free.

use super::after;
use super::agenda::agenda;
use super::asked_when::when;
use super::clause::{Parse, Unread};
use super::command;
use super::condition::resolve_they;
use super::contact;
use super::cursor::Cursor;
use super::filler;
use super::free::free;
use super::lexicon::Noun;
use super::model::{Act, Ask, Request, Sel, Who};
use super::noted;
use super::noun::Rules;
use super::people::{self, Place};
use super::property::property;
pub(super) use super::recall::birthday;
use super::recall::{compound, fact, remembered};
use super::said::Form;
use super::table::phrases;
use super::which::{count, have, what};
use super::who::{takes_part, where_, who};

pub(super) const QUESTION: Rules = Rules {
    question: true,
    to_is_value: false,
    for_is_value: false,
    times_are_values: false,
    with_is_value: false,
    from_is_value: false,
    titled_is_value: false,
    states_are_values: false,
};

/// Reads a question; whether it was one.
pub(super) fn read<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
) -> Result<bool, Unread> {
    let start = *cursor;
    for part in [
        takes_part,
        free,
        noted::kept,
        agenda,
        compound,
        property,
        details,
        remembered,
        said_by,
        count,
        when,
        who,
        where_,
        have,
        what,
        fact,
        noted::particular,
    ] {
        if part(parse, cursor)? {
            return Ok(true);
        }
        *cursor = start;
    }
    Ok(false)
}

pub(super) type Part = Result<bool, Unread>;

/// Reads times that follow one another.
pub(super) fn times_into(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) {
    for _ in 0..4 {
        let mut ahead = *cursor;
        ahead.eat_any(phrases!(", | sometime | at some point | any time | anytime | for | at any point | during | in | on | \
        then | either | or"));
        if let Some(index) = cursor.time().or_else(|| {
            let time = ahead.time();
            if time.is_some() {
                *cursor = ahead;
            }
            time
        }) {
            sel.when.push(index);
        } else {
            return;
        }
    }
}

pub(super) fn end_of_clause(cursor: &Cursor<'_, '_>) -> bool {
    filler::only_closers(cursor)
        || cursor.peek(0).is_some_and(|piece| piece.form == Form::Mark)
        || cursor.sees(&["and", "if", "then", "unless"]).is_some()
        || command::command_at(cursor, 0)
}

/// "What is Ana's phone number", "how do I reach Bob", "who is Kim".
fn details<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    if cursor.eat_any(phrases!(
        "how do i reach | how can i reach | how can i contact | how do i contact | \
        how do i get in touch with | how can i get hold of"
    )) {
        let who = people::list(cursor, Place::Sure);
        if who.is_empty() {
            return Ok(false);
        }
        push_contact(parse, who, Ask::List);
        return Ok(true);
    }
    let opened = cursor.eat_any(phrases!("what is | what are | do i have | do you have | what was | is there | have i got | what 's | \
        which is"));
    if opened && let Some((who, ask)) = contact::detail(cursor) {
        push_contact(parse, vec![who], ask);
        return Ok(true);
    }
    Ok(false)
}

pub(super) fn push_contact<'s, 'a>(parse: &mut Parse<'s, 'a>, mut who: Vec<Who>, ask: Ask) {
    resolve_they(parse, &mut who);
    let mut request = Request::new(Act::Query(ask), Sel::of(Noun::Contact));
    request.vals.people = who;
    parse.push(request);
}

/// "What did Nadia send me", "has Bob replied", "did I hear from Ana".
fn said_by<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    // "What did I send to Grace last week".
    let mut own = *cursor;
    if own.eat_any(phrases!(
        "what did i send to | what did i email to | what did i write to | what have i sent to | what have i written to | \
        what did i email | what mails did i send to | what did i send | what did i tell | what have i sent"
    )) {
        let to = people::list(&mut own, Place::Known);
        let mut sel = Sel { to, mine: true, plural: true, ..Sel::of(Noun::Mail) };
        if !sel.to.is_empty() {
            after::modifiers(&mut own, &mut sel, QUESTION);
            if filler::only_closers(&own) {
                parse.push(Request::new(Act::Query(Ask::List), sel));
                *cursor = own;
                return Ok(true);
            }
        }
    }
    let what = cursor.eat(&["what did", "what has", "what was"]);
    let any = !what && cursor.eat_any(phrases!("has | did | have | does | was"));
    if !what && !any {
        return Ok(false);
    }
    let mut sel = Sel::of(Noun::Mail);
    let mut met = false;
    if any && cursor.eat(&["i", "we"]) {
        cursor.eat(&["already", "ever", "yet"]);
        // "Did I reply to Dave's mail about parking".
        let mut answered = *cursor;
        if answered.eat_any(phrases!(
            "reply to | replied to | answered | answer | respond to | responded to"
        )) && let Some(mut mail) = super::noun::phrase(&mut answered, None, QUESTION)
            && mail.noun == Some(Noun::Mail)
            && mail.said
            && !mail.from.is_empty()
            && mail.pick.is_none()
            && answered.eat(&["yet", "already"]) | filler::only_closers(&answered)
        {
            mail.states.push(super::lexicon::State::Answered);
            parse.push(Request::new(Act::Query(Ask::Any), mail));
            *cursor = answered;
            return Ok(true);
        }
        if cursor.eat_any(phrases!("heard from | hear from | hear back from | heard back from | get anything from | \
        get an answer from | get a reply from | got a reply from | received anything from | \
        receive anything from | get a response from")) {
            sel.from = people::list(cursor, Place::Sure);
        } else if cursor.eat_any(phrases!("email | emailed | write to | written to | wrote to | reply to | replied to | answered | \
        answer | sent an email to | send an email to | respond to | responded to | send anything to | \
        message | contacted | contact")) {
            sel.to = people::list(cursor, Place::Sure);
            sel.mine = true;
        } else if cursor.eat_any(phrases!("met with | met | meet with | meet | see | seen | talk to | talked to | speak to | spoken to | \
        speak with | spoken with | catch up with | caught up with | have a meeting with | \
        had a meeting with | have any meetings with | had any meetings with")) {
            sel = Sel::of(Noun::Event);
            sel.with = people::list(cursor, Place::Sure);
            sel.mine = true;
            met = true;
        } else {
            return Ok(false);
        }
        if sel.from.is_empty() && sel.to.is_empty() && sel.with.is_empty() {
            return Ok(false);
        }
    } else {
        let anyone = cursor.eat(&["anyone", "anybody", "someone", "somebody", "any one"]);
        let Some(who) = (if anyone {
            Some(Who::Me)
        } else {
            people::one(cursor, Place::Sure)
        })
        .filter(|who| anyone || matches!(who, Who::Named { .. } | Who::They | Who::Address(_))) else {
            return Ok(false);
        };
        cursor.eat(&["already", "ever", "yet"]);
        if !cursor.eat_any(phrases!("send me | send | sent me | sent | write me | write to me | write | written to me | written | \
        wrote | email me | email | emailed me | emailed | reply to me | reply | replied to me | \
        replied | say | said | respond | responded | want | answer | answered | get back to me | \
        gotten back to me | written back | mailed me | mail me | message me | tell me")) {
            return Ok(false);
        }
        // "Replied to my email about X": an answer to a mail of one's own, which is not told from any other mail.
        if anyone && cursor.sees(&["to my email", "to my mail"]).is_some() {
            return Ok(false);
        }
        // "Did Grace reply to my mail about the invoice": mail of hers about it.
        let mut to_mine = *cursor;
        if !anyone
            && to_mine.eat(&["to my", "to the", "to our"])
            && {
                to_mine.eat(&["last", "latest"]);
                to_mine.eat(&["email", "mail", "message", "question", "note"])
            }
            && to_mine.sees_any(&super::joints::ABOUT).is_some()
        {
            *cursor = to_mine;
        }
        cursor.eat_any(phrases!("anything | any emails | an email | to me | back | to my email | in her last email | in his last email | in their last mail | in her latest email | in his latest email | in her last mail | in his last mail | in the last mail | in the last email | \
        in the latest email | in their last email | a message | something | any email | any messages"));
        // "Has Lena sent the slides yet".
        let sent = cursor
            .at
            .checked_sub(2)
            .and_then(|from| cursor.said.pieces.get(from..cursor.at))
            .is_some_and(|said| {
                said.iter()
                    .any(|piece| matches!(piece.word.as_str(), "sent" | "send" | "me"))
            });
        if any
            && sent
            && !anyone
            && cursor.eat(&["the", "her", "his", "their", "my", "our", "those", "that"])
        {
            sel.about = super::value::text(cursor, &["yet", "already", "to"]);
            cursor.eat(&["to me", "over"]);
            cursor.eat(&["yet", "already"]);
        }
        if !anyone {
            sel.from = vec![who];
        }
    }
    for list in [&mut sel.from, &mut sel.to, &mut sel.with] {
        resolve_they(parse, list);
    }
    // "What did Kofi email me about last week": what about is the question.
    let mut when = *cursor;
    if what
        && when.eat(&["about", "regarding"])
        && (when.sees_time().is_some() || filler::only_closers(&when))
    {
        *cursor = when;
    }
    after::modifiers(cursor, &mut sel, QUESTION);
    // "Have I met Ana this month": what is still to come has not been.
    if met && !sel.when.is_empty() {
        sel.states.push(super::lexicon::State::Past);
    }
    // "What did Sofia write": her latest mail says it.
    let plain = Sel {
        from: Vec::new(),
        ..sel.clone()
    };
    let sends = parse.said.pieces[..cursor.at]
        .iter()
        .any(|piece| piece.base == "send");
    if what && !sends && !sel.from.is_empty() && !plain.is_narrowed() {
        sel.pick = Some(super::model::Pick::Latest(1));
        parse.push(Request::new(Act::Read, sel));
        return Ok(true);
    }
    parse.push(Request::new(
        Act::Query(if what { Ask::List } else { Ask::Any }),
        sel,
    ));
    Ok(true)
}

/// Whether a word begins a question.
pub(super) fn is_question_word(word: &str) -> bool {
    matches!(
        word,
        "what"
            | "when"
            | "where"
            | "who"
            | "which"
            | "how"
            | "why"
            | "is"
            | "are"
            | "do"
            | "does"
            | "did"
            | "will"
            | "any"
            | "anything"
            | "has"
            | "have"
    )
}
