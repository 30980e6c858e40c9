use adjutant_domain::ids::{RecordId, RemoteId};
use adjutant_domain::record::{Address, OutboxItem};
use jiff::Timestamp;
use proptest::prelude::*;

use super::{DraftText, Linked, Sides, Step, There, message_id, new_row, only_reading, plan};

fn row(name: &str) -> RecordId {
    RecordId(name.into())
}

fn remote(name: &str) -> RemoteId {
    RemoteId(name.into())
}

/// Builds the two sides of a comparison: drafts here (row=text), links (row=name=text), and drafts in the account (a
/// known name, or a new one as name=Message-ID=text, with `-` for a text that cannot be stored here).
fn sides(here: &[&str], linked: &[&str], there: &[&str]) -> Sides {
    let cut = |one: &&str| one.split('=').map(str::to_owned).collect::<Vec<_>>();
    let mut sides = Sides {
        here: here
            .iter()
            .map(|one| (row(&cut(one)[0]), cut(one)[1].clone()))
            .collect(),
        ..Sides::default()
    };
    for one in linked.iter().map(cut) {
        sides.linked.push(Linked {
            record: row(&one[0]),
            remote: remote(&one[1]),
            message_id: format!("of-{}", one[0]),
            base: one[2].clone(),
        });
    }
    for one in there.iter().map(cut) {
        sides.names.push(remote(&one[0]));
        if let [name, message_id, text] = one.as_slice() {
            sides.read.push(There {
                remote: remote(name),
                message_id: message_id.clone(),
                digest: Some(text.clone()).filter(|text| text != "-"),
            });
        }
    }
    sides
}

fn said(steps: &[Step]) -> Vec<String> {
    let name = |id: &Option<RemoteId>| id.as_ref().map_or("nothing".into(), |id| id.0.clone());
    let one = |step: &Step| match step {
        Step::Push { record, replaces } => format!("push {record} for {}", name(replaces)),
        Step::Drop { remote } => format!("drop {}", remote.0),
        Step::Take { remote, into } => {
            let into = into.as_ref().map_or("a new row", RecordId::as_str);
            format!("take {} into {into}", remote.0)
        }
        Step::Remove { record } => format!("remove {record}"),
        Step::Link { record, remote } => format!("link {record} {}", remote.0),
        Step::Unlink { remote } => format!("unlink {}", remote.0),
        Step::Pass { remote } => format!("pass {}", remote.0),
    };
    steps.iter().map(one).collect()
}

#[test]
fn syncs_a_change_on_one_side_and_keeps_both_of_two_texts() {
    let cases: &[(&str, Sides, &[&str])] = &[
        ("nothing changed", sides(&["a=x"], &["a=1=x"], &["1"]), &[]),
        (
            "written here",
            sides(&["a=x"], &[], &[]),
            &["push a for nothing"],
        ),
        (
            "written there",
            sides(&[], &[], &["1=m=x"]),
            &["take 1 into a new row"],
        ),
        (
            "changed here",
            sides(&["a=y"], &["a=1=x"], &["1"]),
            &["push a for 1"],
        ),
        (
            "changed there",
            sides(&["a=x"], &["a=1=x"], &["2=of-a=y"]),
            &["take 2 into a"],
        ),
        ("gone here", sides(&[], &["a=1=x"], &["1"]), &["drop 1"]),
        (
            "gone there",
            sides(&["a=x"], &["a=1=x"], &[]),
            &["remove a"],
        ),
        (
            "gone on both sides",
            sides(&[], &["a=1=x"], &[]),
            &["unlink 1"],
        ),
        (
            "changed here, gone there",
            sides(&["a=y"], &["a=1=x"], &[]),
            &["unlink 1", "push a for nothing"],
        ),
        (
            "gone here, changed there",
            sides(&[], &["a=1=x"], &["2=of-a=y"]),
            &["unlink 1", "take 2 into a new row"],
        ),
        (
            "changed on both sides",
            sides(&["a=y"], &["a=1=x"], &["2=of-a=z"]),
            &["unlink 1", "take 2 into a new row", "push a for nothing"],
        ),
        (
            "changed alike on both sides",
            sides(&["a=y"], &["a=1=x"], &["2=of-a=y"]),
            &["link a 2"],
        ),
        (
            "got a file there",
            sides(&["a=x"], &["a=1=x"], &["2=of-a=-"]),
            &["remove a", "pass 2"],
        ),
        (
            "got a file there, changed here",
            sides(&["a=y"], &["a=1=x"], &["2=of-a=-"]),
            &["unlink 1", "pass 2", "push a for nothing"],
        ),
        ("with a file", sides(&[], &[], &["1=m=-"]), &["pass 1"]),
        (
            "two of one Message-ID",
            sides(&[], &[], &["1=m=x", "2=m=y"]),
            &["take 2 into a new row", "pass 1"],
        ),
        (
            "stored, and the reply was lost",
            sides(&["a=x"], &[], &["1=draft.a.1@h=x"]),
            &["link a 1"],
        ),
        (
            "connected again",
            sides(&["a=x"], &[], &["1=m=x"]),
            &["link a 1"],
        ),
    ];
    for (told, sides, wanted) in cases {
        assert_eq!(said(&plan(sides)), *wanted, "{told}");
    }
}

