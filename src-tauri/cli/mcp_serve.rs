//! `mcp serve`: lets other programs use what the profile shares.

use std::sync::Arc;

use adjutant::mcp_serve::SharedProfile;
use adjutant::session::Session;
use adjutant_api::programs::ProgramAct;
use adjutant_api::{Fault, Reply, Request};
use adjutant_domain::faults::io_reason;
use adjutant_mcp::server::{Offer, serve_http, serve_streams};
use adjutant_net::LocalServer;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::{End, print, reply, unexpected};

/// Serves until the client disconnects or the command is interrupted. If this process holds the profile, also does what
/// becomes due. Standard output is reserved for the protocol.
pub(crate) async fn run(
    session: &Session,
    http: Option<u16>,
    new_token: bool,
    as_json: bool,
) -> Result<End, Fault> {
    let offer: Arc<dyn Offer> = Arc::new(SharedProfile::of(session));
    let stop = CancellationToken::new();
    let watching = async {
        let service = session.holding().await;
        let aside = |done: &[String]| done.iter().for_each(|line| print::aside(line));
        service.keep_running(aside).await;
    };
    let serving = async {
        match http {
            Some(port) => over_http(session, offer, port, new_token, as_json, stop.clone()).await,
            None => {
                let streams = (tokio::io::stdin(), tokio::io::stdout());
                let served = serve_streams(offer, streams, stop.clone()).await;
                served.map_err(|fault| Fault::from(&fault))
            }
        }
    };
    let end = tokio::select! {
        served = serving => served.map(|()| End::Finished),
        () = watching => Ok(End::Finished),
        _ = tokio::signal::ctrl_c() => Ok(End::Interrupted),
    };
    stop.cancel();
    end
}

async fn over_http(
    session: &Session,
    offer: Arc<dyn Offer>,
    port: u16,
    new_token: bool,
    as_json: bool,
    stop: CancellationToken,
) -> Result<(), Fault> {
    let request = ProgramAct::Token { renew: new_token };
    let Reply::ProgramToken { token } = reply(session, Request::Programs { request }).await? else {
        return Err(unexpected());
    };
    let server = LocalServer::bind(port).await;
    let server = server.map_err(|error| no_port(port, &error))?;
    let address = server.address().map_err(|error| no_port(port, &error))?;
    let address = format!("http://{address}/mcp");
    let token = token.map(|token| token.0);
    if as_json {
        print::json(&json!({ "address": address, "token": token }));
    } else {
        print::line(&format!(
            "Programs on this computer reach Adjutant at {address}."
        ));
        match token {
            Some(token) => print::line(&format!(
                "They need this token, which is shown only once: Authorization: Bearer {token}"
            )),
            None => print::line(
                "They need the token that was shown when it was made. --new-token makes a new one.",
            ),
        }
    }
    serve_http(offer, server, stop).await;
    Ok(())
}

fn no_port(port: u16, error: &std::io::Error) -> Fault {
    Fault {
        code: "port".into(),
        message: format!("Port {port} cannot be used: {}.", io_reason(error)),
        hint: "Choose another port: --http PORT, or --http 0 for any free one.".into(),
    }
}
