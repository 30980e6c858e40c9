//! Requests that mark things: done, read, urgent, accepted.

use super::change::{missing, rest, target};
use super::clause::{Parse, Read, Unread};
use super::cursor::Cursor;
use super::filler;
use super::lexicon::{Noun, STATES, State, Verb};
use super::model::{Act, Request, Sel};
use super::noun::Rules;
use super::table::phrases;

/// Accept or decline.
pub(super) fn respond<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    response: &'static str,
) -> Read {
    // "The invitation to the demo": what it invites to.
    let mut invite = *cursor;
    invite.eat(&["the", "my", "that", "this"]);
    if invite.eat(&[
        "invitation to",
        "invite to",
        "invitation for",
        "invite for",
        "meeting request for",
        "invites to",
    ]) {
        *cursor = invite;
    }
    let sel = target(parse, cursor, Some(Noun::Event), Rules::default())?;
    parse.push(Request::new(Act::Respond(response), sel));
    // "Say yes to the town hall and no to the quiz night".
    for (phrases, response) in [
        (&["and yes to", ", yes to"][..], "accepted"),
        (&["and no to", "but no to", ", no to"][..], "declined"),
        (&["and maybe to", ", maybe to"][..], "tentative"),
    ] {
        if cursor.eat(phrases) {
            return respond(parse, cursor, response);
        }
    }
    Ok(())
}

/// A verb whose object is all there is to say.
pub(super) fn simple<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    act: Act,
    noun: Noun,
) -> Read {
    let sel = target(parse, cursor, Some(noun), Rules::default())?;
    cursor.eat(&["as important", "as a favorite"]);
    parse.push(Request::new(act, sel));
    Ok(())
}

/// Complete, finish, check off.
pub(super) fn complete<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    let start = *cursor;
    let checks = cursor.at > 0 && cursor.said.pieces[cursor.at - 1].word == "check";
    let mut sel = target(parse, cursor, Some(Noun::Task), Rules::default())?;
    // "Check my calendar" looks, "check the milk task" ticks off.
    if checks && !matches!(sel.noun, Some(Noun::Task | Noun::Reminder)) {
        *cursor = start;
        return super::find::show(parse, cursor, Verb::Show);
    }
    if !matches!(sel.noun, Some(Noun::Task | Noun::Reminder | Noun::Any)) && sel.pron.is_none() {
        return Err(parse.words(cursor));
    }
    if sel.noun == Some(Noun::Reminder) {
        sel.noun = Some(Noun::Task);
    }
    parse.push(Request::new(Act::Complete, sel));
    Ok(())
}

/// Mark … as something.
pub(super) fn mark<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    // The kind follows from what it is marked as; read that first, from the right.
    let ends = [
        "as done",
        "as complete",
        "as completed",
        "as finished",
        "done",
        "complete",
        "completed",
        "finished",
        "off",
    ];
    let as_task = (cursor.at..cursor.end).any(|at| {
        let mut here = *cursor;
        here.at = at;
        here.sees(&ends).is_some_and(|len| {
            here.at += len;
            filler::only_closers(&here)
        })
    });
    let default = if as_task { Noun::Task } else { Noun::Mail };
    let mut ahead = *cursor;
    if ahead.eat(&["as"]) {
        // "Mark as read all mails from Bob".
        let state = ahead;
        if ahead.take(&STATES).is_none() {
            ahead.eat_any(phrases!(
                "spam | junk | read | seen | important | done | complete | completed"
            ));
        }
        if ahead.at > state.at && !filler::only_closers(&ahead) {
            let sel = target(parse, &mut ahead, Some(default), Rules::default())?;
            let mut what = state;
            what.end = ahead.at;
            *cursor = ahead;
            return mark_as(parse, &mut what, sel);
        }
    }
    let sel = mark_target(parse, cursor, default, as_task)?;
    mark_as(parse, cursor, sel)
}

