//! Carries out approved actions that wait: at the end of their hold, or once there is a connection.

use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::{StoreFault, UserFault, sentence};
use adjutant_domain::gate::{ActionState, PendingAction, PermittedBy};
use adjutant_domain::ids::ActionId;
use adjutant_domain::job::{Ended, Job, retry_at};
use adjutant_domain::operation::RemoteFault;
use jiff::Timestamp;

use super::Work;
use crate::engine::Engine;
use crate::op::Op;
use crate::recover::{NO_SIGN_IN, NO_WAY, Recovery};

pub(super) async fn run(mut work: Work<'_>, jobs: Vec<Job>) -> Result<(), StoreFault> {
    for job in jobs {
        let id = ActionId(job.subject.clone());
        match waiting(work.engine, &id).await? {
            // Taken back, or carried out by hand, since the job was leased.
            None => drop(work.done(vec![job.id]).await?),
            Some(action) if action.waits_until.is_some_and(|until| until <= work.now) => {
                let (to, mut found) = (Some(ActionState::Expired), Recovery::default());
                let why = match work.engine.core.refusal(&action).await? {
                    Some(RemoteFault::NotSignedIn { .. }) => NO_SIGN_IN,
                    _ => NO_WAY,
                };
                let lost = work.engine.lose(&action, to, why, &mut found).await;
                if let Err(fault) = lost {
                    work.again(&job, fault).await?;
                }
            }
            Some(_) => carry(&mut work, &job, &id).await?,
        }
    }
    Ok(())
}

async fn waiting(engine: &Engine, id: &ActionId) -> Result<Option<PendingAction>, StoreFault> {
    let found = engine.core.parts.log.action(id).await?;
    Ok(found.filter(PendingAction::waits))
}

/// Resumes the action's turn and reports the result. The transaction that settled the action also ended the job;
/// without a connection the job is retried later.
async fn carry(work: &mut Work<'_>, job: &Job, id: &ActionId) -> Result<(), StoreFault> {
    match answer(work.engine, id).await {
        Err(fault) => work.again(job, fault).await,
        Ok(answer) => {
            let action = work.engine.core.parts.log.action(id).await?;
            match action {
                Some(action) if action.waits() => {
                    let (at, why) = next(work, job, &action).await?;
                    let ended = (job.id.clone(), Ended::Again { at, why });
                    return work.settle(&[ended]).await.map(drop);
                }
                // Activity has it. Whoever filed fifty mails on a train does not want fifty notices.
                Some(action) if was_by_hand(&action) => {}
                Some(_) | None => work.report.line(answer),
            }
            Ok(())
        }
    }
}

/// Whether an action was done as the person wanted it by hand.
fn was_by_hand(action: &PendingAction) -> bool {
    action.state == ActionState::Succeeded && action.unasked == Some(PermittedBy::Hand)
}

/// Returns when to try an action again that waits, and why it does.
async fn next(
    work: &Work<'_>,
    job: &Job,
    action: &PendingAction,
) -> Result<(Timestamp, String), StoreFault> {
    let core = &work.engine.core;
    let again = retry_at(job.attempts, work.now);
    Ok(match core.refusal(action).await? {
        // More attempts with the same password could lock the account. Signing in brings this forward.
        Some(fault @ RemoteFault::NotSignedIn { .. }) => {
            let at = action.waits_until.unwrap_or(again);
            (at, sentence(&core.told(&fault).await))
        }
        _ => (again, "There is no connection to the provider.".to_owned()),
    })
}

async fn answer(engine: &Engine, id: &ActionId) -> Result<String, UserFault> {
    let carry = Op::Carry {
        id: id.clone(),
        at_once: false,
    };
    let mut events = engine.submit(carry).await?;
    let mut said = Ok(String::new());
    while let Some(live) = events.next().await {
        match &live.event {
            TurnEvent::Done { answer, .. } | TurnEvent::Waiting { answer, .. } => {
                said = Ok(answer.clone());
            }
            // An opened turn reports its own faults; `seq` 0 means that none could be opened.
            TurnEvent::Error { fault } if live.seq == 0 => said = Err(fault.clone()),
            _ => {}
        }
    }
    said
}
