//! Tests of events and occurrences through the port.

use adjutant_domain::change::Change;
use adjutant_domain::filter::{Filter, Order, Role, Test, Time, Window};
use adjutant_domain::ports::Records as _;
use adjutant_domain::record::{Attendee, Event, Record};
use jiff::tz::TimeZone;

use super::{at, event, fresh, moment};
use crate::Store;

const NEW_YORK: &str = "America/New_York";

async fn put(store: &Store, events: impl IntoIterator<Item = Event>) {
    let change = events.into_iter().fold(Change::default(), |change, event| {
        change.and_add(Record::Event(event))
    });
    store.apply(change).await.expect("stored");
}

fn between(from: &str, to: &str) -> Filter {
    let window = Window {
        from: (!from.is_empty()).then(|| at(from)),
        to: (!to.is_empty()).then(|| at(to)),
    };
    Filter::all().within(Time::Happens, window)
}

async fn starts(store: &Store, filter: &Filter) -> Vec<String> {
    let found = store.occurrences(filter).await.expect("listed");
    found
        .iter()
        .map(|one| format!("{} {}", one.event.summary, one.start.rfc3339()))
        .collect()
}

fn zoned(text: &str) -> String {
    format!("{text}[{NEW_YORK}]")
}

fn weekly() -> Event {
    let mut event = event(
        "w",
        "Sync",
        &zoned("2026-03-02T09:00:00-05:00"),
        &zoned("2026-03-02T09:30:00-05:00"),
    );
    event.rrule = Some("FREQ=WEEKLY".into());
    event
}

#[tokio::test]
async fn a_series_keeps_its_wall_clock_time_over_a_clock_change() {
    let (_folder, store) = fresh();
    put(&store, [weekly()]).await;
    let march = between("2026-03-01T00:00:00Z", "2026-03-20T00:00:00Z");
    assert_eq!(
        starts(&store, &march).await,
        [
            "Sync 2026-03-02T09:00:00-05:00",
            "Sync 2026-03-09T09:00:00-04:00",
            "Sync 2026-03-16T09:00:00-04:00"
        ]
    );
}

#[tokio::test]
async fn exceptions_replace_and_remove_instances() {
    let (_folder, store) = fresh();
    let mut series = weekly();
    series.exdates = vec![moment(&zoned("2026-03-16T09:00:00-04:00"))];
    series.rdates = vec![moment(&zoned("2026-03-18T11:00:00-04:00"))];
    let mut moved = event(
        "x",
        "Sync (late)",
        &zoned("2026-03-10T15:00:00-04:00"),
        &zoned("2026-03-10T15:30:00-04:00"),
    );
    moved.uid = series.uid.clone();
    // The same instant, written in another zone.
    moved.recurrence_id = Some(moment("2026-03-09T13:00:00Z"));
    let mut dropped = event(
        "y",
        "Sync",
        &zoned("2026-03-23T09:00:00-04:00"),
        &zoned("2026-03-23T09:30:00-04:00"),
    );
    dropped.uid = series.uid.clone();
    dropped.recurrence_id = Some(dropped.start.clone());
    dropped.cancelled = true;
    put(&store, [series, moved, dropped]).await;
    let march = between("2026-03-01T00:00:00Z", "2026-03-31T00:00:00Z");
    assert_eq!(
        starts(&store, &march).await,
        [
            "Sync 2026-03-02T09:00:00-05:00",
            "Sync (late) 2026-03-10T15:00:00-04:00",
            "Sync 2026-03-18T11:00:00-04:00",
            "Sync 2026-03-30T09:00:00-04:00",
        ]
    );
    // A moved instance does not appear at its old time, even if only that time is requested.
    let old = between("2026-03-09T00:00:00Z", "2026-03-10T00:00:00Z");
    assert_eq!(starts(&store, &old).await, Vec::<String>::new());
    let rows = store.events(&Filter::all()).await.expect("listed");
    assert_eq!(rows.len(), 3);
    let rows = store.events(&march).await.expect("listed");
    assert_eq!(
        rows.iter().map(|row| row.id.as_str()).collect::<Vec<_>>(),
        ["w", "x", "y"]
    );
}

