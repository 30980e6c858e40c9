//! Checks that a change of tone kept the facts: the numbers, addresses, links and code must be the same.

use std::collections::BTreeMap;

/// Whether `toned` has exactly the facts of `draft`.
#[must_use]
pub fn kept(draft: &str, toned: &str) -> bool {
    !toned.trim().is_empty() && facts(draft) == facts(toned)
}

/// Collects numbers, addresses, links and code blocks. Only code blocks are counted.
fn facts(text: &str) -> BTreeMap<String, usize> {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for (index, part) in text.split("```").enumerate() {
        if index % 2 == 1 {
            *found.entry(part.trim().to_owned()).or_default() += 1;
            continue;
        }
        for word in part.split(|char: char| char.is_whitespace() || "()<>[]\"“”*_`".contains(char))
        {
            let word = word.trim_matches(|char: char| !char.is_alphanumeric());
            let links = word.contains("://") || word.contains('@');
            if links || word.chars().any(|char| char.is_ascii_digit()) {
                // Repeating a fact is a matter of style; its presence is not.
                found.insert(word.to_lowercase(), 1);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::kept;

    #[test]
    fn tone_may_change_words_and_nothing_else() {
        let draft = "The meeting is at 10:30 with kim@example.org.";
        assert!(kept(
            draft,
            "Hey! 10:30, you and kim@example.org, be there."
        ));
        assert!(!kept(draft, "Hey! 11:30, you and kim@example.org."));
        assert!(!kept(draft, "Hey! 10:30 it is."));
        assert!(!kept(
            draft,
            "10:30, kim@example.org, see https://example.net/x"
        ));
        assert!(!kept(draft, " "));
        assert!(!kept("Run\n```\na = 1\n```", "Do run\n```\na = 2\n```"));
    }
}
