//! Where mails lie and how they are marked: what archive, label, mark and delete have in common.

use adjutant_domain::change::Change;
use adjutant_domain::gate::Assessment;
use adjutant_domain::ids::RecordId;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Folder, Mail};
use adjutant_domain::source::Taint;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::MailRow;
use super::find::MailFilter;
use crate::effect::{Deed, Prepared, Sketch};
use crate::select::{Ids, Row, Stored, Which, bad, output, referents, targets};
use crate::{text, words};

/// What is done to a mail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case")]
pub enum MailEdit {
    /// Moves it.
    Move {
        /// Where to.
        folder: Folder,
    },
    /// Changes its labels.
    Labels {
        /// New ones.
        add: Vec<String>,
        /// Those that go.
        remove: Vec<String>,
    },
    /// Changes its marks.
    Mark {
        /// Read or unread.
        read: Option<bool>,
        /// Starred or not.
        starred: Option<bool>,
    },
}

impl MailEdit {
    /// Applies it to a row.
    pub fn apply(&self, mail: &mut Mail, now: Timestamp) {
        match self {
            Self::Move { folder } => mail.folder = *folder,
            Self::Labels { add, remove } => {
                mail.labels
                    .retain(|label| !remove.iter().any(|gone| text::same(gone, label)));
                for label in add {
                    if !mail.labels.iter().any(|one| text::same(one, label)) {
                        mail.labels.push(label.clone());
                    }
                }
            }
            Self::Mark { read, starred } => {
                mail.read = read.unwrap_or(mail.read);
                mail.starred = starred.unwrap_or(mail.starred);
            }
        }
        mail.updated = now;
    }
}

/// How a filing tool says which mails.
pub(super) fn which<'a>(
    id: Option<&'a Ids>,
    ids: Option<&'a Ids>,
    target: Option<&'a MailFilter>,
) -> Which<'a, MailFilter> {
    Which { id, ids, target }
}

/// The stored mails a call means; drafts and outgoing mail cannot be filed.
pub(super) async fn mails(which: Which<'_, MailFilter>, cx: &Cx) -> Result<Vec<Mail>, Stop> {
    let rows = targets(which, cx).await?;
    rows.into_iter()
        .map(|row| match row {
            MailRow::Mail(mail) => Ok(*mail),
            MailRow::Out(item) => Err(bad(format!(
                "{} has not been sent, so it cannot be filed.",
                words::quoted(&item.subject)
            ))),
        })
        .collect()
}

/// An edit of mails that runs at once. `done` says what happened, `title` what would.
pub(super) fn prepare(
    before: Vec<Mail>,
    edit: MailEdit,
    (title, verb, done): (&str, &str, &str),
    cx: &Cx,
) -> Prepared {
    let rows = after(&before, &edit, cx);
    let what = what(&before);
    let mut sketch = Sketch::new(
        title.replace("{}", &what),
        verb,
        "Can be undone from Activity.",
    );
    let old: Vec<MailRow> = before
        .iter()
        .map(|mail| MailRow::Mail(Box::new(mail.clone())))
        .collect();
    sketch.items = old.iter().map(|row| row.item(cx)).collect();
    let mut assessment = Assessment::reversible();
    assessment.count = before.len();
    Prepared {
        targets: old.iter().map(Stored::target).collect(),
        answer: answer(&rows, &done.replace("{}", &what), cx),
        deed: Deed::Mails {
            mails: versions(&before),
            edit,
            rows: Change::default(),
        },
        assessment,
        sketch,
    }
}

/// The rows as they will be.
pub(super) fn after(before: &[Mail], edit: &MailEdit, cx: &Cx) -> Vec<MailRow> {
    before
        .iter()
        .cloned()
        .map(|mut mail| {
            edit.apply(&mut mail, cx.now.timestamp());
            MailRow::Mail(Box::new(mail))
        })
        .collect()
}

/// Which mails, with the version looked at.
pub(super) fn versions(mails: &[Mail]) -> Vec<(RecordId, i64)> {
    mails
        .iter()
        .map(|mail| (mail.id.clone(), mail.version))
        .collect()
}

/// One mail by its subject, several by their number.
pub(super) fn what(mails: &[Mail]) -> String {
    match mails {
        [one] => format!(
            "{} from {}",
            words::quoted(&one.subject),
            words::who(&one.from.name, &one.from.email)
        ),
        many => words::plural(many.len(), "mail"),
    }
}

/// What happened, with the mails listed when there are several.
pub(super) fn answer(rows: &[MailRow], done: &str, cx: &Cx) -> Answer {
    let lines: Vec<String> = rows.iter().map(|row| row.line(cx)).collect();
    let say = match lines.as_slice() {
        [_] => format!("{done}."),
        many => format!("{done}.\n\n{}", words::bullets(many, many.len())),
    };
    Answer {
        output: Value::Object(output(rows, rows.len(), cx)),
        say,
        referents: referents(rows),
        taint: Taint::Clean,
        used_memories: Vec::new(),
    }
}
