//! Properties of the gate: only what was shown runs, only while the approval is valid, and only once; what must ask
//! always asks.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use adjutant_domain::canonical;
use adjutant_domain::change::Change;
use adjutant_domain::gate::decide::BULK_MAX;
use adjutant_domain::gate::pending::EXPIRY_SECONDS;
use adjutant_domain::gate::{
    ActionState, AskReason, AskedBefore, Assessment, Card, CardNote, Channel, Circumstances,
    Decision, Denial, Fact, Item, NoteKind, Observed, PendingAction, PlannedCall, Policy, Present,
    Proposal, Risk, Verdict, Why, gate, reclaim, resolve,
};
use adjutant_domain::operation::{MailOp, Operation, RemoteOp, ToolOp};
use adjutant_domain::record::{Folder, Kind};
use adjutant_domain::route::Domain;
use adjutant_domain::source::{Source, Sources, Taint};
use adjutant_domain::tool::{Before, Definition, Frozen, Icon, Target, ToolSpec};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use serde_json::{Value, json};

const RISKS: [Risk; 7] = [
    Risk::Read,
    Risk::LocalReversible,
    Risk::LocalIrreversible,
    Risk::RemoteReversible,
    Risk::ReachesPeople,
    Risk::Destroys,
    Risk::Spends,
];

fn now() -> Timestamp {
    "2026-01-14T09:00:00Z".parse().expect("an instant")
}

fn later(seconds: i64) -> Timestamp {
    now() + SignedDuration::from_secs(seconds)
}

fn proposal() -> Proposal {
    Proposal {
        id: "act_1".into(),
        nonce: "nonce".into(),
        conversation: "main".into(),
        turn: "turn_1".into(),
        step: "s1".into(),
        now: now(),
    }
}

fn target(id: &str, version: i64) -> Target {
    Target {
        kind: Kind::Mail,
        id: id.into(),
        version,
        label: format!("mail {id}"),
    }
}

fn frozen(say: &str) -> Frozen {
    let mut frozen = Frozen::default();
    frozen.answer.say = say.into();
    frozen
}

fn observed(risk: Risk, ask: Option<AskReason>, args: Value) -> Observed {
    Observed {
        call: PlannedCall::parsed(
            "x.do".into(),
            args,
            Sources::new(),
            Definition("schema".into()),
        ),
        before: Before {
            targets: vec![target("a", 1), target("b", 7)],
            frozen: Some(frozen("exactly these")),
            ..Before::default()
        },
        assessment: Assessment {
            risk,
            ask,
            count: 1,
            reaching: vec!["/to".into()],
            ..Assessment::read()
        },
        card: Card {
            title: "Do it".into(),
            facts: vec![Fact::new("To", "a@b.example", None)],
            items: vec![Item {
                id: "a".into(),
                label: "mail a".into(),
                ..Item::default()
            }],
            body: Some("text".into()),
            ..Card::default()
        },
    }
}

fn under(policy: Policy, asked: AskedBefore) -> Circumstances<'static> {
    Circumstances {
        policy,
        asked,
        ..Circumstances::default()
    }
}

fn pending(args: Value) -> PendingAction {
    match gate(
        vec![observed(Risk::ReachesPeople, None, args)],
        &Circumstances::default(),
        &proposal(),
    ) {
        Verdict::Ask(action) => *action,
        other => panic!("it asks: {other:?}"),
    }
}

fn decision(action: &PendingAction) -> Decision {
    Decision {
        id: action.id.clone(),
        digest: action.digest.clone(),
        channel: Channel::Chat,
    }
}

fn present(action: &PendingAction) -> Vec<Present> {
    action.calls.iter().map(Present::from).collect()
}

fn answer_at(action: &PendingAction, at: Timestamp) -> Verdict {
    resolve(action, &decision(action), &present(action), at)
}

fn allowed(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Allowed(_))
}

#[test]
fn what_was_shown_runs_exactly_as_shown() {
    let action = pending(json!({"to": "a@b.example"}));
    let Verdict::Allowed(calls) = answer_at(&action, now()) else {
        panic!("approved");
    };
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].get(), &action.calls[0]);
}

#[test]
fn an_answer_counts_only_in_time() {
    let action = pending(json!({}));
    for (seconds, runs) in [
        (0, true),
        (EXPIRY_SECONDS - 1, true),
        (EXPIRY_SECONDS, false),
        (EXPIRY_SECONDS * 100, false),
        // Setting the clock back does not extend it.
        (-1, false),
    ] {
        let verdict = answer_at(&action, later(seconds));
        assert_eq!(allowed(&verdict), runs, "after {seconds} s");
        if !runs {
            assert_eq!(verdict, Verdict::Denied(Denial::Expired));
        }
    }
}

