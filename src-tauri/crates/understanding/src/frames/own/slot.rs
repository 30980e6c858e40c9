//! The slots of a phrase: which argument each fills, and what it reads.

use serde_json::Value as Json;

use super::super::grammar::SlotType;

/// The roles of a phrase's slots, in order.
pub(super) const ROLES: [&str; 6] = ["slot1", "slot2", "slot3", "slot4", "slot5", "slot6"];

/// A slot of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct PhraseSlot {
    /// The role of the slot in readings.
    pub role: &'static str,
    /// The name of the argument in the schema.
    pub argument: String,
    /// What fills the slot.
    pub kind: PhraseSlotKind,
}

/// What fills a slot, according to the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum PhraseSlotKind {
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
    /// An instant, written as in RFC 3339.
    Instant,
    /// A day.
    Day,
}

impl PhraseSlotKind {
    /// Returns what may fill an argument: several kinds if it can be said in several ways, none if words cannot fill
    /// it.
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

    /// Returns the kind of value that the parser looks for.
    pub fn takes(&self) -> SlotType {
        match self {
            Self::Text | Self::Choice(_) | Self::Link => SlotType::Text,
            Self::Number => SlotType::Number,
            Self::Minutes => SlotType::Length,
            Self::People => SlotType::People,
            Self::Address => SlotType::Address,
            Self::Moment | Self::Instant | Self::Day => SlotType::Time,
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
