//! What a message takes back in itself: "on Tuesday, no wait, Wednesday", "at 3. Actually 4.", "mail Bob, sorry, Tom".
//!
//! The correction is worked into the words before it, as a change in a later message would be.

use adjutant_domain::reading::Utterance;

use super::cursor::Cursor;
use super::lexicon::{VERBS, Verb};
use super::rewrite;
use super::said::{Form, Piece, Said};
use super::table::Table;
use std::sync::LazyLock;

/// How sure it is that the words before are corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sure {
    /// They say so.
    Yes,
    /// Only if the message cannot be understood otherwise.
    Perhaps,
}

static MARKERS: LazyLock<Table<Sure>> = LazyLock::new(|| {
    Table::new(&[
        (
            "no wait | wait no | oh wait | no sorry | sorry no | i mean | i meant | no i mean | no i meant | sorry i mean | \
            sorry i meant | oops i meant | oops i mean | or rather | strike that | scratch that | no scratch that | correction | \
            actually no | no actually | wait i meant | wait i mean | no make that | no make it | sorry make that | sorry make it | \
            on second thought | on second thoughts | make that | wait make that | wait make it | hold on | oh no | no no | \
            actually make it | actually make that | or actually | or no | well actually | hmm no | hm no | wait actually",
            Sure::Yes,
        ),
        (
            "sorry | actually | wait | no | oops | make it | rather | hmm | let us say",
            Sure::Perhaps,
        ),
    ])
});

/// A clause that begins with "actually" and the like, behind another request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Retracts {
    /// What was asked for before is not wanted.
    Before,
    /// It may be that it is not wanted.
    Perhaps,
}

/// Whether the clause that begins here takes back what was asked for before it.
pub(super) fn retracts(cursor: &Cursor<'_, '_>) -> Option<Retracts> {
    static WORDS: LazyLock<Table<Retracts>> = LazyLock::new(|| {
        Table::new(&[
            (
                "scratch that | strike that | no wait | on second thought | on second thoughts | actually no | no actually | \
                never mind | never mind that | forget that | forget it | actually just | actually instead | oh wait no | wait no | \
                actually never mind | no scratch that | actually let us not | or rather | no just",
                Retracts::Before,
            ),
            (
                "actually | wait | oops | oh wait | hmm actually | no",
                Retracts::Perhaps,
            ),
        ])
    });
    let mut ahead = *cursor;
    ahead.skip_marks();
    let mut found = None;
    while let Some(how) = ahead.take(&WORDS) {
        found = match found {
            Some(_) => Some(Retracts::Before),
            None => Some(how),
        };
        ahead.skip_marks();
    }
    // "Actually, also delete the other one".
    if (ahead.at..ahead.end).any(|at| matches!(ahead.said.pieces[at].word.as_str(), "also" | "too"))
    {
        return None;
    }
    found
}

/// Places of one message that are tried.
const MARKERS_MAX: usize = 4;
/// Words of a correction that may say it is more than one.
const OTHER_MAX: usize = 5;
/// Ends of one change that are tried.
const ENDS_MAX: usize = 6;

/// Whether a word that may take something back stands behind another; without one the message need not be read again.
pub(super) fn is_marked(pieces: &[Piece]) -> bool {
    (1..pieces.len()).any(|at| MARKERS.at(pieces, at).is_some())
}

/// The message without what it takes back; only with words that clearly take something back if `sure`.
pub(super) fn corrected(utterance: &Utterance<'_>, sure: bool) -> Option<String> {
    let said = Said::read(utterance.text, utterance);
    let mut tried = 0;
    let mut done = 0;
    for at in 1..said.pieces.len() {
        let mut cursor = Cursor::new(&said, at..said.pieces.len());
        if at < done {
            continue;
        }
        let mut told = 0;
        let mut clear = false;
        while let Some(how) = cursor.take(&MARKERS) {
            told += 1;
            clear |= how == Sure::Yes || told > 1;
            cursor.skip_marks();
        }
        if told == 0 || clear != sure || !pauses(&said, at, sure) {
            continue;
        }
        done = cursor.at;
        tried += 1;
        if tried > MARKERS_MAX {
            return None;
        }
        let before = said
            .source
            .get(..said.pieces[at].span.start)?
            .trim_end_matches([' ', ',', '.', ';', '-', '–', '—', '(', '…', '\n']);
        let Some(next) = cursor.peek(0) else {
            continue;
        };
        let rest = said
            .source
            .get(next.span.start..)?
            .trim_end_matches([')', ' ']);
        if let Some(text) = worked_in(before, rest, &said, &cursor, utterance) {
            return Some(text);
        }
    }
    None
}

/// Whether the speaker pauses before the piece: a mark, or the end of a sentence.
fn pauses(said: &Said<'_>, at: usize, sure: bool) -> bool {
    let before = &said.pieces[at - 1];
    let mark = before.form == Form::Mark
        && matches!(
            before.word.as_str(),
            "," | "." | ";" | "-" | "–" | "—" | "(" | "…" | "!" | "..." | "?"
        );
    // "… at 3 no wait 4": said without one.
    mark || before.ends
        || sure && !matches!(said.pieces[at].word.as_str(), "i" | "make" | "correction")
}

/// The words before with the whole rest as a change, or with its first part as one and what follows behind it.
fn worked_in(
    before: &str,
    rest: &str,
    said: &Said<'_>,
    cursor: &Cursor<'_, '_>,
    utterance: &Utterance<'_>,
) -> Option<String> {
    // "Wait, don't, just move it": that is another request, or none at all.
    let other = (cursor.at..cursor.end.min(cursor.at + OTHER_MAX)).any(|at| {
        let here = Cursor { at, ..*cursor };
        let word = here.word(0);
        matches!(word, "not" | "never" | "keep" | "leave")
            || here
                .sees_in(&VERBS)
                .is_some_and(|(verb, _)| verb != Verb::Change)
                && !before.to_lowercase().contains(word)
    });
    if other {
        return None;
    }
    // "At 3. Actually 4.": a time of day.
    let number = rest.trim_end_matches(['.', '!', ' ']);
    let hour = number.len() <= 5
        && number.starts_with(|ch: char| ch.is_ascii_digit())
        && number.chars().all(|ch| ch.is_ascii_digit() || ch == ':');
    let whole = if hour {
        rewrite::changed(before, &format!("at {number}"), utterance)
    } else {
        rewrite::changed(before, rest, utterance)
    };
    if whole.is_some() {
        return whole;
    }
    // Where the change ends is where a mark or a small word goes on with the request.
    let base = said.pieces.get(cursor.at)?.span.start;
    (cursor.at + 1..cursor.end)
        .filter(|at| {
            let piece = &said.pieces[*at];
            piece.form == Form::Mark
                || piece.leads.is_some()
                || matches!(
                    piece.word.as_str(),
                    "at" | "with"
                        | "and"
                        | "for"
                        | "about"
                        | "that"
                        | "saying"
                        | "to"
                        | "titled"
                        | "called"
                        | "on"
                )
        })
        .take(ENDS_MAX)
        .find_map(|at| {
            let end = said.pieces[at].span.start;
            let first = said.source.get(base..end)?.trim_end_matches([' ', ',']);
            let more = said.source.get(end..)?;
            let changed = rewrite::changed(before, first, utterance)?;
            let joint = if more.starts_with([',', '.', ';']) {
                ""
            } else {
                " "
            };
            Some(format!(
                "{}{joint}{more}",
                changed.trim_end_matches(['.', ' '])
            ))
        })
}
