//! Prints for people and for programs. Text for people is escaped here, at the last step, so that no caller can forget
//! it. JSON is printed unchanged.

mod card;
mod escape;
mod markdown;
mod table;

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use adjutant_api::Fault;
use serde::Serialize;
use serde_json::json;

pub(crate) use card::card;
use escape::escape;
pub(crate) use escape::one_line;
pub(crate) use markdown::Markdown;
pub(crate) use table::{Column, Fit, table};

/// Prints a line on standard output.
pub(crate) fn line(text: &str) {
    out(&format!("{}\n", escape(text)));
}

/// Prints an answer, rendering its Markdown if the terminal supports styles.
pub(crate) fn answer(text: &str) {
    if !shows_styles() {
        return line(text);
    }
    let mut markdown = Markdown::default();
    let shown = markdown.feed(&escape(text));
    out(&format!("{shown}{}\n", markdown.finish()));
}

/// Prints a piece of an answer; `markdown` is the state of the whole answer.
pub(crate) fn piece(text: &str, markdown: &mut Markdown) {
    let text = escape(text);
    if shows_styles() {
        out(&markdown.feed(&text));
    } else {
        out(&text);
    }
}

/// Ends an answer that was printed in pieces.
pub(crate) fn end_of_pieces(markdown: &mut Markdown) {
    out(&format!("{}\n", markdown.finish()));
}

/// Tells whether answers are shown piece by piece, which is the case on a terminal.
pub(crate) fn shows_pieces() -> bool {
    std::io::stdout().is_terminal()
}

/// Tells whether standard output is a terminal that supports styles.
#[expect(
    clippy::disallowed_methods,
    reason = "TERM is of the terminal, not a setting of ours"
)]
fn shows_styles() -> bool {
    shows_pieces() && std::env::var_os("TERM").is_some_and(|term| term != "dumb")
}

/// Prints one JSON value on one line.
pub(crate) fn json<T: Serialize>(value: &T) {
    match serde_json::to_string(value) {
        Ok(text) => out(&format!("{text}\n")),
        Err(error) => self::error(&format!("The answer cannot be printed: {error}.")),
    }
}

/// Prints a fault: to standard error for the person and, with `as_json`, as the event `error` (CONTRACTS).
pub(crate) fn fault(fault: &Fault, as_json: bool) {
    if as_json {
        json(&json!({
            "event": "error", "code": fault.code, "message": fault.message, "hint": fault.hint,
        }));
    }
    error(&fault.to_string());
}

/// Prints a line for the person to standard error, beside the result.
pub(crate) fn aside(text: &str) {
    drop(writeln!(std::io::stderr().lock(), "{}", escape(text)));
}

/// Prints an error.
pub(crate) fn error(text: &str) {
    aside(text);
}

/// Prints the prompt for the next line of a chat.
pub(crate) fn prompt() {
    let mut err = std::io::stderr().lock();
    drop(err.write_all(b"> ").and_then(|()| err.flush()));
}

/// Tells whether standard error is a terminal; progress is shown only there.
pub(crate) fn on_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// Reads a line and tells whether it is a plain yes.
pub(crate) fn says_yes() -> bool {
    let mut typed = String::new();
    let read = std::io::stdin().lock().read_line(&mut typed);
    read.is_ok() && matches!(typed.trim(), "yes" | "y")
}

/// Writes to standard output. A closed pipe ends the program quietly, as is usual for tools.
fn out(text: &str) {
    let mut out = std::io::stdout().lock();
    if out
        .write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .is_err()
    {
        std::process::exit(0);
    }
}
