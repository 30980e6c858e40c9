//! What somebody is to be told: quotations word for word, clauses turned into direct speech.

use super::cursor::Cursor;
use super::filler;
use super::lexicon::Verb;
use super::model::{Who, Words};
use super::people::{self, Place};
use super::table::phrases;
use super::task::own_command;

/// What follows "saying": a quotation, or the rest of the sentence.
pub(super) fn said(cursor: &mut Cursor<'_, '_>) -> Option<(Words, bool)> {
    cursor.skip_marks();
    if let Some(words) = cursor.quote() {
        return Some((words, false));
    }
    // "… and tell him to call her".
    let told = cursor
        .at
        .checked_sub(1)
        .and_then(|at| cursor.said.pieces.get(at))
        .is_some_and(|last| matches!(last.word.as_str(), "him" | "her" | "them"));
    if told && cursor.word(0) == "to" {
        return asked(cursor, false);
    }
    cursor.eat(&["that"]);
    let range = rest(cursor)?;
    let words = own_mark(cursor, cursor.words(range)?);
    Some((spoken(words, false), true))
}

/// "Could you write to Will and say thanks?": the question mark belongs to the request, unless what is said asks itself.
fn own_mark(cursor: &Cursor<'_, '_>, mut words: Words) -> Words {
    let Some(statement) = words.text.strip_suffix('?') else {
        return words;
    };
    let start = words.span.map_or(0, |(start, _)| start);
    let sentence = cursor
        .said
        .pieces
        .iter()
        .take_while(|piece| piece.span.start < start)
        .collect::<Vec<_>>();
    let from = sentence
        .iter()
        .rposition(|piece| piece.ends)
        .map_or(0, |at| at + 1);
    let requested = sentence.get(from..).is_some_and(|said| {
        said.windows(2).any(|two| {
            matches!(
                two[0].word.as_str(),
                "can" | "could" | "would" | "will" | "mind"
            ) && matches!(
                two[1].word.as_str(),
                "you" | "u" | "we" | "writing" | "sending" | "telling"
            )
        })
    });
    let asks = statement
        .split_whitespace()
        .next()
        .is_some_and(|first| ASKING.contains(&first.to_lowercase().as_str()))
        || statement.contains(['.', '!', '?']);
    if requested && !asks {
        words.text = statement.trim_end().to_owned();
    }
    words
}

/// Words that begin a question.
const ASKING: &[&str] = &[
    "can", "could", "would", "will", "do", "does", "did", "is", "are", "was", "were", "has",
    "have", "what", "when", "where", "who", "which", "how", "why", "shall", "should", "may", "any",
    "am",
];

/// What follows a person after "tell" or "ask".
pub(super) fn clause(
    cursor: &mut Cursor<'_, '_>,
    verb: Verb,
    one_person: bool,
) -> Option<(Words, bool)> {
    cursor.skip_marks();
    if let Some(words) = cursor.quote() {
        return Some((words, false));
    }
    let that = cursor.eat(&["that"]);
    let first = cursor.word(0);
    if verb == Verb::Ask || (verb == Verb::Tell && matches!(first, "to" | "if" | "whether")) {
        return asked(cursor, one_person);
    }
    if verb == Verb::Tell && first == "about" {
        return None;
    }
    if !that && matches!(verb, Verb::Mail | Verb::Send) && first != "to" {
        return None;
    }
    if first == "to" {
        return asked(cursor, one_person);
    }
    let range = rest(cursor)?;
    let words = own_mark(cursor, cursor.words(range)?);
    Some((spoken(words, one_person), true))
}

