//! Mail: stored mail, drafts and outgoing mail. Nothing leaves from here: an approved mail is stored word for word and
//! leaves once an account is connected.

mod amounts;
mod answer_mail;
mod archive;
mod at_provider;
mod attachment;
mod compose;
mod delete;
mod draft;
mod filing;
mod find;
mod forward;
mod label;
mod list;
mod mark;
mod mime;
mod read;
mod reply;
mod rows;
mod search;
mod send;
mod signature;
mod sorts;
mod thread;
mod unsubscribe;

#[cfg(test)]
pub(crate) mod contract;

use adjutant_domain::focus::Referent;
use adjutant_domain::gate::Item;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Address, Folder, Kind, Mail, OutboxItem, OutboxState, Record};
use adjutant_domain::tool::{AnyTool, Target};
use adjutant_text::fold_line;
use async_trait::async_trait;
use serde_json::{Value, json};
use std::sync::Arc;

pub(crate) use answer_mail::{AnswerMail, answer_mail};
pub use attachment::SavedFiles;
pub use find::MailFilter;
pub use list::{Leaving, leaving};
pub use thread::thread_of;

use crate::providers::MailSearch;
use crate::registry::{Acts, Reads, any};
use crate::select::{AsTarget, Row, Said, record};
use crate::words;

/// Returns the tools of this family. `accounts` searches at the providers.
pub fn tools(accounts: Arc<dyn MailSearch>) -> Vec<Arc<dyn AnyTool>> {
    vec![
        any(Reads(search::Search)),
        any(at_provider::SearchProvider(accounts)),
        any(Reads(read::Read)),
        any(Acts(draft::Draft)),
        any(Acts(send::Send)),
        any(Acts(reply::Reply)),
        any(Acts(forward::Forward)),
        any(Acts(archive::Archive)),
        any(Acts(label::Label)),
        any(Acts(mark::Mark)),
        any(Acts(delete::Delete)),
        any(Acts(attachment::Attachment)),
        any(Acts(unsubscribe::Unsubscribe)),
    ]
}

/// A stored mail, or an outgoing one.
#[derive(Clone, Debug, PartialEq)]
pub enum MailRow {
    /// A received or sent mail.
    Mail(Box<Mail>),
    /// A draft or a mail in the outbox.
    Out(Box<OutboxItem>),
}

impl From<Mail> for MailRow {
    fn from(mail: Mail) -> Self {
        Self::Mail(Box::new(mail))
    }
}

impl From<OutboxItem> for MailRow {
    fn from(item: OutboxItem) -> Self {
        Self::Out(Box::new(item))
    }
}

impl MailRow {
    fn subject(&self) -> &str {
        match self {
            Self::Mail(mail) => &mail.subject,
            Self::Out(item) => &item.subject,
        }
    }
}

impl AsTarget for MailRow {
    fn target(&self) -> Target {
        let (kind, id, version) = match self {
            Self::Mail(mail) => (Kind::Mail, &mail.id, mail.version),
            Self::Out(item) => (Kind::Outbox, &item.id, item.version),
        };
        Target {
            kind,
            id: id.clone(),
            version,
            label: self.subject().to_owned(),
        }
    }
}

#[async_trait]
impl Row for MailRow {
    const NOUN: &'static str = "mail";

    fn ref_id(&self) -> String {
        match self {
            Self::Mail(mail) => mail.id.0.clone(),
            Self::Out(item) => item.id.0.clone(),
        }
    }

    fn referent(&self) -> Option<Referent> {
        let people: Vec<&Address> = match self {
            Self::Mail(mail) => std::iter::once(&mail.from).chain(&mail.to).collect(),
            Self::Out(item) => item.to.iter().collect(),
        };
        Some(Referent {
            people: people
                .into_iter()
                .map(|who| (who.name.clone(), who.email.clone()))
                .collect(),
            ..self.referred()
        })
    }

    fn said(&self) -> Said {
        let (from, people, more) = match self {
            Self::Mail(mail) => (Some(&mail.from), &mail.to, &mail.text),
            Self::Out(item) => (None, &item.to, &item.body),
        };
        let people = from.into_iter().chain(people);
        let names = people.flat_map(|who| [who.name.as_str(), who.email.as_str()]);
        Said {
            title: std::iter::once(self.subject())
                .chain(names)
                .collect::<Vec<_>>()
                .join(" "),
            more: more.clone(),
            series: fold_line(find::bare(self.subject())),
            author: from.map(|who| fold_line(&who.email)).unwrap_or_default(),
        }
    }

