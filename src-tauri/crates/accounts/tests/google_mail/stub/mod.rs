//! A stub of Google's mail and contacts, over HTTP on this machine, with the trouble that a test prepares. It follows
//! Google's documentation and covers what the npm package `emulate` lacks: profiles, refused history, quotas, contacts.

pub mod gmail;
pub mod http;
pub mod people;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use adjutant_domain::operation::RemoteFault;
use adjutant_testkit::remote::Trouble;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::shapes::{self, Exchanged};

pub use http::ReceivedRequest;

/// An answer to a request.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Status and body, with `Retry-After` in seconds.
    Says(u16, Vec<u8>, Option<u64>),
    /// Closes the connection.
    HangsUp,
}

impl Answer {
    pub fn json(value: &Value) -> Self {
        Self::Says(200, value.to_string().into_bytes(), None)
    }

    /// Builds an error in Google's format.
    pub fn error(status: u16, reason: &str) -> Self {
        let body = json!({"error": {
            "code": status,
            "message": "no",
            "errors": [{"domain": "global", "reason": reason, "message": "no"}],
        }});
        Self::Says(status, body.to_string().into_bytes(), None)
    }
}

impl Answer {
    /// Adds `Retry-After` to the answer.
    fn later(self, seconds: u64) -> Self {
        match self {
            Self::Says(status, body, _) => Self::Says(status, body, Some(seconds)),
            Self::HangsUp => self,
        }
    }
}

/// Result of a handler.
pub struct Done {
    pub answer: Answer,
    /// Whether it changed anything.
    pub changed: bool,
}

impl Done {
    pub fn read(value: &Value) -> Self {
        Self {
            answer: Answer::json(value),
            changed: false,
        }
    }

    pub fn changed(value: &Value, changed: bool) -> Self {
        Self {
            answer: Answer::json(value),
            changed,
        }
    }

    pub fn error(status: u16, reason: &str) -> Self {
        Self {
            answer: Answer::error(status, reason),
            changed: false,
        }
    }
}

/// Google's state, and the trouble on the way to it.
#[derive(Default)]
pub struct Google {
    pub mail: gmail::Mailbox,
    pub people: people::Book,
    pub troubles: VecDeque<Trouble>,
    /// Answers given from now on to requests whose path ends with this.
    pub says: Vec<(String, Answer)>,
    /// Number of changing requests that were carried out.
    pub carried_out: usize,
    /// Method and path of each request that arrived.
    pub asked: Vec<String>,
    /// Number of further requests after which one is refused for exceeding the quota.
    pub limits_after: Option<usize>,
    /// Whether the next request for a new token is refused.
    refresh_fails: bool,
}

#[derive(Clone)]
pub struct Stub {
    pub port: u16,
    pub google: Arc<Mutex<Google>>,
}

impl Stub {
    pub fn open(tasks: &mut JoinSet<()>) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let listener = TcpListener::from_std(listener).unwrap();
        let google = Arc::new(Mutex::new(Google::default()));
        let served = google.clone();
        tasks.spawn(async move {
            let mut inside = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let google = served.clone();
                inside.spawn(async move {
                    let answer = |asked: ReceivedRequest| {
                        std::future::ready(google.lock().unwrap().answer(&asked))
                    };
                    // The tests cause connections to end early, so errors are ignored.
                    drop(http::serve(stream, answer).await);
                });
            }
        });
        Self { port, google }
    }

    pub fn google(&self) -> MutexGuard<'_, Google> {
        self.google.lock().unwrap()
    }
}

impl Google {
    fn answer(&mut self, asked: &ReceivedRequest) -> Answer {
        self.asked.push(format!("{} {}", asked.method, asked.path));
        match asked.path.as_str() {
            "/token" => return self.token(),
            "/.well-known/openid-configuration" => return Answer::error(404, "notFound"),
            _ => {}
        }
        match self.limits_after {
            Some(0) => {
                self.limits_after = None;
                let body = Answer::error(429, "rateLimitExceeded");
                return body.later(1);
            }
            Some(left) => self.limits_after = Some(left - 1),
            None => {}
        }
        let is_change = asked.method != "GET" && !asked.path.ends_with("/labels");
        let trouble = self.trouble(asked, is_change);
        match &trouble {
            Some(Trouble::Fault(fault)) => return refusal(fault),
            Some(Trouble::LostRequest | Trouble::BreaksOff) => return Answer::HangsUp,
            _ => {}
        }
        let other = self
            .says
            .iter()
            .find(|(path, _)| asked.path.ends_with(path.as_str()));
        if let Some((_, answer)) = other {
            return answer.clone();
        }
        let done = if asked.path.contains("/gmail/v1/users/me/") {
            self.mail.answer(asked)
        } else if asked.path.starts_with("/v1/people") {
            self.people.answer(asked)
        } else {
            Done::error(404, "notFound")
        };
        self.carried_out += usize::from(done.changed && is_change);
        if let Answer::Says(status, answer, _) = &done.answer {
            let path = asked.target.split('?').next().unwrap_or_default();
            shapes::check(&Exchanged {
                method: &asked.method,
                path,
                query: asked.query.iter().map(|(name, _)| name.as_str()).collect(),
                body: Some(asked.body.clone()).filter(|body| !body.is_null()),
                status: *status,
                answer: serde_json::from_slice(answer).ok(),
            });
        }
        match trouble {
            Some(Trouble::LostReply) => Answer::HangsUp,
            Some(Trouble::Unreadable) => {
                Answer::Says(200, b"%% and now for something else".to_vec(), None)
            }
            _ => done.answer,
        }
    }

    /// Returns the trouble for this request. Access stays refused until the client requests new tokens.
    fn trouble(&mut self, asked: &ReceivedRequest, is_change: bool) -> Option<Trouble> {
        let meets = match self.troubles.front()? {
            Trouble::Fault(RemoteFault::NotSignedIn { .. }) => {
                self.refresh_fails = true;
                return self.troubles.front().cloned();
            }
            Trouble::Fault(_) => true,
            Trouble::BreaksOff => asked.value("pageToken").is_some(),
            Trouble::LostReply | Trouble::LostRequest | Trouble::Unreadable => is_change,
        };
        if meets {
            self.troubles.pop_front()
        } else {
            None
        }
    }

    fn token(&mut self) -> Answer {
        if std::mem::take(&mut self.refresh_fails) {
            self.troubles.pop_front();
            let body = json!({"error": "invalid_grant"});
            return Answer::Says(400, body.to_string().into_bytes(), None);
        }
        Answer::json(&json!({
            "access_token": "ya29.stub",
            "expires_in": 3600,
            "token_type": "Bearer",
        }))
    }
}

fn refusal(fault: &RemoteFault) -> Answer {
    match fault {
        RemoteFault::NotSignedIn { .. } => Answer::error(401, "authError"),
        RemoteFault::Limited {
            retry_after_seconds,
        } => {
            let answer = Answer::error(429, "rateLimitExceeded");
            retry_after_seconds.map_or(answer.clone(), |seconds| answer.later(seconds))
        }
        RemoteFault::TimedOut => Answer::error(408, "timeout"),
        RemoteFault::Gone => Answer::error(404, "notFound"),
        RemoteFault::Conflict { .. } => Answer::error(412, "conditionNotMet"),
        RemoteFault::Refused { .. } | RemoteFault::Failed { .. } => {
            Answer::error(400, "badRequest")
        }
        RemoteFault::Unreachable | RemoteFault::Untrusted { .. } => Answer::HangsUp,
    }
}
