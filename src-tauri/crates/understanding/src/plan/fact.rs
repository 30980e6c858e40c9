//! Facts as they are kept: what each is about, and what is so.

use super::change::missing;
use super::clause::{Parse, Read};
use super::cursor::Cursor;
use super::detail;
use super::lexicon::{Noun, Verb};
use super::model::{Act, Request, Sel};
use super::table::phrases;
use super::task::clause_end;

/// Remember that …
pub(super) fn remember<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    if cursor.eat(&["to"]) {
        // "Don't forget to call mom" is a reminder.
        cursor.at -= 1;
        return super::task::remind(parse, cursor);
    }
    cursor.eat_any(phrases!(
        "that | this | about | the fact that | the following | for me | for later"
    ));
    cursor.skip_marks();
    cursor.eat(&["that"]);
    let quoted = cursor.quote();
    let end = clause_end(cursor);
    let range = cursor.at..end;
    let words = quoted.or_else(|| cursor.words(range.clone()));
    let Some(words) = words else {
        return Err(missing("fact"));
    };
    cursor.at = end.max(cursor.at);
    let mut request = Request::new(Act::Store, Sel::of(Noun::Memory));
    let (key, value) = key_and_value(&words.text);
    request.vals.key = Some(key);
    request.vals.details = vec![value];
    request.vals.body = Some(words);
    parse.push(request);
    Ok(())
}

/// Splits a fact into what it is about and what is so: "my locker code is 4711" is "locker code" and "4711", "Ana likes
/// tulips" is "what Ana likes" and "tulips".
pub(super) fn key_and_value(fact: &str) -> (String, String) {
    const EQUALS: &[&str] = &[" is ", " are ", " was ", " were ", " = ", ": ", " will be "];
    const VERBS: &[&str] = &[
        " has ",
        " have ",
        " likes ",
        " like ",
        " loves ",
        " love ",
        " hates ",
        " hate ",
        " prefers ",
        " prefer ",
        " needs ",
        " need ",
        " wants ",
        " want ",
        " drives ",
        " drive ",
        " eats ",
        " eat ",
        " drinks ",
        " drink ",
        " plays ",
        " play ",
        " takes ",
        " take ",
        " owns ",
        " own ",
        " uses ",
        " use ",
        " am ",
    ];
    const PLACES: &[&str] = &[
        " lives ", " live ", " works ", " work ", " parked ", " park ", " put ", " left ",
        " keep ", " keeps ", " stored ", " hid ", " went ", " sits ", " stays ",
    ];
    let fact = fact.trim().trim_end_matches(['.', '!']);
    let plain = ["I'm ", "I\u{2019}m "]
        .iter()
        .find_map(|short| fact.strip_prefix(short))
        .map(|rest| format!("I am {rest}"));
    let fact = plain.as_deref().unwrap_or(fact);
    let low = fact.to_ascii_lowercase();
    let first = |joints: &[&'static str]| {
        joints
            .iter()
            .filter_map(|joint| low.find(joint).map(|at| (at, *joint)))
            .min_by_key(|(at, _)| *at)
    };
    let cut = |at: usize, joint: &str| {
        (
            fact.get(..at).unwrap_or("").trim(),
            fact.get(at + joint.len()..).unwrap_or("").trim(),
        )
    };
    let found = [(first(EQUALS), 0), (first(VERBS), 1), (first(PLACES), 2)]
        .into_iter()
        .filter_map(|(found, kind)| found.map(|(at, joint)| (at, joint, kind)))
        .min_by_key(|(at, ..)| *at);
    let (key, value) = match found {
        Some((at, joint, kind)) => {
            let (about, so) = cut(at, joint);
            let key = match kind {
                0 => bare(about).to_owned(),
                1 => format!("what {about}{}", joint.trim_end()),
                _ => format!("where {about}{}", joint.trim_end()),
            };
            // "Is on June 3": the day itself.
            let dated = so.strip_prefix("on ").filter(|rest| {
                rest.starts_with(|ch: char| ch.is_ascii_digit() || ch.is_ascii_uppercase())
            });
            (key, dated.unwrap_or(so).to_owned())
        }
        None => match named_value(fact) {
            Some(split) => split,
            None => (
                fact.split_whitespace()
                    .take(4)
                    .collect::<Vec<_>>()
                    .join(" "),
                fact.to_owned(),
            ),
        },
    };
    if key.is_empty() || value.is_empty() {
        (fact.to_owned(), fact.to_owned())
    } else {
        (key, value)
    }
}

/// "My licence plate B-XY 123": the words that are no words are the value.
pub(super) fn named_value(fact: &str) -> Option<(String, String)> {
    let words: Vec<&str> = fact.split_whitespace().collect();
    let at = words.iter().position(|word| {
        word.chars().any(|ch| ch.is_ascii_digit())
            || word.len() > 1
                && word
                    .chars()
                    .all(|ch| ch.is_ascii_uppercase() || !ch.is_alphanumeric())
    })?;
    let key = bare(words.get(..at)?.join(" ").as_str()).to_owned();
    (at > 0 && !key.is_empty()).then(|| (key, words[at..].join(" ")))
}

/// Without the word that says whose it is, as everything here is the person's own.
pub(super) fn bare(text: &str) -> &str {
    ["my ", "the ", "our ", "that "]
        .iter()
        .find_map(|start| {
            text.get(..start.len())
                .filter(|begin| begin.eq_ignore_ascii_case(start))
                .and_then(|_| text.get(start.len()..))
        })
        .unwrap_or(text)
}

/// "Save Ben's number as …", "save that my locker is 12".
pub(super) fn save<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    if let Some(request) = detail::detail_of(cursor) {
        parse.push(request);
        return Ok(());
    }
    if cursor.sees(&["that"]).is_some() {
        return remember(parse, cursor);
    }
    let mut this = *cursor;
    if this.eat(&["this", "that", "the following", "it"]) {
        this.eat(&["for me", "for later", "for us"]);
        if this.eat(&[":", "-"]) && !this.is_done() {
            *cursor = this;
            return remember(parse, cursor);
        }
    }
    if kept_as(parse, cursor) {
        return Ok(());
    }
    super::create::create(parse, cursor, Verb::Create)
}

/// "Save Omar's birthday as July 9": a fact about somebody or something of one's own.
pub(super) fn kept_as<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let end = clause_end(cursor);
    let Some(at) = (cursor.at + 2..end).find(|at| cursor.said.pieces[*at].word == "as") else {
        return false;
    };
    let owned = matches!(cursor.word(0), "my" | "our")
        || (cursor.at..at)
            .any(|at| matches!(cursor.said.pieces[at].word.as_str(), "'s" | "\u{2019}s"));
    let kind = (cursor.at..at).any(|at| {
        matches!(
            super::lexicon::NOUNS.at(&cursor.said.pieces[..end], at),
            Some((
                (
                    Noun::Mail | Noun::Note | Noun::Task | Noun::File | Noun::Contact,
                    _
                ),
                _
            ))
        )
    });
    let (Some(about), Some(value)) = (cursor.words(cursor.at..at), cursor.words(at + 1..end))
    else {
        return false;
    };
    if !owned || kind {
        return false;
    }
    let mut request = Request::new(Act::Store, Sel::of(Noun::Memory));
    request.vals.key = Some(bare(&about.text).to_owned());
    request.vals.details = vec![value.text.trim_end_matches(['.', '!']).to_owned()];
    request.vals.body = cursor.words(cursor.at..end);
    cursor.at = end;
    parse.push(request);
    true
}
