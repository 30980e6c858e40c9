//! Reading pieces from left to right.

use std::ops::Range;

use super::lexicon;
use super::model::Words;
use super::said::{Form, Piece, Said};
use super::table::{Table, fits};

/// A place in the message and the end of what may be read.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'s, 'a> {
    /// The message.
    pub said: &'s Said<'a>,
    /// Next piece.
    pub at: usize,
    /// First piece that is not read.
    pub end: usize,
}

impl<'s, 'a> Cursor<'s, 'a> {
    /// Reads `range`.
    pub(super) fn new(said: &'s Said<'a>, range: Range<usize>) -> Self {
        Self {
            said,
            at: range.start,
            end: range.end.min(said.pieces.len()),
        }
    }

    /// The piece `ahead` places on.
    pub(super) fn peek(&self, ahead: usize) -> Option<&'s Piece> {
        let at = self.at + ahead;
        (at < self.end).then(|| self.said.pieces.get(at)).flatten()
    }

    /// The folded word `ahead` places on, or nothing for whole expressions and at the end.
    pub(super) fn word(&self, ahead: usize) -> &'s str {
        self.peek(ahead)
            .filter(|piece| piece.is_plain())
            .map_or("", |piece| piece.word.as_str())
    }

    /// Whether everything was read.
    pub(super) fn is_done(&self) -> bool {
        self.at >= self.end
    }

    /// Whether one of these phrases stands here; how long it is.
    pub(super) fn sees(&self, phrases: &[&str]) -> Option<usize> {
        phrases
            .iter()
            .filter_map(|phrase| self.sees_one(phrase))
            .max()
    }

    fn sees_one(&self, phrase: &str) -> Option<usize> {
        let first = self.peek(0)?;
        if !first.is_plain() {
            return None;
        }
        let mut words = phrase.split(' ');
        let head = words.next()?;
        if first.word != head && first.base != head {
            return None;
        }
        let mut len = 1;
        for word in words {
            let piece = self.peek(len)?;
            if !fits(&[word], std::slice::from_ref(piece), 0) {
                return None;
            }
            len += 1;
        }
        Some(len)
    }

    /// Reads one of these phrases, the longest.
    pub(super) fn eat(&mut self, phrases: &[&str]) -> bool {
        match self.sees(phrases) {
            Some(len) => {
                self.at += len;
                true
            }
            None => false,
        }
    }

    /// Whether a phrase of the table stands here; how long it is.
    pub(super) fn sees_any(&self, table: &Table<()>) -> Option<usize> {
        self.sees_in(table).map(|(_, len)| len)
    }

    /// Reads a phrase of the table, the longest.
    pub(super) fn eat_any(&mut self, table: &Table<()>) -> bool {
        self.take(table).is_some()
    }

    /// Reads a phrase of a table.
    pub(super) fn take<T: Copy>(&mut self, table: &Table<T>) -> Option<T> {
        let (value, len) = self.sees_in(table)?;
        self.at += len;
        Some(value)
    }

    /// The phrase of a table that stands here.
    pub(super) fn sees_in<T: Copy>(&self, table: &Table<T>) -> Option<(T, usize)> {
        if self.is_done() {
            return None;
        }
        table
            .at(&self.said.pieces[..self.end], self.at)
            .filter(|(_, len)| self.at + len <= self.end)
    }

    /// The time expression that stands here, with or without its preposition, and how many pieces it takes.
    pub(super) fn sees_time(&self) -> Option<(usize, usize)> {
        let piece = self.peek(0)?;
        if let Form::Time(index) = piece.form {
            return Some((index, 1));
        }
        let index = piece.leads?;
        let mut len = 1;
        while let Some(next) = self.peek(len) {
            if next.form == Form::Time(index) {
                return Some((index, len + 1));
            }
            if next.leads != Some(index) {
                return None;
            }
            len += 1;
        }
        None
    }

    /// Reads a time expression.
    pub(super) fn time(&mut self) -> Option<usize> {
        let (index, len) = self.sees_time()?;
        self.at += len;
        Some(index)
    }

    /// Reads a quotation.
    pub(super) fn quote(&mut self) -> Option<Words> {
        let piece = self.peek(0)?;
        let Form::Quote(index) = piece.form else {
            return None;
        };
        self.at += 1;
        Some(Words {
            text: self.said.quoted(index).to_owned(),
            span: Some((piece.span.start, piece.span.end)),
            quoted: true,
        })
    }

    /// The words of the message from `range`, word for word.
    pub(super) fn words(&self, range: Range<usize>) -> Option<Words> {
        let text = self.said.slice(range.clone());
        let text = text
            .trim_end_matches([',', ';', ':', ' ', '\n'])
            .trim_start_matches([',', ';', ':', ' ', '\n']);
        (!text.is_empty()).then(|| Words {
            text: text.to_owned(),
            span: self.said.span(&range),
            quoted: false,
        })
    }

    /// Reads marks and small words that mean nothing at the end or between parts.
    pub(super) fn skip_marks(&mut self) {
        while let Some(piece) = self.peek(0) {
            if piece.form == Form::Mark
                && !matches!(piece.word.as_str(), "&" | "/" | "+" | "@" | "$" | "%" | "#")
            {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    /// Whether the piece `ahead` is a word that says something of its own.
    pub(super) fn is_content(&self, ahead: usize) -> bool {
        self.peek(ahead).is_some_and(|piece| match piece.form {
            Form::Word => !lexicon::is_function(&piece.word),
            Form::Number | Form::Ordinal | Form::Address | Form::Link | Form::File => true,
            Form::Quote(_) | Form::Time(_) | Form::Mark => false,
        })
    }
}
