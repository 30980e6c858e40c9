//! Times told by an event: "15 minutes before the dentist", "the day before Mom's birthday", "how long until the trip". The
//! event is read first; the time is moved from its start or end, or counted to it.

use adjutant_domain::ids::StepKey;
use adjutant_domain::plan::StepDraft;
use adjutant_domain::record::Kind;
use adjutant_domain::source::Source;
use serde_json::{Map, Value as Json, json};

use super::super::binding::{Binding, Value};
use super::{Compiler, Unfit, convert, key, words};

/// The tool that reads events.
const LIST: &str = "calendar.list";

impl Compiler<'_, '_> {
    /// Fills `argument` with a time told by an event; without a title, with the title of the event too.
    pub(super) fn relative(&mut self, argument: &str, role: &'static str) -> Result<(), Unfit> {
        let time = self.frame.inner(role).ok_or(Unfit("no time"))?.clone();
        let event = time.inner("of").ok_or(Unfit("no event"))?.clone();
        if event.has("hour") {
            // "Before 5pm" is a time, and nothing that begins then.
            return Err(Unfit("no event"));
        }
        let minutes = self.lead(&time)?;
        let end = time.constant("side") == Some("after");
        let from = self.read_event(&event, false)?;
        let path = if end {
            "/items/0/end"
        } else {
            "/items/0/start"
        };
        let mut value = json!({"$from": from.0, "path": path});
        if minutes != 0
            && let Some(map) = value.as_object_mut()
        {
            map.insert(
                "shift_minutes".into(),
                json!(if end { minutes } else { -minutes }),
            );
        }
        let source = Source::Step { key: from.clone() };
        self.arguments.set(argument, value, source.clone());
        if self.frame.category().needs.contains(&"title") && !self.frame.has("title") {
            let title = json!({"$from": from.0, "path": "/items/0/summary"});
            self.arguments
                .set(self.frame.category().name_field(), title, source);
        }
        Ok(())
    }

    /// How many minutes lie between the event and the time.
    fn lead(&self, time: &Binding) -> Result<i64, Unfit> {
        /// Minutes of a day.
        const DAY: i64 = 24 * 60;
        if let Some(length) = time.times("by").next() {
            return convert::minutes(self.lattice, length).ok_or(Unfit("no length"));
        }
        Ok(match time.constant("days") {
            Some(days) => DAY * days.parse::<i64>().map_err(|_| Unfit("no days"))?,
            None => 0,
        })
    }

    /// The event that a time is counted to or from.
    pub(super) fn counted(&mut self, argument: &str, role: &'static str) -> Result<(), Unfit> {
        let event = self.frame.inner(role).ok_or(Unfit("no event"))?.clone();
        let key = self.read_event(&event, role == "since")?;
        let value = json!({"$from": key.0, "path": "/items/0"});
        self.arguments.set(argument, value, Source::Step { key });
        Ok(())
    }

    /// A step that reads the one event that is meant: the next one, or the last one that was; its key.
    pub(super) fn read_event(&mut self, event: &Binding, past: bool) -> Result<StepKey, Unfit> {
        let mut filter = self.events(event)?;
        let now = adjutant_domain::moment::Moment::At(self.lattice.said.now.clone());
        let (bound, order) = if past {
            ("to", "-start")
        } else {
            ("from", "start")
        };
        filter.entry(bound).or_insert_with(|| json!(now));
        filter.entry("pick").or_insert_with(|| json!("first"));
        filter.entry("order").or_insert_with(|| json!(order));
        Ok(self.look_for(event, filter))
    }

    /// A step that reads all events that are meant; its key.
    pub(super) fn read_events(&mut self, events: &Binding) -> Result<StepKey, Unfit> {
        let filter = self.events(events)?;
        Ok(self.look_for(events, filter))
    }

    /// The filters of events.
    fn events(&self, event: &Binding) -> Result<Map<String, Json>, Unfit> {
        let other = |kind: &str| kind != Kind::Event.word();
        if event.constant("kind").is_some_and(other) || event.has("ref") {
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
