//! Google's task lists.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::events::merge;
use crate::stub::{Answer, ReceivedRequest, ok, refusal};

const PAGE: usize = 100;
pub const LIST: &str = "MDEyMzQ1Njc4";

#[derive(Default)]
pub struct Store {
    items: BTreeMap<String, Value>,
    changes: i64,
    oldest: Option<Timestamp>,
}

impl Store {
    fn now(&self) -> Timestamp {
        let begin: Timestamp = "2026-01-12T11:00:00Z".parse().unwrap();
        begin + SignedDuration::from_millis(self.changes)
    }

    pub fn forget_cursors(&mut self) {
        self.changes += 1;
        self.oldest = Some(self.now());
        self.changes += 1;
    }

    pub fn put(&mut self, id: &str, mut task: Value) -> String {
        self.changes += 1;
        let etag = format!("\"{}\"", self.changes);
        task["id"] = json!(id);
        task["etag"] = json!(etag);
        task["kind"] = json!("tasks#task");
        task["updated"] = json!(self.now().to_string());
        if task.get("status").is_none() {
            task["status"] = json!("needsAction");
        }
        self.items.insert(id.to_owned(), task);
        etag
    }

    pub fn get(&self, id: &str) -> Option<&Value> {
        self.items.get(id)
    }

    pub fn delete(&mut self, id: &str) {
        let mut task = self.items[id].clone();
        task["deleted"] = json!(true);
        self.put(id, task);
    }

    pub fn answer(&mut self, asked: &ReceivedRequest, path: &[&str]) -> (Answer, bool) {
        match (asked.method.as_str(), path) {
            ("GET", ["users", "@me", "lists"]) => {
                let list = json!({"id": LIST, "title": "My Tasks", "kind": "tasks#taskList"});
                (
                    ok(json!({"kind": "tasks#taskLists", "items": [list]})),
                    false,
                )
            }
            (_, ["lists", list, ..]) if *list != LIST => (refusal(404, "notFound"), false),
            ("GET", ["lists", _, "tasks"]) => (self.list(asked), false),
            ("POST", ["lists", _, "tasks"]) => {
                let id = format!("made{}", self.changes);
                self.put(&id, asked.json());
                (ok(self.items[&id].clone()), true)
            }
            (method, ["lists", _, "tasks", id]) => self.one(method, asked, id),
            _ => (refusal(404, "notFound"), false),
        }
    }

    fn list(&self, asked: &ReceivedRequest) -> Answer {
        let since = asked
            .value("updatedMin")
            .map(|text| text.parse::<Timestamp>().unwrap());
        if since.is_some() && since < self.oldest {
            return refusal(410, "updatedMinTooLongAgo");
        }
        let deleted = asked.value("showDeleted").as_deref() == Some("true");
        let is_wanted = |task: &&Value| {
            let updated: Timestamp = task["updated"].as_str().unwrap().parse().unwrap();
            since.is_none_or(|since| updated >= since) && (deleted || task.get("deleted").is_none())
        };
        let all: Vec<&Value> = self.items.values().filter(is_wanted).collect();
        let from: usize = asked
            .value("pageToken")
            .map_or(0, |token| token.parse().unwrap());
        let page: Vec<&&Value> = all.iter().skip(from).take(PAGE).collect();
        let mut said = json!({"kind": "tasks#tasks", "items": page});
        if from + PAGE < all.len() {
            said["nextPageToken"] = json!((from + PAGE).to_string());
        }
        ok(said)
    }

    fn one(&mut self, method: &str, asked: &ReceivedRequest, id: &str) -> (Answer, bool) {
        let Some(task) = self.items.get(id).cloned() else {
            return (refusal(404, "notFound"), false);
        };
        if method == "GET" {
            return (ok(task), false);
        }
        if task.get("deleted").is_some() {
            return (refusal(404, "notFound"), false);
        }
        if let Some(state) = asked.headers.get("if-match")
            && task["etag"] != state.as_str()
        {
            return (refusal(412, "conditionNotMet"), false);
        }
        if method == "DELETE" {
            self.delete(id);
            return (ok(json!({})), true);
        }
        let mut task = task;
        merge(&mut task, &asked.json());
        self.put(id, task);
        (ok(self.items[id].clone()), true)
    }
}