/// The object of "mark": everything up to "as …", so that no adjective is taken from it.
pub(super) fn mark_target<'s, 'a>(
    parse: &Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    default: Noun,
    task: bool,
) -> Result<Sel, Unread> {
    let end = (cursor.at..cursor.end).rev().find(|at| {
        let word = cursor.said.pieces[*at].word.as_str();
        word == "as"
            || task
                && matches!(word, "done" | "complete" | "completed" | "finished" | "off")
                && cursor
                    .said
                    .pieces
                    .get(at.wrapping_sub(1))
                    .is_none_or(|before| before.word != "as")
    });
    let mut inner = *cursor;
    inner.end = end.unwrap_or(cursor.end);
    let sel = target(parse, &mut inner, Some(default), Rules::default())?;
    if end.is_some() && inner.at != inner.end {
        return Err(parse.words(&inner));
    }
    cursor.at = inner.at;
    Ok(sel)
}

pub(super) fn mark_as<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    mut sel: Sel,
) -> Read {
    cursor.eat(&["as", "to", "be"]);
    cursor.eat(&["being", "a"]);
    // "If there's a mail from the bank, mark it as important": of the kind spoken of.
    if sel.pron.is_some()
        && matches!(sel.noun, None | Some(Noun::Any))
        && cursor
            .sees(&[
                "important",
                "starred",
                "flagged",
                "favorite",
                "unimportant",
                "not important",
            ])
            .is_some()
    {
        let spoken = parse
            .cond
            .and_then(|(index, _)| parse.conds.get(index))
            .and_then(|cond| cond.sel.noun)
            .or_else(|| parse.requests.last().and_then(|last| last.sel.noun));
        sel.noun = spoken
            .filter(|noun| matches!(noun, Noun::Mail | Noun::Task))
            .or(sel.noun);
    }
    let act = if cursor.eat(&["unread", "not read", "new"]) {
        Act::MarkRead(false)
    } else if cursor.eat(&["read", "seen", "already read"]) {
        Act::MarkRead(true)
    } else if cursor.eat_any(phrases!("starred | important | a favorite | favorite | flagged")) && sel.noun == Some(Noun::Mail) {
        Act::Star(true)
    } else if cursor.eat(&["not starred", "unstarred", "not important", "unimportant"]) && sel.noun == Some(Noun::Mail) {
        Act::Star(false)
    } else if cursor.eat(&["spam", "junk"]) {
        Act::File("junk")
    } else if cursor.eat_any(phrases!("not done | incomplete | not complete | not completed | open | undone | unfinished | pending | \
        not finished")) {
        Act::Reopen
    } else if cursor.eat_any(phrases!("done | complete | completed | finished | off | closed")) {
        Act::Complete
    } else if matches!(sel.noun, Some(Noun::Task | Noun::Reminder)) {
        return priority(parse, cursor, sel);
    } else if sel.noun == Some(Noun::Mail) && sel.pron.is_none() && sel.title.is_some() && cursor.sees(&["urgent", "high", "low", "important"]).is_some() {
        sel.noun = Some(Noun::Task);
        return priority(parse, cursor, sel);
    } else {
        return Err(parse.words(cursor));
    };
    super::except::except(cursor, &mut sel);
    if matches!(act, Act::Complete | Act::Reopen) && !matches!(sel.noun, Some(Noun::Task)) {
        sel.noun = Some(Noun::Task);
    }
    parse.push(Request::new(act, sel));
    Ok(())
}

pub(super) fn priority<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    mut sel: Sel,
) -> Read {
    cursor.eat(&["to be", "to", "as", "be"]);
    cursor.eat(&["a", "the", "my"]);
    let priority = if cursor.eat_any(phrases!(
        "high priority | high | urgent | important | top priority | highest | the highest | top | \
        critical"
    )) {
        State::High
    } else if cursor.eat_any(phrases!(
        "low priority | low | lowest | unimportant | not urgent"
    )) {
        State::Low
    } else if cursor.eat_any(phrases!(
        "medium priority | normal priority | medium | normal | regular"
    )) {
        State::Medium
    } else {
        return Err(parse.words(cursor));
    };
    cursor.eat(&["priority", "task"]);
    sel.noun = Some(Noun::Task);
    let mut request = Request::new(Act::SetPriority, sel);
    request.vals.priority = Some(priority);
    parse.push(request);
    Ok(())
}

