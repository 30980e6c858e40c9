//! Tests of keyring entries: whatever fails and wherever a process is killed, a secret is sent only to the place it was
//! given for, and the connection in force has its own secrets.

use std::collections::BTreeSet;
use std::path::PathBuf;

use adjutant_models::Connection;

use super::*;

/// Prefixes of every secret given for `models.example`, and of those for `other.example`.
const A: &str = "for-a-";
const B: &str = "for-b-";

/// Everything stored at one moment, as a kill at that moment would leave it.
struct Moment {
    home: tempfile::TempDir,
    ring: BTreeMap<String, String>,
}

/// A keyring that records everything stored before and after each of its changes.
struct Watched {
    ring: Arc<Ring>,
    home: PathBuf,
    seen: Mutex<Vec<Moment>>,
}

impl Watched {
    fn look(&self) {
        let home = tempfile::tempdir().expect("a folder");
        copy(&self.home, home.path());
        let ring = self.ring.kept.lock().expect("no panic").clone();
        let mut seen = self.seen.lock().expect("no panic");
        seen.push(Moment { home, ring });
    }
}

impl Secrets for Watched {
    fn get(&self, name: &str) -> Result<Option<SecretString>, SecretFault> {
        self.ring.get(name)
    }

    fn set(&self, name: &str, secret: &SecretString) -> Result<(), SecretFault> {
        self.look();
        let set = self.ring.set(name, secret);
        self.look();
        set
    }

    fn remove(&self, name: &str) -> Result<(), SecretFault> {
        self.look();
        let removed = self.ring.remove(name);
        self.look();
        removed
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let (path, copied) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            std::fs::create_dir_all(&copied).expect("a folder");
            copy(&path, &copied);
        } else if path.is_file() && !path.to_string_lossy().ends_with("-shm") {
            // A file deleted in the meantime is skipped, as it was already gone.
            let _ = std::fs::copy(&path, &copied);
        }
    }
}

/// Returns the keyring entries that a profile's connections read. Checks that each secret they need exists, and was
/// given for the connection's address.
async fn read(service: &Service, ring: &Ring) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for one in service.models.all() {
        let connection = one.connection;
        let asked = asked(service, ring, &connection).await;
        let needed = connection.secrets().len();
        assert_eq!(asked.len(), needed, "{connection:?}: {asked:?}");
        let kept = ring.kept.lock().expect("no panic");
        for name in asked {
            let secret = kept.get(&name).expect("it is there");
            let given = match connection.base_url.host_str() {
                Some("models.example") => A,
                _ => B,
            };
            assert!(secret.starts_with(given), "{secret}: {connection:?}");
            all.insert(name);
        }
    }
    all
}

/// Returns the entries requested to reach a connection.
async fn asked(service: &Service, ring: &Ring, connection: &Connection) -> BTreeSet<String> {
    ring.asked.lock().expect("no panic").clear();
    let connections = [connection.clone()];
    service.models.keys(&connections, &BTreeMap::new()).await;
    ring.asked.lock().expect("no panic").drain(..).collect()
}

fn far(host: &str, given: &str) -> ConnectionDraft {
    ConnectionDraft {
        base_url: format!("https://{host}/v1"),
        headers: [("x-gateway".to_owned(), secret(&format!("{given}header")))].into(),
        proxy: format!("http://me:{given}password@{host}:3128"),
        ..draft("far")
    }
}

#[tokio::test]
async fn a_kill_anywhere_leaves_keys_with_their_places() {
    let home = tempfile::tempdir().expect("a folder");
    let ring = Arc::new(Ring::default());
    let watched = Arc::new(Watched {
        ring: ring.clone(),
        home: home.path().to_path_buf(),
        seen: Mutex::default(),
    });
    let service = open_with(home.path(), true, watched.clone()).await;
    let room = &service.models;
    let change = async |draft, key: &str| {
        let key = Some(secret(key));
        view(models::connect(room, draft, key).await).expect("kept");
        read(&service, &ring).await.len()
    };
    assert_eq!(change(far("models.example", A), "for-a-key").await, 3);
    assert_eq!(change(far("models.example", A), "for-a-newer").await, 3);
    assert_eq!(change(far("other.example", B), "for-b-key").await, 3);
    assert_eq!(change(far("models.example", A), "for-a-last").await, 3);
    assert_eq!(change(far("models.example", A), "").await, 2);
    models::disconnect(room, "far").await.expect("gone");
    assert_eq!(ring.names(), [""; 0]);
    service.close().await;

    let moments = std::mem::take(&mut *watched.seen.lock().expect("no panic"));
    assert!(moments.len() > 40, "{}", moments.len());
    for Moment { home, ring } in moments {
        let ring = Arc::new(Ring {
            kept: Mutex::new(ring),
            ..Ring::default()
        });
        let service = open(home.path(), true, ring.clone()).await;
        let needed = read(&service, &ring).await;
        // Once the keyring answers, entries that nobody needs are removed.
        service.models.keyring().await.expect("it answers");
        let left: BTreeSet<String> = ring.names().into_iter().collect();
        assert_eq!(left, needed);
        service.close().await;
    }
}