#[test]
fn only_pending_actions_are_answered_and_only_approved_ones_reclaimed() {
    for state in [
        ActionState::Pending,
        ActionState::Approved,
        ActionState::Executing,
        ActionState::Succeeded,
        ActionState::Failed,
        ActionState::Unknown,
        ActionState::NeedsPerson,
        ActionState::Denied,
        ActionState::Expired,
        ActionState::Superseded,
        ActionState::Cancelled,
    ] {
        let mut action = pending(json!({}));
        action.state = state;
        assert_eq!(
            allowed(&answer_at(&action, now())),
            state == ActionState::Pending,
            "{state:?}"
        );
        assert_eq!(
            allowed(&reclaim(&action, &present(&action), now())),
            state == ActionState::Approved,
            "{state:?}"
        );
    }
}

#[test]
fn a_tool_that_changed_is_asked_again() {
    let mut action = pending(json!({}));
    let mut changed = present(&action);
    changed[0].definition = Definition("another".into());
    let refused = |verdict: &Verdict| matches!(verdict, Verdict::Denied(Denial::TargetChanged { what }) if what == "the tool x.do");
    assert!(refused(&resolve(
        &action,
        &decision(&action),
        &changed,
        now()
    )));
    action.state = ActionState::Approved;
    assert!(refused(&reclaim(&action, &changed, now())));
    assert!(allowed(&reclaim(&action, &present(&action), now())));
}

/// An action that waits in a profile of an earlier version still matches what was shown.
#[test]
fn a_definition_covers_schema_and_description_or_formerly_the_schema() {
    let spec = |schema: Value, description: &str| -> Definition {
        let spec = ToolSpec {
            schema: schema.into(),
            description: description.into(),
            name: "board.move".into(),
            domain: Domain::Task,
            server: None,
            risk: Risk::ReachesPeople,
            phrases: Vec::new(),
            participle: "moved".into(),
            kept_by: None,
            icon: Icon::Usual,
            judges: false,
            glances: false,
        };
        spec.definition().expect("canonical")
    };
    let shown = spec(json!({"type": "object"}), "Moves a card.");
    let earlier = Definition(
        canonical::digest(&json!({"type": "object"}))
            .expect("canonical")
            .0,
    );
    for noted in [&shown, &earlier] {
        assert!(noted.holds(&shown));
        assert!(!noted.holds(&spec(json!({"type": "array"}), "Moves a card.")));
    }
    let otherwise = spec(json!({"type": "object"}), "Deletes a card.");
    assert!(!shown.holds(&otherwise));
    assert!(!shown.holds(&earlier) && !earlier.holds(&Definition(String::new())));
}

#[test]
fn a_changed_target_is_refused() {
    let action = pending(json!({}));
    let look = |targets: Vec<Target>| {
        let before = Before {
            targets,
            ..Before::default()
        };
        let now_there = Present {
            definition: Definition("schema".into()),
            account: "local".into(),
            before,
        };
        resolve(&action, &decision(&action), &[now_there], now())
    };
    assert!(allowed(&look(vec![target("a", 1), target("b", 7)])));
    for targets in [
        vec![target("a", 2), target("b", 7)],
        vec![target("a", 1)],
        vec![target("b", 7), target("a", 1)],
        vec![target("a", 1), target("b", 7), target("c", 1)],
        vec![],
    ] {
        assert!(
            matches!(
                look(targets.clone()),
                Verdict::Denied(Denial::TargetChanged { .. })
            ),
            "{targets:?}"
        );
    }
    let verdict = resolve(&action, &decision(&action), &[], now());
    assert!(matches!(
        verdict,
        Verdict::Denied(Denial::TargetChanged { .. })
    ));
}

