//! Measures storage: opening, commits, import, lists and search in a profile of 100,000 mails and 10,000 events.
//!
//! `ADJUTANT_BENCH_MAILS` sets another number of mails.

#![expect(
    clippy::expect_used,
    reason = "a benchmark whose data cannot be made has nothing to measure"
)]

#[path = "support/dice.rs"]
mod dice;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::change::Change;
use adjutant_domain::conversation::{EffectCommit, Turn, TurnEnd, TurnState};
use adjutant_domain::filter::{Field, Filter, Match, Order, Role, RowFlag, Test, Time, Window};
use adjutant_domain::focus::Focus;
use adjutant_domain::moment::Moment;
use adjutant_domain::ports::{Incoming, Records as _, TurnLog as _};
use adjutant_domain::record::{
    Address, Attendee, Event, Folder, Kind, Mail, Priority, Record, Task, TaskStatus,
};
use adjutant_domain::source::Taint;
use adjutant_store::{Store, StoreOptions};
use adjutant_testkit::make;
use criterion::{BatchSize, Criterion};
use jiff::{SignedDuration, Timestamp};
use tokio::runtime::Runtime;

use dice::Dice;

/// Number of rows of one import batch, the same as the importer's.
const BATCH: usize = 500;
/// Panic message if the data cannot be created.
const SETUP: &str = "the data of the benchmark";
const EVENTS: usize = 10_000;
/// Number of rows of every other kind.
const MANY: usize = 10_000;
/// Builds texts from made-up words.
trait Writing {
    /// Returns a random word; rare words come up rarely.
    fn word(&mut self) -> String;

    fn text(&mut self, words: usize) -> String {
        (0..words)
            .map(|_| self.word())
            .collect::<Vec<_>>()
            .join(" ")
    }
}

impl Writing for Dice {
    fn word(&mut self) -> String {
        format!("word{}", letters(self.place()))
    }
}

fn letters(number: usize) -> String {
    let mut rest = number;
    let mut text = String::new();
    for _ in 0..4 {
        text.push(char::from(b"abcdefghijklmnopqrstuvwxyz"[rest % 26]));
        rest /= 26;
    }
    text
}

fn now() -> Timestamp {
    Timestamp::from_second(1_768_219_200).unwrap_or(Timestamp::UNIX_EPOCH)
}

fn before(minutes: usize) -> Timestamp {
    now() - SignedDuration::from_mins(i64::try_from(minutes).unwrap_or(0))
}

fn person(number: usize) -> Address {
    Address {
        name: format!("First{} Last{}", letters(number), letters(number / 7)),
        email: format!("person{number}@example.org"),
    }
}

fn mail(dice: &mut Dice, number: usize) -> Incoming {
    let text = dice.text(150);
    Incoming {
        raw: Some(format!("Subject: x\r\n\r\n{text}").into_bytes()),
        provenance: None,
        record: Record::Mail(Mail {
            id: format!("mail_{number:012}").into(),
            message_id: format!("{number}@example.org"),
            folder: [
                Folder::Inbox,
                Folder::Archive,
                Folder::Archive,
                Folder::Sent,
            ][dice.roll(4)],
            from: person(dice.roll(2_000)),
            to: vec![person(dice.roll(2_000))],
            cc: Vec::new(),
            reply_to: Vec::new(),
            subject: dice.text(6),
            date: before(number * 7),
            text,
            in_reply_to: None,
            references: Vec::new(),
            attachments: Vec::new(),
            labels: Vec::new(),
            read: dice.roll(20) > 0,
            starred: false,
            size: 2_000,
            updated: now(),
            version: 0,
        }),
    }
}

