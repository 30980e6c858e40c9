//! Noun phrases: which things are meant, from what stands before the noun.

use super::before::before;
use super::folder::folder;
use super::table::phrases;
use super::title::head;

use super::after;
use super::cursor::Cursor;
use super::lexicon::{Noun, State};
use super::model::{Det, Pick, Pron, Sel};
use super::people::{self};
use super::said::Form;

/// What the sentence around a noun phrase keeps for itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rules {
    /// "To …" is a value of the verb ("move it to 4", "forward it to Ana").
    pub to_is_value: bool,
    /// "For …" and a bare length are values of the verb.
    pub for_is_value: bool,
    /// Times are values of the verb.
    pub times_are_values: bool,
    /// Words such as "do I have" may stand in between.
    pub question: bool,
    /// "With …" is a value of the verb ("reply to it with …").
    pub with_is_value: bool,
    /// "From …" is a value of the verb.
    pub from_is_value: bool,
    /// "Titled …" is a value of the verb once the thing is told apart otherwise ("mail the guests of my 3pm titled …").
    pub titled_is_value: bool,
    /// An adjective behind the noun is a value of the verb ("make it urgent").
    pub states_are_values: bool,
}

/// Reads a noun phrase. `default` is the kind that the verb suggests where no noun is said.
pub(super) fn phrase(
    cursor: &mut Cursor<'_, '_>,
    default: Option<Noun>,
    rules: Rules,
) -> Option<Sel> {
    let start = cursor.at;
    let mut sel = Sel {
        guess: default,
        ..Sel::default()
    };
    if let Some(all) = all_but(cursor, default, rules) {
        return Some(Sel {
            span: start..cursor.at,
            ..all
        });
    }
    let bare = whatever(cursor, &mut sel) || pronoun(cursor, &mut sel);
    if !bare {
        amount(cursor, &mut sel);
        determiner(cursor, &mut sel);
        let folder = folder(cursor, &mut sel, default);
        if !folder {
            before(cursor, &mut sel, default, rules);
        }
        let begins = cursor.at;
        let mut found = folder || head(cursor, &mut sel, default);
        // "Mail everyone in my next meeting 'I'm late'": the last words are what to say.
        let spoken = rules.titled_is_value
            && found
            && sel.exact
            && (sel.pick.is_some() || !sel.when.is_empty())
            && cursor.at > begins + 1
            && super::filler::only_closers(cursor);
        if spoken {
            cursor.at -= 1;
            sel.exact = false;
            sel.title = None;
            found = sel.noun.is_some();
        }
        if !found && !sel.is_narrowed() && !sel.all {
            cursor.at = start;
            return None;
        }
    }
    // What a pronoun stands for has a kind of its own.
    let stands = bare && sel.pron.is_some();
    if sel.noun.is_none() && !stands {
        sel.noun = default;
    }
    let rules = Rules {
        times_are_values: rules.times_are_values || stands,
        ..rules
    };
    after::modifiers(cursor, &mut sel, rules);
    // Only tasks are due.
    if sel.due && !sel.said && !stands && default != Some(Noun::Reminder) {
        sel.noun = Some(Noun::Task);
    }
    attachments(&mut sel);
    settle(&mut sel);
    sel.span = start..cursor.at;
    (cursor.at > start).then_some(sel)
}

/// "All but the last 3 emails from Bob": everything of the kind, and what is left out.
fn all_but(cursor: &mut Cursor<'_, '_>, default: Option<Noun>, rules: Rules) -> Option<Sel> {
    let mut ahead = *cursor;
    if !ahead.eat(&[
        "all but",
        "all except",
        "everything but",
        "everything except",
        "all of them but",
        "every one but",
        "everything besides",
        "everything apart from",
        "everything other than",
    ]) {
        return None;
    }
    let left = phrase(&mut ahead, default, rules)?;
    if left.pron.is_some() || left.noun.is_none() {
        return None;
    }
    // What names a place in an order is left out of that order; a time holds for both. Anybody named with a single thing
    // ("all but Ana's mail") could hold for one or both, and that is not guessed.
    let mut all = Sel {
        noun: left.noun,
        said: left.said,
        all: true,
        plural: true,
        when: left.when.clone(),
        ..Sel::default()
    };
    match left.pick {
        Some(Pick::First(_) | Pick::Last(_) | Pick::Latest(_) | Pick::Next(_)) => {
            all.from.clone_from(&left.from);
            all.to.clone_from(&left.to);
            all.with.clone_from(&left.with);
            all.title.clone_from(&left.title);
            all.about.clone_from(&left.about);
            all.folder = left.folder;
            all.states.clone_from(&left.states);
        }
        _ if !left.from.is_empty() || !left.with.is_empty() || !left.to.is_empty() => return None,
        _ => {}
    }
    all.except.push(left);
    *cursor = ahead;
    Some(all)
}

/// "Attachments from Lena": the mails that have them.
fn attachments(sel: &mut Sel) {
    let named = sel.title.as_ref().is_some_and(|words| {
        !words.quoted
            && matches!(
                words.text.to_lowercase().as_str(),
                "attachments" | "attachment" | "attached files"
            )
    });
    if named && (sel.noun.is_none() || sel.noun == Some(Noun::Mail)) {
        sel.title = None;
        sel.noun = Some(Noun::Mail);
        sel.plural = true;
        sel.states.push(State::Attachment);
    }
}

