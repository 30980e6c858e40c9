//! State of the provider in memory, and how it carries out requests.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use adjutant_domain::account::Cursor;
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{
    CalendarOp, CollectionRef, ContactOp, Delivery, Etag, Key, MailOp, MailRef, Participation,
    Receipt, RemoteFault, RemoteId, RemoteOp, TaskOp,
};
use adjutant_domain::ports::{Pulled, PulledWhat, RemoteCollection};
use adjutant_domain::record::{Address, Event, Folder, Mail, Record};
use jiff::Timestamp;

use super::scripted::Trouble;

#[derive(Debug, Default)]
pub(super) struct Inner {
    pub(super) collections: Vec<RemoteCollection>,
    pub(super) items: BTreeMap<(RemoteId, RemoteId), Item>,
    /// Log of changes; a position in it serves as the cursor.
    pub(super) log: Vec<(RemoteId, RemoteId)>,
    /// Increases when the provider forgets the cursors it has issued.
    pub(super) era: u64,
    states: u64,
    pub(super) done: BTreeMap<Key, Receipt>,
    pub(super) carried_out: usize,
    pub(super) sent: Vec<Sent>,
    pub(super) answers: Vec<(String, Participation)>,
    pub(super) refused: BTreeSet<String>,
    pub(super) troubles: VecDeque<Trouble>,
    pub(super) requests: usize,
    pub(super) knows_no_urgency: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) rows: Vec<Record>,
    etag: Etag,
    pub(super) files: Vec<Vec<u8>>,
}

/// A mail that the provider sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Message-ID.
    pub message_id: String,
    /// Recipients that the provider accepted.
    pub accepted: Vec<Address>,
    /// The message source.
    pub mime: String,
}

/// Time of every receipt.
const AT: Timestamp = Timestamp::UNIX_EPOCH;
/// UIDVALIDITY of every mailbox.
const UID_VALIDITY: u32 = 1;

impl Inner {
    pub(super) fn put(
        &mut self,
        collection: &RemoteId,
        remote_id: &RemoteId,
        rows: Vec<Record>,
    ) -> Etag {
        self.states += 1;
        let etag = Etag(format!("\"{}\"", self.states));
        let key = (collection.clone(), remote_id.clone());
        let files = self.items.remove(&key).map(|item| item.files);
        let item = Item {
            rows,
            etag: etag.clone(),
            files: files.unwrap_or_default(),
        };
        self.items.insert(key.clone(), item);
        self.log.push(key);
        etag
    }

    pub(super) fn remove(&mut self, collection: &RemoteId, remote_id: &RemoteId) {
        let key = (collection.clone(), remote_id.clone());
        self.items.remove(&key);
        self.log.push(key);
    }

    pub(super) fn position(&self, cursor: &Cursor) -> Option<usize> {
        let (era, position) = cursor.0.split_once(':')?;
        let position = position.parse().ok()?;
        (era.parse() == Ok(self.era) && position <= self.log.len()).then_some(position)
    }

    /// Returns the items changed in a collection since a position, each once. Deleted items are included only for a
    /// caller that may have them.
    pub(super) fn changed(
        &self,
        collection: &RemoteId,
        from: usize,
        is_whole: bool,
    ) -> Vec<Pulled> {
        let mut named: Vec<&RemoteId> = Vec::new();
        for (place, name) in self.log.iter().skip(from) {
            if place == collection && !named.contains(&name) {
                named.push(name);
            }
        }
        let pulled = named.into_iter().filter_map(|name| {
            let item = self.items.get(&(collection.clone(), name.clone()));
            if item.is_none() && is_whole {
                return None;
            }
            Some(Pulled {
                remote_id: name.clone(),
                what: item.map_or(PulledWhat::Gone, Item::there),
            })
        });
        pulled.collect()
    }

    pub(super) fn seen(&self, at: &CollectionRef, name: &RemoteId) -> Result<&Item, RemoteFault> {
        let key = (at.remote_id.clone(), name.clone());
        self.items.get(&key).ok_or(RemoteFault::Gone)
    }

