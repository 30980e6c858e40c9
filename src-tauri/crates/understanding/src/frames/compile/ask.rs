//! Compiles questions into the arguments of a reading tool.

use adjutant_domain::record::Kind;
use adjutant_domain::source::Source;
use jiff::civil::Time as Clock;
use jiff::{SignedDuration, ToSpan, Zoned};
use serde_json::{Value as Json, json};

use super::super::binding::{Binding, Value};
use super::super::ground;
use super::super::lattice::Filler;
use super::window::{self, Window};
use super::{Compiler, Unfit, convert, select, who, words};
use crate::time::{Grain, TimeExpression, Value as Time};

impl Compiler<'_, '_> {
    /// Fills the filters of the tool from all roles of a question and of its `{thing}`.
    pub(super) fn filters(&mut self, family: &str) -> Result<(), Unfit> {
        if family == "free" {
            return self.free();
        }
        if self.frame.category().behind {
            // The preceding request says which: see `follow`.
            return Ok(());
        }
        let category = self.frame.category();
        let mut thing = thing_of(self.frame);
        if thing.has("again") {
            // "… and when is the next time": with the people of the preceding request.
            let before = self.earlier.last().ok_or(Unfit("with nobody"))?.frame;
            let with = before.all("with").map(|who| ("with", who.clone()));
            thing.roles.extend(with);
            if !thing.has("with") {
                return Err(Unfit("with nobody"));
            }
        }
        let other = |said: &str| kind_said(family).is_some_and(|kind| kind != said);
        if thing.constant("kind").is_some_and(other) {
            return Err(Unfit("another kind"));
        }
        let pointed = thing.has("ref");
        if !pointed
            && !category.one_of.is_empty()
            && !category.one_of.iter().any(|role| thing.has(role))
        {
            return Err(Unfit("about nothing"));
        }
        let source = Source::Person {
            words: Some(words::of(self.lattice, &Value::Inner(thing.clone().into()))),
        };
        if thing.has("known") && ground::look_up(self.lattice, &thing, Kind::Event).score <= 0.0 {
            return Err(Unfit("nothing called so"));
        }
        let inside = self.takes("target");
        if inside && thing.has("many") {
            return Err(Unfit("several"));
        }
        if pointed {
            return self.pointed_at(&thing, family, source);
        }
        if self.tool.name == "note.list" && thing.has("name") && !thing.has("many") {
            return Err(Unfit("one note is read"));
        }
        // A single note or file is identified as for a change: by its title.
        let one = inside && matches!(family, "note" | "file");
        let filter = self.filter(&thing, family, one)?;
        if inside {
            self.arguments.set("target", Json::Object(filter), source);
        } else {
            for (field, value) in filter {
                self.arguments.set(&field, value, source.clone());
            }
        }
        Ok(())
    }

    /// Fills the ids of what the conversation has shown.
    fn pointed_at(&mut self, thing: &Binding, family: &str, source: Source) -> Result<(), Unfit> {
        let kind = select::kind_of(family).ok_or(Unfit("no such kind"))?;
        // "When is the review, and who is coming": what the preceding request looked for.
        let before = thing.constant("ref").unwrap_or_default();
        if !self.takes("ids") || !self.earlier_step(before, family, &thing.roles) {
            self.point_at(thing, kind, source)?;
        }
        if let Some(ask) = thing.constant("ask") {
            self.arguments.set("ask", json!(ask), Source::Derived);
        }
        Ok(())
    }