/// "Ask Bob to send the report", "ask Ana if she can come", "ask Kim when the meeting is".
fn asked(cursor: &mut Cursor<'_, '_>, one_person: bool) -> Option<(Words, bool)> {
    let for_it = cursor.word(0) == "for";
    let to = cursor.eat(&["to"]);
    let whether = !to && cursor.eat(&["if", "whether"]);
    let asks = !to
        && !whether
        && cursor
            .sees_any(phrases!("what | when | where | who | which | how | why"))
            .is_some();
    let range = rest(cursor)?;
    let words = cursor.words(range)?;
    // "Whether they got it", asked of several: they are the ones asked.
    let several = words
        .text
        .split_whitespace()
        .take(2)
        .any(|word| word.eq_ignore_ascii_case("they"));
    let text = if one_person || several {
        addressed(&words.text)
    } else {
        words.text.clone()
    };
    let text = text.trim_end_matches(['?', '.', '!', ' ']).to_owned();
    let text = if to {
        format!("Please {text}.")
    } else if whether {
        question(&text)
    } else if asks {
        format!("Could you tell me {text}?")
    } else if for_it || !text.is_empty() {
        let text = text.strip_prefix("for ").unwrap_or(&text);
        format!("Could you send me {text}?")
    } else {
        return None;
    };
    Some((
        Words {
            text,
            span: words.span,
            quoted: false,
        },
        true,
    ))
}

/// The rest of what is said: to the end of the sentence or to a request of its own.
fn rest(cursor: &mut Cursor<'_, '_>) -> Option<std::ops::Range<usize>> {
    let start = cursor.at;
    while let Some(piece) = cursor.peek(0) {
        let first = cursor.at == start;
        if !first
            && filler::only_closers(cursor)
            && matches!(cursor.word(0), "please" | "." | "can" | "could")
        {
            break;
        }
        if !first && (copies(cursor) || subject_follows(cursor) || asks_more(cursor)) {
            break;
        }
        if !first && matches!(piece.word.as_str(), "and" | "then" | ",") {
            let mut next = *cursor;
            next.eat_any(phrases!(
                ", and then | and then | and also | , and | , then | and | then | ,"
            ));
            if own_command(&next) {
                break;
            }
        }
        let last = piece.ends;
        cursor.at += 1;
        if last {
            break;
        }
    }
    (cursor.at > start).then_some(start..cursor.at)
}

/// "… and ask him to call me": no part of what he is told.
fn asks_more(cursor: &Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    ahead.eat(&[","]);
    ahead.eat(&["and"])
        && ahead.eat(&[
            "ask him",
            "ask her",
            "ask them",
            "asking him",
            "asking her",
            "asking them",
            "asking",
            "ask",
        ])
        && ahead
            .sees(&[
                "to", "if", "whether", "for", "when", "what", "where", "who", "how", "why",
            ])
            .is_some()
}

/// "…, subject: Report": what it is called is no part of what is said.
fn subject_follows(cursor: &Cursor<'_, '_>) -> bool {
    cursor
        .sees(&[
            ", subject",
            ", with the subject",
            ", with subject",
            ", titled",
            ", title",
            ", and the subject",
            "with the subject",
        ])
        .is_some()
}

/// "…, cc Ana": who else gets it is no part of what is said.
fn copies(cursor: &Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    ahead.eat(&[", and", ",", "and", "with"]);
    ahead.eat(&["a"]);
    ahead.eat(&[
        "cc to",
        "cc",
        "bcc",
        "cc ing",
        "ccing",
        "copying in",
        "copying",
        "copy to",
    ]) && matches!(
        people::one(&mut ahead, Place::Maybe),
        Some(Who::Named { .. } | Who::Address(_))
    )
}

/// A sentence of its own: capital letter, full stop, third person turned to the one addressed.
const SUBJECTS: &[&str] = &[
    "your", "i", "i'll", "i'm", "i've", "i'd", "we", "we'll", "we're", "it", "it's", "he", "she",
    "they", "you", "you'll", "the", "my", "our", "his", "her", "there", "this",
];

fn spoken(words: Words, one_person: bool) -> Words {
    let text = if one_person {
        both_addressed(&words.text)
    } else {
        words.text.clone()
    };
    // "Saying thanks and that I'll look": the small word joins no sentence of its own.
    let text = match text.split_once(" and that ") {
        Some((before, rest))
            if rest.split_whitespace().next().is_some_and(|next| {
                next.starts_with(char::is_uppercase)
                    || SUBJECTS.contains(&next.to_lowercase().replace('\u{2019}', "'").as_str())
            }) =>
        {
            format!("{before} and {rest}")
        }
        _ => text,
    };
    let mut text = capitalised(text.trim());
    if !text.ends_with(['.', '!', '?', '…', ':', ')']) {
        text.push('.');
    }
    Words { text, ..words }
}

