//! Classifies the lines of a page.

use adjutant_text::words;

use crate::lexicon::plain_space;

/// Minimum words of a whole sentence.
const WHOLE_WORDS_MIN: usize = 4;

/// Returns whether a line is a complete sentence rather than a heading, a menu or a date line.
pub fn is_whole(sentence: &str) -> bool {
    let closed = sentence.trim_end_matches(['"', '”', ')', '\'', '’', ']']);
    closed.ends_with(['.', '!', '?'])
        && !closed.ends_with("...")
        && words(sentence).len() >= WHOLE_WORDS_MIN
}

/// Returns whether a sentence opens with a pronoun, so that it does not name its subject.
pub fn opens_with_a_pronoun(sentence: &str) -> bool {
    let first = words(sentence).into_iter().next().unwrap_or_default();
    [
        "he", "she", "it", "they", "his", "her", "its", "their", "this", "these",
    ]
    .contains(&first.as_str())
}

/// Returns a sentence or line as it is quoted: on one line, without the mark of a heading or of a list item.
pub fn quotable(sentence: &str) -> String {
    let line = plain_space(sentence);
    let (mark, rest) = line.split_once(' ').unwrap_or(("", &line));
    let marks = ["-", "*", "+", "•", "–"].contains(&mark)
        || (!mark.is_empty() && mark.chars().all(|letter| letter == '#'));
    if marks { rest.to_owned() } else { line }
}

/// Joins sentences and lines to a paragraph. A line without a full stop ends with a semicolon.
pub fn in_a_row(sentences: impl Iterator<Item = String>) -> String {
    let mut row = String::new();
    for sentence in sentences {
        let open = row.ends_with(|last: char| last.is_alphanumeric() || last == '%');
        row.push_str(match (row.is_empty(), open) {
            (true, _) => "",
            (false, true) => "; ",
            (false, false) => " ",
        });
        row.push_str(&sentence);
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_line_has_no_mark() {
        assert_eq!(quotable("- Risk: two\n more weeks"), "Risk: two more weeks");
        assert_eq!(quotable("## Planning"), "Planning");
        assert_eq!(quotable("-5 degrees at night"), "-5 degrees at night");
        assert_eq!(quotable("Planning"), "Planning");
    }

    #[test]
    fn lines_in_a_row_are_parted() {
        let row = ["marketing 12000", "marketing 15000.", "Yes"].map(str::to_owned);
        let row = in_a_row(row.into_iter());
        assert_eq!(row, "marketing 12000; marketing 15000. Yes");
    }

    #[test]
    fn headings_and_menus_are_no_sentences() {
        assert!(is_whole("He was born in Porto (in 1908.)"));
        for line in [
            "Last checked 21 October 2011",
            "Home › Articles",
            "Read more about the film...",
            "Porto, 1908.",
        ] {
            assert!(!is_whole(line), "{line}");
        }
    }
}
