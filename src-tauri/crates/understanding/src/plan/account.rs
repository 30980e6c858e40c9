//! What is planned, held against what was said: no time is left aside, and no name holds words that narrow or join.
//!
//! A grammar that reads names freely takes words for a name that were meant to narrow it ("the meetings after 2"). What
//! such a plan does is not what was asked for, so it is refused with the words in question.

use super::held::{Held, Kept};

use super::clause::{Parse, Unread, Why};
use super::lexicon::{STATES, State};
use super::model::{Act, Request, Test, Who};
use super::said::{Form, Piece, Said};
use crate::time::Value as Time;

/// The first words of a message that its plan leaves aside or takes for something they are not.
pub(super) fn misplaced(parse: &Parse<'_, '_>) -> Option<Unread> {
    let mut held = Held::new(parse.said);
    for request in &parse.requests {
        held.kept.push(Kept::of(request.span.clone()));
        held.request(request);
    }
    for cond in &parse.conds {
        // The words of a condition are looked through with it; they excuse none elsewhere.
        held.kept.push(Kept::of(match cond.span {
            Some(_) => 0..0,
            None => 0..parse.said.pieces.len(),
        }));
        held.sel(&cond.sel);
        if let Test::Like(sel, _) = &cond.test {
            held.sel(sel);
        }
    }
    held.used.extend(&parse.context);
    for sel in &parse.mentioned {
        held.kept.push(Kept::of(sel.span.clone()));
        held.times_of(sel);
    }
    held.wrong
        .take()
        .or_else(|| forgotten_time(parse, &held.used, &held.texts))
        .or_else(|| forgotten_word(parse, &held))
        .or_else(|| day_of_both(parse))
}

/// A time that nothing in the plan hangs on.
fn forgotten_time(
    parse: &Parse<'_, '_>,
    used: &[usize],
    texts: &[(usize, usize)],
) -> Option<Unread> {
    let said = parse.said;
    let piece = said.pieces.iter().enumerate().find(|(at, piece)| {
        let Form::Time(index) = piece.form else {
            return false;
        };
        let length = said
            .times
            .get(index)
            .is_none_or(|found| matches!(found.value, Time::Duration(_)));
        // "If it was over a week ago": read as a length already.
        let counted = parse.conds.iter().any(|cond| {
            cond.within_minutes.is_some()
                && cond
                    .span
                    .is_some_and(|(start, end)| start <= piece.span.start && piece.span.end <= end)
        });
        // What a remark says asks for nothing.
        let asked = parse
            .requests
            .iter()
            .any(|request| request.span.contains(at) && !is_free(request.act))
            || parse.conds.iter().any(|cond| {
                cond.within_minutes.is_none()
                    && cond.span.is_some_and(|(start, end)| {
                        start <= piece.span.start && piece.span.end <= end
                    })
            });
        // "When does my day start tomorrow" names the day by tomorrow.
        let day = said.source.get(piece.span.clone()).is_some_and(|text| {
            // "The call is now at 5" is nothing but a change.
            text.eq_ignore_ascii_case("my day") || text.eq_ignore_ascii_case("now")
        });
        !length
            && !counted
            && !day
            && asked
            && !used.contains(&index)
            && !texts
                .iter()
                .any(|(start, end)| *start <= piece.span.start && piece.span.end <= *end)
    });
    piece.map(|(_, piece)| unread(said, piece.span.start, piece.span.end))
}

