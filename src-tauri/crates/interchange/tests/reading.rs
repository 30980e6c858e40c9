//! Reads every format, well-formed and broken, and reads back what export wrote.
#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use adjutant_domain::ports::Entropy;
use adjutant_domain::provenance::{Author, Provenance};
use adjutant_domain::record::{Folder, Record, TaskStatus};
use adjutant_domain::source::Taint;
use adjutant_interchange::write::Exporter;
use adjutant_interchange::{Item, Seed, open};

struct Counter(AtomicU64);

impl Entropy for Counter {
    fn bits(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

fn seed() -> Seed {
    Seed {
        now: "2026-01-12T09:00:00+01:00[Europe/Paris]"
            .parse()
            .expect("a time"),
        entropy: Arc::new(Counter(AtomicU64::new(1))),
        own: vec!["me@example.org".into()],
    }
}

fn read(name: &str, content: impl AsRef<[u8]>) -> Vec<Item> {
    read_as(seed(), name, content)
}

fn read_as(seed: Seed, name: &str, content: impl AsRef<[u8]>) -> Vec<Item> {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join(name);
    std::fs::write(&path, content).expect("a file");
    open(&path, &seed).expect("it opens").collect()
}

fn records(items: Vec<Item>) -> Vec<Record> {
    items
        .into_iter()
        .map(|item| item.expect("no refusal").record)
        .collect()
}

const EVENT: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Work\r\nBEGIN:VEVENT\r\nUID:one@x\r\nDTSTART;TZID=America/New_York:20260112T090000\r\nDURATION:PT45M\r\nSUMMARY:Stand-up\\, daily\r\nRRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=4\r\nEXDATE;TZID=America/New_York:20260114T090000\r\nATTENDEE;CN=\"Ana Ruiz\";PARTSTAT=ACCEPTED:mailto:ana@example.org\r\nEND:VEVENT\r\n";

#[test]
fn an_event_keeps_its_zone_rule_and_guests() {
    let all = records(read("a.ics", format!("{EVENT}END:VCALENDAR\r\n")));
    let [Record::Event(event)] = all.as_slice() else {
        panic!("one event: {all:?}")
    };
    assert_eq!(
        event.start.to_string(),
        "2026-01-12T09:00:00-05:00[America/New_York]"
    );
    assert_eq!(
        event.end.to_string(),
        "2026-01-12T09:45:00-05:00[America/New_York]"
    );
    assert_eq!(
        (event.summary.as_str(), event.calendar.as_str()),
        ("Stand-up, daily", "Work")
    );
    assert_eq!(
        event
            .rrule
            .as_deref()
            .map(|rule| rule.contains("BYDAY=MO,WE") && rule.contains("COUNT=4")),
        Some(true)
    );
    assert_eq!(event.exdates.len(), 1);
    assert_eq!(event.attendees[0].email, "ana@example.org");
    assert_eq!(event.attendees[0].status, "accepted");
}

#[test]
fn names_one_bad_event_and_reads_the_others() {
    let text = format!(
        "{EVENT}BEGIN:VEVENT\r\nUID:bad@x\r\nDTSTART;TZID=Nowhere/At_All:20260112T090000\r\nSUMMARY:Lost\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:nostart@x\r\nSUMMARY:No start\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:back@x\r\nDTSTART:20260112T090000Z\r\nDTEND:20260112T080000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    );
    let items = read("a.ics", text);
    let refused: Vec<_> = items
        .iter()
        .filter_map(|item| item.as_ref().err())
        .map(|refused| refused.item.as_str())
        .collect();
    assert_eq!(refused, ["bad@x", "nostart@x", "back@x"]);
    assert_eq!(items.len(), 4);
}

#[test]
fn reports_a_truncated_calendar() {
    let items = read("a.ics", &EVENT[..EVENT.len() - 40]);
    assert!(items.iter().any(Result::is_err), "{items:?}");
}

#[test]
fn reads_floating_and_whole_day_times() {
    let text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:f\nDTSTART:20260329T023000\nSUMMARY:in the gap\nEND:VEVENT\nBEGIN:VEVENT\nUID:d\nDTSTART;VALUE=DATE:20260501\nSUMMARY:day\nEND:VEVENT\nEND:VCALENDAR\n";
    let all = records(read("a.ics", text));
    let [Record::Event(gap), Record::Event(day)] = all.as_slice() else {
        panic!("two events: {all:?}")
    };
    assert_eq!(
        gap.start.to_string(),
        "2026-03-29T03:30:00+02:00[Europe/Paris]"
    );
    assert_eq!(
        (day.start.to_string(), day.end.to_string()),
        ("2026-05-01".into(), "2026-05-02".into())
    );
}

const MBOX: &str = "From a@x Sun Oct 01 09:15:02 2023\nFrom: Ana <ana@example.org>\nTo: me@example.org\nSubject: =?utf-8?q?Caf=C3=A9?=\nDate: Sun, 01 Oct 2023 09:15:02 +0000\nMessage-ID: <1@x>\nContent-Type: text/plain; charset=utf-8\n\nHello\n>From here on\n\nFrom me@example.org Sun Oct 01 10:00:00 2023\nFrom: me@example.org\nTo: ana@example.org\nSubject: Re\nMessage-ID: <2@x>\nIn-Reply-To: <1@x>\nDate: Sun, 01 Oct 2023 10:00:00 +0000\n\nBye\n\n";

#[test]
fn reads_mails_of_an_mbox() {
    let all = records(read("inbox.mbox", MBOX));
    let [Record::Mail(first), Record::Mail(second)] = all.as_slice() else {
        panic!("two mails: {all:?}")
    };
    assert_eq!(
        (first.subject.as_str(), first.folder),
        ("Café", Folder::Inbox)
    );
    assert!(first.text.contains("\nFrom here on"), "{:?}", first.text);
    assert_eq!(
        (second.folder, second.in_reply_to.as_deref()),
        (Folder::Inbox, Some("1@x"))
    );
}

#[test]
fn refuses_what_is_not_a_mail() {
    assert!(read("a.mbox", "just text\n").iter().all(Result::is_err));
    assert!(read("a.eml", [0_u8, 255, 1]).iter().all(Result::is_err));
    assert!(read("a.mbox", "").is_empty());
}

#[test]
fn reads_contacts_tasks_and_notes() {
    let all = records(read(
        "a.vcf",
        "BEGIN:VCARD\nVERSION:3.0\nN:Ruiz;Ana;;;\nFN:Ana Ruiz\nNICKNAME:Annie\nEMAIL:ana@example.org\nEND:VCARD\n",
    ));
    let [Record::Contact(contact)] = all.as_slice() else {
        panic!("{all:?}")
    };
    assert_eq!(
        (
            contact.name.as_str(),
            contact.emails[0].as_str(),
            contact.nicknames[0].as_str()
        ),
        ("Ana Ruiz", "ana@example.org", "Annie")
    );

    let items = read(
        "a.csv",
        "Title,Due,Priority,Status\nBuy milk,2026-01-13,high,open\nBad,whenever,,\nDone one,,,done\n,,,\n",
    );
    let refused: Vec<_> = items
        .iter()
        .filter_map(|item| item.as_ref().err())
        .map(|one| one.item.as_str())
        .collect();
    assert_eq!(refused, ["row 3", "row 5"]);
    let Some(Ok(incoming)) = items.get(2) else {
        panic!("{items:?}")
    };
    let Record::Task(done) = &incoming.record else {
        panic!("{items:?}")
    };
    assert_eq!(done.status, TaskStatus::Done);
    assert!(read("a.csv", "a,b\n1,2\n").iter().all(Result::is_err));

    let all = records(read(
        "Ideas.md",
        "---\ntags: [one, two]\n---\n# Plans\n\nText\n",
    ));
    let [Record::Note(note)] = all.as_slice() else {
        panic!("{all:?}")
    };
    assert_eq!(
        (note.title.as_str(), note.body.as_str(), note.tags.len()),
        ("Plans", "Text", 2)
    );
}

#[test]
fn reports_unknown_and_missing_files() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("a.exe"), "x").expect("a file");
    assert!(open(&dir.path().join("a.exe"), &seed()).is_err());
    assert!(open(&dir.path().join("none.ics"), &seed()).is_err());
    assert!(open(dir.path(), &seed()).is_err());
}

#[test]
fn an_export_survives_a_round_trip() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut before = records(read("a.ics", format!("{EVENT}END:VCALENDAR\r\n")));
    before.extend(records(read(
        "a.vcf",
        "BEGIN:VCARD\nFN:Ana Ruiz\nEMAIL:ana@example.org\nEND:VCARD\n",
    )));
    before.extend(records(read(
        "a.csv",
        "title,due\nBuy milk,2026-01-13 10:00\n",
    )));
    before.extend(records(read("a.md", "# Plans\n\nText")));
    let mails: Vec<_> = read("inbox.mbox", MBOX)
        .into_iter()
        .map(|item| item.expect("a mail"))
        .collect();
    let out = dir.path().join("out");
    let mut export = Exporter::new(&out).expect("an export");
    for record in &before {
        export.put(record, None, None).expect("written");
    }
    for mail in &mails {
        export
            .put(&mail.record, mail.raw.as_deref(), None)
            .expect("written");
    }
    let files = export.finish().expect("finished");
    assert!(files.iter().any(|name| name == "notes/Plans.md"));
    assert!(Exporter::new(&out).is_err(), "a full folder is refused");

