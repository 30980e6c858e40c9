//! Requests that continue the preceding one: "… and tell the attendees", "… and put it in my calendar", "… and show me
//! what is left".

use std::rc::Rc;

use adjutant_domain::moment::Moment;
use adjutant_domain::plan::StepDraft;
use adjutant_domain::record::Kind;
use adjutant_domain::source::Source;
use serde_json::{Map, Value as Json, json};

use super::super::binding::{Binding, Value};
use super::super::lattice::Filler;
use super::point::Point;
use super::{Compiler, EarlierRequest, Unfit, key, select, words};

/// The tool that reads events and their participants.
const LIST: &str = "calendar.list";
/// The reason of a step that reads what the preceding request changes.
pub(super) const BEFORE: &str = "as it was before";

impl<'a> Compiler<'a, '_> {
    /// Adds what a request takes from the preceding one, beyond its roles.
    pub(super) fn follow(&mut self) -> Result<(), Unfit> {
        match self.frame.category().behind {
            true => self.behind(),
            false => Ok(()),
        }
    }

    /// Returns the preceding request and its step. An error if it does nothing.
    fn before(&self) -> Result<(&'a EarlierRequest<'a>, &'a StepDraft), Unfit> {
        let earlier = self.earlier.last().ok_or(Unfit("nothing before"))?;
        Ok((earlier, earlier.step.ok_or(Unfit("nothing before"))?))
    }

    /// Reads what the preceding request leaves after its change: "… and tell me what is left".
    fn behind(&mut self) -> Result<(), Unfit> {
        let (earlier, step) = self.before()?;
        let family = |tool: &str| tool.split('.').next().map(str::to_owned);
        if family(&step.tool) != family(&self.tool.name) || self.frame.category().filters.is_none()
        {
            return Err(Unfit("of another kind"));
        }
        self.needs.push(step.key.clone());
        let times = earlier.frame.inner("target").into_iter();
        let mut frame = self.frame.clone();
        let times = times.flat_map(|thing| thing.all("when").cloned());
        frame.roles.extend(times.map(|time| ("when", time)));
        let family = self.frame.category().filters.unwrap_or("");
        let filter = self.filter(&frame, family, false)?;
        let dated = filter.contains_key("from");
        if family == "calendar" && !dated {
            return Err(Unfit("no time"));
        }
        for (field, value) in filter {
            self.arguments.set(&field, value, Source::person());
        }
        Ok(())
    }

    /// Fills the recipients of a mail: people who are named, or the participants of an event.
    pub(super) fn recipients(&mut self, role: &'static str) -> Result<(), Unfit> {
        match self.frame.get(role) {
            // A group without names: ask who they are.
            Some(Value::Inner(whom)) if whom.has("group") => self.ask_for("to"),
            Some(Value::Inner(whom)) => self.guests(&Rc::clone(whom)),
            Some(named) => self.plain("to", named),
            None => Err(Unfit("nobody")),
        }
    }

    /// Takes the title of an event as the subject of a mail to its participants.
    pub(super) fn event_named(&mut self) -> Result<(), Unfit> {
        let whom = self.frame.inner("to").ok_or(Unfit("no event"))?;
        if !whom.has("event") {
            return Err(Unfit("no event"));
        }
        // The step that reads the participants is the first one, and there is only one.
        let key = key(self.made);
        let name = json!({"$from": key.0, "path": "/items/0/summary"});
        self.arguments.set("subject", name, Source::Step { key });
        Ok(())
    }

    /// Fills the recipients with the participants of the named event, or of the event in the preceding request.
    fn guests(&mut self, whom: &Binding) -> Result<(), Unfit> {
        // "Everyone I meet tomorrow": the participants of all events in that time.
        let event = match whom.has("met") {
            true => Some(whom),
            false => whom.inner("event").map(Rc::as_ref),
        };
        if let Some(event) = event {
            let past = event.constant("pick") == Some("last") && !event.has("when");
            let from = match whom.has("met") {
                true => self.read_events(event)?,
                false => self.read_event(event, past)?,
            };
            let source = Source::Step { key: from.clone() };
            self.arguments
                .set("to", json!([{"$from": from.0, "path": "/people"}]), source);
            return Ok(());
        }
        let Ok((_, step)) = self.before() else {
            return self.guests_shown();
        };
        let tool = step.tool.as_str();
        if !tool.starts_with("calendar.") || tool == "calendar.free" {
            return Err(Unfit("nobody comes to that"));
        }
        let target = step.args.get("target").and_then(Json::as_object);
        let all = |filter: &&Map<String, Json>| filter.get("pick") == Some(&json!("all"));
        let (args, why) = match target.filter(all) {
            // Read the participants before the events are changed.
            Some(filter) => {
                let kept = filter.iter().filter(|(field, _)| *field != "pick");
                (
                    kept.map(|(field, value)| (field.clone(), value.clone()))
                        .collect(),
                    BEFORE,
                )
            }
            None if tool == "calendar.delete" => {
                let people = json!({"$from": step.key.0, "path": "/items/0/people"});
                let source = Source::Step {
                    key: step.key.clone(),
                };
                self.arguments.set("to", json!([people]), source);
                self.needs.push(step.key.clone());
                return Ok(());
            }
            None => {
                let ids = json!([{"$from": step.key.0, "path": "/ids/0"}]);
                (Map::from_iter([("ids".to_owned(), ids)]), "")
            }
        };
        let key = key(self.made + self.reads.len());
        self.reads.push(StepDraft {
            key: key.clone(),
            say: "Look who comes".into(),
            why: why.into(),
            tool: LIST.into(),
            args: Json::Object(args),
            needs: if why.is_empty() {
                vec![step.key.clone()]
            } else {
                Vec::new()
            },
            ..StepDraft::default()
        });
        let to = json!([{"$from": key.0, "path": "/people"}]);
        self.arguments
            .set("to", to, Source::Step { key: key.clone() });
        self.needs.push(key);
        Ok(())
    }

    /// Fills the recipients with the participants of the event that was shown last.
    fn guests_shown(&mut self) -> Result<(), Unfit> {
        let shown = self.lattice.said.focus.latest_one(Some(Kind::Event));
        let event = shown.ok_or(Unfit("no event was shown"))?;
        let key = key(self.made + self.reads.len());
        self.reads.push(StepDraft {
            key: key.clone(),
            say: "Look who comes".into(),
            tool: LIST.into(),
            args: json!({ "ids": [select::id_of(event)] }),
            ..StepDraft::default()
        });
        let to = json!([{"$from": key.0, "path": "/people"}]);
        self.arguments
            .set("to", to, Source::Step { key: key.clone() });
        self.needs.push(key);
        Ok(())
    }

    /// Fills the subject of a mail about the preceding request with the name of its thing.
    pub(super) fn about_it(&mut self) -> Result<(), Unfit> {
        let (earlier, _) = self.before()?;
        let thing = earlier.frame.inner("target");
        let name = match thing {
            Some(thing) if !thing.has("ref") => thing.get("name").map(|_| thing.span.clone()),
            _ => None,
        };
        if let Some(tokens) = name {
            let said = self.lattice.slice(tokens);
            let bare = ["the ", "my ", "a ", "our "];
            let bare = bare.iter().find_map(|article| said.strip_prefix(article));
            let subject = words::capitalised(bare.unwrap_or(said));
            self.arguments
                .set("subject", json!(subject), Source::person());
            if let Some(text) = self.news(earlier.frame, said) {
                self.arguments.set("body", json!(text), Source::person());
            }
        }
        Ok(())
    }

    /// Returns what the preceding request does to the event `name`, as a mail tells it. `None` if it is more than that it is
    /// cancelled, or moved to a time.
    fn news(&self, frame: &Binding, name: &str) -> Option<String> {
        match frame.category().tool? {
            "calendar.delete" => Some(format!("I have to cancel {name}.")),
            "calendar.update" => {
                let to = frame
                    .get("to")
                    .filter(|to| matches!(to, Value::Filler(Filler::Time(_), _)))?;
                let to = words::of(self.lattice, to);
                let bare = ["at ", "on ", "to "]
                    .iter()
                    .find_map(|lead| to.strip_prefix(lead));
                Some(format!("I am moving {name} to {}.", bare.unwrap_or(&to)))
            }
            _ => None,
        }
    }

    /// Makes an event of what the preceding request tells somebody: "reply that the plumber comes on Friday at 10 and
    /// put it in my calendar".
    pub(super) fn told_event(&mut self) -> Result<(), Unfit> {
        let (earlier, _) = self.before()?;
        let said = earlier.frame.all("said").find_map(|value| match value {
            Value::Text(stretches) => stretches.first().cloned(),
            _ => None,
        });
        let said = said.ok_or(Unfit("nothing was told"))?;
        let edges = said.clone().flat_map(|at| {
            let edges = self.lattice.edges(at).iter();
            edges.map(move |edge| (at, edge))
        });
        let times = edges.filter_map(|(at, edge)| match edge.filler {
            Filler::Time(time) if edge.end <= said.end => Some((at..edge.end, time)),
            _ => None,
        });
        let (tokens, time) = times
            .max_by_key(|(tokens, _)| tokens.len())
            .ok_or(Unfit("no time was told"))?;
        let found = self.lattice.times.get(time).ok_or(Unfit("no time"))?;
        let (now, settings) = (self.lattice.said.now, self.lattice.said.settings);
        let mut point = Point::of(&[found], now, settings).ok_or(Unfit("no time"))?;
        let to = earlier.frame.get("to");
        let title = [said.start..tokens.start, tokens.end..said.end];
        let title = title.map(|tokens| self.lattice.slice(tokens).trim_matches([' ', ',', '.']));
        let title = match self.frame.has("who") {
            true => to.map(|to| words::of(self.lattice, to)),
            false => event_told(&title.join(" "), to.map(|to| words::of(self.lattice, to))),
        };
        let title = words::capitalised(&title.ok_or(Unfit("no title"))?);
        let moment = point.moment(now).ok_or(Unfit("no day was told"))?;
        point.loose |= moment.is_day();
        let start = Some(&moment).filter(|_| !point.loose).cloned();
        if start.is_none() && point.open {
            return Err(Unfit("no day was told"));
        }
        let words = Source::Person {
            words: Some(self.lattice.slice(said).to_owned()),
        };
        self.arguments.set("summary", json!(title), words.clone());
        match start {
            Some(start) => self.arguments.set("start", json!(start), words),
            None => {
                let day = Moment::Day(moment.date(now.time_zone()));
                let text = format!("At what time on {} should “{title}” be?", self.day(&day));
                self.ask_when(text, json!(day), "it");
            }
        }
        Ok(())
    }
}

