//! Noun phrases: which things are meant, from what stands before the noun.

use super::table::phrases;
use super::title::{head, head_of, title_range};
use std::sync::LazyLock;

use super::after;
use super::cursor::Cursor;
use super::lexicon::{NOUNS, Noun, STATES, State};
use super::model::{Det, Pick, Pron, Sel};
use super::people::{self, Place};
use super::said::Form;
use super::table::Table;
use crate::time::{Grain, Value};

/// Words before a noun that are looked at.
const BEFORE_MAX: usize = 24;

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

static ORDINALS: LazyLock<Table<Pick>> = LazyLock::new(|| {
    Table::new(&[
        (
            "first | earliest | very first | soonest | oldest | 1st | earlier of",
            Pick::First(1),
        ),
        ("second", Pick::Nth(2)),
        ("third", Pick::Nth(3)),
        ("fourth", Pick::Nth(4)),
        ("fifth", Pick::Nth(5)),
        ("sixth", Pick::Nth(6)),
        ("seventh", Pick::Nth(7)),
        ("eighth", Pick::Nth(8)),
        ("ninth", Pick::Nth(9)),
        ("tenth", Pick::Nth(10)),
        ("last | final | very last | later of", Pick::Last(1)),
        (
            "second to last | second last | penultimate | last but one",
            Pick::Nth(-2),
        ),
        (
            "latest | most recent | newest | most recently received | very latest",
            Pick::Latest(1),
        ),
        ("next | very next | next upcoming", Pick::Next(1)),
        ("longest | biggest", Pick::Longest),
        ("shortest", Pick::Shortest),
    ])
});

