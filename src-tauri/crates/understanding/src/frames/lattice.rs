//! The lattice: everything that each stretch of the message could be – words of the rules, times, people, quotations,
//! numbers.
//!
//! Nothing is decided here. Overlapping readings coexist until the chart finds the ones that fit together.

mod left_out;
mod people;
mod phone;
mod phrases;
mod possessive;
pub(super) mod times;

use std::cell::LazyCell;
use std::collections::HashSet;
use std::ops::Range;

use adjutant_domain::reading::Utterance;
use adjutant_text::fold;
use adjutant_text::message::{Text, TokenKind, Vocabulary, lemma};

use super::grammar::{GRAMMAR, Rule, SlotType, WordId};
use super::own;
use crate::time::TimeExpression;

pub(super) use people::PersonMention;
pub(super) use phrases::PhraseMatch;
use phrases::PhrasePositions;

/// Maximum number of tokens in a message: requests are short.
pub(super) const TOKENS_MAX: usize = 400;

/// A message with everything that its stretches could be.
pub(super) struct Lattice<'a> {
    /// The message with its context: settings, history, and the records that it mentions.
    pub said: &'a Utterance<'a>,
    /// The phrases that tools bring themselves, if the message is read by them.
    pub own: Option<&'a own::ToolPhrases>,
    /// The text with its tokens.
    pub text: Text<'a>,
    /// For each token, the words of the rules that it could be, each with its cost.
    words: Vec<Vec<(WordId, f32)>>,
    /// Positions of the words and phrases of the rules.
    phrases: PhrasePositions,
    /// For each token, the expressions that begin there.
    edges: Vec<Vec<Edge>>,
    /// Times, by the index in [`Filler::Time`] and [`Filler::Length`].
    pub times: Vec<TimeExpression>,
    /// For each token, the weight that leaving it out adds to the score of a loose reading; `None` if the token must be
    /// read.
    left_out: Vec<Option<f32>>,
}

/// An expression: a value and the tokens that express it.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    /// First token after the expression.
    pub end: usize,
    /// Its value.
    pub filler: Filler,
    /// What it adds to the score of a reading.
    pub score: f32,
}

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Filler {
    /// A time: index into [`Lattice::times`].
    Time(usize),
    /// A length of time: index into [`Lattice::times`].
    Length(usize),
    /// One or several people.
    People(Vec<PersonMention>),
    /// A number.
    Number(i64),
    /// An ordinal number.
    Ordinal(i64),
    /// A quotation without its quotation marks: a byte range of the message.
    Quote(Range<usize>),
    /// A mail address.
    Address(String),
    /// A telephone number, as written.
    Phone(String),
    /// A file name or path.
    File(String),
}

impl Filler {
    /// Reports whether the value may fill a slot.
    pub fn fits(&self, takes: SlotType) -> bool {
        matches!(
            (takes, self),
            (SlotType::Time, Self::Time(_))
                | (SlotType::Length, Self::Length(_))
                | (SlotType::People, Self::People(_))
                | (SlotType::Number, Self::Number(_))
                | (SlotType::Ordinal, Self::Ordinal(_))
                | (SlotType::Quote, Self::Quote(_))
                | (SlotType::Address, Self::Address(_))
                | (SlotType::Phone, Self::Phone(_))
                | (SlotType::File, Self::File(_))
        )
    }
}

impl<'a> Lattice<'a> {
    /// Reads `source`: the message itself, or an earlier request after a change. Returns `None` if it is too long.
    pub fn read(source: &'a str, said: &'a Utterance<'a>) -> Option<Self> {
        Self::read_with(source, said, None)
    }

