//! Reported speech turned into what a person would write: "telling her that she should call" becomes "Please call."

/// How a clause was introduced, with what is written in front of and behind it.
const FRAMES: &[(&str, &str, &str)] = &[
    ("thank", "Thank you for ", "."),
    ("congratulate", "Congratulations on ", "!"),
    ("wish", "I wish you ", "!"),
    ("apologize", "I apologize for ", "."),
    ("remember", "Please remember to ", "."),
    ("recall", "This is a reminder of ", "."),
    ("invite", "I would like to invite you to ", "."),
];

/// Duties that are asked for as a favour.
const DUTIES: &[&str] = &[
    "you should ",
    "you need to ",
    "you have to ",
    "you must ",
    "you are to ",
    "you ought to ",
];

/// Words that begin a question about something: the clause is asked as it stands.
const ASKED: &[&str] = &[
    "what", "when", "where", "who", "which", "how", "why", "whether", "about", "whose",
];

/// Verbs that swap places with "you", "I", "it" when something is asked.
const AUXILIARY: &[&str] = &[
    "can", "could", "will", "would", "are", "is", "am", "should", "were", "was", "may", "might",
    "must",
];

/// Words that begin what somebody is told, where nothing introduces it.
const STARTS: &[&str] = &[
    "i",
    "im",
    "i'm",
    "i'll",
    "ive",
    "i've",
    "i'd",
    "we",
    "we're",
    "we'll",
    "we've",
    "it's",
    "it",
    "there",
    "can",
    "could",
    "will",
    "would",
    "are",
    "is",
    "do",
    "does",
    "did",
    "have",
    "has",
    "what",
    "what's",
    "when",
    "where",
    "how",
    "why",
    "who",
    "thanks",
    "thank",
    "happy",
    "sorry",
    "congrats",
    "congratulations",
    "yes",
    "no",
    "ok",
    "okay",
    "you",
    "let's",
    "hi",
];

/// Forms of verbs that follow "have".
const PARTICIPLES: &[&str] = &[
    "been",
    "seen",
    "got",
    "gotten",
    "had",
    "made",
    "sent",
    "given",
    "written",
    "spoken",
    "forgotten",
    "heard",
    "met",
    "found",
    "received",
    "decided",
    "read",
    "done",
    "gone",
    "taken",
    "left",
    "lost",
    "paid",
    "booked",
];

/// The text of a mail that says `said`, introduced by a verb of class `how`. `one`: it goes to one person, who may be meant
/// by "he" and "she". `None`: it cannot be said so.
pub(super) fn letter(how: &str, said: &str, one: bool) -> Option<String> {
    let said = said.trim().trim_matches([',', ';', ':']).trim();
    let (statement, asks) = match said.strip_suffix('?') {
        Some(before) => (before.trim_end(), true),
        None => (said, false),
    };
    let bare = statement.trim_end_matches(['.', '!', ' ']);
    if bare.is_empty() {
        return None;
    }
    if let Some((_, before, behind)) = FRAMES.iter().find(|(name, _, _)| *name == how) {
        let turned = turned(bare, one, true);
        return Some(format!("{before}{turned}{behind}"));
    }
    if let Some(favour) = bare.strip_prefix("to ") {
        return Some(please(&turned(favour, one, true)));
    }
    match how {
        "free" if !STARTS.contains(&low(&first_word(bare)).as_str()) => None,
        "bid" => Some(please(&turned(bare, one, true))),
        "ask" => asked(&turned(bare, one, true)),
        _ => Some(told(statement, asks, one)),
    }
}

