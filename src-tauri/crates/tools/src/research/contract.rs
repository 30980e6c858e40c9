//! What `research.start` promises.

use adjutant_testkit::World;
use serde_json::json;

use crate::testing::check;

#[tokio::test]
async fn it_asks_before_it_begins_and_never_guesses() {
    check(
        || World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]"),
        &[
            (
                "research.start",
                json!({"objective": "pumps"}),
                "? What exactly do you want to find out? One word is not enough to search for.",
            ),
            (
                "research.start",
                json!({"objective": "heat pumps for old houses"}),
                "? What is it for: which decision or work will it help with?",
            ),
            (
                "research.start",
                json!({"objective": "heat pumps for old houses", "why": "to buy one"}),
                "? What would a good result look like?",
            ),
            (
                "research.start",
                json!({"objective": "heat pumps for old houses", "why": "to buy one", "success": "prices; no prices"}),
                "? “prices” and “no prices” do not go together. Which one counts?",
            ),
        ],
    )
    .await;
}
