//! Words, sentences and names of a text, as the embedded researcher and the check of claims read them.

use adjutant_text::{says_nothing, stem, words};
use unicode_segmentation::UnicodeSegmentation as _;

/// Words that ask rather than name, and words of size and order that name nothing on their own; folded, sorted.
const ASKING: &[&str] = &[
    "according",
    "after",
    "among",
    "before",
    "between",
    "both",
    "compare",
    "describe",
    "determine",
    "during",
    "either",
    "explain",
    "find",
    "give",
    "identify",
    "list",
    "many",
    "more",
    "most",
    "much",
    "name",
    "neither",
    "nor",
    "please",
    "same",
    "show",
    "since",
    "summarise",
    "summarize",
    "tell",
    "than",
    "until",
    "versus",
    "vs",
    "while",
];

/// Lowercase words that may occur inside a name.
const JOINING: &[&str] = &[
    "of", "the", "de", "la", "le", "du", "del", "della", "di", "da", "do", "dos", "das", "van",
    "von", "der", "den", "el", "al", "bin", "ibn", "y", "zu", "af", "av",
];

/// Returns the distinctive stems of a text, in order, each once.
pub fn stems(text: &str) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    for word in words(text) {
        if word.chars().count() < 2 && !word.chars().all(char::is_numeric) || !tells(&word) {
            continue;
        }
        let stem = stem(&word).to_string();
        if !stems.contains(&stem) {
            stems.push(stem);
        }
    }
    stems
}

/// Returns whether a folded word is distinctive: neither a stop word nor a word that asks.
pub fn tells(word: &str) -> bool {
    !says_nothing(word) && ASKING.binary_search(&word).is_err()
}

/// Returns the form in which names are compared: folded words, without a bracketed suffix and a leading "the".
pub fn name_key(name: &str) -> String {
    let plain = name.split_once(" (").map_or(name, |(before, _)| before);
    let words = words(plain);
    let from = usize::from(words.len() > 1 && words.first().is_some_and(|word| word == "the"));
    words[from..].join(" ")
}

/// Returns a text with each run of white space as a single space.
pub fn plain_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Abbreviations written with a full stop that does not end a sentence.
const ABBREVIATIONS: &[&str] = &[
    "mr", "mrs", "ms", "dr", "st", "jr", "sr", "prof", "rev", "gen", "col", "lt", "sgt", "capt",
    "no", "vs", "etc", "inc", "ltd", "co", "c", "ca", "b", "d", "fl", "approx", "jan", "feb",
    "mar", "apr", "aug", "sept", "oct", "nov", "dec", "vol", "ed",
];

/// Returns the sentences of a text as written.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in lines(text) {
        let mut from = 0;
        for (at, letter) in line.char_indices() {
            if !matches!(letter, '.' | '!' | '?') {
                continue;
            }
            let after = at + letter.len_utf8();
            let rest = line[after..].trim_start_matches(['"', '”', ')', '\'', '’', ']']);
            let gap = rest.starts_with(char::is_whitespace) || rest.is_empty();
            let next = rest.trim_start().chars().next();
            let begins = next.is_none_or(|next| !next.is_lowercase());
            if gap && begins && !(letter == '.' && abbreviated(&line[from..at])) {
                let end = line.len() - rest.len();
                push(&mut found, &line[from..end]);
                from = end;
            }
        }
        push(&mut found, &line[from..]);
    }
    found
}

/// Returns the lines of a text. A line that ends in an initial continues with the next one, because layouts separate
/// "Adlai E." from "Stevenson". So does a line whose sentence is unfinished and whose next line begins in lowercase, as
/// in text from PDF files.
fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut from = 0;
    for (at, _) in text.match_indices('\n') {
        let before = text[from..at].trim_end();
        let parted = before.strip_suffix('.').is_some_and(ends_with_initial)
            && text[at..].trim_start().starts_with(char::is_uppercase);
        let wrapped = before.ends_with(|last: char| last.is_alphanumeric() || last == ',')
            && text[at + 1..].starts_with(char::is_lowercase);
        if !parted && !wrapped {
            lines.push(&text[from..at]);
            from = at + 1;
        }
    }
    lines.push(&text[from..]);
    lines
}

