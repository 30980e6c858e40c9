//! Printing for people and for programs.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use adjutant_api::event::CardView;
use serde::Serialize;
use serde_json::Value;

/// Prints one line on standard output. A closed pipe ends the program quietly, as other tools do.
pub(crate) fn line(text: &str) {
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Whether pieces of an answer are shown as they come: somebody looks on.
pub(crate) fn shows_pieces() -> bool {
    std::io::stdout().is_terminal()
}

/// Prints a piece of an answer.
pub(crate) fn piece(text: &str) {
    let mut out = std::io::stdout().lock();
    let text = plain(text);
    if write!(out, "{text}").and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Text without characters that would steer the terminal: what a model or a mail says is shown, never obeyed.
pub(crate) fn plain(text: &str) -> String {
    text.chars()
        .filter(|char| {
            matches!(char, '\n' | '\t')
                || !(char.is_control()
                    || matches!(char, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'))
        })
        .collect()
}

/// Prints one JSON value on one line.
pub(crate) fn json<T: Serialize>(value: &T) {
    match serde_json::to_string(value) {
        Ok(text) => line(&text),
        Err(error) => self::error(&format!("The answer cannot be printed: {error}.")),
    }
}

/// Prints a line for the person, beside the result.
pub(crate) fn aside(text: &str) {
    drop(writeln!(std::io::stderr().lock(), "{text}"));
}

/// Prints what went wrong.
pub(crate) fn error(text: &str) {
    aside(text);
}

/// Whether standard error is a terminal: progress is shown only there.
pub(crate) fn on_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// Reads a line: whether it is a plain yes.
pub(crate) fn says_yes() -> bool {
    let mut typed = String::new();
    let read = std::io::stdin().lock().read_line(&mut typed);
    read.is_ok() && matches!(typed.trim(), "yes" | "y")
}

/// A card as text: the same facts in the same order as in the window, complete.
pub(crate) fn card(card: &CardView) -> String {
    let mut out = format!("  {}\n", card.title);
    for note in &card.notes {
        out.push_str(&format!("  ! {}\n", note.text));
    }
    for fact in &card.facts {
        let value = match &fact.before {
            Some(before) => format!("{before} → {}", fact.value),
            None => fact.value.clone(),
        };
        out.push_str(&format!("  {:<10} {value}\n", fact.label));
    }
    for item in &card.items {
        let detail = item
            .detail
            .as_deref()
            .map(|detail| format!(" ({detail})"))
            .unwrap_or_default();
        out.push_str(&format!("  - {}{detail}\n", item.label));
    }
    for file in &card.attachments {
        let short: String = file.sha256.chars().take(12).collect();
        out.push_str(&format!(
            "  + {} ({} bytes, {short})\n",
            file.name, file.size
        ));
    }
    if let Some(body) = &card.body {
        for text in body.lines() {
            out.push_str(&format!("  | {text}\n"));
        }
    }
    out.push_str(&format!("  {}\n", card.undo));
    out
}

/// Rows as aligned columns; the first row names them.
pub(crate) fn table(columns: &[&str], rows: &[Value]) -> String {
    /// Characters of one cell that are shown.
    const CELL_CHARS_MAX: usize = 60;
    let cell = |value: &Value| -> String {
        let text = match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            Value::Array(list) => list
                .iter()
                .map(|one| one.as_str().map_or_else(|| one.to_string(), str::to_owned))
                .collect::<Vec<_>>()
                .join(", "),
            Value::Object(_) => value
                .get("title")
                .and_then(Value::as_str)
                .map_or_else(|| value.to_string(), str::to_owned),
            other => other.to_string(),
        };
        let flat: String = text
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        if flat.chars().count() > CELL_CHARS_MAX {
            flat.chars().take(CELL_CHARS_MAX - 1).chain(['…']).collect()
        } else {
            flat
        }
    };
    let mut lines: Vec<Vec<String>> = vec![columns.iter().map(|&name| name.to_owned()).collect()];
    lines.extend(rows.iter().map(|row| {
        columns
            .iter()
            .map(|&name| cell(row.get(name).unwrap_or(&Value::Null)))
            .collect()
    }));
    let widths: Vec<usize> = (0..columns.len())
        .map(|column| {
            lines
                .iter()
                .map(|cells| cells[column].chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    lines
        .iter()
        .map(|cells| {
            let padded: Vec<String> = cells
                .iter()
                .zip(&widths)
                .map(|(text, &width)| {
                    format!(
                        "{text}{}",
                        " ".repeat(width.saturating_sub(text.chars().count()))
                    )
                })
                .collect();
            padded.join("  ").trim_end().to_owned()
        })
        .collect::<Vec<_>>()
        .join("\n")
}
