//! Requests about what is kept: notes, memories, contacts, files, sums.

use super::amend::value_of;
use super::change::{missing, rest};
use super::clause::{Parse, Read, Unread, Why};
use super::cursor::Cursor;
pub(super) use super::fact::{remember, save};
use super::filler;
use super::lexicon::{Noun, Verb};
use super::model::{Act, Pron, Request, Sel, Value, Words};
use super::noun::{Rules, phrase};
use super::said::Form;
use super::table::phrases;
use super::task::clause_end;
use super::value;

/// Pieces of the name of a note that a colon ends.
const NAME_MAX: usize = 8;

/// Take a note, append to a note.
pub(super) fn note<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    verb: Verb,
) -> Read {
    if verb == Verb::Append {
        return append(parse, cursor);
    }
    if note_to(parse, cursor)? {
        return Ok(());
    }
    if cursor.eat_any(phrases!(
        "in my calendar | in the calendar | on my calendar | on the calendar | to my calendar | into my calendar | \
        in my diary | in the diary"
    )) {
        cursor.eat(&["that", ":"]);
        let end = clause_end(cursor);
        return calendar_fact(parse, cursor, end);
    }
    // "Jot this down for me: …" announces the text.
    let mut announced = *cursor;
    announced.eat(&["of"]);
    if announced.eat(&["this", "that", "the following", "something", "it"]) {
        announced.eat(&["down"]);
        announced.eat_any(phrases!(
            "for me | for later | for future reference | in a note | as a note | in my notes"
        ));
        if announced.eat(&[":", "-", ","]) && !announced.is_done() {
            *cursor = announced;
        }
    }
    cursor.eat_any(phrases!("me | a | new | quick | down"));
    // "A checklist note for the trip".
    if cursor.is_content(0)
        && cursor.word(1) == "note"
        && matches!(
            cursor.word(2),
            "for" | "about" | "called" | "titled" | "with" | "named"
        )
    {
        cursor.at += 1;
    }
    cursor.eat(&["new note", "note"]);
    let mut request = Request::new(Act::CreateNote, Sel::of(Noun::Note));
    for _ in 0..6 {
        let start = *cursor;
        cursor.skip_marks();
        if cursor.is_done() || filler::only_closers(cursor) && request.vals.body.is_some() {
            *cursor = start;
            break;
        }
        if request.vals.title.is_none()
            && cursor.eat_any(phrases!(
                "called | titled | named | entitled | with the title | with title | title"
            ))
        {
            cursor.skip_marks();
            request.vals.title = match value::text(cursor, &["containing", "saying"]) {
                Some(words) => Some(before_with(cursor, words)),
                None => value_of(parse, cursor),
            };
            if request.vals.title.is_some() {
                continue;
            }
        }
        *cursor = start;
        cursor.skip_marks();
        if request.vals.body.is_none() {
            cursor.eat(&["and write"]);
            let said = cursor.eat_any(phrases!(
                "saying that | saying | that says that | that says | which says | with the text | \
        with the content | with content | with the body | that | to self | with | to say | of | \
        to myself | and say | reading | to"
            ));
            cursor.skip_marks();
            let about = !said && cursor.eat(&["about", "on", "regarding", "for"]);
            // "A note for the trip: passport, charger".
            if about
                && request.vals.title.is_none()
                && let Some(colon) =
                    (cursor.at + 1..cursor.end.min(cursor.at + NAME_MAX)).find(|at| {
                        cursor.said.pieces[*at].word == ":"
                            && cursor.said.pieces[*at].form == Form::Mark
                    })
                && colon + 1 < cursor.end
            {
                cursor.eat(&["the", "my", "our", "a", "an"]);
                request.vals.title = cursor.words(cursor.at..colon).map(|words| {
                    Value::Words(Words {
                        text: super::speech::capitalised(&words.text),
                        ..words
                    })
                });
                cursor.at = colon;
                if request.vals.title.is_some() {
                    continue;
                }
            }
            cursor.eat(&["that"]);
            let body = cursor.quote().or_else(|| {
                let mut end = clause_end(cursor);
                // "A note called Trip with Lisbon and Porto in it".
                let mut inside = Cursor {
                    at: end.saturating_sub(2).max(cursor.at),
                    end,
                    ..*cursor
                };
                let within =
                    said && inside.at > cursor.at && inside.eat(&["in it", "on it", "inside it"]);
                let kept = if within { end - 2 } else { end };
                // "Never book the corner table again": the last word is meant.
                let rest = Cursor { at: end, ..*cursor };
                if filler::may_be_text(&rest) {
                    end = cursor.end;
                }
                let words = cursor.words(cursor.at..if within { kept } else { end });
                cursor.at = end;
                words
            });
            if let Some(words) = body {
                // "A note 'Paint codes' saying …": the quotation is what it is called.
                if words.quoted
                    && request.vals.title.is_none()
                    && cursor
                        .sees(&[
                            "saying",
                            "that says",
                            "with",
                            ":",
                            "which says",
                            "containing",
                        ])
                        .is_some()
                {
                    request.vals.title = Some(Value::Words(words));
                    continue;
                }
                if about
                    && request.vals.title.is_none()
                    && cursor.sees(&["saying", "that says", ":"]).is_some()
                {
                    request.vals.title = Some(Value::Words(words));
                } else {
                    request.vals.body = Some(words);
                }
                continue;
            }
        }
        *cursor = start;
        break;
    }
    parse.push(request);
    Ok(())
}