/// The text with a capital first letter.
pub(super) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// "I'll bring the tent and that she should bring the stove": each of two things told is turned by itself.
fn both_addressed(text: &str) -> String {
    match text.split_once(" and that ") {
        Some((before, behind))
            if matches!(
                behind
                    .split_whitespace()
                    .next()
                    .map(str::to_lowercase)
                    .as_deref(),
                Some("he" | "she" | "they" | "his" | "her")
            ) =>
        {
            format!(
                "{} and that {}",
                start_addressed(before),
                start_addressed(behind)
            )
        }
        _ => start_addressed(text),
    }
}

/// "He is invited" said to him is "you are invited"; only at the beginning, where it is surely meant.
fn start_addressed(text: &str) -> String {
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
];

/// Words of a sentence that has room for one other person only.
const SHORT_WORDS: usize = 6;

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
            verb if person
                && verb.ends_with('s')
                && verb.len() > 3
                && !verb.ends_with("ss")
                && !verb.ends_with("ys") =>
            {
                Some(verb[..verb.len() - 1].to_owned())
            }
            _ => None,
        };
        if !matches!(
            low.as_str(),
            "he" | "she" | "also" | "still" | "already" | "really"
        ) {
            person = false;
        }
        out.push(turned.map_or_else(|| (*word).to_owned(), |turned| format!("{turned}{tail}")));
    }
    out.join(" ")
}

fn split_tail(word: &str) -> (&str, &str) {
    let end = word.trim_end_matches(['.', ',', '!', '?', ';']).len();
    word.split_at(end)
}

/// "You can come on Friday" asked: "Can you come on Friday?"
fn question(text: &str) -> String {
    let text = text.trim_end_matches(['.', '?', '!', ' ']);
    let mut words = text.split_whitespace();
    let (first, second) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let swapped = matches!(
        second.to_lowercase().as_str(),
        "can"
            | "could"
            | "will"
            | "would"
            | "are"
            | "is"
            | "have"
            | "has"
            | "should"
            | "were"
            | "was"
            | "may"
            | "might"
    );
    let rest: Vec<&str> = words.collect();
    // "If you have the tickets": something had, and nothing done.
    let owns = matches!(second.to_lowercase().as_str(), "have" | "has")
        && rest.first().is_some_and(|third| {
            matches!(
                third.to_lowercase().as_str(),
                "the"
                    | "a"
                    | "an"
                    | "any"
                    | "some"
                    | "my"
                    | "our"
                    | "your"
                    | "his"
                    | "her"
                    | "their"
                    | "time"
                    | "enough"
                    | "no"
                    | "it"
                    | "them"
                    | "that"
                    | "this"
                    | "to"
                    | "anything"
                    | "something"
                    | "plans"
            )
        });
    if owns && first.eq_ignore_ascii_case("you") {
        return format!("Do you have {}?", rest.join(" "));
    }
    let single = matches!(
        first.to_lowercase().as_str(),
        "you" | "i" | "we" | "it" | "they" | "he" | "she" | "this" | "that"
    );
    if single && swapped {
        let subject = if first == "I" {
            "I".to_owned()
        } else {
            first.to_lowercase()
        };
        return format!("{} {subject} {}?", capitalised(second), rest.join(" ")).replace(" ?", "?");
    }
    if single && first.eq_ignore_ascii_case("you") && second.ends_with("ed") {
        return format!("Have you {second} {}?", rest.join(" ")).replace(" ?", "?");
    }
    if single && first.eq_ignore_ascii_case("you") {
        return format!("Do you {second} {}?", rest.join(" ")).replace(" ?", "?");
    }
    format!("Could you tell me if {text}?")
}