/// What somebody is told.
fn told(said: &str, asks: bool, one: bool) -> String {
    let first = first_word(said);
    let said = said.replace(" and that ", " and ");
    let said = [" please", " pls"]
        .iter()
        .find_map(|tail| said.strip_suffix(tail))
        .unwrap_or(&said);
    let text = turned(said.trim_end_matches(','), one, false);
    let low = text.to_lowercase();
    if let Some(duty) = DUTIES.iter().find(|duty| low.starts_with(**duty)) {
        return please(text[duty.len()..].trim_end_matches(['.', '!', ' ']));
    }
    let question = asks
        && (ASKED.contains(&first.as_str())
            || AUXILIARY.contains(&first.as_str())
            || matches!(
                first.as_str(),
                "do" | "does" | "did" | "have" | "has" | "any"
            ));
    ended(&capitalised(&text), if question { '?' } else { '.' })
}

/// What somebody is asked: to do something, for something, whether, what.
fn asked(text: &str) -> Option<String> {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    let first = first.to_lowercase();
    Some(match first.as_str() {
        "if" | "whether" => question(rest),
        "for" if !rest.is_empty() => format!("Could you send me {rest}?"),
        word if ASKED.contains(&word) => format!("Could you tell me {text}?"),
        "the" | "a" | "an" | "his" | "her" | "their" | "your" | "some" | "any" => {
            format!("Could you tell me {text}?")
        }
        _ => return None,
    })
}

/// "You can come on Friday" asked: "Can you come on Friday?"
fn question(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let subject = words
        .first()
        .map(|word| word.to_lowercase())
        .unwrap_or_default();
    let verb = words
        .get(1)
        .map(|word| word.to_lowercase())
        .unwrap_or_default();
    let single = [
        "you", "i", "we", "it", "they", "he", "she", "this", "that", "there",
    ];
    if !single.contains(&subject.as_str()) || words.len() < 3 {
        return format!("Could you tell me if {text}?");
    }
    let name = if subject == "i" {
        "I"
    } else {
        subject.as_str()
    };
    let rest = words[2..].join(" ");
    let third = words[2].to_lowercase();
    let perfect = |word: &str| word.ends_with("ed") || PARTICIPLES.contains(&word);
    let has = matches!(verb.as_str(), "have" | "has");
    if AUXILIARY.contains(&verb.as_str()) || has && perfect(&third) {
        return format!("{} {name} {rest}?", capitalised(&verb));
    }
    if subject != "you" {
        return format!("Could you tell me if {text}?");
    }
    if perfect(&verb) && verb != "read" && !has {
        return format!("Have you {verb} {rest}?");
    }
    format!("Do you {verb} {rest}?")
}

/// A favour.
fn please(text: &str) -> String {
    let mut text = text.trim();
    for tail in [" please", " pls"] {
        text = text
            .strip_suffix(tail)
            .unwrap_or(text)
            .trim_end_matches(',');
    }
    ended(&format!("Please {text}"), '.')
}

/// With a mark at its end.
fn ended(text: &str, mark: char) -> String {
    if text.ends_with(['.', '!', '?', '…', ':', ')']) {
        return text.to_owned();
    }
    format!("{text}{mark}")
}

/// With a capital letter in front.
fn capitalised(text: &str) -> String {
    super::words::capitalised(text)
}

fn first_word(text: &str) -> String {
    text.split_whitespace().next().unwrap_or("").to_lowercase()
}

/// A word without the marks behind it, and those marks.
fn split_tail(word: &str) -> (&str, &str) {
    word.split_at(word.trim_end_matches(['.', ',', '!', '?', ';', ':']).len())
}

/// The words as the one addressed reads them. `surely`: who is asked or thanked is meant by every pronoun; what is told
/// names somebody else unless it begins with a pronoun, or with the one who speaks and nobody else in between.
fn turned(text: &str, one: bool, surely: bool) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let lows: Vec<String> = words.iter().map(|word| low(split_tail(word).0)).collect();
    let Some(at) = lows.iter().position(|word| person(word, one).is_some()) else {
        return mended(&words);
    };
    let someone = |at: usize| at > 0 && is_name(words[at]);
    let others = (0..at).any(someone);
    let own = [
        "i", "i'll", "i'm", "i've", "i'd", "we", "we'll", "we're", "we've", "my", "our",
    ];
    let thing = [
        "the", "a", "an", "this", "that", "some", "somebody", "someone", "everyone", "who", "your",
    ];
    let told = at == 0
        || own.contains(&lows[0].as_str())
            && !(1..at).any(|at| thing.contains(&lows[at].as_str()) || at > 0 && lows[at] == "my")
            && (!matches!(lows[at].as_str(), "they" | "them" | "their") || !one);
    if others || !(surely || told) {
        return mended(&words);
    }
    second(&words, &lows, one)
}

