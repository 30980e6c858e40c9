//! Changing a calendar, and knowing what became of it.
//!
//! Every write names the state it counts on and leaves its key with the event, in a property that only this calendar
//! sees: an event that bears the key of an operation was written by it, whoever has changed it since.

use adjutant_domain::moment::Moment;
use adjutant_domain::operation::{
    CalendarOp, CollectionRef, Etag, Key, Receipt, RemoteFault, RemoteId, Why,
};
use adjutant_domain::record::Event;
use adjutant_net::Method;
use serde_json::{Map, Value, json};

use super::Calendars;
use super::look::{MARK, There, mark_of, word};
use super::read::moment;
use super::wire::Item;
use super::write::{changed, response, whole};
use crate::google::client::{Ask, Failed};
use crate::google::hosts::Api;

/// What one write is about.
#[derive(Clone, Copy)]
struct At<'a> {
    calendar: &'a str,
    key: &'a Key,
    notify: bool,
}

impl At<'_> {
    /// Adds what every write says.
    fn ask<'b>(&'b self, method: Method, id: &'b str, why: &'static str) -> Ask<'b> {
        let path = ["calendars", self.calendar, "events", id];
        Ask::new(method, Api::Calendar, path, why).with("sendUpdates", updates(self.notify))
    }

    fn marked(&self, id: &str, mut fields: Map<String, Value>) -> Value {
        fields.insert(
            "extendedProperties".to_owned(),
            json!({ "private": { MARK: mark_of(self.key, id) } }),
        );
        Value::Object(fields)
    }
}

fn updates(notify: bool) -> &'static str {
    if notify { "all" } else { "none" }
}

