//! Finds known secret values in a text, and whatever looks like a key. A value is found in any case, with its lines
//! joined, in JSON (also in JSON inside JSON, and in ASCII-only JSON), in HTML (with the usual escapes) and
//! percent-encoded in an address. If a text was shortened, what remains of a longer value is found too. Other spellings
//! are not found: base64, quoted-printable, or line breaks that the value does not have.

use std::fmt::Write as _;
use std::ops::Range;

use serde_json::Value;

/// The text that replaces a secret.
pub const MASK: &str = "[not shown to models]";
/// Minimum length of a value in characters; shorter ones occur in any text.
const VALUE_CHARS_MIN: usize = 4;
/// Minimum length in characters of a partial value to mask where a text was shortened.
const PART_CHARS_MIN: usize = 8;
/// The mark where a text was shortened.
const CUT: char = '…';
/// Prefixes of keys that services hand out.
const PREFIXES: [&str; 11] = [
    "sk-",
    "sk_live_",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "xoxb-",
    "xoxp-",
    "ya29.",
    "AIza",
    "AKIA",
];
/// Length in characters of the shortest key that a service hands out, prefix included.
const KEY_CHARS_MIN: usize = 16;

/// Known secret values in every form in which they may be written.
#[derive(Debug)]
pub struct Masks {
    forms: Vec<String>,
}

impl Masks {
    /// Prepares to mask these values. Very short values are ignored, because they occur in any text.
    #[must_use]
    pub fn of(known: &[String]) -> Self {
        let mut forms: Vec<String> = known
            .iter()
            .map(|value| value.trim())
            .filter(|value| value.chars().count() >= VALUE_CHARS_MIN)
            .flat_map(forms)
            .collect();
        forms.sort_unstable();
        forms.dedup();
        Self { forms }
    }

    /// Returns the text with values and keys masked. `None` if there are none. All positions are found in the original
    /// text, so masking one value never leaves part of another that overlaps it.
    #[must_use]
    pub fn without(&self, text: &str) -> Option<String> {
        let folded = fold(text);
        let mut places = keys(text);
        let cuts = Cuts::of(&folded);
        for form in &self.forms {
            find(&folded, form, &cuts, &mut places);
        }
        if places.is_empty() {
            return None;
        }
        places.sort_unstable_by_key(|place| (place.start, place.end));
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for place in places {
            if place.end <= at {
                continue;
            }
            // A place that overlaps the previous one shares its mask.
            if place.start >= at && !(place.start == at && out.ends_with(MASK)) {
                out.push_str(&text[at..place.start]);
                out.push_str(MASK);
            }
            at = place.end;
        }
        out.push_str(&text[at..]);
        Some(out)
    }
}

/// Converts to lower case, except for characters whose lower case has another byte length, so that positions stay
/// valid.
fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars()
        .map(|char| {
            let mut lower = char.to_lowercase();
            match (lower.next(), lower.next()) {
                (Some(low), None) if low.len_utf8() == char.len_utf8() => low,
                _ => char,
            }
        })
        .collect()
}

/// Returns a value in the forms it may take in a text: as it is, made inert, on one line, and escaped for JSON, HTML or
/// an address.
fn forms(value: &str) -> Vec<String> {
    let one_line = value.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain = [
        value.to_owned(),
        adjutant_prompts::inert(value).trim().to_owned(),
        one_line,
    ];
    let mut all = Vec::new();
    for text in plain {
        let once = in_json(&text);
        let ascii = in_ascii_json(&once);
        all.extend([in_json(&once), in_json(&ascii), once, ascii]);
        all.extend(in_html(&text));
        all.extend(in_address(&text));
        all.push(text);
    }
    all.into_iter()
        .map(|form| fold(&form))
        .filter(|form| form.chars().count() >= VALUE_CHARS_MIN)
        .collect()
}

