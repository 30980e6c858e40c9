//! Prepares a mail for approval: fixed recipients, text and files, the card that shows all of it, and the row for the
//! outbox.

use adjutant_domain::change::{Change, RowOp};
use adjutant_domain::gate::{Assessment, NoteKind, Risk};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::plan::{AnswerKind, Question};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Address, Kind, OutboxItem, OutboxState, Record};
use adjutant_domain::source::{Source, Taint};
use adjutant_domain::tool::{Icon, ToolSpec};
use jiff::{SignedDuration, Zoned};
use serde_json::json;

use super::draft;
use super::mime::{self, MimePart, check_size, message_id, one_line};
use super::signature::{FORWARDED, signed};
use super::{MailRow, addresses, names};
use crate::address::{Resolved, origin_of};
use crate::effect::{CardDraft, FactDraft, Prepared, failed, local};
use crate::select::{AsTarget, Row, bad, referents};
use crate::words;

/// Maximum characters of a subject taken from the text.
const SUBJECT_CHARS_MAX: usize = 60;

/// Completes the specification of a tool that sends: if the person rejects a call, its text stays as a draft.
pub(super) fn sending(usual: ToolSpec) -> ToolSpec {
    ToolSpec {
        participle: "sent".to_owned(),
        icon: Icon::Send,
        kept_by: Some(draft::NAME.to_owned()),
        ..usual
    }
}

/// The parts of a mail, with all recipients resolved.
#[derive(Clone, Debug, Default)]
pub(super) struct Letter {
    /// Verb and object of the card: "Send a mail to Nadia Ali".
    pub(super) title: String,
    /// The verb on the button.
    pub(super) verb: &'static str,
    pub(super) to: Vec<Resolved>,
    pub(super) cc: Vec<Resolved>,
    pub(super) bcc: Vec<Resolved>,
    pub(super) subject: String,
    /// JSON pointer of the argument that gave the subject; `None` if it was made here.
    pub(super) subject_from: Option<&'static str>,
    pub(super) body: String,
    /// iCalendar text beside the body, if the mail answers an invitation.
    pub(super) calendar: Option<String>,
    pub(super) parts: Vec<MimePart>,
    pub(super) in_reply_to: Option<String>,
    pub(super) references: Vec<String>,
    pub(super) forward_of: Option<String>,
    /// Recipients of the mail that is answered or forwarded; the person's address among them becomes the sender.
    pub(super) received_by: Vec<Address>,
    /// The draft that becomes this mail.
    pub(super) draft: Option<OutboxItem>,
    /// Warnings for the person to read before approving.
    pub(super) warnings: Vec<String>,
    /// When the mail leaves; `None` for at once.
    pub(super) send_at: Option<Zoned>,
}

/// Maximum days a mail waits for its time.
const WAIT_DAYS_MAX: i64 = 366;

/// Checks when a mail is to leave. A time in the past is accepted: a mail that waited for it is assessed once more
/// before it leaves.
///
/// # Errors
/// Returns a fault if there is no time of day or the time is too far away.
pub(super) fn send_at(at: Option<&Moment>, cx: &Cx) -> Result<Option<Zoned>, Stop> {
    let at = match at {
        None => return Ok(None),
        Some(Moment::Day(_)) => {
            return Err(bad("Sending later needs a time of day, not only a date."));
        }
        Some(Moment::At(at)) => at.with_time_zone(cx.zone()),
    };
    let wait = at.timestamp().duration_since(cx.now.timestamp());
    if wait > SignedDuration::from_hours(24 * WAIT_DAYS_MAX) {
        return Err(bad(format!(
            "A mail can wait at most {WAIT_DAYS_MAX} days for its time."
        )));
    }
    Ok(Some(at))
}

/// Returns the given subject on one line; `None` if there is none.
pub(super) fn own_subject(given: Option<&str>) -> Option<String> {
    given.map(one_line).filter(|subject| !subject.is_empty())
}