impl Calendars {
    /// Carries out an operation.
    pub(super) async fn carry_out(&self, op: &CalendarOp, key: &Key) -> Result<Receipt, Failed> {
        let at = |collection: &CollectionRef| collection.remote_id.0.clone();
        match op {
            CalendarOp::Create {
                collection,
                remote_id,
                rows,
                notify,
            } => {
                let calendar = at(collection);
                let at = At {
                    calendar: &calendar,
                    key,
                    notify: *notify,
                };
                self.create(at, remote_id, rows).await
            }
            CalendarOp::Update {
                collection, notify, ..
            } => {
                let calendar = at(collection);
                let at = At {
                    calendar: &calendar,
                    key,
                    notify: *notify,
                };
                self.update(at, op).await
            }
            CalendarOp::Delete {
                collection,
                remote_id,
                etag,
                notify,
                ..
            } => {
                let calendar = at(collection);
                let at = At {
                    calendar: &calendar,
                    key,
                    notify: *notify,
                };
                let deleting = self.delete(at, remote_id, etag.as_ref());
                self.client.delete_once(key, remote_id, deleting).await
            }
            CalendarOp::Respond { collection, .. } => {
                let calendar = at(collection);
                let at = At {
                    calendar: &calendar,
                    key,
                    notify: true,
                };
                self.respond(at, op).await
            }
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
            // It has our identifier: it was added before, and may have been deleted since.
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

    /// Brings back an event that was deleted.
    async fn restore(
        &self,
        at: At<'_>,
        deleted: &Value,
        id: &RemoteId,
        mut fields: Map<String, Value>,
    ) -> Result<Value, Failed> {
        fields.remove("id");
        fields.insert("status".to_owned(), json!("confirmed"));
        let etag = Item::of(deleted).and_then(|item| item.etag).map(Etag);
        let ask = at.ask(Method::PATCH, &id.0, "adding an event");
        self.client
            .json(ask.if_match(etag.as_ref()).json(at.marked(&id.0, fields)))
            .await
    }

    async fn update(&self, at: At<'_>, op: &CalendarOp) -> Result<Receipt, Failed> {
        let CalendarOp::Update {
            remote_id,
            etag,
            rows,
            reverted,
            source,
            moves_to,
            ..
        } = op
        else {
            return Err(nothing_to_do().into());
        };
        let seen = seen(source.as_deref());
        let (masters, instances): (Vec<&Event>, Vec<&Event>) =
            rows.iter().partition(|row| row.recurrence_id.is_none());
        let mut now = etag.clone();
        let mut has_begun = false;
        match masters.first() {
            Some(master) => {
                now = self
                    .put_master(at, remote_id, etag.as_ref(), master, &seen)
                    .await?
            }
            None => self.counts_on(at, op, &instances).await?,
        }
        has_begun |= !masters.is_empty();
        let after = |failed: Failed| if has_begun { half_done(failed) } else { failed };
        for instance in &instances {
            let put = self
                .put_instance(at, &remote_id.0, instance, Some(&seen))
                .await;
            put.map_err(after)?;
        }
        for moment in reverted {
            let put = self
                .revert(at, &remote_id.0, moment, masters.first().copied())
                .await;
            put.map_err(after)?;
        }
        if let Some(to) = moves_to {
            let moved = self.relocate(at, remote_id, &to.remote_id.0).await;
            now = moved.map_err(after)?;
        }
        Ok(self.receipt(remote_id, now))
    }

    /// Writes the event itself; gives the state it is in then.
    async fn put_master(
        &self,
        at: At<'_>,
        id: &RemoteId,
        etag: Option<&Etag>,
        row: &Event,
        seen: &[There],
    ) -> Result<Option<Etag>, Failed> {
        let known = seen
            .iter()
            .find(|one| one.item.recurring_event_id.is_none());
        let now;
        let known = match known {
            Some(known) => known,
            // It was written here and not read since: what is not understood here stays all the same.
            None => {
                now = self.event(at.calendar, &id.0).await?.and_then(There::of);
                now.as_ref().ok_or(RemoteFault::Gone)?
            }
        };
        let mut was = self.row(&known.item);
        if let Some(was) = &mut was {
            was.exdates.extend(self.left_out(seen, &was.exdates));
        }
        let fields = changed(row, was.as_ref(), Some(&known.value));
        let ask = at
            .ask(Method::PATCH, &id.0, "changing an event")
            .if_match(etag);
        match self
            .client
            .json::<Value>(ask.json(at.marked(&id.0, fields)))
            .await
        {
            Ok(value) => Ok(Item::of(&value).and_then(|item| item.etag).map(Etag)),
            Err(Failed::Refused {
                fault: RemoteFault::Conflict { .. },
                ..
            }) => {
                let there = self.event(at.calendar, &id.0).await?.and_then(There::of);
                let there = there.ok_or(RemoteFault::Gone)?;
                let current = there.etag();
                match self.is_as_asked(&there, row, at.key) {
                    true => Ok(current),
                    false => Err(RemoteFault::Conflict { current }.into()),
                }
            }
            Err(failed) => Err(failed),
        }
    }

    /// Instances of a series that are cancelled, and not in its own list of those.
    fn left_out(&self, seen: &[There], listed: &[Moment]) -> Vec<Moment> {
        let seed = self.seed();
        let world = self.world(&seed);
        let cancelled = seen.iter().filter(|one| one.item.is_cancelled());
        let starts = cancelled.filter_map(|one| one.item.original_start_time.as_ref());
        starts
            .filter_map(|start| moment(start, &world))
            .filter(|start| !listed.contains(start))
            .collect()
    }

    /// Whether the series is still the one that was seen, where only instances of it are written; those that are written
    /// already do not count.
    async fn counts_on(&self, at: At<'_>, op: &CalendarOp, rows: &[&Event]) -> Result<(), Failed> {
        let CalendarOp::Update { remote_id, .. } = op else {
            return Ok(());
        };
        for row in rows {
            let there = self.instance(at.calendar, &remote_id.0, row.recurrence_id.as_ref());
            if there.await?.is_some_and(|there| there.bears(at.key)) {
                return Ok(());
            }
        }
        Ok(self.holds(op).await?)
    }

    /// Writes one instance of a repeating event.
    async fn put_instance(
        &self,
        at: At<'_>,
        master: &str,
        row: &Event,
        seen: Option<&[There]>,
    ) -> Result<(), Failed> {
        let there = self
            .instance(at.calendar, master, row.recurrence_id.as_ref())
            .await?;
        let there = there.ok_or(RemoteFault::Gone)?;
        if self.is_as_asked(&there, row, at.key) {
            return Ok(());
        }
        let before = seen
            .unwrap_or_default()
            .iter()
            .find(|one| one.item.id == there.item.id);
        if let Some(before) = before
            && before.etag() != there.etag()
        {
            let current = there.etag();
            return Err(RemoteFault::Conflict { current }.into());
        }
        let was = self.row(&there.item);
        let fields = changed(row, was.as_ref(), Some(&there.value));
        self.patch(at, &there, fields).await
    }

    async fn patch(
        &self,
        at: At<'_>,
        there: &There,
        fields: Map<String, Value>,
    ) -> Result<(), Failed> {
        let etag = there.etag();
        let ask = at.ask(Method::PATCH, &there.item.id, "changing an event");
        let ask = ask
            .if_match(etag.as_ref())
            .json(at.marked(&there.item.id, fields));
        self.client.json::<Value>(ask).await.map(drop)
    }

    /// Lets an instance follow its series again, or takes it out where the series leaves it out.
    async fn revert(
        &self,
        at: At<'_>,
        master: &str,
        moment: &Moment,
        new: Option<&Event>,
    ) -> Result<(), Failed> {
        let Some(there) = self.instance(at.calendar, master, Some(moment)).await? else {
            return Ok(());
        };
        let series = match new {
            Some(new) => new.clone(),
            None => {
                let value = self.event(at.calendar, master).await?;
                let series = value
                    .and_then(There::of)
                    .and_then(|there| self.row(&there.item));
                series.ok_or(RemoteFault::Gone)?
            }
        };
        if series.exdates.contains(moment) {
            let ask = at.ask(Method::DELETE, &there.item.id, "changing an event");
            return match self.client.send(ask).await {
                Err(Failed::Refused {
                    fault: RemoteFault::Gone,
                    ..
                }) => Ok(()),
                ended => ended.map(drop),
            };
        }
        let was = self.row(&there.item);
        let fields = changed(
            &instance_of(&series, moment),
            was.as_ref(),
            Some(&there.value),
        );
        if fields.is_empty() {
            return Ok(());
        }
        self.patch(at, &there, fields).await
    }

    /// Moves an event to another calendar of the account; gives the state it is in there.
    async fn relocate(&self, at: At<'_>, id: &RemoteId, to: &str) -> Result<Option<Etag>, Failed> {
        let path = ["calendars", at.calendar, "events", &id.0, "move"];
        let ask = Ask::new(Method::POST, Api::Calendar, path, "moving an event")
            .with("destination", to)
            .with("sendUpdates", updates(at.notify));
        let moved = match self.client.json::<Value>(ask).await {
            Err(Failed::Refused {
                fault: RemoteFault::Gone,
                ..
            }) => self.event(to, &id.0).await?.ok_or(RemoteFault::Gone)?,
            moved => moved?,
        };
        Ok(Item::of(&moved).and_then(|item| item.etag).map(Etag))
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
            let what = "you are not invited to it any more".to_owned();
            return Err(RemoteFault::Refused { what }.into());
        };
        own.insert("responseStatus".to_owned(), json!(wanted));
        let etag = there.etag();
        let ask = at.ask(Method::PATCH, &there.item.id, "answering an invitation");
        let ask = ask
            .if_match(etag.as_ref())
            .json(json!({ "attendees": guests }));
        let answered = self.client.json::<Value>(ask).await?;
        Ok(self.receipt(
            remote_id,
            Item::of(&answered).and_then(|item| item.etag).map(Etag),
        ))
    }
}

/// The event and its instances as they were read, cancelled ones too.
fn seen(source: Option<&str>) -> Vec<There> {
    let all = source.and_then(|text| serde_json::from_str::<Vec<Value>>(text).ok());
    let all = all.unwrap_or_default().into_iter();
    all.filter_map(|value| {
        let item = Item::of(&value)?;
        Some(There { item, value })
    })
    .collect()
}

/// An instance as its series has it.
fn instance_of(series: &Event, moment: &Moment) -> Event {
    let mut row = series.clone();
    row.end = match (&series.start, &series.end, moment) {
        (Moment::At(start), Moment::At(end), Moment::At(at)) => at
            .checked_add(start.duration_until(end))
            .map_or_else(|_| moment.clone(), Moment::At),
        (Moment::Day(start), Moment::Day(end), Moment::Day(at)) => start
            .until(*end)
            .and_then(|span| at.checked_add(span))
            .map_or_else(|_| moment.clone(), Moment::Day),
        _ => moment.clone(),
    };
    row.start = moment.clone();
    row.recurrence_id = Some(moment.clone());
    row.rrule = None;
    row.rdates.clear();
    row.exdates.clear();
    row
}

/// A part of it was done: what is refused now does not make nothing of that.
fn half_done(failed: Failed) -> Failed {
    match failed {
        Failed::Refused { .. } => Failed::Unknown(Why::NoReply),
        unknown => unknown,
    }
}

pub(super) fn nothing_to_do() -> RemoteFault {
    RemoteFault::Refused {
        what: "it says nothing that could be done".to_owned(),
    }
}
