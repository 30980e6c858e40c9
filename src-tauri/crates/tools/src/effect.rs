//! What an acting tool prepares: the exact change, the text of the card, and the answer that holds once it is applied.
//! The tool works all of it out before the gate decides, and it is frozen with the call; running adds nothing.

use adjutant_domain::change::Change;
use adjutant_domain::faults::{StoreFault, ToolFault};
use adjutant_domain::gate::{
    Assessment, Card, CardNote, Fact, Item, NoteKind, PlannedCall, ShownAttachment, escape,
};
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{OPERATIONS_MAX, Operation};
use adjutant_domain::outcome::{Answer, Outcome, Stop};
use adjutant_domain::source::{Source, source_at};
use adjutant_domain::tool::{Before, Frozen, Icon, Target};
use serde::{Deserialize, Serialize};

/// Everything an acting tool works out in advance.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// Records it will change, with their versions.
    pub targets: Vec<Target>,
    /// Operations it will carry out, in order.
    pub operations: Vec<Operation>,
    /// Output and words that hold once it is done.
    pub answer: Answer,
    /// The risk and what the gate needs to know about it.
    pub assessment: Assessment,
    /// The card, before the sources of its values are known.
    pub sketch: CardDraft,
}

/// Returns the operations for a change of rows on this computer alone.
#[must_use]
pub fn local(change: Change) -> Vec<Operation> {
    vec![Operation::Local { change }]
}

/// The content of [`Before::data`]: read back within the same observation, never when the call runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Looked {
    assessment: Assessment,
    sketch: CardDraft,
}

/// A card before the sources of its values are known.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CardDraft {
    /// Verb and object.
    pub title: String,
    /// The verb on the button.
    pub verb: String,
    /// The account it acts for, or "no account yet" for mail; `None` if it acts on this computer alone.
    pub account: Option<String>,
    /// Notes at the top of the card.
    pub notes: Vec<CardNote>,
    /// Facts, with the argument each comes from.
    pub facts: Vec<FactDraft>,
    /// Every thing the call touches.
    pub items: Vec<Item>,
    /// The text that is written or sent.
    pub body: Option<String>,
    /// Attached files.
    pub attachments: Vec<ShownAttachment>,
    /// Whether and how it can be undone.
    pub undo: String,
    /// The promise at the bottom of the card; empty for the usual one.
    pub digest_line: String,
    /// How long it is held after approval, in seconds.
    #[serde(default)]
    pub hold_seconds: u32,
    /// The instant before which it is not carried out; `None` for no delay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_before: Option<jiff::Timestamp>,
}

/// One fact of a card draft.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FactDraft {
    /// Label.
    pub label: String,
    /// Value after the change.
    pub value: String,
    /// Value before the change; `None` if the fact replaces nothing.
    pub before: Option<String>,
    /// JSON pointer of the argument it comes from.
    pub pointer: Option<String>,
    /// Source of the value if no argument gives it, or if a name in the arguments was looked up.
    pub source: Option<Source>,
}

impl FactDraft {
    /// Returns a fact that comes from an argument.
    #[must_use]
    pub fn from_arg(label: &str, value: impl Into<String>, pointer: &str) -> Self {
        Self {
            label: label.into(),
            value: value.into(),
            pointer: Some(pointer.into()),
            ..Self::default()
        }
    }

    /// Returns a fact from the person's own data.
    #[must_use]
    pub fn own(label: &str, value: impl Into<String>, what: &str) -> Self {
        Self {
            label: label.into(),
            value: value.into(),
            source: Some(Source::OwnData { what: what.into() }),
            ..Self::default()
        }
    }

    /// Returns a fact with the given source.
    #[must_use]
    pub fn with(label: &str, value: impl Into<String>, source: Option<Source>) -> Self {
        Self {
            label: label.into(),
            value: value.into(),
            source,
            ..Self::default()
        }
    }

    /// Returns the fact with the value it replaces.
    #[must_use]
    pub fn was(mut self, before: impl Into<String>) -> Self {
        self.before = Some(before.into());
        self
    }

    fn into_fact(self, call: &PlannedCall) -> Fact {
        let given = self
            .pointer
            .as_deref()
            .and_then(|pointer| source_at(call.sources(), call.args(), pointer));
        // Foreign text stays marked as such, whatever a look-up made of it.
        let source = match (given, &self.source) {
            (Some(found), _) if found.is_untrusted() => Some(found),
            (_, Some(own)) => Some(own),
            (given, None) => given,
        };
        match &self.before {
            Some(before) => Fact::changed(&self.label, before, &self.value, source),
            None => Fact::new(&self.label, &self.value, source),
        }
    }
}

