//! Requests that write mail: send, draft, reply, forward.

use super::answer::reply;
use super::clause::{Parse, Read};
use super::condition::resolve_they;
use super::cursor::Cursor;
use super::filler;
use super::joints::{ABOUT, SAYING, TITLED};
use super::lexicon::{Noun, Verb};
use super::mail_parts::{parts, passes_on, send_thing};
use super::model::{Act, Request, Sel, Who, Words};
use super::people::{self, Place};
use super::said::Form;
use super::table::phrases;
use super::{create, speech};

/// Parts of one mail.
pub(super) const PARTS_MAX: usize = 16;

/// Words for a new mail.
pub(super) const MAILS: &[&str] = &[
    "an email",
    "a mail",
    "a message",
    "email",
    "mail",
    "something",
    "something polite",
    "something short",
    "something nice",
    "a few lines",
    "a few words",
    "a quick email",
    "a short email",
    "a quick message",
    "a quick note",
    "a note",
    "a short message",
    "a new email",
    "an email message",
    "a brief email",
    "a reminder",
    "a line",
    "a short note",
    "a follow up email",
    "a followup email",
    "a thank you email",
    "a polite email",
    "emails",
    "a quick mail",
    "message",
    "the following email",
    "the following message",
    "a friendly email",
    "the same email",
    "the same mail",
    "the same message",
    "one email",
    "a joint email",
    "a single email",
    "a reminder email",
    "an e mail",
    "new email",
    "an update",
    "a quick line",
    "the following",
    "a brief message",
    "a reply",
];

