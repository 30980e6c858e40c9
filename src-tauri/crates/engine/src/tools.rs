//! What the engine derives from the tools there are, made once for a catalogue.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use adjutant_domain::catalog::Catalog;
use adjutant_domain::gate::Risk;
use adjutant_domain::plan::PlanDraft;
use adjutant_domain::route::{Domain, Route};
use adjutant_domain::tool::ToolSpec;
use serde_json::Value;
use tokio::sync::watch;

use crate::retrieval::{Retriever, contested};
use crate::stages::extract;

/// Tells when tools appeared or vanished, as turns come to see it: their vectors have to be made again.
pub struct NewerTools(pub(crate) watch::Receiver<Arc<Tools>>);

impl NewerTools {
    /// Waits for newer tools than were there when this was made, or at the last time. `None` once the engine is gone.
    pub async fn next(&mut self) -> Option<()> {
        self.0.changed().await.ok()
    }
}

/// Tools of this program: the domain of a server's tool says nothing.
fn own(catalog: &Catalog) -> impl Iterator<Item = &ToolSpec> {
    catalog.specs().iter().filter(|spec| spec.server.is_none())
}

/// A catalogue and what follows from it. A turn keeps the one it began with.
#[derive(Debug, Default)]
pub struct Tools {
    catalog: Arc<Catalog>,
    /// Whether a search engine outside can be asked.
    reaches_web: bool,
    served: BTreeSet<Domain>,
    /// Domains of ours that tools of servers serve as well.
    contested: BTreeSet<Domain>,
    /// Made beside the first turns, or by the first request that needs it: nothing of it is on the way of the embedded
    /// engine.
    retriever: OnceLock<Retriever>,
}

impl Tools {
    /// What follows from a catalogue. Where no search engine can be asked, nothing serves a question about the world: a
    /// model answers it at once instead of planning first.
    #[must_use]
    pub fn of(catalog: Arc<Catalog>, reaches_web: bool) -> Self {
        let domains = own(&catalog).map(|spec| spec.domain);
        Self {
            served: domains
                .filter(|domain| reaches_web || *domain != Domain::Research)
                .collect(),
            reaches_web,
            contested: contested::domains(&catalog),
            catalog,
            retriever: OnceLock::new(),
        }
    }

    /// The catalogue all of this follows from.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Whether these are the tools of this moment.
    pub(crate) fn are_current(&self, catalog: &Catalog, reaches_web: bool) -> bool {
        self.catalog.version() == catalog.version() && self.reaches_web == reaches_web
    }

    /// The specification of a tool, if it was there.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ToolSpec> {
        self.catalog.get(name)
    }

    /// Whether a tool usually only reads: such steps may run side by side.
    #[must_use]
    pub fn reads(&self, name: &str) -> bool {
        name == extract::TOOL || self.get(name).is_some_and(|spec| spec.risk == Risk::Read)
    }

    /// Domains that have tools.
    #[must_use]
    pub fn served(&self) -> &BTreeSet<Domain> {
        &self.served
    }

    /// Whether servers have tools here, of which the embedded router knows nothing.
    #[must_use]
    pub fn has_servers(&self) -> bool {
        self.catalog
            .specs()
            .iter()
            .any(|spec| spec.server.is_some())
    }

    /// Whether a plan of the embedded engine may be for a tool of a server: it uses a tool of ours for something that a
    /// server's tools are there for as well (calendars, mail, files), or the router took the message for something else
    /// than the plan's tools are there for. Which of the two holds what is asked for cannot be told by the words of a
    /// message alone. A tool that judges messages itself is tried first.
    #[must_use]
    pub fn are_contested(&self, plan: &PlanDraft, route: &Route) -> bool {
        let tools = plan.steps.iter().filter_map(|step| self.get(&step.tool));
        let ours: Vec<Domain> = tools
            .filter(|spec| spec.server.is_none() && !spec.judges)
            .map(|spec| spec.domain)
            .collect();
        let is_expected = ours.iter().any(|domain| route.domains.contains(domain));
        ours.iter().any(|domain| self.contested.contains(domain))
            || (self.has_servers() && !ours.is_empty() && !is_expected)
    }

    /// The participle for what a tool does, for "Nothing was sent."
    #[must_use]
    pub fn participle(&self, name: &str) -> &str {
        self.get(name)
            .map_or("done", |spec| spec.participle.as_str())
    }

    /// Whether a tool tells by itself that a message was none for it.
    #[must_use]
    pub fn judges(&self, name: &str) -> bool {
        self.get(name).is_some_and(|spec| spec.judges)
    }

    /// The tool that keeps the text of a call that was rejected, and the arguments it takes.
    #[must_use]
    pub fn keeper(&self, name: &str) -> Option<(&str, Vec<String>)> {
        let keeper = self.get(self.get(name)?.kept_by.as_deref()?)?;
        let fields = keeper.schema.get("properties").and_then(Value::as_object)?;
        Some((&keeper.name, fields.keys().cloned().collect()))
    }

    /// What a model is told about: the tools, and the engine's own step.
    pub(crate) fn told(&self) -> impl Iterator<Item = ToolSpec> {
        self.catalog
            .specs()
            .iter()
            .cloned()
            .chain([extract::spec()])
    }

    /// Finds the tools that fit a message.
    pub(crate) fn retriever(&self) -> &Retriever {
        self.retriever.get_or_init(|| {
            let own = extract::spec();
            Retriever::new(self.catalog.specs().iter().chain([&own]), None)
        })
    }
}
