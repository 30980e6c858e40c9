//! Translates Gmail's labels into folders, flags and the labels that a person created.

use std::collections::BTreeMap;

use adjutant_domain::record::Folder;

use super::wire::{Label, Labels};

/// Maximum number of labels kept of one account or one mail.
const LABELS_MAX: usize = 10_000;
/// Maximum number of characters in a label name.
const NAME_CHARS_MAX: usize = 225;

const INBOX: &str = "INBOX";
const SENT: &str = "SENT";
const TRASH: &str = "TRASH";
const SPAM: &str = "SPAM";
const UNREAD: &str = "UNREAD";
const STARRED: &str = "STARRED";
/// Labels of messages that are not shown as mail: drafts and old chats.
const NOT_MAIL: [&str; 2] = ["DRAFT", "CHAT"];

fn has(labels: &[String], wanted: &str) -> bool {
    labels.iter().any(|label| label == wanted)
}

/// Returns the folder of a mail with these labels; `Archive` if no other matches.
pub(super) fn folder(labels: &[String]) -> Folder {
    let places = [
        (TRASH, Folder::Trash),
        (SPAM, Folder::Junk),
        (INBOX, Folder::Inbox),
        (SENT, Folder::Sent),
    ];
    let found = places.into_iter().find(|(label, _)| has(labels, label));
    found.map_or(Folder::Archive, |(_, folder)| folder)
}

pub(super) fn is_mail(labels: &[String]) -> bool {
    !NOT_MAIL.iter().any(|label| has(labels, label))
}

pub(super) fn is_read(labels: &[String]) -> bool {
    !has(labels, UNREAD)
}

pub(super) fn is_starred(labels: &[String]) -> bool {
    has(labels, STARRED)
}

/// Names of the labels that a person created, by Gmail id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Names(BTreeMap<String, String>);

impl From<Labels> for Names {
    fn from(listed: Labels) -> Self {
        let own = listed.labels.into_iter().filter(|one| one.kind == "user");
        let clean = |label: Label| {
            let name = label.name.chars().filter(|c| !c.is_control());
            let name: String = name.take(NAME_CHARS_MAX).collect();
            (!name.is_empty() && !label.id.is_empty()).then_some((label.id, name))
        };
        Self(own.filter_map(clean).take(LABELS_MAX).collect())
    }
}

impl Names {
    /// Returns the names of those labels that are known.
    pub(super) fn of(&self, labels: &[String]) -> Vec<String> {
        let known = labels.iter().filter_map(|id| self.0.get(id));
        known.take(LABELS_MAX).cloned().collect()
    }

    /// Returns the Gmail id of a label, ignoring case, since names never differ by case alone.
    pub(super) fn id(&self, name: &str) -> Option<&str> {
        let name = name.to_lowercase();
        let mut all = self.0.iter();
        let found = all.find(|(_, one)| one.to_lowercase() == name);
        found.map(|(id, _)| id.as_str())
    }

    pub(super) fn add(&mut self, label: Label) {
        self.0.insert(label.id, label.name);
    }
}

/// Labels to add and to remove.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Relabel {
    pub(super) add: Vec<String>,
    pub(super) remove: Vec<String>,
}

impl Relabel {
    /// Returns the changes that move a mail to a folder. Only sending puts a mail among the sent ones; moving it back
    /// there just removes it from where it was.
    pub(super) fn to(folder: Folder) -> Self {
        let place = match folder {
            Folder::Inbox => Some(INBOX),
            Folder::Trash => Some(TRASH),
            Folder::Junk => Some(SPAM),
            Folder::Sent | Folder::Archive => None,
        };
        let others = [INBOX, TRASH, SPAM];
        let others = others.into_iter().filter(|label| Some(*label) != place);
        Self {
            add: place.into_iter().map(str::to_owned).collect(),
            remove: others.map(str::to_owned).collect(),
        }
    }

    /// Returns the changes that set or clear the read and starred flags.
    pub(super) fn marks(read: Option<bool>, starred: Option<bool>) -> Self {
        let mut all = Self::default();
        let mut set = |label: &str, wanted: Option<bool>| match wanted {
            Some(true) => all.add.push(label.to_owned()),
            Some(false) => all.remove.push(label.to_owned()),
            None => {}
        };
        set(UNREAD, read.map(|read| !read));
        set(STARRED, starred);
        all
    }

    pub(super) fn is_empty(&self) -> bool {
        self.add.is_empty() && self.remove.is_empty()
    }

    /// Tells whether a mail with these labels already matches.
    pub(super) fn holds(&self, labels: &[String]) -> bool {
        self.add.iter().all(|label| has(labels, label))
            && !self.remove.iter().any(|label| has(labels, label))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(labels: &[&str]) -> Vec<String> {
        labels.iter().map(|label| (*label).to_owned()).collect()
    }

    #[test]
    fn a_mail_lies_in_one_folder() {
        for (labels, expected) in [
            (&["INBOX", "SENT", "UNREAD"][..], Folder::Inbox),
            (&["INBOX", "TRASH"], Folder::Trash),
            (&["SPAM"], Folder::Junk),
            (&["SENT", "Label_1"], Folder::Sent),
            (&["CATEGORY_PROMOTIONS", "IMPORTANT"], Folder::Archive),
            (&[], Folder::Archive),
        ] {
            assert_eq!(folder(&of(labels)), expected, "{labels:?}");
        }
        assert!(!is_mail(&of(&["DRAFT"])) && !is_mail(&of(&["CHAT"])) && is_mail(&of(&["INBOX"])));
        assert!(is_read(&[]) && !is_read(&of(&["UNREAD"])) && is_starred(&of(&["STARRED"])));
    }

    #[test]
    fn filing_a_mail_puts_it_where_it_shall_lie() {
        for folder_wanted in [Folder::Inbox, Folder::Archive, Folder::Trash, Folder::Junk] {
            for before in [
                &["INBOX"][..],
                &["TRASH"],
                &["SPAM", "Label_1"],
                &["INBOX", "UNREAD"],
            ] {
                let wanted = Relabel::to(folder_wanted);
                let mut labels = of(before);
                labels.retain(|label| !wanted.remove.contains(label));
                labels.extend(wanted.add.clone());
                assert_eq!(folder(&labels), folder_wanted, "{before:?}");
                assert!(wanted.holds(&labels), "{before:?}");
            }
        }
        assert_eq!(Relabel::to(Folder::Sent), Relabel::to(Folder::Archive));
    }

    #[test]
    fn marks_are_labels_too() {
        let marks = Relabel::marks(Some(true), Some(true));
        assert_eq!(
            (marks.add, marks.remove),
            (of(&["STARRED"]), of(&["UNREAD"]))
        );
        assert!(Relabel::marks(None, None).is_empty());
    }

    #[test]
    fn only_labels_that_a_person_made_have_names() {
        let label = |id: &str, name: &str, kind: &str| Label {
            id: id.into(),
            name: name.into(),
            kind: kind.into(),
        };
        let names = Names::from(Labels {
            labels: vec![
                label("INBOX", "INBOX", "system"),
                label("Label_1", "Tra\u{7}vel/2026", "user"),
                label("Label_2", "", "user"),
            ],
        });
        let labels = of(&["INBOX", "Label_1", "Label_2", "Label_9"]);
        assert_eq!(names.of(&labels), ["Travel/2026"]);
        assert_eq!(names.id("travel/2026"), Some("Label_1"));
        assert_eq!(names.id("INBOX"), None);
    }
}
