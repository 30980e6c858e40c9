//! Where mails are filed and how they are marked: the code shared by archive, label, mark and delete.

use adjutant_domain::change::{Change, MailMarks};
use adjutant_domain::gate::Assessment;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Folder, Mail};
use adjutant_text::same;
use jiff::Timestamp;

use super::MailRow;
use super::find::MailFilter;
use crate::effect::{CardDraft, Prepared, local};
use crate::select::{self, AsTarget, Row, Which, bad, targets};
use crate::words;

/// An edit of mails.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum MailEdit {
    /// Moves them.
    Move {
        /// The new folder.
        folder: Folder,
    },
    /// Moves them into a folder of the person's own.
    File {
        /// Its name, which is a label of its mails.
        name: String,
    },
    /// Changes their labels.
    Labels {
        /// Labels to add.
        add: Vec<String>,
        /// Labels to remove.
        remove: Vec<String>,
    },
    /// Changes their marks.
    Mark {
        /// Marks as read or unread; `None` leaves it.
        read: Option<bool>,
        /// Stars or unstars; `None` leaves it.
        starred: Option<bool>,
    },
}

impl MailEdit {
    /// Returns the marks that the edit sets on one mail.
    fn marks(&self, mail: &Mail, now: Timestamp) -> MailMarks {
        let mut marks = MailMarks {
            updated: now,
            ..MailMarks::default()
        };
        match self {
            Self::Move { folder } => marks.folder = Some(*folder),
            Self::File { name } => {
                let mut labels = mail.labels.clone();
                if !labels.iter().any(|one| same(one, name)) {
                    labels.push(name.clone());
                }
                let own = labels.iter().find(|one| same(one, name)).cloned();
                (marks.folder, marks.mailbox) = (Some(Folder::Archive), own);
                marks.labels = Some(labels);
            }
            Self::Labels { add, remove } => {
                let mut labels = mail.labels.clone();
                labels.retain(|label| !remove.iter().any(|gone| same(gone, label)));
                for label in add {
                    if !labels.iter().any(|one| same(one, label)) {
                        labels.push(label.clone());
                    }
                }
                marks.labels = Some(labels);
            }
            Self::Mark { read, starred } => (marks.read, marks.starred) = (*read, *starred),
        }
        marks
    }

    /// Returns the change for all mails.
    pub(super) fn change(&self, mails: &[Mail], cx: &Cx) -> Change {
        let now = cx.now.timestamp();
        mails.iter().fold(Change::default(), |change, mail| {
            change.and_mark(mail, self.marks(mail, now))
        })
    }
}

/// Returns the stored mails a call means; fails for drafts and outgoing mail, which cannot be filed.
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

/// Prepares an edit of mails. `title` is the card's title with `{}` for the mails, `done` the sentence afterwards.
pub(super) fn prepare(
    before: Vec<Mail>,
    edit: MailEdit,
    (title, verb, done): (&str, &str, &str),
    cx: &Cx,
) -> Prepared {
    let rows = after(&before, &edit, cx);
    let what = what(&before);
    let mut sketch = CardDraft::new(
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
        targets: old.iter().map(AsTarget::target).collect(),
        answer: answer(&rows, &done.replace("{}", &what), cx),
        operations: local(edit.change(&before, cx)),
        assessment,
        sketch,
    }
}

/// Returns the rows as they will be after the edit.
pub(super) fn after(before: &[Mail], edit: &MailEdit, cx: &Cx) -> Vec<MailRow> {
    before
        .iter()
        .cloned()
        .map(|mut mail| {
            let marks = edit.marks(&mail, cx.now.timestamp());
            marks.apply(&mut mail);
            MailRow::Mail(Box::new(mail))
        })
        .collect()
}

/// Returns one mail by subject and sender, several by their number.
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

/// Returns the answer: what was done, with a list of the mails if there are several.
pub(super) fn answer(rows: &[MailRow], done: &str, cx: &Cx) -> Answer {
    let lines: Vec<String> = rows.iter().map(|row| row.line(cx)).collect();
    select::answer(rows, rows.len(), words::done(done, &lines), cx)
}
