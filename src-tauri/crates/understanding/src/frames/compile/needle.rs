//! Words to search for.

use adjutant_domain::record::Kind;
use adjutant_text::message::TokenKind;
use adjutant_text::{fold, stem, words as text_words};

use super::super::binding::{Binding, Value};
use super::super::grammar::GRAMMAR;
use super::super::ground;
use super::super::lattice::{Filler, PersonMention, TYPO_COST};
use super::{Compiler, Unfit, words};

/// Words that exclude something; free text that contains them is not searched for.
const EXCLUDING: &[&str] = &[
    "except",
    "excluding",
    "besides",
    "unless",
    "not",
    "without",
    "or",
    "no",
];

impl Compiler<'_, '_> {
    /// Reports whether words are just "it" or "them", or begin with a word such as "her"; no record is called that.
    pub(super) fn is_pronoun(&self, value: &Value) -> bool {
        let Value::Text(stretches) = value else {
            return false;
        };
        let tokens: usize = stretches.iter().map(ExactSizeIterator::len).sum();
        stretches.first().is_some_and(|first| {
            let is = |class| words::begins_with(self.lattice, first.start, class);
            let whose = matches!(
                self.lattice.word(first.start),
                "him" | "her" | "his" | "their"
            );
            tokens == 1 && (is("it") || is("them")) || whose
        })
    }

    /// Reports whether unquoted words contain a word for mails; then they refer to another mail.
    pub(super) fn holds_kind(&self, value: &Value) -> bool {
        let Value::Text(stretches) = value else {
            return false;
        };
        let is_mail = |at: usize| {
            let token = &self.lattice.text.tokens[at];
            token.quote.is_none()
                && matches!(token.word.as_str(), "mail" | "email" | "e-mail" | "message")
        };
        stretches.iter().flat_map(Clone::clone).any(is_mail)
    }

    /// Reports whether words contain a possible time; then they are not a place.
    pub(super) fn has_time(&self, value: &Value) -> bool {
        let Value::Text(stretches) = value else {
            return false;
        };
        let is_time = |at| {
            let mut edges = self.lattice.edges(at).iter();
            edges.any(|edge| matches!(edge.filler, Filler::Time(_)))
        };
        stretches.iter().flat_map(Clone::clone).any(is_time)
    }

    /// Reports whether words directly follow a given word.
    pub(super) fn stands_behind(&self, value: &Value, word: &str) -> bool {
        let Value::Text(stretches) = value else {
            return false;
        };
        let before = stretches
            .first()
            .and_then(|first| first.start.checked_sub(1));
        before.is_some_and(|at| self.lattice.word(at) == word)
    }

    /// Reports whether words contain a time in words, not just a number that could be an hour.
    pub(super) fn says_time(&self, value: &Value) -> bool {
        let Value::Text(stretches) = value else {
            return false;
        };
        let is_time = |at: usize| {
            let mut edges = self.lattice.edges(at).iter();
            self.lattice.text.tokens[at].kind == TokenKind::Word
                && edges.any(|edge| matches!(edge.filler, Filler::Time(_)))
        };
        stretches.iter().flat_map(Clone::clone).any(is_time)
    }

    fn first_token(&self, value: &Value) -> Option<usize> {
        match value {
            Value::Text(stretches) => stretches.first().map(|first| first.start),
            _ => None,
        }
    }

    /// Returns the words to search for, without small words, which records often phrase differently.
    pub(super) fn needle(&self, value: &Value, kind: Option<Kind>) -> Result<String, Unfit> {
        const SMALL: &[&str] = &[
            "the", "a", "an", "my", "our", "and", "of", "to", "for", "&", "-", "in", "on", "about",
        ];
        let said = words::of(self.lattice, value);
        if words::is_quoted(self.lattice, value) {
            return Ok(said);
        }
        // The "'s" after "today's" is not a name.
        let first = self.first_token(value);
        if self.says_nothing(value) || first.is_some_and(|at| self.lattice.word(at) == "'s") {
            return Err(Unfit("no name"));
        }
        if self.holds_no_name(value) || self.hangs(value) {
            return Err(Unfit("no name"));
        }
        let excludes = |word: &str| EXCLUDING.contains(&word.to_lowercase().as_str());
        if said.split_whitespace().any(excludes) {
            return Err(Unfit("some are left out"));
        }
        let kept = said.split_whitespace();
        let kept: Vec<_> = kept
            .filter(|word| !SMALL.contains(&word.to_lowercase().as_str()))
            .collect();
        if kept.is_empty() {
            return Err(Unfit("no name"));
        }
        let spelled = kept.into_iter().map(|word| {
            let meant = kind.and_then(|kind| ground::spelled(self.lattice, &fold(word), kind));
            meant.unwrap_or_else(|| word.to_owned())
        });
        Ok(spelled.collect::<Vec<_>>().join(" "))
    }