fn event(dice: &mut Dice, number: usize) -> Incoming {
    let start = before(dice.roll(4 * 525_600)) + SignedDuration::from_hours(24 * 365);
    let zone = jiff::tz::TimeZone::get("America/New_York").unwrap_or(jiff::tz::TimeZone::UTC);
    let at = |instant: Timestamp| Moment::At(instant.to_zoned(zone.clone()));
    let guest = person(dice.roll(2_000));
    Incoming {
        raw: None,
        provenance: None,
        record: Record::Event(Event {
            id: format!("ev_{number:012}").into(),
            uid: format!("{number}@example.org"),
            recurrence_id: None,
            following: false,
            calendar: "work".into(),
            summary: dice.text(4),
            description: dice.text(20),
            location: dice.text(2),
            start: at(start),
            end: at(start + SignedDuration::from_mins(30)),
            attendees: vec![Attendee {
                name: guest.name,
                email: guest.email,
                status: String::new(),
            }],
            organizer: None,
            rrule: number
                .is_multiple_of(50)
                .then(|| "FREQ=WEEKLY;BYDAY=MO,WE".to_owned()),
            rdates: Vec::new(),
            exdates: Vec::new(),
            cancelled: false,
            transparent: false,
            sequence: 0,
            created: now(),
            updated: now(),
            version: 0,
        }),
    }
}

fn task(id: &str) -> Record {
    Record::Task(Task {
        id: id.into(),
        title: "Buy milk".into(),
        notes: String::new(),
        due: None,
        remind_at: None,
        priority: Priority::Medium,
        status: TaskStatus::Open,
        rrule: None,
        start: None,
        tags: Vec::new(),
        place: None,
        completed_at: None,
        created: now(),
        updated: now(),
        version: 0,
    })
}

/// Builds a task, note, contact or memory.
fn row(dice: &mut Dice, kind: Kind, number: usize) -> Incoming {
    let id = format!("{}_{number:012}", kind.word());
    let title = format!("{} {number}", dice.text(4));
    let record = match kind {
        Kind::Note => Record::Note(make::note(&id, &title, &dice.text(60))),
        Kind::Contact => {
            let who = person(number);
            Record::Contact(make::contact(&id, &who.name, &[&who.email]))
        }
        Kind::Memory => Record::Memory(make::memory(&id, &title, &dice.text(6))),
        _ => {
            let mut task = make::task(&id, &title, None);
            task.due = Some(Moment::At(
                before(dice.roll(525_600)).to_zoned(jiff::tz::TimeZone::UTC),
            ))
            .filter(|_| dice.roll(3) > 0);
            task.status = [TaskStatus::Open, TaskStatus::Done][dice.roll(2)];
            Record::Task(task)
        }
    };
    Incoming {
        record,
        raw: None,
        provenance: None,
    }
}

fn open(folder: &Path) -> Arc<Store> {
    Store::open(folder, StoreOptions::default()).expect(SETUP)
}

fn import(runtime: &Runtime, store: &Store, all: Vec<Incoming>) {
    let mut rest = all.into_iter().peekable();
    while rest.peek().is_some() {
        let batch: Vec<Incoming> = rest.by_ref().take(BATCH).collect();
        runtime.block_on(store.import("file", batch)).expect(SETUP);
    }
}

fn turn(number: usize) -> Turn {
    Turn {
        id: format!("turn_{number}").into(),
        conversation: "main".into(),
        text: "What is on today?".into(),
        at: now(),
        instead_of: None,
        state: TurnState::Open,
        route: None,
        plan: None,
        answer: None,
    }
}

fn end(number: usize) -> TurnEnd {
    TurnEnd {
        turn: format!("turn_{number}").into(),
        conversation: "main".into(),
        state: TurnState::Done,
        route: None,
        plan: None,
        answer: Some("Nothing.".into()),
        pending: Vec::new(),
        actions: Vec::new(),
        sets_aside: None,
        focus: Focus::default(),
        taint: Taint::Clean,
        private: false,
        at: now(),
        journal: Vec::new(),
        tools: Default::default(),
    }
}

fn effect(number: usize, turn: usize) -> EffectCommit {
    EffectCommit {
        id: format!("eff_{number}").into(),
        turn: format!("turn_{turn}").into(),
        step: "s1".into(),
        conversation: "main".into(),
        tool: "task.create".into(),
        args: serde_json::json!({"title": "Buy milk"}),
        say: "Added.".into(),
        change: Change::add(task(&format!("task_{number}"))),
        claim: None,
        settles_claim: true,
        unasked: Vec::new(),
        undoes: None,
        at: now(),
        plan: None,
        journal: Vec::new(),
    }
}

