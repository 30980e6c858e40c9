//! Says how approved mail that waits gets done, if no process stays open that will do it.

use std::collections::BTreeSet;
use std::future::Future;

use adjutant::session::Session;
use adjutant_api::rows::{OutboxRow, Rows};
use adjutant_api::words::WaitsFor;
use adjutant_api::{Fault, Reply, Request, Topic};

use crate::{End, print, reply, run};

/// Maximum number of rows to look at. What waits comes first in the list.
const ROWS_MAX: usize = 20;

/// Runs a command and tells afterwards how what it left waiting gets done.
pub(crate) async fn and_tell(
    session: &Session,
    json: bool,
    command: impl Future<Output = Result<End, Fault>>,
) -> Result<End, Fault> {
    if json {
        return command.await;
    }
    let before: BTreeSet<String> = waiting(session)
        .await
        .into_iter()
        .map(|row| row.id)
        .collect();
    let end = command.await;
    let mut new = waiting(session).await;
    new.retain(|row| !before.contains(&row.id));
    tell(session, &new);
    end
}

/// Tells how rows that wait get done. Silent if there are none, or if another process has the profile open.
pub(crate) fn tell(session: &Session, rows: &[OutboxRow]) {
    let mut waits = rows.iter().filter_map(|row| row.waits.as_ref()).peekable();
    if session.service().is_none() || waits.peek().is_none() {
        return;
    }
    print::aside(match waits.any(|wait| wait.why == WaitsFor::Hold) {
        true => {
            "No open Adjutant will send this when its time comes: keep the window or `adjutant run` open, or type `adjutant run --once` then."
        }
        false => {
            "No open Adjutant will try this again: keep the window or `adjutant run` open, or type `adjutant run --once`."
        }
    });
}

/// Tries again what waits for an account, after the account was read. Reports what became of it.
pub(crate) async fn try_again(session: &Session, json: bool) -> Result<(), Fault> {
    let waits = waiting(session).await;
    let for_account = |row: &OutboxRow| {
        let wait = row.waits.as_ref();
        wait.is_some_and(|wait| wait.why != WaitsFor::Hold)
    };
    if !waits.iter().any(for_account) {
        return Ok(());
    }
    if let Reply::DueDone { done } = reply(session, Request::RunDue {}).await? {
        match json {
            // Standard output carries the accounts, and nothing else.
            true => done.iter().for_each(|line| print::aside(line)),
            false => run::tell(&done, false),
        }
    }
    Ok(())
}

/// Returns the approved actions that wait. None if they cannot be read, which other commands report.
async fn waiting(session: &Session) -> Vec<OutboxRow> {
    let mut request = Request::show(Topic::Outbox);
    if let Request::Show { limit, .. } = &mut request {
        *limit = Some(ROWS_MAX);
    }
    let Ok(Reply::Rows {
        rows: Rows::Outbox(mut rows),
        ..
    }) = reply(session, request).await
    else {
        return Vec::new();
    };
    rows.retain(|row| row.waits.is_some());
    rows
}
