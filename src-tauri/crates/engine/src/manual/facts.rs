//! What the card of a command says of a record: what the person knows it by, before the command and after it.

use adjutant_domain::change::RowOp;
use adjutant_domain::gate::Fact;
use adjutant_domain::moment::Moment;
use adjutant_domain::record::{Attendee, Contact, Event, Folder, Mail, Record, Task, TaskStatus};
use adjutant_domain::settings::Settings;
use jiff::ToSpan as _;
use jiff::tz::TimeZone;

/// Maximum number of dates named that a series gets back or loses.
const DATES_NAMED_MAX: usize = 3;
/// Maximum characters shown of a longer text.
const TEXT_CHARS_MAX: usize = 200;

/// How times are shown.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) settings: &'a Settings,
    pub(super) zone: &'a TimeZone,
}

/// Facts by label; an empty value means that the record has none.
type Facts = Vec<(&'static str, String)>;

impl View<'_> {
    /// Returns the facts of a row operation: of a row that comes or goes all, of a changed one those that change and
    /// those by which the person recognises it.
    pub(super) fn facts(self, op: &RowOp, now: Option<&Record>) -> Vec<Fact> {
        let after = match op {
            RowOp::Put { record, .. } => Some(record.as_ref()),
            RowOp::Delete { .. } => None,
            RowOp::Mark { .. } => return Vec::new(),
        };
        match (now, after) {
            (Some(now), Some(after)) => self.changed(now, after),
            (Some(only), None) | (None, Some(only)) => {
                let shown = self.of(only).into_iter();
                shown
                    .filter(|(_, value)| !value.is_empty())
                    .map(|(label, value)| Fact::new(label, &value, None))
                    .collect()
            }
            (None, None) => Vec::new(),
        }
    }

    fn changed(self, now: &Record, after: &Record) -> Vec<Fact> {
        let mut facts = Vec::new();
        if now.label() != after.label() {
            facts.push(Fact::changed("Name", now.label(), after.label(), None));
        }
        for ((label, before), (_, value)) in self.of(now).into_iter().zip(self.of(after)) {
            if before != value {
                facts.push(Fact::changed(
                    label,
                    or_none(&before),
                    or_none(&value),
                    None,
                ));
            } else if matches!(label, "When" | "Guests" | "From" | "Due") && !value.is_empty() {
                facts.push(Fact::new(label, &value, None));
            }
        }
        if let (Record::Event(now), Record::Event(after)) = (now, after) {
            let between =
                |some: &Event, others: &Event| self.only_in(&some.exdates, &others.exdates);
            for (label, dates) in [
                ("Comes back", between(now, after)),
                ("Is left out", between(after, now)),
            ] {
                if !dates.is_empty() {
                    facts.push(Fact::new(label, &dates, None));
                }
            }
        }
        facts
    }

    /// Returns the facts of a record, in the same order for all records of its kind.
    fn of(self, record: &Record) -> Facts {
        match record {
            Record::Event(event) => self.event(event),
            Record::Task(task) => self.task(task),
            Record::Mail(mail) => mail_facts(mail),
            Record::Contact(contact) => contact_facts(contact),
            Record::Note(note) => vec![("Text", cut(&note.body)), ("Labels", note.tags.join(", "))],
            Record::Outbox(item) => {
                let to = item.to.iter().map(|one| one.email.as_str());
                vec![("To", to.collect::<Vec<_>>().join(", "))]
            }
            Record::Memory(_) => Vec::new(),
        }
    }

    fn event(self, event: &Event) -> Facts {
        let guests: Vec<String> = event.attendees.iter().map(person).collect();
        vec![
            ("When", self.span(&event.start, &event.end)),
            ("Repeats", self.rule(event.rrule.as_deref())),
            ("Where", event.location.clone()),
            ("Guests", guests.join(", ")),
            ("Calendar", event.calendar.clone()),
            ("Description", cut(&event.description)),
        ]
    }

    fn task(self, task: &Task) -> Facts {
        let due = task.due.as_ref().map(|due| self.moment(due));
        let state = match task.status {
            TaskStatus::Open => "open",
            TaskStatus::Done => "done",
        };
        vec![
            ("Due", due.unwrap_or_default()),
            ("Repeats", self.rule(task.rrule.as_deref())),
            ("State", state.to_owned()),
            ("Labels", task.tags.join(", ")),
            ("Notes", cut(&task.notes)),
        ]
    }

    fn rule(self, rule: Option<&str>) -> String {
        let order = self.settings.date_order();
        rule.map(|rule| adjutant_recurrence::in_words(rule, order))
            .unwrap_or_default()
    }

    /// Returns the dates of a list that another does not have.
    fn only_in(self, some: &[Moment], others: &[Moment]) -> String {
        let missing: Vec<String> = some
            .iter()
            .filter(|one| !others.contains(one))
            .map(|one| self.moment(one))
            .collect();
        let shown = missing.len().min(DATES_NAMED_MAX);
        let rest = match missing.len() - shown {
            0 => String::new(),
            rest => format!(" and {rest} more"),
        };
        format!("{}{rest}", missing[..shown].join("; "))
    }

    /// Returns a period. Of whole days, the end is the day after the last one.
    fn span(self, start: &Moment, end: &Moment) -> String {
        let (from, to) = match (start, end) {
            (Moment::Day(_), Moment::Day(end)) => {
                let last = Moment::Day(end.saturating_sub(1.day()));
                (self.moment(start), self.moment(&last))
            }
            (Moment::At(start_at), Moment::At(end_at)) => {
                let here = |at: &jiff::Zoned| at.with_time_zone(self.zone.clone());
                let (first, last) = (here(start_at), here(end_at));
                let to = match first.date() == last.date() {
                    true => self.settings.clock.show(last.time()),
                    false => self.moment(end),
                };
                (self.moment(start), to)
            }
            _ => (self.moment(start), self.moment(end)),
        };
        if from == to {
            from
        } else {
            format!("{from} – {to}")
        }
    }

    fn moment(self, moment: &Moment) -> String {
        let order = self.settings.date_order();
        match moment {
            Moment::Day(day) => order.show_with_year(*day),
            Moment::At(at) => {
                let at = at.with_time_zone(self.zone.clone());
                let time = self.settings.clock.show(at.time());
                format!("{}, {time}", order.show_with_year(at.date()))
            }
        }
    }
}