    /// Returns the item if it is in the state the caller has seen.
    fn unchanged(
        &self,
        at: &CollectionRef,
        name: &RemoteId,
        etag: Option<&Etag>,
    ) -> Result<&Item, RemoteFault> {
        let item = self.seen(at, name)?;
        match etag {
            Some(etag) if *etag != item.etag => Err(RemoteFault::Conflict {
                current: Some(item.etag.clone()),
            }),
            _ => Ok(item),
        }
    }

    pub(super) fn carry_out(
        &mut self,
        op: &RemoteOp,
        account: &AccountId,
    ) -> Result<Receipt, RemoteFault> {
        let mut receipt = match op {
            RemoteOp::Calendar(op) => self.calendar(op)?,
            RemoteOp::Mail(op) => self.mail(op)?,
            RemoteOp::Task(op) => self.task(op)?,
            RemoteOp::Contact(op) => self.contact(op)?,
            RemoteOp::LeaveList(_) | RemoteOp::Tool(_) => {
                return Err(RemoteFault::Refused {
                    what: "no tools".into(),
                });
            }
        };
        if let Receipt::Remote { account: of, .. } = &mut receipt {
            of.clone_from(account);
        }
        self.carried_out += 1;
        Ok(receipt)
    }

    /// Checks the preconditions of a request.
    pub(super) fn check(&self, op: &RemoteOp) -> Result<(), RemoteFault> {
        use CalendarOp as Events;
        match op {
            RemoteOp::Calendar(
                Events::Update {
                    collection,
                    remote_id,
                    etag,
                    ..
                }
                | Events::Delete {
                    collection,
                    remote_id,
                    etag,
                    ..
                }
                | Events::Respond {
                    collection,
                    remote_id,
                    etag,
                    ..
                },
            )
            | RemoteOp::Task(
                TaskOp::Update {
                    collection,
                    remote_id,
                    etag,
                    ..
                }
                | TaskOp::Delete {
                    collection,
                    remote_id,
                    etag,
                },
            )
            | RemoteOp::Contact(
                ContactOp::Update {
                    collection,
                    remote_id,
                    etag,
                    ..
                }
                | ContactOp::Delete {
                    collection,
                    remote_id,
                    etag,
                },
            ) => self
                .unchanged(collection, remote_id, etag.as_ref())
                .map(drop),
            RemoteOp::Mail(
                MailOp::Move { mails, .. } | MailOp::Flag { mails, .. } | MailOp::Delete { mails },
            ) => mails
                .iter()
                .try_for_each(|mail| self.mail_at(mail).map(drop)),
            RemoteOp::Calendar(Events::Create { .. })
            | RemoteOp::Task(TaskOp::Create { .. })
            | RemoteOp::Contact(ContactOp::Create { .. })
            | RemoteOp::Mail(MailOp::Send { .. })
            | RemoteOp::LeaveList(_)
            | RemoteOp::Tool(_) => Ok(()),
        }
    }

    fn create(
        &mut self,
        at: &CollectionRef,
        name: &RemoteId,
        rows: Vec<Record>,
    ) -> Result<Receipt, RemoteFault> {
        if let Ok(item) = self.seen(at, name) {
            return Err(RemoteFault::Conflict {
                current: Some(item.etag.clone()),
            });
        }
        let etag = self.put(&at.remote_id, name, rows);
        Ok(receipt(Some(name), Some(etag)))
    }

    fn replace(
        &mut self,
        at: &CollectionRef,
        name: &RemoteId,
        etag: Option<&Etag>,
        rows: Vec<Record>,
    ) -> Result<Receipt, RemoteFault> {
        self.unchanged(at, name, etag)?;
        let etag = self.put(&at.remote_id, name, rows);
        Ok(receipt(Some(name), Some(etag)))
    }

