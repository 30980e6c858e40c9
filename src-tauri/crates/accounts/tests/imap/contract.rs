//! The contract for every provider.

use std::sync::Arc;

use adjutant_testkit::remote::suite;
use tokio::runtime::Handle;

use crate::dovecot::Dovecot;
use crate::rig::MailRig;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_mail_account_fulfils_the_contract() {
    let server = Arc::new(Dovecot::start());
    suite::run(|| {
        let server = server.clone();
        tokio::task::block_in_place(|| Handle::current().block_on(MailRig::new(&server, true)))
    })
    .await;
}
