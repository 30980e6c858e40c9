//! Determines the source of values that the embedded engine takes from a row of the conversation ("email him about
//! it"): the person's own data, or untrusted if the row is foreign.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_domain::focus::Referent;
use adjutant_domain::ids::RecordId;
use adjutant_domain::reading::Reading;
use adjutant_domain::record::Kind;
use adjutant_domain::source::Source;
use serde_json::Value;

use super::Driver;
use crate::context::SOURCE_DEADLINE;

impl Driver {
    /// Marks names, addresses and titles in a plan as untrusted if they come from foreign rows. An address in the
    /// address book counts as such, wherever it was read.
    pub(super) async fn mark_found(&self, reading: Reading) -> Reading {
        let Reading::Plan { mut plan, trace } = reading else {
            return reading;
        };
        let mut rows: BTreeMap<(String, String), Vec<&Referent>> = BTreeMap::new();
        for step in &plan.steps {
            for (pointer, source) in &step.sources {
                let value = step.args.pointer(pointer).and_then(Value::as_str);
                if let (Source::OwnData { .. }, Some(text)) = (source, value) {
                    let shown = self.past.focus.shown.iter().flat_map(|group| &group.items);
                    let of = shown.filter(|item| stands_in(text, item)).collect();
                    rows.insert((step.key.0.clone(), pointer.clone()), of);
                }
            }
        }
        rows.retain(|_, of| !of.is_empty());
        if rows.is_empty() {
            return Reading::Plan { plan, trace };
        }
        let foreign = self.written_by_others(rows.values().flatten()).await;
        for step in &mut plan.steps {
            for (pointer, source) in &mut step.sources {
                let Some(of) = rows.get(&(step.key.0.clone(), pointer.clone())) else {
                    continue;
                };
                let value = step.args.pointer(pointer).and_then(Value::as_str);
                let known = |address: &str| {
                    let mut book = self.people.own().iter().flat_map(|(_, all)| all);
                    book.any(|one| one.eq_ignore_ascii_case(address))
                };
                if value.is_some_and(known) {
                    *source = Source::AddressBook;
                } else if let Some(row) = of.iter().find(|row| foreign.contains(&row.id)) {
                    *source = Source::Untrusted {
                        origin: format!("{} that was shown here", row.kind.word()),
                    };
                }
            }
        }
        Reading::Plan { plan, trace }
    }

    /// Returns which of the rows hold foreign text. If that cannot be looked up, returns all of them.
    async fn written_by_others<'a>(
        &self,
        rows: impl Iterator<Item = &'a &'a Referent>,
    ) -> BTreeSet<RecordId> {
        let mut kinds: BTreeMap<Kind, Vec<RecordId>> = BTreeMap::new();
        for row in rows {
            kinds.entry(row.kind).or_default().push(row.id.clone());
        }
        let mut found = BTreeSet::new();
        for (kind, ids) in kinds {
            let records = &self.core.parts.records;
            let looked_up = tokio::time::timeout(SOURCE_DEADLINE, records.foreign(kind, &ids));
            match looked_up.await {
                Ok(Ok(foreign)) => found.extend(foreign),
                _ => found.extend(ids),
            }
        }
        found
    }
}

/// Whether a text is a row's label, or a name or address in it.
fn stands_in(text: &str, row: &Referent) -> bool {
    let mut people = row.people.iter();
    row.label == text || people.any(|(name, address)| name == text || address == text)
}
