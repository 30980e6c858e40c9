//! Tests of standing grants and of reads that carry data out: only what the person allowed or typed runs without
//! asking.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use adjutant_domain::gate::grant::DAYS_MAX;
use adjutant_domain::gate::{
    AskReason, AskedBefore, Assessment, CardNote, CarriesOut, Channel, Circumstances, Decision,
    Exposure, Grant, NoGrant, Observed, PendingAction, Permit, PlannedCall, Policy, Private,
    Proposal, Rates, Risk, Verdict, Why, gate,
};
use adjutant_domain::ids::AccountId;
use adjutant_domain::source::{Source, Sources, Taint};
use adjutant_domain::tool::{Before, Definition, Frozen};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

fn now() -> Timestamp {
    "2026-01-14T09:00:00Z".parse().expect("an instant")
}

fn days(days: i64) -> Timestamp {
    now() + SignedDuration::from_hours(24 * days)
}

fn proposal_at(at: Timestamp) -> Proposal {
    Proposal {
        id: "act_1".into(),
        nonce: "nonce".into(),
        conversation: "main".into(),
        turn: "turn_1".into(),
        step: "s1".into(),
        now: at,
    }
}

fn call(args: Value) -> Observed {
    let definition = Definition("schema text".into());
    Observed {
        call: PlannedCall::parsed("mcp.board.move".into(), args, Sources::new(), definition)
            .acting_for("mcp:board".into()),
        before: Before {
            frozen: Some(Frozen::default()),
            ..Before::default()
        },
        assessment: Assessment {
            risk: Risk::RemoteReversible,
            ..Assessment::reversible()
        },
        card: Default::default(),
    }
}

fn asked(one: Observed, circumstances: &Circumstances<'_>) -> PendingAction {
    match gate(vec![one], circumstances, &proposal_at(now())) {
        Verdict::Ask(action) => *action,
        other => panic!("it asks: {other:?}"),
    }
}

fn press(action: &PendingAction) -> Decision {
    Decision {
        id: action.id.clone(),
        digest: action.digest.clone(),
        channel: Channel::Window,
    }
}

fn granted(one: Observed) -> Grant {
    let action = asked(one, &Circumstances::default());
    Grant::on(&action, &press(&action), "grant_1".into(), (now(), days(7))).expect("a grant")
}

fn runs_by(one: Observed, circumstances: &Circumstances<'_>, at: Timestamp) -> Option<Permit> {
    match gate(vec![one], circumstances, &proposal_at(at)) {
        Verdict::Allowed(calls) => calls.first().map(|call| call.permit().clone()),
        _ => None,
    }
}

#[test]
fn a_grant_covers_only_its_tool_account_and_target_until_its_date() {
    let args = json!({"card": "7", "to": "done"});
    let grants = [granted(call(args.clone()))];
    let with = |grants| Circumstances {
        grants,
        ..Circumstances::default()
    };
    let standing = with(&grants);
    let by = Some(Permit::Grant("grant_1".into()));
    assert_eq!(runs_by(call(args.clone()), &standing, now()), by);
    assert_eq!(runs_by(call(args.clone()), &standing, days(6)), by);
    for (what, at) in [
        ("before", days(-1)),
        ("at its end", days(7)),
        ("after", days(8)),
    ] {
        assert_eq!(runs_by(call(args.clone()), &standing, at), None, "{what}");
    }
    let other = |change: fn(&mut Observed)| {
        let mut one = call(args.clone());
        change(&mut one);
        runs_by(one, &standing, now())
    };
    let replaced = |one: &mut Observed, tool: &str, definition: &str| {
        let definition = Definition(definition.into());
        one.call = PlannedCall::parsed(
            tool.into(),
            one.call.args().clone(),
            Sources::new(),
            definition,
        )
        .acting_for("mcp:board".into());
    };
    let mut renamed = call(args.clone());
    replaced(&mut renamed, "mcp.board.drop", "schema text");
    assert_eq!(runs_by(renamed, &standing, now()), None, "another tool");
    let mut redefined = call(args.clone());
    replaced(&mut redefined, "mcp.board.move", "schema other");
    assert_eq!(
        runs_by(redefined, &standing, now()),
        None,
        "a tool that says something else"
    );
    assert_eq!(
        other(|one| one.call = one.call.clone().acting_for("mcp:other".into())),
        None
    );
    assert_eq!(
        runs_by(call(json!({"card": "8", "to": "done"})), &standing, now()),
        None
    );
    for (taint, asked) in [
        (Taint::Tainted, AskedBefore::No),
        (Taint::Clean, AskedBefore::Yes),
    ] {
        let elsewhere = Circumstances {
            taint,
            asked,
            ..with(&grants)
        };
        assert_eq!(runs_by(call(args.clone()), &elsewhere, now()), None);
    }
    let mut taken_back = grants.clone();
    taken_back[0].revoked = Some(now());
    assert_eq!(runs_by(call(args), &with(&taken_back), now()), None);
}

