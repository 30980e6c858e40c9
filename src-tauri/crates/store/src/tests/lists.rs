//! Lists and their filters.

use adjutant_domain::change::Change;
use adjutant_domain::ports::{
    ContactFilter, MailFilter, MemoryFilter, NoteFilter, OutboxFilter, Records as _, Sort,
    TaskFilter, Window,
};
use adjutant_domain::record::{Folder, MemorySource, Priority, Record, TaskStatus};

use super::{at, contact, draft, fresh, mail, memory, moment, noon, note, task, who};
use crate::Store;

async fn put(store: &Store, records: impl IntoIterator<Item = Record>) {
    let change = records.into_iter().fold(Change::default(), Change::and_add);
    store.apply(change).await.expect("stored");
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

async fn mail_ids(store: &Store, filter: MailFilter) -> Vec<String> {
    let found = store.mails(&filter).await.expect("listed");
    found.into_iter().map(|mail| mail.id.0).collect()
}

#[tokio::test]
async fn tasks_come_open_first_then_by_date_then_by_priority() {
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
            // The 13th begins at 5 in UTC for somebody in New York.
            make("day", "2026-01-13", low, open),
            make("early", "2026-01-13T04:59:00Z", low, open),
        ],
    )
    .await;
    let ids = |tasks: Vec<adjutant_domain::record::Task>| -> Vec<String> {
        tasks.into_iter().map(|task| task.id.0).collect()
    };
    let all = store.tasks(&TaskFilter::default()).await.expect("listed");
    assert_eq!(ids(all), ["early", "day", "high", "low", "none", "done"]);
    let due = TaskFilter {
        due: Window {
            from: Some(at("2026-01-13T05:00:00Z")),
            to: Some(at("2026-01-13T09:00:00Z")),
        },
        ..TaskFilter::default()
    };
    assert_eq!(ids(store.tasks(&due).await.expect("listed")), ["day"]);
    let two = TaskFilter {
        status: Some(open),
        limit: Some(2),
        ..TaskFilter::default()
    };
    assert_eq!(
        ids(store.tasks(&two).await.expect("listed")),
        ["early", "day"]
    );
}

#[tokio::test]
async fn words_match_without_case_accents_or_number() {
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
        let filter = NoteFilter {
            text: text(asked),
            ..NoteFilter::default()
        };
        let found = store.notes(&filter).await.expect("listed");
        let ids: Vec<&str> = found.iter().map(|note| note.id.as_str()).collect();
        assert_eq!(ids, expected, "{asked}");
    }
    let in_title = NoteFilter {
        title: text("sunday"),
        ..NoteFilter::default()
    };
    assert_eq!(store.notes(&in_title).await, Ok(Vec::new()));
}

#[tokio::test]
async fn mails_are_found_by_person_folder_time_and_words() {
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

    let from = |names: &[&str]| MailFilter {
        from: names.iter().map(|name| (*name).to_owned()).collect(),
        ..MailFilter::default()
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
    let to = |name: &str| MailFilter {
        to: vec![name.into()],
        ..MailFilter::default()
    };
    assert_eq!(mail_ids(&store, to("nadia ray")).await, ["m3"]);
    // The words of two people do not make a third one.
    assert_eq!(mail_ids(&store, to("ana ray")).await, Vec::<String>::new());

    let with = |change: fn(&mut MailFilter)| {
        let mut filter = MailFilter::default();
        change(&mut filter);
        filter
    };
    assert_eq!(
        mail_ids(&store, with(|f| f.text = text("budget"))).await,
        ["m1", "m3"]
    );
    assert_eq!(
        mail_ids(&store, with(|f| f.text = text("numbers nadia"))).await,
        ["m1"]
    );
    assert_eq!(
        mail_ids(&store, with(|f| f.subject = text("numbers"))).await,
        Vec::<String>::new()
    );
    assert_eq!(
        mail_ids(&store, with(|f| f.subject_is = text(" BUDGET "))).await,
        ["m1"]
    );
    assert_eq!(
        mail_ids(&store, with(|f| f.folders = vec![Folder::Trash])).await,
        ["m4"]
    );
    assert_eq!(
        mail_ids(&store, with(|f| f.read = Some(false))).await,
        ["m1", "m3"]
    );
    assert_eq!(
        mail_ids(&store, with(|f| f.label = text("work stuff"))).await,
        ["m3"]
    );
    assert_eq!(
        mail_ids(&store, with(|f| f.has_attachment = Some(true))).await,
        Vec::<String>::new()
    );
    let latest = with(|f| (f.sort, f.limit) = (Sort::Descending, Some(2)));
    assert_eq!(mail_ids(&store, latest).await, ["m3", "m2"]);
    let window = MailFilter {
        window: Window {
            from: Some(at("2026-01-11T00:00:00Z")),
            to: Some(noon()),
        },
        ..MailFilter::default()
    };
    assert_eq!(mail_ids(&store, window).await, ["m2"]);
}

#[tokio::test]
async fn many_matches_are_walked_in_order() {
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
        }
    });
    store
        .import("file", records.collect())
        .await
        .expect("imported");
    let filter = MailFilter {
        text: text("report"),
        sort: Sort::Descending,
        limit: Some(3),
        ..MailFilter::default()
    };
    let found = store.mails(&filter).await.expect("listed");
    let minutes: Vec<i64> = found
        .iter()
        .map(|mail| mail.date.duration_since(noon()).as_mins())
        .collect();
    assert_eq!(minutes, [2_499, 2_498, 2_497]);
}

#[tokio::test]
async fn contacts_are_found_by_the_beginning_of_a_name_or_the_whole_address() {
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
        let filter = ContactFilter {
            name: text(name),
            limit: None,
        };
        let found = store.contacts(&filter).await.expect("listed");
        let ids: Vec<&str> = found.iter().map(|contact| contact.id.as_str()).collect();
        assert_eq!(ids, expected, "{name}");
    }
}

#[tokio::test]
async fn memories_are_ranked_and_the_past_is_kept_apart() {
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
    let ask = |asked: &str, past, set_aside| MemoryFilter {
        text: text(asked),
        past,
        set_aside,
        ..MemoryFilter::default()
    };
    let ids = async |filter: MemoryFilter| -> Vec<String> {
        let found = store.memories(&filter).await.expect("listed");
        found.into_iter().map(|memory| memory.id.0).collect()
    };
    assert_eq!(
        ids(ask("what is my wifi password", false, false)).await,
        ["m3", "m5"]
    );
    assert_eq!(ids(ask("allergy", false, false)).await, ["m4"]);
    assert_eq!(ids(ask("wifi password", true, true)).await.len(), 4);
    let key = MemoryFilter {
        key: text("WiFi Password"),
        ..MemoryFilter::default()
    };
    assert_eq!(ids(key).await, ["m3"]);
    store
        .note_memories_used(&["m3".into()], noon())
        .await
        .expect("noted");
    let used = store
        .memories(&ask("wifi password", false, false))
        .await
        .expect("listed");
    assert_eq!(
        (used[0].uses, used[0].last_used, used[0].version),
        (1, Some(noon()), 1)
    );
}

#[tokio::test]
async fn the_outbox_is_found_by_recipient_and_state() {
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
    let filter = OutboxFilter {
        to: vec!["ana".into()],
        states: vec![adjutant_domain::record::OutboxState::Draft],
        ..OutboxFilter::default()
    };
    let found = store.outbox(&filter).await.expect("listed");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].id.0, "o1");
}
