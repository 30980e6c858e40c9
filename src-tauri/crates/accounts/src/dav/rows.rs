//! Converts resources on a server to rows.

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

/// Builds the seed that the readers and writers of `interchange` need.
pub(super) fn seed(access: &Access) -> Seed {
    Seed {
        now: access.clock.now(),
        entropy: access.entropy.clone(),
        own: addresses(access),
    }
}

/// Returns the person's mail addresses on the server.
pub(super) fn addresses(access: &Access) -> Vec<String> {
    let kept = access.setting(ADDRESSES).unwrap_or_default();
    kept.split_whitespace().map(str::to_owned).collect()
}

/// Builds the record to deliver; `None` if the resource holds nothing readable of the reader's kind.
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
        // Invalid bytes were replaced for reading. Writing the text back would lose them.
        source: (!text.contains(char::REPLACEMENT_CHARACTER)).then(|| text.as_bytes().to_vec()),
    })
}

/// Reads the rows of a resource, with the master of a series first.
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
        // A resource holds one task or contact; further ones are its repetitions.
        _ => rows.truncate(1),
    }
    rows
}

/// Tells whether a card is a contact group rather than a contact.
fn is_group(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim().to_ascii_lowercase();
        line == "kind:group" || line == "x-addressbookserver-kind:group"
    })
}
