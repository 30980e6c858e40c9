//! Answers front ends' requests about research.

mod follow;
mod shown;

use adjutant_api::research::{
    ResearchAct, ResearchAnswer, ResearchRow, ResearchSources, ResearchState as WireState,
};
use adjutant_api::{Fault, Reply};
use adjutant_domain::faults::UserFault;
use adjutant_domain::ids::RunId;
use adjutant_domain::job::{Job, JobState, Schedule};
use adjutant_store::{ResearchRun, ResearchState};
use adjutant_tools::research::{Deeper, ResearchBrief, Sources};
use adjutant_understanding::confirm::{Confirmation as Confirmed, answer as answer_of};
use jiff::Timestamp;

use self::follow::follow;
use self::shown::{changes, check, credit, job_of, page, run, shown, whole};
use super::{Service, Sink, store_fault};
use crate::research::{asking, compared, exported, read_intake, row};

pub(super) use self::shown::{everything, one};

/// States from which the person can resume a run.
const RESUMABLE: &[ResearchState] = &[
    ResearchState::Stopped,
    ResearchState::Paused,
    ResearchState::Failed,
    ResearchState::Waiting,
];
/// States in which the person can stop a run.
const STOPPABLE: &[ResearchState] = &[
    ResearchState::Asking,
    ResearchState::Waiting,
    ResearchState::Running,
    ResearchState::Paused,
];

/// The reason shown for a run whose process ended during the work.
const CUT_OFF: &str = "Adjutant was closed in the middle of it. It continues while Adjutant runs.";

/// Answers a request about research.
pub(super) async fn reply(service: &Service, act: ResearchAct, out: &Sink) -> Result<Reply, Fault> {
    let found = match act {
        ResearchAct::Start {
            objective,
            why,
            success,
            sources,
            deeper,
            weekly,
        } => {
            let brief = ResearchBrief {
                objective: objective.trim().to_owned(),
                why: why.trim().to_owned(),
                success,
                sources: sources.map(|sources| match sources {
                    ResearchSources::Web => Sources::Web,
                    ResearchSources::Own => Sources::Own,
                    ResearchSources::Both => Sources::Both,
                }),
                deeper: deeper.map(|deeper| Deeper {
                    id: deeper.id,
                    claim: deeper.claim,
                }),
                weekly,
                proposed: None,
            };
            start(service, brief).await?
        }
        ResearchAct::Answer { id, text } => answer(service, &id, &text).await?,
        ResearchAct::Show { id } => shown(service, &id).await?,
        ResearchAct::Follow { id } => follow(service, &id, out).await?,
        ResearchAct::Stop { id } => stop(service, &id).await?,
        ResearchAct::Resume { id } => resume(service, &id).await?,
        ResearchAct::WriteNow { id } => write_now(service, &id).await?,
        ResearchAct::Repeat { id, weekly } => repeat(service, &id, weekly).await?,
        ResearchAct::Export { id, format } => {
            let (_, document) = whole(service, &id).await?;
            let document = document.ok_or_else(no_report)?;
            let report = document.report().ok_or_else(no_report)?;
            let since = one(service, &id).await?.since;
            exported(&document, report, since.as_ref(), format, &service.zone())
        }
        ResearchAct::Compare { before, after } => {
            let store = &service.store;
            let (before, after) = (run(service, &before).await?, run(service, &after).await?);
            let before = store.research_claims(&before.id).await;
            let after = store.research_claims(&after.id).await;
            let (before, after) = (before.map_err(store_fault)?, after.map_err(store_fault)?);
            ResearchAnswer::Compared(compared(&before, &after))
        }
        ResearchAct::Page { id, sha256 } => page(service, &id, sha256).await?,
        ResearchAct::CheckPage { id, sha256 } => check(service, &id, sha256).await?,
        ResearchAct::Changes { id, after } => changes(service, &id, after).await?,
    };
    Ok(Reply::Research { found })
}

/// Returns the rows of `show research`.
pub(super) async fn rows(
    service: &Service,
    limit: Option<usize>,
) -> Result<Vec<ResearchRow>, Fault> {
    let runs = service.store.research_runs(None, limit).await;
    let mut rows = Vec::new();
    for run in runs.map_err(store_fault)? {
        let job = job_of(service, &run).await?;
        let row = row(&run, job.as_ref(), credit(service), &service.zone());
        rows.push(as_it_is(service, row));
    }
    Ok(rows)
}

