//! Tests that clients notice nothing when the holder ends.

use std::path::Path;
use std::time::Duration;

use adjutant_api::rows::Rows;
use adjutant_api::{EventBody, Reply, Topic};
use tokio::io::BufReader;

use super::socket::{Answer, Body, Call, Hello, Welcome, listen, receive, send};
use super::*;

/// Longer than anything here takes; only a hang reaches it.
const HANG: Duration = Duration::from_secs(60);

fn options(home: &Path) -> Options {
    Options {
        home: Some(home.to_path_buf()),
        now: Some("2026-01-12T09:00:00+01:00[Europe/Paris]".parse().unwrap()),
        offline: true,
        ..Options::default()
    }
}

async fn next(frames: &mut Frames) -> Option<Frame> {
    tokio::time::timeout(HANG, frames.recv())
        .await
        .expect("it does not hang")
}

fn ask(text: &str) -> Request {
    Request::Ask {
        conversation: "main".into(),
        text: text.into(),
        tier: None,
    }
}

fn tasks() -> Request {
    Request::show(Topic::Tasks)
}

/// Returns the last event of a turn.
async fn ended(mut frames: Frames) -> Option<EventBody> {
    let mut last = None;
    while let Some(frame) = next(&mut frames).await {
        match frame {
            Frame::Event(event) => last = Some(event.body),
            Frame::Fault(fault) => panic!("{fault:?}"),
            Frame::Reply(_) => {}
            Frame::End => break,
        }
    }
    last
}

