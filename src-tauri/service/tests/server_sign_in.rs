//! Tests of a server that requires a sign-in: it is found, signed in to with the browser, renewed once, and signed out
//! of at the end.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use adjutant_api::servers::{ServerAct, ServerReach, ServerReport};
use adjutant_api::{Fault, Reply};
use adjutant_net::Url;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request as HttpRequest, Respond, ResponseTemplate};

use super::{World, world};
use crate::service::servers;

type Form = BTreeMap<String, String>;

/// A server that is its own authorization server.
#[derive(Default)]
struct Double {
    /// The access token that is valid.
    counts: Mutex<String>,
    /// Requests to the OAuth endpoints, by path.
    asked: Mutex<Vec<(String, Form)>>,
    /// Issuer to report in place of its own.
    issuer: Mutex<Option<String>>,
}

impl Double {
    fn asked(&self, path: &str) -> Vec<Form> {
        let asked = self.asked.lock().expect("no panic");
        let at = asked.iter().filter(|(at, _)| at == path);
        at.map(|(_, form)| form.clone()).collect()
    }
}

struct Answers(Arc<Double>, String);

fn said(body: Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(body)
}

impl Respond for Answers {
    fn respond(&self, asked: &HttpRequest) -> ResponseTemplate {
        let Self(double, base) = self;
        let path = asked.url.path().to_owned();
        let form: Form = serde_json::from_slice(&asked.body)
            .map(|all: Value| BTreeMap::from([("json".to_owned(), all.to_string())]))
            .unwrap_or_else(|_| {
                let text = String::from_utf8_lossy(&asked.body).into_owned();
                let url = Url::parse(&format!("http://x/?{text}")).expect("a form");
                url.query_pairs().into_owned().collect()
            });
        double
            .asked
            .lock()
            .expect("no panic")
            .push((path.clone(), form.clone()));
        match path.as_str() {
            "/mcp" => self.mcp(asked),
            "/.well-known/oauth-protected-resource/mcp" => said(json!({
                "resource": format!("{base}/mcp"), "authorization_servers": [format!("{base}/sign")],
                "scopes_supported": ["tools"],
            })),
            "/.well-known/oauth-authorization-server/sign" => {
                let issuer = double.issuer.lock().expect("no panic").clone();
                said(json!({
                    "issuer": issuer.unwrap_or_else(|| format!("{base}/sign")),
                    "authorization_endpoint": format!("{base}/authorize"), "token_endpoint": format!("{base}/token"),
                    "revocation_endpoint": format!("{base}/revoke"), "registration_endpoint": format!("{base}/register"),
                    "code_challenge_methods_supported": ["S256"], "scopes_supported": ["tools", "offline_access"],
                }))
            }
            "/register" => {
                ResponseTemplate::new(201).set_body_json(json!({"client_id": "made-up"}))
            }
            "/token" => {
                let renews = form
                    .get("grant_type")
                    .is_some_and(|kind| kind == "refresh_token");
                let (access, refresh) = if renews {
                    ("a-2", "r-2")
                } else {
                    ("a-1", "r-1")
                };
                said(json!({
                    "access_token": access, "token_type": "Bearer", "expires_in": 3600, "refresh_token": refresh,
                }))
            }
            "/revoke" => ResponseTemplate::new(200),
            _ => ResponseTemplate::new(404),
        }
    }
}

impl Answers {
    fn mcp(&self, asked: &HttpRequest) -> ResponseTemplate {
        let shown = asked
            .headers
            .get("authorization")
            .and_then(|value| value.to_str().ok());
        let counts = format!("Bearer {}", self.0.counts.lock().expect("no panic"));
        if shown != Some(counts.as_str()) {
            let metadata = format!("{}/.well-known/oauth-protected-resource/mcp", self.1);
            let challenge = format!("Bearer resource_metadata=\"{metadata}\", scope=\"tools\"");
            return ResponseTemplate::new(401).insert_header("WWW-Authenticate", challenge);
        }
        let Ok(message) = serde_json::from_slice::<Value>(&asked.body) else {
            return ResponseTemplate::new(405);
        };
        let Some(id) = message.get("id") else {
            return ResponseTemplate::new(202);
        };
        let result = match message["method"].as_str().unwrap_or_default() {
            "initialize" => json!({
                "protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                "serverInfo": {"name": "Private", "version": "1"},
            }),
            "tools/list" => {
                json!({"tools": [{"name": "list_notes", "inputSchema": {"type": "object"}}]})
            }
            "tools/call" => json!({"content": [{"type": "text", "text": "Two notes."}]}),
            _ => {
                let error = json!({"code": -32601, "message": "unknown"});
                return said(json!({"jsonrpc": "2.0", "id": id, "error": error}));
            }
        };
        said(json!({"jsonrpc": "2.0", "id": id, "result": result}))
    }
}

struct Scene {
    world: World,
    double: Arc<Double>,
    _address: MockServer,
}

/// Returns a profile with a server that requires a sign-in.
async fn scene() -> Scene {
    let address = MockServer::start().await;
    let double = Arc::new(Double::default());
    *double.counts.lock().expect("no panic") = "a-1".into();
    let answers = Answers(double.clone(), address.uri());
    Mock::given(any())
        .respond_with(answers)
        .mount(&address)
        .await;
    let scene = Scene {
        world: world().await,
        double,
        _address: address,
    };
    let url = format!("{}/mcp", scene._address.uri());
    let reach = ServerReach::Address {
        url,
        headers: BTreeMap::new(),
    };
    let add = ServerAct::Add {
        name: "private".into(),
        reach,
        secrets: BTreeMap::new(),
    };
    scene.act(add).await.expect("added");
    scene
}

