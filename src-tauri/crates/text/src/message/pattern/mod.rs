//! A small readable language for phrases, and a matcher for many of them at once.
//!
//! Each line is one pattern, with its weight first:
//!
//! ```text
//! @meeting = meeting | appointment | stand up      # a word class; alternatives may have several words
//! 4!  (schedule | book) [a] .. @meeting            # [optional], .. a gap of up to four words
//! 5!  add {..} to my calendar                      # {..} a gap whose content says nothing about the request
//! 5!  ^ note that {>}                              # ^ clause start, {>} the rest of the sentence, content likewise
//! 5!  remind me to {>>}                            # {>>} likewise, even where it looks like another request
//! ```
//!
//! Further syntax: `...` is a longer gap, `_` any one word, `^^` the start of a sentence, `<end>` the place after which
//! only politeness follows, `=word` exactly this form and none of its inflections, `\x` a reserved mark, and
//! `<num> <ordinal> <quote> <address> <link> <file> <emoji> <name>` are kinds of words. `!` after the weight marks a
//! phrase that is a complete request by itself. `.eml` matches any file name with that ending. A plain word also
//! matches its inflections.

mod compile;
mod index;
mod line;
mod matcher;
mod parse;

pub use compile::{Builder, PatternSet};
pub use line::{Cell, Line};
pub use matcher::Hit;

/// Kinds of cells that a pattern can ask for, as bits.
pub mod kind {
    /// A number.
    pub const NUMBER: u16 = 1;
    /// A number with an ordinal ending.
    pub const ORDINAL: u16 = 1 << 1;
    /// A whole quoted stretch.
    pub const QUOTE: u16 = 1 << 2;
    /// A mail address.
    pub const ADDRESS: u16 = 1 << 3;
    /// A web address.
    pub const LINK: u16 = 1 << 4;
    /// A path or a file name.
    pub const FILE: u16 = 1 << 5;
    /// An emoji.
    pub const EMOJI: u16 = 1 << 6;
    /// A capitalised word that does not begin its sentence.
    pub const NAME: u16 = 1 << 7;
    /// Any mark of punctuation.
    pub const MARK: u16 = 1 << 8;
    /// A word that the vocabulary of the set does not have.
    pub const UNKNOWN: u16 = 1 << 9;
}

#[cfg(test)]
mod tests;