    let back: Vec<Record> = records(open(&out, &seed()).expect("it opens").collect());
    assert_eq!(&back[..before.len()], &before[..]);
    for (back, then) in back[before.len()..].iter().zip(&mails) {
        let (Record::Mail(back), Record::Mail(then)) = (back, &then.record) else {
            panic!("mails")
        };
        assert_eq!(
            (&back.message_id, back.folder, &back.text),
            (&then.message_id, then.folder, &then.text)
        );
    }
    // The files for other programs are well-formed too.
    for name in ["calendar.ics", "contacts.vcf", "tasks.csv", "mail.mbox"] {
        assert!(
            records(open(&out.join(name), &seed()).expect("it opens").collect()).len()
                == if name == "mail.mbox" { 2 } else { 1 },
            "{name}"
        );
    }
}

#[test]
fn an_export_keeps_the_authors_of_records() {
    let dir = tempfile::tempdir().expect("a folder");
    let note = records(read("a.md", "# Plans\n\nText"));
    let out = dir.path().join("out");
    let of = Provenance {
        author: Author::Adjutant { turn: "t".into() },
        taint: Taint::Tainted,
    };
    let mut export = Exporter::new(&out).expect("an export");
    export.put(&note[0], None, Some(&of)).expect("written");
    export.put(&note[0], None, None).expect("written");
    export.finish().expect("finished");
    let said = |items: Vec<Item>| -> Vec<Option<Provenance>> {
        let items = items.into_iter().map(|item| item.expect("read"));
        items.map(|item| item.provenance).collect()
    };
    let back = open(&out, &seed()).expect("it opens").collect();
    assert_eq!(said(back), [Some(of), None]);
    // A record with nonsense in it is refused, not accepted in part.
    let lines = out.join("records.jsonl");
    let text = std::fs::read_to_string(&lines).expect("lines");
    for nonsense in ["\"by\":\"owner\"", "\"by\":7"] {
        std::fs::write(&lines, text.replace("\"by\":\"adjutant\"", nonsense)).expect("a file");
        let items: Vec<Item> = open(&out, &seed()).expect("it opens").collect();
        assert!(items[0].is_err() && items[1].is_ok(), "{items:?}");
    }
}

