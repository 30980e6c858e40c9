//! Tests of filing mail in folders of the person's own: it moves at the server, and undo moves it back.

use crate::day::words;
use crate::desk::{Desk, Kind};
use crate::person::Person;

impl Person<'_> {
    /// Returns the subjects of the mails in a mailbox at the server.
    fn mails_in(&self, mailbox: &str) -> Vec<String> {
        let mails = self.mailbox().mails(mailbox).into_iter();
        mails.map(|(subject, _)| subject).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_filed_under_a_name_moves_at_the_server_and_back() {
    let desk = Desk::open().await;
    for reads_between in [false, true] {
        let mut person = Person::new(&desk);
        person.has(Kind::Mail, "Ferry");
        person.mailbox().ask("CREATE Travel");
        let (args, input) = person.sign_in(Kind::Mail);
        assert_eq!(person.run(&words(&args), &input).await.code, Some(0));
        let asked = person
            .run(&["ask", "file the mail from Ana under Travel"], "")
            .await;
        if let Some(approval) = person.approval().await {
            person.run(&words(&approval), "").await;
        }
        assert_eq!(person.mails_in("INBOX"), [""; 0], "{}", asked.out);
        assert_eq!(person.mails_in("Travel"), ["Ferry"]);
        let shown = person.run(&["show", "activity"], "").await.out;
        assert!(
            shown.contains("Moved “Ferry” from Ana to “Travel”"),
            "{shown}"
        );
        if reads_between {
            person.run(&["accounts", "sync"], "").await;
            let row = person.run(&["show", "mail"], "").await.rows().remove(0);
            assert_eq!(row["folder"], "archive", "{row}");
            assert_eq!(row["labels"][0], "Travel", "{row}");
        }
        let undone = person.run(&["ask", "undo that"], "").await;
        if let Some(approval) = person.approval().await {
            person.run(&words(&approval), "").await;
        }
        assert_eq!(
            person.mails_in("INBOX"),
            ["Ferry"],
            "{}{}",
            undone.out,
            undone.err
        );
        assert_eq!(person.mails_in("Travel"), [""; 0]);
        person.run(&["accounts", "sync"], "").await;
        let row = person.run(&["show", "mail"], "").await.rows().remove(0);
        assert_eq!(
            (&row["folder"], row["labels"].as_array().unwrap().len()),
            (&"inbox".into(), 0),
            "{row}"
        );
    }
}
