//! The contract for every provider.

use adjutant_testkit::remote::suite;

use crate::rig::GoogleRig;

#[tokio::test]
async fn mail_and_contacts_of_google_fulfil_the_contract() {
    suite::run(GoogleRig::new).await;
}
