//! Tests of lists and their filters.

use adjutant_domain::change::Change;
use adjutant_domain::filter::{Field, Filter, Match, Order, Role, RowFlag, Test, Time, Window};
use adjutant_domain::ports::Records as _;
use adjutant_domain::record::{Folder, Kind, MemorySource, Priority, Record, TaskStatus};

use super::{at, contact, draft, fresh, mail, memory, moment, noon, note, task, who};
use crate::Store;

pub(super) async fn put(store: &Store, records: impl IntoIterator<Item = Record>) {
    let change = records.into_iter().fold(Change::default(), Change::and_add);
    store.apply(change).await.expect("stored");
}

async fn mail_ids(store: &Store, filter: Filter) -> Vec<String> {
    let found = store.mails(&filter).await.expect("listed");
    found.into_iter().map(|mail| mail.id.0).collect()
}

#[tokio::test]
async fn lists_tasks_open_first_then_by_date_and_priority() {
    let (_folder, store) = fresh();
    store.set_zone(jiff::tz::TimeZone::get("America/New_York").expect("a zone"));
    let make = |id: &str, due: &str, priority, status| {
        let mut task = task(id, id);
        task.due = (!due.is_empty()).then(|| moment(due));
        (task.priority, task.status) = (priority, status);
        Record::Task(task)
    };
    let (low, high, medium) = (Priority::Low, Priority::High, Priority::Medium);
    let (open, done) = (TaskStatus::Open, TaskStatus::Done);
    put(
        &store,
        [
            make("none", "", medium, open),
            make("done", "2026-01-01", high, done),
            make("low", "2026-01-13T09:00:00Z", low, open),
            make("high", "2026-01-13T09:00:00Z", high, open),
            // In New York, the 13th begins at 5:00 UTC.
            make("day", "2026-01-13", low, open),
            make("early", "2026-01-13T04:59:00Z", low, open),
        ],
    )
    .await;
    let ids = |tasks: Vec<adjutant_domain::record::Task>| -> Vec<String> {
        tasks.into_iter().map(|task| task.id.0).collect()
    };
    let all = store.tasks(&Filter::all()).await.expect("listed");
    assert_eq!(ids(all), ["early", "day", "high", "low", "none", "done"]);
    let hours = Window {
        from: Some(at("2026-01-13T05:00:00Z")),
        to: Some(at("2026-01-13T09:00:00Z")),
    };
    let due = Filter::all().within(Time::Due, hours);
    assert_eq!(ids(store.tasks(&due).await.expect("listed")), ["day"]);
    let two = Filter::all()
        .is(RowFlag::Done, Some(false))
        .at_most(Some(2));
    assert_eq!(
        ids(store.tasks(&two).await.expect("listed")),
        ["early", "day"]
    );
}

#[tokio::test]
async fn lists_done_tasks_latest_first_and_those_of_an_unknown_time_last() {
    let (_folder, store) = fresh();
    let done = |id: &str, due: &str, completed: Option<&str>| {
        let mut task = task(id, id);
        task.due = Some(moment(due));
        task.status = TaskStatus::Done;
        task.completed_at = completed.map(at);
        Record::Task(task)
    };
    put(
        &store,
        [
            done("imported", "2026-01-01", None),
            done("early", "2026-01-02", Some("2026-01-10T09:00:00Z")),
            done("late", "2026-01-03", Some("2026-01-12T09:00:00Z")),
        ],
    )
    .await;
    let ids = |tasks: Vec<adjutant_domain::record::Task>| -> Vec<String> {
        tasks.into_iter().map(|task| task.id.0).collect()
    };
    let all = Filter::all().is(RowFlag::Done, Some(true));
    assert_eq!(
        ids(store.tasks(&all).await.expect("listed")),
        ["late", "early", "imported"]
    );
    // Whatever the time range, a task that was done at an unknown time is not in it.
    let ever = Window {
        from: Some(at("2000-01-01T00:00:00Z")),
        to: Some(at("2100-01-01T00:00:00Z")),
    };
    let ever = Filter::all().within(Time::Completed, ever);
    assert_eq!(
        ids(store.tasks(&ever).await.expect("listed")),
        ["late", "early"]
    );
}

