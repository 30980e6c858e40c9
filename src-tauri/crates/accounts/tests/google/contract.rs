//! The contract for every provider.

use adjutant_testkit::remote::suite;
use tokio::runtime::Handle;

use crate::rig::GoogleRig;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_google_account_fulfils_the_contract() {
    suite::run(|| tokio::task::block_in_place(|| Handle::current().block_on(GoogleRig::new())))
        .await;
}
