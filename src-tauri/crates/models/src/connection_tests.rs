//! Tests of how connections are stored.

use super::*;

fn connection() -> Connection {
    let mut connection = Connection::quick("http://127.0.0.1:11434", "qwen3:8b", None).unwrap();
    connection
        .models
        .insert(Tier::Deep, ModelChoice::named("qwen3:32b"));
    connection
}

#[test]
fn an_address_without_a_path_gets_the_version() {
    assert_eq!(connection().base_url.as_str(), "http://127.0.0.1:11434/v1");
    let kept = Connection::quick("https://openrouter.ai/api/v1", "m", None).unwrap();
    assert_eq!(kept.base_url.path(), "/api/v1");
    for wrong in [
        "",
        "qwen3",
        "file:///etc/passwd",
        "http://",
        "localhost:11434",
    ] {
        assert!(Connection::quick(wrong, "m", None).is_err(), "{wrong}");
    }
}

#[test]
fn a_tier_without_a_model_uses_the_nearest_cheaper_one() {
    let connection = connection();
    let id = |tier| connection.choice(tier).unwrap().id.clone();
    assert_eq!(id(Tier::Fast), "qwen3:8b");
    assert_eq!(id(Tier::Standard), "qwen3:8b");
    assert_eq!(id(Tier::Deep), "qwen3:32b");
    assert_eq!(connection.profile(Tier::Fast).unwrap().id, "quick/qwen3:8b");
    assert!(connection.profile(Tier::Fast).unwrap().local);
}

#[test]
fn keys_are_not_printed() {
    let printed = format!("{:?}", Key::new(" sk-s3cret "));
    assert!(!printed.contains("s3cret"), "{printed}");
    assert_eq!(Key::new(" sk-1 ").unwrap().expose(), "sk-1");
    assert!(Key::new("  ").is_none());
}

#[test]
fn an_address_contains_no_password() {
    for wrong in [
        "https://me:s3cret@gate.example/v1",
        "https://s3cret@gate.example/v1",
    ] {
        assert_eq!(Connection::address(wrong), Err(WrongAddress::HoldsPassword));
        let said = Connection::quick(wrong, "m", None).unwrap_err();
        assert!(!said.contains("s3cret"), "{said}");
    }
}

#[test]
fn every_secret_has_its_own_name() {
    let mut connection = connection();
    assert!(connection.secrets().is_empty());
    connection.key = Some(Connection::key_name("quick"));
    connection.headers = ["x-a".to_owned(), "x-b".to_owned()].into();
    connection.proxy_password = true;
    assert_eq!(
        connection.secrets(),
        [
            "models/quick",
            "models/quick/header/x-a",
            "models/quick/header/x-b",
            "models/quick/proxy"
        ]
    );
}

#[cfg(unix)]
#[test]
fn a_model_file_counts_as_local() {
    let address = Connection::file_address("/models/with blank%.gguf").unwrap();
    let again = Connection::file_address(address.as_str()).unwrap();
    assert_eq!(again, address);
    let own = Connection::new(
        "own",
        ProviderKind::File,
        address,
        ModelChoice::named("small"),
    );
    assert!(own.is_local());
    let path = Path::new("/models/with blank%.gguf");
    assert_eq!(own.file().as_deref(), Some(path));
    assert_eq!(connection().file(), None);
    for wrong in [
        "",
        "small.gguf",
        "/",
        "file://server/share/small.gguf",
        "http://127.0.0.1/small.gguf",
    ] {
        let read = Connection::file_address(wrong);
        assert_eq!(read, Err(WrongAddress::NoFile), "{wrong}");
    }
}

#[test]
fn settings_survive_a_round_trip() {
    let text = serde_json::to_string(&connection()).unwrap();
    assert_eq!(
        serde_json::from_str::<Connection>(&text).unwrap(),
        connection()
    );
}
