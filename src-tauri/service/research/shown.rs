//! Views of research: a whole run, its pages, and the changes of its document.

use std::collections::BTreeMap;
use std::time::Duration;

use adjutant_api::Fault;
use adjutant_api::research::{
    DocumentChange, PageCheck, ResearchAnswer, ResearchPage, ResearchView, SinceBefore,
};
use adjutant_domain::faults::UserFault;
use adjutant_domain::ids::RunId;
use adjutant_domain::job::Job;
use adjutant_domain::moment::rfc3339;
use adjutant_domain::ports::web::{Lookup as _, SourceAddress};
use adjutant_research::Run;
use adjutant_store::{ResearchRun, ResearchState};
use adjutant_tools::research::ResearchBrief;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::research::{Credit, compared, lines, row, stands, view};
use crate::service::{Service, missing, store_fault};

/// Time allowed for reading a page again.
const CHECK_MAX: Duration = Duration::from_secs(30);

/// Returns what a credit costs the person.
pub(super) fn credit(service: &Service) -> Credit {
    Credit(service.settings().research.credit_price.micros())
}

/// Returns everything about a research run, for `show research ID`.
pub(in crate::service) async fn one(service: &Service, id: &str) -> Result<ResearchView, Fault> {
    let (run, document) = whole(service, id).await?;
    let job = job_of(service, &run).await?;
    let zone = service.zone();
    let mut view = view(
        &run,
        document.as_ref(),
        job.as_ref(),
        credit(service),
        &zone,
    );
    view.row = super::as_it_is(service, view.row);
    view.since = since(service, &run).await?;
    if let Some(report) = &mut view.report {
        let later = later_copies(service, &run.id).await?;
        for source in &mut report.sources {
            source.changed = later.get(&source.address).map(|at| said(service, *at));
        }
    }
    Ok(view)
}

/// For a finished repeated run, returns how its result differs from the run before.
async fn since(service: &Service, run: &ResearchRun) -> Result<Option<SinceBefore>, Fault> {
    let brief: ResearchBrief = serde_json::from_value(run.brief.clone()).unwrap_or_default();
    let repeated = run.state == ResearchState::Done && brief.deeper.is_none();
    let Some(previous) = run.previous.as_ref().filter(|_| repeated) else {
        return Ok(None);
    };
    let store = &service.store;
    let before = store.research_run(previous).await.map_err(store_fault)?;
    let Some(before) = before.filter(|before| before.state == ResearchState::Done) else {
        return Ok(None);
    };
    let claims = store.research_claims(&before.id).await;
    let claims = claims.map_err(store_fault)?;
    let now = store.research_claims(&run.id).await.map_err(store_fault)?;
    Ok(Some(SinceBefore {
        id: before.id.0,
        started: said(service, before.begun),
        compared: compared(&claims, &now),
    }))
}

async fn later_copies(service: &Service, id: &RunId) -> Result<BTreeMap<String, Timestamp>, Fault> {
    let copies = service.store.research_later_copies(id).await;
    Ok(copies.map_err(store_fault)?.into_iter().collect())
}

/// Formats an instant for output.
fn said(service: &Service, at: Timestamp) -> String {
    rfc3339(&at.to_zoned(service.zone()))
}

/// Returns all stored research data, for an export.
pub(in crate::service) async fn everything(service: &Service) -> Result<Vec<Value>, Fault> {
    let store = &service.store;
    let runs = store.research_runs(None, None).await.map_err(store_fault)?;
    let mut all = Vec::new();
    for run in runs {
        let document = store.research_document(&run.id).await;
        let document = document.map_err(store_fault)?;
        let pages = store.research_pages(&run.id, None).await;
        let page = |page: adjutant_store::ResearchPage| {
            json!({
                "sha256": page.sha256, "address": page.address, "title": page.title, "text": page.text,
                "at": said(service, page.fetched),
            })
        };
        all.push(json!({
            "run": row(&run, None, credit(service), &service.zone()), "brief": run.brief,
            "document": document.and_then(|text| serde_json::from_str::<Value>(&text).ok()),
            "pages": pages.map_err(store_fault)?.into_iter().map(page).collect::<Vec<_>>(),
        }));
    }
    Ok(all)
}

