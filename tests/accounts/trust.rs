//! A server of one's own whose certificate only the person vouches for, from the command line.

use std::path::Path;
use std::process::Command;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::certificate::Certificate;
use crate::day::event;
use crate::desk::NOW;

/// Serves a calendar, and returns its address.
async fn serves(tasks: &mut JoinSet<()>) -> String {
    let acceptor = Certificate::of("localhost").acceptor;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let text = event("Market");
    let length = text.len();
    let reply =
        format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{text}");
    tasks.spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // Whoever does not trust the certificate ends the connection.
            let Ok(mut stream) = acceptor.accept(stream).await else {
                continue;
            };
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                match stream.read_u8().await {
                    Ok(byte) => head.push(byte),
                    Err(_) => break,
                }
            }
            drop(stream.write_all(reply.as_bytes()).await);
            drop(stream.shutdown().await);
        }
    });
    format!("https://localhost:{port}/town.ics")
}

/// Runs the program and returns whether it succeeded, and everything that it said.
async fn run(home: &Path, args: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adjutant"));
    command.args(["--now", NOW, "--home"]).arg(home).args(args);
    let ran = tokio::task::spawn_blocking(move || command.output());
    let output = ran.await.unwrap().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_hint_of_the_command_line_leads_to_a_calendar_that_is_read_after_a_restart() {
    let mut tasks = JoinSet::new();
    let field = format!("address={}", serves(&mut tasks).await);
    let home = tempfile::tempdir().unwrap();
    let add = ["accounts", "add", "ics", "--set", &field];
    let (is_done, said) = run(home.path(), &add).await;
    assert!(
        !is_done && said.contains("could not prove its identity"),
        "{said}"
    );
    assert!(!said.contains("keeps trying"), "{said}");
    let (_, after) = said.split_once("--trust ").unwrap();
    let fingerprint: String = after.chars().take_while(|c| *c != '`').collect();
    let trusting = [&add[..], &["--trust", &fingerprint]].concat();
    let (is_done, said) = run(home.path(), &trusting).await;
    assert!(is_done, "{said}");
    // Each run is a process of its own.
    for args in [&["accounts", "sync"][..], &["show", "events"]] {
        let (is_done, said) = run(home.path(), args).await;
        assert!(is_done, "{said}");
        assert_eq!(said.contains("Market"), args[0] == "show", "{said}");
    }
    // The same calendar is not connected twice.
    let (is_done, said) = run(home.path(), &trusting).await;
    assert!(!is_done && said.contains("is already connected"), "{said}");
    assert!(said.contains("`adjutant accounts sign-in acc_"), "{said}");
}
