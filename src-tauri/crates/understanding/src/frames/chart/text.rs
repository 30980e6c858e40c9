//! Free text: where it begins, what it costs to go on, what it does not hold.

use super::super::binding::Value;
use super::super::grammar::GRAMMAR;
use super::super::lattice::Filler;
use super::{Chart, Partial, score};

/// Tokens of free text inside a noun phrase.
const NAME_TOKENS_MAX: usize = 12;
/// Words that hardly begin a name: they belong to what stands before or to another rule.
const NO_NAME: &[&str] = &[
    "with", "at", "on", "in", "for", "until", "till", "by", "from", "and", "or", "to", "of",
    "about", "me", "us", "it", "them", "that", "this", "those", "these", "'s", "is", "are", "was",
    "were", "am", "be", "as", "what", "when", "who", "where", "how", "which", "why", "do", "does",
    "did", "has", "have", "had", "can", "could", "will", "would", "should", "if", "unless", "not",
    "then", "also", "i", "we", "there", "please", "up", "off", "out", "right", "all", "every",
    "each",
];

impl Chart<'_, '_> {
    /// Text that goes on for a token, or for a whole quotation.
    pub(super) fn more_text(
        &self,
        category: usize,
        partial: &Partial,
        at: usize,
        whole: bool,
    ) -> Vec<(usize, Partial)> {
        let quote = self
            .lattice
            .edges(at)
            .iter()
            .find(|edge| matches!(edge.filler, Filler::Quote(_)) && edge.end <= self.limit);
        let end = quote.map_or(at + 1, |edge| edge.end);
        let mut next = partial.clone();
        let Some((_, Value::Text(stretches))) = next
            .roles
            .iter_mut()
            .rev()
            .find(|(_, value)| matches!(value, Value::Text(_)))
        else {
            return Vec::new();
        };
        // Text does not begin with a mark that only separates.
        if stretches.is_empty() && self.lattice.is_mark(at) && quote.is_none() {
            return Vec::new();
        }
        match stretches.last_mut() {
            Some(last) if last.end == at => last.end = end,
            last => {
                if last.is_some() {
                    next.score += score::RESUMED;
                }
                stretches.push(at..end);
            }
        }
        let behind_quote = stretches.len() == 1
            && stretches[0].len() > 1
            && at > 0
            && self.is_quoted(at - 1)
            && self.is_quoted(stretches[0].start);
        let tokens: usize = stretches.iter().map(ExactSizeIterator::len).sum();
        if !whole && !next.speech && tokens > NAME_TOKENS_MAX {
            return Vec::new();
        }
        let begins = matches!(stretches.as_slice(), [one] if one.start == at);
        if begins && !next.speech && quote.is_none() && NO_NAME.contains(&self.lattice.word(at)) {
            next.score += score::TEXT_START;
        }
        next.score += match quote {
            Some(_) => 0.5,
            None if next.speech && behind_quote => score::SPEECH_STOP,
            None if next.speech => self.speech_cost(at),
            None => self.text_cost(category, at),
        };
        next.covers(at..end);
        vec![(end, next)]
    }

    fn text_cost(&self, category: usize, at: usize) -> f32 {
        let is = |class: &str, at: usize| {
            GRAMMAR
                .class(class)
                .is_some_and(|class| self.lattice.is_phrase(class, at))
        };
        let joined = at.checked_sub(1).is_some_and(|before| is("joint", before));
        if is("only_if", at) || joined && is("request", at) {
            return score::TEXT_REQUEST;
        }
        let rarely = GRAMMAR.categories[category].rarely;
        if rarely.is_some_and(|class| self.lattice.is_phrase(class, at)) {
            return score::TEXT_RARELY;
        }
        let times = self.lattice.edges(at).iter();
        if times
            .clone()
            .any(|edge| matches!(edge.filler, Filler::Time(_)))
        {
            score::TEXT_TIME
        } else if matches!(self.lattice.word(at), "." | "?" | "!" | ";") {
            score::TEXT_STOP
        } else if self.lattice.is_mark(at) && self.lattice.word(at) != "'s" {
            score::TEXT_MARK
        } else {
            score::TEXT
        }
    }

    /// What a word of speech costs: little, unless a request of its own begins there.
    fn speech_cost(&self, at: usize) -> f32 {
        let word = self.lattice.word(at);
        let joint = matches!(word, "and" | "then" | "," | "." | "!" | "?" | ";");
        let begins = |at: usize| {
            let class = GRAMMAR.class("begins").into_iter();
            at < self.limit
                && class
                    .flat_map(|class| self.phrases(class, at))
                    .next()
                    .is_some()
        };
        let requests = joint
            && (begins(at + 1)
                || matches!(
                    self.lattice.word(at + 1),
                    "and" | "then" | "also" | "please"
                ) && begins(at + 2));
        match word {
            _ if requests => score::SPEECH_REQUEST,
            "." | "!" | "?" | ";" if at + 1 < self.limit => score::SPEECH_STOP,
            _ => score::SPEECH,
        }
    }

    fn is_quoted(&self, at: usize) -> bool {
        let token = self.lattice.text.tokens.get(at);
        token.is_some_and(|token| token.quote.is_some())
    }

    /// Whether something else may follow speech here: behind a mark or a quotation, or with "and" or "with".
    pub(super) fn may_close(&self, at: usize) -> bool {
        at > 0
            && (self.lattice.is_mark(at - 1)
                || self.is_quoted(at - 1)
                || matches!(
                    self.lattice.word(at),
                    "and" | "with" | "cc" | "bcc" | "attach" | "subject"
                ))
    }
}
