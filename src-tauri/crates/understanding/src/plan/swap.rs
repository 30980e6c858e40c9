//! Two things change places: "swap the standup and the retro", "swap my meetings with Ana and Tom", "replace Bob with Kim
//! in the sprint review".

use super::change::missing;
use super::clause::{Parse, Read};
use super::cursor::Cursor;
use super::lexicon::Noun;
use super::model::{Act, Request, Sel, Who};
use super::noun::{Rules, phrase};
use super::people::{self, Place};
use super::table::phrases;

/// Swap, exchange.
pub(super) fn swap<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    cursor.eat(&["around", "round"]);
    if guests(parse, cursor) {
        return Ok(());
    }
    cursor.eat_any(phrases!(
        "the times of | the time of | the slots of | the dates of | the order of | the slot of"
    ));
    let Some((first, second)) = pair(cursor) else {
        return Err(parse.words(cursor));
    };
    cursor.eat(&["around", "round", "over"]);
    let mut request = Request::new(Act::Swap, first);
    request.vals.other = Some(Box::new(second));
    parse.push(request);
    Ok(())
}

/// "Replace Bob with Kim in the sprint review".
pub(super) fn replace<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    if guests(parse, cursor) {
        return Ok(());
    }
    Err(if cursor.is_done() {
        missing("what")
    } else {
        parse.words(cursor)
    })
}

/// The two events of a swap; a day said once holds for both.
fn pair(cursor: &mut Cursor<'_, '_>) -> Option<(Sel, Sel)> {
    for with_is_value in [false, true] {
        let mut ahead = *cursor;
        let rules = Rules {
            with_is_value,
            for_is_value: true,
            ..Rules::default()
        };
        let Some(mut first) = phrase(&mut ahead, Some(Noun::Event), rules) else {
            continue;
        };
        // "My 3pm and 4pm".
        if let ([one, other], None, false) = (first.when.as_slice(), &first.title, first.plural) {
            let (one, other) = (*one, *other);
            let second = Sel {
                when: vec![other],
                ..first.clone()
            };
            first.when = vec![one];
            *cursor = ahead;
            return Some((first, second));
        }
        let company = first.with.len() == 2 && first.plural;
        let joined = ahead.eat(&["and", "with", "for", "against"]);
        let mut second = match (company, joined) {
            (true, false) => {
                first.plural = false;
                first.all = false;
                first.pick = None;
                let mut second = first.clone();
                second.with.remove(0);
                first.with.truncate(1);
                second
            }
            (_, true) => match phrase(&mut ahead, Some(Noun::Event), Rules::default()) {
                Some(second) => second,
                None => continue,
            },
            _ => continue,
        };
        if first.when.is_empty() {
            first.when.clone_from(&second.when);
        } else if second.when.is_empty() {
            second.when.clone_from(&first.when);
        }
        // "My 10am and my 2pm tomorrow": the day said once holds for both.
        let day = |sel: &Sel| {
            sel.when.iter().copied().find(|index| {
                ahead
                    .said
                    .times
                    .get(*index)
                    .is_some_and(|found| found.has_day)
            })
        };
        if let (None, Some(index)) = (day(&first), day(&second)) {
            first.days.push(index);
        }
        let single = |sel: &Sel| sel.noun == Some(Noun::Event) && !sel.plural && !sel.all;
        if !single(&first) || !single(&second) {
            continue;
        }
        *cursor = ahead;
        return Some((first, second));
    }
    None
}

/// "Bob for Kim in the sprint review": one guest goes, another comes.
fn guests<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    let named = |who: &Who| matches!(who, Who::Named { .. } | Who::Address(_));
    let Some(out) = people::one(&mut ahead, Place::Maybe).filter(named) else {
        return false;
    };
    if !ahead.eat(&["with", "for", "by"]) {
        return false;
    }
    let Some(into) = people::one(&mut ahead, Place::Sure).filter(named) else {
        return false;
    };
    if !ahead.eat(&["in", "on", "at", "for", "from"]) {
        return false;
    }
    let Some(sel) = phrase(&mut ahead, Some(Noun::Event), Rules::default()) else {
        return false;
    };
    if sel.noun != Some(Noun::Event) {
        return false;
    }
    for (act, who) in [(Act::AddPeople, into), (Act::RemovePeople, out)] {
        let mut request = Request::new(act, sel.clone());
        request.vals.people = vec![who];
        parse.push(request);
    }
    *cursor = ahead;
    true
}