fn commits(c: &mut Criterion, runtime: &Runtime) {
    let folder = tempfile::tempdir().expect(SETUP);
    let store = open(folder.path());
    let mut number = 0;
    c.bench_function("commit/turn: open and close", |b| {
        b.iter(|| {
            number += 1;
            runtime.block_on(async {
                store.open_turn(&turn(number)).await.expect(SETUP);
                store.close_turn(&end(number)).await.expect(SETUP);
            });
        });
    });
    number += 1;
    let last = number;
    runtime.block_on(store.open_turn(&turn(last))).expect(SETUP);
    c.bench_function("commit/effect: one task", |b| {
        b.iter(|| {
            number += 1;
            runtime
                .block_on(store.commit_effect(&effect(number, last)))
                .expect(SETUP)
        });
    });
    drop(store);
    c.bench_function("open/small profile, one read, close", |b| {
        b.iter(|| {
            let store = open(folder.path());
            runtime.block_on(store.past(&"main".into()))
        });
    });
    c.bench_function("open/new profile", |b| {
        b.iter_batched(
            || tempfile::tempdir().expect(SETUP),
            |folder| (open(folder.path()), folder),
            BatchSize::PerIteration,
        );
    });
}

fn imports(c: &mut Criterion, runtime: &Runtime) {
    let mut group = c.benchmark_group("import");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(30));
    group.bench_function("10,000 mails", |b| {
        b.iter_batched(
            || {
                let folder = tempfile::tempdir().expect(SETUP);
                let mut dice = Dice(1);
                let mails: Vec<_> = (0..10_000).map(|number| mail(&mut dice, number)).collect();
                (open(folder.path()), folder, mails)
            },
            |(store, folder, mails)| {
                import(runtime, &store, mails);
                (store, folder)
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

fn lists(c: &mut Criterion, runtime: &Runtime, store: &Store) {
    let latest = || Filter::all().ordered(Order::Latest).at_most(Some(50));
    let someone = person(7);
    let week_before = Window {
        from: Some(before(7 * 1_440)),
        to: None,
    };
    let filters = [
        ("latest 50", latest()),
        (
            "latest 50 of the inbox, unread",
            latest()
                .and(Test::Folders(vec![Folder::Inbox]))
                .is(RowFlag::Read, Some(false)),
        ),
        (
            "from an address",
            latest().with(Role::From, vec![someone.email.clone()]),
        ),
        (
            "from a name",
            latest().with(Role::From, vec![someone.name.clone()]),
        ),
        ("a frequent word", latest().words(Some("wordbaaa"))),
        (
            "two middling words",
            latest().words(Some("wordpaaa wordbcaa")),
        ),
        ("a rare word", latest().words(Some("wordabcb"))),
        (
            "a word of the subject",
            latest().words_in(Field::Title, Match::All, Some("wordbcaa")),
        ),
        ("last week", latest().within(Time::Dated, week_before)),
        ("page 100", latest().after(5_000)),
    ];
    for (name, filter) in filters {
        c.bench_function(&format!("mails/{name}"), |b| {
            b.iter(|| runtime.block_on(store.mails(&filter)));
        });
    }
    let week = |days: i64| {
        let to = now() + SignedDuration::from_hours(24 * days);
        let window = Window {
            from: Some(now()),
            to: Some(to),
        };
        Filter::all().within(Time::Happens, window)
    };
    let from_now = Window {
        from: Some(now()),
        to: None,
    };
    let filters = [
        ("one day", week(1)),
        ("one month", week(31)),
        (
            "one year with a guest",
            week(365).with(Role::From, vec![person(7).name]),
        ),
        ("a word in a year", week(365).words(Some("wordbcaa"))),
        (
            "the next one",
            Filter::all()
                .within(Time::Happens, from_now)
                .at_most(Some(1)),
        ),
    ];
    for (name, filter) in filters {
        c.bench_function(&format!("occurrences/{name}"), |b| {
            b.iter(|| runtime.block_on(store.occurrences(&filter)));
        });
    }
}

/// Measures opening and counting lists, with 10,000 rows of each kind.
fn many(c: &mut Criterion, runtime: &Runtime, store: &Store) {
    let (now, today) = (now(), now());
    let page = || Filter::all().at_most(Some(200));
    let lists = [
        ("tasks", Kind::Task, page()),
        (
            "tasks, open, by due date",
            Kind::Task,
            page()
                .is(RowFlag::Done, Some(false))
                .ordered(Order::Earliest),
        ),
        (
            "tasks, overdue",
            Kind::Task,
            page().and(Test::Overdue {
                now,
                today,
                is: true,
            }),
        ),
        ("tasks, last page", Kind::Task, page().after(9_800)),
        ("notes", Kind::Note, page()),
        ("notes, by title", Kind::Note, page().ordered(Order::Title)),
        (
            "notes with a frequent word",
            Kind::Note,
            page().words(Some("wordbaaa")),
        ),
        ("events", Kind::Event, page()),
        ("mail", Kind::Mail, page().ordered(Order::Latest)),
        ("contacts", Kind::Contact, page()),
        ("memories", Kind::Memory, page()),
    ];
    for (name, kind, filter) in lists {
        c.bench_function(&format!("list/{name}, 200"), |b| {
            b.iter(|| runtime.block_on(store.list(kind, &filter)));
        });
        c.bench_function(&format!("total/{name}"), |b| {
            b.iter(|| runtime.block_on(store.total(kind, &filter)));
        });
    }
}

fn searches(c: &mut Criterion, runtime: &Runtime, store: &Store, with: &str) {
    for (name, text) in [
        ("a frequent word", "wordbaaa"),
        ("a rare word", "wordabcb"),
        ("three words", "wordbaaa wordpaaa wordbcaa"),
        ("a person", "firsthaaa"),
    ] {
        c.bench_function(&format!("search/{with}, {name}"), |b| {
            b.iter(|| runtime.block_on(store.search(text, &[], 20)));
        });
    }
    c.bench_function(&format!("search/{with}, mail only"), |b| {
        b.iter(|| runtime.block_on(store.search("wordpaaa", &[Kind::Mail], 20)));
    });
}

#[expect(
    clippy::disallowed_methods,
    reason = "a switch of the benchmark itself"
)]
fn mails() -> usize {
    std::env::var("ADJUTANT_BENCH_MAILS")
        .ok()
        .and_then(|number| number.parse().ok())
        .unwrap_or(100_000)
}

fn all(c: &mut Criterion) {
    let runtime = Runtime::new().expect(SETUP);
    commits(c, &runtime);
    imports(c, &runtime);

    let folder = tempfile::tempdir().expect(SETUP);
    let store = open(folder.path());
    let mut dice = Dice(2);
    import(
        &runtime,
        &store,
        (0..mails()).map(|number| mail(&mut dice, number)).collect(),
    );
    import(
        &runtime,
        &store,
        (0..EVENTS).map(|number| event(&mut dice, number)).collect(),
    );
    for kind in [Kind::Task, Kind::Note, Kind::Contact, Kind::Memory] {
        let rows = (0..MANY).map(|number| row(&mut dice, kind, number));
        import(&runtime, &store, rows.collect());
    }
    lists(c, &runtime, &store);
    many(c, &runtime, &store);
    searches(c, &runtime, &store, "without index");
    runtime.block_on(store.index_now()).expect(SETUP);
    searches(c, &runtime, &store, "with index");
    // Twenty changes that the index has not seen yet.
    for number in 0..20 {
        let change = Change::add(task(&format!("task_{number}")));
        runtime.block_on(store.apply(change)).expect(SETUP);
    }
    searches(c, &runtime, &store, "index a little behind");
    drop(store);
    c.bench_function("open/large profile, one read, close", |b| {
        b.iter(|| {
            let store = open(folder.path());
            runtime.block_on(store.past(&"main".into()))
        });
    });
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(30)
        .measurement_time(Duration::from_secs(2))
        .warm_up_time(Duration::from_millis(500))
        .configure_from_args();
    all(&mut criterion);
    criterion.final_summary();
}
