//! What a tool says of itself, and what it reads before a call is decided on.

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

/// What a tool is, for people, planners and `adjutant tools`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Name, for example `task.create`.
    pub name: String,
    /// Domain it serves.
    pub domain: Domain,
    /// The server it belongs to: what it says of itself is text of others, and its domain says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<ServerName>,
    /// One sentence: what it does.
    pub description: String,
    /// The risk of a usual call ("reads", "can be undone", …); a call's own risk is computed from its arguments.
    pub risk: Risk,
    /// JSON schema of the arguments.
    pub schema: ArgsSchema,
    /// Phrases people use for it; the embedded planner and retrieval read them.
    pub phrases: Vec<String>,
    /// The participle for what it does, as in "Nothing was sent."
    pub participle: String,
    /// The tool that keeps the text when a call of this one is rejected.
    #[serde(default)]
    pub kept_by: Option<String>,
    /// The picture on the card of a call.
    #[serde(default)]
    pub icon: Icon,
    /// It tells by its arguments whether a message was for it: where it refuses them, the message was read wrongly.
    #[serde(default)]
    pub judges: bool,
    /// It answers in a moment and from this computer alone: its answer is shown while a question is still being typed.
    #[serde(default)]
    pub glances: bool,
}

impl ToolSpec {
    /// What calls of the tool are bound to.
    ///
    /// # Errors
    /// When the schema holds something that canonical JSON cannot express.
    pub fn definition(&self) -> Result<Definition, NotCanonical> {
        let schema = canonical::digest(&*self.schema)?;
        let description = canonical::sha256(self.description.as_bytes());
        Ok(Definition(format!("{schema} {description}")))
    }
}

/// What the picture on a card shows; front ends draw it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Icon {
    /// Nothing in particular.
    #[default]
    Usual,
    /// Something is put away.
    Archive,
    /// Something is deleted.
    Delete,
    /// Something of the calendar.
    Event,
    /// Something about a mail that stays here.
    Mail,
    /// A mail leaves.
    Send,
}

impl Icon {
    /// Whether it is the usual one.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::Usual
    }
}

/// What a tool says it takes and does, as the hashes of its schema and of its description with a space between them. An
/// approval is bound to it: a tool that describes itself anew may do something else with the same arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Definition(pub String);

impl Definition {
    /// Whether the tool still is what it was when this was noted. Earlier versions of this program noted the hash of the
    /// schema alone.
    #[must_use]
    pub fn holds(&self, now: &Self) -> bool {
        let schema_now = now.0.split_once(' ').map(|(schema, _)| schema);
        self == now || schema_now == Some(&self.0)
    }
}

/// The JSON schema of a tool's arguments, made when it is first read: a start needs none, and all of them are megabytes.
/// Clones share it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(from = "Value", into = "Value")]
pub struct ArgsSchema(Arc<Made>);

struct Made {
    value: OnceLock<Value>,
    make: fn() -> Value,
}

impl ArgsSchema {
    /// The schema of arguments of type `T`.
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

/// What a call would touch, read before the gate decides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "earlier::Stored", into = "earlier::Stored")]
pub struct Before {
    /// The account the call acts for; the first where its operations act for several, `local` where for none. A stored
    /// call keeps it beside this.
    pub account: AccountId,
    /// Records that the call will change, with their versions: the precondition.
    pub targets: Vec<Target>,
    /// What the call does, fixed now and carried out unchanged: part of the digest. None for a call that only reads.
    pub frozen: Option<Frozen>,
    /// The same as an earlier version of this program wrote it, where that has another form: the digest that was shown
    /// covers these bytes. Null otherwise.
    pub written: Value,
    /// The tool's own reading of the targets (typed by the tool, not part of the digest).
    pub data: Value,
}

impl Before {
    /// What the digest covers of what the call does.
    #[must_use]
    pub fn digested(&self) -> Value {
        if self.written.is_null() {
            serde_json::json!(self.frozen)
        } else {
            self.written.clone()
        }
    }
}

/// What a call does, fixed before it is shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Frozen {
    /// What is done, in order; [`crate::operation::OPERATIONS_MAX`] at most.
    pub operations: Vec<Operation>,
    /// Output and words that hold once all of it is done.
    pub answer: Answer,
    /// The effect it takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<EffectId>,
    /// How long it is held after it was approved, in seconds: until then it can be taken back.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hold_seconds: u32,
    /// It is not carried out before this instant, however early it was approved.
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

/// One record a call will touch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Kind of record.
    pub kind: Kind,
    /// Which record.
    pub id: RecordId,
    /// Its row version when it was looked at.
    pub version: i64,
    /// What a person calls it.
    pub label: String,
}