#[test]
fn reads_any_bytes_without_panicking() {
    use proptest::prelude::*;
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let dir = tempfile::tempdir().expect("a folder");
    let strategy = (
        prop::sample::select(vec!["a.ics", "a.mbox", "a.eml", "a.vcf", "a.csv", "a.md"]),
        prop::sample::select(vec!["", EVENT, MBOX, "BEGIN:VCARD\nFN:x\n", "title,due\n"]),
        prop::collection::vec(any::<u8>(), 0..400),
        any::<prop::sample::Index>(),
    );
    runner
        .run(&strategy, |(name, start, noise, cut)| {
            let mut bytes = start.as_bytes()[..if start.is_empty() {
                0
            } else {
                cut.index(start.len())
            }]
                .to_vec();
            bytes.extend(noise);
            let path: &Path = &dir.path().join(name);
            std::fs::write(path, bytes).expect("a file");
            let count = open(path, &seed()).map(Iterator::count).unwrap_or(0);
            prop_assert!(count < 2000);
            Ok(())
        })
        .expect("no input may panic");
}

/// Only our own exports are trusted about folders and marks; a stranger's mail may claim anything.
#[test]
fn trusts_our_own_headers_only_in_an_export() {
    let mail = "From: eve@x\r\nSubject: Hi\r\nX-Adjutant-Folder: trash\r\nX-Adjutant-Flags: read starred\r\nX-Adjutant-Labels: Boss\r\n\r\nHi\r\n";
    let mbox = format!("From eve@x Mon Jan 12 09:00:00 2026\n{mail}");
    for (name, content) in [("a.eml", mail), ("a.mbox", mbox.as_str())] {
        let all = records(read(name, content));
        let [Record::Mail(mail)] = all.as_slice() else {
            panic!("one mail: {all:?}")
        };
        assert_eq!(mail.folder, Folder::Inbox, "{name}");
        assert!(!mail.starred && mail.labels.is_empty(), "{name}");
    }
}

