//! Participles that ask: "X needs to be deleted", "I want X moved to 4", "get X deleted".

use super::lexicon;
use super::reorder::{fits_words, fix_ends, rename, starts_request};
use super::said::{Form, Piece};

/// Words between a thing and what has to happen to it.
const PASSIVE: &[&[&str]] = &[
    &["need", "to", "be"],
    &["needs", "to", "be"],
    &["should", "be"],
    &["must", "be"],
    &["has", "to", "be"],
    &["have", "to", "be"],
    &["ought", "to", "be"],
    &["needs", "to", "get"],
    &["need", "to", "get"],
    &["can", "be"],
    &["could", "be"],
    &["has", "got", "to", "be"],
    &["need", "be"],
    &["needs", "be"],
    &["should", "get"],
    &["is", "to", "be"],
    &["are", "to", "be"],
    &["should", "all", "be"],
    &["can", "all", "be"],
    &["need", "to", "all", "be"],
    &["must", "all", "be"],
    &["needs"],
    &["need"],
    &["want"],
];

/// Beginnings after which a thing and then a participle follow.
const WANTED: &[&[&str]] = &[
    &["i", "need"],
    &["i", "want"],
    &["i", "would", "like"],
    &["we", "need"],
    &["i", "would", "like", "to", "have"],
    &["i", "would", "like", "to", "get"],
    &["i", "need", "to", "have"],
    &["i", "need", "to", "get"],
    &["i", "want", "to", "have"],
    &["i", "want", "to", "get"],
    &["get"],
    &["have"],
    &["can"],
    &["could"],
    &["please", "have"],
    &["please", "get"],
    &["can", "you", "get"],
    &["can", "you", "have"],
    &["could", "you", "get"],
    &["could", "you", "have"],
    &["can", "i", "get"],
    &["can", "i", "have"],
    &["could", "i", "get"],
    &["could", "i", "have"],
    &["i", "would", "love"],
    &["can", "we", "have"],
    &["can", "we", "get"],
    &["would", "you", "have"],
    &["i", "would", "want"],
    &["need"],
    &["want"],
    &["may", "i", "have"],
    &["i", "wish", "to", "have"],
    &["we", "want"],
    &["would", "like"],
    &["it", "would", "be", "great", "to", "have"],
    &["it", "would", "be", "great", "to", "get"],
    &["is", "it", "possible", "to", "have"],
    &["is", "it", "possible", "to", "get"],
];

/// "Everything after 4 on Friday needs to go": it is to be deleted.
pub(super) fn must_go(pieces: &mut Vec<Piece>) {
    const GO: &[&[&str]] = &[
        &["needs", "to", "go"],
        &["need", "to", "go"],
        &["has", "to", "go"],
        &["have", "to", "go"],
        &["must", "go"],
        &["can", "go"],
        &["should", "go"],
        &["has", "got", "to", "go"],
    ];
    let Some((at, len)) = (1..pieces.len()).find_map(|at| {
        let words = GO.iter().find(|words| fits_words(words, pieces, at))?;
        Some((at, words.len()))
    }) else {
        return;
    };
    let ends = pieces[at + len..].iter().all(|piece| {
        piece.form == Form::Mark || matches!(piece.word.as_str(), "please" | "thanks")
    });
    let open = opener_len(pieces, at);
    let thing = matches!(
        pieces.get(open).map(|piece| piece.word.as_str()),
        Some(
            "everything" | "all" | "the" | "my" | "that" | "those" | "every" | "these" | "anything"
        )
    ) || matches!(
        pieces.get(open).map(|piece| piece.form),
        Some(Form::Time(_))
    );
    let other = pieces[..at].iter().any(|piece| {
        piece.ends
            || matches!(
                piece.word.as_str(),
                "if" | "that" | "i" | "we" | "remind" | "tell" | "unless" | "who"
            )
    });
    if !ends || !thing || other {
        return;
    }
    let mut out = pieces[..open].to_vec();
    let mut verb = pieces[at].clone();
    let all = pieces
        .get(open)
        .is_some_and(|piece| matches!(piece.word.as_str(), "everything" | "anything" | "all"));
    rename(&mut verb, if all { "clear" } else { "delete" });
    out.push(verb);
    out.extend_from_slice(&pieces[open..at]);
    out.extend_from_slice(&pieces[at + len..]);
    fix_ends(pieces, &mut out);
    *pieces = out;
}

/// "X needs to be deleted."
pub(super) fn passive(pieces: &mut Vec<Piece>) {
    for at in 1..pieces.len() {
        let Some(words) = PASSIVE.iter().find(|words| fits_words(words, pieces, at)) else {
            continue;
        };
        let Some(verb) = participle(pieces, at + words.len()) else {
            continue;
        };
        let first = pieces[0].word.as_str();
        if words.len() == 1
            && !pieces[at + 1].word.ends_with("ing")
            && (matches!(first, "i" | "we" | "you")
                || !pieces[at + 1].word.ends_with("ed")
                || words[0] == "want")
        {
            continue;
        }
        let polite = polite_if(pieces, at);
        // "Can you check if the mail needs to be …" and "remind me that X should be …" say something else.
        if pieces[polite..at].iter().any(|piece| {
            matches!(
                piece.word.as_str(),
                "if" | "remind" | "whether" | "unless" | "that" | "saying" | "note" | "task"
            )
        }) {
            return;
        }
        let mut out = Vec::with_capacity(pieces.len());
        let mut verb_piece = pieces[at + words.len()].clone();
        rename(&mut verb_piece, verb);
        let open = opener_len(pieces, at).max(polite);
        out.extend_from_slice(&pieces[..open]);
        out.push(verb_piece);
        out.extend_from_slice(&pieces[open..at]);
        out.extend_from_slice(&pieces[at + words.len() + 1..]);
        fix_ends(pieces, &mut out);
        *pieces = out;
        return;
    }
}

