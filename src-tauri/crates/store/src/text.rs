//! Builds word queries for the full-text tables.

use std::fmt::Write as _;

use adjutant_text::{BEGINNING_CHARS_MIN, forms, spoken_words, words};

/// Highest number of words of a query that are used.
const QUERY_WORDS_MAX: usize = 32;

/// The words a search asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Query {
    /// No search text was given.
    Any,
    /// The search text has no words, so nothing matches.
    Nothing,
    /// The words of the search text.
    Words(Vec<String>),
}

impl Query {
    /// Parses the search text of a person or planner.
    pub(crate) fn of(text: Option<&str>) -> Self {
        let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
            return Self::Any;
        };
        let found = distinct(text, words);
        if found.is_empty() {
            Self::Nothing
        } else {
            Self::Words(found)
        }
    }
}

/// Returns the words of a query as people say them, where an apostrophe does not split a word; otherwise like
/// [`Query::of`].
pub(crate) fn spoken(text: &str) -> Vec<String> {
    distinct(text, spoken_words)
}

/// Returns the first distinct words of a text. The `'s` of "Nadia's" is not a word.
fn distinct(text: &str, words: impl Fn(&str) -> Vec<String>) -> Vec<String> {
    let plain = text.replace('’', "'");
    let mut found = Vec::new();
    // However much text is pasted, only as much of it is examined as is used.
    for piece in plain.split_whitespace() {
        for word in words(piece.strip_suffix("'s").unwrap_or(piece)) {
            if found.len() < QUERY_WORDS_MAX && !found.contains(&word) {
                found.push(word);
            }
        }
        if found.len() == QUERY_WORDS_MAX {
            break;
        }
    }
    found
}

/// Builds the full-text expression for words, joined as `join` says and limited to `columns`; an empty slice means
/// all columns.
pub(crate) fn match_expression(words: &[String], columns: &[&str], join: Join) -> String {
    let mut expression = String::new();
    if !columns.is_empty() {
        let _ = write!(expression, "{{{}}} : ", columns.join(" "));
    }
    expression.push('(');
    for (place, word) in words.iter().enumerate() {
        if place > 0 {
            expression.push_str(match join {
                Join::All | Join::AllBeginnings | Join::Loose => " AND ",
                Join::Any => " OR ",
            });
        }
        if join == Join::AllBeginnings {
            let _ = write!(expression, "\"{word}\"*");
            continue;
        }
        expression.push('(');
        for (nth, form) in forms(word).iter().enumerate() {
            if nth > 0 {
                expression.push_str(" OR ");
            }
            let _ = write!(expression, "\"{form}\"");
        }
        if join == Join::Loose && word.chars().count() >= BEGINNING_CHARS_MIN {
            let _ = write!(expression, " OR \"{word}\"*");
        }
        expression.push(')');
    }
    expression.push(')');
    expression
}

/// How several words are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Join {
    /// All words must occur.
    All,
    /// At least one word must occur.
    Any,
    /// All words must occur; of a long word, the beginning is enough.
    Loose,
    /// All words must occur; the beginning of each is enough.
    AllBeginnings,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_tell_nothing_from_anything() {
        assert_eq!(Query::of(None), Query::Any);
        assert_eq!(Query::of(Some("  ")), Query::Any);
        assert_eq!(Query::of(Some("!!!")), Query::Nothing);
        assert_eq!(
            Query::of(Some("Nadia’s report, the REPORT")),
            Query::Words(vec!["nadia".into(), "report".into(), "the".into()])
        );
        // A hundred thousand words are as good as the first of them.
        let many: String = (0..100_000).map(|n| format!("w{n} ")).collect();
        let first = (0..QUERY_WORDS_MAX).map(|n| format!("w{n}"));
        assert_eq!(Query::of(Some(&many)), Query::Words(first.collect()));
    }
}
