//! Tests of complete downloads: in one go, with a pause, or from a server that starts over.

use tokio::sync::Notify;

use super::*;

#[tokio::test]
async fn offers_fetches_checks_and_records_a_file() {
    let file = model(700_000);
    let sum = sum_of(&file);
    // Like Hugging Face, the redirect reports size and checksum.
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

    // A second request finds the file and downloads nothing.
    let before = server.asked().len();
    let again = crate::fetch::offer(server.wanted(None), &folder, &net)
        .await
        .unwrap();
    assert!(again.here);
    assert!(fetched(&again).await.unwrap().0.checked);
    assert_eq!(server.asked().len(), before + 1);
}

#[tokio::test]
async fn continues_an_abandoned_download() {
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
async fn reconnects_after_an_early_end_unless_nothing_arrives() {
    let file = model(500_000);
    let all = file.clone();
    let server = Server::start(move |asked| {
        let mut answer = whole_or_rest(&all, "", asked);
        // The server announces the full length but sends less.
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
async fn accepts_a_restart_but_not_two_checksums() {
    let file = model(400_000);
    let sum = sum_of(&file);
    let all = file.clone();
    let server = Server::start(move |asked| {
        let asked = RecordedRequest {
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

    // Another file of that name stays unchanged.
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
async fn fetches_a_file_only_once_at_a_time() {
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
