//! `email.unsubscribe`

use std::cmp::Reverse;
use std::collections::BTreeSet;

use adjutant_domain::change::Change;
use adjutant_domain::faults::{ToolFault, UserFault};
use adjutant_domain::gate::{Assessment, Call, NoteKind, Risk};
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{LeaveList, Operation, RemoteOp};
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Address, Mail};
use adjutant_domain::route::Domain;
use adjutant_domain::source::{Source, Taint};
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use url::Url;

use super::compose::{Letter, prepare, unheld};
use super::filing::what;
use super::find::MailFilter;
use super::list::{Leaving, leaving, list_id};
use super::{MailRow, found_in};
use crate::address::Resolved;
use crate::effect::{CardDraft, FactDraft, Prepared, failed};
use crate::registry::{Acting, spec};
use crate::select::{
    AsTarget as _, Filter as _, Ids, Pick, Row as _, ask_which, bad, prefer, target_one,
};
use crate::words;

/// Maximum mails whose headers are read to tell lists apart, newest first.
const MAILS_READ_MAX: usize = 50;

/// The tool `email.unsubscribe`: leaves the list a mail came from.
pub(super) struct Unsubscribe;

/// Arguments of `email.unsubscribe`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// A mail that came by the list.
    id: Option<Ids>,
    /// Or: which mail, by description.
    target: Option<MailFilter>,
}

#[async_trait]
impl Acting for Unsubscribe {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "email.unsubscribe",
            Domain::Email,
            Risk::ReachesPeople,
            "Leaves the mailing list a mail came by, after approval: by one request or a mail, as its head says; never by opening a page.",
            &[
                "unsubscribe from",
                "unsubscribe from this newsletter",
                "leave the mailing list",
                "take me off the mailing list",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let MailRow::Mail(mail) = meant(args, cx).await? else {
            return Err(bad(
                "A mail that has not been sent came from no mailing list.",
            ));
        };
        let source = cx.records.mail_source(&mail.id).await.map_err(failed)?;
        match source.as_deref().and_then(leaving) {
            Some(Leaving::Request(url)) => Ok(by_request(&mail, &url, cx)),
            Some(Leaving::Mail { to, subject, body }) => {
                prepare(by_mail(&mail, to, subject, body, cx), cx).await
            }
            Some(Leaving::Page(url)) => Err(by_hand(
                format!(
                    "The list of {} can only be left on a page of {}.",
                    words::who(&mail.from.name, &mail.from.email),
                    url.host_str().unwrap_or_default()
                ),
                format!(
                    "Open the mail {} and follow the link in it.",
                    words::quoted(&mail.subject)
                ),
            )),
            None => Err(by_hand(
                format!(
                    "{} does not say how to leave its list.",
                    what(std::slice::from_ref(&*mail))
                ),
                "Open the mail and look for a link at its end, or name another mail of that list."
                    .to_owned(),
            )),
        }
    }

    fn settle(&self, change: Change, answer: Answer, _: &Call, _: &Cx) -> (Change, Answer) {
        unheld(change, answer)
    }
}

/// Returns the mail whose list is to be left. All mails of one list are one choice, for which its newest mail stands.
async fn meant(args: &Args, cx: &Cx) -> Result<MailRow, Stop> {
    let expects_one = |target: &&MailFilter| {
        matches!(target.pick, None | Some(Pick::One)) && target.limit.is_none()
    };
    let described = args.target.as_ref().filter(expects_one);
    if let (None, Some(target)) = (&args.id, described) {
        let found = target.find(true, None, cx).await?.rows;
        let mut lists = lists(found, cx).await?;
        if lists.len() > 1 {
            return Err(ask_which(&lists, lists.len(), "/id", cx));
        }
        if let Some(newest) = lists.pop() {
            return Ok(newest);
        }
    }
    target_one(args.id.as_ref(), args.target.as_ref(), cx).await
}