/// Send, email, tell, ask, draft.
pub(super) fn send<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    verb: Verb,
) -> Read {
    let start = cursor.at;
    let mut request = Request::new(
        if verb == Verb::Draft {
            Act::Draft
        } else {
            Act::Send
        },
        Sel::of(Noun::Mail),
    );
    request.span = start..cursor.end;
    // "Ask me again tomorrow" is no mail.
    if verb == Verb::Ask && cursor.sees(&["me", "us", "myself"]).is_some() {
        return Err(parse.words(cursor));
    }
    cursor.eat(&["out", "off"]);
    // "Draft a reply to …", "draft an email to …".
    if verb == Verb::Draft || verb == Verb::Send {
        let mut ahead = *cursor;
        if ahead.eat(&["a reply to", "a response to", "an answer to", "a reply"])
            && !matches!(ahead.word(0), "saying" | "that")
        {
            *cursor = ahead;
            let before = parse.requests.len();
            reply(parse, cursor, false)?;
            if verb == Verb::Draft
                && let Some(made) = parse.requests.get_mut(before)
            {
                made.vals.question = Some("draft");
            }
            return Ok(());
        }
    }
    // "Email report.pdf to Tom": a mail with the file.
    let mut file = *cursor;
    file.eat(&["the", "my"]);
    file.eat(&["attached", "file"]);
    if let Some(piece) = file.peek(0).filter(|piece| piece.form == Form::File) {
        let path = parse.said.source.get(piece.span.clone()).unwrap_or("");
        file.at += 1;
        if file.sees(&["to"]).is_some() {
            request.vals.attach.push(path.to_owned());
            *cursor = file;
        }
    }
    let attached = !request.vals.attach.is_empty();
    let separate = cursor
        .sees(&[
            "a separate email",
            "separate emails",
            "a separate mail",
            "separate mails",
            "a separate message",
            "separate messages",
            "an individual email",
            "individual emails",
            "an individual message",
            "individual messages",
        ])
        .map(|len| cursor.at += len)
        .is_some();
    if separate {
        request.vals.question = Some("separate");
    }
    // "Send 'Happy birthday!' to Lena".
    let mut worded = *cursor;
    if verb == Verb::Send
        && let Some(words) = worded.quote()
        && worded.sees(&["to"]).is_some()
    {
        request.vals.body = Some(words);
        *cursor = worded;
    }
    let quoted = request.vals.body.is_some();
    let mut written = cursor.eat(MAILS) || attached || separate || quoted;
    if !written && matches!(verb, Verb::Send | Verb::Draft) && passes_on(parse, cursor)? {
        return Ok(());
    }
    // "Send Ana an email", "email Ana", "tell Ana".
    // "Save a draft for Lena: …".
    let drafted = verb == Verb::Draft
        && start
            .checked_sub(1)
            .and_then(|at| parse.said.pieces.get(at))
            .is_some_and(|last| last.word == "draft")
        && start > 1;
    cursor.eat(if written || drafted {
        &["to", "for"]
    } else {
        &["to"]
    });
    if !starts_text(cursor) {
        // "Write Ana …", but "write a poem".
        let shy = verb == Verb::Draft
            || start > 0
                && matches!(
                    cursor.said.pieces[start - 1].word.as_str(),
                    "write" | "text" | "contact"
                );
        let who = people::list(cursor, if shy { Place::Maybe } else { Place::Sure });
        request.vals.people = without_me(who);
    }
    if !written {
        written = cursor.eat(MAILS);
    }
    // "Send out an invite to Ana for a planning session".
    let mut invite = *cursor;
    if verb == Verb::Send
        && !written
        && request.vals.people.is_empty()
        && invite.eat_any(phrases!(
            "an invite | an invitation | invites | invitations | a calendar invite | a meeting invite | a meeting request"
        ))
        && invite.eat(&["to"])
    {
        let who = people::list(&mut invite, Place::Sure);
        if !who.is_empty() && invite.eat(&["for", "to"]) {
            *cursor = invite;
            let before = parse.requests.len();
            create::create(parse, cursor, Verb::Book)?;
            if let Some(made) = parse.requests.get_mut(before) {
                made.vals.people.extend(who);
            }
            return Ok(());
        }
    }
    let mut invite = *cursor;
    if verb == Verb::Send
        && !written
        && request.vals.people.is_empty()
        && invite.eat_any(phrases!(
            "an invite for | an invitation for | a calendar invite for | a meeting invite for | a meeting request for | an invite to | invites for | invitations for"
        ))
    {
        *cursor = invite;
        let before = parse.requests.len();
        create::create(parse, cursor, Verb::Book)?;
        let mut to = *cursor;
        if to.eat(&["to"]) {
            let who = people::list(&mut to, Place::Sure);
            if let Some(made) = parse.requests.get_mut(before).filter(|_| !who.is_empty()) {
                made.vals.people.extend(who);
                *cursor = to;
            }
        }
        return Ok(());
    }
    if !written
        && request.vals.people.is_empty()
        && !matches!(verb, Verb::Tell | Verb::Ask | Verb::Mail | Verb::Draft)
    {
        return Err(parse.words(cursor));
    }
    if !written && verb == Verb::Send && !request.vals.people.is_empty() {
        return send_thing(parse, cursor, request, start);
    }
    // "Asking for the slides" asks nobody called that.
    let asked_for = verb == Verb::Ask
        && start
            .checked_sub(1)
            .and_then(|at| parse.said.pieces.get(at))
            .is_some_and(|last| last.word == "for")
        && request
            .vals
            .people
            .iter()
            .any(|who| !matches!(who, Who::Named { known: true, .. } | Who::Address(_)));
    if asked_for || request.vals.people.is_empty() && matches!(verb, Verb::Tell | Verb::Ask) {
        return Err(parse.words(cursor));
    }
    // "Tell the team of the north about it": who that is was not understood.
    if matches!(verb, Verb::Tell | Verb::Ask)
        && request
            .vals
            .people
            .iter()
            .any(|who| matches!(who, Who::Group(_)))
        && matches!(
            cursor.word(0),
            "in" | "of" | "on" | "at" | "from" | "behind" | "who"
        )
    {
        return Err(parse.words(cursor));
    }
    if verb == Verb::Tell {
        cursor.eat(&[
            "by email",
            "by mail",
            "via email",
            "in an email",
            "by e mail",
            "over email",
            "via mail",
            "in a mail",
        ]);
    }
    // "Tell Bob in reply to his mail about the keys that …".
    if verb == Verb::Tell
        && cursor.eat(&[
            "in reply to",
            "in response to",
            "as a reply to",
            "in answer to",
        ])
    {
        parse.people.append(&mut request.vals.people);
        return reply(parse, cursor, false);
    }
    let pronoun = request.vals.people == [Who::They];
    if pronoun && let Some(all) = all_of_them(parse, cursor.at.saturating_sub(3)..cursor.at) {
        cursor.eat(&["both", "all"]);
        request.vals.people = all;
    }
    resolve_they(parse, &mut request.vals.people);
    parts(parse, cursor, &mut request, verb)?;
    resolve_they(parse, &mut request.vals.people);
    // "Let her know I hope she feels better": she is the one who reads it.
    if let Some(body) = request
        .vals
        .body
        .as_mut()
        .filter(|body| pronoun && !body.quoted)
    {
        body.text = speech::addressed(&body.text);
    }
    parse.push(request);
    Ok(())
}

