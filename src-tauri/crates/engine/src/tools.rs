//! What the engine derives from the available tools, once per catalogue.

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

/// Notifies when tools appear or vanish, once turns notice it: their vectors must then be made again.
pub struct NewerTools(pub(crate) watch::Receiver<Arc<Tools>>);

impl NewerTools {
    /// Waits for tools newer than at creation or at the previous call. `None` once the engine is gone.
    pub async fn next(&mut self) -> Option<()> {
        self.0.changed().await.ok()
    }
}

/// Returns the tools of this program. The domain of a server's tool is not meaningful.
fn own(catalog: &Catalog) -> impl Iterator<Item = &ToolSpec> {
    catalog.specs().iter().filter(|spec| spec.server.is_none())
}

/// A catalogue and what is derived from it. A turn keeps the one it began with.
#[derive(Debug, Default)]
pub struct Tools {
    catalog: Arc<Catalog>,
    /// Whether an external search engine can be asked.
    reaches_web: bool,
    served: BTreeSet<Domain>,
    /// Our domains that servers' tools also serve.
    contested: BTreeSet<Domain>,
    /// Created beside the first turns or by the first request that needs it, so that it never delays the embedded
    /// engine.
    retriever: OnceLock<Retriever>,
}

impl Tools {
    /// Derives the tools of a catalogue. Without a search engine, no tool serves the research domain, so that a model
    /// answers a question about the world at once instead of planning first.
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

    /// Returns the catalogue.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Whether these tools match the current catalogue and web access.
    pub(crate) fn are_current(&self, catalog: &Catalog, reaches_web: bool) -> bool {
        self.catalog.version() == catalog.version() && self.reaches_web == reaches_web
    }

    /// Returns the specification of a tool. `None` if the catalogue does not have it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ToolSpec> {
        self.catalog.get(name)
    }

    /// Whether a tool normally only reads, so that its steps may run in parallel.
    #[must_use]
    pub fn reads(&self, name: &str) -> bool {
        name == extract::TOOL || self.get(name).is_some_and(|spec| spec.risk == Risk::Read)
    }

    /// Returns the domains that have tools.
    #[must_use]
    pub fn served(&self) -> &BTreeSet<Domain> {
        &self.served
    }

    /// Whether there are tools of servers, which the embedded router does not know.
    #[must_use]
    pub fn has_servers(&self) -> bool {
        self.catalog
            .specs()
            .iter()
            .any(|spec| spec.server.is_some())
    }

    /// Whether a server's tool may suit the message better than the embedded engine's plan: either the plan uses a tool
    /// of ours in a domain that servers also serve (calendars, mail, files), or the router expects other domains than
    /// those of the plan's tools. The words of a message alone cannot tell which of the two holds the requested data. A
    /// tool that judges messages itself is tried first.
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

    /// Returns the participle for what a tool does, as in "Nothing was sent."
    #[must_use]
    pub fn participle(&self, name: &str) -> &str {
        self.get(name)
            .map_or("done", |spec| spec.participle.as_str())
    }

    /// Whether a tool itself recognises messages that are not meant for it.
    #[must_use]
    pub fn judges(&self, name: &str) -> bool {
        self.get(name).is_some_and(|spec| spec.judges)
    }

    /// Returns the tool that keeps the text of a rejected call, and the names of its arguments.
    #[must_use]
    pub fn keeper(&self, name: &str) -> Option<(&str, Vec<String>)> {
        let keeper = self.get(self.get(name)?.kept_by.as_deref()?)?;
        let fields = keeper.schema.get("properties").and_then(Value::as_object)?;
        Some((&keeper.name, fields.keys().cloned().collect()))
    }

    /// Returns what models are told about: the tools and the engine's own step.
    pub(crate) fn told(&self) -> impl Iterator<Item = ToolSpec> {
        self.catalog
            .specs()
            .iter()
            .cloned()
            .chain([extract::spec()])
    }

    /// Returns the index that finds tools for a message, creating it on first use.
    pub(crate) fn retriever(&self) -> &Retriever {
        self.retriever.get_or_init(|| {
            let own = extract::spec();
            Retriever::new(self.catalog.specs().iter().chain([&own]), None)
        })
    }
}
