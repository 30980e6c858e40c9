//! Recognizes a reply that repeats exactly what was asked ("yes, send the mail to Ana").

use std::ops::Range;

use adjutant_text::message::pattern::Line;
use adjutant_text::message::{Text, TokenKind};
use adjutant_text::stem;

/// Words that change, limit or join; a repetition with one of them may mean something else.
const NEVER: &[&str] = &[
    "not", "no", "never", "only", "just", "except", "but", "instead", "or", "if", "unless", "when",
    "once", "after", "before", "until", "till", "first", "then", "also", "too", "other", "another",
    "both", "maybe", "perhaps", "else", "neither", "either", "although", "though", "rather",
    "more", "less", "actually", "wait", "however", "provided", "later", "change", "which", "what",
];

/// Words without content of their own: a repetition needs more than these.
const SMALL: &[&str] = &[
    "the", "a", "an", "my", "your", "our", "it", "that", "this", "these", "those", "to", "for",
    "in", "on", "at", "of", "with", "from", "by", "is", "are", "be", "i", "you", "me", "we", "us",
    "and", "will", "would", "like", "want", "need", "please", "do", "am", "so", "as", "them", "he",
    "she", "his", "her", "their", "want", "have", "has", "can", "could", "should", "shall", "s",
    "'s",
];

/// Verbs that people use to refuse; alone with "it", they never say yes, whatever was asked.
const REFUSING: &[&str] = &[
    "cancel", "stop", "abort", "drop", "skip", "forget", "leave", "end", "quit", "undo",
];

/// The words of the question that waits.
pub(super) struct PendingQuestion {
    words: Vec<String>,
    /// Whether the question holds a number, which may be a time: "now" would change it.
    timed: bool,
    /// Whether the question offers alternatives, so that repeating one of them is a choice and no yes.
    alternatives: bool,
}

impl PendingQuestion {
    pub fn new(prompt: &str) -> Self {
        let text = Text::read(prompt);
        let words: Vec<String> = text
            .tokens
            .iter()
            .filter(|t| t.kind != TokenKind::Mark)
            .map(|t| stem(&t.word))
            .collect();
        let alternatives = words.iter().any(|w| w == "or");
        let timed = words
            .iter()
            .any(|word| word.chars().any(|ch| ch.is_ascii_digit()));
        Self {
            words,
            timed,
            alternatives,
        }
    }

    /// Returns where repetitions that begin with the first cell of `cells` end, and whether each says yes by itself. A
    /// run of words is a repetition if the question has the same words in the same order.
    pub fn repeated(
        &self,
        text: &Text<'_>,
        line: &Line,
        cells: Range<usize>,
        after_yes: bool,
    ) -> Vec<(usize, bool)> {
        let mut out = Vec::new();
        if let Some(end) = self.command(text, line, cells.clone()) {
            out.push((end, true));
        }
        if !after_yes || self.alternatives {
            return out;
        }
        let words: Vec<String> = cells
            .clone()
            .map(|cell| stem(&text.tokens[line.cells[cell].tokens.start].word))
            .collect();
        let mut content = false;
        for length in 1..=words.len() {
            let last = words[length - 1].as_str();
            if NEVER.contains(&last) || !self.holds(&words[..length]) {
                break;
            }
            content |= !SMALL.contains(&last);
            if content && (length > 1 || !last.starts_with(|ch: char| ch.is_ascii_digit())) {
                out.push((cells.start + length, false));
            }
        }
        let glue = words.first().is_some_and(|w| GLUE.contains(&w.as_str()));
        if glue {
            out.push((cells.start + 1, false));
        }
        out
    }

    /// Returns the end of a command with the verb of the question: "send it", "book that for me".
    fn command(&self, text: &Text<'_>, line: &Line, cells: Range<usize>) -> Option<usize> {
        let word = |at: usize| {
            (at < cells.end).then(|| text.tokens[line.cells[at].tokens.start].word.as_str())
        };
        let verb = word(cells.start)?;
        let refusing = REFUSING.contains(&verb);
        if SMALL.contains(&verb) || refusing || !self.words.contains(&stem(verb)) || verb.len() < 3
        {
            return None;
        }
        // "Please send": nothing follows, and the question has the verb.
        let polite = cells
            .start
            .checked_sub(1)
            .and_then(|before| line.cells.get(before))
            .is_some_and(|before| text.tokens[before.tokens.start].word == "please");
        let ends = word(cells.start + 1).is_none_or(|next| matches!(next, "." | "!" | "now"));
        if polite && ends {
            return Some(cells.start + 1);
        }
        let object = matches!(word(cells.start + 1)?, "it" | "that" | "this" | "them");
        let after = cells.start + 2;
        // "Send it out", and "send it now" if the question has no time.
        let tail = match word(after) {
            Some("off" | "out" | "away" | "over" | "up") => true,
            Some("now") => !self.timed,
            _ => false,
        };
        object.then_some(after + usize::from(tail))
    }

    fn holds(&self, run: &[String]) -> bool {
        self.words.windows(run.len()).any(|window| window == run)
    }
}

/// Words that may precede a repetition ("I want *to book the room*").
const GLUE: &[&str] = &[
    "the", "a", "an", "my", "that", "this", "those", "these", "please", "it", "me", "them",
];
