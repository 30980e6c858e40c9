//! Queries of words for the full-text tables.

use std::fmt::Write as _;

use adjutant_text::{BEGINNING_CHARS_MIN, forms, spoken_words, words};

/// Most words of a query that are used.
const QUERY_WORDS_MAX: usize = 32;

/// Words that were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Query {
    /// Nothing was asked for.
    Any,
    /// Something was asked for that has no words, so nothing fits.
    Nothing,
    /// These words.
    Words(Vec<String>),
}

impl Query {
    /// Reads what a person or planner wants to find.
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

/// The words of a query as people say them, where an apostrophe does not part a word; like [`Query::of`] otherwise.
pub(crate) fn spoken(text: &str) -> Vec<String> {
    distinct(text, spoken_words)
}

/// The first different words of a text. The `'s` of "Nadia's" is no word.
fn distinct(text: &str, words: impl Fn(&str) -> Vec<String>) -> Vec<String> {
    let plain = text.replace('’', "'");
    let mut found = Vec::new();
    // Whatever is pasted: no more is looked at than is used.
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

/// The full-text expression for "every one of these words" (`all`) or "any of them".
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
    /// All must occur.
    All,
    /// Any may occur.
    Any,
    /// All must occur, and the beginning of a word is enough where it is long.
    Loose,
    /// All must occur, and a beginning is enough.
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