    /// Does the same as [`Self::read`] with phrases that tools bring themselves.
    pub fn read_with(
        source: &'a str,
        said: &'a Utterance<'a>,
        own: Option<&'a own::ToolPhrases>,
    ) -> Option<Self> {
        let mut text = Text::read(source);
        possessive::part(&mut text, said);
        if text.cut || text.tokens.len() > TOKENS_MAX {
            return None;
        }
        let known = LazyCell::new(|| known_words(said));
        let word = |word: &str| match own {
            Some(own) => own.word(word),
            None => GRAMMAR.word(word),
        };
        let is_known = |word: &str| known.contains(&adjutant_text::stem(word));
        let words = text
            .tokens
            .iter()
            .map(|token| readings(token, word, is_known));
        let mut lattice = Self {
            said,
            own,
            words: words.collect(),
            phrases: PhrasePositions::default(),
            edges: vec![Vec::new(); text.tokens.len()],
            times: Vec::new(),
            left_out: vec![None; text.tokens.len()],
            text,
        };
        lattice.phrases = PhrasePositions::of(&lattice);
        lattice.forms();
        phone::add(&mut lattice);
        times::add(&mut lattice);
        people::add(&mut lattice);
        Some(lattice)
    }

    /// Turns this into the lattice of a loose reading, which may leave words out.
    pub fn loosely(mut self) -> Self {
        self.left_out = left_out::costs(&self);
        self
    }

    /// Returns what leaving a token out adds to the score (normally a negative number), or `None` if it must be read.
    pub fn cost_of_leaving_out(&self, at: usize) -> Option<f32> {
        self.left_out.get(at).copied().flatten()
    }

    /// Returns the number of tokens.
    pub fn len(&self) -> usize {
        self.text.tokens.len()
    }

