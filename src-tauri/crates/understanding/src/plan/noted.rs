//! Facts that may have been told or noted: looked up among memories and among notes.

use super::ask::Part;
use super::clause::Parse;
use super::cursor::Cursor;
use super::filler;
use super::lexicon::{self, NOUNS, Noun};
use super::model::{Act, Ask, Request, Sel, Who, Words};
use super::noted_words::{DEALT_WITH, GIVEN, PARTICULARS, SECRETS, WORLDLY};
use super::people::{self, Place};
use super::recall::is_kept;
use super::said::Form;
use super::table::phrases;

/// Content words that may stand in front of what is asked for ("the back garage door code").
const RUN_MAX: usize = 4;

/// Looks `about` up among what is remembered and among the notes.
pub(super) fn look_up(parse: &mut Parse<'_, '_>, about: Words) {
    let text = note_words(&about.text);
    let span = about.span;
    remembered(parse, about);
    if text.is_empty() {
        return;
    }
    let about = Words {
        text,
        span,
        quoted: false,
    };
    parse.push(Request::new(
        Act::Query(Ask::List),
        Sel {
            about: Some(about),
            ..Sel::of(Noun::Note)
        },
    ));
}

/// Looks `about` up among what is remembered.
pub(super) fn remembered(parse: &mut Parse<'_, '_>, about: Words) {
    parse.push(Request::new(
        Act::Recall,
        Sel {
            about: Some(about),
            ..Sel::of(Noun::Memory)
        },
    ));
}

/// Looks up what is left of the clause.
pub(super) fn look_up_rest<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    let Some(about) = super::change::rest(cursor) else {
        return Ok(false);
    };
    look_up(parse, about);
    Ok(true)
}

/// The words that a note has to hold. A note has the name itself, and seldom the word "name".
fn note_words(text: &str) -> String {
    const SMALL: &[&str] = &[
        "name", "names", "called", "named", "old", "tall", "the", "a", "an", "my", "our", "of",
        "for", "to", "from", "in", "on", "at", "is", "does", "do", "did", "with", "into", "was",
    ];
    text.split_whitespace()
        .map(|word| people::strip_possessive(word.trim_matches(|ch: char| !ch.is_alphanumeric())))
        .filter(|word| !word.is_empty() && !SMALL.contains(&word.to_lowercase().as_str()))
        .collect::<Vec<_>>()
        .join(" ")
}

/// "What's the garage code", "what is the password for the printer", "what was the name of the plumber".
pub(super) fn kept<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    if !cursor.eat_any(phrases!(
        "what is | what was | what 's | what are | what were"
    )) || dated(cursor)
    {
        return Ok(false);
    }
    let own = cursor.eat(&["my", "our"]);
    if !own && !cursor.eat(&["the"]) {
        return Ok(false);
    }
    let run = content(cursor);
    let Some(last) = run.checked_sub(1).and_then(|at| cursor.peek(at)) else {
        return Ok(false);
    };
    let (last, secret) = (last.base.as_str(), SECRETS.contains(&last.base.as_str()));
    let mut behind = *cursor;
    behind.at += run;
    let ends = filler::only_closers(&behind);
    let found = if run > 1 && (ends || secret && of(&mut behind).is_some()) {
        let lone = matches!(last, "number" | "size" | "key" | "address");
        (secret || lone) && (own && secret || is_ones_own(cursor, run, secret))
    } else if run == 1 && (is_kept(last) && last != "number") {
        of(&mut behind).is_some_and(|object| {
            secret
                || object
                    && matches!(
                        last,
                        "name" | "size" | "colour" | "color" | "brand" | "model"
                    )
        })
    } else {
        false
    };
    if found {
        look_up_rest(parse, cursor)
    } else {
        Ok(false)
    }
}

/// "Of the plumber", to the end of the clause. Whether that is somebody or something one deals with; `None` when it is no object.
fn of(cursor: &mut Cursor<'_, '_>) -> Option<bool> {
    if !cursor.eat(&["of", "for", "to"]) {
        return None;
    }
    let own = cursor.eat(&["my", "our"]);
    cursor.eat(&["the"]);
    let run = content(cursor);
    let worldly = (0..run).any(|at| {
        cursor
            .peek(at)
            .is_some_and(|piece| WORLDLY.contains(&piece.word.as_str()) || piece.capital && !own)
    });
    let dealt = run
        .checked_sub(1)
        .and_then(|at| cursor.peek(at))
        .is_some_and(|piece| DEALT_WITH.contains(&piece.base.as_str()));
    cursor.at += run;
    (run > 0 && (own || !worldly) && filler::only_closers(cursor)).then_some(own || dealt)
}