fn mail_facts(mail: &Mail) -> Facts {
    let folder = match mail.folder {
        Folder::Inbox => "Inbox",
        Folder::Sent => "Sent",
        Folder::Archive => "Archive",
        Folder::Trash => "Trash",
        Folder::Junk => "Junk",
    };
    let marks = [(mail.read, "read"), (mail.starred, "starred")];
    let marks: Vec<&str> = marks
        .into_iter()
        .filter(|one| one.0)
        .map(|one| one.1)
        .collect();
    vec![
        ("From", mail.from.email.clone()),
        ("Folder", folder.to_owned()),
        ("Marked", marks.join(", ")),
        ("Labels", mail.labels.join(", ")),
    ]
}

fn contact_facts(contact: &Contact) -> Facts {
    vec![
        ("Mail", contact.emails.join(", ")),
        ("Phone", contact.phones.join(", ")),
        ("Organisation", contact.organisation.clone()),
        ("Relation", contact.relation.clone()),
        ("Birthday", contact.birthday.clone()),
        ("Notes", cut(&contact.notes)),
    ]
}

/// Returns a guest as `Kim Adams (kim@else.example)`, or the address alone.
pub(super) fn person(guest: &Attendee) -> String {
    match guest.name.trim() {
        "" => guest.email.clone(),
        name => format!("{name} ({})", guest.email),
    }
}

fn or_none(value: &str) -> &str {
    if value.is_empty() { "none" } else { value }
}

fn cut(text: &str) -> String {
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = words.char_indices().nth(TEXT_CHARS_MAX) {
        words.truncate(end);
        words.push('…');
    }
    words
}
