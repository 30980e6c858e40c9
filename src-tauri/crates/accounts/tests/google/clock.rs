//! Tests of a local clock that is ten minutes ahead or behind: all the time, or from one moment on.

use std::sync::{Arc, Mutex};

use adjutant_accounts::Provider as _;
use adjutant_accounts::google::Google;
use adjutant_domain::account::CollectionKind;
use adjutant_domain::ports::Clock;
use adjutant_testkit::remote::listed;
use jiff::{SignedDuration, Zoned};
use serde_json::json;

use crate::rig::{GoogleRig, NOW, access};
use crate::stub::{PERSON, REFRESH, Stub, lock};

/// A clock that a test sets.
struct SetClock(Mutex<Zoned>);

impl Clock for SetClock {
    fn now(&self) -> Zoned {
        self.0.lock().unwrap().clone()
    }

    fn is_fixed(&self) -> bool {
        true
    }
}

fn after(minutes: i64) -> Zoned {
    let now: Zoned = NOW.parse().unwrap();
    now.checked_add(SignedDuration::from_mins(minutes)).unwrap()
}

/// Returns how often a token was asked for.
fn renewals(stub: &Stub) -> usize {
    let state = lock(&stub.state);
    let is_token = |path: &str| path == "/token";
    state
        .log
        .iter()
        .filter(|asked| is_token(asked.url.path()))
        .count()
}

#[tokio::test]
async fn a_clock_that_is_always_off_does_not_matter() {
    for minutes in [-10, 10] {
        let rig = GoogleRig::at(&after(minutes).to_string()).await;
        let event = |title: &str| {
            json!({ "summary": title, "start": { "dateTime": "2026-01-13T09:00:00+01:00" },
                "end": { "dateTime": "2026-01-13T10:00:00+01:00" } })
        };
        lock(&rig.stub.state)
            .events
            .put(PERSON, "one", event("One"));
        let (pulled, cursor) = rig.pull(CollectionKind::Calendar, None).await;
        assert_eq!((pulled.len(), renewals(&rig.stub)), (1, 1), "{minutes}");
        // The server ends the token by its own clock.
        lock(&rig.stub.state).end_tokens();
        lock(&rig.stub.state)
            .events
            .put(PERSON, "two", event("Two"));
        let (pulled, cursor) = rig.pull(CollectionKind::Calendar, cursor.ok()).await;
        assert_eq!((pulled.len(), renewals(&rig.stub)), (1, 2), "{minutes}");
        let (pulled, _) = rig.pull(CollectionKind::Calendar, cursor.ok()).await;
        assert_eq!((pulled.len(), renewals(&rig.stub)), (0, 2), "{minutes}");
    }
}

/// Tokens last 3,599 seconds, and are renewed a minute earlier.
#[tokio::test]
async fn a_clock_that_jumps_costs_one_renewal_at_most() {
    for (passed, jumps, server_ended, expected) in [
        (30, 10, false, 1),
        (30, -10, false, 1),
        // Ahead: renewed although the server would still take it.
        (52, 10, false, 2),
        // Behind: the server refuses a token that still looks valid here.
        (62, -10, true, 2),
    ] {
        let stub = Stub::start().await;
        let clock = Arc::new(SetClock(Mutex::new(after(0))));
        let mut access = access(&stub.base, NOW);
        access.clock = clock.clone();
        access.settings.insert("email".into(), PERSON.into());
        let refresh = REFRESH.to_owned().into();
        access.secrets.insert("refresh_token".into(), refresh);
        let backends = Google.connect(access).unwrap();
        listed(&backends).await.unwrap();
        *clock.0.lock().unwrap() = after(passed + jumps);
        if server_ended {
            lock(&stub.state).end_tokens();
        }
        listed(&backends).await.unwrap();
        assert_eq!(renewals(&stub), expected, "{passed} {jumps}");
        listed(&backends).await.unwrap();
        assert_eq!(renewals(&stub), expected, "once: {passed} {jumps}");
    }
}
