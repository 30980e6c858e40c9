//! Conditions: a step reads something, and its result decides whether a request is carried out.

mod one;

use adjutant_domain::moment::Moment;
use adjutant_domain::plan::condition::Op;
use adjutant_domain::plan::{Condition, Operand, StepDraft};
use jiff::{Span, ToSpan};
use serde_json::{Value as Json, json};

use super::super::binding::{Binding, Value};
use super::super::ground;
use super::super::lattice::{Filler, Lattice, times};
use super::{EarlierRequest, Unfit, select};
use crate::time::{Relation, TimeExpression, Value as Time};

/// Returns the steps that read what a condition is about, and the condition. If the condition does not say its time
/// ("unless I am busy then"), it takes the time of the `request` that depends on it. `denied`: the condition must not
/// hold.
pub(in super::super) fn read(
    lattice: &Lattice<'_>,
    frame: &Binding,
    request: &Binding,
    (earlier, made): (&[EarlierRequest<'_>], usize),
    denied: bool,
) -> Result<(Vec<StepDraft>, Condition), Unfit> {
    let mut frame = frame.clone();
    if matches!(frame.category().filters, Some("calendar" | "free")) {
        borrow_time(lattice, &mut frame, request)?;
    }
    let mut steps = question_steps(lattice, &frame, (earlier, made))?;
    let step = steps.last_mut().ok_or(Unfit("nothing to read"))?;
    step.why = "to check the condition".into();
    let condition = test(&frame, step)?;
    Ok((steps, if denied { not(condition) } else { condition }))
}

/// Returns the steps that read what a condition is about, if the message only asks for that: "check if I am free at 3".
pub(in super::super) fn question_steps(
    lattice: &Lattice<'_>,
    frame: &Binding,
    (earlier, made): (&[EarlierRequest<'_>], usize),
) -> Result<Vec<StepDraft>, Unfit> {
    let family = frame.category().filters.unwrap_or("");
    if is_to_come(lattice, frame) {
        return Err(Unfit("nobody knows yet"));
    }
    check_name(lattice, frame, family)?;
    let frame = &with_them(frame, earlier)?;
    if frame.has("is") {
        return one::steps(lattice, frame, earlier, made);
    }
    let mut steps = super::steps(lattice, frame, earlier, made)?;
    let step = steps.last_mut().ok_or(Unfit("nothing to read"))?;
    if family != "free" {
        let counts = !matches!(frame.constant("test"), Some("some" | "none"));
        step.args["ask"] = json!(if counts { "count" } else { "any" });
    }
    since(lattice, frame, step)?;
    let now = json!(Moment::At(lattice.said.now.clone()));
    if let Some(args) = step.args.as_object_mut().filter(|_| family == "email")
        && args.get("until") == Some(&now)
    {
        args.remove("until");
    }
    Ok(steps)
}

/// Returns the number of steps that read what a condition is about.
pub(in super::super) fn reads(frame: &Binding) -> usize {
    if frame.has("is") { 2 } else { 1 }
}

/// Returns the condition that a yes-no question was answered with yes.
pub(in super::super) fn of_question(frame: &Binding, step: &StepDraft) -> Option<Condition> {
    if frame.category().condition {
        return test(frame, step).ok();
    }
    let asks = step.args.get("ask").and_then(Json::as_str)?;
    match (step.tool.as_str(), asks) {
        ("calendar.free", "free") => Some(Condition::new(
            Op::Eq,
            vec![at(step, "/is_free"), json!(true)],
        )),
        ("calendar.free", "others") => Some(Condition::new(
            Op::Eq,
            vec![at(step, "/is_free"), json!(!frame.has("busy"))],
        )),
        ("calendar.free", _) => Some(Condition::new(Op::NotEmpty, vec![at(step, "/items")])),
        (_, "any") => Some(Condition::new(Op::NotEmpty, vec![at(step, "/ids")])),
        _ => None,
    }
}

/// Makes a step run only if a condition holds.
pub(in super::super) fn hold(step: &mut StepDraft, condition: &Condition) {
    for key in condition.uses() {
        if !step.needs.contains(&key) {
            step.needs.push(key);
        }
    }
    step.when = Some(match step.when.take() {
        None => condition.clone(),
        Some(own) => Condition {
            op: Op::And,
            args: [own, condition.clone()]
                .map(|one| Operand::Condition(Box::new(one)))
                .into(),
        },
    });
}

/// Negates a condition.
pub(in super::super) fn not(condition: Condition) -> Condition {
    let op = match condition.op {
        Op::Empty => Op::NotEmpty,
        Op::NotEmpty => Op::Empty,
        Op::Eq => Op::Ne,
        Op::Ne => Op::Eq,
        Op::Lt => Op::Ge,
        Op::Ge => Op::Lt,
        Op::Gt => Op::Le,
        Op::Le => Op::Gt,
        Op::And | Op::Or | Op::Not => {
            return Condition {
                op: Op::Not,
                args: vec![Operand::Condition(Box::new(condition))],
            };
        }
    };
    Condition { op, ..condition }
}

/// Returns the condition on the result of a step.
fn test(frame: &Binding, step: &StepDraft) -> Result<Condition, Unfit> {
    let count = || {
        frame.all("least").find_map(|value| match value {
            Value::Filler(Filler::Number(count), _) => Some(*count),
            _ => None,
        })
    };
    let condition = match frame.constant("test") {
        Some("some") => Condition::new(Op::NotEmpty, vec![at(step, "/ids")]),
        Some("none") => Condition::new(Op::Empty, vec![at(step, "/ids")]),
        Some("free") => Condition::new(Op::Eq, vec![at(step, "/is_free"), json!(true)]),
        Some("busy") => Condition::new(Op::Eq, vec![at(step, "/is_free"), json!(false)]),
        Some(than) => {
            let op = match than {
                "more" => Op::Gt,
                "least" => Op::Ge,
                "fewer" => Op::Lt,
                "most" => Op::Le,
                "same" => Op::Eq,
                _ => return Err(Unfit("no such test")),
            };
            let count = count().ok_or(Unfit("no number"))?;
            Condition::new(op, vec![at(step, "/total"), json!(count)])
        }
        None => return Err(Unfit("no test")),
    };
    Ok(condition)
}

/// Returns a reference to a value in the result of a step.
fn at(step: &StepDraft, path: &str) -> Json {
    json!({"$from": step.key.0, "path": path})
}

/// Takes the time that the condition does not say from the request.
fn borrow_time(lattice: &Lattice<'_>, frame: &mut Binding, request: &Binding) -> Result<(), Unfit> {
    let found = |value: &Value| match value {
        Value::Filler(Filler::Time(time), _) => lattice.times.get(*time),
        _ => None,
    };
    let times = |frame: &Binding| -> Vec<Value> {
        let inner = frame.inner("thing").into_iter();
        let inner = inner.flat_map(|thing| thing.all("when")).cloned();
        frame.all("when").cloned().chain(inner).collect()
    };
    let own = times(frame);
    let dated = own.iter().filter_map(found).any(|found| found.has_day);
    let needs = frame.has("then") || frame.category().filters == Some("free");
    if dated || frame.has("within") || frame.has("unit") || own.is_empty() && !needs {
        return Ok(());
    }
    let theirs = request.all("when").chain(request.all("to"));
    let theirs = theirs.filter(|value| {
        let day = found(value);
        // A day that was said with an hour does not apply to a different hour.
        day.is_some_and(|day| own.is_empty() || day.has_day && day.clock.is_none())
    });
    let theirs: Vec<Value> = theirs.cloned().collect();
    if own.is_empty() && theirs.is_empty() {
        return Err(Unfit("no time"));
    }
    let borrowed = theirs.into_iter().map(|value| ("when", value));
    frame.roles.extend(borrowed);
    if own.is_empty() && !frame.has("length") {
        let length = request.all("length").cloned();
        frame.roles.extend(length.map(|value| ("length", value)));
    }
    Ok(())
}

/// Reports whether the condition is about something that can only happen later: "if she has not answered by Friday".
fn is_to_come(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    if !frame.has("past") && frame.category().filters != Some("email") {
        return false;
    }
    let now = lattice.said.now;
    let is_ahead = |found: &TimeExpression| {
        let stretch = found.value.stretch(now);
        stretch.is_some_and(|(start, _)| start > *now)
    };
    let inner = frame.inner("thing").into_iter();
    let times = inner.flat_map(|thing| thing.times("when"));
    let mut founds = frame
        .times("when")
        .chain(times)
        .filter_map(|time| lattice.times.get(time));
    founds.any(|found| match found.relation {
        Relation::Since => false,
        Relation::By | Relation::Until | Relation::Before => is_ahead(found),
        _ => is_ahead(&times::as_past(lattice, found)),
    })
}

/// Checks that a thing identified only by name matches one of the person's records: "if I have a fever" is not an
/// event.
fn check_name(lattice: &Lattice<'_>, frame: &Binding, family: &str) -> Result<(), Unfit> {
    let Some(thing) = frame.inner("thing") else {
        return Ok(());
    };
    let kind = select::kind_of(family).ok_or(Unfit("no such kind"))?;
    let told = thing.has("kind")
        || thing.has("hour")
        // "If the review is after 3": the question about it shows that it is an event.
        || family == "calendar" && frame.has("is")
        || ["with", "from", "to", "owner"]
            .iter()
            .any(|role| thing.has(role));
    match told || ground::look_up(lattice, thing, kind).score > 0.0 {
        true => Ok(()),
        false => Err(Unfit("nothing of that name")),
    }
}

/// Completes a condition with the people of the preceding request: "I haven't met Ana in a while. If it's been longer
/// than 10 days".
fn with_them(frame: &Binding, earlier: &[EarlierRequest<'_>]) -> Result<Binding, Unfit> {
    let mut frame = frame.clone();
    if frame.has("with_them") {
        let before = earlier.last().ok_or(Unfit("with nobody"))?.frame;
        let guests = before.all("guest").chain(before.all("with")).cloned();
        frame.roles.extend(guests.map(|who| ("with", who)));
        if !frame.has("with") {
            return Err(Unfit("with nobody"));
        }
    }
    Ok(frame)
}

/// Sets the range from a length of time ago until now: "it has been over two days".
fn since(lattice: &Lattice<'_>, frame: &Binding, step: &mut StepDraft) -> Result<(), Unfit> {
    let Some(length) = within(lattice, frame)? else {
        return Ok(());
    };
    if step.tool == "calendar.list" && !frame.has("past") {
        return Err(Unfit("of what is to come"));
    }
    let now = lattice.said.now;
    let from = now.checked_sub(length).map_err(|_| Unfit("too long ago"))?;
    let (first, last) = match step.tool.as_str() {
        "email.search" => ("since", "until"),
        _ => ("from", "to"),
    };
    step.args[first] = json!(Moment::At(from));
    step.args[last] = json!(Moment::At(now.clone()));
    Ok(())
}

/// Returns how far the condition looks back, if it says so.
fn within(lattice: &Lattice<'_>, frame: &Binding) -> Result<Option<Span>, Unfit> {
    if let Some(days) = frame.constant("unit") {
        let days: i32 = days.parse().map_err(|_| Unfit("no length"))?;
        return Ok(Some(days.days()));
    }
    let Some(length) = frame.times("within").next() else {
        return Ok(None);
    };
    match lattice.times.get(length).map(|found| &found.value) {
        Some(Time::Duration(length)) => Ok(Some(length.span)),
        _ => Err(Unfit("no length")),
    }
}
