//! The message with what is no time made unreadable.

use adjutant_text::message::Text;

/// The message with quotations made unreadable, byte for byte as long: a quoted title is no time.
pub(super) fn mask(source: &str, read: &Text<'_>) -> String {
    let mut masked = String::with_capacity(source.len());
    let mut at = 0;
    for quote in &read.quotes {
        let (Some(before), Some(inner)) = (
            source.get(at..quote.inner.start),
            source.get(quote.inner.clone()),
        ) else {
            continue;
        };
        masked.push_str(before);
        masked.extend(std::iter::repeat_n('x', inner.len()));
        at = quote.inner.end;
    }
    masked.push_str(source.get(at..).unwrap_or(""));
    tied(&mut masked);
    greeting(&mut masked);
    one_on_one(&mut masked);
    masked
}

/// "Morning! What does today look like": a greeting is no time.
pub(super) fn greeting(masked: &mut String) {
    let start = masked.len() - masked.trim_start().len();
    let len = masked[start..]
        .find(|ch: char| !ch.is_ascii_alphabetic())
        .unwrap_or(0);
    let word = masked[start..start + len].to_ascii_lowercase();
    let ends = masked[start + len..].starts_with([',', '!', '.', ';', ':']);
    if ends && matches!(word.as_str(), "morning" | "afternoon" | "evening") {
        masked.replace_range(start..start + len, &"x".repeat(len));
    }
}

/// "Monday's 1:1", "a 1-1 with Kim": two people, and no time of day.
pub(super) fn one_on_one(masked: &mut String) {
    for written in ["1:1", "1-1"] {
        let mut at = 0;
        while let Some(found) = masked.get(at..).and_then(|rest| rest.find(written)) {
            let start = at + found;
            at = start + written.len();
            let part_of_more =
                |ch: char| ch.is_ascii_digit() || matches!(ch, ':' | '-' | '/' | '.');
            let before = masked[..start].ends_with(part_of_more);
            // "1-1." ends a sentence, "1-1.5" does not.
            let mut behind = masked[at..].chars();
            let after = match behind.next() {
                Some('.') => behind.next().is_some_and(|ch| ch.is_ascii_digit()),
                Some(ch) => {
                    part_of_more(ch) || matches!(ch, 'a' | 'p') && behind.next() == Some('m')
                }
                None => false,
            };
            if !before && !after {
                masked.replace_range(start..at, "xxx");
            }
        }
    }
}

/// "Stand-up to 9:45", "drop-in on Friday": a small word that a hyphen ties to a word leads to no time.
pub(super) fn tied(masked: &mut String) {
    const SMALL: &[&str] = &[
        "up", "in", "off", "on", "out", "by", "over", "down", "through",
    ];
    let mut at = 0;
    while let Some(found) = masked.get(at..).and_then(|rest| rest.find('-')) {
        let hyphen = at + found;
        at = hyphen + 1;
        let (before, behind) = (&masked[..hyphen], &masked[at..]);
        let len = behind
            .find(|ch: char| !ch.is_ascii_alphabetic())
            .unwrap_or(behind.len());
        let word = &behind[..len];
        if before.ends_with(|ch: char| ch.is_alphabetic())
            && !behind[len..].starts_with(['-', '\'', '\u{2019}'])
            && SMALL.iter().any(|small| small.eq_ignore_ascii_case(word))
        {
            masked.replace_range(at..at + len, &"x".repeat(len));
        }
    }
}
