//! Tests that the author of every row is known, and foreign text stays marked.

use adjutant_domain::change::Change;
use adjutant_domain::conversation::{DIRECT, EffectCommit};
use adjutant_domain::ids::RecordId;
use adjutant_domain::plan::{Plan, Step, StepDraft, StepResult, StepState};
use adjutant_domain::ports::{Incoming, Records as _, TurnLog as _};
use adjutant_domain::provenance::{Author, Provenance};
use adjutant_domain::record::{Kind, Record};
use adjutant_domain::source::{Source, Taint};

use super::{effect, event, fresh, mail, note, task, turn, who};
use crate::Store;

async fn of(store: &Store, id: &str) -> Option<Provenance> {
    let ids = [RecordId::from(id)];
    let known = store.provenance(&ids).await.expect("read");
    known.into_values().next()
}

#[tokio::test]
async fn imported_rows_and_events_without_organizer_are_foreign() {
    let (_folder, store) = fresh();
    let lunch = event(
        "e1",
        "Lunch",
        "2026-01-12T12:00:00Z",
        "2026-01-12T13:00:00Z",
    );
    // A forged mail from the owner's own address.
    let forged = mail("m1", who("Me", "me@example.org"), "Hi", "text");
    let records = [
        Record::Event(lunch),
        Record::Mail(forged),
        Record::Task(task("t1", "Milk")),
    ];
    let batch = records.map(|record| Incoming {
        record,
        raw: None,
        provenance: None,
    });
    store
        .import("work.ics", batch.into())
        .await
        .expect("imported");
    let import = Provenance::clean(Author::Import {
        file: "work.ics".into(),
    });
    for (id, kind, foreign) in [
        ("e1", Kind::Event, true),
        ("m1", Kind::Mail, true),
        ("t1", Kind::Task, false),
    ] {
        assert_eq!(of(&store, id).await, Some(import.clone()), "{id}");
        let ids = [RecordId::from(id)];
        let found = store.foreign(kind, &ids).await.expect("read");
        assert_eq!(!found.is_empty(), foreign, "{id}");
    }
}

/// Returns an effect of a step that read foreign text, or whose arguments were found there.
fn carrying(mut effect: EffectCommit, taint: Taint, source: Source) -> EffectCommit {
    let mut step = Step::new(StepDraft {
        key: effect.step.clone(),
        ..StepDraft::default()
    });
    step.draft.sources.insert("/title".into(), source);
    step.state = StepState::Done;
    step.result = Some(StepResult {
        taint,
        ..StepResult::default()
    });
    effect.plan = Some(Plan {
        id: "plan_1".into(),
        request: String::new(),
        asked: None,
        asked_tools: Default::default(),
        planner: Default::default(),
        steps: vec![step],
        taint,
    });
    effect
}

#[tokio::test]
async fn rows_made_from_foreign_text_stay_marked() {
    let (_folder, store) = fresh();
    store
        .open_turn(&turn("turn_1", "note it"))
        .await
        .expect("open");
    let add = |id: &str, row: &str| {
        effect(
            id,
            "turn_1",
            Change::add(Record::Note(note(row, "Title", "Body"))),
        )
    };
    let said = Source::person();
    let found = Source::Untrusted {
        origin: "mail".into(),
    };
    let mut by_hand = add("eff_4", "n4");
    by_hand.conversation = DIRECT.into();
    for effect in [
        carrying(add("eff_1", "n1"), Taint::Clean, said.clone()),
        carrying(add("eff_2", "n2"), Taint::Tainted, said),
        carrying(add("eff_3", "n3"), Taint::Clean, found),
        by_hand,
    ] {
        store.commit_effect(&effect).await.expect("stored");
    }
    let adjutant = Author::Adjutant {
        turn: "turn_1".into(),
    };
    for (id, author, taint) in [
        ("n1", adjutant.clone(), Taint::Clean),
        ("n2", adjutant.clone(), Taint::Tainted),
        ("n3", adjutant, Taint::Tainted),
        ("n4", Author::Person, Taint::Clean),
    ] {
        assert_eq!(
            of(&store, id).await,
            Some(Provenance { author, taint }),
            "{id}"
        );
    }
    // A later change without foreign text does not remove the mark.
    let Ok(Some(kept)) = store.get(Kind::Note, &"n2".into()).await else {
        panic!("there");
    };
    let again = effect("eff_5", "turn_1", Change::replace(kept));
    store.commit_effect(&again).await.expect("stored");
    let ids = [RecordId::from("n1"), RecordId::from("n2")];
    let foreign = store.foreign(Kind::Note, &ids).await.expect("read");
    let foreign: Vec<_> = foreign.into_iter().collect();
    assert_eq!(foreign, [RecordId::from("n2")]);
}

const START: &str = "2026-01-12T12:00:00Z";
const END: &str = "2026-01-12T13:00:00Z";

/// A folder that looks like our own export can claim anything.
#[tokio::test]
async fn a_files_claims_never_make_rows_the_persons_own() {
    let (_folder, store) = fresh();
    let claims = |author: Author, taint| Some(Provenance { author, taint });
    let turn = || Author::Adjutant { turn: "t".into() };
    let event = |id: &str| Record::Event(event(id, id, START, END));
    let note = |id: &str, text: &str| Record::Note(note(id, text, text));
    let batch = vec![
        (event("ev_own"), claims(Author::Person, Taint::Clean)),
        (event("ev_turn"), claims(turn(), Taint::Clean)),
        (
            note("note_own", "Own"),
            claims(Author::Person, Taint::Clean),
        ),
        (note("note_mail", "Mail"), claims(turn(), Taint::Tainted)),
        (note("note_none", "None"), None),
    ];
    let batch = batch.into_iter().map(|(record, provenance)| Incoming {
        record,
        raw: None,
        provenance,
    });
    store
        .import("out", batch.collect())
        .await
        .expect("imported");
    for (kind, id, foreign) in [
        (Kind::Event, "ev_own", true),
        (Kind::Event, "ev_turn", true),
        (Kind::Note, "note_own", false),
        (Kind::Note, "note_mail", true),
        (Kind::Note, "note_none", false),
    ] {
        let of = of(&store, id).await.expect("known");
        assert_eq!(of.is_foreign(kind), foreign, "{id}: {of:?}");
        assert!(matches!(of.author, Author::Import { .. }), "{id}: {of:?}");
    }
}

/// A deleted row gives nothing to a row that a file brings under its identifier.
#[tokio::test]
async fn a_deleted_events_identifier_grants_nothing() {
    let (_folder, store) = fresh();
    let own = Record::Event(event("ev_1", "Own", START, END));
    store
        .open_turn(&turn("turn_1", "add it"))
        .await
        .expect("open");
    let add = effect("effect_1", "turn_1", Change::add(own.clone()));
    store.commit_effect(&add).await.expect("added");
    let mut stored = own;
    stored.set_version(1);
    let remove = effect("effect_2", "turn_1", Change::remove(&stored));
    store.commit_effect(&remove).await.expect("deleted");
    let forged = Incoming {
        record: Record::Event(event("ev_1", "Forged", START, END)),
        raw: None,
        provenance: Some(Provenance::clean(Author::Person)),
    };
    store.import("out", vec![forged]).await.expect("imported");
    let of = of(&store, "ev_1").await.expect("known");
    assert!(of.is_foreign(Kind::Event), "{of:?}");
}