    /// Returns the rules of a category.
    pub fn rules(&self, category: usize) -> &'a [Rule] {
        match self.own {
            Some(own) if Some(category) == *own::CATEGORY => &own.rules,
            _ => &GRAMMAR.categories[category].rules,
        }
    }

    /// Returns the lowest cost of reading token `at` as a word of the rules, or `None` if it cannot be that word.
    pub fn cost_of(&self, at: usize, word: WordId) -> Option<f32> {
        let readings = self.words.get(at)?.iter();
        readings
            .filter(|(reading, _)| *reading == word)
            .map(|(_, cost)| *cost)
            .reduce(f32::min)
    }

    /// Returns the words of the rules that token `at` could be, with their costs.
    pub fn words_at(&self, at: usize) -> &[(WordId, f32)] {
        self.words.get(at).map_or(&[], Vec::as_slice)
    }

    /// Reports whether a phrase of a class begins at a token.
    pub fn is_phrase(&self, class: usize, at: usize) -> bool {
        !self.phrases_at(class, at).is_empty()
    }

    /// Returns the phrases of a class that begin at a token.
    pub fn phrases_at(&self, class: usize, at: usize) -> &[PhraseMatch] {
        self.phrases.at(class, at)
    }

    /// Returns the phrases of a class that begin at a token or after it, in the order of the message.
    pub fn phrases_from(&self, class: usize, at: usize) -> &[PhraseMatch] {
        self.phrases.from(class, at)
    }

    /// Returns the first token from `at` on that could be a word of the rules.
    pub fn next(&self, word: WordId, at: usize) -> Option<usize> {
        self.phrases.next(word, at)
    }

    /// Returns what reading a token as a word of a rule adds to the score.
    pub fn worth(&self, at: usize) -> f32 {
        self.phrases.worth(at)
    }

    /// Returns the token after the longest phrase of a class that begins at a token. Words must match literally:
    /// "replied" is not "reply".
    pub fn phrase(&self, class: &str, at: usize) -> Option<usize> {
        let first = GRAMMAR.word(self.word(at))?;
        let is = |at: usize, word| GRAMMAR.word(self.word(at)) == Some(word);
        let found = GRAMMAR.phrases(GRAMMAR.class(class)?, first, at, is);
        found.map(|(end, _)| end).max()
    }

    /// Returns the expressions that begin at a token.
    pub fn edges(&self, at: usize) -> &[Edge] {
        self.edges.get(at).map_or(&[], Vec::as_slice)
    }

    /// Returns the folded word of a token, or an empty string after the last token.
    pub fn word(&self, at: usize) -> &str {
        self.text.tokens.get(at).map_or("", |token| &token.word)
    }

    /// Reports whether a token repeats the word before it.
    pub fn is_repeated(&self, at: usize) -> bool {
        let tokens = self.text.tokens.get(at.wrapping_sub(1)..=at);
        matches!(tokens, Some([one, again])
            if again.kind == TokenKind::Word && one.word == again.word && one.span != again.span)
    }

    /// Reports whether a token is a mark or an emoji.
    pub fn is_mark(&self, at: usize) -> bool {
        let kind = self.text.tokens.get(at).map(|token| token.kind);
        matches!(kind, Some(TokenKind::Mark | TokenKind::Emoji))
    }

    /// Returns the text of the message that tokens cover, as the person wrote it.
    pub fn slice(&self, tokens: Range<usize>) -> &'a str {
        let slice = self.text.slice(tokens.clone());
        // The tokens of a contraction share their bytes: "mom" is the beginning of "Mom's".
        let (last, next) = (tokens.end.wrapping_sub(1), tokens.end);
        match (self.text.tokens.get(last), self.text.tokens.get(next)) {
            (Some(last), Some(next)) if last.span == next.span => {
                let shared = self.text.source.get(last.span.clone()).unwrap_or("");
                let own = shared
                    .get(..last.word.len())
                    .filter(|own| fold(own) == last.word);
                let rest = own.map_or(0, |own| shared.len() - own.len());
                slice.get(..slice.len() - rest).unwrap_or(slice)
            }
            _ => slice,
        }
    }

    /// Reports whether tokens form a single time expression.
    pub fn is_one_time(&self, tokens: Range<usize>) -> bool {
        let mut edges = self.edges(tokens.start).iter();
        edges.any(|edge| edge.end == tokens.end && matches!(edge.filler, Filler::Time(_)))
    }

    /// Reports whether the calculator can compute the tokens: a sum, a conversion, a date, the time in another place.
    pub fn is_sum(&self, tokens: Range<usize>) -> bool {
        // A calculation contains a number, or asks for a day or a time.
        let counted = GRAMMAR.class("counted");
        let counts = tokens.clone().any(|at| {
            self.text.tokens[at].kind == TokenKind::Number
                || self
                    .edges(at)
                    .iter()
                    .any(|edge| matches!(edge.filler, Filler::Number(_)))
                || counted.is_some_and(|class| self.is_phrase(class, at))
        });
        if !counts {
            return false;
        }
        let policy = crate::time::Policy::of(self.said.settings);
        crate::calc::is_calculation(self.slice(tokens), self.said.now, &policy)
    }

    fn add(&mut self, at: usize, edge: Edge) {
        if edge.end > at
            && let Some(edges) = self.edges.get_mut(at)
        {
            edges.push(edge);
        }
    }

    /// Returns the first token that begins at or after a byte of the message.
    fn token_from(&self, byte: usize) -> usize {
        self.text
            .tokens
            .partition_point(|token| token.span.start < byte)
    }

    /// Returns the first token that ends after a byte of the message.
    fn token_to(&self, byte: usize) -> usize {
        self.text
            .tokens
            .partition_point(|token| token.span.end <= byte)
    }

    /// Adds the expressions that tokens and quotations are by their form alone.
    fn forms(&mut self) {
        for at in 0..self.len() {
            let token = &self.text.tokens[at];
            let filler = match token.kind {
                _ if token.quote.is_some() => None,
                TokenKind::Number => token.word.parse().ok().map(Filler::Number),
                TokenKind::Ordinal => leading_number(&token.word).map(Filler::Ordinal),
                TokenKind::Address => Some(Filler::Address(self.slice(at..at + 1).to_owned())),
                TokenKind::File => Some(Filler::File(self.slice(at..at + 1).to_owned())),
                _ => adjutant_text::number::ordinal(&token.word)
                    .map(|number| Filler::Ordinal(number.into()))
                    .or_else(|| {
                        adjutant_text::number::cardinal(&token.word)
                            .map(|number| Filler::Number(number.into()))
                    }),
            };
            if let Some(filler) = filler {
                self.add(
                    at,
                    Edge {
                        end: at + 1,
                        filler,
                        score: 0.5,
                    },
                );
            }
        }
        for number in 0..self.text.quotes.len() {
            let inner = self.text.quotes[number].inner.clone();
            let quoted = |at: &usize| self.text.tokens[*at].quote == u16::try_from(number).ok();
            let mut tokens = (0..self.len()).filter(quoted);
            let Some(first) = tokens.next() else { continue };
            let end = tokens.next_back().unwrap_or(first) + 1;
            let filler = Filler::Quote(inner);
            self.add(
                first,
                Edge {
                    end,
                    filler,
                    score: 1.0,
                },
            );
        }
    }
}

