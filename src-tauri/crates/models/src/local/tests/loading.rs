//! Tests that loading continues when the caller gives up, and ends with the model.

use std::process::Command;

use super::*;
use crate::local::process::LOAD_WITHIN;

/// A process that, on its first start, reports that it is loading until the test lets it finish.
struct Slow {
    model: FileModel,
    clock: Arc<Clock>,
    folder: TempDir,
}

/// Creates one that runs `then` afterwards.
fn slow(then: &str) -> Slow {
    let script = format!(
        r#"folder=$(dirname "$0")
        if [ $starts = 1 ]; then exec 3> "$folder/alive"; echo > "$folder/begun"; read go < "$folder/go"; fi
        {then}"#
    );
    let (model, clock, folder) = model(&script);
    for pipe in ["alive", "begun", "go"] {
        let made = Command::new("mkfifo")
            .arg(folder.path().join(pipe))
            .status();
        assert!(made.unwrap().success());
    }
    Slow {
        model,
        clock,
        folder,
    }
}

impl Slow {
    /// Reads from the pipe until nobody can write to it any more.
    async fn hears(&self, pipe: &str) {
        let path = self.folder.path().join(pipe);
        tokio::fs::read(path).await.unwrap();
    }

    async fn let_go(&self) {
        let path = self.folder.path().join("go");
        tokio::fs::write(path, "go\n").await.unwrap();
    }

    /// Sends a request and gives up while the model loads. The returned task ends with the process.
    async fn ask_and_give_up(&self) -> tokio::task::JoinHandle<std::io::Result<Vec<u8>>> {
        let alive = self.folder.path().join("alive");
        let runtime = tokio::runtime::Handle::current();
        let alive = runtime.spawn(tokio::fs::read(alive));
        let mut stream = self.model.stream(request());
        tokio::select! {
            item = stream.next() => panic!("{item:?}"),
            () = self.hears("begun") => {}
        }
        alive
    }
}

#[tokio::test]
async fn giving_up_does_not_end_the_load() {
    let answers = format!("{READY}; n=0; while read line; do n=$((n+1)); {WHOLE}; done");
    let slow = slow(&answers);
    slow.ask_and_give_up().await;
    // The next request waits for the same process, and later ones find it loaded.
    let fast = slow.model.serving(Tier::Fast);
    let asked = async { futures::join!(ask(&slow.model), ask(&fast)) };
    let (both, ()) = futures::join!(asked, slow.let_go());
    assert_eq!(both, (Ok("hi".into()), Ok("hi".into())));
    assert_eq!(starts(&slow.folder), 1);
}

#[tokio::test]
async fn a_load_ends_with_the_model() {
    let slow = slow("exit 1");
    let alive = slow.ask_and_give_up().await;
    let Slow { model, folder, .. } = slow;
    drop(model);
    // Only the process held the other end open, and nothing told it to finish loading.
    assert_eq!(alive.await.unwrap().unwrap(), b"");
    assert_eq!(starts(&folder), 1);
}

#[tokio::test]
async fn reports_an_unattended_failed_load_and_retries_later() {
    let answers = format!("{READY}; read line; n=1; {WHOLE}; read line");
    for told_late in [false, true] {
        let slow = slow(&format!("[ $starts -lt 2 ] && exit 1; {answers}"));
        let alive = slow.ask_and_give_up().await;
        let looked = slow.clock.1.load(Ordering::Relaxed);
        slow.let_go().await;
        alive.await.unwrap().unwrap();
        // The code that loads reads the clock once it has ended.
        while slow.clock.1.load(Ordering::Relaxed) == looked {
            tokio::task::yield_now().await;
        }
        if told_late {
            // After the pause, loading is simply tried again.
            slow.clock.advance(1);
        } else {
            let told = ask(&slow.model).await;
            assert!(matches!(told, Err(ModelFault::Broken { .. })), "{told:?}");
            let rests = ask(&slow.model).await;
            assert!(
                matches!(rests, Err(ModelFault::Resting { .. })),
                "{rests:?}"
            );
            slow.clock.advance(1);
        }
        assert_eq!(ask(&slow.model).await, Ok("hi".into()));
        assert_eq!(starts(&slow.folder), 2);
    }
}

#[tokio::test]
async fn ends_an_endless_load_and_pauses_for_long() {
    let slow = slow("exit 1");
    let alive = slow.ask_and_give_up().await;
    tokio::time::pause();
    tokio::time::advance(LOAD_WITHIN).await;
    let told = ask(&slow.model).await;
    assert!(
        matches!(&told, Err(ModelFault::Broken { why, .. }) if why.contains("not loaded within 300 s")),
        "{told:?}"
    );
    tokio::time::resume();
    alive.await.unwrap().unwrap();
    slow.clock.advance(599);
    let rests = ask(&slow.model).await;
    assert!(
        matches!(rests, Err(ModelFault::Resting { .. })),
        "{rests:?}"
    );
    assert_eq!(starts(&slow.folder), 1);
}
