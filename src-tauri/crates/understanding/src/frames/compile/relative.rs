//! Times relative to an event: "15 minutes before the dentist", "the day before Mom's birthday", "how long until the
//! trip". A step reads the event first; the time is then shifted from its start or end, or counted to it.

use adjutant_domain::ids::StepKey;
use adjutant_domain::moment::Moment;
use adjutant_domain::plan::StepDraft;
use adjutant_domain::plan::reference::Reference;
use adjutant_domain::record::Kind;
use adjutant_domain::source::Source;
use jiff::SignedDuration;
use jiff::civil::Time as Clock;
use serde_json::{Map, Value as Json, json};

use super::super::binding::{Binding, Value};
use super::super::ground;
use super::super::lattice::Filler;
use crate::time::Policy;

use super::point::Point;
use super::{Compiler, Unfit, convert, key, point, select, who, words};

/// Minutes per day.
const DAY: i64 = 24 * 60;
/// The tool that reads events.
const LIST: &str = "calendar.list";
/// The tool that reads the address book.
const FIND: &str = "contact.find";

impl Compiler<'_, '_> {
    /// Fills `argument` with a time relative to an event. Without a title, also takes the title of the event.
    pub(super) fn relative(&mut self, argument: &str, role: &'static str) -> Result<(), Unfit> {
        let time = self.frame.inner(role).ok_or(Unfit("no time"))?.clone();
        let beside = role == "relative" && self.frame.has("title");
        if beside && !self.is_apart(&time) && self.says_day_and_clock("when") {
            // "Tomorrow from 9:45 to 11:45, right after the standup": it only says again when that is.
            return Ok(());
        }
        let end = time.constant("side") == Some("after");
        let mut minutes = self.lead(&time, argument)?;
        let mut clock = self.clock_beside(&time, role)?;
        let (from, many) = match time.inner("of") {
            Some(event) => {
                let mut event = Binding::clone(event);
                if event.has("hour") {
                    // "Before 5pm" is a time; no event that begins then is meant.
                    return Err(Unfit("no event"));
                }
                if clock.is_none() && self.counts_days(&time) {
                    clock = self.taken_clock(&mut event);
                }
                if event.has("that_day") {
                    self.spoken_of_when(&mut event);
                }
                let many = event.has("many");
                if many && self.frame.has("target") {
                    return Err(Unfit("one thing at many times"));
                }
                let from = match self.birthdays(&event)? {
                    Some(from) => from,
                    None => self.read_event(&event, false)?,
                };
                (from, many)
            }
            None => {
                if let Some(moment) = self.remarked_time(minutes, clock) {
                    self.arguments
                        .set(argument, json!(moment), Source::person());
                    return Ok(());
                }
                if let Some(moment) = self.own_time(&time, minutes) {
                    self.arguments
                        .set(argument, json!(moment), Source::person());
                    return Ok(());
                }
                (self.event_before()?, false)
            }
        };
        if let (Some(clock), true, true) = (clock, end, time.has("part")) {
            // "The morning after the party": the first one after the party ends.
            minutes = 24 * 60 - i64::from(clock.hour()) * 60 - i64::from(clock.minute());
        }
        let inside = match self.is_birthday(&from) {
            true => "/next_birthday",
            false => "",
        };
        if many {
            self.each = Some(Reference {
                from: from.clone(),
                path: "/items".into(),
            });
        }
        let field = |name: &str| match many {
            true => json!({"$item": format!("{inside}/{name}")}),
            false => json!({"$from": from.0, "path": format!("/items/0{inside}/{name}")}),
        };
        let mut value = field(if end { "end" } else { "start" });
        if minutes != 0
            && let Some(map) = value.as_object_mut()
        {
            map.insert(
                "shift_minutes".into(),
                json!(if end { minutes } else { -minutes }),
            );
        }
        if let (Some(clock), Some(map)) = (clock, value.as_object_mut()) {
            let zone = self.lattice.said.now.time_zone().iana_name();
            let zone = zone.ok_or(Unfit("a zone without a name"))?;
            map.insert("at".into(), json!(clock.strftime("%H:%M").to_string()));
            map.insert("zone".into(), json!(zone));
        }
        let source = Source::Step { key: from.clone() };
        self.arguments.set(argument, value, source.clone());
        if self.frame.category().needs.contains(&"title") && !self.frame.has("title") {
            let title = field("summary");
            self.arguments
                .set(self.frame.category().name_field(), title, source);
        }
        Ok(())
    }

