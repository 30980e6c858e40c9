//! Tests of drafts shared by the program and another mail client at the same account.

use crate::day::words;
use crate::desk::{Desk, Kind};
use crate::person::Person;

impl Person<'_> {
    /// Returns the subjects of the drafts in the account.
    fn drafts_there(&self) -> Vec<String> {
        let all = self.mailbox().mails("Drafts").into_iter();
        all.map(|(subject, _)| subject).collect()
    }

    /// Reads the account, and returns subjects and states in the local outbox.
    async fn drafts_here(&mut self) -> Vec<String> {
        let read = self.run(&["accounts", "sync"], "").await;
        assert_eq!(read.code, Some(0), "{} {}", read.out, read.err);
        let rows = self.run(&["show", "outbox"], "").await.rows();
        let shown = rows.iter().map(|row| {
            let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
            format!("{} {}", text("state"), text("subject"))
        });
        shown.collect()
    }

    async fn drafts(&mut self, title: &str) {
        let message = format!("draft an email to Bob titled '{title}' saying 'Two weeks late.'");
        let asked = self.run(&["ask", &message], "").await;
        assert_eq!(asked.code, Some(0), "{}", asked.out);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn drafts_are_the_same_on_both_sides() {
    let desk = Desk::open().await;
    let mut person = Person::new(&desk);
    let (args, input) = person.sign_in(Kind::Mail);
    let added = person.run(&words(&args), &input).await;
    assert_eq!(added.code, Some(0), "{}", added.err);
    let card = "BEGIN:VCARD\nVERSION:3.0\nFN:Bob Stone\nEMAIL:bob@stone.example\nEND:VCARD\n";
    let file = person.file("bob.vcf", card);
    person.run(&["import", &file], "").await;

    // Written here, and taken back here.
    person.drafts("Delay").await;
    assert_eq!(person.drafts_here().await, ["draft Delay"]);
    assert_eq!(person.drafts_there(), ["Delay"]);
    assert_eq!(person.drafts_here().await, ["draft Delay"]);
    assert_eq!(person.drafts_there(), ["Delay"], "stored once");
    let done = person.run(&["show", "activity"], "").await.rows();
    let effect = done[0]["id"].as_str().unwrap().to_owned();
    let undone = person.run(&["undo", &effect], "").await;
    assert_eq!(undone.code, Some(0), "{}", undone.out);
    assert!(person.drafts_here().await.is_empty());
    assert!(person.drafts_there().is_empty());

    // Written here, continued elsewhere, deleted elsewhere.
    person.drafts("Plan").await;
    person.drafts_here().await;
    let mut other = person.mailbox();
    other.ask("SELECT Drafts");
    let said = other.ask("UID FETCH 1:* (UID BODY.PEEK[])");
    let source = said
        .iter()
        .find(|one| one.contains("Subject: Plan"))
        .unwrap();
    let uid = said
        .iter()
        .find_map(|one| one.split_once("UID ")?.1.split(' ').next()?.parse().ok());
    let later = source
        .replace("Subject: Plan", "Subject: Plan B")
        .replace("Two", "Three");
    other.append("Drafts", "\\Draft", &later);
    other.expunge("Drafts", uid.unwrap());
    assert_eq!(person.drafts_here().await, ["draft Plan B"]);
    let row = person.run(&["show", "outbox"], "").await.rows();
    let id = row[0]["id"].as_str().unwrap().to_owned();
    let whole = person.run(&["show", "outbox", &id], "").await.out;
    assert!(whole.contains("Three weeks late."), "{whole}");
    other.ask("SELECT Drafts");
    other.ask("UID STORE 1:* +FLAGS (\\Deleted)");
    other.ask("EXPUNGE");
    assert!(person.drafts_here().await.is_empty());

    // Written elsewhere; a draft with an attachment stays only there.
    let head = "From: me@home.example\r\nTo: ana@x.example\r\nMIME-Version: 1.0\r\n";
    let plain = format!("{head}Subject: Elsewhere\r\nMessage-ID: <e@x>\r\n\r\nHi.\r\n");
    other.append("Drafts", "\\Draft", &plain);
    let with_file = format!(
        "{head}Subject: File\r\nMessage-ID: <f@x>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nHi.\r\n--b\r\n\
         Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\n\r\nx\r\n--b--\r\n"
    );
    other.append("Drafts", "\\Draft", &with_file);
    assert_eq!(person.drafts_here().await, ["draft Elsewhere"]);
    assert_eq!(person.drafts_there(), ["Elsewhere", "File"]);

    // The account is removed, along with what came from it.
    let account = person.accounts().await[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    person.run(&["accounts", "remove", &account], "").await;
    let rows = person.run(&["show", "outbox"], "").await.rows();
    assert!(rows.is_empty(), "{rows:?}");
    assert_eq!(person.drafts_there(), ["Elsewhere", "File"]);
}