    fn drop_item(
        &mut self,
        at: &CollectionRef,
        name: &RemoteId,
        etag: Option<&Etag>,
    ) -> Result<Receipt, RemoteFault> {
        self.unchanged(at, name, etag)?;
        self.remove(&at.remote_id, name);
        Ok(receipt(Some(name), None))
    }

    fn calendar(&mut self, op: &CalendarOp) -> Result<Receipt, RemoteFault> {
        match op {
            CalendarOp::Create {
                collection,
                remote_id,
                rows,
                ..
            } => {
                let rows = rows.iter().cloned().map(Record::Event).collect();
                self.create(collection, remote_id, rows)
            }
            CalendarOp::Update {
                collection,
                moves_to,
                remote_id,
                etag,
                rows,
                reverted,
                ..
            } => {
                let item = self.unchanged(collection, remote_id, etag.as_ref())?;
                let mut all = events(&item.rows);
                all.retain(|row| {
                    let replaced = rows
                        .iter()
                        .any(|new| new.recurrence_id == row.recurrence_id);
                    let gone = row.recurrence_id.as_ref();
                    !replaced && gone.is_none_or(|at| !reverted.contains(at))
                });
                all.extend(rows.iter().cloned());
                all.sort_by_key(|row| row.recurrence_id.is_some());
                let rows = all.into_iter().map(Record::Event).collect();
                let Some(there) = moves_to else {
                    return self.replace(collection, remote_id, None, rows);
                };
                self.remove(&collection.remote_id, remote_id);
                self.create(there, remote_id, rows)
            }
            CalendarOp::Delete {
                collection,
                remote_id,
                etag,
                ..
            } => self.drop_item(collection, remote_id, etag.as_ref()),
            CalendarOp::Respond {
                collection,
                remote_id,
                etag,
                uid,
                participation,
                ..
            } => {
                let item = self.unchanged(collection, remote_id, etag.as_ref())?;
                let rows = item.rows.clone();
                self.answers.push((uid.clone(), *participation));
                self.replace(collection, remote_id, None, rows)
            }
        }
    }

    fn task(&mut self, op: &TaskOp) -> Result<Receipt, RemoteFault> {
        match op {
            TaskOp::Create {
                collection,
                remote_id,
                task,
                ..
            } => self.create(collection, remote_id, vec![Record::Task((**task).clone())]),
            TaskOp::Update {
                collection,
                remote_id,
                etag,
                task,
                ..
            } => {
                let rows = vec![Record::Task((**task).clone())];
                self.replace(collection, remote_id, etag.as_ref(), rows)
            }
            TaskOp::Delete {
                collection,
                remote_id,
                etag,
            } => self.drop_item(collection, remote_id, etag.as_ref()),
        }
    }

    fn contact(&mut self, op: &ContactOp) -> Result<Receipt, RemoteFault> {
        match op {
            ContactOp::Create {
                collection,
                remote_id,
                contact,
                ..
            } => {
                let rows = vec![Record::Contact((**contact).clone())];
                self.create(collection, remote_id, rows)
            }
            ContactOp::Update {
                collection,
                remote_id,
                etag,
                contact,
                ..
            } => {
                let rows = vec![Record::Contact((**contact).clone())];
                self.replace(collection, remote_id, etag.as_ref(), rows)
            }
            ContactOp::Delete {
                collection,
                remote_id,
                etag,
            } => self.drop_item(collection, remote_id, etag.as_ref()),
        }
    }