fn push<'a>(found: &mut Vec<&'a str>, sentence: &'a str) {
    let sentence = sentence.trim();
    if sentence.chars().any(char::is_alphanumeric) {
        found.push(sentence);
    }
}

fn last_word(text: &str) -> &str {
    let mut words = text.rsplit(|letter: char| !letter.is_alphanumeric());
    words.next().unwrap_or_default()
}

fn ends_with_initial(before: &str) -> bool {
    let mut letters = last_word(before).chars();
    letters.next().is_some_and(char::is_uppercase) && letters.next().is_none()
}

/// Returns whether the text before a full stop ends in an abbreviation or an initial.
fn abbreviated(before: &str) -> bool {
    let last = last_word(before);
    ends_with_initial(before) || ABBREVIATIONS.contains(&last.to_lowercase().as_str())
}

/// A name in a text, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameMention {
    /// The name as written.
    pub name: String,
    /// Byte offset of the name.
    pub at: usize,
}

/// A word of a text, as the search for names sees it.
struct Word {
    at: usize,
    end: usize,
    /// Capitalised, or a number.
    large: bool,
    /// A lowercase word that may occur inside a name.
    joining: bool,
    /// Whether a name can begin with it.
    begins: bool,
    /// Whether only a space or a hyphen separates it from the previous word.
    joined: bool,
}

/// Returns the names in a text: runs of capitalised words, joined by lowercase ones such as "of". An ordinary word that
/// only begins a sentence is not a name.
pub fn names(text: &str) -> Vec<NameMention> {
    let words = name_words(text);
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(first) = words.get(at) {
        if !first.begins {
            at += 1;
            continue;
        }
        let mut last = at;
        while let Some(next) = words.get(last + 1).filter(|next| next.joined) {
            let large = |ahead: usize| {
                words
                    .get(last + ahead)
                    .is_some_and(|word| word.joined && word.large)
            };
            let joining = |ahead: usize| {
                words
                    .get(last + ahead)
                    .is_some_and(|word| word.joined && word.joining)
            };
            if next.large {
                last += 1;
            } else if next.joining && large(2) {
                last += 2;
            } else if next.joining && joining(2) && large(3) {
                last += 3;
            } else {
                break;
            }
        }
        take(&mut names, text, first.at, words[last].end);
        at = last + 1;
    }
    names
}

fn name_words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for (at, word) in text.unicode_word_indices() {
        let before = words.last();
        let gap = before.map_or("", |before| &text[before.end..at]);
        let short = before.is_some_and(|before| abbreviated(&text[before.at..before.end]));
        let titled = gap == ", " && is_title(&text[at..]);
        let joined = before.is_some()
            && (matches!(gap, " " | "\u{a0}" | "-" | "–" | "'" | "’" | " & ")
                || (short && gap.trim_end() == ".")
                || titled);
        let starts =
            before.is_none() || (!joined && gap.contains(['.', '!', '?', ':', '\n', '"', '“']));
        let folded = adjutant_text::fold(word);
        let first = word.chars().next();
        let upper = first.is_some_and(char::is_uppercase);
        let ordinary = !tells(&folded) || (starts && SENTENCE_OPENERS.contains(&folded.as_str()));
        words.push(Word {
            at,
            end: at + word.len(),
            large: upper || first.is_some_and(char::is_numeric),
            joining: JOINING.contains(&folded.as_str()),
            begins: upper && !(ordinary && (starts || word.chars().count() < 2)) && folded != "i",
            joined,
        });
    }
    words
}

/// Returns whether a text begins with a title of the name before it: ", 2nd Duke of Bedford", ", Queen of Spain".
fn is_title(text: &str) -> bool {
    const TITLES: &[&str] = &[
        "duke",
        "duchess",
        "earl",
        "count",
        "countess",
        "king",
        "queen",
        "prince",
        "princess",
        "baron",
        "baroness",
        "lord",
        "lady",
        "marquess",
        "marquis",
        "marchioness",
        "viscount",
        "viscountess",
        "emperor",
        "empress",
        "elector",
        "margrave",
        "landgrave",
        "archduke",
        "archduchess",
        "jr",
        "sr",
    ];
    let mut words = text.unicode_words().map(adjutant_text::fold);
    let first = words.next().unwrap_or_default();
    let ordinal = first.starts_with(|letter: char| letter.is_ascii_digit())
        && first.ends_with(|letter: char| letter.is_alphabetic());
    let title = if ordinal {
        words.next().unwrap_or_default()
    } else {
        first
    };
    TITLES.contains(&title.as_str())
}

