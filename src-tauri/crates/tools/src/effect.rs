//! What an acting tool prepares: the change word for word, what the card says about it, and what is true once it is
//! applied. All of it is worked out before the gate decides and frozen with the call; running adds nothing.

use adjutant_domain::change::Change;
use adjutant_domain::faults::{StoreFault, ToolFault};
use adjutant_domain::gate::{
    Assessment, Card, CardNote, Fact, Item, NoteKind, PlannedCall, ShownAttachment, escape,
};
use adjutant_domain::ids::{AccountId, RecordId};
use adjutant_domain::outcome::{Answer, Outcome, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Kind, Record};
use adjutant_domain::source::{Source, source_at};
use adjutant_domain::tool::{Before, Target};
use serde::{Deserialize, Serialize};

use crate::email::{MailEdit, SavedFile, save_attachment};

/// Everything an acting tool works out in advance.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// Records it will change, with their versions.
    pub targets: Vec<Target>,
    /// What it will do.
    pub deed: Deed,
    /// Output and words that hold once it is done.
    pub answer: Answer,
    /// How risky it is.
    pub assessment: Assessment,
    /// What the card says.
    pub sketch: Sketch,
}

/// What a call does, fixed before it is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "deed", rename_all = "snake_case")]
pub enum Deed {
    /// Applies this change as it is.
    Rows {
        /// The change.
        change: Change,
    },
    /// Changes where mails lie and how they are marked. Their rows are long, so only the edit is frozen.
    Mails {
        /// Which mails, with the version looked at.
        mails: Vec<(RecordId, i64)>,
        /// What is done to each.
        edit: MailEdit,
        /// Drafts and outgoing mails that go with them.
        #[serde(default)]
        rows: Change,
    },
    /// Saves one attachment as a new file.
    File {
        /// What and where.
        file: SavedFile,
    },
}

/// What is stored in [`Before::frozen`]: part of the digest.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Frozen {
    deed: Deed,
    answer: Answer,
}

/// What is stored in [`Before::data`]: read back within the same look, never when the call runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Looked {
    assessment: Assessment,
    sketch: Sketch,
}

/// A card before the sources of its values are known.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Sketch {
    /// Verb and object.
    pub title: String,
    /// The verb on the button.
    pub verb: String,
    /// Account or "no account yet"; mail only.
    pub account: Option<String>,
    /// Notes at the head.
    pub notes: Vec<CardNote>,
    /// Facts with the argument each comes from.
    pub facts: Vec<FactSketch>,
    /// Every thing touched.
    pub items: Vec<Item>,
    /// The text itself.
    pub body: Option<String>,
    /// Attached files.
    pub attachments: Vec<ShownAttachment>,
    /// Whether and how it can be undone.
    pub undo: String,
    /// The promise at the foot; the usual one when empty.
    pub digest_line: String,
}

/// One fact of a sketch.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FactSketch {
    /// Label.
    pub label: String,
    /// Value as it will be.
    pub value: String,
    /// Value as it is.
    pub before: Option<String>,
    /// JSON pointer of the argument it comes from.
    pub pointer: Option<String>,
    /// Where it comes from when no argument says so, or when a name in the arguments was looked up.
    pub source: Option<Source>,
}

impl FactSketch {
    /// A fact that comes from an argument.
    #[must_use]
    pub fn from_arg(label: &str, value: impl Into<String>, pointer: &str) -> Self {
        Self {
            label: label.into(),
            value: value.into(),
            pointer: Some(pointer.into()),
            ..Self::default()
        }
    }

    /// A fact that the person's own data says.
    #[must_use]
    pub fn own(label: &str, value: impl Into<String>, what: &str) -> Self {
        Self {
            label: label.into(),
            value: value.into(),
            source: Some(Source::OwnData { what: what.into() }),
            ..Self::default()
        }
    }

    /// A fact with its origin.
    #[must_use]
    pub fn with(label: &str, value: impl Into<String>, source: Option<Source>) -> Self {
        Self {
            label: label.into(),
            value: value.into(),
            source,
            ..Self::default()
        }
    }

