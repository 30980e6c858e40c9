//! Tests of research: a step is recorded and paid for before it begins, and ends together with its document.

use adjutant_domain::ids::RunId;
use adjutant_domain::job::Job;
use adjutant_domain::ports::Jobs as _;
use serde_json::json;

use super::{at, fresh, open};
use crate::{
    DocumentSave, ResearchClaim, ResearchPage, ResearchState, StepBeginning, StepBegun, StepEnding,
    Store,
};

const NOW: &str = "2026-01-14T10:00:00Z";

fn id() -> RunId {
    RunId::from("res_1")
}

async fn planned(store: &Store) {
    let brief = json!({ "objective": "heat pumps for old houses" });
    let job = Job::research(&id(), "heat pumps", brief, None, at(NOW));
    store.plan(&job).await.expect("planned");
}

fn search(key: &str, credits: u32) -> StepBeginning {
    StepBeginning {
        key: key.into(),
        input: json!({ "search": key }),
        credits,
        run_credits_max: 5,
        day: 20_467,
        day_credits_max: 4,
        at: at(NOW),
    }
}

fn saved(version: u64, step: Option<StepEnding>) -> DocumentSave {
    DocumentSave {
        version,
        document: format!("{{\"version\":{version}}}"),
        changes: json!({ "/version": version }),
        summary: json!({ "round": 1 }),
        step,
        claims: None,
        at: at(NOW),
    }
}

fn ended(key: &str, credits: u32) -> StepEnding {
    StepEnding {
        key: key.into(),
        result: json!({ "found": key }),
        credits,
        page: Some(ResearchPage {
            sha256: "ab".into(),
            address: format!("https://example.org/{key}"),
            title: "A page".into(),
            text: "Its text.".into(),
            media: "text/html".into(),
            fetched: at(NOW),
        }),
    }
}

#[tokio::test]
async fn a_research_job_creates_its_run_once() {
    let (_folder, store) = fresh();
    planned(&store).await;
    planned(&store).await;
    let runs = store.research_runs(None, None).await.expect("read");
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0].state, ResearchState::Waiting);
    assert_eq!(runs[0].brief["objective"], "heat pumps for old houses");
}

#[tokio::test]
async fn a_step_begins_once_and_is_recognised_after_a_kill() {
    let (folder, store) = fresh();
    planned(&store).await;
    let begin = async |store: &Store, step: StepBeginning| {
        let begun = store.begin_research_step(&id(), step).await;
        begun.expect("stored")
    };
    assert_eq!(begin(&store, search("one", 1)).await, StepBegun::New);
    assert_eq!(begin(&store, search("two", 1)).await, StepBegun::New);
    let save = saved(1, Some(ended("one", 1)));
    store.save_research(&id(), save).await.expect("saved");
    drop(store);
    let store = open(folder.path());
    let known = StepBegun::Ended(json!({ "found": "one" }));
    assert_eq!(begin(&store, search("one", 1)).await, known);
    assert_eq!(begin(&store, search("two", 1)).await, StepBegun::Unknown);
    // Two credits are left for the day, and a refused step uses none.
    assert_eq!(
        begin(&store, search("three", 3)).await,
        StepBegun::NoCredits
    );
    assert_eq!(begin(&store, search("four", 2)).await, StepBegun::New);
    assert_eq!(store.research_credits(20_467).await, Ok(4));
    let back = store.take_back_research_step(&id(), "four").await;
    back.expect("taken back");
    assert_eq!(store.research_credits(20_467).await, Ok(2));
    let pages = store.research_pages(&id(), None).await.expect("read");
    assert_eq!(pages, [ended("one", 1).page.expect("a page")]);
}

#[tokio::test]
async fn a_document_never_reverts_and_its_changes_are_bounded() {
    let (_folder, store) = fresh();
    planned(&store).await;
    for version in 1..=410 {
        let saved = store.save_research(&id(), saved(version, None)).await;
        saved.expect("saved");
    }
    assert!(store.save_research(&id(), saved(7, None)).await.is_err());
    let kept = store.research_versions(&id(), 0).await.expect("read");
    assert_eq!(kept.len(), 400);
    assert_eq!(kept.last().map(|one| one.version), Some(410));
    let after = store.research_versions(&id(), 408).await.expect("read");
    assert_eq!(after[0].changes, json!({ "/version": 409 }));
}

#[tokio::test]
async fn erasing_a_profile_removes_everything() {
    let (_folder, store) = fresh();
    planned(&store).await;
    let begun = store.begin_research_step(&id(), search("one", 1)).await;
    begun.expect("begun");
    let claim = ResearchClaim {
        text: "It is so.".into(),
        quote: "It is so.".into(),
        source: "https://example.org/one".into(),
        sha256: "ab".into(),
        doubt: None,
        sources: 1,
    };
    let save = DocumentSave {
        claims: Some(vec![claim.clone()]),
        ..saved(1, Some(ended("one", 1)))
    };
    store.save_research(&id(), save).await.expect("saved");
    let claims = store.research_claims(&id()).await.expect("read");
    assert_eq!(claims, [claim]);
    store.erase().await.expect("erased");
    assert_eq!(store.research_runs(None, None).await.expect("read"), []);
    assert_eq!(store.research_credits(20_467).await, Ok(0));
}

#[tokio::test]
async fn an_earlier_run_learns_of_a_page_read_later_with_other_text() {
    let (_folder, store) = fresh();
    planned(&store).await;
    let later = RunId::from("res_2");
    let job = Job::research(&later, "heat pumps", json!({}), None, at(NOW));
    store.plan(&job).await.expect("planned");
    let read = |sha256: &str, text: &str, when: &str| {
        let ending = ended("one", 0);
        let page = ending.page.clone().map(|page| ResearchPage {
            sha256: sha256.into(),
            text: text.into(),
            fetched: at(when),
            ..page
        });
        StepEnding { page, ..ending }
    };
    let runs = [
        (id(), read("ab", "It costs 4.", NOW)),
        (
            later.clone(),
            read("cd", "It costs 5.", "2026-01-21T10:00:00Z"),
        ),
    ];
    for (run, step) in runs {
        let begun = store.begin_research_step(&run, search("one", 0)).await;
        begun.expect("begun");
        let saved = store.save_research(&run, saved(1, Some(step))).await;
        saved.expect("saved");
    }
    let copies = store.research_later_copies(&id()).await.expect("read");
    let address = ended("one", 0).page.expect("a page").address;
    assert_eq!(copies, [(address, at("2026-01-21T10:00:00Z"))]);
    assert_eq!(store.research_later_copies(&later).await, Ok(Vec::new()));
}
