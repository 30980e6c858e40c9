//! Tests of comparisons with a candidate model: counts by stage, latest differences first, and never more rows than the
//! limit.

use serde_json::json;

use super::fresh;
use crate::{COMPARED_ROWS_MAX, Comparison};

fn comparison(n: i64, stage: &str, same: bool) -> Comparison {
    Comparison {
        stage: stage.into(),
        candidate: "lab/two".into(),
        same,
        what: json!({ "n": n }),
    }
}

#[tokio::test]
async fn counts_agreement_and_lists_differences_newest_first() {
    let (_folder, store) = fresh();
    for (n, stage, same) in [
        (1, "route", true),
        (2, "route", false),
        (3, "plan", true),
        (4, "route", false),
    ] {
        let one = comparison(n, stage, same);
        store.note_comparison(one).await.expect("stored");
    }
    let (agreement, differences) = store.comparisons(1).await.expect("read");
    let counted: Vec<_> = agreement
        .iter()
        .map(|one| (one.stage.as_str(), one.of, one.same))
        .collect();
    assert_eq!(counted, [("plan", 1, 1), ("route", 3, 1)]);
    assert_eq!(differences, [json!({ "n": 4 })]);
}

#[tokio::test]
async fn removes_the_oldest_comparisons() {
    let (_folder, store) = fresh();
    let write = async |n| {
        let one = comparison(n, "plan", false);
        store.note_comparison(one).await.expect("stored");
    };
    write(1).await;
    store
        .write("apply", |tx| {
            tx.execute("UPDATE compared SET n = n + ?1", [COMPARED_ROWS_MAX - 1])?;
            Ok(())
        })
        .await
        .expect("as many as are kept, but for one");
    write(2).await;
    let (_, left) = store.comparisons(9).await.expect("read");
    assert_eq!(left, [json!({ "n": 2 }), json!({ "n": 1 })]);
    store
        .write("apply", |tx| {
            tx.execute("UPDATE compared SET n = 1 WHERE what LIKE '%1%'", [])?;
            Ok(())
        })
        .await
        .expect("the first is the oldest again");
    write(3).await;
    let (_, left) = store.comparisons(9).await.expect("read");
    assert_eq!(left, [json!({ "n": 3 }), json!({ "n": 2 })]);
}