/// Freezes a mail and writes its card.
///
/// # Errors
/// Returns a question if nobody is addressed, and a fault if the files are too large or the mail cannot be written.
pub(super) async fn prepare(mut letter: Letter, cx: &Cx) -> Result<Prepared, Stop> {
    if letter.to.is_empty() && letter.cc.is_empty() && letter.bcc.is_empty() {
        return Err(ask_to());
    }
    check_size(&letter.parts)?;
    let from = sender(&letter.received_by, cx).await?;
    let signature = from
        .as_ref()
        .and_then(|from| cx.settings.signatures.of(&from.email));
    if let Some(signature) = signature {
        letter.body = signed(&letter.body, signature);
    }
    let item = item(&letter, from.as_ref(), cx)?;
    let change = match &letter.draft {
        Some(_) => Change::replace(Record::Outbox(item.clone())),
        None => Change::add(Record::Outbox(item.clone())),
    };
    let origins = cx.records.origins(&change).await.map_err(failed)?;
    let can_send = from
        .as_ref()
        .is_some_and(|from| origins.sender(&from.email).is_some());
    let sketch = sketch(&letter, from.as_ref(), can_send, cx);
    let everybody = || [&letter.to, &letter.cc, &letter.bcc].into_iter().flatten();
    Ok(Prepared {
        targets: letter
            .draft
            .iter()
            .map(|draft| MailRow::Out(Box::new(draft.clone())).target())
            .collect(),
        operations: local(change),
        answer: answer(&item, say(&item, can_send), cx),
        assessment: Assessment {
            risk: Risk::ReachesPeople,
            ask: None,
            count: 1,
            reaching: everybody().map(|one| one.pointer.clone()).collect(),
            looked_up: everybody().filter_map(|one| one.source.clone()).collect(),
            ..Assessment::read()
        },
        sketch,
    })
}

/// Returns the sender: the person's address that received the earlier mail, or else the usual one. Addresses that a
/// connected account sends from come before all others, since the settings keep those of accounts that were removed.
async fn sender(received_by: &[Address], cx: &Cx) -> Result<Option<Address>, Stop> {
    let owner = &cx.settings.owner;
    let nothing = Change::default();
    let origins = cx.records.origins(&nothing).await.map_err(failed)?;
    let accounts = cx.records.accounts().await.map_err(failed)?;
    let of_accounts = accounts.iter().flat_map(|one| &one.addresses);
    let all = owner.emails.iter().chain(of_accounts);
    let mut own: Vec<&String> = all
        .filter(|email| origins.sender(email).is_some())
        .collect();
    if own.is_empty() {
        own.extend(&owner.emails);
    }
    let got_it = |own: &&&String| {
        let mut received = received_by.iter();
        received.any(|one| one.email.eq_ignore_ascii_case(own))
    };
    let chosen = own.iter().find(got_it).or(own.first());
    Ok(chosen.map(|email| Address {
        name: owner.name.clone(),
        email: (*email).clone(),
    }))
}

/// Returns whether an account can send an answer to a mail that these received.
///
/// # Errors
/// Returns the fault of storage.
pub(super) async fn can_answer(received_by: &[Address], cx: &Cx) -> Result<bool, Stop> {
    let Some(from) = sender(received_by, cx).await? else {
        return Ok(false);
    };
    let origins = cx.records.origins(&Change::default()).await;
    Ok(origins.map_err(failed)?.sender(&from.email).is_some())
}

/// "To whom?"
pub(super) fn ask_to() -> Stop {
    ask("To whom?", "/to", AnswerKind::People)
}

/// "What should it say?"
pub(super) fn ask_body() -> Stop {
    ask("What should it say?", "/body", AnswerKind::Text)
}

fn ask(text: &str, slot: &str, answer: AnswerKind) -> Stop {
    Stop::Ask(Question {
        text: text.into(),
        choices: Vec::new(),
        slot: slot.into(),
        answer,
    })
}

/// Returns the first words of the text as a subject.
pub(super) fn subject_from(body: &str) -> String {
    let first = body
        .trim()
        .split(['\n', '\r'])
        .next()
        .unwrap_or_default()
        .split_inclusive(['.', '!', '?'])
        .next()
        .unwrap_or_default();
    let line = one_line(first);
    words::cut(line.trim_end_matches(['.', '!', ',']), SUBJECT_CHARS_MAX)
}

/// Returns the addresses alone.
pub(super) fn plain(list: &[Resolved]) -> Vec<Address> {
    list.iter().map(|one| one.address.clone()).collect()
}

/// Removes everybody from `list` who is in one of the other lists.
pub(super) fn without(list: &mut Vec<Resolved>, others: &[&[Resolved]]) {
    list.retain(|one| {
        !others.iter().any(|other| {
            other
                .iter()
                .any(|two| two.address.email.eq_ignore_ascii_case(&one.address.email))
        })
    });
}

