//! What the calculator promises.

use adjutant_testkit::{World, make};
use serde_json::json;

use crate::testing::check;

#[tokio::test]
async fn it_computes_or_says_why_not() {
    check(
        || {
            let mut yuki = make::contact("who_yuki", "Yuki Mori", &[]);
            yuki.phones = vec!["+81 3 5550 0199".into()];
            World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]").with(yuki)
        },
        &[
            ("calc.evaluate", json!({"text": "2 + 2"}), "2 + 2 = 4."),
            (
                "calc.evaluate",
                json!({"text": "soup"}),
                "! That is no arithmetic.",
            ),
            (
                "calc.evaluate",
                json!({"to": {"summary": "Trip", "start": "2026-03-02", "end": "2026-03-03", "id": "ev_1"}, "unit": "weeks"}),
                "6 weeks and 5 days until “Trip” (Mon 2 Mar).",
            ),
            (
                "calc.evaluate",
                json!({"from": "2026-01-02"}),
                "12 days since Fri 2 Jan.",
            ),
            (
                "calc.evaluate",
                json!({
                    "from": {"summary": "Late", "start": "2026-01-15T15:00:00+01:00[Europe/Berlin]", "end": "2026-01-15T16:00:00+01:00[Europe/Berlin]"},
                    "to": {"summary": "Early", "start": "2026-01-15T09:00:00+01:00[Europe/Berlin]", "end": "2026-01-15T10:30:00+01:00[Europe/Berlin]"},
                }),
                "4 h 30 min between “Late” (Thu 15 Jan, 15:00) and “Early” (Thu 15 Jan, 09:00).",
            ),
            (
                "calc.evaluate",
                json!({
                    "from": {"summary": "One", "start": "2026-01-15T09:00:00+01:00[Europe/Berlin]", "end": "2026-01-15T11:00:00+01:00[Europe/Berlin]"},
                    "to": {"summary": "Two", "start": "2026-01-15T10:00:00+01:00[Europe/Berlin]", "end": "2026-01-15T10:30:00+01:00[Europe/Berlin]"},
                }),
                "“One” (Thu 15 Jan, 09:00) and “Two” (Thu 15 Jan, 10:00) overlap.",
            ),
            (
                "calc.evaluate",
                json!({"person": ["Yuki Mori"], "at": "2026-01-14T16:00:00+01:00[Europe/Berlin]"}),
                "Wed 14 Jan, 16:00 here is Thu 15 Jan, 00:00 for Yuki Mori (Asia/Tokyo, by the telephone number +81 3 5550 0199).",
            ),
            (
                "calc.evaluate",
                json!({"person": ["Ana"]}),
                "I don't know the time zone of Ana. Name the place, for example “what time is it in Tokyo”.",
            ),
            (
                "calc.evaluate",
                json!({"unit": "days"}),
                "! Say from when or until when.",
            ),
            (
                "calc.evaluate",
                json!({"text": "2 + 2", "to": "2026-03-02"}),
                "! Either a text or the ends of a time, not both.",
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