#[test]
fn a_senders_header_never_files_a_mail_as_sent() {
    for from in [
        "From: me@example.org",
        "From: Me <ME@example.org>",
        "From: \"me@example.org\" <eve@x.example>",
        "From: <me@example.org> <eve@x.example>",
        "From: eve@x.example\r\nFrom: me@example.org",
        "From: me@example.org\r\nFrom: eve@x.example",
        "From: me@example.org, eve@x.example",
        "Sender: me@example.org\r\nFrom: eve@x.example",
        "Received: from x by y\r\nX-Gmail-Labels: Sent,Important\r\nFrom: me@example.org",
    ] {
        let mail = format!("{from}\r\nTo: eve@x.example\r\nSubject: Hi\r\n\r\nPay Eve\r\n");
        let mbox = format!("From me@example.org Mon Jan 12 09:00:00 2026\n{mail}");
        for (name, content) in [("a.eml", &mail), ("a.mbox", &mbox)] {
            let all = records(read(name, content));
            let [Record::Mail(mail)] = all.as_slice() else {
                panic!("one mail: {all:?}")
            };
            assert_eq!(mail.folder, Folder::Inbox, "{name}: {from}");
        }
    }
}

/// Google prepends its labels to the mail's own headers. Label, delivery headers and sender must agree.
#[test]
fn a_takeout_mail_counts_as_sent_only_if_the_sender_agrees() {
    let folder = |own: &[&str], head: &str, from: &str| {
        let mail = format!("X-GM-THRID: 1\r\n{head}From: {from}\r\nSubject: Hi\r\n\r\nHi\r\n");
        let own = own.iter().map(|one| (*one).to_owned()).collect();
        let all = records(read_as(
            Seed { own, ..seed() },
            "a.mbox",
            format!("From x\n{mail}"),
        ));
        let [Record::Mail(mail)] = all.as_slice() else {
            panic!("one mail: {all:?}")
        };
        mail.folder
    };
    let (bare, traced) = (
        "X-Gmail-Labels: Sent\r\n",
        "X-Gmail-Labels: Sent\r\nReceived: from x by y\r\n",
    );
    let own = ["me@example.org"];
    assert_eq!(folder(&own, bare, "Me <ME@example.org>"), Folder::Sent);
    assert_eq!(folder(&own, traced, "me@example.org"), Folder::Sent);
    assert_eq!(folder(&own, bare, "eve@x.example"), Folder::Inbox);
    assert_eq!(folder(&own, traced, "eve@x.example"), Folder::Inbox);
    assert_eq!(
        folder(&own, bare, "me@example.org, eve@x.example"),
        Folder::Inbox
    );
    // If the person's address is unknown, only the delivery headers can confirm it.
    assert_eq!(folder(&[], traced, "me@example.org"), Folder::Sent);
    assert_eq!(folder(&[], bare, "me@example.org"), Folder::Inbox);
    // A label that does not claim the mail is the person's own counts as before.
    let trash = "X-Gmail-Labels: Trash\r\n";
    assert_eq!(folder(&own, trash, "eve@x.example"), Folder::Trash);
}

