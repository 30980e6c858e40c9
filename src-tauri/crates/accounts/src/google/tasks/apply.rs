//! Changes a task list and finds out what became of a change.

use adjutant_domain::operation::{Attempt, Etag, Key, Receipt, RemoteFault, TaskOp, Why};
use adjutant_domain::record::Task;
use adjutant_net::Method;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::TaskLists;
use super::pull::item;
use super::row::{Item, changed};
use crate::google::client::{Ask, Failed};
use crate::google::hosts::Api;
use crate::operation_log::Before;

/// How much earlier than its attempt a task may appear to have been added, since times in replies are whole seconds.
const GRACE: SignedDuration = SignedDuration::from_secs(5);

impl TaskLists {
    /// Carries out an operation.
    pub(super) async fn carry_out(&self, op: &TaskOp, key: &Key) -> Result<Receipt, Failed> {
        match op {
            TaskOp::Create {
                collection, task, ..
            } => self.create(&collection.remote_id.0, task, key).await,
            TaskOp::Update {
                collection,
                remote_id,
                etag,
                task,
                ..
            } => {
                let (list, id) = (&collection.remote_id.0, &remote_id.0);
                self.update(list, id, etag.as_ref(), task).await
            }
            TaskOp::Delete {
                collection,
                remote_id,
                etag,
            } => {
                let removing = self.remove(&collection.remote_id.0, &remote_id.0, etag.as_ref());
                self.client.delete_once(key, remote_id, removing).await
            }
        }
    }

    async fn create(&self, list: &str, task: &Task, key: &Key) -> Result<Receipt, Failed> {
        let asked = &self.client.asked;
        let now = self.clock.now().timestamp();
        let before = asked.begin(key, now);
        let found = match before {
            Before::Done(receipt) => return Ok(receipt),
            Before::Perhaps(since) => self.added_since(list, task, since).await?,
            Before::Never => None,
        };
        let made = match found {
            Some(found) => found,
            None => {
                let path = ["lists", list, "tasks"];
                let ask = Ask::new(Method::POST, Api::Tasks, path, "adding a task")
                    .json(Value::Object(changed(task, None)));
                let made = self.client.json::<Value>(ask).await;
                if matches!(made, Err(Failed::Refused { .. })) {
                    asked.refused(key, &before);
                }
                item(&made?).ok_or(Failed::Unknown(Why::Unreadable))?
            }
        };
        let receipt = self.receipt(&made.id, made.etag());
        asked.done(key, &receipt);
        Ok(receipt)
    }

    /// Finds the task that an attempt added, by its content. A task with the same content from before `since` is a
    /// different one.
    async fn added_since(
        &self,
        list: &str,
        task: &Task,
        since: Timestamp,
    ) -> Result<Option<Item>, RemoteFault> {
        let now = self.clock.now().timestamp();
        let is_added = |item: &Item, there: Option<Timestamp>| {
            is_same(item, task) && is_since(item, since, now, there)
        };
        self.find(list, is_added).await
    }

    async fn update(
        &self,
        list: &str,
        id: &str,
        etag: Option<&Etag>,
        task: &Task,
    ) -> Result<Receipt, Failed> {
        let there = self.task(list, id).await?.ok_or(RemoteFault::Gone)?;
        let current = there.etag();
        let fields = changed(task, Some(&there));
        if fields.is_empty() {
            return Ok(self.receipt(id, current));
        }
        if etag.is_some() && etag != current.as_ref() {
            return Err(RemoteFault::Conflict { current }.into());
        }
        let ask = Ask::new(
            Method::PATCH,
            Api::Tasks,
            ["lists", list, "tasks", id],
            "changing a task",
        )
        .if_match(current.as_ref())
        .json(Value::Object(fields));
        let made = self.client.json::<Value>(ask).await?;
        Ok(self.receipt(id, item(&made).and_then(|item| item.etag())))
    }

