//! The contract for every provider, family by family.

use std::sync::Arc;

use adjutant_domain::account::CollectionKind;
use adjutant_testkit::remote::suite;
use tokio::runtime::Handle;

use crate::radicale::Radicale;
use crate::rig::DavRig;

async fn keeps_the_contract(kind: CollectionKind) {
    let server = Arc::new(Radicale::start());
    suite::run(|| {
        let server = server.clone();
        let mut rig =
            tokio::task::block_in_place(|| Handle::current().block_on(DavRig::new(&server)));
        rig.family = Some(kind);
        rig
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn calendars_fulfil_the_contract() {
    keeps_the_contract(CollectionKind::Calendar).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn task_lists_fulfil_the_contract() {
    keeps_the_contract(CollectionKind::TaskList).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn address_books_fulfil_the_contract() {
    keeps_the_contract(CollectionKind::AddressBook).await;
}
