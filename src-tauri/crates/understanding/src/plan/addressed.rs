//! Third persons turned into the one a text is addressed to.

/// "I'll bring the tent and that she should bring the stove": each of two things told is turned by itself.
pub(super) fn both_addressed(text: &str) -> String {
    let Some((before, behind)) = text.split_once(" and that ") else {
        return start_addressed(text);
    };
    let first = behind
        .split_whitespace()
        .next()
        .map(|word| word.to_lowercase().replace('\u{2019}', "'"));
    // "Kim is ill and that I'll call her": somebody else was spoken of.
    let alone = !before
        .split_whitespace()
        .any(|word| word.starts_with(char::is_uppercase) && !word.starts_with('I'));
    let turns = match first.as_deref() {
        Some("he" | "she" | "they" | "his" | "her") => true,
        Some("i" | "i'll" | "i'm" | "we" | "we'll") => alone,
        _ => false,
    };
    if turns {
        format!(
            "{} and that {}",
            start_addressed(before),
            start_addressed(behind)
        )
    } else {
        start_addressed(text)
    }
}

/// "He is invited" said to him is "you are invited"; only at the beginning, where it is surely meant.
pub(super) fn start_addressed(text: &str) -> String {
    let mut words = text.split_whitespace();
    match words.next().map(str::to_lowercase).as_deref() {
        Some(
            "he" | "she" | "they" | "he's" | "she's" | "they're" | "he\u{2019}s" | "she\u{2019}s"
            | "his" | "her",
        ) => addressed(text),
        // "I'll call him tonight", told to him; in a longer text it may be anybody.
        Some(
            "i" | "i'll" | "i'm" | "i've" | "i'd" | "i\u{2019}ll" | "i\u{2019}m" | "we" | "we'll"
            | "we\u{2019}ll",
        ) if text.split_whitespace().count() <= SHORT_WORDS
            && text
                .split_whitespace()
                .filter(|word| {
                    matches!(
                        split_tail(word).0,
                        "him" | "her" | "them" | "he" | "she" | "his"
                    )
                })
                .count()
                == 1
            || nobody_else(text) =>
        {
            addressed(text)
        }
        _ => text.to_owned(),
    }
}

/// "I've received her report and will get back to her": whether nothing in front of the first pronoun could be what it
/// stands for, and all pronouns are of one kind.
pub(super) fn nobody_else(text: &str) -> bool {
    let kind = |word: &str| match word {
        "she" | "her" | "hers" => Some(0),
        "he" | "him" | "his" => Some(1),
        "they" | "them" | "their" | "theirs" => Some(2),
        _ => None,
    };
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| split_tail(word).0)
        .collect();
    let lows: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let begins = matches!(
        lows.first()
            .map(|first| first.replace('\u{2019}', "'"))
            .as_deref(),
        Some("i" | "i'll" | "i'm" | "i've" | "i'd" | "we" | "we'll" | "we're" | "we've")
    );
    let Some(first) = lows
        .iter()
        .position(|word| kind(word).is_some())
        .filter(|_| begins)
    else {
        return false;
    };
    let one = lows
        .iter()
        .filter_map(|word| kind(word))
        .collect::<std::collections::HashSet<_>>()
        .len()
        == 1;
    // "He" and "they" as subjects are more often somebody else.
    let object = !matches!(lows[first].as_str(), "they" | "them" | "their" | "theirs");
    let alone = (1..first).all(|at| {
        !matches!(
            lows[at].as_str(),
            "the"
                | "a"
                | "an"
                | "my"
                | "our"
                | "this"
                | "that"
                | "some"
                | "somebody"
                | "someone"
                | "everyone"
                | "who"
                | "your"
        ) && !words[at].starts_with(char::is_uppercase)
    });
    one && object && alone
}

/// Words that follow a person and no thing of theirs: "get back to her by Friday".
pub(super) const BEHIND_PERSON: &[&str] = &[
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
];

/// What somebody has done, and is not: behind "he's".
const HAVE_DONE: &[&str] = &[
    "been",
    "seen",
    "got",
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
];

/// Words of a sentence that has room for one other person only.
pub(super) const SHORT_WORDS: usize = 6;

/// Turns the third person into the second: "when she is free" becomes "when you are free".
pub(super) fn addressed(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut person = false;
    let words: Vec<&str> = text.split_whitespace().collect();
    for (at, word) in words.iter().enumerate() {
        let (core, tail) = split_tail(word);
        let low = core.to_lowercase().replace('\u{2019}', "'");
        let turned = match low.as_str() {
            "he" | "she" | "they" => {
                person = low != "they";
                Some("you".to_owned())
            }
            // "Whether he's seen it".
            "he's" | "she's"
                if words.get(at + 1).is_some_and(|next| {
                    HAVE_DONE.contains(&split_tail(next).0.to_lowercase().as_str())
                }) =>
            {
                Some("you've".to_owned())
            }
            "he's" | "she's" | "they're" => Some("you're".to_owned()),
            "he'll" | "she'll" | "they'll" => Some("you'll".to_owned()),
            "he'd" | "she'd" | "they'd" => Some("you'd".to_owned()),
            "him" | "them" => Some("you".to_owned()),
            "his" | "their" => Some("your".to_owned()),
            "her" => Some(
                if at + 1 < words.len()
                    && tail.is_empty()
                    && !BEHIND_PERSON.contains(&split_tail(words[at + 1]).0.to_lowercase().as_str())
                {
                    "your"
                } else {
                    "you"
                }
                .to_owned(),
            ),
            "is" if person => Some("are".to_owned()),
            "was" if person => Some("were".to_owned()),
            "has" if person => Some("have".to_owned()),
            "does" if person => Some("do".to_owned()),
            "isn't" if person => Some("aren't".to_owned()),
            "hasn't" if person => Some("haven't".to_owned()),
            "doesn't" if person => Some("don't".to_owned()),
            verb if person => second_person(verb),
            _ => None,
        };
        // "She always plays": the verb comes behind it.
        let between = low.ends_with("ly")
            || matches!(
                low.as_str(),
                "he" | "she"
                    | "also"
                    | "still"
                    | "already"
                    | "always"
                    | "never"
                    | "often"
                    | "sometimes"
                    | "now"
                    | "just"
            );
        person &= between;
        out.push(turned.map_or_else(|| (*word).to_owned(), |turned| format!("{turned}{tail}")));
    }
    out.join(" ")
}

/// "Goes", "tries", "plays" as said to the person. `None`: no verb of the third person.
fn second_person(verb: &str) -> Option<String> {
    /// Words in front of a verb that end as one does.
    const NO_VERBS: &[&str] = &[
        "always",
        "sometimes",
        "perhaps",
        "thus",
        "as",
        "this",
        "its",
    ];
    let stem = verb.strip_suffix('s').filter(|stem| {
        stem.len() > 2 && !stem.ends_with(['s', 'u', 'i', '\'']) && !NO_VERBS.contains(&verb)
    })?;
    if let Some(tried) = stem.strip_suffix("ie").filter(|tried| tried.len() > 1) {
        return Some(format!("{tried}y"));
    }
    let hissing = ["sse", "she", "che", "xe", "zze", "oe"]
        .iter()
        .any(|end| stem.ends_with(end));
    let whole = if hissing {
        &stem[..stem.len() - 1]
    } else {
        stem
    };
    Some(whole.to_owned())
}

pub(super) fn split_tail(word: &str) -> (&str, &str) {
    let end = word.trim_end_matches(['.', ',', '!', '?', ';']).len();
    word.split_at(end)
}
