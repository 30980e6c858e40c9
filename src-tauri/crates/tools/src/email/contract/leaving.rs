//! Lists are left behind a card that says where that leads, and mails leave at the time that was shown.

use adjutant_domain::faults::UserFault;
use adjutant_domain::gate::Risk;
use adjutant_domain::operation::{LeaveList, Operation, RemoteOp};
use adjutant_testkit::{World, make};
use serde_json::json;

use super::{outbox, world};
use crate::testing::{fault, observe, question, run};

fn by_list(head: &str) -> World {
    let world = world();
    let source = format!("From: News <news@list.example>\r\nSubject: Lunch?\r\n{head}\r\nText");
    world
        .records
        .put_source(&"mail_1".into(), source.into_bytes());
    world
}

#[tokio::test]
async fn one_request_is_frozen_as_it_is_shown() {
    let world = by_list(
        "List-Unsubscribe: <https://list.example/u?id=7>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n",
    );
    let ran = run(&world, "email.unsubscribe", json!({"id": "mail_1"}))
        .await
        .expect("asked for");
    assert!(ran.asked);
    assert_eq!(ran.observed.assessment.risk, Risk::ReachesPeople);
    let card = &ran.observed.card;
    assert_eq!(card.title, "Unsubscribe from Nadia Ali");
    let facts: Vec<&str> = card.facts.iter().map(|fact| fact.value.as_str()).collect();
    assert_eq!(
        facts,
        [
            "Nadia Ali (nadia@work.example)",
            "list.example",
            "https://list.example/u?id=7"
        ]
    );
    let sources = card.facts.iter().filter_map(|fact| fact.source.as_ref());
    assert_eq!(sources.filter(|source| source.kind == "found").count(), 3);
    let frozen = ran.observed.before.frozen.as_ref().expect("an effect");
    let [Operation::Remote { account, op, .. }] = frozen.operations.as_slice() else {
        panic!("one request: {:?}", frozen.operations);
    };
    assert!(account.is_local());
    let wanted = LeaveList {
        url: "https://list.example/u?id=7".into(),
        host: "list.example".into(),
    };
    assert_eq!(**op, RemoteOp::LeaveList(wanted));
}

#[tokio::test]
async fn a_mail_leaves_a_list_as_any_mail_leaves() {
    let world = by_list("List-Unsubscribe: <mailto:leave@list.example?subject=off>\r\n");
    let ran = run(&world, "email.unsubscribe", json!({"id": "mail_1"}))
        .await
        .expect("asked for");
    assert!(ran.asked);
    let mails = outbox(&world).await;
    let mail = mails
        .iter()
        .find(|mail| mail.subject == "off")
        .expect("in the outbox");
    assert_eq!(mail.to[0].email, "leave@list.example");
    assert_eq!(mail.body, "unsubscribe");
}

#[tokio::test]
async fn a_list_that_only_the_person_can_leave_says_how() {
    for (head, said) in [
        (
            "List-Unsubscribe: <https://list.example/u>\r\n",
            "The list of Nadia Ali can only be left on a page of list.example. Open the mail “Lunch?” and follow the link in it.",
        ),
        (
            "",
            "“Lunch?” from Nadia Ali does not say how to leave its list. Open the mail and look for a link at its end, or name another mail of that list.",
        ),
    ] {
        let args = json!({"id": "mail_1"});
        let fault = fault(&by_list(head), "email.unsubscribe", args).await;
        assert_eq!(UserFault::from(&fault).to_string(), said);
    }
}

/// Adds a mail of a newsletter whose head has these lines more.
fn issue(world: World, id: &str, day: u8, head: &str) -> World {
    let (from, at) = (
        "Product Weekly <news@weekly.example>",
        format!("2026-01-{day:02}T08:00:00Z"),
    );
    let world = world.with(make::mail(id, from, &format!("Issue {day}"), &at, "News"));
    let source = format!("From: {from}\r\nSubject: Issue {day}\r\n{head}\r\nNews");
    world.records.put_source(&id.into(), source.into_bytes());
    world
}

#[tokio::test]
async fn the_mails_of_one_list_are_one_choice() {
    let one_click = |number: u8| {
        format!(
            "List-Unsubscribe: <https://weekly.example/u?id={number}>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"
        )
    };
    let args = json!({"target": {"from": "product weekly"}});
    let mut one_list = world();
    for day in [5, 7, 6] {
        one_list = issue(one_list, &format!("mail_w{day}"), day, &one_click(day));
    }
    // A bill of the same sender, which came by no list.
    one_list = issue(one_list, "mail_w8", 8, "");
    let observed = observe(&one_list, "email.unsubscribe", args.clone()).await;
    let card = observed.expect("no question").card;
    let address = card.facts.iter().find(|fact| fact.label == "Address");
    assert_eq!(
        address.map(|fact| fact.value.as_str()),
        Some("https://weekly.example/u?id=7"),
        "that of the newest"
    );
    let mut two_lists = world();
    for (day, list) in [(5, "shop"), (6, "weekly"), (7, "weekly")] {
        let head = format!("List-Id: <{list}.weekly.example>\r\n{}", one_click(day));
        two_lists = issue(two_lists, &format!("mail_w{day}"), day, &head);
    }
    let which = question(&two_lists, "email.unsubscribe", args).await;
    let choices: Vec<&str> = which.choices.iter().map(|one| one.label.as_str()).collect();
    assert_eq!(choices, ["Issue 7", "Issue 5"]);
}

#[tokio::test]
async fn a_mail_leaves_at_the_time_that_is_shown() {
    let world = world();
    let args = json!({"to": "nadia@work.example", "body": "Hi", "send_at": "2026-01-15T08:00:00+01:00[Europe/Berlin]"});
    let observed = observe(&world, "email.send", args).await.expect("proposed");
    let frozen = observed.before.frozen.as_ref().expect("an effect");
    let at = "2026-01-15T07:00:00Z".parse().expect("a time");
    assert_eq!(frozen.not_before, Some(at));
    let leaves = observed
        .card
        .facts
        .iter()
        .find(|fact| fact.label == "Leaves");
    assert_eq!(
        leaves.map(|fact| fact.value.as_str()),
        Some("Thu 15 Jan, 08:00")
    );
    let Some(change) = frozen.operations[0].change() else {
        panic!("a row");
    };
    let written = serde_json::to_value(change).expect("JSON").to_string();
    assert!(
        written.contains("Thu, 15 Jan 2026 07:00:00 +0000"),
        "{written}"
    );
}

#[tokio::test]
async fn a_time_that_is_over_is_said_on_the_card() {
    let args = json!({"to": "nadia@work.example", "body": "Hi", "send_at": "2026-01-14T09:59:00+01:00[Europe/Berlin]"});
    let observed = observe(&world(), "email.send", args)
        .await
        .expect("proposed");
    let notes: Vec<&str> = observed
        .card
        .notes
        .iter()
        .map(|note| note.text.as_str())
        .collect();
    assert!(
        notes.contains(&"That time has passed: it leaves at once."),
        "{notes:?}"
    );
}

#[tokio::test]
async fn a_time_that_cannot_be_waited_for_is_refused() {
    for (at, said) in [
        ("2026-01-15", "needs a time of day"),
        (
            "2027-03-01T09:00:00+01:00[Europe/Berlin]",
            "at most 366 days",
        ),
    ] {
        let args = json!({"to": "nadia@work.example", "body": "Hi", "send_at": at});
        let fault = fault(&world(), "email.send", args).await;
        assert!(fault.to_string().contains(said), "{fault}");
    }
}
