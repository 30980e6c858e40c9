//! What the calculator promises.

use adjutant_testkit::World;
use serde_json::json;

use crate::testing::check;

#[tokio::test]
async fn it_computes_or_says_why_not() {
    check(
        || World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]"),
        &[
            ("calc.evaluate", json!({"text": "2 + 2"}), "2 + 2 = 4."),
            (
                "calc.evaluate",
                json!({"text": "soup"}),
                "! That is no arithmetic.",
            ),
            (
                "calc.evaluate",
                json!({"text": "1".repeat(1_001)}),
                "! A calculation has at most 1000 characters.",
            ),
        ],
    )
    .await;
}
