//! The requests of a message, held against one another: what only introduced a thing is dropped, what was said twice is done
//! once, and what "it" and "them" take over from a remark or a condition is put in.

use super::super::clause::{Parse, is_name};
use super::super::lexicon::Noun;
use super::super::model::{Act, Ask, Det, Pick, Pron, Request, Sel, Test, Who};
use super::refer::compatible;

/// Drops requests that only introduced a thing another one names with a pronoun, and hands their thing on.
pub(in super::super) fn settled(parse: &Parse<'_, '_>) -> Vec<Request> {
    let mut requests: Vec<Request> = parse.requests.clone();
    let said_outright = requests
        .iter()
        .any(|request| request.vals.question != Some("implied"));
    let implied: Vec<Request> = requests
        .iter()
        .filter(|request| request.vals.question == Some("implied"))
        .cloned()
        .collect();
    if said_outright {
        requests.retain(|request| request.vals.question != Some("implied"));
    }
    for at in 0..requests.len() {
        let open = requests[at].vals.people.is_empty()
            || requests[at].vals.people == [Who::They]
                && implied
                    .iter()
                    .any(|hint| matches!(hint.vals.people.as_slice(), [Who::GuestsOf(_)]));
        if requests[at].act == Act::Forward
            && open
            && let Some(hint) = implied.iter().find(|hint| hint.act == Act::Forward)
        {
            requests[at].vals.people = hint.vals.people.clone();
        }
        let request = &mut requests[at];
        // "Forward her last mail to Nadia": of whoever was spoken of before, and not of whom it goes to.
        let others = parse
            .people
            .iter()
            .any(|who| is_name(who) && !request.vals.people.contains(who));
        let whose = [&request.sel.from, &request.sel.with]
            .into_iter()
            .any(|list| list.contains(&Who::They));
        if whose && !others && request.vals.people.iter().any(is_name) {
            continue;
        }
        for list in [
            &mut request.sel.from,
            &mut request.sel.with,
            &mut request.sel.to,
            &mut request.vals.people,
        ] {
            super::super::condition::resolve_they(parse, list);
        }
        for who in &mut request.vals.people {
            // "Make sure everyone comes to the review, send them a reminder".
            if *who == Who::They
                && parse.people.is_empty()
                && let Some(event) = parse.antecedent(Some(Noun::Event))
            {
                *who = Who::GuestsOf(Box::new(event));
            }
            if let Who::GuestsOf(sel) = who
                && sel.pron.is_some()
                && let Some(meant) = parse.antecedent(Some(Noun::Event))
            {
                **sel = meant;
            }
        }
        day_of_remark(parse, request);
        of_condition(parse, request);
        // Not in a request's own words: a thing mentioned before without asking for anything.
        if let Some(sel) = inherited(parse, &requests, at) {
            requests[at].sel = sel;
        }
    }
    // "Get rid of all mails from Ana. Can you delete them?": the same thing said twice.
    let twice: Vec<usize> = (1..requests.len())
        .filter(|at| {
            let (before, here) = (&requests[at - 1], &requests[*at]);
            here.act == before.act
                && here.sel.pron.is_some()
                && here.vals == Default::default()
                && before.sel.pron.is_none()
        })
        .collect();
    for at in twice.into_iter().rev() {
        requests.remove(at);
    }
    told_first(&mut requests);
    replaced(&mut requests);
    // "Find the latest mail from Ana and forward it": looking is part of forwarding.
    let mut dropped = Vec::new();
    for at in 1..requests.len() {
        let refers = requests[at].sel.pron.is_some();
        let before = requests[at - 1].clone();
        let acts = !matches!(
            requests[at].act,
            Act::Query(_) | Act::Read | Act::Send | Act::Draft | Act::CreateEvent | Act::CreateTask
        );
        if refers
            && acts
            && matches!(before.act, Act::Query(Ask::List | Ask::Any))
            && compatible(requests[at].sel.noun, before.sel.noun)
            && before.cond == requests[at].cond
        {
            let mut sel = before.sel.clone();
            let them = matches!(requests[at].sel.pron, Some(Pron::Them | Pron::Both))
                || requests[at].sel.all;
            sel.all |= them;
            sel.plural |= them;
            // "List … and cancel the second one": the one at that place.
            if let Some(Pron::Place(n)) = requests[at].sel.pron {
                if sel.pick.is_some() {
                    continue;
                }
                sel.pick = Some(if n == -1 { Pick::Last(1) } else { Pick::Nth(n) });
                sel.all = false;
                sel.plural = false;
            }
            if them || before.act != Act::Query(Ask::Any) || !sel.plural {
                if before.act == Act::Query(Ask::Any) && sel.det == Det::Any {
                    sel.det = Det::None;
                }
                requests[at].sel = sel;
                if before.act == Act::Query(Ask::List) {
                    dropped.push(at - 1);
                }
            }
        }
    }
    for at in dropped.into_iter().rev() {
        requests.remove(at);
    }
    requests
        .into_iter()
        .flat_map(|request| each_day(parse, request))
        .collect()
}

