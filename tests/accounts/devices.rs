//! Tests of two devices that change the same event or mail: the other device's change is shown, nothing is merged
//! unseen, and nothing is lost.

use serde_json::{Value, json};

use crate::day::words;
use crate::desk::{Desk, Ended, Kind};
use crate::person::Person;
use crate::stub::{self, PERSON};

impl Person<'_> {
    /// Moves the event to ten and sets its place, as the other device.
    fn moves_elsewhere(&self, kind: Kind) {
        match kind {
            Kind::Dav => {
                let path = format!("/{}/home/Dinner.ics", self.user);
                let other = self.desk.radicale.other(&self.user);
                let text = other.get(&path).unwrap();
                let moved = text
                    .replace("T150000", "T100000")
                    .replace("T160000", "T110000");
                assert_ne!(moved, text);
                other.put(
                    &path,
                    &moved.replace("SUMMARY:", "LOCATION:Harbour\r\nSUMMARY:"),
                );
            }
            Kind::Google => {
                let mut state = stub::lock(&self.desk.google.state);
                let mut event = state.events.get(PERSON, "dinner").unwrap().clone();
                event["start"]["dateTime"] = json!("2026-01-14T10:00:00+01:00");
                event["end"]["dateTime"] = json!("2026-01-14T11:00:00+01:00");
                event["location"] = json!("Harbour");
                state.events.put(PERSON, "dinner", event);
            }
            Kind::Mail | Kind::Address => panic!("no events"),
        }
    }

    /// Returns when the event begins at the server, and whether it has the place set by the other device.
    fn at_the_server(&self, kind: Kind) -> (String, bool) {
        match kind {
            Kind::Dav => {
                let path = format!("/{}/home/Dinner.ics", self.user);
                let text = self.desk.radicale.other(&self.user).get(&path).unwrap();
                let (_, event) = text.split_once("BEGIN:VEVENT").unwrap();
                let start = event.lines().find(|line| line.starts_with("DTSTART"));
                let start = start.unwrap();
                let (_, time) = start.rsplit_once('T').unwrap();
                (time[..2].to_owned(), text.contains("LOCATION:Harbour"))
            }
            Kind::Google => {
                let state = stub::lock(&self.desk.google.state);
                let event = state.events.get(PERSON, "dinner").unwrap();
                let start = event["start"]["dateTime"].as_str().unwrap();
                (start[11..13].to_owned(), event["location"] == "Harbour")
            }
            Kind::Mail | Kind::Address => panic!("no events"),
        }
    }
}

async fn an_event_that_two_devices_move(kind: Kind) {
    let desk = Desk::open().await;
    let mut person = Person::new(&desk);
    person.has(kind, "Dinner");
    let (args, input) = person.sign_in(kind);
    assert_eq!(person.run(&words(&args), &input).await.code, Some(0));
    let asked = person.run(&["ask", "move the dinner to 5pm"], "").await;
    assert_eq!(asked.code, Some(3), "{}", asked.out);
    let old = person.approval().await.unwrap();
    person.moves_elsewhere(kind);
    // The approval depends on another state, so nothing is done, and a new card shows the present state.
    let approved = person.run(&words(&old), "").await;
    assert_eq!(
        person.at_the_server(kind),
        ("10".to_owned(), true),
        "{}",
        approved.out
    );
    let new = person.approval().await;
    let new = new.unwrap_or_else(|| panic!("{:?} {}", approved.code, approved.out));
    assert_ne!(new, old);
    let cards = person.run(&["show", "approvals"], "").await.rows();
    let card = cards
        .iter()
        .find(|card| card["id"] == new[1].as_str())
        .unwrap();
    let befores: Vec<&str> = facts(card)
        .filter_map(|fact| fact["before"].as_str())
        .collect();
    assert!(
        befores.iter().any(|before| before.contains("10:00")),
        "{card}"
    );
    // The person approves it anyway; the other device's remaining change stays.
    let approved = person.run(&words(&new), "").await;
    assert_eq!(approved.code, Some(0), "{}", approved.out);
    assert_eq!(person.at_the_server(kind), ("17".to_owned(), true));
    person.run(&["accounts", "sync"], "").await;
    assert_eq!(person.titles(kind).await, ["Dinner"]);
    let again = person.run(&words(&old), "").await;
    assert_ne!(
        again.code,
        Some(0),
        "the first approval does nothing more: {}",
        again.out
    );
}

fn facts(card: &Value) -> impl Iterator<Item = &Value> {
    card["shown"]["facts"].as_array().into_iter().flatten()
}

impl Person<'_> {
    /// Sends a message and approves the resulting card.
    async fn asks(&mut self, message: &str) -> Ended {
        let asked = self.run(&["ask", message], "").await;
        assert_eq!(asked.code, Some(3), "{}", asked.out);
        let approval = self.approval().await.unwrap();
        self.run(&words(&approval), "").await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_devices_change_an_event_of_a_calendar_server() {
    an_event_that_two_devices_move(Kind::Dav).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_devices_change_an_event_of_google() {
    an_event_that_two_devices_move(Kind::Google).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_devices_file_the_same_mail() {
    let desk = Desk::open().await;
    let mut person = Person::new(&desk);
    person.has(Kind::Mail, "Dinner");
    let (args, input) = person.sign_in(Kind::Mail);
    assert_eq!(person.run(&words(&args), &input).await.code, Some(0));
    let user = person.user.clone();
    let other = || desk.dovecot.other(&user);
    // Marks set by both devices are kept.
    other().store("INBOX", 1, "+FLAGS (\\Flagged)");
    let read = person.asks("mark the email from Ana as read").await;
    assert_eq!(read.code, Some(0), "{}", read.out);
    let both = ("Dinner".to_owned(), "\\Flagged \\Seen".to_owned());
    assert_eq!(other().mails("INBOX"), [both]);
    // One deletes it, the other files it without knowing. The mail ends in a single place.
    let mut there = other();
    there.ask("SELECT INBOX");
    there.ask("UID MOVE 1 Trash");
    let filed = person.asks("archive the email from Ana").await;
    let places = |name: &str| other().mails(name).len();
    let found = [places("INBOX"), places("Archive"), places("Trash")];
    assert_eq!(found.iter().sum::<usize>(), 1, "{found:?}: {}", filed.out);
    person.run(&["accounts", "sync"], "").await;
    assert_eq!(person.titles(Kind::Mail).await, ["Dinner"]);
}