#[tokio::test]
async fn words_match_regardless_of_case_accents_and_number() {
    let (_folder, store) = fresh();
    put(
        &store,
        [
            Record::Note(note("n1", "Crème brûlée", "For the PARTY on Sunday")),
            Record::Note(note("n2", "Reports", "Q3 figures, café")),
            Record::Note(note("n3", "Creme", "nothing")),
        ],
    )
    .await;
    for (asked, expected) in [
        ("creme BRULEE", vec!["n1"]),
        ("parties", vec!["n1"]),
        ("report", vec!["n2"]),
        ("cafe q3", vec!["n2"]),
        ("crème", vec!["n3", "n1"]),
        ("rem", vec![]),
        ("creme figures", vec![]),
        ("!!!", vec![]),
        ("\" OR *", vec![]),
    ] {
        let filter = Filter::all().words(Some(asked));
        let found = store.notes(&filter).await.expect("listed");
        let ids: Vec<&str> = found.iter().map(|note| note.id.as_str()).collect();
        assert_eq!(ids, expected, "{asked}");
    }
    let in_title = Filter::all().words_in(Field::Title, Match::All, Some("sunday"));
    assert_eq!(store.notes(&in_title).await, Ok(Vec::new()));
}

#[tokio::test]
async fn finds_mail_by_person_folder_time_and_words() {
    let (_folder, store) = fresh();
    let nadia = || who("Nadia Pérez", "Nadia.P@Example.org");
    let mut first = mail("m1", nadia(), "Budget", "The numbers you asked for");
    first.date = at("2026-01-10T08:00:00Z");
    let mut second = mail("m2", who("", "nadia@other.org"), "Lunch?", "Tuesday");
    second.date = at("2026-01-11T08:00:00Z");
    second.read = true;
    let mut third = mail(
        "m3",
        who("Bob Ray", "bob@example.org"),
        "Re: Budget",
        "Fine",
    );
    third.to = vec![
        who("Nadia Ray", "n@example.org"),
        who("Ana Lima", "ana@example.org"),
    ];
    third.labels = vec!["Work Stuff".into()];
    let mut gone = mail("m4", nadia(), "Old", "budget");
    gone.folder = Folder::Trash;
    put(&store, [first, second, third, gone].map(Record::Mail)).await;

    let from = |names: &[&str]| {
        let names = names.iter().map(|name| (*name).to_owned());
        Filter::all().with(Role::From, names.collect())
    };
    assert_eq!(mail_ids(&store, from(&["nadia"])).await, ["m1", "m2"]);
    assert_eq!(mail_ids(&store, from(&["Nadia perez"])).await, ["m1"]);
    assert_eq!(
        mail_ids(&store, from(&["nadia.p@example.ORG"])).await,
        ["m1"]
    );
    assert_eq!(
        mail_ids(&store, from(&["perez ray"])).await,
        Vec::<String>::new()
    );
    assert_eq!(
        mail_ids(&store, from(&["bob", "pérez"])).await,
        ["m1", "m3"]
    );
    assert_eq!(mail_ids(&store, from(&["@@"])).await, Vec::<String>::new());
    let to = |name: &str| Filter::all().with(Role::To, vec![name.into()]);
    assert_eq!(mail_ids(&store, to("nadia ray")).await, ["m3"]);
    // Words from two different names do not match.
    assert_eq!(mail_ids(&store, to("ana ray")).await, Vec::<String>::new());

    let all = Filter::all;
    let window = Window {
        from: Some(at("2026-01-11T00:00:00Z")),
        to: Some(noon()),
    };
    for (filter, expected) in [
        (all().words(Some("budget")), vec!["m1", "m3"]),
        (all().words(Some("numbers nadia")), vec!["m1"]),
        (
            all().words_in(Field::Title, Match::All, Some("numbers")),
            vec![],
        ),
        (
            all().words_in(Field::Names, Match::All, Some("other")),
            vec!["m2"],
        ),
        (all().and(Test::Called(" BUDGET ".into())), vec!["m1"]),
        (all().and(Test::Folders(vec![Folder::Trash])), vec!["m4"]),
        (all().is(RowFlag::Read, Some(false)), vec!["m1", "m3"]),
        (all().and(Test::Label("work stuff".into())), vec!["m3"]),
        (all().is(RowFlag::HasAttachment, Some(true)), vec![]),
        (
            all().ordered(Order::Latest).at_most(Some(2)),
            vec!["m3", "m2"],
        ),
        (
            all().ordered(Order::Latest).after(1).at_most(Some(1)),
            vec!["m2"],
        ),
        (all().within(Time::Dated, window), vec!["m2"]),
        (
            all().with(Role::Either, vec!["nadia ray".into(), "nadia perez".into()]),
            vec!["m1", "m3"],
        ),
        (
            all().and(Test::Ids(vec!["m2".into(), "m4".into()])),
            vec!["m2"],
        ),
    ] {
        let total = store.total(Kind::Mail, &filter).await.expect("counted");
        assert_eq!(
            mail_ids(&store, filter.clone()).await,
            expected,
            "{filter:?}"
        );
        if filter.limit.is_none() {
            assert_eq!(total, expected.len() as u64, "{filter:?}");
        }
    }
}

