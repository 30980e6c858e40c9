//! The text of a record that search covers.

use adjutant_domain::record::{Folder, MemorySource, Record};

/// The searchable text of a record.
pub(crate) struct Doc {
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) people: String,
}

/// Returns the searchable text of a record. `None` for what search does not show: mail in trash and junk, and
/// memories that no longer hold or were set aside.
pub(crate) fn of(record: &Record) -> Option<Doc> {
    let doc = |title: &str, body: Vec<&str>, people: Vec<&str>| Doc {
        title: title.to_owned(),
        body: body.join("\n"),
        people: people.join(" "),
    };
    Some(match record {
        Record::Task(task) => doc(&task.title, vec![&task.notes], vec![]),
        Record::Event(event) => doc(
            &event.summary,
            vec![&event.location, &event.description],
            event
                .attendees
                .iter()
                .chain(&event.organizer)
                .flat_map(|who| [who.name.as_str(), who.email.as_str()])
                .collect(),
        ),
        Record::Note(note) => doc(
            &note.title,
            std::iter::once(note.body.as_str())
                .chain(note.tags.iter().map(String::as_str))
                .collect(),
            vec![],
        ),
        Record::Contact(contact) => doc(
            &contact.name,
            vec![&contact.organisation, &contact.relation, &contact.notes],
            contact
                .nicknames
                .iter()
                .chain(&contact.emails)
                .map(String::as_str)
                .collect(),
        ),
        Record::Mail(mail) if matches!(mail.folder, Folder::Trash | Folder::Junk) => return None,
        Record::Mail(mail) => doc(
            &mail.subject,
            std::iter::once(mail.text.as_str())
                .chain(mail.attachments.iter().map(|file| file.name.as_str()))
                .collect(),
            std::iter::once(&mail.from)
                .chain(&mail.to)
                .chain(&mail.cc)
                .flat_map(|who| [who.name.as_str(), who.email.as_str()])
                .collect(),
        ),
        Record::Outbox(item) => doc(
            &item.subject,
            vec![&item.body],
            item.to
                .iter()
                .chain(&item.cc)
                .flat_map(|who| [who.name.as_str(), who.email.as_str()])
                .collect(),
        ),
        Record::Memory(memory)
            if memory.valid_to.is_some() || memory.source == MemorySource::Read =>
        {
            return None;
        }
        Record::Memory(memory) => doc(&memory.key, vec![&memory.value, &memory.category], vec![]),
    })
}
