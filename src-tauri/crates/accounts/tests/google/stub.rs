//! A stub of the parts of Google that Adjutant uses: events with recurrence, sync tokens and states, tasks, and OAuth.
//! It can lose, cut or refuse requests.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use adjutant_net::Url;
use adjutant_testkit::remote::Trouble;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::shapes::{self, Exchanged};
use crate::{events, tasks};

/// A token that tests search for where it must not appear.
pub const REFRESH: &str = "1//planted-refresh-token";
pub const SECRET: &str = "planted-client-secret";
pub const ACCESS: &str = "ya29.planted-access-token";
/// Address of the person who signs in.
pub const PERSON: &str = "me@home.example";

pub type SharedState = Arc<Mutex<State>>;

pub fn lock(state: &SharedState) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A request as received.
#[derive(Clone, Debug)]
pub struct ReceivedRequest {
    pub method: String,
    pub url: Url,
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

impl ReceivedRequest {
    pub fn value(&self, name: &str) -> Option<String> {
        let mut pairs = self.url.query_pairs();
        pairs
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// Returns a field of a form.
    pub fn field(&self, name: &str) -> Option<String> {
        let mut pairs = url::form_urlencoded::parse(self.body.as_bytes());
        pairs
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
    }

    /// Returns whether the request may change something.
    pub fn writes(&self) -> bool {
        self.method != "GET" && self.url.path() != "/calendar/v3/freeBusy"
    }
}

/// An answer to a request.
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
}

pub fn ok(body: Value) -> Answer {
    Answer {
        status: 200,
        headers: Vec::new(),
        body: body.to_string(),
    }
}

/// Builds a refusal as Google words it.
pub fn refusal(status: u16, reason: &str) -> Answer {
    let error = json!({"error": {"code": status, "message": format!("{reason}."),
        "errors": [{"domain": "global", "reason": reason, "message": format!("{reason}.")}]}});
    Answer {
        status,
        headers: Vec::new(),
        body: error.to_string(),
    }
}

#[derive(Default)]
pub struct State {
    pub events: events::Store,
    pub tasks: tasks::Store,
    pub troubles: VecDeque<Trouble>,
    /// Answers to the next requests, whatever these are.
    pub scripted: VecDeque<Answer>,
    /// All requests, tokens included.
    pub log: Vec<ReceivedRequest>,
    pub carried_out: usize,
    /// Scopes that the person grants, if fewer than requested.
    pub grants: Option<String>,
    pub revoked: Vec<String>,
    /// Whether its answers may violate Google's schemas.
    pub is_odd: bool,
    /// Valid access tokens.
    tokens: Vec<String>,
    next: usize,
    refuses_refresh: bool,
    /// Error and description with which it refuses every request for a token.
    pub refuses_with: Option<(String, String)>,
    /// Whether each renewal issues a new refresh token and revokes the old one.
    pub rotates: bool,
    refresh: Option<String>,
    /// PKCE challenge and redirect address for which the code was issued.
    asked_with: Option<(String, String)>,
    scope: String,
}

pub struct Stub {
    pub base: String,
    pub state: SharedState,
    _serving: JoinSet<()>,
}

/// Panics if a request or an answer did not conform to Google's documents; the message says how.
impl Drop for Stub {
    fn drop(&mut self) {
        assert!(std::thread::panicking() || !self.state.is_poisoned());
    }
}

impl Stub {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let state = SharedState::default();
        let mut serving = JoinSet::new();
        let (shared, origin) = (state.clone(), base.clone());
        serving.spawn(async move {
            let mut open = JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (shared, origin) = (shared.clone(), origin.clone());
                open.spawn(async move { drop(serve(stream, &shared, &origin).await) });
            }
        });
        Self {
            base,
            state,
            _serving: serving,
        }
    }

    /// Acts as the person in the browser: opens the page, grants or denies access, and follows the redirect.
    pub async fn browse(&self, address: &Url, allows: bool) -> String {
        let (back, target) = self.decide(address, allows);
        get(&back, &target).await
    }

    /// Grants or denies access as the person. Returns where the browser is redirected: the server, and the path there.
    pub fn decide(&self, address: &Url, allows: bool) -> (Url, String) {
        let pairs: BTreeMap<String, String> = address.query_pairs().into_owned().collect();
        assert_eq!(pairs["code_challenge_method"], "S256");
        assert_eq!(pairs["response_type"], "code");
        let back = Url::parse(&pairs["redirect_uri"]).unwrap();
        let mut state = lock(&self.state);
        state.asked_with = Some((
            pairs["code_challenge"].clone(),
            pairs["redirect_uri"].clone(),
        ));
        state.scope = state
            .grants
            .clone()
            .unwrap_or_else(|| pairs["scope"].clone());
        let answer = if allows {
            "code=the-code"
        } else {
            "error=access_denied"
        };
        (back, format!("/?{answer}&state={}", pairs["state"]))
    }
}