/// Words that begin sentences and name nothing there; folded.
const SENTENCE_OPENERS: &[&str] = &[
    "he",
    "she",
    "it",
    "they",
    "his",
    "her",
    "its",
    "their",
    "although",
    "however",
    "despite",
    "upon",
    "later",
    "following",
    "also",
    "another",
    "one",
    "two",
    "three",
    "several",
    "though",
    "because",
    "due",
    "early",
    "originally",
    "during",
    "under",
    "over",
    "within",
    "through",
    "born",
    "based",
    "located",
    "known",
    "film",
    "song",
];

fn take(names: &mut Vec<NameMention>, text: &str, from: usize, end: usize) {
    let name =
        text[from..end].trim_matches(|letter: char| !letter.is_alphanumeric() && letter != ')');
    let name = name
        .strip_suffix("'s")
        .or_else(|| name.strip_suffix("’s"))
        .unwrap_or(name);
    if name.chars().count() >= 2 && name.chars().any(char::is_alphabetic) {
        names.push(NameMention {
            name: name.to_owned(),
            at: from,
        });
    }
}

/// Returns the numbers of a text, without thousands separators.
pub fn numbers(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut number = String::new();
    let letters: Vec<char> = text.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        let digits_after = |count: usize| {
            letters
                .get(at + 1..at + 1 + count)
                .is_some_and(|next| next.iter().all(char::is_ascii_digit))
        };
        let fourth = letters.get(at + 4).is_some_and(char::is_ascii_digit);
        if letter.is_ascii_digit() {
            number.push(*letter);
        } else if *letter == ',' && !number.is_empty() && digits_after(3) && !fourth {
            // A thousands separator.
        } else if *letter == '.' && !number.is_empty() && !number.contains('.') && digits_after(1) {
            number.push('.');
        } else if !number.is_empty() {
            found.push(std::mem::take(&mut number));
        }
    }
    if !number.is_empty() {
        found.push(number);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Vec<String> {
        names(text).into_iter().map(|one| one.name).collect()
    }

    #[test]
    fn the_lists_are_sorted() {
        assert!(ASKING.is_sorted());
    }

    #[test]
    fn names_are_runs_of_large_words() {
        assert_eq!(
            plain("Who directed The Life of Na Woon-Gyu and Harlem Nights?"),
            ["The Life of Na Woon-Gyu", "Harlem Nights"]
        );
        assert_eq!(
            plain("He was born in New York City to John F. Kennedy's aunt."),
            ["New York City", "John F. Kennedy"]
        );
        assert_eq!(
            plain("It was founded by the Duke of York. Later, Anna left."),
            ["Duke of York", "Anna"]
        );
    }

    #[test]
    fn sentences_end_where_they_end() {
        assert_eq!(
            sentences("J. R. Smith lives. He (b. 1904) left!\nNext line"),
            ["J. R. Smith lives.", "He (b. 1904) left!", "Next line"]
        );
        let parted = "She met Adlai E.\n\nStevenson.\nLater";
        assert_eq!(
            sentences(parted),
            ["She met Adlai E.\n\nStevenson.", "Later"]
        );
        let wrapped = "Each unit\ncosts 7,450 euro.\n- one";
        assert_eq!(
            sentences(wrapped),
            ["Each unit\ncosts 7,450 euro.", "- one"]
        );
        assert_eq!(plain(parted), ["Adlai E.\n\nStevenson"]);
    }

    #[test]
    fn numbers_have_no_commas_of_thousands() {
        assert_eq!(
            numbers("12,345 of 7, 8.5 and 1904."),
            ["12345", "7", "8.5", "1904"]
        );
        assert_eq!(numbers("12,3456"), ["12", "3456"]);
    }

    #[test]
    fn names_are_compared_without_what_is_in_brackets() {
        assert_eq!(name_key("The Francisca (film)"), "francisca");
        assert_eq!(name_key("The"), "the");
    }
}
