//! Words as they are compared: case, accents and punctuation do not matter.

use std::fmt::Write as _;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// How much of a text is looked at for words, in bytes. What comes after is found by reading, not by searching.
pub(crate) const INDEXED_BYTES_MAX: usize = 256 * 1024;
/// Longest word kept, in bytes; longer runs are data (base 64, hashes) that nobody searches for.
const WORD_BYTES_MAX: usize = 64;
/// Most words of a query that are used.
const QUERY_WORDS_MAX: usize = 32;

/// Lower case without accents: compatibility decomposition, marks stripped, lower-cased.
pub(crate) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfkd()
        .filter(|letter| !is_combining_mark(*letter))
        .flat_map(char::to_lowercase)
        .map(|letter| match letter {
            'ß' => 's',
            'ø' => 'o',
            'ł' => 'l',
            'đ' => 'd',
            'ı' => 'i',
            other => other,
        })
        .collect()
}

/// Lower case with accents kept and space collapsed: for "exactly this".
pub(crate) fn exact_key(text: &str) -> String {
    let mut key = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !key.is_empty() {
            key.push(' ');
        }
        key.extend(word.nfc().flat_map(char::to_lowercase));
    }
    key
}

/// The words of a text, folded, in order.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    each_word(text, |word| found.push(word.to_owned()));
    found
}

/// The words of a text as one line with single spaces: what goes into a word index.
pub(crate) fn word_line<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut line = String::new();
    for text in texts {
        each_word(text, |word| {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        });
    }
    line
}

fn each_word(text: &str, mut take: impl FnMut(&str)) {
    let folded = fold(cut(text, INDEXED_BYTES_MAX));
    let mut word = String::new();
    let mut flush = |word: &mut String| {
        if !word.is_empty() && word.len() <= WORD_BYTES_MAX {
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

/// Scripts written without spaces: each sign is a word of its own.
fn stands_alone(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// At most `bytes` bytes of a text, cut at a letter.
pub(crate) fn cut(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let mut end = bytes;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

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
    /// Reads what a person or planner wants to find. The `'s` of "Nadia's" is no word.
    pub(crate) fn of(text: Option<&str>) -> Self {
        let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
            return Self::Any;
        };
        let plain = text.replace('’', "'");
        let mut found = Vec::new();
        // Whatever is pasted: no more is looked at than is used.
        for piece in plain.split_whitespace() {
            let stem = piece.strip_suffix("'s").unwrap_or(piece);
            for word in words(stem) {
                if found.len() < QUERY_WORDS_MAX && !found.contains(&word) {
                    found.push(word);
                }
            }
            if found.len() == QUERY_WORDS_MAX {
                break;
            }
        }
        if found.is_empty() {
            Self::Nothing
        } else {
            Self::Words(found)
        }
    }
}

/// A word and the forms that count as the same word: singular and plural of English nouns.
pub(crate) fn forms(word: &str) -> Vec<String> {
    let mut forms = vec![word.to_owned()];
    if !word.is_ascii() || word.len() < 3 || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return forms;
    }
    forms.push(format!("{word}s"));
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        forms.push(format!("{stem}y"));
    } else if let Some(stem) = word.strip_suffix('y') {
        forms.push(format!("{stem}ies"));
    }
    if let Some(stem) = word.strip_suffix("es").filter(|stem| stem.len() > 2) {
        forms.push(stem.to_owned());
    }
    if ["s", "x", "z", "ch", "sh"]
        .iter()
        .any(|end| word.ends_with(end))
    {
        forms.push(format!("{word}es"));
    }
    if let Some(stem) = word
        .strip_suffix('s')
        .filter(|stem| stem.len() > 2 && !stem.ends_with('s'))
    {
        forms.push(stem.to_owned());
    }
    forms
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
                Join::All | Join::AllBeginnings => " AND ",
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
    /// All must occur, and a beginning is enough.
    AllBeginnings,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_strips_case_marks_and_compatibility_forms() {
        assert_eq!(
            fold("Crème BRÛLÉE ﬁn Ærø Łódź"),
            "creme brulee fin æro lodz"
        );
        assert_eq!(
            words("Q3-report: Zoë's 会议"),
            ["q3", "report", "zoe", "s", "会", "议"]
        );
    }

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

    #[test]
    fn plurals_count_as_the_same_word() {
        assert!(forms("reports").contains(&"report".to_owned()));
        assert!(forms("report").contains(&"reports".to_owned()));
        assert!(forms("party").contains(&"parties".to_owned()));
        assert!(forms("boxes").contains(&"box".to_owned()));
        assert!(!forms("class").contains(&"clas".to_owned()));
        assert_eq!(forms("q3"), ["q3"]);
    }

    #[test]
    fn very_long_runs_and_texts_are_left_out() {
        assert!(words(&"x".repeat(WORD_BYTES_MAX + 1)).is_empty());
        assert_eq!(cut("aé", 2), "a");
    }
}
