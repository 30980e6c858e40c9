//! Other ways round: "X needs to be deleted", "I want X moved to 4", "call X off", "let X know" become "delete X",
//! "move X to 4", "cancel X", "tell X". Pieces keep their bytes; only their order changes.

use super::lexicon;
use super::participles::{must_go, passive, wanted};
use super::said::{Form, Piece};
use super::table::fits;
use super::tidy::{
    drop_doubles, drop_hesitation, have_start, keep_rest, longer, not_sent, spoken_and,
};

/// Verbs whose particle stands behind the thing, and the verb that means the same.
const SPLIT: &[(&str, &[&str], &str)] = &[
    ("call", &["off"], "cancel"),
    ("set", &["up"], "schedule"),
    ("put", &["off"], "postpone"),
    ("take", &["off"], "delete"),
    ("get", &["off"], "delete"),
    ("throw", &["away"], "delete"),
    ("throw", &["out"], "delete"),
    ("check", &["off"], "complete"),
    ("tick", &["off"], "complete"),
    ("cross", &["off"], "complete"),
    ("bring", &["forward"], "advance"),
    ("pull", &["forward"], "advance"),
    ("pull", &["ahead"], "advance"),
    ("file", &["away"], "archive"),
    ("turn", &["down"], "decline"),
    ("pass", &["on"], "forward"),
    ("pass", &["along"], "forward"),
    ("send", &["on"], "forward"),
    ("write", &["down"], "jot"),
    ("jot", &["down"], "jot"),
    ("note", &["down"], "jot"),
];

/// Brings one sentence into the order the grammar reads.
pub(super) fn sentence(pieces: &mut Vec<Piece>) {
    drop_hesitation(pieces);
    spoken_and(pieces);
    drop_doubles(pieces);
    leading_time(pieces);
    tell(pieces);
    particles(pieces);
    longer(pieces);
    not_sent(pieces);
    keep_rest(pieces);
    have_start(pieces);
    must_go(pieces);
    passive(pieces);
    wanted(pieces);
}

/// "Every weekday at 9 remind me to stretch", "tomorrow at 3, schedule a call": when stands behind what.
fn leading_time(pieces: &mut Vec<Piece>) {
    const OPENERS: &[&str] = &[
        "please", "hey", "hi", "ok", "okay", "and", "also", "so", "then", "can", "could", "you",
        "i", "need", "want", "to",
    ];
    let mut from = 0;
    while pieces.get(from).is_some_and(|piece| {
        piece.form == Form::Mark || OPENERS.contains(&piece.word.as_str()) && piece.leads.is_none()
    }) {
        from += 1;
    }
    let mut to = from;
    let mut times = false;
    while let Some(piece) = pieces.get(to) {
        match piece.form {
            Form::Time(_) => times = true,
            _ if piece.leads.is_some() => {}
            Form::Mark if times && piece.word == "," => {}
            _ => break,
        }
        to += 1;
    }
    let mut verb = to;
    while pieces
        .get(verb)
        .is_some_and(|piece| OPENERS.contains(&piece.word.as_str()))
    {
        verb += 1;
    }
    let acts = lexicon::VERBS
        .at(pieces, verb)
        .is_some_and(|(verb, _)| !matches!(verb, lexicon::Verb::Show | lexicon::Verb::Meet))
        && pieces
            .get(verb)
            .is_some_and(|piece| piece.word == piece.base);
    if !times || !acts || pieces[..to].iter().any(|piece| piece.ends) {
        return;
    }
    let mut out: Vec<Piece> = pieces[..from].to_vec();
    let end = if pieces.last().is_some_and(|last| last.form == Form::Mark) {
        pieces.len() - 1
    } else {
        pieces.len()
    };
    out.extend_from_slice(&pieces[to..end]);
    out.extend(
        pieces[from..to]
            .iter()
            .filter(|piece| piece.form != Form::Mark)
            .cloned(),
    );
    out.extend_from_slice(&pieces[end..]);
    fix_ends(pieces, &mut out);
    *pieces = out;
}

