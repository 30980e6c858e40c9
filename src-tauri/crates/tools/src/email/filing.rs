//! Where mails are filed and how they are marked: the code shared by archive, label, mark and delete.

use std::collections::BTreeSet;

use adjutant_domain::account::{Collection, CollectionKind, Origins};
use adjutant_domain::change::{Change, MailMarks};
use adjutant_domain::filter::{Filter, Test};
use adjutant_domain::gate::{Assessment, CardNote, NoteKind};
use adjutant_domain::ids::AccountId;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Folder, Kind, Mail};
use adjutant_text::same;
use jiff::Timestamp;

use super::MailRow;
use super::find::MailFilter;
use crate::effect::{CardDraft, Prepared, failed, local};
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

/// The folders and labels of the person's own that exist where some mails are.
pub(super) struct OwnPlaces<'a> {
    cx: &'a Cx,
    origins: Origins,
    /// The accounts of the mails that list their folders one by one. Gmail, for example, does not.
    listed: BTreeSet<AccountId>,
    /// Whether some of the mails are in no such account.
    is_elsewhere: bool,
}

impl<'a> OwnPlaces<'a> {
    /// Reads what is known about the accounts of these mails.
    pub(super) async fn of(mails: &[Mail], cx: &'a Cx) -> Result<Self, Stop> {
        let touched = mails.iter().fold(Change::default(), |change, mail| {
            change.and_mark(mail, MailMarks::default())
        });
        let origins = cx.records.origins(&touched).await.map_err(failed)?;
        let collections = cx.records.collections().await.map_err(failed)?;
        let lists = |account: &AccountId| {
            let own = |one: &&Collection| is_mailbox_of(one, account);
            collections.iter().filter(own).count() > 1
        };
        let accounts = mails.iter().map(|mail| {
            let origin = origins.of(&mail.id).map(|one| one.origin.account.clone());
            origin.filter(lists)
        });
        let (mut listed, mut is_elsewhere) = (BTreeSet::new(), false);
        for account in accounts {
            match account {
                Some(account) => drop(listed.insert(account)),
                None => is_elsewhere = true,
            }
        }
        Ok(Self {
            cx,
            origins,
            listed,
            is_elsewhere,
        })
    }

    /// Returns whether filing the mails under this name makes a new folder.
    pub(super) async fn is_new_folder(&self, name: &str) -> Result<bool, Stop> {
        let lacks = |account: &AccountId| !self.origins.has_mailbox(account, name);
        Ok(self.listed.iter().any(lacks) || (self.is_elsewhere && !self.is_label(name).await?))
    }

    /// Returns those of the names that are not yet a label of any mail, nor a folder of these accounts.
    pub(super) async fn new_labels(&self, names: &[String]) -> Result<Vec<String>, Stop> {
        let mut new = Vec::new();
        for name in names {
            let has = |account: &AccountId| self.origins.has_mailbox(account, name);
            if !self.listed.iter().any(has) && !self.is_label(name).await? {
                new.push(name.clone());
            }
        }
        Ok(new)
    }

    /// Whether any mail has this label, in whatever folder.
    async fn is_label(&self, name: &str) -> Result<bool, Stop> {
        let everywhere = vec![
            Folder::Inbox,
            Folder::Archive,
            Folder::Sent,
            Folder::Junk,
            Folder::Trash,
        ];
        let labelled = Filter::all()
            .and(Test::Folders(everywhere))
            .and(Test::Label(name.to_owned()));
        let total = self.cx.records.total(Kind::Mail, &labelled).await;
        Ok(total.map_err(failed)? > 0)
    }
}

fn is_mailbox_of(one: &Collection, account: &AccountId) -> bool {
    one.kind == CollectionKind::Mailbox && one.account == *account
}

/// Returns the note that a name is a new folder or label.
pub(super) fn new_note(what: &str, names: &[String]) -> CardNote {
    let shown: Vec<String> = names.iter().map(|name| words::quoted(name)).collect();
    let shown = words::join(&shown);
    CardNote {
        kind: NoteKind::Info,
        text: match names.len() {
            1 => format!("There is no {what} {shown} yet; it will be made."),
            _ => format!("There are no {what}s {shown} yet; they will be made."),
        },
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
