//! Talking, line by line.

use adjutant::session::Session;
use adjutant_api::{Fault, Request};
use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::{End, print, run, turn};

/// Longest line that is read, in bytes.
const LINE_BYTES_MAX: usize = 64 * 1024;

/// Runs until the input ends or the person leaves. Whoever holds the profile also does what becomes due meanwhile.
pub(crate) async fn run(session: &Session, conversation: &str, json: bool) -> Result<End, Fault> {
    let talking = talk(session, conversation, json);
    let Session::Here(service, _) = session else {
        return talking.await;
    };
    tokio::select! {
        end = talking => end,
        () = service.keep_running(|done| run::tell(done, json)) => Ok(End::Finished),
    }
}

async fn talk(session: &Session, conversation: &str, json: bool) -> Result<End, Fault> {
    if !json {
        print::aside("Adjutant. Type a request; an empty line or Ctrl-D leaves.");
    }
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    loop {
        if !json && print::on_terminal() {
            eprint!("> ");
        }
        let line = tokio::select! {
            line = lines.next_line() => line,
            _ = tokio::signal::ctrl_c() => return Ok(End::Interrupted),
        };
        let text = match line {
            Ok(Some(text)) if text.len() > LINE_BYTES_MAX => {
                print::error("That is too long for one message.");
                continue;
            }
            Ok(Some(text)) if text.trim().is_empty() => return Ok(End::Finished),
            Ok(Some(text)) => text,
            Ok(None) => return Ok(End::Finished),
            Err(error) => {
                print::error(&format!("That line cannot be read: {error}."));
                return Ok(End::Failed);
            }
        };
        let request = Request::Ask {
            conversation: conversation.to_owned(),
            text,
        };
        if let Err(fault) = turn::follow(session, request, json).await {
            print::error(&fault.to_string());
            if fault.code == "holder" {
                return Ok(End::Failed);
            }
        }
    }
}