    /// Reports whether words include a possessive: no mail is called "Tom's last two" or "yesterday's".
    pub(super) fn holds_owner(&self, value: &Value) -> bool {
        let Value::Text(stretches) = value else {
            return false;
        };
        stretches.iter().any(|tokens| {
            tokens.clone().any(|at| {
                let mut edges = self.lattice.edges(at).iter();
                edges.any(|edge| {
                    let owns = matches!(&edge.filler, Filler::People(_) | Filler::Time(_));
                    owns && edge.end < tokens.end && self.lattice.word(edge.end) == "'s"
                })
            })
        })
    }

    /// Reports whether words could be the name of a sender: few, not part of a sentence, and not a known person
    /// followed by other words.
    pub(super) fn names_somebody(&self, value: &Value) -> bool {
        /// Maximum number of words in a name.
        const MOST: usize = 4;
        let Value::Text(stretches) = value else {
            return true;
        };
        let [tokens] = stretches.as_slice() else {
            return false;
        };
        let known = self.lattice.edges(tokens.start).iter().any(|edge| {
            let person =
                matches!(&edge.filler, Filler::People(people) if people.iter().all(is_known));
            person && edge.end < tokens.end
        });
        let sentence = |at: usize| {
            [
                "clause",
                "not_called",
                "only_if",
                "joint",
                "kinds",
                "mailsorts",
            ]
            .iter()
            .any(|class| words::begins_with(self.lattice, at, class))
        };
        let small = |at: usize| words::begins_with(self.lattice, at, "small");
        let says = !tokens.clone().all(small) && !tokens.clone().any(sentence);
        tokens.len() <= MOST && !known && says
    }

    /// Reports whether a name contains a word that hardly anything is called, and that no record of the person
    /// contains.
    pub(super) fn holds_no_name(&self, value: &Value) -> bool {
        let Value::Text(stretches) = value else {
            return false;
        };
        let is_called = |at: usize| {
            let word = stem(self.lattice.word(at));
            let labels = self.lattice.said.names.iter();
            labels
                .flat_map(|name| text_words(&name.label))
                .any(|known| stem(&known) == word)
        };
        let mut tokens = stretches.iter().flat_map(Clone::clone);
        tokens.any(|at| words::begins_with(self.lattice, at, "not_called") && !is_called(at))
    }

    /// Reports whether words end where something must follow: "Bob from", "meeting with".
    fn hangs(&self, value: &Value) -> bool {
        const OPEN: &[&str] = &[
            "from", "to", "at", "with", "for", "by", "of", "about", "the", "a", "an", "and", "or",
            "is", "are", "do", "does", "did", "called", "arrive",
        ];
        let Value::Text(stretches) = value else {
            return false;
        };
        let mut tokens = stretches.iter().flat_map(Clone::clone);
        let last = tokens.rfind(|at| !self.lattice.is_mark(*at));
        let last = last.map(|at| &self.lattice.text.tokens[at]);
        last.is_some_and(|last| last.quote.is_none() && OPEN.contains(&last.word.as_str()))
    }