    /// Fills a search for free time: in the range that was said, or else in the coming week.
    pub(super) fn free(&mut self) -> Result<(), Unfit> {
        /// Number of days to search if no time was said.
        const DAYS: i64 = 7;
        /// The same for weekends.
        const WEEKEND_DAYS: i64 = 56;
        let now = self.lattice.said.now;
        // "Is there a gap of two hours": the description of the gap narrows the search.
        let frame = &thing_of(self.frame);
        if self.goes_on(frame) {
            return Err(Unfit("another request"));
        }
        let times = frame.times("when");
        let founds: Vec<&TimeExpression> = times
            .filter_map(|time| self.lattice.times.get(time))
            .collect();
        let window = self.window(frame, (false, false))?;
        let source = match founds.is_empty() {
            true => Source::Derived,
            false => Source::person(),
        };
        let mut from = window.from.clone().unwrap_or_else(|| now.clone());
        // Time that is over is not free any more.
        if from < *now && window.to.as_ref().is_none_or(|to| to > now) {
            from = now.clone();
        }
        let mut question = frame.constant("ask").unwrap_or("slots");
        let days = match question {
            "weekends" => WEEKEND_DAYS,
            _ => DAYS,
        };
        let mut to = match &window.to {
            Some(to) => to.clone(),
            None => from
                .checked_add(days.days())
                .map_err(|_| Unfit("no range"))?,
        };
        // "Tomorrow for an hour" is read as the first hour of tomorrow.
        let told = founds.iter().find_map(|found| hours_of_a_day(found));
        if let (Some((_, end)), None) = (&told, self.length(frame)) {
            to = end.clone();
        }
        if let Some((first, last)) = self.meal(frame, &founds) {
            // "Free for lunch on Friday": the hours at which people have it.
            let at = |hour: i8| {
                from.date()
                    .at(hour, 0, 0, 0)
                    .to_zoned(now.time_zone().clone())
            };
            let (begins, ends) = (at(first), at(last));
            let (Ok(begins), Ok(ends)) = (begins, ends) else {
                return Err(Unfit("no range"));
            };
            if ends > from {
                (from, to) = (begins.max(from), ends);
            }
        }
        let length = self.length(frame).or(told.map(|(minutes, _)| minutes));
        let length = length.map(SignedDuration::from_mins);
        let wide = from.duration_until(&to) > SignedDuration::from_hours(2);
        if question == "free" && length.is_none() && wide && frame.has("for") {
            // "Is there time for a call on Friday afternoon?": nobody knows how long it takes.
            question = "slots";
        }
        if matches!(question, "free" | "others") && length.is_none() {
            // An hour counts as free if its first half hour is free; nights count too.
            if from.duration_until(&to) <= SignedDuration::from_mins(1) {
                to = from
                    .checked_add(SignedDuration::from_mins(30))
                    .map_err(|_| Unfit("no range"))?;
            }
            if self.takes("hours") {
                self.arguments.set("hours", json!("any"), Source::Derived);
            }
        }
        if let Some(length) = length {
            let room = from.duration_until(&to);
            if room <= SignedDuration::from_mins(1) {
                // "At 3 for an hour": the whole hour.
                to = from.checked_add(length).map_err(|_| Unfit("no range"))?;
            } else if room > length {
                question = "slots";
            }
            self.arguments.set(
                "duration_minutes",
                json!(length.as_mins()),
                self.person_source("length"),
            );
        }
        self.with_others(frame);
        if question == "weekends" {
            if frame.constant("pick").is_some() {
                self.arguments.set("pick", json!("first"), source.clone());
            }
        } else {
            self.hours(frame, &founds, &window, &source);
        }
        self.arguments.set("ask", json!(question), Source::Derived);
        self.arguments
            .set("from", json!(window::moment(&from)), source.clone());
        self.arguments.set("to", json!(window::moment(&to)), source);
        Ok(())
    }

    /// Names the people who are to have time too.
    fn with_others(&mut self, frame: &Binding) {
        if !self.takes("people") {
            return;
        }
        let named = frame.all("with").filter_map(|value| match value {
            Value::Filler(Filler::People(people), at) => who::names(self.lattice, people, at.start),
            _ => None,
        });
        let names: Vec<String> = named.flatten().collect();
        if !names.is_empty() {
            self.arguments.set("people", json!(names), Source::person());
        }
    }

