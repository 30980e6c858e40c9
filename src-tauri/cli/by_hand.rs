//! Changes made by hand to what waits: cards, plans, outgoing mail.

use adjutant::session::Session;
use adjutant_api::reply::Applied;
use adjutant_api::rows::Rows;
use adjutant_api::{Fault, OutboxAct, PlanChange, Reply, Request, Topic};

use crate::args::{Act, ConversationAct, PlanCommand};
use crate::{End, print, reply, turn, unexpected};

/// Changes a waiting plan and shows again what waits for approval in it.
pub(crate) async fn plan(
    session: &Session,
    change: PlanCommand,
    as_json: bool,
) -> Result<End, Fault> {
    let (plan, change) = match change {
        PlanCommand::LeaveOut { plan, step } => (plan, PlanChange::LeaveOut { step }),
        PlanCommand::Move { plan, step, before } => (plan, PlanChange::Move { step, before }),
    };
    let turn = owner(session, plan).await?;
    turn::follow(session, Request::EditPlan { turn, change }, as_json).await
}

/// Returns the turn of a plan given by the plan's id or by a turn's id.
async fn owner(session: &Session, plan: String) -> Result<String, Fault> {
    let request = Request::show(Topic::Plans);
    let Reply::Rows {
        rows: Rows::Plans(plans),
        ..
    } = reply(session, request).await?
    else {
        return Err(unexpected());
    };
    // A plan may have moved on to a later turn; prefer the one that waits.
    let named = |waits: bool| {
        let mut own = plans
            .iter()
            .filter(|row| row.id == plan || row.turn == plan);
        own.find(|row| !waits || row.state == "waiting")
    };
    let found = named(true).or_else(|| named(false));
    found.map(|row| row.turn.clone()).ok_or_else(|| Fault {
        code: "not_found".into(),
        message: format!("There is no plan “{plan}”."),
        hint: "`adjutant show plans` lists the plans with their IDs.".into(),
    })
}

/// Decides about an outgoing mail.
pub(crate) async fn outbox(
    session: &Session,
    id: String,
    act: Act,
    as_json: bool,
) -> Result<End, Fault> {
    let act = match act {
        Act::SendNow => OutboxAct::SendNow,
        Act::CheckAgain => OutboxAct::CheckAgain,
        Act::ToDraft => OutboxAct::ToDraft,
    };
    let Reply::Applied { outcome } = reply(session, Request::Outbox { id, act }).await? else {
        return Err(unexpected());
    };
    let (end, text) = match &outcome {
        Applied::Failed { fault } => return Err(fault.clone()),
        Applied::Done { say, .. } => (End::Finished, say.clone()),
        Applied::ApprovalNeeded { id } => (
            End::NeedsApproval,
            format!("It waits for your approval: adjutant show approvals {id}"),
        ),
        Applied::Question { text } => (End::NeedsAnswer, text.clone()),
    };
    if as_json {
        print::json(&outcome);
    } else {
        print::line(&text);
    }
    Ok(end)
}

/// Renames, pins, archives, deletes or restores a conversation.
pub(crate) async fn conversation(
    session: &Session,
    id: String,
    act: ConversationAct,
    as_json: bool,
) -> Result<End, Fault> {
    let (request, done) = match act {
        ConversationAct::Rename { title } => {
            (Request::RenameConversation { id, title }, "Renamed.".into())
        }
        ConversationAct::Pin => (
            Request::PinConversation { id, on: true },
            "Pinned to the top of the list.".into(),
        ),
        ConversationAct::Unpin => (
            Request::PinConversation { id, on: false },
            "No longer pinned.".into(),
        ),
        ConversationAct::Archive => (
            Request::ArchiveConversation { id, on: true },
            "Archived. Its next message brings it back.".into(),
        ),
        ConversationAct::Unarchive => (
            Request::ArchiveConversation { id, on: false },
            "Back in the list.".into(),
        ),
        ConversationAct::Delete => {
            let back = format!(
                "Deleted. You can restore it for at least an hour: adjutant conversation {id} restore"
            );
            (Request::DeleteConversation { id }, back)
        }
        ConversationAct::Restore => (
            Request::RestoreConversation { id },
            "Back in the list.".to_owned(),
        ),
    };
    let answer = reply(session, request).await?;
    if as_json {
        print::json(&answer);
    } else {
        print::line(&done);
    }
    Ok(End::Finished)
}

/// Stops a job; its subject stays as it is.
pub(crate) async fn stop_job(session: &Session, id: String, as_json: bool) -> Result<End, Fault> {
    let Reply::Rows {
        rows: Rows::Jobs(jobs),
        ..
    } = reply(session, Request::StopJob { id }).await?
    else {
        return Err(unexpected());
    };
    if as_json {
        print::json(&jobs);
    } else {
        for job in &jobs {
            print::line(&format!("Stopped: {}", print::one_line(&job.title)));
        }
    }
    Ok(End::Finished)
}

/// Searches all stored data.
pub(crate) async fn search(
    session: &Session,
    text: String,
    limit: usize,
    as_json: bool,
) -> Result<End, Fault> {
    let Reply::Hits { hits } = reply(session, Request::Search { text, limit }).await? else {
        return Err(unexpected());
    };
    if as_json {
        print::json(&hits);
        return Ok(End::Finished);
    }
    if hits.is_empty() {
        print::aside("Nothing found.");
    }
    for hit in hits {
        print::line(&format!("{} {}: {}", hit.topic, hit.id, hit.title));
        let snippet = hit.snippet.split_whitespace().collect::<Vec<_>>().join(" ");
        if !snippet.is_empty() {
            print::line(&format!("   {}", snippet));
        }
    }
    Ok(End::Finished)
}
