//! A source read as words: its title, the people and places that belong to it, and its sentences.

use std::collections::HashSet;

use adjutant_text::{stem, words};

use super::shape::Shape;
use super::sources::Source;

/// A sentence or a line without a full stop.
#[derive(Clone, Debug)]
pub(super) struct Sentence {
    pub(super) text: String,
    /// Stems of its words.
    pub(super) stems: HashSet<String>,
    /// Whether it asks something: it answers no question.
    pub(super) asks: bool,
}

/// The words of a source.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub(super) title: Sentence,
    /// Stems of the people, places and tags that belong to it.
    pub(super) about: HashSet<String>,
    /// The line with its whole content, if it is short.
    pub(super) line: Option<Sentence>,
    pub(super) sentences: Vec<Sentence>,
    /// Addresses of the people it comes from, goes to or describes.
    pub(super) people: Vec<String>,
    /// Whether it says by itself where it is: an event with a place.
    placed: bool,
    /// Whether the line also tells dates, whose digits are no numbers that anybody asks for.
    dated: bool,
    /// Whether its digits are numbers to call, which are no amounts.
    dialled: bool,
}

impl Document {
    /// Reads a source.
    pub(super) fn of(source: &Source) -> Self {
        let (heading, text) = heading(&source.text);
        let mut title = Sentence::of(&source.title);
        title.stems.extend(stems(heading));
        Self {
            title,
            about: stems(&source.about),
            line: source.line.as_deref().map(Sentence::of),
            sentences: sentences(text),
            people: source.people.clone(),
            placed: source.placed,
            dated: matches!(source.kind, "event" | "task"),
            dialled: source.kind == "contact",
        }
    }

    /// Returns how well the line of the source answers a question of this shape: 0 not at all, 1 certainly.
    pub(super) fn line_holds(&self, shape: Shape) -> f32 {
        match (&self.line, shape) {
            (Some(_), Shape::Place) if self.placed => 1.0,
            (Some(_), Shape::Amount) if self.dialled => 0.0,
            (Some(_), Shape::Figure | Shape::Count | Shape::Amount) if self.dated => {
                shape.held(&self.title.text)
            }
            (Some(line), _) => shape.held(&line.text),
            (None, _) => 0.0,
        }
    }
}

impl Sentence {
    fn of(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            stems: stems(text),
            asks: text.trim_end().ends_with('?'),
        }
    }
}

fn stems(text: &str) -> HashSet<String> {
    words(text).iter().map(|word| stem(word)).collect()
}

/// Splits a text into its Markdown heading, which is one more title, and the rest.
fn heading(text: &str) -> (&str, &str) {
    let (first, rest) = text.trim_start().split_once('\n').unwrap_or((text, ""));
    match first.strip_prefix('#') {
        Some(heading) => (heading, rest),
        None => ("", text),
    }
}

/// Returns the lines of a text, split into sentences.
fn sentences(text: &str) -> Vec<Sentence> {
    let mut parts = Vec::new();
    for line in text.lines() {
        // Skip quotations from earlier mails: those mails are searched themselves.
        let line = line.trim().trim_start_matches('#').trim_start();
        if line.is_empty() || line.starts_with('>') {
            continue;
        }
        let mut rest = line;
        while let Some(end) = sentence_end(rest) {
            parts.push(Sentence::of(rest[..end].trim()));
            rest = rest[end..].trim_start();
        }
        if !rest.is_empty() {
            parts.push(Sentence::of(rest));
        }
    }
    parts
}

/// Returns the end of the first sentence that another follows.
fn sentence_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    (0..text.len().saturating_sub(2)).find_map(|at| {
        let ends = matches!(bytes[at], b'.' | b'!' | b'?') && bytes[at + 1] == b' ';
        let next = text.get(at + 2..)?.chars().next()?;
        (ends && !next.is_lowercase()).then_some(at + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_split_into_sentences_without_its_heading_and_quotations() {
        let text =
            "# Old hall\n\n## Ways in\nIs it open? It is, approx. from May on. See you!\n> Old.";
        let (title, text) = heading(text);
        assert_eq!(title, " Old hall");
        let parts = sentences(text);
        let parts: Vec<(&str, bool)> = parts
            .iter()
            .map(|one| (one.text.as_str(), one.asks))
            .collect();
        assert_eq!(
            parts,
            [
                ("Ways in", false),
                ("Is it open?", true),
                ("It is, approx. from May on.", false),
                ("See you!", false),
            ]
        );
        assert_eq!(heading("Hall"), ("", "Hall"));
    }
}
