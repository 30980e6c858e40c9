//! `email.draft`

use adjutant_domain::change::Change;
use adjutant_domain::gate::{Assessment, Risk};
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Address, Kind, Mail, OutboxItem, OutboxState, Record};
use adjutant_domain::route::Domain;
use adjutant_domain::source::Taint;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::compose::{answer, forwarded, plain};
use super::find::bare;
use super::forward::forward_subject;
use super::mime::one_line;
use super::reply::{recipients, reply_subject};
use super::send::drafted;
use super::{MailRow, addresses, names};
use crate::address::{origin_of, resolve};
use crate::effect::{CardDraft, FactDraft, Prepared, local};
use crate::registry::{Acting, spec};
use crate::select::{AsTarget, Ids, People, Row, bad, not_found};
use crate::words;

/// Name of the tool that keeps the text of a mail.
pub(super) const NAME: &str = "email.draft";

/// The tool `email.draft`: writes a draft.
pub(super) struct Draft;

/// Arguments of `email.draft`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Recipients.
    to: Option<People>,
    /// Carbon copies.
    cc: Option<People>,
    /// Blind copies.
    bcc: Option<People>,
    /// Subject.
    subject: Option<String>,
    /// The text, word for word.
    body: Option<String>,
    /// A mail that is answered: its id, or its Message-ID.
    in_reply_to: Option<Ids>,
    /// To everybody who got that mail.
    reply_all: Option<bool>,
    /// A mail that is passed on: its id, or its Message-ID when the text holds it already.
    forward_of: Option<Ids>,
    /// A draft to replace.
    draft: Option<Ids>,
}

#[async_trait]
impl Acting for Draft {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            NAME,
            Domain::Email,
            Risk::LocalReversible,
            "Writes a mail without sending it.",
            &[
                "draft an email",
                "write a draft",
                "prepare a mail",
                "compose an email but don’t send it",
                "draft a reply",
                "change the draft",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let old = drafted(args.draft.as_ref(), cx).await?;
        let item = item(args, old.as_ref(), cx).await?;
        if item.body.trim().is_empty() && item.subject.is_empty() && item.to.is_empty() {
            return Err(bad("A draft needs a recipient, a subject or some text."));
        }
        let mut sketch = CardDraft::new(
            "Save a draft",
            "Save",
            "Can be undone: it is removed again.",
        );
        sketch
            .facts
            .push(FactDraft::from_arg("To", addresses(&item.to), "/to"));
        sketch
            .facts
            .push(FactDraft::from_arg("Cc", addresses(&item.cc), "/cc"));
        sketch
            .facts
            .push(FactDraft::from_arg("Bcc", addresses(&item.bcc), "/bcc"));
        sketch
            .facts
            .push(FactDraft::from_arg("Subject", &item.subject, "/subject"));
        sketch.body = Some(item.body.clone());
        let what = if item.subject.is_empty() {
            "Draft saved".to_owned()
        } else {
            format!("Draft {} saved", words::quoted(&item.subject))
        };
        let said = if item.to.is_empty() {
            format!("{what}, without a recipient yet. Nothing was sent.")
        } else {
            format!("{what}, to {}. Nothing was sent.", names(&item.to))
        };
        let record = Record::Outbox(item.clone());
        let mut answer = answer(&item, said, cx);
        if names_somebody_found(&item, args, cx).await? {
            answer.taint = Taint::Tainted;
        }
        Ok(Prepared {
            targets: old
                .iter()
                .map(|old| MailRow::Out(Box::new(old.clone())).target())
                .collect(),
            operations: local(match old {
                Some(_) => Change::replace(record),
                None => Change::add(record),
            }),
            answer,
            assessment: Assessment::reversible(),
            sketch,
        })
    }
}

