//! Tests of approved actions that wait for their account: what was approved is done on exactly the records that the card
//! showed, once, and an end without it is on record.

use adjutant_domain::conversation::Effect;
use adjutant_domain::filter::{Filter, Test};
use adjutant_domain::gate::ActionState;
use adjutant_domain::job::{Ended, Job};
use adjutant_domain::operation::{RemoteFault, RemoteId};
use adjutant_domain::ports::{Records as _, TurnLog as _};
use adjutant_domain::record::{Folder, OutboxState, Record};
use adjutant_domain::settings::Settings;
use adjutant_engine::{DueReport, News, Op, OutboxAct};
use adjutant_testkit::make;
use adjutant_testkit::remote::Trouble;
use serde_json::{Value, json};

use crate::accounts::Profile;
use crate::script::Mind;

fn mailbox() -> RemoteId {
    RemoteId("/mailbox".into())
}

pub async fn arrives(profile: &Profile, subject: &str) {
    let mail = make::mail(
        subject,
        "Kim <kim@else.example>",
        subject,
        "2026-01-10T10:00:00Z",
        "Hello.",
    );
    let row = vec![Record::Mail(mail)];
    let id = RemoteId(subject.into());
    profile.remote.put(&mailbox(), &id, row);
    profile.sync().await;
}

pub async fn folder(profile: &Profile, subject: &str) -> Option<Folder> {
    let all = vec![Folder::Inbox, Folder::Archive, Folder::Trash];
    let all = Filter::all().and(Test::Folders(all));
    let mails = profile.store.mails(&all).await.unwrap();
    let found = mails.into_iter().find(|mail| mail.subject == subject);
    found.map(|mail| mail.folder)
}

pub fn the_mail_from_kim() -> Value {
    json!({"target": {"from": ["kim@else.example"]}})
}

/// Returns a profile in which “the mail from Kim” was to be deleted, and the approval waits for a connection.
async fn waits_to_delete() -> Profile {
    let profile = Profile::new(Settings::default(), Mind::default()).await;
    arrives(&profile, "Offer").await;
    let asked = profile.apply("email.delete", the_mail_from_kim()).await;
    assert_eq!(asked.end().0, "waiting");
    profile.is_away(2);
    let (_, answer) = profile.approve().await.end();
    assert!(answer.contains("no connection"), "{answer}");
    assert_eq!(profile.actions(ActionState::Approved).await.len(), 1);
    profile
}

/// Returns the news of a pass, which has no reminders here.
fn lines(report: &DueReport) -> Vec<&str> {
    let lines = report.news.iter().filter_map(|news| match news {
        News::Line(line) => Some(line.as_str()),
        News::Reminder(_) => None,
    });
    lines.collect()
}

/// Returns the only line of Activity.
pub async fn only_line(profile: &Profile) -> Effect {
    let all = profile.store.effects(None).await.unwrap();
    let [line] = &all[..] else { panic!("{all:?}") };
    line.clone()
}

#[tokio::test]
async fn what_waits_is_done_to_the_very_mail_that_was_shown() {
    let profile = waits_to_delete().await;
    arrives(&profile, "Second offer").await;
    profile.later(2);
    assert_eq!(profile.engine.run_due().await.problems, []);
    assert_eq!(profile.actions(ActionState::Succeeded).await.len(), 1);
    assert_eq!(folder(&profile, "Offer").await, Some(Folder::Trash));
    assert_eq!(folder(&profile, "Second offer").await, Some(Folder::Inbox));
    assert_eq!(only_line(&profile).await.outcome, "succeeded");
}

#[tokio::test]
async fn what_waits_is_never_done_to_another_mail_and_says_so() {
    let profile = waits_to_delete().await;
    profile.remote.delete(&mailbox(), &RemoteId("Offer".into()));
    arrives(&profile, "Second offer").await;
    profile.later(2);
    let report = profile.engine.run_due().await;
    let told = lines(&report).join(" ");
    assert!(told.contains("changed after this was shown"), "{report:?}");
    assert_eq!(profile.actions(ActionState::Pending).await, []);
    assert_eq!(profile.actions(ActionState::Superseded).await.len(), 1);
    assert_eq!(folder(&profile, "Second offer").await, Some(Folder::Inbox));
    let line = only_line(&profile).await;
    assert_eq!(line.outcome, "failed");
    assert!(line.say.starts_with("Approved, but not done"), "{line:?}");
}

#[tokio::test]
async fn an_approval_by_word_is_bound_to_the_mail_that_was_shown() {
    let profile = Profile::new(Settings::default(), Mind::default()).await;
    arrives(&profile, "Offer").await;
    profile.apply("email.delete", the_mail_from_kim()).await;
    arrives(&profile, "Second offer").await;
    assert_eq!(profile.approve().await.end().0, "done");
    assert_eq!(folder(&profile, "Offer").await, Some(Folder::Trash));
    assert_eq!(folder(&profile, "Second offer").await, Some(Folder::Inbox));
}

fn letter() -> Value {
    json!({"to": ["kim@else.example"], "subject": "Hi", "body": "I am late."})
}

/// Returns a profile whose account sends mail, and holds none.
async fn sender() -> Profile {
    let mut settings = Settings {
        hold_seconds: Some(0),
        ..Settings::default()
    };
    settings.owner.emails = vec!["me@work.example".into()];
    Profile::new(settings, Mind::default()).await
}

fn signed_out(profile: &Profile, requests: usize) {
    for _ in 0..requests {
        let fault = RemoteFault::not_signed_in("work".into());
        profile.remote.meet(Trouble::Fault(fault));
    }
}

