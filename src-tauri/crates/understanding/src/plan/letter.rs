//! The parts of a mail: recipients, subject, text, files.

use super::amend::value_of;
use super::clause::{Parse, Unread};
use super::courtesy::courtesy;
use super::cursor::Cursor;
use super::filler;
use super::joints::{ABOUT, SAYING, TITLED};
use super::lexicon::Verb;
use super::model::{Request, Value, Words};
use super::people::{self, Place};
use super::said::Form;
use super::speech;
use super::table::phrases;

pub(super) fn part<'s, 'a>(
    parse: &Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    request: &mut Request,
) -> bool {
    let start = *cursor;
    // "…, text 'The keys are here'".
    let mut labelled = *cursor;
    labelled.eat(&[",", "and", ";"]);
    if request.vals.body.is_none()
        && labelled.eat(&[
            "text",
            "message",
            "body",
            "content",
            "the text",
            "the body",
            "with text",
            "saying",
        ])
    {
        let colon = labelled.eat(&[":", "is"]);
        if let Some(words) = labelled.quote() {
            request.vals.body = Some(words);
            *cursor = labelled;
            return true;
        }
        if colon && let Some((body, derived)) = speech::said(&mut labelled) {
            request.vals.body = Some(body);
            request.vals.body_derived = derived;
            *cursor = labelled;
            return true;
        }
    }
    if request.vals.body.is_none() && cursor.eat(&["asking", "and ask", "to ask", "ask"]) {
        cursor.eat(&["him", "her", "them", "for"]);
        if let Some((body, derived)) = speech::clause(cursor, Verb::Ask, true) {
            request.vals.body = Some(body);
            request.vals.body_derived = derived;
            return true;
        }
        *cursor = start;
    }
    if request.vals.body.is_none() && courtesy(cursor, request) {
        return true;
    }
    // "… about dinner: 7pm works for us".
    if request.vals.body.is_none() && request.vals.subject.is_some() && cursor.word(0) == ":" {
        let mut said = *cursor;
        said.at += 1;
        if let Some((body, derived)) = speech::said(&mut said) {
            request.vals.body = Some(body);
            request.vals.body_derived = derived;
            *cursor = said;
            return true;
        }
    }
    if request.vals.subject.is_none()
        && let Some(value) = as_title(parse, cursor)
    {
        request.vals.subject = Some(value);
        return true;
    }
    // "… thanking her for the lovely evening".
    if request.vals.body.is_none()
        && cursor.eat(&[
            "thanking him for",
            "thanking her for",
            "thanking them for",
            "to thank him for",
            "to thank her for",
            "to thank them for",
            "and thank him for",
            "and thank her for",
            "and thank them for",
        ])
    {
        let from = cursor.at;
        if let Some((words, _)) = speech::said(cursor) {
            let thanked = parse
                .said
                .slice(from..cursor.at)
                .trim_end_matches(['.', '!', ' ']);
            request.vals.body = Some(Words {
                text: format!("Thank you for {thanked}."),
                ..words
            });
            request.vals.body_derived = true;
            return true;
        }
        *cursor = start;
    }
    // "…, and ask him to call me", behind what he is told.
    if request.vals.body_derived
        && let Some(said) = request.vals.body.clone()
    {
        cursor.eat(&[","]);
        if cursor.eat(&[
            "and ask him",
            "and ask her",
            "and ask them",
            "and asking him",
            "and asking her",
            "and asking them",
            "and asking",
            "and ask",
            "ask him",
            "ask her",
            "ask them",
            "asking him",
            "asking her",
            "asking them",
        ]) && let Some((more, _)) = speech::clause(cursor, Verb::Ask, true)
        {
            request.vals.body = Some(Words {
                text: format!("{} {}", said.text, more.text),
                ..said
            });
            return true;
        }
        *cursor = start;
    }
    // A subject stands before what is said, and "the subject X and the body Y" names both.
    if request.vals.subject.is_none() && cursor.eat_any(&TITLED) {
        cursor.skip_marks();
        cursor.eat_any(phrases!("is | being | of | should be | line"));
        let named = value_of(parse, &mut { *cursor });
        let value = match named {
            Some(Value::Words(words)) if !words.quoted => {
                super::value::text(cursor, &["body", "message", "saying", "text", "content"])
                    .map(Value::Words)
            }
            _ => value_of(parse, cursor),
        };
        if let Some(value) = value {
            request.vals.subject = Some(value);
            return true;
        }
        *cursor = start;
    }
    if request.vals.body.is_none() && cursor.eat_any(&SAYING) {
        // "With the notes from the retro" names something that is not here.
        let named = start.word(0) == "with"
            && matches!(cursor.word(0), "from" | "of" | "about" | "for" | "on");
        cursor.skip_marks();
        cursor.eat_any(phrases!("is | being | of | should be | should say"));
        if named {
            *cursor = start;
            return false;
        }
        if let Some((mut body, derived)) = speech::said(cursor) {
            // "Saying I'll pick her up at 8", to her.
            if derived && request.vals.people.len() == 1 && speech::nobody_else(&body.text) {
                body.text = speech::addressed(&body.text);
            }
            request.vals.body = Some(body);
            request.vals.body_derived = derived;
            return true;
        }
        *cursor = start;
    }
    if request.vals.people.is_empty() && cursor.eat(&["to"]) {
        let who = people::list(cursor, Place::Sure);
        if !who.is_empty() {
            request.vals.people = who;
            return true;
        }
        *cursor = start;
    }
    for (words, blind) in [
        (
            &[
                "cc to",
                "cc",
                "copying",
                "with a copy to",
                "and cc",
                "copy",
                "copy in",
                "cc ing",
                "ccing",
                "and copy",
                "with cc to",
                "in cc",
            ][..],
            false,
        ),
        (&["bcc to", "bcc", "and bcc", "bccing"][..], true),
    ] {
        if cursor.eat(words) {
            cursor.eat(&[":"]);
            let who = people::list(cursor, Place::Sure);
            if !who.is_empty() {
                if blind {
                    request.vals.bcc.extend(who)
                } else {
                    request.vals.cc.extend(who)
                }
                return true;
            }
            *cursor = start;
        }
    }
    if cursor.eat_any(phrases!(
        "attach | attaching | with the attachment | with | and attach | with the file"
    )) && let Some(piece) = cursor.peek(0).filter(|piece| piece.form == Form::File)
    {
        request.vals.attach.push(
            parse
                .said
                .source
                .get(piece.span.clone())
                .unwrap_or("")
                .to_owned(),
        );
        cursor.at += 1;
        cursor.eat(&["attached"]);
        return true;
    }
    *cursor = start;
    if request.vals.subject.is_none()
        && (cursor.eat_any(&ABOUT) || start.word(0) == "for" && cursor.eat(&["for"]))
        && let Some(mut words) = about(cursor)
    {
        if !words.quoted {
            words.text = speech::capitalised(&words.text);
        }
        request.vals.subject = Some(Value::Words(words));
        return true;
    }
    *cursor = start;
    if request.vals.body.is_none()
        && let Some(words) = {
            cursor.eat(&[":", "with", "-"]);
            cursor.quote()
        }
    {
        // "Email her 'Catch up?' saying 'Coffee?'": the first of two is the subject.
        if request.vals.subject.is_none() && cursor.sees_any(&SAYING).is_some() {
            request.vals.subject = Some(Value::Words(words));
        } else {
            request.vals.body = Some(words);
        }
        return true;
    }
    *cursor = start;
    // "To Bob: subject 'Lunch', message 'Noon?'".
    if cursor.word(0) == ":"
        && matches!(
            cursor.word(1),
            "subject" | "title" | "message" | "body" | "text"
        )
        && matches!(cursor.peek(2).map(|next| next.form), Some(Form::Quote(_)))
    {
        cursor.at += 1;
        return true;
    }
    if request.vals.body.is_none() && cursor.word(0) == ":" {
        cursor.at += 1;
        if let Some((body, derived)) = speech::said(cursor) {
            request.vals.body = Some(body);
            request.vals.body_derived = derived;
            return true;
        }
    }
    *cursor = start;
    false
}

