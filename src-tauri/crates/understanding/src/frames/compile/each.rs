//! Tools that act on one mail, asked to act on many: a step looks for the mails, and the tool is called once for each.

use adjutant_domain::ids::StepKey;
use adjutant_domain::plan::{Reference, StepDraft};
use adjutant_domain::source::Source;
use serde_json::{Value as Json, json};

use super::super::binding::{Binding, Value};
use super::letter::SEARCH;
use super::{Compiler, Unfit, key, words};

impl Compiler<'_, '_> {
    /// Reports whether the tool acts on one thing at a time.
    pub(super) fn acts_on_one(&self) -> bool {
        matches!(self.tool.name.as_str(), "email.reply" | "email.forward")
    }

    /// Calls the tool for each of the mails that match a thing.
    pub(super) fn each_of(&mut self, thing: &Binding, source: Source) -> Result<(), Unfit> {
        let mut tools = self.lattice.said.tools.iter();
        let search = tools.find(|tool| tool.name == SEARCH);
        let search = search.ok_or(Unfit("unknown tool"))?;
        let mut filter = self.filter_of(search, thing, "email", ("", true))?;
        filter.remove("pick");
        if filter.keys().all(|field| field == "order") {
            return Err(Unfit("no mails are named"));
        }
        let said = words::of(self.lattice, &Value::Inner(thing.clone().into()));
        let key = key(self.made + self.reads.len());
        self.reads.push(StepDraft {
            key: key.clone(),
            say: format!("Look for {said}"),
            tool: SEARCH.to_owned(),
            args: Json::Object(filter),
            sources: [(String::new(), source)].into(),
            ..StepDraft::default()
        });
        self.each_found(key);
        Ok(())
    }

    /// Calls the tool for each of the things that a step finds.
    pub(super) fn each_found(&mut self, from: StepKey) {
        let source = Source::Step { key: from.clone() };
        self.arguments.set("id", json!({"$item": "/id"}), source);
        self.needs.push(from.clone());
        self.each = Some(Reference {
            from,
            path: "/items".to_owned(),
        });
    }
}
