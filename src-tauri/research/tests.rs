//! Tests of runs over a scripted web: what is requested, what is stored, and the effect of a kill at any point.

mod bad_input;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use adjutant_domain::ids::RunId;
use adjutant_domain::job::{Ended, Job};
use adjutant_domain::ports::{
    Clock, Jobs as _, Lookup, Pages, Reach, SearchEngine, SearchResult, Snapshot, SourceAddress,
    SourceFault,
};
use adjutant_domain::source::Taint;
use adjutant_engine::Reporter;
use adjutant_store::ResearchState;
use async_trait::async_trait;
use jiff::Timestamp;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::{Research, ResearchDeps};
use crate::compose::{Composed, compose_with};
use crate::profile::Options;

/// Maximum pages that a question reads at once.
const PAGES_AT_ONCE_MAX: usize = 3;

/// Pages of the scripted web.
const PAGES: &[(&str, &str, &str)] = &[
    (
        "http://web.example/lamp",
        "The Harbour Lamp",
        "The Harbour Lamp is a film of 1931. It was directed by Orla Venn and shot in Kelso.",
    ),
    (
        "http://web.example/venn",
        "Orla Venn",
        "Orla Venn was a director of films. She was born in 1899 in Dunmore, and died in 1971.",
    ),
    (
        "http://web.example/kelso",
        "Kelso",
        "Kelso is a town by the river Tweed with a bridge of 1803.",
    ),
];

/// Counts requests, and can hang or be unreachable.
#[derive(Default)]
struct Web {
    queries: Mutex<Vec<String>>,
    opened: Mutex<BTreeMap<String, usize>>,
    calls: AtomicUsize,
    /// Number of the call that never returns; `hung` is then notified.
    hangs_at: AtomicUsize,
    hung: Notify,
    /// What every search answers, if set.
    fault: Mutex<Option<SourceFault>>,
    /// What every page answers, if set.
    closed: Mutex<Option<SourceFault>>,
    /// Why no search engine can be used, if set.
    unset: Mutex<Option<SourceFault>>,
}

impl Web {
    async fn called(&self) {
        let call = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        if call == self.hangs_at.load(Ordering::SeqCst) {
            self.hung.notify_one();
            std::future::pending::<()>().await;
        }
    }
}

#[derive(Clone)]
struct Shared(Arc<Web>);

#[async_trait]
impl SearchEngine for Shared {
    fn name(&self) -> &str {
        "Scripted"
    }

    fn reach(&self) -> Reach {
        Reach::Outside {
            host: "web.example".into(),
        }
    }

    async fn search(
        &self,
        query: &str,
        limit: usize,
        _: Duration,
    ) -> Result<Vec<SearchResult>, SourceFault> {
        if let Some(fault) = self.0.fault.lock().expect("no panic").clone() {
            return Err(fault);
        }
        self.0
            .queries
            .lock()
            .expect("no panic")
            .push(adjutant_text::words(query).join(" "));
        self.0.called().await;
        let words = adjutant_text::words(query);
        let mut found: Vec<(usize, SearchResult)> = PAGES
            .iter()
            .map(|(url, title, text)| {
                let page = adjutant_text::words(&format!("{title} {text}"));
                let score = words.iter().filter(|word| page.contains(word)).count();
                let found = SearchResult {
                    title: (*title).into(),
                    at: SourceAddress::Page { url: (*url).into() },
                    snippet: (*text).into(),
                    taint: Taint::Tainted,
                };
                (score, found)
            })
            .filter(|(score, _)| *score > 0)
            .collect();
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        Ok(found.into_iter().map(|(_, one)| one).take(limit).collect())
    }
}

#[async_trait]
impl Pages for Shared {
    async fn open(&self, address: &SourceAddress, _: Duration) -> Result<Snapshot, SourceFault> {
        let url = address.to_string();
        *self
            .0
            .opened
            .lock()
            .expect("no panic")
            .entry(url.clone())
            .or_default() += 1;
        self.0.called().await;
        if let Some(fault) = self.0.closed.lock().expect("no panic").clone() {
            return Err(fault);
        }
        let page = PAGES.iter().find(|(known, _, _)| *known == url);
        let (_, title, text) = page.ok_or(SourceFault::Gone { what: url })?;
        Ok(Snapshot {
            address: address.clone(),
            final_address: address.clone(),
            title: (*title).into(),
            text: (*text).into(),
            fetched_at: Timestamp::UNIX_EPOCH,
            sha256: adjutant_domain::canonical::sha256(text.as_bytes()).0,
            media: "text/html".into(),
            cut: false,
            taint: Taint::Tainted,
        })
    }
}