/// Returns the newest mail of each list, newest first. Where some mails say how to leave, the others are no choice.
async fn lists(rows: Vec<MailRow>, cx: &Cx) -> Result<Vec<MailRow>, Stop> {
    let mut mails: Vec<Mail> = rows
        .into_iter()
        .filter_map(|row| match row {
            MailRow::Mail(mail) => Some(*mail),
            MailRow::Out(_) => None,
        })
        .collect();
    mails.sort_by_key(|mail| Reverse(mail.date));
    mails.truncate(MAILS_READ_MAX);
    let mut read = Vec::with_capacity(mails.len());
    for mail in mails {
        let source = cx.records.mail_source(&mail.id).await.map_err(failed)?;
        let source = source.unwrap_or_default();
        // A list without an identifier is known by who writes.
        let list = list_id(&source).unwrap_or_else(|| mail.from.email.to_lowercase());
        read.push((list, leaving(&source).is_some(), mail));
    }
    let mut seen = BTreeSet::new();
    let newest = prefer(read, |(_, can_be_left, _)| *can_be_left)
        .into_iter()
        .filter(|(list, ..)| seen.insert(list.clone()));
    Ok(newest.map(|(.., mail)| MailRow::from(mail)).collect())
}

/// Says that a list can only be left by the person, and how.
fn by_hand(what: String, hint: String) -> Stop {
    let why = UserFault::new("leave_by_hand", what, hint);
    ToolFault::Refused { why }.into()
}

/// Prepares the one request that the mail's headers offer.
fn by_request(mail: &Mail, url: &Url, cx: &Cx) -> Prepared {
    let host = url.host_str().unwrap_or_default().to_owned();
    let who = words::who(&mail.from.name, &mail.from.email);
    let found = Source::Untrusted {
        origin: found_in(mail, cx),
    };
    let mut sketch = CardDraft::new(
        format!("Unsubscribe from {who}"),
        "Unsubscribe",
        "Cannot be undone here; the list may let you in again.",
    );
    sketch.facts = vec![
        FactDraft::with(
            "List",
            words::person(&mail.from.name, &mail.from.email),
            Some(found.clone()),
        ),
        FactDraft::with("One request goes to", &host, Some(found.clone())),
        FactDraft::with("Address", url.as_str(), Some(found.clone())),
    ];
    sketch.note(
        NoteKind::Untrusted,
        "The address comes from the mail. No page is opened, but whoever owns the address learns that you read the mail.",
    );
    let row = MailRow::Mail(Box::new(mail.clone()));
    Prepared {
        targets: vec![row.target()],
        answer: Answer {
            output: json!({"count": 1, "ids": [mail.id], "host": host}),
            say: format!("Unsubscribed from {who}: {host} has confirmed it."),
            referents: row.referent().into_iter().collect(),
            taint: Taint::Tainted,
            used_memories: Vec::new(),
        },
        operations: vec![Operation::Remote {
            account: AccountId::local(),
            op: Box::new(RemoteOp::LeaveList(LeaveList {
                url: url.to_string(),
                host,
            })),
            about: format!("of {who}"),
            then: Change::default(),
        }],
        assessment: Assessment {
            risk: Risk::ReachesPeople,
            ask: None,
            count: 1,
            reaching: Vec::new(),
            looked_up: vec![found],
            ..Assessment::read()
        },
        sketch,
    }
}

/// Returns the mail that the mail's headers ask for.
fn by_mail(mail: &Mail, to: String, subject: String, body: String, cx: &Cx) -> Letter {
    Letter {
        title: format!(
            "Unsubscribe from {} by mail",
            words::who(&mail.from.name, &mail.from.email)
        ),
        verb: "Send",
        to: vec![Resolved {
            address: Address {
                name: String::new(),
                email: to,
            },
            pointer: "/target".into(),
            source: Some(Source::Untrusted {
                origin: found_in(mail, cx),
            }),
        }],
        subject,
        body,
        received_by: [mail.to.clone(), mail.cc.clone()].concat(),
        ..Letter::default()
    }
}
