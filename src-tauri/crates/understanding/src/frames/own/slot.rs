//! A slot of a phrase: which argument it fills, and what may stand there.

use serde_json::Value as Json;

use super::super::grammar::Takes;

/// Roles of the slots of one phrase, in their order.
pub(super) const ROLES: [&str; 6] = ["slot1", "slot2", "slot3", "slot4", "slot5", "slot6"];

/// A slot of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Slot {
    /// The role it has in readings.
    pub role: &'static str,
    /// The argument it fills, by its name in the schema.
    pub argument: String,
    /// What fills it.
    pub kind: Kind,
}

/// What fills a slot, as the schema says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Kind {
    /// Any words.
    Text,
    /// One of these words.
    Choice(Vec<String>),
    /// A number.
    Number,
    /// A length of time, in minutes.
    Minutes,
    /// People, by name or address.
    People,
    /// A mail address.
    Address,
    /// The address of a page.
    Link,
    /// A day or an instant.
    Moment,
    /// An instant, as RFC 3339 writes it.
    Instant,
    /// A day.
    Day,
}

impl Kind {
    /// What may fill an argument; several, where one may be said in several ways. Empty: nothing that is said can.
    pub fn of(schema: &Json, argument: &str) -> Vec<Self> {
        let Some((name, node)) = super::super::compile::argument(schema, argument) else {
            return Vec::new();
        };
        match name {
            "Moment" => return vec![Self::Moment],
            "People" => return vec![Self::People],
            _ => {}
        }
        if let Some(words) = choices(node) {
            return vec![Self::Choice(words)];
        }
        let types = match node.get("type") {
            Some(Json::Array(several)) => several.iter().filter_map(Json::as_str).collect(),
            Some(one) => one.as_str().into_iter().collect(),
            None => Vec::new(),
        };
        let mut types = types.into_iter().filter(|one| *one != "null");
        match (types.next(), types.next()) {
            (Some("integer" | "number"), None) if argument.ends_with("minutes") => {
                vec![Self::Minutes, Self::Number]
            }
            (Some("integer" | "number"), None) => vec![Self::Number],
            (Some("string"), None) => match node.get("format").and_then(Json::as_str) {
                Some("date-time") => vec![Self::Instant],
                Some("date") => vec![Self::Day],
                Some("email") => vec![Self::Address],
                Some("uri") => vec![Self::Link],
                Some("time" | "duration") => Vec::new(),
                _ => vec![Self::Text],
            },
            _ => Vec::new(),
        }
    }

    /// What the parser looks for.
    pub fn takes(&self) -> Takes {
        match self {
            Self::Text | Self::Choice(_) | Self::Link => Takes::Text,
            Self::Number => Takes::Number,
            Self::Minutes => Takes::Length,
            Self::People => Takes::People,
            Self::Address => Takes::Address,
            Self::Moment | Self::Instant | Self::Day => Takes::Time,
        }
    }
}

fn choices(node: &Json) -> Option<Vec<String>> {
    let words: Vec<&Json> = match (node.get("enum"), node.get("oneOf")) {
        (Some(Json::Array(words)), _) => words.iter().collect(),
        (_, Some(Json::Array(several))) => {
            several.iter().filter_map(|one| one.get("const")).collect()
        }
        _ => return None,
    };
    let words = words.into_iter().filter_map(Json::as_str);
    Some(words.map(str::to_owned).collect())
}
