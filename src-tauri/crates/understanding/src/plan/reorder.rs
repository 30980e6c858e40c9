//! Other ways round: "X needs to be deleted", "I want X moved to 4", "call X off", "let X know" become "delete X",
//! "move X to 4", "cancel X", "tell X". Pieces keep their bytes; only their order changes.

use super::lexicon;
use super::said::{Form, Piece};
use super::table::fits;

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
    drop_doubles(pieces);
    leading_time(pieces);
    tell(pieces);
    particles(pieces);
    longer(pieces);
    not_sent(pieces);
    keep_rest(pieces);
    have_start(pieces);
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

/// "Cancel uh the call", "by like 20 minutes".
fn drop_hesitation(pieces: &mut Vec<Piece>) {
    let mut at = 0;
    while at < pieces.len() && pieces.len() > 1 {
        let piece = &pieces[at];
        let timed = pieces
            .get(at + 1)
            .is_some_and(|next| matches!(next.form, Form::Time(_)));
        let before = at
            .checked_sub(1)
            .map_or("", |before| pieces[before].word.as_str());
        let hesitates = matches!(piece.word.as_str(), "uh" | "um" | "uhm" | "er" | "erm")
            || at > 0 && piece.word == "like" && timed
            || before == "," && piece.word == "say" && timed
            // "W/ Lena".
            || before == "with" && piece.word == "/";
        if hesitates
            && matches!(piece.form, Form::Word | Form::Mark)
            && piece.leads.is_none()
            && !piece.ends
        {
            pieces.remove(at);
        } else {
            at += 1;
        }
    }
}

/// "Of of", "any any": a small word said twice by mistake.
fn drop_doubles(pieces: &mut Vec<Piece>) {
    let mut at = 1;
    while at < pieces.len() {
        let (before, here) = (&pieces[at - 1], &pieces[at]);
        if here.form == Form::Word
            && before.form == Form::Word
            && here.word == before.word
            && lexicon::is_function(&here.word)
            && before.leads.is_none()
            && here.word != "that"
        {
            pieces.remove(at - 1);
        } else {
            at += 1;
        }
    }
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
                Some("my" | "the" | "our")
            );
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

