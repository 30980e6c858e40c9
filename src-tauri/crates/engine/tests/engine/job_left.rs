//! Tests of waiting for work that somebody else in this process does on a job.

use std::time::Duration;

use adjutant_domain::job::{Ended, Job};
use adjutant_domain::ports::Records as _;
use adjutant_domain::settings::Settings;
use adjutant_engine::NotDone;
use tokio::sync::oneshot;

use crate::accounts::Profile;
use crate::script::Mind;

#[tokio::test]
async fn who_finds_a_job_taken_waits_until_that_work_has_ended() {
    let profile = Profile::new(Settings::default(), Mind::default()).await;
    let accounts = profile.store.accounts().await.unwrap();
    let account = accounts.iter().find(|one| !one.id.is_local()).unwrap();
    let (engine, job) = (&profile.engine, Job::sync(account, profile.now()));
    let (begin, begun) = oneshot::channel();
    let (end, ended) = oneshot::channel();
    let work = engine.work_on(job.clone(), |_| async {
        begin.send(()).unwrap();
        ended.await.unwrap();
        (Ended::Done, ())
    });
    let other = async {
        begun.await.unwrap();
        let taken = engine.work_on(job.clone(), |_| async { (Ended::Done, ()) });
        assert_eq!(taken.await, Err(NotDone::Busy));
        let early = tokio::time::timeout(Duration::from_millis(200), engine.until_left(&job.id));
        assert!(early.await.is_err(), "it did not wait for the work");
        end.send(()).unwrap();
        engine.until_left(&job.id).await.unwrap();
    };
    let (work, ()) = tokio::join!(work, other);
    assert_eq!(work, Ok(()));
    assert_eq!(engine.until_left(&job.id).await, Ok(()));
}
