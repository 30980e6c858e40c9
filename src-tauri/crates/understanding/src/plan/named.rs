//! "The event Lunch", "the note team dinner": a noun that says what kind of thing is meant, with the thing's name behind it.

use std::ops::Range;

use super::cursor::Cursor;
use super::lexicon::{NOUNS, Noun, Use};
use super::model::Sel;
use super::said::{Form, Piece};

/// Pieces of a name with capital letters that are read on behind the run a title may have.
const FURTHER_MAX: usize = 6;

/// Second words of a compound: "the meeting room tour", "the note taking workshop", "the task force sync" are no names behind
/// a noun.
const COMPOUND: &str = "agenda app backlog board book booking bot budget calendar campaign center centre chain committee culture \
    cycle facilitation force hall house invite list manager management marketing merge minutes notes organiser organizer \
    planner planning platform policy pool process recording report room rooms rule rules schedule scheduling series server \
    setup sheet space summary supplies system systems taker taking team template templates tool tools tracker tracking venue";

/// The same behind "note", which fewer words follow as one: "the note team dinner" is a note of that name.
const NOTE_COMPOUND: &str = "app board book card pad paper server sharing system systems taker taking template templates tool tools";

/// Reads the kind and the name behind it; whether there were both.
pub(super) fn kind_and_name(
    cursor: &mut Cursor<'_, '_>,
    range: &Range<usize>,
    default: Option<Noun>,
    sel: &mut Sel,
) -> bool {
    let Some((noun, name)) = kind_before_name(cursor, range, default) else {
        return false;
    };
    let end = name.end + capitals(cursor, &name);
    let Some(words) = cursor.words(name.start..end) else {
        return false;
    };
    sel.noun = Some(noun);
    sel.said = true;
    sel.title = Some(words);
    cursor.at = end;
    true
}

/// The kind said first and the places of the name behind it.
fn kind_before_name(
    cursor: &Cursor<'_, '_>,
    range: &Range<usize>,
    default: Option<Noun>,
) -> Option<(Noun, Range<usize>)> {
    let pieces = &cursor.said.pieces[..range.end];
    let ((noun, used), len) = NOUNS.at(pieces, range.start)?;
    let first = &pieces[range.start];
    let name = range.start + len..range.end;
    let next = pieces.get(name.start)?;
    // "The Event planning", "the Note Taking Workshop": what is written as a name begins with that word.
    if first.capital || !says_kind(noun, used, &pieces[name.start - 1]) {
        return None;
    }
    let proper = next.capital;
    let compound = if noun == Noun::Note {
        NOTE_COMPOUND
    } else {
        COMPOUND
    };
    if !proper && compound.split_whitespace().any(|word| word == next.word) {
        return None;
    }
    let Some((tail, tail_at)) = tail(cursor, &name) else {
        // Without a second noun a plain one is read with its name anyhow.
        return (proper && used == Use::Soft).then_some((noun, name));
    };
    let lone = tail_at == name.start;
    let behind = match (used, tail) {
        _ if proper => true,
        // "The event planning meeting", "the meeting room booking", "the mail room call".
        (Use::Soft, _) | (_, Use::Plain | Use::Soft) => false,
        _ if noun == Noun::Event => true,
        // "Cancel the task review": what the verb acts on decides.
        _ => match default {
            None | Some(Noun::Any) => true,
            Some(kind) => kind == noun || lone && kind != Noun::Event,
        },
    };
    behind.then_some((noun, name))
}

/// Whether the noun is one that people put before a name.
fn says_kind(noun: Noun, used: Use, last: &Piece) -> bool {
    match noun {
        Noun::Event if used == Use::Plain => matches!(
            last.base.as_str(),
            "event" | "meeting" | "appointment" | "entry" | "item" | "engagement"
        ),
        Noun::Event => used == Use::Soft && matches!(last.base.as_str(), "call" | "session"),
        Noun::Mail => {
            used == Use::Plain && matches!(last.base.as_str(), "mail" | "email" | "message")
        }
        Noun::Note => true,
        Noun::Task | Noun::Reminder => last.base != "alarm",
        _ => false,
    }
}

/// How the noun is used with which the name ends, and where that begins.
fn tail(cursor: &Cursor<'_, '_>, name: &Range<usize>) -> Option<(Use, usize)> {
    (name.start..name.end).find_map(|at| {
        NOUNS
            .at(&cursor.said.pieces[..name.end], at)
            .filter(|(_, len)| at + len == name.end)
            .map(|((_, used), _)| (used, at))
    })
}

/// "The task Email Ana": words with capital letters that go on with a name.
fn capitals(cursor: &Cursor<'_, '_>, name: &Range<usize>) -> usize {
    let pieces = &cursor.said.pieces[..cursor.end];
    if !pieces.get(name.start).is_some_and(|piece| piece.capital) {
        return 0;
    }
    (name.end..pieces.len().min(name.end + FURTHER_MAX))
        .take_while(|at| {
            let piece = &pieces[*at];
            !pieces[at - 1].ends
                && piece.form == Form::Word
                && piece.capital
                && piece.word != "i"
                && piece.leads.is_none()
        })
        .count()
}
