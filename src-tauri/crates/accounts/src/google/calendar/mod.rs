//! Calendars of a Google account.

mod apply;
mod look;
mod pull;
mod read;
mod update;
mod wire;
mod write;

use std::sync::Arc;

use adjutant_domain::account::{Collection, CollectionKind, Cursor};
use adjutant_domain::filter::Window;
use adjutant_domain::operation::{
    Attempt, CalendarOp, Ended, Etag, Key, Receipt, Reconciled, RemoteFault, RemoteId,
};
use adjutant_domain::ports::{
    Backend, Busy, CalendarBackend, Clock, Entropy, FreeBusy, PullFault, RemoteCollection, Sink,
};
use adjutant_interchange::Seed;
use adjutant_net::Method;
use async_trait::async_trait;
use jiff::ToSpan as _;
use serde_json::json;

use super::client::{Ask, Client, Failed};
use super::hosts::Api;
use super::once::{ended, seen};

/// Page size of the calendar list.
const LIST_PAGE: usize = 250;
/// Google's `kind` of the calendar list.
const CALENDARS: &str = "calendar#calendarList";
/// Maximum number of people in one free-busy query; Google's limit.
const BUSY_MAX: usize = 50;

/// The calendars of one account.
pub(super) struct Calendars {
    pub(super) client: Arc<Client>,
    /// The person's address.
    pub(super) own: String,
    /// Whether the person allows Adjutant to change events.
    pub(super) may_change: bool,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
}

impl Calendars {
    fn seed(&self) -> Seed {
        Seed {
            now: self.clock.now(),
            entropy: Arc::clone(&self.entropy),
            own: vec![self.own.clone()],
        }
    }

    fn receipt(&self, remote_id: &RemoteId, etag: Option<Etag>) -> Receipt {
        let id = remote_id.clone();
        self.client.receipt(Some(id), etag, Vec::new())
    }
}

#[async_trait]
impl Backend<CalendarOp> for Calendars {
    async fn collections(&self) -> Result<Vec<RemoteCollection>, RemoteFault> {
        let path = ["users", "me", "calendarList"];
        let ask = Ask::get(Api::Calendar, path, "reading the list of calendars")
            .with("maxResults", LIST_PAGE);
        let listed = self.client.all(ask, CALENDARS).await?.into_iter();
        Ok(listed.filter_map(|item| self.collection(item)).collect())
    }

    async fn pull(
        &self,
        collection: &Collection,
        cursor: Option<&Cursor>,
        sink: &mut dyn Sink,
    ) -> Result<Cursor, PullFault> {
        let calendar = collection.remote_id.as_ref().ok_or(RemoteFault::Gone)?;
        self.read(&calendar.0, cursor, sink).await
    }

    async fn apply(&self, op: &CalendarOp, key: &Key) -> Ended {
        ended(self.carry_out(op, key).await)
    }

    async fn check(&self, op: &CalendarOp) -> Result<(), RemoteFault> {
        self.holds(op).await
    }

    async fn reconcile(&self, op: &CalendarOp, attempt: &Attempt) -> Reconciled {
        seen(self.look(op, &attempt.key).await)
    }
}

impl Calendars {
    /// Returns a calendar from the list; `None` if only its free-busy times are visible.
    fn collection(&self, item: wire::CalendarItem) -> Option<RemoteCollection> {
        let may_write = match item.access_role.as_str() {
            "owner" | "writer" => true,
            "reader" => false,
            _ => return None,
        };
        let is_colour = |text: &String| text.starts_with('#') && text.len() == 7;
        Some(RemoteCollection {
            remote_id: RemoteId(item.id),
            kind: CollectionKind::Calendar,
            name: item.summary_override.unwrap_or(item.summary),
            colour: item.background_color.filter(is_colour),
            writable: may_write && self.may_change,
        })
    }
}

#[async_trait]
impl CalendarBackend for Calendars {
    async fn free_busy(&self, who: &[String], window: Window) -> Result<FreeBusy, RemoteFault> {
        let now = self.clock.now();
        let from = window.from.unwrap_or_else(|| now.timestamp());
        let month = || now.checked_add(1.month()).map_or(from, |at| at.timestamp());
        let to = window.to.unwrap_or_else(month);
        let mut all = FreeBusy::default();
        for some in who.chunks(BUSY_MAX) {
            let items: Vec<_> = some.iter().map(|who| json!({ "id": who })).collect();
            let body =
                json!({ "timeMin": from.to_string(), "timeMax": to.to_string(), "items": items });
            let mut ask = Ask::new(
                Method::POST,
                Api::Calendar,
                ["freeBusy"],
                "asking when people are busy",
            )
            .json(body);
            ask.only_reads = true;
            let said: wire::FreeBusy = self.client.json(ask).await.map_err(Failed::fault)?;
            for (who, calendar) in said.calendars {
                // Google names here whose calendar does not exist or is not shared.
                if !calendar.errors.is_empty() {
                    continue;
                }
                all.known.push(who.clone());
                all.busy.extend(calendar.busy.into_iter().map(|busy| Busy {
                    who: who.clone(),
                    start: busy.start,
                    end: busy.end,
                }));
            }
        }
        Ok(all)
    }
}
