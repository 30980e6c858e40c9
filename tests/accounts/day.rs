//! Actions of a person at their accounts (connecting them, proposing a change, approving it), and checks of the result
//! at the server.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::desk::{ADDRESS, DAV_PASSWORD, Kind, LATER, MAIL_PASSWORD};
use crate::dovecot::Other;
use crate::person::Person;
use crate::stub::{self, ACCESS, PERSON, REFRESH, SECRET};

impl Person<'_> {
    /// Returns how to connect an account of this kind: the command, and its input.
    pub fn sign_in(&self, kind: Kind) -> (Vec<String>, String) {
        let user = &self.user;
        let (fields, input): (Vec<String>, _) = match kind {
            Kind::Mail => (
                vec![
                    format!("address={user}@home.example"),
                    format!("user={user}"),
                    "server=imaps://imap.home.example".to_owned(),
                    "sending=smtps://smtp.home.example".to_owned(),
                    "server_files=yes".to_owned(),
                ],
                MAIL_PASSWORD,
            ),
            Kind::Dav => (
                vec![
                    "server=https://dav.home.example/".to_owned(),
                    format!("user={user}"),
                ],
                DAV_PASSWORD,
            ),
            Kind::Google => (
                [
                    "calendar=change",
                    "tasks=change",
                    "mail=no",
                    "contacts=no",
                    "client_id=mine",
                ]
                .map(str::to_owned)
                .into(),
                SECRET,
            ),
            Kind::Address => (Vec::new(), ADDRESS),
        };
        let mut args = vec![
            "accounts".to_owned(),
            "add".to_owned(),
            kind.name().to_owned(),
        ];
        for field in fields {
            args.extend(["--set".to_owned(), field]);
        }
        if kind == Kind::Google {
            args.extend(["--no-browser", "--with", "client_secret"].map(str::to_owned));
        }
        if kind == Kind::Address {
            args.extend(["--with", "private_address"].map(str::to_owned));
        }
        (args, format!("{input}\n"))
    }

    /// Adds a record at the server, as another client would.
    pub fn has(&self, kind: Kind, title: &str) {
        match kind {
            Kind::Mail => {
                let mime = format!(
                    "From: Ana <ana@x.example>\r\nTo: me@home.example\r\nSubject: {title}\r\n\
                     Message-ID: <{title}@x>\r\nDate: Mon, 12 Jan 2026 07:00:00 +0000\r\n\r\nText\r\n"
                );
                self.mailbox().append("INBOX", "", &mime);
            }
            Kind::Dav => {
                let path = format!("/{}/home/", self.user);
                let other = self.desk.radicale.other(&self.user);
                if other.ask("PROPFIND", &path, "Depth: 0\r\n", "").status == 404 {
                    other.calendar("home", "VEVENT", "Home");
                }
                other.put(&format!("{path}{title}.ics"), &event(title));
            }
            Kind::Address => panic!("it is read only"),
            Kind::Google => {
                let event = json!({"summary": title, "start": {"dateTime": "2026-01-14T15:00:00+01:00", "timeZone": "Europe/Paris"},
                    "end": {"dateTime": "2026-01-14T16:00:00+01:00", "timeZone": "Europe/Paris"}});
                let mut state = stub::lock(&self.desk.google.state);
                state.events.put(PERSON, &title.to_lowercase(), event);
            }
        }
    }

    /// Adds a large mail, of which only the beginning is read, with a word at its end.
    pub fn has_large(&self, title: &str, word: &str) {
        let line = "The pump hums and the water is warm, as on every other day.\r\n";
        let mime = format!(
            "From: Ana <ana@x.example>\r\nTo: me@home.example\r\nSubject: {title}\r\n\
             Message-ID: <{title}@x>\r\nDate: Mon, 12 Jan 2026 07:00:00 +0000\r\n\r\n{}The {word} is at the end.\r\n",
            line.repeat(5_000)
        );
        self.mailbox().append("INBOX", "", &mime);
    }

    /// Returns another mail client of this person.
    pub fn mailbox(&self) -> Other {
        self.desk.dovecot.other(&self.user)
    }

    /// Proposes a change of the account, and returns the command that approves it.
    pub async fn propose(&mut self, kind: Kind) -> Vec<String> {
        let message = match kind {
            Kind::Mail => {
                let port = self.desk.dovecot.plain;
                self.desk.letter_box.habits.lock().unwrap().files = Some((port, self.user.clone()));
                let card =
                    "BEGIN:VCARD\nVERSION:3.0\nFN:Bob Stone\nEMAIL:bob@stone.example\nEND:VCARD\n";
                let file = self.file("bob.vcf", card);
                self.run(&["import", &file], "").await;
                self.run(&["config", "set", "hold_seconds", "0"], "").await;
                "send Bob an email titled 'Delay' saying 'Two weeks late.'"
            }
            Kind::Dav | Kind::Google | Kind::Address => {
                let accounts = self.accounts().await;
                let account = accounts.iter().find(|row| row["kind"] == kind.name());
                let account = account.unwrap()["id"].clone();
                let all = self.run(&["show", "collections"], "").await.rows();
                let own = all.iter().find(|row| {
                    row["kind"] == "calendar"
                        && row["account"] == account
                        && row["writable"] == true
                });
                let own = own.unwrap_or_else(|| panic!("{all:?}"));
                let id = own["id"].as_str().unwrap().to_owned();
                self.run(&["accounts", "prefer", &id], "").await;
                "add an event called Dentist tomorrow at 3pm"
            }
        };
        let asked = self.run(&["ask", message], "").await;
        assert_eq!(asked.code, Some(3), "{}", asked.out);
        self.approval().await.unwrap()
    }

    /// Returns the command that approves the waiting action, if there is one.
    pub async fn approval(&mut self) -> Option<Vec<String>> {
        let all = self.run(&["show", "approvals"], "").await.rows();
        let waits = all.iter().find(|row| row["state"] == "pending")?;
        let text = |name: &str| waits[name].as_str().unwrap().to_owned();
        Some(vec![
            "approve".to_owned(),
            text("id"),
            "--digest".to_owned(),
            text("digest"),
        ])
    }

    /// Approves what waits and runs due work. Checks that what the person is told about the change is true; if it was
    /// not carried out, requests it again. In the end it must be at the server, exactly once.
    pub async fn finish(&mut self, kind: Kind, told: &str) {
        if let Some(args) = self.approval().await {
            self.approve(&args).await;
        }
        self.now = LATER;
        self.run(&["run", "--once"], "").await;
        let there = self.changes(kind);
        match self.states().await.as_slice() {
            [state] if state == "succeeded" => assert_eq!(there, 1, "{told}"),
            [state] if state == "failed" => {
                assert_eq!(there, 0, "{told}");
                let args = self.propose(kind).await;
                self.approve(&args).await;
                assert_eq!(self.changes(kind), 1, "{told}");
            }
            other => panic!("{told}: {other:?}, {there} at the server"),
        }
    }

    async fn approve(&mut self, args: &[String]) {
        self.run(&words(args), "").await;
    }

    async fn states(&mut self) -> Vec<String> {
        let all = self.run(&["show", "approvals"], "").await.rows();
        let states = all
            .iter()
            .map(|row| row["state"].as_str().unwrap().to_owned());
        states.collect()
    }

    /// Returns how often the proposed change is at the server.
    pub fn changes(&self, kind: Kind) -> usize {
        match kind {
            Kind::Mail => self
                .desk
                .letter_box
                .taken()
                .iter()
                .filter(|mail| mail.from.contains(&format!("<{}@", self.user)))
                .count(),
            Kind::Dav => {
                let files = self.desk.radicale.files(&format!("/{}/home/", self.user));
                let files = std::fs::read_dir(files).unwrap();
                let texts =
                    files.filter_map(|file| std::fs::read_to_string(file.unwrap().path()).ok());
                texts
                    .filter(|text| text.contains("SUMMARY:Dentist"))
                    .count()
            }
            Kind::Google => stub::lock(&self.desk.google.state).carried_out,
            Kind::Address => 0,
        }
    }

    pub async fn accounts(&mut self) -> Vec<Value> {
        self.run(&["accounts", "list"], "").await.rows()
    }

    /// Returns the titles read from the account, sorted.
    pub async fn titles(&mut self, kind: Kind) -> Vec<String> {
        let what = if kind == Kind::Mail { "mail" } else { "events" };
        let rows = self.run(&["show", what], "").await.rows();
        let field = if kind == Kind::Mail {
            "subject"
        } else {
            "summary"
        };
        let mut titles: Vec<String> = rows
            .iter()
            .map(|row| row[field].as_str().unwrap_or_default().to_owned())
            .collect();
        titles.retain(|title| !matches!(title.as_str(), "Delay" | "Dentist"));
        titles.sort();
        titles
    }

    /// Returns the keyring entries that the accounts need, sorted.
    pub async fn needed(&mut self, kind: Kind) -> Vec<String> {
        let fields: &[&str] = match kind {
            Kind::Google => &["client_secret", "refresh_token"],
            Kind::Address => &["private_address"],
            _ => &["password"],
        };
        let all = self.accounts().await;
        let ids = all.iter().map(|row| row["id"].as_str().unwrap());
        let mut names: Vec<String> = ids
            .flat_map(|id| {
                fields
                    .iter()
                    .map(move |field| format!("account.{id}.{field}"))
            })
            .collect();
        names.sort();
        names
    }

    /// Checks that no secret is in a file under the home folder or in the output.
    pub fn keeps_no_secret(&self, told: &str) {
        let mut files = vec![self.home().to_path_buf()];
        let mut all = vec![(
            PathBuf::from("what was said"),
            self.said.clone().into_bytes(),
        )];
        while let Some(path) = files.pop() {
            if path.is_dir() {
                let inside = std::fs::read_dir(&path).unwrap();
                files.extend(inside.map(|entry| entry.unwrap().path()));
            } else if let Ok(bytes) = std::fs::read(&path) {
                all.push((path, bytes));
            }
        }
        for secret in self.secrets() {
            for (place, bytes) in &all {
                let is_it = |part: &[u8]| part == secret.as_bytes();
                let found = bytes.windows(secret.len()).any(is_it);
                assert!(!found, "{told}: {secret} is in {}", place.display());
            }
        }
    }

    /// Returns the secrets of all accounts, plain and as encoded for sending.
    fn secrets(&self) -> Vec<String> {
        use base64::Engine as _;
        let base64 = |text: String| base64::engine::general_purpose::STANDARD.encode(text);
        let user = &self.user;
        let mut all = [MAIL_PASSWORD, DAV_PASSWORD, REFRESH, SECRET, ACCESS]
            .map(str::to_owned)
            .to_vec();
        all.push("planted-private-address".to_owned());
        all.push(base64(format!("{user}:{DAV_PASSWORD}")));
        all.push(base64(format!("\0{user}\0{MAIL_PASSWORD}")));
        all.push(base64(MAIL_PASSWORD.to_owned()));
        all
    }
}

pub fn words(args: &[String]) -> Vec<&str> {
    args.iter().map(String::as_str).collect()
}

/// Returns an event as another program writes it.
pub fn event(title: &str) -> String {
    format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nBEGIN:VEVENT\r\nUID:{title}@x\r\nDTSTAMP:20260110T120000Z\r\n\
         DTSTART;TZID=Europe/Paris:20260114T150000\r\nDTEND;TZID=Europe/Paris:20260114T160000\r\nSUMMARY:{title}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
}
