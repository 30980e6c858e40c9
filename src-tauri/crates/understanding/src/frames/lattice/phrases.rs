//! The positions of words and phrases of the rules in a message: found once and shared by all rules.

use std::collections::HashMap;

use super::Lattice;
use crate::frames::grammar::{GRAMMAR, REQUESTS, WordId};

/// Score of reading a token as a word of a rule.
const WORD: f32 = 1.0;
/// Score of a word that says little alone.
const SMALL: f32 = 0.35;

/// Words of rules that say little alone.
const SMALL_WORDS: &[&str] = &[
    "a", "an", "the", "to", "for", "of", "on", "in", "at", "with", "from", "my", "that", "is",
    "me", "i", "do", "it", "and", "by", "as", "'s", ":", ",", "be", "am", "have", "you", "this",
    "about",
];

/// A phrase of a class, found in the message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct PhraseMatch {
    /// Its first token.
    pub start: usize,
    /// First token after it.
    pub end: usize,
    /// The value that it stands for.
    pub value: &'static str,
    /// What it adds to the score.
    pub score: f32,
}

/// Words and phrases by their position.
#[derive(Debug, Default)]
pub(super) struct PhrasePositions {
    /// Phrases by class, in the order of the message.
    classes: Vec<Vec<PhraseMatch>>,
    /// Tokens by the word that they could be.
    words: HashMap<WordId, Vec<usize>>,
    /// The score of each token as a word of a rule.
    worth: Vec<f32>,
}

impl PhrasePositions {
    /// Finds everything in the words of a lattice.
    pub fn of(lattice: &Lattice<'_>) -> Self {
        let worth = |at| match SMALL_WORDS.contains(&lattice.word(at)) {
            true => SMALL,
            false => WORD,
        };
        let mut found = Self {
            classes: vec![Vec::new(); GRAMMAR.classes()],
            words: HashMap::new(),
            worth: (0..lattice.len()).map(worth).collect(),
        };
        let is = |at: usize, word| lattice.cost_of(at, word).is_some();
        for at in 0..lattice.len() {
            for (word, _) in lattice.words_at(at) {
                let places = found.words.entry(*word).or_default();
                if places.last() != Some(&at) {
                    places.push(at);
                }
                for class in GRAMMAR.begun_by(*word) {
                    for (end, value) in GRAMMAR.phrases(*class, *word, at, is) {
                        found.add(lattice, *class, at..end, value);
                    }
                }
            }
        }
        found
    }

    fn add(
        &mut self,
        lattice: &Lattice<'_>,
        class: usize,
        tokens: std::ops::Range<usize>,
        value: &'static str,
    ) {
        let typo = |at| {
            let costs = lattice.words_at(at).iter().map(|(_, cost)| *cost);
            costs.reduce(f32::min).unwrap_or(0.0)
        };
        let hit = PhraseMatch {
            start: tokens.start,
            end: tokens.end,
            value,
            score: tokens.map(|at| self.worth[at] - typo(at)).sum(),
        };
        if let Some(hits) = self.classes.get_mut(class)
            && !hits.contains(&hit)
        {
            hits.push(hit);
        }
    }

    /// Returns the phrases of a class that begin at a token.
    pub fn at(&self, class: usize, at: usize) -> &[PhraseMatch] {
        let hits = self.from(class, at);
        &hits[..hits.partition_point(|hit| hit.start == at)]
    }

    /// Returns the phrases of a class that begin at a token or after it.
    pub fn from(&self, class: usize, at: usize) -> &[PhraseMatch] {
        let hits = self.classes.get(class).map_or(&[][..], Vec::as_slice);
        &hits[hits.partition_point(|hit| hit.start < at)..]
    }

    /// Returns the first token from `at` on that could be a word.
    pub fn next(&self, word: WordId, at: usize) -> Option<usize> {
        let places = self.words.get(&word)?;
        places
            .get(places.partition_point(|place| *place < at))
            .copied()
    }

    /// Returns the score of a token as a word of a rule.
    pub fn worth(&self, at: usize) -> f32 {
        self.worth.get(at).copied().unwrap_or(WORD)
    }
}

impl Lattice<'_> {
    /// Reports whether a token is a "so" followed by a request or a purpose: "the tram is late so push the review to 4",
    /// "star that mail so I don't lose it".
    pub fn is_so(&self, at: usize) -> bool {
        let passed = self.phrase("filler", at + 1);
        let asks = |at: usize| {
            REQUESTS
                .iter()
                .any(|class| self.phrase(class, at).is_some())
        };
        let says = matches!(
            self.word(at + 1),
            "i" | "we" | "that" | "he" | "she" | "they"
        );
        self.word(at) == "so" && (says || asks(at + 1) || passed.is_some_and(asks))
    }
}