    async fn remove(&self, list: &str, id: &str, etag: Option<&Etag>) -> Result<(), Failed> {
        let there = self.task(list, id).await?.ok_or(RemoteFault::Gone)?;
        let current = there.etag();
        if etag.is_some() && etag != current.as_ref() {
            return Err(RemoteFault::Conflict { current }.into());
        }
        let path = ["lists", list, "tasks", id];
        let ask = Ask::new(Method::DELETE, Api::Tasks, path, "deleting a task");
        self.client
            .send(ask.if_match(current.as_ref()))
            .await
            .map(drop)
    }

    /// Fetches a task; `None` if no task has this id.
    async fn task(&self, list: &str, id: &str) -> Result<Option<Item>, RemoteFault> {
        let ask = Ask::get(Api::Tasks, ["lists", list, "tasks", id], "reading a task");
        match self.client.json::<Value>(ask).await.map_err(Failed::fault) {
            Ok(value) => Ok(item(&value).filter(|item| !item.deleted)),
            Err(RemoteFault::Gone) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// Checks that an operation's preconditions still hold.
    pub(super) async fn holds(&self, op: &TaskOp) -> Result<(), RemoteFault> {
        let (collection, remote_id, etag) = match op {
            TaskOp::Create { .. } => return Ok(()),
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
            } => (collection, remote_id, etag),
        };
        let there = self.task(&collection.remote_id.0, &remote_id.0).await?;
        let current = there.ok_or(RemoteFault::Gone)?.etag();
        match etag.is_none() || *etag == current {
            true => Ok(()),
            false => Err(RemoteFault::Conflict { current }),
        }
    }

    /// Looks up whether an operation was carried out; returns its receipt if so.
    pub(super) async fn look(
        &self,
        op: &TaskOp,
        attempt: &Attempt,
    ) -> Result<Option<Receipt>, RemoteFault> {
        match op {
            TaskOp::Create {
                collection, task, ..
            } => {
                let list = &collection.remote_id.0;
                let found = self.added_since(list, task, attempt.started).await?;
                if found.is_none() {
                    self.client.asked.forget(&attempt.key);
                }
                Ok(found.map(|item| self.receipt(&item.id, item.etag())))
            }
            TaskOp::Update {
                collection,
                remote_id,
                task,
                ..
            } => {
                let there = self.task(&collection.remote_id.0, &remote_id.0).await?;
                let there = there.filter(|item| changed(task, Some(item)).is_empty());
                Ok(there.map(|item| self.receipt(&remote_id.0, item.etag())))
            }
            TaskOp::Delete {
                collection,
                remote_id,
                ..
            } => {
                let there = self.task(&collection.remote_id.0, &remote_id.0).await?;
                Ok(there.is_none().then(|| self.receipt(&remote_id.0, None)))
            }
        }
    }
}

fn is_same(item: &Item, task: &Task) -> bool {
    !item.deleted && changed(task, Some(item)).is_empty()
}

/// Tells whether a task was written after an attempt began. The attempt's start comes from this computer's clock, so
/// the difference from the server's clock, as seen in the reply, is corrected first.
fn is_since(item: &Item, started: Timestamp, now: Timestamp, there: Option<Timestamp>) -> bool {
    let ahead = there.map_or(SignedDuration::ZERO, |there| now.duration_since(there));
    let started = started
        .checked_sub(ahead)
        .and_then(|at| at.checked_sub(GRACE));
    match (item.updated, started) {
        (Some(updated), Ok(started)) => updated >= started,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_clock_does_not_matter() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let item = Item {
            updated: Some(at("2026-01-12T12:00:03Z")),
            ..Item::default()
        };
        // Ours is ten minutes ahead, or behind; the attempt began two seconds before the task was written.
        for (started, now) in [
            ("2026-01-12T12:10:01Z", "2026-01-12T12:10:30Z"),
            ("2026-01-12T11:50:01Z", "2026-01-12T11:50:30Z"),
        ] {
            let there = Some(at("2026-01-12T12:00:30Z"));
            assert!(is_since(&item, at(started), at(now), there), "{started}");
            let later = at(started)
                .checked_add(SignedDuration::from_mins(1))
                .unwrap();
            let now = at(now).checked_add(SignedDuration::from_mins(2)).unwrap();
            let there = Some(at("2026-01-12T12:02:30Z"));
            assert!(
                !is_since(&item, later, now, there),
                "an older task of the same words"
            );
        }
    }
}