fn in_json(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Escapes JSON as ASCII-only writers do.
fn in_ascii_json(escaped: &str) -> String {
    let mut out = String::new();
    for char in escaped.chars() {
        if char.is_ascii() {
            out.push(char);
        } else {
            for unit in char.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}

fn in_html(text: &str) -> [String; 3] {
    let common = |text: &str| {
        text.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
    };
    [
        common(text),
        common(text).replace('"', "&quot;").replace('\'', "&#39;"),
        common(text).replace('"', "&#34;").replace('\'', "&#x27;"),
    ]
}

fn in_address(text: &str) -> [String; 2] {
    let mut path = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            path.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(path, "%{byte:02x}");
        }
    }
    let form = path.replace("%20", "+");
    [path, form]
}

/// Positions where a text may have been shortened: text before them may lack its end, text behind them its beginning.
struct Cuts {
    before: Vec<usize>,
    behind: Vec<usize>,
}

impl Cuts {
    fn of(text: &str) -> Self {
        let ends = text.match_indices(['\n', '\r']).map(|(at, _)| at);
        let mut cuts = Self {
            before: ends.chain([text.len()]).collect(),
            behind: Vec::new(),
        };
        for (at, mark) in text.match_indices(CUT) {
            // Spaces beside the mark may or may not belong to the shortened text.
            let spaces = text[..at].trim_end_matches(' ').len();
            cuts.before.extend(spaces..=at);
            let rest = text[at + mark.len()..].trim_start_matches(' ');
            cuts.behind.push(text.len() - rest.len());
        }
        cuts
    }
}

/// Finds a form in the text, either whole or in part beside a cut. The running time is linear in the length of the
/// text, however many cuts it has.
fn find(text: &str, form: &str, cuts: &Cuts, places: &mut Vec<Range<usize>>) {
    let Some(head) = chars_in(form, PART_CHARS_MIN) else {
        places.extend(whole(text, form));
        return;
    };
    // Fast path: most texts do not contain it.
    if text.contains(&form[..head]) {
        places.extend(whole(text, form));
        let lengths = overlaps(form.as_bytes(), text.bytes());
        for &cut in cuts.before.iter().filter(|cut| **cut > 0) {
            let length = lengths[cut - 1];
            if length >= head {
                places.push(cut - length..cut);
            }
        }
    }
    let foot = form.floor_char_boundary(form.len() - PART_CHARS_MIN);
    if !cuts.behind.is_empty() && text.contains(&form[foot..]) {
        let reversed: Vec<u8> = form.bytes().rev().collect();
        let lengths = overlaps(&reversed, text.bytes().rev());
        for &cut in cuts.behind.iter().filter(|cut| **cut < text.len()) {
            let length = lengths[text.len() - cut - 1];
            if length >= PART_CHARS_MIN {
                places.push(cut..cut + length);
            }
        }
    }
}

fn whole(text: &str, form: &str) -> impl Iterator<Item = Range<usize>> {
    text.match_indices(form)
        .map(|(start, form)| start..start + form.len())
}

/// Returns, for each item of the text, the length of the longest prefix of `form` that ends there (Knuth-Morris-Pratt,
/// linear time).
fn overlaps<T: PartialEq + Copy>(form: &[T], text: impl Iterator<Item = T>) -> Vec<usize> {
    let mut shorter = vec![0; form.len()];
    let next = |shorter: &[usize], mut length: usize, item: T| {
        while length > 0 && form.get(length) != Some(&item) {
            length = shorter[length - 1];
        }
        length + usize::from(form.get(length) == Some(&item))
    };
    for at in 1..form.len() {
        shorter[at] = next(&shorter, shorter[at - 1], form[at]);
    }
    text.scan(0, |length, item| {
        *length = next(&shorter, *length, item);
        Some(*length)
    })
    .collect()
}

/// Returns the length in bytes of the first `count` characters. `None` if the text has no more than these.
fn chars_in(text: &str, count: usize) -> Option<usize> {
    text.char_indices().nth(count).map(|(at, _)| at)
}

/// Returns the ranges that look like keys.
fn keys(text: &str) -> Vec<Range<usize>> {
    let part = |char: char| char.is_ascii_alphanumeric() || "-_.".contains(char);
    let mut found = Vec::new();
    for prefix in PREFIXES {
        // A run of letters may hold many prefixes; find its end only once.
        let mut end = 0;
        for (start, _) in text.match_indices(prefix) {
            if start >= end {
                let rest = &text[start..];
                end = start + rest.find(|char| !part(char)).unwrap_or(rest.len());
            }
            let length = end - start;
            let before = &text[..start];
            if length >= KEY_CHARS_MIN && (!before.ends_with(part) || ends_in_escape(before)) {
                found.push(start..start + length);
            }
        }
    }
    found
}

/// Whether the text ends in an escape of JSON (`\n`, `\u0009`) or of an address (`%20`), so that a key may begin after
/// it.
fn ends_in_escape(text: &str) -> bool {
    let bytes = text.as_bytes();
    let hex = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_hexdigit);
    match bytes {
        [.., b'\\', b'n' | b't' | b'r' | b'b' | b'f'] => true,
        [.., b'%', high, low] => hex(&[*high, *low]),
        [.., b'\\', b'u', one, two, three, four] => hex(&[*one, *two, *three, *four]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::{MASK, Masks, fold, overlaps};
    use proptest::prelude::*;

    fn without(text: &str, known: &[&str]) -> Option<String> {
        let known: Vec<String> = known.iter().map(|value| (*value).to_owned()).collect();
        Masks::of(&known).without(text)
    }

    #[test]
    fn secrets_and_keys_are_taken_out_and_nothing_else() {
        let known = ["tango-47", "abc"];
        let of = |text: &str| without(text, &known);
        assert_eq!(
            of("it is tango-47, abc"),
            Some(format!("it is {MASK}, abc"))
        );
        assert_eq!(
            of("key: sk-test-1234567890abcdef!"),
            Some(format!("key: {MASK}!"))
        );
        for text in [
            "",
            "plain words",
            "sk-8 is a road",
            "task-list-of-the-coming-week",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn a_value_that_is_part_of_another_leaves_nothing_of_it() {
        for known in [["4711", "4711-horse-staple"], ["4711-horse-staple", "4711"]] {
            assert_eq!(
                without("it is 4711-horse-staple.", &known),
                Some(format!("it is {MASK}."))
            );
        }
        // Neither is part of the other; they share the middle.
        assert_eq!(
            without("x abcd1234efgh y", &["abcd1234", "1234efgh"]),
            Some(format!("x {MASK} y"))
        );
    }

    #[test]
    fn however_it_is_written_it_is_found() {
        let value = "ab\"q& ü\\<9'x";
        let json = serde_json::json!({ "value": value });
        let nested = serde_json::json!({ "text": json.to_string() });
        for text in [
            json.to_string(),
            nested.to_string(),
            r#"{"value":"ab\"q& \u00FC\\<9'x"}"#.to_owned(),
            "<p>ab&quot;q&amp; ü\\&lt;9&#39;x</p>".to_owned(),
            "<p>ab\"q&amp; ü\\&lt;9'x</p>".to_owned(),
            "https://example.org/?q=ab%22q%26%20%C3%BC%5C%3C9%27x".to_owned(),
            "https://example.org/?q=ab%22q%26+%c3%bc%5c%3c9%27x".to_owned(),
            "AB\"Q& Ü\\<9'X".to_owned(),
        ] {
            let clean = without(&text, &[value]).unwrap_or_else(|| panic!("seen: {text}"));
            assert!(clean.contains(MASK) && !clean.contains('9'), "{clean}");
        }
        assert_eq!(
            without("first line second line", &["first line\nsecond line"]).as_deref(),
            Some(MASK)
        );
    }

    #[test]
    fn what_a_cut_leaves_of_a_value_is_taken_out_too() {
        let known = ["correct horse battery staple"];
        for (text, expect) in [
            ("it is correct horse bat…", format!("it is {MASK}…")),
            (
                "it is correct horse bat … and",
                format!("it is {MASK} … and"),
            ),
            ("it is correct horse", format!("it is {MASK}")),
            ("so … battery staple it is", format!("so … {MASK} it is")),
        ] {
            assert_eq!(without(text, &known), Some(expect));
        }
        // Lines may end in two ways, and a value may begin with its own beginning.
        assert_eq!(
            without("it is correct horse\r\nand", &known),
            Some(format!("it is {MASK}\r\nand"))
        );
        assert_eq!(
            without("so aabaabaabaabX1… end", &["aabaabaabX12"]),
            Some(format!("so aab{MASK}… end"))
        );
        // Elsewhere a part of it is ordinary words.
        assert_eq!(without("a correct horse eats", &known), None);
        assert_eq!(without("the battery staple", &known), None);
    }

    #[test]
    fn cuts_do_not_make_it_slow() {
        thread_local!(static COMPARED: Cell<usize> = const { Cell::new(0) });
        #[derive(Clone, Copy)]
        struct CountedByte(u8);
        impl PartialEq for CountedByte {
            fn eq(&self, other: &Self) -> bool {
                COMPARED.set(COMPARED.get() + 1);
                self.0 == other.0
            }
        }
        // Almost the value, over and over.
        let form: Vec<CountedByte> = "a"
            .repeat(2_000)
            .bytes()
            .chain(*b"b")
            .map(CountedByte)
            .collect();
        let text = format!("{}…", "a".repeat(1_999)).repeat(100);
        let lengths = overlaps(&form, text.bytes().map(CountedByte));
        assert_eq!(lengths.iter().max(), Some(&1_999));
        assert!(COMPARED.get() <= 3 * (form.len() + text.len()));
    }

    #[test]
    fn a_key_behind_an_escape_is_a_key() {
        for before in ["", "\\n", "\\t", "\\u0009", "%20", "\"", "="] {
            let text = format!("a {before}sk-test-1234567890abcdef b");
            assert_eq!(without(&text, &[]), Some(format!("a {before}{MASK} b")));
        }
    }

    proptest! {
        /// Whatever is kept and whatever is written: no value of four or more characters is left.
        #[test]
        fn nothing_known_is_left(
            known in prop::collection::vec("[a-cA-C1\"\\\\ü ]{1,8}", 0..4),
            text in "[a-cA-C1\"\\\\ü\n… ]{0,40}",
        ) {
            let masks = Masks::of(&known);
            let text = format!("{text}{}{text}", known.first().map_or("", String::as_str));
            let left = masks.without(&text).unwrap_or(text).replace(MASK, "\u{0}");
            for value in known.iter().map(|value| value.trim()).filter(|one| one.chars().count() >= 4) {
                prop_assert!(!fold(&left).contains(&fold(value)), "{left:?} {value:?}");
            }
        }

        /// No beginning of eight characters or more is left before a cut, and no such end behind one.
        #[test]
        fn nothing_is_left_beside_a_cut(value in "[ab]{9,12}", text in "[ab… \n]{0,30}") {
            let text = format!("{text}{}…{}{text}", &value[..8], &value[1..]);
            let left = without(&text, &[&value]).unwrap_or(text).replace(MASK, "\u{0}");
            for length in 8..=value.len() {
                let (head, tail) = (&value[..length], &value[value.len() - length..]);
                for left_over in [format!("{head}…"), format!("{head} …"), format!("{head}\n"), format!("…{tail}")] {
                    prop_assert!(!left.contains(&left_over), "{left:?} {value:?}");
                }
            }
        }
    }
}