/// Finishes the job that reads the account.
async fn was_read(profile: &Profile) {
    let accounts = profile.store.accounts().await.unwrap();
    let account = accounts.iter().find(|one| one.id.0 == "work").unwrap();
    let job = Job::sync(account, profile.now());
    let work = profile.engine.work_on(job, |_| async { (Ended::Done, ()) });
    work.await.unwrap();
}

#[tokio::test]
async fn a_mail_approved_while_signed_out_goes_once_after_signing_in() {
    let profile = sender().await;
    profile.apply("email.send", letter()).await;
    // The check of its preconditions and the attempt, now and in the first pass.
    signed_out(&profile, 4);
    let (name, answer) = profile.approve().await.end();
    assert_eq!(name, "done");
    assert!(answer.contains("sign in to Work again"), "{answer}");
    assert!(
        answer.contains("(`adjutant accounts sign-in work`)"),
        "{answer}"
    );
    profile.engine.run_due().await;
    let outbox = profile.store.outbox(&Filter::all()).await.unwrap();
    assert_eq!(outbox.len(), 1, "{outbox:?}");
    assert_eq!(outbox[0].state, OutboxState::Queued);
    let action = profile.actions(ActionState::Approved).await.remove(0);
    let needs = profile.engine.signed_out(&action).await.unwrap();
    assert_eq!(needs.as_deref(), Some("Work"));
    // It is not tried with the same password again and again.
    profile.later(60);
    let before = profile.remote.requests();
    profile.engine.run_due().await;
    assert_eq!(profile.remote.requests(), before);
    profile.engine.hurry_waiting().await;
    profile.engine.run_due().await;
    assert_eq!(profile.remote.requests(), before);
    // The account can be read, but its sending server still refuses the sign-in.
    was_read(&profile).await;
    profile.engine.run_due().await;
    assert_eq!(profile.remote.requests(), before);
    profile.engine.hurry_signed_in(&"work".into()).await;
    profile.engine.run_due().await;
    profile.later(60);
    profile.engine.run_due().await;
    assert_eq!(profile.remote.sent().len(), 1);
    assert_eq!(profile.actions(ActionState::Succeeded).await.len(), 1);
}

#[tokio::test]
async fn a_mail_that_could_not_leave_in_time_stays_as_a_draft() {
    let profile = sender().await;
    profile.apply("email.send", letter()).await;
    signed_out(&profile, 2);
    profile.approve().await;
    profile.later(25 * 60);
    let report = profile.engine.run_due().await;
    let told = profile.engine.run_due().await;
    let told: Vec<String> = [report.problems, told.problems]
        .concat()
        .iter()
        .map(ToString::to_string)
        .collect();
    let why = "nobody signed in to its account in time";
    assert!(told.iter().any(|one| one.contains(why)), "{told:?}");
    assert_eq!(profile.remote.sent(), []);
    let outbox = profile.store.outbox(&Filter::all()).await.unwrap();
    assert_eq!(outbox[0].state, OutboxState::Draft);
    let line = only_line(&profile).await;
    assert_eq!(line.outcome, "failed");
    assert!(line.say.contains("could not be done in time"), "{line:?}");
}

#[tokio::test]
async fn the_same_request_while_the_first_waits_is_not_asked_again() {
    let profile = waits_to_delete().await;
    let again = profile.apply("email.delete", the_mail_from_kim()).await;
    let (name, answer) = again.end();
    assert_eq!(name, "done");
    assert!(answer.contains("is approved already and waits"), "{answer}");
    assert_eq!(profile.actions(ActionState::Pending).await, []);
    // What else is asked for is asked.
    arrives(&profile, "Second offer").await;
    let other = json!({"target": {"subject_is": "Second offer"}});
    let other = profile.apply("email.delete", other).await;
    assert_eq!(other.end().0, "waiting");
}

#[tokio::test]
async fn what_waits_is_tried_at_once_when_asked_to() {
    let profile = waits_to_delete().await;
    profile.is_away(2);
    profile.engine.run_due().await;
    assert_eq!(profile.actions(ActionState::Approved).await.len(), 1);
    profile.engine.hurry_waiting().await;
    profile.engine.run_due().await;
    assert_eq!(profile.actions(ActionState::Succeeded).await.len(), 1);
}

#[tokio::test]
async fn a_reading_of_the_account_tries_at_once_what_waits_for_it() {
    let profile = waits_to_delete().await;
    profile.is_away(2);
    profile.engine.run_due().await;
    was_read(&profile).await;
    profile.engine.run_due().await;
    assert_eq!(profile.actions(ActionState::Succeeded).await.len(), 1);
}

#[tokio::test]
async fn a_lost_reply_after_a_wait_is_found_and_counts_as_done() {
    let mut profile = sender().await;
    profile.apply("email.send", letter()).await;
    profile.is_away(2);
    profile.approve().await;
    // The check of its preconditions succeeds.
    profile.remote.meet(Trouble::BreaksOff);
    profile.remote.meet(Trouble::LostReply);
    profile.is_away(1);
    profile.engine.run_due().await;
    assert_eq!(profile.actions(ActionState::Unknown).await.len(), 1);
    profile.restart(99).await;
    assert_eq!(profile.actions(ActionState::Succeeded).await.len(), 1);
    assert_eq!(profile.remote.sent().len(), 1);
}

#[tokio::test]
async fn doing_now_what_is_done_already_does_not_advise_to_do_it_again() {
    let profile = sender().await;
    profile.apply("email.send", letter()).await;
    let action = profile.actions(ActionState::Pending).await.remove(0);
    profile.approve().await;
    let (id, act) = (action.id.0.clone().into(), OutboxAct::SendNow);
    let refused = profile.run(Op::Outbox { id, act }).await.end();
    assert_eq!(refused, ("error", "done_already".into()));
    assert_eq!(profile.remote.sent().len(), 1);
}
