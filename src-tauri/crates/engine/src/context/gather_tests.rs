use super::*;
use adjutant_domain::route::RouteKind;
use adjutant_testkit::World;

fn route(domains: &[Domain]) -> Route {
    Route {
        kind: RouteKind::Action,
        domains: domains.to_vec(),
        is_followup: false,
        confidence: 0.9,
        by: "embedded".into(),
    }
}

#[test]
fn pulls_only_sources_of_the_route() {
    let pull = |domains: &[Domain], sure| Pull::of(&route(domains), sure);
    assert_eq!(pull(&[Domain::Email], true), Pull::default());
    assert_eq!(pull(&[Domain::Calendar, Domain::Task], true), Pull::ALL);
    assert_eq!(pull(&[], false), Pull::ALL, "ambiguous: everything");
}

#[tokio::test]
async fn reads_sources_concurrently_and_names_them() {
    let world = World::at("2026-01-12T09:00:00+01:00[Europe/Berlin]");
    let found = gather(
        world.records.clone(),
        "what is on today".into(),
        Pull::ALL,
        (world.cx.now.clone(), &Focus::default()),
        super::super::SOURCE_DEADLINE,
    )
    .await;
    let names: Vec<_> = found.sources.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["memories", "agenda", "tasks"]);
    assert!(found.sources.iter().all(|one| one.problem.is_none()));
}

#[tokio::test]
async fn without_time_gathers_nothing_and_notes_it() {
    let world = World::at("2026-01-12T09:00:00+01:00[Europe/Berlin]");
    let slow = source(
        "memories",
        Duration::ZERO,
        std::future::pending::<Result<(), adjutant_domain::faults::StoreFault>>(),
        |()| 1,
    )
    .await;
    assert_eq!((slow.0.tokens, slow.1), (0, None));
    assert!(slow.0.problem.is_some());
    let window = days_ahead(&world.cx.now);
    let (from, to) = window.from.zip(window.to).expect("both ends");
    assert_eq!(
        to.as_second() - from.as_second(),
        24 * 60 * 60 * AGENDA_DAYS
    );
}
