//! `run`: does what is due, without a window.

use adjutant::session::Session;
use adjutant_api::{Fault, Reply, Request};
use serde_json::json;

use crate::{End, print, reply, unexpected};

/// Does what is due: once, or until interrupted.
pub(crate) async fn run(session: &Session, once: bool, as_json: bool) -> Result<End, Fault> {
    if once {
        let Reply::DueDone { done } = reply(session, Request::RunDue {}).await? else {
            return Err(unexpected());
        };
        tell(&done, as_json);
        return Ok(End::Finished);
    }
    let Some(service) = session.service() else {
        return Err(Fault {
            code: "held".into(),
            message: "Another Adjutant has this profile open and runs due jobs.".into(),
            hint: "You need not do anything. `adjutant run --once` makes it check now.".into(),
        });
    };
    tokio::select! {
        () = service.keep_running(|done| tell(done, as_json)) => Ok(End::Finished),
        _ = tokio::signal::ctrl_c() => Ok(End::Interrupted),
    }
}

/// Prints what became due, line by line.
pub(crate) fn tell(done: &[String], as_json: bool) {
    for line in done {
        if as_json {
            print::json(&json!({ "event": "due", "text": line }));
        } else {
            print::line(line);
        }
    }
}
