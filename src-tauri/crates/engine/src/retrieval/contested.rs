//! Domains of ours that tools of servers serve as well, by the names of those tools.

use std::collections::BTreeSet;

use adjutant_domain::catalog::Catalog;
use adjutant_domain::route::Domain;
use adjutant_text::words;

/// Words of a tool's name that say what it is about.
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

/// The domains that the tools of servers name.
pub(crate) fn domains(catalog: &Catalog) -> BTreeSet<Domain> {
    let foreign = catalog.specs().iter().filter(|spec| spec.server.is_some());
    // The name of a server says nothing of its tools: what stands behind the last dot is the tool's own.
    let named: BTreeSet<String> = foreign
        .flat_map(|spec| words(spec.name.rsplit('.').next().unwrap_or_default()))
        .flat_map(|word| word.split('_').map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let about = ABOUT
        .iter()
        .filter(|(_, words)| words.iter().any(|word| named.contains(*word)));
    about.map(|(domain, _)| *domain).collect()
}
