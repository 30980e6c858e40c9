//! Follows a research run: works on it if nobody does, and forwards its events.

use adjutant_api::research::{ResearchAnswer, ResearchState as WireState};
use adjutant_api::{EventBody, Fault};
use adjutant_domain::ids::RunId;
use adjutant_engine::NotDone;
use adjutant_store::{ResearchRun, ResearchState};
use tokio::sync::broadcast::error::RecvError;

use super::shown::{job_of, run, shown};
use crate::research::{is_over, state};
use crate::service::{Service, Sink, store_fault};

/// Works on a run if nobody does, and forwards its events until it ends or waits.
pub(super) async fn follow(
    service: &Service,
    id: &str,
    out: &Sink,
) -> Result<ResearchAnswer, Fault> {
    let run = run(service, id).await?;
    let mut told = service.broadcast.follow();
    brain(service, &run.id, out).await?;
    let is_open = matches!(run.state, ResearchState::Waiting | ResearchState::Running);
    if is_open && !service.research.is_at_work(&run.id) {
        begin(service, &run).await?;
    }
    if run.state != ResearchState::Asking && !is_over(row_state(service, id).await?) {
        loop {
            let event = tokio::select! {
                event = told.recv() => event,
                () = out.closed() => break,
                () = service.stop.cancelled() => break,
            };
            match event {
                Ok(body) if concerns(&body, id) => {
                    let ends = ends(&body);
                    out.note(body);
                    if ends {
                        break;
                    }
                }
                Ok(_) => {}
                // The missed events may include its end.
                Err(RecvError::Lagged(_)) => {
                    if is_over(row_state(service, id).await?) {
                        break;
                    }
                }
                Err(RecvError::Closed) => break,
            }
        }
    }
    brain(service, &run.id, out).await?;
    shown(service, id).await
}

/// Starts work on a run in the background, whether or not anybody listens.
async fn begin(service: &Service, run: &ResearchRun) -> Result<(), Fault> {
    let Some(job) = job_of(service, run).await? else {
        return Ok(());
    };
    let (engine, research) = (service.engine.clone(), service.research.clone());
    service.tasks.spawn(async move {
        let own = job.clone();
        let work = |reporter| async move { (research.work(own, reporter).await, ()) };
        match engine.work_on(job, work).await {
            Ok(()) | Err(NotDone::Busy | NotDone::Stopped) => {}
            Err(NotDone::NotStored(fault)) => {
                tracing::warn!(%fault, "how research ended could not be stored");
            }
        }
    });
    Ok(())
}

async fn row_state(service: &Service, id: &str) -> Result<WireState, Fault> {
    let run = run(service, id).await?;
    Ok(state(run.state))
}

/// Sends the whole brain document to the follower.
async fn brain(service: &Service, id: &RunId, out: &Sink) -> Result<(), Fault> {
    let document = service.store.research_document(id).await;
    if let Some(brain) = document.map_err(store_fault)? {
        out.note(EventBody::ResearchBrainUpdate {
            id: id.0.clone(),
            brain,
        });
    }
    Ok(())
}

fn concerns(body: &EventBody, of: &str) -> bool {
    match body {
        EventBody::ResearchBrainInitialized { id, .. }
        | EventBody::ResearchBrainStrategy { id, .. }
        | EventBody::ResearchQuestionStarted { id, .. }
        | EventBody::ResearchQuestionSearchCompleted { id, .. }
        | EventBody::ResearchQuestionReflection { id, .. }
        | EventBody::ResearchQuestionCompleted { id, .. }
        | EventBody::ResearchSynthesizingStarted { id }
        | EventBody::ResearchComplete { id, .. }
        | EventBody::ResearchDocUpdated { id, .. }
        | EventBody::ResearchBrainUpdate { id, .. }
        | EventBody::ResearchState { id, .. } => id == of,
        _ => false,
    }
}

/// Tells whether no more events are expected for now, because the run ended or waits.
fn ends(body: &EventBody) -> bool {
    matches!(
        body,
        EventBody::ResearchState {
            state: WireState::Done
                | WireState::Stopped
                | WireState::Paused
                | WireState::Failed
                | WireState::Waiting,
            ..
        }
    )
}