/// A word that narrows or chooses, and did neither.
fn forgotten_word(parse: &Parse<'_, '_>, held: &Held<'_, '_>) -> Option<Unread> {
    let said = parse.said;
    let found = (0..said.pieces.len()).find_map(|at| {
        let piece = &said.pieces[at];
        // "Whenever Bob has mailed, reply": it was to be done each time, or only then.
        let whenever = piece.word == "whenever"
            && said.pieces.get(at + 1).is_some_and(|next| {
                !matches!(
                    next.word.as_str(),
                    "you"
                        | "possible"
                        | "convenient"
                        | "it"
                        | "that"
                        | "is"
                        | "works"
                        | "suits"
                        | "i"
                        | "we"
                )
            });
        if whenever && parse.requests.iter().any(|request| !is_free(request.act)) {
            return Some(piece);
        }
        let asked = parse.requests.iter().any(|request| {
            request.span.contains(&at)
                && !is_free(request.act)
                && request
                    .vals
                    .body
                    .as_ref()
                    .is_none_or(|body| body.span.is_some())
        });
        let texted = held
            .texts
            .iter()
            .any(|(start, end)| *start <= piece.span.start && piece.span.end <= *end);
        let conditional = parse.conds.iter().any(|cond| {
            cond.span
                .is_some_and(|(start, end)| start <= piece.span.start && piece.span.end <= end)
        });
        if !asked || texted || conditional || !piece.is_plain() || piece.leads.is_some() {
            return None;
        }
        let kept = |keeps: &dyn Fn(&Kept) -> bool| {
            held.kept
                .iter()
                .any(|kept| kept.span.contains(&at) && keeps(kept))
        };
        let state = STATES.at(&said.pieces, at).is_some_and(|(state, _)| {
            narrows(state) && !kept(&|kept| kept.marks || kept.states.contains(&state))
        });
        let pick = !kept(&|kept| kept.picks || kept.spares == Some(piece.word.as_str()))
            && matches!(
                piece.word.as_str(),
                "first"
                    | "second"
                    | "third"
                    | "fourth"
                    | "fifth"
                    | "last"
                    | "latest"
                    | "next"
                    | "newest"
                    | "oldest"
                    | "earliest"
                    | "longest"
                    | "shortest"
                    | "same"
            );
        // "Cancel some meetings": which of them was left open.
        let some = piece.word == "some"
            && parse.requests.iter().any(|request| {
                request.span.contains(&at)
                    && matches!(
                        request.act,
                        Act::Delete | Act::Move | Act::File(_) | Act::Respond(_) | Act::Complete
                    )
                    && (request.sel.plural || request.sel.all)
            });
        if some {
            return Some(piece);
        }
        // "First thing tomorrow" is when.
        let early = piece.word == "first"
            && said
                .pieces
                .get(at + 1)
                .is_some_and(|next| next.word == "thing");
        (state || pick && !early).then_some(piece)
    });
    found.map(|piece| unread(said, piece.span.start, piece.span.end))
}

/// Whether a state is always said to tell things apart.
fn narrows(state: State) -> bool {
    matches!(
        state,
        State::Unread
            | State::Starred
            | State::Overdue
            | State::High
            | State::Low
            | State::Medium
            | State::Recurring
            | State::Attachment
            | State::Unanswered
            | State::Archived
            | State::Clashing
            | State::Undated
    )
}

/// Whether a request keeps words of its own as they are.
pub(super) fn is_free(act: Act) -> bool {
    matches!(
        act,
        Act::Store
            | Act::Recall
            | Act::Forget
            | Act::CreateContact
            | Act::UpdateContact
            | Act::Compute
            | Act::CreateNote
            | Act::AppendNote
            | Act::AddNotes
            | Act::Describe
            | Act::SearchFiles
    )
}

/// "Cancel the 2pm and the 4pm on Friday": whether the first is on that day as well, or today, was not said.
fn day_of_both(parse: &Parse<'_, '_>) -> Option<Unread> {
    let times = &parse.said.times;
    let dated = |index: &usize| times.get(*index).is_some_and(|found| found.has_day);
    let open = parse.requests.windows(2).find_map(|pair| {
        let [first, second] = pair else { return None };
        let (first_when, second_when) = match (first.act, second.act) {
            (Act::Delete, Act::Delete) => (&first.sel.when, &second.sel.when),
            // "A meeting with Tom at 3 and one with Kim at 4 tomorrow".
            (Act::CreateEvent, Act::CreateEvent) => (&first.vals.times, &second.vals.times),
            _ => return None,
        };
        let hour = !first_when.is_empty() && !first_when.iter().any(dated);
        (first.vals.beside.is_none()
            && first.cond.is_none()
            && hour
            && first.sel.days.is_empty()
            && second_when.iter().any(dated))
        .then_some(second)
    })?;
    let (start, end) = parse.said.span(&open.span)?;
    Some(unread(parse.said, start, end))
}

/// "Mail Ana or Bob": which of them was left open, and nothing goes to both.
pub(super) fn either(said: &Said<'_>, request: &Request) -> Option<Unread> {
    let people = &request.vals.people;
    if people.len() < 2 || matches!(request.act, Act::Query(_)) {
        return None;
    }
    let names = |piece: &Piece| {
        people.iter().any(|who| match who {
            Who::Named { said, .. } => said
                .split_whitespace()
                .any(|word| word.to_lowercase() == piece.word),
            Who::Address(address) => piece.form == Form::Address && *address == piece.word,
            _ => false,
        })
    };
    let at = request.span.clone().find(|at| {
        said.pieces[*at].word == "or"
            && at
                .checked_sub(1)
                .is_some_and(|last| names(&said.pieces[last]))
            && said.pieces.get(at + 1).is_some_and(names)
    })?;
    let (start, end) = said.span(&(at - 1..at + 2))?;
    Some(unread(said, start, end))
}

pub(super) fn unread(said: &Said<'_>, start: usize, end: usize) -> Unread {
    Unread {
        span: Some((start, end)),
        why: Why::Words(said.source.get(start..end).unwrap_or("").to_owned()),
    }
}
