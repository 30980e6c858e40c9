//! `chat`: a conversation line by line.

use adjutant::session::Session;
use adjutant_api::{Fault, Request};
use adjutant_domain::faults::io_reason;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _, BufReader};

use crate::{End, print, run, turn};

/// Maximum length of an input line in bytes.
const LINE_BYTES_MAX: usize = 64 * 1024;

/// Runs until the input ends or the person leaves. If this process holds the profile, also does what becomes due.
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
    let mut typed = BufReader::new(tokio::io::stdin());
    loop {
        if !json && print::on_terminal() {
            print::prompt();
        }
        let line = tokio::select! {
            line = next_line(&mut typed) => line,
            _ = tokio::signal::ctrl_c() => return Ok(End::Interrupted),
        };
        let text = match line {
            Ok(Some(Line::TooLong)) => {
                print::fault(&too_long(), json);
                continue;
            }
            Ok(Some(Line::Text(text))) if leaves(&text) => return Ok(End::Finished),
            Ok(Some(Line::Text(text))) => text,
            Ok(None) => return Ok(End::Finished),
            Err(error) => {
                return Err(unreadable(&error));
            }
        };
        let request = Request::Ask {
            conversation: conversation.to_owned(),
            text,
            tier: None,
        };
        if let Err(fault) = turn::follow_in_talk(session, request, json).await {
            print::fault(&fault, json);
            if fault.code == "holder" {
                return Ok(End::Failed);
            }
        }
    }
}

/// A line of input.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    Text(String),
    /// Longer than [`LINE_BYTES_MAX`]; the whole line was skipped.
    TooLong,
}

/// Reads the next line, keeping no more than the maximum in memory; `None` at the end of the input.
async fn next_line(input: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<Option<Line>> {
    let bytes_max = LINE_BYTES_MAX as u64 + 1;
    let (mut line, mut too_long) = (Vec::new(), false);
    loop {
        line.clear();
        let read = (&mut *input)
            .take(bytes_max)
            .read_until(b'\n', &mut line)
            .await?;
        let ended = read == 0 || line.ends_with(b"\n");
        if ended && too_long {
            return Ok(Some(Line::TooLong));
        }
        if read == 0 {
            return Ok(None);
        }
        if ended || line.len() <= LINE_BYTES_MAX {
            break;
        }
        too_long = true;
    }
    String::from_utf8(line)
        .map(|text| Some(Line::Text(text.trim_end_matches(['\r', '\n']).to_owned())))
        .map_err(|_| std::io::Error::other("it is not UTF-8"))
}

/// Tells whether a line ends the chat: it is empty or a common exit command.
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
        hint: format!("Shorten it to at most {} KiB.", LINE_BYTES_MAX / 1024),
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
    use super::{LINE_BYTES_MAX, Line, leaves, next_line};

    #[tokio::test]
    async fn a_long_line_is_passed_over_and_not_kept() {
        let long = "x".repeat(3 * LINE_BYTES_MAX);
        let input = format!("one\n{long}\ntwo");
        let mut input = input.as_bytes();
        let text = |text: &str| Some(Line::Text(text.to_owned()));
        for expect in [text("one"), Some(Line::TooLong), text("two"), None] {
            assert_eq!(next_line(&mut input).await.expect("a line"), expect);
        }
        assert!(next_line(&mut &b"\xff\n"[..]).await.is_err());
    }

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
