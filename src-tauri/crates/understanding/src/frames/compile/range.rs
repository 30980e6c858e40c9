//! Chooses among the things that match: the time range, the number and the order.

use adjutant_domain::moment::Moment;
use serde_json::{Map, Value as Json, json};

use super::super::binding::{Binding, Value};
use super::super::grammar::Category;
use super::super::lattice::{Filler, times};
use super::window::{self, Window};
use super::{Compiler, TIMES_APART, Unfit, convert, words};
use crate::time::{Relation, TimeExpression};

impl Compiler<'_, '_> {
    /// Fills the number of things: "the last three" limits it, "the three invoices" are all there are.
    pub(super) fn count(
        &self,
        thing: &Binding,
        value: &Value,
        (family, acts): (&str, bool),
        filter: &mut Map<String, Json>,
    ) -> Result<(), Unfit> {
        let Value::Filler(Filler::Number(count @ 1..=100), _) = value else {
            return Err(Unfit("no number"));
        };
        // "Cancel two meetings" does not say which.
        if acts && family != "email" && !thing.has("pick") {
            return Err(Unfit("any of several"));
        }
        match thing.has("pick") {
            true => filter.insert("limit".into(), json!(count)),
            false if acts => filter.insert("pick".into(), json!({"exactly": count})),
            false => None,
        };
        Ok(())
    }

    /// Fills the latest time: "older than a month", "older than last month".
    pub(super) fn older(&self, value: &Value, filter: &mut Map<String, Json>) -> Result<(), Unfit> {
        let now = self.lattice.said.now;
        let until = match value {
            Value::Filler(Filler::Length(time), _) => match &self.time(*time)?.value {
                crate::time::Value::Duration(length) => {
                    let from = now.checked_sub(length.span);
                    Moment::At(from.map_err(|_| Unfit("too long ago"))?)
                }
                _ => return Err(Unfit("no length")),
            },
            Value::Filler(Filler::Time(time), _) => {
                let found = times::as_past(self.lattice, self.time(*time)?);
                let stretch = found.value.stretch(now).ok_or(Unfit("no range"))?;
                window::moment(&stretch.0)
            }
            _ => return Err(Unfit("no length")),
        };
        filter.insert("until".into(), json!(until));
        Ok(())
    }

    /// Fills bounds for the length, in whole minutes: "longer than an hour", "at least half an hour", "my 30 minute
    /// call".
    pub(super) fn lasting(
        &self,
        role: &str,
        value: &Value,
        filter: &mut Map<String, Json>,
    ) -> Result<(), Unfit> {
        let minutes = match value {
            Value::Filler(Filler::Length(time), _) => convert::minutes(self.lattice, *time),
            _ => None,
        };
        let minutes = minutes.ok_or(Unfit("no length"))?;
        let (field, minutes) = match role {
            "longer" => ("min_minutes", minutes + 1),
            "shorter" => ("max_minutes", minutes - 1),
            _ => ("min_minutes", minutes),
        };
        if role == "exact" {
            filter.insert("max_minutes".into(), json!(minutes));
        }
        filter.insert(field.into(), json!(minutes));
        Ok(())
    }

    fn time(&self, number: usize) -> Result<&TimeExpression, Unfit> {
        self.lattice.times.get(number).ok_or(Unfit("no time"))
    }

    /// Fills the time range.
    pub(super) fn range(
        &self,
        thing: &Binding,
        category: &Category,
        acts: bool,
        filter: &mut Map<String, Json>,
    ) -> Result<(), Unfit> {
        let now = self.lattice.said.now;
        if thing.constant("day") == Some("today") && !thing.has("when") {
            return today(now, category, filter);
        }
        // "I handed in the report this morning" says when it was done, not when it was due.
        if self.frame.has("told_done") && !thing.has("due_said") && self.is_over(thing) {
            return Ok(());
        }
        // "Completed tasks from yesterday" were completed then; "completed tasks due yesterday" were due then.
        let done = thing.has("done") || is_done(thing) && !thing.has("due_said");
        let back = category.looks_back || thing.has("past") || done;
        // "Move the call from Thursday" means the call on that day, not from that day on. The same goes for several
        // things that are moved "from Thursday to Friday".
        let on = acts && (!thing.has("many") || self.frame.has("to"));
        let window = self.window(thing, (back, on))?;
        let known = match done {
            true => Some(("completed_from", "completed_to")),
            false => category.window,
        };
        let (from, to) = known.ok_or(Unfit("no times")).or_else(|unfit| {
            if !thing.has("when") {
                Ok(("", ""))
            } else {
                Err(unfit)
            }
        })?;
        let events = category.name == "filter.calendar";
        self.bounds(thing, (from, to), (events, acts), &window, filter);
        if !window.weekdays.is_empty() {
            filter.insert("weekdays".into(), json!(window.weekdays));
        }
        let clocks = [
            ("starts_after", window.clock.0),
            ("starts_before", window.clock.1),
        ];
        for (field, clock) in clocks {
            let Some(clock) = clock else { continue };
            let clock = clock.strftime("%H:%M").to_string();
            filter.insert(field.into(), json!(clock));
        }
        let on_any_day = window.clock != (None, None) || !window.weekdays.is_empty();
        if on_any_day && !events {
            return Err(Unfit("days of the week"));
        }
        Ok(())
    }

