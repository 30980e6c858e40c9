//! Tests of approved actions that wait for the end of their hold or for a connection: the approval itself waits and is
//! listed in the outbox; no row represents it.

use adjutant_domain::filter::Filter;
use adjutant_domain::gate::ActionState;
use adjutant_domain::ids::RecordId;
use adjutant_domain::plan::PlanDraft;
use adjutant_domain::ports::{Records as _, TurnLog as _};
use adjutant_domain::reading::Reading;
use adjutant_domain::record::{OutboxItem, OutboxState};
use adjutant_domain::settings::Settings;
use adjutant_engine::{DueReport, News, Op, OutboxAct, Target};
use adjutant_testkit::remote::Trouble;
use serde_json::{Value, json};

use crate::accounts::Profile;
use crate::script::Mind;
use crate::world::{Turn, step};

fn letter() -> Value {
    json!({"to": ["kim@else.example"], "subject": "Hi", "body": "I am late."})
}

/// Returns a profile that holds mail for this long and understands "send it" and "undo".
async fn profile(hold_seconds: u32) -> Profile {
    profile_with(hold_seconds, letter()).await
}

/// Returns the same profile, in which "send it" sends this mail.
async fn profile_with(hold_seconds: u32, letter: Value) -> Profile {
    let mut settings = Settings {
        hold_seconds: Some(hold_seconds),
        ..Settings::default()
    };
    settings.owner.emails = vec!["me@work.example".into()];
    let mut mind = Mind::default();
    let mail = || step("s1", "email.send", letter.clone());
    let tea = |key: &str| step(key, "task.create", json!({"title": "Tea"}));
    let plan = |request: &str, steps| Reading::Plan {
        plan: PlanDraft {
            request: request.into(),
            steps,
        },
        trace: Vec::new(),
    };
    let readings = [
        ("send it", plan("send it", vec![mail()])),
        ("add tea", plan("add tea", vec![tea("s1")])),
        ("do both", plan("do both", vec![mail(), tea("s2")])),
        ("undo", Reading::Undo { trace: Vec::new() }),
    ];
    let readings = readings.map(|(text, reading)| (text.to_owned(), reading));
    mind.readings = readings.into();
    Profile::new(settings, mind).await
}

/// Returns a profile with an approved mail on hold.
async fn held() -> (Profile, RecordId) {
    let profile = profile(20).await;
    assert_eq!(profile.ask("send it").await.end().0, "waiting");
    let (name, answer) = profile.approve().await.end();
    assert_eq!(name, "done");
    assert!(answer.contains("held for 20 s"), "{answer}");
    let entry = outbox(&profile).await.remove(0);
    assert_eq!(entry.state, OutboxState::Held);
    assert_eq!(entry.subject, "Hi");
    (profile, entry.id)
}

async fn outbox(profile: &Profile) -> Vec<OutboxItem> {
    let all = profile.store.outbox(&Filter::all()).await;
    all.unwrap()
}

async fn decide(profile: &Profile, id: &RecordId, act: OutboxAct) -> Turn {
    let id = id.clone();
    profile.run(Op::Outbox { id, act }).await
}

fn lines(report: DueReport) -> Vec<String> {
    assert_eq!(report.problems, []);
    let lines = report.news.into_iter().map(|news| match news {
        News::Line(line) => line,
        News::Reminder(reminder) => panic!("{reminder:?}"),
    });
    lines.collect()
}

async fn tools_done(profile: &Profile) -> Vec<String> {
    let all = profile.store.effects(None).await.unwrap();
    all.into_iter().map(|effect| effect.tool).collect()
}

#[tokio::test]
async fn sends_a_held_mail_once_after_its_hold() {
    let (profile, _) = held().await;
    assert_eq!(lines(profile.engine.run_due().await), Vec::<String>::new());
    assert_eq!(profile.remote.sent(), []);
    assert_eq!(tools_done(&profile).await, Vec::<String>::new());
    profile.later(1);
    assert_eq!(
        lines(profile.engine.run_due().await),
        ["Sent: “Hi” to kim@else.example."]
    );
    assert_eq!(profile.remote.sent().len(), 1);
    let all = outbox(&profile).await;
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(all[0].state, OutboxState::Sent);
    assert_eq!(tools_done(&profile).await, ["email.send"]);
    profile.later(60);
    assert_eq!(lines(profile.engine.run_due().await), Vec::<String>::new());
    assert_eq!(profile.remote.sent().len(), 1);
}

