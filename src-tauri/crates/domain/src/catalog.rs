//! The tools there are at one moment. Tools of a server come and go while Adjutant runs; what is read here does not change.

use std::collections::BTreeMap;

use crate::spec::ToolSpec;

/// All tools at one moment. A turn keeps the catalogue it began with; what is derived from the specifications is made
/// once for a version.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalog {
    version: u64,
    specs: Vec<ToolSpec>,
    places: BTreeMap<String, usize>,
}

impl Catalog {
    /// These tools, in a fixed order. Two catalogues of one toolbox with the same version hold the same tools.
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

    /// Which one this is.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Every tool.
    #[must_use]
    pub fn specs(&self) -> &[ToolSpec] {
        &self.specs
    }

    /// The tool of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ToolSpec> {
        self.places.get(name).and_then(|at| self.specs.get(*at))
    }
}