/// Whether a word is a third person that may be the one addressed, and whether verbs behind it end in "s".
fn person(low: &str, one: bool) -> Option<bool> {
    let many = [
        "they",
        "them",
        "their",
        "theirs",
        "they're",
        "they'll",
        "they've",
        "they'd",
        "themselves",
    ];
    let single = [
        "he", "she", "him", "her", "his", "hers", "he's", "she's", "he'll", "she'll", "he'd",
        "she'd", "himself", "herself",
    ];
    match () {
        () if many.contains(&low) => Some(false),
        () if one && single.contains(&low) => Some(matches!(low, "he" | "she")),
        () => None,
    }
}

/// Third persons as second ones, with their verbs.
fn second(words: &[&str], lows: &[String], one: bool) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut verb_follows = false;
    for (at, word) in words.iter().enumerate() {
        let (core, tail) = split_tail(word);
        let next = lows.get(at + 1).map_or("", String::as_str);
        let thing_follows = tail.is_empty() && !next.is_empty() && !BEHIND_PERSON.contains(&next);
        let Some(third) = person(&lows[at], one) else {
            let turned = if verb_follows {
                verb_of_you(&lows[at])
            } else {
                None
            };
            let between = lows[at].ends_with("ly") || BETWEEN.contains(&lows[at].as_str());
            verb_follows = verb_follows && between;
            out.push(turned.unwrap_or_else(|| own_writing(core)) + tail);
            continue;
        };
        verb_follows = third;
        let done = PARTICIPLES.contains(&next);
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

/// Words between a person and what they do.
const BETWEEN: &[&str] = &[
    "also",
    "still",
    "already",
    "always",
    "never",
    "often",
    "sometimes",
    "now",
    "just",
    "both",
];

/// Words that follow a person and no thing of theirs: "get back to her by Friday".
const BEHIND_PERSON: &[&str] = &[
    "by",
    "at",
    "on",
    "in",
    "to",
    "for",
    "about",
    "with",
    "from",
    "and",
    "or",
    "but",
    "that",
    "if",
    "when",
    "before",
    "after",
    "until",
    "till",
    "as",
    "because",
    "so",
    "then",
    "there",
    "here",
    "tomorrow",
    "today",
    "tonight",
    "soon",
    "later",
    "again",
    "back",
    "know",
    "next",
    "this",
    "yesterday",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "up",
    "off",
    "out",
    "a",
    "an",
    "the",
    "my",
    "our",
    "some",
    "anyway",
    "too",
    "first",
    "once",
    "how",
    "what",
    "where",
    "why",
    "please",
    "all",
    "over",
    "i",
];

/// The verb behind "he" or "she", as it stands behind "you".
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
    if stem.len() < 3 || stem.ends_with(['s', 'u', 'i', '\'']) || BETWEEN.contains(&verb) {
        return None;
    }
    if let Some(stem) = stem.strip_suffix("ie").filter(|stem| stem.len() > 1) {
        return Some(format!("{stem}y"));
    }
    let hissing = ["sse", "she", "che", "xe", "zze", "oe"];
    let hisses = hissing.iter().any(|end| stem.ends_with(end));
    Some(stem[..stem.len() - usize::from(hisses)].to_owned())
}

/// Words nobody is turned in, in good writing.
fn mended(words: &[&str]) -> String {
    let mended = words.iter().map(|word| {
        let (core, tail) = split_tail(word);
        own_writing(core) + tail
    });
    mended.collect::<Vec<_>>().join(" ")
}

