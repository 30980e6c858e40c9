//! Tests of the profile as a whole: imports and their batches, and erasing, during an import and when some of it fails.

use adjutant_api::{EventBody, Reply};
use adjutant_domain::record::Kind;

use super::{KEY, config, connect, data, guarded, import, profile, world};
use crate::service::Sink;

#[tokio::test]
async fn an_import_does_not_refill_an_erased_profile() {
    const CARDS: usize = 4_000;
    let (home, service) = profile().await;
    let cards: String = (0..CARDS)
        .map(|n| format!("BEGIN:VCARD\r\nVERSION:3.0\r\nUID:{n}\r\nFN:Person {n}\r\nEND:VCARD\r\n"))
        .collect();
    let file = home.path().join("cards.vcf");
    std::fs::write(&file, cards).expect("written");
    let paths = [file.display().to_string()];
    let mut told = service.broadcast.follow();
    let (sink, _frames) = Sink::new();
    let begun = async {
        // Part of it is stored by the time the first progress is reported.
        while !matches!(told.recv().await, Ok(EventBody::Progress { .. })) {}
        data::erase(&service).await
    };
    let (imported, erased) = tokio::join!(import::import(&service, &paths, &sink), begun);
    assert_eq!(erased, Ok(Reply::Ok {}));
    assert_eq!(service.store.count(Kind::Contact).await, Ok(0));
    let Ok(Reply::Imported { report }) = imported else {
        panic!("{imported:?}");
    };
    assert_eq!(report.counts, [], "nothing of it is there");
    let reasons: Vec<_> = report.rejected.iter().map(|one| &one.reason).collect();
    assert_eq!(reasons, ["the profile was erased while this was imported"]);
    let kept = service.store.imports(None).await;
    assert_eq!(kept, Ok(Vec::new()), "nothing of it is on record");
    // An import that begins afterwards is complete.
    let again = import::import(&service, &paths, &sink).await;
    assert!(matches!(again, Ok(Reply::Imported { report }) if report.rejected.is_empty()));
    let stored = service.store.count(Kind::Contact).await;
    assert_eq!(stored, Ok(CARDS as u64));
    let zone = service.zone();
    let kept = import::rows(&service, None, &zone).await.expect("read");
    let [one] = kept.as_slice() else {
        panic!("{kept:?}");
    };
    assert_eq!((one.file.as_str(), one.refused), ("cards.vcf", 0));
    assert_eq!(one.counts[0].topic, "contacts");
    assert_eq!(one.counts[0].added, CARDS as u64);
}

#[tokio::test]
async fn records_an_unreadable_file_with_no_items() {
    let (home, service) = profile().await;
    let file = home.path().join("picture.png");
    std::fs::write(&file, b"\x89PNG\r\n\x1a\n").expect("written");
    let (sink, _frames) = Sink::new();
    let read = import::import(&service, &[file.display().to_string()], &sink).await;
    assert!(matches!(read, Ok(Reply::Imported { report }) if report.rejected.len() == 1));
    let kept = service.store.imports(None).await.expect("read");
    assert_eq!((kept[0].file.as_str(), kept[0].refused), ("picture.png", 1));
    assert!(kept[0].counts.is_empty());
}

#[tokio::test]
async fn erases_even_if_files_cannot_be_removed() {
    let world = world().await;
    let service = &world.service;
    connect(&world, guarded(), Some(KEY)).await.expect("kept");
    let set = config::set(service, "owner.name", Some("Ada")).await;
    set.expect("set");
    let index = service.place.dir().join("index");
    // A file cannot be removed as a folder.
    let _ = std::fs::remove_dir_all(&index);
    std::fs::write(&index, "in the way").expect("written");
    let fault = data::erase(service).await.expect_err("a rest is told");
    assert_eq!(fault.code, "erased_in_part");
    assert!(
        fault.message.starts_with("The profile is erased, but"),
        "{fault:?}"
    );
    assert_eq!(service.settings().core.owner.name, "");
    assert!(world.ring.names().is_empty(), "keys are gone");
    assert!(service.models.all().is_empty());
    std::fs::remove_file(&index).expect("removed");
    assert_eq!(data::erase(service).await, Ok(Reply::Ok {}));
}

#[tokio::test]
async fn stores_large_mails_in_small_batches() {
    const MAILS: u64 = 6;
    let (home, service) = profile().await;
    let line = "x".repeat(900) + "\r\n";
    let mut mails = String::new();
    for n in 0..MAILS {
        mails.push_str(&format!(
            "From a@b.example Mon Jan 12 10:00:00 2026\r\nFrom: a@b.example\r\nMessage-ID: <{n}@b.example>\r\nDate: \
             Mon, 12 Jan 2026 10:00:00 +0000\r\n\r\n"
        ));
        // 9 MB each.
        mails.push_str(&line.repeat(10_000));
        mails.push_str("\r\n");
    }
    let file = home.path().join("large.mbox");
    std::fs::write(&file, mails).expect("written");
    let mut told = service.broadcast.follow();
    let (sink, _frames) = Sink::new();
    let imported = import::import(&service, &[file.display().to_string()], &sink).await;
    let Ok(Reply::Imported { report }) = imported else {
        panic!("{imported:?}");
    };
    assert_eq!(report.rejected, []);
    assert_eq!(report.counts[0].added, MAILS);
    let mut most = 0;
    let mut before = 0;
    while let Ok(EventBody::Progress { done, .. }) = told.try_recv() {
        most = most.max(done - before);
        before = done;
    }
    assert!((1..=2).contains(&most), "{most} in one batch");
}