    /// Reports whether the words that identify an event or task to be changed contain grammar: a time, another kind of
    /// thing, a joint, or words on both sides of something else. Words that were not understood must not pass as a
    /// name, unless a record of the person matches them.
    pub(super) fn swallows(&self, thing: &Binding, value: &Value, kind: Option<Kind>) -> bool {
        let Value::Text(stretches) = value else {
            return false;
        };
        let known = kind.map(|kind| ground::look_up(self.lattice, thing, kind).score);
        if words::is_quoted(self.lattice, value) || known.is_some_and(|score| score > 0.0) {
            return false;
        }
        let mut tokens = stretches.iter().flat_map(Clone::clone);
        // "My 2pm, I have a headache": the words after the comma say something else.
        let begins = stretches
            .first()
            .map_or(thing.span.start, |first| first.start);
        let mut before = thing.span.start..begins;
        before.any(|at| self.lattice.word(at) == ",")
            || stretches.len() > 1
            || self.says_time(value)
            || tokens.any(|at| self.is_grammar(at))
    }

    /// Reports whether words that no record has are a request of their own: "bin that flyer" of "bin that flyer, and the
    /// invoices can be archived".
    pub(super) fn is_another_request(
        &self,
        thing: &Binding,
        value: &Value,
        kind: Option<Kind>,
    ) -> bool {
        let Some(first) = self.first_token(value) else {
            return false;
        };
        let known = kind.map(|kind| ground::look_up(self.lattice, thing, kind).score);
        let mut verbs = ["delete", "request", "imperative"]
            .iter()
            .filter_map(|class| self.lattice.phrase(class, first));
        !words::is_quoted(self.lattice, value)
            && known.is_none_or(|score| score <= 0.0)
            && verbs.any(|end| words::begins_with(self.lattice, end, "det"))
    }

    /// Reports whether words cannot be a place: a time, a thing of another kind, or words without meaning.
    pub(super) fn is_no_place(&self, value: &Value) -> bool {
        let Value::Text(stretches) = value else {
            return false;
        };
        let mut tokens = stretches.iter().flat_map(Clone::clone);
        let other = |at| self.lattice.phrase("no_place", at).is_some();
        self.says_time(value) || self.says_nothing(value) || tokens.any(other)
    }

    /// Reports whether a token is a word of the grammar and not part of a phrase that occurs in names.
    fn is_grammar(&self, at: usize) -> bool {
        let named = (at.saturating_sub(2)..=at)
            .filter_map(|from| self.lattice.phrase("common_name", from))
            .any(|end| end > at);
        let counted = |filler: &Filler| matches!(filler, Filler::Ordinal(_) | Filler::File(_));
        let mut edges = self.lattice.edges(at).iter();
        !named
            && (self.lattice.phrase("not_named", at).is_some()
                || self.lattice.phrase("time_word", at).is_some()
                || edges.any(|edge| counted(&edge.filler)))
    }

    /// Reports whether no word of a name identifies anything: "it", "the second one", "mail".
    pub(super) fn says_nothing(&self, value: &Value) -> bool {
        let Value::Text(stretches) = value else {
            return false;
        };
        let classes = [
            "it", "them", "det", "pick", "every", "kind", "kinds", "no_title",
        ];
        let empty = |at: usize| {
            // A mistyped word counts as meaningful, whatever it stands for.
            let mut words = self.lattice.words_at(at).iter();
            let mistyped = words.any(|(_, cost)| *cost >= TYPO_COST);
            let number = |filler: &Filler| matches!(filler, Filler::Number(_) | Filler::Ordinal(_));
            let counts = self
                .lattice
                .edges(at)
                .iter()
                .any(|edge| number(&edge.filler));
            counts
                || self.lattice.is_mark(at)
                || matches!(
                    self.lattice.word(at),
                    "one"
                        | "ones"
                        | "everything"
                        | "thing"
                        | "things"
                        | "time"
                        | "times"
                        | "i"
                        | "be"
                )
                || !mistyped
                    && classes
                        .iter()
                        .filter_map(|name| GRAMMAR.class(name))
                        .flat_map(|class| self.lattice.phrases_at(class, at))
                        .any(|hit| hit.end == at + 1)
        };
        stretches.iter().flat_map(Clone::clone).all(empty)
    }
}

fn is_known(who: &PersonMention) -> bool {
    !matches!(who, PersonMention::Named(_, false))
}