    /// Returns the time of day that is said for a day relative to an event: "the evening before my flight", "the day
    /// before my flight at six".
    fn clock_beside(&self, time: &Binding, role: &str) -> Result<Option<Clock>, Unfit> {
        let settings = self.lattice.said.settings;
        if let Some(part) = time.constant("part") {
            return Ok(Some(point::begins(part, settings)));
        }
        let when = ["to", "when"].iter().find(|when| self.frame.has(when));
        let Some(when) = when.filter(|_| role == "relative" && self.only_clock("when")) else {
            return Ok(None);
        };
        let clock = self.point(when)?.clock;
        match self.counts_days(time) {
            true => Ok(clock),
            false => Err(Unfit("two times of day")),
        }
    }

    /// Reports whether a time is some length of time or days away from an event.
    fn is_apart(&self, time: &Binding) -> bool {
        ["by", "days", "part"].iter().any(|role| time.has(role))
    }

    /// Reports whether a time is a number of whole days from an event, so that a time of day can complete it.
    fn counts_days(&self, time: &Binding) -> bool {
        let days = |length| {
            let minutes = convert::minutes(self.lattice, length);
            minutes.is_some_and(|minutes| minutes % DAY == 0)
        };
        time.has("days") || time.has("by") && time.times("by").all(days)
    }

    /// Takes the time of day after the event in "the day before my flight at six" away from the event: it is not when
    /// the flight leaves.
    fn taken_clock(&self, event: &mut Binding) -> Option<Clock> {
        let last = event.span.end;
        let [time] = event.all("when").collect::<Vec<_>>()[..] else {
            return None;
        };
        let Value::Filler(Filler::Time(time), tokens) = time else {
            return None;
        };
        let found = self.lattice.times.get(*time)?;
        let morning = Policy::of(self.lattice.said.settings).first_morning_hour;
        let clock = found.clock_elsewhere(morning)?;
        let behind = tokens.end == last && !found.has_day;
        if !behind {
            return None;
        }
        event.roles.retain(|(role, _)| *role != "when");
        Some(clock)
    }

    /// Adds a step that reads birthdays from the address book, if one or all of them are meant and no event has that
    /// name. Returns its key.
    fn birthdays(&mut self, event: &Binding) -> Result<Option<StepKey>, Unfit> {
        let named = event.get("name").map(|name| words::of(self.lattice, name));
        let birthday = |name: &String| {
            let name = name.trim_start_matches("her ").trim_start_matches("his ");
            matches!(name, "birthday" | "birthdays")
        };
        let known = ground::look_up(self.lattice, event, Kind::Event);
        let known = known.whole.is_some() && !event.has("many");
        if !named.as_ref().is_some_and(birthday) || known {
            return Ok(None);
        }
        let who = match event.get("owner") {
            Some(Value::Filler(Filler::People(people), at)) => {
                who::names(self.lattice, people, at.start)
            }
            _ if event.has("many") => None,
            _ => self.spoken_of().map(|name| vec![name]),
        };
        let mut args = json!({"ask": "birthday"});
        match who.as_deref() {
            Some([name]) => args["name"] = json!(name),
            None if event.has("many") => {
                let tools = self.lattice.said.tools.iter();
                let find = tools.into_iter().find(|tool| tool.name == FIND);
                let find = find.ok_or(Unfit("unknown tool"))?;
                let times = event.roles.iter().filter(|(role, _)| *role == "when");
                let times = Binding {
                    roles: times.cloned().collect(),
                    ..event.clone()
                };
                let today = Moment::Day(self.lattice.said.now.date());
                let mut coming = self.filter_of(find, &times, "birthday", ("", false))?;
                // Birthdays of this month that are over do not count: they come again in a year.
                coming.insert("birthday_from".into(), json!(today));
                for (field, value) in coming {
                    args[field] = value;
                }
            }
            _ => return Err(Unfit("nobody known")),
        }
        let key = key(self.made + self.reads.len());
        self.reads.push(StepDraft {
            key: key.clone(),
            say: "Look for birthdays".into(),
            tool: FIND.to_owned(),
            args,
            sources: [(String::new(), self.person_source("relative"))].into(),
            ..StepDraft::default()
        });
        self.needs.push(key.clone());
        Ok(Some(key))
    }

