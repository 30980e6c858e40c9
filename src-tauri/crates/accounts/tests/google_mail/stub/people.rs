//! A Google address book.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Done, ReceivedRequest};

#[derive(Default)]
pub struct Book {
    pub people: BTreeMap<String, Value>,
    /// Log of changed persons, oldest first.
    log: Vec<String>,
    /// Increases when earlier sync tokens become invalid.
    era: usize,
    next: usize,
}

impl Book {
    /// Adds or changes a person, and returns the new ETag.
    pub fn put(&mut self, name: &str, fields: &Value) -> String {
        self.next += 1;
        let etag = format!("#e{}=", self.next);
        let mut person = self.people.get(name).cloned().unwrap_or_else(|| json!({}));
        for (field, value) in fields.as_object().unwrap() {
            person[field] = value.clone();
        }
        person["resourceName"] = json!(name);
        let id = name.trim_start_matches("people/");
        person["metadata"] = json!({"sources": [{"type": "CONTACT", "id": id, "etag": etag}]});
        if let Some(name) = person["names"][0]["unstructuredName"].as_str() {
            person["names"][0]["displayName"] = json!(name);
        }
        self.people.insert(name.to_owned(), person);
        self.log.push(name.to_owned());
        etag
    }

    pub fn remove(&mut self, name: &str) {
        if self.people.remove(name).is_some() {
            self.log.push(name.to_owned());
        }
    }

    pub fn forget_tokens(&mut self) {
        self.era += 1;
    }

    pub fn answer(&mut self, asked: &ReceivedRequest) -> Done {
        let path = asked.path.trim_start_matches("/v1/");
        let (name, verb) = path.split_once(':').unwrap_or((path, ""));
        match (asked.method.as_str(), verb) {
            ("GET", "") if name == "people/me/connections" => self.list(asked),
            ("POST", "createContact") => self.create(asked),
            _ if !self.people.contains_key(name) => Done::error(404, "notFound"),
            ("GET", "") => Done::read(&shown(&self.people[name], asked)),
            ("PATCH", "updateContact") => self.update(name, asked),
            ("DELETE", "deleteContact") => {
                self.remove(name);
                Done::changed(&json!({}), true)
            }
            _ => Done::error(400, "badRequest"),
        }
    }

    fn list(&self, asked: &ReceivedRequest) -> Done {
        let size: usize = asked.value("pageSize").unwrap().parse().unwrap();
        let from: usize = asked
            .value("pageToken")
            .map_or(0, |token| token.parse().unwrap());
        let since = match asked.value("syncToken") {
            None => None,
            Some(token) => match token.split_once('.') {
                Some((era, at)) if era == self.era.to_string() => Some(at.parse().unwrap()),
                _ => return Done::error(400, "failedPrecondition"),
            },
        };
        let mut names: Vec<&String> = match since {
            None => self.people.keys().collect(),
            Some(at) => self.log[at..].iter().collect(),
        };
        names.sort();
        names.dedup();
        let page: Vec<Value> = names
            .iter()
            .skip(from)
            .take(size)
            .map(|name| {
                let gone = json!({"resourceName": name, "metadata": {"deleted": true}});
                self.people
                    .get(*name)
                    .map_or(gone, |person| shown(person, asked))
            })
            .collect();
        let mut said = json!({"connections": page});
        if from + size < names.len() {
            said["nextPageToken"] = json!((from + size).to_string());
        } else if asked.value("requestSyncToken").is_some() {
            said["nextSyncToken"] = json!(format!("{}.{}", self.era, self.log.len()));
        }
        Done::read(&said)
    }

    fn create(&mut self, asked: &ReceivedRequest) -> Done {
        self.next += 1;
        let name = format!("people/c{}", self.next);
        self.put(&name, &asked.body);
        Done::changed(&shown(&self.people[&name], asked), true)
    }

    fn update(&mut self, name: &str, asked: &ReceivedRequest) -> Done {
        let now = &self.people[name];
        let source = "/metadata/sources/0/etag";
        if asked.body.pointer(source).is_none() || asked.body.pointer(source) != now.pointer(source)
        {
            return Done::error(400, "failedPrecondition");
        }
        let fields = asked.value("updatePersonFields").unwrap_or_default();
        let mut changed = json!({});
        for field in fields.split(',') {
            changed[field] = asked.body.get(field).cloned().unwrap_or(json!([]));
        }
        self.put(name, &changed);
        Done::changed(&shown(&self.people[name], asked), true)
    }
}

/// Returns a person with the requested fields.
fn shown(person: &Value, asked: &ReceivedRequest) -> Value {
    let fields: Vec<&str> = asked
        .value("personFields")
        .unwrap_or_default()
        .split(',')
        .collect();
    let mut person = person.clone();
    // Like Google's ETags, it depends on the requested fields.
    person["etag"] = json!(format!(
        "%{}{}",
        fields.len(),
        person["metadata"]["sources"][0]["etag"]
    ));
    let all = person.as_object_mut().unwrap();
    all.retain(|name, _| {
        ["resourceName", "etag"].contains(&name.as_str()) || fields.contains(&name.as_str())
    });
    person
}
