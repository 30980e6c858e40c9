//! One turn: its events as they come, and how it ends. Ctrl-C stops the turn, not the program.

use adjutant::service::Frame;
use adjutant::session::Session;
use adjutant_api::{EventBody, Fault, Reply, Request, WireEvent};

use crate::{End, print, unexpected};

/// Sends a request that leads to a turn and follows it to its end.
pub(crate) async fn follow(session: &Session, request: Request, json: bool) -> Result<End, Fault> {
    let mut frames = session.call(request).await;
    let mut turn = None;
    let mut end = None;
    let mut stopping = false;
    let mut asked = Vec::new();
    loop {
        let frame = tokio::select! {
            frame = frames.recv() => frame,
            pressed = tokio::signal::ctrl_c(), if !stopping => {
                stopping = true;
                if pressed.is_ok() {
                    stop(session, turn.clone()).await;
                }
                continue;
            }
        };
        match frame {
            Some(Frame::Reply(reply)) => {
                if let Reply::Turn { turn: id, .. } = *reply {
                    turn = Some(id);
                }
            }
            Some(Frame::Fault(fault)) => {
                if json {
                    print::json(&serde_json::json!({
                        "event": "error", "code": fault.code, "message": fault.message, "hint": fault.hint,
                    }));
                }
                return Err(fault);
            }
            Some(Frame::Event(event)) => {
                if json {
                    print::json(&event);
                } else if let EventBody::Question { text, .. } = &event.body {
                    asked.push(text.clone());
                    say(&event);
                } else if !matches!(&event.body, EventBody::Waiting { answer, .. } if asked.contains(answer))
                {
                    // What was asked is not said a second time.
                    say(&event);
                }
                end = ending(&event.body).or(end);
            }
            Some(Frame::End) | None => break,
        }
    }
    end.ok_or_else(unexpected)
}

async fn stop(session: &Session, turn: Option<String>) {
    let mut frames = session
        .call(Request::Interrupt {
            turn,
            conversation: None,
        })
        .await;
    while let Some(frame) = frames.recv().await {
        if frame == Frame::End {
            break;
        }
    }
}

fn ending(body: &EventBody) -> Option<End> {
    match body {
        EventBody::Done { .. } => Some(End::Finished),
        EventBody::Waiting { approvals, .. } if !approvals.is_empty() => Some(End::NeedsApproval),
        EventBody::Waiting { .. } => Some(End::NeedsAnswer),
        EventBody::Interrupted { .. } => Some(End::Interrupted),
        EventBody::Error { .. } => Some(End::Failed),
        _ => None,
    }
}

/// Prints an event for a person.
fn say(event: &WireEvent) {
    match &event.body {
        EventBody::Plan { request, steps, .. }
            if steps.len() > 1 && steps.iter().all(|step| step.status == "next") =>
        {
            print::aside(&format!("Understood as: {request}"));
            for (number, step) in steps.iter().enumerate() {
                print::aside(&format!("  {}. {}", number + 1, step.say));
            }
        }
        EventBody::ApprovalNeeded {
            id, digest, shown, ..
        } => {
            print::line(&format!("Waiting for you ({id}):\n{}", print::card(shown)));
            print::line(&format!(
                "  To approve: adjutant approve {id} --digest {digest}\n  To reject:  adjutant reject {id}"
            ));
        }
        EventBody::Question { text, choices, .. } => {
            print::line(text);
            for (number, choice) in choices.iter().enumerate() {
                print::line(&format!("  {}. {}", number + 1, choice.label));
            }
        }
        EventBody::Done { answer, .. } | EventBody::Waiting { answer, .. }
            if !answer.is_empty() =>
        {
            print::line(answer)
        }
        EventBody::Interrupted { results } => {
            print::line("Stopped.");
            for result in results.iter().filter(|result| result.status == "done") {
                print::line(&format!("  Already done: {}", result.say));
            }
        }
        EventBody::Error { message, hint, .. } => {
            print::error(format!("{message} {hint}").trim_end())
        }
        _ => {}
    }
}
