//! Fetching from a server on this machine that does what servers do.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use adjutant_domain::ports::{EgressLog, Exchange};
use adjutant_net::{NetClient, NetFault, NetSettings, ProxyChoice};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinSet;

use super::load::load_with;
use super::*;

/// A request as far as it matters here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Asked {
    line: String,
    range: Option<String>,
    if_range: Option<String>,
}

#[derive(Clone)]
struct Answer {
    head: String,
    body: Vec<u8>,
    /// Bytes of the body after which nothing more comes, while the connection stays open.
    holds_after: Option<usize>,
}

fn answer(status: &str, headers: &str, body: &[u8]) -> Answer {
    Answer {
        head: format!("HTTP/1.1 {status}\r\n{headers}connection: close\r\n\r\n"),
        body: body.to_vec(),
        holds_after: None,
    }
}

/// A server, and what it was asked.
struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
    _serving: JoinSet<()>,
}

impl Server {
    async fn start(answers: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (noted, answers) = (asked.clone(), Arc::new(answers));
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (noted, answers) = (noted.clone(), answers.clone());
                open.spawn(async move {
                    let _ = serve(stream, &noted, &*answers).await;
                });
            }
        });
        Self {
            port,
            asked,
            _serving: serving,
        }
    }

    /// One that has a file and goes on where it is asked to.
    async fn with(file: Vec<u8>, headers: &'static str) -> Self {
        Self::start(move |asked| whole_or_rest(&file, headers, asked)).await
    }

    fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    fn address(&self) -> String {
        format!("http://127.0.0.1:{}/models/small.gguf", self.port)
    }

    fn wanted(&self, sum: Option<&str>) -> Wanted {
        let sum = sum.map(|sum| Sha256Sum::read(sum).unwrap());
        Wanted::read(&self.address(), sum).unwrap()
    }
}

async fn serve(
    mut stream: TcpStream,
    noted: &Mutex<Vec<Asked>>,
    answers: &(dyn Fn(&Asked) -> Answer + Send + Sync),
) -> std::io::Result<()> {
    let mut read = Vec::new();
    while !read.ends_with(b"\r\n\r\n") {
        read.push(stream.read_u8().await?);
    }
    let text = String::from_utf8_lossy(&read).into_owned();
    let header = |name: &str| {
        text.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then(|| value.to_owned())
        })
    };
    let asked = Asked {
        line: text.lines().next().unwrap().replace(" HTTP/1.1", ""),
        range: header("range"),
        if_range: header("if-range"),
    };
    noted.lock().unwrap().push(asked.clone());
    let answer = answers(&asked);
    stream.write_all(answer.head.as_bytes()).await?;
    if !asked.line.starts_with("HEAD") {
        let upto = answer.holds_after.unwrap_or(answer.body.len());
        stream.write_all(&answer.body[..upto]).await?;
        if answer.holds_after.is_some() {
            // Until the other side goes.
            let _ = stream.read_u8().await;
        }
    }
    stream.shutdown().await
}

fn whole_or_rest(file: &[u8], headers: &str, asked: &Asked) -> Answer {
    let from: Option<usize> = asked
        .range
        .as_ref()
        .map(|range| range["bytes=".len()..range.len() - 1].parse().unwrap());
    let all = file.len();
    match from {
        Some(from) if from < all => {
            let rest = &file[from..];
            let headers = format!(
                "{headers}content-length: {}\r\ncontent-range: bytes {from}-{}/{all}\r\n",
                rest.len(),
                all - 1
            );
            answer("206 Partial Content", &headers, rest)
        }
        Some(_) => answer("416 Range Not Satisfiable", "content-length: 0\r\n", b""),
        None => answer(
            "200 OK",
            &format!("{headers}content-length: {all}\r\n"),
            file,
        ),
    }
}

/// Bytes that look random and begin like a model.
fn model(bytes: usize) -> Vec<u8> {
    let mut seed = 7_u32;
    let rest = std::iter::repeat_with(move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 24) as u8
    });
    b"GGUF".iter().copied().chain(rest).take(bytes).collect()
}

fn sum_of(file: &[u8]) -> String {
    Sha256Sum::of(&mut &*file).unwrap().to_string()
}

#[derive(Default)]
struct Ledger(Mutex<Vec<Exchange>>);

impl EgressLog for Ledger {
    fn note(&self, exchange: Exchange) {
        self.0.lock().unwrap().push(exchange);
    }
}

