//! Changes an event: the event itself, single instances of a series, or the calendar it is in.

use adjutant_domain::moment::Moment;
use adjutant_domain::operation::{CalendarOp, Etag, Receipt, RemoteFault, RemoteId};
use adjutant_domain::record::Event;
use adjutant_net::Method;
use serde_json::{Map, Value};

use super::Calendars;
use super::apply::{At, half_done, nothing_to_do, state, updates};
use super::look::There;
use super::read::moment;
use super::wire::Item;
use super::write::changed;
use crate::google::client::{Ask, Failed};
use crate::google::hosts::Api;

impl Calendars {
    pub(super) async fn update(&self, at: At<'_>, op: &CalendarOp) -> Result<Receipt, Failed> {
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
        match masters.first() {
            Some(master) => {
                now = self
                    .put_master(at, remote_id, etag.as_ref(), master, &seen)
                    .await?
            }
            None => self.counts_on(at, op, &instances).await?,
        }
        let has_begun = !masters.is_empty();
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

    /// Writes the event itself and returns its new ETag.
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
            // The event was written here and not read back yet. Properties that Adjutant does not understand must
            // survive.
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
            Ok(value) => Ok(state(&value)),
            Err(failed) if failed.is_conflict() => {
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

    /// Returns the cancelled instances of a series that its own exception list lacks.
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

    /// Checks, for a change that writes only instances, that the series is still as it was seen. Passes if an earlier
    /// attempt of the same operation already wrote one of them.
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
    pub(super) async fn put_instance(
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

    /// Makes an instance follow its series again, or cancels it if the new series excludes it.
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
                Err(failed) if failed.is_gone() => Ok(()),
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

    /// Moves an event to another calendar of the account and returns its ETag there.
    async fn relocate(&self, at: At<'_>, id: &RemoteId, to: &str) -> Result<Option<Etag>, Failed> {
        let path = ["calendars", at.calendar, "events", &id.0, "move"];
        let ask = Ask::new(Method::POST, Api::Calendar, path, "moving an event")
            .with("destination", to)
            .with("sendUpdates", updates(at.notify));
        let moved = match self.client.json::<Value>(ask).await {
            Err(failed) if failed.is_gone() => {
                self.event(to, &id.0).await?.ok_or(RemoteFault::Gone)?
            }
            moved => moved?,
        };
        Ok(state(&moved))
    }
}

/// Parses the source as read: the event and its instances, including cancelled ones.
fn seen(source: Option<&str>) -> Vec<There> {
    let all = source.and_then(|text| serde_json::from_str::<Vec<Value>>(text).ok());
    let all = all.unwrap_or_default().into_iter();
    all.filter_map(|value| {
        let item = Item::of(&value)?;
        Some(There { item, value })
    })
    .collect()
}

/// Returns an instance as the series defines it.
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
