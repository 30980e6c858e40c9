//! Questions about what follows an event: "how long do I have until the next thing after the regatta".

use adjutant_domain::ids::StepKey;
use adjutant_domain::record::Kind;
use adjutant_domain::source::Source;
use serde_json::{Value as Json, json};

use super::super::binding::Binding;
use super::super::ground;
use super::{Compiler, Unfit};

/// How long after an event free time is looked for, in minutes.
const DAY_MINUTES: i64 = 24 * 60;

impl Compiler<'_, '_> {
    /// Fills a search for the first free time after an event.
    pub(super) fn free_after(&mut self, role: &'static str) -> Result<(), Unfit> {
        let key = self.event_that_ends(role)?;
        let source = Source::Step { key: key.clone() };
        let end =
            |more: i64| json!({"$from": key.0, "path": "/items/0/end", "shift_minutes": more});
        let hours = [("ask", "slots"), ("hours", "any"), ("pick", "first")];
        for (argument, value) in hours {
            self.arguments.set(argument, json!(value), Source::Derived);
        }
        self.arguments.set("from", end(0), source.clone());
        self.arguments.set("to", end(DAY_MINUTES), source);
        Ok(())
    }

    /// Fills a list of the events after an event on its day.
    pub(super) fn list_after(&mut self, role: &'static str) -> Result<(), Unfit> {
        let key = self.event_that_ends(role)?;
        let source = Source::Step { key: key.clone() };
        let zone = self.lattice.said.now.time_zone().iana_name();
        let zone = zone.ok_or(Unfit("a zone without a name"))?;
        let end = |more: Json| {
            let mut value = json!({"$from": key.0, "path": "/items/0/end"});
            if let (Some(value), Json::Object(more)) = (value.as_object_mut(), more) {
                value.extend(more);
            }
            value
        };
        self.arguments.set("from", end(json!({})), source.clone());
        self.arguments
            .set("to", end(json!({"at": "23:59", "zone": zone})), source);
        for argument in ["ask", "pick"] {
            if let Some(value) = self.frame.constant(argument) {
                self.arguments.set(argument, json!(value), Source::Derived);
            }
        }
        Ok(())
    }

    /// Adds a step that reads the event of a role, which has to be in the calendar. Returns its key.
    fn event_that_ends(&mut self, role: &'static str) -> Result<StepKey, Unfit> {
        let event = self.frame.inner(role).ok_or(Unfit("no event"))?;
        let mut event = Binding::clone(event);
        if event.has("hour") || event.has("many") {
            return Err(Unfit("no event"));
        }
        if ground::look_up(self.lattice, &event, Kind::Event).score <= 0.0 {
            return Err(Unfit("nothing called so"));
        }
        // "Once the regatta is over today": the day stands behind it.
        let day = self.frame.all("when").map(|day| ("when", day.clone()));
        event.roles.extend(day.collect::<Vec<_>>());
        self.read_event(&event, false)
    }
}
