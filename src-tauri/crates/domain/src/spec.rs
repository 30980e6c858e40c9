//! Specifications of tools, and what they read before the gate decides on a call.

mod earlier;

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::Answer;
use crate::canonical::{self, NotCanonical};
use crate::ids::{AccountId, EffectId, RecordId};
use crate::operation::Operation;
use crate::record::Kind;
use crate::risk::Risk;
use crate::route::Domain;
use crate::server::ServerName;

/// Description of a tool for people, planners and `adjutant tools`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Name, for example `task.create`.
    pub name: String,
    /// Domain it serves.
    pub domain: Domain,
    /// Server of a foreign tool, whose description is foreign text and whose domain is meaningless; `None` for our own
    /// tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<ServerName>,
    /// What it does, in one sentence.
    pub description: String,
    /// Risk of a typical call. The risk of an actual call is computed from its arguments.
    pub risk: Risk,
    /// JSON schema of the arguments.
    pub schema: ArgsSchema,
    /// Phrases people use for it. The embedded planner and retrieval read them.
    pub phrases: Vec<String>,
    /// Participle of what it does, as in "Nothing was sent."
    pub participle: String,
    /// Tool that saves the text if a call of this one is rejected, if any.
    #[serde(default)]
    pub kept_by: Option<String>,
    /// Icon on the card of a call.
    #[serde(default)]
    pub icon: Icon,
    /// Whether it can tell by its arguments that a message was not meant for it: if it refuses them, the message was
    /// misread.
    #[serde(default)]
    pub judges: bool,
    /// Whether it answers instantly and from this computer alone, so that its answer can appear while the person still
    /// types.
    #[serde(default)]
    pub glances: bool,
}

impl ToolSpec {
    /// Returns the definition that calls of the tool are bound to.
    ///
    /// # Errors
    /// Returns [`NotCanonical`] if canonical JSON cannot express the schema.
    pub fn definition(&self) -> Result<Definition, NotCanonical> {
        let schema = canonical::digest(&*self.schema)?;
        let description = canonical::sha256(self.description.as_bytes());
        Ok(Definition(format!("{schema} {description}")))
    }
}

/// Subject of the icon on a card; front ends draw it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Icon {
    /// No particular subject.
    #[default]
    Usual,
    /// Archiving.
    Archive,
    /// Deletion.
    Delete,
    /// A calendar event.
    Event,
    /// A mail, for anything but sending it.
    Mail,
    /// A mail to send.
    Send,
}

impl Icon {
    /// Returns whether this is the default icon.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::Usual
    }
}

/// Digests of a tool's schema and description, separated by a space. An approval is bound to them, because a tool that
/// describes itself differently may do something else with the same arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Definition(pub String);

impl Definition {
    /// Returns whether the tool's present definition matches this stored one. Earlier versions of Adjutant stored only
    /// the digest of the schema.
    #[must_use]
    pub fn holds(&self, now: &Self) -> bool {
        let schema_now = now.0.split_once(' ').map(|(schema, _)| schema);
        self == now || schema_now == Some(&self.0)
    }
}

/// JSON schema of a tool's arguments, generated on first use, because start-up needs none and all together take
/// megabytes. Clones share it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(from = "Value", into = "Value")]
pub struct ArgsSchema(Arc<Made>);

struct Made {
    value: OnceLock<Value>,
    make: fn() -> Value,
}

impl ArgsSchema {
    /// Creates the schema of the argument type `T`.
    #[must_use]
    pub fn of<T: JsonSchema>() -> Self {
        Self(Arc::new(Made {
            value: OnceLock::new(),
            make: || schemars::schema_for!(T).to_value(),
        }))
    }
}

impl Deref for ArgsSchema {
    type Target = Value;

    fn deref(&self) -> &Value {
        self.0.value.get_or_init(self.0.make)
    }
}

impl Default for ArgsSchema {
    fn default() -> Self {
        Value::Null.into()
    }
}

impl From<Value> for ArgsSchema {
    fn from(value: Value) -> Self {
        Self(Arc::new(Made {
            value: OnceLock::from(value),
            make: || Value::Null,
        }))
    }
}

impl From<ArgsSchema> for Value {
    fn from(schema: ArgsSchema) -> Self {
        (*schema).clone()
    }
}

impl PartialEq for ArgsSchema {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || **self == **other
    }
}

impl fmt::Debug for ArgsSchema {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

/// What a call would touch, as read before the gate decides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "earlier::Stored", into = "earlier::Stored")]
pub struct Before {
    /// Account the call acts for: the first one if its operations act for several, `local` if they need none. A stored
    /// call keeps it elsewhere.
    pub account: AccountId,
    /// Records the call would change, with their versions: its precondition.
    pub targets: Vec<Target>,
    /// What the call does, fixed now and carried out unchanged; covered by the digest. `None` for a call that only
    /// reads.
    pub frozen: Option<Frozen>,
    /// The frozen part as an earlier version of Adjutant wrote it, if its form differs; the digest covers these bytes.
    /// Otherwise null.
    pub written: Value,
    /// The tool's own data about the targets, not covered by the digest.
    pub data: Value,
}

impl Before {
    /// Returns the part of this that the digest covers.
    #[must_use]
    pub fn digested(&self) -> Value {
        if self.written.is_null() {
            serde_json::json!(self.frozen)
        } else {
            self.written.clone()
        }
    }
}

/// What a call does, frozen before its card is shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Frozen {
    /// Operations in order, at most [`crate::operation::OPERATIONS_MAX`].
    pub operations: Vec<Operation>,
    /// Output and words that become true once all operations are done.
    pub answer: Answer,
    /// The effect that it undoes, together with the others of its step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<EffectId>,
    /// How long it is held after approval, in seconds. Until then the person can revoke it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hold_seconds: u32,
    /// Instant before which it does not run, however early it was approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_before: Option<jiff::Timestamp>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands out references"
)]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// One record a call would touch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Kind of record.
    pub kind: Kind,
    /// Id of the record.
    pub id: RecordId,
    /// Its row version when observed.
    pub version: i64,
    /// Name of the record, for the person.
    pub label: String,
}