/// Cost of reading a token as the word that it probably misspells.
pub(super) const TYPO_COST: f32 = 0.7;

/// Returns the stems of all words in the names of contacts and of the records that the message mentions. They are not
/// corrected as typing errors: a person who has plants does not mean plans.
fn known_words(said: &Utterance<'_>) -> HashSet<String> {
    let names = said.names.iter().map(|name| name.label.as_str());
    let people = said.people.iter().map(|(name, _)| name.as_str());
    names
        .chain(people)
        .flat_map(adjutant_text::words)
        .map(|word| adjutant_text::stem(&word))
        .collect()
}

/// Returns the words of the rules that a token could be: itself, its base form, or the word that it probably misspells.
fn readings(
    token: &adjutant_text::message::Token,
    word: impl Fn(&str) -> Option<WordId>,
    is_known: impl Fn(&str) -> bool,
) -> Vec<(WordId, f32)> {
    /// Cost of reading an inflected form as its base form.
    const BASE_COST: f32 = 0.05;
    /// Cost of reading "'s" as "is".
    const IS_COST: f32 = 0.1;
    if token.quote.is_some() {
        return Vec::new();
    }
    let mut readings: Vec<(WordId, f32)> = Vec::new();
    readings.extend(word(&token.word).map(|word| (word, 0.0)));
    // "How many lessons shall I have?", "whom am I to meet?"
    let plainer = match token.word.as_str() {
        "shall" => word("will"),
        "whom" => word("who"),
        _ => None,
    };
    readings.extend(plainer.map(|word| (word, BASE_COST)));
    if token.word == "'s" {
        // "Gym's cancelled."
        readings.extend(word("is").map(|word| (word, IS_COST)));
    }
    let base = lemma::base_form(&token.word, &word);
    readings.extend(base.map(|word| (word, BASE_COST)));
    // "Sync" is not a misspelled "syncs": a singular does not stand for its plural.
    let singular = word(&format!("{}s", token.word)).is_some();
    if readings.is_empty() && token.kind == TokenKind::Word && !singular {
        let mended = vocabulary().correct(&token.word);
        let mended = mended.filter(|_| !is_known(&token.word));
        readings.extend(mended.map(|word| (word, TYPO_COST)));
    }
    readings
}

/// Returns the words of the rules for correcting typing errors.
fn vocabulary() -> &'static Vocabulary {
    static VOCABULARY: std::sync::LazyLock<Vocabulary> = std::sync::LazyLock::new(|| {
        let mut vocabulary = Vocabulary::default();
        for (word, number) in GRAMMAR.words() {
            vocabulary.add(word, number);
        }
        vocabulary
    });
    &VOCABULARY
}

fn leading_number(word: &str) -> Option<i64> {
    let end = word.find(|c: char| !c.is_ascii_digit())?;
    word[..end].parse().ok()
}