/// Sends a browser's request.
pub async fn get(to: &Url, target: &str) -> String {
    let host = format!("{}:{}", to.host_str().unwrap(), to.port().unwrap());
    let mut stream = TcpStream::connect(&host).await.unwrap();
    let request = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.unwrap();
    reply
}

async fn serve(stream: TcpStream, state: &SharedState, origin: &str) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    while let Some(asked) = read(&mut stream, origin).await? {
        let (answer, cut) = {
            let mut state = lock(state);
            state.log.push(asked.clone());
            state.meet(&asked)
        };
        let Some(answer) = answer else {
            return Ok(());
        };
        let length = answer.body.len() + if cut { 100 } else { 0 };
        let mut head = format!(
            "HTTP/1.1 {} X\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n",
            answer.status
        );
        for (name, value) in &answer.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        stream
            .write_all(format!("{head}\r\n{}", answer.body).as_bytes())
            .await?;
        if cut {
            return Ok(());
        }
    }
    Ok(())
}

async fn read(
    stream: &mut BufReader<TcpStream>,
    origin: &str,
) -> std::io::Result<Option<ReceivedRequest>> {
    let mut line = String::new();
    if stream.read_line(&mut line).await? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let (method, target) = (
        words.next().unwrap().to_owned(),
        words.next().unwrap().to_owned(),
    );
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        match line.trim().split_once(": ") {
            Some((name, value)) => {
                drop(headers.insert(name.to_ascii_lowercase(), value.to_owned()))
            }
            None => break,
        }
    }
    let length = headers
        .get("content-length")
        .map_or(0, |text| text.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    Ok(Some(ReceivedRequest {
        method,
        url: Url::parse(&format!("{origin}{target}")).unwrap(),
        headers,
        body: String::from_utf8(body).unwrap(),
    }))
}

impl State {
    /// Returns the answer to a request (`None` if the connection ends), and whether the answer breaks off.
    fn meet(&mut self, asked: &ReceivedRequest) -> (Option<Answer>, bool) {
        let is_token = asked.url.path() == "/token";
        if is_token || asked.url.path() == "/revoke" || asked.url.path().starts_with("/.well") {
            return (Some(self.sign_in(asked)), false);
        }
        if let Some(answer) = self.scripted.pop_front() {
            return (Some(answer), false);
        }
        let bearer = asked
            .headers
            .get("authorization")
            .cloned()
            .unwrap_or_default();
        if !self
            .tokens
            .iter()
            .any(|token| bearer == format!("Bearer {token}"))
        {
            return (Some(refusal(401, "authError")), false);
        }
        let is_met = match self.troubles.front() {
            Some(Trouble::Fault(_)) => true,
            Some(Trouble::BreaksOff) => asked.value("pageToken").is_some(),
            Some(_) => asked.writes(),
            None => false,
        };
        let trouble = if is_met {
            self.troubles.pop_front()
        } else {
            None
        };
        match trouble {
            None => (Some(self.answer(asked)), false),
            Some(Trouble::LostReply) => {
                self.answer(asked);
                (None, false)
            }
            Some(Trouble::Unreadable) => (Some(self.answer(asked)), true),
            Some(Trouble::Fault(fault)) => (self.refuse(&fault), false),
            Some(_) => (None, false),
        }
    }