#[tokio::test]
async fn a_change_of_all_later_instances_is_found_by_its_own_words_and_times() {
    let (_folder, store) = fresh();
    let mut later = event(
        "l",
        "Retro",
        &zoned("2026-03-17T15:00:00-04:00"),
        &zoned("2026-03-17T16:00:00-04:00"),
    );
    later.uid = weekly().uid;
    later.recurrence_id = Some(moment("2026-03-16T13:00:00Z"));
    later.following = true;
    put(&store, [weekly(), later.clone()]).await;
    let spring = between("2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z");
    let all = [
        "Sync 2026-03-02T09:00:00-05:00",
        "Sync 2026-03-09T09:00:00-04:00",
        "Retro 2026-03-17T15:00:00-04:00",
        "Retro 2026-03-24T15:00:00-04:00",
        "Retro 2026-03-31T15:00:00-04:00",
    ];
    assert_eq!(starts(&store, &spring).await, all);
    assert_eq!(
        starts(&store, &spring.clone().words(Some("Retro"))).await,
        all[2..]
    );
    let day = between("2027-03-09T00:00:00Z", "2027-03-10T00:00:00Z");
    assert_eq!(
        starts(&store, &day).await,
        ["Retro 2027-03-09T15:00:00-05:00"]
    );
    let next = between("2027-03-03T00:00:00Z", "").at_most(Some(1));
    assert_eq!(
        starts(&store, &next).await,
        ["Retro 2027-03-09T15:00:00-05:00"]
    );
    let found = store.occurrences(&day).await.expect("listed");
    assert_eq!(
        found[0].instance_of,
        Some(moment(&zoned("2027-03-08T09:00:00-05:00")))
    );
    let rows = store.events(&day).await.expect("listed");
    assert_eq!(rows.len(), 1);
    assert_eq!(
        Event {
            version: 0,
            ..rows[0].clone()
        },
        Event {
            version: 0,
            ..later
        }
    );
}

#[tokio::test]
async fn whole_days_follow_the_persons_zone() {
    let (_folder, store) = fresh();
    put(&store, [event("d", "Fair", "2026-01-13", "2026-01-14")]).await;
    let late = between("2026-01-12T05:00:00Z", "2026-01-13T05:00:00Z");
    assert_eq!(starts(&store, &late).await, ["Fair 2026-01-13"]);
    store.set_zone(TimeZone::get(NEW_YORK).expect("a zone"));
    assert_eq!(starts(&store, &late).await, Vec::<String>::new());
    let next = between("2026-01-14T04:59:00Z", "2026-01-14T06:00:00Z");
    assert_eq!(starts(&store, &next).await, ["Fair 2026-01-13"]);
    store.set_zone(TimeZone::get("Pacific/Kiritimati").expect("a zone"));
    assert_eq!(starts(&store, &next).await, Vec::<String>::new());
}

#[tokio::test]
async fn ranges_include_their_start_and_exclude_their_end() {
    let (_folder, store) = fresh();
    put(
        &store,
        [
            event("a", "A", "2026-01-12T10:00:00Z", "2026-01-12T11:00:00Z"),
            event("p", "Point", "2026-01-12T11:00:00Z", "2026-01-12T11:00:00Z"),
        ],
    )
    .await;
    let hour = |from: &str, to: &str| {
        between(
            &format!("2026-01-12T{from}:00:00Z"),
            &format!("2026-01-12T{to}:00:00Z"),
        )
    };
    assert_eq!(
        starts(&store, &hour("09", "10")).await,
        Vec::<String>::new()
    );
    assert_eq!(
        starts(&store, &hour("10", "11")).await,
        ["A 2026-01-12T10:00:00Z"]
    );
    assert_eq!(
        starts(&store, &hour("11", "12")).await,
        ["Point 2026-01-12T11:00:00Z"]
    );
}

