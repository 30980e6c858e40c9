//! Checks whether an operation's preconditions still hold and whether it was carried out.

use adjutant_domain::moment::Moment;
use adjutant_domain::operation::{CalendarOp, Etag, Key, Participation, Receipt, RemoteFault};
use adjutant_domain::record::Event;
use adjutant_interchange::Seed;
use serde_json::{Value, json};

use super::Calendars;
use super::apply::nothing_to_do;
use super::read::{World, row, zone};
use super::wire::{EventList, Item};
use super::write::{changed, response, whole};
use crate::google::client::{Ask, Failed};
use crate::google::hosts::Api;

/// Name of the property that holds the key of the last write.
pub(super) const MARK: &str = "adjutantKey";

/// An event as the calendar has it now.
pub(super) struct There {
    pub(super) item: Item,
    pub(super) value: Value,
}

impl There {
    pub(super) fn of(value: Value) -> Option<Self> {
        let item = Item::of(&value).filter(|item| !item.is_cancelled())?;
        Some(Self { item, value })
    }

    pub(super) fn etag(&self) -> Option<Etag> {
        self.item.etag.clone().map(Etag)
    }

    /// Tells whether Adjutant's last write of this event belongs to the operation `key`.
    pub(super) fn bears(&self, key: &Key) -> bool {
        let marks = self.value.pointer("/extendedProperties/private");
        let mark = marks.and_then(|marks| marks.get(MARK)?.as_str());
        mark == Some(mark_of(key, &self.item.id).as_str())
    }
}

/// Returns the mark of one write of one event. It includes the event's id, since instances inherit their series' mark.
pub(super) fn mark_of(key: &Key, id: &str) -> String {
    format!("{} {id}", key.as_str())
}

impl Calendars {
    /// Fetches the invitation being answered and checks that it is still the revision that was seen.
    pub(super) async fn invitation(&self, op: &CalendarOp) -> Result<There, RemoteFault> {
        let CalendarOp::Respond {
            collection,
            remote_id,
            sequence,
            instance,
            ..
        } = op
        else {
            return Err(nothing_to_do());
        };
        let calendar = &collection.remote_id.0;
        let there = match instance {
            Some(_) => {
                self.instance(calendar, &remote_id.0, instance.as_ref())
                    .await?
            }
            None => self
                .event(calendar, &remote_id.0)
                .await?
                .and_then(There::of),
        };
        let there = there.ok_or(RemoteFault::Gone)?;
        // An instance has revision numbers of its own.
        if instance.is_none() && there.item.sequence != *sequence {
            let current = there.etag();
            return Err(RemoteFault::Conflict { current });
        }
        Ok(there)
    }

    pub(super) fn is_own(&self, guest: &Value) -> bool {
        let email = guest
            .get("email")
            .and_then(Value::as_str)
            .unwrap_or_default();
        guest.get("self") == Some(&Value::Bool(true)) || email.eq_ignore_ascii_case(&self.own)
    }