async fn rows(session: &Session, request: Request) -> usize {
    let mut frames = session.call(request).await;
    match next(&mut frames).await {
        Some(Frame::Reply(reply)) => match *reply {
            Reply::Rows {
                rows: Rows::Tasks(tasks),
                ..
            } => tasks.len(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_holder_takes_over_and_subscriptions_continue() {
    let home = tempfile::tempdir().unwrap();
    let options = options(home.path());
    let first = Session::open(&options).await.unwrap();
    let second = Session::open(&options).await.unwrap();
    assert!(first.service().is_some() && second.service().is_none());
    let subscribe = |conversation: &str| Request::Subscribe {
        conversation: conversation.into(),
        from: 1,
    };
    let mut turns = second.call(subscribe("main")).await;
    let mut changes = second.call(subscribe("")).await;
    for frames in [&mut turns, &mut changes] {
        assert!(matches!(next(frames).await, Some(Frame::Reply(_))));
    }
    let done = ended(second.call(ask("add a task to buy milk")).await).await;
    assert!(matches!(done, Some(EventBody::Done { .. })), "{done:?}");

    first.hand_over().await;
    first.close().await;
    drop(first);
    // A request notices it, and so do listeners.
    let done = ended(second.call(ask("add a task to buy bread")).await).await;
    assert!(matches!(done, Some(EventBody::Done { .. })), "{done:?}");
    assert!(second.service().is_some(), "it holds the profile now");
    assert_eq!(rows(&second, tasks()).await, 2);

    let (mut numbers, mut turns_done) = (Vec::new(), 0);
    while turns_done < 2 {
        match next(&mut turns).await {
            Some(Frame::Event(event)) => {
                numbers.push(event.seq);
                turns_done += usize::from(matches!(event.body, EventBody::Done { .. }));
            }
            other => panic!("{other:?}"),
        }
    }
    let all: Vec<i64> = (1..).take(numbers.len()).collect();
    assert_eq!(numbers, all, "each event once, in order");
    loop {
        match next(&mut changes).await {
            Some(Frame::Event(event)) if event.body == crate::service::everything_changed() => {
                break;
            }
            Some(Frame::Event(_)) => {}
            other => panic!("{other:?}"),
        }
    }
    second.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_many_clients_survive_every_holder() {
    let home = tempfile::tempdir().unwrap();
    let options = options(home.path());
    let all = (0..12).map(|number| {
        let options = options.clone();
        async move {
            let session = Session::open(&options).await.unwrap();
            let text = format!("add a task to buy thing {number}");
            let done = ended(session.call(ask(&text)).await).await;
            assert!(matches!(done, Some(EventBody::Done { .. })), "{done:?}");
            session.hand_over().await;
            session.close().await;
        }
    });
    futures::future::join_all(all).await;
    let session = Session::open(&options).await.unwrap();
    assert_eq!(rows(&session, tasks()).await, 12, "each once");
    session.close().await;
}

/// Starts a holder that accepts one call and is killed before it answers.
async fn killed_holder(dir: &Path) -> (profile::Hold, tokio::task::JoinHandle<()>) {
    std::fs::create_dir_all(dir).unwrap();
    let hold = profile::hold(dir).unwrap().expect("nobody has it");
    let listener = listen(dir).unwrap();
    let task = async move {
        use interprocess::local_socket::traits::tokio::Listener as _;
        let stream = listener.accept().await.unwrap();
        let (reading, mut writing) = tokio::io::split(stream);
        let mut reader = BufReader::new(reading);
        assert!(receive::<Hello>(&mut reader).await.unwrap().is_some());
        send(&mut writing, &Welcome::Ready).await.unwrap();
        assert!(receive::<Call>(&mut reader).await.unwrap().is_some());
    };
    #[expect(clippy::disallowed_methods, reason = "the test joins it")]
    let task = tokio::spawn(task);
    (hold, task)
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_kill_repeats_reads_and_reports_the_rest() {
    let home = tempfile::tempdir().unwrap();
    let options = options(home.path());
    let dir = home.path().join("profiles/default");
    let (hold, holder) = killed_holder(&dir).await;
    let session = Session::open(&options).await.unwrap();
    let mut frames = session.call(ask("add a task to buy milk")).await;
    holder.await.unwrap();
    let Some(Frame::Fault(fault)) = next(&mut frames).await else {
        panic!("a fault");
    };
    assert!(fault.message.contains("not known whether"), "{fault:?}");
    assert!(fault.hint.contains("show messages main"), "{fault:?}");
    drop(hold);
    assert_eq!(rows(&session, tasks()).await, 0);
    session.close().await;
    drop(session);

    let (hold, holder) = killed_holder(&dir).await;
    let session = Session::open(&options).await.unwrap();
    let reading = rows(&session, tasks());
    let (read, ()) = tokio::join!(reading, async {
        holder.await.unwrap();
        drop(hold);
    });
    assert_eq!(read, 0);
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ending_holder_accepts_no_call_and_says_goodbye() {
    let home = tempfile::tempdir().unwrap();
    let options = options(home.path());
    let first = Session::open(&options).await.unwrap();
    let dir = home.path().join("profiles/default");
    let connect = || async {
        let stream = socket::connect(&dir).await.unwrap();
        let (reading, mut writing) = tokio::io::split(stream);
        let mut reader = BufReader::new(reading);
        let hello = server::hello(&options);
        send(&mut writing, &hello).await.unwrap();
        let welcome = receive::<Welcome>(&mut reader).await.unwrap();
        (reader, writing, welcome)
    };
    let (mut reader, mut writing, welcome) = connect().await;
    assert_eq!(welcome, Some(Welcome::Ready));
    first.hand_over().await;
    let call = Call {
        id: 7,
        request: Some(tasks()),
    };
    send(&mut writing, &call).await.unwrap();
    let answer = receive::<Answer>(&mut reader).await.unwrap();
    let back = |id| {
        Some(Answer {
            id,
            body: Body::HandedBack,
        })
    };
    assert_eq!(answer, back(7));
    let (_late, _late_writing, welcome) = connect().await;
    assert_eq!(welcome, Some(Welcome::Ending));
    first.close().await;
    assert_eq!(receive::<Answer>(&mut reader).await.unwrap(), back(0));
    assert_eq!(receive::<Answer>(&mut reader).await.unwrap_or(None), None);
}