fn net(offline: bool) -> (NetClient, Arc<Ledger>) {
    let ledger = Arc::new(Ledger::default());
    let proxy = ProxyChoice::None;
    let client = NetClient::new(NetSettings { offline, proxy }, ledger.clone());
    (client, ledger)
}

/// A folder that is made when it is needed.
fn folder() -> (TempDir, PathBuf) {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("models/gguf");
    (outer, folder)
}

fn names(folder: &std::path::Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

const PLENTY: fn(&std::path::Path) -> std::io::Result<u64> = |_| Ok(u64::MAX);

async fn fetched(offer: &Offer) -> Result<(Loaded, Vec<u64>), FetchFault> {
    let mut told = Vec::new();
    let loaded = load_with(offer, &net(true).0, PLENTY, &mut |have| told.push(have)).await?;
    Ok((loaded, told))
}

#[tokio::test]
async fn a_file_is_offered_with_what_the_server_tells_then_fetched_checked_and_noted() {
    let file = model(700_000);
    let sum = sum_of(&file);
    // As Hugging Face does: the reply that points away tells size and checksum.
    let (all, linked) = (file.clone(), sum.clone());
    let server = Server::start(move |asked| {
        if asked.line.ends_with("/moved/small.gguf") {
            return whole_or_rest(&all, "", asked);
        }
        let headers = format!(
            "location: /moved/small.gguf\r\nx-linked-size: {}\r\nx-linked-etag: \"{linked}\"\r\ncontent-length: 0\r\n",
            all.len()
        );
        answer("302 Found", &headers, b"")
    })
    .await;
    let (_outer, folder) = folder();
    let (net, ledger) = net(true);
    let offer = offer(server.wanted(None), &folder, &net).await.unwrap();
    assert_eq!((offer.bytes, offer.have, offer.here), (700_000, 0, false));
    let told = offer.sum.map(|(sum, from)| (sum.to_string(), from));
    assert_eq!(told, Some((sum, SumFrom::Server)));
    assert!(
        !folder.exists(),
        "nothing is written before it is agreed to"
    );

    let mut told = Vec::new();
    let loaded = load(&offer, &net, &mut |have| told.push(have))
        .await
        .unwrap();
    assert!(loaded.checked);
    assert_eq!(std::fs::read(&loaded.path).unwrap(), file);
    assert_eq!(names(&folder), ["small.gguf"]);
    assert_eq!((told[0], told.last()), (0, Some(&700_000)));
    assert!(told.len() >= 3 && told.is_sorted(), "{told:?}");
    let noted = ledger.0.lock().unwrap().clone();
    assert_eq!(
        noted.iter().map(|one| one.why.as_str()).collect::<Vec<_>>(),
        [
            "asking about a model file",
            "fetching the model file small.gguf"
        ]
    );
    assert_eq!(noted[1].bytes_in, 700_000);

    // Asked for again it is here, and nothing is fetched.
    let before = server.asked().len();
    let again = super::offer(server.wanted(None), &folder, &net)
        .await
        .unwrap();
    assert!(again.here);
    assert!(fetched(&again).await.unwrap().0.checked);
    assert_eq!(server.asked().len(), before + 1);
}

#[tokio::test]
async fn what_was_given_up_is_gone_on_with_where_it_stopped() {
    let file = model(900_000);
    let all = file.clone();
    let server = Server::start(move |asked| {
        let mut answer = whole_or_rest(&all, "etag: \"v1\"\r\n", asked);
        if asked.line.starts_with("GET") && asked.range.is_none() {
            answer.holds_after = Some(600_000);
        }
        answer
    })
    .await;
    let (_outer, folder) = folder();
    let offered = offer(server.wanted(None), &folder, &net(true).0)
        .await
        .unwrap();
    assert_eq!(offered.sum, None);
    let came = Arc::new(Notify::new());
    let waits = came.clone();
    let client = net(true).0;
    let mut progress = move |have: u64| {
        if have >= 256 * 1024 {
            came.notify_one();
        }
    };
    tokio::select! {
        ended = load_with(&offered, &client, PLENTY, &mut progress) => panic!("{ended:?}"),
        () = waits.notified() => {}
    }
    let again = offer(server.wanted(None), &folder, &client).await.unwrap();
    assert!(again.have >= 256 * 1024 && again.have < 900_000);
    let (loaded, told) = fetched(&again).await.unwrap();
    assert_eq!(told[0], again.have);
    assert!(!loaded.checked, "nobody told what to check it against");
    assert_eq!(std::fs::read(&loaded.path).unwrap(), file);
    assert_eq!(names(&folder), ["small.gguf"]);
    let last = server.asked().pop().unwrap();
    assert_eq!(last.range, Some(format!("bytes={}-", again.have)));
    assert_eq!(last.if_range.as_deref(), Some("\"v1\""));
}

#[tokio::test]
async fn a_connection_that_ends_early_is_made_again_and_one_that_brings_nothing_is_told() {
    let file = model(500_000);
    let all = file.clone();
    let server = Server::start(move |asked| {
        let mut answer = whole_or_rest(&all, "", asked);
        // The length is told, less comes.
        answer.body.truncate(200_000);
        answer
    })
    .await;
    let (_outer, folder) = folder();
    let sum = sum_of(&file);
    let offered = offer(server.wanted(Some(&sum)), &folder, &net(true).0)
        .await
        .unwrap();
    assert_eq!(offered.sum.map(|(_, from)| from), Some(SumFrom::Person));
    let (loaded, _) = fetched(&offered).await.unwrap();
    assert_eq!(std::fs::read(&loaded.path).unwrap(), file);
    let ranges: Vec<_> = server.asked().into_iter().map(|one| one.range).collect();
    let from = |at: u64| Some(format!("bytes={at}-"));
    assert_eq!(ranges, [None, None, from(200_000), from(400_000)]);

    let all = file.clone();
    let server = Server::start(move |asked| {
        let mut answer = whole_or_rest(&all, "", asked);
        let upto = if asked.range.is_none() { 1_000 } else { 0 };
        answer.body.truncate(upto);
        answer
    })
    .await;
    std::fs::remove_file(&loaded.path).unwrap();
    let offered = offer(server.wanted(Some(&sum)), &folder, &net(true).0)
        .await
        .unwrap();
    let stopped = fetched(&offered).await.unwrap_err();
    assert!(
        matches!(
            stopped,
            FetchFault::Cut {
                have: 1_000,
                bytes: 500_000,
                ..
            }
        ),
        "{stopped}"
    );
    assert_eq!(names(&folder), [format!("small.gguf.{}.part", &sum[..16])]);
}

#[tokio::test]
async fn what_is_not_what_was_promised_is_deleted() {
    let file = model(300_000);
    let sum = sum_of(&file);
    let mut other = file.clone();
    *other.last_mut().unwrap() ^= 1;
    let (_outer, folder) = folder();
    let client = net(true).0;

    let server = Server::with(other, "").await;
    let offered = offer(server.wanted(Some(&sum)), &folder, &client)
        .await
        .unwrap();
    let wrong = fetched(&offered).await.unwrap_err();
    assert!(matches!(wrong, FetchFault::WrongSum), "{wrong}");
    assert_eq!(names(&folder), [""; 0]);

    // Longer and shorter than was told before.
    for told in [299_999_u64, 300_001] {
        let all = file.clone();
        let server = Server::start(move |asked| {
            if asked.line.starts_with("HEAD") {
                return answer("200 OK", &format!("content-length: {told}\r\n"), b"");
            }
            whole_or_rest(&all, "", asked)
        })
        .await;
        let offered = offer(server.wanted(Some(&sum)), &folder, &client)
            .await
            .unwrap();
        let wrong = fetched(&offered).await.unwrap_err();
        assert!(matches!(wrong, FetchFault::OtherSize { .. }), "{wrong}");
        assert_eq!(names(&folder), [""; 0]);
    }

    // A page that lets people into a network, such as in a hotel.
    let server = Server::with(b"<html>Please sign in</html>".to_vec(), "").await;
    let offered = offer(server.wanted(None), &folder, &client).await.unwrap();
    let wrong = fetched(&offered).await.unwrap_err();
    assert!(matches!(wrong, FetchFault::NoGguf), "{wrong}");
    assert_eq!(names(&folder), [""; 0]);
}

#[tokio::test]
async fn a_server_that_begins_anew_is_believed_and_one_that_tells_two_checksums_is_not() {
    let file = model(400_000);
    let sum = sum_of(&file);
    let all = file.clone();
    let server = Server::start(move |asked| {
        let asked = Asked {
            range: None,
            ..asked.clone()
        };
        whole_or_rest(&all, "", &asked)
    })
    .await;
    let (_outer, folder) = folder();
    let client = net(true).0;
    let wanted = server.wanted(Some(&sum));
    let first = offer(wanted.clone(), &folder, &client).await.unwrap();
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(first.part(), vec![0; 1_000]).unwrap();
    std::fs::write(folder.join("small.gguf.0123456789abcdef.part"), "old").unwrap();
    let again = offer(wanted, &folder, &client).await.unwrap();
    assert_eq!(again.have, 1_000);
    fetched(&again).await.unwrap();
    assert_eq!(std::fs::read(&again.path).unwrap(), file);
    assert_eq!(names(&folder), ["small.gguf"], "the old one is forgotten");

    // Another file of that name stays as it is.
    std::fs::write(&again.path, "mine").unwrap();
    let taken = fetched(&again).await.unwrap_err();
    assert!(matches!(taken, FetchFault::NameTaken(_)), "{taken}");
    assert_eq!(std::fs::read(&again.path).unwrap(), b"mine");

    let server = Server::start(move |_| {
        let headers = format!(
            "location: /x\r\nx-linked-size: 5\r\nx-linked-etag: \"{}\"\r\n",
            "ab".repeat(32)
        );
        answer("302 Found", &headers, b"")
    })
    .await;
    let other = offer(server.wanted(Some(&sum)), &folder, &client).await;
    assert!(
        matches!(other, Err(FetchFault::OtherSum { .. })),
        "{other:?}"
    );
}

#[tokio::test]
async fn what_cannot_be_had_is_told_apart() {
    let (_outer, folder) = folder();
    let (client, ledger) = net(true);
    let offered = Wanted::read("qwen2.5-0.5b", None).unwrap();
    let offline = offer(offered, &folder, &client).await.unwrap_err();
    assert!(
        matches!(&offline, FetchFault::Net(NetFault::Offline { host }) if host == "huggingface.co"),
        "{offline}"
    );
    assert!(offline.hint().contains("--offline"));
    assert!(ledger.0.lock().unwrap().is_empty(), "nobody was asked");
    let cases = [
        ("404 Not Found", "no such file"),
        ("401 Unauthorized", "people it knows"),
        ("503 Service Unavailable", "503"),
        ("302 Found", "points to another place"),
        ("200 OK", "how large"),
    ];
    for (status, says) in cases {
        let server =
            Server::start(move |_| answer(status, "location: https://example.com/\r\n", b"")).await;
        let fault = offer(server.wanted(None), &folder, &client)
            .await
            .unwrap_err();
        assert!(fault.to_string().contains(says), "{status}: {fault}");
        assert!(!fault.hint().is_empty());
    }
    let huge = Server::start(|_| answer("200 OK", "content-length: 65000000000\r\n", b"")).await;
    let fault = offer(huge.wanted(None), &folder, &client)
        .await
        .unwrap_err();
    assert!(matches!(fault, FetchFault::TooLarge { .. }), "{fault}");
    assert!(!folder.exists());
}

#[tokio::test]
async fn a_disk_without_room_is_told_before_and_while_it_fills() {
    let file = model(300_000);
    let sum = sum_of(&file);
    let server = Server::with(file, "").await;
    let (_outer, folder) = folder();
    let client = net(true).0;
    let offered = offer(server.wanted(Some(&sum)), &folder, &client)
        .await
        .unwrap();
    let asked = server.asked().len();
    let small = |_: &std::path::Path| Ok(64_100_000);
    let full = load_with(&offered, &client, small, &mut |_| ())
        .await
        .unwrap_err();
    assert!(
        matches!(
            full,
            FetchFault::Full {
                missing: 200_000,
                ..
            }
        ),
        "{full}"
    );
    assert!(
        full.to_string().contains("200 kB more are needed"),
        "{full}"
    );
    assert_eq!(server.asked().len(), asked, "nothing was fetched");

    // The system's own full device.
    #[cfg(target_os = "linux")]
    {
        std::fs::remove_file(offered.part()).unwrap();
        std::os::unix::fs::symlink("/dev/full", offered.part()).unwrap();
        let full = fetched(&offered).await.unwrap_err();
        assert!(matches!(full, FetchFault::Full { .. }), "{full}");
    }
}

#[tokio::test]
async fn one_file_is_fetched_once_at_a_time() {
    let file = model(300_000);
    let sum = sum_of(&file);
    let server = Server::with(file, "").await;
    let (_outer, folder) = folder();
    let offered = offer(server.wanted(Some(&sum)), &folder, &net(true).0)
        .await
        .unwrap();
    std::fs::create_dir_all(&folder).unwrap();
    let held = std::fs::File::create(offered.part()).unwrap();
    held.lock().unwrap();
    let busy = fetched(&offered).await.unwrap_err();
    assert!(matches!(busy, FetchFault::Busy), "{busy}");
    drop(held);
    fetched(&offered).await.unwrap();
}
