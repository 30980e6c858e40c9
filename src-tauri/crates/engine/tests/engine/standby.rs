//! Tests of calls that nobody is asked about and that meet no connection: they wait like an approval, are done once, and
//! can be taken back.

use adjutant_domain::filter::Filter;
use adjutant_domain::gate::{ActionState, Channel, Decision, Grant};
use adjutant_domain::ids::{GrantId, RecordId};
use adjutant_domain::operation::RemoteId;
use adjutant_domain::ports::{Grants as _, Records as _, TurnLog as _};
use adjutant_domain::record::{Folder, Record};
use adjutant_domain::settings::Settings;
use adjutant_engine::{Op, OutboxAct};
use adjutant_testkit::make;
use jiff::SignedDuration;
use serde_json::json;

use crate::accounts::Profile;
use crate::backend::ProviderBehaviour;
use crate::script::Mind;
use crate::waiting::{arrives, folder, only_line, the_mail_from_kim};
use crate::world::{Script, World, step};

/// Returns a profile in which the person has archived a mail by hand while there was no connection.
async fn archived_offline() -> Profile {
    let profile = Profile::new(Settings::default(), Mind::default()).await;
    arrives(&profile, "Offer").await;
    profile.is_away(1);
    let pressed = profile.apply("email.archive", the_mail_from_kim()).await;
    let (name, answer) = pressed.end();
    assert_eq!(name, "done");
    assert!(
        answer.starts_with("Not done yet because there is no connection: move the mail"),
        "{answer}"
    );
    assert_eq!(profile.actions(ActionState::Approved).await.len(), 1);
    assert_eq!(profile.store.effects(None).await.unwrap(), []);
    profile
}

#[tokio::test]
async fn what_the_person_files_by_hand_waits_for_a_connection_and_is_done_once() {
    let profile = archived_offline().await;
    assert_eq!(folder(&profile, "Offer").await, Some(Folder::Inbox));
    profile.later(2);
    let report = profile.engine.run_due().await;
    assert_eq!(report.problems, []);
    assert_eq!(report.news.len(), 0, "{report:?}");
    assert_eq!(folder(&profile, "Offer").await, Some(Folder::Archive));
    assert_eq!(profile.actions(ActionState::Succeeded).await.len(), 1);
    let line = only_line(&profile).await;
    assert_eq!(line.outcome, "succeeded");
    profile.later(60);
    profile.engine.run_due().await;
    assert_eq!(profile.remote.carried_out(), 1);
    assert_eq!(profile.undo(&line).await.end().0, "done");
    assert_eq!(folder(&profile, "Offer").await, Some(Folder::Inbox));
}

#[tokio::test]
async fn a_second_press_meanwhile_does_nothing_and_says_why() {
    let profile = archived_offline().await;
    let again = profile.apply("email.archive", the_mail_from_kim()).await;
    let (name, answer) = again.end();
    assert_eq!(name, "done");
    assert!(answer.contains("is not done twice"), "{answer}");
    assert_eq!(profile.remote.carried_out(), 0);
    assert_eq!(profile.actions(ActionState::Approved).await.len(), 1);
}

#[tokio::test]
async fn what_waits_is_listed_in_the_outbox_and_taken_back_there() {
    let profile = archived_offline().await;
    let outbox = profile.store.outbox(&Filter::all()).await.unwrap();
    let [entry] = &outbox[..] else {
        panic!("{outbox:?}")
    };
    let (id, act) = (RecordId(entry.id.0.clone()), OutboxAct::ToDraft);
    let (name, answer) = profile.run(Op::Outbox { id, act }).await.end();
    assert_eq!(name, "done", "{answer}");
    profile.later(2);
    profile.engine.run_due().await;
    assert_eq!(folder(&profile, "Offer").await, Some(Folder::Inbox));
    assert_eq!(profile.actions(ActionState::Cancelled).await.len(), 1);
    assert_eq!(profile.remote.carried_out(), 0);
}

#[tokio::test]
async fn what_changed_meanwhile_is_shown_on_a_card() {
    let profile = archived_offline().await;
    let all = profile.store.mails(&Filter::all()).await.unwrap();
    let mut theirs = make::mail(
        "x",
        "Kim <kim@else.example>",
        "Offer",
        "2026-01-10T10:00:00Z",
        "Hello.",
    );
    theirs.id.clone_from(&all[0].id);
    theirs.starred = true;
    let theirs = vec![Record::Mail(theirs)];
    profile
        .remote
        .put(&remote_id("/mailbox"), &remote_id("Offer"), theirs);
    profile.sync().await;
    profile.later(2);
    profile.engine.run_due().await;
    assert_eq!(folder(&profile, "Offer").await, Some(Folder::Inbox));
    assert_eq!(profile.actions(ActionState::Pending).await.len(), 1);
    assert_eq!(profile.remote.carried_out(), 0);
}

fn remote_id(id: &str) -> RemoteId {
    RemoteId(id.into())
}

#[tokio::test]
async fn what_waits_too_long_is_reported_as_not_done() {
    let profile = archived_offline().await;
    profile.later(25 * 60);
    let report = profile.engine.run_due().await;
    let told = profile.engine.run_due().await;
    let told: Vec<String> = [report.problems, told.problems]
        .concat()
        .iter()
        .map(ToString::to_string)
        .collect();
    let told = told.join(" ");
    assert!(
        told.contains("Not done because there was no connection"),
        "{told}"
    );
    assert!(!told.contains("Approved"), "{told}");
    assert_eq!(profile.remote.carried_out(), 0);
}