/// "Cancel my 4 o'clock and tell everyone": who takes part is read before the event is gone.
fn told_first(requests: &mut [Request]) {
    for at in 1..requests.len() {
        let (before, here) = (requests[at - 1].clone(), &mut requests[at]);
        let changes = before.act == Act::Delete
            && before.sel.noun == Some(Noun::Event)
            && before.sel.pron.is_none()
            && !before.sel.plural
            && !before.sel.all
            && before.cond == here.cond;
        if !changes || !matches!(here.act, Act::Send | Act::Draft) {
            continue;
        }
        let [Who::GuestsOf(sel)] = here.vals.people.as_mut_slice() else {
            continue;
        };
        if sel.pron.is_none() || sel.is_narrowed() {
            continue;
        }
        **sel = before.sel.clone();
        requests.swap(at - 1, at);
    }
}

/// "Cancel my next meeting and reschedule it for Friday" only moves it; "I need to tell them that …. Mail them 'X'" is one mail.
fn replaced(requests: &mut Vec<Request>) {
    let mut at = 1;
    while at < requests.len() {
        let (before, here) = (requests[at - 1].clone(), &mut requests[at]);
        let moves = before.act == Act::Delete
            && here.act == Act::Move
            && matches!(here.sel.pron, Some(Pron::It | Pron::Them | Pron::That))
            && before.sel.pron.is_none()
            && before.cond == here.cond
            && (!here.vals.times.is_empty() || here.vals.free_slot);
        let tells = before.act == Act::Send
            && before.vals.question == Some("told")
            && here.act == Act::Send
            && (here.vals.people == [Who::They] || here.vals.people.is_empty())
            && here.vals.body.is_some()
            && before.cond == here.cond;
        if moves {
            here.sel = before.sel;
        } else if tells {
            here.vals.people = before.vals.people;
            here.vals.subject = here.vals.subject.take().or(before.vals.subject);
        } else {
            at += 1;
            continue;
        }
        requests.remove(at - 1);
    }
}

/// "Cancel the meetings on the 17th and the 19th": those of each of the days, where the days are apart.
fn each_day(parse: &Parse<'_, '_>, request: Request) -> Vec<Request> {
    /// Days of one request.
    const DAYS_MAX: usize = 7;
    let acts = matches!(
        request.act,
        Act::Delete
            | Act::Respond(_)
            | Act::File(_)
            | Act::MarkRead(_)
            | Act::Star(_)
            | Act::Complete
    ) || request.act == Act::Move && request.vals.shift.is_some();
    let mut days: Vec<(jiff::civil::Date, usize)> = request
        .sel
        .when
        .iter()
        .filter_map(|index| match &parse.said.times.get(*index)?.value {
            crate::time::Value::Date(day) => Some((*day, *index)),
            _ => None,
        })
        .collect();
    days.sort_unstable();
    let apart = days
        .windows(2)
        .any(|pair| pair[0].0.tomorrow().is_ok_and(|next| next != pair[1].0));
    if !acts
        || !apart
        || days.len() != request.sel.when.len()
        || days.len() > DAYS_MAX
        || request.sel.pick.is_some()
    {
        return vec![request];
    }
    days.into_iter()
        .map(|(_, index)| {
            let mut one = request.clone();
            one.sel.when = vec![index];
            one
        })
        .collect()
}

/// "I'm ill today. Cancel all my meetings.": several events without a day of their own are those of that day. "Tom can't
/// make it on Friday, move our meeting": the one with him on that day.
fn day_of_remark(parse: &Parse<'_, '_>, request: &mut Request) {
    let acts = matches!(
        request.act,
        Act::Delete | Act::Move | Act::Respond(_) | Act::Resize
    );
    let sel = &mut request.sel;
    let dated = sel
        .when
        .iter()
        .filter_map(|index| parse.said.times.get(*index))
        .any(|found| found.has_day);
    if acts && dated && sel.ours && sel.with.is_empty() && sel.noun == Some(Noun::Event) {
        sel.with.extend(parse.remarked.clone());
    }
    if !acts || dated || sel.pron.is_some() || sel.noun != Some(Noun::Event) {
        return;
    }
    if sel.plural || sel.all || sel.pick.is_some() {
        sel.days.clone_from(&parse.context);
        if sel.ours && sel.with.is_empty() {
            sel.with.extend(parse.remarked.clone());
        }
    } else if sel.ours
        && sel.with.is_empty()
        && parse.remarked.is_some()
        && (Sel {
            title: None,
            ..sel.clone()
        })
        .is_narrowed()
            == sel.week
    {
        // "Bob is out tomorrow, cancel our one-on-one": the one with him.
        sel.days.clone_from(&parse.context);
        sel.with.extend(parse.remarked.clone());
    } else if request.act == Act::Move
        && !parse.context.is_empty()
        && parse.mentioned.iter().any(|clash| {
            clash.title.is_none()
                && !clash.when.is_empty()
                && clash.when.iter().all(|index| parse.context.contains(index))
        })
    {
        // "I have a conflict on Tuesday at 2, move my call with Bob to 3": the one on that day.
        sel.days.clone_from(&parse.context);
    } else if sel.det == Det::My && !sel.is_narrowed() {
        sel.days.clone_from(&parse.context);
        if let [.., who] = parse.people.as_slice()
            && (!parse.context.is_empty() || sel.ours && is_name(who))
        {
            // "Write to Priya … and cancel our meeting": the one with her.
            sel.with.push(who.clone());
        }
    }
}