    fn value(&self, cx: &Cx) -> Value {
        match self {
            Self::Mail(mail) => json!({
                "id": mail.id, "message_id": mail.message_id, "folder": mail.folder, "from": mail.from,
                "to": mail.to, "cc": mail.cc, "subject": mail.subject,
                "date": mail.date.to_zoned(cx.zone()).to_string(), "unread": !mail.read,
                "starred": mail.starred, "labels": mail.labels, "attachments": mail.attachments,
                "size": mail.size, "state": null,
            }),
            Self::Out(item) => json!({
                "id": item.id, "message_id": item.message_id, "folder": out_folder(item.state),
                "from": own(cx), "to": item.to, "cc": item.cc, "bcc": item.bcc, "subject": item.subject,
                "date": item.updated.to_zoned(cx.zone()).to_string(), "unread": false, "starred": false,
                "labels": [], "attachments": [], "size": item.body.len(), "state": item.state,
            }),
        }
    }

    fn line(&self, cx: &Cx) -> String {
        match self {
            Self::Mail(mail) => {
                let who = if mail.folder == Folder::Sent {
                    format!("to {}", names(&mail.to))
                } else {
                    words::who(&mail.from.name, &mail.from.email)
                };
                let mut line = format!(
                    "{who}: {} · {}",
                    subject_words(&mail.subject),
                    words::instant(mail.date, cx)
                );
                if !mail.read {
                    line.push_str(" · unread");
                }
                if !mail.attachments.is_empty() {
                    line.push_str(&format!(
                        " · {}",
                        words::plural(mail.attachments.len(), "attachment")
                    ));
                }
                line
            }
            Self::Out(item) => format!(
                "{} to {}: {} · {}",
                state_word(item.state),
                names(&item.to),
                subject_words(&item.subject),
                words::instant(item.updated, cx)
            ),
        }
    }

    fn item(&self, cx: &Cx) -> Item {
        let detail = match self {
            // For mail the person sent, the recipients: the person's own address in every line would distinguish
            // nothing.
            Self::Mail(mail) if mail.folder == Folder::Sent => format!(
                "to {} · {} · {}",
                addresses(&mail.to),
                words::instant(mail.date, cx),
                mail.folder.as_str()
            ),
            Self::Mail(mail) => format!(
                "from {} · {} · {}",
                words::person(&mail.from.name, &mail.from.email),
                words::instant(mail.date, cx),
                mail.folder.as_str()
            ),
            Self::Out(item) => format!(
                "{} to {} · {}",
                state_word(item.state).to_lowercase(),
                addresses(&item.to),
                words::instant(item.updated, cx)
            ),
        };
        Item {
            id: self.ref_id(),
            label: match self.subject() {
                "" => "(no subject)".into(),
                subject => subject.to_owned(),
            },
            detail: Some(detail),
            ..Item::default()
        }
    }

    async fn load(id: &str, cx: &Cx) -> Result<Option<Self>, Stop> {
        if let Some(Record::Mail(mail)) = record(Kind::Mail, id, cx).await? {
            return Ok(Some(mail.into()));
        }
        Ok(match record(Kind::Outbox, id, cx).await? {
            Some(Record::Outbox(item)) => Some(item.into()),
            _ => None,
        })
    }
}

/// Returns the usual sender, the person's first address; `None` if they have none.
fn own(cx: &Cx) -> Option<Address> {
    let owner = &cx.settings.owner;
    owner.emails.first().map(|email| Address {
        name: owner.name.clone(),
        email: email.clone(),
    })
}

fn out_folder(state: OutboxState) -> &'static str {
    match state {
        OutboxState::Draft => "drafts",
        _ => "outbox",
    }
}

fn state_word(state: OutboxState) -> &'static str {
    match state {
        OutboxState::Draft => "Draft",
        OutboxState::Held => "Held mail",
        OutboxState::Queued => "Waiting mail",
        OutboxState::Sent => "Sent mail",
        OutboxState::Failed => "Refused mail",
        OutboxState::Unknown => "Mail that may have been sent",
    }
}

fn subject_words(subject: &str) -> String {
    match words::inline(subject) {
        empty if empty.is_empty() => "(no subject)".into(),
        subject => subject,
    }
}

/// Returns the names for use in a sentence.
fn names(list: &[Address]) -> String {
    if list.is_empty() {
        return "nobody".into();
    }
    let names: Vec<String> = list
        .iter()
        .map(|who| words::who(&who.name, &who.email))
        .collect();
    words::join_some(&names, 3)
}

/// Returns all names with addresses.
fn addresses(list: &[Address]) -> String {
    if list.is_empty() {
        return "nobody".into();
    }
    let all: Vec<String> = list
        .iter()
        .map(|who| words::person(&who.name, &who.email))
        .collect();
    words::join(&all)
}

/// Returns where a value of a mail was found, for cards.
pub(crate) fn found_in(mail: &Mail, cx: &Cx) -> String {
    format!(
        "mail from {}, {}",
        mail.from.email,
        words::short_date(mail.date.to_zoned(cx.zone()).date(), cx)
    )
}
