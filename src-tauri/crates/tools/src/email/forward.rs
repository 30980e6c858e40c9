//! `email.forward`

use adjutant_domain::change::Change;
use adjutant_domain::gate::{Call, Risk};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::Mail;
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::MailRow;
use super::compose::{
    Letter, ask_to, forwarded, own_subject, prepare, send_at, sending, to_words, unheld, without,
};
use super::find::{MailFilter, bare};
use super::mime::{one_line, parts_of};
use super::send::{attached, drafted};
use crate::address::resolve;
use crate::effect::Prepared;
use crate::registry::{Acting, spec};
use crate::select::{Ids, People, bad, target_one};

/// The tool `email.forward`: forwards a mail.
pub(super) struct Forward;

/// Arguments of `email.forward`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The mail that is passed on.
    id: Option<Ids>,
    /// Or: which mail, by description.
    target: Option<MailFilter>,
    /// Recipients; asked for when missing.
    to: Option<People>,
    /// Carbon copies.
    cc: Option<People>,
    /// Blind copies.
    bcc: Option<People>,
    /// Words before the forwarded mail.
    note: Option<String>,
    /// Another subject.
    subject: Option<String>,
    /// Further files to attach, from the allowed folders.
    attach: Option<Vec<String>>,
    /// When it leaves, after approval; at once when left out.
    send_at: Option<Moment>,
    /// The draft that this becomes.
    draft: Option<Ids>,
}

#[async_trait]
impl Acting for Forward {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        sending(spec(
            "email.forward",
            Domain::Email,
            Risk::ReachesPeople,
            "Passes a mail on to others with its attachments, after approval.",
            &[
                "forward the email to",
                "pass the mail on to",
                "send … the email from",
                "share that mail with",
                "fwd",
            ],
        ))
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let row = target_one(args.id.as_ref(), args.target.as_ref(), cx).await?;
        let MailRow::Mail(mail) = row else {
            return Err(bad("A mail that has not been sent cannot be passed on."));
        };
        let people = async |given: &Option<People>, pointer: &str| match given {
            Some(people) => resolve(people, pointer, cx).await,
            None => Ok(Vec::new()),
        };
        let to = people(&args.to, "/to").await?;
        let mut cc = people(&args.cc, "/cc").await?;
        let mut bcc = people(&args.bcc, "/bcc").await?;
        without(&mut cc, &[&to]);
        without(&mut bcc, &[&to, &cc]);
        if to.is_empty() && cc.is_empty() && bcc.is_empty() {
            return Err(ask_to());
        }
        let given = own_subject(args.subject.as_deref());
        let mut parts = parts_of(&mail, cx).await?;
        parts.extend(attached(args.attach.as_deref(), cx).await?);
        let draft = drafted(args.draft.as_ref(), cx).await?;
        let letter = Letter {
            title: format!("Forward a mail to {}", to_words(&[&to, &cc, &bcc])),
            verb: "Forward",
            subject_from: given.is_some().then_some("/subject"),
            subject: given.unwrap_or_else(|| forward_subject(&mail)),
            to,
            cc,
            bcc,
            body: forwarded(&mail, args.note.as_deref().unwrap_or_default(), cx),
            parts,
            in_reply_to: None,
            references: vec![mail.message_id.clone()],
            calendar: None,
            forward_of: Some(mail.message_id.clone()),
            received_by: [mail.to.clone(), mail.cc.clone()].concat(),
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

/// Returns the subject with `Fwd:` before it, once.
pub(super) fn forward_subject(mail: &Mail) -> String {
    format!("Fwd: {}", one_line(bare(&mail.subject)))
}
