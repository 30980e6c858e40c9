//! Sample data for a first look: a week in the life of a made-up person, placed around today, in its own profile.

use adjutant_domain::ids::{RecordId, render};
use adjutant_domain::moment::Moment;
use adjutant_domain::ports::{Entropy, Incoming};
use adjutant_domain::record::{
    Address, Attendee, Contact, Event, Folder, Kind, Mail, Note, Priority, Record, Task, TaskStatus,
};
use jiff::{Timestamp, ToSpan as _, Zoned, civil};

/// Name and address of the made-up owner.
pub const OWNER: (&str, &str) = ("Robin Hale", "robin@hale.example");

const PEOPLE: [(&str, &str); 5] = [
    ("Priya Nair", "priya@kelm.example"),
    ("Mara Lind", "mara@kelm.example"),
    ("Raj Patel", "raj@kelm.example"),
    ("Sofia Marin", "sofia@ateliermarin.example"),
    ("Dr. Ines Vogel", "praxis@vogel.example"),
];

/// Days from today, hour, minute, length in minutes, title, place, person.
type SampleEvent = (i64, i8, i8, i64, &'static str, &'static str, Option<usize>);

const EVENTS: [SampleEvent; 8] = [
    (0, 10, 0, 30, "Stand-up", "", Some(1)),
    (0, 15, 0, 60, "Budget review", "Room 4", Some(0)),
    (1, 9, 30, 45, "Mara / Raj", "", Some(1)),
    (1, 13, 0, 60, "Lunch with Sofia", "Café Elm", Some(3)),
    (2, 11, 0, 60, "Roadmap", "", Some(2)),
    (3, 8, 30, 30, "Dentist", "Vogel practice", Some(4)),
    (4, 16, 0, 90, "Quarterly planning", "Room 1", Some(0)),
    (-1, 14, 0, 60, "Hiring sync", "", Some(2)),
];

/// (days from today, hour, sender, subject, text).
const MAILS: [(i64, i8, usize, &str, &str); 5] = [
    (
        0,
        8,
        0,
        "Numbers for this afternoon",
        "Hi Robin,\n\nthe March numbers are in the shared folder. Travel is 12 % over. Can you have a look before three?\n\nPriya",
    ),
    (
        -1,
        17,
        3,
        "Lunch?",
        "Robin, is one o'clock still good? I booked the table by the window.\n\nSofia",
    ),
    (
        -2,
        9,
        2,
        "Roadmap draft",
        "Draft attached in the wiki. I moved search to the second quarter.\n\nRaj",
    ),
    (
        -3,
        12,
        4,
        "Your appointment",
        "This is to remind you of your appointment. Please bring your insurance card.\n\nVogel practice",
    ),
    (
        -6,
        15,
        1,
        "Hiring plan",
        "We have two candidates for the second round. I suggest Thursday.\n\nMara",
    ),
];

/// (title, days until due, hour, priority).
const TASKS: [(&str, i64, Option<i8>, Priority); 4] = [
    ("Read the March numbers", 0, Some(14), Priority::High),
    ("Book train to Lyon", 2, None, Priority::Medium),
    ("Send Sofia the floor plan", -1, None, Priority::Medium),
    ("Renew passport", 20, None, Priority::Low),
];

/// Messages the made-up person has already sent, so that the sample holds a memory, a finished change and a waiting
/// action.
pub const SAID: [&str; 3] = [
    "Remember that Sofia prefers a table by the window",
    "Remind me tomorrow at 8 to pack the insurance card",
    "Move the lunch with Sofia to 12:30",
];

/// Returns all sample records, dated relative to `now`.
#[must_use]
pub fn records(now: &Zoned, entropy: &dyn Entropy) -> Vec<Incoming> {
    let make = Make { now, entropy };
    let mut records: Vec<Record> = PEOPLE
        .iter()
        .map(|person| Record::Contact(make.contact(person)))
        .collect();
    records.extend(EVENTS.iter().map(|event| Record::Event(make.event(event))));
    records.extend(MAILS.iter().map(|mail| Record::Mail(make.mail(mail))));
    records.extend(TASKS.iter().map(|task| Record::Task(make.task(task))));
    records.push(Record::Note(make.note(
        "Gift ideas",
        "- Sofia: a good pencil\n- Raj: the book about bridges",
    )));
    records.push(Record::Note(make.note(
        "Meeting notes: hiring",
        "Two candidates for the second round. Ask Mara for Thursday.",
    )));
    records
        .into_iter()
        .map(|record| Incoming {
            record,
            raw: None,
            provenance: None,
        })
        .collect()
}

