//! Everything the person has that may answer a question, as texts with their places.

use adjutant_domain::filter::{self, Order, Role, Test, Time, Window};
use adjutant_domain::focus::Referent;
use adjutant_domain::ids::RecordId;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::thread::threads;
use adjutant_domain::record::{Event, Folder, Kind, Mail, Record};
use jiff::{Timestamp, ToSpan};

use crate::address::is_own;
use crate::effect::failed;
use crate::file;
use crate::select::{Meant, Row, is_person};
use crate::words;

/// Maximum records that are examined.
const HITS_MAX: usize = 60;
/// Maximum mails that are examined of those that the person wrote to somebody.
const TOLD_MAX: usize = 400;

/// A text of the person.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// Kind of source: `mail`, `note`, …
    pub(super) kind: &'static str,
    /// Id by which calls refer to it; the path of a file.
    pub(super) id: String,
    /// Title.
    pub(super) title: String,
    /// Further words that belong to it: its author, its place.
    pub(super) about: String,
    /// Text.
    pub(super) text: String,
    /// One line with the whole content, if it is short.
    pub(super) line: Option<String>,
    /// Where the text is, for the end of an answer: `mail “Lease” from Ana, Tue 3 Mar`.
    pub(super) place: String,
    /// What "it" may mean after the answer.
    pub(super) referent: Option<Referent>,
    /// Whether others may have written it.
    pub(super) foreign: bool,
    /// When it was written or last changed.
    pub(super) at: Timestamp,
    /// Addresses of the people it comes from, goes to or describes.
    pub(super) people: Vec<String>,
    /// Words that stand for the contact that it describes: nicknames, relation, profession.
    pub(super) roles: String,
    /// Whether its line names a place.
    pub(super) placed: bool,
}

/// Returns the sources that contain some of the words, best first.
pub(super) async fn holding(text: &str, cx: &Cx) -> Result<Vec<Source>, Stop> {
    let hits = cx.records.search(text, &[], HITS_MAX);
    let mut sources = Vec::new();
    for hit in hits.await.map_err(failed)? {
        let record = cx.records.get(hit.kind, &hit.id).await.map_err(failed)?;
        if let Some(record) = record {
            sources.extend(of_record(record, cx).await?);
        }
    }
    for found in file::passages(text, cx).await {
        sources.push(Source {
            kind: "file",
            id: found.path,
            about: String::new(),
            text: found.text,
            line: None,
            place: format!("file {}", words::inline(&found.name)),
            referent: None,
            foreign: true,
            at: found.modified.unwrap_or(Timestamp::MIN),
            title: found.name,
            people: Vec::new(),
            roles: String::new(),
            placed: false,
        });
    }
    Ok(sources)
}

/// Returns the latest mails that the person wrote to all of these people. What a mail answers belongs to it: "Yes, I do."
/// says only with the question what it is about.
pub(super) async fn told(people: &[Meant], cx: &Cx) -> Result<Vec<Source>, Stop> {
    let latest = filter::Filter::all()
        .ordered(Order::Latest)
        .at_most(Some(TOLD_MAX));
    let all: Vec<String> = people.iter().flat_map(|one| one.search.clone()).collect();
    let theirs = latest.clone().with(Role::From, all.clone());
    let to_them = latest.with(Role::To, all);
    // A sender can be forged, so mail by one's own address counts only if nothing was sent from here.
    let sent = to_them
        .clone()
        .and(filter::Test::Folders(vec![Folder::Sent]));
    let mut written = cx.records.mails(&sent).await.map_err(failed)?;
    if written.is_empty() {
        let own = to_them.with(Role::From, cx.settings.owner.emails.clone());
        written = cx.records.mails(&own).await.map_err(failed)?;
        written.retain(|mail| is_own(&mail.from.email, cx));
    }
    written.retain(|mail| {
        let told = |one: &Meant| {
            let mut receivers = mail.to.iter().chain(&mail.cc);
            receivers.any(|who| is_person(&one.search, &who.name, &who.email))
        };
        people.iter().all(told)
    });
    let mut mails = cx.records.mails(&theirs).await.map_err(failed)?;
    let received = mails.len();
    // An answer without links joins the thread of an earlier mail of the list.
    mails.append(&mut written);
    let threads = threads(&mails);
    let mut sources = Vec::new();
    for (place, mail) in mails.iter().enumerate().skip(received) {
        let earlier = mails.iter().zip(&threads).take(received);
        let earlier = earlier
            .filter(|(one, thread)| **thread == threads[place] && one.date <= mail.date)
            .max_by_key(|(one, _)| one.date);
        let answered = earlier.map_or("", |(one, _)| one.text.as_str());
        if let Some(mut source) = of_record(Record::Mail(mail.clone()), cx).await? {
            source.about = format!("{} {answered}", source.about);
            sources.push(source);
        }
    }
    Ok(sources)
}

/// Returns the other side of a mail, for its place: `from Ana`, or `to Ana` if the person sent it.
fn correspondent(mail: &Mail) -> String {
    match mail.to.first() {
        Some(who) if mail.folder == Folder::Sent => {
            format!("to {}", words::who(&who.name, &who.email))
        }
        _ => format!("from {}", words::who(&mail.from.name, &mail.from.email)),
    }
}

