//! Free text, read token by token, and the score of each token.

use super::super::grammar::{Category, GRAMMAR};
use super::super::lattice::{Filler, Lattice};
use super::super::weights::weights;
use super::Chart;
use super::partial_reading::PartialReading;

/// Maximum number of tokens of free text in a nested category, such as a noun phrase.
const NAME_TOKENS_MAX: usize = 12;

/// Words that hardly ever begin a name: they belong to the words before them or to another rule.
const NO_NAME: &[&str] = &[
    "with", "at", "on", "in", "for", "until", "till", "by", "from", "and", "or", "to", "of",
    "about", "me", "us", "it", "them", "that", "this", "those", "these", "'s", "is", "are", "was",
    "were", "am", "be", "as", "what", "when", "who", "where", "how", "which", "why", "do", "does",
    "did", "has", "have", "had", "can", "could", "will", "would", "should", "if", "unless", "not",
    "then", "also", "i", "we", "there", "please", "up", "off", "out", "right", "all", "every",
    "each",
];

/// Words that hardly ever end a name: something must follow them.
const NO_END: &[&str] = &[
    "with",
    "about",
    "for",
    "from",
    "to",
    "of",
    "by",
    "at",
    "and",
    "or",
    "the",
    "a",
    "an",
    "my",
    "our",
    "his",
    "her",
    "their",
    "regarding",
    "concerning",
    "titled",
    "called",
    "saying",
    "that",
    "'s",
];

impl Chart<'_, '_> {
    /// Extends the open text by a token or a whole quotation. Returns the token after it and the new partial reading.
    pub(super) fn more_text(
        &self,
        kind: &Category,
        partial: &PartialReading,
        at: usize,
        whole: bool,
    ) -> Option<(usize, PartialReading)> {
        let quote = self
            .lattice
            .edges(at)
            .iter()
            .find(|edge| matches!(edge.filler, Filler::Quote(_)) && edge.end <= self.limit);
        let end = quote.map_or(at + 1, |edge| edge.end);
        let stretches = &partial.text.as_ref()?.stretches;
        // Text does not begin with a mark that only separates.
        if stretches.is_empty() && self.lattice.is_mark(at) && quote.is_none() {
            return None;
        }
        let mut next = partial.clone();
        let text = next.text.as_mut()?;
        let (mut resumed, mut ended) = (false, None);
        match text.stretches.last_mut() {
            Some(last) if last.end == at => {
                ended = Some(at - 1);
                last.end = end;
            }
            last => {
                resumed = last.is_some();
                text.stretches.push(at..end);
            }
        }
        let stretches = &text.stretches;
        let behind_quote = stretches.len() == 1
            && stretches[0].len() > 1
            && at > 0
            && self.is_quoted(at - 1)
            && self.is_quoted(stretches[0].start);
        let tokens: usize = stretches.iter().map(ExactSizeIterator::len).sum();
        if !whole && !text.speech && tokens > NAME_TOKENS_MAX {
            return None;
        }
        let speech = text.speech;
        let begins = matches!(stretches.as_slice(), [one] if one.start == at);
        let no_name = begins && !text.speech && quote.is_none() && self.hardly_begins(kind, at);
        let cost = match quote {
            Some(_) => weights().quote,
            None if text.speech && behind_quote => weights().speech_stop,
            None if text.speech => self.speech_cost(kind, at),
            // A quoted name ends with its quotation.
            None if behind_quote => weights().text_rarely,
            None => self.text_cost(kind, at),
        };
        next.score += cost;
        if resumed {
            next.score += weights().resumed;
        }
        if !speech {
            // The text continues, so it did not end at the previous token: undo the charge for that end.
            let cost = |at: usize| {
                if self.hardly_ends(at) {
                    weights().text_end
                } else {
                    0.0
                }
            };
            next.score += cost(end - 1) - ended.map_or(0.0, cost);
        }
        if no_name {
            next.score += weights().text_start;
        }
        next.covers((at, end));
        Some((end, next))
    }

    /// Reports whether a token hardly ever begins a name. Within a noun phrase, an article does not begin a name
    /// either.
    fn hardly_begins(&self, kind: &Category, at: usize) -> bool {
        let word = self.lattice.word(at);
        let article = matches!(word, "my" | "our" | "the" | "a" | "an");
        NO_NAME.contains(&word) || article && kind.name == "np"
    }

    /// Reports whether a token is an unquoted word that hardly ever ends a name.
    fn hardly_ends(&self, at: usize) -> bool {
        NO_END.contains(&self.lattice.word(at)) && !self.is_quoted(at)
    }

    /// Reports whether a phrase begins at a token that free text of this category hardly ever contains.
    fn is_rare(&self, kind: &Category, at: usize) -> bool {
        kind.rarely
            .is_some_and(|class| self.lattice.is_phrase(class, at))
    }

    fn text_cost(&self, kind: &Category, at: usize) -> f32 {
        match self.is_rare(kind, at) {
            true => self.costs[at].min(weights().text_rarely),
            false => self.costs[at],
        }
    }

    /// Returns the score of a word of speech: mild, unless a separate request begins there.
    fn speech_cost(&self, kind: &Category, at: usize) -> f32 {
        let word = self.lattice.word(at);
        let joint = matches!(word, "and" | "then" | "," | "." | "!" | "?" | ";");
        let begins = |at: usize| {
            let class = GRAMMAR.class("begins");
            at < self.limit && class.is_some_and(|class| self.phrases(class, at).next().is_some())
        };
        let requests = joint
            && (begins(at + 1)
                || matches!(
                    self.lattice.word(at + 1),
                    "and" | "then" | "also" | "please"
                ) && begins(at + 2));
        match word {
            _ if requests => weights().speech_request,
            _ if self.is_rare(kind, at) => weights().text_rarely,
            "." | "!" | "?" | ";" if at + 1 < self.limit => weights().speech_stop,
            _ => weights().speech,
        }
    }

    fn is_quoted(&self, at: usize) -> bool {
        let token = self.lattice.text.tokens.get(at);
        token.is_some_and(|token| token.quote.is_some())
    }

    /// Reports whether speech may end here: after a mark or a quotation, or before a word such as "and" or "with".
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

/// Returns the score of each token as a word of free text.
pub(super) fn costs(lattice: &Lattice<'_>) -> Vec<f32> {
    let [joint, only_if, request] =
        ["joint", "only_if", "request"].map(|class| GRAMMAR.class(class));
    let is = |class: Option<usize>, at: usize| {
        class.is_some_and(|class| !lattice.phrases_at(class, at).is_empty())
    };
    let cost = |at: usize| {
        let behind = at.checked_sub(1);
        let joined = behind.is_some_and(|before| is(joint, before) || lattice.is_so(before));
        let mut edges = lattice.edges(at).iter();
        if is(only_if, at) || joined && is(request, at) {
            weights().text_request
        } else if edges.any(|edge| matches!(edge.filler, Filler::Time(_))) {
            weights().text_time
        } else if matches!(lattice.word(at), "." | "?" | "!" | ";") {
            weights().text_stop
        } else if lattice.is_mark(at) && lattice.word(at) != "'s" {
            weights().text_mark
        } else {
            weights().text
        }
    };
    (0..lattice.len()).map(cost).collect()
}
