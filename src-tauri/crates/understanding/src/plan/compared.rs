//! Conditions on how many there are: "more than three", "the number of meetings is over four".

use super::condition::{Half, resolve_they};
use std::cmp::Ordering;

use super::clause::Parse;
use super::cursor::Cursor;
use super::lexicon::{Noun, STATES};
use super::model::Test;
use super::noun::{self, Rules};

/// "More than three", "at least 2": how a number of things compares.
pub(super) fn compared(cursor: &mut Cursor<'_, '_>) -> Option<Test> {
    for (words, order, add) in [
        (
            &[
                "more than",
                "over",
                "greater than",
                "above",
                "higher than",
                "in excess of",
            ][..],
            Ordering::Greater,
            0,
        ),
        (
            &["at least", "no fewer than", "no less than", "a minimum of"][..],
            Ordering::Greater,
            -1,
        ),
        (
            &[
                "fewer than",
                "less than",
                "under",
                "below",
                "lower than",
                "smaller than",
            ][..],
            Ordering::Less,
            0,
        ),
        (
            &["at most", "no more than", "not more than", "a maximum of"][..],
            Ordering::Less,
            1,
        ),
        (
            &["exactly", "equal to", "precisely"][..],
            Ordering::Equal,
            0,
        ),
    ] {
        let mut number = *cursor;
        if number.eat(words)
            && let Some(n) = number_word(number.word(0))
        {
            number.at += 1;
            *cursor = number;
            return Some(Test::Count(order, n + add));
        }
    }
    // "Three or more meetings".
    let mut number = *cursor;
    let n = number_word(number.word(0))?;
    number.at += 1;
    let test = if number.eat(&["or more", "or above", "plus"]) {
        Test::Count(Ordering::Greater, n - 1)
    } else if number.eat(&["or fewer", "or less"]) {
        Test::Count(Ordering::Less, n + 1)
    } else {
        return None;
    };
    *cursor = number;
    Some(test)
}

/// "The number of meetings I have on Monday is over four", "my unread mails number more than ten".
pub(super) fn number_of(parse: &Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> Option<Half> {
    let mut ahead = *cursor;
    if let Some(half) = so_many_are(parse, cursor) {
        return Some(half);
    }
    if !ahead.eat(&["the number of", "the count of", "the total number of"]) {
        return None;
    }
    let mut sel = noun::phrase(
        &mut ahead,
        Some(Noun::Event),
        Rules {
            question: true,
            ..Rules::default()
        },
    )?;
    ahead.eat(&["is", "was", "are", "exceeds"]).then_some(())?;
    let exceeds = ahead
        .said
        .pieces
        .get(ahead.at.checked_sub(1)?)
        .is_some_and(|verb| verb.word == "exceeds");
    let test = if exceeds {
        let n = number_word(ahead.word(0))?;
        ahead.at += 1;
        Test::Count(Ordering::Greater, n)
    } else {
        compared(&mut ahead).or_else(|| {
            let n = number_word(ahead.word(0))?;
            ahead.at += 1;
            Some(Test::Count(Ordering::Equal, n))
        })?
    };
    sel.plural = true;
    resolve_they(parse, &mut sel.with);
    resolve_they(parse, &mut sel.from);
    *cursor = ahead;
    Some(Half {
        sel,
        test,
        within: None,
    })
}

/// "More than five tasks are overdue", "at least two mails from Ana are unread".
fn so_many_are(parse: &Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> Option<Half> {
    let mut ahead = *cursor;
    let test = compared(&mut ahead)?;
    let rules = Rules {
        question: true,
        states_are_values: true,
        ..Rules::default()
    };
    let mut sel = noun::phrase(&mut ahead, None, rules)?;
    if !sel.said || !matches!(sel.noun, Some(Noun::Event | Noun::Mail | Noun::Task)) {
        return None;
    }
    ahead.eat(&["are", "is", "were"]).then_some(())?;
    let begins = ahead.at;
    ahead.eat(&["still", "currently", "already"]);
    if let Some(state) = ahead.take(&STATES) {
        sel.states.push(state);
    }
    super::after::modifiers(&mut ahead, &mut sel, rules);
    (ahead.at > begins).then_some(())?;
    sel.plural = true;
    resolve_they(parse, &mut sel.with);
    resolve_they(parse, &mut sel.from);
    *cursor = ahead;
    Some(Half {
        sel,
        test,
        within: None,
    })
}

pub(super) fn number_word(word: &str) -> Option<i64> {
    let named = || adjutant_text::number::cardinal(word).filter(|number| *number <= 10);
    word.parse().ok().or_else(|| named().map(i64::from))
}