/// Returns a record as a source; `None` if it does not count because it is in the trash or junk, cancelled, or no
/// longer holds.
async fn of_record(record: Record, cx: &Cx) -> Result<Option<Source>, Stop> {
    let text = |parts: &[&str]| parts.join("\n");
    Ok(Some(match record {
        Record::Mail(mail) if matches!(mail.folder, Folder::Trash | Folder::Junk) => {
            return Ok(None);
        }
        Record::Mail(mail) => Source {
            kind: "mail",
            id: mail.id.0.clone(),
            about: format!("{} {}", mail.from.name, mail.from.email),
            place: format!(
                "mail {} {}, {}",
                words::quoted(&mail.subject),
                correspondent(&mail),
                words::day(mail.date.to_zoned(cx.zone()).date(), cx)
            ),
            people: std::iter::once(&mail.from)
                .chain(&mail.to)
                .map(|who| who.email.clone())
                .collect(),
            roles: String::new(),
            placed: false,
            referent: Some(Referent {
                kind: Kind::Mail,
                id: mail.id.clone(),
                instance: None,
                label: mail.subject.clone(),
                people: vec![(mail.from.name.clone(), mail.from.email.clone())],
            }),
            line: None,
            foreign: true,
            at: mail.date,
            text: mail.text,
            title: mail.subject,
        },
        Record::Note(note) => Source {
            kind: "note",
            people: Vec::new(),
            roles: String::new(),
            placed: false,
            id: note.ref_id(),
            about: note.tags.join(" "),
            place: format!("note {}", words::quoted(&note.title)),
            referent: note.referent(),
            line: None,
            foreign: false,
            at: note.updated,
            text: note.body,
            title: note.title,
        },
        Record::Memory(memory) => {
            let used = filter::Filter::used_memories().and(Test::Ids(vec![memory.id.clone()]));
            if cx.records.memories(&used).await.map_err(failed)?.is_empty() {
                return Ok(None);
            }
            Source {
                kind: "memory",
                people: Vec::new(),
                roles: String::new(),
                placed: false,
                id: memory.id.0.clone(),
                about: memory.category.clone(),
                line: Some(words::inline(memory.statement().trim_end_matches('.'))),
                place: "you told me".to_owned(),
                referent: memory.referent(),
                foreign: false,
                at: memory.updated,
                text: text(&[&memory.key, &memory.value, &memory.statement()]),
                title: memory.key,
            }
        }
        Record::Task(task) => Source {
            kind: "task",
            people: Vec::new(),
            roles: String::new(),
            placed: false,
            id: task.ref_id(),
            about: task.tags.join(" "),
            line: Some(task.line(cx)),
            place: "task".to_owned(),
            referent: task.referent(),
            foreign: false,
            at: task.updated,
            text: task.notes,
            title: task.title,
        },
        Record::Contact(who) => Source {
            kind: "contact",
            id: who.ref_id(),
            people: who.emails.clone(),
            roles: format!(
                "{} {} {}",
                who.nicknames.join(" "),
                who.relation,
                who.organisation
            ),
            placed: false,
            about: format!(
                "{} {} {}",
                who.nicknames.join(" "),
                who.relation,
                who.organisation
            ),
            line: Some(who.line(cx)),
            place: "address book".to_owned(),
            referent: who.referent(),
            foreign: false,
            at: who.updated,
            text: text(&[&who.emails.join(" "), &who.phones.join(" "), &who.notes]),
            title: who.name,
        },
        Record::Event(event) if event.cancelled => return Ok(None),
        Record::Event(event) => of_event(event, cx).await?,
        Record::Outbox(_) => return Ok(None),
    }))
}

/// Returns an event at its next occurrence, or at its own time if there is none.
async fn of_event(event: Event, cx: &Cx) -> Result<Source, Stop> {
    let ahead = Window {
        from: Some(cx.now.timestamp()),
        to: cx.now.checked_add(2.years()).ok().map(|at| at.timestamp()),
    };
    let coming = filter::Filter::all()
        .and(Test::Ids(vec![RecordId(event.id.0.clone())]))
        .within(Time::Happens, ahead)
        .at_most(Some(1));
    let coming = cx.records.occurrences(&coming).await.map_err(failed)?;
    let (start, end) = coming
        .first()
        .map_or((&event.start, &event.end), |one| (&one.start, &one.end));
    let mut line = format!(
        "{}, {}",
        words::inline(&event.summary),
        words::range(start, end, cx)
    );
    if !event.location.is_empty() {
        line.push_str(&format!(" · {}", words::inline(&event.location)));
    }
    let people: Vec<&str> = event
        .attendees
        .iter()
        .map(|who| who.name.as_str())
        .collect();
    Ok(Source {
        kind: "event",
        id: event.id.0.clone(),
        people: event
            .attendees
            .iter()
            .map(|who| who.email.clone())
            .collect(),
        roles: String::new(),
        placed: !event.location.is_empty(),
        about: format!("{} {}", event.location, people.join(" ")),
        line: Some(line),
        place: "calendar".to_owned(),
        referent: Some(Referent {
            kind: Kind::Event,
            id: event.id.clone(),
            instance: None,
            label: event.summary.clone(),
            people: Vec::new(),
        }),
        foreign: true,
        at: event.updated,
        text: event.description,
        title: event.summary,
    })
}
