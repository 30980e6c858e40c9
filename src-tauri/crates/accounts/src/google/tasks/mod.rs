//! Task lists of a Google account. Google chooses task ids and has no sync tokens. So a task that was added is found
//! again by its content, and a reading continues from the last change seen, in Google's own time.

mod apply;
mod pull;
mod row;

use std::sync::Arc;

use adjutant_domain::account::{Collection, CollectionKind, Cursor};
use adjutant_domain::operation::{
    Attempt, Ended, Etag, Key, Receipt, Reconciled, RemoteFault, RemoteId, TaskOp,
};
use adjutant_domain::ports::{
    Backend, Clock, Entropy, PullFault, RemoteCollection, Sink, TaskBackend,
};
use adjutant_domain::record::Task;
use async_trait::async_trait;
use serde::Deserialize;

use super::client::{Ask, Client};
use super::hosts::Api;
use super::once::{ended, seen};

/// Page size of the list of task lists.
const LISTS_PAGE: usize = 100;
/// Google's `kind` of the list of task lists.
const LISTS: &str = "tasks#taskLists";

/// The task lists of one account.
pub(super) struct TaskLists {
    pub(super) client: Arc<Client>,
    /// Whether the person allows Adjutant to change tasks.
    pub(super) may_change: bool,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
}

#[derive(Deserialize)]
struct List {
    id: String,
    #[serde(default)]
    title: String,
}

impl TaskLists {
    fn receipt(&self, id: &str, etag: Option<Etag>) -> Receipt {
        let id = RemoteId(id.to_owned());
        self.client.receipt(Some(id), etag, Vec::new())
    }
}

#[async_trait]
impl Backend<TaskOp> for TaskLists {
    async fn collections(&self) -> Result<Vec<RemoteCollection>, RemoteFault> {
        let ask = Ask::get(
            Api::Tasks,
            ["users", "@me", "lists"],
            "reading the lists of tasks",
        )
        .with("maxResults", LISTS_PAGE);
        let listed: Vec<List> = self.client.all(ask, LISTS).await?;
        let listed = listed.into_iter().map(|list| RemoteCollection {
            remote_id: RemoteId(list.id),
            kind: CollectionKind::TaskList,
            name: list.title,
            colour: None,
            writable: self.may_change,
        });
        Ok(listed.collect())
    }

    async fn pull(
        &self,
        collection: &Collection,
        cursor: Option<&Cursor>,
        sink: &mut dyn Sink,
    ) -> Result<Cursor, PullFault> {
        let list = collection.remote_id.as_ref().ok_or(RemoteFault::Gone)?;
        self.read(&list.0, cursor, sink).await
    }

    async fn apply(&self, op: &TaskOp, key: &Key) -> Ended {
        ended(self.carry_out(op, key).await)
    }

    async fn check(&self, op: &TaskOp) -> Result<(), RemoteFault> {
        self.holds(op).await
    }

    async fn reconcile(&self, op: &TaskOp, attempt: &Attempt) -> Reconciled {
        seen(self.look(op, attempt).await)
    }
}

impl TaskBackend for TaskLists {
    fn keep_here(&self, read: &mut Task, here: &Task) {
        row::keep_here(read, here);
    }
}
