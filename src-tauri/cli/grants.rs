//! Standing grants, and the command that stops everything.

use adjutant::session::{Options, Session};
use adjutant_api::rows::Rows;
use adjutant_api::{Fault, Reply, Request, Topic};

use crate::args::GrantsCommand;
use crate::{End, print, reply, show, unexpected};

/// Gives, lists or revokes grants.
pub(crate) async fn run(
    session: &Session,
    options: &Options,
    command: Option<GrantsCommand>,
    json: bool,
) -> Result<End, Fault> {
    let (request, done) = match command.unwrap_or(GrantsCommand::List) {
        GrantsCommand::List => {
            return show::run(session, options, Request::show(Topic::Grants), json).await;
        }
        GrantsCommand::Add {
            action,
            digest,
            until,
        } => (
            Request::Grant {
                id: action,
                digest,
                until,
            },
            "Allowed. The card still waits: approve or reject it.",
        ),
        GrantsCommand::Revoke { id } => {
            (Request::RevokeGrant { id }, "Revoked. Adjutant asks again.")
        }
    };
    let Reply::Rows {
        rows: Rows::Grants(grants),
        ..
    } = reply(session, request).await?
    else {
        return Err(unexpected());
    };
    if json {
        print::json(&grants);
    } else {
        for grant in &grants {
            let target = print::one_line(&grant.target);
            print::line(&format!("{} {}: {target}", grant.id, grant.tool));
        }
        print::line(done);
    }
    Ok(End::Finished)
}

/// Stops everything.
pub(crate) async fn stop(session: &Session, json: bool) -> Result<End, Fault> {
    let request = Request::Interrupt {
        turn: None,
        conversation: None,
    };
    let answer = reply(session, request).await?;
    if json {
        print::json(&answer);
    } else {
        print::line(
            "Stopped. Everything that was queued or approved but had not started is cancelled.",
        );
    }
    Ok(End::Finished)
}