#[tokio::test]
async fn a_held_mail_taken_back_becomes_a_draft_and_is_never_sent() {
    let (profile, id) = held().await;
    let (name, answer) = decide(&profile, &id, OutboxAct::ToDraft).await.end();
    assert_eq!(name, "done", "{answer}");
    let all = outbox(&profile).await;
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(
        (all[0].state, all[0].body.as_str()),
        (OutboxState::Draft, "I am late.")
    );
    assert_eq!(profile.actions(ActionState::Cancelled).await.len(), 1);
    for act in [OutboxAct::SendNow, OutboxAct::ToDraft] {
        assert_eq!(decide(&profile, &id, act).await.end().0, "error");
    }
    profile.later(60);
    profile.engine.run_due().await;
    assert_eq!(profile.remote.sent(), []);
}

#[tokio::test]
async fn sends_a_scheduled_mail_at_its_time() {
    let mut letter = letter();
    letter["send_at"] = json!("2026-01-12T10:00:00+00:00[UTC]");
    let profile = profile_with(0, letter).await;
    assert_eq!(profile.ask("send it").await.end().0, "waiting");
    let (_, answer) = profile.approve().await.end();
    assert!(answer.contains("held until its time"), "{answer}");
    profile.later(59);
    assert_eq!(lines(profile.engine.run_due().await), Vec::<String>::new());
    assert_eq!(profile.remote.sent(), []);
    profile.later(2);
    profile.engine.run_due().await;
    assert_eq!(profile.remote.sent().len(), 1);
    profile.later(60);
    profile.engine.run_due().await;
    assert_eq!(profile.remote.sent().len(), 1);
}

#[tokio::test]
async fn undo_takes_back_a_held_mail() {
    let (profile, _) = held().await;
    let (_, answer) = profile.ask("undo").await.end();
    assert!(
        answer.starts_with("Taken back, nothing was sent"),
        "{answer}"
    );
    assert_eq!(outbox(&profile).await[0].state, OutboxState::Draft);
    profile.later(60);
    profile.engine.run_due().await;
    assert_eq!(profile.remote.sent(), []);
}

#[tokio::test]
async fn undo_takes_back_a_held_mail_before_what_was_done_while_it_waited_for_approval() {
    let profile = profile(20).await;
    assert_eq!(profile.ask("send it").await.end().0, "waiting");
    profile.later(2);
    assert_eq!(profile.ask("add tea").await.end().0, "done");
    profile.later(2);
    assert_eq!(profile.approve().await.end().0, "done");
    let answers = [
        profile.ask("undo").await.end().1,
        profile.ask("undo").await.end().1,
    ];
    assert!(
        answers[0].starts_with("Taken back, nothing was sent"),
        "{answers:?}"
    );
    assert_eq!(answers[1], "Undone: Added “Tea”.");
    assert_eq!(outbox(&profile).await[0].state, OutboxState::Draft);
}

#[tokio::test]
async fn undo_does_not_pass_over_a_mail_that_has_left() {
    let profile = profile(0).await;
    assert_eq!(profile.ask("add tea").await.end().0, "done");
    profile.later(2);
    assert_eq!(profile.ask("send it").await.end().0, "waiting");
    assert_eq!(profile.approve().await.end().0, "done");
    assert_eq!(profile.remote.sent().len(), 1);
    let (_, answer) = profile.ask("undo").await.end();
    assert!(
        answer.starts_with("The latest thing done here cannot be undone"),
        "{answer}"
    );
    let tasks = profile.store.tasks(&Filter::all()).await.unwrap();
    assert_eq!(tasks.len(), 1);
}

#[tokio::test]
async fn undo_takes_back_what_can_be_of_a_request_whose_mail_has_left() {
    let profile = profile(0).await;
    assert_eq!(profile.ask("do both").await.end().0, "waiting");
    assert_eq!(profile.approve().await.end().0, "done");
    assert_eq!(profile.remote.sent().len(), 1);
    assert_eq!(profile.ask("undo").await.end().1, "Undone: Added “Tea”.");
}

/// Returns what is left of a held mail after it was taken back, and what Activity says about that.
async fn taken_back(way: &str) -> (OutboxItem, Vec<String>) {
    let (profile, id) = held().await;
    match way {
        "to draft" => assert_eq!(
            decide(&profile, &id, OutboxAct::ToDraft).await.end().0,
            "done"
        ),
        "undo" => assert_eq!(profile.ask("undo").await.end().0, "done"),
        _ => profile.engine.interrupt(&Target::All).await.unwrap(),
    }
    assert_eq!(profile.actions(ActionState::Cancelled).await.len(), 1);
    profile.later(60);
    profile.engine.run_due().await;
    assert_eq!(profile.remote.sent(), [], "{way}");
    let all = outbox(&profile).await;
    let [draft] = &all[..] else {
        panic!("{way}: {all:?}")
    };
    let effects = profile.store.effects(None).await.unwrap();
    let said = effects.into_iter().map(|effect| effect.say).collect();
    (draft.clone(), said)
}

