//! Questions for one property of a thing: "what is the subject of Tom's last mail", "the end of my 3pm meeting".

use super::ask::{Part, QUESTION};
use super::clause::Parse;
use super::cursor::Cursor;
use super::filler;
use super::lexicon::Noun;
use super::model::{Act, Ask, Request};
use super::noun::phrase;
use super::table::{Table, phrases};
use std::sync::LazyLock;

/// What a property is called, and which question asks for it.
static PROPERTIES: LazyLock<Table<Ask>> = LazyLock::new(|| {
    Table::new(&[
        (
            "subject of | subject line of | title of | name of | topic of | summary of | subject for | title for | name for | titles of | names of | subjects of | priority of | status of",
            Ask::List,
        ),
        (
            "sender of | senders of | attendees of | guests of | participants of | organizer of | organiser of | people in | attendees for | participants in | attendee list of | guest list of | recipient of | recipients of",
            Ask::Who,
        ),
        (
            "location of | place of | room of | venue of | address of | location for | room for | venue for",
            Ask::Where,
        ),
        (
            "time of | start time of | date of | start of | date and time of | day of | due date of | deadline of | due date for | deadline for | time for | date for | start time for | start date of | end of | end time of | end time for",
            Ask::When,
        ),
        ("length of | duration of", Ask::Total),
    ])
});

/// Reads such a question; whether it was one.
pub(super) fn property<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    let mut ahead = *cursor;
    if !ahead.eat_any(phrases!(
        "what is | what are | what was | what were | who is | who are | who was | who were | when is | when was | where is | which is | what 's | show me | tell me | give me"
    )) {
        return Ok(false);
    }
    ahead.eat(&["the"]);
    let Some(ask) = ahead.take(&PROPERTIES) else {
        return Ok(false);
    };
    let Some(sel) = phrase(&mut ahead, None, QUESTION) else {
        return Ok(false);
    };
    let ours = matches!(
        sel.noun,
        Some(Noun::Event | Noun::Mail | Noun::Task | Noun::Reminder)
    ) && sel.said;
    if !ours || !filler::only_closers(&ahead) {
        return Ok(false);
    }
    parse.push(Request::new(Act::Query(ask), sel));
    *cursor = ahead;
    Ok(true)
}
