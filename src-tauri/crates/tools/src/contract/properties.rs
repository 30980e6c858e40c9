//! What holds for any arguments: nothing but what was shown runs, cards show all they touch, and nothing panics.

use adjutant_domain::gate::{
    Channel, Circumstances, Decision, Denial, PendingAction, Present, Proposal, Verdict, gate,
    resolve,
};
use adjutant_domain::ports::Toolbox as _;
use adjutant_domain::source::Sources;
use adjutant_testkit::{World, make};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Runs, table, world};
use crate::testing::{observe, registry};

/// Cases of each property: every one builds a world and a folder.
const CASES: u32 = 64;

async fn pending(world: &World, tool: &str, args: Value) -> Option<PendingAction> {
    let observed = observe(world, tool, args).await.ok()?;
    let proposal = Proposal {
        id: "act_1".into(),
        nonce: "n".into(),
        conversation: "main".into(),
        turn: "turn_1".into(),
        step: "s1".into(),
        now: world.cx.now.timestamp(),
    };
    match gate(vec![observed], &Circumstances::default(), &proposal) {
        Verdict::Ask(action) => Some(*action),
        _ => None,
    }
}

fn answer(action: &PendingAction, world: &World) -> Verdict {
    let decision = Decision {
        id: action.id.clone(),
        digest: action.digest.clone(),
        channel: Channel::Window,
    };
    let observed: Vec<_> = action.calls.iter().map(Present::from).collect();
    resolve(action, &decision, &observed, world.cx.now.timestamp())
}

