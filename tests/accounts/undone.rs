//! Tests of undo at a calendar server: what was removed comes back where it was, as its other programs wrote it, and
//! what somebody changed since is left alone.

use std::path::PathBuf;

use crate::day::{event, words};
use crate::desk::{Desk, Kind};
use crate::person::Person;

impl Person<'_> {
    /// Connects the calendar server with a calendar, a task list and one record in each.
    async fn has_lists(&mut self) {
        self.has(Kind::Dav, "Dinner");
        let other = self.desk.radicale.other(&self.user);
        let alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Go\r\nTRIGGER:-PT30M\r\nEND:VALARM\r\nX-OTHER:kept\r\nEND:VEVENT";
        let dinner = event("Dinner").replace("END:VEVENT", alarm);
        other.put(&format!("/{}/home/Dinner.ics", self.user), &dinner);
        let chores = format!("/{}/chores/", self.user);
        other.calendar("chores", "VTODO", "Chores");
        let task = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nBEGIN:VTODO\r\nUID:plants@x\r\n\
                    DTSTAMP:20260110T120000Z\r\nSUMMARY:Water the plants\r\nX-OTHER:kept\r\nEND:VTODO\r\nEND:VCALENDAR\r\n";
        other.put(&format!("{chores}plants.ics"), task);
        let (args, input) = self.sign_in(Kind::Dav);
        assert_eq!(self.run(&words(&args), &input).await.code, Some(0));
    }

    /// Sends a message and approves every card that it leads to.
    async fn does(&mut self, message: &str) -> String {
        let mut said = self.run(&["ask", message], "").await.out;
        if let Some(approval) = self.approval().await {
            said = self.run(&words(&approval), "").await.out;
        }
        said
    }

    /// Returns the files of a collection, without what every change of them renews.
    fn at_dav(&self, collection: &str) -> Vec<String> {
        let folder: PathBuf = self
            .desk
            .radicale
            .files(&format!("/{}/{collection}/", self.user));
        let files = std::fs::read_dir(folder).unwrap();
        let texts = files.filter_map(|file| std::fs::read_to_string(file.unwrap().path()).ok());
        let renewed = ["DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "PRODID", "CREATED"];
        let mut texts: Vec<String> = texts
            .filter(|text| text.contains("BEGIN:VCALENDAR"))
            .map(|text| {
                let mut lines: Vec<&str> = text.lines().collect();
                lines.retain(|line| !renewed.iter().any(|name| line.starts_with(name)));
                lines.sort_unstable();
                lines.join("\n")
            })
            .collect();
        texts.sort();
        texts
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_deleted_comes_back_as_it_was() {
    let desk = Desk::open().await;
    let mut person = Person::new(&desk);
    person.has_lists().await;
    for (message, collection) in [
        ("delete the task water the plants", "chores"),
        ("delete the dinner on Wednesday", "home"),
    ] {
        let before = person.at_dav(collection);
        assert_eq!(before.len(), 1, "{message}");
        let said = person.does(message).await;
        assert_eq!(person.at_dav(collection), [""; 0], "{message}: {said}");
        let said = person.does("undo that").await;
        assert_eq!(person.at_dav(collection), before, "{message}: {said}");
        person.run(&["accounts", "sync"], "").await;
        assert_eq!(person.at_dav(collection), before, "{message}");
    }
    let tasks = person.run(&["show", "tasks"], "").await.rows();
    assert_eq!(tasks.len(), 1, "{tasks:?}");
    assert_eq!(person.titles(Kind::Dav).await, ["Dinner"]);
}
