//! Tests of set-up and reading, with servers that support less than Radicale or send nonsense.

use std::sync::Arc;

use adjutant_accounts::dav::CalDav;
use adjutant_accounts::{Provider as _, SetUpFault};
use adjutant_domain::account::{CollectionKind, Cursor};
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::{PullFault, PulledWhat};
use adjutant_testkit::FixedClock;
use adjutant_testkit::name_server::{NameServer, Zone};
use adjutant_testkit::remote::{Trouble, listed};

use crate::door::{Meets, lock, reply};
use crate::radicale::Radicale;
use crate::rig::{DavRig, access, of_field};

fn event(name: &str) -> String {
    format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Other//EN\r\nBEGIN:VEVENT\r\nUID:{name}\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260115T090000Z\r\nSUMMARY:{name}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn finds_an_account_by_its_address_and_reports_faults() {
    let server = Arc::new(Radicale::start());
    let rig = DavRig::new(&server).await;
    let listed = listed(&rig.backends).await.unwrap();
    let shown: Vec<_> = listed
        .iter()
        .map(|one| (one.kind, one.name.as_str(), one.writable))
        .collect();
    assert_eq!(
        shown,
        [
            (CollectionKind::Calendar, "Home", true),
            (CollectionKind::TaskList, "To do", true),
            (CollectionKind::AddressBook, "People", true),
        ]
    );
    assert_eq!(listed[0].colour.as_deref(), Some("#ff8000"));
    let asked = lock(&rig.course).asked.clone();
    assert_eq!(asked.len(), 1, "one listing for all families: {asked:?}");
    let typed = rig.access.settings.get("server").cloned().unwrap();
    let with = |name: &str, value: &str| {
        let mut access = access(&typed, &rig.user, &server, &rig.ledger);
        access.settings.insert(name.into(), value.into());
        access
    };
    // The path of a calendar leads to the account too.
    let found = CalDav
        .set_up(with("server", &format!("{typed}{}", rig.calendar)))
        .await
        .unwrap();
    assert_eq!(found.addresses, ["me@home.example"]);
    // A busy server may still have contacts, so the account is not connected without them.
    let busy = reply(503, "Retry-After: 7\r\n", "");
    lock(&rig.course).meet(Meets::Says("addressbook-home-set", busy));
    let fault = CalDav.set_up(with("user", &rig.user)).await.unwrap_err();
    let limited = RemoteFault::Limited {
        retry_after_seconds: Some(7),
    };
    assert_eq!(fault, SetUpFault::Remote(limited));
    assert!(lock(&rig.course).is_clear());
    for (name, value, field, says) in [
        ("user", "u998-nobody", "password", "does not accept"),
        (
            "server",
            "http://cloud.example.org",
            "server",
            "unencrypted",
        ),
        (
            "server",
            "ftp://cloud.example.org",
            "server",
            "not the address",
        ),
        (
            "server",
            "https://kim:pw@cloud.example.org",
            "server",
            "The address contains",
        ),
        ("server", "", "server", "missing"),
    ] {
        let fault = CalDav.set_up(with(name, value)).await.unwrap_err();
        let (of, what) = of_field(fault);
        assert!(of == field && what.contains(says), "{value}: {of} {what}");
    }
    for (said, says) in [
        (
            reply(302, "Location: https://evil.example/\r\n", ""),
            "evil.example",
        ),
        (
            reply(200, "Content-Type: text/html\r\n", "<html>Sign in</html>"),
            "web page",
        ),
        (
            reply(302, "Location: http://localhost:1/\r\n", ""),
            "localhost",
        ),
    ] {
        for _ in 0..3 {
            lock(&rig.course).meet(Meets::Says("PROPFIND", said.clone()));
        }
        let home = CalDav.set_up(with("server", &typed)).await;
        while !lock(&rig.course).is_clear() {
            // Drops the replies that the second family did not request.
            drop(CalDav.set_up(with("server", &typed)).await);
        }
        if let Err(fault) = home {
            let (_, what) = of_field(fault);
            assert!(what.contains(says), "{says}: {what}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_a_server_without_sync_tokens_by_etags() {
    let server = Arc::new(Radicale::start());
    let rig = DavRig::new(&server).await;
    lock(&rig.course).no_tokens = true;
    let path = |name: &str| format!("{}{name}.ics", rig.calendar);
    for name in ["a", "b", "c"] {
        rig.other.put(&path(name), &event(name));
    }
    let kind = CollectionKind::Calendar;
    let (pulled, cursor) = rig.pull(kind, &rig.calendar, None).await;
    assert_eq!(pulled.len(), 3);
    let cursor = cursor.unwrap();
    let (pulled, again) = rig.pull(kind, &rig.calendar, Some(cursor.clone())).await;
    assert!(pulled.is_empty());
    assert_eq!(again, Ok(cursor.clone()));
    rig.other.put(
        &path("b"),
        &event("b").replace("SUMMARY:b", "SUMMARY:other"),
    );
    rig.other.delete(&path("c"));
    rig.other.put(&path("d"), &event("d"));
    let (pulled, next) = rig.pull(kind, &rig.calendar, Some(cursor)).await;
    let mut seen: Vec<_> = pulled
        .iter()
        .map(|one| {
            let name = one.remote_id.0.as_str();
            (name, matches!(one.what, PulledWhat::Gone))
        })
        .collect();
    // The server chooses the order of its reply.
    seen.sort_unstable();
    let expected = [("b", false), ("c", true), ("d", false)].map(|(name, gone)| (path(name), gone));
    let expected: Vec<_> = expected
        .iter()
        .map(|(path, gone)| (path.as_str(), *gone))
        .collect();
    assert_eq!(seen, expected);
    assert!(next.is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reading_without_changes_takes_one_request_per_account() {
    let server = Arc::new(Radicale::start());
    let rig = DavRig::new(&server).await;
    rig.other
        .put(&format!("{}a.ics", rig.calendar), &event("a"));
    let all = [
        (CollectionKind::Calendar, &rig.calendar),
        (CollectionKind::TaskList, &rig.tasks),
        (CollectionKind::AddressBook, &rig.book),
    ];
    let mut cursors = Vec::new();
    for (kind, path) in all {
        cursors.push(rig.pull(kind, path, None).await.1.unwrap());
    }
    lock(&rig.course).asked.clear();
    listed(&rig.backends).await.unwrap();
    for ((kind, path), cursor) in all.into_iter().zip(&cursors) {
        let (pulled, next) = rig.pull(kind, path, Some(cursor.clone())).await;
        assert!(pulled.is_empty());
        assert_eq!(next, Ok(cursor.clone()));
    }
    let asked = lock(&rig.course).asked.clone();
    assert_eq!(asked.len(), 1, "{asked:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn continues_an_interrupted_first_reading() {
    let server = Arc::new(Radicale::start());
    let rig = DavRig::new(&server).await;
    let path = |at: usize| format!("{}n{at:03}.ics", rig.calendar);
    for at in 0..450 {
        rig.other.put(&path(at), &event(&format!("n{at:03}")));
    }
    let kind = CollectionKind::Calendar;
    lock(&rig.course).meet(Meets::Trouble(Trouble::BreaksOff));
    let (first, reached, read) = rig.pull_and_reach(kind, &rig.calendar, None).await;
    assert_eq!(read, Err(PullFault::Remote(RemoteFault::Unreachable)));
    assert_eq!(first.len(), 200);
    // In the meantime another client changes what was read, and deletes it.
    rig.other.put(
        &path(3),
        &event("n003").replace("SUMMARY:n003", "SUMMARY:other"),
    );
    rig.other.delete(&path(4));
    let (rest, _, read) = rig.pull_and_reach(kind, &rig.calendar, reached).await;
    assert!(read.is_ok());
    assert_eq!(rest.len(), 250 + 2, "what is missing, and what changed");
    let (none, read) = rig.pull(kind, &rig.calendar, read.ok()).await;
    assert!(read.is_ok() && none.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn does_not_keep_sources_that_are_not_text() {
    let server = Arc::new(Radicale::start());
    let rig = DavRig::new(&server).await;
    rig.other
        .put(&format!("{}a.ics", rig.calendar), &event("a"));
    for (summary, is_kept) in [("Caf\u{e9}", true), ("Caf\u{fffd}", false)] {
        let text = event("a").replace("SUMMARY:a", &format!("SUMMARY:{summary}"));
        let body = format!(
            r#"<D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:response><D:href>{}a.ics</D:href><D:propstat><D:prop><D:getetag>"1"</D:getetag><C:calendar-data>{text}</C:calendar-data></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>"#,
            rig.calendar
        );
        let said = reply(207, "Content-Type: application/xml\r\n", &body);
        lock(&rig.course).meet(Meets::Says("calendar-multiget", said));
        let (pulled, _) = rig
            .pull(CollectionKind::Calendar, &rig.calendar, None)
            .await;
        let PulledWhat::There { source, .. } = &pulled[0].what else {
            panic!("{pulled:?}");
        };
        assert_eq!(source.is_some(), is_kept, "{summary}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_malformed_replies_and_delivers_nothing() {
    let server = Arc::new(Radicale::start());
    let rig = DavRig::new(&server).await;
    rig.other
        .put(&format!("{}a.ics", rig.calendar), &event("a"));
    let multi = |body: &str| reply(207, "Content-Type: application/xml\r\n", body);
    let bomb = r#"<!DOCTYPE a [<!ENTITY x "yyyy"><!ENTITY y "&x;&x;&x;">]><a>&y;</a>"#;
    let elsewhere = r#"<D:multistatus xmlns:D="DAV:"><D:response><D:href>https://evil.example/a.ics</D:href><D:propstat><D:prop><D:getetag>"1"</D:getetag></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response><D:sync-token>t</D:sync-token></D:multistatus>"#;
    for (body, is_refused) in [
        ("", true),
        ("<a>", true),
        ("not xml", true),
        (bomb, true),
        (elsewhere, false),
    ] {
        lock(&rig.course).meet(Meets::Says("sync-collection", multi(body)));
        let (pulled, read) = rig
            .pull(CollectionKind::Calendar, &rig.calendar, None)
            .await;
        assert!(pulled.is_empty(), "{body}");
        let refused = matches!(read, Err(PullFault::Remote(RemoteFault::Refused { .. })));
        assert_eq!(refused, is_refused, "{body}: {read:?}");
    }
    for body in [r#"<D:multistatus xmlns:D="DAV:"/>"#, "<a/>"] {
        lock(&rig.course).meet(Meets::Says("PROPFIND", multi(body)));
        let listing = rig.backends.list().await.unwrap();
        assert!(!listing.unlisted.is_empty(), "nothing is gone: {listing:?}");
        let kept = lock(&rig.course).no_tokens;
        lock(&rig.course).no_tokens = true;
        let (_, cursor) = rig
            .pull(CollectionKind::Calendar, &rig.calendar, None)
            .await;
        lock(&rig.course).meet(Meets::Says("PROPFIND", multi(body)));
        let (pulled, read) = rig
            .pull(CollectionKind::Calendar, &rig.calendar, cursor.ok())
            .await;
        assert!(
            pulled.is_empty() && read.is_err(),
            "nothing is gone: {pulled:?}"
        );
        lock(&rig.course).no_tokens = kept;
    }
    lock(&rig.course).meet(Meets::Endless("sync-collection"));
    let (pulled, read) = rig
        .pull(CollectionKind::Calendar, &rig.calendar, None)
        .await;
    assert!(pulled.is_empty());
    let Err(PullFault::Remote(RemoteFault::Refused { what })) = read else {
        panic!("{read:?}");
    };
    assert!(what.contains("larger than"), "{what}");
    let never = Some(Cursor("{\"token\":\"never given out\"}".into()));
    let (_, read) = rig
        .pull(CollectionKind::Calendar, &rig.calendar, never)
        .await;
    assert_eq!(read, Err(PullFault::CursorRefused));
}

/// Returns the port at which a test reaches the server, for a zone.
fn port_of(address: &str) -> u16 {
    address.rsplit(':').next().unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mail_address_alone_leads_to_the_server_that_its_domain_names() {
    let server = Arc::new(Radicale::start());
    let rig = DavRig::new(&server).await;
    let typed = rig.access.settings["server"].clone();
    let port = port_of(&typed);
    for (path, asked) in [(None, "/.well-known/caldav"), (Some("path=/"), "/")] {
        let zone = Zone {
            servers: [
                ("_caldavs._tcp.localhost", ("localhost", port)),
                ("_carddavs._tcp.localhost", ("localhost", port)),
            ]
            .into(),
            texts: path
                .map(|path| ("_caldavs._tcp.localhost", path))
                .into_iter()
                .collect(),
        };
        let names = NameServer::start(zone).await;
        let mut access = access("me@localhost", &rig.user, &server, &rig.ledger);
        access.net = access.net.with_name_servers(vec![names.address]);
        lock(&rig.course).asked.clear();
        let found = CalDav.set_up(access).await.unwrap();
        let calendars = &found.settings["calendars"];
        assert!(
            calendars.starts_with(&format!("https://localhost:{port}/")),
            "{calendars}"
        );
        let first = lock(&rig.course).asked[0].clone();
        assert_eq!(first, format!("PROPFIND {asked}"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_password_goes_to_a_server_outside_the_domain() {
    let server = Arc::new(Radicale::start());
    let rig = DavRig::new(&server).await;
    let port = port_of(&rig.access.settings["server"]);
    let zone = Zone {
        servers: [
            ("_caldavs._tcp.home.localhost", ("localhost", port)),
            ("_carddavs._tcp.home.localhost", ("localhost", port)),
        ]
        .into(),
        ..Zone::default()
    };
    let names = NameServer::start(zone).await;
    let mut access = access("me@home.localhost", &rig.user, &server, &rig.ledger);
    access.net = access.net.with_name_servers(vec![names.address]);
    lock(&rig.course).asked.clear();
    let (field, what) = of_field(CalDav.set_up(access).await.unwrap_err());
    assert_eq!(field, "server");
    assert!(what.contains("did not get your password"), "{what}");
    assert_eq!(lock(&rig.course).asked, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_ten_minutes_off_misses_no_change() {
    let server = Arc::new(Radicale::start());
    for now in [
        "2026-01-12T11:50:00+01:00[Europe/Paris]",
        "2026-01-12T12:10:00+01:00[Europe/Paris]",
    ] {
        let mut rig = DavRig::new(&server).await;
        rig.access.clock = Arc::new(FixedClock(now.parse().unwrap()));
        rig.backends = CalDav.connect(rig.access.clone()).unwrap();
        let kind = CollectionKind::Calendar;
        let path = |name: &str| format!("{}{name}.ics", rig.calendar);
        rig.other.put(&path("a"), &event("a"));
        let (pulled, cursor) = rig.pull(kind, &rig.calendar, None).await;
        assert_eq!(pulled.len(), 1, "{now}");
        rig.other.put(&path("b"), &event("b"));
        let (pulled, cursor) = rig.pull(kind, &rig.calendar, Some(cursor.unwrap())).await;
        assert_eq!(pulled.len(), 1, "{now}");
        let (pulled, _) = rig.pull(kind, &rig.calendar, Some(cursor.unwrap())).await;
        assert_eq!(pulled.len(), 0, "{now}");
    }
}