    /// The same fact with the value it replaces.
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
        // Text of others stays visible as such, whatever a look-up made of it.
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

impl Sketch {
    /// A sketch with title, verb and the words about undoing.
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
                    // A tool says this of the call, not of an item; the gate puts it there for a batch.
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
            digest_line: if self.digest_line.is_empty() {
                "What you see is exactly what is done.".into()
            } else {
                self.digest_line
            },
        }
    }
}

impl Prepared {
    /// What the gate is told.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub(crate) fn into_before(self) -> Result<Before, Stop> {
        let frozen = Frozen {
            deed: self.deed,
            answer: self.answer,
        };
        let looked = Looked {
            assessment: self.assessment,
            sketch: self.sketch,
        };
        Ok(Before {
            account: AccountId::local(),
            targets: self.targets,
            frozen: serde_json::to_value(&frozen).map_err(broken)?,
            data: serde_json::to_value(&looked).map_err(broken)?,
        })
    }
}

/// The judgement made while looking. A look that cannot be read counts as the highest risk.
pub(crate) fn assessment(before: &Before) -> Assessment {
    Looked::deserialize(&before.data).map_or(
        Assessment {
            risk: adjutant_domain::gate::Risk::Spends,
            ask: None,
            count: before.targets.len(),
            reaching: Vec::new(),
            looked_up: Vec::new(),
        },
        |looked| looked.assessment,
    )
}

/// The card made while looking, with the sources of its values.
pub(crate) fn card(before: &Before, call: &PlannedCall) -> Card {
    Looked::deserialize(&before.data).map_or_else(
        |_| Card {
            title: "This cannot be shown".into(),
            ..Card::default()
        },
        |looked| looked.sketch.into_card(call),
    )
}

/// Does what was frozen: nothing is looked up again but the mails an edit names.
pub(crate) async fn carry_out(
    before: &Before,
    settle: impl FnOnce(Change, Answer) -> (Change, Answer) + Send,
    cx: &Cx,
) -> Result<Outcome, Stop> {
    let frozen = Frozen::deserialize(&before.frozen).map_err(broken)?;
    let change = match frozen.deed {
        Deed::Rows { change } => change,
        Deed::Mails { mails, edit, rows } => edit_mails(&mails, &edit, rows, cx).await?,
        Deed::File { file } => {
            save_attachment(&file, cx).await?;
            return Ok(Outcome::Read(frozen.answer));
        }
    };
    let (change, answer) = settle(change, frozen.answer);
    Ok(Outcome::Change { change, answer })
}

/// Whether what was frozen is a deed outside of storage. What cannot be read will not be carried out.
pub(crate) fn acts_outside(before: &Before) -> bool {
    let frozen = Frozen::deserialize(&before.frozen);
    frozen.is_ok_and(|frozen| matches!(frozen.deed, Deed::File { .. }))
}

async fn edit_mails(
    mails: &[(RecordId, i64)],
    edit: &MailEdit,
    mut change: Change,
    cx: &Cx,
) -> Result<Change, Stop> {
    for (id, version) in mails {
        match cx.records.get(Kind::Mail, id).await.map_err(failed)? {
            Some(Record::Mail(mut mail)) if mail.version == *version => {
                edit.apply(&mut mail, cx.now.timestamp());
                change = change.and_replace(Record::Mail(mail));
            }
            Some(Record::Mail(mail)) => {
                return Err(ToolFault::Changed {
                    what: format!("The mail {}", crate::words::quoted(&mail.subject)),
                }
                .into());
            }
            _ => {
                return Err(ToolFault::NotFound {
                    what: "One of the mails is not there any more.".into(),
                }
                .into());
            }
        }
    }
    Ok(change)
}

/// Storage did not answer.
#[must_use]
pub fn failed(fault: StoreFault) -> Stop {
    Stop::Fault(fault.into())
}

fn broken(error: serde_json::Error) -> Stop {
    ToolFault::Failed {
        what: format!("A stored call cannot be read: {error}."),
        hint: "Ask again; nothing was done.".into(),
    }
    .into()
}
