use std::sync::Arc;

use adjutant_domain::account::{Collection, Cursor};
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{
    Attempt, Ended, Etag, Key, Reconciled, RemoteFault, RemoteId, TaskOp,
};
use adjutant_domain::ports::{Backend, Backends, PullFault, RemoteCollection, Sink, TaskBackend};
use adjutant_domain::record::Record;
use async_trait::async_trait;

use super::{Rig, ScriptedRemote, Trouble, run};

#[tokio::test]
async fn the_scripted_provider_fulfils_the_contract() {
    run(|| ScriptedRemote::new("acc_scripted")).await;
}

/// Ways in which a backend can check its preconditions wrongly.
#[derive(Clone, Copy)]
enum Wrong {
    /// Asks the server, and says yes to any answer.
    SaysYes,
    /// Carries out the request to see whether it works.
    Tries,
    /// Takes every fault for a change by another client.
    SaysConflict,
}

/// The scripted provider with tasks only, which checks preconditions wrongly.
#[derive(Clone)]
struct Careless {
    remote: ScriptedRemote,
    wrong: Wrong,
}

#[async_trait]
impl Backend<TaskOp> for Careless {
    async fn collections(&self) -> Result<Vec<RemoteCollection>, RemoteFault> {
        Backend::<TaskOp>::collections(&self.remote).await
    }
    async fn pull(
        &self,
        collection: &Collection,
        cursor: Option<&Cursor>,
        sink: &mut dyn Sink,
    ) -> Result<Cursor, PullFault> {
        Backend::<TaskOp>::pull(&self.remote, collection, cursor, sink).await
    }
    async fn apply(&self, op: &TaskOp, key: &Key) -> Ended {
        self.remote.apply(op, key).await
    }
    async fn check(&self, op: &TaskOp) -> Result<(), RemoteFault> {
        let looked = self.remote.check(op).await;
        match self.wrong {
            Wrong::SaysYes => Ok(()),
            Wrong::Tries => match self.remote.apply(op, &Key("a try".into())).await {
                Ended::Refused { fault } => Err(fault),
                Ended::Done { .. } | Ended::Unknown { .. } => looked,
            },
            Wrong::SaysConflict => looked.map_err(|fault| match fault {
                RemoteFault::Unreachable | RemoteFault::TimedOut => {
                    RemoteFault::Conflict { current: None }
                }
                other => other,
            }),
        }
    }
    async fn reconcile(&self, op: &TaskOp, attempt: &Attempt) -> Reconciled {
        self.remote.reconcile(op, attempt).await
    }
}

impl TaskBackend for Careless {}

impl Rig for Careless {
    fn backends(&self) -> Backends {
        Backends {
            tasks: Some(Arc::new(self.clone())),
            ..Backends::default()
        }
    }
    fn account(&self) -> AccountId {
        Rig::account(&self.remote)
    }
    fn meet(&self, trouble: Trouble) {
        self.remote.meet(trouble);
    }
    fn put(&self, collection: &RemoteId, remote_id: &RemoteId, rows: Vec<Record>) -> Option<Etag> {
        Rig::put(&self.remote, collection, remote_id, rows)
    }
    fn attach(&self, collection: &RemoteId, remote_id: &RemoteId, files: Vec<Vec<u8>>) {
        self.remote.attach(collection, remote_id, files);
    }
    fn delete(&self, collection: &RemoteId, remote_id: &RemoteId) {
        self.remote.delete(collection, remote_id);
    }
    fn forget_cursors(&self) {
        self.remote.forget_cursors();
    }
    fn refuse_recipient(&self, email: &str) {
        self.remote.refuse_recipient(email);
    }
    fn carried_out(&self) -> usize {
        self.remote.carried_out()
    }
}

async fn run_on(wrong: Wrong) {
    run(|| Careless {
        remote: ScriptedRemote::new("acc_scripted"),
        wrong,
    })
    .await;
}

#[tokio::test]
#[should_panic(expected = "check: it is gone")]
async fn detects_a_backend_that_always_says_yes() {
    run_on(Wrong::SaysYes).await;
}

#[tokio::test]
#[should_panic(expected = "check changes nothing")]
async fn detects_a_backend_that_tries_instead_of_checking() {
    run_on(Wrong::Tries).await;
}

#[tokio::test]
#[should_panic(expected = "check: no answer")]
async fn detects_a_backend_that_takes_silence_for_a_conflict() {
    run_on(Wrong::SaysConflict).await;
}