/// Whether "the … code" is one of the person's own: nothing that the world numbers, and nothing named after somebody.
fn is_ones_own(cursor: &Cursor<'_, '_>, run: usize, secret: bool) -> bool {
    (0..run - 1).all(|at| {
        cursor.peek(at).is_some_and(|piece| {
            let ours = NOUNS
                .at(&cursor.said.pieces[..cursor.end], cursor.at + at)
                .is_some();
            let code = cursor.peek(run - 1).is_some_and(|last| {
                matches!(
                    last.base.as_str(),
                    "code" | "number" | "size" | "key" | "address"
                )
            });
            let worldly = WORLDLY.contains(&piece.word.as_str()) || code && piece.capital;
            !worldly && (secret || !ours)
        })
    })
}

/// "Which gate does Bob's flight leave from": a particular of something somebody has.
pub(super) fn particular<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    cursor.eat(&["from", "at", "on", "in"]);
    if !cursor.eat(&["which", "what"]) || dated(cursor) {
        return Ok(false);
    }
    let start = *cursor;
    if !cursor
        .peek(0)
        .is_some_and(|piece| PARTICULARS.contains(&piece.base.as_str()))
    {
        return Ok(false);
    }
    cursor.at += 1;
    if !cursor.eat(&["does", "do", "did", "is", "are", "was", "will"]) {
        return Ok(false);
    }
    let whose = *cursor;
    let mut owner = *cursor;
    let own = owner.eat(&["my", "our"]);
    let named = !own
        && people::one(&mut owner, Place::Maybe)
            .is_some_and(|who| matches!(who, Who::Named { .. }))
        && people::possessive(&owner);
    if !own && !named {
        return Ok(false);
    }
    let Some(asked) = start.words(start.at..start.at + 1) else {
        return Ok(false);
    };
    *cursor = whose;
    let Some(rest) = super::change::rest(cursor) else {
        return Ok(false);
    };
    // The verb of leaving is in few notes: whose it is and what is asked for is enough.
    let rest = without_verb(&rest.text);
    let text = format!("{rest} {}", asked.text);
    look_up(
        parse,
        Words {
            text,
            span: asked.span,
            quoted: false,
        },
    );
    Ok(true)
}

/// "My flight leave from" is "my flight".
fn without_verb(text: &str) -> String {
    const VERBS: &[&str] = &[
        "leave", "leaves", "depart", "departs", "go", "board", "arrive", "land", "come", "start",
        "take", "in", "on", "from", "at",
    ];
    text.split_whitespace()
        .take_while(|word| !VERBS.contains(&word.to_lowercase().as_str()))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether a name without a capital stands in front of what people do: "where does kim live". A thing would have an article.
pub(super) fn bare_name(cursor: &Cursor<'_, '_>) -> bool {
    let one = cursor
        .at
        .checked_sub(1)
        .and_then(|at| cursor.said.pieces.get(at))
        .is_some_and(|before| before.word == "does");
    one && cursor.peek(0).is_some_and(|piece| {
        piece.form == Form::Word
            && piece.word == piece.base
            && !lexicon::is_known(&piece.word)
            && !lexicon::is_function(&piece.word)
    }) && matches!(cursor.word(1), "live" | "work" | "like" | "prefer")
        && {
            let mut behind = *cursor;
            behind.at += 2;
            filler::only_closers(&behind)
        }
}

/// Whether somebody stands here whom the address book has, or a common given name.
pub(super) fn is_acquainted(cursor: &Cursor<'_, '_>) -> bool {
    people::one(&mut { *cursor }, Place::Known).is_some_and(|who| matches!(who, Who::Named { .. }))
        || GIVEN.contains(&cursor.word(0)) && !cursor.peek(1).is_some_and(|next| next.capital)
}

/// "Who is Kim": one given name alone is somebody the person knows; who is known to the world has more names, or another.
pub(super) fn given_name(cursor: &Cursor<'_, '_>) -> bool {
    let mut behind = *cursor;
    behind.at += 1;
    filler::only_closers(&behind)
        && cursor
            .peek(0)
            .is_some_and(|piece| piece.form == Form::Word && (GIVEN.contains(&piece.word.as_str())))
}

fn content(cursor: &Cursor<'_, '_>) -> usize {
    (0..RUN_MAX).take_while(|at| cursor.is_content(*at)).count()
}

/// What a day holds is not told but entered.
fn dated(cursor: &Cursor<'_, '_>) -> bool {
    (cursor.at..cursor.end).any(|at| matches!(cursor.said.pieces[at].form, Form::Time(_)))
}
