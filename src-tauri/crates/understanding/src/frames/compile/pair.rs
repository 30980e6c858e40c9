//! Requests about several things: "cancel lunch and the review tomorrow", "swap my 10am and my 2pm".

use std::rc::Rc;

use adjutant_domain::plan::StepDraft;
use adjutant_domain::record::Kind;
use serde_json::json;

use super::super::binding::{Binding, Value};
use super::super::ground::{self, Ground};
use super::super::lattice::{Filler, Lattice, times};
use super::{Compiler, EarlierRequest, Unfit, select};

/// Maximum number of things in one request.
const THINGS_MAX: usize = 6;

/// Returns a frame for each of several things that a request is about. Empty if it is about one.
pub(super) fn frames(lattice: &Lattice<'_>, frame: &Binding) -> Result<Vec<Binding>, Unfit> {
    let Some(mut things) = frame.inner("target").and_then(things) else {
        return Ok(Vec::new());
    };
    let tool = frame.category().tool.unwrap_or("");
    let kind = tool.split('.').next().and_then(select::kind_of);
    let told = |thing: &Binding| {
        let by_words = thing
            .roles
            .iter()
            .any(|(role, _)| !matches!(*role, "name" | "when"));
        let article = lattice.phrase("det", thing.span.start).is_some();
        let known = |kind| ground::look_up(lattice, thing, kind).score > 0.0;
        by_words || article || kind.is_some_and(known)
    };
    // "Salt and pepper" are two things only if something distinguishes them.
    if !things.iter().skip(1).all(told) || things.len() > THINGS_MAX {
        return Err(Unfit("one name"));
    }
    // "Delete the review and schedule a new one" names one thing.
    let asks = |thing: &Binding| {
        let begins = lattice.phrase("imperative", thing.span.start);
        let known = |kind| ground::look_up(lattice, thing, kind).whole.is_some();
        begins.is_some_and(|end| lattice.phrase("det", end).is_some()) && !kind.is_some_and(known)
    };
    if things.iter().skip(1).any(asks) {
        return Err(Unfit("another request"));
    }
    // After "except lunch", a further thing is also excluded.
    if things.iter().any(|thing| thing.has("except")) || frame.has("except") {
        return Err(Unfit("several are left out"));
    }
    share_day(lattice, &mut things);
    let with = |thing: Binding| {
        let roles = frame.roles.iter().map(|(role, value)| match *role {
            "target" => ("target", Value::Inner(thing.clone().into())),
            role => (role, value.clone()),
        });
        Binding {
            roles: roles.collect(),
            ..frame.clone()
        }
    };
    Ok(things.into_iter().map(with).collect())
}

/// Returns the things of a pair, including those of a pair nested in it.
fn things(pair: &Rc<Binding>) -> Option<Vec<Binding>> {
    let (first, second) = (pair.inner("first")?, pair.inner("second")?);
    let mut all = vec![(**first).clone()];
    match things(second) {
        Some(more) => all.extend(more),
        None => all.push((**second).clone()),
    }
    Some(all)
}

/// Gives the earlier things the day that was said with the last one: "my 10am and my 2pm tomorrow".
fn share_day(lattice: &Lattice<'_>, things: &mut [Binding]) {
    let Some((last, before)) = things.split_last_mut() else {
        return;
    };
    let day = last.all("when").find_map(|time| match time {
        Value::Filler(Filler::Time(_), tokens) => times::day_within(lattice, tokens),
        _ => None,
    });
    let Some((day, tokens)) = day else { return };
    for thing in before {
        let dated = thing
            .times("when")
            .filter_map(|time| lattice.times.get(time))
            .any(|found| found.has_day);
        if !dated {
            let day = Value::Filler(day.clone(), tokens.clone());
            thing.roles.push(("when", day));
        }
    }
}

/// Splits "my first two meetings tomorrow" into the first and the second.
fn first_two(frame: &Binding) -> Result<Vec<Binding>, Unfit> {
    let both = frame.inner("target").ok_or(Unfit("nothing to swap"))?;
    let two = both
        .all("count")
        .any(|count| matches!(count, Value::Filler(Filler::Number(2), _)));
    if !two || both.constant("pick") != Some("first") {
        return Err(Unfit("two are swapped"));
    }
    let kept = both
        .roles
        .iter()
        .filter(|(role, _)| !matches!(*role, "pick" | "count" | "many"));
    let kept: Vec<_> = kept.cloned().collect();
    let nth = |place: i64| {
        let turn = Value::Filler(Filler::Ordinal(place), both.span.clone());
        let one = Binding {
            roles: kept.iter().cloned().chain([("turn", turn)]).collect(),
            ..(**both).clone()
        };
        Binding {
            roles: vec![("target", Value::Inner(one.into()))],
            ..frame.clone()
        }
    };
    Ok(vec![nth(1), nth(2)])
}

/// Swaps the times of two events: steps read both before either is moved.
pub(super) fn swapped(
    lattice: &Lattice<'_>,
    frame: &Binding,
    earlier: &[EarlierRequest<'_>],
    made: usize,
) -> Result<Vec<StepDraft>, Unfit> {
    let mut frames = frames(lattice, frame)?;
    if frames.is_empty() {
        frames = first_two(frame)?;
    }
    let [first, second] = frames.as_slice() else {
        return Err(Unfit("two are swapped"));
    };
    let read = |frame: &Binding, made: usize| {
        let mut compiler = Compiler::new(lattice, frame, earlier, made)?;
        let target = frame.inner("target").ok_or(Unfit("no event"))?;
        if target.has("many") {
            return Err(Unfit("several"));
        }
        compiler.read_event(target, false)?;
        let mut step = compiler.reads.pop().ok_or(Unfit("no event"))?;
        if !target.has("pick") && !target.has("turn") {
            step.args["pick"] = json!("one");
        }
        Ok(step)
    };
    let one = read(first, made)?;
    let other = read(second, made + 1)?;
    let keys = [one.key.clone(), other.key.clone()];
    let moved = |number: usize, event: usize| StepDraft {
        key: super::key(made + number),
        say: super::words::say(lattice, frame),
        tool: frame.category().tool.unwrap_or("").to_owned(),
        args: json!({
            "id": {"$from": keys[event].0, "path": "/ids/0"},
            "changes": {"start": {"$from": keys[1 - event].0, "path": "/items/0/start"}},
        }),
        needs: keys.to_vec(),
        ..StepDraft::default()
    };
    Ok(vec![one.clone(), other.clone(), moved(2, 0), moved(3, 1)])
}

/// Looks up a thing; for several, returns the result with the lowest score.
pub(super) fn ground(lattice: &Lattice<'_>, thing: &Rc<Binding>, kind: Kind) -> Ground {
    let Some(things) = things(thing) else {
        return ground::look_up(lattice, thing, kind);
    };
    let grounds = things
        .iter()
        .map(|thing| ground::look_up(lattice, thing, kind));
    let least = grounds.min_by(|one, other| one.score.total_cmp(&other.score));
    least.unwrap_or_default()
}
