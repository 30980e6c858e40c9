//! Tests of the other persisted steps: an undo, a held mail, an edited card, a plan of several steps, and erasing.

use serde_json::Value;

use super::outside::answer;
use super::{CARD, Profile, approval, ask, everywhere, finish, no_open_turn, waiting};

fn asked(profile: &Profile, text: &str, code: i32) {
    let output = profile.run(&["ask", text]);
    assert_eq!(output.status.code(), Some(code), "{text}");
}

fn state(profile: &Profile) -> Option<String> {
    let all = profile.show("outbox");
    assert!(all.len() <= 1, "{all:?}");
    let first = all.first()?;
    first["state"].as_str().map(str::to_owned)
}

#[test]
fn survives_kills_in_an_undo() {
    let prepare = || {
        let profile = Profile::new();
        asked(&profile, "add a task to buy milk", 0);
        profile
    };
    let undo = |profile: &Profile| {
        let done = profile.succeeded("task.create");
        let id = done[0]["id"].as_str().expect("an id").to_owned();
        vec!["undo".into(), id]
    };
    let kills = everywhere("undo", prepare, undo, |profile, at| {
        no_open_turn(profile, at);
        let (tasks, undone) = (profile.show("tasks").len(), profile.succeeded("undo").len());
        assert_eq!(tasks + undone, 1, "{at}: {tasks} tasks, {undone} undone");
        let done = profile.succeeded("task.create");
        let id = done[0]["id"].as_str().expect("an id");
        profile.run(&["undo", id]);
        assert!(profile.show("tasks").is_empty(), "{at}");
        assert_eq!(profile.succeeded("undo").len(), 1, "{at}: undone twice");
    });
    assert!(kills >= 9, "only {kills} places came by");
}

fn held() -> Profile {
    let profile = Profile::new();
    profile.import("a.vcf", CARD);
    let set = profile.run(&["config", "set", "hold_seconds", "30"]);
    assert!(set.status.success(), "mail is held");
    asked(
        &profile,
        "send Bob an email titled 'Delay' saying 'Two weeks late.'",
        3,
    );
    profile
}

#[test]
fn survives_kills_while_a_held_mail_is_approved() {
    let kills = everywhere("hold", held, approval, |profile, at| {
        no_open_turn(profile, at);
        finish(profile);
        assert_eq!(state(profile).as_deref(), Some("held"), "{at}");
        let sent = profile.succeeded("email.send");
        assert_eq!(sent.len(), 0, "{at}: sent before its time");
    });
    assert!(kills >= 5, "only {kills} places came by");
}

#[test]
fn survives_kills_while_a_held_mail_is_taken_back() {
    let prepare = || {
        let profile = held();
        finish(&profile);
        assert_eq!(state(&profile).as_deref(), Some("held"));
        profile
    };
    let back = |profile: &Profile| {
        let all = profile.show("outbox");
        let id = all[0]["id"].as_str().expect("an id").to_owned();
        vec!["outbox".into(), id, "to-draft".into()]
    };
    let kills = everywhere("call back", prepare, back, |profile, at| {
        no_open_turn(profile, at);
        let drafted = profile.succeeded("outbox.draft").len();
        let now = if drafted == 1 { "draft" } else { "held" };
        assert_eq!(state(profile).as_deref(), Some(now), "{at}");
    });
    assert!(kills >= 9, "only {kills} places came by");
}

#[test]
fn survives_kills_while_a_card_is_edited() {
    let prepare = || {
        let profile = Profile::new();
        profile.import("a.vcf", CARD);
        asked(
            &profile,
            "send Bob an email titled 'Delay' saying 'Two weeks late.'",
            3,
        );
        profile
    };
    let edit = |profile: &Profile| {
        let card = profile.show("approvals").remove(0);
        let mut args = card["args"].clone();
        args["subject"] = "Later".into();
        let id = card["id"].as_str().expect("an id").to_owned();
        vec!["edit".into(), id, "--args".into(), args.to_string()]
    };
    let kills = everywhere("edit", prepare, edit, |profile, at| {
        no_open_turn(profile, at);
        assert_eq!(state(profile), None, "{at}: sent without a yes");
        // Exactly one card waits, either the old one or the new one.
        let (id, digest) = waiting(profile);
        let all = profile.show("approvals");
        let card = all.iter().find(|one| one["id"] == id).expect("the card");
        let subject = card["args"]["subject"].clone();
        profile.run(&["approve", &id, "--digest", &digest]);
        let mails = profile.show("outbox");
        assert_eq!(mails.len(), 1, "{at}");
        assert_eq!(mails[0]["subject"], subject, "{at}: not what was shown");
    });
    assert!(kills >= 6, "only {kills} places came by");
}

#[test]
fn survives_kills_in_a_plan_of_several_steps() {
    let kills = everywhere(
        "plan",
        Profile::new,
        |_| ask("add a task to buy tea and add a task to buy soap"),
        |profile, at| {
            no_open_turn(profile, at);
            let (tasks, done) = (
                profile.show("tasks").len(),
                profile.succeeded("task.create").len(),
            );
            assert_eq!(tasks, done, "{at}: {tasks} tasks, {done} receipts");
            let said = answer(profile);
            if tasks > 0 {
                assert!(!said.contains("Nothing was done"), "{at}: {said}");
            }
            if tasks == 1 && !said.is_empty() {
                assert!(said.contains("Not done"), "{at}: {said}");
            }
        },
    );
    assert!(kills >= 12, "only {kills} places came by");
}

#[test]
fn erasing() {
    let prepare = || {
        let profile = Profile::new();
        asked(&profile, "add a task to buy milk", 0);
        profile
    };
    let erase = |_: &Profile| vec!["erase".into(), "--yes".into()];
    everywhere("erase", prepare, erase, |profile, at| {
        let left: Vec<Value> = profile.show("tasks");
        assert!(left.len() <= 1, "{at}");
        let again = profile.run(&["erase", "--yes"]);
        assert_eq!(again.status.code(), Some(0), "{at}");
        assert!(profile.show("tasks").is_empty(), "{at}");
        assert!(profile.show("activity").is_empty(), "{at}");
    });
}
