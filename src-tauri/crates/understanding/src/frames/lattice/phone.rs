//! Telephone numbers: groups of digits with the usual separators.

use super::{Edge, Filler, Lattice};

/// Number of digits in a telephone number.
const DIGITS: std::ops::RangeInclusive<usize> = 5..=15;
/// Separators between the digits.
const MARKS: &str = "+-()./ ";

/// Adds every stretch that could be a telephone number, from left to right and without overlaps.
pub(super) fn add(lattice: &mut Lattice<'_>) {
    let mut at = 0;
    while at < lattice.len() {
        match number(lattice, at) {
            Some((end, written)) => {
                lattice.add(
                    at,
                    Edge {
                        end,
                        filler: Filler::Phone(written),
                        score: 0.9,
                    },
                );
                at = end;
            }
            None => at += 1,
        }
    }
}

fn number(lattice: &Lattice<'_>, at: usize) -> Option<(usize, String)> {
    let begin = lattice.text.tokens.get(at)?.span.start;
    let rest = lattice.text.source.get(begin..)?;
    if !rest.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '(')) {
        return None;
    }
    let stretch = rest
        .find(|c: char| !c.is_ascii_digit() && !MARKS.contains(c))
        .map_or(rest, |end| &rest[..end]);
    let written = stretch.trim_end_matches(|c: char| !c.is_ascii_digit());
    let digits = written.bytes().filter(u8::is_ascii_digit).count();
    // A word that continues directly after the digits makes it a code, an address or a time.
    let cut = rest[written.len()..]
        .starts_with(|c: char| c.is_alphanumeric() || matches!(c, ':' | '@' | '%'));
    if !DIGITS.contains(&digits) || cut || is_date(written) {
        return None;
    }
    Some((lattice.token_to(begin + written.len()), written.to_owned()))
}

/// Reports whether a number is a date: `2026-04-15`, `15.04.2026`, `4/15/2026`.
fn is_date(written: &str) -> bool {
    let parts: Vec<&str> = written.split(['-', '.', '/']).collect();
    let year = |part: &str| part.len() == 4 || part.len() == 2;
    let short =
        |part: &str| matches!(part.len(), 1 | 2) && part.bytes().all(|byte| byte.is_ascii_digit());
    matches!(parts.as_slice(), [a, b, c] if short(b) && (year(a) && short(c) || short(a) && year(c)))
}