/// "Let Ana know", "give Ana a heads up": tell Ana.
fn tell(pieces: &mut Vec<Piece>) {
    for start in 0..pieces.len().min(12) {
        let (ends, from): (&[&[&str]], usize) = match pieces[start].word.as_str() {
            "let" => (&[&["know"]], start + 1),
            "give" => (
                &[
                    &["a", "heads", "up"],
                    &["a", "headsup"],
                    &["a", "heads", "-", "up"],
                ],
                start + 1,
            ),
            _ => continue,
        };
        if matches!(
            pieces.get(from).map(|piece| piece.word.as_str()),
            Some("me" | "us")
        ) {
            return;
        }
        for at in from + 1..(from + 10).min(pieces.len()) {
            if let Some(end) = ends.iter().find(|end| fits(end, pieces, at)) {
                pieces.drain(at..at + end.len());
                rename(&mut pieces[start], "tell");
                return;
            }
            if pieces[at].ends {
                break;
            }
        }
    }
}

fn particles(pieces: &mut Vec<Piece>) {
    // "Take it out": off the calendar or the list it is on.
    let out = (0..pieces.len().saturating_sub(2)).find(|at| {
        pieces[*at].word == "take"
            && matches!(pieces[at + 1].word.as_str(), "it" | "that" | "them")
            && pieces[at + 2].word == "out"
            && pieces[at + 2].leads.is_none()
            && starts_request(pieces, *at)
            && pieces[at + 3..].iter().all(|piece| {
                piece.form == Form::Mark
                    || matches!(
                        piece.word.as_str(),
                        "please" | "thanks" | "again" | "of" | "my" | "the" | "calendar" | "diary"
                    )
            })
    });
    if let Some(at) = out {
        rename(&mut pieces[at], "delete");
        let ends = pieces[at + 2].ends;
        pieces.remove(at + 2);
        pieces[at + 1].ends |= ends;
        return;
    }
    for start in 0..pieces.len().min(16) {
        if pieces[start].form != Form::Word || !starts_request(pieces, start) {
            continue;
        }
        for (verb, particle, means) in SPLIT {
            if pieces[start].word != *verb || fits(particle, pieces, start + 1) {
                continue;
            }
            let Some(at) = (start + 2..pieces.len())
                .take_while(|at| pieces[*at].form != Form::Mark || pieces[*at].word != ",")
                .find(|at| fits(particle, pieces, *at) && !pieces[*at - 1].ends)
            else {
                continue;
            };
            // "Get the meeting off my calendar" keeps "off my calendar".
            let keeps = matches!(
                pieces.get(at + 1).map(|piece| piece.word.as_str()),
                Some("my" | "the" | "our" | "it" | "that")
            ) || pieces
                .get(at + 1)
                .is_some_and(|next| matches!(next.form, Form::Time(_)));
            let to = pieces.get(at + 1).is_some_and(|next| next.word == "to");
            if *verb == "get" && !keeps
                || matches!(*verb, "send" | "pass") && !to
                || pieces[at].leads.is_some()
            {
                continue;
            }
            if !keeps {
                pieces.drain(at..at + particle.len());
            }
            rename(&mut pieces[start], means);
            return;
        }
    }
}

pub(super) fn starts_request(pieces: &[Piece], at: usize) -> bool {
    at.checked_sub(1)
        .and_then(|before| pieces.get(before))
        .is_none_or(|before| {
            before.form == Form::Mark
                || matches!(
                    before.word.as_str(),
                    "you"
                        | "to"
                        | "please"
                        | "and"
                        | "then"
                        | "just"
                        | "also"
                        | "i"
                        | "we"
                        | "us"
                        | "ahead"
                        | "me"
                        | "now"
                        | "should"
                        | "so"
                        | "do"
                        | "kindly"
                        | "hey"
                        | "ok"
                )
        })
}

pub(super) fn rename(piece: &mut Piece, word: &str) {
    word.clone_into(&mut piece.word);
    word.clone_into(&mut piece.base);
}

pub(super) fn fits_words(words: &[&str], pieces: &[Piece], at: usize) -> bool {
    words.iter().enumerate().all(|(k, word)| {
        pieces
            .get(at + k)
            .is_some_and(|piece| piece.form == Form::Word && piece.word == *word)
    })
}

/// Only the last piece of the sentence ends it.
pub(super) fn fix_ends(before: &[Piece], after: &mut [Piece]) {
    let ends = before.iter().any(|piece| piece.ends);
    for piece in after.iter_mut() {
        piece.ends = false;
    }
    if ends && let Some(last) = after.last_mut() {
        last.ends = true;
    }
}
