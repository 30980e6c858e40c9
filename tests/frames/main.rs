//! Frames: the engine's actual answers to every kind of request, and the events of a day's turns. They are stored in
//! `ui/src/host/frames`, where the window's tests compare the in-memory host with them so that it stays in step with
//! the engine. When the engine's answers change on purpose, `make gen` writes them again.

// The results of the desktop checks differ between systems.
#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod accounts;
mod book;
mod day;
mod holder;
mod plain;
mod requests;
mod research;
mod server;
mod tools;

use adjutant_api::typescript;
use book::Book;
use holder::Profile;
use server::Server;

#[tokio::test]
#[expect(
    clippy::disallowed_methods,
    reason = "the variable by which `make gen` asks for fresh frames"
)]
async fn the_recorded_frames_are_current() {
    let server = Server::start();
    let mut profile = Profile::open(Book::default()).await;
    profile.place(&server.place(), "127.0.0.1:8000");
    day::live(&mut profile, &server.place()).await;
    let book = profile.close().await;
    let write = std::env::var_os("ADJUTANT_GEN").is_some();
    let differ = book.compare(write);
    assert!(
        differ.is_empty(),
        "the frames of the engine changed; if that is meant, run `make gen` and look at what the window makes of it:\n{}",
        differ.join("\n")
    );
}

#[test]
fn every_kind_of_request_has_a_frame() {
    let types = typescript();
    let ops: Vec<&str> = types
        .split("\"op\": \"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    assert!(
        ops.len() > 40,
        "the kinds of requests are read from the types: {ops:?}"
    );
    let missing: Vec<&&str> = ops
        .iter()
        .filter(|op| {
            !std::path::Path::new("ui/src/host/frames")
                .join(format!("{op}.json"))
                .is_file()
        })
        .collect();
    assert!(
        missing.is_empty(),
        "no frame in tests/frames/day.rs for {missing:?}"
    );
}
