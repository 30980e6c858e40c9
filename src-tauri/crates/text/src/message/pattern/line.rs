//! A message as the matcher sees it: cells with word numbers, and each quotation as one cell.

use std::ops::Range;

use super::{PatternSet, kind};
use crate::message::{Text, TokenKind, lemma};

/// Number of a word that the set does not know.
pub(super) const NO_WORD: u32 = u32::MAX;

/// One cell: a token or a whole quotation.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Number of the word itself, or of the word it was corrected to.
    pub(super) exact: u32,
    /// Number of its base form; for a file, of the ending of its name.
    pub(super) base: u32,
    /// Kinds, as bits of [`kind`].
    pub kinds: u16,
    /// Tokens that the cell covers.
    pub tokens: Range<usize>,
    /// Index of its sentence in the text.
    pub sentence: usize,
    /// True where a clause begins (set by [`Line::mark_starts`]).
    pub clause_start: bool,
    /// True where a sentence begins, before and after opening politeness.
    pub sentence_start: bool,
    /// True for closing politeness and punctuation at the end of a sentence.
    pub tail: bool,
}

/// A message prepared for one pattern set.
#[derive(Debug, Clone)]
pub struct Line {
    /// The cells of all sentences.
    pub cells: Vec<Cell>,
    /// Cell ranges of the sentences.
    pub sentences: Vec<Range<usize>>,
}

impl PatternSet {
    /// Prepares at most `cells_max` cells of a message. Ignores the quotation marks of a message that is quoted as a
    /// whole.
    #[must_use]
    pub fn line(&self, text: &Text<'_>, cells_max: usize) -> Line {
        let all_quoted = text.tokens.iter().all(|t| t.quote.is_some());
        let mut cells: Vec<Cell> = Vec::with_capacity(text.tokens.len().min(cells_max));
        let mut sentences = Vec::new();
        for (number, sentence) in text.sentences.iter().enumerate() {
            let start = cells.len();
            let mut at = sentence.start;
            while at < sentence.end && cells.len() < cells_max {
                let cell = match text.tokens[at].quote {
                    Some(quote) if !all_quoted => {
                        let end = (at..sentence.end)
                            .find(|&i| text.tokens[i].quote != Some(quote))
                            .unwrap_or(sentence.end);
                        blank(kind::QUOTE, at..end, number)
                    }
                    _ => self.cell(text, at, sentence.start, number),
                };
                at = cell.tokens.end;
                cells.push(cell);
            }
            if cells.len() > start {
                sentences.push(start..cells.len());
            }
        }
        Line { cells, sentences }
    }

    fn cell(&self, text: &Text<'_>, at: usize, first: usize, sentence: usize) -> Cell {
        let token = &text.tokens[at];
        let kinds = match token.kind {
            TokenKind::Number => kind::NUMBER,
            TokenKind::Ordinal => kind::ORDINAL,
            TokenKind::Address => kind::ADDRESS,
            TokenKind::Link => kind::LINK,
            TokenKind::File => kind::FILE,
            TokenKind::Emoji => kind::EMOJI,
            TokenKind::Mark => kind::MARK,
            TokenKind::Word => 0,
        };
        let mut cell = blank(kinds, at..at + 1, sentence);
        cell.exact = self.word(&token.word).unwrap_or(NO_WORD);
        if token.kind == TokenKind::File
            && let Some(dot) = token.word.rfind('.')
        {
            cell.base = self.word(&token.word[dot..]).unwrap_or(NO_WORD);
        }
        if token.kind != TokenKind::Word {
            return cell;
        }
        if token.capital && at > first {
            cell.kinds |= kind::NAME;
        }
        cell.base = lemma::base_form(&token.word, |form| self.word(form)).unwrap_or(NO_WORD);
        if cell.exact == NO_WORD && cell.base == NO_WORD {
            cell.kinds |= kind::UNKNOWN;
            if !token.capital || at == first {
                cell.exact = self.vocabulary.correct(&token.word).unwrap_or(NO_WORD);
            }
        }
        cell
    }
}

impl Line {
    /// Marks where clauses and sentences begin. At a given cell, `ends` returns the end of an opening phrase without
    /// meaning, and `joins` the end of joining words.
    pub fn mark_starts(
        &mut self,
        ends: impl Fn(&Line, usize) -> Option<usize>,
        joins: impl Fn(&Line, usize) -> Option<usize>,
    ) {
        for sentence in self.sentences.clone() {
            self.mark_from(sentence.start, sentence.end, true, &ends);
            let mut at = sentence.start;
            while at < sentence.end {
                match joins(self, at) {
                    Some(end) if end > at && end < sentence.end => {
                        self.mark_from(end, sentence.end, false, &ends);
                        at = end;
                    }
                    _ => at += 1,
                }
            }
        }
    }

    fn mark_from(
        &mut self,
        start: usize,
        end: usize,
        sentence: bool,
        openers: &impl Fn(&Line, usize) -> Option<usize>,
    ) {
        let mut at = start;
        while at < end {
            self.cells[at].clause_start = true;
            self.cells[at].sentence_start |= sentence;
            match openers(self, at) {
                Some(next) if next > at => at = next,
                _ if self.cells[at].kinds & kind::MARK != 0 => at += 1,
                _ => break,
            }
        }
    }

    /// Marks the closing cells of each sentence: punctuation, and cells that `closes` accepts.
    pub fn mark_tails(&mut self, closes: impl Fn(&Line, usize) -> bool) {
        for sentence in self.sentences.clone() {
            for at in sentence.rev() {
                if self.cells[at].kinds & kind::MARK == 0 && !closes(self, at) {
                    break;
                }
                self.cells[at].tail = true;
            }
        }
    }

    /// Makes every word match only as itself, or as the word it was corrected to, for tables in which inflections must
    /// not count.
    pub fn keep_forms(&mut self) {
        for cell in &mut self.cells {
            cell.base = NO_WORD;
        }
    }

    /// Returns the cells of the sentence that holds `cell`, or an empty range if there is none.
    #[must_use]
    pub fn sentence_of(&self, cell: usize) -> Range<usize> {
        let at = self.sentences.partition_point(|s| s.end <= cell);
        self.sentences.get(at).cloned().unwrap_or(0..0)
    }
}

fn blank(kinds: u16, tokens: Range<usize>, sentence: usize) -> Cell {
    Cell {
        exact: NO_WORD,
        base: NO_WORD,
        kinds,
        tokens,
        sentence,
        clause_start: false,
        sentence_start: false,
        tail: false,
    }
}