/// Whether something is given to a thing, and not to the person ("give me my tasks").
pub(super) fn gives(cursor: &Cursor<'_, '_>) -> bool {
    cursor
        .at
        .checked_sub(1)
        .and_then(|at| cursor.said.pieces.get(at))
        .is_some_and(|verb| verb.word == "give")
        && cursor.sees(&["me", "us"]).is_none()
}

/// "Give my budget tasks high priority".
pub(super) fn give<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    let ranks = phrases!(
        "high priority | low priority | medium priority | normal priority | top priority | the highest priority | the lowest priority | \
        a high priority | a low priority | a medium priority | a normal priority | a higher priority | priority"
    );
    let Some(end) = (cursor.at + 1..cursor.end).find(|at| {
        let mut here = *cursor;
        here.at = *at;
        here.eat_any(ranks) && filler::only_closers(&here)
    }) else {
        return Err(parse.words(cursor));
    };
    let mut inner = *cursor;
    inner.end = end;
    let sel = target(parse, &mut inner, Some(Noun::Task), Rules::default())?;
    if inner.at != end || !matches!(sel.noun, Some(Noun::Task | Noun::Reminder | Noun::Any)) {
        return Err(parse.words(cursor));
    }
    cursor.at = end;
    priority(parse, cursor, sel)
}

/// "Prioritise the tax task".
pub(super) fn prioritise<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    // "Lower the priority of 'Sort photos'".
    let down = cursor.said.pieces[..cursor.at]
        .iter()
        .rev()
        .take(4)
        .any(|piece| {
            matches!(
                piece.word.as_str(),
                "lower" | "reduce" | "decrease" | "deprioritize" | "deprioritise"
            )
        });
    let sel = target(parse, cursor, Some(Noun::Task), Rules::default())?;
    let mut request = Request::new(Act::SetPriority, sel);
    request.vals.priority = Some(if down { State::Low } else { State::High });
    parse.push(request);
    Ok(())
}

/// "Put the label 'Taxes' on every mail from Bob", "add a travel tag to it".
pub(super) fn put_label<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    if !ahead.eat(&["the label", "the tag", "a label", "a tag", "label", "tag"]) {
        return false;
    }
    let Some(label) = super::value::text(&mut ahead, &["on", "to", "onto"]) else {
        return false;
    };
    if !ahead.eat(&["on", "to", "onto"]) {
        return false;
    }
    let Some(sel) = super::noun::phrase(&mut ahead, Some(Noun::Mail), Rules::default()) else {
        return false;
    };
    if sel.noun != Some(Noun::Mail) && sel.pron.is_none() {
        return false;
    }
    let mut request = Request::new(Act::Label, sel);
    request.vals.details = vec![label.text.trim_start_matches('#').to_owned()];
    parse.push(request);
    *cursor = ahead;
    true
}

/// "Label emails from Bob as travel", "tag it with travel".
pub(super) fn label<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    let rules = Rules {
        with_is_value: true,
        ..Rules::default()
    };
    // "… as Finance": up to there is what gets the label.
    let end = (cursor.at + 1..cursor.end).find(|at| cursor.said.pieces[*at].word == "as");
    let sel = match end {
        Some(end) => {
            let mut inner = *cursor;
            inner.end = end;
            let sel = target(parse, &mut inner, Some(Noun::Mail), rules)?;
            if inner.at != end {
                return Err(parse.words(&inner));
            }
            cursor.at = end;
            sel
        }
        None => target(parse, cursor, Some(Noun::Mail), rules)?,
    };
    cursor.eat_any(phrases!("as | with | with the label | with the tag | :"));
    let Some(words) = rest(cursor) else {
        return Err(missing("label"));
    };
    let mut request = Request::new(Act::Label, sel);
    request.vals.details = vec![words.text.trim_start_matches('#').to_owned()];
    parse.push(request);
    Ok(())
}
