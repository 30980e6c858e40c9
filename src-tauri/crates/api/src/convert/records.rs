//! Conversion of records and jobs to rows.

use adjutant_domain::gate::PendingAction;
use adjutant_domain::job::{self, Job};
use adjutant_domain::moment::{Moment, rfc3339};
use adjutant_domain::ports::UnexpandedSeries;
use adjutant_domain::record::thread::threads;
use adjutant_domain::record::{
    Attachment, Attendee, Contact, Event, Mail, Memory, Note, Occurrence, OutboxItem, Task,
};
use adjutant_domain::settings::DateOrder;
use adjutant_recurrence::in_words;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::rows::{
    ContactRow, EventRow, GuestRow, JobKind, JobRow, JobState, MailFile, MailRow, MemoryRow,
    NoteRow, OutboxRow, OutboxWait, Repeats, TaskRow,
};
use crate::words::WaitsFor;

/// Formats an instant as RFC 3339 in `zone`.
#[must_use]
pub fn at(instant: Timestamp, zone: &TimeZone) -> String {
    rfc3339(&instant.to_zoned(zone.clone()))
}

/// Returns the row of a job.
#[must_use]
pub fn job(job: &Job, zone: &TimeZone) -> JobRow {
    JobRow {
        id: job.id.0.clone(),
        kind: match job.kind {
            job::JobKind::Reminder => JobKind::Reminder,
            job::JobKind::Send => JobKind::Send,
            job::JobKind::Expire => JobKind::Expire,
            job::JobKind::Compare => JobKind::Compare,
            job::JobKind::FetchModel => JobKind::FetchModel,
            job::JobKind::Tidy => JobKind::Tidy,
            job::JobKind::Check => JobKind::Check,
            job::JobKind::Sync => JobKind::Sync,
            job::JobKind::Research => JobKind::Research,
            job::JobKind::Documents => JobKind::Documents,
        },
        subject: job.subject.clone(),
        title: job_title(job),
        at: at(job.due, zone),
        next: job.next_at().map(|next| at(next, zone)),
        state: match job.state {
            job::JobState::Waiting => JobState::Waiting,
            job::JobState::Running => JobState::Running,
            job::JobState::Paused => JobState::Paused,
            job::JobState::Done => JobState::Done,
            job::JobState::Skipped => JobState::Skipped,
            job::JobState::Failed => JobState::Failed,
            job::JobState::Stopped => JobState::Stopped,
        },
        attempts: job.attempts,
        late: job.late,
        why: job.why.clone(),
        done: job.progress.map(|progress| progress.done),
        budget: job.budget,
        repeats: job.schedule.as_ref().map(|schedule| match schedule {
            job::Schedule::Day { at } => Repeats::Day {
                at: at.strftime("%H:%M").to_string(),
            },
            job::Schedule::Week { day, at } => Repeats::Week {
                day: *day,
                at: at.strftime("%H:%M").to_string(),
            },
            job::Schedule::Hours { hours } => Repeats::Hours { hours: *hours },
            job::Schedule::Minutes { minutes } => Repeats::Minutes { minutes: *minutes },
        }),
        catch_up: match job.kind.rules().catch_up {
            job::CatchUp::Once => "once",
            job::CatchUp::Skip => "skip",
            job::CatchUp::Each => "each",
        }
        .into(),
        stoppable: job.clone().stopped().is_ok(),
    }
}

/// Returns what a job does. A job that expires an action is titled like the action, which it does not do.
fn job_title(job: &Job) -> String {
    match job.kind {
        job::JobKind::Expire => format!("Withdraw “{}” if you have not decided", job.title),
        _ => job.title.clone(),
    }
}

/// Returns the row of a task.
#[must_use]
pub fn task(task: &Task, zone: &TimeZone, order: DateOrder) -> TaskRow {
    TaskRow {
        id: task.id.0.clone(),
        title: task.title.clone(),
        notes: task.notes.clone(),
        due: task.due.as_ref().map(Moment::rfc3339),
        remind_at: task.remind_at.map(|instant| at(instant, zone)),
        priority: task.priority.into(),
        status: task.status.into(),
        rrule: task.rrule.clone(),
        repeats: task.rrule.as_deref().map(|rule| in_words(rule, order)),
        start: task.start.map(|day| day.to_string()),
        tags: task.tags.clone(),
        place: task.place,
        completed_at: task.completed_at.map(|instant| at(instant, zone)),
    }
}

