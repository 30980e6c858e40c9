//! Words of the message, and the description of a step.

use std::ops::Range;

use super::super::binding::{Binding, Value};
use super::super::grammar::GRAMMAR;
use super::super::lattice::{Filler, Lattice};

/// Returns the words of a role's value as the person wrote them; a quotation loses its quotation marks.
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

/// Joins the stretches of free text. If the text is a single quotation, it loses its quotation marks.
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

/// Reports whether words begin like a sentence about somebody or something named before: "she lands at two".
pub(super) fn begins_with_pronoun(said: &str) -> bool {
    const PRONOUNS: &[&str] = &["it", "he", "she", "they", "them"];
    let mut words = said.split_whitespace();
    let first = words.next().unwrap_or("").to_lowercase();
    words.next().is_some() && PRONOUNS.contains(&first.as_str())
}

/// Reports whether a value is a single quotation.
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

/// Reports whether a phrase of a class begins at a token.
pub(super) fn begins_with(lattice: &Lattice<'_>, at: usize, class: &str) -> bool {
    let class = GRAMMAR.class(class);
    class.is_some_and(|class| lattice.is_phrase(class, at))
}

/// Returns the description of a frame's step: the `say` line of its category with the roles filled in.
pub(super) fn say(lattice: &Lattice<'_>, frame: &Binding) -> String {
    fill(lattice, frame, frame.category().say)
}

/// Fills the roles in braces with their words. A missing role becomes "it", and nothing between quotation marks.
pub(super) fn fill(lattice: &Lattice<'_>, frame: &Binding, template: &str) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (role, behind) = after.split_once('}').unwrap_or((after, ""));
        out.push_str(before);
        let words = frame.get(role).map(|value| of(lattice, value));
        let quoted = before
            .ends_with(" “")
            .then(|| behind.strip_prefix('”'))
            .flatten();
        match (&words, quoted) {
            (None, Some(behind)) => {
                out.truncate(out.len() - " “".len());
                rest = behind;
            }
            _ => {
                out.push_str(words.as_deref().unwrap_or("it"));
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Returns a question in the person's words.
pub(in super::super) fn question_text(lattice: &Lattice<'_>, frame: &Binding) -> String {
    let said = lattice.slice(frame.span.clone());
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    said.trim_matches([',', ';', '.', '?', '!', ' ']).to_owned()
}

/// Capitalises the first letter.
pub(in super::super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
