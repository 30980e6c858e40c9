//! Corrects names of days and months written with one typing error. Corrects only long names at distance one (a letter
//! missing, too many, wrong, or two swapped) with the right first letter.

const NAMES: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "august",
    "september",
    "october",
    "november",
    "december",
    "tomorrow",
    "yesterday",
    "tonight",
    "afternoon",
];
/// Common misspellings that are more than one error away.
const KNOWN: &[(&str, &str)] = &[
    ("wensday", "wednesday"),
    ("wendsday", "wednesday"),
    ("wedensday", "wednesday"),
    ("wednsday", "wednesday"),
    ("thrusday", "thursday"),
    ("thurday", "thursday"),
    ("tuseday", "tuesday"),
    ("tusday", "tuesday"),
    ("teusday", "tuesday"),
    ("firday", "friday"),
    ("saterday", "saturday"),
    ("satuday", "saturday"),
    ("febuary", "february"),
    ("feburary", "february"),
    ("janurary", "january"),
    ("septmeber", "september"),
    ("agust", "august"),
    ("tommorrow", "tomorrow"),
    ("tomorro", "tomorrow"),
    ("2morrow", "tomorrow"),
    ("todays", "today"),
    ("tomorrows", "tomorrow"),
    ("yestarday", "yesterday"),
    ("yesturday", "yesterday"),
];
/// English words that are one error away from a name.
const NEVER: &[&str] = &[
    "sundry",
    "tonight's",
    "sundae",
    "augusta",
    "augusto",
    "monad",
    "octobers",
    "yesterdays",
];
const REPAIR_LETTERS_MIN: usize = 6;
const REPAIR_LETTERS_MAX: usize = 11;

/// Returns the name that `word` was probably meant to be, if any.
pub(super) fn repair(word: &str) -> Option<&'static str> {
    if !word.is_ascii() || word.len() > REPAIR_LETTERS_MAX || word.len() + 1 < REPAIR_LETTERS_MIN {
        return None;
    }
    if let Some((_, right)) = KNOWN.iter().find(|(wrong, _)| *wrong == word) {
        return Some(right);
    }
    if NEVER.contains(&word) || word.len() < REPAIR_LETTERS_MIN - 1 {
        return None;
    }
    // "Tomorows lunch": the apostrophe is missing as well.
    let word = word
        .strip_suffix('s')
        .filter(|word| word.len() >= REPAIR_LETTERS_MIN)
        .unwrap_or(word);
    NAMES.iter().copied().find(|name| {
        name.as_bytes().first() == word.as_bytes().first()
            && word.len() + 1 >= name.len()
            && word.len() >= REPAIR_LETTERS_MIN
            && one_error(word.as_bytes(), name.as_bytes())
    })
}

/// Returns whether the two differ by at most one insertion, deletion, substitution or swap of neighbours.
fn one_error(a: &[u8], b: &[u8]) -> bool {
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    match a.len().cmp(&b.len()) {
        std::cmp::Ordering::Equal => {
            a.is_empty()
                || a[1..] == b[1..]
                || (a.len() > 1 && a[0] == b[1] && a[1] == b[0] && a[2..] == b[2..])
        }
        std::cmp::Ordering::Less => a == &b[1..],
        std::cmp::Ordering::Greater => &a[1..] == b,
    }
}

#[cfg(test)]
mod tests {
    use super::repair;

    #[test]
    fn one_error_is_repaired_and_words_are_left_alone() {
        for (wrong, right) in [
            ("wednesdya", "wednesday"),
            ("tomorow", "tomorrow"),
            ("septembr", "september"),
            ("thursdday", "thursday"),
            ("mondey", "monday"),
            ("tuesdsy", "tuesday"),
            ("tomorows", "tomorrow"),
        ] {
            assert_eq!(repair(wrong), Some(right), "{wrong}");
        }
        for word in [
            "sundry", "money", "mundane", "fridge", "octopus", "member", "remember", "tonic",
            "augment",
        ] {
            assert_eq!(repair(word), None, "{word}");
        }
    }
}
