//! Tests of saving a file: it is recorded before its first byte is written, and never falsely denied.

use std::path::PathBuf;

use serde_json::Value;

use super::{Profile, ask, everywhere, no_open_turn};

const MAIL: &str = "From ana@x.example Thu Jan 01 00:00:00 2026
From: Ana Ruiz <ana@x.example>
To: me@x.example
Subject: The plan
Message-ID: <plan@x>
Date: Thu, 01 Jan 2026 00:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=q

--q
Content-Type: text/plain

See file.
--q
Content-Type: application/pdf
Content-Disposition: attachment; filename=\"plan.pdf\"

the plan
--q--

";

fn folder(profile: &Profile) -> PathBuf {
    profile.path().join("out")
}

fn with_attachment() -> Profile {
    let profile = Profile::new();
    std::fs::create_dir(folder(&profile)).expect("a folder");
    profile.import("a.mbox", MAIL);
    let open = folder(&profile).display().to_string();
    let set = profile.run(&["config", "set", "folders", &open]);
    assert!(set.status.success(), "the folder is open");
    profile
}

/// Returns the last answer.
pub(super) fn answer(profile: &Profile) -> String {
    let to = tempfile::tempdir().expect("a folder");
    let to = to.path().join("copy");
    let exported = profile.run(&["export", &to.display().to_string()]);
    assert!(exported.status.success(), "exported");
    let text = std::fs::read_to_string(to.join("conversations.jsonl")).unwrap_or_default();
    text.lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|turn| turn["adjutant"].as_str().map(str::to_owned))
        .next_back()
        .unwrap_or_default()
}

fn is_there(profile: &Profile) -> bool {
    let path = folder(profile).join("plan.pdf");
    std::fs::read_to_string(path).is_ok_and(|text| text.trim() == "the plan")
}

/// Checks what holds after every kill: file and receipt exist together, and the answer does not contradict them.
fn agrees(profile: &Profile, at: &str) {
    no_open_turn(profile, at);
    let rows = profile.show("activity");
    let saved: Vec<&Value> = rows
        .iter()
        .filter(|row| row["tool"] == "email.attachment")
        .collect();
    let done = profile.succeeded("email.attachment").len();
    assert_eq!(is_there(profile), done == 1, "{at}: {saved:?}");
    assert!(saved.len() <= 1, "{at}: told twice: {saved:?}");
    let said = answer(profile);
    if done == 1 {
        assert!(!said.contains("Nothing was done"), "{at}: {said}");
        assert!(!said.contains("Not done"), "{at}: {said}");
        assert!(said.contains("Saved “plan.pdf”"), "{at}: {said}");
    } else {
        assert!(!said.contains("Saved “plan.pdf”"), "{at}: {said}");
    }
    // Whatever happened to it, a repeated request leaves it there once.
    let again = profile.run(&["ask", "save the attachment from Ana's email"]);
    assert_eq!(again.status.code(), Some(0), "{at}");
    assert!(is_there(profile), "{at}");
    let files = std::fs::read_dir(folder(profile)).expect("a folder");
    assert_eq!(files.count(), 1, "{at}: saved twice");
}

#[test]
fn survives_kills_while_saving_a_file() {
    let kills = everywhere(
        "file",
        with_attachment,
        |_| ask("save the attachment from Ana's email"),
        agrees,
    );
    assert!(kills >= 12, "only {kills} places came by");
}

#[test]
fn survives_kills_while_saving_an_approved_file() {
    let prepare = || {
        let profile = with_attachment();
        let set = profile.run(&["config", "set", "ask_always", "true"]);
        assert!(set.status.success(), "every effect asks");
        let asked = profile.run(&["ask", "save the attachment from Ana's email"]);
        assert_eq!(asked.status.code(), Some(3), "it asks");
        let set = profile.run(&["config", "set", "ask_always", "false"]);
        assert!(set.status.success(), "and no longer");
        profile
    };
    let kills = everywhere("approved file", prepare, super::approval, |profile, at| {
        let rows = profile.show("approvals");
        let state = rows[0]["state"].as_str().unwrap_or_default();
        let there = is_there(profile);
        assert!(
            matches!(state, "pending" | "succeeded" | "failed"),
            "{at}: {state}"
        );
        assert_eq!(state == "succeeded", there, "{at}: {state}");
        if state == "pending" {
            super::finish(profile);
            assert!(is_there(profile), "{at}");
        } else {
            agrees(profile, at);
        }
    });
    assert!(kills >= 12, "only {kills} places came by");
}
