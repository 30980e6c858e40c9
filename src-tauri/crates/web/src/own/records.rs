//! Converts notes, mails and memories to text.

use adjutant_domain::record::Record;

use crate::text::Extracted;

/// Returns the text of a record that can be a source; `None` for other kinds.
pub(super) fn text_of(record: &Record) -> Option<Extracted> {
    let (title, text) = match record {
        Record::Note(note) => (note.title.clone(), note.body.clone()),
        Record::Mail(mail) => (
            mail.subject.clone(),
            format!(
                "{}\n\nFrom {} on {}\n\n{}",
                mail.subject,
                mail.from,
                mail.date.strftime("%-d %B %Y"),
                mail.text
            ),
        ),
        Record::Memory(memory) => (memory.key.clone(), memory.statement()),
        _ => return None,
    };
    Some(crate::text::bounded(Extracted {
        title,
        text: text.trim().to_owned(),
        cut: false,
    }))
}
