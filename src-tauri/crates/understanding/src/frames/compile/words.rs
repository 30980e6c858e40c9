//! Words of the message, and what a step says of itself.

use std::ops::Range;

use super::super::binding::{Binding, Value};
use super::super::grammar::GRAMMAR;
use super::super::lattice::{Filler, Lattice};

/// The words that fill a role, in the writing of the message; a quotation without its marks.
pub(in super::super) fn of(lattice: &Lattice<'_>, value: &Value) -> String {
    match value {
        Value::Text(stretches) => text(lattice, stretches),
        Value::Filler(Filler::Quote(bytes), _) => lattice
            .text
            .source
            .get(bytes.clone())
            .unwrap_or("")
            .to_owned(),
        Value::Filler(_, tokens) => lattice.slice(tokens.clone()).to_owned(),
        Value::Constant(word) => (*word).to_owned(),
        Value::Inner(inner) => lattice.slice(inner.span.clone()).to_owned(),
    }
}

/// Free text: its stretches in a row; a quotation that is all of it loses its marks.
fn text(lattice: &Lattice<'_>, stretches: &[Range<usize>]) -> String {
    if let [one] = stretches
        && let Some(quote) = whole_quote(lattice, one)
    {
        return quote;
    }
    let parts = stretches.iter().map(|tokens| lattice.slice(tokens.clone()));
    let joined = parts.collect::<Vec<_>>().join(" ");
    joined
        .trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':'))
        .to_owned()
}

fn whole_quote(lattice: &Lattice<'_>, tokens: &Range<usize>) -> Option<String> {
    lattice
        .edges(tokens.start)
        .iter()
        .find_map(|edge| match &edge.filler {
            Filler::Quote(bytes) if edge.end == tokens.end => {
                lattice.text.source.get(bytes.clone()).map(str::to_owned)
            }
            _ => None,
        })
}

/// Whether words were quoted as a whole.
pub(super) fn is_quoted(lattice: &Lattice<'_>, value: &Value) -> bool {
    match value {
        Value::Filler(Filler::Quote(_), _) => true,
        Value::Text(stretches) => match stretches.as_slice() {
            [one] => whole_quote(lattice, one).is_some(),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a phrase of a class begins at a token.
pub(super) fn begins_with(lattice: &Lattice<'_>, at: usize, class: &str) -> bool {
    let class = GRAMMAR.class(class);
    class.is_some_and(|class| lattice.is_phrase(class, at))
}

/// What the step of a frame says: the words of its category with the roles filled in.
pub(super) fn say(lattice: &Lattice<'_>, frame: &Binding) -> String {
    fill(lattice, frame, frame.category().say)
}

/// Words with roles in braces filled in.
pub(super) fn fill(lattice: &Lattice<'_>, frame: &Binding, template: &str) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (role, behind) = after.split_once('}').unwrap_or((after, ""));
        out.push_str(before);
        let words = frame.get(role).map(|value| of(lattice, value));
        out.push_str(words.as_deref().unwrap_or("it"));
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// What a question asks, in the person's words.
pub(in super::super) fn asked(lattice: &Lattice<'_>, frame: &Binding) -> String {
    let said = lattice.slice(frame.span.clone());
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    said.trim_matches([',', ';', '.', '?', '!', ' ']).to_owned()
}

/// With a capital letter in front.
pub(in super::super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
