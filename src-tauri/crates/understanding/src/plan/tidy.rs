//! Words of a sentence that say nothing or say it in a roundabout way: hesitations, words said twice, what stays anyway.

use super::lexicon;
use super::reorder::{fits_words, fix_ends, rename};
use super::said::{Form, Piece};

/// "Cancel uh the call", "by like 20 minutes".
pub(super) fn drop_hesitation(pieces: &mut Vec<Piece>) {
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

/// "Tom n Ana": a joint written as it is spoken.
pub(super) fn spoken_and(pieces: &mut [Piece]) {
    for at in 1..pieces.len().saturating_sub(1) {
        let between = [at - 1, at + 1]
            .iter()
            .all(|near| pieces[*near].form == Form::Word);
        if pieces[at].word == "n"
            && pieces[at].form == Form::Word
            && between
            && !pieces[at - 1].ends
        {
            rename(&mut pieces[at], "and");
        }
    }
}

/// "Of of", "any any": a small word said twice by mistake.
pub(super) fn drop_doubles(pieces: &mut Vec<Piece>) {
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

/// "Drop the stand-up but keep the rest": what is not named stays anyway.
pub(super) fn keep_rest(pieces: &mut Vec<Piece>) {
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
    cut_from(at, pieces);
}

/// Ends the message before a piece, and before the words that lead to it.
fn cut_from(at: usize, pieces: &mut Vec<Piece>) {
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
pub(super) fn have_start(pieces: &mut Vec<Piece>) {
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

/// "Draft a mail to Ana, but don't send it yet", "…, keep it for later": that is what a draft is.
pub(super) fn not_sent(pieces: &mut Vec<Piece>) {
    let drafts = pieces.iter().take(8).any(|piece| piece.word == "draft");
    if !drafts {
        return;
    }
    const WAYS: &[&[&str]] = &[
        &["do", "not", "send", "it"],
        &["do", "not", "send", "that"],
        &["do", "not", "send", "anything"],
        &["do", "not", "send"],
        &["without", "sending", "it"],
        &["not", "send", "it"],
        &["keep", "it"],
        &["hold", "it"],
        &["save", "it"],
        &["leave", "it"],
        &["park", "it"],
        &["i", "will", "send", "it"],
        &["i", "want", "to", "send", "it"],
        &["i", "will", "read", "it"],
        &["i", "will", "review", "it"],
        &["i", "will", "check", "it"],
        &["i", "want", "to", "read", "it"],
        &["i", "want", "to", "check", "it"],
        &["i", "want", "to", "review", "it"],
        &["so", "i", "can"],
        &["let", "me", "see", "it"],
        &["let", "me", "read", "it"],
        &["let", "me", "check", "it"],
    ];
    const TAIL: &str = "do not send it that anything keep hold save leave park without sending yet please out off for now later i \
        will want to read review check can so let me see in my the drafts draft folder as a until tomorrow first before myself \
        there back goes over on just but and one";
    // "Saying thanks, I'll check it tomorrow": behind what is to be said, only a sending called off is no part of it.
    let opened = pieces
        .iter()
        .position(|piece| {
            matches!(
                piece.word.as_str(),
                ":" | "saying"
                    | "says"
                    | "say"
                    | "that"
                    | "telling"
                    | "tell"
                    | "thanking"
                    | "asking"
            )
        })
        .unwrap_or(pieces.len());
    let Some(at) = (3..pieces.len()).find(|at| {
        let begins = matches!(
            pieces[at - 1].word.as_str(),
            "," | "but" | "and" | "-" | "." | "just" | "please"
        );
        WAYS.iter().any(|words| {
            let sending = words.contains(&"not") || words.contains(&"without");
            let told = *at > opened && matches!(words.first(), Some(&"i" | &"let" | &"so"));
            fits_words(words, pieces, *at) && (sending || begins && !told)
        })
    }) else {
        return;
    };
    let tail = pieces[at..].iter().all(|piece| {
        piece.form == Form::Mark
            || TAIL.split_whitespace().any(|word| word == piece.word)
            || matches!(piece.form, Form::Time(_))
    });
    if !tail {
        return;
    }
    cut_from(at, pieces);
}

/// "Could the stand-up be 15 minutes longer", "the demo should be an hour earlier": make it so.
pub(super) fn longer(pieces: &mut Vec<Piece>) {
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
