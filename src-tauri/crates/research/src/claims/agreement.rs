//! Agreement and contradiction between claims of different sources.

use crate::document::Claim;
use crate::lexicon::{name_key, names, numbers, stems};
use crate::statement::states;

/// Minimum share of distinctive words that two claims about the same thing have in common.
const ALIKE_MIN: f32 = 0.6;

/// Returns the number of independent sources that support the claim at `at`, its own included. Two pages on one host,
/// or with the same text, count as one source.
pub fn independent(claims: &[Claim], at: usize) -> u32 {
    let Some(claim) = claims.get(at) else {
        return 0;
    };
    let mut sources = vec![(host(&claim.source), claim.sha256.as_str())];
    for other in claims {
        let known =
            |(known, sha): &(String, &str)| *known == host(&other.source) || *sha == other.sha256;
        if !sources.iter().any(known) && says_the_same(claim, other) {
            sources.push((host(&other.source), &other.sha256));
        }
    }
    u32::try_from(sources.len()).unwrap_or(u32::MAX)
}

/// Returns what two claims of different sources disagree about. They contradict each other if they speak of the same
/// thing in nearly the same words, and either give different numbers or one denies what the other says. Quotes that
/// state nothing contradict nothing: two mails of one person have different dates.
pub fn contradiction(one: &Claim, other: &Claim) -> Option<String> {
    let state = states(&one.quote) && states(&other.quote);
    if !state || one.source == other.source || !alike(&one.text, &other.text) {
        return None;
    }
    let (first, second) = (numbers(&one.text), numbers(&other.text));
    let about = || {
        names(&one.text)
            .first()
            .map_or_else(|| "the same".to_owned(), |name| name.name.clone())
    };
    if super::denies(&one.text) != super::denies(&other.text) {
        return Some(format!("Whether this is true of {}.", about()));
    }
    let differ = !first.is_empty()
        && first.len() == second.len()
        && first.iter().any(|number| !second.contains(number));
    differ.then(|| format!("{} or {}.", first.join(", "), second.join(", ")))
}

fn says_the_same(one: &Claim, other: &Claim) -> bool {
    alike(&one.text, &other.text)
        && numbers(&one.text) == numbers(&other.text)
        && super::denies(&one.text) == super::denies(&other.text)
}

/// Returns whether two sentences speak of the same thing: they have the same first name and share most distinctive
/// words apart from numbers.
fn alike(one: &str, other: &str) -> bool {
    let first = |text: &str| names(text).first().map(|name| name_key(&name.name));
    if first(one) != first(other) {
        return false;
    }
    let words = |text: &str| -> Vec<String> {
        stems(text)
            .into_iter()
            .filter(|stem| !stem.chars().any(char::is_numeric))
            .collect()
    };
    let (one, other) = (words(one), words(other));
    let shared = one.iter().filter(|stem| other.contains(stem)).count();
    let all = one.len().max(other.len());
    #[expect(clippy::cast_precision_loss, reason = "a few dozen words")]
    let part = shared as f32 / all.max(1) as f32;
    all > 0 && part >= ALIKE_MIN
}

/// Returns the host of an address; anything that is not a URL counts as a whole.
fn host(address: &str) -> String {
    let after = address
        .split_once("://")
        .map_or(address, |(_, after)| after);
    let host = if after.len() == address.len() {
        address
    } else {
        after.split('/').next().unwrap_or(after)
    };
    host.trim_start_matches("www.").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Verdict;

    fn claim(text: &str, source: &str) -> Claim {
        Claim {
            text: text.to_owned(),
            quote: text.to_owned(),
            source: source.to_owned(),
            sha256: source.to_owned(),
            verdict: Verdict::Supported,
            sources: 1,
        }
    }

    #[test]
    fn sources_of_one_host_are_one() {
        let claims = [
            claim("Ada Lovelace was born in 1815.", "https://a.example/1"),
            claim("Ada Lovelace was born in 1815.", "https://a.example/2"),
            claim("Ada Lovelace was born in 1815.", "https://b.example/1"),
            claim("Ada Lovelace was born in 1816.", "https://c.example/1"),
        ];
        assert_eq!(independent(&claims, 0), 2);
        assert!(contradiction(&claims[0], &claims[3]).is_some());
        assert_eq!(contradiction(&claims[0], &claims[2]), None);
    }
    #[test]
    fn mails_of_different_days_do_not_contradict_each_other() {
        let sent = |day: u8| {
            let text = format!("From Ana Costa <ana@costa.example> on {day} May 2026");
            claim(&text, &format!("mail:{day}"))
        };
        assert_eq!(contradiction(&sent(5), &sent(7)), None);
    }
}
