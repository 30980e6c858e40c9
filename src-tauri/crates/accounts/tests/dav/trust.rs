//! Tests of a server whose certificate only the person vouches for.

use std::sync::Arc;

use adjutant_accounts::dav::CalDav;
use adjutant_accounts::{Access, Attempted, Provider as _, SetUpFault, problem};
use adjutant_domain::operation::RemoteFault;
use adjutant_net::{Fingerprint, NetClient, NetFault, NetSettings};
use adjutant_testkit::remote::listed;
use tokio::task::JoinSet;

use crate::door::{self, Meets, SharedCourse, lock, reply};
use crate::radicale::Radicale;
use crate::rig::{DavRig, access, of_field};

/// Number of addresses at which an account is looked for, for both families.
const PLACES: usize = 6;

/// A person whose system does not know the authority of the server.
struct Stranger {
    rig: DavRig,
    net: NetClient,
    typed: String,
}

impl Stranger {
    async fn new(server: &Arc<Radicale>) -> Self {
        let rig = DavRig::new(server).await;
        let net = NetClient::new(NetSettings::default(), rig.ledger.clone());
        let port = rig.access.settings["calendars"].split('/').nth(2).unwrap();
        let typed = format!("https://{port}");
        Self { rig, net, typed }
    }

    fn with(&self, certificate: &str) -> Access {
        let Self { rig, net, typed } = self;
        let mut access = access(typed, &rig.user, &rig.server, &rig.ledger);
        let trusted = ("certificate".to_owned(), certificate.to_owned());
        access.settings.extend([trusted]);
        Access {
            net: net.clone(),
            ..access
        }
    }
}

fn fingerprint_in(fault: &SetUpFault) -> Fingerprint {
    match fault {
        SetUpFault::Net(NetFault::Untrusted { fingerprint, .. }) => fingerprint.clone(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trusts_exactly_the_certificate_that_the_person_names() {
    let person = Stranger::new(&Arc::new(Radicale::start())).await;
    let fault = CalDav.set_up(person.with("")).await.unwrap_err();
    let fingerprint = fingerprint_in(&fault).to_string();
    let asked = lock(&person.rig.course).asked.clone();
    assert!(asked.is_empty(), "nothing was sent: {asked:?}");
    let told = problem(&fault, Attempted::Connecting);
    assert!(
        told.next.contains(&format!("--trust {fingerprint}")),
        "{told:?}"
    );
    // The account keeps the trust, and works with what it keeps.
    let trusting = person.with(&fingerprint);
    let found = CalDav.set_up(trusting.clone()).await.unwrap();
    assert_eq!(found.settings["certificate"], fingerprint);
    let kept = Access {
        settings: found.settings,
        ..trusting
    };
    let all = listed(&CalDav.connect(kept.clone()).unwrap()).await;
    assert_eq!(all.unwrap().len(), 3);
    // Another account with the same network does not trust it, nor does this one trust another certificate.
    let other = Fingerprint::of(b"another certificate").to_string();
    for certificate in ["", other.as_str()] {
        let fault = CalDav.set_up(person.with(certificate)).await.unwrap_err();
        assert_eq!(fingerprint_in(&fault).to_string(), fingerprint);
    }
    // The server has a new certificate since: the account says so, with its fingerprint.
    let mut changed = kept;
    changed.settings.insert("certificate".into(), other);
    let read = listed(&CalDav.connect(changed).unwrap()).await;
    let Err(RemoteFault::Untrusted {
        why,
        fingerprint: told,
        ..
    }) = read
    else {
        panic!("{read:?}");
    };
    assert_eq!(told, fingerprint);
    assert!(why.ends_with("not the certificate that you trust"), "{why}");
    let (field, _) = of_field(CalDav.set_up(person.with("AB:CD")).await.unwrap_err());
    assert_eq!(field, "certificate");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn does_not_trust_it_at_another_port() {
    let server = Arc::new(Radicale::start());
    let person = Stranger::new(&server).await;
    let fault = CalDav.set_up(person.with("")).await.unwrap_err();
    let trusting = person.with(&fingerprint_in(&fault).to_string());
    let (course, mut tasks) = (SharedCourse::default(), JoinSet::new());
    let acceptor = server.certificate.acceptor.clone();
    let other = door::open(server.port, acceptor, course.clone(), &mut tasks).await;
    let on = reply(
        302,
        &format!("Location: https://localhost:{other}/\r\n"),
        "",
    );
    for _ in 0..PLACES {
        lock(&person.rig.course).meet(Meets::Says("PROPFIND", on.clone()));
    }
    let fault = CalDav.set_up(trusting).await.unwrap_err();
    let SetUpFault::Field { field, what, hint } = fault else {
        panic!("{fault:?}");
    };
    assert_eq!(field, "server");
    assert!(what.contains("points to another one"), "{what}");
    assert!(
        hint.contains(&format!("https://localhost:{other}")),
        "{hint}"
    );
    assert!(lock(&course).asked.is_empty(), "it got no password");
}
