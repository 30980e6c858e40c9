//! Tests of the write-ahead log.

use adjutant_domain::change::Change;
use adjutant_domain::record::Record;

use super::{fresh, note};

#[tokio::test]
async fn checkpoints_the_log_rarely_and_bounds_its_size() {
    /// Size in bytes at which SQLite checkpoints the log by default.
    const USUAL: u64 = 1_000 * 4_096;
    let (folder, store) = fresh();
    let body = "word ".repeat(40_000);
    let mut longest = 0;
    for number in 0..200 {
        let id = format!("n{number}");
        let change = Change::add(Record::Note(note(&id, &id, &body)));
        store.apply(change).await.expect("stored");
        let log = std::fs::metadata(folder.path().join("adjutant.db-wal"));
        longest = longest.max(log.expect("a log").len());
    }
    assert!(longest > 2 * USUAL, "{longest}: a commit waited for it");
    // 200 notes of 200,000 bytes, far more than the log ever holds.
    assert!(longest < 6 * USUAL, "{longest}");
}