impl Lookup for Shared {
    fn outside(&self) -> Result<Arc<dyn SearchEngine>, SourceFault> {
        match self.0.unset.lock().expect("no panic").clone() {
            Some(fault) => Err(fault),
            None => Ok(Arc::new(self.clone())),
        }
    }

    fn own(&self) -> Arc<dyn SearchEngine> {
        Arc::new(self.clone())
    }

    fn pages(&self) -> Arc<dyn Pages> {
        Arc::new(self.clone())
    }
}

/// A store without secrets.
struct NoSecrets;

impl adjutant_domain::ports::Secrets for NoSecrets {
    fn get(
        &self,
        _: &str,
    ) -> Result<Option<secrecy::SecretString>, adjutant_domain::ports::SecretFault> {
        Ok(None)
    }

    fn set(
        &self,
        _: &str,
        _: &secrecy::SecretString,
    ) -> Result<(), adjutant_domain::ports::SecretFault> {
        Ok(())
    }

    fn remove(&self, _: &str) -> Result<(), adjutant_domain::ports::SecretFault> {
        Ok(())
    }
}

struct World {
    composed: Composed,
    research: Research,
}

async fn world(folder: &std::path::Path, web: &Arc<Web>) -> World {
    world_at(folder, web, None).await
}

/// Returns a world whose research reads this clock.
async fn world_at(
    folder: &std::path::Path,
    web: &Arc<Web>,
    clock: Option<Arc<dyn Clock>>,
) -> World {
    let options = Options {
        offline: true,
        ..Options::default()
    };
    let composed = compose_with(folder, &options, Arc::new(NoSecrets)).await;
    let composed = composed.expect("a profile");
    let research = Research::new(ResearchDeps {
        store: composed.store.clone(),
        engine: composed.engine.clone(),
        lookup: Arc::new(Shared(web.clone())),
        clock: clock.unwrap_or_else(|| composed.clock.clone()),
        settings: adjutant_settings::Research::default(),
        tell: Arc::new(|_| ()),
        stop: CancellationToken::new(),
    });
    World { composed, research }
}

fn job() -> Job {
    let brief = serde_json::json!({
        "objective": "When was the director of the film The Harbour Lamp born?",
        "why": "to know it", "success": ["the year"], "sources": "web",
    });
    let id = RunId::from("res_test");
    Job::research(&id, "The Harbour Lamp", brief, None, Timestamp::UNIX_EPOCH)
}

async fn work(world: &World) -> Ended {
    world
        .research
        .clone()
        .work(job(), Reporter::default())
        .await
}

async fn state(world: &World) -> ResearchState {
    let run = world.composed.store.research_run(&"res_test".into()).await;
    run.expect("read").expect("there").state
}

async fn report_claims(world: &World) -> Vec<adjutant_store::ResearchClaim> {
    let id = RunId::from("res_test");
    let claims = world.composed.store.research_claims(&id).await;
    claims.expect("read")
}

fn repeated(web: &Web) -> Vec<String> {
    let queries = web.queries.lock().expect("no panic").clone();
    let mut seen = std::collections::BTreeSet::new();
    queries
        .into_iter()
        .filter(|query| !seen.insert(query.clone()))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_runs_report_quotes_only_pages_that_were_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let web = Arc::new(Web::default());
    let world = world(folder.path(), &web).await;
    let store = &world.composed.store;
    store.plan(&job()).await.expect("planned");
    assert_eq!(work(&world).await, Ended::Done);
    assert_eq!(state(&world).await, ResearchState::Done);
    let id = RunId::from("res_test");
    let claims = store.research_claims(&id).await.expect("read");
    assert!(!claims.is_empty());
    for claim in &claims {
        let page = PAGES.iter().find(|(url, _, _)| *url == claim.source);
        let (_, _, text) = page.expect("a page that was opened");
        assert!(text.contains(&claim.quote), "{claim:?}");
    }
    assert_eq!(repeated(&web), Vec::<String>::new());
    let asked = web.queries.lock().expect("no panic").len();
    let spent = world.research.day_left().await.expect("read");
    let all = adjutant_settings::Research::default().day_credits;
    assert_eq!(
        usize::try_from(all - spent).expect("few"),
        asked,
        "one credit a search"
    );
}

