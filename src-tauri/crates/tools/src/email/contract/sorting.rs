//! Mail by what it is, by the company it comes from, and by what it costs.

use adjutant_testkit::{World, make};
use serde_json::json;

use crate::testing::{check, say};

fn bulk(world: World, id: &str, from: &str, subject: &str, head: &str) -> World {
    let mail = make::mail(id, from, subject, "2026-01-09T08:00:00Z", "Read on.");
    world.records.put_source(
        &mail.id,
        format!("From: {from}\r\nSubject: {subject}\r\n{head}\r\nRead on.").into_bytes(),
    );
    world.with(mail)
}

/// Friday, 16 January 2026, 10:00 in Berlin.
fn world() -> World {
    let world = World::at("2026-01-16T10:00:00+01:00[Europe/Berlin]")
        .with(make::mail(
            "mail_1",
            "Ada Roth <ada@northwind.example>",
            "Your newsletter",
            "2026-01-10T08:00:00Z",
            "Did you send it?",
        ))
        .with(make::mail(
            "mail_2",
            "Billing <b@northwind.example>",
            "Invoice 12",
            "2026-01-11T08:00:00Z",
            "Rent $1,200.00\nPower $30.50\nTotal: $1,230.50",
        ))
        .with(make::mail(
            "mail_3",
            "Kim Ode <kim@else.example>",
            "Invoice 7",
            "2026-01-12T08:00:00Z",
            "Please pay 69.50 USD.\n> last time it was $10.00",
        ))
        .with(make::mail(
            "mail_4",
            "Kim Ode <kim@else.example>",
            "Invoice question",
            "2026-01-13T08:00:00Z",
            "Was it $5 or $6?",
        ));
    let list = "List-Id: <x.example>\r\n";
    let world = bulk(world, "list_1", "Weekly <w@x.example>", "Issue 7", list);
    let world = bulk(world, "list_2", "Shop <s@x.example>", "30% off today", list);
    let group = "List-Id: <x>\r\nList-Post: <mailto:talk@x.example>\r\n";
    let world = bulk(world, "group_1", "Eli <eli@x.example>", "Re: Sails", group);
    bulk(
        world,
        "note_1",
        "Bank <no-reply@bank.example>",
        "You signed in",
        "",
    )
}

#[tokio::test]
async fn mail_is_sorted_by_who_wrote_it() {
    check(
        world,
        &[
            (
                "email.search",
                json!({"sort": "newsletter", "ask": "count"}),
                "2 newsletters.\n\n- Shop: 30% off today · Fri 9 Jan, 09:00\n- Weekly: Issue 7 · Fri 9 Jan, 09:00",
            ),
            (
                "email.search",
                json!({"sort": "promotion"}),
                "Shop: 30% off today · Fri 9 Jan, 09:00.",
            ),
            (
                "email.search",
                json!({"sort": "notification"}),
                "Bank: You signed in · Fri 9 Jan, 09:00.",
            ),
            (
                "email.search",
                json!({"sort": "newsletter", "unread": true, "since": "2026-01-12"}),
                "No unread newsletters from Mon 12 Jan on.",
            ),
            (
                "email.archive",
                json!({"target": {"sort": "promotion", "pick": "all"}}),
                "Archived “30% off today” from Shop.",
            ),
            (
                "email.archive",
                json!({"target": {"sort": "promotion", "pick": "all"}, "folder": "Bargains"}),
                "Moved “30% off today” from Shop to the new folder “Bargains”.",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_company_is_found_by_the_addresses_of_its_people() {
    let world = world();
    let found = say(&world, "email.search", json!({"from": "Northwind"})).await;
    assert!(found.starts_with("2 mails"), "{found}");
    let none = say(&world, "email.search", json!({"from": "!!"})).await;
    assert!(none.starts_with("No mails"), "{none}");
}

#[tokio::test]
async fn amounts_are_added_where_a_mail_names_one() {
    let args = json!({"subject": "invoice", "ask": "total"});
    assert_eq!(
        say(&world(), "email.search", args).await,
        "$1,300.00 in 2 mails.\n\n\
         - $69.50 – Kim Ode: Invoice 7 · Mon 12 Jan, 09:00\n\
         - $1,230.50 – Billing: Invoice 12 · Sun 11 Jan, 09:00\n\n\
         Not counted, because they do not name a single amount:\n\n\
         - Kim Ode: Invoice question · Tue 13 Jan, 09:00"
    );
}
