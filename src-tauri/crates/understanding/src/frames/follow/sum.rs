//! Sums with one number changed: "and by 4", "what about 18%", after a sum that was worked out.

use adjutant_domain::conversation::Role;
use adjutant_domain::reading::Utterance;

use crate::calc;
use crate::time::Policy;

/// What such a message begins with.
const LEADS: &[&str] = &[
    "and ",
    "or ",
    "what about ",
    "how about ",
    "what if it is ",
    "what if it's ",
];
/// Maximum number of words behind them.
const WORDS_MAX: usize = 4;

/// Returns the sum of the person's last message with the number of this one in the place of its like. `None` if the last
/// message was no sum, or the message says anything else.
pub(super) fn restated(said: &Utterance<'_>) -> Option<String> {
    let low = said.text.trim().to_lowercase();
    let low = low.trim_end_matches(['?', '.', '!']).trim_end();
    let rest = LEADS.iter().find_map(|lead| low.strip_prefix(lead))?;
    let new: Vec<&str> = rest.split_whitespace().collect();
    let numbers = new.iter().filter(|word| is_number(word)).count();
    if numbers != 1 || new.len() > WORDS_MAX {
        return None;
    }
    let last = said
        .history
        .iter()
        .rev()
        .find(|one| one.role == Role::User)?;
    let policy = Policy::of(said.settings);
    let is_sum = |text: &str| calc::is_calculation(text, said.now, &policy);
    if !is_sum(&last.text) {
        return None;
    }
    let old: Vec<&str> = last.text.split_whitespace().collect();
    let place = of_its_like(&old, &new)?;
    let mut words: Vec<&str> = old[..place.start].to_vec();
    words.extend(&new);
    words.extend(&old[place.end..]);
    let text = words.join(" ");
    is_sum(&text).then_some(text)
}

/// Returns the words that the new ones replace: those with the same words around a number, or else the last number that is
/// a percentage if the new one is, and none otherwise.
fn of_its_like(old: &[&str], new: &[&str]) -> Option<std::ops::Range<usize>> {
    let alike = |old: &str, new: &str| {
        let bare = |word: &str| word.trim_end_matches(['?', '.', ',']).to_lowercase();
        is_number(old) && is_number(new) && is_share(old) == is_share(new) || bare(old) == bare(new)
    };
    let same = |at: &usize| {
        let words = old.get(*at..*at + new.len());
        words.is_some_and(|words| words.iter().zip(new).all(|(old, new)| alike(old, new)))
    };
    let at = (0..old.len()).rev().find(same)?;
    Some(at..at + new.len())
}

fn is_number(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
}

fn is_share(word: &str) -> bool {
    word.contains('%')
}

#[cfg(test)]
mod tests {
    use adjutant_domain::reading::{Planner as _, Router as _};

    use crate::Embedded;
    use crate::fixture::{MessageContext, rendered};

    #[test]
    fn a_number_takes_the_place_of_its_like() {
        for (before, text, sum) in [
            ("whats 92.40 divided by 3", "and by 4", "92.40 divided by 4"),
            ("what's 15% of 84.50?", "what about 18%?", "18% of 84.50"),
            ("60 miles in km", "and 80", "80 miles in km"),
        ] {
            let mut around = MessageContext::new();
            around.directive(&format!("said {before}"));
            let said = around.utterance(text);
            let got = rendered(&Embedded.plan(&said, &Embedded.route(&said)));
            assert!(
                got.contains("calc.evaluate") && got.contains(sum),
                "{text}: {got}"
            );
        }
    }
}