/// "Dinner with Kim and Will …, and email them": everybody who was named together last.
fn all_of_them(parse: &Parse<'_, '_>, said: std::ops::Range<usize>) -> Option<Vec<Who>> {
    let several = parse
        .said
        .pieces
        .get(said)?
        .iter()
        .any(|piece| matches!(piece.word.as_str(), "them" | "both" | "they"));
    if !several {
        return None;
    }
    parse
        .requests
        .iter()
        .rev()
        .flat_map(|request| [&request.vals.people, &request.sel.with, &request.sel.from])
        .find(|list| list.iter().any(super::clause::is_name))
        .filter(|list| list.len() > 1 && list.iter().all(super::clause::is_name))
        .cloned()
}

/// "Thank Dave for the help": a mail that says so.
pub(super) fn thank<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    let mut request = Request::new(Act::Send, Sel::of(Noun::Mail));
    let start = cursor.at;
    request.vals.people = people::list(cursor, Place::Sure);
    resolve_they(parse, &mut request.vals.people);
    if request.vals.people.is_empty() || request.vals.people.contains(&Who::Me) {
        return Err(parse.words(cursor));
    }
    cursor.eat(&["by email", "by mail"]);
    let thanks = cursor.at;
    if cursor.eat(&["for"]) {
        let Some((words, _)) = speech::said(cursor) else {
            return Err(parse.words(cursor));
        };
        let text = parse
            .said
            .slice(thanks + 1..cursor.at)
            .trim_end_matches(['.', '!', '?', ' ']);
        // "Thank Dave for his help".
        let theirs = text
            .split_whitespace()
            .next()
            .is_some_and(|first| matches!(first.to_lowercase().as_str(), "his" | "her" | "their"));
        let text = if theirs {
            speech::addressed(text)
        } else {
            text.to_owned()
        };
        request.vals.body = Some(Words {
            text: format!("Thank you for {text}."),
            ..words
        });
    } else if filler::only_closers(cursor) {
        request.vals.body = Some(Words {
            text: "Thank you.".to_owned(),
            span: None,
            quoted: false,
        });
    } else {
        return Err(parse.words(cursor));
    }
    request.vals.body_derived = true;
    request.span = start..cursor.at;
    parse.push(request);
    Ok(())
}

fn without_me(who: Vec<Who>) -> Vec<Who> {
    who
}

pub(super) fn starts_text(cursor: &Cursor<'_, '_>) -> bool {
    cursor.sees_any(&SAYING).is_some()
        || cursor.sees_any(&TITLED).is_some()
        || cursor.sees_any(&ABOUT).is_some()
        || matches!(cursor.peek(0).map(|piece| piece.form), Some(Form::Quote(_)))
}