/// "That I'm off on 17 April" in the calendar: an event of that name and time.
pub(super) fn calendar_fact<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    end: usize,
) -> Read {
    let start = *cursor;
    cursor.eat_any(phrases!(
        "there is | i have | we have | i have got | i am having"
    ));
    cursor.eat(&["a", "an", "the"]);
    cursor.eat(&["i am", "we are"]);
    let mut request = Request::new(Act::CreateEvent, Sel::of(Noun::Event));
    let range = cursor.at..end;
    super::task::task_title(cursor, &mut request, range);
    let clock = request
        .vals
        .times
        .iter()
        .filter_map(|index| parse.said.times.get(*index))
        .any(|found| found.clock.is_some());
    if request.vals.title.is_none() || request.vals.times.is_empty() {
        return Err(parse.words(&start));
    }
    if let Some(Value::Words(words)) = request.vals.title.as_mut() {
        // "Flight to Lisbon on the 22nd, departs 6:40".
        let name = words.text.trim_end();
        let name = [
            "departs",
            "departing",
            "leaves",
            "leaving",
            "starts",
            "starting",
            "begins",
            "beginning",
        ]
        .iter()
        .find_map(|word| name.strip_suffix(word))
        .unwrap_or(name);
        words.text = super::speech::capitalised(name.trim_end_matches([' ', ',']));
    }
    request.vals.all_day = !clock;
    cursor.at = end;
    parse.push(request);
    Ok(())
}

/// "Packing with socks and a charger": what is in lower case behind "with" is in the note, not in its name.
fn before_with(cursor: &mut Cursor<'_, '_>, words: Words) -> Value {
    let Some((start, _)) = words.span.filter(|_| !words.quoted) else {
        return Value::Words(words);
    };
    let pieces = &cursor.said.pieces;
    let with = (0..cursor.at).rev().find(|at| {
        pieces[*at].word == "with"
            && pieces[*at].span.start > start
            && pieces
                .get(at + 1)
                .is_some_and(|next| !next.capital && next.word != "my")
    });
    let first = (0..cursor.at).find(|at| pieces[*at].span.start >= start);
    match (with, first) {
        (Some(with), Some(first)) if with > first => {
            let title = cursor.words(first..with);
            cursor.at = with;
            Value::Words(title.unwrap_or(words))
        }
        _ => Value::Words(words),
    }
}