/// Returns the answer about a mail in the outbox.
pub(super) fn answer(item: &OutboxItem, say: String, cx: &Cx) -> Answer {
    let row = [MailRow::Out(Box::new(item.clone()))];
    let mut output = row[0].value(cx);
    output["count"] = json!(1);
    output["ids"] = json!([item.id]);
    output["items"] = json!([row[0].value(cx)]);
    Answer {
        output,
        say,
        referents: referents(&row),
        taint: Taint::Clean,
        used_memories: Vec::new(),
    }
}

fn item(letter: &Letter, from: Option<&Address>, cx: &Cx) -> Result<OutboxItem, Stop> {
    let now = cx.now.timestamp();
    let message_id = message_id(from, cx);
    let (to, cc, bcc) = (plain(&letter.to), plain(&letter.cc), plain(&letter.bcc));
    let mime = mime::render(&mime::Source {
        message_id: &message_id,
        from,
        to: &to,
        cc: &cc,
        subject: &letter.subject,
        in_reply_to: letter.in_reply_to.as_deref(),
        references: &letter.references,
        body: &letter.body,
        calendar: letter.calendar.as_deref(),
        parts: &letter.parts,
        date: letter.send_at.as_ref().map_or(now, Zoned::timestamp),
    })?;
    Ok(OutboxItem {
        id: letter
            .draft
            .as_ref()
            .map_or_else(|| cx.new_id(Kind::Outbox), |draft| draft.id.clone()),
        message_id,
        to,
        cc,
        bcc,
        subject: letter.subject.clone(),
        body: letter.body.clone(),
        in_reply_to: letter.in_reply_to.clone(),
        forward_of: letter.forward_of.clone(),
        state: OutboxState::Queued,
        mime: Some(mime),
        not_before: None,
        created: letter.draft.as_ref().map_or(now, |draft| draft.created),
        updated: now,
        version: letter.draft.as_ref().map_or(0, |draft| draft.version),
    })
}

/// Queues a mail that an older version froze as held: by now its hold has ended, since it waits on the action.
pub(super) fn unheld(mut change: Change, answer: Answer) -> (Change, Answer) {
    for op in &mut change.ops {
        if let RowOp::Put { record, .. } = op
            && let Record::Outbox(item) = record.as_mut()
            && item.state == OutboxState::Held
        {
            item.state = OutboxState::Queued;
        }
    }
    (change, answer)
}

fn sketch(letter: &Letter, from: Option<&Address>, can_send: bool, cx: &Cx) -> CardDraft {
    let hold = cx.settings.hold(can_send);
    let undo = match &letter.send_at {
        Some(_) => "Can be taken back until it leaves; cannot be undone afterwards.".into(),
        None => undo_words(hold),
    };
    let mut sketch = CardDraft::new(letter.title.clone(), letter.verb, &undo);
    sketch.hold_seconds = hold;
    sketch.not_before = letter.send_at.as_ref().map(Zoned::timestamp);
    sketch.digest_line = "What you see is exactly what is sent.".into();
    sketch.account = Some(match from {
        Some(from) if can_send => from.email.clone(),
        _ => "no account yet".into(),
    });
    sketch.facts.push(FactDraft::with(
        "From",
        from.map_or_else(
            || "no account yet".into(),
            |from| words::person(&from.name, &from.email),
        ),
        Some(Source::Settings),
    ));
    for (label, list) in [("To", &letter.to), ("Cc", &letter.cc), ("Bcc", &letter.bcc)] {
        if list.is_empty() {
            sketch.facts.push(FactDraft::with(label, "Nobody", None));
        }
        for one in list {
            sketch.facts.push(FactDraft {
                source: one.source.clone(),
                ..FactDraft::from_arg(label, full(&one.address), &one.pointer)
            });
        }
    }
    sketch.facts.push(match letter.subject_from {
        Some(pointer) => FactDraft::from_arg("Subject", &letter.subject, pointer),
        None => FactDraft::with("Subject", &letter.subject, Some(Source::Derived)),
    });
    if let Some(at) = &letter.send_at {
        let when = words::instant(at.timestamp(), cx);
        sketch
            .facts
            .push(FactDraft::from_arg("Leaves", when, "/send_at"));
        if at.timestamp() > cx.now.timestamp() {
            sketch.note(
                NoteKind::Info,
                "It leaves only while Adjutant is running. If Adjutant is closed at that time, the mail leaves at the next start.",
            );
        } else {
            sketch.note(NoteKind::Warn, "That time has passed: it leaves at once.");
        }
    }
    sketch.body = Some(letter.body.clone());
    sketch.attachments = letter.parts.iter().map(MimePart::shown).collect();
    let found = [&letter.to, &letter.cc, &letter.bcc]
        .into_iter()
        .flatten()
        .filter(|one| one.source.as_ref().is_some_and(Source::is_untrusted))
        .count();
    match found {
        0 => {}
        1 => sketch.note(
            NoteKind::Untrusted,
            "One address comes from a message, not from you.",
        ),
        many => sketch.note(
            NoteKind::Untrusted,
            format!("{many} addresses come from messages, not from you."),
        ),
    }
    for warning in &letter.warnings {
        sketch.note(NoteKind::Warn, warning.clone());
    }
    if !can_send {
        sketch.note(
            NoteKind::Info,
            "No account can send yet: once approved, the mail is kept in the outbox, and you are asked again before it is sent.",
        );
    }
    sketch
}

