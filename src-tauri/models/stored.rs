//! Stores connections in one row of the settings table, without keys.

use std::collections::BTreeMap;

use adjutant_domain::canonical::sha256;
use adjutant_domain::faults::StoreFault;
use adjutant_models::Connection;
use adjutant_store::Store;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::keyring_entries::{self, KeyringEntries, KeyringEntry};

/// Name of the row. It is not a listed setting: connecting changes it, not typing.
const ROW: &str = "models.connections";

/// Name of the row that records since when each connection has been as it is.
const SINCE_ROW: &str = "models.since";

/// Maximum number of connections in a profile; each is tried when the previous ones fail.
pub(crate) const CONNECTIONS_MAX: usize = 16;

/// Key in a connection's part of the row for the keyring entries of its secrets.
const ENTRIES: &str = "entries";

/// The stored connections.
#[derive(Default)]
pub(super) struct StoredConnections {
    pub(super) connections: Vec<Connection>,
    /// Keyring entries by the connection's names for the secrets.
    pub(super) entries: BTreeMap<String, KeyringEntry>,
    /// Descriptions of rows that cannot be read and are skipped, by their position.
    pub(super) unread: Vec<String>,
}

/// Reads the stored connections.
pub(super) fn read(stored: &[(String, Value)]) -> StoredConnections {
    let rows = stored
        .iter()
        .find(|(key, _)| key == ROW)
        .and_then(|(_, value)| value.as_array());
    let mut kept = StoredConnections::default();
    for (n, row) in rows.into_iter().flatten().take(CONNECTIONS_MAX).enumerate() {
        match read_one(row.clone()) {
            Ok((connection, entries)) => {
                kept.connections.push(connection);
                kept.entries.extend(entries);
            }
            Err(error) => kept.unread.push(format!("connection {}: {error}", n + 1)),
        }
    }
    kept
}

fn read_one(mut row: Value) -> serde_json::Result<(Connection, BTreeMap<String, KeyringEntry>)> {
    let entries = row.as_object_mut().and_then(|row| row.remove(ENTRIES));
    let connection: Connection = serde_json::from_value(row)?;
    let secrets = connection.secrets().into_iter();
    let entries = match entries {
        Some(entries) => {
            let mut known: BTreeMap<String, KeyringEntry> = serde_json::from_value(entries)?;
            secrets
                .filter_map(|name| known.remove_entry(&name))
                .collect()
        }
        // Earlier versions had one entry per name and overwrote its content, which was given for the current address.
        None => secrets
            .map(|name| {
                let place = keyring_entries::place(&connection, &name);
                (name.clone(), KeyringEntry { name, place })
            })
            .collect(),
    };
    Ok((connection, entries))
}

/// Stores the connections in this order.
pub(super) async fn write(
    store: &Store,
    connections: &[Connection],
    entries: &KeyringEntries,
) -> Result<(), StoreFault> {
    // If one connection cannot be serialised, keep the old row rather than lose it.
    let row = |connection: &Connection| -> serde_json::Result<Value> {
        let mut row = serde_json::to_value(connection)?;
        let of = serde_json::to_value(entries.of(connection))?;
        if let Some(row) = row.as_object_mut() {
            row.insert(ENTRIES.to_owned(), of);
        }
        Ok(row)
    };
    let rows = connections.iter().map(row).collect::<Result<_, _>>();
    let rows =
        rows.map_err(|error| StoreFault::Other(format!("a connection cannot be stored: {error}")))?;
    store.set_setting(ROW, &Value::Array(rows)).await
}

/// Deletes the stored connections.
pub(super) async fn erase(store: &Store) -> Result<(), StoreFault> {
    store.remove_setting(ROW).await?;
    store.remove_setting(SINCE_ROW).await.map(drop)
}

/// Since when each connection has been as it is, by name. What its models did earlier does not count.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Since(BTreeMap<String, (String, Timestamp)>);

impl Since {
    /// Reads the record.
    pub(super) fn read(stored: &[(String, Value)]) -> Self {
        let row = stored.iter().find(|(key, _)| key == SINCE_ROW);
        row.and_then(|(_, value)| serde_json::from_value(value.clone()).ok())
            .unwrap_or_default()
    }

    /// Stores the record.
    pub(super) async fn write(&self, store: &Store) -> Result<(), StoreFault> {
        let value = serde_json::to_value(self).unwrap_or_default();
        store.set_setting(SINCE_ROW, &value).await
    }

    /// Returns the record for these connections, with `now` for those that are new or changed.
    pub(super) fn of(&self, connections: &[Connection], now: Timestamp) -> Self {
        let marked = connections.iter().map(|one| {
            let text = serde_json::to_string(one).unwrap_or_default();
            let mark = sha256(text.as_bytes()).as_str().to_owned();
            let same = self.0.get(&one.name).filter(|(known, _)| *known == mark);
            let at = same.map_or(now, |(_, at)| *at);
            (one.name.clone(), (mark, at))
        });
        Self(marked.collect())
    }

    /// Returns since when the connection of a model has been as it is.
    pub(super) fn at(&self, model: &str) -> Option<Timestamp> {
        let (connection, _) = model.split_once('/')?;
        self.0.get(connection).map(|(_, at)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_connection_that_cannot_be_read_does_not_take_the_others_along() {
        let good = json!({
            "name": "home", "kind": "ollama", "base_url": "http://127.0.0.1:11434",
            "models": {"standard": {"id": "qwen3:8b"}},
        });
        let stored = [(
            ROW.to_owned(),
            json!([good, {"name": "odd", "kind": "telepathy"}]),
        )];
        let StoredConnections {
            connections,
            unread,
            ..
        } = read(&stored);
        assert_eq!(connections.len(), 1);
        assert_eq!(connections[0].name, "home");
        assert!(unread[0].starts_with("connection 2:"), "{unread:?}");
        assert!(read(&[]).connections.is_empty());
    }

    #[test]
    fn a_connection_is_what_it_is_since_it_was_changed_last() {
        let one = |address: &str| Connection::quick(address, "m", None).expect("a connection");
        let at = |second| Timestamp::from_second(second).expect("an instant");
        let first = Since::default().of(&[one("http://a.example/v1")], at(10));
        let same = first.of(&[one("http://a.example/v1")], at(20));
        assert_eq!((same.at("quick/m"), &same), (Some(at(10)), &first));
        let other = same.of(&[one("http://b.example/v1")], at(30));
        assert_eq!(other.at("quick/m"), Some(at(30)));
        assert_eq!(other.of(&[], at(40)).at("quick/m"), None);
        let kept = [(
            SINCE_ROW.to_owned(),
            serde_json::to_value(&other).expect("JSON"),
        )];
        assert_eq!(Since::read(&kept), other);
        assert_eq!(
            Since::read(&[(SINCE_ROW.to_owned(), json!("odd"))]),
            Since::default()
        );
    }
}
