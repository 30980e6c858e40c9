//! Turns the third person into the second for the recipient of a mail: "his umbrella", told to him, becomes "your
//! umbrella".

use super::{Addressee, PARTICIPLES, among};

/// Words for the writer at the beginning of a message.
const OWN: &str = "i i'll i'm i've i'd we we'll we're we've my our";

/// Words that introduce somebody or something else in between.
const THING: &str = "the a an this that some somebody someone everyone who your";

/// Pronouns for several people, or for one whose gender is not known.
const MANY: &str = "they them their theirs they're they'll they've they'd themselves";

/// Pronouns for a man.
const HE: &str = "he him his he's he'll he'd himself";

/// Pronouns for a woman.
const SHE: &str = "she her hers she's she'll she'd herself";

/// Capitalised words that are not names of people.
const CALENDAR: &str = "monday tuesday wednesday thursday friday saturday sunday january february march april may june july \
    august september october november december";

/// Splits a word from the marks after it.
fn split_tail(word: &str) -> (&str, &str) {
    word.split_at(word.trim_end_matches(['.', ',', '!', '?', ';', ':']).len())
}

/// Returns the words as the recipient reads them. Pronouns stay if the words name somebody before the first one.
/// `surely`: the pronouns mean the recipient, because the mail asks or thanks them. Otherwise they do so only if the
/// text begins with one, or with the writer and mentions nobody else in between.
pub(super) fn turned(text: &str, to: Addressee, surely: bool) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let lows: Vec<String> = words.iter().map(|word| low(split_tail(word).0)).collect();
    let Some(at) = lows.iter().position(|word| person(word, to).is_some()) else {
        return mended(text);
    };
    let someone = |at: usize| at > 0 && is_name(words[at]);
    let others = (0..at).any(someone);
    // In a message to one person, "they" are others: "the icons … they are great".
    let told = (at == 0
        || among(OWN, &lows[0])
            && !(1..at).any(|at| among(THING, &lows[at]) || at > 0 && lows[at] == "my"))
        && !(to != Addressee::Several && among(MANY, &lows[at]));
    if others || !(surely || told) {
        return mended(text);
    }
    second(&words, &lows, to)
}

/// Returns `None` if a word is not a third-person pronoun for the recipient; otherwise whether verbs after it end in
/// "s".
fn person(low: &str, to: Addressee) -> Option<bool> {
    let he = matches!(to, Addressee::One | Addressee::Him) && among(HE, low);
    let she = matches!(to, Addressee::One | Addressee::Her) && among(SHE, low);
    match () {
        () if matches!(to, Addressee::One | Addressee::Several) && among(MANY, low) => Some(false),
        () if he || she => Some(matches!(low, "he" | "she")),
        () => None,
    }
}

/// Replaces third-person pronouns by second-person ones, and adapts their verbs.
fn second(words: &[&str], lows: &[String], to: Addressee) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut verb_follows = false;
    for (at, word) in words.iter().enumerate() {
        let (core, tail) = split_tail(word);
        let next = lows.get(at + 1).map_or("", String::as_str);
        let thing_follows = tail.is_empty() && !next.is_empty() && !among(BEHIND_PERSON, next);
        let Some(third) = person(&lows[at], to) else {
            let turned = if verb_follows {
                verb_of_you(&lows[at])
            } else {
                None
            };
            let between = lows[at].ends_with("ly") || among(BETWEEN, &lows[at]);
            verb_follows = verb_follows && between;
            out.push(turned.unwrap_or_else(|| own_writing(core)) + tail);
            continue;
        };
        verb_follows = third;
        let done = among(PARTICIPLES, next);
        let turned = match lows[at].as_str() {
            "he's" | "she's" if done => "you've",
            "he's" | "she's" | "they're" => "you're",
            "he'll" | "she'll" | "they'll" => "you'll",
            "he'd" | "she'd" | "they'd" => "you'd",
            "they've" => "you've",
            "his" | "their" => "your",
            "her" if thing_follows => "your",
            "hers" | "theirs" => "yours",
            "himself" | "herself" => "yourself",
            "themselves" => "yourselves",
            _ => "you",
        };
        out.push(format!("{turned}{tail}"));
    }
    out.join(" ")
}

/// Words between a person and their verb.
const BETWEEN: &str = "also still already always never often sometimes now just both";

/// Words that follow a pronoun for a person, not a possessive: "get back to her by Friday".
const BEHIND_PERSON: &str = "by at on in to for about with from and or but that if when before after until till as because so then \
    there here tomorrow today tonight soon later again back know next this yesterday monday tuesday \
    wednesday thursday friday saturday sunday up off out a an the my our some anyway too first once how what \
    where why please all over i";

/// Returns the form that a verb after "he" or "she" takes after "you", or `None` if it stays the same.
fn verb_of_you(verb: &str) -> Option<String> {
    let irregular = match verb {
        "is" => "are",
        "was" => "were",
        "has" => "have",
        "does" => "do",
        "isn't" => "aren't",
        "wasn't" => "weren't",
        "hasn't" => "haven't",
        "doesn't" => "don't",
        _ => "",
    };
    if !irregular.is_empty() {
        return Some(irregular.to_owned());
    }
    let stem = verb.strip_suffix('s')?;
    if stem.len() < 3 || stem.ends_with(['s', 'u', 'i', '\'']) || among(BETWEEN, verb) {
        return None;
    }
    if let Some(stem) = stem.strip_suffix("ie").filter(|stem| stem.len() > 1) {
        return Some(format!("{stem}y"));
    }
    let hissing = ["sse", "she", "che", "xe", "zze", "oe"];
    let hisses = hissing.iter().any(|end| stem.ends_with(end));
    Some(stem[..stem.len() - usize::from(hisses)].to_owned())
}

/// Corrects the spelling of words without changing persons.
pub(super) fn mended(text: &str) -> String {
    let mended = text.split_whitespace().map(|word| {
        let (core, tail) = split_tail(word);
        own_writing(core) + tail
    });
    mended.collect::<Vec<_>>().join(" ")
}

/// Corrects the spelling of a word typed in haste, as in a mail.
fn own_writing(word: &str) -> String {
    let mended = match word {
        "i" => "I",
        "im" | "i'm" => "I'm",
        "ive" | "i've" => "I've",
        "i'll" => "I'll",
        "i'd" => "I'd",
        "dont" => "don't",
        "cant" => "can't",
        "didnt" => "didn't",
        "doesnt" => "doesn't",
        "isnt" => "isn't",
        "couldnt" => "couldn't",
        "wouldnt" => "wouldn't",
        "havent" => "haven't",
        "u" => "you",
        _ => word,
    };
    mended.to_owned()
}

pub(super) fn low(word: &str) -> String {
    word.to_lowercase().replace('\u{2019}', "'")
}

/// Reports whether a word inside a sentence is somebody's name: capitalised, and neither "I" nor a day or month.
pub(super) fn is_name(word: &str) -> bool {
    let low = low(split_tail(word).0);
    let own = low == "i" || low.starts_with("i'");
    word.starts_with(char::is_uppercase) && !own && !among(CALENDAR, &low)
}
