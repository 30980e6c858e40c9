//! Renders an answer's Markdown on a terminal: bold text and headings become bold, and backslashes before punctuation
//! are removed. The rest is readable as it is. An answer may arrive in pieces.

const BOLD: &str = "\x1b[1m";
const NORMAL: &str = "\x1b[22m";

/// Maximum number of bytes held back for an incomplete heading or bold text; longer ones are shown unchanged.
const HELD_BYTES_MAX: usize = 1000;

/// The state of an answer that arrives in pieces.
#[derive(Debug)]
pub(crate) struct Markdown {
    /// Text that cannot be rendered before more has arrived.
    held: String,
    at_line_start: bool,
    in_code: bool,
}

/// How to render the beginning of the remaining text.
enum Step {
    /// Consume this many bytes and show this text.
    Show(usize, String),
    /// Wait for more text.
    Wait,
}

impl Default for Markdown {
    fn default() -> Self {
        Self {
            held: String::new(),
            at_line_start: true,
            in_code: false,
        }
    }
}

impl Markdown {
    /// Adds a piece and returns what can be shown now.
    pub(crate) fn feed(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        self.drain(false)
    }

    /// Returns the rest at the end of the answer.
    pub(crate) fn finish(&mut self) -> String {
        self.drain(true)
    }

    fn drain(&mut self, ended: bool) -> String {
        let held = std::mem::take(&mut self.held);
        let (mut out, mut rest) = (String::new(), held.as_str());
        while !rest.is_empty() {
            let may_wait = !ended && rest.len() < HELD_BYTES_MAX;
            let (taken, shown) = match self.step(rest) {
                Step::Show(taken, shown) => (taken, shown),
                Step::Wait if may_wait => break,
                Step::Wait => {
                    let first = rest.chars().next().map_or(0, char::len_utf8);
                    (first, rest[..first].to_owned())
                }
            };
            out.push_str(&shown);
            self.at_line_start = rest[..taken].ends_with('\n');
            rest = &rest[taken..];
        }
        self.held = rest.to_owned();
        out
    }

    fn step(&mut self, text: &str) -> Step {
        if self.at_line_start && "```".starts_with(&text[..text.len().min(2)]) && text.len() < 3 {
            return Step::Wait;
        }
        if self.at_line_start && text.starts_with("```") {
            self.in_code = !self.in_code;
            return Step::Show(3, "```".into());
        }
        if self.in_code {
            let end = text.find('\n').map_or(text.len(), |at| at + 1);
            return Step::Show(end, text[..end].to_owned());
        }
        if self.at_line_start && text.starts_with('#') {
            return heading(text);
        }
        if text.starts_with("**") {
            return bold(text);
        }
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some('*' | '\\'), None) => Step::Wait,
            (Some('\\'), Some(marked)) if marked.is_ascii_punctuation() => {
                Step::Show(2, marked.to_string())
            }
            (Some(first), _) => {
                let after = &text[first.len_utf8()..];
                let next = match first {
                    '\n' => 0,
                    _ => after.find(['*', '\\', '\n']).unwrap_or(after.len()),
                };
                let end = first.len_utf8() + next;
                Step::Show(end, text[..end].to_owned())
            }
            (None, _) => Step::Wait,
        }
    }
}

/// Renders `## Title` as bold text up to the end of its line.
fn heading(text: &str) -> Step {
    let marks = text.chars().take_while(|&char| char == '#').count();
    let Some(end) = text.find('\n') else {
        return Step::Wait;
    };
    match text[marks..end].strip_prefix(' ') {
        Some(title) if marks <= 6 => {
            Step::Show(end, format!("{BOLD}{}{NORMAL}", title.replace("**", "")))
        }
        _ => Step::Show(marks, text[..marks].to_owned()),
    }
}

/// Renders `**words**` within one line.
fn bold(text: &str) -> Step {
    let inside = &text[2..];
    let line_end = inside.find('\n');
    let end = inside[..line_end.unwrap_or(inside.len())].find("**");
    match end {
        Some(end) if end > 0 && !inside.starts_with(' ') => {
            Step::Show(end + 4, format!("{BOLD}{}{NORMAL}", &inside[..end]))
        }
        None if line_end.is_none() => Step::Wait,
        _ => Step::Show(2, "**".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, bytes: usize) -> String {
        let mut markdown = Markdown::default();
        let mut out = String::new();
        let mut rest = text;
        while !rest.is_empty() {
            let at = (bytes..=rest.len())
                .find(|&at| rest.is_char_boundary(at))
                .unwrap_or(rest.len());
            out.push_str(&markdown.feed(&rest[..at]));
            rest = &rest[at..];
        }
        out.push_str(&markdown.finish());
        out.replace(BOLD, "<b>").replace(NORMAL, "</b>")
    }

    #[test]
    fn marks_become_bold_however_the_answer_comes() {
        for (text, expect) in [
            ("Take **two eggs**, é.\n", "Take <b>two eggs</b>, é.\n"),
            ("# Title\n- **a**: b", "<b>Title</b>\n- <b>a</b>: b"),
            ("2 ** 3, ** and\n** open", "2 ** 3, ** and\n** open"),
            ("a * b\n* item", "a * b\n* item"),
            ("#tag and \\<b>", "#tag and <b>"),
            (
                "```\nx = 2**3**4\n```\n**y**",
                "```\nx = 2**3**4\n```\n<b>y</b>",
            ),
            ("#", "#"),
            ("**", "**"),
        ] {
            for bytes in [1, 2, 3, 1000] {
                assert_eq!(shown(text, bytes), expect, "in pieces of {bytes}");
            }
        }
    }

    #[test]
    fn an_open_mark_does_not_hold_everything_back() {
        let mut markdown = Markdown::default();
        assert_eq!(markdown.feed("**a"), "");
        assert!(markdown.feed(&"b".repeat(HELD_BYTES_MAX)).len() > HELD_BYTES_MAX);
    }
}