    /// Returns the hours of the meal for which time is wanted on a day, if no other hours are said.
    fn meal(&self, frame: &Binding, founds: &[&TimeExpression]) -> Option<(i8, i8)> {
        /// The first and the last hour of meals.
        const MEALS: &[(&str, (i8, i8))] = &[
            ("breakfast", (8, 9)),
            ("brunch", (10, 12)),
            ("lunch", (12, 13)),
            ("dinner", (18, 20)),
            ("supper", (18, 20)),
        ];
        let day = |found: &&TimeExpression| found.grain == Grain::Day && found.clock.is_none();
        if founds.is_empty() || !founds.iter().all(day) {
            return None;
        }
        let purpose = frame.all("for").filter_map(|value| match value {
            Value::Text(stretches) => Some(stretches.iter().flat_map(Clone::clone)),
            _ => None,
        });
        let mut words = purpose.flatten().map(|at| self.lattice.word(at));
        words.find_map(|word| {
            let meal = MEALS.iter().find(|(name, _)| *name == word);
            meal.map(|(_, hours)| *hours)
        })
    }

    /// Reports whether the purpose of the free time runs into another request: "… for a run and book it".
    fn goes_on(&self, frame: &Binding) -> bool {
        let goes_on = |at: usize| {
            words::begins_with(self.lattice, at, "joint")
                && words::begins_with(self.lattice, at + 1, "request")
        };
        frame.texts().any(|mut tokens| tokens.any(goes_on))
    }

    /// Fills the days, the times of day and the choice among free times.
    fn hours(
        &mut self,
        frame: &Binding,
        founds: &[&TimeExpression],
        window: &Window,
        source: &Source,
    ) {
        let mut set = |field: &str, value: Json| self.arguments.set(field, value, source.clone());
        let exact = |found: &&&TimeExpression| found.clock.is_some() || found.grain <= Grain::Part;
        // "Before noon" does not mean the night.
        let from_midnight = window
            .from
            .as_ref()
            .is_some_and(|from| from.time() == Clock::midnight());
        let until_a_clock = window
            .to
            .as_ref()
            .is_some_and(|to| to.time() != Clock::midnight());
        if founds.iter().any(|found| exact(&found)) && !(from_midnight && until_a_clock) {
            // A person who names hours means these, whether at work or not.
            set("hours", json!("any"));
        }
        if let Some(part) = frame.constant("part") {
            set("part_of_day", json!(part));
        }
        if frame.constant("pick").is_some() {
            set("pick", json!("first"));
        }
        if !window.weekdays.is_empty() {
            set("weekdays", json!(window.weekdays));
        }
        for (field, clock) in [
            ("starts_after", window.clock.0),
            ("ends_before", window.clock.1),
        ] {
            if let Some(clock) = clock {
                set(field, json!(clock.strftime("%H:%M").to_string()));
            }
        }
    }

    /// Returns the minutes that `{length}` says.
    pub(super) fn length(&self, frame: &Binding) -> Option<i64> {
        if frame.has("an_hour") {
            return Some(60);
        }
        let said = frame.all("length").find_map(|value| match value {
            Value::Filler(Filler::Length(time), _) => convert::minutes(self.lattice, *time),
            _ => None,
        });
        // "A free hour".
        said.or_else(|| frame.has("hour_long").then_some(60))
    }
}

/// Returns the roles of a question together with those of its `{thing}`, which come first.
pub(super) fn thing_of(frame: &Binding) -> Binding {
    let mut thing = frame.clone();
    if let Some(inner) = frame.inner("thing") {
        let own = std::mem::take(&mut thing.roles);
        thing.roles = inner.roles.clone();
        let own = own.into_iter().filter(|(role, _)| *role != "thing");
        thing.roles.extend(own);
    }
    thing
}

/// Returns the kind of thing that the filters of a family are about, as `{kind}` names it.
fn kind_said(family: &str) -> Option<&'static str> {
    match family {
        "file" => Some("file"),
        _ => select::kind_of(family).map(Kind::word),
    }
}

/// Returns the minutes of a length that was said with a day but no time of day, and the end of that day.
fn hours_of_a_day(found: &TimeExpression) -> Option<(i64, Zoned)> {
    let Time::Interval { start, end } = &found.value else {
        return None;
    };
    let length = start.duration_until(end).as_mins();
    let bare = found.has_day && found.clock.is_none() && start.time() == Clock::midnight();
    let day = start.checked_add(1.day()).ok()?;
    (bare && *end < day).then_some((length, day))
}