/// Returns whether an address of the draft came from foreign text: the call does not contain it, and the address book
/// lacks it.
async fn names_somebody_found(item: &OutboxItem, args: &Args, cx: &Cx) -> Result<bool, Stop> {
    let said = serde_json::to_string(args)
        .unwrap_or_default()
        .to_lowercase();
    for who in item.to.iter().chain(&item.cc).chain(&item.bcc) {
        if !said.contains(&who.email.to_lowercase())
            && origin_of(&who.email, "mail", cx).await?.is_untrusted()
        {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn item(args: &Args, old: Option<&OutboxItem>, cx: &Cx) -> Result<OutboxItem, Stop> {
    let reply = original(args.in_reply_to.as_ref(), cx).await?;
    let forward = original(args.forward_of.as_ref(), cx).await?;
    let lists = async |given: &Option<People>, pointer: &str, old: Option<&Vec<Address>>| match (
        given, old,
    ) {
        (Some(people), _) => resolve(people, pointer, cx).await.map(|list| plain(&list)),
        (None, old) => Ok(old.cloned().unwrap_or_default()),
    };
    // The recipients of an answer follow from the mail whenever the call names it.
    let people = old.filter(|_| !matches!(reply, Some(Original::Mail(_))));
    let mut to = lists(&args.to, "/to", people.map(|old| &old.to)).await?;
    let mut cc = lists(&args.cc, "/cc", people.map(|old| &old.cc)).await?;
    let bcc = lists(&args.bcc, "/bcc", people.map(|old| &old.bcc)).await?;
    if let Some(Original::Mail(mail)) = &reply
        && to.is_empty()
    {
        let (reply_to, reply_cc) = recipients(mail, args.reply_all == Some(true), cx).await?;
        to = plain(&reply_to);
        cc.extend(plain(&reply_cc));
    }
    let body = match (&args.body, old) {
        (Some(body), _) => body.clone(),
        (None, Some(old)) => old.body.clone(),
        (None, None) => String::new(),
    };
    let body = match &forward {
        Some(Original::Mail(mail)) => forwarded(mail, &body, cx),
        _ => body,
    };
    let subject = match (&args.subject, old, &reply, &forward) {
        (Some(subject), ..) => one_line(subject),
        (None, Some(old), ..) if !bare(&old.subject).is_empty() => old.subject.clone(),
        (None, _, Some(Original::Mail(mail)), _) => reply_subject(mail),
        (None, _, _, Some(Original::Mail(mail))) => forward_subject(mail),
        _ => String::new(),
    };
    let now = cx.now.timestamp();
    let link = |given: Option<Original>, old: Option<String>| match given {
        Some(Original::Mail(mail)) => Some(mail.message_id.clone()),
        Some(Original::MessageId(id)) => Some(id),
        None => old,
    };
    Ok(OutboxItem {
        id: old.map_or_else(|| cx.new_id(Kind::Outbox), |old| old.id.clone()),
        message_id: String::new(),
        to,
        cc,
        bcc,
        subject,
        body,
        in_reply_to: link(reply, old.and_then(|old| old.in_reply_to.clone())),
        forward_of: link(forward, old.and_then(|old| old.forward_of.clone())),
        state: OutboxState::Draft,
        mime: None,
        not_before: None,
        created: old.map_or(now, |old| old.created),
        updated: now,
        version: old.map_or(0, |old| old.version),
    })
}

/// The mail that a draft answers or forwards.
enum Original {
    Mail(Box<Mail>),
    MessageId(String),
}

async fn original(id: Option<&Ids>, cx: &Cx) -> Result<Option<Original>, Stop> {
    let Some(id) = id else {
        return Ok(None);
    };
    let [id] = id.as_slice() else {
        return Err(bad("One mail at a time."));
    };
    match MailRow::load(id, cx).await? {
        Some(MailRow::Mail(mail)) => Ok(Some(Original::Mail(mail))),
        Some(MailRow::Out(_)) => Err(bad("A mail that has not been sent cannot be answered.")),
        None if id.contains('@') => Ok(Some(Original::MessageId(
            id.trim_matches(['<', '>']).to_owned(),
        ))),
        None => Err(not_found("That mail is no longer there.")),
    }
}
