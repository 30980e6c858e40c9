//! Tests of a profile's models with all layers in front of them, against servers on this computer.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use adjutant_domain::model::{
    CallState, ChatModel, Ledger as _, ModelEvent, ModelFault, ModelRequest, Purpose, Tier,
};
use adjutant_domain::ports::Clock;
use adjutant_engine::context::prompts::ChatProbe;
use adjutant_models::govern::CostLedger;
use adjutant_models::tiers::{SinceStart, Ticks};
use adjutant_models::{Connection, Key, Providers};
use adjutant_net::NetClient;
use adjutant_prompts::RequestOptions;
use adjutant_settings::Models as ModelSettings;
use adjutant_store::{Store, StoreOptions};
use adjutant_testkit::FixedClock;
use futures::StreamExt as _;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::shadow;
use super::stack::{SharedLayers, changed, stack};
use crate::network::Network;

fn noon() -> Arc<dyn Clock> {
    let at = "2026-11-20T12:00:00+01:00[Europe/Paris]";
    Arc::new(FixedClock(at.parse().expect("an instant")))
}

/// A profile, and the layers in front of its models.
struct World {
    _folder: tempfile::TempDir,
    store: Arc<Store>,
    net: NetClient,
    shared: SharedLayers,
    wanted: ModelSettings,
}

fn world() -> World {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path(), StoreOptions::default()).expect("a profile");
    let clock = noon();
    let ticks: Arc<dyn Ticks> = Arc::new(SinceStart::new());
    let wanted = ModelSettings::default();
    let limits = wanted.spend.limits();
    let network = adjutant_settings::Network::default();
    let network = Network::new(store.clone(), clock.clone(), false, network);
    World {
        _folder: folder,
        net: network.client(),
        shared: SharedLayers {
            costs: CostLedger::new(store.clone(), clock, ticks.clone(), limits),
            ticks,
            gauges: Arc::default(),
        },
        store,
        wanted,
    }
}

impl World {
    fn connected(&self, connections: &[Connection], before: &Providers) -> Providers {
        let keys = std::collections::BTreeMap::<String, Key>::new();
        let (providers, problems) = Providers::connect(connections, &self.net, &keys, before);
        assert!(problems.is_empty(), "{problems:?}");
        providers
    }

    fn stacked(&self, connections: &[Connection]) -> Arc<dyn ChatModel> {
        let providers = self.connected(connections, &Providers::default());
        stack(&providers, &self.wanted, &self.shared).expect("a model")
    }
}

fn request(tier: Tier) -> ModelRequest {
    let ask = RequestOptions {
        tier,
        purpose: Purpose::Foreground,
        turn: Some("turn-1".into()),
    };
    let probe = ChatProbe {
        word: "marigold".into(),
    };
    let mut request = adjutant_prompts::request(&probe, ask, Vec::new()).expect("a request");
    request.max_output_tokens = 100;
    request
}

async fn ask(model: &Arc<dyn ChatModel>, tier: Tier) -> Vec<Result<ModelEvent, ModelFault>> {
    model.stream(Arc::new(request(tier))).collect().await
}

/// A server that gives the same reply to every request. The end of the reply follows a moment after the rest.
struct Server {
    base: String,
    connections: Arc<AtomicUsize>,
    requests: Arc<AtomicUsize>,
    _running: JoinSet<()>,
}

async fn server(head: &'static str, body: &'static str) -> Server {
    served(move |_| (head, body)).await
}

