//! Whether a text that only its tone shall have changed still says the same: the facts that can be told apart from
//! words, that is numbers, addresses, links and code, have to be the same.

use std::collections::BTreeMap;

/// Whether `toned` has the facts of `draft`, and no others.
#[must_use]
pub fn kept(draft: &str, toned: &str) -> bool {
    !toned.trim().is_empty() && facts(draft) == facts(toned)
}

/// Numbers, addresses and links with how often they occur, and blocks of code.
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
                // How often a fact is repeated is a matter of style; that it is there is not.
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