/// Replaces one character of one text or digit of one number anywhere inside; `None` when nothing changed.
fn alter(value: &Value, at: usize, with: char) -> Option<Value> {
    let text = value.to_string();
    let mut chars: Vec<char> = text.chars().collect();
    let place = at % chars.len().max(1);
    *chars.get_mut(place)? = with;
    let altered: Value = serde_json::from_str(&chars.into_iter().collect::<String>()).ok()?;
    (altered != *value).then_some(altered)
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime")
        .block_on(work)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES))]

    /// Any byte of the arguments, of the frozen bytes or of the card, changed after it was shown: refused.
    #[test]
    fn nothing_but_what_was_shown_runs(pick in 0usize..11, part in 0usize..3, at in any::<usize>(), with in "[a-z0-9 ]") {
        let asking: Vec<_> = table().into_iter().filter(|(_, _, runs)| *runs == Runs::Asks).collect();
        let (tool, args, _) = asking[pick % asking.len()].clone();
        let (world, _folder) = world();
        let mut action = block_on(pending(&world, tool, args)).expect("it asks");
        prop_assert!(matches!(answer(&action, &world), Verdict::Allowed(_)), "{} as it is", tool);
        let with = with.chars().next().unwrap_or('x');
        let altered = match part {
            0 => alter(&action.calls[0].args, at, with).map(|value| action.calls[0].args = value),
            1 => {
                let frozen = serde_json::to_value(&action.calls[0].before.frozen).expect("json");
                alter(&frozen, at, with)
                    .map(|value| serde_json::from_value(value).ok())
                    .filter(|frozen| *frozen != action.calls[0].before.frozen)
                    .map(|frozen| action.calls[0].before.frozen = frozen)
            }
            _ => {
                let card = serde_json::to_value(&action.card).expect("json");
                alter(&card, at, with)
                    .and_then(|value| serde_json::from_value(value).ok())
                    .filter(|card| *card != action.card)
                    .map(|card| action.card = card)
            }
        };
        if altered.is_some() {
            prop_assert_eq!(answer(&action, &world), Verdict::Denied(Denial::Altered), "{} part {}", tool, part);
        }
    }

    /// Every address a mail goes to, and every event, guest and mail a deletion touches, is on the card.
    #[test]
    fn cards_show_everything_they_touch(
        names in prop::collection::vec("[A-Z][a-z]{2,8} [A-Z][a-z]{2,8}", 1..6),
        titles in prop::collection::vec("[A-Za-z][A-Za-z ]{1,20}[a-z]", 1..6),
        body in "\\PC{1,200}",
    ) {
        let (mut world, _folder) = world();
        let mut shown: Vec<String> = Vec::new();
        for (index, name) in names.iter().enumerate() {
            world = world.with(make::contact(&format!("who_p{index}"), name, &[&format!("p{index}@people.example")]));
            shown.push(format!("p{index}@people.example"));
        }
        for (index, title) in titles.iter().enumerate() {
            let guest = format!("{} <g{index}@guests.example>", names[0]);
            world = world.with(make::event(
                &format!("ev_p{index}"),
                title,
                &format!("2026-02-0{}T10:00:00+01:00[Europe/Berlin]", index + 1),
                &format!("2026-02-0{}T11:00:00+01:00[Europe/Berlin]", index + 1),
                &[&guest],
            ));
        }
        let to: Vec<String> = shown.clone();
        let send = json!({"to": to, "body": body});
        if let Ok(observed) = block_on(observe(&world, "email.send", send)) {
            let card = &observed.card;
            for address in &shown {
                prop_assert!(card.facts.iter().any(|fact| fact.value.contains(address.as_str())), "{} is missing", address);
            }
            let text = adjutant_domain::gate::escape::visible(&body);
            prop_assert_eq!(card.body.as_deref(), Some(text.as_str()));
        } else {
            prop_assert!(body.trim().is_empty(), "only an empty text is asked for");
        }
        let delete = json!({"target": {"from": "2026-02-01", "to": "2026-02-10", "pick": "all"}});
        let observed = block_on(observe(&world, "calendar.delete", delete)).expect("a look");
        let card = serde_json::to_string(&observed.card).expect("json");
        for (index, title) in titles.iter().enumerate() {
            prop_assert!(card.contains(title.as_str()), "{} is missing", title);
            let guest = format!("g{index}@guests.example");
            prop_assert!(card.contains(guest.as_str()), "{} is missing", guest);
        }
        prop_assert_eq!(observed.before.targets.len(), titles.len());
    }

    /// Whatever stands in the arguments, planning and looking end in an answer, never in a panic.
    #[test]
    fn odd_arguments_never_panic(pick in 0usize..41, text in "\\PC{0,40}", number in any::<i64>()) {
        let (tool, args, _) = table()[pick % 41].clone();
        let (world, _folder) = world();
        let odd = odd_versions(&args, &text, number);
        for args in odd {
            let registry = registry();
            if let Ok(call) = registry.plan(tool, args, Sources::new()) {
                let _looked = block_on(registry.observe(call, &world.cx));
            }
        }
    }
}

/// The arguments with each value replaced in turn, and with changes of odd sizes.
fn odd_versions(args: &Value, text: &str, number: i64) -> Vec<Value> {
    let mut out = Vec::new();
    for key in args.as_object().into_iter().flat_map(|map| map.keys()) {
        for value in [
            json!(text),
            json!(number),
            json!([text, [text]]),
            json!({"text": text, "pick": {"nth": number}}),
        ] {
            let mut odd = args.clone();
            odd[key] = value;
            out.push(odd);
        }
    }
    for more in [
        json!({"changes": {"shift_minutes": number, "shift_days": number}}),
        json!({"changes": {"shift_months": number}}),
        json!({"changes": {"duration_minutes": number, "extend_minutes": number}}),
        json!({"target": {"text": text, "pick": {"nth": number}}, "id": null}),
        json!({"duration_minutes": number}),
        json!({"rrule": text}),
        json!({"rrule": format!("FREQ=DAILY;INTERVAL={number}")}),
        json!({"limit": number.unsigned_abs()}),
    ] {
        let mut odd = args.clone();
        for (key, value) in more.as_object().into_iter().flatten() {
            odd[key] = value.clone();
        }
        out.push(odd);
    }
    out
}
