//! The servers, keyring and proxy of a test, and the person's program between them.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use tokio::task::JoinSet;
use wiremock::matchers::path;
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::certificate::Certificate;
use crate::day::event;
use crate::dovecot::Dovecot;
use crate::keyring::Keyring;
use crate::letter_box::LetterBox;
use crate::proxy::{Proxy, Way};
use crate::radicale::Radicale;
use crate::stub::{self, Stub};

pub const NOW: &str = "2026-01-12T09:00:00+01:00[Europe/Paris]";
/// A time by which servers have filed the mail they accepted.
pub const LATER: &str = "2026-01-12T10:00:00+01:00[Europe/Paris]";
/// A password that tests search for where it must not appear.
pub const MAIL_PASSWORD: &str = "planted-mail-password";
pub const DAV_PASSWORD: &str = crate::radicale::PLANTED;
pub const ADDRESS: &str = "https://ics.home.example/planted-private-address.ics";

/// Kinds of account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Mail,
    Dav,
    Google,
    /// A calendar at a private address.
    Address,
}

impl Kind {
    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mail => "imap",
            Self::Dav => "caldav",
            Self::Google => "google",
            Self::Address => "ics",
        }
    }
}

/// A moment at which the program is killed.
#[derive(Clone, Debug)]
pub enum Instant {
    /// At this crash point of storage, such as `pull.inside:2`.
    Storage(String),
    /// When this part of the traffic to or from servers is on its way.
    Network(Way, usize),
    /// After this time.
    After(Duration),
}

/// How a run of the program ended.
pub struct Ended {
    pub killed: bool,
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ended {
    pub fn rows(&self) -> Vec<Value> {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error}: {}\n{}", self.out, self.err))
    }
}

pub struct Desk {
    pub keyring: Keyring,
    pub proxy: Proxy,
    pub dovecot: Dovecot,
    pub radicale: Radicale,
    pub letter_box: LetterBox,
    pub google: Stub,
    /// Server of a calendar by address.
    pub web: MockServer,
    /// File with the authorities of the servers' certificates.
    pub roots: PathBuf,
    _folder: TempDir,
    _tasks: JoinSet<()>,
}

impl Desk {
    pub async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let more = format!("passdb {{\n driver = static\n args = password={MAIL_PASSWORD}\n}}");
        let dovecot = Dovecot::start_with(&more);
        let radicale = Radicale::start();
        let google = Stub::start().await;
        let web = MockServer::start().await;
        Mock::given(path("/planted-private-address.ics"))
            .respond_with(ResponseTemplate::new(200).set_body_string(event("Market")))
            .mount(&web)
            .await;
        let sending = Certificate::of("smtp.home.example");
        let mut tasks = JoinSet::new();
        let letter_box =
            LetterBox::open(sending.acceptor.clone(), <_>::default(), &mut tasks).await;
        let mut proxy = Proxy::open().await;
        proxy.knows("imap.home.example:993", dovecot.plain);
        proxy.passes_on("smtp.home.example:465", letter_box.port, &sending);
        proxy.knows("dav.home.example:443", radicale.port);
        let at_google: u16 = google.base.rsplit(':').next().unwrap().parse().unwrap();
        proxy.knows("google.home.example:443", at_google);
        proxy.knows("ics.home.example:443", web.address().port());
        let roots = folder.path().join("roots.pem");
        std::fs::write(&roots, &proxy.roots).unwrap();
        Self {
            keyring: Keyring::start(),
            proxy,
            dovecot,
            radicale,
            letter_box,
            google,
            web,
            roots,
            _folder: folder,
            _tasks: tasks,
        }
    }

    /// Resets Google for the next person, because it has only one.
    pub fn forget_google(&self) {
        *stub::lock(&self.google.state) = stub::State::default();
    }
}