#[test]
fn finishes_an_interrupted_replacement() {
    let mut sides = sides(&["a=y"], &["a=1=x"], &["1", "2=draft.a.1@h=y"]);
    sides.linked[0].message_id = "draft.a.1@h".into();
    assert_eq!(said(&plan(&sides)), ["link a 2", "drop 1"]);
    // A copy that another program stored beside the old one is for that program to remove.
    sides.linked[0].message_id = "m".into();
    sides.read[0].message_id = "m".into();
    assert_eq!(said(&plan(&sides)), ["link a 2"]);
}

#[test]
fn recognises_drafts_by_the_stable_part_of_their_name() {
    let sides = sides(&["a=x"], &["a=d/1=x"], &["d/2=another=y"]);
    assert_eq!(said(&plan(&sides)), ["take d/2 into a"]);
}

#[test]
fn read_only_access_changes_nothing_in_the_account() {
    let sides = sides(&["a=y", "b=z"], &["a=1=x", "c=2=x"], &["1", "2", "3=m=n"]);
    let steps = plan(&sides);
    assert_eq!(
        said(&steps),
        [
            "push a for 1",
            "drop 2",
            "take 3 into a new row",
            "push b for nothing"
        ]
    );
    assert_eq!(said(&only_reading(steps)), ["take 3 into a new row"]);
}

fn address(name: &str, email: &str) -> Address {
    Address {
        name: name.into(),
        email: email.into(),
    }
}

fn written(item: &OutboxItem) -> String {
    let id = message_id(item, "me@home.example");
    let at = Timestamp::UNIX_EPOCH;
    DraftText::of(item)
        .write(&id, "me@home.example", at)
        .unwrap()
}

#[test]
fn a_draft_survives_a_round_trip() {
    let item = OutboxItem {
        id: row("out_1"),
        version: 3,
        to: vec![address("Zoë \"Z\" Ölz, jr.", "zoe@x.example")],
        cc: vec![address("", "b@x.example")],
        bcc: vec![address("Hidden", "h@x.example")],
        subject: "Größe: 1 < 2".into(),
        body: "Hello,\n\n.\nFrom here on\n-- \nÜ  \n\n".into(),
        in_reply_to: Some("a@b".into()),
        ..new_row(Timestamp::UNIX_EPOCH)
    };
    let read = DraftText::read(written(&item).as_bytes());
    assert_eq!(read.message_id, "draft.out_1.3@home.example");
    assert_eq!(read.text, Some(DraftText::of(&item)));
}

#[test]
fn skips_drafts_that_cannot_be_stored_here() {
    let with_file = "Message-ID: <m@x>\r\nSubject: s\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n\
        --b\r\nContent-Type: text/plain\r\n\r\nHi\r\n--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\n\r\nx\r\n--b--\r\n";
    let read = DraftText::read(with_file.as_bytes());
    assert_eq!((read.message_id.as_str(), read.text), ("m@x", None));
    let long = format!("Subject: s\r\n\r\n{}\r\n", "x".repeat(2 * 1024 * 1024));
    assert_eq!(DraftText::read(long.as_bytes()).text, None);
}

proptest! {
    #[test]
    fn reads_any_bytes_without_panicking(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let read = DraftText::read(&bytes);
        prop_assert!(read.message_id.len() <= 400);
    }

    #[test]
    fn any_text_comes_back(subject in "\\PC{0,60}", body in "[\\PC\n\t]{0,200}", name in "\\PC{0,30}") {
        let item = OutboxItem {
            id: row("out_1"),
            to: vec![address(&name, "a@x.example")],
            subject,
            body,
            ..new_row(Timestamp::UNIX_EPOCH)
        };
        let read = DraftText::read(written(&item).as_bytes());
        prop_assert_eq!(read.text, Some(DraftText::of(&item)));
    }
}