#[test]
fn what_was_approved_for_one_account_is_not_done_with_another() {
    let mut one = observed(Risk::ReachesPeople, None, json!({}));
    one.call = one.call.acting_for("work".into());
    let Verdict::Ask(action) = gate(vec![one], &Circumstances::default(), &proposal()) else {
        panic!("it asks");
    };
    assert_eq!(action.calls[0].account.as_str(), "work");
    let mut there = present(&action);
    let answer = |there: &[Present]| resolve(&action, &decision(&action), there, now());
    assert!(allowed(&answer(&there)));
    there[0].account = "home".into();
    assert!(matches!(
        answer(&there),
        Verdict::Denied(Denial::TargetChanged { .. })
    ));
    // The digest covers it: an action altered in storage is not the one shown.
    let mut altered = (*action).clone();
    altered.calls[0].account = "home".into();
    assert!(matches!(
        resolve(&altered, &decision(&altered), &present(&altered), now()),
        Verdict::Denied(Denial::Altered)
    ));
}

/// On a card for several calls, each item has its own note about a found value, and no other item has it.
#[test]
fn marks_a_found_value_at_its_item_of_a_batch() {
    let to = |email: &str, source: Source| {
        let mut one = observed(Risk::ReachesPeople, None, json!({}));
        one.card.title = format!("Write to {email}");
        one.card.facts = vec![Fact::new("To", email, Some(&source))];
        one.call = PlannedCall::parsed(
            "x.do".into(),
            json!({ "to": email }),
            Sources::from([("/to".into(), source)]),
            Definition("schema".into()),
        );
        one.assessment.reaching = vec!["/to".into()];
        one
    };
    let origin = || Source::Untrusted {
        origin: "mail".into(),
    };
    let asked = |batch: Vec<Observed>| match gate(batch, &Circumstances::default(), &proposal()) {
        Verdict::Ask(action) => action.card,
        other => panic!("{other:?}"),
    };
    let marks = |notes: &[CardNote]| {
        let marks = notes.iter().filter(|note| note.kind == NoteKind::Untrusted);
        marks.count()
    };
    let card = asked(vec![
        to("ann@x.example", Source::AddressBook),
        to("eve@x.example", origin()),
    ]);
    let items: Vec<usize> = card.items.iter().map(|item| marks(&item.notes)).collect();
    assert_eq!((marks(&card.notes), items), (0, vec![0, 1]));
    let sources: Vec<&str> = card
        .items
        .iter()
        .flat_map(|item| &item.facts)
        .filter_map(|fact| Some(fact.source.as_ref()?.kind.as_str()))
        .collect();
    assert_eq!(sources, ["address_book", "found"]);
    // A note that applies to all calls appears once, at the head.
    let card = asked(vec![
        to("eve@x.example", origin()),
        to("joe@x.example", origin()),
    ]);
    let items: Vec<usize> = card.items.iter().map(|item| marks(&item.notes)).collect();
    assert_eq!((marks(&card.notes), items), (1, vec![0, 0]));
}

#[test]
fn a_value_found_in_foreign_text_asks_and_is_marked() {
    for reaching in ["/to", "/to/0", "/to/3/0"] {
        let mut one = observed(Risk::LocalReversible, None, json!({}));
        one.call = PlannedCall::parsed(
            "x.do".into(),
            json!({"to": ["a@b.example"]}),
            Sources::from([(
                "/to".into(),
                Source::Untrusted {
                    origin: "mail".into(),
                },
            )]),
            Definition("schema".into()),
        );
        one.assessment.reaching = vec![reaching.into()];
        let verdict = gate(vec![one], &Circumstances::default(), &proposal());
        let Verdict::Ask(action) = verdict else {
            panic!("{reaching} asks");
        };
        assert!(
            action
                .card
                .notes
                .iter()
                .any(|note| note.kind == NoteKind::Untrusted)
        );
    }
}

#[test]
fn a_guess_asks_even_if_it_could_be_undone() {
    let guessed = Circumstances {
        guessed: true,
        ..under(Policy::default(), AskedBefore::No)
    };
    let gated = |risk| gate(vec![observed(risk, None, json!({}))], &guessed, &proposal());
    assert!(
        matches!(gated(Risk::LocalReversible), Verdict::Ask(one) if one.why == Some(Why::Guessed))
    );
    assert!(allowed(&gated(Risk::Read)));
}

