//! `email.reply`

use adjutant_domain::change::Change;
use adjutant_domain::gate::{Call, Risk};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Address, Folder, Mail};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::compose::{
    Letter, ask_body, own_subject, prepare, send_at, sending, to_words, unheld, without,
};
use super::find::{MailFilter, bare};
use super::mime::one_line;
use super::send::{attached, drafted};
use super::{MailRow, found_in};
use crate::address::{Resolved, is_address, is_own, origin_of, resolve};
use crate::effect::Prepared;
use crate::registry::{Acting, spec};
use crate::select::{Ids, People, bad, target_one};
use crate::words;

/// Maximum Message-IDs in the References header.
const REFERENCES_MAX: usize = 20;

/// The tool `email.reply`: answers a mail.
pub(super) struct Reply;

/// Arguments of `email.reply`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The mail that is answered.
    id: Option<Ids>,
    /// Or: which mail, by description.
    target: Option<MailFilter>,
    /// The text, word for word; asked for when missing.
    body: Option<String>,
    /// To everybody who got the mail, not only its sender.
    all: Option<bool>,
    /// Further carbon copies.
    cc: Option<People>,
    /// Blind copies.
    bcc: Option<People>,
    /// Another subject.
    subject: Option<String>,
    /// Files to attach, from the allowed folders.
    attach: Option<Vec<String>>,
    /// When it leaves, after approval; at once when left out.
    send_at: Option<Moment>,
    /// The draft that this becomes.
    draft: Option<Ids>,
}

#[async_trait]
impl Acting for Reply {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        sending(spec(
            "email.reply",
            Domain::Email,
            Risk::ReachesPeople,
            "Answers a mail, after approval.",
            &[
                "reply to",
                "answer the email",
                "respond to the mail",
                "write back to",
                "reply all",
                "get back to … about",
                "answer that",
            ],
        ))
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let row = target_one(args.id.as_ref(), args.target.as_ref(), cx).await?;
        let MailRow::Mail(mail) = row else {
            return Err(bad("A mail that has not been sent cannot be answered."));
        };
        let body = args
            .body
            .clone()
            .filter(|body| !body.trim().is_empty())
            .ok_or_else(ask_body)?;
        let (to, mut cc) = recipients(&mail, args.all == Some(true), cx).await?;
        if let Some(people) = &args.cc {
            cc.extend(resolve(people, "/cc", cx).await?);
        }
        let mut bcc = match &args.bcc {
            Some(people) => resolve(people, "/bcc", cx).await?,
            None => Vec::new(),
        };
        without(&mut cc, &[&to]);
        without(&mut bcc, &[&to, &cc]);
        let given = own_subject(args.subject.as_deref());
        let draft = drafted(args.draft.as_ref(), cx).await?;
        let letter = Letter {
            title: format!("Reply to {}", to_words(&[&to, &cc, &bcc])),
            verb: "Send",
            subject_from: given.is_some().then_some("/subject"),
            subject: given.unwrap_or_else(|| reply_subject(&mail)),
            warnings: warnings(&mail),
            send_at: send_at(args.send_at.as_ref(), cx)?,
            to,
            cc,
            bcc,
            body,
            parts: attached(args.attach.as_deref(), cx).await?,
            in_reply_to: Some(mail.message_id.clone()),
            references: references(&mail),
            calendar: None,
            forward_of: None,
            received_by: [mail.to.clone(), mail.cc.clone()].concat(),
            draft,
        };
        prepare(letter, cx).await
    }

    fn settle(&self, change: Change, answer: Answer, _: &Call, _: &Cx) -> (Change, Answer) {
        unheld(change, answer)
    }
}

/// Returns the subject with `Re:` before it, once.
pub(super) fn reply_subject(mail: &Mail) -> String {
    format!("Re: {}", one_line(bare(&mail.subject)))
}

/// Returns the Message-IDs for the References header of an answer.
pub(super) fn references(mail: &Mail) -> Vec<String> {
    let mut list = mail.references.clone();
    list.retain(|id| *id != mail.message_id);
    list.push(mail.message_id.clone());
    let cut = list.len().saturating_sub(REFERENCES_MAX);
    list.split_off(cut)
}

/// Returns the recipients and carbon copies of an answer: the Reply-To addresses or else the sender; for a mail the
/// person sent, its recipients.
pub(super) async fn recipients(
    mail: &Mail,
    all: bool,
    cx: &Cx,
) -> Result<(Vec<Resolved>, Vec<Resolved>), Stop> {
    // The folder decides, not the sender: anybody can forge the person's address.
    let own_mail = mail.folder == Folder::Sent;
    let to: Vec<&Address> = if own_mail {
        mail.to.iter().collect()
    } else if mail.reply_to.is_empty() {
        vec![&mail.from]
    } else {
        mail.reply_to.iter().collect()
    };
    let cc: Vec<&Address> = if !all {
        Vec::new()
    } else if own_mail {
        mail.cc.iter().collect()
    } else {
        mail.to.iter().chain(&mail.cc).collect()
    };
    let to = looked_up(to, mail, cx).await?;
    let mut cc = looked_up(cc, mail, cx).await?;
    cc.retain(|one| !is_own(&one.address.email, cx));
    without(&mut cc, &[&to]);
    if to.is_empty() {
        return Err(bad(format!(
            "{} has no address to reply to.",
            words::quoted(&mail.subject)
        )));
    }
    Ok((to, cc))
}

async fn looked_up(list: Vec<&Address>, mail: &Mail, cx: &Cx) -> Result<Vec<Resolved>, Stop> {
    let mut out: Vec<Resolved> = Vec::with_capacity(list.len());
    for address in list {
        if !is_address(&address.email)
            || out
                .iter()
                .any(|one| one.address.email.eq_ignore_ascii_case(&address.email))
        {
            continue;
        }
        out.push(Resolved {
            address: address.clone(),
            pointer: "/target".into(),
            source: Some(origin_of(&address.email, &found_in(mail, cx), cx).await?),
        });
    }
    Ok(out)
}

/// Warns if an answer goes to anybody but the sender, a common trick.
fn warnings(mail: &Mail) -> Vec<String> {
    let elsewhere: Vec<String> = mail
        .reply_to
        .iter()
        .filter(|who| !who.email.eq_ignore_ascii_case(&mail.from.email))
        .map(|who| who.email.clone())
        .collect();
    if elsewhere.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "The answer goes to {}, not to the sender {}.",
        words::join(&elsewhere),
        mail.from.email
    )]
}
