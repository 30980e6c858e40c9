//! Splits a text into words that can be compared.

use unicode_normalization::UnicodeNormalization as _;

use crate::fold::fold;

/// Maximum number of bytes of a text to split into words. People find what comes after by reading, not by searching.
const WORDS_BYTES_MAX: usize = 256 * 1024;
/// Longest word of an index, in bytes; longer runs are data (base 64, hashes) that nobody searches for.
pub(crate) const WORD_BYTES_MAX: usize = 64;

/// Returns a text in lower case with accents kept and white space collapsed, for exact comparison.
#[must_use]
pub fn exact_key(text: &str) -> String {
    let mut key = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !key.is_empty() {
            key.push(' ');
        }
        key.extend(word.nfc().flat_map(char::to_lowercase));
    }
    key
}

/// Returns the folded words of a text in order. An apostrophe ends a word, as in a search index.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    each_word(text, WORD_BYTES_MAX, |word| found.push(word.to_owned()));
    found
}

/// Returns the folded words of a text as people say them, of any length. An apostrophe belongs to its word ("Zoe's" is
/// `zoes`).
#[must_use]
pub fn spoken_words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let plain = cut(text, WORDS_BYTES_MAX).replace(['’', '\''], "");
    each_word(&plain, usize::MAX, |word| found.push(word.to_owned()));
    found
}

/// Returns the folded words of texts as one line with single spaces, for a word index.
pub fn word_line<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut line = String::new();
    for text in texts {
        each_word(text, WORD_BYTES_MAX, |word| {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        });
    }
    line
}

/// Returns a line for a word index that people search with words as they say them: the words of [`word_line`], then the
/// whole form of each word that an apostrophe splits ("don't" is `don t dont`).
pub fn spoken_line<'a>(texts: impl IntoIterator<Item = &'a str> + Clone) -> String {
    let mut line = word_line(texts.clone());
    for text in texts {
        let parted = |piece: &&str| piece.contains(['\'', '’']);
        for piece in cut(text, WORDS_BYTES_MAX).split_whitespace().filter(parted) {
            let parts = words(piece);
            let short = |word: &String| word.len() <= WORD_BYTES_MAX && !parts.contains(word);
            for word in spoken_words(piece).into_iter().filter(short) {
                line.push(' ');
                line.push_str(&word);
            }
        }
    }
    line
}

/// Passes each folded word of a text to `take`, except words of more than `bytes_max` bytes.
pub(crate) fn each_word(text: &str, bytes_max: usize, mut take: impl FnMut(&str)) {
    let folded = fold(cut(text, WORDS_BYTES_MAX));
    let mut word = String::new();
    let mut flush = |word: &mut String| {
        if !word.is_empty() && word.len() <= bytes_max {
            take(word);
        }
        word.clear();
    };
    for letter in folded.chars() {
        if stands_alone(letter) {
            flush(&mut word);
            word.push(letter);
            flush(&mut word);
        } else if letter.is_alphanumeric() {
            word.push(letter);
        } else {
            flush(&mut word);
        }
    }
    flush(&mut word);
}

/// Returns whether a letter belongs to a script without spaces, in which each sign is a word.
fn stands_alone(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Returns at most `bytes` bytes of a text, cut at a character boundary.
#[must_use]
pub fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_split_into_folded_words() {
        assert_eq!(
            words("Q3-report: Zoë's 会议"),
            ["q3", "report", "zoe", "s", "会", "议"]
        );
        assert_eq!(spoken_words("Dentists’ day"), ["dentists", "day"]);
        assert_eq!(word_line(["One, two", "three"]), "one two three");
        assert_eq!(
            spoken_line(["Don't ask Zoë’s", "one"]),
            "don t ask zoe s one dont zoes"
        );
        assert_eq!(exact_key("  Ünder  TABLE "), "ünder table");
    }

    #[test]
    fn very_long_runs_and_texts_are_left_out() {
        let long = "x".repeat(WORD_BYTES_MAX + 1);
        assert!(words(&long).is_empty());
        assert_eq!(spoken_words(&long), [long.as_str()]);
        assert_eq!(cut("aé", 2), "a");
    }
}