#[test]
fn a_display_name_like_an_address_is_not_the_address() {
    let mail = "From: \"me@example.org\" <eve@x.example>\r\nSubject: Hi\r\n\r\nHi\r\n";
    let all = records(read("a.eml", mail));
    assert!(matches!(&all[..], [Record::Mail(mail)] if mail.from.email == "eve@x.example"));
}

#[test]
fn only_the_file_name_sent_makes_its_mail_sent() {
    let mail = "From: ann@x\r\nSubject: Hi\r\n\r\nHi\r\n";
    for (name, folder) in [
        ("Sent.eml", Folder::Sent),
        ("sent-mail.eml", Folder::Sent),
        ("presentation.eml", Folder::Inbox),
        ("absent.eml", Folder::Inbox),
    ] {
        let all = records(read(name, mail));
        let [Record::Mail(mail)] = all.as_slice() else {
            panic!("one mail: {all:?}")
        };
        assert_eq!(mail.folder, folder, "{name}");
    }
    let dir = tempfile::tempdir().expect("a folder");
    let below = dir.path().join("sent to the lawyer");
    std::fs::create_dir(&below).expect("a folder");
    let path = below.join("inbox.eml");
    std::fs::write(&path, mail).expect("a file");
    let items = open(&path, &seed()).expect("it opens").collect();
    let all = records(items);
    assert!(matches!(&all[..], [Record::Mail(mail)] if mail.folder == Folder::Inbox));
}

#[test]
fn a_card_cannot_claim_the_derived_uid_of_another_card() {
    let card = "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:mum|mum@home.example\r\nFN:Eve\r\nEMAIL:eve@x.example\r\nEND:VCARD\r\n";
    let all = records(read("a.vcf", card));
    assert!(matches!(&all[..], [Record::Contact(who)] if who.uid == "eve|eve@x.example"));
}

/// The fuzz targets test the same for longer: a calendar can show a year of any rule in a file.
#[test]
fn expanding_rules_of_files_is_bounded() {
    use adjutant_recurrence::{INSTANCES_MAX, Work, instances, last_end};
    use proptest::prelude::*;
    let numbers = |most: i32| {
        prop::collection::vec(-most..=most, 0..70).prop_map(|numbers| {
            let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            numbers.join(",")
        })
    };
    let strategy = (
        prop::sample::select(vec![
            "SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY",
        ]),
        prop::sample::subsequence(
            vec![
                "BYSECOND",
                "BYMINUTE",
                "BYHOUR",
                "BYMONTHDAY",
                "BYYEARDAY",
                "BYWEEKNO",
                "BYMONTH",
                "BYSETPOS",
                "COUNT",
                "INTERVAL",
            ],
            0..6,
        ),
        prop::collection::vec(prop_oneof![numbers(60), numbers(i32::MAX)], 6),
    );
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let dir = tempfile::tempdir().expect("a folder");
    runner
        .run(&strategy, |(frequency, parts, values)| {
            let mut rule = format!("RRULE:FREQ={frequency}");
            for (part, value) in parts.iter().zip(&values) {
                rule.push_str(&format!(";{part}={value}"));
            }
            let path = dir.path().join("a.ics");
            let event = EVENT.replace("RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=4", &rule);
            std::fs::write(&path, event + "END:VCALENDAR\r\n").expect("a file");
            for item in open(&path, &seed()).into_iter().flatten().flatten() {
                let Record::Event(event) = item.record else {
                    continue;
                };
                let at = |text: &str| text.parse::<jiff::Timestamp>().expect("an instant");
                let found = instances(
                    &event,
                    at("2026-01-01T00:00:00Z"),
                    at("2027-01-01T00:00:00Z"),
                    &jiff::tz::TimeZone::UTC,
                    &mut Work::default(),
                );
                prop_assert!(found.found.len() <= INSTANCES_MAX);
                let _ = last_end(&event);
            }
            Ok(())
        })
        .expect("no rule is followed without an end");
}

