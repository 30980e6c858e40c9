//! Selects what a request acts on: by filters of its tool, or from what the conversation has shown.

use adjutant_domain::focus::Referent;
use adjutant_domain::record::Kind;
use adjutant_domain::source::Source;
use adjutant_text::all_words;
use serde_json::{Value as Json, json};

use super::super::binding::{Binding, Value};
use super::super::ground;
use super::super::lattice::{Filler, PersonMention};
use super::{Compiler, Unfit, change, schema, words};

impl<'a> Compiler<'a, '_> {
    /// Returns the kind of record that the tool changes.
    fn kind(&self) -> Result<Kind, Unfit> {
        let family = self.tool.name.split('.').next().unwrap_or("");
        kind_of(family).ok_or(Unfit("no such kind"))
    }

    /// Checks that one of the person's records has the name of a thing.
    pub(super) fn check_known(&self, thing: &Binding) -> Result<(), Unfit> {
        match ground::look_up(self.lattice, thing, self.kind()?).score > 0.0 {
            true => Ok(()),
            false => Err(Unfit("of any kind")),
        }
    }

    /// Fills the target of a frame: by id if the conversation has shown it, otherwise by filters.
    pub(super) fn target(&mut self, role: &'static str) -> Result<(), Unfit> {
        let mut thing = Binding::clone(self.frame.inner(role).ok_or(Unfit("no target"))?);
        // "Dropped the keys off last night": who deletes something says so in the present.
        let first = self.lattice.word(self.frame.span.start);
        if self.tool.name.ends_with(".delete") && first.ends_with("ed") {
            return Err(Unfit("told, not asked"));
        }
        if self.frame.inner("slot").is_some() {
            // Looking for free time has already read it.
            return Ok(());
        }
        // "Mark all of them as read except the last one": an exclusion at the end narrows the thing too.
        let left_out = self.frame.all("except").cloned();
        thing.roles.extend(left_out.map(|value| ("except", value)));
        // "From Thursday to Friday" moves the one on Thursday. In "from 3 to 4 on Friday", the day applies to both
        // times.
        let days = self.time_expressions("day");
        if !days.iter().all(|day| day.has_day && day.clock.is_none()) {
            return Err(Unfit("no day"));
        }
        // "Push it back an hour today" shifts today's; beside a new time, a day is that of the new time.
        let of_day = self.time_expressions("shift_day");
        if !of_day.is_empty() && !self.frame.has("shift")
            || of_day.iter().any(|day| day.clock.is_some())
        {
            return Err(Unfit("two times"));
        }
        if self.frame.has("known") {
            self.check_known(&thing)?;
        }
        let family = self.tool.name.split('.').next().unwrap_or("");
        let kind = self.kind()?;
        // "Lunch with Sarah is at 1 now, not 12:30": its name says which one, and the old hour says no day.
        let old_hour =
            self.only_clock("was") && ground::look_up(self.lattice, &thing, kind).whole.is_some();
        let was = ["was", "day", "shift_day"].into_iter();
        let was = was
            .filter(|role| *role != "was" || !old_hour)
            .flat_map(|role| self.frame.all(role));
        thing.roles.extend(was.cloned().map(|time| ("when", time)));
        self.spoken_of_when(&mut thing);
        if self.is_another(&thing) {
            thing.roles.retain(|(role, _)| *role != "ref");
        }
        let thing = &thing;
        if thing
            .constant("kind")
            .is_some_and(|said| said != kind.word())
        {
            return Err(Unfit("another kind"));
        }
        let source = Source::Person {
            words: Some(words::of(self.lattice, &Value::Inner(thing.clone().into()))),
        };
        if let Some(reference) = thing.constant("ref") {
            if !thing.has("nth") && self.earlier_step(reference, family, &thing.roles) {
                return Ok(());
            }
            if reference == "nth" && ["when", "with", "from"].iter().any(|role| thing.has(role)) {
                return Err(Unfit("a place among others, not among what was shown"));
            }
            return self.point_at(thing, kind, source);
        }
        self.may_act_on(thing)?;
        if let Some(one) = self
            .instance_shown(thing, kind)
            .filter(|_| self.takes("id"))
        {
            self.arguments.set("id", json!(id_of(one)), source);
            return Ok(());
        }
        let filter = self.filter(thing, family, true)?;
        if self.acts_on_one() && filter.get("pick").is_some_and(|pick| pick == "all") {
            return self.each_of(thing, source);
        }
        let told = |field: &String| field != "pick" && field != "order";
        // "All my mails" means every mail; for "everything", only the tool that marks mails shows that mails are meant.
        let every = thing.has("every") || thing.has("all") && self.tool.name == "email.mark";
        if !filter.keys().any(told) && !thing.has("pick") && !every {
            // "Tom can't come to the review. Take him off the invitation."
            if !thing.has("many") && self.earlier_step("it", family, &thing.roles) {
                return Ok(());
            }
            // "Archive the email" means the one that was mentioned last.
            let one = self.lattice.said.focus.latest_one(Some(kind));
            let one = one.filter(|_| !thing.has("many") && self.takes("id"));
            let Some(one) = one else {
                return match kind {
                    Kind::Mail => Err(Unfit("no mail is named")),
                    _ => {
                        self.arguments.set("target", Json::Object(filter), source);
                        Ok(())
                    }
                };
            };
            self.arguments.set("id", json!(id_of(one)), source);
            return Ok(());
        }
        self.arguments.set("target", Json::Object(filter), source);
        Ok(())
    }

    /// Reports whether a thing is "the … one" after the same request for a thing that was named: "delete the gym task and
    /// the library one".
    fn is_another(&self, thing: &Binding) -> bool {
        let tool = Some(self.tool.name.as_str());
        thing.constant("ref") == Some("among")
            && thing.has("name")
            && self.earlier.last().is_some_and(|one| {
                let named = one.frame.inner("target").is_some_and(|one| !one.has("ref"));
                named && one.step.map(|step| step.tool.as_str()) == tool
            })
    }

    /// Returns the instance of a series that the latest answer showed under the name of the thing: after "what's on
    /// Tuesday?", "move the piano lesson to 5" means that lesson.
    fn instance_shown(&self, thing: &Binding, kind: Kind) -> Option<&'a Referent> {
        let [("name", name)] = thing.roles.as_slice() else {
            return None;
        };
        let name = words::of(self.lattice, name);
        let shown = self.lattice.said.focus.shown.first()?;
        let named = |item: &&Referent| item.kind == kind && all_words(&name, &item.label);
        let mut named = shown.items.iter().filter(named);
        let one = named.next().filter(|_| named.next().is_none())?;
        (!shown.acted && one.instance.is_some()).then_some(one)
    }

    /// Checks that the tool can act on what is described.
    fn may_act_on(&self, thing: &Binding) -> Result<(), Unfit> {
        // Things sent by somebody are mails: "delete everything from Ana".
        let mail = thing.has("all")
            && ["from", "sender", "folder"]
                .iter()
                .any(|role| thing.has(role));
        let known = || {
            let found = ground::look_up(self.lattice, thing, Kind::Mail);
            self.tool.name == "email.forward" && found.score > 0.0
        };
        if self.frame.has("kind_said") && !thing.has("kind") && !mail && !known() {
            return Err(Unfit("of any kind"));
        }
        if self.tool.name == "email.forward" && thing.has("to") && !self.frame.has("to") {
            // "Forward Ana's mail to Will and Kim's to Petra".
            return Err(Unfit("forwarded to several"));
        }
        // "You can archive that mail now": "now" is when to do it.
        let now = |value: &Value| words::of(self.lattice, value) == "now";
        if thing.all("when").any(now) {
            return Err(Unfit("done now"));
        }
        if self.is_person(thing) {
            // "Remove Emily" does not mean an event of that name.
            return Err(Unfit("a person"));
        }
        if (thing.has("spared") || self.frame.has("spared")) && thing.has("pick") {
            // If the last one is starred, the one before it is not meant.
            return Err(Unfit("one, on a condition"));
        }
        // "Send Kim an email at 5" is about a new mail.
        let new = matches!(self.lattice.word(thing.span.start), "a" | "an");
        if new && self.acts_on_one() {
            return Err(Unfit("a new one"));
        }
        Ok(())
    }

    /// Reports whether a thing has only a name, and that is the name of a known person.
    fn is_person(&self, thing: &Binding) -> bool {
        let [("name", Value::Text(stretches))] = thing.roles.as_slice() else {
            return false;
        };
        let [name] = stretches.as_slice() else {
            return false;
        };
        let known = |who: &PersonMention| matches!(who, PersonMention::Named(_, true));
        let mut edges = self.lattice.edges(name.start).iter();
        edges.any(|edge| {
            let all = edge.end == name.end;
            matches!(&edge.filler, Filler::People(people) if all && people.iter().all(known))
        })
    }

    /// Fills the id of what the conversation has shown.
    pub(super) fn point_at(
        &mut self,
        thing: &Binding,
        kind: Kind,
        source: Source,
    ) -> Result<(), Unfit> {
        let reference = thing.constant("ref").ok_or(Unfit("nothing shown"))?;
        if matches!(reference, "among" | "newest" | "oldest") {
            return self.among(thing, reference, kind, source);
        }
        let shown = self
            .shown(thing, reference, kind)
            .ok_or(Unfit("nothing shown"))?;
        let ids: Vec<String> = shown.iter().map(|one| id_of(one)).collect();
        let (field, value) = match (ids.as_slice(), self.takes("id")) {
            ([one], true) => ("id", json!(one)),
            (several, _) if self.takes("ids") => ("ids", json!(several)),
            _ => return Err(Unfit("several")),
        };
        self.arguments.set(field, value, source);
        Ok(())
    }

    pub(super) fn takes(&self, field: &str) -> bool {
        schema::at(&self.tool.schema, field).is_some()
    }

    /// Returns what a pronoun or a position in a list refers to.
    pub(super) fn shown(
        &self,
        thing: &Binding,
        reference: &str,
        kind: Kind,
    ) -> Option<Vec<&'a Referent>> {
        let focus = self.lattice.said.focus;
        let list = match reference {
            // A position refers to the list that was shown, not to what was changed since.
            "few" | "nth" => change::listed(focus, kind),
            _ => focus.latest_list(Some(kind)),
        };
        match reference {
            "few" => {
                let few = thing.all("few").find_map(|value| match value {
                    Value::Filler(Filler::Number(few), _) => usize::try_from(*few).ok(),
                    _ => None,
                })?;
                let first = thing.constant("pick") != Some("last");
                let skipped = if first {
                    0
                } else {
                    list.len().checked_sub(few)?
                };
                (few > 0 && list.len() >= few)
                    .then(|| list.into_iter().skip(skipped).take(few).collect())
            }
            "it" => focus.latest_one(Some(kind)).map(|one| vec![one]),
            // "Both" of three is unclear.
            "them" => {
                let both = thing.span.clone().any(|at| self.lattice.word(at) == "both");
                (!list.is_empty() && (!both || list.len() == 2)).then_some(list)
            }
            _ => {
                match thing.constant("pick") {
                    // A single thing has no "last one": something else is meant.
                    Some("last") if list.len() < 2 => return None,
                    Some("last") => return list.last().map(|one| vec![*one]),
                    Some("first") => return list.first().map(|one| vec![*one]),
                    _ => {}
                }
                let place = thing.all("nth").find_map(|value| match value {
                    Value::Filler(Filler::Ordinal(place), _) => usize::try_from(*place).ok(),
                    _ => None,
                })?;
                list.get(place.checked_sub(1)?).map(|one| vec![*one])
            }
        }
    }
}

/// Returns the kind of record that a family of tools is about.
pub(in super::super) fn kind_of(family: &str) -> Option<Kind> {
    Some(match family {
        "calendar" => Kind::Event,
        "task" => Kind::Task,
        "email" => Kind::Mail,
        "note" => Kind::Note,
        "memory" => Kind::Memory,
        "contact" => Kind::Contact,
        _ => return None,
    })
}

/// Returns the id, with the instance of a recurring event.
pub(super) fn id_of(one: &Referent) -> String {
    match &one.instance {
        Some(instance) if !one.id.0.contains('@') => format!("{}@{instance}", one.id.0),
        _ => one.id.0.clone(),
    }
}
