//! Checks claims: is the quote in the snapshot, and does the claim say what the quote says?

mod agreement;

pub use agreement::{contradiction, independent};

use crate::document::Verdict;
use crate::lexicon::{names, numbers, plain_space};

/// Minimum words of a quote: fewer prove nothing.
const QUOTE_WORDS_MIN: usize = 3;
/// Minimum words of a quote that is a whole line of the person's own document: "Budget: $40,000" says something.
const LINE_WORDS_MIN: usize = 2;
/// Maximum bytes of a quote.
const QUOTE_BYTES_MAX: usize = 2_000;

/// Words that negate a statement; folded.
const NEGATIONS: &[&str] = &[
    "not", "no", "never", "none", "neither", "nor", "without", "cannot", "nobody", "nothing",
    "isnt", "wasnt", "arent", "werent", "doesnt", "didnt", "dont", "hasnt", "havent", "hadnt",
    "wont", "cant", "couldnt", "wouldnt",
];

/// A snapshot to check a claim against.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a> {
    /// Title of the page.
    pub title: &'a str,
    /// Text of the page.
    pub text: &'a str,
}

/// Checks a claim. Returns `None` if the quote is too short, too long, or not in the snapshot word for word.
///
/// A claim is doubtful unless three conditions hold. Its numbers, including the days and years of dates, must be in the
/// quote or the title. Its names and months must be in the quote, the title or the rest of the snapshot, because
/// sentences speak of "he" and "the film". It must deny exactly when the quote denies.
pub fn check(text: &str, quote: &str, snapshot: Snapshot<'_>) -> Option<Verdict> {
    verdict(text, quote, snapshot, QUOTE_WORDS_MIN)
}

/// Checks a claim whose quote is a whole line of the person's own document, as [`check`] does; the line may be shorter.
pub fn check_line(text: &str, line: &str, snapshot: Snapshot<'_>) -> Option<Verdict> {
    verdict(text, line, snapshot, LINE_WORDS_MIN)
}

fn verdict(text: &str, quote: &str, snapshot: Snapshot<'_>, words_min: usize) -> Option<Verdict> {
    let quote = plain_space(quote);
    if quote.len() > QUOTE_BYTES_MAX || quote.split(' ').count() < words_min {
        return None;
    }
    if !stands(&quote, snapshot.text) {
        return None;
    }
    let doubt = |why: String| Some(Verdict::Doubtful { why });
    let near = format!("{} {quote}", snapshot.title);
    let known = numbers(&near);
    if let Some(number) = numbers(text)
        .into_iter()
        .find(|number| !known.contains(number))
    {
        return doubt(format!("The quote does not say {number}."));
    }
    let whole = adjutant_text::words(&format!("{near} {}", snapshot.text));
    let stands = |word: &String| whole.contains(word);
    for named in names(text) {
        if !adjutant_text::words(&named.name).iter().all(stands) {
            return doubt(format!("The source does not name {}.", named.name));
        }
    }
    if denies(text) != denies(&quote) {
        return doubt("Of the claim and the quote, only one is negated.".to_owned());
    }
    Some(Verdict::Supported)
}

/// Returns whether a quote is in a text word for word, apart from white space.
#[must_use]
pub fn stands(quote: &str, text: &str) -> bool {
    plain_space(text).contains(&plain_space(quote))
}

/// Returns whether every number and name of a sentence is in one of the texts: a model's answer may contain no others.
pub fn grounded(sentence: &str, texts: &[&str]) -> bool {
    let whole = texts.join("\n");
    let (known, known_numbers) = (adjutant_text::words(&whole), numbers(&whole));
    numbers(sentence)
        .iter()
        .all(|number| known_numbers.contains(number))
        && names(sentence).iter().all(|named| {
            adjutant_text::words(&named.name)
                .iter()
                .all(|word| known.contains(word))
        })
}

/// Returns whether a sentence contains a negation.
pub fn denies(text: &str) -> bool {
    adjutant_text::spoken_words(text)
        .iter()
        .any(|word| NEGATIONS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: Snapshot<'_> = Snapshot {
        title: "Ada Lovelace",
        text: "She was born on 10 December 1815 in  London.\nShe did not live to see the machine built.",
    };

    #[test]
    fn a_claim_is_supported_by_words_that_stand_there() {
        let quote = "She was born on 10 December 1815 in London.";
        let verdict = |text: &str| check(text, quote, PAGE);
        assert_eq!(
            verdict("Ada Lovelace was born on 10 December 1815."),
            Some(Verdict::Supported)
        );
        assert!(matches!(
            verdict("Ada Lovelace was born in 1816."),
            Some(Verdict::Doubtful { .. })
        ));
        assert!(matches!(
            verdict("Ada Byron was born in 1815."),
            Some(Verdict::Doubtful { .. })
        ));
        assert!(matches!(
            verdict("Ada Lovelace was not born in London."),
            Some(Verdict::Doubtful { .. })
        ));
        assert!(matches!(
            verdict("Ada Lovelace was born on 10 March 1815."),
            Some(Verdict::Doubtful { .. })
        ));
    }

    #[test]
    fn a_quote_that_does_not_stand_there_supports_nothing() {
        assert_eq!(check("Ada Lovelace", "She was born in London.", PAGE), None);
        assert_eq!(check("Ada Lovelace", "in London", PAGE), None);
        assert!(check_line("in London", "in London", PAGE).is_some());
        assert_eq!(check_line("London", "London", PAGE), None);
    }

    #[test]
    fn what_an_answer_names_stands_in_a_page() {
        assert!(grounded("It was Ada, in 1815.", &["Ada Lovelace, 1815"]));
        assert!(!grounded("It was Ada, in 1816.", &["Ada Lovelace, 1815"]));
    }
}
