//! Something new in free time: "in the first free hour on Friday". A step looks for free time first.

use adjutant_domain::ids::StepKey;
use adjutant_domain::plan::StepDraft;
use adjutant_domain::source::Source;
use serde_json::{Value as Json, json};

use super::arguments::Arguments;
use super::{Compiler, Unfit, key};

/// The tool that looks for free time.
const FREE: &str = "calendar.free";

impl Compiler<'_, '_> {
    /// Starts the event in the first free time within the range, for its whole length.
    pub(super) fn slot(&mut self) -> Result<(), Unfit> {
        let own = std::mem::take(&mut self.arguments);
        let found = self.free();
        let mut free = std::mem::replace(&mut self.arguments, own);
        found?;
        // "On Friday morning" does not mean six o'clock; only a clock time replaces the working hours.
        let times = self.time_expressions("when");
        if !times.iter().any(|time| time.clock.is_some()) {
            free.values.remove("hours");
        }
        let usual = json!(self.lattice.said.settings.event_minutes);
        let minutes = free
            .values
            .entry("duration_minutes")
            .or_insert(usual)
            .clone();
        let key = self.look_for_time(free, Vec::new());
        self.starts_in(&key, minutes);
        self.needs.push(key);
        Ok(())
    }

    /// Adds a step that looks for free time after the steps it needs, and returns its key.
    fn look_for_time(&mut self, free: Arguments, needs: Vec<StepKey>) -> StepKey {
        let key = key(self.made + self.reads.len());
        self.reads.push(StepDraft {
            key: key.clone(),
            say: "Look for free time".to_owned(),
            tool: FREE.to_owned(),
            args: Json::Object(free.values),
            sources: free.sources,
            needs,
            ..StepDraft::default()
        });
        key
    }

    /// Moves an event to free time: "move the review to the first free slot on Friday". A step reads the event first,
    /// then another looks for free time of the same length.
    pub(super) fn set_slot(&mut self, role: &'static str) -> Result<(), Unfit> {
        let target = self.frame.inner("target").ok_or(Unfit("no event"))?.clone();
        let slot = self.frame.inner(role).ok_or(Unfit("no slot"))?.clone();
        if target.has("many") {
            return Err(Unfit("several in one slot"));
        }
        let event = self.read_event(&target, false)?;
        let read = self.reads.last_mut().ok_or(Unfit("no event"))?;
        if !target.has("pick") {
            read.args["pick"] = json!("one");
        }
        let tool = self
            .lattice
            .said
            .tools
            .iter()
            .find(|tool| tool.name == FREE);
        let mut looking = Compiler {
            lattice: self.lattice,
            frame: &slot,
            tool: tool.ok_or(Unfit("unknown tool"))?,
            arguments: Arguments::default(),
            question: None,
            earlier: &[],
            needs: Vec::new(),
            reads: Vec::new(),
            each: None,
            made: self.made,
        };
        looking.free()?;
        let mut free = looking.arguments;
        let minutes = json!({"$from": event.0, "path": "/items/0/minutes"});
        free.set(
            "duration_minutes",
            minutes,
            Source::Step { key: event.clone() },
        );
        free.set("pick", json!("first"), Source::Derived);
        let key = self.look_for_time(free, vec![event.clone()]);
        let id = json!({"$from": event.0, "path": "/ids/0"});
        self.arguments.set("id", id, Source::Step { key: event });
        let start = json!({"$from": key.0, "path": "/first/start"});
        self.arguments
            .set("changes.start", start, Source::Step { key: key.clone() });
        self.needs.push(key);
        Ok(())
    }

    /// Starts the event in the time that the preceding request finds, if that looks for free time: "find a free hour
    /// tomorrow and schedule a call". Returns whether it does.
    pub(super) fn found_before(&mut self) -> bool {
        let steps = self.earlier.iter().rev().filter_map(|earlier| earlier.step);
        let Some(step) = steps.take(1).find(|step| step.tool == FREE) else {
            return false;
        };
        let key = step.key.clone();
        let minutes = step.args.get("duration_minutes").cloned();
        self.starts_in(&key, minutes.unwrap_or(Json::Null));
        self.needs.push(key);
        true
    }

    fn starts_in(&mut self, free: &StepKey, minutes: Json) {
        let source = || Source::Step { key: free.clone() };
        let arguments: &mut Arguments = &mut self.arguments;
        let start = json!({"$from": free.0, "path": "/first/start"});
        arguments.set("start", start, source());
        if !self.frame.has("length") && !minutes.is_null() {
            arguments.set("duration_minutes", minutes, source());
        }
    }
}
