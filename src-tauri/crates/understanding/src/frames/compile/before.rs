//! What a thing takes from the requests and remarks before it in the same message: "… and email her about it", "I'm in Rome
//! on Friday, cancel my lesson that day".

use adjutant_domain::plan::StepDraft;
use adjutant_domain::record::Kind;
use adjutant_domain::source::Source;
use serde_json::{Value as Json, json};

use super::super::binding::{Binding, Value};
use super::super::lattice::{Filler, PersonMention};
use super::select::kind_of;
use super::{Compiler, EarlierRequest, ask, key};

impl Compiler<'_, '_> {
    /// Completes a thing with the time and people of a preceding remark: "I'm sick today. Cancel my meetings", "Kim is
    /// out tomorrow, cancel our meeting", "I'm in Rome on Friday, cancel my lesson that day".
    pub(super) fn spoken_of_when(&self, thing: &mut Binding) {
        if thing.has("that_day") {
            let mut earlier = self.earlier.iter().rev().map(|earlier| earlier.frame);
            let dated = earlier.find(|frame| frame.has("when"));
            let when = dated
                .into_iter()
                .flat_map(|frame| frame.all("when").cloned());
            thing.roles.extend(when.map(|time| ("when", time)));
        }
        let remark = self.earlier.last().map(|earlier| earlier.frame);
        let Some(remark) = remark.filter(|remark| remark.category().remark) else {
            return;
        };
        let away = remark.has("away");
        if away && !thing.has("when") {
            let when = remark.all("when").cloned();
            thing.roles.extend(when.map(|time| ("when", time)));
        }
        let alone = ["name", "with", "from", "owner"];
        if away && !alone.iter().any(|role| thing.has(role)) {
            let guests = remark.all("guest").cloned();
            thing.roles.extend(guests.map(|guest| ("with", guest)));
        }
        // "I talked to Bob, so remove our call".
        let ours = self.lattice.word(thing.span.start) == "our";
        if !away && ours && !alone[1..].iter().any(|role| thing.has(role)) {
            let edges = remark.span.clone().flat_map(|at| self.lattice.edges(at));
            let mut people = edges.map(|edge| &edge.filler).filter(|filler| {
                let known = |who: &PersonMention| matches!(who, PersonMention::Named(_, true));
                matches!(filler, Filler::People(people) if people.iter().all(known))
            });
            let tokens = remark.span.clone();
            let with = people.next().map(|who| Value::Filler(who.clone(), tokens));
            thing.roles.extend(with.map(|with| ("with", with)));
        }
    }

