//! What a mail is about to carry: things of one's own, a mail passed on, and the parts behind whom it goes to.

use super::answer::note;
use super::clause::{Parse, Read, Unread, Why};
use super::condition::resolve_they;
use super::cursor::Cursor;
use super::filler;
use super::letter::part;
use super::lexicon::{Noun, Verb};
use super::mail::{PARTS_MAX, starts_text};
use super::model::{Act, Det, Request};
use super::noun::{Rules, phrase};
use super::people::{self, Place};
use super::table::phrases;
use super::{create, speech};

/// "Send the latest email from Ana to Bob" passes a mail on.
pub(super) fn passes_on<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
) -> Result<bool, Unread> {
    let mut ahead = *cursor;
    let Some(sel) = phrase(
        &mut ahead,
        None,
        Rules {
            to_is_value: true,
            ..Rules::default()
        },
    ) else {
        return Ok(false);
    };
    let definite = sel.det != Det::A
        && (sel.is_narrowed() || sel.pron.is_some())
        && matches!(sel.noun, Some(Noun::Mail | Noun::Any) | None)
        && (sel.noun == Some(Noun::Mail) || sel.pron.is_some());
    if !definite || !ahead.eat(&["on to", "over to", "along to", "to"]) {
        return Ok(false);
    }
    let who = people::list(&mut ahead, Place::Sure);
    if who.is_empty() {
        return Ok(false);
    }
    let draft = sel.folder == Some("drafts") || sel.states.contains(&super::lexicon::State::Draft);
    if draft {
        return Ok(false);
    }
    let mut request = Request::new(Act::Forward, sel);
    request.vals.people = who;
    resolve_they(parse, &mut request.vals.people);
    note(&mut ahead, &mut request);
    parse.push(request);
    *cursor = ahead;
    Ok(true)
}

/// "Send Bob the latest email from Ana", "send Bob an invite for lunch".
pub(super) fn send_thing<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    mut request: Request,
    start: usize,
) -> Read {
    if starts_text(cursor) {
        parts(parse, cursor, &mut request, Verb::Send)?;
        parse.push(request);
        return Ok(());
    }
    let mut invite = *cursor;
    if invite.eat_any(phrases!(
        "an invite | an invitation | a calendar invite | a meeting invite | a meeting request | \
        an invite for | a calendar invitation"
    )) {
        *cursor = invite;
        cursor.eat(&["for", "to"]);
        let before = parse.requests.len();
        create::create(parse, cursor, Verb::Book)?;
        if let Some(made) = parse.requests.get_mut(before) {
            made.vals.people.extend(request.vals.people);
        }
        return Ok(());
    }
    if filler::only_closers(cursor) {
        return Err(parse.words(&Cursor {
            at: start,
            ..*cursor
        }));
    }
    let Some(sel) = phrase(cursor, None, Rules::default()) else {
        return Err(parse.words(cursor));
    };
    if sel.noun != Some(Noun::Mail) && sel.pron.is_none() {
        return Err(Unread {
            span: parse.said.span(&sel.span),
            why: Why::CanNot(
                "Adjutant can send a mail with words of yours, or pass on a mail you have."
                    .to_owned(),
            ),
        });
    }
    let mut forward = Request::new(Act::Forward, sel);
    forward.vals.people = request.vals.people;
    resolve_they(parse, &mut forward.vals.people);
    note(cursor, &mut forward);
    parse.push(forward);
    Ok(())
}

/// Recipients, subject and body of a new mail, in any order.
pub(super) fn parts<'s, 'a>(
    parse: &Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    request: &mut Request,
    verb: Verb,
) -> Read {
    for _ in 0..PARTS_MAX {
        let start = *cursor;
        if cursor.word(0) != ":" {
            cursor.skip_marks();
        }
        if cursor.is_done() || filler::only_closers(cursor) {
            *cursor = start;
            return Ok(());
        }
        // "… and email them both to let them know": nothing that is to be said.
        let mut told = *cursor;
        if told.eat(&[
            "to let them know",
            "to let him know",
            "to let her know",
            "so they know",
            "so he knows",
            "so she knows",
        ]) && filler::only_closers(&told)
        {
            *cursor = told;
            return Ok(());
        }
        // "Ask Lena for an update".
        if verb == Verb::Ask
            && request.vals.body.is_none()
            && cursor.word(0) == "for"
            && let Some((body, derived)) = speech::clause(cursor, verb, true)
        {
            request.vals.body = Some(body);
            request.vals.body_derived = derived;
            continue;
        }
        if part(parse, cursor, request) {
            continue;
        }
        let joint = cursor.eat(&["and"]) || cursor.at > start.at;
        if joint && cursor.at > start.at && part(parse, cursor, request) {
            continue;
        }
        *cursor = start;
        // "Email Bob what time is the game on Sunday?": the question is his.
        if verb == Verb::Mail
            && request.vals.body.is_none()
            && matches!(
                cursor.word(0),
                "what" | "when" | "where" | "who" | "how" | "why" | "which"
            )
            && cursor.said.pieces[cursor.at..cursor.end]
                .last()
                .is_some_and(|last| last.word == "?")
            && let Some(words) = cursor.words(cursor.at..cursor.end)
        {
            request.vals.body = Some(super::model::Words {
                text: speech::capitalised(&words.text),
                ..words
            });
            cursor.at = cursor.end;
            continue;
        }
        // "Tell Bob I'm late": what follows the person is what to say.
        if request.vals.body.is_none()
            && matches!(verb, Verb::Tell | Verb::Ask | Verb::Mail | Verb::Send)
        {
            cursor.skip_marks();
            if let Some((body, derived)) = speech::clause(
                cursor,
                verb,
                request.vals.subject.is_none() && request.vals.people.len() == 1,
            ) {
                request.vals.body = Some(body);
                request.vals.body_derived = derived;
                continue;
            }
            *cursor = start;
        }
        return Ok(());
    }
    Ok(())
}
