//! Tests with a large mailbox. A debug build runs beside other tests here, so the time limits are what the
//! documentation promises, not what a fast run achieves; `--no-capture` prints the measured times.

use std::time::{Duration, Instant};

use adjutant_domain::faults::StoreFault;
use adjutant_domain::ports::{Pulled, Sink};
use async_trait::async_trait;

use crate::rig::GoogleRig;

/// Counts what is delivered, and records when the first page came.
#[derive(Default)]
struct Counted {
    count: usize,
    first: Option<Instant>,
}

#[async_trait]
impl Sink for Counted {
    async fn take(&mut self, page: Vec<Pulled>) -> Result<(), StoreFault> {
        self.count += page.len();
        self.first.get_or_insert_with(now);
        Ok(())
    }
}

#[expect(clippy::disallowed_methods, reason = "this test measures")]
fn now() -> Instant {
    Instant::now()
}

/// Returns the peak memory of this process in MiB, including the stub and its mails.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kib / 1024)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_mailbox_is_soon_usable_and_polled_with_one_request() {
    read_all(5_000).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes in a debug build"]
async fn so_is_one_of_fifty_thousand_mails() {
    read_all(50_000).await;
}

async fn read_all(mails: i64) {
    let rig = GoogleRig::new();
    for at in 0..mails {
        let text = "A line of a letter that somebody wrote.\r\n".repeat(20);
        let mime = format!(
            "From: a@work.example\r\nTo: me@home.example\r\nSubject: Mail {at}\r\nMessage-ID: <{at}@work.example>\r\n\r\n{text}"
        );
        rig.google()
            .mail
            .add(mime.as_bytes(), at * 1_000, &["INBOX"]);
    }
    let before = peak();
    let begin = now();
    let mut counted = Counted::default();
    let cursor = rig
        .backends
        .pull(&rig.all_mail(None), &mut counted)
        .await
        .unwrap();
    let whole = begin.elapsed();
    let first = counted.first.unwrap().duration_since(begin);
    assert_eq!(i64::try_from(counted.count), Ok(mails));
    assert!(
        first < Duration::from_secs(10),
        "the first 200 after {first:?}"
    );
    if let (Some(before), Some(after)) = (before, peak()) {
        println!("peak {before} MiB before, {after} MiB after");
        assert!(after - before < 400, "{before} MiB, then {after} MiB");
    }
    rig.google().asked.clear();
    let begin = now();
    let mut nothing = Counted::default();
    rig.backends
        .pull(&rig.all_mail(Some(cursor)), &mut nothing)
        .await
        .unwrap();
    let again = begin.elapsed();
    println!("first 200 after {first:?}, all after {whole:?}, nothing new after {again:?}");
    assert_eq!((nothing.count, rig.google().asked.len()), (0, 1));
    assert!(again < Duration::from_secs(1), "{again:?}");
}
