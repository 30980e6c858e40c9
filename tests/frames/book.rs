//! Requests and their answers, by kind of request, and the files in which they are stored.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use adjutant_api::{Fault, Reply, Request, WireEvent};
use serde_json::{Value, json};

use crate::plain::{self, Plain};

/// Folder from which the window's tests read them.
const FOLDER: &str = "ui/src/host/frames";

/// A request with everything that came back.
pub struct Exchange {
    pub request: Request,
    pub reply: Result<Reply, Fault>,
    pub events: Vec<WireEvent>,
}

/// Exchanges by the request's name on the wire.
#[derive(Default)]
pub struct Book {
    pub plain: Plain,
    frames: BTreeMap<String, Vec<Value>>,
}

impl Book {
    pub fn write(&mut self, exchange: &Exchange) {
        let request = json!(exchange.request);
        let op = request["op"]
            .as_str()
            .expect("every request has its op")
            .to_owned();
        let (name, reply) = match &exchange.reply {
            Ok(reply) => ("reply", json!(reply)),
            Err(fault) => ("fault", json!(fault)),
        };
        let mut reply = reply;
        for rows in ["/rows/list", "/hits"] {
            if let Some(rows) = reply.pointer_mut(rows).and_then(Value::as_array_mut) {
                // Rows of the same instant are ordered by their random identifiers.
                rows.sort_by_cached_key(|row| plain::nameless(&row.to_string()));
            }
        }
        if let Some(servers) = reply.pointer_mut("/servers") {
            // Other model servers on this computer must not matter.
            *servers = json!([]);
        }
        let mut frame = json!({ "request": request, name: reply });
        if !exchange.events.is_empty() {
            frame["events"] = json!(exchange.events);
        }
        let frame = self.plain.value(&frame);
        self.frames.entry(op).or_default().push(frame);
    }

    /// Returns the names of the frames that differ from the files. With `write`, writes the files instead.
    pub fn compare(self, write: bool) -> Vec<String> {
        let folder = Path::new(FOLDER);
        let kept: BTreeSet<String> = std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| name.ends_with(".json"))
            .collect();
        let fresh: BTreeMap<String, Value> = self
            .frames
            .into_iter()
            .map(|(op, frames)| (format!("{op}.json"), Value::Array(frames)))
            .collect();
        if write {
            std::fs::create_dir_all(folder).expect("the folder can be made");
            for name in kept.iter().filter(|name| !fresh.contains_key(*name)) {
                std::fs::remove_file(folder.join(name)).expect("an old file can be removed");
            }
            for (name, frames) in &fresh {
                let text = serde_json::to_string_pretty(frames).expect("JSON");
                std::fs::write(folder.join(name), text + "\n").expect("a file can be written");
            }
            return Vec::new();
        }
        let names: BTreeSet<&String> = kept.iter().chain(fresh.keys()).collect();
        names
            .into_iter()
            .filter_map(|name| {
                let text = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
                let kept: Value = serde_json::from_str(&text).unwrap_or_default();
                let fresh = fresh.get(name).unwrap_or(&Value::Null);
                difference(&kept, fresh, "").map(|where_| format!("{name}{where_}"))
            })
            .collect()
    }
}

/// Returns the first place where the two differ, with both values.
fn difference(kept: &Value, fresh: &Value, at: &str) -> Option<String> {
    match (kept, fresh) {
        (Value::Array(kept), Value::Array(fresh)) if kept.len() == fresh.len() => kept
            .iter()
            .zip(fresh)
            .enumerate()
            .find_map(|(place, (kept, fresh))| difference(kept, fresh, &format!("{at}[{place}]"))),
        (Value::Object(kept), Value::Object(fresh)) if kept.keys().eq(fresh.keys()) => kept
            .iter()
            .find_map(|(key, kept)| difference(kept, &fresh[key], &format!("{at}.{key}"))),
        _ if kept == fresh => None,
        _ => Some(format!("{at}: was {kept}, is {fresh}")),
    }
}