/// Returns the row of a stored event, either a master or an exception.
#[must_use]
pub fn event(event: &Event, order: DateOrder) -> EventRow {
    row(
        event,
        &event.start,
        &event.end,
        event.recurrence_id.as_ref(),
        order,
    )
}

/// Returns the row of one instance.
#[must_use]
pub fn occurrence(occurrence: &Occurrence, order: DateOrder) -> EventRow {
    row(
        &occurrence.event,
        &occurrence.start,
        &occurrence.end,
        occurrence.instance_of.as_ref(),
        order,
    )
}

/// Returns the row of a series whose instances in the range are not all known.
#[must_use]
pub fn unexpanded(series: &UnexpandedSeries, order: DateOrder) -> EventRow {
    EventRow {
        unexpanded: Some(series.reason.clone()),
        ..event(&series.event, order)
    }
}

fn row(
    event: &Event,
    start: &Moment,
    end: &Moment,
    instance: Option<&Moment>,
    order: DateOrder,
) -> EventRow {
    let tz = match start {
        Moment::At(at) => at.time_zone().iana_name().unwrap_or_default().to_owned(),
        Moment::Day(_) => String::new(),
    };
    EventRow {
        id: event.id.0.clone(),
        uid: event.uid.clone(),
        summary: event.summary.clone(),
        start: start.rfc3339(),
        end: end.rfc3339(),
        tz,
        all_day: start.is_day(),
        location: event.location.clone(),
        description: event.description.clone(),
        attendees: event
            .attendees
            .iter()
            .map(|guest| guest.email.clone())
            .collect(),
        guests: event.attendees.iter().map(guest).collect(),
        organizer: event.organizer.as_ref().map(guest),
        rrule: event.rrule.clone(),
        repeats: event.rrule.as_deref().map(|rule| in_words(rule, order)),
        calendar: event.calendar.clone(),
        instance: instance.map(ToString::to_string),
        unexpanded: None,
    }
}

/// Returns the row of a guest.
#[must_use]
pub fn guest(guest: &Attendee) -> GuestRow {
    GuestRow {
        name: guest.name.clone(),
        email: guest.email.clone(),
        status: guest.status.clone(),
    }
}

/// Returns the row of a note.
#[must_use]
pub fn note(note: &Note, zone: &TimeZone) -> NoteRow {
    NoteRow {
        id: note.id.0.clone(),
        title: note.title.clone(),
        body: note.body.clone(),
        tags: note.tags.clone(),
        created: at(note.created, zone),
        updated: at(note.updated, zone),
    }
}

/// Returns the row of a memory.
#[must_use]
pub fn memory(memory: &Memory, zone: &TimeZone) -> MemoryRow {
    MemoryRow {
        id: memory.id.0.clone(),
        category: memory.category.clone(),
        key: memory.key.clone(),
        value: memory.value.clone(),
        statement: memory.statement(),
        source: memory.source.into(),
        origin: memory.origin.clone(),
        confidence: memory.confidence,
        valid_from: at(memory.valid_from, zone),
        valid_to: memory.valid_to.map(|instant| at(instant, zone)),
        uses: memory.uses,
        last_used: memory.last_used.map(|instant| at(instant, zone)),
    }
}

/// Number of characters of a mail's text shown in a list.
const EXCERPT_CHARS: usize = 140;

/// Returns the rows of mails, in the same order; with their texts if `with_text` is set.
#[must_use]
pub fn mails(mails: &[Mail], zone: &TimeZone, with_text: bool) -> Vec<MailRow> {
    let threads = threads(mails);
    let threads = threads.iter().map(|first| mails[*first].id.as_str());
    mails
        .iter()
        .zip(threads)
        .map(|(one, thread)| mail(one, thread, zone, with_text))
        .collect()
}