fn starts_request(pieces: &[Piece], at: usize) -> bool {
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

fn rename(piece: &mut Piece, word: &str) {
    word.clone_into(&mut piece.word);
    word.clone_into(&mut piece.base);
}

/// "Drop the stand-up but keep the rest": what is not named stays anyway.
fn keep_rest(pieces: &mut Vec<Piece>) {
    const RESTS: &[&[&str]] = &[
        &["keep", "the", "rest"],
        &["keep", "the", "others"],
        &["keep", "everything", "else"],
        &["leave", "the", "rest"],
        &["leave", "the", "others"],
        &["leave", "everything", "else"],
        &["not", "the", "others"],
        &["not", "the", "rest"],
    ];
    let Some((at, len)) = (2..pieces.len()).find_map(|at| {
        let words = RESTS.iter().find(|words| fits_words(words, pieces, at))?;
        Some((at, words.len()))
    }) else {
        return;
    };
    let ends = pieces[at + len..].iter().all(|piece| {
        piece.form == Form::Mark
            || matches!(
                piece.word.as_str(),
                "as" | "it" | "is" | "they" | "are" | "alone" | "please" | "there"
            )
    });
    if !ends {
        return;
    }
    let mut end = at;
    while end > 1
        && matches!(
            pieces[end - 1].word.as_str(),
            "but" | "," | "and" | "-" | "just"
        )
    {
        end -= 1;
    }
    let mut out = pieces[..end].to_vec();
    fix_ends(pieces, &mut out);
    *pieces = out;
}

/// "Have the interview start at 10:30": start it then.
fn have_start(pieces: &mut Vec<Piece>) {
    let open = pieces
        .iter()
        .take_while(|piece| {
            matches!(
                piece.word.as_str(),
                "please" | "can" | "could" | "you" | "we" | "," | "and"
            )
        })
        .count();
    let let_it = matches!(
        pieces.get(open).map(|piece| piece.word.as_str()),
        Some("have" | "let")
    ) && matches!(
        pieces.get(open + 1).map(|piece| piece.word.as_str()),
        Some("the" | "my" | "our")
    );
    if !let_it {
        return;
    }
    let Some(at) = (open + 3..pieces.len().min(open + 12)).find(|at| {
        matches!(pieces[*at].word.as_str(), "start" | "begin")
            && pieces
                .get(at + 1)
                .is_some_and(|next| matches!(next.form, Form::Time(_)) || next.leads.is_some())
    }) else {
        return;
    };
    if pieces[open..at]
        .iter()
        .any(|piece| piece.ends || piece.form == Form::Mark)
    {
        return;
    }
    pieces.remove(at);
    rename(&mut pieces[open], "start");
}

/// "Draft a mail to Ana, but don't send it yet": that is what a draft is.
fn not_sent(pieces: &mut Vec<Piece>) {
    let drafts = pieces.iter().take(8).any(|piece| piece.word == "draft");
    if !drafts {
        return;
    }
    let Some(at) = (2..pieces.len()).find(|at| {
        [
            &["do", "not", "send", "it"][..],
            &["do", "not", "send", "that"],
            &["without", "sending", "it"],
            &["not", "send", "it"],
        ]
        .iter()
        .any(|words| fits_words(words, pieces, *at))
    }) else {
        return;
    };
    let tail = pieces[at..].iter().all(|piece| {
        piece.form == Form::Mark
            || matches!(
                piece.word.as_str(),
                "do" | "not"
                    | "send"
                    | "it"
                    | "that"
                    | "without"
                    | "sending"
                    | "yet"
                    | "please"
                    | "out"
                    | "off"
                    | "for"
                    | "now"
            )
    });
    if !tail {
        return;
    }
    let mut end = at;
    while end > 1
        && matches!(
            pieces[end - 1].word.as_str(),
            "but" | "," | "and" | "-" | "just"
        )
    {
        end -= 1;
    }
    let mut out = pieces[..end].to_vec();
    fix_ends(pieces, &mut out);
    *pieces = out;
}

/// "Could the stand-up be 15 minutes longer", "the demo should be an hour earlier": make it so.
fn longer(pieces: &mut Vec<Piece>) {
    const WAYS: &[&str] = &["longer", "shorter", "earlier", "later"];
    let Some(be) = (1..pieces.len()).find(|at| {
        pieces[*at].word == "be"
            && matches!(
                pieces.get(at + 1).map(|next| next.form),
                Some(Form::Time(_))
            )
            && pieces
                .get(at + 2)
                .is_some_and(|way| WAYS.contains(&way.word.as_str()))
    }) else {
        return;
    };
    let asks = matches!(pieces[0].word.as_str(), "can" | "could" | "may" | "might");
    // "Should be", "needs to be", "has to be".
    let from = match (asks, pieces[be - 1].word.as_str()) {
        (true, _) => be,
        (_, "should" | "must") => be - 1,
        (_, "to")
            if be > 1
                && matches!(
                    pieces[be - 2].word.as_str(),
                    "needs" | "need" | "has" | "have" | "ought"
                ) =>
        {
            be - 2
        }
        _ => return,
    };
    if matches!(pieces[0].word.as_str(), "if" | "remind" | "tell" | "unless") {
        return;
    }
    let mut out = pieces.clone();
    let mut verb = out[be].clone();
    rename(&mut verb, "make");
    out.drain(from..=be);
    let start = usize::from(asks);
    out.drain(..start);
    out.insert(0, verb);
    fix_ends(pieces, &mut out);
    *pieces = out;
}

/// "X needs to be deleted."
fn passive(pieces: &mut Vec<Piece>) {
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
fn wanted(pieces: &mut Vec<Piece>) {
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

fn fits_words(words: &[&str], pieces: &[Piece], at: usize) -> bool {
    words.iter().enumerate().all(|(k, word)| {
        pieces
            .get(at + k)
            .is_some_and(|piece| piece.form == Form::Word && piece.word == *word)
    })
}

/// The verb of which the word here is a participle.
fn participle(pieces: &[Piece], at: usize) -> Option<&'static str> {
    let piece = pieces
        .get(at)
        .filter(|piece| piece.form == Form::Word && piece.leads.is_none())?;
    lexicon::verb_of(&piece.word)
}

/// Only the last piece of the sentence ends it.
fn fix_ends(before: &[Piece], after: &mut [Piece]) {
    let ends = before.iter().any(|piece| piece.ends);
    for piece in after.iter_mut() {
        piece.ends = false;
    }
    if ends && let Some(last) = after.last_mut() {
        last.ends = true;
    }
}
