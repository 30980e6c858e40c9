//! What a person may allow, and what Google calls it.

use crate::provider::{Access, Form};

/// What may be done with one kind of records, as a person chooses it.
pub(super) const CHOICE: Form = Form::Choice(&[
    (READ, "Read"),
    (CHANGE, "Read and change"),
    (NOTHING, "Leave out"),
]);

const READ: &str = "read";
const CHANGE: &str = "change";
const NOTHING: &str = "no";

/// The setting with what Google says was allowed, separated by spaces.
pub(super) const GRANTED: &str = "granted";

/// Who the person is, so that the account has an address. Always asked for.
const PERSON: [&str; 2] = ["openid", "email"];

/// What an account may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Calendar,
    Mail,
    Tasks,
    Contacts,
}

/// How far the person lets us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Allowed {
    Nothing,
    Read,
    Change,
}

impl Family {
    pub(super) const ALL: [Self; 4] = [Self::Calendar, Self::Mail, Self::Tasks, Self::Contacts];

    /// The field with the person's choice.
    pub(super) fn field(self) -> &'static str {
        match self {
            Self::Calendar => "calendar",
            Self::Mail => "mail",
            Self::Tasks => "tasks",
            Self::Contacts => "contacts",
        }
    }

    /// The scopes that reading needs, and those that changing needs.
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

    /// How far the person wants to let us.
    fn wanted(self, access: &Access) -> Allowed {
        match access.setting(self.field()) {
            Some(CHANGE) => Allowed::Change,
            Some(NOTHING) => Allowed::Nothing,
            _ => Allowed::Read,
        }
    }

    /// How far Google lets us: what was wanted, as far as it was granted. Where Google does not say, all of it was.
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

/// The scopes to ask for.
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

/// Families of which less was granted than was wanted.
pub(super) fn missing(access: &Access) -> Vec<&'static str> {
    let less = Family::ALL.into_iter();
    let less = less.filter(|family| family.allowed(access) < family.wanted(access));
    less.map(Family::field).collect()
}
