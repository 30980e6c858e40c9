//! Normalises plain text: no control characters, single spaces, paragraphs separated by an empty line.

/// Removes invisible characters from text and normalises line endings; keeps at most one empty line in a row.
pub(super) fn tidy(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    let mut empty = 0;
    for line in text.split(['\n', '\u{2028}', '\u{2029}', '\u{c}']) {
        let line = line.trim_end();
        if line.is_empty() {
            empty += 1;
            continue;
        }
        if !tidy.is_empty() {
            tidy.push_str(if empty > 0 { "\n\n" } else { "\n" });
        }
        empty = 0;
        tidy.extend(line.chars().filter(|c| *c == '\t' || !c.is_control()));
    }
    tidy
}

/// Returns text on one line, limited in length.
pub(super) fn line(text: &str, chars_max: usize) -> String {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ").chars().take(chars_max).collect()
}

/// Builds text from pieces. Words within a paragraph run on regardless of the source's line breaks.
#[derive(Default)]
pub(super) struct Paragraphs {
    text: String,
    space: bool,
    gap: Gap,
}

/// The separator before the next piece.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    #[default]
    None,
    Line,
    Paragraph,
}

impl Paragraphs {
    /// Appends words and collapses whitespace to single spaces.
    pub(super) fn words(&mut self, text: &str) {
        for c in text.chars() {
            if c.is_whitespace() {
                self.space = true;
            } else if !c.is_control() {
                self.part();
                self.text.push(c);
            }
        }
    }

    /// Begins a new line.
    pub(super) fn line(&mut self) {
        self.gap = self.gap.max(Gap::Line);
    }

    /// Begins a new paragraph.
    pub(super) fn paragraph(&mut self) {
        self.gap = Gap::Paragraph;
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    fn part(&mut self) {
        if !self.text.is_empty() {
            match self.gap {
                Gap::Paragraph => self.text.push_str("\n\n"),
                Gap::Line => self.text.push('\n'),
                Gap::None if self.space => self.text.push(' '),
                Gap::None => {}
            }
        }
        self.space = false;
        self.gap = Gap::None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_one_form() {
        assert_eq!(tidy("\r\n\na \r\nb\0\n\n\n\nc"), "a\nb\n\nc");
        assert_eq!(line(" a\n\tb\u{7} c ", 4), "a b ");
        let mut parts = Paragraphs::default();
        parts.paragraph();
        parts.words("  one\n");
        parts.words("two ");
        parts.line();
        parts.words("three");
        parts.line();
        parts.paragraph();
        parts.words("four");
        assert_eq!(parts.finish(), "one two\nthree\n\nfour");
    }
}