/// Starts a server whose reply depends on the request.
async fn served<F>(reply: F) -> Server
where
    F: Fn(&str) -> (&'static str, &'static str) + Copy + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let base = format!("http://{}/v1", listener.local_addr().expect("a port"));
    let (connections, requests) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (made, asked) = (connections.clone(), requests.clone());
    let mut running = JoinSet::new();
    running.spawn(async move {
        let mut open = JoinSet::new();
        while let Ok((stream, _)) = listener.accept().await {
            made.fetch_add(1, Ordering::SeqCst);
            let asked = asked.clone();
            open.spawn(async move {
                let mut stream = BufReader::new(stream);
                while let Some(sent) = read(&mut stream).await {
                    asked.fetch_add(1, Ordering::SeqCst);
                    let (head, body) = reply(&sent);
                    if say(&mut stream, head, body).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    Server {
        base,
        connections,
        requests,
        _running: running,
    }
}

/// Reads the body of a request.
async fn read(stream: &mut BufReader<TcpStream>) -> Option<String> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        let line = line.trim().to_ascii_lowercase();
        if let Some(given) = line.strip_prefix("content-length:") {
            length = given.trim().parse().ok()?;
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    String::from_utf8(body).ok()
}

async fn say(stream: &mut BufReader<TcpStream>, head: &str, body: &str) -> std::io::Result<()> {
    let chunk = format!(
        "{head}transfer-encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n",
        body.len()
    );
    stream.write_all(chunk.as_bytes()).await?;
    stream.flush().await?;
    // The client has read the reply by now, but not yet its end.
    tokio::time::sleep(Duration::from_millis(20)).await;
    stream.write_all(b"0\r\n\r\n").await
}

const GOOD: (&str, &str) = (
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Fine.\"},\"finish_reason\":\"stop\"}]}\n\n\
     data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n",
);
const BROKEN: (&str, &str) = (
    "HTTP/1.1 500 Broken\r\ncontent-type: application/json\r\n",
    "{\"error\":{\"message\":\"out of memory\"}}",
);

const PICKY: (&str, &str) = (
    "HTTP/1.1 400 Wrong\r\ncontent-type: application/json\r\n",
    "{\"error\":{\"message\":\"Unknown parameter: stream_options\"}}",
);

fn connection(address: &str) -> Connection {
    let mut one = Connection::quick(address, "m", None).expect("a connection");
    one.name = "lab".into();
    one
}

#[tokio::test]
async fn reuses_a_connection_for_the_next_request() {
    let server = server(GOOD.0, GOOD.1).await;
    let world = world();
    let model = world.stacked(&[connection(&server.base)]);
    for _ in 0..3 {
        // Like the engine, this drops the stream at its end.
        let mut stream = model.stream(Arc::new(request(Tier::Standard)));
        loop {
            match stream.next().await {
                Some(Ok(ModelEvent::End { .. })) => break,
                Some(Ok(_)) => {}
                other => panic!("{other:?}"),
            }
        }
        drop(stream);
        // A person reads before asking again.
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
    let counts = (&server.connections, &server.requests);
    assert_eq!(
        (
            counts.0.load(Ordering::SeqCst),
            counts.1.load(Ordering::SeqCst)
        ),
        (1, 3)
    );
}

#[tokio::test]
async fn a_failing_model_is_paused_for_all_tiers_and_over_rebuilds() {
    let server = server(BROKEN.0, BROKEN.1).await;
    let mut world = world();
    let connections = [connection(&server.base)];
    let model = world.stacked(&connections);
    for tier in [Tier::Fast, Tier::Standard] {
        ask(&model, tier).await;
    }
    // A setting changed in the meantime.
    world.wanted.stall_seconds += 1;
    let model = world.stacked(&connections);
    for tier in [Tier::Deep, Tier::Standard] {
        ask(&model, tier).await;
    }
    assert_eq!(server.requests.load(Ordering::SeqCst), 4);
    for tier in Tier::ALL {
        let told = ask(&world.stacked(&connections), tier).await;
        assert!(
            matches!(told.last(), Some(Err(ModelFault::Resting { .. }))),
            "{tier:?}: {told:?}"
        );
    }
    assert_eq!(server.requests.load(Ordering::SeqCst), 4);
    // The connection is a different one now, so nothing is known of it.
    let mut other = connections.clone();
    other[0].between_pieces_seconds = Some(9);
    for name in changed(&connections, &other) {
        world.shared.gauges.forget(name);
    }
    ask(&world.stacked(&other), Tier::Fast).await;
    assert_eq!(server.requests.load(Ordering::SeqCst), 5);
}

#[tokio::test]
async fn a_successful_test_ends_the_pause_of_a_model() {
    let server = server(BROKEN.0, BROKEN.1).await;
    let world = world();
    let model = world.stacked(&[connection(&server.base)]);
    for _ in 0..4 {
        ask(&model, Tier::Standard).await;
    }
    let rests = |told: &[_]| matches!(told.last(), Some(Err(ModelFault::Resting { .. })));
    assert!(rests(&ask(&model, Tier::Standard).await));
    world.shared.gauges.renew("another");
    assert!(rests(&ask(&model, Tier::Standard).await));
    // The same models remain in use: a test does not rebuild anything.
    world.shared.gauges.renew("lab");
    assert!(!rests(&ask(&model, Tier::Standard).await));
    assert_eq!(server.requests.load(Ordering::SeqCst), 5);
}

#[tokio::test]
async fn a_connection_over_its_limit_does_not_fall_back_to_itself() {
    let mut world = world();
    world.wanted.spend = adjutant_settings::Spend {
        call: adjutant_settings::Money::from_micros(1),
        ..world.wanted.spend
    };
    world.shared.costs.set_limits(world.wanted.spend.limits());
    // It has no price and is not on this computer.
    let model = world.stacked(&[connection("https://models.example/v1")]);
    let told = ask(&model, Tier::Deep).await;
    let [
        Ok(ModelEvent::Answering { why: None, .. }),
        Err(ModelFault::OverLimit(over)),
    ] = told.as_slice()
    else {
        panic!("{told:?}")
    };
    assert!(
        over.wanted_micros > 2_000,
        "100 tokens at the assumed price: {over:?}"
    );
    world.shared.costs.settled().await;
    assert!(world.store.calls(None, 9).await.expect("calls").is_empty());
}

#[tokio::test]
async fn unsupported_fields_are_known_in_all_tiers_and_after_changes() {
    let world = world();
    let connections = [connection("http://127.0.0.1:9/v1")];
    let first = world.connected(&connections, &Providers::default());
    let [fast, deep] = [Tier::Fast, Tier::Deep].map(|tier| first.chain(tier)[0].clone());
    assert!(Arc::ptr_eq(&fast, &deep), "one model serves all tiers");

    // It refuses requests with a certain field until that field is left out.
    let server = served(|sent| {
        if sent.contains("stream_options") {
            PICKY
        } else {
            GOOD
        }
    })
    .await;
    let connections = [connection(&server.base)];
    let asked = async |providers: &Providers, tier| {
        let before = server.requests.load(Ordering::SeqCst);
        let model = stack(providers, &world.wanted, &world.shared).expect("a model");
        let told = ask(&model, tier).await;
        assert!(
            matches!(told.last(), Some(Ok(ModelEvent::End { .. }))),
            "{told:?}"
        );
        server.requests.load(Ordering::SeqCst) - before
    };
    let first = world.connected(&connections, &Providers::default());
    assert_eq!(asked(&first, Tier::Standard).await, 2);
    assert_eq!(asked(&first, Tier::Deep).await, 1);
    let second = world.connected(&connections, &first);
    assert_eq!(
        asked(&second, Tier::Standard).await,
        1,
        "it was known before"
    );
    let fresh = world.connected(&connections, &Providers::default());
    assert_eq!(asked(&fresh, Tier::Standard).await, 2);
}

#[tokio::test]
async fn a_turns_usage_includes_its_calls() {
    let server = server(GOOD.0, GOOD.1).await;
    let world = world();
    let model = world.stacked(&[connection(&server.base)]);
    ask(&model, Tier::Standard).await;
    let used = model.used_by(&"turn-1".into()).expect("it is counted");
    assert_eq!((used.input, used.output), (9, 2));
    world.shared.costs.settled().await;
    let calls = world.store.calls(None, 9).await.expect("calls");
    let ended = calls[0].spent.as_ref().map(|spent| spent.state);
    assert_eq!(ended, Some(CallState::Done));
}

#[test]
fn the_only_connection_answers_even_as_the_candidate() {
    let names =
        |list: Vec<Connection>| -> Vec<String> { list.into_iter().map(|one| one.name).collect() };
    let lab = || connection("http://127.0.0.1:1/v1");
    let mut home = lab();
    home.name = "home".into();
    let (candidates, live) = shadow::split([lab()].into_iter(), "lab");
    assert_eq!(
        (names(candidates), names(live)),
        (vec![], vec!["lab".into()])
    );
    let (candidates, live) = shadow::split([lab(), home].into_iter(), "lab");
    assert_eq!(
        (names(candidates), names(live)),
        (vec!["lab".into()], vec!["home".into()])
    );
}
