//! The address book.

mod birthday;
mod create;
mod find;
mod search;
mod update;

#[cfg(test)]
mod contract;

use adjutant_domain::focus::Referent;
use adjutant_domain::gate::Item;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Contact, Kind, Record};
use adjutant_domain::tool::{AnyTool, Target};
use async_trait::async_trait;
use birthday::Birthday;
use serde_json::{Value, json};
use std::sync::Arc;

pub use find::ContactFilter;

use crate::registry::{Acts, Reads, any};
use crate::select::{AsTarget, Row, Said, record};
use crate::words;

/// Returns the tools of this family.
pub fn tools() -> Vec<Arc<dyn AnyTool>> {
    vec![
        any(Reads(search::Find)),
        any(Acts(create::Create)),
        any(Acts(update::Update)),
    ]
}

impl AsTarget for Contact {
    fn target(&self) -> Target {
        Target {
            kind: Kind::Contact,
            id: self.id.clone(),
            version: self.version,
            label: self.name.clone(),
        }
    }
}

#[async_trait]
impl Row for Contact {
    const NOUN: &'static str = "contact";

    fn ref_id(&self) -> String {
        self.id.0.clone()
    }

    fn referent(&self) -> Option<Referent> {
        let address = self
            .emails
            .first()
            .map(|email| (self.name.clone(), email.clone()));
        Some(Referent {
            people: address.into_iter().collect(),
            ..self.referred()
        })
    }

    fn said(&self) -> Said {
        let names = [&self.name, &self.relation, &self.organisation];
        let names = names.into_iter().chain(&self.nicknames).cloned();
        Said {
            title: names.collect::<Vec<_>>().join(" "),
            more: self.notes.clone(),
            ..Said::default()
        }
    }

    fn value(&self, cx: &Cx) -> Value {
        let birthday = Birthday::of(self).map(|birthday| {
            let start = birthday.next(cx.now.date());
            json!({"summary": format!("{}'s birthday", self.name), "start": start, "end": start})
        });
        json!({
            "id": self.id, "name": self.name, "next_birthday": birthday, "nicknames": self.nicknames, "emails": self.emails,
            "phones": self.phones, "organisation": self.organisation, "relation": self.relation,
            "notes": self.notes, "birthday": self.birthday, "email": self.emails.first(), "phone": self.phones.first(),
        })
    }

    fn line(&self, cx: &Cx) -> String {
        let mut line = words::inline(&self.name);
        if !self.relation.is_empty() {
            line.push_str(&format!(" ({})", words::inline(&self.relation)));
        }
        for part in self.emails.iter().chain(&self.phones) {
            line.push_str(&format!(" · {}", words::inline(part)));
        }
        if !self.organisation.is_empty() {
            line.push_str(&format!(" · {}", words::inline(&self.organisation)));
        }
        if let Some(birthday) = birthday::Birthday::of(self) {
            line.push_str(&format!(" · born {}", birthday.date(cx)));
        }
        line
    }

    fn item(&self, _: &Cx) -> Item {
        let mut parts: Vec<String> = self.emails.clone();
        parts.extend(self.phones.iter().cloned());
        if !self.organisation.is_empty() {
            parts.push(self.organisation.clone());
        }
        Item {
            id: self.ref_id(),
            label: self.name.clone(),
            detail: Some(parts.join(" · ")).filter(|text| !text.is_empty()),
            ..Item::default()
        }
    }

    async fn load(id: &str, cx: &Cx) -> Result<Option<Self>, Stop> {
        Ok(match record(Kind::Contact, id, cx).await? {
            Some(Record::Contact(contact)) => Some(contact),
            _ => None,
        })
    }
}
