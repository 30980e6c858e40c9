//! Tests of files that are not downloaded, or not kept.

use adjutant_net::NetFault;

use super::*;

#[tokio::test]
async fn deletes_files_that_differ_from_the_offer() {
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

    // Longer and shorter than the offer stated.
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

    // A captive portal, as in a hotel's network.
    let server = Server::with(b"<html>Please sign in</html>".to_vec(), "").await;
    let offered = offer(server.wanted(None), &folder, &client).await.unwrap();
    let wrong = fetched(&offered).await.unwrap_err();
    assert!(matches!(wrong, FetchFault::NoGguf), "{wrong}");
    assert_eq!(names(&folder), [""; 0]);
}

#[tokio::test]
async fn distinguishes_files_that_cannot_be_fetched() {
    let (_outer, folder) = folder();
    let (client, ledger) = net(true);
    let offered = Download::read("qwen2.5-0.5b", None).unwrap();
    let offline = offer(offered, &folder, &client).await.unwrap_err();
    assert!(
        matches!(&offline, FetchFault::Net(NetFault::Offline { host }) if host == "huggingface.co"),
        "{offline}"
    );
    assert!(offline.hint().contains("--offline"));
    assert!(ledger.0.lock().unwrap().is_empty(), "nobody was asked");
    let cases = [
        ("404 Not Found", "no longer has this file"),
        ("401 Unauthorized", "people with access"),
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
async fn reports_a_full_disk_before_and_during_a_download() {
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
        full.to_string()
            .contains("200 kB more free space is needed"),
        "{full}"
    );
    assert_eq!(server.asked().len(), asked, "nothing was fetched");

    // The device that is always full.
    #[cfg(target_os = "linux")]
    {
        std::fs::remove_file(offered.part()).unwrap();
        std::os::unix::fs::symlink("/dev/full", offered.part()).unwrap();
        let full = fetched(&offered).await.unwrap_err();
        assert!(matches!(full, FetchFault::Full { .. }), "{full}");
    }
}
