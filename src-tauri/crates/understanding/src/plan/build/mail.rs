//! Steps that write mail.

use adjutant_domain::plan::{AnswerKind, Reference};
use adjutant_domain::source::Source;
use serde_json::{Value as Json, json};

use super::super::clause::Unread;
use super::super::lexicon::Noun;
use super::super::model::{Act, Request, Value, Who};
use super::super::speech::capitalised;
use super::{Builder, Draft, at, update, words};

/// Characters of a subject that is taken from the text.
const SUBJECT_CHARS_MAX: usize = 60;

/// Builds the step of a writing request.
pub(super) fn build(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    match request.act {
        Act::Reply | Act::ReplyAll => reply(builder, request),
        Act::Forward => forward(builder, request),
        _ => send(builder, request),
    }
}

/// Puts recipients into arguments; names them.
fn recipients(
    builder: &mut Builder<'_, '_, '_>,
    request: &Request,
    draft: &mut Draft,
) -> Result<String, Unread> {
    let person = builder.person(&request.span);
    for (list, key) in [
        (&request.vals.people, "to"),
        (&request.vals.cc, "cc"),
        (&request.vals.bcc, "bcc"),
    ] {
        if list.is_empty() {
            continue;
        }
        let (people, sources, missing_one) = builder.people(list, &person)?;
        for (index, source) in sources {
            draft.sources.insert(format!("/{key}/{index}"), source);
        }
        if missing_one {
            draft.ask(
                &format!("/{key}"),
                "Who should it go to?".to_owned(),
                AnswerKind::People,
                Vec::new(),
            );
        }
        draft.sources.insert(format!("/{key}"), person.clone());
        draft.args.insert(key.to_owned(), Json::Array(people));
    }
    Ok(words::people(&request.vals.people))
}

fn subject(
    builder: &mut Builder<'_, '_, '_>,
    request: &Request,
    draft: &mut Draft,
) -> Result<Option<String>, Unread> {
    match &request.vals.subject {
        // "Email him about it": what it stands for gives the subject.
        Some(Value::Words(subject))
            if matches!(
                subject.text.to_lowercase().as_str(),
                "it" | "that" | "this" | "them"
            ) =>
        {
            let shown = builder.said.utterance.focus.latest_one(None);
            Ok(shown.map(|one| {
                let source = Source::OwnData {
                    what: one.kind.word().to_owned(),
                };
                draft.set("subject", json!(one.label), source);
                one.label.clone()
            }))
        }
        Some(Value::Words(subject)) => {
            draft.set(
                "subject",
                json!(subject.text),
                Source::Person {
                    words: Some(subject.text.clone()),
                },
            );
            Ok(Some(subject.text.clone()))
        }
        Some(Value::TitleOf(sel)) => {
            // The guests were looked up in the same event: one step reads both.
            let of_guests = request.vals.people.iter().find_map(|who| match who {
                Who::GuestsOf(guests) if sel.pron.is_some() => Some(guests.clone()),
                _ => None,
            });
            let key = builder.one_of(of_guests.as_ref().unwrap_or(sel))?;
            draft.set(
                "subject",
                at(&key, super::event_title::title_path(sel)),
                Source::Step { key: key.clone() },
            );
            Ok(Some("the event's title".to_owned()))
        }
        None => Ok(None),
    }
}

