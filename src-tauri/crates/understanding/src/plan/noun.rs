//! Noun phrases: which things are meant, from what stands before the noun.

use super::table::phrases;
use std::ops::Range;
use std::sync::LazyLock;

use super::after;
use super::cursor::Cursor;
use super::lexicon::{self, NOUNS, Noun, STATES, State, Use, VERBS, Verb};
use super::model::{Det, Pick, Pron, Sel, Words};
use super::people::{self, Place};
use super::said::Form;
use super::table::Table;
use crate::time::{Grain, Value};

/// Words before a noun that are looked at.
const BEFORE_MAX: usize = 24;
/// Pieces of one title.
const TITLE_MAX: usize = 24;

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
    /// An adjective behind the noun is a value of the verb ("make it urgent").
    pub states_are_values: bool,
}

static ORDINALS: LazyLock<Table<Pick>> = LazyLock::new(|| {
    Table::new(&[
        (
            "first | earliest | very first | soonest | oldest | 1st",
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
        ("last | final | very last", Pick::Last(1)),
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

/// Words that never belong to a title in front of or behind a noun.
pub(super) const STOPS: &[&str] = &[
    "called",
    "named",
    "titled",
    "entitled",
    "regarding",
    "concerning",
    "mentioning",
    "containing",
    "discussing",
    "saying",
    "sent",
    "received",
    "got",
    "starting",
    "beginning",
    "ending",
    "scheduled",
    "planned",
    "booked",
    "due",
    "marked",
    "flagged",
    "tagged",
    "labelled",
    "labeled",
    "assigned",
    "except",
    "excluding",
    "thanks",
    "asap",
    "anymore",
    "instead",
    "longer",
    "shorter",
    "older",
    "newer",
    "please",
    "happening",
    "taking",
    "lasting",
    "later",
    "earlier",
    "stating",
    "forwarded",
    "need",
    "needs",
    "want",
    "wants",
    "get",
    "received",
    "having",
    "involving",
    "including",
    "until",
    "unless",
    "because",
    "since",
    "mean",
    "again",
    "overdue",
    "instead",
    "according",
    "between",
    "during",
    "regardless",
    "whose",
    "arrived",
    "came",
    "remain",
    "remaining",
    "left",
    "coming",
    "happen",
    "read",
    "saved",
    "located",
    "held",
    "back",
    "forward",
    "up",
    "out",
    "off",
    "organized",
    "organised",
    "written",
];

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
        return Some(Sel { span: start..cursor.at, ..all });
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
    settle(&mut sel);
    sel.span = start..cursor.at;
    (cursor.at > start).then_some(sel)
}

/// "All but the last 3 emails from Bob": everything of the kind, and what is left out.
fn all_but(cursor: &mut Cursor<'_, '_>, default: Option<Noun>, rules: Rules) -> Option<Sel> {
    let mut ahead = *cursor;
    if !ahead.eat(&["all but", "all except", "everything but", "everything except", "all of them but", "every one but", "everything besides", "everything apart from", "everything other than"]) {
        return None;
    }
    let left = phrase(&mut ahead, default, rules)?;
    if left.pron.is_some() || left.noun.is_none() {
        return None;
    }
    // What names a place in an order is left out of that order; a time holds for both. Anybody named with a single thing
    // ("all but Ana's mail") could hold for one or both, and that is not guessed.
    let mut all = Sel { noun: left.noun, said: left.said, all: true, plural: true, when: left.when.clone(), ..Sel::default() };
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
    cursor.at += 1;
    if sel.det == Det::None || det != Det::The {
        sel.det = det;
    }
    cursor.eat(&["own", "entire", "whole"]);
}

/// Ordinals, numbers, states, times and owners before the noun.
fn before(cursor: &mut Cursor<'_, '_>, sel: &mut Sel, default: Option<Noun>, rules: Rules) {
    let mut said = None;
    for _ in 0..BEFORE_MAX {
        if let Some((pick, len)) = ordinal(cursor) {
            cursor.at += len;
            sel.pick = Some(pick);
            // "The last 3 mails" and "the three latest mails".
            if let Some(count) = counted(cursor).or(said) {
                sel.pick = Some(many(pick, count));
            }
            cursor.eat(&["of my", "of the", "of"]);
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

/// The noun with the words of a title around it.
fn head(cursor: &mut Cursor<'_, '_>, sel: &mut Sel, default: Option<Noun>) -> bool {
    if let Some(words) = cursor.quote() {
        sel.exact = true;
        sel.title = Some(words);
        if let Some(((noun, _), len)) = cursor.sees_in(&NOUNS) {
            sel.noun = Some(noun);
            sel.said = noun != Noun::Any;
            sel.plural = is_plural(cursor, len);
            cursor.at += len;
        }
        return true;
    }
    if let Some(piece) = cursor.peek(0)
        && piece.form == Form::File
    {
        sel.file = Some(cursor.said.slice(cursor.at..cursor.at + 1).to_owned());
        sel.noun = Some(Noun::File);
        cursor.at += 1;
        cursor.eat(&["file", "document"]);
        return true;
    }
    let Some(range) = title_range(cursor) else {
        return false;
    };
    let Some((noun, used, at, len)) = head_of(cursor, &range) else {
        // No noun: the words are the title of something of the verb's kind.
        sel.title = cursor.words(range.clone());
        sel.noun = default;
        cursor.at = range.end;
        return true;
    };
    let ends_run = at + len == range.end;
    let begins_run = at == range.start;
    sel.plural = cursor
        .said
        .pieces
        .get(at + len - 1)
        .is_some_and(|piece| piece.word != piece.base && piece.word.ends_with('s'))
        || matches!(
            cursor.said.pieces.get(at).map(|piece| piece.word.as_str()),
            Some("everything" | "anything" | "stuff")
        );
    sel.said = noun != Noun::Any;
    if ends_run {
        sel.noun = Some(noun);
        let title = range.start..at;
        sel.title = match used {
            Use::Titled => titled(cursor, range.start..range.end, sel.plural),
            _ => cursor.words(title),
        };
        cursor.at = range.end;
    } else if begins_run && used == Use::Plain {
        sel.noun = Some(noun);
        cursor.at = at + len;
        if let Some(words) = cursor.words(at + len..range.end) {
            sel.title = Some(words);
            cursor.at = range.end;
        }
    } else {
        sel.noun = default.filter(|kind| *kind != Noun::Any).or(Some(noun));
        sel.title = cursor.words(range.clone());
        cursor.at = range.end;
    }
    if sel.noun == Some(Noun::Any)
        && default.is_some()
        && sel.title.is_none()
        && matches!(
            cursor.said.pieces.get(at).map(|piece| piece.word.as_str()),
            Some(
                "thing"
                    | "things"
                    | "item"
                    | "items"
                    | "entry"
                    | "entries"
                    | "everything"
                    | "anything"
                    | "stuff"
            )
        )
    {
        sel.all |= sel.plural;
        sel.noun = default;
    }
    // "The file report.pdf".
    if sel.noun == Some(Noun::File)
        && let Some(piece) = cursor.peek(0).filter(|piece| piece.form == Form::File)
    {
        sel.file = cursor.said.source.get(piece.span.clone()).map(str::to_owned);
        cursor.at += 1;
    }
    // A quotation behind the noun names it: "the task 'buy milk'".
    if sel.title.is_none()
        && let Some(words) = cursor.quote()
    {
        sel.exact = true;
        sel.title = Some(words);
    }
    true
}

/// The title with its last word in the singular, so that "reviews" finds "review".
fn titled(cursor: &Cursor<'_, '_>, range: Range<usize>, plural: bool) -> Option<Words> {
    let mut words = cursor.words(range.clone())?;
    if plural && let Some(last) = cursor.said.pieces.get(range.end - 1) {
        let cut = words.text.len().checked_sub(last.span.len())?;
        words.text = format!("{}{}", words.text.get(..cut)?, last.base);
    }
    Some(words)
}

fn is_plural(cursor: &Cursor<'_, '_>, len: usize) -> bool {
    len.checked_sub(1)
        .and_then(|last| cursor.peek(last))
        .is_some_and(|piece| piece.word != piece.base && piece.word.ends_with('s'))
}

/// The noun that heads a run of words: the one it ends with, else the one it begins with, else any.
fn head_of(cursor: &Cursor<'_, '_>, range: &Range<usize>) -> Option<(Noun, Use, usize, usize)> {
    let mut found = None;
    let mut at = range.start;
    while at < range.end {
        match NOUNS.at(&cursor.said.pieces[..range.end], at) {
            Some(((noun, used), len)) => {
                if found.is_none() || at + len == range.end {
                    found = Some((noun, used, at, len));
                }
                at += len;
            }
            None => at += 1,
        }
    }
    found
}

/// The run of words that may be a title with its noun.
fn title_range(cursor: &Cursor<'_, '_>) -> Option<Range<usize>> {
    let mut len = 0;
    let mut after_noun = false;
    while len < TITLE_MAX {
        let Some(piece) = cursor.peek(len) else { break };
        if len > 0 && cursor.peek(len - 1).is_some_and(|last| last.ends) {
            break;
        }
        let at = cursor.at + len;
        if let Some((_, noun_len)) = NOUNS.at(&cursor.said.pieces[..cursor.end], at)
            && !(after_noun
                && piece.base != piece.word
                && cursor
                    .peek(len + noun_len)
                    .is_some_and(|next| next.form == Form::Mark))
        {
            len += noun_len;
            after_noun = true;
            continue;
        }
        let fits = match piece.form {
            Form::Word | Form::Number | Form::Ordinal | Form::Mark => {
                word_fits(cursor, len, after_noun)
            }
            Form::Time(index) => time_fits(cursor, len, index, after_noun),
            _ => false,
        };
        if !fits {
            break;
        }
        after_noun = false;
        len += 1;
    }
    // A joint or preposition never ends a title.
    while len > 0
        && cursor
            .peek(len - 1)
            .is_some_and(|last| last.form == Form::Mark || lexicon::is_function(&last.word))
    {
        len -= 1;
    }
    (len > 0).then_some(cursor.at..cursor.at + len)
}

fn word_fits(cursor: &Cursor<'_, '_>, len: usize, after_noun: bool) -> bool {
    let Some(piece) = cursor.peek(len) else {
        return false;
    };
    if piece.leads.is_some() {
        return false;
    }
    let word = piece.word.as_str();
    if cursor.is_content(len) {
        if STOPS.contains(&word) && !(piece.capital && len > 0) {
            return false;
        }
        if after_noun {
            let mut ahead = *cursor;
            ahead.at += len;
            if ahead.sees_in(&STATES).is_some() || people::one(&mut ahead, Place::Known).is_some() {
                return false;
            }
        }
        return true;
    }
    if len == 0 || after_noun && !matches!(word, "-" | "&" | "/") {
        return false;
    }
    let next_content = cursor.is_content(len + 1);
    match word {
        "of" | "&" | "-" | "/" | "'s" | ":" => {
            next_content && !after_noun || next_content && word != "of"
        }
        "and" => next_content && !command_at(cursor, len + 1) && noun_later(cursor, len + 1),
        _ => false,
    }
}

/// Whether the run after "and" ends with a noun of its own, without naming one before.
fn noun_later(cursor: &Cursor<'_, '_>, from: usize) -> bool {
    let mut at = from;
    while at < from + 6 && cursor.is_content(at) {
        if let Some((_, len)) = NOUNS.at(&cursor.said.pieces[..cursor.end], cursor.at + at) {
            return at > from || cursor.is_content(at + len);
        }
        at += 1;
    }
    false
}

fn time_fits(cursor: &Cursor<'_, '_>, len: usize, index: usize, after_noun: bool) -> bool {
    let follows = cursor.is_content(len + 1)
        && !cursor
            .peek(len + 1)
            .is_some_and(|next| next.leads.is_some());
    let Some(found) = cursor.said.times.get(index) else {
        return false;
    };
    let namelike = matches!(found.value, Value::Set { .. } | Value::Duration(_))
        || matches!(
            found.grain,
            Grain::Quarter | Grain::Year | Grain::Decade | Grain::Month
        );
    follows && !after_noun && namelike
}

/// Whether another request begins `ahead` places on ("… and cancel my …").
pub(super) fn command_at(cursor: &Cursor<'_, '_>, ahead: usize) -> bool {
    let mut at = *cursor;
    at.at += ahead;
    at.eat_any(phrases!(
        "then | also | please | after that | afterwards | finally | just"
    ));
    at.eat_any(phrases!(
        "can you | could you | please | i need to | i want to"
    ));
    let Some(first) = at.peek(0).filter(|piece| piece.form == Form::Word) else {
        return false;
    };
    if matches!(
        first.word.as_str(),
        "if" | "when" | "what" | "who" | "where" | "how"
    ) && at.at > cursor.at + ahead
    {
        return true;
    }
    if first.word != first.base {
        return false;
    }
    let Some((verb, len)) = at.sees_in(&VERBS) else {
        return false;
    };
    if verb == Verb::Remind && matches!(at.word(len - 1), "me" | "reminder") {
        return true;
    }
    let Some(next) = at.peek(len) else {
        return verb == Verb::Reply;
    };
    let given = matches!(
        next.form,
        Form::Quote(_) | Form::Time(_) | Form::Address | Form::File
    ) || matches!(
        next.word.as_str(),
        "the"
            | "a"
            | "an"
            | "my"
            | "our"
            | "all"
            | "every"
            | "it"
            | "them"
            | "this"
            | "that"
            | "those"
            | "these"
            | "me"
            | "him"
            | "her"
            | "any"
            | "both"
            | "his"
            | "their"
    ) || {
        let mut who = at;
        who.at += len;
        people::one(&mut who, Place::Known).is_some()
    };
    let noun_too = NOUNS.at(&at.said.pieces, at.at).is_some()
        || matches!(
            first.word.as_str(),
            "book"
                | "plan"
                | "note"
                | "text"
                | "review"
                | "list"
                | "label"
                | "share"
                | "update"
                | "change"
                | "answer"
                | "reply"
                | "cut"
                | "draft"
                | "check"
                | "set"
                | "mark"
                | "search"
                | "move"
                | "block"
                | "schedule"
                | "contact"
                | "get"
                | "see"
                | "start"
                | "log"
                | "open"
                | "read"
                | "ask"
                | "hold"
                | "close"
        );
    given
        || (!noun_too && next.form == Form::Word && at.is_content(len))
        || (verb == Verb::Reply && next.word == "to")
        || (next.capital && next.form == Form::Word)
}