    /// Returns the number of minutes between the event and the time.
    fn lead(&mut self, time: &Binding, argument: &str) -> Result<i64, Unfit> {
        let starts = argument == "start" && time.constant("side") == Some("before");
        if let Some(length) = time.times("by").next() {
            let minutes = convert::minutes(self.lattice, length).ok_or(Unfit("no length"))?;
            // "Block an hour before the review": the hour that ends when the review begins.
            if starts && minutes < DAY && self.frame.has("block") && !self.frame.has("length") {
                self.arguments
                    .set("duration_minutes", json!(minutes), Source::Derived);
            }
            return Ok(minutes);
        }
        Ok(match time.constant("days") {
            Some(days) => DAY * days.parse::<i64>().map_err(|_| Unfit("no days"))?,
            // "Block half an hour for preparation before the review".
            None if starts => self.length(self.frame).unwrap_or(0),
            None => 0,
        })
    }

    /// Returns the time of the remark before the request, moved back by `minutes`: "it expires on Friday, remind me two days
    /// before that". A day stays a day, unless the person says a time of day.
    fn remarked_time(&self, minutes: i64, clock: Option<Clock>) -> Option<Moment> {
        let last = self.earlier.last();
        let remark = last.filter(|last| last.step.is_none())?.frame;
        let times = remark
            .times("when")
            .filter_map(|time| self.lattice.times.get(time));
        let founds: Vec<_> = times.collect();
        let said = self.lattice.said;
        let point = Point::of(&founds, said.now, said.settings)?;
        let back = SignedDuration::from_mins(minutes);
        let whole = minutes % DAY == 0;
        match (point.moment(said.now)?, clock) {
            (Moment::Day(day), None) if whole => day.checked_sub(back).ok().map(Moment::Day),
            (Moment::Day(day), Some(clock)) if whole => {
                let day = day.checked_sub(back).ok()?;
                let at = day
                    .to_datetime(clock)
                    .to_zoned(said.now.time_zone().clone());
                at.ok().map(Moment::At)
            }
            (Moment::At(at), None) => at.checked_sub(back).ok().map(Moment::At),
            _ => None,
        }
    }

    /// Returns the day that the request itself names, moved back by `minutes`: "a cake for the party on the 20th, put it on
    /// my list for the day before".
    fn own_time(&self, time: &Binding, minutes: i64) -> Option<Moment> {
        let dated = self.frame.has("when") && !self.only_clock("when") && !time.has("part");
        let day = self.point("when").ok().filter(|_| dated)?;
        let day = day.moment(self.lattice.said.now)?;
        let back = SignedDuration::from_mins(minutes);
        let days = time.constant("side") == Some("before") && minutes > 0 && minutes % DAY == 0;
        let day = day.date(self.lattice.said.now.time_zone());
        let day = day.checked_sub(back).ok().filter(|_| days)?;
        Some(Moment::Day(day))
    }

    /// Reports whether a step reads the address book, so that its first item has a birthday.
    fn is_birthday(&self, from: &StepKey) -> bool {
        let earlier = self.earlier.iter().filter_map(|earlier| earlier.step);
        let mut steps = self.reads.iter().chain(earlier);
        steps.any(|step| step.key == *from && step.tool == FIND)
    }