impl Scene {
    async fn act(&self, act: ServerAct) -> Result<Reply, Fault> {
        servers::act(&self.world.service, act).await
    }

    async fn tried(&self, act: ServerAct) -> ServerReport {
        match self.act(act).await {
            Ok(Reply::ServerTried { report }) => report,
            other => panic!("{other:?}"),
        }
    }

    /// Starts a sign-in, and returns its id with the page for the browser.
    async fn begun(&self) -> (String, Url) {
        match self
            .act(ServerAct::SignIn {
                name: "private".into(),
            })
            .await
        {
            Ok(Reply::SignIn { id, address }) => (id, Url::parse(&address).expect("a page")),
            other => panic!("{other:?}"),
        }
    }

    async fn signed_in(&self) -> ServerReport {
        let (sign_in, page) = self.begun().await;
        let wait = self.tried(ServerAct::SignedIn {
            name: "private".into(),
            sign_in,
        });
        let ((), report) = tokio::join!(browser(&page), wait);
        report
    }
}

fn parameter(page: &Url, name: &str) -> String {
    let found = page.query_pairs().find(|(key, _)| key == name);
    found
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

/// Acts as a browser in which the person grants access.
async fn browser(page: &Url) {
    let back = Url::parse(&parameter(page, "redirect_uri")).expect("an address");
    let port = back.port().expect("a port");
    let mut stream = TcpStream::connect(("127.0.0.1", port))
        .await
        .expect("a door");
    let state = parameter(page, "state");
    let request =
        format!("GET /?code=c-1&state={state} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).await.expect("answered");
}

#[tokio::test]
async fn requests_stores_renews_once_and_revokes_a_sign_in() {
    let scene = scene().await;
    let name = || "private".to_owned();
    let report = scene.tried(ServerAct::Try { name: name() }).await;
    assert!(report.server.problem.expect("a problem").wants_sign_in);

    let report = scene.signed_in().await;
    assert!(report.works && report.server.signed_in, "{report:?}");
    assert_eq!(report.server.secrets, Vec::<String>::new());
    let token = &scene.double.asked("/token")[0];
    assert_eq!(
        (token["code"].as_str(), token["client_id"].as_str()),
        ("c-1", "made-up")
    );
    assert!(token["code_verifier"].len() >= 43, "{token:?}");
    assert!(token["resource"].ends_with("/mcp"), "{token:?}");
    assert_eq!(scene.world.ring.names(), ["mcp.private.(sign-in)"]);

    // The server no longer accepts the token, so it is renewed once and the call continues.
    scene
        .act(ServerAct::Accept {
            name: name(),
            pins: BTreeMap::new(),
        })
        .await
        .expect("accepted");
    let lower = ServerAct::Lower {
        name: name(),
        tool: "list_notes".into(),
        reads: true,
    };
    scene.act(lower).await.expect("lowered");
    *scene.double.counts.lock().expect("no panic") = "a-2".into();
    let server = adjutant_domain::server::ServerName::parse("private").expect("a name");
    let tool =
        adjutant_web::SearchTools::tool(&scene.world.service.servers, "mcp.private.list_notes");
    assert!(tool.is_err(), "it takes no words");
    let report = scene.tried(ServerAct::Try { name: name() }).await;
    assert!(report.works, "{report:?}");
    let renewals = scene.double.asked("/token");
    assert_eq!(
        (renewals.len(), renewals[1]["refresh_token"].as_str()),
        (2, "r-1")
    );
    assert!(scene.world.service.servers.one(&server).is_some());

    // If the renewal is refused too, the person is asked to sign in, and nothing loops.
    *scene.double.counts.lock().expect("no panic") = "never".into();
    let report = scene.tried(ServerAct::Try { name: name() }).await;
    assert!(report.server.problem.expect("a problem").wants_sign_in);
    let renewals = scene.double.asked("/token");
    assert_eq!(
        (renewals.len(), renewals[2]["refresh_token"].as_str()),
        (3, "r-2")
    );

    let removed = scene.act(ServerAct::Remove { name: name() }).await;
    let Ok(Reply::Servers { note: None, .. }) = removed else {
        panic!("{removed:?}")
    };
    assert_eq!(scene.double.asked("/revoke")[0]["token"], "r-2");
    assert_eq!(scene.world.ring.names(), Vec::<String>::new());
    scene.world.service.close().await;
}

#[tokio::test]
async fn refuses_a_false_issuer_and_a_cancelled_sign_in() {
    let scene = scene().await;
    let (id, page) = scene.begun().await;
    assert_eq!(parameter(&page, "code_challenge_method"), "S256");
    assert_eq!(parameter(&page, "scope"), "tools offline_access");
    scene.world.service.servers.cancel_sign_in(&id);
    let waits = ServerAct::SignedIn {
        name: "private".into(),
        sign_in: id,
    };
    assert_eq!(
        scene.act(waits).await.expect_err("given up").code,
        "sign_in"
    );
    assert_eq!(scene.world.ring.names(), Vec::<String>::new());

    *scene.double.issuer.lock().expect("no panic") = Some("https://evil.example".into());
    let refused = scene
        .act(ServerAct::SignIn {
            name: "private".into(),
        })
        .await;
    let fault = refused.expect_err("refused");
    assert!(fault.message.contains("a different one"), "{fault:?}");
    let secret = ServerAct::Secret {
        name: "private".into(),
        field: "(sign-in)".into(),
        value: super::secret("{}"),
    };
    assert_eq!(scene.act(secret).await.expect_err("typed").code, "secrets");
    scene.world.service.close().await;
}
