//! People the address book does not have, groups, and times that are names.

use adjutant_text::fold;

use super::cursor::Cursor;
use super::lexicon;
use super::model::Who;
use super::people::{NAME_WORDS_MAX, Place, strip_possessive};
use super::said::Form;
use super::table::phrases;

pub(super) fn unknown(cursor: &mut Cursor<'_, '_>, place: Place) -> Option<Who> {
    if place == Place::Known {
        return None;
    }
    let mut len = 0;
    while len < NAME_WORDS_MAX {
        let Some(piece) = cursor.peek(len) else { break };
        let capital = piece.form == Form::Word
            && piece.capital
            && piece.word != "i"
            && piece.word != "'s"
            && !lexicon::is_function(&piece.word);
        // A word that begins the sentence has its capital from there ("Move Priya's mail").
        let first = len == 0 && (cursor.at == 0 || cursor.said.pieces[cursor.at - 1].ends);
        let begins = first
            && lexicon::is_known(&piece.base)
            && cursor
                .peek(1)
                .is_some_and(|next| !cursor.said.people_named(&next.word).is_empty());
        if !capital
            || begins
            || (len == 0 && place == Place::Maybe && lexicon::is_known(&piece.base))
        {
            break;
        }
        len += 1;
        if piece.ends || cursor.peek(len).is_some_and(|next| next.word == "'s") {
            break;
        }
    }
    if len == 0 && place == Place::Sure {
        let piece = cursor.peek(0)?;
        let alone = piece.form == Form::Word
            && !matches!(
                piece.word.as_str(),
                "half"
                    | "anyone"
                    | "anybody"
                    | "someone"
                    | "somebody"
                    | "nobody"
                    | "noone"
                    | "something"
            )
            && piece.word.chars().all(char::is_alphabetic)
            && !lexicon::is_known(&piece.base)
            && !lexicon::is_known(&piece.word);
        // One word, or a word before a possessive or a preposition; a longer run of plain words is no name.
        let longer = cursor.is_content(1)
            && !cursor
                .peek(1)
                .is_some_and(|next| lexicon::is_known(&next.base) || next.leads.is_some());
        if alone && !longer {
            len = 1;
        }
    }
    if len == 0 {
        return None;
    }
    let said = strip_possessive(cursor.said.slice(cursor.at..cursor.at + len)).to_owned();
    cursor.at += len;
    Some(Who::Named {
        name: said.clone(),
        said,
        known: false,
    })
}

/// "The design team", "our lawyers", "the client".
pub(super) fn group(cursor: &mut Cursor<'_, '_>, place: Place) -> Option<Who> {
    if place != Place::Sure {
        return None;
    }
    let mut ahead = *cursor;
    if !ahead.eat_any(phrases!("the | my | our | their")) {
        return None;
    }
    // "The people affected": whom that is was not said.
    if matches!(
        ahead.word(0),
        "people"
            | "person"
            | "others"
            | "rest"
            | "guys"
            | "ones"
            | "most"
            | "fewest"
            | "more"
            | "fewer"
    ) {
        return None;
    }
    let start = ahead.at;
    while ahead.is_content(0)
        && ahead.at - start < NAME_WORDS_MAX
        && ahead.peek(0).is_some_and(|piece| {
            piece.leads.is_none()
                && piece.form == Form::Word
                && (!lexicon::is_known(&piece.word) || ahead.at == start)
                // "The invoice Grace sent me": somebody of her own.
                && (!piece.capital || ahead.said.people_named(&piece.word).is_empty())
        })
        && lexicon::NOUNS.at(&ahead.said.pieces, ahead.at).is_none()
    {
        ahead.at += 1;
    }
    // "From the newsletter": its own name is what the sender is called.
    let letter = ahead.at == start && ahead.word(0) == "newsletter";
    if letter {
        ahead.at += 1;
    }
    // "The Vogel practice": a name in front of a word that is also a kind of event.
    let firm = !letter
        && ahead.at > start
        && ahead.said.pieces[start].capital
        && matches!(
            lexicon::NOUNS.at(&ahead.said.pieces, ahead.at),
            Some(((lexicon::Noun::Event, lexicon::Use::Titled), 1))
        )
        && !ahead.is_content(1);
    if firm {
        ahead.at += 1;
    }
    if ahead.at == start || !letter && lexicon::NOUNS.at(&ahead.said.pieces, ahead.at).is_some() {
        return None;
    }
    if letter {
        let said = cursor.said.slice(start..ahead.at).to_owned();
        *cursor = ahead;
        return Some(Who::Named {
            name: said.clone(),
            said,
            known: false,
        });
    }
    if firm {
        let said = cursor.said.slice(start..ahead.at).to_owned();
        *cursor = ahead;
        return Some(Who::Named {
            name: said.clone(),
            said,
            known: false,
        });
    }
    let said = cursor.said.slice(cursor.at..ahead.at).to_owned();
    *cursor = ahead;
    Some(Who::Group(said))
}

/// "April" and "May" are people where the address book says so and nothing else fits.
pub(super) fn time_that_is_a_name(cursor: &mut Cursor<'_, '_>) -> Option<Who> {
    let piece = cursor.peek(0)?;
    let text = cursor.said.source.get(piece.span.clone())?;
    let named = cursor.said.people_named(&fold(text));
    if named.is_empty() {
        return None;
    }
    cursor.at += 1;
    let name = match named {
        [only] => cursor
            .said
            .utterance
            .people
            .get(*only)
            .map_or(text, |(name, _)| name.as_str()),
        _ => text,
    };
    Some(Who::Named {
        name: name.to_owned(),
        said: text.to_owned(),
        known: true,
    })
}

/// "To will and lena": a small word that is also a name stands where only a name can, and nothing goes on with it.
pub(super) fn stands_as_name(cursor: &Cursor<'_, '_>) -> bool {
    let mut behind = *cursor;
    behind.at += 1;
    let joined = matches!(behind.word(0), "and" | "," | "&")
        && behind.peek(1).is_some_and(|next| {
            next.form == Form::Word && !cursor.said.people_named(&next.word).is_empty()
        });
    joined
        || behind.is_done()
        || behind.sees_time().is_some()
        || matches!(behind.peek(0).map(|next| next.form), Some(Form::Mark)) && behind.word(0) != ","
        || behind.sees_any(&super::joints::TITLED).is_some()
        || behind.sees_any(&super::joints::SAYING).is_some()
        || behind.sees_any(&super::joints::ABOUT).is_some()
}