    fn mail(&mut self, op: &MailOp) -> Result<Receipt, RemoteFault> {
        match op {
            MailOp::Send {
                message_id,
                recipients,
                mime,
                ..
            } => self.send(message_id, recipients, mime),
            MailOp::Move {
                mails,
                to,
                into,
                leaves,
            } => self.each(mails, |mail| {
                mail.folder = *to;
                mail.labels.retain(|label| !leaves.contains(label));
                let new = into.iter().filter(|label| !mail.labels.contains(label));
                let new: Vec<String> = new.cloned().collect();
                mail.labels.extend(new);
            }),
            MailOp::Flag {
                mails,
                read,
                starred,
                add_labels,
                remove_labels,
            } => self.each(mails, |mail| {
                mail.read = read.unwrap_or(mail.read);
                mail.starred = starred.unwrap_or(mail.starred);
                mail.labels.retain(|label| !remove_labels.contains(label));
                mail.labels.extend(add_labels.iter().cloned());
            }),
            MailOp::Delete { mails } => {
                for mail in mails {
                    if self.mail_at(mail)?.folder == Folder::Trash {
                        self.remove(&mail.collection.remote_id, &mail.remote_id);
                    }
                }
                let left: Vec<MailRef> = mails
                    .iter()
                    .filter(|mail| self.mail_at(mail).is_ok())
                    .cloned()
                    .collect();
                self.each(&left, |mail| mail.folder = Folder::Trash)
            }
        }
    }

    pub(super) fn mail_at(&self, mail: &MailRef) -> Result<Mail, RemoteFault> {
        if mail.uid_validity.is_some_and(|seen| seen != UID_VALIDITY) {
            return Err(RemoteFault::Gone);
        }
        match self.seen(&mail.collection, &mail.remote_id)?.rows.first() {
            Some(Record::Mail(row)) => Ok(row.clone()),
            _ => Err(RemoteFault::Gone),
        }
    }

    /// Changes every mail, or none if one of them is gone.
    fn each(
        &mut self,
        mails: &[MailRef],
        change: impl Fn(&mut Mail),
    ) -> Result<Receipt, RemoteFault> {
        let mut changed = Vec::new();
        for mail in mails {
            let mut row = self.mail_at(mail)?;
            change(&mut row);
            changed.push((mail, row));
        }
        for (mail, row) in changed {
            let rows = vec![Record::Mail(row)];
            self.put(&mail.collection.remote_id, &mail.remote_id, rows);
        }
        Ok(receipt(None, None))
    }

    fn send(
        &mut self,
        message_id: &str,
        recipients: &[Address],
        mime: &str,
    ) -> Result<Receipt, RemoteFault> {
        let (refused, accepted): (Vec<Address>, Vec<Address>) = recipients
            .iter()
            .cloned()
            .partition(|who| self.refused.contains(&who.email));
        if accepted.is_empty() {
            return Err(RemoteFault::Refused {
                what: "no recipient was accepted".into(),
            });
        }
        self.sent.push(Sent {
            message_id: message_id.into(),
            accepted: accepted.clone(),
            mime: mime.into(),
        });
        let reason = "no such mailbox";
        let mut done = receipt(None, None);
        if let Receipt::Remote {
            accepted: taken,
            refused: left,
            ..
        } = &mut done
        {
            *taken = accepted;
            *left = refused
                .into_iter()
                .map(|address| Delivery {
                    address,
                    reason: reason.into(),
                })
                .collect();
        }
        Ok(done)
    }
}

impl Item {
    pub(super) fn there(&self) -> PulledWhat {
        let is_mail = matches!(self.rows.first(), Some(Record::Mail(_)));
        PulledWhat::There {
            etag: Some(self.etag.clone()),
            uid_validity: is_mail.then_some(UID_VALIDITY),
            rows: self.rows.clone(),
            source: Some(source(&self.rows)),
        }
    }
}

/// Makes a receipt; the caller fills in the account.
fn receipt(remote_id: Option<&RemoteId>, etag: Option<Etag>) -> Receipt {
    Receipt::Remote {
        account: AccountId::local(),
        remote_id: remote_id.cloned(),
        etag,
        accepted: Vec::new(),
        refused: Vec::new(),
        at: AT,
    }
}

pub(super) fn source(rows: &[Record]) -> Vec<u8> {
    let labels: Vec<&str> = rows.iter().map(Record::label).collect();
    labels.join("\n").into_bytes()
}

pub(super) fn events(rows: &[Record]) -> Vec<Event> {
    let events = rows.iter().filter_map(|row| match row {
        Record::Event(event) => Some(event.clone()),
        _ => None,
    });
    events.collect()
}