/// A subject from the first words of the text.
fn from_text(body: &str) -> String {
    let line = body
        .split(['\n', '.', '!', '?', ';'])
        .find(|part| !part.trim().is_empty())
        .unwrap_or(body)
        .trim();
    if line.chars().count() <= SUBJECT_CHARS_MAX {
        return line.to_owned();
    }
    let mut out = String::new();
    for word in line.split_whitespace() {
        if out.chars().count() + word.chars().count() + 1 > SUBJECT_CHARS_MAX {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

fn body_source(request: &Request) -> Source {
    match &request.vals.body {
        Some(body) if !request.vals.body_derived => Source::Person {
            words: Some(body.text.clone()),
        },
        Some(body) => Source::Person {
            words: Some(body.text.clone()),
        },
        None => Source::Derived,
    }
}

fn send(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let drafts = request.act == Act::Draft;
    let mut draft = Draft::new(
        if drafts { "email.draft" } else { "email.send" },
        String::new(),
    );
    let to = match one_each(builder, request, &mut draft)? {
        Some(to) => to,
        None => recipients(builder, request, &mut draft)?,
    };
    if request.vals.people.is_empty() && !drafts {
        draft.args.insert("to".into(), json!([]));
        draft.ask(
            "/to",
            "Who should it go to?".to_owned(),
            AnswerKind::People,
            Vec::new(),
        );
    }
    let subject = subject(builder, request, &mut draft)?;
    match &request.vals.body {
        Some(body) => {
            draft.set("body", json!(body.text), body_source(request));
            if subject.is_none() {
                draft.set("subject", json!(from_text(&body.text)), Source::Derived);
            }
        }
        None => {
            draft.set("body", Json::Null, Source::Derived);
            let to = if to.is_empty() {
                String::new()
            } else {
                format!(" to {to}")
            };
            draft.ask(
                "/body",
                format!("What should the mail{to} say?"),
                AnswerKind::Text,
                Vec::new(),
            );
        }
    }
    if !request.vals.attach.is_empty() {
        draft.set(
            "attach",
            json!(request.vals.attach),
            builder.person(&request.span),
        );
    }
    let titled = subject.map_or_else(String::new, |subject| format!(", titled “{subject}”"));
    let says = request
        .vals
        .body
        .as_ref()
        .map_or_else(String::new, |body| format!(", saying “{}”", body.text));
    let to = if to.is_empty() {
        String::new()
    } else {
        format!(" to {to}")
    };
    draft.say = format!(
        "{} a mail{to}{titled}{says}{}",
        if drafts { "Draft" } else { "Send" },
        copies(request)
    );
    let each = draft.each.is_some();
    let key = builder.push(draft, Some(request))?;
    builder.did(key, request, Some(Noun::Mail), each);
    Ok(())
}

/// "A separate email to each attendee": the step runs once for everybody of the event.
fn one_each(
    builder: &mut Builder<'_, '_, '_>,
    request: &Request,
    draft: &mut Draft,
) -> Result<Option<String>, Unread> {
    let (Some("separate"), [Who::GuestsOf(sel)]) =
        (request.vals.question, request.vals.people.as_slice())
    else {
        return Ok(None);
    };
    let key = builder.one_of(sel)?;
    draft.each = Some(Reference {
        from: key.clone(),
        path: "/people".to_owned(),
    });
    draft.set("to", json!([{ "$item": "/email" }]), Source::Step { key });
    Ok(Some("each of those invited, separately".to_owned()))
}

/// Who else gets it, in words.
fn copies(request: &Request) -> String {
    let mut out = String::new();
    if request.act == Act::ReplyAll {
        out.push_str(", to everyone who got it");
    }
    for (list, how) in [
        (&request.vals.cc, "a copy"),
        (&request.vals.bcc, "a hidden copy"),
    ] {
        if !list.is_empty() {
            out.push_str(&format!(", {how} to {}", super::words::people(list)));
        }
    }
    out
}

fn reply(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let drafts = request.vals.question == Some("draft");
    let mut draft = Draft::new("email.reply", String::new());
    let words = update::target(builder, request, &mut draft, true)?;
    if drafts {
        as_draft(builder, request, &mut draft)?;
    } else if request.act == Act::ReplyAll {
        draft.set("all", json!(true), builder.person(&request.span));
    }
    for (list, key) in [(&request.vals.cc, "cc"), (&request.vals.bcc, "bcc")] {
        if !list.is_empty() {
            let (people, _, _) = builder.people(list, &Source::person())?;
            draft.set(key, Json::Array(people), builder.person(&request.span));
        }
    }
    match &request.vals.body {
        Some(body) => {
            let text = if body.quoted {
                body.text.clone()
            } else {
                capitalised(&body.text)
            };
            draft.set("body", json!(text), body_source(request));
            draft.say = format!(
                "{} to {words}, saying “{text}”{}",
                if drafts { "Draft a reply" } else { "Reply" },
                copies(request)
            );
        }
        None => {
            draft.set("body", Json::Null, Source::Derived);
            draft.ask(
                "/body",
                "What should the reply say?".to_owned(),
                AnswerKind::Text,
                Vec::new(),
            );
            draft.say = format!(
                "{} to {words}{}",
                if drafts { "Draft a reply" } else { "Reply" },
                copies(request)
            );
        }
    }
    let each = draft.each.is_some();
    let key = builder.push(draft, Some(request))?;
    builder.did(key, request, Some(Noun::Mail), each);
    Ok(())
}

/// A reply that is only drafted needs the id of the mail it answers.
fn as_draft(
    builder: &mut Builder<'_, '_, '_>,
    request: &Request,
    draft: &mut Draft,
) -> Result<(), Unread> {
    draft.tool = "email.draft";
    let source = draft
        .sources
        .remove("/id")
        .or_else(|| draft.sources.remove("/target"))
        .unwrap_or(Source::Derived);
    let id = match draft.args.remove("id") {
        Some(id) => id,
        None => {
            draft.args.remove("target");
            let key = builder.one_of(&request.sel)?;
            at(&key, "/ids/0")
        }
    };
    draft.set("in_reply_to", id, source);
    Ok(())
}

fn forward(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let mut draft = Draft::new("email.forward", String::new());
    let words = update::target(builder, request, &mut draft, true)?;
    let to = recipients(builder, request, &mut draft)?;
    if request.vals.people.is_empty() {
        draft.args.insert("to".into(), json!([]));
        draft.ask(
            "/to",
            "Who should it be forwarded to?".to_owned(),
            AnswerKind::People,
            Vec::new(),
        );
    }
    if let Some(body) = &request.vals.body {
        draft.set("note", json!(body.text), body_source(request));
    }
    draft.say = format!(
        "Forward {words} to {}",
        if to.is_empty() { "…" } else { &to }
    );
    if let Some(body) = &request.vals.body {
        draft.say = format!("{}, saying “{}”", draft.say, body.text);
    }
    let each = draft.each.is_some();
    let key = builder.push(draft, Some(request))?;
    builder.did(key, request, Some(Noun::Mail), each);
    Ok(())
}