/// Kills a run at each of its calls outside, and lets another process continue.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_killed_at_any_call_continues_without_repeats() {
    for at in 1..=12 {
        let folder = tempfile::tempdir().expect("a folder");
        let web = Arc::new(Web::default());
        web.hangs_at.store(at, Ordering::SeqCst);
        let first = world(folder.path(), &web).await;
        first.composed.store.plan(&job()).await.expect("planned");
        let killed = tokio::select! {
            ended = work(&first) => { assert_eq!(ended, Ended::Done); false }
            () = web.hung.notified() => true,
        };
        first.composed.engine.close().await;
        drop(first);
        let second = world(folder.path(), &web).await;
        assert_eq!(work(&second).await, Ended::Done, "killed at call {at}");
        assert_eq!(state(&second).await, ResearchState::Done);
        assert_eq!(repeated(&web), Vec::<String>::new(), "killed at call {at}");
        // Pages that the first process was reading are read again.
        let opened = web.opened.lock().expect("no panic").clone();
        let again: usize = opened.values().map(|times| times - 1).sum();
        assert!(again <= PAGES_AT_ONCE_MAX, "{opened:?}");
        assert!(opened.values().all(|times| *times <= 2), "{opened:?}");
        assert!(
            !report_claims(&second).await.is_empty(),
            "killed at call {at}"
        );
        let left = second.research.day_left().await.expect("read");
        let all = adjutant_settings::Research::default().day_credits;
        let asked = web.queries.lock().expect("no panic").len();
        assert_eq!(usize::try_from(all - left).expect("few"), asked);
        if !killed {
            return;
        }
    }
}

/// Stores a run as a killed process left it.
async fn save(world: &World, run: &adjutant_research::Run) {
    let save = adjutant_store::DocumentSave {
        version: run.version(),
        document: run.to_json().expect("JSON"),
        changes: serde_json::json!({}),
        summary: serde_json::json!({}),
        step: None,
        claims: None,
        at: Timestamp::UNIX_EPOCH,
    };
    let store = &world.composed.store;
    let saved = store.save_research(&"res_test".into(), save).await;
    saved.expect("saved");
}

/// The first check of time and credits may be all that was stored before a kill.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_with_only_its_time_stored_begins() {
    let folder = tempfile::tempdir().expect("a folder");
    let web = Arc::new(Web::default());
    let world = world(folder.path(), &web).await;
    let store = &world.composed.store;
    store.plan(&job()).await.expect("planned");
    let brief: adjutant_tools::research::ResearchBrief =
        serde_json::from_value(job().data).expect("a brief");
    let brief = brief.clear().expect("whole");
    let by = adjutant_research::WrittenBy::Embedded;
    let mut run = adjutant_research::Run::new(&brief, world.research.limits(3_000), by);
    let tick = adjutant_research::Input::Tick {
        running_ms: 5,
        day_credits: 3_000,
    };
    assert!(!run.next(tick).is_empty(), "it is stored");
    save(&world, &run).await;
    assert_eq!(work(&world).await, Ended::Done);
    assert_eq!(state(&world).await, ResearchState::Done);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_waits_without_a_network_and_then_continues() {
    let folder = tempfile::tempdir().expect("a folder");
    let web = Arc::new(Web::default());
    *web.fault.lock().expect("no panic") = Some(SourceFault::Unreachable {
        host: "web.example".into(),
        why: "there is no network".into(),
    });
    let world = world(folder.path(), &web).await;
    world.composed.store.plan(&job()).await.expect("planned");
    let ended = work(&world).await;
    let Ended::Again { why, .. } = ended else {
        panic!("{ended:?}");
    };
    assert!(why.contains("waits for the network"), "{why}");
    assert_eq!(state(&world).await, ResearchState::Waiting);
    *web.fault.lock().expect("no panic") = None;
    assert_eq!(work(&world).await, Ended::Done);
    assert_eq!(repeated(&web), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_repetition_has_its_own_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let web = Arc::new(Web::default());
    let world = world(folder.path(), &web).await;
    let store = &world.composed.store;
    let mut job = job();
    job.schedule = Some(adjutant_domain::job::Schedule::Week {
        day: 1,
        at: jiff::civil::Time::midnight(),
    });
    store.plan(&job).await.expect("planned");
    let worked = |job: Job| world.research.clone().work(job, Reporter::default());
    assert_eq!(worked(job.clone()).await, Ended::Done);
    job.due = Timestamp::from_second(604_800).expect("an instant");
    assert_eq!(worked(job.clone()).await, Ended::Done);
    // Repeating the round, as after a kill, gives the same run.
    assert_eq!(worked(job).await, Ended::Done);
    let runs = store.research_runs(None, None).await.expect("read");
    assert_eq!(runs.len(), 2);
    assert_eq!(
        runs[0].previous.as_ref().map(RunId::as_str),
        Some("res_test")
    );
}
