//! Tests of an undo that takes several requests to a provider: each part is undone once, and a refused part can be
//! tried again.

use adjutant_domain::conversation::Effect;
use adjutant_domain::filter::{Filter, Test};
use adjutant_domain::gate::ActionState;
use adjutant_domain::operation::{RemoteFault, RemoteId};
use adjutant_domain::ports::{Records as _, TurnLog as _};
use adjutant_domain::record::{Folder, Mail, Record};
use adjutant_domain::settings::Settings;
use adjutant_testkit::make;
use adjutant_testkit::remote::Trouble;
use serde_json::json;

use crate::accounts::Profile;
use crate::script::Mind;

/// Mails of three folders, so that undoing their filing takes three requests.
const MAILS: [(&str, Folder); 3] = [
    ("first", Folder::Inbox),
    ("second", Folder::Junk),
    ("third", Folder::Sent),
];

fn mailbox() -> RemoteId {
    RemoteId("/mailbox".into())
}

async fn mails(profile: &Profile) -> Vec<Mail> {
    let folders = [Folder::Inbox, Folder::Junk, Folder::Sent, Folder::Archive];
    let all = Filter::all().and(Test::Folders(folders.into()));
    profile.store.mails(&all).await.unwrap()
}

/// Returns the folders of the mails, on this computer and at the provider.
async fn folders(profile: &Profile) -> Vec<(Folder, Folder)> {
    let here = mails(profile).await;
    let both = MAILS.iter().map(|(subject, _)| {
        let mail = here.iter().find(|mail| mail.subject == *subject);
        let mail = mail.unwrap_or_else(|| panic!("{subject}: {here:?}"));
        let there = profile
            .remote
            .rows(&mailbox(), &RemoteId((*subject).into()));
        let Some(Record::Mail(there)) = there.unwrap().into_iter().next() else {
            panic!("{subject} is gone");
        };
        (mail.folder, there.folder)
    });
    both.collect()
}

/// Returns three mails that were filed with one request.
async fn filed() -> (Profile, Effect) {
    filed_with(Settings::default()).await
}

async fn filed_with(settings: Settings) -> (Profile, Effect) {
    let profile = Profile::new(settings, Mind::default()).await;
    for (subject, folder) in MAILS {
        let mail = Mail {
            folder,
            ..make::mail(
                subject,
                "Kim <kim@else.example>",
                subject,
                "2026-01-10T10:00:00Z",
                "Hello.",
            )
        };
        let row = vec![Record::Mail(mail)];
        profile
            .remote
            .put(&mailbox(), &RemoteId(subject.into()), row);
    }
    profile.sync().await;
    let ids: Vec<_> = mails(&profile)
        .await
        .into_iter()
        .map(|mail| mail.id)
        .collect();
    let (name, answer) = profile
        .apply("email.archive", json!({"ids": ids}))
        .await
        .end();
    let name = if name == "waiting" {
        profile.approve().await.end().0
    } else {
        name
    };
    assert_eq!(name, "done", "{answer}");
    assert_eq!(
        folders(&profile).await,
        [(Folder::Archive, Folder::Archive); 3]
    );
    assert_eq!(profile.remote.carried_out(), 1);
    let effect = profile.latest().await;
    (profile, effect)
}

/// Makes the provider refuse the second of three requests, after this many checks of preconditions.
fn refuses_the_second(profile: &Profile, looks: usize) {
    for _ in 0..=looks {
        profile.remote.meet(Trouble::BreaksOff);
    }
    let what = "the folder is full".into();
    profile
        .remote
        .meet(Trouble::Fault(RemoteFault::Refused { what }));
}

async fn again(profile: &Profile, effect: &Effect) -> Effect {
    profile.store.effect(&effect.id).await.unwrap().unwrap()
}

#[tokio::test]
async fn a_refused_part_of_an_undo_can_be_undone_later() {
    let (profile, effect) = filed().await;
    refuses_the_second(&profile, 0);
    // A direct call files mail of an account at once, and undoes that at once.
    let (_, answer) = profile.undo(&effect).await.end();
    assert!(
        answer.contains("Done: move the mail “third”; move the mail “first”."),
        "{answer}"
    );
    assert!(
        answer.contains("move the mail “second” (it was refused: the folder is full)"),
        "{answer}"
    );
    let first = (Folder::Inbox, Folder::Inbox);
    let third = (Folder::Sent, Folder::Sent);
    let left = (Folder::Archive, Folder::Archive);
    assert_eq!(folders(&profile).await, [first, left, third]);
    let partly = again(&profile, &effect).await;
    assert!(partly.partly_undone);
    assert_eq!(partly.undone_by, None);
    assert_eq!(partly.inverse.as_ref().map(|rest| rest.ops.len()), Some(1));

    assert_eq!(profile.undo(&effect).await.end().0, "done");
    let second = (Folder::Junk, Folder::Junk);
    assert_eq!(folders(&profile).await, [first, second, third]);
    assert_eq!(profile.remote.carried_out(), 4, "each part once");
    let whole = again(&profile, &effect).await;
    assert!(!whole.partly_undone);
    assert_eq!(whole.undone_by, Some(profile.latest().await.id));
    let refused = profile.undo(&effect).await.end();
    assert_eq!(refused, ("error", "undone".into()));
}

#[tokio::test]
async fn strict_settings_show_the_rest_of_an_undo_on_a_card() {
    let settings = Settings {
        ask_always: true,
        ..Settings::default()
    };
    let (profile, effect) = filed_with(settings).await;
    assert_eq!(profile.undo(&effect).await.end().0, "waiting");
    // Before the requests are sent, the preconditions of the card are checked again, and hold.
    refuses_the_second(&profile, MAILS.len());
    let (_, answer) = profile.approve().await.end();
    assert!(
        answer.contains("move the mail “second” (it was refused: the folder is full)"),
        "{answer}"
    );
    assert!(again(&profile, &effect).await.partly_undone);

    assert_eq!(profile.undo(&effect).await.end().0, "waiting");
    let card = profile.actions(ActionState::Pending).await.remove(0).card;
    assert!(card.title.starts_with("Undo the rest: "), "{}", card.title);
    assert_eq!(profile.approve().await.end().0, "done");
    let first = (Folder::Inbox, Folder::Inbox);
    let second = (Folder::Junk, Folder::Junk);
    let third = (Folder::Sent, Folder::Sent);
    assert_eq!(folders(&profile).await, [first, second, third]);
}
