//! Tests of misbehaving servers (wrong certificates, no encryption, nonsense, endless replies), and of connecting an
//! account as a person does.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use adjutant_accounts::{Access, Attempted, Provider as _, SetUpFault, problem};
use adjutant_domain::operation::RemoteFault;
use adjutant_net::NetFault;
use adjutant_testkit::remote::{Rig as _, Trouble, listed};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::certificate::Certificate;
use crate::dovecot::Dovecot;
use crate::rig::{MailRig, SHORT};

fn at(access: &Access, settings: &[(&str, String)]) -> Access {
    let mut access = access.clone();
    for (name, value) in settings {
        access.settings.insert((*name).to_owned(), value.clone());
    }
    access
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sets_up_an_account_and_reports_faults() {
    let server = Arc::new(Dovecot::start());
    let rig = MailRig::new(&server, false).await;
    let found = SHORT.set_up(rig.access.clone()).await.unwrap();
    assert_eq!(found.addresses, [format!("{}@home.example", rig.user)]);
    let kept = Access {
        settings: found.settings,
        ..rig.access.clone()
    };
    let listed = listed(&SHORT.connect(kept).unwrap()).await.unwrap();
    assert_eq!(listed.len(), 5, "inbox, sent, archive, trash, junk");
    let noted = rig.ledger.0.lock().unwrap().clone();
    assert!(
        noted
            .iter()
            .any(|one| one.why == "reading mail" && one.bytes_in > 0),
        "{noted:?}"
    );

    let wrong = Access {
        secrets: BTreeMap::from([("password".into(), "wr0ng".to_owned().into())]),
        ..rig.access.clone()
    };
    let fault = SHORT.set_up(wrong).await.unwrap_err();
    assert!(
        matches!(
            fault,
            SetUpFault::Field {
                field: "password",
                ..
            }
        ),
        "{fault:?}"
    );
    rig.letter_box.says("AUTH", "535 no");
    let fault = SHORT.set_up(rig.access.clone()).await.unwrap_err();
    assert!(
        matches!(
            &fault,
            SetUpFault::Field {
                field: "password",
                what,
                ..
            } if what.contains("server for sending")
        ),
        "{fault:?}"
    );
    for (name, value) in [
        ("address", "kim"),
        ("address", "kim@a b"),
        ("server", "a b"),
        ("sending", ""),
    ] {
        let fault = SHORT
            .set_up(at(&rig.access, &[(name, value.to_owned())]))
            .await
            .unwrap_err();
        assert!(
            matches!(fault, SetUpFault::Field { field, .. } if field == name),
            "{name} {value}: {fault:?}"
        );
    }
    rig.meet(Trouble::Fault(RemoteFault::TimedOut));
    let fault = SHORT.set_up(rig.access.clone()).await.unwrap_err();
    assert!(
        matches!(fault, SetUpFault::Net(NetFault::TimedOut { .. })),
        "{fault:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn connects_to_dovecot_with_either_kind_of_encryption() {
    let server = Arc::new(Dovecot::start());
    let rig = MailRig::new(&server, false).await;
    for reading in [
        format!("imap://localhost:{}", server.plain),
        format!("imaps://localhost:{}", server.tls),
    ] {
        let access = at(&rig.access, &[("server", reading.clone())]);
        let listed = listed(&SHORT.connect(access).unwrap()).await;
        assert_eq!(listed.map(|all| all.len()), Ok(5), "{reading}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn never_accepts_a_wrong_certificate() {
    let server = Arc::new(Dovecot::start());
    let rig = MailRig::new(&server, false).await;
    // The authority is not trusted.
    let stranger = Script::play(Certificate::of("localhost"), b"* OK hello\r\n".to_vec()).await;
    let access = at(
        &rig.access,
        &[("server", format!("imaps://localhost:{}", stranger.port))],
    );
    let fault = SHORT.set_up(access.clone()).await.unwrap_err();
    let is_untrusted =
        |fault: &SetUpFault| matches!(fault, SetUpFault::Net(NetFault::Untrusted { .. }));
    assert!(is_untrusted(&fault), "{fault}");
    let unfit = listed(&SHORT.connect(access.clone()).unwrap()).await;
    assert!(
        matches!(&unfit, Err(RemoteFault::Untrusted { .. })),
        "no reason to wait for a connection: {unfit:?}"
    );
    assert!(stranger.heard().is_empty(), "nothing is said to a stranger");
    let told = problem(&fault, Attempted::Connecting);
    let SetUpFault::Net(NetFault::Untrusted { fingerprint, .. }) = fault else {
        panic!("{fault}");
    };
    assert!(
        told.what
            .contains("from an authority that this computer does not know")
            && told.next.contains(&fingerprint.to_string()),
        "{told:?}"
    );
    for wrong in [
        "AB:CD",
        "x",
        &format!("{fingerprint} {fingerprint} {fingerprint}"),
    ] {
        let access = at(&access, &[("certificate", wrong.to_owned())]);
        let fault = SHORT.set_up(access).await.unwrap_err();
        assert!(
            matches!(
                fault,
                SetUpFault::Field {
                    field: "certificate",
                    ..
                }
            ),
            "{wrong}: {fault:?}"
        );
    }
    // The certificate is for another name.
    let access = at(
        &rig.access,
        &[("server", format!("imaps://127.0.0.1:{}", server.tls))],
    );
    let fault = SHORT.set_up(access.clone()).await.unwrap_err();
    assert!(is_untrusted(&fault), "{fault}");
    let SetUpFault::Net(NetFault::Untrusted { fingerprint, .. }) = fault else {
        panic!("{fault}");
    };
    // The person trusts this certificate, and the account stores it.
    let access = at(&access, &[("certificate", fingerprint.to_string())]);
    let found = SHORT.set_up(access.clone()).await.unwrap();
    assert_eq!(found.settings["certificate"], fingerprint.to_string());
    let kept = Access {
        settings: found.settings,
        ..access
    };
    let again = listed(&SHORT.connect(kept).unwrap()).await;
    assert!(again.is_ok(), "{again:?}");
}

/// A server that sends fixed lines and records what it receives.
struct Script {
    port: u16,
    heard: Arc<Mutex<Vec<u8>>>,
    _tasks: JoinSet<()>,
}

impl Script {
    /// Starts one with encryption from the first byte.
    async fn play(certificate: Certificate, says: Vec<u8>) -> Self {
        Self::play_by(says, move |stream| {
            let acceptor = certificate.acceptor.clone();
            async move { acceptor.accept(stream).await.ok() }
        })
        .await
    }

    async fn play_by<S, F>(
        says: Vec<u8>,
        accept: impl Fn(tokio::net::TcpStream) -> F + Send + 'static,
    ) -> Self
    where
        S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send,
        F: Future<Output = Option<S>> + Send,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let kept = heard.clone();
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let Some(stream) = accept(stream).await else {
                    continue;
                };
                let mut stream = BufReader::new(stream);
                if stream.write_all(&says).await.is_err() || stream.flush().await.is_err() {
                    continue;
                }
                let mut line = Vec::new();
                while stream
                    .read_until(b'\n', &mut line)
                    .await
                    .is_ok_and(|read| read > 0)
                {
                    kept.lock().unwrap().append(&mut line);
                }
            }
        });
        Self {
            port,
            heard,
            _tasks: tasks,
        }
    }

    fn heard(&self) -> String {
        String::from_utf8_lossy(&self.heard.lock().unwrap()).into_owned()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn reports_nonsense_and_bounds_what_it_reads() {
    let server = Arc::new(Dovecot::start());
    let rig = MailRig::new(&server, false).await;
    let deep = format!("* OK hello\r\n* LIST {} \"/\" a\r\n", "(".repeat(100_000));
    for (says, expected) in [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec(), "makes no sense"),
        (b"* PREAUTH welcome\r\n".to_vec(), "makes no sense"),
        (b"* BYE [OVERQUOTA] go away\r\n".to_vec(), "full"),
        (
            b"* OK hello\r\n* 1 FETCH (BODY[] {99999999999}\r\n".to_vec(),
            "makes no sense",
        ),
        (b"* OK hello\r\na9 OK done\r\n".to_vec(), "makes no sense"),
        (
            b"* OK hello\r\n* 7 EXPUNGE\r\n* 1 FETCH (UID\r\n".to_vec(),
            "makes no sense",
        ),
        (
            [b"* OK ".to_vec(), vec![b'x'; 13 * 1024 * 1024]].concat(),
            "makes no sense",
        ),
        (
            ["* OK hello\r\n", &"* 5 EXISTS\r\n".repeat(200_001)]
                .concat()
                .into_bytes(),
            "makes no sense",
        ),
        (deep.into_bytes(), "makes no sense"),
        (
            b"* OK [CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN] hello\r\na1 OK [CAPABILITY IMAP4rev1] in\r\na2 OK listed\r\n"
                .to_vec(),
            "lists no mailbox",
        ),
    ] {
        let script = Script::play_by(says.clone(), {
            let acceptor = server.certificate.acceptor.clone();
            move |stream| {
                let acceptor = acceptor.clone();
                async move { acceptor.accept(stream).await.ok() }
            }
        })
        .await;
        let access = at(
            &rig.access,
            &[("server", format!("imaps://localhost:{}", script.port))],
        );
        let listed = listed(&SHORT.connect(access).unwrap()).await;
        let start = String::from_utf8_lossy(&says[..says.len().min(40)]).into_owned();
        let is_told =
            matches!(&listed, Err(RemoteFault::Refused { what }) if what.contains(expected));
        assert!(is_told, "{start}: {listed:?}");
        assert!(!script.heard().contains("secret"), "{start}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sends_no_password_without_encryption() {
    let server = Arc::new(Dovecot::start());
    let rig = MailRig::new(&server, false).await;
    for says in [
        "* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] hello\r\na1 NO not here\r\n",
        "* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] hello\r\na1 BAD what\r\n",
        "* PREAUTH [CAPABILITY IMAP4rev1] welcome\r\n",
        // Anything received before the encryption is discarded.
        "* OK hello\r\na1 OK go on\r\n* CAPABILITY AUTH=PLAIN\r\na2 OK\r\na3 OK\r\n",
    ] {
        let script =
            Script::play_by(says.as_bytes().to_vec(), |stream| async { Some(stream) }).await;
        let access = at(
            &rig.access,
            &[("server", format!("imap://localhost:{}", script.port))],
        );
        let listed = listed(&SHORT.connect(access).unwrap()).await;
        assert!(listed.is_err(), "{says}");
        let heard = script.heard();
        assert!(
            !heard.contains("LOGIN") && !heard.contains("AUTHENTICATE"),
            "{says}: {heard}"
        );
    }
}