/// "Add a note to the passport task: bring two photos".
fn note_to<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Result<bool, Unread> {
    let mut ahead = *cursor;
    let placed = ahead.eat(&["to", "on"]);
    if !placed && !ahead.eat(&["for"])
        || ahead.sees(&["the", "my", "our"]).is_none() && !(placed && ahead.sees_time().is_some())
    {
        return Ok(false);
    }
    // "To Friday's review": what is on a day stands in the calendar.
    let dated = ahead.sees_time().is_some();
    let Some(sel) = phrase(&mut ahead, dated.then_some(Noun::Event), Rules::default()) else {
        return Ok(false);
    };
    let said = ahead.eat(&[":", "saying that", "saying", "that says", "that", "with"]);
    match sel.noun {
        Some(Noun::Task | Noun::Reminder) if sel.said && said => {
            let mut request = Request::new(Act::AddNotes, sel);
            request.vals.body = rest(&mut ahead);
            parse.push(request);
            *cursor = ahead;
            Ok(true)
        }
        Some(Noun::Event) if sel.said && said || dated => Err(Unread {
            span: parse.said.span(&sel.span),
            why: Why::CanNot(
                "Nothing can be added to the description of an event; it can be replaced: “change the description of … to …”."
                    .to_owned(),
            ),
        }),
        _ => Ok(false),
    }
}

/// "Append X to my note about Y".
fn append<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    let Some(at) = (cursor.at + 1..cursor.end)
        .rev()
        .find(|at| cursor.said.pieces[*at].word == "to")
    else {
        return Err(parse.words(cursor));
    };
    let mut inner = *cursor;
    inner.end = at;
    let body = rest(&mut inner);
    cursor.at = at + 1;
    let Some(sel) = phrase(cursor, Some(Noun::Note), Rules::default()) else {
        return Err(parse.words(cursor));
    };
    let mut request = Request::new(
        Act::AppendNote,
        // "My notes on the viewing" are one note, unless all of them were named.
        Sel {
            noun: Some(Noun::Note),
            plural: sel.plural && sel.all,
            ..sel
        },
    );
    request.vals.body = body;
    parse.push(request);
    Ok(())
}

/// Forget what was kept.
pub(super) fn forget<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    cursor.eat_any(phrases!("that | about | the fact that | what i said about | everything about | what i told you about | \
        what you know about | everything you know about | all about"));
    let all = cursor.said.pieces[..cursor.at]
        .iter()
        .any(|piece| matches!(piece.word.as_str(), "everything" | "all"));
    cursor.skip_marks();
    let mut sel = Sel::of(Noun::Memory);
    sel.all = all;
    sel.plural = all;
    if cursor.is_done() || cursor.eat(&["it", "that", "this"]) && cursor.is_done() {
        sel.pron = Some(Pron::It);
    } else {
        cursor.eat(&["my", "the"]);
        let Some(words) = rest(cursor) else {
            return Err(missing("what"));
        };
        sel.about = Some(words);
    }
    parse.push(Request::new(Act::Forget, sel));
    Ok(())
}

/// Work something out: the words go to the calculator as they are.
pub(super) fn compute<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    let Some(words) = cursor.words(cursor.at..cursor.end) else {
        return Err(missing("what"));
    };
    cursor.at = cursor.end;
    let mut request = Request::new(Act::Compute, Sel::default());
    request.vals.body = Some(words);
    parse.push(request);
    Ok(())
}

/// Files: "find the file about taxes", "open notes.txt", "what is in budget.csv".
pub(super) fn file<'s, 'a>(parse: &mut Parse<'s, 'a>, sel: Sel, open: bool) {
    let act = if open {
        Act::Read
    } else if sel.about.is_some() {
        Act::SearchFiles
    } else {
        Act::Query(super::model::Ask::List)
    };
    parse.push(Request::new(act, sel));
}
