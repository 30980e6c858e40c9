//! Reads any text as a request to the planner, and as a reply to a waiting plan: it is understood or not, and never
//! panics.
#![no_main]

use std::sync::LazyLock;

use adjutant_domain::focus::Focus;
use adjutant_domain::plan::Plan;
use adjutant_domain::reading::{Planner as _, Reading, Resumer as _, Router as _, Utterance};
use adjutant_domain::settings::Settings;
use adjutant_understanding::Embedded;
use jiff::Zoned;

static NOW: LazyLock<Zoned> = LazyLock::new(|| {
    "2026-03-29T01:59:00+01:00[Europe/Paris]"
        .parse()
        .expect("a time")
});

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (settings, focus) = (Settings::default(), Focus::default());
    let said = Utterance {
        text,
        now: &NOW,
        settings: &settings,
        focus: &focus,
        history: &[],
        people: &[],
        names: &[],
        tools: &[],
    };
    let route = Embedded.route(&said);
    assert!((0.0..=1.0).contains(&route.confidence));
    if let Reading::Plan { plan, .. } = Embedded.plan(&said, &route) {
        assert!(!plan.steps.is_empty(), "a plan without a step");
        let waiting: Plan = serde_json::from_value(serde_json::json!({
            "id": "plan_1", "request": plan.request, "steps": [],
        }))
        .expect("a plan");
        let _ = Embedded.resume(&said, text, &waiting, None);
    }
    let _ = Embedded.confirm(text, "Delete the budget review?");
});
