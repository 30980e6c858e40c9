//! Stems English words with the stemmer that the full-text index uses.

use frostem::{Algorithm, Stemmer};

/// Returns the stem of a folded word. All forms of a word share it ("schedule", "scheduling"); it is not always a word
/// itself.
#[must_use]
pub fn stem(word: &str) -> String {
    Stemmer::new(Algorithm::English).stem(word).into()
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for (one, other) in [
            ("allergies", "allergy"),
            ("meeting", "meetings"),
            ("scheduling", "schedules"),
            ("searched", "search"),
            ("replies", "reply"),
            ("boxes", "box"),
            ("planning", "plan"),
            ("booking", "book"),
        ] {
            assert_eq!(stem(one), stem(other), "{one} and {other}");
        }
        assert_eq!(stem("会议"), "会议");
    }
}