/// "Use the event's name as the title", "with 'Plans' as its subject": what shall be the title.
pub(super) fn as_title(parse: &Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> Option<Value> {
    let mut ahead = *cursor;
    ahead.eat(&["and", ","]);
    ahead
        .eat(&[
            "using", "use", "with", "take", "taking", "having", "put", "make",
        ])
        .then_some(())?;
    let value = match value_of(parse, &mut ahead)? {
        Value::Words(words) if !words.quoted => {
            ahead = *cursor;
            ahead.eat(&["and", ","]);
            ahead.at += 1;
            Value::Words(super::value::text(&mut ahead, &["as", "for", "in"])?)
        }
        value => value,
    };
    ahead.eat(&["as", "for", "in"]).then_some(())?;
    ahead.eat(&["the", "its", "a"]);
    ahead
        .eat_any(phrases!(
            "subject line | subject | title | name | email subject | email title | heading | meeting title | event title | \
            title of the email | subject of the email | title of the meeting | title of the event | name of the event"
        ))
        .then_some(())?;
    *cursor = ahead;
    Some(value)
}

/// What a mail is about; times belong to it ("about the meeting on Friday").
pub(super) fn about(cursor: &mut Cursor<'_, '_>) -> Option<Words> {
    if let Some(words) = cursor.quote() {
        return Some(words);
    }
    let start = cursor.at;
    let mut end = start;
    while end < cursor.end {
        let mut here = *cursor;
        here.at = end;
        if end > start
            && (filler::only_closers(&here)
                || here.sees_any(&SAYING).is_some()
                    && !matches!(here.word(0), "body" | "message" | "reading" | "say")
                || here.sees_any(&TITLED).is_some()
                || here
                    .sees_any(phrases!(
                        "and say | and tell | and ask | and let | asking | cc | bcc | if i | and cc"
                    ))
                    .is_some())
        {
            break;
        }
        if end > start
            && matches!(here.word(0), "and" | "then" | ",")
            && super::command::command_at(&here, 1)
        {
            break;
        }
        // "About the picnic: it is on Saturday".
        let replies = end > start
            && matches!(
                cursor.said.pieces[end - 1].word.as_str(),
                "re" | "fwd" | "fw" | "aw"
            );
        if end > start && here.word(0) == ":" && !replies && !cursor.said.pieces[end].ends {
            break;
        }
        let last = cursor.said.pieces[end].ends;
        if last && cursor.said.pieces[end].form == Form::Mark {
            break;
        }
        end += 1;
        if last {
            break;
        }
    }
    let skip = usize::from(
        end > start + 1 && matches!(cursor.said.pieces[start].word.as_str(), "the" | "a" | "an"),
    );
    let words = cursor.words(start + skip..end)?;
    cursor.at = end;
    Some(words)
}

/// Another sentence about a mail: "Tell them I'll be late", "say 'Hi'", "the body should be …".
pub(super) fn more<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
) -> Result<bool, Unread> {
    let Some(mut request) = parse.requests.pop() else {
        return Ok(false);
    };
    let start = *cursor;
    let read = part(parse, cursor, &mut request);
    parse.requests.push(request);
    if !read {
        *cursor = start;
    }
    Ok(read)
}