    /// Reports whether no time of a thing begins in the future.
    fn is_over(&self, thing: &Binding) -> bool {
        let now = self.lattice.said.now;
        self.times_of(thing, "when", (true, true))
            .iter()
            .all(|found| {
                found
                    .value
                    .stretch(now)
                    .is_some_and(|(start, _)| start <= *now)
            })
    }

    /// Returns the range of all times of a thing. `back`: the times are past; `on`: "from Thursday" means on Thursday.
    pub(super) fn window(&self, thing: &Binding, how: (bool, bool)) -> Result<Window, Unfit> {
        let window_of = |role, how: (bool, bool)| {
            let founds = self.times_of(thing, role, how);
            let founds: Vec<&TimeExpression> = founds.iter().collect();
            let now = self.lattice.said.now;
            let window = match thing.has("any_day") {
                true => Window::on_its_day(&founds, how.0, now),
                false => Window::of(&founds, how.0, now),
            };
            window.ok_or(Unfit("no range"))
        };
        if !thing.has("or_when") {
            return window_of("when", how);
        }
        // "February and March", said in March, begins with last February.
        let both = |how| {
            window_of("when", how)
                .ok()?
                .with(&window_of("or_when", how).ok()?)
        };
        let either = both(how).or_else(|| both((true, how.1)));
        // "May and September" becomes one call for each; "Monday and in June" is more likely a misreading.
        let long = |role| window_of(role, how).is_ok_and(|window: Window| window.is_long());
        either.ok_or(match long("when") && long("or_when") {
            true => TIMES_APART,
            false => Unfit("no range"),
        })
    }

    /// Returns the times of a role. `back`: read as past; `on`: "from Thursday" means on Thursday.
    fn times_of(
        &self,
        thing: &Binding,
        role: &'static str,
        (back, on): (bool, bool),
    ) -> Vec<TimeExpression> {
        let times = thing.times(role);
        let founds = times.filter_map(|time| self.lattice.times.get(time));
        let read = founds.map(|found| match back {
            true => times::as_past(self.lattice, found),
            // "To 5pm" ends a range: "from 2pm to 5pm".
            false if self.leads_to(found) => TimeExpression {
                relation: Relation::Until,
                ..found.clone()
            },
            false if on && found.relation == Relation::From => TimeExpression {
                relation: Relation::At,
                ..found.clone()
            },
            false => found.clone(),
        });
        read.collect()
    }

    /// Reports whether a time is the end of a range, introduced by "to".
    fn leads_to(&self, found: &TimeExpression) -> bool {
        let lead = found.lead.clone();
        let lead = lead.and_then(|lead| self.lattice.text.source.get(lead));
        lead.is_some_and(|lead| lead.eq_ignore_ascii_case("to"))
    }

    /// Fills the bounds of the time range. A range of events may also begin or end now, if that is meant.
    fn bounds(
        &self,
        thing: &Binding,
        (from, to): (&str, &str),
        (events, acts): (bool, bool),
        window: &Window,
        filter: &mut Map<String, Json>,
    ) {
        let now = self.lattice.said.now;
        let mut first = window.from.as_ref().map(window::moment);
        let next = thing.constant("pick") == Some("next") || thing.has("coming");
        let gone = thing.constant("pick") == Some("last") || thing.has("past");
        let chosen = ["many", "pick", "turn"].iter().any(|role| thing.has(role));
        if events
            && first.is_none()
            && !thing.has("gone")
            && (next || acts && window.to.is_none() && chosen)
        {
            // The next event, and everything that is changed without a time, starts from now on.
            first = Some(Moment::At(now.clone()));
            filter.insert("starts_from".into(), json!(true));
        }
        let begun = window.from.as_ref().is_some_and(|from| from <= now);
        if events && thing.has("coming") && begun {
            // "The rest of my meetings today" are those that have not begun.
            first = Some(Moment::At(now.clone()));
            filter.insert("starts_from".into(), json!(true));
        }
        let overdue = thing.constant("state") == Some("overdue=true");
        if overdue {
            // "By now" says the same once more.
        } else if from == "due_from" && window.from.as_ref() == Some(now) {
            // What is due today without a time of day is still due "from now on".
            filter.insert(from.to_owned(), json!(now.date()));
        } else if let Some(first) = first {
            filter.insert(from.to_owned(), json!(first));
        }
        // A range of mails "of the last six days" has no end: the sender's clock may be ahead.
        let ends = |last: &jiff::Zoned| events || last != now;
        let mut last = window.to.clone().filter(ends);
        let open = window.from.is_none() && last.is_none();
        if events && gone && (!acts || thing.has("gone")) && open {
            // Past events end by now.
            last = Some(now.clone());
        }
        if events && thing.has("past") {
            // An event that is still to come is not past.
            last = last.map(|last| last.min(now.clone()));
        }
        if let Some(last) = &last {
            filter.insert(to.to_owned(), json!(window::moment(last)));
        }
        let hour = acts && window.is_minute();
        if events && (window.starts || hour || thing.has("starts")) {
            filter.insert("starts_from".into(), json!(true));
        }
    }