/// Returns the title of an event that somebody was told about, without its time: "the plumber comes"; for "works for
/// the tap" the tap with the recipient; for "works for me" a meeting with them.
fn event_told(told: &str, whom: Option<String>) -> Option<String> {
    /// Phrases that only say that a time suits.
    const SUITS: &[&str] = &[
        "works",
        "suits",
        "is fine",
        "is good",
        "is ok",
        "is okay",
        "is great",
        "is perfect",
        "fits",
        "would work",
        "will work",
        "would be good",
    ];
    let bare = |text: &str| -> String {
        let leads = ["that ", "the ", "a ", "an "];
        let lead = leads.iter().find_map(|lead| text.strip_prefix(lead));
        lead.unwrap_or(text).trim().to_owned()
    };
    let told = bare(told.trim());
    if told.starts_with("at ") {
        // An hour that was not read is not a name.
        return None;
    }
    let suits = SUITS.iter().find_map(|words| told.strip_prefix(words));
    let Some(rest) = suits else {
        return (!told.is_empty()).then_some(told);
    };
    let purpose = rest.trim().strip_prefix("for ").map(bare);
    let purpose = purpose.filter(|purpose| !matches!(purpose.as_str(), "me" | "us" | ""));
    match (purpose, whom) {
        (Some(purpose), Some(whom)) => Some(format!("{purpose} with {whom}")),
        (Some(purpose), None) => Some(purpose),
        (None, Some(whom)) => Some(format!("Meeting with {whom}")),
        (None, None) => None,
    }
}
