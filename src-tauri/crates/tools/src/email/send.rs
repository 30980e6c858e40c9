//! `email.send`

use adjutant_domain::change::Change;
use adjutant_domain::gate::{Call, Risk};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::plan::Question;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Kind, OutboxItem, OutboxState};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::MailRow;
use super::compose::{
    Letter, ask_body, ask_to, from_draft, prepare, send_at, sending, subject_from, to_words,
    unheld, without,
};
use super::find::{MailFilter, Place};
use super::mime::{MimePart, check_size, one_line};
use crate::address::{Resolved, resolve};
use crate::effect::{Prepared, failed};
use crate::registry::{Acting, spec};
use crate::select::{Ids, People, Row, bad, not_found, target_one};

/// The tool `email.send`: sends a mail.
pub(super) struct Send;

/// Arguments of `email.send`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Recipients; asked for when missing.
    to: Option<People>,
    /// Carbon copies.
    cc: Option<People>,
    /// Blind copies.
    bcc: Option<People>,
    /// Subject; taken from the text when missing.
    subject: Option<String>,
    /// The text, word for word; asked for when missing.
    body: Option<String>,
    /// Files to attach, from the allowed folders.
    attach: Option<Vec<String>>,
    /// When it leaves, after approval; at once when left out.
    send_at: Option<Moment>,
    /// A draft to send; other arguments replace what it says.
    draft: Option<Ids>,
    /// The draft to send, by description, where its id is not known.
    drafted: Option<MailFilter>,
}

#[async_trait]
impl Acting for Send {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        sending(spec(
            "email.send",
            Domain::Email,
            Risk::ReachesPeople,
            "Sends a mail, after approval.",
            &[
                "send an email to",
                "email … that",
                "write to",
                "send a message to",
                "mail … saying",
                "let … know that",
                "tell … by mail",
                "shoot an email",
                "drop … a line",
                "send the draft",
            ],
        ))
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let draft = match (&args.draft, &args.drafted) {
            (None, Some(filter)) => Some(found(filter, cx).await?),
            (draft, _) => drafted(draft.as_ref(), cx).await?,
        };
        let ids: Vec<_> = draft.iter().map(|draft| draft.id.clone()).collect();
        let foreign = cx.records.foreign(Kind::Outbox, &ids).await;
        let foreign = !foreign.map_err(failed)?.is_empty();
        let written = draft.as_ref();
        let people = |given, drafted, pointer| people(given, (drafted, foreign), pointer, cx);
        let to = people(args.to.as_ref(), written.map(|one| &one.to), "/to").await?;
        let mut cc = people(args.cc.as_ref(), written.map(|one| &one.cc), "/cc").await?;
        let mut bcc = people(args.bcc.as_ref(), written.map(|one| &one.bcc), "/bcc").await?;
        without(&mut cc, &[&to]);
        without(&mut bcc, &[&to, &cc]);
        if to.is_empty() && cc.is_empty() && bcc.is_empty() {
            return Err(ask_to());
        }
        let body = match (&args.body, written) {
            (Some(body), _) => body.clone(),
            (None, Some(draft)) => draft.body.clone(),
            (None, None) => return Err(ask_body()),
        };
        if body.trim().is_empty() {
            return Err(ask_body());
        }
        let given = args
            .subject
            .clone()
            .or(written.map(|draft| draft.subject.clone()))
            .map(|subject| one_line(&subject))
            .filter(|subject| !subject.is_empty());
        let letter = Letter {
            title: format!("Send a mail to {}", to_words(&[&to, &cc, &bcc])),
            verb: "Send",
            subject_from: given.is_some().then_some("/subject"),
            subject: given.unwrap_or_else(|| subject_from(&body)),
            to,
            cc,
            bcc,
            body,
            parts: attached(args.attach.as_deref(), cx).await?,
            in_reply_to: written.and_then(|draft| draft.in_reply_to.clone()),
            references: written
                .and_then(|draft| draft.in_reply_to.clone())
                .into_iter()
                .collect(),
            calendar: None,
            forward_of: written.and_then(|draft| draft.forward_of.clone()),
            received_by: Vec::new(),
            draft,
            warnings: Vec::new(),
            send_at: send_at(args.send_at.as_ref(), cx)?,
        };
        prepare(letter, cx).await
    }

    fn settle(&self, change: Change, answer: Answer, _: &Call, _: &Cx) -> (Change, Answer) {
        unheld(change, answer)
    }
}

async fn people(
    given: Option<&People>,
    (drafted, foreign): (Option<&Vec<adjutant_domain::record::Address>>, bool),
    pointer: &str,
    cx: &Cx,
) -> Result<Vec<Resolved>, Stop> {
    match (given, drafted) {
        (Some(people), _) => resolve(people, pointer, cx).await,
        (None, Some(list)) => from_draft(list, foreign, cx).await,
        (None, None) => Ok(Vec::new()),
    }
}

/// Returns the draft that an argument names; `None` without the argument.
pub(super) async fn drafted(id: Option<&Ids>, cx: &Cx) -> Result<Option<OutboxItem>, Stop> {
    match id {
        Some(id) => draft_row(id, cx).await.map(Some),
        None => Ok(None),
    }
}

/// Returns the one draft that fits; asks if several do.
async fn found(filter: &MailFilter, cx: &Cx) -> Result<OutboxItem, Stop> {
    let filter = MailFilter {
        folder: Some(Place::Drafts),
        ..filter.clone()
    };
    let found = target_one(None, Some(&filter), cx).await;
    match found.map_err(|stop| match stop {
        Stop::Ask(question) if question.slot == "/id" => Stop::Ask(Question {
            slot: "/draft".into(),
            ..question
        }),
        stop => stop,
    })? {
        MailRow::Out(item) if item.state == OutboxState::Draft => Ok(*item),
        _ => Err(not_found("There is no such draft.")),
    }
}

/// Returns the draft that an argument names; fails unless it is one existing draft.
async fn draft_row(id: &Ids, cx: &Cx) -> Result<OutboxItem, Stop> {
    let [id] = id.as_slice() else {
        return Err(bad("One draft at a time."));
    };
    match MailRow::load(id, cx).await? {
        Some(MailRow::Out(item)) if item.state == OutboxState::Draft => Ok(*item),
        Some(MailRow::Out(item)) => Err(bad(format!(
            "{} is no longer a draft.",
            crate::words::quoted(&item.subject)
        ))),
        _ => Err(not_found("That draft is no longer there.")),
    }
}

/// Reads files from the opened folders to attach.
pub(super) async fn attached(paths: Option<&[String]>, cx: &Cx) -> Result<Vec<MimePart>, Stop> {
    let mut parts = Vec::new();
    for path in paths.unwrap_or_default() {
        let file = crate::file::for_mail(path, super::mime::FILES_BYTES_MAX, cx).await?;
        parts.push(MimePart {
            name: file.name,
            media_type: "application/octet-stream".into(),
            bytes: file.bytes,
        });
        // Checked after each file, so that no more is read than fits.
        check_size(&parts)?;
    }
    Ok(parts)
}