    /// Returns the key of a step whose first item is the event of the preceding request, or else the event that was shown
    /// last: "remind me ten minutes before".
    fn event_before(&mut self) -> Result<StepKey, Unfit> {
        let made = |step: &StepDraft| match step.tool.as_str() {
            "calendar.create" | "calendar.update" => true,
            // "When is her birthday? Remind me two days before."
            LIST => step.args["ask"] == "when",
            FIND => step.args["ask"] == "birthday",
            _ => false,
        };
        let steps = self.earlier.iter().rev().filter_map(|earlier| earlier.step);
        let found = steps.into_iter().find(|step| made(step));
        let key = match found {
            Some(step) => step.key.clone(),
            None => {
                let focus = self.lattice.said.focus;
                let event = focus
                    .latest_one(Some(Kind::Event))
                    .map(|shown| (shown, LIST));
                let born = || {
                    focus
                        .latest_one(Some(Kind::Contact))
                        .map(|shown| (shown, FIND))
                };
                let (shown, tool) = event.or_else(born).ok_or(Unfit("no event"))?;
                let key = key(self.made + self.reads.len());
                self.reads.push(StepDraft {
                    key: key.clone(),
                    say: format!("Look for {}", shown.label),
                    tool: tool.to_owned(),
                    args: json!({ "ids": [select::id_of(shown)] }),
                    ..StepDraft::default()
                });
                key
            }
        };
        self.needs.push(key.clone());
        Ok(key)
    }

    /// Fills `argument` with the event to or from which a time is counted.
    pub(super) fn counted(&mut self, argument: &str, role: &'static str) -> Result<(), Unfit> {
        let event = self.frame.inner(role).ok_or(Unfit("no event"))?;
        let mut event = Binding::clone(event);
        if event.has("hour") {
            // "Between 9:15 and 17:45" names no events.
            return Err(Unfit("no event"));
        }
        if let (Some(second), "first") = (self.frame.inner("second"), role)
            && !event.has("when")
        {
            // "Between the standup and the dentist on Friday": both are on that day.
            event
                .roles
                .extend(second.all("when").map(|day| ("when", day.clone())));
        }
        let key = self.read_event(&event, role == "since")?;
        let value = json!({"$from": key.0, "path": "/items/0"});
        self.arguments.set(argument, value, Source::Step { key });
        Ok(())
    }

    /// Adds a step that reads the event that is meant: the next one, or the last one if `past`. Returns its key.
    pub(super) fn read_event(&mut self, event: &Binding, past: bool) -> Result<StepKey, Unfit> {
        let mut filter = self.events(event)?;
        let now = adjutant_domain::moment::Moment::At(self.lattice.said.now.clone());
        let (bound, order) = if past {
            ("to", "-start")
        } else {
            ("from", "start")
        };
        filter.entry(bound).or_insert_with(|| json!(now));
        if !event.has("many") {
            filter.entry("pick").or_insert_with(|| json!("first"));
        }
        filter.entry("order").or_insert_with(|| json!(order));
        Ok(self.look_for(event, filter))
    }

    /// Adds a step that reads all events that are meant. Returns its key.
    pub(super) fn read_events(&mut self, events: &Binding) -> Result<StepKey, Unfit> {
        let filter = self.events(events)?;
        Ok(self.look_for(events, filter))
    }

    /// Returns the filters for events.
    fn events(&self, event: &Binding) -> Result<Map<String, Json>, Unfit> {
        let other = |kind: &str| kind != Kind::Event.word();
        // "The day before to clear the cupboard" names no event.
        let deed = self.lattice.word(event.span.start) == "to";
        // "Before April" and "after work" are times, and no event is called so.
        let month = event.span.len() == 1
            && (words::begins_with(self.lattice, event.span.start, "months")
                || matches!(self.lattice.word(event.span.start), "work" | "school"));
        if event.constant("kind").is_some_and(other) || event.has("ref") || deed || month {
            return Err(Unfit("no event"));
        }
        let mut tools = self.lattice.said.tools.iter();
        let tool = tools.find(|tool| tool.name == LIST);
        let tool = tool.ok_or(Unfit("unknown tool"))?;
        self.filter_of(tool, event, "calendar", ("", false))
    }

    fn look_for(&mut self, event: &Binding, filter: Map<String, Json>) -> StepKey {
        let said = words::of(self.lattice, &Value::Inner(event.clone().into()));
        let key = key(self.made + self.reads.len());
        self.reads.push(StepDraft {
            key: key.clone(),
            say: format!("Look for {said}"),
            tool: LIST.to_owned(),
            args: Json::Object(filter),
            sources: [(String::new(), Source::Person { words: Some(said) })].into(),
            ..StepDraft::default()
        });
        self.needs.push(key.clone());
        key
    }
}
