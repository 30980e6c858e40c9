//! Tests of runs that cannot go well: no search engine, a wrong key, pages that refuse, and a clock that jumps.

use adjutant_research::{Confidence, Cut, Input, Report, Run, Status, WrittenBy};
use jiff::{ToSpan as _, Zoned};

use super::*;

/// Returns the stored run.
async fn stored(world: &World) -> Run {
    let id = RunId::from("res_test");
    let document = world.composed.store.research_document(&id).await;
    let json = document.expect("read").expect("a document");
    Run::restore(&json, |_| None).expect("readable")
}

async fn report(world: &World) -> Report {
    let run = stored(world).await;
    run.report().expect("a report").clone()
}

async fn planned(world: &World) {
    let store = &world.composed.store;
    store.plan(&job()).await.expect("planned");
}

/// Checks that a run pauses for this reason without a trace outside, and ends well once the reason is gone.
async fn pauses_until_mended(place: fn(&Web) -> &Mutex<Option<SourceFault>>, fault: SourceFault) {
    let folder = tempfile::tempdir().expect("a folder");
    let web = Arc::new(Web::default());
    let world = world(folder.path(), &web).await;
    planned(&world).await;
    *place(&web).lock().expect("no panic") = Some(fault.clone());
    let Ended::Paused { why } = work(&world).await else {
        panic!("it did not pause");
    };
    assert!(why.starts_with(&fault.to_string()), "{why}");
    assert!(why.len() > fault.to_string().len(), "no next step: {why}");
    assert_eq!(state(&world).await, ResearchState::Paused);
    let all = adjutant_settings::Research::default().day_credits;
    assert_eq!(world.research.day_left().await.expect("read"), all);
    *place(&web).lock().expect("no panic") = None;
    assert_eq!(work(&world).await, Ended::Done);
    assert_eq!(repeated(&web), Vec::<String>::new());
    assert!(!report(&world).await.claims.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pauses_while_the_key_is_wrong() {
    let host = "web.example".to_owned();
    pauses_until_mended(|web| &web.fault, SourceFault::WrongKey { host }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pauses_while_no_search_engine_is_chosen() {
    let what = "No search engine is chosen.".to_owned();
    pauses_until_mended(|web| &web.unset, SourceFault::NotConfigured { what }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_that_every_page_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let web = Arc::new(Web::default());
    let fault = SourceFault::NotAllowed {
        host: "web.example".into(),
    };
    *web.closed.lock().expect("no panic") = Some(fault.clone());
    let world = world(folder.path(), &web).await;
    planned(&world).await;
    assert_eq!(work(&world).await, Ended::Done);
    let report = report(&world).await;
    assert!(report.claims.is_empty() && report.answer.is_none());
    assert_eq!(report.confidence, Confidence::Low);
    for said in [
        "The searches led to no page that could be read.".to_owned(),
        format!("A page was not read: {fault}"),
    ] {
        let limitations = &report.limitations;
        assert!(limitations.contains(&said), "{said}: {limitations:?}");
    }
    let opened = web.opened.lock().expect("no panic").clone();
    assert!(!opened.is_empty());
    assert!(opened.values().all(|times| *times == 1), "{opened:?}");
}

/// A clock that jumps days ahead and back each time it is read.
#[derive(Default)]
struct Jumping(AtomicUsize);

impl Clock for Jumping {
    fn now(&self) -> Zoned {
        let read = self.0.fetch_add(1, Ordering::SeqCst);
        let days = [0, 40, -40, 3, 400, -1][read % 6];
        let start = Timestamp::from_second(1_768_200_000).expect("an instant");
        let start = start.to_zoned(jiff::tz::TimeZone::UTC);
        start.saturating_add(days.days())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_jumps_uses_up_no_running_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let web = Arc::new(Web::default());
    let clock = Arc::new(Jumping::default());
    let world = world_at(folder.path(), &web, Some(clock.clone())).await;
    planned(&world).await;
    assert_eq!(work(&world).await, Ended::Done);
    assert!(clock.0.load(Ordering::SeqCst) > 6, "the clock was not read");
    let run = stored(&world).await;
    assert_eq!(run.report().expect("a report").cut, None);
    let running_ms = run.spending().running_ms;
    assert!(
        running_ms < 60_000,
        "{running_ms} ms, and it jumped by days"
    );
    assert_eq!(repeated(&web), Vec::<String>::new());
    let asked = web.queries.lock().expect("no panic").len();
    assert_eq!(usize::try_from(run.spending().spent).expect("few"), asked);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_set_back_gives_no_running_time_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let web = Arc::new(Web::default());
    let clock: Arc<dyn Clock> = Arc::new(Jumping(AtomicUsize::new(2)));
    let world = world_at(folder.path(), &web, Some(clock)).await;
    planned(&world).await;
    let brief: adjutant_tools::research::ResearchBrief =
        serde_json::from_value(job().data).expect("a brief");
    let limits = world.research.limits(3_000);
    let tick = Input::Tick {
        running_ms: limits.running_ms,
        day_credits: 3_000,
    };
    let brief = brief.clear().expect("whole");
    let mut run = Run::new(&brief, limits, WrittenBy::Embedded);
    assert!(!run.next(tick).is_empty() && !run.next(Input::Begin).is_empty());
    assert_eq!(run.status(), Status::Running);
    save(&world, &run).await;
    assert_eq!(work(&world).await, Ended::Done);
    assert_eq!(report(&world).await.cut, Some(Cut::Time));
    let asked = web.queries.lock().expect("no panic").len();
    assert_eq!(asked, 0, "it searched after its time was up");
}
