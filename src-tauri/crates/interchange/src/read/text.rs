//! Reads text files: detects their encoding, and rejects what is not text.

use std::path::Path;

use super::{Unreadable, Why, read_bytes};

/// Control characters that occur in text.
const OF_TEXT: [char; 5] = ['\t', '\n', '\r', '\u{b}', '\u{c}'];
/// A text may contain one other control character in this many: a stray one is a slip, many mean a picture.
const CHARS_PER_SLIP: usize = 200;

/// Reads a text file. A byte order mark marks UTF-16; what is not UTF-8 is decoded as Latin-1.
pub(super) fn read(path: &Path, bytes_max: u64) -> Result<String, Unreadable> {
    let bytes = read_bytes(path, bytes_max)?;
    let text = match bytes.as_slice() {
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        _ => String::from_utf8(bytes).unwrap_or_else(|error| {
            let latin = error.into_bytes();
            latin.iter().map(|&byte| char::from(byte)).collect()
        }),
    };
    if !is_text(&text) {
        return Err(Why::NoText.of(path));
    }
    Ok(match text.strip_prefix('\u{FEFF}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units)
        .map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

fn is_text(text: &str) -> bool {
    let slips = text
        .chars()
        .filter(|char| char.is_control() && !OF_TEXT.contains(char))
        .count();
    !text.contains('\0') && slips <= text.chars().count() / CHARS_PER_SLIP + 1
}

/// Lines that a reader could not parse: each run of them becomes one refused item, however long it is.
pub(super) struct BadLines {
    reason: &'static str,
    first: String,
    lines: usize,
}

impl BadLines {
    /// Starts empty; `reason` says what such a line is not, for example "a line of a calendar".
    pub(super) fn new(reason: &'static str) -> Self {
        Self {
            reason,
            first: String::new(),
            lines: 0,
        }
    }

    /// Adds a line; empty lines do not count.
    pub(super) fn add(&mut self, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        if self.lines == 0 {
            self.first = super::line(line, 60);
        }
        self.lines += 1;
    }

    /// Ends the run and returns the beginning of its first line and the reason for the refusal, or `None` if the run
    /// is empty.
    pub(super) fn end(&mut self) -> Option<(String, String)> {
        let (first, lines) = (std::mem::take(&mut self.first), self.lines);
        self.lines = 0;
        match lines {
            0 => None,
            1 => Some((first, format!("is not {}", self.reason))),
            _ => Some((
                first,
                format!("is not {}, nor are the {} after it", self.reason, lines - 1),
            )),
        }
    }
}
