//! What somebody is to be told: quotations word for word, clauses turned into direct speech.

use super::addressed::both_addressed;
pub(super) use super::addressed::{addressed, nobody_else};
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

/// Whether a text may name a thing that can be sent: "his opinion", but not "out for lunch".
fn is_thing(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or("").to_lowercase();
    !first.is_empty()
        && !matches!(
            first.as_str(),
            "out"
                | "over"
                | "again"
                | "around"
                | "up"
                | "back"
                | "in"
                | "on"
                | "at"
                | "with"
                | "nicely"
                | "politely"
        )
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
    } else if for_it || is_thing(&text) {
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
    let done =
        second.ends_with("ed") || matches!(second, "got" | "seen" | "sent" | "found" | "heard");
    if single && first.eq_ignore_ascii_case("you") && done {
        return format!("Have you {second} {}?", rest.join(" ")).replace(" ?", "?");
    }
    if single && first.eq_ignore_ascii_case("you") {
        return format!("Do you {second} {}?", rest.join(" ")).replace(" ?", "?");
    }
    format!("Could you tell me if {text}?")
}