fn mail(mail: &Mail, thread: &str, zone: &TimeZone, with_text: bool) -> MailRow {
    MailRow {
        id: mail.id.0.clone(),
        message_id: mail.message_id.clone(),
        folder: mail.folder.into(),
        from: mail.from.email.clone(),
        from_name: mail.from.name.clone(),
        to: mail.to.iter().map(|one| one.email.clone()).collect(),
        cc: mail.cc.iter().map(|one| one.email.clone()).collect(),
        subject: mail.subject.clone(),
        date: at(mail.date, zone),
        read: mail.read,
        starred: mail.starred,
        labels: mail.labels.clone(),
        attachments: mail.attachments.len(),
        files: mail.attachments.iter().map(file).collect(),
        excerpt: mail.excerpt(EXCERPT_CHARS),
        thread: thread.to_owned(),
        text: with_text.then(|| mail.text.clone()),
        in_part: None,
        writer: None,
    }
}

fn file(file: &Attachment) -> MailFile {
    MailFile {
        name: file.name.clone(),
        size: file.size,
    }
}

/// Returns the row of a draft or outgoing mail.
#[must_use]
pub fn outbox(item: &OutboxItem, zone: &TimeZone) -> OutboxRow {
    let addresses = |list: &[adjutant_domain::record::Address]| {
        list.iter().map(|one| one.email.clone()).collect()
    };
    OutboxRow {
        id: item.id.0.clone(),
        to: addresses(&item.to),
        cc: addresses(&item.cc),
        bcc: addresses(&item.bcc),
        subject: item.subject.clone(),
        body: item.body.clone(),
        in_reply_to: item.in_reply_to.clone(),
        forward_of: item.forward_of.clone(),
        state: item.state.into(),
        not_before: item.not_before.map(|instant| at(instant, zone)),
        waits: None,
        updated: at(item.updated, zone),
    }
}

/// Returns why an approved action is not carried out yet, and until when; `None` if it does not wait. `signed_out` is
/// the name of the account that it needs and that the person has to sign in to.
#[must_use]
pub fn wait(
    action: &PendingAction,
    signed_out: Option<String>,
    zone: &TimeZone,
) -> Option<OutboxWait> {
    let (why, until, account) = match (action.not_before, signed_out) {
        _ if !action.waits() => return None,
        (Some(end), _) => (WaitsFor::Hold, end, None),
        (None, None) => (WaitsFor::Connection, action.waits_until?, None),
        (None, account) => (WaitsFor::SignIn, action.waits_until?, account),
    };
    Some(OutboxWait {
        why,
        until: at(until, zone),
        account,
    })
}

/// Returns the row of a contact.
#[must_use]
pub fn contact(contact: &Contact) -> ContactRow {
    ContactRow {
        id: contact.id.0.clone(),
        name: contact.name.clone(),
        nicknames: contact.nicknames.clone(),
        emails: contact.emails.clone(),
        phones: contact.phones.clone(),
        organisation: contact.organisation.clone(),
        relation: contact.relation.clone(),
        birthday: contact.birthday.clone(),
        notes: contact.notes.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_that_expires_an_action_does_not_read_like_the_action() {
        let row = |kind| {
            let planned = Job {
                id: adjutant_domain::ids::JobId("1".into()),
                kind,
                subject: "act_1".into(),
                title: "Reply to Ines".into(),
                state: job::JobState::Waiting,
                due: Timestamp::UNIX_EPOCH,
                run_at: Timestamp::UNIX_EPOCH,
                lease: None,
                attempts: 0,
                late: false,
                why: None,
                schedule: None,
                progress: None,
                budget: None,
                data: serde_json::Value::Null,
            };
            job(&planned, &TimeZone::UTC).title
        };
        assert_eq!(
            row(job::JobKind::Expire),
            "Withdraw “Reply to Ines” if you have not decided"
        );
        assert_eq!(row(job::JobKind::Send), "Reply to Ines");
    }
}