/// Returns name and address in full.
fn full(who: &Address) -> String {
    if who.name.trim().is_empty() {
        who.email.clone()
    } else {
        format!("{} ({})", one_line(&who.name), who.email)
    }
}

fn undo_words(hold: u32) -> String {
    match hold {
        0 => "Cannot be undone once it has left; until then it can be deleted from the outbox."
            .into(),
        seconds => format!(
            "Can be taken back for {seconds} s after approving; cannot be undone once it has left."
        ),
    }
}

fn say(item: &OutboxItem, can_send: bool) -> String {
    let what = format!("{} to {}", words::quoted(&item.subject), names(&item.to));
    if can_send {
        return format!("Sent: {what}.");
    }
    format!(
        "Saved: {what}. No account can send it yet. Once one is connected, make it a draft again in the outbox and send that."
    )
}

/// Returns the recipients in words: "Nadia Ali", "3 people".
pub(super) fn to_words(lists: &[&[Resolved]]) -> String {
    let all: Vec<&Resolved> = lists.iter().flat_map(|list| list.iter()).collect();
    match all.as_slice() {
        [one] => words::who(&one.address.name, &one.address.email),
        many => format!("{} people", many.len()),
    }
}

/// Returns the recipients of a draft as resolved, since they were chosen when it was written. If foreign text went into
/// the draft, an address outside the address book counts as found.
///
/// # Errors
/// Returns the fault of storage.
pub(super) async fn from_draft(
    list: &[Address],
    foreign: bool,
    cx: &Cx,
) -> Result<Vec<Resolved>, Stop> {
    let mut resolved = Vec::with_capacity(list.len());
    for address in list {
        let source = if foreign {
            origin_of(&address.email, "a draft made from a message", cx).await?
        } else {
            Source::OwnData {
                what: "drafts".into(),
            }
        };
        resolved.push(Resolved {
            address: address.clone(),
            pointer: "/draft".into(),
            source: Some(source),
        });
    }
    Ok(resolved)
}

/// Returns the text of a forwarded mail: the note, then the header lines and text of the original.
pub(super) fn forwarded(mail: &adjutant_domain::record::Mail, note: &str, cx: &Cx) -> String {
    let mut text = String::new();
    if !note.trim().is_empty() {
        text.push_str(note);
        text.push_str("\n\n");
    }
    let date = mail.date.to_zoned(cx.zone());
    text.push_str(FORWARDED);
    text.push('\n');
    text.push_str(&format!("From: {}\n", one_line(&mail.from.to_string())));
    text.push_str(&format!(
        "Date: {}\n",
        date.strftime("%a, %-d %b %Y %H:%M %:z")
    ));
    text.push_str(&format!("Subject: {}\n", one_line(&mail.subject)));
    text.push_str(&format!("To: {}\n", addresses(&mail.to)));
    if !mail.cc.is_empty() {
        text.push_str(&format!("Cc: {}\n", addresses(&mail.cc)));
    }
    text.push('\n');
    text.push_str(&mail.text);
    text
}