    /// Reports whether "both" counts this thing and another one that follows: "both the gym and the sync".
    fn counts_another(&self, thing: &Binding) -> bool {
        let end = thing.span.end;
        let named = thing.has("name") && !thing.has("kind") && !thing.has("state");
        named
            && self.lattice.word(end) == "and"
            && !words::begins_with(self.lattice, end + 1, "request")
            && !words::begins_with(self.lattice, end + 1, "imperative")
    }

    /// Fills which of the matching things is meant, and their order.
    pub(super) fn pick(
        &self,
        thing: &Binding,
        category: &Category,
        acts: bool,
        filter: &mut Map<String, Json>,
    ) -> Result<(), Unfit> {
        let (events, tasks) = (
            category.name == "filter.calendar",
            category.name == "filter.task",
        );
        let order = match thing.constant("pick") {
            Some("longest" | "shortest") if events => "duration",
            Some("biggest" | "smallest") if category.name == "filter.file" => "size",
            Some("longest" | "shortest" | "biggest" | "smallest") => {
                return Err(Unfit("no length"));
            }
            Some("urgent") if tasks => "priority",
            Some("urgent") => return Err(Unfit("nothing is urgent")),
            _ => category.order,
        };
        match thing.constant("pick") {
            None if thing.has("turn") => {
                filter.insert("order".into(), json!(order));
            }
            Some(place) => {
                let back = if matches!(place, "first" | "next" | "shortest" | "smallest") {
                    ""
                } else {
                    "-"
                };
                let picked = if thing.has("count") { "all" } else { "first" };
                if !order.is_empty() && !filter.contains_key("order") {
                    filter.insert("order".into(), json!(format!("{back}{order}")));
                }
                // The answer to "what is the longest" includes its length.
                if picked == "first" && matches!(place, "longest" | "shortest") && is_list(filter) {
                    filter.insert("ask".into(), json!(place));
                }
                filter.insert("pick".into(), json!(picked));
            }
            None if filter.contains_key("pick") => {}
            None if acts && thing.has("two") && self.counts_another(thing) => {
                return Err(Unfit("one of two things"));
            }
            None if acts && thing.has("two") => {
                filter.insert("pick".into(), json!({"exactly": 2}));
            }
            None if acts && (thing.has("many") || thing.has("both")) => {
                filter.insert("pick".into(), json!("all"));
            }
            None if acts => {
                filter.insert("pick".into(), json!("one"));
            }
            None if thing.has("one") && !thing.has("many") => {
                filter.insert("pick".into(), json!("first"));
            }
            None => {}
        }
        if thing.has("all_but") {
            all_but(filter);
        }
        Ok(())
    }
}

/// Returns the frame twice, each time with one of its two times: "in May and September".
pub(super) fn each_time(frame: &Binding) -> Vec<Binding> {
    ["when", "or_when"].map(|kept| at_time(frame, kept)).into()
}

/// Returns a frame, and the thing it is about, with only one of its two times.
fn at_time(frame: &Binding, kept: &str) -> Binding {
    let roles = frame.roles.iter().filter_map(|(role, value)| match value {
        Value::Inner(thing) if matches!(*role, "thing" | "target") => {
            Some((*role, Value::Inner(at_time(thing, kept).into())))
        }
        _ if *role == kept => Some(("when", value.clone())),
        _ if matches!(*role, "when" | "or_when") => None,
        _ => Some((*role, value.clone())),
    });
    Binding {
        roles: roles.collect(),
        ..frame.clone()
    }
}

/// Reports whether only completed tasks are meant.
fn is_done(thing: &Binding) -> bool {
    let mut states = thing.all("state");
    states.any(|state| *state == Value::Constant("status=done"))
}

/// Reports whether a question asks for a list.
fn is_list(filter: &Map<String, Json>) -> bool {
    filter.get("ask").is_some_and(|ask| ask == "list")
}

/// Turns the filters into an exclusion: "all but the last three" acts on all things except those.
fn all_but(filter: &mut Map<String, Json>) {
    let mut rest = filter.clone();
    for field in ["limit", "order"] {
        rest.remove(field);
    }
    let left_out = std::mem::take(filter);
    rest.insert("pick".into(), json!("all"));
    rest.insert("except".into(), json!([left_out]));
    *filter = rest;
}

/// Fills the range for "my day": today, and for tasks also everything that was due before.
fn today(
    now: &jiff::Zoned,
    category: &Category,
    filter: &mut Map<String, Json>,
) -> Result<(), Unfit> {
    let (from, to) = category.window.ok_or(Unfit("no times"))?;
    let next = now.date().tomorrow().map_err(|_| Unfit("no range"))?;
    if category.name != "filter.task" {
        filter.insert(from.to_owned(), json!(now.date()));
    }
    filter.insert(to.to_owned(), json!(next));
    Ok(())
}