/// A word typed fast, as it is written in a mail.
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

fn low(word: &str) -> String {
    word.to_lowercase().replace('\u{2019}', "'")
}

/// Whether a word inside a sentence is somebody's name: a capital, and neither "I" nor a day or month.
fn is_name(word: &str) -> bool {
    let low = low(split_tail(word).0);
    let own = low == "i" || low.starts_with("i'");
    let calendar = [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    word.starts_with(char::is_uppercase) && !own && !calendar.contains(&low.as_str())
}

#[cfg(test)]
mod tests {
    use super::letter;

    #[test]
    fn what_is_told_reads_as_a_person_writes_it() {
        for (how, said, letter_said) in [
            (
                "said",
                "I can't make it to the theatre",
                "I can't make it to the theatre.",
            ),
            (
                "said",
                "im running late, dont wait",
                "I'm running late, don't wait.",
            ),
            ("said", "thanks but no thanks", "Thanks but no thanks."),
            ("said", "she should call me", "Please call me."),
            ("said", "he is invited", "You are invited."),
            ("said", "I'll pick her up at 8", "I'll pick you up at 8."),
            (
                "said",
                "the landlord said he agrees",
                "The landlord said he agrees.",
            ),
            (
                "said",
                "Kim is ill and that I'll call her",
                "Kim is ill and I'll call her.",
            ),
            ("said", "I got it. Thanks!", "I got it. Thanks!"),
            ("said", "when are you free?", "When are you free?"),
            ("said", "I'm late?", "I'm late."),
            (
                "said",
                "to send me the report please",
                "Please send me the report.",
            ),
            ("said", "she plays well", "You play well."),
            (
                "said",
                "she has until Friday to send her slides",
                "You have until Friday to send your slides.",
            ),
            ("ask", "to bring her charger", "Please bring your charger."),
            (
                "ask",
                "if he is coming on Friday",
                "Are you coming on Friday?",
            ),
            ("ask", "whether she has seen it", "Have you seen it?"),
            ("ask", "if she has the tickets", "Do you have the tickets?"),
            ("ask", "if he wants to join", "Do you want to join?"),
            (
                "ask",
                "if Tom sent her the file",
                "Could you tell me if Tom sent her the file?",
            ),
            (
                "ask",
                "about the quote",
                "Could you tell me about the quote?",
            ),
            ("ask", "for the slides", "Could you send me the slides?"),
            (
                "ask",
                "when the meeting is",
                "Could you tell me when the meeting is?",
            ),
            (
                "ask",
                "how her trip was",
                "Could you tell me how your trip was?",
            ),
            ("thank", "the cookies", "Thank you for the cookies."),
            (
                "thank",
                "his help with the move",
                "Thank you for your help with the move.",
            ),
            (
                "congratulate",
                "her new job",
                "Congratulations on your new job!",
            ),
            (
                "remember",
                "bring the keys",
                "Please remember to bring the keys.",
            ),
            ("bid", "call me back", "Please call me back."),
        ] {
            assert_eq!(
                letter(how, said, true).as_deref(),
                Some(letter_said),
                "{how}: {said}"
            );
        }
    }

    #[test]
    fn several_are_addressed_together_and_single_persons_stay() {
        assert_eq!(
            letter("said", "they should call me", false).as_deref(),
            Some("Please call me.")
        );
        assert_eq!(
            letter("said", "he is ill", false).as_deref(),
            Some("He is ill.")
        );
        assert_eq!(
            letter("ask", "if they can come", false).as_deref(),
            Some("Can you come?")
        );
    }

    #[test]
    fn what_cannot_be_said_so_is_not_said() {
        assert_eq!(letter("said", " ... ", true), None);
        assert_eq!(letter("ask", "nicely", true), None);
        assert_eq!(letter("thank", "", true), None);
    }
}