#[tokio::test]
async fn distinguishes_answered_mail() {
    let (_folder, store) = fresh();
    let mut mails: Vec<_> = ["m1", "m2", "m3", "m4"]
        .map(|id| mail(id, who("Ana", "ana@example.org"), id, "Hello"))
        .into();
    let id = |of: &adjutant_domain::record::Mail| Some(of.message_id.clone());
    let first = id(&mails[0]);
    mails[3].folder = Folder::Sent;
    mails[3].in_reply_to = first;
    let mut approved = draft("o1", "ana@example.org", "Re: m2");
    approved.in_reply_to = id(&mails[1]);
    approved.state = adjutant_domain::record::OutboxState::Queued;
    let mut written = draft("o2", "ana@example.org", "Re: m3");
    written.in_reply_to = id(&mails[2]);
    put(&store, mails.into_iter().map(Record::Mail)).await;
    put(&store, [approved, written].map(Record::Outbox)).await;
    let answered = |is| Filter::all().is(RowFlag::Answered, Some(is));
    assert_eq!(mail_ids(&store, answered(true)).await, ["m1", "m2"]);
    assert_eq!(mail_ids(&store, answered(false)).await, ["m3", "m4"]);
}

#[tokio::test]
async fn filters_and_sorts_tasks_by_their_fields() {
    let (_folder, store) = fresh();
    let (now, today) = (noon(), at("2026-01-12T00:00:00Z"));
    let make = |id: &str, due: &str, change: fn(&mut adjutant_domain::record::Task)| {
        let mut task = task(id, id);
        task.due = (!due.is_empty()).then(|| moment(due));
        change(&mut task);
        Record::Task(task)
    };
    put(
        &store,
        [
            make("late", "2026-01-11", |_| {}),
            make("today", "2026-01-12", |task| task.priority = Priority::High),
            make("never", "", |task| task.rrule = Some("FREQ=DAILY".into())),
            make("done", "2026-01-10", |task| {
                task.status = TaskStatus::Done;
                task.completed_at = Some(noon());
            }),
        ],
    )
    .await;
    let overdue = |is| Filter::all().and(Test::Overdue { now, today, is });
    let completed = Window {
        from: Some(noon()),
        to: None,
    };
    for (filter, expected) in [
        (overdue(true), vec!["late"]),
        (overdue(false), vec!["today", "never", "done"]),
        (
            Filter::all().is(RowFlag::HasDue, Some(false)),
            vec!["never"],
        ),
        (
            Filter::all().is(RowFlag::Repeats, Some(true)),
            vec!["never"],
        ),
        (
            Filter::all().within(Time::Completed, completed),
            vec!["done"],
        ),
        (
            Filter::all().and(Test::Priority(Priority::High)),
            vec!["today"],
        ),
        (
            Filter::all().ordered(Order::Latest),
            vec!["today", "late", "done", "never"],
        ),
        (
            Filter::all().ordered(Order::Title),
            vec!["done", "late", "never", "today"],
        ),
        (
            Filter::all().words_in(Field::Anywhere, Match::Loose, Some("neve")),
            vec!["never"],
        ),
    ] {
        let found = store.tasks(&filter).await.expect("listed");
        let ids: Vec<&str> = found.iter().map(|task| task.id.as_str()).collect();
        assert_eq!(ids, expected, "{filter:?}");
        let total = store.total(Kind::Task, &filter).await.expect("counted");
        assert_eq!(total, expected.len() as u64, "{filter:?}");
    }
}

#[tokio::test]
async fn a_list_refuses_unsupported_tests() {
    let (_folder, store) = fresh();
    for (kind, filter) in [
        (Kind::Note, Filter::all().is(RowFlag::Read, Some(true))),
        (Kind::Task, Filter::all().and(Test::Label("x".into()))),
        (Kind::Task, Filter::all().with(Role::To, vec!["ana".into()])),
        (Kind::Task, Filter::all().best("ana")),
        (Kind::Contact, Filter::all().ordered(Order::Largest)),
        (
            Kind::Task,
            Filter::all().words_in(Field::Names, Match::All, Some("x")),
        ),
    ] {
        let refused = store.list(kind, &filter).await;
        assert!(refused.is_err(), "{kind:?} takes {filter:?}");
    }
}

