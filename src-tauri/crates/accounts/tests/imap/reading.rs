//! Tests of reading: the text of mails, and changes by each method that a server may support.

use std::sync::Arc;

use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::{Pulled, PulledWhat};
use adjutant_domain::record::{Folder, Mail, Record};
use adjutant_testkit::remote::listed;

use crate::door::lock;
use crate::dovecot::Dovecot;
use crate::rig::MailRig;

fn text(subject: &str) -> String {
    format!(
        "From: Nadia Ali <nadia@work.example>\r\nTo: me@home.example\r\nSubject: {subject}\r\nMessage-ID: <{subject}@work.example>\r\nDate: Sat, 10 Jan 2026 09:00:00 +0000\r\n\r\nAbout {subject}.\r\n"
    )
}

fn mails(pulled: &[Pulled]) -> Vec<(&Mail, Option<&[u8]>)> {
    let all = pulled.iter().filter_map(|one| match &one.what {
        PulledWhat::There { rows, source, .. } => match rows.first() {
            Some(Record::Mail(mail)) => Some((mail, source.as_deref())),
            _ => None,
        },
        PulledWhat::Gone => None,
    });
    all.collect()
}

/// Returns the subjects, with a star if starred and a dot if unread, and the UIDs of deleted mails.
fn told(pulled: &[Pulled]) -> Vec<String> {
    let mut told: Vec<String> = mails(pulled)
        .iter()
        .map(|(mail, _)| {
            let star = if mail.starred { "*" } else { "" };
            let dot = if mail.read { "" } else { "." };
            format!("{}{star}{dot}", mail.subject)
        })
        .collect();
    let gone = pulled.iter().filter(|one| one.what == PulledWhat::Gone);
    told.extend(gone.map(|one| format!("-{}", one.remote_id.0)));
    told
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn finds_changes_by_each_method_a_server_supports() {
    let server = Arc::new(Dovecot::start());
    for hidden in [vec![], vec!["QRESYNC"], vec!["QRESYNC", "CONDSTORE"]] {
        let rig = MailRig::new(&server, true).await;
        lock(&rig.course).hidden.clone_from(&hidden);
        for (subject, flags) in [
            ("one", "\\Seen"),
            ("two", ""),
            ("three", "\\Seen"),
            ("four", "\\Deleted"),
        ] {
            rig.other().append("INBOX", flags, &text(subject));
        }
        let (pulled, cursor) = rig.pull("INBOX", None).await;
        assert_eq!(
            told(&pulled),
            ["three", "two.", "one"],
            "{hidden:?}: the newest first"
        );
        lock(&rig.course).asked.clear();
        let (pulled, same) = rig.pull("INBOX", Some(cursor.clone())).await;
        assert_eq!((told(&pulled), &same), (vec![], &cursor), "{hidden:?}");
        let asked = lock(&rig.course).asked.clone();
        if !hidden.contains(&"CONDSTORE") {
            assert_eq!(
                asked,
                ["NOOP", "LIST", "EXAMINE"],
                "{hidden:?}: nothing new"
            );
        }

        rig.other().store("INBOX", 1, "+FLAGS (\\Flagged)");
        rig.other().store("INBOX", 2, "+FLAGS (\\Seen)");
        rig.other().expunge("INBOX", 3);
        rig.other().append("INBOX", "", &text("five"));
        rig.other().append("Archive", "", &text("elsewhere"));
        let (pulled, cursor) = rig.pull("INBOX", Some(cursor)).await;
        assert_eq!(told(&pulled), ["five.", "two", "one*", "-3"], "{hidden:?}");

        // The mail is marked as deleted but not expunged: clients no longer show it unless the mark is removed.
        rig.other().store("INBOX", 1, "+FLAGS (\\Deleted)");
        let (pulled, cursor) = rig.pull("INBOX", Some(cursor)).await;
        assert_eq!(told(&pulled), ["-1"], "{hidden:?}");
        rig.other().store("INBOX", 1, "-FLAGS (\\Deleted)");
        let (pulled, cursor) = rig.pull("INBOX", Some(cursor)).await;
        assert_eq!(told(&pulled), ["one*"], "{hidden:?}");
        let (pulled, _) = rig.pull("INBOX", Some(cursor)).await;
        assert_eq!(told(&pulled), Vec::<String>::new(), "{hidden:?}");
    }
}

/// Returns the subject and labels of each mail.
fn labelled(pulled: &[Pulled]) -> Vec<String> {
    let all = mails(pulled).into_iter();
    all.map(|(mail, _)| format!("{} {}", mail.subject, mail.labels.join("+")))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn notices_labels_given_elsewhere_by_each_method() {
    let server = Arc::new(Dovecot::start());
    for hidden in [vec![], vec!["QRESYNC"], vec!["QRESYNC", "CONDSTORE"]] {
        let rig = MailRig::new(&server, true).await;
        lock(&rig.course).hidden.clone_from(&hidden);
        for (subject, flags) in [("one", "\\Seen later"), ("two", "")] {
            rig.other().append("INBOX", flags, &text(subject));
        }
        let (pulled, cursor) = rig.pull("INBOX", None).await;
        assert_eq!(labelled(&pulled), ["two ", "one later"], "{hidden:?}");
        rig.other().store("INBOX", 2, "+FLAGS (work urgent)");
        let (pulled, cursor) = rig.pull("INBOX", Some(cursor)).await;
        assert_eq!(labelled(&pulled).len(), 1, "{hidden:?}: {pulled:?}");
        let mut labels = mails(&pulled)[0].0.labels.clone();
        labels.sort();
        assert_eq!(labels, ["urgent", "work"], "{hidden:?}");
        rig.other().store("INBOX", 1, "-FLAGS (later)");
        rig.other().store("INBOX", 2, "-FLAGS (work)");
        let (pulled, cursor) = rig.pull("INBOX", Some(cursor)).await;
        assert_eq!(labelled(&pulled), ["two urgent", "one "], "{hidden:?}");
        let (pulled, _) = rig.pull("INBOX", Some(cursor)).await;
        assert_eq!(labelled(&pulled), Vec::<String>::new(), "{hidden:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn compares_the_labels_of_the_newest_thousand_only() {
    let server = Arc::new(Dovecot::start());
    let rig = MailRig::new(&server, true).await;
    lock(&rig.course).hidden = vec!["QRESYNC", "CONDSTORE"];
    for number in 1..=1_002 {
        rig.other().append("INBOX", "", &text(&number.to_string()));
    }
    let (_, cursor) = rig.pull("INBOX", None).await;
    rig.other().store("INBOX", 2, "+FLAGS (later)");
    rig.other().store("INBOX", 3, "+FLAGS (later)");
    lock(&rig.course).asked.clear();
    let (pulled, cursor) = rig.pull("INBOX", Some(cursor)).await;
    assert_eq!(labelled(&pulled), ["3 later"]);
    let asked = lock(&rig.course).asked.clone();
    let fetched = asked.iter().filter(|verb| *verb == "UID FETCH").count();
    assert_eq!(fetched, 3, "two pages of flags and the mail: {asked:?}");
    // A mail that leaves the thousand is not delivered again.
    rig.other().append("INBOX", "", &text("new"));
    let (pulled, _) = rig.pull("INBOX", Some(cursor)).await;
    assert_eq!(labelled(&pulled), ["new "]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn reads_the_text_of_a_large_mail_and_fetches_the_rest_on_demand() {
    let server = Arc::new(Dovecot::start());
    let rig = MailRig::new(&server, true).await;
    let file = "QUJD".repeat(19).to_string() + "\r\n";
    let file = file.repeat(2_000);
    let large = text("large").replace("Subject:", "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\nSubject:").replace(
        "About large.\r\n",
        &format!(
            "--b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=C3=BC=C3=9Fe\r\n--b\r\nContent-Type: application/pdf; name=\"=?utf-8?Q?=C3=9Cbersicht.pdf?=\"\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment\r\n\r\n{file}--b--\r\n"
        ),
    );
    let uid = rig.other().append("INBOX", "", &large);
    let (pulled, _) = rig.pull("INBOX", None).await;
    let all = mails(&pulled);
    let [(mail, source)] = all[..] else {
        panic!("{all:?}");
    };
    assert_eq!((mail.text.trim(), source), ("Grüße", None));
    assert_eq!(mail.size, large.len() as u64);
    let [attached] = &mail.attachments[..] else {
        panic!("{:?}", mail.attachments);
    };
    assert_eq!(
        (attached.name.as_str(), attached.media_type.as_str()),
        ("Übersicht.pdf", "application/pdf")
    );
    assert_eq!((attached.size, attached.sha256.as_str()), (114_000, ""));

    let backend = rig.backends.mail.clone().unwrap();
    let named = rig.seen("INBOX", uid, "");
    assert_eq!(backend.body(&named).await, Ok(large.into_bytes()));
    assert_eq!(
        backend.attachment(&named, 0).await,
        Ok(b"ABC".repeat(38_000))
    );
    assert_eq!(backend.attachment(&named, 1).await, Err(RemoteFault::Gone));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_malformed_mail_is_read_in_part_and_hides_no_other() {
    let server = Arc::new(Dovecot::start());
    let rig = MailRig::new(&server, true).await;
    for mime in [
        "no header at all\r\n",
        "\r\nonly text\r\n",
        "Subject: =?utf-8?B?broken\r\nContent-Type: multipart/mixed; boundary=\"\r\n\r\n--\r\n--\r\n",
        "Content-Type: text/html\r\nSubject: html\r\n\r\n<p>Hello &amp; good-bye<script>x</script>\r\n",
        &text("fine"),
    ] {
        rig.other().append("INBOX", "", mime);
    }
    let (pulled, _) = rig.pull("INBOX", None).await;
    let all = mails(&pulled);
    assert_eq!(all.len(), 5);
    assert!(all.iter().all(|(mail, _)| !mail.message_id.is_empty()));
    assert_eq!(all[0].0.subject, "fine");
    assert!(all[1].0.text.contains("Hello & good-bye") && !all[1].0.text.contains('<'));
    assert!(all[4].0.text.contains("no header at all"), "{:?}", all[4].0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn mailboxes_determine_the_folder_of_mail() {
    let server = Arc::new(Dovecot::start());
    let rig = MailRig::new(&server, true).await;
    rig.other().ask("CREATE \"Projekte/Gr&APw-n\"");
    let listed = listed(&rig.backends).await.unwrap();
    let names: Vec<&str> = listed.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names[0], "Inbox", "{names:?}");
    assert!(
        names.contains(&"Projekte/Grün") && !names.contains(&"Drafts"),
        "{names:?}"
    );
    for (mailbox, folder, labels) in [
        ("INBOX", Folder::Inbox, vec![]),
        ("Sent", Folder::Sent, vec![]),
        ("Trash", Folder::Trash, vec![]),
        ("Junk", Folder::Junk, vec![]),
        ("Archive", Folder::Archive, vec![]),
        (
            "Projekte/Gr&APw-n",
            Folder::Archive,
            vec!["Projekte/Grün".to_owned()],
        ),
    ] {
        rig.other().append(mailbox, "$Forwarded later", &text("a"));
        let (pulled, _) = rig.pull(mailbox, None).await;
        let [(mail, _)] = mails(&pulled)[..] else {
            panic!("{mailbox}");
        };
        let expected: Vec<String> = [vec!["later".to_owned()], labels].concat();
        assert_eq!(
            (mail.folder, &mail.labels),
            (folder, &expected),
            "{mailbox}"
        );
    }
}