    fn refuse(&mut self, fault: &adjutant_domain::operation::RemoteFault) -> Option<Answer> {
        use adjutant_domain::operation::RemoteFault;
        match fault {
            RemoteFault::NotSignedIn { .. } => {
                self.tokens.clear();
                self.refuses_refresh = true;
                Some(refusal(401, "authError"))
            }
            RemoteFault::Limited {
                retry_after_seconds,
            } => {
                let mut answer = refusal(403, "rateLimitExceeded");
                let seconds = retry_after_seconds.map(|seconds| seconds.to_string());
                answer
                    .headers
                    .extend(seconds.map(|seconds| ("retry-after", seconds)));
                Some(answer)
            }
            RemoteFault::TimedOut => Some(refusal(408, "timeout")),
            _ => None,
        }
    }

    fn sign_in(&mut self, asked: &ReceivedRequest) -> Answer {
        if asked.url.path() == "/revoke" {
            self.revoked.push(asked.field("token").unwrap());
            self.tokens.clear();
            return ok(json!({}));
        }
        if asked.url.path() != "/token" {
            return refusal(404, "notFound");
        }
        if let Some((error, description)) = &self.refuses_with {
            let body = json!({"error": error, "error_description": description});
            return Answer {
                body: body.to_string(),
                ..oauth_refusal(error)
            };
        }
        if asked.field("client_secret").as_deref() != Some(SECRET) {
            return oauth_refusal("invalid_client");
        }
        let is_right = match asked.field("grant_type").unwrap().as_str() {
            "refresh_token" => {
                let known = self.refresh.as_deref().unwrap_or(REFRESH);
                !std::mem::take(&mut self.refuses_refresh)
                    && asked.field("refresh_token").as_deref() == Some(known)
            }
            _ => self.asked_with.take().is_some_and(|(challenge, redirect)| {
                let verifier = asked.field("code_verifier").unwrap_or_default();
                asked.field("code").as_deref() == Some("the-code")
                    && asked.field("redirect_uri") == Some(redirect)
                    && challenge_of(&verifier) == challenge
            }),
        };
        if !is_right {
            return oauth_refusal("invalid_grant");
        }
        self.next += 1;
        let token = format!("{ACCESS}-{}", self.next);
        self.tokens.push(token.clone());
        if self.rotates {
            self.refresh = Some(format!("{REFRESH}-{}", self.next));
        }
        let refresh = self.refresh.as_deref().unwrap_or(REFRESH);
        ok(
            json!({"access_token": token, "refresh_token": refresh, "token_type": "Bearer", "expires_in": 3599,
            "scope": self.scope}),
        )
    }

    /// Expires all access tokens early.
    pub fn end_tokens(&mut self) {
        self.tokens.clear();
    }

    fn answer(&mut self, asked: &ReceivedRequest) -> Answer {
        let path: Vec<String> = asked.url.path_segments().unwrap().map(percent).collect();
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let (answer, changed) = match path.as_slice() {
            ["oauth2", "v2", "userinfo"] => (ok(json!({"id": "117", "email": PERSON})), false),
            ["calendar", "v3", rest @ ..] => self.events.answer(asked, rest),
            ["tasks", "v1", rest @ ..] => self.tasks.answer(asked, rest),
            _ => (refusal(404, "notFound"), false),
        };
        if changed {
            self.carried_out += 1;
        }
        if matches!(path.first(), Some(&"calendar" | &"tasks")) {
            let names: Vec<String> = asked
                .url
                .query_pairs()
                .map(|(name, _)| name.into())
                .collect();
            shapes::check(&Exchanged {
                method: &asked.method,
                path: asked.url.path(),
                query: names.iter().map(String::as_str).collect(),
                body: serde_json::from_str(&asked.body).ok(),
                status: answer.status,
                answer: serde_json::from_str(&answer.body)
                    .ok()
                    .filter(|_| !self.is_odd),
            });
        }
        answer
    }
}

fn percent(segment: &str) -> String {
    let plus = segment.replace('+', "%2B");
    let pair = format!("x={plus}");
    let decoded = url::form_urlencoded::parse(pair.as_bytes()).next();
    decoded
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

fn oauth_refusal(error: &str) -> Answer {
    Answer {
        status: 400,
        headers: Vec::new(),
        body: json!({"error": error, "error_description": format!("{SECRET} {REFRESH}")})
            .to_string(),
    }
}

fn challenge_of(verifier: &str) -> String {
    use base64::Engine as _;
    use sha2::Digest as _;
    let digest = sha2::Sha256::digest(verifier.as_bytes());
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(digest)
}
