//! Tests of finding a time with other people: a provider that tells when they are busy is asked, and the answer says
//! whose calendars nobody could look at.

use serde_json::json;

use crate::day::words;
use crate::desk::{Desk, Kind};
use crate::person::Person;
use crate::stub;

#[tokio::test(flavor = "multi_thread")]
async fn a_time_with_somebody_leaves_out_when_they_are_busy() {
    let desk = Desk::open().await;
    let mut person = Person::new(&desk);
    let card = |name: &str, email: &str| {
        format!("BEGIN:VCARD\nVERSION:3.0\nFN:{name}\nEMAIL:{email}\nEND:VCARD\n")
    };
    let cards = [
        card("Priya Shah", "priya@work.example"),
        card("Tom Berg", "hidden@else.example"),
    ];
    let file = person.file("people.vcf", &cards.concat());
    person.run(&["import", &file], "").await;
    let question = "find a time with Priya tomorrow";
    let alone = person.run(&["ask", question], "").await.out;
    let only_own =
        "Only your own calendar was looked at: no account tells when Priya Shah is busy.";
    assert!(alone.contains(only_own), "{alone}");
    let (args, input) = person.sign_in(Kind::Google);
    assert_eq!(person.run(&words(&args), &input).await.code, Some(0));
    let busy = json!({"summary": "Private", "start": {"dateTime": "2026-01-13T10:00:00+01:00", "timeZone": "Europe/Paris"},
        "end": {"dateTime": "2026-01-13T16:30:00+01:00", "timeZone": "Europe/Paris"}});
    stub::lock(&desk.google.state)
        .events
        .put("priya@work.example", "hers", busy);
    let both = person.run(&["ask", question], "").await.out;
    for part in [
        "09:00–10:00",
        "16:30–18:00",
        "Times when Priya Shah is busy are left out.",
    ] {
        assert!(both.contains(part), "{part}: {both}");
    }
    assert!(!both.contains("Private"), "{both}");
    let mixed = person
        .run(&["ask", "find a time with Priya and Tom tomorrow"], "")
        .await;
    let unknown = "No account tells when Tom Berg is busy.";
    assert!(mixed.out.contains(unknown), "{}", mixed.out);
}
