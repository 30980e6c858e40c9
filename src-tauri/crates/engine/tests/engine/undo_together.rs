//! Tests of what one step did with several requests to a provider: it is undone as one thing, and a failure in between
//! takes nothing away.

use adjutant_domain::change::Change;
use adjutant_domain::conversation::Effect;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::Filter;
use adjutant_domain::gate::{ActionState, Channel};
use adjutant_domain::operation::{RemoteFault, RemoteId};
use adjutant_domain::ports::{Records as _, TurnLog as _};
use adjutant_domain::record::{Event, Record};
use adjutant_domain::settings::Settings;
use adjutant_engine::Op;
use adjutant_testkit::make;
use adjutant_testkit::remote::Trouble;
use serde_json::json;

use crate::accounts::Profile;
use crate::script::Mind;

fn at(time: &str) -> String {
    format!("2026-01-{time}:00+00:00[UTC]")
}

/// Returns an account with a weekly event of Mondays, of which one instance was moved by itself.
async fn series() -> Profile {
    let profile = Profile::new(Settings::default(), Mind::default()).await;
    let guests = ["Kim Adams <kim@else.example>"];
    let mut standup = make::event(
        "there",
        "Standup",
        &at("12T10:00"),
        &at("12T10:30"),
        &guests,
    );
    standup.rrule = Some("FREQ=WEEKLY;BYDAY=MO".into());
    let mut moved = make::event(
        "moved",
        "Standup",
        &at("26T15:00"),
        &at("26T15:30"),
        &guests,
    );
    moved.uid.clone_from(&standup.uid);
    moved.recurrence_id = Some(at("26T10:00").parse().unwrap());
    let rows = vec![Record::Event(standup), Record::Event(moved)];
    let (calendar, id) = place();
    profile.remote.put(&calendar, &id, rows);
    profile.sync().await;
    profile
}

fn place() -> (RemoteId, RemoteId) {
    (RemoteId("/calendar".into()), RemoteId("standup".into()))
}

/// Returns title, start and rule of every row here, and what the provider has of the series.
async fn rows(profile: &Profile) -> (Vec<String>, Vec<String>) {
    let shown = |event: &Event| {
        let rule = event.rrule.as_deref().unwrap_or("once");
        format!("{} {} {rule}", event.summary, event.start)
    };
    let mut here: Vec<String> = all(profile).await.iter().map(shown).collect();
    here.sort();
    let (calendar, id) = place();
    let there = profile.remote.rows(&calendar, &id).unwrap_or_default();
    let mut there: Vec<String> = there
        .iter()
        .map(|row| match row {
            Record::Event(event) => shown(event),
            other => panic!("{other:?}"),
        })
        .collect();
    there.sort();
    (here, there)
}

async fn all(profile: &Profile) -> Vec<Event> {
    profile.store.events(&Filter::all()).await.unwrap()
}

/// Asks to move the series by an hour from the 19th on, and approves it.
async fn moves(profile: &Profile, troubles: &[Trouble]) -> (&'static str, String) {
    let master = all(profile).await;
    let master = master
        .iter()
        .find(|row| row.recurrence_id.is_none())
        .unwrap();
    let args = json!({
        "id": format!("{}@{}", master.id, at("19T10:00")),
        "scope": "following",
        "changes": {"shift_minutes": 60},
    });
    assert_eq!(
        profile.apply("calendar.update", args).await.end().0,
        "waiting"
    );
    approve(profile, troubles).await
}

/// Approves a card with two requests, which meet these troubles.
async fn approve(profile: &Profile, troubles: &[Trouble]) -> (&'static str, String) {
    // Before the requests are sent, the preconditions of each are checked, and hold.
    for trouble in [Trouble::BreaksOff, Trouble::BreaksOff]
        .iter()
        .chain(troubles)
    {
        profile.remote.meet(trouble.clone());
    }
    profile.approve().await.end()
}

/// The trouble of a request that is carried out all the same.
const NONE: Trouble = Trouble::BreaksOff;

fn refused() -> Trouble {
    let what = "the calendar is full".into();
    Trouble::Fault(RemoteFault::Refused { what })
}

async fn effects(profile: &Profile) -> Result<Vec<Effect>, StoreFault> {
    let latest = profile.latest().await;
    profile.store.effects_of(&latest.turn, &latest.step).await
}

#[tokio::test]
async fn a_series_that_was_cut_in_two_comes_back_with_one_undo() {
    let profile = series().await;
    let before = rows(&profile).await;
    assert_eq!(moves(&profile, &[]).await.0, "done");
    let cut = rows(&profile).await;
    assert_ne!(cut, before);
    let done = effects(&profile).await.unwrap();
    assert_eq!(done.len(), 2, "the series ends, and another begins");
    // Whichever of the two entries in Activity the person undoes.
    for one in &done {
        assert_eq!(profile.undo(one).await.end().0, "waiting");
        let card = profile.actions(ActionState::Pending).await.remove(0).card;
        assert!(
            card.title
                .starts_with("Undo: “Standup” is now Mon 19 Jan, 11:00–11:30 and so on"),
            "{}",
            card.title
        );
        let id = profile.actions(ActionState::Pending).await.remove(0).id;
        let channel = Channel::Window;
        profile.run(Op::Reject { id, channel }).await;
    }
    assert_eq!(profile.undo(&done[0]).await.end().0, "waiting");
    let (ended, answer) = approve(&profile, &[]).await;
    assert_eq!(ended, "done", "{answer}");
    assert!(answer.starts_with("Undone: “Standup” is now"), "{answer}");
    assert_eq!(rows(&profile).await, before);
    for one in &done {
        let again = profile.store.effect(&one.id).await.unwrap().unwrap();
        assert!(again.undone_by.is_some() && !again.partly_undone);
        let refused = profile.undo(one).await.end();
        assert_eq!(refused, ("error", "undone".into()));
    }
    // The undo is itself undone as one.
    let undo = profile.latest().await;
    assert_eq!(profile.undo(&undo).await.end().0, "waiting");
    let (_, answer) = approve(&profile, &[]).await;
    assert!(
        answer.starts_with("Done again: “Standup” is now"),
        "{answer}"
    );
    assert_eq!(rows(&profile).await, cut);
}

