//! Decides whether a reply approves what was asked.
//!
//! A false yes would let an effect through that nobody approved. So a reply is a yes only if a small grammar covers it
//! to the last word: yes-words, approval of the proposal, politeness, and repeating exactly what was asked. Anything
//! else in a reply (a condition, a change, a question, a quotation, a doubt) is outside the grammar, so the reply is no
//! yes.

mod restate;

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use adjutant_text::message::pattern::{Builder, Hit, Line, PatternSet, kind};
use adjutant_text::message::{Language, Text, TokenKind, filler, language, truncate};
use restate::PendingQuestion;

/// Longest reply that can be a yes, in tokens. A clear yes is short.
const YES_TOKENS_MAX: usize = 40;

/// Maximum number of bytes to read of a reply or a question.
const REPLY_BYTES_MAX: usize = 2048;

/// What a reply says about approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confirmation {
    /// A clear yes to exactly what was asked.
    Affirmative,
    /// A clear no.
    Negative,
    /// Anything else: a change, a condition, a question, another subject.
    Neither,
}

const YES: u16 = 0;
const AGREE: u16 = 1;
const PAD: u16 = 2;
const NO: u16 = 3;
const DOUBT: u16 = 4;

static PHRASES: LazyLock<PatternSet> = LazyLock::new(|| builder().build().0);

fn builder() -> Builder {
    Builder::default()
        .file(YES, include_str!("../../data/confirm/yes.txt"))
        .file(AGREE, include_str!("../../data/confirm/agree.txt"))
        .file(PAD, include_str!("../../data/confirm/pad.txt"))
        .file(NO, include_str!("../../data/confirm/no.txt"))
        .file(DOUBT, include_str!("../../data/confirm/doubt.txt"))
}

/// Reads a reply. `prompt` is the question that waits for it, if there is one.
#[must_use]
pub fn answer(reply: &str, prompt: Option<&str>) -> Confirmation {
    let (kept, cut) = truncate(reply, REPLY_BYTES_MAX);
    let text = Text::read(kept);
    let mut line = PHRASES.line(&text, YES_TOKENS_MAX + 1);
    line.keep_forms();
    filler::mark(&text, &mut line);
    let hits = PHRASES.find(&line);
    let asked = prompt.map(|prompt| PendingQuestion::new(truncate(prompt, REPLY_BYTES_MAX).0));
    let plain = !cut && is_plain(&text);
    if plain && covered(&text, &line, &hits, asked.as_ref()) {
        return Confirmation::Affirmative;
    }
    if refuses(&text, &line, &hits) {
        return Confirmation::Negative;
    }
    Confirmation::Neither
}

/// One line of the `confirm` suite, without its timing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Prediction {
    /// The label: what the reply says.
    pub label: Confirmation,
}

/// Predicts one case of the `confirm` suite.
#[must_use]
pub fn predict(text: &str, prompt: Option<&str>) -> Prediction {
    Prediction {
        label: answer(text, prompt),
    }
}

/// Returns whether a reply is plain enough for a yes: short, in English, and without a quotation, a question, unusual
/// marks or hidden characters.
fn is_plain(text: &Text<'_>) -> bool {
    // "Ok..." trails off; "ok... perfect" only pauses, and the rest must be covered like any other words.
    let dot = |t: &adjutant_text::message::Token| t.word == "." && t.kind == TokenKind::Mark;
    let trailing_off = matches!(text.tokens.as_slice(), [.., a, b] if dot(a) && dot(b))
        || text.tokens.first().is_some_and(dot);
    let odd = text.tokens.iter().any(|t| {
        t.kind == TokenKind::Mark
            && !matches!(
                t.word.as_str(),
                "." | "," | "!" | "-" | "'" | ";" | "~" | "%" | "$" | "&" | ")" | "@" | "/"
            )
    });
    !text.tokens.is_empty()
        && text.tokens.len() <= YES_TOKENS_MAX
        && text.quotes.is_empty()
        && !trailing_off
        && !odd
        && !text.source.chars().any(is_hidden_or_control)
        && language(text) == Language::English
}