struct Make<'a> {
    now: &'a Zoned,
    entropy: &'a dyn Entropy,
}

impl Make<'_> {
    fn id(&self, kind: Kind) -> RecordId {
        RecordId(render(kind.prefix(), self.entropy.bits()))
    }

    fn stamp(&self) -> Timestamp {
        self.now.timestamp()
    }

    fn day(&self, days: i64) -> civil::Date {
        self.now.date().saturating_add(days.days())
    }

    fn at(&self, days: i64, hour: i8, minute: i8) -> Zoned {
        self.day(days)
            .at(hour, minute, 0, 0)
            .to_zoned(self.now.time_zone().clone())
            .unwrap_or_else(|_| self.now.clone())
    }

    fn contact(&self, &(name, email): &(&str, &str)) -> Contact {
        Contact {
            id: self.id(Kind::Contact),
            uid: format!("sample-{email}"),
            name: name.into(),
            nicknames: Vec::new(),
            emails: vec![email.into()],
            phones: Vec::new(),
            organisation: String::new(),
            relation: String::new(),
            birthday: String::new(),
            notes: String::new(),
            created: self.stamp(),
            updated: self.stamp(),
            version: 0,
        }
    }

    fn event(&self, &(days, hour, minute, minutes, title, place, who): &SampleEvent) -> Event {
        let start = self.at(days, hour, minute);
        let end = start.saturating_add(minutes.minutes());
        Event {
            id: self.id(Kind::Event),
            uid: format!("sample-{days}-{hour}-{minute}"),
            recurrence_id: None,
            following: false,
            calendar: "Sample".into(),
            summary: title.into(),
            description: String::new(),
            location: place.into(),
            start: Moment::At(start),
            end: Moment::At(end),
            attendees: who
                .and_then(|who| PEOPLE.get(who))
                .map(|&(name, email)| Attendee {
                    name: name.into(),
                    email: email.into(),
                    status: "accepted".into(),
                })
                .into_iter()
                .collect(),
            organizer: None,
            rrule: None,
            rdates: Vec::new(),
            exdates: Vec::new(),
            cancelled: false,
            transparent: false,
            sequence: 0,
            created: self.stamp(),
            updated: self.stamp(),
            version: 0,
        }
    }

    fn mail(&self, &(days, hour, who, subject, text): &(i64, i8, usize, &str, &str)) -> Mail {
        let (name, email) = PEOPLE[who % PEOPLE.len()];
        Mail {
            id: self.id(Kind::Mail),
            message_id: format!("sample{days}-{who}@hale.example"),
            folder: Folder::Inbox,
            from: Address {
                name: name.into(),
                email: email.into(),
            },
            to: vec![Address {
                name: OWNER.0.into(),
                email: OWNER.1.into(),
            }],
            cc: Vec::new(),
            reply_to: Vec::new(),
            subject: subject.into(),
            date: self.at(days, hour, 12).timestamp(),
            text: text.into(),
            in_reply_to: None,
            references: Vec::new(),
            attachments: Vec::new(),
            labels: Vec::new(),
            read: days < -1,
            starred: false,
            size: text.len() as u64,
            updated: self.stamp(),
            version: 0,
        }
    }

    fn task(&self, &(title, days, hour, priority): &(&str, i64, Option<i8>, Priority)) -> Task {
        let due = match hour {
            Some(hour) => Moment::At(self.at(days, hour, 0)),
            None => Moment::Day(self.day(days)),
        };
        Task {
            id: self.id(Kind::Task),
            title: title.into(),
            notes: String::new(),
            remind_at: match &due {
                Moment::At(at) if at > self.now => Some(at.timestamp()),
                _ => None,
            },
            due: Some(due),
            priority,
            status: TaskStatus::Open,
            rrule: None,
            start: None,
            tags: Vec::new(),
            place: None,
            completed_at: None,
            created: self.stamp(),
            updated: self.stamp(),
            version: 0,
        }
    }

    fn note(&self, title: &str, body: &str) -> Note {
        Note {
            id: self.id(Kind::Note),
            title: title.into(),
            body: body.into(),
            tags: Vec::new(),
            created: self.stamp(),
            updated: self.stamp(),
            version: 0,
        }
    }
}