/// Shows a run as waiting if its process ended during the work and nobody resumed it.
fn as_it_is(service: &Service, mut row: ResearchRow) -> ResearchRow {
    if row.state == WireState::Running && !service.research.is_at_work(&RunId(row.id.clone())) {
        row.state = WireState::Waiting;
        row.why = Some(CUT_OFF.to_owned());
    }
    row
}

async fn start(service: &Service, mut brief: ResearchBrief) -> Result<ResearchAnswer, Fault> {
    let mut previous = None;
    if let Some(deeper) = brief.deeper.clone() {
        let before = run(service, &deeper.id).await?;
        deepen(service, &before, &mut brief, deeper.claim).await?;
        previous = Some(before.id);
    }
    brief.sources = Some(sources(service, &brief)?);
    let now = service.now().timestamp();
    let id = RunId::from_bits(service.entropy.bits());
    // Details derived from the person's words must be confirmed before they count.
    let read = read_intake(&service.engine, &mut brief).await;
    let asks = read || brief.ask().is_some();
    let data = serde_json::to_value(&brief).map_err(|error| {
        let what = format!("The brief cannot be stored: {error}.");
        Fault::from(UserFault::new("usage", what, "Try other words."))
    })?;
    let job = (!asks).then(|| job(&id, &brief, now, service));
    let run = ResearchRun {
        id,
        job: job.as_ref().map(|job| job.id.clone()),
        previous,
        brief: data,
        state: match asks {
            true => ResearchState::Asking,
            false => ResearchState::Waiting,
        },
        why: None,
        begun: now,
        updated: now,
        ended: None,
        version: 0,
        summary: None,
    };
    let id = run.id.clone();
    let put = service.store.put_research(run, job).await;
    put.map_err(store_fault)?;
    shown(service, id.as_str()).await
}

/// Returns the job that works on a run from now on.
fn job(id: &RunId, brief: &ResearchBrief, now: Timestamp, service: &Service) -> Job {
    let schedule = brief.weekly.then(|| weekly(service, now));
    let data = serde_json::to_value(brief).unwrap_or_default();
    Job::research(id, &brief.objective, data, schedule, now)
}

/// Returns a weekly schedule on the weekday and at the time of an instant.
fn weekly(service: &Service, at: Timestamp) -> Schedule {
    let at = at.to_zoned(service.zone());
    let day = at.weekday().to_monday_one_offset();
    Schedule::Week {
        day: u8::try_from(day).unwrap_or(1),
        at: jiff::civil::Time::constant(at.hour(), at.minute(), 0, 0),
    }
}

fn sources(service: &Service, brief: &ResearchBrief) -> Result<Sources, Fault> {
    service
        .research
        .sources(brief)
        .map_err(|fault| Fault::from(&fault))
}

/// Fills the brief of a deeper research with its purpose and finding, taken from a claim of an earlier run.
async fn deepen(
    service: &Service,
    before: &ResearchRun,
    brief: &mut ResearchBrief,
    number: u32,
) -> Result<(), Fault> {
    let claims = service.store.research_claims(&before.id).await;
    let claims = claims.map_err(store_fault)?;
    let place = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
    let claim = place.and_then(|place| claims.get(place)).ok_or_else(|| {
        let what = format!("The report has no claim {number}; it has {}.", claims.len());
        let next = "See the numbers of its claims in Research (`adjutant research show ID`).";
        Fault::from(UserFault::new("not_found", what, next))
    })?;
    let old: ResearchBrief = serde_json::from_value(before.brief.clone()).unwrap_or_default();
    if brief.objective.is_empty() {
        brief.objective = format!("What is known in depth about this: {}", claim.text);
    }
    if brief.why.is_empty() {
        brief.why = old.why;
    }
    if brief.success.is_empty() {
        brief.success = old.success;
    }
    if brief.sources.is_none() {
        brief.sources = old.sources;
    }
    Ok(())
}

async fn answer(service: &Service, id: &str, text: &str) -> Result<ResearchAnswer, Fault> {
    let mut run = run(service, id).await?;
    if run.state != ResearchState::Asking {
        let what = "This research has no question for you.";
        let next = "Look at it in Research (`adjutant research show ID`).";
        return Err(Fault::from(UserFault::new("usage", what, next)));
    }
    let mut brief: ResearchBrief = serde_json::from_value(run.brief.clone()).unwrap_or_default();
    let now = service.now().timestamp();
    let mut begins = None;
    if asking(&brief).missing == "confirm" {
        match answer_of(text, None) {
            Confirmed::Affirmative => begins = Some(job(&run.id, &brief, now, service)),
            Confirmed::Negative => return stop(service, id).await,
            Confirmed::Neither => {}
        }
    } else {
        brief.answer(text);
    }
    run.brief = serde_json::to_value(&brief).unwrap_or_default();
    run.updated = now;
    if let Some(job) = &begins {
        run.job = Some(job.id.clone());
        run.state = ResearchState::Waiting;
    }
    let put = service.store.put_research(run, begins).await;
    put.map_err(store_fault)?;
    shown(service, id).await
}

