use adjutant_domain::canonical::Digest;
use adjutant_domain::change::Change;
use adjutant_domain::gate::{ActionState, Call, Card, CardSource, Fact, Risk};
use adjutant_domain::operation::SaveFile;
use adjutant_domain::record::Kind;
use adjutant_domain::source::Taint;
use adjutant_domain::tool::{Before, Frozen};
use adjutant_testkit::make;
use serde_json::json;

use super::*;

fn action(tool: &str, conversation: &str, frozen: Vec<Option<Frozen>>) -> PendingAction {
    PendingAction {
        id: "act_1".into(),
        conversation: conversation.into(),
        turn: "turn_1".into(),
        step: "s1".into(),
        tool: tool.into(),
        calls: frozen
            .into_iter()
            .map(|frozen| Call {
                tool: tool.into(),
                account: "local".into(),
                args: json!({}),
                sources: Default::default(),
                definition: adjutant_domain::tool::Definition(String::new()),
                before: Before {
                    frozen,
                    ..Before::default()
                },
            })
            .collect(),
        card: Card::default(),
        risk: Risk::LocalReversible,
        taint: Taint::Clean,
        why: None,
        grant: None,
        unasked: None,
        nonce: "n".into(),
        digest: Digest("00".into()),
        created: jiff::Timestamp::UNIX_EPOCH,
        expires: jiff::Timestamp::UNIX_EPOCH,
        state: ActionState::Pending,
        channel: None,
        not_before: None,
        waits_until: None,
        superseded_by: None,
    }
}

fn fixed(operation: Operation) -> Option<Frozen> {
    Some(Frozen {
        operations: vec![operation],
        ..Frozen::default()
    })
}

/// What a tool fixes for a change of rows.
fn rows(change: Change) -> Option<Frozen> {
    fixed(Operation::Local { change })
}

fn lunch() -> Event {
    make::event(
        "ev_1",
        "Lunch",
        "2026-01-12T12:00:00-05:00[America/New_York]",
        "2026-01-12T13:00:00-05:00[America/New_York]",
        &[],
    )
}

#[test]
fn shows_events_as_they_will_be() {
    let moved = rows(Change::replace(Record::Event(lunch())));
    let fresh = rows(Change::add(Record::Event(lunch())));
    let found = events(&action(
        "calendar.update",
        "main",
        vec![moved.clone(), fresh],
    ));
    let ids: Vec<_> = found.iter().map(|one| one.id.as_deref()).collect();
    assert_eq!(
        ids,
        [Some("ev_1"), None],
        "a new one has no place of its own yet"
    );
    assert_eq!(found[0].summary, "Lunch");
    assert!(found[0].start.starts_with("2026-01-12T12:00:00-05:00"));
    assert!(!found[0].all_day);
    assert!(events(&action("email.send", "main", vec![moved])).is_empty());
}

#[test]
fn shows_no_cancelled_or_removed_events() {
    let cancelled = Event {
        cancelled: true,
        ..lunch()
    };
    let frozen = vec![
        rows(Change::add(Record::Event(cancelled))),
        rows(Change::remove(&Record::Event(lunch()))),
        None,
    ];
    assert!(events(&action("calendar.delete", "main", frozen)).is_empty());
}

#[test]
fn limits_the_number_of_events() {
    let many = (0..PROPOSED_MAX + 5).map(|_| rows(Change::add(Record::Event(lunch()))));
    let found = events(&action("calendar.create", "main", many.collect()));
    assert_eq!(found.len(), PROPOSED_MAX);
}

#[test]
fn the_worst_call_decides_the_kind_of_undo() {
    let kind = |frozen: Vec<Option<Frozen>>| card_of(&action("x.y", "main", frozen)).undo_kind;
    let task = rows(Change::add(Record::Task(make::task(
        "task_1", "Milk", None,
    ))));
    let mut mail = make::draft("out_1", "bob@example.org", "Hi", "Late.");
    let draft = rows(Change::add(Record::Outbox(mail.clone())));
    mail.state = OutboxState::Queued;
    let leaves = rows(Change::add(Record::Outbox(mail)));
    let file = fixed(Operation::File {
        file: SaveFile {
            mail: "mail_1".into(),
            index: 0,
            sha256: "00".into(),
            bytes: 1,
            path: "/tmp/a.pdf".into(),
        },
    });
    let mail = make::mail(
        "mail_1",
        "a@x.example",
        "Hi",
        "2026-01-12T10:00:00Z",
        "Text",
    );
    let mails = rows(Change::default().and_mark(&mail, Default::default()));
    assert_eq!(kind(vec![task.clone()]), "yes");
    assert_eq!(kind(vec![mails]), "yes");
    assert_eq!(kind(vec![draft]), "yes");
    assert_eq!(kind(vec![leaves.clone(), task.clone()]), "until_sent");
    assert_eq!(kind(vec![leaves, None]), "");
    assert_eq!(kind(vec![task, file]), "no");
    assert_eq!(kind(Vec::new()), "");
}

#[test]
fn a_value_links_to_its_source() {
    let fact = |kind: &str, detail: Option<&str>| Fact {
        label: "To".into(),
        value: "x".into(),
        before: None,
        source: Some(CardSource {
            kind: kind.into(),
            detail: detail.map(Into::into),
        }),
    };
    let target = |id: &str| Target {
        kind: Kind::Event,
        id: id.into(),
        version: 1,
        label: "Lunch".into(),
    };
    let shown = |conversation: &str, targets: &[&str], fact: Fact| {
        let mut action = action("calendar.update", conversation, vec![None]);
        action.card.facts = vec![fact];
        action.calls[0].before.targets = targets.iter().map(|id| target(id)).collect();
        let card = card_of(&action);
        let source = card.facts[0].source.clone().expect("a source");
        source.target.map(|target| (target.kind, target.id))
    };
    let place = |kind: &str, id: &str| Some((kind.to_owned(), id.to_owned()));
    assert_eq!(
        shown("main", &["ev_1"], fact("data", None)),
        place("event", "ev_1")
    );
    assert_eq!(
        shown("main", &["ev_1", "ev_2"], fact("data", None)),
        None,
        "which one?"
    );
    assert_eq!(shown("main", &[], fact("data", None)), None);
    assert_eq!(
        shown("main", &[], fact("step", Some("s0"))),
        place("step", "s0")
    );
    assert_eq!(shown("main", &[], fact("step", None)), None);
    assert_eq!(
        shown("main", &[], fact("person", None)),
        place("message", "turn_1")
    );
    assert_eq!(
        shown("direct", &[], fact("person", None)),
        None,
        "nothing was said there"
    );
    assert_eq!(shown("main", &["ev_1"], fact("found", Some("mail"))), None);
}
