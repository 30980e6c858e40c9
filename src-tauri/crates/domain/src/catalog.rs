//! Snapshot of the available tools. Server tools come and go while Adjutant runs; a snapshot never changes.

use std::collections::BTreeMap;

use crate::spec::ToolSpec;

/// All tools at one moment. A turn keeps the catalogue it started with. Data derived from the specifications is
/// computed once per version.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalog {
    version: u64,
    specs: Vec<ToolSpec>,
    places: BTreeMap<String, usize>,
}

impl Catalog {
    /// Creates a catalogue of `specs` in the given order. Two catalogues of one toolbox with equal versions hold the
    /// same tools.
    #[must_use]
    pub fn new(version: u64, specs: Vec<ToolSpec>) -> Self {
        let names = specs.iter().enumerate();
        let places = names.map(|(at, spec)| (spec.name.clone(), at)).collect();
        Self {
            version,
            specs,
            places,
        }
    }

    /// Returns the version.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Returns every tool, in the catalogue's order.
    #[must_use]
    pub fn specs(&self) -> &[ToolSpec] {
        &self.specs
    }

    /// Returns the tool called `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ToolSpec> {
        self.places.get(name).and_then(|at| self.specs.get(*at))
    }
}