async fn stop(service: &Service, id: &str) -> Result<ResearchAnswer, Fault> {
    let run = run(service, id).await?;
    let now = service.now().timestamp();
    let moved = service
        .store
        .move_research(&run.id, STOPPABLE, ResearchState::Stopped, None, now)
        .await;
    moved.map_err(|_| {
        let what = "There is nothing to stop: it has already ended.";
        Fault::from(UserFault::new("usage", what, "Look at its report."))
    })?;
    if let Some(job) = &run.job {
        // If the job no longer exists, there is nothing to stop.
        drop(service.store.stop_job(job).await.map_err(store_fault)?);
    }
    service.engine.job_stopped();
    let stopped = ResearchState::Stopped;
    service.research.tell_state(&run.id, stopped, None);
    shown(service, id).await
}

async fn resume(service: &Service, id: &str) -> Result<ResearchAnswer, Fault> {
    let mut run = run(service, id).await?;
    // A run whose process was killed still has the state of a working one.
    let is_left = run.state == ResearchState::Running && !service.research.is_at_work(&run.id);
    if !is_left && !RESUMABLE.contains(&run.state) {
        let what =
            "This research cannot be resumed: it is running, has ended, or waits for your answer.";
        let next = "Look at it in Research (`adjutant research show ID`).";
        return Err(Fault::from(UserFault::new("usage", what, next)));
    }
    let brief: ResearchBrief = serde_json::from_value(run.brief.clone()).unwrap_or_default();
    let now = service.now().timestamp();
    run.updated = now;
    run.ended = None;
    run.why = None;
    if run.job.is_none() && brief.clear().is_none() {
        run.state = ResearchState::Asking;
        let put = service.store.put_research(run, None).await;
        put.map_err(store_fault)?;
        return shown(service, id).await;
    }
    let there = job_of(service, &run).await?;
    let mut again = there.unwrap_or_else(|| job(&run.id, &brief, now, service));
    again.state = JobState::Waiting;
    again.run_at = now;
    again.attempts = 0;
    again.lease = None;
    again.why = None;
    run.job = Some(again.id.clone());
    run.state = ResearchState::Waiting;
    let put = service.store.put_research(run, Some(again)).await;
    put.map_err(store_fault)?;
    shown(service, id).await
}

async fn write_now(service: &Service, id: &str) -> Result<ResearchAnswer, Fault> {
    let run = run(service, id).await?;
    if !service.research.write_now(&run.id).await {
        let what = "This research is not running now.";
        let next = "Resume it first (`adjutant research resume ID`), then ask for its report.";
        return Err(Fault::from(UserFault::new("usage", what, next)));
    }
    shown(service, id).await
}

async fn repeat(service: &Service, id: &str, weekly_now: bool) -> Result<ResearchAnswer, Fault> {
    let run = run(service, id).await?;
    let Some(mut job) = job_of(service, &run).await? else {
        let what = "This research has not started yet.";
        let next = "Answer its question first.";
        return Err(Fault::from(UserFault::new("usage", what, next)));
    };
    let now = service.now();
    job.schedule = weekly_now.then(|| weekly(service, run.begun));
    if job.state != JobState::Running {
        match &job.schedule {
            Some(schedule) => {
                let next = schedule.first_after(now.timestamp(), now.time_zone());
                (job.due, job.run_at) = (next, next);
                (job.state, job.attempts, job.late) = (JobState::Waiting, 0, false);
            }
            None if run.state == ResearchState::Done => job.state = JobState::Done,
            None => {}
        }
    }
    let put = service.store.put_research(run, Some(job)).await;
    put.map_err(store_fault)?;
    shown(service, id).await
}

fn no_report() -> Fault {
    let what = "This research has no report yet.";
    let next = "Wait for it, or ask for it now (`adjutant research write-now ID`).";
    Fault::from(UserFault::new("no_report", what, next))
}
