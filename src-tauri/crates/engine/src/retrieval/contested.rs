//! Finds domains of ours that servers' tools also serve, judging by the names of those tools.

use std::collections::BTreeSet;

use adjutant_domain::catalog::Catalog;
use adjutant_domain::route::Domain;
use adjutant_text::words;

/// Words in a tool's name that reveal its domain.
const ABOUT: &[(Domain, &[&str])] = &[
    (
        Domain::Calendar,
        &[
            "appointment",
            "appointments",
            "calendar",
            "calendars",
            "event",
            "events",
            "meeting",
            "meetings",
        ],
    ),
    (
        Domain::Email,
        &[
            "contact", "contacts", "email", "emails", "gmail", "inbox", "mail", "mailbox", "mails",
        ],
    ),
    (
        Domain::Task,
        &["reminder", "reminders", "task", "tasks", "todo", "todos"],
    ),
    (Domain::Note, &["note", "notes"]),
    (
        Domain::Files,
        &[
            "directory",
            "document",
            "documents",
            "drive",
            "file",
            "files",
            "folder",
            "folders",
        ],
    ),
];

/// Returns the domains that the names of servers' tools mention.
pub(crate) fn domains(catalog: &Catalog) -> BTreeSet<Domain> {
    let foreign = catalog.specs().iter().filter(|spec| spec.server.is_some());
    // The server's name says nothing about its tools, so use only the part after the last dot.
    let named: BTreeSet<String> = foreign
        .flat_map(|spec| words(spec.name.rsplit('.').next().unwrap_or_default()))
        .flat_map(|word| word.split('_').map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let about = ABOUT
        .iter()
        .filter(|(_, words)| words.iter().any(|word| named.contains(*word)));
    about.map(|(domain, _)| *domain).collect()
}
