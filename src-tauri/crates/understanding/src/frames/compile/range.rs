//! Which of the things that fit: from when to when, how many, in which order.

use serde_json::{Map, Value as Json, json};

use super::super::binding::{Binding, Value};
use super::super::grammar::Category;
use super::super::lattice::{Filler, times};
use super::window::{self, Window};
use super::{Compiler, Unfit};
use crate::time::{Found, Relation};

impl Compiler<'_, '_> {
    /// "The last three": so many of them; "the three invoices" are all there are.
    pub(super) fn count(
        &self,
        thing: &Binding,
        value: &Value,
        filter: &mut Map<String, Json>,
    ) -> Result<(), Unfit> {
        let Value::Filler(Filler::Number(count @ 1..=100), _) = value else {
            return Err(Unfit("no number"));
        };
        if thing.has("pick") {
            filter.insert("limit".into(), json!(count));
        }
        Ok(())
    }

    /// "Older than a month".
    pub(super) fn older(&self, value: &Value, filter: &mut Map<String, Json>) -> Result<(), Unfit> {
        let length = match value {
            Value::Filler(Filler::Length(time), _) => self.lattice.times.get(*time),
            _ => None,
        };
        let Some(crate::time::Value::Duration(length)) = length.map(|found| &found.value) else {
            return Err(Unfit("no length"));
        };
        let from = self.lattice.said.now.checked_sub(length.span);
        let from = from.map_err(|_| Unfit("too long ago"))?;
        filter.insert(
            "until".into(),
            json!(adjutant_domain::moment::Moment::At(from)),
        );
        Ok(())
    }

    /// The times that narrow it.
    pub(super) fn range(
        &self,
        thing: &Binding,
        category: &Category,
        acts: bool,
        filter: &mut Map<String, Json>,
    ) -> Result<(), Unfit> {
        let now = self.lattice.said.now;
        if thing.constant("day") == Some("today") {
            return today(now, category, filter);
        }
        let times = thing
            .times("when")
            .filter_map(|time| self.lattice.times.get(time));
        let done = thing.has("done");
        let back = category.looks_back || thing.has("past") || done;
        let read = times.map(|found| match back {
            true => times::as_past(self.lattice, found),
            // "Move the call from Thursday": one thing is on that day, not from it on.
            false if acts && !thing.has("many") && found.relation == Relation::From => Found {
                relation: Relation::At,
                ..found.clone()
            },
            false => found.clone(),
        });
        let read: Vec<Found> = read.collect();
        let founds: Vec<&Found> = read.iter().collect();
        let window = Window::of(&founds, back, now).ok_or(Unfit("no range"))?;
        let known = match done {
            true => Some(("completed_from", "completed_to")),
            false => category.window,
        };
        let (from, to) = known.ok_or(Unfit("no times")).or_else(|unfit| {
            if founds.is_empty() {
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

    /// From when to when; of events from now on or up to now, where that is meant.
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
        let chosen = thing.has("many") || thing.has("pick");
        if events
            && first.is_none()
            && !thing.has("gone")
            && (next || acts && window.to.is_none() && chosen)
        {
            // What is next, and everything that is changed without a time: from now on.
            first = Some(adjutant_domain::moment::Moment::At(now.clone()));
            filter.insert("starts_from".into(), json!(true));
        }
        if let Some(first) = first {
            filter.insert(from.to_owned(), json!(first));
        }
        let mut last = window.to.clone();
        let open = window.from.is_none() && last.is_none();
        if events && gone && (!acts || thing.has("gone")) && open {
            // What was: up to now.
            last = Some(now.clone());
        }
        if events && thing.has("past") {
            // What is still to come has not been.
            last = last.map(|last| last.min(now.clone()));
        }
        if let Some(last) = &last {
            filter.insert(to.to_owned(), json!(window::moment(last)));
        }
        if window.starts && events {
            filter.insert("starts_from".into(), json!(true));
        }
    }

    /// Which of those that fit.
    pub(super) fn pick(
        &self,
        thing: &Binding,
        category: &Category,
        acts: bool,
        filter: &mut Map<String, Json>,
    ) -> Result<(), Unfit> {
        let order = match thing.constant("pick") {
            Some("longest" | "shortest") if category.name == "filter.calendar" => "duration",
            Some("longest" | "shortest") => return Err(Unfit("no length")),
            _ => category.order,
        };
        match thing.constant("pick") {
            Some(place) => {
                let back = if matches!(place, "first" | "next" | "shortest") {
                    ""
                } else {
                    "-"
                };
                let picked = if thing.has("count") { "all" } else { "first" };
                if !order.is_empty() {
                    filter.insert("order".into(), json!(format!("{back}{order}")));
                }
                filter.insert("pick".into(), json!(picked));
            }
            None if acts && thing.has("many") => {
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
        Ok(())
    }
}

/// "My day": this day; what should have been done before it belongs to it too.
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