/// "I'd appreciate it if …", "it would be great if …": how many pieces ask politely and set no condition.
fn polite_if(pieces: &[Piece], end: usize) -> usize {
    let find = |from: usize, to: usize, words: &[&str]| {
        (from..to.min(end)).find(|at| words.contains(&pieces[*at].word.as_str()))
    };
    let Some(kind) = find(
        0,
        8,
        &[
            "appreciate",
            "great",
            "nice",
            "good",
            "lovely",
            "grateful",
            "glad",
            "helpful",
            "wonderful",
            "awesome",
            "wondering",
            "happy",
            "better",
            "best",
        ],
    ) else {
        return 0;
    };
    find(kind, kind + 3, &["if"]).map_or(0, |at| at + 1)
}

/// "Can my meeting be moved" begins with a word that stays in front.
fn opener_len(pieces: &[Piece], at: usize) -> usize {
    let mut open = 0;
    while open < at
        && matches!(
            pieces[open].word.as_str(),
            "can"
                | "could"
                | "so"
                | "hey"
                | "hi"
                | "please"
                | "ok"
                | "okay"
                | ","
                | "and"
                | "also"
                | "i"
                | "think"
                | "then"
        )
    {
        open += 1;
    }
    open
}

/// "I need X deleted", "get X moved to 4".
pub(super) fn wanted(pieces: &mut Vec<Piece>) {
    for start in 0..pieces.len().min(8) {
        let Some(words) = WANTED
            .iter()
            .filter(|words| fits_words(words, pieces, start))
            .max_by_key(|words| words.len())
        else {
            continue;
        };
        if start > 0 && !starts_request(pieces, start) {
            continue;
        }
        let from = start + words.len();
        if matches!(
            pieces.get(from).map(|piece| piece.word.as_str()),
            Some("to" | "you" | "i" | "we") | None
        ) {
            continue;
        }
        for at in from + 1..pieces.len() {
            let mut end = at;
            if words.len() == 1 && matches!(words[0], "can" | "could") {
                if pieces[at].word != "be" {
                    continue;
                }
                end += 1;
            } else if pieces[at].word == "be"
                || pieces[at].word == "to"
                    && pieces.get(at + 1).is_some_and(|next| next.word == "be")
            {
                continue;
            }
            let Some(verb) = participle(pieces, end) else {
                if pieces[at].ends || matches!(pieces[at].form, Form::Quote(_)) {
                    break;
                }
                continue;
            };
            if matches!(
                pieces[at - 1].word.as_str(),
                "that"
                    | "which"
                    | "i"
                    | "is"
                    | "are"
                    | "was"
                    | "have"
                    | "has"
                    | "been"
                    | "not"
                    | "already"
                    | "as"
            ) {
                continue;
            }
            // "The email sent by Ana": the participle belongs to the noun.
            if matches!(
                pieces.get(end + 1).map(|next| next.word.as_str()),
                Some("by" | "me" | "from")
            ) && verb != "move"
                && verb != "push"
            {
                continue;
            }
            if matches!(
                verb,
                "send"
                    | "schedule"
                    | "book"
                    | "plan"
                    | "mail"
                    | "call"
                    | "name"
                    | "title"
                    | "open"
                    | "read"
                    | "star"
                    | "flag"
                    | "label"
                    | "tag"
                    | "note"
                    | "mark"
                    | "log"
                    | "block"
            ) && end + 1 < pieces.len()
                && !matches!(verb, "mark" | "label" | "schedule" | "book")
            {
                continue;
            }
            let mut out = Vec::with_capacity(pieces.len());
            out.extend_from_slice(&pieces[..start]);
            let mut verb_piece = pieces[end].clone();
            rename(&mut verb_piece, verb);
            out.push(verb_piece);
            // "To be moved": the small words go with the participle.
            let mut stop = at;
            while stop > from
                && matches!(pieces[stop - 1].word.as_str(), "to" | "be")
                && pieces[stop - 1].leads.is_none()
            {
                stop -= 1;
            }
            out.extend_from_slice(&pieces[from..stop]);
            out.extend_from_slice(&pieces[end + 1..]);
            fix_ends(pieces, &mut out);
            *pieces = out;
            return;
        }
    }
}

/// The verb of which the word here is a participle.
fn participle(pieces: &[Piece], at: usize) -> Option<&'static str> {
    let piece = pieces
        .get(at)
        .filter(|piece| piece.form == Form::Word && piece.leads.is_none())?;
    lexicon::verb_of(&piece.word)
}
