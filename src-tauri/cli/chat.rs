//! Talking, line by line.

use adjutant::session::Session;
use adjutant_api::{Fault, Request};
use adjutant_domain::faults::io_reason;
use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::{End, print, run, turn};

/// Longest line that is read, in bytes.
const LINE_BYTES_MAX: usize = 64 * 1024;

/// Runs until the input ends or the person leaves. Whoever holds the profile also does what becomes due meanwhile.
pub(crate) async fn run(session: &Session, conversation: &str, json: bool) -> Result<End, Fault> {
    let watching = async {
        let service = session.holding().await;
        service.keep_running(|done| run::tell(done, json)).await;
    };
    tokio::select! {
        end = talk(session, conversation, json) => end,
        () = watching => Ok(End::Finished),
    }
}

async fn talk(session: &Session, conversation: &str, json: bool) -> Result<End, Fault> {
    if !json {
        print::aside("Adjutant. Type a request; “exit”, an empty line or Ctrl-D leaves.");
    }
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    loop {
        if !json && print::on_terminal() {
            print::prompt();
        }
        let line = tokio::select! {
            line = lines.next_line() => line,
            _ = tokio::signal::ctrl_c() => return Ok(End::Interrupted),
        };
        let text = match line {
            Ok(Some(text)) if text.len() > LINE_BYTES_MAX => {
                print::fault(&too_long(), json);
                continue;
            }
            Ok(Some(text)) if leaves(&text) => return Ok(End::Finished),
            Ok(Some(text)) => text,
            Ok(None) => return Ok(End::Finished),
            Err(error) => {
                return Err(unreadable(&error));
            }
        };
        let request = Request::Ask {
            conversation: conversation.to_owned(),
            text,
        };
        if let Err(fault) = turn::follow_in_talk(session, request, json).await {
            print::fault(&fault, json);
            if fault.code == "holder" {
                return Ok(End::Failed);
            }
        }
    }
}

/// Whether a line ends the talk: nothing, or one of the words with which programs of this kind are left.
fn leaves(line: &str) -> bool {
    let word = line.trim().trim_end_matches(['.', '!']).to_lowercase();
    matches!(
        word.as_str(),
        "" | "exit" | "quit" | "/exit" | "/quit" | ":q"
    )
}

fn too_long() -> Fault {
    Fault {
        code: "usage".into(),
        message: "That is too long for one message.".into(),
        hint: format!("Say it in at most {} KiB.", LINE_BYTES_MAX / 1024),
    }
}

fn unreadable(error: &std::io::Error) -> Fault {
    Fault {
        code: "file".into(),
        message: format!("That line cannot be read: {}.", io_reason(error)),
        hint: "Type or pipe it in as UTF-8.".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::leaves;

    #[test]
    fn a_word_of_its_own_leaves_and_a_request_does_not() {
        for line in ["", "  ", "exit", "Quit", "exit.", "/quit"] {
            assert!(leaves(line), "{line}");
        }
        for line in ["exit strategy", "quit my gym", "bye", "no"] {
            assert!(!leaves(line), "{line}");
        }
    }
}
