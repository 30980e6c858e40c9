//! Changes a calendar and finds out what became of a change.
//!
//! Every write names the state it expects and stores its operation's key with the event, in a property that only this
//! calendar sees. An event with that key was written by the operation, whoever has changed it since.

use adjutant_domain::operation::{CalendarOp, Etag, Key, Receipt, RemoteFault, RemoteId, Why};
use adjutant_domain::record::Event;
use adjutant_net::Method;
use serde_json::{Map, Value, json};

use super::Calendars;
use super::look::{MARK, There, mark_of, word};
use super::wire::Item;
use super::write::{changed, response, whole};
use crate::google::client::{Ask, Failed};
use crate::google::hosts::Api;

/// What every request of one write has in common.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) calendar: &'a str,
    pub(super) key: &'a Key,
    pub(super) notify: bool,
}

impl At<'_> {
    /// Builds a request for an event that carries the notification setting.
    pub(super) fn ask<'b>(&'b self, method: Method, id: &'b str, why: &'static str) -> Ask<'b> {
        let path = ["calendars", self.calendar, "events", id];
        Ask::new(method, Api::Calendar, path, why).with("sendUpdates", updates(self.notify))
    }

    pub(super) fn marked(&self, id: &str, mut fields: Map<String, Value>) -> Value {
        fields.insert(
            "extendedProperties".to_owned(),
            json!({ "private": { MARK: mark_of(self.key, id) } }),
        );
        Value::Object(fields)
    }
}

pub(super) fn updates(notify: bool) -> &'static str {
    if notify { "all" } else { "none" }
}

impl Calendars {
    /// Carries out an operation.
    pub(super) async fn carry_out(&self, op: &CalendarOp, key: &Key) -> Result<Receipt, Failed> {
        let (collection, notify) = match op {
            CalendarOp::Create {
                collection, notify, ..
            }
            | CalendarOp::Update {
                collection, notify, ..
            }
            | CalendarOp::Delete {
                collection, notify, ..
            } => (collection, *notify),
            CalendarOp::Respond { collection, .. } => (collection, true),
        };
        let at = At {
            calendar: &collection.remote_id.0,
            key,
            notify,
        };
        match op {
            CalendarOp::Create {
                remote_id, rows, ..
            } => self.create(at, remote_id, rows).await,
            CalendarOp::Update { .. } => self.update(at, op).await,
            CalendarOp::Delete {
                remote_id, etag, ..
            } => {
                let deleting = self.delete(at, remote_id, etag.as_ref());
                self.client.delete_once(key, remote_id, deleting).await
            }
            CalendarOp::Respond { .. } => self.respond(at, op).await,
        }
    }

    async fn create(
        &self,
        at: At<'_>,
        remote_id: &RemoteId,
        rows: &[Event],
    ) -> Result<Receipt, Failed> {
        let Some(first) = rows.first() else {
            return Err(nothing_to_do().into());
        };
        let mut fields = whole(changed(first, None, None));
        fields.insert("id".to_owned(), json!(remote_id.0));
        let path = ["calendars", at.calendar, "events"];
        let ask = Ask::new(Method::POST, Api::Calendar, path, "adding an event")
            .with("sendUpdates", updates(at.notify))
            .json(at.marked(&remote_id.0, fields.clone()));
        let made = match self.client.json::<Value>(ask).await {
            Ok(made) => made,
            // The identifier is ours: the event was added before and may have been deleted since.
            Err(failed) if failed.status() == Some(409) => {
                match self.event(at.calendar, &remote_id.0).await? {
                    None => return Err(failed),
                    Some(value) => match There::of(value.clone()) {
                        Some(_) => value,
                        None => self.restore(at, &value, remote_id, fields).await?,
                    },
                }
            }
            Err(failed) => return Err(failed),
        };
        let item = Item::of(&made).ok_or(Failed::Unknown(Why::Unreadable))?;
        let id = RemoteId(item.id.clone());
        for instance in rows.iter().skip(1) {
            let put = self.put_instance(at, &id.0, instance, None).await;
            put.map_err(half_done)?;
        }
        Ok(self.receipt(&id, item.etag.map(Etag)))
    }

    /// Restores an event that was deleted.
    async fn restore(
        &self,
        at: At<'_>,
        deleted: &Value,
        id: &RemoteId,
        mut fields: Map<String, Value>,
    ) -> Result<Value, Failed> {
        fields.remove("id");
        fields.insert("status".to_owned(), json!("confirmed"));
        let etag = state(deleted);
        let ask = at.ask(Method::PATCH, &id.0, "adding an event");
        self.client
            .json(ask.if_match(etag.as_ref()).json(at.marked(&id.0, fields)))
            .await
    }

    async fn delete(&self, at: At<'_>, id: &RemoteId, etag: Option<&Etag>) -> Result<(), Failed> {
        let ask = at.ask(Method::DELETE, &id.0, "deleting an event");
        match self.client.send(ask.if_match(etag)).await {
            Err(failed) if failed.is_conflict() => {
                let there = self.event(at.calendar, &id.0).await?.and_then(There::of);
                let fault = there.map_or(RemoteFault::Gone, |there| RemoteFault::Conflict {
                    current: there.etag(),
                });
                Err(fault.into())
            }
            ended => ended.map(drop),
        }
    }

    async fn respond(&self, at: At<'_>, op: &CalendarOp) -> Result<Receipt, Failed> {
        let CalendarOp::Respond {
            remote_id,
            participation,
            ..
        } = op
        else {
            return Err(nothing_to_do().into());
        };
        let there = self.invitation(op).await?;
        let wanted = response(word(*participation));
        if self.answered(&there) == Some(wanted) {
            return Ok(self.receipt(remote_id, there.etag()));
        }
        let mut guests = there.value.get("attendees").cloned().unwrap_or_default();
        let own = guests.as_array_mut().and_then(|guests| {
            let mut all = guests.iter_mut();
            all.find(|guest| self.is_own(guest))
        });
        let Some(own) = own.and_then(Value::as_object_mut) else {
            let what = "you are no longer invited to it".to_owned();
            return Err(RemoteFault::Refused { what }.into());
        };
        own.insert("responseStatus".to_owned(), json!(wanted));
        let etag = there.etag();
        let ask = at.ask(Method::PATCH, &there.item.id, "answering an invitation");
        let ask = ask
            .if_match(etag.as_ref())
            .json(json!({ "attendees": guests }));
        let answered = self.client.json::<Value>(ask).await?;
        Ok(self.receipt(remote_id, state(&answered)))
    }
}

/// Returns the ETag in a reply that contains an event.
pub(super) fn state(answered: &Value) -> Option<Etag> {
    Item::of(answered)?.etag.map(Etag)
}

/// Marks an operation as unknown if a later part of it is refused: an earlier part was carried out, so it was not
/// refused as a whole.
pub(super) fn half_done(failed: Failed) -> Failed {
    match failed {
        Failed::Refused { .. } => Failed::Unknown(Why::NoReply),
        unknown => unknown,
    }
}

pub(super) fn nothing_to_do() -> RemoteFault {
    RemoteFault::Refused {
        what: "it contains nothing that can be done".to_owned(),
    }
}
