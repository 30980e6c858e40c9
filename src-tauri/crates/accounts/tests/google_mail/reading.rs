//! Tests of reading mail.

use adjutant_domain::account::Cursor;
use adjutant_domain::ports::{PullFault, PulledWhat};
use adjutant_domain::record::Folder;

use crate::rig::{GoogleRig, mails};

const MIXED: &str = "From: =?utf-8?q?Ren=C3=A9e?= <renee@work.example>\r\nTo: me@home.example, Bob <bob@work.example>\r\nCc: eve@work.example\r\nReply-To: desk@work.example\r\nSubject: =?utf-8?b?w4l0w6k=?=\r\nMessage-ID: <mixed@work.example>\r\nIn-Reply-To: <first@home.example>\r\nReferences: <zero@home.example> <first@home.example>\r\nDate: Mon, 12 Jan 2026 09:00:00 +0100\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\nContent-Type: multipart/alternative; boundary=a\r\n\r\n--a\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nD=E9j=E0 vu.\r\n--a\r\nContent-Type: text/html\r\n\r\n<p>Deja vu in <b>HTML</b>.</p>\r\n--a--\r\n--m\r\nContent-Type: application/pdf; name=\"plan.pdf\"\r\nContent-Disposition: attachment; filename=\"plan.pdf\"\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0xLjQ=\r\n--m--\r\n";

#[tokio::test]
async fn reads_all_fields_of_a_mail() {
    let rig = GoogleRig::new();
    let id = {
        let mut google = rig.google();
        google.mail.labels.insert("Label_1".into(), "Travel".into());
        google.mail.add(
            MIXED.as_bytes(),
            1_768_204_800_000,
            &[
                "STARRED",
                "UNREAD",
                "IMPORTANT",
                "Label_1",
                "CATEGORY_UPDATES",
            ],
        )
    };
    let (_, pulled) = rig.pull(None).await;
    let [mail] = mails(&pulled).try_into().unwrap();
    assert_eq!(pulled[0].remote_id.0, id);
    assert_eq!(mail.from.to_string(), "Renée <renee@work.example>");
    assert_eq!(mail.to.len(), 2);
    assert_eq!(mail.cc[0].email, "eve@work.example");
    assert_eq!(mail.reply_to[0].email, "desk@work.example");
    assert_eq!(
        (mail.subject.as_str(), mail.message_id.as_str()),
        ("Été", "mixed@work.example")
    );
    assert_eq!(mail.in_reply_to.as_deref(), Some("first@home.example"));
    assert_eq!(mail.references, ["zero@home.example", "first@home.example"]);
    assert_eq!(mail.date.to_string(), "2026-01-12T08:00:00Z");
    assert_eq!(mail.text.trim(), "Déjà vu.");
    assert_eq!(
        (mail.folder, mail.read, mail.starred),
        (Folder::Archive, false, true)
    );
    assert_eq!(mail.labels, ["Travel"]);
    assert_eq!(mail.size, MIXED.len() as u64);
    let [file] = mail.attachments.as_slice() else {
        panic!("one file: {:?}", mail.attachments)
    };
    assert_eq!(
        (file.name.as_str(), file.media_type.as_str(), file.size),
        ("plan.pdf", "application/pdf", 8)
    );
    let backend = rig.backends.mail.clone().unwrap();
    let named = rig.seen(&id, "mixed@work.example");
    assert_eq!(
        backend.attachment(&named, 0).await.as_deref(),
        Ok(&b"%PDF-1.4"[..])
    );
    assert_eq!(backend.body(&named).await.as_deref(), Ok(MIXED.as_bytes()));
}

fn plain(subject: &str) -> String {
    format!(
        "From: a@work.example\r\nSubject: {subject}\r\nMessage-ID: <{subject}@work.example>\r\n\r\nHello.\r\n"
    )
}

