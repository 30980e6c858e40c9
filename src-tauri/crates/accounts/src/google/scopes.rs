//! What the person may allow, and the matching OAuth scopes.

use crate::provider::{Access, Form};

/// The levels of access a person can choose for one kind of record.
pub(super) const CHOICE: Form = Form::Choice(&[
    (READ, "Read"),
    (CHANGE, "Read and change"),
    (NOTHING, "Leave out"),
]);

const READ: &str = "read";
const CHANGE: &str = "change";
const NOTHING: &str = "no";

/// Setting with the scopes Google granted, separated by spaces.
pub(super) const GRANTED: &str = "granted";

/// Scopes that identify the person, which gives the account its address. Always requested.
const PERSON: [&str; 2] = ["openid", "email"];

/// A kind of data in an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Calendar,
    Mail,
    Tasks,
    Contacts,
}

/// How much access the person allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Allowed {
    Nothing,
    Read,
    Change,
}

impl Family {
    pub(super) const ALL: [Self; 4] = [Self::Calendar, Self::Mail, Self::Tasks, Self::Contacts];

    /// Returns the field that holds the person's choice.
    pub(super) fn field(self) -> &'static str {
        match self {
            Self::Calendar => "calendar",
            Self::Mail => "mail",
            Self::Tasks => "tasks",
            Self::Contacts => "contacts",
        }
    }

    /// Returns the scopes needed for reading and those needed for changing.
    fn scopes(self) -> (&'static [&'static str], &'static [&'static str]) {
        match self {
            Self::Calendar => (
                &["https://www.googleapis.com/auth/calendar.readonly"],
                &[
                    "https://www.googleapis.com/auth/calendar.readonly",
                    "https://www.googleapis.com/auth/calendar.events",
                ],
            ),
            Self::Mail => (
                &["https://www.googleapis.com/auth/gmail.readonly"],
                &["https://www.googleapis.com/auth/gmail.modify"],
            ),
            Self::Tasks => (
                &["https://www.googleapis.com/auth/tasks.readonly"],
                &["https://www.googleapis.com/auth/tasks"],
            ),
            Self::Contacts => (
                &["https://www.googleapis.com/auth/contacts.readonly"],
                &["https://www.googleapis.com/auth/contacts"],
            ),
        }
    }

    /// Returns the access the person chose; reading by default.
    fn wanted(self, access: &Access) -> Allowed {
        match access.setting(self.field()) {
            Some(CHANGE) => Allowed::Change,
            Some(NOTHING) => Allowed::Nothing,
            _ => Allowed::Read,
        }
    }

    /// Returns the access actually available: the chosen level as far as Google granted it. If Google does not report
    /// what it granted, assumes all of it.
    pub(crate) fn allowed(self, access: &Access) -> Allowed {
        let Some(granted) = access.setting(GRANTED) else {
            return self.wanted(access);
        };
        let has = |scopes: &[&str]| {
            let all = || granted.split(' ');
            scopes.iter().all(|scope| all().any(|one| one == *scope))
        };
        let (read, change) = self.scopes();
        let granted = match (has(change), has(read)) {
            (true, _) => Allowed::Change,
            (false, true) => Allowed::Read,
            (false, false) => Allowed::Nothing,
        };
        granted.min(self.wanted(access))
    }
}

/// Returns the scopes to request.
pub(super) fn wanted(access: &Access) -> Vec<String> {
    let mut all = PERSON.to_vec();
    for family in Family::ALL {
        let (read, change) = family.scopes();
        match family.wanted(access) {
            Allowed::Nothing => {}
            Allowed::Read => all.extend(read),
            Allowed::Change => all.extend(change),
        }
    }
    all.into_iter().map(str::to_owned).collect()
}

/// Returns the families for which Google granted less than the person chose.
pub(super) fn missing(access: &Access) -> Vec<&'static str> {
    let less = Family::ALL.into_iter();
    let less = less.filter(|family| family.allowed(access) < family.wanted(access));
    less.map(Family::field).collect()
}
