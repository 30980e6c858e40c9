//! Extracts the piece of a text that shows why a record was found.

use std::collections::HashSet;

use adjutant_text::{cut, forms, stem, words};

/// Length of a snippet, in bytes.
const SNIPPET_BYTES: usize = 200;
/// How much of a snippet precedes the matched word, in bytes.
const SNIPPET_BEFORE_BYTES: usize = 60;
/// How far into a text a snippet is searched for, in bytes.
const LOOKED_BYTES_MAX: usize = 64 * 1024;

/// Returns one line of text around the first word that matches or begins with an asked one, or the beginning of the
/// text if none does.
pub(crate) fn snippet(text: &str, asked: &[String]) -> String {
    let wanted: HashSet<String> = asked
        .iter()
        .flat_map(|word| forms(word).into_iter().chain([stem(word)]))
        .collect();
    let body = cut(text, LOOKED_BYTES_MAX);
    let begin = body.as_ptr() as usize;
    let at = body
        .split_whitespace()
        .find(|piece| {
            words(piece).iter().any(|word| {
                wanted.contains(word)
                    || wanted.contains(&stem(word))
                    || asked.iter().any(|asked| word.starts_with(asked.as_str()))
            })
        })
        .map_or(0, |piece| piece.as_ptr() as usize - begin);
    let mut from = at.saturating_sub(SNIPPET_BEFORE_BYTES);
    while !body.is_char_boundary(from) {
        from += 1;
    }
    if from > 0 {
        // Start at a whole word.
        let skip = body[from..at]
            .find(char::is_whitespace)
            .unwrap_or(at - from);
        from += skip;
    }
    let rest = &body[from..];
    let piece = cut(rest, SNIPPET_BYTES);
    let mut line = piece.split_whitespace().collect::<Vec<_>>().join(" ");
    if from > 0 {
        line.insert(0, '…');
    }
    if piece.len() < rest.len() {
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snippets_show_the_word_found_in_its_surroundings() {
        let long = format!(
            "{} the Bücher  arrived\ntoday {}",
            "é ".repeat(500),
            "x ".repeat(500)
        );
        let shown = snippet(&long, &["bucher".into()]);
        assert!(shown.starts_with("…") && shown.ends_with("…"), "{shown}");
        assert!(shown.contains("the Bücher arrived today"), "{shown}");
        assert_eq!(snippet("short text", &["elsewhere".into()]), "short text");
        assert_eq!(snippet("", &["a".into()]), "");
    }
}