#[tokio::test]
async fn an_undo_by_hand_waits_too() {
    let profile = Profile::new(Settings::default(), Mind::default()).await;
    arrives(&profile, "Offer").await;
    profile.apply("email.archive", the_mail_from_kim()).await;
    let line = only_line(&profile).await;
    profile.is_away(1);
    let (_, answer) = profile.undo(&line).await.end();
    assert!(answer.starts_with("Not done yet"), "{answer}");
    assert_eq!(folder(&profile, "Offer").await, Some(Folder::Archive));
    profile.later(2);
    profile.engine.run_due().await;
    assert_eq!(folder(&profile, "Offer").await, Some(Folder::Inbox));
}

/// Returns a profile in which a standing permission let a task be changed while there was no connection.
async fn granted_offline() -> (Profile, GrantId) {
    let profile = Profile::new(Settings::default(), Mind::default()).await;
    let task = vec![Record::Task(make::task("x", "Water plants", None))];
    profile
        .remote
        .put(&remote_id("/task_list"), &remote_id("plants"), task);
    profile.sync().await;
    let all = profile.store.tasks(&Filter::all()).await.unwrap();
    let to = |title: &str| json!({"id": all[0].id, "changes": {"title": title}});
    let asked = profile.apply("task.update", to("Water roses")).await;
    assert_eq!(asked.end().0, "waiting");
    let card = profile.actions(ActionState::Pending).await.remove(0);
    let decision = Decision {
        id: card.id.clone(),
        digest: card.digest.clone(),
        channel: Channel::Window,
    };
    let id = GrantId("grant_1".into());
    let until = profile.now() + SignedDuration::from_hours(48);
    let grant = Grant::on(&card, &decision, id.clone(), (profile.now(), until)).unwrap();
    profile.store.add_grant(&grant).await.unwrap();
    assert_eq!(profile.approve().await.end().0, "done");
    profile.is_away(1);
    let (name, answer) = profile.apply("task.update", to("Water lilies")).await.end();
    assert_eq!(name, "done");
    assert!(answer.starts_with("Not done yet"), "{answer}");
    (profile, id)
}

async fn title(profile: &Profile) -> String {
    let all = profile.store.tasks(&Filter::all()).await.unwrap();
    all[0].title.clone()
}

#[tokio::test]
async fn what_a_standing_permission_allowed_waits_too() {
    let (profile, _) = granted_offline().await;
    assert_eq!(title(&profile).await, "Water roses");
    profile.later(2);
    profile.engine.run_due().await;
    assert_eq!(title(&profile).await, "Water lilies");
}

#[tokio::test]
async fn what_waits_is_not_done_once_its_permission_is_revoked() {
    let (profile, grant) = granted_offline().await;
    let now = profile.now();
    profile.store.revoke_grant(&grant, now).await.unwrap();
    profile.later(2);
    let report = profile.engine.run_due().await;
    assert_eq!(title(&profile).await, "Water roses");
    assert_eq!(profile.actions(ActionState::Approved).await, []);
    assert_eq!(profile.actions(ActionState::Cancelled).await.len(), 1);
    let told = format!("{report:?}");
    assert!(told.contains("no longer allow it"), "{told}");
}

fn one_unasked() -> World {
    let filing = vec![step("s1", "remote.file", json!({"id": "x"}))];
    Script::new().plan("file it", filing).world()
}

/// Runs one turn without a connection in a process that dies at its `nth` possible point. Returns whether the call
/// was stored as waiting, and how often it is done in the end.
fn killed_at(nth: usize) -> (bool, usize) {
    let runtime = || {
        let mut made = tokio::runtime::Builder::new_current_thread();
        made.enable_time().start_paused(true).build().unwrap()
    };
    let world = one_unasked();
    world.backend.acts(&[ProviderBehaviour::Offline]);
    let first = runtime();
    first.block_on(async {
        world.log.die_at(nth);
        tokio::select! {
            _ = world.ask("file it") => {}
            permit = world.log.died.acquire() => permit.unwrap().forget(),
        }
    });
    first.shutdown_background();
    world.log.revive();
    runtime().block_on(async {
        let approved = Some(ActionState::Approved);
        let stored = world.log.actions(approved, None).await.unwrap();
        let next = world.restarted(nth as u64 + 100);
        next.backend.honest();
        next.engine.recover().await.unwrap();
        for minutes in [2, 60] {
            next.later(minutes);
            next.engine.run_due().await;
        }
        let left = next.log.actions(approved, None).await.unwrap();
        assert_eq!(left, [], "after {nth}");
        (!stored.is_empty(), next.backend.times("x"))
    })
}

#[test]
fn a_kill_neither_loses_nor_repeats_what_waits() {
    let found: Vec<(bool, usize)> = (0..8).map(killed_at).collect();
    for (nth, (stored, times)) in found.iter().enumerate() {
        assert_eq!(*times, usize::from(*stored), "at {nth}: {found:?}");
    }
    let waited = found.iter().filter(|(stored, _)| *stored).count();
    assert!((1..found.len()).contains(&waited), "{found:?}");
}