#[tokio::test]
async fn pages_through_many_matches_in_order() {
    let (_folder, store) = fresh();
    let records = (0..2_500).map(|number| {
        let mut one = mail(
            &format!("m{number}"),
            who("Bot", "bot@example.org"),
            "Daily report",
            "x",
        );
        one.date = noon() + jiff::SignedDuration::from_mins((number * 7919) % 2_500);
        adjutant_domain::ports::Incoming {
            record: Record::Mail(one),
            raw: None,
            provenance: None,
        }
    });
    store
        .import("file", records.collect())
        .await
        .expect("imported");
    let filter = Filter::all()
        .words(Some("report"))
        .ordered(Order::Latest)
        .at_most(Some(3));
    let found = store.mails(&filter).await.expect("listed");
    let minutes: Vec<i64> = found
        .iter()
        .map(|mail| mail.date.duration_since(noon()).as_mins())
        .collect();
    assert_eq!(minutes, [2_499, 2_498, 2_497]);
    let total = store.total(Kind::Mail, &filter).await;
    assert_eq!(total, Ok(2_500), "whatever is shown of them");
    let next = store.mails(&filter.after(3)).await.expect("listed");
    assert_eq!(next[0].date.duration_since(noon()).as_mins(), 2_496);
}

#[tokio::test]
async fn finds_contacts_by_start_of_name_or_whole_address() {
    let (_folder, store) = fresh();
    let mut zoe = contact("c1", "Zoë Quill", "zoe@example.org");
    zoe.nicknames = vec!["Zed".into()];
    zoe.relation = "my sister".into();
    put(
        &store,
        [zoe, contact("c2", "Ana Quinn", "ana@example.org")].map(Record::Contact),
    )
    .await;
    for (name, expected) in [
        ("qui", vec!["c2", "c1"]),
        ("zoe q", vec!["c1"]),
        ("Zed", vec!["c1"]),
        ("sister", vec!["c1"]),
        ("ana@example.org", vec!["c2"]),
        ("ana@example", vec![]),
    ] {
        let filter = Filter::all().words_in(Field::Names, Match::Beginnings, Some(name));
        let found = store.contacts(&filter).await.expect("listed");
        let ids: Vec<&str> = found.iter().map(|contact| contact.id.as_str()).collect();
        assert_eq!(ids, expected, "{name}");
    }
}

#[tokio::test]
async fn ranks_memories_and_separates_past_ones() {
    let (_folder, store) = fresh();
    let mut old = memory("m1", "wifi password", "hunter1");
    old.valid_to = Some(noon());
    let mut aside = memory("m2", "wifi password", "from a mail");
    aside.source = MemorySource::Read;
    put(
        &store,
        [
            old,
            aside,
            memory("m3", "wifi password", "hunter2"),
            memory("m4", "allergies", "I am allergic to nuts"),
            memory("m5", "favourite cafe", "the one with the good wifi"),
        ]
        .map(Record::Memory),
    )
    .await;
    let used = |asked: &str| Filter::used_memories().best(asked);
    let ids = async |filter: Filter| -> Vec<String> {
        let found = store.memories(&filter).await.expect("listed");
        found.into_iter().map(|memory| memory.id.0).collect()
    };
    assert_eq!(ids(used("what is my wifi password")).await, ["m3", "m5"]);
    assert_eq!(ids(used("allergy")).await, ["m4"]);
    assert_eq!(ids(Filter::all().best("wifi password")).await.len(), 4);
    let total = store.total(Kind::Memory, &used("wifi")).await;
    assert_eq!(total, Ok(2));
    let key = Filter::used_memories().and(Test::Called("WiFi Password".into()));
    assert_eq!(ids(key).await, ["m3"]);
    store
        .note_memories_used(&["m3".into()], noon())
        .await
        .expect("noted");
    let used = store
        .memories(&used("wifi password"))
        .await
        .expect("listed");
    assert_eq!(
        (used[0].uses, used[0].last_used, used[0].version),
        (1, Some(noon()), 1)
    );
}

#[tokio::test]
async fn finds_outbox_rows_by_recipient_and_state() {
    let (_folder, store) = fresh();
    put(
        &store,
        [
            draft("o1", "ana@example.org", "Hi"),
            draft("o2", "bob@example.org", "Hello"),
        ]
        .map(Record::Outbox),
    )
    .await;
    let drafts = vec![adjutant_domain::record::OutboxState::Draft];
    let filter = Filter::all()
        .with(Role::To, vec!["ana".into()])
        .and(Test::States(drafts));
    let found = store.outbox(&filter).await.expect("listed");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].id.0, "o1");
}