proptest! {
    /// Only risk, reason and number decide. A loose policy loosens nothing above "can be undone".
    #[test]
    fn risk_reason_and_number_alone_decide_whether_to_ask(
        risk in prop::sample::select(&RISKS[..]),
        policy in prop::sample::select(&RISKS[..]),
        reason in prop::option::of(prop::sample::select(&[
            AskReason::ChangesEvent, AskReason::Deletes, AskReason::Bulk, AskReason::FoundTarget,
        ][..])),
        count in 0usize..50,
    ) {
        let mut one = observed(risk, reason, json!({}));
        one.assessment.count = count;
        let verdict = gate(vec![one], &under(Policy { unasked_max: policy, by_hand: false }, AskedBefore::No), &proposal());
        let ceiling = policy.min(Risk::LocalReversible);
        let asks = risk > ceiling || reason.is_some() || (risk > Risk::Read && count > BULK_MAX);
        prop_assert_eq!(matches!(verdict, Verdict::Ask(_)), asks);
        prop_assert_eq!(allowed(&verdict), !asks);
    }

    /// A press suffices to change or delete a few rows of this computer, or to file mail in its account, unless they
    /// were found in foreign text. With the strict setting a press decides nothing, and it never decides anything else
    /// outside this computer.
    #[test]
    fn a_direct_call_runs_unasked_only_if_it_can_be_undone(
        risk in prop::sample::select(&RISKS[..]),
        policy in prop::sample::select(&[Risk::Read, Risk::LocalReversible][..]),
        reason in prop::option::of(prop::sample::select(&[
            AskReason::ChangesEvent, AskReason::Deletes, AskReason::Bulk, AskReason::FoundTarget,
        ][..])),
        count in 1usize..50,
        place in prop::sample::select(&["here", "filed", "flagged", "binned", "elsewhere"][..]),
        asked in any::<bool>(),
    ) {
        let mut one = observed(risk, reason, json!({}));
        one.assessment.count = count;
        let mut operations = vec![Operation::Local { change: Change::default() }];
        let mails = Vec::new();
        let remote = match place {
            "filed" => Some(RemoteOp::Mail(MailOp::Move { mails, to: Folder::Archive, into: None, leaves: Vec::new() })),
            "flagged" => Some(RemoteOp::Mail(MailOp::Flag {
                mails, read: Some(true), starred: None, add_labels: Vec::new(), remove_labels: Vec::new(),
            })),
            "binned" => Some(RemoteOp::Mail(MailOp::Delete { mails })),
            "elsewhere" => Some(RemoteOp::Tool(ToolOp { name: "x".into(), args: json!({}), schema: String::new() })),
            _ => None,
        };
        operations.extend(remote.map(|op| Operation::Remote {
            account: "acc_1".into(),
            op: Box::new(op),
            about: String::new(),
            then: Change::default(),
        }));
        one.before.frozen = Some(Frozen { operations, ..Frozen::default() });
        let strict = Policy { unasked_max: policy, by_hand: false };
        let hand = Policy { by_hand: true, ..strict.clone() };
        let before = if asked { AskedBefore::Yes } else { AskedBefore::No };
        let runs = |policy: &Policy| {
            allowed(&gate(vec![one.clone()], &under(policy.clone(), before), &proposal()))
        };
        let own = matches!(
            (risk, reason),
            (Risk::LocalReversible, Some(AskReason::ChangesEvent)) | (Risk::Destroys, Some(AskReason::Deletes))
        );
        let files = (risk, reason) == (Risk::RemoteReversible, None) && matches!(place, "here" | "filed" | "flagged");
        let decided = ((own && place == "here") || files) && policy == Risk::LocalReversible && count <= BULK_MAX && !asked;
        prop_assert_eq!(runs(&hand), runs(&strict) || decided);
    }

    /// An action that was shown for approval once is shown again, even if it would no longer need approval.
    #[test]
    fn what_was_asked_before_asks_again(risk in prop::sample::select(&RISKS[..]), count in 0usize..50) {
        let mut one = observed(risk, None, json!({}));
        one.assessment.count = count;
        let policy = Policy { unasked_max: Risk::Spends, by_hand: true };
        let verdict = gate(vec![one], &under(policy, AskedBefore::Yes), &proposal());
        prop_assert!(matches!(verdict, Verdict::Ask(_)), "{:?}", verdict);
    }

    /// Arguments in which any byte changed after they were shown are refused.
    #[test]
    fn altered_arguments_are_refused(text in "\\PC{1,40}", at in any::<usize>(), with in any::<char>()) {
        let mut action = pending(json!({"to": "a@b.example", "body": text}));
        let mut chars: Vec<char> = text.chars().collect();
        let place = at % chars.len();
        chars[place] = with;
        let altered: String = chars.into_iter().collect();
        action.calls[0].args["body"] = json!(altered);
        let verdict = answer_at(&action, now());
        if altered == text {
            prop_assert!(allowed(&verdict));
        } else {
            prop_assert_eq!(verdict, Verdict::Denied(Denial::Altered));
        }
    }

    /// An action in which any other stored field changed is refused too.
    #[test]
    fn refuses_an_altered_action(part in 0usize..16) {
        let mut action = pending(json!({"to": "a@b.example"}));
        match part {
            0 => action.calls[0].before.frozen = Some(frozen("exactly thesf")),
            1 => action.calls[0].before.targets[0].version = 2,
            2 => action.card.facts[0].value = "c@d.example".into(),
            3 => action.card.items.clear(),
            4 => action.card.body = None,
            5 => action.calls[0].tool = "y.do".into(),
            6 => action.calls[0].account = "work".into(),
            7 => action.calls[0].definition = Definition("other".into()),
            8 => action.calls.push(action.calls[0].clone()),
            9 => action.risk = Risk::Read,
            10 => action.taint = Taint::Tainted,
            11 => action.nonce = "noncf".into(),
            12 => action.expires = later(EXPIRY_SECONDS * 2),
            13 => action.turn = "turn_2".into(),
            14 => { action.calls[0].sources.insert("/to".into(), Source::AddressBook); }
            _ => action.tool = "y.do".into(),
        }
        let verdict = answer_at(&action, now());
        prop_assert!(matches!(verdict, Verdict::Denied(Denial::Altered | Denial::TargetChanged { .. })), "{:?}", verdict);
    }

    /// A digest other than the one shown approves nothing, however similar it is.
    #[test]
    fn a_different_digest_approves_nothing(at in 0usize..64, with in "[0-9a-f]") {
        let action = pending(json!({}));
        let mut decision = decision(&action);
        decision.digest.0.replace_range(at..=at, &with);
        let verdict = resolve(&action, &decision, &present(&action), now());
        prop_assert_eq!(allowed(&verdict), decision.digest == action.digest);
    }

    /// Two proposals that differ in any field have different digests; the same proposal always has the same digest.
    #[test]
    fn digests_differ_if_any_field_differs(a in "\\PC{0,30}", b in "\\PC{0,30}") {
        let (one, two) = (pending(json!({"body": a})), pending(json!({"body": b})));
        prop_assert_eq!(one.digest == two.digest, a == b);
        // Text cannot move from one field to the next without changing the digest.
        let (left, right) = (pending(json!({"x": a, "y": b})), pending(json!({"x": format!("{a}{b}"), "y": ""})));
        prop_assert_eq!(left.digest == right.digest, b.is_empty());
    }

    /// A batch has one card, which lists every item.
    #[test]
    fn a_batch_card_lists_every_item(count in 1usize..40) {
        let batch: Vec<Observed> = (0..count)
            .map(|number| {
                let mut one = observed(Risk::Destroys, Some(AskReason::Deletes), json!({"n": number}));
                one.card.items = vec![Item { id: format!("m{number}"), label: format!("mail {number}"), ..Item::default() }];
                one.card.notes = vec![
                    CardNote { kind: NoteKind::Info, text: "For all.".into() },
                    CardNote { kind: NoteKind::Warn, text: format!("Mind {number}.") },
                ];
                one.card.facts = vec![Fact::new("To", &format!("{number}@x.example"), Some(&Source::AddressBook))];
                one.card.body = Some(format!("Text {number}"));
                one
            })
            .collect();
        let Verdict::Ask(action) = gate(batch, &Circumstances::default(),
        &proposal()) else {
            panic!("a deletion asks");
        };
        prop_assert_eq!(action.calls.len(), count);
        for number in 0..count {
            let id = format!("m{number}");
            let item = action.card.items.iter().find(|item| item.id == id);
            if count == 1 {
                prop_assert!(item.is_some());
                continue;
            }
            // The common card has everything that the card of each call alone would say.
            let item = item.expect("every call has its item");
            prop_assert_eq!(&item.body, &Some(format!("Text {number}")));
            prop_assert_eq!(&item.facts[0].value, &format!("{number}@x.example"));
            prop_assert!(item.facts[0].source.is_some());
            prop_assert_eq!(&item.notes[0].text, &format!("Mind {number}."));
            prop_assert!(action.card.notes.iter().any(|note| note.text == "For all."));
        }
    }
}

#[test]
fn an_empty_batch_has_nothing_to_do() {
    assert_eq!(
        gate(vec![], &Circumstances::default(), &proposal()),
        Verdict::Denied(Denial::Nothing)
    );
}