#[tokio::test]
async fn a_mail_moved_elsewhere_stays_one_record() {
    let rig = GoogleRig::new();
    let id = rig
        .google()
        .mail
        .add(plain("one").as_bytes(), 1_000, &["INBOX", "UNREAD"]);
    let (cursor, _) = rig.pull(None).await;
    for (labels, expected) in [
        (&["UNREAD"][..], Folder::Archive),
        (&["TRASH"], Folder::Trash),
        (&["SPAM"], Folder::Junk),
        (&["INBOX", "SENT"], Folder::Inbox),
    ] {
        rig.google().mail.label(&id, labels);
        let (_, pulled) = rig.pull(Some(cursor.clone())).await;
        let folders: Vec<Folder> = mails(&pulled).iter().map(|mail| mail.folder).collect();
        assert_eq!(folders, [expected], "{labels:?}");
        assert_eq!(pulled[0].remote_id.0, id);
    }
    rig.google().mail.label(&id, &["DRAFT"]);
    let (_, pulled) = rig.pull(Some(cursor)).await;
    assert_eq!(pulled[0].what, PulledWhat::Gone, "a draft is no mail");
}

#[tokio::test]
async fn reads_the_newest_first_and_no_drafts() {
    let rig = GoogleRig::new();
    for (subject, millis, label) in [
        ("old", 1_000, "INBOX"),
        ("new", 9_000, "SENT"),
        ("draft", 10_000, "DRAFT"),
        ("chat", 10_000, "CHAT"),
        ("middle", 5_000, "TRASH"),
    ] {
        rig.google()
            .mail
            .add(plain(subject).as_bytes(), millis, &[label]);
    }
    let (_, pulled) = rig.pull(None).await;
    let subjects: Vec<String> = mails(&pulled)
        .into_iter()
        .map(|mail| mail.subject)
        .collect();
    assert_eq!(subjects, ["new", "middle", "old"]);
}

#[tokio::test]
async fn reading_without_changes_takes_one_request() {
    let rig = GoogleRig::new();
    rig.google()
        .mail
        .add(plain("one").as_bytes(), 1_000, &["INBOX"]);
    let (cursor, _) = rig.pull(None).await;
    rig.google().asked.clear();
    let (next, pulled) = rig.pull(Some(cursor.clone())).await;
    assert_eq!((next, pulled), (cursor, Vec::new()));
    assert_eq!(rig.google().asked, ["GET /gmail/v1/users/me/history"]);
}

#[tokio::test]
async fn reads_all_pages_of_the_history() {
    let rig = GoogleRig::new();
    let id = rig
        .google()
        .mail
        .add(plain("one").as_bytes(), 1_000, &["INBOX"]);
    let (cursor, _) = rig.pull(None).await;
    for at in 0..1_201 {
        let label = if at % 2 == 0 { "STARRED" } else { "UNREAD" };
        rig.google().mail.label(&id, &["INBOX", label]);
    }
    rig.google()
        .mail
        .add(plain("two").as_bytes(), 2_000, &["INBOX"]);
    let (next, pulled) = rig.pull(Some(cursor)).await;
    let subjects: Vec<String> = mails(&pulled)
        .into_iter()
        .map(|mail| mail.subject)
        .collect();
    assert_eq!(subjects, ["two", "one"], "each once, the newest first");
    assert!(rig.pull(Some(next)).await.1.is_empty());
}

#[tokio::test]
async fn refuses_an_unknown_cursor_without_a_request() {
    let rig = GoogleRig::new();
    for cursor in ["", "1 ", "1 17&x=y", "0 17", "1 -1"] {
        let (read, _) = rig.read(&rig.all_mail(Some(Cursor(cursor.into())))).await;
        assert_eq!(read, Err(PullFault::CursorRefused), "{cursor}");
    }
    let asked = rig.google().asked.clone();
    assert!(
        !asked.iter().any(|one| one.contains("/gmail/")),
        "{asked:?}"
    );
}
