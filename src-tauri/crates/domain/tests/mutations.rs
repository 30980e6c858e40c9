//! Changes single bytes of a stored action between its display and its run: a changed action never runs.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use adjutant_domain::gate::{
    Approved, Assessment, Card, Channel, Circumstances, Decision, Fact, Observed, PendingAction,
    PlannedCall, Present, Proposal, Risk, Verdict, gate, resolve,
};
use adjutant_domain::operation::{Operation, RemoteOp, ToolOp};
use adjutant_domain::record::Kind;
use adjutant_domain::source::{Source, Sources};
use adjutant_domain::tool::{Before, Definition, Frozen, Target};
use jiff::Timestamp;
use serde_json::json;

/// Number of mutations in a normal run; the long form runs the number that the issue about the gate asks for.
const SHORT: usize = 4_000;
const LONG: usize = 100_000;

fn now() -> Timestamp {
    "2026-01-14T09:00:00Z".parse().expect("an instant")
}

/// Returns an action with everything a call can hold.
fn action() -> PendingAction {
    let args = json!({"to": ["a@b.example", "c@d.example"], "body": "Hello — 3 pm?", "n": 7, "deep": {"x": [true, null]}});
    let said = Sources::from([("/to/0".to_owned(), Source::AddressBook)]);
    let definition = Definition("schema text".into());
    let seen = Observed {
        call: PlannedCall::parsed("mcp.board.move".into(), args.clone(), said, definition)
            .acting_for("mcp:board".into()),
        before: Before {
            targets: vec![Target {
                kind: Kind::Mail,
                id: "m1".into(),
                version: 7,
                label: "mail".into(),
            }],
            frozen: Some(Frozen {
                operations: vec![Operation::Remote {
                    account: "mcp:board".into(),
                    op: Box::new(RemoteOp::Tool(ToolOp {
                        name: "move".into(),
                        args,
                        schema: "abc".into(),
                    })),
                    about: "card 7".into(),
                    then: Default::default(),
                }],
                ..Frozen::default()
            }),
            ..Before::default()
        },
        assessment: Assessment {
            risk: Risk::RemoteReversible,
            ..Assessment::reversible()
        },
        card: Card {
            title: "Move card 7".into(),
            facts: vec![Fact::new("To", "done", None)],
            body: Some("Hello".into()),
            ..Card::default()
        },
    };
    let proposal = Proposal {
        id: "act_1".into(),
        nonce: "nonce".into(),
        conversation: "main".into(),
        turn: "turn_1".into(),
        step: "s1".into(),
        now: now(),
    };
    match gate(vec![seen], &Circumstances::default(), &proposal) {
        Verdict::Ask(action) => *action,
        other => panic!("it asks: {other:?}"),
    }
}

/// Changes one byte at a time and checks that each changed action that is still readable is refused or runs as shown.
/// Returns how many were readable.
fn mutate(times: usize) -> usize {
    let shown = action();
    let decision = Decision {
        id: shown.id.clone(),
        digest: shown.digest.clone(),
        channel: Channel::Window,
    };
    let text = serde_json::to_vec(&shown).expect("JSON");
    let (mut state, mut read) = (0x9E37_79B9_7F4A_7C15_u64, 0);
    for round in 0..times {
        // xorshift64, so that every machine runs the same mutations.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let place = usize::try_from(state >> 16).unwrap_or_default() % text.len();
        let mut bytes = text.clone();
        bytes[place] = match round % 3 {
            0 => bytes[place] ^ (1 << (state % 8)),
            1 => {
                b"0123456789abcdefghijklmnopqrstuvwxyz"
                    [usize::try_from(state % 36).unwrap_or_default()]
            }
            _ => u8::try_from(state % 256).unwrap_or_default(),
        };
        let Ok(changed) = serde_json::from_slice::<PendingAction>(&bytes) else {
            continue;
        };
        if changed == shown {
            continue;
        }
        read += 1;
        let present: Vec<Present> = changed.calls.iter().map(Present::from).collect();
        if let Verdict::Allowed(calls) = resolve(&changed, &decision, &present, now()) {
            let ran: Vec<_> = calls.iter().map(Approved::get).collect();
            let meant: Vec<_> = shown.calls.iter().collect();
            assert_eq!(ran, meant, "byte {place}: something else would run");
            assert_eq!(
                changed.card, shown.card,
                "byte {place}: something else was shown"
            );
        }
    }
    read
}

#[test]
fn a_changed_byte_is_never_run() {
    assert!(mutate(SHORT) > SHORT / 4, "the mutations are read");
}

#[test]
#[ignore = "the long form, half a minute: `cargo nextest run -p adjutant-domain --run-ignored only`"]
fn a_hundred_thousand_changed_bytes_are_never_run() {
    let read = mutate(LONG);
    println!("{LONG} mutations, {read} read as another action, 0 run");
    assert!(read > LONG / 4);
}
