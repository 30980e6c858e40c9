//! Conditions on what a thing is like: "if my first meeting tomorrow is before 9", "if the mail from Lena is unread".

use super::after;
use super::condition::Half;
use super::cursor::Cursor;
use super::lexicon::{Noun, STATES};
use super::model::{Det, Sel, Test};
use super::noun::{self, Rules};
use super::table::Table;
use std::sync::LazyLock;

/// Pieces of the thing in front of the verb.
const THING_MAX: usize = 24;

/// What stands between a thing and what it is like.
static BE: LazyLock<Table<()>> = LazyLock::new(|| {
    Table::new(&[(
        "is still | are still | is | are | was | were | starts | begins | takes place | start | begin | has | lasts | comes",
        (),
    )])
});

/// Reads a thing, a form of "to be", and what it must be like.
pub(super) fn attribute(cursor: &mut Cursor<'_, '_>) -> Option<Half> {
    let (mut sel, mut ahead) = (cursor.at + 2..cursor.end.min(cursor.at + THING_MAX))
        .filter(|at| {
            let mut here = *cursor;
            here.at = *at;
            here.sees_any(&BE).is_some()
        })
        .find_map(|at| {
            let mut inner = *cursor;
            inner.end = at;
            // "My 4pm": what is there then.
            let mut clock = inner;
            let hour = clock.eat(&["my", "the", "our"])
                && clock.sees_time().is_some_and(|(index, _)| {
                    clock
                        .said
                        .times
                        .get(index)
                        .is_some_and(|found| found.clock.is_some())
                });
            let sel = noun::phrase(
                &mut inner,
                hour.then_some(Noun::Event),
                Rules {
                    states_are_values: true,
                    ..Rules::default()
                },
            )?;
            let rest = Cursor { at, ..*cursor };
            (inner.at == at).then_some((sel, rest))
        })?;
    let definite = matches!(sel.det, Det::The | Det::My | Det::That)
        || !sel.from.is_empty()
        || !sel.with.is_empty()
        || sel.pick.is_some();
    if !definite
        || sel.pron.is_some()
        || !matches!(sel.noun, Some(Noun::Event | Noun::Mail | Noun::Task))
    {
        return None;
    }
    ahead.eat_any(&BE);
    let not = ahead.eat(&["not yet", "not"]);
    let mut like = Sel {
        noun: sel.noun,
        ..Sel::default()
    };
    if let Some((state, len)) = ahead.sees_in(&STATES) {
        ahead.at += len;
        like.states.push(state);
    }
    if like.states.is_empty() && !distance(&mut ahead, &mut like) {
        with_whom(&mut ahead, &mut like);
        after::modifiers(&mut ahead, &mut like, Rules::default());
    }
    if !like.is_narrowed() || !like.except.is_empty() {
        return None;
    }
    *cursor = ahead;
    let plain = Sel {
        noun: like.noun,
        states: like.states.clone(),
        about: like.about.clone(),
        with: like.with.clone(),
        from: like.from.clone(),
        ..Sel::default()
    } == like;
    let picked = sel.pick.is_some() || sel.plural || not || !plain;
    if !picked {
        // One that is like that: the same as asking for it.
        sel.states.append(&mut like.states);
        sel.about = sel.about.take().or(like.about);
        sel.with.append(&mut like.with);
        sel.from.append(&mut like.from);
        return Some(Half {
            sel,
            test: Test::Exists(true),
            within: None,
        });
    }
    Some(Half {
        sel,
        test: Test::Like(Box::new(like), !not),
        within: None,
    })
}

/// "More than a month ago", "less than 3 days ago".
fn distance(cursor: &mut Cursor<'_, '_>, like: &mut Sel) -> bool {
    let mut ahead = *cursor;
    // The words may be a part of the time already.
    if let Some((index, len)) = ahead.sees_time() {
        let said = ahead.said.slice(ahead.at..ahead.at + len).to_lowercase();
        let starts = |words: &[&str]| words.iter().any(|word| said.starts_with(word));
        let older = starts(&["more than ", "over ", "longer than "]);
        if said.ends_with("ago") && (older || starts(&["less than ", "under "])) {
            ahead.at += len;
            like.age = Some((index, older));
            *cursor = ahead;
            return true;
        }
    }
    let older = ahead.eat(&["more than", "over", "longer than"]);
    if !older && !ahead.eat(&["less than", "under", "within", "not even"]) {
        return false;
    }
    let Some((index, len)) = ahead.sees_time() else {
        return false;
    };
    let ago = ahead
        .said
        .slice(ahead.at..ahead.at + len)
        .to_lowercase()
        .ends_with("ago");
    ahead.at += len;
    if !ago && !ahead.eat(&["ago", "old"]) {
        return false;
    }
    like.age = Some((index, older));
    *cursor = ahead;
    true
}

/// "Is with Kim".
fn with_whom(cursor: &mut Cursor<'_, '_>, like: &mut Sel) {
    let mut ahead = *cursor;
    if like.noun == Some(Noun::Event) && ahead.eat(&["with"]) {
        let who = super::people::list(&mut ahead, super::people::Place::Sure);
        if !who.is_empty() {
            like.with = who;
            *cursor = ahead;
        }
    }
}