#[tokio::test]
async fn a_connection_that_cannot_be_stored_keeps_its_key() {
    let world = world().await;
    let key = |text: &'static str| Some(text);
    connect(&world, far("models.example", A), key("for-a-key"))
        .await
        .expect("kept");
    let before = world.service.models.all()[0].connection.clone();
    let entries = world.ring.names();
    let database = world.service.place.dir().join("adjutant.db");
    let database = rusqlite::Connection::open(database).expect("a database");
    database
        .execute_batch(
            "CREATE TRIGGER refuse BEFORE INSERT ON settings WHEN NEW.key = 'models.connections'
             BEGIN SELECT RAISE(ABORT, 'no room'); END;",
        )
        .expect("a trigger");
    for (draft, new) in [
        (far("models.example", A), "for-a-newer"),
        (far("other.example", B), "for-b-key"),
    ] {
        connect(&world, draft, Some(new))
            .await
            .expect_err("refused");
        assert_eq!(world.service.models.all()[0].connection, before);
        assert_eq!(world.ring.names(), entries);
        assert_eq!(read(&world.service, &world.ring).await.len(), 3);
    }
    models::disconnect(&world.service.models, "far")
        .await
        .expect_err("refused");
    assert_eq!(world.ring.names(), entries);
    database
        .execute_batch("DROP TRIGGER refuse")
        .expect("no trigger");
    // The keyring fails half-way, and nothing changes either.
    world.ring.locked.store(true, Ordering::SeqCst);
    let moved = far("other.example", B);
    let fault = connect(&world, moved, Some("for-b-key")).await;
    assert_eq!(fault.expect_err("locked").code, "keyring");
    world.ring.locked.store(false, Ordering::SeqCst);
    assert_eq!(world.ring.names(), entries);
    let World {
        home,
        ring,
        service,
    } = world;
    service.close().await;
    drop(service);
    let service = open(home.path(), true, ring.clone()).await;
    assert_eq!(read(&service, &ring).await.len(), 3);
    data::erase(&service).await.expect("erased");
    assert_eq!(ring.names(), [""; 0]);
}

/// Returns a connection as earlier versions stored it, with the names of its entries.
async fn earlier() -> World {
    let World {
        home,
        ring,
        service,
    } = world().await;
    let row = json!([{
        "name": "far", "kind": "compatible", "base_url": "https://models.example/v1",
        "key": "models/far", "headers": ["x-gateway"],
        "proxy": "http://me@models.example:3128/", "proxy_password": true,
        "models": {"standard": {"id": "m"}},
    }]);
    let store = &service.store;
    store
        .set_setting("models.connections", &row)
        .await
        .expect("kept");
    for name in EARLIER {
        let secret = SecretString::from(format!("{A}{name}"));
        ring.set(name, &secret).expect("kept");
    }
    service.close().await;
    drop(service);
    let service = open(home.path(), true, ring.clone()).await;
    World {
        home,
        ring,
        service,
    }
}

const EARLIER: [&str; 3] = [
    "models/far",
    "models/far/header/x-gateway",
    "models/far/proxy",
];

#[tokio::test]
async fn earlier_entries_apply_only_to_the_original_place() {
    let same = || ConnectionDraft {
        proxy: "http://me@models.example:3128/".into(),
        ..draft("far")
    };
    let world = earlier().await;
    let found = read(&world.service, &world.ring).await;
    assert!(found.iter().eq(EARLIER), "{found:?}");
    // Another change leaves them in place.
    let mut wide = same();
    for model in wide.models.values_mut() {
        model.context_tokens = 32_000;
    }
    connect(&world, wide, None).await.expect("kept");
    assert!(read(&world.service, &world.ring).await.iter().eq(EARLIER));
    // A new key removes the earlier one; the others stay.
    connect(&world, same(), Some("for-a-newer"))
        .await
        .expect("kept");
    let found = read(&world.service, &world.ring).await;
    assert_eq!(found, world.ring.names().into_iter().collect());
    assert!(!found.contains("models/far") && found.contains("models/far/proxy"));
    // At another address, none of these is read, and they are removed.
    connect(&world, far("other.example", B), Some("for-b-key"))
        .await
        .expect("kept");
    let found = read(&world.service, &world.ring).await;
    assert_eq!(found, world.ring.names().into_iter().collect());
    assert_eq!(found.len(), 3);
    let world = earlier().await;
    models::disconnect(&world.service.models, "far")
        .await
        .expect("gone");
    assert_eq!(world.ring.names(), [""; 0]);
    let world = earlier().await;
    data::erase(&world.service).await.expect("erased");
    assert_eq!(world.ring.names(), [""; 0]);
}

#[tokio::test]
async fn the_old_connection_never_gets_the_new_places_key() {
    let world = world().await;
    connect(&world, far("models.example", A), Some("for-a-key"))
        .await
        .expect("kept");
    let before = world.service.models.all()[0].connection.clone();
    connect(&world, far("other.example", B), Some("for-b-key"))
        .await
        .expect("kept");
    // For example, a test of the connection that began earlier.
    let asked = asked(&world.service, &world.ring, &before).await;
    assert_eq!(asked, BTreeSet::new());
}

#[tokio::test]
async fn removes_keyring_entries_later_if_removal_failed() {
    let world = world().await;
    connect(&world, guarded(), Some(KEY)).await.expect("kept");
    world.ring.locked.store(true, Ordering::SeqCst);
    let shown = view(models::disconnect(&world.service.models, "far").await).expect("gone");
    assert!(shown.note.is_some_and(|note| note.contains("may still")));
    let World {
        home,
        ring,
        service,
    } = world;
    service.close().await;
    drop(service);
    assert_eq!(ring.names().len(), 3);
    ring.locked.store(false, Ordering::SeqCst);
    let service = open(home.path(), true, ring.clone()).await;
    let near = models::connect(&service.models, draft("near"), Some(secret(KEY)));
    view(near.await).expect("kept");
    assert_eq!(ring.names(), ["models/near@https://models.example#4"]);
    let settings = service.store.settings().await.expect("settings");
    let left = settings.iter().find(|(key, _)| key.contains("keyring"));
    assert_eq!(left, None);
}