#[test]
fn a_grant_covers_no_guess_and_a_guess_offers_none() {
    let grants = [granted(call(json!({"card": "7"})))];
    let circumstances = |guessed| Circumstances {
        grants: &grants,
        guessed,
        ..Circumstances::default()
    };
    let one = || call(json!({"card": "7"}));
    assert!(runs_by(one(), &circumstances(false), now()).is_some());
    assert_eq!(runs_by(one(), &circumstances(true), now()), None);
    let action = asked(one(), &circumstances(true));
    assert_eq!(action.grant, None);
    // The reason on the card is another one, so a note says that it is a guess.
    let guess = |note: &CardNote| note.text.starts_with("I am not sure that you meant this");
    assert!(action.card.notes.iter().any(guess));
}

#[test]
fn a_target_that_a_tool_only_guesses_is_asked_about_and_never_granted() {
    let grants = [granted(call(json!({"card": "7"})))];
    let circumstances = Circumstances {
        grants: &grants,
        ..Circumstances::default()
    };
    let mut one = call(json!({"card": "7"}));
    one.assessment.guessed = true;
    assert_eq!(runs_by(one.clone(), &circumstances, now()), None);
    assert_eq!(asked(one.clone(), &circumstances).grant, None);
    one.assessment.risk = Risk::LocalReversible;
    assert_eq!(asked(one, &circumstances).why, Some(Why::Guessed));
}

#[test]
fn never_offers_grants_to_send_delete_spend_or_undo() {
    for risk in [Risk::ReachesPeople, Risk::Destroys, Risk::Spends] {
        let mut one = call(json!({}));
        one.assessment.risk = risk;
        assert_eq!(
            asked(one, &Circumstances::default()).grant,
            None,
            "{risk:?}"
        );
    }
    let mut deletes = call(json!({}));
    deletes.assessment.ask = Some(AskReason::Deletes);
    let mut undoes = call(json!({}));
    undoes.before.frozen = Some(Frozen {
        undoes: Some("eff_1".into()),
        ..Frozen::default()
    });
    let mut found = call(json!({}));
    found.assessment.looked_up = vec![Source::Untrusted {
        origin: "a page".into(),
    }];
    for one in [deletes, undoes, found] {
        assert_eq!(asked(one, &Circumstances::default()).grant, None);
    }
    let tainted = Circumstances {
        taint: Taint::Tainted,
        ..Circumstances::default()
    };
    assert_eq!(asked(call(json!({})), &tainted).grant, None);
}

#[test]
fn a_grant_needs_a_press_with_the_digest_of_a_waiting_card() {
    let action = asked(call(json!({})), &Circumstances::default());
    let give = |action: &PendingAction, decision: &Decision, until| {
        Grant::on(action, decision, "grant_1".into(), (now(), until))
    };
    let pressed = press(&action);
    let in_words = Decision {
        channel: Channel::Chat,
        ..pressed.clone()
    };
    assert_eq!(give(&action, &in_words, days(7)), Err(NoGrant::InWords));
    let mut altered = action.clone();
    altered.grant.as_mut().expect("it is offered").account = "mcp:other".into();
    assert_eq!(give(&altered, &pressed, days(7)), Err(NoGrant::WrongDigest));
    for until in [now(), days(DAYS_MAX + 1)] {
        assert_eq!(give(&action, &pressed, until), Err(NoGrant::BadDate));
    }
    assert!(give(&action, &pressed, days(DAYS_MAX)).is_ok());
    let mut answered = action.clone();
    answered.state = adjutant_domain::gate::ActionState::Denied;
    assert_eq!(give(&answered, &pressed, days(7)), Err(NoGrant::NotPending));
}