/// "If Tom wrote today, star his mail": the mail that was asked about.
fn of_condition(parse: &Parse<'_, '_>, request: &mut Request) {
    let Some(cond) = request
        .cond
        .filter(|(_, yes)| *yes)
        .and_then(|(index, _)| parse.conds.get(index))
        .filter(|cond| {
            matches!(
                cond.test,
                Test::Exists(true) | Test::Count(std::cmp::Ordering::Greater, _)
            ) && !cond.negated
        })
    else {
        return;
    };
    let sel = &mut request.sel;
    // "If there is a conflict tomorrow, decline the second meeting": of those asked about.
    let placed = sel.noun == cond.sel.noun
        && sel.pron.is_none()
        && sel.pick.is_some()
        && !(Sel {
            pick: None,
            ..sel.clone()
        })
        .is_narrowed();
    if placed && cond.sel.pick.is_none() {
        sel.when.clone_from(&cond.sel.when);
        sel.states.clone_from(&cond.sel.states);
        sel.with.clone_from(&cond.sel.with);
        sel.from.clone_from(&cond.sel.from);
        sel.about.clone_from(&cond.sel.about);
        sel.title.clone_from(&cond.sel.title);
        return;
    }
    let same = sel.noun == cond.sel.noun
        && sel.pron.is_none()
        && sel.from == cond.sel.from
        && sel.with == cond.sel.with
        && !(sel.from.is_empty() && sel.with.is_empty())
        && !(Sel {
            from: Vec::new(),
            with: Vec::new(),
            ..sel.clone()
        })
        .is_narrowed();
    if same {
        sel.when.clone_from(&cond.sel.when);
        sel.about.clone_from(&cond.sel.about);
        sel.title.clone_from(&cond.sel.title);
        sel.states.clone_from(&cond.sel.states);
    }
}

/// The selection a pronoun takes over from a remark or a condition of the same message.
fn inherited(parse: &Parse<'_, '_>, requests: &[Request], at: usize) -> Option<Sel> {
    let request = &requests[at];
    let sel = &request.sel;
    let one = sel.noun == Some(Noun::Any);
    if sel.pron.is_none() && !one {
        return None;
    }
    if matches!(
        request.act,
        Act::Send | Act::Draft | Act::CreateEvent | Act::CreateTask
    ) {
        return None;
    }
    // An earlier request is nearer than a remark.
    if at > 0 && sel.pron.is_some() {
        return None;
    }
    let wanted = sel.noun.filter(|noun| *noun != Noun::Any);
    let of_condition = request
        .cond
        .filter(|(_, yes)| *yes)
        .and_then(|(index, _)| parse.conds.get(index))
        .filter(|cond| !cond.negated)
        .filter(|cond| {
            matches!(
                cond.test,
                Test::Exists(true) | Test::Count(..) | Test::Like(..)
            ) && wanted.is_none_or(|noun| cond.sel.noun == Some(noun))
        })
        .map(|cond| {
            let mut sel = cond.sel.clone();
            // What it is like tells it from the others, unless a place in an order does.
            if let (Test::Like(like, true), None) = (&cond.test, sel.pick) {
                // "If the review is before noon, move it": on whatever day that is.
                let dated = |list: &[usize]| {
                    list.iter()
                        .filter_map(|index| parse.said.times.get(*index))
                        .any(|found| found.has_day)
                };
                sel.any_day = !dated(&sel.when) && !dated(&like.when);
                sel.when.extend(like.when.iter().copied());
                sel.states.extend(like.states.iter().copied());
            }
            sel
        });
    let mut found = of_condition.or_else(|| parse.antecedent(wanted))?;
    let them = matches!(sel.pron, Some(Pron::Them | Pron::Both)) || sel.all || sel.plural;
    found.all = them;
    found.plural = them;
    found.states.extend(sel.states.iter().copied());
    found.when.extend(sel.when.iter().copied());
    found.except.extend(sel.except.iter().cloned());
    found.pick = sel.pick.or(found.pick);
    found.from.extend(sel.from.iter().cloned());
    found.with.extend(sel.with.iter().cloned());
    found.span = sel.span.clone();
    if found.det == Det::Any {
        found.det = Det::None;
    }
    Some(found)
}