/// Returns a page of a run as it was read.
pub(super) async fn page(
    service: &Service,
    id: &str,
    sha256: String,
) -> Result<ResearchAnswer, Fault> {
    let run = run(service, id).await?;
    let page = stored_page(service, &run, sha256).await?;
    Ok(ResearchAnswer::Page {
        page: ResearchPage {
            sha256: page.sha256,
            address: page.address,
            title: page.title,
            text: page.text,
            at: said(service, page.fetched),
        },
    })
}

/// Reads a page of a run again and checks which of its quotes are still there. Changes nothing that is stored.
pub(super) async fn check(
    service: &Service,
    id: &str,
    sha256: String,
) -> Result<ResearchAnswer, Fault> {
    let run = run(service, id).await?;
    let page = stored_page(service, &run, sha256.clone()).await?;
    let place = page
        .address
        .parse::<SourceAddress>()
        .map_err(|_| missing(id))?;
    let pages = service.sources.web.pages();
    let now = pages.open(&place, CHECK_MAX).await.map_err(|fault| {
        let fault = UserFault::from(&fault);
        Fault::from(&fault)
    })?;
    let is_same = now.sha256 == sha256;
    let claims = service.store.research_claims(&run.id).await;
    let quotes = claims.map_err(store_fault)?.into_iter();
    let quotes = quotes.filter(|claim| claim.sha256 == sha256 && !claim.quote.is_empty());
    let gone = quotes
        .map(|claim| claim.quote)
        .filter(|quote| !is_same && !stands(quote, &now.text));
    Ok(ResearchAnswer::Checked {
        check: PageCheck {
            at: said(service, now.fetched_at),
            is_same,
            gone: gone.collect(),
        },
    })
}

async fn stored_page(
    service: &Service,
    run: &ResearchRun,
    sha256: String,
) -> Result<adjutant_store::ResearchPage, Fault> {
    let pages = service.store.research_pages(&run.id, Some(sha256)).await;
    let page = pages.map_err(store_fault)?.into_iter().next();
    page.ok_or_else(|| missing(run.id.as_str()))
}

/// Returns how the brain document changed after a version.
pub(super) async fn changes(
    service: &Service,
    id: &str,
    after: u64,
) -> Result<ResearchAnswer, Fault> {
    let run = run(service, id).await?;
    let versions = service.store.research_versions(&run.id, after).await;
    let versions = versions.map_err(store_fault)?.into_iter();
    let change = |one: adjutant_store::DocumentVersion| DocumentChange {
        version: one.version,
        at: said(service, one.at),
        lines: lines(&one.changes),
        changes: one.changes,
    };
    Ok(ResearchAnswer::Changes {
        versions: versions.map(change).collect(),
    })
}

pub(super) async fn shown(service: &Service, id: &str) -> Result<ResearchAnswer, Fault> {
    let run = Box::new(one(service, id).await?);
    Ok(ResearchAnswer::Run { run })
}

pub(super) async fn run(service: &Service, id: &str) -> Result<ResearchRun, Fault> {
    let found = service.store.research_run(&RunId::from(id)).await;
    found.map_err(store_fault)?.ok_or_else(|| missing(id))
}

pub(super) async fn job_of(service: &Service, run: &ResearchRun) -> Result<Option<Job>, Fault> {
    match &run.job {
        Some(job) => service.store.job(job).await.map_err(store_fault),
        None => Ok(None),
    }
}

/// Returns a run with its brain document, which is `None` before the run has begun.
pub(super) async fn whole(
    service: &Service,
    id: &str,
) -> Result<(ResearchRun, Option<Run>), Fault> {
    let run = run(service, id).await?;
    let document = service.store.research_document(&run.id).await;
    let document = document.map_err(store_fault)?;
    let read = |json: String| Run::restore(&json, |_| None);
    let document = document.map(read).transpose().map_err(|fault| {
        let what = adjutant_domain::faults::sentence(&fault.to_string());
        Fault::from(UserFault::new("research", what, ""))
    })?;
    Ok((run, document))
}
