//! Shows a single row in full: its fields, one per line, then its text.

use adjutant_api::rows::{
    ActivityRow, ContactRow, EventRow, MailRow, MemoryRow, OutboxRow, Rows, TaskRow,
};

use super::rows::{undo_text, waits};
use super::when::When;
use crate::print::one_line;

/// Width of the column with field names.
const NAME_WIDTH: usize = 11;

/// Returns the first row in full; `None` if the table already shows everything.
pub(super) fn of(rows: &Rows, when: &When) -> Option<String> {
    Some(match rows {
        Rows::Tasks(all) => task(all.first()?, when),
        Rows::Events(all) => event(all.first()?, when),
        Rows::Notes(all) => {
            let note = all.first()?;
            Whole::new(&note.id)
                .field("Title", &note.title)
                .field("Tags", &note.tags.join(", "))
                .field("Written", &when.moment(&note.created))
                .field("Changed", &when.moment(&note.updated))
                .text(&note.body)
        }
        Rows::Memories(all) => memory(all.first()?, when),
        Rows::Mail(all) => mail(all.first()?, when),
        Rows::Outbox(all) => outbox(all.first()?, when),
        Rows::Contacts(all) => contact(all.first()?),
        Rows::Activity(all) => activity(all.first()?, when),
        _ => return None,
    })
}

fn task(row: &TaskRow, when: &When) -> String {
    let moment = |text: &Option<String>| text.as_deref().map(|text| when.moment(text));
    Whole::new(&row.id)
        .field("Title", &row.title)
        .field("Status", row.status.as_str())
        .maybe("Due", moment(&row.due))
        .maybe("Reminder", moment(&row.remind_at))
        .field("Priority", row.priority.as_str())
        .maybe("Repeats", row.repeats.clone())
        .maybe("Starts", moment(&row.start))
        .maybe(
            "Labels",
            (!row.tags.is_empty()).then(|| row.tags.join(", ")),
        )
        .maybe("Completed", moment(&row.completed_at))
        .text(&row.notes)
}

fn event(row: &EventRow, when: &When) -> String {
    Whole::new(&row.id)
        .field("Title", &row.summary)
        .field("When", &when.range(&row.start, &row.end))
        .field("Zone", &row.tz)
        .maybe("Repeats", row.repeats.clone())
        .field("Where", &row.location)
        .field("Guests", &row.attendees.join(", "))
        .field("Calendar", &row.calendar)
        .field("UID", &row.uid)
        .text(&row.description)
}

fn memory(row: &MemoryRow, when: &When) -> String {
    let moment = |text: &Option<String>| text.as_deref().map(|text| when.moment(text));
    Whole::new(&row.id)
        .field("About", &row.key)
        .field("Fact", &row.value)
        .field("Category", &row.category)
        .field("Source", row.source.as_str())
        .field("Origin", &row.origin)
        .field("Confidence", &format!("{:.2}", row.confidence))
        .field("Since", &when.moment(&row.valid_from))
        .maybe("Until", moment(&row.valid_to))
        .field("Used", &format!("{} times", row.uses))
        .maybe("Last used", moment(&row.last_used))
        .text("")
}

fn mail(row: &MailRow, when: &When) -> String {
    let from = if row.from_name.is_empty() {
        row.from.clone()
    } else {
        format!("{} <{}>", row.from_name, row.from)
    };
    let attachments = (row.attachments > 0).then(|| row.attachments.to_string());
    Whole::new(&row.id)
        .field("From", &from)
        .field("To", &row.to.join(", "))
        .field("Cc", &row.cc.join(", "))
        .field("Date", &when.moment(&row.date))
        .field("Subject", &row.subject)
        .field("Folder", row.folder.as_str())
        .field("Labels", &row.labels.join(", "))
        .maybe("Attachments", attachments)
        .maybe("In part", row.in_part.clone())
        .text(row.text.as_deref().unwrap_or_default())
}

fn outbox(row: &OutboxRow, when: &When) -> String {
    let leaves = row.not_before.as_deref().map(|at| when.moment(at));
    Whole::new(&row.id)
        .field("State", row.state.as_str())
        .maybe("Waits", waits(row, when))
        .field("To", &row.to.join(", "))
        .field("Cc", &row.cc.join(", "))
        .field("Bcc", &row.bcc.join(", "))
        .field("Subject", &row.subject)
        .maybe("Leaves", leaves)
        .field("Changed", &when.moment(&row.updated))
        .text(&row.body)
}

fn contact(row: &ContactRow) -> String {
    Whole::new(&row.id)
        .field("Name", &row.name)
        .field("Also called", &row.nicknames.join(", "))
        .field("Mail", &row.emails.join(", "))
        .field("Phone", &row.phones.join(", "))
        .field("Works for", &row.organisation)
        .field("Relation", &row.relation)
        .field("Birthday", &row.birthday)
        .text(&row.notes)
}

fn activity(row: &ActivityRow, when: &When) -> String {
    let receipt = row.receipt.as_ref().map(ToString::to_string);
    Whole::new(&row.id)
        .field("What", &row.say)
        .field("At", &when.moment(&row.at))
        .field("Tool", &row.tool)
        .field("Outcome", &row.outcome)
        .maybe("Undo", row.undo.map(|undo| undo_text(undo).to_owned()))
        .maybe("Approval", row.approval.clone())
        .field("Arguments", &row.args.to_string())
        .maybe("Receipt", receipt)
        .text("")
}

/// Collects fields, one per line, and a text. Leaves out empty fields.
struct Whole(String);

impl Whole {
    fn new(id: &str) -> Self {
        Self(String::new()).field("Id", id)
    }

    fn field(mut self, name: &str, value: &str) -> Self {
        let value = one_line(value);
        if !value.is_empty() {
            self.0.push_str(&format!("{name:<NAME_WIDTH$}  {value}\n"));
        }
        self
    }

    fn maybe(self, name: &str, value: Option<String>) -> Self {
        self.field(name, value.as_deref().unwrap_or_default())
    }

    fn text(mut self, text: &str) -> String {
        let text = text.trim_end();
        if !text.is_empty() {
            self.0.push('\n');
            self.0.push_str(text);
        }
        self.0.truncate(self.0.trim_end().len());
        self.0
    }
}