#[tokio::test]
async fn the_card_of_an_undo_shows_what_comes_back_and_who_is_told() {
    let profile = series().await;
    assert_eq!(moves(&profile, &[]).await.0, "done");
    let latest = profile.latest().await;
    profile.undo(&latest).await;
    let card = profile.actions(ActionState::Pending).await.remove(0).card;
    assert_eq!(card.notes[0].text, "Kim Adams (kim@else.example) is told.");
    let items: Vec<String> = card
        .items
        .iter()
        .map(|item| {
            let facts: Vec<String> = item
                .facts
                .iter()
                .map(|fact| match &fact.before {
                    Some(before) => format!("{}: {before} → {}", fact.label, fact.value),
                    None => format!("{}: {}", fact.label, fact.value),
                })
                .collect();
            let detail = item.detail.as_deref().unwrap_or_default();
            format!("{} | {detail} | {}", item.label, facts.join(" | "))
        })
        .collect();
    let guests = "Guests: Kim Adams (kim@else.example)";
    for line in [
        format!(
            "Standup | event is changed | When: Mon 12 Jan 2026, 10:00 – 10:30 | Repeats: every week on Mon, until Sun 18 Jan 2026 → every week on Mon | {guests}"
        ),
        format!(
            "Standup | event comes back | When: Mon 26 Jan 2026, 15:00 – 15:30 | {guests} | Calendar: calendar"
        ),
        format!(
            "Standup | event is removed | When: Mon 19 Jan 2026, 11:00 – 11:30 | Repeats: every week on Mon | {guests} | Calendar: calendar"
        ),
    ] {
        assert!(items.contains(&line), "{line}\nis not in {items:#?}");
    }
}

#[tokio::test]
async fn a_series_is_not_ended_before_the_other_has_begun() {
    let profile = series().await;
    let before = rows(&profile).await;
    let (_, answer) = moves(&profile, &[refused()]).await;
    assert!(
        answer.contains("Not done: add the event “Standup” (it was refused: the calendar is full); change the event “Standup”."),
        "{answer}"
    );
    assert_eq!(rows(&profile).await, before);

    let (_, answer) = moves(&profile, &[NONE, refused()]).await;
    assert!(
        answer.contains("Done: add the event “Standup”. Not done: change the event “Standup” (it was refused: the calendar is full)."),
        "{answer}"
    );
    // What was done of it can be undone.
    let done = effects(&profile).await.unwrap();
    let added = done.iter().find(|one| one.inverse.is_some()).unwrap();
    assert_eq!(profile.undo(added).await.end().0, "waiting");
    assert_eq!(profile.approve().await.end().0, "done");
    assert_eq!(rows(&profile).await, before);
}

#[tokio::test]
async fn an_undo_that_fails_in_between_says_so_and_can_be_finished() {
    let profile = series().await;
    let before = rows(&profile).await;
    assert_eq!(moves(&profile, &[]).await.0, "done");
    let latest = profile.latest().await;
    profile.undo(&latest).await;
    let (_, answer) = approve(&profile, &[NONE, refused()]).await;
    assert!(
        answer.contains("Done: change the event “Standup”. Not done: delete the event “Standup” (it was refused: the calendar is full)."),
        "{answer}"
    );
    assert_eq!(
        rows(&profile).await.1,
        before.1,
        "the series is whole again"
    );

    assert_eq!(profile.undo(&latest).await.end().0, "waiting");
    let card = profile.actions(ActionState::Pending).await.remove(0).card;
    assert!(card.title.starts_with("Undo the rest: "), "{}", card.title);
    assert_eq!(profile.approve().await.end().0, "done");
    assert_eq!(rows(&profile).await, before);
}

#[tokio::test]
async fn an_undo_says_that_the_account_was_removed() {
    for keeps_copies in [true, false] {
        let profile = series().await;
        assert_eq!(moves(&profile, &[]).await.0, "done");
        let latest = profile.latest().await;
        if keeps_copies {
            profile.store.leave_account("work".into()).await.unwrap();
        } else {
            profile.store.remove_account("work".into()).await.unwrap();
        }
        let before = all(&profile).await;
        let refused = profile.undo(&latest).await.end();
        assert_eq!(refused, ("error", "account_removed".into()));
        assert_eq!(all(&profile).await, before);
    }
}

#[tokio::test]
async fn an_undo_of_what_was_deleted_since_names_it() {
    let profile = series().await;
    assert_eq!(moves(&profile, &[]).await.0, "done");
    let latest = profile.latest().await;
    let (calendar, _) = place();
    let rest = all(&profile).await;
    let rest = rest
        .iter()
        .find(|row| row.recurrence_id.is_none() && row.start.to_string().starts_with("2026-01-19"))
        .unwrap();
    let removed = Change::remove(&Record::Event(rest.clone()));
    let origins = profile.store.origins(&removed).await.unwrap();
    let id = origins.of(&rest.id).unwrap().origin.remote_id.clone();
    profile.remote.delete(&calendar, &id);
    profile.sync().await;
    let turn = profile.undo(&latest).await;
    assert_eq!(turn.end(), ("error", "conflict".into()));
}
