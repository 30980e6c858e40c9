//! Compares words as people do: ignoring case, accents, singular and plural, and the ending of a long enough word.

use crate::fold::fold_line;
use crate::words::spoken_words;

/// Minimum number of letters for a word to match longer words that begin with it.
pub const BEGINNING_CHARS_MIN: usize = 4;

/// Returns whether two texts are the same except for case, accents, punctuation and white space.
#[must_use]
pub fn same(a: &str, b: &str) -> bool {
    let (left, right) = (spoken_words(a), spoken_words(b));
    if left.is_empty() && right.is_empty() {
        return fold_line(a) == fold_line(b);
    }
    left == right
}

/// Returns whether every word of `needle` occurs in `hay`: as it is, as singular or plural, or as the beginning of a
/// longer word. Returns false for a `needle` without words.
#[must_use]
pub fn all_words(needle: &str, hay: &str) -> bool {
    let hay = spoken_words(hay);
    let needle = spoken_words(needle);
    !needle.is_empty()
        && needle.iter().all(|word| {
            let forms = forms(word);
            let long = word.chars().count() >= BEGINNING_CHARS_MIN;
            hay.iter()
                .any(|one| forms.contains(one) || (long && one.starts_with(word.as_str())))
        })
}

/// Returns a folded word and the forms that count as the same word: singular and plural of English nouns.
#[must_use]
pub fn forms(word: &str) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_their_forms() {
        for (needle, hay, found) in [
            ("sync up", "Sync-up with Ana", true),
            ("meetings", "Board meeting", true),
            ("budget", "Budgets 2026", true),
            ("policies", "Policy review", true),
            ("dentist", "Dentists’ day", true),
            ("José", "lunch with jose", true),
            ("Jorgen", "Call Jørgen", true),
            ("art", "Party", false),
            ("plan", "Planning", true),
            ("pl", "Planning", false),
            ("", "anything", false),
        ] {
            assert_eq!(all_words(needle, hay), found, "{needle} in {hay}");
        }
        assert!(same("Catch up soon?", "catch up soon"));
        assert!(!same("catch up", "catch up soon"));
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
}
