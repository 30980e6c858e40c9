//! Connections as they are kept: one row of the settings table, without any key.

use adjutant_domain::faults::StoreFault;
use adjutant_models::Connection;
use adjutant_store::Store;
use serde_json::Value;

/// Name of the row. It is no setting of the list: it is changed by connecting, not by typing.
const ROW: &str = "models.connections";

/// Connections a profile may have; each is tried in turn when those before it fail.
pub(crate) const CONNECTIONS_MAX: usize = 16;

/// What is kept. What cannot be read any more is passed over and told, by its number.
pub(super) fn read(stored: &[(String, Value)]) -> (Vec<Connection>, Vec<String>) {
    let rows = stored
        .iter()
        .find(|(key, _)| key == ROW)
        .and_then(|(_, value)| value.as_array());
    let mut connections = Vec::new();
    let mut unread = Vec::new();
    for (n, row) in rows.into_iter().flatten().enumerate() {
        match serde_json::from_value::<Connection>(row.clone()) {
            Ok(connection) => connections.push(connection),
            Err(error) => unread.push(format!("connection {}: {error}", n + 1)),
        }
    }
    connections.truncate(CONNECTIONS_MAX);
    (connections, unread)
}

/// Keeps them, in this order.
pub(super) async fn write(store: &Store, connections: &[Connection]) -> Result<(), StoreFault> {
    let rows = connections
        .iter()
        .filter_map(|connection| serde_json::to_value(connection).ok())
        .collect();
    store.set_setting(ROW, &Value::Array(rows)).await
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
        let (connections, unread) = read(&stored);
        assert_eq!(connections.len(), 1);
        assert_eq!(connections[0].name, "home");
        assert!(unread[0].starts_with("connection 2:"), "{unread:?}");
        assert!(read(&[]).0.is_empty());
    }
}
