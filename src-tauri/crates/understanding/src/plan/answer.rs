//! Requests that answer a mail or pass it on.

use super::after;
use super::change::missing;
use super::clause::{Parse, Read, Unread, Why};
use super::condition::resolve_they;
use super::cursor::Cursor;
use super::filler;
use super::joints::{ABOUT, SAYING};
use super::letter::part;
use super::lexicon::{NOUNS, Noun};
use super::mail::PARTS_MAX;
use super::model::{Act, Pron, Request, Sel, Who, Words};
use super::noun::{Rules, phrase};
use super::people::{self, Place};
use super::speech;
use super::table::phrases;

/// Answer a mail.
pub(super) fn reply<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    all: bool,
) -> Read {
    // "Reply to all of Kim's emails": all the mails, not all the people.
    let mails = all
        && cursor.word(0) != "to"
        && cursor
            .at
            .checked_sub(1)
            .is_some_and(|at| cursor.said.pieces[at].word == "all")
        && (cursor.sees(&["of", "my", "unread", "new"]).is_some()
            || NOUNS
                .at(&cursor.said.pieces[..cursor.end], cursor.at)
                .is_some_and(|((noun, _), len)| {
                    noun == Noun::Mail && super::title::is_plural(cursor, len)
                }));
    if mails {
        cursor.at -= 1;
    }
    let all = all && !mails;
    let act = if all { Act::ReplyAll } else { Act::Reply };
    let mut body = None;
    // "Reply 'yes' to Bob's last email".
    if let Some(words) = cursor.quote() {
        body = Some(words);
    } else if cursor
        .sees_any(phrases!("yes | no | ok | okay | sure | thanks | thank you"))
        .is_some()
    {
        let start = cursor.at;
        while cursor
            .sees_any(phrases!("yes | no | ok | okay | sure | thanks | thank you"))
            .is_some()
        {
            cursor.at += 1;
        }
        body = cursor.words(start..cursor.at);
    }
    cursor.eat(&["back"]);
    if !mails {
        cursor.eat(&["all"]);
    }
    cursor.eat(&["to"]);
    if all {
        cursor.eat(&["on", "in"]);
        cursor.eat(&["the invitation for", "the invite for"]);
    }
    // "Reply that I am on it": to what was spoken of.
    let says = cursor.word(0) == "that"
        && matches!(
            cursor.word(1),
            "i" | "we"
                | "it"
                | "the"
                | "my"
                | "he"
                | "she"
                | "they"
                | "you"
                | "our"
                | "this"
                | "there"
                | "a"
        );
    // "Reply that 1 works", "reply that Tuesday is fine".
    let says = says
        || cursor.word(0) == "that"
            && cursor.peek(1).is_some_and(|next| {
                next.leads.is_some()
                    || matches!(
                        next.form,
                        super::said::Form::Number | super::said::Form::Time(_)
                    )
            });
    let mut sel = if says {
        Sel {
            pron: Some(Pron::It),
            ..Sel::of(Noun::Mail)
        }
    } else {
        object(parse, cursor)
    };
    if sel
        .noun
        .is_some_and(|noun| !matches!(noun, Noun::Mail | Noun::Any))
    {
        return Err(parse.words(cursor));
    }
    sel.noun = Some(Noun::Mail);
    let mut request = Request::new(act, sel);
    request.vals.body = body;
    for _ in 0..PARTS_MAX {
        let start = *cursor;
        if cursor.word(0) != ":" {
            cursor.skip_marks();
        }
        if cursor.is_done() || filler::only_closers(cursor) {
            break;
        }
        cursor.eat(&["and"]);
        if request.vals.body.is_none() {
            let mut with = *cursor;
            with.eat_any(phrases!("and say that | and say | with a | with the text | with the message | with | by saying | that | \
        saying that | saying"));
            if let Some(words) = {
                with.skip_marks();
                with.quote()
            } {
                request.vals.body = Some(words);
                *cursor = with;
                continue;
            }
        }
        if part(parse, cursor, &mut request) {
            continue;
        }
        if request.vals.body.is_none()
            && cursor.eat_any(phrases!(
                "with a thank you | with thanks | with a thanks | with a big thank you | \
            with a thank you note | thanking him | thanking her | thanking them"
            ))
        {
            request.vals.body = Some(Words {
                text: "Thank you.".to_owned(),
                span: None,
                quoted: false,
            });
            request.vals.body_derived = true;
            continue;
        }
        // "With a short note": what kind of text it shall be, not the text.
        if request.vals.body.is_none() && cursor.sees(&["with a", "with an", "with some"]).is_some()
        {
            return Err(parse.words(cursor));
        }
        if request.vals.body.is_none()
            && cursor.eat(&["with that", "with", "that", "by saying"])
            && let Some((words, derived)) = speech::said(cursor)
        {
            request.vals.body = Some(words);
            request.vals.body_derived = derived;
            continue;
        }
        *cursor = start;
        break;
    }
    parse.push(request);
    Ok(())
}