#[tokio::test]
async fn people_words_and_calendars_filter_instances() {
    let (_folder, store) = fresh();
    let mut with_ana = weekly();
    with_ana.attendees = vec![Attendee {
        name: "Ana Lima".into(),
        email: "ana@example.org".into(),
        status: String::new(),
    }];
    with_ana.location = "Café".into();
    let mut other = event("o", "Other", "2026-03-03T10:00:00Z", "2026-03-03T11:00:00Z");
    other.calendar = "Work".into();
    put(&store, [with_ana, other]).await;
    let march = || between("2026-03-01T00:00:00Z", "2026-03-12T00:00:00Z");
    let with = |who: &str| march().with(Role::From, vec![who.into()]);
    assert_eq!(starts(&store, &with("ANA")).await.len(), 2);
    assert_eq!(starts(&store, &with("bob")).await.len(), 0);
    let words = march().words(Some("cafe"));
    assert_eq!(starts(&store, &words).await.len(), 2);
    let at_work = march().and(Test::Calendar("work".into()));
    assert_eq!(
        starts(&store, &at_work).await,
        ["Other 2026-03-03T10:00:00Z"]
    );
    let second = march().after(1).at_most(Some(1));
    assert_eq!(starts(&store, &second).await.len(), 1);
    assert_ne!(
        starts(&store, &second).await,
        starts(&store, &march().at_most(Some(1))).await
    );
}

#[tokio::test]
async fn half_open_ranges_give_the_next_and_the_last() {
    let (_folder, store) = fresh();
    let mut ended = weekly();
    ended.id = "ended".into();
    ended.uid = "ended".into();
    ended.summary = "Ended".into();
    ended.rrule = Some("FREQ=WEEKLY;UNTIL=20260316T130000Z".into());
    put(&store, [weekly(), ended]).await;
    let mut next = between("2031-07-01T00:00:00Z", "");
    next.limit = Some(1);
    assert_eq!(
        starts(&store, &next).await,
        ["Sync 2031-07-07T09:00:00-04:00"]
    );
    let mut last = between("", "2031-07-01T00:00:00Z");
    (last.order, last.limit) = (Order::Latest, Some(1));
    assert_eq!(
        starts(&store, &last).await,
        ["Sync 2031-06-30T09:00:00-04:00"]
    );
    let last = last.words(Some("ended"));
    assert_eq!(
        starts(&store, &last).await,
        ["Ended 2026-03-16T09:00:00-04:00"]
    );
    // Without a range, a series appears as its first instance.
    assert_eq!(starts(&store, &Filter::all()).await.len(), 2);
    let counts = store
        .counts(at("2026-04-01T00:00:00Z"))
        .await
        .expect("counted");
    let next = counts.next_event.expect("an event");
    assert_eq!(next.start.rfc3339(), "2026-04-06T09:00:00-04:00");
}

#[tokio::test]
async fn a_uid_returns_only_its_series() {
    let (_folder, store) = fresh();
    let series = weekly();
    let mut moved = event(
        "x",
        "Sync (late)",
        &zoned("2026-03-10T15:00:00-04:00"),
        &zoned("2026-03-10T15:30:00-04:00"),
    );
    moved.uid = series.uid.clone();
    moved.recurrence_id = Some(moment(&zoned("2026-03-09T09:00:00-04:00")));
    let other = event(
        "o",
        "Other",
        &zoned("2026-03-10T15:00:00-04:00"),
        &zoned("2026-03-10T15:30:00-04:00"),
    );
    let mut nameless = event(
        "n",
        "Nameless",
        &zoned("2026-03-11T15:00:00-04:00"),
        &zoned("2026-03-11T15:30:00-04:00"),
    );
    nameless.uid = String::new();
    put(&store, [series.clone(), moved, other, nameless]).await;
    let rows = |uid: &str| Filter::all().and(Test::Uid(uid.to_owned()));
    let titles = async |filter: Filter| -> Vec<String> {
        let found = store.events(&filter).await.expect("listed");
        found.into_iter().map(|event| event.summary).collect()
    };
    assert_eq!(titles(rows(&series.uid)).await, ["Sync", "Sync (late)"]);
    assert_eq!(titles(rows("nobody")).await, Vec::<String>::new());
    assert_eq!(titles(rows("")).await, ["Nameless"]);
    let march = between("2026-03-08T00:00:00Z", "2026-03-12T00:00:00Z").and(Test::Uid(series.uid));
    assert_eq!(
        starts(&store, &march).await,
        ["Sync (late) 2026-03-10T15:00:00-04:00"]
    );
}