impl CardDraft {
    /// Returns a draft with a title, a verb and the words about undoing.
    #[must_use]
    pub fn new(title: impl Into<String>, verb: &str, undo: &str) -> Self {
        Self {
            title: title.into(),
            verb: verb.into(),
            undo: undo.into(),
            ..Self::default()
        }
    }

    /// Adds a note.
    pub fn note(&mut self, kind: NoteKind, text: impl Into<String>) {
        self.notes.push(CardNote {
            kind,
            text: text.into(),
        });
    }

    fn into_card(self, call: &PlannedCall) -> Card {
        let shown = |text: String| escape::visible(&text);
        Card {
            title: shown(self.title),
            verb: self.verb,
            account: self.account.map(shown),
            notes: self
                .notes
                .into_iter()
                .map(|note| CardNote {
                    text: shown(note.text),
                    ..note
                })
                .collect(),
            facts: self
                .facts
                .into_iter()
                .map(|fact| fact.into_fact(call))
                .collect(),
            items: self
                .items
                .into_iter()
                .map(|item| Item {
                    id: item.id,
                    label: shown(item.label),
                    detail: item.detail.map(shown),
                    // A tool fills in the rest for the call, not for an item; in a batch, the gate fills it in for each
                    // item.
                    ..Item::default()
                })
                .collect(),
            body: self.body.map(shown),
            attachments: self
                .attachments
                .into_iter()
                .map(|file| ShownAttachment {
                    name: shown(file.name),
                    ..file
                })
                .collect(),
            undo: self.undo,
            icon: Icon::Usual,
            digest_line: if self.digest_line.is_empty() {
                "What you see is exactly what is done.".into()
            } else {
                self.digest_line
            },
        }
    }
}

impl Prepared {
    /// Returns what the gate is told.
    ///
    /// # Errors
    /// Returns a fault if it takes more operations than one call may have, or cannot be written as JSON.
    pub(crate) fn into_before(self) -> Result<Before, Stop> {
        if self.operations.len() > OPERATIONS_MAX {
            return Err(ToolFault::TooMuch {
                what: format!(
                    "This would take {} operations; {OPERATIONS_MAX} is the limit.",
                    self.operations.len()
                ),
                hint: "Do it in several parts.".into(),
            }
            .into());
        }
        let (hold_seconds, not_before) = (self.sketch.hold_seconds, self.sketch.not_before);
        let looked = Looked {
            assessment: self.assessment,
            sketch: self.sketch,
        };
        Ok(Before {
            account: AccountId::local(),
            written: serde_json::Value::Null,
            targets: self.targets,
            frozen: Some(Frozen {
                operations: self.operations,
                answer: self.answer,
                undoes: None,
                hold_seconds,
                not_before,
            }),
            data: serde_json::to_value(&looked).map_err(broken)?,
        })
    }
}

/// Returns the assessment made while observing. Unreadable data counts as the highest risk.
pub(crate) fn assessment(before: &Before) -> Assessment {
    Looked::deserialize(&before.data).map_or(
        Assessment {
            risk: adjutant_domain::gate::Risk::Spends,
            ask: None,
            count: before.targets.len(),
            reaching: Vec::new(),
            looked_up: Vec::new(),
            carries_out: None,
            target: None,
            guessed: false,
        },
        |looked| looked.assessment,
    )
}

/// Returns the card made while observing, with the sources of its values.
pub(crate) fn card(before: &Before, call: &PlannedCall) -> Card {
    Looked::deserialize(&before.data).map_or_else(
        |_| Card {
            title: "This cannot be shown".into(),
            ..Card::default()
        },
        |looked| looked.sketch.into_card(call),
    )
}

/// Returns the frozen outcome; nothing is looked up again.
pub(crate) fn hand_out(
    before: &Before,
    settle: impl Fn(Change, Answer) -> (Change, Answer),
) -> Result<Outcome, Stop> {
    let frozen = before.frozen.clone().ok_or_else(unreadable)?;
    let mut answer = frozen.answer;
    let mut operations = Vec::with_capacity(frozen.operations.len());
    for operation in frozen.operations {
        operations.push(match operation {
            Operation::Local { change } => {
                let (change, settled) = settle(change, answer);
                answer = settled;
                Operation::Local { change }
            }
            other => other,
        });
    }
    Ok(Outcome::Effects {
        operations,
        answer,
        undoes: None,
    })
}

/// Turns a fault of storage into a [`Stop`].
#[must_use]
pub fn failed(fault: StoreFault) -> Stop {
    Stop::Fault(fault.into())
}

fn broken(error: serde_json::Error) -> Stop {
    ToolFault::Failed {
        what: format!("This action could not be saved: {error}."),
        hint: "Ask again; nothing was done.".into(),
    }
    .into()
}

fn unreadable() -> Stop {
    ToolFault::Failed {
        what: "A saved action cannot be read.".into(),
        hint: "Ask again; nothing was done.".into(),
    }
    .into()
}