    /// Fills the target with what an earlier request of the same message selected or made: "… and email her about it".
    /// Returns false if there is none.
    pub(super) fn earlier_step(
        &mut self,
        reference: &str,
        family: &str,
        more: &[(&'static str, Value)],
    ) -> bool {
        let picked = reference == "nth" && more.iter().any(|(role, _)| *role == "pick");
        // "I can't do the standups. Cancel the ones on Friday" narrows what a remark named.
        let among = reference == "among";
        if !matches!(reference, "it" | "them") && !among && !picked {
            return false;
        }
        let fits = |earlier: &&EarlierRequest<'_>| is_of_family(earlier, family);
        let Some(earlier) = self.earlier.iter().rev().find(fits) else {
            return false;
        };
        if among && earlier.step.is_some() {
            return false;
        }
        let many = more.iter().any(|(role, _)| *role == "many");
        let pick = if reference == "it" || among && !many {
            "one"
        } else {
            "all"
        };
        if earlier.step.is_none() && earlier.frame.has("is") && self.made > 0 {
            // "If my first meeting is before 9, move it": the meeting that was tested.
            let asked = key(self.made - 1);
            let ids = json!({"$from": asked.0, "path": "/ids"});
            let source = Source::Step { key: asked.clone() };
            self.arguments
                .set("target", json!({"ids": ids, "pick": pick}), source);
            self.needs.push(asked);
            return true;
        }
        let Some(step) = earlier.step else {
            return self.spoken_of_before(earlier, more, (family, pick));
        };
        let source = Source::Step {
            key: step.key.clone(),
        };
        let from = |path: &str| json!({"$from": step.key.0, "path": path});
        if picked {
            return self.picked_of(step, more, family);
        }
        let found = earlier.frame.category().filters.is_some()
            && !step.args.get("pick").is_some_and(Json::is_string);
        if found && reference == "them" && self.acts_on_one() {
            self.each_found(step.key.clone());
            return true;
        }
        if found && self.takes("target") && (reference == "it" || !self.takes("ids")) {
            // If several were found, the person chooses.
            let ids = if step.tool.ends_with(".read") {
                "/id"
            } else {
                "/ids"
            };
            let target = json!({"ids": from(ids), "pick": pick});
            self.arguments.set("target", target, source);
        } else if self.takes("ids") {
            self.arguments.set("ids", from("/ids"), source);
        } else {
            self.arguments.set("id", from("/ids/0"), source);
        }
        self.needs.push(step.key.clone());
        true
    }

    /// Fills the target with the thing that a remark, a withdrawn request or a condition mentioned. Returns false if it
    /// cannot.
    fn spoken_of_before(
        &mut self,
        earlier: &EarlierRequest<'_>,
        more: &[(&'static str, Value)],
        (family, pick): (&str, &str),
    ) -> bool {
        let named = earlier.only_named();
        let mut thing = match named {
            Some(thing) => (**thing).clone(),
            None => ask::thing_of(earlier.frame),
        };
        if named.is_some() {
            // "I can't make the meetings tomorrow morning, cancel them": a part of the time may belong to the remark.
            let when = earlier.frame.all("when").cloned();
            thing.roles.extend(when.map(|time| ("when", time)));
        }
        // "… Cancel all future ones" narrows it further.
        let more = more.iter().filter(|(role, _)| *role != "ref");
        thing.roles.extend(more.cloned());
        let filter = self.filter(&thing, family, true);
        // "The hotel in Boston is urgent. Make that task high priority": no task has a place, but its title may name one.
        let filter = filter.or_else(|unfit| {
            let name = named.map(|named| Value::Text(vec![named.span.clone()]));
            let thing = Binding {
                roles: vec![("name", name.ok_or(unfit)?)],
                ..thing.clone()
            };
            self.filter(&thing, family, true)
        });
        let Ok(mut filter) = filter else {
            return false;
        };
        if named.is_none() && !filter.contains_key("order") {
            filter.insert("pick".into(), json!(pick));
        }
        self.arguments
            .set("target", Json::Object(filter), Source::person());
        true
    }

    /// Picks from the results of an earlier step: "Do I have more than two meetings on Friday? If so, cancel the last
    /// one". Returns false if it cannot.
    fn picked_of(
        &mut self,
        step: &StepDraft,
        more: &[(&'static str, Value)],
        family: &str,
    ) -> bool {
        let thing = Binding {
            roles: more
                .iter()
                .filter(|(role, _)| *role == "pick")
                .cloned()
                .collect(),
            ..self.frame.clone()
        };
        let Some(mut filter) = self.filter(&thing, family, true).ok() else {
            return false;
        };
        let source = Source::Step {
            key: step.key.clone(),
        };
        filter.retain(|field, _| matches!(field.as_str(), "order" | "pick"));
        filter.insert("ids".into(), json!({"$from": step.key.0, "path": "/ids"}));
        self.arguments.set("target", Json::Object(filter), source);
        self.needs.push(step.key.clone());
        true
    }
}

/// Reports whether an earlier request is about things of a family of tools.
fn is_of_family(earlier: &EarlierRequest<'_>, family: &str) -> bool {
    if let Some(step) = earlier.step {
        return step.tool.split('.').next() == Some(family);
    }
    let category = earlier.frame.category();
    if category.aside {
        return false;
    }
    let of = category.tool.and_then(|tool| tool.split('.').next());
    let kind = kind_of(family).map(Kind::word);
    let named = earlier.only_named().is_some_and(|thing| {
        let said = thing.constant("kind");
        said.is_none() || said == kind
    });
    category.filters == Some(family) || named && of.is_none_or(|of| of == family)
}
