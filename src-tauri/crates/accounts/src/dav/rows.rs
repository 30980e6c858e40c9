//! From what lies at a server to rows.

use adjutant_domain::account::CollectionKind;
use adjutant_domain::operation::Etag;
use adjutant_domain::ports::PulledWhat;
use adjutant_domain::record::Record;
use adjutant_interchange::Seed;
use adjutant_interchange::read::{calendar, cards};

use super::ADDRESSES;
use super::pull::Reader;
use super::xml::{DAV, Resource};
use crate::provider::Access;

/// What readers and writers need from outside.
pub(super) fn seed(access: &Access) -> Seed {
    Seed {
        now: access.clock.now(),
        entropy: access.entropy.clone(),
        own: addresses(access),
    }
}

/// The person's mail addresses at the server.
pub(super) fn addresses(access: &Access) -> Vec<String> {
    let kept = access.setting(ADDRESSES).unwrap_or_default();
    kept.split_whitespace().map(str::to_owned).collect()
}

/// A record as it lies there; none where it holds nothing of the kind, or nothing that can be read.
pub(super) fn there(
    text: &str,
    resource: &Resource<'_>,
    reader: &Reader<'_>,
) -> Option<PulledWhat> {
    let rows = read(text, reader.kind, &seed(&reader.client.access));
    let etag = resource.text(DAV, "getetag");
    (!rows.is_empty()).then(|| PulledWhat::There {
        etag: etag.map(|etag| Etag(etag.to_owned())),
        uid_validity: None,
        rows,
        // What is no text was replaced to be read. Written back, it would be lost.
        source: (!text.contains(char::REPLACEMENT_CHARACTER)).then(|| text.as_bytes().to_vec()),
    })
}

/// The rows of a resource, the master of a series first.
fn read(text: &str, kind: CollectionKind, seed: &Seed) -> Vec<Record> {
    let items = match kind {
        CollectionKind::AddressBook if is_group(text) => return Vec::new(),
        CollectionKind::AddressBook => cards(text, "", seed),
        _ => calendar(text, "", seed),
    };
    let mut rows = Vec::new();
    for item in items {
        match item.map(|incoming| incoming.record) {
            Ok(row) if CollectionKind::of(row.kind()) == Some(kind) => rows.push(row),
            Ok(_) => {}
            Err(refused) => tracing::info!(reason = %refused.reason, "a record is left out"),
        }
    }
    match kind {
        CollectionKind::Calendar => rows.sort_by_key(|row| match row {
            Record::Event(event) => event.recurrence_id.is_some(),
            _ => false,
        }),
        // One resource is one task or contact: others are its repetitions.
        _ => rows.truncate(1),
    }
    rows
}

/// A list of contacts is none itself.
fn is_group(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim().to_ascii_lowercase();
        line == "kind:group" || line == "x-addressbookserver-kind:group"
    })
}
