//! Compares the claims of two reports.

use std::collections::BTreeSet;

use adjutant_api::research::{ChangedClaim, ClaimView, Compared};
use adjutant_store::ResearchClaim;

/// Minimum share of words, in hundredths, that two claims about the same thing have in common.
const SAME_SHARE: usize = 60;

/// Compares the claims of an earlier and a later report.
pub(crate) fn compared(before: &[ResearchClaim], after: &[ResearchClaim]) -> Compared {
    let mut gone: Vec<(u32, &ResearchClaim)> = numbered(before).collect();
    let (mut new, mut changed, mut same) = (Vec::new(), Vec::new(), 0);
    let mut open = Vec::new();
    for (number, claim) in numbered(after) {
        let equal = |(_, one): &(u32, &ResearchClaim)| words(&one.text) == words(&claim.text);
        match gone.iter().position(equal) {
            Some(place) => {
                gone.remove(place);
                same += 1;
            }
            None => open.push((number, claim)),
        }
    }
    for (number, claim) in open {
        let near = gone
            .iter()
            .enumerate()
            .map(|(place, (_, one))| (shared(&one.text, &claim.text), place))
            .filter(|(share, _)| *share >= SAME_SHARE)
            .max();
        match near {
            Some((_, place)) => {
                let (old, one) = gone.remove(place);
                changed.push(ChangedClaim {
                    before: view(old, one),
                    after: view(number, claim),
                });
            }
            None => new.push(view(number, claim)),
        }
    }
    Compared {
        new,
        gone: gone
            .into_iter()
            .map(|(number, one)| view(number, one))
            .collect(),
        changed,
        same,
    }
}

fn numbered(claims: &[ResearchClaim]) -> impl Iterator<Item = (u32, &ResearchClaim)> {
    (1..).zip(claims)
}

fn words(text: &str) -> Vec<String> {
    adjutant_text::words(text)
}

/// Returns the share of words that two texts have in common, in hundredths of all their words. Words with digits do not
/// count, because numbers may differ.
fn shared(one: &str, other: &str) -> usize {
    let plain = |text: &str| -> BTreeSet<String> {
        let words = words(text).into_iter();
        words
            .filter(|word| !word.chars().any(|letter| letter.is_ascii_digit()))
            .collect()
    };
    let (one, other) = (plain(one), plain(other));
    let all = one.union(&other).count().max(1);
    one.intersection(&other).count() * 100 / all
}

fn view(number: u32, one: &ResearchClaim) -> ClaimView {
    ClaimView {
        number,
        text: one.text.clone(),
        quote: one.quote.clone(),
        source: one.source.clone(),
        sha256: one.sha256.clone(),
        doubt: one.doubt.clone(),
        sources: one.sources,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(text: &str) -> ResearchClaim {
        ResearchClaim {
            text: text.into(),
            quote: text.into(),
            source: "https://example.org/".into(),
            sha256: String::new(),
            doubt: None,
            sources: 1,
        }
    }

    #[test]
    fn a_number_that_changed_is_told_as_a_change() {
        let before = [
            claim("The plant makes 40 megawatts."),
            claim("It was built in 1999."),
        ];
        let after = [
            claim("The plant makes 55 megawatts."),
            claim("It was built in 1999."),
            claim("A second one is planned."),
        ];
        let Compared {
            new,
            gone,
            changed,
            same,
        } = compared(&before, &after);
        assert_eq!((new.len(), gone.len(), changed.len(), same), (1, 0, 1, 1));
        assert_eq!(new[0].number, 3);
        assert!(changed[0].after.text.contains("55"));
    }
}