#[tokio::test]
async fn every_way_to_take_back_a_held_mail_has_the_same_result() {
    let (draft, said) = taken_back("to draft").await;
    assert_eq!(
        (draft.state, draft.body.as_str()),
        (OutboxState::Draft, "I am late.")
    );
    let [line] = &said[..] else {
        panic!("{said:?}")
    };
    assert!(line.starts_with("Taken back, nothing was sent"), "{line}");
    for way in ["undo", "stop everything"] {
        let (other, told) = taken_back(way).await;
        assert_eq!(
            (other.state, &other.to, &other.subject, &other.body),
            (draft.state, &draft.to, &draft.subject, &draft.body),
            "{way}"
        );
        assert_eq!(told, said, "{way}");
    }
}

#[tokio::test]
async fn deleting_an_outbox_entry_cancels_its_approval() {
    let (profile, id) = held().await;
    assert_eq!(
        profile
            .apply("email.delete", json!({"id": id}))
            .await
            .end()
            .0,
        "done"
    );
    assert_eq!(outbox(&profile).await, []);
    assert_eq!(profile.actions(ActionState::Cancelled).await.len(), 1);
    profile.later(60);
    profile.engine.run_due().await;
    assert_eq!(profile.remote.sent(), []);
}

#[tokio::test]
async fn the_person_ends_a_hold() {
    let (profile, id) = held().await;
    let (name, answer) = decide(&profile, &id, OutboxAct::SendNow).await.end();
    assert_eq!(
        (name, answer.as_str()),
        ("done", "Sent: “Hi” to kim@else.example.")
    );
    profile.later(60);
    profile.engine.run_due().await;
    assert_eq!(profile.remote.sent().len(), 1);
}

#[tokio::test]
async fn a_hold_survives_a_restart_and_a_lost_reply_resends_nothing() {
    let (mut profile, _) = held().await;
    profile.restart(98).await;
    assert_eq!(profile.remote.sent(), []);
    assert_eq!(outbox(&profile).await[0].state, OutboxState::Held);
    profile.later(1);
    // The check of its preconditions succeeds.
    profile.remote.meet(Trouble::BreaksOff);
    profile.remote.meet(Trouble::LostReply);
    profile.is_away(1);
    profile.engine.run_due().await;
    assert_eq!(profile.actions(ActionState::Unknown).await.len(), 1);
    profile.restart(99).await;
    profile.later(60);
    profile.engine.run_due().await;
    assert_eq!(profile.actions(ActionState::Succeeded).await.len(), 1);
    assert_eq!(profile.remote.sent().len(), 1);
    assert_eq!(outbox(&profile).await[0].state, OutboxState::Sent);
}

#[tokio::test]
async fn changing_the_draft_of_a_held_mail_shows_a_new_card() {
    let profile = profile(20).await;
    assert_eq!(profile.apply("email.draft", letter()).await.end().0, "done");
    let draft = outbox(&profile).await.remove(0).id;
    profile.apply("email.send", json!({"draft": draft})).await;
    profile.approve().await;
    let changed = json!({"draft": draft, "body": "I am not late."});
    assert_eq!(profile.apply("email.draft", changed).await.end().0, "done");
    profile.later(1);
    profile.engine.run_due().await;
    assert_eq!(profile.remote.sent(), []);
    let shown = profile.actions(ActionState::Pending).await.remove(0);
    assert_eq!(shown.card.body.as_deref(), Some("I am not late."));
    assert_eq!(profile.actions(ActionState::Superseded).await.len(), 1);
}

#[tokio::test]
async fn lists_waits_for_a_connection_and_keeps_them_over_a_restart() {
    let mut profile = profile(0).await;
    profile.ask("send it").await;
    // Two checks of its preconditions and one attempt.
    profile.is_away(4);
    let before = profile.remote.requests();
    let (_, answer) = profile.approve().await.end();
    assert!(!answer.contains("Waiting for you"), "{answer}");
    let entry = outbox(&profile).await.remove(0);
    assert_eq!(
        (entry.state, entry.subject.as_str()),
        (OutboxState::Queued, "Hi")
    );
    profile.engine.run_due().await;
    assert_eq!(profile.remote.requests(), before + 4);
    let pause = profile.engine.next_due().await.unwrap();
    profile.restart(99).await;
    assert_eq!(profile.engine.next_due().await.unwrap(), pause);
    profile.engine.run_due().await;
    assert_eq!(
        profile.remote.requests(),
        before + 4,
        "the pause is not over"
    );
    profile.later(1);
    profile.engine.run_due().await;
    assert_eq!(profile.remote.sent().len(), 1);
    assert_eq!(outbox(&profile).await[0].state, OutboxState::Sent);
}
