//! Further things said of a selection behind its noun: superlatives, labels, an order, "of the day", who writes about what.

use super::cursor::Cursor;
use super::lexicon::Noun;
use super::model::{Pick, Sel, Who};
use super::people::{self, Place};
use super::table::{Table, phrases};
use super::value::text;
use std::sync::LazyLock;

static SUPERLATIVES: LazyLock<Table<Pick>> = LazyLock::new(|| {
    Table::new(&[
        (
            "is the longest | is longest | are the longest | lasts longest | lasts the longest | that lasts longest | that lasts the longest | that is longest | that is the longest | that takes longest | \
             that takes the longest | which is longest | that goes on longest | which lasts longest | that runs longest",
            Pick::Longest,
        ),
        (
            "is the shortest | is shortest | lasts the shortest | that is shortest | that is the shortest | that lasts shortest | that takes the least time | which is shortest",
            Pick::Shortest,
        ),
        (
            "is the first | is first | is the earliest | comes first | starts first | that starts first | that comes first | that starts earliest | that is first | that begins first | \
             which starts first | that starts the earliest | that is earliest",
            Pick::First(1),
        ),
        (
            "is the last | is last | is the latest | comes last | starts last | that starts last | that comes last | that starts latest | that is last | that begins last | which starts last | \
             that ends last | that starts the latest | that is latest",
            Pick::Last(1),
        ),
    ])
});

/// Reads one of them.
pub(super) fn one(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> bool {
    superlative(cursor, sel)
        || of_the_day(cursor, sel)
        || labelled(cursor, sel)
        || sorted(cursor, sel)
        || written(cursor, sel)
}

fn superlative(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> bool {
    if sel.pick.is_some() {
        return false;
    }
    let Some(pick) = cursor.take(&SUPERLATIVES) else {
        return false;
    };
    sel.pick = Some(pick);
    true
}

/// "My last meeting of the day": of the day said beside it, else of today.
fn of_the_day(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> bool {
    if sel.noun == Some(Noun::Event)
        && cursor.eat(&[
            "of the week",
            "of my week",
            "of this week",
            "for the week",
            "of the working week",
        ])
    {
        sel.week = true;
        return true;
    }
    if sel.noun != Some(Noun::Event) || !cursor.eat(&["of the day", "of my day", "for the day"]) {
        return false;
    }
    sel.today = true;
    true
}

/// "Tagged draft", "with the label travel".
fn labelled(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> bool {
    if !matches!(sel.noun, Some(Noun::Mail | Noun::Note)) || sel.label.is_some() {
        return false;
    }
    let mut ahead = *cursor;
    if !ahead.eat_any(phrases!(
        "tagged as | tagged with | tagged | labelled as | labelled with | labelled | labeled as | labeled with | labeled | \
         with the tag | with the label | with label | with tag | that are tagged | that are labelled | that have the tag | \
         that have the label | under the label | that are labeled | under label"
    )) {
        return false;
    }
    let Some(words) = text(&mut ahead, &["and", "from", "except"]) else {
        return false;
    };
    sel.label = Some(words);
    *cursor = ahead;
    true
}

/// "Sorted by priority", "by due date".
fn sorted(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> bool {
    let mut ahead = *cursor;
    if !ahead.eat_any(phrases!(
        "sorted by | ordered by | in order of | by order of | order by | sort by | arranged by | ranked by | by"
    )) {
        return false;
    }
    ahead.eat(&["their", "the"]);
    let order = match sel.noun {
        Some(Noun::Task | Noun::Reminder) => {
            if ahead.eat(&["priority", "urgency", "importance"]) {
                "-priority"
            } else if ahead.eat(&["due date", "deadline", "date", "due"]) {
                "due"
            } else if ahead.eat(&["title", "name"]) {
                "title"
            } else if ahead.eat(&["age", "creation date"]) {
                "created"
            } else {
                return false;
            }
        }
        Some(Noun::Event) => {
            if ahead.eat(&["length", "duration"]) {
                "-duration"
            } else if ahead.eat(&["date", "time", "start time", "start"]) {
                "start"
            } else {
                return false;
            }
        }
        Some(Noun::Mail) => {
            if ahead.eat(&["size"]) {
                "-size"
            } else if ahead.eat(&["date", "time"]) {
                "-date"
            } else {
                return false;
            }
        }
        Some(Noun::Note) if ahead.eat(&["title", "name"]) => "title",
        Some(Noun::File) if ahead.eat(&["size"]) => "-size",
        Some(Noun::File) if ahead.eat(&["name", "title"]) => "name",
        Some(Noun::File) if ahead.eat(&["date", "age"]) => "-modified",
        _ => return false,
    };
    sel.order = Some(order);
    *cursor = ahead;
    true
}

/// "Where Dave talks about the boiler".
fn written(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> bool {
    if sel.noun != Some(Noun::Mail) || sel.about.is_some() {
        return false;
    }
    let mut ahead = *cursor;
    if !ahead.eat(&["where", "in which", "when"]) {
        return false;
    }
    let Some(who) = people::one(&mut ahead, Place::Sure)
        .filter(|who| matches!(who, Who::Named { .. } | Who::They))
    else {
        return false;
    };
    if !ahead.eat_any(phrases!(
        "talks about | talked about | talk about | writes about | wrote about | mentions | mentioned | mention | asks about | \
         asked about | asked for | asks for | complains about | complained about | discusses | discussed | told me about | \
         tells me about | is talking about | was talking about | invited me to | sent"
    )) {
        return false;
    }
    let Some(words) = text(&mut ahead, &[]) else {
        return false;
    };
    sel.from.push(who);
    sel.about = Some(words);
    *cursor = ahead;
    true
}