    /// Returns the person's own response, in Google's terms.
    pub(super) fn answered<'a>(&self, there: &'a There) -> Option<&'a str> {
        let guests = there.value.get("attendees")?.as_array()?;
        let own = guests.iter().find(|guest| self.is_own(guest))?;
        own.get("responseStatus")?.as_str()
    }

    /// Fetches an instance of a repeating event by its original start; `None` if there is no such instance.
    pub(super) async fn instance(
        &self,
        calendar: &str,
        master: &str,
        moment: Option<&Moment>,
    ) -> Result<Option<There>, RemoteFault> {
        let Some(moment) = moment else {
            return Ok(None);
        };
        let path = ["calendars", calendar, "events", master, "instances"];
        let ask = Ask::get(Api::Calendar, path, "reading an event")
            .with("originalStart", moment.rfc3339())
            .with("maxResults", 1);
        match self
            .client
            .json::<EventList>(ask)
            .await
            .map_err(Failed::fault)
        {
            Ok(found) => Ok(found.items.into_iter().find_map(There::of)),
            Err(RemoteFault::Gone) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// Checks that an operation's preconditions still hold.
    pub(super) async fn holds(&self, op: &CalendarOp) -> Result<(), RemoteFault> {
        let (collection, remote_id, etag) = match op {
            CalendarOp::Create { .. } => return Ok(()),
            CalendarOp::Respond { .. } => return self.invitation(op).await.map(drop),
            CalendarOp::Update {
                collection,
                remote_id,
                etag,
                ..
            }
            | CalendarOp::Delete {
                collection,
                remote_id,
                etag,
                ..
            } => (collection, remote_id, etag),
        };
        let there = self.event(&collection.remote_id.0, &remote_id.0).await?;
        let there = there.and_then(There::of).ok_or(RemoteFault::Gone)?;
        let current = there.etag();
        match etag.is_none() || *etag == current {
            true => Ok(()),
            false => Err(RemoteFault::Conflict { current }),
        }
    }

    /// Looks up whether an operation was carried out; returns its receipt if so.
    pub(super) async fn look(
        &self,
        op: &CalendarOp,
        key: &Key,
    ) -> Result<Option<Receipt>, RemoteFault> {
        match op {
            CalendarOp::Create {
                collection,
                remote_id,
                ..
            } => {
                let there = self.event(&collection.remote_id.0, &remote_id.0).await?;
                let there = there.and_then(There::of);
                Ok(there.map(|there| self.receipt(remote_id, there.etag())))
            }
            CalendarOp::Delete {
                collection,
                remote_id,
                ..
            } => {
                let there = self.event(&collection.remote_id.0, &remote_id.0).await?;
                let is_gone = there.and_then(There::of).is_none();
                Ok(is_gone.then(|| self.receipt(remote_id, None)))
            }
            CalendarOp::Respond {
                remote_id,
                participation,
                ..
            } => match self.invitation(op).await {
                Ok(there) => {
                    let is_done = self.answered(&there) == Some(response(word(*participation)));
                    Ok(is_done.then(|| self.receipt(remote_id, there.etag())))
                }
                Err(RemoteFault::Gone | RemoteFault::Conflict { .. }) => Ok(None),
                Err(fault) => Err(fault),
            },
            CalendarOp::Update {
                collection,
                moves_to,
                remote_id,
                rows,
                ..
            } => {
                let calendar = moves_to.as_ref().unwrap_or(collection);
                let calendar = &calendar.remote_id.0;
                let there = self
                    .event(calendar, &remote_id.0)
                    .await?
                    .and_then(There::of);
                let Some(there) = there else {
                    return Ok(None);
                };
                for row in rows {
                    let instance = row.recurrence_id.as_ref();
                    let is_done = match instance {
                        None => self.is_as_asked(&there, row, key),
                        Some(_) => {
                            let found = self.instance(calendar, &remote_id.0, instance).await?;
                            found.is_some_and(|there| self.is_as_asked(&there, row, key))
                        }
                    };
                    if !is_done {
                        return Ok(None);
                    }
                }
                Ok(Some(self.receipt(remote_id, there.etag())))
            }
        }
    }

    /// Tells whether an event carries the operation's key or already has the requested content.
    pub(super) fn is_as_asked(&self, there: &There, row: &Event, key: &Key) -> bool {
        if there.bears(key) {
            return true;
        }
        // Convert to Google's form first, so that two notations of the same value do not differ.
        let fields = Value::Object(whole(changed(row, None, None)));
        let Some(mut wanted) = Item::of(&with_id(fields)) else {
            return false;
        };
        wanted
            .original_start_time
            .clone_from(&there.item.original_start_time);
        match (self.row(&wanted), self.row(&there.item)) {
            (Some(wanted), Some(is)) => changed(&wanted, Some(&is), None).is_empty(),
            _ => false,
        }
    }

    pub(super) fn row(&self, item: &Item) -> Option<Event> {
        let seed = self.seed();
        row(item, &self.world(&seed))
    }

    pub(super) fn world<'a>(&'a self, seed: &'a Seed) -> World<'a> {
        World {
            own: &self.own,
            zone: zone(None, &seed.now),
            seed,
        }
    }
}

fn with_id(mut fields: Value) -> Value {
    if let Some(fields) = fields.as_object_mut() {
        fields.insert("id".to_owned(), json!("x"));
    }
    fields
}

pub(super) fn word(participation: Participation) -> &'static str {
    match participation {
        Participation::Accepted => "accepted",
        Participation::Tentative => "tentative",
        Participation::Declined => "declined",
    }
}
