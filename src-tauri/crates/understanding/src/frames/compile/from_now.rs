//! Changes to something mentioned earlier in the same message, and changes to a series from a day on.

use std::rc::Rc;

use adjutant_domain::moment::Moment;
use adjutant_domain::record::Kind;
use adjutant_domain::source::Source;
use serde_json::json;

use super::super::binding::{Binding, Value};
use super::super::ground::{self, Ground};
use super::super::lattice::{Filler, Lattice};
use super::change::time_of_day;
use super::{Compiler, Unfit, pair};
use crate::time::Relation;

impl Compiler<'_, '_> {
    /// Sets the time of day of an event from a bare hour after a remark about it: "nine is too early for the market,
    /// make it eleven".
    pub(super) fn hour_of_it(&mut self, role: &'static str) -> Result<(), Unfit> {
        let hour = number(self.frame, role).filter(|hour| (1..=12).contains(hour));
        let hour = hour.ok_or(Unfit("no hour"))?;
        let before = self.earlier.last().ok_or(Unfit("nothing before"))?;
        let near = self.hour_before(before.frame);
        let near = near.ok_or(Unfit("no time before"))?;
        let time = format!("{:02}:00", time_of_day(hour, near));
        self.arguments
            .set("changes.time", json!(time), self.person_source(role));
        Ok(())
    }

    /// Reports whether the preceding part is a remark.
    pub(super) fn only_remarked(&self) -> bool {
        let last = self.earlier.last();
        last.is_some_and(|last| last.step.is_none() && last.frame.category().remark)
    }

    /// Returns the hour of the event that a remark mentions: from the calendar, or else as the remark says it. A bare
    /// number could be either of two hours.
    fn hour_before(&self, remark: &Binding) -> Option<i64> {
        let now = self.lattice.said.now;
        let named = remark.inner("target");
        let known = named.and_then(|thing| ground::look_up(self.lattice, thing, Kind::Event).when);
        if let Some(Moment::At(at)) = known {
            let at = at.with_time_zone(now.time_zone().clone());
            return Some(at.hour().into());
        }
        let mut times = remark.times("was");
        let said = times.find_map(|time| self.lattice.times.get(time)?.clock);
        said.map(|clock| clock.hour().into())
    }

    /// Limits a change to the part of a series from a day on: "cancel the yoga class from June on", "… after May".
    pub(super) fn series_from(&mut self, role: &'static str) -> Result<(), Unfit> {
        if !self.arguments.values.contains_key("target") {
            return Err(Unfit("nothing that is looked for"));
        }
        let found = self.time_expressions(role).into_iter().next();
        let found = found.ok_or(Unfit("no day"))?;
        let many = self
            .frame
            .inner("target")
            .is_some_and(|thing| thing.has("many"));
        if many && found.clock.is_some() {
            // "Everything on Thursday from 2 on" says hours of a day.
            return Err(Unfit("no series"));
        }
        let stretch = found.value.stretch(self.lattice.said.now);
        let (start, end) = stretch.ok_or(Unfit("no day"))?;
        let after = self.frame.has("after") && found.relation == Relation::At;
        let first = if after { end } else { start };
        let source = self.person_source(role);
        // "From now on" leaves out what began earlier today.
        let since = match &first == self.lattice.said.now {
            true => Moment::At(first),
            false => Moment::Day(first.date()),
        };
        self.arguments
            .set("target.from", json!(since), source.clone());
        self.arguments
            .set("target.starts_from", json!(true), Source::Derived);
        self.arguments.set("scope", json!("following"), source);
        Ok(())
    }
}

impl Compiler<'_, '_> {
    /// Limits a change of a series to what is still to come: "the gym is at 6:30 from now on".
    pub(super) fn limit_to_later(&mut self) {
        let mut said = self.frame.span.clone();
        let lasting = said.any(|at| self.lattice.phrase("from_now_on", at).is_some());
        let changes = self.takes("scope") && self.arguments.values.contains_key("target");
        if lasting && changes && !self.arguments.values.contains_key("scope") {
            let now = Moment::At(self.lattice.said.now.clone());
            for (path, value) in [
                ("scope", json!("following")),
                ("target.from", json!(now)),
                ("target.starts_from", json!(true)),
            ] {
                let source = Source::Person { words: None };
                self.arguments.set(path, value, source);
            }
        }
    }
}

/// Scores a remark about a thing: positive if an event or a task has its name.
pub(super) fn spoken_of(lattice: &Lattice<'_>, thing: &Rc<Binding>) -> Ground {
    let kinds = [Kind::Event, Kind::Task].into_iter();
    let found = kinds.map(|kind| pair::ground(lattice, thing, kind));
    let best = found.max_by(|one, other| one.score.total_cmp(&other.score));
    best.filter(|best| best.score > 0.0).unwrap_or_default()
}

/// Returns the number that fills a role.
fn number(frame: &Binding, role: &str) -> Option<i64> {
    frame.all(role).find_map(|value| match value {
        Value::Filler(Filler::Number(number), _) => Some(*number),
        _ => None,
    })
}
