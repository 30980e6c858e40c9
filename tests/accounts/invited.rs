//! Tests of invitations that came by mail: the answer goes into the calendar of an account and to the organizer, once.

use crate::day::words;
use crate::desk::{Desk, Kind};
use crate::person::Person;

/// Returns a mail of Ana that carries this revision of a lunch.
fn invitation(method: &str, sequence: u32) -> String {
    format!(
        "From: Ana <ana@x.example>\r\nTo: me@home.example\r\nSubject: Team lunch {sequence}\r\nMessage-ID: <lunch-{sequence}@x>\r\nDate: Mon, 12 Jan 2026 07:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nCome.\r\n--b\r\nContent-Type: text/calendar; method={method}; charset=utf-8\r\n\r\nBEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nMETHOD:{method}\r\nBEGIN:VEVENT\r\nUID:lunch@x\r\nDTSTAMP:20260112T070000Z\r\nDTSTART:20260115T110000Z\r\nDTEND:20260115T120000Z\r\nSUMMARY:Team lunch\r\nORGANIZER;CN=Ana:mailto:ana@x.example\r\nATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:USER@home.example\r\nSEQUENCE:{sequence}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n--b--\r\n"
    )
}

impl Person<'_> {
    /// Says something, approves what waits for that, and returns what the program said.
    async fn say(&mut self, message: &str) -> String {
        let asked = self.run(&["ask", message], "").await;
        let approval = self.approval().await;
        let approval = approval.unwrap_or_else(|| panic!("{message}: {}", asked.out));
        let done = self.run(&words(&approval), "").await;
        format!("{}{}", asked.out, done.out)
    }

    /// Returns the event as the calendar of the account has it.
    fn lunch(&self) -> Option<String> {
        let files = self.desk.radicale.files(&format!("/{}/home/", self.user));
        let files = std::fs::read_dir(files).unwrap();
        let mut texts = files.filter_map(|file| std::fs::read_to_string(file.unwrap().path()).ok());
        // Long lines are folded.
        texts
            .find(|text| text.contains("UID:lunch@x"))
            .map(|text| text.replace("\r\n ", "").replace("\n ", ""))
    }

    /// Returns the mails that this person has sent, with unfolded lines.
    fn answers(&self) -> Vec<String> {
        let own = format!("<{}@", self.user);
        let all = self.desk.letter_box.taken().into_iter();
        all.filter(|mail| mail.from.contains(&own))
            .map(|mail| {
                assert!(mail.to[0].contains("ana@x.example"), "{:?}", mail.to);
                mail.mime.replace("=\r\n", "").replace("\r\n ", "")
            })
            .collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_reaches_the_calendar_and_the_organizer_once() {
    let desk = Desk::open().await;
    let mut person = Person::new(&desk);
    let mail = invitation("REQUEST", 0).replace("USER", &person.user);
    person.mailbox().append("INBOX", "", &mail);
    person.has(Kind::Dav, "Other");
    for kind in [Kind::Mail, Kind::Dav] {
        let (args, input) = person.sign_in(kind);
        assert_eq!(person.run(&words(&args), &input).await.code, Some(0));
    }
    let port = desk.dovecot.plain;
    desk.letter_box.habits.lock().unwrap().files = Some((port, person.user.clone()));
    person
        .run(&["config", "set", "hold_seconds", "0"], "")
        .await;
    let all = person.run(&["show", "collections"], "").await.rows();
    let own = all
        .iter()
        .find(|row| row["kind"] == "calendar" && row["name"] == "Home");
    let own = own.unwrap_or_else(|| panic!("{all:?}"));
    let own = own["id"].as_str().unwrap().to_owned();
    person.run(&["accounts", "prefer", &own], "").await;

    let told = person.say("accept the invitation from Ana").await;
    assert!(told.contains("The organizer is told by mail."), "{told}");
    let lunch = person.lunch().unwrap();
    assert!(lunch.contains("PARTSTAT=ACCEPTED"), "{lunch}");
    assert!(lunch.contains("ORGANIZER"), "{lunch}");
    let answers = person.answers();
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert!(answers[0].contains("METHOD:REPLY"), "{}", answers[0]);

    // The event is in the calendar now; its server tells nobody, so the second answer leaves by mail as well.
    let told = person.say("decline the team lunch").await;
    assert!(told.contains("The organizer is told by mail."), "{told}");
    assert!(!told.contains("Not accepted"), "{told}");
    assert!(person.lunch().unwrap().contains("PARTSTAT=DECLINED"));
    assert_eq!(person.answers().len(), 2);
}
