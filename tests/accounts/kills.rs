//! Kills the program at every step of signing in, reading, and changing something at a provider, and restarts it.
//! Nothing is duplicated or lost, no secret is outside the keyring, and the keyring holds nothing that no account
//! needs.

use std::time::Duration;

use crate::day::words;
use crate::desk::{Desk, Instant, Kind};
use crate::person::Person;
use crate::proxy::Way;

/// What the program does when it is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    SignIn,
    Reading,
    Effect,
}

const STEPS: [Step; 3] = [Step::SignIn, Step::Reading, Step::Effect];

/// A person just before the step, and the command that takes it.
struct Ready<'a> {
    person: Person<'a>,
    args: Vec<String>,
    input: String,
}

impl<'a> Ready<'a> {
    async fn new(desk: &'a Desk, kind: Kind, step: Step) -> Self {
        let mut person = Person::new(desk);
        desk.forget_google();
        person.has(kind, "First");
        person.has(kind, "Second");
        let (mut args, mut input) = person.sign_in(kind);
        if step != Step::SignIn {
            let added = person.run(&words(&args), &input).await;
            let is_there = desk.keyring.is_there();
            assert_eq!(
                added.code,
                Some(0),
                "{} The keyring is there: {is_there}",
                added.err
            );
            input.clear();
            args = vec!["accounts".to_owned(), "sync".to_owned()];
        }
        match step {
            Step::SignIn => {}
            Step::Reading => person.has(kind, "Third"),
            Step::Effect => args = person.propose(kind).await,
        }
        Self {
            person,
            args,
            input,
        }
    }
}

/// Returns every moment at which this step can be killed for an account of this kind.
async fn instants(desk: &Desk, kind: Kind, step: Step) -> Vec<Instant> {
    let mut ready = Ready::new(desk, kind, step).await;
    let places = ready.person.places(&words(&ready.args), &ready.input).await;
    let [to, from] = desk.proxy.watch().parts;
    let parts = |way, count| (1..=count).map(move |number| Instant::Network(way, number));
    let places = places.into_iter().map(Instant::Storage);
    places
        .chain(parts(Way::ToServer, to))
        .chain(parts(Way::FromServer, from))
        .collect()
}

/// Kills the program at this moment; returns `false` if it ended before.
async fn kill(desk: &Desk, kind: Kind, step: Step, at: &Instant) -> bool {
    let Ready {
        mut person,
        args,
        input,
    } = Ready::new(desk, kind, step).await;
    let ended = person.run_until(&words(&args), &input, Some(at)).await;
    let told = format!("{kind:?}, {step:?}, killed at {at:?}");
    println!("{told}: {} {:?}", ended.killed, ended.code);
    match step {
        Step::SignIn => {
            let all = person.accounts().await;
            assert!(all.len() <= 1, "{told}: {all:?}");
            if all.is_empty() {
                let (args, input) = person.sign_in(kind);
                let again = person.run(&words(&args), &input).await;
                assert_eq!(again.code, Some(0), "{told}: {}", again.err);
            }
        }
        Step::Reading => {}
        Step::Effect => person.finish(kind, &told).await,
    }
    let read = person.run(&["accounts", "sync"], "").await;
    assert_eq!(read.code, Some(0), "{told}: {}", read.err);
    let mut wanted = vec!["First", "Second"];
    wanted.extend((step == Step::Reading).then_some("Third"));
    assert_eq!(person.titles(kind).await, wanted, "{told}");
    let entries = desk.keyring.entries(person.home());
    assert_eq!(entries, person.needed(kind).await, "{told}");
    person.keeps_no_secret(&told);
    ended.killed
}

/// Kills the program at one moment after another. Every kind of account has more than a hundred.
async fn everywhere(kind: Kind) {
    let desk = Desk::open().await;
    let mut kills = 0;
    for step in STEPS {
        let mut all = instants(&desk, kind, step).await;
        // Also kills it at times between these moments.
        let times = (1..=10).map(|tenth| Instant::After(Duration::from_millis(50 * tenth)));
        all.extend(times);
        for at in all {
            kills += usize::from(kill(&desk, kind, step, &at).await);
        }
    }
    println!("{kind:?}: {kills} kills");
    assert!(kills >= 100, "only {kills} kills");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes; `make test` runs a dozen"]
async fn everywhere_with_a_mail_account() {
    everywhere(Kind::Mail).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes; `make test` runs a dozen"]
async fn everywhere_with_calendars() {
    everywhere(Kind::Dav).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes; `make test` runs a dozen"]
async fn everywhere_with_google() {
    everywhere(Kind::Google).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn survives_a_dozen_kills() {
    let desk = Desk::open().await;
    for (kind, step, at) in [
        (
            Kind::Mail,
            Step::SignIn,
            Instant::Storage("add_account.before:1".into()),
        ),
        (
            Kind::Mail,
            Step::Reading,
            Instant::Network(Way::FromServer, 5),
        ),
        (
            Kind::Mail,
            Step::Effect,
            Instant::Storage("begin_attempt.after:1".into()),
        ),
        (
            Kind::Mail,
            Step::Effect,
            Instant::Network(Way::FromServer, 8),
        ),
        (
            Kind::Dav,
            Step::SignIn,
            Instant::Storage("add_account.after:1".into()),
        ),
        (
            Kind::Dav,
            Step::Reading,
            Instant::Storage("pull.inside:1".into()),
        ),
        (Kind::Dav, Step::Effect, Instant::Network(Way::ToServer, 1)),
        (
            Kind::Dav,
            Step::Effect,
            Instant::Network(Way::FromServer, 1),
        ),
        (
            Kind::Google,
            Step::SignIn,
            Instant::Network(Way::FromServer, 2),
        ),
        (
            Kind::Google,
            Step::Reading,
            Instant::Storage("pulled.before:1".into()),
        ),
        (
            Kind::Google,
            Step::Effect,
            Instant::Network(Way::FromServer, 3),
        ),
        (
            Kind::Google,
            Step::Effect,
            Instant::Storage("end_attempt.before:1".into()),
        ),
    ] {
        assert!(
            kill(&desk, kind, step, &at).await,
            "{kind:?}, {step:?}: it ended before {at:?}"
        );
    }
}