/// Decides what a phrase without further description stands for.
fn settle(sel: &mut Sel) {
    // "The second one": a place in what was shown, unless something else narrows it.
    if sel.noun == Some(Noun::Any)
        && let Some(place) = sel.pick.and_then(people::place_of)
        && sel.det == Det::The
        && !(Sel {
            pick: None,
            ..sel.clone()
        })
        .is_narrowed()
    {
        sel.pron = Some(Pron::Place(place));
    }
    if sel.pron.is_some() || sel.is_narrowed() || sel.all {
        return;
    }
    sel.pron = match (sel.det, sel.plural) {
        (Det::That, true) => Some(Pron::Them),
        (Det::That | Det::The, false) => Some(Pron::That),
        _ => None,
    };
}

/// "It", "that", "both of them", "the second one".
fn pronoun(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> bool {
    if cursor.peek(0).is_some_and(|piece| piece.leads.is_some()) {
        return false;
    }
    if cursor.eat(&[
        "both of them",
        "both of those",
        "both of these",
        "them both",
    ]) || (cursor.word(0) == "both"
        && !cursor.is_content(1)
        && !matches!(cursor.word(1), "of" | "my" | "the")
        && cursor.eat(&["both"]))
    {
        sel.pron = Some(Pron::Both);
        return true;
    }
    if cursor.eat_any(phrases!(
        "all of them | all of those | all of these | them all | each of them | every one of them | \
        those ones | these ones"
    )) {
        sel.pron = Some(Pron::Them);
        sel.all = true;
        return true;
    }
    if cursor.eat(&["all those", "all these"]) {
        sel.pron = Some(Pron::Them);
        sel.det = Det::That;
        sel.all = true;
        let _ = head(cursor, sel, None);
        return true;
    }
    if cursor.eat(&["this one", "that one", "the one"]) {
        let described = cursor.sees_any(phrases!("about | with | from | titled | called | named | at | on | that | i | regarding | to | in | for")).is_some()
            || cursor.sees_time().is_some();
        sel.noun = Some(Noun::Any);
        sel.pron = (!described).then_some(Pron::It);
        sel.det = Det::The;
        return true;
    }
    let stands_alone = !cursor.is_content(1)
        || cursor.peek(1).is_some_and(|next| next.leads.is_some())
        || matches!(
            cursor.word(1),
            "later"
                | "earlier"
                | "called"
                | "instead"
                | "please"
                | "done"
                | "again"
                | "thanks"
                | "forward"
                | "back"
                | "off"
        );
    match cursor.word(0) {
        "it" => {
            cursor.at += 1;
            sel.pron = Some(Pron::It);
            true
        }
        "this" | "that" if stands_alone => {
            cursor.at += 1;
            sel.pron = Some(Pron::It);
            true
        }
        "them" => {
            cursor.at += 1;
            sel.pron = Some(Pron::Them);
            true
        }
        "those" | "these" if stands_alone => {
            cursor.at += 1;
            sel.pron = Some(Pron::Them);
            true
        }
        "number" | "#" | "option" | "no"
            if cursor.peek(1).is_some_and(|next| next.form == Form::Number) =>
        {
            let place = cursor.word(1).parse().unwrap_or(0);
            cursor.at += 2;
            sel.pron = Some(Pron::Place(place));
            true
        }
        _ => false,
    }
}

/// "Whatever (I have) at 11", "everything I have on Friday": what is in the calendar then.
fn whatever(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> bool {
    let mut ahead = *cursor;
    if !ahead.eat(&[
        "whatever",
        "everything",
        "anything",
        "all",
        "all that",
        "everything that",
    ]) {
        return false;
    }
    let open = ahead.said.pieces[ahead.at - 1].word == "whatever";
    let had = ahead.eat_any(phrases!(
        "i have got planned | i have got on | i have got | i have planned | i have scheduled | i have on my calendar | i have on my schedule | \
        i have on | i have booked | is on my calendar | is in my calendar | is on my schedule | is scheduled | is planned | is booked | is on | i have | \
        meeting i have | meetings i have"
    ));
    if !(had || open) || ahead.sees_time().is_none() {
        return false;
    }
    sel.noun = Some(Noun::Event);
    sel.said = true;
    sel.all = true;
    sel.plural = true;
    *cursor = ahead;
    true
}

fn amount(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) {
    if cursor.eat_any(phrases!(
        "all of | every one of | each of | all | every single | every | each | each and every | \
        any and all | every last | both of | both | the whole | every other kind of"
    )) {
        sel.all = true;
        if cursor.eat(&["the rest of", "the other"]) {}
    } else if cursor.eat(&["any of", "any", "some of", "some"]) {
        sel.det = Det::Any;
    } else if cursor.eat(&["the rest of", "the remaining"]) {
        sel.all = true;
        sel.states.push(State::Future);
    } else if cursor.eat(&["no more", "no"]) {
        sel.det = Det::No;
    }
    cursor.eat(&["more"]);
}

fn determiner(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) {
    let det = match cursor.word(0) {
        "the" => Det::The,
        "a" | "an" => Det::A,
        "my" | "our" => Det::My,
        "this" | "that" | "these" | "those" => Det::That,
        _ => return,
    };
    if cursor.peek(0).is_some_and(|piece| piece.leads.is_some()) {
        return;
    }
    sel.ours |= cursor.word(0) == "our";
    cursor.at += 1;
    if sel.det == Det::None || det != Det::The {
        sel.det = det;
    }
    cursor.eat(&["own", "entire", "whole"]);
}

/// Whole minutes of a length of time.
pub(super) fn minutes(seconds: f64) -> Option<i64> {
    let minutes = (seconds / 60.0).round();
    // A year and more is no length that anything here has.
    (1.0..=600_000.0)
        .contains(&minutes)
        .then_some(minutes as i64)
}
