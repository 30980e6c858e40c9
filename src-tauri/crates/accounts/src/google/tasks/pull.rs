//! Reads a task list: everything once, then what changed since the last change seen.

use std::collections::BTreeMap;

use adjutant_domain::account::Cursor;
use adjutant_domain::operation::{RemoteFault, RemoteId, Why};
use adjutant_domain::ports::provider::PAGE_MAX;
use adjutant_domain::ports::{PullFault, Pulled, PulledWhat, Sink};
use adjutant_domain::record::Record;
use adjutant_net::HeaderMap;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::TaskLists;
use super::row::{Item, row};
use crate::google::client::{Ask, Failed};
use crate::google::hosts::Api;

/// Page size; Google's maximum.
const TASKS_PAGE: usize = 100;
/// Google's `kind` of a page of tasks.
const TASKS: &str = "tasks#tasks";
/// Maximum number of pages in one reading: twice as many as a list can fill.
const PAGES_MAX: usize = 2_000;

/// How far a list has been read: the time of the last change, and the ETags already seen at that moment. The time is
/// Google's, so this computer's clock does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct TaskListCursor {
    since: Timestamp,
    seen: BTreeMap<String, String>,
}

impl TaskListCursor {
    /// Tells whether this state of the task was already seen.
    fn is_known(&self, item: &Item) -> bool {
        let etag = item.etag.as_deref().unwrap_or_default();
        item.updated == Some(self.since)
            && self.seen.get(&item.id).map(String::as_str) == Some(etag)
    }

    fn note(&mut self, item: &Item) {
        let Some(updated) = item.updated.filter(|at| *at >= self.since) else {
            return;
        };
        if updated > self.since {
            self.since = updated;
            self.seen.clear();
        }
        let etag = item.etag.clone().unwrap_or_default();
        self.seen.insert(item.id.clone(), etag);
    }
}

/// A page of tasks.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Page {
    /// Google's `kind`, which is checked: any other readable JSON would look like an empty list.
    kind: String,
    pub(super) items: Vec<Value>,
    next_page_token: Option<String>,
}

impl TaskLists {
    /// Reads a task list.
    pub(super) async fn read(
        &self,
        list: &str,
        cursor: Option<&Cursor>,
        sink: &mut dyn Sink,
    ) -> Result<Cursor, PullFault> {
        let known: Option<TaskListCursor> = cursor
            .map(|cursor| serde_json::from_str(&cursor.0))
            .transpose()
            .map_err(|_| PullFault::CursorRefused)?;
        let mut next = known.clone().unwrap_or_default();
        let mut page_token = None;
        let now = self.clock.now().timestamp();
        for _ in 0..PAGES_MAX {
            let since = known.as_ref().map(|mark| mark.since);
            let page = self.page(list, since, page_token.as_deref()).await;
            let (page, _) = page.map_err(|failed| match failed.status() {
                Some(400 | 410) if since.is_some() => PullFault::CursorRefused,
                _ => failed.fault().into(),
            })?;
            let mut all = Vec::new();
            for value in page.items {
                let Some(item) = item(&value) else {
                    tracing::info!("a task at Google that cannot be read is left out");
                    continue;
                };
                next.note(&item);
                // In a first reading, deleted tasks are not news.
                let is_known = known
                    .as_ref()
                    .map_or(item.deleted, |mark| mark.is_known(&item));
                if is_known {
                    continue;
                }
                all.push(self.pulled(&item, &value, now));
            }
            while !all.is_empty() {
                let later = all.split_off(all.len().min(PAGE_MAX));
                sink.take(std::mem::replace(&mut all, later)).await?;
            }
            match page.next_page_token {
                Some(token) => page_token = Some(token),
                None => return Ok(Cursor(serde_json::json!(next).to_string())),
            }
        }
        Err(too_many().into())
    }

    fn pulled(&self, item: &Item, value: &Value, now: Timestamp) -> Pulled {
        let what = match item.deleted {
            true => PulledWhat::Gone,
            false => PulledWhat::There {
                etag: item.etag(),
                uid_validity: None,
                rows: vec![Record::Task(row(item, self.entropy.as_ref(), now))],
                source: Some(value.to_string().into_bytes()),
            },
        };
        Pulled {
            remote_id: RemoteId(item.id.clone()),
            what,
        }
    }

    async fn page(
        &self,
        list: &str,
        since: Option<Timestamp>,
        page_token: Option<&str>,
    ) -> Result<(Page, HeaderMap), Failed> {
        let mut ask = Ask::get(Api::Tasks, ["lists", list, "tasks"], "reading tasks")
            .with("maxResults", TASKS_PAGE)
            .with("showCompleted", true)
            .with("showHidden", true)
            .with("showDeleted", true);
        if let Some(since) = since {
            ask = ask.with("updatedMin", since);
        }
        if let Some(token) = page_token {
            ask = ask.with("pageToken", token);
        }
        let reply = self.client.send(ask).await?;
        let page = serde_json::from_slice::<Page>(&reply.bytes).ok();
        let page = page.filter(|page| page.kind == TASKS);
        let page = page.ok_or(Failed::Unknown(Why::Unreadable))?;
        Ok((page, reply.headers))
    }

    /// Returns the first matching task. `is_wanted` also gets the server's time of the reply.
    pub(super) async fn find(
        &self,
        list: &str,
        is_wanted: impl Fn(&Item, Option<Timestamp>) -> bool + Send + Sync,
    ) -> Result<Option<Item>, RemoteFault> {
        let mut page_token = None;
        for _ in 0..PAGES_MAX {
            let page = self.page(list, None, page_token.as_deref()).await;
            let (page, headers) = page.map_err(Failed::fault)?;
            let there = server_time(&headers);
            let mut items = page.items.iter().filter_map(item);
            if let Some(found) = items.find(|item| is_wanted(item, there)) {
                return Ok(Some(found));
            }
            match page.next_page_token {
                Some(token) => page_token = Some(token),
                None => return Ok(None),
            }
        }
        Err(too_many())
    }
}

/// Parses a task; `None` if the JSON is not a task.
pub(super) fn item(value: &Value) -> Option<Item> {
    Item::deserialize(value)
        .ok()
        .filter(|item| !item.id.is_empty())
}

/// Returns the server's time from the `Date` header.
fn server_time(headers: &HeaderMap) -> Option<Timestamp> {
    let text = headers.get("date")?.to_str().ok()?;
    Timestamp::try_from(httpdate::parse_http_date(text).ok()?).ok()
}

fn too_many() -> RemoteFault {
    RemoteFault::Refused {
        what: "the list has more tasks than can be read".to_owned(),
    }
}