/// Returns whether a character is a direction mark or shows nothing: it could hide words or turn them around.
fn is_hidden_or_control(ch: char) -> bool {
    (ch.is_control() && !matches!(ch, '\n' | '\r' | '\t'))
        || matches!(ch, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{206F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Returns whether allowed phrases cover every cell and at least one of them says yes.
fn covered(text: &Text<'_>, line: &Line, hits: &[Hit], asked: Option<&PendingQuestion>) -> bool {
    let said_no = hits
        .iter()
        .any(|hit| matches!(tag(hit), NO | DOUBT) && !within_yes(hit, hits, asked));
    if said_no || is_sarcastic(text) {
        return false;
    }
    let mut said_yes = false;
    for sentence in &line.sentences {
        // reach[i]: the cells before i are covered; `Some(true)` if one of the phrases says yes.
        let mut reach: Vec<Option<bool>> = vec![None; sentence.len() + 1];
        reach[0] = Some(false);
        for at in sentence.clone() {
            let Some(yes) = reach[at - sentence.start] else {
                continue;
            };
            let mut go = |end: usize, says_yes: bool| {
                let slot = &mut reach[end - sentence.start];
                *slot = Some(slot.unwrap_or(false) || yes || says_yes);
            };
            for hit in hits.iter().filter(|hit| hit.cells.start == at) {
                match tag(hit) {
                    YES => go(hit.cells.end, true),
                    AGREE if asked.is_some() => go(hit.cells.end, true),
                    PAD => go(hit.cells.end, false),
                    _ => {}
                }
            }
            if let Some(asked) = asked {
                for (end, says_yes) in asked.repeated(text, line, at..sentence.end, yes || said_yes)
                {
                    go(end, says_yes);
                }
            }
        }
        match reach[sentence.len()] {
            Some(yes) => said_yes |= yes,
            None => return false,
        }
    }
    said_yes
}

fn tag(hit: &Hit) -> u16 {
    PHRASES.patterns[hit.pattern].tag
}

/// Returns whether a no-word is part of a longer allowed phrase ("that's *actually* true") and therefore no refusal.
fn within_yes(no: &Hit, hits: &[Hit], asked: Option<&PendingQuestion>) -> bool {
    hits.iter().any(|hit| {
        let allowed = tag(hit) == YES || tag(hit) == PAD || (tag(hit) == AGREE && asked.is_some());
        allowed
            && hit.cells.start <= no.cells.start
            && hit.cells.end >= no.cells.end
            && (hit.cells.len() > no.cells.len()
                || tag(no) == DOUBT && hit.cells.len() == no.cells.len())
    })
}

/// Returns whether a reply is like "yeah right" or "oh sure", which often mean the opposite.
fn is_sarcastic(text: &Text<'_>) -> bool {
    let words: Vec<&str> = text.words().collect();
    matches!(
        words.as_slice(),
        [
            "yeah" | "yea" | "ya" | "sure" | "oh" | "ok" | "okay",
            "right"
        ] | ["oh", "yeah", "right" | "sure"]
            | ["oh", ..]
            | ["yeah", "yeah", ..]
            | ["sure", "sure", ..]
    )
}

/// Returns whether a reply is a clear no: nothing in it says yes or is quoted, and either it asks nothing or its first
/// sentence refuses before it asks.
fn refuses(text: &Text<'_>, line: &Line, hits: &[Hit]) -> bool {
    let quoted = !text.quotes.is_empty() || line.cells.iter().any(|c| c.kinds & kind::QUOTE != 0);
    let doubted = |no: &Hit| {
        hits.iter()
            .any(|hit| tag(hit) == DOUBT && overlaps(no, hit) && hit.cells.len() >= no.cells.len())
    };
    let nos = || hits.iter().filter(|hit| tag(hit) == NO && !doubted(hit));
    let yes = hits
        .iter()
        .any(|hit| matches!(tag(hit), YES | AGREE) && !nos().any(|no| overlaps(no, hit)));
    if quoted || yes || nos().next().is_none() {
        return false;
    }
    let asks = |cells: std::ops::Range<usize>| {
        cells.into_iter().any(|at| {
            let token = &text.tokens[line.cells[at].tokens.start];
            token.kind == TokenKind::Mark && token.word == "?"
        })
    };
    if !asks(0..line.cells.len()) {
        return true;
    }
    line.sentences.first().is_some_and(|first| {
        !asks(first.clone())
            && nos().any(|no| {
                first.contains(&no.cells.start) && line.cells[no.cells.start].sentence_start
            })
    })
}

fn overlaps(a: &Hit, b: &Hit) -> bool {
    a.cells.start < b.cells.end && b.cells.start < a.cells.end
}

#[cfg(test)]
mod tests;
