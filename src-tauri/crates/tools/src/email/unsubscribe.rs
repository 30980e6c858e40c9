//! `email.unsubscribe`

use adjutant_domain::change::Change;
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
use super::find::MailFilter;
use super::list::{Leaving, leaving};
use super::{MailRow, found_in};
use crate::address::Resolved;
use crate::effect::{CardDraft, FactDraft, Prepared, failed};
use crate::registry::{Acting, spec};
use crate::select::{AsTarget as _, Ids, Row as _, bad, not_found, target_one};
use crate::words;

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
        let row = target_one(args.id.as_ref(), args.target.as_ref(), cx).await?;
        let MailRow::Mail(mail) = row else {
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
            Some(Leaving::Page(url)) => Err(bad(format!(
                "This list can only be left on a page of {}. The link is in the mail.",
                url.host_str().unwrap_or_default()
            ))),
            None => Err(not_found(format!(
                "{} does not say how to leave its list.",
                words::quoted(&mail.subject)
            ))),
        }
    }

    fn settle(&self, change: Change, answer: Answer, _: &Call, _: &Cx) -> (Change, Answer) {
        unheld(change, answer)
    }
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
