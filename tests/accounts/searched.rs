//! Tests that the provider searches complete mails, including large ones of which only the beginning is stored here.

use crate::day::words;
use crate::desk::{Desk, Kind};
use crate::person::Person;

#[tokio::test(flavor = "multi_thread")]
async fn finds_words_deep_in_a_mail_at_its_provider() {
    let desk = Desk::open().await;
    let mut person = Person::new(&desk);
    person.has_large("Manual", "zebrafish");
    let (args, input) = person.sign_in(Kind::Mail);
    let added = person.run(&words(&args), &input).await;
    assert_eq!(added.code, Some(0), "{}", added.err);
    let read = person.run(&["accounts", "sync"], "").await;
    assert_eq!(read.code, Some(0), "{}", read.err);
    assert_eq!(person.titles(Kind::Mail).await, ["Manual"]);

    let here = person.run(&["ask", "search my mail for zebrafish"], "");
    let here = here.await.out;
    assert!(!here.contains("Manual"), "{here}");
    let search = ["ask", "search my mail accounts for zebrafish"];
    let there = person.run(&search, "").await;
    assert_eq!(there.code, Some(0), "{}", there.out);
    assert!(there.out.contains("Manual"), "{}", there.out);

    desk.proxy.loses("imap.home.example:993");
    let lost = person.run(&search, "").await;
    assert!(lost.out.contains("was not searched"), "{}", lost.out);
}
