//! Tests of a keyring that does not answer: it is accessed only where a model is asked, and delays nothing twice.

use std::sync::{Condvar, Mutex};

use adjutant_api::{EventBody, Request, Topic};
use adjutant_domain::gate::Channel;

use super::*;
use crate::service::{Frame, Sink};

/// A keyring that waits for the person to unlock it. It counts its requests.
#[derive(Default)]
struct UnansweringKeyring {
    ring: Ring,
    asked: Mutex<usize>,
    there: Mutex<bool>,
    came: Condvar,
}

impl UnansweringKeyring {
    fn asked(&self) -> usize {
        *self.asked.lock().expect("no panic")
    }

    fn wait(&self) {
        *self.asked.lock().expect("no panic") += 1;
        let there = self.there.lock().expect("no panic");
        drop(self.came.wait_while(there, |there| !*there));
    }

    /// Unlocks it, as the person would.
    fn unlock(&self) {
        *self.there.lock().expect("no panic") = true;
        self.came.notify_all();
    }
}

impl Secrets for UnansweringKeyring {
    fn get(&self, name: &str) -> Result<Option<SecretString>, SecretFault> {
        self.wait();
        self.ring.get(name)
    }

    fn set(&self, name: &str, secret: &SecretString) -> Result<(), SecretFault> {
        self.wait();
        self.ring.set(name, secret)
    }

    fn remove(&self, name: &str) -> Result<(), SecretFault> {
        self.ring.remove(name)
    }
}

/// Unlocks the keyring when dropped. Otherwise threads waiting for it would block the end of a failing test.
struct Unlocks(Arc<UnansweringKeyring>);

impl Drop for Unlocks {
    fn drop(&mut self) {
        self.0.unlock();
    }
}

/// A profile that was reopened with a keyring that does not answer.
struct Reopened {
    service: Service,
    _end: Unlocks,
    silent: Arc<UnansweringKeyring>,
    home: tempfile::TempDir,
}

async fn reopened(world: World) -> Reopened {
    let World { home, service, .. } = world;
    service.close().await;
    drop(service);
    let silent = Arc::new(UnansweringKeyring::default());
    Reopened {
        service: open_with(home.path(), true, silent.clone()).await,
        _end: Unlocks(silent.clone()),
        silent,
        home,
    }
}

/// Returns the answer to a message.
async fn say(service: &Service, text: &str) -> String {
    let (sink, mut frames) = Sink::new();
    let ask = Request::Ask {
        conversation: "main".into(),
        text: text.into(),
        tier: None,
    };
    let answer = async {
        let mut answer = String::new();
        while let Some(frame) = frames.recv().await {
            match frame {
                Frame::Event(event) => {
                    if let EventBody::Done { answer: told, .. } = event.body {
                        answer = told;
                    }
                }
                Frame::Fault(fault) => panic!("{fault:?}"),
                Frame::End => break,
                Frame::Reply(_) => {}
            }
        }
        answer
    };
    let asked = async {
        service.handle(ask, Channel::CommandLine, &sink).await;
        sink.send(Frame::End).await;
    };
    tokio::join!(asked, answer).1
}

#[tokio::test]
async fn a_silent_keyring_delays_only_models_and_only_once() {
    const CHAT: &str = "Tell me a story about a dragon";
    let world = world().await;
    connect(&world, draft("far"), Some(KEY))
        .await
        .expect("kept");
    let Reopened {
        service, silent, ..
    } = &reopened(world).await;
    let told = say(service, "add a task to buy milk").await;
    assert!(told.contains("milk"), "{told}");
    let rows = Request::show(Topic::Tasks);
    let (sink, _frames) = Sink::new();
    service.handle(rows, Channel::CommandLine, &sink).await;
    assert_eq!(silent.asked(), 0, "nothing of this needs a key");

    let told = say(service, CHAT).await;
    assert!(told.contains("keyring"), "{told}");
    assert_eq!(silent.asked(), 1);
    // Until it has answered, nothing asks or waits for it again.
    let told = say(service, CHAT).await;
    assert!(told.contains("keyring"), "{told}");
    assert_eq!(silent.asked(), 1);

    silent
        .ring
        .set(
            "models/far@https://models.example#1",
            &SecretString::from(KEY),
        )
        .expect("kept");
    silent.unlock();
    // The waiting thread ends some time later; until then the keyring still counts as silent.
    let told = loop {
        let told = say(service, CHAT).await;
        if silent.asked() > 1 {
            break told;
        }
        tokio::task::yield_now().await;
    };
    assert!(told.contains("offline"), "the key is there: {told}");
    service.close().await;
}

#[tokio::test]
async fn a_model_without_key_does_not_wait_for_other_keys() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("a port");
    let world = world().await;
    connect(&world, draft("far"), Some(KEY))
        .await
        .expect("kept");
    let mut near = draft("near");
    near.base_url = format!("http://{nobody}/v1");
    connect(&world, near, None).await.expect("kept");
    let room = &world.service.models;
    assert!(room.prefer("near").await.expect("kept"));
    let Reopened { service, .. } = &reopened(world).await;
    let told = say(service, "Tell me a story about a dragon").await;
    // The first connection was asked at once, while the keys of the others are read.
    assert!(told.contains("reached"), "{told}");
    assert!(!told.contains("keyring"), "{told}");
    service.close().await;
}

#[tokio::test]
async fn does_not_repeat_a_pending_keyring_request() {
    let world = world().await;
    connect(&world, draft("far"), Some(KEY))
        .await
        .expect("kept");
    let Reopened {
        service, silent, ..
    } = &reopened(world).await;
    let connections = [service.models.all()[0].connection.clone()];
    let known = BTreeMap::new();
    let keys = || service.models.keys(&connections, &known);
    {
        // The person stops it while it waits, for example.
        let mut given_up = std::pin::pin!(keys());
        while silent.asked() == 0 {
            assert!(futures::poll!(given_up.as_mut()).is_pending());
            tokio::task::yield_now().await;
        }
    }
    assert_eq!(keys().await.unread(), ["models/far"]);
    assert_eq!(silent.asked(), 1);
    silent.unlock();
    // The waiting thread ends some time later.
    while !keys().await.unread().is_empty() {
        tokio::task::yield_now().await;
    }
    let now = silent.asked();
    assert_eq!(keys().await.unread(), [""; 0]);
    assert_eq!(silent.asked(), now + 1);
}

#[tokio::test]
async fn closing_does_not_wait_for_a_pending_keyring_write() {
    let Reopened {
        service,
        _end,
        silent,
        home,
    } = reopened(world().await).await;
    let connecting = models::connect(&service.models, draft("far"), Some(secret(KEY)));
    let closing = async {
        while silent.asked() == 0 {
            tokio::task::yield_now().await;
        }
        service.close().await;
    };
    let (connected, ()) = tokio::join!(connecting, closing);
    assert_eq!(connected.expect_err("not kept").code, "keyring");
    assert!(service.models.all().is_empty());
    drop(service);
    silent.unlock();
    // The keyring eventually stores it after all.
    while silent.ring.names().is_empty() {
        tokio::task::yield_now().await;
    }
    let service = open_with(home.path(), true, silent.clone()).await;
    service.models.keyring().await.expect("it answers");
    assert_eq!(silent.ring.names(), [""; 0]);
}
