//! Tests of finding rows by words as people say them.

use adjutant_domain::filter::{Field, Filter, Match, Test};
use adjutant_domain::ports::Records as _;
use adjutant_domain::record::{Kind, Record};

use super::lists::put;
use super::{contact, fresh, note, open, task};
use crate::Store;

/// Returns a row of every kind that can be found this way.
fn said() -> Vec<Record> {
    let mut plain = task("t1", "Don't feed the cat");
    plain.notes = "O’Brien's key is below the pot".into();
    let mut bare = task("t2", "dont forget");
    bare.notes = "call about the dentists".into();
    let mut labelled = note("n1", "Zoë's plans", "🎂");
    labelled.tags = vec!["Work Stuff".into()];
    let mut other = note("n2", "🎂", "zoes plans");
    other.tags = vec!["workshop".into()];
    let mut far = contact("c1", "Ana Quinn", "ana@example.org");
    far.phones = vec!["+44 20 7946 0958".into()];
    far.organisation = "Brightwell Labs".into();
    let mut near = contact("c2", "Bo Quill", "bo@example.org");
    near.notes = "met at Brightwell".into();
    vec![
        Record::Task(plain),
        Record::Task(bare),
        Record::Note(labelled),
        Record::Note(other),
        Record::Contact(far),
        Record::Contact(near),
    ]
}

async fn assert_found(store: &Store) {
    let loose = |field, text| Filter::all().words_in(field, Match::Loose, Some(text));
    let anywhere = |text| loose(Field::Anywhere, text);
    let called = |title: &str| Filter::all().and(Test::Called(title.into()));
    let label = |tag: &str| Filter::all().and(Test::Label(tag.into()));
    for (kind, filter, expected) in [
        (Kind::Task, anywhere("don't"), vec!["t1", "t2"]),
        (Kind::Task, anywhere("dont"), vec!["t1", "t2"]),
        (Kind::Task, loose(Field::Title, "obrien"), vec![]),
        (Kind::Task, anywhere("OBrien"), vec!["t1"]),
        (Kind::Task, anywhere("forget dentist"), vec!["t2"]),
        (Kind::Task, anywhere("  "), vec![]),
        (Kind::Task, anywhere("!!!"), vec![]),
        (Kind::Task, called("dont feed the CAT"), vec!["t1"]),
        (Kind::Task, called("feed the cat"), vec![]),
        (Kind::Note, called("zoes plans"), vec!["n1"]),
        (Kind::Note, called("🎂"), vec!["n2"]),
        (Kind::Note, label("work stuff"), vec!["n1"]),
        (Kind::Note, label("work"), vec![]),
        (Kind::Contact, anywhere("7946 0958"), vec!["c1"]),
        (Kind::Contact, anywhere("brightwell"), vec!["c1", "c2"]),
        (
            Kind::Contact,
            loose(Field::Organisation, "brightwell"),
            vec!["c1"],
        ),
    ] {
        let found = store.list(kind, &filter).await.expect("listed");
        let mut ids: Vec<&str> = found.iter().map(|one| one.id().as_str()).collect();
        ids.sort_unstable();
        assert_eq!(ids, expected, "{filter:?}");
        let total = store.total(kind, &filter).await.expect("counted");
        assert_eq!(total, expected.len() as u64, "{filter:?}");
    }
}

#[tokio::test]
async fn finds_words_as_people_say_them() {
    let (_folder, store) = fresh();
    put(&store, said()).await;
    assert_found(&store).await;
}

#[tokio::test]
async fn finds_them_in_an_older_profile_too() {
    let (folder, store) = fresh();
    put(&store, said()).await;
    drop(store);
    let old = rusqlite::Connection::open(folder.path().join("adjutant.db")).expect("the file");
    // As programs before format 13 left the index.
    old.execute_batch(
        "INSERT OR REPLACE INTO tasks_words (rowid, title, notes)
            SELECT pk, 'don t feed the cat', 'o brien s key is below the pot' FROM tasks WHERE id = 't1';
         INSERT OR REPLACE INTO notes_words (rowid, title, body, tags)
            SELECT pk, 'zoe s plans', '', 'work stuff' FROM notes WHERE id = 'n1';
         INSERT OR REPLACE INTO contacts_words (rowid, names, more)
            SELECT pk, 'ana quinn ana example org', 'brightwell labs' FROM contacts WHERE id = 'c1';",
    )
    .expect("as it was");
    crate::migrations::add_functions(&old).expect("known");
    old.execute_batch(&crate::migrations::sql_of(13))
        .expect("the step");
    drop(old);
    assert_found(&open(folder.path())).await;
}
