//! Implements the port for standing grants.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::gate::{Grant, Unasked};
use adjutant_domain::ids::GrantId;
use adjutant_domain::ports::Grants;
use async_trait::async_trait;
use jiff::Timestamp;

use crate::Store;
use crate::tables::grants;

type Stored<T> = std::result::Result<T, StoreFault>;

#[async_trait]
impl Grants for Store {
    async fn add_grant(&self, grant: &Grant) -> Stored<()> {
        let grant = grant.clone();
        self.write("add_grant", move |tx| grants::add(tx, &grant))
            .await
    }

    async fn grants(&self) -> Stored<Vec<Grant>> {
        self.read(grants::list).await
    }

    async fn revoke_grant(&self, id: &GrantId, at: Timestamp) -> Stored<()> {
        let id = id.clone();
        self.write("revoke_grant", move |tx| grants::revoke(tx, &id, at))
            .await
    }

    async fn restore_grant(&self, id: &GrantId, at: Timestamp) -> Stored<()> {
        let id = id.clone();
        self.write("restore_grant", move |tx| grants::restore(tx, &id, at))
            .await
    }

    async fn note_unasked(&self, run: &Unasked, at: Timestamp) -> Stored<()> {
        let run = run.clone();
        self.write("note_unasked", move |tx| grants::note(tx, &run, at))
            .await
    }
}