const KEPT: &str = r#"{"attachments":[{"filePath":"a.jpg","mimetype":"image/jpeg"}],"color":"DEFAULT","isTrashed":false,"isPinned":true,"isArchived":true,"textContent":"Milk\r\nand more","listContent":[{"text":"Bread","isChecked":true},{"text":"Two\nlines","isChecked":false}],"title":"Shopping","userEditedTimestampUsec":1700000000000000,"createdTimestampUsec":1600000000000000,"labels":[{"name":"Home"},{"name":""}]}"#;

#[test]
fn reads_list_labels_and_times_of_a_keep_note() {
    let all = records(read("Shopping.json", KEPT));
    let [Record::Note(note)] = all.as_slice() else {
        panic!("one note: {all:?}")
    };
    assert_eq!(note.title, "Shopping");
    assert_eq!(
        note.body,
        "Milk\nand more\n\n- [x] Bread\n- [ ] Two lines\n\nAttached in Google Keep: a.jpg"
    );
    assert_eq!(note.tags, ["Home", "pinned", "archived"]);
    assert_eq!(note.created.as_second(), 1_600_000_000);
    assert_eq!(note.updated.as_second(), 1_700_000_000);
}

#[test]
fn refuses_trashed_keep_notes_and_other_json_with_a_reason() {
    let reason = |text: &str| match read("a.json", text).as_slice() {
        [Err(refused)] => refused.reason.clone(),
        other => panic!("one refusal: {other:?}"),
    };
    let trashed = KEPT.replace(r#""isTrashed":false"#, r#""isTrashed":true"#);
    assert_eq!(reason(&trashed), "is in the trash of Google Keep");
    assert_eq!(reason("{}"), "is not a note of Google Keep");
    assert_eq!(reason(r#"{"isTrashed":false,"title":" "}"#), "is empty");
    for broken in [
        "[1]",
        "{",
        r#"{"isTrashed":"no"}"#,
        r#"{"isTrashed":false,"title":7}"#,
    ] {
        assert!(
            reason(broken).contains("is not a note of Google Keep ("),
            "{broken}"
        );
    }
    let dates = KEPT.replace("1700000000000000", "9223372036854775807");
    let all = records(read("a.json", dates));
    let [Record::Note(note)] = all.as_slice() else {
        panic!("one note: {all:?}")
    };
    assert_eq!(note.updated.as_second(), 1_600_000_000, "no such year");
}

#[test]
fn reads_notes_of_a_takeout_folder_and_ignores_other_json() {
    let dir = tempfile::tempdir().expect("a folder");
    let keep = dir.path().join("Takeout/Keep");
    std::fs::create_dir_all(&keep).expect("folders");
    std::fs::write(keep.join("Shopping.json"), KEPT).expect("a file");
    std::fs::write(keep.join("Shopping.html"), "<html>").expect("a file");
    std::fs::write(dir.path().join("Takeout/settings.json"), "{\"a\": 1}").expect("a file");
    let all = records(open(dir.path(), &seed()).expect("it opens").collect());
    assert_eq!(all.len(), 1, "{all:?}");
}
