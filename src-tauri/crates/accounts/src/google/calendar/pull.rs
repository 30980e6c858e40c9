//! Reads a calendar: everything once, then what changed. A repeating event is delivered together with all its changed
//! instances. These may come on any page, so series are collected until the end; other events are delivered page by
//! page.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_domain::account::Cursor;
use adjutant_domain::operation::{RemoteFault, Why};
use adjutant_domain::ports::provider::PAGE_MAX;
use adjutant_domain::ports::{PullFault, Pulled, Sink};
use serde_json::Value;

use super::Calendars;
use super::read::{Series, World, gone, zone};
use super::wire::{EventList, Item};
use crate::google::client::{Ask, Failed};
use crate::google::hosts::Api;

/// Requested page size; Google may return fewer events.
const EVENTS_PAGE: usize = 1_000;
/// Google's `kind` of a page of events.
const EVENTS: &str = "calendar#events";
/// Maximum number of pages in one reading, which allows a million events.
const PAGES_MAX: usize = 1_000;
/// Maximum number of events collected before their series is complete, and of instances of one series.
const COLLECTED_MAX: usize = 50_000;

/// Which events to request.
#[derive(Clone, Copy)]
enum EventQuery<'a> {
    Everything,
    Since(&'a str),
    /// A repeating event with its instances.
    Uid(&'a str),
}

impl Calendars {
    /// Reads a calendar.
    pub(super) async fn read(
        &self,
        calendar: &str,
        cursor: Option<&Cursor>,
        sink: &mut dyn Sink,
    ) -> Result<Cursor, PullFault> {
        let wanted = match cursor.map(|cursor| cursor.0.as_str()) {
            None => EventQuery::Everything,
            // The server returned no sync token last time.
            Some("") => return Err(PullFault::CursorRefused),
            Some(token) => EventQuery::Since(token),
        };
        let mut collected: BTreeMap<String, Series> = BTreeMap::new();
        let mut count = 0;
        let mut page_token = None;
        let seed = self.seed();
        for _ in 0..PAGES_MAX {
            let page = self.page(calendar, wanted, page_token.as_deref()).await;
            let page = page.map_err(|failed| refused(failed, wanted))?;
            let world = World {
                own: &self.own,
                zone: zone(page.time_zone.as_deref(), &seed.now),
                seed: &seed,
            };
            let mut alone = Vec::new();
            for value in page.items {
                let Some(item) = Item::of(&value) else {
                    tracing::info!("an event at Google that cannot be read is left out");
                    continue;
                };
                if item.is_of_series() {
                    count += 1;
                    collected
                        .entry(item.series().to_owned())
                        .or_default()
                        .add(item, value);
                } else {
                    let mut series = Series::default();
                    let id = item.id.clone();
                    series.add(item, value);
                    alone.extend(series.pulled(&id, &world));
                }
            }
            if count > COLLECTED_MAX {
                return Err(too_many().into());
            }
            deliver(alone, sink).await?;
            if let Some(token) = page.next_page_token {
                page_token = Some(token);
                continue;
            }
            let series = match wanted {
                EventQuery::Since(_) => self.whole(calendar, collected, &world).await?,
                _ => collected
                    .into_iter()
                    .flat_map(|(id, series)| series.pulled(&id, &world))
                    .collect(),
            };
            deliver(series, sink).await?;
            return Ok(Cursor(page.next_sync_token.unwrap_or_default()));
        }
        Err(too_many().into())
    }

    /// Completes every series in which something changed.
    async fn whole(
        &self,
        calendar: &str,
        changed: BTreeMap<String, Series>,
        world: &World<'_>,
    ) -> Result<Vec<Pulled>, RemoteFault> {
        let mut all = Vec::new();
        for (id, changed) in changed {
            let known = changed.master.as_ref().map(|(item, _)| item.clone());
            let master = match known {
                Some(master) => Some(master),
                None => self
                    .event(calendar, &id)
                    .await?
                    .and_then(|value| Item::of(&value)),
            };
            match master {
                Some(master) if master.is_cancelled() => all.push(gone(&id)),
                Some(master) => {
                    let series = self.series(calendar, &master.ical_uid, &id).await?;
                    all.extend(series.pulled(&id, world));
                }
                // The person was invited to single instances only.
                None => all.extend(changed.pulled(&id, world)),
            }
        }
        Ok(all)
    }

    /// Fetches a repeating event with its changed instances.
    async fn series(&self, calendar: &str, uid: &str, id: &str) -> Result<Series, RemoteFault> {
        let mut series = Series::default();
        let mut seen = BTreeSet::new();
        let mut page_token = None;
        for _ in 0..PAGES_MAX {
            let page = self
                .page(calendar, EventQuery::Uid(uid), page_token.as_deref())
                .await;
            let page = page.map_err(Failed::fault)?;
            for value in page.items {
                let Some(item) = Item::of(&value) else {
                    continue;
                };
                if item.series() == id && seen.insert(item.id.clone()) {
                    series.add(item, value);
                }
            }
            match page.next_page_token {
                Some(token) if seen.len() <= COLLECTED_MAX => page_token = Some(token),
                Some(_) => return Err(too_many()),
                None => return Ok(series),
            }
        }
        Err(too_many())
    }

    async fn page(
        &self,
        calendar: &str,
        wanted: EventQuery<'_>,
        page_token: Option<&str>,
    ) -> Result<EventList, Failed> {
        let path = ["calendars", calendar, "events"];
        let ask =
            Ask::get(Api::Calendar, path, "reading a calendar").with("maxResults", EVENTS_PAGE);
        let mut ask = match wanted {
            EventQuery::Everything => ask,
            EventQuery::Since(token) => ask.with("syncToken", token),
            EventQuery::Uid(uid) => ask.with("iCalUID", uid).with("showDeleted", true),
        };
        if let Some(token) = page_token {
            ask = ask.with("pageToken", token);
        }
        let page: EventList = self.client.json(ask).await?;
        match page.kind == EVENTS {
            true => Ok(page),
            false => Err(Failed::Unknown(Why::Unreadable)),
        }
    }

    /// Fetches an event; `None` if no event has this id.
    pub(super) async fn event(
        &self,
        calendar: &str,
        id: &str,
    ) -> Result<Option<Value>, RemoteFault> {
        let path = ["calendars", calendar, "events", id];
        let ask = Ask::get(Api::Calendar, path, "reading an event");
        match self.client.json(ask).await.map_err(Failed::fault) {
            Ok(value) => Ok(Some(value)),
            Err(RemoteFault::Gone) => Ok(None),
            Err(fault) => Err(fault),
        }
    }
}

async fn deliver(mut all: Vec<Pulled>, sink: &mut dyn Sink) -> Result<(), PullFault> {
    while !all.is_empty() {
        let later = all.split_off(all.len().min(PAGE_MAX));
        sink.take(std::mem::replace(&mut all, later)).await?;
    }
    Ok(())
}

/// Google refuses an expired sync token with 410 and one it never issued with 400.
fn refused(failed: Failed, wanted: EventQuery<'_>) -> PullFault {
    match (wanted, failed.status()) {
        (EventQuery::Since(_), Some(400 | 410)) => PullFault::CursorRefused,
        _ => failed.fault().into(),
    }
}

fn too_many() -> RemoteFault {
    RemoteFault::Refused {
        what: "the calendar has more repeating events than can be read".to_owned(),
    }
}
