//! Reads text as words: folding, splitting, stems, typing mistakes, words for numbers, and messages as tokens. The
//! search index, the tools' filters and the embedded engine all compare words with this crate.

mod compare;
mod fold;
mod stem;
mod telling;
mod title;
mod words;

pub mod message;
pub mod names;
pub mod number;

pub use compare::{BEGINNING_CHARS_MIN, all_words, forms, same};
pub use fold::{FoldedChar, fold, fold_line, fold_with_offsets};
pub use stem::stem;
pub use telling::{says_nothing, telling};
pub use title::title_of;
pub use words::{cut, exact_key, spoken_line, spoken_words, word_line, words};