fn search(query: &str) -> Observed {
    let mut one = call(json!({ "query": query }));
    one.before.frozen = None;
    one.assessment = Assessment::asks_outside(CarriesOut {
        to: "Example Search".into(),
        texts: vec![query.into()],
        public_answer: true,
        stays_there: false,
    });
    one
}

#[test]
fn a_read_carries_out_what_was_typed_and_shows_everything_else() {
    let typed = ["what does the web say about heat pumps".to_owned()];
    let exposed = |private| Circumstances {
        exposure: Exposure {
            private: if private {
                Private::Anywhere
            } else {
                Private::None
            },
            typed: &typed,
        },
        ..Circumstances::default()
    };
    for (query, private, asks) in [
        ("heat pumps", true, false),
        ("Kim's diagnosis", true, true),
        ("Kim's diagnosis", false, false),
    ] {
        let by = runs_by(search(query), &exposed(private), now());
        assert_eq!(by.is_none(), asks, "{query}");
    }
    let card = asked(search("Kim’s\u{200B} diagnosis"), &exposed(true));
    let to = "Example Search".to_owned();
    assert_eq!(card.why, Some(Why::CarriesOut { to }));
    let leaves = card
        .card
        .facts
        .iter()
        .find(|fact| fact.label.contains("Example Search"));
    assert_eq!(
        leaves.expect("what leaves").value,
        "Kim’s⟨U+200B⟩ diagnosis"
    );
}

#[test]
fn what_came_from_an_account_may_go_back_to_it_and_nowhere_else() {
    let (desk, other) = (AccountId::from("mcp:desk"), AccountId::from("mcp:other"));
    let read = |account: &AccountId, stays_there| {
        let mut one = search("Kim's diagnosis");
        one.call = one.call.acting_for(account.clone());
        let out = one.assessment.carries_out.as_mut();
        out.expect("it carries something out").stays_there = stays_there;
        one
    };
    let runs = |one: Observed, private| {
        let exposed = Circumstances {
            exposure: Exposure {
                private,
                typed: &[],
            },
            ..Circumstances::default()
        };
        runs_by(one, &exposed, now()).is_some()
    };
    assert!(runs(read(&desk, true), Private::From(&desk)));
    assert!(!runs(read(&desk, false), Private::From(&desk)));
    assert!(!runs(read(&other, true), Private::From(&desk)));
    assert!(!runs(read(&desk, true), Private::Anywhere));
    assert!(runs(read(&desk, false), Private::None));
}

#[test]
fn a_full_hour_asks_and_a_press_does_not() {
    let mut one = call(json!({}));
    one.assessment.risk = Risk::LocalReversible;
    let mut rates = Rates {
        most: 3,
        ran: Vec::new(),
    };
    let entry = |at| ("mcp.board.move".to_owned(), "mcp:board".into(), at);
    rates.ran = vec![
        entry(now()),
        entry(now()),
        entry(now() - SignedDuration::from_hours(1)),
    ];
    let under = |rates: &Rates, by_hand| Circumstances {
        rates: rates.clone(),
        policy: Policy {
            by_hand,
            ..Policy::default()
        },
        ..Circumstances::default()
    };
    assert!(
        runs_by(one.clone(), &under(&rates, false), now()).is_some(),
        "an hour ago is over"
    );
    rates.ran.push(entry(now()));
    assert!(
        runs_by(one.clone(), &under(&rates, true), now()).is_some(),
        "by hand"
    );
    let card = asked(one, &under(&rates, false));
    assert_eq!((card.why, card.grant), (Some(Why::Rate { most: 3 }), None));
}