static COUNTS: LazyLock<Table<usize>> = LazyLock::new(|| {
    Table::new(&[
        ("one", 1),
        ("two | couple of | couple", 2),
        ("three | few", 3),
        ("four", 4),
        ("five", 5),
        ("six", 6),
        ("seven", 7),
        ("eight", 8),
        ("nine", 9),
        ("ten", 10),
    ])
});

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
    let bare = pronoun(cursor, &mut sel);
    if !bare {
        amount(cursor, &mut sel);
        determiner(cursor, &mut sel);
        before(cursor, &mut sel, default, rules);
        let found = head(cursor, &mut sel, default);
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

/// Ordinals, numbers, states, times and owners before the noun.
pub(super) fn before(
    cursor: &mut Cursor<'_, '_>,
    sel: &mut Sel,
    default: Option<Noun>,
    rules: Rules,
) {
    let mut said = None;
    for _ in 0..BEFORE_MAX {
        if let Some((pick, len)) = ordinal(cursor) {
            cursor.at += len;
            sel.pick = Some(pick);
            // "The last 3 mails" and "the three latest mails".
            if let Some(count) = counted(cursor).or(said) {
                sel.pick = Some(many(pick, count));
            }
            let oldest = cursor
                .at
                .checked_sub(1)
                .and_then(|at| cursor.said.pieces.get(at))
                .is_some_and(|last| last.word == "oldest");
            if oldest && matches!(task_noun(cursor).or(default), Some(Noun::Task)) {
                sel.order = Some("created");
            }
            // "The later of my two meetings": the number is how many there are.
            if cursor.eat(&["of my", "of the", "of our", "of those", "of these"])
                || cursor.at > 0
                    && cursor.said.pieces[cursor.at - 1].word == "of"
                    && cursor.eat(&["my", "the", "our", "those", "these"])
            {
                counted(cursor);
            } else {
                cursor.eat(&["of"]);
            }
            continue;
        }
        if let Some(n) = counted(cursor) {
            said = Some(n);
            sel.pick = Some(many(sel.pick.unwrap_or(Pick::First(1)), n));
            if sel.det == Det::None && !sel.all {
                sel.det = Det::Any;
            }
            continue;
        }
        // "My top three tasks".
        if cursor.word(0) == "top" && default_task(cursor, default) {
            let mut ahead = *cursor;
            ahead.at += 1;
            if let Some(n) = counted(&mut ahead) {
                sel.pick = Some(Pick::First(n));
                sel.order = Some("-priority");
                *cursor = ahead;
                continue;
            }
        }
        // "My most urgent task": the first by urgency; several are those that are urgent.
        if let Some(len) = cursor.sees(&[
            "most urgent",
            "most important",
            "highest priority",
            "top priority",
        ]) && single_task(cursor, len, default)
        {
            cursor.at += len;
            sel.pick = Some(Pick::First(1));
            sel.order = Some("-priority");
            continue;
        }
        // "Archive read mails".
        if cursor.word(0) == "read"
            && default == Some(Noun::Mail)
            && NOUNS
                .at(&cursor.said.pieces[..cursor.end], cursor.at + 1)
                .is_some_and(|((noun, _), _)| noun == Noun::Mail)
        {
            cursor.at += 1;
            sel.states.push(State::Read);
            continue;
        }
        // An adjective that ends the phrase would be the title itself ("the task done").
        if let Some((state, len)) = cursor.sees_in(&STATES)
            && (cursor.is_content(len)
                || cursor
                    .peek(len)
                    .is_some_and(|next| matches!(next.form, Form::Time(_) | Form::Quote(_))))
            && cursor.peek(0).is_some_and(|piece| {
                !(piece.capital
                    && cursor.at > 0
                    && !cursor.said.pieces[cursor.at - 1].ends
                    && cursor.peek(len).is_some_and(|next| next.capital))
            })
        {
            cursor.at += len;
            sel.states.push(state);
            cursor.eat(&[",", "and"]);
            continue;
        }
        if cursor.word(0) == "new" && default == Some(Noun::Mail)
            || cursor.word(0) == "new"
                && NOUNS
                    .at(&cursor.said.pieces, cursor.at + 1)
                    .is_some_and(|((noun, _), _)| noun == Noun::Mail)
        {
            cursor.at += 1;
            sel.states.push(State::Unread);
            continue;
        }
        if let Some((index, len)) = cursor.sees_time()
            && time_before(cursor, sel, index, len, rules)
        {
            continue;
        }
        if owner(cursor, sel, default) {
            continue;
        }
        if cursor.eat_any(phrases!("other | single | actual | entire | current")) {
            continue;
        }
        break;
    }
}

/// The kind that the noun behind here says.
fn task_noun(cursor: &Cursor<'_, '_>) -> Option<Noun> {
    title_range(cursor)
        .and_then(|range| head_of(cursor, &range))
        .map(|(noun, ..)| noun)
}

/// Whether the phrase from here on is about tasks.
fn default_task(cursor: &Cursor<'_, '_>, default: Option<Noun>) -> bool {
    task_noun(cursor).or(default) == Some(Noun::Task)
}

/// Whether one task is meant behind `len` words.
fn single_task(cursor: &Cursor<'_, '_>, len: usize, default: Option<Noun>) -> bool {
    let mut ahead = *cursor;
    ahead.at += len;
    match title_range(&ahead).and_then(|range| head_of(&ahead, &range)) {
        Some((noun, _, at, noun_len)) => {
            let plural = ahead
                .said
                .pieces
                .get(at + noun_len - 1)
                .is_some_and(|piece| piece.word != piece.base);
            noun == Noun::Task && !plural
        }
        None => default == Some(Noun::Task),
    }
}

fn ordinal(cursor: &Cursor<'_, '_>) -> Option<(Pick, usize)> {
    if let Some(piece) = cursor.peek(0)
        && piece.form == Form::Ordinal
    {
        let n: i64 = piece
            .word
            .trim_end_matches(char::is_alphabetic)
            .parse()
            .ok()?;
        return (1..=100).contains(&n).then_some((Pick::Nth(n), 1));
    }
    if cursor.peek(0)?.leads.is_some() {
        return None;
    }
    cursor.sees_in(&ORDINALS)
}

fn count(cursor: &mut Cursor<'_, '_>) -> Option<usize> {
    if let Some(n) = cursor.take(&COUNTS) {
        return Some(n);
    }
    let piece = cursor.peek(0).filter(|piece| piece.form == Form::Number)?;
    let n = piece.word.parse().ok().filter(|n| (1..=500).contains(n))?;
    cursor.at += 1;
    Some(n)
}

/// A number before a noun or an adjective ("3 emails", "two unread mails").
fn counted(cursor: &mut Cursor<'_, '_>) -> Option<usize> {
    let mut ahead = *cursor;
    let n = count(&mut ahead)?;
    let noun = ahead.sees_in(&NOUNS).is_some()
        || ahead.sees_in(&STATES).is_some()
        || ordinal(&ahead).is_some()
        || ahead.is_content(0)
            && (ahead.at..ahead.end.min(ahead.at + 6))
                .any(|at| NOUNS.at(&ahead.said.pieces[..ahead.end], at).is_some());
    noun.then(|| {
        *cursor = ahead;
        n
    })
}

fn many(pick: Pick, n: usize) -> Pick {
    match pick {
        Pick::First(_) => Pick::First(n),
        Pick::Last(_) => Pick::Last(n),
        Pick::Next(_) => Pick::Next(n),
        Pick::Latest(_) => Pick::Latest(n),
        other => other,
    }
}

/// A time before the noun narrows it ("my Friday meeting"), unless it is the first word of a name ("weekly summary").
fn time_before(
    cursor: &mut Cursor<'_, '_>,
    sel: &mut Sel,
    index: usize,
    len: usize,
    rules: Rules,
) -> bool {
    let Some(found) = cursor.said.times.get(index) else {
        return false;
    };
    if len > 1 {
        return false;
    }
    let noun_follows = NOUNS.at(&cursor.said.pieces, cursor.at + len).is_some();
    let name = match found.value {
        Value::Set { .. } => true,
        Value::Duration(_) if noun_follows && whole_day(cursor) => {
            sel.states.push(State::AllDay);
            cursor.at += len;
            return true;
        }
        Value::Duration(ref length) => {
            if noun_follows || cursor.word(len) == "long" {
                let minutes = minutes(length.seconds);
                sel.minutes_min = minutes;
                sel.minutes_max = minutes;
                cursor.at += len;
                cursor.eat(&["long"]);
                return true;
            }
            true
        }
        _ => {
            matches!(
                found.grain,
                Grain::Quarter | Grain::Year | Grain::Decade | Grain::Month
            ) && !noun_follows
        }
    };
    if name || rules.times_are_values {
        return false;
    }
    sel.when.push(index);
    cursor.at += len;
    cursor.eat(&["'s", "s"]);
    true
}

/// "All-day", which is how long but not so many minutes.
fn whole_day(cursor: &Cursor<'_, '_>) -> bool {
    cursor
        .peek(0)
        .and_then(|piece| cursor.said.source.get(piece.span.clone()))
        .is_some_and(|text| {
            matches!(
                text.to_lowercase().replace('-', " ").as_str(),
                "all day" | "full day" | "whole day"
            )
        })
}

/// Whole minutes of a length of time.
pub(super) fn minutes(seconds: f64) -> Option<i64> {
    let minutes = (seconds / 60.0).round();
    // A year and more is no length that anything here has.
    (1.0..=600_000.0)
        .contains(&minutes)
        .then_some(minutes as i64)
}

/// "Kofi's", "my boss's".
fn owner(cursor: &mut Cursor<'_, '_>, sel: &mut Sel, default: Option<Noun>) -> bool {
    let mut ahead = *cursor;
    let who = if ahead.eat(&["his", "her", "their"]) {
        if !ahead.is_content(0) {
            return false;
        }
        super::model::Who::They
    } else {
        let Some(who) = people::one(&mut ahead, Place::Sure) else {
            return false;
        };
        if !ahead.eat(&["'s", "'"]) {
            return false;
        }
        who
    };
    if matches!(who, super::model::Who::Me) {
        return false;
    }
    let noun = title_range(&ahead)
        .and_then(|range| head_of(&ahead, &range))
        .map(|(noun, ..)| noun);
    match noun.or(default) {
        Some(Noun::Mail) => sel.from.push(who),
        Some(Noun::Event) => {
            // "Ana's birthday" is a title, not a guest.
            if ahead.sees_any(phrases!("birthday | anniversary | wedding | party | graduation | concert | game | match | funeral")).is_some() {
                return false;
            }
            sel.with.push(who);
        }
        _ => return false,
    }
    *cursor = ahead;
    true
}