/// The mail an answer is for: a person alone means their latest mail.
pub(super) fn object(parse: &Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> Sel {
    // "Reply to Kim's offsite mail that I'm in": what the reply says, and not which mail it is.
    let said = (cursor.at + 1..cursor.end).find(|at| {
        let here = Cursor { at: *at, ..*cursor };
        here.word(0) == "that"
            && matches!(here.word(1), "i" | "we" | "it" | "he" | "she" | "they")
            && matches!(
                here.word(2),
                "am" | "are"
                    | "is"
                    | "will"
                    | "can"
                    | "could"
                    | "would"
                    | "need"
                    | "agree"
                    | "accept"
                    | "love"
                    | "like"
            )
    });
    if let Some(at) = said {
        let end = cursor.end;
        cursor.end = at;
        let sel = object_of(parse, cursor);
        cursor.end = end;
        return sel;
    }
    object_of(parse, cursor)
}

fn object_of(parse: &Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> Sel {
    let mut writer = *cursor;
    if writer.eat_any(phrases!(
        "the last person who | the last person that | whoever | the person who | the person that"
    )) {
        writer.eat(&["last", "just", "has"]);
        if writer.eat_any(phrases!(
            "emailed me | wrote to me | mailed me | wrote me | messaged me | sent me an email | sent me a mail | sent me a message | written to me"
        )) {
            writer.eat(&["last", "most recently"]);
            *cursor = writer;
            return Sel {
                pick: Some(super::model::Pick::Latest(1)),
                ..Sel::of(Noun::Mail)
            };
        }
    }
    let mut who = *cursor;
    if let Some(one) = people::one(&mut who, Place::Sure)
        && matches!(one, Who::Named { .. } | Who::Address(_) | Who::They)
        && !people::possessive(&who)
        && who.sees(&["'s"]).is_none()
        && NOUNS.at(&who.said.pieces, who.at).is_none()
    {
        let mut list = vec![one];
        resolve_they(parse, &mut list);
        *cursor = who;
        // "Reply to her", after her mail was shown.
        if list == [Who::They] {
            return Sel {
                pron: Some(Pron::It),
                ..Sel::of(Noun::Mail)
            };
        }
        let mut sel = Sel {
            from: list,
            pick: Some(super::model::Pick::Latest(1)),
            ..Sel::of(Noun::Mail)
        };
        if cursor.sees_any(&ABOUT).is_some() {
            after::modifiers(
                cursor,
                &mut sel,
                Rules {
                    with_is_value: true,
                    times_are_values: true,
                    ..Rules::default()
                },
            );
        }
        return sel;
    }
    let rules = Rules {
        with_is_value: true,
        ..Rules::default()
    };
    phrase(cursor, Some(Noun::Mail), rules).unwrap_or_else(|| Sel {
        pron: Some(Pron::It),
        ..Sel::of(Noun::Mail)
    })
}

/// Pass a mail on.
pub(super) fn forward<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    // "Forward Bob the email from Ana".
    let mut direct = *cursor;
    let who = people::list(&mut direct, Place::Maybe);
    let mut people = Vec::new();
    if !who.is_empty()
        && !people::possessive(&direct)
        && !direct.is_done()
        && !matches!(direct.word(0), "to" | "on")
        && phrase(
            &mut { direct },
            Some(Noun::Mail),
            Rules {
                to_is_value: true,
                ..Rules::default()
            },
        )
        .is_some()
    {
        people = who;
        *cursor = direct;
    }
    let again = cursor
        .at
        .checked_sub(1)
        .and_then(|at| cursor.said.pieces.get(at))
        .is_some_and(|verb| verb.word == "resend")
        && cursor.sees(&["my"]).is_some();
    let rules = Rules {
        to_is_value: true,
        with_is_value: true,
        ..Rules::default()
    };
    let Some(mut sel) = phrase(cursor, Some(Noun::Mail), rules) else {
        return Err(if cursor.is_done() {
            missing("what")
        } else {
            parse.words(cursor)
        });
    };
    if !matches!(sel.noun, Some(Noun::Mail | Noun::Any)) && sel.pron.is_none() {
        return Err(Unread {
            span: parse.said.span(&sel.span),
            why: Why::CanNot(
                "Adjutant can forward mail. Events, notes and files cannot be forwarded yet."
                    .to_owned(),
            ),
        });
    }
    sel.noun = Some(Noun::Mail);
    // "Resend my last email": one that was sent.
    sel.mine |= again;
    let mut request = Request::new(Act::Forward, sel);
    request.vals.people = people;
    if cursor.eat_any(phrases!("on to | along to | over to | on | to | with")) {
        request
            .vals
            .people
            .extend(people::list(cursor, Place::Sure));
    }
    resolve_they(parse, &mut request.vals.people);
    note(cursor, &mut request);
    for _ in 0..4 {
        if !part(parse, cursor, &mut request) {
            break;
        }
    }
    parse.push(request);
    Ok(())
}

/// What is written above a mail that is passed on.
pub(super) fn note(cursor: &mut Cursor<'_, '_>, request: &mut Request) {
    let start = *cursor;
    cursor.eat(&[",", "and"]);
    let quoted = matches!(
        cursor.peek(1).map(|next| next.form),
        Some(super::said::Form::Quote(_))
    );
    if cursor.eat_any(&SAYING)
        || quoted && cursor.eat(&["add", "write", "say"])
        || cursor.eat_any(phrases!(
            "adding | and add | with the comment | with a comment | and write | with the remark | \
        add the note | and add the note"
        ))
    {
        cursor.skip_marks();
        if let Some((words, derived)) = speech::said(cursor) {
            request.vals.body = Some(words);
            request.vals.body_derived = derived;
            return;
        }
    }
    *cursor = start;
}
